/* Coordinates and rates of joints that are written, and what was made of them. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/pi.h"
#include "base/vec3.h"
#include "coordinates/relative_chain.h"
#include "model/angles.h"
#include "operating/operating.h"

enum { NOT_SET = -1 };

static double trace_of(const double A[9], const rt_number B[9])
{
    double trace = 0;
    for (int i = 0; i < 9; i++) trace += A[i] * B[i].value;
    return trace;
}

/* The joint's first marker relative to the second; the frames are evaluated. */
static void found_motion(const rt_search *s, const rt_joint *joint, rt_chain_motion *motion)
{
    double r[2][3] = {{0}}, v[2][3] = {{0}}, w[2][3] = {{0}}, A[2][9], d[3], by[3], C[9], R[9];
    for (int k = 0; k < 2; k++) {
        const rt_frame *f = joint->markers[k] < 0 ? NULL : &s->w->markers[joint->markers[k]];
        memcpy(A[k], joint->triad, sizeof A[k]);
        if (!f) continue;
        rt_v3_copy(r[k], f->r), rt_v3_copy(v[k], f->v), rt_v3_copy(w[k], f->w);
        rt_m3_mul(A[k], f->A, joint->triad);
    }
    rt_v3_sub(d, r[0], r[1]);
    rt_m3_tmul_v(motion->d, A[1], d);
    rt_v3_cross(by, w[1], d);
    for (int k = 0; k < 3; k++) v[0][k] -= v[1][k] + by[k], w[0][k] -= w[1][k];
    rt_m3_tmul_v(motion->v, A[1], v[0]);
    rt_m3_tmul_v(motion->w, A[1], w[0]);
    rt_m3_tmul(R, A[1], A[0]);
    rt_chain_branch(&joint->class->chain, R, C);
    rt_m3_mul(motion->R, R, C); /* C is its own inverse */
}

/* The angle of step k with its turns, where these are counted: of the only angle of a joint. */
static double counted_angle(const rt_search *s, const rt_joint *joint, int k, double principal)
{
    const routh_model *model = s->m->model;
    const rt_chain *chain = &joint->class->chain;
    for (int i = 0; i < chain->n; i++)
        if (i != k && chain->step[i].kind != RT_STEP_SLIDE) return NAN;
    const rt_counted_angle a =
        rt_angle_about(joint->markers[0], joint->markers[1], joint->triad, chain->step[k].axis, -1);
    const int found = rt_find_angle(model, &a);
    return found < 0
               ? NAN
               : principal + RT_TWO_PI * round((s->state->near[found] - principal) / RT_TWO_PI);
}

/* How far step k's coordinate is from what is written: m, or radians. */
static double step_change(const rt_search *s, const rt_joint *joint, int k,
                          const rt_chain_motion *motion)
{
    const rt_chain_step *step = &joint->class->chain.step[k];
    if (step->kind == RT_STEP_BALL)
        return acos(fmax(-1, fmin(1, (trace_of(motion->R, joint->start->turn) - 1) / 2)));
    const double is = rt_chain_number(step, motion), was = joint->start->value[k].value;
    if (step->kind == RT_STEP_SLIDE) return is - was;
    const double counted = counted_angle(s, joint, k, is);
    return isnan(counted) ? is - was - RT_TWO_PI * round((is - was) / RT_TWO_PI) : counted - was;
}

/* The same of its rate: m/s, or rad/s. */
static double rate_change(const rt_joint *joint, int k, const rt_chain_motion *motion)
{
    const rt_chain_step *step = &joint->class->chain.step[k];
    double d[3];
    if (step->kind != RT_STEP_BALL)
        return rt_chain_rate(step, motion) - joint->start->rate[k].value;
    for (int i = 0; i < 3; i++) d[i] = motion->w[i] - joint->start->turn_rate[i].value;
    return rt_v3_norm(d);
}

/* The field that step k's coordinate, or its rate, is written in. */
static const char *coordinate_field(const rt_joint *joint, int k, bool rate)
{
    const rt_kind *kind = &joint->class->kind;
    const bool ball = joint->class->chain.step[k].kind == RT_STEP_BALL;
    const size_t step = (size_t)k * sizeof(rt_number);
    const size_t offset = ball && rate ? offsetof(rt_written_joint, start.turn_rate)
                          : ball       ? offsetof(rt_written_joint, start.turn)
                          : rate       ? offsetof(rt_written_joint, start.rate) + step
                                       : offsetof(rt_written_joint, start.value) + step;
    for (int f = 0; f < kind->n_fields; f++)
        if (kind->fields[f].offset == offset) return kind->fields[f].name;
    return "coordinate";
}

