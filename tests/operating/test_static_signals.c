/* Static equilibria that controllers hold, against closed forms, in every coordinate set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "operating/operating.h"
#include "support/mechanisms.h"

#define STATIC "operating_point: {type: static}\n"

/* A body of 2 kg on a track without friction. */
#define CART(axis)                                                                                 \
    STATIC "gravity: [0, 0, -10]\n"                                                                \
           "bodies: {cart: {mass: 2, inertia: [1, 1, 1], position: [0.3, 0, 0.2]}}\n"              \
           "joints: {track: {type: translational, between: [ground, cart], axis: " axis "}}\n"

static double signal_of(const routh_operating_point *p, const char *name)
{
    for (int k = 0; k < p->n_signals; k++)
        if (!strcmp(p->signals[k].name, name)) return p->signals[k].value;
    fail_msg("there is no signal %s", name);
    return NAN;
}

static void near(double x, double wanted, double within)
{
    if (!(fabs(x - wanted) <= within)) fail_msg("%.17g is not %.17g", x, wanted);
}

static bool warns(const routh_operating_point *p, const char *words)
{
    bool told = false;
    for (int k = 0; k < p->n_warnings; k++) told = told || strstr(p->warnings[k], words);
    return told;
}

/* What rest asks for, besides `check`. */
static void check_rest(const routh_mechanism *m, const routh_operating_point *p)
{
    rt_workspace *w;
    routh_error error;
    assert_int_equal(rt_workspace_create(&w, m, &error), ROUTH_OK);
    assert_int_equal(rt_evaluate(m, w, p->state, RT_EVALUATE_ALL, &error), ROUTH_OK);
    assert_true(largest_of(w->residual, m->n_u) <= 1e-10 * fmax(1, largest_of(w->scale, m->n_u)));
    assert_true(largest_of(p->state->u, m->n_u) == 0);
    assert_true(largest_of(p->state->udot, m->n_u) == 0);
    assert_true(p->residual <= 1e-11);
    for (int k = 0; k < p->n_signals; k++) {
        assert_true(p->signals[k].rate == 0);
        if (p->signals[k].kind == ROUTH_SIGNAL_STATE) assert_int_equal(p->signals[k].placed, 1);
    }
    rt_workspace_free(w);
}

typedef void (*checker)(const routh_operating_point *);

static void in_all_coordinates(const char *yaml, checker check)
{
    test_mechanism t;
    mechanism_make(&t, yaml);
    for (int k = 0; routh_coordinate_name(k); k++) {
        routh_mechanism *m;
        routh_operating_point *p = NULL;
        routh_error error;
        if (routh_mechanism_compile(&m, t.model, routh_coordinate_name(k), &error) ||
            routh_operating_point_find(&p, m, NULL, &error))
            fail_msg("%s: %s", routh_coordinate_name(k), error.message);
        check_rest(m, p);
        check(p);
        routh_operating_point_free(p);
        routh_mechanism_free(m);
    }
    mechanism_release(&t);
}

/* 20 (5 - x) = 3 */
static void check_held(const routh_operating_point *p)
{
    near(p->bodies[0].position[0], 4.85, 1e-12);
    near(signal_of(p, "command"), 3, 1e-11);
    assert_false(warns(p, "unstable"));
}

static void position_control_holds_a_cart_that_nothing_else_holds(void **state)
{
    (void)state;
    in_all_coordinates(
        CART("x") "inputs: {reference: 5, push: -3}\n"
                  "variables: {command: \"20*(reference - DX(cart)) - 8*VX(cart)\"}\n"
                  "loads: {motor: {type: force, on: cart, components: "
                  "[\"command + push\", 0, 0]}}\n",
        check_held);
}

/* No force is left at all: balance is judged by what rounding makes of the control. */
static void check_at_reference(const routh_operating_point *p)
{
    near(p->bodies[0].position[0], 0.1, 1e-15);
    assert_false(warns(p, "unstable"));
}

static void position_control_brings_a_cart_to_its_reference(void **state)
{
    (void)state;
    in_all_coordinates(
        CART("x") "inputs: {reference: 0.1}\n"
                  "variables: {error: \"reference - DX(cart)\", command: \"1000*error "
                  "- 8*VX(cart)\"}\n"
                  "controllers: {servo: {type: differential, rate: \"(command - "
                  "servo)/0.001\"}}\n"
                  "loads: {motor: {type: force, on: cart, components: "
                  "[servo, 0, 0]}}\n",
        check_at_reference);
}

/* The integral of a PID carries m g = 20 = 5 x_i with no error left. */
static void check_carried(const routh_operating_point *p)
{
    near(p->bodies[0].position[2], 1.5, 1e-12);
    near(signal_of(p, "pid"), 20, 1e-10);
    near(signal_of(p, "pid.integral"), 4, 1e-11);
    near(signal_of(p, "error"), 0, 1e-12);
    assert_false(warns(p, "unstable"));
}

