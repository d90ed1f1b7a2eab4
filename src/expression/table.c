/* Natural cubic splines through tables. */
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
 * diagonally dominant), de Boor, A Practical Guide to Splines, ch. IV: h_{i-1} M_{i-1} + 2 (h_{i-1}
 * + h_i) M_i + h_i M_{i+1} = 6 (s_i - s_{i-1}),  M_0 = M_{n-1} = 0 with h_i = x_{i+1} - x_i and s_i
 * = (y_{i+1} - y_i) / h_i. pivot: n doubles of work. */
static void solve(rt_curve *c, double *pivot)
{
    const double *x = c->x, *y = c->y;
    double *M = c->second;
    M[0] = M[c->n - 1] = 0;
    pivot[0] = 1;
    for (int i = 1; i < c->n - 1; i++) {
        const double h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i];
        const double right = 6 * ((y[i + 1] - y[i]) / h1 - (y[i] - y[i - 1]) / h0);
        const double factor = i > 1 ? h0 / pivot[i - 1] : 0;
        pivot[i] = 2 * (h0 + h1) - factor * h0;
        M[i] = right - factor * M[i - 1];
    }
    for (int i = c->n - 2; i >= 1; i--) {
        const double above = i < c->n - 2 ? (x[i + 1] - x[i]) * M[i + 1] : 0;
        M[i] = (M[i] - above) / pivot[i];
    }
}

static uint64_t hash_of(const rt_curve *c)
{
    uint64_t h = rt_mix((uint64_t)c->n);
    for (int i = 0; i < c->n; i++) {
        uint64_t bits[2];
        memcpy(&bits[0], &c->x[i], sizeof bits[0]);
        memcpy(&bits[1], &c->y[i], sizeof bits[1]);
        h = rt_mix(rt_mix(h ^ bits[0]) + bits[1]);
    }
    return h;
}

rt_curve *rt_curve_create(int n, const double *x, const double *y)
{
    if (!usable(n, x, y)) return NULL;
    rt_curve *c = malloc(sizeof *c + 3 * (size_t)n * sizeof(double));
    double *pivot = malloc((size_t)n * sizeof *pivot);
    if (c && pivot) {
        c->n = n;
        c->x = (double *)(c + 1);
        c->y = c->x + n;
        c->second = c->y + n;
        memcpy(c->x, x, (size_t)n * sizeof *x);
        memcpy(c->y, y, (size_t)n * sizeof *y);
        solve(c, pivot);
        c->hash = hash_of(c);
        free(pivot);
        return c;
    }
    free(c);
    free(pivot);
    return NULL;
}

bool rt_curve_same(const rt_curve *a, const rt_curve *b)
{
    const size_t size = (size_t)a->n * sizeof(double);
    return a->hash == b->hash && a->n == b->n && memcmp(a->x, b->x, size) == 0 &&
           memcmp(a->y, b->y, size) == 0;
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

rt_expr rt_table(rt_graph *graph, rt_expr x, int n, const double *xs, const double *ys)
{
    if (x < 0) return RT_NO_EXPR;
    if (graph->n_curves == graph->room_curves && !more_curves(graph)) return RT_NO_EXPR;
    rt_curve *curve = rt_curve_create(n, xs, ys);
    if (!curve) return RT_NO_EXPR;
    for (int i = 0; i < graph->n_curves; i++)
        if (rt_curve_same(graph->curves[i], curve)) {
            free(curve);
            return rt_table_order(graph, i, 0, x);
        }
    graph->curves[graph->n_curves] = curve;
    return rt_table_order(graph, graph->n_curves++, 0, x);
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
