#include "studies/optimise_solve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const algorithms[] = {"slsqp", "mma", "ccsa"};
enum { N_ALGORITHMS = 3 };

const char *routh_optimum_algorithm_name(int k)
{
    return k >= 0 && k < N_ALGORITHMS ? algorithms[k] : NULL;
}

static int find_algorithm(const char *name)
{
    for (int k = 0; k < N_ALGORITHMS; k++)
        if (strcmp(algorithms[k], name) == 0) return k;
    return -1;
}

#ifndef ROUTH_HAS_NLOPT

routh_status rt_optimise_check(const rt_study *s, const char *algorithm, routh_error *error)
{
    (void)s;
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "the algorithm '%.40s' needs NLopt, which this build lacks; install it (Debian: "
                   "libnlopt-dev) and build again",
                   algorithm);
}

routh_status rt_optimise_solve(rt_problem *p, const char *algorithm, rt_solved *solved,
                               routh_error *error)
{
    (void)p, (void)solved, (void)find_algorithm;
    return rt_optimise_check(NULL, algorithm, error);
}

#else

#include <nlopt.h>

routh_status rt_optimise_check(const rt_study *s, const char *algorithm, routh_error *error)
{
    const int k = find_algorithm(algorithm);
    char element[100];
    if (k < 0)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the algorithm '%.40s' does not exist; use slsqp, mma or ccsa", algorithm);
    for (int g = 0; g < s->n_goals && k > 0; g++) {
        if (s->goals[g].low != s->goals[g].high) continue;
        snprintf(element, sizeof element, "goal %.80s", s->goals[g].name);
        return rt_fail_at(error, ROUTH_MODEL_ERROR, s->file, s->goals[g].place, element,
                          "the algorithm '%s' does not support `at`; use `between` or `near`, or "
                          "the algorithm slsqp",
                          algorithms[k]);
    }
    return ROUTH_OK;
}

/* ---- what NLopt calls ------------------------------------------------------------------------ */

typedef struct optimise_solve_job {
    rt_problem *p;
    nlopt_opt nlopt;
    const double *low, *high; /* of X */
} optimise_solve_job;

/* NULL: to be stopped. */
static const rt_evaluation *optimise_solve_at(optimise_solve_job *j, const double *X)
{
    const rt_evaluation *r = rt_problem_at(j->p, X);
    if (!r || j->p->stop) nlopt_force_stop(j->nlopt);
    return r;
}

/* Where there are no values the objective is infinite, so that the way there is taken back. */
static double objective(unsigned n, const double *X, double *gradient, void *data)
{
    optimise_solve_job *j = data;
    const rt_evaluation *r = optimise_solve_at(j, X);
    if (!r) {
        if (gradient) memset(gradient, 0, n * sizeof *gradient);
        return HUGE_VAL;
    }
    const double f = rt_problem_objective(j->p, rt_problem_stand_in(j->p, r), X, gradient);
    return r->message ? HUGE_VAL : f;
}

static void optimise_solve_conditions(optimise_solve_job *j, int first, int end, double *result,
                                      const double *X, double *gradient)
{
    const rt_problem *p = j->p;
    const rt_evaluation *r = optimise_solve_at(j, X);
    const size_t n = (size_t)p->n;
    if (r) r = rt_problem_stand_in(p, r);
    for (int k = first; k < end; k++) {
        double *by = gradient ? gradient + (size_t)(k - first) * n : NULL;
        if (!r && by) memset(by, 0, n * sizeof *by);
        result[k - first] = r ? rt_problem_condition(p, k, r, X, by) : 0;
    }
}

static void optimise_solve_placed(unsigned m, double *result, unsigned n, const double *X,
                                  double *gradient, void *data)
{
    (void)m, (void)n;
    optimise_solve_job *j = data;
    optimise_solve_conditions(j, 0, j->p->n_at, result, X, gradient);
}

