#include "answers/spectrum_rounding.h"

#include <cblas.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static int first_of_pair(const rt_spectrum_product *p, int k)
{
    return p->pair[k] == 2 ? k - 1 : k;
}

/* Sizes of complex columns: |a_k|, of pairs |a_k + i a_k+1| for both. */
static void spectrum_sizes(const rt_spectrum_product *p, const rt_dd *a, double *sizes)
{
    const size_t n = (size_t)p->n;
    for (int k = 0; k < p->n; k++) {
        const rt_dd *of = a + n * (size_t)first_of_pair(p, k);
        for (size_t i = 0; i < n; i++)
            sizes[i + n * (size_t)k] = hypot(of[i].high, p->pair[k] ? of[i + n].high : 0);
    }
}

/* The same of rows of X^-1: of a pair (r_k - i r_k+1) / 2. */
static void spectrum_row_sizes(const rt_spectrum_product *p, double *sizes)
{
    const size_t n = (size_t)p->n;
    for (int k = 0; k < p->n; k++) {
        const double *of = p->W + n * (size_t)first_of_pair(p, k), half = p->pair[k] ? 0.5 : 1;
        for (size_t i = 0; i < n; i++)
            sizes[i + n * (size_t)k] = half * hypot(of[i], p->pair[k] ? of[i + n] : 0);
    }
}

/* LU := |L| |U|, its rows those of X; L: room. */
static void spectrum_factor_sizes(const rt_spectrum_product *p, double *L, double *LU)
{
    const size_t n = (size_t)p->n;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            L[i + n * j] = fabs(p->LU[i + n * j].high);
            LU[i + n * j] = i <= j ? L[i + n * j] : 0;
        }
    cblas_dtrmm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, p->n, p->n, 1, L,
                p->n, LU, p->n);
    for (int i = p->n - 1; i >= 0; i--)
        if (p->pivots[i] != i) cblas_dswap(p->n, LU + i, p->n, LU + p->pivots[i], p->n);
}

routh_status rt_spectrum_rounding(const rt_spectrum_product *p, double *R, routh_error *error)
{
    const int n = p->n;
    const size_t size = (size_t)n * (size_t)n;
    rt_arena arena = {0};
    double *a = RT_TAKE(&arena, double, size), *b = RT_TAKE(&arena, double, size),
           *sum = RT_TAKE(&arena, double, size);
    const bool ok = a && b && sum;
    if (ok && n) {
        for (size_t e = 0; e < size; e++) a[e] = fabs(p->B[e].high);
        spectrum_sizes(p, p->X, b);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, sum, n);
        spectrum_factor_sizes(p, b, a);
        spectrum_sizes(p, p->G, b);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 1, sum, n);
        spectrum_row_sizes(p, a);
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, n, n, n * RT_DD_EPSILON, a, n, sum,
                    n, 0, R, n);
    }
    rt_arena_free(&arena);
    return ok ? ROUTH_OK : rt_fail_memory(error);
}
