/* The graph's storage: nodes found by content. */
#include "expression/graph.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

rt_graph *rt_graph_create(void) { return rt_kept_calloc(NULL, 1, sizeof(rt_graph)); }

void rt_graph_free(rt_graph *graph)
{
    if (!graph) return;
    for (int i = 0; i < graph->n_curves; i++) free(graph->curves[i]);
    rt_kept_free(graph->curves);
    rt_kept_free(graph->users);
    rt_kept_free(graph->nodes);
    rt_kept_free(graph->buckets);
    rt_kept_free(graph->memory);
    rt_kept_free(graph);
}

int rt_argument_count(const rt_node *node)
{
    switch (node->operation) {
    case RT_OP_CONSTANT:
    case RT_OP_INPUT: return 0;
    case RT_OP_NEGATE:
    case RT_OP_FUNCTION:
    case RT_OP_BLEND:
    case RT_OP_TABLE: return 1;
    case RT_OP_SELECT: return 4;
    case RT_OP_USER: break;
    default: return 2;
    }
    int n = 0;
    while (n < RT_MOST_ARGUMENTS && node->argument[n] >= 0) n++;
    return n;
}

static uint64_t graph_bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t graph_hash_of(const rt_node *node)
{
    uint64_t h = rt_mix((uint64_t)node->operation * 0x9e3779b97f4a7c15u + (uint32_t)node->detail);
    h = rt_mix(h ^ graph_bits_of(node->value));
    h = rt_mix(h + (uint32_t)node->table);
    for (int i = 0; i < RT_MOST_ARGUMENTS && node->argument[i] >= 0; i++)
        h = rt_mix(h + (uint32_t)node->argument[i]);
    return h;
}

static bool graph_same(const rt_node *a, const rt_node *b)
{
    return a->operation == b->operation && a->detail == b->detail && a->table == b->table &&
           graph_bits_of(a->value) == graph_bits_of(b->value) &&
           memcmp(a->argument, b->argument, sizeof a->argument) == 0;
}

static bool more_buckets(rt_graph *graph)
{
    if (graph->n_buckets > INT_MAX / 4) return false;
    const int n = graph->n_buckets ? 2 * graph->n_buckets : 64;
    int *buckets = rt_kept_malloc(graph->kept, (size_t)n * sizeof *buckets);
    if (!buckets) return false;
    for (int i = 0; i < n; i++) buckets[i] = -1;
    for (int k = 0; k < graph->n_nodes; k++) {
        uint64_t at = graph_hash_of(&graph->nodes[k]) & (uint64_t)(n - 1);
        while (buckets[at] >= 0) at = (at + 1) & (uint64_t)(n - 1);
        buckets[at] = k;
    }
    rt_kept_free(graph->buckets);
    graph->buckets = buckets;
    graph->n_buckets = n;
    return true;
}

static bool more_nodes(rt_graph *graph)
{
    if (graph->room_nodes > INT_MAX / 4) return false;
    const int room = graph->room_nodes ? 2 * graph->room_nodes : 32;
    rt_node *nodes = rt_kept_realloc(graph->kept, graph->nodes, (size_t)room * sizeof *nodes);
    if (!nodes) return false;
    graph->nodes = nodes;
    graph->room_nodes = room;
    return true;
}

rt_expr rt_intern(rt_graph *graph, const rt_node *node)
{
    if (2 * graph->n_nodes >= graph->n_buckets && !more_buckets(graph)) return RT_NO_EXPR;
    const uint64_t mask = (uint64_t)graph->n_buckets - 1;
    uint64_t at = graph_hash_of(node) & mask;
    for (; graph->buckets[at] >= 0; at = (at + 1) & mask)
        if (graph_same(&graph->nodes[graph->buckets[at]], node)) return graph->buckets[at];
    if (graph->n_nodes == graph->room_nodes && !more_nodes(graph)) return RT_NO_EXPR;
    rt_node *copy = &graph->nodes[graph->n_nodes];
    *copy = *node;
    copy->depends = 0;
    if (node->operation == RT_OP_INPUT) copy->depends = (uint64_t)1 << (node->detail % 64);
    for (int i = 0; i < rt_argument_count(node); i++)
        copy->depends |= graph->nodes[node->argument[i]].depends;
    graph->buckets[at] = graph->n_nodes;
    return graph->n_nodes++;
}

bool rt_is_constant(const rt_graph *graph, rt_expr e, double *value)
{
    if (e < 0 || graph->nodes[e].operation != RT_OP_CONSTANT) return false;
    *value = graph->nodes[e].value;
    return true;
}
