/* From poles to a fit that holds what the record shows and nothing else. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pi.h"
#include "answers/identify_parts.h"

/* Poles of which a record shows nothing, or nothing finite. */
static bool is_useless(double re, double im, double step, double duration)
{
    const double nyquist = RT_PI / step;
    return !isfinite(re) || !isfinite(im) || re * duration > 12 || re * step < -8 ||
           fabs(im) > nyquist * (1 - 1e-9);
}

static int identify_poles_by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Two copies of one pole, as of repeated frequencies, are one section. */
static bool identify_poles_is_there(const rt_fit *fit, double re, double im, double duration)
{
    for (int k = 0; k < fit->n_sections; k++) {
        const rt_sampled_section *s = &fit->sections[k];
        if (s->n == 2 && s->delta < 0 && hypot(re - s->mu, im - sqrt(-s->delta)) * duration < 1e-9)
            return true;
    }
    return false;
}

/* Pairs, then real ones: those near each other two by two, so that they may be double. */
static void make_sections(rt_fit *fit, int n, const double *re, const double *im, double step,
                          double duration, double *real)
{
    int n_real = 0;
    fit->n_sections = 0;
    for (int k = 0; k < n; k++) {
        if (is_useless(re[k], im[k], step, duration)) continue;
        if (im[k] == 0) real[n_real++] = re[k];
        if (im[k] > 0 && !identify_poles_is_there(fit, re[k], im[k], duration))
            fit->sections[fit->n_sections++] = (rt_sampled_section){2, re[k], -im[k] * im[k]};
    }
    qsort(real, (size_t)n_real, sizeof *real, identify_poles_by_value);
    for (int k = 0; k < n_real; k++) {
        rt_sampled_section *s = &fit->sections[fit->n_sections++];
        if (k + 1 < n_real && (real[k + 1] - real[k]) * duration < 1) {
            const double r = (real[k + 1] - real[k]) / 2;
            *s = (rt_sampled_section){2, real[k] + r, r * r};
            k++;
        } else {
            *s = (rt_sampled_section){1, real[k], 0};
        }
    }
}

/* ---- fewer sections -------------------------------------------------------------------------- */

/* What a section must take from rss to be worth its unknowns (Schwarz 1978). */
static double worth(const rt_fit *fit, const rt_sampled_record *r, int n_columns)
{
    const double n_series = (double)r->n_runs * r->n_channels;
    return 1.5 * rt_fit_variance(fit, r) * n_columns * (n_series + 1) *
           log(r->n_samples * n_series);
}

static int least_worth(const rt_fit *fit, const rt_sampled_record *r)
{
    int least = -1;
    double smallest = 1;
    for (int k = 0; k < fit->n_sections; k++) {
        if (fit->gain[k] == 0) return k;
        const double ratio = fit->gain[k] / worth(fit, r, fit->sections[k].n);
        if (ratio < smallest) smallest = ratio, least = k;
    }
    return least;
}

static void identify_poles_drop(rt_fit *fit, int k)
{
    fit->n_sections--;
    memmove(fit->sections + k, fit->sections + k + 1,
            (size_t)(fit->n_sections - k) * sizeof *fit->sections);
}

typedef struct trial {
    rt_fit *fit;
    const rt_sampled_record *record;
    rt_sampled_section *kept;
    int n_kept;
    double limit;
} trial;

static void identify_poles_begin(trial *t)
{
    t->n_kept = t->fit->n_sections;
    memcpy(t->kept, t->fit->sections, (size_t)t->n_kept * sizeof *t->kept);
}

/* Refines the changed sections; goes back where that costs more than it is worth. */
static routh_status identify_poles_settle(trial *t, bool *kept, routh_error *error)
{
    routh_status status = rt_fit_refine(t->fit, t->record, error);
    if (status) return status;
    *kept = t->fit->rss <= t->limit;
    if (*kept) return ROUTH_OK;
    t->fit->n_sections = t->n_kept;
    memcpy(t->fit->sections, t->kept, (size_t)t->n_kept * sizeof *t->kept);
    return rt_fit_refine(t->fit, t->record, error);
}

