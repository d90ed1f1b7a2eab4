#include "answers/signals.h"

#include <math.h>
#include <stdlib.h>

double random_sample(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

double random_normal(uint64_t *state)
{
    const double u = (random_sample(state) + 1) / 2, v = random_sample(state);
    return sqrt(-2 * log(u + 1e-300)) * cos(3.14159265358979323846 * v);
}

rt_sampled_record make_record(const truth *modes, int n_modes, int n_runs, int n_channels,
                              int n_samples, double step, double noise, uint64_t seed)
{
    const size_t n = (size_t)n_samples, n_series = (size_t)(n_runs * n_channels);
    uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
    double *y = calloc(n * n_series, sizeof *y);
    assert_non_null(y);
    for (size_t i = 0; i < n_series; i++) {
        double *to = y + i * n;
        for (int k = 0; k < n_modes; k++) {
            const double size = modes[k].size > 0 ? modes[k].size : 1;
            const double a = size * (1 + random_sample(&state) / 2);
            const double phase = 3.14159265358979323846 * random_sample(&state);
            const double c = modes[k].im > 0 ? a * cos(phase) : a, s = a * sin(phase);
            for (size_t j = 0; j < n; j++) {
                const double t = (double)j * step, e = exp(modes[k].re * t);
                to[j] += e * (c * cos(modes[k].im * t) - s * sin(modes[k].im * t));
            }
        }
        for (size_t j = 0; j < n && noise > 0; j++) to[j] += noise * random_normal(&state);
    }
    return (rt_sampled_record){n_runs, n_channels, n_samples, step, y};
}

void release_record(rt_sampled_record *record)
{
    free((void *)(uintptr_t)record->y);
    record->y = NULL;
}

const rt_found_mode *nearest(const rt_identified *found, const truth *mode)
{
    const rt_found_mode *best = NULL;
    double least = INFINITY;
    for (int k = 0; k < found->n_modes; k++) {
        const double d = hypot(found->modes[k].re - mode->re, found->modes[k].im - mode->im);
        if (d < least) least = d, best = &found->modes[k];
    }
    return best;
}

rt_identified identify(const rt_sampled_record *record, rt_arena *arena)
{
    rt_identified found;
    routh_error error = {0};
    if (rt_identify(&found, record, NULL, arena, &error)) fail_msg("%s", error.message);
    return found;
}
