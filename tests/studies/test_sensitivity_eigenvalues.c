/* Derivatives of eigenvalues against closed forms. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "routh/sensitivity.h"
#include "support/mechanisms.h"

typedef struct found {
    test_mechanism t;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
    routh_sensitivity *s;
} found;

static void find(found *f, const char *yaml)
{
    routh_error error = {0};
    mechanism_make(&f->t, yaml);
    f->point = mechanism_point(&f->t);
    f->linear = mechanism_linear(&f->t, f->point, NULL);
    assert_int_equal(routh_modes_compute(&f->modes, f->linear, &error), ROUTH_OK);
    if (routh_sensitivity_compute(&f->s, f->t.m, f->point, f->modes, NULL, &error))
        fail_msg("%s", error.message);
}

static void drop(found *f)
{
    routh_sensitivity_free(f->s);
    routh_modes_free(f->modes);
    routh_linear_free(f->linear);
    routh_operating_point_free(f->point);
    mechanism_release(&f->t);
}

static const double *by(const found *f, const char *name, int mode)
{
    for (int p = 0; p < f->s->n_parameters; p++)
        if (strcmp(f->s->parameters[p], name) == 0)
            return f->s->eigenvalue_by[p * f->s->n_modes + mode];
    fail_msg("no %s", name);
    return NULL;
}

static void assert_is(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-12 * fmax(1, fabs(wanted))))
        fail_msg("%.17g is not %.17g", got, wanted);
}

/* lambda = -c/2m + i sqrt(k/m - (c/2m)^2); the equilibrium moves by m g / k and matters not */
static void oscillator(void **unused)
{
    (void)unused;
    found f;
    find(&f, "parameters: {m: 2, c: 3, k: 50, g: 9.81, h: 2*k}\n"
             "gravity: [0, 0, -g]\n"
             "bodies:\n  b: {mass: m, inertia: [1, 1, 1], position: [0, 0, -1]}\n"
             "joints:\n  j: {type: translational, between: [b, ground], axis: z}\n"
             "loads:\n  s: {type: spring, between: [b, ground], stiffness: h/2, damping: c}\n"
             "operating_point: {type: static}\n");
    const double m = 2, c = 3, k = 50, a = c / 2 / m, w = sqrt(k / m - a * a);
    assert_int_equal(f.s->n_modes, 2);
    for (int i = 0; i < 2; i++) {
        const double sign = f.s->eigenvalues[i][1] > 0 ? 1 : -1;
        assert_is(f.s->eigenvalues[i][0], -a);
        assert_is(by(&f, "k", i)[0], 0);
        assert_is(by(&f, "k", i)[1], sign / m / 2 / w);
        assert_is(by(&f, "h", i)[1], sign / m / 4 / w);
        assert_is(by(&f, "c", i)[0], -1 / m / 2);
        assert_is(by(&f, "c", i)[1], -sign * a / w / m / 2);
        assert_is(by(&f, "m", i)[0], a / m);
        assert_is(by(&f, "m", i)[1], sign * (-k / m / m / 2 + a * a / m) / w);
        assert_is(by(&f, "g", i)[1], 0);
    }
    drop(&f);
}

/* w^2 = m g l / (J + m l^2) about a hinge at l from the centre of mass */
static void pendulum(void **unused)
{
    (void)unused;
    found f;
    find(&f, "parameters: {m: 2, l: 0.7, J: 0.3, g: 9.81}\n"
             "gravity: [0, 0, -g]\n"
             "bodies:\n  b: {mass: m, inertia: [1, J, 1], position: [0, 0, -l]}\n"
             "joints:\n  j: {type: revolute, between: [b, ground], at: [0, 0, 0], axis: y}\n");
    const double m = 2, l = 0.7, J = 0.3, g = 9.81, I = J + m * l * l, w = sqrt(m * g * l / I);
    for (int i = 0; i < 2; i++) {
        const double sign = f.s->eigenvalues[i][1] > 0 ? 1 : -1;
        assert_is(by(&f, "g", i)[1], sign * w / g / 2);
        assert_is(by(&f, "J", i)[1], -sign * w / I / 2);
        assert_is(by(&f, "m", i)[1], sign * w / 2 * (1 / m - l * l / I));
        assert_is(by(&f, "l", i)[1], sign * w / 2 * (1 / l - 2 * m * l / I));
    }
    drop(&f);
}

