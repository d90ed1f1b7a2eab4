/* At rest the pencil's infinite eigenvalues are deflated by the null spaces of G and of (G'+L)':
 * orthogonal transformations that follow from which rows are algebraic, and no look at how large a
 * number is.
 *
 * A block of rows F y = 0 that hold no derivative: by F' = Q [R; 0] every solution is y = Q2 c,
 * with Q2 the last columns of Q, which are orthonormal, so nothing grows. Columns of u are counted
 * in typical lengths and time in 1/rate: else a stiff row would drown the masses. */
#include <math.h>
#include <stdlib.h>

#include "methods/redundant_parts.h"

static bool redundant_rest_take_pencil(const rt_parts *p, rt_finite_pencil *out, rt_arena *arena)
{
    const size_t order = 2 * (size_t)p->z, n = (size_t)p->n;
    *out = (rt_finite_pencil){.n = p->n, .z = p->z, .z1 = p->z, .order = 2 * p->z, .rate = p->rate};
    out->E = RT_TAKE(arena, double, order *order);
    out->A = RT_TAKE(arena, double, order *order);
    out->states = RT_TAKE(arena, double, order *order);
    out->xi = RT_TAKE(arena, double, n *order);
    out->u = RT_TAKE(arena, double, n *order);
    out->size = RT_TAKE(arena, double, order);
    return out->E && out->A && out->states && out->size && out->xi && out->u;
}

/* right: G right = 0; left: left'(G' + L) = 0, the same where L = 0 */
static routh_status bases(const rt_parts *p, rt_dense *right, rt_dense *left, rt_arena *arena,
                          routh_error *error)
{
    rt_dense G;
    if (!rt_dense_take(&G, p->n, p->m, arena)) return rt_fail_memory(error);
    rt_parts_put_G(p, p->slot, 1, G.at, p->n);
    routh_status status = rt_deflate(&G, right, NULL, arena, error);
    *left = *right;
    if (status || !p->s->m->pattern_L.start[p->s->m->n_rows]) return status;
    if (!rt_dense_take(&G, p->n, p->m, arena)) return rt_fail_memory(error);
    rt_parts_put_G(p, p->slot, 1, G.at, p->n);
    rt_parts_add_L(p, 1, G.at, p->n);
    return rt_deflate(&G, left, NULL, arena, error);
}

/* out (z x z) = left' (unit values unit) right */
static void redundant_rest_project(const rt_parts *p, const rt_pattern *pattern,
                                   const double *values, const rt_dense *left,
                                   const rt_dense *right, rt_dense *work, double *out)
{
    memset(work->at, 0, (size_t)p->n * (size_t)p->z * sizeof(double));
    for (int k = 0; k < p->z; k++)
        rt_parts_add_product(p, pattern, values, 1, rt_dense_column(right, k),
                             rt_dense_column(work, k));
    rt_dense_times_transposed(left, work, 1, out);
}

/* E = diag(I, M / |M|),  A = [0 I; -K / (rate^2 |M|)  -D / (rate |M|)], rate^2 = |K| / |M|
 * (Fan, Lin and Van Dooren, SIAM J. Matrix Anal. Appl. 26, 2004) */
static void fill_at_rest(rt_finite_pencil *out, const rt_dense *M, const rt_dense *D,
                         const rt_dense *K)
{
    const int z = out->z, order = 2 * z;
    const double mass = rt_dense_largest(M), rate = rt_dense_largest(K) > 0 && mass > 0
                                                        ? sqrt(rt_dense_largest(K) / mass)
                                                        : out->rate;
    const double scale = mass > 0 ? mass : 1;
    out->rate = rate;
    for (int j = 0; j < z; j++) {
        double *by_x = out->A + (size_t)order * (size_t)j, *by_u = by_x + (size_t)order * (size_t)z;
        double *e = out->E + (size_t)order * (size_t)(z + j);
        out->E[j + (size_t)order * (size_t)j] = 1;
        by_u[j] = 1;
        for (int i = 0; i < z; i++) {
            e[z + i] = rt_dense_column(M, j)[i] / scale;
            by_x[z + i] = -rt_dense_column(K, j)[i] / rate / rate / scale;
            by_u[z + i] = -rt_dense_column(D, j)[i] / rate / scale;
        }
    }
}

static void fill_rest_states(const rt_parts *p, const rt_dense *right, rt_finite_pencil *out)
{
    const int z = p->z, order = 2 * z;
    for (int k = 0; k < z; k++)
        for (int i = 0; i < z; i++) {
            const double entry =
                rt_parts_state_times(p, &p->rows[i], p->rows[i].s_x, rt_dense_column(right, k));
            out->states[i + (size_t)order * (size_t)k] = entry;
            out->states[z + i + (size_t)order * (size_t)(z + k)] = entry;
        }
    rt_parts_put_motion(p, right, out->xi);
    double *u = out->u + (size_t)p->n * (size_t)z;
    rt_parts_put_motion(p, right, u);
    for (int k = 0; k < p->n * z; k++) u[k] *= out->rate;
    for (int k = 0; k < order; k++) out->size[k] = 1;
}

/* Columns (xi, du, lambda): G xi = 0 and its two derivatives leave xi = Q2 a, du = Q2 b. Rows: of
 * P2', with P2'(G'+L) = 0: they hold no lambda. */
routh_status rt_deflate_at_rest(const rt_search *s, const rt_state_row *rows, int z,
                                rt_arena *arena, rt_finite_pencil *out, routh_error *error)
{
    rt_parts p;
    rt_dense right, left, work, M, D, K;
    if (!rt_parts_prepare(&p, s, rows, z, arena) || !redundant_rest_take_pencil(&p, out, arena) ||
        !rt_dense_take(&work, p.n, z, arena) || !rt_dense_take(&M, z, z, arena) ||
        !rt_dense_take(&D, z, z, arena) || !rt_dense_take(&K, z, z, arena))
        return rt_fail_memory(error);
    const routh_status status = bases(&p, &right, &left, arena, error);
    if (status) return status;
    redundant_rest_project(&p, &s->m->pattern_M, s->w->M, &left, &right, &work, M.at);
    redundant_rest_project(&p, &s->m->pattern_K, s->w->D, &left, &right, &work, D.at);
    redundant_rest_project(&p, &s->m->pattern_K, s->w->K, &left, &right, &work, K.at);
    fill_at_rest(out, &M, &D, &K);
    fill_rest_states(&p, &right, out);
    out->n_infinite = 2 * p.n + p.m - 2 * z;
    return ROUTH_OK;
}
