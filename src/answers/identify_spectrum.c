/* The spectrum of a record and its peaks. */
#include "base/pi.h"
#include "answers/identify.h"

#include <math.h>
#include <string.h>

#include "answers/identify_parts.h"
#include "answers/identify_transform.h"

/* Adds |X|^2 of one channel, windowed, of mean zero, so that a sine of amplitude 1 gives 1. */
static void add_channel(rt_sampled_spectrum *spectrum, const rt_transform *transform, void *plan,
                        int n, const double *y, double scale, double *work)
{
    double mean = 0, weight = 0, *re = work + n, *im = re + spectrum->n;
    for (int k = 0; k < n; k++) {
        work[k] = 0.5 * (1 - cos(2 * RT_PI * k / n));
        mean += work[k] * y[k];
        weight += work[k];
    }
    mean /= weight;
    for (int k = 0; k < n; k++) work[k] *= (y[k] - mean) / scale;
    transform->run(plan, work, re, im);
    for (int k = 0; k < spectrum->n; k++)
        spectrum->amplitude[k] += (re[k] * re[k] + im[k] * im[k]) * 4 / (weight * weight);
}

/* Of a Hann window the ratio of the two largest lines tells where the peak lies between them,
 *     d = (2 r - 1) / (1 + r),      r = X_(k+1) / X_k                        (Grandke 1983) */
static rt_peak identify_spectrum_interpolate(const rt_sampled_spectrum *s, int k)
{
    const double *a = s->amplitude;
    const int side = a[k + 1] > a[k - 1] ? 1 : -1;
    const double r = a[k + side] / a[k];
    const double d = fmin(fmax((2 * r - 1) / (1 + r), 0), 0.5);
    const double lobe = d > 1e-6 ? sin(RT_PI * d) / (RT_PI * d) / (1 - d * d) : 1;
    return (rt_peak){(k + side * d) * s->resolution, a[k] / lobe};
}

static bool is_peak(const rt_sampled_spectrum *s, int k)
{
    const double *a = s->amplitude;
    return a[k] > s->floor && a[k] > a[k - 1] && a[k] >= a[k + 1];
}

static routh_status find_peaks(rt_sampled_spectrum *s, rt_arena *arena, routh_error *error)
{
    int n = 0;
    for (int k = 1; k + 1 < s->n; k++) n += is_peak(s, k);
    s->peaks = RT_TAKE(arena, rt_peak, n);
    if (!s->peaks) return rt_fail_memory(error);
    for (int k = 1; k + 1 < s->n; k++)
        if (is_peak(s, k)) s->peaks[s->n_peaks++] = identify_spectrum_interpolate(s, k);
    return ROUTH_OK;
}

routh_status rt_spectrum_find(rt_sampled_spectrum *spectrum, const rt_sampled_record *record,
                              double floor, rt_arena *arena, routh_error *error)
{
    const rt_transform *transform = rt_transforms[0];
    const int n = record->n_samples, n_series = record->n_runs * record->n_channels;
    *spectrum = (rt_sampled_spectrum){.n = n / 2 + 1, .transform = transform->name};
    routh_status status = rt_check_record(record, 8, error);
    if (status) return status;
    spectrum->resolution = 1 / (n * record->step);
    spectrum->amplitude = RT_TAKE(arena, double, spectrum->n);
    double *work = RT_TAKE(arena, double, n + 2 * spectrum->n + record->n_channels);
    void *plan = NULL;
    if (!spectrum->amplitude || !work) return rt_fail_memory(error);
    status = transform->create(&plan, n, error);
    if (status) return status;
    double *scale = work + n + 2 * spectrum->n, largest = 0;
    rt_channel_scales(record, scale);
    for (int i = 0; i < n_series; i++)
        add_channel(spectrum, transform, plan, n, record->y + (size_t)i * (size_t)n,
                    scale[i % record->n_channels], work);
    transform->release(plan);
    for (int k = 0; k < spectrum->n; k++) {
        spectrum->amplitude[k] = sqrt(spectrum->amplitude[k]);
        largest = fmax(largest, spectrum->amplitude[k]);
    }
    spectrum->floor = floor * largest;
    return find_peaks(spectrum, arena, error);
}
