/* Moments of mass of a reduced body. Of the translational blocks of the mass matrix the mean of
 * the three diagonals, m_ij, is taken for a scalar density between nodes i and j:
 *     second = sum m_ij X_i X_j',  B_k = sum m_ij X_i S_jk',  N_kl = sum m_ij S_ik S_jl'
 * and what the mass matrix has beyond goes into rotary, h, M, so that with R_t, R_r the rigid
 * motions about the origin and v_k the modes
 *     mass 1 = R_t'M R_t,  first x = -R_t'M R_r,  a_k = R_t'M v_k
 *     rotary = R_r'M R_r - (trace second - second),  h_k = R_r'M v_k - sum m_ij X_i x S_jk
 *     M_kl   = v_k'M v_l - trace N_kl
 * and the mass matrix of the undeformed body is that of the finite elements exactly. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "flexible/body.h"

typedef struct moments_work {
    const rt_body_fe *b;
    const rt_body_modes *modes;
    size_t n_x; /* 3 n_nodes */
    double *mX; /* sum_j m_ij X_j */
    double *S;  /* n_x a mode: displacements of the nodes */
    double *mS; /* n_x */
    double *Mv; /* n_dofs */
} moments_work;

/* y_i += sum_j m_ij x_j over all nodes */
void rt_body_density_times(const rt_body_fe *b, const double *x, double *y)
{
    const rt_pattern *p = &b->fe->pattern;
    for (int j = 0; j < b->n; j++) {
        if (b->fe->direction[j] > 2) continue;
        const double *from = x + 3 * (size_t)b->fe->node[j];
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            const int i = p->row[k];
            if (b->fe->direction[i] == b->fe->direction[j])
                rt_v3_add_scaled(y + 3 * (size_t)b->fe->node[i], b->M[k] / 3, from);
        }
    }
}

/* own: work alone */
static bool moments_take(moments_work *w, rt_flexible *f, rt_arena *arena, rt_arena *own)
{
    const size_t n = (size_t)f->n;
    f->a = RT_TAKE(arena, double, 3 * n);
    f->B = RT_TAKE(arena, double, 9 * n);
    f->h = RT_TAKE(arena, double, 3 * n);
    f->N = RT_TAKE(arena, double, 9 * n * n);
    f->M = RT_TAKE(arena, double, n *n);
    f->K = RT_TAKE(arena, double, n *n);
    f->D = RT_TAKE(arena, double, n *n);
    f->pattern.start = RT_TAKE(arena, int, n + 1);
    f->pattern.row = RT_TAKE(arena, int, n *n);
    w->n_x = 3 * (size_t)w->b->n_nodes;
    w->mX = RT_TAKE(own, double, w->n_x);
    w->S = RT_TAKE(own, double, w->n_x *n);
    w->mS = RT_TAKE(own, double, w->n_x);
    w->Mv = RT_TAKE(own, double, w->b->n);
    return f->a && f->B && f->h && f->N && f->M && f->K && f->D && f->pattern.start &&
           f->pattern.row && w->mX && w->S && w->mS && w->Mv;
}

static void take_displacements(moments_work *w)
{
    for (int k = 0; k < w->modes->n; k++)
        for (size_t i = 0; i < w->n_x; i++)
            w->S[(size_t)k * w->n_x + i] =
                w->modes
                    ->shape[(size_t)k * (size_t)w->b->n + (size_t)w->b->dof[6 * (i / 3) + i % 3]];
}

/* C = sum_i x_i y_i' over nodes, row-major */
static void outer(const moments_work *w, const double *x, const double *y, double C[9])
{
    memset(C, 0, 9 * sizeof *C);
    for (size_t k = 0; k < w->n_x; k += 3)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) C[3 * i + j] += x[k + (size_t)i] * y[k + (size_t)j];
}

static void rigid_moments(const moments_work *w, rt_flexible *f)
{
    const double *G = w->b->rigid_mass;
    f->mass = w->b->mass;
    rt_v3_copy(f->first, w->b->first);
    outer(w, w->mX, w->b->X, f->second);
    for (int i = 0; i < 3; i++) /* symmetric to the last bit */
        for (int j = 0; j < i; j++)
            f->second[3 * i + j] = f->second[3 * j + i] =
                0.5 * (f->second[3 * i + j] + f->second[3 * j + i]);
    const double trace = f->second[0] + f->second[4] + f->second[8];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            f->rotary[3 * i + j] = 0.5 * (G[6 * (3 + i) + 3 + j] + G[6 * (3 + j) + 3 + i]) -
                                   ((i == j ? trace : 0) - f->second[3 * i + j]);
}

/* R is about the centre of mass c: about the origin u = t + r x X = (t + r x c) + r x (X - c). */
static void mode_moments(const moments_work *w, rt_flexible *f, int k)
{
    const double *R = w->b->R, *v = w->modes->shape + (size_t)k * (size_t)w->b->n;
    double *a = (double *)f->a + 3 * (size_t)k, *B = (double *)f->B + 9 * (size_t)k;
    double *h = (double *)f->h + 3 * (size_t)k, turning[3];
    rt_body_times(w->b, w->b->M, v, w->Mv);
    for (int c = 0; c < 3; c++) {
        a[c] = rt_body_dot(w->b->n, R + (size_t)w->b->n * (size_t)c, w->Mv);
        turning[c] = rt_body_dot(w->b->n, R + (size_t)w->b->n * (size_t)(3 + c), w->Mv);
    }
    rt_v3_cross_add(turning, w->b->centre, a);
    outer(w, w->mX, w->S + (size_t)k * w->n_x, B);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        h[i] = turning[i] - (B[3 * j + l] - B[3 * l + j]);
    }
}

