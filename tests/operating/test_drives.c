/* Inputs that drive joints against what the joints allow are refused, those that fit are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/mechanisms.h"

static const char *const SETS[] = {"absolute", "euler-parameters", "relative", "natural"};
enum { N_SETS = 4 };

/* Cranks of length 1 at x = 0, 1, 2, at the angle 0.7 from y, with a bar on them. */
#define CRANKS(rate)                                                                               \
    "parameters: {s: sin(0.7), c: cos(0.7), w: " rate "}\n"                                        \
    "bodies:\n"                                                                                    \
    "  a: {mass: 1, inertia: [1,1,1], position: [-s/2, c/2, 0], angular_velocity: [0,0,w]}\n"      \
    "  b: {mass: 1, inertia: [1,1,1], position: [1-s/2, c/2, 0], angular_velocity: [0,0,w]}\n"     \
    "  c3: {mass: 1, inertia: [1,1,1], position: [2-s/2, c/2, 0], angular_velocity: [0,0,w]}\n"    \
    "  bar: {mass: 1, inertia: [1,1,1], position: [1-s, c, 0]}\n"                                  \
    "inputs: {in1: {}, in2: {}}\n"                                                                 \
    "outputs: {x: \"DX(bar)\", y: \"DY(bar)\"}\n"                                                  \
    "joints:\n"                                                                                    \
    "  a0: {type: revolute, between: [a, ground], at: [0,0,0]}\n"                                  \
    "  b0: {type: revolute, between: [b, ground], at: [1,0,0]}\n"                                  \
    "  c0: {type: revolute, between: [c3, ground], at: [2,0,0]}\n"                                 \
    "  a1: {type: revolute, between: [a, bar], at: [-s,c,0]}\n"                                    \
    "  b1: {type: revolute, between: [b, bar], at: [1-s,c,0]}\n"                                   \
    "  c1: {type: revolute, between: [c3, bar], at: [2-s,c,0]}\n"
#define DRIVE(name, joint, function)                                                               \
    "  " name ": {type: motion, joint: " joint ", function: " function "}\n"

/* The linear model in the set; an error is in *error. */
static routh_linear *linear_in(const char *yaml, const char *set, routh_error *error)
{
    test_mechanism t;
    routh_mechanism *m;
    routh_operating_point *point;
    routh_linear *linear = NULL;
    mechanism_make(&t, yaml);
    assert_int_equal(routh_mechanism_compile(&m, t.model, set, error), ROUTH_OK);
    assert_int_equal(routh_operating_point_find(&point, m, NULL, error), ROUTH_OK);
    assert_int_equal(point->degrees_nearby, point->degrees_of_freedom);
    *error = (routh_error){0};
    routh_linear_compute(&linear, m, point, NULL, error);
    routh_operating_point_free(point);
    routh_mechanism_free(m);
    mechanism_release(&t);
    return linear;
}

static void assert_refused(const char *yaml, const char *element, const char *words)
{
    for (int k = 0; k < N_SETS; k++) {
        routh_error error;
        assert_null(linear_in(yaml, SETS[k], &error));
        assert_int_equal(error.status, ROUTH_NOT_SUPPORTED);
        assert_string_equal(error.element, element);
        if (!strstr(error.message, words)) fail_msg("%s: %s", SETS[k], error.message);
    }
}

static void assert_accepted(const char *yaml)
{
    for (int k = 0; k < N_SETS; k++) {
        routh_error error;
        routh_linear *linear = linear_in(yaml, SETS[k], &error);
        if (!linear) fail_msg("%s: %s", SETS[k], error.message);
        routh_linear_free(linear);
    }
}

/* In either order of the motions. */
static void two_inputs_of_one_freedom_are_refused_by_name(void **unused)
{
    (void)unused;
    assert_refused(CRANKS("0") DRIVE("m1", "a0", "in1") DRIVE("m2", "b0", "in2"), "joint m1",
                   "input in1 cannot change while input in2, which drives joint m2, does not: the "
                   "positions that this joint requires");
    assert_refused(CRANKS("0") DRIVE("m2", "b0", "in2") DRIVE("m1", "a0", "in1"), "joint m1",
                   "input in1 cannot change while input in2, which drives joint m2, does not");
    assert_refused(CRANKS("0") DRIVE("m1", "a0", "in1") DRIVE("m2", "c0", "in1 + in2"), "joint m2",
                   "input in2 cannot change while input in1, which drives joint m");
}

/* The bar moves by -(c, s) times the angle, by hand. */
static void one_input_of_all_cranks_is_followed(void **unused)
{
    (void)unused;
    for (int k = 0; k < N_SETS; k++) {
        routh_error error;
        routh_linear *linear = linear_in(CRANKS("0") DRIVE("m1", "a0", "in1")
                                             DRIVE("m2", "b0", "in1") DRIVE("m3", "c0", "in1"),
                                         SETS[k], &error);
        assert_non_null(linear);
        assert_true(fabs(linear->D[0] + cos(0.7)) < 1e-14);
        assert_true(fabs(linear->D[linear->n_inputs] + sin(0.7)) < 1e-14);
        routh_linear_free(linear);
    }
}

