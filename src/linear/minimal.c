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
#include "base/reflectors.h"
#include "linear/projection.h"
#include "linear/whole.h"

typedef struct dense {
    const rt_search *s;
    int n, m, r, z; /* columns, rows kept, their rank (= m), states */
    int *slot;       /* of every row of G: its place among those kept, or -1 */
    double *G;       /* m x n, column-major; NULL where the basis does not look at it */
    rt_reflectors Q; /* G' = Q [Rt; 0] */
    double *full;    /* scratch: all rows of Phi */
} dense;

/* ---- small dense products, column-major ------------------------------------------------------ */

/* C = A' B, A: k x p, B: k x q, C: p x q */
static void times_transposed(int k, int p, int q, const double *A, const double *B, double *C)
{
    for (int j = 0; j < q; j++)
        for (int i = 0; i < p; i++) {
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += A[l + (size_t)k * i] * B[l + (size_t)k * j];
            C[i + (size_t)p * j] = sum;
        }
}

/* ---- the constraints as a dense matrix ------------------------------------------------------ */

/* to[row * by_row + column * by_column] = G */
static void fill_G(const dense *d, double *to, size_t by_row, size_t by_column)
{
    const rt_pattern *p = &d->s->m->pattern_G;
    for (int c = 0; c < d->n; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++)
            if (d->slot[p->row[e]] >= 0)
                to[by_row * (size_t)d->slot[p->row[e]] + by_column * (size_t)c] = d->s->w->G[e];
}

/* G' = Q [Rt; 0] */
static routh_status factor_G(dense *d, rt_arena *arena, routh_error *error)
{
    double *work = RT_TAKE(arena, double, (size_t)d->n *(size_t)d->m);
    if (!work) return rt_fail_memory(error);
    fill_G(d, work, (size_t)d->n, 1);
    return rt_reflectors_make(&d->Q, d->n, d->m, work, arena, error);
}

/* y = G+ b, the smallest solution of G y = b: y = Q [Rt'^-1 b; 0]. b: m in y (n), the rest 0 */
static void smallest_solution(const dense *d, double *y)
{
    bool nothing = true;
    for (int r = 0; r < d->m && nothing; r++) nothing = y[r] == 0;
    if (nothing) return;
    rt_reflectors_solve_transposed(&d->Q, y);
    rt_reflectors_apply(&d->Q, 0, 1, y);
}

/* out[m] -= the kept rows of (values on pattern_G) x */
static void subtract_rows(const dense *d, const double *values, const double *x, double *out)
{
    memset(d->full, 0, (size_t)d->s->m->n_rows * sizeof(double));
    rt_sparse_multiply_add(&d->s->m->pattern_G, values, 1, x, d->full);
    for (int r = 0; r < d->s->m->n_rows; r++)
        if (d->slot[r] >= 0) out[d->slot[r]] -= d->full[r];
}

/* ---- bases of the null space, n x z --------------------------------------------------------- */

static routh_status basis_qr(const dense *d, double *R, routh_error *error)
{
    (void)error;
    rt_reflectors_null(&d->Q, R);
    return ROUTH_OK;
}

/* Independent columns by full pivoting, dependent ones by G_d x_d = -G_i x_i. */
static routh_status basis_partition(const dense *d, double *R, routh_error *error)
{
    int *dependent = malloc(((size_t)d->n + 2 * (size_t)d->m + 1) * sizeof *dependent);
    double *A = malloc(((size_t)d->m * d->m + (size_t)d->m * d->z + 1) * sizeof *A);
    routh_status status = dependent && A ? ROUTH_OK : rt_fail_memory(error);
    if (!status) {
        int *independent = dependent + d->m, *pivots = independent + d->z + 0;
        double *B = A + (size_t)d->m * d->m;
        int n_d = 0, n_i = 0;
        for (int c = 0; c < d->n; c++)
            if (d->s->rank->column_step[c] >= 0)
                dependent[n_d++] = c;
            else
                independent[n_i++] = c;
        for (int k = 0; k < d->m; k++)
            memcpy(A + (size_t)d->m * k, d->G + (size_t)d->m * dependent[k],
                   (size_t)d->m * sizeof *A);
        for (int k = 0; k < d->z; k++)
            for (int r = 0; r < d->m; r++)
                B[r + (size_t)d->m * k] = -d->G[r + (size_t)d->m * independent[k]];
        status = rt_lu_factor(d->m, A, pivots, error);
        if (!status) status = rt_lu_solve(d->m, A, pivots, d->z, B, 0, error);
        memset(R, 0, (size_t)d->n * d->z * sizeof *R);
        for (int k = 0; k < d->z && !status; k++) {
            R[independent[k] + (size_t)d->n * k] = 1;
            for (int r = 0; r < d->m; r++)
                R[dependent[r] + (size_t)d->n * k] = B[r + (size_t)d->m * k];
        }
    }
    free(dependent);
    free(A);
    return status;
}

