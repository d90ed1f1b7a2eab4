/* Members that several JSON outputs have in common. */
#include "output/descriptor.h"

#include "routh/routh.h"

/* ---- title and method ------------------------------------------------------------------------ */

static void write_program(rt_json *json, const char *key, const rt_result_row *row)
{
    char program[64] = "routh ";
    size_t n = 6;
    (void)row;
    for (const char *v = routh_version(); *v && n + 1 < sizeof program; v++) program[n++] = *v;
    rt_json_string(json, key, program);
}

static const char *origin_title(const rt_result_row *row) { return rt_results_title(row->results); }

static const char *origin_file(const rt_result_row *row) { return rt_results_file(row->results); }

static const rt_result_field origin_fields[] = {
    {.key = "program", .type = RT_RESULT_TEXT, .write = write_program,
     .meaning = "name and version"},
    {.key = "title", .type = RT_RESULT_TEXT, .text = origin_title, .meaning = "of the model"},
    {.key = "file", .type = RT_RESULT_TEXT, .text = origin_file,
     .meaning = "file of the model; empty where there is none"},
};
const rt_result_table rt_origin_table = {"origin", "", "", RT_FIELDS(origin_fields)};

void rt_json_origin(rt_json *json, const routh_results *results)
{
    rt_result_json(json, &rt_origin_table, &(rt_result_row){.results = results});
}

static bool method_is_chosen(const rt_result_row *row)
{
    return ((const routh_linear *)row->of)->method_by_auto;
}

static const rt_result_field freedom_fields[] = {
    {.key = "position", .type = RT_RESULT_COUNT, RT_AT(routh_linear, n_position),
     .meaning = "states of position"},
    {.key = "velocity", .type = RT_RESULT_COUNT, RT_AT(routh_linear, n_velocity),
     .meaning = "states of velocity: fewer with nonholonomic joints"},
    {.key = "control", .type = RT_RESULT_COUNT, RT_AT(routh_linear, n_control),
     .meaning = "states of controllers"},
};
static const rt_result_table freedom_table = {"degrees_of_freedom", "Degrees of freedom", "",
                                              RT_FIELDS(freedom_fields)};

static const rt_result_field method_fields[] = {
    {.key = "coordinates", .type = RT_RESULT_TEXT, RT_AT(routh_linear, coordinates),
     .meaning = "coordinate set"},
    {.key = "method", .type = RT_RESULT_TEXT, RT_AT(routh_linear, method),
     .meaning = "linearization method"},
    {.key = "method_by_auto", .type = RT_RESULT_TRUTH, RT_AT(routh_linear, method_by_auto),
     .there = method_is_chosen,
     .meaning = "true where `--method auto` chose `method`; else absent"},
    {.key = "reference", .type = RT_RESULT_TEXT, RT_AT(routh_linear, reference),
     .meaning = "marker of the reference frame"},
    {.key = "degrees_of_freedom", .type = RT_RESULT_OBJECT, .items = &freedom_table,
     .meaning = "by kind of state"},
};
const rt_result_table rt_method_table = {"method", "", "", RT_FIELDS(method_fields)};

void rt_json_method(rt_json *json, const routh_results *results)
{
    rt_result_json(json, &rt_method_table,
                   &(rt_result_row){.results = results, .of = results->linear});
}

/* ---- warnings and names --------------------------------------------------------------------- */

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

void rt_result_write_warnings(rt_json *json, const char *key, const rt_result_row *row)
{
    (void)key;
    rt_json_warnings(json, row->results, NULL);
}

static const rt_result_field redundant_fields[] = {
    {.key = "joint", .type = RT_RESULT_TEXT, RT_AT(routh_redundant_row, joint),
     .meaning = "name of the joint"},
    {.key = "row", .type = RT_RESULT_TEXT, RT_AT(routh_redundant_row, row),
     .meaning = "what the equation keeps"},
};
const rt_result_table rt_redundant_table = {"redundant", "Redundant constraint equation", "",
                                            RT_FIELDS(redundant_fields)};

static const rt_result_field redundant_list[] = {
    {.key = "redundant", .type = RT_RESULT_LIST, .items = &rt_redundant_table,
     RT_AT(routh_operating_point, redundant), .n_at = RT_PLACE(routh_operating_point, n_redundant),
     .size = sizeof(routh_redundant_row), .meaning = "redundant constraint equations"},
};
const rt_result_table rt_redundant_list = {"redundant_list", "", "", RT_FIELDS(redundant_list)};

void rt_json_redundant(rt_json *json, const routh_operating_point *point)
{
    rt_result_json(json, &rt_redundant_list, &(rt_result_row){.of = point});
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

static const rt_result_field state_fields[] = {
    {.key = "name", .type = RT_RESULT_TEXT, RT_AT(routh_state_name, name),
     .meaning = "`\"rotor.x\"`; of velocities `\"rotor.x'\"`"},
    {.key = "unit", .type = RT_RESULT_TEXT, RT_AT(routh_state_name, unit),
     .meaning = "of the state"},
    {.key = "frame", .type = RT_RESULT_TEXT, RT_AT(routh_state_name, frame),
     .meaning = "marker whose axes the component is resolved in; empty of what is no component"},
};
const rt_result_table rt_state_table = {"state", "State", "", RT_FIELDS(state_fields)};

static const rt_result_field states_list[] = {
    {.key = "states", .type = RT_RESULT_LIST, .items = &rt_state_table, RT_AT(routh_linear, states),
     .n_at = RT_PLACE(routh_linear, n_states), .size = sizeof(routh_state_name),
     .meaning = "positions, then velocities, then states of controllers"},
};
const rt_result_table rt_states_list = {"states_list", "", "", RT_FIELDS(states_list)};

void rt_json_states(rt_json *json, const routh_linear *linear)
{
    rt_result_json(json, &rt_states_list, &(rt_result_row){.of = linear});
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
