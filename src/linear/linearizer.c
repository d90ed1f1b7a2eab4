/* A linear model made again and again: the minimal method with everything that does not change
 * made once. */
#include <stdlib.h>

#include "linear/again.h"
#include "linear/holder.h"
#include "methods/projection.h"
#include "operating/massless.h"

struct routh_linearizer {
    rt_linear_holder *holder;
    rt_linear_task task;
    rt_projection projection;
    rt_method_task work;
};

static routh_status linearizer_create(routh_linearizer *l, const routh_mechanism *m,
                                      const routh_operating_point *point, const char *reference,
                                      const char *const *states, routh_error *error)
{
    routh_linear_options options = routh_linear_defaults();
    options.method = "minimal:sparse";
    options.reference = reference;
    options.states = states;
    l->holder = rt_kept_calloc(NULL, 1, sizeof *l->holder);
    if (!l->holder) return rt_fail_memory(error);
    routh_status status = rt_refuse_massless_point(m, point, "a linearizer", error);
    if (status) return status;
    status = rt_check_alone(m, true, "a linearizer is",
                            "call routh_linear_compute, again at every point", error);
    if (status) return status;
    status = rt_linear_prepare(l->holder, &l->task, m, point, &options, error);
    if (status) return status;
    l->work = (rt_method_task){.search = &l->task.search,
                               .observer = &l->task.observer,
                               .states = &l->task.states,
                               .variant = l->task.variant,
                               .threads = 1};
    status = rt_sensitivity_take(&l->task.x, m->n_u, l->task.states.z, &l->task.arena, error);
    if (!status) status = rt_linear_take_matrices(l->holder, error);
    if (!status) status = rt_projection_create(&l->projection, &l->work, &l->task.arena, error);
    return status ? status : routh_linearizer_run(l, point, error);
}

routh_status routh_linearizer_create(routh_linearizer **linearizer, const routh_mechanism *m,
                                     const routh_operating_point *point, const char *reference,
                                     const char *const *states, routh_error *error)
{
    *linearizer = NULL;
    routh_linearizer *l = calloc(1, sizeof *l);
    if (!l) return rt_fail_memory(error);
    const routh_status status = linearizer_create(l, m, point, reference, states, error);
    if (status) {
        routh_linearizer_free(l);
        return status;
    }
    *linearizer = l;
    return ROUTH_OK;
}

void routh_linearizer_free(routh_linearizer *l)
{
    if (!l) return;
    rt_projection_release(&l->projection);
    rt_linear_task_release(&l->task);
    if (l->holder) routh_linear_free(&l->holder->linear);
    free(l);
}

static routh_status no_frame(routh_error *error)
{
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "the reference frame is the moving frame, but this operating point is not a "
                   "steady motion; use another reference frame");
}

routh_status routh_linearizer_run(routh_linearizer *l, const routh_operating_point *point,
                                  routh_error *error)
{
    rt_search *s = &l->task.search;
    const int marker = l->task.observer.marker;
    rt_state_copy(s->m, s->state, point->state);
    routh_status status = rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_ALL, error);
    if (status) return status;
    if (marker == RT_MOVING_FRAME) {
        if (!point->steady) return no_frame(error);
        rt_reference_frame_set_moving(&l->task.observer, point->steady);
    } else if (marker >= 0) {
        rt_evaluate_marker(s->m, s->w, marker);
        rt_reference_frame_set(&l->task.observer, s->w, marker);
    }
    status = rt_projection_run(&l->projection, &l->work, &l->task.x, error);
    if (status) return status;
    rt_linear_fill_matrices(l->holder, &l->task.x);
    rt_linear_fill_affine(l->holder, &l->task);
    rt_linear_fill_values(l->holder, &l->task);
    rt_linear_note_motion(l->holder, &l->task, point);
    return ROUTH_OK;
}

const routh_mechanism *rt_linearizer_mechanism(const routh_linearizer *l)
{
    return l->task.search.m;
}

const routh_linear *routh_linearizer_linear(const routh_linearizer *l)
{
    return &l->holder->linear;
}