static void an_integral_carries_a_weight(void **state)
{
    (void)state;
    in_all_coordinates(
        CART("z") "variables: {error: \"1.5 - DZ(cart)\"}\n"
                  "controllers: {pid: {type: pid, input: error, proportional: 40, integral: 5, "
                  "derivative: 20, filter: 0.01}}\n"
                  "loads: {motor: {type: force, on: cart, components: [0, 0, pid]}}\n",
        check_carried);
}

/* The same with the weight 40 too heavy for kd: unstable oscillation is told and stays. */
static void check_oscillating(const routh_operating_point *p)
{
    near(p->bodies[0].position[2], 1.5, 1e-12);
    assert_true(warns(p, "this static equilibrium is unstable"));
}

/* m s^3 + kp s + ki with kd = 0 has a sum of roots of zero, and none at it */
static void a_loop_that_oscillates_is_told(void **state)
{
    (void)state;
    in_all_coordinates(
        CART("z") "variables: {error: \"1.5 - DZ(cart)\"}\n"
                  "controllers: {hold: {type: differential, rate: error}}\n"
                  "loads: {motor: {type: force, on: cart, components: [0, 0, \"40*error + "
                  "5*hold\"]}}\n",
        check_oscillating);
}

/* x1 = 6/2, x2 = x1/4, y = 3 x2 of a chain of lags; a transfer function of gain 2/5; a state space
 * of gain -C A^-1 B + D = 0.9 + 0.1 */
static void check_chain(const routh_operating_point *p)
{
    near(signal_of(p, "x1"), 3, 1e-14);
    near(signal_of(p, "x2"), 0.75, 1e-14);
    near(signal_of(p, "y"), 2.25, 1e-14);
    near(signal_of(p, "shaped"), 0.9, 1e-14);
    near(signal_of(p, "plant.y1"), 2.25, 1e-13);
    near(signal_of(p, "cubed") * signal_of(p, "cubed") * signal_of(p, "cubed"), 2.25, 1e-13);
    near(p->bodies[0].position[0], 0.9 / 9, 1e-14);
}

static void chains_of_lags_and_linear_systems_come_to_their_gains(void **state)
{
    (void)state;
    in_all_coordinates(
        CART(
            "x") "inputs: {in: 6}\n"
                 "variables: {y: \"3*x2\"}\n"
                 "controllers:\n"
                 "  x1: {type: differential, rate: \"in - 2*x1\"}\n"
                 "  x2: {type: implicit, equation: \"0.3*RATE(x2) + 4*x2 - x1\", initial: 20}\n"
                 "  shaped: {type: transfer_function, input: y, numerator: [1, 2], "
                 "denominator: [1, 3, 5]}\n"
                 "  plant: {type: state_space, inputs: [y], A: [[-1, 2], [0, -4]], B: [[0], [1]], "
                 "C: [[1.8, 0]], D: [[0.1]]}\n"
                 "  cubed: {type: differential, rate: \"y - cubed^3\", initial: 1}\n"
                 "loads: {spring: {type: force, on: cart, components: [\"shaped - 9*DX(cart)\", 0, "
                 "0]}}\n",
        check_chain);
}

/* v w = 6, v = w - 1 with v > 0: v = 2, w = 3 */
static void check_coupled(const routh_operating_point *p)
{
    near(signal_of(p, "v"), 2, 1e-13);
    near(signal_of(p, "w"), 3, 1e-13);
    near(p->bodies[0].position[0], 0.5, 1e-13);
}

static void coupled_variables_are_part_of_the_balance(void **state)
{
    (void)state;
    in_all_coordinates(CART("x") "variables: {v: {expression: \"6/w\", guess: 1}, w: {expression: "
                                 "\"v + 2*DX(cart)\", guess: 2}}\n"
                                 "loads: {spring: {type: force, on: cart, components: [\"v - "
                                 "4*DX(cart)\", 0, 0]}}\n",
                       check_coupled);
}

/* Friction that a joint's force sets: at rest it is a force like others. */
static void check_reaction(const routh_operating_point *p)
{
    near(signal_of(p, "grip"), 10, 1e-12);
    near(p->bodies[0].position[0], 2, 1e-12);
}

static void variables_may_use_joint_forces_at_rest(void **state)
{
    (void)state;
    in_all_coordinates(CART("x") "variables: {grip: \"0.5*abs(FZ(track))\"}\n"
                                 "loads: {spring: {type: force, on: cart, components: [\"grip - "
                                 "5*DX(cart)\", 0, 0]}}\n",
                       check_reaction);
}

/* ---- pendulums ------------------------------------------------------------------------------- */

/* A rod of 1 kg written upright, but for 0.01 rad, with a torque about its hinge. */
#define ROD(torque)                                                                                \
    STATIC "gravity: [0, 0, -10]\n"                                                                \
           "bodies: {rod: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 1]}}\n"             \
           "joints: {hinge: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: y}}\n"   \
           "loads: {motor: {type: torque, on: rod, components: [0, \"" torque "\", 0]}}\n"

