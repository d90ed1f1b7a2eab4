/* The study file: variables, goals, and how to go about it. */
#include "studies/optimise_study.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/suggest.h"
#include "model/yaml.h"
#include "studies/optimise_study_fields.h"

/* ---- variables ------------------------------------------------------------------------------- */

static const char *const variable_keys[] = {"between", "start", "scale", NULL};

static routh_status optimise_study_find_parameter(rt_study_reader *r, const rt_yaml *entry,
                                                  int *parameter)
{
    const routh_model *model = r->model;
    const char **names = RT_TAKE(&r->study->arena, const char *, model->n_parameters + 1);
    if (!names) return rt_fail_memory(r->error);
    for (int k = 0; k < model->n_parameters; k++) {
        names[k] = model->parameters[k].name;
        if (strcmp(names[k], entry->key) == 0) return *parameter = k, ROUTH_OK;
    }
    const char *near = rt_suggest(entry->key, names);
    return rt_study_fail(r, entry->key_place, "the model has no parameter of this name%s%s%s",
                         near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static routh_status optimise_study_read_variable(rt_study_reader *r, const rt_yaml *entry,
                                                 rt_study_variable *v)
{
    static const char *const scales[] = {"linear", "log", NULL};
    int scale = 0;
    snprintf(r->element, sizeof r->element, "variable %.80s", entry->key);
    routh_status status = rt_study_keys(r, entry, variable_keys);
    if (!status) status = optimise_study_find_parameter(r, entry, &v->parameter);
    if (status) return status;
    *v = (rt_study_variable){
        .name = entry->key, .place = entry->key_place, .parameter = v->parameter};
    v->start = r->model->parameters[v->parameter].number.value;
    const rt_yaml *between = rt_yaml_find(entry, "between"), *start = rt_yaml_find(entry, "start");
    if (!between)
        return rt_study_fail(r, entry->place,
                             "`between` is missing; give the two bounds of the "
                             "variable");
    double bounds[2];
    const rt_parameter *p = &r->model->parameters[v->parameter];
    const rt_study_unit own = {.units = p->units, .dimension = p->dimension};
    status = rt_study_numbers(r, between, "between", &own, 2, bounds);
    if (!status && start) status = rt_study_number(r, start, "start", &own, &v->start);
    if (!status) status = rt_study_choice(r, rt_yaml_find(entry, "scale"), "scale", scales, &scale);
    if (status) return status;
    v->low = bounds[0], v->high = bounds[1], v->logarithmic = scale == 1;
    if (!(v->low < v->high))
        return rt_study_fail(r, between->place,
                             "the lower bound %g is not below the upper bound "
                             "%g; correct `between`",
                             v->low, v->high);
    if (v->logarithmic && !(v->low > 0))
        return rt_study_fail(r, between->place,
                             "the lower bound is %g, but a logarithmic scale needs positive "
                             "bounds; correct `between`, or leave out `scale`",
                             v->low);
    if (!(v->start >= v->low && v->start <= v->high))
        return rt_study_fail(r, start ? start->place : between->place,
                             "the initial value %g is not between %g and %g%s", v->start, v->low,
                             v->high, start ? "" : "; give another with `start`");
    return ROUTH_OK;
}

static routh_status read_variables(rt_study_reader *r, const rt_yaml *section)
{
    rt_study *s = r->study;
    if (!section || section->kind != RT_YAML_MAPPING || section->count == 0)
        return rt_study_fail(r, section ? section->place : r->root->place,
                             "`variables` is missing; name the parameters to change, each with its "
                             "bounds: variables: {k: {between: [1e3, 1e5]}}");
    s->variables = RT_TAKE(&s->arena, rt_study_variable, section->count);
    if (!s->variables) return rt_fail_memory(r->error);
    for (const rt_yaml *entry = section->first; entry; entry = entry->next) {
        const routh_status status =
            optimise_study_read_variable(r, entry, &s->variables[s->n_variables]);
        if (status) return status;
        s->n_variables++;
    }
    return ROUTH_OK;
}

/* ---- goals ----------------------------------------------------------------------------------- */

static const char *const kinds[] = {"frequency", "damping_ratio", "real_part",
                                    "peak",      "expression",    NULL};
static const char *const goal_keys[] = {
    "frequency", "damping_ratio", "real_part", "peak",   "expression", "input",   "base",
    "as",        "over",          "subbands",  "at",     "at_least",   "at_most", "between",
    "minimise",  "maximise",      "near",      "weight", NULL};

/* `all`, a number, or a list of them */
static routh_status read_modes(rt_study_reader *r, const rt_yaml *node, rt_study_goal *g)
{
    if (node->kind == RT_YAML_SCALAR && strcmp(node->text, "all") == 0) return ROUTH_OK;
    const bool list = node->kind == RT_YAML_LIST;
    if (node->kind == RT_YAML_MAPPING || (list && node->count == 0))
        return rt_study_fail(r, node->place,
                             "the modes are not valid; give a number as in routh modes, a list of "
                             "numbers, or `all`");
    g->modes = RT_TAKE(&r->study->arena, int, list ? node->count : 1);
    if (!g->modes) return rt_fail_memory(r->error);
    for (const rt_yaml *at = list ? node->first : node; at; at = list ? at->next : NULL) {
        const routh_status status =
            rt_study_count(r, at, "the number of a mode", 1, 100000, &g->modes[g->n_modes]);
        if (status) return status;
        g->n_modes++;
    }
    return ROUTH_OK;
}

static routh_status read_peak(rt_study_reader *r, const rt_yaml *entry, rt_study_goal *g)
{
    static const char *const axes[] = {"", "x", "y", "z", NULL};
    static const char *const motions[] = {"displacement", "velocity", "acceleration", NULL};
    const rt_yaml *over = rt_yaml_find(entry, "over"), *input = rt_yaml_find(entry, "input"),
                  *base = rt_yaml_find(entry, "base"), *subbands = rt_yaml_find(entry, "subbands");
    int axis = 0, motion = 0;
    if (!over)
        return rt_study_fail(r, entry->place,
                             "`over` is missing; give the band of the peak in Hz, such as [0.3, "
                             "6]");
    if (!input == !base)
        return rt_study_fail(r, entry->place,
                             "a peak needs one input; give either `input`, or `base` for the "
                             "ground");
    routh_status status = rt_study_numbers(r, over, "over", &rt_study_frequency, 2, g->band);
    if (!status && input) status = rt_study_word(r, input, "input", &g->input);
    if (!status) status = rt_study_choice(r, base, "base", axes, &axis);
    if (!status) status = rt_study_choice(r, rt_yaml_find(entry, "as"), "as", motions, &motion);
    if (!status && subbands) status = rt_study_count(r, subbands, "subbands", 1, 1000, &g->pieces);
    if (status) return status;
    if (!(g->band[0] > 0 && g->band[0] < g->band[1]))
        return rt_study_fail(r, over->place,
                             "the band from %g to %g is not valid; give two positive frequencies, "
                             "the smaller first",
                             g->band[0], g->band[1]);
    g->base = (routh_base_axis)axis, g->reference = (routh_motion_reference)motion;
    return ROUTH_OK;
}

static routh_status read_what(rt_study_reader *r, const rt_yaml *entry, rt_study_goal *g)
{
    static const char *const of_peaks[] = {"input", "base", "as", "over", "subbands"};
    const rt_yaml *what = NULL;
    for (int k = 0; kinds[k]; k++) {
        const rt_yaml *node = rt_yaml_find(entry, kinds[k]);
        if (!node) continue;
        if (what)
            return rt_study_fail(r, node->key_place,
                                 "a goal has one quantity, and `%s` is given already; leave out "
                                 "one",
                                 what->key);
        what = node, g->kind = (rt_goal_kind)k;
    }
    if (!what)
        return rt_study_fail(r, entry->place,
                             "the quantity is missing; give frequency, damping_ratio, real_part, "
                             "peak or expression");
    for (int k = 0; k < 5 && g->kind != RT_GOAL_PEAK; k++) {
        const rt_yaml *node = rt_yaml_find(entry, of_peaks[k]);
        if (node)
            return rt_study_fail(r, node->key_place, "`%s` needs `peak`; add it, or remove this",
                                 of_peaks[k]);
    }
    if (g->kind < RT_GOAL_PEAK) return read_modes(r, what, g);
    g->text_place = what->place;
    const routh_status status = rt_study_word(r, what, what->key, &g->text);
    return status || g->kind == RT_GOAL_EXPRESSION ? status : read_peak(r, entry, g);
}

static bool has_units_of_parts(const routh_model *model)
{
    for (int k = 0; k < model->n_parameters; k++)
        if (!rt_same_units(model->parameters[k].units, model->units)) return true;
    return false;
}

/* What a goal's quantity is in: modes are in SI, an expression in the model's units, and a response
 * as the numbers of its output and input are, which are those of their files. */
static rt_study_unit unit_of_goal(const rt_study_reader *r, const rt_study_goal *g)
{
    rt_study_unit of = {.units = r->model->units};
    double value;
    if (g->kind == RT_GOAL_FREQUENCY) return rt_study_frequency;
    if (g->kind == RT_GOAL_REAL_PART) return rt_study_rate;
    if (g->kind == RT_GOAL_DAMPING)
        return (rt_study_unit){.dimension = {.known = true, .unit = {.mantissa = 1}}};
    if (g->kind == RT_GOAL_PEAK) of.bare = has_units_of_parts(r->model);
    /* what is wrong in it is told where it is taken */
    if (g->kind == RT_GOAL_EXPRESSION)
        rt_model_evaluate_in(r->model, g->text, of.units, &of.dimension, &value, NULL);
    return of;
}

static routh_status read_bounds(rt_study_reader *r, const rt_yaml *entry, rt_study_goal *g)
{
    static const char *const names[] = {"at", "at_least", "at_most", "between"};
    const rt_yaml *given[4];
    const rt_study_unit of = unit_of_goal(r, g);
    double number[2];
    for (int k = 0; k < 4; k++) given[k] = rt_yaml_find(entry, names[k]);
    g->low = -INFINITY, g->high = INFINITY;
    const int n = !!given[0] + (given[1] || given[2]) + !!given[3];
    if (n > 1)
        return rt_study_fail(r, entry->place,
                             "`at`, `between`, and `at_least` with `at_most` exclude each other; "
                             "give one of them");
    routh_status status = ROUTH_OK;
    if (given[0]) {
        status = rt_study_number(r, given[0], "at", &of, &g->low);
        g->high = g->low;
    }
    if (!status && given[1]) status = rt_study_number(r, given[1], "at_least", &of, &g->low);
    if (!status && given[2]) status = rt_study_number(r, given[2], "at_most", &of, &g->high);
    if (!status && given[3]) {
        status = rt_study_numbers(r, given[3], "between", &of, 2, number);
        if (!status) g->low = number[0], g->high = number[1];
    }
    if (status) return status;
    if (given[0] && g->kind == RT_GOAL_PEAK)
        return rt_study_fail(r, given[0]->key_place,
                             "a peak cannot have `at`, `at_least` or "
                             "`between`; use `at_most`");
    if (given[0] || g->low < g->high) return ROUTH_OK;
    return rt_study_fail(r, entry->place,
                         "the lower bound %g is not below the upper bound %g; "
                         "correct them",
                         g->low, g->high);
}

static routh_status read_wish(rt_study_reader *r, const rt_yaml *entry, rt_study_goal *g)
{
    static const char *const names[] = {"minimise", "maximise", "near"};
    const rt_yaml *weight = rt_yaml_find(entry, "weight"), *wish = NULL;
    const rt_study_unit of = unit_of_goal(r, g), any = {.units = r->model->units};
    g->weight = 1, g->target = NAN;
    routh_status status = ROUTH_OK;
    for (int k = 0; k < 3 && !status; k++) {
        const rt_yaml *node = rt_yaml_find(entry, names[k]);
        bool truth = true;
        if (!node) continue;
        if (k < 2) status = rt_study_truth(r, node, names[k], &truth);
        if (k == 2) status = rt_study_number(r, node, "near", &of, &g->target);
        if (status || !truth) continue;
        if (wish)
            return rt_study_fail(r, node->key_place,
                                 "`%s` and `%s` exclude each other; remove "
                                 "one",
                                 wish->key, names[k]);
        wish = node, g->wish = (routh_wish)(ROUTH_WISH_MINIMISE + k);
    }
    if (!status && weight) status = rt_study_number(r, weight, "weight", &any, &g->weight);
    if (status) return status;
    if (weight && !wish)
        return rt_study_fail(r, weight->key_place,
                             "`weight` needs `minimise`, `maximise` or `near`; add one of them, or "
                             "remove `weight`");
    if (!(g->weight > 0))
        return rt_study_fail(r, weight->place,
                             "the weight is %g, but it must be "
                             "positive",
                             g->weight);
    if (g->kind == RT_GOAL_PEAK && (g->wish > ROUTH_WISH_MINIMISE || isfinite(g->low)))
        return rt_study_fail(r, entry->place,
                             "a peak takes `minimise` or `at_most` only; leave out the others");
    if (!wish && !isfinite(g->low) && !isfinite(g->high))
        return rt_study_fail(r, entry->place,
                             "the target is missing; give at, at_least, at_most, between, "
                             "minimise, maximise or near");
    return ROUTH_OK;
}

static routh_status read_goals(rt_study_reader *r, const rt_yaml *section)
{
    rt_study *s = r->study;
    if (!section || section->kind != RT_YAML_MAPPING || section->count == 0)
        return rt_study_fail(r, section ? section->place : r->root->place,
                             "`goals` is missing; give each goal a name: goals: {bounce: "
                             "{frequency: 1, at: 1.2}}");
    s->goals = RT_TAKE(&s->arena, rt_study_goal, section->count);
    if (!s->goals) return rt_fail_memory(r->error);
    for (const rt_yaml *entry = section->first; entry; entry = entry->next) {
        rt_study_goal *g = &s->goals[s->n_goals];
        snprintf(r->element, sizeof r->element, "goal %.80s", entry->key);
        *g = (rt_study_goal){.name = entry->key, .place = entry->key_place, .pieces = 16};
        routh_status status = rt_study_keys(r, entry, goal_keys);
        if (!status) status = read_what(r, entry, g);
        if (!status) status = read_bounds(r, entry, g);
        if (!status) status = read_wish(r, entry, g);
        if (status) return status;
        s->n_goals++;
    }
    return ROUTH_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static routh_status read_how(rt_study_reader *r)
{
    rt_study *s = r->study;
    const char *names[8] = {NULL};
    for (int k = 0; k < 7 && routh_optimum_algorithm_name(k); k++)
        names[k] = routh_optimum_algorithm_name(k);
    const rt_yaml *tolerance = rt_yaml_find(r->root, "tolerance"),
                  *most = rt_yaml_find(r->root, "evaluations"),
                  *time = rt_yaml_find(r->root, "time");
    int algorithm = 0;
    s->tolerance = 1e-8, s->evaluations = 500, s->seconds = INFINITY;
    routh_status status =
        rt_study_choice(r, rt_yaml_find(r->root, "algorithm"), "algorithm", names, &algorithm);
    s->algorithm = names[algorithm];
    if (!status && tolerance)
        status = rt_study_number(r, tolerance, "tolerance", NULL, &s->tolerance);
    if (!status && most)
        status = rt_study_count(r, most, "evaluations", 1, 1000000, &s->evaluations);
    if (!status && time) status = rt_study_number(r, time, "time", &rt_study_time, &s->seconds);
    if (status) return status;
    if (!(s->tolerance > 0 && s->tolerance < 1))
        return rt_study_fail(r, tolerance->place,
                             "the tolerance is %g, but it must be between 0 "
                             "and 1",
                             s->tolerance);
    if (!(s->seconds > 0))
        return rt_study_fail(r, time->place,
                             "the time is %g s, but it must be "
                             "positive",
                             s->seconds);
    return ROUTH_OK;
}

static routh_status read_study(rt_study_reader *r)
{
    static const char *const keys[] = {"title",     "variables",   "goals", "algorithm",
                                       "tolerance", "evaluations", "time",  NULL};
    const rt_yaml *title;
    routh_status status = rt_study_keys(r, r->root, keys);
    if (status) return status;
    r->study->title = "";
    if ((title = rt_yaml_find(r->root, "title")))
        status = rt_study_word(r, title, "title", &r->study->title);
    if (!status) status = read_how(r);
    if (!status) status = read_variables(r, rt_yaml_find(r->root, "variables"));
    r->element[0] = '\0';
    return status ? status : read_goals(r, rt_yaml_find(r->root, "goals"));
}

routh_status rt_study_parse(rt_study *s, const char *text, size_t length, const char *name,
                            const routh_model *model, routh_error *error)
{
    *s = (rt_study){0};
    rt_study_reader r = {.study = s, .model = model, .error = error};
    s->file = rt_arena_text(&s->arena, name, strlen(name));
    if (!s->file) return rt_fail_memory(error);
    const routh_status status = rt_yaml_parse(&r.root, text, length, s->file, &s->arena, error);
    return status ? status : read_study(&r);
}

routh_status rt_study_read(rt_study *s, const char *path, const routh_model *model,
                           routh_error *error)
{
    rt_file file = {0};
    *s = (rt_study){0};
    routh_status status = rt_file_read(path, &file, error);
    if (status) return status;
    status = rt_study_parse(s, file.bytes, file.length, path, model, error);
    free(file.bytes);
    return status;
}

void rt_study_free(rt_study *s)
{
    rt_arena_free(&s->arena);
    *s = (rt_study){0};
}
