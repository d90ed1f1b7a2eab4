/* Derivatives of the frequency response against closed forms, and against those of the response
 * itself at neighbouring parameters. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routh/sensitivity.h"
#include "support/mechanisms.h"

static const double TWO_PI = 6.283185307179586476925286766559;

typedef struct found {
    test_mechanism t;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
    routh_response *response;
    routh_response_sensitivity *s;
} found;

static void find_response(found *f, const char *yaml, const char *const *parameters,
                          const routh_response_options *o)
{
    routh_error error = {0};
    *f = (found){0};
    mechanism_make_with(&f->t, yaml, parameters);
    f->point = mechanism_point(&f->t);
    if (routh_linear_compute(&f->linear, f->t.m, f->point, NULL, &error))
        fail_msg("%s", error.message);
    assert_int_equal(routh_modes_compute(&f->modes, f->linear, &error), ROUTH_OK);
    if (routh_response_compute(&f->response, f->linear, f->modes, o, &error))
        fail_msg("%s", error.message);
}

static void find(found *f, const char *yaml, const routh_response_options *o,
                 const routh_response_sensitivity_options *options)
{
    static const char *const none[] = {NULL};
    routh_error error = {0};
    find_response(f, yaml, none, o);
    if (routh_response_sensitivity_compute(&f->s, f->t.m, f->point, f->linear, f->response, o,
                                           options, &error))
        fail_msg("%s", error.message);
}

static void drop(found *f)
{
    routh_response_sensitivity_free(f->s);
    routh_response_free(f->response);
    routh_modes_free(f->modes);
    routh_linear_free(f->linear);
    routh_operating_point_free(f->point);
    mechanism_release(&f->t);
}

static int parameter(const found *f, const char *name)
{
    for (int p = 0; p < f->s->n_parameters; p++)
        if (strcmp(f->s->parameters[p], name) == 0) return p;
    fail_msg("no %s", name);
    return -1;
}

static double _Complex by(const found *f, int p, int k, int c)
{
    const double *x =
        f->s->by[((size_t)p * (size_t)f->s->n + (size_t)k) * (size_t)f->s->n_channels + (size_t)c];
    return x[0] + I * x[1];
}

static void assert_near(double _Complex got, double _Complex wanted, double scale, double allowed,
                        const char *what)
{
    if (!(cabs(got - wanted) <= allowed * scale))
        fail_msg("%s: %.12g%+.12gi is not %.12g%+.12gi", what, creal(got), cimag(got),
                 creal(wanted), cimag(wanted));
}

#define OSCILLATOR                                                                                 \
    "parameters: {m: 2, c: 3, k: 50, g: 9.81}\n"                                                   \
    "gravity: [0, 0, -g]\n"                                                                        \
    "bodies:\n  b: {mass: m, inertia: [1, 1, 1], position: [0, 0, -1]}\n"                          \
    "joints:\n  j: {type: translational, between: [b, ground], axis: z}\n"                         \
    "loads:\n  s: {type: spring, between: [b, ground], stiffness: k, damping: c}\n"                \
    "operating_point: {type: static}\n"

/* H = 1 / (k + c s + m s^2): H_m = -s^2 H^2, H_c = -s H^2, H_k = -H^2. The peak is at
 * w^2 = k/m - c^2/2m^2 with |H| = 1 / (c sqrt(k/m - c^2/4m^2)). */
