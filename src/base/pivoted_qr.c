#include "base/pivoted_qr.h"

#include <math.h>
#include <string.h>

#include <cblas.h>
#include <lapacke.h>

#include "base/lapack.h"

static const char what[] = "the QR factorization with pivots";

static double pivoted_qr_entry(const rt_pivoted_qr *qr, int i, int j)
{
    return qr->a[(size_t)i + (size_t)qr->n_rows * (size_t)j];
}

routh_status rt_pivoted_qr_create(rt_pivoted_qr *qr, int most_rows, int most_columns,
                                  rt_arena *arena, routh_error *error)
{
    const size_t rows = (size_t)most_rows, columns = (size_t)most_columns;
    double asked = 0;
    *qr = (rt_pivoted_qr){.most_rows = most_rows, .most_columns = most_columns};
    if (most_rows < 1 || most_columns < 1)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "%s needs a matrix that is not empty", what);
    (void)LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, most_rows, most_columns, NULL, most_rows, NULL,
                              NULL, &asked, -1);
    qr->n_work = (int)fmax(asked, 3.0 * most_columns + 1);
    qr->a = RT_TAKE(arena, double, rows *columns);
    qr->tau = RT_TAKE(arena, double, columns);
    qr->column = RT_TAKE(arena, int, columns);
    qr->work = RT_TAKE(arena, double, qr->n_work);
    return qr->a && qr->tau && qr->column && qr->work ? ROUTH_OK : rt_fail_memory(error);
}

static bool pivoted_qr_is_finite(const rt_pivoted_qr *qr)
{
    const size_t n = (size_t)qr->n_rows * (size_t)qr->n_columns;
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += 0 * qr->a[i];
    return sum == 0;
}

static void find_rank(rt_pivoted_qr *qr, double none, double least, double most, bool *clear)
{
    const int n = qr->n_rows < qr->n_columns ? qr->n_rows : qr->n_columns;
    const double largest = fabs(pivoted_qr_entry(qr, 0, 0));
    qr->rank = 0;
    *clear = true;
    for (int i = 0; i < n; i++) {
        const double size = fabs(pivoted_qr_entry(qr, i, i));
        if (size > least * largest && size < most * largest) *clear = false;
        if (size > none * largest && qr->rank == i) qr->rank++;
    }
}

routh_status rt_pivoted_qr_factor(rt_pivoted_qr *qr, int n_rows, int n_columns, double none,
                                  double least, double most, bool *clear, routh_error *error)
{
    if (n_rows < 1 || n_columns < 1 || n_rows > qr->most_rows || n_columns > qr->most_columns)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "%s has no room for %d x %d numbers", what,
                       n_rows, n_columns);
    qr->n_rows = n_rows, qr->n_columns = n_columns;
    if (!pivoted_qr_is_finite(qr))
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "%s of a matrix of order %d: an entry is not a finite number", what,
                       n_columns);
    memset(qr->column, 0, (size_t)n_columns * sizeof *qr->column);
    const lapack_int info = LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n_rows, n_columns, qr->a, n_rows,
                                                qr->column, qr->tau, qr->work, qr->n_work);
    if (info) return rt_fail(error, ROUTH_NUMERIC_ERROR, "%s failed (code %d)", what, (int)info);
    find_rank(qr, none, least, most, clear);
    return ROUTH_OK;
}

/* H b = b - tau v v'b, v = [1; below the diagonal] */
void rt_pivoted_qr_project(const rt_pivoted_qr *qr, double *b)
{
    const int n = qr->n_rows < qr->n_columns ? qr->n_rows : qr->n_columns;
    for (int k = 0; k < n; k++) {
        const double *v = qr->a + (size_t)qr->n_rows * (size_t)k;
        double along = b[k];
        for (int i = k + 1; i < qr->n_rows; i++) along += v[i] * b[i];
        along *= qr->tau[k];
        b[k] -= along;
        for (int i = k + 1; i < qr->n_rows; i++) b[i] -= along * v[i];
    }
}

/* z := R11^-1 z, the first `rank` */
static void solve_triangle(const rt_pivoted_qr *qr, double *z)
{
    for (int j = qr->rank - 1; j >= 0; j--) {
        z[j] /= pivoted_qr_entry(qr, j, j);
        for (int i = 0; i < j; i++) z[i] -= pivoted_qr_entry(qr, i, j) * z[j];
    }
}

void rt_pivoted_qr_solve(const rt_pivoted_qr *qr, const double *projected, double *x)
{
    double *z = qr->work;
    memcpy(z, projected, (size_t)qr->rank * sizeof *z);
    solve_triangle(qr, z);
    memset(x, 0, (size_t)qr->n_columns * sizeof *x);
    for (int j = 0; j < qr->rank; j++) x[qr->column[j] - 1] = z[j];
}

/* R, zeros below its diagonal: n x n; its rows beyond those of A are zero. */
static void copy_triangle(const rt_pivoted_qr *qr, double *R)
{
    const size_t n = (size_t)qr->n_columns;
    memset(R, 0, n * n * sizeof *R);
    for (int j = 0; j < qr->n_columns; j++)
        for (int i = 0; i <= j && i < qr->n_rows; i++)
            R[(size_t)i + n * (size_t)j] = pivoted_qr_entry(qr, i, j);
}

/* (R'R + mu^2 I) z = R' Q'b */
routh_status rt_pivoted_qr_solve_damped(const rt_pivoted_qr *qr, const double *projected, double mu,
                                        double *room, double *x, routh_error *error)
{
    const int n = qr->n_columns, n_used = qr->n_rows < n ? qr->n_rows : n;
    const size_t size = (size_t)n;
    double *R = room, *G = room + size * size, *z = qr->work;
    copy_triangle(qr, R);
    memset(G, 0, size * size * sizeof *G);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, n, n, 1, R, n, 0, G, n);
    for (size_t i = 0; i < size; i++) G[i + size * i] += mu * mu;
    for (int j = 0; j < n; j++) {
        z[j] = 0;
        for (int i = 0; i <= j && i < n_used; i++)
            z[j] += R[(size_t)i + size * (size_t)j] * projected[i];
    }
    routh_status status = rt_cholesky_factor(n, G, error);
    if (!status) status = rt_cholesky_solve(n, G, 1, z, error);
    for (int j = 0; j < n && !status; j++) x[qr->column[j] - 1] = z[j];
    return status;
}

void rt_pivoted_qr_null_vector(const rt_pivoted_qr *qr, int l, double *x)
{
    const int r = qr->rank;
    double *z = qr->work;
    for (int i = 0; i < r; i++) z[i] = -pivoted_qr_entry(qr, i, r + l);
    solve_triangle(qr, z);
    memset(x, 0, (size_t)qr->n_columns * sizeof *x);
    for (int j = 0; j < r; j++) x[qr->column[j] - 1] = z[j];
    x[qr->column[r + l] - 1] = 1;
}
