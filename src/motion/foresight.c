#include "motion/foresight.h"

#include <stdlib.h>

static int list_functions_of_joints(const routh_model *model, rt_expr *list)
{
    int n = 0;
    for (int k = 0; k < model->n_joints; k++) {
        list[n++] = model->joints[k].function.expr;
        for (int i = 0; i < model->joints[k].n_functions; i++)
            list[n++] = model->joints[k].functions[i].expr;
    }
    return n;
}

/* Functions that the motion feels: not outputs, nor states of the user's own. */
static int list_functions(const routh_model *model, rt_expr *list)
{
    int n = list_functions_of_joints(model, list);
    for (int k = 0; k < model->n_loads; k++)
        for (int i = 0; i < RT_LOAD_FUNCTIONS; i++) list[n++] = model->loads[k].function[i].expr;
    for (int k = 0; k < model->n_variables; k++) list[n++] = model->variables[k].value.expr;
    for (int k = 0; k < model->n_control_states; k++)
        list[n++] = model->control_states[k].equation.expr;
    for (int k = 0; k < model->n_inputs; k++) list[n++] = model->inputs[k].history.expr;
    for (int k = 0; k < model->n_events; k++) list[n++] = model->events[k].when.expr;
    return n;
}

/* Variables, and inputs that follow a history, in place of what reads them: a clock may be a
 * signal. So often as one may read another that reads a third. */
static bool put_signals_in(rt_graph *graph, const routh_model *model, rt_expr *list, int n)
{
    enum { DEPTH = 4 };
    const int n_slots = model->n_quantities;
    rt_expr *by = malloc(((size_t)n_slots + 1) * sizeof *by);
    bool any = false, good = by;
    for (int k = 0; k < n_slots && good; k++) {
        const rt_quantity *q = &model->quantities[k];
        by[k] = RT_NO_EXPR;
        if (q->kind == RT_QUANTITY_VARIABLE) by[k] = model->variables[q->index].value.expr;
        if (q->kind == RT_QUANTITY_INPUT) by[k] = model->inputs[q->index].history.expr;
        any = any || by[k] >= 0;
    }
    for (int d = 0; d < DEPTH && any; d++)
        for (int k = 0; k < n && good; k++)
            if (list[k] >= 0) good = (list[k] = rt_substitute(graph, list[k], by, n_slots)) >= 0;
    free(by);
    return good;
}

static size_t most_functions(const routh_model *model)
{
    return (size_t)model->n_loads * RT_LOAD_FUNCTIONS +
           (size_t)model->n_joints * (1 + RT_MOST_ROW_FUNCTIONS) + (size_t)model->n_variables +
           (size_t)model->n_control_states + (size_t)model->n_inputs + (size_t)model->n_events;
}

static routh_status foresight_create(rt_foresight *f, const routh_mechanism *m, bool all,
                                     routh_error *error)
{
    const routh_model *model = m->model;
    const int n_slots = model->n_quantities;
    *f = (rt_foresight){.inputs = calloc((size_t)n_slots + 1, sizeof(double))};
    rt_expr *list = calloc(most_functions(model) + 1, sizeof *list);
    bool *known = calloc((size_t)n_slots + 1, sizeof *known);
    int time = -1;
    for (int k = 0; k < n_slots && known; k++) {
        const rt_quantity *q = &model->quantities[k];
        known[k] = rt_is_constant_quantity(q);
        if (q->kind == RT_QUANTITY_TIME) time = k;
    }
    f->graph = time < 0 ? NULL : rt_graph_clone(model->graph);
    const bool ready = f->inputs && list && known && (time < 0 || f->graph);
    const int n = !ready ? 0
                  : all  ? list_functions(model, list)
                         : list_functions_of_joints(model, list);
    routh_status status = ready && (time < 0 || put_signals_in(f->graph, model, list, n))
                              ? ROUTH_OK
                              : rt_fail_memory(error);
    if (!status)
        status = rt_clock_create(&f->clock, f->graph, list, n, known, n_slots, time, error);
    free(list);
    free(known);
    f->n = rt_clock_count(f->clock);
    f->sizes = calloc((size_t)f->n + 1, sizeof *f->sizes);
    return !status && !f->sizes ? rt_fail_memory(error) : status;
}

routh_status rt_foresight_create(rt_foresight *f, const routh_mechanism *m, routh_error *error)
{
    return foresight_create(f, m, true, error);
}

routh_status rt_foresight_create_of_positions(rt_foresight *f, const routh_mechanism *m,
                                              routh_error *error)
{
    return foresight_create(f, m, false, error);
}

void rt_foresight_release(rt_foresight *f)
{
    rt_clock_free(f->clock);
    rt_graph_free(f->graph);
    free(f->inputs);
    free(f->sizes);
    *f = (rt_foresight){0};
}

/* What the integrator may try: run->step, or, where it chooses anew, no more than 1e4 times that,
 * the growth after a first step of CVODE and IDA. Where nothing is known, as much as may be. */
static double farthest_try(const rt_run *run)
{
    static const double some = 1e3, growth = 1e4;
    const double t = run->now->t, by = run->integrator->tells_step ? 1 : growth;
    const double step = fmin(run->step > 0 ? by * run->step : INFINITY, run->largest_step);
    const double to = fmin(run->limit, t + step);
    return isfinite(to) ? to : t + some;
}

static void foresight_take_parameters(rt_foresight *f, const routh_mechanism *m)
{
    for (int k = 0; k < m->model->n_quantities; k++) {
        const rt_quantity *q = &m->model->quantities[k];
        if (rt_is_constant_quantity(q)) f->inputs[k] = m->parameters[q->index];
    }
}

bool rt_foresight_is_seen(rt_foresight *f, const routh_mechanism *m, double a, double b,
                          double least)
{
    static const double part = 1e-9; /* of a function's size does not count (rt_clock_limit) */
    if (!f->clock) return true;
    foresight_take_parameters(f, m);
    for (int k = 0; k < f->n; k++) f->sizes[k] = least / part;
    return rt_clock_limit(f->clock, f->inputs, f->sizes, a, b) >= b;
}

double rt_foresight_limit(rt_foresight *f, const rt_run *run)
{
    const routh_mechanism *m = run->m;
    if (!f->clock || run->fixed_step > 0) return run->limit;
    foresight_take_parameters(f, m);
    const double to = farthest_try(run);
    const double limit = rt_clock_limit(f->clock, f->inputs, f->sizes, run->now->t, to);
    return limit < to ? fmin(limit, run->limit) : run->limit;
}
