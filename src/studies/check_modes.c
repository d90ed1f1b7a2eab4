/* What the reference's modes say by themselves: right digits, and motions that nothing holds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "studies/check.h"

static routh_status fill_digits(rt_check_holder *h, routh_error *error)
{
    enum { MOST_DIGITS = 16 };
    const routh_modes *modes = h->check.modes;
    double *digits = RT_TAKE(&h->arena, double, modes->n);
    if (!digits) return rt_fail_memory(error);
    for (int k = 0; k < modes->n; k++) {
        const routh_mode *mode = &modes->modes[k];
        const double size = hypot(mode->eigenvalue[0], mode->eigenvalue[1]);
        digits[k] = mode->error_bound > 0 ? log10(size / mode->error_bound) : MOST_DIGITS;
        digits[k] = fmin(fmax(digits[k], 0), MOST_DIGITS);
    }
    h->check.digits = digits;
    return ROUTH_OK;
}

/* ---- motions that nothing holds -------------------------------------------------------------- */

/* Rigid modes as columns: the motion of each body's own marker, rotations times the length. The
 * zero eigenvalues come in chains, so there may be fewer motions than columns. */
typedef struct motions {
    int rows, columns, rank;
    double *x;  /* columns x rows */
    int *pivot; /* row where the motion is 1 and all others are 0 */
} motions;

static void check_modes_fill(motions *z, const rt_check_holder *h)
{
    const routh_linear *linear = h->check.linear;
    double *x = z->x;
    for (int k = 0; k < h->check.modes->n; k++) {
        if (!h->check.modes->modes[k].rigid) continue;
        for (int b = 0; b < h->check.n_bodies; b++) {
            double motion[12];
            routh_mode_marker(linear, &h->check.modes->modes[k], b, motion);
            for (int i = 0; i < 6; i++) *x++ = motion[i] * (i < 3 ? 1 : h->check.length);
        }
    }
}

static double check_modes_largest(const motions *z, int *column, int *row)
{
    double most = 0;
    for (int k = z->rank; k < z->columns; k++)
        for (int i = 0; i < z->rows; i++) {
            const double size = fabs(z->x[(size_t)k * (size_t)z->rows + (size_t)i]);
            if (size > 1.0001 * most) most = size, *column = k, *row = i;
        }
    return most;
}

/* Gauss and Jordan, so that each motion is as simple as it can be: what turns freely shows as one
 * rotation, not mixed with others. */
static void check_modes_simplify(motions *z)
{
    int column = 0, row = 0;
    for (double most;
         z->rank < z->columns && (most = check_modes_largest(z, &column, &row)) > 1e-6;) {
        double *p = z->x + (size_t)z->rank * (size_t)z->rows;
        double *q = z->x + (size_t)column * (size_t)z->rows;
        const double pivot = q[row];
        for (int i = 0; i < z->rows; i++) {
            const double swapped = p[i];
            p[i] = q[i] / pivot;
            if (q != p) q[i] = swapped;
        }
        for (int k = 0; k < z->columns; k++) {
            double *x = z->x + (size_t)k * (size_t)z->rows;
            const double factor = x[row];
            for (int i = 0; i < z->rows && k != z->rank; i++) {
                x[i] -= factor * p[i];
                if (fabs(x[i]) < 1e-10) x[i] = 0;
            }
        }
        z->pivot[z->rank++] = row;
    }
}

static double check_modes_size_of(const rt_check_holder *h, const routh_body_motion *m)
{
    double size = 0;
    for (int i = 0; i < 3; i++)
        size = fmax(size, fmax(fabs(m->displacement[i]), h->check.length * fabs(m->rotation[i])));
    return size;
}

/* Largest first; as many move. */
static void sort_bodies(const rt_check_holder *h, routh_free_motion *motion)
{
    for (int i = 1; i < motion->n_bodies; i++) {
        const routh_body_motion body = motion->bodies[i];
        int to = i;
        for (; to > 0 && check_modes_size_of(h, &body) >
                             1.0001 * check_modes_size_of(h, &motion->bodies[to - 1]);
             to--)
            motion->bodies[to] = motion->bodies[to - 1];
        motion->bodies[to] = body;
    }
}

/* The largest displacement is 1 m or the largest rotation 1 rad, whichever is more. */
static void check_modes_normalise(routh_free_motion *motion)
{
    double most = 0;
    for (int b = 0; b < motion->n_bodies; b++)
        for (int i = 0; i < 3; i++)
            most = fmax(most, fmax(fabs(motion->bodies[b].displacement[i]),
                                   fabs(motion->bodies[b].rotation[i])));
    for (int b = 0; b < motion->n_bodies; b++)
        for (int i = 0; i < 3; i++)
            motion->bodies[b].displacement[i] /= most, motion->bodies[b].rotation[i] /= most;
}

static routh_status keep_motion(rt_check_holder *h, const double *x, routh_free_motion *motion,
                                routh_error *error)
{
    motion->bodies = RT_TAKE(&h->arena, routh_body_motion, h->check.n_bodies);
    if (!motion->bodies) return rt_fail_memory(error);
    for (int b = 0; b < h->check.n_bodies; b++) {
        routh_body_motion m = {.body = h->model->bodies[b].name};
        for (int i = 0; i < 3; i++) {
            m.displacement[i] = x[6 * b + i];
            m.rotation[i] = x[6 * b + 3 + i] / h->check.length;
        }
        if (check_modes_size_of(h, &m) > 1e-6) motion->bodies[motion->n_bodies++] = m;
    }
    sort_bodies(h, motion);
    check_modes_normalise(motion);
    return ROUTH_OK;
}

static routh_status find_motions(rt_check_holder *h, routh_error *error)
{
    motions z = {.rows = 6 * h->check.n_bodies, .columns = h->check.modes->n_zero};
    z.x = RT_TAKE(&h->arena, double, (size_t)z.rows *(size_t)z.columns);
    z.pivot = RT_TAKE(&h->arena, int, z.columns);
    h->check.free_motions = RT_TAKE(&h->arena, routh_free_motion, z.columns);
    if (!z.x || !z.pivot || !h->check.free_motions) return rt_fail_memory(error);
    check_modes_fill(&z, h);
    check_modes_simplify(&z);
    for (int k = 0; k < z.rank; k++) {
        const routh_status status =
            keep_motion(h, z.x + (size_t)k * (size_t)z.rows, &h->check.free_motions[k], error);
        if (status) return status;
    }
    h->check.n_free_motions = z.rank;
    return ROUTH_OK;
}

routh_status rt_check_modes(rt_check_holder *h, routh_error *error)
{
    if (!h->check.modes) return ROUTH_OK;
    const routh_status status = fill_digits(h, error);
    return status ? status : find_motions(h, error);
}
