/* How long, how fine, and how many runs. The linear model serves to plan the experiment; what is
 * read from it is its own. */
#include <math.h>

#include "base/pi.h"
#include "studies/confirm.h"

enum { LEAST_SAMPLES = 512, MOST_RUNS = 3 };

static double confirm_plan_modulus(const routh_mode *mode)
{
    return hypot(mode->eigenvalue[0], mode->eigenvalue[1]);
}

/* What a mode does to elastic coordinate k of the states: displacement over the typical length, or
 * rotation. */
static double elastic_size(const rt_confirm_holder *h, const routh_mode *mode, int k)
{
    const int e = rt_confirm_elastic(h, k);
    if (e < 0) return 0;
    const double unit = rt_column_unit(h->m, h->m->first_elastic + e) * h->m->length;
    return hypot(mode->shape[k], mode->shape[k + h->linear->n_states]) / unit;
}

/* The largest displacement over the typical length, or rotation, of a body in a mode. */
static double confirm_plan_size_of(const rt_confirm_holder *h, const routh_mode *mode)
{
    double size = 0;
    for (int b = 0; b < h->m->n_bodies; b++) {
        double motion[12];
        routh_mode_marker(h->linear, mode, b, motion);
        for (int k = 0; k < 12; k++)
            size = fmax(size, fabs(motion[k]) / (k % 6 < 3 ? h->m->length : 1));
    }
    for (int k = 0; k < h->n_position; k++) size = fmax(size, elastic_size(h, mode, k));
    return size;
}

/* The frequencies must lie some lines of the spectrum apart. */
static double smallest_gap(const rt_confirm_holder *h)
{
    const routh_modes *modes = h->modes;
    double gap = INFINITY;
    for (int i = 0; i < modes->n; i++)
        for (int k = 0; k < i; k++) {
            const double a = modes->modes[i].eigenvalue[1], b = modes->modes[k].eigenvalue[1];
            if (!rt_confirm_has(h, &modes->modes[i]) || !rt_confirm_has(h, &modes->modes[k]))
                continue;
            if (a > 0 && b > 0 && fabs(a - b) > 1e-3 * fmax(a, b)) gap = fmin(gap, fabs(a - b));
        }
    return gap;
}

static int count_runs(const rt_confirm_holder *h)
{
    const routh_modes *modes = h->modes;
    int most = 1;
    for (int i = 0; i < modes->n; i++) {
        const routh_mode *mode = &modes->modes[i];
        if (!mode->rigid && rt_confirm_has(h, mode) && mode->multiplicity > most)
            most = mode->multiplicity;
    }
    return most < MOST_RUNS ? most : MOST_RUNS;
}

static void set_times(rt_confirm_holder *h)
{
    routh_verification *c = &h->result;
    double fastest = 0, longest = 0, growth = 0;
    for (int k = 0; k < h->modes->n; k++) {
        const routh_mode *mode = &h->modes->modes[k];
        if (mode->rigid || !rt_confirm_has(h, mode)) continue;
        fastest = fmax(fastest, confirm_plan_modulus(mode));
        longest = fmax(longest, rt_confirm_wanted(mode));
        growth = fmax(growth, mode->eigenvalue[0]);
    }
    if (fastest == 0) fastest = 1, longest = 8 * RT_TWO_PI;
    double duration = h->options.duration;
    if (!(duration > 0)) {
        const double gap = smallest_gap(h), least = longest;
        duration = isfinite(gap) ? fmin(fmax(least, 4 * RT_TWO_PI / gap), 4 * least) : least;
        if (growth > 0) duration = fmin(duration, log(30) / growth);
    }
    const double step = 0.5 / fastest;
    double n = ceil(duration / step);
    /* slow modes must do with a part of a period where the fast ones are too many */
    if (n > RT_CONFIRM_SAMPLES) n = RT_CONFIRM_SAMPLES;
    if (n < LEAST_SAMPLES) n = LEAST_SAMPLES;
    c->n_samples = (int)n;
    c->step = h->options.duration > 0 ? duration / n : fmin(step, duration / n);
    c->duration = c->n_samples * c->step;
}

static void set_observer_rate(rt_confirm_holder *h)
{
    if (h->marker == RT_MOVING_FRAME) {
        rt_v3_scale(h->observer_rate, h->point->steady->turn_rate, h->point->steady->axis);
        return;
    }
    const int body = h->marker < 0 ? -1 : h->m->marker_body[h->marker];
    if (body < 0) return;
    rt_v3_copy(h->observer_rate, h->point->bodies[body].angular_velocity);
}

routh_status rt_confirm_plan(rt_confirm_holder *h, routh_error *error)
{
    const routh_linear *l = h->linear;
    if (!l->at_rest && !l->steady && l->drift <= 1e-5)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "the motion is not steady in the reference frame %s (the rates of its "
                       "states change), so there is no constant motion to compare with; start at a "
                       "static equilibrium (--at static), or select a reference frame in which the "
                       "motion is steady (--reference)",
                       l->reference);
    if (!l->at_rest && !l->steady)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "the motion is not steady in the reference frame %s (its linear model "
                       "changes by %.2g per radian), so its response has no fixed frequencies; "
                       "select a reference frame in which it is steady (--reference), or a static "
                       "equilibrium (--at static)",
                       l->reference, l->drift);
    h->shape_size = RT_TAKE(&h->arena, double, h->modes->n);
    if (!h->shape_size) return rt_fail_memory(error);
    for (int k = 0; k < h->modes->n; k++)
        h->shape_size[k] = confirm_plan_size_of(h, &h->modes->modes[k]);
    const routh_status status = rt_confirm_band(h, error);
    if (status) return status;
    set_times(h);
    set_observer_rate(h);
    h->result.n_runs = count_runs(h);
    h->result.seed = h->options.seed;
    return ROUTH_OK;
}
