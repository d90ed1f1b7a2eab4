/* Wanted eigenvalues of small whole systems: by the state matrix, all of them, as without a number
 * that is wanted. */
#include <math.h>

#include "answers/wanted_parts.h"

enum { MOST_STATES = 100 };

bool rt_wanted_is_small(const rt_wanted_search *q)
{
    return q->pencil->whole && q->pencil->n <= MOST_STATES;
}

/* The state matrix, row-major, in the units of the states. */
static routh_status make_state_matrix(rt_wanted_search *q, double *A, routh_error *error)
{
    rt_shifted *s = q->pencil;
    const int n = s->n;
    double *unit = RT_TAKE(&q->arena, double, 2 * n + s->order), *rates = unit + n,
           *y = rates + n, terms;
    if (!unit) return rt_fail_memory(error);
    for (int j = 0; j < n; j++) {
        unit[j] = 1;
        const routh_status status = rt_whole_rates(s, unit, y, rates, &terms, error);
        if (status) return status;
        unit[j] = 0;
        for (int i = 0; i < n; i++)
            A[i * n + j] = rates[i] * s->rate * s->scale[i] / s->scale[j];
    }
    return ROUTH_OK;
}

static routh_status wanted_small_read(rt_wanted_search *q, const routh_mode *mode,
                                      routh_error *error)
{
    const rt_shifted *s = q->pencil;
    const size_t order = (size_t)s->order;
    const double *re = mode->shape, *im = re + s->n;
    rt_candidate c = {.lambda = {mode->eigenvalue[0] / s->rate, mode->eigenvalue[1] / s->rate},
                      .error = mode->error_bound / s->rate,
                      .re = RT_TAKE(&q->arena, double, order),
                      .im = RT_TAKE(&q->arena, double, order),
                      .rigid = mode->rigid != 0};
    double *x = RT_TAKE(&q->arena, double, 2 * s->n), terms;
    if (!c.re || !c.im || !x) return rt_fail_memory(error);
    for (int i = 0; i < s->n; i++) x[i] = re[i] / s->scale[i], x[s->n + i] = im[i] / s->scale[i];
    routh_status status = rt_whole_rates(q->pencil, x, c.re, q->pencil->full, &terms, error);
    if (!status)
        status = rt_whole_rates(q->pencil, x + s->n, c.im, q->pencil->full, &terms, error);
    c.errors = rt_shifted_errors(q->pencil, c.lambda, c.re, c.im);
    if (c.rigid) c.errors.residual = 0; /* of a chain: by rank */
    q->found[q->n_found++] = c;
    return status;
}

static routh_status read_all(rt_wanted_search *q, const routh_modes *all, routh_error *error)
{
    routh_status status = ROUTH_OK;
    q->found = RT_TAKE(&q->arena, rt_candidate, all->n);
    if (!q->found) return rt_fail_memory(error);
    for (int k = 0; k < all->n && !status; k++)
        if (all->modes[k].eigenvalue[1] >= 0)
            status = wanted_small_read(q, &all->modes[k], error);
    return status;
}

routh_status rt_wanted_small(rt_wanted_search *q, routh_error *error)
{
    const size_t n = (size_t)q->pencil->n;
    routh_linear linear = *q->pencil->descriptor->linear;
    routh_modes *all = NULL;
    linear.A = RT_TAKE(&q->arena, double, n * n);
    routh_status status = linear.A ? make_state_matrix(q, linear.A, error) : rt_fail_memory(error);
    if (!status) status = routh_modes_compute(&all, &linear, error);
    if (!status) status = read_all(q, all, error);
    routh_modes_free(all);
    if (status) return status;
    rt_wanted_sort(q);
    const int enough = rt_wanted_enough(q);
    q->counted = ROUTH_COUNT_ALL;
    q->radius = enough < q->n_found
                    ? 0.5 * (q->found[enough - 1].distance + q->found[enough].distance)
                    : INFINITY;
    return ROUTH_OK;
}
