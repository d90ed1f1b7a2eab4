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

/* What LAPACK asks for at most. */
static int pivoted_qr_ask(int rows, int columns)
{
    double pivots = 0, plain = 0, product = 0;
    (void)LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, rows, columns, NULL, rows, NULL, NULL, &pivots, -1);
    (void)LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, rows, columns, NULL, rows, NULL, &plain, -1);
    (void)LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', rows, columns,
                              rows < columns ? rows : columns, NULL, rows, NULL, NULL, rows,
                              &product, -1);
    return (int)fmax(fmax(pivots, fmax(plain, product)), fmax(3.0 * columns + 1, rows));
}

routh_status rt_pivoted_qr_create(rt_pivoted_qr *qr, int most_rows, int most_columns,
                                  rt_arena *arena, routh_error *error)
{
    const size_t rows = (size_t)most_rows, columns = (size_t)most_columns;
    *qr = (rt_pivoted_qr){.most_rows = most_rows, .most_columns = most_columns};
    if (most_rows < 1 || most_columns < 1)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "%s needs a matrix that is not empty", what);
    qr->n_work = pivoted_qr_ask(most_rows, most_columns);
    qr->a = RT_TAKE(arena, double, rows *columns);
    qr->room = RT_TAKE(arena, double, rows *columns);
    qr->tau = RT_TAKE(arena, double, columns);
    qr->column = RT_TAKE(arena, int, 3 * columns);
    qr->row = RT_TAKE(arena, int, rows);
    qr->work = RT_TAKE(arena, double, qr->n_work);
    if (!qr->a || !qr->room || !qr->tau || !qr->column || !qr->row || !qr->work)
        return rt_fail_memory(error);
    qr->end = qr->column + columns;
    qr->pivot = qr->end + columns;
    return ROUTH_OK;
}

static bool pivoted_qr_is_finite(const rt_pivoted_qr *qr)
{
    const size_t n = (size_t)qr->n_rows * (size_t)qr->n_columns;
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += 0 * qr->a[i];
    return sum == 0;
}

static double *pivoted_qr_at(const rt_pivoted_qr *qr, int i, int j)
{
    return qr->a + (size_t)i + (size_t)qr->n_rows * (size_t)j;
}

/* Of all columns, as |R_00| is without groups. */
static void find_longest_column(rt_pivoted_qr *qr)
{
    qr->largest = 0;
    for (int j = 0; j < qr->n_columns; j++)
        qr->largest = fmax(qr->largest, cblas_dnrm2(qr->n_rows, pivoted_qr_at(qr, 0, j), 1));
}

static void find_rank(rt_pivoted_qr *qr, rt_qr_gap *gap)
{
    const int n = qr->n_rows < qr->n_columns ? qr->n_rows : qr->n_columns;
    qr->rank = 0;
    gap->clear = true;
    for (int i = 0; i < n; i++) {
        const double size = fabs(pivoted_qr_entry(qr, i, i));
        if (size > gap->least * qr->largest && size < gap->most * qr->largest) gap->clear = false;
        if (size > gap->none * qr->largest && qr->rank == i) qr->rank++;
    }
}

static routh_status pivoted_qr_failed(lapack_int info, routh_error *error)
{
    if (!info) return ROUTH_OK;
    return rt_fail(error, ROUTH_NUMERIC_ERROR, "%s failed (code %d)", what, (int)info);
}

/* ---- groups --------------------------------------------------------------------------------- */

static bool enters_row(const rt_pivoted_qr *qr, int i, int first, int n)
{
    for (int j = first; j < first + n; j++)
        if (*pivoted_qr_at(qr, i, j) != 0) return true;
    return false;
}

/* Rows of the groups first, in their order; the end of each group's rows. */
static void find_group_rows(rt_pivoted_qr *qr, const rt_qr_groups *groups, int *ends)
{
    int n = 0, first = 0;
    for (int i = 0; i < qr->n_rows; i++) qr->row[i] = i;
    for (int g = 0; g < groups->n; first += groups->columns[g++]) {
        for (int i = n; i < qr->n_rows; i++) {
            const int row = qr->row[i];
            if (!enters_row(qr, row, first, groups->columns[g])) continue;
            memmove(qr->row + n + 1, qr->row + n, (size_t)(i - n) * sizeof *qr->row);
            qr->row[n++] = row;
        }
        ends[g] = n;
    }
}

