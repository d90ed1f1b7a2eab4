/* What is said of states: which ones are wanted, which of them were dropped and which added, and
 * their names and units. */
#include "linear/holder.h"

static const char *const component_names[] = {"x", "y", "z", "rx", "ry", "rz"};

/* "body.rx" -> candidate 6 body + component, or -1 */
static int candidate_of(const routh_model *model, const char *name)
{
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
                               "rx ry rz, such as %s.x";
    const char *body = m->n_bodies ? m->model->bodies[0].name : "body";
    if (!wanted->of_model) return rt_fail(error, ROUTH_BAD_ARGUMENT, text, wanted->names[k], body);
    return rt_fail_at(error, ROUTH_MODEL_ERROR, m->model->file, m->model->state_places[k],
                      "linearize", text, wanted->names[k], body);
}

routh_status rt_linear_find_wanted(const routh_mechanism *m, const char *const *names,
                                   rt_arena *arena, rt_wanted_states *wanted, routh_error *error)
{
    *wanted =
        (rt_wanted_states){.names = m->model->states, .n = m->model->n_states, .of_model = true};
    if (names)
        for (*wanted = (rt_wanted_states){.names = names}; names[wanted->n];) wanted->n++;
    wanted->candidates = RT_TAKE(arena, int, wanted->n);
    if (!wanted->candidates) return rt_fail_memory(error);
    for (int k = 0; k < wanted->n; k++) {
        wanted->candidates[k] = candidate_of(m->model, wanted->names[k]);
        if (wanted->candidates[k] < 0) return no_such_state(m, wanted, k, error);
    }
    return ROUTH_OK;
}

static bool chosen(const rt_states *states, int candidate)
{
    for (int k = 0; k < states->n_preferred; k++)
        if (states->candidate[k] == candidate) return true;
    return false;
}

/* Says which wanted states were dropped and which were added. */
routh_status rt_linear_report_states(rt_linear_holder *h, const rt_linear_task *t,
                                     routh_error *error)
{
    const routh_model *model = t->search.m->model;
    const rt_states *states = &t->states;
    const rt_wanted_states *wanted = &t->wanted;
    for (int k = 0; k < wanted->n; k++) {
        if (chosen(states, wanted->candidates[k])) continue;
        const routh_status status = rt_linear_warn(
            h, error, "state %s was dropped: it depends on the states kept", wanted->names[k]);
        if (status) return status;
    }
    for (int k = states->n_preferred; k < states->z && wanted->n > 0; k++) {
        const routh_status status = rt_linear_warn(
            h, error,
            "state %s.%s was added: the states asked for leave %d degrees of freedom open",
            model->bodies[states->body[k]].name, component_names[states->component[k]],
            states->z - states->n_preferred);
        if (status) return status;
    }
    return ROUTH_OK;
}

routh_status rt_linear_name_states(rt_linear_holder *h, const rt_linear_task *t, routh_error *error)
{
    const rt_states *states = &t->states;
    routh_linear *out = &h->linear;
    out->states = RT_TAKE(&h->arena, routh_state_name, out->n_states);
    if (!out->states) return rt_fail_memory(error);
    for (int k = 0; k < out->n_states; k++) {
        const int i = k % states->z;
        const bool rate = k >= states->z, angle = states->component[i] >= 3;
        const char *body = t->search.m->model->bodies[states->body[i]].name;
        routh_state_name *name = &out->states[k];
        name->name = rt_linear_text(h, "%s.%s%s", body, component_names[states->component[i]],
                                    rate ? "'" : "");
        name->unit = rt_linear_text(h, "%s%s", angle ? "rad" : "m", rate ? "/s" : "");
        name->frame = rt_linear_text(h, "%s", out->reference);
        if (!name->name || !name->unit || !name->frame) return rt_fail_memory(error);
    }
    return ROUTH_OK;
}
