/* One explicit differential equation. */
#include "model/controllers/class.h"

/* x' - rate = 0 */
static routh_status differential_expand(rt_reader *r, rt_control *c)
{
    rt_expr rate;
    const routh_status status = rt_control_read(r, c, "rate", &rate);
    if (status) return status;
    return rt_control_set_equation(
        r, c, 0, rt_subtract(r->model->graph, rt_control_rate_expr(r, c, 0), rate),
        c->written.function->place);
}

static const rt_field differential_fields[] = {
    CONTROLLER_TYPE,
    {"rate", RT_FIELD_FUNCTION, CONTROLLER(function), .required = true, .sense = RT_SCALAR,
     .unit = "",
     .doc = "of measures, signals, time and parameters, the state itself among them by its name"},
    CONTROLLER_INITIAL,
    CONTROLLER_UNIT,
};

const rt_controller_class rt_controller_class_differential = {
    .kind = {"differential", 0, FIELDS(differential_fields),
             .doc =
                 "One explicit differential equation; the controller's name is that of its state."},
    .shape = rt_control_one_state,
    .expand = differential_expand,
    .sample = "rate: \"q*v + u - p*x\"",
    .output = "x",
};
