#include "base/lapack.h"

#include <stdlib.h>

#include <lapacke.h>

/* info < 0: an argument (LAPACKE: a NaN in it, or memory); info > 0: what the caller says. */
static routh_status status_of(lapack_int info, routh_status positive, const char *what, int n,
                              routh_error *error)
{
    if (info == 0) return ROUTH_OK;
    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
        return rt_fail_memory(error);
    if (info < 0)
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "%s of a matrix of order %d: an entry is not a finite number (argument %d)",
                       what, n, (int)-info);
    if (positive == ROUTH_SINGULAR)
        return rt_fail(error, ROUTH_SINGULAR,
                       "%s of a matrix of order %d: no pivot at column %d (from 0)", what, n,
                       (int)info - 1);
    return rt_fail(error, positive, "%s of a matrix of order %d did not converge (code %d)", what,
                   n, (int)info);
}

/* LAPACKE looks for NaN only; an infinity would loop or give nonsense. */
static routh_status check_finite(size_t n, const double *a, const char *what, int order,
                                 routh_error *error)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += 0 * a[k];
    return sum == 0 ? ROUTH_OK : status_of(-1, ROUTH_OK, what, order, error);
}

static size_t product(int m, int n)
{
    return (size_t)m * (size_t)n;
}

routh_status rt_lu_factor(int n, double *a, int *pivots, routh_error *error)
{
    if (!n) return ROUTH_OK;
    const char *what = "the LU factorization";
    const routh_status status = check_finite(product(n, n), a, what, n, error);
    if (status) return status;
    return status_of(LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, a, n, pivots), ROUTH_SINGULAR,
                     what, n, error);
}

routh_status rt_lu_solve(int n, const double *lu, const int *pivots, int n_rhs, double *b,
                         int transposed, routh_error *error)
{
    if (!n || !n_rhs) return ROUTH_OK;
    const char form = transposed ? 'T' : 'N';
    return status_of(LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, form, n, n_rhs, lu, n, pivots, b, n),
                     ROUTH_NUMERIC_ERROR, "the solution", n, error);
}

routh_status rt_lu_rcond(int n, const double *lu, double norm, double *rcond, routh_error *error)
{
    *rcond = 1;
    if (!n) return ROUTH_OK;
    return status_of(LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', n, lu, n, norm, rcond),
                     ROUTH_NUMERIC_ERROR, "the condition number", n, error);
}

routh_status rt_cholesky_factor(int n, double *a, routh_error *error)
{
    if (!n) return ROUTH_OK;
    const lapack_int info = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, a, n);
    if (info > 0)
        return rt_fail(error, ROUTH_SINGULAR,
                       "a symmetric matrix of order %d is not positive definite: its leading "
                       "block of order %d is not",
                       n, (int)info);
    return status_of(info, ROUTH_SINGULAR, "the Cholesky factorization", n, error);
}

routh_status rt_cholesky_solve(int n, const double *l, int n_rhs, double *b, routh_error *error)
{
    if (!n || !n_rhs) return ROUTH_OK;
    return status_of(LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', n, n_rhs, l, n, b, n),
                     ROUTH_NUMERIC_ERROR, "the solution", n, error);
}

routh_status rt_qr(int m, int n, double *a, double *q, double *r, routh_error *error)
{
    const int k = m < n ? m : n;
    if (r && m < n)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the triangle of a QR factorization needs at least as many rows "
                       "as columns, not %d x %d",
                       m, n);
    double *tau = malloc(((size_t)k + 1) * sizeof *tau);
    if (!tau) return rt_fail_memory(error);
    const char *what = "the QR factorization";
    routh_status status = check_finite(product(m, n), a, what, n, error);
    if (!status && k)
        status = status_of(LAPACKE_dgeqrf(LAPACK_COL_MAJOR, m, n, a, m, tau), ROUTH_NUMERIC_ERROR,
                           what, n, error);
    for (int j = 0; !status && r && j < n; j++)
        for (int i = 0; i < n; i++) r[i + (size_t)n * j] = i <= j ? a[i + (size_t)m * j] : 0;
    if (!status && q) {
        for (int j = 0; j < m; j++)
            for (int i = 0; i < m; i++) q[i + (size_t)m * j] = i == j;
        if (k)
            status = status_of(LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'N', m, m, k, a, m, tau, q, m),
                               ROUTH_NUMERIC_ERROR, what, n, error);
    }
    free(tau);
    return status;
}

