/* Moments of a flexible body as it is deformed, in its frame's axes. */
#ifndef RT_LOADS_FLEXIBLE_MOMENTS_H
#define RT_LOADS_FLEXIBLE_MOMENTS_H

#include "base/vec3.h"
#include "flexible/flexible.h"

/* Constants of the shape as the numbers that are calculated with. */
static inline void rt_take_constants(rt_scalar *to, const double *from, int n)
{
    for (int i = 0; i < n; i++) to[i] = from[i];
}

/* X += sum_k x_k N_kl: with x = q', int (sum_k S_k x_k) S_l' dm */
static inline void rt_flexible_add_column(rt_scalar X[9], const rt_flexible *flexible, int l,
                                          const rt_scalar *x)
{
    const rt_pattern *p = &flexible->pattern;
    for (int e = p->start[l]; e < p->start[l + 1]; e++) {
        const rt_scalar by = x[p->row[e]];
        const double *N = flexible->N + 9 * (size_t)e;
        for (int i = 0; i < 9; i++) X[i] += by * N[i];
    }
}

/* a += sum_k x_k a_kl, B += sum_k x_k B_kl; there is a2 */
static inline void rt_flexible_add_second(rt_scalar a[3], rt_scalar B[9],
                                          const rt_flexible *flexible, int l, const rt_scalar *x)
{
    const rt_pattern *p = &flexible->pattern;
    for (int e = p->start[l]; e < p->start[l + 1]; e++) {
        const rt_scalar by = x[p->row[e]];
        const double *a2 = flexible->a2 + 3 * (size_t)e, *B2 = flexible->B2 + 9 * (size_t)e;
        for (int i = 0; i < 3; i++) a[i] += by * a2[i];
        for (int i = 0; i < 9; i++) B[i] += by * B2[i];
    }
}

/* (int a x b dm) of the matrix int a b' dm */
static inline void rt_m3_moment(rt_scalar v[3], const rt_scalar X[9])
{
    v[0] = X[5] - X[7], v[1] = X[6] - X[2], v[2] = X[1] - X[3];
}

static inline rt_scalar rt_m3_trace(const rt_scalar X[9]) { return X[0] + X[4] + X[8]; }

/* y = (tr X 1 - X') w */
static inline void rt_m3_turn(rt_scalar y[3], const rt_scalar X[9], const rt_scalar w[3])
{
    const rt_scalar trace = rt_m3_trace(X);
    rt_m3_tmul_v(y, X, w);
    for (int i = 0; i < 3; i++) y[i] = trace * w[i] - y[i];
}

/* The inertia about the frame's origin tr P 1 - P + rotary, P = int s s' dm. */
static inline void rt_flexible_inertia_of(rt_scalar J[9], const rt_flexible *flexible,
                                          const rt_scalar P[9])
{
    const rt_scalar trace = rt_m3_trace(P);
    for (int i = 0; i < 9; i++) J[i] = flexible->rotary[i] - P[i];
    J[0] += trace, J[4] += trace, J[8] += trace;
}

#endif
