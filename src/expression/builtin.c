#include "expression/builtin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef rt_graph G;

static bool says(char *problem, const char *what)
{
    snprintf(problem, RT_PROBLEM_SIZE, "%s", what);
    return true;
}

bool rt_quotient_problem(const G *graph, rt_expr b, char *problem)
{
    double value;
    if (!rt_is_constant(graph, b, &value) || value != 0) return false;
    return says(problem, "this divides by zero");
}

bool rt_power_problem(const G *graph, rt_expr a, rt_expr b, char *problem)
{
    double base, exponent;
    if (!rt_is_constant(graph, a, &base) || !rt_is_constant(graph, b, &exponent)) return false;
    if (base == 0 && exponent < 0)
        return says(problem, "zero to a negative power is a division by zero");
    if (base < 0 && exponent != floor(exponent))
        return says(problem, "a negative number has no power with a fractional exponent");
    return false;
}

/* ---- one argument ---------------------------------------------------------------------------- */

static bool outside_domain(rt_function_name name, double x, char *problem)
{
    if (name == RT_SQRT && x < 0) return says(problem, "sqrt of a negative number is not real");
    if ((name == RT_LOG || name == RT_LOG10) && x <= 0)
        return says(problem, "the logarithm needs a number above zero");
    if ((name == RT_ASIN || name == RT_ACOS) && fabs(x) > 1)
        return says(problem, "asin and acos need a number between -1 and 1");
    return false;
}

static rt_expr unary(G *graph, int name, const rt_expr *a, int n, char *problem, int *at)
{
    double x;
    (void)n;
    *at = 0;
    if (rt_is_constant(graph, a[0], &x) && outside_domain((rt_function_name)name, x, problem))
        return RT_NO_EXPR;
    return rt_function_of(graph, (rt_function_name)name, a[0]);
}

/* ---- two arguments --------------------------------------------------------------------------- */

static rt_expr builtin_angle(G *graph, int detail, const rt_expr *a, int n, char *problem, int *at)
{
    double y, x;
    (void)detail, (void)n;
    *at = 0;
    if (rt_is_constant(graph, a[0], &y) && rt_is_constant(graph, a[1], &x) && x == 0 && y == 0) {
        says(problem, "atan2(0, 0) has no direction");
        return RT_NO_EXPR;
    }
    return rt_atan2(graph, a[0], a[1]);
}

static rt_expr builtin_power(G *graph, int detail, const rt_expr *a, int n, char *problem, int *at)
{
    (void)detail, (void)n;
    *at = 0;
    return rt_power_problem(graph, a[0], a[1], problem) ? RT_NO_EXPR : rt_power(graph, a[0], a[1]);
}

/* x - y trunc(x/y), trunc(z) = sign(z) floor(|z|): the sign is that of x */
static rt_expr modulo(G *graph, int detail, const rt_expr *a, int n, char *problem, int *at)
{
    double x, y;
    (void)detail, (void)n;
    *at = 1;
    if (rt_quotient_problem(graph, a[1], problem)) return RT_NO_EXPR;
    if (rt_is_constant(graph, a[0], &x) && rt_is_constant(graph, a[1], &y))
        return rt_constant(graph, fmod(x, y));
    const rt_expr q = rt_divide(graph, a[0], a[1]);
    const rt_expr whole = rt_function_of(graph, RT_FLOOR, rt_function_of(graph, RT_ABS, q));
    const rt_expr cut = rt_multiply(graph, rt_function_of(graph, RT_SIGN, q), whole);
    return rt_subtract(graph, a[0], rt_multiply(graph, a[1], cut));
}

/* sqrt(x^2 + y^2) */
static rt_expr length(G *graph, rt_expr x, rt_expr y)
{
    const rt_expr two = rt_constant(graph, 2);
    const rt_expr sum = rt_add(graph, rt_power(graph, x, two), rt_power(graph, y, two));
    return rt_function_of(graph, RT_SQRT, sum);
}

static rt_expr hypotenuse(G *graph, int detail, const rt_expr *a, int n, char *problem, int *at)
{
    double x, y;
    (void)detail, (void)n, (void)problem;
    *at = 0;
    if (rt_is_constant(graph, a[0], &x) && rt_is_constant(graph, a[1], &y))
        return rt_constant(graph, hypot(x, y));
    return length(graph, a[0], a[1]);
}

/* ---- smooth blends --------------------------------------------------------------------------- */

static rt_expr blend(G *graph, int kind, const rt_expr *a, int n, char *problem, int *at)
{
    double width;
    (void)n;
    *at = 3;
    if (rt_is_constant(graph, rt_subtract(graph, a[3], a[1]), &width) && !(width > 0)) {
        says(problem, "the blend must end (x1) beyond where it begins (x0)");
        return RT_NO_EXPR;
    }
    return rt_blend_of(graph, (rt_blend)kind, a[0], a[1], a[2], a[3], a[4]);
}

enum { SMOOTH_ABS, SMOOTH_SIGN, SMOOTH_RAMP };

