/* A point in a plane. */
#include "model/joints/class.h"

static const rt_field inplane_fields[] = {
    JOINT_TYPE,
    JOINT_BETWEEN,
    JOINT_AT,
    JOINT_AXIS(
        "the normal of the plane through the second marker in which the first stays," IN_AXES,
        RT_AXIS_POLAR),
};

const rt_joint_class rt_joint_class_inplane = {
    .kind = {"inplane", 0, FIELDS(inplane_fields), .doc = "A point stays in a plane."},
    .rows = {ROW_IN_PLANE},
    .has_coordinates = true,
    .coordinate = RT_COORDINATE_RZ,
    .picture = "plain",
    .sample = "x: {type: inplane, between: [i, j]}",
};
