/* The controller of three terms. */
#include "model/controllers/class.h"

enum { PROPORTIONAL, INTEGRAL, DERIVATIVE, FILTER };

static routh_status pid_shape(rt_reader *r, rt_control *c)
{
    const bool integral = rt_control_has(c, "integral"),
               derivative = rt_control_has(c, "derivative");
    const routh_status status = rt_control_take(r, c, integral + derivative, 1);
    if (status) return status;
    if (integral) {
        c->states[0].name = "integral";
        c->states[0].initial = c->written.initial;
        c->states[0].initial_given = rt_control_has(c, "initial");
    }
    if (derivative) c->states[integral].name = "derivative";
    for (int k = 0; k < c->n_states; k++) c->states[k].written.unit = NULL;
    return ROUTH_OK;
}

/* With x_I the integral of the input u and x_D the input behind a filter of time constant T:
 *     x_I' = u,   T x_D' = u - x_D,   y = k_P u + k_I x_I + k_D (u - x_D)/T */
static routh_status pid_expand(rt_reader *r, rt_control *c)
{
    rt_graph *g = r->model->graph;
    const rt_number *k = c->written.number;
    const rt_place place = c->written.function->place;
    const bool integral = rt_control_has(c, "integral");
    rt_expr u;
    routh_status status = rt_control_read(r, c, "input", &u);
    if (status) return status;
    rt_expr y = rt_control_add(r, rt_constant(g, 0), k[PROPORTIONAL], u);
    if (integral) {
        y = rt_control_add(r, y, k[INTEGRAL], rt_control_state_expr(r, c, 0));
        status = rt_control_set_equation(r, c, 0, rt_subtract(g, rt_control_rate_expr(r, c, 0), u),
                                         place);
    }
    if (!status && rt_control_has(c, "derivative")) {
        const rt_expr lag = rt_subtract(g, u, rt_control_state_expr(r, c, integral));
        y = rt_control_add(r, y, rt_over(&r->calculator, k[DERIVATIVE], k[FILTER]), lag);
        status = rt_control_set_equation(
            r, c, integral,
            rt_control_add(r, rt_negate(g, lag), k[FILTER], rt_control_rate_expr(r, c, integral)),
            place);
    }
    return status ? status : rt_control_set_output(r, c, 0, y, place);
}

static const rt_field pid_fields[] = {
    CONTROLLER_TYPE,
    CONTROLLER_INPUT,
    {"proportional", RT_FIELD_NUMBER, NUMBER(PROPORTIONAL), .sense = RT_SCALAR, .varies = true,
     .unit = "", .fallback = "0", .doc = "output per input"},
    {"integral", RT_FIELD_NUMBER, NUMBER(INTEGRAL), .sense = RT_SCALAR, .varies = true, .unit = "",
     .fallback = "none",
     .doc = "output per integral of the input, which is the state controller.integral"},
    {"derivative", RT_FIELD_NUMBER, NUMBER(DERIVATIVE), .sense = RT_SCALAR, .varies = true,
     .unit = "", .fallback = "none", .needs = "filter",
     .doc = "output per rate of the input; the rate is that of a filter, (input - x)/filter, with "
            "the filtered input x as the state controller.derivative"},
    {"filter", RT_FIELD_NUMBER, NUMBER(FILTER), .range = RT_POSITIVE, .sense = RT_SCALAR,
     .varies = true, .unit = "s", .needs = "derivative", .doc = "time constant of that filter"},
    {"initial", RT_FIELD_NUMBER, CONTROLLER(initial), .sense = RT_SCALAR, .varies = true,
     .unit = "", .needs = "integral", .fallback = "found, so that the input is zero",
     .doc = "controller.integral at the operating point"},
    CONTROLLER_UNIT,
};

const rt_controller_class rt_controller_class_pid = {
    .kind = {"pid", 0, FIELDS(pid_fields), .one_of = {"proportional", "integral", "derivative"},
             .doc = "proportional + integral/s + derivative s/(filter s + 1), from the input to "
                    "the output, which has the controller's name."},
    .shape = pid_shape,
    .expand = pid_expand,
    .sample = "input: \"v + u\", proportional: 2*p, integral: q, derivative: p*q, filter: 0.1*p, "
              "initial: 0.2",
    .output = "x",
};
