/* The whole of an optimisation, and what is told of it. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "studies/optimise_solve.h"

routh_optimum_options routh_optimum_defaults(void) { return (routh_optimum_options){0}; }

const char *routh_optimum_end_name(routh_optimum_end end)
{
    static const char *const names[] = {"converged",     "limit of evaluations",
                                        "limit of time", "interrupted",
                                        "failed",        "not verified"};
    return (size_t)end < sizeof names / sizeof *names ? names[end] : "";
}

/* ---- what is told ---------------------------------------------------------------------------- */

static char *modes_text(const rt_study_goal *g, const char *what)
{
    char text[160];
    int length = snprintf(text, sizeof text, "%s of %s", what,
                          g->n_modes == 0   ? "all modes"
                          : g->n_modes == 1 ? "mode"
                                            : "modes");
    for (int k = 0; k < g->n_modes && length < (int)sizeof text - 16; k++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%s%d", k ? ", " : " ",
                           g->modes[k]);
    return strdup(text);
}

static char *peak_text(const rt_study_goal *g)
{
    static const char *const grounds[] = {"", "the ground's x", "the ground's y", "the ground's z"};
    char text[256];
    snprintf(text, sizeof text, "peak of %.80s by %.80s, %.4g to %.4g Hz", g->text,
             g->input ? g->input : grounds[g->base], g->band[0], g->band[1]);
    return strdup(text);
}

static bool describe_goal(routh_optimum_goal *to, const rt_study_goal *g)
{
    static const char *const units[] = {"Hz", "", "1/s", "", ""};
    static const char *const whats[] = {"undamped frequency", "damping ratio", "real part"};
    to->name = strdup(g->name);
    to->unit = strdup(units[g->kind]);
    to->what = g->kind == RT_GOAL_PEAK         ? peak_text(g)
               : g->kind == RT_GOAL_EXPRESSION ? strdup(g->text)
                                               : modes_text(g, whats[g->kind]);
    to->low = g->low, to->high = g->high;
    to->wish = g->wish, to->target = g->target, to->weight = g->weight;
    to->hz = NAN, to->slack = INFINITY;
    return to->name && to->unit && to->what;
}

/* The member that counts most: the smallest where it must not be small, else the largest. */
static int counting(const rt_problem *p, int g, const rt_evaluation *r)
{
    const rt_study_goal *goal = &p->task.study->goals[g];
    const bool small =
        goal->wish == ROUTH_WISH_MAXIMISE ||
        (goal->wish != ROUTH_WISH_MINIMISE && isfinite(goal->low) && !isfinite(goal->high));
    int best = p->members.first[g];
    for (int k = best; k < p->members.first[g + 1]; k++)
        if (small ? r->value[k] < r->value[best] : r->value[k] > r->value[best]) best = k;
    return best;
}

static void tell_goal(routh_optimum_goal *to, const rt_problem *p, int g,
                      const rt_evaluation *before, const rt_evaluation *after)
{
    const rt_study_goal *goal = &p->task.study->goals[g];
    const int k = counting(p, g, after);
    to->n_members = p->members.first[g + 1] - p->members.first[g];
    to->before = before->value[counting(p, g, before)];
    to->after = after->value[k];
    to->hz = after->hz[k];
    for (int i = p->members.first[g]; i < p->members.first[g + 1]; i++) {
        const double q = after->value[i];
        const double slack =
            goal->low == goal->high ? -fabs(q - goal->low) : fmin(q - goal->low, goal->high - q);
        to->slack = fmin(to->slack, slack);
    }
}

