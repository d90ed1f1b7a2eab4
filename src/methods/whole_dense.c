/* The tangents P = [G; s_x] by a dense basis R of the null space of G, with X = R (s_x R)^-1:
 *     P x = [b; s]:           x = g + X (s - s_x g),                 g = G+ b
 *     P' [lambda; w] = f:     w = X'f,   G' lambda = f - s_x' w
 * What is done with them is rt_whole_minimal's. */
#include "methods/whole_dense.h"

typedef struct dense_tangent {
    rt_manifold_solver solver; /* first */
    rt_null_space d;
    const rt_state_row *rows;
    double *X; /* n x z */
    double *a; /* z */
} dense_tangent;

static routh_status whole_dense_solve(const rt_manifold_solver *solver, double *B, int n_columns,
                                      routh_error *error)
{
    const dense_tangent *q = (const dense_tangent *)(const void *)solver;
    const int n = q->d.n, m = q->d.m, z = q->d.z;
    (void)error;
    for (int k = 0; k < n_columns; k++) {
        double *x = B + (size_t)n * (size_t)k;
        for (int i = 0; i < z; i++) q->a[i] = x[m + i], x[m + i] = 0;
        rt_null_space_smallest(&q->d, x);
        for (int i = 0; i < z; i++) q->a[i] -= rt_state_row_times(&q->rows[i], q->rows[i].s_x, x);
        for (int i = 0; i < z; i++)
            for (int c = 0; c < n; c++) x[c] += q->X[(size_t)n * (size_t)i + c] * q->a[i];
    }
    return ROUTH_OK;
}

static routh_status whole_dense_solve_transposed(const rt_manifold_solver *solver, double *f,
                                                 routh_error *error)
{
    const dense_tangent *q = (const dense_tangent *)(const void *)solver;
    const int n = q->d.n, m = q->d.m, z = q->d.z;
    (void)error;
    for (int i = 0; i < z; i++) {
        const double *X = q->X + (size_t)n * (size_t)i;
        q->a[i] = 0;
        for (int c = 0; c < n; c++) q->a[i] += X[c] * f[c];
    }
    for (int i = 0; i < z; i++)
        for (int c = 0; c < q->rows[i].n; c++)
            f[q->rows[i].columns[c]] -= q->rows[i].s_x[c] * q->a[i];
    rt_null_space_multipliers(&q->d, f);
    for (int i = 0; i < z; i++) f[m + i] = q->a[i];
    return ROUTH_OK;
}

static routh_status whole_dense_make(dense_tangent *q, const rt_null_basis *basis, rt_manifold *P,
                                     rt_arena *arena, routh_error *error)
{
    const rt_search *s = P->s;
    const size_t n = (size_t)P->n, z = (size_t)P->z;
    *q = (dense_tangent){.solver = {whole_dense_solve, whole_dense_solve_transposed},
                         .rows = P->rows};
    q->d = (rt_null_space){.s = s, .n = P->n, .m = P->n_kept, .z = P->z, .slot = P->slot};
    q->d.rank = P->level == RT_MANIFOLD_POSITION ? rt_position_rank(s) : s->rank;
    q->X = RT_TAKE(arena, double, n *z);
    q->a = RT_TAKE(arena, double, z);
    double *R = RT_TAKE(arena, double, n *z), *T = RT_TAKE(arena, double, z *z);
    int *pivots = RT_TAKE(arena, int, z);
    if (!q->X || !q->a || !R || !T || !pivots) return rt_fail_memory(error);
    routh_status status = rt_null_space_factor(&q->d, basis, arena, error);
    if (!status) status = basis->make(&q->d, R, error);
    if (!status) status = rt_null_space_tangent(&q->d, q->rows, R, T, pivots, q->a, q->X, error);
    P->solver = &q->solver;
    return status;
}

routh_status rt_whole_minimal_dense(const rt_method_task *task, const rt_null_basis *basis,
                                    rt_arena *arena, rt_sensitivity *out, routh_error *error)
{
    const bool two = task->search->m->n_nonholonomic > 0;
    rt_manifold position, velocity = {0};
    dense_tangent by_position, by_velocity;
    *out = (rt_sensitivity){0};
    routh_status status = rt_manifold_create(&position, task, RT_MANIFOLD_POSITION, arena, error);
    if (!status) status = whole_dense_make(&by_position, basis, &position, arena, error);
    if (!status && two)
        status = rt_manifold_create(&velocity, task, RT_MANIFOLD_VELOCITY, arena, error);
    if (!status && two) status = whole_dense_make(&by_velocity, basis, &velocity, arena, error);
    if (!status)
        status = rt_whole_minimal(task, &position, two ? &velocity : &position, &out->response,
                                  arena, error);
    rt_manifold_release(&position);
    rt_manifold_release(&velocity);
    return status ? status : rt_whole_finish(task, arena, out, error);
}
