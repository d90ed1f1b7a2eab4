/* How the axes of a steady motion change along a parameter, and what that does to the motion: of
 * unit vectors e (world) and a (body), e' and a' across them. With the motion (v_O, Omega, s) held,
 * and each body at dr and eta (in its axes) from where it is, E = A'e,
 *     E' = A'e' + E x eta
 *     dv  = Omega (e' x r + e x dr)            dw  = Omega E' + s a'
 *     dv' = Omega (e' x v + e x dv)            dw' = Omega s (E' x a + E x a')
 * Now dr = eta = 0; at the later time T, with D and r_T, A_T as in steady_late.c, phi = Omega T and
 * psi = s T,
 *     dr  = D'v + D (Omega e' x r)
 *     eta = A_T'(sin(phi) e' + (1 - cos(phi)) e x e') + sin(psi) a' - (1 - cos(psi)) a x a'
 * by the derivative of R(phi e) for e' across e. v_O is the same there. */
#include "base/rotation.h"
#include "operating/steady.h"

routh_status rt_steady_axes_create(rt_steady_axes *x, const rt_steady_search *k, rt_arena *arena,
                                   routh_error *error)
{
    const size_t n = (size_t)k->s->m->n_u;
    *x = (rt_steady_axes){.by_spin = RT_TAKE(arena, double, 3 * (size_t)k->asked->n_spins),
                          .xi = RT_TAKE(arena, double, n),
                          .u = RT_TAKE(arena, double, n),
                          .udot = RT_TAKE(arena, double, n)};
    return x->by_spin && x->xi && x->u && x->udot ? ROUTH_OK : rt_fail_memory(error);
}

/* ---- along a parameter ---------------------------------------------------------------------- */

/* e = -g/|g|:  e' = -(g' - e (e.g'))/|g|. Without gravity e is z, as gravity along z makes it. */
static routh_status follow_gravity(const rt_steady_search *k, const rt_variation *v, double by[3],
                                   routh_error *error)
{
    const routh_mechanism *m = k->s->m;
    const double g = rt_v3_norm(m->gravity);
    double slope[3];
    for (int i = 0; i < 3; i++) slope[i] = rt_variation_slope(v, m->model->gravity[i].expr);
    rt_v3_add_scaled(slope, -rt_v3_dot(k->e, slope), k->e);
    rt_v3_set(by, 0, 0, 0);
    if (g > 0) {
        rt_v3_scale(by, -1 / g, slope);
    } else if (rt_v3_norm(slope) > 0) {
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "the axis of the steady motion depends on a parameter: it is z without "
                       "gravity, and opposite to gravity otherwise; give `axis` under `steady`");
    }
    return ROUTH_OK;
}

static bool steady_axes_slopes_of(const rt_variation *v, const rt_expr axis[3], double by[3])
{
    for (int i = 0; i < 3; i++) by[i] = rt_variation_slope(v, axis[i]);
    return rt_v3_norm(by) > 0;
}

routh_status rt_steady_axes_find(rt_steady_axes *x, const rt_steady_search *k,
                                 const rt_variation *v, routh_error *error)
{
    const rt_steady *asked = k->asked;
    routh_status status = ROUTH_OK;
    if (rt_v3_norm(asked->axis) > 0)
        steady_axes_slopes_of(v, asked->axis_expr, x->by_e);
    else
        status = follow_gravity(k, v, x->by_e, error);
    x->move = !status && rt_v3_norm(x->by_e) > 0;
    for (int i = 0; i < asked->n_spins; i++)
        if (steady_axes_slopes_of(v, asked->spins[i].axis_expr, x->by_spin + 3 * (size_t)i))
            x->move = true;
    return status;
}

/* ---- what it does --------------------------------------------------------------------------- */

