/* A hinge. */
#include "model/joints/class.h"

static const rt_field revolute_fields[] = {
    JOINT_TYPE,     JOINT_BETWEEN, JOINT_AT,  JOINT_AXIS("the joint's axis" IN_AXES, RT_AXIS_AXIAL),
    JOINT_ANGLE(0), JOINT_RATE(0), JOINT_CUT,
};

const rt_joint_class rt_joint_class_revolute = {
    .kind = {"revolute", 0, FIELDS(revolute_fields), .doc = "Rotation about an axis."},
    .rows = {ROW_POINTS, ROW_PARALLEL},
    .chain = {true, 1, {STEP_TURN(Z)}},
    .has_coordinates = true,
    .coordinate = RT_COORDINATE_RZ,
    .turns = true,
    .rubs = RT_RUBS_PIN,
    .picture = "pin",
    .sample = "x: {type: revolute, between: [i, j], axis: [0.2, 0.4, 1]}",
};
