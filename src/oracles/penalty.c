/* The penalty method (Gonzalez et al. 2017, Eqs. 11 to 18): multipliers in proportion to the
 * constraints' violation,
 *     lambda = lambda_0 + Xi (Phi'' + 2 xi omega Phi' + omega^2 Phi),   Xi = alpha m (G G')^-1,
 * which makes the equations ordinary ones, and their eigenvalues approximate. About a state of
 * rest all three levels are penalized; about a moving one positions and velocities keep to the
 * constraints and the accelerations are penalized.
 *
 * Every eigenvalue comes with a bound of its error, from the exact equations in the basis of the
 * penalized ones' modes. */
#include <float.h>
#include <stdlib.h>

#include "base/lapack.h"
#include "oracles/penalty.h"

enum { MOST_COLUMNS = 1000 };

/* ---- options -------------------------------------------------------------------------------- */

static routh_status check_option(const char *name, double *value, double usual, routh_error *error)
{
    if (*value == 0) *value = usual;
    if (*value > 0 && isfinite(*value)) return ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "%s of the penalty method must be a positive number (default %g), not %g", name,
                   usual, *value);
}

static routh_status penalty_check_options(rt_penalty_options *o, routh_error *error)
{
    routh_status status = check_option("alpha", &o->alpha, 1e6, error);
    if (!status) status = check_option("xi", &o->xi, 1, error);
    if (!status) status = check_option("omega", &o->omega, 10, error);
    return status;
}

/* ---- rest ----------------------------------------------------------------------------------- */

/* No velocities, and accelerations only as large as rounding makes them. */
static bool at_rest(const rt_penalty_space *p)
{
    const rt_search *s = p->s;
    for (int c = 0; c < p->n; c++)
        if (s->state->u[c] != 0) return false;
    memset(p->turned, 0, (size_t)p->n * sizeof(double));
    rt_sparse_multiply_add(&s->m->pattern_M, s->w->M, 1, s->state->udot, p->turned);
    double unbalanced = 0;
    for (int c = 0; c < p->n; c++) unbalanced = fmax(unbalanced, fabs(p->turned[c]) * s->unit[c]);
    return unbalanced <= 1e-11 * rt_largest_force(s);
}

/* ---- bounds --------------------------------------------------------------------------------- */

/* A = [0 1; A_SS A_SW] in units of its own: typical lengths, radians, 1/rate */
typedef struct penalty_scaled {
    const rt_penalty_space *p;
    const rt_states *states;
    double rate; /* 1/s */
} penalty_scaled;

static double penalty_length_of(const penalty_scaled *u, int i)
{
    return rt_candidate_size(u->p->s->m, u->states->user, u->states->candidate[i]);
}

static double find_rate(const penalty_scaled *u, const double *A_SS, const double *A_SW)
{
    double square = 0, rate = 0;
    for (int i = 0; i < u->p->z; i++)
        for (int j = 0; j < u->p->z; j++) {
            const double size = penalty_length_of(u, j) / penalty_length_of(u, i);
            square = fmax(square, fabs(A_SS[i * u->p->z + j]) * size);
            rate = fmax(rate, fabs(A_SW[i * u->p->z + j]) * size);
        }
    return fmax(rate, sqrt(square));
}

static void fill_scaled(const penalty_scaled *u, const double *A_SS, const double *A_SW, double *A)
{
    const size_t z = (size_t)u->p->z, n = 2 * z;
    memset(A, 0, n * n * sizeof *A);
    for (size_t i = 0; i < z; i++) {
        A[i + n * (z + i)] = 1;
        for (size_t j = 0; j < z; j++) {
            const double size = penalty_length_of(u, (int)j) / penalty_length_of(u, (int)i);
            A[z + i + n * j] = A_SS[i * z + j] * size / (u->rate * u->rate);
            A[z + i + n * (z + j)] = A_SW[i * z + j] * size / u->rate;
        }
    }
}

static double largest_scaled(const rt_penalty_space *p, const double *values)
{
    const rt_pattern *K = &p->s->m->pattern_K;
    double size = 0;
    for (int c = 0; c < p->n; c++)
        for (int e = K->start[c]; e < K->start[c + 1]; e++)
            size = fmax(size, fabs(values[e]) * p->s->unit[c] * p->s->unit[K->row[e]]);
    return size;
}

/* norm and reciprocal condition of a z x z matrix, which is destroyed */
static routh_status condition(int z, double *a, int *pivots, double *norm, double *rcond,
                              routh_error *error)
{
    *norm = 0;
    for (int k = 0; k < z; k++) {
        double sum = 0;
        for (int i = 0; i < z; i++) sum += fabs(a[i + (size_t)z * k]);
        *norm = fmax(*norm, sum);
    }
    const routh_status status = rt_lu_factor(z, a, pivots, error);
    return status ? status : rt_lu_rcond(z, a, *norm, rcond, error);
}

