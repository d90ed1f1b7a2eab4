#include "elements/frame_dot.h"

#include "elements/frame_curvature.h"

#include <stddef.h>

const rt_frame rt_ground_frame = {.A = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

static const rt_frame *frame_dot_frame_of(rt_frames frames, int k)
{
    return rt_frame_of(frames.marker, k);
}

int rt_gradient_slot(rt_gradient *g, int frame)
{
    if (frame < 0) return -1;
    for (int k = 0; k < g->n; k++)
        if (g->frame[k] == frame) return k;
    const int k = g->n++;
    g->frame[k] = frame;
    for (int d = 0; d < 3; d++) memset(g->p[d][k], 0, sizeof g->p[d][k]);
    return k;
}

void rt_gradient_add(rt_gradient *y, rt_scalar s, const rt_gradient *g)
{
    for (int k = 0; k < g->n; k++) {
        const int to = rt_gradient_slot(y, g->frame[k]);
        for (int d = 0; d < 3; d++)
            for (int i = 0; i < 6; i++) y->p[d][to][i] += s * g->p[d][k][i];
    }
}

void rt_gradient_add_product(rt_gradient *y, rt_scalar scale, const rt_scalar f[3],
                             const rt_gradient *g)
{
    for (int k = 0; k < g->n; k++) {
        const int to = rt_gradient_slot(y, g->frame[k]);
        for (int i = 0; i < 6; i++) {
            const rt_scalar g0 = g->p[0][k][i], g1 = g->p[1][k][i], g2 = g->p[2][k][i];
            y->p[0][to][i] += scale * f[0] * g0;
            y->p[1][to][i] += scale * (f[1] * g0 + f[0] * g1);
            y->p[2][to][i] += scale * (f[2] * g0 + 2 * f[1] * g1 + f[0] * g2);
        }
    }
}

void rt_gradient_add_outer(rt_scalar *H, rt_scalar s, const rt_gradient *a, const rt_gradient *b,
                           const int *list, int n)
{
    for (int k = 0; k < a->n; k++)
        for (int l = 0; l < b->n; l++) {
            const int row = 6 * rt_local_of(list, n, a->frame[k]),
                      column = 6 * rt_local_of(list, n, b->frame[l]);
            for (int i = 0; i < 6; i++)
                for (int j = 0; j < 6; j++)
                    H[(row + i) * 6 * n + column + j] += s * a->p[0][k][i] * b->p[0][l][j];
        }
}

static void add_unique(int *list, int *n, int frame)
{
    if (frame < 0) return;
    for (int k = 0; k < *n; k++)
        if (list[k] == frame) return;
    list[(*n)++] = frame;
}

void rt_vector_frames(const rt_vector *a, int *list, int *n)
{
    add_unique(list, n, a->i);
    if (a->kind == RT_VECTOR_AXIS) return;
    add_unique(list, n, a->j);
    if (a->kind == RT_VECTOR_TRANSPORT) add_unique(list, n, a->l);
}

/* ---- position-level vectors along a motion -------------------------------------------------- */

void rt_vector_jet(rt_frames frames, const rt_vector *a, rt_scalar x[3][3])
{
    const rt_frame *i = frame_dot_frame_of(frames, a->i);
    if (a->kind == RT_VECTOR_AXIS) { /* a' = w x a, a'' = al x a + w x a' */
        rt_vector_axis(x[0], i, a);
        rt_v3_cross(x[1], i->w, x[0]);
        rt_v3_cross(x[2], i->al, x[0]);
        rt_v3_cross_add(x[2], i->w, x[1]);
        return;
    }
    const rt_frame *j = frame_dot_frame_of(frames, a->j);
    rt_v3_sub(x[0], i->r, j->r);
    rt_v3_sub(x[1], i->v, j->v);
    rt_v3_sub(x[2], i->a, j->a);
}

/* The part of phi that comes from varying a, the other vector b given by its jet:
 * axis: dtheta_i . (a x b); displacement: (dr_i - dr_j) . b. */
static void gradient_jet_of(const rt_vector *a, rt_scalar xa[3][3], rt_scalar xb[3][3],
                            rt_gradient *phi)
{
    if (a->kind == RT_VECTOR_AXIS) {
        const int k = rt_gradient_slot(phi, a->i);
        if (k < 0) return;
        rt_scalar ab[3], twice[3] = {0, 0, 0};
        rt_v3_cross_add(&phi->p[0][k][3], xa[0], xb[0]);
        rt_v3_cross_add(&phi->p[1][k][3], xa[1], xb[0]);
        rt_v3_cross_add(&phi->p[1][k][3], xa[0], xb[1]);
        rt_v3_cross_add(&phi->p[2][k][3], xa[2], xb[0]);
        rt_v3_cross_add(&phi->p[2][k][3], xa[0], xb[2]);
        rt_v3_cross(ab, xa[1], xb[1]);
        rt_v3_add_scaled(twice, 2, ab);
        rt_v3_add(&phi->p[2][k][3], &phi->p[2][k][3], twice);
        return;
    }
    const int ki = rt_gradient_slot(phi, a->i), kj = rt_gradient_slot(phi, a->j);
    for (int d = 0; d < 3; d++) {
        if (ki >= 0) rt_v3_add(phi->p[d][ki], phi->p[d][ki], xb[d]);
        if (kj >= 0) rt_v3_sub(phi->p[d][kj], phi->p[d][kj], xb[d]);
    }
}

void rt_dot_jets(rt_frames frames, const rt_vector *a, const rt_vector *b, rt_scalar value[3],
                 rt_gradient *phi)
{
    rt_scalar xa[3][3], xb[3][3];
    rt_vector_jet(frames, a, xa);
    rt_vector_jet(frames, b, xb);
    value[0] = rt_v3_dot(xa[0], xb[0]);
    value[1] = rt_v3_dot(xa[1], xb[0]) + rt_v3_dot(xa[0], xb[1]);
    value[2] = rt_v3_dot(xa[2], xb[0]) + 2 * rt_v3_dot(xa[1], xb[1]) + rt_v3_dot(xa[0], xb[2]);
    phi->n = 0;
    gradient_jet_of(a, xa, xb, phi);
    gradient_jet_of(b, xb, xa, phi);
}

/* ---- curvature ------------------------------------------------------------------------------ */

/* Rows of phi owned by a (see gradient_jet_of), varied: the a-part of a and then b. */
static void curvature_of(const rt_vector *a, const rt_vector *b, const rt_scalar xa[3],
                         const rt_scalar xb[3], rt_scalar scale, const int *list, int n,
                         rt_block_target t)
{
    rt_scalar B[9], skew[9];
    const int turn = rt_part_of(list, n, b->i, 3); /* columns of b */
    const int b_i = rt_part_of(list, n, b->i, 0), b_j = rt_part_of(list, n, b->j, 0);
    const rt_scalar dot = rt_v3_dot(xa, xb);
    if (a->kind == RT_VECTOR_AXIS) {
        const int row = rt_part_of(list, n, a->i, 3);
        /* (xi x a) x b = a (b . xi) - (a . b) xi */
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) B[3 * i + j] = xa[i] * xb[j] - (i == j ? dot : 0);
        rt_add_block(t, row, row, scale, B);
        if (b->kind == RT_VECTOR_AXIS) { /* a x (xi x b) = (a . b) xi - b (a . xi) */
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) B[3 * i + j] = (i == j ? dot : 0) - xb[i] * xa[j];
            rt_add_block(t, row, turn, scale, B);
        } else { /* a x (dr_i - dr_j) */
            rt_m3_skew(skew, xa);
            rt_add_block(t, row, b_i, scale, skew);
            rt_add_block(t, row, b_j, -scale, skew);
        }
        return;
    }
    const int row_i = rt_part_of(list, n, a->i, 0), row_j = rt_part_of(list, n, a->j, 0);
    if (b->kind == RT_VECTOR_AXIS) { /* db = xi x b = -b~ xi */
        rt_m3_skew(skew, xb);
        rt_add_block(t, row_i, turn, -scale, skew);
        rt_add_block(t, row_j, turn, scale, skew);
    } else {
        rt_m3_identity(B);
        rt_add_block(t, row_i, b_i, scale, B);
        rt_add_block(t, row_i, b_j, -scale, B);
        rt_add_block(t, row_j, b_i, -scale, B);
        rt_add_block(t, row_j, b_j, scale, B);
    }
}

