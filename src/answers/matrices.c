/* Modes of sparse matrices: symmetric and undamped ones counted, others by the first-order pencil.
 */
#include "routh/matrices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pi.h"
#include "base/linear_holder.h"
#include "base/symmetric_modes.h"
#include "routh/answers.h"

static routh_matrix_modes *matrices_new_modes(int n, int order, size_t numbers_of_each)
{
    routh_matrix_modes *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->n = n, m->order = order;
    m->modes = calloc((size_t)n + 1, sizeof *m->modes);
    m->storage = malloc(((size_t)n * (size_t)order * numbers_of_each + 1) * sizeof *m->storage);
    if (m->modes && m->storage) return m;
    routh_matrix_modes_free(m);
    return NULL;
}

void routh_matrix_modes_free(routh_matrix_modes *modes)
{
    if (!modes) return;
    free(modes->modes);
    free(modes->storage);
    free(modes->more);
    free(modes);
}

static rt_pattern matrices_pattern_of(const routh_sparse *m)
{
    return (rt_pattern){m->n_rows, m->n_columns, m->start, m->row};
}

/* ---- symmetric, undamped -------------------------------------------------------------------- */

/* lambda^2 = -value. An error of value is one of lambda over 2 |lambda|, and its root near 0. */
static void matrices_describe(routh_matrix_mode *mode, double value, double error)
{
    const double size = sqrt(fabs(value));
    mode->rigid = fabs(value) <= error;
    mode->error_bound = mode->rigid ? sqrt(error) : fmin(error / (2 * size), sqrt(error));
    if (mode->rigid) return;
    mode->eigenvalue[value > 0] = size; /* an unstable one is real: +- size */
    mode->frequency_hz = size / RT_TWO_PI;
    mode->damping_ratio = value > 0 ? 0 : -1;
}

static double matrices_square(double hertz)
{
    return (hertz < 0 ? -1 : 1) * pow(RT_TWO_PI * hertz, 2);
}

static routh_status find_symmetric(routh_matrix_modes **modes, const routh_matrices *m,
                                   const routh_matrix_request *r, const routh_factors *factors,
                                   rt_arena *arena, routh_error *error)
{
    const rt_pattern K = matrices_pattern_of(&m->stiffness), M = matrices_pattern_of(&m->mass);
    const rt_symmetric_pencil pencil = {&K, &M, m->stiffness.value, m->mass.value, 0, NULL, NULL};
    const rt_symmetric_request wanted = {.between = r->between,
                                         .low = matrices_square(r->low),
                                         .high = matrices_square(r->high),
                                         .count = r->count,
                                         .near = matrices_square(r->near),
                                         .factors = factors};
    rt_symmetric_modes found;
    const routh_status status = rt_symmetric_modes_find(&found, &pencil, &wanted, arena, error);
    if (status) return status;
    for (int k = 0; k < found.found; k++)
        if (!isfinite(found.value[k]) || !isfinite(found.error[k]))
            return rt_fail(error, ROUTH_NUMERIC_ERROR,
                           "an eigenvalue is not a finite number; check that the mass matrix is "
                           "positive semidefinite and that every displacement has mass or "
                           "stiffness");
    routh_matrix_modes *out = matrices_new_modes(found.found, m->n, 1);
    if (!out) return rt_fail_memory(error);
    memcpy(out->storage, found.vector, (size_t)found.found * (size_t)m->n * sizeof(double));
    for (int k = 0; k < found.found; k++) {
        out->modes[k].shape = out->storage + (size_t)k * (size_t)m->n;
        matrices_describe(&out->modes[k], found.value[k], found.error[k]);
    }
    out->counted = found.counted ? ROUTH_COUNT_INERTIA : ROUTH_COUNT_NONE;
    out->shift = found.shift;
    out->n_factors = found.n_factors, out->n_solves = found.n_solves;
    out->factor_bytes = (double)found.factor_bytes;
    *modes = out;
    return ROUTH_OK;
}

/* ---- others --------------------------------------------------------------------------------- */

