#include "expression/interval.h"

#include "base/pi.h"

rt_interval rt_interval_widen(double low, double high)
{
    static const double few = 2 * DBL_EPSILON;
    if (isnan(low) || isnan(high)) return rt_interval_whole();
    return (rt_interval){isfinite(low) ? low - few * fabs(low) : low,
                         isfinite(high) ? high + few * fabs(high) : high};
}

rt_interval rt_interval_sum(rt_interval a, rt_interval b)
{
    return rt_interval_widen(a.low + b.low, a.high + b.high);
}

rt_interval rt_interval_difference(rt_interval a, rt_interval b)
{
    return rt_interval_sum(a, rt_interval_negative(b));
}

rt_interval rt_interval_product(rt_interval a, rt_interval b)
{
    if (rt_interval_is_zero(a) || rt_interval_is_zero(b)) return rt_interval_point(0);
    const double p[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 4; k++) {
        const double x = isnan(p[k]) ? 0 : p[k]; /* 0 times what has no bound */
        low = fmin(low, x), high = fmax(high, x);
    }
    return rt_interval_widen(low, high);
}

rt_interval rt_interval_quotient(rt_interval a, rt_interval b)
{
    if (b.low <= 0 && b.high >= 0) return rt_interval_whole();
    return rt_interval_product(a, rt_interval_widen(1 / b.high, 1 / b.low));
}

