/* Eigenvalues near a shift, of a descriptor system too large for full matrices.
 *
 * Arnoldi's iteration with OP = (A - s E)^-1 E. The infinite eigenvalues are zeros of OP, in chains
 * of three: the start vector is multiplied by OP before, and each vector found once more, which
 * takes their part out but for rounding. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers/order.h"
#include "answers/shape.h"
#include "answers/shifted_symmetric.h"
#include "base/arnoldi.h"
#include "routh/answers.h"

static const double TWO_PI = 6.283185307179586476925286766559;

/* OP larger than this is that of a shift that is an eigenvalue. */
static const double MOST_GROWTH = 1e12;

/* A pair is accepted up to this residual; rounding leaves some 1e-14. */
static const double WORST_RESIDUAL = 1e-9;

/* With an eigenvalue at the shift, shifts that are tried, as fractions of the typical rate. */
static const double ASIDE[] = {1e-3, 1e-5, 1e-1};

enum { MOST_RESTARTS = 200, FEWEST_VECTORS = 40, MORE_WANTED = 2, CHAIN = 3 };

/* A real eigenvalue, or one of a pair with positive imaginary part. Time in 1/rate. */
typedef struct candidate {
    double lambda[2];
    double distance; /* from near */
    double error;    /* of lambda, estimated */
    rt_pair_errors errors;
    double *re, *im; /* order; scaled y */
    bool rigid;
} candidate;

typedef struct search {
    rt_shifted pencil;
    const routh_eigensolver *solver; /* NULL: ARPACK over KLU */
    bool symmetric; /* the symmetric pencil, counted */
    bool whole;     /* pairs come with whole vectors, by the solver or by the symmetric pencil */
    double *solver_errors; /* of its nu */
    rt_arena arena;                  /* of one attempt */
    int count;
    double near, shift; /* in rates */
    candidate *found;
    int n_found; /* candidates; n_values eigenvalues */
    int n_values;
    int n_solves, n_restarts;
} search;

/* ---- one attempt ---------------------------------------------------------------------------- */

static double norm(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* Numbers without a pattern, then OP as often as a chain is long. *singular: OP is so large that
 * the shift is as good as an eigenvalue. */
static routh_status make_start(search *q, double *start, double *next, bool *singular,
                               routh_error *error)
{
    const int n = q->pencil.n;
    unsigned state = 1;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        start[i] = state / 4294967296.0 - 0.5;
    }
    for (int k = 0; k < CHAIN; k++) {
        const double before = norm(start, n);
        const routh_status status = rt_shifted_apply(&q->pencil, start, next, error);
        if (status) return status;
        const double size = norm(next, n);
        if (!(size <= MOST_GROWTH * before)) *singular = true;
        for (int i = 0; i < n; i++) start[i] = size > 0 ? next[i] / size : 0;
        q->n_solves++;
    }
    return ROUTH_OK;
}

static void choose_sizes(const search *q, int *wanted, int *basis)
{
    const int n = q->pencil.n, n_states = q->pencil.descriptor->linear->n_states;
    *wanted = q->count + MORE_WANTED;
    *basis = 2 * *wanted + 10;
    if (*wanted > n_states) *wanted = n_states;
    if (*wanted > n - 2) *wanted = n - 2;
    if (*basis < FEWEST_VECTORS) *basis = FEWEST_VECTORS;
}

/* a: found, re, im, and vectors of the whole order, purified */
static routh_status solve_elsewhere(search *q, rt_arnoldi *a, bool *singular, routh_error *error)
{
    routh_shift_invert p = {.n_coordinates = q->pencil.descriptor->n_coordinates,
                            .n_constraints = q->pencil.descriptor->n_constraints,
                            .order = q->pencil.order,
                            .start = q->pencil.pattern.start,
                            .row = q->pencil.pattern.row,
                            .E = q->pencil.E,
                            .A = q->pencil.A,
                            .shift = q->shift,
                            .most_restarts = MOST_RESTARTS};
    choose_sizes(q, &p.wanted, &p.basis);
    const size_t n = (size_t)p.wanted + 1;
    p.re = RT_TAKE(&q->arena, double, n);
    p.im = RT_TAKE(&q->arena, double, n);
    p.error = RT_TAKE(&q->arena, double, n);
    p.vectors = RT_TAKE(&q->arena, double, n *(size_t)p.order);
    if (!p.re || !p.im || !p.error || !p.vectors) return rt_fail_memory(error);
    const routh_status status = q->solver->solve(q->solver->context, &p, error);
    q->n_solves += p.n_solves;
    q->n_restarts += p.n_restarts;
    q->solver_errors = p.error;
    *singular = p.singular != 0;
    *a = (rt_arnoldi){.n = p.order, .found = p.found, .re = p.re, .im = p.im, .vectors = p.vectors};
    return status;
}