/* Both triangles of what may be the lower one, with a sign, its first entry at (row, column). */
static void matrices_add(const routh_sparse *m, bool lower, double sign, int row, int column,
                         int *rows, int *columns, double *values, size_t *n)
{
    for (int c = 0; c < m->n_columns; c++)
        for (int e = m->start[c]; e < m->start[c + 1]; e++)
            for (int mirror = 0; mirror <= (lower && m->row[e] != c); mirror++) {
                rows[*n] = row + (mirror ? c : m->row[e]);
                columns[*n] = column + (mirror ? m->row[e] : c);
                values[(*n)++] = sign * m->value[e];
            }
}

static void add_identity(int n, int row, int column, int *rows, int *columns, double *values,
                         size_t *at)
{
    for (int k = 0; k < n; k++) rows[*at] = row + k, columns[*at] = column + k, values[(*at)++] = 1;
}

static routh_status matrices_compress(routh_sparse *to, int order, size_t n, const int *rows,
                                      const int *columns, const double *values, rt_arena *arena,
                                      routh_error *error)
{
    rt_pattern p;
    int *position = malloc((n + 1) * sizeof *position);
    if (!position) return rt_fail_memory(error);
    routh_status status =
        rt_pattern_build(&p, order, order, n, rows, columns, position, arena, error);
    if (!status) {
        *to = (routh_sparse){order, order, p.start, p.row, RT_TAKE(arena, double, p.start[order])};
        if (!to->value) status = rt_fail_memory(error);
    }
    for (size_t k = 0; !status && k < n; k++) to->value[position[k]] += values[k];
    free(position);
    return status;
}

/* E = diag(I, M), A = [0 I; -K -C], and all of y as states. */
static routh_status matrices_make_pencil(routh_descriptor *d, const routh_matrices *m,
                                         rt_arena *arena, routh_error *error)
{
    const int n = m->n;
    const bool lower = m->symmetric;
    const size_t damping = m->damping.n_rows ? (size_t)m->damping.start[n] : 0,
                 most = 2 * ((size_t)m->stiffness.start[n] + damping + (size_t)m->mass.start[n]) +
                        2 * (size_t)n;
    int *rows = RT_TAKE(arena, int, most), *columns = RT_TAKE(arena, int, most);
    double *values = RT_TAKE(arena, double, most);
    if (!rows || !columns || !values) return rt_fail_memory(error);
    size_t at = 0;
    d->n_coordinates = n;
    add_identity(n, 0, 0, rows, columns, values, &at);
    matrices_add(&m->mass, lower, 1, n, n, rows, columns, values, &at);
    routh_status status = matrices_compress(&d->E, 2 * n, at, rows, columns, values, arena, error);
    at = 0;
    add_identity(n, 0, n, rows, columns, values, &at);
    matrices_add(&m->stiffness, lower, -1, n, 0, rows, columns, values, &at);
    if (damping) matrices_add(&m->damping, lower, -1, n, n, rows, columns, values, &at);
    if (!status) status = matrices_compress(&d->A, 2 * n, at, rows, columns, values, arena, error);
    at = 0;
    add_identity(2 * n, 0, 0, rows, columns, values, &at);
    if (!status)
        status = matrices_compress(&d->states, 2 * n, at, rows, columns, values, arena, error);
    return status;
}

/* Of a pair the upper one, and of its shape the displacements. */
static routh_status matrices_take_over(routh_matrix_modes **modes, const routh_modes *from,
                                       int order, routh_error *error)
{
    const size_t n = (size_t)order;
    routh_matrix_modes *m = matrices_new_modes(from->n, order, 2);
    if (!m) return rt_fail_memory(error);
    m->n = 0;
    for (int k = 0; k < from->n; k++) {
        const routh_mode *mode = &from->modes[k];
        if (mode->eigenvalue[1] < 0) continue;
        double *shape = m->storage + 2 * n * (size_t)m->n;
        memcpy(shape, mode->shape, n * sizeof *shape);
        memcpy(shape + n, mode->shape + 2 * n, n * sizeof *shape);
        m->modes[m->n++] =
            (routh_matrix_mode){.eigenvalue = {mode->eigenvalue[0], mode->eigenvalue[1]},
                                .frequency_hz = mode->undamped_frequency_hz,
                                .damping_ratio = mode->damping_ratio,
                                .error_bound = mode->error_bound,
                                .rigid = mode->rigid,
                                .shape = shape};
    }
    m->shift = from->wanted.regions[0].shift[0];
    m->counted = from->wanted.regions[0].counted;
    for (int k = 1; k < from->wanted.n_regions; k++)
        if (from->wanted.regions[k].counted == ROUTH_COUNT_NONE) m->counted = ROUTH_COUNT_NONE;
    m->n_solves = from->wanted.n_solves;
    *modes = m;
    return ROUTH_OK;
}

