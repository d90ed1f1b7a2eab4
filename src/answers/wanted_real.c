/* Eigenvalues near a real shift: Arnoldi's iteration with OP = (A - s E)^-1 E. The infinite
 * eigenvalues are zeros of OP, in chains of three: the start vector is multiplied by OP before, and
 * each vector found once more, which takes their part out but for rounding. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "answers/wanted_parts.h"
#include "base/arnoldi.h"

/* With an eigenvalue at the shift, shifts that are tried, as fractions of the typical rate. */
static const double ASIDE[] = {1e-3, 1e-5, 1e-1};

enum { FEWEST_VECTORS = 40, MORE_WANTED = 4 };

/* ---- one attempt ---------------------------------------------------------------------------- */

static double wanted_real_norm(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* Numbers without a pattern, then OP as often as a chain is long. *singular: OP is so large that
 * the shift is as good as an eigenvalue. */
static routh_status make_start(rt_wanted_search *q, double *start, double *next, bool *singular,
                               routh_error *error)
{
    const int n = q->pencil->n;
    unsigned state = 1;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        start[i] = state / 4294967296.0 - 0.5;
    }
    for (int k = 0; k < RT_CHAIN; k++) {
        const double before = wanted_real_norm(start, n);
        const routh_status status = rt_shifted_apply(q->pencil, start, next, error);
        if (status) return status;
        const double size = wanted_real_norm(next, n);
        if (!(size <= RT_MOST_GROWTH * before)) *singular = true;
        for (int i = 0; i < n; i++) start[i] = size > 0 ? next[i] / size : 0;
        q->n_solves++;
    }
    return ROUTH_OK;
}

static void choose_sizes(const rt_wanted_search *q, int *wanted, int *basis)
{
    const int n = q->pencil->n, n_states = q->pencil->descriptor->linear->n_states;
    *wanted = q->count + MORE_WANTED;
    *basis = 2 * *wanted + 10;
    if (*wanted > n_states) *wanted = n_states;
    if (*wanted > n - 2) *wanted = n - 2;
    if (*basis < FEWEST_VECTORS) *basis = FEWEST_VECTORS;
}

/* a: found, re, im, and vectors of the whole order, purified */
static routh_status solve_elsewhere(rt_wanted_search *q, rt_arnoldi *a, double **errors,
                                    bool *singular, routh_error *error)
{
    const rt_shifted *s = q->pencil;
    routh_shift_invert p = {.n_coordinates = s->descriptor->n_coordinates,
                            .n_constraints = s->descriptor->n_constraints,
                            .order = s->order,
                            .start = s->pattern.start,
                            .row = s->pattern.row,
                            .E = s->E,
                            .A = s->A,
                            .shift = q->shift[0],
                            .most_restarts = RT_MOST_RESTARTS};
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
    *errors = p.error;
    *singular = p.singular != 0;
    *a = (rt_arnoldi){.n = p.order, .found = p.found, .re = p.re, .im = p.im, .vectors = p.vectors};
    return status;
}

static routh_status wanted_real_iterate(rt_wanted_search *q, rt_arnoldi *a, bool *singular,
                                        routh_error *error)
{
    const int n = q->pencil->n;
    double *start = RT_TAKE(&q->arena, double, n), *next = RT_TAKE(&q->arena, double, n);
    if (!start || !next) return rt_fail_memory(error);
    int wanted, basis;
    choose_sizes(q, &wanted, &basis);
    for (int attempt = 0; attempt < 2; attempt++, basis *= 2) {
        *a = (rt_arnoldi){.n = n,
                          .wanted = wanted,
                          .basis = basis < n ? basis : n,
                          .most_restarts = RT_MOST_RESTARTS,
                          .apply = rt_shifted_apply,
                          .context = q->pencil,
                          .start = start};
        routh_status status = make_start(q, start, next, singular, error);
        if (*singular) return status;
        if (!status) status = rt_arnoldi_solve(a, &q->arena, error);
        q->n_solves += a->n_applied;
        q->n_restarts += a->n_restarts;
        q->subspace = a->subspace;
        q->n_subspace = a->found;
        if (status || a->found >= wanted - 1 || basis >= n)
            return status; /* a pair is not parted */
    }
    return ROUTH_OK;
}

/* ---- answers -------------------------------------------------------------------------------- */

