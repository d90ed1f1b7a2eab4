/* Beams as bodies at their nodes and elements between them. */
#include "model/rod.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rotation.h"
#include "base/vec3.h"

/* A node while masses are gathered, world components. */
typedef struct node {
    double r[3], A[9];           /* on the axis; x along it */
    double mass, first[3];       /* first: moments about r, all of them */
    double across[3], second[9]; /* those across the axis, and inertia about r without the rest */
    double size;                 /* of the moments that first is a sum of */
    double along;                /* along the axis, from the beginning */
} node;

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Nodes on the axis, each frame's x half-way between the pieces that meet there. */
static void place_nodes(const rt_rod *rod, node *nodes)
{
    const int n = rod->per_piece, n_pieces = rod->n_points - 1;
    double along = 0, before[3] = {0};
    for (int p = 0; p < n_pieces; p++) {
        const double *a = rod->points + 3 * p, *b = a + 3;
        double d[3], x[3], mean[3];
        rt_v3_sub(d, b, a);
        const double length = rt_v3_norm(d);
        rt_v3_scale(x, 1 / length, d);
        for (int k = 0; k <= n; k++) {
            node *at = &nodes[p * n + k];
            const double t = (double)k / n;
            for (int i = 0; i < 3; i++) at->r[i] = a[i] + t * d[i];
            at->along = along + t * length;
            rt_v3_copy(mean, x);
            if (k == 0) rt_v3_add(mean, mean, before);
            rt_rod_axes(mean, rod->side, at->A);
        }
        rt_v3_copy(before, x);
        along += length;
    }
    for (int k = 0; k <= n * n_pieces; k++) {
        const double turn[3] = {rt_rod_twist(&rod->sections, nodes[k].along), 0, 0};
        double Q[9], A[9];
        rt_rotation_exp(Q, turn);
        memcpy(A, nodes[k].A, sizeof A);
        rt_m3_mul(nodes[k].A, A, Q);
    }
}

/* An end's part, from the element's axes E into the world. */
static void add_mass(const rt_rod_element *element, int end, const double E[9], node *at)
{
    double v[3], x[3], T[9], J[9];
    rt_m3_column(x, E, 0);
    rt_m3_mul_v(v, E, element->end[end].first);
    at->mass += element->end[end].mass;
    at->size += rt_v3_norm(v) + fabs(element->end[end].along);
    rt_v3_add(at->across, at->across, v);
    rt_v3_add(at->first, at->first, v);
    rt_v3_add_scaled(at->first, element->end[end].along, x);
    rt_m3_mul(T, E, element->end[end].second);
    rt_m3_mul_t(J, T, E);
    for (int k = 0; k < 9; k++) at->second[k] += J[k];
}

/* Moments of the two elements that meet cancel to rounding where they are alike. */
static void drop_rounding(node *at)
{
    if (rt_v3_norm(at->first) <= 1e-13 * at->size) memset(at->first, 0, sizeof at->first);
}

/* The body at a node: its centre of mass is at r + first/mass; its inertia is that of the sections
 * about their common centre, not of how they are spread along the axis. */
