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
