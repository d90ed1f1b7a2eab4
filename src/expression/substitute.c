/* Inputs, or nodes, replaced by expressions. */
#include "expression/graph.h"

#include <stdlib.h>

/* What to replace: inputs by slot (nodes NULL), or nodes. */
typedef struct replacing {
    const rt_expr *nodes, *by;
    int n;
} replacing;

/* What stands for e, RT_NO_EXPR where nothing does. */
static rt_expr stand_in(const rt_graph *graph, const replacing *what, rt_expr e)
{
    const rt_node *node = &graph->nodes[e];
    if (!what->nodes)
        return node->operation == RT_OP_INPUT && node->detail < what->n ? what->by[node->detail]
                                                                        : RT_NO_EXPR;
    for (int k = 0; k < what->n; k++)
        if (what->nodes[k] == e) return what->by[k];
    return RT_NO_EXPR;
}

/* The node e with its arguments as already replaced in fresh (parallel to reach). */
static rt_expr replaced(rt_graph *graph, const rt_reach *reach, const rt_expr *fresh, rt_expr e,
                        const replacing *what)
{
    const rt_node node = graph->nodes[e];
    rt_expr argument[RT_MOST_ARGUMENTS];
    bool changed = false;
    const rt_expr other = stand_in(graph, what, e);
    if (other != RT_NO_EXPR) return other;
    for (int i = 0; i < rt_argument_count(&node); i++) {
        argument[i] = fresh[rt_reach_find(reach, node.argument[i])];
        if (argument[i] != node.argument[i]) changed = true;
    }
    return changed ? rt_rebuild(graph, &node, argument) : e;
}

static rt_expr substitute_replace(rt_graph *graph, rt_expr e, const replacing *what)
{
    rt_reach reach = {0};
    rt_expr *fresh = NULL, result = RT_NO_EXPR;
    if (e < 0) return RT_NO_EXPR;
    if (graph->nodes[e].depends == 0) return e;
    if (rt_reach_add(&reach, graph, e)) fresh = malloc((size_t)reach.n * sizeof *fresh);
    if (fresh) {
        rt_reach_sort(&reach);
        for (int i = 0; i < reach.n; i++)
            fresh[i] = replaced(graph, &reach, fresh, reach.nodes[i], what);
        result = fresh[reach.n - 1];
    }
    free(fresh);
    rt_reach_free(&reach);
    return result;
}

rt_expr rt_substitute(rt_graph *graph, rt_expr e, const rt_expr *replacement, int n)
{
    const replacing what = {NULL, replacement, n};
    return substitute_replace(graph, e, &what);
}

rt_expr rt_replace(rt_graph *graph, rt_expr e, const rt_expr *nodes, const rt_expr *replacement,
                   int n)
{
    const replacing what = {nodes, replacement, n};
    return n ? substitute_replace(graph, e, &what) : e;
}
