/* The descriptor tables of inputs, outputs, variables, controllers and states of the user's own. */
#include "model/fields.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define SIGNAL(member) offsetof(rt_written_signal, member)
#define CONTROLLER(member) offsetof(rt_written_controller, member)
#define FIELDS(array) .fields = (array), .n_fields = COUNT(array)

#define SIGNAL_UNIT                                                                                \
    {                                                                                              \
        "unit", RT_FIELD_TEXT, SIGNAL(unit),                                                       \
            .unit = "", .fallback = "none",                                                        \
            .doc = "its unit in SI, for tables; nothing is converted"                              \
    }

/* ---- inputs, outputs, variables, states of the user's own ------------------------------------ */

static const rt_field input_fields[] = {
    {"value", RT_FIELD_NUMBER, SIGNAL(value), .unit = "", .fallback = "0",
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
    {"expression", RT_FIELD_FUNCTION, SIGNAL(function), .required = true, .unit = "",
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
    {"expression", RT_FIELD_FUNCTION, SIGNAL(function), .required = true, .unit = "",
     .doc = "of measures, signals, time and parameters"},
    {"guess", RT_FIELD_NUMBER, SIGNAL(value), .unit = "", .fallback = "0",
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
    {"expression", RT_FIELD_FUNCTION, SIGNAL(function), .required = true, .unit = "",
     .doc = "of positions and angles (DX, DM, AZ, ...), time and parameters"},
    SIGNAL_UNIT};
static const rt_kind coordinate_kinds[] = {
    {"a coordinate", 0, FIELDS(coordinate_fields), .doc = "A state of the user's own."}};
const rt_section rt_coordinate_section = {"coordinates",    "coordinate",
                                          coordinate_kinds, COUNT(coordinate_kinds),
                                          .doc = "",        .shorthand = "expression",
                                          .signals = true};

/* ---- controllers ----------------------------------------------------------------------------- */

#define CONTROLLER_TYPE                                                                            \
    {                                                                                              \
        "type", RT_FIELD_TYPE, 0, .required = true, .unit = "", .doc = "the kind of controller"    \
    }
#define CONTROLLER_UNIT                                                                            \
    {                                                                                              \
        "unit", RT_FIELD_TEXT, CONTROLLER(unit),                                                   \
            .unit = "", .fallback = "none",                                                        \
            .doc = "its unit in SI, for tables; nothing is converted"                              \
    }
#define INPUT_EXPRESSION                                                                           \
    {                                                                                              \
        "input", RT_FIELD_FUNCTION, CONTROLLER(function),                                          \
            .required = true, .unit = "",                                                          \
            .doc = "an expression of measures, signals, time and parameters"                       \
    }
#define AS_FOUND "found, so that the state rests"
#define INITIAL                                                                                    \
    {                                                                                              \
        "initial", RT_FIELD_NUMBER, CONTROLLER(initial), .unit = "", .fallback = AS_FOUND,         \
                                                         .doc = "the state at the operating point" \
    }
#define INITIALS(text)                                                                             \
    {                                                                                              \
        "initial", RT_FIELD_LIST, CONTROLLER(initials),                                            \
            .unit = "", .fallback = "found, so that the states rest", .doc = text                  \
    }

static const rt_field differential_fields[] = {
    CONTROLLER_TYPE,
    {"rate", RT_FIELD_FUNCTION, CONTROLLER(function), .required = true, .unit = "",
     .doc = "of measures, signals, time and parameters, the state itself among them by its name"},
    INITIAL,
    CONTROLLER_UNIT};
static const rt_field implicit_fields[] = {
    CONTROLLER_TYPE,
    {"equation", RT_FIELD_FUNCTION, CONTROLLER(function), .required = true, .unit = "",
     .doc = "what is zero: an expression of the state's name, its rate RATE(name), measures, "
            "signals, time and parameters"},
    INITIAL,
    CONTROLLER_UNIT};
static const rt_field state_space_fields[] = {
    CONTROLLER_TYPE,
    {"inputs", RT_FIELD_ANY_FUNCTIONS, CONTROLLER(inputs), .required = true, .unit = "",
     .doc = "the expressions u, in a list"},
    {"A", RT_FIELD_MATRIX, CONTROLLER(A), .required = true, .unit = "",
     .doc = "rows of numbers, one row and column for each state"},
    {"B", RT_FIELD_MATRIX, CONTROLLER(B), .required = true, .unit = "",
     .doc = "one row for each state, one column for each input"},
    {"C", RT_FIELD_MATRIX, CONTROLLER(C), .required = true, .unit = "",
     .doc = "one row for each output, one column for each state"},
    {"D", RT_FIELD_MATRIX, CONTROLLER(D), .unit = "", .fallback = "zero",
     .doc = "one row for each output, one column for each input"},
    {"states", RT_FIELD_NAMES, CONTROLLER(state_names), .unit = "", .fallback = "[x1, x2, ...]",
     .doc = "their names; in expressions controller.name"},
    {"outputs", RT_FIELD_NAMES, CONTROLLER(output_names), .unit = "", .fallback = "[y1, y2, ...]",
     .doc = "their names; in expressions controller.name"},
    INITIALS("the states at the operating point, a number for each")};
static const rt_field transfer_fields[] = {
    CONTROLLER_TYPE,
    INPUT_EXPRESSION,
    {"numerator", RT_FIELD_LIST, CONTROLLER(numerator), .required = true, .unit = "",
     .doc = "coefficients of powers of s, the highest first"},
    {"denominator", RT_FIELD_LIST, CONTROLLER(denominator), .required = true, .unit = "",
     .doc = "the same; its degree is at least that of the numerator"},
    INITIALS("the states at the operating point, a number for each: w, w', w'', ... with "
             "denominator(s) w = input"),
    CONTROLLER_UNIT};
static const rt_field general_fields[] = {
    CONTROLLER_TYPE,
    {"states", RT_FIELD_SECTION, CONTROLLER(states), .required = true, .unit = "",
     .doc = "the states, each under its name; in expressions controller.name",
     .inside = &rt_general_state_section},
    {"outputs", RT_FIELD_SECTION, CONTROLLER(outputs), .unit = "", .fallback = "none",
     .doc = "the outputs, each under its name; in expressions controller.name",
     .inside = &rt_general_output_section}};
static const rt_field pid_fields[] = {
    CONTROLLER_TYPE,
    INPUT_EXPRESSION,
    {"proportional", RT_FIELD_NUMBER, CONTROLLER(proportional), .unit = "", .fallback = "0",
     .doc = "output per input"},
    {"integral", RT_FIELD_NUMBER, CONTROLLER(integral), .unit = "", .fallback = "none",
     .doc = "output per integral of the input, which is the state controller.integral"},
    {"derivative", RT_FIELD_NUMBER, CONTROLLER(derivative), .unit = "", .fallback = "none",
     .needs = "filter",
     .doc = "output per rate of the input; the rate is that of a filter, (input - x)/filter, with "
            "the filtered input x as the state controller.derivative"},
    {"filter", RT_FIELD_NUMBER, CONTROLLER(filter), .range = RT_POSITIVE, .unit = "s",
     .needs = "derivative", .doc = "time constant of that filter"},
    {"initial", RT_FIELD_NUMBER, CONTROLLER(initial), .unit = "", .needs = "integral",
     .fallback = "found, so that the input is zero",
     .doc = "controller.integral at the operating point"},
    CONTROLLER_UNIT};
static const rt_field gain_fields[] = {
    CONTROLLER_TYPE,
    INPUT_EXPRESSION,
    {"gain", RT_FIELD_NUMBER, CONTROLLER(gain), .unit = "", .fallback = "1",
     .doc = "output per input"},
    {"lower", RT_FIELD_NUMBER, CONTROLLER(lower), .unit = "", .fallback = "none",
     .doc = "the output does not fall below this"},
    {"upper", RT_FIELD_NUMBER, CONTROLLER(upper), .unit = "", .fallback = "none",
     .doc = "the output does not rise above this"},
    {"dead_zone", RT_FIELD_NUMBER, CONTROLLER(dead_zone), .range = RT_NOT_NEGATIVE, .unit = "",
     .fallback = "0",
     .doc = "an input within so much of zero gives no output, a larger one counts from there"},
    CONTROLLER_UNIT};

static const rt_field general_state_fields[] = {
    {"rate", RT_FIELD_FUNCTION, SIGNAL(function), .required = true, .unit = "",
     .doc = "of measures, signals, time and parameters"},
    {"initial", RT_FIELD_NUMBER, SIGNAL(value), .unit = "", .fallback = AS_FOUND,
     .doc = "the state at the operating point"},
    SIGNAL_UNIT};
static const rt_kind general_state_kinds[] = {
    {"a state", 0, FIELDS(general_state_fields), .doc = "A state of a general controller."}};
const rt_section rt_general_state_section = {"states",
                                             "state",
                                             general_state_kinds,
                                             COUNT(general_state_kinds),
                                             .doc = "",
                                             .shorthand = "rate",
                                             .signals = true};
static const rt_field general_output_fields[] = {
    {"expression", RT_FIELD_FUNCTION, SIGNAL(function), .required = true, .unit = "",
     .doc = "of measures, signals, time and parameters"},
    SIGNAL_UNIT};
static const rt_kind general_output_kinds[] = {
    {"an output", 0, FIELDS(general_output_fields), .doc = "An output of a general controller."}};
const rt_section rt_general_output_section = {"outputs",
                                              "output",
                                              general_output_kinds,
                                              COUNT(general_output_kinds),
                                              .doc = "",
                                              .shorthand = "expression",
                                              .signals = true};

static const rt_kind controller_kinds[RT_CONTROLLER_N_TYPES] = {
    {"differential", RT_CONTROLLER_DIFFERENTIAL, FIELDS(differential_fields),
     .doc = "One explicit differential equation; the controller's name is that of its state."},
    {"implicit", RT_CONTROLLER_IMPLICIT, FIELDS(implicit_fields),
     .doc = "One implicit differential equation; the controller's name is that of its state."},
    {"state_space", RT_CONTROLLER_STATE_SPACE, FIELDS(state_space_fields),
     .doc = "x' = A x + B u, y = C x + D u."},
    {"transfer_function", RT_CONTROLLER_TRANSFER_FUNCTION, FIELDS(transfer_fields),
     .doc = "numerator(s)/denominator(s) from the input to the output, which has the controller's "
            "name; the states are controller.x1, controller.x2, ..."},
    {"general", RT_CONTROLLER_GENERAL, FIELDS(general_fields),
     .doc = "Several differential equations and outputs of your own."},
    {"pid", RT_CONTROLLER_PID, FIELDS(pid_fields),
     .one_of = {"proportional", "integral", "derivative"},
     .doc =
         "proportional + integral/s + derivative s/(filter s + 1), from the input to the output, "
         "which has the controller's name."},
    {"gain", RT_CONTROLLER_GAIN, FIELDS(gain_fields),
     .doc =
         "A factor with limits and a dead zone; the output has the controller's name. The linear "
         "model has the slope at the operating point, with a warning on a non-smooth point."},
};
const rt_section rt_controller_section = {"controllers",
                                          "controller",
                                          controller_kinds,
                                          COUNT(controller_kinds),
                                          .doc = "Differential equations, filters and controllers, "
                                                 "each under its name. Any expression may use "
                                                 "the states and outputs of any of them. A state "
                                                 "rests at the operating point, its rate zero, "
                                                 "unless `initial` is given.",
                                          .signals = true};
