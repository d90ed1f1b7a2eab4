/* Contact of a sphere with a plane or with a sphere, written out as a force and a torque.
 * Equations: docs/theory/contact-and-friction.md. */
#include "model/contact.h"

static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* Vectors of expressions, components in the axes of one marker. */
static rt_expr contact_dot(rt_graph *g, const rt_expr a[3], const rt_expr b[3])
{
    rt_expr sum = rt_multiply(g, a[0], b[0]);
    for (int k = 1; k < 3; k++) sum = rt_add(g, sum, rt_multiply(g, a[k], b[k]));
    return sum;
}

static void contact_cross(rt_graph *g, rt_expr c[3], const rt_expr a[3], const rt_expr b[3])
{
    for (int k = 0; k < 3; k++) {
        const int m = (k + 1) % 3, n = (k + 2) % 3;
        c[k] = rt_subtract(g, rt_multiply(g, a[m], b[n]), rt_multiply(g, a[n], b[m]));
    }
}

/* The force of friction, of the ratio phi and the normal force N: -phi N s. */
static rt_expr pull_of(rt_graph *g, const rt_expr ratio, rt_expr N, rt_expr s)
{
    return rt_negate(g, rt_multiply(g, rt_multiply(g, ratio, N), s));
}

/* Plane through j with normal z: h = z . (r_i - r_j) is the centre's height, p = R - h, and the
 * contact is at -h z from the centre. Seen from j, with t1, t2 along x and y,
 *     s = (t1.v - h t2.w, t2.v + h t1.w),    f = (-phi N s_1, -phi N s_2, N),
 *     torque about the centre  -h z x f = (h f_2, -h f_1, 0). */
static routh_status on_plane(const rt_contact_writing *x, bool rubs, const rt_rubbing *rubbing)
{
    rt_reader *r = x->r;
    rt_graph *g = r->model->graph;
    const int i = x->load->markers[0], j = x->load->markers[1];
    const rt_vector t[3] = {rt_marker_axis(j, 0), rt_marker_axis(j, 1), rt_marker_axis(j, 2)};
    const rt_expr h = rt_relative_position(r, &t[2], i, j);
    const rt_expr depth = rt_subtract(g, rt_contact_number(x, x->w->radius), h);
    const rt_expr N = rt_compression(x, depth, rt_negate(g, rt_relative_velocity(r, &t[2], i, j)));
    rt_expr s[2];
    x->load->resolved_in = j;
    rt_add_along(x, 0, axes[2], N);
    if (!rubs) return rt_finish_components(x);
    s[0] = rt_subtract(g, rt_relative_velocity(r, &t[0], i, j),
                       rt_multiply(g, h, rt_relative_omega(r, &t[1], i, j)));
    s[1] = rt_add(g, rt_relative_velocity(r, &t[1], i, j),
                  rt_multiply(g, h, rt_relative_omega(r, &t[0], i, j)));
    const rt_expr ss = rt_add(g, rt_multiply(g, s[0], s[0]), rt_multiply(g, s[1], s[1]));
    const rt_expr ratio = rt_rubbing_ratio(x, rubbing, ss);
    for (int k = 0; k < 2; k++) {
        const rt_expr f = pull_of(g, ratio, N, s[k]);
        const rt_expr torque = rt_multiply(g, h, f);
        rt_add_along(x, 0, axes[k], f);
        rt_add_along(x, 3, axes[1 - k], k ? torque : rt_negate(g, torque));
    }
    return rt_finish_components(x);
}

/* The line of centres must be there in the configuration as written. */
static routh_status check_centres(const rt_contact_writing *x)
{
    rt_number a[3], b[3], axes_of[9];
    bool same = true;
    rt_marker_in_world(x->r, x->load->markers[0], a, axes_of);
    rt_marker_in_world(x->r, x->load->markers[1], b, axes_of);
    for (int k = 0; k < 3; k++) same = same && a[k].value == b[k].value;
    if (!same) return ROUTH_OK;
    return rt_reader_fail(x->r, x->node->key_place,
                          "the centres of its two spheres are at the same point, so the force has "
                          "no direction; move one of them");
}

