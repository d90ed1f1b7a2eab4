#include "base/lapack.h"

#include <complex.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>

#include <lapacke.h>

#include "base/kept_memory.h"

/* Only calls of LAPACKE's lower level (..._work) on column-major matrices are made: the others take
 * memory of their own and print to stderr when there is none. LAPACK prints of a bad argument too;
 * each size is therefore checked before. */

/* info < 0: an argument, which after the checks means a NaN; info > 0: what the caller says. */
static routh_status status_of(lapack_int info, routh_status positive, const char *what, int n,
                              routh_error *error)
{
    if (info == 0) return ROUTH_OK;
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

static routh_status lapack_check_size(int m, int n, const char *what, routh_error *error)
{
    if (m >= 0 && n >= 0) return ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT, "%s needs sizes of 0 or more, not %d x %d", what, m,
                   n);
}

/* An infinity would loop or give nonsense. */
static routh_status lapack_check_finite(size_t n, const double *a, const char *what, int order,
                                        routh_error *error)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += 0 * a[k];
    return sum == 0 ? ROUTH_OK : status_of(-1, ROUTH_OK, what, order, error);
}

static size_t lapack_product(int m, int n) { return (size_t)m * (size_t)n; }

/* LAPACK counts in 32 bits, up to 1 + 6 n + 2 n^2 entries (dsyevd), and does not notice when it has
 * counted too far. */
static routh_status check_order(int n, const char *what, routh_error *error)
{
    if (1 + 6.0 * n + 2.0 * n * n < INT_MAX) return ROUTH_OK;
    return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                   "%s of a matrix of order %d: a dense matrix may have an order of 32766 at most",
                   what, n);
}

static routh_status check_matrix(int m, int n, const double *a, const char *what,
                                 routh_error *error)
{
    routh_status status = lapack_check_size(m, n, what, error);
    if (!status) status = check_order(m > n ? m : n, what, error);
    return status ? status : lapack_check_finite(lapack_product(m, n), a, what, n, error);
}

enum { SMALL_REALS = 768, SMALL_INTEGERS = 64 };

/* Memory for the time of one call: of small matrices its own. */
typedef struct workspace {
    rt_analyses *analyses; /* or NULL */
    double *reals;
    lapack_int *integers;
    lapack_int n_reals, n_integers; /* of the parts that LAPACK is told the length of */
    _Alignas(16) double small[SMALL_REALS]; /* as malloc has it: kernels sum by alignment */
    lapack_int small_integers[SMALL_INTEGERS];
} workspace;

static void lapack_begin(workspace *w, rt_analyses *analyses)
{
    w->analyses = analyses;
    w->reals = NULL, w->integers = NULL;
}

static void lapack_release(workspace *w)
{
    if (w->reals != w->small) rt_kept_free(w->reals);
    if (w->integers != w->small_integers) rt_kept_free(w->integers);
}

/* The lengths that a query (length -1) answered, and more_reals after them. */
static routh_status lapack_take(workspace *w, double n_reals, lapack_int n_integers,
                                size_t more_reals, routh_error *error)
{
    w->n_reals = (lapack_int)n_reals;
    w->n_integers = n_integers;
    const size_t reals = (size_t)w->n_reals + more_reals + 1, integers = (size_t)n_integers + 1;
    w->reals =
        reals <= SMALL_REALS ? w->small : rt_kept_malloc(w->analyses, reals * sizeof *w->reals);
    w->integers = integers <= SMALL_INTEGERS
                      ? w->small_integers
                      : rt_kept_malloc(w->analyses, integers * sizeof *w->integers);
    return w->reals && w->integers ? ROUTH_OK : rt_fail_memory(error);
}

routh_status rt_lu_factor(int n, double *a, int *pivots, routh_error *error)
{
    const char *what = "the LU factorization";
    const routh_status status = check_matrix(n, n, a, what, error);
    if (status || !n) return status;
    return status_of(LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, a, n, pivots), ROUTH_SINGULAR,
                     what, n, error);
}

routh_status rt_lu_solve(int n, const double *lu, const int *pivots, int n_rhs, double *b,
                         int transposed, routh_error *error)
{
    const char *what = "the solution", form = transposed ? 'T' : 'N';
    const routh_status status = lapack_check_size(n, n_rhs, what, error);
    if (status || !n || !n_rhs) return status;
    return status_of(LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, form, n, n_rhs, lu, n, pivots, b, n),
                     ROUTH_NUMERIC_ERROR, what, n, error);
}

