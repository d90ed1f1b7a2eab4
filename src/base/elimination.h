/* Rank-revealing Gaussian elimination of a rectangular matrix: which rows are redundant, which
 * columns depend.
 *
 * Two paths, one result type: dense with full pivoting below a size, sparse with
 * threshold-Markowitz pivoting above it. Rows are first scaled to unit largest entry.
 *
 * The independent columns are the chosen states or coordinates, the redundant rows the surplus
 * constraints: the block of the pivot rows and pivot columns is square and not singular. */
#ifndef RT_BASE_ELIMINATION_H
#define RT_BASE_ELIMINATION_H

#include <stdbool.h>

#include "base/error.h"
#include "base/sparse.h"

typedef enum rt_verdict { RT_YES, RT_NO, RT_CANNOT_TELL } rt_verdict;

typedef struct rt_elimination {
    int n_rows, n_columns;
    int rank;
    int *row_step;    /* n_rows: the step at which the row was pivot row, or -1: redundant */
    int *column_step; /* n_columns: the step at which the column was pivot column (dependent), or
                         -1: independent */
    int *pivot_row;   /* rank: the pivot row of each step */
    int *pivot_column;
    double *pivot_size;      /* rank: of each step, as smallest_pivot */
    double smallest_pivot;   /* of those accepted, in the scaled matrix without weights, relative to
                                how much the row has grown; infinity when rank is 0 */
    double largest_rejected; /* largest entry of the redundant rows that counted as zero, measured
                                likewise; 0 when there is none */
    rt_verdict clear;  /* RT_YES: gap of at least 1e3 between the two; RT_CANNOT_TELL otherwise */
    size_t operations; /* multiply-subtracts and entries looked at while choosing: the work done */
} rt_elimination;

/* Eliminates the matrix given in compressed columns. column_weight (NULL: all 1) multiplies the
 * columns before pivots are compared: a column of small weight is eliminated late, so it tends to
 * stay independent. row_weight likewise for the rows (after the scaling): a row of small weight
 * tends to be the redundant one. The sparse path accepts a pivot of 0.7 of the best and more, so
 * weights must differ by more than that to matter. Weights must lie between 1e-100 and 1e100. Equal
 * candidates go to the lowest row and column (dense path). tolerance in [0, 1): entries at most
 * tolerance (relative to the row's original largest entry, times the growth of the row in the
 * elimination) count as zero; 1e-9 suits constraint Jacobians in doubles. path: 0 chooses by size,
 * 1 dense, 2 sparse. */
routh_status rt_eliminate(rt_elimination **out, const rt_pattern *pattern, const double *values,
                          const double *row_weight, const double *column_weight, double tolerance,
                          int path, routh_error *error);

/* rt_eliminate by size. What was eliminated before, with the same numbers to the bit, is given
 * again where it is kept (NULL: nothing is). */
routh_status rt_eliminate_kept(rt_elimination **out, const rt_pattern *pattern,
                               const double *values, const double *row_weight,
                               const double *column_weight, double tolerance, rt_analyses *analyses,
                               routh_error *error);

/* NULL is allowed. */
void rt_elimination_free(rt_elimination *elimination);

#endif