static void fill_body(rt_calculator *calculator, const rt_rod *rod, const node *at, rt_body *body)
{
    double c[3], J[9], T[9], own[9];
    rt_number arm[3], v[3];
    rt_v3_scale(c, 1 / at->mass, at->across);
    const double square = rt_v3_dot(c, c);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            J[3 * i + j] = at->second[3 * i + j] - at->mass * ((i == j ? square : 0) - c[i] * c[j]);
    rt_m3_tmul(T, at->A, J);
    rt_m3_mul(own, T, at->A);
    body->mass = rt_plain(at->mass);
    for (int i = 0; i < 3; i++) {
        const double x = at->r[i] + at->first[i] / at->mass;
        body->position[i] = rt_plain(x);
        arm[i] = rt_plain(x - rod->about[i]);
    }
    rt_numbers_cross(calculator, v, rod->angular_velocity, arm);
    for (int k = 0; k < 3; k++) {
        body->velocity[k] = rt_plus(calculator, rod->velocity[k], v[k]);
        body->angular_velocity[k] = rod->angular_velocity[k];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            body->inertia[3 * i + j] = rt_plain((own[3 * i + j] + own[3 * j + i]) / 2);
    for (int k = 0; k < 9; k++) body->orientation[k] = rt_plain(at->A[k]);
    body->velocity_given = body->angular_velocity_given = rod->moves;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *numbered(rt_reader *r, const char *name, const char *letter, int k)
{
    char number[16];
    snprintf(number, sizeof number, "%s%d", letter, k);
    return rt_dotted_name(r, name, number);
}

/* The body's own marker, and one at the node on the axis where the centre of mass is not there. */
static routh_status add_markers(rt_reader *r, int k, const node *at, int *marker)
{
    routh_model *m = r->model;
    const rt_body *body = &m->bodies[k];
    double d[3], s[3];
    m->markers[k] = (rt_marker){.name = body->name, .place = body->place, .body = k, .node = -1};
    rt_numbers_identity(m->markers[k].orientation);
    for (int i = 0; i < 3; i++) m->markers[k].position[i] = rt_plain(0);
    *marker = k;
    rt_v3_scale(d, -1 / at->mass, at->first);
    if (rt_v3_norm(d) == 0) return ROUTH_OK;
    rt_m3_tmul_v(s, at->A, d);
    *marker = m->n_markers++;
    rt_marker *on_axis = &m->markers[*marker];
    *on_axis = m->markers[k];
    on_axis->implicit = on_axis->of_beam = true;
    on_axis->name = rt_dotted_name(r, body->name, "node");
    for (int i = 0; i < 3; i++) on_axis->position[i] = rt_plain(s[i]);
    return on_axis->name ? ROUTH_OK : rt_fail_memory(r->error);
}

static routh_status name_node(rt_reader *r, const char *rod, const char *word, int marker)
{
    const char *name = rt_dotted_name(r, rod, word);
    if (!name) return rt_fail_memory(r->error);
    rt_names_add(&r->index->points, name, marker);
    return ROUTH_OK;
}

/* ---- one beam -------------------------------------------------------------------------------- */

/* Where the next one goes. */
typedef struct cursor {
    int body, load;
} cursor;

static routh_status make_nodes(rt_reader *r, const rt_rod *rod, const node *nodes, int n,
                               const cursor *c, int *markers)
{
    routh_model *m = r->model;
    const char *name = rod->node->key;
    routh_status status = ROUTH_OK;
    for (int k = 0; k < n && !status; k++) {
        rt_body *body = &m->bodies[c->body + k];
        fill_body(&r->calculator, rod, &nodes[k], body);
        body->place = rod->node->key_place;
        body->name = numbered(r, name, "", k + 1);
        if (!body->name) return rt_fail_memory(r->error);
        status = add_markers(r, c->body + k, &nodes[k], &markers[k]);
        if (!status)
            status = rt_check_finite(r, body->place, "the inertia of a node", body->inertia, 9);
        rt_names_add(&r->index->points, body->name, markers[k]);
    }
    if (!status) status = name_node(r, name, "first", markers[0]);
    if (!status) status = name_node(r, name, "last", markers[n - 1]);
    return status;
}

static routh_status make_element(rt_reader *r, const rt_rod *rod, int k, node *nodes,
                                 const cursor *c)
{
    rt_load *load = &r->model->loads[c->load + k];
    const rt_place place = rod->node->key_place;
    rt_rod_element element;
    double E[9], d[3], positions[2][3], A[2][9];
    for (int i = 0; i < 2; i++) {
        rt_v3_copy(positions[i], nodes[k + i].r);
        memcpy(A[i], nodes[k + i].A, sizeof A[i]);
    }
    rt_v3_sub(d, positions[1], positions[0]);
    rt_rod_axes(d, rod->side, E);
    if (!rt_rod_element_of(&rod->sections, nodes[k].along, nodes[k + 1].along - nodes[k].along,
                           &element))
        return rt_reader_fail(r, place,
                              "the stiffness of element %d cannot be found: its sections' numbers "
                              "are too large, too small or too far apart",
                              k + 1);
    *load = (rt_load){.type = RT_LOAD_ROD, .place = place, .resolved_in = RT_GROUND};
    rt_m3_identity(load->triad);
    load->stiffness = load->damping = load->free_length = load->preload = rt_plain(0);
    for (int f = 0; f < RT_LOAD_FUNCTIONS; f++) load->function[f].expr = RT_NO_EXPR;
    if (!rt_rod_fill_load(&element, E, positions, A, load))
        return rt_reader_fail(r, place,
                              "the section turns by half a turn from node %d to node %d; give it "
                              "more elements",
                              k + 1, k + 2);
    load->name = numbered(r, rod->node->key, "e", k + 1);
    if (!load->name) return rt_fail_memory(r->error);
    rt_names_add(&r->index->loads, load->name, c->load + k);
    for (int end = 0; end < 2; end++) add_mass(&element, end, E, &nodes[k + end]);
    return rt_check_finite(r, place, "the stiffness of an element", load->stiffness6, 36);
}

static routh_status expand(rt_reader *r, const rt_rod *rod, cursor *c)
{
    const int n = rod->per_piece * (rod->n_points - 1);
    node *nodes = RT_TAKE(&r->scratch, node, n + 1);
    int *markers = RT_TAKE(&r->scratch, int, n + 1);
    if (!nodes || !markers) return rt_fail_memory(r->error);
    rt_reader_element(r, "beam", rod->node->key);
    place_nodes(rod, nodes);
    routh_status status = ROUTH_OK;
    for (int k = 0; k < n && !status; k++) status = make_element(r, rod, k, nodes, c);
    for (int k = 0; k <= n; k++) drop_rounding(&nodes[k]);
    if (!status) status = make_nodes(r, rod, nodes, n + 1, c, markers);
    for (int k = 0; k < n && !status; k++) {
        r->model->loads[c->load + k].markers[0] = markers[k];
        r->model->loads[c->load + k].markers[1] = markers[k + 1];
    }
    c->body += n + 1;
    c->load += n;
    return status;
}

routh_status rt_expand_rods(rt_reader *r, const rt_rod_set *set, int body, int load)
{
    cursor c = {body, load};
    routh_status status = ROUTH_OK;
    for (int k = 0; k < set->n && !status; k++) status = expand(r, &set->rods[k], &c);
    return status;
}
