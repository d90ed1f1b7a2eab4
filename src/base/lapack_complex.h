/* Complex Schur forms by LAPACK; as base/lapack.h says of its own. */
#ifndef RT_BASE_LAPACK_COMPLEX_H
#define RT_BASE_LAPACK_COMPLEX_H

#include "base/error.h"

/* A = Q S Q^H, largest modulus first on the diagonal: a becomes S, upper triangular; q: n x n,
 * unitary. (allocates) */
routh_status rt_complex_schur(int n, double _Complex *a, double _Complex *q, routh_error *error);

/* The same without vectors and in no order: t becomes S. (allocates) */
routh_status rt_complex_triangle(int n, double _Complex *t, routh_error *error);

/* Brings the chosen diagonal entries of an upper triangle to its top, in place. *inverse_norm: 1
 * over a bound of the norm of the projector on what belongs to them; *separation: an estimate of
 * the smallest singular value of X -> T11 X - X T22. 1 and infinite where all are chosen.
 * (allocates) */
routh_status rt_triangle_choose(int n, double _Complex *t, const int *chosen, double *inverse_norm,
                                double *separation, routh_error *error);

/* Eigenvectors of an upper triangle, columns of norm 1. (allocates) */
routh_status rt_triangular_vectors(int n, double _Complex *t, double _Complex *vectors,
                                   routh_error *error);

#endif
