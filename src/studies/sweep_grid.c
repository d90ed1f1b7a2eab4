/* The values of a parameter: "name=from:to:count", "name=log:from:to:count", "name=a, b, c". */
#define _POSIX_C_SOURCE 200809L /* strndup */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "expression/expression.h"
#include "model/model.h"
#include "routh/sweep.h"

enum { MOST_VALUES = 1000000, MOST_TEXT = 1000 };

static bool no_quantity(void *context, const char *name, rt_expr *out, char *problem)
{
    (void)context, (void)name, (void)out, (void)problem;
    return false;
}

static bool sweep_grid_no_call(void *context, const char *name, const rt_call_argument *arguments,
                               int n, rt_expr *out, char *problem)
{
    (void)context, (void)name, (void)arguments, (void)n, (void)out, (void)problem;
    return false;
}

/* A value of another dimension than the parameter has. */
static routh_status sweep_grid_check(const char *text, const rt_parameter *p,
                                     const rt_dimension *found, routh_error *error)
{
    char one[RT_DIMENSION_SIZE], other[RT_DIMENSION_SIZE];
    if (!p || !p->dimension.known || !found->known ||
        rt_unit_same_dimension(&p->dimension.unit, &found->unit))
        return ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "the value \"%.100s\" of the sweep is %s, and the parameter '%.60s' is %s; "
                   "correct its unit",
                   text, rt_dimension_describe(&found->unit, one), p->name,
                   rt_dimension_describe(&p->dimension.unit, other));
}

/* A number, as an expression without names; *united where it has a unit that is no angle's. p: the
 * parameter, whose units it is in; NULL: it is not known. */
static routh_status sweep_grid_number(const char *text, size_t length, const rt_parameter *p,
                                      double *value, int *united, routh_error *error)
{
    static const rt_unit none = {.mantissa = 1};
    rt_dimension dimension = {0};
    const rt_resolver resolver = {
        .quantity = no_quantity, .call = sweep_grid_no_call, .units = p ? p->units : NULL};
    char copy[MOST_TEXT + 1];
    routh_error problem = {0};
    rt_expr e = RT_NO_EXPR;
    if (length > MOST_TEXT) length = MOST_TEXT;
    memcpy(copy, text, length);
    copy[length] = '\0';
    rt_graph *graph = rt_graph_create();
    if (!graph) return rt_fail_memory(error);
    routh_status status = rt_parse_dimension(graph, copy, &resolver, &e, &dimension, &problem);
    if (status == ROUTH_OUT_OF_MEMORY)
        status = rt_fail_memory(error);
    else if (status)
        status = rt_fail(error, ROUTH_BAD_ARGUMENT,
                         "the value \"%.100s\" of the sweep (--over): "
                         "%.600s",
                         copy, problem.message);
    else if (!rt_is_constant(graph, e, value) || !isfinite(*value))
        status = rt_fail(error, ROUTH_BAD_ARGUMENT,
                         "the value \"%.100s\" of the sweep (--over) must be a finite "
                         "number",
                         copy);
    if (!status) status = sweep_grid_check(copy, p, &dimension, error);
    if (!status && dimension.known && !rt_unit_same_dimension(&dimension.unit, &none)) *united = 1;
    rt_graph_free(graph);
    return status;
}

/* The next `mark` outside parentheses, or the end. */
static const char *part_end(const char *text, char mark)
{
    int depth = 0;
    for (; *text; text++) {
        if (*text == '(') depth++;
        if (*text == ')') depth--;
        if (*text == mark && depth <= 0) break;
    }
    return text;
}

static routh_status sweep_grid_take(routh_sweep_axis *axis, int n, routh_error *error)
{
    axis->n = n;
    axis->values = calloc((size_t)n, sizeof *axis->values);
    return axis->values ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status bad_form(const char *text, routh_error *error)
{
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "the values of the sweep, \"%.200s\", are not valid; write from:to:count "
                   "(spin=0:2*pi:41), log:from:to:count, or a list (k=1, 2, 5)",
                   text);
}

