/* The descriptor pencil of a linearized mechanism, and what is left of it when its infinite
 * eigenvalues are deflated. */
#ifndef RT_REDUNDANT_PENCIL_H
#define RT_REDUNDANT_PENCIL_H

#include "linear/method.h"

/* The finite part, E c' = A c of order 2z, time counted in 1/rate. Column-major. */
typedef struct rt_finite_pencil {
    int n, z;
    int n_infinite; /* eigenvalues deflated */
    double rate;
    double *E, *A;
    double *states; /* 2z x 2z: (S, W / rate) = states c */
    double *xi;     /* n x 2z: xi = xi c */
    double *u;      /* n x 2z: du = rate u c */
} rt_finite_pencil;

/* The frequency that both pencils are scaled by, sqrt(|K| / |M|) or so; 1 where there is none. */
double rt_typical_rate(const rt_search *search);

/* Nothing moves, nothing is accelerated and no motion is prescribed: V_x, A_u, A_x and what is like
 * them in the states' rows do nothing. */
bool rt_nothing_turns(const rt_search *search, const rt_state_row *rows, int z, double rate);

/* At rest (Gonzalez et al. 2017, Eq. 8 to 10), y = (xi, du, lambda):
 *     E = diag(I, M, 0),   A = [0 I 0; -K -D -(G'+L); -G 0 0]
 * of order 2n + m over the m independent rows of G. */
routh_status rt_deflate_at_rest(const rt_search *search, const rt_state_row *rows, int z,
                                rt_arena *arena, rt_finite_pencil *pencil, routh_error *error);

/* In motion, y = (S, W, xi, du, du', lambda), of order 2z + 3n + m:
 *     S' = W,   W' = s_x du' + a_u du + a_x xi
 * and the algebraic rows of the augmented method. */
routh_status rt_deflate_in_motion(const rt_search *search, const rt_state_row *rows, int z,
                                  rt_arena *arena, rt_finite_pencil *pencil, routh_error *error);

#endif
