/* Joined coordinate sets: variables that bodies share, in which joints vanish (neck 1, upper side).
 *
 * Spatial vectors are taken at a fixed point O that the set chooses (the world's origin unless it
 * says so; torques and moments of inertia about a point far away lose digits), world components.
 * With r the origin of a body's frame from O, its velocity and a variation of its configuration are
 *     V  = (v_O, w),           v  = v_O + w x r
 *     Xi = (Xi_O, dtheta),     xi = (dr, dtheta),  dr = Xi_O + dtheta x r
 * and a wrench is (f, t_O), t_O about O. A body's frame depends on its columns of u only:
 *     Xi   = sum J xi
 *     Xi'  = sum J du  + J1 xi
 *     Xi'' = sum J du' + J2u du + J2x xi
 * over them, where d(xi)/dt = du + Gamma xi has been used (EQUATIONS.md). The columns of these
 * four matrices, six numbers each, are called screws here.
 *
 * A joined set is compiled for a model: rt_joined says which rows of which joints hold of
 * themselves, which columns move a body, and which rows the coordinates bring. It is immutable;
 * numbers that change live in memory that the caller owns. */
#ifndef RT_COORDINATES_JOINED_H
#define RT_COORDINATES_JOINED_H

#include "elements/frames.h"
#include "model/model.h"

typedef struct rt_joined_set rt_joined_set;

typedef struct rt_joined {
    const rt_joined_set *set;
    const routh_model *model;
    int n_bodies, n_q, n_u;
    rt_scalar origin[3]; /* O in the world */

    /* Columns of body b: column[e], ascending, and the screw that goes with it, screw[e], for
     * start[b] <= e < start[b + 1]. Bodies may share a screw. */
    int *start, *column, *screw;
    int n_screws;

    bool *angle;      /* n_u: an angle (or a number of that size), not a length */
    int *column_body; /* n_u: the body to name where the column is spoken of */
    int *place;       /* n_u: which number of q the column moves; of a ball's three columns, where
                         its quaternion begins. NULL: column c moves q[c] */
    bool *ball;       /* n_u: one of a ball's three columns; NULL: none is */

    unsigned *held; /* n_joints: bit r is set where row r of the joint holds of itself */

    /* Where the columns form a tree: path of body b is tip[b], parent[tip[b]], ... down to -1;
     * parent[c] < c. Screw c belongs to column c, whichever the body, and
     *     d(S_c) = sum over k = carrier[c], parent[carrier[c]], ... of (S_k x S_c) xi_k.
     * NULL where there is no tree. */
    int *tip, *parent, *carrier;

    /* Rows that the coordinates bring: row r has the columns own_column[e], ascending, for
     * own_start[r] <= e < own_start[r + 1]. */
    int n_own;
    int *own_start, *own_column;
    const char **own_label; /* n_own, for messages: "length of rod1" */
    int *own_body;          /* n_own: the body to name */

    /* Where the set has its own constant mass matrix: of body b, on its columns, n x n row-major
     * from mass_start[b]; the inertia force is mass u' and nothing else, and dr of the centre of
     * mass does not depend on q, so that a weight gives constant forces. NULL: rigid bodies'
     * inertia is taken from their frames. */
    int *mass_start;
    rt_scalar *mass;

    size_t n_work; /* doubles of scratch that the functions below need */
    void *data;    /* the set's own */
} rt_joined;

/* How many columns move body b. */
static inline int rt_joined_columns(const rt_joined *joined, int b)
{
    return joined->start[b + 1] - joined->start[b];
}

/* n_screws x 6 each. */
typedef struct rt_screws {
    rt_scalar *J, *J1, *J2u, *J2x;
} rt_screws;

/* Rows of the coordinates: value, rate and acceleration (n_own each) and their partials, entries
 * in the order of own_column: d(row)/dxi, d(row')/dxi, d(row'')/du, d(row'')/dxi. */
typedef struct rt_own_rows {
    rt_scalar *value[3];
    rt_scalar *G, *Vx, *Au, *Ax;
} rt_own_rows;

struct rt_joined_set {
    const char *name; /* as on the command line */
    const char *about;
    /* Fills *joined, which is zero but for set, model and n_bodies. wanted[n_joints]: true where
     * the joint's reaction is used by an expression, so that all its rows must stay. */
    routh_status (*compile)(rt_joined *joined, const bool *wanted, rt_arena *arena,
                            routh_error *error);
    /* q and u from frames (pose and twist) of the bodies; exact where they satisfy the joints, near
     * them else. */
    void (*take)(const rt_joined *joined, const rt_frame *bodies, rt_scalar *q, rt_scalar *u,
                 rt_scalar *work);
    /* Poses, twists and accelerations of all bodies. */
    void (*frames)(const rt_joined *joined, const rt_scalar *q, const rt_scalar *u,
                   const rt_scalar *udot, rt_frame *bodies, rt_scalar *work);
    /* The screws; bodies and work as rt_joined_set.frames left them. */
    void (*screws)(const rt_joined *joined, const rt_scalar *q, const rt_scalar *u,
                   const rt_scalar *udot, const rt_frame *bodies, rt_screws *out, rt_scalar *work);
    /* K += d(J'w)/dxi of body b for a wrench (f, t_O) held fixed, on the body's columns, n x n
     * row-major; NULL where there is a tree. */
    void (*geometric)(const rt_joined *joined, int body, const rt_scalar *q, const rt_frame *frame,
                      const rt_scalar wrench[6], rt_scalar *K);
    /* What column c of u is, after the name of its body column_body[c]: "point2.x", and its unit
     * ("m", "rad", "": a pure number), which rt_joined.angle alone does not say. NULL where each is
     * an angle or a displacement of a joint. */
    void (*describe)(const rt_joined *joined, int c, char *text, size_t room, const char **unit);
    /* q moved along xi. */
    void (*advance)(const rt_joined *joined, rt_scalar *q, const rt_scalar *xi);
    /* NULL where n_own is 0 in every model. */
    void (*own_rows)(const rt_joined *joined, const rt_scalar *q, const rt_scalar *u,
                     const rt_scalar *udot, rt_own_rows *out);
    /* d(G_r')/dxi on the columns of row r, n x n row-major (overwritten). */
    void (*own_curvature)(const rt_joined *joined, int row, const rt_scalar *q, rt_scalar *K);
    /* Multipliers own[n_own] of the coordinates' own rows where redundant ones leave them open:
     * those that go with the forces of the joints. wrench: n_bodies x 6 about O, all that acts on
     * the bodies but inertia, weight and rows that hold of themselves (residual sense); lambda:
     * n_joints x 6, the multipliers of all rows of the joints. NULL where the equations of motion
     * determine them. */
    void (*own_multipliers)(const rt_joined *joined, const rt_scalar *q, const rt_scalar *udot,
                            const rt_frame *bodies, const rt_scalar *wrench,
                            const rt_scalar (*lambda)[6], rt_scalar *own, rt_scalar *work);
};

/* By name, or NULL. */
const rt_joined_set *rt_joined_set_find(const char *name);

/* Joint coordinates along a spanning tree, bodies without a joint to the ground floating. */
extern const rt_joined_set rt_relative;

/* Points and unit vectors shared between bodies; in a plane where the joints leave only that. */
extern const rt_joined_set rt_natural;

#endif
