#include "output/thin.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void rt_thin_free(rt_thin_body *thin)
{
    free(thin->node);
    free(thin->drawn);
    free(thin->size);
    free(thin->lines);
    free(thin->triangles);
    *thin = (rt_thin_body){0};
}

/* ---- cells ---------------------------------------------------------------------------------- */

/* The cell of a node, and the node. */
typedef struct thin_placed {
    uint64_t cell;
    int node;
} thin_placed;

static int thin_by_cell(const void *a, const void *b)
{
    const thin_placed *x = a, *y = b;
    if (x->cell != y->cell) return x->cell < y->cell ? -1 : 1;
    return x->node - y->node;
}

typedef struct extent {
    double low[3], span;
} extent;

static extent find_extent(const routh_flexible_body *body)
{
    extent e = {.span = 0};
    for (int i = 0; i < 3; i++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < body->n_nodes; k++) {
            low = fmin(low, body->nodes[k].undeformed[i]);
            high = fmax(high, body->nodes[k].undeformed[i]);
        }
        e.low[i] = low;
        e.span = fmax(e.span, high - low);
    }
    return e;
}

/* Nodes sorted by the cells of a grid of so many along the longest side; how many cells have
 * some. */
static int sort_into(thin_placed *list, const routh_flexible_body *body, const extent *e, int along)
{
    for (int k = 0; k < body->n_nodes; k++) {
        uint64_t cell = 0;
        for (int i = 0; i < 3; i++) {
            const double x = e->span > 0 ? (body->nodes[k].undeformed[i] - e->low[i]) / e->span : 0;
            cell = (cell << 21) + (uint64_t)fmin(floor(x * along), along - 1);
        }
        list[k] = (thin_placed){cell, k};
    }
    qsort(list, (size_t)body->n_nodes, sizeof *list, thin_by_cell);
    int n = 0;
    for (int k = 0; k < body->n_nodes; k++) n += k == 0 || list[k].cell != list[k - 1].cell;
    return n;
}

/* The finest grid of at most `most` cells. */
static void choose_cells(thin_placed *list, const routh_flexible_body *body, int most)
{
    const extent e = find_extent(body);
    int coarse = 1, fine = 1 << 20; /* coarse has few enough */
    while (fine - coarse > 1) {
        const int middle = coarse + (fine - coarse) / 2;
        *(sort_into(list, body, &e, middle) <= most ? &coarse : &fine) = middle;
    }
    sort_into(list, body, &e, coarse);
}

/* ---- the body ------------------------------------------------------------------------------- */

/* drawn[] first holds, of every node, the first node of its cell. */
static void number_nodes(rt_thin_body *thin, int n)
{
    for (int k = 0; k < n; k++)
        if (thin->drawn[k] == k) {
            thin->node[thin->n_nodes] = k;
            thin->drawn[k] = thin->n_nodes++;
        } else {
            thin->drawn[k] = thin->drawn[thin->drawn[k]];
        }
}

/* Those whose corners stay apart. */
static int thin_keep(const rt_thin_body *thin, const int *from, int n, int corners, int *to)
{
    int kept = 0;
    for (int k = 0; k < n; k++) {
        bool apart = true;
        int *out = to + (size_t)corners * (size_t)kept;
        for (int i = 0; i < corners; i++) out[i] = thin->drawn[from[corners * k + i]];
        for (int i = 0; i < corners; i++) apart = apart && out[i] != out[(i + 1) % corners];
        kept += apart;
    }
    return kept;
}

/* A mass, or a length by two nodes; area and volume by three and four are taken from the mean
 * edge. */
static double thin_size_of(const routh_flexible_body *body, const routh_flexible_part *part)
{
    double sum = 0;
    if (part->size > 0) return part->size;
    for (int k = 0; k < part->n_nodes; k++) {
        const double *a = body->nodes[part->nodes[k]].undeformed,
                     *b = body->nodes[part->nodes[(k + 1) % part->n_nodes]].undeformed;
        sum += sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
    }
    return part->n_nodes > 1 ? pow(sum / part->n_nodes, part->n_nodes - 1) : 1;
}

static void thin_measure(rt_thin_body *thin, const routh_flexible_body *body)
{
    for (int p = 0; p < body->n_parts; p++) {
        const routh_flexible_part *part = &body->parts[p];
        for (int i = 0; i < part->n_nodes; i++)
            thin->size[thin->drawn[part->nodes[i]]] += thin_size_of(body, part) / part->n_nodes;
    }
}

static void *thin_room(size_t n, size_t size) { return calloc(n + 1, size); }

routh_status rt_thin(rt_thin_body *thin, const routh_flexible_body *body, int most,
                     routh_error *error)
{
    const size_t n = (size_t)body->n_nodes;
    *thin = (rt_thin_body){0};
    thin->node = thin_room(n, sizeof *thin->node);
    thin->drawn = thin_room(n, sizeof *thin->drawn);
    thin->size = thin_room(n, sizeof *thin->size);
    thin->lines = thin_room(2 * (size_t)body->n_lines, sizeof *thin->lines);
    thin->triangles = thin_room(3 * (size_t)body->n_triangles, sizeof *thin->triangles);
    thin->span = n > 0 ? find_extent(body).span : 0;
    thin_placed *list = thin_room(n, sizeof *list);
    const bool there =
        thin->node && thin->drawn && thin->size && thin->lines && thin->triangles && list;
    if (there) {
        for (int k = 0; k < body->n_nodes; k++) thin->drawn[k] = k;
        if (body->n_nodes > most) {
            choose_cells(list, body, most);
            for (size_t k = 0, first = 0; k < n; k++) {
                if (list[k].cell != list[first].cell) first = k;
                thin->drawn[list[k].node] = list[first].node;
            }
        }
        number_nodes(thin, body->n_nodes);
        thin->n_lines = thin_keep(thin, body->lines, body->n_lines, 2, thin->lines);
        thin->n_triangles = thin_keep(thin, body->triangles, body->n_triangles, 3, thin->triangles);
        thin_measure(thin, body);
    }
    free(list);
    return there ? ROUTH_OK : rt_fail_memory(error);
}
