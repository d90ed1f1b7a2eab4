/* Natural cubic splines through tables, and what they change by where a point moves. */
#include "expression/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool usable(int n, const double *x, const double *y)
{
    if (n < 2) return false;
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i])) return false;
        if (i > 0 && !(x[i] > x[i - 1])) return false;
    }
    return true;
}

/* The second derivatives M of the natural spline, by elimination without pivoting (the matrix is
 * diagonally dominant), de Boor, A Practical Guide to Splines, ch. IV, with h_i = x_{i+1} - x_i and
 * s_i = (y_{i+1} - y_i) / h_i:
 *     h_{i-1} M_{i-1} + 2 (h_{i-1} + h_i) M_i + h_i M_{i+1} = 6 (s_i - s_{i-1}), M_0 = M_{n-1} = 0.
 * Where y'' falls by `jump` at the point `at`, M are those from the left, M_i - jump from the right
 * of it, and what jump adds goes to the right side. pivot: n doubles of work. */
static void table_solve(rt_curve *c, int at, double jump, double *pivot)
{
    const double *x = c->x, *y = c->y;
    double *M = c->before;
    M[0] = M[c->n - 1] = 0;
    if (at == c->n - 1) M[at] = jump;
    pivot[0] = 1;
    for (int i = 1; i < c->n - 1; i++) {
        const double h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i];
        const double right =
            6 * ((y[i + 1] - y[i]) / h1 - (y[i] - y[i - 1]) / h0) + jump * (i - 1 == at ? h0
                                                                            : i == at   ? 2 * h1
                                                                                        : 0);
        const double factor = i > 1 ? h0 / pivot[i - 1] : 0;
        pivot[i] = 2 * (h0 + h1) - factor * h0;
        M[i] = right - factor * M[i - 1];
    }
    for (int i = c->n - 2; i >= 1; i--) M[i] = (M[i] - (x[i + 1] - x[i]) * M[i + 1]) / pivot[i];
    for (int i = 0; i < c->n; i++) c->second[i] = M[i] - (i == at ? jump : 0);
}

static uint64_t table_hash_of(const rt_curve *c)
{
    uint64_t h = rt_mix((uint64_t)c->n);
    for (int i = 0; i < 3 * c->n; i++) {
        uint64_t bits;
        memcpy(&bits, &c->x[i], sizeof bits);
        h = rt_mix(h ^ bits);
    }
    return h;
}

void rt_curve_place(rt_curve *c, double *values)
{
    c->x = values;
    c->y = c->x + c->n;
    c->second = c->y + c->n;
    c->before = c->second + c->n;
}

/* At the points x, with no values yet. */
static rt_curve *at_points(int n, const double *x)
{
    rt_curve *c = malloc(sizeof *c + 4 * (size_t)n * sizeof(double));
    if (!c) return NULL;
    c->n = n;
    rt_curve_place(c, (double *)(c + 1));
    memcpy(c->x, x, (size_t)n * sizeof *x);
    return c;
}

/* c with its second derivatives; NULL, and c freed: out of memory. */
static rt_curve *bent(rt_curve *c, int at, double jump)
{
    double *pivot = c ? malloc((size_t)c->n * sizeof *pivot) : NULL;
    if (!pivot) {
        free(c);
        return NULL;
    }
    table_solve(c, at, jump, pivot);
    c->hash = table_hash_of(c);
    free(pivot);
    return c;
}

rt_curve *rt_curve_create(int n, const double *x, const double *y)
{
    if (!usable(n, x, y)) return NULL;
    rt_curve *c = at_points(n, x);
    if (c) memcpy(c->y, y, (size_t)n * sizeof *y);
    return bent(c, -1, 0);
}

rt_curve *rt_curve_copy(const rt_curve *curve)
{
    rt_curve *c = at_points(curve->n, curve->x);
    if (!c) return NULL;
    memcpy(c->x, curve->x, 4 * (size_t)curve->n * sizeof *c->x);
    c->hash = curve->hash;
    return c;
}

