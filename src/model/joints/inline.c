/* A point on a line. */
#include "model/joints/class.h"

static const rt_field inline_fields[] = {
    JOINT_TYPE,
    JOINT_BETWEEN,
    JOINT_AT,
    JOINT_AXIS("the line through the second marker on which the first stays," IN_AXES,
               RT_AXIS_POLAR),
};

const rt_joint_class rt_joint_class_inline = {
    .kind = {"inline", 0, FIELDS(inline_fields), .doc = "A point stays on a line."},
    .rows = {ROW_ON_LINE},
    .has_coordinates = true,
    .coordinate = RT_COORDINATE_Z,
    .picture = "plain",
    .sample = "x: {type: inline, between: [i, j]}",
};
