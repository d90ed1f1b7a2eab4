#include "answers/zero_dynamics_check.h"

#include <math.h>
#include <string.h>

#include "base/dd_complex_lu.h"
#include "base/pi.h"

static const double AGREEMENT = 1e-6; /* of logarithms */

/* What is larger than this part of H leaves no six digits of it. */
static const double UNSURE = 1e-8;

/* ---- one point ------------------------------------------------------------------------------- */

typedef struct point_work {
    const routh_linear *l;
    double *const *B;
    const rt_system *seen;
    const double *scale;
    rt_dd_complex_lu lu;
    rt_dd_complex *x, *w; /* n x n_in, n x n_out */
    double *size;         /* n: |s I - A| |x| */
} point_work;

/* Entry (i, j) of s I - A in the scaled states. */
static rt_dd_complex pencil_at(const point_work *w, double _Complex s, int i, int j)
{
    const routh_linear *l = w->l;
    const size_t at = (size_t)i * (size_t)l->n_states + (size_t)j;
    const double by = w->scale[j] / w->scale[i];
    const rt_dd a = rt_dd_sum_of(l->A[at] * by, l->A_rest ? l->A_rest[at] * by : 0);
    rt_dd_complex z = {rt_dd_negative(a), rt_dd_of(0)};
    if (i == j) {
        z.re = rt_dd_add(z.re, rt_dd_of(creal(s)));
        z.im = rt_dd_of(cimag(s));
    }
    return z;
}

/* b0 + b1 s + b2 s^2 */
static rt_dd_complex polynomial_at(const double b[3], double _Complex s)
{
    const rt_dd_complex x = rt_ddz_of(creal(s), cimag(s));
    rt_dd_complex sum = rt_ddz_of(b[2], 0);
    for (int k = 1; k >= 0; k--) sum = rt_ddz_add(rt_ddz_multiply(sum, x), rt_ddz_of(b[k], 0));
    return sum;
}

static bool point_factor(point_work *w, double _Complex s)
{
    const int n = w->lu.n;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) *rt_dd_complex_lu_at(&w->lu, i, j) = pencil_at(w, s, i, j);
    return rt_dd_complex_lu_factor(&w->lu);
}

/* What 106 bits leave of H = w' (s I - A) x is below n eps |w| |s I - A| |x| for factors that do
 * not grow. */
static void point_channels(point_work *w, rt_zero_point *point)
{
    const int n = w->lu.n, n_in = w->seen->n_in, n_out = w->seen->n_out;
    for (int j = 0; j < n_in; j++) {
        const rt_dd_complex *x = w->x + (size_t)n * (size_t)j;
        memset(w->size, 0, ((size_t)n + 1) * sizeof *w->size);
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++)
                w->size[i] += rt_ddz_size(pencil_at(w, point->s, i, k)) * rt_ddz_size(x[k]);
        for (int o = 0; o < n_out; o++) {
            const size_t at = (size_t)o * (size_t)n_in + (size_t)j;
            const double d[3] = {w->seen->D[0][at], w->seen->D[1][at], w->seen->D[2][at]};
            rt_dd_complex H = polynomial_at(d, point->s);
            double error = rt_ddz_size(H);
            for (int i = 0; i < n; i++) {
                const double c = w->seen->C[0][(size_t)o * (size_t)n + (size_t)i] * w->scale[i];
                H = rt_ddz_add(H, rt_ddz_scale(x[i], rt_dd_of(c)));
                error += fabs(c) * rt_ddz_size(x[i]) +
                         rt_ddz_size(w->w[i + (size_t)n * (size_t)o]) * w->size[i];
            }
            point->H[at] = rt_ddz_round(H);
            point->error[at] = (n + 2) * RT_DD_EPSILON * error;
        }
    }
}

