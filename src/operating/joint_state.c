/* A state that is given by coordinates of joints: that of the model with these in place of its own,
 * assembled. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "operating/point.h"

enum { SIZE = 32 }; /* of a number as text */

/* Each once, and not set besides. */
static routh_status check_once(const routh_model *model, const routh_initial_state *given, int k,
                               bool follow, routh_error *error)
{
    const char *name = given->joints[k].name;
    for (int i = 0; i < k; i++)
        if (!strcmp(given->joints[i].name, name))
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "joints[%d] of the state: %.80s is given already, as joints[%d]; remove "
                           "one",
                           k, name, i);
    for (size_t i = 0; i < model->n_settings && follow; i++)
        if (!strcmp(model->settings[i].name, name))
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "joints[%d] of the state: %.80s is also set to %.40s (--set); remove "
                           "one",
                           k, name, model->settings[i].value);
    return ROUTH_OK;
}

/* The model anew, with settings of the coordinates. */
static routh_status read_with(routh_model **model, const routh_model *of,
                              const routh_initial_state *given, bool follow, rt_arena *arena,
                              routh_error *error)
{
    routh_setting *settings = RT_TAKE(arena, routh_setting, given->n_joints);
    char *texts = RT_TAKE(arena, char, (size_t)given->n_joints *SIZE);
    if (!settings || !texts) return rt_fail_memory(error);
    for (int k = 0; k < given->n_joints; k++) {
        const routh_initial_coordinate *c = &given->joints[k];
        char *text = texts + (size_t)k * SIZE;
        if (!isfinite(c->value))
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "joints[%d] of the state (%.80s): the number is not finite; correct it",
                           k, c->name);
        if (!rt_is_joint_coordinate(of, c->name))
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "joints[%d].name of the state: \"%.80s\" is no coordinate or rate of a "
                           "joint of the model; one is a joint's name and that of its field, such "
                           "as crank.angle",
                           k, c->name);
        const routh_status status = check_once(of, given, k, follow, error);
        if (status) return status;
        snprintf(text, SIZE, "%.17g", c->value);
        settings[k] = (routh_setting){c->name, text};
    }
    return rt_model_again(model, of, settings, (size_t)given->n_joints, error);
}

/* What is given besides stands in place of what the model has. */
static void put_besides(routh_initial_state *state, const routh_initial_state *given)
{
    if (!isnan(given->time)) state->time = given->time;
    if (given->n_states) state->n_states = given->n_states, state->states = given->states;
    if (given->n_variables)
        state->n_variables = given->n_variables, state->variables = given->variables;
    state->n_inputs = given->n_inputs, state->inputs = given->inputs;
    if (given->n_angles) state->n_angles = given->n_angles, state->angles = given->angles;
    state->coordinates = NULL;
}

static routh_status point_of_joints(routh_operating_point **point, const routh_mechanism *m,
                                    const routh_model *model, const routh_initial_state *given,
                                    const routh_initial_state_options *options, bool begins,
                                    routh_error *error)
{
    routh_mechanism *there = NULL;
    routh_operating_point *found = NULL;
    routh_initial_state *state = NULL;
    routh_status status = routh_mechanism_compile(&there, model, "absolute", error);
    if (!status) status = rt_point_of_model(&found, there, begins, error);
    if (!status) status = routh_initial_state_of_point(&state, there, found, error);
    if (!status) {
        routh_initial_state all = *state;
        put_besides(&all, given);
        status = rt_point_of_given(point, m, &all, options, begins, error);
    }
    for (int k = 0; !status && k < found->n_warnings; k++)
        if (!rt_point_say(*point, found->warnings[k])) status = rt_fail_memory(error);
    if (status && *point) {
        routh_operating_point_free(*point);
        *point = NULL;
    }
    routh_initial_state_free(state);
    routh_operating_point_free(found);
    routh_mechanism_free(there);
    return status;
}

routh_status rt_point_of_joints(routh_operating_point **point, const routh_mechanism *m,
                                const routh_initial_state *given,
                                const routh_initial_state_options *options, bool begins,
                                routh_error *error)
{
    routh_model *model = NULL;
    rt_arena arena = {0};
    const bool follow = options && options->follow_settings;
    *point = NULL;
    if (given->n_bodies || given->coordinates)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the state has both bodies and coordinates of joints, which say the same; "
                       "give one of them");
    routh_status status = read_with(&model, m->model, given, follow, &arena, error);
    if (!status) status = point_of_joints(point, m, model, given, options, begins, error);
    routh_model_free(model);
    rt_arena_free(&arena);
    return status;
}
