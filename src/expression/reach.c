/* Which nodes an expression is made of. */
#include "expression/graph.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static uint64_t reach_place_of(rt_expr e, int n_set)
{
    return rt_mix((uint64_t)e + 1) & (uint64_t)(n_set - 1);
}

static bool more_set(rt_reach *reach)
{
    if (reach->n_set > INT_MAX / 4) return false;
    const int n = reach->n_set ? 2 * reach->n_set : 64;
    int *set = rt_kept_malloc(reach->kept, (size_t)n * sizeof *set);
    if (!set) return false;
    for (int i = 0; i < n; i++) set[i] = -1;
    for (int k = 0; k < reach->n; k++) {
        uint64_t at = reach_place_of(reach->nodes[k], n);
        while (set[at] >= 0) at = (at + 1) & (uint64_t)(n - 1);
        set[at] = k;
    }
    rt_kept_free(reach->set);
    reach->set = set;
    reach->n_set = n;
    return true;
}

/* Puts e at the end of the list unless it is there already. */
static bool reach_put(rt_reach *reach, rt_expr e)
{
    if (2 * reach->n >= reach->n_set && !more_set(reach)) return false;
    uint64_t at = reach_place_of(e, reach->n_set);
    for (; reach->set[at] >= 0; at = (at + 1) & (uint64_t)(reach->n_set - 1))
        if (reach->nodes[reach->set[at]] == e) return true;
    if (reach->n == reach->room) {
        const int room = reach->room ? 2 * reach->room : 32;
        rt_expr *nodes = rt_kept_realloc(reach->kept, reach->nodes, (size_t)room * sizeof *nodes);
        if (!nodes) return false;
        reach->nodes = nodes;
        reach->room = room;
    }
    reach->set[at] = reach->n;
    reach->nodes[reach->n++] = e;
    return true;
}

bool rt_reach_add(rt_reach *reach, const rt_graph *graph, rt_expr e)
{
    int next = reach->n;
    reach->kept = graph->kept;
    if (!reach_put(reach, e)) return false;
    for (; next < reach->n; next++) {
        const rt_node *node = &graph->nodes[reach->nodes[next]];
        for (int i = 0; i < rt_argument_count(node); i++)
            if (!reach_put(reach, node->argument[i])) return false;
    }
    return true;
}

static int reach_ascending(const void *a, const void *b)
{
    const rt_expr x = *(const rt_expr *)a, y = *(const rt_expr *)b;
    return (x > y) - (x < y);
}

void rt_reach_sort(rt_reach *reach)
{
    if (reach->n > 1) qsort(reach->nodes, (size_t)reach->n, sizeof *reach->nodes, reach_ascending);
}

int rt_reach_find(const rt_reach *reach, rt_expr e)
{
    int low = 0, high = reach->n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (reach->nodes[middle] < e)
            low = middle + 1;
        else
            high = middle;
    }
    return low < reach->n && reach->nodes[low] == e ? low : -1;
}

void rt_reach_free(rt_reach *reach)
{
    rt_kept_free(reach->nodes);
    rt_kept_free(reach->set);
    *reach = (rt_reach){0};
}

int rt_inputs_of(const rt_graph *graph, rt_expr e, int *slots, int max)
{
    rt_reach reach = {0};
    int n = 0;
    if (e < 0 || graph->nodes[e].depends == 0) return 0;
    if (!rt_reach_add(&reach, graph, e)) {
        rt_reach_free(&reach);
        return -1;
    }
    /* the list is not needed any more: its front is overwritten by the slots, then sorted */
    for (int i = 0; i < reach.n; i++) {
        const rt_node *node = &graph->nodes[reach.nodes[i]];
        if (node->operation == RT_OP_INPUT) reach.nodes[n++] = node->detail;
    }
    reach.n = n;
    rt_reach_sort(&reach);
    for (int i = 0; i < n && i < max; i++) slots[i] = reach.nodes[i];
    rt_reach_free(&reach);
    return n;
}

bool rt_graph_has_users(const rt_graph *graph)
{
    for (int e = 0; e < graph->n_nodes; e++)
        if (graph->nodes[e].operation == RT_OP_USER) return true;
    return false;
}

int rt_user_uses_of(const rt_graph *graph, rt_expr e, rt_user_use **list, rt_arena *arena)
{
    rt_reach reach = {0};
    int n = 0;
    *list = NULL;
    if (e < 0 || graph->n_users == 0) return 0;
    if (!rt_reach_add(&reach, graph, e) || !(*list = RT_TAKE(arena, rt_user_use, reach.n))) n = -1;
    rt_reach_sort(&reach);
    for (int i = 0; i < reach.n && n >= 0; i++) {
        const rt_node *node = &graph->nodes[reach.nodes[i]];
        if (node->operation != RT_OP_USER || node->detail) continue;
        rt_user_use *use = &(*list)[n++];
        *use = (rt_user_use){.function = graph->users[node->table], .node = reach.nodes[i]};
        memcpy(use->argument, node->argument, sizeof use->argument);
    }
    rt_reach_free(&reach);
    return n;
}
