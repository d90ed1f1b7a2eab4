/* What carries each body to where it begins: joints with coordinates first, then frames that bodies
 * are placed in and fixed joints, then other joints, on the shortest paths from the ground. */
#include "model/placing.h"

enum { MOVED_ITSELF = -3 }; /* of an edge: the body is moved from where it is written */

typedef struct place_edge {
    int end[2]; /* nodes: bodies, the ground as the last */
    int joint;  /* or RT_CARRIED_ALONG, MOVED_ITSELF */
    bool firm;  /* it keeps what it connects in one group */
} place_edge;

typedef struct tree_maker {
    const routh_model *m;
    rt_reader *r;
    rt_place_tree *tree;
    int ground, n_edges, n_done, n_waiting, first_waiting;
    place_edge *edge;
    int *group;      /* union-find over nodes */
    int *start, *at; /* edges at node k: at[e], start[k] <= e < start[k + 1] */
    bool *settled;
    int *local;   /* nodes of the group that is settled */
    int *waiting; /* edges by which a group may be entered */
    int *from;    /* and from which node */
} tree_maker;

static int node_of_marker(const tree_maker *t, int marker)
{
    const int body = rt_body_of_marker(t->m, marker);
    return body < 0 ? t->ground : body;
}

static int root_of_group(tree_maker *t, int node)
{
    while (t->group[node] != node) node = t->group[node] = t->group[t->group[node]];
    return node;
}

static void add_edge_between(tree_maker *t, int a, int b, int joint)
{
    t->edge[t->n_edges++] = (place_edge){{a, b}, joint, false};
}

/* Makes it firm where it closes no loop of firm ones. */
static bool make_firm(tree_maker *t, place_edge *e)
{
    const int a = root_of_group(t, e->end[0]), b = root_of_group(t, e->end[1]);
    if (a == b) return false;
    t->group[a] = b;
    return e->firm = true;
}

static bool is_carrier(const rt_joint *joint)
{
    return joint->class->chain.is_joint && (!joint->cut || joint->start);
}

/* Order decides: what stands earlier is firm first. */
static void list_firm(tree_maker *t)
{
    const routh_model *m = t->m;
    for (int pass = 0; pass < 3; pass++) {
        for (int j = 0; j < m->n_joints && pass != 1; j++) {
            const rt_joint *joint = &m->joints[j];
            const bool fixed = joint->class->chain.n == 0 && !joint->start;
            if (!is_carrier(joint) || (pass == 0 ? !joint->start : !fixed)) continue;
            add_edge_between(t, node_of_marker(t, joint->markers[0]),
                             node_of_marker(t, joint->markers[1]), j);
            if (!make_firm(t, &t->edge[t->n_edges - 1])) {
                t->n_edges--;
                if (joint->start) t->tree->closing[t->tree->n_closing++] = j;
            }
        }
        for (int b = 0; b < m->n_bodies && pass == 1; b++) {
            const rt_body_place *place = &t->r->places[b];
            if (place->relative_to == RT_NOT_RELATIVE && !place->moves) continue;
            const int other = place->moves ? t->ground : node_of_marker(t, place->relative_to);
            if (other == b) continue;
            add_edge_between(t, other, b, place->moves ? MOVED_ITSELF : RT_CARRIED_ALONG);
            if (!make_firm(t, &t->edge[t->n_edges - 1])) t->n_edges--;
        }
    }
}

static void list_loose(tree_maker *t)
{
    for (int j = 0; j < t->m->n_joints; j++) {
        const rt_joint *joint = &t->m->joints[j];
        if (!is_carrier(joint) || joint->start || joint->class->chain.n == 0) continue;
        add_edge_between(t, node_of_marker(t, joint->markers[0]),
                         node_of_marker(t, joint->markers[1]), j);
    }
}

static void index_edges(tree_maker *t)
{
    for (int e = 0; e < t->n_edges; e++)
        for (int end = 0; end < 2; end++) t->start[t->edge[e].end[end] + 2]++;
    for (int k = 2; k < t->ground + 3; k++) t->start[k] += t->start[k - 1];
    for (int e = 0; e < t->n_edges; e++)
        for (int end = 0; end < 2; end++) t->at[t->start[t->edge[e].end[end] + 1]++] = e;
}