routh_status rt_lu_rcond(int n, const double *lu, double norm, double *rcond, routh_error *error)
{
    return rt_lu_rcond_kept(n, lu, norm, rcond, NULL, error);
}

routh_status rt_lu_rcond_kept(int n, const double *lu, double norm, double *rcond,
                              rt_analyses *analyses, routh_error *error)
{
    *rcond = 1;
    const char *what = "the condition number";
    routh_status status = check_matrix(n, n, lu, what, error);
    if (status || !n) return status;
    if (!(norm >= 0 && isfinite(norm)))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "%s needs a norm that is finite and not negative, not %g", what, norm);
    workspace w;
    lapack_begin(&w, analyses);
    status = lapack_take(&w, 4.0 * n, n, 0, error);
    if (!status)
        status = status_of(
            LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', n, lu, n, norm, rcond, w.reals, w.integers),
            ROUTH_NUMERIC_ERROR, what, n, error);
    lapack_release(&w);
    return status;
}

routh_status rt_cholesky_factor(int n, double *a, routh_error *error)
{
    const char *what = "the Cholesky factorization";
    routh_status status = lapack_check_size(n, n, what, error);
    for (int j = 0; !status && j < n; j++)
        status = lapack_check_finite((size_t)(n - j), a + lapack_product(n + 1, j), what, n, error);
    if (status || !n) return status;
    const lapack_int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, a, n);
    if (info > 0)
        return rt_fail(error, ROUTH_SINGULAR,
                       "a symmetric matrix of order %d is not positive definite: its leading "
                       "block of order %d is not",
                       n, (int)info);
    return status_of(info, ROUTH_SINGULAR, what, n, error);
}

routh_status rt_cholesky_solve(int n, const double *l, int n_rhs, double *b, routh_error *error)
{
    const char *what = "the solution";
    const routh_status status = lapack_check_size(n, n_rhs, what, error);
    if (status || !n || !n_rhs) return status;
    return status_of(LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', n, n_rhs, l, n, b, n),
                     ROUTH_NUMERIC_ERROR, what, n, error);
}

static void set_identity(int n, double *a)
{
    for (int j = 0; a && j < n; j++)
        for (int i = 0; i < n; i++) a[i + (size_t)n * j] = i == j;
}

/* By the QR iteration, which has vectors of one side alone; large ones of both sides by dividing
 * (Gu and Eisenstat 1995), which takes a small part of the time. */
enum { LARGE_SVD = 200 };

static lapack_int svd_work(bool divide, int m, int n, double *a, double *sigma, double *u,
                           double *vt, double *reals, lapack_int n_reals, lapack_int *integers)
{
    const char all_u = u ? 'A' : 'N', all_v = vt ? 'A' : 'N';
    return divide ? LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'A', m, n, a, m, sigma, u, m, vt, n,
                                        reals, n_reals, integers)
                  : LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, all_u, all_v, m, n, a, m, sigma, u, m, vt,
                                        n, reals, n_reals);
}

routh_status rt_svd(int m, int n, double *a, double *sigma, double *u, double *vt,
                    routh_error *error)
{
    return rt_svd_kept(m, n, a, sigma, u, vt, NULL, error);
}

routh_status rt_svd_kept(int m, int n, double *a, double *sigma, double *u, double *vt,
                         rt_analyses *analyses, routh_error *error)
{
    const char *what = "the singular values";
    const int least = m < n ? m : n;
    const bool divide = u && vt && least > LARGE_SVD && least < INT_MAX / 8;
    routh_status status = check_matrix(m, n, a, what, error);
    if (status) return status;
    if (!m || !n) {
        set_identity(m, u);
        set_identity(n, vt);
        return ROUTH_OK;
    }
    workspace w;
    lapack_begin(&w, analyses);
    double asked;
    lapack_int none;
    status = status_of(svd_work(divide, m, n, a, sigma, u, vt, &asked, -1, &none),
                       ROUTH_NUMERIC_ERROR, what, n, error);
    if (!status) status = lapack_take(&w, asked, divide ? 8 * least : 0, 0, error);
    if (!status)
        status = status_of(svd_work(divide, m, n, a, sigma, u, vt, w.reals, w.n_reals, w.integers),
                           ROUTH_NUMERIC_ERROR, what, n, error);
    lapack_release(&w);
    return status;
}

