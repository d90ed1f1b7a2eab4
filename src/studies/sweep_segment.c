/* A piece of a line: its values of the grid first, each found from the one before; then once more,
 * with what lies between them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "studies/sweep_approach.h"
#include "studies/sweep_step.h"
#include "studies/sweep_walk.h"

/* Steps down to these parts of the longest step between values. */
static const double MEETING_STEP = 1e-4, CROSSING_STEP = 1e-8;

/* Branches begin anew where there is nothing before, and where states, their number or the
 * operating point change. */
static routh_status sweep_segment_restart(rt_sweep_step *k, const rt_solution *b,
                                          routh_error *error)
{
    const routh_status status = rt_step_new_branches(k, b->n, error);
    free(k->before);
    k->before = NULL;
    return status ? status : rt_segment_keep(k->s, b, NULL, true, true, 1, error);
}

static routh_status say_lost(rt_sweep_step *k, const double bracket[2], routh_error *error)
{
    const rt_solution from = {.value = bracket[0]}, to = {.value = bracket[1]};
    return rt_step_say(k, ROUTH_SWEEP_LOST, &from, &to, -1, -1, error);
}

/* Small steps to where one long step failed. If they lead there, *now is what they lead to; if not,
 * it is known where it ends, and what follows has nothing to do with what was before. */
static routh_status sweep_segment_approach(const rt_segment *s, const rt_solution *before,
                                           const rt_solution *a, rt_solution *now,
                                           rt_plain_value *p, routh_error *error)
{
    rt_approach way;
    const routh_status status = rt_approach_find(&way, s->task, before, a, now->value, error);
    p->goes_on = !status && way.reached;
    if (p->goes_on) {
        rt_solution_free(now);
        rt_approach_take(&way, now);
        rt_approach_release(&way);
        return ROUTH_OK;
    }
    if (!status && !way.stopped) {
        p->lost[0] = way.bracket[0], p->lost[1] = way.bracket[1];
        p->ends = way.at;
        if (p->ends) rt_approach_take(&way, &p->at);
    }
    rt_approach_release(&way);
    return status;
}

/* The end of a piece was found by one long step. Is it where the short ones lead to? At the end of
 * the line it is replaced by that; elsewhere the next piece begins with it. */
static routh_status sweep_segment_check_end(const rt_segment *s, const rt_solution *before,
                                            const rt_solution *a, rt_plain_value *p,
                                            routh_error *error)
{
    const rt_solution_way way = {.other = before};
    rt_solution own;
    if (!rt_is_followed(a)) return ROUTH_OK;
    routh_status status = rt_solution_find_by(s->task, s->end->value, a, &way, &own, error);
    rt_sweep_tell(s->task, 0);
    if (!status) status = rt_walk_confirm(s->task, before, a, &own, error);
    if (!status && rt_may_end(&own)) status = sweep_segment_approach(s, before, a, &own, p, error);
    if (!status && p->goes_on && !own.status && !s->end->status) {
        const bool same = own.n == s->end->n && rt_solutions_agree(&own, s->end);
        p->goes_on = same || !s->beyond;
        if (!p->goes_on) p->lost[0] = a->value, p->lost[1] = own.value;
        if (!same && p->goes_on) {
            rt_solution_free(s->end);
            *s->end = own;
            own = (rt_solution){0};
        }
    }
    rt_solution_free(&own);
    return status;
}

/* The next value, from a and the one before it on the same branch, or NULL; the end is there
 * already. */
static routh_status sweep_segment_next(const rt_segment *s, const rt_solution *before,
                                       const rt_solution *a, int v, rt_solution *now,
                                       rt_plain_value *p, routh_error *error)
{
    if (p->ends) rt_solution_free(&p->at);
    p->goes_on = true, p->lost[0] = p->lost[1] = NAN, p->ends = false;
    if (v == s->last) {
        const routh_status checked =
            s->interrupted ? ROUTH_OK : sweep_segment_check_end(s, before, a, p, error);
        *now = *s->end;
        return checked;
    }
    const rt_solution_way way = {.other = before};
    routh_status status =
        rt_solution_find_by(s->task, s->grid[v], a->status ? NULL : a, &way, now, error);
    if (!status) status = rt_walk_confirm(s->task, before, a, now, error);
    if (status || now->status == ROUTH_STOPPED || !rt_is_followed(a) || !rt_may_end(now))
        return status;
    return sweep_segment_approach(s, before, a, now, p, error);
}

