/* Which bodies are the blades', and what the rotor turns about. Blades that are alike stand around
 * the axis as a turn by 2 pi/N brings one to the next; so the centres of all their bodies give the
 * axis, whether the rotor turns or not, and each body of a blade is where the turn brings one of
 * the blade before. */
#include <stdio.h>
#include <stdlib.h>

#include "base/pi.h"
#include "base/rotation.h"
#include "linear/rotor.h"

static const double SAME = 1e-6; /* of lengths over the typical one, and of radians */

/* ---- whose a body is ------------------------------------------------------------------------- */

static int rotor_blade_of(const rt_rotor *r, const char *name)
{
    for (int k = 0; k < r->n_blades; k++)
        if (rt_multiblade_rest(name, r->blades[k])) return k;
    return -1;
}

static routh_status rotor_count(rt_rotor *r, routh_error *error)
{
    const rt_body *bodies = r->m->model->bodies;
    for (int k = 0; k < r->n_blades; k++) {
        int n = 0;
        for (int b = 0; b < r->m->n_bodies; b++)
            n += rt_multiblade_rest(bodies[b].name, r->blades[k]) != NULL;
        if (n == 0)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "no body is called %s, or %s and a dot or an underscore after it; name "
                           "the blades as the model does (--blades NAME,NAME,..)",
                           r->blades[k], r->blades[k]);
        if (k == 0) r->n_each = n;
        if (n != r->n_each)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "the blades %s and %s have %d and %d bodies; multi-blade coordinates "
                           "need blades that are alike",
                           r->blades[0], r->blades[k], r->n_each, n);
    }
    return ROUTH_OK;
}

static routh_status rotor_take(rt_rotor *r, routh_error *error)
{
    const size_t n = (size_t)r->n_blades * (size_t)r->n_each;
    r->body = RT_TAKE(&r->arena, int, n);
    r->of = RT_TAKE(&r->arena, rt_rotor_body, r->m->n_bodies);
    r->state = RT_TAKE(&r->arena, int, r->n_blades *(r->m->model->n_control_states + 1));
    if (!r->body || !r->of || !r->state) return rt_fail_memory(error);
    for (int b = 0; b < r->m->n_bodies; b++) r->of[b].blade = -1;
    return ROUTH_OK;
}

/* ---- the axis -------------------------------------------------------------------------------- */

static const double *rotor_centre_of(const routh_body_state *b)
{
    return b->n_elastic ? b->centre : b->position;
}

/* Middle of the bodies of each blade, from the middle of all. */
static void rotor_middles(rt_rotor *r, const routh_operating_point *p, double (*middle)[3])
{
    rt_v3_set(r->centre, 0, 0, 0);
    for (int k = 0; k < r->n_blades; k++) {
        rt_v3_set(middle[k], 0, 0, 0);
        for (int b = 0; b < p->n_bodies; b++)
            if (rt_multiblade_rest(p->bodies[b].name, r->blades[k]))
                rt_v3_add_scaled(middle[k], 1.0 / r->n_each, rotor_centre_of(&p->bodies[b]));
        rt_v3_add_scaled(r->centre, 1.0 / r->n_blades, middle[k]);
    }
    for (int k = 0; k < r->n_blades; k++) rt_v3_sub(middle[k], middle[k], r->centre);
}

/* The blades by their angle about an axis across the plane of two of them. */
static routh_status rotor_refuse_order(const rt_rotor *r, double (*middle)[3], routh_error *error)
{
    double normal[3] = {0}, largest = 0, across[3], tangent[3];
    for (int i = 0; i < r->n_blades; i++)
        for (int j = 0; j < i; j++) {
            rt_v3_cross(across, middle[j], middle[i]);
            if (rt_v3_norm(across) > largest * (1 + SAME))
                largest = rt_v3_norm(across), rt_v3_scale(normal, 1 / largest, across);
        }
    rt_v3_cross(tangent, normal, middle[0]);
    char order[160] = "";
    double last = -1;
    int length = 0;
    for (int k = 0; k < r->n_blades; k++) {
        double next = 7;
        int which = 0;
        for (int i = 0; i < r->n_blades; i++) {
            double angle = atan2(rt_v3_dot(tangent, middle[i]), rt_v3_dot(middle[0], middle[i]));
            if (angle < -1e-9) angle += RT_TWO_PI;
            if (i == 0) angle = 0;
            if (angle > last && angle < next) next = angle, which = i;
        }
        last = next;
        if (length < (int)sizeof order - 1)
            length += snprintf(order + length, sizeof order - (size_t)length, "%s%.40s",
                               k ? "," : "", r->blades[which]);
    }
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "the blades do not follow one another around an axis at equal angles of %g deg; "
                   "around the rotor they come as %s",
                   360.0 / r->n_blades, order);
}

