#include "model/load_class.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define MODEL(member) offsetof(rt_written_model, member)
#define FIELDS(array) .fields = (array), .n_fields = COUNT(array)

/* ---- loads ----------------------------------------------------------------------------------- */

#define LOAD_KIND(NAME, name, reader) &rt_load_class_##name.kind,
static const rt_kind *const load_kinds[] = {RT_LOAD_LIST(LOAD_KIND)};
const rt_section rt_load_section = {
    "loads", "load", .list = load_kinds, .n_kinds = RT_LOAD_N_TYPES,
    .doc = "Springs, bushings, beams, forces and tyres, each under its name."};

/* ---- the whole file -------------------------------------------------------------------------- */

static const char *const operating_choices[] = {"given", "static", "steady", NULL};
static const rt_field operating_fields[] = {
    {"type", RT_FIELD_CHOICE, MODEL(operating_point), .unit = "", .fallback = "given",
     .choices = operating_choices,
     .doc = "given: the initial state, with positions assembled and velocities made consistent; "
            "static: a stable static equilibrium near it; steady: a steady motion near it, of "
            "which `steady` says more"},
    {"time", RT_FIELD_NUMBER, MODEL(time), .sense = RT_SCALAR, .unit = "s", .fallback = "0",
     .doc = "the time at which functions are taken"},
    {"accept_unstable", RT_FIELD_TRUTH, MODEL(accept_unstable), .unit = "", .fallback = "false",
     .doc = "static: accept an equilibrium that is unstable, with a warning, instead of searching "
            "for a stable one beside it"}};
static const rt_field linearize_fields[] = {
    {"reference", RT_FIELD_MARKER, MODEL(reference), .unit = "",
     .fallback = "ground, or the moving frame of a steady motion that rotates",
     .doc = "the marker from which the motion is seen"},
    {"coordinates", RT_FIELD_SECTION, MODEL(coordinates), .unit = "", .fallback = "none",
     .doc = "states of your own, each under its name", .inside = &rt_coordinate_section},
    {"states", RT_FIELD_STATES, MODEL(states), .unit = "", .fallback = "chosen by the program",
     .doc = "coordinates preferred as states: names of `coordinates`, and body.x, .y, .z, .rx, .ry "
            "or .rz; of flexible bodies elastic ones too, such as body.5.y or body.mode 3"},
    {"velocities", RT_FIELD_STATES, MODEL(velocities), .unit = "",
     .fallback = "chosen by the program",
     .doc = "of the same names: those whose rates are preferred as velocity states, where rolling "
            "and the like leave fewer of them than positions"}};
static const rt_kind operating_kind[] = {
    {"operating_point", 0, FIELDS(operating_fields), .doc = "The state that is linearized about."}};
static const rt_kind linearize_kind[] = {
    {"linearize", 0, FIELDS(linearize_fields), .doc = "How the linear model is written."}};
static const rt_section operating_group = {"operating_point", "operating_point", operating_kind, 1,
                                           .doc = ""};
static const rt_section linearize_group = {"linearize", "linearize", linearize_kind, 1, .doc = ""};

