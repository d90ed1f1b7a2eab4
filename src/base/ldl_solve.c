/* Solving by the fronts: forward in their order, backward against it. */
#include <cblas.h>

#include "base/ldl_parts.h"

size_t rt_ldl_work(const rt_ldl *l, int n_rhs)
{
    return ((size_t)l->tree.n + (size_t)l->largest_front) * (size_t)n_rhs;
}

/* b2 -= L2 b1 after b1 := L1^-1 b1, or b1 := L1^-T (b1 - L2' b2); m columns in rows of ld */
static void forward(const rt_front *f, double *b, int m)
{
    const int n = f->n, k = f->n_pivots;
    if (m == 1) {
        cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasUnit, k, f->full, n, b, 1);
        if (n > k)
            cblas_dgemv(CblasColMajor, CblasNoTrans, n - k, k, -1, f->full + k, n, b, 1, 1, b + k,
                        1);
        return;
    }
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, k, m, 1, f->full, n,
                b, n);
    if (n > k)
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n - k, m, k, -1, f->full + k, n, b,
                    n, 1, b + k, n);
}

static void backward(const rt_front *f, double *b, int m)
{
    const int n = f->n, k = f->n_pivots;
    if (m == 1) {
        if (n > k)
            cblas_dgemv(CblasColMajor, CblasTrans, n - k, k, -1, f->full + k, n, b + k, 1, 1, b, 1);
        cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasUnit, k, f->full, n, b, 1);
        return;
    }
    if (n > k)
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, k, m, n - k, -1, f->full + k, n, b + k,
                    n, 1, b, n);
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasUnit, k, m, 1, f->full, n, b,
                n);
}

/* b := D^-1 b */
static void ldl_solve_divide(const rt_front *f, double *b)
{
    for (int k = 0; k < f->n_pivots; k++) {
        const double a = f->pivot[2 * k], beside = f->pivot[2 * k + 1];
        if (beside == 0) {
            b[k] = a != 0 ? b[k] / a : 0;
            continue;
        }
        const double d = f->pivot[2 * k + 2], det = a * d - beside * beside;
        const double x = b[k], y = b[k + 1];
        b[k] = (d * x - beside * y) / det;
        b[k + 1] = (a * y - beside * x) / det;
        k++;
    }
}

/* Rows of the front between x, by places with stride n, and b, with stride f->n. */
static void ldl_solve_get(const rt_front *f, const double *x, int n, int m, double *b)
{
    for (int c = 0; c < m; c++)
        for (int i = 0; i < f->n; i++)
            b[i + (size_t)f->n * (size_t)c] = x[(size_t)f->place[i] + (size_t)n * (size_t)c];
}

static void ldl_solve_put(const rt_front *f, const double *b, int rows, int n, int m, double *x)
{
    for (int c = 0; c < m; c++)
        for (int i = 0; i < rows; i++)
            x[(size_t)f->place[i] + (size_t)n * (size_t)c] = b[i + (size_t)f->n * (size_t)c];
}

static void solve_fronts(const rt_ldl *l, double *x, int m, double *b)
{
    const int n = l->tree.n;
    for (int f = 0; f < l->tree.n_fronts; f++) {
        const rt_front *front = &l->fronts[f];
        if (!front->n_pivots) continue;
        ldl_solve_get(front, x, n, m, b);
        forward(front, b, m);
        for (int c = 0; c < m; c++) ldl_solve_divide(front, b + (size_t)front->n * (size_t)c);
        ldl_solve_put(front, b, front->n, n, m, x);
    }
    for (int f = l->tree.n_fronts - 1; f >= 0; f--) {
        const rt_front *front = &l->fronts[f];
        if (!front->n_pivots) continue;
        ldl_solve_get(front, x, n, m, b);
        backward(front, b, m);
        ldl_solve_put(front, b, front->n_pivots, n, m, x);
    }
}

/* A^-1 = S P (L D L')^-1 P' S */
routh_status rt_ldl_solve(const rt_ldl *l, double *b, int n_rhs, double *work, routh_error *error)
{
    const int n = l->tree.n;
    if (!n || n_rhs < 1) return ROUTH_OK;
    if (!l->done)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a solve needs a numeric factorization that succeeded; there is none");
    double *x = work, *front = work + (size_t)n * (size_t)n_rhs, sum = 0;
    for (int c = 0; c < n_rhs; c++)
        for (int i = 0; i < n; i++)
            x[(size_t)l->tree.place[i] + (size_t)n * (size_t)c] =
                l->scale[i] * b[(size_t)i + (size_t)n * (size_t)c];
    solve_fronts(l, x, n_rhs, front);
    for (int c = 0; c < n_rhs; c++)
        for (int i = 0; i < n; i++) {
            const double value = l->scale[i] * x[(size_t)l->tree.place[i] + (size_t)n * (size_t)c];
            b[(size_t)i + (size_t)n * (size_t)c] = value;
            sum += 0 * value;
        }
    if (sum == 0) return ROUTH_OK;
    return rt_fail(error, ROUTH_NUMERIC_ERROR,
                   "the solution of a symmetric system of order %d is not finite: the right-hand "
                   "side is not, or the matrix is singular to working accuracy",
                   n);
}
