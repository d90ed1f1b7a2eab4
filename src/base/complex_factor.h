/* Complex sparse factors by KLU, on one pattern: the matrices of a frequency response and those
 * about complex shifts. */
#ifndef RT_BASE_COMPLEX_FACTOR_H
#define RT_BASE_COMPLEX_FACTOR_H

#include <stdbool.h>

#include "base/sparse.h"

typedef struct rt_complex_factor rt_complex_factor;

/* Symbolic analysis; the pattern must outlive the factor. */
routh_status rt_complex_factor_create(rt_complex_factor **factor, const rt_pattern *pattern,
                                      routh_error *error);

/* Numeric factorization, on the pivots of the last one where these still do. values: an entry of
 * the pattern after the other. SINGULAR, naming the column, when a pivot vanishes. */
routh_status rt_complex_factor_numeric(rt_complex_factor *factor, const double _Complex *values,
                                       routh_error *error);

/* Solves A X = B in place, n_rhs columns one after another. Allocates nothing. */
routh_status rt_complex_factor_solve(rt_complex_factor *factor, double _Complex *b, int n_rhs,
                                     routh_error *error);

/* The same of one b, with a step of refinement by the values, that must not have changed since. */
routh_status rt_complex_factor_solve_refined(rt_complex_factor *factor,
                                             const double _Complex *values, double _Complex *b,
                                             double _Complex *work, routh_error *error);

/* x of A^T x = b, likewise. */
routh_status rt_complex_factor_solve_transposed(rt_complex_factor *factor,
                                                const double _Complex *values, double _Complex *b,
                                                double _Complex *work, routh_error *error);

/* det A = phase exp(log_modulus), |phase| = 1, of the last factorization, that succeeded. work: as
 * many numbers as the order, overwritten. */
void rt_complex_factor_determinant(const rt_complex_factor *factor, double *log_modulus,
                                   double _Complex *phase, double _Complex *work);

void rt_complex_factor_free(rt_complex_factor *factor); /* NULL is allowed */

#endif
