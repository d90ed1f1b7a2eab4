/* Joints that were assembled half a turn from where their markers agree.
 *
 * Rows such as x . y = 0 hold where two triads agree, and where one is turned by 180 degrees from
 * the other. Assembly goes to the nearer one, and if what is written is more than 90 degrees off,
 * that is the other one. A joint that is written half a turn over stays so: that is meant. Of an
 * axis alone both directions are the same joint; there only what is near neither is told. */
#include <stdio.h>

#include "base/kept_memory.h"
#include "base/pi.h"
#include "operating/operating.h"

enum { NONE, AXIS, TRIAD };

/* What the joint keeps equal of its markers: the z axis, or all axes. */
static int half_turn_kind(const rt_constraint *c)
{
    bool tilt[2] = {false, false}, turn = false;
    for (int r = 0; r < c->n_rows; r++) {
        const rt_joint_row *what = c->rows[r].what;
        if (!what || what->kind != RT_JOINT_ROW_DOT1) continue;
        if (what->q == 2 && what->p < 2) tilt[what->p] = true;
        if (what->p == 2 && what->q < 2) tilt[what->q] = true;
        if (what->p < 2 && what->q < 2 && what->p != what->q) turn = true;
    }
    if (!tilt[0] || !tilt[1]) return NONE;
    return turn ? TRIAD : AXIS;
}

void rt_joint_world_axis(const rt_search *s, const rt_joint *joint, int marker, int k,
                         double axis[3])
{
    double local[3];
    rt_m3_column(local, joint->triad, k);
    if (marker < 0)
        rt_v3_copy(axis, local);
    else
        rt_m3_mul_v(axis, s->w->markers[marker].A, local);
}

/* Radians between the z axes, or of the rotation between the triads; the frames are evaluated. */
static double half_turn_angle(const rt_search *s, int constraint)
{
    const rt_constraint *c = &s->m->constraints[constraint].constraint;
    const rt_joint *joint = &s->m->model->joints[c->joint];
    const int kind = half_turn_kind(c);
    double trace = 0, a[3], b[3];
    for (int k = kind == AXIS ? 2 : 0; k < 3; k++) {
        rt_joint_world_axis(s, joint, joint->markers[0], k, a);
        rt_joint_world_axis(s, joint, joint->markers[1], k, b);
        trace += rt_v3_dot(a, b);
    }
    const double cosine = kind == AXIS ? trace : (trace - 1) / 2;
    return kind == NONE ? 0 : acos(fmax(-1, fmin(1, cosine)));
}

bool rt_keeps_axis(const rt_constraint *c) { return half_turn_kind(c) != NONE; }

routh_status rt_note_written(rt_search *s, routh_error *error)
{
    s->written =
        rt_kept_calloc(s->m->analyses, (size_t)s->m->n_constraints + 1, sizeof *s->written);
    if (!s->written) return rt_fail_memory(error);
    rt_evaluate_frames(s->m, s->w, s->state);
    for (int c = 0; c < s->m->n_constraints; c++) s->written[c] = half_turn_angle(s, c);
    return ROUTH_OK;
}

bool rt_half_turn_words(const rt_search *s, int constraint, char *text, size_t room)
{
    static const double right = RT_PI / 2, between = 3 * RT_PI / 4, rounding = 1e-3;
    if (!s->written) return false;
    const rt_constraint *c = &s->m->constraints[constraint].constraint;
    const rt_joint *joint = &s->m->model->joints[c->joint];
    const double was = s->written[constraint], is = half_turn_angle(s, constraint);
    const bool axis = half_turn_kind(c) == AXIS;
    if (is < right || fabs(is - was) < rounding || (axis && was > between)) return false;
    snprintf(text, room,
             "the %s of joint %.80s were written %.4g deg apart and were assembled 180 deg apart, "
             "not in line; write orientations of its bodies that are less than 90 deg from what "
             "the joint is to have, or 180 deg from it where that is meant",
             axis ? "axes" : "markers", joint->name, was * RT_DEGREES);
    return true;
}
