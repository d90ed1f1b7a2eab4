/* Fewer samples by a low-pass filter of finite length. Such a filter leaves exponentials what they
 * are, so no error comes with it; modes above its band are left out.
 *
 *     h_j = 2 f sinc(2 f (j - m)) I0(b sqrt(1 - ((j - m)/m)^2)) / I0(b)        (Kaiser 1974)
 */
#include <math.h>

#include "base/pi.h"
#include "answers/identify_parts.h"

routh_status rt_check_record(const rt_sampled_record *r, int least, routh_error *error)
{
    if (r->n_runs < 1 || r->n_channels < 1 || !(r->step > 0) || r->n_samples < least)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a record needs a run, a channel, a step larger than zero and at least %d "
                       "samples; it has %d runs, %d channels, %d samples",
                       least, r->n_runs, r->n_channels, r->n_samples);
    const size_t n = (size_t)r->n_runs * (size_t)r->n_channels * (size_t)r->n_samples;
    for (size_t k = 0; k < n; k++)
        if (!isfinite(r->y[k]))
            return rt_fail(error, ROUTH_BAD_ARGUMENT, "sample %zu of the record is no number",
                           k % (size_t)r->n_samples + 1);
    return ROUTH_OK;
}

void rt_channel_scales(const rt_sampled_record *r, double *scale)
{
    const size_t n = (size_t)r->n_samples;
    for (int c = 0; c < r->n_channels; c++) {
        double largest = 0;
        for (int run = 0; run < r->n_runs; run++) {
            const double *y = r->y + (size_t)(run * r->n_channels + c) * n;
            for (size_t k = 0; k < n; k++) largest = fmax(largest, fabs(y[k]));
        }
        scale[c] = largest > 0 ? largest : 1;
    }
}

/* The modified Bessel function of order 0 by its series. */
static double bessel(double x)
{
    double term = 1, sum = 1;
    for (int k = 1; term > 1e-17 * sum; k++) sum += term *= x * x / (4.0 * k * k);
    return sum;
}

/* Stops by more than 140 dB what would fold into the lower 0.7 of the new band. */
static void design(int factor, int n_taps, double *taps)
{
    static const double beta = 15;
    const double middle = 0.5 * (n_taps - 1), cut = 0.5 / factor;
    double sum = 0;
    for (int j = 0; j < n_taps; j++) {
        const double x = j - middle, u = x / (middle + 1), angle = 2 * RT_PI * cut * x;
        taps[j] = (angle == 0 ? 1 : sin(angle) / angle) * bessel(beta * sqrt(1 - u * u));
        sum += taps[j];
    }
    for (int j = 0; j < n_taps; j++) taps[j] /= sum;
}

routh_status rt_thin_out(rt_thinned *t, const rt_sampled_record *record, const double *scale, int n,
                         int factor, rt_arena *arena, routh_error *error)
{
    const int n_taps = factor > 1 ? RT_TAPS * factor : 1, kept = (n - n_taps) / factor + 1;
    const int n_series = record->n_runs * record->n_channels;
    double *taps = RT_TAKE(arena, double, n_taps);
    double *y = RT_TAKE(arena, double, (size_t)n_series *(size_t)kept);
    if (!taps || !y) return rt_fail_memory(error);
    if (factor > 1)
        design(factor, n_taps, taps);
    else
        taps[0] = 1;
    for (int i = 0; i < n_series; i++) {
        const double *from = record->y + (size_t)i * (size_t)record->n_samples;
        for (int m = 0; m < kept; m++) {
            double sum = 0;
            for (int j = 0; j < n_taps; j++) sum += taps[j] * from[m * factor + j];
            y[(size_t)i * (size_t)kept + (size_t)m] = sum / scale[i % record->n_channels];
        }
    }
    *t =
        (rt_thinned){.record = {record->n_runs, record->n_channels, kept, record->step * factor, y},
                     .factor = factor,
                     .n_taps = n_taps,
                     .taps = taps,
                     .step = record->step};
    return ROUTH_OK;
}

double _Complex rt_thinned_gain(const rt_thinned *t, double re, double im)
{
    double _Complex sum = 0;
    for (int j = 0; j < t->n_taps; j++)
        sum += t->taps[j] * cexp(rt_from_parts(re, im) * (j * t->step));
    return sum;
}
