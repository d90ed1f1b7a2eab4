/* Two directions that stay parallel. */
#include "model/joints/class.h"

static const rt_field parallel_axes_fields[] = {
    JOINT_TYPE,
    JOINT_BETWEEN,
    JOINT_AT,
    JOINT_AXIS("the joint's axis" IN_AXES, RT_AXIS_POLAR),
};

const rt_joint_class rt_joint_class_parallel_axes = {
    .kind = {"parallel_axes", 0, FIELDS(parallel_axes_fields),
             .doc = "The axes of the two markers stay parallel."},
    .rows = {ROW_PARALLEL},
    .has_coordinates = true,
    .coordinate = RT_COORDINATE_RZ,
    .picture = "plain",
    .sample = "x: {type: parallel_axes, between: [i, j]}",
};