static void steady_axes_rates_of_body(rt_steady_axes *x, const rt_steady_search *k,
                                      const rt_state *at, int b)
{
    const int spin = k->spin_of_body[b];
    const size_t c = 6 * (size_t)b;
    const double rate = k->motion[RT_MOTION_RATE], *q = at->q + 7 * (size_t)b;
    double *u = x->u + c, *udot = x->udot + c, A[9], E[3], by_E[3], y[3];
    rt_rotation_from_quaternion(A, q + 3);
    rt_m3_tmul_v(E, A, k->e);
    rt_m3_tmul_v(by_E, A, x->by_e);
    rt_v3_cross(y, E, x->xi + c + 3);
    rt_v3_add(by_E, by_E, y);

    rt_v3_cross(u, x->by_e, q);
    rt_v3_cross(y, k->e, x->xi + c);
    rt_v3_add(u, u, y);
    rt_v3_scale(u, rate, u);
    rt_v3_cross(udot, x->by_e, at->u + c);
    rt_v3_cross(y, k->e, u);
    rt_v3_add(udot, udot, y);
    rt_v3_scale(udot, rate, udot);

    rt_v3_scale(u + 3, rate, by_E);
    rt_v3_set(udot + 3, 0, 0, 0);
    if (spin < 0) return;
    const double *a = k->asked->spins[spin].axis, *by_a = x->by_spin + 3 * (size_t)spin;
    const double s = k->motion[RT_MOTION_SPINS + spin];
    rt_v3_add_scaled(u + 3, s, by_a);
    rt_v3_cross(udot + 3, by_E, a);
    rt_v3_cross(y, E, by_a);
    rt_v3_add(udot + 3, udot + 3, y);
    rt_v3_scale(udot + 3, rate * s, udot + 3);
}

void rt_steady_axes_now(rt_steady_axes *x, const rt_steady_search *k, const rt_state *now)
{
    memset(x->xi, 0, (size_t)k->s->m->n_u * sizeof *x->xi);
    for (int b = 0; b < k->s->m->n_bodies; b++) steady_axes_rates_of_body(x, k, now, b);
}

/* D'v, by e alone: D v = T (sinc v + (1 - sinc) e (e.v) + (1 - cos)/phi e x v), sinc = sin/phi */
static void displace(const rt_steady_axes *x, const rt_steady_search *k, const double v[3],
                     double out[3])
{
    const double phi = k->motion[RT_MOTION_RATE] * k->later, h = phi / 2;
    const double sinc = fabs(phi) < 1e-4 ? 1 - phi * phi / 6 : sin(phi) / phi;
    const double half = fabs(h) < 1e-4 ? 1 - h * h / 6 : sin(h) / h;
    rt_v3_cross(out, x->by_e, v);
    rt_v3_scale(out, half * half * h, out);
    rt_v3_add_scaled(out, (1 - sinc) * rt_v3_dot(k->e, v), x->by_e);
    rt_v3_add_scaled(out, (1 - sinc) * rt_v3_dot(x->by_e, v), k->e);
    rt_v3_scale(out, k->later, out);
}

/* sin(angle) by + sign (1 - cos(angle)) axis x by: sign 1 before the turn, -1 after it. */
static void turn_by(double angle, const double axis[3], const double by[3], int sign, double out[3])
{
    double across[3];
    rt_v3_cross(across, axis, by);
    rt_v3_scale(out, sin(angle), by);
    rt_v3_add_scaled(out, sign * 2 * sin(angle / 2) * sin(angle / 2), across);
}

static void steady_axes_carry_body(rt_steady_axes *x, const rt_steady_search *k,
                                   const rt_state *now, const rt_state *later, int b)
{
    const int spin = k->spin_of_body[b];
    const double rate = k->motion[RT_MOTION_RATE];
    double *xi = x->xi + 6 * (size_t)b, A[9], D[9], unused[9], dv[3], y[3];
    displace(x, k, now->u + 6 * (size_t)b, xi);
    rt_v3_cross(dv, x->by_e, now->q + 7 * (size_t)b);
    rt_steady_displacement(k, k->later, D, unused);
    rt_m3_mul_v(y, D, dv);
    rt_v3_add_scaled(xi, rate, y);

    rt_rotation_from_quaternion(A, later->q + 7 * (size_t)b + 3);
    turn_by(rate * k->later, k->e, x->by_e, 1, y);
    rt_m3_tmul_v(xi + 3, A, y);
    if (spin < 0) return;
    turn_by(k->motion[RT_MOTION_SPINS + spin] * k->later, k->asked->spins[spin].axis,
            x->by_spin + 3 * (size_t)spin, -1, y);
    rt_v3_add(xi + 3, xi + 3, y);
}

void rt_steady_axes_later(rt_steady_axes *x, const rt_steady_search *k, const rt_state *now,
                          const rt_state *later)
{
    memset(x->xi, 0, (size_t)k->s->m->n_u * sizeof *x->xi);
    for (int b = 0; b < k->s->m->n_bodies; b++) {
        steady_axes_carry_body(x, k, now, later, b);
        steady_axes_rates_of_body(x, k, later, b);
    }
}
