/* Boundaries over two parameters, held against closed forms at every point; turning points, closed
 * curves and ends. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <routh/routh.h>

#include "support/mechanisms.h"
#include "support/temporary.h"

static routh_sweep *run(const char *example, const char *first, const routh_sweep_options *options)
{
    const char *source = getenv("ROUTH_SOURCE");
    char path[1024];
    routh_error error = {0};
    routh_sweep_axis axes[1] = {{0}};
    routh_sweep *sweep = NULL;
    snprintf(path, sizeof path, "%s/examples/%s", source ? source : ".", example);
    if (routh_sweep_axis_parse(&axes[0], first, NULL, &error)) fail_msg("%s", error.message);
    if (routh_sweep_run(&sweep, path, axes, 1, options, &error)) fail_msg("%s", error.message);
    routh_sweep_axis_free(&axes[0]);
    return sweep;
}

static routh_sweep *run_text(const char *yaml, const char *values,
                             const routh_sweep_options *options)
{
    char *path = write_temporary(yaml);
    routh_error error = {0};
    routh_sweep_axis axis;
    routh_sweep *sweep = NULL;
    assert_int_equal(routh_sweep_axis_parse(&axis, values, NULL, &error), ROUTH_OK);
    const routh_status status = routh_sweep_run(&sweep, path, &axis, 1, options, &error);
    unlink(path);
    free(path);
    if (status) fail_msg("%s", error.message);
    routh_sweep_axis_free(&axis);
    return sweep;
}

/* M s^2 + c C s + K(load), rods without mass (the masses are points but for J):
 *     M = [3 + J, 1; 1, 1 + J],  C = [2, -1; -1, 1],  K = [2 - load, load - 1; -1, 1]
 * in m, l, k of 1, absolute angles. Returns the coefficients of s^4 .. s^0. */
static void column(double J, double c, double load, double a[5])
{
    const double M[4] = {3 + J, 1, 1, 1 + J}, C[4] = {2 * c, -c, -c, c},
                 K[4] = {2 - load, load - 1, -1, 1};
    a[0] = M[0] * M[3] - M[1] * M[2];
    a[1] = M[0] * C[3] + C[0] * M[3] - M[1] * C[2] - C[1] * M[2];
    a[2] = M[0] * K[3] + K[0] * M[3] - M[1] * K[2] - K[1] * M[2] + C[0] * C[3] - C[1] * C[2];
    a[3] = C[0] * K[3] + K[0] * C[3] - C[1] * K[2] - K[1] * C[2];
    a[4] = K[0] * K[3] - K[1] * K[2];
}

/* Undamped: a2^2 - 4 a0 a4; damped, by Hurwitz: a1 a2 a3 - a0 a3^2 - a1^2 a4. */
static double column_function(double c, double load)
{
    double a[5];
    column(1e-6, c, load, a);
    return c == 0 ? a[2] * a[2] - 4 * a[0] * a[4]
                  : (a[1] * a[2] * a[3] - a[0] * a[3] * a[3] - a[1] * a[1] * a[4]) / (c * c);
}

static double column_zero(double c, double from, double to)
{
    for (int k = 0; k < 80; k++) {
        const double middle = (from + to) / 2;
        if ((column_function(c, middle) > 0) == (column_function(c, from) > 0))
            from = middle;
        else
            to = middle;
    }
    return (from + to) / 2;
}

static routh_sweep_options over(const char *parameter, double low, double high)
{
    routh_sweep_options o = routh_sweep_defaults();
    o.boundary = parameter;
    o.boundary_low = low, o.boundary_high = high;
    return o;
}

/* The curve from border to border at second = low and high. */
static const routh_sweep_boundary *across(const routh_sweep *s, int k, double low, double high)
{
    assert_true(k < s->n_boundaries);
    const routh_sweep_boundary *b = &s->boundaries[k];
    assert_true(b->n > 10);
    assert_int_equal(b->closed, 0);
    assert_true(b->border[0] && b->border[1]);
    const double ends[2] = {b->points[0].second, b->points[b->n - 1].second};
    assert_true(fmin(ends[0], ends[1]) == low && fmax(ends[0], ends[1]) == high);
    return b;
}

