/* A ball in a socket. */
#include "model/joints/class.h"

static const rt_field spherical_fields[] = {
    JOINT_TYPE,
    JOINT_BETWEEN,
    JOINT_AT,
    {"orientation", RT_FIELD_ORIENTATION, JOINT(start.turn), .sense = RT_LOCAL_ATTITUDE, .unit = "",
     .fallback = "none",
     .doc = "how the first marker's axes stand in the second's at the beginning"},
    {"angular_velocity", RT_FIELD_VECTOR, JOINT(start.turn_rate), .sense = RT_READ_LATER,
     .unit = "rad/s", .fallback = "none",
     .doc = "of the first marker relative to the second at the beginning, in the second's axes"},
    JOINT_CUT,
};

const rt_joint_class rt_joint_class_spherical = {
    .kind = {"spherical", 0, FIELDS(spherical_fields),
             .doc = "A ball joint: the two points coincide."},
    .rows = {ROW_POINTS},
    .chain = {true, 1, {STEP_BALL}},
    .has_coordinates = true,
    .coordinate = RT_COORDINATE_RZ,
    .rubs = RT_RUBS_BALL,
    .picture = "ball",
    .sample = "x: {type: spherical, between: [i, j]}",
};
