/* An expression of parameters with its derivatives: parameters in terms of others are put in for
 * their names until only those are left that are numbers. It is in the model's units, whatever
 * those of its parts are. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "studies/optimise_values.h"

typedef struct optimise_expression_names {
    const routh_model *model;
    rt_graph *graph;
} optimise_expression_names;

static bool optimise_expression_parameter(void *context, const char *name, rt_expr *out,
                                          char *problem)
{
    const optimise_expression_names *n = context;
    const rt_parameter *p = n->model->parameters;
    int k = 0;
    rt_unit by;
    while (k < n->model->n_parameters && strcmp(p[k].name, name) != 0) k++;
    if (k == n->model->n_parameters) return false;
    *out = rt_input(n->graph, k);
    if (!rt_parameter_factor(&p[k], n->model->units, &by)) {
        char own[RT_UNITS_TEXT], units[RT_UNITS_TEXT];
        snprintf(problem, 256,
                 "the parameter '%.60s' is in units of %s and this in those of %s, and nothing "
                 "says what it is of; write it with a unit in its file, such as 60 kN/m",
                 name, rt_units_text(p[k].units, own), rt_units_text(n->model->units, units));
        return false;
    }
    if (rt_unit_value(&by, 1) != 1) *out = rt_times_unit(n->graph, *out, &by);
    return true;
}

static bool optimise_expression_no_call(void *context, const char *name,
                                        const rt_call_argument *arguments, int n, rt_expr *out,
                                        char *problem)
{
    (void)context, (void)name, (void)arguments, (void)n, (void)out, (void)problem;
    return false;
}

/* e in independent parameters alone; there is no circle, so that it ends. */
static rt_expr substitute(const routh_model *model, rt_graph *graph, rt_expr e, rt_arena *arena)
{
    const int n = model->n_parameters;
    rt_expr *instead = RT_TAKE(arena, rt_expr, n);
    int *slots = RT_TAKE(arena, int, n);
    if (!instead || !slots) return RT_NO_EXPR;
    for (int k = 0; k < n; k++) instead[k] = model->parameters[k].number.expr;
    for (int pass = 0; pass <= n && e >= 0; pass++) {
        const int uses = rt_inputs_of(graph, e, slots, n);
        bool dependent = false;
        if (uses < 0) return RT_NO_EXPR;
        for (int k = 0; k < uses; k++) dependent |= instead[slots[k]] != RT_NO_EXPR;
        if (!dependent) return e;
        e = rt_substitute(graph, e, instead, n);
    }
    return e;
}

static routh_status optimise_expression_evaluate(const routh_model *model, rt_graph *graph,
                                                 rt_expr e, const int *parameters, int n,
                                                 double *value, double *by, rt_arena *arena,
                                                 routh_error *error)
{
    const int n_p = model->n_parameters;
    rt_expr *all = RT_TAKE(arena, rt_expr, n + 1);
    int *slots = RT_TAKE(arena, int, n_p);
    double *inputs = RT_TAKE(arena, double, n_p), *out = RT_TAKE(arena, double, n + 1);
    if (!all || !slots || !inputs || !out) return rt_fail_memory(error);
    all[0] = substitute(model, graph, e, arena);
    for (int k = 0; k < n; k++) all[k + 1] = rt_derivative(graph, all[0], parameters[k]);
    for (int k = 0; k <= n; k++)
        if (all[k] < 0) return rt_fail_memory(error);
    for (int k = 0; k < n_p; k++) slots[k] = k, inputs[k] = model->parameters[k].number.value;
    const rt_tape *tape = rt_tape_compile(graph, all, n + 1, slots, n_p, arena);
    double *work = tape ? RT_TAKE(arena, double, rt_tape_work(tape)) : NULL;
    if (!work) return rt_fail_memory(error);
    rt_tape_evaluate(tape, inputs, out, work);
    for (int k = 0; k <= n; k++)
        if (!isfinite(out[k]))
            return rt_fail(error, ROUTH_NUMERIC_ERROR, "its %s is not finite",
                           k ? "derivative" : "value");
    *value = out[0];
    memcpy(by, out + 1, (size_t)n * sizeof *by);
    return ROUTH_OK;
}

routh_status rt_expression_by(const routh_model *model, const char *text, const int *parameters,
                              int n, double *value, double *by, routh_error *error)
{
    rt_arena arena = {0};
    rt_expr e;
    optimise_expression_names known = {model, rt_graph_clone(model->graph)};
    if (!known.graph) return rt_fail_memory(error);
    const rt_resolver resolver = {.context = &known,
                                  .quantity = optimise_expression_parameter,
                                  .call = optimise_expression_no_call,
                                  .units = model->units};
    routh_status status = rt_parse(known.graph, text, &resolver, &e, error);
    if (!status)
        status = optimise_expression_evaluate(model, known.graph, e, parameters, n, value, by,
                                              &arena, error);
    rt_graph_free(known.graph);
    rt_arena_free(&arena);
    return status;
}
