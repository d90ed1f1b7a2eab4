/* Velocities with which bodies begin. */
#include "model/placing.h"

#include <math.h>
#include <string.h>

static bool has_rate(const rt_joint *joint)
{
    bool any = false;
    for (int k = 0; joint && joint->start && k < joint->class->chain.n; k++)
        any = any || joint->start->rate_given[k];
    return any;
}

/* Of those that close loops. */
static bool has_found_rate(const rt_placing *p, int b)
{
    const rt_place_loops *l = &p->loops;
    for (int c = l->first[b]; c < l->first[b + 1] && l->rate; c++)
        if (l->column[c].rate_open && (l->rate[c].value != 0 || l->rate[c].expr >= 0)) return true;
    return false;
}

static bool has_all_rates(const rt_joint *joint)
{
    bool all = true;
    for (int k = 0; k < joint->class->chain.n; k++)
        all = all && joint->start && joint->start->rate_given[k];
    return all;
}

/* v += w x (r - c), of a point that moves so. */
static void add_rotation(rt_calculator *c, const rt_number w[3], const rt_number arm[3],
                         rt_number v[3])
{
    rt_number by[3];
    rt_numbers_cross(c, by, w, arm);
    for (int k = 0; k < 3; k++) v[k] = rt_plus(c, v[k], by[k]);
}

/* v of the part's frame where the body is, and its w; zero where it does not rotate. */
static void part_velocity(const rt_placing *p, int b, const rt_place_frame *f, rt_number v[3],
                          rt_number w[3])
{
    const rt_yaml *node = p->r->places[b].node;
    const rt_number *turning = node && node->scope ? node->scope->spin : NULL;
    for (int k = 0; k < 3; k++) {
        v[k] = turning ? turning[k] : rt_plain(0);
        w[k] = turning ? turning[3 + k] : rt_plain(0);
    }
    if (turning) add_rotation(p->c, w, f->r, v);
}

static bool in_rotating_part(const rt_placing *p, int b)
{
    const rt_yaml *node = p->r->places[b].node;
    return node && node->scope && node->scope->spin;
}

bool rt_place_has_own_velocity(const rt_placing *p, int b)
{
    const rt_body *body = &p->r->model->bodies[b];
    const bool written =
        body->velocity_given || body->angular_velocity_given || p->r->places[b].spins;
    const bool relative = p->r->places[b].relative_to != RT_NOT_RELATIVE;
    if (has_rate(rt_place_carrier(p, b))) return false;
    return relative ? written && p->tree.joint[b] >= 0 : written || in_rotating_part(p, b);
}

/* What the body says of its own velocity, over what it has in f by what carries it; false:
 * nothing. */
static bool own_velocity(const rt_placing *p, int b, rt_place_frame *f)
{
    const rt_body *body = &p->r->model->bodies[b];
    const rt_body_place *place = &p->r->places[b];
    const bool of_part = in_rotating_part(p, b);
    rt_number arm[3], v[3], w[3];
    if (!body->velocity_given && !body->angular_velocity_given && !place->spins && !of_part)
        return false;
    part_velocity(p, b, f, v, w);
    for (int k = 0; k < 3; k++) arm[k] = rt_minus(p->c, f->r[k], place->center[k]);
    if (place->spins && place->has_center) add_rotation(p->c, place->rate, arm, v);
    const bool moves = body->velocity_given || of_part || (place->spins && place->has_center);
    const bool turns = body->angular_velocity_given || of_part || place->spins;
    for (int k = 0; k < 3; k++) {
        if (moves) f->v[k] = rt_plus(p->c, v[k], body->velocity[k]);
        if (turns)
            f->w[k] =
                rt_plus(p->c, w[k], place->spins ? place->rate[k] : body->angular_velocity[k]);
    }
    return true;
}

/* The same of a body placed in a marker's frame: relative to that frame, which moves. */
static void velocity_in_frame(const rt_placing *p, int b, rt_place_frame *f)
{
    const rt_body *body = &p->r->model->bodies[b];
    const rt_body_place *place = &p->r->places[b];
    const int on = rt_body_of_marker(p->r->model, place->relative_to);
    rt_place_frame carrier, marker, own, back, rest;
    rt_number position[3], axes[9], arm[3];
    rt_place_ground(&marker);
    if (place->relative_to >= 0 && on < 0) {
        rt_marker_in_world(p->r, place->relative_to, marker.r, marker.A);
    } else if (place->relative_to >= 0) {
        rt_marker_in_body(p->r, place->relative_to, position, axes);
        rt_place_frame_of(p->start, on, &carrier);
        memcpy(marker.r, position, sizeof position);
        memcpy(marker.A, axes, sizeof axes);
        rt_frame_join(p->c, &marker, &carrier, &marker);
    }
    rest = *f;
    memcpy(rest.v, marker.v, sizeof rest.v);
    memcpy(rest.w, marker.w, sizeof rest.w);
    for (int k = 0; k < 3; k++) arm[k] = rt_minus(p->c, f->r[k], marker.r[k]);
    add_rotation(p->c, marker.w, arm, rest.v); /* at rest in the marker's frame */
    rt_frame_invert(p->c, &back, &marker);
    rt_frame_join(p->c, &own, &back, &rest);
    memcpy(own.v, body->velocity, sizeof own.v);
    memcpy(own.w, body->angular_velocity, sizeof own.w);
    if (place->spins) {
        for (int k = 0; k < 3; k++)
            arm[k] = place->has_center ? rt_minus(p->c, own.r[k], place->center[k]) : rt_plain(0);
        memcpy(own.w, place->rate, sizeof own.w);
        add_rotation(p->c, place->rate, arm, own.v);
    }
    rt_frame_join(p->c, f, &marker, &own);
}

