/* The minimal method: velocities projected on the null space of the constraints (Gonzalez et al.
 * 2017; EQUATIONS.md, "minimal"), for moving states too.
 *
 *     G R = 0,   X = R (s_x R)^-1                       xi = X S, u = X W + U S
 *     U  = -G+ V_x X + X y,    s_x U + w_x X = 0        the velocity level
 *     u' = X a - G+ (A_u u + A_x xi),
 *     X'M X a = -X'(D u + K xi + M u'_p)                the equations of motion, projected
 * The usual way is that of projection.c. Five bases R, of dense matrices, span the same space, so
 * they give the same linear model:
 *     partition     [-G_d^-1 G_i; I] by elimination with full pivoting (Negrut and Ortiz,
 *                   ME751, Eq. 5)
 *     qr            the last columns of Q in G' P = Q R
 *     svd           right singular vectors of singular value zero
 *     zero-eigenvalue   eigenvectors of G'G of eigenvalue zero
 *     gram-schmidt  unit vectors made orthogonal to the rows of G and to each other
 * Loads that use joint reactions need lambda as well: G G'-weighted least squares gives it. */
#include <stdlib.h>

#include "base/lapack.h"
#include "methods/null_space.h"
#include "methods/projection.h"
#include "methods/whole_dense.h"

static const char *const variants[] = {
    "minimal:sparse",          "minimal:partition",    "minimal:qr", "minimal:svd",
    "minimal:zero-eigenvalue", "minimal:gram-schmidt", NULL};

/* ---- the levels ----------------------------------------------------------------------------- */

typedef struct minimal_solution {
    rt_null_space d;
    rt_state_row *rows;
    double *T;     /* z x z: LU of s_x R, then of X'MX */
    int *pivots;   /* z */
    double *y, *f; /* n */
    double *a;     /* z */
} minimal_solution;

/* U = u_p + X y with G u_p = -V_x X, s_x U = -w_x X; s_x X = I gives y at once. */
static void minimal_velocity_level(minimal_solution *q, const double *X, double *U)
{
    const int n = q->d.n, z = q->d.z;
    for (int k = 0; k < z; k++) {
        const double *x = X + (size_t)n * k;
        double *u = U + (size_t)n * k;
        memset(u, 0, (size_t)n * sizeof *u);
        rt_null_space_subtract(&q->d, q->d.s->w->Vx, x, u);
        rt_null_space_smallest(&q->d, u);
        for (int i = 0; i < z; i++) {
            const rt_state_row *row = &q->rows[i];
            q->a[i] = -rt_state_row_times(row, row->w_x, x) - rt_state_row_times(row, row->s_x, u);
        }
        for (int i = 0; i < z; i++)
            for (int c = 0; c < n; c++) u[c] += X[c + (size_t)n * i] * q->a[i];
    }
}

/* out[z] = X' f */
static void minimal_project(int n, int z, const double *X, const double *f, double *out)
{
    for (int i = 0; i < z; i++) {
        out[i] = 0;
        for (int c = 0; c < n; c++) out[i] += X[(size_t)n * (size_t)i + c] * f[c];
    }
}

/* u' for the variation (xi, u); xi NULL: zero. Into q->y. */
static routh_status minimal_accelerations(minimal_solution *q, const double *X, const double *u,
                                          const double *xi, routh_error *error)
{
    const routh_mechanism *m = q->d.s->m;
    const rt_workspace *w = q->d.s->w;
    const int n = q->d.n, z = q->d.z;
    memset(q->y, 0, (size_t)n * sizeof(double));
    rt_null_space_subtract(&q->d, w->Au, u, q->y);
    if (xi) rt_null_space_subtract(&q->d, w->Ax, xi, q->y);
    rt_null_space_smallest(&q->d, q->y);
    memset(q->f, 0, (size_t)n * sizeof(double));
    rt_sparse_multiply_add(&m->pattern_K, w->D, -1, u, q->f);
    if (xi) rt_sparse_multiply_add(&m->pattern_K, w->K, -1, xi, q->f);
    rt_sparse_multiply_add(&m->pattern_M, w->M, -1, q->y, q->f);
    minimal_project(n, z, X, q->f, q->a);
    const routh_status status = rt_lu_solve(z, q->T, q->pivots, 1, q->a, 0, error);
    for (int k = 0; k < z; k++)
        for (int c = 0; c < n; c++) q->y[c] += X[c + (size_t)n * k] * q->a[k];
    return status;
}

/* T = LU of X'MX; Mhat = X'MX row-major */
static routh_status minimal_project_mass(minimal_solution *q, const double *X, double *Mhat,
                                         routh_error *error)
{
    const int n = q->d.n, z = q->d.z;
    for (int k = 0; k < z; k++) {
        memset(q->f, 0, (size_t)n * sizeof(double));
        rt_sparse_multiply_add(&q->d.s->m->pattern_M, q->d.s->w->M, 1, X + (size_t)n * k, q->f);
        minimal_project(n, z, X, q->f, q->T + (size_t)z * k);
        for (int i = 0; i < z; i++) Mhat[i * z + k] = q->T[i + (size_t)z * k];
    }
    return rt_lu_factor(z, q->T, q->pivots, error);
}

