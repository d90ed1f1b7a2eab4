/* 3-vectors and 3x3 matrices (row-major, m[3*i+j]), all inline. Outputs may not alias inputs
 * unless said. */
#ifndef RT_BASE_VEC3_H
#define RT_BASE_VEC3_H

#include <string.h>

#include "base/scalar.h"

static inline void rt_v3_set(rt_scalar v[3], rt_scalar x, rt_scalar y, rt_scalar z)
{
    v[0] = x, v[1] = y, v[2] = z;
}
static inline void rt_v3_copy(rt_scalar a[3], const rt_scalar b[3]) { memcpy(a, b, 3 * sizeof *a); }
static inline bool rt_v3_is_zero(const rt_scalar a[3])
{
    return a[0] == 0 && a[1] == 0 && a[2] == 0;
}
static inline rt_scalar rt_v3_dot(const rt_scalar a[3], const rt_scalar b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline rt_scalar rt_v3_norm(const rt_scalar a[3]) { return rt_sqrt(rt_v3_dot(a, a)); }
static inline void rt_v3_cross(rt_scalar c[3], const rt_scalar a[3], const rt_scalar b[3])
{
    const rt_scalar x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0], c[0] = x, c[1] = y;
}
/* c += a x b */
static inline void rt_v3_cross_add(rt_scalar c[3], const rt_scalar a[3], const rt_scalar b[3])
{
    c[0] += a[1] * b[2] - a[2] * b[1], c[1] += a[2] * b[0] - a[0] * b[2];
    c[2] += a[0] * b[1] - a[1] * b[0];
}
static inline void rt_v3_sub(rt_scalar c[3], const rt_scalar a[3], const rt_scalar b[3])
{
    c[0] = a[0] - b[0], c[1] = a[1] - b[1], c[2] = a[2] - b[2];
}
static inline void rt_v3_add(rt_scalar c[3], const rt_scalar a[3], const rt_scalar b[3])
{
    c[0] = a[0] + b[0], c[1] = a[1] + b[1], c[2] = a[2] + b[2];
}
static inline void rt_v3_add_scaled(rt_scalar c[3], rt_scalar s, const rt_scalar a[3])
{
    c[0] += s * a[0], c[1] += s * a[1], c[2] += s * a[2];
}
static inline void rt_v3_scale(rt_scalar c[3], rt_scalar s, const rt_scalar a[3])
{
    c[0] = s * a[0], c[1] = s * a[1], c[2] = s * a[2];
}
/* y = A x */
static inline void rt_m3_mul_v(rt_scalar y[3], const rt_scalar A[9], const rt_scalar x[3])
{
    const rt_scalar a = rt_v3_dot(A, x), b = rt_v3_dot(A + 3, x), c = rt_v3_dot(A + 6, x);
    y[0] = a, y[1] = b, y[2] = c;
}
/* y = A' x */
static inline void rt_m3_tmul_v(rt_scalar y[3], const rt_scalar A[9], const rt_scalar x[3])
{
    const rt_scalar a = A[0] * x[0] + A[3] * x[1] + A[6] * x[2];
    const rt_scalar b = A[1] * x[0] + A[4] * x[1] + A[7] * x[2];
    const rt_scalar c = A[2] * x[0] + A[5] * x[1] + A[8] * x[2];
    y[0] = a, y[1] = b, y[2] = c;
}
/* C = A B */
static inline void rt_m3_mul(rt_scalar C[9], const rt_scalar A[9], const rt_scalar B[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}
/* C = A' B */
static inline void rt_m3_tmul(rt_scalar C[9], const rt_scalar A[9], const rt_scalar B[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[3 * i + j] = A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j];
}
/* C = A B' */
static inline void rt_m3_mul_t(rt_scalar C[9], const rt_scalar A[9], const rt_scalar B[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) C[3 * i + j] = rt_v3_dot(A + 3 * i, B + 3 * j);
}
/* The cross-product matrix: S x = v x x. */
static inline void rt_m3_skew(rt_scalar S[9], const rt_scalar v[3])
{
    S[0] = 0, S[1] = -v[2], S[2] = v[1];
    S[3] = v[2], S[4] = 0, S[5] = -v[0];
    S[6] = -v[1], S[7] = v[0], S[8] = 0;
}
static inline void rt_m3_identity(rt_scalar A[9])
{
    memset(A, 0, 9 * sizeof *A);
    A[0] = A[4] = A[8] = 1;
}
/* Column k of a rotation: the unit vector of axis k. */
static inline void rt_m3_column(rt_scalar v[3], const rt_scalar A[9], int k)
{
    v[0] = A[k], v[1] = A[3 + k], v[2] = A[6 + k];
}

#endif
