/* Dense linear algebra: thin calls over LAPACKE that return routh_status.
 *
 * Every matrix is COLUMN-MAJOR with leading dimension = its number of rows: a[i + n_rows * j].
 * Inputs named a or b are overwritten. Calls marked (allocates) take work memory for their
 * duration; the others allocate nothing. A NaN or infinity in an input, or an iteration that fails,
 * gives ROUTH_NUMERIC_ERROR; a negative size gives ROUTH_BAD_ARGUMENT, an order above 32766
 * ROUTH_LIMIT_EXCEEDED. Nothing is printed, whatever happens. The number of threads OpenBLAS uses
 * is a setting of the whole process and is left alone. */
#ifndef RT_BASE_LAPACK_H
#define RT_BASE_LAPACK_H

#include "base/error.h"
#include "base/kept_memory.h"

/* P A = L U of an n x n matrix in a; pivots: n. ROUTH_SINGULAR names the first column without
 * pivot. */
routh_status rt_lu_factor(int n, double *a, int *pivots, routh_error *error);

/* Solves A X = B by the factors; b: n x n_rhs becomes X. transposed: 1 solves A' X = B. */
routh_status rt_lu_solve(int n, const double *lu, const int *pivots, int n_rhs, double *b,
                         int transposed, routh_error *error);

/* Reciprocal condition number in the 1-norm of an LU-factored matrix whose 1-norm was norm.
 * (allocates) */
routh_status rt_lu_rcond(int n, const double *lu, double norm, double *rcond, routh_error *error);

/* A = L L'; only the lower triangle of a is read and written. ROUTH_SINGULAR when A is not positive
 * definite. */
routh_status rt_cholesky_factor(int n, double *a, routh_error *error);
routh_status rt_cholesky_solve(int n, const double *l, int n_rhs, double *b, routh_error *error);

/* A = U diag(sigma) V', m x n. sigma: min(m, n), descending; u: m x m or NULL; vt: n x n (V', so
 * row k of vt is right singular vector k) or NULL. (allocates) */
routh_status rt_svd(int m, int n, double *a, double *sigma, double *u, double *vt,
                    routh_error *error);

/* The same for a complex matrix, right vectors only (vt = V^H). (allocates) */
routh_status rt_svd_complex(int m, int n, double _Complex *a, double *sigma, double _Complex *vt,
                            routh_error *error);

/* Symmetric A v = lambda v: values ascending (n); a becomes the orthonormal vectors. (allocates) */
routh_status rt_symmetric_eigen(int n, double *a, double *values, routh_error *error);

/* A v = lambda B v, A symmetric, B positive definite: values ascending; a becomes the vectors, v' B
 * v = 1. ROUTH_SINGULAR when B is not positive definite. (allocates) */
routh_status rt_symmetric_generalized_eigen(int n, double *a, double *b, double *values,
                                            routh_error *error);

/* Eigenvalues and vectors of a general real matrix by dgeevx, permuted and balanced. */
typedef struct rt_eigen {
    double *re, *im; /* n: conjugate pairs adjacent, positive imaginary part first */
    double *left;    /* n x n: as dgeevx stores them, column k real, or columns k, k+1 real and
                        imaginary */
    double *right;   /* n x n, likewise; each vector has Euclidean norm 1 */
    double *rcond;   /* n: |y' x| of the balanced matrix, reciprocal condition of each eigenvalue */
    double norm;     /* 1-norm of the balanced matrix */
} rt_eigen;

/* All arrays of *e are the caller's. (allocates) */
routh_status rt_general_eigen(int n, double *a, rt_eigen *e, routh_error *error);

/* a (n x n) := the matrix that rt_general_eigen balances it to before all else: rows and columns
 * permuted, and scaled by powers of 2, so that eigenvalues stay what they are. (allocates) */
routh_status rt_balance(int n, double *a, routh_error *error);

/* The same without permutations: a := diag(1/scale) a diag(scale), scale (n) powers of 2. */
routh_status rt_balance_scales(int n, double *a, double *scale, routh_error *error);

/* Eigenvalues and right vectors (norm 1) of a general complex matrix by zgeev. (allocates) */
routh_status rt_complex_eigen(int n, double _Complex *a, double _Complex *values,
                              double _Complex *vectors, routh_error *error);

/* Solves A X = B, complex; b: n x n_rhs becomes X. pivots: n. ROUTH_SINGULAR names the first column
 * without pivot. */
routh_status rt_complex_solve(int n, double _Complex *a, int *pivots, int n_rhs, double _Complex *b,
                              routh_error *error);

/* The same in two steps, for several right-hand sides one after another: a becomes its factors. */
routh_status rt_complex_lu_factor(int n, double _Complex *a, int *pivots, routh_error *error);
routh_status rt_complex_lu_solve(int n, const double _Complex *lu, const int *pivots, int n_rhs,
                                 double _Complex *b, routh_error *error);

/* Generalized real Schur form by dgges (QZ), unsorted: A = Q S Z', B = Q T Z', Q and Z orthogonal.
 * a becomes S (blocks of order 1 and 2 on the diagonal), b becomes T (upper triangle, diagonal not
 * negative); q, z: n x n. Eigenvalue k is (re[k] + i im[k]) / beta[k]; beta[k] = 0: infinite (n
 * each). (allocates) */
routh_status rt_qz(int n, double *a, double *b, double *q, double *z, double *re, double *im,
                   double *beta, routh_error *error);

/* Real Schur form A = Q T Q': a becomes T, quasi-triangular; q: n x n orthogonal; re, im: n, pairs
 * adjacent. (allocates) */
routh_status rt_schur(int n, double *a, double *q, double *re, double *im, routh_error *error);

/* Right eigenvectors of A = Q T Q', as rt_eigen stores them, the largest component of each of size
 * 1 (|re| + |im|). vectors: n x n, holds Q on entry. (allocates) */
routh_status rt_schur_vectors(int n, const double *t, double *vectors, routh_error *error);

/* Moves the selected eigenvalues (both of a pair or none) to the front of the Schur form, so that
 * the first columns of q span their invariant subspace. select: n, 0 or 1. ROUTH_NUMERIC_ERROR
 * when two are too close to be exchanged. (allocates) */
routh_status rt_schur_select(int n, const int *select, double *t, double *q, double *re, double *im,
                             routh_error *error);

/* ---- in memory that is kept ------------------------------------------------------------------ */

/* The same, their work in memory that is kept there (base/kept_memory.h); NULL: the system's. */
routh_status rt_lu_rcond_kept(int n, const double *lu, double norm, double *rcond,
                              rt_analyses *analyses, routh_error *error);
routh_status rt_svd_kept(int m, int n, double *a, double *sigma, double *u, double *vt,
                         rt_analyses *analyses, routh_error *error);
routh_status rt_symmetric_eigen_kept(int n, double *a, double *values, rt_analyses *analyses,
                                     routh_error *error);
routh_status rt_symmetric_generalized_eigen_kept(int n, double *a, double *b, double *values,
                                                 rt_analyses *analyses, routh_error *error);
routh_status rt_general_eigen_kept(int n, double *a, rt_eigen *e, rt_analyses *analyses,
                                   routh_error *error);

#endif
