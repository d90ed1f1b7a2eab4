/* Independent eigenvectors for repeated eigenvalues. */
#ifndef RT_ANSWERS_REPEATED_H
#define RT_ANSWERS_REPEATED_H

#include "base/arena.h"
#include "base/lapack.h"

/* Where eigenvalues of the n x n matrix B agree within their bounds and their computed vectors are
 * nearly parallel although there are as many independent ones, replaces them by an orthonormal
 * basis. Vectors of a defective eigenvalue stay. e: as dgeevx left it. */
routh_status rt_separate_repeated(int n, const double *B, rt_eigen *e, const double *bounds,
                                  rt_arena *arena, routh_error *error);

#endif
