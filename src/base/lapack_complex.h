/* Complex Schur forms by LAPACK; as base/lapack.h says of its own. */
#ifndef RT_BASE_LAPACK_COMPLEX_H
#define RT_BASE_LAPACK_COMPLEX_H

#include "base/error.h"

/* A = Q S Q^H, largest modulus first on the diagonal: a becomes S, upper triangular; q: n x n,
 * unitary. (allocates) */
routh_status rt_complex_schur(int n, double _Complex *a, double _Complex *q, routh_error *error);

/* Eigenvectors of an upper triangle, columns of norm 1. (allocates) */
routh_status rt_triangular_vectors(int n, double _Complex *t, double _Complex *vectors,
                                   routh_error *error);

#endif
