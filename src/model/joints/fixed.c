/* Two markers are one. */
#include "model/joints/class.h"

static const rt_field fixed_fields[] = {
    JOINT_TYPE,
    JOINT_BETWEEN,
    JOINT_AT,
    JOINT_CUT,
};

const rt_joint_class rt_joint_class_fixed = {
    .kind = {"fixed", 0, FIELDS(fixed_fields), .doc = "No relative motion."},
    .rows = {ROW_POINTS, ROW_PARALLEL, ROW_NO_TURN},
    .chain = {true, 0, {{0}}},
    .picture = "block",
    .sample = "x: {type: fixed, between: [i, j]}",
};
