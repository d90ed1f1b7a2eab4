#include "motion/periodic_turns.h"

#include "system/switches.h"

routh_status rt_turns_take(rt_turns *x, const routh_mechanism *m, int most, rt_arena *arena,
                           routh_error *error)
{
    *x = (rt_turns){.n = rt_switch_count(m)};
    if (x->n == 0) return ROUTH_OK;
    const bool ok =
        (x->count = RT_TAKE(arena, int, x->n)) && (x->time = RT_TAKE(arena, double, x->n)) &&
        (x->sign = RT_TAKE(arena, signed char, x->n)) &&
        (x->value = RT_TAKE(arena, double, x->n)) && (x->trial = RT_TAKE(arena, double, x->n)) &&
        (x->y = RT_TAKE(arena, double, (size_t)most + 1));
    return ok ? ROUTH_OK : rt_fail_memory(error);
}

static int periodic_turns_sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/* Of run->search.state, which is complete. */
static routh_status periodic_turns_values(rt_run *run, double *to, routh_error *error)
{
    const routh_status status =
        rt_evaluate(run->m, run->search.w, run->search.state, RT_EVALUATE_PHI, error);
    return status ? status : rt_switch_values(run->m, run->search.w, run->search.state, to, error);
}

routh_status rt_turns_begin(rt_turns *x, rt_run *run, routh_error *error)
{
    if (x->n == 0) return ROUTH_OK;
    rt_state_copy(run->m, run->search.state, run->now);
    const routh_status status = periodic_turns_values(run, x->value, error);
    for (int k = 0; k < x->n && !status; k++) {
        x->count[k] = 0;
        x->sign[k] = (signed char)periodic_turns_sign_of(x->value[k]);
    }
    return status;
}

/* Does anything feel it? Of events only one that sets an input, in its direction. */
static bool periodic_turns_is_felt(const routh_mechanism *m, int k, int sign)
{
    const int event = rt_switch_event(m, k);
    if (event < 0) return !m->model->kinks[k].watches;
    const rt_event *e = &m->model->events[event];
    return e->action == RT_EVENT_SET &&
           (e->direction == RT_EVENT_BOTH || (e->direction == RT_EVENT_RISING) == (sign > 0));
}

/* run->search.state where function k is zero, and the time of it. */
static routh_status locate(rt_turns *x, rt_run *run, rt_partition *p, int k, const double *y,
                           const double *y_end, double t, double end, double *at,
                           routh_error *error)
{
    enum { HALVES = 48 };
    double low = 0, high = 1;
    routh_status status = ROUTH_OK;
    for (int i = 0; i < HALVES && !status; i++) {
        const double part = (low + high) / 2;
        for (int e = 0; e < rt_partition_size(p); e++) x->y[e] = y[e] + part * (y_end[e] - y[e]);
        *at = t + part * (end - t);
        status = rt_partition_place(p, run, *at, x->y, error);
        if (!status) status = rt_run_accelerate(run, error);
        if (!status) status = periodic_turns_values(run, x->trial, error);
        if (status) break;
        *(periodic_turns_sign_of(x->trial[k]) == x->sign[k] ? &low : &high) = part;
    }
    return status;
}

static routh_status periodic_turns_refuse(const routh_mechanism *m, int k, double t,
                                          routh_error *error)
{
    const int event = rt_switch_event(m, k);
    char element[192];
    rt_place place;
    rt_sensor_describe(m, event < 0 ? RT_SENSOR_KINK : RT_SENSOR_EVENT, event < 0 ? k : event,
                       element, &place);
    return rt_fail_at(error, ROUTH_NOT_SUPPORTED, m->model->file, place, element,
                      "%s at t = %.6g s, within the period; variations jump there, which "
                      "multipliers do not include: make the function smooth",
                      event < 0 ? "it steps from one value to another" : "it sets an input", t);
}

routh_status rt_turns_look(rt_turns *x, rt_run *run, rt_partition *p, const double *y,
                           const double *y_end, double t, double end, routh_error *error)
{
    if (x->n == 0) return ROUTH_OK;
    rt_state_copy(run->m, run->search.state, run->now);
    routh_status status = periodic_turns_values(run, x->value, error);
    for (int k = 0; k < x->n && !status; k++) {
        const int sign = periodic_turns_sign_of(x->value[k]);
        if (x->sign[k] == 0) x->sign[k] = (signed char)sign;
        if (sign == 0 || sign == x->sign[k]) continue;
        double at = end;
        if (periodic_turns_is_felt(run->m, k, sign)) {
            status = locate(x, run, p, k, y, y_end, t, end, &at, error);
            if (status) break;
            if (rt_switch_matters(run->m, run->search.w, run->search.state, k)) {
                if (rt_switch_steps(run->m, run->search.w, run->search.state, k))
                    return periodic_turns_refuse(run->m, k, at, error);
                if (x->count[k]++ == 0) x->time[k] = at;
            }
        }
        x->sign[k] = (signed char)sign;
    }
    return status;
}
