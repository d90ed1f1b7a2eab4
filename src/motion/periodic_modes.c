/* Exponents and periodic mode shapes. With y(t) = p(t) exp(lambda t), exp(lambda T) = mu, and the
 * samples p(t_j) = Y(t_j) v exp(-lambda (t_j - t_0)) at M equal times,
 *     c_n = 1/M sum over j of p(t_j) exp(-2 pi i n j / M),      n = -M/2 .. M/2 - 1.
 * Of the exponents lambda + 2 pi i n / T the one of the largest |c_n| is given; of two as large
 * (of a real p, c_-n = conj(c_n)) the slower, the positive one. */
#include <complex.h>
#include <float.h>
#include <stdlib.h>

#include "base/eigenvalue.h"
#include "motion/periodic.h"

enum { M = RT_ORBIT_SAMPLES, SHOWN = 9 };

typedef struct periodic_modes_work {
    const rt_orbit *o;
    const double *size;
    int n, counted;         /* states whose motion counts in shares */
    double _Complex *p, *c; /* M x n */
    double share[M];
    double _Complex wave[M]; /* exp(-2 pi i k / M) */
} periodic_modes_work;

static int harmonic_of(int at) { return at < M / 2 ? at : at - M; }

/* p(t_j) of the vector v, which is in the sizes of the states */
static void periodic_modes_sample(periodic_modes_work *w, const double _Complex *v,
                                  double _Complex lambda)
{
    const int n = w->n;
    for (int j = 0; j < M; j++) {
        const double *Y = w->o->sample + (size_t)j * (size_t)(n * n);
        const double _Complex back = cexp(-lambda * w->o->period * j / M);
        for (int i = 0; i < n; i++) {
            double _Complex sum = 0;
            for (int k = 0; k < n; k++) sum += Y[i * n + k] * w->size[k] * v[k];
            w->p[j * n + i] = back * sum;
        }
    }
}

static void periodic_modes_transform(periodic_modes_work *w)
{
    const int n = w->n;
    double all = 0;
    for (int h = 0; h < M; h++) {
        w->share[h] = 0;
        for (int i = 0; i < n; i++) {
            double _Complex sum = 0;
            for (int j = 0; j < M; j++) sum += w->p[j * n + i] * w->wave[h * j % M];
            w->c[h * n + i] = sum / M;
            if (i >= w->counted) continue;
            const double part = cabs(w->c[h * n + i]) / w->size[i];
            w->share[h] += part * part;
        }
        all += w->share[h];
    }
    for (int h = 0; h < M && all > 0; h++) w->share[h] /= all;
}

/* The largest share, of such as large the slowest, of such as slow the positive one. */
static int periodic_modes_strongest(const periodic_modes_work *w, double frequency)
{
    static const double same = 1e-6;
    const double turn = RT_TWO_PI / w->o->period;
    int best = 0;
    for (int h = 1; h < M; h++) {
        const double now = frequency + harmonic_of(h) * turn,
                     then = frequency + harmonic_of(best) * turn;
        if (w->share[h] > w->share[best] * (1 + same)) best = h;
        if (fabs(w->share[h] - w->share[best]) > same * w->share[best]) continue;
        const double slower = fabs(then) - fabs(now), rounding = 1e-9 * turn;
        if (slower > rounding || (fabs(slower) <= rounding && now > then)) best = h;
    }
    return best;
}

static routh_status keep_harmonics(rt_floquet_holder *h, periodic_modes_work *w,
                                   routh_floquet_mode *mode, bool turned, routh_error *error)
{
    static const double least = 1e-3;
    double largest = 0;
    mode->harmonics = RT_TAKE(&h->arena, routh_harmonic, SHOWN);
    if (!mode->harmonics) return rt_fail_memory(error);
    while (mode->n_harmonics < SHOWN) {
        int best = 0;
        for (int k = 1; k < M; k++)
            if (w->share[k] > w->share[best]) best = k;
        if (w->share[best] < least) break;
        routh_harmonic *x = &mode->harmonics[mode->n_harmonics++];
        *x = (routh_harmonic){.n = turned ? -harmonic_of(best) : harmonic_of(best),
                              .share = w->share[best],
                              .shape = RT_TAKE(&h->arena, double, 2 * w->n)};
        if (!x->shape) return rt_fail_memory(error);
        for (int i = 0; i < w->n; i++) {
            const double _Complex c = w->c[best * w->n + i];
            x->shape[2 * i] = creal(c);
            x->shape[2 * i + 1] = turned ? -cimag(c) : cimag(c);
            if (i < w->counted) largest = fmax(largest, cabs(c) / w->size[i]);
        }
        w->share[best] = 0;
    }
    for (int k = 0; k < mode->n_harmonics && largest > 0; k++)
        for (int i = 0; i < 2 * w->n; i++) mode->harmonics[k].shape[i] /= largest;
    return ROUTH_OK;
}

