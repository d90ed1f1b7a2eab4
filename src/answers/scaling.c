#include "answers/scaling.h"

#include <math.h>
#include <string.h>

/* Couplings below this fraction of the whole are rounding errors and say nothing of the lengths. */
static const double NO_COUPLING = 1e-13;

static int is_angle(const routh_linear *linear, int i)
{
    const char *unit = linear->states ? linear->states[i].unit : NULL;
    return unit && strncmp(unit, "rad", 3) == 0;
}

/* Sums of squares of diag(1/scale) A diag(scale) over the four blocks: sum[2 * group of row + group
 * of column]. */
static void block_norms(const routh_linear *linear, const double *scale, int angles, double sum[4])
{
    const int n = linear->n_states;
    for (int k = 0; k < 4; k++) sum[k] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double a = linear->A[(size_t)i * (size_t)n + (size_t)j] * scale[j] / scale[i];
            const int row = angles ? is_angle(linear, i) : i >= linear->n_position;
            const int column = angles ? is_angle(linear, j) : j >= linear->n_position;
            sum[2 * row + column] += a * a;
        }
}

static double power_of_two(double x)
{
    return x > 0 && isfinite(x) ? exp2(round(log2(x))) : 1;
}

/* s: velocities are counted in s times their unit, s = max(sqrt(|A_vp| / |A_pv|), |A_vv| / |A_pv|)
 */
static void scale_velocities(const routh_linear *linear, double *scale)
{
    double sum[4];
    block_norms(linear, scale, 0, sum);
    const double pv = sqrt(sum[1]), vp = sqrt(sum[2]), rate = fmax(sqrt(sum[3]), sqrt(sum[0]));
    if (pv == 0) return;
    const double s = power_of_two(fmax(sqrt(vp / pv), rate / pv));
    for (int i = linear->n_position; i < linear->n_states; i++) scale[i] *= s;
}

/* f: angles are counted in f rad, such that lengths act on angles as strongly as these on them. */
static void scale_angles(const routh_linear *linear, double *scale)
{
    double sum[4];
    block_norms(linear, scale, 1, sum);
    /* the geometric mean of both couplings does not depend on the unit of length */
    const double least = NO_COUPLING * NO_COUPLING * (sum[0] + sum[3]);
    if (sqrt(sum[1]) * sqrt(sum[2]) <= least) return;
    const double f = power_of_two(sqrt(sqrt(sum[2] / sum[1])));
    for (int i = 0; i < linear->n_states; i++)
        if (is_angle(linear, i)) scale[i] *= f;
}

void rt_scale_states(const routh_linear *linear, double *scale)
{
    for (int i = 0; i < linear->n_states; i++) scale[i] = 1;
    scale_angles(linear, scale);
    scale_velocities(linear, scale);
}
