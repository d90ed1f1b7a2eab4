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

enum { FIRM_ALL, FIRM_SOME, FIRM_RATES, FIRM_FRAMES, FIRM_FIXED, FIRM_PASSES };

/* When the joint is made firm: with all coordinates written, with some, with rates alone, or fixed.
 * So the joint of a loop that is left to close it is one whose coordinate is not written. */
static int firm_pass(const rt_joint *joint)
{
    const int n = joint->class->chain.n;
    int given = 0;
    if (!joint->start) return n == 0 ? FIRM_FIXED : FIRM_PASSES;
    for (int k = 0; k < n; k++) given += joint->start->value_given[k];
    return given == n ? FIRM_ALL : given ? FIRM_SOME : FIRM_RATES;
}

/* Order decides: what stands earlier is firm first. */
static void list_firm(tree_maker *t)
{
    const routh_model *m = t->m;
    for (int pass = 0; pass < FIRM_PASSES; pass++) {
        for (int j = 0; j < m->n_joints; j++) {
            const rt_joint *joint = &m->joints[j];
            if (!is_carrier(joint) || firm_pass(joint) != pass) continue;
            add_edge_between(t, node_of_marker(t, joint->markers[0]),
                             node_of_marker(t, joint->markers[1]), j);
            if (!make_firm(t, &t->edge[t->n_edges - 1])) {
                t->n_edges--;
                if (joint->start) t->tree->closing[t->tree->n_closing++] = j;
            }
        }
        for (int b = 0; b < m->n_bodies && pass == FIRM_FRAMES; b++) {
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

/* What joints say of a body. */
typedef struct body_joints {
    bool is_first; /* of one with coordinates or rates */
    bool between;  /* it is on one between markers, which may place it */
} body_joints;

static void look_at_joints(const tree_maker *t, const bool *at, body_joints *of)
{
    for (int j = 0; j < t->m->n_joints; j++) {
        const rt_joint *joint = &t->m->joints[j];
        if (!is_carrier(joint)) continue;
        for (int end = 0; end < 2; end++) {
            body_joints *own = &of[node_of_marker(t, joint->markers[end])];
            own->is_first = own->is_first || (end == 0 && joint->start);
            own->between = own->between || !at[j];
        }
    }
}

/* Of what nothing holds, the body that stays where it is written: a node of a beam, which is not
 * moved; one in the world before one in a frame before one that is not placed; then one with a
 * velocity; then one that no joint moves, as it is the second of all that have coordinates or
 * rates. */
enum { NODE_ROOT = 12, MOST_ROOT = NODE_ROOT };

static int root_rank(const tree_maker *t, int b, const body_joints *of)
{
    const rt_body_place *place = &t->r->places[b];
    const rt_body *body = &t->m->bodies[b];
    const bool moves = body->velocity_given || body->angular_velocity_given || place->spins;
    if (!place->node) return NODE_ROOT;
    const bool in_world = place->placed ? place->relative_to == RT_NOT_RELATIVE : !of[b].between;
    return 4 * (in_world ? 2 : place->placed) + 2 * moves + !of[b].is_first;
}

static void grow_from_roots(tree_maker *t, const body_joints *of)
{
    for (int rank = MOST_ROOT; rank >= 0; rank--)
        for (int b = 0; b < t->m->n_bodies; b++)
            if (!t->settled[b] && root_rank(t, b, of) == rank) grow_tree(t, b);
}

routh_status rt_place_tree_make(rt_place_tree *tree, rt_reader *r, const bool *at)
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
    body_joints *of = RT_TAKE(a, body_joints, n + 1);
    if (!tree->order || !tree->parent || !tree->joint || !tree->closing || !t.edge || !t.group ||
        !t.start || !t.at || !t.settled || !t.local || !t.waiting || !t.from || !of)
        return rt_fail_memory(r->error);
    for (int k = 0; k <= t.ground; k++) t.group[k] = k;
    list_firm(&t);
    list_loose(&t);
    index_edges(&t);
    grow_tree(&t, t.ground);
    look_at_joints(&t, at, of);
    grow_from_roots(&t, of);
    return ROUTH_OK;
}