routh_status rt_svd_complex(int m, int n, double _Complex *a, double *sigma, double _Complex *vt,
                            routh_error *error)
{
    const char *what = "the singular values";
    const char all_v = vt ? 'A' : 'N';
    if (m < 1 || n < 1)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "the singular values of an empty complex matrix");
    routh_status status = check_order(m > n ? m : n, what, error);
    if (!status)
        status = lapack_check_finite(2 * lapack_product(m, n), (const double *)a, what, n, error);
    if (status) return status;
    workspace w;
    lapack_begin(&w, NULL);
    double _Complex asked;
    double unused;
    status = status_of(LAPACKE_zgesvd_work(LAPACK_COL_MAJOR, 'N', all_v, m, n, a, m, sigma, NULL, m,
                                           vt, n, &asked, -1, &unused),
                       ROUTH_NUMERIC_ERROR, what, n, error);
    /* complex numbers as pairs, then 5 min(m, n) real ones */
    const size_t n_real = 5 * (size_t)(m < n ? m : n);
    if (!status) status = lapack_take(&w, 2 * creal(asked), 0, n_real, error);
    if (!status)
        status = status_of(LAPACKE_zgesvd_work(LAPACK_COL_MAJOR, 'N', all_v, m, n, a, m, sigma,
                                               NULL, m, vt, n, (double _Complex *)w.reals,
                                               w.n_reals / 2, w.reals + w.n_reals),
                           ROUTH_NUMERIC_ERROR, what, n, error);
    lapack_release(&w);
    return status;
}

routh_status rt_symmetric_eigen(int n, double *a, double *values, routh_error *error)
{
    return rt_symmetric_eigen_kept(n, a, values, NULL, error);
}

routh_status rt_symmetric_eigen_kept(int n, double *a, double *values, rt_analyses *analyses,
                                     routh_error *error)
{
    const char *what = "the symmetric eigenvalues";
    routh_status status = check_matrix(n, n, a, what, error);
    if (status || !n) return status;
    workspace w;
    lapack_begin(&w, analyses);
    double asked;
    lapack_int integers;
    status = status_of(
        LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', n, a, n, values, &asked, -1, &integers, -1),
        ROUTH_NUMERIC_ERROR, what, n, error);
    if (!status) status = lapack_take(&w, asked, integers, 0, error);
    if (!status)
        status = status_of(LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', n, a, n, values, w.reals,
                                               w.n_reals, w.integers, w.n_integers),
                           ROUTH_NUMERIC_ERROR, what, n, error);
    lapack_release(&w);
    return status;
}

static routh_status generalized_status(lapack_int info, int n, const char *what, routh_error *error)
{
    if (info > n)
        return rt_fail(error, ROUTH_SINGULAR,
                       "the second matrix of a symmetric eigenvalue problem of order %d is "
                       "not positive definite: its leading block of order %d is not",
                       n, (int)info - n);
    return status_of(info, ROUTH_NUMERIC_ERROR, what, n, error);
}

routh_status rt_symmetric_generalized_eigen(int n, double *a, double *b, double *values,
                                            routh_error *error)
{
    return rt_symmetric_generalized_eigen_kept(n, a, b, values, NULL, error);
}

routh_status rt_symmetric_generalized_eigen_kept(int n, double *a, double *b, double *values,
                                                 rt_analyses *analyses, routh_error *error)
{
    const char *what = "the symmetric generalized eigenvalues";
    routh_status status = check_matrix(n, n, a, what, error);
    if (!status) status = check_matrix(n, n, b, what, error);
    if (status || !n) return status;
    workspace w;
    lapack_begin(&w, analyses);
    double asked;
    lapack_int integers;
    status = generalized_status(LAPACKE_dsygvd_work(LAPACK_COL_MAJOR, 1, 'V', 'L', n, a, n, b, n,
                                                    values, &asked, -1, &integers, -1),
                                n, what, error);
    if (!status) status = lapack_take(&w, asked, integers, 0, error);
    if (!status)
        status = generalized_status(LAPACKE_dsygvd_work(LAPACK_COL_MAJOR, 1, 'V', 'L', n, a, n, b,
                                                        n, values, w.reals, w.n_reals, w.integers,
                                                        w.n_integers),
                                    n, what, error);
    lapack_release(&w);
    return status;
}

/* With work of n_work entries; -1 asks for their number only. scale: 2 n. */
static routh_status eigen_step(int n, double *a, rt_eigen *e, double *scale, double *work,
                               lapack_int n_work, const char *what, routh_error *error)
{
    lapack_int low, high, unused;
    return status_of(LAPACKE_dgeevx_work(LAPACK_COL_MAJOR, 'B', 'V', 'V', 'E', n, a, n, e->re,
                                         e->im, e->left, n, e->right, n, &low, &high, scale,
                                         &e->norm, e->rcond, scale + n, work, n_work, &unused),
                     ROUTH_NUMERIC_ERROR, what, n, error);
}

