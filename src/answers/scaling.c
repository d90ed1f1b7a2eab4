#include "answers/scaling.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Couplings there and back whose product is below this fraction of the whole squared may be
 * rounding errors one way, and say nothing of the lengths. */
static const double NO_COUPLING = 1e-13;

/* The states of the mechanism: positions and velocities. */
static int scaling_n_motion(const routh_linear *linear)
{
    return linear->n_position + linear->n_velocity;
}

static int scaling_is_angle(const routh_linear *linear, int i)
{
    const char *unit = linear->states ? linear->states[i].unit : NULL;
    return unit && strncmp(unit, "rad", 3) == 0;
}

static double scaling_scaled(const routh_linear *linear, const double *scale, int i, int j)
{
    return linear->A[(size_t)i * (size_t)linear->n_states + (size_t)j] * scale[j] / scale[i];
}

/* The four blocks of A that two groups of rows and columns make. */
typedef enum grouping {
    VELOCITIES,           /* positions, velocities */
    VELOCITIES_LIKE_ONLY, /* of these the entries of lengths by lengths and angles by angles */
    ANGLES,               /* lengths, angles */
} grouping;

/* Sums of squares of diag(1/scale) A diag(scale) over the four blocks: sum[2 * group of row + group
 * of column]. */
static void block_norms(const routh_linear *linear, const double *scale, grouping by, double sum[4])
{
    const int n = scaling_n_motion(linear);
    for (int k = 0; k < 4; k++) sum[k] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double a = scaling_scaled(linear, scale, i, j);
            const int row = by == ANGLES ? scaling_is_angle(linear, i) : i >= linear->n_position;
            const int column = by == ANGLES ? scaling_is_angle(linear, j) : j >= linear->n_position;
            if (by == VELOCITIES_LIKE_ONLY &&
                scaling_is_angle(linear, i) != scaling_is_angle(linear, j))
                continue;
            sum[2 * row + column] += a * a;
        }
}

static double power_of_two(double x) { return x > 0 && isfinite(x) ? exp2(round(log2(x))) : 1; }

/* The fastest rate that controllers take part in: of two states that act on one another, or of one
 * by itself. No unit matters to it. */
static double control_rate(const routh_linear *linear)
{
    const int n = linear->n_states;
    double most = 0;
    for (int i = scaling_n_motion(linear); i < n; i++)
        for (int j = 0; j < n; j++) {
            const double there = fabs(linear->A[(size_t)i * (size_t)n + (size_t)j]),
                         back = fabs(linear->A[(size_t)j * (size_t)n + (size_t)i]);
            most = fmax(most, sqrt(there) * sqrt(back));
        }
    return most;
}

/* s: velocities are counted in s times their unit, s = max(sqrt(|A_vp| / |A_pv|), |A_vv| / |A_pv|).
 * Of a mechanism that only controllers hold, what is left of that is rounding: false, and s is
 * found with those of the controllers. */
static bool scale_velocities(const routh_linear *linear, grouping by, double *scale)
{
    double sum[4];
    block_norms(linear, scale, by, sum);
    const double pv = sqrt(sum[1]), vp = sqrt(sum[2]), rate = fmax(sqrt(sum[3]), sqrt(sum[0]));
    if (pv == 0) return true;
    const double s = fmax(sqrt(vp / pv), rate / pv);
    if (s <= sqrt(NO_COUPLING) * control_rate(linear)) return false;
    for (int i = linear->n_position; i < scaling_n_motion(linear); i++) scale[i] *= power_of_two(s);
    return true;
}

/* f: angles are counted in f rad, such that lengths act on angles as strongly as these on them. The
 * product of both couplings does not depend on the unit of length. Where joints hold velocities one
 * of the two may be rounding alone: a heading moves a place, no place a heading. */
static void scale_angles(const routh_linear *linear, double *scale)
{
    double sum[4];
    block_norms(linear, scale, ANGLES, sum);
    if (sqrt(sum[1]) * sqrt(sum[2]) <= NO_COUPLING * (sum[0] + sum[3])) return;
    const double f = power_of_two(sqrt(sqrt(sum[2] / sum[1])));
    for (int i = 0; i < scaling_n_motion(linear); i++)
        if (scaling_is_angle(linear, i)) scale[i] *= f;
}

/* ---- states of controllers ------------------------------------------------------------------- */

/* Largest entry of rows and of columns first .. last - 1 outside their own block, of scaled A. */
static void largest_of(const routh_linear *linear, const double *scale, int first, int last,
                       double *row, double *column)
{
    *row = *column = 0;
    for (int k = first; k < last; k++)
        for (int j = 0; j < linear->n_states; j++) {
            if (j >= first && j < last) continue;
            *row = fmax(*row, fabs(scaling_scaled(linear, scale, k, j)));
            *column = fmax(*column, fabs(scaling_scaled(linear, scale, j, k)));
        }
}

/* The fastest rate there is: of the mechanism as scaled, or of a controller by itself. */
static double scaling_fastest(const routh_linear *linear, const double *scale)
{
    double most = 0;
    for (int i = 0; i < linear->n_states; i++)
        for (int j = 0; j < linear->n_states; j++)
            if (i == j || (i < scaling_n_motion(linear) && j < scaling_n_motion(linear)))
                most = fmax(most, fabs(scaling_scaled(linear, scale, i, j)));
    return most > 0 ? most : 1;
}

/* By how much state k is to be counted larger: so that it acts on the others as strongly as these
 * on it; where it only acts, or is only acted upon, as strongly as the fastest rate. */
static double scaling_wanted(double row, double column, double rate)
{
    if (sqrt(row) * sqrt(column) > sqrt(NO_COUPLING) * rate)
        return power_of_two(sqrt(row / column));
    return row >= column && row > 0 ? power_of_two(row / rate)
           : column > 0             ? power_of_two(rate / column)
                                    : 1;
}

/* States first .. last - 1 brought to one unit with the others; whether that changed. */
static bool scale_group(const routh_linear *linear, int first, int last, double rate, double *scale)
{
    double row, column;
    largest_of(linear, scale, first, last, &row, &column);
    const double f = scaling_wanted(row, column, rate);
    for (int k = first; k < last; k++) scale[k] *= f;
    return f != 1;
}

/* Each in a unit of its own, so one by one (Osborne, J. ACM 7, 1960), until nothing changes;
 * velocities too, all alike, where the mechanism says nothing of theirs. */
static void scale_controllers(const routh_linear *linear, bool velocities, double *scale)
{
    enum { MOST_SWEEPS = 30 };
    const double rate = scaling_fastest(linear, scale);
    bool changed = linear->n_control > 0;
    for (int sweep = 0; changed && sweep < MOST_SWEEPS; sweep++) {
        changed = velocities &&
                  scale_group(linear, linear->n_position, scaling_n_motion(linear), rate, scale);
        for (int k = scaling_n_motion(linear); k < linear->n_states; k++)
            changed = scale_group(linear, k, k + 1, rate, scale) || changed;
    }
}

void rt_scale_states(const routh_linear *linear, double *scale)
{
    for (int i = 0; i < linear->n_states; i++) scale[i] = 1;
    /* the whole in one unit of time before lengths are held against angles, and once more after */
    scale_velocities(linear, VELOCITIES_LIKE_ONLY, scale);
    scale_angles(linear, scale);
    const bool own = scale_velocities(linear, VELOCITIES, scale);
    scale_controllers(linear, !own, scale);
}
