/* The descriptor pencil of a linearized mechanism, and what is left of it when its infinite
 * eigenvalues are deflated. */
#ifndef RT_METHODS_REDUNDANT_PENCIL_H
#define RT_METHODS_REDUNDANT_PENCIL_H

#include "methods/method.h"

typedef enum rt_varied {
    RT_VARIED_XI,
    RT_VARIED_U,
    RT_VARIED_UDOT,
    RT_VARIED_LAMBDA, /* of the independent rows, by slot */
    RT_VARIED_RATE,   /* X' */
    RT_VARIED_V,
    RT_VARIED_N
} rt_varied;

/* The finite part, E c' = A c of order z + z1 + n_x, time counted in 1/rate. Column-major. */
typedef struct rt_finite_pencil {
    int n, z, z1, n_x, n_v, order;
    int n_infinite; /* eigenvalues deflated */
    double rate;
    double *E, *A;
    double *states; /* order x order: (S, W / rate, X) / size = states c */
    double *size;   /* order: what each state is counted in, time apart */
    double *xi;     /* n x order: xi = xi c */
    double *u;      /* n x order: du = u c */
    /* Only of rt_deflate_levels: all that varies by c and by (in, in', in'') / in_size, in its own
     * units, as many rows as there are numbers of the kind; and the states by inputs. */
    int n_inputs; /* 3 n_in */
    int n_kept;   /* independent rows of Phi */
    int *slot;    /* n_rows: place among them, or -1 */
    double *by_c[RT_VARIED_N], *by_input[RT_VARIED_N];
    double *states_by_input, *in_size;
} rt_finite_pencil;

/* The frequency that both pencils are scaled by, sqrt(|K| / |M|) or so; 1 where there is none. */
double rt_typical_rate(const rt_search *search);

/* Nothing moves, nothing is accelerated and no motion is prescribed: V_x, A_u, A_x and what is like
 * them in the states' rows do nothing. */
bool rt_nothing_turns(const rt_search *search, const rt_state_row *rows, int z, double rate);

/* At rest (Gonzalez et al. 2017, Eq. 8 to 10), y = (xi, du, lambda):
 *     E = diag(I, M, 0),   A = [0 I 0; -K -D -(G'+L); -G 0 0]
 * of order 2n + m over the m independent rows of G; mechanisms alone, without signals and
 * nonholonomic rows. */
routh_status rt_deflate_at_rest(const rt_search *search, const rt_state_row *rows, int z,
                                rt_arena *arena, rt_finite_pencil *pencil, routh_error *error);

/* In motion, and with signals, y = (S, W, X, xi, du, du', lambda, X', V), of order
 * z + z1 + 2 n_x + 3n + m + n_v:
 *     S' = s_x du + w_x xi,   W' = s_x du' + a_u du + a_x xi,   X' = X'
 * and the algebraic rows of the augmented method. */
routh_status rt_deflate_levels(const rt_method_task *task, const rt_state_row *rows,
                               rt_arena *arena, rt_finite_pencil *pencil, routh_error *error);

#endif
