#include "base/tasks.h"

#include "base/blas_memory.h"

#ifdef _OPENMP
#include <omp.h>
#endif

static int tasks_thread_count(int n, int threads)
{
#ifdef _OPENMP
    const int most = threads > 0 ? threads : omp_get_max_threads();
    return rt_blas_threads(most < n ? most : n);
#else
    (void)n, (void)threads;
    return 1;
#endif
}

void rt_run_tasks(int n, int threads, void (*run)(void *context, int k), void *context)
{
    const int n_threads = tasks_thread_count(n, threads);
    if (n_threads < 2) {
        for (int k = 0; k < n; k++) run(context, k);
        return;
    }
#ifdef _OPENMP
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 1)
#endif
    for (int k = 0; k < n; k++) run(context, k);
}
