/* Tests of system/histories: values and rates of inputs that follow a function of time. */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/effort.h"
#include "support/mechanisms.h"

static const char text[] = "parameters: {f: 3, T: 1.5}\n"
                           "bodies: {b: {mass: 2, inertia: [1, 1, 1]}}\n"
                           "inputs: {rest: 4, swing: 7, power: 0, fixed: 1}\n"
                           "operating_point: {time: 0.5}\n"
                           "simulate:\n"
                           "  inputs:\n"
                           "    swing: \"sin(f*time)*exp(-time/T) + cosh(time^2)\"\n"
                           "    power: \"sqrt(time + T)/(1 + time^2)^1.5\"\n"
                           "    fixed: \"2*f\"\n";

enum { REST, SWING, POWER, FIXED, N_INPUTS };

/* The same functions, written again for a complex time. */
static double complex function(int input, double complex t)
{
    static const double f = 3, T = 1.5;
    switch (input) {
    case REST: return 4;
    case SWING: return csin(f * t) * cexp(-t / T) + ccosh(t * t);
    case POWER: return csqrt(t + T) / cpow(1 + t * t, 1.5);
    default: return 2 * f;
    }
}

/* g(t) = f'(t) by a complex step of f; its own complex step needs a second imaginary unit, so f''
 * is read off f on a circle about t (Lyness and Moler 1967): f'' = 2/(N r^2) sum f e^(-2 i phi). */
static double first_rate(int input, double t)
{
    static const double h = 1e-30;
    return cimag(function(input, t + h * I)) / h;
}

static double second_rate(int input, double t)
{
    enum { N = 32 };
    static const double r = 0.1, pi = 3.14159265358979323846;
    double complex sum = 0;
    for (int k = 0; k < N; k++) {
        const double phi = 2 * pi * k / N;
        sum += function(input, t + r * cexp(phi * I)) * cexp(-2 * phi * I);
    }
    return 2 * creal(sum) / (N * r * r);
}

static void assert_close(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance * (1 + fabs(expected))))
        fail_msg("%.17g was expected, %.17g found", expected, found);
}

static void check_at(const test_mechanism *t, double time)
{
    const int n = t->m->n_signals, first = n - N_INPUTS;
    t->state->t = time;
    assert_int_equal(rt_input_histories_set(t->m, t->state, NULL), ROUTH_OK);
    for (int k = 0; k < N_INPUTS; k++) {
        assert_close(t->state->signal[first + k], creal(function(k, time)), 1e-15);
        assert_close(t->state->signal[n + first + k], first_rate(k, time), 1e-14);
        assert_close(t->state->signal[2 * n + first + k], second_rate(k, time), 1e-12);
    }
}

static void values_and_rates_are_those_of_the_function(void **unused)
{
    (void)unused;
    test_mechanism t;
    mechanism_make(&t, text);
    for (int k = 0; k < with_effort(20); k++) check_at(&t, -0.7 + 0.13 * (k % 20));
    mechanism_release(&t);
}

/* `value` says 7, the history something else at the time 0.5. */
static void the_history_wins_at_the_operating_point(void **unused)
{
    (void)unused;
    test_mechanism t;
    mechanism_make(&t, text);
    const int n = t.m->n_signals, first = n - N_INPUTS;
    assert_close(t.state->signal[first + REST], 4, 0);
    assert_close(t.state->signal[first + SWING], creal(function(SWING, 0.5)), 1e-15);
    assert_close(t.state->signal[n + first + SWING], first_rate(SWING, 0.5), 1e-14);
    routh_operating_point *point = mechanism_point(&t);
    bool found = false;
    for (int k = 0; k < point->n_signals; k++) {
        if (strcmp(point->signals[k].name, "swing") != 0) continue;
        assert_close(point->signals[k].value, creal(function(SWING, 0.5)), 1e-15);
        found = true;
    }
    assert_true(found);
    routh_operating_point_free(point);
    mechanism_release(&t);
}

static void an_input_that_an_event_holds_keeps_its_value(void **unused)
{
    (void)unused;
    test_mechanism t;
    mechanism_make(&t, text);
    const int n = t.m->n_signals, at = n - N_INPUTS + SWING;
    t.state->held[SWING] = true;
    t.state->signal[at] = 17;
    t.state->t = 1;
    assert_int_equal(rt_input_histories_set(t.m, t.state, NULL), ROUTH_OK);
    assert_close(t.state->signal[at], 17, 0);
    assert_close(t.state->signal[at + 1], creal(function(POWER, 1)), 1e-15);
    mechanism_release(&t);
}

