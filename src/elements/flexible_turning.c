/* Sections and nodes of a flexible body that turn finitely: what they add to its equations. The
 * notation of flexible_inertia.c and flexible/section_turn.h. */
#include "elements/flexible_body.h"
#include "elements/flexible_moments.h"

/* H_l = (S_kl + A_kl) q_k to h_l, and what else of turning is summed over k */
void rt_flexible_turning_gather(const rt_flexible_body *b, int l, rt_flexible_deformed *x)
{
    const rt_flexible *f = b->flexible, *by = b->slope;
    const rt_pattern *p = &f->pattern;
    const rt_elastic_state *s = b->state;
    const double *J2 = by ? by->J2 : NULL, *even = by ? by->H_even : NULL,
                 *odd = by ? by->H_odd : NULL;
    rt_scalar J1[9], even_tt[3] = {0};
    RT_TAKE_CONSTANTS(J1, f, by, J1, 9 * l, 9);
    rt_flexible_add_pairs(x->D, f->J2, J2, p, l, 9, s->q);
    rt_flexible_add_pairs(x->h, f->H_even, even, p, l, 3, s->q);
    rt_flexible_add_pairs(x->h, f->H_odd, odd, p, l, 3, s->q);
    for (int i = 0; i < 9; i++) x->D[i] = J1[i] + 2 * x->D[i];
    if (!b->moves) return;
    rt_flexible_add_pairs(x->D_t, f->J2, J2, p, l, 9, s->u);
    for (int i = 0; i < 9; i++) x->D_t[i] *= 2;
    rt_flexible_add_pairs(x->even_t, f->H_even, even, p, l, 3, s->u);
    rt_flexible_add_pairs(x->odd_t, f->H_odd, odd, p, l, 3, s->u);
    rt_flexible_add_pairs(even_tt, f->H_even, even, p, l, 3, s->udot);
    rt_flexible_add_pairs(x->odd_tt, f->H_odd, odd, p, l, 3, s->udot);
    rt_v3_sub(x->odd_tt, even_tt, x->odd_tt);
}

/* The terms of turning to the sums of the body: J1_l + J2_kl q_k is (J1_l + D_l) / 2. */
void rt_flexible_turning_add(rt_flexible_body *b, int l, const rt_flexible_deformed *x)
{
    const rt_scalar q = b->state->q[l], u = b->state->u[l];
    rt_scalar J1[9];
    RT_TAKE_CONSTANTS(J1, b->flexible, b->slope, J1, 9 * l, 9);
    for (int i = 0; i < 9; i++) {
        b->J[i] += q * (J1[i] + x->D[i]) / 2;
        b->J_t[i] += u * x->D[i];
    }
    rt_v3_add_scaled(b->H_t, u, x->even_t);
}

/* 2 w . A_kl q_k' - 1/2 w.D_l w, to r_l */
void rt_flexible_turning_force(const rt_flexible_body *b, int l, const rt_flexible_deformed *x,
                               rt_flexible_result *out)
{
    rt_scalar Dw[3];
    rt_m3_mul_v(Dw, x->D, b->w);
    rt_flexible_contribute(out, l, 2 * rt_v3_dot(b->w, x->odd_t));
    rt_flexible_contribute(out, l, -rt_v3_dot(b->w, Dw) / 2);
}

/* To d t / d q_l: D_l al + w x D_l w + D_l_t w + H_lk q_k'' + w x H_lk q_k' */
void rt_flexible_turning_by_position(const rt_flexible_body *b, const rt_flexible_deformed *x,
                                     rt_scalar torque[3])
{
    rt_scalar y[3], z[3];
    rt_m3_mul_v(y, x->D, b->al);
    rt_v3_add(torque, torque, y);
    rt_m3_mul_v(y, x->D_t, b->w);
    rt_v3_add(torque, torque, y);
    rt_v3_add(torque, torque, x->odd_tt);
    rt_m3_mul_v(y, x->D, b->w);
    rt_v3_sub(z, x->even_t, x->odd_t);
    rt_v3_add(y, y, z);
    rt_v3_cross_add(torque, b->w, y);
}

/* To d r_k / d q_l: al.H_lk - w.J2_kl w, and to d r_k / d q_l': - 2 w.A_kl */
void rt_flexible_turning_inner(const rt_flexible_body *b, int e, rt_flexible_result *out)
{
    rt_scalar J2[9], Jw[3], even[3], odd[3];
    RT_TAKE_CONSTANTS(J2, b->flexible, b->slope, J2, 9 * (size_t)e, 9);
    RT_TAKE_CONSTANTS(even, b->flexible, b->slope, H_even, 3 * (size_t)e, 3);
    RT_TAKE_CONSTANTS(odd, b->flexible, b->slope, H_odd, 3 * (size_t)e, 3);
    rt_m3_mul_v(Jw, J2, b->w);
    if (out->inner[0])
        out->inner[0][e] += rt_v3_dot(b->al, even) - rt_v3_dot(b->al, odd) - rt_v3_dot(b->w, Jw);
    if (out->inner[1]) out->inner[1][e] -= 2 * rt_v3_dot(b->w, odd);
}
