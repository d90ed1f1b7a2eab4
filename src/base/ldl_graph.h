/* The graph of a symmetric matrix, unknowns with the same neighbours joined to one node. */
#ifndef RT_BASE_LDL_GRAPH_H
#define RT_BASE_LDL_GRAPH_H

#include "base/sparse.h"

typedef struct rt_ldl_graph {
    int n;      /* nodes */
    int *start; /* n + 1: into next */
    int *next;  /* neighbours of each node, itself not among them */
    int *node;  /* of each unknown */
    int *size;  /* n: unknowns in each node */
} rt_ldl_graph;

routh_status rt_ldl_graph_build(rt_ldl_graph *graph, const rt_pattern *pattern, rt_arena *arena,
                                routh_error *error);

#endif
