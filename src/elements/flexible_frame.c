/* Partials of the wrench of a flexible body by its frame: the notation of flexible_inertia.c. */
#include "elements/flexible_body.h"
#include "elements/flexible_moments.h"

/* Block (row, column) of the 6 x 6 F += s X */
static void flexible_frame_add_block(rt_scalar F[36], int row, int column, rt_scalar s,
                                     const rt_scalar X[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) F[6 * (3 * row + i) + 3 * column + j] += s * X[3 * i + j];
}

static void flexible_frame_add_skew(rt_scalar F[36], int row, int column, rt_scalar s,
                                    const rt_scalar v[3])
{
    rt_scalar X[9];
    rt_m3_skew(X, v);
    flexible_frame_add_block(F, row, column, s, X);
}

static void turn_matrix(rt_scalar X[9], const rt_scalar A[9])
{
    rt_scalar AX[9];
    rt_m3_mul(AX, A, X);
    rt_m3_mul_t(X, AX, A);
}

/* By dw_b, in the frame's axes:
 *     f: - (w x c)~ - w~ c~ - 2 c_t~         t: w~ J - (J w)~ + 2 (tr Z 1 - Z') - (h_k q_k')~
 *                                               + D_l q_l' */
static void by_turning(const rt_flexible_body *b, const rt_scalar J[9], rt_scalar force[9],
                       rt_scalar torque[9])
{
    rt_scalar w[9], c[9], X[9], v[3], Jw[3];
    rt_m3_skew(w, b->w);
    rt_m3_skew(c, b->c);
    rt_m3_mul(force, w, c);
    rt_v3_cross(v, b->w, b->c);
    rt_v3_add_scaled(v, 2, b->c_t);
    rt_m3_skew(X, v);
    for (int i = 0; i < 9; i++) force[i] = -force[i] - X[i];
    rt_m3_mul(torque, w, J);
    rt_m3_mul_v(Jw, J, b->w);
    rt_v3_add(Jw, Jw, b->h_t);
    rt_m3_skew(X, Jw);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            torque[3 * i + j] +=
                (i == j ? 2 * rt_m3_trace(b->Z) : 0) - X[3 * i + j] - 2 * b->Z[3 * j + i] +
                b->J_t[3 * i + j];
}

/* In the world, c and J turned, F = (f, t) the wrench, G = a - gravity:
 *     by xi:    [0, m G~ - f~; 0, c~ G~ - t~]
 *     by xi':   [0, f_w + c~ w~; 0, t_w - J w~]
 *     by xi'':  [m 1, - c~; c~, J] */
void rt_flexible_fill_frame(const rt_flexible_body *b, const rt_scalar inertia[9],
                            rt_flexible_result *out)
{
    const rt_frame *frame = b->frame;
    const rt_scalar m = rt_flexible_mass(b->flexible, b->slope),
                    mass[9] = {m, 0, 0, 0, m, 0, 0, 0, m};
    rt_scalar c[3], C[9], J[9], G[9], w[9], X[9], force[9], torque[9];
    memset(out->frame, 0, sizeof out->frame);
    rt_m3_mul_v(c, frame->A, b->c);
    rt_m3_skew(C, c);
    rt_m3_skew(G, b->lifted);
    rt_m3_skew(w, frame->w);
    memcpy(J, inertia, sizeof J);
    turn_matrix(J, frame->A);
    by_turning(b, inertia, force, torque);
    turn_matrix(force, frame->A);
    turn_matrix(torque, frame->A);
    flexible_frame_add_block(out->frame[0], 0, 1, m, G);
    flexible_frame_add_skew(out->frame[0], 0, 1, -1, out->wrench);
    rt_m3_mul(X, C, G);
    flexible_frame_add_block(out->frame[0], 1, 1, 1, X);
    flexible_frame_add_skew(out->frame[0], 1, 1, -1, out->wrench + 3);
    flexible_frame_add_block(out->frame[1], 0, 1, 1, force);
    rt_m3_mul(X, C, w);
    flexible_frame_add_block(out->frame[1], 0, 1, 1, X);
    flexible_frame_add_block(out->frame[1], 1, 1, 1, torque);
    rt_m3_mul(X, J, w);
    flexible_frame_add_block(out->frame[1], 1, 1, -1, X);
    flexible_frame_add_block(out->frame[2], 0, 0, 1, mass);
    flexible_frame_add_block(out->frame[2], 0, 1, -1, C);
    flexible_frame_add_block(out->frame[2], 1, 0, 1, C);
    flexible_frame_add_block(out->frame[2], 1, 1, 1, J);
}
