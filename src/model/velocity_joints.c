/* Joints with rows of velocities, as expressions of dot products. */
#include "model/relative.h"

#include <math.h>

#include "base/vec3.h"

static routh_status set_function(rt_reader *r, rt_joint *joint, const char *label, rt_expr e)
{
    const int k = joint->n_functions++;
    joint->functions[k] = (rt_function){e, joint->place};
    joint->labels[k] = label;
    return e < 0 ? rt_fail_memory(r->error) : ROUTH_OK;
}

/* ---- rolling --------------------------------------------------------------------------------- */

static routh_status check_disc(rt_reader *r, const rt_joint *joint, rt_number tube)
{
    rt_number position[3], axes[9];
    double of[2][9], e[3], n[3], across[3];
    if (!(joint->radius.value + tube.value > 0))
        return rt_reader_fail(r, joint->place,
                              "radius and tube_radius are both zero; one of them must be positive");
    if (!(joint->radius.value > 0)) return ROUTH_OK;
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
                          "the second): the disc lies flat and touches everywhere; turn one of "
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
routh_status rt_build_rolling(rt_reader *r, rt_number tube, rt_joint *joint)
{
    rt_graph *g = r->model->graph;
    const int i = joint->markers[0], j = joint->markers[1];
    const rt_vector e = rt_marker_axis(i, 2), n = rt_marker_axis(j, 2),
                    t[2] = {rt_marker_axis(j, 0), rt_marker_axis(j, 1)};
    const rt_vector c = rt_between_markers(RT_VECTOR_DISPLACEMENT, i, j);
    routh_status status = check_disc(r, joint, tube);
    if (status) return status;
    const rt_expr R = rt_number_expr(&r->calculator, joint->radius);
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
    joint->n_functions = 0;
    joint->n_position_functions = 1;
    status = set_function(r, joint, "contact", rt_subtract(g, rt_measure_dot(r, &n, &c), height));
    if (!status) status = set_function(r, joint, "no slip along x", slip[0]);
    return status ? status : set_function(r, joint, "no slip along y", slip[1]);
}

/* ---- knife edge ------------------------------------------------------------------------------ */

routh_status rt_build_knife_edge(rt_reader *r, rt_joint *joint)
{
    const rt_vector y = rt_marker_axis(joint->markers[0], 1);
    joint->n_functions = joint->n_position_functions = 0;
    return set_function(r, joint, "no slip along y",
                        rt_relative_velocity(r, &y, joint->markers[0], joint->markers[1]));
}

/* ---- velocity coupler ------------------------------------------------------------------------ */

/* The rate of a displacement along an axis a of the second marker, or the angular velocity about
 * it. */
static rt_expr velocity_joints_rate_of(rt_reader *r, const rt_joint *joint, rt_coordinate which)
{
    const bool angle = which >= RT_COORDINATE_RX;
    const int i = joint->markers[0], j = joint->markers[1];
    rt_vector a = rt_marker_axis(j, 0);
    rt_m3_column(a.local, joint->triad, (int)which - (angle ? RT_COORDINATE_RX : RT_COORDINATE_X));
    return angle ? rt_relative_omega(r, &a, i, j) : rt_relative_velocity(r, &a, i, j);
}

/* sum of ratio_k s_k' = 0 */
routh_status rt_build_velocity_coupler(rt_reader *r, rt_joint *joint)
{
    rt_graph *g = r->model->graph;
    rt_expr sum = rt_constant(g, 0);
    for (int k = 0; k < joint->n_coupled; k++) {
        const rt_expr ratio = rt_number_expr(&r->calculator, joint->ratio[k]);
        const rt_expr rate =
            velocity_joints_rate_of(r, &r->model->joints[joint->coupled[k]], joint->coordinate[k]);
        sum = rt_add(g, sum, rt_multiply(g, ratio, rate));
    }
    joint->n_functions = joint->n_position_functions = 0;
    return set_function(r, joint, "coupled rates", sum);
}
