/* Bases of the null space of G, each from a different factorization. */
#include "base/kept_memory.h"
#include "methods/null_space.h"

#include "base/lapack.h"

/* ---- small dense products, column-major ------------------------------------------------------ */

/* C = A' B, A: k x p, B: k x q, C: p x q */
static void null_space_times_transposed(int k, int p, int q, const double *A, const double *B,
                                        double *C)
{
    for (int j = 0; j < q; j++)
        for (int i = 0; i < p; i++) {
            double sum = 0;
            for (int l = 0; l < k; l++) sum += A[l + (size_t)k * i] * B[l + (size_t)k * j];
            C[i + (size_t)p * j] = sum;
        }
}

/* ---- the constraints as a dense matrix ------------------------------------------------------ */

/* to[row * by_row + column * by_column] = G */
static void fill_G(const rt_null_space *d, double *to, size_t by_row, size_t by_column)
{
    const rt_pattern *p = &d->s->m->pattern_G;
    for (int c = 0; c < d->n; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++)
            if (d->slot[p->row[e]] >= 0)
                to[by_row * (size_t)d->slot[p->row[e]] + by_column * (size_t)c] = d->s->w->G[e];
}

/* G' = Q [Rt; 0] */
routh_status rt_null_space_factor(rt_null_space *d, const rt_null_basis *basis, rt_arena *arena,
                                  routh_error *error)
{
    const size_t n = (size_t)d->n, m = (size_t)d->m;
    double *work = RT_TAKE(arena, double, n *m);
    d->full = RT_TAKE(arena, double, d->s->m->n_rows);
    if (basis->looks_at_G) d->G = RT_TAKE(arena, double, m *n);
    if (!work || !d->full || (basis->looks_at_G && !d->G)) return rt_fail_memory(error);
    if (d->G) fill_G(d, d->G, 1, m);
    fill_G(d, work, n, 1);
    return rt_reflectors_make(&d->Q, d->n, d->m, work, arena, error);
}

void rt_null_space_smallest(const rt_null_space *d, double *y)
{
    bool nothing = true;
    for (int r = 0; r < d->m && nothing; r++) nothing = y[r] == 0;
    if (nothing) return;
    rt_reflectors_solve_transposed(&d->Q, y);
    rt_reflectors_apply(&d->Q, 0, 1, y);
}

void rt_null_space_multipliers(const rt_null_space *d, double *f)
{
    rt_reflectors_apply(&d->Q, 1, 1, f);
    rt_reflectors_solve(&d->Q, f);
}

void rt_null_space_subtract(const rt_null_space *d, const double *values, const double *x,
                            double *out)
{
    memset(d->full, 0, (size_t)d->s->m->n_rows * sizeof(double));
    rt_sparse_multiply_add(&d->s->m->pattern_G, values, 1, x, d->full);
    for (int r = 0; r < d->s->m->n_rows; r++)
        if (d->slot[r] >= 0) out[d->slot[r]] -= d->full[r];
}

/* ---- bases of the null space, n x z --------------------------------------------------------- */

static routh_status basis_qr(const rt_null_space *d, double *R, routh_error *error)
{
    (void)error;
    rt_reflectors_null(&d->Q, R);
    return ROUTH_OK;
}

