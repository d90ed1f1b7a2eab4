/* A model from a text to its multipliers, and multipliers of small systems by another way. */
#ifndef TESTS_PERIODIC_SUBJECT_H
#define TESTS_PERIODIC_SUBJECT_H

#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <routh/routh.h>

static const double two_pi = 6.28318530717958647692;

typedef struct subject {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_floquet *floquet;
    routh_error error;
} subject;

static inline void must(const subject *s, routh_status status)
{
    if (status) fail_msg("%s: %s", s->error.element, s->error.message);
}

static inline subject of_text(const char *yaml, const char *coordinates)
{
    subject s = {0};
    must(&s, routh_model_parse(&s.model, yaml, strlen(yaml), "text", NULL, 0, &s.error));
    must(&s, routh_mechanism_compile(&s.mechanism, s.model, coordinates, &s.error));
    must(&s, routh_operating_point_find(&s.point, s.mechanism, NULL, &s.error));
    return s;
}

static inline subject of_example(const char *name, const routh_setting *settings, size_t n,
                                 const char *coordinates)
{
    char path[1024];
    const char *source = getenv("ROUTH_SOURCE");
    subject s = {0};
    snprintf(path, sizeof path, "%s/examples/%s", source ? source : ".", name);
    must(&s, routh_model_read(&s.model, path, settings, n, &s.error));
    must(&s, routh_mechanism_compile(&s.mechanism, s.model, coordinates, &s.error));
    must(&s, routh_operating_point_find(&s.point, s.mechanism, NULL, &s.error));
    return s;
}

static inline void find(subject *s, const routh_floquet_options *options)
{
    routh_floquet_free(s->floquet);
    must(s, routh_floquet_compute(&s->floquet, s->mechanism, s->point, options, &s->error));
}

static inline void find_over(subject *s, double period)
{
    routh_floquet_options options = routh_floquet_defaults();
    options.period = period;
    find(s, &options);
}

static inline void forget(subject *s)
{
    routh_floquet_free(s->floquet);
    routh_operating_point_free(s->point);
    routh_mechanism_free(s->mechanism);
    routh_model_free(s->model);
    *s = (subject){0};
}

/* Is there a multiplier, or the conjugate of one, within the tolerance? */
static inline void has_multiplier(const subject *s, double re, double im, double tolerance)
{
    double nearest = INFINITY;
    for (int k = 0; k < s->floquet->n_modes; k++) {
        const double *mu = s->floquet->modes[k].multiplier;
        nearest = fmin(nearest, hypot(mu[0] - re, mu[1] - fabs(im)));
    }
    if (!(nearest <= tolerance))
        fail_msg("no multiplier at %.15g%+.15gi: the nearest is %.3g off", re, im, nearest);
}

/* exp((re + i im) period) is a multiplier. */
static inline void has_exponent(const subject *s, double re, double im, double tolerance)
{
    const double T = s->floquet->period, size = exp(re * T);
    has_multiplier(s, size * cos(im * T), size * sin(im * T), tolerance * fmax(1, size));
}

/* x'' + c x' + f(t) x = 0 over [0, T] by the classical Runge-Kutta method in long double: the
 * monodromy matrix of (x, x'), row-major. */
typedef double (*stiffness_at)(const double *parameters, long double t);

static inline void monodromy_of(stiffness_at f, const double *parameters, double c, double T,
                                double Y[4])
{
    enum { STEPS = 40000 };
    for (int column = 0; column < 2; column++) {
        long double x = column == 0, v = column == 1;
        const long double h = (long double)T / STEPS;
        for (int k = 0; k < STEPS; k++) {
            const long double t = (long double)T * k / STEPS;
            const long double f0 = f(parameters, t), f1 = f(parameters, t + h / 2),
                              f2 = f(parameters, t + h);
            const long double a1 = -c * v - f0 * x, x2 = x + h / 2 * v, v2 = v + h / 2 * a1;
            const long double a2 = -c * v2 - f1 * x2, x3 = x + h / 2 * v2, v3 = v + h / 2 * a2;
            const long double a3 = -c * v3 - f1 * x3, x4 = x + h * v3, v4 = v + h * a3;
            const long double a4 = -c * v4 - f2 * x4;
            x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
            v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        }
        Y[column] = (double)x, Y[2 + column] = (double)v;
    }
}

/* The eigenvalues of a matrix of two rows: re, im of both. */
static inline void eigenvalues_of_two(const double Y[4], double mu[4])
{
    const double half = (Y[0] + Y[3]) / 2, determinant = Y[0] * Y[3] - Y[1] * Y[2];
    const double d = half * half - determinant, root = sqrt(fabs(d));
    mu[0] = d >= 0 ? half + root : half, mu[1] = d >= 0 ? 0 : root;
    mu[2] = d >= 0 ? half - root : half, mu[3] = d >= 0 ? 0 : -root;
}

#endif
