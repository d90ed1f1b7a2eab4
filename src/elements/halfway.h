/* The frame half-way between two frames that rotate finitely (Crisfield and Jelenic 1999), and how
 * it moves: what the exact beam element (rod.c) and the elements of a beam in a floating frame
 * (flexure.c) are made of. Neither end is preferred.
 *
 * With theta = log(A_a'A_b), the frame half-way is R = A_a exp(theta/2) = A_b exp(-theta/2), and
 *     d = R'(r_b - r_a),    e = (d, theta) - offset.
 * All is worked out in R's axes, in the variation
 *     y = (D, s, p),  D = R'(dr_b - dr_a),  s = R'(dtheta_a + dtheta_b)/2,
 *         p = R'(dtheta_b - dtheta_a):
 *     R turns by  m = s - T theta x p,    de = (D + d x m, L p)
 *     L = Jl(theta)^-1 exp(theta/2) = c 1 + k theta theta',     u = |theta|
 *     c = (u/2)/sin(u/2),  k = (1 - c)/u^2,  T = tan(u/4)/(2 u)
 * L is symmetric and even in theta, which is why neither end is preferred. */
#ifndef RT_ELEMENTS_HALFWAY_H
#define RT_ELEMENTS_HALFWAY_H

#include "elements/frames.h"

typedef struct rt_halfway {
    rt_scalar R[9];
    rt_scalar theta[3], d[3];
    rt_scalar c, k, T;    /* above */
    rt_scalar c2, k2, T2; /* c'/u, k'/u, T'/u */
    rt_scalar e[6], rate[6];
    rt_scalar turning[3];  /* angular velocity of R, its axes */
    rt_scalar relative[3]; /* w_b - w_a, its axes */
} rt_halfway;

/* False where theta is not defined: at half a revolution. */
bool rt_halfway_find(const rt_frame *a, const rt_frame *b, const rt_scalar offset[6],
                     rt_halfway *h);

/* B (6 x 9): de = B y */
void rt_halfway_rows(const rt_halfway *h, rt_scalar B[54]);

/* B' - B w~ (6 x 9), so that d(e') = B y' + (B' - B w~) y where y' is made of xi' as y is of xi:
 * R'' = -w~ R' with w the angular velocity of R in its axes. */
void rt_halfway_rate_rows(const rt_halfway *h, const rt_scalar B[54], rt_scalar E[54]);

/* The forces on y in R's axes: g = B'F = (n, q, t),   F = (n, m),
 *     q = n x d,    t = L m + T theta x q */
typedef struct rt_halfway_forces {
    rt_scalar F[6];
    rt_scalar q[3], t[3];
    rt_scalar arm[3]; /* theta x q */
} rt_halfway_forces;

/* q and t, of F. */
void rt_halfway_spread(const rt_halfway *h, rt_halfway_forces *f);

/* G (9 x 9) += what moves g in components of axes at rest where F stays. */
void rt_halfway_geometric(const rt_halfway *h, const rt_halfway_forces *f, const rt_scalar B[54],
                          rt_scalar G[81]);

/* C[rows][9] += s A[rows][n] B[n][9] */
static inline void rt_halfway_multiply_add(rt_scalar *C, rt_scalar s, const rt_scalar *A, int rows,
                                           int n, const rt_scalar *B)
{
    for (int i = 0; i < rows; i++)
        for (int l = 0; l < n; l++) {
            const rt_scalar x = s * A[n * i + l];
            for (int k = 0; k < 9; k++) C[9 * i + k] += x * B[9 * l + k];
        }
}

#endif
