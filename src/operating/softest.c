/* The softest direction of an equilibrium: R'KR x = mu R'MR x with the smallest mu.
 *
 * The forces of holonomic joints and of springs have a potential, and of R'KR its symmetric part is
 * taken (loads that have none are few). The forces of nonholonomic joints have none: a blade that
 * holds a weight turns it with its heading. There R'KR is taken as it is, and of its eigenvalues
 * the one of smallest real part. */
#include <stdlib.h>

#include "base/lapack.h"
#include "operating/operating.h"

/* out = R'XR, or its symmetric part; T: room for n x z */
static void softest_reduce(const rt_search *s, const rt_pattern *pattern, const double *X,
                           const double *R, int z, bool symmetric, double *T, double *out)
{
    const int n = s->m->n_u;
    memset(T, 0, (size_t)n * z * sizeof *T);
    for (int j = 0; j < z; j++)
        rt_sparse_multiply_add(pattern, X, 1, R + (size_t)j * n, T + (size_t)j * n);
    memset(out, 0, (size_t)z * z * sizeof *out);
    for (int i = 0; i < z; i++)
        for (int j = 0; j < z; j++) {
            double sum = 0;
            for (int c = 0; c < n; c++) sum += R[(size_t)i * n + c] * T[(size_t)j * n + c];
            out[i + z * j] += symmetric ? sum / 2 : sum;
            if (symmetric) out[j + z * i] += sum / 2;
        }
}

/* Of M^-1 K: the smallest real part, and the real part of its vector in K's first column. */
static routh_status least_real(int z, double *K, double *M, double *mu, routh_error *error)
{
    const size_t n = (size_t)z;
    double *work = malloc((2 * n * n + 3 * n) * sizeof *work);
    int *pivots = malloc(n * sizeof *pivots);
    routh_status status = work && pivots ? ROUTH_OK : rt_fail_memory(error);
    rt_eigen e = {0};
    if (!status) {
        e.left = work, e.right = e.left + n * n;
        e.re = e.right + n * n, e.im = e.re + n, e.rcond = e.im + n;
        status = rt_lu_factor(z, M, pivots, error);
    }
    if (!status) status = rt_lu_solve(z, M, pivots, z, K, 0, error);
    if (!status) status = rt_general_eigen(z, K, &e, error);
    if (!status) {
        int least = 0;
        for (int k = 1; k < z; k++)
            if (e.re[k] < e.re[least]) least = k;
        *mu = e.re[least];
        memcpy(K, e.right + n * (size_t)least, n * sizeof *K);
    }
    free(work);
    free(pivots);
    return status;
}

/* R x, its largest step of unit length, into s->x */
static void softest_take_direction(rt_search *s, const double *R, const double *x, int z)
{
    const int n = s->m->n_u;
    double length = 0;
    memset(s->x, 0, (size_t)n * sizeof *s->x);
    for (int j = 0; j < z; j++)
        for (int c = 0; c < n; c++) s->x[c] += R[(size_t)j * n + c] * x[j];
    for (int c = 0; c < n; c++) length = fmax(length, fabs(s->x[c]) / s->unit[c]);
    for (int c = 0; c < n && length > 0; c++) s->x[c] /= length;
}

static routh_status softest_find(rt_search *s, double *work, int z, double *mu, routh_error *error)
{
    const size_t n = (size_t)s->m->n_u, square = (size_t)z * (size_t)z;
    double *R = work, *T = R + n * (size_t)z, *K = T + n * (size_t)z, *M = K + square,
           *values = M + square;
    const bool symmetric = s->m->n_nonholonomic == 0;
    softest_reduce(s, &s->m->pattern_M, s->w->M, R, z, true, T, M);
    softest_reduce(s, &s->m->pattern_K, s->w->K, R, z, symmetric, T, K);
    const routh_status status = symmetric ? rt_symmetric_generalized_eigen(z, K, M, values, error)
                                          : least_real(z, K, M, mu, error);
    if (status) return status;
    if (symmetric) *mu = values[0];
    softest_take_direction(s, R, K, z);
    return ROUTH_OK;
}

routh_status rt_softest_direction(rt_search *s, double *mu, routh_error *error)
{
    const int n = s->m->n_u, z = n - s->rank->rank;
    double *work =
        calloc(2 * (size_t)n * (size_t)z + 2 * (size_t)z * (size_t)z + (size_t)z, sizeof *work);
    int *independent = calloc((size_t)z + 1, sizeof *independent);
    routh_status status = work && independent ? ROUTH_OK : rt_fail_memory(error);
    if (!status) {
        for (int c = 0, k = 0; c < n; c++)
            if (s->rank->column_step[c] < 0) independent[k++] = c;
        status = rt_tangent_basis(s, independent, z, work, error);
    }
    if (!status) status = softest_find(s, work, z, mu, error);
    free(work);
    free(independent);
    return status;
}