/* dL/d bound: of -c's bound in c = sign (q - bound) / s it is -sign lambda / s */
static void tell_multipliers(routh_optimum *o, const rt_problem *p, const rt_evaluation *r,
                             const double *conditions, const double *bounds)
{
    const rt_study *s = p->task.study;
    double slope;
    for (int k = 0; k < p->n_conditions; k++) {
        const rt_condition *c = &p->conditions[k];
        routh_optimum_goal *to = &o->goals[c->goal];
        if (c->side == RT_SIDE_EPIGRAPH) continue;
        to->objective_by_bound -= c->sign * conditions[k] / c->scale;
        const double q = rt_problem_condition(p, k, r, NULL, NULL);
        if (c->side == RT_SIDE_AT || q > -1e-6) to->active = 1;
    }
    for (int k = 0; k < p->n_x; k++) {
        const double part = rt_variable_part(&s->variables[k], r->x[k]);
        rt_variable_value(&s->variables[k], part, &slope);
        o->variables[k].at_bound = part < 1e-6 ? -1 : part > 1 - 1e-6;
        if (o->variables[k].at_bound) o->variables[k].objective_by_bound = -bounds[k] / slope;
    }
}

static routh_status find_multipliers(routh_optimum *o, const rt_problem *p, const rt_evaluation *r,
                                     routh_error *error)
{
    const size_t n = (size_t)p->n_conditions;
    double *all = calloc(n + (size_t)p->n_x + 1, sizeof *all);
    if (!all) return rt_fail_memory(error);
    const routh_status status = rt_optimum_multipliers(p, r, all, all + n, &o->optimality, error);
    if (!status) tell_multipliers(o, p, r, all, all + n);
    free(all);
    return status;
}

static bool optimise_run_describe(routh_optimum *o, const rt_problem *p)
{
    const rt_study *s = p->task.study;
    o->variables = calloc((size_t)s->n_variables + 1, sizeof *o->variables);
    o->goals = calloc((size_t)s->n_goals + 1, sizeof *o->goals);
    o->title = strdup(s->title[0] ? s->title : p->task.model->title);
    o->file = strdup(p->task.model->file);
    o->study = strdup(s->file);
    bool good = o->variables && o->goals && o->title && o->file && o->study;
    for (; good && o->n_variables < s->n_variables; o->n_variables++) {
        const rt_study_variable *v = &s->variables[o->n_variables];
        routh_optimum_variable *to = &o->variables[o->n_variables];
        *to = (routh_optimum_variable){.name = strdup(v->name),
                                       .before = v->start,
                                       .low = v->low,
                                       .high = v->high,
                                       .logarithmic = v->logarithmic};
        good = to->name;
    }
    for (; good && o->n_goals < s->n_goals; o->n_goals++)
        good = describe_goal(&o->goals[o->n_goals], &s->goals[o->n_goals]);
    return good;
}

static routh_status optimise_run_tell(routh_optimum *o, const rt_problem *p,
                                      const rt_solved *solved, routh_error *error)
{
    if (!optimise_run_describe(o, p)) return rt_fail_memory(error);
    const rt_evaluation *before = &p->records[0], *after = &p->records[solved->record];
    o->end = solved->end;
    memcpy(o->message, solved->message, sizeof o->message);
    o->least_change = p->least_change;
    o->before = rt_problem_merit(p, before), o->after = rt_problem_merit(p, after);
    o->violation = rt_problem_violation(p, after);
    o->n_evaluations = p->n_given;
    o->n_taken = p->n_replayed < p->n_given ? p->n_replayed : p->n_given;
    for (int k = 0; k < p->n_given; k++) {
        o->n_uncertain += p->records[k].uncertain;
        if (!p->records[k].message) continue;
        if (o->n_failed++ == 0)
            snprintf(o->failure, sizeof o->failure, "%.1000s", p->records[k].message);
    }
    for (int k = 0; k < p->n_x; k++) o->variables[k].after = after->x[k];
    for (int g = 0; g < o->n_goals; g++) tell_goal(&o->goals[g], p, g, before, after);
    o->optimality = NAN;
    return o->violation <= 10 * RT_OPTIMISE_MISS ? find_multipliers(o, p, after, error) : ROUTH_OK;
}

/* ---- the run --------------------------------------------------------------------------------- */

