/* Steady motion as an operating point: the search, its examination, and what is told of it. */
#include "base/kept_memory.h"
#include "operating/steady.h"
#include "operating/twists.h"

static void fill_spins(const rt_steady_search *k, routh_steady *out)
{
    for (int i = 0; i < k->asked->n_spins; i++) {
        const rt_spin *spin = &k->asked->spins[i];
        routh_spin *to = &out->spins[out->n_spins++];
        to->body = k->s->m->model->bodies[spin->body].name;
        rt_v3_copy(to->axis, spin->axis);
        to->rate = k->motion[RT_MOTION_SPINS + i];
        to->acceleration = rt_steady_spin_acceleration(k, i);
        to->prescribed = spin->rate_given;
    }
}

static void fill_prescribed(const rt_steady_search *k, routh_steady *out)
{
    for (int i = 0; i < k->asked->n_prescribed; i++) {
        const rt_prescription *p = &k->asked->prescribed[i];
        out->prescribed[out->n_prescribed++] =
            (routh_prescription){.name = p->name,
                                 .unit = p->unit,
                                 .asked = p->value.value,
                                 .value = k->prescribed[i].value};
    }
    const routh_mechanism *m = k->s->m;
    const double *inputs = k->s->state->signal + m->n_signals - m->model->n_inputs;
    for (int i = 0; i < k->asked->n_free; i++) {
        const rt_named_input *input = &m->model->inputs[k->asked->free[i]];
        out->found[out->n_found++] = (routh_found_input){
            .name = input->name, .unit = input->unit, .value = inputs[k->asked->free[i]]};
    }
}

/* Mass of body b and its centre of mass seen from the body's origin, world. */
static double centre_of(const rt_search *s, int b, double arm[3])
{
    const rt_flexible *shape = s->m->model->bodies[b].flexible;
    double mass = s->m->bodies[b].mass, centre[3], inertia[9];
    rt_v3_set(arm, 0, 0, 0);
    if (!shape) return mass;
    const double *q = s->state->q + s->m->first_elastic_q + s->m->elastic_start[b];
    rt_flexible_mass_properties(shape, q, &mass, centre, inertia);
    rt_m3_mul_v(arm, s->w->bodies[b].A, centre);
    return mass;
}

/* Of the centre of mass, which is carried as everything is: |Omega e x v|. */
static void steady_fill_motion(const rt_steady_search *k, routh_steady *out)
{
    double mass = 0, v[3] = {0}, a[3], arm[3], turn[3];
    for (int b = 0; b < k->s->m->n_bodies; b++) {
        const rt_frame *f = &k->s->w->bodies[b];
        const double own = centre_of(k->s, b, arm);
        rt_v3_cross(turn, f->w, arm);
        rt_v3_add(turn, turn, f->v);
        rt_v3_add_scaled(v, own, turn);
        mass += own;
    }
    if (mass > 0) rt_v3_scale(v, 1 / mass, v);
    rt_v3_cross(a, k->e, v);
    out->turn_rate = k->motion[RT_MOTION_RATE];
    out->turn_rate_prescribed = k->asked->turn_rate_given;
    rt_v3_copy(out->axis, k->e);
    rt_v3_copy(out->origin_velocity, k->motion);
    rt_v3_copy(out->velocity, v);
    out->accelerated = k->acceleration >= 0;
    rt_v3_copy(out->frame_acceleration, rt_steady_acceleration(k));
    out->acceleration = fabs(out->turn_rate) * rt_v3_norm(a);
}

static routh_status steady_fill(const rt_steady_search *k, routh_steady *out, routh_error *error)
{
    const rt_steady *asked = k->asked;
    rt_analyses *analyses = k->s->m->analyses;
    out->spins = rt_kept_calloc(analyses, (size_t)asked->n_spins + 1, sizeof *out->spins);
    out->prescribed =
        rt_kept_calloc(analyses, (size_t)asked->n_prescribed + 1, sizeof *out->prescribed);
    out->found = rt_kept_calloc(analyses, (size_t)asked->n_free + 1, sizeof *out->found);
    if (!out->spins || !out->prescribed || !out->found) return rt_fail_memory(error);
    fill_spins(k, out);
    fill_prescribed(k, out);
    steady_fill_motion(k, out);
    return ROUTH_OK;
}