/* Radial, tangential and axial, from what is nearly radial. */
static void rotor_set_triad(rt_rotor *r)
{
    rt_v3_copy(r->triad + 6, r->axis);
    rt_v3_add_scaled(r->triad, -rt_v3_dot(r->axis, r->triad), r->axis);
    rt_v3_scale(r->triad, 1 / rt_v3_norm(r->triad), r->triad);
    rt_v3_cross(r->triad + 3, r->axis, r->triad);
}

static routh_status rotor_find_axis(rt_rotor *r, const routh_operating_point *p, routh_error *error)
{
    const int N = r->n_blades;
    double(*middle)[3] = rt_arena_take(&r->arena, (size_t)N, sizeof *middle);
    double across[3], R[9], turn[3], moved[3];
    if (!middle) return rt_fail_memory(error);
    rotor_middles(r, p, middle);
    for (int k = 0; k < N; k++) {
        rt_v3_cross(across, middle[k], middle[(k + 1) % N]);
        rt_v3_add(r->axis, r->axis, across);
    }
    const double radius = rt_v3_norm(middle[0]), size = rt_v3_norm(r->axis);
    if (!(radius > SAME * r->m->length))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the bodies of the blades have their centres in one point, so they show no "
                       "axis of rotation; name the bodies that are the blades");
    if (!(size > SAME * radius * radius)) return rotor_refuse_order(r, middle, error);
    rt_v3_scale(r->axis, 1 / size, r->axis);
    rt_v3_scale(turn, RT_TWO_PI / N, r->axis);
    rt_rotation_exp(R, turn);
    for (int k = 0; k < N; k++) {
        rt_m3_mul_v(moved, R, middle[k]);
        rt_v3_sub(moved, moved, middle[(k + 1) % N]);
        if (!(rt_v3_norm(moved) <= 1e-3 * radius)) return rotor_refuse_order(r, middle, error);
    }
    rt_v3_copy(r->triad, middle[0]);
    rotor_set_triad(r);
    return ROUTH_OK;
}

/* ---- bodies that are alike ------------------------------------------------------------------- */

/* How far body b is from where a turn by the angle of the blade brings body a. */
static void rotor_distance(const rt_rotor *r, const routh_operating_point *p, int a, int b,
                           const double R[9], double *moved, double *turned)
{
    double from[3], A[9], sum = 0;
    rt_v3_sub(from, p->bodies[a].position, r->centre);
    rt_m3_mul_v(from, R, from);
    rt_v3_add(from, from, r->centre);
    rt_v3_sub(from, from, p->bodies[b].position);
    *moved = rt_v3_norm(from) / r->m->length;
    rt_m3_mul(A, R, p->bodies[a].orientation);
    for (int i = 0; i < 9; i++) sum += pow(A[i] - p->bodies[b].orientation[i], 2);
    *turned = sqrt(sum / 2);
}

static routh_status rotor_compare(const rt_rotor *r, int a, int b, double turned,
                                  routh_error *error)
{
    const rt_body *x = &r->m->model->bodies[a], *y = &r->m->model->bodies[b];
    const double mass = r->m->bodies[a].mass, other = r->m->bodies[b].mass;
    if (!x->flexible != !y->flexible || (x->flexible && x->flexible->n != y->flexible->n))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the bodies %s and %s of two blades are not alike: they have different "
                       "elastic coordinates",
                       x->name, y->name);
    if (fabs(mass - other) > 1e-9 * fabs(mass))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the bodies %s and %s of two blades are not alike: their masses are %g and "
                       "%g kg; use routh floquet, which needs no equal blades",
                       x->name, y->name, mass, other);
    if (x->flexible && !(turned <= 1e-3))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the flexible bodies %s and %s of two blades are not rotated against "
                       "one another as the blades are, but by %.3g rad more; give them such frames",
                       x->name, y->name, turned);
    return ROUTH_OK;
}