static rt_expr smooth(G *graph, int kind, const rt_expr *a, int n, char *problem, int *at)
{
    double width;
    (void)n;
    *at = 1;
    if (rt_is_constant(graph, a[1], &width) && !(width > 0)) {
        says(problem, "the width of the blend must be above zero");
        return RT_NO_EXPR;
    }
    if (kind == SMOOTH_SIGN) return rt_function_of(graph, RT_TANH, rt_divide(graph, a[0], a[1]));
    const rt_expr absolute = length(graph, a[0], a[1]);
    if (kind == SMOOTH_ABS) return absolute;
    return rt_multiply(graph, rt_constant(graph, 0.5), rt_add(graph, a[0], absolute));
}

/* ---- any number of arguments ----------------------------------------------------------------- */

static rt_expr builtin_extreme(G *graph, int largest, const rt_expr *a, int n, char *problem,
                               int *at)
{
    rt_expr best = a[0];
    (void)problem;
    *at = 0;
    for (int i = 1; i < n; i++)
        best = largest ? rt_maximum(graph, best, a[i]) : rt_minimum(graph, best, a[i]);
    return best;
}

/* a0 + z (a1 + z (a2 + ...)), z = x - x0 */
static rt_expr polynomial(G *graph, int detail, const rt_expr *a, int n, char *problem, int *at)
{
    const rt_expr z = rt_subtract(graph, a[0], a[1]);
    rt_expr sum = a[n - 1];
    (void)detail, (void)problem;
    *at = 0;
    for (int i = n - 2; i >= 2; i--) sum = rt_add(graph, a[i], rt_multiply(graph, z, sum));
    return sum;
}

/* a sin(w (x - x0) - phi) + b */
static rt_expr harmonic(G *graph, int detail, const rt_expr *a, int n, char *problem, int *at)
{
    rt_expr angle_now = rt_multiply(graph, a[3], rt_subtract(graph, a[0], a[1]));
    (void)detail, (void)problem;
    *at = 0;
    if (n > 4) angle_now = rt_subtract(graph, angle_now, a[4]);
    const rt_expr wave = rt_multiply(graph, a[2], rt_function_of(graph, RT_SIN, angle_now));
    return n > 5 ? rt_add(graph, wave, a[5]) : wave;
}

typedef struct builtin_points {
    int n;
    double *x, *y;
    rt_expr *varying; /* of y; RT_NO_EXPR */
} builtin_points;

/* Points x1, y1, x2, y2, ... out of the arguments after the first; false: problem and *at are set.
 */
static bool table_points(const G *graph, const rt_expr *a, builtin_points *p, char *problem,
                         int *at)
{
    int n_varying = 0;
    for (int k = 0; k < p->n; k++) {
        *at = 1 + 2 * k;
        if (!rt_is_constant(graph, a[*at], &p->x[k]))
            return !says(problem, "the x values of a table must be constant");
        if (k && !(p->x[k] > p->x[k - 1]))
            return !says(problem, "the x values of a table must increase from point to point");
        *at = 2 + 2 * k;
        p->varying[k] = rt_is_constant(graph, a[*at], &p->y[k]) ? RT_NO_EXPR : a[*at];
        n_varying += p->varying[k] >= 0;
        if (n_varying > RT_TABLE_VARYING)
            return !says(problem, "more than 256 y values of a table are not constant");
    }
    return true;
}

static rt_expr builtin_table(G *graph, int detail, const rt_expr *a, int n, char *problem, int *at)
{
    rt_expr result = RT_NO_EXPR;
    const size_t size = (size_t)(n - 1) / 2;
    *at = n - 1;
    if (n % 2 == 0) {
        says(problem, "the last point of the table has an x but no y");
        return RT_NO_EXPR;
    }
    builtin_points p = {(int)size, calloc(size, sizeof *p.x), calloc(size, sizeof *p.y),
                        calloc(size, sizeof *p.varying)};
    if (p.x && p.y && p.varying && table_points(graph, a, &p, problem, at))
        result = rt_table_varying(graph, (rt_interpolation)detail, a[0], p.n, p.x, p.y, p.varying);
    free(p.x);
    free(p.y);
    free(p.varying);
    return result;
}

/* ---- the list -------------------------------------------------------------------------------- */

