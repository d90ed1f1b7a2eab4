/* A cross between two shafts. */
#include "model/joints/class.h"

static const rt_field universal_fields[] = {
    JOINT_TYPE,
    JOINT_BETWEEN,
    JOINT_AT,
    JOINT_AXIS("the direction of the shafts" IN_AXES, RT_AXIS_AXIAL),
    JOINT_ANGLE_AS(
        "angle_y", 0,
        "rotation of the cross about its leg in the second marker, the joint's y," AT_FIRST
        "zero where the markers' axes agree"),
    JOINT_ANGLE_AS(
        "angle_x", 1,
        "rotation of the first marker about its leg of the cross, the joint's x, likewise"),
    JOINT_RATE_AS("rate_y", 0, "the rate of angle_y"),
    JOINT_RATE_AS("rate_x", 1, "the rate of angle_x"),
    JOINT_CUT,
};

const rt_joint_class rt_joint_class_universal = {
    .kind = {"universal", 0, FIELDS(universal_fields),
             .doc =
                 "A cross between two shafts: one leg along the joint's x in the first marker, the "
                 "other along its y in the second; the shafts lie along the axis, z, when "
                 "straight. x follows from the axis: along z or -z it is the axis x, along x or "
                 "-x the axis y, along y or -y the axis z; of another direction x is the part "
                 "across it of the axis x, y or z farthest from it, of equally far ones the "
                 "first; y is across both, so that x, y, z are right-handed. Give markers where "
                 "the cross is to lie otherwise."},
    .rows = {ROW_POINTS, ROW(DOT1, X, Y, "cross pins perpendicular")},
    .chain = {true, 2, {STEP_TURN(Y), STEP_TURN(X)}},
    .has_coordinates = true,
    .coordinate = RT_COORDINATE_RZ,
    .rubs = RT_RUBS_CROSS,
    .picture = "ball",
    .sample = "x: {type: universal, between: [i, j], axis: x}",
};