static void a_motion_along_what_a_joint_forbids_is_refused(void **unused)
{
    (void)unused;
    assert_refused(CRANKS("0") "  m: {type: motion, joint: a0, along: x, function: in1}\n",
                   "joint m",
                   "input in1 cannot change: the positions that this joint requires (\"prescribed "
                   "motion\") then contradict joint a0 (\"origins coincide along x\")");
    assert_refused(CRANKS("0") "  m: {type: motion, joint: b1, along: rx, function: 2*in2}\n",
                   "joint m", "input in2 cannot change: the positions");
}

/* a_2 = 1 + t, 1 + t^2/2 beside a_1 = 1: the first that differ are velocities, accelerations. */
static void rates_that_do_not_fit_are_refused(void **unused)
{
    (void)unused;
    assert_refused(CRANKS("1") DRIVE("m1", "a0", "in1 + time")
                       DRIVE("m2", "b0", "in1*(1 + time) + time"),
                   "joint m2", "input in1 cannot change: the velocities that this joint requires");
    assert_refused(
        CRANKS("1") DRIVE("m1", "a0", "in1 + time") DRIVE("m2", "b0", "in1*(1 + time^2/2) + time"),
        "joint m2", "input in1 cannot change: the accelerations that this joint requires");
}

/* Levels of rows that are dependent along a path that bends. */
static void motions_that_fit_at_all_levels_are_not(void **unused)
{
    (void)unused;
    assert_accepted(CRANKS("1") DRIVE("m1", "a0", "in1*(1 + time) + time + time^2")
                        DRIVE("m2", "b0", "in1*(1 + time) + time + time^2"));
    assert_accepted(CRANKS("1") DRIVE("m1", "a0", "in1*(1 + sin(time)) + time + in2^2")
                        DRIVE("m2", "c0", "in1*(1 + time) + time + in2^2"));
}

/* The second motion is beside the redundant rows: the bar carries a crank of its own. */
static void two_inputs_of_two_freedoms_are_not(void **unused)
{
    (void)unused;
    assert_accepted("bodies:\n"
                    "  door: {mass: 1, inertia: [1,1,1], position: [0.5, 0, 0]}\n"
                    "  knob: {mass: 1, inertia: [1,1,1], position: [1, 0, 0]}\n"
                    "inputs: {in1: {}, in2: {}}\n"
                    "joints:\n"
                    "  low: {type: revolute, between: [door, ground], at: [0,0,0]}\n"
                    "  high: {type: revolute, between: [door, ground], at: [0,0,1]}\n"
                    "  pin: {type: revolute, between: [knob, door], at: [1,0,0], axis: y}\n" DRIVE(
                        "m1", "high", "in1") DRIVE("m2", "pin", "in2"));
}

/* Both cranks of a parallelogram are driven by one input, away from where they were written: at
 * rest accelerations are rounding, and rounding contradicts nothing. */
static void rounding_of_a_machine_at_rest_is_no_contradiction(void **state)
{
    (void)state;
    routh_error error;
    routh_linear *linear = linear_in(
        "gravity: [0, 0, -9.81]\n"
        "inputs: {w: {value: 0.3}}\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: [1,1,1], position: [0.25, 0, 0.4330127018922193]}\n"
        "  k: {mass: 1, inertia: [1,1,1], position: [1.5, 0, 0.8660254037844386]}\n"
        "  b: {mass: 1, inertia: [1,1,1], position: [2.25, 0, 0.4330127018922193]}\n"
        "joints:\n"
        "  ha: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: y}\n"
        "  hb: {type: revolute, between: [b, ground], at: [2, 0, 0], axis: y}\n"
        "  ka: {type: revolute, between: [k, a], at: [0.5, 0, 0.8660254037844386], axis: y}\n"
        "  kb: {type: revolute, between: [k, b], at: [2.5, 0, 0.8660254037844386], axis: y}\n"
        "  ma: {type: motion, joint: ha, function: w}\n"
        "  mb: {type: motion, joint: hb, function: w}\n",
        "absolute", &error);
    if (!linear) fail_msg("%s", error.message);
    routh_linear_free(linear);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_inputs_of_one_freedom_are_refused_by_name),
        cmocka_unit_test(one_input_of_all_cranks_is_followed),
        cmocka_unit_test(a_motion_along_what_a_joint_forbids_is_refused),
        cmocka_unit_test(rates_that_do_not_fit_are_refused),
        cmocka_unit_test(motions_that_fit_at_all_levels_are_not),
        cmocka_unit_test(two_inputs_of_two_freedoms_are_not),
        cmocka_unit_test(rounding_of_a_machine_at_rest_is_no_contradiction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