/* About an axis that rises by t, of a ball: w^2 = m g l c^2 / (J + m l^2 c^2), c = cos(t); the axis
 * of the joint is written in a marker's axes, or is a marker's z. */
static void tilted(void **unused)
{
    (void)unused;
    static const char *const hinges[2] = {
        "joints:\n  j: {type: revolute, between: [b, ground], at: [0, 0, 0],\n"
        "      axis: [cos(t), 0, sin(t)]}\n",
        "markers:\n  p: {body: b, position: [0, 0, l], orientation: {z: [cos(t), 0, sin(t)]}}\n"
        "  q: {body: ground, orientation: {z: [cos(t), 0, sin(t)]}}\n"
        "joints:\n  j: {type: revolute, between: [p, q]}\n"};
    for (int form = 0; form < 2; form++) {
        char text[600];
        found f;
        snprintf(text, sizeof text,
                 "parameters: {l: 0.7, t: 0.4}\ngravity: [0, 0, -9.81]\n"
                 "bodies:\n  b: {mass: 2, inertia: [0.3, 0.3, 0.3], position: [0, 0, -l]}\n%s",
                 hinges[form]);
        find(&f, text);
        const double m = 2, l = 0.7, J = 0.3, g = 9.81, t = 0.4, c = cos(t);
        const double I = J + m * l * l * c * c, w = sqrt(m * g * l * c * c / I);
        for (int i = 0; i < 2; i++) {
            const double sign = f.s->eigenvalues[i][1] > 0 ? 1 : -1;
            assert_is(f.s->eigenvalues[i][1], sign * w);
            assert_is(by(&f, "t", i)[1], sign * w * -tan(t) * (1 - m * l * l * c * c / I));
        }
        drop(&f);
    }
}

/* Two equal oscillators, coupled by k: w^2 = (s + k)/m of the one against the other, s/m of both
 * together; at k = 0 the cluster parts. */
static void cluster(void **unused)
{
    (void)unused;
    found f;
    find(&f, "parameters: {k: 0, s: 8, m: 2, u: 8}\n"
             "bodies:\n  a: {mass: m, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
             "  b: {mass: m, inertia: [1, 1, 1], position: [3, 0, 0]}\n"
             "markers:\n  o: {body: ground, position: [0, 0, 0]}\n"
             "  p: {body: ground, position: [5, 0, 0]}\n"
             "joints:\n  i: {type: translational, between: [a, ground], axis: x}\n"
             "  j: {type: translational, between: [b, ground], axis: x}\n"
             "loads:\n  q: {type: spring, between: [a, o], stiffness: s}\n"
             "  r: {type: spring, between: [b, p], stiffness: u}\n"
             "  t: {type: spring, between: [a, b], stiffness: k}\n"
             "operating_point: {type: static}\n");
    const double w = 2, m = 2;
    int above = 0;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(f.s->multiplicity[i], 2);
        if (f.s->eigenvalues[i][1] < 0) continue;
        assert_is(by(&f, "m", i)[1], -w / m / 2);
        const double parts = by(&f, "k", i)[1], alone = by(&f, "s", i)[1];
        assert_true(fabs(parts) <= 1e-12 || fabs(parts - 2 / m / 2 / w) <= 1e-12);
        assert_true(fabs(alone) <= 1e-12 || fabs(alone - 1 / m / 2 / w) <= 1e-12);
        above += parts > 0.1;
    }
    assert_int_equal(above, 1);
    drop(&f);
}

/* Two oscillators that differ by e: w^2 = (s + k + e/2 -+ sqrt(k^2 + e^2/4)) / m. At k = 0 the
 * derivative by e is 0 and 1/2mw where e tells them apart; where e is below what is told, that of
 * the cluster, which k parts by 0 and 2/2mw whatever e. */
