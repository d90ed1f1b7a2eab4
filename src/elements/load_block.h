/* 3x3 blocks of a load's 12x12 partial: block row and column 0..3 are force/dr and torque/dtheta
 * of frame 0, then of frame 1. */
#ifndef RT_ELEMENTS_LOAD_BLOCK_H
#define RT_ELEMENTS_LOAD_BLOCK_H

#include "base/vec3.h"

/* P[row, column] += s M */
static inline void rt_block_add(rt_scalar P[144], int row, int column, rt_scalar s,
                                const rt_scalar M[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) P[12 * (3 * row + i) + 3 * column + j] += s * M[3 * i + j];
}

/* The four blocks of a force M (d_i - d_j) on frame i and its opposite on frame j; rows and
 * columns are those of forces (kind 0) or of torques (kind 1). */
static inline void rt_block_pair(rt_scalar P[144], int kind, const rt_scalar M[9])
{
    rt_block_add(P, kind, kind, 1, M);
    rt_block_add(P, kind, kind + 2, -1, M);
    rt_block_add(P, kind + 2, kind, -1, M);
    rt_block_add(P, kind + 2, kind + 2, 1, M);
}

/* M += s a b' */
static inline void rt_m3_add_outer(rt_scalar M[9], rt_scalar s, const rt_scalar a[3],
                                   const rt_scalar b[3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) M[3 * i + j] += s * a[i] * b[j];
}

#endif
