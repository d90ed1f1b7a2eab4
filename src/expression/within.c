/* Which nodes depend on chosen inputs alone. */
#include "expression/graph.h"

#include <stdlib.h>

enum { CONSTANT = 1, WITHIN = 2, BEYOND = 4 };

/* Arguments come before their users, so one pass does. */
int rt_nodes_within(const rt_graph *graph, const bool *within, int n_slots, rt_expr *list)
{
    unsigned char *kind = calloc((size_t)graph->n_nodes + 1, 1);
    int n = 0;
    if (!kind) return -1;
    for (int e = 0; e < graph->n_nodes; e++) {
        const rt_node *node = &graph->nodes[e];
        unsigned all = 0;
        if (node->operation == RT_OP_INPUT)
            all = node->detail < n_slots && within[node->detail] ? WITHIN : BEYOND;
        for (int k = 0; k < rt_argument_count(node); k++) all |= kind[node->argument[k]];
        kind[e] = all & BEYOND ? BEYOND : all & WITHIN ? WITHIN : CONSTANT;
        if (kind[e] == WITHIN) list[n++] = e;
    }
    free(kind);
    return n;
}

int rt_node_count(const rt_graph *graph) { return graph->n_nodes; }
