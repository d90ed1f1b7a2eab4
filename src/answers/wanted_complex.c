/* Eigenvalues near a complex shift, and a second look about a real one, by a Krylov-Schur iteration
 * in complex arithmetic. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "answers/wanted_parts.h"

/* Where the shift is an eigenvalue, it moves by this part of the typical rate or of itself. */
static const double STEP = 1e-3;

static const double TOLERANCE = 1e-12;

enum { MORE_WANTED = 3, MOST_SHIFTS = 4 };

void rt_wanted_complex_free(rt_wanted_complex *w)
{
    rt_shifted_complex_free(&w->shifted);
    rt_arena_free(&w->arena);
}

/* ---- a vector ------------------------------------------------------------------------------- */

/* y = OP x / nu with its multipliers; |OP x - nu x| / |x|. */
static routh_status wanted_complex_purify(rt_wanted_search *q, rt_wanted_complex *w,
                                          double _Complex nu, const double _Complex *x,
                                          rt_candidate *c, double *off, routh_error *error)
{
    const int n = q->pencil->n, order = q->pencil->order;
    double _Complex *out = RT_TAKE(&q->arena, double _Complex, n);
    c->re = RT_TAKE(&q->arena, double, order);
    c->im = RT_TAKE(&q->arena, double, order);
    if (!out || !c->re || !c->im) return rt_fail_memory(error);
    const routh_status status = rt_shifted_complex_apply(&w->shifted, x, out, error);
    double residual = 0, size = 0;
    q->n_solves++;
    for (int i = 0; i < n; i++) {
        residual += pow(cabs(out[i] - nu * x[i]), 2);
        size += pow(cabs(x[i]), 2);
    }
    *off = sqrt(residual / size);
    for (int i = 0; i < order; i++) {
        const double _Complex y = w->shifted.full[i] / nu;
        c->re[i] = creal(y), c->im[i] = cimag(y);
    }
    return status;
}

/* y of a real eigenvalue is a real vector times a number: turned so that as much of it is real as
 * can be, beside the real vectors of its copies before it. */
static void make_real(const rt_wanted_search *q, rt_candidate *c)
{
    const size_t n = (size_t)q->pencil->order;
    const int n_xi = q->pencil->n;
    for (int k = 0; k < q->n_found; k++) {
        const rt_candidate *o = &q->found[k];
        if (o->lambda[1] != 0 || fabs(o->lambda[0] - c->lambda[0]) > o->error + c->error) continue;
        double re = 0, im = 0, size = 0, before = 0, after = 0;
        for (int i = 0; i < n_xi; i++) {
            re += o->re[i] * c->re[i], im += o->re[i] * c->im[i], size += o->re[i] * o->re[i];
            before += c->re[i] * c->re[i] + c->im[i] * c->im[i];
        }
        re /= size, im /= size;
        for (int i = 0; i < n_xi; i++)
            after += pow(c->re[i] - re * o->re[i], 2) + pow(c->im[i] - im * o->re[i], 2);
        if (!(after > 1e-4 * before)) continue; /* a defective one has but this */
        for (size_t i = 0; i < n; i++) c->re[i] -= re * o->re[i], c->im[i] -= im * o->re[i];
    }
    double _Complex square = 0;
    for (int i = 0; i < n_xi; i++) square += cpow(c->re[i] + I * c->im[i], 2);
    const double _Complex by = cabs(square) > 0 ? csqrt(conj(square) / cabs(square)) : 1;
    for (size_t i = 0; i < n; i++) {
        c->re[i] = creal(by) * c->re[i] - cimag(by) * c->im[i];
        c->im[i] = 0;
    }
    c->lambda[1] = 0;
}

/* lambda = s + 1 / nu. *taken: false of the lower one of a pair. */
static routh_status wanted_complex_read_pair(rt_wanted_search *q, rt_wanted_complex *w,
                                             double _Complex nu, double largest,
                                             const double _Complex *x, bool *taken,
                                             routh_error *error)
{
    const double _Complex lambda = q->shift[0] + I * q->shift[1] + 1 / nu;
    const double by = pow(cabs(nu), 2);
    double off = 0;
    rt_candidate c = {.lambda = {creal(lambda), cimag(lambda)}};
    const routh_status status = wanted_complex_purify(q, w, nu, x, &c, &off, error);
    if (status) return status;
    c.error = fmax((off + 8 * DBL_EPSILON * largest) / by, RT_WORST_RESIDUAL * cabs(lambda));
    /* zeros that rounding has torn are each one, above or below */
    rt_candidate zero = c;
    zero.lambda[0] = zero.lambda[1] = 0;
    zero.errors = rt_shifted_errors(q->pencil, zero.lambda, c.re, c.im);
    const bool rigid = rt_wanted_is_zero(q, cabs(lambda), &zero.errors);
    if (rigid) c.lambda[0] = c.lambda[1] = 0;
    *taken = c.lambda[1] >= -c.error;
    if (!*taken) return ROUTH_OK;
    if (fabs(c.lambda[1]) <= c.error) make_real(q, &c);
    rt_wanted_examine(q, &c);
    q->found[q->n_found++] = c;
    return ROUTH_OK;
}

