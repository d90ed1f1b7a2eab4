/* The numbers behind the operations. */
#include "base/pi.h"
#include "expression/graph.h"

static rt_scalar value_sign_of(rt_scalar x)
{
    return isnan(rt_re(x)) ? x : (double)((rt_re(x) > 0) - (rt_re(x) < 0));
}

rt_scalar rt_function_value(rt_function_name name, rt_scalar x)
{
    switch (name) {
    case RT_SIN: return rt_sin(x);
    case RT_COS: return rt_cos(x);
    case RT_TAN: return rt_tan(x);
    case RT_ASIN: return rt_asin(x);
    case RT_ACOS: return rt_acos(x);
    case RT_ATAN: return rt_atan(x);
    case RT_SINH: return rt_sinh(x);
    case RT_COSH: return rt_cosh(x);
    case RT_TANH: return rt_tanh(x);
    case RT_EXP: return rt_exp(x);
    case RT_LOG: return rt_log(x);
    case RT_LOG10: return rt_log10(x);
    case RT_SQRT: return rt_sqrt(x);
    case RT_ABS: return rt_fabs(x);
    case RT_SIGN: return value_sign_of(x);
    case RT_FLOOR: return floor(rt_re(x));
    case RT_CEIL: return ceil(rt_re(x));
    }
    return (double)NAN;
}

/* Small whole exponents by multiplication, so that x^2 costs what x*x does. */
static rt_scalar plain_power(rt_scalar a, rt_scalar b)
{
    if (b == 2) return a * a;
    if (b == 1) return a;
    if (b == 3) return a * a * a;
    if (b == -1) return 1 / a;
    return rt_pow(a, b);
}

/* (Jets ask for two orders more than nodes have.) Coefficients c_0 .. c_k in h of prod_{i<m} (b + h
 * - i). */
static void falling_factorial(rt_scalar b, int m, int k, rt_scalar *c)
{
    for (int j = 0; j <= k; j++) c[j] = j == 0;
    for (int i = 0; i < m; i++)
        for (int j = k; j >= 0; j--) c[j] = c[j] * (b - i) + (j > 0 ? c[j - 1] : 0);
}

/* d^m/da^m d^k/db^k a^b = sum_j C(k,j) [d^j/db^j b (b-1) .. (b-m+1)] a^(b-m) log(a)^(k-j).
 * Terms with a zero factor are zero even where the power is infinite; at a = 0 a positive power of
 * a beats any power of its logarithm. */
rt_scalar rt_power_value(rt_scalar a, rt_scalar b, int m, int k)
{
    rt_scalar c[RT_MOST_ORDER + 3], sum = 0, weight = 1;
    if (m == 0 && k == 0) return plain_power(a, b);
    falling_factorial(b, m, k, c);
    for (int j = 0; j <= k; j++) {
        /* weight = k! / (k-j)! = C(k,j) j! */
        const rt_scalar power = plain_power(a, b - m);
        const bool vanishes = c[j] == 0 || (a == 0 && power == 0);
        if (!vanishes) sum += weight * c[j] * power * (k > j ? rt_pow(rt_log(a), k - j) : 1);
        weight *= k - j;
    }
    return sum;
}

/* s = u^2 (3 - 2u) */
static rt_scalar cubic(int order, rt_scalar u)
{
    switch (order) {
    case 0: return u * u * (3 - 2 * u);
    case 1: return 6 * u * (1 - u);
    case 2: return 6 - 12 * u;
    case 3: return -12;
    default: return 0;
    }
}

/* s = u^3 (10 - 15u + 6u^2), with continuous second derivative */
static rt_scalar quintic(int order, rt_scalar u)
{
    switch (order) {
    case 0: return u * u * u * (10 + u * (6 * u - 15));
    case 1: return 30 * u * u * (1 - u) * (1 - u);
    case 2: return 60 * u * (1 - u) * (1 - 2 * u);
    case 3: return 60 + 360 * u * (u - 1);
    case 4: return 360 * (2 * u - 1);
    case 5: return 720;
    default: return 0;
    }
}