routh_status rt_general_eigen(int n, double *a, rt_eigen *e, routh_error *error)
{
    return rt_general_eigen_kept(n, a, e, NULL, error);
}

routh_status rt_general_eigen_kept(int n, double *a, rt_eigen *e, rt_analyses *analyses,
                                   routh_error *error)
{
    e->norm = 0;
    const char *what = "the eigenvalues";
    routh_status status = check_matrix(n, n, a, what, error);
    if (status || !n) return status;
    workspace w;
    lapack_begin(&w, analyses);
    double asked, none[2] = {0};
    status = eigen_step(n, a, e, none, &asked, -1, what, error);
    if (!status) status = lapack_take(&w, asked, 0, 2 * (size_t)n, error);
    if (!status) status = eigen_step(n, a, e, w.reals + w.n_reals, w.reals, w.n_reals, what, error);
    lapack_release(&w);
    return status;
}

static routh_status lapack_balance(char job, int n, double *a, double *scale, routh_error *error)
{
    const char *what = "balancing";
    lapack_int low, high;
    const routh_status status = check_matrix(n, n, a, what, error);
    if (status || !n) return status;
    return status_of(LAPACKE_dgebal_work(LAPACK_COL_MAJOR, job, n, a, n, &low, &high, scale),
                     ROUTH_NUMERIC_ERROR, what, n, error);
}

routh_status rt_balance(int n, double *a, routh_error *error)
{
    double *scale = malloc((size_t)n * sizeof *scale + 1);
    const routh_status status =
        scale ? lapack_balance('B', n, a, scale, error) : rt_fail_memory(error);
    free(scale);
    return status;
}

routh_status rt_balance_scales(int n, double *a, double *scale, routh_error *error)
{
    return lapack_balance('S', n, a, scale, error);
}

routh_status rt_complex_eigen(int n, double _Complex *a, double _Complex *values,
                              double _Complex *vectors, routh_error *error)
{
    const char *what = "the eigenvalues";
    routh_status status = lapack_check_size(n, n, what, error);
    if (!status) status = check_order(n, what, error);
    if (!status)
        status = lapack_check_finite(2 * lapack_product(n, n), (const double *)a, what, n, error);
    if (status || !n) return status;
    workspace w;
    lapack_begin(&w, NULL);
    double _Complex asked, none;
    double unused;
    status = status_of(LAPACKE_zgeev_work(LAPACK_COL_MAJOR, 'N', 'V', n, a, n, values, &none, 1,
                                          vectors, n, &asked, -1, &unused),
                       ROUTH_NUMERIC_ERROR, what, n, error);
    /* complex numbers as pairs, then 2 n real ones */
    if (!status) status = lapack_take(&w, 2 * creal(asked), 0, 2 * (size_t)n, error);
    if (!status)
        status = status_of(LAPACKE_zgeev_work(LAPACK_COL_MAJOR, 'N', 'V', n, a, n, values, &none, 1,
                                              vectors, n, (double _Complex *)w.reals, w.n_reals / 2,
                                              w.reals + w.n_reals),
                           ROUTH_NUMERIC_ERROR, what, n, error);
    lapack_release(&w);
    return status;
}

routh_status rt_complex_solve(int n, double _Complex *a, int *pivots, int n_rhs, double _Complex *b,
                              routh_error *error)
{
    const char *what = "a solution";
    routh_status status = lapack_check_size(n, n_rhs, what, error);
    if (!status) status = check_order(n, what, error);
    if (!status)
        status = lapack_check_finite(2 * lapack_product(n, n), (const double *)a, what, n, error);
    if (!status)
        status =
            lapack_check_finite(2 * lapack_product(n, n_rhs), (const double *)b, what, n, error);
    if (status || !n || !n_rhs) return status;
    return status_of(LAPACKE_zgesv_work(LAPACK_COL_MAJOR, n, n_rhs, a, n, pivots, b, n),
                     ROUTH_SINGULAR, what, n, error);
}

routh_status rt_complex_lu_factor(int n, double _Complex *a, int *pivots, routh_error *error)
{
    const char *what = "the LU factorization";
    routh_status status = lapack_check_size(n, n, what, error);
    if (!status) status = check_order(n, what, error);
    if (!status)
        status = lapack_check_finite(2 * lapack_product(n, n), (const double *)a, what, n, error);
    if (status || !n) return status;
    return status_of(LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, n, n, a, n, pivots), ROUTH_SINGULAR,
                     what, n, error);
}