/* What was changed most of what is given. */
typedef struct written_change {
    int step; /* NOT_SET: nothing */
    bool rate, slides;
    double by;
} written_change;

static written_change largest_change(const rt_search *s, const rt_joint *joint,
                                     const bool value[RT_JOINT_COORDINATES],
                                     const bool rate[RT_JOINT_COORDINATES])
{
    static const double told = 1e-6;
    double speed = s->m->length, most = told;
    rt_chain_motion motion;
    written_change found = {.step = NOT_SET};
    for (int c = 0; c < s->m->n_u; c++) speed = fmax(speed, fabs(s->state->u[c]) / s->unit[c]);
    found_motion(s, joint, &motion);
    for (int k = 0; k < 2 * joint->class->chain.n; k++) {
        const bool of_rate = k % 2;
        const bool slides = joint->class->chain.step[k / 2].kind == RT_STEP_SLIDE;
        if (!(of_rate ? rate : value)[k / 2]) continue;
        const double by =
            of_rate ? rate_change(joint, k / 2, &motion) : step_change(s, joint, k / 2, &motion);
        const double size =
            fabs(by) / (slides ? 1 : 1 / s->m->length) / (of_rate ? speed : s->m->length);
        if (size <= most) continue;
        most = size;
        found = (written_change){k / 2, of_rate, slides, by};
    }
    return found;
}

static void change_words(const written_change *change, char *text, size_t room)
{
    const bool degrees = !change->slides && !change->rate;
    snprintf(text, room, "%.4g %s", degrees ? change->by * RT_DEGREES : change->by,
             degrees          ? "deg"
             : !change->rate  ? "m"
             : change->slides ? "m/s"
                              : "rad/s");
}

bool rt_written_coordinate_words(const rt_search *s, int j, char *text, size_t room)
{
    const rt_joint *joint = &s->m->model->joints[j];
    char by[40];
    if (!joint->start) return false;
    const written_change change =
        largest_change(s, joint, joint->start->value_given, joint->start->rate_given);
    if (change.step == NOT_SET) return false;
    change_words(&change, by, sizeof by);
    snprintf(text, room,
             "%s of joint %.80s was changed by %s from what is written, %s; write fewer %s, those "
             "that %s, or a motion that holds it",
             coordinate_field(joint, change.step, change.rate), joint->name, by,
             change.rate ? "since the joints do not allow it"
                         : "as all bodies went the shortest way to where the joints close",
             change.rate ? "rates" : "coordinates", change.rate ? "fit" : "close");
    return true;
}

routh_status rt_check_set_coordinates(const rt_search *s, routh_error *error)
{
    const routh_model *model = s->m->model;
    char by[40];
    for (int j = 0; j < model->n_joints; j++) {
        const rt_joint *joint = &model->joints[j];
        if (!joint->start || !joint->start->is_set) continue;
        const written_change change =
            largest_change(s, joint, joint->start->value_set, joint->start->rate_set);
        if (change.step == NOT_SET) continue;
        change_words(&change, by, sizeof by);
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "%.80s.%s is set (--set), but the state, which says where all bodies are, "
                       "has it %s more; leave one of them out, or write the state by `joints`",
                       joint->name, coordinate_field(joint, change.step, change.rate), by);
    }
    return ROUTH_OK;
}

bool rt_followed_coordinate_words(const rt_search *s, int j, const bool *follows, char *text,
                                  size_t room)
{
    const rt_joint *joint = &s->m->model->joints[j];
    char by[40];
    const written_change change = largest_change(s, joint, follows, follows + RT_JOINT_COORDINATES);
    if (change.step == NOT_SET) return false;
    change_words(&change, by, sizeof by);
    snprintf(text, room,
             "%s of joint %.80s follows from a parameter that was set, but the saved state, which "
             "says where all bodies are, has it %s more and counts",
             coordinate_field(joint, change.step, change.rate), joint->name, by);
    return true;
}
