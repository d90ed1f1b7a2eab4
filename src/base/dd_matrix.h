/* Dense matrices of double-double numbers, column-major: products, and factors with row exchanges.
 * They allocate nothing. */
#ifndef RT_BASE_DD_MATRIX_H
#define RT_BASE_DD_MATRIX_H

#include "base/double_double.h"
#include "base/error.h"

/* C (m x n) := A (m x k) B (k x n) */
void rt_dd_times(int m, int k, int n, const rt_dd *A, const rt_dd *B, rt_dd *C);

/* P A = L U in place, pivots (n) as LAPACK's, from 0. SINGULAR where a pivot is zero. */
routh_status rt_dd_factor(int n, rt_dd *a, int *pivots, routh_error *error);

/* B (n x n_rhs) := A^-1 B */
void rt_dd_solve(int n, const rt_dd *lu, const int *pivots, int n_rhs, rt_dd *b);

/* y (n) += a x; of two contiguous columns */
void rt_dd_add_column(int n, rt_dd a, const rt_dd *x, rt_dd *y);

#endif
