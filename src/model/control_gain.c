/* A gain with a dead zone and limits. */
#include "model/control.h"

#include <math.h>

static routh_status shape_gain(rt_reader *r, rt_control *c)
{
    const rt_written_controller *w = &c->written;
    if (rt_is_given(c->kind, c->given, "lower") && rt_is_given(c->kind, c->given, "upper") &&
        !(w->lower.value < w->upper.value))
        return rt_reader_fail(r, rt_yaml_find(c->node, "lower")->place,
                              "lower is %.6g and upper is %.6g; lower must be below upper",
                              w->lower.value, w->upper.value);
    return rt_control_take(r, c, 0, 1);
}

static void add_kink(rt_reader *r, const rt_control *c, const char *field, rt_kink kink)
{
    kink.element = c->element;
    kink.place = rt_yaml_find(c->node, field)->key_place;
    if (kink.distance < 0) r->calculator.failed = true;
    r->model->kinks[r->model->n_kinks++] = kink;
}

/* u - max(-d, min(d, u)) */
static rt_expr with_dead_zone(rt_reader *r, const rt_control *c, rt_expr u)
{
    rt_graph *g = r->model->graph;
    const rt_number width = c->written.dead_zone;
    if (width.expr < 0 && width.value == 0) return u;
    const rt_expr d = rt_number_expr(&r->calculator, width), minus_d = rt_negate(g, d);
    const rt_expr below = rt_minimum(g, d, u), inside = rt_maximum(g, minus_d, below);
    if (width.value > 0) {
        add_kink(r, c, "dead_zone",
                 (rt_kink){.what = "the upper edge of the dead zone",
                           .distance = rt_subtract(g, u, d),
                           .scale = width.value,
                           .sides = {"inside the dead zone", "outside the dead zone"},
                           .tie = 1});
        add_kink(r, c, "dead_zone",
                 (rt_kink){.what = "the lower edge of the dead zone",
                           .distance = rt_subtract(g, below, minus_d),
                           .scale = width.value,
                           .sides = {"outside the dead zone", "inside the dead zone"},
                           .tie = 0});
    }
    return rt_subtract(g, u, inside);
}

/* min(upper, max(lower, y)) */
static rt_expr with_limits(rt_reader *r, const rt_control *c, rt_expr y)
{
    rt_graph *g = r->model->graph;
    const rt_written_controller *w = &c->written;
    const bool low = rt_is_given(c->kind, c->given, "lower");
    const bool high = rt_is_given(c->kind, c->given, "upper");
    const double span = low && high ? w->upper.value - w->lower.value
                        : low       ? fabs(w->lower.value)
                                    : fabs(w->upper.value);
    rt_expr out = y;
    if (low) {
        const rt_expr limit = rt_number_expr(&r->calculator, w->lower);
        add_kink(r, c, "lower",
                 (rt_kink){.what = "the lower limit",
                           .distance = rt_subtract(g, y, limit),
                           .scale = span,
                           .sides = {"held at it", "above it"},
                           .tie = 0});
        out = rt_maximum(g, limit, y);
    }
    if (high) {
        const rt_expr limit = rt_number_expr(&r->calculator, w->upper);
        add_kink(r, c, "upper",
                 (rt_kink){.what = "the upper limit",
                           .distance = rt_subtract(g, out, limit),
                           .scale = span,
                           .sides = {"below it", "held at it"},
                           .tie = 1});
        out = rt_minimum(g, limit, out);
    }
    return out;
}

static routh_status expand_gain(rt_reader *r, rt_control *c)
{
    rt_graph *g = r->model->graph;
    rt_expr u;
    const routh_status status = rt_control_read(r, c, "input", &u);
    if (status) return status;
    const rt_expr k = rt_number_expr(&r->calculator, c->written.gain);
    const rt_expr y = rt_multiply(g, k, with_dead_zone(r, c, u));
    return rt_control_set_output(r, c, 0, with_limits(r, c, y), c->written.function->place);
}

const rt_control_type rt_control_gain = {shape_gain, expand_gain};
