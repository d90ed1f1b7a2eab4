/* Tapes over a span of time: intervals that hold the value, the first and the second derivative in
 * time all over it. The rules are those of jets (tape_evaluate.c), with intervals for numbers. */
#include <string.h>

#include "base/pi.h"
#include "expression/interval.h"
#include "expression/tape.h"

typedef rt_interval jet[3];

static bool stands_still(const rt_interval *x)
{
    return rt_interval_is_zero(x[1]) && rt_interval_is_zero(x[2]);
}

static void all_whole(rt_interval *u) { u[0] = u[1] = u[2] = rt_interval_whole(); }

static rt_interval twice(rt_interval x) { return rt_interval_sum(x, x); }

/* u = f(x): u' = f_x x', u'' = f_xx x'^2 + f_x x'' */
static void enclose_chain(rt_interval f, rt_interval fx, rt_interval fxx, const rt_interval *x,
                          rt_interval *u)
{
    u[0] = f;
    u[1] = rt_interval_product(fx, x[1]);
    u[2] = rt_interval_sum(rt_interval_product(fxx, rt_interval_square(x[1])),
                           rt_interval_product(fx, x[2]));
}

static void enclose_product(const rt_interval *a, const rt_interval *b, rt_interval *u)
{
    u[0] = rt_interval_product(a[0], b[0]);
    u[1] = rt_interval_sum(rt_interval_product(a[1], b[0]), rt_interval_product(a[0], b[1]));
    u[2] = rt_interval_sum(
        rt_interval_sum(rt_interval_product(a[2], b[0]), rt_interval_product(a[0], b[2])),
        twice(rt_interval_product(a[1], b[1])));
}

/* u = a/b: u' = (a' - u b')/b, u'' = (a'' - 2 u' b' - u b'')/b */
static void enclose_quotient(const rt_interval *a, const rt_interval *b, rt_interval *u)
{
    if (rt_interval_is_zero(a[0]) && stands_still(a)) { /* 0/b, and the ratio of two zeros */
        memcpy(u, a, sizeof(jet));
        return;
    }
    u[0] = rt_interval_quotient(a[0], b[0]);
    u[1] = u[2] = rt_interval_point(0);
    if (stands_still(a) && stands_still(b)) return;
    u[1] =
        rt_interval_quotient(rt_interval_difference(a[1], rt_interval_product(u[0], b[1])), b[0]);
    u[2] = rt_interval_quotient(
        rt_interval_difference(rt_interval_difference(a[2], twice(rt_interval_product(u[1], b[1]))),
                               rt_interval_product(u[0], b[2])),
        b[0]);
}

static void enclose_function(rt_function_name name, const rt_interval *x, rt_interval *u)
{
    enclose_chain(rt_interval_function(name, 0, x[0]), rt_interval_function(name, 1, x[0]),
                  rt_interval_function(name, 2, x[0]), x, u);
}

/* a^b = exp(b log a) where b moves. Orders that no expression begins with are not enclosed. */
static void enclose_power(int detail, const rt_interval *a, const rt_interval *b, rt_interval *u)
{
    jet log_a, exponent;
    all_whole(u);
    if (detail) return;
    if (rt_interval_is_point(b[0]) && stands_still(b)) {
        enclose_chain(rt_interval_power(a[0], b[0], 0), rt_interval_power(a[0], b[0], 1),
                      rt_interval_power(a[0], b[0], 2), a, u);
    } else if (a[0].low > 0) {
        enclose_function(RT_LOG, a, log_a);
        enclose_product(b, log_a, exponent);
        enclose_function(RT_EXP, exponent, u);
    }
}

static void enclose_turned(double angle, rt_interval sign, rt_interval *u)
{
    for (int d = 0; d < 3; d++) u[d] = rt_interval_product(sign, u[d]);
    u[0] = rt_interval_sum(u[0], rt_interval_point(angle));
}

/* The angle of (x, y): atan(y/x) where x > 0, and +-pi/2 - atan(x/y) where y has a sign; elsewhere
 * it may jump. */
static void enclose_angle(const rt_interval *y, const rt_interval *x, rt_interval *u)
{
    jet ratio;
    const bool up = y[0].low > 0, down = y[0].high < 0;
    if (x[0].low > 0)
        enclose_quotient(y, x, ratio);
    else if (up || down)
        enclose_quotient(x, y, ratio);
    else {
        u[0] = (rt_interval){-RT_PI, RT_PI};
        u[1] = u[2] = rt_interval_whole();
        return;
    }
    enclose_function(RT_ATAN, ratio, u);
    if (!(x[0].low > 0)) enclose_turned(up ? RT_PI / 2 : -RT_PI / 2, rt_interval_point(-1), u);
}

