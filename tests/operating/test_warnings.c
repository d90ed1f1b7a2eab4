/* What an operating point warns of, and when it does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/mechanisms.h"

static bool warns(const char *yaml, const char *words)
{
    test_mechanism t;
    mechanism_make(&t, yaml);
    routh_operating_point *point = mechanism_point(&t);
    bool told = false;
    for (int k = 0; k < point->n_warnings; k++) told = told || strstr(point->warnings[k], words);
    routh_operating_point_free(point);
    mechanism_release(&t);
    return told;
}

/* A rod that hangs by its end, with some of its velocities written. */
#define ROD(velocities)                                                                            \
    "bodies: {rod: {mass: 2, inertia: [1, 1, 1], position: [0, 0, -1]" velocities "}}\n"           \
    "joints: {hinge: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: y}}\n"

static const char words[] = "the velocities written do not fit the joints";

static void a_velocity_that_the_joints_do_not_allow(void **unused)
{
    (void)unused;
    assert_true(warns(ROD(", velocity: [0, 0, 5]"), words));
}

/* What is written stays, to the last digit, and the centre of mass follows: v = w x r. */
static void an_angular_velocity_without_its_velocity(void **unused)
{
    (void)unused;
    test_mechanism t;
    assert_false(warns(ROD(", angular_velocity: [0, 3, 0]"), words));
    assert_false(warns(ROD(", velocity: [-3, 0, 0]"), words));
    mechanism_make(&t, ROD(", angular_velocity: [0, 3, 0]"));
    routh_operating_point *point = mechanism_point(&t);
    assert_true(fabs(point->bodies[0].angular_velocity[1] - 3) < 1e-14);
    assert_true(fabs(point->bodies[0].velocity[0] + 3) < 1e-14);
    routh_operating_point_free(point);
    mechanism_release(&t);
}

/* At rest without them, and said; nothing is said where they count, or where none is written. */
static void velocities_that_an_equilibrium_does_not_have(void **unused)
{
    (void)unused;
    static const char said[] = "gives velocities to rod, which a static equilibrium does not have";
    static const char rest[] = "gravity: [0, 0, -9.81]\noperating_point: {type: static}\n";
    char model[600];
    snprintf(model, sizeof model, "%s%s", rest, ROD(", angular_velocity: [0, 3, 0]"));
    assert_true(warns(model, said));
    snprintf(model, sizeof model, "%s%s", rest, ROD(""));
    assert_false(warns(model, said));
    assert_false(warns(ROD(", angular_velocity: [0, 3, 0]"), said));
}

static void a_constraint_without_gradient(void **unused)
{
    (void)unused;
    static const char text[] = "bodies: {a: {mass: 1, inertia: [1, 1, 1], position: [%s, 0, 0]}}\n"
                               "joints: {wall: {type: expression, expression: '%s'}}\n";
    char model[256];
    snprintf(model, sizeof model, text, "0", "DX(a)^2");
    assert_true(warns(model, "joint wall has no gradient here"));
    snprintf(model, sizeof model, text, "0", "DX(a)");
    assert_false(warns(model, "no gradient"));
    snprintf(model, sizeof model, text, "1", "DX(a)^2 - 1");
    assert_false(warns(model, "no gradient"));
}

static void velocities_that_fit_are_not_warned_of(void **unused)
{
    (void)unused;
    assert_false(warns(ROD(""), words));
    assert_false(warns(ROD(", velocity: [-3, 0, 0], angular_velocity: [0, 3, 0]"), words));
}

static void a_static_equilibrium_has_no_use_for_velocities(void **unused)
{
    (void)unused;
    assert_false(warns(ROD(", velocity: [0, 0, 5]") "operating_point: {type: static}\n", words));
}

/* What the joints leave of such a velocity is exactly nothing. */
static void a_velocity_that_is_not_allowed_leaves_rest(void **unused)
{
    (void)unused;
    test_mechanism t;
    mechanism_make(&t, ROD(", velocity: [0, 0, 5], angular_velocity: [3, 0, 0]"));
    routh_operating_point *point = mechanism_point(&t);
    routh_linear *linear = mechanism_linear(&t, point, NULL);
    assert_true(linear->at_rest);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    mechanism_release(&t);
}

/* A valve of gain 2 between -1 and 3 with a dead zone of 0.5, at an input of `at`. */
#define VALVE(at)                                                                                  \
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"                                                 \
    "inputs: {u: " at "}\n"                                                                        \
    "controllers: {valve: {type: gain, input: u, gain: 2, lower: -1, upper: 3, dead_zone: "        \
    "0.5}}\n"                                                                                      \
    "outputs: {y: valve}\n"
