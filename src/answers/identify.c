/* The identification: windows from the whole record down to its first samples, each thinned out
 * to about as many samples; poles, fit and modes of each; each mode from the window that knows
 * it best. So slow modes have the whole record, and fast, damped ones the part where they are. */
#include "answers/identify.h"

#include <math.h>
#include <stdlib.h>

#include "base/pi.h"
#include "answers/identify_parts.h"

enum { QUARTER = 4, N_ORDERS = 3 };

rt_identify_options rt_identify_defaults(void)
{
    return (rt_identify_options){.max_order = 60, .most_samples = 480, .noise = RT_ROUNDING};
}

/* How many of three orders, from that of the singular values on, have each mode. */
static routh_status note_orders(rt_window *window, const rt_subspace *subspace, double *re,
                                double *im, rt_arena *arena, routh_error *error)
{
    for (int step = 0; step < N_ORDERS; step++) {
        const int order = subspace->order + 2 * step;
        if (order > subspace->most) break;
        const routh_status status = rt_subspace_poles(subspace, order, re, im, arena, NULL);
        if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(error);
        if (status) continue;
        for (int k = 0; k < window->n_modes; k++) {
            rt_found_mode *mode = &window->modes[k];
            const double near =
                fmax(5 * hypot(mode->sd_re, mode->sd_im),
                     fmax(1e-3 * hypot(mode->re, mode->im), 0.1 / window->duration));
            for (int j = 0; j < order; j++)
                if (hypot(re[j] - mode->re, im[j] - mode->im) < near) {
                    mode->n_orders++;
                    break;
                }
        }
    }
    return ROUTH_OK;
}

static routh_status identify_look(rt_window *window, const rt_thinned *thinned, const double *scale,
                                  const rt_identify_options *o, rt_arena *arena, routh_error *error)
{
    rt_subspace subspace;
    rt_fit fit = {.noise = o->noise};
    routh_status status = rt_subspace_find(&subspace, &thinned->record, o, arena, error);
    if (status) return status;
    double *re = RT_TAKE(arena, double, 2 * subspace.n_columns);
    if (!re) return rt_fail_memory(error);
    double *im = re + subspace.n_columns;
    /* a few more than the noise lets see: what is nothing is dropped by the fit */
    int order = subspace.sigma[0] > 0 ? subspace.order + 4 : 0;
    if (order > subspace.most) order = subspace.most;
    window->order = subspace.order;
    status = rt_subspace_poles(&subspace, order, re, im, arena, error);
    if (!status) status = rt_fit_poles(&fit, &thinned->record, order, re, im, arena, error);
    if (!status) status = rt_modes_of_fit(window, &fit, thinned, scale, arena, error);
    return status ? status : note_orders(window, &subspace, re, im, arena, error);
}

/* ---- each mode once -------------------------------------------------------------------------- */

static double identify_size_of(const rt_found_mode *mode) { return hypot(mode->re, mode->im); }
static double deviation_of(const rt_found_mode *mode) { return hypot(mode->sd_re, mode->sd_im); }

/* One from another window is the same mode. */
static bool is_taken(const rt_identified *found, const rt_found_mode *mode)
{
    for (int k = 0; k < found->n_modes; k++) {
        const rt_found_mode *other = &found->modes[k];
        const double near =
            0.02 * identify_size_of(mode) + 5 * (deviation_of(mode) + deviation_of(other));
        if (other->window != mode->window &&
            !(hypot(mode->re - other->re, mode->im - other->im) >= near))
            return true;
    }
    return false;
}

/* A fast, damped mode that the filter could not stop shows in a longer window too, folded by its
 * rate of sampling: what is a folded mode of a shorter window is not a mode of its own. */
static bool is_folded(const rt_identified *found, int w, const rt_found_mode *mode)
{
    const double step = found->windows[w].step, around = RT_TWO_PI / step;
    for (int v = w + 1; v < found->n_windows; v++)
        for (int k = 0; k < found->windows[v].n_modes; k++) {
            const rt_found_mode *fast = &found->windows[v].modes[k];
            if (fast->im < around / 2 ||
                hypot(fast->sd_re, fast->sd_im) > 0.01 * hypot(fast->re, fast->im))
                continue;
            const double im = fabs(remainder(fast->im, around));
            const double near =
                1e-3 * hypot(mode->re, mode->im) +
                5 * (hypot(mode->sd_re, mode->sd_im) + hypot(fast->sd_re, fast->sd_im));
            if (hypot(mode->re - fast->re, mode->im - im) < near) return true;
        }
    return false;
}

