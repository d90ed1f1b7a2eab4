/* The geometrically exact beam element of higher order (Simo 1985; Reissner 1973) on the points of
 * Gauss, Lobatto and Legendre, integrated at the points of Gauss: free of locking. Rotations are
 * interpolated as quaternions that are then projected (Romero 2004; Grohs et al. 2019): strains do
 * not depend on the rotation of the whole, and no node is preferred.
 *
 * Node j has the rotation q_j against the reference configuration. At a point of Gauss, with
 *     x = sum N_j' r_j,   p = sum N_j q_j,   s = sum N_j' q_j,   ' by the coordinate from -1 to 1,
 * and x_0 the x of the reference configuration,
 *     e = (p* x p / |p|^2 - x_0,  2 Vec(p* s)/|p|^2):
 * strains in the reference configuration's axes, zero there whatever its shape is. The matrices
 * hold the weight, the length by the coordinate and the axes of the section. With z = (x, p, s),
 *     e = a/n,   n = |p|^2,   J = de/dz = (da/dz - e n_z')/n,   f = J'F on z,   F = -C e - D e',
 * and since a is quadratic in p and linear in x and s, all further derivatives are polynomials. */
#include "base/lobatto.h"
#include "base/rotation.h"
#include "elements/load_block.h"
#include "elements/loads.h"
#include "model/load_fields.h"
#include "model/rod_shape.h"

enum { NZ = 11, P = 3, S = 7 }; /* of z: where p and s begin */

typedef struct spectral_nodes {
    int n;
    rt_scalar q[RT_LOAD_NODES][4], q1[RT_LOAD_NODES][4]; /* and its rate */
} spectral_nodes;

typedef struct spectral_point {
    rt_scalar N[RT_LOAD_NODES], slope[RT_LOAD_NODES];
    rt_scalar z[NZ], z1[NZ];
    rt_scalar n, n1;
    rt_scalar J[6 * NZ], J1[6 * NZ];
    rt_scalar e[6], rate[6];
    rt_scalar F[6], f[NZ];
    const rt_scalar *x0, *C, *D;
    bool damped;
} spectral_point;

/* ---- quaternions, scalar first --------------------------------------------------------------- */

/* c = a b */
static void spectral_times(rt_scalar c[4], const rt_scalar a[4], const rt_scalar b[4])
{
    rt_scalar v[3];
    rt_v3_cross(v, a + 1, b + 1);
    for (int k = 0; k < 3; k++) v[k] += a[0] * b[k + 1] + b[0] * a[k + 1];
    c[0] = a[0] * b[0] - rt_v3_dot(a + 1, b + 1);
    rt_v3_copy(c + 1, v);
}

static void spectral_conjugate(rt_scalar c[4], const rt_scalar a[4])
{
    c[0] = a[0];
    for (int k = 1; k < 4; k++) c[k] = -a[k];
}

static rt_scalar spectral_dot4(const rt_scalar *a, const rt_scalar *b)
{
    return a[0] * b[0] + rt_v3_dot(a + 1, b + 1);
}

/* c = a* b */
static void spectral_conjugate_times(rt_scalar c[4], const rt_scalar a[4], const rt_scalar b[4])
{
    rt_scalar conjugate[4];
    spectral_conjugate(conjugate, a);
    spectral_times(c, conjugate, b);
}

/* c = a b* */
static void spectral_times_conjugate(rt_scalar c[4], const rt_scalar a[4], const rt_scalar b[4])
{
    rt_scalar conjugate[4];
    spectral_conjugate(conjugate, b);
    spectral_times(c, a, conjugate);
}

