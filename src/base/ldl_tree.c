/* Elimination tree, sizes of its columns (Gilbert, Ng, Peyton 1994), fronts of several columns. */
#include "base/ldl_tree.h"

#include <stdbool.h>
#include <stdlib.h>

#include <amd.h>

#include "base/ldl_graph.h"

/* A child is taken into its parent's front while the front has so few columns and, of its entries,
 * no more than this share are zeros. */
static const struct {
    int columns;
    double zeros;
} JOINED[] = {{8, 0.8}, {32, 0.3}, {96, 0.1}};
static const double ZEROS_OF_LARGE = 0.03;

/* The tree while it is made, in nodes of the graph; step: where a node stands in it. */
typedef struct ldl_tree_maker {
    rt_ldl_graph graph;
    int *node_at, *step;  /* n: of each other */
    int *parent;          /* n, by steps; -1 */
    int *count;           /* n: unknowns in the column, its own among them */
    int *front;           /* n: the step whose front a step was joined to; itself where to none */
    int *columns, *size;  /* n: of the front that has its last column there */
    double *zeros;        /* n */
    int *child, *brother; /* n: lists of children; -1 */
    int *last, *before;   /* n: columns of a front from its last back; -1 */
    int *room[4];         /* n each */
    rt_arena arena;
} ldl_tree_maker;

static bool ldl_tree_take(ldl_tree_maker *m)
{
    const int n = m->graph.n;
    int **const lists[] = {&m->node_at, &m->step,    &m->parent,  &m->count,   &m->front,
                           &m->columns, &m->size,    &m->child,   &m->brother, &m->last,
                           &m->before,  &m->room[0], &m->room[1], &m->room[2], &m->room[3]};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        if (!(*lists[k] = RT_TAKE(&m->arena, int, n))) return false;
    return (m->zeros = RT_TAKE(&m->arena, double, n)) != NULL;
}

/* ---- tree ----------------------------------------------------------------------------------- */

static routh_status ldl_tree_order(ldl_tree_maker *m, routh_error *error)
{
    if (!m->graph.n) return ROUTH_OK;
    const int outcome =
        amd_order(m->graph.n, m->graph.start, m->graph.next, m->node_at, NULL, NULL);
    if (outcome == AMD_OUT_OF_MEMORY) return rt_fail_memory(error);
    if (outcome == AMD_INVALID)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "the pattern of a symmetric matrix is not valid");
    return ROUTH_OK;
}

/* Liu's algorithm, with paths shortened as they are walked. */
static void find_parents(ldl_tree_maker *m)
{
    const rt_ldl_graph *g = &m->graph;
    int *ancestor = m->room[0];
    for (int k = 0; k < g->n; k++) m->step[m->node_at[k]] = k;
    for (int k = 0; k < g->n; k++) {
        const int node = m->node_at[k];
        m->parent[k] = ancestor[k] = -1;
        for (int e = g->start[node]; e < g->start[node + 1]; e++)
            for (int i = m->step[g->next[e]], up; i != -1 && i < k; i = up) {
                up = ancestor[i];
                ancestor[i] = k;
                if (up == -1) m->parent[i] = k;
            }
    }
}

static void list_children(ldl_tree_maker *m, const int *parent)
{
    for (int k = 0; k < m->graph.n; k++) m->child[k] = -1;
    for (int k = m->graph.n - 1; k >= 0; k--)
        if (parent[k] >= 0) m->brother[k] = m->child[parent[k]], m->child[parent[k]] = k;
}

/* order[]: children before parents, subtrees together. The lists of children are used up. */
static void ldl_tree_walk(ldl_tree_maker *m, const int *parent, int *order)
{
    int at = 0, *stack = m->room[0];
    list_children(m, parent);
    for (int root = 0; root < m->graph.n; root++) {
        if (parent[root] != -1 || m->front[root] != root) continue;
        int depth = 0;
        stack[0] = root;
        while (depth >= 0) {
            const int k = stack[depth], child = m->child[k];
            if (child >= 0) {
                m->child[k] = m->brother[child];
                stack[++depth] = child;
            } else {
                order[at++] = k;
                depth--;
            }
        }
    }
}

