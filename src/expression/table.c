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

/* The interval i with x_i <= x < x_{i+1}, for x within the table. */
static int interval(const rt_curve *c, double x)
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
static double piece(const rt_curve *c, int i, int order, double x)
{
    const double h = c->x[i + 1] - c->x[i], A = (c->x[i + 1] - x) / h, B = (x - c->x[i]) / h;
    const double y0 = c->y[i], y1 = c->y[i + 1], M0 = c->second[i], M1 = c->second[i + 1];
    switch (order) {
    case 0: return A * y0 + B * y1 + h * h / 6 * ((A * A * A - A) * M0 + (B * B * B - B) * M1);
    case 1: return (y1 - y0) / h + h / 6 * ((1 - 3 * A * A) * M0 + (3 * B * B - 1) * M1);
    case 2: return A * M0 + B * M1;
    case 3: return (M1 - M0) / h;
    default: return 0;
    }
}

/* Beyond end k the tangent there goes on. */
static double tangent(const rt_curve *c, int k, int order, double x)
{
    const double slope = piece(c, k == 0 ? 0 : k - 1, 1, c->x[k]);
    if (order > 1) return 0;
    return order == 1 ? slope : c->y[k] + slope * (x - c->x[k]);
}

double rt_curve_value(const rt_curve *c, int order, double x)
{
    if (isnan(x)) return x;
    if (x < c->x[0]) return tangent(c, 0, order, x);
    if (x >= c->x[c->n - 1]) return tangent(c, c->n - 1, order, x);
    return piece(c, interval(c, x), order, x);
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
