/* What the parts of a sweep share: progress, lists of events, what a piece keeps. */
#include <stdlib.h>

#include "base/error.h"
#include "studies/sweep.h"

bool rt_sweep_tell(const rt_sweep_task *t, int done)
{
    rt_sweep_counts *c = t->counts;
    pthread_mutex_lock(&c->lock);
    c->done += done;
    c->computed++;
    if (t->options.on_progress && !c->stop)
        c->stop = t->options.on_progress(t->options.data, c->done, t->all) != 0;
    const bool stop = c->stop;
    pthread_mutex_unlock(&c->lock);
    return stop;
}

routh_status rt_event_add(rt_event_list *list, const routh_sweep_event *event, routh_error *error)
{
    if (list->n == list->room) {
        const int room = 2 * list->room + 8;
        routh_sweep_event *more = realloc(list->events, (size_t)room * sizeof *more);
        if (!more) return rt_fail_memory(error);
        list->events = more;
        list->room = room;
    }
    list->events[list->n++] = *event;
    return ROUTH_OK;
}

void rt_kept_release(rt_kept *k)
{
    free(k->message);
    free(k->eigenvalue);
    free(k->bound);
    free(k->partner);
    *k = (rt_kept){0};
}

void rt_segment_release(rt_segment *s)
{
    for (int i = 0; i < s->n_kept; i++) rt_kept_release(&s->kept[i]);
    free(s->kept);
    free(s->list.events);
    s->kept = NULL;
    s->list = (rt_event_list){0};
    s->n_kept = 0;
}