/* Steps renumbered so that subtrees stand together. */
static void renumber(ldl_tree_maker *m)
{
    const int n = m->graph.n;
    int *order = m->room[1], *to = m->room[2], *old = m->room[3];
    for (int k = 0; k < n; k++) m->front[k] = k;
    ldl_tree_walk(m, m->parent, order);
    for (int k = 0; k < n; k++) to[order[k]] = k;
    for (int k = 0; k < n; k++) old[k] = m->parent[k];
    for (int k = 0; k < n; k++) m->parent[to[k]] = old[k] >= 0 ? to[old[k]] : -1;
    for (int k = 0; k < n; k++) old[k] = m->node_at[order[k]];
    for (int k = 0; k < n; k++) m->node_at[k] = old[k], m->step[old[k]] = k;
}

/* ---- sizes of columns ----------------------------------------------------------------------- */

static int size_at(const ldl_tree_maker *m, int k) { return m->graph.size[m->node_at[k]]; }

/* The least common ancestor of the last leaf and this one in the tree of row i, or -1: first leaf;
 * -2: no leaf. */
static int leaf(int i, int j, const int *first, int *deepest, int *last_leaf, int *ancestor)
{
    if (first[j] <= deepest[i]) return -2;
    deepest[i] = first[j];
    const int before = last_leaf[i];
    last_leaf[i] = j;
    if (before == -1) return -1;
    int top = before;
    while (top != ancestor[top]) top = ancestor[top];
    for (int s = before, up; s != top; s = up) up = ancestor[s], ancestor[s] = top;
    return top;
}

static void ldl_tree_count_columns(ldl_tree_maker *m)
{
    const rt_ldl_graph *g = &m->graph;
    const int n = g->n;
    int *first = m->room[0], *deepest = m->room[1], *last_leaf = m->room[2], *up = m->room[3];
    for (int k = 0; k < n; k++) first[k] = deepest[k] = last_leaf[k] = -1, up[k] = k;
    for (int k = 0; k < n; k++) {
        m->count[k] = first[k] == -1 ? size_at(m, k) : 0;
        for (int j = k; j != -1 && first[j] == -1; j = m->parent[j]) first[j] = k;
    }
    for (int j = 0; j < n; j++) {
        const int node = m->node_at[j], parent = m->parent[j];
        if (parent >= 0) m->count[parent] -= size_at(m, j);
        for (int e = g->start[node]; e < g->start[node + 1]; e++) {
            const int i = m->step[g->next[e]];
            const int q = i > j ? leaf(i, j, first, deepest, last_leaf, up) : -2;
            if (q > -2) m->count[j] += size_at(m, i);
            if (q >= 0) m->count[q] -= size_at(m, i);
        }
        if (parent >= 0) up[j] = parent;
    }
    for (int j = 0; j < n; j++)
        if (m->parent[j] >= 0) m->count[m->parent[j]] += m->count[j];
}

/* ---- fronts --------------------------------------------------------------------------------- */

static double ldl_tree_entries(double columns, double size)
{
    return columns * (size - 0.5 * columns);
}

static bool worth_joining(const ldl_tree_maker *m, int child, int k, double *zeros)
{
    const double columns = (double)m->columns[child] + m->columns[k];
    const double size = (double)m->columns[child] + m->size[k];
    *zeros = m->zeros[child] + m->zeros[k] + ldl_tree_entries(columns, size) -
             ldl_tree_entries(m->columns[child], m->size[child]) -
             ldl_tree_entries(m->columns[k], m->size[k]);
    const double share = *zeros / ldl_tree_entries(columns, size);
    for (size_t i = 0; i < sizeof JOINED / sizeof *JOINED; i++)
        if (columns <= JOINED[i].columns) return share <= JOINED[i].zeros;
    return share <= ZEROS_OF_LARGE;
}

