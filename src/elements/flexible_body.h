/* A flexible body in motion: what flexible_inertia.c and flexible_frame.c share. */
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

/* out->frame, with the wrench already there; inertia: tr P 1 - P + rotary, the frame's axes. */
void rt_flexible_fill_frame(const rt_flexible_body *b, const rt_scalar inertia[9],
                            rt_flexible_result *out);

#endif
