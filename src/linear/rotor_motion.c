/* The reference motion: the rotor turns, what spins about an axis of its own spins on, all else
 * stays where it is,
 *     v = w x (r - c),   a = w x v,   w' = 0,
 * and where it is after a time t: r = c + R (r - c), R = exp(w t). */
#include <stdlib.h>

#include "base/rotation.h"
#include "linear/rotor.h"

/* ---- what each body does --------------------------------------------------------------------- */

/* Turns a body with the rotor: at its rate, about its axis? */
static bool rotor_carries(const rt_rotor *r, const rt_frame *f)
{
    static const double near = 1e-3;
    double rate[3], arm[3], v[3];
    rt_v3_scale(rate, r->speed, r->axis);
    rt_v3_sub(arm, f->r, r->centre);
    rt_v3_cross(v, rate, arm);
    rt_v3_sub(v, v, f->v);
    rt_v3_sub(rate, rate, f->w);
    return rt_v3_norm(rate) <= near * fabs(r->speed) &&
           rt_v3_norm(v) <= near * fabs(r->speed) * r->m->length;
}

/* The axis of its own that a body turns about: c = r + w x v/w^2. */
static void rotor_own_axis(const rt_frame *f, rt_rotor_body *of)
{
    rt_v3_copy(of->rate, f->w);
    rt_v3_cross(of->centre, f->w, f->v);
    rt_v3_scale(of->centre, 1 / rt_v3_dot(f->w, f->w), of->centre);
    rt_v3_add(of->centre, of->centre, f->r);
}

static rt_rotor_part rotor_part_of(const rt_rotor *r, int body, const rt_frame *f)
{
    static const double still = 1e-6;
    if (r->of[body].part == RT_ROTOR_BLADE) return RT_ROTOR_BLADE;
    if (r->speed == 0 || rt_v3_norm(f->w) <= still * fabs(r->speed)) return RT_ROTOR_STILL;
    return rotor_carries(r, f) ? RT_ROTOR_HUB : RT_ROTOR_SPIN;
}

void rt_rotor_set_motion(rt_rotor *r, const rt_frame *bodies, const rt_rotor_part *kept)
{
    for (int b = 0; b < r->m->n_bodies; b++) {
        rt_rotor_body *of = &r->of[b];
        const rt_frame *f = &bodies[b];
        rt_v3_set(of->rate, 0, 0, 0);
        rt_v3_copy(of->centre, r->centre);
        of->part = kept ? kept[b] : rotor_part_of(r, b, f);
        if (of->part == RT_ROTOR_BLADE || of->part == RT_ROTOR_HUB)
            rt_v3_scale(of->rate, r->speed, r->axis);
        if (of->part == RT_ROTOR_SPIN) rotor_own_axis(f, of);
    }
}

void rt_rotor_reference(const rt_rotor *r, int body, const rt_frame *frame, rt_frame *motion)
{
    const rt_rotor_body *of = &r->of[body];
    double arm[3];
    *motion = *frame;
    rt_v3_sub(arm, frame->r, of->centre);
    rt_v3_copy(motion->w, of->rate);
    rt_v3_cross(motion->v, of->rate, arm);
    rt_v3_cross(motion->a, of->rate, motion->v);
    rt_v3_set(motion->al, 0, 0, 0);
}

/* ---- a turn ---------------------------------------------------------------------------------- */

static void rotor_turn_frame(const rt_rotor_body *of, double time, rt_frame *f)
{
    double theta[3], R[9], A[9], arm[3];
    rt_v3_scale(theta, time, of->rate);
    rt_rotation_exp(R, theta);
    rt_v3_sub(arm, f->r, of->centre);
    rt_m3_mul_v(arm, R, arm);
    rt_v3_add(f->r, of->centre, arm);
    rt_m3_mul(A, R, f->A);
    memcpy(f->A, A, sizeof A);
    rt_m3_mul_v(f->v, R, f->v);
    rt_m3_mul_v(f->w, R, f->w);
}

/* States of controllers and inputs go on by their rates. */
static void rotor_turn_signals(const routh_mechanism *m, double time, rt_state *state)
{
    const routh_model *model = m->model;
    const int n_x = model->n_control_states, n = m->n_signals, first = n - model->n_inputs;
    for (int k = 0; k < n_x; k++) state->signal[k] += time * state->signal[n_x + k];
    for (int k = first; k < n; k++) state->signal[k] += time * state->signal[n + k];
}

static routh_status rotor_turned_state(const rt_rotor *r, const routh_operating_point *from,
                                       double psi, rt_search *s, routh_error *error)
{
    const routh_mechanism *m = r->m;
    const double time = psi / r->speed;
    rt_frame *frames = malloc((size_t)(m->n_bodies + 1) * sizeof *frames);
    if (!frames) return rt_fail_memory(error);
    rt_state_copy(m, s->state, from->state);
    rt_evaluate_frames(m, s->w, s->state);
    for (int b = 0; b < m->n_bodies; b++) {
        frames[b] = s->w->bodies[b];
        rotor_turn_frame(&r->of[b], time, &frames[b]);
    }
    rt_take_frames(m, s->w, frames, s->state);
    free(frames);
    s->state->t += time;
    if (m->n_signals) rotor_turn_signals(m, time, s->state);
    return rt_input_histories_set(m, s->state, error);
}

routh_status rt_rotor_turn(const rt_rotor *r, const routh_operating_point *from, double psi,
                           routh_operating_point **point, routh_error *error)
{
    rt_search s;
    *point = NULL;
    routh_status status = rt_search_create(&s, r->m, 1e-10, 200, error);
    if (!status) status = rotor_turned_state(r, from, psi, &s, error);
    if (!status) status = rt_point_from_state(point, r->m, s.state, NULL, error);
    rt_state_free(s.state);
    rt_search_release(&s);
    return status;
}