static routh_status minimal_acceleration_level(minimal_solution *q, const rt_sensitivity *x,
                                               routh_error *error)
{
    const int n = q->d.n, z = q->d.z;
    routh_status status = minimal_project_mass(q, x->X, x->Mhat, error);
    for (int k = 0; k < z && !status; k++) {
        const double *X = x->X + (size_t)n * k, *U = x->U + (size_t)n * k;
        status = minimal_accelerations(q, x->X, X, NULL, error);
        for (int i = 0; i < z; i++) {
            const rt_state_row *row = &q->rows[i];
            x->A_SW[i * z + k] =
                rt_state_row_times(row, row->s_x, q->y) + rt_state_row_times(row, row->a_u, X);
        }
        if (!status) status = minimal_accelerations(q, x->X, U, X, error);
        for (int i = 0; i < z; i++) {
            const rt_state_row *row = &q->rows[i];
            x->A_SS[i * z + k] = rt_state_row_times(row, row->s_x, q->y) +
                                 rt_state_row_times(row, row->a_u, U) +
                                 rt_state_row_times(row, row->a_x, X);
        }
    }
    return status;
}

/* ---- putting it together -------------------------------------------------------------------- */

static bool minimal_take(minimal_solution *q, rt_arena *arena)
{
    const size_t n = (size_t)q->d.n, z = (size_t)q->d.z;
    int *slot = RT_TAKE(arena, int, q->d.s->m->n_rows);
    bool ok = slot && rt_number_rows(q->d.s, slot, arena);
    q->d.slot = slot;
    ok = ok && (q->T = RT_TAKE(arena, double, z *z)) && (q->pivots = RT_TAKE(arena, int, z));
    ok = ok && (q->y = RT_TAKE(arena, double, n)) && (q->f = RT_TAKE(arena, double, n));
    return ok && (q->a = RT_TAKE(arena, double, z));
}

enum { MOST_COLUMNS = 3000 };

/* No basis apart: the tangent in the states by one sparse factorization. */
static routh_status run_sparse(const rt_method_task *task, rt_arena *arena, rt_sensitivity *out,
                               routh_error *error)
{
    rt_projection q;
    if (task->whole) return rt_whole_run(task, rt_whole_minimal, arena, out, error);
    routh_status status =
        rt_sensitivity_take(out, task->search->m->n_u, task->states->z, arena, error);
    if (status) return status;
    status = rt_projection_create(&q, task, arena, error);
    if (!status) status = rt_projection_run(&q, task, out, error);
    rt_projection_release(&q);
    return status;
}

static routh_status minimal_check(const rt_method_task *task, routh_error *error)
{
    const routh_mechanism *m = task->search->m;
    if (m->n_u > MOST_COLUMNS)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "the method minimal:%s uses dense matrices for at most %d velocity "
                       "variables, but this mechanism has %d; use --method minimal:sparse or "
                       "augmented",
                       task->variant, MOST_COLUMNS, m->n_u);
    if (m->pattern_L.start[m->n_rows] == 0) return ROUTH_OK;
    return rt_fail(
        error, ROUTH_NOT_SUPPORTED,
        "the minimal method eliminates joint reactions, but an expression of this model uses them; "
        "use --method augmented");
}

static routh_status minimal_run(const rt_method_task *task, rt_arena *arena, rt_sensitivity *out,
                                routh_error *error)
{
    if (!task->variant || strcmp(task->variant, "sparse") == 0)
        return run_sparse(task, arena, out, error);
    const rt_search *s = task->search;
    const int n = s->m->n_u, z = task->states->z;
    const rt_null_basis *basis = rt_find_null_basis(task->variant);
    minimal_solution q = {.d = {.s = s, .rank = s->rank, .n = n, .m = n - z, .z = z}};
    routh_status status = minimal_check(task, error);
    if (!status && task->whole) return rt_whole_minimal_dense(task, basis, arena, out, error);
    if (!status) status = rt_sensitivity_take(out, n, z, arena, error);
    if (status) return status;
    double *R = RT_TAKE(arena, double, (size_t)n *z);
    if (!R || !minimal_take(&q, arena)) return rt_fail_memory(error);
    status = rt_state_rows(task, arena, &q.rows, error);
    if (!status) status = rt_null_space_factor(&q.d, basis, arena, error);
    if (!status) status = basis->make(&q.d, R, error);
    if (!status) status = rt_null_space_tangent(&q.d, q.rows, R, q.T, q.pivots, q.a, out->X, error);
    if (!status) minimal_velocity_level(&q, out->X, out->U);
    if (!status) status = minimal_acceleration_level(&q, out, error);
    return status;
}

const rt_method rt_method_minimal = {
    .name = "minimal",
    .about = "equations projected on the null space of the constraints, dense",
    .variants = variants,
    .run = minimal_run,
};
