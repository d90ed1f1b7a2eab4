/* Which motions wind bushings and exact beams: those that share a closed loop with one.
 *
 * Vertices are ground and the bodies; edges the joints, couplers and motions between them, and the
 * bushings and beams that go by rotations, node by node. A motion and such a load are on a loop
 * without a vertex twice where they are in the same biconnected component (Hopcroft and Tarjan
 * 1973). What a motion only carries along, as a blade on its hub, is in another one: the motion by
 * whole revolutions leaves it as it is. Joints by expressions of their own have no edges. */

#include "base/kept_memory.h"
#include "operating/twists.h"

/* Each array of its own part of `memory`. */
typedef struct winding_graph {
    const routh_model *model;
    int n, n_edges, room;
    int *ends;             /* 2 of each edge */
    int *of_joint;         /* the edge of a joint between its own markers, or -1 */
    int *first, *at;       /* edges of a vertex: at[first[v]] .. at[first[v + 1] - 1] */
    int *order, *low;      /* of vertices in the search; 0: not seen */
    int *block;            /* of edges; -1: none yet */
    int *edges;            /* seen, not yet in a block */
    int *path, *by, *next; /* vertices from the root, the edge that led there, the next of theirs */
    int *memory;
} winding_graph;

static int winding_vertex(const routh_model *model, int marker)
{
    const int body = marker >= 0 ? model->markers[marker].body : RT_GROUND;
    return body >= 0 ? body + 1 : 0;
}

static int winding_add_edge(winding_graph *g, int from, int to)
{
    if (from == to) return -1;
    g->ends[2 * g->n_edges] = from;
    g->ends[2 * g->n_edges + 1] = to;
    return g->n_edges++;
}

static int winding_edges_of_load(const rt_load *load)
{
    const int *markers;
    return rt_load_twists(load) ? rt_markers_of_load(load, &markers) - 1 : 0;
}

static routh_status winding_create(winding_graph *g, const routh_model *model,
                                   rt_analyses *analyses, routh_error *error)
{
    *g = (winding_graph){.model = model, .n = model->n_bodies + 1};
    for (int j = 0; j < model->n_joints; j++) g->room += 1 + 2 * model->joints[j].n_coupled;
    for (int l = 0; l < model->n_loads; l++) g->room += winding_edges_of_load(&model->loads[l]);
    const size_t e = (size_t)g->room, n = (size_t)g->n + 1, joints = (size_t)model->n_joints;
    g->memory = rt_kept_calloc(analyses, 6 * e + 6 * n + joints + 1, sizeof *g->memory);
    if (!g->memory) return rt_fail_memory(error);
    g->ends = g->memory, g->at = g->ends + 2 * e, g->block = g->at + 2 * e;
    g->edges = g->block + e, g->first = g->edges + e, g->order = g->first + n;
    g->low = g->order + n, g->path = g->low + n, g->by = g->path + n, g->next = g->by + n;
    g->of_joint = g->next + n;
    return ROUTH_OK;
}

static void winding_add_joints(winding_graph *g)
{
    const routh_model *model = g->model;
    for (int j = 0; j < model->n_joints; j++) {
        const rt_joint *joint = &model->joints[j];
        const int from = winding_vertex(model, joint->markers[0]);
        const bool between = joint->markers[0] > -2 && joint->markers[1] > -2;
        g->of_joint[j] =
            between ? winding_add_edge(g, from, winding_vertex(model, joint->markers[1])) : -1;
        for (int k = 0; k < joint->n_coupled; k++)
            for (int i = 0; i < 2; i++) {
                const int marker = model->joints[joint->coupled[k]].markers[i];
                winding_add_edge(g, from, winding_vertex(model, marker));
            }
    }
}

/* The first edge of a bushing or beam. */
static int winding_add_loads(winding_graph *g)
{
    const int first = g->n_edges;
    for (int l = 0; l < g->model->n_loads; l++) {
        const rt_load *load = &g->model->loads[l];
        const int *markers, n = winding_edges_of_load(load);
        rt_markers_of_load(load, &markers);
        for (int k = 0; k < n; k++)
            winding_add_edge(g, winding_vertex(g->model, markers[k]),
                             winding_vertex(g->model, markers[k + 1]));
    }
    return first;
}