static routh_status iterate(search *q, rt_arnoldi *a, bool *singular, routh_error *error)
{
    const int n = q->pencil.n;
    double *start = RT_TAKE(&q->arena, double, n), *next = RT_TAKE(&q->arena, double, n);
    if (!start || !next) return rt_fail_memory(error);
    int wanted, basis;
    choose_sizes(q, &wanted, &basis);
    for (int attempt = 0; attempt < 2; attempt++, basis *= 2) {
        *a = (rt_arnoldi){.n = n,
                          .wanted = wanted,
                          .basis = basis < n ? basis : n,
                          .most_restarts = MOST_RESTARTS,
                          .apply = rt_shifted_apply,
                          .context = &q->pencil,
                          .start = start};
        routh_status status = make_start(q, start, next, singular, error);
        if (*singular) return status;
        if (!status) status = rt_arnoldi_solve(a, &q->arena, error);
        q->n_solves += a->n_applied;
        q->n_restarts += a->n_restarts;
        if (status || a->found >= wanted || basis >= n) return status;
    }
    return ROUTH_OK;
}

static routh_status solve_symmetric(search *q, rt_arnoldi *a, bool *singular, routh_error *error)
{
    int wanted, basis;
    choose_sizes(q, &wanted, &basis);
    *singular = false;
    const routh_status status =
        rt_shifted_symmetric_solve(&q->pencil, wanted, a, q->solver ? q->solver->factors : NULL,
                                   &q->shift, &q->solver_errors, &q->arena, error);
    q->n_solves += a->n_applied;
    q->n_restarts += a->n_restarts;
    return status;
}

/* y = OP x / nu with its multipliers, and |OP x - nu x| / |x| on (xi, du). x = re + i im, which
 * become OP x. */
static routh_status purify(search *q, const double nu[2], double *re, double *im, candidate *c,
                           double *error_of_nu, routh_error *error)
{
    const int n = q->pencil.n, order = q->pencil.order;
    double *out = RT_TAKE(&q->arena, double, 2 * (size_t)n);
    c->re = RT_TAKE(&q->arena, double, order);
    c->im = RT_TAKE(&q->arena, double, order);
    if (!out || !c->re || !c->im) return rt_fail_memory(error);
    routh_status status = rt_shifted_apply(&q->pencil, re, out, error);
    memcpy(c->re, q->pencil.full, (size_t)order * sizeof(double));
    if (!status && nu[1] != 0) {
        status = rt_shifted_apply(&q->pencil, im, out + n, error);
        memcpy(c->im, q->pencil.full, (size_t)order * sizeof(double));
    }
    q->n_solves += nu[1] != 0 ? 2 : 1;
    double off = 0, size = 0;
    for (int i = 0; i < n; i++) {
        const double x = re[i], y = nu[1] != 0 ? im[i] : 0;
        off += pow(c->re[i] - nu[0] * x + nu[1] * y, 2) + pow(c->im[i] - nu[0] * y - nu[1] * x, 2);
        size += x * x + y * y;
    }
    *error_of_nu = sqrt(off / size);
    const double by = nu[0] * nu[0] + nu[1] * nu[1];
    for (int i = 0; i < order; i++) {
        const double x = c->re[i], y = c->im[i];
        c->re[i] = (nu[0] * x + nu[1] * y) / by;
        c->im[i] = (nu[0] * y - nu[1] * x) / by;
    }
    return status;
}

/* du = lambda xi, exactly: rounding of the solution, which is large where the pencil is stiff, is
 * then in the balance of forces alone. */
static void set_rates(const search *q, candidate *c)
{
    const int n = q->pencil.n / 2;
    for (int k = 0; k < n; k++) {
        c->re[n + k] = c->lambda[0] * c->re[k] - c->lambda[1] * c->im[k];
        c->im[n + k] = c->lambda[0] * c->im[k] + c->lambda[1] * c->re[k];
    }
}

