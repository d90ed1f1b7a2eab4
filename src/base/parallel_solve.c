#include "base/parallel_solve.h"

#include "base/kept_memory.h"

#ifdef _OPENMP
#include <omp.h>
#endif

enum { CHUNK = 4 };

/* Threads pay from about this many unknowns (rows x right-hand sides): below, a solve takes less
 * than 10 ms, and starting the threads of a process takes as much on a busy machine. */
static const double PARALLEL_UNKNOWNS = 50000;

static int parallel_solve_thread_count(int threads, int n, int n_columns, int n_chunks)
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

static int thread_number(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

/* What each thread has to itself: no lock, and no symbol of one, is needed. */
typedef struct parallel_solve_share {
    double *work;      /* 2 * CHUNK * n */
    int chunk;         /* the first of the thread's chunks that failed */
    routh_error error; /* and how; status OK: none did */
} parallel_solve_share;

static void parallel_solve_chunk(const rt_factor *factor, int n, double *B, int n_columns,
                                 int chunk, parallel_solve_share *mine)
{
    const int from = chunk * CHUNK, count = n_columns - from < CHUNK ? n_columns - from : CHUNK;
    routh_error error = {0};
    error.status = rt_factor_solve(factor, B + (size_t)from * n, count, mine->work, &error);
    if (!error.status || (mine->error.status && mine->chunk < chunk)) return;
    mine->chunk = chunk;
    mine->error = error;
}

/* The calling thread asks for all; the others see what it was answered. */
static bool goes_on(rt_progress *progress, int thread)
{
    if (thread == 0) rt_progress_ask(progress, 0, NULL);
    return !rt_progress_stopped(progress);
}

/* Of all that failed the first chunk, whichever thread had it. */
static routh_status parallel_solve_first_failure(const parallel_solve_share *shares, int n_threads,
                                                 routh_error *error)
{
    const parallel_solve_share *first = NULL;
    for (const parallel_solve_share *s = shares; s < shares + n_threads; s++)
        if (s->error.status && (!first || s->chunk < first->chunk)) first = s;
    if (first && error) *error = first->error;
    return first ? first->error.status : ROUTH_OK;
}

/* By the calling thread, without memory from the system where the matrix is small. */
static routh_status parallel_solve_alone(const rt_factor *factor, int n, double *B, int n_columns,
                                         rt_progress *progress, routh_error *error)
{
    enum { SMALL = 1024 };
    double small[SMALL];
    const size_t need = 2 * CHUNK * (size_t)n;
    rt_analyses *analyses = rt_factor_analyses(factor);
    double *work = need <= SMALL ? small : rt_kept_malloc(analyses, need * sizeof *work);
    if (!work) return rt_fail_memory(error);
    parallel_solve_share share = {.work = work};
    for (int c = 0; c * CHUNK < n_columns; c++)
        if (goes_on(progress, 0)) parallel_solve_chunk(factor, n, B, n_columns, c, &share);
    if (work != small) rt_kept_free(work);
    return rt_progress_end(progress, parallel_solve_first_failure(&share, 1, error), error);
}

routh_status rt_factor_solve_parallel(const rt_factor *factor, int n, double *B, int n_columns,
                                      int threads, rt_progress *progress, routh_error *error)
{
    rt_analyses *analyses = rt_factor_analyses(factor);
    const int n_chunks = (n_columns + CHUNK - 1) / CHUNK,
              n_threads = parallel_solve_thread_count(threads, n, n_columns, n_chunks);
    if (n_columns == 0) return ROUTH_OK;
    if (n_threads == 1) return parallel_solve_alone(factor, n, B, n_columns, progress, error);
    parallel_solve_share *shares = rt_kept_calloc(analyses, (size_t)n_threads, sizeof *shares);
    double *work =
        rt_kept_malloc(analyses, (size_t)n_threads * 2 * CHUNK * (size_t)n * sizeof *work + 1);
    routh_status status = shares && work ? ROUTH_OK : rt_fail_memory(error);
    if (!status) {
        for (int t = 0; t < n_threads; t++) shares[t].work = work + (size_t)t * 2 * CHUNK * n;
#ifdef _OPENMP
#pragma omp parallel for num_threads(n_threads) schedule(static)
#endif
        for (int c = 0; c < n_chunks; c++)
            if (goes_on(progress, thread_number()))
                parallel_solve_chunk(factor, n, B, n_columns, c, &shares[thread_number()]);
        status = rt_progress_end(progress, parallel_solve_first_failure(shares, n_threads, error),
                                 error);
    }
    rt_kept_free(work);
    rt_kept_free(shares);
    return status;
}
