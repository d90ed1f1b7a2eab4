/* Complex sparse factors by KLU, on one pattern: the matrices of a frequency response. */
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

void rt_complex_factor_free(rt_complex_factor *factor); /* NULL is allowed */

#endif
