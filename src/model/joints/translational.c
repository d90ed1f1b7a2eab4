/* A slide. */
#include "model/joints/class.h"

static const rt_field translational_fields[] = {
    JOINT_TYPE,
    JOINT_BETWEEN,
    JOINT_AT,
    JOINT_AXIS("the joint's axis" IN_AXES, RT_AXIS_POLAR),
    JOINT_DISPLACEMENT(0),
    JOINT_VELOCITY(0),
    JOINT_CUT,
};

const rt_joint_class rt_joint_class_translational = {
    .kind = {"translational", 0, FIELDS(translational_fields),
             .doc = "Displacement along an axis."},
    .rows = {ROW_PARALLEL, ROW_NO_TURN, ROW_ON_LINE},
    .chain = {true, 1, {STEP_SLIDE(Z)}},
    .has_coordinates = true,
    .coordinate = RT_COORDINATE_Z,
    .slides = true,
    .rubs = RT_RUBS_SLIDE,
    .picture = "block",
    .sample = "x: {type: translational, between: [i, j], axis: y}",
};
