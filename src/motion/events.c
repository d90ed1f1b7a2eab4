#include "motion/events.h"

#include <float.h>
#include <stdlib.h>

routh_status rt_events_create(rt_events *e, const routh_mechanism *m, routh_error *error)
{
    *e = (rt_events){.n = rt_switch_count(m), .time = INFINITY, .last = -INFINITY};
    const size_t n = (size_t)e->n;
    e->low = calloc(3 * n + 1, sizeof *e->low);
    e->sign = calloc(n + 1, sizeof *e->sign);
    e->turns = calloc(n + 1, sizeof *e->turns);
    if (!e->low || !e->sign || !e->turns) return rt_fail_memory(error);
    e->high = e->low + n;
    e->trial = e->high + n;
    return ROUTH_OK;
}

void rt_events_release(rt_events *e)
{
    free(e->low);
    free(e->sign);
    free(e->turns);
    *e = (rt_events){0};
}

/* The values in the evaluated state; 0, which turns nothing, of those that no motion feels. */
static routh_status take_values(rt_run *run, double *values, routh_error *error)
{
    const routh_model *model = run->m->model;
    const routh_status status =
        rt_switch_values(run->m, run->search.w, run->search.state, values, error);
    for (int k = 0; k < model->n_kinks; k++)
        if (model->kinks[k].watches) values[k] = 0;
    return status;
}

/* The values in run->search.state, which is complete: sensors look at frames alone. */
static routh_status events_values_of(rt_run *run, double *values, routh_error *error)
{
    const routh_status status =
        rt_evaluate(run->m, run->search.w, run->search.state, RT_EVALUATE_PHI, error);
    return status ? status : take_values(run, values, error);
}

static int events_sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

static bool events_wanted(const routh_mechanism *m, int k, int sign)
{
    const int event = rt_switch_event(m, k);
    if (event < 0) return true;
    const rt_event_direction direction = m->model->events[event].direction;
    return direction == RT_EVENT_BOTH || (direction == RT_EVENT_RISING) == (sign > 0);
}

routh_status rt_events_begin(rt_events *e, rt_run *run, routh_error *error)
{
    e->time = INFINITY;
    if (e->n == 0) return ROUTH_OK;
    rt_state_copy(run->m, run->search.state, run->now);
    const routh_status status = events_values_of(run, e->low, error);
    for (int k = 0; k < e->n && !status; k++) e->sign[k] = (signed char)events_sign_of(e->low[k]);
    return status;
}

/* Is k on the other side at these values? */
static bool has_turned(const rt_events *e, int k, double value)
{
    const int sign = events_sign_of(value);
    return sign != 0 && e->sign[k] != 0 && sign != e->sign[k];
}

static bool any_turned(const rt_events *e, const double *values)
{
    for (int k = 0; k < e->n; k++)
        if (has_turned(e, k, values[k])) return true;
    return false;
}

/* Where the first of the straight lines between the ends crosses zero, as a part of the way. */
static double first_crossing(const rt_events *e)
{
    double first = 1;
    for (int k = 0; k < e->n; k++)
        if (has_turned(e, k, e->high[k])) first = fmin(first, e->low[k] / (e->low[k] - e->high[k]));
    return first;
}

/* Narrows [a, b], where one turns over, to rounding: secants, and halves where they are slow. */
static routh_status events_narrow(rt_events *e, rt_run *run, double a, double b, double *found,
                                  routh_error *error)
{
    enum { MOST = 200 };
    const double least = 8 * DBL_EPSILON * fmax(fabs(a), fabs(b)) + DBL_MIN;
    double width = b - a;
    for (int i = 0; i < MOST && b - a > least; i++) {
        const double part = first_crossing(e);
        double t =
            a + (b - a) * (part > 0.5 ? fmin(part * 1.001, 1 - 1e-6) : fmax(part * 1.001, 1e-6));
        if (i % 3 == 2 && b - a > width / 4) t = a + (b - a) / 2;
        if (i % 3 == 2) width = b - a;
        t = fmin(fmax(t, a + least / 2), b - least / 2);
        routh_status status = rt_run_show(run, t, error);
        if (!status) status = take_values(run, e->trial, error);
        if (status) return status;
        const bool turned = any_turned(e, e->trial);
        memcpy(turned ? e->high : e->low, e->trial, (size_t)e->n * sizeof *e->trial);
        *(turned ? &b : &a) = t;
    }
    *found = b;
    return ROUTH_OK;
}

/* What turns at the end of the search: those that matter wait; others are on another side now. */
static bool events_sort_out(rt_events *e, const rt_run *run)
{
    bool any = false;
    for (int k = 0; k < e->n; k++) {
        e->turns[k] = has_turned(e, k, e->high[k]);
        if (!e->turns[k]) continue;
        if (events_wanted(run->m, k, events_sign_of(e->high[k])) &&
            rt_switch_matters(run->m, run->search.w, run->search.state, k)) {
            any = true;
            continue;
        }
        e->turns[k] = false;
        e->sign[k] = (signed char)events_sign_of(e->high[k]);
    }
    return any;
}