/* The child's columns go before those of k. */
static void ldl_tree_join(ldl_tree_maker *m, int child, int k, double zeros)
{
    int first = k;
    m->front[child] = k;
    m->columns[k] += m->columns[child];
    m->size[k] += m->columns[child];
    m->zeros[k] = zeros;
    first = m->last[k]; /* here: the first column of k's front */
    m->before[first] = child;
    m->last[k] = m->last[child];
}

/* Of all children, those are joined whose structure differs little from the parent's. last[k]: the
 * first column of the front, from which before[] leads through the others: k, .., last[k]. */
static void make_fronts(ldl_tree_maker *m)
{
    const int n = m->graph.n;
    for (int k = 0; k < n; k++) {
        m->front[k] = m->last[k] = k, m->before[k] = -1;
        m->columns[k] = size_at(m, k), m->size[k] = m->count[k], m->zeros[k] = 0;
    }
    list_children(m, m->parent);
    for (int k = 0; k < n; k++)
        for (int child = m->child[k]; child >= 0; child = m->brother[child]) {
            double zeros;
            if (worth_joining(m, child, k, &zeros)) ldl_tree_join(m, child, k, zeros);
        }
}

static int front_of(ldl_tree_maker *m, int k)
{
    int top = k;
    while (m->front[top] != top) top = m->front[top];
    for (int i = k, up; i != top; i = up) up = m->front[i], m->front[i] = top;
    return top;
}

/* ---- the result ----------------------------------------------------------------------------- */

/* Unknowns by place; first and parent of the fronts; number[]: of a front by its last step. */
static void lay_out(ldl_tree_maker *m, rt_ldl_tree *t, const int *members, const int *of_node,
                    const int *order, int *number)
{
    int at = 0;
    for (int f = 0; f < t->n_fronts; f++) {
        number[order[f]] = f;
        t->first[f] = at;
        int n = 0, *steps = m->room[0];
        for (int k = order[f]; k >= 0; k = m->before[k]) steps[n++] = k;
        while (n-- > 0) {
            const int node = m->node_at[steps[n]];
            for (int e = members[node]; e < members[node + 1]; e++)
                t->unknown[at] = of_node[e], t->place[of_node[e]] = at, at++;
        }
    }
    t->first[t->n_fronts] = at;
    for (int f = 0; f < t->n_fronts; f++) {
        const int up = m->parent[order[f]];
        t->parent[f] = up >= 0 ? number[up] : -1;
    }
}

static int ldl_tree_ascending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Rows of front f: those of its unknowns and of its children that lie beyond it. */
typedef struct ldl_tree_gather {
    const ldl_tree_maker *m;
    const int *order, *child, *brother; /* by fronts */
    const int *members, *of_node;
    int *seen; /* n unknowns, by place */
} ldl_tree_gather;

static void ldl_tree_take_rows(const ldl_tree_gather *g, rt_ldl_tree *t, int f, int place, int *n)
{
    if (place < t->first[f + 1] || g->seen[place] == f) return;
    g->seen[place] = f;
    t->row[t->start[f] + (size_t)(*n)++] = place;
}

static void gather_rows(const ldl_tree_gather *g, rt_ldl_tree *t, int f)
{
    const rt_ldl_graph *graph = &g->m->graph;
    int n = 0;
    for (int k = g->order[f]; k >= 0; k = g->m->before[k]) {
        const int node = g->m->node_at[k];
        for (int e = graph->start[node]; e < graph->start[node + 1]; e++) {
            const int other = graph->next[e];
            for (int i = g->members[other]; i < g->members[other + 1]; i++)
                ldl_tree_take_rows(g, t, f, t->place[g->of_node[i]], &n);
        }
    }
    for (int c = g->child[f]; c >= 0; c = g->brother[c])
        for (size_t e = t->start[c]; e < t->start[c + 1]; e++)
            ldl_tree_take_rows(g, t, f, t->row[e], &n);
    t->start[f + 1] = t->start[f] + (size_t)n;
    qsort(t->row + t->start[f], (size_t)n, sizeof *t->row, ldl_tree_ascending);
}