/* from:to:count; the ends are met exactly, and so is zero in the middle. */
static routh_status range(routh_sweep_axis *axis, const char *text, const rt_parameter *p,
                          bool ratios, routh_error *error)
{
    double part[3];
    const char *at = text;
    for (int k = 0; k < 3; k++) {
        const char *end = part_end(at, ':');
        if ((k < 2) != (*end == ':')) return bad_form(text, error);
        const routh_status status = sweep_grid_number(at, (size_t)(end - at), k < 2 ? p : NULL,
                                                      &part[k], &axis->united, error);
        if (status) return status;
        at = end + 1;
    }
    const int n = part[2] >= 1 && part[2] <= MOST_VALUES ? (int)part[2] : 0;
    if (n != part[2] || n < 2)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the number of values of a sweep must be an integer from 2 to %d, not %g",
                       (int)MOST_VALUES, part[2]);
    if (ratios && !(part[0] * part[1] > 0))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a sweep in equal ratios from %g to %g is not possible; give two ends of "
                       "the same sign, not zero",
                       part[0], part[1]);
    if (part[0] == part[1])
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the ends of the sweep are both %g; give "
                       "different ends",
                       part[0]);
    const routh_status status = sweep_grid_take(axis, n, error);
    for (int k = 0; k < n && !status; k++) {
        const double s = (double)k / (n - 1);
        axis->values[k] = k == 0       ? part[0]
                          : k == n - 1 ? part[1]
                          : ratios     ? part[0] * pow(part[1] / part[0], s)
                                       : (part[0] * (n - 1 - k) + part[1] * k) / (n - 1);
    }
    return status;
}

static routh_status sweep_grid_list(routh_sweep_axis *axis, const char *text, const rt_parameter *p,
                                    routh_error *error)
{
    int n = 1;
    for (const char *at = part_end(text, ','); *at; at = part_end(at + 1, ',')) n++;
    if (n > MOST_VALUES) return bad_form("a list so long", error);
    routh_status status = sweep_grid_take(axis, n, error);
    const char *at = text;
    for (int k = 0; k < n && !status; k++) {
        const char *end = part_end(at, ',');
        status =
            sweep_grid_number(at, (size_t)(end - at), p, &axis->values[k], &axis->united, error);
        at = end + 1;
    }
    for (int k = 2; k < n && !status; k++)
        if (!((axis->values[k] - axis->values[k - 1]) * (axis->values[1] - axis->values[0]) > 0))
            status = rt_fail(error, ROUTH_BAD_ARGUMENT,
                             "the values of the sweep must increase or decrease, but %g follows "
                             "%g; sort them",
                             axis->values[k], axis->values[k - 1]);
    if (!status && n > 1 && axis->values[0] == axis->values[1])
        status = rt_fail(error, ROUTH_BAD_ARGUMENT,
                         "the value %g of the sweep is given twice; "
                         "remove one",
                         axis->values[0]);
    return status;
}

/* NULL: the model has none of the name. */
static const rt_parameter *sweep_grid_find(const routh_model *model, const char *parameter)
{
    for (int k = 0; model && k < model->n_parameters; k++)
        if (!strcmp(model->parameters[k].name, parameter)) return &model->parameters[k];
    return NULL;
}

static routh_status sweep_grid_values(routh_sweep_axis *axis, const char *values,
                                      const rt_parameter *p, routh_error *error)
{
    if (strncmp(values, "log:", 4) == 0) return range(axis, values + 4, p, true, error);
    return *part_end(values, ':') ? range(axis, values, p, false, error)
                                  : sweep_grid_list(axis, values, p, error);
}

static routh_status parse(routh_sweep_axis *axis, const char *text, const routh_model *model,
                          routh_error *error)
{
    const char *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : 0;
    while (length > 0 && isspace((unsigned char)text[length - 1])) length--;
    if (length == 0)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the sweep \"%.200s\" is not valid; write parameter=values (spin=0:2*pi:41)",
                       text);
    axis->parameter = strndup(text, length);
    if (!axis->parameter) return rt_fail_memory(error);
    const char *values = equals + 1 + strspn(equals + 1, " ");
    const rt_parameter *p = sweep_grid_find(model, axis->parameter);
    const routh_status status = sweep_grid_values(axis, values, p, error);
    if (p) axis->united = 0; /* they are in the parameter's units */
    return status;
}

routh_status routh_sweep_axis_parse(routh_sweep_axis *axis, const char *text,
                                    const routh_model *model, routh_error *error)
{
    *axis = (routh_sweep_axis){0};
    const routh_status status = parse(axis, text, model, error);
    if (status) routh_sweep_axis_free(axis);
    return status;
}

void routh_sweep_axis_free(routh_sweep_axis *axis)
{
    if (!axis) return;
    free(axis->parameter);
    free(axis->values);
    *axis = (routh_sweep_axis){0};
}
