#include "elements/load_block.h"
#include "elements/loads.h"

/* The partials live in a 6x6 corner here: blocks 0 and 1 of a 12x12 with the same leading
 * dimension. */

/* I = A I0 A',     t = I al + w x I w.     With dI = dtheta~ I - I dtheta~ and dw, dal of frames.h
 * the terms of level xi gather to a turn of the whole torque:
 *     dt = dtheta x t + (w~ I - (I w)~ - I w~) dtheta' + I dtheta''
 *     f = m a,     df = m dr'' */
static void inertia_partials_of(const rt_frame *body, rt_scalar mass, const rt_scalar I[9],
                                const rt_scalar Iw[3], const rt_scalar torque[3],
                                rt_load_result *out)
{
    rt_scalar identity[9], T[9], W[9], WI[9], IW[9], H[9];
    rt_m3_identity(identity);
    rt_m3_skew(T, torque);
    rt_m3_skew(W, body->w);
    rt_m3_skew(H, Iw);
    rt_m3_mul(WI, W, I);
    rt_m3_mul(IW, I, W);
    rt_block_add(out->partial[RT_LEVEL_POSITION], 1, 1, -1, T);
    rt_block_add(out->partial[RT_LEVEL_VELOCITY], 1, 1, 1, WI);
    rt_block_add(out->partial[RT_LEVEL_VELOCITY], 1, 1, -1, H);
    rt_block_add(out->partial[RT_LEVEL_VELOCITY], 1, 1, -1, IW);
    rt_block_add(out->partial[RT_LEVEL_ACCELERATION], 0, 0, mass, identity);
    rt_block_add(out->partial[RT_LEVEL_ACCELERATION], 1, 1, 1, I);
}

void rt_inertia_evaluate(const rt_frame *body, rt_scalar mass, const rt_scalar inertia0[9],
                         bool partials, rt_load_result *out)
{
    rt_scalar AI[9], I[9], Iw[3], torque[3];
    memset(out->wrench, 0, sizeof out->wrench);
    rt_m3_mul(AI, body->A, inertia0);
    rt_m3_mul_t(I, AI, body->A);
    rt_m3_mul_v(Iw, I, body->w);
    rt_m3_mul_v(torque, I, body->al);
    rt_v3_cross_add(torque, body->w, Iw);
    rt_v3_scale(out->wrench[0], mass, body->a);
    rt_v3_copy(out->wrench[0] + 3, torque);
    if (partials) {
        memset(out->partial, 0, sizeof out->partial);
        inertia_partials_of(body, mass, I, Iw, torque, out);
    }
}
