#include "model/number.h"

#include <math.h>

rt_number rt_plain(double value) { return (rt_number){value, RT_NO_EXPR}; }

rt_expr rt_number_expr(rt_calculator *c, rt_number a)
{
    const rt_expr e = a.expr >= 0 ? a.expr : rt_constant(c->graph, a.value);
    if (e < 0) c->failed = true;
    return e;
}

typedef rt_expr (*binary)(rt_graph *, rt_expr, rt_expr);

static rt_number number_combine(rt_calculator *c, double value, rt_number a, rt_number b,
                                binary make)
{
    if (a.expr < 0 && b.expr < 0) return rt_plain(value);
    const rt_number out = {value, make(c->graph, rt_number_expr(c, a), rt_number_expr(c, b))};
    if (out.expr < 0) c->failed = true;
    return out;
}

rt_number rt_plus(rt_calculator *c, rt_number a, rt_number b)
{
    return number_combine(c, a.value + b.value, a, b, rt_add);
}

rt_number rt_minus(rt_calculator *c, rt_number a, rt_number b)
{
    return number_combine(c, a.value - b.value, a, b, rt_subtract);
}

rt_number rt_times(rt_calculator *c, rt_number a, rt_number b)
{
    return number_combine(c, a.value * b.value, a, b, rt_multiply);
}

rt_number rt_over(rt_calculator *c, rt_number a, rt_number b)
{
    return number_combine(c, a.value / b.value, a, b, rt_divide);
}

rt_number rt_angle(rt_calculator *c, rt_number y, rt_number x)
{
    return number_combine(c, atan2(y.value, x.value), y, x, rt_atan2);
}

static rt_number number_apply(rt_calculator *c, double value, rt_number a, rt_function_name name)
{
    if (a.expr < 0) return rt_plain(value);
    const rt_number out = {value, rt_function_of(c->graph, name, a.expr)};
    if (out.expr < 0) c->failed = true;
    return out;
}

rt_number rt_root(rt_calculator *c, rt_number a)
{
    return number_apply(c, sqrt(a.value), a, RT_SQRT);
}

rt_number rt_cosine(rt_calculator *c, rt_number a)
{
    return number_apply(c, cos(a.value), a, RT_COS);
}

rt_number rt_sine(rt_calculator *c, rt_number a)
{
    return number_apply(c, sin(a.value), a, RT_SIN);
}

rt_number rt_exponential(rt_calculator *c, rt_number a)
{
    return number_apply(c, exp(a.value), a, RT_EXP);
}

rt_number rt_numbers_dot(rt_calculator *c, const rt_number a[3], const rt_number b[3])
{
    rt_number sum = rt_times(c, a[0], b[0]);
    for (int k = 1; k < 3; k++) sum = rt_plus(c, sum, rt_times(c, a[k], b[k]));
    return sum;
}

void rt_numbers_cross(rt_calculator *c, rt_number out[3], const rt_number a[3],
                      const rt_number b[3])
{
    for (int k = 0; k < 3; k++) {
        const int m = (k + 1) % 3, n = (k + 2) % 3;
        out[k] = rt_minus(c, rt_times(c, a[m], b[n]), rt_times(c, a[n], b[m]));
    }
}

/* a / |a|; axes along a coordinate direction stay exact. */
void rt_numbers_unit(rt_calculator *c, rt_number out[3], const rt_number a[3])
{
    const rt_number length = rt_root(c, rt_numbers_dot(c, a, a));
    for (int k = 0; k < 3; k++) out[k] = rt_over(c, a[k], length);
}

void rt_numbers_matrix(rt_calculator *c, rt_number C[9], const rt_number A[9], const rt_number B[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const rt_number column[3] = {B[j], B[3 + j], B[6 + j]};
            C[3 * i + j] = rt_numbers_dot(c, A + 3 * i, column);
        }
}

void rt_numbers_times(rt_calculator *c, rt_number y[3], const rt_number A[9], const rt_number x[3])
{
    for (int i = 0; i < 3; i++) y[i] = rt_numbers_dot(c, A + 3 * i, x);
}

void rt_numbers_transposed_times(rt_calculator *c, rt_number y[3], const rt_number A[9],
                                 const rt_number x[3])
{
    for (int i = 0; i < 3; i++) {
        const rt_number column[3] = {A[i], A[3 + i], A[6 + i]};
        y[i] = rt_numbers_dot(c, column, x);
    }
}

void rt_numbers_identity(rt_number A[9])
{
    for (int k = 0; k < 9; k++) A[k] = rt_plain(k % 4 == 0);
}

void rt_numbers_values(double *values, const rt_number *numbers, int n)
{
    for (int k = 0; k < n; k++) values[k] = numbers[k].value;
}
