/* A gain with a dead zone and limits. */
#include "model/controllers/class.h"

#include <math.h>

enum { GAIN, LOWER, UPPER, DEAD_ZONE };

static routh_status gain_shape(rt_reader *r, rt_control *c)
{
    const rt_number *number = c->written.number;
    if (rt_control_has(c, "lower") && rt_control_has(c, "upper") &&
        !(number[LOWER].value < number[UPPER].value))
        return rt_reader_fail(r, rt_yaml_find(c->node, "lower")->place,
                              "lower is %.6g and upper is %.6g; lower must be below upper",
                              number[LOWER].value, number[UPPER].value);
    return rt_control_take(r, c, 0, 1);
}

/* u - max(-d, min(d, u)) */
static rt_expr gain_dead_zone(rt_reader *r, rt_control *c, rt_expr u)
{
    rt_graph *g = r->model->graph;
    const rt_number width = c->written.number[DEAD_ZONE];
    if (width.expr < 0 && width.value == 0) return u;
    const rt_expr d = rt_number_expr(&r->calculator, width), minus_d = rt_negate(g, d);
    const rt_expr below = rt_minimum(g, d, u), inside = rt_maximum(g, minus_d, below);
    if (width.value > 0) {
        rt_control_add_kink(r, c, "dead_zone",
                            (rt_kink){.what = "the upper edge of the dead zone",
                                      .distance = rt_subtract(g, u, d),
                                      .scale = width.value,
                                      .sides = {"inside the dead zone", "outside the dead zone"},
                                      .tie = 1});
        rt_control_add_kink(r, c, "dead_zone",
                            (rt_kink){.what = "the lower edge of the dead zone",
                                      .distance = rt_subtract(g, below, minus_d),
                                      .scale = width.value,
                                      .sides = {"outside the dead zone", "inside the dead zone"},
                                      .tie = 0});
    }
    return rt_subtract(g, u, inside);
}

/* min(upper, max(lower, y)) */
static rt_expr gain_limits(rt_reader *r, rt_control *c, rt_expr y)
{
    rt_graph *g = r->model->graph;
    const rt_number *number = c->written.number;
    const bool low = rt_control_has(c, "lower");
    const bool high = rt_control_has(c, "upper");
    const double span = low && high ? number[UPPER].value - number[LOWER].value
                        : low       ? fabs(number[LOWER].value)
                                    : fabs(number[UPPER].value);
    rt_expr out = y;
    if (low) {
        const rt_expr limit = rt_number_expr(&r->calculator, number[LOWER]);
        rt_control_add_kink(r, c, "lower",
                            (rt_kink){.what = "the lower limit",
                                      .distance = rt_subtract(g, y, limit),
                                      .scale = span,
                                      .sides = {"held at it", "above it"},
                                      .tie = 0});
        out = rt_maximum(g, limit, y);
    }
    if (high) {
        const rt_expr limit = rt_number_expr(&r->calculator, number[UPPER]);
        rt_control_add_kink(r, c, "upper",
                            (rt_kink){.what = "the upper limit",
                                      .distance = rt_subtract(g, out, limit),
                                      .scale = span,
                                      .sides = {"below it", "held at it"},
                                      .tie = 1});
        out = rt_minimum(g, limit, out);
    }
    return out;
}

static routh_status gain_expand(rt_reader *r, rt_control *c)
{
    rt_graph *g = r->model->graph;
    rt_expr u;
    const routh_status status = rt_control_read(r, c, "input", &u);
    if (status) return status;
    const rt_expr k = rt_number_expr(&r->calculator, c->written.number[GAIN]);
    const rt_expr y = rt_multiply(g, k, gain_dead_zone(r, c, u));
    return rt_control_set_output(r, c, 0, gain_limits(r, c, y), c->written.function->place);
}

static const rt_field gain_fields[] = {
    CONTROLLER_TYPE,
    CONTROLLER_INPUT,
    {"gain", RT_FIELD_NUMBER, NUMBER(GAIN), .sense = RT_SCALAR, .varies = true, .unit = "",
     .fallback = "1", .doc = "output per input"},
    {"lower", RT_FIELD_NUMBER, NUMBER(LOWER), .sense = RT_SCALAR, .unit = "", .fallback = "none",
     .doc = "the output does not fall below this"},
    {"upper", RT_FIELD_NUMBER, NUMBER(UPPER), .sense = RT_SCALAR, .unit = "", .fallback = "none",
     .doc = "the output does not rise above this"},
    {"dead_zone", RT_FIELD_NUMBER, NUMBER(DEAD_ZONE), .range = RT_NOT_NEGATIVE, .sense = RT_SCALAR,
     .unit = "", .fallback = "0",
     .doc = "an input within so much of zero gives no output, a larger one counts from there"},
    CONTROLLER_UNIT,
};

const rt_controller_class rt_controller_class_gain = {
    .kind = {"gain", 0, FIELDS(gain_fields),
             .doc = "A factor with limits and a dead zone; the output has the controller's name. "
                    "The linear model has the slope at the operating point, with a warning on a "
                    "non-smooth point."},
    .defaults = {[GAIN] = 1},
    .most_kinks = 4,
    .shape = gain_shape,
    .expand = gain_expand,
    .sample = "input: \"v + 5 + q*sin(u)\", gain: 3*p, lower: -20*q, upper: 40*q, dead_zone: p",
    .output = "x",
};
