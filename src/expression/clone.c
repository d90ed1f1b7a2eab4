/* A graph that can grow on its own while the first one stays as it is. */
#include <string.h>

#include "expression/graph.h"

/* A copy of count items; an array of no items is NULL. *ok turns false when out of memory. */
static void *copied(const rt_graph *of, const void *from, int count, size_t size, bool *ok)
{
    if (!from || count <= 0) return NULL;
    void *to = rt_kept_malloc(of->kept, (size_t)count * size);
    if (to)
        memcpy(to, from, (size_t)count * size);
    else
        *ok = false;
    return to;
}

static bool copy_curves(rt_graph *to, const rt_graph *from)
{
    to->n_curves = to->room_curves = 0;
    to->curves = from->n_curves
                     ? rt_kept_calloc(to->kept, (size_t)from->n_curves, sizeof(rt_curve *))
                     : NULL;
    if (from->n_curves && !to->curves) return false;
    to->room_curves = from->n_curves;
    for (int k = 0; k < from->n_curves; k++) {
        to->curves[k] = rt_curve_copy(from->curves[k]);
        if (!to->curves[k]) return false;
        to->n_curves++;
    }
    return true;
}

rt_graph *rt_graph_clone(const rt_graph *graph) { return rt_graph_clone_kept(graph, NULL); }

rt_graph *rt_graph_clone_kept(const rt_graph *graph, rt_analyses *analyses)
{
    rt_graph *clone = rt_kept_calloc(analyses, 1, sizeof *clone);
    if (!clone) return NULL;
    bool ok = true;
    *clone = *graph;
    clone->kept = analyses;
    clone->curves = NULL;
    clone->users = copied(clone, graph->users, graph->n_users, sizeof *graph->users, &ok);
    clone->nodes = copied(clone, graph->nodes, graph->n_nodes, sizeof *graph->nodes, &ok);
    clone->room_nodes = graph->n_nodes;
    clone->buckets = copied(clone, graph->buckets, graph->n_buckets, sizeof *graph->buckets, &ok);
    clone->memory = copied(clone, graph->memory, graph->room_memory, sizeof *graph->memory, &ok);
    if (copy_curves(clone, graph) && ok) return clone;
    rt_graph_free(clone);
    return NULL;
}