static routh_status ldl_tree_fill_rows(ldl_tree_maker *m, rt_ldl_tree *t, ldl_tree_gather *g,
                                       rt_arena *arena, routh_error *error)
{
    size_t total = 0;
    int *child = RT_TAKE(&m->arena, int, t->n_fronts),
        *brother = RT_TAKE(&m->arena, int, t->n_fronts);
    for (int f = 0; f < t->n_fronts; f++)
        total += (size_t)(m->size[g->order[f]] - m->columns[g->order[f]]);
    t->row = RT_TAKE(arena, int, total);
    g->seen = RT_TAKE(&m->arena, int, t->n);
    if (!child || !brother || !t->row || !g->seen) return rt_fail_memory(error);
    for (int f = 0; f < t->n_fronts; f++) child[f] = -1;
    for (int f = 0; f < t->n_fronts; f++)
        if (t->parent[f] >= 0) brother[f] = child[t->parent[f]], child[t->parent[f]] = f;
    for (int k = 0; k < t->n; k++) g->seen[k] = -1;
    g->child = child, g->brother = brother;
    for (int f = 0; f < t->n_fronts; f++) gather_rows(g, t, f);
    return ROUTH_OK;
}

static routh_status ldl_tree_finish(ldl_tree_maker *m, rt_ldl_tree *t, rt_arena *arena,
                                    routh_error *error)
{
    const int n = m->graph.n;
    int *members = RT_TAKE(&m->arena, int, (size_t)n + 1), *of_node = RT_TAKE(&m->arena, int, t->n);
    int *up = RT_TAKE(&m->arena, int, n), *order = RT_TAKE(&m->arena, int, n);
    t->place = RT_TAKE(arena, int, t->n);
    t->unknown = RT_TAKE(arena, int, t->n);
    if (!members || !of_node || !up || !order || !t->place || !t->unknown)
        return rt_fail_memory(error);
    for (int i = 0; i < t->n; i++) members[m->graph.node[i] + 1]++;
    for (int k = 0; k < n; k++) members[k + 1] += members[k], m->room[0][k] = members[k];
    for (int i = 0; i < t->n; i++) of_node[m->room[0][m->graph.node[i]]++] = i;
    /* the tree of fronts, each at its last step */
    for (int k = 0; k < n; k++) {
        const bool last = m->front[k] == k;
        up[k] = last ? -1 : -2;
        if (last && m->parent[k] >= 0) up[k] = front_of(m, m->parent[k]);
        t->n_fronts += last;
    }
    ldl_tree_walk(m, up, order);
    for (int k = 0; k < n; k++) m->parent[k] = up[k];
    t->first = RT_TAKE(arena, int, (size_t)t->n_fronts + 1);
    t->parent = RT_TAKE(arena, int, t->n_fronts);
    t->start = RT_TAKE(arena, size_t, (size_t)t->n_fronts + 1);
    if (!t->first || !t->parent || !t->start) return rt_fail_memory(error);
    lay_out(m, t, members, of_node, order, m->room[1]);
    ldl_tree_gather g = {.m = m, .order = order, .members = members, .of_node = of_node};
    return ldl_tree_fill_rows(m, t, &g, arena, error);
}

routh_status rt_ldl_tree_build(rt_ldl_tree *tree, const rt_pattern *pattern, rt_arena *arena,
                               routh_error *error)
{
    ldl_tree_maker m = {0};
    *tree = (rt_ldl_tree){.n = pattern->n_columns};
    routh_status status = rt_ldl_graph_build(&m.graph, pattern, &m.arena, error);
    if (!status && !ldl_tree_take(&m)) status = rt_fail_memory(error);
    if (!status) status = ldl_tree_order(&m, error);
    if (!status) {
        find_parents(&m);
        renumber(&m);
        ldl_tree_count_columns(&m);
        make_fronts(&m);
        status = ldl_tree_finish(&m, tree, arena, error);
    }
    rt_arena_free(&m.arena);
    return status;
}
