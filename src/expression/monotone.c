/* Monotone piecewise cubics: the slopes at their points, from F. N. Fritsch and J. Butland, A
 * method for constructing local monotone piecewise cubic interpolants, SIAM J. Sci. Stat. Comput. 5
 * (1984) 300-304, and at the ends from C. Moler, Numerical Computing with MATLAB, ch. 3.6 (pchip).
 */
#include "expression/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number and what it changes by. */
typedef struct changing {
    double value, rate;
} changing;

/* h_i = x_{i+1} - x_i, s_i = (y_{i+1} - y_i)/h_i */
typedef struct monotone_piece {
    changing h, s;
} monotone_piece;

/* ---- as numbers ------------------------------------------------------------------------------ */

/* Between pieces: d = 3 (h0 + h1) s0 s1 / ((2 h1 + h0) s1 + (h1 + 2 h0) s0) where both slopes have
 * one sign, which is their weighted harmonic mean; else 0. */
static changing slope_between(const monotone_piece *a, const monotone_piece *b)
{
    const double h0 = a->h.value, h1 = b->h.value, s0 = a->s.value, s1 = b->s.value;
    if (!(s0 * s1 > 0)) return (changing){0, 0};
    const double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
    const double share0 = w0 / s0, share1 = w1 / s1, sum = share0 + share1;
    const double d = (w0 + w1) / sum;
    const double w0_rate = 2 * b->h.rate + a->h.rate, w1_rate = b->h.rate + 2 * a->h.rate;
    const double sum_rate =
        (w0_rate - share0 * a->s.rate) / s0 + (w1_rate - share1 * b->s.rate) / s1;
    return (changing){d, (w0_rate + w1_rate - d * sum_rate) / sum};
}

/* At an end: the slope there of the parabola through three points, d = ((2 h0 + h1) s0 - h0 s1)/(h0
 * + h1); not of other sign than s0, and not beyond 3 s0 where s0 and s1 differ in sign. */
static changing slope_at_end(const monotone_piece *a, const monotone_piece *b)
{
    const double h0 = a->h.value, h1 = b->h.value, s0 = a->s.value, s1 = b->s.value;
    const double r0 = a->h.rate, r1 = b->h.rate, length = h0 + h1;
    const double d = ((2 * h0 + h1) * s0 - h0 * s1) / length;
    if (!(d * s0 > 0)) return (changing){0, 0};
    if (fabs(d) > 3 * fabs(s0)) return (changing){3 * s0, 3 * a->s.rate};
    const double above = (2 * r0 + r1) * s0 + (2 * h0 + h1) * a->s.rate - r0 * s1 - h0 * b->s.rate;
    return (changing){d, (above - d * (r0 + r1)) / length};
}

/* n > 2 */
static changing monotone_slope_at(int n, const monotone_piece *pieces, int i)
{
    if (i == 0) return slope_at_end(&pieces[0], &pieces[1]);
    if (i == n - 1) return slope_at_end(&pieces[n - 2], &pieces[n - 3]);
    return slope_between(&pieces[i - 1], &pieces[i]);
}

static monotone_piece piece_of(const double *x, const double *y, int i)
{
    const double h = x[i + 1] - x[i];
    return (monotone_piece){{h, 0}, {(y[i + 1] - y[i]) / h, 0}};
}

void rt_monotone_slopes(int n, const double *x, const double *y, double *d)
{
    for (int i = 0; i < n; i++) {
        /* the three pieces that matter, where there are so many */
        const int first = i < 1 ? 0 : i > n - 2 ? n - 3 : i - 1;
        const monotone_piece pieces[2] = {piece_of(x, y, first), piece_of(x, y, first + 1)};
        d[i] = monotone_slope_at(3, pieces, i - first).value;
    }
}

bool rt_monotone_rates(int n, const double *x, const double *y, const double *h_rate,
                       const double *s_rate, double *d_rate)
{
    monotone_piece *pieces = malloc((size_t)n * sizeof *pieces);
    if (!pieces) return false;
    for (int i = 0; i + 1 < n; i++) {
        pieces[i] = piece_of(x, y, i);
        pieces[i].h.rate = h_rate[i];
        pieces[i].s.rate = s_rate[i];
    }
    for (int i = 0; i < n; i++) d_rate[i] = monotone_slope_at(n, pieces, i).rate;
    free(pieces);
    return true;
}

/* ---- as expressions -------------------------------------------------------------------------- */

/* The formulas above where values are expressions. */
typedef struct monotone_table {
    rt_graph *graph;
    rt_expr x;
    int n;
    const double *xs, *ys;
    const rt_expr *varying;
} monotone_table;

static rt_expr monotone_scaled(rt_graph *g, double factor, rt_expr e)
{
    return rt_multiply(g, rt_constant(g, factor), e);
}

