/* The reference configuration of bodies that joints place, and where all bodies begin. */
#include "model/placing.h"

#include <stdio.h>
#include <math.h>
#include <string.h>

/* ---- the reference configuration ------------------------------------------------------------- */

static bool is_made(const rt_placing *p, int b)
{
    const int j = p->tree.joint[b];
    return j >= 0 && !p->r->places[b].placed && p->r->places[b].node && !p->joint_at[j];
}

static bool same_frame(const rt_place_frame *f, const rt_body *body)
{
    bool same = true;
    for (int k = 0; k < 3; k++) same = same && f->r[k].value == body->position[k].value;
    for (int k = 0; k < 9; k++) same = same && f->A[k].value == body->orientation[k].value;
    return same;
}

/* A point of the world on it was taken into its axes before these were known. */
static routh_status check_world_point(rt_placing *p, int b)
{
    rt_reader *r = p->r;
    const rt_body *body = &r->model->bodies[b];
    const rt_body_place *place = &r->places[b];
    const bool waits = place->waits;
    if (!place->world || same_frame(&p->reference[b], body)) return ROUTH_OK;
    snprintf(r->element, sizeof r->element, "%s", place->world);
    return rt_reader_fail(r, place->world_place,
                          "a point of the world is given on body '%.60s', whose position is not "
                          "written: %s '%.60s' places it; give the body a position, or a marker "
                          "with a position in its axes here",
                          body->name, waits ? "body" : "joint",
                          waits ? r->model->bodies[place->on].name : rt_place_carrier(p, b)->name);
}

static routh_status keep_reference(rt_placing *p, int b)
{
    rt_reader *r = p->r;
    rt_body *body = &r->model->bodies[b];
    const routh_status status = check_world_point(p, b);
    if (status) return status;
    memcpy(body->position, p->reference[b].r, sizeof body->position);
    memcpy(body->orientation, p->reference[b].A, sizeof body->orientation);
    rt_reader_enter(r, "body", r->places[b].node);
    return rt_check_finite(r, body->place, "its position in the world", body->position, 3);
}

static routh_status make_reference(rt_placing *p, int b)
{
    const rt_joint *joint = rt_place_carrier(p, b);
    rt_chain_value q[RT_JOINT_COORDINATES];
    rt_place_frame T, parent;
    rt_place_zero(q);
    rt_place_frame_of(p->reference, p->tree.parent[b], &parent);
    rt_chain_pose(p->c, joint, q, rt_place_pitch(p, joint), rt_no_half_turn, &T);
    rt_place_carried(p, b, joint, &parent, &T, &p->reference[b]);
    return keep_reference(p, b);
}

static void written_reference(const rt_placing *p, int b)
{
    const rt_body *body = &p->r->model->bodies[b];
    rt_place_frame *f = &p->reference[b];
    rt_place_ground(f);
    rt_place_numbers(p, f->r, body->position, 3);
    rt_place_numbers(p, f->A, body->orientation, 9);
}

static routh_status find_reference(rt_placing *p, int b)
{
    const rt_body_place *place = &p->r->places[b];
    if (p->made[b]) return make_reference(p, b);
    if (!place->waits) {
        written_reference(p, b);
        return ROUTH_OK;
    }
    rt_place_waiting(p->r, b, &p->reference[place->on], &p->reference[b]);
    return keep_reference(p, b);
}

/* The body whose reference that of b follows from; ground: from none. */
static int reference_follows(const rt_placing *p, int b)
{
    if (p->made[b]) return p->tree.parent[b];
    return p->r->places[b].waits ? p->r->places[b].on : RT_GROUND;
}

static routh_status refuse_circle(rt_placing *p, int b)
{
    const routh_model *m = p->r->model;
    while (!p->r->places[b].waits) b = reference_follows(p, b);
    int carrier = p->r->places[b].on;
    while (!p->made[carrier]) carrier = reference_follows(p, carrier);
    rt_reader_enter(p->r, "body", p->r->places[b].node);
    return rt_reader_fail(p->r, p->r->places[b].relative_word.place,
                          "relative_to leads in a circle: its position follows from that of "
                          "'%.60s', and joint '%.60s' places '%.60s' by its own; place one of them "
                          "in the world",
                          p->r->places[b].relative_word.text, rt_place_carrier(p, carrier)->name,
                          m->bodies[carrier].name);
}

