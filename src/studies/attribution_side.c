#include "studies/attribution_side.h"
#include "operating/massless.h"

#include <stdlib.h>

static routh_status attribution_side_prepare(rt_side *s, const routh_linear *linear,
                                             routh_error *error)
{
    routh_linear_options o = routh_linear_defaults();
    const char **names = RT_TAKE(&s->arena, const char *, linear->n_position + 1);
    s->holder = rt_kept_calloc(NULL, 1, sizeof *s->holder);
    if (!names || !s->holder) return rt_fail_memory(error);
    for (int k = 0; k < linear->n_position; k++) names[k] = linear->states[k].name;
    o.states = names;
    o.reference = linear->reference;
    return rt_linear_prepare(s->holder, &s->task, s->m, &s->point, &o, error);
}

static routh_status check_states(const rt_side *s, const routh_linear *linear, routh_error *error)
{
    const routh_linear *own = &s->holder->linear;
    bool same = own->n_states == linear->n_states && own->n_position == linear->n_position;
    for (int k = 0; same && k < own->n_states; k++)
        same = strcmp(own->states[k].name, linear->states[k].name) == 0;
    return same ? ROUTH_OK
                : rt_fail(error, ROUTH_BAD_ARGUMENT,
                          "the linear model has other states than this mechanism at this operating "
                          "point; give the linear model that belongs to it");
}

routh_status rt_side_create(rt_side *s, const routh_mechanism *mechanism,
                            const routh_operating_point *point, const routh_linear *linear,
                            routh_error *error)
{
    *s = (rt_side){.m = mechanism->base ? mechanism->base : mechanism, .point = *point};
    if (mechanism->base) s->point.state = point->base_state, s->point.base_state = NULL;
    routh_status status = rt_refuse_massless_point(mechanism, point, "an attribution", error);
    if (!status) status = attribution_side_prepare(s, linear, error);
    if (!status) status = check_states(s, linear, error);
    if (status) return status;
    s->work = (rt_method_task){.search = &s->task.search,
                               .observer = &s->task.observer,
                               .states = &s->task.states,
                               .threads = 1,
                               .whole = true};
    status = rt_task_sensors_take(&s->work, &s->arena, error);
    if (!status) status = rt_linear_find_undetermined(s->holder, &s->work, &s->arena, error);
    if (!status) status = rt_pencil_create(&s->pencil, &s->work, &s->arena, error);
    if (!status) status = rt_spectrum_create(&s->spectrum, &s->pencil, &s->arena, error);
    return status ? status : rt_worker_create(&s->worker, &s->task.search, &s->arena, error);
}

void rt_side_release(rt_side *s)
{
    rt_pencil_release(&s->pencil);
    rt_linear_task_release(&s->task);
    if (s->holder) routh_linear_free(&s->holder->linear);
    rt_arena_free(&s->arena);
}
