/* The value of a curve through a table and of its derivatives. Compiled twice (base/scalar.h). */
#include "expression/graph.h"

int rt_curve_interval(const rt_curve *c, double x)
{
    int low = 0, high = c->n - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (x < c->x[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* y = A y_i + B y_{i+1} + h^2/6 [(A^3 - A) M_i + (B^3 - B) M_{i+1}],
 * A = (x_{i+1} - x)/h, B = (x - x_i)/h, and its derivatives. */
static rt_scalar curve_piece(const rt_curve *c, int i, int order, rt_scalar x)
{
    const double h = c->x[i + 1] - c->x[i];
    const rt_scalar A = (c->x[i + 1] - x) / h, B = (x - c->x[i]) / h;
    const double y0 = c->y[i], y1 = c->left[i + 1], M0 = c->second[i], M1 = c->before[i + 1];
    switch (order) {
    case 0: return A * y0 + B * y1 + h * h / 6 * ((A * A * A - A) * M0 + (B * B * B - B) * M1);
    case 1: return (y1 - y0) / h + h / 6 * ((1 - 3 * A * A) * M0 + (3 * B * B - 1) * M1);
    case 2: return A * M0 + B * M1;
    case 3: return (M1 - M0) / h;
    default: return 0;
    }
}

/* Beyond end k (0 or n - 1) a line goes on. */
static rt_scalar curve_line(const rt_curve *c, int k, int order, rt_scalar x)
{
    const double slope = c->ends[k > 0];
    if (order > 1) return 0;
    return order == 1 ? slope : c->y[k] + slope * (x - c->x[k]);
}

rt_scalar rt_curve_value(const rt_curve *c, int order, rt_scalar x)
{
    if (isnan(rt_re(x))) return x;
    if (rt_re(x) < c->x[0]) return curve_line(c, 0, order, x);
    if (rt_re(x) >= c->x[c->n - 1]) return curve_line(c, c->n - 1, order, x);
    return curve_piece(c, rt_curve_interval(c, rt_re(x)), order, x);
}
