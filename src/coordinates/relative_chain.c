#include "coordinates/relative_chain.h"

#include "base/vec3.h"

enum { X, Y, Z };

#define TURN(axis)                                                                                 \
    {                                                                                              \
        RT_STEP_TURN, axis                                                                         \
    }
#define SLIDE(axis)                                                                                \
    {                                                                                              \
        RT_STEP_SLIDE, axis                                                                        \
    }
#define BALL                                                                                       \
    {                                                                                              \
        RT_STEP_BALL, Z                                                                            \
    }

static const rt_chain chains[RT_JOINT_N_TYPES] = {
    [RT_JOINT_FIXED] = {true, 0, {{0}}},
    [RT_JOINT_REVOLUTE] = {true, 1, {TURN(Z)}},
    [RT_JOINT_TRANSLATIONAL] = {true, 1, {SLIDE(Z)}},
    [RT_JOINT_CYLINDRICAL] = {true, 2, {SLIDE(Z), TURN(Z)}},
    [RT_JOINT_UNIVERSAL] = {true, 2, {TURN(Y), TURN(X)}},
    [RT_JOINT_SPHERICAL] = {true, 1, {BALL}},
    [RT_JOINT_PLANAR] = {true, 3, {SLIDE(X), SLIDE(Y), TURN(Z)}},
    [RT_JOINT_SCREW] = {true, 1, {{RT_STEP_SCREW, Z}}},
    [RT_JOINT_ORIENTATION] = {true, 3, {SLIDE(X), SLIDE(Y), SLIDE(Z)}},
};

const rt_chain rt_chain_floating = {false, 4, {SLIDE(X), SLIDE(Y), SLIDE(Z), BALL}};

const rt_chain *rt_chain_of(rt_joint_type type)
{
    return chains[type].is_joint ? &chains[type] : NULL;
}

int rt_chain_columns(const rt_chain *chain)
{
    int n = 0;
    for (int k = 0; k < chain->n; k++) n += rt_step_columns(chain->step[k].kind);
    return n;
}

/* diag(C), a turn by pi about axis `about`; none for -1 */
static void half_turn(double C[9], int about)
{
    memset(C, 0, 9 * sizeof *C);
    for (int k = 0; k < 3; k++) C[4 * k] = about < 0 || k == about ? 1 : -1;
}

/* Where no turn is free, the largest trace of C'R decides among the four; where the joint turns
 * about z, the sense of z alone. Pins of a cross and balls have one branch. */
void rt_chain_branch(rt_joint_type type, const double R[9], double C[9])
{
    int about = -1;
    const double trace = R[0] + R[4] + R[8];
    switch (type) {
    case RT_JOINT_FIXED:
    case RT_JOINT_TRANSLATIONAL:
    case RT_JOINT_ORIENTATION:
        /* tr(C'R) = 2 R_kk - tr R for the half turn about k */
        for (int k = 0; k < 3; k++) {
            const double best = about < 0 ? trace : 2 * R[4 * about] - trace;
            if (2 * R[4 * k] - trace > best) about = k;
        }
        break;
    case RT_JOINT_REVOLUTE:
    case RT_JOINT_CYLINDRICAL:
    case RT_JOINT_PLANAR:
    case RT_JOINT_SCREW: about = R[8] < 0 ? X : -1; break;
    default: break;
    }
    half_turn(C, about);
}

/* About z: the angle whose turn is nearest to R. The pins of a cross, R = Ry(b) Rx(a), each from
 * the row or column of R that the other leaves alone:
 *     R x = (cos b, 0, -sin b),      y'R = (0, cos a, -sin a). */
static double angle_of(int axis, const double R[9])
{
    switch (axis) {
    case X: return atan2(-R[5], R[4]);
    case Y: return atan2(-R[6], R[0]);
    default: return atan2(R[3] - R[1], R[0] + R[4]);
    }
}

double rt_chain_number(const rt_chain_step *step, const rt_chain_motion *motion)
{
    return step->kind == RT_STEP_SLIDE ? motion->d[step->axis] : angle_of(step->axis, motion->R);
}

/* Axes y and z ride on the second marker, x of a cross on the first. */
double rt_chain_rate(const rt_chain_step *step, const rt_chain_motion *motion)
{
    double axis[3];
    if (step->kind == RT_STEP_SLIDE) return motion->v[step->axis];
    if (step->axis != X) return motion->w[step->axis];
    rt_m3_column(axis, motion->R, X);
    return rt_v3_dot(axis, motion->w);
}
