/* Names of signals: who has them, and what they mean in expressions. */
#include "model/scope.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- taking names ---------------------------------------------------------------------------- */

routh_status rt_start_signals(rt_reader *r, int n)
{
    struct rt_model_index *x = r->index;
    x->named = RT_TAKE(&r->model->arena, rt_signal_name, n);
    if (!x->named || !rt_names_init(&x->signals, n, &r->model->arena))
        return rt_fail_memory(r->error);
    return ROUTH_OK;
}

routh_status rt_name_signal(rt_reader *r, rt_place place, const char *name, const char *what,
                            rt_quantity_kind kind, int index)
{
    struct rt_model_index *x = r->index;
    const int old = rt_names_find(&x->signals, name);
    if (old >= 0 || rt_names_find(&x->parameters, name) >= 0)
        return rt_reader_fail(r, place,
                              "the name '%.100s' is that of %s already; choose another, since "
                              "expressions know both by it",
                              name, old >= 0 ? x->named[old].what : "a parameter");
    rt_names_add(&x->signals, name, x->n_named);
    x->named[x->n_named++] = (rt_signal_name){.name = name,
                                              .what = what,
                                              .kind = kind,
                                              .index = index,
                                              .units = rt_units_of_scope(r, r->scope)};
    return ROUTH_OK;
}

void rt_note_given_input(rt_reader *r, const rt_yaml *expression)
{
    rt_signal_name *last = &r->index->named[r->index->n_named - 1];
    last->given = expression;
    last->scope = r->scope;
}

void rt_note_signal(rt_reader *r, const char *unit, const rt_yaml *expression,
                    const struct rt_scope *owner)
{
    rt_signal_name *last = &r->index->named[r->index->n_named - 1];
    last->unit = unit;
    last->expression = expression;
    last->scope = r->scope;
    last->units = rt_units_of_scope(r, owner);
}

/* Where the text of the units of a signal is kept; NULL: it is none that states have. */
static const char **units_of_signal(routh_model *m, const rt_signal_name *signal)
{
    if (signal->index < 0) return NULL;
    switch (signal->kind) {
    case RT_QUANTITY_STATE: return &m->control_states[signal->index].units;
    case RT_QUANTITY_VARIABLE: return &m->variables[signal->index].units;
    case RT_QUANTITY_INPUT: return &m->inputs[signal->index].units;
    default: return NULL;
    }
}

/* The text of these units, once for all signals of a file after one another. */
static const char *keep_units(rt_reader *r, const rt_unit_system *units, const char *last)
{
    char text[RT_UNITS_TEXT];
    rt_units_text(units, text);
    if (last && !strcmp(last, text)) return last;
    return rt_arena_text(&r->model->arena, text, strlen(text));
}

routh_status rt_keep_signal_units(rt_reader *r)
{
    routh_model *m = r->model;
    const char *last = NULL;
    for (int k = 0; k < r->index->n_named; k++) {
        const char **units = units_of_signal(m, &r->index->named[k]);
        if (!units) continue;
        *units = last = keep_units(r, r->index->named[k].units, last);
        if (!last) return rt_fail_memory(r->error);
    }
    for (int k = 0; k < m->n_inputs; k++) { /* parameters that are free in a steady motion */
        const int p = rt_names_find(&r->index->parameters, m->inputs[k].name);
        if (p < 0) continue;
        m->inputs[k].units = last = keep_units(r, m->parameters[p].units, last);
        if (!last) return rt_fail_memory(r->error);
    }
    return ROUTH_OK;
}

const rt_signal_name *rt_signal_named(const rt_reader *r, const char *full)
{
    const int k = rt_names_find(&r->index->signals, full);
    return k < 0 ? NULL : &r->index->named[k];
}

const char *rt_dotted_name(rt_reader *r, const char *first, const char *second)
{
    const size_t n = strlen(first), m = strlen(second);
    char *text = rt_arena_take(&r->model->arena, n + m + 2, 1);
    if (!text) return NULL;
    memcpy(text, first, n);
    text[n] = '.';
    memcpy(text + n + 1, second, m + 1);
    return text;
}

