/* Where a wheel meets a flat road, and how its tread slides there (docs/theory/tyres.md). */
#include "model/relative.h"
#include "model/tyre.h"

/* e, v = velocity of the centre and w = angular velocity in the road's axes, seen from the road. */
typedef struct tyre_contact_motion {
    rt_expr v[3], w[3];
} tyre_contact_motion;

static tyre_contact_motion tyre_contact_read_motion(rt_reader *r, const int markers[2],
                                                    rt_contact *c)
{
    const int i = markers[0], j = markers[1];
    const rt_vector e = rt_marker_axis(i, 2);
    const rt_vector d = {.kind = RT_VECTOR_DISPLACEMENT, .i = i, .j = j, .l = RT_GROUND};
    tyre_contact_motion m;
    for (int k = 0; k < 3; k++) {
        const rt_vector t = rt_marker_axis(j, k);
        c->e[k] = rt_measure_dot(r, &t, &e);
        m.v[k] = rt_relative_velocity(r, &t, i, j);
        m.w[k] = rt_relative_omega(r, &t, i, j);
        if (k == 2) c->height = rt_measure_dot(r, &t, &d);
    }
    return m;
}

/* With h the centre's height, m = (n - e3 e)/s up the wheel's plane and T the tube's radius, the
 * contact point is c + d,
 *     d = -q m - T n = (q e3 e1/s, q e3 e2/s, -h),   q = (h - T)/s the loaded radius,
 *     q' = (h' - q s')/s,   s' = w . (m x n) = (e3/s)(e1 w2 - e2 w1). */
static void place_contact(rt_graph *g, rt_expr T, const tyre_contact_motion *m, rt_contact *c)
{
    const rt_expr *e = c->e;
    c->s = rt_function_of(g, RT_SQRT,
                          rt_add(g, rt_multiply(g, e[0], e[0]), rt_multiply(g, e[1], e[1])));
    c->loaded = rt_divide(g, rt_subtract(g, c->height, T), c->s);
    const rt_expr lift = rt_divide(g, e[2], c->s);
    const rt_expr turn =
        rt_subtract(g, rt_multiply(g, e[0], m->w[1]), rt_multiply(g, e[1], m->w[0]));
    const rt_expr s_rate = rt_multiply(g, lift, turn);
    c->loaded_rate = rt_divide(g, rt_subtract(g, m->v[2], rt_multiply(g, c->loaded, s_rate)), c->s);
    const rt_expr aside = rt_multiply(g, c->loaded, lift);
    c->arm[0] = rt_multiply(g, aside, e[0]);
    c->arm[1] = rt_multiply(g, aside, e[1]);
    c->arm[2] = rt_negate(g, c->height);
    c->lean = rt_negate(g, rt_atan2(g, e[2], c->s));
}

/* a - b c + d f */
static rt_expr turned(rt_graph *g, rt_expr a, rt_expr b, rt_expr c, rt_expr d, rt_expr f)
{
    return rt_add(g, rt_subtract(g, a, rt_multiply(g, b, c)), rt_multiply(g, d, f));
}

/* |v| above v0, (v0 + v^2/v0)/2 below: once differentiable, and v0/2 at rest. */
static rt_expr kept_from_zero(rt_graph *g, rt_expr v, rt_expr v0)
{
    const rt_expr size = rt_function_of(g, RT_ABS, v), low = rt_minimum(g, v0, size);
    const rt_expr below = rt_multiply(g, rt_constant(g, 0.5),
                                      rt_add(g, v0, rt_divide(g, rt_multiply(g, low, low), v0)));
    return rt_add(g, rt_subtract(g, size, low), below);
}

/* The tread's material at the contact slides with b = v + w x d, its parts along x and y
 *     x . b = (b1 e2 - b2 e1)/s,   y . b = (b1 e1 + b2 e2)/s;
 * a tyre of effective radius r slides with x . v - r e . w along x. */
static void find_sliding(rt_reader *r, const rt_written_tyre *t, const tyre_contact_motion *m,
                         rt_contact *c)
{
    rt_graph *g = r->model->graph;
    const rt_expr *e = c->e, *d = c->arm, *v = m->v, *w = m->w;
    const rt_expr b[2] = {turned(g, v[0], w[2], d[1], w[1], d[2]),
                          turned(g, v[1], w[0], d[2], w[2], d[0])};
    const rt_expr v0 = rt_number_expr(&r->calculator, t->low_speed);
    c->sliding_across =
        rt_divide(g, rt_add(g, rt_multiply(g, b[0], e[0]), rt_multiply(g, b[1], e[1])), c->s);
    c->forward =
        rt_divide(g, rt_subtract(g, rt_multiply(g, v[0], e[1]), rt_multiply(g, v[1], e[0])), c->s);
    c->speed = kept_from_zero(g, c->forward, v0);
    c->sense = rt_divide(g, c->forward, c->speed);
    if (t->effective_radius.value == 0) {
        c->sliding_along = rt_divide(
            g, rt_subtract(g, rt_multiply(g, b[0], e[1]), rt_multiply(g, b[1], e[0])), c->s);
        return;
    }
    rt_expr spin = rt_constant(g, 0);
    for (int k = 0; k < 3; k++) spin = rt_add(g, spin, rt_multiply(g, e[k], w[k]));
    c->sliding_along = rt_subtract(
        g, c->forward, rt_multiply(g, rt_number_expr(&r->calculator, t->effective_radius), spin));
}

void rt_build_contact(rt_reader *r, const rt_written_load *w, const int markers[2], rt_contact *c)
{
    const tyre_contact_motion m = tyre_contact_read_motion(r, markers, c);
    place_contact(r->model->graph, rt_number_expr(&r->calculator, w->tyre.tube_radius), &m, c);
    find_sliding(r, &w->tyre, &m, c);
}
