/* See halfway.h. */
#include "elements/halfway.h"

#include "base/rotation.h"
#include "elements/load_block.h"

/* ---- the three functions --------------------------------------------------------------------- */

enum { N_TERMS = 14 };

/* x/sin x and tan(x)/(8 x) in powers of u^2: x = u/2, x = u/4 */
static const double c_series[N_TERMS] = {
    1.0,
    4.16666666666666644e-02,
    1.21527777777777780e-03,
    3.20353835978835948e-05,
    8.20260830026455070e-07,
    2.08359820718761682e-08,
    5.28160996772133702e-10,
    1.33809029202683348e-11,
    3.38957685148932100e-13,
    8.58599654982294738e-15,
    2.17486455032522302e-16,
    5.50900020146297623e-18,
    1.39544630223107021e-19,
    3.53470693428698846e-21,
};
static const double T_series[N_TERMS] = {
    1.25000000000000000e-01, 2.60416666666666652e-03, 6.51041666666666658e-05,
    1.64698040674603182e-06, 4.17127390597442684e-08, 1.05658001064088313e-09,
    2.67634394509530153e-11, 6.77925714781190423e-13, 1.71720586061007910e-14,
    4.34973324888328494e-16, 1.10180030298232065e-17, 2.79089277081232244e-19,
    7.06941397391645574e-21, 1.79070347873661902e-22,
};

/* Below u = 1 the series: their 14th terms are below rounding, while closed forms lose digits to
 * differences. f'/u = 2 df/d(u^2). */
static void find_series(rt_halfway *h, rt_scalar z)
{
    h->c = h->c2 = h->k = h->k2 = h->T = h->T2 = 0;
    for (int n = N_TERMS - 1; n >= 0; n--) {
        h->c = h->c * z + c_series[n];
        h->T = h->T * z + T_series[n];
        if (n < 1) continue;
        h->c2 = h->c2 * z + 2 * n * c_series[n];
        h->T2 = h->T2 * z + 2 * n * T_series[n];
        h->k = h->k * z - c_series[n];
        if (n > 1) h->k2 = h->k2 * z - 2 * (n - 1) * c_series[n];
    }
}

static void find_functions(rt_halfway *h)
{
    const rt_scalar z = rt_v3_dot(h->theta, h->theta);
    if (rt_re(z) < 1) {
        find_series(h, z);
        return;
    }
    const rt_scalar u = rt_sqrt(z), x = u / 2, s = rt_sin(x), t = rt_tan(u / 4);
    h->c = x / s;
    h->c2 = (s - x * rt_cos(x)) / (2 * s * s * u);
    h->k = (1 - h->c) / z;
    h->k2 = -(h->c2 + 2 * h->k) / z;
    h->T = t / (2 * u);
    h->T2 = ((1 + t * t) / 4 - t / u) / (2 * z);
}

/* L x */
static void apply_L(const rt_halfway *h, const rt_scalar x[3], rt_scalar y[3])
{
    rt_v3_scale(y, h->c, x);
    rt_v3_add_scaled(y, h->k * rt_v3_dot(h->theta, x), h->theta);
}

/* ---- strains and their rates ----------------------------------------------------------------- */

/* m = s - T theta x p */
static void find_turning(const rt_halfway *h, const rt_scalar s[3], const rt_scalar p[3],
                         rt_scalar m[3])
{
    rt_scalar cross[3];
    rt_v3_cross(cross, h->theta, p);
    rt_v3_copy(m, s);
    rt_v3_add_scaled(m, -h->T, cross);
}

bool rt_halfway_find(const rt_frame *a, const rt_frame *b, const rt_scalar offset[6], rt_halfway *h)
{
    rt_scalar Q[9], half[3], x[3], s[3];
    rt_m3_tmul(Q, a->A, b->A);
    const bool regular = rt_rotation_log(h->theta, Q);
    rt_v3_scale(half, 0.5, h->theta);
    rt_rotation_exp(Q, half);
    rt_m3_mul(h->R, a->A, Q);
    find_functions(h);
    rt_v3_sub(x, b->r, a->r);
    rt_m3_tmul_v(h->d, h->R, x);
    rt_v3_sub(x, b->w, a->w);
    rt_m3_tmul_v(h->relative, h->R, x);
    rt_v3_add(x, b->w, a->w);
    rt_m3_tmul_v(s, h->R, x);
    rt_v3_scale(s, 0.5, s);
    find_turning(h, s, h->relative, h->turning);
    for (int k = 0; k < 3; k++) {
        h->e[k] = h->d[k] - offset[k];
        h->e[3 + k] = h->theta[k] - offset[3 + k];
    }
    rt_v3_sub(x, b->v, a->v);
    rt_m3_tmul_v(h->rate, h->R, x);
    rt_v3_cross_add(h->rate, h->d, h->turning);
    apply_L(h, h->relative, h->rate + 3);
    return regular;
}

/* ---- matrices over y: rows x 9 --------------------------------------------------------------- */

/* M[row.., 3 block..] += s X for a 3x3 X; M has 9 columns. */
static void halfway_place(rt_scalar *M, int row, int block, rt_scalar s, const rt_scalar X[9])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) M[9 * (row + i) + 3 * block + k] += s * X[3 * i + k];
}