static void a_history_that_is_not_finite_is_named(void **unused)
{
    (void)unused;
    test_mechanism t;
    routh_error error = {0};
    mechanism_make(&t, "bodies: {b: {mass: 2, inertia: [1, 1, 1]}}\n"
                       "inputs: {swing: 7}\n"
                       "simulate: {inputs: {swing: \"sqrt(1 - time)\"}}\n");
    t.state->t = 2;
    assert_int_equal(rt_input_histories_set(t.m, t.state, &error), ROUTH_NUMERIC_ERROR);
    assert_string_equal(error.element, "input swing");
    assert_int_equal(error.line, 3);
    mechanism_release(&t);
}

/* A cart driven along s(in), in = 0.3 t^2 + 0.2 t: at t = 2 its motion is that of the same function
 * written as one of time. */
#define CART                                                                                       \
    "bodies: {b: {mass: 2, inertia: [1, 1, 1]}}\n"                                                 \
    "operating_point: {time: 2%s}\n"                                                               \
    "joints:\n"                                                                                    \
    "  rail: {type: translational, between: [b, ground], axis: x, at: [0, 0, 0]}\n"                \
    "  drive: {type: motion, joint: rail, function: \"sin(%s)\"}\n"

static void make_cart(test_mechanism *t, const char *type, bool as_input, const char *coordinates)
{
    char model[1024];
    int n = snprintf(model, sizeof model, CART, type, as_input ? "in" : "0.3*time^2 + 0.2*time");
    if (as_input)
        snprintf(model + n, sizeof model - (size_t)n,
                 "inputs: {in: 5}\nsimulate: {inputs: {in: \"0.3*time^2 + 0.2*time\"}}\n");
    mechanism_make(t, model);
    if (!coordinates) return;
    rt_state_free(t->state);
    rt_workspace_free(t->w);
    routh_mechanism_free(t->m);
    assert_int_equal(routh_mechanism_compile(&t->m, t->model, coordinates, NULL), ROUTH_OK);
    assert_int_equal(rt_workspace_create(&t->w, t->m, NULL), ROUTH_OK);
    assert_int_equal(rt_state_create(&t->state, t->m, NULL), ROUTH_OK);
}

static void rates_of_an_input_drive_a_motion(void **unused)
{
    (void)unused;
    for (int k = 0; routh_coordinate_name(k); k++) {
        test_mechanism a, b;
        make_cart(&a, "", true, routh_coordinate_name(k));
        make_cart(&b, "", false, routh_coordinate_name(k));
        routh_operating_point *x = mechanism_point(&a), *y = mechanism_point(&b);
        /* sin(s), s = 1.6, s' = 1.4, s'' = 0.6 */
        assert_close(x->bodies[0].position[0], sin(1.6), 1e-14);
        assert_close(x->bodies[0].velocity[0], cos(1.6) * 1.4, 1e-14);
        assert_close(x->bodies[0].velocity[0], y->bodies[0].velocity[0], 1e-14);
        for (int c = 0; c < a.m->n_u; c++)
            assert_close(x->state->udot[c], y->state->udot[c], 1e-13);
        routh_operating_point_free(x);
        routh_operating_point_free(y);
        mechanism_release(&a);
        mechanism_release(&b);
    }
}

static void in_a_static_equilibrium_inputs_stand_still(void **unused)
{
    (void)unused;
    test_mechanism t;
    make_cart(&t, ", type: static", true, NULL);
    routh_operating_point *point = mechanism_point(&t);
    assert_close(point->bodies[0].position[0], sin(1.6), 1e-12);
    assert_close(point->bodies[0].velocity[0], 0, 0);
    assert_close(point->state->signal[t.m->n_signals], 0, 0);
    routh_operating_point_free(point);
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_rates_are_those_of_the_function),
        cmocka_unit_test(the_history_wins_at_the_operating_point),
        cmocka_unit_test(an_input_that_an_event_holds_keeps_its_value),
        cmocka_unit_test(a_history_that_is_not_finite_is_named),
        cmocka_unit_test(rates_of_an_input_drive_a_motion),
        cmocka_unit_test(in_a_static_equilibrium_inputs_stand_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
