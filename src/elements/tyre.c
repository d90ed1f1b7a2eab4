/* Tyres: the reader writes them out as a force and a torque of the road on the wheel
 * (model/tyre.c), whose six components (rt_scalar) are expressions. */
#include "elements/loads.h"
#include "model/load_fields.h"

#define TYRE(member) offsetof(rt_written_load, tyre.member)

#define TYRE_FIELDS                                                                               \
    {"type", RT_FIELD_TYPE, 0, .required = true, .unit = "", .doc = "the kind of load"},          \
        {"between", RT_FIELD_BETWEEN, LOAD(between), .required = true, .unit = "",                \
         .doc = "the marker at the wheel's centre, its z along the axle; then a marker in the "   \
                "road, its z the road's normal, pointing to the wheel's side"},                   \
        {"radius", RT_FIELD_NUMBER, TYRE(radius), .range = RT_NOT_NEGATIVE,                        \
         .sense = RT_SCALAR, .unit = "m",                                                          \
         .excludes = "preload",                                                                   \
         .doc = "of the thin disc when no load is on it; with a tube_radius, from the wheel's "   \
                "centre to the middle of the tube"},                                              \
        {"preload", RT_FIELD_NUMBER, TYRE(preload), .range = RT_NOT_NEGATIVE,                      \
         .sense = RT_SCALAR, .unit = "N",                                                          \
         .doc = "instead of radius: the normal force in the reference configuration, from "      \
                "which the radius follows"},                                                      \
        {"tube_radius", RT_FIELD_NUMBER, TYRE(tube_radius), .range = RT_NOT_NEGATIVE,             \
         .sense = RT_SCALAR, .unit = "m", .fallback = "0",                                         \
         .doc = "of a torus: half the width of its round tread"},                                  \
        {"stiffness", RT_FIELD_NUMBER, TYRE(stiffness), .required = true, .range = RT_POSITIVE,   \
         .sense = RT_SCALAR, .unit = "N/m", .doc = "radial force per deflection"},                 \
        {"damping", RT_FIELD_NUMBER, TYRE(damping), .range = RT_NOT_NEGATIVE,                      \
         .sense = RT_SCALAR, .unit = "N s/m",                                                      \
         .fallback = "0", .doc = "radial force per rate of the deflection"},                      \
        {"no_tension", RT_FIELD_TRUTH, TYRE(no_tension), .unit = "", .fallback = "false",         \
         .doc = "true: the road pushes only, and where the radial force would pull it is zero"},  \
        {"effective_radius", RT_FIELD_NUMBER, TYRE(effective_radius), .range = RT_POSITIVE,       \
         .sense = RT_SCALAR, .unit = "m", .fallback = "the loaded one",                            \
         .doc = "rolling radius: speed over spin of the free wheel"},                             \
        {"low_speed", RT_FIELD_NUMBER, TYRE(low_speed), .range = RT_POSITIVE,                      \
         .sense = RT_SCALAR, .unit = "m/s",                                                        \
         .fallback = "0.1",                                                                       \
         .doc = "slip is a sliding velocity over the wheel's speed; below this speed over one "   \
                "that does not vanish: half of it plus half the speed's square over it"},         \
        {"relaxation_length", RT_FIELD_NUMBER, TYRE(relaxation_length), .range = RT_POSITIVE,     \
         .sense = RT_SCALAR, .unit = "m", .fallback = "none: the side force follows at once",      \
         .doc = "the distance in which the lateral slip comes up; it is then a state, "           \
                "`name.lateral_slip`"},                                                           \
        {"longitudinal_relaxation_length", RT_FIELD_NUMBER, TYRE(longitudinal_relaxation),        \
         .range = RT_POSITIVE, .sense = RT_SCALAR, .unit = "m", .fallback = "none",                \
         .doc = "the same of the longitudinal slip, `name.longitudinal_slip`"},                   \
        {"drive_force", RT_FIELD_FUNCTION, TYRE(drive_force),                                      \
         .sense = RT_READ_LATER, .unit = "N", .fallback = "none",                                  \
         .doc = "of a wheel whose spin is not in the model: the longitudinal force, as an "  \
                "expression of measures, signals and time"}

