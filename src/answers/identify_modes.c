/* From a fit to modes: s, its standard deviation, amplitudes, copies. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lapack.h"
#include "answers/identify_parts.h"

typedef struct identify_modes_work {
    const rt_fit *fit;
    const rt_thinned *thinned;
    const double *scale;
    rt_arena *arena;
    double variance;
    double duration;
    int n_series;
} identify_modes_work;

/* The covariance of (mu, delta) of one section. */
typedef struct identify_modes_spread {
    double mu, cross, delta;
} identify_modes_spread;

static identify_modes_spread spread_of(const identify_modes_work *w, int k)
{
    const int n = 2 * w->fit->n_sections;
    const double *V = w->fit->covariance + 2 * k * n + 2 * k;
    return (identify_modes_spread){V[0], V[1], V[n + 1]};
}

/* s = mu +- sqrt(delta); where delta is known no better than its own size, the root of what is not
 * known of it is what s may be off in either direction. */
static void set_deviation(rt_found_mode *mode, const rt_sampled_section *s,
                          const identify_modes_spread *v, int sign)
{
    const double sd = sqrt(v->delta), size = fabs(s->delta), r = sqrt(size);
    if (s->n == 1) {
        mode->sd_re = sqrt(v->mu);
    } else if (sd > size / 2) {
        mode->sd_re = sqrt(v->mu + sd);
        mode->sd_im = sqrt(sd);
    } else if (s->delta < 0) {
        mode->sd_re = sqrt(v->mu);
        mode->sd_im = sd / (2 * r);
    } else {
        mode->sd_re = sqrt(fmax(v->mu + sign * v->cross / r + v->delta / (4 * size), 0));
    }
}

/* a of y = Re(a exp(s t)) from y = p c + q w */
static double _Complex amplitude_of(const rt_sampled_section *s, const double *a, int n_series,
                                    int sign)
{
    if (s->n == 1) return a[0];
    const double p = a[0], q = a[n_series], r = sqrt(fabs(s->delta));
    return s->delta < 0 ? rt_from_parts(p, -q / r) : (p + sign * q / r) / 2;
}

/* How many independent columns the amplitudes have, run by run: what is larger than noise makes,
 * and than a thousandth of the largest. */
static routh_status count_copies(const identify_modes_work *w, const double *amplitude,
                                 double noise, int *copies, routh_error *error)
{
    const int R = w->thinned->record.n_runs, C = w->thinned->record.n_channels;
    *copies = 1;
    if (R < 2 || C < 2) return ROUTH_OK;
    double _Complex *a = RT_TAKE(w->arena, double _Complex, R *C + R * R);
    double *sigma = RT_TAKE(w->arena, double, R + C);
    if (!a || !sigma) return rt_fail_memory(error);
    for (int k = 0; k < R * C; k++)
        a[k] = rt_from_parts(amplitude[2 * k], amplitude[2 * k + 1]) / w->scale[k % C];
    const routh_status status = rt_svd_complex(C, R, a, sigma, a + R * C, error);
    const double least = fmax(5 * noise * (sqrt(R) + sqrt(C)), 1e-3 * sigma[0]);
    while (!status && *copies < R && *copies < C && sigma[*copies] > least) ++*copies;
    return status;
}

static routh_status identify_modes_add_mode(rt_window *window, const identify_modes_work *w, int k,
                                            int column, int sign, routh_error *error)
{
    const rt_sampled_section *s = &w->fit->sections[k];
    const identify_modes_spread v = spread_of(w, k);
    const double r = s->n == 2 ? sqrt(fabs(s->delta)) : 0;
    const int n_channels = w->thinned->record.n_channels;
    rt_found_mode *mode = &window->modes[window->n_modes++];
    *mode = (rt_found_mode){.re = s->mu + (s->delta > 0 ? sign * r : 0),
                            .im = s->n == 2 && s->delta < 0 ? r : 0};
    set_deviation(mode, s, &v, sign);
    double *amplitude = RT_TAKE(w->arena, double, 2 * w->n_series);
    if (!amplitude) return rt_fail_memory(error);
    const double _Complex gain = rt_thinned_gain(w->thinned, mode->re, mode->im);
    for (int i = 0; i < w->n_series; i++) {
        const double _Complex a =
            amplitude_of(s, w->fit->amplitude + column * w->n_series + i, w->n_series, sign) / gain;
        mode->size = fmax(mode->size, cabs(a));
        amplitude[2 * i] = creal(a) * w->scale[i % n_channels];
        amplitude[2 * i + 1] = cimag(a) * w->scale[i % n_channels];
    }
    mode->amplitude = amplitude;
    /* about what noise makes of an amplitude: the section's own amplitude over root gain */
    const double share =
        mode->size * cabs(gain) * sqrt(w->n_series * w->variance / fmax(w->fit->gain[k], 1e-300));
    return count_copies(w, amplitude, share / cabs(gain), &mode->copies, error);
}

