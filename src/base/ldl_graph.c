/* Unknowns of one point of a finite element model have the same neighbours. Joined to one node they
 * cost the ordering once. */
#include "base/ldl_graph.h"

#include <limits.h>
#include <stdbool.h>

/* Neighbours of every unknown, itself among them: what is below the diagonal, and its mirror. */
typedef struct neighbours {
    int n;
    int *start, *next;
} neighbours;

static bool ldl_graph_counts(const rt_pattern *p, int c, int e) { return p->row[e] >= c; }

static routh_status ldl_graph_collect(neighbours *g, const rt_pattern *p, rt_arena *arena,
                                      routh_error *error)
{
    const int n = g->n = p->n_columns;
    g->start = RT_TAKE(arena, int, (size_t)n + 2);
    if (!g->start) return rt_fail_memory(error);
    double total = n;
    for (int c = 0; c < n; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++)
            if (ldl_graph_counts(p, c, e) && p->row[e] != c) {
                g->start[c + 2]++, g->start[p->row[e] + 2]++;
                total += 2;
            }
    if (total >= INT_MAX)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "a symmetric matrix of %.3g entries cannot be factored: 2^31 are the most",
                       total);
    for (int c = 0; c < n; c++) g->start[c + 2] += g->start[c + 1] + 1;
    g->next = RT_TAKE(arena, int, (size_t)g->start[n + 1]);
    if (!g->next) return rt_fail_memory(error);
    for (int c = 0; c < n; c++) g->next[g->start[c + 1]++] = c;
    for (int c = 0; c < n; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++)
            if (ldl_graph_counts(p, c, e) && p->row[e] != c) {
                g->next[g->start[c + 1]++] = p->row[e];
                g->next[g->start[p->row[e] + 1]++] = c;
            }
    return ROUTH_OK;
}

static unsigned ldl_graph_hash_of(const neighbours *g, int i)
{
    unsigned sum = 0;
    for (int e = g->start[i]; e < g->start[i + 1]; e++)
        sum += (unsigned)g->next[e] * 2654435761u + 40503u;
    return sum;
}

/* mark holds i at each neighbour of i */
static bool ldl_graph_same(const neighbours *g, int i, int j, const int *mark)
{
    if (g->start[i + 1] - g->start[i] != g->start[j + 1] - g->start[j]) return false;
    for (int e = g->start[j]; e < g->start[j + 1]; e++)
        if (mark[g->next[e]] != i) return false;
    return true;
}

/* An unknown is joined to the node of a neighbour before it that has the same neighbours. */
static routh_status ldl_graph_join(rt_ldl_graph *graph, const neighbours *g, rt_arena *room,
                                   routh_error *error)
{
    unsigned *hash = RT_TAKE(room, unsigned, g->n);
    int *mark = RT_TAKE(room, int, g->n);
    if (!hash || !mark) return rt_fail_memory(error);
    for (int i = 0; i < g->n; i++) hash[i] = ldl_graph_hash_of(g, i), mark[i] = -1;
    for (int i = 0; i < g->n; i++) {
        bool marked = false;
        graph->node[i] = -1;
        for (int e = g->start[i]; e < g->start[i + 1] && graph->node[i] < 0; e++) {
            const int j = g->next[e];
            if (j >= i || hash[j] != hash[i]) continue;
            for (int k = g->start[i]; k < g->start[i + 1] && !marked; k++) mark[g->next[k]] = i;
            marked = true;
            if (ldl_graph_same(g, i, j, mark)) graph->node[i] = graph->node[j];
        }
        if (graph->node[i] < 0) graph->node[i] = graph->n++;
        graph->size[graph->node[i]]++;
    }
    return ROUTH_OK;
}

/* Neighbours of the nodes: those of the first unknown in each, every node once. */
static routh_status contract(rt_ldl_graph *graph, const neighbours *g, rt_arena *arena,
                             rt_arena *room, routh_error *error)
{
    int *seen = RT_TAKE(room, int, graph->n);
    graph->start = RT_TAKE(arena, int, (size_t)graph->n + 1);
    if (!seen || !graph->start) return rt_fail_memory(error);
    for (int pass = 0; pass < 2; pass++) {
        int at = 0, node = 0;
        for (int k = 0; k < graph->n; k++) seen[k] = -1;
        for (int i = 0; i < g->n; i++) {
            if (graph->node[i] != node) continue; /* not the first of its node */
            seen[node] = node;
            for (int e = g->start[i]; e < g->start[i + 1]; e++) {
                const int other = graph->node[g->next[e]];
                if (seen[other] == node) continue;
                seen[other] = node;
                if (pass) graph->next[at] = other;
                at++;
            }
            graph->start[++node] = at;
        }
        if (!pass && !(graph->next = RT_TAKE(arena, int, at))) return rt_fail_memory(error);
    }
    return ROUTH_OK;
}

routh_status rt_ldl_graph_build(rt_ldl_graph *graph, const rt_pattern *pattern, rt_arena *arena,
                                routh_error *error)
{
    rt_arena room = {0};
    neighbours g = {0};
    *graph = (rt_ldl_graph){.node = RT_TAKE(arena, int, pattern->n_columns),
                            .size = RT_TAKE(arena, int, pattern->n_columns)};
    routh_status status = graph->node && graph->size ? ldl_graph_collect(&g, pattern, &room, error)
                                                     : rt_fail_memory(error);
    if (!status) status = ldl_graph_join(graph, &g, &room, error);
    if (!status) status = contract(graph, &g, arena, &room, error);
    rt_arena_free(&room);
    return status;
}
