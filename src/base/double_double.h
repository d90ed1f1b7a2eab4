/* Numbers of 106 bits as the unevaluated sum of two doubles, |low| <= ulp(high) / 2.
 *
 * Dekker, Numerische Mathematik 18 (1971): products by splitting; Knuth, The Art of Computer
 * Programming 2, 4.2.2: sums. Relative errors per operation are below 2^-102. Sources that include
 * this are compiled without contraction of products and sums (cmake/Library.cmake). */
#ifndef RT_BASE_DOUBLE_DOUBLE_H
#define RT_BASE_DOUBLE_DOUBLE_H

#include <math.h>

typedef struct rt_dd {
    double high, low;
} rt_dd;

/* What one operation loses at most, relative. */
#define RT_DD_EPSILON 0x1p-102

static inline rt_dd rt_dd_of(double x) { return (rt_dd){x, 0}; }
static inline double rt_dd_round(rt_dd x) { return x.high + x.low; }
static inline rt_dd rt_dd_negative(rt_dd x) { return (rt_dd){-x.high, -x.low}; }

/* |a| >= |b| */
static inline rt_dd rt_dd_quick_sum(double a, double b)
{
    const double s = a + b;
    return (rt_dd){s, b - (s - a)};
}

static inline rt_dd rt_dd_sum_of(double a, double b)
{
    const double s = a + b, c = s - a;
    return (rt_dd){s, (a - (s - c)) + (b - c)};
}

static inline rt_dd rt_dd_product_of(double a, double b)
{
    const double p = a * b, x = 134217729.0 * a, y = 134217729.0 * b;
    const double a1 = x - (x - a), a2 = a - a1, b1 = y - (y - b), b2 = b - b1;
    return (rt_dd){p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

static inline rt_dd rt_dd_add(rt_dd a, rt_dd b)
{
    const rt_dd s = rt_dd_sum_of(a.high, b.high), t = rt_dd_sum_of(a.low, b.low);
    const rt_dd u = rt_dd_quick_sum(s.high, s.low + t.high);
    return rt_dd_quick_sum(u.high, u.low + t.low);
}

static inline rt_dd rt_dd_subtract(rt_dd a, rt_dd b) { return rt_dd_add(a, rt_dd_negative(b)); }

static inline rt_dd rt_dd_multiply(rt_dd a, rt_dd b)
{
    const rt_dd p = rt_dd_product_of(a.high, b.high);
    return rt_dd_quick_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

/* s + a b, with an error of 2^-102 (|s| + |a b|): of a sum that cancels not relative */
static inline rt_dd rt_dd_fma(rt_dd s, rt_dd a, rt_dd b)
{
    const rt_dd p = rt_dd_product_of(a.high, b.high), t = rt_dd_sum_of(s.high, p.high);
    return rt_dd_quick_sum(t.high, t.low + (s.low + (p.low + (a.high * b.low + a.low * b.high))));
}

static inline rt_dd rt_dd_divide(rt_dd a, rt_dd b)
{
    const double q = a.high / b.high;
    const rt_dd r = rt_dd_subtract(a, rt_dd_multiply(rt_dd_of(q), b));
    const double q2 = r.high / b.high;
    const rt_dd r2 = rt_dd_subtract(r, rt_dd_multiply(rt_dd_of(q2), b));
    return rt_dd_add(rt_dd_quick_sum(q, q2), rt_dd_of(r2.high / b.high));
}

static inline rt_dd rt_dd_sqrt(rt_dd a)
{
    if (!(a.high > 0)) return rt_dd_of(0);
    const double x = sqrt(a.high);
    const rt_dd r = rt_dd_subtract(a, rt_dd_product_of(x, x));
    return rt_dd_quick_sum(x, r.high / (2 * x));
}

#endif
