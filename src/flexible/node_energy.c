/* Where strain energy sits in a body of which there are matrices alone. With the rigid motion T z_i
 * that node i has at node j, and T_ji the one of j at i,
 *     d_ij = z_j - T_ij z_i,   1/2 u'K u = -1/4 sum_i sum_j d_ij' T_ji' K_ij d_ij,
 * since K has nothing against rigid motion: row by row sum_j K_ij T_ji' .. = 0. The sum over j is
 * node i's: of a beam element half its energy at each end. (u_i . (K u)_i would be no such measure:
 * forces of inertia do that work, so it shows where a mode moves most.) Nodes of solid elements
 * have no rotation: theirs is the one that fits their neighbours best, and only displacements
 * count; then the sum over all nodes is the energy as far as strain changes little from node to
 * node.
 * Of the quadratic form in the n coordinates a few rows F are kept, node i: 1/2 |F q|^2, by
 * Cholesky with pivots. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "flexible/body.h"

enum { MOST_ROWS = RT_ENERGY_ROWS };
static const double negligible = 1e-4; /* of the trace, in units of the coordinates' stiffness */

typedef struct node_energy_work {
    const rt_body_fe *b;
    const rt_body_modes *modes;
    int *row_node;            /* of every degree of freedom */
    double *D, *KD;           /* 6 x n each */
    double *theta, *gradient; /* 3 and 9 of every coordinate */
    double *G;                /* n x n */
    double *residual;         /* n */
} node_energy_work;

static const double *node_energy_shape(const node_energy_work *w, int k)
{
    return w->modes->shape + (size_t)k * (size_t)w->b->n;
}

static bool node_energy_turns(const node_energy_work *w, int node)
{
    return w->b->dof[6 * (size_t)node + 3] >= 0;
}

static void arm(const node_energy_work *w, int from, int to, double r[3])
{
    rt_v3_sub(r, w->b->X + 3 * (size_t)to, w->b->X + 3 * (size_t)from);
}

/* The next node after `last` that node i is connected with; -1: there is none. */
static int next_neighbour(const node_energy_work *w, int i, int last)
{
    const rt_pattern *p = &w->b->fe->pattern;
    int next = -1;
    for (int c = 0; c < 6; c++) {
        const int dof = w->b->dof[6 * (size_t)i + (size_t)c];
        for (int e = dof < 0 ? 0 : p->start[dof]; dof >= 0 && e < p->start[dof + 1]; e++) {
            const int j = w->row_node[p->row[e]];
            if (j > last && j != i && (next < 0 || j < next)) next = j;
        }
    }
    return next;
}

/* ---- rotation of a node --------------------------------------------------------------------- */

static bool node_energy_invert(const double A[9], double out[9])
{
    double c[3][3], det = 0;
    for (int i = 0; i < 3; i++) rt_v3_cross(c[i], A + 3 * ((i + 1) % 3), A + 3 * ((i + 2) % 3));
    det = rt_v3_dot(A, c[0]);
    const double size = rt_v3_norm(A) * rt_v3_norm(A + 3) * rt_v3_norm(A + 6);
    if (!(fabs(det) > 1e-9 * size)) return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[3 * i + j] = c[j][i] / det;
    return true;
}

/* Of the displacement u_i + H r that fits the neighbours best,
 * H = sum (u_j - u_i) r' (sum r r')^-1: theta = (H_zy - H_yz, H_xz - H_zx, H_yx - H_xy) / 2.
 * False: the neighbours lie in a plane. */
static bool fit_rotation(const node_energy_work *w, int i)
{
    const int n = w->modes->n;
    double A[9] = {0}, inverse[9];
    memset(w->gradient, 0, 9 * (size_t)n * sizeof *w->gradient);
    for (int j = -1; (j = next_neighbour(w, i, j)) >= 0;) {
        double r[3];
        arm(w, i, j, r);
        for (int a = 0; a < 9; a++) A[a] += r[a / 3] * r[a % 3];
        for (int k = 0; k < n; k++)
            for (int a = 0; a < 9; a++) {
                const double *v = node_energy_shape(w, k);
                const int c = a / 3;
                w->gradient[9 * k + a] += (v[w->b->dof[6 * (size_t)j + (size_t)c]] -
                                           v[w->b->dof[6 * (size_t)i + (size_t)c]]) *
                                          r[a % 3];
            }
    }
    if (!node_energy_invert(A, inverse)) return false;
    for (int k = 0; k < n; k++) {
        double H[9];
        rt_m3_mul(H, w->gradient + 9 * k, inverse);
        for (int c = 0; c < 3; c++) {
            const int y = (c + 1) % 3, z = (c + 2) % 3;
            w->theta[3 * k + c] = (H[3 * z + y] - H[3 * y + z]) / 2;
        }
    }
    return true;
}

