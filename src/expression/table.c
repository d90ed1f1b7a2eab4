/* Curves through tables: natural cubic splines, monotone cubics and straight pieces, and what they
 * change by where a point moves. */
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

/* ---- curves ---------------------------------------------------------------------------------- */

static uint64_t table_hash_of(const rt_curve *c)
{
    uint64_t h = rt_mix((uint64_t)c->n + (c->corners ? 1u << 31 : 0));
    for (size_t i = 0; i < rt_curve_count(c->n); i++) {
        uint64_t bits;
        memcpy(&bits, &c->x[i], sizeof bits);
        h = rt_mix(h ^ bits);
    }
    return h;
}

size_t rt_curve_count(int n) { return 5 * (size_t)n + 2; }

void rt_curve_place(rt_curve *c, double *values)
{
    c->x = values;
    c->y = c->x + c->n;
    c->left = c->y + c->n;
    c->second = c->left + c->n;
    c->before = c->second + c->n;
    c->ends = c->before + c->n;
}

rt_curve *rt_curve_at(int n, const double *x)
{
    rt_curve *c = malloc(sizeof *c + rt_curve_count(n) * sizeof(double));
    if (!c) return NULL;
    c->n = n;
    c->corners = false;
    rt_curve_place(c, (double *)(c + 1));
    memset(c->x, 0, rt_curve_count(n) * sizeof *c->x);
    memcpy(c->x, x, (size_t)n * sizeof *x);
    return c;
}

rt_curve *rt_curve_finish(rt_curve *c)
{
    if (c) c->hash = table_hash_of(c);
    return c;
}

rt_curve *rt_curve_copy(const rt_curve *curve)
{
    rt_curve *c = rt_curve_at(curve->n, curve->x);
    if (!c) return NULL;
    memcpy(c->x, curve->x, rt_curve_count(curve->n) * sizeof *c->x);
    c->corners = curve->corners;
    c->hash = curve->hash;
    return c;
}

bool rt_curve_same(const rt_curve *a, const rt_curve *b)
{
    return a->hash == b->hash && a->n == b->n && a->corners == b->corners &&
           memcmp(a->x, b->x, rt_curve_count(a->n) * sizeof(double)) == 0;
}

static double piece_slope(const rt_curve *c, int i)
{
    return (c->left[i + 1] - c->y[i]) / (c->x[i + 1] - c->x[i]);
}

/* Of the cubic with the slopes p, q at the ends of a piece h long of mean slope s:
 *     y'' = (6 s - 4 p - 2 q)/h and (2 p + 4 q - 6 s)/h there. */
void rt_curve_bend(rt_curve *c, const double *from_left, const double *from_right)
{
    if (!from_right) from_right = from_left;
    for (int i = 0; i + 1 < c->n; i++) {
        const double h = c->x[i + 1] - c->x[i], s = piece_slope(c, i);
        const double p = from_right[i], q = from_left[i + 1];
        c->second[i] = (6 * s - 4 * p - 2 * q) / h;
        c->before[i + 1] = (2 * p + 4 * q - 6 * s) / h;
    }
}

/* The slopes at the ends of the first and of the last piece go on. */
static void go_on(rt_curve *c)
{
    const int n = c->n;
    const double h0 = c->x[1] - c->x[0], h1 = c->x[n - 1] - c->x[n - 2];
    c->ends[0] = piece_slope(c, 0) - h0 / 6 * (2 * c->second[0] + c->before[1]);
    c->ends[1] = piece_slope(c, n - 2) + h1 / 6 * (c->second[n - 2] + 2 * c->before[n - 1]);
}

/* ---- the kinds ------------------------------------------------------------------------------- */

/* c's second derivatives; false: out of memory. */
static bool bend_cubic(rt_curve *c, int at, double jump)
{
    double *pivot = malloc((size_t)c->n * sizeof *pivot);
    if (!pivot) return false;
    table_solve(c, at, jump, pivot);
    free(pivot);
    go_on(c);
    return true;
}

