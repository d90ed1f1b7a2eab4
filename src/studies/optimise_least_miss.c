/* Goals that exclude each other: the largest miss of their bounds is made small,
 *
 *     minimise t   subject to   c_k <= t,   and -c_k <= t of those that are placed,
 *
 * from the values that miss least so far. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "studies/optimise_solve.h"

#ifdef ROUTH_HAS_NLOPT

#include <nlopt.h>

typedef struct least_miss_job {
    rt_problem *p;
    nlopt_opt nlopt;
    double *by; /* p->n */
} least_miss_job;

static double miss_objective(unsigned n, const double *X, double *gradient, void *data)
{
    least_miss_job *j = data;
    const rt_evaluation *r = rt_problem_at(j->p, X);
    if (!r || j->p->stop) nlopt_force_stop(j->nlopt);
    if (gradient) {
        memset(gradient, 0, n * sizeof *gradient);
        gradient[n - 1] = 1;
    }
    return r && !r->message ? X[n - 1] : HUGE_VAL;
}

/* sign c_k - t */
static double one_miss(least_miss_job *j, int k, double sign, const rt_evaluation *r,
                       const double *X, double *gradient)
{
    const int n = j->p->n_x;
    const double c = rt_problem_condition(j->p, k, r, X, j->by);
    for (int i = 0; gradient && i < n; i++) gradient[i] = sign * j->by[i];
    if (gradient) gradient[n] = -1;
    return sign * c - X[n];
}

static void misses(unsigned m, double *result, unsigned n, const double *X, double *gradient,
                   void *data)
{
    least_miss_job *j = data;
    const rt_problem *p = j->p;
    const rt_evaluation *r = rt_problem_at(j->p, X);
    if (!r || p->stop) nlopt_force_stop(j->nlopt);
    if (r) r = rt_problem_stand_in(p, r);
    memset(result, 0, m * sizeof *result);
    if (gradient) memset(gradient, 0, (size_t)m * n * sizeof *gradient);
    unsigned at = 0;
    for (int k = 0; r && k < p->n_conditions; k++) {
        if (p->conditions[k].side == RT_SIDE_EPIGRAPH) continue;
        for (int both = 0; both <= (k < p->n_at); both++, at++)
            result[at] =
                one_miss(j, k, both ? -1 : 1, r, X, gradient ? gradient + (size_t)at * n : NULL);
    }
}

static unsigned number_of_misses(const rt_problem *p)
{
    unsigned m = 0;
    for (int k = 0; k < p->n_conditions; k++)
        if (p->conditions[k].side != RT_SIDE_EPIGRAPH) m += k < p->n_at ? 2 : 1;
    return m;
}

/* work: 4 (n_x + 1) + number_of_misses */
static bool miss_set_up(least_miss_job *j, unsigned m, double *work)
{
    const rt_problem *p = j->p;
    const unsigned n = (unsigned)p->n_x + 1;
    double *low = work, *high = low + n, *small = high + n, *tolerance = small + n;
    for (unsigned k = 0; k < n; k++)
        low[k] = 0, high[k] = k + 1 < n ? 1 : HUGE_VAL, small[k] = p->task.study->tolerance;
    for (unsigned k = 0; k < m; k++) tolerance[k] = RT_OPTIMISE_MISS / 10;
    return nlopt_set_min_objective(j->nlopt, miss_objective, j) > 0 &&
           nlopt_set_lower_bounds(j->nlopt, low) > 0 &&
           nlopt_set_upper_bounds(j->nlopt, high) > 0 && nlopt_set_xtol_abs(j->nlopt, small) > 0 &&
           nlopt_add_inequality_mconstraint(j->nlopt, m, misses, j, tolerance) > 0;
}

/* Again from the best while it becomes better. */
static bool miss_run(least_miss_job *j, double *X)
{
    enum { MOST_ROUNDS = 5 };
    rt_problem *p = j->p;
    bool converged = false;
    double f, before = INFINITY;
    for (int round = 0; round < MOST_ROUNDS && !p->stop && !p->status; round++) {
        const rt_evaluation *best = &p->records[rt_problem_best(p)];
        const double miss = rt_problem_violation(p, best);
        if (!(miss < before * (1 - 1e-6)) || miss <= RT_OPTIMISE_MISS) break;
        before = miss;
        rt_problem_point(p, best, X);
        X[p->n_x] = miss;
        const nlopt_result result = nlopt_optimize(j->nlopt, X, &f);
        converged = result > 0 || result == NLOPT_ROUNDOFF_LIMITED;
    }
    return converged;
}

routh_status rt_optimise_least_miss(rt_problem *p, bool *converged, routh_error *error)
{
    const unsigned m = number_of_misses(p), n = (unsigned)p->n_x + 1;
    const size_t room = (size_t)(p->n > p->n_x ? p->n : p->n_x) + 1;
    double *work = calloc(4 * (size_t)n + m + 2 * room, sizeof *work);
    *converged = false;
    if (!work) return rt_fail_memory(error);
    least_miss_job j = {.p = p, .nlopt = nlopt_create(NLOPT_LD_SLSQP, n)};
    j.by = work + 4 * (size_t)n + m;
    if (j.nlopt && miss_set_up(&j, m, work)) *converged = miss_run(&j, j.by + room);
    if (j.nlopt) nlopt_destroy(j.nlopt);
    free(work);
    return ROUTH_OK;
}

#endif