/* What rounding of M, D and K makes of an entry of the exact A: n eps cond(S_y) |M_yy^-1| |K|.
 * Where A is nothing but rounding it sets the unit of time. */
static routh_status find_doubt(penalty_scaled *u, rt_arena *arena, double *doubt,
                               routh_error *error)
{
    const rt_penalty_space *p = u->p;
    const int n = p->n, m = p->m, z = p->z;
    double *a = RT_TAKE(arena, double, (size_t)z *z), norm[2], rcond[2];
    int *pivots = RT_TAKE(arena, int, z);
    if (!a || !pivots) return rt_fail_memory(error);
    memcpy(a, p->Myy, (size_t)z * z * sizeof *a);
    routh_status status = condition(z, a, pivots, &norm[0], &rcond[0], error);
    for (int k = 0; k < z; k++)
        for (int i = 0; i < z; i++)
            a[i + (size_t)z * k] =
                p->state[i + (size_t)z * (m + k)] * p->s->m->length / penalty_length_of(u, i);
    if (!status) status = condition(z, a, pivots, &norm[1], &rcond[1], error);
    if (status) return status;
    const double rounding = n * DBL_EPSILON / rcond[1];
    const double square = rounding * largest_scaled(p, p->s->w->K) / (norm[0] * rcond[0]);
    const double rate = rounding * largest_scaled(p, p->s->w->D) / (norm[0] * rcond[0]);
    u->rate = fmax(u->rate, 1e3 * fmax(rate, sqrt(square)));
    if (u->rate == 0) u->rate = 1;
    *doubt = square / (u->rate * u->rate) + rate / u->rate + rounding * (1 + 1 / rcond[0]);
    return ROUTH_OK;
}

static double largest_difference(size_t n, const double *A, const double *B)
{
    double size = 0, difference = 0;
    for (size_t k = 0; k < n * n; k++) {
        size = fmax(size, fabs(B[k]));
        difference = fmax(difference, fabs(A[k] - B[k]));
    }
    return difference / size;
}

/* The exact equations, and how far their eigenvalues are from those found. pencil: NULL, none. */
static routh_status find_bounds(rt_penalty_space *p, const rt_method_task *task, const double *X,
                                const double *U, const rt_penalty_pencil *pencil, rt_arena *scratch,
                                rt_arena *arena, rt_sensitivity *out, routh_error *error)
{
    const size_t z = (size_t)p->z, n = 2 * z;
    penalty_scaled u = {p, task->states, 0};
    double *A_SS = RT_TAKE(scratch, double, z *z), *A_SW = RT_TAKE(scratch, double, z *z);
    double *A = RT_TAKE(scratch, double, n *n), *B = RT_TAKE(scratch, double, n *n);
    double doubt = 0;
    out->bound_re = RT_TAKE(arena, double, n);
    out->bound_im = RT_TAKE(arena, double, n);
    out->bound = RT_TAKE(arena, double, n);
    if (!A_SS || !A_SW || !A || !B || !out->bound_re || !out->bound_im || !out->bound)
        return rt_fail_memory(error);
    routh_status status = rt_penalty_accelerations(p, X, U, false, A_SS, A_SW, scratch, error);
    if (status) return status;
    u.rate = find_rate(&u, A_SS, A_SW);
    status = find_doubt(&u, scratch, &doubt, error);
    if (status) return status;
    fill_scaled(&u, out->A_SS, out->A_SW, A);
    fill_scaled(&u, A_SS, A_SW, B);
    out->error_estimate = fmax(largest_difference(n, A, B), DBL_EPSILON);
    out->n_bounds = (int)n;
    bool found = false;
    if (pencil)
        status = rt_penalty_modal_bounds(p, X, pencil, out->bound_re, out->bound_im, out->bound,
                                         &found, scratch, error);
    if (status || found) return status;
    status = rt_eigenvalue_bounds((int)n, A, B, (rt_penalty_doubt){.flat = doubt}, out->bound_re,
                                  out->bound_im, out->bound, error);
    if (status) return status;
    for (size_t k = 0; k < n; k++) {
        out->bound_re[k] *= u.rate;
        out->bound_im[k] *= u.rate;
        out->bound[k] *= u.rate;
    }
    return ROUTH_OK;
}

/* ---- putting it together -------------------------------------------------------------------- */

/* Mhat = X' M X */
static void penalty_reduced_mass(rt_penalty_space *p, rt_sensitivity *out)
{
    const size_t n = (size_t)p->n;
    for (int k = 0; k < p->z; k++) {
        memset(p->turned, 0, n * sizeof(double));
        rt_sparse_multiply_add(&p->s->m->pattern_M, p->s->w->M, 1, out->X + n * (size_t)k,
                               p->turned);
        for (int i = 0; i < p->z; i++) {
            double sum = 0;
            for (size_t c = 0; c < n; c++) sum += out->X[c + n * (size_t)i] * p->turned[c];
            out->Mhat[i * p->z + k] = sum;
        }
    }
}

