/* Moments of a flexible body as it is deformed, in its frame's axes. */
#ifndef RT_ELEMENTS_FLEXIBLE_MOMENTS_H
#define RT_ELEMENTS_FLEXIBLE_MOMENTS_H

#include "base/vec3.h"
#include "flexible/flexible.h"

/* n constants of the shape from the k-th on, as the numbers that are calculated with. */
#define RT_TAKE_CONSTANTS(to, shape, slope, member, k, n)                                          \
    rt_take_constants(to, (shape)->member + (k), (slope) ? (slope)->member + (k) : NULL, n)

static inline void rt_take_constants(rt_scalar *to, const double *from, const double *slope, int n)
{
    for (int i = 0; i < n; i++) to[i] = rt_shape_number(from, slope, i);
}

/* X += sum_k x_k N_kl: with x = q', int (sum_k S_k x_k) S_l' dm */
static inline void rt_flexible_add_column(rt_scalar X[9], const rt_flexible *flexible,
                                          const rt_flexible *slope, int l, const rt_scalar *x)
{
    const rt_pattern *p = &flexible->pattern;
    for (int e = p->start[l]; e < p->start[l + 1]; e++) {
        const rt_scalar by = x[p->row[e]];
        rt_scalar N[9];
        RT_TAKE_CONSTANTS(N, flexible, slope, N, 9 * (size_t)e, 9);
        for (int i = 0; i < 9; i++) X[i] += by * N[i];
    }
}

/* a += sum_k x_k a_kl, B += sum_k x_k B_kl; there is a2 */
static inline void rt_flexible_add_second(rt_scalar a[3], rt_scalar B[9],
                                          const rt_flexible *flexible, const rt_flexible *slope,
                                          int l, const rt_scalar *x)
{
    const rt_pattern *p = &flexible->pattern;
    for (int e = p->start[l]; e < p->start[l + 1]; e++) {
        const rt_scalar by = x[p->row[e]];
        rt_scalar a2[3], B2[9];
        RT_TAKE_CONSTANTS(a2, flexible, slope, a2, 3 * (size_t)e, 3);
        RT_TAKE_CONSTANTS(B2, flexible, slope, B2, 9 * (size_t)e, 9);
        for (int i = 0; i < 3; i++) a[i] += by * a2[i];
        for (int i = 0; i < 9; i++) B[i] += by * B2[i];
    }
}

/* X += sum_k x_k Y_kl, Y of n numbers an entry */
static inline void rt_flexible_add_pairs(rt_scalar *X, const double *Y, const double *slope,
                                         const rt_pattern *p, int l, int n, const rt_scalar *x)
{
    for (int e = p->start[l]; e < p->start[l + 1]; e++) {
        const rt_scalar by = x[p->row[e]];
        const size_t at = (size_t)n * (size_t)e;
        for (int i = 0; i < n; i++) X[i] += by * rt_shape_number(Y, slope, at + (size_t)i);
    }
}

static inline rt_scalar rt_flexible_mass(const rt_flexible *flexible, const rt_flexible *slope)
{
    return rt_shape_number(&flexible->mass, slope ? &slope->mass : NULL, 0);
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
                                          const rt_flexible *slope, const rt_scalar P[9])
{
    const rt_scalar trace = rt_m3_trace(P);
    RT_TAKE_CONSTANTS(J, flexible, slope, rotary, 0, 9);
    for (int i = 0; i < 9; i++) J[i] -= P[i];
    J[0] += trace, J[4] += trace, J[8] += trace;
}

#endif
