/* Constraint Jacobian of N planar four-bar loops in a row, built of 3-D bodies and revolute joints
 * and turned by a general rotation: 2N + 1 links, 3N + 1 joints of 5 rows, 3N redundant rows, one
 * degree of freedom. Columns of body b: 6b .. 6b+5, displacement and virtual rotation. */
#ifndef TESTS_BASE_LOOPS_H
#define TESTS_BASE_LOOPS_H

#include <math.h>
#include <stdlib.h>

#include "base/sparse.h"
#include "base/vec3.h"

typedef struct loops {
    rt_arena arena;
    rt_pattern pattern;
    double *values;
    int n_rows, n_columns, rank;
    size_t count;
    int *row, *column;
    double *value;
} loops;

static const double loops_turn[9] = {0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6};

static void loops_put(loops *l, int row, int column, double value)
{
    if (fabs(value) < 1e-15) return;
    l->row[l->count] = row, l->column[l->count] = column, l->value[l->count++] = value;
}

/* One side of a joint: the arm from the body's centre to the joint in the plane of the mechanism,
 * and the body's axes, turned in that plane by the angle t; body -1 is the ground. */
static void loops_side(loops *l, int row, int body, double x, double y, double t, double sign)
{
    if (body < 0) return;
    const double plane[3] = {x, y, 0}, spin[9] = {cos(t), -sin(t), 0, sin(t), cos(t), 0, 0, 0, 1};
    double arm[3], axes[9], S[9], SA[9], TA[9];
    rt_m3_mul_v(arm, loops_turn, plane);
    rt_m3_mul(axes, loops_turn, spin);
    rt_m3_skew(S, arm);
    rt_m3_mul(SA, S, axes);
    rt_m3_tmul(TA, loops_turn, axes);
    for (int i = 0; i < 3; i++) {
        loops_put(l, row + i, 6 * body + i, sign);
        for (int j = 0; j < 3; j++) loops_put(l, row + i, 6 * body + 3 + j, -sign * SA[3 * i + j]);
    }
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < 3; j++)
            loops_put(l, row + 3 + k, 6 * body + 3 + j, sign * TA[3 * k + j]);
}

/* A link of body number body from (x0, y0) to (x1, y1), joined at both ends: rows of the two
 * joints, and signs. */
static void loops_link(loops *l, int body, const double from[2], const double to[2],
                       const int rows[2], double sign)
{
    const double x = (to[0] - from[0]) / 2, y = (to[1] - from[1]) / 2, t = atan2(y, x);
    if (rows[0] >= 0) loops_side(l, rows[0], body, -x, -y, t, sign);
    if (rows[1] >= 0) loops_side(l, rows[1], body, x, y, t, sign);
}

static void loops_tip(double foot[2], double tip[2], int k, double a, double uneven)
{
    foot[0] = k + uneven * sin(3.1 * k), foot[1] = uneven * sin(5.3 * k);
    tip[0] = k + cos(a) + uneven * cos(2.7 * k), tip[1] = sin(a) + uneven * cos(4.9 * k + 1);
}

/* Cranks 0..N of about length 1 stand at about angle a on a ground line, couplers N+1..2N join
 * their tips; uneven 0: all loops equal; 0.2: all different. */
static void loops_make(loops *l, int N, double a, double uneven)
{
    const int joints = 3 * N + 1;
    *l = (loops){.n_rows = 5 * joints, .n_columns = 6 * (2 * N + 1), .rank = 5 * joints - 3 * N};
    const size_t most = (size_t)joints * 2 * 18;
    l->row = malloc(most * sizeof(int)), l->column = malloc(most * sizeof(int));
    l->value = malloc(most * sizeof(double));
    for (int k = 0; k <= N; k++) {
        /* joint k: crank k on the ground; N+1+2c and N+2+2c: the left and right end of coupler c */
        double foot[2], tip[2], next_foot[2], next[2];
        const int left[2] = {5 * k, k < N ? 5 * (N + 1 + 2 * k) : -1},
                  right[2] = {-1, k ? 5 * (N + 2 * k) : -1};
        const int ends[2] = {5 * (N + 1 + 2 * k), 5 * (N + 2 + 2 * k)};
        loops_tip(foot, tip, k, a, uneven);
        loops_tip(next_foot, next, k + 1, a, uneven);
        loops_link(l, k, foot, tip, left, 1);
        loops_link(l, k, foot, tip, right, 1);
        if (k < N) loops_link(l, N + 1 + k, tip, next, ends, -1);
    }
    int *position = malloc(l->count * sizeof *position);
    if (rt_pattern_build(&l->pattern, l->n_rows, l->n_columns, l->count, l->row, l->column,
                         position, &l->arena, NULL))
        abort();
    l->values = RT_TAKE(&l->arena, double, l->count);
    for (size_t e = 0; e < l->count; e++) l->values[position[e]] += l->value[e];
    free(position);
}

static void loops_free(loops *l)
{
    free(l->row), free(l->column), free(l->value);
    rt_arena_free(&l->arena);
}

#endif