#define AT(limit, side)                                                                            \
    "controller valve is exactly at " limit ", where it has no derivative: the linear model is "   \
    "that of one side, " side

static void a_controller_on_a_kink(void **unused)
{
    (void)unused;
    assert_true(warns(VALVE("2"), AT("the upper limit", "held at it")));
    assert_true(warns(VALVE("2 + 1e-10"), AT("the upper limit", "held at it")));
    assert_true(warns(VALVE("2 - 1e-10"), AT("the upper limit", "below it")));
    assert_true(warns(VALVE("-1"), AT("the lower limit", "held at it")));
    assert_true(
        warns(VALVE("0.5"), AT("the upper edge of the dead zone", "outside the dead zone")));
    assert_true(
        warns(VALVE("-0.5"), AT("the lower edge of the dead zone", "outside the dead zone")));
    assert_true(warns(VALVE("-0.5 + 1e-11"),
                      AT("the lower edge of the dead zone", "inside the dead zone")));
    assert_false(warns(VALVE("2 + 1e-7"), "controller valve"));
    assert_false(warns(VALVE("0.3"), "controller valve"));
}

/* A cart at x, with a force or an output along x, at a speed. */
#define CART(x, v, force)                                                                          \
    "bodies: {a: {mass: 1, inertia: [1, 1, 1], position: [" x ", 0, 0], velocity: [" v             \
    ", 0, 0]}}\n"                                                                                  \
    "loads: {f: {type: force, on: a, components: [\"" force "\", 0, 0]}}\n"
#define SWITCH(element, name, taken)                                                               \
    element " is exactly at the switch of " name                                                   \
            ", where it has no derivative: the linear model " taken
static const char any_switch[] = "the switch of";

static void a_function_on_a_kink(void **unused)
{
    (void)unused;
    assert_true(warns(CART("0.5", "0", "-100*max(0, DX(a) - 0.5)"),
                      SWITCH("load f", "max", "is that of one side, with its first argument")));
    assert_true(warns(CART("0.5 + 1e-11", "0", "-100*max(0, DX(a) - 0.5)"),
                      SWITCH("load f", "max", "is that of one side, with its last argument")));
    assert_true(warns(CART("0.5", "0", "-100*abs(DX(a) - 0.5)"),
                      SWITCH("load f", "abs", "has the mean of both slopes")));
    assert_true(warns(CART("0.5", "0", "-3*sign(VX(a))"),
                      SWITCH("load f", "sign", "has no part of the jump")));
    assert_true(warns(CART("2", "0", "floor(DX(a))"),
                      SWITCH("load f", "floor", "has no part of the jump")));
    assert_true(warns(CART("2", "0", "mod(DX(a), 1)"), any_switch));
    assert_true(warns(CART("2", "0", "sign(time)*DX(a)"), any_switch));
    assert_true(warns(CART("2", "0", "0") "outputs: {y: \"abs(DX(a) - 2)\"}\n",
                      SWITCH("output y", "abs", "has the mean of both slopes")));
    assert_true(warns(CART("2", "0", "0") "variables: {v: \"max(DX(a), 2)\"}\n", "variable v is"));
}

static void a_function_beside_its_kinks(void **unused)
{
    (void)unused;
    assert_false(warns(CART("0.5", "0", "-100*max(0, DX(a) - 0.6)"), any_switch));
    assert_false(warns(CART("0.5 + 1e-7", "0", "-100*max(0, DX(a) - 0.5)"), any_switch));
    assert_false(warns(CART("0.5", "0", "-100*VX(a)*abs(VX(a))"), any_switch));
    assert_true(warns(CART("0.5", "0", "-100*sqrt((DX(a) - 0.5)^2)"),
                      SWITCH("load f", "sqrt(x^2)", "has the mean of both slopes")));
    assert_true(warns(CART("0.5", "0", "-100*hypot(DX(a) - 0.5, 0)"), any_switch));
    assert_false(warns(CART("0.5", "0", "-VX(a)*sqrt(VX(a)^2)"), any_switch));
    assert_false(warns(CART("0.6", "0", "-100*sqrt((DX(a) - 0.5)^2)"), any_switch));
    assert_true(warns(CART("0.5", "0", "-3*atan2(DX(a) - 0.5, 0)"),
                      SWITCH("load f", "atan2", "has no part of the jump")));
    assert_false(warns(CART("0.6", "0", "-3*atan2(DX(a) - 0.5, 0)"), any_switch));
    assert_true(warns(CART("0.5", "0", "-table_linear(DX(a), 0, 0, 0.5, 10, 2, 90)"),
                      "load f is exactly at a corner of a table, where it has no derivative: the "
                      "linear model has the slope above the point"));
    assert_false(warns(CART("0.6", "0", "-table_linear(DX(a), 0, 0, 0.5, 10, 2, 90)"), "corner"));
    assert_false(warns(CART("0.5", "0", "-table(DX(a), 0, 0, 0.5, 10, 2, 90)"), "corner"));
    assert_false(warns(CART("0.5", "0", "-table_linear(DX(a), 0, 0, 0.5, 10, 1, 20, 2, 90)"),
                       "corner")); /* the same slope on both sides */
    assert_false(warns(CART("0.5", "1e-12", "-100*VX(a)*abs(VX(a))"), any_switch));
    assert_false(warns(CART("0.5", "0", "max(abs(DX(a) - 0.5), 1)"), any_switch));
    assert_false(warns(CART("0", "0", "mod(DX(a), 1)"), any_switch));
    assert_false(warns(CART("1", "0", "max(0, time)*DX(a)"), any_switch));
    assert_false(warns(CART("1", "0", "floor(abs(DX(a) - 1))"), any_switch));
    assert_false(warns(CART("1", "0", "min(1, 1/(DX(a) - 1))"), any_switch));
}

