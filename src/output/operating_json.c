/* The operating point in JSON: the table of the document. */
#include "output/descriptor.h"

static const routh_operating_point *operating_point_of(const rt_result_row *row)
{
    return row->results->point;
}

static const void *operating_part(const rt_result_row *row) { return row->results->point; }

static const char *operating_type(const rt_result_row *row)
{
    return rt_operating_type_name(operating_point_of(row)->type);
}

static int operating_at_rest(const rt_result_row *row) { return rt_results_at_rest(row->results); }

static bool operating_is_steady(const rt_result_row *row)
{
    return operating_point_of(row)->steady != NULL;
}

static bool operating_was_searched(const rt_result_row *row)
{
    return operating_point_of(row)->arrival != NULL;
}

static const void *operating_steady(const rt_result_row *row)
{
    return operating_point_of(row)->steady;
}

static bool operating_is_of_state(const rt_result_row *row)
{
    return operating_point_of(row)->type == ROUTH_OPERATING_STATE;
}

static bool operating_has_signals(const rt_result_row *row)
{
    return operating_point_of(row)->n_signals > 0;
}

static bool body_is_flexible(const rt_result_row *item)
{
    return ((const routh_body_state *)item->of)->n_elastic > 0;
}

static bool reaction_is_of_load(const rt_result_row *item)
{
    return ((const routh_reaction *)item->of)->is_load != 0;
}

static bool reaction_is_of_joint(const rt_result_row *item) { return !reaction_is_of_load(item); }

/* ---- parts ---------------------------------------------------------------------------------- */

static const rt_result_field flexible_fields[] = {
    {.key = "body", .type = RT_RESULT_TEXT, RT_AT(routh_body_state, name),
     .meaning = "name of the flexible body"},
    {.key = "centre_of_mass", .type = RT_RESULT_REALS, .length = 3,
     RT_AT(routh_body_state, centre), .unit = "m", .meaning = "deformed, world"},
    {.key = "node", .type = RT_RESULT_COUNT, RT_AT(routh_body_state, deflected_node),
     .meaning = "the node that is farthest from its undeformed position in the body's frame"},
    {.key = "deflection", .type = RT_RESULT_REALS, .length = 3,
     RT_AT(routh_body_state, deflection), .unit = "m", .meaning = "by how much, world components"},
    {.key = "rotation", .type = RT_RESULT_REAL, RT_AT(routh_body_state, rotation), .unit = "rad",
     .meaning = "largest rotation of a node in the body's frame"},
    {.key = "rotated_node", .type = RT_RESULT_COUNT, RT_AT(routh_body_state, rotated_node),
     .meaning = "the node with the largest rotation"},
    {.key = "strain", .type = RT_RESULT_REAL, RT_AT(routh_body_state, strain), .unit = "",
     .meaning = "largest stretch of an element in the body's frame, without bending; compression "
                "is negative"},
};
static const rt_result_table flexible_table = {"flexible", "Deflection of a flexible body", "",
                                               RT_FIELDS(flexible_fields)};

static const rt_result_field change_fields[] = {
    {.key = "body",
     .type = RT_RESULT_TEXT,
     RT_AT(routh_body_state, name),
     .meaning = "name of the body"},
    {.key = "moved",
     .type = RT_RESULT_REAL,
     RT_AT(routh_body_state, moved),
     .unit = "m",
     .meaning = "displacement from the state that was given"},
    {.key = "rotated",
     .type = RT_RESULT_REAL,
     RT_AT(routh_body_state, turned),
     .unit = "rad",
     .meaning = "rotation from it"},
    {.key = "velocity",
     .type = RT_RESULT_REAL,
     RT_AT(routh_body_state, velocity_change),
     .unit = "m/s",
     .meaning = "change of the velocity"},
    {.key = "angular_velocity",
     .type = RT_RESULT_REAL,
     RT_AT(routh_body_state, angular_velocity_change),
     .unit = "rad/s",
     .meaning = "change of the angular velocity"},
};
static const rt_result_table change_table = {"change", "Change of a state that was given", "",
                                             RT_FIELDS(change_fields)};