static void spectral_pure(rt_scalar c[4], const rt_scalar v[3])
{
    c[0] = 0;
    rt_v3_copy(c + 1, v);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* q of A B, and its rate w q/2; of q and -q, which are the same rotation, that nearer to the node
 * before. false: it is rotated by half a revolution against that. */
static bool spectral_find_nodes(const rt_load_at *at, spectral_nodes *s)
{
    s->n = at->load->n_nodes;
    for (int j = 0; j < s->n; j++) {
        const rt_frame *f = at->node[j];
        rt_scalar Q[9], w[4];
        rt_m3_mul(Q, f->A, at->numbers + 9 * (size_t)j);
        rt_rotation_to_quaternion(s->q[j], Q);
        const rt_scalar along = j ? spectral_dot4(s->q[j], s->q[j - 1]) : 1;
        if (fabs(rt_re(along)) < 1e-7) return false;
        for (int k = 0; k < 4 && rt_re(along) < 0; k++) s->q[j][k] = -s->q[j][k];
        spectral_pure(w, f->w);
        spectral_times(s->q1[j], w, s->q[j]);
        for (int k = 0; k < 4; k++) s->q1[j][k] /= 2;
    }
    return true;
}

/* dq = G dtheta = dtheta q/2; G 4 x 3. The same of a rate. */
static void spectral_rows_of_turn(rt_scalar G[12], const rt_scalar q[4])
{
    rt_m3_skew(G + 3, q + 1);
    for (int k = 0; k < 3; k++) {
        G[k] = -q[k + 1] / 2;
        for (int i = 0; i < 3; i++) G[3 + 3 * i + k] = ((i == k ? q[0] : 0) - G[3 + 3 * i + k]) / 2;
    }
}

/* ---- strains --------------------------------------------------------------------------------- */

/* M v = p* v q + q* v p, halved: p* v p where q is p. */
static void spectral_turned_back(rt_scalar M[9], const rt_scalar p[4], const rt_scalar q[4])
{
    rt_scalar X[9], Y[9];
    const rt_scalar square = p[0] * q[0] - rt_v3_dot(p + 1, q + 1);
    rt_m3_skew(X, p + 1);
    rt_m3_skew(Y, q + 1);
    for (int k = 0; k < 9; k++) M[k] = -(q[0] * X[k] + p[0] * Y[k]);
    for (int k = 0; k < 3; k++) M[4 * k] += square;
    rt_m3_add_outer(M, 1, p + 1, q + 1);
    rt_m3_add_outer(M, 1, q + 1, p + 1);
}

/* A[row.., column..] = scale times the rows of v -> Vec(u v). */
static void spectral_put_left(rt_scalar A[6 * NZ], int row, int column, rt_scalar scale,
                              const rt_scalar u[4])
{
    rt_scalar X[9];
    rt_m3_skew(X, u + 1);
    for (int i = 0; i < 3; i++) {
        A[NZ * (row + i) + column] = scale * u[i + 1];
        for (int k = 0; k < 3; k++)
            A[NZ * (row + i) + column + 1 + k] = scale * ((i == k ? u[0] : 0) + X[3 * i + k]);
    }
}

/* da/dz, or its rate: M of x, u = p* x, p and s, or the rates of all four:
 *     M dx + 2 Vec(u dp) - 2 (p . dp) x_0,     -2 Vec(s* dp) + 2 Vec(p* ds) */
static void spectral_find_rows(const rt_scalar M[9], const rt_scalar u[4], const rt_scalar *p,
                               const rt_scalar *s, const rt_scalar x0[3], rt_scalar A[6 * NZ])
{
    rt_scalar conjugate[4];
    memset(A, 0, 6 * NZ * sizeof *A);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) A[NZ * i + k] = M[3 * i + k];
    spectral_put_left(A, 0, P, 2, u);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) A[NZ * i + P + k] -= 2 * x0[i] * p[k];
    spectral_conjugate(conjugate, s);
    spectral_put_left(A, 3, P, -2, conjugate);
    spectral_conjugate(conjugate, p);
    spectral_put_left(A, 3, S, 2, conjugate);
}

/* Places from that of a node near by, which the slopes leave out: large places lose digits. */
static void spectral_interpolate(const rt_load_at *at, const spectral_nodes *s, int g,
                                 spectral_point *o)
{
    const rt_frame *near = at->node[g < (s->n - 1) / 2 ? g : g + 1];
    rt_lobatto_shapes(s->n - 1, g, o->N, o->slope);
    memset(o->z, 0, sizeof o->z);
    memset(o->z1, 0, sizeof o->z1);
    for (int j = 0; j < s->n; j++) {
        rt_scalar d[3];
        rt_v3_sub(d, at->node[j]->r, near->r);
        rt_v3_add_scaled(o->z, o->slope[j], d);
        rt_v3_add_scaled(o->z1, o->slope[j], at->node[j]->v);
        for (int k = 0; k < 4; k++) {
            o->z[P + k] += o->N[j] * s->q[j][k];
            o->z[S + k] += o->slope[j] * s->q[j][k];
            o->z1[P + k] += o->N[j] * s->q1[j][k];
            o->z1[S + k] += o->slope[j] * s->q1[j][k];
        }
    }
}

