/* Sparse symmetric indefinite factorization S A S = P L D L' P' with its inertia, for large orders.
 *
 * Multifrontal (Duff and Reid 1983): the matrix is eliminated in dense fronts along the elimination
 * tree of an approximate minimum degree ordering, with matrix products of BLAS; pivots of order 1
 * and 2 by threshold, those that fail are put off to the parent's front. S scales the rows to
 * largest entries of 1. By Sylvester's law D has the inertia of A.
 * docs/theory/selected-eigenvalues.md */
#ifndef RT_BASE_LDL_H
#define RT_BASE_LDL_H

#include "base/sparse.h"

typedef struct rt_ldl rt_ldl;

/* Signs of the eigenvalues of A. A zero is a pivot that vanished altogether; one of rounding size
 * counts by its sign, so ask smallest before trusting a sign. */
typedef struct rt_inertia {
    int positive, negative, zero;
    double smallest; /* modulus of the smallest pivot of the scaled matrix; 0 with zeros */
    int where;       /* the unknown at that pivot; -1 where there is none */
} rt_inertia;

/* Ordering and structure. Of the pattern only what is on and below the diagonal is read, so both
 * triangles may be given or the lower one alone; it must outlive the factor. BAD_ARGUMENT unless
 * square; NO_MEMORY. */
routh_status rt_ldl_create(rt_ldl **ldl, const rt_pattern *pattern, routh_error *error);

/* The same in memory that is kept there; NULL: the system's. */
routh_status rt_ldl_create_kept(rt_ldl **ldl, const rt_pattern *pattern, rt_analyses *analyses,
                                routh_error *error);

/* Numeric factorization (allocates: the factor). The values are not kept. ROUTH_SINGULAR, naming an
 * unknown, where a pivot vanishes: the inertia is there all the same; ROUTH_NUMERIC_ERROR where a
 * value is not finite. */
routh_status rt_ldl_factor(rt_ldl *ldl, const double *values, routh_error *error);

/* The same for its inertia alone: every front is given back when its pivots are counted, so that no
 * factor is there afterwards, and none that was. */
routh_status rt_ldl_count(rt_ldl *ldl, const double *values, routh_error *error);

/* Of the last factorization or count that was ROUTH_OK or ROUTH_SINGULAR. */
rt_inertia rt_ldl_inertia(const rt_ldl *ldl);

/* Doubles that a solve of n_rhs right-hand sides needs as work. */
size_t rt_ldl_work(const rt_ldl *ldl, int n_rhs);

/* Solves A X = B in place, n_rhs columns of n, all at once and without refinement; work as
 * rt_ldl_work says. By several threads at once on different b and work. BAD_ARGUMENT without a
 * factorization that succeeded, NUMERIC_ERROR where the solution is not finite. Allocates nothing.
 */
routh_status rt_ldl_solve(const rt_ldl *ldl, double *b, int n_rhs, double *work,
                          routh_error *error);

/* Bytes of structure and factor, as if kept where it was only counted; entries of L; multiply-adds
 * of the last factorization. */
size_t rt_ldl_bytes(const rt_ldl *ldl);
size_t rt_ldl_entries(const rt_ldl *ldl);
double rt_ldl_operations(const rt_ldl *ldl);

void rt_ldl_free(rt_ldl *ldl); /* NULL is allowed */

#endif
