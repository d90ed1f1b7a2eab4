/* Links: bodies that fixed joints tie together, and where joints sit on them. */
#include "coordinates/natural_plan.h"

static void natural_links_values_of(double *out, const rt_number *numbers, int n)
{
    for (int k = 0; k < n; k++) out[k] = numbers[k].value;
}

/* ---- a graph of joints: nodes are bodies or links ------------------------------------------- */

typedef struct joint_graph {
    int *start, *list;
} joint_graph;

/* The joints of every node; those with ends[j][0] < 0 are left out. */
static bool make_graph(joint_graph *graph, int n_nodes, int n_joints, int (*ends)[2],
                       rt_arena *arena)
{
    graph->start = RT_TAKE(arena, int, n_nodes + 2);
    graph->list = RT_TAKE(arena, int, 2 * (size_t)n_joints);
    if (!graph->start || !graph->list) return false;
    /* counted at start[node + 2], filled at start[node + 1], which then ends where it should */
    for (int j = 0; j < n_joints; j++)
        for (int e = 0; e < 2 && ends[j][0] >= 0; e++) graph->start[ends[j][e] + 2]++;
    for (int k = 2; k <= n_nodes + 1; k++) graph->start[k] += graph->start[k - 1];
    for (int j = 0; j < n_joints; j++)
        for (int e = 0; e < 2 && ends[j][0] >= 0; e++)
            graph->list[graph->start[ends[j][e] + 1]++] = j;
    return true;
}

/* ---- joints as written ---------------------------------------------------------------------- */

typedef struct joint_end {
    int node; /* body + 1; 0: the ground */
    double at[3], axes[9], sign[3];
} joint_end;

static joint_end natural_links_end_of(const rt_natural_plan *plan, const rt_joint *joint, int e)
{
    joint_end end = {.sign = {1, 1, 1}};
    memcpy(end.axes, joint->triad, sizeof end.axes);
    rt_v3_scale(end.at, -1, plan->origin);
    if (joint->markers[e] < 0) return end;
    const rt_marker *marker = &plan->model->markers[joint->markers[e]];
    double A[9];
    natural_links_values_of(end.at, marker->position, 3);
    natural_links_values_of(A, marker->orientation, 9);
    rt_m3_mul(end.axes, A, joint->triad);
    end.node = marker->body + 1;
    if (end.node == 0) rt_v3_sub(end.at, end.at, plan->origin);
    return end;
}

static void written_axis(const routh_model *model, const joint_end *end, int k, double axis[3])
{
    double local[3], A[9];
    rt_m3_column(local, end->axes, k);
    rt_v3_copy(axis, local);
    if (end->node == 0) return;
    natural_links_values_of(A, model->bodies[end->node - 1].orientation, 9);
    rt_m3_mul_v(axis, A, local);
}

/* Rows say that axes are parallel or perpendicular, not which way they point: as written. */
static void turn_to_meet(const routh_model *model, joint_end end[2])
{
    double sign[3], a[3], b[3];
    for (int k = 0; k < 3; k += 2) {
        written_axis(model, &end[0], k, a);
        written_axis(model, &end[1], k, b);
        sign[k] = rt_v3_dot(a, b) < 0 ? -1 : 1;
    }
    sign[1] = sign[0] * sign[2];
    rt_v3_copy(end[1].sign, sign);
    for (int i = 0; i < 9; i++) end[1].axes[i] *= sign[i % 3];
}

/* Places fixed in links? A node of a flexible body is none. */
static bool has_markers(const routh_model *model, const rt_joint *joint)
{
    return joint->markers[0] > -2 && joint->markers[1] > -2 && rt_joint_is_rigid(model, joint);
}

/* ---- links ---------------------------------------------------------------------------------- */

/* Body c is fixed to body b by a joint whose ends coincide: Q_c T_c = Q_b T_b and so on. */
static void place_body(rt_natural_plan *plan, int c, const joint_end *on_c, int b,
                       const joint_end *on_b)
{
    static const double origin[3] = {0, 0, 0}, unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double R[9], arm[3];
    const double *Q = b < 0 ? unit : plan->Q[b];
    rt_m3_mul_t(R, on_b->axes, on_c->axes);
    rt_m3_mul(plan->Q[c], Q, R);
    rt_m3_mul_v(arm, Q, on_b->at);
    rt_v3_add(plan->s[c], b < 0 ? origin : plan->s[b], arm);
    rt_m3_mul_v(arm, plan->Q[c], on_c->at);
    rt_v3_sub(plan->s[c], plan->s[c], arm);
}