void rt_dot_curvature(rt_frames frames, const rt_vector *a, const rt_vector *b, rt_scalar scale,
                      const int *list, int n, rt_scalar *H)
{
    rt_scalar xa[3][3], xb[3][3];
    const rt_block_target t = {H, 6 * n};
    rt_vector_jet(frames, a, xa);
    rt_vector_jet(frames, b, xb);
    curvature_of(a, b, xa[0], xb[0], scale, list, n, t);
    curvature_of(b, a, xb[0], xa[0], scale, list, n, t);
}

/* ---- any level ------------------------------------------------------------------------------ */

static void frame_dot_difference(rt_scalar x[3], const rt_frame *i, const rt_frame *j,
                                 size_t offset)
{
    const rt_scalar *a = (const rt_scalar *)((const char *)i + offset);
    const rt_scalar *b = (const rt_scalar *)((const char *)j + offset);
    rt_v3_sub(x, a, b);
}

static void vector_value(rt_frames frames, const rt_vector *a, rt_scalar x[3])
{
    const rt_frame *i = frame_dot_frame_of(frames, a->i), *j = frame_dot_frame_of(frames, a->j);
    rt_scalar d[3];
    switch (a->kind) {
    case RT_VECTOR_AXIS: rt_vector_axis(x, i, a); return;
    case RT_VECTOR_DISPLACEMENT: frame_dot_difference(x, i, j, offsetof(rt_frame, r)); return;
    case RT_VECTOR_VELOCITY: frame_dot_difference(x, i, j, offsetof(rt_frame, v)); return;
    case RT_VECTOR_ACCELERATION: frame_dot_difference(x, i, j, offsetof(rt_frame, a)); return;
    case RT_VECTOR_OMEGA: frame_dot_difference(x, i, j, offsetof(rt_frame, w)); return;
    case RT_VECTOR_ALPHA: frame_dot_difference(x, i, j, offsetof(rt_frame, al)); return;
    case RT_VECTOR_TRANSPORT:
        rt_v3_sub(d, i->r, j->r);
        rt_v3_cross(x, frame_dot_frame_of(frames, a->l)->w, d);
        return;
    }
}

