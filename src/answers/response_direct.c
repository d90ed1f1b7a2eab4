/* H(s) by solving the equations at s. */
#include <math.h>
#include <string.h>

#include "base/lapack.h"
#include "answers/response_transfer.h"
#include "base/pi.h"

/* A sum this small beside its terms is rounding. */
static const double CANCELLED = 1e-14;

/* sum of s^k P_k */
static double _Complex response_direct_value(double *const *P, int n, size_t at, double _Complex s)
{
    double _Complex sum = P[n - 1][at];
    for (int k = n - 2; k >= 0; k--) sum = sum * s + P[k][at];
    return sum;
}

/* sum of k s^(k-1) P_k */
static double _Complex slope(double *const *P, int n, size_t at, double _Complex s)
{
    double _Complex sum = (n - 1) * P[n - 1][at];
    for (int k = n - 2; k >= 1; k--) sum = sum * s + k * P[k][at];
    return sum;
}

static size_t response_direct_entries(const rt_system *x)
{
    return x->pattern ? (size_t)x->pattern->start[x->n] : (size_t)x->n * (size_t)x->n;
}

static routh_status response_direct_factor(rt_direct *d, double _Complex s, routh_error *error)
{
    const rt_system *x = d->system;
    const size_t n = response_direct_entries(x);
    for (size_t k = 0; k < n; k++) d->Z[k] = response_direct_value(x->Z, RT_Z, k, s);
    d->transfer.n_solves++;
    return d->factor ? rt_complex_factor_numeric(d->factor, d->Z, error)
                     : rt_complex_lu_factor(x->n, d->Z, d->pivots, error);
}

static routh_status response_direct_solve(rt_direct *d, double _Complex *b, routh_error *error)
{
    const rt_system *x = d->system;
    return d->factor ? rt_complex_factor_solve(d->factor, b, x->n_in, error)
                     : rt_complex_lu_solve(x->n, d->Z, d->pivots, x->n_in, b, error);
}

/* b -= Z'(s) X */
static void subtract_slope(const rt_direct *d, double _Complex s, double _Complex *b)
{
    const rt_system *x = d->system;
    const size_t n = (size_t)x->n;
    for (size_t c = 0; c < (size_t)x->n; c++) {
        const size_t from = x->pattern ? (size_t)x->pattern->start[c] : c * n;
        const size_t to = x->pattern ? (size_t)x->pattern->start[c + 1] : (c + 1) * n;
        for (size_t e = from; e < to; e++) {
            const double _Complex z = slope(x->Z, RT_Z, e, s);
            const size_t row = x->pattern ? (size_t)x->pattern->row[e] : e - from;
            for (size_t j = 0; j < (size_t)x->n_in; j++) b[j * n + row] -= z * d->X[j * n + c];
        }
    }
}

/* Z X = R, Z X' = R' - Z' X;  H = C X + D, H' = C' X + C X' + D' */
/* Singular equations are those at an eigenvalue. */
static routh_status response_direct_at_pole(double _Complex s, routh_error *error)
{
    return rt_fail(error, ROUTH_SINGULAR,
                   "the response is infinite at %.10g Hz, where a mode without damping has its "
                   "frequency; move the frequency, or damp the mode",
                   fabs(cimag(s)) / RT_TWO_PI);
}

