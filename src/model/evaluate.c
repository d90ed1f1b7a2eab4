/* What a model says of itself after it was read: its words, and expressions of its parameters. */
#include <math.h>
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
} evaluate_values;

static bool evaluate_parameter(void *context, const char *name, rt_expr *out, char *problem)
{
    const evaluate_values *v = context;
    (void)problem;
    for (int k = 0; k < v->model->n_parameters; k++)
        if (strcmp(v->model->parameters[k].name, name) == 0) {
            *out = rt_constant(v->graph, v->model->parameters[k].number.value);
            return true;
        }
    return false;
}

static bool evaluate_no_call(void *context, const char *name, const rt_call_argument *arguments,
                             int n, rt_expr *out, char *problem)
{
    (void)context, (void)name, (void)arguments, (void)n, (void)out, (void)problem;
    return false;
}

routh_status routh_model_evaluate(const routh_model *model, const char *expression, double *value,
                                  routh_error *error)
{
    evaluate_values v = {model, rt_graph_create()};
    if (!v.graph) return rt_fail_memory(error);
    const rt_resolver resolver = {.context = &v,
                                  .quantity = evaluate_parameter,
                                  .call = evaluate_no_call,
                                  .units = model->units};
    routh_error problem = {0};
    rt_expr e;
    routh_status status = rt_parse(v.graph, expression, &resolver, &e, &problem);
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
