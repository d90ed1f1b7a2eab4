#include "model/fields.h"

#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define LOAD(member) offsetof(rt_written_load, member)
#define MODEL(member) offsetof(rt_written_model, member)
#define FIELDS(array) .fields = (array), .n_fields = COUNT(array)

const char *const rt_axis_names[] = {"x", "y", "z", "-x", "-y", "-z", NULL};
const char *const rt_coordinate_names[] = {"x", "y", "z", "rx", "ry", "rz", NULL};
const char *const rt_orientation_forms[] = {
    "axis", "angle", "euler", "rpy", "x", "z", "matrix", NULL};

#define IN_AXES                                                                                   \
    " in the markers' own axes (with `at`: in the world): x, y, z, -x, -y, -z or a vector"

/* ---- loads ----------------------------------------------------------------------------------- */

#define LOAD_TYPE                                                                                 \
    {                                                                                             \
        "type", RT_FIELD_TYPE, 0, .required = true, .unit = "", .doc = "the kind of load"         \
    }
#define LOAD_BETWEEN(text)                                                                        \
    {                                                                                             \
        "between", RT_FIELD_BETWEEN, LOAD(between), .required = true, .unit = "", .doc = text     \
    }
#define LOAD_AT                                                                                   \
    {                                                                                             \
        "at", RT_FIELD_VECTOR, LOAD(at), .unit = "m",                                             \
        .doc = "a point in the world; `between` then names bodies (or ground), and markers are "  \
               "made there on both, with axes as the world's"                                     \
    }

static const rt_field spring_fields[] = {
    LOAD_TYPE, LOAD_BETWEEN("the two markers it pulls together or pushes apart"),
    {"stiffness", RT_FIELD_NUMBER, LOAD(load.stiffness), .unit = "N/m", .fallback = "0",
     .doc = "force per extension"},
    {"damping", RT_FIELD_NUMBER, LOAD(load.damping), .unit = "N s/m", .fallback = "0",
     .doc = "force per rate of extension"},
    {"free_length", RT_FIELD_NUMBER, LOAD(load.free_length), .range = RT_NOT_NEGATIVE, .unit = "m",
     .fallback = "the length as written", .doc = "the length at which stiffness gives no force"},
    {"preload", RT_FIELD_NUMBER, LOAD(load.preload), .unit = "N", .fallback = "0",
     .doc = "force at the free length; positive pushes the markers apart"},
    {"force", RT_FIELD_FUNCTION, LOAD(function), .unit = "N", .excludes = "table",
     .doc = "a further force that pushes the markers apart, as an expression of measures, signals "
            "and time"},
    {"table", RT_FIELD_TABLE, LOAD(table), .unit = "m, N",
     .doc = "pairs [extension, force], extension counted from the free length and increasing; the "
            "force pulls the markers together, as stiffness * extension does; a smooth curve goes "
            "through them and on along its last slopes"}};
static const rt_field torsion_fields[] = {
    LOAD_TYPE,
    LOAD_BETWEEN("the two markers; the torque acts on the first"),
    LOAD_AT,
    {"axis", RT_FIELD_AXIS, LOAD(load.axis), .unit = "", .fallback = "z",
     .doc = "the axis it turns about" IN_AXES},
    {"stiffness", RT_FIELD_NUMBER, LOAD(load.stiffness), .unit = "N m/rad", .fallback = "0",
     .doc = "torque per angle"},
    {"damping", RT_FIELD_NUMBER, LOAD(load.damping), .unit = "N m s/rad", .fallback = "0",
     .doc = "torque per rate of the angle"},
    {"free_angle", RT_FIELD_NUMBER, LOAD(load.free_length), .unit = "rad",
     .fallback = "the angle as written",
     .doc = "the angle at which stiffness gives no torque; the angle of the spring itself is "
            "counted within half a turn either way, so more turns than that go into preload"},
    {"preload", RT_FIELD_NUMBER, LOAD(load.preload), .unit = "N m", .fallback = "0",
     .doc = "torque on the first marker at the free angle"},
    {"torque", RT_FIELD_FUNCTION, LOAD(function), .unit = "N m", .excludes = "table",
     .doc = "a further torque on the first marker, as an expression of measures, signals and time"},
    {"table", RT_FIELD_TABLE, LOAD(table), .unit = "rad, N m",
     .doc = "pairs [angle, torque], the angle counted from the free angle and increasing; the "
            "torque turns the first marker back, as stiffness * angle does; a smooth curve goes "
            "through them and on along its last slopes"}};

