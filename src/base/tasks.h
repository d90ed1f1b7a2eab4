/* Independent pieces of work on several threads. */
#ifndef RT_BASE_TASKS_H
#define RT_BASE_TASKS_H

/* Calls run(context, k) once for each k in 0 .. n - 1, on at most `threads` threads (0: as many as
 * OpenMP gives; fewer where OpenBLAS has no room for so many), in any order. What a call does must
 * not depend on which thread makes it. */
void rt_run_tasks(int n, int threads, void (*run)(void *context, int k), void *context);

#endif
