/* Which states are wanted, and how states are named. */
#include <stdio.h>

#include "linear/holder.h"

static const char *const component_names[] = {"x", "y", "z", "rx", "ry", "rz"};

/* "link.5.y", a body and one of its elastic coordinates -> its candidate; or -1 */
static int elastic_candidate(const routh_mechanism *m, const char *name)
{
    for (int k = 0; k < m->n_flexible; k++) {
        const rt_flexible_block *f = &m->flexible[k];
        const char *body = m->model->bodies[f->body].name;
        const size_t length = strlen(body);
        if (strncmp(name, body, length) != 0 || name[length] != '.') continue;
        for (int e = 0; e < f->shape->n; e++)
            if (strcmp(f->shape->coordinate[e].name, name + length + 1) == 0)
                return rt_first_elastic_candidate(m) + f->first + e;
    }
    return -1;
}

/* "body.rx" -> candidate 6 body + component; a user state's name -> its candidate; or -1 */
static int candidate_of(const routh_mechanism *m, const char *name)
{
    const routh_model *model = m->model;
    for (int j = 0; j < model->n_user_states; j++)
        if (strcmp(model->user_states[j].name, name) == 0) return rt_first_user_candidate(m) + j;
    const int elastic = elastic_candidate(m, name);
    if (elastic >= 0) return elastic;
    const char *dot = strrchr(name, '.');
    if (!dot) return -1;
    const size_t length = (size_t)(dot - name);
    for (int b = 0; b < model->n_bodies; b++) {
        if (strlen(model->bodies[b].name) != length ||
            memcmp(model->bodies[b].name, name, length) != 0)
            continue;
        for (int k = 0; k < 6; k++)
            if (strcmp(component_names[k], dot + 1) == 0) return 6 * b + k;
    }
    return -1;
}

static routh_status no_such_state(const routh_mechanism *m, const rt_wanted_states *wanted, int k,
                                  routh_error *error)
{
    static const char text[] = "there is no state '%s'; a state is a body's name and one of x y z "
                               "rx ry rz, such as %s.x%s";
    const char *body = m->n_bodies ? m->model->bodies[0].name : "body";
    const char *more = m->model->n_user_states ? ", or one of linearize.coordinates" : "";
    if (!wanted->places)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, text, wanted->names[k], body, more);
    return rt_fail_at(error, ROUTH_MODEL_ERROR, m->model->file, wanted->places[k], "linearize",
                      text, wanted->names[k], body, more);
}

static routh_status find_candidates(const routh_mechanism *m, rt_arena *arena,
                                    rt_wanted_states *wanted, routh_error *error)
{
    wanted->candidates = RT_TAKE(arena, int, wanted->n);
    if (!wanted->candidates) return rt_fail_memory(error);
    for (int k = 0; k < wanted->n; k++) {
        wanted->candidates[k] = candidate_of(m, wanted->names[k]);
        if (wanted->candidates[k] < 0) return no_such_state(m, wanted, k, error);
    }
    return ROUTH_OK;
}

/* Who defines coordinates and asks for no states wants those. */
static routh_status want_user_states(const routh_model *model, rt_arena *arena,
                                     rt_wanted_states *wanted, routh_error *error)
{
    const char **names = RT_TAKE(arena, const char *, model->n_user_states);
    if (!names) return rt_fail_memory(error);
    for (int j = 0; j < model->n_user_states; j++) names[j] = model->user_states[j].name;
    *wanted = (rt_wanted_states){.names = names, .n = model->n_user_states};
    return ROUTH_OK;
}

/* Those that end in ' are wanted as velocity states, "rotor.rz'", the others as states. */
static routh_status want_named(const char *const *names, rt_linear_task *t, routh_error *error)
{
    int n = 0;
    while (names[n]) n++;
    const char **states = RT_TAKE(&t->arena, const char *, n);
    const char **rates = RT_TAKE(&t->arena, const char *, n);
    if (!states || !rates) return rt_fail_memory(error);
    t->wanted = (rt_wanted_states){.names = states};
    for (int k = 0, n_rates = 0; k < n; k++) {
        const size_t length = strlen(names[k]);
        if (length == 0 || names[k][length - 1] != '\'') {
            states[t->wanted.n++] = names[k];
            continue;
        }
        char *name = RT_TAKE(&t->arena, char, length);
        if (!name) return rt_fail_memory(error);
        memcpy(name, names[k], length - 1); /* zeroed: it ends there */
        rates[n_rates++] = name;
        t->wanted_rates = (rt_wanted_states){.names = rates, .n = n_rates};
    }
    return ROUTH_OK;
}