static const rt_field translation_fields[] = {
    {"stiffness", RT_FIELD_TRIPLE, LOAD(translation_stiffness), .unit = "N/m", .fallback = "0",
     .doc = "one number for all directions, or [kx, ky, kz]"},
    {"damping", RT_FIELD_TRIPLE, LOAD(translation_damping), .unit = "N s/m", .fallback = "0",
     .doc = "one number for all directions, or [cx, cy, cz]"}};
static const rt_field rotation_fields[] = {
    {"stiffness", RT_FIELD_TRIPLE, LOAD(rotation_stiffness), .unit = "N m/rad", .fallback = "0",
     .doc = "one number for all axes, or three"},
    {"damping", RT_FIELD_TRIPLE, LOAD(rotation_damping), .unit = "N m s/rad", .fallback = "0",
     .doc = "one number for all axes, or three"}};
static const rt_kind translation_kind[] = {
    {"translation", 0, FIELDS(translation_fields), .doc = "The three forces of a bushing."}};
static const rt_kind rotation_kind[] = {
    {"rotation", 0, FIELDS(rotation_fields), .doc = "The three torques of a bushing."}};
static const rt_section translation_group = {"translation", "translation", translation_kind, 1,
                                             .doc = ""};
static const rt_section rotation_group = {"rotation", "rotation", rotation_kind, 1, .doc = ""};

static const rt_field bushing_fields[] = {
    LOAD_TYPE,
    LOAD_BETWEEN("the two markers; force and torque act on the first, and are resolved in the axes "
                 "of the second"),
    LOAD_AT,
    {"translation", RT_FIELD_GROUP, 0, .unit = "", .excludes = "stiffness",
     .doc = "stiffness and damping against displacement", .inside = &translation_group},
    {"rotation", RT_FIELD_GROUP, 0, .unit = "", .excludes = "stiffness",
     .doc = "stiffness and damping against rotation", .inside = &rotation_group},
    {"stiffness", RT_FIELD_MATRIX6, LOAD(load.stiffness6), .unit = "N/m, N, N m/rad",
     .doc = "instead of translation and rotation: the whole matrix, 6 rows of 6 numbers, for "
            "(x, y, z, rx, ry, rz)"},
    {"damping", RT_FIELD_MATRIX6, LOAD(load.damping6), .unit = "N s/m, N s, N m s/rad",
     .needs = "stiffness", .doc = "the whole damping matrix, beside the whole stiffness matrix"},
    {"preload", RT_FIELD_VECTOR6, LOAD(load.preload6), .unit = "N, N m", .fallback = "0",
     .doc = "force and torque on the first marker when the two coincide"}};
static const rt_field beam_fields[] = {
    LOAD_TYPE,
    LOAD_BETWEEN("the beam's tip and its root; the beam lies along the root's x axis"),
    {"length", RT_FIELD_NUMBER, LOAD(length), .required = true, .range = RT_POSITIVE, .unit = "m",
     .doc = "unstrained length"},
    {"youngs_modulus", RT_FIELD_NUMBER, LOAD(youngs_modulus), .required = true,
     .range = RT_POSITIVE, .unit = "Pa", .doc = "E"},
    {"shear_modulus", RT_FIELD_NUMBER, LOAD(shear_modulus), .required = true, .range = RT_POSITIVE,
     .unit = "Pa", .doc = "G"},
    {"area", RT_FIELD_NUMBER, LOAD(area), .required = true, .range = RT_POSITIVE, .unit = "m^2",
     .doc = "A, of the cross-section"},
    {"iyy", RT_FIELD_NUMBER, LOAD(iyy), .required = true, .range = RT_POSITIVE, .unit = "m^4",
     .doc = "second moment of area about the section's y axis: bending in the x-z plane"},
    {"izz", RT_FIELD_NUMBER, LOAD(izz), .required = true, .range = RT_POSITIVE, .unit = "m^4",
     .doc = "second moment of area about the section's z axis: bending in the x-y plane"},
    {"torsion_constant", RT_FIELD_NUMBER, LOAD(torsion_constant), .required = true,
     .range = RT_POSITIVE, .unit = "m^4",
     .doc = "J, so that the torsional stiffness is G J / length"},
    {"shear_factor_y", RT_FIELD_NUMBER, LOAD(shear_factor_y), .range = RT_NOT_NEGATIVE, .unit = "",
     .fallback = "0",
     .doc = "area / shear area along y (6/5 for a rectangle, 10/9 for a circle); 0: no shear "
            "deformation (Euler-Bernoulli)"},
    {"shear_factor_z", RT_FIELD_NUMBER, LOAD(shear_factor_z), .range = RT_NOT_NEGATIVE, .unit = "",
     .fallback = "0", .doc = "the same along z"},
    {"damping_ratio", RT_FIELD_NUMBER, LOAD(damping_ratio), .unit = "s", .fallback = "0",
     .doc = "damping matrix = damping_ratio * stiffness matrix"}};

