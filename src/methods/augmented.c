/* The augmented method (Negrut and Ortiz 2006, Table 1) for holonomic systems.
 *
 * The sensitivities of (xi, u, u', lambda) to virtual states Sbar, Wbar solve one block lower
 * triangular system,
 *     G xi                               = 0          S(xi)           = Sbar
 *     G u  + V_x xi                      = 0          W(u, xi)        = Wbar
 *     M u' + G'lambda + D u + K xi       = 0          G u' + A_u u + A_x xi = 0
 * whose diagonal blocks are P = [G; s_x] (twice) and [M G'; G 0]; each is factored once, for 2z
 * right-hand sides. Then S'' = s_x u' + ... gives A. Rows of G that are redundant are left out:
 * they follow from the others. */

#include "base/kept_memory.h"
#include "base/parallel_solve.h"
#include "methods/whole.h"

typedef struct augmented_solution {
    rt_search *s;
    int n, z, threads;
    rt_manifold P;
} augmented_solution;

/* P X = [0; I] */
static routh_status augmented_position_level(augmented_solution *q, double *X, routh_error *error)
{
    memset(X, 0, (size_t)q->n * q->z * sizeof *X);
    for (int k = 0; k < q->z; k++) X[(size_t)k * q->n + q->P.n_kept + k] = 1;
    return rt_factor_solve_parallel(q->P.factor, q->n, X, q->z, q->threads, q->s->progress, error);
}

/* P U = -[V_x; w_x] X */
static routh_status augmented_velocity_level(augmented_solution *q, const double *X, double *U,
                                             routh_error *error)
{
    memset(U, 0, (size_t)q->n * q->z * sizeof *U);
    for (int k = 0; k < q->z; k++) {
        const double *x = X + (size_t)k * q->n;
        double *u = U + (size_t)k * q->n;
        rt_manifold_subtract(&q->P, q->s->w->Vx, x, u);
        for (int i = 0; i < q->z; i++)
            u[q->P.n_kept + i] = -rt_state_row_times(&q->P.rows[i], q->P.rows[i].w_x, x);
    }
    return rt_factor_solve_parallel(q->P.factor, q->n, U, q->z, q->threads, q->s->progress, error);
}

/* [M G'; G 0] [u'; lambda] = -[D u + K xi; A_u u + A_x xi], columns k: W (u = X, xi = 0), z + k:
 * S (u = U, xi = X) */
static routh_status augmented_acceleration_level(augmented_solution *q, const double *X,
                                                 const double *U, double *B, routh_error *error)
{
    const routh_mechanism *m = q->s->m;
    const rt_workspace *w = q->s->w;
    const size_t size = (size_t)rt_kkt_size(q->s->mass), n = (size_t)q->n;
    memset(B, 0, size * 2 * (size_t)q->z * sizeof *B);
    for (int k = 0; k < q->z; k++) {
        const double *x = X + (size_t)k * n, *u = U + (size_t)k * n;
        double *by_w = B + (size_t)k * size, *by_s = B + (size_t)(q->z + k) * size;
        rt_sparse_multiply_add(&m->pattern_K, w->D, -1, x, by_w);
        rt_manifold_subtract(&q->P, w->Au, x, by_w + n);
        rt_sparse_multiply_add(&m->pattern_K, w->D, -1, u, by_s);
        rt_sparse_multiply_add(&m->pattern_K, w->K, -1, x, by_s);
        rt_manifold_subtract(&q->P, w->Au, u, by_s + n);
        rt_manifold_subtract(&q->P, w->Ax, x, by_s + n);
    }
    return rt_kkt_solve_columns(q->s->mass, B, 2 * q->z, q->threads, q->s->progress, error);
}

static void augmented_state_accelerations(const augmented_solution *q, const double *X,
                                          const double *U, const double *B, rt_sensitivity *out)
{
    const size_t size = (size_t)rt_kkt_size(q->s->mass), n = (size_t)q->n;
    for (int k = 0; k < q->z; k++) {
        const double *x = X + (size_t)k * n, *u = U + (size_t)k * n;
        const double *by_w = B + (size_t)k * size, *by_s = B + (size_t)(q->z + k) * size;
        for (int i = 0; i < q->z; i++) {
            const rt_state_row *row = &q->P.rows[i];
            out->A_SW[i * q->z + k] =
                rt_state_row_times(row, row->s_x, by_w) + rt_state_row_times(row, row->a_u, x);
            out->A_SS[i * q->z + k] = rt_state_row_times(row, row->s_x, by_s) +
                                      rt_state_row_times(row, row->a_u, u) +
                                      rt_state_row_times(row, row->a_x, x);
        }
    }
}