/* All bodies that fixed joints tie to body b (-1: the ground) join its link. */
static void natural_links_gather(rt_natural_plan *plan, const joint_graph *fixed,
                                 joint_end (*ends)[2], int b, int *queue)
{
    const int link = b < 0 ? 0 : plan->link_of[b];
    int head = 0, tail = 0;
    queue[tail++] = b + 1;
    while (head < tail) {
        const int node = queue[head++];
        for (int k = fixed->start[node]; k < fixed->start[node + 1]; k++) {
            joint_end *end = ends[fixed->list[k]];
            const int far = end[0].node == node, other = end[far].node;
            if (other == 0 || plan->link_of[other - 1] >= 0) continue;
            plan->link_of[other - 1] = link;
            place_body(plan, other - 1, &end[far], node - 1, &end[1 - far]);
            queue[tail++] = other;
        }
    }
}

static void make_links(rt_natural_plan *plan, const joint_graph *fixed, joint_end (*ends)[2],
                       int *queue)
{
    plan->n_links = 1;
    plan->links[0] = (rt_natural_link){.first_body = -1, .plane = -1};
    natural_links_gather(plan, fixed, ends, -1, queue);
    for (int b = 0; b < plan->model->n_bodies; b++) {
        if (plan->link_of[b] >= 0) continue;
        plan->link_of[b] = plan->n_links;
        plan->links[plan->n_links++] = (rt_natural_link){.first_body = b, .plane = -1};
        rt_m3_identity(plan->Q[b]);
        natural_links_gather(plan, fixed, ends, b, queue);
    }
}

/* The places of a joint's ends on their links. */
static void place_joint(rt_natural_plan *plan, int j, const joint_end end[2])
{
    for (int e = 0; e < 2; e++) {
        rt_natural_place *place = &plan->places[j][e];
        const int b = end[e].node - 1;
        rt_v3_copy(place->at, end[e].at);
        rt_v3_copy(place->sign, end[e].sign);
        memcpy(place->axes, end[e].axes, sizeof place->axes);
        place->link = b < 0 ? 0 : plan->link_of[b];
        if (b < 0) continue;
        rt_m3_mul_v(place->at, plan->Q[b], end[e].at);
        rt_v3_add(place->at, place->at, plan->s[b]);
        rt_m3_mul(place->axes, plan->Q[b], end[e].axes);
    }
}

/* ---- sizes ---------------------------------------------------------------------------------- */

static void natural_links_measure(rt_natural_plan *plan)
{
    const routh_model *model = plan->model;
    double position[3];
    for (int b = 0; b < model->n_bodies; b++) {
        rt_natural_link *link = &plan->links[plan->link_of[b]];
        natural_links_values_of(position, model->bodies[b].position, 3);
        rt_v3_sub(position, position, plan->origin);
        plan->length = fmax(plan->length, rt_v3_norm(position));
        link->size = fmax(link->size, rt_v3_norm(plan->s[b]));
    }
    for (int j = 0; j < model->n_joints; j++)
        for (int e = 0; e < 2 && has_markers(model, &model->joints[j]); e++) {
            rt_natural_link *link = &plan->links[plan->places[j][e].link];
            link->size = fmax(link->size, rt_v3_norm(plan->places[j][e].at));
        }
    for (int k = 0; k < plan->n_links; k++) plan->length = fmax(plan->length, plan->links[k].size);
    /* what is written far from the world's origin is rounded there */
    plan->gap = RT_NATURAL_TOLERANCE * plan->length + 2e-15 * rt_v3_norm(plan->origin);
}

/* ---- order ---------------------------------------------------------------------------------- */

