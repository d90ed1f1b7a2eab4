/* Where the integral of random inputs is divided at first: at the frequencies of the grid, around
 * every mode, and where the spectrum bends.
 *
 * An expression is sampled on log f. A line of log S over log f leads on as long as one slope goes
 * past every sample within BEND; where none does, the interval ends (the swing filter, Elmeleegy,
 * Elmagarmid, Cecchet, Aref and Zwaenepoel, VLDB 2009). A narrow band and a jump so have intervals
 * of their own, and a power of f has one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers/response_intervals.h"

#include "base/error.h"
#include "base/pi.h"

static const double SPACING = 1e-4; /* of the samples, on log f */
static const double BEND = 1;       /* of log S */
static const double LOWEST = 1e-300;

static bool intervals_put(rt_intervals *v, double hz)
{
    if (v->n == v->room) {
        const int room = 2 * v->room + 64;
        double *more = realloc(v->hz, (size_t)room * sizeof *more);
        if (!more) return false;
        v->hz = more, v->room = room;
    }
    v->hz[v->n++] = hz;
    return true;
}

static bool put_inside(rt_intervals *v, double hz, const double range[2])
{
    return !(hz > range[0] && hz < range[1]) || intervals_put(v, hz);
}

/* The middle of a resonance and both sides of it. */
static bool put_modes(rt_intervals *v, const rt_random_task *t, const double range[2])
{
    bool ok = true;
    for (int k = 0; t->modes && k < t->modes->n && ok; k++) {
        const double *s = t->modes->modes[k].eigenvalue;
        for (int side = -1; side <= 1 && ok; side++)
            ok = put_inside(v, (fabs(s[1]) + side * fabs(s[0])) / RT_TWO_PI, range);
    }
    return ok;
}

/* Slopes that lead past all samples since the last end, of each name's log S. */
typedef struct swing {
    double from, least, most;
} swing;

static void swing_begin(swing *w, int n, const double *logs)
{
    for (int k = 0; k < n; k++) w[k] = (swing){logs[k], -INFINITY, INFINITY};
}

static bool swing_leads(swing *w, int n, double distance, const double *logs)
{
    bool leads = true;
    for (int k = 0; k < n; k++) {
        w[k].least = fmax(w[k].least, (logs[k] - BEND - w[k].from) / distance);
        w[k].most = fmin(w[k].most, (logs[k] + BEND - w[k].from) / distance);
        leads = leads && w[k].least <= w[k].most;
    }
    return leads;
}

/* work: of the spectrum; room: n_names swings and twice as many logarithms. */
static bool put_bends(rt_intervals *v, const routh_spectrum *s, const double range[2], double *work,
                      swing *w, double *logs)
{
    const int n = rt_spectrum_names(s);
    const double low = log(range[0]), width = log(range[1]) - low;
    const double last = fmin(ceil(width / SPACING), 1e7), step = width / last;
    double *before = logs + n, end = 0;
    bool ok = true;
    for (double k = 0; k <= last && ok; k++) {
        rt_spectrum_powers(s, exp(low + k * step), work);
        for (int i = 0; i < n; i++) logs[i] = log(fmax(fabs(work[i]), LOWEST));
        if (k == 0) {
            swing_begin(w, n, logs);
        } else if (!swing_leads(w, n, (k - end) * step, logs)) {
            end = k - 1 > end ? k - 1 : k;
            ok = put_inside(v, exp(low + end * step), range);
            swing_begin(w, n, end < k ? before : logs);
            if (end < k) swing_leads(w, n, step, logs);
        }
        memcpy(before, logs, (size_t)n * sizeof *before);
    }
    return ok;
}

static int intervals_order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void intervals_sort(rt_intervals *v)
{
    int n = 0;
    qsort(v->hz, (size_t)v->n, sizeof *v->hz, intervals_order);
    for (int k = 0; k < v->n; k++)
        if (n == 0 || v->hz[k] > v->hz[n - 1]) v->hz[n++] = v->hz[k];
    v->n = n;
}

routh_status rt_intervals_find(const rt_random_task *t, const routh_response *r, double *work,
                               rt_arena *scratch, rt_intervals *v, routh_error *error)
{
    const double *breaks;
    const int n = rt_spectrum_breaks(t->spectrum, &breaks), names = rt_spectrum_names(t->spectrum);
    *v = (rt_intervals){0};
    if (r->n == 0) return ROUTH_OK;
    const double range[2] = {n ? fmax(r->hz[0], breaks[0]) : r->hz[0],
                             n ? fmin(r->hz[r->n - 1], breaks[n - 1]) : r->hz[r->n - 1]};
    if (!(range[0] < range[1])) return ROUTH_OK;
    swing *w = RT_TAKE(scratch, swing, names);
    double *logs = RT_TAKE(scratch, double, 2 * (size_t)names);
    bool ok = w && logs && intervals_put(v, range[0]) && intervals_put(v, range[1]);
    for (int k = 0; k < r->n && ok; k++) ok = put_inside(v, r->hz[k], range);
    for (int k = 0; k < n && ok; k++) ok = put_inside(v, breaks[k], range);
    ok = ok && put_modes(v, t, range);
    if (ok && n == 0) ok = put_bends(v, t->spectrum, range, work, w, logs);
    if (!ok) return rt_fail_memory(error);
    intervals_sort(v);
    return ROUTH_OK;
}

void rt_intervals_free(rt_intervals *v)
{
    free(v->hz);
    *v = (rt_intervals){0};
}