static const rt_field tyre_fields[] = {
    TYRE_FIELDS,
    {"cornering_stiffness", RT_FIELD_NUMBER, TYRE(cornering_stiffness), .range = RT_NOT_NEGATIVE,
     .sense = RT_SCALAR, .unit = "N/rad", .fallback = "0",
     .doc = "side force per tangent of the slip angle"},
    {"cornering_coefficient", RT_FIELD_NUMBER, TYRE(cornering_coefficient),
     .range = RT_NOT_NEGATIVE, .sense = RT_SCALAR, .unit = "1/rad", .fallback = "0",
     .doc = "the same per normal force, added to it"},
    {"camber_stiffness", RT_FIELD_NUMBER, TYRE(camber_stiffness), .range = RT_NOT_NEGATIVE,
     .sense = RT_SCALAR, .unit = "N/rad",
     .fallback = "0",
     .doc = "lateral force per camber angle, to the side of the camber"},
    {"camber_coefficient", RT_FIELD_NUMBER, TYRE(camber_coefficient), .range = RT_NOT_NEGATIVE,
     .sense = RT_SCALAR, .unit = "1/rad", .fallback = "0",
     .doc = "the same per normal force, added to it"},
    {"slip_stiffness", RT_FIELD_NUMBER, TYRE(slip_stiffness), .range = RT_NOT_NEGATIVE,
     .sense = RT_SCALAR, .unit = "N",
     .fallback = "0", .doc = "longitudinal force per longitudinal slip"},
    {"slip_coefficient", RT_FIELD_NUMBER, TYRE(slip_coefficient), .range = RT_NOT_NEGATIVE,
     .sense = RT_SCALAR, .unit = RT_UNIT_NONE, .fallback = "0",
     .doc = "the same per normal force, added to it"},
    {"trail", RT_FIELD_NUMBER, TYRE(trail), .sense = RT_SCALAR, .unit = "m", .fallback = "0",
     .doc = "pneumatic trail: how far behind the contact point the side force acts"}};

#define CURVE_FIELDS(w)                                                                           \
    {"stiffness_coefficient", RT_FIELD_NUMBER, TYRE(curve[w].stiffness), .required = true,        \
     .range = RT_POSITIVE, .sense = RT_SCALAR, .unit = "1/rad or 1",                               \
     .doc = "slope B C D of the curve at no slip, per normal force, under a small normal force"}, \
        {"peak_load", RT_FIELD_NUMBER, TYRE(curve[w].peak_load), .range = RT_POSITIVE,            \
         .sense = RT_SCALAR, .unit = "N",                                                          \
         .fallback = "none: the slope is proportional to the normal force",                        \
         .doc = "the normal force at which the slope is largest"},                                \
        {"friction", RT_FIELD_NUMBER, TYRE(curve[w].friction), .required = true,                  \
         .range = RT_POSITIVE, .sense = RT_SCALAR, .unit = RT_UNIT_NONE,                           \
         .doc = "height D of the curve's peak, per normal force, under a small normal force"},    \
        {"friction_slope", RT_FIELD_NUMBER, TYRE(curve[w].friction_slope),                         \
         .sense = RT_SCALAR, .unit = "1/N",                                                        \
         .fallback = "0", .doc = "its change with the normal force"},                             \
        {"shape", RT_FIELD_NUMBER, TYRE(curve[w].shape), .required = true, .range = RT_POSITIVE,  \
         .sense = RT_SCALAR, .unit = RT_UNIT_NONE, .doc = "C"},                                    \
        {"curvature", RT_FIELD_NUMBER, TYRE(curve[w].curvature),                                   \
         .sense = RT_SCALAR, .unit = RT_UNIT_NONE, .fallback = "0",                                \
         .doc = "E, under a small normal force"},                                                 \
    {                                                                                             \
        "curvature_slope", RT_FIELD_NUMBER, TYRE(curve[w].curvature_slope),                        \
        .sense = RT_SCALAR, .unit = "1/N",                                                         \
        .fallback = "0", .doc = "its change with the normal force"                                \
    }