static bool bend_monotone(rt_curve *c)
{
    double *d = malloc((size_t)c->n * sizeof *d);
    if (!d) return false;
    rt_monotone_slopes(c->n, c->x, c->y, d);
    rt_curve_bend(c, d, NULL);
    c->ends[0] = d[0];
    c->ends[1] = d[c->n - 1];
    free(d);
    return true;
}

static bool bend_linear(rt_curve *c)
{
    go_on(c);
    for (int i = 0; i + 2 < c->n; i++) c->corners |= piece_slope(c, i) != piece_slope(c, i + 1);
    return true;
}

static bool table_bend(rt_interpolation kind, rt_curve *c)
{
    if (kind == RT_LINEAR || c->n == 2) return bend_linear(c);
    return kind == RT_CUBIC ? bend_cubic(c, -1, 0) : bend_monotone(c);
}

/* Finished where it is good; NULL, and c freed, where not. */
static rt_curve *finish_or_free(rt_curve *c, bool good)
{
    if (good) return rt_curve_finish(c);
    free(c);
    return NULL;
}

rt_curve *rt_curve_create(rt_interpolation kind, int n, const double *x, const double *y)
{
    if (!usable(n, x, y)) return NULL;
    rt_curve *c = rt_curve_at(n, x);
    if (!c) return NULL;
    memcpy(c->y, y, (size_t)n * sizeof *y);
    memcpy(c->left, y, (size_t)n * sizeof *y);
    return finish_or_free(c, table_bend(kind, c));
}

/* ---- where a point moves --------------------------------------------------------------------- */

/* Cubics p left and r right of x_k agree there to second derivatives, wherever x_k is. So do, with
 * a dot for derivatives by x_k,
 *     .p + p' = .r + r' = 0,     .p' + p'' = .r' + r'',     .p'' + D3 p = .r'' + D3 r:
 * .y = -y' at x_k, and 0 at the other points; .y' is continuous; .y'' falls by the rise of the
 * third derivative D3 y, which is 0 beyond the ends. */
static bool cubic_by_point(const rt_curve *s, int k, rt_curve *c)
{
    const double *M = s->second, *x = s->x;
    double jump = 0;
    if (k < s->n - 1) jump += (M[k + 1] - M[k]) / (x[k + 1] - x[k]);
    if (k > 0) jump -= (M[k] - M[k - 1]) / (x[k] - x[k - 1]);
    c->y[k] = c->left[k] = -rt_curve_value(s, 1, x[k]);
    return bend_cubic(c, k, jump);
}

/* y = y_i + s_i (x - x_i): at x_k, .y = -s from either side, and 0 at the other points. */
static bool linear_by_point(const rt_curve *s, int k, rt_curve *c)
{
    c->left[k] = -piece_slope(s, k ? k - 1 : 0);
    c->y[k] = -piece_slope(s, k < s->n - 1 ? k : k - 1);
    if (k == 0) c->left[k] = c->y[k];
    if (k == s->n - 1) c->y[k] = c->left[k];
    go_on(c);
    return true;
}

/* Of y(x_k) = y_k and y'(x_j) = d_j: .y = -d_k at x_k, and .y' = .d_j - y'' there, y'' from either
 * side at x_k and not at the other points. */
static bool monotone_by_point(const rt_curve *s, int k, rt_curve *c)
{
    const int n = s->n;
    double *h = calloc(4 * (size_t)n, sizeof *h);
    if (!h) return false;
    double *rate = h + n, *d = h + 2 * n, *right = h + 3 * n;
    if (k > 0) h[k - 1] = 1, rate[k - 1] = -piece_slope(s, k - 1) / (s->x[k] - s->x[k - 1]);
    if (k < n - 1) h[k] = -1, rate[k] = piece_slope(s, k) / (s->x[k + 1] - s->x[k]);
    const bool good = rt_monotone_rates(n, s->x, s->y, h, rate, d);
    memcpy(right, d, (size_t)n * sizeof *d);
    c->ends[0] = d[0];
    c->ends[1] = d[n - 1];
    c->y[k] = c->left[k] = k == 0       ? -s->ends[0]
                           : k == n - 1 ? -s->ends[1]
                                        : -rt_curve_value(s, 1, s->x[k]);
    if (k < n - 1) right[k] -= s->second[k];
    if (k > 0) d[k] -= s->before[k];
    rt_curve_bend(c, d, right);
    free(h);
    return good;
}