/* Independent columns by full pivoting, dependent ones by G_d x_d = -G_i x_i. */
static routh_status basis_partition(const rt_null_space *d, double *R, routh_error *error)
{
    int *dependent = rt_kept_malloc(d->s->m->analyses,
                                    ((size_t)d->n + 2 * (size_t)d->m + 1) * sizeof *dependent);
    double *A = rt_kept_malloc(d->s->m->analyses,
                               ((size_t)d->m * d->m + (size_t)d->m * d->z + 1) * sizeof *A);
    routh_status status = dependent && A ? ROUTH_OK : rt_fail_memory(error);
    if (!status) {
        int *independent = dependent + d->m, *pivots = independent + d->z + 0;
        double *B = A + (size_t)d->m * d->m;
        int n_d = 0, n_i = 0;
        for (int c = 0; c < d->n; c++)
            if (d->rank->column_step[c] >= 0)
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
    rt_kept_free(dependent);
    rt_kept_free(A);
    return status;
}

/* The last right singular vectors: those of singular value zero. */
static routh_status basis_svd(const rt_null_space *d, double *R, routh_error *error)
{
    const int n = d->n, m = d->m;
    double *A = rt_kept_malloc(d->s->m->analyses,
                               ((size_t)m * n + (size_t)n * n + (size_t)m + 1) * sizeof *A);
    if (!A) return rt_fail_memory(error);
    double *Vt = A + (size_t)m * n, *sigma = Vt + (size_t)n * n;
    memcpy(A, d->G, (size_t)m * n * sizeof *A);
    const routh_status status = rt_svd_kept(m, n, A, sigma, NULL, Vt, d->s->m->analyses, error);
    for (int k = 0; k < d->z && !status; k++)
        for (int c = 0; c < n; c++) R[c + (size_t)n * k] = Vt[m + k + (size_t)n * c];
    rt_kept_free(A);
    return status;
}

/* R -= G+ G R. work: n */
static void null_space_purify(const rt_null_space *d, double *R, double *work)
{
    for (int k = 0; k < d->z; k++) {
        double *x = R + (size_t)d->n * k;
        memset(work, 0, (size_t)d->n * sizeof *work);
        rt_null_space_subtract(d, d->s->w->G, x, work);
        rt_null_space_smallest(d, work);
        for (int c = 0; c < d->n; c++) x[c] += work[c];
    }
}

/* G'G has as many zero eigenvalues as there are degrees of freedom; they come first. Its condition
 * is the square of G's: what that leaves of G R is taken out. */
static routh_status basis_zero_eigenvalue(const rt_null_space *d, double *R, routh_error *error)
{
    const int n = d->n;
    double *A = rt_kept_malloc(d->s->m->analyses, ((size_t)n * n + (size_t)n + 1) * sizeof *A);
    if (!A) return rt_fail_memory(error);
    null_space_times_transposed(d->m, n, n, d->G, d->G, A);
    const routh_status status =
        rt_symmetric_eigen_kept(n, A, A + (size_t)n * n, d->s->m->analyses, error);
    if (!status) {
        memcpy(R, A, (size_t)n * d->z * sizeof *R);
        null_space_purify(d, R, A);
    }
    rt_kept_free(A);
    return status;
}

/* v made orthogonal to the first n_q columns of Q, twice; its length before the second pass. */
static double null_space_orthogonalize(double *v, const double *Q, int n, int n_q)
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

static void null_space_normalize(double *v, int n)
{
    double sum = 0;
    for (int c = 0; c < n; c++) sum += v[c] * v[c];
    for (int c = 0; c < n && sum > 0; c++) v[c] /= sqrt(sum);
}

/* Rows of G first, then the unit vectors of the columns that stayed independent. */
static routh_status basis_gram_schmidt(const rt_null_space *d, double *R, routh_error *error)
{
    const int n = d->n;
    double *Q = rt_kept_malloc(d->s->m->analyses, (size_t)n * n * sizeof *Q + 1);
    if (!Q) return rt_fail_memory(error);
    for (int k = 0; k < d->m; k++) {
        for (int c = 0; c < n; c++) Q[c + (size_t)n * k] = d->G[k + (size_t)d->m * c];
        null_space_orthogonalize(Q + (size_t)n * k, Q, n, k);
        null_space_normalize(Q + (size_t)n * k, n);
    }
    int k = d->m;
    for (int c = 0; c < n && k < n; c++) {
        if (d->rank->column_step[c] >= 0) continue;
        double *v = Q + (size_t)n * k;
        memset(v, 0, (size_t)n * sizeof *v);
        v[c] = 1;
        null_space_orthogonalize(v, Q, n, k++);
        null_space_normalize(v, n);
    }
    memcpy(R, Q + (size_t)n * d->m, (size_t)n * d->z * sizeof *R);
    rt_kept_free(Q);
    return ROUTH_OK;
}

static const rt_null_basis bases[] = {{"partition", basis_partition, true},
                                      {"qr", basis_qr, false},
                                      {"svd", basis_svd, true},
                                      {"zero-eigenvalue", basis_zero_eigenvalue, true},
                                      {"gram-schmidt", basis_gram_schmidt, true}};

const rt_null_basis *rt_find_null_basis(const char *name)
{
    for (size_t k = 0; k < sizeof bases / sizeof bases[0] && name; k++)
        if (strcmp(bases[k].name, name) == 0) return &bases[k];
    return &bases[0];
}

/* ---- the tangent in the states --------------------------------------------------------------- */

routh_status rt_null_space_tangent(const rt_null_space *d, const rt_state_row *rows,
                                   const double *R, double *T, int *pivots, double *a, double *X,
                                   routh_error *error)
{
    const int n = d->n, z = d->z;
    for (int k = 0; k < z; k++)
        for (int i = 0; i < z; i++)
            T[i + (size_t)z * k] = rt_state_row_times(&rows[i], rows[i].s_x, R + (size_t)n * k);
    routh_status status = rt_lu_factor(z, T, pivots, error);
    for (int c = 0; c < n && !status; c++) { /* row c of X: solve T' x = row of R */
        for (int k = 0; k < z; k++) a[k] = R[c + (size_t)n * k];
        status = rt_lu_solve(z, T, pivots, 1, a, 1, error);
        for (int k = 0; k < z; k++) X[c + (size_t)n * k] = a[k];
    }
    return status;
}