static void spectral_multiply_rows(rt_scalar out[6], const rt_scalar A[6 * NZ],
                                   const rt_scalar z[NZ])
{
    for (int i = 0; i < 6; i++) {
        out[i] = 0;
        for (int k = 0; k < NZ; k++) out[i] += A[NZ * i + k] * z[k];
    }
}

/* e and J. false: |p| is zero to rounding, so p is no direction. */
static bool spectral_find_strain(spectral_point *o)
{
    const rt_scalar *x = o->z, *p = o->z + P, *s = o->z + S;
    rt_scalar M[9], u[4], pure[4], b[4];
    o->n = spectral_dot4(p, p);
    o->n1 = 2 * spectral_dot4(p, o->z1 + P);
    if (!(rt_re(o->n) > 1e-8)) return false;
    spectral_turned_back(M, p, p);
    rt_m3_mul_v(o->e, M, x);
    spectral_conjugate_times(b, p, s);
    for (int k = 0; k < 3; k++) {
        o->e[k] = o->e[k] / o->n - o->x0[k];
        o->e[3 + k] = 2 * b[k + 1] / o->n;
    }
    spectral_pure(pure, x);
    spectral_conjugate_times(u, p, pure);
    spectral_find_rows(M, u, p, s, o->x0, o->J);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < NZ; k++) {
            if (k >= P && k < S) o->J[NZ * i + k] -= 2 * o->e[i] * p[k - P];
            o->J[NZ * i + k] /= o->n;
        }
    spectral_multiply_rows(o->rate, o->J, o->z1);
    return true;
}

/* J' = ((da/dz)' - e' n_z' - e n_z'' - J n')/n */
static void spectral_find_rate_rows(spectral_point *o)
{
    const rt_scalar *x = o->z, *p = o->z + P, *x1 = o->z1, *p1 = o->z1 + P;
    rt_scalar M[9], u[4], pure[4], more[4];
    spectral_turned_back(M, p, p1);
    for (int k = 0; k < 9; k++) M[k] *= 2;
    spectral_pure(pure, x);
    spectral_conjugate_times(u, p1, pure);
    spectral_pure(pure, x1);
    spectral_conjugate_times(more, p, pure);
    for (int k = 0; k < 4; k++) u[k] += more[k];
    spectral_find_rows(M, u, p1, o->z1 + S, o->x0, o->J1);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < NZ; k++) {
            rt_scalar *y = &o->J1[NZ * i + k];
            if (k >= P && k < S) *y -= 2 * (o->rate[i] * p[k - P] + o->e[i] * p1[k - P]);
            *y = (*y - o->J[NZ * i + k] * o->n1) / o->n;
        }
}

/* ---- forces ---------------------------------------------------------------------------------- */

static void spectral_find_forces(spectral_point *o)
{
    o->damped = false;
    for (int k = 0; k < 36 && !o->damped; k++) o->damped = o->D[k] != 0;
    for (int i = 0; i < 6; i++) {
        o->F[i] = 0;
        for (int k = 0; k < 6; k++) {
            o->F[i] -= o->C[6 * i + k] * o->e[k];
            if (o->damped) o->F[i] -= o->D[6 * i + k] * o->rate[k];
        }
    }
    for (int k = 0; k < NZ; k++) {
        o->f[k] = 0;
        for (int i = 0; i < 6; i++) o->f[k] += o->J[NZ * i + k] * o->F[i];
    }
}

/* What a point of Gauss adds to the forces on r_j and to those on q_j. */
static void spectral_add_forces(const spectral_point *o, int n, rt_scalar wrench[][6],
                                rt_scalar on_q[][4])
{
    for (int j = 0; j < n; j++) {
        rt_v3_add_scaled(wrench[j], o->slope[j], o->f);
        for (int k = 0; k < 4; k++) on_q[j][k] += o->N[j] * o->f[P + k] + o->slope[j] * o->f[S + k];
    }
}

/* ---- partials -------------------------------------------------------------------------------- */

