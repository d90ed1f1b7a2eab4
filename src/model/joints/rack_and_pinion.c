/* A rack along a pinion. */
#include "model/joints/class.h"

static routh_status rack_and_pinion_settle(rt_reader *r, const rt_pending_joint *p, rt_joint *joint)
{
    const rt_joint_class *classes[2] = {r->model->joints[joint->coupled[0]].class,
                                        r->model->joints[joint->coupled[1]].class};
    if (joint->n_coupled != 2)
        return rt_reader_fail(r, p->names[2].place,
                              "joints must name two: the rack's translational joint and the "
                              "pinion's revolute joint");
    if (!classes[0]->slides)
        return rt_reader_fail(r, p->names[0].place,
                              "the first joint must be the rack's, translational or cylindrical");
    if (!classes[1]->turns)
        return rt_reader_fail(r, p->names[1].place,
                              "the second joint must be the pinion's, revolute or cylindrical");
    joint->coordinate[0] = RT_COORDINATE_Z;
    joint->coordinate[1] = RT_COORDINATE_RZ;
    int sign[2];
    for (int k = 0; k < 2; k++) {
        const routh_status status =
            rt_coordinate_sign(r, p->names[k].place, &r->model->joints[joint->coupled[k]],
                               joint->coordinate[k], &sign[k]);
        if (status) return status;
    }
    joint->number[RT_NUMBER_2 - 1] =
        rt_signed(r, sign[0] * sign[1], joint->number[RT_NUMBER_2 - 1]);
    joint->number[RT_NUMBER_1 - 1] = rt_signed(r, sign[0], joint->number[RT_NUMBER_1 - 1]);
    return ROUTH_OK;
}

static const rt_field rack_and_pinion_fields[] = {
    JOINT_TYPE,
    {"joints", RT_FIELD_JOINTS, JOINT(joints), .required = true, .unit = "",
     .doc = "the rack's translational joint, then the pinion's revolute joint"},
    {"radius", RT_FIELD_NUMBER, NUMBER(RT_NUMBER_2), .required = true, .range = RT_NOT_ZERO,
     .sense = RT_READ_LATER, .unit = "m",
     .doc = "of the pinion; negative when the rack moves the other way"},
    {"offset", RT_FIELD_NUMBER, NUMBER(RT_NUMBER_1), .sense = RT_READ_LATER, .unit = "m",
     .fallback = "its value in the reference configuration",
     .doc = "rack displacement - radius * pinion angle = offset"},
};

const rt_joint_class rt_joint_class_rack_and_pinion = {
    .kind = {"rack_and_pinion", 0, FIELDS(rack_and_pinion_fields),
             .doc = "A rack's displacement tied to a pinion's rotation."},
    .rows = {ROW_WITH(
        COUPLED, 0, 0, "rack rolls on pinion", .keeps = RT_KEEPS_NUMBER, .number = RT_NUMBER_1,
        .term = {{RT_COORDINATE_Z, 1, RT_NO_NUMBER, 0}, {RT_COORDINATE_RZ, -1, RT_NUMBER_2, 0}})},
    .picture = "plain",
    .settle = rack_and_pinion_settle,
    .sample =
        "h: {type: translational, between: [i, k], axis: x}, l: {type: revolute, between: [j, k]}, "
        "x: {type: rack_and_pinion, joints: [h, l], radius: 0.4*p}",
};
