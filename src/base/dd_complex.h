/* Complex numbers of 106 bits. */
#ifndef RT_BASE_DD_COMPLEX_H
#define RT_BASE_DD_COMPLEX_H

#include "base/double_double.h"

typedef struct rt_dd_complex {
    rt_dd re, im;
} rt_dd_complex;

static inline rt_dd_complex rt_ddz_of(double re, double im)
{
    return (rt_dd_complex){rt_dd_of(re), rt_dd_of(im)};
}

static inline rt_dd_complex rt_ddz_add(rt_dd_complex a, rt_dd_complex b)
{
    return (rt_dd_complex){rt_dd_add(a.re, b.re), rt_dd_add(a.im, b.im)};
}

static inline rt_dd_complex rt_ddz_subtract(rt_dd_complex a, rt_dd_complex b)
{
    return (rt_dd_complex){rt_dd_subtract(a.re, b.re), rt_dd_subtract(a.im, b.im)};
}

static inline rt_dd_complex rt_ddz_multiply(rt_dd_complex a, rt_dd_complex b)
{
    return (rt_dd_complex){rt_dd_subtract(rt_dd_multiply(a.re, b.re), rt_dd_multiply(a.im, b.im)),
                           rt_dd_add(rt_dd_multiply(a.re, b.im), rt_dd_multiply(a.im, b.re))};
}

static inline rt_dd_complex rt_ddz_conjugate(rt_dd_complex a)
{
    return (rt_dd_complex){a.re, rt_dd_negative(a.im)};
}

static inline rt_dd_complex rt_ddz_scale(rt_dd_complex a, rt_dd s)
{
    return (rt_dd_complex){rt_dd_multiply(a.re, s), rt_dd_multiply(a.im, s)};
}

static inline double rt_ddz_size(rt_dd_complex a) { return hypot(a.re.high, a.im.high); }

static inline rt_dd rt_ddz_square(rt_dd_complex a)
{
    return rt_dd_add(rt_dd_multiply(a.re, a.re), rt_dd_multiply(a.im, a.im));
}

/* |a|, of numbers whose squares would leave the range scaled by a power of two */
static inline rt_dd rt_ddz_abs(rt_dd_complex a)
{
    const double size = fmax(fabs(a.re.high), fabs(a.im.high));
    if (!(size > 0)) return rt_dd_of(0);
    const double scale = ldexp(1, -ilogb(size));
    const rt_dd root = rt_dd_sqrt(rt_ddz_square(rt_ddz_scale(a, rt_dd_of(scale))));
    return rt_dd_multiply(root, rt_dd_of(1 / scale));
}

static inline rt_dd_complex rt_ddz_divide(rt_dd_complex a, rt_dd_complex b)
{
    const double size = fmax(fabs(b.re.high), fabs(b.im.high)), scale = ldexp(1, -ilogb(size));
    const rt_dd_complex s = rt_ddz_scale(b, rt_dd_of(scale)),
                        p = rt_ddz_multiply(a, rt_ddz_conjugate(s));
    const rt_dd square = rt_ddz_square(s);
    return (rt_dd_complex){rt_dd_multiply(rt_dd_divide(p.re, square), rt_dd_of(scale)),
                           rt_dd_multiply(rt_dd_divide(p.im, square), rt_dd_of(scale))};
}

#endif