rt_curve *rt_curve_by_point(rt_interpolation kind, const rt_curve *s, int k)
{
    rt_curve *c = rt_curve_at(s->n, s->x);
    if (!c) return NULL;
    if (kind == RT_LINEAR || s->n == 2) return finish_or_free(c, linear_by_point(s, k, c));
    return finish_or_free(c,
                          kind == RT_CUBIC ? cubic_by_point(s, k, c) : monotone_by_point(s, k, c));
}

/* ---- in a graph ------------------------------------------------------------------------------ */

static bool more_curves(rt_graph *graph)
{
    const int room = graph->room_curves ? 2 * graph->room_curves : 8;
    rt_curve **curves = rt_kept_realloc(graph->kept, graph->curves, (size_t)room * sizeof *curves);
    if (!curves) return false;
    graph->curves = curves;
    graph->room_curves = room;
    return true;
}

rt_expr rt_on_curve(rt_graph *graph, rt_curve *curve, rt_expr x)
{
    if (!curve || x < 0) {
        free(curve);
        return RT_NO_EXPR;
    }
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

rt_expr rt_tabulated(rt_graph *graph, rt_interpolation kind, rt_expr x, int n, const double *xs,
                     const double *ys)
{
    return x < 0 ? RT_NO_EXPR : rt_on_curve(graph, rt_curve_create(kind, n, xs, ys), x);
}

/* de Boor, A Practical Guide to Splines, ch. IV, of curves that are linear in y: s(x; y) = s(x; y
 * fixed, 0 else) + sum y_k s(x; e_k) over those that vary, (e_k)_i = 1 where i = k. */
static rt_expr sum_of_units(rt_graph *graph, rt_interpolation kind, rt_expr x, int n,
                            const double *xs, const double *ys, const rt_expr *varying)
{
    double *unit = calloc((size_t)n, sizeof *unit), *fixed = calloc((size_t)n, sizeof *fixed);
    rt_expr sum = RT_NO_EXPR;
    if (unit && fixed) {
        for (int k = 0; k < n; k++) fixed[k] = varying[k] < 0 ? ys[k] : 0;
        sum = rt_tabulated(graph, kind, x, n, xs, fixed);
        for (int k = 0; k < n; k++) {
            if (varying[k] < 0) continue;
            unit[k] = 1;
            const rt_expr part = rt_tabulated(graph, kind, x, n, xs, unit);
            sum = rt_add(graph, sum, rt_multiply(graph, varying[k], part));
            unit[k] = 0;
        }
    }
    free(unit);
    free(fixed);
    return sum;
}

rt_expr rt_table_varying(rt_graph *graph, rt_interpolation kind, rt_expr x, int n, const double *xs,
                         const double *ys, const rt_expr *varying)
{
    bool any = false;
    for (int k = 0; k < n; k++) any = any || varying[k] >= 0;
    if (!any) return rt_tabulated(graph, kind, x, n, xs, ys);
    if (kind == RT_MONOTONE && n > 2) return rt_monotone_varying(graph, x, n, xs, ys, varying);
    return sum_of_units(graph, n == 2 ? RT_LINEAR : kind, x, n, xs, ys, varying);
}

rt_expr rt_table_by_point(rt_graph *graph, rt_interpolation kind, rt_expr x, int n,
                          const double *xs, const double *ys, int k)
{
    rt_curve *curve = x < 0 ? NULL : rt_curve_create(kind, n, xs, ys);
    rt_curve *by = curve ? rt_curve_by_point(kind, curve, k) : NULL;
    free(curve);
    return rt_on_curve(graph, by, x);
}