const rt_builtin rt_builtins[] = {
    {"sin", "sin(x)", "sine", 1, 1, unary, RT_SIN, "1", 0, 0},
    {"cos", "cos(x)", "cosine", 1, 1, unary, RT_COS, "1", 0, 0},
    {"tan", "tan(x)", "tangent", 1, 1, unary, RT_TAN, "1", 0, 0},
    {"asin", "asin(x)", "arc sine, from -pi/2 to pi/2", 1, 1, unary, RT_ASIN, "1", 0, 0},
    {"acos", "acos(x)", "arc cosine, from 0 to pi", 1, 1, unary, RT_ACOS, "1", 0, 0},
    {"atan", "atan(x)", "arc tangent, from -pi/2 to pi/2", 1, 1, unary, RT_ATAN, "1", 0, 0},
    {"atan2", "atan2(y, x)", "angle of the point (x, y), from -pi to pi", 2, 2, builtin_angle, 0,
     "aa", 0, 0},
    {"sinh", "sinh(x)", "hyperbolic sine", 1, 1, unary, RT_SINH, "1", 0, 0},
    {"cosh", "cosh(x)", "hyperbolic cosine", 1, 1, unary, RT_COSH, "1", 0, 0},
    {"tanh", "tanh(x)", "hyperbolic tangent", 1, 1, unary, RT_TANH, "1", 0, 0},
    {"exp", "exp(x)", "e^x", 1, 1, unary, RT_EXP, "1", 0, 0},
    {"log", "log(x)", "natural logarithm", 1, 1, unary, RT_LOG, "1", 0, 0},
    {"ln", "ln(x)", "natural logarithm", 1, 1, unary, RT_LOG, "1", 0, 0},
    {"log10", "log10(x)", "logarithm to the base 10", 1, 1, unary, RT_LOG10, "1", 0, 0},
    {"sqrt", "sqrt(x)", "square root", 1, 1, unary, RT_SQRT, "a", 0, 'r'},
    {"abs", "abs(x)", "absolute value", 1, 1, unary, RT_ABS, "a", 0, 'a'},
    {"sign", "sign(x)", "1 above 0, -1 below, 0 at 0", 1, 1, unary, RT_SIGN, NULL, 0, 0},
    {"floor", "floor(x)", "the next whole number below", 1, 1, unary, RT_FLOOR, "a", 0, 'a'},
    {"ceil", "ceil(x)", "the next whole number above", 1, 1, unary, RT_CEIL, "a", 0, 'a'},
    {"min", "min(a, b, ...)", "the smallest", 2, -1, builtin_extreme, 0, "a", 1, 'a'},
    {"max", "max(a, b, ...)", "the largest", 2, -1, builtin_extreme, 1, "a", 1, 'a'},
    {"mod", "mod(x, y)",
     "rest of x/y with the sign of x: x - y trunc(x/y), trunc cutting off towards 0", 2, 2, modulo,
     0, "aa", 0, 'a'},
    {"pow", "pow(x, exponent)", "x^exponent", 2, 2, builtin_power, 0, ".1", 0, 'p'},
    {"hypot", "hypot(x, y)", "sqrt(x^2 + y^2)", 2, 2, hypotenuse, 0, "aa", 0, 'a'},
    {"STEP", "STEP(x, x0, h0, x1, h1)",
     "h0 + (h1 - h0) s^2 (3 - 2 s), s = (x - x0)/(x1 - x0) from 0 to 1; h0 below x0, h1 above x1",
     5, 5, blend, RT_BLEND_CUBIC, "aabab", 0, 'b'},
    {"STEP5", "STEP5(x, x0, h0, x1, h1)", "the same with s^3 (10 - 15 s + 6 s^2)", 5, 5, blend,
     RT_BLEND_QUINTIC, "aabab", 0, 'b'},
    {"HAVSIN", "HAVSIN(x, x0, h0, x1, h1)", "the same with (1 - cos(pi s))/2", 5, 5, blend,
     RT_BLEND_HAVERSINE, "aabab", 0, 'b'},
    {"ramp", "ramp(x, width)", "(x + sqrt(x^2 + width^2))/2, smooth in the place of max(x, 0)", 2,
     2, smooth, SMOOTH_RAMP, "aa", 0, 'a'},
    {"smooth_sign", "smooth_sign(x, width)", "tanh(x/width)", 2, 2, smooth, SMOOTH_SIGN, "aa", 0,
     0},
    {"smooth_abs", "smooth_abs(x, width)", "sqrt(x^2 + width^2)", 2, 2, smooth, SMOOTH_ABS, "aa", 0,
     'a'},
    {"POLY", "POLY(x, x0, a0, a1, ...)", "a0 + a1 (x - x0) + a2 (x - x0)^2 + ...", 3, -1,
     polynomial, 0, "aa", 0, 0},
    {"SHF", "SHF(x, x0, a, w, phi, b)", "a sin(w (x - x0) - phi) + b; phi and b may be left out", 4,
     6, harmonic, 0, "aab.1b", 0, 'b'},
    {"table", "table(x, x1, y1, x2, y2, ...)",
     "the curve through the points, monotone between them", 5, -1, builtin_table, RT_MONOTONE,
     "aab", 2, 'b'},
    {"table_linear", "table_linear(x, x1, y1, x2, y2, ...)", "straight from point to point", 5, -1,
     builtin_table, RT_LINEAR, "aab", 2, 'b'},
    {"table_cubic", "table_cubic(x, x1, y1, x2, y2, ...)",
     "natural cubic spline through the points", 5, -1, builtin_table, RT_CUBIC, "aab", 2, 'b'},
    {NULL, NULL, NULL, 0, 0, NULL, 0, NULL, 0, 0},
};

static char builtin_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool builtin_equal(const char *a, const char *b)
{
    while (*a && builtin_lower(*a) == builtin_lower(*b)) a++, b++;
    return builtin_lower(*a) == builtin_lower(*b);
}

const rt_builtin *rt_builtin_find(const char *name)
{
    for (const rt_builtin *b = rt_builtins; b->name; b++)
        if (builtin_equal(b->name, name)) return b;
    return NULL;
}
