/* Bases of the null space of G as a dense matrix; of minimal*.c alone. */
#ifndef RT_METHODS_NULL_SPACE_H
#define RT_METHODS_NULL_SPACE_H

#include "base/reflectors.h"
#include "methods/method.h"

/* Rows of G that have a place, which are independent; n = m + z. */
typedef struct rt_null_space {
    const rt_search *s;
    const rt_elimination *rank; /* of those rows */
    int n, m, z;
    const int *slot; /* of every row of G: its place among those kept, or -1 */
    double *G;       /* m x n, column-major; NULL where the basis does not look at it */
    rt_reflectors Q; /* G' = Q [Rt; 0] */
    double *full;    /* scratch: all rows of Phi */
} rt_null_space;

/* A basis R of all x with G x = 0, n x z column-major. */
typedef struct rt_null_basis {
    const char *name;
    routh_status (*make)(const rt_null_space *d, double *R, routh_error *error);
    bool looks_at_G;
} rt_null_basis;

/* By name; NULL: the first. */
const rt_null_basis *rt_find_null_basis(const char *name);

/* Room, numbers and factors of G as evaluated; s, rank, n, m, z and slot are set. */
routh_status rt_null_space_factor(rt_null_space *d, const rt_null_basis *basis, rt_arena *arena,
                                  routh_error *error);

/* y = G+ b, the smallest solution of G y = b: y = Q [Rt'^-1 b; 0]. b: m in y (n), the rest 0 */
void rt_null_space_smallest(const rt_null_space *d, double *y);

/* lambda with G' lambda = f, for an f that has one: Rt^-1 of the first m of Q'f. In place: m in
 * f. */
void rt_null_space_multipliers(const rt_null_space *d, double *f);

/* out[m] -= the kept rows of (values on pattern_G) x */
void rt_null_space_subtract(const rt_null_space *d, const double *values, const double *x,
                            double *out);

/* X = R (s_x R)^-1 with the z rows of states. T: z x z, pivots and a: z, scratch. */
routh_status rt_null_space_tangent(const rt_null_space *d, const rt_state_row *rows,
                                   const double *R, double *T, int *pivots, double *a, double *X,
                                   routh_error *error);

#endif