/* Two spheres, d = r_i - r_j = D n, p = R_i + R_j - D, the contact at -a_i n from one centre and
 * a_j n from the other, a_i = D R_i/(R_i + R_j), a_j = D - a_i. In the world's axes
 *     s = v - (v.n) n - (a_i w_i + a_j w_j) x n,    v = v_i - v_j,
 *     f = N n - phi N s,    torque about the first centre  -a_i n x f = a_i phi N n x s. */
static routh_status on_sphere(const rt_contact_writing *x, bool rubs, const rt_rubbing *rubbing)
{
    rt_reader *r = x->r;
    rt_graph *g = r->model->graph;
    const int i = x->load->markers[0], j = x->load->markers[1];
    const rt_vector d = rt_between_markers(RT_VECTOR_DISPLACEMENT, i, j);
    const rt_vector v = rt_between_markers(RT_VECTOR_VELOCITY, i, j);
    const rt_expr D = rt_function_of(g, RT_SQRT, rt_measure_dot(r, &d, &d));
    const rt_expr rate = rt_divide(g, rt_measure_dot(r, &v, &d), D);
    const rt_expr R_i = rt_contact_number(x, x->w->radius);
    const rt_expr reach = rt_add(g, R_i, rt_contact_number(x, x->w->other_radius));
    const rt_expr N = rt_compression(x, rt_subtract(g, reach, D), rt_negate(g, rate));
    const rt_expr a_i = rt_multiply(g, D, rt_divide(g, R_i, reach)), a_j = rt_subtract(g, D, a_i);
    rt_expr n[3], W[3], turn[3], s[3], across[3];
    x->load->resolved_in = RT_GROUND;
    for (int k = 0; k < 3; k++) {
        const rt_vector e = rt_marker_axis(RT_GROUND, k);
        n[k] = rt_divide(g, rt_measure_dot(r, &e, &d), D);
        W[k] = rt_add(g, rt_multiply(g, a_i, rt_relative_omega(r, &e, i, RT_GROUND)),
                      rt_multiply(g, a_j, rt_relative_omega(r, &e, j, RT_GROUND)));
        s[k] = rt_subtract(g, rt_measure_dot(r, &e, &v), rt_multiply(g, rate, n[k]));
        rt_add_along(x, 0, axes[k], rt_multiply(g, N, n[k]));
    }
    if (!rubs) return rt_finish_components(x);
    contact_cross(g, turn, W, n);
    for (int k = 0; k < 3; k++) s[k] = rt_subtract(g, s[k], turn[k]);
    contact_cross(g, across, n, s);
    const rt_expr ratio = rt_rubbing_ratio(x, rubbing, contact_dot(g, s, s));
    const rt_expr minus_a = rt_negate(g, a_i);
    for (int k = 0; k < 3; k++) {
        rt_add_along(x, 0, axes[k], pull_of(g, ratio, N, s[k]));
        rt_add_along(x, 3, axes[k], rt_multiply(g, minus_a, pull_of(g, ratio, N, across[k])));
    }
    return rt_finish_components(x);
}

routh_status rt_expand_contact(const rt_contact_writing *x)
{
    rt_rubbing rubbing = {0};
    const bool rubs = rt_contact_has(x, "static_coefficient");
    routh_status status = rt_check_exponent(x);
    if (!status) status = rt_contact_take_units(x, false);
    if (!status && rubs) status = rt_read_rubbing(x, false, &rubbing);
    if (!status && rt_contact_has(x, "other_radius")) status = check_centres(x);
    if (status) return status;
    return rt_contact_has(x, "other_radius") ? on_sphere(x, rubs, &rubbing)
                                             : on_plane(x, rubs, &rubbing);
}