/* The last right singular vectors: those of singular value zero. */
static routh_status basis_svd(const dense *d, double *R, routh_error *error)
{
    const int n = d->n, m = d->m;
    double *A = malloc(((size_t)m * n + (size_t)n * n + (size_t)m + 1) * sizeof *A);
    if (!A) return rt_fail_memory(error);
    double *Vt = A + (size_t)m * n, *sigma = Vt + (size_t)n * n;
    memcpy(A, d->G, (size_t)m * n * sizeof *A);
    const routh_status status = rt_svd(m, n, A, sigma, NULL, Vt, error);
    for (int k = 0; k < d->z && !status; k++)
        for (int c = 0; c < n; c++) R[c + (size_t)n * k] = Vt[m + k + (size_t)n * c];
    free(A);
    return status;
}

/* G'G has as many zero eigenvalues as there are degrees of freedom; they come first. */
static routh_status basis_zero_eigenvalue(const dense *d, double *R, routh_error *error)
{
    const int n = d->n;
    double *A = malloc(((size_t)n * n + (size_t)n + 1) * sizeof *A);
    if (!A) return rt_fail_memory(error);
    times_transposed(d->m, n, n, d->G, d->G, A);
    const routh_status status = rt_symmetric_eigen(n, A, A + (size_t)n * n, error);
    if (!status) memcpy(R, A, (size_t)n * d->z * sizeof *R);
    free(A);
    return status;
}

/* v made orthogonal to the first n_q columns of Q, twice; its length before the second pass. */
static double orthogonalize(double *v, const double *Q, int n, int n_q)
{
    double length = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < n_q; k++) {
            const double *q = Q + (size_t)n * k;
            double dot = 0;
            for (int c = 0; c < n; c++) dot += q[c] * v[c];
            for (int c = 0; c < n; c++) v[c] -= dot * q[c];
        }
        if (pass == 0)
            for (int c = 0; c < n; c++) length += v[c] * v[c];
    }
    return sqrt(length);
}

static void normalize(double *v, int n)
{
    double sum = 0;
    for (int c = 0; c < n; c++) sum += v[c] * v[c];
    for (int c = 0; c < n && sum > 0; c++) v[c] /= sqrt(sum);
}

/* Rows of G first, then the unit vectors of the columns that stayed independent. */
static routh_status basis_gram_schmidt(const dense *d, double *R, routh_error *error)
{
    const int n = d->n;
    double *Q = malloc((size_t)n * n * sizeof *Q + 1);
    if (!Q) return rt_fail_memory(error);
    for (int k = 0; k < d->m; k++) {
        for (int c = 0; c < n; c++) Q[c + (size_t)n * k] = d->G[k + (size_t)d->m * c];
        orthogonalize(Q + (size_t)n * k, Q, n, k);
        normalize(Q + (size_t)n * k, n);
    }
    int k = d->m;
    for (int c = 0; c < n && k < n; c++) {
        if (d->s->rank->column_step[c] >= 0) continue;
        double *v = Q + (size_t)n * k;
        memset(v, 0, (size_t)n * sizeof *v);
        v[c] = 1;
        orthogonalize(v, Q, n, k++);
        normalize(v, n);
    }
    memcpy(R, Q + (size_t)n * d->m, (size_t)n * d->z * sizeof *R);
    free(Q);
    return ROUTH_OK;
}

typedef struct basis {
    const char *name;
    routh_status (*make)(const dense *d, double *R, routh_error *error);
} basis;

