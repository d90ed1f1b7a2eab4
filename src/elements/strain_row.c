/* See strain_row.h. With a = c_f . p* x p + 2 c_m . p* s and n = |p|^2, Phi = a/n - c_f . x_0; by z
 *     a_x = Vec(p c_f p*),   a_p = -2 (x p c_f + s c_m),   a_s = 2 p c_m,   a = a_x . x + a_s . s
 *     g = (a_z - (a/n) n_z)/n,    n_z = (0, 2 p, 0)
 * and on node j the force N_j' g_x and the torque Vec(u q_j*)/2, u = N_j g_p + N_j' g_s. All of it
 * is worked out as jets along the motion: value, first and second time derivative. */
#include "elements/strain_row.h"

#include <string.h>

#include "base/lobatto.h"
#include "base/rotation.h"

enum { STRAIN_NODES = RT_LOBATTO_ORDER + 1, STRAIN_Z = 11, STRAIN_P = 3, STRAIN_S = 7 };

/* A quaternion, scalar first, and its two time derivatives. */
typedef struct strain_jet {
    rt_scalar d[3][4];
} strain_jet;

typedef struct strain_point {
    rt_scalar N[STRAIN_NODES], slope[STRAIN_NODES];
    rt_scalar f[4], m[4]; /* c_f and c_m */
    strain_jet q[STRAIN_NODES];
    strain_jet x, p, s;
    rt_scalar n[3], ratio[3]; /* |p|^2 and a/n */
    strain_jet gx, gp, gs;
} strain_point;

/* ---- quaternions and jets of them ------------------------------------------------------------ */

/* c += scale a b */
static void strain_add_product(rt_scalar c[4], rt_scalar scale, const rt_scalar a[4],
                               const rt_scalar b[4])
{
    rt_scalar v[3];
    rt_v3_cross(v, a + 1, b + 1);
    c[0] += scale * (a[0] * b[0] - rt_v3_dot(a + 1, b + 1));
    for (int k = 0; k < 3; k++) c[k + 1] += scale * (v[k] + a[0] * b[k + 1] + b[0] * a[k + 1]);
}

static void strain_conjugate(rt_scalar c[4], const rt_scalar a[4])
{
    c[0] = a[0];
    for (int k = 1; k < 4; k++) c[k] = -a[k];
}

static rt_scalar strain_dot(const rt_scalar a[4], const rt_scalar b[4])
{
    return a[0] * b[0] + rt_v3_dot(a + 1, b + 1);
}

static strain_jet strain_conjugated(const strain_jet *a)
{
    strain_jet c;
    for (int d = 0; d < 3; d++) strain_conjugate(c.d[d], a->d[d]);
    return c;
}

/* (a b)^(d) = sum of binomials times a^(i) b^(d - i) */
static const double strain_binomial[3][3] = {{1, 0, 0}, {1, 1, 0}, {1, 2, 1}};

static void strain_add_jets(strain_jet *c, rt_scalar scale, const strain_jet *a,
                            const strain_jet *b)
{
    for (int d = 0; d < 3; d++)
        for (int i = 0; i <= d; i++)
            strain_add_product(c->d[d], scale * strain_binomial[d][i], a->d[i], b->d[d - i]);
}

/* a b, b constant */
static strain_jet strain_times(const strain_jet *a, const rt_scalar b[4])
{
    strain_jet c = {{{0}}};
    for (int d = 0; d < 3; d++) strain_add_product(c.d[d], 1, a->d[d], b);
    return c;
}

static void strain_add_dots(rt_scalar y[3], const strain_jet *a, const strain_jet *b)
{
    for (int d = 0; d < 3; d++)
        for (int i = 0; i <= d; i++)
            y[d] += strain_binomial[d][i] * strain_dot(a->d[i], b->d[d - i]);
}

/* y = y/n */
static void strain_divide(rt_scalar y[3], const rt_scalar n[3])
{
    y[0] /= n[0];
    y[1] = (y[1] - y[0] * n[1]) / n[0];
    y[2] = (y[2] - 2 * y[1] * n[1] - y[0] * n[2]) / n[0];
}

