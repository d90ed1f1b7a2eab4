/* Members that several JSON outputs have in common. */
#include "output/results.h"

#include "routh/routh.h"

void rt_json_origin(rt_json *json, const routh_results *results)
{
    char program[64] = "routh ";
    size_t n = 6;
    for (const char *v = routh_version(); *v && n + 1 < sizeof program; v++) program[n++] = *v;
    rt_json_string(json, "program", program);
    rt_json_string(json, "title", rt_results_title(results));
    rt_json_string(json, "file", rt_results_file(results));
}

void rt_json_method(rt_json *json, const routh_results *results)
{
    const routh_linear *linear = results->linear;
    rt_json_string(json, "coordinates", linear->coordinates);
    rt_json_string(json, "method", linear->method);
    if (linear->method_by_auto) rt_json_bool(json, "method_by_auto", 1);
    rt_json_string(json, "reference", linear->reference);
    rt_json_flat_object(json, "degrees_of_freedom");
    rt_json_int(json, "position", linear->n_position);
    rt_json_int(json, "velocity", linear->n_velocity);
    rt_json_int(json, "control", linear->n_control);
    rt_json_end(json);
}

static void members_one_warning(void *context, const char *warning)
{
    rt_json_string(context, NULL, warning);
}

void rt_json_warnings(rt_json *json, const routh_results *results, const char *more)
{
    rt_json_array(json, "warnings");
    rt_results_warnings(results, members_one_warning, json);
    if (more) rt_json_string(json, NULL, more);
    rt_json_end(json);
}

void rt_json_redundant(rt_json *json, const routh_operating_point *point)
{
    rt_json_array(json, "redundant");
    for (int i = 0; i < point->n_redundant; i++) {
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "joint", point->redundant[i].joint);
        rt_json_string(json, "row", point->redundant[i].row);
        rt_json_end(json);
    }
    rt_json_end(json);
}

void rt_json_body(rt_json *json, const char *name, const double position[3],
                  const double orientation[9], const double velocity[3],
                  const double angular_velocity[3])
{
    rt_json_flat_object(json, NULL);
    rt_json_string(json, "name", name);
    rt_json_reals(json, "position", position, 3);
    rt_json_reals(json, "orientation", orientation, 9);
    rt_json_reals(json, "velocity", velocity, 3);
    rt_json_reals(json, "angular_velocity", angular_velocity, 3);
    rt_json_end(json);
}

void rt_json_body_states(rt_json *json, const char *key, const routh_operating_point *point)
{
    rt_json_array(json, key);
    for (int i = 0; i < point->n_bodies; i++) {
        const routh_body_state *b = &point->bodies[i];
        rt_json_body(json, b->name, b->position, b->orientation, b->velocity, b->angular_velocity);
    }
    rt_json_end(json);
}

void rt_json_reactions(rt_json *json, const char *key, const routh_operating_point *point,
                       bool of_loads)
{
    rt_json_array(json, key);
    for (int i = 0; i < point->n_reactions; i++) {
        const routh_reaction *reaction = &point->reactions[i];
        if ((reaction->is_load != 0) != of_loads) continue;
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "name", reaction->name);
        rt_json_string(json, "type", reaction->type);
        rt_json_reals(json, "force", reaction->force, 3);
        rt_json_reals(json, "torque", reaction->torque, 3);
        rt_json_end(json);
    }
    rt_json_end(json);
}

void rt_json_states(rt_json *json, const routh_linear *linear)
{
    rt_json_array(json, "states");
    for (int i = 0; i < linear->n_states; i++) {
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "name", linear->states[i].name);
        rt_json_string(json, "unit", linear->states[i].unit);
        rt_json_string(json, "frame", linear->states[i].frame);
        rt_json_end(json);
    }
    rt_json_end(json);
}

void rt_json_signals(rt_json *json, const routh_operating_point *point)
{
    rt_json_array(json, "signals");
    for (int i = 0; i < point->n_signals; i++) {
        const routh_signal *signal = &point->signals[i];
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "name", signal->name);
        rt_json_string(json, "kind", rt_signal_kind_name(signal->kind));
        rt_json_string(json, "unit", signal->unit);
        rt_json_real(json, "value", signal->value);
        if (signal->kind == ROUTH_SIGNAL_STATE) {
            rt_json_real(json, "rate", signal->rate);
            rt_json_bool(json, "placed", signal->placed);
        }
        rt_json_end(json);
    }
    rt_json_end(json);
}
