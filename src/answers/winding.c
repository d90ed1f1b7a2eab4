/* By the principle of the argument (Cauchy) the zeros of
 *
 *     g(s) = det R(s) / prod (s - lambda_k)        R(s) = [K + s D + s^2 M, G' + L; G, 0]
 *
 * in a disc are as many as arg g turns round 0 along its circle. det R is a polynomial whose zeros
 * are the finite eigenvalues; the infinite ones, of the constraints, only lower its degree.
 *
 * With all of the disc's eigenvalues divided out, log g has no singularity in it: its real part on
 * the circle then gives its imaginary one,
 *
 *     log|g| = c0 + sum 2 Re(c_m e^(i m theta))     arg g = const + sum 2 Im(c_m e^(i m theta))
 *
 * What eigenvalues outside make of the argument, be they many, is taken out so; what is left is
 * constant, or winds evenly, once for each eigenvalue that is missing (a product of Blaschke). */
#include "answers/winding.h"

#include "base/pi.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

enum { FEWEST = 8, MOST = 1024 };

/* Of the argument, in radians: what upper half of the terms may hold, and steps between points. */
static const double MOST_TAIL = 0.3, MOST_STEP = 1.9, MOST_WAVE = 0.8;

typedef struct samples {
    double *modulus;        /* MOST: log|g| */
    double _Complex *phase; /* MOST: g / |g| */
    double _Complex *series;
} samples;

/* At point k of MOST, where it is not known by symmetry. */
static routh_status winding_sample(rt_winding *w, rt_shifted_complex *s, samples *g, int k,
                                   bool *hit, routh_error *error)
{
    const bool mirror = cimag(w->middle) == 0 && k > MOST / 2;
    if (mirror) {
        g->modulus[k] = g->modulus[MOST - k];
        g->phase[k] = conj(g->phase[MOST - k]);
        return ROUTH_OK;
    }
    const double angle = RT_TWO_PI * k / MOST;
    const double _Complex at = w->middle + w->radius * cexp(I * angle);
    const routh_status status = rt_shifted_complex_factor(s, at, hit, error);
    if (status || *hit) return status;
    w->n_points++;
    rt_complex_factor_determinant(s->factor, &g->modulus[k], &g->phase[k], s->work);
    for (int i = 0; i < w->n_known; i++) {
        const double _Complex d = at - w->known[i];
        const double size = cabs(d);
        if (!(size > 0)) return *hit = true, ROUTH_OK;
        g->modulus[k] -= log(size);
        g->phase[k] *= conj(d) / size;
    }
    g->phase[k] /= cabs(g->phase[k]);
    return ROUTH_OK;
}

/* c_m, m = 0 .. n/2, of the modulus */
static void winding_transform(const samples *g, int n)
{
    for (int m = 0; m <= n / 2; m++) {
        double _Complex sum = 0;
        for (int k = 0; k < n; k++)
            sum += g->modulus[k * (MOST / n)] * cexp(-I * RT_TWO_PI * ((double)m * k / n));
        g->series[m] = sum / n;
    }
}

/* What n points leave of the phase at point `at` of MOST. */
static double _Complex left_at(const samples *g, int n, int at)
{
    double phase = 0;
    for (int m = 1; m < n / 2; m++)
        phase += 2 * cimag(g->series[m] * cexp(I * RT_TWO_PI * ((double)m * at / MOST)));
    return g->phase[at] * cexp(-I * phase);
}

/* With n points: are they enough, and how often does what is left turn? */
static bool winding_turns(const samples *g, int n, int *times)
{
    double tail = 0, sum = 0, most = 0, low = 0, high = 0;
    winding_transform(g, n);
    for (int m = n / 4 + 1; m <= n / 2; m++) tail += 2 * cabs(g->series[m]);
    double _Complex last = left_at(g, n, 0);
    for (int k = 1; k <= n; k++) {
        const double _Complex now = left_at(g, n, k % n * (MOST / n));
        const double step = carg(now * conj(last));
        sum += step;
        most = fmax(most, fabs(step));
        low = fmin(low, sum), high = fmax(high, sum);
        last = now;
    }
    *times = (int)lround(sum / RT_TWO_PI);
    return tail <= MOST_TAIL && most <= MOST_STEP && (*times || high - low <= MOST_WAVE);
}

/* A point between, where as many missing as there are points, evenly spread, would show. */
static routh_status look_between(rt_winding *w, rt_shifted_complex *s, samples *g, int n, bool *hit,
                                 bool *agrees, routh_error *error)
{
    const int at = MOST / n * 3 / 8;
    const routh_status status = winding_sample(w, s, g, at, hit, error);
    *agrees =
        !status && !*hit && fabs(carg(left_at(g, n, at) * conj(left_at(g, n, 0)))) <= MOST_WAVE;
    return status;
}

routh_status rt_winding_count(rt_winding *w, rt_shifted_complex *s, routh_error *error)
{
    samples g;
    bool hit = false, sure;
    int before = -1;
    routh_status status = ROUTH_OK;
    w->told = false;
    w->missing = w->n_points = 0;
    g.modulus = malloc(MOST * sizeof *g.modulus);
    g.phase = malloc((2 * MOST + 1) * sizeof *g.phase);
    g.series = g.phase ? g.phase + MOST : NULL;
    if (!g.modulus || !g.phase) status = rt_fail_memory(error);
    for (int n = FEWEST; n <= w->most_points && !status && !hit && !w->told; n *= 2) {
        for (int k = 0; k < n && !status && !hit; k++)
            if (n == FEWEST || k % 2)
                status = winding_sample(w, s, &g, k * (MOST / n), &hit, error);
        if (status || hit || !winding_turns(&g, n, &w->missing)) continue;
        /* missing ones are sought again and counted again; fewer than none must be said twice */
        sure = w->missing > 0 || w->missing == before;
        if (w->missing == 0) status = look_between(w, s, &g, n, &hit, &sure, error);
        w->told = sure && !hit;
        before = w->missing;
    }
    free(g.modulus);
    free(g.phase);
    return status;
}
