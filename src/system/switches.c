#include "system/switches.h"

#include <float.h>

int rt_switch_count(const routh_mechanism *m) { return m->model->n_kinks + m->model->n_events; }

int rt_switch_event(const routh_mechanism *m, int k)
{
    return k < m->model->n_kinks ? -1 : k - m->model->n_kinks;
}

static routh_status switches_blame(const routh_mechanism *m, rt_sensor_kind kind, int k,
                                   routh_error *error)
{
    char element[192];
    rt_place place;
    rt_sensor_describe(m, kind, k, element, &place);
    return rt_fail_at(error, ROUTH_NUMERIC_ERROR, m->model->file, place, element,
                      "%s is not a number here; check its expression",
                      kind == RT_SENSOR_KINK ? m->model->kinks[k].what : "when");
}

routh_status rt_switch_values(const routh_mechanism *m, rt_workspace *w, const rt_state *state,
                              double *values, routh_error *error)
{
    for (int i = 0; i < rt_switch_count(m); i++) {
        const int event = rt_switch_event(m, i), k = event < 0 ? i : event;
        const rt_sensor_kind kind = event < 0 ? RT_SENSOR_KINK : RT_SENSOR_EVENT;
        double value;
        if (!rt_sensor_value(m, w, state, kind, k, &value) || isnan(value))
            return switches_blame(m, kind, k, error);
        values[i] = fmax(-DBL_MAX, fmin(value, DBL_MAX));
    }
    return ROUTH_OK;
}

bool rt_switch_matters(const routh_mechanism *m, rt_workspace *w, const rt_state *state, int k)
{
    double jump;
    return rt_switch_event(m, k) >= 0 || !rt_sensor_value(m, w, state, RT_SENSOR_JUMP, k, &jump) ||
           !(jump <= RT_KINK_JUMP);
}

bool rt_switch_steps(const routh_mechanism *m, rt_workspace *w, const rt_state *state, int k)
{
    double step;
    const int event = rt_switch_event(m, k);
    if (event >= 0) return m->model->events[event].action == RT_EVENT_SET;
    if (!m->model->kinks[k].weighed) return false;
    return !rt_sensor_value(m, w, state, RT_SENSOR_STEP, k, &step) || !(step <= RT_KINK_JUMP);
}

routh_status rt_event_value(const routh_mechanism *m, rt_workspace *w, const rt_state *state, int k,
                            double *value, routh_error *error)
{
    rt_sensor_row row = {0};
    *value = 0;
    if (m->model->events[k].action != RT_EVENT_SET) return ROUTH_OK;
    const routh_status status =
        rt_sensor_evaluate(m, w, state, RT_SENSOR_EVENT_VALUE, k, false, &row, error);
    *value = row.value;
    return status;
}

void rt_event_set(const routh_mechanism *m, rt_state *state, int k, double value)
{
    const rt_event *event = &m->model->events[k];
    const rt_quantity input = {.kind = RT_QUANTITY_INPUT, .index = event->input};
    if (event->action != RT_EVENT_SET) return;
    double *signal = state->signal + rt_signal_place(m->model, &input);
    signal[0] = value;
    signal[m->n_signals] = signal[2 * (size_t)m->n_signals] = 0;
    state->held[event->input] = true;
}