/* B[6 x 6 of node j]: de by (dr, dtheta), from rows J and the rows G of a turn. */
static void spectral_node_rows(const spectral_point *o, const rt_scalar J[6 * NZ], int j,
                               const rt_scalar G[12], rt_scalar B[36])
{
    for (int i = 0; i < 6; i++) {
        rt_scalar c[4];
        for (int k = 0; k < 4; k++)
            c[k] = o->N[j] * J[NZ * i + P + k] + o->slope[j] * J[NZ * i + S + k];
        for (int k = 0; k < 3; k++) {
            B[6 * i + k] = o->slope[j] * J[NZ * i + k];
            B[6 * i + 3 + k] = c[0] * G[k] + c[1] * G[3 + k] + c[2] * G[6 + k] + c[3] * G[9 + k];
        }
    }
}

static void spectral_add_product(rt_scalar X[36], rt_scalar scale, const rt_scalar A[36],
                                 const rt_scalar B[36])
{
    for (int i = 0; i < 6; i++)
        for (int l = 0; l < 6; l++)
            for (int k = 0; k < 6; k++) X[6 * i + k] += scale * A[6 * i + l] * B[6 * l + k];
}

/* The 6 x 6 block of nodes a and b += X' Y. */
static void spectral_add_block(const rt_nodes_result *out, int level, int a, int b,
                               const rt_scalar X[36], const rt_scalar Y[36])
{
    const int row = out->place[a], column = out->place[b];
    if (row < 0 || column < 0) return;
    rt_scalar *to = out->partial[level] + (size_t)6 * row * out->wide + 6 * column;
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) {
            rt_scalar sum = 0;
            for (int l = 0; l < 6; l++) sum += X[6 * l + i] * Y[6 * l + k];
            to[i * out->wide + k] += sum;
        }
}

typedef struct spectral_rows {
    rt_scalar G[RT_LOAD_NODES][12];
    rt_scalar B[RT_LOAD_NODES][36], B1[RT_LOAD_NODES][36]; /* and its rate, where damped */
} spectral_rows;

static void spectral_find_node_rows(const spectral_nodes *s, const spectral_point *o,
                                    spectral_rows *rows)
{
    for (int j = 0; j < s->n; j++) {
        rt_scalar G1[12], more[36];
        spectral_node_rows(o, o->J, j, rows->G[j], rows->B[j]);
        if (!o->damped) continue;
        spectral_rows_of_turn(G1, s->q1[j]);
        spectral_node_rows(o, o->J1, j, rows->G[j], rows->B1[j]);
        spectral_node_rows(o, o->J, j, G1, more);
        for (int i = 0; i < 6; i++)
            for (int k = 3; k < 6; k++) rows->B1[j][6 * i + k] += more[6 * i + k];
    }
}

/* -B'(C B + D B') by positions, -B' D B by velocities */
static void spectral_add_material(const spectral_nodes *s, const spectral_point *o,
                                  const spectral_rows *rows, const rt_nodes_result *out)
{
    for (int b = 0; b < s->n; b++) {
        rt_scalar K[36] = {0}, D[36] = {0};
        spectral_add_product(K, -1, o->C, rows->B[b]);
        if (o->damped) {
            spectral_add_product(K, -1, o->D, rows->B1[b]);
            spectral_add_product(D, -1, o->D, rows->B[b]);
        }
        for (int a = 0; a < s->n; a++) {
            spectral_add_block(out, RT_LEVEL_POSITION, a, b, rows->B[a], K);
            if (o->damped) spectral_add_block(out, RT_LEVEL_VELOCITY, a, b, rows->B[a], D);
        }
    }
}

/* d(J'F)/dz with F held: of w = F . a the second derivatives, F = (n, m),
 *     dx dp: 2 Vec(p n dp*),   dp dp: -2 (x dp) n - 2 (n . x_0) dp,   dp ds: 2 <ds, dp m>,
 * and H = (w_zz - f n_z' - n_z f' - (F . e) n_zz)/n. */
typedef struct spectral_curvature {
    rt_scalar xp[12], pp[16], ps[16];
} spectral_curvature;