/* a~ b~ */
static void skew_product(rt_scalar X[9], const rt_scalar a[3], const rt_scalar b[3])
{
    rt_scalar A[9], B[9];
    rt_m3_skew(A, a);
    rt_m3_skew(B, b);
    rt_m3_mul(X, A, B);
}

static void find_L(const rt_halfway *h, rt_scalar L[9])
{
    rt_m3_identity(L);
    for (int k = 0; k < 9; k++) L[k] *= h->c;
    rt_m3_add_outer(L, h->k, h->theta, h->theta);
}

/* W (3 x 9): m = W y */
static void turning_rows(const rt_halfway *h, rt_scalar W[27])
{
    rt_scalar X[9];
    memset(W, 0, 27 * sizeof *W);
    rt_m3_identity(X);
    halfway_place(W, 0, 1, 1, X);
    rt_m3_skew(X, h->theta);
    halfway_place(W, 0, 2, -h->T, X);
}

void rt_halfway_rows(const rt_halfway *h, rt_scalar B[54])
{
    rt_scalar X[9];
    memset(B, 0, 54 * sizeof *B);
    rt_m3_identity(X);
    halfway_place(B, 0, 0, 1, X);
    rt_m3_skew(X, h->d);
    halfway_place(B, 0, 1, 1, X);
    skew_product(X, h->d, h->theta);
    halfway_place(B, 0, 2, -h->T, X);
    find_L(h, X);
    halfway_place(B, 3, 2, 1, X);
}

void rt_halfway_rate_rows(const rt_halfway *h, const rt_scalar B[54], rt_scalar E[54])
{
    const rt_scalar *rate = h->rate, along = rt_v3_dot(h->theta, rate + 3);
    rt_scalar X[9], w[81] = {0};
    memset(E, 0, 54 * sizeof *E);
    rt_m3_skew(X, rate);
    halfway_place(E, 0, 1, 1, X);
    skew_product(X, h->d, h->theta);
    halfway_place(E, 0, 2, -h->T2 * along, X);
    skew_product(X, rate, h->theta);
    halfway_place(E, 0, 2, -h->T, X);
    skew_product(X, h->d, rate + 3);
    halfway_place(E, 0, 2, -h->T, X);
    rt_m3_identity(X);
    for (int k = 0; k < 9; k++) X[k] *= h->c2 * along;
    rt_m3_add_outer(X, h->k2 * along, h->theta, h->theta);
    rt_m3_add_outer(X, h->k, rate + 3, h->theta);
    rt_m3_add_outer(X, h->k, h->theta, rate + 3);
    halfway_place(E, 3, 2, 1, X);
    rt_m3_skew(X, h->turning);
    for (int block = 0; block < 3; block++) halfway_place(w, 3 * block, block, 1, X);
    rt_halfway_multiply_add(E, -1, B, 6, 9, w);
}

/* ---- forces ---------------------------------------------------------------------------------- */

void rt_halfway_spread(const rt_halfway *h, rt_halfway_forces *f)
{
    rt_v3_cross(f->q, f->F, h->d);
    rt_v3_cross(f->arm, h->theta, f->q);
    apply_L(h, f->F + 3, f->t);
    rt_v3_add_scaled(f->t, h->T, f->arm);
}

/* d(L m)/dtheta for fixed m = c2 m theta' + (theta.m)(k2 theta theta' + k 1) + k theta m', and of
 * T theta x q for fixed q: -T q~ + T2 (theta x q) theta'; times L, since dtheta = L p. */
static void couple_moment(const rt_halfway *h, const rt_halfway_forces *f, rt_scalar X[9])
{
    const rt_scalar *m = f->F + 3, along = rt_v3_dot(h->theta, m);
    rt_scalar Y[9], L[9], q[9];
    rt_m3_identity(Y);
    rt_m3_skew(q, f->q);
    for (int k = 0; k < 9; k++) Y[k] = h->k * along * Y[k] - h->T * q[k];
    rt_m3_add_outer(Y, h->c2, m, h->theta);
    rt_m3_add_outer(Y, h->k2 * along, h->theta, h->theta);
    rt_m3_add_outer(Y, h->k, h->theta, m);
    rt_m3_add_outer(Y, h->T2, f->arm, h->theta);
    find_L(h, L);
    rt_m3_mul(X, Y, L);
}

/* R turns by W y, d changes by the first rows of
 * B y, theta by L p. */
void rt_halfway_geometric(const rt_halfway *h, const rt_halfway_forces *f, const rt_scalar B[54],
                          rt_scalar G[81])
{
    rt_scalar W[27], X[9], Y[9];
    turning_rows(h, W);
    const rt_scalar *turned[3] = {f->F, f->q, f->t};
    for (int block = 0; block < 3; block++) {
        rt_m3_skew(X, turned[block]);
        rt_halfway_multiply_add(G + 27 * block, -1, X, 3, 3, W);
    }
    rt_m3_skew(X, f->F);
    rt_halfway_multiply_add(G + 27, 1, X, 3, 3, B);
    skew_product(Y, h->theta, f->F);
    rt_halfway_multiply_add(G + 54, h->T, Y, 3, 3, B);
    couple_moment(h, f, X);
    halfway_place(G, 6, 2, 1, X);
}