static void nearly_repeated(void **unused)
{
    (void)unused;
    static const double apart[] = {1e-2, 1e-3, 1e-6, 0};
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
        char yaml[1200];
        found f;
        snprintf(yaml, sizeof yaml,
                 "parameters: {k: 0, s: 8, m: 2, eps: %g}\n"
                 "bodies:\n  a: {mass: m, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
                 "  b: {mass: m, inertia: [1, 1, 1], position: [3, 0, 0]}\n"
                 "markers:\n  o: {body: ground, position: [0, 0, 0]}\n"
                 "  p: {body: ground, position: [5, 0, 0]}\n"
                 "joints:\n  i: {type: translational, between: [a, ground], axis: x}\n"
                 "  j: {type: translational, between: [b, ground], axis: x}\n"
                 "loads:\n  q: {type: spring, between: [a, o], stiffness: s}\n"
                 "  r: {type: spring, between: [b, p], stiffness: s + eps}\n"
                 "  t: {type: spring, between: [a, b], stiffness: k}\n"
                 "operating_point: {type: static}\n",
                 apart[i]);
        find(&f, yaml);
        const double m = 2;
        double by_e = 0, by_k = 0, most_k = 0;
        for (int k = 0; k < 4; k++) {
            const double w = f.s->eigenvalues[k][1];
            if (w < 0) continue;
            /* frequencies are e / 4 s apart, and 1e-6 is told */
            assert_int_equal(f.s->multiplicity[k], apart[i] > 5e-6 * 32 ? 1 : 2);
            by_e += by(&f, "eps", k)[1];
            by_k += by(&f, "k", k)[1];
            most_k = fmax(most_k, by(&f, "k", k)[1]);
            assert_true(fabs(by(&f, "m", k)[1] + w / m / 2) <= 1e-6);
        }
        assert_true(fabs(by_e - 1 / m / 2 / 2) <= 1e-4);
        assert_true(fabs(by_k - 2 / m / 2 / 2) <= 1e-4);
        /* told apart: k moves both alike, by 1/2mw; one: it parts them */
        assert_true(fabs(most_k - (f.s->multiplicity[0] > 1 ? 2 : 1) / m / 2 / 2) <= 1e-4);
        drop(&f);
    }
}

/* A rotor on a gimbal that is as stiff about x as about y: forward and backward whirl are one at
 * rest, and spin parts them, w = +-(Jp/2Jt) spin + sqrt(k/Jt + ...). The damping moves both. */
static void symmetric_rotor(void **unused)
{
    (void)unused;
    found f;
    find(&f, "parameters: {spin: 0, Jp: 0.3, Jt: 0.2}\n"
             "bodies:\n  b: {mass: 2, inertia: [Jt, Jt, Jp], position: [0, 0, 0],\n"
             "      velocity: [0, 0, 0], angular_velocity: [0, 0, spin]}\n"
             "joints:\n  j: {type: spherical, between: [b, ground], at: [0, 0, 0]}\n"
             "loads:\n  s: {type: bushing, between: [b, ground], rotation: {stiffness: [5, 5, 0], "
             "damping: 0}}\n"
             "operating_point: {type: given}\n");
    const double w = 5, Jp = 0.3, Jt = 0.2;
    int parted[2] = {0, 0};
    for (int i = 0; i < f.s->n_modes; i++) {
        if (f.s->eigenvalues[i][1] <= 0) continue;
        assert_is(f.s->eigenvalues[i][1], w);
        assert_int_equal(f.s->multiplicity[i], 2);
        const double d = by(&f, "spin", i)[1];
        parted[d > 0]++;
        assert_true(fabs(fabs(d) - Jp / Jt / 2) <= 1e-10);
        assert_true(fabs(by(&f, "spin", i)[0]) <= 1e-10);
        assert_true(fabs(by(&f, "Jt", i)[1] + w / Jt / 2) <= 1e-9);
        assert_true(fabs(by(&f, "Jp", i)[1]) <= 1e-10);
    }
    assert_true(parted[0] == 1 && parted[1] == 1);
    drop(&f);
}