/* lambda = s + 1 / nu; d lambda = d nu / nu^2. An operator of norm 1 / nu_max brings eps nu_max. */
static routh_status examine(search *q, const rt_arnoldi *a, int k, double largest, candidate *c,
                            routh_error *error)
{
    const double nu[2] = {a->re[k], a->im[k]}, by = nu[0] * nu[0] + nu[1] * nu[1];
    double *re = a->vectors + (size_t)a->n * (size_t)k, *im = re + a->n, error_of_nu = 0;
    *c = (candidate){.lambda = {q->shift + nu[0] / by, -nu[1] / by}};
    if (q->whole) {
        c->re = re;
        c->im = nu[1] != 0 ? im : RT_TAKE(&q->arena, double, q->pencil.order);
        error_of_nu = q->solver_errors[k];
    }
    routh_status status = ROUTH_OK;
    if (!q->whole) status = purify(q, nu, re, im, c, &error_of_nu, error);
    if (!status && !c->im) status = rt_fail_memory(error);
    if (status) return status;
    if (c->lambda[1] < 0) { /* of the pair the one above */
        c->lambda[1] = -c->lambda[1];
        for (int i = 0; i < q->pencil.order; i++) c->im[i] = -c->im[i];
    }
    set_rates(q, c);
    c->distance = hypot(c->lambda[0] - q->near, c->lambda[1]);
    /* without the condition rounding is known in part only: no better than a pair is accepted */
    c->error = fmax((error_of_nu + 8 * DBL_EPSILON * largest) / by,
                    WORST_RESIDUAL * hypot(c->lambda[0], c->lambda[1]));
    c->errors = rt_shifted_errors(&q->pencil, c->lambda, c->re, c->im);
    return ROUTH_OK;
}

static int nearest_first(const void *a, const void *b)
{
    const double x = ((const candidate *)a)->distance, y = ((const candidate *)b)->distance;
    return (x > y) - (x < y);
}

static int values_of(const candidate *c) { return c->lambda[1] != 0 ? 2 : 1; }

/* All that converged about q->shift, nearest first, no more than were wanted. */
static routh_status collect(search *q, const rt_arnoldi *a, routh_error *error)
{
    double largest = 0;
    q->found = RT_TAKE(&q->arena, candidate, a->found);
    q->n_found = q->n_values = 0;
    if (!q->found) return rt_fail_memory(error);
    for (int k = 0; k < a->found; k++) largest = fmax(largest, hypot(a->re[k], a->im[k]));
    for (int k = 0; k < a->found; k += a->im[k] != 0 ? 2 : 1) {
        if (a->im[k] != 0 && k + 1 == a->found) break; /* half a pair */
        const routh_status status = examine(q, a, k, largest, &q->found[q->n_found++], error);
        if (status) return status;
    }
    qsort(q->found, (size_t)q->n_found, sizeof *q->found, nearest_first);
    int n = 0;
    for (; n < q->n_found && q->n_values < q->count; n++) q->n_values += values_of(&q->found[n]);
    q->n_found = n;
    return ROUTH_OK;
}

/* Zeros: far nearer to 0 than the shift is, and a balance without any motion. Rounding tears a
 * double zero into +-1e-8 or so; zero itself, with du = 0, solves the equations far better. */
static void tell_rigid(search *q)
{
    for (int k = 0; k < q->n_found; k++) {
        candidate *c = &q->found[k];
        const double size = hypot(c->lambda[0], c->lambda[1]);
        if (size > 1e-4 * fabs(q->shift) || !(c->errors.balance <= WORST_RESIDUAL)) continue;
        c->rigid = true;
        c->errors.residual = fmax(c->errors.balance, c->errors.violation);
        for (int i = q->pencil.n / 2; i < q->pencil.n; i++) c->re[i] = c->im[i] = 0;
    }
}

static routh_status attempt(search *q, double shift, bool *singular, routh_error *error)
{
    rt_arnoldi a;
    rt_arena_free(&q->arena);
    q->shift = shift;
    q->n_found = q->n_values = 0;
    routh_status status = q->symmetric ? solve_symmetric(q, &a, singular, error)
                          : q->solver  ? solve_elsewhere(q, &a, singular, error)
                                       : rt_shifted_factor(&q->pencil, shift, singular, error);
    if (!q->whole && !status && !*singular) status = iterate(q, &a, singular, error);
    if (status || *singular) return status;
    status = collect(q, &a, error);
    if (!status) tell_rigid(q);
    return status;
}

/* ---- the shift ------------------------------------------------------------------------------ */

