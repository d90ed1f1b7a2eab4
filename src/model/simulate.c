/* What `simulate` says of a run in time. */
#include <string.h>

#include "model/scope.h"

static const char *const *input_names(rt_reader *r)
{
    const char **names = RT_TAKE(&r->scratch, const char *, r->model->n_inputs + 1);
    for (int k = 0; names && k < r->model->n_inputs; k++) names[k] = r->model->inputs[k].name;
    return names;
}

routh_status rt_find_input(rt_reader *r, rt_place place, const char *name, int *input)
{
    rt_quantity_kind kind;
    char hint[128];
    *input = rt_model_find_signal(r->model, rt_full_name_or_none(r, name), &kind);
    if (*input >= 0 && kind == RT_QUANTITY_INPUT) return ROUTH_OK;
    const char *const *names = input_names(r);
    if (!names) return rt_fail_memory(r->error);
    return rt_reader_fail(r, place, "input '%.60s' is not defined%s", name,
                          rt_did_you_mean(name, names, hint, sizeof hint));
}

static routh_status read_history(rt_reader *r, const rt_written_signal *w, rt_function *history)
{
    const rt_table_use use = {.example = "[[0, 0], [0.1, 0.02]]",
                              .units = "s",
                              .sign = 1,
                              .interpolation = w->interpolation};
    r->function_dimension = (rt_dimension){0};
    if (w->table) return rt_read_table(r, w->table, &use, rt_time_expr(r), history);
    return rt_read_function(r, w->function, "the history", RT_ALLOW_TIME_ALONE, history);
}

/* The history of a part's input, in the part's units. */
static routh_status pass_to_input(rt_reader *r, const rt_yaml *entry, int input, rt_function *f)
{
    char problem[256];
    const rt_signal_name *signal = rt_signal_named(r, r->model->inputs[input].name);
    if (!signal || rt_function_for_signal(r, signal, f, problem)) return ROUTH_OK;
    return rt_reader_fail(r, entry->place, "%s", problem);
}

static routh_status read_histories(rt_reader *r, const rt_yaml *section)
{
    for (const rt_yaml *entry = section ? section->first : NULL; entry; entry = entry->next) {
        rt_written_signal written = {.value = rt_plain(0)};
        rt_given given;
        int input;
        rt_reader_element(r, "simulate", "");
        routh_status status = rt_find_input(r, entry->key_place, entry->key, &input);
        rt_reader_element(r, "input", entry->key);
        if (!status) status = rt_read_entry(r, &rt_history_section, entry, &written, &given);
        if (!status) status = read_history(r, &written, &r->model->inputs[input].history);
        if (!status) status = pass_to_input(r, entry, input, &r->model->inputs[input].history);
        if (status) return status;
    }
    return ROUTH_OK;
}

static routh_status simulate_check_end(rt_reader *r, const rt_yaml *end)
{
    const routh_model *m = r->model;
    if (!end || m->simulation.end.value > m->time.value) return ROUTH_OK;
    rt_reader_element(r, "simulate", "");
    return rt_reader_fail(r, end->place,
                          "end is %.6g and the run begins at the operating point's time, %.6g; end "
                          "must be later",
                          rt_as_written(r, "s", m->simulation.end.value),
                          rt_as_written(r, "s", m->time.value));
}

routh_status rt_read_simulation(rt_reader *r, const rt_yaml *section, const rt_written_model *w)
{
    rt_simulation *s = &r->model->simulation;
    const rt_yaml *end = section ? rt_yaml_find(section, "end") : NULL;
    *s = (rt_simulation){.given = section,
                         .end = w->simulate.end,
                         .end_given = end,
                         .every = w->simulate.every,
                         .integrator_place = w->simulate.integrator.place,
                         .tolerance = w->simulate.tolerance,
                         .step = w->simulate.step,
                         .largest_step = w->simulate.largest_step};
    if (section) s->place = section->key_place;
    if (w->simulate.integrator.text) {
        const char *name = w->simulate.integrator.text;
        s->integrator = rt_arena_text(&r->model->arena, name, strlen(name));
        if (!s->integrator) return rt_fail_memory(r->error);
    }
    const routh_status status = simulate_check_end(r, end);
    return status ? status : read_histories(r, w->simulate.histories);
}