/* Is it that of the conjugate, whose frequency is positive? */
static bool fill_exponent(routh_floquet_mode *mode, double _Complex lambda, int harmonic,
                          double period)
{
    const double at = cimag(lambda) + harmonic * RT_TWO_PI / period;
    const bool turned = at < 0;
    mode->exponent[0] = creal(lambda);
    mode->exponent[1] = fabs(at);
    mode->principal = turned ? -cimag(lambda) : cimag(lambda);
    mode->harmonic = turned ? -harmonic : harmonic;
    mode->damping_ratio = rt_damping_ratio(mode->exponent);
    mode->undamped_frequency_hz = rt_undamped_hz(mode->exponent);
    mode->damped_frequency_hz = rt_damped_hz(mode->exponent);
    return turned;
}

/* Where the determinant disagrees with the integral of the trace, rounding of the largest
 * multipliers has covered the smallest: this much of them. */
static double find_rounding(const routh_floquet *f, const rt_multipliers *x, double condition)
{
    static const double agrees = 0.1;
    double largest = 1;
    for (int k = 0; k < x->n; k++) largest = fmax(largest, hypot(x->re[k], x->im[k]));
    return f->liouville < agrees ? 0 : 100 * DBL_EPSILON * largest * condition;
}

/* Of a multiplier that is no larger than its error. */
static void leave_exponent_open(routh_floquet_mode *mode, double rounding)
{
    mode->error = fmax(mode->error, rounding);
    mode->exponent[0] = mode->exponent[1] = mode->principal = NAN;
    mode->damping_ratio = mode->undamped_frequency_hz = mode->damped_frequency_hz = NAN;
}

static routh_status periodic_modes_fill_mode(rt_floquet_holder *h, periodic_modes_work *w,
                                             const rt_multipliers *x, int k, double change,
                                             routh_floquet_mode *mode, routh_error *error)
{
    const int n = w->n;
    const bool pair = x->im[k] != 0;
    double _Complex *v = RT_TAKE(&h->arena, double _Complex, n);
    if (!v) return rt_fail_memory(error);
    for (int i = 0; i < n; i++)
        v[i] = x->vectors[i + (size_t)k * n] +
               (pair ? x->vectors[i + (size_t)(k + 1) * n] * (double _Complex)I : 0);
    const double _Complex mu = x->re[k] + x->im[k] * (double _Complex)I;
    const double _Complex lambda = (log(cabs(mu)) + carg(mu) * (double _Complex)I) / w->o->period;
    *mode = (routh_floquet_mode){.multiplier = {x->re[k], x->im[k]},
                                 .modulus = cabs(mu),
                                 .pair = pair,
                                 .error = change,
                                 .condition = 1 / x->rcond[k]};
    const double rounding = find_rounding(&h->floquet, x, mode->condition);
    if (mode->modulus <= fmax(mode->error, rounding)) {
        leave_exponent_open(mode, rounding);
        return ROUTH_OK;
    }
    periodic_modes_sample(w, v, lambda);
    periodic_modes_transform(w);
    const int at = periodic_modes_strongest(w, cimag(lambda));
    mode->share = w->share[at];
    const bool turned = fill_exponent(mode, lambda, harmonic_of(at), w->o->period);
    return keep_harmonics(h, w, mode, turned, error);
}

static int periodic_modes_by_modulus(const void *a, const void *b)
{
    const routh_floquet_mode *x = a, *y = b;
    if (x->modulus != y->modulus) return x->modulus < y->modulus ? 1 : -1;
    return (x->exponent[1] > y->exponent[1]) - (x->exponent[1] < y->exponent[1]);
}

routh_status rt_floquet_modes(rt_floquet_holder *h, const rt_orbit *o, const double *size,
                              const rt_multipliers *x, const double *change, routh_error *error)
{
    routh_floquet *f = &h->floquet;
    const int n = x->n;
    periodic_modes_work w = {
        .o = o, .size = size, .n = n, .counted = f->n_position ? f->n_position : n};
    const size_t room = (size_t)M * (size_t)n;
    f->modes = RT_TAKE(&h->arena, routh_floquet_mode, n);
    w.p = calloc(2 * room + 1, sizeof *w.p);
    w.c = w.p ? w.p + room : NULL;
    if (!f->modes || !w.p) {
        free(w.p);
        return rt_fail_memory(error);
    }
    for (int k = 0; k < M; k++) w.wave[k] = cexp(-RT_TWO_PI * k / M * (double _Complex)I);
    routh_status status = ROUTH_OK;
    for (int k = 0; k < n && !status; k += x->im[k] != 0 ? 2 : 1)
        status = periodic_modes_fill_mode(h, &w, x, k, change[k], &f->modes[f->n_modes++], error);
    free(w.p);
    qsort(f->modes, (size_t)f->n_modes, sizeof *f->modes, periodic_modes_by_modulus);
    return status;
}
