/* The descriptor tables of runs in time: what `simulate` says. */
#include "model/fields.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define MODEL(member) offsetof(rt_written_model, member)
#define SIGNAL(member) offsetof(rt_written_signal, member)
#define FIELDS(array) .fields = (array), .n_fields = COUNT(array)

static const rt_field history_fields[] = {
    {"expression", RT_FIELD_FUNCTION, SIGNAL(function), .required = true, .unit = "",
     .doc = "of time and parameters"}};
static const rt_kind history_kinds[] = {
    {"a history", 0, FIELDS(history_fields), .doc = "An input as a function of time."}};
const rt_section rt_history_section = {"inputs",         "history",
                                       history_kinds,    COUNT(history_kinds),
                                       .doc = "",        .shorthand = "expression",
                                       .signals = true};

static const rt_field simulate_fields[] = {
    {"end", RT_FIELD_NUMBER, MODEL(simulate.end), .unit = "s", .fallback = "asked for",
     .doc = "the time at which the run ends; it begins at the operating point, at its time"},
    {"every", RT_FIELD_NUMBER, MODEL(simulate.every), .range = RT_POSITIVE, .unit = "s",
     .fallback = "chosen by the program", .doc = "the time between records"},
    {"integrator", RT_FIELD_WORD, MODEL(simulate.integrator), .unit = "",
     .fallback = "chosen by the program", .doc = "the name of the integrator"},
    {"tolerance", RT_FIELD_NUMBER, MODEL(simulate.tolerance), .range = RT_POSITIVE, .unit = "",
     .fallback = "chosen by the program", .doc = "relative, of the error of a step"},
    {"step", RT_FIELD_NUMBER, MODEL(simulate.step), .range = RT_POSITIVE, .unit = "s",
     .fallback = "as the tolerance asks", .doc = "steps of this one length"},
    {"largest_step", RT_FIELD_NUMBER, MODEL(simulate.largest_step), .range = RT_POSITIVE,
     .unit = "s", .fallback = "none", .doc = "no step is longer"},
    {"inputs", RT_FIELD_SECTION, MODEL(simulate.histories), .unit = "",
     .fallback = "every input keeps its value",
     .doc = "the histories of inputs, each under its input's name. Such an input has its "
            "history's value, and its rates, at the operating point too, whatever its `value` "
            "says; only in a static equilibrium its rates are zero",
     .inside = &rt_history_section}};
static const rt_kind simulate_kind[] = {
    {"simulate", 0, FIELDS(simulate_fields), .doc = "How a run in time is made."}};
const rt_section rt_simulate_group = {"simulate", "simulate", simulate_kind, 1, .doc = ""};
