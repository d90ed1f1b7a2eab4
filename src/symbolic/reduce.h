/* From natural coordinates to independent ones, exactly: M, C and K.
 *
 * With rows Phi(x, t) = 0 of quadratic Phi, constant M and forces Q, where the mechanism stands or
 * moves so that the independent coordinates z do not accelerate,
 *
 *     M x'' + Phi_x' lambda = Q,
 *     dx = N dz,   dx' = N dz' + P dz,   dx'' = N dz'' + 2 P dz' + R dz,
 *     M_z = N' M N,
 *     C_z = N' (2 M P - Q_v N),
 *     K_z = N' (M R + sum lambda_i Phi_i,xx N - Q_x N - Q_v P).
 *
 * N spans the null space of Phi_x, P and R follow from the rates of the rows; one elimination of
 * Phi_x, at the operating point, serves all (Ge, Zhao, Chen and Liu 2005, (42) to (45) with their
 * misprints mended: docs/theory/symbolic.md). */
#ifndef RT_SYMBOLIC_REDUCE_H
#define RT_SYMBOLIC_REDUCE_H

#include "symbolic/joints.h"
#include "symbolic/loads.h"

/* A coordinate that may be independent: its name, and its gradient over the natural ones. */
typedef struct rt_natural_coordinate {
    char name[128];
    rt_exact *gradient; /* n: dz = gradient . dx, which along a motion is all that is needed of z */
    int turning;        /* the body, where z is a rotation of one that turns: there the gradient
                           turns along, and z is no function of the place; else -1 */
    int component;
} rt_natural_coordinate;

typedef struct rt_symbolic_reduction {
    int n; /* independent coordinates */
    char (*names)[128];
    rt_exact *M, *C, *K;   /* n x n, row-major */
    int rank, n_redundant; /* of the rows */
    int n_forces;          /* what must be zero, where the operating point has unknowns: */
    rt_exact *forces;      /* n_forces <= n */
} rt_symbolic_reduction;

/* unknown: forces that are left over along independent coordinates are equations for the unknowns
 * among the symbols, and are kept; else they are errors.
 *
 * names[n_names]: the coordinates that are wanted, "body.x|y|z|rx|ry|rz" or "marker.x|y|z", or the
 * component of an axis, "marker.zx"; NULL: the model's states where it has them, else the first
 * that do. *reduction's arrays live in the field; names are to be freed. Errors: NOT_ASSEMBLED a
 * row that is not zero, NO_EQUILIBRIUM a force that is left over, with what it is in symbols. */
routh_status rt_natural_reduce(const rt_natural_bodies *bodies, const rt_symbolic_row *rows,
                               int n_rows, rt_natural_loads *loads, const char *const *names,
                               int n_names, bool unknown, rt_symbolic_reduction *reduction,
                               routh_error *error);

#endif
