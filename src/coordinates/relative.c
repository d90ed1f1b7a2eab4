/* Relative coordinates: what each joint of a spanning tree leaves free (EQUATIONS.md, "Relative
 * joint coordinates, exactly").
 *
 * A step's screw S rides on the link before it and on the link after it alike, so S' = V x S with
 * the twist of either. For a ball the three screws ride on the link after it, xi = A'dtheta and
 *     d(xi)/dt = du - w_rel x xi,
 * and with V_p, V the twists before and after the step, S w_rel = V - V_p, so in both cases
 *     J = S,     J1 = V_p x S,     J2u = V x S + V_p x S,     J2x = V_p' x S + V_p x (V_p x S). */
#include <limits.h>

#include "base/pi.h"
#include "base/rotation.h"
#include "coordinates/joined.h"
#include "coordinates/relative_limbs.h"

/* ---- compiled -------------------------------------------------------------------------------- */

static int last_column(const rt_limbs *t, int step)
{
    if (step < 0) return -1;
    return t->step[step].column + rt_step_columns(t->step[step].what.kind) - 1;
}

/* The screw of a ball turns with the link after it, any other with the link before its step too. */
static void set_step(rt_joined *j, const rt_limbs *t, int s, int body)
{
    const rt_joint_step *step = &t->step[s];
    const bool ball = step->what.kind == RT_STEP_BALL;
    const int first = step->column, last = last_column(t, s);
    const int below = last_column(t, step->previous);
    for (int c = first; c <= last; c++) {
        j->parent[c] = c == first ? below : c - 1;
        j->carrier[c] = ball ? last : below;
        j->angle[c] = step->what.kind != RT_STEP_SLIDE;
        j->place[c] = step->q;
        j->ball[c] = ball;
        j->column_body[c] = body;
    }
}

static void relative_set_limb(rt_joined *j, const rt_limbs *t, const rt_limb *limb)
{
    for (int s = limb->step; s < limb->step + limb->n_steps; s++) set_step(j, t, s, limb->body);
    j->tip[limb->body] = last_column(t, limb->link);
    if (limb->joint < 0) return;
    const int free = rt_chain_columns(rt_chain_of(&j->model->joints[limb->joint]));
    j->held[limb->joint] = (1u << (6 - free)) - 1;
}

/* The columns of each body: its path. */
static routh_status set_paths(rt_joined *j, rt_arena *arena, routh_error *error)
{
    rt_arena scratch = {0};
    int *depth = RT_TAKE(&scratch, int, j->n_u);
    long long total = 0;
    if (!depth) return rt_fail_memory(error);
    for (int c = 0; c < j->n_u; c++) depth[c] = j->parent[c] < 0 ? 1 : depth[j->parent[c]] + 1;
    for (int b = 0; b < j->n_bodies; b++) {
        j->start[b] = (int)total;
        total += j->tip[b] < 0 ? 0 : depth[j->tip[b]];
        if (total > INT_MAX) break;
    }
    rt_arena_free(&scratch);
    if (total > INT_MAX)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "the chains of bodies are so long that the bodies depend on more than %d "
                       "joint coordinates together; use --coordinates absolute",
                       INT_MAX);
    j->start[j->n_bodies] = (int)total;
    j->column = j->screw = RT_TAKE(arena, int, total);
    if (!j->column) return rt_fail_memory(error);
    for (int b = 0; b < j->n_bodies; b++)
        for (int c = j->tip[b], e = j->start[b + 1]; c >= 0; c = j->parent[c]) j->column[--e] = c;
    return ROUTH_OK;
}

/* O in the middle of the bodies: a point far away would cost digits, as the square of its
 * distance. */
static void relative_set_origin(rt_joined *j)
{
    for (int b = 0; b < j->n_bodies; b++)
        for (int k = 0; k < 3; k++)
            j->origin[k] += j->model->bodies[b].position[k].value / j->n_bodies;
}