static void own_rotation(const node_energy_work *w, int i)
{
    for (int k = 0; k < w->modes->n; k++)
        for (int c = 0; c < 3; c++)
            w->theta[3 * k + c] = node_energy_shape(w, k)[w->b->dof[6 * (size_t)i + 3 + (size_t)c]];
}

/* ---- pairs ---------------------------------------------------------------------------------- */

/* d_ij of every coordinate, m x n */
static void find_difference(const node_energy_work *w, int i, int j, int m)
{
    const int *from = w->b->dof + 6 * (size_t)i, *to = w->b->dof + 6 * (size_t)j, n = w->modes->n;
    double r[3];
    arm(w, i, j, r);
    for (int k = 0; k < n; k++) {
        const double *v = node_energy_shape(w, k), *theta = w->theta + 3 * k;
        double turned[3];
        rt_v3_cross(turned, theta, r);
        for (int c = 0; c < m; c++)
            w->D[c * n + k] = c < 3 ? v[to[c]] - v[from[c]] - turned[c] : v[to[c]] - theta[c - 3];
    }
}

static double stiffness(const node_energy_work *w, int row, int column)
{
    const rt_pattern *p = &w->b->fe->pattern;
    for (int e = p->start[column]; e < p->start[column + 1]; e++)
        if (p->row[e] == row) return w->b->K[e];
    return 0;
}

/* The symmetric part of T_ji' K_ij, m x m: u_i = u - theta x r, with r from i to j */
static void find_stiffness(const node_energy_work *w, int i, int j, int m, double S[36])
{
    double k[36], r[3];
    arm(w, i, j, r);
    for (int a = 0; a < m; a++)
        for (int c = 0; c < m; c++)
            k[m * a + c] = stiffness(w, w->b->dof[6 * (size_t)i + (size_t)a],
                                     w->b->dof[6 * (size_t)j + (size_t)c]);
    for (int c = 0; c < m && m == 6; c++) {
        /* - (theta x r) . f = - theta . (r x f) */
        const double f[3] = {k[c], k[6 + c], k[12 + c]};
        double moment[3];
        rt_v3_cross(moment, r, f);
        for (int a = 0; a < 3; a++) k[6 * (3 + a) + c] -= moment[a];
    }
    for (int a = 0; a < m; a++)
        for (int c = 0; c < m; c++) S[m * a + c] = (k[m * a + c] + k[m * c + a]) / 2;
}

