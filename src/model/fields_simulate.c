/* The descriptor tables of runs in time: what `simulate` and `events` say. */
#include "model/fields.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define MODEL(member) offsetof(rt_written_model, member)
#define SIGNAL(member) offsetof(rt_written_signal, member)
#define EVENT(member) offsetof(rt_written_event, member)
#define FIELDS(array) .fields = (array), .n_fields = COUNT(array)

static const rt_field history_fields[] = {
    {"expression", RT_FIELD_FUNCTION, SIGNAL(function), .sense = RT_SCALAR, .unit = "",
     .fallback = "none", .excludes = "table", .doc = "of time and parameters"},
    {"table", RT_FIELD_TABLE, SIGNAL(table), .sense = RT_SCALAR, .unit = "s and the input's",
     .fallback = "none",
     .doc = "pairs [time, value], times increasing; a curve goes through them and on along its "
            "last slopes"},
    RT_INTERPOLATION_FIELD(SIGNAL(interpolation),
                           "; for inputs of motions, whose accelerations the others let jump")};
static const rt_kind history_kinds[] = {{"a history", 0, FIELDS(history_fields),
                                         .one_of = {"expression", "table"},
                                         .doc = "An input as a function of time."}};
const rt_section rt_history_section = {"inputs",       "history",
                                       history_kinds,  COUNT(history_kinds),
                                       .doc = "",      .shorthand = "expression",
                                       .signals = true};

static const rt_field simulate_fields[] = {
    {"end", RT_FIELD_NUMBER, MODEL(simulate.end), .sense = RT_SCALAR, .unit = "s",
     .fallback = "asked for",
     .doc = "the time at which the run ends; it begins at the operating point, at its time"},
    {"every", RT_FIELD_NUMBER, MODEL(simulate.every), .range = RT_POSITIVE, .sense = RT_SCALAR,
     .unit = "s", .fallback = "chosen by the program", .doc = "the time between records"},
    {"integrator", RT_FIELD_WORD, MODEL(simulate.integrator), .unit = "",
     .fallback = "chosen by the program", .doc = "the name of the integrator"},
    {"tolerance", RT_FIELD_NUMBER, MODEL(simulate.tolerance), .range = RT_POSITIVE,
     .sense = RT_SCALAR, .unit = RT_UNIT_NONE, .fallback = "chosen by the program",
     .doc = "relative, of the error of a step"},
    {"step", RT_FIELD_NUMBER, MODEL(simulate.step), .range = RT_POSITIVE, .sense = RT_SCALAR,
     .unit = "s", .fallback = "as the tolerance asks", .doc = "steps of this one length"},
    {"largest_step", RT_FIELD_NUMBER, MODEL(simulate.largest_step), .range = RT_POSITIVE,
     .sense = RT_SCALAR, .unit = "s", .fallback = "none", .doc = "no step is longer"},
    {"inputs", RT_FIELD_SECTION, MODEL(simulate.histories), .unit = "",
     .fallback = "every input keeps its value",
     .doc = "the histories of inputs, each under its input's name. Such an input has its "
            "history's value, and its rates, at the operating point too, whatever its `value` "
            "says; in a static equilibrium and a steady motion its rates are zero",
     .inside = &rt_history_section}};
static const rt_kind simulate_kind[] = {
    {"simulate", 0, FIELDS(simulate_fields), .doc = "How a run in time is made."}};
const rt_section rt_simulate_group = {"simulate", "simulate", simulate_kind, 1, .doc = ""};

/* in the order of rt_event_direction and rt_event_action */
static const char *const directions[] = {"both", "rising", "falling", NULL};
static const char *const actions[] = {"record", "stop", "set", NULL};
static const rt_field event_fields[] = {
    {"when", RT_FIELD_FUNCTION, EVENT(when), .required = true, .sense = RT_SCALAR, .unit = "",
     .doc = "the expression that crosses zero: of measures, signals, time and parameters"},
    {"direction", RT_FIELD_CHOICE, EVENT(direction), .unit = "", .fallback = "both",
     .choices = directions, .doc = "rising: from negative to positive; falling: the other way"},
    {"action", RT_FIELD_CHOICE, EVENT(action), .unit = "", .fallback = "record", .choices = actions,
     .doc = "record: the moment is recorded; stop: the run ends there too; set: from then on "
            "`input` has the value `value`"},
    {"input", RT_FIELD_WORD, EVENT(input), .unit = "", .fallback = "none", .needs = "value",
     .doc = "the input that `set` gives another value; its history, if it has one, is over then"},
    {"value", RT_FIELD_FUNCTION, EVENT(value), .sense = RT_SCALAR, .unit = "", .fallback = "none",
     .needs = "input",
     .doc = "that value, taken once at the event: of measures, signals, time and parameters"}};
static const rt_kind event_kinds[] = {
    {"an event", 0, FIELDS(event_fields), .doc = "What happens when an expression crosses zero."}};
const rt_section rt_event_section = {
    "events", "event", event_kinds, COUNT(event_kinds),
    .doc = "What happens in a run when an expression crosses zero, each under its name. The moment "
           "is located, not stepped over. Events have no part in linear models."};