/* p[level][frame k][part..] += s * x */
static void frame_dot_put(rt_gradient *g, int frame, int level, int part, rt_scalar s,
                          const rt_scalar x[3])
{
    const int k = rt_gradient_slot(g, frame);
    if (k >= 0) rt_v3_add_scaled(&g->p[level][k][part], s, x);
}

/* dw = dtheta' - w x dtheta, contracted with b: dtheta' . b + dtheta . (w x b) */
static void frame_dot_put_omega(rt_gradient *g, int frame, const rt_frame *f, rt_scalar s,
                                const rt_scalar b[3])
{
    rt_scalar wb[3];
    rt_v3_cross(wb, f->w, b);
    frame_dot_put(g, frame, 1, 3, s, b);
    frame_dot_put(g, frame, 0, 3, s, wb);
}

/* dal = dtheta'' - w x dtheta' - al x dtheta */
static void put_alpha(rt_gradient *g, int frame, const rt_frame *f, rt_scalar s,
                      const rt_scalar b[3])
{
    rt_scalar wb[3], ab[3];
    rt_v3_cross(wb, f->w, b);
    rt_v3_cross(ab, f->al, b);
    frame_dot_put(g, frame, 2, 3, s, b);
    frame_dot_put(g, frame, 1, 3, s, wb);
    frame_dot_put(g, frame, 0, 3, s, ab);
}

/* w_l x d: dw_l . (d x b) + dd . (b x w_l) */
static void frame_dot_put_transport(rt_frames frames, const rt_vector *a, const rt_scalar b[3],
                                    rt_gradient *g)
{
    const rt_frame *l = frame_dot_frame_of(frames, a->l);
    rt_scalar d[3], db[3], bw[3];
    rt_v3_sub(d, frame_dot_frame_of(frames, a->i)->r, frame_dot_frame_of(frames, a->j)->r);
    rt_v3_cross(db, d, b);
    rt_v3_cross(bw, b, l->w);
    frame_dot_put_omega(g, a->l, l, 1, db);
    frame_dot_put(g, a->i, 0, 0, 1, bw);
    frame_dot_put(g, a->j, 0, 0, -1, bw);
}

/* da . b for the vector a, b held fixed */
static void partial_of(rt_frames frames, const rt_vector *a, const rt_scalar xa[3],
                       const rt_scalar b[3], rt_gradient *g)
{
    rt_scalar ab[3];
    switch (a->kind) {
    case RT_VECTOR_AXIS:
        rt_v3_cross(ab, xa, b);
        frame_dot_put(g, a->i, 0, 3, 1, ab);
        return;
    case RT_VECTOR_DISPLACEMENT:
    case RT_VECTOR_VELOCITY:
    case RT_VECTOR_ACCELERATION: {
        const int level = a->kind == RT_VECTOR_DISPLACEMENT ? 0
                          : a->kind == RT_VECTOR_VELOCITY   ? 1
                                                            : 2;
        frame_dot_put(g, a->i, level, 0, 1, b);
        frame_dot_put(g, a->j, level, 0, -1, b);
        return;
    }
    case RT_VECTOR_OMEGA:
        frame_dot_put_omega(g, a->i, frame_dot_frame_of(frames, a->i), 1, b);
        frame_dot_put_omega(g, a->j, frame_dot_frame_of(frames, a->j), -1, b);
        return;
    case RT_VECTOR_ALPHA:
        put_alpha(g, a->i, frame_dot_frame_of(frames, a->i), 1, b);
        put_alpha(g, a->j, frame_dot_frame_of(frames, a->j), -1, b);
        return;
    case RT_VECTOR_TRANSPORT: frame_dot_put_transport(frames, a, b, g); return;
    }
}

rt_scalar rt_dot_value(rt_frames frames, const rt_vector *a, const rt_vector *b)
{
    rt_scalar xa[3], xb[3];
    vector_value(frames, a, xa);
    vector_value(frames, b, xb);
    return rt_v3_dot(xa, xb);
}

void rt_dot_partials(rt_frames frames, const rt_vector *a, const rt_vector *b, rt_scalar *value,
                     rt_gradient *g)
{
    rt_scalar xa[3], xb[3];
    vector_value(frames, a, xa);
    vector_value(frames, b, xb);
    *value = rt_v3_dot(xa, xb);
    g->n = 0;
    partial_of(frames, a, xa, xb, g);
    partial_of(frames, b, xb, xa, g);
}
