/* A dead point is told; overconstrained mechanisms that move freely are not taken for one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/mechanisms.h"

/* Three links between two feet; their ends at the height h. */
#define FOUR_BAR(h)                                                                                \
    "parameters: {h: " h ", c: sqrt(1 - h^2)}\n"                                                   \
    "bodies:\n"                                                                                    \
    "  a: {mass: 1, inertia: [1,1,1], position: [c/2, h/2, 0]}\n"                                  \
    "  b: {mass: 1, inertia: [1,1,1], position: [c + 0.5, h, 0]}\n"                                \
    "  c: {mass: 1, inertia: [1,1,1], position: [c + 1 + c/2, h/2, 0]}\n"                          \
    "joints:\n"                                                                                    \
    "  j1: {type: revolute, between: [a, ground], at: [0, 0, 0]}\n"                                \
    "  j2: {type: revolute, between: [a, b], at: [c, h, 0]}\n"                                     \
    "  j3: {type: revolute, between: [b, c], at: [c + 1, h, 0]}\n"                                 \
    "  j4: {type: revolute, between: [c, ground], at: [2*c + 1, 0, 0]}\n"

static bool is_told_singular(const char *yaml, int degrees_of_freedom)
{
    test_mechanism t;
    mechanism_make(&t, yaml);
    routh_operating_point *point = mechanism_point(&t);
    bool told = false;
    for (int k = 0; k < point->n_warnings; k++)
        told = told || strstr(point->warnings[k], "this configuration is singular");
    assert_int_equal(point->degrees_of_freedom, degrees_of_freedom);
    routh_operating_point_free(point);
    mechanism_release(&t);
    return told;
}

static void links_in_line_are_told(void **unused)
{
    (void)unused;
    assert_true(is_told_singular(FOUR_BAR("0"), 2));
}

static void a_planar_loop_out_of_line_is_not(void **unused)
{
    (void)unused;
    assert_false(is_told_singular(FOUR_BAR("0.5"), 1));
}

static void three_cranks_in_parallel_are_not(void **unused)
{
    (void)unused;
    assert_false(is_told_singular("bodies:\n"
                                  "  a: {mass: 1, inertia: [1,1,1], position: [0, 0.5, 0]}\n"
                                  "  b: {mass: 1, inertia: [1,1,1], position: [1, 0.5, 0]}\n"
                                  "  c: {mass: 1, inertia: [1,1,1], position: [2, 0.5, 0]}\n"
                                  "  bar: {mass: 1, inertia: [1,1,1], position: [1, 1, 0]}\n"
                                  "joints:\n"
                                  "  a0: {type: revolute, between: [a, ground], at: [0, 0, 0]}\n"
                                  "  b0: {type: revolute, between: [b, ground], at: [1, 0, 0]}\n"
                                  "  c0: {type: revolute, between: [c, ground], at: [2, 0, 0]}\n"
                                  "  a1: {type: revolute, between: [a, bar], at: [0, 1, 0]}\n"
                                  "  b1: {type: revolute, between: [b, bar], at: [1, 1, 0]}\n"
                                  "  c1: {type: revolute, between: [c, bar], at: [2, 1, 0]}\n",
                                  1));
}

/* At the dead point gravity moves the links, and the way on is not determined. */
static void a_dead_point_under_gravity_is_linearized(void **unused)
{
    (void)unused;
    test_mechanism t;
    mechanism_make(&t, "gravity: [0, -9.81, 0]\n" FOUR_BAR("0"));
    routh_operating_point *point = mechanism_point(&t);
    routh_linear *linear = mechanism_linear(&t, point, NULL);
    assert_false(linear->steady);
    assert_true(isinf(linear->drift));
    routh_linear_free(linear);
    routh_operating_point_free(point);
    mechanism_release(&t);
}

/* ---- singular for an instant, or for a value of an input ------------------------------------ */

/* The words of the warning; the mechanism in every coordinate set has so many freedoms there. */
static bool is_told_everywhere(const char *yaml, int degrees_of_freedom, const char *words)
{
    static const char *const sets[] = {"absolute", "euler-parameters", "relative", "natural"};
    bool all = true;
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        test_mechanism t;
        routh_error error;
        routh_mechanism *m;
        routh_operating_point *point;
        bool told = false;
        mechanism_make(&t, yaml);
        assert_int_equal(routh_mechanism_compile(&m, t.model, sets[k], &error), ROUTH_OK);
        assert_int_equal(routh_operating_point_find(&point, m, NULL, &error), ROUTH_OK);
        for (int w = 0; w < point->n_warnings; w++)
            told = told || strstr(point->warnings[w], words);
        all = all && told;
        assert_int_equal(point->degrees_of_freedom, degrees_of_freedom);
        assert_true(point->degrees_nearby < degrees_of_freedom);
        routh_operating_point_free(point);
        routh_mechanism_free(m);
        mechanism_release(&t);
    }
    return all;
}

/* A parallelogram of unit links, flat, that a motion carries through the line. */
#define DRIVEN_FOUR_BAR(rate)                                                                      \
    "parameters: {r: " rate "}\n"                                                                  \
    "bodies:\n"                                                                                    \
    "  a: {mass: 1, inertia: [1,1,1], position: [0.5, 0, 0], angular_velocity: [0, 0, r]}\n"       \
    "  b: {mass: 1, inertia: [1,1,1], position: [1.5, 0, 0], angular_velocity: [0, 0, 0]}\n"       \
    "  c: {mass: 1, inertia: [1,1,1], position: [1.5, 0, 0], angular_velocity: [0, 0, r]}\n"       \
    "joints:\n"                                                                                    \
    "  j1: {type: revolute, between: [a, ground], at: [0, 0, 0]}\n"                                \
    "  j2: {type: revolute, between: [a, b], at: [1, 0, 0]}\n"                                     \
    "  j3: {type: revolute, between: [b, c], at: [2, 0, 0]}\n"                                     \
    "  j4: {type: revolute, between: [c, ground], at: [1, 0, 0]}\n"                                \
    "  drive: {type: motion, joint: j1, function: r*time}\n"

