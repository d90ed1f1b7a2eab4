/* A P = Q R with columns in the order of what they add (Businger and Golub 1965; LAPACK dgeqp3):
 * the rank of A, least squares and the null space, at a tenth of what singular values cost.
 *
 * |R_00| >= |R_11| >= .. fall as the singular values do, though not as surely: a rank is taken only
 * where they show a gap. Matrices are column-major.
 *
 * Of a matrix with groups of columns that enter few rows,
 *     [B1 0  X1]
 *     [0  B2 X2],
 *     [0  0  X3]
 * these go first, each among its own rows, and what is left is a smaller matrix. Only columns that
 * add much to those before them in the group do (LEAST_LEADING): the others are columns of the
 * rest, so that a small |R_ii| still shows there. */
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
    int *column;    /* n_columns: which column of A is where in R, from 1 */
    int *row;       /* n_rows: which row of A is where in R */
    int *end;       /* n_columns: the row below the last of the reflector */
    int *pivot;     /* n_columns: an order, from 1 */
    double largest; /* of the columns' lengths */
    double *room;   /* most_rows x most_columns */
    int n_work;
    /* room for */
    int most_rows, most_columns;
} rt_pivoted_qr;

/* Room for matrices of up to so many rows and columns, from the arena. */
routh_status rt_pivoted_qr_create(rt_pivoted_qr *qr, int most_rows, int most_columns,
                                  rt_arena *arena, routh_error *error);

/* The first columns that are groups of their own: how many in each. */
typedef struct rt_qr_groups {
    int n;
    const int *columns;
} rt_qr_groups;

/* Where a rank is: the number of |R_ii| > none L, L the longest column. clear: none is between
 * least L and most L, with least < none < most. */
typedef struct rt_qr_gap {
    double none, least, most;
    bool clear;
} rt_qr_gap;

/* Factors the n_rows x n_columns numbers in qr->a. NUMERIC_ERROR where one is not finite. Allocates
 * nothing. groups: NULL for none. */
routh_status rt_pivoted_qr_factor(rt_pivoted_qr *qr, int n_rows, int n_columns,
                                  const rt_qr_groups *groups, rt_qr_gap *gap, routh_error *error);

/* b (n_rows) := Q' b. */
void rt_pivoted_qr_project(const rt_pivoted_qr *qr, double *b);

/* x (n_columns): of the x with the smallest |A x - b| one, from Q' b; the columns that add nothing
 * are not used. */
void rt_pivoted_qr_solve(const rt_pivoted_qr *qr, const double *projected, double *x);

/* x (n_columns): the smallest |A x - b|^2 + mu^2 |x|^2, from Q' b, by the normal equations of R; as
 * accurate as mu > 0 is large beside 1e-8 L. room: 2 n_columns^2 numbers. NUMERIC_ERROR where
 * mu is too small for a solution. */
routh_status rt_pivoted_qr_solve_damped(const rt_pivoted_qr *qr, const double *projected, double mu,
                                        double *room, double *x, routh_error *error);

/* x (n_columns) with A x = 0: number l of n_columns - rank independent ones, [-R11^-1 R12; I]. */
void rt_pivoted_qr_null_vector(const rt_pivoted_qr *qr, int l, double *x);

#endif