/* ---- in expressions -------------------------------------------------------------------------- */

static const rt_signal_name *signals_find_signal(rt_reader *r, const char *name)
{
    const int k = rt_names_find(&r->index->signals, rt_full_name_or_none(r, name));
    return k < 0 ? NULL : &r->index->named[k];
}

/* A controller whose name is that of none of its signals: says what they are. */
static void explain_controller(const rt_reader *r, const rt_signal_name *controller, char *problem)
{
    const struct rt_model_index *x = r->index;
    const size_t n = strlen(controller->name);
    for (int k = 0; k < x->n_named; k++)
        if (!strncmp(x->named[k].name, controller->name, n) && x->named[k].name[n] == '.') {
            snprintf(problem, 256,
                     "'%.60s' is a controller with several signals; name one of them, such as "
                     "%.100s",
                     controller->name, x->named[k].name);
            return;
        }
}

static bool is_allowed(const rt_reader *r, const rt_signal_name *signal)
{
    if (r->allowed == RT_ALLOW_ALL) return true;
    return r->allowed == RT_ALLOW_TIME && signal->kind == RT_QUANTITY_INPUT;
}

static void explain_refusal(const rt_reader *r, const rt_signal_name *signal, char *problem)
{
    if (r->allowed == RT_ALLOW_TIME_ALONE)
        snprintf(problem, 256,
                 "'%.60s' is %.20s and cannot be used here: the history of an input may depend on "
                 "time and parameters only",
                 signal->name, signal->what);
    else if (r->allowed == RT_ALLOW_TIME)
        snprintf(problem, 256,
                 "'%.60s' is %.20s and cannot be used here: a motion may depend on time, "
                 "parameters and inputs only",
                 signal->name, signal->what);
    else
        snprintf(problem, 256,
                 "'%.60s' is %.20s and cannot be used here: constraints and states are made of "
                 "measures, time and parameters",
                 signal->name, signal->what);
}

static bool is_output(rt_reader *r, const char *name)
{
    const char *full = rt_full_name_or_none(r, name);
    for (const rt_yaml *entry = r->outputs ? r->outputs->first : NULL; entry; entry = entry->next)
        if (entry->key && !strcmp(entry->key, full)) return true;
    return false;
}

/* A name that no quantity has: of a marker, an output, or the last part of a controller's signal.
 * Says nothing of others, nor of the numbers that the expressions know. */
static void explain_unknown(rt_reader *r, const char *name, char *problem)
{
    const struct rt_model_index *x = r->index;
    const int point = rt_names_find(&x->points, rt_full_name_or_none(r, name));
    if (!strcmp(name, "e") || !strcasecmp(name, "pi")) return;
    if (point >= 0) {
        snprintf(problem, 256,
                 "'%.60s' is a %s and has no value of its own; write a measure of it, such as "
                 "DX(%.60s)",
                 name, point < r->model->n_bodies ? "body" : "marker", name);
        return;
    }
    if (is_output(r, name)) {
        snprintf(problem, 256,
                 "'%.60s' is an output, which expressions cannot use; write it under `variables` "
                 "by another name, which output and expression can use",
                 name);
        return;
    }
    for (int k = 0; k < x->n_named; k++) {
        const char *dot = strchr(x->named[k].name, '.');
        if (dot && !strcmp(dot + 1, name)) {
            snprintf(problem, 256, "the name '%.60s' is not known; did you mean '%.120s'?", name,
                     x->named[k].name);
            return;
        }
    }
}

/* Where a motion uses a part's input, what that was given, if it is of time, inputs and
 * parameters. */