static void bounded(unsigned m, double *result, unsigned n, const double *X, double *gradient,
                    void *data)
{
    (void)m, (void)n;
    optimise_solve_job *j = data;
    optimise_solve_conditions(j, j->p->n_at, j->p->n_conditions, result, X, gradient);
}

/* ---- setting up ------------------------------------------------------------------------------ */

enum { MOST_AGAIN = 3 };

static bool set_up(optimise_solve_job *j, double *work)
{
    const rt_problem *p = j->p;
    double *low = work, *high = work + p->n, *tolerance = work + 2 * p->n;
    for (int k = 0; k < p->n; k++) {
        low[k] = k < p->n_x ? 0 : -HUGE_VAL;
        high[k] = k < p->n_x ? 1 : HUGE_VAL;
    }
    for (int k = 0; k < p->n_conditions; k++) tolerance[k] = RT_OPTIMISE_MISS / 10;
    const int n_bounded = p->n_conditions - p->n_at;
    bool good = nlopt_set_min_objective(j->nlopt, objective, j) > 0 &&
                nlopt_set_lower_bounds(j->nlopt, low) > 0 &&
                nlopt_set_upper_bounds(j->nlopt, high) > 0 &&
                nlopt_set_xtol_abs1(j->nlopt, p->task.study->tolerance) > 0;
    if (good && p->n_at)
        good = nlopt_add_equality_mconstraint(j->nlopt, (unsigned)p->n_at, optimise_solve_placed, j,
                                              tolerance) > 0;
    if (good && n_bounded)
        good = nlopt_add_inequality_mconstraint(j->nlopt, (unsigned)n_bounded, bounded, j,
                                                tolerance) > 0;
    return good;
}

/* Where the algorithm ended, if it says so; else the best. */
static int find_record(const rt_problem *p, const double *X, bool converged)
{
    const rt_study *s = p->task.study;
    for (int k = p->n_given - 1; k >= 0 && converged; k--) {
        bool same = !p->records[k].message;
        for (int i = 0; i < p->n_x && same; i++)
            same = p->records[k].x[i] == rt_variable_value(&s->variables[i], X[i], NULL);
        if (same && rt_problem_violation(p, &p->records[k]) <= RT_OPTIMISE_MISS) return k;
    }
    return rt_problem_best(p);
}

/* Where the gradients of conditions depend on each other an algorithm may find no way on, although
 * there is one beside. */
static bool gave_up(const rt_problem *p, nlopt_result result)
{
    if (p->stop || p->status || result > 0 || result == NLOPT_OUT_OF_MEMORY) return false;
    const int best = rt_problem_best(p);
    return best >= 0 && rt_problem_violation(p, &p->records[best]) > RT_OPTIMISE_MISS;
}

/* Each variable a few hundredths of its range beside the best, inwards. */
static void step_aside(const rt_problem *p, int again, double *X)
{
    const rt_evaluation *r = &p->records[rt_problem_best(p)];
    rt_problem_point(p, r, X);
    for (int k = 0; k < p->n_x; k++)
        X[k] += (X[k] < 0.5 ? 0.01 : -0.01) * again * (1 + (double)(k % 3));
}

static void optimise_solve_conclude(rt_problem *p, nlopt_result result, const double *X,
                                    rt_solved *solved)
{
    const bool converged = result > 0 || result == NLOPT_ROUNDOFF_LIMITED;
    solved->record = find_record(p, X, result > 0);
    solved->end = p->stop ? p->end : converged ? ROUTH_OPTIMISE_CONVERGED : ROUTH_OPTIMISE_FAILED;
    if (solved->end == ROUTH_OPTIMISE_FAILED)
        snprintf(solved->message, sizeof solved->message, "NLopt: %s",
                 nlopt_result_to_string(result));
}