static void order_rows(rt_pivoted_qr *qr)
{
    for (int j = 0; j < qr->n_columns; j++) {
        double *column = pivoted_qr_at(qr, 0, j);
        for (int i = 0; i < qr->n_rows; i++) qr->work[i] = column[qr->row[i]];
        memcpy(column, qr->work, (size_t)qr->n_rows * sizeof *column);
    }
}

/* Columns [first, first + n) in the order of `pivot`, from 1, in rows [from, to). */
static void order_columns(rt_pivoted_qr *qr, int first, int n, int from, int to)
{
    const size_t rows = (size_t)(to - from);
    for (int k = 0; k < n; k++)
        memcpy(qr->room + rows * (size_t)k, pivoted_qr_at(qr, from, first + qr->pivot[k] - 1),
               rows * sizeof *qr->room);
    for (int k = 0; k < n; k++)
        memcpy(pivoted_qr_at(qr, from, first + k), qr->room + rows * (size_t)k,
               rows * sizeof *qr->room);
}

static void order_names(rt_pivoted_qr *qr, int first, int n)
{
    for (int k = 0; k < n; k++) qr->work[k] = qr->column[first + qr->pivot[k] - 1];
    for (int k = 0; k < n; k++) qr->column[first + k] = (int)qr->work[k];
}

/* Columns [first, first + n) behind those up to `last`. */
static void move_behind(rt_pivoted_qr *qr, int first, int n, int last)
{
    const size_t size = (size_t)qr->n_rows, moved = (size_t)(last - first - n);
    memcpy(qr->room, pivoted_qr_at(qr, 0, first), size * (size_t)n * sizeof *qr->room);
    memmove(pivoted_qr_at(qr, 0, first), pivoted_qr_at(qr, 0, first + n),
            size * moved * sizeof *qr->a);
    memcpy(pivoted_qr_at(qr, 0, last - n), qr->room, size * (size_t)n * sizeof *qr->room);
    for (int k = 0; k < n; k++) qr->work[k] = qr->column[first + k];
    memmove(qr->column + first, qr->column + first + n, moved * sizeof *qr->column);
    for (int k = 0; k < n; k++) qr->column[last - n + k] = (int)qr->work[k];
}

/* What a column of a group adds at least, in parts of the first. */
static const double LEAST_LEADING = 0.1;

/* The columns of the group, n from `first` on, in the order of what they add in rows up to `end`;
 * how many of them add much. */
static routh_status order_group(rt_pivoted_qr *qr, int first, int n, int end, int *leading,
                                routh_error *error)
{
    const int rows = end - first, most = rows < n ? rows : n;
    for (int j = 0; j < n; j++)
        memcpy(qr->room + (size_t)rows * (size_t)j, pivoted_qr_at(qr, first, first + j),
               (size_t)rows * sizeof *qr->room);
    memset(qr->pivot, 0, (size_t)n * sizeof *qr->pivot);
    const routh_status status =
        pivoted_qr_failed(LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, rows, n, qr->room, rows, qr->pivot,
                                              qr->tau + first, qr->work, qr->n_work),
                          error);
    *leading = 0;
    while (!status && *leading < most &&
           fabs(qr->room[(size_t)*leading * (size_t)(rows + 1)]) > LEAST_LEADING * fabs(*qr->room))
        ++*leading;
    return status;
}

/* Factors n columns from (first, first) on, in rows up to `end`, and takes them off all others. */
static routh_status factor_group(rt_pivoted_qr *qr, int first, int n, int end, routh_error *error)
{
    const int rows = end - first, others = qr->n_columns - first - n;
    double *a = pivoted_qr_at(qr, first, first), *tau = qr->tau + first;
    lapack_int info =
        LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, rows, n, a, qr->n_rows, tau, qr->work, qr->n_work);
    if (!info && others > 0)
        info = LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', rows, others, n, a, qr->n_rows, tau,
                                   pivoted_qr_at(qr, first, first + n), qr->n_rows, qr->work,
                                   qr->n_work);
    for (int j = first; j < first + n; j++) qr->end[j] = end;
    return pivoted_qr_failed(info, error);
}

