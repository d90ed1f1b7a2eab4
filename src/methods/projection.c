/* With P = [G; s_x] (manifold.h),
 *     P X = [0; I],     P U = -[V_x X; w_x X],     P u'_p = -[A_u u + A_x xi; 0]
 *     X'M X a = -X'(D u + K xi + M u'_p),          u' = X a + u'_p
 * for (u, xi) = (X, 0) by W and (U, X) by S; then s_x u' = a, and
 *     S'' = a + a_u u + a_x xi.                      (EQUATIONS.md, "minimal") */
#include "methods/projection.h"

#include "base/lapack.h"
#include "base/parallel_solve.h"

routh_status rt_projection_create(rt_projection *q, const rt_method_task *task, rt_arena *arena,
                                  routh_error *error)
{
    const routh_mechanism *m = task->search->m;
    const size_t n = (size_t)m->n_u, z = (size_t)task->states->z;
    *q = (rt_projection){0};
    if (m->pattern_L.start[m->n_rows])
        return rt_fail(
            error, ROUTH_NOT_SUPPORTED,
            "the minimal method eliminates joint reactions, but an expression of this model uses "
            "them; use --method augmented");
    q->B = RT_TAKE(arena, double, 2 * n * z);
    q->f = RT_TAKE(arena, double, n);
    q->T = RT_TAKE(arena, double, z *z);
    q->a = RT_TAKE(arena, double, z);
    q->pivots = RT_TAKE(arena, int, z);
    if (!q->B || !q->f || !q->T || !q->a || !q->pivots) return rt_fail_memory(error);
    return rt_manifold_create(&q->P, task, RT_MANIFOLD_POSITION, arena, error);
}

void rt_projection_release(rt_projection *q) { rt_manifold_release(&q->P); }

static bool projection_all_zero(const double *x, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (x[k] != 0) return false;
    return true;
}

/* P X = B in place; what is zero stays so. */
static routh_status projection_solve(const rt_projection *q, double *B, int n_columns, int threads,
                                     routh_error *error)
{
    const size_t n = (size_t)q->P.n;
    if (projection_all_zero(B, n * (size_t)n_columns)) return ROUTH_OK;
    if (n_columns == 1) return rt_factor_solve(q->P.factor, B, 1, NULL, error);
    return rt_factor_solve_parallel(q->P.factor, q->P.n, B, n_columns, threads, q->P.s->progress,
                                    error);
}

static routh_status projection_position_level(rt_projection *q, int threads, double *X,
                                              routh_error *error)
{
    const size_t n = (size_t)q->P.n;
    memset(X, 0, n * (size_t)q->P.z * sizeof *X);
    for (int k = 0; k < q->P.z; k++) X[(size_t)k * n + q->P.n_kept + k] = 1;
    return projection_solve(q, X, q->P.z, threads, error);
}

static routh_status projection_velocity_level(rt_projection *q, int threads, const double *X,
                                              double *U, routh_error *error)
{
    const size_t n = (size_t)q->P.n;
    memset(U, 0, n * (size_t)q->P.z * sizeof *U);
    for (int k = 0; k < q->P.z; k++) {
        const double *x = X + (size_t)k * n;
        double *u = U + (size_t)k * n;
        rt_manifold_subtract(&q->P, q->P.s->w->Vx, x, u);
        for (int i = 0; i < q->P.z; i++)
            u[q->P.n_kept + i] = -rt_state_row_times(&q->P.rows[i], q->P.rows[i].w_x, x);
    }
    return projection_solve(q, U, q->P.z, threads, error);
}

