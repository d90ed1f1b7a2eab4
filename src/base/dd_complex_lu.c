#include "base/dd_complex_lu.h"

#include "base/pi.h"

static void dd_complex_subtract_column(int n, rt_dd_complex x, const rt_dd_complex *from,
                                       rt_dd_complex *to)
{
    if (x.re.high == 0 && x.im.high == 0) return;
    for (int i = 0; i < n; i++)
        if (from[i].re.high != 0 || from[i].im.high != 0)
            to[i] = rt_ddz_subtract(to[i], rt_ddz_multiply(x, from[i]));
}

bool rt_dd_complex_lu_factor(rt_dd_complex_lu *f)
{
    const int n = f->n;
    f->log_det = 0;
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (rt_ddz_size(*rt_dd_complex_lu_at(f, i, k)) >
                rt_ddz_size(*rt_dd_complex_lu_at(f, p, k)))
                p = i;
        f->pivots[k] = p;
        if (!(rt_ddz_size(*rt_dd_complex_lu_at(f, p, k)) > 0)) return false;
        for (int j = 0; j < n && p != k; j++) {
            const rt_dd_complex t = *rt_dd_complex_lu_at(f, k, j);
            *rt_dd_complex_lu_at(f, k, j) = *rt_dd_complex_lu_at(f, p, j),
                                       *rt_dd_complex_lu_at(f, p, j) = t;
        }
        f->log_det += clog(rt_ddz_round(*rt_dd_complex_lu_at(f, k, k))) + (p != k ? I * RT_PI : 0);
        for (int i = k + 1; i < n; i++)
            if (rt_ddz_size(*rt_dd_complex_lu_at(f, i, k)) > 0)
                *rt_dd_complex_lu_at(f, i, k) =
                    rt_ddz_divide(*rt_dd_complex_lu_at(f, i, k), *rt_dd_complex_lu_at(f, k, k));
        for (int j = k + 1; j < n; j++)
            dd_complex_subtract_column(n - k - 1, *rt_dd_complex_lu_at(f, k, j),
                                       rt_dd_complex_lu_at(f, k + 1, k),
                                       rt_dd_complex_lu_at(f, k + 1, j));
    }
    return true;
}

void rt_dd_complex_lu_solve(const rt_dd_complex_lu *f, rt_dd_complex *x)
{
    const int n = f->n;
    for (int k = 0; k < n; k++) {
        const rt_dd_complex t = x[k];
        x[k] = x[f->pivots[k]], x[f->pivots[k]] = t;
    }
    for (int k = 0; k < n; k++)
        dd_complex_subtract_column(n - k - 1, x[k], rt_dd_complex_lu_at(f, k + 1, k), x + k + 1);
    for (int k = n - 1; k >= 0; k--) {
        x[k] = rt_ddz_divide(x[k], *rt_dd_complex_lu_at(f, k, k));
        dd_complex_subtract_column(k, x[k], rt_dd_complex_lu_at(f, 0, k), x);
    }
}

/* x := A^-T x: U' L' P, rows of the factors. */
void rt_dd_complex_lu_solve_transposed(const rt_dd_complex_lu *f, rt_dd_complex *x)
{
    const int n = f->n;
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < k; i++)
            x[k] = rt_ddz_subtract(x[k], rt_ddz_multiply(*rt_dd_complex_lu_at(f, i, k), x[i]));
        x[k] = rt_ddz_divide(x[k], *rt_dd_complex_lu_at(f, k, k));
    }
    for (int k = n - 1; k >= 0; k--)
        for (int i = k + 1; i < n; i++)
            x[k] = rt_ddz_subtract(x[k], rt_ddz_multiply(*rt_dd_complex_lu_at(f, i, k), x[i]));
    for (int k = n - 1; k >= 0; k--) {
        const rt_dd_complex t = x[k];
        x[k] = x[f->pivots[k]], x[f->pivots[k]] = t;
    }
}