static void oscillator(void **unused)
{
    (void)unused;
    static const double hz[] = {0, 0.3, 0.77, 5};
    routh_response_options o = routh_response_defaults();
    o.inputs = "b.z", o.outputs = "b.z";
    o.low = 0.1, o.high = 10, o.n_points = 40;
    const routh_response_sensitivity_options options = {.hz = hz, .n_hz = 4};
    found f;
    find(&f, OSCILLATOR, &o, &options);
    const double m = 2, c = 3, k = 50;
    const int M = parameter(&f, "m"), C = parameter(&f, "c"), K = parameter(&f, "k");
    assert_int_equal(f.s->n, 4);
    for (int i = 0; i < 4; i++) {
        const double _Complex s = I * TWO_PI * hz[i], H = 1 / (k + c * s + m * s * s);
        const double size = cabs(H * H) * (1 + cabs(s * s));
        assert_near(f.s->H[i][0] + I * f.s->H[i][1], H, cabs(H), 1e-13, "H");
        assert_near(by(&f, M, i, 0), -s * s * H * H, size, 1e-13, "H_m");
        assert_near(by(&f, C, i, 0), -s * H * H, size, 1e-13, "H_c");
        assert_near(by(&f, K, i, 0), -H * H, size, 1e-13, "H_k");
        assert_near(by(&f, parameter(&f, "g"), i, 0), 0, size, 1e-13, "H_g");
        const double effect = f.s->magnitude_effect[K * f.s->n + i];
        assert_near(effect, -k * creal(H), fmax(1, k * cabs(H)), 1e-12, "effect of k");
    }
    assert_int_equal(f.s->n_peaks, 1);
    const routh_peak_sensitivity *x = &f.s->peaks[0];
    const double w = sqrt(k / m - c * c / 2 / m / m), d = sqrt(k / m - c * c / 4 / m / m);
    const double top = 1 / (c * d);
    assert_near(x->hz, w / TWO_PI, 1, 1e-9, "peak");
    assert_near(x->magnitude_by[K], -top / (2 * m * d * d), top / k, 1e-10, "height by k");
    assert_near(x->magnitude_by[C], -top / c + top * c / (4 * m * m * d * d), top / c, 1e-10,
                "height by c");
    assert_near(x->magnitude_by[M], -top / (2 * d * d) * (-k / m / m + c * c / 2 / m / m / m),
                top / m, 1e-10, "height by m");
    assert_near(x->hz_by[K], 1 / (2 * m * w) / TWO_PI, x->hz / k, 1e-8, "place by k");
    assert_near(x->hz_by[C], -c / (2 * m * m * w) / TWO_PI, x->hz / c, 1e-8, "place by c");
    assert_near(x->hz_by[M], (-k / m / m + c * c / m / m / m) / (2 * w) / TWO_PI, x->hz / m, 1e-8,
                "place by m");
    drop(&f);
}

/* ---- against the response itself ------------------------------------------------------------- */

enum { N_HZ = 60 };

/* H at the same frequencies, and hz and height of all peaks, with the parameter at value. */
static void at_value(const char *yaml, const char *name, double value,
                     const routh_response_options *o, int n_peaks, double _Complex *H,
                     double *peaks)
{
    char text[40];
    const char *const set[] = {name, text, NULL};
    found f;
    snprintf(text, sizeof text, "%.17g", value);
    find_response(&f, yaml, set, o);
    assert_int_equal(f.response->n, N_HZ);
    for (int k = 0; k < N_HZ * f.response->n_channels; k++)
        H[k] = f.response->re[k] + I * f.response->im[k];
    int n = 0;
    for (int c = 0; c < f.response->n_channels; c++)
        for (int k = 0; k < f.response->channels[c].n_peaks; k++) {
            peaks[n++] = f.response->channels[c].peaks[k].hz;
            peaks[n++] = f.response->channels[c].peaks[k].magnitude;
        }
    assert_int_equal(n, 2 * n_peaks);
    drop(&f);
}

enum { MOST = 600 };

/* Every parameter, by central differences of sixth order. */
static void compare(const char *yaml, const routh_response_options *asked, int n_peaks)
{
    static const double weight[] = {45 / 60.0, -9 / 60.0, 1 / 60.0};
    routh_response_options o = *asked;
    o.n_points = N_HZ;
    found f;
    find(&f, yaml, &o, NULL);
    assert_int_equal(f.s->n_warnings, 0);
    assert_int_equal(f.s->n_peaks, n_peaks);
    const int n = N_HZ * f.s->n_channels;
    assert_true(n <= MOST && 2 * n_peaks <= MOST);
    for (int k = 0; k < n; k++) {
        const double _Complex H = f.response->re[k] + I * f.response->im[k];
        assert_near(f.s->H[k][0] + I * f.s->H[k][1], H, cabs(H), 1e-10, "H");
    }
    for (int p = 0; p < f.s->n_parameters; p++) {
        const char *name = f.s->parameters[p];
        const double x = f.s->values[p], size = fabs(x) > 0 ? fabs(x) : 1, h = 4e-4 * size;
        double _Complex sum[MOST] = {0}, side[MOST];
        double top[MOST] = {0}, peaks[MOST] = {0};
        for (int i = -3; i <= 3; i++) {
            const double w = i ? (i > 0 ? 1 : -1) * weight[abs(i) - 1] / h : 0;
            if (i == 0) continue;
            at_value(yaml, name, x + i * h, &o, n_peaks, side, peaks);
            for (int k = 0; k < n; k++) sum[k] += w * side[k];
            for (int k = 0; k < 2 * n_peaks; k++) top[k] += w * peaks[k];
        }
        for (int k = 0; k < n; k++) {
            char what[80];
            snprintf(what, sizeof what, "%s, channel %d at %g Hz", name, k % f.s->n_channels,
                     f.s->hz[k / f.s->n_channels]);
            const double at = hypot(f.s->H[k][0], f.s->H[k][1]) / size;
            assert_near(by(&f, p, k / f.s->n_channels, k % f.s->n_channels), sum[k],
                        fmax(cabs(sum[k]), at), 1e-7, what);
        }
        for (int k = 0; k < n_peaks; k++) {
            const routh_peak_sensitivity *y = &f.s->peaks[k];
            char what[80];
            snprintf(what, sizeof what, "%s, output %d, peak at %g Hz", name, y->output, y->hz);
            assert_near(y->hz_by[p], top[2 * k], y->hz / size, 1e-6, what);
            assert_near(y->magnitude_by[p], top[2 * k + 1], y->magnitude / size, 1e-6, what);
        }
    }
    drop(&f);
}

