#include "coordinates/relative_chain.h"

#include "base/vec3.h"

enum { X, Y, Z };

const rt_chain rt_chain_floating = {
    false, 4, {{RT_STEP_SLIDE, X}, {RT_STEP_SLIDE, Y}, {RT_STEP_SLIDE, Z}, {RT_STEP_BALL, Z}}};

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

static int turns_of(const rt_chain *chain)
{
    int n = 0;
    for (int k = 0; k < chain->n; k++)
        n += chain->step[k].kind == RT_STEP_BALL ? 3 : chain->step[k].kind != RT_STEP_SLIDE;
    return n;
}

/* Where no turn is free, the largest trace of C'R decides among the four; where one is, about z,
 * the sense of z alone. Pins of a cross and balls have one branch. */
void rt_chain_branch(const rt_chain *chain, const double R[9], double C[9])
{
    int about = -1;
    const int turns = turns_of(chain);
    const double trace = R[0] + R[4] + R[8];
    /* tr(C'R) = 2 R_kk - tr R for the half turn about k */
    for (int k = 0; k < 3 && turns == 0; k++) {
        const double best = about < 0 ? trace : 2 * R[4 * about] - trace;
        if (2 * R[4 * k] - trace > best) about = k;
    }
    if (turns == 1 && R[8] < 0) about = X;
    half_turn(C, about);
}

/* About z: the angle whose turn is nearest to R. The pins of a cross, R = Ry(b) Rx(a), each from
 * the row or column of R that the other leaves alone:
 *     R x = (cos b, 0, -sin b),      y'R = (0, cos a, -sin a). */
static double angle_of(int axis, const double R[9])
{
    if (axis == X) return atan2(-R[5], R[4]);
    if (axis == Y) return atan2(-R[6], R[0]);
    return atan2(R[3] - R[1], R[0] + R[4]);
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
