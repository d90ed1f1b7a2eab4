/* What a model says of itself after it was read: its words, and expressions of its parameters. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/model.h"

const char *routh_model_title(const routh_model *model) { return model->written_title; }

const char *routh_model_description(const routh_model *model)
{
    return model->description ? model->description : "";
}

typedef struct evaluate_values {
    const routh_model *model;
    rt_graph *graph;
    const rt_unit_system *units; /* of the parameters that it has */
    bool known;
} evaluate_values;

/* The numbers that parameters are in their own files, which must be in one system of units. */
static bool evaluate_parameter(void *context, const char *name, rt_expr *out, char *problem)
{
    evaluate_values *v = context;
    char one[RT_UNITS_TEXT], other[RT_UNITS_TEXT];
    const rt_parameter *p = v->model->parameters;
    int k = 0;
    while (k < v->model->n_parameters && strcmp(p[k].name, name) != 0) k++;
    if (k == v->model->n_parameters) return false;
    if (v->known && !rt_same_units(v->units, p[k].units)) {
        snprintf(problem, 256,
                 "'%.60s' is in units of %s, and what stands before it in those of %s", name,
                 rt_units_text(p[k].units, one), rt_units_text(v->units, other));
        return false;
    }
    v->known = true;
    v->units = p[k].units;
    *out = rt_constant(v->graph, p[k].number.value);
    return true;
}

static bool evaluate_no_call(void *context, const char *name, const rt_call_argument *arguments,
                             int n, rt_expr *out, char *problem)
{
    (void)context, (void)name, (void)arguments, (void)n, (void)out, (void)problem;
    return false;
}

double routh_model_time_unit(const routh_model *model)
{
    return model->units ? rt_unit_value(&model->units->base[2], 1) : 1;
}

routh_status routh_model_evaluate(const routh_model *model, const char *expression, double *value,
                                  routh_error *error)
{
    evaluate_values v = {.model = model, .graph = rt_graph_create(), .units = model->units};
    if (!v.graph) return rt_fail_memory(error);
    rt_resolver resolver = {
        .context = &v, .quantity = evaluate_parameter, .call = evaluate_no_call};
    routh_error problem = {0};
    rt_expr e;
    /* the units of the parameters, and then of the numbers beside them */
    routh_status status = rt_parse(v.graph, expression, &resolver, &e, &problem);
    resolver.units = v.units;
    if (!status) status = rt_parse(v.graph, expression, &resolver, &e, &problem);
    if (!status && !rt_is_constant(v.graph, e, value))
        status = rt_fail(&problem, ROUTH_BAD_ARGUMENT,
                         "it has no value; give a number or an "
                         "expression");
    if (!status && !isfinite(*value))
        status = rt_fail(&problem, ROUTH_BAD_ARGUMENT, "its value is %g", *value);
    rt_graph_free(v.graph);
    if (!status || status == ROUTH_OUT_OF_MEMORY) return status ? rt_fail_memory(error) : ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT, "\"%.200s\": %s", expression, problem.message);
}