static routh_status find_general(routh_matrix_modes **modes, const routh_matrices *m,
                                 const routh_matrix_request *r, rt_arena *arena, routh_error *error)
{
    routh_linear linear = {.n_position = m->n, .n_velocity = m->n, .n_states = 2 * m->n};
    routh_descriptor d = {.linear = &linear};
    routh_modes *found = NULL;
    if (r->between)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "all modes between two frequencies (--between) need symmetric matrices "
                       "without damping; request a number of modes instead (--wanted N)");
    const int count = r->count < m->n ? 2 * r->count : 2 * m->n;
    routh_status status = matrices_make_pencil(&d, m, arena, error);
    const double real[2] = {r->near, 0};
    const routh_selection_request wanted = {.count = count,
                                            .n_near = r->n_points ? r->n_points : 1,
                                            .near = r->n_points ? r->points : real,
                                            .uncounted = r->uncounted};
    if (!status) status = routh_modes_search(&found, &d, &wanted, error);
    if (!status) status = matrices_take_over(modes, found, m->n, error);
    routh_modes_free(found);
    return status;
}

/* ---- entry ---------------------------------------------------------------------------------- */

static routh_status matrices_check(const routh_matrices *m, const routh_matrix_request *r,
                                   routh_error *error)
{
    if (m->n < 1 || m->n > 500000000 || m->mass.n_columns != m->n ||
        m->stiffness.n_columns != m->n || (m->damping.n_rows && m->damping.n_columns != m->n))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "mass, stiffness and damping must be square matrices of the same order, "
                       "that of the mass matrix (%d)",
                       m->n);
    if (r->n_points && m->symmetric && !m->damping.n_rows)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "symmetric matrices without damping have no modes near complex numbers; "
                       "give one frequency in Hz (--near)");
    if (r->between || r->n_points || (r->count > 0 && isfinite(r->near))) return ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "%d modes near %g are requested; give a number of 1 or more (--wanted) and a "
                   "finite frequency (--near)",
                   r->count, r->near);
}

static routh_status matrices_find(routh_matrix_modes **modes, const routh_matrices *matrices,
                                  const routh_matrix_request *request, const routh_factors *factors,
                                  routh_error *error)
{
    const bool symmetric = matrices->symmetric && !matrices->damping.n_rows;
    rt_arena arena = {0};
    *modes = NULL;
    routh_status status = matrices_check(matrices, request, error);
    if (status) return status;
    if (factors && !symmetric)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "modes of large matrices by another factorization need symmetric matrices "
                       "without damping; leave out the factorization (--distributed)");
    status = symmetric ? find_symmetric(modes, matrices, request, factors, &arena, error)
                       : find_general(modes, matrices, request, &arena, error);
    rt_arena_free(&arena);
    return status;
}

routh_status routh_matrix_modes_compute(routh_matrix_modes **modes, const routh_matrices *matrices,
                                        const routh_matrix_request *request, routh_error *error)
{
    return matrices_find(modes, matrices, request, NULL, error);
}

routh_status routh_matrix_modes_compute_by(routh_matrix_modes **modes,
                                           const routh_matrices *matrices,
                                           const routh_matrix_request *request,
                                           const routh_factors *factors, routh_error *error)
{
    return matrices_find(modes, matrices, request, factors, error);
}
