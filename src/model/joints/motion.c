/* A prescribed motion. */
#include "model/joints/class.h"

static const char motion_unit[] = "m or rad";

/* Along a coordinate of the joint that is driven, or of two markers, which says what the function
 * is: a displacement or an angle. */
static routh_status motion_settle(rt_reader *r, const rt_pending_joint *p, rt_joint *joint)
{
    int sign;
    if (rt_is_given(p->kind, p->given, "along")) joint->coordinate[0] = (rt_coordinate)p->along;
    const bool angle = joint->coordinate[0] >= RT_COORDINATE_RX;
    const rt_yaml *node = rt_yaml_find(p->node, "function");
    routh_status status = rt_read_function_in(r, node, "function", angle ? "rad" : "m",
                                              RT_ALLOW_TIME, &joint->function);
    if (status) return status;
    const rt_joint *of = joint->n_coupled ? &r->model->joints[joint->coupled[0]] : joint;
    status = rt_coordinate_sign(r, p->node->key_place, of, joint->coordinate[0], &sign);
    if (status) return status;
    joint->function.expr = rt_signed_expr(r, sign, joint->function.expr);
    return joint->function.expr < 0 ? rt_fail_memory(r->error) : ROUTH_OK;
}

static const rt_field motion_fields[] = {
    JOINT_TYPE,
    {"joint", RT_FIELD_JOINT, JOINT(on_joint), .unit = "", .excludes = "between",
     .doc = "the joint it drives; `along` then counts in the joint's axes (z is the joint axis)"},
    {"between", RT_FIELD_BETWEEN, JOINT(between), .unit = "", .needs = "along",
     .doc = "instead of joint: the two markers it drives, the first relative to the second"},
    {"along", RT_FIELD_CHOICE, JOINT(along), .unit = "", .choices = rt_coordinate_names,
     .fallback = "z on translational joints, rz on others",
     .doc = "displacement along an axis of the second marker (x, y, z) or rotation about it "
            "(rx, ry, rz)"},
    {"function", RT_FIELD_FUNCTION, JOINT(function), .required = true, .sense = RT_READ_LATER,
     .unit = motion_unit, .doc = "the coordinate as an expression of time, parameters and inputs"},
};

const rt_joint_class rt_joint_class_motion = {
    .kind = {"motion", 0, FIELDS(motion_fields), .one_of = {"joint", "between"},
             .doc = "A coordinate is driven as a function of time."},
    .rows = {ROW(DRIVEN, 0, 0, "prescribed motion")},
    .drives = true,
    .picture = "ring",
    .settle = motion_settle,
    .sample = "x: {type: motion, between: [i, j], along: x, function: p*time^3}",
};
