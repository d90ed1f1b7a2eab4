/* The forces of a tyre on its slip, lean and normal force (docs/theory/tyres.md). */
#include "model/tyre.h"

static rt_expr expr_of(rt_reader *r, rt_number a) { return rt_number_expr(&r->calculator, a); }

/* a + b N */
static rt_expr with_load(rt_reader *r, rt_number a, rt_number b, rt_expr normal)
{
    rt_graph *g = r->model->graph;
    return rt_add(g, expr_of(r, a), rt_multiply(g, expr_of(r, b), normal));
}

/* M_z = -t sense F_y: the side force acts the trail t behind the contact point. */
static rt_expr aligning(rt_graph *g, rt_expr trail, const rt_contact *c, rt_expr across)
{
    return rt_negate(g, rt_multiply(g, rt_multiply(g, trail, c->sense), across));
}

/* F_x = (C_k + c_k N) kappa,   F_y = (C_a + c_a N) tan alpha + (C_g + c_g N) gamma */
void rt_linear_tyre(rt_reader *r, const rt_written_tyre *t, const rt_contact *c, rt_tyre_forces *f)
{
    rt_graph *g = r->model->graph;
    const rt_expr along = with_load(r, t->slip_stiffness, t->slip_coefficient, f->normal);
    const rt_expr across =
        with_load(r, t->cornering_stiffness, t->cornering_coefficient, f->normal);
    const rt_expr camber = with_load(r, t->camber_stiffness, t->camber_coefficient, f->normal);
    f->along = rt_multiply(g, along, f->slip[RT_TYRE_LONGITUDINAL]);
    f->across = rt_add(g, rt_multiply(g, across, f->slip[RT_TYRE_LATERAL]),
                       rt_multiply(g, camber, c->lean));
    f->aligning = aligning(g, expr_of(r, t->trail), c, f->across);
}

/* ---- the magic formula ------------------------------------------------------------------------
 *
 * One direction alone (Bakker, Pacejka, Lidner 1989), x the slip:
 *     F = D sin(C atan(B x - E (B x - atan B x))),
 *     D = (d0 + d1 N) N,  E = e0 + e1 N,  BCD = k N/(1 + (N/N_p)^2) = (k N_p/2) sin(2 atan(N/N_p)).
 * With q = (BCD/D) x the slip that is normalized so that the curve of F/D begins with slope 1, and
 * f(q) = sin(C atan(q/C - E (q/C - atan(q/C)))), both together by similarity (Radt, Milliken 1983):
 *     rho = |(q_x, q_y)|,   F_x = D_x f_x(rho) q_x/rho,   F_y = D_y f_y(rho) q_y/rho.
 * f(rho)/rho is taken at sqrt(rho^2 + 1e-16): its error there, of order rho^2, is below rounding.
 */

static rt_expr normalized_slip(rt_reader *r, const rt_written_curve *w, rt_expr normal,
                               rt_expr slip)
{
    rt_graph *g = r->model->graph;
    rt_expr slope = expr_of(r, w->stiffness);
    if (w->peak_load.value != 0) {
        const rt_expr u = rt_divide(g, normal, expr_of(r, w->peak_load));
        slope = rt_divide(g, slope, rt_add(g, rt_constant(g, 1), rt_multiply(g, u, u)));
    }
    const rt_expr height = with_load(r, w->friction, w->friction_slope, normal);
    return rt_multiply(g, rt_divide(g, slope, height), slip);
}

/* D f(rho)/rho */
static rt_expr secant(rt_reader *r, const rt_written_curve *w, rt_expr normal, rt_expr rho)
{
    rt_graph *g = r->model->graph;
    const rt_expr C = expr_of(r, w->shape);
    const rt_expr E = with_load(r, w->curvature, w->curvature_slope, normal);
    const rt_expr D = rt_multiply(g, with_load(r, w->friction, w->friction_slope, normal), normal);
    const rt_expr x = rt_divide(g, rho, C);
    const rt_expr bent = rt_subtract(g, x, rt_function_of(g, RT_ATAN, x));
    const rt_expr inside = rt_subtract(g, x, rt_multiply(g, E, bent));
    const rt_expr angle = rt_multiply(g, C, rt_function_of(g, RT_ATAN, inside));
    return rt_multiply(g, D, rt_divide(g, rt_function_of(g, RT_SIN, angle), rho));
}

/* t = t0 cos(C_t atan(B_t tan alpha)), Pacejka 2006, 4.3.1 */
static rt_expr magic_trail(rt_reader *r, const rt_written_tyre *t, rt_expr slip)
{
    rt_graph *g = r->model->graph;
    const rt_expr x = rt_multiply(g, expr_of(r, t->trail_stiffness), slip);
    const rt_expr angle = rt_multiply(g, expr_of(r, t->trail_shape), rt_function_of(g, RT_ATAN, x));
    return rt_multiply(g, expr_of(r, t->trail), rt_function_of(g, RT_COS, angle));
}

void rt_magic_tyre(rt_reader *r, const rt_written_tyre *t, bool longitudinal, const rt_contact *c,
                   rt_tyre_forces *f)
{
    static const double tiny = 1e-16;
    rt_graph *g = r->model->graph;
    const rt_written_curve *x = &t->curve[RT_TYRE_LONGITUDINAL], *y = &t->curve[RT_TYRE_LATERAL];
    const rt_expr shift = rt_multiply(g, expr_of(r, t->camber_shift), c->lean);
    const rt_expr qy = normalized_slip(r, y, f->normal, rt_add(g, f->slip[RT_TYRE_LATERAL], shift));
    const rt_expr qx = longitudinal
                           ? normalized_slip(r, x, f->normal, f->slip[RT_TYRE_LONGITUDINAL])
                           : rt_constant(g, 0);
    const rt_expr square = rt_add(g, rt_multiply(g, qx, qx), rt_multiply(g, qy, qy));
    const rt_expr rho = rt_function_of(g, RT_SQRT, rt_add(g, square, rt_constant(g, tiny)));
    f->across = rt_multiply(g, secant(r, y, f->normal, rho), qy);
    f->along = longitudinal ? rt_multiply(g, secant(r, x, f->normal, rho), qx) : rt_constant(g, 0);
    f->aligning = aligning(g, magic_trail(r, t, f->slip[RT_TYRE_LATERAL]), c, f->across);
}