routh_status rt_complex_lu_solve(int n, const double _Complex *lu, const int *pivots, int n_rhs,
                                 double _Complex *b, routh_error *error)
{
    const char *what = "a solution";
    routh_status status = lapack_check_size(n, n_rhs, what, error);
    if (!status)
        status =
            lapack_check_finite(2 * lapack_product(n, n_rhs), (const double *)b, what, n, error);
    if (status || !n || !n_rhs) return status;
    return status_of(LAPACKE_zgetrs_work(LAPACK_COL_MAJOR, 'N', n, n_rhs, lu, n, pivots, b, n),
                     ROUTH_SINGULAR, what, n, error);
}

/* With work of n_work entries; -1 asks for their number only. */
static routh_status qz_step(int n, double *a, double *b, double *q, double *z, double *re,
                            double *im, double *beta, double *work, lapack_int n_work,
                            routh_error *error)
{
    lapack_int sorted;
    return status_of(LAPACKE_dgges_work(LAPACK_COL_MAJOR, 'V', 'V', 'N', NULL, n, a, n, b, n,
                                        &sorted, re, im, beta, q, n, z, n, work, n_work, NULL),
                     ROUTH_NUMERIC_ERROR, "the generalized Schur form", n, error);
}

routh_status rt_qz(int n, double *a, double *b, double *q, double *z, double *re, double *im,
                   double *beta, routh_error *error)
{
    const char *what = "the generalized Schur form";
    routh_status status = check_matrix(n, n, a, what, error);
    if (!status) status = check_matrix(n, n, b, what, error);
    if (status || !n) return status;
    workspace w;
    lapack_begin(&w, NULL);
    double asked;
    status = qz_step(n, a, b, q, z, re, im, beta, &asked, -1, error);
    if (!status) status = lapack_take(&w, asked, 0, 0, error);
    if (!status) status = qz_step(n, a, b, q, z, re, im, beta, w.reals, w.n_reals, error);
    lapack_release(&w);
    return status;
}

static routh_status schur_step(int n, double *a, double *q, double *re, double *im, double *work,
                               lapack_int n_work, routh_error *error)
{
    lapack_int unused;
    return status_of(LAPACKE_dgees_work(LAPACK_COL_MAJOR, 'V', 'N', NULL, n, a, n, &unused, re, im,
                                        q, n, work, n_work, NULL),
                     ROUTH_NUMERIC_ERROR, "the Schur form", n, error);
}

routh_status rt_schur(int n, double *a, double *q, double *re, double *im, routh_error *error)
{
    routh_status status = check_matrix(n, n, a, "the Schur form", error);
    if (status || !n) return status;
    workspace w;
    lapack_begin(&w, NULL);
    double asked;
    status = schur_step(n, a, q, re, im, &asked, -1, error);
    if (!status) status = lapack_take(&w, asked, 0, 0, error);
    if (!status) status = schur_step(n, a, q, re, im, w.reals, w.n_reals, error);
    lapack_release(&w);
    return status;
}

routh_status rt_schur_vectors(int n, const double *t, double *vectors, routh_error *error)
{
    const char *what = "the eigenvectors of a Schur form";
    routh_status status = check_matrix(n, n, t, what, error);
    if (status || !n) return status;
    workspace w;
    lapack_begin(&w, NULL);
    status = lapack_take(&w, 3.0 * n, 0, 0, error);
    lapack_int computed;
    if (!status)
        status = status_of(LAPACKE_dtrevc_work(LAPACK_COL_MAJOR, 'R', 'B', NULL, n, t, n, NULL, n,
                                               vectors, n, n, &computed, w.reals),
                           ROUTH_NUMERIC_ERROR, what, n, error);
    lapack_release(&w);
    return status;
}

routh_status rt_schur_select(int n, const int *select, double *t, double *q, double *re, double *im,
                             routh_error *error)
{
    const char *what = "the order of a Schur form";
    routh_status status = check_matrix(n, n, t, what, error);
    if (status || !n) return status;
    workspace w;
    lapack_begin(&w, NULL);
    status = lapack_take(&w, n, n, 0, error);
    lapack_int dimension, unused_integer;
    double s, sep;
    for (int k = 0; !status && k < n; k++) w.integers[k] = select[k] != 0;
    if (!status)
        status =
            status_of(LAPACKE_dtrsen_work(LAPACK_COL_MAJOR, 'N', 'V', w.integers, n, t, n, q, n, re,
                                          im, &dimension, &s, &sep, w.reals, n, &unused_integer, 1),
                      ROUTH_NUMERIC_ERROR, what, n, error);
    lapack_release(&w);
    return status;
}
