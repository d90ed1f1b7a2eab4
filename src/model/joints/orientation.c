/* Two bodies that do not turn relative to each other. */
#include "model/joints/class.h"

static const rt_field orientation_fields[] = {
    JOINT_TYPE,
    JOINT_BETWEEN,
    JOINT_AT,
    JOINT_PLACES_XY,
    JOINT_PLACE_AS("z", 2, "the same along its z axis"),
    JOINT_SPEEDS_XY,
    JOINT_SPEED_AS("vz", 2, "the rate of z"),
    JOINT_CUT,
};

const rt_joint_class rt_joint_class_orientation = {
    .kind = {"orientation", 0, FIELDS(orientation_fields), .doc = "No relative rotation."},
    .rows = {ROW_PARALLEL, ROW_NO_TURN},
    .chain = {true, 3, {STEP_SLIDE(X), STEP_SLIDE(Y), STEP_SLIDE(Z)}},
    .picture = "plain",
    .sample = "x: {type: orientation, between: [i, j]}",
};