/* Does what was found last, and is it one motion? */
static routh_status steady_examine(rt_steady_search *k, double *drift, bool *found,
                                   routh_error *error)
{
    routh_error unheard;
    const routh_status status = rt_steady_determined(k, error);
    if (status) return status;
    const routh_status lasts = rt_steady_goes_on(k, drift, &unheard);
    *found = !lasts;
    return lasts == ROUTH_OUT_OF_MEMORY ? rt_fail_memory(error) : ROUTH_OK;
}

/* Where none is found that lasts, how the first one stops tells why. */
static routh_status steady_find_other(rt_steady_search *k, double *drift, bool *found,
                                      routh_error *error)
{
    routh_status status = ROUTH_OK;
    *found = false;
    for (int at_rest = 0; at_rest < 2 && !status && !*found; at_rest++) {
        status = rt_steady_search_held(k, at_rest, found, error);
        if (!status && *found) status = steady_examine(k, drift, found, error);
    }
    return status;
}

/* Followed so far, the way tells more than how the first motion stops: but from what is in balance
 * at first there is no way to go. */
static bool way_tells(const rt_steady_search *k)
{
    static const double HALF = 0.5;
    return k->way >= HALF && k->way < 1 && !k->balanced;
}

/* *again: it may be another one from where the mechanism settles. */
static routh_status find_from_start(rt_steady_search *k, double *drift, bool *again,
                                    routh_error *error)
{
    bool found = false;
    routh_status status = rt_steady_search_motion(k, error);
    *again = status == ROUTH_NO_EQUILIBRIUM;
    if (!status && k->late) status = rt_steady_determined(k, error);
    if (status) return status;
    status = rt_steady_goes_on(k, drift, error);
    if (!status && way_tells(k)) k->s->way_ended = k->way;
    if (status != ROUTH_NO_EQUILIBRIUM) return status;
    routh_error held = {0};
    const routh_status other = steady_find_other(k, drift, &found, &held);
    *again = !other && !found;
    if (!other && !found) return way_tells(k) ? rt_steady_ends(k, k->way, error) : status;
    if (other && error) *error = held;
    return other;
}

/* Where that finds none either, how the first search stopped tells why. */
static routh_status find_lasting(rt_steady_search *k, double *drift, routh_error *error)
{
    bool again = false, found = false;
    routh_error unheard;
    const routh_status first = find_from_start(k, drift, &again, error);
    if (!again || k->s->followed || rt_stopped_by_twist(k->s)) return first;
    routh_status status = rt_steady_search_settled(k, &found, &unheard);
    if (!status && found) status = steady_examine(k, drift, &found, &unheard);
    if (!status && found) return ROUTH_OK;
    return status == ROUTH_OUT_OF_MEMORY ? rt_fail_memory(error) : first;
}

routh_status rt_find_steady(rt_search *s, routh_operating_point *point, routh_error *error)
{
    rt_steady_search k = {0};
    rt_steady_free(point->steady);
    point->steady = rt_kept_calloc(s->m->analyses, 1, sizeof *point->steady);
    if (!point->steady) return rt_fail_memory(error);
    bool accelerated = false;
    routh_status status = rt_steady_is_driven(s, &accelerated, error);
    const bool driven = accelerated;
    accelerated = accelerated || s->m->model->steady.accelerated;
    if (!status) status = rt_steady_create(&k, s, accelerated, error);
    k.driven = driven;
    if (!status) status = find_lasting(&k, &point->steady->drift, error);
    if (!status) status = steady_fill(&k, point->steady, error);
    rt_steady_release(&k);
    /* the joints may be redundant in other ways where it was found */
    if (!status) status = rt_find_rank(s, error);
    return status ? status : rt_smallest_multipliers(s, error);
}

void rt_steady_free(routh_steady *steady)
{
    if (!steady) return;
    rt_kept_free(steady->spins);
    rt_kept_free(steady->prescribed);
    rt_kept_free(steady->found);
    rt_kept_free(steady);
}
