/* Friction of a joint, written out as a force and a torque between its markers.
 * Equations: docs/theory/contact-and-friction.md. */
#include "model/contact.h"
#include "model/joint_class.h"

#include "base/vec3.h"

/* A joint that rubs. */
typedef struct rubbing_joint {
    const rt_contact_writing *x;
    const rt_joint *joint;
    int index, i, j; /* markers */
    bool level;
    rt_rubbing law;
    rt_expr radius;
} rubbing_joint;

/* ---- the force that presses ------------------------------------------------------------------ */

/* sqrt(a.a + eps^2) */
static rt_expr smooth_norm(const rubbing_joint *f, const rt_expr *a, int n)
{
    rt_graph *g = f->x->r->model->graph;
    const rt_expr eps = rt_contact_number(f->x, f->x->w->smoothing);
    rt_expr sum = rt_multiply(g, eps, eps);
    for (int k = 0; k < n; k++) sum = rt_add(g, sum, rt_multiply(g, a[k], a[k]));
    return rt_function_of(g, RT_SQRT, sum);
}

static rt_expr reaction(const rubbing_joint *f, bool torque, const rt_vector *axis)
{
    return rt_reaction_along(f->x->r, f->index, torque, axis);
}

/* A bearing about the third axis: |F| of the force across it or, where it has a length L, of the
 * two forces at its ends that make the same force and moment,
 *     R = (F_1/2 +- M_2/L, F_2/2 -+ M_1/L). */
static rt_expr bearing_force(const rubbing_joint *f, const rt_vector axis[3])
{
    rt_graph *g = f->x->r->model->graph;
    rt_expr F[2], end[2], sum = RT_NO_EXPR;
    for (int k = 0; k < 2; k++) F[k] = reaction(f, false, &axis[k]);
    if (!rt_contact_has(f->x, "length")) return smooth_norm(f, F, 2);
    const rt_expr half = rt_constant(g, 0.5), L = rt_contact_number(f->x, f->x->w->length);
    const rt_expr pair[2] = {rt_divide(g, reaction(f, true, &axis[1]), L),
                             rt_negate(g, rt_divide(g, reaction(f, true, &axis[0]), L))};
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < 2; k++) {
            const rt_expr share = rt_multiply(g, half, F[k]);
            end[k] = side ? rt_subtract(g, share, pair[k]) : rt_add(g, share, pair[k]);
        }
        const rt_expr R = smooth_norm(f, end, 2);
        sum = side ? rt_add(g, sum, R) : R;
    }
    return sum;
}

/* N: the preload and, unless it is said not to, what the joint's reaction adds. */
static rt_expr pressed(const rubbing_joint *f, rt_expr by_reaction)
{
    const rt_expr preload = rt_contact_number(f->x, f->x->w->preload);
    return f->x->w->reaction ? rt_add(f->x->r->model->graph, preload, by_reaction) : preload;
}

/* ---- the force that resists ------------------------------------------------------------------ */

/* phi N, N = 1 for a level; and phi N + c: what the slip is multiplied by. */
static rt_expr dry(const rubbing_joint *f, rt_expr N, rt_expr slip_squared)
{
    const rt_expr phi = rt_rubbing_ratio(f->x, &f->law, slip_squared);
    return f->level ? phi : rt_multiply(f->x->r->model->graph, phi, N);
}

static rt_expr resistance(const rubbing_joint *f, rt_expr N, rt_expr slip_squared)
{
    return rt_add(f->x->r->model->graph, dry(f, N, slip_squared),
                  rt_contact_number(f->x, f->x->w->viscous));
}

static rt_expr friction_square(const rubbing_joint *f, rt_expr a)
{
    return rt_multiply(f->x->r->model->graph, a, a);
}

/* r^2 w, (r w)^2, and -(phi N + c) r^2 w: the torque about an axis that is turned with w, the slip
 * being r w. */
static rt_expr friction_arm_of(const rubbing_joint *f, rt_expr r, rt_expr w)
{
    return rt_multiply(f->x->r->model->graph, friction_square(f, r), w);
}

static rt_expr friction_slip_of(const rubbing_joint *f, rt_expr r, rt_expr w)
{
    return friction_square(f, rt_multiply(f->x->r->model->graph, r, w));
}

static rt_expr turning(const rubbing_joint *f, rt_expr N, rt_expr w)
{
    rt_graph *g = f->x->r->model->graph;
    const rt_expr c = resistance(f, N, friction_slip_of(f, f->radius, w));
    return rt_negate(g, rt_multiply(g, c, friction_arm_of(f, f->radius, w)));
}

static void joint_axes(const rubbing_joint *f, rt_vector axis[3])
{
    for (int k = 0; k < 3; k++) axis[k] = rt_triad_axis(f->j, f->joint->triad, k);
}

