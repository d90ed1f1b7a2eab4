/* The descriptor tables of inputs, outputs, variables and states of the user's own. */
#include "model/fields.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define SIGNAL(member) offsetof(rt_written_signal, member)
#define FIELDS(array) .fields = (array), .n_fields = COUNT(array)

#define SIGNAL_UNIT                                                                                \
    {                                                                                              \
        "unit", RT_FIELD_TEXT, SIGNAL(unit),                                                       \
            .unit = "", .fallback = "none",                                                        \
            .doc = "its unit, of those that `units` makes, for tables; nothing is converted"       \
    }

/* ---- inputs, outputs, variables, states of the user's own ------------------------------------ */

static const rt_field input_fields[] = {
    {"value", RT_FIELD_NUMBER, SIGNAL(value), .sense = RT_SCALAR, .varies = true, .unit = "",
     .fallback = "0",
     .doc = "at the operating point; an input with a history in `simulate` has its history's value "
            "instead"},
    SIGNAL_UNIT};
static const rt_kind input_kinds[] = {
    {"an input", 0, FIELDS(input_fields), .doc = "What acts from outside."}};
const rt_section rt_input_section = {
    "inputs",
    "input",
    input_kinds,
    COUNT(input_kinds),
    .doc = "What acts on the mechanism from outside, each under its name: the columns of B and D. "
           "Expressions of loads, variables, controllers and outputs name them, and functions of "
           "motions "
           "do. `push: 0` is short for `push: {value: 0}`.",
    .shorthand = "value",
    .signals = true};

static const rt_field output_fields[] = {
    {"expression", RT_FIELD_FUNCTION, SIGNAL(function), .required = true, .sense = RT_SCALAR,
     .unit = "",
     .doc = "of measures (accelerations and forces of joints too), signals, time and parameters"},
    SIGNAL_UNIT};
static const rt_kind output_kinds[] = {
    {"an output", 0, FIELDS(output_fields), .doc = "What is measured."}};
const rt_section rt_output_section = {"outputs",
                                      "output",
                                      output_kinds,
                                      COUNT(output_kinds),
                                      .doc = "What is measured, each under its name: the rows of C "
                                             "and D. `angle: \"AZ(rod)\"` is short for "
                                             "`angle: {expression: \"AZ(rod)\"}`.",
                                      .shorthand = "expression"};

static const rt_field variable_fields[] = {
    {"expression", RT_FIELD_FUNCTION, SIGNAL(function), .required = true, .sense = RT_SCALAR,
     .unit = "", .doc = "of measures, signals, time and parameters"},
    {"guess", RT_FIELD_NUMBER, SIGNAL(value), .sense = RT_SCALAR, .varies = true, .unit = "",
     .fallback = "0",
     .doc = "where the search for its value begins, where variables need each other"},
    SIGNAL_UNIT};
static const rt_kind variable_kinds[] = {
    {"a variable", 0, FIELDS(variable_fields), .doc = "A named expression."}};
const rt_section rt_variable_section = {
    "variables",
    "variable",
    variable_kinds,
    COUNT(variable_kinds),
    .doc =
        "Named expressions. They may need each other, in a circle too: they are solved together. "
        "`error: \"reference - DX(cart)\"` is short for `error: {expression: ..}`.",
    .shorthand = "expression",
    .signals = true};

static const rt_field coordinate_fields[] = {
    {"expression", RT_FIELD_FUNCTION, SIGNAL(function), .required = true, .sense = RT_SCALAR,
     .unit = "", .doc = "of positions and angles (DX, DM, AZ, ...), time and parameters"},
    SIGNAL_UNIT};
static const rt_kind coordinate_kinds[] = {
    {"a coordinate", 0, FIELDS(coordinate_fields), .doc = "A state of the user's own."}};
const rt_section rt_coordinate_section = {"coordinates",    "coordinate",
                                          coordinate_kinds, COUNT(coordinate_kinds),
                                          .doc = "",        .shorthand = "expression",
                                          .signals = true};
