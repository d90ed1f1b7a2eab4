#include "operating/second_order.h"

#include <stdlib.h>

#include "base/lapack.h"

bool rt_second_order_fits(const routh_mechanism *m)
{
    return m->n_u <= RT_SECOND_ORDER_MOST && m->n_rows <= 2 * RT_SECOND_ORDER_MOST &&
           m->pattern_L.start[m->n_rows] == 0;
}

/* What the steps share. n columns, m rows, k = m - rank redundant rows. */
typedef struct kernel {
    rt_search *s;
    int n, m, z, k;
    double *N;      /* n x z */
    double *Y;      /* m x k, Y'WY = I */
    double *column; /* n */
    double *K;      /* values on pattern_K */
    rt_state *state;
} kernel;

/* ---- first order ---------------------------------------------------------------------------- */

static double second_order_largest(const double *x, size_t n)
{
    double worst = 0;
    for (size_t k = 0; k < n; k++)
        if (fabs(x[k]) > worst) worst = fabs(x[k]);
    return worst;
}

/* Rows of G in lengths, each divided by its largest entry (scale): A is m x n. */
static void scaled_jacobian(const kernel *q, double *A, double *scale)
{
    const rt_pattern *G = &q->s->m->pattern_G;
    const size_t m = (size_t)q->m;
    for (int c = 0; c < q->n; c++)
        for (int p = G->start[c]; p < G->start[c + 1]; p++)
            A[(size_t)G->row[p] + m * (size_t)c] = q->s->w->G[p] * q->s->unit[c];
    for (int r = 0; r < q->m; r++) {
        scale[r] = 0;
        for (int c = 0; c < q->n; c++) scale[r] = fmax(scale[r], fabs(A[r + m * (size_t)c]));
        if (scale[r] == 0) scale[r] = 1;
        for (int c = 0; c < q->n; c++) A[r + m * (size_t)c] /= scale[r];
    }
}

/* Singular vectors of singular value zero: the rank is that of the elimination. */
static routh_status null_spaces(kernel *q, rt_arena *arena, routh_error *error)
{
    const size_t n = (size_t)q->n, m = (size_t)q->m;
    const int rank = q->m - q->k;
    double *A = RT_TAKE(arena, double, m *n), *U = RT_TAKE(arena, double, m *m);
    double *Vt = RT_TAKE(arena, double, n *n), *sigma = RT_TAKE(arena, double, n + m);
    double *scale = RT_TAKE(arena, double, m);
    if (!A || !U || !Vt || !sigma || !scale) return rt_fail_memory(error);
    scaled_jacobian(q, A, scale);
    const routh_status status = rt_svd_kept(q->m, q->n, A, sigma, U, Vt, arena->kept, error);
    if (status) return status;
    for (int j = 0; j < q->z; j++)
        for (int c = 0; c < q->n; c++)
            q->N[c + n * (size_t)j] = Vt[(size_t)(rank + j) + n * (size_t)c] * q->s->unit[c];
    for (int j = 0; j < q->k; j++)
        for (int r = 0; r < q->m; r++)
            q->Y[r + m * (size_t)j] = U[r + m * (size_t)(rank + j)] / scale[r];
    return ROUTH_OK;
}

/* ---- joint forces --------------------------------------------------------------------------- */

typedef struct metric {
    size_t n;
    int *row, *column;
    double *entry;
} metric;

static routh_status metric_make(metric *W, const rt_search *s, rt_arena *arena, routh_error *error)
{
    W->n = rt_force_metric_size(s->m);
    W->row = RT_TAKE(arena, int, W->n);
    W->column = RT_TAKE(arena, int, W->n);
    W->entry = RT_TAKE(arena, double, W->n);
    rt_gradient *rows = RT_TAKE(arena, rt_gradient, rt_most_rows(s->m));
    if (!W->row || !W->column || !W->entry || !rows) return rt_fail_memory(error);
    rt_force_metric(s, rows, W->row, W->column, W->entry);
    return ROUTH_OK;
}

/* Y made orthonormal in joint forces: Y X with X the scaled eigenvectors of Y'WY. What makes no
 * force is left out. */
