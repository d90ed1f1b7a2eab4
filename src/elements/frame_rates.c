#include "elements/frame_rates.h"

#include "elements/frame_curvature.h"

bool rt_vector_is_rate(rt_vector_kind kind)
{
    return kind == RT_VECTOR_VELOCITY || kind == RT_VECTOR_OMEGA || kind == RT_VECTOR_TRANSPORT;
}

bool rt_vector_is_position(rt_vector_kind kind)
{
    return kind == RT_VECTOR_AXIS || kind == RT_VECTOR_DISPLACEMENT;
}

static const rt_frame *frame_rates_frame_of(rt_frames frames, int k)
{
    return rt_frame_of(frames.marker, k);
}

/* The displacement that a transport turns. */
static rt_vector frame_rates_arm_of(const rt_vector *a)
{
    return (rt_vector){.kind = RT_VECTOR_DISPLACEMENT, .i = a->i, .j = a->j, .l = RT_GROUND};
}

/* The product's factors in order: the one of velocity level first. False where there is none. */
static bool in_order(const rt_vector **a, const rt_vector **b)
{
    if (rt_vector_is_rate((*a)->kind)) return true;
    const rt_vector *x = *a;
    *a = *b;
    *b = x;
    return rt_vector_is_rate((*a)->kind);
}

/* ---- along a motion ------------------------------------------------------------------------- */

/* A vector of velocity level and its time derivative. */
static void rate_jet(rt_frames frames, const rt_vector *a, rt_scalar x[2][3])
{
    const rt_frame *i = frame_rates_frame_of(frames, a->i), *j = frame_rates_frame_of(frames, a->j);
    if (a->kind == RT_VECTOR_VELOCITY) {
        rt_v3_sub(x[0], i->v, j->v);
        rt_v3_sub(x[1], i->a, j->a);
        return;
    }
    if (a->kind == RT_VECTOR_OMEGA) {
        rt_v3_sub(x[0], i->w, j->w);
        rt_v3_sub(x[1], i->al, j->al);
        return;
    }
    const rt_frame *l = frame_rates_frame_of(frames, a->l); /* w x d, al x d + w x d' */
    const rt_vector arm = frame_rates_arm_of(a);
    rt_scalar d[3][3];
    rt_vector_jet(frames, &arm, d);
    rt_v3_cross(x[0], l->w, d[0]);
    rt_v3_cross(x[1], l->al, d[0]);
    rt_v3_cross_add(x[1], l->w, d[1]);
}

/* y = a x b and y' of jets a, b */
static void cross_jet(rt_scalar y[2][3], rt_scalar (*a)[3], rt_scalar (*b)[3])
{
    rt_v3_cross(y[0], a[0], b[0]);
    rt_v3_cross(y[1], a[1], b[0]);
    rt_v3_cross_add(y[1], a[0], b[1]);
}

/* ---- covectors ------------------------------------------------------------------------------ */

/* g[level][frame][part ..] += s x */
static void frame_rates_put(rt_gradient *g, int frame, int level, int part, rt_scalar s,
                            const rt_scalar x[3])
{
    const int k = rt_gradient_slot(g, frame);
    if (k >= 0) rt_v3_add_scaled(&g->p[level][k][part], s, x);
}

/* db . a for b of position level: dtheta . (b x a), or (dr_i - dr_j) . a. Its rho and rho'. */
static void put_position(rt_gradient *g, const rt_vector *b, rt_scalar (*xb)[3], rt_scalar (*xa)[3])
{
    rt_scalar ba[2][3];
    if (b->kind == RT_VECTOR_AXIS) cross_jet(ba, xb, xa);
    for (int d = 0; d < 2; d++)
        if (b->kind == RT_VECTOR_AXIS) {
            frame_rates_put(g, b->i, 1 + d, 3, 1, ba[d]);
        } else {
            frame_rates_put(g, b->i, 1 + d, 0, 1, xa[d]);
            frame_rates_put(g, b->j, 1 + d, 0, -1, xa[d]);
        }
}

/* dw . c = (dtheta' - w x dtheta) . c:  phi = c,  rho = w x c,  rho' = al x c + w x c' */
static void frame_rates_put_omega(rt_gradient *g, int frame, const rt_frame *f, rt_scalar s,
                                  rt_scalar (*c)[3])
{
    rt_scalar wc[3], rate[3];
    rt_v3_cross(wc, f->w, c[0]);
    rt_v3_cross(rate, f->al, c[0]);
    rt_v3_cross_add(rate, f->w, c[1]);
    frame_rates_put(g, frame, 0, 3, s, c[0]);
    frame_rates_put(g, frame, 1, 3, s, wc);
    frame_rates_put(g, frame, 2, 3, s, rate);
}

/* (w x d) . b:  dw . (d x b) + dd . (b x w) */
static void frame_rates_put_transport(rt_frames frames, const rt_vector *a, rt_scalar (*xb)[3],
                                      rt_gradient *g)
{
    const rt_frame *l = frame_rates_frame_of(frames, a->l);
    const rt_vector arm = frame_rates_arm_of(a);
    rt_scalar d[3][3], w[2][3], db[2][3], bw[2][3];
    rt_vector_jet(frames, &arm, d);
    rt_v3_copy(w[0], l->w);
    rt_v3_copy(w[1], l->al);
    cross_jet(db, d, xb);
    cross_jet(bw, xb, w);
    frame_rates_put_omega(g, a->l, l, 1, db);
    put_position(g, &arm, d, bw);
}