/* ---- derivatives ---------------------------------------------------------------------------- */

#define CHANGE(member, unit_, meaning_)                                                            \
    {                                                                                              \
        .key = #member, .type = RT_RESULT_REALS, .length = 3, RT_AT(routh_body_change, member),    \
        .unit = (unit_), .nullable = true, .meaning = (meaning_)                                   \
    }

static const rt_result_field body_change_fields[] = {
    {.key = "name",
     .type = RT_RESULT_TEXT,
     RT_AT(routh_body_change, name),
     .meaning = "name of the body"},
    CHANGE(position, "m", "of the centre of mass, world; null: not determined, as a warning says"),
    CHANGE(rotation, "rad", "rotation vector of the change of orientation, world"),
    CHANGE(velocity, "m/s", "world components"),
    CHANGE(angular_velocity, "rad/s", "world components"),
};
static const rt_result_table body_change_table = {
    "body_derivative", "Derivative of the state of a body", "", RT_FIELDS(body_change_fields)};

static const rt_result_field reaction_change_fields[] = {
    {.key = "name",
     .type = RT_RESULT_TEXT,
     RT_AT(routh_reaction, name),
     .meaning = "name of the joint or load"},
    {.key = "type", .type = RT_RESULT_TEXT, RT_AT(routh_reaction, type), .meaning = "its type"},
    {.key = "force",
     .type = RT_RESULT_REALS,
     .length = 3,
     RT_AT(routh_reaction, force),
     .unit = "N",
     .nullable = true,
     .meaning = "on its first marker, world components; null: not determined"},
    {.key = "torque",
     .type = RT_RESULT_REALS,
     .length = 3,
     RT_AT(routh_reaction, torque),
     .unit = "N m",
     .nullable = true,
     .meaning = "about the origin of its first marker, world components"},
};
static const rt_result_table reaction_change_table = {"reaction_derivative",
                                                      "Derivative of the force of a joint or load",
                                                      "", RT_FIELDS(reaction_change_fields)};

static const char *signal_change_kind(const rt_result_row *row)
{
    return rt_signal_kind_name(((const routh_signal *)row->of)->kind);
}

static bool signal_change_is_state(const rt_result_row *row)
{
    return ((const routh_signal *)row->of)->kind == ROUTH_SIGNAL_STATE;
}

static const rt_result_field signal_change_fields[] = {
    {.key = "name",
     .type = RT_RESULT_TEXT,
     RT_AT(routh_signal, name),
     .meaning = "as in the model"},
    {.key = "kind",
     .type = RT_RESULT_TEXT,
     .text = signal_change_kind,
     .words = rt_signal_kind_names,
     .meaning = "what it is"},
    {.key = "unit",
     .type = RT_RESULT_TEXT,
     RT_AT(routh_signal, unit),
     .meaning = "as in the model file"},
    {.key = "value",
     .type = RT_RESULT_REAL,
     RT_AT(routh_signal, value),
     .nullable = true,
     .meaning = "derivative of the value, in its unit; null: not determined"},
    {.key = "rate",
     .type = RT_RESULT_REAL,
     RT_AT(routh_signal, rate),
     .there = signal_change_is_state,
     .sparse = true,
     .nullable = true,
     .meaning = "of states: of the time derivative"},
};
static const rt_result_table signal_change_table = {"signal_derivative", "Derivative of a signal",
                                                    "", RT_FIELDS(signal_change_fields)};

static const rt_result_field spin_change_fields[] = {
    {.key = "body", .type = RT_RESULT_TEXT, RT_AT(routh_spin, body), .meaning = "its name"},
    {.key = "rate",
     .type = RT_RESULT_REAL,
     RT_AT(routh_spin, rate),
     .unit = "rad/s",
     .meaning = "against the moving frame"},
};
static const rt_result_table spin_change_table = {"spin_derivative", "Derivative of a spin", "",
                                                  RT_FIELDS(spin_change_fields)};

static bool change_of_steady(const rt_result_row *row)
{
    return operating_point_of(row)->steady != NULL;
}

