/* Friction, contact and limits: the reader writes them out as a force and a torque between two
 * markers (model/contact.h), whose six components (rt_scalar) are expressions. */
#include "elements/loads.h"
#include "model/load_fields.h"

#define CONTACT(member) offsetof(rt_written_load, contact.member)
#define LOAD_JOINT(text)                                                                          \
    {                                                                                             \
        "joint", RT_FIELD_JOINT, CONTACT(joint), .required = true, .unit = "", .doc = text        \
    }
#define COEFFICIENTS(needs_)                                                                      \
    {"static_coefficient", RT_FIELD_NUMBER, CONTACT(static_coefficient),                          \
     .range = RT_NOT_NEGATIVE, .sense = RT_SCALAR, .unit = RT_UNIT_NONE, .needs = needs_,          \
     .doc = "friction per normal force up to which it sticks"},                                   \
        {"dynamic_coefficient", RT_FIELD_NUMBER, CONTACT(dynamic_coefficient),                    \
         .range = RT_NOT_NEGATIVE,                                                                 \
         .sense = RT_SCALAR, .unit = RT_UNIT_NONE, .fallback = "static_coefficient",               \
         .needs = "static_coefficient", .doc = "friction per normal force in fast slip"}
#define VELOCITIES(required_, needs_, unit_)                                                      \
    {"stiction_velocity", RT_FIELD_NUMBER, CONTACT(stiction_velocity), .required = required_,     \
     .needs = needs_, .range = RT_POSITIVE, .sense = RT_SCALAR, .unit = unit_,                     \
     .doc = "the slope at rest is static friction per this speed of slip; small beside the "      \
            "speeds that matter"},                                                                \
        {"dynamic_velocity", RT_FIELD_NUMBER, CONTACT(dynamic_velocity), .range = RT_POSITIVE,    \
         .sense = RT_SCALAR, .unit = unit_, .fallback = "10 * stiction_velocity",                  \
         .needs = "stiction_velocity",                                                             \
         .doc = "the speed of slip over which friction falls from static to dynamic, by 1/e"}
#define STIFFNESS_FIELDS(unit_, exponent_, damping_unit, p)                                       \
    {"stiffness", RT_FIELD_NUMBER, CONTACT(stiffness), .required = true, .range = RT_POSITIVE,    \
     .sense = RT_SCALAR, .unit = unit_,                                                            \
     .doc = "k of the force k " p "^exponent (1 + 3/2 damping " p "'), " p                         \
     " how far it is pressed in; it never pulls"},                                                \
        {"exponent", RT_FIELD_NUMBER, CONTACT(exponent),                                           \
         .sense = RT_SCALAR, .unit = RT_UNIT_NONE, .fallback = exponent_,                          \
         .doc = "from 1 to 10; 1.5 is Hertz' for round bodies, 1 a linear stop"},                 \
        {"damping", RT_FIELD_NUMBER, CONTACT(damping), .range = RT_NOT_NEGATIVE,                  \
         .sense = RT_SCALAR, .unit = damping_unit, .fallback = "0",                                \
         .doc = "by how much of itself 3/2 of the speed adds to the force; about the loss of "    \
                "restitution per speed of impact"}

static const rt_field friction_fields[] = {
    LOAD_TYPE,
    LOAD_JOINT("the joint that rubs: revolute, translational, cylindrical, spherical, universal"),
    COEFFICIENTS(NULL),
    {"static_level", RT_FIELD_NUMBER, CONTACT(static_level), .range = RT_NOT_NEGATIVE,
     .sense = RT_SCALAR, .unit = "N or N m", .excludes = "static_coefficient",
     .doc = "instead of coefficients: the force of a translational joint, the torque of others, up "
            "to which it sticks, whatever presses it; slip is then counted in m/s or rad/s"},
    {"dynamic_level", RT_FIELD_NUMBER, CONTACT(dynamic_level), .range = RT_NOT_NEGATIVE,
     .sense = RT_SCALAR, .unit = "N or N m", .fallback = "static_level", .needs = "static_level",
     .doc = "the same in fast slip"},
    VELOCITIES(true, NULL, "m/s or rad/s"),
    {"viscous", RT_FIELD_NUMBER, CONTACT(viscous), .range = RT_NOT_NEGATIVE,
     .sense = RT_SCALAR, .unit = "N s/m or N m s/rad", .fallback = "0",
     .doc = "friction per slip, beside the dry one"},
    {"radius", RT_FIELD_NUMBER, CONTACT(radius), .range = RT_POSITIVE,
     .sense = RT_SCALAR, .unit = "m",
     .excludes = "static_level",
     .doc = "of the surface that rubs: a pin, a ball; of a translational joint, the arm at which "
            "a torque about the axis is carried"},
    {"length", RT_FIELD_NUMBER, CONTACT(length), .range = RT_POSITIVE,
     .sense = RT_SCALAR, .unit = "m",
     .excludes = "static_level",
     .doc = "between the two ends of the bearing, which share the radial force so that they also "
            "carry its moment; without it moments do not press"},
    {"thrust_radius", RT_FIELD_NUMBER, CONTACT(thrust_radius), .range = RT_POSITIVE,
     .sense = RT_SCALAR, .unit = "m",
     .excludes = "static_level", .fallback = "no friction of thrust",
     .doc = "of the shoulder of a revolute joint, which the axial force presses"},
    {"preload", RT_FIELD_NUMBER, CONTACT(preload), .range = RT_NOT_NEGATIVE,
     .sense = RT_SCALAR, .unit = "N",
     .excludes = "static_level", .fallback = "0",
     .doc = "normal force beside that of the reaction"},
    {"reaction", RT_FIELD_TRUTH, CONTACT(reaction), .unit = "", .excludes = "static_level",
     .fallback = "true", .doc = "false: the joint's reaction does not press, the preload alone"},
    {"smoothing", RT_FIELD_NUMBER, CONTACT(smoothing), .range = RT_POSITIVE,
     .sense = RT_SCALAR, .unit = "N",
     .excludes = "static_level", .fallback = "0.001",
     .doc = "e of the normal force sqrt(F^2 + e^2), so that it is smooth where F is zero"}};