static void a_flat_linkage_that_is_driven_through_is_told(void **unused)
{
    (void)unused;
    assert_true(is_told_everywhere(DRIVEN_FOUR_BAR("3"), 1, "at this instant and 0"));
    assert_true(is_told_everywhere(DRIVEN_FOUR_BAR("-3"), 1, "at this instant and 0"));
    assert_true(is_told_everywhere(DRIVEN_FOUR_BAR("1e-3"), 1, "at this instant and 0"));
    assert_true(is_told_everywhere(DRIVEN_FOUR_BAR("1e3"), 1, "at this instant and 0"));
}

/* The pin of the crank passes over the hinge of the lever whose slot it slides in. Beside it a
 * wheel. */
#define PIN_IN_SLOT(speed, drive, motor)                                                           \
    "parameters: {w: " speed "}\n"                                                                 \
    "bodies:\n"                                                                                    \
    "  crank: {mass: 1, inertia: [1,1,1], position: [-1,0,0], angular_velocity: [0,0,w]}\n"        \
    "  lever: {mass: 1, inertia: [1,1,1], position: [0,0,0], angular_velocity: [0,0,w/2]}\n"       \
    "  wheel: {mass: 1, inertia: [1,1,1], position: [0,3,0]}\n"                                    \
    "markers: {pin: {body: crank, position: [1,0,0]}, slot: {body: lever}}\n"                      \
    "inputs: {other: {}, angle: {}, past: {}}\n"                                                   \
    "simulate: {inputs: {past: time^2}}\n"                                                         \
    "joints:\n"                                                                                    \
    "  hinge: {type: revolute, between: [crank, ground], at: [-1,0,0]}\n"                          \
    "  pivot: {type: revolute, between: [lever, ground], at: [0,0,0]}\n"                           \
    "  in_slot: {type: inplane, between: [pin, slot], axis: x}\n"                                  \
    "  axle: {type: revolute, between: [wheel, ground], at: [0,3,0]}\n"                            \
    "  drive: {type: motion, joint: hinge, function: " drive "}\n"                                 \
    "  motor: {type: motion, joint: axle, function: " motor "}\n"

static void a_pin_in_a_slot_over_its_hinge_is_no_steady_motion(void **unused)
{
    (void)unused;
    test_mechanism t;
    mechanism_make(&t, PIN_IN_SLOT("1", "time", "0"));
    routh_operating_point *point = mechanism_point(&t);
    routh_linear *linear = mechanism_linear(&t, point, NULL);
    assert_false(linear->steady);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    mechanism_release(&t);
    assert_true(is_told_everywhere(PIN_IN_SLOT("1", "time", "0"), 1, "at this instant and 0"));
}

/* A step that is short for the wheel is none for the crank. */
static void a_slow_motion_beside_a_fast_one_is_followed(void **unused)
{
    (void)unused;
    assert_true(
        is_told_everywhere(PIN_IN_SLOT("1e-3", "w*time", "1e6*time"), 1, "at this instant and 0"));
}

static void motions_that_begin_from_rest_are_followed(void **unused)
{
    (void)unused;
    assert_true(is_told_everywhere(PIN_IN_SLOT("0", "time^3", "0"), 1, "at this instant and 0"));
    assert_true(is_told_everywhere(PIN_IN_SLOT("0", "past", "0"), 1, "at this instant and 0"));
}

static void an_input_that_changes_the_freedoms_is_named(void **unused)
{
    (void)unused;
    assert_true(
        is_told_everywhere(PIN_IN_SLOT("0", "angle", "0"), 1, "as soon as input angle changes"));
}

/* Without velocities in the file those of the least energy are taken, which are a mixture. */
static void velocities_of_no_branch_are_refused_with_the_reason(void **unused)
{
    (void)unused;
    test_mechanism t;
    routh_error error;
    routh_operating_point *point;
    mechanism_make(&t, DRIVEN_FOUR_BAR("3") "operating_point: {type: given}\n");
    for (int b = 0; b < t.model->n_bodies; b++) t.model->bodies[b].angular_velocity_given = false;
    memset(t.m->start_u, 0, (size_t)t.m->n_u * sizeof *t.m->start_u);
    assert_int_equal(routh_operating_point_find(&point, t.m, NULL, &error), ROUTH_NOT_ASSEMBLED);
    assert_non_null(strstr(error.message, "singular at this instant"));
    assert_non_null(strstr(error.message, "joint j"));
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_in_line_are_told),
        cmocka_unit_test(a_planar_loop_out_of_line_is_not),
        cmocka_unit_test(three_cranks_in_parallel_are_not),
        cmocka_unit_test(a_dead_point_under_gravity_is_linearized),
        cmocka_unit_test(a_flat_linkage_that_is_driven_through_is_told),
        cmocka_unit_test(a_pin_in_a_slot_over_its_hinge_is_no_steady_motion),
        cmocka_unit_test(a_slow_motion_beside_a_fast_one_is_followed),
        cmocka_unit_test(motions_that_begin_from_rest_are_followed),
        cmocka_unit_test(an_input_that_changes_the_freedoms_is_named),
        cmocka_unit_test(velocities_of_no_branch_are_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