#define CHANGES(list, type)                                                                        \
    RT_AT(routh_point_change, list), .n_at = RT_PLACE(routh_point_change, n_##list),               \
                                     .size = sizeof(type)

static const rt_result_field point_change_fields[] = {
    {.key = "parameter",
     .type = RT_RESULT_TEXT,
     RT_AT(routh_point_change, parameter),
     .meaning = "name of the parameter"},
    {.key = "value",
     .type = RT_RESULT_REAL,
     RT_AT(routh_point_change, value),
     .meaning = "its value"},
    {.key = "turn_rate",
     .type = RT_RESULT_REAL,
     RT_AT(routh_point_change, turn_rate),
     .unit = "rad/s",
     .there = change_of_steady,
     .meaning = "of a steady motion"},
    {.key = "spins",
     .type = RT_RESULT_LIST,
     .items = &spin_change_table,
     CHANGES(spins, routh_spin),
     .there = change_of_steady,
     .meaning = "of a steady motion"},
    {.key = "bodies",
     .type = RT_RESULT_LIST,
     .items = &body_change_table,
     CHANGES(bodies, routh_body_change),
     .meaning = "in the order of the model"},
    {.key = "joints",
     .type = RT_RESULT_LIST,
     .items = &reaction_change_table,
     CHANGES(reactions, routh_reaction),
     .only = reaction_is_of_joint,
     .meaning = "forces of the joints"},
    {.key = "loads",
     .type = RT_RESULT_LIST,
     .items = &reaction_change_table,
     CHANGES(reactions, routh_reaction),
     .only = reaction_is_of_load,
     .meaning = "forces of the loads"},
    {.key = "signals",
     .type = RT_RESULT_LIST,
     .items = &signal_change_table,
     CHANGES(signals, routh_signal),
     .there = operating_has_signals,
     .meaning = "states of controllers, variables, inputs, outputs"},
};
static const rt_result_table point_change_table = {
    "point_derivative", "Derivatives of the operating point by a parameter",
    "All per unit of the parameter.", RT_FIELDS(point_change_fields)};

static bool operating_has_changes(const rt_result_row *row)
{
    return row->results->point_sensitivities != NULL;
}

static const void *operating_changes(const rt_result_row *row)
{
    return row->results->point_sensitivities;
}

static void change_write_warnings(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_point_sensitivity *s = row->of;
    rt_json_array(json, key);
    for (int k = 0; k < s->n_warnings; k++) rt_json_string(json, NULL, s->warnings[k]);
    rt_json_end(json);
}

static const rt_result_field change_list_fields[] = {
    {.key = "warnings",
     .type = RT_RESULT_VALUES,
     .each = RT_RESULT_TEXT,
     .write = change_write_warnings,
     .meaning = "what is not determined, and why"},
    {.key = "parameters",
     .type = RT_RESULT_LIST,
     .items = &point_change_table,
     .open = true,
     RT_AT(routh_point_sensitivity, by),
     .n_at = RT_PLACE(routh_point_sensitivity, n_parameters),
     .size = sizeof(routh_point_change),
     .meaning = "in the order asked for, or of the model"},
};
static const rt_result_table change_list_table = {
    "derivatives", "Derivatives of the operating point", "", RT_FIELDS(change_list_fields)};

/* ---- the document --------------------------------------------------------------------------- */

#define BODIES                                                                                     \
    RT_AT(routh_operating_point, bodies), .n_at = RT_PLACE(routh_operating_point, n_bodies),       \
                                          .size = sizeof(routh_body_state)
#define REACTIONS                                                                                  \
    RT_AT(routh_operating_point, reactions),                                                       \
        .n_at = RT_PLACE(routh_operating_point, n_reactions), .size = sizeof(routh_reaction)

static const rt_result_field operating_fields[] = {
    {.key = "type",
     .type = RT_RESULT_TEXT,
     .text = operating_type,
     .words = rt_operating_type_names,
     .meaning = "reference configuration, static equilibrium, given state, steady motion"},
    {.key = "time",
     .type = RT_RESULT_REAL,
     RT_AT(routh_operating_point, time),
     .unit = "s",
     .meaning = "time of the operating point"},
    {.key = "degrees_of_freedom",
     .type = RT_RESULT_COUNT,
     RT_AT(routh_operating_point, degrees_of_freedom),
     .meaning = "coordinates less independent constraint equations"},
    {.key = "residual",
     .type = RT_RESULT_REAL,
     RT_AT(routh_operating_point, residual),
     .meaning = "equilibrium residual: largest inertia force over the largest single force; 0 in "
                "equilibrium"},
    {.key = "constraint_error",
     .type = RT_RESULT_REAL,
     RT_AT(routh_operating_point, constraint_error),
     .unit = "m or rad",
     .meaning = "largest error of a constraint equation"},
    {.key = "at_rest",
     .type = RT_RESULT_TRUTH,
     .count = operating_at_rest,
     .meaning = "true: nothing moves and `residual` is at most 1e-9"},
    {.key = "iterations",
     .type = RT_RESULT_COUNT,
     RT_AT(routh_operating_point, iterations),
     .meaning = "steps of the search"},
    {.key = "arrival",
     .type = RT_RESULT_TEXT,
     RT_AT(routh_operating_point, arrival),
     .there = operating_was_searched,
     .meaning = "of a static equilibrium or a steady motion: how the search arrived"},
    {.type = RT_RESULT_PART, .items = &rt_rank_table},
    {.key = "steady",
     .type = RT_RESULT_OBJECT,
     .items = &rt_steady_fields,
     .part = operating_steady,
     .there = operating_is_steady,
     .open = true,
     .meaning = "of a steady motion"},
    {.type = RT_RESULT_PART, .items = &rt_redundant_list},
    {.key = "warnings",
     .type = RT_RESULT_VALUES,
     .each = RT_RESULT_TEXT,
     .write = rt_result_write_warnings,
     .meaning = "sentences"},
    {.key = "bodies",
     .type = RT_RESULT_LIST,
     .items = &rt_body_table,
     BODIES,
     .meaning = "in the order of the model"},
    {.key = "flexible",
     .type = RT_RESULT_LIST,
     .items = &flexible_table,
     BODIES,
     .only = body_is_flexible,
     .meaning = "of flexible bodies"},
    {.key = "changes",
     .type = RT_RESULT_LIST,
     .items = &change_table,
     BODIES,
     .there = operating_is_of_state,
     .meaning = "of a saved state: how far it was corrected to satisfy the joints"},
    {.key = "joints",
     .type = RT_RESULT_LIST,
     .items = &rt_reaction_table,
     REACTIONS,
     .only = reaction_is_of_joint,
     .meaning = "forces of the joints"},
    {.key = "loads",
     .type = RT_RESULT_LIST,
     .items = &rt_reaction_table,
     REACTIONS,
     .only = reaction_is_of_load,
     .meaning = "forces of the loads"},
    {.key = "signals",
     .type = RT_RESULT_LIST,
     .items = &rt_signal_table,
     RT_AT(routh_operating_point, signals),
     .n_at = RT_PLACE(routh_operating_point, n_signals),
     .size = sizeof(routh_signal),
     .there = operating_has_signals,
     .meaning = "states of controllers, variables, inputs, outputs, where there are any"},
    {.key = "derivatives",
     .type = RT_RESULT_OBJECT,
     .items = &change_list_table,
     .part = operating_changes,
     .there = operating_has_changes,
     .open = true,
     .meaning = "with `--sensitivity`"},
};
static const rt_result_table operating_table = {"point", "", "", RT_FIELDS(operating_fields)};

static const rt_result_field operating_document_fields[] = {
    {.type = RT_RESULT_PART, .items = &rt_origin_table},
    {.type = RT_RESULT_PART, .items = &operating_table, .part = operating_part},
};
const rt_result_table rt_operating_document = {"equilibrium", "routh equilibrium --json", "",
                                               RT_FIELDS(operating_document_fields)};

routh_status routh_operating_point_json(const routh_results *results, routh_text *text,
                                        routh_error *error)
{
    *text = (routh_text){0};
    const routh_status status = rt_results_check(results, RT_NEED_POINT, error);
    if (status) return status;
    return rt_result_document_json(&rt_operating_document, &(rt_result_row){.results = results},
                                   text, error);
}
