/* The type of the numbers that the equations of motion are evaluated in, and the functions of it.
 *
 * The sources of the evaluation are compiled twice. Ordinarily rt_scalar is a double and everything
 * here is the function of the same name of math.h. With RT_VARIATION it is a complex number whose
 * imaginary part, far below rounding of the real part, carries a first derivative through every
 * operation (docs/theory/sensitivity.md): f(x + i h x') = f(x) + i h f'(x) x' exactly to rounding,
 * since nothing is subtracted. Comparisons look at the real part. At a kink the derivative is that
 * of the branch taken.
 *
 * With RT_WIDE they are compiled once more, and rt_scalar has a significand of 113 bits
 * (system/wide.h). */
#ifndef RT_BASE_SCALAR_H
#define RT_BASE_SCALAR_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "base/pi.h"

#if defined RT_WIDE

/* long double where that has 113 bits, else __float128, whose functions glibc has under names of
 * their own. */
#if LDBL_MANT_DIG >= 113
typedef long double rt_scalar;
#define RT_WIDE_FUNCTION(name) name##l
#define RT_WIDE_DECLARE(name)
#define RT_WIDE_DECLARE_2(name)
#else
__extension__ typedef __float128 rt_scalar;
#define RT_WIDE_FUNCTION(name) name##f128
#define RT_WIDE_DECLARE(name) extern rt_scalar name##f128(rt_scalar)
#define RT_WIDE_DECLARE_2(name) extern rt_scalar name##f128(rt_scalar, rt_scalar)
#endif

static inline double rt_re(rt_scalar x) { return (double)x; }
static inline bool rt_finite(rt_scalar x) { return isfinite((double)x); }
static inline rt_scalar rt_fabs(rt_scalar x) { return x < 0 ? -x : x; }

#define RT_WIDE_ONE(name)                                                                          \
    RT_WIDE_DECLARE(name);                                                                         \
    static inline rt_scalar rt_##name(rt_scalar x) { return RT_WIDE_FUNCTION(name)(x); }
RT_WIDE_ONE(sqrt)
RT_WIDE_ONE(sin)
RT_WIDE_ONE(cos)
RT_WIDE_ONE(tan)
RT_WIDE_ONE(asin)
RT_WIDE_ONE(acos)
RT_WIDE_ONE(atan)
RT_WIDE_ONE(sinh)
RT_WIDE_ONE(cosh)
RT_WIDE_ONE(tanh)
RT_WIDE_ONE(exp)
RT_WIDE_ONE(log)
RT_WIDE_ONE(log10)

RT_WIDE_DECLARE_2(atan2);
RT_WIDE_DECLARE_2(pow);
static inline rt_scalar rt_atan_of(rt_scalar y, rt_scalar x)
{
    return RT_WIDE_FUNCTION(atan2)(y, x);
}
static inline rt_scalar rt_pow(rt_scalar x, rt_scalar y) { return RT_WIDE_FUNCTION(pow)(x, y); }

#elif !defined RT_VARIATION

typedef double rt_scalar;

static inline double rt_re(rt_scalar x) { return x; }
static inline bool rt_finite(rt_scalar x) { return isfinite(x); }
static inline rt_scalar rt_sqrt(rt_scalar x) { return sqrt(x); }
static inline rt_scalar rt_fabs(rt_scalar x) { return fabs(x); }
static inline rt_scalar rt_sin(rt_scalar x) { return sin(x); }
static inline rt_scalar rt_cos(rt_scalar x) { return cos(x); }
static inline rt_scalar rt_tan(rt_scalar x) { return tan(x); }
static inline rt_scalar rt_asin(rt_scalar x) { return asin(x); }
static inline rt_scalar rt_acos(rt_scalar x) { return acos(x); }
static inline rt_scalar rt_atan(rt_scalar x) { return atan(x); }
static inline rt_scalar rt_atan_of(rt_scalar y, rt_scalar x) { return atan2(y, x); }
static inline rt_scalar rt_sinh(rt_scalar x) { return sinh(x); }
static inline rt_scalar rt_cosh(rt_scalar x) { return cosh(x); }
static inline rt_scalar rt_tanh(rt_scalar x) { return tanh(x); }
static inline rt_scalar rt_exp(rt_scalar x) { return exp(x); }
static inline rt_scalar rt_log(rt_scalar x) { return log(x); }
static inline rt_scalar rt_log10(rt_scalar x) { return log10(x); }
static inline rt_scalar rt_pow(rt_scalar x, rt_scalar y) { return pow(x, y); }

#else

typedef double _Complex rt_scalar;