static const rt_field model_fields[] = {
    {"title", RT_FIELD_TEXT, MODEL(title), .unit = "", .fallback = "the file's name",
     .doc = "one line, shown above results"},
    {"description", RT_FIELD_TEXT, MODEL(description), .unit = "", .fallback = "none",
     .doc = "any text"},
    {"units", RT_FIELD_CHOICES, MODEL(units), .unit = "", .fallback = "`[m, kg, s]`",
     .choices = rt_base_units,
     .doc = "units of length, mass and time: numbers without a unit, parameters and "
            "expressions are in what these make, results in SI"},
    {"parameters", RT_FIELD_PARAMETERS, MODEL(parameters), .unit = "", .fallback = "none",
     .doc = "named numbers; each may be an expression of others, in any order"},
    {"variants", RT_FIELD_SECTION, MODEL(variants), .unit = "", .fallback = "none",
     .doc = "values of parameters and variants of parts, each set of them under a name",
     .inside = &rt_file_variant_section},
    {"variant", RT_FIELD_WORD, MODEL(variant), .unit = "", .fallback = "none", .needs = "variants",
     .doc = "which of `variants` the file is, where whoever uses it does not say another"},
    {"gravity", RT_FIELD_VECTOR, MODEL(gravity), .sense = RT_POLAR, .varies = true, .unit = "m/s^2",
     .fallback = "[0, 0, 0]", .doc = "acceleration of free fall"},
    {"bodies", RT_FIELD_SECTION, MODEL(bodies), .unit = "", .fallback = "none beside beams",
     .doc = "rigid and flexible bodies", .inside = &rt_body_section},
    {"beams", RT_FIELD_SECTION, MODEL(beams), .unit = "", .fallback = "none",
     .doc = "flexible beams of nodes and elements", .inside = &rt_rod_section},
    {"markers", RT_FIELD_SECTION, MODEL(markers), .unit = "", .fallback = "none",
     .doc = "frames fixed in bodies", .inside = &rt_marker_section},
    {"joints", RT_FIELD_SECTION, MODEL(joints), .unit = "", .fallback = "none",
     .doc = "joints, motions, constraints", .inside = &rt_joint_section},
    {"loads", RT_FIELD_SECTION, MODEL(loads), .unit = "", .fallback = "none",
     .doc = "springs, bushings, beams, forces", .inside = &rt_load_section},
    {"parts", RT_FIELD_SECTION, MODEL(parts), .unit = "", .fallback = "none",
     .doc = "model files used as parts", .inside = &rt_part_section},
    {"connections", RT_FIELD_NAMES, MODEL(connections), .unit = "", .fallback = "none",
     .doc = "of a part file: names of bodies and markers that the part is connected to; whoever "
            "uses it says what they are"},
    {"exports", RT_FIELD_SIGNALS, MODEL(exports), .unit = "", .fallback = "none",
     .doc = "of a part file: names in it that may be used from outside"},
    {"inputs", RT_FIELD_SECTION, MODEL(inputs), .unit = "", .fallback = "none",
     .doc = "what acts from outside: the columns of B and D", .inside = &rt_input_section},
    {"outputs", RT_FIELD_SECTION, MODEL(outputs), .unit = "", .fallback = "none",
     .doc = "what is measured: the rows of C and D", .inside = &rt_output_section},
    {"variables", RT_FIELD_SECTION, MODEL(variables), .unit = "", .fallback = "none",
     .doc = "named expressions, which may need each other", .inside = &rt_variable_section},
    {"controllers", RT_FIELD_SECTION, MODEL(controllers), .unit = "", .fallback = "none",
     .doc = "differential equations, filters, controllers", .inside = &rt_controller_section},
    {"operating_point", RT_FIELD_GROUP, 0, .unit = "", .fallback = "initial state",
     .doc = "the state that is linearized about", .inside = &operating_group},
    {"steady", RT_FIELD_GROUP, 0, .unit = "", .fallback = "nothing prescribed",
     .doc = "the steady motion that is looked for", .inside = &rt_steady_group},
    {"linearize", RT_FIELD_GROUP, 0, .unit = "", .fallback = "seen from ground",
     .doc = "reference frame and states", .inside = &linearize_group},
    {"simulate", RT_FIELD_GROUP, 0, .unit = "", .fallback = "chosen by the program",
     .doc = "how a run in time is made", .inside = &rt_simulate_group},
    {"events", RT_FIELD_SECTION, MODEL(events), .unit = "", .fallback = "none",
     .doc = "what happens in a run when an expression crosses zero", .inside = &rt_event_section},
    {"functions", RT_FIELD_SECTION, MODEL(functions), .unit = "", .fallback = "none",
     .doc = "functions of the caller, or of plug-ins, that expressions call",
     .inside = &rt_function_section},
};
const rt_kind rt_model_kind = {"a model file", 0, FIELDS(model_fields),
                               .one_of = {"bodies", "beams", "parts"}, .doc = "A model file."};
