/* One implicit differential equation. */
#include "model/controllers/class.h"

/* An equation without its own rate is none of a state. */
static routh_status implicit_check_own_rate(rt_reader *r, const rt_control *c, rt_expr equation)
{
    const rt_quantity rate = {.kind = RT_QUANTITY_STATE_RATE, .index = c->first_state};
    const int slot = rt_quantity_slot(r, &rate);
    double value;
    if (slot < 0) return rt_fail_memory(r->error);
    const rt_expr slope = rt_derivative(r->model->graph, equation, slot);
    if (slope < 0) return rt_fail_memory(r->error);
    if (!rt_is_constant(r->model->graph, slope, &value) || value != 0) return ROUTH_OK;
    return rt_reader_fail(r, c->written.function->place,
                          "equation: it does not hold RATE(%.60s), so '%.60s' is no state; a "
                          "quantity without a rate is a variable",
                          c->name, c->name);
}

static routh_status implicit_expand(rt_reader *r, rt_control *c)
{
    rt_expr equation;
    routh_status status = rt_control_read(r, c, "equation", &equation);
    if (!status) status = implicit_check_own_rate(r, c, equation);
    if (status) return status;
    return rt_control_set_equation(r, c, 0, equation, c->written.function->place);
}

static const rt_field implicit_fields[] = {
    CONTROLLER_TYPE,
    {"equation", RT_FIELD_FUNCTION, CONTROLLER(function), .required = true, .sense = RT_SCALAR,
     .unit = "",
     .doc = "what is zero: an expression of the state's name, its rate RATE(name), measures, "
            "signals, time and parameters"},
    CONTROLLER_INITIAL,
    CONTROLLER_UNIT,
};

const rt_controller_class rt_controller_class_implicit = {
    .kind = {"implicit", 0, FIELDS(implicit_fields),
             .doc =
                 "One implicit differential equation; the controller's name is that of its state."},
    .shape = rt_control_one_state,
    .expand = implicit_expand,
    .sample = "equation: \"p*RATE(x) + 0.2*sin(RATE(x))*v + exp(q*x) - 1 - v - u\"",
    .output = "x",
};
