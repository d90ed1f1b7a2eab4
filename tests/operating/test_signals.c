/* Rates of controllers and variables found with the accelerations, against closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "operating/operating.h"
#include "support/mechanisms.h"

/* A body of 2 kg on a straight track along x. */
#define CART                                                                                       \
    "gravity: [0, 0, -10]\n"                                                                       \
    "bodies: {cart: {mass: 2, inertia: [1, 1, 1], velocity: [3, 0, 0]}}\n"                         \
    "joints: {track: {type: translational, between: [ground, cart], axis: x}}\n"
#define PUSH(force) "loads: {push: {type: force, on: cart, components: [\"" force "\", 0, 0]}}\n"
#define V(name, value) "  " name ": \"" value "\"\n"

static const double tight = 1e-13;

static void near(double x, double wanted, double within)
{
    if (!(fabs(x - wanted) <= within)) fail_msg("%.17g is not %.17g", x, wanted);
}

static double signal_of(const test_mechanism *t, const routh_operating_point *p, int place)
{
    (void)t;
    return p->state->signal[place];
}

/* The operating point of the text in each coordinate set; `check` is called for each. */
static void in_all_coordinates(const char *yaml,
                               void (*check)(const test_mechanism *, const routh_operating_point *))
{
    test_mechanism t;
    mechanism_make(&t, yaml);
    for (int k = 0; routh_coordinate_name(k); k++) {
        test_mechanism other = {.model = t.model};
        routh_operating_point *p = NULL;
        routh_error error;
        if (routh_mechanism_compile(&other.m, t.model, routh_coordinate_name(k), &error) ||
            rt_workspace_create(&other.w, other.m, &error) ||
            routh_operating_point_find(&p, other.m, NULL, &error))
            fail_msg("%s: %s", routh_coordinate_name(k), error.message);
        if (rt_evaluate(other.m, other.w, p->state, RT_EVALUATE_ALL, &error))
            fail_msg("%s", error.message);
        check(&other, p);
        routh_operating_point_free(p);
        rt_workspace_free(other.w);
        routh_mechanism_free(other.m);
    }
    mechanism_release(&t);
}

static double acceleration_x(const test_mechanism *t) { return t->w->bodies[0].a[0]; }

/* x' = (VX - x)/tau with tau = 0.5, x = 1, VX = 3; force 2 RATE(x) */
static void check_lag(const test_mechanism *t, const routh_operating_point *p)
{
    near(signal_of(t, p, 0), 1, 0);
    near(signal_of(t, p, 1), 4, 4 * tight);
    near(acceleration_x(t), 4, 4 * tight);
}

static void a_lag_has_its_rate_and_pushes(void **state)
{
    (void)state;
    in_all_coordinates(CART PUSH("2*RATE(x)") "controllers: {x: {type: implicit, equation: "
                                              "\"0.5*RATE(x) + x - VX(cart)\", initial: 1}}\n",
                       check_lag);
}

/* v = w + 1, w = 2 v - VX (3): v = 2, w = 1; their inverse 1/w explicit, from 1/0 */
static void check_coupled(const test_mechanism *t, const routh_operating_point *p)
{
    near(signal_of(t, p, 0), 2, 2 * tight);
    near(signal_of(t, p, 1), 1, 2 * tight);
    near(signal_of(t, p, 2), 1, 2 * tight);
    near(acceleration_x(t), 1.5, 2 * tight);
}

static void variables_that_depend_on_one_another_are_solved_together(void **state)
{
    (void)state;
    in_all_coordinates(
        CART PUSH("v + inverse") "variables:\n" V(
            "v", "w + 1") "  w: {expression: \"2*v - VX(cart)\", guess: 0.5}\n" V("inverse", "1/w"),
        check_coupled);
}

/* Roots have no slope at 0, where nobody's guess puts these */
static void check_roots(const test_mechanism *t, const routh_operating_point *p)
{
    near(signal_of(t, p, 0), 2, 2 * tight);
    near(signal_of(t, p, 1), 4, 4 * tight);
    near(signal_of(t, p, 2), 0.5, tight);
}

static void explicit_variables_need_no_guess(void **state)
{
    (void)state;
    in_all_coordinates(CART PUSH("last") "variables:\n" V("root", "sqrt(square)")
                           V("square", "VX(cart)^2 - 5") V("last", "1/root"),
                       check_roots);
}

