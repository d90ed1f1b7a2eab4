/* A flexible body in motion: what flexible_inertia.c and its neighbours share. */
#ifndef RT_ELEMENTS_FLEXIBLE_BODY_H
#define RT_ELEMENTS_FLEXIBLE_BODY_H

#include "elements/flexible_inertia.h"

/* The motion of the frame in its own axes, and the sums over the coordinates. */
typedef struct rt_flexible_body {
    const rt_flexible *flexible, *slope; /* slope: its derivatives, or NULL */
    const rt_frame *frame;
    const rt_elastic_state *state;
    bool moves, turns;   /* some q' or q'' is not 0; w or al is not */
    bool bends;          /* sections turn, and some q, q', q'', w or al is not 0 */
    rt_scalar lifted[3]; /* a - gravity, world */
    rt_scalar a[3], gravity[3], w[3], al[3];
    rt_scalar g[3];                  /* a - gravity */
    rt_scalar w2;                    /* w . w */
    rt_scalar c[3], c_t[3], c_tt[3]; /* int s, and its rates */
    rt_scalar h_t[3], h_tt[3];       /* sum h_k q_k', h_k q_k'', with h_k + H_lk q_l for h_k */
    rt_scalar J[9], J_t[9];          /* what turned sections add to the inertia, and its rate */
    rt_scalar H_t[3];                /* H_kl q_k' q_l' */
    rt_scalar P[9], Z[9], Z_tt[9];   /* int s s', int s s_t', int s s_tt' */
} rt_flexible_body;

/* Moments of one coordinate; a and C with a2_l and B2_l. */
typedef struct rt_flexible_deformed {
    rt_scalar h[3];
    rt_scalar a[3], C[9], V[9], E[9];
    rt_scalar a_t[3], a_tt[3], B_t[9], B_tt[9]; /* rates of a2_l and B2_l */
    rt_scalar turn[3];                          /* [C_l] + h_l */
    rt_scalar D[9], D_t[9];                     /* J1_l + 2 J2_kl q_k, and its rate */
    rt_scalar even_t[3], odd_t[3], odd_tt[3];   /* S_kl q_k', A_kl q_k', (S_kl - A_kl) q_k'' */
} rt_flexible_deformed;

/* r_k += term */
static inline void rt_flexible_contribute(rt_flexible_result *out, int k, rt_scalar term)
{
    out->elastic[k] += term;
    const double size = fabs(rt_re(term));
    if (out->scale && size > out->scale[k]) out->scale[k] = size;
}

/* What turning adds, by coordinate l: H_l = (S_kl + A_kl) q_k to x->h and what else is summed over
 * k; to the sums of the body; to r_l; to d t / d q_l; and entry e of d r_k / d q_l, d q_l'. */
void rt_flexible_turning_gather(const rt_flexible_body *b, int l, rt_flexible_deformed *x);
void rt_flexible_turning_add(rt_flexible_body *b, int l, const rt_flexible_deformed *x);
void rt_flexible_turning_force(const rt_flexible_body *b, int l, const rt_flexible_deformed *x,
                               rt_flexible_result *out);
void rt_flexible_turning_by_position(const rt_flexible_body *b, const rt_flexible_deformed *x,
                                     rt_scalar torque[3]);
void rt_flexible_turning_inner(const rt_flexible_body *b, int e, rt_flexible_result *out);

/* Force and partials of bar k. */
void rt_flexible_add_bar(const rt_flexible_body *b, int k, bool partials, rt_flexible_result *out);

/* Force and partials of flexure k. */
void rt_flexible_add_flexure(const rt_flexible_body *b, int k, bool partials,
                             rt_flexible_result *out);

/* out->frame, with the wrench already there; inertia: tr P 1 - P + rotary, the frame's axes. */
void rt_flexible_fill_frame(const rt_flexible_body *b, const rt_scalar inertia[9],
                            rt_flexible_result *out);

#endif
