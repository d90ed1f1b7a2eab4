/* What the two paths of the elimination share; private to elimination*.c. */
#ifndef RT_BASE_ELIMINATION_PATHS_H
#define RT_BASE_ELIMINATION_PATHS_H

#include "base/elimination.h"

/* The matrix to eliminate is s_ij = row_scale_i a_ij. Pivots are compared by row_weight_i
 * column_weight_j |s_ij|; zero is decided without the weights, by |s_ij| <= tolerance * growth_i.
 */
typedef struct rt_elimination_task {
    const rt_pattern *pattern;
    const double *values;
    double *row_scale;     /* 1 / largest entry of the row; 0 for a row of zeros */
    double *row_weight;    /* n_rows, positive */
    double *column_weight; /* n_columns, positive */
    double *
        growth; /* n_rows: the largest number that has been in the row or subtracted from it, 1 at
                   the start: what is left of a redundant row is rounding of numbers of this size */
    double tolerance;
    rt_elimination *result;
    rt_analyses *analyses; /* whose memory it takes; NULL: the system's */
} rt_elimination_task;

/* Notes (row, column) as the next pivot, of size |s_ij| / growth_i. */
static inline void rt_elimination_accept(rt_elimination *e, int row, int column, double size)
{
    e->pivot_row[e->rank] = row;
    e->pivot_column[e->rank] = column;
    e->pivot_size[e->rank] = size;
    e->row_step[row] = e->rank;
    e->column_step[column] = e->rank;
    e->rank++;
    if (size < e->smallest_pivot) e->smallest_pivot = size;
}

/* The whole result with its arrays, and a copy; NULL: there is no memory for it. */
size_t rt_elimination_bytes(int n_rows, int n_columns);
rt_elimination *rt_elimination_copy(const rt_elimination *elimination, rt_analyses *analyses);

/* rt_eliminate in memory that is kept there; NULL: the system's. */
routh_status rt_eliminate_in(rt_elimination **out, const rt_pattern *pattern, const double *values,
                             const double *row_weight, const double *column_weight,
                             double tolerance, int path, rt_analyses *analyses, routh_error *error);

routh_status rt_eliminate_dense(const rt_elimination_task *task, routh_error *error);
routh_status rt_eliminate_sparse(const rt_elimination_task *task, routh_error *error);

#endif