/* da . b, b held fixed */
static void put_rate(rt_frames frames, const rt_vector *a, rt_scalar (*xb)[3], rt_gradient *g)
{
    if (a->kind == RT_VECTOR_VELOCITY) {
        frame_rates_put(g, a->i, 0, 0, 1, xb[0]);
        frame_rates_put(g, a->j, 0, 0, -1, xb[0]);
    } else if (a->kind == RT_VECTOR_OMEGA) {
        frame_rates_put_omega(g, a->i, frame_rates_frame_of(frames, a->i), 1, xb);
        frame_rates_put_omega(g, a->j, frame_rates_frame_of(frames, a->j), -1, xb);
    } else {
        frame_rates_put_transport(frames, a, xb, g);
    }
}

/* Of position level: dx = rho xi, whose levels stand one higher. */
static void raise_levels(rt_gradient *g)
{
    memcpy(g->p[2], g->p[1], sizeof g->p[1]);
    memcpy(g->p[1], g->p[0], sizeof g->p[0]);
    memset(g->p[0], 0, sizeof g->p[0]);
}

void rt_dot_rates(rt_frames frames, const rt_vector *a, const rt_vector *b, rt_scalar value[3],
                  rt_gradient *g)
{
    rt_scalar xa[2][3], xb[3][3];
    if (!in_order(&a, &b)) {
        rt_dot_jets(frames, a, b, value, g);
        raise_levels(g);
        return;
    }
    rate_jet(frames, a, xa);
    rt_vector_jet(frames, b, xb);
    value[0] = rt_v3_dot(xa[0], xb[0]);
    value[1] = rt_v3_dot(xa[1], xb[0]) + rt_v3_dot(xa[0], xb[1]);
    value[2] = 0;
    g->n = 0;
    put_rate(frames, a, xb, g);
    put_position(g, b, xb, xa);
}

void rt_dot_rates_turn(rt_frames frames, const rt_vector *a, const rt_vector *b, rt_scalar scale,
                       rt_gradient *g)
{
    rt_scalar xb[3][3], d[3][3], db[2][3];
    if (!in_order(&a, &b)) return;
    rt_vector_jet(frames, b, xb);
    if (a->kind == RT_VECTOR_TRANSPORT) {
        const rt_vector arm = frame_rates_arm_of(a);
        rt_vector_jet(frames, &arm, d);
        cross_jet(db, d, xb);
        frame_rates_put(g, a->l, 0, 3, scale, db[1]);
        return;
    }
    const int part = a->kind == RT_VECTOR_OMEGA ? 3 : 0;
    frame_rates_put(g, a->i, 0, part, scale, xb[1]);
    frame_rates_put(g, a->j, 0, part, -scale, xb[1]);
}

/* ---- curvature ------------------------------------------------------------------------------ */

typedef struct curving {
    rt_block_target target;
    const int *list;
    int n;
} curving;

/* Rows of a covector L a that varies with the position-level vector a, at part of frame. */
static void frame_rates_vary(const curving *c, int frame, int part, rt_scalar scale,
                             const rt_scalar L[9], const rt_vector *a, const rt_scalar xa[3])
{
    const int row = rt_part_of(c->list, c->n, frame, part);
    if (a->kind == RT_VECTOR_AXIS) { /* da = dtheta x a = -a~ dtheta */
        rt_scalar skew[9], B[9];
        rt_m3_skew(skew, xa);
        rt_m3_mul(B, L, skew);
        rt_add_block(c->target, row, rt_part_of(c->list, c->n, a->i, 3), -scale, B);
        return;
    }
    rt_add_block(c->target, row, rt_part_of(c->list, c->n, a->i, 0), scale, L);
    rt_add_block(c->target, row, rt_part_of(c->list, c->n, a->j, 0), -scale, L);
}

void rt_dot_rates_curvature(rt_frames frames, const rt_vector *a, const rt_vector *b,
                            rt_scalar scale, const int *list, int n, rt_scalar *H)
{
    const curving c = {{H, 6 * n}, list, n};
    rt_scalar xb[3][3], d[3][3], L[9];
    if (!in_order(&a, &b)) return;
    rt_vector_jet(frames, b, xb);
    if (a->kind == RT_VECTOR_TRANSPORT) { /* d(d x b) = d~ db - b~ dd */
        const rt_vector arm = frame_rates_arm_of(a);
        rt_vector_jet(frames, &arm, d);
        rt_m3_skew(L, d[0]);
        frame_rates_vary(&c, a->l, 3, scale, L, b, xb[0]);
        rt_m3_skew(L, xb[0]);
        frame_rates_vary(&c, a->l, 3, -scale, L, &arm, d[0]);
        return;
    }
    const int part = a->kind == RT_VECTOR_OMEGA ? 3 : 0;
    rt_m3_identity(L);
    frame_rates_vary(&c, a->i, part, scale, L, b, xb[0]);
    frame_rates_vary(&c, a->j, part, -scale, L, b, xb[0]);
}

void rt_rates_add_outer(rt_scalar *H, rt_scalar s, const rt_gradient *a, const rt_gradient *b,
                        const int *list, int n)
{
    for (int k = 0; k < a->n; k++)
        for (int l = 0; l < b->n; l++) {
            const int row = 6 * rt_local_of(list, n, a->frame[k]),
                      column = 6 * rt_local_of(list, n, b->frame[l]);
            for (int i = 0; i < 6; i++)
                for (int j = 0; j < 6; j++)
                    H[(row + i) * 6 * n + column + j] += s * a->p[0][k][i] * b->p[1][l][j];
        }
}
