/* Several differential equations and outputs of the user's own. */
#include "model/controllers/class.h"

#define SIGNAL(member) offsetof(rt_written_signal, member)
#define GENERAL_UNIT                                                                               \
    {                                                                                              \
        "unit", RT_FIELD_TEXT, SIGNAL(unit),                                                       \
            .unit = "", .fallback = "none",                                                        \
            .doc = "its unit, of those that `units` makes, for tables; nothing is converted"       \
    }

enum { STATES, OUTPUTS };

static const rt_field general_state_fields[] = {
    {"rate", RT_FIELD_FUNCTION, SIGNAL(function), .required = true, .sense = RT_SCALAR, .unit = "",
     .doc = "of measures, signals, time and parameters"},
    {"initial", RT_FIELD_NUMBER, SIGNAL(value), .sense = RT_SCALAR, .unit = "",
     .fallback = "found, so that the state rests", .doc = "the state at the operating point"},
    GENERAL_UNIT};
static const rt_kind general_state_kinds[] = {
    {"a state", 0, FIELDS(general_state_fields), .doc = "A state of a general controller."}};
const rt_section rt_general_state_section = {
    .name = "states",
    .element = "state",
    .kinds = general_state_kinds,
    .n_kinds = 1,
    .doc = "",
    .shorthand = "rate",
    .signals = true,
};

static const rt_field general_output_fields[] = {
    {"expression", RT_FIELD_FUNCTION, SIGNAL(function), .required = true, .sense = RT_SCALAR,
     .unit = "", .doc = "of measures, signals, time and parameters"},
    GENERAL_UNIT};
static const rt_kind general_output_kinds[] = {
    {"an output", 0, FIELDS(general_output_fields), .doc = "An output of a general controller."}};
const rt_section rt_general_output_section = {
    .name = "outputs",
    .element = "output",
    .kinds = general_output_kinds,
    .n_kinds = 1,
    .doc = "",
    .shorthand = "expression",
    .signals = true,
};

static routh_status general_read_parts(rt_reader *r, const rt_section *section,
                                       const rt_yaml *mapping, rt_control_part *parts)
{
    for (const rt_yaml *entry = mapping ? mapping->first : NULL; entry;
         entry = entry->next, parts++) {
        rt_given given;
        routh_status status = rt_check_quantity_name(r, entry);
        if (!status) status = rt_read_entry(r, section, entry, &parts->written, &given);
        if (status) return status;
        parts->name = entry->key;
        parts->place = entry->key_place;
        parts->initial = parts->written.value;
        parts->initial_given = rt_is_given(section->kinds, given, "initial");
    }
    return ROUTH_OK;
}

static routh_status general_shape(rt_reader *r, rt_control *c)
{
    const rt_yaml *states = c->written.node[STATES], *outputs = c->written.node[OUTPUTS];
    if (!states->count)
        return rt_reader_fail(r, states->place,
                              "states is empty; a controller without states is a variable or a "
                              "gain");
    routh_status status = rt_control_take(r, c, states->count, outputs ? outputs->count : 0);
    if (!status) status = general_read_parts(r, &rt_general_state_section, states, c->states);
    if (!status) status = general_read_parts(r, &rt_general_output_section, outputs, c->outputs);
    return status;
}

static routh_status general_expand(rt_reader *r, rt_control *c)
{
    rt_function f;
    routh_status status = ROUTH_OK;
    for (int k = 0; k < c->n_states && !status; k++) {
        status = rt_read_function(r, c->states[k].written.function, "rate", RT_ALLOW_ALL, &f);
        if (status) return status;
        const rt_expr rate = rt_control_rate_expr(r, c, k);
        status =
            rt_control_set_equation(r, c, k, rt_subtract(r->model->graph, rate, f.expr), f.place);
    }
    for (int k = 0; k < c->n_outputs && !status; k++) {
        status =
            rt_read_function(r, c->outputs[k].written.function, "expression", RT_ALLOW_ALL, &f);
        if (!status) status = rt_control_set_output(r, c, k, f.expr, f.place);
    }
    return status;
}

static const rt_field general_fields[] = {
    CONTROLLER_TYPE,
    {"states", RT_FIELD_SECTION, NODE(STATES), .required = true, .unit = "",
     .doc = "the states, each under its name; in expressions controller.name",
     .inside = &rt_general_state_section},
    {"outputs", RT_FIELD_SECTION, NODE(OUTPUTS), .unit = "", .fallback = "none",
     .doc = "the outputs, each under its name; in expressions controller.name",
     .inside = &rt_general_output_section},
};

const rt_controller_class rt_controller_class_general = {
    .kind = {"general", 0, FIELDS(general_fields),
             .doc = "Several differential equations and outputs of your own."},
    .shape = general_shape,
    .expand = general_expand,
    .sample = "states: {s: \"u + v - p*x.s + x.w\", w: \"-q*x.w - sin(x.s)\"}, "
              "outputs: {y: \"x.s - p*x.w + v\"}",
    .output = "x.y",
};
