#include "base/progress.h"

static routh_status stop(routh_error *error)
{
    return rt_fail(error, ROUTH_STOPPED, "the caller stopped the computation before its end");
}

bool rt_progress_stopped(const rt_progress *w)
{
    return w && atomic_load_explicit(&w->stopped, memory_order_relaxed);
}

routh_status rt_progress_ask(rt_progress *w, int parts, routh_error *error)
{
    if (!w || !w->on_progress) return ROUTH_OK;
    if (rt_progress_stopped(w)) return stop(error);
    w->done += parts;
    if (w->all > 0 && w->done > w->all) w->all = w->done;
    if (w->on_progress(w->data, w->done, w->all) == 0) return ROUTH_OK;
    atomic_store_explicit(&w->stopped, true, memory_order_relaxed);
    return stop(error);
}

int rt_progress_within(void *progress, int done, int all)
{
    (void)done, (void)all;
    return rt_progress_ask(progress, 0, NULL) != ROUTH_OK;
}

routh_status rt_progress_end(const rt_progress *w, routh_status status, routh_error *error)
{
    return rt_progress_stopped(w) ? stop(error) : status;
}
