/* Intervals [low, high] that hold every value of an operation on every value of its arguments
 * (Moore, Kearfott, Cloud, Introduction to Interval Analysis, 2009). Each result is widened by a
 * few units in the last place, for the rounding of the operation. What is not known is `whole`. */
#ifndef RT_EXPRESSION_INTERVAL_H
#define RT_EXPRESSION_INTERVAL_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "expression/graph.h"

typedef struct rt_interval {
    double low, high;
} rt_interval;

static inline rt_interval rt_interval_whole(void) { return (rt_interval){-INFINITY, INFINITY}; }

static inline rt_interval rt_interval_point(double x) { return (rt_interval){x, x}; }

static inline bool rt_interval_is_zero(rt_interval a) { return a.low == 0 && a.high == 0; }

static inline bool rt_interval_is_point(rt_interval a) { return a.low == a.high; }

static inline rt_interval rt_interval_hull(rt_interval a, rt_interval b)
{
    return (rt_interval){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static inline rt_interval rt_interval_negative(rt_interval a)
{
    return (rt_interval){-a.high, -a.low};
}

rt_interval rt_interval_widen(double low, double high); /* whole where one is not a number */
rt_interval rt_interval_sum(rt_interval a, rt_interval b);
rt_interval rt_interval_difference(rt_interval a, rt_interval b);
rt_interval rt_interval_product(rt_interval a, rt_interval b); /* zero where one is just that */
rt_interval rt_interval_quotient(rt_interval a, rt_interval b);
rt_interval rt_interval_square(rt_interval a);

/* Of a function and of its first and second derivative (order 0, 1, 2); of branches (abs, sign,
 * floor) what lies on both sides of a switch, and `whole` for the derivative of a jump. */
rt_interval rt_interval_function(rt_function_name name, int order, rt_interval x);

/* a^b, and its derivatives by a: by b where a > 0, else for whole constant exponents alone. */
rt_interval rt_interval_power(rt_interval a, rt_interval b, int order);

/* Of the order-th derivative. A jump of the derivative below within x: whole. */
rt_interval rt_interval_blend(rt_blend kind, int order, rt_interval x);
rt_interval rt_interval_curve(const rt_curve *curve, int order, rt_interval x);

/* outputs[3 n_outputs] of inputs[3 n_slots], jets: what holds the value, the first and the second
 * time derivative all over a span of time. work: rt_tape_work intervals of room. */
void rt_tape_enclose(const rt_tape *tape, const rt_interval *inputs, rt_interval *outputs,
                     rt_interval *work);

#endif
