#include "entry/given.h"

#include <math.h>
#include <stdio.h>

void rt_call_factors(rt_call *call, const routh_factors *factors, const char *name)
{
    const routh_factors *f = factors;
    if (f && !(f->open && f->factor && f->solve && f->bytes && f->close))
        rt_call_refuse(call, name, "has NULL as one of open, factor, solve, bytes and close");
}

static void given_has_name(rt_call *call, const char *name, const char *list, int k)
{
    if (!name) rt_call_refuse(call, list, "has no name at [%d]", k);
}

static void given_signals(rt_call *call, const routh_initial_signal *signals, int n,
                          const char *name, const char *name_of_n)
{
    rt_call_list(call, signals, n, name, name_of_n);
    for (int k = 0; k < n && !call->status; k++) given_has_name(call, signals[k].name, name, k);
}

void rt_call_state(rt_call *call, const routh_initial_state *state, const char *name)
{
    if (!rt_call_given(call, state, name)) return;
    const routh_initial_state *s = state;
    rt_call_list(call, s->bodies, s->n_bodies, "state->bodies", "state->n_bodies");
    for (int k = 0; k < s->n_bodies && !call->status; k++) {
        const routh_initial_body *b = &s->bodies[k];
        given_has_name(call, b->name, "state->bodies", k);
        rt_call_list(call, b->elastic, b->n_elastic, "state->bodies->elastic",
                     "state->bodies->n_elastic");
    }
    given_signals(call, s->states, s->n_states, "state->states", "state->n_states");
    given_signals(call, s->variables, s->n_variables, "state->variables", "state->n_variables");
    given_signals(call, s->inputs, s->n_inputs, "state->inputs", "state->n_inputs");
    rt_call_list(call, s->angles, s->n_angles, "state->angles", "state->n_angles");
    for (int k = 0; k < s->n_angles && !call->status; k++)
        given_has_name(call, s->angles[k].name, "state->angles", k);
    rt_call_list(call, s->joints, s->n_joints, "state->joints", "state->n_joints");
    for (int k = 0; k < s->n_joints && !call->status; k++)
        given_has_name(call, s->joints[k].name, "state->joints", k);
    if (!s->coordinates) return;
    rt_call_list(call, s->q, s->n_q, "state->q", "state->n_q");
    rt_call_list(call, s->u, s->n_u, "state->u", "state->n_u");
}

static void must_go_one_way(rt_call *call, const routh_sweep_axis *axis)
{
    const double *x = axis->values;
    for (int k = 1; k < axis->n && !call->status; k++)
        if (x[k] == x[k - 1] || (x[k] > x[k - 1]) != (x[1] > x[0]))
            rt_call_refuse(call, "axes->values",
                           "must increase or decrease, but %g follows %g as a value of %.60s; "
                           "sort them",
                           x[k], x[k - 1], axis->parameter);
}

void rt_call_axes(rt_call *call, const routh_sweep_axis *axes, int n)
{
    if (n < 1 || n > 2)
        rt_call_refuse(call, "n_axes", "is %d; a sweep is along 1 or 2 parameters", n);
    rt_call_list(call, axes, n, "axes", "n_axes");
    for (int k = 0; k < n && !call->status; k++) {
        rt_call_given(call, axes[k].parameter, "axes->parameter");
        rt_call_least(call, axes[k].n, 1, "axes->n");
        rt_call_list(call, axes[k].values, axes[k].n, "axes->values", "axes->n");
        if (!call->status)
            rt_call_all_finite(call, axes[k].values, (size_t)axes[k].n, "axes->values");
        if (!call->status) must_go_one_way(call, &axes[k]);
    }
}

void rt_call_texts(rt_call *call, const routh_text *texts, long long n)
{
    rt_call_list(call, texts, n, "texts", "n");
    for (long long k = 0; k < n && !call->status; k++)
        if (!texts[k].bytes) rt_call_refuse(call, "texts", "holds nothing as text %lld, from 0", k);
}

void rt_call_components(rt_call *call, const routh_component *more, int n)
{
    rt_call_list(call, more, n, "more", "n_more");
    for (int k = 0; k < n && !call->status; k++)
        if (!more[k].name || !more[k].purpose || !more[k].package || !more[k].licence)
            rt_call_refuse(call, "more", "holds NULL as a text of component %d, from 0", k);
}
