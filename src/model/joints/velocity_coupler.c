/* Rates of joints in proportion. */
#include "model/joints/class.h"

#include "base/vec3.h"

/* The rate of a displacement along an axis a of the second marker, or the angular velocity about
 * it. */
static rt_expr velocity_coupler_rate_of(rt_reader *r, const rt_joint *joint, rt_coordinate which)
{
    const bool angle = which >= RT_COORDINATE_RX;
    const int i = joint->markers[0], j = joint->markers[1];
    rt_vector a = rt_marker_axis(j, 0);
    rt_m3_column(a.local, joint->triad, (int)which - (angle ? RT_COORDINATE_RX : RT_COORDINATE_X));
    return angle ? rt_relative_omega(r, &a, i, j) : rt_relative_velocity(r, &a, i, j);
}

/* sum of ratio_k s_k' = 0 */
static routh_status velocity_coupler_settle(rt_reader *r, const rt_pending_joint *p,
                                            rt_joint *joint)
{
    rt_graph *g = r->model->graph;
    const routh_status status = rt_settle_coupled(r, p, joint);
    if (status) return status;
    rt_expr sum = rt_constant(g, 0);
    for (int k = 0; k < joint->n_coupled; k++) {
        const rt_expr ratio = rt_number_expr(&r->calculator, joint->ratio[k]);
        const rt_expr rate =
            velocity_coupler_rate_of(r, &r->model->joints[joint->coupled[k]], joint->coordinate[k]);
        sum = rt_add(g, sum, rt_multiply(g, ratio, rate));
    }
    return rt_joint_add_function(r, joint, "coupled rates", sum);
}

static const rt_field velocity_coupler_fields[] = {
    JOINT_TYPE,
    JOINT_COUPLED,
    {"ratios", RT_FIELD_RATIOS, JOINT(joint.ratio), .required = true, .sense = RT_READ_LATER,
     .unit = "1, m or 1/m",
     .doc = "one number for each joint: sum of ratio * rate of the coordinate = 0"},
    {"coordinates", RT_FIELD_CHOICES, JOINT(coordinates), .unit = "",
     .fallback = "z for translational joints, rz for others", .choices = rt_coordinate_names,
     .doc = "which coordinate of each joint, in the joint's axes (z is the joint axis); rx, ry, "
            "rz: the angular velocity about that axis"},
};

const rt_joint_class rt_joint_class_velocity_coupler = {
    .kind =
        {"velocity_coupler", 0, FIELDS(velocity_coupler_fields),
         .doc =
             "A linear relation between the rates of the coordinates of two or three joints, such "
             "as gears by velocity; unlike a coupler it keeps no positions."},
    .rows = {ROW_FUNCTIONS},
    .picture = "plain",
    .settle = velocity_coupler_settle,
    .sample =
        "h: {type: revolute, between: [i, j]}, l: {type: revolute, between: [j, k], axis: x}, "
        "x: {type: velocity_coupler, joints: [h, l], ratios: [2, -3*p]}",
};