/* A road that prescribes a motion, through its two rates too; a controller; outputs that feel
 * accelerations and joint forces. */
#define QUARTER_CAR                                                                                \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "parameters: {mb: 320, mw: 40, k: 18e3, c: 900, kt: 190e3, sky: 2200, leak: 2, lag: 0.01}\n"   \
    "inputs:\n  road: {value: 0, unit: m}\n  load: {value: 0, unit: N}\n"                          \
    "bodies:\n  body: {mass: mb, inertia: [60, 60, 60], position: [0, 0, 0.75]}\n"                 \
    "  wheel: {mass: mw, inertia: [1, 1.5, 1], position: [0, 0, 0.32]}\n"                          \
    "  patch: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n"                                            \
    "joints:\n  strut: {type: translational, between: [body, ground], axis: z}\n"                  \
    "  guide: {type: translational, between: [wheel, ground], axis: z}\n"                          \
    "  shaker: {type: translational, between: [patch, ground], axis: z}\n"                         \
    "  profile: {type: motion, joint: shaker, function: road}\n"                                   \
    "controllers:\n"                                                                               \
    "  velocity: {type: differential, rate: ACCZ(body) - velocity/leak, initial: 0}\n"             \
    "  actuator: {type: implicit, equation: lag*RATE(actuator) + actuator + sky*velocity, "        \
    "initial: 0}\n"                                                                                \
    "loads:\n  suspension: {type: spring, between: [body, wheel], stiffness: k, damping: c, "      \
    "force: actuator}\n"                                                                           \
    "  tyre: {type: spring, between: [wheel, patch], stiffness: kt, damping: 60}\n"                \
    "  cargo: {type: force, on: body, components: [0, 0, -load]}\n"                                \
    "outputs:\n  acceleration: {expression: ACCZ(body)/(1 + kt/1e6)}\n"                            \
    "  travel: {expression: \"DZ(body, wheel)\"}\n"                                                \
    "  push: {expression: FZ(profile) + load/leak}\n"                                              \
    "operating_point: {type: static}\n"

static void through_controllers(void **unused)
{
    (void)unused;
    routh_response_options o = routh_response_defaults();
    o.low = 0.4, o.high = 12;
    compare(QUARTER_CAR, &o, 10);
    o.low = 1;
    o.reference = ROUTH_ACCELERATION;
    o.outputs = "travel,velocity,wheel.z'";
    compare(QUARTER_CAR, &o, 6);
}

/* A crane leans where a wind blows; the ground shakes, or something pushes on its angle. What is
 * seen moves with the point. */
#define CRANE                                                                                      \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "parameters: {m: 3, l: 0.8, J: 0.2, k: 400, c: 2, d: 0.3, wind: 7, b: 0.1}\n"                  \
    "bodies:\n  cart: {mass: 5, inertia: [1, 1, 1]}\n"                                             \
    "  rope: {mass: m, inertia: [J, J, J/3], position: [0, b, -l]}\n"                              \
    "markers:\n  hook: {body: rope, position: [b, 0, -l/2]}\n  wall: {body: ground, position: "    \
    "[2, 0, 0]}\n"                                                                                 \
    "joints:\n  rail: {type: translational, between: [cart, ground], axis: x}\n"                   \
    "  pin: {type: revolute, between: [rope, cart], at: [0, 0, 0], axis: y}\n"                     \
    "loads:\n  spring: {type: spring, between: [cart, wall], stiffness: k, damping: c}\n"          \
    "  twist: {type: torsion_spring, between: [rope, cart], axis: y, stiffness: 1, damping: d}\n"  \
    "  blow: {type: force, on: hook, components: [wind, 0, 0]}\n"                                  \
    "outputs:\n  high: {expression: DZ(hook)}\n  pull: {expression: FX(pin)}\n"                    \
    "operating_point: {type: static}\nlinearize: {states: [cart.x, rope.ry]}\n"