/* The best so far keeps not all bounds: none may, so their largest miss is made small. */
static routh_status miss_least(rt_problem *p, rt_solved *solved, routh_error *error)
{
    if (p->stop || p->status || solved->record < 0 ||
        rt_problem_violation(p, &p->records[solved->record]) <= RT_OPTIMISE_MISS)
        return ROUTH_OK;
    bool converged;
    const routh_status status = rt_optimise_least_miss(p, &converged, error);
    if (status) return status;
    solved->record = rt_problem_best(p);
    solved->end = p->stop ? p->end : converged ? ROUTH_OPTIMISE_CONVERGED : ROUTH_OPTIMISE_FAILED;
    solved->message[0] = '\0';
    if (solved->end == ROUTH_OPTIMISE_FAILED)
        snprintf(solved->message, sizeof solved->message,
                 "the search for the smallest violation did not converge");
    return ROUTH_OK;
}

/* What is left of the gradient of the Lagrangian where it ended: an algorithm may end for want of
 * digits, or in a corner of its own. */
static routh_status verify_optimum(const rt_problem *p, rt_solved *solved, routh_error *error)
{
    static const double NO_OPTIMUM = 0.1;
    if (solved->end != ROUTH_OPTIMISE_CONVERGED || solved->record < 0 ||
        rt_problem_violation(p, &p->records[solved->record]) > RT_OPTIMISE_MISS)
        return ROUTH_OK;
    double optimality = 0, *all = calloc((size_t)p->n_conditions + (size_t)p->n_x + 1, sizeof *all);
    if (!all) return rt_fail_memory(error);
    const routh_status status = rt_optimum_multipliers(p, &p->records[solved->record], all,
                                                       all + p->n_conditions, &optimality, error);
    free(all);
    if (status || !(optimality > NO_OPTIMUM)) return status;
    solved->end = ROUTH_OPTIMISE_UNVERIFIED;
    snprintf(solved->message, sizeof solved->message,
             "the gradients do not show an optimum: that of the Lagrangian is %.2g of that of the "
             "objective, as at a non-smooth point where eigenvalues meet; try other starts, "
             "algorithms or more subbands of peaks",
             optimality);
    return ROUTH_OK;
}

routh_status rt_optimise_solve(rt_problem *p, const char *algorithm, rt_solved *solved,
                               routh_error *error)
{
    static const nlopt_algorithm names[] = {NLOPT_LD_SLSQP, NLOPT_LD_MMA, NLOPT_LD_CCSAQ};
    const int k = find_algorithm(algorithm);
    optimise_solve_job j = {.p = p};
    double f, *work = calloc(3 * (size_t)p->n + (size_t)p->n_conditions + 1, sizeof *work);
    if (!work || k < 0) {
        free(work);
        return rt_fail_memory(error);
    }
    double *X = work + 2 * p->n + p->n_conditions;
    j.nlopt = nlopt_create(names[k], (unsigned)p->n);
    /* more values are placed than there are variables: NLopt does not take that */
    const bool too_many = p->n_at > p->n;
    nlopt_result result = too_many ? NLOPT_INVALID_ARGS : NLOPT_OUT_OF_MEMORY;
    if (too_many)
        rt_problem_at(p, p->start);
    else if (j.nlopt && set_up(&j, work)) {
        rt_problem_point(p, &p->records[0], X);
        memcpy(X, p->start, (size_t)p->n_x * sizeof *X);
        result = nlopt_optimize(j.nlopt, X, &f);
        for (int again = 1; again <= MOST_AGAIN && gave_up(p, result); again++) {
            step_aside(p, again, X);
            result = nlopt_optimize(j.nlopt, X, &f);
        }
    }
    if (!p->status && result != NLOPT_OUT_OF_MEMORY) optimise_solve_conclude(p, result, X, solved);
    if (j.nlopt) nlopt_destroy(j.nlopt);
    free(work);
    if (p->status) {
        if (error) *error = p->error;
        return p->status;
    }
    if (result == NLOPT_OUT_OF_MEMORY) return rt_fail_memory(error);
    routh_status status = miss_least(p, solved, error);
    if (!status && p->status) {
        if (error) *error = p->error;
        return p->status;
    }
    return status ? status : verify_optimum(p, solved, error);
}

#endif
