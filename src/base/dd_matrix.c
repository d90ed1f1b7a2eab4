#include "base/dd_matrix.h"

#include <stdbool.h>
#include <string.h>

static bool dd_matrix_is_zero(rt_dd x) { return x.high == 0 && x.low == 0; }

void rt_dd_add_column(int n, rt_dd a, const rt_dd *x, rt_dd *y)
{
    if (dd_matrix_is_zero(a)) return;
    for (int i = 0; i < n; i++) y[i] = rt_dd_fma(y[i], a, x[i]);
}

void rt_dd_times(int m, int k, int n, const rt_dd *A, const rt_dd *B, rt_dd *C)
{
    memset(C, 0, (size_t)m * (size_t)n * sizeof *C);
    for (int j = 0; j < n; j++)
        for (int l = 0; l < k; l++)
            rt_dd_add_column(m, B[l + (size_t)k * (size_t)j], A + (size_t)m * (size_t)l,
                             C + (size_t)m * (size_t)j);
}

static int dd_matrix_pivot(int n, const rt_dd *column, int first)
{
    int best = first;
    for (int i = first + 1; i < n; i++)
        if (fabs(column[i].high) > fabs(column[best].high)) best = i;
    return best;
}

static void dd_matrix_exchange(int n, rt_dd *a, int columns, int i, int j)
{
    for (int c = 0; c < columns && i != j; c++) {
        rt_dd *column = a + (size_t)n * (size_t)c, t = column[i];
        column[i] = column[j], column[j] = t;
    }
}

routh_status rt_dd_factor(int n, rt_dd *a, int *pivots, routh_error *error)
{
    for (int k = 0; k < n; k++) {
        rt_dd *column = a + (size_t)n * (size_t)k;
        pivots[k] = dd_matrix_pivot(n, column, k);
        if (!(fabs(column[pivots[k]].high) > 0))
            return rt_fail(error, ROUTH_SINGULAR, "a matrix of order %d is singular at column %d",
                           n, k);
        dd_matrix_exchange(n, a, n, k, pivots[k]);
        for (int i = k + 1; i < n; i++)
            if (!dd_matrix_is_zero(column[i])) column[i] = rt_dd_divide(column[i], column[k]);
        for (int j = k + 1; j < n; j++) {
            rt_dd *other = a + (size_t)n * (size_t)j;
            rt_dd_add_column(n - k - 1, rt_dd_negative(other[k]), column + k + 1, other + k + 1);
        }
    }
    return ROUTH_OK;
}

void rt_dd_solve(int n, const rt_dd *lu, const int *pivots, int n_rhs, rt_dd *b)
{
    for (int c = 0; c < n_rhs; c++) {
        rt_dd *x = b + (size_t)n * (size_t)c;
        for (int k = 0; k < n; k++) dd_matrix_exchange(n, x, 1, k, pivots[k]);
        for (int k = 0; k < n; k++)
            rt_dd_add_column(n - k - 1, rt_dd_negative(x[k]), lu + (size_t)n * (size_t)k + k + 1,
                             x + k + 1);
        for (int k = n - 1; k >= 0; k--) {
            const rt_dd *column = lu + (size_t)n * (size_t)k;
            if (dd_matrix_is_zero(x[k])) continue;
            x[k] = rt_dd_divide(x[k], column[k]);
            rt_dd_add_column(k, rt_dd_negative(x[k]), column, x);
        }
    }
}