routh_status rt_linear_find_wanted(const routh_mechanism *m, const char *const *names,
                                   rt_linear_task *t, routh_error *error)
{
    const routh_model *model = m->model;
    routh_status status = ROUTH_OK;
    t->wanted = (rt_wanted_states){
        .names = model->states, .places = model->state_places, .n = model->n_states};
    t->wanted_rates = (rt_wanted_states){
        .names = model->velocities, .places = model->velocity_places, .n = model->n_velocities};
    if (names)
        status = want_named(names, t, error);
    else if (model->n_states == 0)
        status = want_user_states(model, &t->arena, &t->wanted, error);
    if (!status) status = find_candidates(m, &t->arena, &t->wanted, error);
    return status ? status : find_candidates(m, &t->arena, &t->wanted_rates, error);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* "body.x", or the user's name; with the rate's mark, or "" */
const char *rt_linear_candidate_name(const rt_linear_task *t, int candidate, const char *mark,
                                     char text[RT_STATE_NAME])
{
    const routh_mechanism *m = t->search.m;
    const routh_model *model = m->model;
    const int j = candidate - rt_first_user_candidate(m),
              e = candidate - rt_first_elastic_candidate(m);
    int body;
    if (j >= 0)
        snprintf(text, RT_STATE_NAME, "%s%s", model->user_states[j].name, mark);
    else if (e >= 0) {
        const rt_elastic *x = rt_elastic_coordinate(m, e, &body);
        snprintf(text, RT_STATE_NAME, "%s.%s%s", model->bodies[body].name, x->name, mark);
    } else
        snprintf(text, RT_STATE_NAME, "%s.%s%s", model->bodies[candidate / 6].name,
                 component_names[candidate % 6], mark);
    return text;
}

static const char *state_names_unit_of(const rt_linear_task *t, int candidate)
{
    const routh_mechanism *m = t->search.m;
    const routh_model *model = m->model;
    const int j = candidate - rt_first_user_candidate(m),
              e = candidate - rt_first_elastic_candidate(m);
    int body;
    if (j < 0 && e >= 0) {
        const rt_elastic_kind kind = rt_elastic_coordinate(m, e, &body)->kind;
        return kind == RT_ELASTIC_ANGLE ? "rad" : kind == RT_ELASTIC_LENGTH ? "m" : "";
    }
    if (j < 0) return candidate % 6 >= 3 ? "rad" : "m";
    return model->user_states[j].unit ? model->user_states[j].unit : "";
}

static routh_status name_state(rt_linear_holder *h, const rt_linear_task *t, int candidate,
                               bool rate, routh_state_name *name, routh_error *error)
{
    const bool of_body = candidate < rt_first_elastic_candidate(t->search.m);
    const char *unit = state_names_unit_of(t, candidate);
    char text[RT_STATE_NAME];
    name->name =
        rt_linear_text(h, "%s", rt_linear_candidate_name(t, candidate, rate ? "'" : "", text));
    name->unit = rt_linear_text(h, "%s%s", unit, rate && *unit ? "/s" : "");
    name->frame = rt_linear_text(h, "%s", of_body ? h->linear.reference : "");
    return name->name && name->unit && name->frame ? ROUTH_OK : rt_fail_memory(error);
}

routh_status rt_linear_name_states(rt_linear_holder *h, const rt_linear_task *t, routh_error *error)
{
    const rt_states *states = &t->states;
    routh_linear *out = &h->linear;
    out->states = RT_TAKE(&h->arena, routh_state_name, out->n_states);
    if (!out->states) return rt_fail_memory(error);
    routh_status status = ROUTH_OK;
    for (int k = 0; k < states->z && !status; k++)
        status = name_state(h, t, states->candidate[k], false, &out->states[k], error);
    for (int k = 0; k < states->z1 && !status; k++)
        status = name_state(h, t, states->rate[k], true, &out->states[states->z + k], error);
    if (!status) rt_linear_fill_values(h, t);
    return status;
}