/* The mean of both slopes is what the linear model of |x| has at 0. */
static void the_mean_that_is_told_is_that_of_the_linear_model(void **unused)
{
    (void)unused;
    static const struct {
        const char *model;
        double stiffness;
    } cases[] = {{CART("0", "0", "-100*abs(DX(a)) - 7*DX(a)"), 7},
                 {CART("0", "0", "-100*sign(DX(a)) - 7*DX(a)"), 7},
                 {CART("0", "0", "-100*max(0, DX(a)) - 7*DX(a)"), 7},
                 {CART("0", "0", "-100*max(DX(a), 0) - 7*DX(a)"), 107}};
    for (int k = 0; k < 4; k++) {
        test_mechanism t;
        mechanism_make(&t, cases[k].model);
        routh_operating_point *point = mechanism_point(&t);
        routh_linear *linear = mechanism_linear(&t, point, NULL);
        double trace = 0;
        for (int i = 0; i < linear->n_states; i++)
            for (int j = 0; j < linear->n_states; j++)
                trace += fabs(linear->A[i * linear->n_states + j]);
        assert_true(fabs(trace - 6 - cases[k].stiffness) < 1e-12); /* six 1 of q' = u */
        routh_linear_free(linear);
        routh_operating_point_free(point);
        mechanism_release(&t);
    }
}

/* The side that is told is that of the derivative: dy/du is 0 held and inside, 2 else. */
static void the_side_that_is_told_is_that_of_the_linear_model(void **unused)
{
    (void)unused;
    static const struct {
        const char *at;
        double slope;
    } cases[] = {{"2", 0},   {"2 - 1e-10", 2}, {"-1", 0},
                 {"0.5", 2}, {"-0.5", 2},      {"-0.5 + 1e-11", 0}};
    for (int k = 0; k < (int)(sizeof cases / sizeof *cases); k++) {
        char text[512];
        snprintf(text, sizeof text, VALVE("%s"), cases[k].at);
        test_mechanism t;
        mechanism_make(&t, text);
        routh_operating_point *point = mechanism_point(&t);
        routh_linear *linear = mechanism_linear(&t, point, NULL);
        assert_int_equal(linear->n_inputs, 1);
        assert_true(linear->D[0] == cases[k].slope);
        routh_linear_free(linear);
        routh_operating_point_free(point);
        mechanism_release(&t);
    }
}

static void an_input_that_reaches_nothing(void **unused)
{
    (void)unused;
    static const char nothing[] = "the input u reaches nothing";
#define BODY "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\ninputs: {u: 1}\n"
    assert_true(warns(BODY, nothing));
    assert_true(warns(BODY "variables: {v: \"2*u\", w: \"v + w/2\"}\n", nothing));
    assert_false(warns(BODY "variables: {v: \"2*u\", w: v}\noutputs: {y: w}\n", nothing));
    assert_false(warns(BODY "controllers: {x: {type: differential, rate: \"u - x\"}}\n", nothing));
    assert_false(warns(BODY "variables: {v: u}\nloads: {f: {type: force, on: a, components: "
                            "[v, 0, 0]}}\n",
                       nothing));
    assert_false(warns(BODY "joints: {m: {type: motion, between: [a, ground], along: x, function: "
                            "u}}\n",
                       nothing));
    /* one that reaches nothing beside those that do, wherever it stands among them */
    static const char *const orders[] = {"u: 1, p: 1, q: 1", "p: 1, u: 1, q: 1",
                                         "p: 1, q: 1, u: 1"};
    for (int k = 0; k < 3; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\ninputs: {%s}\n"
                 "loads: {f: {type: force, on: a, components: [p, \"2*q\", 0]}}\n",
                 orders[k]);
        assert_true(warns(text, nothing));
        assert_false(warns(text, "the input p reaches nothing"));
        assert_false(warns(text, "the input q reaches nothing"));
    }