/* Of all bodies, each after the one that it follows from. */
static routh_status find_references(rt_placing *p)
{
    enum { WAITS, LOOKED_AT, FOUND };
    const int n = p->r->model->n_bodies;
    char *progress = RT_TAKE(&p->r->scratch, char, n);
    int *chain = RT_TAKE(&p->r->scratch, int, n);
    routh_status status = progress && chain ? ROUTH_OK : rt_fail_memory(p->r->error);
    for (int k = 0; k < n && !status; k++) p->made[k] = is_made(p, k);
    for (int k = 0; k < n && !status; k++) {
        int depth = 0;
        for (int b = p->tree.order[k]; b >= 0 && progress[b] != FOUND && !status;) {
            if (progress[b] == LOOKED_AT) return refuse_circle(p, b);
            progress[b] = LOOKED_AT;
            chain[depth++] = b;
            b = reference_follows(p, b);
        }
        while (depth > 0 && !status) {
            progress[chain[--depth]] = FOUND;
            status = find_reference(p, chain[depth]);
        }
    }
    return status;
}

/* What is moved is carried by nothing else: joints with coordinates would say where it is, too. */
static routh_status check_moved(rt_placing *p)
{
    rt_reader *r = p->r;
    for (int b = 0; b < r->model->n_bodies; b++) {
        const rt_body_place *place = &r->places[b];
        if (!place->moves || p->tree.joint[b] == RT_CARRIED_BY_NOTHING) continue;
        int carried = b;
        while (p->tree.parent[carried] >= 0 &&
               !(rt_place_carrier(p, carried) && rt_place_carrier(p, carried)->start))
            carried = p->tree.parent[carried];
        const rt_joint *joint = rt_place_carrier(p, carried);
        rt_reader_enter(r, "body", place->node);
        return rt_reader_fail(r, rt_yaml_find(place->node, "moved")->key_place,
                              "moved is given, but joint '%.60s', whose coordinate or rate is "
                              "written, already says where the body begins; leave out moved, or "
                              "what the joint has",
                              joint ? joint->name : "");
    }
    return ROUTH_OK;
}

static double size_of_all(const rt_placing *p)
{
    const routh_model *m = p->r->model;
    double size = 0;
    for (int b = 0; b < m->n_bodies; b++)
        for (int k = 0; k < 3; k++) size = fmax(size, fabs(p->reference[b].r[k].value));
    for (int k = 0; k < m->n_markers; k++)
        for (int i = 0; i < 3; i++) size = fmax(size, fabs(m->markers[k].position[i].value));
    return size > 0 ? size : 1;
}

routh_status rt_place_reference(rt_reader *r, const bool *at)
{
    const int n = r->model->n_bodies;
    if (!r->places_bodies) return ROUTH_OK;
    rt_placing *p = r->placing = RT_TAKE(&r->scratch, rt_placing, 1);
    if (!p) return rt_fail_memory(r->error);
    *p = (rt_placing){.r = r, .c = &r->calculator, .joint_at = at, .part = 1};
    p->reference = RT_TAKE(&r->scratch, rt_place_frame, n);
    p->start = RT_TAKE(&r->scratch, rt_place_frame, n);
    p->made = RT_TAKE(&r->scratch, bool, n);
    p->moved = RT_TAKE(&r->scratch, bool, n);
    p->rated = RT_TAKE(&r->scratch, bool, n);
    p->known = RT_TAKE(&r->scratch, bool, n);
    p->held = RT_TAKE(&r->scratch, bool, n);
    p->place_held = RT_TAKE(&r->scratch, bool, n);
    p->against = RT_TAKE(&r->scratch, bool, n);
    if (!p->reference || !p->start || !p->made || !p->moved || !p->rated || !p->known || !p->held ||
        !p->place_held || !p->against)
        return rt_fail_memory(r->error);
    routh_status status = rt_place_tree_make(&p->tree, r, at);
    if (!status) status = check_moved(p);
    if (!status) status = find_references(p);
    p->size = size_of_all(p);
    return status ? status : rt_place_list_columns(p);
}

/* ---- where bodies begin ---------------------------------------------------------------------- */

/* At rest in the parent's frame: moved with it from the reference. */
static void carry_along(const rt_placing *p, int b, rt_place_frame *f)
{
    const int parent = p->tree.parent[b];
    rt_place_frame was, is, T;
    rt_place_frame_of(p->reference, parent, &was);
    rt_place_frame_of(p->start, parent, &is);
    rt_frame_invert(p->c, &T, &was);
    rt_frame_join(p->c, &T, &T, &p->reference[b]);
    rt_frame_join(p->c, f, &is, &T);
}

/* r = a + R (r_0 - a) + d,  A = R A_0 */
static void move_itself(const rt_placing *p, const rt_body_place *place, rt_place_frame *f)
{
    rt_number arm[3], moved[3], A[9], turn[9], about[3];
    rt_place_part_of_turn(p, place->turn, turn);
    rt_place_numbers(p, about, place->about, 3);
    for (int k = 0; k < 3; k++) arm[k] = rt_minus(p->c, f->r[k], about[k]);
    rt_numbers_times(p->c, moved, turn, arm);
    for (int k = 0; k < 3; k++) {
        const rt_number by = rt_place_number(p, place->displacement[k]);
        f->r[k] =
            rt_plus(p->c, rt_plus(p->c, about[k], moved[k]), rt_times(p->c, rt_plain(p->part), by));
    }
    rt_numbers_matrix(p->c, A, turn, f->A);
    memcpy(f->A, A, sizeof A);
}

