#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/eigenvalue.h"
#include "base/identity.h"
#include "answers/clusters.h"
#include "answers/extended_spectrum.h"
#include "answers/order.h"
#include "answers/participation.h"
#include "answers/refine.h"
#include "answers/repeated.h"
#include "answers/shape.h"
#include "answers/modes_kept.h"
#include "answers/zeros.h"
#include "base/lapack.h"
#include "routh/answers.h"

static routh_modes *modes_new(const routh_linear *linear, rt_analyses *analyses)
{
    const int n = linear->n_states;
    const size_t size = (size_t)n;
    routh_modes *m = rt_kept_calloc(analyses, 1, sizeof *m);
    if (!m) return NULL;
    m->n = n;
    m->of = rt_identity_of_linear(linear);
    m->origin = linear->origin;
    m->modes = rt_kept_calloc(analyses, size + 1, sizeof *m->modes);
    m->storage = rt_kept_calloc(analyses, 2 * size * size + 1, sizeof *m->storage);
    for (int k = 0; m->modes && k < n; k++) m->modes[k].n_states = n;
    if (m->modes && m->storage) return m;
    routh_modes_free(m);
    return NULL;
}

void routh_modes_free(routh_modes *modes)
{
    if (!modes) return;
    rt_kept_free(modes->modes);
    rt_kept_free(modes->storage);
    rt_kept_free(modes->wanted.regions);
    rt_kept_free(modes);
}

static double *modes_shape_of(routh_modes *m, int k)
{
    return m->storage + 2 * (size_t)m->n * (size_t)k;
}

/* Everything that follows from the eigenvalue alone. */
static void modes_describe(routh_mode *mode, double re, double im)
{
    mode->eigenvalue[0] = re, mode->eigenvalue[1] = im;
    mode->undamped_frequency_hz = rt_undamped_hz(mode->eigenvalue);
    mode->damped_frequency_hz = rt_damped_hz(mode->eigenvalue);
    mode->damping_ratio = rt_damping_ratio(mode->eigenvalue);
}

static int modes_n_motion(const routh_linear *linear)
{
    return linear->n_position + linear->n_velocity;
}

static routh_status fill_zeros(routh_modes *m, const routh_linear *linear, const rt_zeros *z,
                               routh_error *error)
{
    rt_arena scratch = {.kept = z->arena.kept};
    double bound = 0;
    routh_status status = rt_zeros_bound(z, &bound, &scratch, error);
    rt_arena_free(&scratch);
    if (status) return status;
    for (int k = 0; k < z->n_zero; k++) {
        double *shape = modes_shape_of(m, k);
        modes_describe(&m->modes[k], 0, 0);
        m->modes[k].rigid = 1;
        m->modes[k].condition = 1;
        m->modes[k].error_bound = bound;
        m->modes[k].conjugate = k;
        m->modes[k].shape = shape;
        rt_zeros_vector(z, k, shape);
        rt_shape_still(linear, z->scale, shape, shape + m->n);
        rt_shape_normalise(linear, shape, shape + m->n);
    }
    if (linear->n_control == 0 || z->n_zero == 0) return ROUTH_OK;
    double *share = rt_kept_malloc(z->arena.kept, (size_t)z->n_zero * sizeof *share);
    status = share ? rt_control_shares_of_zeros(z, modes_n_motion(linear), share, error)
                   : rt_fail_memory(error);
    for (int k = 0; k < z->n_zero && !status; k++) m->modes[k].control = share[k];
    rt_kept_free(share);
    return status;
}

/* The share of the controllers' states in eigenvalue k, of which x is the right vector. room: 2 n
 * numbers. */
static double control_share(const routh_linear *linear, const rt_zeros *z, const rt_eigen *e, int k,
                            const double *x, double *room)
{
    if (linear->n_control == 0) return 0;
    const size_t n = (size_t)z->n, left = (size_t)z->n_left;
    const double *w = e->left + left * (size_t)k, *w_im = e->im[k] != 0 ? w + left : NULL;
    rt_zeros_lift_left(z, w, w_im, room, room + n);
    return rt_control_share(z->n, modes_n_motion(linear), (const double *[]){x, x + n},
                            (const double *[]){room, w_im ? room + n : NULL});
}

