/* Clusters of eigenvalues by circles round them. A matrix Z that is known to E entry by entry has
 * as many eigenvalues inside a circle as Z has itself where no s on it is an eigenvalue of any
 * Z + dZ, |dZ| <= E, for which the spectral radius of |(s I - Z)^-1| E below 1 is enough (Rump,
 * Acta Numerica 19, 2010, 13; Trefethen and Embree, Spectra and Pseudospectra, 2). How many, and
 * their mean, are integrals round the circle,
 *     m = 1/(2 pi i) o-integral tr (s I - Z)^-1 ds,
 *     m mean = 1/(2 pi i) o-integral s tr (s I - Z)^-1 ds,
 * which the trapezoidal rule gives with all digits. No structure of Z is lost on the way: of a
 * triangular matrix that stays one, equal eigenvalues are known as well as single ones. */
#ifndef RT_ANSWERS_ZERO_CIRCLES_H
#define RT_ANSWERS_ZERO_CIRCLES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/* Z + Z_rest, n x n, row-major, is known to E. block (n): of which diagonal block each is where the
 * matrix is block triangular. middle[2]: of m eigenvalues, all that are within
 * *radius of it. *done: *radius was made smaller, and middle better. */
routh_status rt_zero_circle(int n, const double *Z, const double *Z_rest, const double *E,
                            const int *block, int m, double middle[2], double *radius, bool *done,
                            rt_arena *scratch, routh_error *error);

#endif
