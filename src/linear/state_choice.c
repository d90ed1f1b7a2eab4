/* The choice of states for a linear model, and how they move at the operating point. */
#include "linear/holder.h"

/* A search that stands at a state; from there the drift takes it a small step. */
enum { MOST_STEPS = 20 };

static routh_status stand_at(rt_search *s, const routh_mechanism *m, const rt_state *state,
                             routh_error *error)
{
    const routh_status status = rt_search_create(s, m, 1e-12, MOST_STEPS, error);
    if (status) return status;
    rt_state_copy(m, s->state, state);
    rt_evaluate_frames(m, s->w, s->state);
    return ROUTH_OK;
}

/* The ranks in the mechanism's own coordinates, where the states were chosen in absolute ones. */
static routh_status find_own_rank(rt_search *s, const rt_states *states, routh_error *error)
{
    routh_status status = rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_JACOBIAN, error);
    if (!status) status = rt_find_rank(s, error);
    if (status) return status;
    const int z = s->m->n_u - rt_position_rank(s)->rank, z1 = s->m->n_u - s->rank->rank;
    if (z == states->z && z1 == states->z1) return ROUTH_OK;
    return rt_fail(error, ROUTH_SINGULAR,
                   "the constraints leave %d degrees of freedom in absolute coordinates and %d in "
                   "%s coordinates, because the mechanism is close to a singular configuration; "
                   "move the initial positions away from it",
                   states->z1, z1, s->m->coordinates);
}

/* States are chosen in absolute coordinates where there are such beside, so that the choice does
 * not depend on the coordinates. */
routh_status rt_linear_choose_states(rt_linear_task *t, const routh_mechanism *m,
                                     const routh_operating_point *point, int marker,
                                     const char *const *names, routh_error *error)
{
    rt_search *chooser = m->base ? &t->base : &t->search;
    routh_status status = stand_at(&t->search, m, point->state, error);
    if (!status && m->base) status = stand_at(&t->base, m->base, point->base_state, error);
    if (status) return status;
    if (marker == RT_MOVING_FRAME)
        rt_reference_frame_set_moving(&t->observer, point->steady);
    else
        rt_reference_frame_set(&t->observer, t->search.w, marker);
    status = rt_linear_find_wanted(m, names, t, error);
    if (status) return status;
    const rt_preferred preferred = {.states = t->wanted.candidates,
                                    .n_states = t->wanted.n,
                                    .rates = t->wanted_rates.candidates,
                                    .n_rates = t->wanted_rates.n};
    status = rt_choose_states(chooser, &t->observer, &preferred, &t->arena, &t->states, error);
    return !status && m->base ? find_own_rank(&t->search, &t->states, error) : status;
}

/* ---- values --------------------------------------------------------------------------------- */

/* Of a displacement d along e: e . d; of a rotation 0, as it is counted from the operating point,
 * and its rates those of e . w. */
static void component_values(const rt_linear_task *t, int body, int component, double value[3])
{
    const rt_search *s = &t->search;
    const rt_reference_frame *o = &t->observer;
    const rt_frame *f = &o->frame, *b = &s->w->bodies[body];
    const int axis = component % 3;
    const double *e = o->e[0][axis], *e1 = o->e[1][axis], *e2 = o->e[2][axis];
    double d[3], v[3], a[3];
    if (component < 3) {
        rt_v3_sub(d, b->r, f->r);
        rt_v3_sub(v, b->v, f->v);
        rt_v3_sub(a, b->a, f->a);
        value[0] = rt_v3_dot(e, d);
        value[1] = rt_v3_dot(e, v) + rt_v3_dot(e1, d);
        value[2] = rt_v3_dot(e, a) + 2 * rt_v3_dot(e1, v) + rt_v3_dot(e2, d);
        return;
    }
    rt_v3_sub(v, b->w, f->w);
    rt_v3_sub(a, b->al, f->al);
    value[0] = 0;
    value[1] = rt_v3_dot(e, v);
    value[2] = rt_v3_dot(e, a) + rt_v3_dot(e1, v);
}

void rt_linear_state_values(const rt_linear_task *t, int candidate, double value[3])
{
    const routh_mechanism *m = t->search.m;
    const rt_state *state = t->search.state;
    const int j = candidate - rt_first_user_candidate(m),
              e = candidate - rt_first_elastic_candidate(m);
    rt_gradient phi;
    if (j >= 0)
        rt_user_state_jets(&t->search, t->states.user, j, value, &phi);
    else if (e >= 0)
        rt_v3_set(value, state->q[m->first_elastic_q + e], state->u[m->first_elastic + e],
                  state->udot[m->first_elastic + e]);
    else
        component_values(t, candidate / 6, candidate % 6, value);
}

void rt_linear_fill_values(rt_linear_holder *h, const rt_linear_task *t)
{
    const rt_states *states = &t->states;
    double value[3];
    for (int k = 0; k < states->z; k++) {
        rt_linear_state_values(t, states->candidate[k], value);
        h->linear.states[k].value = value[0];
    }
    for (int k = 0; k < states->z1; k++) {
        rt_linear_state_values(t, states->rate[k], value);
        h->linear.states[states->z + k].value = value[1];
    }
}

/* a0 = (S', W') of the nominal motion as the observer sees it. Zero where the operating point does
 * not move in the observer's axes. */
void rt_linear_fill_affine(rt_linear_holder *h, const rt_linear_task *t)
{
    const rt_states *states = &t->states;
    double value[3];
    for (int k = 0; k < states->z; k++) {
        rt_linear_state_values(t, states->candidate[k], value);
        h->linear.affine[k] = value[1];
    }
    for (int k = 0; k < states->z1; k++) {
        rt_linear_state_values(t, states->rate[k], value);
        h->linear.affine[states->z + k] = value[2];
    }
}