/* A point of the branch between a and its end, on the line in the root of what is left, as where
 * two meet, or on that in the value; *there: it was found, and halves of the way lead to it. */
static routh_status find_before_end(const rt_segment *s, const rt_solution *a,
                                    const rt_plain_value *p, double value, rt_solution *middle,
                                    bool *there, routh_error *error)
{
    routh_status status = ROUTH_OK;
    *there = false;
    for (int i = 0; i < 2 && !status && !*there; i++) {
        const rt_step_measure measure = {.by_root = i == 0, .end = p->lost[1]};
        const rt_solution_way way = {.other = &p->at,
                                     .part = rt_step_part(&measure, &p->at, a, value),
                                     .followed = true,
                                     .line = true};
        rt_solution_free(middle);
        status = rt_solution_find_by(s->task, value, a, &way, middle, error);
        rt_sweep_tell(s->task, 0);
        if (!status && !middle->status)
            status = rt_step_is_straight(s->task, &measure, &p->at, a, middle, there, error);
    }
    return status;
}

/* What happens before the branch ends, but for a millionth of the way, where rounding decides what
 * is stable, and other branches are as near. Beside the end of two that meet all changes as the
 * root of what is left, which says little of the rest: a quarter of that is looked at by itself. */
static routh_status step_to_end(rt_sweep_step *k, const rt_solution *a, const rt_plain_value *p,
                                routh_error *error)
{
    static const double parts[] = {1.0 / 16, 1e-6};
    rt_solution to[2] = {{.value = 0}, {.value = 0}};
    const rt_solution *from = a;
    routh_status status = ROUTH_OK;
    if (k->plain || !p->ends || !rt_solutions_compare(a, &p->at)) return ROUTH_OK;
    for (int i = 0; i < 2 && !status; i++) {
        const double value = p->at.value + parts[i] * (a->value - p->at.value);
        bool there;
        status = find_before_end(k->s, from, p, value, &to[i], &there, error);
        if (status || !there || !rt_solutions_compare(from, &to[i])) continue;
        status =
            rt_step_advance(k, from, &to[i], i == 0, false, k->s->task->options.halvings, error);
        from = &to[i];
    }
    for (int i = 0; i < 2; i++) rt_solution_free(&to[i]);
    return status;
}

/* Other states, or another number of them, are said, and begin anew. */
static routh_status step_to(rt_sweep_step *k, const rt_solution *a, rt_solution *b, int v,
                            const rt_plain_value *p, routh_error *error)
{
    const rt_segment *s = k->s;
    const int halvings = k->plain ? 0 : s->task->options.halvings;
    routh_status status = ROUTH_OK;
    if (p->goes_on && rt_solutions_compare(a, b))
        return rt_step_advance(k, a, b, v < s->last, true, halvings, error);
    if (!p->goes_on) status = step_to_end(k, a, p, error);
    if (!status && !p->goes_on && !isnan(p->lost[0])) status = say_lost(k, p->lost, error);
    if (!status && p->goes_on && !a->status && !b->status)
        status = say_lost(k, (const double[]){a->value, b->value}, error);
    return status ? status : sweep_segment_restart(k, b, error);
}

/* ---- the grid -------------------------------------------------------------------------------- */

static routh_status sweep_segment_begin(rt_sweep_step *k, routh_error *error)
{
    rt_segment *s = k->s;
    const routh_status status = rt_step_new_branches(k, s->begin->n, error);
    if (status || s->first != 0) return status;
    return rt_segment_keep(s, s->begin, NULL, true, false, 1, error);
}

/* After an interruption from where it is to the end, which is done. */
static routh_status walk_grid(rt_sweep_step *k, routh_error *error)
{
    rt_segment *s = k->s;
    rt_solution hold[3] = {{.value = 0}, {.value = 0}, {.value = 0}}, end;
    const rt_solution *a = s->begin, *before = NULL;
    routh_status status = sweep_segment_begin(k, error);
    for (int v = s->first + 1; v <= s->last && !status; v++) {
        if (s->interrupted) v = s->last;
        rt_plain_value *p = &s->plain[v - s->first];
        rt_solution *now = v == s->last ? &end : s->keeps ? &p->solution : &hold[v % 3];
        if (now == &hold[v % 3]) rt_solution_free(now);
        status = sweep_segment_next(s, before, a, v, now, p, error);
        p->there = now == &p->solution;
        if (!status && now->status == ROUTH_STOPPED) {
            s->interrupted = true; /* and what is half done is not there */
            continue;
        }
        if (!status) status = step_to(k, a, now, v, p, error);
        before = p->goes_on && !a->status ? a : NULL;
        a = now;
        if (v < s->last && rt_sweep_tell(s->task, 1) && v + 1 < s->last) s->interrupted = true;
    }
    for (int i = 0; i < 3; i++) rt_solution_free(&hold[i]);
    return status;
}

