/* Derivatives of the linear model's matrices of second order, without the inverse of the mass. A
 * unit cause c (of y or an input) makes x = (xi, u, u', lambda, ..) of the pencil, and with U the
 * velocities of unit W (G U = 0), F = D u + K xi + L lambda + R signals + what inputs do, and b the
 * acceleration that leaves W' zero,
 *     mass = U^T M U,    mass W'(c) = - U^T (F + M b),
 *     B b = - [A_u u + A_x xi + ..; a_u u + a_x xi],   B = [G; s_x]
 * whose derivatives along a parameter, dx = -R^-1 w and dU = -B^-1 w_W, are
 *     - dU^T (F + M b) - U^T (dF + dM b) + kappa^T (dB b + d[..]) + psi^T w,
 *     kappa = B^-T M U,    dU^T r = - w_W^T B^-T r
 * with psi^T dx what F and the rows of b owe to dx. */
#ifndef RT_STUDIES_MATRIX_SECOND_ORDER_H
#define RT_STUDIES_MATRIX_SECOND_ORDER_H

#include "studies/sensitivity_paths.h"

typedef struct rt_second_order_change {
    const rt_levels_pencil *p;
    const rt_paths *paths;
    int causes;
    const double *x, *w;    /* n2 x causes, the caller's */
    double *U, *kappa;      /* n x z1 */
    double *b, *k;          /* n x causes: k = B^-T (F + M b) */
    double *psi;            /* n2 x z1 */
    double *forces, *rows;  /* n x causes: dF + dM b; dB b + d[..] */
    double *mass, *product; /* z1 x z1; z1 x causes, row-major: d mass, d(mass W') */
} rt_second_order_change;

/* x: of all causes: y, then inputs, their first and their second rates. Memory is the arena's. */
routh_status rt_second_order_change_create(rt_second_order_change *change,
                                           const rt_levels_pencil *pencil, const rt_paths *paths,
                                           int causes, const double *x, const double *w,
                                           rt_arena *arena, routh_error *error);

/* Along the parameter that the pencil and the paths have been varied by, and w found of. */
void rt_second_order_change_find(rt_second_order_change *change);

#endif
