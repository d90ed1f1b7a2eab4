/* The corners of a table of straight pieces, as a node of two branches: at each inner point the
 * piece of even and that of odd number meet. */
#include "expression/graph.h"

#include <stdlib.h>

/* Between points and the middles between them: 2 n - 1 points. */
static rt_curve *with_middles(const rt_curve *c)
{
    const int n = 2 * c->n - 1;
    double *x = malloc((size_t)n * sizeof *x);
    if (!x) return NULL;
    for (int i = 0; i < n; i++) x[i] = i % 2 ? c->x[i / 2] / 2 + c->x[i / 2 + 1] / 2 : c->x[i / 2];
    rt_curve *out = rt_curve_at(n, x);
    free(x);
    return out;
}

/* The line of piece i at x. */
static double line_at(const rt_curve *c, int i, double x)
{
    const double slope = (c->left[i + 1] - c->y[i]) / (c->x[i + 1] - c->x[i]);
    return c->y[i] + slope * (x - c->x[i]);
}

/* Which piece's line holds on half `half` of piece i: those of the wanted parity go on to the
 * middles of their neighbours, or to the end where there is no other. */
static int piece_on(const rt_curve *c, int i, int half, int parity)
{
    if (i % 2 == parity) return i;
    if (i == 0) return 1;
    if (i == c->n - 2) return i - 1;
    return half ? i + 1 : i - 1;
}

static rt_curve *corners_go_on(const rt_curve *c, int parity)
{
    rt_curve *out = with_middles(c);
    for (int j = 0; out && j + 1 < out->n; j++) {
        const int i = piece_on(c, j / 2, j % 2, parity);
        out->y[j] = line_at(c, i, out->x[j]);
        out->left[j + 1] = line_at(c, i, out->x[j + 1]);
    }
    if (!out) return NULL;
    out->left[0] = out->y[0];
    out->y[out->n - 1] = out->left[out->n - 1];
    const int first = piece_on(c, 0, 0, parity), last = piece_on(c, c->n - 2, 1, parity);
    out->ends[0] = (c->left[first + 1] - c->y[first]) / (c->x[first + 1] - c->x[first]);
    out->ends[1] = (c->left[last + 1] - c->y[last]) / (c->x[last + 1] - c->x[last]);
    return rt_curve_finish(out);
}

/* The distance from the nearest inner point, positive on pieces of even number. */
static rt_curve *zigzag(const rt_curve *c)
{
    rt_curve *out = with_middles(c);
    if (!out) return NULL;
    const int last = c->n - 2;
    for (int i = 0; i <= last; i++) {
        const double half = (c->x[i + 1] - c->x[i]) / 2;
        out->y[2 * i + 1] = i % 2 ? -half : half;
    }
    out->y[0] = 2 * out->y[1];
    out->y[out->n - 1] = 2 * out->y[out->n - 2];
    for (int j = 0; j < out->n; j++) out->left[j] = out->y[j];
    out->ends[0] = -1;
    out->ends[1] = last % 2 ? -1 : 1;
    return rt_curve_finish(out);
}

bool rt_corners_of(rt_graph *graph, int table, rt_expr x, rt_expr *distance, rt_expr branch[2])
{
    const rt_curve *curve = graph->curves[table];
    *distance = rt_on_curve(graph, zigzag(curve), x);
    branch[0] = rt_on_curve(graph, corners_go_on(curve, 1), x);
    branch[1] = rt_on_curve(graph, corners_go_on(curve, 0), x);
    return *distance >= 0 && branch[0] >= 0 && branch[1] >= 0;
}