/* Cubics p left and r right of x_k agree there to second derivatives, wherever x_k is. So do, with
 * a dot for derivatives by x_k,
 *     .p + p' = .r + r' = 0,     .p' + p'' = .r' + r'',     .p'' + D3 p = .r'' + D3 r:
 * .y = -y' at x_k, and 0 at the other points; .y' is continuous; .y'' falls by the rise of the
 * third derivative D3 y, which is 0 beyond the ends. */
rt_curve *rt_curve_by_point(const rt_curve *s, int k)
{
    rt_curve *c = at_points(s->n, s->x);
    const double *M = s->second, *x = s->x;
    double jump = 0;
    if (!c) return NULL;
    if (k < s->n - 1) jump += (M[k + 1] - M[k]) / (x[k + 1] - x[k]);
    if (k > 0) jump -= (M[k] - M[k - 1]) / (x[k] - x[k - 1]);
    for (int i = 0; i < s->n; i++) c->y[i] = i == k ? -rt_curve_value(s, 1, x[k]) : 0;
    return bent(c, k, jump);
}

bool rt_curve_same(const rt_curve *a, const rt_curve *b)
{
    return a->hash == b->hash && a->n == b->n &&
           memcmp(a->x, b->x, 4 * (size_t)a->n * sizeof(double)) == 0;
}

static bool more_curves(rt_graph *graph)
{
    const int room = graph->room_curves ? 2 * graph->room_curves : 8;
    rt_curve **curves = realloc(graph->curves, (size_t)room * sizeof *curves);
    if (!curves) return false;
    graph->curves = curves;
    graph->room_curves = room;
    return true;
}

/* The curve at x. The graph keeps the curve, or has one like it. */
static rt_expr on_curve(rt_graph *graph, rt_curve *curve, rt_expr x)
{
    if (!curve) return RT_NO_EXPR;
    for (int i = 0; i < graph->n_curves; i++)
        if (rt_curve_same(graph->curves[i], curve)) {
            free(curve);
            return rt_table_order(graph, i, 0, x);
        }
    if (graph->n_curves == graph->room_curves && !more_curves(graph)) {
        free(curve);
        return RT_NO_EXPR;
    }
    graph->curves[graph->n_curves] = curve;
    return rt_table_order(graph, graph->n_curves++, 0, x);
}

rt_expr rt_table(rt_graph *graph, rt_expr x, int n, const double *xs, const double *ys)
{
    return x < 0 ? RT_NO_EXPR : on_curve(graph, rt_curve_create(n, xs, ys), x);
}

/* de Boor, A Practical Guide to Splines, ch. IV: s(x; y) = s(x; y fixed, 0 else) + sum y_k s(x;
 * e_k) over those that vary, (e_k)_i = 1 where i = k. */
rt_expr rt_table_varying(rt_graph *graph, rt_expr x, int n, const double *xs, const double *ys,
                         const rt_expr *varying)
{
    double *unit = calloc((size_t)n, sizeof *unit), *fixed = calloc((size_t)n, sizeof *fixed);
    rt_expr sum = RT_NO_EXPR;
    if (unit && fixed) {
        for (int k = 0; k < n; k++) fixed[k] = varying[k] < 0 ? ys[k] : 0;
        sum = rt_table(graph, x, n, xs, fixed);
        for (int k = 0; k < n; k++) {
            if (varying[k] < 0) continue;
            unit[k] = 1;
            sum =
                rt_add(graph, sum, rt_multiply(graph, varying[k], rt_table(graph, x, n, xs, unit)));
            unit[k] = 0;
        }
    }
    free(unit);
    free(fixed);
    return sum;
}

rt_expr rt_table_by_point(rt_graph *graph, rt_expr x, int n, const double *xs, const double *ys,
                          int k)
{
    rt_curve *spline = x < 0 ? NULL : rt_curve_create(n, xs, ys);
    rt_curve *curve = spline ? rt_curve_by_point(spline, k) : NULL;
    free(spline);
    return on_curve(graph, curve, x);
}
