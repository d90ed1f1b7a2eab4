/* Work memory of OpenBLAS. It takes 128 MiB of address space for each thread that calls it, at the
 * thread's first call, keeps them, and where they are refused (ulimit -v) tries again without end
 * (blas_memory_alloc, OpenBLAS 0.3.21). Ask here first. */
#ifndef RT_BASE_BLAS_MEMORY_H
#define RT_BASE_BLAS_MEMORY_H

#include "base/error.h"

/* Makes OpenBLAS take what the calling thread needs; ROUTH_NO_MEMORY where there is no room. */
routh_status rt_blas_take_memory(routh_error *error);

/* How many of so many threads, this one among them, there is room for; at least 1. */
int rt_blas_threads(int wanted);

#endif
