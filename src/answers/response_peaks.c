/* Peaks and antiresonances: where d|H|^2/dw = 2 Re(conj(H) i H'(s)) vanishes. */
#include <math.h>
#include <string.h>

#include "base/pi.h"
#include "answers/response_transfer.h"

enum { MOST_STEPS = 100 };

typedef struct sought {
    rt_transfer *t;
    int channel;
    double _Complex *H, *dH; /* all channels */
} sought;

static routh_status slope_at(sought *q, double hz, double *slope, routh_error *error)
{
    const routh_status status = q->t->evaluate(q->t, I * RT_TWO_PI * hz, q->H, q->dH, error);
    *slope = creal(conj(q->H[q->channel]) * I * q->dH[q->channel]);
    return status;
}

/* Illinois: regula falsi that halves the value of an end kept twice (Dowell and Jarratt, BIT 11,
 * 1971). fa, fb of opposite signs. */
static routh_status response_peaks_refine(sought *q, double a, double fa, double b, double fb,
                                          double *hz, routh_error *error)
{
    int kept = 0;
    for (int k = 0; k < MOST_STEPS && fabs(b - a) > 4e-16 * fabs(b); k++) {
        double m = k % 8 == 7 ? (a + b) / 2 : b - fb * (b - a) / (fb - fa), fm;
        if (!(m > fmin(a, b) && m < fmax(a, b))) m = (a + b) / 2;
        const routh_status status = slope_at(q, m, &fm, error);
        if (status == ROUTH_SINGULAR) break;
        if (status) return status;
        if (fm == 0) {
            a = b = m;
            break;
        }
        if ((fm > 0) == (fb > 0)) {
            b = m, fb = fm;
            if (kept == 1) fa /= 2;
            kept = 1;
        } else {
            a = m, fa = fm;
            if (kept == -1) fb /= 2;
            kept = -1;
        }
    }
    *hz = (a + b) / 2;
    return ROUTH_OK;
}

/* Does an undamped eigenvalue lie there? */
static bool undamped_within(const routh_modes *modes, double low, double high, double *hz)
{
    for (int k = 0; modes && k < modes->n; k++) {
        const routh_mode *m = &modes->modes[k];
        const double w = m->eigenvalue[1] / RT_TWO_PI;
        const double bound =
            fmax(isfinite(m->error_bound) ? m->error_bound : 0, 1e-13 * fabs(m->eigenvalue[1]));
        if (w >= low && w <= high && fabs(m->eigenvalue[0]) <= bound) {
            *hz = w;
            return true;
        }
    }
    return false;
}

static routh_status add_peak(routh_response_channel *c, sought *q, const rt_grid *g, int i,
                             bool minimum, const routh_modes *modes, routh_error *error)
{
    double hz, fa, fb;
    if (!minimum && undamped_within(modes, g->hz[i - 1], g->hz[i + 1], &hz)) {
        c->peaks[c->n_peaks++] = (routh_response_peak){hz, INFINITY, NAN, 0};
        return ROUTH_OK;
    }
    routh_status status = slope_at(q, g->hz[i - 1], &fa, error);
    if (!status) status = slope_at(q, g->hz[i + 1], &fb, error);
    if (status) return status;
    /* a ripple of rounding, or an undamped mode between points that are far apart */
    if (minimum ? !(fa < 0 && fb > 0) : !(fa > 0 && fb < 0)) return ROUTH_OK;
    status = response_peaks_refine(q, g->hz[i - 1], fa, g->hz[i + 1], fb, &hz, error);
    if (!status) status = q->t->evaluate(q->t, I * RT_TWO_PI * hz, q->H, NULL, error);
    if (status == ROUTH_SINGULAR) {
        c->peaks[c->n_peaks++] = (routh_response_peak){hz, INFINITY, NAN, 0};
        return ROUTH_OK;
    }
    const double _Complex H = q->H[q->channel];
    if (!status) c->peaks[c->n_peaks++] = (routh_response_peak){hz, cabs(H), carg(H), minimum};
    return status;
}

/* 1: |H| is larger at i than beside it, -1: smaller, by more than rounding. */
static int response_peaks_turns(const double _Complex *H, size_t channels, int i)
{
    const double a = cabs(H[(size_t)(i - 1) * channels]), m = cabs(H[(size_t)i * channels]);
    const double b = cabs(H[(size_t)(i + 1) * channels]), little = 1e-11 * fmax(a, b);
    if (m > a && m > b && m - fmin(a, b) > little) return 1;
    if (m < a && m < b && fmax(a, b) - m > little) return -1;
    return 0;
}

/* Does an undamped mode that shows lie at an end of the grid? The point is beside the pole then. */
static bool is_infinite_end(const rt_grid *g, const double _Complex *H, size_t channels, int i,
                            const routh_modes *modes, double *hz)
{
    static const double BESIDE = 1e-11;
    const int next = i ? i - 1 : 1;
    return g->n > 1 && cabs(H[(size_t)i * channels]) > cabs(H[(size_t)next * channels]) &&
           undamped_within(modes, g->hz[i] * (1 - BESIDE), g->hz[i] * (1 + BESIDE), hz);
}

static void add_infinite_ends(routh_response_channel *c, const rt_grid *g, const double _Complex *H,
                              size_t channels, const routh_modes *modes, bool last)
{
    double hz;
    if (!is_infinite_end(g, H, channels, last ? g->n - 1 : 0, modes, &hz)) return;
    c->peaks[c->n_peaks++] = (routh_response_peak){hz, INFINITY, NAN, 0};
}

routh_status rt_peaks_find(routh_response_channel *c, rt_transfer *t, const rt_grid *g,
                           const routh_modes *modes, rt_arena *arena, routh_error *error)
{
    const size_t channels = (size_t)t->n_in * (size_t)t->n_out;
    const int channel = c->output * t->n_in + c->input;
    const double _Complex *H = g->H + channel;
    sought q = {t, channel, RT_TAKE(arena, double _Complex, channels),
                RT_TAKE(arena, double _Complex, channels)};
    int most = 0;
    for (int i = 1; i + 1 < g->n; i++) most += response_peaks_turns(H, channels, i) != 0;
    c->peaks = RT_TAKE(arena, routh_response_peak, most + 2);
    if (!q.H || !q.dH || !c->peaks) return rt_fail_memory(error);
    add_infinite_ends(c, g, H, channels, modes, false);
    for (int i = 1; i + 1 < g->n; i++) {
        const int turn = response_peaks_turns(H, channels, i);
        const routh_status status = turn ? add_peak(c, &q, g, i, turn < 0, modes, error) : ROUTH_OK;
        if (status) return status;
    }
    add_infinite_ends(c, g, H, channels, modes, true);
    for (int i = 0; i < g->n; i++)
        if (cabs(H[(size_t)i * channels]) > c->largest || i == 0)
            c->largest = cabs(H[(size_t)i * channels]), c->largest_hz = g->hz[i];
    for (int k = 0; k < c->n_peaks; k++)
        if (c->peaks[k].magnitude >= c->largest)
            c->largest = c->peaks[k].magnitude, c->largest_hz = c->peaks[k].hz;
    return ROUTH_OK;
}
