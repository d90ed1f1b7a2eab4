/* Two shafts with one speed. */
#include "model/joints/class.h"

static const rt_field constant_velocity_fields[] = {
    JOINT_TYPE,
    JOINT_BETWEEN,
    JOINT_AT,
    JOINT_AXIS("the direction of the shafts" IN_AXES, RT_AXIS_POLAR),
};

const rt_joint_class rt_joint_class_constant_velocity = {
    .kind = {"constant_velocity", 0, FIELDS(constant_velocity_fields),
             .doc = "Two shafts that rotate alike at any angle between them."},
    .rows = {ROW_POINTS, ROW(SYMMETRY, X, Y, "equal rotation of both shafts")},
    .has_coordinates = true,
    .coordinate = RT_COORDINATE_RZ,
    .picture = "ball",
    .sample = "x: {type: constant_velocity, between: [i, j]}",
};
