/* The controller of three terms. */
#include "model/control.h"

static bool control_pid_is_given(const rt_control *c, const char *field)
{
    return rt_is_given(c->kind, c->given, field);
}

static routh_status shape_pid(rt_reader *r, rt_control *c)
{
    const bool integral = control_pid_is_given(c, "integral"),
               derivative = control_pid_is_given(c, "derivative");
    const routh_status status = rt_control_take(r, c, integral + derivative, 1);
    if (status) return status;
    if (integral) {
        c->states[0].name = "integral";
        c->states[0].initial = c->written.initial;
        c->states[0].initial_given = control_pid_is_given(c, "initial");
    }
    if (derivative) c->states[integral].name = "derivative";
    for (int k = 0; k < c->n_states; k++) c->states[k].written.unit = NULL;
    return ROUTH_OK;
}

/* With x_I the integral of the input u and x_D the input behind a filter of time constant T:
 *     x_I' = u,   T x_D' = u - x_D,   y = k_P u + k_I x_I + k_D (u - x_D)/T */
static routh_status expand_pid(rt_reader *r, rt_control *c)
{
    rt_graph *g = r->model->graph;
    const rt_written_controller *w = &c->written;
    const rt_place place = w->function->place;
    const bool integral = control_pid_is_given(c, "integral");
    rt_expr u;
    routh_status status = rt_control_read(r, c, "input", &u);
    if (status) return status;
    rt_expr y = rt_control_add(r, rt_constant(g, 0), w->proportional, u);
    if (integral) {
        y = rt_control_add(r, y, w->integral, rt_control_state_expr(r, c, 0));
        status = rt_control_set_equation(r, c, 0, rt_subtract(g, rt_control_rate_expr(r, c, 0), u),
                                         place);
    }
    if (!status && control_pid_is_given(c, "derivative")) {
        const rt_expr lag = rt_subtract(g, u, rt_control_state_expr(r, c, integral));
        y = rt_control_add(r, y, rt_over(&r->calculator, w->derivative, w->filter), lag);
        status = rt_control_set_equation(
            r, c, integral,
            rt_control_add(r, rt_negate(g, lag), w->filter, rt_control_rate_expr(r, c, integral)),
            place);
    }
    return status ? status : rt_control_set_output(r, c, 0, y, place);
}

const rt_control_type rt_control_pid = {shape_pid, expand_pid};
