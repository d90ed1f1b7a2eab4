/* What the parts of a sweep share: progress, lists of events, what a piece keeps. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pi.h"
#include "studies/sweep_limit.h"

/* Parts of the whole are done, and points were computed. Asks; true: stop. */
static bool tell_more(const rt_sweep_task *t, int done, int computed)
{
    rt_sweep_counts *c = t->counts;
    pthread_mutex_lock(&c->lock);
    c->done += done;
    c->computed += computed;
    if (t->options.on_progress && !c->stop)
        c->stop = t->options.on_progress(t->options.data, c->done, t->all) != 0;
    const bool stop = c->stop;
    pthread_mutex_unlock(&c->lock);
    return stop;
}

bool rt_sweep_tell(const rt_sweep_task *t, int done) { return tell_more(t, done, 1); }

bool rt_sweep_step_done(const rt_sweep_task *t) { return tell_more(t, 1, 0); }

int rt_sweep_within(void *task, int done, int all)
{
    (void)done, (void)all;
    return tell_more(task, 0, 0);
}

bool rt_sweep_stopped(const rt_sweep_task *t)
{
    pthread_mutex_lock(&t->counts->lock);
    const bool stop = t->counts->stop;
    pthread_mutex_unlock(&t->counts->lock);
    return stop;
}

bool rt_sweep_is_below(const rt_sweep_task *t, double _Complex lambda)
{
    return !(fabs(cimag(lambda)) > 2 * RT_PI * t->options.below);
}

/* ---- how many points a piece may compute between its values ---------------------------------- */

rt_sweep_store rt_sweep_store_of(const routh_sweep_options *o, int n_steps)
{
    const int all = o->points * (n_steps + ROUTH_SWEEP_EXTRA);
    const bool crossings = o->solve & (ROUTH_SWEEP_SOLVE_CROSSINGS | ROUTH_SWEEP_SOLVE_VEERINGS);
    return (rt_sweep_store){.left = {all, all, crossings ? all : all / 8}, .crossings = crossings};
}

bool rt_sweep_take(rt_sweep_store *store, rt_sweep_purpose purpose)
{
    const bool some = store->left[purpose] > 0;
    if (some) store->left[purpose]--;
    store->refused = store->refused || (!some && (purpose != RT_FOR_MODES || store->crossings));
    return some;
}

/* ---- lists ----------------------------------------------------------------------------------- */

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

static routh_status new_kept(rt_segment *s, rt_kept **kept, const rt_solution *from,
                             routh_error *error)
{
    if (s->n_kept == s->room) {
        const int room = 2 * s->room + 32;
        rt_kept *more = realloc(s->kept, (size_t)room * sizeof *more);
        if (!more) return rt_fail_memory(error);
        s->kept = more;
        s->room = room;
    }
    const size_t n = (size_t)from->n;
    rt_kept *k = &s->kept[s->n_kept++];
    *k = (rt_kept){.value = from->value, .n = from->n, .certainty = 1};
    k->eigenvalue = calloc(n + 1, sizeof *k->eigenvalue);
    k->bound = calloc(n + 1, sizeof *k->bound);
    k->partner = calloc(3 * n + 1, sizeof *k->partner);
    if (from->status) k->message = strdup(from->message);
    if (!k->eigenvalue || !k->bound || !k->partner || (from->status && !k->message))
        return rt_fail_memory(error);
    k->rigid = k->partner + n;
    k->place = k->rigid + n;
    *kept = k;
    return ROUTH_OK;
}

routh_status rt_segment_keep(rt_segment *s, const rt_solution *from, const int *branch,
                             bool on_grid, bool restart, double certainty, routh_error *error)
{
    rt_kept *k = NULL;
    const routh_status status = new_kept(s, &k, from, error);
    if (status) return status;
    k->on_grid = on_grid;
    k->restart = restart;
    k->certainty = certainty;
    k->speed = from->speed;
    k->unstable = rt_limit_count_unstable(from);
    k->given = from->point && from->point->type == ROUTH_OPERATING_GIVEN;
    k->steady = from->linear && from->linear->steady;
    for (int i = 0; i < from->n; i++) {
        const int b = branch ? branch[i] : i;
        k->eigenvalue[b][0] = creal(from->lambda[i]);
        k->eigenvalue[b][1] = cimag(from->lambda[i]);
        k->bound[b] = from->bound[i];
        k->rigid[b] = from->rigid[i];
        k->place[b] = i;
        const int c = from->conjugate[i];
        k->partner[b] = branch ? branch[c] : c;
    }
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
    for (int v = 0; s->plain && v <= s->last - s->first; v++) {
        if (s->plain[v].there) rt_solution_free(&s->plain[v].solution);
        if (s->plain[v].ends) rt_solution_free(&s->plain[v].at);
    }
    free(s->plain);
    free(s->kept);
    free(s->list.events);
    s->plain = NULL;
    s->kept = NULL;
    s->list = (rt_event_list){0};
    s->n_kept = 0;
}