/* The penalized equations about a state of rest. A true eigenvalue near a zero of p(s) mixes with
 * spurious ones; an omega that the user did not ask for is then replaced by others. */
static routh_status find_spectrum(rt_penalty_space *p, bool own_omega, rt_arena *scratch,
                                  rt_sensitivity *out, routh_error *error)
{
    static const double others[] = {3, 1. / 3, 10, 0.1};
    const double omega = p->options.omega;
    routh_error next;
    routh_status status = rt_penalty_spectrum(p, out, scratch, error);
    for (size_t k = 0; k < 4 && status == ROUTH_NUMERIC_ERROR && !own_omega; k++) {
        p->options.omega = omega * others[k];
        status = rt_penalty_spectrum(p, out, scratch, &next);
    }
    if (status && status != ROUTH_NUMERIC_ERROR && error) *error = next;
    return status;
}

static double *transposed(size_t z, const double *a, const double *b, rt_arena *arena)
{
    double *out = RT_TAKE(arena, double, z *z);
    for (size_t i = 0; out && i < z; i++)
        for (size_t k = 0; k < z; k++) out[k + z * i] = a[i + z * k] + (b ? b[i + z * k] : 0);
    return out;
}

/* The same from the pencil, A too, so that it is its own. */
static routh_status penalty_take_pencil(const rt_penalty_pencil *pencil, rt_sensitivity *out,
                                        rt_arena *arena, routh_error *error)
{
    const size_t z = (size_t)pencil->z;
    out->stiffness = transposed(z, pencil->K, pencil->dK, arena);
    out->damping = transposed(z, pencil->C, pencil->dC, arena);
    if (!out->stiffness || !out->damping) return rt_fail_memory(error);
    for (size_t i = 0; i < z; i++)
        for (size_t k = 0; k < z; k++) {
            out->Mhat[z * i + k] = pencil->M[i + z * k];
            out->A_SS[z * i + k] = pencil->T[i + z * k];
            out->A_SW[z * i + k] = pencil->T[i + z * (z + k)];
        }
    return ROUTH_OK;
}

static routh_status penalty_linearize(const rt_method_task *task, rt_arena *scratch,
                                      rt_arena *arena, rt_sensitivity *out, routh_error *error)
{
    rt_penalty_space p;
    const size_t size = (size_t)out->n * (size_t)out->z;
    double *X = RT_TAKE(scratch, double, size), *U = RT_TAKE(scratch, double, size);
    if (!X || !U) return rt_fail_memory(error);
    rt_method_task own = *task;
    routh_status status = penalty_check_options(&own.penalty, error);
    if (!status) status = rt_penalty_space_make(&p, &own, scratch, error);
    if (!status) status = rt_penalty_tangent(&p, X, U, scratch, error);
    if (status) return status;
    rt_penalty_pencil pencil;
    bool polished = false;
    if (at_rest(&p)) {
        status = rt_penalty_polish(&p, X, &pencil, out, &polished, scratch, error);
        if (!status && !polished)
            status = find_spectrum(&p, task->penalty.omega != 0, scratch, out, error);
    } else {
        memcpy(out->X, X, size * sizeof *X);
        memcpy(out->U, U, size * sizeof *U);
        status = rt_penalty_accelerations(&p, X, U, true, out->A_SS, out->A_SW, scratch, error);
    }
    if (!status && polished) status = penalty_take_pencil(&pencil, out, arena, error);
    if (!status && !polished) penalty_reduced_mass(&p, out);
    out->penalty = p.options;
    return status
               ? status
               : find_bounds(&p, task, X, U, polished ? &pencil : NULL, scratch, arena, out, error);
}

static routh_status penalty_run(const rt_method_task *task, rt_arena *arena, rt_sensitivity *out,
                                routh_error *error)
{
    const int n = task->search->m->n_u, z = task->states->z;
    if (task->whole)
        return rt_check_alone(task->search->m, true, "the penalty method is", RT_WHOLE_METHODS,
                              error);
    if (n > MOST_COLUMNS)
        return rt_fail(
            error, ROUTH_LIMIT_EXCEEDED,
            "the penalty method uses dense matrices for at most %d velocity variables, but this "
            "mechanism has %d; use --method augmented",
            MOST_COLUMNS, n);
    rt_arena scratch = {0};
    routh_status status = rt_sensitivity_take(out, n, z, arena, error);
    if (!status && z > 0) status = penalty_linearize(task, &scratch, arena, out, error);
    rt_arena_free(&scratch);
    return status;
}

const rt_method rt_method_penalty = {
    .name = "penalty",
    .about = "constraints with a penalty, approximate, with error bounds (Gonzalez et al.)",
    .run = penalty_run,
};