static routh_status response_direct_evaluate(rt_transfer *transfer, double _Complex s,
                                             double _Complex *H, double _Complex *dH,
                                             routh_error *error)
{
    rt_direct *d = (rt_direct *)(void *)transfer;
    const rt_system *x = d->system;
    const size_t n = (size_t)x->n, m = (size_t)x->n_in;
    routh_status status = response_direct_factor(d, s, error);
    for (size_t k = 0; k < n * m; k++) d->X[k] = response_direct_value(x->R, RT_R, k, s);
    if (!status) status = response_direct_solve(d, d->X, error);
    if (status == ROUTH_SINGULAR && creal(s) == 0) return response_direct_at_pole(s, error);
    if (status) return status;
    if (dH) {
        for (size_t k = 0; k < n * m; k++) d->dX[k] = slope(x->R, RT_R, k, s);
        subtract_slope(d, s, d->dX);
        status = response_direct_solve(d, d->dX, error);
        if (status) return status;
    }
    for (size_t i = 0; i < (size_t)x->n_out; i++)
        for (size_t j = 0; j < m; j++) {
            double _Complex h = response_direct_value(x->D, RT_D, i * m + j, s), dh = 0;
            if (dH) dh = slope(x->D, RT_D, i * m + j, s);
            for (size_t k = 0; k < n; k++) {
                const double c0 = x->C[0][i * n + k], c1 = x->C[1][i * n + k];
                if (c0 == 0 && c1 == 0) continue;
                const double _Complex c = c0 + s * c1;
                h += c * d->X[j * n + k];
                if (dH) dh += c1 * d->X[j * n + k] + c * d->dX[j * n + k];
            }
            H[i * m + j] = h;
            if (dH) dH[i * m + j] = dh;
        }
    return ROUTH_OK;
}

routh_status rt_direct_create(rt_direct *d, const rt_system *x, rt_arena *arena, routh_error *error)
{
    const size_t n = (size_t)x->n, m = (size_t)x->n_in;
    *d = (rt_direct){
        .transfer = {.n_in = x->n_in, .n_out = x->n_out, .evaluate = response_direct_evaluate},
        .system = x};
    d->Z = RT_TAKE(arena, double _Complex, response_direct_entries(x));
    d->X = RT_TAKE(arena, double _Complex, n *m);
    d->dX = RT_TAKE(arena, double _Complex, n *m);
    d->pivots = RT_TAKE(arena, int, n);
    if (!d->Z || !d->X || !d->dX || !d->pivots) return rt_fail_memory(error);
    return x->pattern ? rt_complex_factor_create(&d->factor, x->pattern, error) : ROUTH_OK;
}

void rt_direct_release(rt_direct *d)
{
    rt_complex_factor_free(d->factor);
    d->factor = NULL;
}

/* sum X_k s^k: Z_0 X_k = R_k - Z_1 X_(k-1) - Z_2 X_(k-2) */
routh_status rt_direct_taylor(rt_direct *d, int n_terms, double _Complex *const *H, rt_arena *arena,
                              routh_error *error)
{
    const rt_system *x = d->system;
    const size_t n = (size_t)x->n, m = (size_t)x->n_in, p = (size_t)x->n_out;
    double _Complex *X[3] = {0};
    routh_status status = response_direct_factor(d, 0, error);
    for (int k = 0; k < n_terms && !status; k++) {
        X[k] = RT_TAKE(arena, double _Complex, n *m);
        if (!X[k]) return rt_fail_memory(error);
        for (size_t e = 0; e < n * m; e++) X[k][e] = x->R[k][e];
        for (int l = 1; l <= k; l++)
            for (size_t c = 0; c < n; c++) {
                const size_t from = x->pattern ? (size_t)x->pattern->start[c] : c * n;
                const size_t to = x->pattern ? (size_t)x->pattern->start[c + 1] : (c + 1) * n;
                for (size_t e = from; e < to; e++) {
                    const size_t row = x->pattern ? (size_t)x->pattern->row[e] : e - from;
                    for (size_t j = 0; j < m; j++)
                        X[k][j * n + row] -= x->Z[l][e] * X[k - l][j * n + c];
                }
            }
        status = response_direct_solve(d, X[k], error);
        for (size_t i = 0; i < p && !status; i++)
            for (size_t j = 0; j < m; j++) {
                double _Complex h = x->D[k][i * m + j];
                double size = cabs(h);
                for (size_t c = 0; c < n; c++) {
                    const double _Complex a = x->C[0][i * n + c] * X[k][j * n + c];
                    const double _Complex b = k > 0 ? x->C[1][i * n + c] * X[k - 1][j * n + c] : 0;
                    h += a + b;
                    size += cabs(a) + cabs(b);
                }
                /* terms that cancel but for rounding */
                H[k][i * m + j] = cabs(h) <= CANCELLED * size ? 0 : h;
            }
    }
    return status;
}