/* column k of Mhat (z x z, row-major) = X' t; four sums at a time keep the arithmetic busy. */
static void times_columns(const double *X, size_t n, int z, const double *t, int k, double *Mhat)
{
    int i = 0;
    for (; i + 4 <= z; i += 4) {
        const double *x0 = X + (size_t)i * n, *x1 = x0 + n, *x2 = x1 + n, *x3 = x2 + n;
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (size_t c = 0; c < n; c++) {
            s0 += x0[c] * t[c], s1 += x1[c] * t[c];
            s2 += x2[c] * t[c], s3 += x3[c] * t[c];
        }
        Mhat[i * z + k] = s0, Mhat[(i + 1) * z + k] = s1;
        Mhat[(i + 2) * z + k] = s2, Mhat[(i + 3) * z + k] = s3;
    }
    for (; i < z; i++) {
        double sum = 0;
        for (size_t c = 0; c < n; c++) sum += X[(size_t)i * n + c] * t[c];
        Mhat[i * z + k] = sum;
    }
}

/* Mhat = u_W' M u_W */
static routh_status augmented_reduced_mass(const augmented_solution *q, const double *X,
                                           double *Mhat, routh_error *error)
{
    const size_t n = (size_t)q->n;
    double *t = rt_kept_malloc(q->s->m->analyses, n * sizeof *t + 1);
    if (!t) return rt_fail_memory(error);
    for (int k = 0; k < q->z; k++) {
        memset(t, 0, n * sizeof *t);
        rt_sparse_multiply_add(&q->s->m->pattern_M, q->s->w->M, 1, X + (size_t)k * n, t);
        times_columns(X, n, q->z, t, k, Mhat);
    }
    rt_kept_free(t);
    return ROUTH_OK;
}

static routh_status augmented_prepare(augmented_solution *q, const rt_method_task *task,
                                      rt_arena *arena, routh_error *error)
{
    const rt_search *s = q->s;
    routh_status status = rt_manifold_create(&q->P, task, RT_MANIFOLD_POSITION, arena, error);
    if (!status) status = rt_manifold_factor(&q->P, task, error);
    if (!status) status = rt_kkt_factor(s->mass, s->w->M, s->w->G, s->w->L, 0, error);
    return status;
}

static routh_status augmented_run(const rt_method_task *task, rt_arena *arena, rt_sensitivity *out,
                                  routh_error *error)
{
    if (task->whole) return rt_whole_run(task, rt_whole_augmented, arena, out, error);
    rt_search *s = task->search;
    const int n = s->m->n_u, z = task->states->z;
    augmented_solution q = {.s = s, .n = n, .z = z, .threads = task->threads};
    routh_status status = rt_sensitivity_take(out, n, z, arena, error);
    if (!status) status = rt_search_mass(s, error);
    if (status) return status;
    double *B = rt_kept_malloc(s->m->analyses,
                               (size_t)rt_kkt_size(s->mass) * 2 * (size_t)z * sizeof *B + 1);
    if (!B) return rt_fail_memory(error);
    status = augmented_prepare(&q, task, arena, error);
    if (!status) status = augmented_position_level(&q, out->X, error);
    if (!status) status = augmented_velocity_level(&q, out->X, out->U, error);
    if (!status) status = augmented_acceleration_level(&q, out->X, out->U, B, error);
    if (!status) augmented_state_accelerations(&q, out->X, out->U, B, out);
    if (!status) status = augmented_reduced_mass(&q, out->X, out->Mhat, error);
    rt_manifold_release(&q.P);
    rt_kept_free(B);
    return status;
}

const rt_method rt_method_augmented = {
    .name = "augmented",
    .about = "sensitivities by one sparse block triangular system (Negrut and Ortiz)",
    .run = augmented_run,
};
