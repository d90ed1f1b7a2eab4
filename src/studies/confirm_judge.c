/* From the responses to the verdicts. What is found is held against the eigenvalue within what
 * it may be off: three standard deviations of the fit, what changes in the other experiments (of
 * twice the amplitude, and with a coarser integration), the tolerance of the integration, and
 * the eigenvalue's own error bound. */
#include <math.h>
#include <string.h>

#include "base/pi.h"
#include "studies/confirm.h"

typedef struct judging {
    rt_confirm_holder *h;
    rt_identified first, others[RT_EXPERIMENTS];
    int n_others;
    int *used;        /* of each mode of first: by how many eigenvalues */
    double *largest;  /* of each channel, in the first experiment */
    double tolerance; /* of s, relative: what the integration was asked for */
} judging;

/* What is smaller, of the largest value of a channel, is not looked for. */
static const double least_size = 1e-6;

static double confirm_judge_modulus(const double s[2]) { return hypot(s[0], s[1]); }

/* ---- what was found ------------------------------------------------------------------------- */

static double confirm_judge_distance(const rt_found_mode *mode, const double s[2])
{
    return hypot(mode->re - s[0], mode->im - s[1]);
}

/* The nearest mode of `found` within reach, -1: none. used: its places that are taken; NULL: all
 * are free. */
static int confirm_judge_nearest(const rt_identified *found, const double s[2], double reach,
                                 const int *used)
{
    int best = -1;
    for (int k = 0; k < found->n_modes; k++) {
        const double d = confirm_judge_distance(&found->modes[k], s);
        if (used && used[k] >= found->modes[k].copies) continue;
        if (d < reach) reach = d, best = k;
    }
    return best;
}

/* Within a tenth, or what the length of the record lets tell. */
static double confirm_judge_reach_of(const judging *j, const double s[2])
{
    return fmax(0.1 * confirm_judge_modulus(s), 3 / j->h->result.duration);
}

/* The sum of the changes in the other experiments; infinite where one does not have the mode. */
static void set_spread(const judging *j, const rt_found_mode *mode, double spread[2])
{
    const double s[2] = {mode->re, mode->im};
    spread[0] = spread[1] = 0;
    for (int i = 0; i < j->n_others; i++) {
        const int k = confirm_judge_nearest(&j->others[i], s, confirm_judge_reach_of(j, s), NULL);
        const rt_found_mode *other = k < 0 ? NULL : &j->others[i].modes[k];
        spread[0] += other ? fabs(other->re - mode->re) : INFINITY;
        spread[1] += other ? fabs(other->im - mode->im) : INFINITY;
    }
}

/* A zero is double where a motion drifts: then s moves by the root of what moves s^2, and so does
 * what it may be off. */
static void set_spread_of_zero(const judging *j, const rt_found_mode *mode, double spread[2])
{
    const double s[2] = {mode->re, mode->im};
    double sum = 0;
    for (int i = 0; i < j->n_others; i++) {
        const int k = confirm_judge_nearest(&j->others[i], s, confirm_judge_reach_of(j, s), NULL);
        const rt_found_mode *o = k < 0 ? NULL : &j->others[i].modes[k];
        const double re = o ? o->re * o->re - o->im * o->im - s[0] * s[0] + s[1] * s[1] : INFINITY;
        const double im = o ? 2 * (o->re * o->im - s[0] * s[1]) : 0;
        sum += sqrt(hypot(re, im));
    }
    spread[0] = spread[1] = sum;
}

/* Eigenvalues that turn by less than a hundredth of a radian against each other within the record
 * may be found as any mixture of them: the distance to the farthest of them. */
static double mixture(const judging *j, const routh_mode *eigen)
{
    const routh_modes *modes = j->h->modes;
    const double reach = 0.01 / j->h->result.duration;
    double farthest = 0;
    for (int i = 0; i < modes->n; i++) {
        const double *a = modes->modes[i].eigenvalue, *b = eigen->eigenvalue;
        const double apart = hypot(a[0] - b[0], a[1] - b[1]);
        if (apart < reach) farthest = fmax(farthest, apart);
    }
    return farthest;
}

static void set_bars(const judging *j, const rt_found_mode *mode, const routh_mode *eigen,
                     double bar[2], double spread[2])
{
    const double s[2] = {mode->re, mode->im};
    const double rest = j->tolerance * confirm_judge_modulus(s) +
                        (eigen ? eigen->error_bound + (eigen->rigid ? 0 : mixture(j, eigen)) : 0);
    if (eigen && eigen->rigid)
        set_spread_of_zero(j, mode, spread);
    else
        set_spread(j, mode, spread);
    bar[0] = 3 * mode->sd_re + spread[0] + rest;
    bar[1] = 3 * mode->sd_im + spread[1] + rest;
}

/* ---- what should be seen -------------------------------------------------------------------- */

