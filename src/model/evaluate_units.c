/* The value of an expression of parameters in units that are wanted, whatever units the files of
 * its parameters are in. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "model/model.h"
#include "model/scope.h"

typedef struct evaluate_into {
    const routh_model *model;
    rt_graph *graph;
    const rt_unit_system *units; /* that all parameters become ones in */
    const rt_unit_system *names; /* those of the first parameter in others */
    bool foreign, mixed;         /* a parameter is in others; and there are several kinds of them */
    const rt_parameter *unknown; /* of which nothing says how it becomes one in them */
    rt_dimension dimension;      /* of the expression */
    double value;
} evaluate_into;

bool rt_parameter_factor(const rt_parameter *p, const rt_unit_system *units, rt_unit *by)
{
    *by = (rt_unit){.mantissa = 1};
    if (rt_same_units(p->units, units)) return true;
    if (!p->dimension.known) return false;
    const rt_unit one = rt_unit_in_system(p->units, &p->dimension.unit);
    const rt_unit other = rt_unit_in_system(units, &p->dimension.unit);
    *by = rt_unit_over(&one, &other);
    return true;
}

static const rt_parameter *into_find(const evaluate_into *v, const char *name)
{
    for (int k = 0; k < v->model->n_parameters; k++)
        if (!strcmp(v->model->parameters[k].name, name)) return &v->model->parameters[k];
    return NULL;
}

static bool into_parameter(void *context, const char *name, rt_expr *out, char *problem)
{
    evaluate_into *v = context;
    const rt_parameter *p = into_find(v, name);
    rt_unit by;
    (void)problem;
    if (!p) return false;
    if (!rt_same_units(p->units, v->units)) {
        v->mixed = v->mixed || (v->foreign && !rt_same_units(p->units, v->names));
        if (!v->foreign) v->names = p->units;
        v->foreign = true;
    } else {
        v->mixed = true;
    }
    if (!rt_parameter_factor(p, v->units, &by)) v->unknown = p;
    *out = rt_constant(v->graph, rt_unit_value(&by, p->number.value));
    return true;
}

static rt_dimension into_dimension(void *context, const char *name)
{
    const rt_parameter *p = into_find(context, name);
    return p ? p->dimension : (rt_dimension){0};
}

static bool into_no_call(void *context, const char *name, const rt_call_argument *arguments, int n,
                         rt_expr *out, char *problem)
{
    (void)context, (void)name, (void)arguments, (void)n, (void)out, (void)problem;
    return false;
}

static routh_status into_evaluate(evaluate_into *v, const routh_model *model,
                                  const char *expression, const rt_unit_system *units,
                                  routh_error *problem)
{
    *v = (evaluate_into){.model = model, .graph = rt_graph_create(), .units = units};
    if (!v->graph) return ROUTH_OUT_OF_MEMORY;
    const rt_resolver resolver = {.context = v,
                                  .quantity = into_parameter,
                                  .dimension = into_dimension,
                                  .call = into_no_call,
                                  .units = units};
    rt_expr e;
    routh_status status =
        rt_parse_dimension(v->graph, expression, &resolver, &e, &v->dimension, problem);
    if (!status && !rt_is_constant(v->graph, e, &v->value))
        status =
            rt_fail(problem, ROUTH_BAD_ARGUMENT, "it has no value; give a number or an expression");
    if (!status && !isfinite(v->value))
        status = rt_fail(problem, ROUTH_BAD_ARGUMENT, "its value is %g", v->value);
    rt_graph_free(v->graph);
    return status;
}

static routh_status into_check_dimension(const rt_dimension *found, const rt_dimension *of,
                                         routh_error *problem)
{
    char one[RT_DIMENSION_SIZE], other[RT_DIMENSION_SIZE];
    if (!of->known || !found->known || rt_unit_same_dimension(&of->unit, &found->unit))
        return ROUTH_OK;
    return rt_fail(problem, ROUTH_BAD_ARGUMENT, "it is %s, and %s is needed",
                   rt_dimension_describe(&found->unit, one),
                   rt_dimension_describe(&of->unit, other));
}