static void spectral_find_curvature(const spectral_point *o, spectral_curvature *h)
{
    const rt_scalar *p = o->z + P, *f = o->f;
    rt_scalar n[4], m[4], x[4], pn[4], X[9], along = 0;
    spectral_pure(n, o->F);
    spectral_pure(m, o->F + 3);
    spectral_pure(x, o->z);
    spectral_times(pn, p, n);
    rt_m3_skew(X, pn + 1);
    for (int k = 0; k < 3; k++) {
        h->xp[4 * k] = 2 * pn[k + 1];
        for (int i = 0; i < 3; i++)
            h->xp[4 * k + 1 + i] = -2 * ((i == k ? pn[0] : 0) + X[3 * k + i]);
    }
    for (int k = 0; k < 6; k++) along += o->F[k] * (o->e[k] + (k < 3 ? o->x0[k] : 0));
    for (int k = 0; k < 4; k++) {
        rt_scalar unit[4] = {0}, left[4], both[4], right[4];
        unit[k] = 1;
        spectral_times(left, x, unit);
        spectral_times(both, left, n);
        spectral_times(right, unit, m);
        for (int i = 0; i < 4; i++) {
            h->pp[4 * i + k] = -2 * both[i] - 2 * (f[P + i] * p[k] + p[i] * f[P + k]);
            h->ps[4 * k + i] = 2 * right[i] - 2 * p[k] * f[S + i];
        }
        h->pp[5 * k] -= 2 * along;
        for (int i = 0; i < 3; i++) h->xp[4 * i + k] -= 2 * f[i] * p[k];
    }
    for (int k = 0; k < 12; k++) h->xp[k] /= o->n;
    for (int k = 0; k < 16; k++) h->pp[k] /= o->n, h->ps[k] /= o->n;
}

/* The block of nodes a and b += Z_a' H Z_b, by
 *     (x p) of r_a and theta_b, its transpose, and (p p), (p s), (s p) of both thetas */
static void spectral_add_curved(const spectral_point *o, const spectral_curvature *h,
                                const spectral_rows *rows, int a, int b, const rt_nodes_result *out)
{
    const int row = out->place[a], column = out->place[b], wide = out->wide;
    if (row < 0 || column < 0) return;
    rt_scalar *to = out->partial[RT_LEVEL_POSITION] + (size_t)6 * row * wide + 6 * column;
    const rt_scalar *A = rows->G[a], *B = rows->G[b];
    rt_scalar T[12];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            rt_scalar ab = 0, ba = 0;
            for (int l = 0; l < 4; l++) {
                ab += h->xp[4 * i + l] * B[3 * l + k];
                ba += A[3 * l + i] * h->xp[4 * k + l];
            }
            to[i * wide + 3 + k] += o->slope[a] * o->N[b] * ab;
            to[(3 + i) * wide + k] += o->N[a] * o->slope[b] * ba;
        }
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            T[3 * i + k] = 0;
            for (int l = 0; l < 4; l++)
                T[3 * i + k] += (o->N[a] * o->N[b] * h->pp[4 * i + l] +
                                 o->N[a] * o->slope[b] * h->ps[4 * i + l] +
                                 o->slope[a] * o->N[b] * h->ps[4 * l + i]) *
                                B[3 * l + k];
        }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 4; l++) to[(3 + i) * wide + 3 + k] += A[3 * l + i] * T[3 * l + k];
}

/* The torque of a force u q on q is Vec(u)/2: by dtheta of its node, -u_0/4 - t~/2. */
static void spectral_add_turning(const rt_nodes_result *out, int j, const rt_scalar u[4])
{
    const int row = out->place[j], wide = out->wide;
    rt_scalar X[9];
    if (row < 0) return;
    rt_scalar *to = out->partial[RT_LEVEL_POSITION] + (size_t)(6 * row + 3) * wide + 6 * row + 3;
    rt_m3_skew(X, u + 1);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) to[i * wide + k] -= (X[3 * i + k] + (i == k ? u[0] : 0)) / 4;
}

/* ---- the element ----------------------------------------------------------------------------- */

static void spectral_take_numbers(const rt_load_at *at, int n, int g, spectral_point *o)
{
    const rt_scalar *x = at->numbers + 9 * (size_t)n + (size_t)RT_SPECTRAL_POINT * (size_t)g;
    o->x0 = x, o->C = x + 3, o->D = x + 39;
}

static void spectral_add_partials(const spectral_nodes *s, spectral_point *o, spectral_rows *rows,
                                  const rt_nodes_result *out)
{
    spectral_curvature h;
    if (o->damped) spectral_find_rate_rows(o);
    spectral_find_node_rows(s, o, rows);
    spectral_add_material(s, o, rows, out);
    spectral_find_curvature(o, &h);
    for (int a = 0; a < s->n; a++)
        for (int b = 0; b < s->n; b++) spectral_add_curved(o, &h, rows, a, b, out);
}