static void near(double found, double expected, double error)
{
    if (!(fabs(found - expected) <= 1e-10 * fmax(1, fabs(expected))))
        fail_msg("%.15g where %.15g was to be", found, expected);
    if (!(fabs(found - expected) <= 10 * error + 1e-14 * fabs(expected)))
        fail_msg("off by %.2g where %.2g is stated", fabs(found - expected), error);
}

/* Unstable above sqrt(k/m) (1 + outer/inner) */
static void a_rotor_with_damping_in_its_shaft(void **state)
{
    (void)state;
    const routh_sweep_options o = over("inner", 1.1, 6);
    routh_sweep *s = run("jeffcott-rotor.yaml", "spin=1:59:7", &o);
    assert_int_equal(s->n_boundaries, 1);
    assert_string_equal(s->boundary, "inner");
    const routh_sweep_boundary *b = across(s, 0, 1.1, 6);
    for (int i = 0; i < b->n; i++) {
        near(b->points[i].value, 20 * (1 + 2 / b->points[i].second), b->points[i].error);
        assert_true(fabs(b->points[i].eigenvalue[1] - 20) < 1e-9);
    }
    routh_sweep_free(s);
}

/* Damped: a zero of Hurwitz's determinant over load and damping. */
static void a_damped_column(void **state)
{
    (void)state;
    routh_sweep_options o = over("c", 0.01, 0.5);
    const routh_setting damped[] = {{"c", "0.05"}};
    o.settings = damped, o.n_settings = 1;
    routh_sweep *s = run("ziegler-column.yaml", "load=0:2.9:7", &o);
    assert_int_equal(s->n_boundaries, 1);
    const routh_sweep_boundary *b = across(s, 0, 0.01, 0.5);
    for (int i = 0; i < b->n; i++)
        near(b->points[i].value, column_zero(b->points[i].second, 1, 2), b->points[i].error);
    routh_sweep_free(s);
}

/* Undamped: two frequencies meet, and have no derivatives there. The load is as the springs. */
static void an_undamped_column(void **state)
{
    (void)state;
    const routh_sweep_options o = over("k", 0.5, 1.4);
    routh_sweep *s = run("ziegler-column.yaml", "load=0:4:9", &o);
    const double load = column_zero(0, 1, 2.5);
    assert_int_equal(s->n_boundaries, 1);
    const routh_sweep_boundary *b = across(s, 0, 0.5, 1.4);
    for (int i = 0; i < b->n; i++)
        near(b->points[i].value, load * b->points[i].second, b->points[i].error);
    routh_sweep_free(s);
}

/* Critical speeds of a rotor without damping: sqrt(k/m), backward and forward alike. */
static void critical_speeds_over_the_stiffness(void **state)
{
    (void)state;
    routh_sweep_options o = over("k", 300, 1500);
    const routh_setting none[] = {{"inner", "0"}, {"outer", "1"}};
    o.settings = none, o.n_settings = 2;
    o.speed = "spin";
    routh_sweep *s = run("jeffcott-rotor.yaml", "spin=1:39:7", &o);
    assert_true(s->n_boundaries >= 1);
    for (int n = 0; n < s->n_boundaries; n++) {
        const routh_sweep_boundary *b = across(s, n, 300, 1500);
        assert_int_equal(b->kind, ROUTH_SWEEP_CRITICAL);
        for (int i = 0; i < b->n; i++) {
            const double k = b->points[i].second; /* m = 2, outer = 1: s = -1/4 +- i w */
            near(b->points[i].value, sqrt(k / 2 - 1.0 / 16), b->points[i].error);
        }
    }
    routh_sweep_free(s);
}

/* table: of the spring that holds it, from extension to force. */
#define OSCILLATOR(table, damping)                                                                 \
    "parameters: {p: 0, q: 0.3}\n"                                                                 \
    "gravity: [0, 0, 0]\n"                                                                         \
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"                                                 \
    "markers: {wall: {body: ground, position: [-1, 0, 0]}}\n"                                      \
    "joints: {s: {type: translational, between: [a, ground], at: [0, 0, 0], axis: [1, 0, 0]}}\n"   \
    "loads:\n"                                                                                     \
    "  f: {type: force, on: a, components: [-(" damping ")*VX(a), 0, 0]}\n"                        \
    "  k: {type: spring, between: [a, wall], free_length: 1, table: " table "}\n"                  \
    "operating_point: {type: given}\n"
