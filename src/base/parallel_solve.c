#include "base/parallel_solve.h"

#include <stdlib.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum { CHUNK = 4 };

/* Threads pay from about this many unknowns (rows x right-hand sides): below, a solve takes less than
 * 10 ms, and starting the threads of a process takes as much on a busy machine. */
static const double PARALLEL_UNKNOWNS = 50000;

static int thread_count(int threads, int n, int n_columns, int n_chunks)
{
#ifdef _OPENMP
    if ((double)n * n_columns < PARALLEL_UNKNOWNS) return 1;
    const int most = threads > 0 ? threads : omp_get_max_threads();
    return most < n_chunks ? most : n_chunks;
#else
    (void)threads, (void)n, (void)n_columns, (void)n_chunks;
    return 1;
#endif
}

routh_status rt_factor_solve_parallel(const rt_factor *factor, int n, double *B, int n_columns,
                                      int threads, routh_error *error)
{
    const int n_chunks = (n_columns + CHUNK - 1) / CHUNK,
              n_threads = thread_count(threads, n, n_columns, n_chunks);
    if (n_columns == 0) return ROUTH_OK;
    double *work = malloc((size_t)n_threads * 2 * CHUNK * (size_t)n * sizeof *work + 1);
    if (!work) return rt_fail_memory(error);
    routh_status status = ROUTH_OK;
    routh_error first = {0};
#ifdef _OPENMP
#pragma omp parallel for num_threads(n_threads) schedule(static)
#endif
    for (int c = 0; c < n_chunks; c++) {
#ifdef _OPENMP
        double *mine = work + (size_t)omp_get_thread_num() * 2 * CHUNK * (size_t)n;
#else
        double *mine = work;
#endif
        const int from = c * CHUNK, count = n_columns - from < CHUNK ? n_columns - from : CHUNK;
        routh_error own = {0};
        const routh_status s = rt_factor_solve(factor, B + (size_t)from * n, count, mine, &own);
#ifdef _OPENMP
#pragma omp critical(rt_factor_solve_parallel_status)
#endif
        if (s && !status) status = s, first = own;
    }
    free(work);
    if (status && error) *error = first;
    return status;
}
