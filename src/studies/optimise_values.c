#include "studies/optimise_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "studies/optimise_peaks.h"
#include "routh/sensitivity.h"

/* ---- what there is --------------------------------------------------------------------------- */

static bool is_modal(const rt_study_goal *g) { return g->kind < RT_GOAL_PEAK; }

static routh_status optimise_values_fail_goal(const rt_optimise_task *t, const rt_study_goal *g,
                                              const char *why, routh_error *error)
{
    char element[100];
    snprintf(element, sizeof element, "goal %.80s", g->name);
    return rt_fail_at(error, ROUTH_MODEL_ERROR, t->study->file, g->text ? g->text_place : g->place,
                      element, "%s", why);
}

/* Mode `number` as tables count, from 1, a pair once; -1: there is none. */
static int find_mode(const routh_modes *modes, int number)
{
    int n = 0;
    for (int k = 0; k < modes->n; k++) {
        const routh_mode *m = &modes->modes[k];
        if (m->eigenvalue[1] < 0 && m->conjugate != k) continue;
        if (++n == number) return k;
    }
    return -1;
}

static void optimise_values_add_mode(rt_members *m, int goal, const routh_modes *modes, int k)
{
    const int partner = modes->modes[k].conjugate;
    m->all[m->n++] = (rt_member){.goal = goal, .branch = k, .partner = partner};
    m->watched[k] = m->watched[partner] = true;
}

static routh_status add_modes(rt_members *m, const rt_optimise_task *t, int goal,
                              const routh_modes *modes, routh_error *error)
{
    const rt_study_goal *g = &t->study->goals[goal];
    char why[160];
    for (int k = 0; k < modes->n && g->n_modes == 0; k++)
        if (!modes->modes[k].rigid && modes->modes[k].eigenvalue[1] >= 0)
            optimise_values_add_mode(m, goal, modes, k);
    for (int i = 0; i < g->n_modes; i++) {
        const int k = find_mode(modes, g->modes[i]);
        snprintf(why, sizeof why, "mode %d %s", g->modes[i],
                 k < 0 ? "is not there: the model has fewer"
                       : "is a rigid one, whose frequency is zero whatever the parameters are");
        if (k < 0 || modes->modes[k].rigid) return optimise_values_fail_goal(t, g, why, error);
        optimise_values_add_mode(m, goal, modes, k);
    }
    return m->n > m->first[goal]
               ? ROUTH_OK
               : optimise_values_fail_goal(t, g, "the model has no mode that is not rigid", error);
}

static int optimise_values_most_members(const rt_study *s, const routh_modes *modes)
{
    int n = 0;
    for (int g = 0; g < s->n_goals; g++)
        n += is_modal(&s->goals[g]) ? s->goals[g].n_modes + modes->n : s->goals[g].pieces;
    return n;
}

routh_status rt_members_make(rt_members *m, const rt_optimise_task *t, const rt_iterate *start,
                             routh_error *error)
{
    const rt_study *s = t->study;
    *m = (rt_members){.n_branches = start->modes->n, .n_x = s->n_variables};
    m->all = RT_TAKE(&m->arena, rt_member, optimise_values_most_members(s, start->modes));
    m->first = RT_TAKE(&m->arena, int, s->n_goals + 1);
    m->watched = RT_TAKE(&m->arena, bool, start->modes->n + 1);
    if (!m->all || !m->first || !m->watched) return rt_fail_memory(error);
    routh_status status = ROUTH_OK;
    for (int g = 0; g < s->n_goals && !status; g++) {
        m->first[g] = m->n;
        const int pieces = s->goals[g].kind == RT_GOAL_PEAK ? s->goals[g].pieces : 1;
        if (is_modal(&s->goals[g]))
            status = add_modes(m, t, g, start->modes, error);
        else
            for (int k = 0; k < pieces; k++)
                m->all[m->n++] = (rt_member){.goal = g, .branch = -1, .piece = k};
        m->first[g + 1] = m->n;
    }
    return status;
}

void rt_members_free(rt_members *m)
{
    rt_arena_free(&m->arena);
    *m = (rt_members){0};
}

/* ---- modes ----------------------------------------------------------------------------------- */

static double optimise_values_value_of(rt_goal_kind kind, const routh_mode *mode)
{
    switch (kind) {
    case RT_GOAL_FREQUENCY: return mode->undamped_frequency_hz;
    case RT_GOAL_DAMPING: return mode->damping_ratio;
    default: return mode->eigenvalue[0];
    }
}

/* Of equal eigenvalues each has a derivative along one parameter alone; their mean has a gradient,
 * which is one of those that the largest and the smallest of them have in the sense of Clarke. */
