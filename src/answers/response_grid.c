/* The frequencies: where the modes lie, and halved where a straight line would be off. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pi.h"
#include "answers/response_transfer.h"

enum { PER_DECADE = 20, FIRST_MODES = 12, MOST_POINTS = 200000, MOST_TRIES = 4 };

/* ---- range ----------------------------------------------------------------------------------- */

routh_status rt_grid_range(double range[2], const routh_modes *modes,
                           const routh_response_options *o, routh_error *error)
{
    range[0] = o->low, range[1] = o->high;
    if (o->n_hz > 0) {
        range[0] = o->hz[0], range[1] = o->hz[o->n_hz - 1];
        return ROUTH_OK;
    }
    if (o->low != 0 || o->high != 0) {
        if (o->low > 0 && o->high > o->low && isfinite(o->high)) return ROUTH_OK;
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the frequency range from %g to %g Hz is not valid; give two positive "
                       "frequencies, the smaller first (--over A:B)",
                       o->low, o->high);
    }
    double low = INFINITY, high = 0;
    for (int k = 0, seen = 0; modes && k < modes->n && seen < FIRST_MODES; k++) {
        const routh_mode *mode = &modes->modes[k]; /* by modulus */
        if (mode->rigid || mode->eigenvalue[1] < 0) continue;
        low = fmin(low, mode->undamped_frequency_hz);
        high = fmax(high, mode->undamped_frequency_hz);
        seen++;
    }
    if (!(high > 0))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "no mode determines the frequency range of the response; give the range in "
                       "Hz (--over A:B)");
    range[0] = low / 10, range[1] = 5 * high;
    return ROUTH_OK;
}

/* Frequencies of the caller's own. */
static routh_status check_own_frequencies(const routh_response_options *o, routh_error *error)
{
    if (o->n_hz < 0 || (o->n_hz > 0 && !o->hz))
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "the frequencies of the response are NULL");
    for (int k = 0; k < o->n_hz; k++)
        if (!(o->hz[k] > (k ? o->hz[k - 1] : 0)) || isinf(o->hz[k]))
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "frequency %d of the response is %g Hz; give positive ones that ascend",
                           k, o->hz[k]);
    return ROUTH_OK;
}

/* ---- points ---------------------------------------------------------------------------------- */

static bool response_grid_grow(rt_grid *g, size_t channels)
{
    if (g->n < g->room) return true;
    const int room = g->room ? 2 * g->room : 256;
    double *hz = realloc(g->hz, (size_t)room * sizeof *hz);
    if (hz) g->hz = hz;
    double _Complex *H = realloc(g->H, (size_t)room * channels * sizeof *H);
    if (H) g->H = H;
    if (!hz || !H) return false;
    g->room = room;
    return true;
}

static routh_status response_grid_add(rt_grid *g, rt_transfer *t, double hz, routh_error *error)
{
    const size_t channels = (size_t)t->n_in * (size_t)t->n_out;
    if (!response_grid_grow(g, channels)) return rt_fail_memory(error);
    routh_status status = ROUTH_SINGULAR;
    for (int k = 0; k < MOST_TRIES && status == ROUTH_SINGULAR; k++) {
        g->hz[g->n] = hz * (1 + 1e-13 * k * k); /* beside an undamped pole */
        status = t->evaluate(t, I * RT_TWO_PI * g->hz[g->n], g->H + (size_t)g->n * channels, NULL,
                             error);
    }
    if (!status) g->n++;
    return status;
}

static int response_grid_ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct response_grid_places {
    double *hz;
    int n, room;
    bool failed;
} response_grid_places;

static void response_grid_note(response_grid_places *p, const double range[2], double hz)
{
    if (!(hz > range[0] && hz < range[1]) || p->failed) return;
    if (p->n == p->room) {
        const int room = p->room ? 2 * p->room : 256;
        double *more = realloc(p->hz, (size_t)room * sizeof *more);
        if (!more) {
            p->failed = true;
            return;
        }
        p->hz = more, p->room = room;
    }
    p->hz[p->n++] = hz;
}

/* A resonance is as wide as the real part of its eigenvalue: at it, and doubled distances on both
 * sides, so that none is stepped over. */
static void about_mode(response_grid_places *p, const double range[2], const routh_mode *mode)
{
    const double w = fabs(mode->eigenvalue[1]) / RT_TWO_PI;
    const double width = fabs(mode->eigenvalue[0]) / RT_TWO_PI;
    if (!(w > 0) || w > 1.5 * range[1] || width > w) return;
    const bool damped = width > 1e-11 * w;
    if (damped) response_grid_note(p, range, w);
    for (double d = damped ? width / 2 : 1e-6 * w; d < 0.3 * w; d *= 2) {
        response_grid_note(p, range, w - d);
        response_grid_note(p, range, w + d);
    }
}

static routh_status first_points(response_grid_places *p, const double range[2],
                                 const routh_modes *modes, const routh_response_options *o,
                                 routh_error *error)
{
    const double decades = log10(range[1] / range[0]);
    const int n = o->n_points > 0 ? o->n_points : (int)ceil(PER_DECADE * decades) + 2;
    for (int k = 1; k < n - 1; k++)
        response_grid_note(p, range, range[0] * pow(10, decades * k / (n - 1)));
    for (int k = 0; modes && o->n_points == 0 && k < modes->n; k++)
        if (modes->modes[k].eigenvalue[1] > 0) about_mode(p, range, &modes->modes[k]);
    if (!p->failed && p->n) qsort(p->hz, (size_t)p->n, sizeof *p->hz, response_grid_ascending);
    return p->failed ? rt_fail_memory(error) : ROUTH_OK;
}