/* The smallest eigenvalue found that is not a zero; 0 where there is none. */
static double lowest(const search *q)
{
    double least = 0;
    for (int k = 0; k < q->n_found; k++) {
        const double size = hypot(q->found[k].lambda[0], q->found[k].lambda[1]);
        if (!q->found[k].rigid && (least == 0 || size < least)) least = size;
    }
    return least;
}

static bool good(const search *q)
{
    for (int k = 0; k < q->n_found; k++)
        if (!(q->found[k].errors.residual <= WORST_RESIDUAL)) return false;
    return q->n_values >= q->count;
}

/* With zero eigenvalues the shift 0 does not do. One is taken beside it, and then another, by what
 * the first has found: a shift too near makes the others inaccurate, one too far slow. */
static routh_status attempt_beside_zero(search *q, routh_error *error)
{
    bool singular = true;
    for (size_t k = 0; k < sizeof ASIDE / sizeof *ASIDE; k++) {
        const routh_status status = attempt(q, ASIDE[k], &singular, error);
        if (status || (!singular && good(q))) {
            const double least = lowest(q);
            if (status || least == 0 || (q->shift < least && q->shift > 0.05 * least))
                return status;
            return attempt(q, 0.5 * least, &singular, error);
        }
    }
    return ROUTH_OK;
}

static routh_status solve(search *q, routh_error *error)
{
    bool singular;
    const routh_status status = attempt(q, q->near, &singular, error);
    if (status || q->symmetric || (!singular && good(q))) return status;
    if (q->near == 0) return attempt_beside_zero(q, error);
    return singular ? attempt(q, q->near * (1 + 1e-3), &singular, error) : ROUTH_OK;
}

/* ---- checks --------------------------------------------------------------------------------- */

static routh_status check_arguments(const routh_descriptor *d, int count, double near,
                                    routh_error *error)
{
    const int order = 2 * d->n_coordinates + d->n_constraints;
    if (d->E.n_columns != order || d->A.n_columns != order || !d->linear ||
        d->states.n_columns != order || d->states.n_rows != d->linear->n_states)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a descriptor of %d coordinates and %d constraints needs square matrices of "
                       "order %d and the rows of its states",
                       d->n_coordinates, d->n_constraints, order);
    if (count < 1 || !isfinite(near))
        return rt_fail(
            error, ROUTH_BAD_ARGUMENT,
            "%d eigenvalues near %g: the number must be 1 or more, and what they are near "
            "finite",
            count, near);
    if (count <= d->linear->n_states) return ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "%d eigenvalues are wanted, but the mechanism has %d: ask for that many at most",
                   count, d->linear->n_states);
}

static routh_status check_answers(const search *q, routh_error *error)
{
    const double rate = q->pencil.rate;
    if (q->n_values < q->count)
        return rt_fail(
            error, ROUTH_NUMERIC_ERROR,
            "of %d eigenvalues wanted near %g 1/s, %d converged within %d solves: ask for "
            "more or for fewer (--wanted), or nearer to where they lie (--near)",
            q->count, q->near * rate, q->n_values, q->n_solves);
    for (int k = 0; k < q->n_found; k++) {
        const candidate *c = &q->found[k];
        if (c->errors.residual <= WORST_RESIDUAL) continue;
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "the eigenvalue %.6g %+.6gi 1/s found near %g 1/s leaves a residual of %.1e "
                       "in the equations and %.1e in the constraints: ask for fewer (--wanted), or "
                       "nearer to where they lie (--near)",
                       c->lambda[0] * rate, c->lambda[1] * rate, q->near * rate, c->errors.residual,
                       c->errors.violation);
    }
    return ROUTH_OK;
}

/* ---- modes ---------------------------------------------------------------------------------- */

/* (S, W) of y = scale * scaled y */
static void states_of(const search *q, const double *scaled, double *out)
{
    const routh_sparse *T = &q->pencil.descriptor->states;
    memset(out, 0, (size_t)T->n_rows * sizeof *out);
    for (int c = 0; c < T->n_columns; c++)
        for (int e = T->start[c]; e < T->start[c + 1]; e++)
            out[T->row[e]] += T->value[e] * q->pencil.scale[c] * scaled[c];
}

