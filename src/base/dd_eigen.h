/* Eigenvalues and right eigenvectors of a complex matrix of double-double numbers: Hessenberg form
 * by Householder's reflections, QR steps with Wilkinson's shift, back substitution (Golub and Van
 * Loan, Matrix Computations, 7.4 to 7.6). Backward stable: that of a matrix within some n 2^-100 of
 * the one given. */
#ifndef RT_BASE_DD_EIGEN_H
#define RT_BASE_DD_EIGEN_H

#include "base/arena.h"
#include "base/dd_complex.h"
#include "base/error.h"

/* a (n x n, column-major) is overwritten; values (n), vectors (n x n) of unit length. Room is taken
 * from scratch. NUMERIC_ERROR where it does not settle. */
routh_status rt_dd_eigen(int n, rt_dd_complex *a, rt_dd_complex *values, rt_dd_complex *vectors,
                         rt_arena *scratch, routh_error *error);

#endif