/* ---- halving --------------------------------------------------------------------------------- */

/* How far the middle is from the straight line in log f, over the largest |H| of the three. */
static double response_grid_distance(const rt_grid *g, size_t channels, int a, int m, int b)
{
    const double la = log(g->hz[a]), lb = log(g->hz[b]), t = (log(g->hz[m]) - la) / (lb - la);
    double worst = 0;
    for (size_t c = 0; c < channels; c++) {
        const double _Complex A = g->H[(size_t)a * channels + c],
                              B = g->H[(size_t)b * channels + c];
        const double _Complex M = g->H[(size_t)m * channels + c];
        const double most = fmax(cabs(A), fmax(cabs(B), cabs(M)));
        if (most > 0) worst = fmax(worst, cabs(M - (A + t * (B - A))) / most);
    }
    return worst;
}

/* No interval is made shorter than this share of its frequency. */
static double shortest(const routh_modes *modes)
{
    double least = 1e-7;
    for (int k = 0; modes && k < modes->n; k++) {
        const double *e = modes->modes[k].eigenvalue;
        if (e[1] > 0 && fabs(e[0]) > 1e-11 * e[1]) least = fmin(least, 0.01 * fabs(e[0]) / e[1]);
    }
    return fmax(least, 1e-12);
}

/* The points are added behind; next[k] is the one after k. */
static routh_status response_grid_halve(rt_grid *g, rt_transfer *t, const routh_modes *modes,
                                        double error_wanted, int **next, routh_error *error)
{
    const size_t channels = (size_t)t->n_in * (size_t)t->n_out;
    const double least = shortest(modes);
    int room = g->room;
    for (int a = 0; (*next)[a] >= 0;) {
        const int b = (*next)[a];
        if (g->hz[b] / g->hz[a] - 1 < least || g->n >= MOST_POINTS) {
            g->limited = true;
            a = b;
            continue;
        }
        const routh_status status = response_grid_add(g, t, sqrt(g->hz[a] * g->hz[b]), error);
        if (status) return status;
        if (g->room > room) {
            int *more = realloc(*next, (size_t)g->room * sizeof *more);
            if (!more) return rt_fail_memory(error);
            *next = more, room = g->room;
        }
        const int m = g->n - 1;
        const double off = response_grid_distance(g, channels, a, m, b);
        (*next)[a] = m;
        (*next)[m] = b;
        if (off <= error_wanted) {
            g->error = fmax(g->error, off);
            a = b;
        }
    }
    return ROUTH_OK;
}

/* In the order of next. */
static routh_status put_in_order(rt_grid *g, size_t channels, const int *next, routh_error *error)
{
    double *hz = malloc((size_t)g->room * sizeof *hz);
    double _Complex *H = malloc((size_t)g->room * channels * sizeof *H);
    if (!hz || !H) {
        free(hz);
        free(H);
        return rt_fail_memory(error);
    }
    for (int a = 0, k = 0; a >= 0; a = next[a], k++) {
        hz[k] = g->hz[a];
        memcpy(H + (size_t)k * channels, g->H + (size_t)a * channels, channels * sizeof *H);
    }
    free(g->hz);
    free(g->H);
    g->hz = hz, g->H = H;
    return ROUTH_OK;
}

routh_status rt_grid_make(rt_grid *g, rt_transfer *t, const routh_modes *modes,
                          const routh_response_options *o, routh_error *error)
{
    double range[2];
    response_grid_places p = {0};
    *g = (rt_grid){0};
    routh_status status = check_own_frequencies(o, error);
    for (int k = 0; k < o->n_hz && !status; k++) status = response_grid_add(g, t, o->hz[k], error);
    if (status || o->n_hz > 0) return status;
    status = rt_grid_range(range, modes, o, error);
    if (!status) status = first_points(&p, range, modes, o, error);
    if (!status) status = response_grid_add(g, t, range[0], error);
    for (int k = 0; k < p.n && !status; k++)
        if (p.hz[k] > g->hz[g->n - 1] * (1 + 1e-12) && p.hz[k] < range[1] * (1 - 1e-12))
            status = response_grid_add(g, t, p.hz[k], error);
    free(p.hz);
    if (!status) status = response_grid_add(g, t, range[1], error);
    if (status || o->n_points > 0) return status;
    int *next = malloc((size_t)g->room * sizeof *next);
    if (!next) return rt_fail_memory(error);
    for (int k = 0; k < g->n; k++) next[k] = k + 1 < g->n ? k + 1 : -1;
    status = response_grid_halve(g, t, modes, o->error, &next, error);
    if (!status) status = put_in_order(g, (size_t)t->n_in * (size_t)t->n_out, next, error);
    free(next);
    return status;
}

void rt_grid_release(rt_grid *g)
{
    free(g->hz);
    free(g->H);
    *g = (rt_grid){0};
}