/* y(x) of a natural spline through (0, 0), (c, a), (d, 2 a + b): M = 3 (s1 - s0)/d, s the slopes,
 * and stretched by e, 0 < e < c, y = s0 e + M (e^3/c - c e)/6. A weight F hangs from it: y(e) = F,
 * w^2 = y'(e)/m; along a number of the table y_p + y' e_p = 0, so that
 * d(m w^2)/dp = y'_p - y'' y_p/y'. c = 1, d = 3; by the first n of a, b, c, d. */
static void on_spline(const char *load, int n)
{
    char text[1024];
    found f;
    snprintf(text, sizeof text,
             "parameters: {m: 2, a: 5, b: 11, F: 1.7, c: 1, d: 3}\n"
             "gravity: [0, 0, -F/m]\n"
             "bodies:\n  b: {mass: m, inertia: [1, 1, 1], position: [0, 0, -1.3]}\n"
             "joints:\n  j: {type: translational, between: [b, ground], axis: z}\n"
             "loads:\n  s: {%s}\n"
             "operating_point: {type: static}\n",
             load);
    find(&f, text);
    static const char *const names[] = {"a", "b", "c", "d"};
    const double m = 2, a = 5, b = 11, F = 1.7, M = (a + b) / 2 - a;
    const double s0_by[] = {1, 0, -a, 0};
    const double M_by[] = {-0.5, 0.5, (a + b) / 4 + a, -(a + b) / 4 - M / 3};
    double e = 0.3;
    for (int k = 0; k < 50; k++)
        e -= (a * e + M * (e * e * e - e) / 6 - F) / (a + M * (3 * e * e - 1) / 6);
    const double slope = a + M * (3 * e * e - 1) / 6, w = sqrt(slope / m);
    for (int i = 0; i < 2; i++) {
        const double sign = f.s->eigenvalues[i][1] > 0 ? 1 : -1;
        assert_is(f.s->eigenvalues[i][1], sign * w);
        for (int p = 0; p < n; p++) {
            const double of_c = p == 2 ? M / 6 : 0; /* of e^3/c - c e */
            const double y_p =
                s0_by[p] * e + M_by[p] * (e * e * e - e) / 6 - of_c * (e * e * e + e);
            const double slope_p =
                s0_by[p] + M_by[p] * (3 * e * e - 1) / 6 - of_c * (3 * e * e + 1);
            const double stiffer = slope_p - M * e * y_p / slope;
            assert_is(by(&f, names[p], i)[1], sign * stiffer / (2 * m * w));
        }
    }
    drop(&f);
}

/* The table of a spring, and the same in an expression. */
static void spline(void **unused)
{
    (void)unused;
    on_spline("type: spring, between: [b, ground], free_length: 1, "
              "table: [[0, 0], [c, a], [d, 2*a + b]], interpolation: cubic",
              4);
    on_spline("type: force, on: b, "
              "components: [0, 0, 'table_cubic(-1 - DZ(b), 0, 0, 1, a, 3, 2*a + b)']",
              2);
}

/* An arm that is written at the angle q below the level, where a torsion spring with a table, a
 * line, is at rest. At the angle x, with G = m g l,
 *     V' = k (x - q) - G cos(x) = 0,   I w^2 = V'' = k + G sin(x),   x' = k/V'' by q. */
static void angle_as_written(void **unused)
{
    (void)unused;
    found f;
    find(&f, "parameters: {q: 0.4, k: 30}\n"
             "gravity: [0, 0, -9.81]\n"
             "bodies:\n  arm: {mass: 2, inertia: [1, 0.3, 1], orientation: {axis: [0, 1, 0], "
             "angle: q},\n"
             "        position: [0.7*cos(q), 0, -0.7*sin(q)]}\n"
             "joints:\n  j: {type: revolute, between: [arm, ground], at: [0, 0, 0], axis: y}\n"
             "loads:\n  s: {type: torsion_spring, between: [arm, ground], axis: y,\n"
             "      table: [[-1, -k], [1, k]]}\n"
             "operating_point: {type: static}\n");
    const double q = 0.4, k = 30, G = 2 * 9.81 * 0.7, I = 0.3 + 2 * 0.49;
    double x = q;
    for (int i = 0; i < 50; i++) x -= (k * (x - q) - G * cos(x)) / (k + G * sin(x));
    const double V2 = k + G * sin(x), w = sqrt(V2 / I);
    for (int i = 0; i < 2; i++) {
        const double sign = f.s->eigenvalues[i][1] > 0 ? 1 : -1;
        assert_is(f.s->eigenvalues[i][1], sign * w);
        assert_is(by(&f, "q", i)[1], sign * G * cos(x) * k / V2 / (2 * I * w));
        assert_is(by(&f, "k", i)[1], sign * (1 - G * cos(x) * (x - q) / V2) / (2 * I * w));
    }
    drop(&f);
}

