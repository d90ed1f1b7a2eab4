/* Many right-hand sides, shared out among threads. */
#ifndef RT_BASE_PARALLEL_SOLVE_H
#define RT_BASE_PARALLEL_SOLVE_H

#include "base/sparse.h"
#include "base/progress.h"

/* Solves A X = B in place for n_columns columns of n doubles each, in chunks, by at most
 * `threads` threads (0: what OpenMP gives). The result does not depend on the number of threads.
 * Allocates each thread's work. progress: asked between chunks; NULL: nobody asks. */
routh_status rt_factor_solve_parallel(const rt_factor *factor, int n, double *B, int n_columns,
                                      int threads, rt_progress *progress, routh_error *error);

#endif
