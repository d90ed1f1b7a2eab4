#include "coordinates/relative_links.h"

#include "base/rotation.h"

const rt_link rt_ground_link = {.pose = {.A = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};

void rt_pose_join(rt_pose *pose, const rt_pose *first, const rt_pose *second)
{
    rt_m3_mul_v(pose->r, first->A, second->r);
    rt_v3_add(pose->r, pose->r, first->r);
    rt_m3_mul(pose->A, first->A, second->A);
}

void rt_pose_invert(rt_pose *inverse, const rt_pose *pose)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) inverse->A[3 * i + j] = pose->A[3 * j + i];
    rt_m3_mul_v(inverse->r, inverse->A, pose->r);
    rt_v3_scale(inverse->r, -1, inverse->r);
}

/* A turn with the angular velocity a about the point r moves the origin with r x a. */
void rt_step_screw(const rt_joint_step *step, const rt_link *link, int k, double S[6])
{
    const int axis = step->what.kind == RT_STEP_BALL ? k : step->what.axis;
    double a[3];
    rt_m3_column(a, link->pose.A, axis);
    rt_v3_scale(a, step->sign, a);
    if (step->what.kind == RT_STEP_SLIDE) {
        rt_v3_copy(S, a);
        rt_v3_set(S + 3, 0, 0, 0);
        return;
    }
    rt_v3_cross(S, link->pose.r, a);
    rt_v3_add_scaled(S, step->advance, a);
    rt_v3_copy(S + 3, a);
}

/* A <- A turn about one of its own axes */
static void relative_links_turn(double A[9], int axis, double angle)
{
    const int p = (axis + 1) % 3, q = (axis + 2) % 3;
    const double c = cos(angle), s = sin(angle);
    for (int i = 0; i < 9; i += 3) {
        const double x = A[i + p], y = A[i + q];
        A[i + p] = c * x + s * y;
        A[i + q] = c * y - s * x;
    }
}

static void relative_links_slide(rt_pose *pose, int axis, double way)
{
    for (int i = 0; i < 3; i++) pose->r[i] += way * pose->A[3 * i + axis];
}

static void relative_links_go(const rt_joint_step *step, const double *q, rt_pose *pose)
{
    const int axis = step->what.axis;
    double R[9], A[9];
    switch (step->what.kind) {
    case RT_STEP_TURN: relative_links_turn(pose->A, axis, step->sign * q[0]); return;
    case RT_STEP_SLIDE: relative_links_slide(pose, axis, step->sign * q[0]); return;
    case RT_STEP_SCREW:
        relative_links_slide(pose, axis, step->sign * step->advance * q[0]);
        relative_links_turn(pose->A, axis, step->sign * q[0]);
        return;
    case RT_STEP_BALL:
        rt_rotation_from_quaternion(R, q);
        rt_m3_mul(A, pose->A, R);
        memcpy(pose->A, A, sizeof A);
        return;
    }
}

/* V = V_p + S u,      V' = V_p' + S u' + V_p x S u      (S' u = (V_p + S u) x S u) */
static void relative_links_add_motion(const rt_joint_step *step, const double *u,
                                      const double *udot, rt_link *link)
{
    double S[6], relative[6] = {0}, turned[6];
    for (int k = 0; k < rt_step_columns(step->what.kind); k++) {
        rt_step_screw(step, link, k, S);
        for (int i = 0; i < 6; i++) {
            relative[i] += S[i] * u[k];
            link->rate[i] += S[i] * udot[k];
        }
    }
    rt_twist_cross(turned, link->V, relative);
    for (int i = 0; i < 6; i++) {
        link->V[i] += relative[i];
        link->rate[i] += turned[i];
    }
}

void rt_step_go(const rt_joint_step *step, const rt_link *previous, const double *q,
                const double *u, const double *udot, rt_link *link)
{
    *link = *previous;
    if (step->placed) rt_pose_join(&link->pose, &previous->pose, &step->before);
    relative_links_go(step, q, &link->pose);
    relative_links_add_motion(step, u, udot, link);
}

/* v = v_O + w x r,      a = v' = v_O' + w' x r + w x v */
void rt_link_frame(const rt_link *link, const rt_pose *pose, rt_frame *f)
{
    rt_pose world;
    rt_pose_join(&world, &link->pose, pose);
    rt_v3_copy(f->r, world.r);
    memcpy(f->A, world.A, sizeof f->A);
    rt_v3_copy(f->v, link->V);
    rt_v3_cross_add(f->v, link->V + 3, f->r);
    rt_v3_copy(f->w, link->V + 3);
    rt_v3_copy(f->a, link->rate);
    rt_v3_cross_add(f->a, link->rate + 3, f->r);
    rt_v3_cross_add(f->a, f->w, f->v);
    rt_v3_copy(f->al, link->rate + 3);
}