static void point_solve(point_work *w, rt_zero_point *point)
{
    const int n = w->lu.n, n_in = w->seen->n_in, n_out = w->seen->n_out;
    point->singular = !point_factor(w, point->s);
    if (point->singular) return;
    point->log_det = w->lu.log_det;
    for (int j = 0; j < n_in; j++) {
        rt_dd_complex *x = w->x + (size_t)n * (size_t)j;
        for (int i = 0; i < n; i++) {
            const size_t at = (size_t)i + (size_t)n * (size_t)j;
            const double b[3] = {w->B[0][at] / w->scale[i], w->B[1][at] / w->scale[i],
                                 w->B[2][at] / w->scale[i]};
            x[i] = polynomial_at(b, point->s);
        }
        rt_dd_complex_lu_solve(&w->lu, x);
    }
    for (int o = 0; o < n_out; o++) {
        rt_dd_complex *y = w->w + (size_t)n * (size_t)o;
        for (int i = 0; i < n; i++)
            y[i] = rt_ddz_of(w->seen->C[0][(size_t)o * (size_t)n + (size_t)i] * w->scale[i], 0);
        rt_dd_complex_lu_solve_transposed(&w->lu, y);
    }
    point_channels(w, point);
}

static void places(double low, double high, rt_zero_point points[RT_ZERO_POINTS])
{
    const double middle = sqrt(low) * sqrt(high);
    const double _Complex at[RT_ZERO_POINTS] = {
        middle * (0.6 + 0.8 * I),   1.0371 * I * middle,     0.9173 * low * (0.28 + 0.96 * I),
        1.1237 * I * high,          high * (-0.8 + 0.6 * I), 0.7317 * middle,
        30 * high * (0.6 - 0.8 * I)};
    for (int k = 0; k < RT_ZERO_POINTS; k++) points[k].s = at[k];
}

routh_status rt_zero_points_make(rt_zero_point points[RT_ZERO_POINTS], double low, double high,
                                 const routh_linear *l, double *const B[3], const rt_system *seen,
                                 const double *scale, rt_arena *arena, routh_error *error)
{
    const size_t n = (size_t)l->n_states, all = (size_t)seen->n_in * (size_t)seen->n_out;
    rt_arena scratch = {0};
    point_work w = {.l = l, .B = B, .seen = seen, .scale = scale, .lu = {.n = (int)n}};
    w.lu.a = RT_TAKE(&scratch, rt_dd_complex, n * n + 1);
    w.lu.pivots = RT_TAKE(&scratch, int, n + 1);
    w.x = RT_TAKE(&scratch, rt_dd_complex, n * (size_t)seen->n_in + 1);
    w.w = RT_TAKE(&scratch, rt_dd_complex, n * (size_t)seen->n_out + 1);
    w.size = RT_TAKE(&scratch, double, n + 1);
    bool ok = w.lu.a && w.lu.pivots && w.x && w.w && w.size;
    places(low, high, points);
    for (int k = 0; k < RT_ZERO_POINTS && ok; k++) {
        points[k].H = RT_TAKE(arena, double _Complex, all);
        points[k].error = RT_TAKE(arena, double, all);
        ok = points[k].H && points[k].error;
        if (ok) point_solve(&w, &points[k]);
    }
    rt_arena_free(&scratch);
    return ok ? ROUTH_OK : rt_fail_memory(error);
}

/* ---- a channel ------------------------------------------------------------------------------- */

/* Of a logarithm: its imaginary part between -pi and pi. */
static double off_by(double _Complex difference)
{
    return hypot(creal(difference), remainder(cimag(difference), 2 * RT_PI));
}

bool rt_zero_points_agree(const rt_zero_point points[RT_ZERO_POINTS], int channel, double gain,
                          int n, const double *zeros, const double *bounds)
{
    enum { ENOUGH = 3 };
    int seen = 0;
    for (int k = 0; k < RT_ZERO_POINTS; k++) {
        const rt_zero_point *p = &points[k];
        if (p->singular || p->error[channel] > UNSURE * cabs(p->H[channel])) continue;
        double _Complex sum = clog(gain);
        double slack = 0;
        for (int z = 0; z < n; z++) {
            const double _Complex from = p->s - (zeros[2 * z] + I * zeros[2 * z + 1]);
            sum += clog(from);
            slack += bounds[z] / cabs(from);
        }
        const double off = off_by(sum - p->log_det - clog(p->H[channel]));
        if (!(off <= AGREEMENT) && slack > 0.3) continue;
        if (!(off <= AGREEMENT + slack)) return false;
        seen++;
    }
    return seen >= ENOUGH;
}