/* yes where a <= b, else no; where both may be, what lies on both sides, and no bound of u''. */
static void enclose_choice(rt_interval a, rt_interval b, const rt_interval *yes,
                           const rt_interval *no, bool jumps, rt_interval *u)
{
    if (a.high <= b.low) {
        memcpy(u, yes, sizeof(jet));
        return;
    }
    if (a.low > b.high) {
        memcpy(u, no, sizeof(jet));
        return;
    }
    u[0] = rt_interval_hull(yes[0], no[0]);
    u[1] = jumps ? rt_interval_whole() : rt_interval_hull(yes[1], no[1]);
    u[2] = rt_interval_whole();
}

static void enclose_blend(int detail, const rt_interval *x, rt_interval *u)
{
    const rt_blend kind = (rt_blend)(detail % 4);
    const int order = detail / 4;
    enclose_chain(rt_interval_blend(kind, order, x[0]), rt_interval_blend(kind, order + 1, x[0]),
                  rt_interval_blend(kind, order + 2, x[0]), x, u);
}

static void enclose_table(const rt_curve *curve, int order, const rt_interval *x, rt_interval *u)
{
    enclose_chain(rt_interval_curve(curve, order, x[0]), rt_interval_curve(curve, order + 1, x[0]),
                  rt_interval_curve(curve, order + 2, x[0]), x, u);
}

static void enclose_one(const rt_instruction *at, const rt_interval *inputs,
                        const rt_interval *work, rt_interval *u)
{
    const rt_interval *x[RT_MOST_ARGUMENTS];
    for (int k = 0; k < RT_MOST_ARGUMENTS; k++) x[k] = work;
    for (int k = 0; k < at->n; k++) x[k] = work + 3 * (size_t)at->argument[k];
    const rt_interval *a = x[0], *b = x[1];
    switch (at->operation) {
    case RT_OP_CONSTANT:
        u[0] = rt_interval_point(at->value), u[1] = u[2] = rt_interval_point(0);
        return;
    case RT_OP_INPUT: memcpy(u, inputs + 3 * (size_t)at->detail, sizeof(jet)); return;
    case RT_OP_ADD:
        for (int d = 0; d < 3; d++) u[d] = rt_interval_sum(a[d], b[d]);
        return;
    case RT_OP_SUBTRACT:
        for (int d = 0; d < 3; d++) u[d] = rt_interval_difference(a[d], b[d]);
        return;
    case RT_OP_NEGATE:
        for (int d = 0; d < 3; d++) u[d] = rt_interval_negative(a[d]);
        return;
    case RT_OP_MULTIPLY: enclose_product(a, b, u); return;
    case RT_OP_DIVIDE:
    case RT_OP_RATIO: enclose_quotient(a, b, u); return;
    case RT_OP_POWER: enclose_power(at->detail, a, b, u); return;
    case RT_OP_ATAN2: enclose_angle(a, b, u); return;
    case RT_OP_USER:
    case RT_OP_COUNTED: all_whole(u); return;
    case RT_OP_MINIMUM:
        enclose_choice(a[0], b[0], a, b, false, u);
        u[0] = (rt_interval){fmin(a[0].low, b[0].low), fmin(a[0].high, b[0].high)};
        return;
    case RT_OP_MAXIMUM:
        enclose_choice(b[0], a[0], a, b, false, u);
        u[0] = (rt_interval){fmax(a[0].low, b[0].low), fmax(a[0].high, b[0].high)};
        return;
    case RT_OP_SELECT: enclose_choice(a[0], b[0], x[2], x[3], true, u); return;
    case RT_OP_FUNCTION: enclose_function((rt_function_name)at->detail, a, u); return;
    case RT_OP_BLEND: enclose_blend(at->detail, a, u); return;
    case RT_OP_TABLE: enclose_table(at->curve, at->detail, a, u); return;
    }
}

void rt_tape_enclose(const rt_tape *tape, const rt_interval *inputs, rt_interval *outputs,
                     rt_interval *work)
{
    for (int i = 0; i < tape->n; i++)
        enclose_one(&tape->instructions[i], inputs, work, work + 3 * (size_t)i);
    for (int i = 0; i < tape->n_outputs; i++)
        memcpy(outputs + 3 * (size_t)i, work + 3 * (size_t)tape->outputs[i], sizeof(jet));
}
