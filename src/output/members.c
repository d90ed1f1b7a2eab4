/* Members that several JSON outputs have in common. */
#include <math.h>

#include "output/descriptor.h"
#include "routh/routh.h"

/* ---- title and method ------------------------------------------------------------------------ */

void rt_result_write_program(rt_json *json, const char *key, const rt_result_row *row)
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
    {.key = "program", .type = RT_RESULT_TEXT, .write = rt_result_write_program,
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

static const rt_result_field rank_fields[] = {
    {.key = "rank_clear", .type = RT_RESULT_TRUTH, RT_AT(routh_operating_point, rank_clear),
     .meaning = "true: there is no doubt which constraint equations are redundant"},
    {.key = "smallest_pivot", .type = RT_RESULT_REAL, RT_AT(routh_operating_point, smallest_pivot),
     .nullable = true, .meaning = "of the constraint equations kept, scaled"},
    {.key = "largest_rejected", .type = RT_RESULT_REAL,
     RT_AT(routh_operating_point, largest_rejected), .nullable = true,
     .meaning = "of the redundant ones, scaled"},
};
const rt_result_table rt_rank_table = {"rank", "", "", RT_FIELDS(rank_fields)};

void rt_json_redundant(rt_json *json, const routh_operating_point *point)
{
    rt_result_json(json, &rt_redundant_list, &(rt_result_row){.of = point});
}

/* ---- bodies and reactions ------------------------------------------------------------------- */

static const rt_result_field body_fields[] = {
    {.key = "name", .type = RT_RESULT_TEXT, RT_AT(routh_body_state, name),
     .meaning = "name of the body"},
    {.key = "position", .type = RT_RESULT_REALS, .length = 3, RT_AT(routh_body_state, position),
     .unit = "m", .meaning = "of the centre of mass (of a flexible body, of its frame), world"},
    {.key = "orientation", .type = RT_RESULT_REALS, .length = 9,
     RT_AT(routh_body_state, orientation),
     .meaning = "rotation matrix, row by row; its columns are the body's axes"},
    {.key = "velocity", .type = RT_RESULT_REALS, .length = 3, RT_AT(routh_body_state, velocity),
     .unit = "m/s", .meaning = "likewise, world components"},
    {.key = "angular_velocity", .type = RT_RESULT_REALS, .length = 3,
     RT_AT(routh_body_state, angular_velocity), .unit = "rad/s", .meaning = "world components"},
};
const rt_result_table rt_body_table = {"body", "State of a body", "", RT_FIELDS(body_fields)};

static const rt_result_field pose_fields[] = {
    {.key = "name", .type = RT_RESULT_TEXT, RT_AT(routh_body_pose, name),
     .meaning = "name of the body"},
    {.key = "position", .type = RT_RESULT_REALS, .length = 3, RT_AT(routh_body_pose, position),
     .unit = "m", .meaning = "of the centre of mass, world"},
    {.key = "orientation", .type = RT_RESULT_REALS, .length = 9,
     RT_AT(routh_body_pose, orientation),
     .meaning = "rotation matrix, row by row; its columns are the body's axes"},
    {.key = "velocity", .type = RT_RESULT_REALS, .length = 3, RT_AT(routh_body_pose, velocity),
     .unit = "m/s", .meaning = "of the centre of mass, world components"},
    {.key = "angular_velocity", .type = RT_RESULT_REALS, .length = 3,
     RT_AT(routh_body_pose, angular_velocity), .unit = "rad/s", .meaning = "world components"},
};
const rt_result_table rt_pose_table = {"pose", "Pose and velocity of a body", "",
                                       RT_FIELDS(pose_fields)};

void rt_json_body_states(rt_json *json, const char *key, const routh_operating_point *point)
{
    rt_json_array(json, key);
    for (int i = 0; i < point->n_bodies; i++) {
        rt_json_flat_object(json, NULL);
        rt_result_json(json, &rt_body_table, &(rt_result_row){.of = &point->bodies[i]});
        rt_json_end(json);
    }
    rt_json_end(json);
}

static const rt_result_field reaction_fields[] = {
    {.key = "name", .type = RT_RESULT_TEXT, RT_AT(routh_reaction, name),
     .meaning = "name of the joint or load"},
    {.key = "type", .type = RT_RESULT_TEXT, RT_AT(routh_reaction, type), .meaning = "its type"},
    {.key = "force", .type = RT_RESULT_REALS, .length = 3, RT_AT(routh_reaction, force),
     .unit = "N", .meaning = "on its first marker, world components"},
    {.key = "torque", .type = RT_RESULT_REALS, .length = 3, RT_AT(routh_reaction, torque),
     .unit = "N m", .meaning = "about the origin of its first marker, world components"},
};
const rt_result_table rt_reaction_table = {"reaction", "Force of a joint or load", "",
                                           RT_FIELDS(reaction_fields)};

void rt_json_reactions(rt_json *json, const char *key, const routh_operating_point *point,
                       bool of_loads)
{
    rt_json_array(json, key);
    for (int i = 0; i < point->n_reactions; i++) {
        if ((point->reactions[i].is_load != 0) != of_loads) continue;
        rt_json_flat_object(json, NULL);
        rt_result_json(json, &rt_reaction_table, &(rt_result_row){.of = &point->reactions[i]});
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* ---- states and signals --------------------------------------------------------------------- */

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

static const char *signal_kind(const rt_result_row *row)
{
    return rt_signal_kind_name(((const routh_signal *)row->of)->kind);
}

static bool signal_is_state(const rt_result_row *row)
{
    return ((const routh_signal *)row->of)->kind == ROUTH_SIGNAL_STATE;
}

/* Whatever the unit: what rounding left of 0. Inputs are as they were given. */
static double signal_value_shown(const rt_result_row *row)
{
    const routh_signal *signal = row->of;
    const bool tiny = signal->kind != ROUTH_SIGNAL_INPUT && fabs(signal->value) < 1e-20;
    return tiny ? 0 : signal->value;
}

static void signal_cell_placed(rt_table *table, const rt_result_row *row)
{
    const routh_signal *signal = row->of;
    rt_table_cell(table, signal->placed ? "set so that its rate is zero" : "");
}

static const char *unit_of_signal(const rt_result_row *row, char room[RT_UNIT_SIZE])
{
    (void)room;
    return ((const routh_signal *)row->of)->unit;
}

static const rt_result_field signal_fields[] = {
    {.key = "name", .type = RT_RESULT_TEXT, RT_AT(routh_signal, name), .meaning = "as in the model",
     .head = "signal", .align = 'l'},
    {.key = "kind", .type = RT_RESULT_TEXT, .text = signal_kind, .words = rt_signal_kind_names,
     .meaning = "what it is", .head = "is", .align = 'l'},
    {.key = "unit", .type = RT_RESULT_TEXT, RT_AT(routh_signal, unit),
     .meaning = "as in the model file", .head = "unit", .unit_of = unit_of_signal,
     .names_unit = true, .align = 'l'},
    {.key = "value", .type = RT_RESULT_REAL, RT_AT(routh_signal, value),
     .shown = signal_value_shown, .meaning = "at the operating point, in its unit",
     .head = "value", .unit_of = unit_of_signal, .digits = 6},
    {.key = "rate", .type = RT_RESULT_REAL, RT_AT(routh_signal, rate), .there = signal_is_state,
     .sparse = true, .meaning = "of states: the time derivative", .head = "rate",
     .unit_of = unit_of_signal, .digits = 6},
    {.key = "placed", .type = RT_RESULT_TRUTH, RT_AT(routh_signal, placed),
     .there = signal_is_state, .sparse = true,
     .meaning = "of states: true where it was placed so that its rate is zero", .head = "",
     .align = 'l', .cell = signal_cell_placed},
};
const rt_result_table rt_signal_table = {"signal", "Signal", "", RT_FIELDS(signal_fields)};

void rt_json_signals(rt_json *json, const routh_operating_point *point)
{
    rt_json_array(json, "signals");
    for (int i = 0; i < point->n_signals; i++) {
        rt_json_flat_object(json, NULL);
        rt_result_json(json, &rt_signal_table, &(rt_result_row){.of = &point->signals[i]});
        rt_json_end(json);
    }
    rt_json_end(json);
}
