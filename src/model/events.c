/* What `events` says: functions that cross zero in a run, and what happens then. */
#include <string.h>

#include "model/scope.h"

/* Does it depend on anything but parameters? */
static routh_status events_check_moves(rt_reader *r, const rt_function *when)
{
    const int n = rt_inputs_of(r->model->graph, when->expr, NULL, 0);
    int *slots = n < 0 ? NULL : RT_TAKE(&r->scratch, int, n);
    if (!slots || rt_inputs_of(r->model->graph, when->expr, slots, n) != n)
        return rt_fail_memory(r->error);
    for (int k = 0; k < n; k++)
        if (!rt_is_constant_quantity(&r->quantities[slots[k]])) return ROUTH_OK;
    return rt_reader_fail(r, when->place,
                          "when: it never crosses zero, since nothing that moves enters it; use "
                          "measures such as DX(cart), signals or time");
}

static routh_status check_set(rt_reader *r, const rt_yaml *entry, const rt_written_event *w)
{
    const bool sets = w->action == RT_EVENT_SET;
    if (sets && !w->input.text)
        return rt_reader_fail(r, entry->key_place,
                              "its action is set, and input and value are missing: name the input "
                              "that gets another value, and that value");
    if (!sets && w->input.text)
        return rt_reader_fail(r, w->input.place,
                              "input and value are given, which the action set alone uses; write "
                              "action: set, or leave them out");
    return ROUTH_OK;
}

/* An input of a part gets its value in the part's units. */
static routh_status pass_to_set(rt_reader *r, const rt_yaml *value, rt_event *e)
{
    char problem[256];
    const rt_signal_name *signal = rt_signal_named(r, r->model->inputs[e->input].name);
    if (!signal || rt_function_for_signal(r, signal, &e->value, problem)) return ROUTH_OK;
    return rt_reader_fail(r, value->place, "value: %s", problem);
}

static routh_status read_event(rt_reader *r, const rt_yaml *entry, rt_event *e)
{
    rt_written_event w = {0};
    rt_given given;
    routh_status status = rt_check_name(r, entry);
    if (!status) status = rt_read_fields(r, rt_event_section.kinds, entry, &w, &given);
    if (!status) status = check_set(r, entry, &w);
    if (status) return status;
    *e = (rt_event){.name = rt_arena_text(&r->model->arena, entry->key, strlen(entry->key)),
                    .place = entry->key_place,
                    .direction = (rt_event_direction)w.direction,
                    .action = (rt_event_action)w.action,
                    .input = -1,
                    .value = {.expr = RT_NO_EXPR}};
    if (!e->name) return rt_fail_memory(r->error);
    status = rt_read_function(r, w.when, "when", RT_ALLOW_ALL, &e->when);
    if (!status) status = events_check_moves(r, &e->when);
    if (status || e->action != RT_EVENT_SET) return status;
    status = rt_find_input(r, w.input.place, w.input.text, &e->input);
    if (!status) status = rt_read_function(r, w.value, "value", RT_ALLOW_ALL, &e->value);
    return status ? status : pass_to_set(r, w.value, e);
}

routh_status rt_read_events(rt_reader *r, const rt_yaml *section)
{
    routh_model *m = r->model;
    routh_status status = ROUTH_OK;
    m->events = RT_TAKE(&m->arena, rt_event, section ? section->count : 0);
    if (!m->events) return rt_fail_memory(r->error);
    r->function_load = -1;
    for (const rt_yaml *entry = section ? section->first : NULL; entry && !status;
         entry = entry->next) {
        rt_reader_enter(r, "event", entry);
        status = read_event(r, entry, &m->events[m->n_events++]);
    }
    return status;
}