/* Of a table 256 numbers are differentiated; one that t acts through beyond them is named. */
static void refusal(void **unused)
{
    (void)unused;
    growing_text text = {0};
    static const char *const names[] = {"t", NULL};
    const routh_sensitivity_options o = {.parameters = names};
    routh_sensitivity *s;
    routh_error error = {0};
    found f;
    text_add(&text,
             "parameters: {t: 0.2, l: 1}\n"
             "gravity: [0, 0, -9.81]\n"
             "bodies:\n  b: {mass: 1, inertia: [1, 1, 1], position: [0, 0, -l]}\n"
             "markers:\n  nail: {body: ground, position: [1, 0, -1]}\n"
             "joints:\n  hinge: {type: revolute, between: [b, ground], at: [0, 0, 0], axis: y}\n"
             "loads:\n  band: {type: spring, between: [b, nail], table: ");
    text_add_long_table(&text, "t");
    text_add(&text, "}\n");
    find(&f, text.bytes);
    free(text.bytes);
    assert_int_equal(f.s->n_parameters, 1);
    assert_string_equal(f.s->parameters[0], "l");
    assert_int_equal(f.s->n_warnings, 1);
    assert_non_null(strstr(f.s->warnings[0], "parameter t was left out"));
    assert_int_equal(routh_sensitivity_compute(&s, f.t.m, f.point, f.modes, &o, &error),
                     ROUTH_NOT_SUPPORTED);
    assert_null(s);
    assert_non_null(
        strstr(error.message,
               "the parameter t has no derivative, because it acts through a number of the table "
               "after 256 that depend on parameters"));
    assert_string_equal(error.element, "load band");
    static const char *const wrong[] = {"ll", NULL};
    const routh_sensitivity_options unknown = {.parameters = wrong};
    assert_int_equal(routh_sensitivity_compute(&s, f.t.m, f.point, f.modes, &unknown, &error),
                     ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "has no parameter 'll'"));
    drop(&f);
}

/* A regulated cart at a point as written: the state of the filter has no initial value. dlambda
 * against that of a model written out by hand, x'' m = -k v, v' = (x - v)/T. */
static void filter(void **unused)
{
    (void)unused;
    found f;
    find(&f, "parameters: {m: 2, k: 3, T: 0.5}\n"
             "bodies:\n  b: {mass: m, inertia: [1, 1, 1], position: [0, 0, 0]}\n"
             "joints:\n  j: {type: translational, between: [b, ground], axis: x}\n"
             "controllers:\n  v: {type: differential, rate: (DX(b) - v)/T}\n"
             "loads:\n  f: {type: force, on: b, components: [-k*v, 0, 0]}\n");
    const double m = 2, k = 3, T = 0.5;
    for (int i = 0; i < f.s->n_modes; i++) {
        /* p = m s^2 (1 + T s) + k */
        const double re = f.s->eigenvalues[i][0], im = f.s->eigenvalues[i][1];
        const double s2[2] = {re * re - im * im, 2 * re * im};
        const double s3[2] = {s2[0] * re - s2[1] * im, s2[0] * im + s2[1] * re};
        const double slope[2] = {m * (2 * re + 3 * T * s2[0]), m * (2 * im + 3 * T * s2[1])};
        const double size = slope[0] * slope[0] + slope[1] * slope[1];
        assert_true(fabs(m * (s2[0] + T * s3[0]) + k) < 1e-9);
        assert_is(by(&f, "k", i)[0], -slope[0] / size);
        assert_is(by(&f, "k", i)[1], slope[1] / size);
        const double t[2] = {-m * s3[0], -m * s3[1]};
        assert_is(by(&f, "T", i)[0], (t[0] * slope[0] + t[1] * slope[1]) / size);
        assert_is(by(&f, "T", i)[1], (t[1] * slope[0] - t[0] * slope[1]) / size);
    }
    drop(&f);
}