static routh_status check_velocity(const rt_placing *p, int b, const rt_place_frame *f)
{
    const rt_body *body = &p->r->model->bodies[b];
    const double size = p->size;
    double speed = 0, apart = 0;
    rt_place_frame own = *f;
    if (!body->velocity_given && !body->angular_velocity_given && !p->r->places[b].spins)
        return ROUTH_OK;
    if (p->r->places[b].relative_to != RT_NOT_RELATIVE)
        velocity_in_frame(p, b, &own);
    else
        own_velocity(p, b, &own);
    const bool both = p->r->places[b].spins;
    for (int k = 0; k < 3; k++) {
        const double v = f->v[k].value, w = f->w[k].value * size;
        speed = fmax(speed, fmax(fabs(v), fabs(w)));
        if (both || body->velocity_given) apart = fmax(apart, fabs(own.v[k].value - v));
        if (both || body->angular_velocity_given)
            apart = fmax(apart, fabs(own.w[k].value * size - w));
    }
    if (p->unchecked && !p->loops.rate) p->against[b] = apart > RT_WRITTEN_ALIKE * speed;
    if (apart <= RT_WRITTEN_ALIKE * speed || !p->against[b] || p->unchecked) return ROUTH_OK;
    rt_reader_enter(p->r, "body", p->r->places[b].node);
    return rt_reader_fail(p->r, body->place,
                          "its velocity is written, and is another one, by %.3g m/s, than the "
                          "rates of joint '%.60s' give it; leave out one of them",
                          apart, rt_place_carrier(p, b)->name);
}

static bool is_relative(const rt_placing *p, int b)
{
    return p->r->places[b].relative_to != RT_NOT_RELATIVE;
}

/* A body in the frame of a marker that something else carries. */
static routh_status check_relative(const rt_placing *p, int b)
{
    const rt_body *body = &p->r->model->bodies[b];
    const int on = rt_body_of_marker(p->r->model, p->r->places[b].relative_to);
    if (on < 0 || (p->tree.joint[b] == RT_CARRIED_ALONG && p->tree.parent[b] == on) ||
        (!body->velocity_given && !body->angular_velocity_given && !p->r->places[b].spins))
        return ROUTH_OK;
    rt_reader_enter(p->r, "body", p->r->places[b].node);
    return rt_reader_fail(p->r, body->place,
                          "its velocity is relative to '%.60s', which does not carry it: joints "
                          "with coordinates do; write the rates of these joints instead",
                          p->r->places[b].relative_word.text);
}

/* Velocities of body b, its place known; f has those that what carries it gives it. */
routh_status rt_place_velocity(rt_placing *p, int b, rt_place_frame *f)
{
    const int parent = p->tree.parent[b];
    const rt_joint *joint = rt_place_carrier(p, b);
    const bool carried = joint || p->tree.joint[b] == RT_CARRIED_ALONG;
    const bool firm = carried && (!joint || has_all_rates(joint));
    p->rated[b] = (carried && parent >= 0 && p->rated[parent]) || has_found_rate(p, b);
    p->known[b] = p->held[b] = firm && (parent < 0 || p->known[parent]);
    if (has_rate(joint)) {
        p->rated[b] = true;
        return check_velocity(p, b, f);
    }
    const routh_status status = is_relative(p, b) ? check_relative(p, b) : ROUTH_OK;
    if (status) return status;
    if (is_relative(p, b) && p->tree.joint[b] < 0) {
        velocity_in_frame(p, b, f);
        p->rated[b] = true;
        p->held[b] = p->held[b] || p->r->places[b].spins;
    } else if (own_velocity(p, b, f)) {
        p->rated[b] = p->known[b] = true;
        p->held[b] = p->held[b] || p->r->places[b].spins || in_rotating_part(p, b);
    }
    p->held[b] = p->held[b] && p->rated[b];
    return ROUTH_OK;
}
