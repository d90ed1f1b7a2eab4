/* Stops of a joint's coordinate, written out as a force or a torque between its markers.
 * Equations: docs/theory/contact-and-friction.md. */
#include "model/contact.h"
#include "model/joint_class.h"

#include "base/vec3.h"
#include "model/scope.h"

static routh_status find_coordinate(const rt_contact_writing *x, const rt_joint *joint, bool *angle)
{
    const bool slides = joint->class->slides, turns = joint->class->turns;
    if (!slides && !turns)
        return rt_reader_fail(x->r, x->w->joint.place,
                              "'%.60s' is of type %s, which has no coordinate to limit; name a "
                              "revolute, translational or cylindrical joint",
                              x->w->joint.text, rt_joint_type_name(joint));
    *angle = x->w->coordinate < 0 ? turns : x->w->coordinate == 1;
    if (*angle ? turns : slides) return ROUTH_OK;
    return rt_reader_fail(x->r, rt_contact_place(x, "coordinate"),
                          "the coordinate %s is not free in '%.60s', which is of type %s; give %s",
                          *angle ? "rz" : "z", x->w->joint.text, rt_joint_type_name(joint),
                          *angle ? "z" : "rz");
}

static routh_status check_ends(const rt_contact_writing *x)
{
    const double ends[2] = {x->w->lower.value, x->w->upper.value};
    const bool given[2] = {rt_contact_has(x, "lower"), rt_contact_has(x, "upper")};
    if (!given[0] || !given[1] || ends[0] < ends[1]) return ROUTH_OK;
    return rt_reader_fail(x->r, rt_contact_place(x, "lower"),
                          "lower is %.6g and upper is %.6g; lower must be below upper", ends[0],
                          ends[1]);
}

/* lower - q and q - upper are the depths, q' with its sign their rates:
 *     Q = F(lower - q, -q') - F(q - upper, q')        along, or about, z */
routh_status rt_expand_limit(const rt_contact_writing *x)
{
    rt_graph *g = x->r->model->graph;
    const rt_joint *joint = NULL;
    int index = 0;
    bool angle = false;
    double z[3];
    routh_status status = rt_contact_joint(x, &joint, &index);
    if (!status) status = find_coordinate(x, joint, &angle);
    if (!status) status = check_ends(x);
    if (!status) status = rt_check_exponent(x);
    if (!status) status = rt_contact_take_unit(x, "lower", angle ? "rad" : "m", &x->w->lower);
    if (!status) status = rt_contact_take_unit(x, "upper", angle ? "rad" : "m", &x->w->upper);
    if (!status) status = rt_contact_take_units(x, angle);
    if (status) return status;
    int sign;
    status = rt_coordinate_sign(x->r, x->w->joint.place, joint,
                                angle ? RT_COORDINATE_RZ : RT_COORDINATE_Z, &sign);
    if (status) return status;
    const int i = joint->markers[0], j = joint->markers[1];
    rt_m3_column(z, joint->triad, 2);
    for (int k = 0; k < 3; k++) z[k] *= sign;
    const rt_vector axis = rt_fixed_axis(j, z);
    const rt_expr q = angle
                          ? rt_signed_expr(x->r, sign, rt_relative_angle(x->r, joint->triad, i, j))
                          : rt_relative_position(x->r, &axis, i, j);
    const rt_expr rate =
        angle ? rt_relative_omega(x->r, &axis, i, j) : rt_relative_velocity(x->r, &axis, i, j);
    if (rt_contact_has(x, "lower")) {
        const rt_expr depth = rt_subtract(g, rt_contact_number(x, x->w->lower), q);
        rt_add_along(x, angle ? 3 : 0, z, rt_compression(x, depth, rt_negate(g, rate)));
    }
    if (rt_contact_has(x, "upper")) {
        const rt_expr depth = rt_subtract(g, q, rt_contact_number(x, x->w->upper));
        rt_add_along(x, angle ? 3 : 0, z, rt_negate(g, rt_compression(x, depth, rate)));
    }
    return rt_finish_components(x);
}