static void strain_divide_jet(strain_jet *a, const rt_scalar n[3])
{
    for (int k = 0; k < 4; k++) {
        rt_scalar y[3] = {a->d[0][k], a->d[1][k], a->d[2][k]};
        strain_divide(y, n);
        for (int d = 0; d < 3; d++) a->d[d][k] = y[d];
    }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* q of A B; q' = w q/2, q'' = (w' q + w q')/2. */
static void strain_find_node(const rt_frame *f, const rt_scalar axes[9], strain_jet *q)
{
    rt_scalar Q[9];
    const rt_scalar w[4] = {0, f->w[0], f->w[1], f->w[2]};
    const rt_scalar al[4] = {0, f->al[0], f->al[1], f->al[2]};
    memset(q, 0, sizeof *q);
    rt_m3_mul(Q, f->A, axes);
    rt_rotation_to_quaternion(q->d[0], Q);
    strain_add_product(q->d[1], 0.5, w, q->d[0]);
    strain_add_product(q->d[2], 0.5, al, q->d[0]);
    strain_add_product(q->d[2], 0.5, w, q->d[1]);
}

/* Of q and -q, the same rotation, that nearer to the node before. false: it is rotated by half a
 * revolution against that. */
static bool strain_find_nodes(const rt_strain_row *row, rt_frames frames, strain_point *o)
{
    for (int j = 0; j < row->n_nodes; j++) {
        strain_jet *q = &o->q[j];
        strain_find_node(rt_frame_of(frames.marker, row->nodes[j]), row->axes + 9 * (size_t)j, q);
        const rt_scalar along = j ? strain_dot(q->d[0], o->q[j - 1].d[0]) : 1;
        if (fabs(rt_re(along)) < 1e-7) return false;
        for (int k = 0; k < 12 && rt_re(along) < 0; k++) q->d[k / 4][k % 4] = -q->d[k / 4][k % 4];
    }
    return true;
}

/* Places from that of a node near by, which the slopes leave out: large places lose digits. */
static void strain_interpolate(const rt_strain_row *row, rt_frames frames, strain_point *o)
{
    const int order = row->n_nodes - 1, g = row->point;
    const rt_frame *near = rt_frame_of(frames.marker, row->nodes[g < order / 2 ? g : g + 1]);
    rt_lobatto_shapes(order, g, o->N, o->slope);
    memset(&o->x, 0, sizeof o->x);
    memset(&o->p, 0, sizeof o->p);
    memset(&o->s, 0, sizeof o->s);
    for (int j = 0; j <= order; j++) {
        const rt_frame *f = rt_frame_of(frames.marker, row->nodes[j]);
        rt_scalar r[3];
        rt_v3_sub(r, f->r, near->r);
        rt_v3_add_scaled(o->x.d[0] + 1, o->slope[j], r);
        rt_v3_add_scaled(o->x.d[1] + 1, o->slope[j], f->v);
        rt_v3_add_scaled(o->x.d[2] + 1, o->slope[j], f->a);
        for (int k = 0; k < 12; k++) {
            o->p.d[k / 4][k % 4] += o->N[j] * o->q[j].d[k / 4][k % 4];
            o->s.d[k / 4][k % 4] += o->slope[j] * o->q[j].d[k / 4][k % 4];
        }
    }
}

/* ---- the row --------------------------------------------------------------------------------- */

static void strain_find_gradient(strain_point *o)
{
    const strain_jet pf = strain_times(&o->p, o->f), back = strain_conjugated(&o->p);
    memset(o->ratio, 0, sizeof o->ratio);
    memset(o->n, 0, sizeof o->n);
    memset(&o->gx, 0, sizeof o->gx);
    memset(&o->gp, 0, sizeof o->gp);
    strain_add_jets(&o->gx, 1, &pf, &back);
    o->gs = strain_times(&o->p, o->m);
    const strain_jet sm = strain_times(&o->s, o->m);
    strain_add_jets(&o->gp, -2, &o->x, &pf);
    for (int k = 0; k < 12; k++) {
        o->gp.d[k / 4][k % 4] -= 2 * sm.d[k / 4][k % 4];
        o->gs.d[k / 4][k % 4] *= 2;
    }
    strain_add_dots(o->ratio, &o->gx, &o->x);
    strain_add_dots(o->ratio, &o->gs, &o->s);
    strain_add_dots(o->n, &o->p, &o->p);
    strain_divide(o->ratio, o->n);
    for (int d = 0; d < 3; d++)
        for (int i = 0; i <= d; i++)
            for (int k = 0; k < 4; k++)
                o->gp.d[d][k] -= 2 * strain_binomial[d][i] * o->ratio[i] * o->p.d[d - i][k];
    strain_divide_jet(&o->gx, o->n);
    strain_divide_jet(&o->gp, o->n);
    strain_divide_jet(&o->gs, o->n);
}

/* u = N_j g_p + N_j' g_s */
static strain_jet strain_on_node(const strain_point *o, int j)
{
    strain_jet u;
    for (int k = 0; k < 12; k++)
        u.d[k / 4][k % 4] = o->N[j] * o->gp.d[k / 4][k % 4] + o->slope[j] * o->gs.d[k / 4][k % 4];
    return u;
}

static void strain_add_node(const strain_point *o, int j, int frame, rt_gradient *phi)
{
    const int slot = rt_gradient_slot(phi, frame);
    if (slot < 0) return;
    const strain_jet u = strain_on_node(o, j), back = strain_conjugated(&o->q[j]);
    strain_jet turn = {{{0}}};
    strain_add_jets(&turn, 0.5, &u, &back);
    for (int d = 0; d < 3; d++) {
        rt_v3_add_scaled(phi->p[d][slot], o->slope[j], o->gx.d[d] + 1);
        for (int k = 0; k < 3; k++) phi->p[d][slot][3 + k] += turn.d[d][k + 1];
    }
}

/* false: it is not defined */
static bool strain_find(const rt_strain_row *row, rt_frames frames, strain_point *o)
{
    if (!strain_find_nodes(row, frames, o)) return false;
    strain_interpolate(row, frames, o);
    o->f[0] = o->m[0] = 0;
    rt_v3_copy(o->f + 1, row->own + 3);
    rt_v3_copy(o->m + 1, row->own + 6);
    if (!(rt_re(strain_dot(o->p.d[0], o->p.d[0])) > 1e-8)) return false;
    strain_find_gradient(o);
    return true;
}

void rt_strain_evaluate(const rt_strain_row *row, rt_frames frames, rt_scalar value[3],
                        rt_gradient *phi)
{
    strain_point o;
    phi->n = 0;
    if (!strain_find(row, frames, &o)) {
        for (int d = 0; d < 3; d++) value[d] = NAN;
        return;
    }
    for (int d = 0; d < 3; d++) value[d] = o.ratio[d];
    value[0] -= rt_v3_dot(row->own, row->own + 3);
    for (int j = 0; j < row->n_nodes; j++) strain_add_node(&o, j, row->nodes[j], phi);
}

/* ---- curvature ------------------------------------------------------------------------------- */

/* The change dg of g where z changes by dz = (dx, dp, ds). */
static void strain_change(const strain_point *o, const rt_scalar dz[STRAIN_Z],
                          rt_scalar dg[STRAIN_Z])
{
    const rt_scalar *p = o->p.d[0], *x = o->x.d[0], *dp = dz + STRAIN_P, *ds = dz + STRAIN_S;
    const rt_scalar *gx = o->gx.d[0], *gp = o->gp.d[0], *gs = o->gs.d[0];
    const rt_scalar dx[4] = {0, dz[0], dz[1], dz[2]};
    rt_scalar pf[4] = {0}, dpf[4] = {0}, back[4], dback[4], ax[4] = {0}, ap[4] = {0}, as[4] = {0};
    strain_add_product(pf, 1, p, o->f);
    strain_add_product(dpf, 1, dp, o->f);
    strain_conjugate(back, p);
    strain_conjugate(dback, dp);
    strain_add_product(ax, 1, dpf, back);
    strain_add_product(ax, 1, pf, dback);
    strain_add_product(ap, -2, dx, pf);
    strain_add_product(ap, -2, x, dpf);
    strain_add_product(ap, -2, ds, o->m);
    strain_add_product(as, 2, dp, o->m);
    const rt_scalar dn = 2 * strain_dot(p, dp);
    const rt_scalar change = strain_dot(gx, dx) + strain_dot(gp, dp) + strain_dot(gs, ds);
    for (int k = 0; k < 3; k++) dg[k] = (ax[k + 1] - gx[k + 1] * dn) / o->n[0];
    for (int k = 0; k < 4; k++) {
        dg[STRAIN_P + k] =
            (ap[k] - 2 * change * p[k] - 2 * o->ratio[0] * dp[k] - gp[k] * dn) / o->n[0];
        dg[STRAIN_S + k] = (as[k] - gs[k] * dn) / o->n[0];
    }
}

/* dq = dtheta q/2 */
static void strain_turn(const strain_point *o, int j, int k, rt_scalar dq[4])
{
    rt_scalar axis[4] = {0};
    axis[k + 1] = 0.5;
    memset(dq, 0, 4 * sizeof *dq);
    strain_add_product(dq, 1, axis, o->q[j].d[0]);
}

/* dz by component k of the variation of node j */
static void strain_direction(const strain_point *o, int j, int k, rt_scalar dz[STRAIN_Z])
{
    rt_scalar dq[4];
    memset(dz, 0, STRAIN_Z * sizeof *dz);
    if (k < 3) {
        dz[k] = o->slope[j];
        return;
    }
    strain_turn(o, j, k - 3, dq);
    for (int i = 0; i < 4; i++) {
        dz[STRAIN_P + i] = o->N[j] * dq[i];
        dz[STRAIN_S + i] = o->slope[j] * dq[i];
    }
}

/* A column of H: what dg adds on node j. */
static void strain_spread(const strain_point *o, const rt_scalar dg[STRAIN_Z], int j,
                          rt_scalar scale, rt_scalar column[6])
{
    rt_scalar u[4], back[4], turn[4] = {0};
    for (int i = 0; i < 4; i++) u[i] = o->N[j] * dg[STRAIN_P + i] + o->slope[j] * dg[STRAIN_S + i];
    strain_conjugate(back, o->q[j].d[0]);
    strain_add_product(turn, 0.5, u, back);
    for (int k = 0; k < 3; k++) {
        column[k] = scale * o->slope[j] * dg[k];
        column[3 + k] = scale * turn[k + 1];
    }
}

/* The torque Vec(u q*)/2 where q itself changes by dq. */
static void strain_spread_turn(const strain_point *o, int j, int k, rt_scalar scale,
                               rt_scalar column[6])
{
    const strain_jet u = strain_on_node(o, j);
    rt_scalar dq[4], back[4], turn[4] = {0};
    strain_turn(o, j, k, dq);
    strain_conjugate(back, dq);
    strain_add_product(turn, 0.5, u.d[0], back);
    for (int i = 0; i < 3; i++) column[3 + i] += scale * turn[i + 1];
}

static int strain_place(const int *list, int n, int frame)
{
    for (int k = 0; k < n; k++)
        if (list[k] == frame) return k;
    return -1;
}

void rt_strain_curvature(const rt_strain_row *row, rt_frames frames, rt_scalar scale,
                         const int *list, int n, rt_scalar *H)
{
    strain_point o;
    if (!strain_find(row, frames, &o)) return;
    for (int b = 0; b < row->n_nodes; b++) {
        const int at = strain_place(list, n, row->nodes[b]);
        for (int k = 0; k < 6 && at >= 0; k++) {
            rt_scalar dz[STRAIN_Z], dg[STRAIN_Z];
            strain_direction(&o, b, k, dz);
            strain_change(&o, dz, dg);
            for (int a = 0; a < row->n_nodes; a++) {
                const int on = strain_place(list, n, row->nodes[a]);
                rt_scalar column[6];
                if (on < 0) continue;
                strain_spread(&o, dg, a, scale, column);
                if (a == b && k >= 3) strain_spread_turn(&o, a, k - 3, scale, column);
                for (int i = 0; i < 6; i++)
                    H[(size_t)(6 * on + i) * 6 * (size_t)n + 6 * (size_t)at + (size_t)k] +=
                        column[i];
            }
        }
    }
}
