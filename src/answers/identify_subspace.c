/* Poles from the shift that the columns of a Hankel matrix have among them.
 *
 * Row j holds y(j + b_i) and y(j + b_i + 1) of delays b_i, of all channels; rows of all runs are
 * stacked. Free of noise its rank is the number of exponentials, and its right singular vectors V
 * satisfy
 *     V(delays + 1) = V(delays) Psi,      eig Psi = exp(s step)
 * (Kung 1978, Juang and Pappa 1985, Roy and Kailath 1989). Delays may lie apart, as long as their
 * partners lie one sample behind them. */
#include <math.h>
#include <string.h>

#include "base/lapack.h"
#include "base/reflectors.h"
#include "answers/identify_parts.h"

enum { MOST_COLUMNS = 320, MOST_CHANNELS = 24 };

/* Fewer channels by sums of fixed signs, for records of very many. */
static const double *mixed(const rt_sampled_record *r, int n_channels, rt_arena *arena)
{
    if (n_channels == r->n_channels) return r->y;
    const size_t n = (size_t)r->n_samples;
    double *y = RT_TAKE(arena, double, (size_t)(r->n_runs * n_channels) * n);
    unsigned random = 12345;
    if (!y) return NULL;
    for (int c = 0; c < r->n_channels; c++)
        for (int to = 0; to < n_channels; to++) {
            random = random * 1664525u + 1013904223u;
            const double sign = random >> 31 ? 1 : -1;
            for (int run = 0; run < r->n_runs; run++) {
                const double *from = r->y + (size_t)(run * r->n_channels + c) * n;
                double *sum = y + (size_t)(run * n_channels + to) * n;
                for (size_t k = 0; k < n; k++) sum[k] += sign * from[k];
            }
        }
    return y;
}

/* Delays of the columns, so that they reach over a third of the record. */
typedef struct delays {
    int n, n_pairs, first_shift, last;
    int at[2 * MOST_COLUMNS];
} delays;

static void choose_delays(delays *d, int n_samples, int n_channels)
{
    const int reach = n_samples / 3, most = MOST_COLUMNS / n_channels;
    const bool apart = most - 1 < reach * 3 / 4;
    d->n_pairs = apart ? most / 2 : reach < most - 1 ? reach : most - 1;
    const int stride = apart ? reach / d->n_pairs : 1;
    d->first_shift = apart ? d->n_pairs : 1;
    d->n = apart ? 2 * d->n_pairs : d->n_pairs + 1;
    for (int i = 0; i < d->n_pairs; i++) {
        d->at[i] = i * stride;
        d->at[i + d->first_shift] = i * stride + 1;
    }
    d->last = d->at[d->n - 1];
}

/* What of singular values is noise: those of a matrix of noise alone are known up to its size,
 * which the median tells. Threshold of Gavish and Donoho (2014). */
static int count_signal(int n_rows, int n_columns, const double *sigma, double noise)
{
    const int n = n_rows < n_columns ? n_rows : n_columns;
    const double b = n / (double)(n_rows < n_columns ? n_columns : n_rows);
    const double factor = ((0.56 * b - 0.95) * b + 1.82) * b + 1.43;
    const double known = noise * (sqrt(n_rows) + sqrt(n_columns));
    const double least = fmax(fmax(factor * sigma[n / 2], known), 1e-15 * sigma[0]);
    int order = 0;
    while (order < n && sigma[order] > least) order++;
    return order;
}

routh_status rt_subspace_find(rt_subspace *x, const rt_sampled_record *r,
                              const rt_identify_options *o, rt_arena *arena, routh_error *error)
{
    const int C = r->n_channels < MOST_CHANNELS ? r->n_channels : MOST_CHANNELS;
    const double *y = mixed(r, C, arena);
    delays d;
    choose_delays(&d, r->n_samples, C);
    const int per_run = r->n_samples - d.last, n_rows = per_run * r->n_runs, n = d.n * C;
    double *H = RT_TAKE(arena, double, (size_t)n_rows *(size_t)n);
    x->sigma = RT_TAKE(arena, double, n + n_rows);
    x->vt = RT_TAKE(arena, double, (size_t)n *(size_t)n);
    if (!y || !H || !x->sigma || !x->vt) return rt_fail_memory(error);
    for (int i = 0; i < d.n; i++)
        for (int c = 0; c < C; c++)
            for (int run = 0; run < r->n_runs; run++)
                memcpy(H + (size_t)(i * C + c) * (size_t)n_rows + run * per_run,
                       y + (size_t)(run * C + c) * (size_t)r->n_samples + d.at[i],
                       (size_t)per_run * sizeof *H);
    const routh_status status = rt_svd(n_rows, n, H, x->sigma, NULL, x->vt, error);
    if (status) return status;
    x->n_columns = n;
    x->n_channels = C;
    x->n_pairs = d.n_pairs;
    x->first_shift = d.first_shift;
    x->step = r->step;
    x->order = count_signal(n_rows, n, x->sigma, o->noise);
    const int rank = n_rows < n ? n_rows : n, pairs = d.n_pairs * C;
    x->most = o->max_order;
    if (x->most > rank - 1) x->most = rank - 1;
    if (x->most > pairs - 1) x->most = pairs - 1;
    if (x->most > r->n_samples / 3) x->most = r->n_samples / 3;
    if (x->order > x->most) x->order = x->most;
    return ROUTH_OK;
}

routh_status rt_subspace_poles(const rt_subspace *x, int order, double *re, double *im,
                               rt_arena *arena, routh_error *error)
{
    if (order == 0) return ROUTH_OK;
    const int C = x->n_channels, n = x->n_pairs * C, n_columns = x->n_columns;
    double *first = RT_TAKE(arena, double, 2 * (size_t)n * (size_t)order);
    double *Psi = RT_TAKE(arena, double, 2 * (size_t)order * (size_t)order);
    if (!first || !Psi) return rt_fail_memory(error);
    double *second = first + (size_t)n * (size_t)order;
    for (int k = 0; k < order; k++)
        for (int i = 0; i < n; i++) {
            first[k * n + i] = x->vt[k + (size_t)n_columns * (size_t)i];
            second[k * n + i] = x->vt[k + (size_t)n_columns * (size_t)(i + x->first_shift * C)];
        }
    rt_reflectors q;
    routh_status status = rt_reflectors_make(&q, n, order, first, arena, error);
    if (status) return status;
    for (int k = 0; k < order; k++) {
        rt_reflectors_apply(&q, 1, 1, second + (size_t)k * (size_t)n);
        rt_reflectors_solve(&q, second + (size_t)k * (size_t)n);
        memcpy(Psi + (size_t)k * (size_t)order, second + (size_t)k * (size_t)n,
               (size_t)order * sizeof *Psi);
    }
    status = rt_schur(order, Psi, Psi + (size_t)order * (size_t)order, re, im, error);
    for (int k = 0; k < order && !status; k++) {
        const double _Complex s = clog(rt_from_parts(re[k], im[k])) / x->step;
        re[k] = creal(s), im[k] = cimag(s);
    }
    return status;
}