/* Wherever in the window it is largest, an amplitude beneath this part of its channel's largest
 * value is what rounding of the samples made. */
static bool identify_is_rounding(const rt_window *window, const rt_found_mode *mode)
{
    static const double rounding = 1e-13;
    return mode->size * fmax(1, exp(mode->re * window->duration)) < rounding;
}

/* What a window can tell of: within its band, and of a short one not what hardly moves in it. */
static bool is_fit(const rt_identified *found, int w, const rt_found_mode *mode)
{
    static const double period = 6;
    const rt_window *window = &found->windows[w];
    return identify_size_of(mode) <= window->band &&
           (w == 0 || identify_size_of(mode) * window->duration >= period) &&
           !is_folded(found, w, mode) && !identify_is_rounding(window, mode);
}

/* The best known first: a slow mode from a long window, one that dies soon from a short one. */
static int by_deviation(const void *a, const void *b)
{
    const double x = deviation_of(a), y = deviation_of(b);
    return (x > y) - (x < y);
}

static int by_size(const void *a, const void *b)
{
    const double x = identify_size_of(a), y = identify_size_of(b);
    return (x > y) - (x < y);
}

static routh_status identify_gather(rt_identified *found, rt_arena *arena, routh_error *error)
{
    int n = 0, n_fit = 0;
    for (int w = 0; w < found->n_windows; w++) n += found->windows[w].n_modes;
    found->modes = RT_TAKE(arena, rt_found_mode, n);
    rt_found_mode *fit = RT_TAKE(arena, rt_found_mode, n);
    if (!found->modes || !fit) return rt_fail_memory(error);
    for (int w = 0; w < found->n_windows; w++)
        for (int k = 0; k < found->windows[w].n_modes; k++) {
            found->windows[w].modes[k].window = w;
            if (is_fit(found, w, &found->windows[w].modes[k]))
                fit[n_fit++] = found->windows[w].modes[k];
        }
    qsort(fit, (size_t)n_fit, sizeof *fit, by_deviation);
    for (int k = 0; k < n_fit; k++)
        if (!is_taken(found, &fit[k])) found->modes[found->n_modes++] = fit[k];
    qsort(found->modes, (size_t)found->n_modes, sizeof *fit, by_size);
    return ROUTH_OK;
}

/* A window of n samples of the record by d. */
static routh_status one_window(rt_window *window, const rt_sampled_record *record,
                               const double *scale, int n, int d, const rt_identify_options *o,
                               rt_arena *arena, routh_error *error)
{
    static const double band = RT_TWO_PI * 0.36;
    rt_thinned thinned;
    routh_status status = rt_thin_out(&thinned, record, scale, n, d, arena, error);
    if (status) return status;
    *window = (rt_window){.duration = thinned.record.n_samples * thinned.record.step,
                          .step = thinned.record.step,
                          .n_samples = thinned.record.n_samples,
                          .band = d > 1 ? band / thinned.record.step : INFINITY};
    return identify_look(window, &thinned, scale, o, arena, error);
}

routh_status rt_identify(rt_identified *found, const rt_sampled_record *record,
                         const rt_identify_options *options, rt_arena *arena, routh_error *error)
{
    enum { MOST_WINDOWS = 16 };
    const rt_identify_options o = options ? *options : rt_identify_defaults();
    *found = (rt_identified){0};
    routh_status status = rt_check_record(record, 16, error);
    if (status) return status;
    if (o.max_order < 1 || o.most_samples < 16 || !(o.noise >= RT_ROUNDING))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "an identification needs an order of at least 1 and windows of at least 16 "
                       "samples, not %d and %d, and a noise of at least 1e-14, not %.3g",
                       o.max_order, o.most_samples, o.noise);
    found->windows = RT_TAKE(arena, rt_window, MOST_WINDOWS);
    double *scale = RT_TAKE(arena, double, record->n_channels);
    if (!found->windows || !scale) return rt_fail_memory(error);
    rt_channel_scales(record, scale);
    const int whole = o.most_samples + RT_TAPS;
    int n = record->n_samples;
    while (found->n_windows < MOST_WINDOWS && !status) {
        const int d = n <= whole ? 1 : (n + whole - 1) / whole;
        status =
            one_window(&found->windows[found->n_windows], record, scale, n, d, &o, arena, error);
        found->n_windows++;
        if (d == 1) break;
        n = n / QUARTER > whole ? n / QUARTER : whole;
    }
    return status ? status : identify_gather(found, arena, error);
}
