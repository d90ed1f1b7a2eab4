/* A P = Q R with columns in the order of what they add (Businger and Golub 1965; LAPACK dgeqp3):
 * the rank of A, least squares and the null space, at a tenth of what singular values cost.
 *
 * |R_00| >= |R_11| >= .. fall as the singular values do, though not as surely: a rank is taken only
 * where they show a gap. Matrices are column-major. */
#ifndef RT_BASE_PIVOTED_QR_H
#define RT_BASE_PIVOTED_QR_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

typedef struct rt_pivoted_qr {
    int n_rows, n_columns;
    int rank;
    double *a; /* R in the upper triangle, reflectors below */
    double *tau, *work;
    int *column; /* n_columns: which column of A is where in R */
    int n_work;
    /* room for */
    int most_rows, most_columns;
} rt_pivoted_qr;

/* Room for matrices of up to so many rows and columns, from the arena. */
routh_status rt_pivoted_qr_create(rt_pivoted_qr *qr, int most_rows, int most_columns,
                                  rt_arena *arena, routh_error *error);

/* Factors the n_rows x n_columns numbers in qr->a. NUMERIC_ERROR where one is not finite. Allocates
 * nothing. The rank is the number of |R_ii| > none |R_00|, and *clear tells whether none of them is
 * between least |R_00| and most |R_00|, with least < none < most. */
routh_status rt_pivoted_qr_factor(rt_pivoted_qr *qr, int n_rows, int n_columns, double none,
                                  double least, double most, bool *clear, routh_error *error);

/* b (n_rows) := Q' b. */
void rt_pivoted_qr_project(const rt_pivoted_qr *qr, double *b);

/* x (n_columns): of the x with the smallest |A x - b| one, from Q' b; the columns that add nothing
 * are not used. */
void rt_pivoted_qr_solve(const rt_pivoted_qr *qr, const double *projected, double *x);

/* x (n_columns): the smallest |A x - b|^2 + mu^2 |x|^2, from Q' b, by the normal equations of R; as
 * accurate as mu > 0 is large beside 1e-8 |R_00|. room: 2 n_columns^2 numbers. NUMERIC_ERROR where
 * mu is too small for a solution. */
routh_status rt_pivoted_qr_solve_damped(const rt_pivoted_qr *qr, const double *projected, double mu,
                                        double *room, double *x, routh_error *error);

/* x (n_columns) with A x = 0: number l of n_columns - rank independent ones, [-R11^-1 R12; I]. */
void rt_pivoted_qr_null_vector(const rt_pivoted_qr *qr, int l, double *x);

#endif
