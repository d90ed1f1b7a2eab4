/* Two directions that stay perpendicular. */
#include "model/joints/class.h"

static const rt_field perpendicular_axes_fields[] = {
    JOINT_TYPE,
    JOINT_BETWEEN_AS("the two markers"),
    JOINT_AXIS("the axis, the same in both markers:" IN_AXES, RT_AXIS_POLAR),
};

const rt_joint_class rt_joint_class_perpendicular_axes = {
    .kind = {"perpendicular_axes", 0, FIELDS(perpendicular_axes_fields),
             .doc = "The axes of the two markers stay perpendicular."},
    .rows = {ROW(DOT1, Z, Z, "joint axes perpendicular")},
    .picture = "plain",
    .sample = "x: {type: perpendicular_axes, between: [axle, j]}",
};