static void run_with(rt_segment *s, bool plain,
                     routh_status (*walk)(rt_sweep_step *, routh_error *))
{
    const double length = s->task->step;
    rt_sweep_step k = {
        .s = s,
        .plain = plain,
        .store = rt_sweep_store_of(&s->task->options, s->last - s->first),
        .predictor = {.task = s->task, .finest = {MEETING_STEP * length, CROSSING_STEP * length}}};
    s->status = walk(&k, &s->error);
    rt_predictor_release(&k.predictor);
    free(k.branch);
    free(k.before);
}

void rt_segment_run_grid(rt_segment *s)
{
    s->plain = calloc((size_t)(s->last - s->first) + 1, sizeof *s->plain);
    if (s->plain)
        run_with(s, true, walk_grid);
    else
        s->status = rt_fail_memory(&s->error);
}

/* ---- what lies between ----------------------------------------------------------------------- */

/* One step whole, or, stopped on the way, its ends alone. */
static routh_status refine_step(rt_sweep_step *k, const rt_solution *a, rt_solution *b, int v,
                                const rt_plain_value *p, routh_error *error)
{
    rt_segment *s = k->s;
    const int n_kept = s->n_kept, n_events = s->list.n;
    int *branch = malloc(((size_t)k->n_branch + 1) * sizeof *branch);
    if (!branch) return rt_fail_memory(error);
    memcpy(branch, k->branch, (size_t)k->n_branch * sizeof *branch);
    k->plain = rt_sweep_stopped(s->task);
    k->store.refused = false;
    routh_status status = k->plain ? ROUTH_OK : step_to(k, a, b, v, p, error);
    const bool done = !status && !k->plain && !rt_sweep_step_done(s->task);
    if (status || done) {
        s->n_bounded += k->store.refused;
        free(branch);
        return status;
    }
    while (s->n_kept > n_kept) rt_kept_release(&s->kept[--s->n_kept]);
    s->list.n = n_events;
    free(k->branch);
    k->branch = branch;
    k->plain = true;
    s->n_left++;
    return step_to(k, a, b, v, p, error);
}

static routh_status walk_between(rt_sweep_step *k, routh_error *error)
{
    rt_segment *s = k->s;
    rt_solution hold[3] = {{.value = 0}, {.value = 0}, {.value = 0}}, end = *s->end;
    const rt_solution *a = s->begin, *before = NULL;
    routh_status status = sweep_segment_begin(k, error);
    for (int v = s->first + 1; v <= s->last && !status; v++) {
        rt_plain_value *p = &s->plain[v - s->first];
        rt_solution *now = v == s->last ? &end : s->keeps ? &p->solution : &hold[v % 3];
        if (now == &hold[v % 3]) {
            rt_solution_free(now);
            status = sweep_segment_next(s, before, a, v, now, p, error);
            if (!status && rt_sweep_tell(s->task, 0)) break;
        }
        if (!status) status = refine_step(k, a, now, v, p, error);
        before = p->goes_on && !a->status ? a : NULL;
        a = now;
    }
    for (int i = 0; i < 3; i++) rt_solution_free(&hold[i]);
    if (!status && !s->n_left) status = rt_step_look_beyond(k, error);
    return status;
}

/* Where solutions of the grid are not kept, a piece that is stopped goes back to its grid. */
void rt_segment_refine(rt_segment *s)
{
    rt_segment grid = *s;
    if (s->status || s->interrupted || !s->plain || s->last <= s->first) return;
    s->kept = NULL, s->n_kept = s->room = 0, s->list = (rt_event_list){0};
    s->refined = grid.refined = true;
    run_with(s, false, walk_between);
    const bool back = !s->status && !s->keeps && rt_sweep_stopped(s->task);
    rt_segment *unwanted = back ? s : &grid;
    for (int k = 0; k < unwanted->n_kept; k++) rt_kept_release(&unwanted->kept[k]);
    free(unwanted->kept);
    free(unwanted->list.events);
    if (!back) return;
    *s = grid;
    s->n_left = s->last - s->first;
}