/* A bare number beside parameters in other units is in units that nobody tells, if it is in any. It
 * is in none where the expression is the same physical quantity in either units: v_N u_N = v u. */
static routh_status into_convert(evaluate_into *v, const char *expression, const rt_dimension *of,
                                 routh_error *problem)
{
    static const double rounding = 1e-9;
    char one[RT_UNITS_TEXT], other[RT_UNITS_TEXT];
    const rt_dimension *known = of->known ? of : &v->dimension;
    evaluate_into there;
    if (!v->foreign) return ROUTH_OK;
    const rt_unit from = rt_unit_in_system(v->names, &known->unit);
    const rt_unit to = rt_unit_in_system(v->units, &known->unit);
    const rt_unit over = rt_unit_over(&from, &to);
    const double by = known->known ? rt_unit_value(&over, 1) : NAN;
    if (v->unknown && (v->mixed || by != 1))
        return rt_fail(problem, ROUTH_BAD_ARGUMENT,
                       "the parameter '%.60s' is in units of %s and this in those of %s, and "
                       "nothing says what it is of; write it with a unit in its file, such as "
                       "60 kN/m",
                       v->unknown->name, rt_units_text(v->unknown->units, one),
                       rt_units_text(v->units, other));
    const routh_status status = into_evaluate(&there, v->model, expression, v->names, problem);
    if (status) return status;
    if (v->unknown) {
        v->value = there.value;
        return ROUTH_OK;
    }
    if (fabs(by * there.value - v->value) <= rounding * fabs(v->value)) return ROUTH_OK;
    return rt_fail(problem, ROUTH_BAD_ARGUMENT,
                   "parameters in it are in units of %s and this in those of %s, and a number "
                   "without a unit beside them may be in either; write it with its unit",
                   rt_units_text(v->names, one), rt_units_text(v->units, other));
}

routh_status rt_model_evaluate_in(const routh_model *model, const char *expression,
                                  const rt_unit_system *units, rt_dimension *of, double *value,
                                  routh_error *error)
{
    evaluate_into v;
    routh_error problem = {0};
    routh_status status = into_evaluate(&v, model, expression, units, &problem);
    if (!status) status = into_check_dimension(&v.dimension, of, &problem);
    if (!status) status = into_convert(&v, expression, of, &problem);
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(error);
    if (status)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "\"%.200s\": %s", expression, problem.message);
    if (!of->known) *of = v.dimension;
    *value = v.value;
    return ROUTH_OK;
}

routh_status routh_model_evaluate_for(const routh_model *model, const char *parameter,
                                      const char *expression, double *value, routh_error *error)
{
    const evaluate_into all = {.model = model};
    const rt_parameter *p = into_find(&all, parameter);
    if (!p) return rt_fail(error, ROUTH_BAD_ARGUMENT, "there is no parameter '%.100s'", parameter);
    rt_dimension of = p->dimension;
    return rt_model_evaluate_in(model, expression, p->units, &of, value, error);
}

routh_status routh_model_evaluate_si(const routh_model *model, const char *expression,
                                     const char *unit, double *value, routh_error *error)
{
    rt_dimension of = {.known = true};
    bool is_unit;
    double own;
    if (rt_unit_of(unit, &of.unit, &is_unit)) return rt_fail_memory(error);
    if (!is_unit) return rt_fail(error, ROUTH_BAD_ARGUMENT, "'%.60s' is no unit", unit);
    const routh_status status =
        rt_model_evaluate_in(model, expression, model->units, &of, &own, error);
    if (status) return status;
    const rt_unit one = rt_unit_in_system(model->units, &of.unit);
    *value = rt_unit_value(&one, own);
    return ROUTH_OK;
}
