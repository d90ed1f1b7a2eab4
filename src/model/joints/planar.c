/* A plate on a plate. */
#include "model/joints/class.h"

static const rt_field planar_fields[] = {
    JOINT_TYPE,      JOINT_BETWEEN,
    JOINT_AT,        JOINT_AXIS("the normal of the plane" IN_AXES, RT_AXIS_POLAR),
    JOINT_PLACES_XY, JOINT_ANGLE(2),
    JOINT_SPEEDS_XY, JOINT_RATE(2),
    JOINT_CUT,
};

const rt_joint_class rt_joint_class_planar = {
    .kind = {"planar", 0, FIELDS(planar_fields), .doc = "Motion in a plane."},
    .rows = {ROW_PARALLEL, ROW_IN_PLANE},
    .chain = {true, 3, {STEP_SLIDE(X), STEP_SLIDE(Y), STEP_TURN(Z)}},
    .has_coordinates = true,
    .coordinate = RT_COORDINATE_RZ,
    .picture = "block",
    .sample = "x: {type: planar, between: [i, j], axis: -y}",
};