static inline double rt_re(rt_scalar x) { return __real__ x; }
static inline double rt_im(rt_scalar x) { return __imag__ x; }
static inline rt_scalar rt_complex(double re, double im)
{
    rt_scalar x;
    __real__ x = re;
    __imag__ x = im;
    return x;
}
static inline bool rt_finite(rt_scalar x) { return isfinite(rt_re(x)) && isfinite(rt_im(x)); }

/* f + i slope x', and nothing beside f where x' is zero: also where the slope is infinite. */
static inline rt_scalar rt_chain_rule(double f, double slope, rt_scalar x)
{
    return rt_complex(f, rt_im(x) == 0 ? 0 : slope * rt_im(x));
}
/* The root of a square that is zero but for its derivative is that derivative. */
static inline rt_scalar rt_sqrt(rt_scalar x)
{
    const double f = sqrt(rt_re(x));
    if (rt_re(x) < 0 && -rt_re(x) < 1e-50) return __builtin_csqrt(x);
    return rt_chain_rule(f, 0.5 / f, x);
}
static inline rt_scalar rt_fabs(rt_scalar x)
{
    return rt_chain_rule(fabs(rt_re(x)), rt_re(x) > 0 ? 1 : rt_re(x) < 0 ? -1 : 0, x);
}
static inline rt_scalar rt_sin(rt_scalar x)
{
    return rt_chain_rule(sin(rt_re(x)), cos(rt_re(x)), x);
}
static inline rt_scalar rt_cos(rt_scalar x)
{
    return rt_chain_rule(cos(rt_re(x)), -sin(rt_re(x)), x);
}
static inline rt_scalar rt_tan(rt_scalar x)
{
    const double f = tan(rt_re(x));
    return rt_chain_rule(f, 1 + f * f, x);
}
static inline rt_scalar rt_asin(rt_scalar x)
{
    return rt_chain_rule(asin(rt_re(x)), 1 / sqrt(1 - rt_re(x) * rt_re(x)), x);
}
static inline rt_scalar rt_acos(rt_scalar x)
{
    return rt_chain_rule(acos(rt_re(x)), -1 / sqrt(1 - rt_re(x) * rt_re(x)), x);
}
static inline rt_scalar rt_atan(rt_scalar x)
{
    return rt_chain_rule(atan(rt_re(x)), 1 / (1 + rt_re(x) * rt_re(x)), x);
}
static inline rt_scalar rt_atan_of(rt_scalar y, rt_scalar x)
{
    const double a = rt_re(x), b = rt_re(y), along = a * rt_im(y) - b * rt_im(x);
    return rt_complex(atan2(b, a), along == 0 ? 0 : along / (a * a + b * b));
}
static inline rt_scalar rt_sinh(rt_scalar x)
{
    return rt_chain_rule(sinh(rt_re(x)), cosh(rt_re(x)), x);
}
static inline rt_scalar rt_cosh(rt_scalar x)
{
    return rt_chain_rule(cosh(rt_re(x)), sinh(rt_re(x)), x);
}
static inline rt_scalar rt_tanh(rt_scalar x)
{
    const double f = tanh(rt_re(x));
    return rt_chain_rule(f, 1 - f * f, x);
}
static inline rt_scalar rt_exp(rt_scalar x)
{
    const double f = exp(rt_re(x));
    return rt_chain_rule(f, f, x);
}
static inline rt_scalar rt_log(rt_scalar x)
{
    return rt_chain_rule(log(rt_re(x)), 1 / rt_re(x), x);
}
static inline rt_scalar rt_log10(rt_scalar x)
{
    return rt_chain_rule(log10(rt_re(x)), 1 / (rt_re(x) * log(10)), x);
}
/* x^y: y x^(y-1) x' + log(x) x^y y' */
static inline rt_scalar rt_pow(rt_scalar x, rt_scalar y)
{
    const double a = rt_re(x), b = rt_re(y), f = pow(a, b);
    const double by_x = rt_im(x) == 0 || b == 0 ? 0 : b * pow(a, b - 1) * rt_im(x);
    return rt_complex(f, by_x + (rt_im(y) == 0 || f == 0 ? 0 : log(a) * f * rt_im(y)));
}

#endif

/* The angle and so many whole turns that it is nearest to `near`: the double nearest to 2 pi, and
 * what that lacks. */
static inline rt_scalar rt_counted(rt_scalar angle, double near)
{
    static const double rest = 2.4492935982947064e-16;
    const double n = round((near - rt_re(angle)) / RT_TWO_PI);
    return n == 0 ? angle : angle + n * rest + n * RT_TWO_PI;
}

#endif