static const rt_field rod_element_fields[] = {
    LOAD_TYPE,
    LOAD_BETWEEN("its two ends; x lies along the line between them, y as near as it can to the "
                 "markers' y"),
    {"stiffness", RT_FIELD_MATRIX6, LOAD(load.stiffness6), .required = true,
     .unit = "N, N m, N m^2",
     .doc = "of its section, 6 rows of 6 numbers, symmetric: force and moment (x, y, z) from "
            "strain (stretch, two shears) and curvature (twist, two bendings)"},
    {"damping", RT_FIELD_MATRIX6, LOAD(load.damping6), .unit = "N s, N m s, N m^2 s",
     .fallback = "0", .doc = "the same from the rates of strain and curvature"}};

#define VECTOR_LOAD_FIELDS(what, unit_)                                                           \
    LOAD_TYPE,                                                                                    \
        {"on", RT_FIELD_MARKER, LOAD(on), .required = true, .unit = "",                           \
         .doc = "the marker it acts on"},                                                         \
        {"components", RT_FIELD_FUNCTIONS, LOAD(components), .required = true, .unit = unit_,     \
         .doc = "three expressions of measures, signals, time and parameters"},                   \
        {"resolved_in", RT_FIELD_MARKER, LOAD(resolved_in), .unit = "", .fallback = "ground",     \
         .doc = "the marker whose axes the components are in; the marker it acts on makes it "    \
                "follow the body"},                                                               \
    {                                                                                             \
        "reaction_on", RT_FIELD_MARKER, LOAD(reaction_on), .unit = "",                            \
        .fallback = "none", .doc = "a marker on which the opposite " what " acts"                 \
    }
static const rt_field force_fields[] = {VECTOR_LOAD_FIELDS("force", "N")};
static const rt_field torque_fields[] = {VECTOR_LOAD_FIELDS("torque", "N m")};

static const rt_kind load_kinds[] = {
    {"spring", RT_LOAD_SPRING, FIELDS(spring_fields),
     .one_of = {"stiffness", "damping", "preload", "force", "table"},
     .doc = "A spring, damper or actuator along the line between two markers."},
    {"torsion_spring", RT_LOAD_TORSION_SPRING, FIELDS(torsion_fields),
     .one_of = {"stiffness", "damping", "preload", "torque", "table"},
     .doc = "A spring, damper or actuator about an axis."},
    {"bushing", RT_LOAD_BUSHING, FIELDS(bushing_fields),
     .one_of = {"translation", "rotation", "stiffness", "preload"},
     .doc = "Stiffness and damping in six directions between two markers."},
    {"beam", RT_LOAD_BEAM, FIELDS(beam_fields), .doc = "A massless Timoshenko beam."},
    {"flexible_rod", RT_LOAD_ROD, FIELDS(rod_element_fields),
     .doc = "A massless geometrically exact beam element, free of load as written; neither end is "
            "preferred. Section `beams` makes whole beams of it."},
    {"force", RT_LOAD_FORCE, FIELDS(force_fields), .doc = "A force on a marker."},
    {"torque", RT_LOAD_TORQUE, FIELDS(torque_fields), .doc = "A torque on a marker."},
    {"tyre", RT_LOAD_TYRE, .fields = rt_tyre_fields, .n_fields = RT_TYRE_FIELDS,
     .one_of = {"radius", "preload"},
     .doc = "A tyre on a flat road: a radial spring, and forces that are linear in slip and lean."},
    {"magic_formula_tyre", RT_LOAD_MAGIC_TYRE, .fields = rt_magic_fields,
     .n_fields = RT_MAGIC_FIELDS, .one_of = {"radius", "preload"},
     .doc = "The same with the magic formula, D sin(C atan(Bx - E(Bx - atan Bx))), for the side "
            "force and the force along."},
    {"friction", RT_LOAD_FRICTION, .fields = rt_friction_fields, .n_fields = RT_FRICTION_FIELDS,
     .one_of = {"static_coefficient", "static_level"},
     .doc = "Dry and viscous friction of a joint, with a slope in the place of the jump at rest."},
    {"contact", RT_LOAD_CONTACT, .fields = rt_contact_fields, .n_fields = RT_CONTACT_FIELDS,
     .doc = "A sphere that may touch a plane or another sphere."},
    {"limit", RT_LOAD_LIMIT, .fields = rt_limit_fields, .n_fields = RT_LIMIT_FIELDS,
     .one_of = {"lower", "upper"},
     .doc = "Stops of a joint's coordinate."},
};
const rt_section rt_load_section = {
    "loads", "load", load_kinds, COUNT(load_kinds),
    .doc = "Springs, bushings, beams, forces and tyres, each under its name."};

