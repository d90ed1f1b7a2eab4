/* Error bounds of eigenvalues that lie close together or are defective. */
#ifndef RT_ANSWERS_CLUSTERS_H
#define RT_ANSWERS_CLUSTERS_H

#include "base/arena.h"
#include "base/lapack.h"

/* Replaces the bounds (n; 1/s) of eigenvalues of the n x n matrix B that are so ill-conditioned
 * that condition times error reaches to the next eigenvalue: there a bound of first order means
 * nothing.
 * size: norm of the error of B, in the scale of e. e: as rt_general_eigen left it.
 *     defective[k] (n): how many eigenvalues, k among them, an error of that size could make of one
 * defective eigenvalue; 0 where k is none of such. */
routh_status rt_cluster_bounds(int n, const double *B, const rt_eigen *e, double size,
                               double *bounds, int *defective, rt_arena *arena, routh_error *error);

#endif
