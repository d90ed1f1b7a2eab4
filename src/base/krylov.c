#include "base/krylov.h"

#include <math.h>
#include <string.h>

#include <cblas.h>

static const double _Complex ONE = 1, ZERO = 0, MINUS = -1;

void rt_take_out(int n, int k, const double *V, const double *MV, int m, double *W,
                 const double *MW, double *C, int ldc)
{
    if (k < 1 || m < 1) return;
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, k, m, n, 1, MV ? MV : V, n, MW ? MW : W, n,
                0, C, ldc);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, m, k, -1, V, n, C, ldc, 1, W, n);
}

void rt_take_out_twice(int n, int k, const double _Complex *V, double _Complex *w,
                       double _Complex *c, double _Complex *h)
{
    for (int pass = 0; pass < 2 && k > 0; pass++) {
        cblas_zgemv(CblasColMajor, CblasConjTrans, n, k, &ONE, V, n, w, 1, &ZERO, c, 1);
        cblas_zgemv(CblasColMajor, CblasNoTrans, n, k, &MINUS, V, n, c, 1, &ONE, w, 1);
        for (int i = 0; h && i < k; i++) h[i] += c[i];
    }
}

bool rt_is_new(double left, double before, double share)
{
    return left > share * before && isfinite(left);
}

static int rows_now(int n, int first)
{
    return n - first < RT_ROWS_AT_ONCE ? n - first : RT_ROWS_AT_ONCE;
}

void rt_turn_basis(int n, int k, double *V, int keep, const double *Y, int ldy, double *rows)
{
    for (int r = 0; r < n; r += RT_ROWS_AT_ONCE) {
        const int now = rows_now(n, r);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, now, keep, k, 1, V + r, n, Y, ldy, 0,
                    rows, RT_ROWS_AT_ONCE);
        for (int c = 0; c < keep; c++)
            memcpy(V + (size_t)n * (size_t)c + r, rows + RT_ROWS_AT_ONCE * (size_t)c,
                   (size_t)now * sizeof *V);
    }
}

void rt_turn_complex_basis(int n, int k, double _Complex *V, int keep, const double _Complex *Y,
                           int ldy, double _Complex *rows)
{
    for (int r = 0; r < n; r += RT_ROWS_AT_ONCE) {
        const int now = rows_now(n, r);
        cblas_zgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, now, keep, k, &ONE, V + r, n, Y, ldy,
                    &ZERO, rows, RT_ROWS_AT_ONCE);
        for (int c = 0; c < keep; c++)
            memcpy(V + (size_t)n * (size_t)c + r, rows + RT_ROWS_AT_ONCE * (size_t)c,
                   (size_t)now * sizeof *V);
    }
}

double rt_no_pattern(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed / 4294967296.0 - 0.5;
}
