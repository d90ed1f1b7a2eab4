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

/* The rank in the mechanism's own coordinates, where the states were chosen in absolute ones. */
static routh_status find_own_rank(rt_search *s, int z, routh_error *error)
{
    routh_status status = rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_JACOBIAN, error);
    if (!status) status = rt_find_rank(s, error);
    if (status || s->m->n_u - s->rank->rank == z) return status;
    return rt_fail(error, ROUTH_SINGULAR,
                   "the constraints leave %d degrees of freedom in absolute coordinates and %d in "
                   "%s coordinates: the mechanism is too close to a singular configuration",
                   z, s->m->n_u - s->rank->rank, s->m->coordinates);
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
    rt_observer_set(&t->observer, t->search.w, marker);
    status = rt_linear_find_wanted(m, names, &t->arena, &t->wanted, error);
    if (!status)
        status = rt_choose_states(chooser, &t->observer, t->wanted.candidates, t->wanted.n,
                                  &t->arena, &t->states, error);
    return !status && m->base ? find_own_rank(&t->search, t->states.z, error) : status;
}

/* a0 = (S', S'') of the nominal motion as the observer sees it: p . v + p' . r ... of the
 * states' bodies, relative to the reference marker. Zero where the operating point does not move
 * in the observer's axes. */
void rt_linear_fill_affine(rt_linear_holder *h, const rt_linear_task *t)
{
    const rt_search *s = &t->search;
    const rt_observer *o = &t->observer;
    const rt_states *states = &t->states;
    const rt_frame *f = rt_frame_of(s->w->markers, o->marker);
    for (int k = 0; k < states->z; k++) {
        const rt_frame *b = &s->w->bodies[states->body[k]];
        const int axis = states->component[k] % 3;
        const double *e = o->e[0][axis], *e1 = o->e[1][axis], *e2 = o->e[2][axis];
        double d[3], v[3], a[3];
        if (states->component[k] < 3) {
            rt_v3_sub(d, b->r, f->r);
            rt_v3_sub(v, b->v, f->v);
            rt_v3_sub(a, b->a, f->a);
            h->linear.affine[k] = rt_v3_dot(e, v) + rt_v3_dot(e1, d);
            h->linear.affine[states->z + k] =
                rt_v3_dot(e, a) + 2 * rt_v3_dot(e1, v) + rt_v3_dot(e2, d);
        } else {
            rt_v3_sub(v, b->w, f->w);
            rt_v3_sub(a, b->al, f->al);
            h->linear.affine[k] = rt_v3_dot(e, v);
            h->linear.affine[states->z + k] = rt_v3_dot(e, a) + rt_v3_dot(e1, v);
        }
    }
}
