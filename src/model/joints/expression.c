/* A constraint that the user writes. */
#include "model/joints/class.h"

static routh_status expression_read(rt_reader *r, const rt_written_joint *w, rt_joint *joint)
{
    return rt_read_function(r, w->function, "expression", RT_ALLOW_POSITIONS, &joint->function);
}

static const rt_field expression_fields[] = {
    JOINT_TYPE,
    {"expression", RT_FIELD_FUNCTION, JOINT(function), .required = true, .sense = RT_SCALAR,
     .unit = "",
     .doc = "an expression of positions (DM, DX, AX, ...), time and parameters that is kept zero"},
};

const rt_joint_class rt_joint_class_expression = {
    .kind = {"expression", 0, FIELDS(expression_fields), .doc = "A constraint of the user's own."},
    .rows = {ROW(FUNCTION, 0, 0, "the expression is zero")},
    .without_markers = true,
    .picture = "plain",
    .read = expression_read,
    .sample = "x: {type: expression, expression: \"DX(i, j, k)^2*DY(k, j, i) - p*DM(i, far) + "
              "sin(AZ(i, j))*DZ(k, i, j) + 0.56\"}",
};
