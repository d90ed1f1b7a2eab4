/* A massless rod between two balls. */
#include "model/joints/class.h"

static const rt_field rod_fields[] = {
    JOINT_TYPE,
    JOINT_BETWEEN_AS("the two markers whose distance it keeps"),
    {"length", RT_FIELD_NUMBER, NUMBER(RT_NUMBER_1), .required = true, .range = RT_POSITIVE,
     .sense = RT_SCALAR, .unit = "m", .doc = "the distance"},
};

const rt_joint_class rt_joint_class_rod = {
    .kind = {"rod", 0, FIELDS(rod_fields), .doc = "A massless link with a ball at either end."},
    .rows = {ROW_WITH(DISTANCE, 0, 0, "distance of the ends", .keeps = RT_KEEPS_NUMBER,
                      .number = RT_NUMBER_1)},
    .picture = "rod",
    .sample = "x: {type: rod, between: [i, far], length: p + 0.1}",
};