routh_status rt_svd(int m, int n, double *a, double *sigma, double *u, double *vt,
                    routh_error *error)
{
    if (!m || !n) {
        for (int i = 0; u && i < m * m; i++) u[i] = i % (m + 1) == 0;
        for (int i = 0; vt && i < n * n; i++) vt[i] = i % (n + 1) == 0;
        return ROUTH_OK;
    }
    const char *what = "the singular values";
    routh_status status = check_finite(product(m, n), a, what, n, error);
    if (status) return status;
    double *super = malloc((size_t)(m < n ? m : n) * sizeof *super);
    if (!super) return rt_fail_memory(error);
    status = status_of(LAPACKE_dgesvd(LAPACK_COL_MAJOR, u ? 'A' : 'N', vt ? 'A' : 'N', m, n, a, m,
                                      sigma, u, m, vt, n, super),
                       ROUTH_NUMERIC_ERROR, what, n, error);
    free(super);
    return status;
}

routh_status rt_svd_complex(int m, int n, double _Complex *a, double *sigma, double _Complex *vt,
                            routh_error *error)
{
    if (!m || !n)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "the singular values of an empty complex matrix");
    double *super = malloc((size_t)(m < n ? m : n) * sizeof *super);
    if (!super) return rt_fail_memory(error);
    const lapack_int info = LAPACKE_zgesvd(LAPACK_COL_MAJOR, 'N', vt ? 'A' : 'N', m, n, a, m, sigma,
                                           NULL, m, vt, n, super);
    free(super);
    return status_of(info, ROUTH_NUMERIC_ERROR, "the singular values", n, error);
}

routh_status rt_symmetric_eigen(int n, double *a, double *values, routh_error *error)
{
    if (!n) return ROUTH_OK;
    const char *what = "the symmetric eigenvalues";
    const routh_status status = check_finite(product(n, n), a, what, n, error);
    if (status) return status;
    return status_of(LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', n, a, n, values),
                     ROUTH_NUMERIC_ERROR, what, n, error);
}

routh_status rt_symmetric_generalized_eigen(int n, double *a, double *b, double *values,
                                            routh_error *error)
{
    if (!n) return ROUTH_OK;
    const char *what = "the symmetric generalized eigenvalues";
    routh_status status = check_finite(product(n, n), a, what, n, error);
    if (!status) status = check_finite(product(n, n), b, what, n, error);
    if (status) return status;
    const lapack_int info = LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'L', n, a, n, b, n, values);
    if (info > n)
        return rt_fail(error, ROUTH_SINGULAR,
                       "the second matrix of a symmetric eigenvalue problem of order %d is "
                       "not positive definite: its leading block of order %d is not",
                       n, (int)info - n);
    return status_of(info, ROUTH_NUMERIC_ERROR, what, n, error);
}

routh_status rt_general_eigen(int n, double *a, rt_eigen *e, routh_error *error)
{
    e->norm = 0;
    if (!n) return ROUTH_OK;
    const char *what = "the eigenvalues";
    routh_status status = check_finite(product(n, n), a, what, n, error);
    if (status) return status;
    double *scale = malloc(2 * (size_t)n * sizeof *scale);
    if (!scale) return rt_fail_memory(error);
    lapack_int low, high;
    const lapack_int info =
        LAPACKE_dgeevx(LAPACK_COL_MAJOR, 'B', 'V', 'V', 'E', n, a, n, e->re, e->im, e->left, n,
                       e->right, n, &low, &high, scale, &e->norm, e->rcond, scale + n);
    free(scale);
    return status_of(info, ROUTH_NUMERIC_ERROR, what, n, error);
}
