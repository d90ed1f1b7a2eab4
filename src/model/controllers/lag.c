/* A first-order lag. */
#include "model/controllers/class.h"

enum { TIME_CONSTANT, GAIN };

/* T x' + x - K u = 0 */
static routh_status lag_expand(rt_reader *r, rt_control *c)
{
    rt_graph *g = r->model->graph;
    const rt_number *number = c->written.number;
    rt_expr u;
    const routh_status status = rt_control_read(r, c, "input", &u);
    if (status) return status;
    const rt_expr K = rt_number_expr(&r->calculator, number[GAIN]);
    const rt_expr x = rt_control_state_expr(r, c, 0);
    const rt_expr off = rt_subtract(g, x, rt_multiply(g, K, u));
    return rt_control_set_equation(
        r, c, 0, rt_control_add(r, off, number[TIME_CONSTANT], rt_control_rate_expr(r, c, 0)),
        c->written.function->place);
}

static const rt_field lag_fields[] = {
    CONTROLLER_TYPE,
    CONTROLLER_INPUT,
    {"time_constant", RT_FIELD_NUMBER, NUMBER(TIME_CONSTANT), .required = true,
     .range = RT_POSITIVE, .sense = RT_SCALAR, .varies = true, .unit = "s",
     .doc = "after a step, the rest falls by e in this time"},
    {"gain", RT_FIELD_NUMBER, NUMBER(GAIN), .sense = RT_SCALAR, .varies = true, .unit = "",
     .fallback = "1", .doc = "the state per input where nothing changes"},
    CONTROLLER_INITIAL,
    CONTROLLER_UNIT,
};

const rt_controller_class rt_controller_class_lag = {
    .kind = {"lag", 0, FIELDS(lag_fields),
             .doc = "A first-order lag, gain/(time_constant s + 1) from the input to the state, "
                    "which has the controller's name."},
    .defaults = {[GAIN] = 1},
    .shape = rt_control_one_state,
    .expand = lag_expand,
    .sample = "input: \"v + u\", time_constant: 0.3*q, gain: 2*p",
    .output = "x",
};
