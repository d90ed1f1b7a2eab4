/* Does the caller of a long call want it to go on? Asked by the thread that made the call alone;
 * others may look at what was answered. */
#ifndef RT_BASE_WATCH_H
#define RT_BASE_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"

typedef struct rt_watch {
    int (*on_progress)(void *data, int done, int all); /* other than 0: stop; NULL: nobody asks */
    void *data;
    int done, all; /* pieces of the work; all 0: how many there are is not known */
    atomic_bool stopped;
} rt_watch;

/* So many pieces more are done. STOPPED where the caller wants an end, then and from then on. NULL
 * is allowed. */
routh_status rt_watch_ask(rt_watch *watch, int pieces, routh_error *error);

/* The same as an on_progress of a call within the call, with the watch as its data: asks for the
 * whole. */
int rt_watch_within(void *watch, int done, int all);

bool rt_watch_stopped(const rt_watch *watch);

/* The status of the whole: STOPPED where an end was wanted, whatever became of that. */
routh_status rt_watch_end(const rt_watch *watch, routh_status status, routh_error *error);

#endif