routh_status rt_events_look(rt_events *e, rt_run *run, routh_error *error)
{
    e->time = INFINITY;
    if (e->n == 0) return ROUTH_OK;
    double from = run->before->t;
    for (;;) {
        rt_state_copy(run->m, run->search.state, run->now);
        routh_status status = events_values_of(run, e->high, error);
        if (status) return rt_run_fail(run->now->t, status, error);
        for (int k = 0; k < e->n; k++)
            if (e->sign[k] == 0) e->sign[k] = (signed char)events_sign_of(e->high[k]);
        if (!any_turned(e, e->high)) {
            memcpy(e->low, e->high, (size_t)e->n * sizeof *e->low);
            return ROUTH_OK;
        }
        double at;
        status = events_narrow(e, run, from, run->now->t, &at, error);
        if (!status) status = rt_run_show(run, at, error);
        if (!status) status = take_values(run, e->high, error);
        if (status) return status;
        if (events_sort_out(e, run)) {
            e->time = at;
            return ROUTH_OK;
        }
        memcpy(e->low, e->high, (size_t)e->n * sizeof *e->low);
        from = at;
    }
}

static routh_status check_crowd(rt_events *e, const rt_run *run, int k, routh_error *error)
{
    enum { MOST = 100 };
    const bool same = e->time - e->last <= 1e-12 * fmax(fabs(e->time), 1e-3);
    e->crowd = same ? e->crowd + 1 : 0;
    e->last = e->time;
    if (e->crowd < MOST) return ROUTH_OK;
    const int event = rt_switch_event(run->m, k);
    const rt_kink *kink = event < 0 ? &run->m->model->kinks[k] : NULL;
    rt_fail_at(error, ROUTH_NUMERIC_ERROR, run->m->model->file,
               kink ? kink->place : run->m->model->events[event].place,
               kink ? kink->element : run->m->model->events[event].name,
               "%s switches back and forth at one time, because both sides drive the motion back "
               "to it; make the change between them smooth",
               kink ? kink->what : "this event");
    return rt_run_fail(e->time, ROUTH_NUMERIC_ERROR, error);
}

static routh_event events_describe(const rt_events *e, const rt_run *run, int k)
{
    const int event = rt_switch_event(run->m, k);
    const routh_model *model = run->m->model;
    routh_event told = {.time = e->time, .direction = e->sign[k], .what = ""};
    if (event < 0) {
        told.name = model->kinks[k].element;
        told.what = model->kinks[k].what;
        return told;
    }
    told.name = model->events[event].name;
    told.action = (routh_event_action)model->events[event].action;
    return told;
}

routh_status rt_events_happen(rt_events *e, rt_run *run,
                              void (*tell)(void *data, const routh_event *event), void *data,
                              bool *stop, routh_error *error)
{
    *stop = false;
    routh_status status = rt_run_show(run, e->time, error);
    for (int k = 0; k < e->n && !status; k++) {
        if (!e->turns[k]) continue;
        e->sign[k] = (signed char)-e->sign[k];
        run->count.events++;
        status = check_crowd(e, run, k, error);
        const routh_event told = events_describe(e, run, k);
        const int event = rt_switch_event(run->m, k);
        if (tell && !status) tell(data, &told);
        if (event < 0 || status) continue;
        *stop = *stop || told.action == ROUTH_EVENT_STOP;
        status = rt_event_apply(run->m, run->search.w, run->search.state, event, error);
    }
    if (!status) status = rt_run_project(run, error);
    if (!status) status = rt_run_accelerate(run, error);
    if (status) return status;
    rt_state_copy(run->m, run->now, run->search.state);
    e->time = INFINITY;
    status = rt_run_begin(run, error);
    if (status) return status;
    rt_state_copy(run->m, run->search.state, run->now);
    return events_values_of(run, e->low, error);
}

/* ---- numbers to go on from ------------------------------------------------------------ */

size_t rt_events_memory(const rt_events *e) { return 3 + 3 * (size_t)e->n; }

void rt_events_keep(const rt_events *e, double *numbers)
{
    *numbers++ = e->time;
    *numbers++ = e->last;
    *numbers++ = e->crowd;
    for (int k = 0; k < e->n; k++) {
        *numbers++ = e->low[k];
        *numbers++ = e->sign[k];
        *numbers++ = e->turns[k];
    }
}

void rt_events_go_on(rt_events *e, const double *numbers)
{
    e->time = *numbers++;
    e->last = *numbers++;
    e->crowd = (int)*numbers++;
    for (int k = 0; k < e->n; k++) {
        e->low[k] = *numbers++;
        e->sign[k] = (signed char)*numbers++;
        e->turns[k] = *numbers++ != 0;
    }
}
