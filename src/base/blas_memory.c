#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "base/blas_memory.h"

#include <stdbool.h>

#include <lapacke.h>
#include <sys/mman.h>

enum {
    MIB = 1 << 20,
    A_THREAD = 128,
    BESIDE = 4
}; /* MiB: what OpenBLAS asks for; what lies around it */

/* Nothing is written there: it takes address space, and no memory. */
static bool blas_has_room(int n_threads)
{
    const size_t size = ((size_t)n_threads * A_THREAD + BESIDE) * MIB;
    void *const room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return false;
    munmap(room, size);
    return true;
}

/* The LU factorization of any matrix takes the memory. */
routh_status rt_blas_take_memory(routh_error *error)
{
    double one = 1;
    lapack_int pivot;
    if (!blas_has_room(1))
        return rt_fail(error, ROUTH_OUT_OF_MEMORY,
                       "no room for the %d MiB of address space that OpenBLAS works in: the limit "
                       "of this process (ulimit -v) is too low",
                       A_THREAD);
    (void)LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, 1, 1, &one, 1, &pivot);
    return ROUTH_OK;
}

int rt_blas_threads(int wanted)
{
    while (wanted > 1 && !blas_has_room(wanted - 1)) wanted--;
    return wanted > 1 ? wanted : 1;
}
