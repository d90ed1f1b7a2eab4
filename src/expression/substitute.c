/* Inputs replaced by expressions. */
#include "expression/graph.h"

#include <stdlib.h>

/* The node e with its arguments as already replaced in fresh (parallel to reach). */
static rt_expr replaced(rt_graph *graph, const rt_reach *reach, const rt_expr *fresh, rt_expr e,
                        const rt_expr *replacement, int n)
{
    const rt_node node = graph->nodes[e];
    rt_expr argument[RT_MOST_ARGUMENTS];
    bool changed = false;
    if (node.operation == RT_OP_INPUT) {
        const bool given = node.detail < n && replacement[node.detail] != RT_NO_EXPR;
        return given ? replacement[node.detail] : e;
    }
    for (int i = 0; i < rt_argument_count(node.operation); i++) {
        argument[i] = fresh[rt_reach_find(reach, node.argument[i])];
        if (argument[i] != node.argument[i]) changed = true;
    }
    return changed ? rt_rebuild(graph, &node, argument) : e;
}

rt_expr rt_substitute(rt_graph *graph, rt_expr e, const rt_expr *replacement, int n)
{
    rt_reach reach = {0};
    rt_expr *fresh = NULL, result = RT_NO_EXPR;
    if (e < 0) return RT_NO_EXPR;
    if (graph->nodes[e].depends == 0) return e;
    if (rt_reach_add(&reach, graph, e)) fresh = malloc((size_t)reach.n * sizeof *fresh);
    if (fresh) {
        rt_reach_sort(&reach);
        for (int i = 0; i < reach.n; i++)
            fresh[i] = replaced(graph, &reach, fresh, reach.nodes[i], replacement, n);
        result = fresh[reach.n - 1];
    }
    free(fresh);
    rt_reach_free(&reach);
    return result;
}
