/* A rigid body's inertia and weight in spatial form, with r the centre of mass, f the whole force
 * on the body in residual sense (m (a - g) and what else acts), and of inertia.c
 *     t = I al + w~ I w,       W = w~ I - (I w)~ - I w~:
 *     M = [m, -m r~; m r~, I - m r~ r~]
 *     D = [0, -2 m v~; 0, W - 2 m r~ v~]
 *     K = [0, -m a~; -f~, f~ r~ - m r~ a~ - t~]
 * by dr = Xi_O - r~ dtheta, its two derivatives, and d(r x f) = dr x f. */
#include "loads/loads.h"

/* B: the 3 x 3 block (row, column) of the 6 x 6 matrix X += s B */
static void add(double *X, int row, int column, double s, const double B[9])
{
    double *to = X + 18 * row + 3 * column;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) to[6 * i + j] += s * B[3 * i + j];
}

/* X += s a~ b~ = s (b a' - (a . b) 1) */
static void add_product(double *X, double s, const double a[3], const double b[3])
{
    double *to = X + 21;
    const double dot = rt_v3_dot(a, b);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            to[6 * i + j] += s * (b[i] * a[j] - (i == j ? dot : 0));
}

static void add_skew(double *X, int row, int column, double s, const double v[3])
{
    double S[9];
    rt_m3_skew(S, v);
    add(X, row, column, s, S);
}

static void fill_partials(const rt_frame *b, double m, const double I[9], const double Iw[3],
                          const double f[3], const double t[3], rt_spatial_inertia *out)
{
    double w[9], WI[9], IW[9];
    memset(out->K, 0, sizeof out->K);
    memset(out->D, 0, sizeof out->D);
    memset(out->M, 0, sizeof out->M);
    for (int i = 0; i < 3; i++) out->M[7 * i] = m;
    add_skew(out->M, 0, 1, -m, b->r);
    add_skew(out->M, 1, 0, m, b->r);
    add(out->M, 1, 1, 1, I);
    add_product(out->M, -m, b->r, b->r);
    rt_m3_skew(w, b->w);
    rt_m3_mul(WI, w, I);
    rt_m3_mul(IW, I, w);
    add_skew(out->D, 0, 1, -2 * m, b->v);
    add(out->D, 1, 1, 1, WI);
    add(out->D, 1, 1, -1, IW);
    add_skew(out->D, 1, 1, -1, Iw);
    add_product(out->D, -2 * m, b->r, b->v);
    add_skew(out->K, 0, 1, -m, b->a);
    add_skew(out->K, 1, 0, -1, f);
    add_product(out->K, 1, f, b->r);
    add_product(out->K, -m, b->r, b->a);
    add_skew(out->K, 1, 1, -1, t);
}

void rt_inertia_spatial(const rt_frame *b, double mass, const double inertia[9],
                        const double gravity[3], const double others[6], bool partials,
                        rt_spatial_inertia *out)
{
    double AI[9], I[9], Iw[3], t[3], f[3];
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
    if (partials) fill_partials(b, mass, I, Iw, f, t, out);
}