/* One real eigenvalue, or the pair k, k + 1 of which k has the positive imaginary part. */
static void fill_pair(routh_modes *m, const routh_linear *linear, const rt_zeros *z,
                      const rt_eigen *e, const rt_refined *refined, int k, double bound,
                      int defective, double *room)
{
    const double lambda[2] = {e->re[k], e->im[k]};
    const size_t n = (size_t)m->n, left = (size_t)z->n_left;
    const int first = z->n_zero + k, is_pair = e->im[k] != 0;
    double *shape = modes_shape_of(m, first);
    const double *w = e->right + left * (size_t)k;
    if (refined->is[k]) {
        memcpy(shape, refined->right + n * (size_t)k, (is_pair ? 2 : 1) * n * sizeof *shape);
    } else {
        rt_zeros_lift(z, lambda, w, is_pair ? w + left : NULL, shape, shape + n);
    }
    const double control = control_share(linear, z, e, k, shape, room);
    rt_shape_still(linear, z->scale, shape, shape + n);
    rt_shape_normalise(linear, shape, shape + n);
    for (int c = 0; c <= is_pair; c++) {
        routh_mode *mode = &m->modes[first + c];
        modes_describe(mode, lambda[0], c ? -lambda[1] : lambda[1]);
        mode->condition = fmin(fmax(1 / e->rcond[k], 1), 1 / DBL_EPSILON);
        mode->error_bound = bound;
        mode->defective = defective;
        mode->control = control;
        mode->conjugate = is_pair ? first + 1 - c : first;
        mode->shape = modes_shape_of(m, first + c);
    }
    if (!is_pair) return;
    memcpy(shape + 2 * n, shape, n * sizeof *shape);
    for (size_t i = 0; i < n; i++) shape[3 * n + i] = -shape[n + i];
}

static routh_status allocate(rt_eigen *e, double **copy, double **bounds, int n, rt_arena *arena,
                             routh_error *error)
{
    const size_t size = (size_t)n * (size_t)n;
    *e = (rt_eigen){RT_TAKE(arena, double, n),    RT_TAKE(arena, double, n),
                    RT_TAKE(arena, double, size), RT_TAKE(arena, double, size),
                    RT_TAKE(arena, double, n),    0};
    *copy = RT_TAKE(arena, double, size);
    *bounds = RT_TAKE(arena, double, n);
    const int ok = e->re && e->im && e->left && e->right && e->rcond && *copy && *bounds;
    return ok ? ROUTH_OK : rt_fail_memory(error);
}

/* |dA|, which rounding makes about sqrt(n) eps |A|. */
static double modes_rounding_of(const rt_eigen *e, int n)
{
    return sqrt(n) * DBL_EPSILON * e->norm;
}

/* The error of an eigenvalue is at most |dA| times its condition, to first order. */
static void estimate_errors(const rt_eigen *e, int n, double *bounds)
{
    for (int k = 0; k < n; k++) {
        const double condition = fmin(1 / e->rcond[k], 1 / DBL_EPSILON);
        bounds[k] = modes_rounding_of(e, n) * fmax(condition, 1);
    }
}

/* The norm of the errors of B, balanced as conditions are told. */
static routh_status modes_size_of_errors(const rt_zeros *z, double *size, rt_arena *arena,
                                         routh_error *error)
{
    const size_t n = (size_t)z->n_left;
    double *copy = RT_TAKE(arena, double, n *n), *scale = RT_TAKE(arena, double, n), square = 0;
    if (!copy || !scale) return rt_fail_memory(error);
    memcpy(copy, z->B, n * n * sizeof *copy);
    const routh_status status = rt_balance_scales(z->n_left, copy, scale, error);
    for (size_t j = 0; j < n && !status; j++)
        for (size_t i = 0; i < n; i++) {
            const double e = z->B_error[i + n * j] * scale[j] / scale[i];
            square += e * e;
        }
    *size = sqrt(square);
    return status;
}

/* bounds += what the errors of B do: to first order, or where that means nothing what they make of
 * a cluster (clusters.h), whichever is less. */