/* Breadth first from the ground, then from every link not reached. */
static void order_joints(rt_natural_plan *plan, bool *seen_link, bool *seen_joint)
{
    int head = 0, tail = 0;
    for (int root = 0; root < plan->n_links; root++) {
        if (seen_link[root]) continue;
        seen_link[root] = true;
        plan->link_order[tail++] = root;
        while (head < tail) {
            const int link = plan->link_order[head++];
            for (int k = plan->joint_start[link]; k < plan->joint_start[link + 1]; k++) {
                const int j = plan->joint_list[k];
                const int other = plan->places[j][plan->places[j][0].link == link].link;
                if (!seen_joint[j]) plan->joint_order[plan->n_joint_order++] = j;
                seen_joint[j] = true;
                if (!seen_link[other]) plan->link_order[tail++] = other;
                seen_link[other] = true;
            }
        }
    }
}

static routh_status natural_links_order(rt_natural_plan *plan, int (*nodes)[2], routh_error *error)
{
    const int n = plan->model->n_joints;
    joint_graph graph;
    bool *seen_link = RT_TAKE(plan->arena, bool, plan->n_links);
    bool *seen_joint = RT_TAKE(plan->arena, bool, n);
    for (int j = 0; j < n; j++)
        for (int e = 0; e < 2; e++)
            nodes[j][e] = plan->free_to_share[j] ? plan->places[j][e].link : -1;
    if (!make_graph(&graph, plan->n_links, n, nodes, plan->arena)) return rt_fail_memory(error);
    if (!seen_link || !seen_joint) return rt_fail_memory(error);
    plan->joint_start = graph.start;
    plan->joint_list = graph.list;
    order_joints(plan, seen_link, seen_joint);
    return ROUTH_OK;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static bool take_memory(rt_natural_plan *plan)
{
    const int n = plan->model->n_bodies, n_joints = plan->model->n_joints;
    plan->links = RT_TAKE(plan->arena, rt_natural_link, n + 1);
    plan->link_of = RT_TAKE(plan->arena, int, n);
    plan->Q = rt_arena_take(plan->arena, (size_t)n, sizeof *plan->Q);
    plan->s = rt_arena_take(plan->arena, (size_t)n, sizeof *plan->s);
    plan->places = rt_arena_take(plan->arena, (size_t)n_joints, sizeof *plan->places);
    plan->free_to_share = RT_TAKE(plan->arena, bool, n_joints);
    plan->link_order = RT_TAKE(plan->arena, int, n + 1);
    plan->joint_order = RT_TAKE(plan->arena, int, n_joints);
    return plan->links && plan->link_of && plan->Q && plan->s && plan->places &&
           plan->free_to_share && plan->link_order && plan->joint_order;
}

routh_status rt_natural_find_links(rt_natural_plan *plan, routh_error *error)
{
    const routh_model *model = plan->model;
    const int n = model->n_bodies, n_joints = model->n_joints;
    joint_end(*ends)[2] = rt_arena_take(plan->arena, (size_t)n_joints, sizeof *ends);
    int(*nodes)[2] = rt_arena_take(plan->arena, (size_t)n_joints, sizeof *nodes);
    int *queue = RT_TAKE(plan->arena, int, n + 1);
    joint_graph fixed;
    if (!ends || !nodes || !queue || !take_memory(plan)) return rt_fail_memory(error);
    for (int j = 0; j < n_joints; j++) {
        const rt_joint *joint = &model->joints[j];
        const rt_natural_common in = rt_natural_common_of(joint);
        const bool ties = in.point && in.turn && !rt_natural_wanted(plan, j) &&
                          has_markers(model, joint);
        for (int e = 0; e < 2 && has_markers(model, joint); e++)
            ends[j][e] = natural_links_end_of(plan, joint, e);
        if (has_markers(model, joint)) turn_to_meet(model, ends[j]);
        for (int e = 0; e < 2; e++) nodes[j][e] = ties ? ends[j][e].node : -1;
    }
    if (!make_graph(&fixed, n + 1, n_joints, nodes, plan->arena)) return rt_fail_memory(error);
    for (int b = 0; b < n; b++) plan->link_of[b] = -1;
    make_links(plan, &fixed, ends, queue);
    for (int j = 0; j < n_joints; j++) {
        if (has_markers(model, &model->joints[j])) place_joint(plan, j, ends[j]);
        plan->free_to_share[j] = has_markers(model, &model->joints[j]) &&
                                 !rt_natural_wanted(plan, j) &&
                                 plan->places[j][0].link != plan->places[j][1].link;
    }
    natural_links_measure(plan);
    return natural_links_order(plan, nodes, error);
}