static routh_status relative_compile(rt_joined *j, const bool *wanted, rt_arena *arena,
                                     routh_error *error)
{
    rt_limbs *t = RT_TAKE(arena, rt_limbs, 1);
    rt_joint_tree tree;
    if (!t) return rt_fail_memory(error);
    relative_set_origin(j);
    routh_status status = rt_tree_span(&tree, j->model, wanted, arena, error);
    if (!status) status = rt_limbs_compile(t, j->model, &tree, j->origin, arena, error);
    if (status) return status;
    j->data = t;
    j->n_q = t->n_q;
    j->n_u = j->n_screws = t->n_u;
    j->n_work = sizeof(rt_link) / sizeof(double) * (size_t)t->n_steps;
    j->start = RT_TAKE(arena, int, j->n_bodies + 1);
    j->tip = RT_TAKE(arena, int, j->n_bodies);
    j->parent = RT_TAKE(arena, int, j->n_u);
    j->carrier = RT_TAKE(arena, int, j->n_u);
    j->angle = RT_TAKE(arena, bool, j->n_u);
    j->column_body = RT_TAKE(arena, int, j->n_u);
    j->place = RT_TAKE(arena, int, j->n_u);
    j->ball = RT_TAKE(arena, bool, j->n_u);
    j->held = RT_TAKE(arena, unsigned, j->model->n_joints);
    if (!j->start || !j->tip || !j->parent || !j->carrier || !j->angle || !j->column_body ||
        !j->place || !j->ball || !j->held)
        return rt_fail_memory(error);
    for (int k = 0; k < t->n_limbs; k++) relative_set_limb(j, t, &t->limb[k]);
    return set_paths(j, arena, error);
}

/* ---- motion ---------------------------------------------------------------------------------- */

static void relative_go(const rt_limbs *t, int k, const double *q, const double *u,
                        const double *udot, rt_link *links)
{
    const rt_joint_step *step = &t->step[k];
    rt_step_go(step, rt_link_of(links, step->previous), q + step->q, u + step->column, udot,
               &links[k]);
}

static void body_frame(const rt_joined *j, const rt_limb *limb, const rt_link *links,
                       rt_frame *frame)
{
    rt_link_frame(rt_link_of(links, limb->link), &limb->pose, frame);
    rt_v3_add(frame->r, frame->r, j->origin);
}

static void relative_frames(const rt_joined *j, const double *q, const double *u,
                            const double *udot, rt_frame *bodies, double *work)
{
    const rt_limbs *t = j->data;
    rt_link *links = (rt_link *)work;
    for (int k = 0; k < t->n_steps; k++) relative_go(t, k, q, u, udot + t->step[k].column, links);
    for (int k = 0; k < t->n_limbs; k++)
        body_frame(j, &t->limb[k], links, &bodies[t->limb[k].body]);
}

static void relative_screws(const rt_joined *j, const double *q, const double *u,
                            const double *udot, const rt_frame *bodies, rt_screws *out,
                            double *work)
{
    (void)q, (void)u, (void)udot, (void)bodies;
    const rt_limbs *t = j->data;
    const rt_link *links = (const rt_link *)work;
    for (int s = 0; s < t->n_steps; s++) {
        const rt_joint_step *step = &t->step[s];
        const rt_link *link = &links[s], *previous = rt_link_of(links, step->previous);
        for (int k = 0; k < rt_step_columns(step->what.kind); k++) {
            const size_t at = 6 * (size_t)(step->column + k);
            double *S = out->J + at, *J1 = out->J1 + at, *J2u = out->J2u + at, *J2x = out->J2x + at;
            double twice[6];
            rt_step_screw(step, link, k, S);
            rt_twist_cross(J1, previous->V, S);
            rt_twist_cross(J2u, link->V, S);
            rt_twist_cross(J2x, previous->rate, S);
            rt_twist_cross(twice, previous->V, J1);
            for (int i = 0; i < 6; i++) J2u[i] += J1[i], J2x[i] += twice[i];
        }
    }
}