/* Joints with all coordinates alone, or the frames of markers, carry it from the ground. */
static bool holds_place(const rt_placing *p, int b)
{
    const int parent = p->tree.parent[b];
    const rt_joint *joint = rt_place_carrier(p, b);
    bool all = joint || p->tree.joint[b] == RT_CARRIED_ALONG;
    for (int k = 0; joint && k < joint->class->chain.n; k++)
        all = all && joint->start && joint->start->value_given[k];
    return all && (parent < 0 || p->place_held[parent]);
}

static routh_status begin_body(rt_placing *p, int b)
{
    const int parent = p->tree.parent[b];
    const rt_joint *joint = rt_place_carrier(p, b);
    const rt_body_place *place = &p->r->places[b];
    rt_place_frame T, carrier, *f = &p->start[b];
    const bool pushed = parent >= 0 && (p->moved[parent] || p->rated[parent]);
    routh_status status = ROUTH_OK;
    *f = p->reference[b];
    p->moved[b] = parent >= 0 && p->moved[parent] && p->tree.joint[b] != RT_CARRIED_BY_NOTHING;
    if (joint && (joint->start || rt_place_closes(p, b))) {
        rt_place_frame_of(p->start, parent, &carrier);
        status = rt_place_joint_pose(p, b, joint, &T);
        rt_place_carried(p, b, joint, &carrier, &T, f);
        p->moved[b] = true;
    } else if (p->tree.joint[b] != RT_CARRIED_BY_NOTHING && pushed) {
        carry_along(p, b, f);
    } else if (place->moves) {
        move_itself(p, place, f);
        p->moved[b] = true;
    } else if (rt_place_closes(p, b)) {
        rt_place_free(p, b, f);
        p->moved[b] = true;
    }
    if (status || p->plain) return status;
    p->place_held[b] = holds_place(p, b);
    if (p->moved[b] && !place->node) {
        rt_reader_element(p->r, "body", p->r->model->bodies[b].name);
        return rt_reader_fail(p->r, p->r->model->bodies[b].place,
                              "a node of a beam is carried by a joint whose coordinates, or those "
                              "of another before it, are written; a beam is not moved so: write "
                              "it, and what it is joined to, where it begins");
    }
    return rt_place_velocity(p, b, f);
}

routh_status rt_place_all(rt_placing *p)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < p->r->model->n_bodies && !status; k++)
        status = begin_body(p, p->tree.order[k]);
    return status;
}

/* ---- into the model -------------------------------------------------------------------------- */

static routh_status put_start(rt_placing *p, int b)
{
    rt_body *body = &p->r->model->bodies[b];
    const rt_place_frame *f = &p->start[b];
    if (p->moved[b]) {
        rt_number *reference = RT_TAKE(&p->r->model->arena, rt_number, 12);
        if (!reference) return rt_fail_memory(p->r->error);
        memcpy(reference, body->position, sizeof body->position);
        memcpy(reference + 3, body->orientation, sizeof body->orientation);
        body->reference = reference;
        memcpy(body->position, f->r, sizeof body->position);
        memcpy(body->orientation, f->A, sizeof body->orientation);
    }
    body->place_held = p->place_held[b];
    if (p->rated[b]) {
        memcpy(body->velocity, f->v, sizeof body->velocity);
        memcpy(body->angular_velocity, f->w, sizeof body->angular_velocity);
        body->velocity_given = body->velocity_given || p->held[b];
        body->angular_velocity_given = body->angular_velocity_given || p->held[b];
    }
    rt_reader_element(p->r, "body", body->name);
    const routh_status status =
        rt_check_finite(p->r, body->place, "where it begins", body->position, 3);
    return status ? status : rt_check_finite(p->r, body->place, "its velocity", body->velocity, 3);
}

routh_status rt_place_put(rt_placing *p)
{
    routh_status status = ROUTH_OK;
    for (int b = 0; b < p->r->model->n_bodies && !status; b++) status = put_start(p, b);
    return status;
}

routh_status rt_place_start(rt_reader *r)
{
    rt_placing *p = r->placing;
    if (!p) return ROUTH_OK;
    p->unchecked = true;
    routh_status status = rt_place_all(p);
    for (int k = 0; k < p->tree.n_closing && !status; k++)
        status = rt_place_check_closing(p, p->tree.closing[k]);
    if (!status) status = rt_count_start_turns(p);
    if (!status) status = rt_place_close(p);
    p->unchecked = false;
    if (!status) status = rt_place_all(p);
    return status ? status : rt_place_put(p);
}