static double of_cluster(const double *by, size_t step, const routh_sensitivity *s, int i)
{
    const double *e = s->eigenvalues[i];
    double sum = 0;
    int n = 0;
    for (int k = 0; k < s->n_modes; k++) {
        const double *other = s->eigenvalues[k];
        const double apart = hypot(other[0] - e[0], other[1] - e[1]);
        if (k != i &&
            (s->multiplicity[k] != s->multiplicity[i] || apart > 2e-6 * hypot(e[0], e[1])))
            continue;
        sum += by[(size_t)k * step];
        n++;
    }
    return sum / n;
}

static double derivative_of(rt_goal_kind kind, const routh_sensitivity *s, int p, int i)
{
    const size_t row = (size_t)p * (size_t)s->n_modes;
    const double *const by[] = {s->frequency_by + row, s->damping_by + row, s->eigenvalue_by[row]};
    const size_t step = kind == RT_GOAL_REAL_PART ? 2 : 1;
    return s->multiplicity[i] > 1 ? of_cluster(by[kind], step, s, i) : by[kind][(size_t)i * step];
}

static routh_status evaluate_mode(const rt_members *m, int k, rt_goal_kind kind,
                                  const rt_iterate *it, const routh_sensitivity *s, double *value,
                                  double *by, routh_error *error)
{
    int i = it->place[m->all[k].branch];
    const int other = it->place[m->all[k].partner];
    const routh_mode *modes = it->modes->modes;
    /* of two real ones that were a pair the one farther right */
    if (kind == RT_GOAL_REAL_PART && modes[other].eigenvalue[0] > modes[i].eigenvalue[0]) i = other;
    *value = optimise_values_value_of(kind, &modes[i]);
    for (int p = 0; p < m->n_x; p++) {
        by[p] = derivative_of(kind, s, p, i);
        if (!isfinite(by[p]))
            return rt_fail(error, ROUTH_NUMERIC_ERROR,
                           "the eigenvalue %g %+g i has no derivative, because it is defective or "
                           "a rigid-body mode; use another mode in the goal",
                           modes[i].eigenvalue[0], modes[i].eigenvalue[1]);
    }
    return ROUTH_OK;
}

static routh_status evaluate_modes(const rt_members *m, const rt_optimise_task *t,
                                   const rt_iterate *it, double *value, double *by,
                                   routh_error *error)
{
    const rt_study *study = t->study;
    routh_sensitivity *s = NULL;
    const char **names = calloc((size_t)m->n_x + 1, sizeof *names);
    if (!names) return rt_fail_memory(error);
    for (int p = 0; p < m->n_x; p++) names[p] = study->variables[p].name;
    const routh_sensitivity_options o = {.parameters = names, .reference = t->options->reference};
    routh_status status =
        routh_sensitivity_compute(&s, it->mechanism, it->solution.point, it->modes, &o, error);
    for (int k = 0; k < m->n && !status; k++) {
        const rt_goal_kind kind = study->goals[m->all[k].goal].kind;
        if (m->all[k].branch >= 0)
            status =
                evaluate_mode(m, k, kind, it, s, &value[k], by + (size_t)k * (size_t)m->n_x, error);
    }
    routh_sensitivity_free(s);
    free(names);
    return status;
}

/* ---- the others ------------------------------------------------------------------------------ */

static routh_status evaluate_expression(const rt_members *m, const rt_optimise_task *t, int g,
                                        const rt_iterate *it, double *value, double *by,
                                        routh_error *error)
{
    const rt_study *s = t->study;
    routh_error problem = {0};
    int *parameters = calloc((size_t)m->n_x + 1, sizeof *parameters);
    if (!parameters) return rt_fail_memory(error);
    for (int p = 0; p < m->n_x; p++) parameters[p] = s->variables[p].parameter;
    const routh_status status =
        rt_expression_by(it->model, s->goals[g].text, parameters, m->n_x, value, by, &problem);
    free(parameters);
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(error);
    return status ? optimise_values_fail_goal(t, &s->goals[g], problem.message, error) : ROUTH_OK;
}

routh_status rt_members_evaluate(const rt_members *m, const rt_optimise_task *t,
                                 const rt_iterate *it, double *value, double *by, double *hz,
                                 routh_error *error)
{
    const rt_study *s = t->study;
    bool modal = false;
    routh_status status = ROUTH_OK;
    for (int k = 0; k < m->n; k++) hz[k] = NAN, modal |= m->all[k].branch >= 0;
    if (modal) status = evaluate_modes(m, t, it, value, by, error);
    for (int g = 0; g < s->n_goals && !status; g++) {
        const int k = m->first[g];
        double *by_g = by + (size_t)k * (size_t)m->n_x;
        if (s->goals[g].kind == RT_GOAL_EXPRESSION)
            status = evaluate_expression(m, t, g, it, &value[k], by_g, error);
        if (s->goals[g].kind == RT_GOAL_PEAK)
            status = rt_peaks_evaluate(t, g, it, &value[k], by_g, &hz[k], error);
    }
    return status;
}
