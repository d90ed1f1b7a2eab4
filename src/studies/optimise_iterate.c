#include "studies/optimise_iterate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assignment.h"
#include "base/number.h"

enum { MOST_HALVINGS = 8 };

static routh_status optimise_iterate_read_model(rt_iterate *it, const rt_optimise_task *t,
                                                routh_error *error)
{
    const size_t n = t->options->n_settings, n_x = (size_t)t->study->n_variables;
    routh_setting *settings = calloc(n + n_x + 1, sizeof *settings);
    char(*text)[RT_NUMBER_SIZE] = calloc(n_x + 1, sizeof *text);
    routh_status status = settings && text ? ROUTH_OK : rt_fail_memory(error);
    if (!status && n) memcpy(settings, t->options->settings, n * sizeof *settings);
    for (size_t k = 0; k < n_x && !status; k++) {
        rt_number_text(text[k], it->x[k], RT_NUMBER_EXACT);
        settings[n + k] = (routh_setting){t->study->variables[k].name, text[k]};
    }
    if (!status) status = rt_model_again(&it->model, t->model, settings, n + n_x, error);
    free(settings);
    free(text);
    return status;
}

static routh_status optimise_iterate_solve(rt_iterate *it, const rt_optimise_task *t,
                                           const rt_iterate *from, routh_error *error)
{
    routh_sweep_options how = routh_sweep_defaults();
    how.type = t->options->type;
    how.method = t->options->method;
    how.reference = t->options->reference;
    routh_status status =
        routh_mechanism_compile(&it->mechanism, it->model, t->options->coordinates, error);
    return status ? status
                  : rt_solution_of(&how, it->mechanism, from ? &from->solution : NULL,
                                   &it->solution, &it->modes, error);
}

routh_status rt_iterate_find(rt_iterate *it, const rt_optimise_task *t, const double *x,
                             const rt_iterate *from, routh_error *error)
{
    const size_t n_x = (size_t)t->study->n_variables;
    *it = (rt_iterate){.x = calloc(n_x + 1, sizeof *it->x)};
    if (!it->x) return rt_fail_memory(error);
    memcpy(it->x, x, n_x * sizeof *x);
    routh_status status = optimise_iterate_read_model(it, t, error);
    if (!status) status = optimise_iterate_solve(it, t, from, error);
    if (status) return status;
    it->place = calloc((size_t)it->modes->n + 1, sizeof *it->place);
    if (!it->place) return rt_fail_memory(error);
    for (int k = 0; k < it->modes->n; k++) it->place[k] = k;
    it->found = true;
    return ROUTH_OK;
}

void rt_iterate_free(rt_iterate *it)
{
    rt_solution_free(&it->solution);
    routh_modes_free(it->modes);
    routh_mechanism_free(it->mechanism);
    routh_model_free(it->model);
    free(it->x);
    free(it->place);
    *it = (rt_iterate){0};
}

/* ---- which mode is which --------------------------------------------------------------------- */

/* Places of `it` by those of `from`; *certain: of all watched branches. */
static routh_status optimise_iterate_match(rt_iterate *it, const rt_iterate *from,
                                           const bool *watched, bool *certain, routh_error *error)
{
    rt_match m = {0};
    *certain = true;
    if (!rt_solutions_compare(&from->solution, &it->solution))
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "the states differ from those of the previous parameter values, so modes "
                       "cannot be tracked; name the states (linearize: states)");
    routh_status status = rt_match_find(&m, &from->solution, &it->solution, true, error);
    for (int b = 0; b < from->modes->n && !status; b++) {
        const int before = from->place[b];
        it->place[b] = m.to[before];
        if (watched[b] && m.doubt[before] == RT_UNCERTAIN) *certain = false;
    }
    rt_match_free(&m);
    return status;
}

static routh_status optimise_iterate_follow(rt_iterate *it, const rt_optimise_task *t,
                                            const double *x, const rt_iterate *from,
                                            const bool *watched, int halvings, bool *uncertain,
                                            routh_error *error)
{
    const int n = t->study->n_variables;
    bool certain = true;
    routh_status status = rt_iterate_find(it, t, x, from, error);
    if (!status) status = optimise_iterate_match(it, from, watched, &certain, error);
    if (status || certain) return status;
    if (halvings == 0) {
        *uncertain = true;
        return ROUTH_OK;
    }
    rt_iterate middle = {0};
    double *between = calloc((size_t)n + 1, sizeof *between);
    if (!between) return rt_fail_memory(error);
    for (int k = 0; k < n; k++) between[k] = (from->x[k] + x[k]) / 2;
    status =
        optimise_iterate_follow(&middle, t, between, from, watched, halvings - 1, uncertain, error);
    rt_iterate_free(it);
    if (!status)
        status =
            optimise_iterate_follow(it, t, x, &middle, watched, halvings - 1, uncertain, error);
    rt_iterate_free(&middle);
    free(between);
    return status;
}

routh_status rt_iterate_follow(rt_iterate *it, const rt_optimise_task *t, const double *x,
                               const rt_iterate *from, const bool *watched, bool *uncertain,
                               routh_error *error)
{
    *uncertain = false;
    return optimise_iterate_follow(it, t, x, from, watched, MOST_HALVINGS, uncertain, error);
}

routh_status rt_iterate_recognise(rt_iterate *it, const double *eigenvalues, routh_error *error)
{
    const int n = it->modes->n;
    const size_t size = (size_t)n;
    double *cost = calloc(size * size + 1, sizeof *cost),
           *work = calloc(3 * size + 3, sizeof *work);
    int *places = calloc(3 * size + 3, sizeof *places);
    const bool there = cost && work && places;
    for (size_t b = 0; b < size && there; b++)
        for (size_t k = 0; k < size; k++) {
            const double *e = it->modes->modes[k].eigenvalue;
            cost[b * size + k] = hypot(e[0] - eigenvalues[2 * b], e[1] - eigenvalues[2 * b + 1]);
        }
    if (there) rt_assign(n, cost, it->place, work, places);
    free(cost);
    free(work);
    free(places);
    return there ? ROUTH_OK : rt_fail_memory(error);
}