/* *done: how many columns are in R. */
static routh_status factor_groups(rt_pivoted_qr *qr, const rt_qr_groups *groups, int *done,
                                  routh_error *error)
{
    enum { MOST = 4 };
    int ends[MOST], last = 0;
    routh_status status = ROUTH_OK;
    if (groups->n > MOST)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "%s has room for %d groups", what, (int)MOST);
    find_group_rows(qr, groups, ends);
    order_rows(qr);
    for (int g = 0; g < groups->n; g++) last += groups->columns[g];
    for (int g = 0; g < groups->n && !status; g++) {
        const int n = groups->columns[g];
        int leading = 0;
        if (n > 0 && ends[g] > *done) status = order_group(qr, *done, n, ends[g], &leading, error);
        if (status || n == 0) continue;
        if (leading > 0) {
            order_columns(qr, *done, n, 0, qr->n_rows);
            order_names(qr, *done, n);
        }
        move_behind(qr, *done + leading, n - leading, last);
        last -= n - leading;
        if (leading > 0) status = factor_group(qr, *done, leading, ends[g], error);
        *done += leading;
    }
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* What is left, from (first, first) on. */
static routh_status factor_rest(rt_pivoted_qr *qr, int first, routh_error *error)
{
    const int rows = qr->n_rows - first, n = qr->n_columns - first;
    if (rows < 1 || n < 1) return ROUTH_OK;
    memset(qr->pivot, 0, (size_t)n * sizeof *qr->pivot);
    const lapack_int info =
        LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, rows, n, pivoted_qr_at(qr, first, first), qr->n_rows,
                            qr->pivot, qr->tau + first, qr->work, qr->n_work);
    if (info) return pivoted_qr_failed(info, error);
    order_columns(qr, first, n, 0, first);
    order_names(qr, first, n);
    for (int j = first; j < qr->n_columns; j++) qr->end[j] = qr->n_rows;
    return ROUTH_OK;
}

routh_status rt_pivoted_qr_factor(rt_pivoted_qr *qr, int n_rows, int n_columns,
                                  const rt_qr_groups *groups, rt_qr_gap *gap, routh_error *error)
{
    int done = 0;
    if (n_rows < 1 || n_columns < 1 || n_rows > qr->most_rows || n_columns > qr->most_columns)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "%s has no room for %d x %d numbers", what,
                       n_rows, n_columns);
    qr->n_rows = n_rows, qr->n_columns = n_columns;
    if (!pivoted_qr_is_finite(qr))
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "%s of a matrix of order %d: an entry is not a finite number", what,
                       n_columns);
    for (int j = 0; j < n_columns; j++) qr->column[j] = j + 1;
    for (int i = 0; i < n_rows; i++) qr->row[i] = i;
    find_longest_column(qr);
    routh_status status = groups ? factor_groups(qr, groups, &done, error) : ROUTH_OK;
    if (!status) status = factor_rest(qr, done, error);
    if (!status) find_rank(qr, gap);
    return status;
}

/* H b = b - tau v v'b, v = [1; below the diagonal] */
void rt_pivoted_qr_project(const rt_pivoted_qr *qr, double *b)
{
    const int n = qr->n_rows < qr->n_columns ? qr->n_rows : qr->n_columns;
    memcpy(qr->room, b, (size_t)qr->n_rows * sizeof *b);
    for (int i = 0; i < qr->n_rows; i++) b[i] = qr->room[qr->row[i]];
    for (int k = 0; k < n; k++) {
        const double *v = qr->a + (size_t)qr->n_rows * (size_t)k;
        double along = b[k];
        for (int i = k + 1; i < qr->end[k]; i++) along += v[i] * b[i];
        along *= qr->tau[k];
        b[k] -= along;
        for (int i = k + 1; i < qr->end[k]; i++) b[i] -= along * v[i];
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
