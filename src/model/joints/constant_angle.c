/* Two directions at an angle that stays. */
#include "model/joints/class.h"

#include <math.h>

#include "base/vec3.h"

/* Along z of the joint's triad in the marker, in the world, as written. */
static void constant_angle_axis(rt_reader *r, const rt_joint *joint, int marker, double axis[3])
{
    rt_number position[3], axes[9];
    double A[9], z[3];
    rt_marker_in_world(r, marker, position, axes);
    rt_numbers_values(A, axes, 9);
    rt_m3_column(z, joint->triad, 2);
    rt_m3_mul_v(axis, A, z);
}

/* Below this sine of the angle its cosine, which is what the row keeps, holds too few digits of it
 * (the error is 1e-16 / sine), and where the axes are parallel the row has no gradient. */
static const double LEAST_SINE = 1e-4;

static routh_status constant_angle_settle(rt_reader *r, const rt_pending_joint *p, rt_joint *joint)
{
    const bool given = rt_joint_number_given(joint, RT_NUMBER_1);
    double a[3], b[3], c[3];
    (void)p;
    if (given && fabs(sin(rt_joint_number(joint, RT_NUMBER_1).value)) < LEAST_SINE)
        return rt_reader_fail(r, joint->place,
                              "axes at an angle of 0 or 180 deg are parallel; use a joint of type "
                              "parallel_axes");
    constant_angle_axis(r, joint, joint->markers[0], a);
    constant_angle_axis(r, joint, joint->markers[1], b);
    rt_v3_cross(c, a, b);
    if (rt_v3_norm(c) > LEAST_SINE) return ROUTH_OK;
    return rt_reader_fail(r, joint->place,
                          "the axes are parallel in the reference configuration, where their angle "
                          "cannot be constrained; %s",
                          given ? "write the bodies with the axes apart, near the angle"
                                : "use a joint of type parallel_axes");
}

static const rt_field constant_angle_fields[] = {
    JOINT_TYPE,
    JOINT_BETWEEN_AS("the two markers"),
    JOINT_AXIS("the axis, the same in both markers:" IN_AXES, RT_AXIS_POLAR),
    {"angle", RT_FIELD_NUMBER, NUMBER(RT_NUMBER_1), .sense = RT_SCALAR, .unit = "rad",
     .fallback = "its value in the reference configuration",
     .doc = "between the two axes; not 0 or 180 deg, which is what parallel_axes keeps"},
};

const rt_joint_class rt_joint_class_constant_angle = {
    .kind = {"constant_angle", 0, FIELDS(constant_angle_fields),
             .doc = "The axes of the two markers keep their angle."},
    .rows = {ROW_WITH(DOT1, Z, Z, "angle between the axes", .keeps = RT_KEEPS_COSINE,
                      .number = RT_NUMBER_1)},
    .picture = "plain",
    .settle = constant_angle_settle,
    .sample = "x: {type: constant_angle, between: [axle, j], angle: (p + 0.8)*60 deg}",
};
