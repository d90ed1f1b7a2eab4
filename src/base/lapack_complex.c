#include "base/lapack_complex.h"

#include <complex.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include <cblas.h>
#include <lapacke.h>

static routh_status lapack_complex_check(int n, const double _Complex *a, routh_error *error)
{
    const double *x = (const double *)a;
    double sum = 0;
    if (n < 0 || 1 + 6.0 * n + 2.0 * n * n >= INT_MAX)
        return rt_fail(
            error, ROUTH_LIMIT_EXCEEDED,
            "a Schur form of order %d: a dense matrix may have an order of 32766 at most", n);
    for (size_t k = 0; k < 2 * (size_t)n * (size_t)n; k++) sum += 0 * x[k];
    return sum == 0 ? ROUTH_OK
                    : rt_fail(error, ROUTH_NUMERIC_ERROR,
                              "the Schur form of a matrix of order %d: an entry is not a finite "
                              "number",
                              n);
}

static routh_status failed(lapack_int info, int n, routh_error *error)
{
    return info ? rt_fail(error, ROUTH_NUMERIC_ERROR,
                          "the Schur form of a matrix of order %d did not converge (code %d)", n,
                          (int)info)
                : ROUTH_OK;
}

static routh_status lapack_complex_sort(int n, double _Complex *a, double _Complex *q,
                                        routh_error *error)
{
    const size_t m = (size_t)n + 1;
    for (int to = 0; to < n; to++) {
        int from = to;
        for (int k = to + 1; k < n; k++)
            if (cabs(a[(size_t)k * m]) > cabs(a[(size_t)from * m])) from = k;
        if (from == to) continue;
        const lapack_int info =
            LAPACKE_ztrexc_work(LAPACK_COL_MAJOR, 'V', n, a, n, q, n, from + 1, to + 1);
        if (info) return failed(info, n, error);
    }
    return ROUTH_OK;
}

/* q: NULL, not wanted */
static routh_status lapack_complex_reduce(int n, double _Complex *a, double _Complex *q,
                                          routh_error *error)
{
    const lapack_int length = 34 * n;
    lapack_int sorted = 0;
    double _Complex *values = malloc(((size_t)n + (size_t)length) * sizeof *values), none;
    double *reals = malloc((size_t)n * sizeof *reals);
    routh_status status = values && reals ? ROUTH_OK : rt_fail_memory(error);
    if (!status)
        status = failed(LAPACKE_zgees_work(LAPACK_COL_MAJOR, q ? 'V' : 'N', 'N', NULL, n, a, n,
                                           &sorted, values, q ? q : &none, q ? n : 1, values + n,
                                           length, reals, NULL),
                        n, error);
    free(values);
    free(reals);
    return status;
}

routh_status rt_complex_schur(int n, double _Complex *a, double _Complex *q, routh_error *error)
{
    routh_status status = lapack_complex_check(n, a, error);
    if (status || !n) return status;
    status = lapack_complex_reduce(n, a, q, error);
    return status ? status : lapack_complex_sort(n, a, q, error);
}

routh_status rt_complex_triangle(int n, double _Complex *t, routh_error *error)
{
    const routh_status status = lapack_complex_check(n, t, error);
    return status || !n ? status : lapack_complex_reduce(n, t, NULL, error);
}

routh_status rt_triangle_choose(int n, double _Complex *t, const int *chosen, double *inverse_norm,
                                double *separation, routh_error *error)
{
    routh_status status = lapack_complex_check(n, t, error);
    *inverse_norm = 1, *separation = INFINITY;
    int count = 0;
    for (int k = 0; k < n; k++) count += chosen[k] != 0;
    if (status || count == n) return status;
    const size_t length = 2 * (size_t)count * (size_t)(n - count) + 1;
    double _Complex *work = malloc((length + (size_t)n) * sizeof *work), none;
    lapack_int *select = malloc((size_t)n * sizeof *select), found;
    if (!work || !select) status = rt_fail_memory(error);
    for (int k = 0; k < n && !status; k++) select[k] = chosen[k];
    if (!status)
        status = failed(LAPACKE_ztrsen_work(LAPACK_COL_MAJOR, 'B', 'N', select, n, t, n, &none, 1,
                                            work + length, &found, inverse_norm, separation, work,
                                            (lapack_int)length),
                        n, error);
    free(work);
    free(select);
    return status;
}

routh_status rt_triangular_vectors(int n, double _Complex *t, double _Complex *vectors,
                                   routh_error *error)
{
    routh_status status = lapack_complex_check(n, t, error);
    if (status || !n) return status;
    double _Complex *work = malloc(2 * (size_t)n * sizeof *work), none;
    double *reals = malloc((size_t)n * sizeof *reals);
    lapack_int found = 0;
    if (work && reals)
        status = failed(LAPACKE_ztrevc_work(LAPACK_COL_MAJOR, 'R', 'A', NULL, n, t, n, &none, 1,
                                            vectors, n, n, &found, work, reals),
                        n, error);
    else
        status = rt_fail_memory(error);
    for (int c = 0; c < n && !status; c++) {
        double _Complex *v = vectors + (size_t)n * (size_t)c;
        cblas_zdscal(n, 1 / cblas_dznrm2(n, v, 1), v, 1);
    }
    free(work);
    free(reals);
    return status;
}