static rt_expr N_of_bearing(const rubbing_joint *f, const rt_vector axis[3])
{
    if (f->level) return RT_NO_EXPR;
    return pressed(f, f->x->w->reaction ? bearing_force(f, axis) : RT_NO_EXPR);
}

/* Rotation about z; the force along z presses a shoulder of its own radius. */
static void revolute(const rubbing_joint *f)
{
    const rt_contact_writing *x = f->x;
    rt_graph *g = x->r->model->graph;
    rt_vector axis[3];
    joint_axes(f, axis);
    const rt_expr w = rt_relative_omega(x->r, &axis[2], f->i, f->j);
    rt_add_along(x, 3, axis[2].local, turning(f, N_of_bearing(f, axis), w));
    if (!rt_contact_has(x, "thrust_radius")) return;
    const rt_expr r = rt_contact_number(x, x->w->thrust_radius);
    const rt_expr thrust = reaction(f, false, &axis[2]);
    const rt_expr c = dry(f, smooth_norm(f, &thrust, 1), friction_slip_of(f, r, w));
    rt_add_along(x, 3, axis[2].local, rt_negate(g, rt_multiply(g, c, friction_arm_of(f, r, w))));
}

/* Displacement along z; a torque about z is carried at the radius, if one is given. */
static void translational(const rubbing_joint *f)
{
    const rt_contact_writing *x = f->x;
    rt_graph *g = x->r->model->graph;
    rt_vector axis[3];
    joint_axes(f, axis);
    const rt_expr v = rt_relative_velocity(x->r, &axis[2], f->i, f->j);
    rt_expr N = N_of_bearing(f, axis);
    if (!f->level && x->w->reaction && rt_contact_has(x, "radius")) {
        const rt_expr twist = rt_divide(g, reaction(f, true, &axis[2]), f->radius);
        N = rt_add(g, N, smooth_norm(f, &twist, 1));
    }
    const rt_expr c = resistance(f, N, friction_square(f, v));
    rt_add_along(x, 0, axis[2].local, rt_negate(g, rt_multiply(g, c, v)));
}

/* The slip has two parts, v along z and r w about it. */
static void cylindrical(const rubbing_joint *f)
{
    const rt_contact_writing *x = f->x;
    rt_graph *g = x->r->model->graph;
    rt_vector axis[3];
    joint_axes(f, axis);
    const rt_expr v = rt_relative_velocity(x->r, &axis[2], f->i, f->j);
    const rt_expr w = rt_relative_omega(x->r, &axis[2], f->i, f->j),
                  rr = friction_square(f, f->radius);
    const rt_expr ss = rt_add(g, friction_square(f, v), rt_multiply(g, rr, friction_square(f, w)));
    const rt_expr c = resistance(f, N_of_bearing(f, axis), ss);
    rt_add_along(x, 0, axis[2].local, rt_negate(g, rt_multiply(g, c, v)));
    rt_add_along(x, 3, axis[2].local, rt_negate(g, rt_multiply(g, c, rt_multiply(g, rr, w))));
}

/* t = -(phi N + c) r^2 w, w the relative angular velocity, N of the whole force. */
static void spherical(const rubbing_joint *f)
{
    const rt_contact_writing *x = f->x;
    rt_graph *g = x->r->model->graph;
    const rt_vector omega = rt_between_markers(RT_VECTOR_OMEGA, f->i, f->j);
    rt_vector axis[3];
    rt_expr F[3], N = RT_NO_EXPR;
    joint_axes(f, axis);
    for (int k = 0; k < 3 && x->w->reaction && !f->level; k++) F[k] = reaction(f, false, &axis[k]);
    if (!f->level) N = pressed(f, x->w->reaction ? smooth_norm(f, F, 3) : RT_NO_EXPR);
    const rt_expr rr = friction_square(f, f->radius);
    const rt_expr ss = rt_multiply(g, rr, rt_measure_dot(x->r, &omega, &omega));
    const rt_expr c = rt_multiply(g, resistance(f, N, ss), rr);
    for (int k = 0; k < 3; k++)
        rt_add_along(x, 3, axis[k].local,
                     rt_negate(g, rt_multiply(g, c, rt_measure_dot(x->r, &axis[k], &omega))));
}

/* The cross turns about its legs, x of the first marker and y of the second, in whose axes x has
 * the components x . e_k. */
static void universal(const rubbing_joint *f)
{
    const rt_contact_writing *x = f->x;
    rt_graph *g = x->r->model->graph;
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int leg = 0; leg < 2; leg++) {
        const int marker = leg ? f->j : f->i;
        rt_vector axis[3];
        for (int k = 0; k < 3; k++)
            axis[k] = rt_triad_axis(marker, f->joint->triad, (leg + 1 + k) % 3);
        const rt_expr w = rt_relative_omega(x->r, &axis[2], f->i, f->j);
        const rt_expr torque = turning(f, N_of_bearing(f, axis), w);
        for (int k = 0; k < 3 && !leg; k++) {
            const rt_vector e = rt_marker_axis(f->j, k);
            rt_add_along(x, 3, unit[k], rt_multiply(g, torque, rt_measure_dot(x->r, &axis[2], &e)));
        }
        if (leg) rt_add_along(x, 3, axis[2].local, torque);
    }
}

