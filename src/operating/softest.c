/* The softest direction of an equilibrium: R'KR x = mu R'MR x with the smallest mu.
 *
 * The forces of holonomic joints and of springs have a potential, and of R'KR its symmetric part is
 * taken (loads that have none are few). The forces of nonholonomic joints have none: a blade that
 * holds a weight turns it with its heading. There R'KR is taken as it is, and of its eigenvalues
 * the one of smallest real part. */
#include <float.h>
#include <math.h>

#include "base/kept_memory.h"
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
static routh_status least_real(int z, double *K, double *M, double *mu, rt_analyses *analyses,
                               routh_error *error)
{
    const size_t n = (size_t)z;
    double *work = rt_kept_malloc(analyses, (2 * n * n + 3 * n) * sizeof *work);
    int *pivots = rt_kept_malloc(analyses, n * sizeof *pivots);
    routh_status status = work && pivots ? ROUTH_OK : rt_fail_memory(error);
    rt_eigen e = {0};
    if (!status) {
        e.left = work, e.right = e.left + n * n;
        e.re = e.right + n * n, e.im = e.re + n, e.rcond = e.im + n;
        status = rt_lu_factor(z, M, pivots, error);
    }
    if (!status) status = rt_lu_solve(z, M, pivots, z, K, 0, error);
    if (!status) status = rt_general_eigen_kept(z, K, &e, analyses, error);
    if (!status) {
        int least = 0;
        for (int k = 1; k < z; k++)
            if (e.re[k] < e.re[least]) least = k;
        *mu = e.re[least];
        memcpy(K, e.right + n * (size_t)least, n * sizeof *K);
    }
    rt_kept_free(work);
    rt_kept_free(pivots);
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

/* Room for z directions of a mechanism with n columns. */
typedef struct softest_work {
    double *R, *T; /* n x z */
    double *K, *M; /* z x z */
    double *values;
} softest_work;

static routh_status softest_eigen(const rt_search *s, const softest_work *w, int z,
                                  routh_error *error)
{
    softest_reduce(s, &s->m->pattern_M, s->w->M, w->R, z, true, w->T, w->M);
    softest_reduce(s, &s->m->pattern_K, s->w->K, w->R, z, true, w->T, w->K);
    return rt_symmetric_generalized_eigen_kept(z, w->K, w->M, w->values, s->m->analyses, error);
}

/* R := R x for the first k vectors x */
static void softest_keep(const rt_search *s, const softest_work *w, int z, int k)
{
    const size_t n = (size_t)s->m->n_u;
    memset(w->T, 0, n * (size_t)k * sizeof *w->T);
    for (size_t i = 0; i < (size_t)k; i++)
        for (size_t j = 0; j < (size_t)z; j++) {
            const double x = w->K[j + (size_t)z * i];
            for (size_t c = 0; c < n; c++) w->T[c + n * i] += w->R[c + n * j] * x;
        }
    memcpy(w->R, w->T, n * (size_t)k * sizeof *w->R);
}

/* Values are wrong by rounding of the largest. What is as small is found again among its own
 * vectors, V'KV y = mu V'MV y, where stiffness enters by its rounding along them alone. */
static routh_status softest_symmetric(rt_search *s, const softest_work *w, int z, double *mu,
                                      routh_error *error)
{
    routh_status status = softest_eigen(s, w, z, error);
    const double rounding = status ? 0 : 16 * DBL_EPSILON * z * fabs(w->values[z - 1]);
    int k = 0;
    while (!status && k < z && w->values[k] <= rounding) k++;
    if (k > 0 && k < z) {
        softest_keep(s, w, z, k);
        z = k;
        status = softest_eigen(s, w, z, error);
    }
    if (status) return status;
    *mu = w->values[0];
    softest_take_direction(s, w->R, w->K, z);
    return ROUTH_OK;
}

static routh_status softest_find(rt_search *s, double *work, int z, double *mu, routh_error *error)
{
    const size_t n = (size_t)s->m->n_u, square = (size_t)z * (size_t)z, tall = n * (size_t)z;
    const softest_work w = {.R = work,
                            .T = work + tall,
                            .K = work + 2 * tall,
                            .M = work + 2 * tall + square,
                            .values = work + 2 * tall + 2 * square};
    if (s->m->n_nonholonomic == 0) return softest_symmetric(s, &w, z, mu, error);
    softest_reduce(s, &s->m->pattern_M, s->w->M, w.R, z, true, w.T, w.M);
    softest_reduce(s, &s->m->pattern_K, s->w->K, w.R, z, false, w.T, w.K);
    const routh_status status = least_real(z, w.K, w.M, mu, s->m->analyses, error);
    if (!status) softest_take_direction(s, w.R, w.K, z);
    return status;
}

routh_status rt_softest_direction(rt_search *s, double *mu, routh_error *error)
{
    const int n = s->m->n_u, z = n - s->rank->rank;
    double *work = rt_kept_calloc(s->m->analyses,
                                  2 * (size_t)n * (size_t)z + 2 * (size_t)z * (size_t)z + (size_t)z,
                                  sizeof *work);
    int *independent = rt_kept_calloc(s->m->analyses, (size_t)z + 1, sizeof *independent);
    routh_status status = work && independent ? ROUTH_OK : rt_fail_memory(error);
    if (!status) {
        for (int c = 0, k = 0; c < n; c++)
            if (s->rank->column_step[c] < 0) independent[k++] = c;
        status = rt_tangent_basis(s, independent, z, work, error);
    }
    if (!status) status = softest_find(s, work, z, mu, error);
    rt_kept_free(work);
    rt_kept_free(independent);
    return status;
}