static const rt_field lateral_fields[] = {
    CURVE_FIELDS(RT_TYRE_LATERAL),
    {"camber_shift", RT_FIELD_NUMBER, TYRE(camber_shift),
     .sense = RT_SCALAR, .unit = "1/rad", .fallback = "0",
     .doc = "lateral slip equivalent to camber, per radian"},
    {"trail", RT_FIELD_NUMBER, TYRE(trail), .sense = RT_SCALAR, .unit = "m", .fallback = "0",
     .doc = "pneumatic trail at no slip"},
    {"trail_shape", RT_FIELD_NUMBER, TYRE(trail_shape), .range = RT_NOT_NEGATIVE,
     .sense = RT_SCALAR, .unit = RT_UNIT_NONE,
     .fallback = "0", .doc = "C of the trail's cosine; 0: the trail does not change"},
    {"trail_stiffness", RT_FIELD_NUMBER, TYRE(trail_stiffness), .range = RT_NOT_NEGATIVE,
     .sense = RT_SCALAR, .unit = "1/rad", .fallback = "0", .doc = "B of the trail's cosine"}};
static const rt_field longitudinal_fields[] = {CURVE_FIELDS(RT_TYRE_LONGITUDINAL)};
static const rt_kind lateral_kind[] = {
    {"lateral", 0, LOAD_FIELDS(lateral_fields), .doc = "The curve of the side force."}};
static const rt_kind longitudinal_kind[] = {{"longitudinal", 0, LOAD_FIELDS(longitudinal_fields),
                                             .doc = "The curve of the longitudinal force."}};
static const rt_section lateral_group = {"lateral", "lateral", lateral_kind, 1, .doc = ""};
static const rt_section longitudinal_group = {"longitudinal", "longitudinal", longitudinal_kind, 1,
                                              .doc = ""};

static const rt_field magic_fields[] = {
    TYRE_FIELDS,
    {"lateral", RT_FIELD_GROUP, 0, .required = true, .unit = "",
     .doc = "the curve of the side force over the tangent of the slip angle",
     .inside = &lateral_group},
    {"longitudinal", RT_FIELD_GROUP, 0, .unit = "", .fallback = "none: no longitudinal slip",
     .doc = "the curve of the longitudinal force over the longitudinal slip",
     .inside = &longitudinal_group}};

#define TYRE_STATES                                                                               \
    {                                                                                             \
        {"longitudinal_relaxation_length", "longitudinal_slip"},                                  \
        {                                                                                         \
            "relaxation_length", "lateral_slip"                                                   \
        }                                                                                         \
    }

const rt_load_class rt_load_class_tyre = {
    .kind = {"tyre", RT_LOAD_TYRE, LOAD_FIELDS(tyre_fields), .one_of = {"radius", "preload"},
             .doc = "A tyre on a flat road: a radial spring, and forces that are linear in slip "
                    "and camber."},
    .n_functions = 6,
    .all_functions = true,
    .resolved = true,
    .between_bodies = true,
    .states = TYRE_STATES,
    .kink_field = "no_tension",
    .evaluate = rt_components_load,
    .unit = rt_components_unit,
    .picture = RT_PICTURE_PLAIN,
    .sample_parameters = "R: 0.8, k: 5, c: 0.4, C: 5, s: 0.3",
    .sample = "between: [axle, ground], radius: R, stiffness: k, damping: c, "
              "cornering_stiffness: C, camber_coefficient: 0.2, slip_stiffness: 2*C, "
              "relaxation_length: s, trail: 0.02",
};

const rt_load_class rt_load_class_magic_formula_tyre = {
    .kind = {"magic_formula_tyre", RT_LOAD_MAGIC_TYRE, LOAD_FIELDS(magic_fields),
             .one_of = {"radius", "preload"},
             .doc = "The same with the magic formula, D sin(C atan(Bx - E(Bx - atan Bx))), for the "
                    "lateral and the longitudinal force."},
    .n_functions = 6,
    .all_functions = true,
    .resolved = true,
    .between_bodies = true,
    .states = TYRE_STATES,
    .kink_field = "no_tension",
    .evaluate = rt_components_load,
    .unit = rt_components_unit,
    .picture = RT_PICTURE_PLAIN,
    .sample_parameters = "R: 0.8, k: 5, c: 0.4, b: 4, d: 0.9",
    .sample = "between: [axle, ground], radius: R, stiffness: k, damping: c, "
              "lateral: {stiffness_coefficient: b, friction: d, shape: 1.3, curvature: -0.4}, "
              "longitudinal: {stiffness_coefficient: 2*b, friction: d, shape: 1.4}",
};