rt_interval rt_interval_square(rt_interval a)
{
    const double p = a.low * a.low, q = a.high * a.high;
    return rt_interval_widen(a.low <= 0 && a.high >= 0 ? 0 : fmin(p, q), fmax(p, q));
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Of a function that grows, or falls, all over x. */
static rt_interval interval_monotone(rt_function_name name, rt_interval x)
{
    const double p = rt_function_value(name, x.low), q = rt_function_value(name, x.high);
    return rt_interval_widen(fmin(p, q), fmax(p, q));
}

/* sin(x + shift), shift a multiple of pi/2 (quarters): extremes where (x + shift)/(pi/2) is odd. */
static rt_interval interval_wave(rt_interval x, int quarters)
{
    static const double most = 1e9; /* beyond it where in a period x lies is not told */
    if (!(x.high - x.low < 2 * RT_PI) || !(fmax(fabs(x.low), fabs(x.high)) < most))
        return (rt_interval){-1, 1};
    const double slack = 4 * DBL_EPSILON * fmax(fabs(x.low), fabs(x.high)) + DBL_EPSILON;
    const double from = (x.low - slack) / (RT_PI / 2) + quarters,
                 to = (x.high + slack) / (RT_PI / 2) + quarters;
    const double p = sin(x.low + quarters * (RT_PI / 2)), q = sin(x.high + quarters * (RT_PI / 2));
    const bool top = floor((to - 1) / 4) > floor((from - 1) / 4),
               bottom = floor((to - 3) / 4) > floor((from - 3) / 4);
    return (rt_interval){bottom ? -1 : fmax(-1, fmin(p, q) - slack),
                         top ? 1 : fmin(1, fmax(p, q) + slack)};
}

static bool has_pole(rt_interval x)
{
    return !(x.high - x.low < RT_PI) || floor(x.high / RT_PI - 0.5) != floor(x.low / RT_PI - 0.5) ||
           fmax(fabs(x.low), fabs(x.high)) > 1e9;
}

static rt_interval value_enclosed(rt_function_name name, rt_interval x)
{
    switch (name) {
    case RT_ASIN:
    case RT_ACOS: /* a bound beyond the domain is rounding, or has no value */
        return interval_monotone(name, (rt_interval){fmax(x.low, -1), fmin(x.high, 1)});
    case RT_SIN: return interval_wave(x, 0);
    case RT_COS: return interval_wave(x, 1);
    case RT_TAN: return has_pole(x) ? rt_interval_whole() : interval_monotone(name, x);
    case RT_COSH: {
        const rt_interval ends = interval_monotone(name, x);
        return x.low <= 0 && x.high >= 0 ? (rt_interval){1, ends.high} : ends;
    }
    case RT_ABS: {
        const rt_interval ends = interval_monotone(name, x);
        return x.low <= 0 && x.high >= 0 ? (rt_interval){0, ends.high} : ends;
    }
    default: return interval_monotone(name, x);
    }
}

/* g(1 - s x^2), g the square root over p: slopes of the inverse functions. */
static rt_interval interval_one_and_square(double sign, rt_interval x)
{
    const rt_interval square = rt_interval_square(x);
    return rt_interval_sum(rt_interval_point(1), sign > 0 ? square : rt_interval_negative(square));
}

static rt_interval root_of(rt_interval x)
{
    return x.low < 0 ? rt_interval_whole() : interval_monotone(RT_SQRT, x);
}

static rt_interval times(double by, rt_interval x)
{
    return rt_interval_product(rt_interval_point(by), x);
}

static rt_interval inverse(rt_interval x) { return rt_interval_quotient(rt_interval_point(1), x); }

static bool crosses_zero(rt_interval x) { return x.low <= 0 && x.high >= 0; }

static bool crosses_whole(rt_interval x)
{
    return floor(x.low) != floor(x.high) || x.low == floor(x.low);
}

static rt_interval function_slope(rt_function_name name, rt_interval x)
{
    switch (name) {
    case RT_SIN: return interval_wave(x, 1);
    case RT_COS: return interval_wave(x, 2);
    case RT_TAN:
        return rt_interval_sum(rt_interval_point(1), rt_interval_square(value_enclosed(RT_TAN, x)));
    case RT_ASIN: return inverse(root_of(interval_one_and_square(-1, x)));
    case RT_ACOS: return rt_interval_negative(inverse(root_of(interval_one_and_square(-1, x))));
    case RT_ATAN: return inverse(interval_one_and_square(1, x));
    case RT_SINH: return value_enclosed(RT_COSH, x);
    case RT_COSH: return value_enclosed(RT_SINH, x);
    case RT_TANH: {
        const rt_interval f = value_enclosed(RT_TANH, x);
        return interval_one_and_square(-1, f);
    }
    case RT_EXP: return value_enclosed(RT_EXP, x);
    case RT_LOG: return inverse(x);
    case RT_LOG10: return times(1 / log(10), inverse(x));
    case RT_SQRT: return times(0.5, inverse(root_of(x)));
    case RT_ABS: return interval_monotone(RT_SIGN, x);
    case RT_SIGN: return crosses_zero(x) ? rt_interval_whole() : rt_interval_point(0);
    case RT_FLOOR:
    case RT_CEIL: return crosses_whole(x) ? rt_interval_whole() : rt_interval_point(0);
    }
    return rt_interval_whole();
}

static rt_interval function_bend(rt_function_name name, rt_interval x)
{
    switch (name) {
    case RT_SIN: return interval_wave(x, 2);
    case RT_COS: return interval_wave(x, 3);
    case RT_TAN:
        return times(2, rt_interval_product(value_enclosed(RT_TAN, x), function_slope(RT_TAN, x)));
    case RT_ASIN:
    case RT_ACOS: {
        const rt_interval r = interval_one_and_square(-1, x);
        return times(name == RT_ASIN ? 1 : -1,
                     rt_interval_quotient(x, rt_interval_product(r, root_of(r))));
    }
    case RT_ATAN:
        return times(-2,
                     rt_interval_quotient(x, rt_interval_square(interval_one_and_square(1, x))));
    case RT_SINH: return value_enclosed(RT_SINH, x);
    case RT_COSH: return value_enclosed(RT_COSH, x);
    case RT_TANH:
        return times(-2,
                     rt_interval_product(value_enclosed(RT_TANH, x), function_slope(RT_TANH, x)));
    case RT_EXP: return value_enclosed(RT_EXP, x);
    case RT_LOG: return rt_interval_negative(inverse(rt_interval_square(x)));
    case RT_LOG10: return times(-1 / log(10), inverse(rt_interval_square(x)));
    case RT_SQRT: return times(-0.25, inverse(rt_interval_product(x, root_of(x))));
    case RT_ABS:
    case RT_SIGN: return crosses_zero(x) ? rt_interval_whole() : rt_interval_point(0);
    case RT_FLOOR:
    case RT_CEIL: return crosses_whole(x) ? rt_interval_whole() : rt_interval_point(0);
    }
    return rt_interval_whole();
}

rt_interval rt_interval_function(rt_function_name name, int order, rt_interval x)
{
    if (isnan(x.low) || isnan(x.high)) return rt_interval_whole();
    if (order == 0) return value_enclosed(name, x);
    return order == 1 ? function_slope(name, x) : function_bend(name, x);
}

/* ---- powers ---------------------------------------------------------------------------------- */

/* c a^n for a whole n. */
static rt_interval whole_power(rt_interval a, double n, double c)
{
    if (c == 0) return rt_interval_point(0);
    if (n == 0) return rt_interval_point(c);
    if (n < 0 && crosses_zero(a)) return rt_interval_whole();
    const double p = pow(a.low, n), q = pow(a.high, n);
    const bool even = fmod(n, 2) == 0;
    return times(c, rt_interval_widen(even && crosses_zero(a) ? 0 : fmin(p, q), fmax(p, q)));
}

rt_interval rt_interval_power(rt_interval a, rt_interval b, int order)
{
    double c = 1;
    if (!rt_interval_is_point(b)) {
        if (order > 0 || !(a.low > 0)) return rt_interval_whole();
        return rt_interval_function(RT_EXP, 0,
                                    rt_interval_product(b, rt_interval_function(RT_LOG, 0, a)));
    }
    for (int k = 0; k < order; k++) c *= b.low - k;
    const double n = b.low - order;
    if (n == floor(n)) return whole_power(a, n, c);
    if (a.low < 0 || (n < 0 && a.low == 0)) return rt_interval_whole();
    const double p = pow(a.low, n), q = pow(a.high, n);
    return times(c, rt_interval_widen(fmin(p, q), fmax(p, q)));
}

/* ---- steps and tables ------------------------------------------------------------------------ */

/* By values at the ends, the latter from within, as derivatives jump at 0 and 1, and where one of
 * these functions may have an extreme between: s' at 1/2, s'' of the quintic at (3 +- sqrt 3)/6. */
static rt_interval blend_within(rt_blend kind, int order, double low, double high)
{
    static const double extremes[] = {0.5, 0.21132486540518713, 0.78867513459481287};
    const double ends[2] = {fmax(low, DBL_MIN), fmin(high, 1 - DBL_EPSILON / 2)};
    double from = INFINITY, to = -INFINITY;
    for (int k = 0; k < 5; k++) {
        const double u = k < 2 ? ends[k] : extremes[k - 2];
        if (k >= 2 && !(u >= low && u <= high)) continue;
        const double y = rt_blend_value(kind, order, u);
        from = fmin(from, y), to = fmax(to, y);
    }
    return rt_interval_widen(from, to);
}

rt_interval rt_interval_blend(rt_blend kind, int order, rt_interval x)
{
    if (isnan(x.low) || isnan(x.high) || order > 2) return rt_interval_whole();
    if (x.high <= 0) return rt_interval_point(0);
    if (x.low >= 1) return rt_interval_point(order == 0);
    rt_interval y = blend_within(kind, order, fmax(x.low, 0), fmin(x.high, 1));
    if (x.low < 0) y = rt_interval_hull(y, rt_interval_point(0));
    if (x.high > 1) y = rt_interval_hull(y, rt_interval_point(order == 0));
    return y;
}

/* By the coefficients of Bernstein of y, or y', over a part of length h of a cubic: its values lie
 * between the least and the largest of them. second: y'' at its beginning. */
static rt_interval cubic_part(double h, double y0, double y1, double s0, double s1, double second,
                              int order)
{
    const double b1 = y0 + h * s0 / 3, b2 = y1 - h * s1 / 3, d1 = s0 + h / 2 * second;
    if (order == 0)
        return rt_interval_widen(fmin(fmin(y0, b1), fmin(b2, y1)),
                                 fmax(fmax(y0, b1), fmax(b2, y1)));
    return rt_interval_widen(fmin(s0, fmin(d1, s1)), fmax(s0, fmax(d1, s1)));
}

/* The cubic of piece i over [low, high] within it. */
static rt_interval piece_enclosed(const rt_curve *c, int i, int order, double low, double high)
{
    const double h = c->x[i + 1] - c->x[i], M0 = c->second[i], M1 = c->before[i + 1];
    const double chord = (c->left[i + 1] - c->y[i]) / h;
    const double a = (low - c->x[i]) / h, b = (high - c->x[i]) / h;
    const double second0 = M0 + a * (M1 - M0), second1 = M0 + b * (M1 - M0);
    if (order == 2) return rt_interval_widen(fmin(second0, second1), fmax(second0, second1));
    const double A = 1 - a, B = 1 - b;
    const double y0 = A * c->y[i] + a * c->left[i + 1] +
                      h * h / 6 * ((A * A * A - A) * M0 + (a * a * a - a) * M1);
    const double y1 = B * c->y[i] + b * c->left[i + 1] +
                      h * h / 6 * ((B * B * B - B) * M0 + (b * b * b - b) * M1);
    const double s0 = chord + h / 6 * ((1 - 3 * A * A) * M0 + (3 * a * a - 1) * M1);
    const double s1 = chord + h / 6 * ((1 - 3 * B * B) * M0 + (3 * b * b - 1) * M1);
    return cubic_part(high - low, y0, y1, s0, s1, second0, order);
}

static rt_interval beyond_end(const rt_curve *c, int end, int order, double low, double high)
{
    const double slope = c->ends[end > 0], y = c->y[end];
    if (order == 2) return rt_interval_point(0);
    if (order == 1) return rt_interval_point(slope);
    const double p = y + slope * (low - c->x[end]), q = y + slope * (high - c->x[end]);
    return rt_interval_widen(fmin(p, q), fmax(p, q));
}

rt_interval rt_interval_curve(const rt_curve *c, int order, rt_interval x)
{
    const double first = c->x[0], last = c->x[c->n - 1];
    if (isnan(x.low) || isnan(x.high) || order > 2) return rt_interval_whole();
    rt_interval y = {INFINITY, -INFINITY};
    if (x.low < first) y = rt_interval_hull(y, beyond_end(c, 0, order, x.low, fmin(x.high, first)));
    if (x.high > last)
        y = rt_interval_hull(y, beyond_end(c, c->n - 1, order, fmax(x.low, last), x.high));
    if (x.low > last || x.high < first) return y;
    const int from = rt_curve_interval(c, x.low), to = rt_curve_interval(c, x.high);
    const bool corner = c->corners && (from < to || x.low < first || x.high > last);
    if (corner && order == 2) return rt_interval_whole();
    for (int i = from; i <= to; i++)
        y = rt_interval_hull(
            y, piece_enclosed(c, i, order, fmax(x.low, c->x[i]), fmin(x.high, c->x[i + 1])));
    return y;
}