/* G -= D' S D / 2, so that 1/2 q.G q is the node's energy */
static void add_pair(const node_energy_work *w, int i, int j)
{
    const int m = node_energy_turns(w, i) && node_energy_turns(w, j) ? 6 : 3, n = w->modes->n;
    double S[36];
    find_stiffness(w, i, j, m, S);
    find_difference(w, i, j, m);
    for (int a = 0; a < m; a++)
        for (int k = 0; k < n; k++) {
            double sum = 0;
            for (int c = 0; c < m; c++) sum += S[m * a + c] * w->D[c * n + k];
            w->KD[a * n + k] = sum;
        }
    for (int k = 0; k < n; k++)
        for (int a = 0; a < m; a++)
            for (int l = 0; l < n; l++)
                w->G[(size_t)k * (size_t)n + (size_t)l] -= w->D[a * n + k] * w->KD[a * n + l] / 2;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* G ~ F'F of so many rows, in units in which the stiffness of every coordinate is 1; returns how
 * many. */
static int node_energy_factor(const node_energy_work *w, double *F)
{
    const int n = w->modes->n;
    double trace = 0;
    for (int k = 0; k < n; k++) {
        w->residual[k] = w->G[(size_t)k * (size_t)n + (size_t)k] / w->modes->lambda[k];
        trace += fmax(w->residual[k], 0);
    }
    for (int rank = 0; rank < MOST_ROWS; rank++) {
        int pivot = 0;
        for (int k = 1; k < n; k++)
            if (w->residual[k] > w->residual[pivot]) pivot = k;
        if (!(w->residual[pivot] > negligible * trace)) return rank;
        const double *g = w->G + (size_t)pivot * (size_t)n;
        const double unit = sqrt(w->modes->lambda[pivot]), root = sqrt(w->residual[pivot]) * unit;
        double *row = F + (size_t)rank * (size_t)n;
        for (int k = 0; k < n; k++) {
            double sum = g[k];
            for (int r = 0; r < rank; r++) sum -= F[r * n + pivot] * F[r * n + k];
            row[k] = sum / root;
            w->residual[k] -= row[k] * row[k] / w->modes->lambda[k];
        }
    }
    return MOST_ROWS;
}

/* Mass at a node: its own entries, as much as nodes of all orders of elements have. */
static double node_energy_mass_of(const node_energy_work *w, int i)
{
    const rt_pattern *p = &w->b->fe->pattern;
    const int dof = w->b->dof[6 * (size_t)i];
    for (int e = p->start[dof]; e < p->start[dof + 1]; e++)
        if (p->row[e] == dof) return w->b->M[e];
    return 0;
}

static routh_status one_node(node_energy_work *w, int i, int node, rt_flexible_part *part,
                             rt_arena *arena, routh_error *error)
{
    const size_t n = (size_t)w->modes->n;
    double *rows = malloc(MOST_ROWS * n * sizeof *rows);
    if (!rows) return rt_fail_memory(error);
    memset(w->G, 0, n * n * sizeof *w->G);
    const bool known = node_energy_turns(w, i) || fit_rotation(w, i);
    if (node_energy_turns(w, i)) own_rotation(w, i);
    for (int j = -1; known && (j = next_neighbour(w, i, j)) >= 0;) add_pair(w, i, j);
    const int rank = node_energy_factor(w, rows);
    const routh_status status = rt_flexible_energy_part(
        part, w->modes->n, rank, rows, node_energy_mass_of(w, i), node, arena, error);
    free(rows);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------ */

routh_status rt_flexible_energy_part(rt_flexible_part *part, int n, int n_rows, const double *F,
                                     double mass, int node, rt_arena *arena, routh_error *error)
{
    const size_t size = (size_t)n * (size_t)n, rows = (size_t)n_rows * (size_t)n;
    double *k = RT_TAKE(arena, double, size), *kept = RT_TAKE(arena, double, rows);
    int *column = RT_TAKE(arena, int, n);
    if (!k || !kept || !column) return rt_fail_memory(error);
    if (rows) memcpy(kept, F, rows * sizeof *kept);
    for (int i = 0; i < n; i++) column[i] = i;
    for (int r = 0; r < n_rows; r++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) k[i * n + j] += F[r * n + i] * F[r * n + j];
    *part = (rt_flexible_part){.n = n,
                               .column = column,
                               .k = k,
                               .n_nodes = 1,
                               .nodes = {node},
                               .size = mass,
                               .n_rows = n_rows,
                               .rows = kept};
    return ROUTH_OK;
}

static routh_status node_energy_make(node_energy_work *w, rt_flexible *f, rt_arena *arena,
                                     routh_error *error)
{
    rt_flexible_part *parts = RT_TAKE(arena, rt_flexible_part, f->n_nodes);
    if (!parts) return rt_fail_memory(error);
    for (int k = 0; k < w->b->n_nodes; k++)
        for (int c = 0; c < 6; c++) {
            const int dof = w->b->dof[6 * (size_t)k + (size_t)c];
            if (dof >= 0) w->row_node[dof] = k;
        }
    f->parts = parts;
    for (int k = 0; k < f->n_nodes; k++) {
        const int i = rt_body_node(w->b, f->nodes[k].number);
        if (i < 0) continue; /* the mean of a set */
        const routh_status status = one_node(w, i, k, &parts[f->n_parts], arena, error);
        if (status) return status;
        f->n_parts++;
    }
    return ROUTH_OK;
}

routh_status rt_body_energies(rt_flexible *f, const rt_body_fe *b, const rt_body_modes *modes,
                              rt_arena *arena, routh_error *error)
{
    const size_t n = (size_t)modes->n;
    rt_arena own = {0};
    node_energy_work w = {.b = b, .modes = modes};
    w.row_node = RT_TAKE(&own, int, b->n);
    w.D = RT_TAKE(&own, double, 6 * n);
    w.KD = RT_TAKE(&own, double, 6 * n);
    w.theta = RT_TAKE(&own, double, 3 * n);
    w.gradient = RT_TAKE(&own, double, 9 * n);
    w.G = RT_TAKE(&own, double, n *n);
    w.residual = RT_TAKE(&own, double, n);
    const bool there = w.row_node && w.D && w.KD && w.theta && w.gradient && w.G && w.residual;
    const routh_status status =
        there ? node_energy_make(&w, f, arena, error) : rt_fail_memory(error);
    rt_arena_free(&own);
    return status;
}