static routh_status wanted_complex_collect(rt_wanted_search *q, rt_wanted_complex *w,
                                           routh_error *error)
{
    const int n = w->krylov.converged;
    rt_arena_free(&q->arena);
    q->n_found = 0;
    double _Complex *nu = RT_TAKE(&q->arena, double _Complex, n);
    double _Complex *x = RT_TAKE(&q->arena, double _Complex, (size_t)n *(size_t)q->pencil->n);
    q->found = RT_TAKE(&q->arena, rt_candidate, n);
    if (!nu || !x || !q->found) return rt_fail_memory(error);
    routh_status status = rt_krylov_pairs(&w->krylov, nu, x, error);
    double largest = 0;
    for (int k = 0; k < n; k++) largest = fmax(largest, cabs(nu[k]));
    for (int k = 0; k < n && !status; k++) {
        bool taken;
        status = wanted_complex_read_pair(q, w, nu[k], largest,
                                          x + (size_t)k * (size_t)q->pencil->n, &taken, error);
    }
    if (!status) status = rt_wanted_tell_zeros(q, error);
    rt_wanted_sort(q);
    return status;
}

/* ---- iteration ------------------------------------------------------------------------------ */

static int most_vectors(const rt_wanted_search *q, int wanted)
{
    const int most = 2 * wanted + 16, there = q->pencil->descriptor->linear->n_states + 3;
    return most > there ? there : most;
}

static routh_status wanted_complex_make_room(rt_wanted_search *q, rt_wanted_complex *w, int wanted,
                                             routh_error *error)
{
    rt_arena_free(&w->arena);
    w->krylov = (rt_krylov_schur){.n = q->pencil->n,
                                  .most = most_vectors(q, wanted),
                                  .apply = rt_shifted_complex_apply,
                                  .context = &w->shifted,
                                  .chain = RT_CHAIN,
                                  .tolerance = TOLERANCE};
    return rt_krylov_create(&w->krylov, &w->arena, error);
}

/* A shift that is not an eigenvalue: OP of numbers without a pattern stays in bounds. */
static routh_status wanted_complex_choose_shift(rt_wanted_search *q, rt_wanted_complex *w,
                                                routh_error *error)
{
    bool singular = true;
    const double step = STEP * fmax(hypot(q->near[0], q->near[1]), 1e-3);
    for (int k = 0; k < MOST_SHIFTS && singular; k++) {
        q->shift[0] = q->near[0] + k * step, q->shift[1] = q->near[1] + 0.5 * k * step;
        const routh_status status =
            rt_shifted_complex_factor(&w->shifted, q->shift[0] + I * q->shift[1], &singular, error);
        if (status) return status;
    }
    if (!singular) return ROUTH_OK;
    return rt_fail(error, ROUTH_NUMERIC_ERROR,
                   "the matrix A - s E is singular for every s near %g %+gi 1/s; check for "
                   "redundant constraints (routh check)",
                   q->near[0] * q->pencil->rate, q->near[1] * q->pencil->rate);
}

static routh_status wanted_complex_begin(rt_wanted_search *q, rt_wanted_complex *w, int wanted,
                                         routh_error *error)
{
    routh_status status = wanted_complex_make_room(q, w, wanted, error);
    if (!status && q->n_subspace) {
        w->shifted.real = true;
        status = rt_krylov_take(&w->krylov, q->subspace, q->n_subspace, error);
    } else if (!status)
        status = wanted_complex_choose_shift(q, w, error);
    w->begun = !status;
    return status;
}

/* The count had other matrices factored. */
static routh_status renew(rt_wanted_search *q, rt_wanted_complex *w, routh_error *error)
{
    bool singular = false;
    rt_krylov_renew(&w->krylov);
    w->shifted.real = q->n_subspace > 0;
    if (w->shifted.real) return ROUTH_OK;
    return rt_shifted_complex_factor(&w->shifted, q->shift[0] + I * q->shift[1], &singular, error);
}

routh_status rt_wanted_complex_run(rt_wanted_search *q, rt_wanted_complex *w, int missing,
                                   routh_error *error)
{
    const int n_states = q->pencil->descriptor->linear->n_states;
    int wanted = (w->begun ? w->krylov.converged : q->n_subspace) + missing;
    if (wanted < q->count + MORE_WANTED) wanted = q->count + MORE_WANTED;
    if (wanted > n_states) wanted = n_states;
    routh_status status = ROUTH_OK;
    if (!w->begun)
        status = wanted_complex_begin(q, w, wanted + 4 * MORE_WANTED, error);
    else
        status = renew(q, w, error);
    if (wanted > w->krylov.most - 3) wanted = w->krylov.most - 3;
    if (!status) status = rt_krylov_run(&w->krylov, wanted, RT_MOST_RESTARTS, error);
    q->n_solves = w->krylov.n_applied;
    q->n_restarts = w->krylov.n_restarts;
    return status ? status : wanted_complex_collect(q, w, error);
}