#define FOUR "[[-1, -4], [1, 4]]"

/* Stable outside the unit circle: a closed curve that turns back in p at both sides. */
static void a_curve_that_closes(void **state)
{
    (void)state;
    const routh_sweep_options o = over("q", -1.5, 1.5);
    routh_sweep *s = run_text(OSCILLATOR(FOUR, "p^2 + q^2 - 1"), "p=-1.5:1.4:7", &o);
    assert_int_equal(s->n_boundaries, 1); /* both flutters of the line are on it */
    const routh_sweep_boundary *b = &s->boundaries[0];
    assert_int_equal(b->closed, 1);
    int turns = 0;
    double angle = 0;
    for (int i = 0; i < b->n; i++) {
        const routh_sweep_boundary_point *p = &b->points[i];
        assert_true(fabs(hypot(p->value, p->second) - 1) < 1e-12);
        turns += p->turns;
        if (i == 0) continue;
        const routh_sweep_boundary_point *r = &b->points[i - 1];
        angle += asin(p->second * r->value - p->value * r->second);
    }
    assert_int_equal(turns, 2);
    assert_true(fabs(fabs(angle) - 2 * 3.14159265358979323846) < 1e-9); /* once round */
    routh_sweep_free(s);
}

/* p = q^2: it turns back in p, and both of its ends are at the border where p is 1. */
static void a_curve_that_turns_back(void **state)
{
    (void)state;
    const routh_sweep_options o = over("q", -1.5, 1.5);
    routh_sweep *s = run_text(OSCILLATOR(FOUR, "p - q^2"), "p=-0.5:1:7", &o);
    assert_int_equal(s->n_boundaries, 1);
    const routh_sweep_boundary *b = &s->boundaries[0];
    int turns = 0;
    for (int i = 0; i < b->n; i++) {
        assert_true(fabs(b->points[i].value - pow(b->points[i].second, 2)) < 1e-12);
        turns += b->points[i].turns;
    }
    assert_int_equal(turns, 1);
    assert_true(b->border[0] && b->border[1]);
    assert_true(b->points[0].value == 1 && b->points[b->n - 1].value == 1);
    routh_sweep_free(s);
}

static void refused(const char *yaml, const routh_sweep_options *o, routh_status expected,
                    const char *word)
{
    char *path = write_temporary(yaml);
    routh_error error = {0};
    routh_sweep_axis axis;
    routh_sweep *sweep;
    assert_int_equal(routh_sweep_axis_parse(&axis, "p=-0.5:1:7", NULL, &error), ROUTH_OK);
    assert_int_equal(routh_sweep_run(&sweep, path, &axis, 1, o, &error), expected);
    unlink(path);
    free(path);
    assert_null(sweep);
    if (!strstr(error.message, word)) fail_msg("%s", error.message);
    routh_sweep_axis_free(&axis);
}

static void what_cannot_be_followed_is_refused(void **state)
{
    (void)state;
    const routh_sweep_options far = over("q", 1, 2), same = over("p", -1, 1),
                              none = over("r", 0, 1), through = over("q", -1, 1);
    const char *const plain = OSCILLATOR(FOUR, "p - q^2");
    refused(plain, &far, ROUTH_BAD_ARGUMENT, "a range (--boundary) that contains the value");
    refused(plain, &same, ROUTH_BAD_ARGUMENT, "a second parameter");
    refused(plain, &none, ROUTH_BAD_ARGUMENT, "no parameter 'r'");
    growing_text table = {0}, text = {0};
    text_add_long_table(&table, "q");
    text_add(&text, OSCILLATOR("%s", "p - q^2"), table.bytes);
    refused(text.bytes, &through, ROUTH_NOT_SUPPORTED, "table");
    free(table.bytes);
    free(text.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rotor_with_damping_in_its_shaft),
        cmocka_unit_test(a_damped_column),
        cmocka_unit_test(an_undamped_column),
        cmocka_unit_test(critical_speeds_over_the_stiffness),
        cmocka_unit_test(a_curve_that_closes),
        cmocka_unit_test(a_curve_that_turns_back),
        cmocka_unit_test(what_cannot_be_followed_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