static void relative_advance(const rt_joined *j, double *q, const double *xi)
{
    const rt_limbs *t = j->data;
    for (int k = 0; k < t->n_steps; k++) {
        const rt_joint_step *step = &t->step[k];
        double *x = q + step->q, A[9], turn[9], next[9];
        if (step->what.kind != RT_STEP_BALL) {
            x[0] += xi[step->column];
            continue;
        }
        rt_rotation_from_quaternion(A, x);
        rt_rotation_exp(turn, xi + step->column);
        rt_m3_mul(next, A, turn);
        rt_rotation_to_quaternion(x, next);
    }
}

/* ---- from frames ----------------------------------------------------------------------------- */

/* The joint's first marker relative to its second. */
static void relative_read_motion(const rt_limb *limb, const rt_frame *parent, const rt_frame *body,
                                 rt_chain_motion *m)
{
    const rt_frame *holder[2] = {limb->from_first ? parent : body,
                                 limb->from_first ? body : parent};
    rt_frame end[2];
    double d[3], v[3], w[3], R[9];
    for (int k = 0; k < 2; k++)
        rt_frame_marker(&end[k], holder[k], limb->marker[k].r, limb->marker[k].A);
    rt_v3_sub(d, end[0].r, end[1].r);
    rt_v3_sub(v, end[0].v, end[1].v);
    rt_v3_cross_add(v, d, end[1].w);
    rt_v3_sub(w, end[0].w, end[1].w);
    rt_m3_tmul(R, end[1].A, end[0].A);
    rt_m3_mul(m->R, R, limb->branch);
    rt_m3_tmul_v(m->d, end[1].A, d);
    rt_m3_tmul_v(m->v, end[1].A, v);
    rt_m3_tmul_v(m->w, end[1].A, w);
}

/* The turn of the link after the ball relative to the one before it, and its angular velocity in
 * the former's axes; from the first marker to the second both are the other way round. */
static void take_ball(const rt_limb *limb, const rt_chain_motion *m, double *q, double *u)
{
    double R[9];
    if (limb->from_first) {
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) R[3 * i + k] = m->R[3 * k + i];
        rt_v3_scale(u, -1, m->w);
    } else {
        memcpy(R, m->R, sizeof R);
        rt_m3_tmul_v(u, R, m->w);
    }
    rt_rotation_to_quaternion(q, R);
}

/* Of all angles that differ by whole turns, the one that the displacement asks for. */
static double screw_angle(double angle, double displacement, double advance)
{
    const double turns = round((displacement / advance - angle) / RT_TWO_PI);
    return isfinite(turns) ? angle + turns * RT_TWO_PI : angle;
}

static void relative_take_step(const rt_limb *limb, const rt_joint_step *step,
                               const rt_chain_motion *m, double *q, double *u)
{
    if (step->what.kind == RT_STEP_BALL) {
        take_ball(limb, m, q, u);
        return;
    }
    *q = rt_chain_number(&step->what, m);
    *u = rt_chain_rate(&step->what, m);
    if (step->what.kind == RT_STEP_SCREW)
        *q = screw_angle(*q, m->d[2] - limb->start, step->advance);
}

/* Each body is measured from where its parent has been put, so that errors do not add up along a
 * chain. */
static void relative_take(const rt_joined *j, const rt_frame *bodies, double *q, double *u,
                          double *work)
{
    static const double none[3] = {0};
    const rt_limbs *t = j->data;
    rt_link *links = (rt_link *)work;
    for (int k = 0; k < t->n_limbs; k++) {
        const rt_limb *limb = &t->limb[k];
        rt_frame parent = rt_ground_frame;
        rt_chain_motion m;
        if (limb->parent >= 0) body_frame(j, &t->limb[t->of_body[limb->parent]], links, &parent);
        relative_read_motion(limb, &parent, &bodies[limb->body], &m);
        for (int s = limb->step; s < limb->step + limb->n_steps; s++) {
            const rt_joint_step *step = &t->step[s];
            relative_take_step(limb, step, &m, q + step->q, u + step->column);
            relative_go(t, s, q, u, none, links);
        }
    }
}

const rt_joined_set rt_relative = {
    .name = "relative",
    .about = "what the joints of a spanning tree leave free; bodies without one float",
    .compile = relative_compile,
    .take = relative_take,
    .frames = relative_frames,
    .screws = relative_screws,
    .advance = relative_advance,
};