static bool follow_input(rt_reader *r, const rt_signal_name *signal, rt_expr *out, char *problem)
{
    enum { MOST = 64 };
    const struct rt_scope *scope = r->scope;
    const rt_place place = r->function_place;
    routh_error unheard = {0}, *error = r->error;
    const char *unit = r->unit;
    rt_function f = {.expr = RT_NO_EXPR};
    if (r->following >= MOST) {
        snprintf(problem, 256, "the input '%.60s' is given to itself", signal->name);
        return false;
    }
    r->following++;
    r->scope = signal->scope;
    r->error = &unheard;
    r->unit = NULL; /* what is given is a signal's: in the model's units */
    const routh_status status = r->read_function(r, signal->given, "expression", RT_ALLOW_TIME, &f);
    const bool passes = !status && rt_function_for_signal(r, signal, &f, problem);
    r->following--;
    r->scope = scope;
    r->error = error;
    r->unit = unit;
    r->function_place = place;
    if (status == ROUTH_OUT_OF_MEMORY) r->calculator.failed = true; /* the reading ends so */
    if (status && !problem[0])
        snprintf(problem, 256,
                 "'%.60s' moves something here, so what the part's `inputs` give it may depend on "
                 "time, parameters and inputs only, unlike '%.60s'",
                 signal->name, signal->given->text ? signal->given->text : "");
    *out = f.expr;
    return passes && rt_signal_in_units(r, signal, out, problem);
}

bool rt_resolve_signal(rt_reader *r, const char *name, rt_expr *out, char *problem)
{
    const rt_signal_name *signal = signals_find_signal(r, name);
    if (!signal) {
        explain_unknown(r, name, problem);
        return false;
    }
    if (r->allowed == RT_ALLOW_TIME && signal->given) return follow_input(r, signal, out, problem);
    if (signal->index < 0)
        explain_controller(r, signal, problem);
    else if (!is_allowed(r, signal))
        explain_refusal(r, signal, problem);
    else {
        *out = rt_signed_expr(r, signal->odd ? rt_mirror_sign(r) : 1,
                              rt_signal_expr(r, signal->kind, signal->index));
        return rt_signal_in_units(r, signal, out, problem);
    }
    return false;
}

static const char *const *state_names(rt_reader *r)
{
    const struct rt_model_index *x = r->index;
    const char **names = RT_TAKE(&r->scratch, const char *, x->n_named + 1);
    int n = 0;
    for (int k = 0; names && k < x->n_named; k++)
        if (x->named[k].kind == RT_QUANTITY_STATE && x->named[k].index >= 0)
            names[n++] = rt_name_in_scope(r, x->named[k].name);
    return names;
}

bool rt_resolve_rate(rt_reader *r, const rt_call_argument *arguments, int n, rt_expr *out,
                     char *problem)
{
    char hint[128];
    if (n != 1 || !arguments[0].name) {
        snprintf(problem, 256, "RATE has one argument, the name of a controller's state");
        return false;
    }
    const char *name = arguments[0].name;
    const rt_signal_name *signal = signals_find_signal(r, name);
    if (!signal) {
        rt_did_you_mean(name, state_names(r), hint, sizeof hint);
        snprintf(problem, 256, "RATE: there is no state '%.60s'%.120s", name, hint);
    } else if (signal->index < 0) {
        explain_controller(r, signal, problem);
    } else if (signal->kind != RT_QUANTITY_STATE) {
        snprintf(problem, 256,
                 "RATE is taken of a controller's state; '%.60s' is %.20s, whose rate is not known",
                 name, signal->what);
    } else if (r->allowed != RT_ALLOW_ALL) {
        explain_refusal(r, signal, problem);
    } else {
        *out = rt_signed_expr(r, signal->odd ? rt_mirror_sign(r) : 1,
                              rt_signal_expr(r, RT_QUANTITY_STATE_RATE, signal->index));
        *out = rt_out_of_si(r, "1/s", *out);
        return rt_signal_in_units(r, signal, out, problem);
    }
    return false;
}

/* ---- for the rooms above --------------------------------------------------------------------- */

int rt_model_find_signal(const routh_model *model, const char *name, rt_quantity_kind *kind)
{
    const int k = rt_names_find(&model->index->signals, name);
    if (k < 0 || model->index->named[k].index < 0) return -2;
    *kind = model->index->named[k].kind;
    return model->index->named[k].index;
}
