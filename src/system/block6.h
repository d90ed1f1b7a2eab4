/* 6-vectors and 6 x 6 blocks, column-major with a stride between columns, inline. */
#ifndef RT_SYSTEM_BLOCK6_H
#define RT_SYSTEM_BLOCK6_H

#include "base/scalar.h"

static inline rt_scalar rt_dot6(const rt_scalar a[6], const rt_scalar b[6])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

/* y += B x */
static inline void rt_block6_times(rt_scalar y[6], const rt_scalar *B, int stride,
                                   const rt_scalar x[6])
{
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 6; i++) y[i] += B[stride * j + i] * x[j];
}

/* y += B' x */
static inline void rt_block6_transposed(rt_scalar y[6], const rt_scalar *B, int stride,
                                        const rt_scalar x[6])
{
    for (int j = 0; j < 6; j++) y[j] += rt_dot6(B + stride * j, x);
}

/* Unlike fmax, one instruction; NaN is not looked at. */
static inline double rt_larger(double a, double b) { return a > b ? a : b; }

#endif
