/* Eigenvalues of undamped symmetric pencils: lambda^2 = -mu, K x = mu M x, counted by inertia. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers/shifted_symmetric.h"
#include "answers/wanted_parts.h"

/* Neighbours nearer than this, relative to the distance, are copies. */
static const double EQUAL = 1e-9;

enum { MORE_PAIRS = 2 };

/* From i b to the nearer of +- sqrt(-mu). */
static double wanted_symmetric_distance(double mu, double b)
{
    return mu >= 0 ? fabs(sqrt(mu) - b) : sqrt(b * b - mu);
}

/* ---- candidates ----------------------------------------------------------------------------- */

/* y = (xi, lambda xi, lam) */
static routh_status wanted_symmetric_put(rt_wanted_search *q, const double *x, double re, double im,
                                         bool rigid, double error_of_mu, routh_error *error)
{
    const rt_shifted *s = q->pencil;
    const int n = s->n / 2;
    const double size = hypot(re, im);
    rt_candidate *c = &q->found[q->n_found];
    *c = (rt_candidate){.lambda = {re, im},
                        .re = RT_TAKE(&q->arena, double, s->order),
                        .im = RT_TAKE(&q->arena, double, s->order)};
    if (!c->re || !c->im) return rt_fail_memory(error);
    memcpy(c->re, x, (size_t)n * sizeof *x);
    memcpy(c->re + s->n, x + n, (size_t)(s->order - s->n) * sizeof *x);
    for (int i = 0; i < n; i++) c->re[n + i] = re * x[i], c->im[n + i] = im * x[i];
    /* an error of mu is one of lambda over 2 |lambda|, and its root near 0 */
    c->error = (size > 0 ? error_of_mu / (2 * size) : sqrt(error_of_mu)) + 4 * DBL_EPSILON * size;
    c->errors = rt_shifted_errors(q->pencil, c->lambda, c->re, c->im);
    /* the quotient sees what violates the constraints in the first power */
    c->error += c->errors.residual * size;
    c->rigid = rigid;
    if (rigid) c->errors.residual = fmax(c->errors.balance, c->errors.violation);
    q->n_found++;
    return ROUTH_OK;
}

static routh_status wanted_symmetric_put_all(rt_wanted_search *q, const rt_symmetric_modes *m,
                                             routh_error *error)
{
    routh_status status = ROUTH_OK;
    q->n_found = 0;
    q->found = RT_TAKE(&q->arena, rt_candidate, 2 * (size_t)m->found);
    if (!q->found) return rt_fail_memory(error);
    for (int k = 0; k < m->found && !status; k++) {
        const double *x = m->vector + (size_t)m->n * (size_t)k;
        const bool zero = rt_symmetric_zero(m, k);
        const double size = zero ? 0 : sqrt(fabs(m->value[k]));
        /* of a zero all of it is error */
        const double off = zero ? m->error[k] + fabs(m->value[k]) : m->error[k];
        if (size > 0 && m->value[k] > 0) {
            status = wanted_symmetric_put(q, x, 0, size, false, off, error);
            continue;
        }
        status = wanted_symmetric_put(q, x, size, 0, zero, off, error);
        if (!status) status = wanted_symmetric_put(q, x, -size, 0, zero, off, error);
    }
    q->n_solves += m->n_solves;
    q->n_restarts += m->n_restarts;
    q->shift[0] = m->shift < 0 ? sqrt(-m->shift) : 0;
    q->shift[1] = m->shift > 0 ? sqrt(m->shift) : 0;
    q->counted = m->counted ? ROUTH_COUNT_INERTIA : ROUTH_COUNT_NONE;
    return status;
}

/* ---- nearest -------------------------------------------------------------------------------- */

static int wanted_symmetric_ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What is nearest in mu holds what is nearest in omega as far as its reach goes: to *radius. The
 * distance of the last wanted one of those found. */
