/* What the parts of the penalty method share: the equations in coordinates of their own.
 *
 *     xi = T x,    x = Q (c, y),    (G T)' = Q [R; 0]
 *
 * T is search->unit, so that lengths and angles compare; Q is orthogonal, so c (m of them) measures
 * how far x stands out of the tangent of the constraints, y (z of them) moves in it. The rows of
 * motion are turned by Y from (T (G' + L)) = Y [R_y; 0] (Y = Q where no load uses reactions) and
 * the first m of them divided by the penalty. Then the multipliers' part of the rows is p(d/dt) c
 * and zero, where p(s) = s^2 + 2 xi omega s + omega^2. */
#ifndef RT_ORACLES_PENALTY_H
#define RT_ORACLES_PENALTY_H

#include "base/reflectors.h"
#include "methods/method.h"

/* All matrices column-major. */
typedef struct rt_penalty_space {
    const rt_search *s;
    rt_state_row *rows;
    int n, m, z;
    rt_penalty_options options; /* no zeros left */
    double penalty;             /* alpha times the typical mass, kg */
    int *slot;                  /* n_rows: number among the m rows kept, or -1 */
    rt_reflectors Q, Y;         /* with R, R_y */
    bool reactions;             /* loads use them: Y is not Q */
    double *state;              /* z x n: s_x T Q */
    double *Myy;                /* z x z: M of the y'' in the last z rows */
    double *full, *turned;      /* scratch: n_rows, n */
} rt_penalty_space;

routh_status rt_penalty_space_make(rt_penalty_space *space, const rt_method_task *task,
                                   rt_arena *arena, routh_error *error);

/* x := T Q x, n x columns */
void rt_penalty_motion(const rt_penalty_space *space, int columns, double *x);

/* r := the rows of motion of r, n x columns */
void rt_penalty_turn_rows(const rt_penalty_space *space, int columns, double *r);

/* out (n x n, zeroed) = the rows of motion of a matrix on a pattern by (c, y), without the
 * penalty's part */
routh_status rt_penalty_turn(const rt_penalty_space *space, const rt_pattern *pattern,
                             const double *values, double *out, rt_arena *arena,
                             routh_error *error);

/* LU of the rows above on (c'', y''), penalty included. lu: n x n, zeroed */
routh_status rt_penalty_mass(const rt_penalty_space *space, double *lu, int *pivots,
                             rt_arena *arena, routh_error *error);

/* X, U: n x z: the exact tangent, xi = X S, u = X W + U S. */
routh_status rt_penalty_tangent(rt_penalty_space *space, double *X, double *U, rt_arena *arena,
                                routh_error *error);

/* S'' by S and by W along the tangent, row-major: of the exact equations, and of those whose
 * accelerations alone are penalized, lambda = lambda_0 + alpha Phi''. */
routh_status rt_penalty_accelerations(rt_penalty_space *space, const double *X, const double *U,
                                      bool penalized, double *A_SS, double *A_SW, rt_arena *arena,
                                      routh_error *error);

/* X, U, A_SS and A_SW of the true eigenvalues of the penalized equations about a state of rest. */
routh_status rt_penalty_spectrum(rt_penalty_space *space, rt_sensitivity *out, rt_arena *arena,
                                 routh_error *error);

/* The parts of rt_penalty_spectrum. Time is in units of 1/rate. */
typedef struct rt_penalty_modes {
    double rate;   /* 1/s */
    double *D, *K; /* n x n: x'' + D x' + K x = 0 */
    double *V, *T; /* 2n x 2z, 2z x 2z: (x, x') = V e^(T t) moves as the true modes do */
} rt_penalty_modes;

/* rate, D and K of the penalized equations. */
routh_status rt_penalty_equations(const rt_penalty_space *space, rt_penalty_modes *modes,
                                  rt_arena *arena, routh_error *error);

/* rate, V and T by iteration from the exact tangent; *found false where that does not lead to
 * modes that nearly keep to the constraints. D and K are not needed. */
routh_status rt_penalty_iterate(const rt_penalty_space *space, rt_penalty_modes *modes, bool *found,
                                rt_arena *arena, routh_error *error);

/* V and T of D and K by all 2n eigenvalues; NUMERIC_ERROR where true and spurious ones cannot be
 * told apart. */
routh_status rt_penalty_schur(const rt_penalty_space *space, rt_penalty_modes *modes,
                              rt_arena *arena, routh_error *error);

/* M W' + (C + dC) W + (K + dK) S = 0, S' = W, of the true modes about a state of rest: the exact
 * equations along the tangent, and what the penalties add. Column-major. */
typedef struct rt_penalty_pencil {
    int z;
    double *M, *C, *K, *dC, *dK; /* z x z */
    double *T;                   /* z x 2z: -M^-1 [K + dK, C + dC] */
} rt_penalty_pencil;

/* X: n x z, the exact tangent. Of *out the motions X and U. *found false where loads use reactions,
 * or where the iteration does not lead to modes that nearly keep to the constraints. */
routh_status rt_penalty_polish(const rt_penalty_space *space, const double *X,
                               rt_penalty_pencil *pencil, rt_sensitivity *out, bool *found,
                               rt_arena *arena, routh_error *error);

/* Of the pencil, as rt_eigenvalue_bounds (2z each; 1/s), in the coordinates of its undamped modes,
 * where rounding of stiff parts does not touch slow modes. *found false where the mass or the
 * stiffness is not definite. */
routh_status rt_penalty_modal_bounds(const rt_penalty_space *space, const double *X,
                                     const rt_penalty_pencil *pencil, double *re, double *im,
                                     double *bound, bool *found, rt_arena *arena,
                                     routh_error *error);

/* Eigenvalues of A (n x n, column-major), and how far one of B may be from each, in equal numbers:
 * re, im, bound. doubt: the error of each entry of B; n x n, or one number for all where it is
 * flat. */
typedef struct rt_penalty_doubt {
    double flat;
    const double *entries; /* NULL: none beside flat */
} rt_penalty_doubt;
routh_status rt_eigenvalue_bounds(int n, const double *A, const double *B, rt_penalty_doubt doubt,
                                  double *re, double *im, double *bound, routh_error *error);

#endif