#undef BODY
}

/* Two hinges on one axis share the force along it and the moments across as they like; the sum of
 * the forces is determined. */
static void joint_forces_that_are_open(void **unused)
{
    (void)unused;
    static const char open[] = "uses joint forces that redundant constraints leave undetermined";
#define DOOR                                                                                       \
    "bodies: {door: {mass: 2, inertia: [1, 1, 1], position: [0.5, 0, 0]}}\n"                       \
    "joints:\n"                                                                                    \
    "  low: {type: revolute, between: [door, ground], at: [0, 0, -1], axis: z}\n"                  \
    "  high: {type: revolute, between: [door, ground], at: [0, 0, 1], axis: z}\n"
    assert_true(warns(DOOR "outputs: {share: \"FZ(low)\"}\n", open));
    assert_true(warns(DOOR "variables: {share: \"FZ(low)^2 + FZ(low)\"}\n", open));
    assert_false(warns(DOOR "outputs: {both: \"FZ(low) + FZ(high)\"}\n", open));
    assert_false(warns(DOOR "outputs: {angle: \"AZ(door, ground)\"}\n", open));
    assert_true(warns(DOOR "outputs: {torque: \"TX(low)\"}\n", "output torque uses"));
#undef DOOR
}

/* A wheel of 10 kg on a tyre of 1e5 N/m; a force holds it up by
 * more than its weight: at 200 N the tyre pulls by 101.9 N. */
static void a_tyre_that_pulls_on_the_road(void **unused)
{
    (void)unused;
    static const char model[] =
        "gravity: [0, 0, -9.81]\noperating_point: {type: %s}\n"
        "bodies: {wheel: {mass: 10, inertia: [1, 1, 1], position: [0, 0, 0.3]}}\n"
        "markers:\n"
        "  hub: {body: wheel, at: [0, 0, 0.3], orientation: {axis: [1, 0, 0], angle: -pi/2}}\n"
        "  road: {body: ground, at: [0, 0, 0]}\n"
        "joints: {rail: {type: translational, between: [wheel, ground], at: [0, 0, 0.3], axis: "
        "z}}\n"
        "loads:\n"
        "  tyre: {type: tyre, between: [hub, road], radius: 0.3, stiffness: 1e5, no_tension: %s}\n"
        "  soft: {type: bushing, between: [wheel, ground], at: [0, 0, 0.3],\n"
        "    translation: {stiffness: [0, 0, 1e-3]}}\n"
        "  up: {type: force, on: wheel, components: [0, 0, %g]}\n";
    static const char pulls[] = "tyre tyre pulls on the road with 102 N: a tyre without";
    char text[1200];
    snprintf(text, sizeof text, model, "static", "false", 200.0);
    assert_true(warns(text, pulls));
    snprintf(text, sizeof text, model, "static", "false", 20.0);
    assert_false(warns(text, "pulls on the road"));
    snprintf(text, sizeof text, model, "static", "true", 90.0);
    assert_false(warns(text, "pulls on the road"));
    snprintf(text, sizeof text, model, "given", "false", 200.0);
    assert_false(warns(text, "pulls on the road"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_velocity_that_the_joints_do_not_allow),
        cmocka_unit_test(an_angular_velocity_without_its_velocity),
        cmocka_unit_test(velocities_that_an_equilibrium_does_not_have),
        cmocka_unit_test(a_constraint_without_gradient),
        cmocka_unit_test(velocities_that_fit_are_not_warned_of),
        cmocka_unit_test(a_static_equilibrium_has_no_use_for_velocities),
        cmocka_unit_test(a_velocity_that_is_not_allowed_leaves_rest),
        cmocka_unit_test(a_controller_on_a_kink),
        cmocka_unit_test(a_function_on_a_kink),
        cmocka_unit_test(a_function_beside_its_kinks),
        cmocka_unit_test(the_mean_that_is_told_is_that_of_the_linear_model),
        cmocka_unit_test(the_side_that_is_told_is_that_of_the_linear_model),
        cmocka_unit_test(an_input_that_reaches_nothing),
        cmocka_unit_test(joint_forces_that_are_open),
        cmocka_unit_test(a_tyre_that_pulls_on_the_road),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