/* y = OP x / nu with its multipliers, and |OP x - nu x| / |x| on (xi, du). x = re + i im. */
static routh_status wanted_real_purify(rt_wanted_search *q, const double nu[2], double *re,
                                       double *im, rt_candidate *c, double *error_of_nu,
                                       routh_error *error)
{
    rt_shifted *s = q->pencil;
    const int n = s->n, order = s->order;
    double *out = RT_TAKE(&q->arena, double, 2 * (size_t)n);
    c->re = RT_TAKE(&q->arena, double, order);
    c->im = RT_TAKE(&q->arena, double, order);
    if (!out || !c->re || !c->im) return rt_fail_memory(error);
    routh_status status = rt_shifted_apply(s, re, out, error);
    memcpy(c->re, s->full, (size_t)order * sizeof(double));
    if (!status && nu[1] != 0) {
        status = rt_shifted_apply(s, im, out + n, error);
        memcpy(c->im, s->full, (size_t)order * sizeof(double));
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

/* lambda = s + 1 / nu; d lambda = d nu / nu^2. An operator of norm 1 / nu_max brings eps nu_max. */
static routh_status wanted_real_read_pair(rt_wanted_search *q, const rt_arnoldi *a,
                                          const double *errors, int k, double largest,
                                          rt_candidate *c, routh_error *error)
{
    const double nu[2] = {a->re[k], a->im[k]}, by = nu[0] * nu[0] + nu[1] * nu[1];
    double *re = a->vectors + (size_t)a->n * (size_t)k, *im = re + a->n, error_of_nu = 0;
    routh_status status = ROUTH_OK;
    *c = (rt_candidate){.lambda = {q->shift[0] + nu[0] / by, -nu[1] / by}};
    if (errors) { /* whole vectors */
        c->re = re;
        c->im = nu[1] != 0 ? im : RT_TAKE(&q->arena, double, q->pencil->order);
        error_of_nu = errors[k];
        if (!c->im) status = rt_fail_memory(error);
    } else
        status = wanted_real_purify(q, nu, re, im, c, &error_of_nu, error);
    if (status) return status;
    /* without the condition rounding is known in part only: no better than a pair is accepted */
    c->error = fmax((error_of_nu + 8 * DBL_EPSILON * largest) / by,
                    RT_WORST_RESIDUAL * hypot(c->lambda[0], c->lambda[1]));
    rt_wanted_examine(q, c);
    return ROUTH_OK;
}

/* All that converged about the shift. */
static routh_status wanted_real_collect(rt_wanted_search *q, const rt_arnoldi *a,
                                        const double *errors, routh_error *error)
{
    double largest = 0;
    q->found = RT_TAKE(&q->arena, rt_candidate, a->found);
    q->n_found = 0;
    if (!q->found) return rt_fail_memory(error);
    for (int k = 0; k < a->found; k++) largest = fmax(largest, hypot(a->re[k], a->im[k]));
    for (int k = 0; k < a->found; k += a->im[k] != 0 ? 2 : 1) {
        if (a->im[k] != 0 && k + 1 == a->found) break; /* half a pair */
        const routh_status status =
            wanted_real_read_pair(q, a, errors, k, largest, &q->found[q->n_found], error);
        if (status) return status;
        q->n_found++;
    }
    const routh_status status = rt_wanted_tell_zeros(q, error);
    rt_wanted_sort(q);
    return status;
}

static routh_status attempt(rt_wanted_search *q, double shift, bool *singular, routh_error *error)
{
    rt_arnoldi a;
    double *errors = NULL;
    rt_arena_free(&q->arena);
    q->shift[0] = shift, q->shift[1] = 0;
    q->found = NULL;
    q->n_found = q->n_subspace = 0;
    routh_status status = q->solver ? solve_elsewhere(q, &a, &errors, singular, error)
                                    : rt_shifted_factor(q->pencil, shift, singular, error);
    if (!q->solver && !status && !*singular) status = wanted_real_iterate(q, &a, singular, error);
    return status || *singular ? status : wanted_real_collect(q, &a, errors, error);
}

/* ---- the shift ------------------------------------------------------------------------------ */

/* The smallest eigenvalue wanted that is not a zero; 0 where there is none. */
static double lowest(const rt_wanted_search *q, int n)
{
    double least = 0;
    for (int k = 0; k < n; k++) {
        const double size = hypot(q->found[k].lambda[0], q->found[k].lambda[1]);
        if (!q->found[k].rigid && (least == 0 || size < least)) least = size;
    }
    return least;
}

static bool good(const rt_wanted_search *q)
{
    const int n = rt_wanted_enough(q);
    int values = 0;
    for (int k = 0; k < n; k++) {
        if (!(q->found[k].errors.residual <= RT_WORST_RESIDUAL)) return false;
        values += rt_values_of(&q->found[k]);
    }
    return values >= q->count;
}

/* With zero eigenvalues the shift 0 does not do. One is taken beside it, and then another, by what
 * the first has found: a shift too near makes the others inaccurate, one too far slow. */
static routh_status attempt_beside_zero(rt_wanted_search *q, routh_error *error)
{
    for (size_t k = 0; k < sizeof ASIDE / sizeof *ASIDE; k++) {
        bool singular = false;
        const routh_status status = attempt(q, ASIDE[k], &singular, error);
        if (status || (!singular && good(q))) {
            const double least = lowest(q, rt_wanted_enough(q)), shift = q->shift[0];
            if (status || least == 0 || (shift < least && shift > 0.05 * least)) return status;
            return attempt(q, 0.5 * least, &singular, error);
        }
    }
    return ROUTH_OK;
}

routh_status rt_wanted_real(rt_wanted_search *q, routh_error *error)
{
    bool singular = false;
    const double near = q->near[0];
    routh_status status = q->solver ? ROUTH_OK : rt_shifted_make_operator(q->pencil, error);
    if (!status) status = attempt(q, near, &singular, error);
    if (status || (!singular && good(q))) return status;
    if (near == 0) return attempt_beside_zero(q, error);
    if (!singular) return ROUTH_OK;
    singular = false;
    return attempt(q, near * (1 + 1e-3), &singular, error);
}