static routh_status last_wanted(const rt_symmetric_modes *m, double b, int count, double *last,
                                int *n, routh_error *error)
{
    double *d = malloc(((size_t)m->found + 1) * sizeof *d);
    if (!d) return rt_fail_memory(error);
    for (int k = 0; k < m->found; k++)
        d[k] = wanted_symmetric_distance(rt_symmetric_zero(m, k) ? 0 : m->value[k], b);
    qsort(d, (size_t)m->found, sizeof *d, wanted_symmetric_ascending);
    *n = m->found < count ? m->found : count;
    *last = *n ? d[*n - 1] : 0;
    free(d);
    return ROUTH_OK;
}

/* All within r of i b. */
static rt_symmetric_request wanted_symmetric_within(double b, double r)
{
    rt_symmetric_request q = {.between = true, .high = (b + r) * (b + r)};
    q.low = r < b ? (b - r) * (b - r) : -(r * r - b * b);
    return q;
}

/* The radius that holds those kept alone. */
static void set_radius(rt_wanted_search *q, double reach)
{
    rt_wanted_sort(q);
    const int enough = rt_wanted_enough(q);
    q->radius = reach;
    if (enough > 0 && enough < q->n_found)
        q->radius = fmin(reach, 0.5 * (q->found[enough - 1].distance + q->found[enough].distance));
}

/* The last one is one of so many values of mu; zeros of lambda are two for each. */
static void wanted_symmetric_mark_equal(rt_wanted_search *q, int n_equal)
{
    if (!n_equal || q->n_found < 1) return;
    const rt_candidate *last = &q->found[q->n_found - 1];
    for (int k = 0; k < q->n_found; k++) {
        rt_candidate *c = &q->found[k];
        const double off = hypot(c->lambda[0] - last->lambda[0], c->lambda[1] - last->lambda[1]);
        if (c->rigid == last->rigid && off <= c->error + last->error)
            c->n_equal = c->rigid ? 2 * n_equal : n_equal;
    }
}

routh_status rt_wanted_symmetric(rt_wanted_search *q, routh_error *error)
{
    const double b = q->near[1];
    const routh_factors *factors = q->solver ? q->solver->factors : NULL;
    const int pairs = (q->count + 1) / 2;
    const rt_symmetric_request request = {
        .count = b > 0 ? pairs + MORE_PAIRS : pairs, .near = b * b, .factors = factors};
    rt_symmetric_modes m;
    double last = 0;
    int n = 0;
    routh_status status = rt_shifted_symmetric_modes(q->pencil, &request, q->count, &m,
                                                     &q->doubtful, &q->arena, error);
    if (!status) status = last_wanted(&m, b, pairs, &last, &n, error);
    if (status) return status;
    double reach = sqrt(b * b + m.reach) - b;
    if (last > reach * (1 - EQUAL) && !m.n_equal) {
        rt_symmetric_request all = wanted_symmetric_within(b, last * (1 + EQUAL));
        all.factors = factors;
        q->n_solves += m.n_solves;
        reach = last * (1 + EQUAL);
        status = rt_shifted_symmetric_modes(q->pencil, &all, q->count, &m, &q->doubtful, &q->arena,
                                            error);
    }
    if (!status) status = wanted_symmetric_put_all(q, &m, error);
    if (status) return status;
    set_radius(q, reach);
    wanted_symmetric_mark_equal(q, m.n_equal);
    return ROUTH_OK;
}

/* ---- between -------------------------------------------------------------------------------- */

static double wanted_symmetric_square(double omega) { return (omega < 0 ? -1 : 1) * omega * omega; }

routh_status rt_wanted_between(rt_wanted_search *q, double low, double high, routh_error *error)
{
    const rt_symmetric_request request = {.between = true,
                                          .low = wanted_symmetric_square(low),
                                          .high = wanted_symmetric_square(high)};
    rt_symmetric_modes m;
    const routh_status status =
        rt_shifted_symmetric_modes(q->pencil, &request, 0, &m, &q->doubtful, &q->arena, error);
    return status ? status : wanted_symmetric_put_all(q, &m, error);
}
