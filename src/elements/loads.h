/* Loads: wrenches between frames with their exact partials. Written once, for every coordinate set.
 *
 * A load acts on frame 0 (first marker) and, with the reaction, on frame 1 (second). It fills
 *     wrench[f][6]      (force, torque about the origin of frame f), world
 *     partial[l][i][j]  d wrench_i / d (variation level l)_j, 12 x 12 row-major per level
 * Rows and columns of a partial run over (frame 0: force/dr, torque/dtheta; frame 1: the same),
 * variations in the sense of frames.h (levels xi, xi', xi''); the wrench is differentiated in world
 * components at the moving frame's origin. Where partials are not asked for they are left alone.
 * All are functions of the two frames only; nothing is allocated, nothing is kept. */
#ifndef RT_ELEMENTS_LOADS_H
#define RT_ELEMENTS_LOADS_H

#include <stdbool.h>

#include "elements/frames.h"
#include "model/model.h"

typedef struct rt_load_result {
    rt_scalar wrench[2][6];
    rt_scalar partial[3][12 * 12];
} rt_load_result;

/* Of a load on load->n_nodes frames: wrench[k] is set for each; with partials, those of levels xi
 * and xi' are added to matrices of `wide` columns, in which rows and columns of node k begin at 6
 * place[k] (-1: of the ground, left out). Level xi'' has none. */
typedef struct rt_nodes_result {
    rt_scalar (*wrench)[6];
    rt_scalar *partial[2];
    int wide;
    const int *place;
} rt_nodes_result;

/* Where a load of the model is evaluated (load_class.h). */
typedef struct rt_load_at {
    const rt_load *load;
    const rt_frame *i, *j, *k; /* first and second marker (NULL: none), and resolved_in */
    const rt_frame *node[RT_LOAD_NODES]; /* all nodes of one on more than two */
    double near;               /* of an angle that counts turns: what it is near to */
    const rt_scalar *numbers;  /* as its class lists them */
    const rt_scalar *functions; /* RT_LOAD_FUNCTIONS values; 0 where there is none */
    rt_scalar *by_axes; /* where it is resolved: room for its partial by dtheta of k, 12 x 3 */
} rt_load_at;

/* The force on the first of two points; the opposite acts on the second. Its partials by d = r_i -
 * r_j and d', 3 x 3; `damping` is looked at where damped. */
typedef struct rt_point_force {
    rt_scalar force[3], stiffness[9], damping[9];
    bool damped;
} rt_point_force;

/* A law of one variable: force = law(deflection measure x, its rate), and its two partials. */
typedef struct rt_law {
    rt_scalar value;
    rt_scalar by_x;    /* d value / d x */
    rt_scalar by_rate; /* d value / d x' */
} rt_law;

/* numbers = {k, c, P, x0}, and the function: P - k (x - x0) - c x' + f, and the energy stored. */
static inline rt_law rt_linear_law(const rt_load_at *at, rt_scalar x, rt_scalar rate)
{
    const rt_scalar *n = at->numbers;
    rt_law law = {.by_x = -n[0], .by_rate = -n[1]};
    law.value = law.by_x * (x - n[3]) + law.by_rate * rate + n[2];
    if (at->load->function[0].expr >= 0) law.value += at->functions[0];
    return law;
}
static inline rt_scalar rt_linear_energy(const rt_load_at *at, rt_scalar x)
{
    const rt_scalar d = x - at->numbers[3];
    return (at->numbers[0] / 2 * d - at->numbers[2]) * d;
}

/* The measures of the two one-dimensional loads, to be put into a law. */
void rt_spring_measure(const rt_frame *i, const rt_frame *j, rt_scalar *length, rt_scalar *rate);
/* Angle of frame i relative to frame j about the z axis of the triad (columns of triad in each
 * frame's own axes): atan2(x_i . y_j, x_i . x_j), with the turns that bring it nearest to `near`,
 * and its exact time derivative. */
void rt_torsion_measure(const rt_frame *i, const rt_frame *j, const double triad[9], double near,
                        rt_scalar *angle, rt_scalar *rate);

/* The force of a spring on its first marker, and its partials by d = r_i - r_j and d' (3 x 3;
 * stiffness NULL: not wanted). false where the length is zero. */
bool rt_spring_force(const rt_frame *i, const rt_frame *j, rt_law law, rt_scalar force[3],
                     rt_scalar stiffness[9], rt_scalar damping[9]);

/* Spring along the line between the origins: law.value pushes them apart. Length zero has no
 * direction: returns false and leaves zeros (the caller makes the message). */
bool rt_spring_evaluate(const rt_frame *i, const rt_frame *j, rt_law law, bool partials,
                        rt_load_result *out);

/* Torsion spring: law.value is the generalized force on the angle of rt_torsion_measure (wrench =
 * value times the gradient of the angle: for aligned axes a torque about z on i, its opposite on
 * j). Where x_i stands along z_j there is no angle: returns false and leaves zeros. */
bool rt_torsion_evaluate(const rt_frame *i, const rt_frame *j, const double triad[9], rt_law law,
                         bool partials, rt_load_result *out);

