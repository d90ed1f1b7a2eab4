/* Switches that turn over within a step, and back again: the step is looked at in parts. */
#include <float.h>

#include "motion/events.h"

routh_status rt_events_glance(const rt_events *e, rt_run *run, double t, double *values,
                              routh_error *error)
{
    const rt_integrator *i = run->integrator;
    rt_search *s = &run->search;
    routh_status status = ROUTH_OK;
    if (e->feels) {
        status = rt_run_show(run, t, error);
        return status ? status : rt_events_take(run, values, error);
    }
    if (t >= run->now->t)
        rt_state_copy(run->m, s->state, run->now);
    else
        status = (i->glance ? i->glance : i->between)(run, t, s->state, error);
    if (!status) status = rt_run_time(run, s->state, fmin(t, run->now->t), error);
    if (!status) status = rt_evaluate(run->m, s->w, s->state, RT_EVALUATE_PHI, error);
    return status ? status : rt_events_take(run, values, error);
}

/* Values at t, and rates from what they are a little before it. */
static routh_status look_at_instant(rt_events *e, rt_run *run, double t, double little,
                                    rt_instant *at, routh_error *error)
{
    at->t = t;
    routh_status status = rt_events_glance(e, run, t - little, at->rate, error);
    if (!status) status = rt_events_glance(e, run, t, at->value, error);
    for (int k = 0; k < e->n && !status; k++) at->rate[k] = (at->value[k] - at->rate[k]) / little;
    return status;
}

/* The cubic through values and rates at both ends of a part of length h has its extreme at this
 * part of the way; outside of (0, 1): none. */
static double extreme_of(double a, double a_rate, double b, double b_rate, double h)
{
    /* c(s) = a + A s + B s^2 + C s^3, c'(s) = 0 where it turns from going to leaving */
    const double A = h * a_rate, rest = b - a - A, slope = h * (b_rate - a_rate);
    const double B = 3 * rest - slope, C = slope - 2 * rest;
    const double root = B * B - 3 * A * C;
    if (root < 0) return -1;
    const double sign = A < 0 ? 1 : -1; /* a minimum where it falls first */
    const double below = B + sign * sqrt(root);
    return below == 0 ? -1 : -A / below;
}

/* May switch k, of one sign at both ends of a part, turn over within it? Only where it comes nearer
 * to zero at first and goes away at last; a function that bends away from zero stays beyond both
 * tangents. Then *part is where to look: where a smooth one, or one with a corner, is nearest. */
static bool is_doubtful(const rt_events *e, int k, const rt_instant *l, const rt_instant *r,
                        bool corner, double *part)
{
    const double sign = l->value[k] > 0 ? 1 : -1, h = r->t - l->t;
    const double a = sign * l->value[k], b = sign * r->value[k];
    const double a_rate = sign * l->rate[k], b_rate = sign * r->rate[k];
    if (e->sign[k] == 0 || !(a_rate < 0 && b_rate > 0)) return false;
    /* a + a_rate x = b - b_rate (h - x) */
    const double x = (b - b_rate * h - a) / (a_rate - b_rate);
    if (!(a + a_rate * fmin(fmax(x, 0), h) <= 0)) return false;
    const double s = extreme_of(a, a_rate, b, b_rate, h);
    *part = corner ? x / h : s;
    if (!(*part > 1e-3 && *part < 1 - 1e-3)) *part = 0.5;
    return true;
}

static bool scan_find_doubt(const rt_events *e, const rt_instant *l, const rt_instant *r,
                            bool corner, double *part)
{
    for (int k = 0; k < e->n; k++)
        if (is_doubtful(e, k, l, r, corner, part)) return true;
    return false;
}

/* For rates in a part of length h, by differences. */
static double little_of(double h, double t)
{
    return fmin(fmax(1e-5 * h, 1e4 * DBL_EPSILON * fabs(t)), h / 4);
}

static void swap_instants(rt_instant *a, rt_instant *b)
{
    const rt_instant old = *a;
    *a = *b, *b = old;
}

/* Parts from left to right: part[0] is the left end, part[1 .. n] a stack of right ends, the
 * nearest on top. */
routh_status rt_events_scan(rt_events *e, rt_run *run, double start, bool *found, double *from,
                            double *to, routh_error *error)
{
    enum { MOST = 200 };
    const double end = run->now->t, h = end - start;
    const double least = 1024 * DBL_EPSILON * fmax(fabs(end), h), little = little_of(h, end);
    rt_instant *p = e->part;
    int n = 1;
    *found = false;
    routh_status status = look_at_instant(e, run, end, little, &p[1], error);
    if (!status) status = look_at_instant(e, run, start + little, little, &p[0], error);
    if (status) return status;
    memcpy(p[0].value, e->low, (size_t)e->n * sizeof *e->low);
    p[0].t = start;
    for (int looks = 0; n > 0;) {
        rt_instant *l = &p[0], *r = &p[n];
        double part = 0.5;
        const bool turned = rt_events_turned(e, r->value);
        const bool whole = looks == 0; /* the middle is looked at in any case */
        const double width = r->t - l->t;
        if (!turned && looks < MOST && n <= RT_SCAN_DEPTH && width > least &&
            (scan_find_doubt(e, l, r, looks % 2 == 0, &part) || whole)) {
            looks++;
            status = look_at_instant(e, run, l->t + part * width, little_of(part * width, end),
                                     &p[n + 1], error);
            if (status) return status;
            n++;
            continue;
        }
        for (int k = 0; k < e->n; k++)
            if (e->sign[k] == 0) e->sign[k] = (signed char)((r->value[k] > 0) - (r->value[k] < 0));
        memcpy(turned ? e->high : e->low, r->value, (size_t)e->n * sizeof *e->low);
        if (turned) {
            *found = true, *from = l->t, *to = r->t;
            return ROUTH_OK;
        }
        swap_instants(l, r);
        n--;
    }
    return ROUTH_OK;
}
