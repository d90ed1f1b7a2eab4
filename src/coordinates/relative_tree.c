/* Shortest paths (Dijkstra) by numbers of columns, 0 to 3 a joint, with one queue for each distance
 * modulo 4 (Dial): the time is proportional to bodies and joints, and nothing recurses. */
#include "coordinates/relative_tree.h"

#include <limits.h>

#include "coordinates/relative_chain.h"

enum { N_QUEUES = RT_CHAIN_JOINT_COLUMNS + 1 };

typedef struct relative_tree_entry {
    int node, next;
} relative_tree_entry;

/* Nodes are the bodies, and the ground as the last. */
typedef struct relative_tree_search {
    const routh_model *model;
    rt_joint_tree *tree;
    int ground, n_settled;
    int *start, *edge; /* joints at node k: edge[e], start[k] <= e < start[k + 1] */
    int *distance;     /* of nodes */
    bool *settled;
    relative_tree_entry *entries;
    int n_entries, n_waiting;
    int head[N_QUEUES], tail[N_QUEUES];
} relative_tree_search;

static int node_of(const relative_tree_search *s, int joint, int end)
{
    const int marker = s->model->joints[joint].markers[end];
    const int body = marker < 0 ? RT_GROUND : s->model->markers[marker].body;
    return body == RT_GROUND ? s->ground : body;
}

static bool may_carry(const routh_model *model, const bool *wanted, int joint)
{
    const rt_joint *j = &model->joints[joint];
    return rt_chain_of(j) && !j->cut && !(wanted && wanted[joint]) &&
           rt_joint_is_rigid(model, j);
}

static void list_edges(relative_tree_search *s, const bool *wanted)
{
    const int n = s->model->n_joints;
    for (int j = 0; j < n; j++)
        for (int end = 0; end < 2 && may_carry(s->model, wanted, j); end++)
            s->start[node_of(s, j, end) + 2]++;
    for (int k = 2; k < s->ground + 3; k++) s->start[k] += s->start[k - 1];
    for (int j = 0; j < n; j++)
        for (int end = 0; end < 2 && may_carry(s->model, wanted, j); end++)
            s->edge[s->start[node_of(s, j, end) + 1]++] = j;
}

static void queue(relative_tree_search *s, int node)
{
    const int q = s->distance[node] % N_QUEUES, e = s->n_entries++;
    s->entries[e] = (relative_tree_entry){node, -1};
    if (s->head[q] < 0)
        s->head[q] = e;
    else
        s->entries[s->tail[q]].next = e;
    s->tail[q] = e;
    s->n_waiting++;
}

static int columns_of(const relative_tree_search *s, int joint)
{
    return rt_chain_columns(rt_chain_of(&s->model->joints[joint]));
}

/* A node that has its place never changes it, so joints without columns make no circle. */
static void relative_tree_offer(relative_tree_search *s, int node, int joint)
{
    const int other = node_of(s, joint, node_of(s, joint, 0) == node);
    if (s->settled[other]) return;
    const int columns = columns_of(s, joint), distance = s->distance[node] + columns;
    const bool shorter = distance < s->distance[other];
    if (!shorter &&
        (distance > s->distance[other] || columns >= columns_of(s, s->tree->joint[other])))
        return;
    s->distance[other] = distance;
    s->tree->joint[other] = joint;
    s->tree->parent[other] = node == s->ground ? RT_GROUND : node;
    if (shorter) queue(s, other);
}

static void relative_tree_settle(relative_tree_search *s, int node)
{
    s->settled[node] = true;
    if (node != s->ground) s->tree->order[s->n_settled++] = node;
    for (int e = s->start[node]; e < s->start[node + 1]; e++)
        relative_tree_offer(s, node, s->edge[e]);
}

static void grow_from(relative_tree_search *s, int root)
{
    s->distance[root] = 0;
    queue(s, root);
    for (int q = 0; s->n_waiting; q = (q + 1) % N_QUEUES)
        while (s->head[q] >= 0) {
            const relative_tree_entry e = s->entries[s->head[q]];
            s->head[q] = e.next;
            s->n_waiting--;
            if (!s->settled[e.node]) relative_tree_settle(s, e.node);
        }
}

static void relative_tree_grow(relative_tree_search *s)
{
    for (int k = 0; k < N_QUEUES; k++) s->head[k] = -1;
    for (int k = 0; k <= s->ground; k++) s->distance[k] = INT_MAX;
    grow_from(s, s->ground);
    for (int b = 0; b < s->ground; b++) {
        if (s->settled[b]) continue;
        s->tree->parent[b] = RT_GROUND;
        s->tree->joint[b] = -1;
        grow_from(s, b);
    }
}

routh_status rt_tree_span(rt_joint_tree *tree, const routh_model *model, const bool *wanted,
                          rt_arena *arena, routh_error *error)
{
    const int n = model->n_bodies, m = model->n_joints;
    rt_arena scratch = {0};
    relative_tree_search s = {.model = model, .tree = tree, .ground = n};
    tree->order = RT_TAKE(arena, int, n);
    tree->parent = RT_TAKE(arena, int, n);
    tree->joint = RT_TAKE(arena, int, n);
    s.start = RT_TAKE(&scratch, int, n + 3);
    s.edge = RT_TAKE(&scratch, int, 2 * (size_t)m);
    s.distance = RT_TAKE(&scratch, int, n + 1);
    s.settled = RT_TAKE(&scratch, bool, n + 1);
    s.entries = RT_TAKE(&scratch, relative_tree_entry, 2 * (size_t)m + (size_t)n + 1);
    const bool taken = tree->order && tree->parent && tree->joint && s.start && s.edge &&
                       s.distance && s.settled && s.entries;
    if (taken) {
        list_edges(&s, wanted);
        relative_tree_grow(&s);
    }
    rt_arena_free(&scratch);
    return taken ? ROUTH_OK : rt_fail_memory(error);
}