/* v = cos(w), w = v^2: v = cos(v^2) */
static void check_nonlinear(const test_mechanism *t, const routh_operating_point *p)
{
    const double v = signal_of(t, p, 0), w = signal_of(t, p, 1);
    near(v, cos(w), tight);
    near(w, v * v, tight);
    assert_true(v > 0.7 && v < 0.9);
}

static void nonlinear_variables_are_solved_together(void **state)
{
    (void)state;
    in_all_coordinates(CART PUSH("v") "variables:\n" V("v", "cos(w)") V("w", "v^2"),
                       check_nonlinear);
}

/* f = 6 - k a, k = 4: 2 a = 6 - 4 a, a = 1, v = 4 */
static void check_feedback(const test_mechanism *t, const routh_operating_point *p)
{
    near(acceleration_x(t), 1, 4 * tight);
    near(signal_of(t, p, 0), 4, 16 * tight);
}

static void acceleration_feedback_is_solved_with_the_motion(void **state)
{
    (void)state;
    in_all_coordinates(CART PUSH("6 - v") "variables:\n" V("v", "4*ACCX(cart)"), check_feedback);
}

/* 2 a = 6 - v, v = a^3: 2 a + a^3 = 6 */
static void check_cubic(const test_mechanism *t, const routh_operating_point *p)
{
    const double a = acceleration_x(t);
    near(2 * a + a * a * a, 6, 100 * tight);
    near(signal_of(t, p, 0), a * a * a, 100 * tight);
}

/* Rounding of what turning takes, I w^2 = 35 kN m, is far above the force of 1e-10 N. */
static void check_fast(const test_mechanism *t, const routh_operating_point *p)
{
    near(signal_of(t, p, 0), -1e-10, 1e-22);
    near(acceleration_x(t), -2.5e-11, 1e-10);
}

static void a_fast_rotor_with_next_to_no_force_is_solved(void **state)
{
    (void)state;
    in_all_coordinates("bodies: {rotor: {mass: 4, inertia: [0.022, 0.022, 0.008],"
                       " position: [1e-12, 0, 0], angular_velocity: [0, 0, 1257],"
                       " orientation: {axis: [1, 0.2, 0.1], angle: 0.3}}}\n"
                       "loads: {bearing: {type: force, on: rotor, components: [pull, 0, 0]}}\n"
                       "variables: {pull: -100*DX(rotor)}\n",
                       check_fast);
}

static void nonlinear_acceleration_feedback_is_solved(void **state)
{
    (void)state;
    in_all_coordinates(CART PUSH("6 - v") "variables:\n" V("v", "ACCX(cart)^3"), check_cubic);
}

/* Loads and variables nonlinear in accelerations and in one another: with a = 1.5 and v = 2,
 *     2 a = 3 = 4 - v a^2 + w,  w = v - a + 3,  v^3 + a = 9.5 */
static void check_all(const test_mechanism *t, const routh_operating_point *p)
{
    const double a = acceleration_x(t), v = signal_of(t, p, 0), w = signal_of(t, p, 1);
    near(v, 2, 1e-12);
    near(a, 1.5, 1e-12);
    near(w, 3.5, 1e-12);
}

static void loads_and_variables_nonlinear_in_everything_are_solved(void **state)
{
    (void)state;
    in_all_coordinates(CART PUSH("4 - v*ACCX(cart)^2 + w") "variables:\n  v: {expression: \"(9.5 - "
                                                           "ACCX(cart))^(1/3)\", guess: 1}\n"
                                                           "  w: \"v - ACCX(cart) + 3\"\n",
                       check_all);
}

/* friction v = 0.1 |N|, N = 2 kg 10 m/s^2 + the lift 5: a = -(0.1 * 15)/2. The track's force on its
 * first marker, the ground, is -15 along z. */
static void check_friction(const test_mechanism *t, const routh_operating_point *p)
{
    near(signal_of(t, p, 0), 1.5, 10 * tight);
    near(acceleration_x(t), -0.75, 10 * tight);
}