static rt_expr mean_slope_of(const monotone_table *t, int i)
{
    rt_graph *g = t->graph;
    rt_expr y[2];
    for (int k = 0; k < 2; k++)
        y[k] = t->varying[i + k] >= 0 ? t->varying[i + k] : rt_constant(g, t->ys[i + k]);
    return monotone_scaled(g, 1 / (t->xs[i + 1] - t->xs[i]), rt_subtract(g, y[1], y[0]));
}

static rt_expr between_expression(const monotone_table *t, int i)
{
    rt_graph *g = t->graph;
    const double h0 = t->xs[i] - t->xs[i - 1], h1 = t->xs[i + 1] - t->xs[i];
    const rt_expr s0 = mean_slope_of(t, i - 1), s1 = mean_slope_of(t, i), zero = rt_constant(g, 0);
    const rt_expr product = rt_multiply(g, s0, s1);
    const rt_expr below =
        rt_add(g, monotone_scaled(g, 2 * h1 + h0, s1), monotone_scaled(g, h1 + 2 * h0, s0));
    const rt_expr mean = rt_ratio(g, monotone_scaled(g, 3 * (h0 + h1), product), below);
    return rt_select(g, product, zero, zero, mean);
}

/* Of the piece at the end and the one beside it. */
static rt_expr end_expression(const monotone_table *t, int end, int beside)
{
    rt_graph *g = t->graph;
    const double h0 = t->xs[end + 1] - t->xs[end], h1 = t->xs[beside + 1] - t->xs[beside];
    const rt_expr s0 = mean_slope_of(t, end), s1 = mean_slope_of(t, beside),
                  zero = rt_constant(g, 0);
    const rt_expr d = rt_subtract(g, monotone_scaled(g, (2 * h0 + h1) / (h0 + h1), s0),
                                  monotone_scaled(g, h0 / (h0 + h1), s1));
    const rt_expr d_s = rt_multiply(g, d, s0), most = monotone_scaled(g, 3, rt_multiply(g, s0, s0));
    const rt_expr cut = rt_select(g, d_s, most, d, monotone_scaled(g, 3, s0));
    return rt_select(g, d_s, zero, zero, cut);
}

static rt_expr slope_expression(const monotone_table *t, int i)
{
    if (i == 0) return end_expression(t, 0, 1);
    if (i == t->n - 1) return end_expression(t, t->n - 2, t->n - 3);
    return between_expression(t, i);
}

/* The cubics of Hermite through the values of c, with the slopes d, which are given back. */
static rt_expr monotone_hermite(const monotone_table *t, rt_curve *c, double *d)
{
    if (c) {
        c->ends[0] = d[0];
        c->ends[1] = d[t->n - 1];
        rt_curve_bend(c, d, NULL);
        rt_curve_finish(c);
    }
    free(d);
    return rt_on_curve(t->graph, c, t->x);
}

/* The cubic of Hermite with value and slope at point k, 0 at the others. */
static rt_expr cardinal(const monotone_table *t, int k, double value, double slope)
{
    double *d = calloc((size_t)t->n, sizeof *d);
    rt_curve *c = d ? rt_curve_at(t->n, t->xs) : NULL;
    if (c) {
        d[k] = slope;
        c->y[k] = c->left[k] = value;
    }
    return monotone_hermite(t, c, d);
}

static bool depends_on(const monotone_table *t, int i)
{
    const int n = t->n, first = i < 1 ? 0 : i > n - 2 ? n - 3 : i - 1;
    for (int k = first; k <= first + 2; k++)
        if (t->varying[k] >= 0) return true;
    return false;
}

/* What does not vary, in one curve. */
static rt_expr fixed_part(const monotone_table *t)
{
    double *d = calloc((size_t)t->n, sizeof *d);
    rt_curve *c = d ? rt_curve_at(t->n, t->xs) : NULL;
    if (c) {
        rt_monotone_slopes(t->n, t->xs, t->ys, d);
        for (int i = 0; i < t->n; i++) {
            c->y[i] = c->left[i] = t->varying[i] < 0 ? t->ys[i] : 0;
            if (depends_on(t, i)) d[i] = 0;
        }
    }
    return monotone_hermite(t, c, d);
}

/* s(x) = sum y_i H_i(x) + d_i G_i(x), the cubics of Hermite with a value, a slope of 1 at a point
 * and 0 at the others. */
rt_expr rt_monotone_varying(rt_graph *graph, rt_expr x, int n, const double *xs, const double *ys,
                            const rt_expr *varying)
{
    const monotone_table t = {graph, x, n, xs, ys, varying};
    rt_expr sum = fixed_part(&t);
    for (int i = 0; i < n; i++) {
        if (varying[i] >= 0)
            sum = rt_add(graph, sum, rt_multiply(graph, varying[i], cardinal(&t, i, 1, 0)));
        if (depends_on(&t, i))
            sum = rt_add(graph, sum,
                         rt_multiply(graph, slope_expression(&t, i), cardinal(&t, i, 0, 1)));
    }
    return sum;
}