static routh_status check_settings(const rt_study *s, const routh_optimum_options *o,
                                   routh_error *error)
{
    for (int v = 0; v < s->n_variables; v++)
        for (size_t k = 0; k < o->n_settings; k++)
            if (strcmp(o->settings[k].name, s->variables[v].name) == 0)
                return rt_fail(error, ROUTH_BAD_ARGUMENT,
                               "the parameter '%.60s' is a variable of the study and cannot be set "
                               "(--set); give its `start` in the study",
                               s->variables[v].name);
    return ROUTH_OK;
}

static routh_status optimise_run(routh_optimum *optimum, const rt_optimise_task *t,
                                 routh_error *error)
{
    rt_problem p = {0};
    rt_solved solved = {.record = -1};
    optimum->algorithm = t->options->algorithm ? t->options->algorithm : t->study->algorithm;
    routh_status status = check_settings(t->study, t->options, error);
    if (!status) status = rt_optimise_check(t->study, optimum->algorithm, error);
    for (int k = 0; !status && routh_optimum_algorithm_name(k); k++)
        if (strcmp(routh_optimum_algorithm_name(k), optimum->algorithm) == 0)
            optimum->algorithm = routh_optimum_algorithm_name(k); /* outlives the options */
    if (status) return status;
    status = rt_problem_make(&p, t, error);
    if (!status) status = rt_optimise_solve(&p, optimum->algorithm, &solved, error);
    if (!status) status = optimise_run_tell(optimum, &p, &solved, error);
    rt_problem_free(&p);
    return status;
}

/* The study as a text, or as the file of that name. */
static routh_status optimise(routh_optimum **optimum, const routh_model *model, const char *study,
                             const char *text, const routh_optimum_options *o, routh_error *error)
{
    rt_study s = {0};
    routh_optimum *result = calloc(1, sizeof *result);
    if (!result) return rt_fail_memory(error);
    routh_status status = text ? rt_study_parse(&s, text, strlen(text), study, model, error)
                               : rt_study_read(&s, study, model, error);
    const rt_optimise_task task = {model, &s, o};
    if (!status) status = optimise_run(result, &task, error);
    rt_study_free(&s);
    if (status)
        routh_optimum_free(result);
    else
        *optimum = result;
    return status;
}

routh_status routh_optimum_find(routh_optimum **optimum, const char *path, const char *study,
                                const routh_optimum_options *options, routh_error *error)
{
    const routh_optimum_options o = options ? *options : routh_optimum_defaults();
    routh_model *model = NULL;
    *optimum = NULL;
    routh_status status = routh_model_read(&model, path, o.settings, o.n_settings, error);
    if (!status) status = optimise(optimum, model, study, NULL, &o, error);
    routh_model_free(model);
    return status;
}

routh_status routh_optimum_find_of_model(routh_optimum **optimum, const routh_model *model,
                                         const char *study, const char *text,
                                         const routh_optimum_options *options, routh_error *error)
{
    const routh_optimum_options o = options ? *options : routh_optimum_defaults();
    routh_model *set = NULL;
    *optimum = NULL;
    if (!model || !study)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "the model or the study is NULL");
    routh_status status =
        o.n_settings ? rt_model_again(&set, model, o.settings, o.n_settings, error) : ROUTH_OK;
    if (!status) status = optimise(optimum, set ? set : model, study, text, &o, error);
    routh_model_free(set);
    return status;
}

void routh_optimum_free(routh_optimum *o)
{
    if (!o) return;
    for (int k = 0; o->variables && k <= o->n_variables; k++) free(o->variables[k].name);
    for (int k = 0; o->goals && k <= o->n_goals; k++) {
        free(o->goals[k].name);
        free(o->goals[k].what);
        free(o->goals[k].unit);
    }
    free(o->variables);
    free(o->goals);
    free(o->title);
    free(o->file);
    free(o->study);
    free(o);
}