/* s = (1 - cos(pi u)) / 2 */
static rt_scalar haversine(int order, rt_scalar u)
{
    const rt_scalar c = rt_cos(RT_PI * u), s = rt_sin(RT_PI * u), scale = pow(RT_PI, order) / 2;
    switch (order % 4) {
    case 0: return order == 0 ? (1 - c) / 2 : -scale * c;
    case 1: return scale * s;
    case 2: return scale * c;
    default: return -scale * s;
    }
}

rt_scalar rt_blend_value(rt_blend kind, int order, rt_scalar u)
{
    if (rt_re(u) <= 0) return 0;
    if (rt_re(u) >= 1) return order == 0;
    if (isnan(rt_re(u))) return u;
    if (kind == RT_BLEND_CUBIC) return cubic(order, u);
    return kind == RT_BLEND_QUINTIC ? quintic(order, u) : haversine(order, u);
}

/* Along a variation f + sum f_k x_k'. What is evaluated with 113 bits has no such functions. */
rt_scalar rt_user_value(rt_user_memory *memory, const rt_user_function *f, int orders,
                        const rt_scalar *x)
{
    double at[RT_USER_ARGUMENTS] = {0};
    for (int k = 0; k < f->n; k++) at[k] = rt_re(x[k]);
    const double value = rt_user_recall(memory, f, orders, at);
#ifdef RT_VARIATION
    double along = 0;
    for (int k = 0; k < f->n; k++)
        if (rt_im(x[k]) != 0)
            along += rt_user_recall(memory, f, orders + rt_user_one(k), at) * rt_im(x[k]);
    return rt_complex(value, along);
#else
    return value;
#endif
}

rt_scalar rt_operation_value(rt_operation operation, int detail, const rt_curve *curve,
                          const rt_scalar *x)
{
    switch (operation) {
    case RT_OP_CONSTANT:
    case RT_OP_INPUT: break;
    case RT_OP_ADD: return x[0] + x[1];
    case RT_OP_SUBTRACT: return x[0] - x[1];
    case RT_OP_MULTIPLY: return x[0] * x[1];
    case RT_OP_DIVIDE: return x[0] / x[1];
    case RT_OP_RATIO: return x[0] == 0 && !isnan(rt_re(x[1])) ? 0 : x[0] / x[1];
    case RT_OP_NEGATE: return -x[0];
    case RT_OP_POWER: return rt_power_value(x[0], x[1], detail % 64, detail / 64);
    case RT_OP_ATAN2: return rt_atan_of(x[0], x[1]);
    case RT_OP_COUNTED: return rt_counted(x[0], rt_re(x[1]));
    case RT_OP_MINIMUM:
        return isunordered(rt_re(x[0]), rt_re(x[1])) ? x[0] + x[1]
               : rt_re(x[0]) <= rt_re(x[1])          ? x[0]
                                                     : x[1];
    case RT_OP_MAXIMUM:
        return isunordered(rt_re(x[0]), rt_re(x[1])) ? x[0] + x[1]
               : rt_re(x[0]) >= rt_re(x[1])          ? x[0]
                                                     : x[1];
    case RT_OP_SELECT:
        return isunordered(rt_re(x[0]), rt_re(x[1])) ? x[0] + x[1]
               : rt_re(x[0]) <= rt_re(x[1])          ? x[2]
                                                     : x[3];
    case RT_OP_FUNCTION: return rt_function_value((rt_function_name)detail, x[0]);
    case RT_OP_BLEND: return rt_blend_value((rt_blend)(detail % 4), detail / 4, x[0]);
    case RT_OP_TABLE: return rt_curve_value(curve, detail, x[0]);
    case RT_OP_USER: break; /* rt_user_value */
    }
    return (double)NAN;
}