static void winding_list_edges(winding_graph *g)
{
    for (int k = 0; k < 2 * g->n_edges; k++) g->first[g->ends[k] + 1]++;
    for (int v = 0; v < g->n; v++) g->first[v + 1] += g->first[v];
    for (int v = 0; v < g->n; v++) g->next[v] = g->first[v];
    for (int k = 0; k < 2 * g->n_edges; k++) g->at[g->next[g->ends[k]]++] = k / 2;
    for (int e = 0; e < g->n_edges; e++) g->block[e] = -1;
}

/* ---- biconnected components ------------------------------------------------------------------ */

typedef struct winding_walk {
    int depth, n_seen, n_edges, n_blocks;
} winding_walk;

static void winding_enter(winding_graph *g, winding_walk *w, int vertex, int edge)
{
    g->path[w->depth] = vertex;
    g->by[w->depth++] = edge;
    g->order[vertex] = g->low[vertex] = ++w->n_seen;
    g->next[vertex] = g->first[vertex];
}

/* Back from the last vertex: where nothing there reaches above the one before, all edges since make
 * a component. */
static void winding_go_back(winding_graph *g, winding_walk *w)
{
    const int vertex = g->path[--w->depth], edge = g->by[w->depth];
    if (w->depth == 0) return;
    const int before = g->path[w->depth - 1];
    if (g->low[vertex] < g->low[before]) g->low[before] = g->low[vertex];
    if (g->low[vertex] < g->order[before]) return;
    int last;
    do {
        last = g->edges[--w->n_edges];
        g->block[last] = w->n_blocks;
    } while (last != edge);
    w->n_blocks++;
}

static void winding_follow(winding_graph *g, winding_walk *w, int edge)
{
    const int vertex = g->path[w->depth - 1];
    const int other = g->ends[2 * edge] == vertex ? g->ends[2 * edge + 1] : g->ends[2 * edge];
    if (edge == g->by[w->depth - 1]) return;
    if (g->order[other] == 0) {
        g->edges[w->n_edges++] = edge;
        winding_enter(g, w, other, edge);
    } else if (g->order[other] < g->order[vertex]) {
        g->edges[w->n_edges++] = edge;
        if (g->order[other] < g->low[vertex]) g->low[vertex] = g->order[other];
    }
}

static void winding_find_blocks(winding_graph *g)
{
    winding_walk w = {0};
    for (int root = 0; root < g->n; root++) {
        if (g->order[root]) continue;
        winding_enter(g, &w, root, -1);
        while (w.depth > 0) {
            const int vertex = g->path[w.depth - 1];
            if (g->next[vertex] < g->first[vertex + 1])
                winding_follow(g, &w, g->at[g->next[vertex]++]);
            else
                winding_go_back(g, &w);
        }
    }
}

/* ---- motions --------------------------------------------------------------------------------- */

routh_status rt_find_winding(rt_search *s, routh_error *error)
{
    const routh_model *model = s->m->model;
    winding_graph g;
    if (rt_count_twists(model) == 0 || s->winds) return ROUTH_OK;
    s->winds = rt_kept_calloc(s->m->analyses, (size_t)model->n_joints + 1, sizeof *s->winds);
    if (!s->winds) return rt_fail_memory(error);
    const routh_status status = winding_create(&g, model, s->m->analyses, error);
    if (status) return status;
    winding_add_joints(&g);
    const int first_load = winding_add_loads(&g);
    winding_list_edges(&g);
    winding_find_blocks(&g);
    for (int j = 0; j < model->n_joints; j++)
        for (int e = first_load; e < g.n_edges && g.of_joint[j] >= 0; e++)
            if (g.block[e] == g.block[g.of_joint[j]]) s->winds[j] = true;
    rt_kept_free(g.memory);
    return ROUTH_OK;
}

bool rt_assembly_may_wind(const rt_search *s)
{
    if (!s->winds) return false;
    for (int j = 0; j < s->m->model->n_joints; j++)
        if (s->winds[j] || s->m->model->joints[j].markers[0] == -2) return true;
    return false;
}
