/* Coordinates of joints in proportion; a gear is the same by the name usual for two revolutes. */
#include "model/joints/class.h"

static const rt_field coupler_fields[] = {
    JOINT_TYPE,
    JOINT_COUPLED,
    {"ratios", RT_FIELD_RATIOS, JOINT(joint.ratio), .required = true, .sense = RT_READ_LATER,
     .unit = "1, m or 1/m", .doc = "one number for each joint: sum of ratio * coordinate = offset"},
    {"coordinates", RT_FIELD_CHOICES, JOINT(coordinates), .unit = "",
     .fallback = "z for translational joints, rz for others", .choices = rt_coordinate_names,
     .doc = "which coordinate of each joint, in the joint's axes (z is the joint axis)"},
    {"offset", RT_FIELD_NUMBER, NUMBER(RT_NUMBER_1), .sense = RT_SCALAR, .unit = "m or rad",
     .fallback = "its value in the reference configuration", .doc = "sum of ratio * coordinate"},
};

const rt_joint_class rt_joint_class_coupler = {
    .kind = {"coupler", 0, FIELDS(coupler_fields),
             .doc = "A linear relation between the coordinates of two or three joints."},
    .rows = {ROW_WITH(COUPLED, 0, 0, "coupled motions", .keeps = RT_KEEPS_NUMBER,
                      .number = RT_NUMBER_1)},
    .picture = "plain",
    .settle = rt_settle_coupled,
    .sample =
        "h: {type: cylindrical, between: [i, j]}, l: {type: planar, between: [k, i], axis: y}, "
        "n: {type: cylindrical, between: [k, j]}, x: {type: coupler, joints: [h, n, l], "
        "coordinates: [z, rz, x], ratios: [1, 0.4, -3*p]}",
};

const rt_joint_class rt_joint_class_gear = {
    .kind = {"gear", 0, FIELDS(coupler_fields),
             .doc = "The same as a coupler, under the name usual for two revolutes."},
    .alias = &rt_joint_class_coupler,
    .sample =
        "h: {type: revolute, between: [i, j]}, l: {type: revolute, between: [j, k], axis: x}, "
        "x: {type: gear, joints: [h, l], ratios: [20, -31*p]}",
};