static routh_status measure_in_forces(kernel *q, const metric *W, rt_arena *arena,
                                      routh_error *error)
{
    const size_t m = (size_t)q->m, k = (size_t)q->k;
    double *X = RT_TAKE(arena, double, k *k), *values = RT_TAKE(arena, double, k);
    double *Z = RT_TAKE(arena, double, m *k);
    if (!X || !values || !Z) return rt_fail_memory(error);
    for (size_t e = 0; e < W->n; e++)
        for (size_t i = 0; i < k; i++)
            for (size_t j = 0; j < k; j++)
                X[i + k * j] += q->Y[(size_t)W->row[e] + m * i] * W->entry[e] *
                                q->Y[(size_t)W->column[e] + m * j];
    const routh_status status = rt_symmetric_eigen_kept(q->k, X, values, arena->kept, error);
    if (status) return status;
    int kept = 0;
    for (size_t j = 0; j < k; j++) {
        if (!(values[j] > 1e-12 * values[k - 1])) continue;
        for (size_t i = 0; i < k; i++)
            for (size_t r = 0; r < m; r++)
                Z[r + m * (size_t)kept] += q->Y[r + m * i] * X[i + k * j] / sqrt(values[j]);
        kept++;
    }
    memcpy(q->Y, Z, m * k * sizeof *Z);
    q->k = kept;
    return ROUTH_OK;
}

/* ---- second order --------------------------------------------------------------------------- */

/* d(G'y)/dxi on pattern_K, as what y changes in K, which is linear in lambda. y is scaled so that
 * the change is no smaller than K itself. */
static routh_status curvature(kernel *q, const double *y, double *out, routh_error *error)
{
    const routh_mechanism *m = q->s->m;
    const size_t size = (size_t)m->pattern_K.start[q->n];
    double scale = 1;
    for (int pass = 0; pass < 2; pass++) {
        for (int r = 0; r < q->m; r++) q->state->lambda[r] = q->s->state->lambda[r] + scale * y[r];
        const routh_status status = rt_evaluate(m, q->s->w, q->state, RT_EVALUATE_TANGENT, error);
        if (status) return status;
        for (size_t e = 0; e < size; e++) out[e] = (q->s->w->K[e] - q->K[e]) / scale;
        const double change = second_order_largest(out, size),
                     present = second_order_largest(q->K, size);
        if (change == 0 || present <= change) return ROUTH_OK;
        scale = present / change;
    }
    return ROUTH_OK;
}

/* The symmetric part of N' C N, as a vector of z (z+1)/2 with sqrt 2 on what is off the diagonal,
 * so that its length is that of the matrix. */
static void operating_second_order_project(kernel *q, const double *C, double *form)
{
    const size_t n = (size_t)q->n;
    double *full = form; /* accumulated below, entry (i, j), i <= j, at j (j+1)/2 + i */
    memset(full, 0, (size_t)(q->z * (q->z + 1) / 2) * sizeof *full);
    for (int j = 0; j < q->z; j++) {
        memset(q->column, 0, n * sizeof *q->column);
        rt_sparse_multiply_add(&q->s->m->pattern_K, C, 1, q->N + n * (size_t)j, q->column);
        for (int i = 0; i < q->z; i++) {
            double sum = 0;
            for (size_t c = 0; c < n; c++) sum += q->N[c + n * (size_t)i] * q->column[c];
            const int low = i < j ? i : j, high = i < j ? j : i;
            full[high * (high + 1) / 2 + low] += i == j ? sum : sum / sqrt(2);
        }
    }
}

static void unpack(int z, const double *form, double *matrix)
{
    for (int j = 0; j < z; j++)
        for (int i = 0; i <= j; i++) {
            const double x = form[j * (j + 1) / 2 + i] / (i == j ? 1 : sqrt(2));
            matrix[i + z * j] = matrix[j + z * i] = x;
        }
}

/* A form of a unit direction by unit forces is about a reciprocal length where it is not zero. */
static double least_form(const kernel *q) { return 1e-7 / q->s->m->length; }

/* Independent forms by the singular values of all Q_y, A = z (z+1)/2 x k: form f is
 * A v_f / sigma_f, v_f its multipliers. */
