#include "motion/events.h"

#include <float.h>
#include <stdlib.h>

routh_status rt_events_create(rt_events *e, const routh_mechanism *m, routh_error *error)
{
    *e = (rt_events){
        .n = rt_switch_count(m), .time = INFINITY, .until = INFINITY, .last = -INFINITY};
    const size_t n = (size_t)e->n;
    enum { PARTS = sizeof e->part / sizeof *e->part };
    e->low = calloc((4 + 2 * PARTS) * n + 1, sizeof *e->low);
    e->sign = calloc(2 * n + 1, sizeof *e->sign);
    e->turns = calloc(2 * n + 1, sizeof *e->turns);
    e->change = calloc((size_t)m->n_u + 1, sizeof *e->change);
    if (!e->low || !e->sign || !e->turns || !e->change) return rt_fail_memory(error);
    e->high = e->low + n;
    e->trial = e->high + n;
    e->value = e->trial + n;
    e->sign_before = e->sign + n;
    e->silent = e->turns + n;
    for (int k = 0; k < PARTS; k++) {
        e->part[k].value = e->value + (1 + 2 * k) * n;
        e->part[k].rate = e->part[k].value + n;
    }
    for (int k = 0; k < e->n; k++) {
        const int event = rt_switch_event(m, k);
        const rt_sensor_kind kind = event < 0 ? RT_SENSOR_KINK : RT_SENSOR_EVENT;
        e->feels = e->feels || rt_sensor_feels(m, kind, event < 0 ? k : event);
    }
    return ROUTH_OK;
}

void rt_events_release(rt_events *e)
{
    free(e->low);
    free(e->sign);
    free(e->turns);
    free(e->change);
    *e = (rt_events){0};
}

/* The values in the evaluated state; 0, which turns nothing, of those that no motion feels. */
routh_status rt_events_take(const rt_run *run, double *values, routh_error *error)
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
    return status ? status : rt_events_take(run, values, error);
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

bool rt_events_turned(const rt_events *e, const double *values)
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

static routh_status show_values(const rt_events *e, rt_run *run, double t, double *values,
                                routh_error *error)
{
    (void)e;
    const routh_status status = rt_run_show(run, t, error);
    return status ? status : rt_events_take(run, values, error);
}

typedef routh_status events_values_at(const rt_events *e, rt_run *run, double t, double *values,
                                      routh_error *error);

/* Narrows [a, b], where one turns over, to rounding: secants, and halves where they are slow. */
static routh_status events_narrow(rt_events *e, rt_run *run, events_values_at *look, double a,
                                  double b, double *found, routh_error *error)
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
        const routh_status status = look(e, run, t, e->trial, error);
        if (status) return status;
        const bool turned = rt_events_turned(e, e->trial);
        memcpy(turned ? e->high : e->low, e->trial, (size_t)e->n * sizeof *e->trial);
        *(turned ? &b : &a) = t;
    }
    *found = b;
    return ROUTH_OK;
}

/* What was seen to turn over by a glance in [from, *to], where a closer look may see what comes of
 * it: *to is brought to just behind the first zero. */
static routh_status come_nearer(rt_events *e, rt_run *run, double from, double *to,
                                routh_error *error)
{
    if (!run->integrator->glance) return ROUTH_OK;
    double at, t, *low = e->value; /* of `from` */
    memcpy(low, e->low, (size_t)e->n * sizeof *low);
    routh_status status = events_narrow(e, run, rt_events_glance, from, *to, &at, error);
    if (status) return status;
    for (double ahead = 8 * DBL_EPSILON * fmax(fabs(at), at - from);; ahead *= 2) {
        t = fmin(at + ahead, *to);
        status = show_values(e, run, t, e->trial, error);
        if (status) return status;
        if (t == *to || rt_events_turned(e, e->trial)) break;
    }
    memcpy(e->low, low, (size_t)e->n * sizeof *low);
    memcpy(e->high, e->trial, (size_t)e->n * sizeof *e->high);
    *to = t;
    return ROUTH_OK;
}