static void fill_mode(const search *q, const candidate *c, int sign, routh_mode *mode)
{
    const double rate = q->pencil.rate, lambda[2] = {c->rigid ? 0 : rate * c->lambda[0],
                                                     c->rigid ? 0 : sign * rate * c->lambda[1]};
    const double size = hypot(lambda[0], lambda[1]);
    mode->eigenvalue[0] = lambda[0], mode->eigenvalue[1] = lambda[1];
    mode->undamped_frequency_hz = size / TWO_PI;
    mode->damped_frequency_hz = fabs(lambda[1]) / TWO_PI;
    mode->damping_ratio = size > 0 ? -lambda[0] / size : 0;
    mode->condition = NAN;
    mode->error_bound = c->rigid ? 0 : rate * c->error;
    mode->rigid = c->rigid;
    mode->residual = c->errors.residual;
}

static void fill_modes(const search *q, routh_modes *m)
{
    const routh_linear *linear = q->pencil.descriptor->linear;
    const size_t n = (size_t)linear->n_states;
    int at = 0;
    for (int k = 0; k < q->n_found; k++) {
        const candidate *c = &q->found[k];
        const int n_values = values_of(c);
        double *shape = m->storage + 2 * n * (size_t)at;
        states_of(q, c->re, shape);
        states_of(q, c->im, shape + n);
        rt_shape_normalise(linear, shape, shape + n);
        for (int i = 0; i < n_values; i++) {
            fill_mode(q, c, i ? -1 : 1, &m->modes[at + i]);
            m->modes[at + i].shape = shape + 2 * n * (size_t)i;
            m->modes[at + i].conjugate = c->rigid || n_values == 1 ? at + i : at + 1 - i;
        }
        if (n_values == 2) {
            memcpy(shape + 2 * n, shape, n * sizeof *shape);
            for (size_t i = 0; i < n; i++) shape[3 * n + i] = -shape[n + i];
        }
        m->n_zero += c->rigid ? n_values : 0;
        m->wanted.violation = fmax(m->wanted.violation, c->errors.violation);
        at += n_values;
    }
}

static routh_status make_modes(const search *q, routh_modes **modes, routh_error *error)
{
    const size_t n = (size_t)q->n_values, n_states = (size_t)q->pencil.descriptor->linear->n_states;
    routh_modes *m = calloc(1, sizeof *m);
    routh_mode *scratch = malloc((n + 1) * sizeof *scratch);
    int *places = malloc((2 * n + 1) * sizeof *places);
    if (m) {
        m->n = q->n_values;
        m->modes = calloc(n + 1, sizeof *m->modes);
        m->storage = calloc(2 * n * n_states + 1, sizeof *m->storage);
    }
    const bool ok = m && scratch && places && m->modes && m->storage;
    if (ok) {
        m->wanted = (routh_wanted){.count = q->count,
                                   .near = q->near * q->pencil.rate,
                                   .shift = q->shift * q->pencil.rate,
                                   .n_solves = q->n_solves,
                                   .n_restarts = q->n_restarts};
        fill_modes(q, m);
        rt_order_modes(m->n, m->modes, scratch, places);
    } else
        routh_modes_free(m);
    free(scratch);
    free(places);
    *modes = ok ? m : NULL;
    return ok ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status find_modes(routh_modes **modes, const routh_descriptor *descriptor, int count,
                               double near, const routh_eigensolver *solver, routh_error *error)
{
    *modes = NULL;
    search q = {.count = count, .solver = solver};
    routh_status status = check_arguments(descriptor, count, near, error);
    if (!status)
        status = rt_shifted_create(&q.pencil, descriptor, error);
    if (status) return status;
    q.near = near / q.pencil.rate;
    q.symmetric = (!solver || solver->factors) && near == 0 && rt_shifted_is_symmetric(&q.pencil);
    q.whole = solver || q.symmetric;
    if (!q.whole) status = rt_shifted_make_operator(&q.pencil, error);
    if (!status)
        status = solve(&q, error);
    if (!status) status = check_answers(&q, error);
    if (!status) status = make_modes(&q, modes, error);
    rt_arena_free(&q.arena);
    rt_shifted_free(&q.pencil);
    return status;
}

routh_status routh_modes_wanted(routh_modes **modes, const routh_descriptor *descriptor, int count,
                                double near, routh_error *error)
{
    return find_modes(modes, descriptor, count, near, NULL, error);
}

routh_status routh_modes_wanted_by(routh_modes **modes, const routh_descriptor *descriptor,
                                   int count, double near, const routh_eigensolver *solver,
                                   routh_error *error)
{
    *modes = NULL;
    if (!solver || !solver->solve)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "eigenvalues wanted of another solver need one: its solve is NULL");
    return find_modes(modes, descriptor, count, near, solver, error);
}
