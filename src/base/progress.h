/* The progress callback of a long call. The thread that made the call asks it alone; other threads
 * may look at the answer. */
#ifndef RT_BASE_PROGRESS_H
#define RT_BASE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"

typedef struct rt_progress {
    int (*on_progress)(void *data, int done, int all); /* not 0: stop; NULL: none */
    void *data;
    int done, all; /* parts of the work; all 0: unknown */
    atomic_bool stopped;
} rt_progress;

/* So many more parts are done. STOPPED once the callback has asked for a stop. NULL is allowed. */
routh_status rt_progress_ask(rt_progress *progress, int parts, routh_error *error);

/* An on_progress for a call within the call, with the rt_progress as its data: it asks for the
 * whole. */
int rt_progress_within(void *progress, int done, int all);

bool rt_progress_stopped(const rt_progress *progress);

/* The status of the whole: STOPPED if a stop was asked for, whatever became of that. */
routh_status rt_progress_end(const rt_progress *progress, routh_status status, routh_error *error);

#endif