/* Body `place` of the first blade on blade k: the nearest to where the turn brings it; of several
 * in one place that of the same name. */
static routh_status rotor_match(rt_rotor *r, const routh_operating_point *p, int k, int place,
                                const double R[9], routh_error *error)
{
    const rt_body *bodies = r->m->model->bodies;
    const int a = r->body[place];
    const char *name = rt_multiblade_rest(bodies[a].name, r->blades[0]);
    double nearest = INFINITY, moved, turned, best_moved = 0, best_turned = 0;
    int found = -1;
    for (int b = 0; b < r->m->n_bodies; b++) {
        const char *rest = rt_multiblade_rest(bodies[b].name, r->blades[k]);
        if (!rest || r->of[b].blade >= 0) continue;
        rotor_distance(r, p, a, b, R, &moved, &turned);
        const double d = moved + (strcmp(rest, name) == 0 ? 0 : SAME);
        if (d < nearest) nearest = d, found = b, best_moved = moved, best_turned = turned;
    }
    if (!(best_moved <= 1e-3))
        return rt_fail(
            error, ROUTH_BAD_ARGUMENT,
            "the blades %s and %s are not alike: a rotation by %g deg about the axis of the "
            "rotor brings %s to no body of %s, but %.3g m beside %s",
            r->blades[0], r->blades[k], 360.0 * k / r->n_blades, bodies[a].name, r->blades[k],
            best_moved * r->m->length, bodies[found].name);
    r->body[k * r->n_each + place] = found;
    r->of[found] = (rt_rotor_body){.part = RT_ROTOR_BLADE, .blade = k, .place = place};
    return rotor_compare(r, a, found, best_turned, error);
}

static routh_status rotor_match_bodies(rt_rotor *r, const routh_operating_point *p,
                                       routh_error *error)
{
    double R[9], turn[3];
    int n = 0;
    for (int b = 0; b < r->m->n_bodies; b++)
        if (rt_multiblade_rest(p->bodies[b].name, r->blades[0])) {
            r->of[b] = (rt_rotor_body){.part = RT_ROTOR_BLADE, .blade = 0, .place = n};
            r->body[n++] = b;
        }
    for (int k = 1; k < r->n_blades; k++) {
        rt_v3_scale(turn, RT_TWO_PI * k / r->n_blades, r->axis);
        rt_rotation_exp(R, turn);
        for (int i = 0; i < r->n_each; i++) {
            const routh_status status = rotor_match(r, p, k, i, R, error);
            if (status) return status;
        }
    }
    return ROUTH_OK;
}

/* States of controllers under the blades' names. */
static routh_status rotor_match_states(rt_rotor *r, routh_error *error)
{
    const routh_model *model = r->m->model;
    const int n_x = model->n_control_states;
    int n = 0;
    for (int k = 0; k < n_x; k++) n += rotor_blade_of(r, model->control_states[k].name) == 0;
    r->n_states_each = n;
    n = 0;
    for (int k = 0; k < n_x; k++)
        if (rotor_blade_of(r, model->control_states[k].name) == 0) r->state[n++] = k;
    for (int b = 1; b < r->n_blades; b++)
        for (int i = 0; i < r->n_states_each; i++) {
            const char *rest =
                rt_multiblade_rest(model->control_states[r->state[i]].name, r->blades[0]);
            int found = -1;
            for (int k = 0; k < n_x; k++) {
                const char *own = rt_multiblade_rest(model->control_states[k].name, r->blades[b]);
                if (own && strcmp(own, rest) == 0) found = k;
            }
            r->state[b * n + i] = found;
            if (found < 0)
                return rt_fail(error, ROUTH_BAD_ARGUMENT,
                               "%s has a state %s, but %s has none of that name; multi-blade "
                               "coordinates need blades that are alike",
                               r->blades[0], model->control_states[r->state[i]].name, r->blades[b]);
        }
    return ROUTH_OK;
}

