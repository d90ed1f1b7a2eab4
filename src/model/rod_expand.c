/* Beams as bodies at their nodes and elements between them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "model/made.h"
#include "model/rod.h"

/* ---- nodes ----------------------------------------------------------------------------------- */

static void fill_body(rt_calculator *calculator, const rt_rod *rod, const rt_number *made,
                      rt_body *body)
{
    rt_number arm[3], v[3];
    body->mass = made[RT_ROD_NODE_MASS];
    memcpy(body->inertia, made + RT_ROD_NODE_INERTIA, sizeof body->inertia);
    memcpy(body->position, made + RT_ROD_NODE_POSITION, sizeof body->position);
    memcpy(body->orientation, made + RT_ROD_NODE_AXES, sizeof body->orientation);
    for (int i = 0; i < 3; i++) arm[i] = rt_minus(calculator, body->position[i], rod->about[i]);
    rt_numbers_cross(calculator, v, rod->angular_velocity, arm);
    for (int k = 0; k < 3; k++) {
        body->velocity[k] = rt_plus(calculator, rod->velocity[k], v[k]);
        body->angular_velocity[k] = rod->angular_velocity[k];
    }
    body->velocity_given = body->angular_velocity_given = rod->moves;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *numbered(rt_reader *r, const char *name, const char *letter, int k)
{
    char number[16];
    snprintf(number, sizeof number, "%s%d", letter, k);
    return rt_dotted_name(r, name, number);
}

/* The body's own marker, and one at the node on the axis where the centre of mass is not there, or
 * does not stay there. */
static routh_status add_markers(rt_reader *r, int k, const rt_number *at, int *marker)
{
    routh_model *m = r->model;
    const rt_body *body = &m->bodies[k];
    bool apart = false;
    m->markers[k] = (rt_marker){.name = body->name, .place = body->place, .body = k, .node = -1};
    rt_numbers_identity(m->markers[k].orientation);
    for (int i = 0; i < 3; i++) m->markers[k].position[i] = rt_plain(0);
    *marker = k;
    for (int i = 0; i < 3; i++) apart = apart || at[i].value != 0 || at[i].expr >= 0;
    if (!apart) return ROUTH_OK;
    *marker = m->n_markers++;
    rt_marker *on_axis = &m->markers[*marker];
    *on_axis = m->markers[k];
    on_axis->implicit = on_axis->of_beam = true;
    on_axis->name = rt_dotted_name(r, body->name, "node");
    memcpy(on_axis->position, at, sizeof on_axis->position);
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
    int body, joint, load;
} cursor;

static routh_status rod_expand_make_nodes(rt_reader *r, const rt_rod *rod, const rt_number *made,
                                          int n, const cursor *c, int *markers)
{
    routh_model *m = r->model;
    const char *name = rod->node->key;
    routh_status status = ROUTH_OK;
    for (int k = 0; k < n && !status; k++, made += RT_ROD_NODE_NUMBERS) {
        rt_body *body = &m->bodies[c->body + k];
        fill_body(&r->calculator, rod, made, body);
        body->place = rod->node->key_place;
        body->name = numbered(r, name, "", k + 1);
        if (!body->name) return rt_fail_memory(r->error);
        status = add_markers(r, c->body + k, made + RT_ROD_NODE_MARKER, &markers[k]);
        if (!status)
            status = rt_check_finite(r, body->place, "the inertia of a node", body->inertia, 9);
        rt_names_add(&r->index->points, body->name, markers[k]);
    }
    if (!status) status = name_node(r, name, "first", markers[0]);
    if (!status) status = name_node(r, name, "last", markers[n - 1]);
    return status;
}

/* The numbers and nodes of an element of higher order. */
static routh_status rod_expand_spectral(rt_reader *r, const rt_rod *rod, const rt_number *made,
                                        const int *markers, rt_load *load)
{
    const int n = rod->plan.order + 1;
    load->type = RT_LOAD_SPECTRAL_ROD;
    int *nodes = RT_TAKE(&r->model->arena, int, n);
    if (!nodes) return rt_fail_memory(r->error);
    memcpy(nodes, markers, (size_t)n * sizeof *nodes);
    load->nodes = nodes;
    load->n_nodes = n;
    return rt_spectral_take_load(r, load, made);
}

static routh_status rod_expand_make_element(rt_reader *r, const rt_rod *rod, int k,
                                            const rt_number *made, const int *markers,
                                            const cursor *c)
{
    rt_load *load = &r->model->loads[c->load + k];
    const rt_place place = rod->node->key_place;
    *load = (rt_load){.type = RT_LOAD_ROD, .place = place, .resolved_in = RT_GROUND};
    rt_m3_identity(load->triad);
    load->stiffness = load->damping = load->free_length = load->preload = rt_plain(0);
    for (int f = 0; f < RT_LOAD_FUNCTIONS; f++) load->function[f].expr = RT_NO_EXPR;
    const int order = rod->plan.order;
    load->markers[0] = markers[order * k];
    load->markers[1] = markers[order * (k + 1)];
    for (int i = 0; i < 36; i++) load->stiffness6[i] = load->damping6[i] = rt_plain(0);
    for (int i = 0; i < 6; i++) load->preload6[i] = load->offset6[i] = rt_plain(0);
    for (int i = 0; i < 18; i++) load->ends[i] = rt_plain(0);
    for (int i = 0; i < RT_LOAD_OWN; i++) load->own[i] = rt_plain(0);
    if (order == 1)
        rt_rod_take_load(load, made);
    else if (rod_expand_spectral(r, rod, made, markers + order * k, load))
        return rt_fail_memory(r->error);
    load->name = numbered(r, rod->node->key, "e", k + 1);
    if (!load->name) return rt_fail_memory(r->error);
    rt_names_add(&r->index->loads, load->name, c->load + k);
    return order == 1
               ? rt_check_finite(r, place, "the stiffness of an element", load->stiffness6, 36)
               : rt_check_finite(r, place, "the stiffness of an element", load->list, load->n_list);
}

/* The constraints of element k, which the joint name.c1, name.c2, ... has. */
static routh_status rod_expand_keep(rt_reader *r, const rt_rod *rod, int k, const rt_number *made,
                                    const int *markers, const cursor *c)
{
    rt_joint *joint = &r->model->joints[c->joint + k];
    const char *name = numbered(r, rod->node->key, "c", k + 1);
    if (!name) return rt_fail_memory(r->error);
    const routh_status status =
        rt_rod_keep_strains(r, rod, made, markers + rod->plan.order * k, joint);
    joint->name = name;
    joint->place = rod->node->key_place;
    rt_names_add(&r->index->joints, name, c->joint + k);
    return status;
}

static routh_status fail_element(rt_reader *r, const rt_rod *rod, int problem)
{
    return rt_reader_fail(r, rod->node->key_place,
                          "the stiffness of element %d cannot be found: its sections' numbers "
                          "are too large, too small or too far apart",
                          problem);
}

static routh_status rod_expand_make_numbers(rt_reader *r, const rt_rod *rod, rt_number **made)
{
    const int n = rt_rod_count_elements(&rod->plan);
    rt_rod_plan *plan = RT_TAKE(&r->model->arena, rt_rod_plan, 1);
    if (!plan) return rt_fail_memory(r->error);
    *plan = rod->plan;
    const rt_making making = {.kind = RT_MAKE_ROD,
                              .plan = plan,
                              .n_in = rt_rod_count_numbers(plan),
                              .n_out = rt_rod_element_numbers(plan) * n +
                                       RT_ROD_NODE_NUMBERS * rt_rod_count_nodes(plan),
                              .in = rod->numbers};
    int problem;
    const routh_status status = rt_make_numbers(r, &making, made, &problem);
    return !status && problem ? fail_element(r, rod, problem) : status;
}

static routh_status rod_expand(rt_reader *r, const rt_rod *rod, cursor *c)
{
    const int n = rt_rod_count_elements(&rod->plan), n_nodes = rt_rod_count_nodes(&rod->plan);
    const int each = rt_rod_element_numbers(&rod->plan);
    int *markers = RT_TAKE(&r->scratch, int, n_nodes);
    rt_number *made;
    if (!markers) return rt_fail_memory(r->error);
    rt_reader_enter(r, "beam", rod->node);
    routh_status status = rod_expand_make_numbers(r, rod, &made);
    if (!status) status = rod_expand_make_nodes(r, rod, made + each * n, n_nodes, c, markers);
    for (int k = 0; k < n && !status; k++)
        status = rod_expand_make_element(r, rod, k, made + each * k, markers, c);
    const bool keeps = rt_rod_count_kept(&rod->plan) > 0;
    for (int k = 0; k < n && keeps && !status; k++)
        status = rod_expand_keep(r, rod, k, made + each * k, markers, c);
    c->joint += keeps ? n : 0;
    c->body += n_nodes;
    c->load += n;
    return status;
}

routh_status rt_expand_rods(rt_reader *r, const rt_rod_set *set, int body, int joint, int load)
{
    cursor c = {body, joint, load};
    routh_status status = ROUTH_OK;
    for (int k = 0; k < set->n && !status; k++) status = rod_expand(r, &set->rods[k], &c);
    return status;
}