static routh_status projection_particular(rt_projection *q, int threads, const double *X,
                                          const double *U, routh_error *error)
{
    const size_t n = (size_t)q->P.n;
    const rt_workspace *w = q->P.s->w;
    memset(q->B, 0, 2 * n * (size_t)q->P.z * sizeof *q->B);
    for (int k = 0; k < q->P.z; k++) {
        double *by_w = q->B + (size_t)k * n, *by_s = q->B + (size_t)(q->P.z + k) * n;
        rt_manifold_subtract(&q->P, w->Au, X + (size_t)k * n, by_w);
        rt_manifold_subtract(&q->P, w->Au, U + (size_t)k * n, by_s);
        rt_manifold_subtract(&q->P, w->Ax, X + (size_t)k * n, by_s);
    }
    return projection_solve(q, q->B, 2 * q->P.z, threads, error);
}

/* out[z] = X' f */
static void projection_project(const rt_projection *q, const double *X, const double *f,
                               double *out)
{
    const size_t n = (size_t)q->P.n;
    for (int i = 0; i < q->P.z; i++) {
        const double *x = X + (size_t)i * n;
        double sum = 0;
        for (size_t c = 0; c < n; c++) sum += x[c] * f[c];
        out[i] = sum;
    }
}

/* Mhat = X'MX, and its factors */
static routh_status projection_project_mass(rt_projection *q, rt_sensitivity *out,
                                            routh_error *error)
{
    const int z = q->P.z;
    const size_t n = (size_t)q->P.n;
    for (int k = 0; k < z; k++) {
        memset(q->f, 0, n * sizeof *q->f);
        rt_sparse_multiply_add(&q->P.s->m->pattern_M, q->P.s->w->M, 1, out->X + (size_t)k * n,
                               q->f);
        projection_project(q, out->X, q->f, q->T + (size_t)z * k);
        for (int i = 0; i < z; i++) out->Mhat[i * z + k] = q->T[i + (size_t)z * k];
    }
    return rt_lu_factor(z, q->T, q->pivots, error);
}

/* column k of A: S'' by the variation (u, xi); xi NULL: zero */
static routh_status projection_accelerations(rt_projection *q, const double *X, const double *u,
                                             const double *xi, const double *particular_part, int k,
                                             double *A, routh_error *error)
{
    const routh_mechanism *m = q->P.s->m;
    const rt_workspace *w = q->P.s->w;
    const int z = q->P.z;
    memset(q->f, 0, (size_t)q->P.n * sizeof *q->f);
    rt_sparse_multiply_add(&m->pattern_K, w->D, -1, u, q->f);
    if (xi) rt_sparse_multiply_add(&m->pattern_K, w->K, -1, xi, q->f);
    rt_sparse_multiply_add(&m->pattern_M, w->M, -1, particular_part, q->f);
    projection_project(q, X, q->f, q->a);
    const routh_status status = rt_lu_solve(z, q->T, q->pivots, 1, q->a, 0, error);
    for (int i = 0; i < z; i++) {
        const rt_state_row *row = &q->P.rows[i];
        A[i * z + k] = q->a[i] + rt_state_row_times(row, row->a_u, u) +
                       (xi ? rt_state_row_times(row, row->a_x, xi) : 0);
    }
    return status;
}

routh_status rt_projection_run(rt_projection *q, const rt_method_task *task, rt_sensitivity *out,
                               routh_error *error)
{
    const int z = q->P.z, threads = task->threads;
    const size_t n = (size_t)q->P.n;
    routh_status status = rt_manifold_factor(&q->P, task, error);
    if (!status) status = projection_position_level(q, threads, out->X, error);
    if (!status) status = projection_velocity_level(q, threads, out->X, out->U, error);
    if (!status) status = projection_particular(q, threads, out->X, out->U, error);
    if (!status) status = projection_project_mass(q, out, error);
    for (int k = 0; k < z && !status; k++) {
        const double *X = out->X + (size_t)k * n, *U = out->U + (size_t)k * n;
        const double *by_w = q->B + (size_t)k * n, *by_s = q->B + (size_t)(z + k) * n;
        status = projection_accelerations(q, out->X, X, NULL, by_w, k, out->A_SW, error);
        if (!status) status = projection_accelerations(q, out->X, U, X, by_s, k, out->A_SS, error);
    }
    return status;
}
