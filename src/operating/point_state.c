/* The state of an operating point, for files and for other mechanisms of the model. */
#include <stdlib.h>

#include "base/state_holder.h"
#include "operating/operating.h"

/* In a static equilibrium inputs with histories stand still. */
static bool point_state_is_held(const routh_mechanism *m, const routh_operating_point *p, int k)
{
    const bool history = m->model->inputs[k].history.expr >= 0;
    return p->state->held[k] || (history && p->type == ROUTH_OPERATING_STATIC);
}

static void fill_signals(const routh_mechanism *m, const routh_operating_point *p,
                         routh_initial_signal *x, routh_initial_signal *v, routh_initial_signal *in)
{
    const routh_model *model = m->model;
    const int n_x = model->n_control_states, n_v = model->n_variables, n = m->n_signals;
    const double *s = p->state->signal, *input = s + 2 * n_x + n_v;
    for (int k = 0; k < n_x; k++)
        x[k] = (routh_initial_signal){.name = model->control_states[k].name,
                                      .value = s[k],
                                      .rate = s[n_x + k],
                                      .units = model->control_states[k].units};
    for (int k = 0; k < n_v; k++)
        v[k] = (routh_initial_signal){.name = model->variables[k].name,
                                      .value = s[2 * n_x + k],
                                      .units = model->variables[k].units};
    for (int k = 0; k < model->n_inputs; k++)
        in[k] = (routh_initial_signal){.name = model->inputs[k].name,
                                       .value = input[k],
                                       .rate = input[n + k],
                                       .second_rate = input[2 * n + k],
                                       .units = model->inputs[k].units,
                                       .held = point_state_is_held(m, p, k)};
}

/* The elastic coordinates and their rates of body b, out of q and u. */
static void fill_elastic(const routh_mechanism *m, int b, const double *q, const double *u,
                         routh_initial_body *body)
{
    const int first = m->elastic_start[b];
    body->n_elastic = m->elastic_start[b + 1] - first;
    body->elastic = body->n_elastic ? q + m->first_elastic_q + first : NULL;
    body->elastic_rates = body->n_elastic ? u + m->first_elastic + first : NULL;
}

static routh_status fill_given(rt_state_holder *h, const routh_mechanism *m,
                               const routh_operating_point *p, routh_error *error)
{
    const routh_model *model = m->model;
    rt_arena *a = &h->arena;
    routh_initial_body *bodies = RT_TAKE(a, routh_initial_body, p->n_bodies);
    routh_initial_signal *x = RT_TAKE(a, routh_initial_signal, model->n_control_states);
    routh_initial_signal *v = RT_TAKE(a, routh_initial_signal, model->n_variables);
    routh_initial_signal *in = RT_TAKE(a, routh_initial_signal, model->n_inputs);
    routh_initial_angle *angles = RT_TAKE(a, routh_initial_angle, model->n_angles);
    double *q = RT_TAKE(a, double, m->n_q), *u = RT_TAKE(a, double, m->n_u);
    const char *title = model->title ? rt_arena_text(a, model->title, strlen(model->title)) : NULL;
    if (!bodies || !x || !v || !in || !angles || !q || !u || (model->title && !title))
        return rt_fail_memory(error);
    for (int b = 0; b < p->n_bodies; b++) {
        bodies[b].name = p->bodies[b].name;
        rt_v3_copy(bodies[b].position, p->bodies[b].position);
        memcpy(bodies[b].orientation, p->bodies[b].orientation, sizeof bodies[b].orientation);
        rt_v3_copy(bodies[b].velocity, p->bodies[b].velocity);
        rt_v3_copy(bodies[b].angular_velocity, p->bodies[b].angular_velocity);
        fill_elastic(m, b, q, u, &bodies[b]);
    }
    fill_signals(m, p, x, v, in);
    for (int k = 0; k < model->n_angles; k++)
        angles[k] = (routh_initial_angle){model->angles[k].name, p->state->near[k]};
    memcpy(q, p->state->q, (size_t)m->n_q * sizeof *q);
    memcpy(u, p->state->u, (size_t)m->n_u * sizeof *u);
    h->state = (routh_initial_state){.title = title,
                                     .time = p->state->t,
                                     .n_bodies = p->n_bodies,
                                     .bodies = bodies,
                                     .n_states = model->n_control_states,
                                     .states = x,
                                     .n_variables = model->n_variables,
                                     .variables = v,
                                     .n_inputs = model->n_inputs,
                                     .inputs = in,
                                     .n_angles = model->n_angles,
                                     .angles = angles,
                                     .coordinates = m->coordinates,
                                     .n_q = m->n_q,
                                     .n_u = m->n_u,
                                     .q = q,
                                     .u = u};
    return ROUTH_OK;
}

routh_status routh_initial_state_of_point(routh_initial_state **state, const routh_mechanism *m,
                                          const routh_operating_point *point, routh_error *error)
{
    *state = NULL;
    rt_state_holder *h = calloc(1, sizeof *h);
    if (!h) return rt_fail_memory(error);
    const routh_status status = fill_given(h, m, point, error);
    if (status)
        routh_initial_state_free(&h->state);
    else
        *state = &h->state;
    return status;
}