/* Hinges about y and x by turns, hanging straight, with products of inertia that no mirror allows,
 * so that what pushes along x or y has an effect; nothing before it leads there. */
static void write_turned_hinges(char *text, size_t size, int links)
{
    size_t n = (size_t)snprintf(text, size, "gravity: [0, 0, -9.81]\nparameters:\n");
    for (int k = 1; k <= links; k++)
        n += (size_t)snprintf(text + n, size - n,
                              "  m%d: %g\n  k%d: %g\n  c%d: %g\n  I%d: %g\n  J%d: %g\n  F%d: %g\n",
                              k, 1 + 0.1 * k, k, 20 + 0.5 * k, k, 0.1 + 0.01 * k, k,
                              0.05 + 0.001 * k, k, 0.06 + 0.002 * k, k, 0.1 * k);
    n += (size_t)snprintf(text + n, size - n, "  fx: 0\n  fy: 0\nbodies:\n");
    for (int k = 1; k <= links; k++)
        n += (size_t)snprintf(text + n, size - n,
                              "  b%d: {mass: m%d, inertia: [I%d, J%d, 0.04, 0.011, 0.007, 0.013], "
                              "position: [0, 0, %g]}\n",
                              k, k, k, k, -k + 0.5);
    n += (size_t)snprintf(text + n, size - n, "joints:\n");
    for (int k = 1; k <= links; k++)
        n += (size_t)snprintf(
            text + n, size - n,
            "  h%d: {type: revolute, between: [b%d, %s%.0d], at: [0, 0, %d], axis: %c}\n", k, k,
            k > 1 ? "b" : "ground", k - 1, 1 - k, k % 2 ? 'y' : 'x');
    n += (size_t)snprintf(text + n, size - n, "loads:\n");
    for (int k = 1; k <= links; k++)
        n += (size_t)snprintf(text + n, size - n,
                              "  s%d: {type: torsion_spring, between: [b%d, %s%.0d], axis: %c, "
                              "stiffness: k%d, damping: c%d}\n",
                              k, k, k > 1 ? "b" : "ground", k - 1, k % 2 ? 'y' : 'x', k, k);
    for (int k = 1; k <= links; k++)
        n += (size_t)snprintf(text + n, size - n,
                              "  f%d: {type: force, on: b%d, components: [0, 0, -F%d]}\n", k, k, k);
    snprintf(text + n, size - n,
             "  wind: {type: force, on: b%d, components: [fx, fy, 0]}\n"
             "operating_point: {type: static}\n",
             links);
}

/* More parameters than are taken together, of which the last two alone move all to a side: each
 * must come out as it does when it is asked for alone. */
static void many(void **unused)
{
    (void)unused;
    enum { LINKS = 12, ALL = 6 * LINKS + 2 };
    char text[16384];
    found f;
    write_turned_hinges(text, sizeof text, LINKS);
    find(&f, text);
    assert_int_equal(f.s->n_parameters, ALL);
    for (int p = 0; p < ALL; p++) {
        const char *const name[] = {f.s->parameters[p], NULL};
        routh_sensitivity_options options = routh_sensitivity_defaults();
        routh_sensitivity *alone;
        routh_error error = {0};
        double largest = 0, off = 0;
        options.parameters = name;
        if (routh_sensitivity_compute(&alone, f.t.m, f.point, f.modes, &options, &error))
            fail_msg("%s", error.message);
        for (int i = 0; i < f.s->n_modes; i++)
            for (int part = 0; part < 2; part++) {
                const double x = alone->eigenvalue_by[i][part];
                largest = fmax(largest, fabs(x));
                off = fmax(off, fabs(by(&f, name[0], i)[part] - x));
            }
        if (p == ALL - 1) assert_true(largest > 1e-6);
        if (!(off <= 1e-10 * largest))
            fail_msg("%s: differs by %.2g of %.2g", name[0], off, largest);
        routh_sensitivity_free(alone);
    }
    drop(&f);
}