/* ---- the speed ------------------------------------------------------------------------------- */

/* Of the bodies that are no blade's and share a joint with one, the fastest about the axis, the
 * first of several; -1: none. A support that carries blades without a hub is none: they turn, and
 * it does not. */
static int rotor_hub(const rt_rotor *r, const routh_operating_point *p)
{
    const routh_mechanism *m = r->m;
    double fastest = -1;
    int hub = -1;
    for (int c = 0; c < m->n_constraints; c++) {
        const rt_block *block = &m->constraints[c].block;
        int blade = -1, other = -1;
        for (int f = 0; f < block->n_frames; f++) {
            const int body = m->marker_body[block->frames[f]];
            if (body >= 0) *(r->of[body].part == RT_ROTOR_BLADE ? &blade : &other) = body;
        }
        if (blade < 0 || other < 0) continue;
        const double rate = fabs(rt_v3_dot(r->axis, p->bodies[other].angular_velocity));
        if (rate < 0.5 * fabs(rt_v3_dot(r->axis, p->bodies[blade].angular_velocity))) continue;
        if (rate > fastest * (1 + SAME)) fastest = rate, hub = other;
    }
    return hub;
}

/* The axis in place of that which the blades show: they may be deflected differently while their
 * balance is sought. */
static void rotor_set_axis(rt_rotor *r, const double axis[3], const double centre[3])
{
    double away[3];
    rt_v3_sub(away, r->centre, centre);
    rt_v3_copy(r->axis, axis);
    rt_v3_scale(r->centre, rt_v3_dot(axis, away), axis);
    rt_v3_add(r->centre, r->centre, centre);
    rotor_set_triad(r);
}

/* The axis that the hub turns about. */
static void rotor_follow_hub(rt_rotor *r, const routh_body_state *hub)
{
    const double *w = hub->angular_velocity, rate = rt_v3_norm(w);
    double axis[3], c[3];
    rt_v3_scale(axis, (r->speed > 0 ? 1 : -1) / rate, w);
    r->speed = r->speed > 0 ? rate : -rate;
    rt_v3_cross(c, w, hub->velocity);
    rt_v3_scale(c, 1 / (rate * rate), c);
    rt_v3_add(c, c, hub->position);
    rotor_set_axis(r, axis, c);
}

/* That of the hub, else the mean of the blades, which may also move against it. */
static void rotor_find_speed(rt_rotor *r, const routh_operating_point *p)
{
    double sum = 0;
    const int n = r->n_blades * r->n_each;
    for (int i = 0; i < n; i++)
        sum += rt_v3_dot(r->axis, p->bodies[r->body[i]].angular_velocity) / n;
    r->hub = rotor_hub(r, p);
    r->speed = r->hub < 0 ? sum : rt_v3_dot(r->axis, p->bodies[r->hub].angular_velocity);
    if (fabs(r->speed) < 1e-9) r->speed = 0;
    if (r->hub >= 0 && r->speed != 0) rotor_follow_hub(r, &p->bodies[r->hub]);
}

static void rotor_take_kept(rt_rotor *r, const routh_operating_point *p, const rt_rotor_kept *kept)
{
    r->hub = kept->hub;
    r->speed = kept->speed;
    r->frames = kept->frames;
    if (r->hub < 0) return;
    const routh_body_state *hub = &p->bodies[r->hub];
    double axis[3], centre[3];
    rt_m3_mul_v(axis, hub->orientation, kept->axis);
    rt_m3_mul_v(centre, hub->orientation, kept->centre);
    rt_v3_add(centre, centre, hub->position);
    rotor_set_axis(r, axis, centre);
}

static routh_status rotor_find_motion(rt_rotor *r, const routh_operating_point *p,
                                      const rt_rotor_part *kept, routh_error *error)
{
    rt_frame *frames = RT_TAKE(&r->arena, rt_frame, r->m->n_bodies);
    if (!frames) return rt_fail_memory(error);
    for (int b = 0; b < p->n_bodies; b++) {
        rt_v3_copy(frames[b].r, p->bodies[b].position);
        rt_v3_copy(frames[b].v, p->bodies[b].velocity);
        rt_v3_copy(frames[b].w, p->bodies[b].angular_velocity);
    }
    rt_rotor_set_motion(r, frames, kept);
    return ROUTH_OK;
}

