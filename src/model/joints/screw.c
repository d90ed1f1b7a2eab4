/* A nut on a thread. */
#include "model/joints/class.h"

static const rt_field screw_fields[] = {
    JOINT_TYPE,
    JOINT_BETWEEN,
    JOINT_AT,
    JOINT_AXIS("the screw's axis" IN_AXES, RT_AXIS_AXIAL),
    {"pitch", RT_FIELD_NUMBER, NUMBER(RT_NUMBER_1), .required = true, .sense = RT_PSEUDOSCALAR,
     .unit = "m",
     .doc = "advance along the axis in one revolution; negative for a left-hand thread"},
    JOINT_ANGLE(0),
    JOINT_RATE(0),
    JOINT_CUT,
};

const rt_joint_class rt_joint_class_screw = {
    .kind = {"screw", 0, FIELDS(screw_fields),
             .doc = "Rotation about an axis with an advance along it."},
    .rows = {ROW_PARALLEL, ROW_ON_LINE,
             ROW_WITH(SUM, 0, 0, "advance tied to rotation", .keeps = RT_KEEPS_NUMBER,
                      .number = RT_NO_NUMBER,
                      .term = {{RT_COORDINATE_Z, 1, RT_NO_NUMBER, 0},
                               {RT_COORDINATE_RZ, -1, RT_NUMBER_1, RT_TWO_PI}})},
    .chain = {true, 1, {{RT_STEP_SCREW, Z}}},
    .has_coordinates = true,
    .coordinate = RT_COORDINATE_RZ,
    .picture = "sleeve",
    .sample = "x: {type: screw, between: [i, j], pitch: 0.4*p}",
};