/* A double real one, as far as is known: c = 1 and w = t have amplitudes of their own, and no two
 * exponentials do. */
static bool is_double(const identify_modes_work *w, const rt_sampled_section *s,
                      const identify_modes_spread *v)
{
    const double size = fabs(s->delta) * w->duration * w->duration;
    return s->n == 2 && (size < 1e-6 || (size < 1 && fabs(s->delta) < 2 * sqrt(v->delta)));
}

/* s = mu twice; what delta is or may be is what either may be off. */
static routh_status add_double(rt_window *window, const identify_modes_work *w, int k, int column,
                               const identify_modes_spread *v, routh_error *error)
{
    const rt_sampled_section *s = &w->fit->sections[k];
    const double *a = w->fit->amplitude + column * w->n_series;
    const double off = fabs(s->delta) + sqrt(v->delta);
    double *amplitude = RT_TAKE(w->arena, double, 2 * w->n_series);
    if (!amplitude) return rt_fail_memory(error);
    for (int j = 0; j < 2; j++) {
        rt_found_mode *mode = &window->modes[window->n_modes++];
        *mode = (rt_found_mode){.re = s->mu,
                                .sd_re = sqrt(v->mu + off),
                                .sd_im = sqrt(off),
                                .copies = 1,
                                .amplitude = j ? NULL : amplitude};
        for (int i = 0; i < w->n_series; i++)
            mode->size = fmax(mode->size, fabs(a[j * w->n_series + i]) * (j ? w->duration : 1));
    }
    for (int i = 0; i < w->n_series; i++)
        amplitude[2 * i] = a[i] * w->scale[i % w->thinned->record.n_channels];
    return ROUTH_OK;
}

static int identify_modes_by_modulus(const void *a, const void *b)
{
    const rt_found_mode *x = a, *y = b;
    const double p = hypot(x->re, x->im), q = hypot(y->re, y->im);
    return (p > q) - (p < q);
}

routh_status rt_modes_of_fit(rt_window *window, const rt_fit *fit, const rt_thinned *thinned,
                             const double *scale, rt_arena *arena, routh_error *error)
{
    const rt_sampled_record *r = &thinned->record;
    const identify_modes_work w = {fit,
                                   thinned,
                                   scale,
                                   arena,
                                   rt_fit_variance(fit, r),
                                   r->n_samples * r->step,
                                   r->n_runs * r->n_channels};
    window->residual = sqrt(fit->rss / ((double)r->n_samples * w.n_series));
    window->modes = RT_TAKE(arena, rt_found_mode, 2 * fit->n_sections);
    if (!window->modes) return rt_fail_memory(error);
    for (int k = 0, column = 0; k < fit->n_sections; column += fit->sections[k++].n) {
        const rt_sampled_section *s = &fit->sections[k];
        const identify_modes_spread v = spread_of(&w, k);
        routh_status status;
        if (is_double(&w, s, &v)) {
            status = add_double(window, &w, k, column, &v, error);
        } else {
            status = identify_modes_add_mode(window, &w, k, column, 1, error);
            if (!status && s->n == 2 && s->delta > 0)
                status = identify_modes_add_mode(window, &w, k, column, -1, error);
        }
        if (status) return status;
    }
    qsort(window->modes, (size_t)window->n_modes, sizeof *window->modes, identify_modes_by_modulus);
    return ROUTH_OK;
}