/* ---- all of it ------------------------------------------------------------------------------- */

routh_status rt_rotor_find(rt_rotor *r, const routh_mechanism *m,
                           const routh_operating_point *point, const char *const *blades,
                           const rt_rotor_kept *kept, routh_error *error)
{
    *r = (rt_rotor){.m = m, .blades = blades};
    while (blades[r->n_blades]) r->n_blades++;
    if (r->n_blades < 3)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "multi-blade coordinates make a linear model constant of a rotor with three "
                       "blades or more; name them all (--blades NAME,NAME,..), and of two blades "
                       "use routh floquet");
    for (int i = 0; i < r->n_blades; i++)
        for (int j = 0; j < i; j++)
            if (rt_multiblade_rest(blades[i], blades[j]) ||
                rt_multiblade_rest(blades[j], blades[i]))
                return rt_fail(error, ROUTH_BAD_ARGUMENT,
                               "the blades %s and %s share bodies; name each blade once", blades[j],
                               blades[i]);
    if (point->massless)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "multi-blade coordinates cannot be had where joints leave motions free that "
                       "have no inertia; give the bodies that move so a mass");
    if (m->n_nonholonomic)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "multi-blade coordinates need as many velocity as position states, but a "
                       "nonholonomic joint leaves fewer; leave out --blades");
    routh_status status = rotor_count(r, error);
    if (!status) status = rotor_take(r, error);
    if (!status) status = rotor_find_axis(r, point, error);
    if (!status) status = rotor_match_bodies(r, point, error);
    if (!status) status = rotor_match_states(r, error);
    if (status) return status;
    if (kept)
        rotor_take_kept(r, point, kept);
    else
        rotor_find_speed(r, point);
    return rotor_find_motion(r, point, kept ? kept->part : NULL, error);
}

/* S in R_k A_k = A_1 S, R_k the turn that brings blade k to the first one. */
static void rotor_take_frames(const rt_rotor *r, const routh_operating_point *p, double *frames)
{
    for (int k = 0; k < r->n_blades; k++)
        for (int i = 0; i < r->n_each; i++) {
            const routh_body_state *first = &p->bodies[r->body[i]],
                                   *own = &p->bodies[r->body[k * r->n_each + i]];
            double theta[3], R[9], A[9], away = 0, *S = frames + 9 * (k * r->n_each + i);
            rt_v3_scale(theta, -RT_TWO_PI * k / r->n_blades, r->axis);
            rt_rotation_exp(R, theta);
            rt_m3_mul(A, R, own->orientation);
            rt_m3_tmul(S, first->orientation, A);
            for (int c = 0; c < 9; c++) away = fmax(away, fabs(S[c] - (c % 4 == 0)));
            if (away < 1e-3) rt_m3_identity(S);
        }
}

routh_status rt_rotor_keep(const rt_rotor *r, const routh_operating_point *p, rt_rotor_kept *kept,
                           routh_error *error)
{
    kept->hub = r->hub;
    kept->speed = r->speed;
    kept->frames = RT_TAKE(&kept->arena, double, 9 * r->n_blades * r->n_each);
    kept->part = RT_TAKE(&kept->arena, rt_rotor_part, r->m->n_bodies);
    if (!kept->frames || !kept->part) return rt_fail_memory(error);
    for (int b = 0; b < r->m->n_bodies; b++) kept->part[b] = r->of[b].part;
    rotor_take_frames(r, p, kept->frames);
    if (r->hub < 0) return ROUTH_OK;
    const routh_body_state *hub = &p->bodies[r->hub];
    double centre[3];
    rt_v3_sub(centre, r->centre, hub->position);
    rt_m3_tmul_v(kept->axis, hub->orientation, r->axis);
    rt_m3_tmul_v(kept->centre, hub->orientation, centre);
    return ROUTH_OK;
}

void rt_rotor_release(rt_rotor *r) { rt_arena_free(&r->arena); }