static const basis bases[] = {{"partition", basis_partition},
                              {"qr", basis_qr},
                              {"svd", basis_svd},
                              {"zero-eigenvalue", basis_zero_eigenvalue},
                              {"gram-schmidt", basis_gram_schmidt}};
static const char *const variants[] = {
    "minimal:sparse", "minimal:partition",       "minimal:qr",
    "minimal:svd",    "minimal:zero-eigenvalue", "minimal:gram-schmidt", NULL};

/* ---- the levels ----------------------------------------------------------------------------- */

typedef struct solution {
    dense d;
    rt_state_row *rows;
    double *T;     /* z x z: LU of s_x R, then of X'MX */
    int *pivots;   /* z */
    double *y, *f; /* n */
    double *a;     /* z */
} solution;

/* X = R (s_x R)^-1 */
static routh_status position_level(solution *q, const double *R, double *X, routh_error *error)
{
    const int n = q->d.n, z = q->d.z;
    for (int k = 0; k < z; k++)
        for (int i = 0; i < z; i++)
            q->T[i + (size_t)z * k] =
                rt_state_row_times(&q->rows[i], q->rows[i].s_x, R + (size_t)n * k);
    routh_status status = rt_lu_factor(z, q->T, q->pivots, error);
    if (status) return status;
    for (int c = 0; c < n && !status; c++) { /* row c of X: solve T' x = row of R */
        for (int k = 0; k < z; k++) q->a[k] = R[c + (size_t)n * k];
        status = rt_lu_solve(z, q->T, q->pivots, 1, q->a, 1, error);
        for (int k = 0; k < z; k++) X[c + (size_t)n * k] = q->a[k];
    }
    return status;
}

/* U = u_p + X y with G u_p = -V_x X, s_x U = -w_x X; s_x X = I gives y at once. */
static void velocity_level(solution *q, const double *X, double *U)
{
    const int n = q->d.n, z = q->d.z;
    for (int k = 0; k < z; k++) {
        const double *x = X + (size_t)n * k;
        double *u = U + (size_t)n * k;
        memset(u, 0, (size_t)n * sizeof *u);
        subtract_rows(&q->d, q->d.s->w->Vx, x, u);
        smallest_solution(&q->d, u);
        for (int i = 0; i < z; i++) {
            const rt_state_row *row = &q->rows[i];
            q->a[i] = -rt_state_row_times(row, row->w_x, x) - rt_state_row_times(row, row->s_x, u);
        }
        for (int i = 0; i < z; i++)
            for (int c = 0; c < n; c++) u[c] += X[c + (size_t)n * i] * q->a[i];
    }
}

/* u' for the variation (xi, u); xi NULL: zero. Into q->y. */
static routh_status accelerations(solution *q, const double *X, const double *u, const double *xi,
                                  routh_error *error)
{
    const routh_mechanism *m = q->d.s->m;
    const rt_workspace *w = q->d.s->w;
    const int n = q->d.n, z = q->d.z;
    memset(q->y, 0, (size_t)n * sizeof(double));
    subtract_rows(&q->d, w->Au, u, q->y);
    if (xi) subtract_rows(&q->d, w->Ax, xi, q->y);
    smallest_solution(&q->d, q->y);
    memset(q->f, 0, (size_t)n * sizeof(double));
    rt_sparse_multiply_add(&m->pattern_K, w->D, -1, u, q->f);
    if (xi) rt_sparse_multiply_add(&m->pattern_K, w->K, -1, xi, q->f);
    rt_sparse_multiply_add(&m->pattern_M, w->M, -1, q->y, q->f);
    times_transposed(n, z, 1, X, q->f, q->a);
    const routh_status status = rt_lu_solve(z, q->T, q->pivots, 1, q->a, 0, error);
    for (int k = 0; k < z; k++)
        for (int c = 0; c < n; c++) q->y[c] += X[c + (size_t)n * k] * q->a[k];
    return status;
}

/* T = LU of X'MX; Mhat = X'MX row-major */
static routh_status project_mass(solution *q, const double *X, double *Mhat, routh_error *error)
{
    const int n = q->d.n, z = q->d.z;
    for (int k = 0; k < z; k++) {
        memset(q->f, 0, (size_t)n * sizeof(double));
        rt_sparse_multiply_add(&q->d.s->m->pattern_M, q->d.s->w->M, 1, X + (size_t)n * k, q->f);
        times_transposed(n, z, 1, X, q->f, q->T + (size_t)z * k);
        for (int i = 0; i < z; i++) Mhat[i * z + k] = q->T[i + (size_t)z * k];
    }
    return rt_lu_factor(z, q->T, q->pivots, error);
}