/* What turns at the end of the search: those that matter wait; others are on another side now. */
static bool is_of_load(const rt_run *run, int k)
{
    return rt_switch_event(run->m, k) < 0 &&
           strncmp(run->m->model->kinks[k].element, "load ", 5) == 0;
}

/* A contact whose force begins smoothly is no event, but a step ends there too, as one that goes
 * past it might not feel it. */
static bool stops_silently(const rt_run *run, int k)
{
    return run->fixed_step == 0 && is_of_load(run, k);
}

static bool events_sort_out(rt_events *e, const rt_run *run)
{
    bool any = false;
    for (int k = 0; k < e->n; k++) {
        e->turns[k] = has_turned(e, k, e->high[k]);
        e->silent[k] = false;
        if (!e->turns[k]) continue;
        const bool matters = events_wanted(run->m, k, events_sign_of(e->high[k])) &&
                             rt_switch_matters(run->m, run->search.w, run->search.state, k);
        e->silent[k] = !matters && stops_silently(run, k);
        if (matters || e->silent[k]) {
            any = true;
            continue;
        }
        e->turns[k] = false;
        e->sign[k] = (signed char)events_sign_of(e->high[k]);
    }
    return any;
}

/* By how much the velocities from run->before to `at` change otherwise than by what accelerates
 * them there, and how large they are: by Simpson's rule, with the middle as it is. */
static routh_status find_defect(rt_events *e, rt_run *run, double at, double *defect, double *speed,
                                routh_error *error)
{
    const rt_state *from = run->before, *to = run->search.state;
    const double h = at - from->t;
    const int n = run->m->n_u;
    routh_status status = rt_run_show(run, at, error);
    if (status) return status;
    for (int c = 0; c < n; c++)
        e->change[c] = to->u[c] - from->u[c] - h / 6 * (from->udot[c] + to->udot[c]);
    double size = fmax(rt_run_norm(run, from->u), rt_run_norm(run, to->u));
    size = fmax(size, h * fmax(rt_run_norm(run, from->udot), rt_run_norm(run, to->udot)));
    status = rt_run_show(run, from->t + h / 2, error);
    for (int c = 0; c < n && !status; c++) e->change[c] -= 4 * h / 6 * to->udot[c];
    *defect = rt_run_norm(run, e->change);
    *speed = size;
    return status;
}

/* A step that feels no contact at its ends goes through it; one that ends in it has some of its
 * force before it too, in what lies between its ends, and is to end where it begins. */
static routh_status look_blind(rt_events *e, rt_run *run, double at, bool *blind,
                               routh_error *error)
{
    enum { MOST = 20 };
    static const double much = 0.1, shorter = 0.125, near_end = 1e-2;
    static const double slowest = 1e-3, stillest = 1e-9; /* 1/s: slower is rest */
    const double from = run->before->t, h = run->now->t - from;
    const double strict = fmax(10 * run->tolerance, 1e-6);
    double defect, speed;
    const routh_status status = find_defect(e, run, at, &defect, &speed, error);
    if (status) return status;
    const bool through = defect > much * fmax(speed, stillest);
    const bool past = defect > strict * fmax(speed, slowest) && run->now->t - at > near_end * h &&
                      e->again < MOST && run->fixed_step == 0;
    *blind = through || past;
    if (*blind) e->until = through ? from + shorter * (at - from) : at;
    e->again++;
    return ROUTH_OK;
}

static bool is_contact(const rt_events *e, const rt_run *run)
{
    for (int k = 0; k < e->n; k++)
        if (e->turns[k] && is_of_load(run, k)) return true;
    return false;
}

routh_status rt_events_look(rt_events *e, rt_run *run, bool *blind, routh_error *error)
{
    e->time = e->until = INFINITY;
    *blind = false;
    if (e->n == 0) return ROUTH_OK;
    memcpy(e->sign_before, e->sign, (size_t)e->n * sizeof *e->sign);
    for (double start = run->before->t;;) {
        bool found;
        double from, to, at;
        routh_status status = rt_events_scan(e, run, start, &found, &from, &to, error);
        if (status || !found) return status ? rt_run_fail(run->now->t, status, error) : ROUTH_OK;
        status = come_nearer(e, run, from, &to, error);
        if (!status) status = events_narrow(e, run, show_values, from, to, &at, error);
        if (!status) status = rt_run_show(run, at, error);
        if (!status) status = rt_events_take(run, e->high, error);
        if (status) return status;
        if (events_sort_out(e, run)) {
            if (is_contact(e, run)) status = look_blind(e, run, at, blind, error);
            if (!status && !*blind) e->time = at;
            return status;
        }
        memcpy(e->low, e->high, (size_t)e->n * sizeof *e->low);
        start = at;
    }
}