static void settle_node(tree_maker *t, int node, int parent, int joint)
{
    rt_place_tree *tree = t->tree;
    t->settled[node] = true;
    if (node == t->ground) return;
    tree->order[t->n_done++] = node;
    tree->parent[node] = parent == t->ground ? RT_GROUND : parent;
    tree->joint[node] = joint == MOVED_ITSELF ? RT_CARRIED_BY_NOTHING : joint;
}

static int far_end(const place_edge *e, int node) { return e->end[e->end[0] == node]; }

/* All that is firmly connected with a node, which is settled; the others wait. */
static void settle_firm(tree_maker *t, int node)
{
    int n = 0;
    t->local[n++] = node;
    for (int k = 0; k < n; k++)
        for (int i = t->start[t->local[k]]; i < t->start[t->local[k] + 1]; i++) {
            const place_edge *e = &t->edge[t->at[i]];
            const int other = far_end(e, t->local[k]);
            if (t->settled[other]) continue;
            if (e->firm) {
                settle_node(t, other, t->local[k], e->joint);
                t->local[n++] = other;
            }
        }
    for (int k = 0; k < n; k++)
        for (int i = t->start[t->local[k]]; i < t->start[t->local[k] + 1]; i++) {
            const place_edge *e = &t->edge[t->at[i]];
            if (e->firm || t->settled[far_end(e, t->local[k])]) continue;
            t->waiting[t->n_waiting] = t->at[i];
            t->from[t->n_waiting++] = t->local[k];
        }
}

static void grow_tree(tree_maker *t, int root)
{
    settle_node(t, root, t->ground, RT_CARRIED_BY_NOTHING);
    settle_firm(t, root);
    for (; t->first_waiting < t->n_waiting; t->first_waiting++) {
        const place_edge *e = &t->edge[t->waiting[t->first_waiting]];
        const int from = t->from[t->first_waiting], node = far_end(e, from);
        if (t->settled[node]) continue;
        settle_node(t, node, from, e->joint);
        settle_firm(t, node);
    }
}

routh_status rt_place_tree_make(rt_place_tree *tree, rt_reader *r)
{
    const routh_model *m = r->model;
    rt_arena *a = &r->scratch;
    const size_t n = (size_t)m->n_bodies, edges = n + (size_t)m->n_joints;
    tree_maker t = {.m = m, .r = r, .tree = tree, .ground = m->n_bodies};
    *tree = (rt_place_tree){.order = RT_TAKE(a, int, n),
                            .parent = RT_TAKE(a, int, n),
                            .joint = RT_TAKE(a, int, n),
                            .closing = RT_TAKE(a, int, m->n_joints)};
    t.edge = RT_TAKE(a, place_edge, edges + 1);
    t.group = RT_TAKE(a, int, n + 1);
    t.start = RT_TAKE(a, int, n + 3);
    t.at = RT_TAKE(a, int, 2 * edges);
    t.settled = RT_TAKE(a, bool, n + 1);
    t.local = RT_TAKE(a, int, n + 1);
    t.waiting = RT_TAKE(a, int, 2 * edges);
    t.from = RT_TAKE(a, int, 2 * edges);
    if (!tree->order || !tree->parent || !tree->joint || !tree->closing || !t.edge || !t.group ||
        !t.start || !t.at || !t.settled || !t.local || !t.waiting || !t.from)
        return rt_fail_memory(r->error);
    for (int k = 0; k <= t.ground; k++) t.group[k] = k;
    list_firm(&t);
    list_loose(&t);
    index_edges(&t);
    grow_tree(&t, t.ground);
    for (int rank = 2; rank >= 0; rank--) /* in the world, in a frame, not placed */
        for (int b = 0; b < m->n_bodies; b++) {
            const rt_body_place *place = &r->places[b];
            const int own = place->placed ? 1 + (place->relative_to == RT_NOT_RELATIVE) : 0;
            if (!t.settled[b] && own == rank) grow_tree(&t, b);
        }
    return ROUTH_OK;
}
