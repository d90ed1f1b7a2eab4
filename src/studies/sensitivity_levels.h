/* A block lower triangular sparse matrix of three levels (position, velocity, motion), each
 * factored alone. Columns whose part of a level is zero are not solved for there. */
#ifndef RT_STUDIES_SENSITIVITY_LEVELS_H
#define RT_STUDIES_SENSITIVITY_LEVELS_H

#include "base/sparse.h"

enum { RT_LEVELS = 3, RT_LEVEL_COLUMNS = 4 }; /* so many solved together */

typedef struct rt_level {
    int first, n;       /* rows and columns */
    rt_pattern pattern; /* of the block */
    double *values;
    rt_pattern below; /* all rows x n: the entries beneath the block */
    double *below_values;
    rt_factor *factor;
} rt_level;

typedef struct rt_pencil_levels {
    int n;
    rt_level level[RT_LEVELS];
    bool twice; /* the second block is the first again: they share its factor */
    double *work;
} rt_pencil_levels;

/* start: where each level begins, and n. Entries at the same place add up; entries above the blocks
 * are none. Memory is the arena's but for the factors. */
routh_status rt_levels_create(rt_pencil_levels *levels, const int start[RT_LEVELS + 1],
                              int n_entries, const int *row, const int *column, const double *value,
                              rt_arena *arena, routh_error *error);
void rt_levels_release(rt_pencil_levels *levels);

/* X (n x n_columns) := R^-1 X, or R'^-1 X; one level of it: the first, then the others (transposed:
 * the last, then the others), each takes its part off the rest of X. */
routh_status rt_levels_solve_one(const rt_pencil_levels *levels, int level, bool transposed,
                                 double *X, int n_columns, routh_error *error);
/* What a level's part of x, solved for already, takes off the rest. */
void rt_levels_take_off(const rt_pencil_levels *levels, int level, double *x);
routh_status rt_levels_solve(const rt_pencil_levels *levels, double *X, int n_columns,
                             routh_error *error);

#endif