/* The mode's part of its largest channel. */
static double expected_size(const judging *j, int k)
{
    const rt_confirm_holder *h = j->h;
    const routh_mode *mode = &h->modes->modes[k];
    const int n = h->linear->n_states;
    const double scale = h->result.amplitude / (h->shape_size[k] > 0 ? h->shape_size[k] : 1);
    double size = 0;
    for (int c = 0; c < h->result.n_channels; c++) {
        const int state = c < h->n_position ? c : c + h->linear->n_velocity;
        if (j->largest[c] > 0)
            size = fmax(size,
                        scale * hypot(mode->shape[state], mode->shape[n + state]) / j->largest[c]);
    }
    return size;
}

/* Nearer than two lines of the spectrum. */
static bool is_close(const judging *j, int k)
{
    static const double two_lines = 2 * RT_TWO_PI;
    const routh_modes *modes = j->h->modes;
    for (int i = 0; i < modes->n; i++) {
        const double *a = modes->modes[i].eigenvalue, *b = modes->modes[k].eigenvalue;
        if (i != k && i != modes->modes[k].conjugate &&
            hypot(a[0] - b[0], a[1] - b[1]) * j->h->result.duration < two_lines)
            return true;
    }
    return false;
}

/* Why a mode that was not found need not be seen; NULL: it should be plain to see. */
static const char *confirm_judge_excuse(const judging *j, int k)
{
    const routh_mode *mode = &j->h->modes->modes[k];
    const double size = confirm_judge_modulus(mode->eigenvalue), decay = -mode->eigenvalue[0];
    if (mode->rigid) return "nothing in the response stays or drifts";
    if (expected_size(j, k) < least_size) return "its amplitude is too small";
    if (size * j->h->result.duration < 1) return "it is too slow for a record of this length";
    if (decay * j->h->result.step > 1) return "it is gone before the second sample";
    if (decay > 0.7 * size) return "it is damped too much to be distinguished from the others";
    if (is_close(j, k)) return "another eigenvalue is too near to be distinguished";
    return NULL;
}

/* ---- one eigenvalue ------------------------------------------------------------------------- */

static void not_found(const judging *j, routh_verified_mode *mode)
{
    const char *why = confirm_judge_excuse(j, mode->mode);
    mode->verdict = why ? ROUTH_NOT_SEEN : ROUTH_CONTRADICTED;
    mode->why = why ? why : "the response contains no peak near it, although it should be visible";
    mode->distance = NAN;
    for (int i = 0; i < 2; i++)
        mode->found[i] = mode->bar[i] = mode->noise[i] = mode->spread[i] = NAN;
    mode->size = 0;
}

static void hold_against(routh_verified_mode *mode, bool rigid)
{
    static const double loose = 0.1;
    mode->distance = 0;
    for (int i = 0; i < 2; i++) {
        const double off = fabs(mode->found[i] - mode->eigenvalue[i]);
        mode->distance = fmax(mode->distance, off > 0 ? off / mode->bar[i] : 0);
    }
    if (isinf(mode->spread[0])) {
        mode->verdict = ROUTH_NOT_SEEN;
        mode->why = "an experiment of another amplitude or integration does not show it";
    } else if (!rigid && hypot(mode->bar[0], mode->bar[1]) >
                             loose * confirm_judge_modulus(mode->eigenvalue)) {
        mode->verdict = ROUTH_NOT_SEEN;
        mode->why = "the record shows it to a tenth at most";
    } else if (mode->distance <= 1) {
        mode->verdict = ROUTH_CONFIRMED;
    } else {
        mode->verdict = ROUTH_CONTRADICTED;
        mode->why = "it was found elsewhere";
    }
}

/* Motions of zero frequency all show as one: what stays, and what drifts. */
static void judge_mode(judging *j, int k, routh_verified_mode *mode)
{
    const routh_mode *eigen = &j->h->modes->modes[k];
    *mode = (routh_verified_mode){.mode = k, .peak_hz = NAN};
    memcpy(mode->eigenvalue, eigen->eigenvalue, sizeof mode->eigenvalue);
    const int at = confirm_judge_nearest(&j->first, mode->eigenvalue,
                                         confirm_judge_reach_of(j, mode->eigenvalue),
                                         eigen->rigid ? NULL : j->used);
    if (at < 0) {
        not_found(j, mode);
        return;
    }
    const rt_found_mode *found = &j->first.modes[at];
    j->used[at]++;
    mode->found[0] = found->re, mode->found[1] = found->im;
    mode->noise[0] = found->sd_re, mode->noise[1] = found->sd_im;
    mode->size = found->size;
    set_bars(j, found, eigen, mode->bar, mode->spread);
    hold_against(mode, eigen->rigid);
}

static routh_status judge_all(judging *j, routh_error *error)
{
    rt_confirm_holder *h = j->h;
    routh_verification *c = &h->result;
    c->modes = RT_TAKE(&h->arena, routh_verified_mode, h->modes->n);
    if (!c->modes) return rt_fail_memory(error);
    for (int k = 0; k < h->modes->n; k++) {
        if (h->modes->modes[k].eigenvalue[1] < 0 || !rt_confirm_has(h, &h->modes->modes[k]))
            continue;
        routh_verified_mode *mode = &c->modes[c->n_modes++];
        judge_mode(j, k, mode);
        c->n_confirmed += mode->verdict == ROUTH_CONFIRMED;
        c->n_not_seen += mode->verdict == ROUTH_NOT_SEEN;
        c->n_contradicted += mode->verdict == ROUTH_CONTRADICTED;
    }
    return ROUTH_OK;
}