static const char *first_turned(const rt_events *e, const rt_run *run, rt_place *place)
{
    const routh_model *model = run->m->model;
    for (int k = 0; k < model->n_kinks; k++)
        if (e->turns[k]) return *place = model->kinks[k].place, model->kinks[k].element;
    return *place = (rt_place){0}, "";
}

routh_status rt_events_retreat(rt_events *e, rt_run *run, routh_error *error)
{
    rt_place place;
    const char *name = first_turned(e, run, &place);
    const double from = run->before->t, retry = e->until - from;
    if (run->fixed_step > 0) {
        rt_fail_at(error, ROUTH_NUMERIC_ERROR, run->m->model->file, place, name,
                   "it acts for less than a step of %.3g s, which would go past it; take a shorter "
                   "step, or let the integrator choose its steps",
                   run->fixed_step);
        return rt_run_fail(from, ROUTH_NUMERIC_ERROR, error);
    }
    if (retry < 1e-13 * fmax(fabs(from), 1e-3)) {
        rt_fail_at(error, ROUTH_NUMERIC_ERROR, run->m->model->file, place, name,
                   "the integration cannot follow it even with a step of %.2g s; check for a jump "
                   "of its force",
                   retry);
        return rt_run_fail(from, ROUTH_NUMERIC_ERROR, error);
    }
    memcpy(e->sign, e->sign_before, (size_t)e->n * sizeof *e->sign);
    rt_state_copy(run->m, run->now, run->before);
    run->count.rejected++;
    run->count.steps--;
    run->step = retry;
    const routh_status status = rt_run_begin(run, error);
    if (status) return status;
    rt_state_copy(run->m, run->search.state, run->now);
    return events_values_of(run, e->low, error);
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

/* Of all that wait, in the state before any of them acts. */
static routh_status find_set_values(rt_events *e, rt_run *run, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < e->n && !status; k++) {
        const int event = rt_switch_event(run->m, k);
        if (e->turns[k] && event >= 0)
            status = rt_event_value(run->m, run->search.w, run->search.state, event, &e->value[k],
                                    error);
    }
    return status;
}

routh_status rt_events_happen(rt_events *e, rt_run *run,
                              void (*tell)(void *data, const routh_event *event), void *data,
                              bool *stop, routh_error *error)
{
    *stop = false;
    if (is_contact(e, run)) rt_run_alert(run);
    routh_status status = rt_run_show(run, e->time, error);
    if (!status) status = find_set_values(e, run, error);
    for (int k = 0; k < e->n && !status; k++) {
        if (!e->turns[k]) continue;
        e->sign[k] = (signed char)-e->sign[k];
        if (e->silent[k]) continue;
        run->count.events++;
        status = check_crowd(e, run, k, error);
        const routh_event told = events_describe(e, run, k);
        const int event = rt_switch_event(run->m, k);
        if (tell && !status) tell(data, &told);
        if (event < 0 || status) continue;
        *stop = *stop || told.action == ROUTH_EVENT_STOP;
        rt_event_set(run->m, run->search.state, event, e->value[k]);
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

size_t rt_events_memory(const rt_events *e) { return 3 + 4 * (size_t)e->n; }

void rt_events_keep(const rt_events *e, double *numbers)
{
    *numbers++ = e->time;
    *numbers++ = e->last;
    *numbers++ = e->crowd;
    for (int k = 0; k < e->n; k++) {
        *numbers++ = e->low[k];
        *numbers++ = e->sign[k];
        *numbers++ = e->turns[k];
        *numbers++ = e->silent[k];
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
        e->silent[k] = *numbers++ != 0;
    }
}