/* A mass of 2 under the force -(f(p x) - f(s)) stands where p x = s for any p: its stiffness is
 * p f'(s), lambda = sqrt(-p f'(s) / 2), d lambda / dp = lambda / 2 p. Whether f rises or falls does
 * not matter, once the force has the sign that makes it stiff. */
static void every_function_of_an_expression(void **unused)
{
    (void)unused;
    const double z = 0.4;
    const struct {
        const char *f, *value; /* of z, and at 0.4 */
        double slope;
    } cases[] = {
        {"sin(%s)", "sin(0.4)", cos(z)},
        {"cos(%s)", "cos(0.4)", -sin(z)},
        {"tan(%s)", "tan(0.4)", 1 / (cos(z) * cos(z))},
        {"asin(%s)", "asin(0.4)", 1 / sqrt(1 - z * z)},
        {"acos(%s)", "acos(0.4)", -1 / sqrt(1 - z * z)},
        {"atan(%s)", "atan(0.4)", 1 / (1 + z * z)},
        {"sinh(%s)", "sinh(0.4)", cosh(z)},
        {"cosh(%s)", "cosh(0.4)", sinh(z)},
        {"tanh(%s)", "tanh(0.4)", 1 / (cosh(z) * cosh(z))},
        {"exp(%s)", "exp(0.4)", exp(z)},
        {"log(%s)", "log(0.4)", 1 / z},
        {"log10(%s)", "log10(0.4)", 1 / (z * log(10))},
        {"sqrt(%s)", "sqrt(0.4)", 0.5 / sqrt(z)},
        {"(%s)^1.7", "0.4^1.7", 1.7 * pow(z, 0.7)},
        {"2.5^(%s)", "2.5^0.4", pow(2.5, z) * log(2.5)},
        {"(%s)^3", "0.4^3", 3 * z * z},
        {"atan2(%s, 2)", "atan2(0.4, 2)", 2 / (4 + z * z)},
        {"abs(%s)", "0.4", 1},
        {"1/(%s)", "2.5", -1 / (z * z)},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char f[64], text[1024];
        found x;
        const double slope = cases[k].slope;
        snprintf(f, sizeof f, cases[k].f, "p*DX(b)");
        snprintf(
            text, sizeof text,
            "parameters: {p: 0.8}\n"
            "bodies: {b: {mass: 2, inertia: [1, 1, 1], position: [0.501, 0, 0]}}\n"
            "joints: {j: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}}\n"
            "loads: {f: {type: force, on: b, components: [\"%s(%s - %s)\", 0, 0]}}\n"
            "operating_point: {type: static}\n",
            slope > 0 ? "-" : "", f, cases[k].value);
        find(&x, text);
        assert_int_equal(x.s->n_modes, 2);
        for (int i = 0; i < 2; i++) {
            const double w = x.s->eigenvalues[i][1], sign = w > 0 ? 1 : -1;
            /* the equilibrium is known to rounding over the stiffness: 1e-13 is some of that */
            if (!(fabs(w - sign * sqrt(0.8 * fabs(slope) / 2)) <= 1e-11))
                fail_msg("%s: lambda is %.15g i", f, w);
            if (!(fabs(by(&x, "p", i)[1] - w / 1.6) <= 1e-11))
                fail_msg("%s: by p %.15g and not %.15g", f, by(&x, "p", i)[1], w / 1.6);
        }
        drop(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_of_an_expression),
        cmocka_unit_test(oscillator),
        cmocka_unit_test(pendulum),
        cmocka_unit_test(cluster),
        cmocka_unit_test(nearly_repeated),
        cmocka_unit_test(symmetric_rotor),
        cmocka_unit_test(spline),
        cmocka_unit_test(angle_as_written),
        cmocka_unit_test(refusal),
        cmocka_unit_test(filter),
        cmocka_unit_test(tilted),
        cmocka_unit_test(many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