static routh_status independent_forms(kernel *q, rt_second_order *out, rt_arena *arena,
                                      routh_error *error)
{
    const int width = q->z * (q->z + 1) / 2, k = q->k, least = width < k ? width : k;
    const size_t w = (size_t)width, m = (size_t)q->m, size = w * (size_t)k;
    double *A = RT_TAKE(arena, double, size), *copy = RT_TAKE(arena, double, size);
    double *Vt = RT_TAKE(arena, double, (size_t)k *(size_t)k);
    double *sigma = RT_TAKE(arena, double, least), *form = RT_TAKE(arena, double, w);
    double *C = RT_TAKE(arena, double, q->s->m->pattern_K.start[q->n]);
    if (!A || !copy || !Vt || !sigma || !form || !C) return rt_fail_memory(error);
    for (int j = 0; j < k; j++) {
        const routh_status status = curvature(q, q->Y + m * (size_t)j, C, error);
        if (status) return status;
        operating_second_order_project(q, C, A + w * (size_t)j);
    }
    memcpy(copy, A, size * sizeof *A);
    const routh_status status = rt_svd_kept(width, k, copy, sigma, NULL, Vt, arena->kept, error);
    if (status) return status;
    while (out->n_forms < least && sigma[out->n_forms] > least_form(q)) out->n_forms++;
    out->forms = RT_TAKE(arena, double, (size_t)out->n_forms *(size_t)(q->z * q->z));
    out->y = RT_TAKE(arena, double, (size_t)out->n_forms *m);
    if (!out->forms || !out->y) return rt_fail_memory(error);
    for (int f = 0; f < out->n_forms; f++) {
        memset(form, 0, w * sizeof *form);
        for (int j = 0; j < k; j++) {
            const double v = Vt[(size_t)f + (size_t)k * (size_t)j];
            for (size_t i = 0; i < w; i++) form[i] += v / sigma[f] * A[i + w * (size_t)j];
            for (size_t r = 0; r < m; r++) out->y[r + m * (size_t)f] += v * q->Y[r + m * (size_t)j];
        }
        unpack(q->z, form, out->forms + (size_t)f * (size_t)(q->z * q->z));
    }
    return ROUTH_OK;
}

static routh_status second_order_find(kernel *q, rt_second_order *out, rt_arena *arena,
                                      routh_error *error)
{
    const size_t size = (size_t)q->s->m->pattern_K.start[q->n];
    metric W;
    q->N = out->N = RT_TAKE(arena, double, (size_t)q->n *(size_t)q->z);
    q->Y = RT_TAKE(arena, double, (size_t)q->m *(size_t)q->k);
    q->column = RT_TAKE(arena, double, q->n);
    q->K = RT_TAKE(arena, double, size);
    if (!q->N || !q->Y || !q->column || !q->K) return rt_fail_memory(error);
    const int what = RT_EVALUATE_JACOBIAN | RT_EVALUATE_TANGENT;
    routh_status status = rt_evaluate(q->s->m, q->s->w, q->s->state, what, error);
    if (status) return status;
    memcpy(q->K, q->s->w->K, size * sizeof *q->K);
    status = null_spaces(q, arena, error);
    if (status || q->k == 0 || q->z == 0) return status;
    if (q->z > RT_SECOND_ORDER_MOST_FREE)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "the constraints are examined to second order for at most %d degrees of "
                       "freedom, but here are %d; use a smaller model",
                       RT_SECOND_ORDER_MOST_FREE, q->z);
    status = metric_make(&W, q->s, arena, error);
    if (!status) status = measure_in_forces(q, &W, arena, error);
    if (!status && q->k > 0) status = independent_forms(q, out, arena, error);
    return status;
}

routh_status rt_second_order_find(rt_second_order *out, rt_search *s, rt_arena *arena,
                                  routh_error *error)
{
    const routh_mechanism *m = s->m;
    kernel q = {.s = s, .n = m->n_u, .m = m->n_rows};
    *out = (rt_second_order){0};
    q.k = m->n_rows - s->rank->rank;
    q.z = out->z = m->n_u - s->rank->rank;
    routh_status status = rt_state_create(&q.state, m, error);
    if (status) return status;
    rt_state_copy(m, q.state, s->state);
    status = second_order_find(&q, out, arena, error);
    rt_state_free(q.state);
    return status;
}

routh_status rt_undetermined_forces(const rt_second_order *second, const rt_search *s,
                                    rt_arena *arena, double *of_constraint, routh_error *error)
{
    const routh_mechanism *m = s->m;
    metric W;
    const routh_status status = metric_make(&W, s, arena, error);
    if (status) return status;
    memset(of_constraint, 0, (size_t)m->n_constraints * sizeof *of_constraint);
    for (int f = 0; f < second->n_forms; f++) {
        const double *y = second->y + (size_t)m->n_rows * (size_t)f;
        for (size_t e = 0; e < W.n; e++)
            of_constraint[m->row_constraint[W.row[e]]] += y[W.row[e]] * W.entry[e] * y[W.column[e]];
    }
    for (int c = 0; c < m->n_constraints; c++) of_constraint[c] = sqrt(fmax(of_constraint[c], 0));
    return ROUTH_OK;
}
