/* Coordinates of joints that are written, and that assembly changed to close loops. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "base/pi.h"
#include "base/vec3.h"
#include "coordinates/relative_chain.h"
#include "operating/operating.h"

/* The joint's first marker relative to the second; the frames are evaluated. */
static void found_pose(const rt_search *s, const rt_joint *joint, rt_chain_motion *motion)
{
    double r[2][3] = {{0}}, A[2][9], d[3], C[9], R[9];
    for (int k = 0; k < 2; k++) {
        const rt_frame *f = joint->markers[k] < 0 ? NULL : &s->w->markers[joint->markers[k]];
        if (f) rt_v3_copy(r[k], f->r);
        if (f)
            rt_m3_mul(A[k], f->A, joint->triad);
        else
            memcpy(A[k], joint->triad, sizeof A[k]);
    }
    *motion = (rt_chain_motion){{0}, {0}, {0}, {0}};
    rt_v3_sub(d, r[0], r[1]);
    rt_m3_tmul_v(motion->d, A[1], d);
    rt_m3_tmul(R, A[1], A[0]);
    rt_chain_branch(&joint->class->chain, R, C);
    rt_m3_mul(motion->R, R, C); /* C is its own inverse */
}

/* How far step k's coordinate is from what is written: m, or radians. */
static double step_change(const rt_joint *joint, int k, const rt_chain_motion *motion)
{
    const rt_chain_step *step = &joint->class->chain.step[k];
    if (step->kind == RT_STEP_BALL) {
        double turn[9], trace = 0;
        for (int i = 0; i < 9; i++) turn[i] = joint->start->turn[i].value;
        for (int i = 0; i < 9; i++) trace += turn[i] * motion->R[i];
        return acos(fmax(-1, fmin(1, (trace - 1) / 2)));
    }
    const double change = rt_chain_number(step, motion) - joint->start->value[k].value;
    return step->kind == RT_STEP_SLIDE ? change : change - RT_TWO_PI * round(change / RT_TWO_PI);
}

/* The field that step k's coordinate is written in. */
static const char *coordinate_field(const rt_joint *joint, int k)
{
    const rt_kind *kind = &joint->class->kind;
    const bool ball = joint->class->chain.step[k].kind == RT_STEP_BALL;
    const size_t offset =
        ball ? offsetof(rt_written_joint, start.turn)
             : offsetof(rt_written_joint, start.value) + (size_t)k * sizeof(rt_number);
    for (int f = 0; f < kind->n_fields; f++)
        if (kind->fields[f].offset == offset) return kind->fields[f].name;
    return "coordinate";
}

bool rt_written_coordinate_words(const rt_search *s, int j, char *text, size_t room)
{
    static const double told = 1e-6;
    const rt_joint *joint = &s->m->model->joints[j];
    rt_chain_motion motion;
    double most = 0, change = 0;
    int at = -1;
    if (!joint->start) return false;
    found_pose(s, joint, &motion);
    for (int k = 0; k < joint->class->chain.n; k++) {
        if (!joint->start->value_given[k]) continue;
        const bool slide = joint->class->chain.step[k].kind == RT_STEP_SLIDE;
        const double by = step_change(joint, k, &motion);
        const double size = fabs(by) / (slide ? s->m->length : 1);
        if (size > most) most = size, at = k, change = by;
    }
    if (most <= told) return false;
    const bool slide = joint->class->chain.step[at].kind == RT_STEP_SLIDE;
    snprintf(text, room,
             "%s of joint %.80s was changed by %.4g %s from what is written, since the joints do "
             "not close there; write fewer coordinates, those that close, or a motion that holds "
             "it",
             coordinate_field(joint, at), joint->name, slide ? change : change * RT_DEGREES,
             slide ? "m" : "deg");
    return true;
}
