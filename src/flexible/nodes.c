/* The nodes a reduced body keeps: its interfaces, and a few of its surface to draw. A surface of
 * too many nodes is thinned out: all nodes in one cell of a grid become one of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "flexible/body.h"

typedef struct nodes_work {
    const rt_body_fe *b;
    const rt_body_modes *modes;
    const rt_reduction *how;
    rt_arena *arena;
    routh_error *error;
    int *drawn;   /* n_nodes: the node that stands for it; -1: not drawn */
    int *kept;    /* n_nodes: index among the nodes kept; -1 */
    int *columns; /* 0 .. n - 1 */
} nodes_work;

/* ---- thinning out --------------------------------------------------------------------------- */

static void mark_drawn(nodes_work *w)
{
    const rt_fe_model *fe = w->b->fe;
    for (int k = 0; k < w->b->n_nodes; k++) w->drawn[k] = -1;
    for (int k = 0; k < 2 * fe->n_lines; k++) w->drawn[fe->lines[k]] = fe->lines[k];
    for (int k = 0; k < 3 * fe->n_triangles; k++) w->drawn[fe->triangles[k]] = fe->triangles[k];
}

typedef struct nodes_cell {
    long at[3];
    int node;
} nodes_cell;

static int nodes_by_cell(const void *a, const void *b)
{
    const nodes_cell *x = a, *y = b;
    for (int c = 0; c < 3; c++)
        if (x->at[c] != y->at[c]) return x->at[c] < y->at[c] ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* Puts the drawn nodes into cells of that size, in order; returns how many cells there are. */
static int nodes_fill_cells(const nodes_work *w, nodes_cell *cells, int n, double size)
{
    int count = 0;
    for (int k = 0; k < n; k++)
        for (int c = 0; c < 3; c++)
            cells[k].at[c] = (long)floor(
                (w->b->X[3 * (size_t)cells[k].node + (size_t)c] - w->b->centre[c]) / size);
    qsort(cells, (size_t)n, sizeof *cells, nodes_by_cell);
    for (int k = 0; k < n; k++)
        count += k == 0 || memcmp(cells[k].at, cells[k - 1].at, sizeof cells[k].at) != 0;
    return count;
}

static routh_status thin_out(nodes_work *w)
{
    const int most = w->how->n_draw ? w->how->n_draw : 500;
    int n = 0;
    if (most < 0) return ROUTH_OK;
    nodes_cell *cells = malloc(((size_t)w->b->n_nodes + 1) * sizeof *cells);
    if (!cells) return rt_fail_memory(w->error);
    for (int k = 0; k < w->b->n_nodes; k++)
        if (w->drawn[k] >= 0) cells[n++].node = k;
    double size = w->b->size / sqrt((double)n + 1);
    while (n > most && nodes_fill_cells(w, cells, n, size) > most) size *= 1.1;
    for (int k = 0, first = 0; k < n && n > most; k++) {
        if (memcmp(cells[k].at, cells[first].at, sizeof cells[k].at) != 0) first = k;
        w->drawn[cells[k].node] = cells[first].node;
    }
    free(cells);
    return ROUTH_OK;
}

/* ---- triangles and lines -------------------------------------------------------------------- */

static int by_numbers(const void *a, const void *b)
{
    const int *x = a, *y = b;
    for (int k = 0; k < 3; k++)
        if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
    return 0;
}

/* Corners as kept nodes, least first (the sense of rotation stays); those that collapse and those
 * that come twice are dropped. */
static routh_status keep_shapes(nodes_work *w, const int *from, int n, int corners, int **to,
                                int *n_to)
{
    int *rows = RT_TAKE(w->arena, int, 3 * ((size_t)n + 1)), count = 0, kept = 0;
    if (!rows) return rt_fail_memory(w->error);
    for (int k = 0; k < n; k++) {
        int c[3] = {-1, -1, -1};
        for (int j = 0; j < corners; j++)
            c[j] = w->kept[w->drawn[from[(size_t)corners * (size_t)k + (size_t)j]]];
        if (c[0] == c[1] || c[1] == c[2] || c[0] == c[2]) continue;
        int *row = rows + 3 * (size_t)count++;
        int least = 0;
        for (int j = 1; j < corners; j++)
            if (c[j] < c[least]) least = j;
        for (int j = 0; j < corners; j++) row[j] = c[(least + j) % corners];
        if (corners == 2) row[2] = -1;
    }
    qsort(rows, (size_t)count, 3 * sizeof *rows, by_numbers);
    for (int k = 0; k < count; k++) {
        if (k && by_numbers(rows + 3 * (size_t)k, rows + 3 * (size_t)(k - 1)) == 0) continue;
        for (int j = 0; j < corners; j++)
            rows[(size_t)corners * (size_t)kept + (size_t)j] = rows[3 * (size_t)k + (size_t)j];
        kept++;
    }
    *to = rows;
    *n_to = kept;
    return ROUTH_OK;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static routh_status start_node(nodes_work *w, rt_flexible_node *node, int number, const double X[3],
                               double **S, double **R)
{
    const size_t n = (size_t)w->modes->n;
    *S = RT_TAKE(w->arena, double, 3 * n);
    *R = RT_TAKE(w->arena, double, 3 * n);
    *node = (rt_flexible_node){
        .number = number, .n = w->modes->n, .column = w->columns, .S = *S, .R = *R};
    rt_v3_copy(node->X, X);
    rt_m3_identity(node->axes);
    return *S && *R ? ROUTH_OK : rt_fail_memory(w->error);
}

static routh_status fe_node(nodes_work *w, rt_flexible_node *node, int index)
{
    const int *dof = w->b->dof + 6 * (size_t)index;
    const size_t n = (size_t)w->modes->n;
    double *S, *R;
    const routh_status status =
        start_node(w, node, w->b->fe->number[index], w->b->X + 3 * (size_t)index, &S, &R);
    if (status) return status;
    node->point = dof[3] < 0;
    for (size_t k = 0; k < n; k++)
        for (size_t c = 0; c < 3; c++) {
            const double *v = w->modes->shape + k * (size_t)w->b->n;
            S[n * c + k] = v[dof[c]];
            R[n * c + k] = node->point ? 0 : v[dof[3 + c]];
        }
    return ROUTH_OK;
}

/* The mean motion of a set of nodes. */
static routh_status mean_node(nodes_work *w, rt_flexible_node *node, const rt_interface *face)
{
    const size_t n = (size_t)w->modes->n, columns = 3 * (size_t)face->n;
    double place[3], *S, *R, *weights = malloc(6 * columns * sizeof *weights);
    routh_status status =
        weights ? rt_body_mean(w->b, face, weights, place, w->error) : rt_fail_memory(w->error);
    if (!status) status = start_node(w, node, face->number, place, &S, &R);
    for (size_t c = 0; c < 6 && !status; c++)
        for (size_t k = 0; k < n; k++) {
            const double *v = w->modes->shape + k * (size_t)w->b->n;
            double x = 0;
            for (size_t j = 0; j < columns; j++)
                x += weights[c * columns + j] *
                     v[w->b->dof[6 * (size_t)rt_body_node(w->b, face->nodes[j / 3]) + j % 3]];
            (c < 3 ? S : R)[n * (c % 3) + k] = x;
        }
    free(weights);
    return status;
}

static int nodes_by_number(const void *a, const void *b)
{
    const int x = ((const rt_flexible_node *)a)->number, y = ((const rt_flexible_node *)b)->number;
    return (x > y) - (x < y);
}

/* Which nodes of the model stay, and how many in all. */
static int count_nodes(nodes_work *w)
{
    int n = 0, sets = 0;
    for (int k = 0; k < w->b->n_nodes; k++) w->kept[k] = -1;
    for (int k = 0; k < w->b->n_nodes; k++)
        if (w->drawn[k] >= 0) w->kept[w->drawn[k]] = 0;
    for (int k = 0; k < w->how->n_interfaces; k++) {
        const int node = rt_body_node(w->b, w->how->interfaces[k].number);
        if (node >= 0)
            w->kept[node] = 0;
        else
            sets++;
    }
    for (int k = 0; k < w->b->n_nodes; k++) n += w->kept[k] == 0;
    return n + sets;
}

static routh_status nodes_make(nodes_work *w, rt_flexible *f)
{
    rt_flexible_node *nodes = RT_TAKE(w->arena, rt_flexible_node, count_nodes(w));
    routh_status status = nodes ? ROUTH_OK : rt_fail_memory(w->error);
    for (int k = 0; k < w->b->n_nodes && !status; k++)
        if (w->kept[k] == 0) status = fe_node(w, &nodes[f->n_nodes++], k);
    for (int k = 0; k < w->how->n_interfaces && !status; k++)
        if (rt_body_node(w->b, w->how->interfaces[k].number) < 0)
            status = mean_node(w, &nodes[f->n_nodes++], &w->how->interfaces[k]);
    if (status) return status;
    qsort(nodes, (size_t)f->n_nodes, sizeof *nodes, nodes_by_number);
    for (int k = 0; k < f->n_nodes; k++) {
        const int node = rt_body_node(w->b, nodes[k].number);
        if (node >= 0) w->kept[node] = k;
    }
    f->nodes = nodes;
    return ROUTH_OK;
}

routh_status rt_body_nodes(rt_flexible *f, const rt_body_fe *b, const rt_body_modes *modes,
                           const rt_reduction *how, rt_arena *arena, routh_error *error)
{
    nodes_work w = {.b = b, .modes = modes, .how = how, .arena = arena, .error = error};
    int *lines, *triangles;
    w.drawn = RT_TAKE(arena, int, b->n_nodes);
    w.kept = RT_TAKE(arena, int, b->n_nodes);
    w.columns = RT_TAKE(arena, int, modes->n);
    if (!w.drawn || !w.kept || !w.columns) return rt_fail_memory(error);
    for (int k = 0; k < modes->n; k++) w.columns[k] = k;
    mark_drawn(&w);
    for (int k = 0; k < b->n_nodes && how->n_draw < 0; k++) w.drawn[k] = -1;
    routh_status status = thin_out(&w);
    if (!status) status = nodes_make(&w, f);
    if (status || how->n_draw < 0) return status;
    status = keep_shapes(&w, b->fe->lines, b->fe->n_lines, 2, &lines, &f->n_lines);
    if (!status)
        status =
            keep_shapes(&w, b->fe->triangles, b->fe->n_triangles, 3, &triangles, &f->n_triangles);
    if (status) return status;
    f->lines = lines;
    f->triangles = triangles;
    return ROUTH_OK;
}