/* ---- the whole file -------------------------------------------------------------------------- */

static const char *const operating_choices[] = {"given", "static", "steady", NULL};
static const rt_field operating_fields[] = {
    {"type", RT_FIELD_CHOICE, MODEL(operating_point), .unit = "", .fallback = "given",
     .choices = operating_choices,
     .doc = "given: as written, with positions assembled and velocities made consistent; static: a "
            "stable static equilibrium near it; steady: a steady motion near it, of which `steady` "
            "says more"},
    {"time", RT_FIELD_NUMBER, MODEL(time), .unit = "s", .fallback = "0",
     .doc = "the time at which functions are taken"}};
static const rt_field linearize_fields[] = {
    {"reference", RT_FIELD_MARKER, MODEL(reference), .unit = "",
     .fallback = "ground, or the moving frame of a steady motion that turns",
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
    {"parameters", RT_FIELD_PARAMETERS, MODEL(parameters), .unit = "", .fallback = "none",
     .doc = "named numbers; each may be an expression of others, in any order"},
    {"gravity", RT_FIELD_VECTOR, MODEL(gravity), .unit = "m/s^2", .fallback = "[0, 0, 0]",
     .doc = "acceleration of free fall"},
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
    {"inputs", RT_FIELD_SECTION, MODEL(inputs), .unit = "", .fallback = "none",
     .doc = "what acts from outside: the columns of B and D", .inside = &rt_input_section},
    {"outputs", RT_FIELD_SECTION, MODEL(outputs), .unit = "", .fallback = "none",
     .doc = "what is measured: the rows of C and D", .inside = &rt_output_section},
    {"variables", RT_FIELD_SECTION, MODEL(variables), .unit = "", .fallback = "none",
     .doc = "named expressions, which may need each other", .inside = &rt_variable_section},
    {"controllers", RT_FIELD_SECTION, MODEL(controllers), .unit = "", .fallback = "none",
     .doc = "differential equations, filters, controllers", .inside = &rt_controller_section},
    {"operating_point", RT_FIELD_GROUP, 0, .unit = "", .fallback = "as written",
     .doc = "the state that is linearized about", .inside = &operating_group},
    {"steady", RT_FIELD_GROUP, 0, .unit = "", .fallback = "nothing prescribed",
     .doc = "the steady motion that is looked for", .inside = &rt_steady_group},
    {"linearize", RT_FIELD_GROUP, 0, .unit = "", .fallback = "seen from ground",
     .doc = "observer and states", .inside = &linearize_group},
    {"simulate", RT_FIELD_GROUP, 0, .unit = "", .fallback = "chosen by the program",
     .doc = "how a run in time is made", .inside = &rt_simulate_group},
    {"events", RT_FIELD_SECTION, MODEL(events), .unit = "", .fallback = "none",
     .doc = "what happens in a run when an expression crosses zero", .inside = &rt_event_section},
};
const rt_kind rt_model_kind = {"a model file", 0, FIELDS(model_fields),
                               .one_of = {"bodies", "beams"}, .doc = "A model file."};

bool rt_is_given(const rt_kind *kind, rt_given given, const char *field)
{
    for (int k = 0; k < kind->n_fields; k++)
        if (!strcmp(kind->fields[k].name, field)) return given >> k & 1u;
    return false;
}