/* Two pairs that could be one. */
static bool are_near(const rt_sampled_section *a, const rt_sampled_section *b, double duration)
{
    return a->n == 2 && b->n == 2 && a->delta < 0 && b->delta < 0 &&
           hypot(a->mu - b->mu, sqrt(-a->delta) - sqrt(-b->delta)) * duration < 2;
}

static routh_status merge_pairs(trial *t, routh_error *error)
{
    rt_fit *fit = t->fit;
    const double duration = t->record->n_samples * t->record->step;
    for (int a = 0; a < fit->n_sections; a++)
        for (int b = a + 1; b < fit->n_sections; b++) {
            if (!are_near(&fit->sections[a], &fit->sections[b], duration)) continue;
            bool merged = false;
            identify_poles_begin(t);
            t->limit = fit->rss + worth(fit, t->record, 2);
            fit->sections[a].mu = (fit->sections[a].mu + fit->sections[b].mu) / 2;
            fit->sections[a].delta = (fit->sections[a].delta + fit->sections[b].delta) / 2;
            identify_poles_drop(fit, b);
            const routh_status status = identify_poles_settle(t, &merged, error);
            if (status) return status;
            if (merged) b = a;
        }
    return ROUTH_OK;
}

/* Two real exponentials that could be one. */
static routh_status merge_real(trial *t, routh_error *error)
{
    rt_fit *fit = t->fit;
    for (int k = 0; k < fit->n_sections; k++) {
        rt_sampled_section *s = &fit->sections[k];
        const double duration = t->record->n_samples * t->record->step;
        if (s->n != 2 || fabs(s->delta) * duration * duration > 10) continue;
        bool merged;
        identify_poles_begin(t);
        t->limit = fit->rss + worth(fit, t->record, 1);
        *s = (rt_sampled_section){1, s->mu, 0};
        const routh_status status = identify_poles_settle(t, &merged, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

/* Without the sections that are worth least, one after another. */
static routh_status prune(rt_fit *fit, const rt_sampled_record *r, routh_error *error)
{
    routh_status status = rt_fit_refine(fit, r, error);
    while (!status) {
        const int k = least_worth(fit, r);
        if (k < 0) break;
        identify_poles_drop(fit, k);
        status = rt_fit_refine(fit, r, error);
    }
    return status;
}

static bool identify_poles_make_room(rt_fit *fit, int n, int n_series, rt_arena *arena)
{
    const size_t room = (size_t)n + 1;
    *fit = (rt_fit){.max_sections = n + 1, .noise = fit->noise};
    fit->sections = RT_TAKE(arena, rt_sampled_section, room);
    fit->amplitude = RT_TAKE(arena, double, 2 * room * (size_t)n_series);
    fit->covariance = RT_TAKE(arena, double, 4 * room * room);
    fit->gain = RT_TAKE(arena, double, room);
    return fit->sections && fit->amplitude && fit->covariance && fit->gain;
}

routh_status rt_fit_poles(rt_fit *fit, const rt_sampled_record *record, int n, const double *re,
                          const double *im, rt_arena *arena, routh_error *error)
{
    trial t = {.fit = fit, .record = record};
    double *real = RT_TAKE(arena, double, n + 1);
    t.kept = RT_TAKE(arena, rt_sampled_section, n + 1);
    if (!real || !t.kept ||
        !identify_poles_make_room(fit, n, record->n_runs * record->n_channels, arena))
        return rt_fail_memory(error);
    make_sections(fit, n, re, im, record->step, record->n_samples * record->step, real);
    routh_status status = prune(fit, record, error);
    if (!status) status = merge_pairs(&t, error);
    return status ? status : merge_real(&t, error);
}