/* ---- what is given --------------------------------------------------------------------------- */

static routh_status check_joint(const rubbing_joint *f)
{
    const rt_contact_writing *x = f->x;
    const rt_joint_rubs rubs = f->joint->class->rubs;
    if (rubs == RT_RUBS_NOT)
        return rt_reader_fail(x->r, x->w->joint.place,
                              "'%.60s' is of type %s, for which there is no friction; name a "
                              "revolute, translational, cylindrical, spherical or universal joint",
                              x->w->joint.text, rt_joint_type_name(f->joint));
    if (f->level && rubs == RT_RUBS_SLEEVE)
        return rt_reader_fail(x->r, rt_contact_place(x, "static_level"),
                              "a level is a force or a torque, and a cylindrical joint slides and "
                              "rotates at once; give static_coefficient, radius and preload, with "
                              "reaction: false");
    if (!f->level && rubs != RT_RUBS_SLIDE && !rt_contact_has(x, "radius"))
        return rt_reader_fail(x->r, x->node->key_place,
                              "friction of a %s joint needs radius, of the surface that rubs, or "
                              "static_level, a torque, instead of static_coefficient",
                              rt_joint_type_name(f->joint));
    return ROUTH_OK;
}

/* Fields that some joints have no use for. */
static routh_status check_places(const rubbing_joint *f)
{
    const rt_contact_writing *x = f->x;
    const rt_joint_rubs rubs = f->joint->class->rubs;
    if (rt_contact_has(x, "length") && rubs == RT_RUBS_BALL)
        return rt_reader_fail(x->r, rt_contact_place(x, "length"),
                              "a spherical joint carries no moment, so it has no length; leave it "
                              "out");
    if (rt_contact_has(x, "thrust_radius") && (rubs != RT_RUBS_PIN || !x->w->reaction))
        return rt_reader_fail(x->r, rt_contact_place(x, "thrust_radius"),
                              "thrust_radius is of a revolute joint that is pressed by its "
                              "reaction; leave it out");
    if (f->level || x->w->reaction || x->w->preload.value > 0) return ROUTH_OK;
    return rt_reader_fail(x->r, rt_contact_place(x, "reaction"),
                          "without the reaction and without preload nothing presses and nothing "
                          "rubs; give preload");
}

static bool is_of_torque(const rubbing_joint *f)
{
    return f->level && f->joint->class->rubs != RT_RUBS_SLIDE;
}

/* Slip is a velocity where there is a radius, or the joint slides; a level of others is a
 * torque. */
static routh_status friction_take_units(const rubbing_joint *f)
{
    rt_written_contact *w = f->x->w;
    const bool turns = is_of_torque(f);
    const struct {
        const char *field, *slides, *turns;
        rt_number *number;
    } units[] = {{"static_level", "N", "N m", &w->static_level},
                 {"dynamic_level", "N", "N m", &w->dynamic_level},
                 {"stiction_velocity", "m/s", "rad/s", &w->stiction_velocity},
                 {"dynamic_velocity", "m/s", "rad/s", &w->dynamic_velocity},
                 {"viscous", "N s/m", "N m s/rad", &w->viscous}};
    routh_status status = ROUTH_OK;
    for (size_t k = 0; k < sizeof units / sizeof *units && !status; k++)
        status = rt_contact_take_unit(f->x, units[k].field,
                                      turns ? units[k].turns : units[k].slides, units[k].number);
    return status;
}

routh_status rt_expand_friction(const rt_contact_writing *x)
{
    rubbing_joint f = {.x = x, .level = rt_contact_has(x, "static_level")};
    routh_status status = rt_contact_joint(x, &f.joint, &f.index);
    if (!status) status = check_joint(&f);
    if (!status) status = check_places(&f);
    if (!status) status = friction_take_units(&f);
    if (!status) status = rt_read_rubbing(x, is_of_torque(&f), &f.law);
    if (status) return status;
    f.i = f.joint->markers[0];
    f.j = f.joint->markers[1];
    f.radius = rt_contact_number(x, f.level ? rt_plain(1) : x->w->radius);
    switch (f.joint->class->rubs) {
    case RT_RUBS_NOT: break;
    case RT_RUBS_PIN: revolute(&f); break;
    case RT_RUBS_SLIDE: translational(&f); break;
    case RT_RUBS_SLEEVE: cylindrical(&f); break;
    case RT_RUBS_BALL: spherical(&f); break;
    case RT_RUBS_CROSS: universal(&f); break;
    }
    return rt_finish_components(x);
}