static void check_hanging(const routh_operating_point *p)
{
    near(p->bodies[0].position[2], -1, 1e-12);
    assert_false(warns(p, "unstable"));
}

/* sin(angle) = 0 upright and hanging; the damper does not hold */
/* Zero at rest, but for rounding of what the rate is the difference of. */
static void check_rate(const routh_operating_point *p)
{
    near(signal_of(p, "r"), 0, 1e-15);
}

static void a_variable_may_be_a_rate(void **state)
{
    (void)state;
    in_all_coordinates(
        CART("[0.6, 0, 0.8]")
        "loads: {s: {type: spring, between: [cart, ground], stiffness: 130, free_length: 0.2}}\n"
        "inputs: {u: 0.1}\n"
        "controllers: {x: {type: differential, rate: \"u + 0.5*DX(cart) - 0.7*x\"}}\n"
        "variables: {r: \"RATE(x)\"}\n",
        check_rate);
}

static void what_a_controller_does_not_hold_falls(void **state)
{
    (void)state;
    in_all_coordinates("variables: {brake: \"-2*WY(rod)\"}\n" ROD("brake"), check_hanging);
}

static void check_all_hanging(const routh_operating_point *p)
{
    near(p->bodies[0].position[2], -1, 1e-11);
    near(p->bodies[1].position[2], -3, 1e-11);
    near(p->bodies[2].position[2], -5, 1e-11);
    assert_false(warns(p, "unstable"));
}

static void a_chain_that_no_controller_holds_falls(void **state)
{
    (void)state;
    in_all_coordinates("variables: {brake: \"-2*WY(rod)\"}\n" STATIC "gravity: [0, 0, -10]\n"
                       "bodies:\n"
                       "  rod: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 1]}\n"
                       "  mid: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, 3]}\n"
                       "  tip: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 5]}\n"
                       "joints:\n"
                       "  hinge: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: y}\n"
                       "  elbow: {type: revolute, between: [mid, rod], at: [0, 0, 2], axis: y}\n"
                       "  wrist: {type: revolute, between: [tip, mid], at: [0, 0, 4], axis: y}\n"
                       "loads: {motor: {type: torque, on: rod, components: [0, brake, 0]}}\n",
                       check_all_hanging);
}

static void check_upright(const routh_operating_point *p)
{
    near(p->bodies[0].position[2], 1, 1e-12);
    assert_false(warns(p, "unstable"));
}

static void what_a_controller_holds_upright_stays(void **state)
{
    (void)state;
    in_all_coordinates("controllers: {pid: {type: pid, input: \"-AY(rod, ground)\", proportional: "
                       "30, integral: 2, derivative: 5, filter: 0.02}}\n" ROD("pid"),
                       check_upright);
}

/* ---- what has no rest ------------------------------------------------------------------------ */

static routh_error refused(const char *yaml)
{
    test_mechanism t;
    routh_operating_point *p = NULL;
    routh_error error = {0};
    mechanism_make(&t, yaml);
    assert_int_equal(routh_operating_point_find(&p, t.m, NULL, &error), ROUTH_NO_EQUILIBRIUM);
    assert_null(p);
    mechanism_release(&t);
    return error;
}

static void a_state_that_cannot_rest_is_named(void **state)
{
    (void)state;
    const routh_error error =
        refused(CART("x") "controllers: {clock: {type: differential, rate: 1}, lag: {type: "
                          "differential, rate: \"2 - lag\"}}\n"
                          "loads: {spring: {type: force, on: cart, components: [\"lag - "
                          "4*DX(cart)\", 0, 0]}}\n");
    assert_string_equal(error.element, "controller clock");
    assert_non_null(strstr(error.message, "the rate of clock"));
}

static void a_body_that_no_controller_holds_is_named(void **state)
{
    (void)state;
    const routh_error error =
        refused(CART("x") "controllers: {lag: {type: differential, rate: \"2 - lag\"}}\n"
                          "loads: {motor: {type: force, on: cart, components: [lag, 0, 0]}}\n");
    assert_string_equal(error.element, "body cart");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(position_control_holds_a_cart_that_nothing_else_holds),
        cmocka_unit_test(position_control_brings_a_cart_to_its_reference),
        cmocka_unit_test(an_integral_carries_a_weight),
        cmocka_unit_test(a_loop_that_oscillates_is_told),
        cmocka_unit_test(chains_of_lags_and_linear_systems_come_to_their_gains),
        cmocka_unit_test(coupled_variables_are_part_of_the_balance),
        cmocka_unit_test(variables_may_use_joint_forces_at_rest),
        cmocka_unit_test(a_variable_may_be_a_rate),
        cmocka_unit_test(what_a_controller_does_not_hold_falls),
        cmocka_unit_test(a_chain_that_no_controller_holds_falls),
        cmocka_unit_test(what_a_controller_holds_upright_stays),
        cmocka_unit_test(a_state_that_cannot_rest_is_named),
        cmocka_unit_test(a_body_that_no_controller_holds_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