static void variables_may_use_joint_reactions(void **state)
{
    (void)state;
    in_all_coordinates(CART "loads: {push: {type: force, on: cart, components: [\"-v\", 0, 5]}}\n"
                            "variables:\n" V("v", "0.1*abs(FZ(track))"),
                       check_friction);
}

/* lift v = 3 F, F = v - 20 N the track's force on the ground: v = 30, by steps of its own it would
 * run away. */
static void check_lift(const test_mechanism *t, const routh_operating_point *p)
{
    near(signal_of(t, p, 0), 30, 300 * tight);
    near(acceleration_x(t), 0, tight);
}

static void a_joint_force_that_feeds_back_on_itself_is_solved(void **state)
{
    (void)state;
    in_all_coordinates(CART "loads: {push: {type: force, on: cart, components: [0, 0, v]}}\n"
                            "variables:\n" V("v", "3*FZ(track)"),
                       check_lift);
}

/* ---- what has no solution -------------------------------------------------------------------- */

static routh_error refused(const char *yaml, routh_status status)
{
    test_mechanism t;
    routh_operating_point *p = NULL;
    routh_error error = {0};
    mechanism_make(&t, yaml);
    assert_int_equal(routh_operating_point_find(&p, t.m, NULL, &error), status);
    assert_null(p);
    mechanism_release(&t);
    return error;
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("\"%s\" is not in \"%s\"", part, text);
}

/* 2 a = 6 - v, v = -2 a */
static void a_loop_of_gain_one_is_told(void **state)
{
    (void)state;
    const routh_error error =
        refused(CART PUSH("6 - v") "variables:\n" V("v", "-2*ACCX(cart)") V("other", "v + 1"),
                ROUTH_SINGULAR);
    assert_string_equal(error.element, "variable v");
    has(error.message, "algebraic loop");
    has(error.message, "v depends on itself");
    assert_int_equal(error.line, 6);
}

/* a gain of one but for the rounding of 0.1 + 0.2 is no solution either */
static void a_loop_of_two_names_both(void **state)
{
    (void)state;
    const routh_error error = refused(CART "variables:\n" V("v", "0.3*w + 1")
                                          V("w", "v/(0.1 + 0.2)") V("free", "VX(cart)"),
                                      ROUTH_SINGULAR);
    has(error.message, "v and w depend on one another");
    assert_null(strstr(error.message, "free"));
}

/* the cart stands at 0 */
static void an_equation_that_does_not_fix_its_rate_is_told(void **state)
{
    (void)state;
    const routh_error error =
        refused(CART "controllers: {x: {type: implicit, equation: \"RATE(x)*DX(cart) + x - "
                     "VX(cart)\"}}\nvariables:\n" V("v", "x"),
                ROUTH_SINGULAR);
    assert_string_equal(error.element, "controller x");
    has(error.message, "do not determine the rate of x");
    has(error.message, "use RATE of the state");
}

/* v^2 + 1 = 0 */
static void what_does_not_settle_is_named(void **state)
{
    (void)state;
    const routh_error error = refused(
        CART "variables: {v: {expression: \"v + v^2 + 1\", guess: 0.7}}\n", ROUTH_NUMERIC_ERROR);
    assert_string_equal(error.element, "variable v");
    has(error.message, "the residual is");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lag_has_its_rate_and_pushes),
        cmocka_unit_test(variables_that_depend_on_one_another_are_solved_together),
        cmocka_unit_test(explicit_variables_need_no_guess),
        cmocka_unit_test(nonlinear_variables_are_solved_together),
        cmocka_unit_test(acceleration_feedback_is_solved_with_the_motion),
        cmocka_unit_test(a_fast_rotor_with_next_to_no_force_is_solved),
        cmocka_unit_test(nonlinear_acceleration_feedback_is_solved),
        cmocka_unit_test(loads_and_variables_nonlinear_in_everything_are_solved),
        cmocka_unit_test(variables_may_use_joint_reactions),
        cmocka_unit_test(a_joint_force_that_feeds_back_on_itself_is_solved),
        cmocka_unit_test(a_loop_of_gain_one_is_told),
        cmocka_unit_test(a_loop_of_two_names_both),
        cmocka_unit_test(an_equation_that_does_not_fix_its_rate_is_told),
        cmocka_unit_test(what_does_not_settle_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