static bool spectral_evaluate(const rt_load_at *at, bool partials, const rt_nodes_result *out)
{
    spectral_nodes s;
    spectral_rows rows;
    rt_scalar on_q[RT_LOAD_NODES][4] = {{0}};
    if (!spectral_find_nodes(at, &s)) return false;
    memset(out->wrench, 0, (size_t)s.n * sizeof *out->wrench);
    for (int j = 0; j < s.n; j++) spectral_rows_of_turn(rows.G[j], s.q[j]);
    for (int g = 0; g < s.n - 1; g++) {
        spectral_point o;
        spectral_take_numbers(at, s.n, g, &o);
        spectral_interpolate(at, &s, g, &o);
        if (!spectral_find_strain(&o)) return false;
        spectral_find_forces(&o);
        spectral_add_forces(&o, s.n, out->wrench, on_q);
        if (partials) spectral_add_partials(&s, &o, &rows, out);
    }
    for (int j = 0; j < s.n; j++) {
        rt_scalar u[4];
        spectral_times_conjugate(u, on_q[j], s.q[j]);
        for (int k = 0; k < 3; k++) out->wrench[j][3 + k] = u[k + 1] / 2;
        if (partials) spectral_add_turning(out, j, u);
    }
    return true;
}

/* sum 1/2 e'C e over the points of Gauss */
static rt_scalar spectral_energy(const rt_load_at *at)
{
    spectral_nodes s;
    rt_scalar sum = 0;
    if (!spectral_find_nodes(at, &s)) return 0;
    for (int g = 0; g < s.n - 1; g++) {
        spectral_point o;
        spectral_take_numbers(at, s.n, g, &o);
        spectral_interpolate(at, &s, g, &o);
        if (!spectral_find_strain(&o)) return 0;
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 6; k++) sum += o.e[i] * o.C[6 * i + k] * o.e[k] / 2;
    }
    return sum;
}

/* ---- the class ------------------------------------------------------------------------------ */

static const rt_number *spectral_axes(const rt_load *load, int node)
{
    return load->list + 9 * (size_t)node;
}

static const rt_number *spectral_lengths(const rt_load *load, int k)
{
    if (k >= load->n_nodes - 1) return NULL;
    return load->list + 9 * (size_t)load->n_nodes + (size_t)RT_SPECTRAL_POINT * (size_t)k;
}

static const rt_field spectral_fields[] = {
    LOAD_TYPE,
    LOAD_BETWEEN("its two ends"),
    {"through", RT_FIELD_MARKERS, LOAD(through), .required = true, .unit = "",
     .doc = "a list of 1 to 7 markers between them, in order; with k of them its order is k + 1. "
            "They stand for its Gauss-Lobatto-Legendre points: in the reference "
            "configuration the axis is the polynomial through all of them"},
    LOAD_SIDE("the mean of the ends' y axes"),
    LOAD_SECTION_STIFFNESS,
    LOAD_SECTION_DAMPING,
};

const rt_load_class rt_load_class_spectral_rod = {
    .kind = {"spectral_rod", RT_LOAD_SPECTRAL_ROD, LOAD_FIELDS(spectral_fields),
             .doc = "A massless geometrically exact beam element of higher order through several "
                    "markers, free of load in the reference configuration, where it may be curved. "
                    "Section `beams` makes whole beams of it."},
    .wound = "it was bent or twisted through half a revolution between two of its nodes, where the "
             "angle is not defined; divide it into more elements",
    .axes = spectral_axes,
    .lengths = spectral_lengths,
    .mesh = true,
    .one_body = true,
    .evaluate_nodes = spectral_evaluate,
    .undefined = "it is bent or twisted by half a revolution between two of its nodes, where the "
                 "angle is not defined; divide it into several elements",
    .energy = spectral_energy,
    .picture = RT_PICTURE_PLAIN,
    .sample_parameters = "EA: 60, GJ: 5, EI: 8, s: 2",
    .sample = "between: [i, j], through: [k], side: [0, 0.2, 1], stiffness: [[EA,1,0,0,0,0], "
              "[1,50,0,0,0,0], [0,0,40,0,0,0], [0,0,0,GJ,0,0.3], [0,0,0,0,EI,0], "
              "[0,0,0,0.3,0,6]], damping: [[s,0,0,0,0,0], [0,2,0,0,0,0], [0,0,1,0,0,0], "
              "[0,0,0,0.4,0,0], [0,0,0,0,0.3,0], [0,0,0,0,0,0.2]]",
};