/* Within what it may be off of an eigenvalue: what is left of a mode whose frequency changes a
 * little with the amplitude. */
static bool is_explained(const judging *j, const double found[2], const double bar[2])
{
    for (int k = 0; k < j->h->modes->n; k++) {
        const double *s = j->h->modes->modes[k].eigenvalue;
        if (fabs(found[0] - s[0]) <= bar[0] && fabs(found[1] - s[1]) <= bar[1]) return true;
    }
    return false;
}

/* What all experiments hold and no eigenvalue has used; larger than what is not linear in the
 * response, which holds sums of eigenvalues. */
static routh_status list_unexplained(judging *j, routh_error *error)
{
    routh_verification *c = &j->h->result;
    c->unexplained = RT_TAKE(&j->h->arena, routh_unexplained, j->first.n_modes);
    if (!c->unexplained) return rt_fail_memory(error);
    const double least = fmax(least_size, 10 * c->odd);
    for (int k = 0; k < j->first.n_modes; k++) {
        const rt_found_mode *mode = &j->first.modes[k];
        const double size = hypot(mode->re, mode->im);
        routh_unexplained *other = &c->unexplained[c->n_unexplained];
        double spread[2];
        other->found[0] = mode->re, other->found[1] = mode->im;
        set_bars(j, mode, NULL, other->bar, spread);
        if (j->used[k] || is_explained(j, other->found, other->bar) || mode->size < least ||
            mode->n_orders < 2 || !(hypot(spread[0], spread[1]) < 1e-2 * size))
            continue;
        other->size = mode->size;
        c->n_unexplained++;
    }
    return ROUTH_OK;
}

/* ---- the spectrum --------------------------------------------------------------------------- */

static routh_status confirm_judge_transform(judging *j, const rt_sampled_record *record,
                                            routh_error *error)
{
    static const double two_pi = RT_TWO_PI, floor = 1e-6;
    rt_confirm_holder *h = j->h;
    routh_verification *c = &h->result;
    rt_sampled_spectrum s;
    const routh_status status = rt_spectrum_find(&s, record, floor, &h->arena, error);
    if (status) return status;
    c->transform = s.transform;
    c->n_lines = s.n;
    c->resolution = s.resolution;
    c->spectrum = s.amplitude;
    for (int k = 0; k < c->n_modes; k++) {
        const double hertz = c->modes[k].eigenvalue[1] / two_pi;
        double reach = 2 * s.resolution;
        for (int i = 0; i < s.n_peaks && hertz > 0; i++)
            if (fabs(s.peaks[i].frequency - hertz) < reach) {
                reach = fabs(s.peaks[i].frequency - hertz);
                c->modes[k].peak_hz = s.peaks[i].frequency;
            }
    }
    return ROUTH_OK;
}

static void find_largest(judging *j, const rt_experiment *e)
{
    const routh_verification *c = &j->h->result;
    const int n_series = c->n_runs * c->n_channels;
    for (int i = 0; i < n_series; i++) {
        const double *y = e->y + (size_t)i * (size_t)c->n_samples;
        double *largest = &j->largest[i % c->n_channels];
        for (int k = 0; k < c->n_samples; k++) *largest = fmax(*largest, fabs(y[k]));
    }
}

static routh_status identify(judging *j, const rt_experiment *e, rt_identified *found,
                             routh_error *error)
{
    const routh_verification *c = &j->h->result;
    const rt_sampled_record record = {c->n_runs, c->n_channels, c->n_samples, c->step, e->y};
    rt_identify_options options = rt_identify_defaults();
    options.noise = least_size / 10;
    const routh_status status = rt_progress_ask(&j->h->progress, 0, error);
    return status ? status : rt_identify(found, &record, &options, &j->h->arena, error);
}

routh_status rt_confirm_judge(rt_confirm_holder *h, const rt_experiment *experiments, int n,
                              routh_error *error)
{
    const routh_verification *c = &h->result;
    const rt_sampled_record record = {c->n_runs, c->n_channels, c->n_samples, c->step,
                                      experiments->y};
    judging j = {.h = h, .tolerance = isnan(c->tolerance) ? 0 : c->tolerance, .n_others = n - 1};
    j.largest = RT_TAKE(&h->arena, double, c->n_channels);
    if (!j.largest) return rt_fail_memory(error);
    find_largest(&j, experiments);
    routh_status status = identify(&j, experiments, &j.first, error);
    for (int k = 0; k < j.n_others && !status; k++)
        status = identify(&j, &experiments[k + 1], &j.others[k], error);
    if (status) return status;
    h->result.residual = j.first.windows[0].residual;
    j.used = RT_TAKE(&h->arena, int, j.first.n_modes);
    if (!j.used) return rt_fail_memory(error);
    status = judge_all(&j, error);
    if (!status) status = list_unexplained(&j, error);
    return status ? status : confirm_judge_transform(&j, &record, error);
}
