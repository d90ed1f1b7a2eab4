/* A ball in a socket. */
#include "model/joints/class.h"

static const rt_field spherical_fields[] = {
    JOINT_TYPE,
    JOINT_BETWEEN,
    JOINT_AT,
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
