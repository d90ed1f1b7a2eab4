/* A rigid body's inertia and weight in spatial form, with r the centre of mass, f the whole force
 * on the body in residual sense (m (a - g) and what else acts), and of inertia.c
 *     t = I al + w~ I w,       W = w~ I - (I w)~ - I w~:
 *     M = [m, -m r~; m r~, I - m r~ r~]
 *     D = [0, -2 m v~; 0, W - 2 m r~ v~]
 *     K = [0, -m a~; -f~, f~ r~ - m r~ a~ - t~]
 * by dr = Xi_O - r~ dtheta, its two derivatives, and d(r x f) = dr x f. */
#include "elements/loads.h"

/* The 3 x 3 block (row, column) of the column-major 6 x 6 matrix X = B, B row-major. */
static inline void spatial_inertia_put(rt_scalar *X, int row, int column, const rt_scalar B[9])
{
    rt_scalar *to = X + 18 * column + 3 * row;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) to[6 * j + i] = B[3 * i + j];
}

/* B = s v~ */
static inline void put_skew(rt_scalar *X, int row, int column, rt_scalar s, const rt_scalar v[3])
{
    const rt_scalar x = s * v[0], y = s * v[1], z = s * v[2];
    const rt_scalar B[9] = {0, -z, y, z, 0, -x, -y, x, 0};
    spatial_inertia_put(X, row, column, B);
}

static inline void put_zero(rt_scalar *X, int row, int column)
{
    static const rt_scalar none[9] = {0};
    spatial_inertia_put(X, row, column, none);
}

/* B += s a~ b~ = s (b a' - (a . b) 1) */
static inline void spatial_inertia_add_product(rt_scalar B[9], rt_scalar s, const rt_scalar a[3],
                                               const rt_scalar b[3])
{
    const rt_scalar dot = s * rt_v3_dot(a, b);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) B[3 * i + j] += s * b[i] * a[j];
    B[0] -= dot, B[4] -= dot, B[8] -= dot;
}

static inline void subtract_skew(rt_scalar B[9], const rt_scalar v[3])
{
    B[1] += v[2], B[2] -= v[1], B[3] -= v[2];
    B[5] += v[0], B[6] += v[1], B[7] -= v[0];
}

static inline void spatial_inertia_fill_mass(const rt_frame *b, rt_scalar m, const rt_scalar I[9],
                                             rt_spatial_inertia *out)
{
    const rt_scalar own[9] = {m, 0, 0, 0, m, 0, 0, 0, m};
    rt_scalar B[9];
    memcpy(B, I, sizeof B);
    spatial_inertia_add_product(B, -m, b->r, b->r);
    spatial_inertia_put(out->M, 0, 0, own);
    put_skew(out->M, 0, 1, -m, b->r);
    put_skew(out->M, 1, 0, m, b->r);
    spatial_inertia_put(out->M, 1, 1, B);
}

/* w~ I - I w~ is symmetric: w~ I + (w~ I)' */
static inline void fill_damping(const rt_frame *b, rt_scalar m, const rt_scalar I[9],
                                const rt_scalar Iw[3], rt_spatial_inertia *out)
{
    rt_scalar w[9], WI[9], B[9];
    rt_m3_skew(w, b->w);
    rt_m3_mul(WI, w, I);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) B[3 * i + j] = WI[3 * i + j] + WI[3 * j + i];
    subtract_skew(B, Iw);
    spatial_inertia_add_product(B, -2 * m, b->r, b->v);
    put_zero(out->D, 0, 0);
    put_skew(out->D, 0, 1, -2 * m, b->v);
    put_zero(out->D, 1, 0);
    spatial_inertia_put(out->D, 1, 1, B);
}

static inline void fill_stiffness(const rt_frame *b, rt_scalar m, const rt_scalar f[3],
                                  const rt_scalar t[3], rt_spatial_inertia *out)
{
    rt_scalar B[9] = {0};
    spatial_inertia_add_product(B, 1, f, b->r);
    spatial_inertia_add_product(B, -m, b->r, b->a);
    subtract_skew(B, t);
    put_zero(out->K, 0, 0);
    put_skew(out->K, 0, 1, -m, b->a);
    put_skew(out->K, 1, 0, -1, f);
    spatial_inertia_put(out->K, 1, 1, B);
}

void rt_inertia_spatial(const rt_frame *b, rt_scalar mass, const rt_scalar inertia[9],
                        const rt_scalar gravity[3], const rt_scalar others[6], bool partials,
                        rt_spatial_inertia *out)
{
    rt_scalar AI[9], I[9], Iw[3], t[3], f[3];
    rt_m3_mul(AI, b->A, inertia);
    rt_m3_mul_t(I, AI, b->A);
    rt_m3_mul_v(Iw, I, b->w);
    rt_m3_mul_v(t, I, b->al);
    rt_v3_cross_add(t, b->w, Iw);
    for (int i = 0; i < 3; i++) {
        out->wrench[i] = mass * (b->a[i] - gravity[i]);
        out->wrench[3 + i] = t[i];
        f[i] = out->wrench[i] + others[i];
    }
    rt_v3_cross_add(out->wrench + 3, b->r, out->wrench);
    if (!partials) return;
    spatial_inertia_fill_mass(b, mass, I, out);
    fill_damping(b, mass, I, Iw, out);
    fill_stiffness(b, mass, f, t, out);
}