static void from_the_ground(void **unused)
{
    (void)unused;
    routh_response_options o = routh_response_defaults();
    o.low = 0.2, o.high = 8;
    o.base = ROUTH_BASE_X;
    o.outputs = "cart.x,rope.ry,high,cart.x'";
    compare(CRANE, &o, 10);
    o.base = ROUTH_BASE_NONE;
    o.inputs = "rope.ry";
    o.outputs = "cart.x,high";
    compare(CRANE, &o, 6);
}

/* A weight on a spring with a table and a torsion spring with another, at an equilibrium that the
 * numbers of both move. */
#define TABLES                                                                                     \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "parameters: {m: 0.4, a: 5, b: 11, t: 0.9, c: 0.5, d: 1.1}\n"                                  \
    "bodies:\n  bob: {mass: m, inertia: [0.1, 0.1, 0.1], position: [0.3, 0, -1.1]}\n"              \
    "  arm: {mass: 0.2, inertia: [0.1, 0.1, 0.1], position: [0.3, 0, 0]}\n"                        \
    "joints:\n  hinge: {type: revolute, between: [arm, ground], at: [0, 0, 0], axis: y}\n"         \
    "  slide: {type: translational, between: [bob, arm], axis: z}\n"                               \
    "loads:\n  band: {type: spring, between: [bob, arm], free_length: 1, damping: 0.3,\n"          \
    "         table: [[0, 0], [c, a*t], [2*c, 2*a], [2, 2*a + b]],\n"                             \
    "         interpolation: cubic}\n"                                                          \
    "  coil: {type: torsion_spring, between: [arm, ground], axis: y, damping: 0.2,\n"              \
    "         table: [[-2*d, -b*a], [0, 0], [1, b^2/4], [d + 1, 60]],\n"                          \
    "         interpolation: cubic}\n"                                                          \
    "operating_point: {type: static}\nlinearize: {states: [arm.ry, bob.z]}\n"

static void through_tables(void **unused)
{
    (void)unused;
    routh_response_options o = routh_response_defaults();
    o.low = 0.05, o.high = 8;
    o.inputs = "bob.z", o.outputs = "bob.z,arm.ry";
    compare(TABLES, &o, 4);
}

/* What is refused says why. */
static void refusals(void **unused)
{
    (void)unused;
    static const double below[] = {-1};
    const routh_response_sensitivity_options options = {.hz = below, .n_hz = 1};
    routh_response_options o = routh_response_defaults();
    routh_response_sensitivity *s;
    routh_error error = {0};
    found f;
    o.low = 1, o.high = 8;
    o.inputs = "rope.ry", o.outputs = "high";
    find_response(&f, CRANE, (const char *const[]){NULL}, &o);
    o.outputs = "pull";
    assert_int_equal(routh_response_sensitivity_compute(&s, f.t.m, f.point, f.linear, f.response,
                                                        &o, NULL, &error),
                     ROUTH_NOT_SUPPORTED);
    assert_non_null(strstr(error.message, "pull depends on accelerations or joint forces"));
    o.outputs = "high,cart.x";
    assert_int_equal(routh_response_sensitivity_compute(&s, f.t.m, f.point, f.linear, f.response,
                                                        &o, NULL, &error),
                     ROUTH_BAD_ARGUMENT);
    assert_null(s);
    drop(&f);
    find_response(&f, CRANE, (const char *const[]){NULL}, &o);
    assert_int_equal(routh_response_sensitivity_compute(&s, f.t.m, f.point, f.linear, f.response,
                                                        &o, &options, &error),
                     ROUTH_BAD_ARGUMENT);
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oscillator),      cmocka_unit_test(through_controllers),
        cmocka_unit_test(from_the_ground), cmocka_unit_test(through_tables),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
