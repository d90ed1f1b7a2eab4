#include "base/watch.h"

static routh_status stop(routh_error *error)
{
    return rt_fail(error, ROUTH_STOPPED, "the caller stopped the computation before its end");
}

bool rt_watch_stopped(const rt_watch *w)
{
    return w && atomic_load_explicit(&w->stopped, memory_order_relaxed);
}

routh_status rt_watch_ask(rt_watch *w, int pieces, routh_error *error)
{
    if (!w || !w->on_progress) return ROUTH_OK;
    if (rt_watch_stopped(w)) return stop(error);
    w->done += pieces;
    if (w->all > 0 && w->done > w->all) w->all = w->done;
    if (w->on_progress(w->data, w->done, w->all) == 0) return ROUTH_OK;
    atomic_store_explicit(&w->stopped, true, memory_order_relaxed);
    return stop(error);
}

int rt_watch_within(void *watch, int done, int all)
{
    (void)done, (void)all;
    return rt_watch_ask(watch, 0, NULL) != ROUTH_OK;
}

routh_status rt_watch_end(const rt_watch *w, routh_status status, routh_error *error)
{
    return rt_watch_stopped(w) ? stop(error) : status;
}