static void pair_moments(moments_work *w, rt_flexible *f, double damping_ratio)
{
    const size_t n = (size_t)f->n;
    for (size_t l = 0; l < n; l++) {
        f->pattern.start[l] = (int)(n * l);
        memset(w->mS, 0, w->n_x * sizeof *w->mS);
        rt_body_density_times(w->b, w->S + l * w->n_x, w->mS);
        for (size_t k = 0; k < n; k++) {
            const size_t at = k + n * l;
            double *N = (double *)f->N + 9 * at;
            f->pattern.row[at] = (int)k;
            outer(w, w->S + k * w->n_x, w->mS, N);
            ((double *)f->M)[at] = (k == l) - (N[0] + N[4] + N[8]);
        }
        const double omega = sqrt(fmax(w->modes->lambda[l], 0));
        ((double *)f->K)[l + n * l] = w->modes->lambda[l];
        ((double *)f->D)[l + n * l] = 2 * damping_ratio * omega;
    }
    f->pattern.start[n] = (int)(n * n);
    f->pattern.n_rows = f->pattern.n_columns = f->n;
}

/* N_lk = N_kl', M_kl = M_lk to the last bit. */
static void moments_symmetrize(rt_flexible *f)
{
    const size_t n = (size_t)f->n;
    double *N = (double *)f->N, *M = (double *)f->M;
    for (size_t l = 0; l < n; l++)
        for (size_t k = 0; k < l; k++) {
            double *one = N + 9 * (k + n * l), *other = N + 9 * (l + n * k);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    one[3 * i + j] = other[3 * j + i] = 0.5 * (one[3 * i + j] + other[3 * j + i]);
            M[k + n * l] = M[l + n * k] = -(one[0] + one[4] + one[8]);
        }
}

/* The largest displacement of a node, or, where that is more (torsion of a line of nodes), its
 * largest turn times the least radius of gyration. */
static double moments_largest_motion(const moments_work *w, int k)
{
    const double *G = w->b->rigid_mass, *c = w->b->centre, m = w->b->mass;
    const double *v = w->modes->shape + (size_t)k * (size_t)w->b->n;
    double most = 0, radius = INFINITY;
    for (int i = 0; i < 3; i++)
        radius = fmin(radius, G[6 * (3 + i) + 3 + i] / m - rt_v3_dot(c, c) + c[i] * c[i]);
    radius = sqrt(fmax(radius, 0));
    for (int node = 0; node < w->b->n_nodes; node++) {
        const int *dof = w->b->dof + 6 * (size_t)node;
        const double u[3] = {v[dof[0]], v[dof[1]], v[dof[2]]};
        most = fmax(most, rt_v3_norm(u));
        if (dof[3] < 0) continue;
        const double turn[3] = {v[dof[3]], v[dof[4]], v[dof[5]]};
        most = fmax(most, radius * rt_v3_norm(turn));
    }
    return most;
}

static routh_status moments_name_coordinates(const moments_work *w, rt_flexible *f, rt_arena *arena,
                                             routh_error *error)
{
    rt_elastic *c = RT_TAKE(arena, rt_elastic, f->n);
    if (!c) return rt_fail_memory(error);
    for (int k = 0; k < f->n; k++) {
        char name[24];
        const int length = snprintf(name, sizeof name, "mode %d", k + 1);
        c[k].name = rt_arena_text(arena, name, (size_t)length);
        c[k].kind = RT_ELASTIC_AMPLITUDE;
        c[k].size = moments_largest_motion(w, k);
        if (!c[k].name) return rt_fail_memory(error);
    }
    f->coordinate = c;
    return ROUTH_OK;
}

static routh_status moments(moments_work *w, rt_flexible *f, double damping_ratio, rt_arena *arena,
                            rt_arena *own, routh_error *error)
{
    if (!moments_take(w, f, arena, own)) return rt_fail_memory(error);
    rt_body_density_times(w->b, w->b->X, w->mX);
    take_displacements(w);
    rigid_moments(w, f);
    for (int k = 0; k < f->n; k++) mode_moments(w, f, k);
    pair_moments(w, f, damping_ratio);
    moments_symmetrize(f);
    return moments_name_coordinates(w, f, arena, error);
}

routh_status rt_body_moments(rt_flexible *f, const rt_body_fe *b, const rt_body_modes *modes,
                             double damping_ratio, rt_arena *arena, routh_error *error)
{
    moments_work w = {.b = b, .modes = modes};
    rt_arena own = {0};
    f->n = modes->n;
    const routh_status status = moments(&w, f, damping_ratio, arena, &own, error);
    rt_arena_free(&own);
    return status;
}
