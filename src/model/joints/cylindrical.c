/* A sleeve on a shaft. */
#include "model/joints/class.h"

static const rt_field cylindrical_fields[] = {
    JOINT_TYPE,
    JOINT_BETWEEN,
    JOINT_AT,
    JOINT_AXIS("the joint's axis" IN_AXES, RT_AXIS_AXIAL),
    JOINT_ANGLE(1),
    JOINT_RATE(1),
    JOINT_DISPLACEMENT(0),
    JOINT_VELOCITY(0),
    JOINT_CUT,
};

const rt_joint_class rt_joint_class_cylindrical = {
    .kind = {"cylindrical", 0, FIELDS(cylindrical_fields),
             .doc = "Rotation about an axis and displacement along it."},
    .rows = {ROW_PARALLEL, ROW_ON_LINE},
    .chain = {true, 2, {STEP_SLIDE(Z), STEP_TURN(Z)}},
    .has_coordinates = true,
    .coordinate = RT_COORDINATE_RZ,
    .slides = true,
    .turns = true,
    .rubs = RT_RUBS_SLEEVE,
    .picture = "sleeve",
    .sample = "x: {type: cylindrical, between: [i, j]}",
};