static routh_status acceleration_level(solution *q, const rt_sensitivity *x, routh_error *error)
{
    const int n = q->d.n, z = q->d.z;
    routh_status status = project_mass(q, x->X, x->Mhat, error);
    for (int k = 0; k < z && !status; k++) {
        const double *X = x->X + (size_t)n * k, *U = x->U + (size_t)n * k;
        status = accelerations(q, x->X, X, NULL, error);
        for (int i = 0; i < z; i++) {
            const rt_state_row *row = &q->rows[i];
            x->A_SW[i * z + k] = rt_state_row_times(row, row->s_x, q->y) +
                                 rt_state_row_times(row, row->a_u, X);
        }
        if (!status) status = accelerations(q, x->X, U, X, error);
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

static bool take(solution *q, bool dense_G, rt_arena *arena)
{
    dense *d = &q->d;
    const size_t n = (size_t)d->n, m = (size_t)d->m, z = (size_t)d->z;
    bool ok = (d->slot = RT_TAKE(arena, int, d->s->m->n_rows)) != NULL;
    ok = ok && (!dense_G || (d->G = RT_TAKE(arena, double, m * n)));
    ok = ok && (d->full = RT_TAKE(arena, double, d->s->m->n_rows));
    ok = ok && (q->T = RT_TAKE(arena, double, z *z)) && (q->pivots = RT_TAKE(arena, int, z));
    ok = ok && (q->y = RT_TAKE(arena, double, n)) && (q->f = RT_TAKE(arena, double, n));
    return ok && (q->a = RT_TAKE(arena, double, z));
}

static const basis *find_basis(const char *name)
{
    for (size_t k = 0; k < sizeof bases / sizeof bases[0] && name; k++)
        if (strcmp(bases[k].name, name) == 0) return &bases[k];
    return &bases[0];
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

static routh_status run(const rt_method_task *task, rt_arena *arena, rt_sensitivity *out,
                        routh_error *error)
{
    if (!task->variant || strcmp(task->variant, "sparse") == 0)
        return run_sparse(task, arena, out, error);
    const rt_search *s = task->search;
    const int n = s->m->n_u, z = task->states->z;
    solution q = {.d = {.s = s, .n = n, .m = n - z, .z = z}};
    if (task->whole)
        return rt_check_alone(s->m, true, "dense bases of the minimal method are",
                              "use --method minimal:sparse, augmented, redundant or difference",
                              error);
    if (n > MOST_COLUMNS)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "the method minimal:%s works with dense matrices, for at most %d velocity "
                       "variables; this mechanism has %d: use --method minimal:sparse or augmented",
                       task->variant, MOST_COLUMNS, n);
    if (s->m->pattern_L.start[s->m->n_rows])
        return rt_fail(
            error, ROUTH_NOT_SUPPORTED,
            "the minimal method eliminates joint reactions, but an expression of this model uses "
            "them: use --method augmented");
    routh_status status = rt_sensitivity_take(out, n, z, arena, error);
    const basis *base = find_basis(task->variant);
    double *R = RT_TAKE(arena, double, (size_t)n *z);
    if (!status && (!R || !take(&q, base->make != basis_qr, arena) ||
                    !rt_number_rows(s, q.d.slot, arena)))
        status = rt_fail_memory(error);
    if (status) return status;
    if (q.d.G) fill_G(&q.d, q.d.G, 1, (size_t)q.d.m);
    status = rt_state_rows(task, arena, &q.rows, error);
    if (!status) status = factor_G(&q.d, arena, error);
    if (!status) status = base->make(&q.d, R, error);
    if (!status) status = position_level(&q, R, out->X, error);
    if (!status) velocity_level(&q, out->X, out->U);
    if (!status) status = acceleration_level(&q, out, error);
    return status;
}

const rt_method rt_method_minimal = {
    .name = "minimal",
    .about = "equations projected on the null space of the constraints, dense",
    .variants = variants,
    .run = run,
};
