/* A few eigenvalues of a large real operator, by implicitly restarted Arnoldi (ARPACK-NG).
 *
 * ARPACK keeps its state in static variables of Fortran, so one solve runs at a time in a process:
 * a mutex makes other threads wait. It is the library's one global object. */
#ifndef RT_BASE_ARNOLDI_H
#define RT_BASE_ARNOLDI_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/* y = OP x, n numbers each. x may be changed. */
typedef routh_status (*rt_operator)(void *context, double *x, double *y, routh_error *error);

typedef struct rt_arnoldi {
    /* the problem */
    int n;      /* order of OP */
    int wanted; /* eigenvalues of largest modulus; at most n - 2 */
    int basis;  /* vectors kept: wanted + 2 <= basis <= n */
    int most_restarts;
    rt_operator apply;
    void *context;
    double *start; /* n: where the iteration starts; overwritten */
    /* the answer, in the arena */
    int found; /* how many converged, of pairs both: at most wanted + 1, and wanted - 1 where half
                  of a pair would have been the last */
    double *re, *im;
    double *vectors; /* n x found, column-major: real, or for the pair k, k + 1 (im[k] > 0) real and
                        imaginary part of vector k */
    const double *subspace; /* n x found: orthonormal, spans the same */
    int n_applied;          /* times OP was used */
    int n_restarts;
} rt_arnoldi;

/* found < wanted is no failure. A failure of apply is passed on; NUMERIC_ERROR where the iteration
 * breaks down; BAD_ARGUMENT for sizes that do not fit. (allocates) */
routh_status rt_arnoldi_solve(rt_arnoldi *a, rt_arena *arena, routh_error *error);

#endif
