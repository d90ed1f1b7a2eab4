/* A state as JSON. */
#include <math.h>

#include "base/json.h"
#include "operating/state_form.h"

static void state_write_bodies(rt_json *json, const routh_initial_state *state)
{
    rt_json_array(json, "bodies");
    for (int k = 0; k < state->n_bodies; k++) {
        const routh_initial_body *b = &state->bodies[k];
        rt_json_object(json, NULL);
        rt_json_string(json, "name", b->name);
        rt_json_reals(json, "position", b->position, 3);
        if (rt_state_has_quaternion(b))
            rt_json_reals(json, "quaternion", b->quaternion, 4);
        else
            rt_json_reals(json, "orientation", b->orientation, 9);
        rt_json_reals(json, "velocity", b->velocity, 3);
        rt_json_reals(json, "angular_velocity", b->angular_velocity, 3);
        if (b->n_elastic) rt_json_reals(json, "elastic", b->elastic, b->n_elastic);
        if (b->n_elastic && b->elastic_rates)
            rt_json_reals(json, "elastic_rates", b->elastic_rates, b->n_elastic);
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* rates: 0, 1 or 2 of them are written. */
static void state_write_signals(rt_json *json, const char *key, const routh_initial_signal *list,
                                int n, int rates)
{
    rt_json_array(json, key);
    for (int k = 0; k < n; k++) {
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "name", list[k].name);
        rt_json_real(json, "value", list[k].value);
        if (rates > 0) rt_json_real(json, "rate", list[k].rate);
        if (rates > 1) rt_json_real(json, "second_rate", list[k].second_rate);
        if (list[k].units) rt_json_string(json, "units", list[k].units);
        if (list[k].held) rt_json_bool(json, "held", true);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void state_write_angles(rt_json *json, const routh_initial_state *state)
{
    rt_json_array(json, "angles");
    for (int k = 0; k < state->n_angles; k++) {
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "name", state->angles[k].name);
        rt_json_real(json, "value", state->angles[k].value);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void state_write_joints(rt_json *json, const routh_initial_state *state)
{
    rt_json_array(json, "joints");
    for (int k = 0; k < state->n_joints; k++) {
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "name", state->joints[k].name);
        rt_json_real(json, "value", state->joints[k].value);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void state_write_coordinates(rt_json *json, const routh_initial_state *state)
{
    rt_json_object(json, "coordinates");
    rt_json_string(json, "name", state->coordinates);
    rt_json_reals(json, "q", state->q, state->n_q);
    rt_json_reals(json, "u", state->u, state->n_u);
    rt_json_end(json);
}

routh_status routh_initial_state_json(const routh_initial_state *state, routh_text *text,
                                      routh_error *error)
{
    *text = (routh_text){0};
    rt_json json = {0};
    rt_json_object(&json, NULL);
    rt_json_string(&json, "schema", RT_STATE_SCHEMA);
    if (state->title) rt_json_string(&json, "title", state->title);
    if (!state->n_joints || !isnan(state->time)) rt_json_real(&json, "time", state->time);
    if (state->n_joints)
        state_write_joints(&json, state);
    else
        state_write_bodies(&json, state);
    state_write_signals(&json, "control_states", state->states, state->n_states, 1);
    state_write_signals(&json, "variables", state->variables, state->n_variables, 0);
    state_write_signals(&json, "inputs", state->inputs, state->n_inputs, 2);
    if (state->n_angles) state_write_angles(&json, state);
    if (state->coordinates) state_write_coordinates(&json, state);
    rt_json_end(&json);
    const routh_status status = rt_json_finish(&json, error);
    if (status) return status;
    text->length = json.text.length;
    text->bytes = rt_text_take(&json.text);
    if (text->bytes) return ROUTH_OK;
    text->length = 0;
    return rt_fail_memory(error);
}
