/* First-order systems in states of the user's own, against closed forms. (Pendulums in angle, x and
 * nonlinear coordinates: tests/methods/test_user_states.c.) */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "closed_form/whole_model.h"

/* Negrut and Ortiz (2006), Eqs. (18) and (19): y' = f(y) in the state s = g(y) has
 *     ds'/ds = f_y + (g_yy/g_y) f.
 * With f = y^2 - 3, g = y^3, y = 1.3 that is 4 y - 6/y = 0.584615...; Eq. (19) is
 *     [1 -f_y 0 0; 0 -g_y 0 1; -g'_y' -g'_y 1 0; 0 0 0 1] (y'_s, y_s, s'_s, s_s) = (0, 0, 0, 1),
 * g' = g_y y', whose third row the paper prints with g'_y twice; that would give -7.2554. */
static const double at = 1.3;

static double right(void) { return 4 * at - 6 / at; }

/* s'_s of Eq. (19) with the first entry of its third row */
static double by_equation_19(double third)
{
    const double f_y = 2 * at, g_y = 3 * at * at, rate_y = 6 * at * (at * at - 3);
    const double y_s = 1 / g_y, ydot_s = f_y * y_s;
    return third * ydot_s + rate_y * y_s;
}

static void assert_near(const char *what, double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-12 * fmax(1, fabs(expected))))
        fail_msg("%s is %.15g and should be %.15g", what, found, expected);
}

static void the_equation_is_right_but_for_its_third_row(void **unused)
{
    (void)unused;
    assert_near("right", by_equation_19(3 * at * at), right());
    assert_near("printed", by_equation_19(6 * at * (at * at - 3)), -7.255384615384615);
}

/* A body that a nonholonomic row leads along x with the speed x^2 - 3: one position, no velocity of
 * its own, in the state s = x^3. */
static void a_body_that_is_led(void **unused)
{
    (void)unused;
    whole_way way = {0};
    for (int k = 0; whole_next_way(&k, &way);) {
        char what[128];
        whole x = whole_parse("bodies:\n"
                              "  a: {mass: 2, inertia: [1, 1, 1], position: [1.3, 0, 0],"
                              " velocity: [-1.31, 0, 0]}\n"
                              "joints:\n"
                              "  rail: {type: translational, between: [a, ground], at: [0, 0, 0],"
                              " axis: x}\n"
                              "  led: {type: nonholonomic, expressions: ['VX(a) - (DX(a)^2 - 3)']}"
                              "\n"
                              "linearize:\n"
                              "  coordinates: {s: DX(a)^3}\n"
                              "  states: [s]\n",
                              &way);
        snprintf(what, sizeof what, "ds'/ds, %s, %s", way.coordinates, way.method);
        assert_int_equal(x.linear->n_states, 1);
        assert_int_equal(x.linear->n_velocity, 0);
        assert_string_equal(x.linear->states[0].name, "s");
        assert_near("s", x.linear->states[0].value, at * at * at);
        assert_near(what, x.linear->A[0], right());
        whole_release(&x);
    }
}

/* The same as a controller: its state is s, and y is the variable that solves s = y^3. */
static void a_controller_with_its_state_behind_a_variable(void **unused)
{
    (void)unused;
    whole_way way = {0};
    for (int k = 0; whole_next_way(&k, &way);) {
        char what[128];
        whole x = whole_parse("bodies:\n"
                              "  a: {mass: 2, inertia: [1, 1, 1]}\n"
                              "joints:\n"
                              "  rail: {type: translational, between: [a, ground], axis: x}\n"
                              "variables:\n"
                              "  y: {expression: y - (y^3 - s)/(3*y^2), guess: 1}\n"
                              "controllers:\n"
                              "  s: {type: differential, rate: 3*y^2*(y^2 - 3), initial: 1.3^3}\n"
                              "linearize: {states: [a.x]}\n",
                              &way);
        snprintf(what, sizeof what, "ds'/ds, %s, %s", way.coordinates, way.method);
        const int s = whole_state(x.linear, "s");
        assert_near(what, x.linear->A[s * x.linear->n_states + s], right());
        whole_release(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_equation_is_right_but_for_its_third_row),
        cmocka_unit_test(a_body_that_is_led),
        cmocka_unit_test(a_controller_with_its_state_behind_a_variable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