static routh_status modes_add_errors(const rt_zeros *z, const rt_eigen *e, const double *noise,
                                     double *bounds, rt_arena *arena, routh_error *error)
{
    const int n = z->n_left;
    double *of_cluster = RT_TAKE(arena, double, n), size = 0;
    int *defective = RT_TAKE(arena, int, n);
    if (!of_cluster || !defective) return rt_fail_memory(error);
    routh_status status = modes_size_of_errors(z, &size, arena, error);
    size = fmax(size, modes_rounding_of(e, n)); /* of the Schur form that tells of clusters */
    for (int k = 0; k < n && !status; k++) of_cluster[k] = size / e->rcond[k];
    if (!status) status = rt_cluster_bounds(n, z->B, e, size, of_cluster, defective, arena, error);
    for (int k = 0; k < n && !status; k++)
        bounds[k] += defective[k] ? fmin(noise[k], of_cluster[k]) : noise[k];
    return status;
}

/* The same where B is known in doubles only: what the samples may do to a matrix of its norm. */
static routh_status modes_add_unknown(const rt_zeros *z, const rt_eigen *e, double *bounds,
                                      rt_arena *arena, routh_error *error)
{
    const int n = z->n_left;
    const double size = fmax(z->unknown, modes_rounding_of(e, n));
    double *off = RT_TAKE(arena, double, n);
    int *defective = RT_TAKE(arena, int, n);
    if (!off || !defective) return rt_fail_memory(error);
    for (int k = 0; k < n; k++) off[k] = size / e->rcond[k];
    const routh_status status = rt_cluster_bounds(n, z->B, e, size, off, defective, arena, error);
    for (int k = 0; k < n && !status; k++) bounds[k] += off[k];
    return status;
}

/* And what was taken as zero. */
static routh_status modes_add_left_out(const rt_zeros *z, const rt_eigen *e, double *bounds,
                                       rt_arena *arena, routh_error *error)
{
    double *left_out = RT_TAKE(arena, double, z->n_left);
    if (!left_out) return rt_fail_memory(error);
    const routh_status status = rt_zeros_left_out(z, e, left_out, arena, error);
    for (int k = 0; k < z->n_left && !status; k++) bounds[k] += left_out[k];
    return status;
}

/* And what rounding did where they were split off. */
static routh_status modes_add_rounding_of_stages(const rt_zeros *z, const rt_eigen *e,
                                                 double *bounds, rt_arena *arena,
                                                 routh_error *error)
{
    double *rounding = RT_TAKE(arena, double, z->n_left);
    if (!rounding) return rt_fail_memory(error);
    const routh_status status = rt_zeros_rounding_of_stages(z, e, rounding, arena, error);
    for (int k = 0; k < z->n_left && !status; k++) bounds[k] += rounding[k];
    return status;
}

