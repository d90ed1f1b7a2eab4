/* Poses and velocities along the chain of a joint (joint_class.h). */
#include "model/placing.h"

#include <string.h>

#include "base/pi.h"
#include "base/rotation.h"

rt_number rt_place_number(const rt_placing *p, rt_number x)
{
    return p->plain ? rt_plain(x.value) : x;
}

static void place_sum(rt_calculator *c, rt_number out[3], const rt_number a[3],
                      const rt_number b[3])
{
    for (int k = 0; k < 3; k++) out[k] = rt_plus(c, a[k], b[k]);
}

/* Of frame (r, A, v, w) and T = (d, R, d', w_T) in its axes,
 *     r + A d,  A R,  v + w x A d + A d',  w + A w_T. */
void rt_frame_join(rt_calculator *c, rt_place_frame *out, const rt_place_frame *frame,
                   const rt_place_frame *T)
{
    rt_number arm[3], turning[3], along[3], moving[3], w[3];
    rt_place_frame to;
    rt_numbers_times(c, arm, frame->A, T->r);
    rt_numbers_cross(c, turning, frame->w, arm);
    rt_numbers_times(c, along, frame->A, T->v);
    rt_numbers_times(c, w, frame->A, T->w);
    place_sum(c, moving, frame->v, turning);
    place_sum(c, to.v, moving, along);
    place_sum(c, to.w, frame->w, w);
    place_sum(c, to.r, frame->r, arm);
    rt_numbers_matrix(c, to.A, frame->A, T->A);
    *out = to;
}

/* -R'd,  R',  R'(w x d - d'),  -R'w */
void rt_frame_invert(rt_calculator *c, rt_place_frame *out, const rt_place_frame *T)
{
    rt_number turning[3], back[3], minus[3], against[3];
    rt_place_frame to;
    rt_numbers_cross(c, turning, T->w, T->r);
    for (int k = 0; k < 3; k++) {
        back[k] = rt_minus(c, turning[k], T->v[k]);
        minus[k] = rt_minus(c, rt_plain(0), T->r[k]);
        against[k] = rt_minus(c, rt_plain(0), T->w[k]);
    }
    rt_numbers_transposed_times(c, to.r, T->A, minus);
    rt_numbers_transposed_times(c, to.v, T->A, back);
    rt_numbers_transposed_times(c, to.w, T->A, against);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) to.A[3 * i + j] = T->A[3 * j + i];
    *out = to;
}

static void frame_here(rt_place_frame *f)
{
    for (int k = 0; k < 3; k++) f->r[k] = f->v[k] = f->w[k] = rt_plain(0);
    rt_numbers_identity(f->A);
}

static void rotate_about(rt_calculator *c, int axis, rt_number angle, rt_number A[9])
{
    const int m = (axis + 1) % 3, n = (axis + 2) % 3;
    const rt_number cosine = rt_cosine(c, angle), sine = rt_sine(c, angle);
    rt_numbers_identity(A);
    A[3 * m + m] = A[3 * n + n] = cosine;
    A[3 * n + m] = sine;
    A[3 * m + n] = rt_minus(c, rt_plain(0), sine);
}

void rt_step_pose(rt_calculator *c, const rt_chain_step *step, const rt_chain_value *q,
                  rt_number pitch, rt_place_frame *T)
{
    const rt_number advance = rt_over(c, pitch, rt_plain(RT_TWO_PI));
    frame_here(T);
    switch (step->kind) {
    case RT_STEP_SCREW:
        T->r[step->axis] = rt_plus(c, q->start, rt_times(c, advance, q->value));
        T->v[step->axis] = rt_times(c, advance, q->rate);
        rotate_about(c, step->axis, q->value, T->A);
        T->w[step->axis] = q->rate;
        break;
    case RT_STEP_TURN:
        rotate_about(c, step->axis, q->value, T->A);
        T->w[step->axis] = q->rate;
        break;
    case RT_STEP_SLIDE:
        T->r[step->axis] = q->value;
        T->v[step->axis] = q->rate;
        break;
    case RT_STEP_BALL:
        memcpy(T->A, q->turn, sizeof T->A);
        memcpy(T->w, q->turn_rate, sizeof T->w);
        break;
    }
}

void rt_chain_pose(rt_calculator *c, const rt_joint *joint, const rt_chain_value *q,
                   rt_number pitch, const double C[9], rt_place_frame *T)
{
    const rt_chain *chain = &joint->class->chain;
    rt_place_frame step, half;
    frame_here(T);
    for (int k = 0; k < chain->n; k++) {
        rt_step_pose(c, &chain->step[k], &q[k], pitch, &step);
        rt_frame_join(c, T, T, &step);
    }
    if (C[0] + C[4] + C[8] == 3) return;
    frame_here(&half);
    for (int k = 0; k < 9; k++) half.A[k] = rt_plain(C[k]);
    rt_frame_join(c, T, T, &half);
}

/* As rt_chain_branch of relative coordinates takes it: no half turn where axes agree. */
void rt_chain_half_turn(const rt_chain *chain, const rt_number R[9], double C[9])
{
    int about = -1, turns = 0;
    const double trace = R[0].value + R[4].value + R[8].value;
    for (int k = 0; k < chain->n; k++)
        turns += chain->step[k].kind == RT_STEP_BALL ? 3 : chain->step[k].kind != RT_STEP_SLIDE;
    for (int k = 0; k < 3 && turns == 0; k++) {
        const double best = about < 0 ? trace : 2 * R[4 * about].value - trace;
        if (2 * R[4 * k].value - trace > best) about = k;
    }
    if (turns == 1 && R[8].value < 0) about = 0;
    for (int k = 0; k < 9; k++) C[k] = k % 4 ? 0 : about < 0 || k / 4 == about ? 1 : -1;
}

/* The angle about z whose turn is nearest to R; of the pins of a cross, R = Ry(b) Rx(a), each from
 * what the other leaves alone. */
static rt_number angle_in(rt_calculator *c, int axis, const rt_number R[9])
{
    const rt_number zero = rt_plain(0);
    if (axis == 0) return rt_angle(c, rt_minus(c, zero, R[5]), R[4]);
    if (axis == 1) return rt_angle(c, rt_minus(c, zero, R[6]), R[0]);
    return rt_angle(c, rt_minus(c, R[3], R[1]), rt_plus(c, R[0], R[4]));
}

void rt_chain_coordinates(rt_calculator *c, const rt_joint *joint, const rt_place_frame *T,
                          rt_number pitch, const double C[9], rt_chain_value *q)
{
    const rt_chain *chain = &joint->class->chain;
    rt_number R[9], half[9];
    for (int k = 0; k < 9; k++) half[k] = rt_plain(C[k]); /* C is its own inverse */
    rt_numbers_matrix(c, R, T->A, half);
    for (int k = 0; k < chain->n; k++) {
        const rt_chain_step *step = &chain->step[k];
        q[k] = (rt_chain_value){.value = rt_plain(0), .rate = rt_plain(0), .start = rt_plain(0)};
        memcpy(q[k].turn, R, sizeof R);
        for (int i = 0; i < 3; i++) q[k].turn_rate[i] = rt_plain(0);
        if (step->kind == RT_STEP_SLIDE) q[k].value = T->r[step->axis];
        if (step->kind == RT_STEP_TURN || step->kind == RT_STEP_SCREW)
            q[k].value = angle_in(c, step->axis, R);
        if (step->kind == RT_STEP_SCREW)
            q[k].start = rt_minus(c, T->r[step->axis],
                                  rt_times(c, rt_over(c, pitch, rt_plain(RT_TWO_PI)), q[k].value));
    }
}