static const rt_field contact_fields[] = {
    LOAD_TYPE,
    {"between", RT_FIELD_BETWEEN, LOAD(between), .required = true, .unit = "",
     .doc = "the marker at the sphere's centre; then a marker in the plane, its z the normal that "
            "points to the sphere's side, or at the centre of another sphere"},
    {"radius", RT_FIELD_NUMBER, CONTACT(radius), .required = true, .range = RT_POSITIVE,
     .sense = RT_SCALAR, .unit = "m", .doc = "of the sphere"},
    {"other_radius", RT_FIELD_NUMBER, CONTACT(other_radius), .range = RT_POSITIVE,
     .sense = RT_SCALAR, .unit = "m",
     .fallback = "none: a plane", .doc = "of the second sphere"},
    STIFFNESS_FIELDS("N/m^exponent", "1.5", "s/m", "d"),
    COEFFICIENTS("stiction_velocity"),
    VELOCITIES(false, "static_coefficient", "m/s")};
static const char *const limited_names[] = {"z", "rz", NULL};
static const rt_field limit_fields[] = {
    LOAD_TYPE,
    LOAD_JOINT("the joint that has stops: revolute, translational, cylindrical"),
    {"coordinate", RT_FIELD_CHOICE, CONTACT(coordinate), .unit = "", .choices = limited_names,
     .fallback = "z on translational joints, rz on others",
     .doc = "displacement along the joint's axis or rotation about it, of the first marker "
            "relative to the second; rotation counts revolutions"},
    {"lower", RT_FIELD_NUMBER, CONTACT(lower),
     .sense = RT_READ_LATER, .unit = "m or rad", .fallback = "none",
     .doc = "where the stop below begins"},
    {"upper", RT_FIELD_NUMBER, CONTACT(upper),
     .sense = RT_READ_LATER, .unit = "m or rad", .fallback = "none",
     .doc = "where the stop above begins"},
    STIFFNESS_FIELDS("N/m^exponent or N m/rad^exponent", "1", "s/m or s/rad", "p")};

const rt_load_class rt_load_class_friction = {
    .kind = {"friction", RT_LOAD_FRICTION, LOAD_FIELDS(friction_fields),
             .one_of = {"static_coefficient", "static_level"},
             .doc = "Dry and viscous friction of a joint, with a slope in the place of the jump at "
                    "rest."},
    .n_functions = 6,
    .all_functions = true,
    .resolved = true,
    .between_bodies = true,
    .evaluate = rt_components_load,
    .unit = rt_components_unit,
    .picture = RT_PICTURE_PLAIN,
    .sample_parameters = "mu: 0.3, nu: 0.2, v: 0.4, d: 0.1, r: 0.2",
    .sample = "joint: h, static_coefficient: mu, dynamic_coefficient: nu, stiction_velocity: v, "
              "viscous: d, radius: r, preload: 2, smoothing: 0.5",
};

const rt_load_class rt_load_class_contact = {
    .kind = {"contact", RT_LOAD_CONTACT, LOAD_FIELDS(contact_fields),
             .doc = "A sphere that may touch a plane or another sphere."},
    .n_functions = 6,
    .all_functions = true,
    .resolved = true,
    .between_bodies = true,
    .evaluate = rt_components_load,
    .unit = rt_components_unit,
    .picture = RT_PICTURE_PLAIN,
    .sample_parameters = "R: 1.6, k: 30, n: 1.5, d: 0.2, mu: 0.3, v: 0.4",
    .sample = "between: [i, ground], radius: R, stiffness: k, exponent: n, damping: d, "
              "static_coefficient: mu, stiction_velocity: v",
};

const rt_load_class rt_load_class_limit = {
    .kind = {"limit", RT_LOAD_LIMIT, LOAD_FIELDS(limit_fields), .one_of = {"lower", "upper"},
             .doc = "Stops of a joint's coordinate."},
    .n_functions = 6,
    .all_functions = true,
    .resolved = true,
    .between_bodies = true,
    .evaluate = rt_components_load,
    .unit = rt_components_unit,
    .picture = RT_PICTURE_PLAIN,
    .sample_parameters = "q: 0.5, k: 30, d: 0.2",
    .sample = "joint: h, coordinate: rz, lower: q, stiffness: k, exponent: 2, damping: d",
};