static routh_status none_refined(rt_refined *refined, int n, rt_arena *arena, routh_error *error)
{
    *refined = (rt_refined){.is = RT_TAKE(arena, bool, n)};
    return refined->is ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status fill_others(routh_modes *m, const routh_linear *linear, const rt_zeros *z,
                                routh_error *error)
{
    const int n = z->n_left;
    rt_arena arena = {.kept = z->arena.kept};
    rt_eigen e;
    rt_refined refined;
    int *defective = RT_TAKE(&arena, int, n + 1);
    double *copy, *bounds, *room = RT_TAKE(&arena, double, 2 * (size_t)m->n);
    routh_status status = room && defective ? ROUTH_OK : rt_fail_memory(error);
    if (!status) status = allocate(&e, &copy, &bounds, n, &arena, error);
    if (!status) {
        memcpy(copy, z->B, (size_t)n * (size_t)n * sizeof *copy);
        status = rt_general_eigen_kept(n, copy, &e, arena.kept, error);
    }
    if (!status) {
        estimate_errors(&e, n, bounds);
        status = rt_cluster_bounds(n, z->B, &e, modes_rounding_of(&e, n), bounds, defective, &arena,
                                   error);
    }
    if (!status && !z->B_rest) status = modes_add_rounding_of_stages(z, &e, bounds, &arena, error);
    if (!status) {
        status = rt_separate_repeated(n, z->B, &e, bounds, &arena, error);
    }
    bool known = false;
    double *noise = RT_TAKE(&arena, double, n);
    if (!status && !noise) status = rt_fail_memory(error);
    if (!status && z->B_rest) status = rt_extended_eigen(z, &e, bounds, noise, &known, error);
    if (!status && known) status = modes_add_errors(z, &e, noise, bounds, &arena, error);
    /* else B was rounded to doubles, and vectors are none to refine by: at most four times what
     * rounding usually does */
    for (int k = 0; k < n && !status && z->B_rest && !known; k++) bounds[k] *= 4;
    if (!status)
        status = known ? none_refined(&refined, n, &arena, error)
                       : rt_refine(z, linear, &e, bounds, &refined, &arena, error);
    if (!status && z->unknown > 0) status = modes_add_unknown(z, &e, bounds, &arena, error);
    if (!status && !z->B_rest) status = modes_add_left_out(z, &e, bounds, &arena, error);
    for (int k = 0; !status && k < n; k += e.im[k] != 0 ? 2 : 1)
        fill_pair(m, linear, z, &e, &refined, k, bounds[k], defective[k], room);
    rt_arena_free(&arena);
    return status;
}

/* What the method's own error adds: the bound of the nearest eigenvalue that has one, and the
 * distance to it. */
static void add_method_bounds(routh_modes *m, const routh_linear *linear)
{
    for (int k = 0; k < m->n && linear->n_bounds > 0; k++) {
        routh_mode *mode = &m->modes[k];
        double best = INFINITY, bound = 0;
        for (int i = 0; i < linear->n_bounds; i++) {
            const double distance = hypot(mode->eigenvalue[0] - linear->bound_re[i],
                                          mode->eigenvalue[1] - linear->bound_im[i]);
            if (distance < best) best = distance, bound = linear->bound[i];
        }
        mode->error_bound += best + bound;
    }
}

static routh_status modes_order(routh_modes *m, rt_analyses *analyses, routh_error *error)
{
    routh_mode *scratch = rt_kept_malloc(analyses, ((size_t)m->n + 1) * sizeof *scratch);
    int *places = rt_kept_malloc(analyses, (2 * (size_t)m->n + 1) * sizeof *places);
    const int ok = scratch && places;
    if (ok) rt_order_modes(m->n, m->modes, scratch, places);
    rt_kept_free(scratch), rt_kept_free(places);
    return ok ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status modes_check(const routh_linear *linear, routh_error *error)
{
    const int n = linear->n_states;
    const int z0 = linear->n_position, z1 = linear->n_velocity, x = linear->n_control;
    if (z0 < 0 || z1 < 0 || x < 0 || n != z0 + z1 + x || (n && !linear->A))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a linear model of %d states (%d positions, %d velocities, %d of "
                       "controllers): the numbers must add up and the state matrix must be there",
                       n, z0, z1, x);
    return ROUTH_OK;
}

routh_status routh_modes_compute(routh_modes **modes, const routh_linear *linear,
                                 routh_error *error)
{
    return rt_modes_compute_kept(modes, linear, NULL, error);
}

routh_status rt_modes_compute_kept(routh_modes **modes, const routh_linear *linear,
                                   rt_analyses *analyses, routh_error *error)
{
    *modes = NULL;
    routh_status status = modes_check(linear, error);
    if (status) return status;
    rt_zeros z;
    status = rt_zeros_split(&z, linear, analyses, error);
    if (status) return status;
    routh_modes *m = modes_new(linear, analyses);
    status = m ? ROUTH_OK : rt_fail_memory(error);
    if (!status) {
        m->n_zero = z.n_zero;
        m->zero_margin = z.margin, m->zero_margin_sure = z.sure;
        status = fill_zeros(m, linear, &z, error);
    }
    if (!status) {
        status = fill_others(m, linear, &z, error);
    }
    if (!status) add_method_bounds(m, linear);
    if (!status) status = modes_order(m, analyses, error);
    rt_zeros_free(&z);
    if (status)
        routh_modes_free(m);
    else
        *modes = m;
    return status;
}

int routh_modes_in_doubt(const routh_modes *modes)
{
    double least = INFINITY, of_zeros = 0;
    if (!modes || modes->wanted.n_regions) return 0;
    if (modes->zero_margin > modes->zero_margin_sure) return 1;
    for (int k = 0; k < modes->n; k++) {
        const routh_mode *mode = &modes->modes[k];
        const double size = hypot(mode->eigenvalue[0], mode->eigenvalue[1]);
        if (mode->rigid) {
            of_zeros = fmax(of_zeros, mode->error_bound);
            continue;
        }
        if (mode->error_bound >= size) return 1;
        least = fmin(least, size);
    }
    return of_zeros >= least;
}