/* Bushing and beam. e = (A_j'(r_i - r_j), theta) - offset with theta the rotation vector of
 * A_j'A_i (|theta| < pi); F = preload - K e - C e' is work-conjugate to e: the wrench is E' F with
 * e' = E (xi'_i, xi'_j), so that the load is exactly conservative for symmetric K when C = 0, with
 * energy 1/2 e'K e - preload'e. K, C 6x6 row-major, in the axes of j. */
bool rt_bushing_evaluate(const rt_frame *i, const rt_frame *j, const rt_scalar stiffness[36],
                         const rt_scalar damping[36], const rt_scalar preload[6],
                         const rt_scalar offset[6], bool partials, rt_load_result *out);

/* e and e' of a bushing; false when the rotation is at pi. */
bool rt_bushing_deflection(const rt_frame *i, const rt_frame *j, const rt_scalar offset[6],
                           rt_scalar e[6], rt_scalar rate[6]);

/* Beam element of finite rotation from frame a to frame b: e = (R'(r_b - r_a), log(A_a'A_b)) -
 * offset with R the frame half-way between the two, F = -K e - C e' on e, K and C 6x6 row-major in
 * R's axes. Neither end is preferred; exactly conservative for symmetric K when C = 0, with energy
 * 1/2 e'K e. false, with zeros, where the rotation is at pi. */
bool rt_rod_evaluate(const rt_frame *a, const rt_frame *b, const rt_scalar stiffness[36],
                     const rt_scalar damping[36], const rt_scalar offset[6], bool partials,
                     rt_load_result *out);

/* e and e' of it; false when the rotation is at pi. */
bool rt_rod_deflection(const rt_frame *a, const rt_frame *b, const rt_scalar offset[6],
                       rt_scalar e[6], rt_scalar rate[6]);

/* ---- for the classes of bushing, beam and rod ---- */

#define RT_BUSHING_NUMBERS                                                                        \
    {                                                                                             \
        RT_NUMBERS_OF(stiffness6), RT_NUMBERS_OF(damping6), RT_NUMBERS_OF(preload6),              \
            RT_NUMBERS_OF(offset6)                                                                \
    }
enum {
    RT_BUSHING_STIFFNESS = 0,
    RT_BUSHING_DAMPING = 36,
    RT_BUSHING_PRELOAD = 72,
    RT_BUSHING_OFFSET = 78
};
#define RT_BUSHING_UNDEFINED                                                                       \
    "its markers are rotated by half a revolution against each other, where the angle is not "     \
    "defined; "                                                                                    \
    "rotate one of them"
#define RT_BUSHING_WOUND                                                                           \
    "its markers were rotated through half a revolution against each other, where its rotation "   \
    "is "                                                                                          \
    "not defined; use a torsion_spring, which counts revolutions, for a rotation that goes on"
bool rt_bushing_load(const rt_load_at *at, bool partials, rt_load_result *out);
rt_scalar rt_bushing_energy(const rt_load_at *at);

/* 1/2 e'K e - P'e */
static inline rt_scalar rt_matrix_energy(const rt_scalar *numbers, const rt_scalar e[6])
{
    rt_scalar sum = 0;
    for (int i = 0; i < 6; i++) {
        rt_scalar Ke = 0;
        for (int j = 0; j < 6; j++) Ke += numbers[RT_BUSHING_STIFFNESS + 6 * i + j] * e[j];
        sum += (Ke / 2 - numbers[RT_BUSHING_PRELOAD + i]) * e[i];
    }
    return sum;
}

/* A force, then a torque, by the values of six functions in the axes of at->k. */
bool rt_components_load(const rt_load_at *at, bool partials, rt_load_result *out);
bool rt_components_unit(const rt_load_at *at, int k, rt_load_result *out);

/* Force and torque given by components in the axes of frame k; on i, reaction on j's body (NULL:
 * none). Partials here are those with the components held fixed; the system adds components' own
 * partials. The variation of k enters: partial_k[12][3] (level xi, dtheta of k). The reaction -f
 * acts on j at the origin of frame i, i.e. with the torque (r_i - r_j) x (-f) about j's origin, so
 * that the pair leaves momentum alone. */
void rt_vector_load_evaluate(const rt_frame *i, const rt_frame *j, const rt_frame *k,
                             const rt_scalar force[3], const rt_scalar torque[3], bool partials,
                             rt_load_result *out, rt_scalar partial_k[12 * 3]);

/* The rigid body's own inertia, an element like any other: wrench[0] = (m a, I al + w x I w) about
 * the centre of mass, its partials in partial[l][i*12+j], i, j < 6. inertia0: body axes. */
void rt_inertia_evaluate(const rt_frame *body, rt_scalar mass, const rt_scalar inertia0[9],
                         bool partials, rt_load_result *out);

/* The same at the point O from which the frame is counted: what a body takes to move as it does
 * under gravity. wrench: (f, t_O) in residual sense; K, D, M: 6 x 6 column-major partials by the
 * levels of a spatial variation, where the wrench `others` (about the frame's origin, residual
 * sense) acts besides. */
typedef struct rt_spatial_inertia {
    rt_scalar wrench[6], K[36], D[36], M[36];
} rt_spatial_inertia;

void rt_inertia_spatial(const rt_frame *body, rt_scalar mass, const rt_scalar inertia[9],
                        const rt_scalar gravity[3], const rt_scalar others[6], bool partials,
                        rt_spatial_inertia *out);

#endif
