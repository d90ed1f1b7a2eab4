/* A disc, a torus or a ball that rolls on a plane. */
#include "model/joints/class.h"

#include <math.h>

#include "base/vec3.h"

static routh_status rolling_check_disc(rt_reader *r, const rt_joint *joint, rt_number radius,
                                       rt_number tube)
{
    rt_number position[3], axes[9];
    double of[2][9], e[3], n[3], across[3];
    if (!(radius.value + tube.value > 0))
        return rt_reader_fail(r, joint->place,
                              "radius and tube_radius are both zero; one of them must be positive");
    if (!(radius.value > 0)) return ROUTH_OK;
    for (int k = 0; k < 2; k++) {
        rt_marker_in_world(r, joint->markers[k], position, axes);
        rt_numbers_values(of[k], axes, 9);
    }
    rt_m3_column(e, of[0], 2);
    rt_m3_column(n, of[1], 2);
    rt_v3_cross(across, n, e);
    if (rt_v3_norm(across) > 1e-9) return ROUTH_OK;
    return rt_reader_fail(r, joint->place,
                          "the axle (z of the first marker) stands along the plane's normal (z of "
                          "the second): the disc lies flat and touches everywhere; rotate one of "
                          "the markers");
}

/* A disc (or the middle of a torus' tube) of radius R, tube radius T, centre c, axle e, on the
 * plane through p with normal n and axes t1, t2. The lowest point of the middle circle is c - R m,
 * m = (n - (n.e) e)/s, s = sqrt(1 - (n.e)^2) = sqrt((t1.e)^2 + (t2.e)^2), the latter exact to the
 * last digit for a disc that lies almost flat, and the contact is T below it, at c + d:
 *     d = -(R m + T n),
 *     contact     n.(c - p) - (R s + T) = 0,
 *     no slip     t.(v + w x d) = 0 for t = t1, t2,
 * v the velocity of c and w the angular velocity, both seen from the plane. From
 * t.(w x d) = w.(d x t) and, e = (e.t1) t1 + (e.t2) t2 + (e.n) n,
 *     t1:  t1.v - (R s + T) t2.w - (R (n.e)(e.t2)/s) n.w
 *     t2:  t2.v + (R s + T) t1.w + (R (n.e)(e.t1)/s) n.w */
static routh_status rolling_settle(rt_reader *r, const rt_pending_joint *p, rt_joint *joint)
{
    (void)p;
    const rt_number radius = rt_joint_number(joint, RT_NUMBER_1),
                    tube = rt_joint_number(joint, RT_NUMBER_2);
    rt_graph *g = r->model->graph;
    const int i = joint->markers[0], j = joint->markers[1];
    const rt_vector e = rt_marker_axis(i, 2), n = rt_marker_axis(j, 2),
                    t[2] = {rt_marker_axis(j, 0), rt_marker_axis(j, 1)};
    const rt_vector c = rt_between_markers(RT_VECTOR_DISPLACEMENT, i, j);
    routh_status status =
        rt_refuse_mirror(r, joint->place, 2, "a rolling joint",
                         "the z axes of its markers would be reversed, and the normal with them");
    if (!status) status = rolling_check_disc(r, joint, radius, tube);
    if (status) return status;
    const rt_expr R = rt_number_expr(&r->calculator, radius);
    const rt_expr T = rt_number_expr(&r->calculator, tube);
    const rt_expr ne = rt_measure_dot(r, &n, &e);
    const rt_expr te[2] = {rt_measure_dot(r, &t[0], &e), rt_measure_dot(r, &t[1], &e)};
    const rt_expr s = rt_function_of(
        g, RT_SQRT, rt_add(g, rt_multiply(g, te[0], te[0]), rt_multiply(g, te[1], te[1])));
    const rt_expr height = rt_add(g, rt_multiply(g, R, s), T);
    const rt_expr lean = rt_divide(g, rt_multiply(g, R, ne), s);
    const rt_expr spin = rt_relative_omega(r, &n, i, j);
    rt_expr slip[2];
    for (int k = 0; k < 2; k++) {
        const int other = 1 - k;
        const rt_expr roll = rt_multiply(g, height, rt_relative_omega(r, &t[other], i, j));
        const rt_expr turn = rt_multiply(g, rt_multiply(g, lean, te[other]), spin);
        const rt_expr sum = rt_add(g, roll, turn), v = rt_relative_velocity(r, &t[k], i, j);
        slip[k] = k ? rt_add(g, v, sum) : rt_subtract(g, v, sum);
    }
    joint->n_position_functions = 1;
    status = rt_joint_add_function(r, joint, "contact",
                                   rt_subtract(g, rt_measure_dot(r, &n, &c), height));
    if (!status) status = rt_joint_add_function(r, joint, "no slip along x", slip[0]);
    return status ? status : rt_joint_add_function(r, joint, "no slip along y", slip[1]);
}

static const rt_field rolling_fields[] = {
    JOINT_TYPE,
    JOINT_BETWEEN_AS(
        "the marker at the disc's centre, its z along the axle; then a marker in the plane, "
        "its z the plane's normal, pointing to the disc's side"),
    {"radius", RT_FIELD_NUMBER, NUMBER(RT_NUMBER_1), .required = true, .range = RT_NOT_NEGATIVE,
     .sense = RT_SCALAR, .unit = "m",
     .doc = "of the thin disc; of a torus, from its centre to the middle of the tube; 0 with a "
            "tube radius: a ball"},
    {"tube_radius", RT_FIELD_NUMBER, NUMBER(RT_NUMBER_2), .range = RT_NOT_NEGATIVE,
     .sense = RT_SCALAR, .unit = "m", .fallback = "0",
     .doc = "of a torus: how far the tube's surface is from its middle"},
};

const rt_joint_class rt_joint_class_rolling = {
    .kind =
        {"rolling", 0, FIELDS(rolling_fields),
         .doc =
             "A thin disc, a torus or a ball rolls on a plane without slip: it touches the plane, "
             "and where it touches, its material has no velocity along the plane's x and y."},
    .rows = {ROW_FUNCTIONS},
    .picture = "plain",
    .settle = rolling_settle,
    .sample = "x: {type: rolling, between: [axle, j], radius: 0.5*p, tube_radius: 0.1}",
};
