/* The closed form among the cells of routh_check_run: where it is in its class it agrees to the
 * last digits, in spectrum and shapes, and where it is not it says why. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routh/routh.h"

typedef struct checked {
    routh_model *model;
    routh_check *result;
} checked;

/* Of all other cells only the few that are always run. */
static routh_check_options few(void)
{
    routh_check_options o = routh_check_defaults();
    o.most_degrees = -1;
    return o;
}

static void release(checked *c)
{
    routh_check_free(c->result);
    routh_model_free(c->model);
}

static checked check_text(const char *text, const routh_check_options *options)
{
    checked c = {0};
    routh_error error;
    if (routh_model_parse(&c.model, text, strlen(text), "test.yaml", NULL, 0, &error) ||
        routh_check_run(&c.result, c.model, options, &error))
        fail_msg("%s", error.message);
    return c;
}

static checked check_file(const char *path)
{
    checked c = {0};
    routh_error error;
    const routh_check_options options = few();
    if (routh_model_read(&c.model, path, NULL, 0, &error) ||
        routh_check_run(&c.result, c.model, &options, &error))
        fail_msg("%s: %s", path, error.message);
    return c;
}

static const routh_check_cell *exact(const checked *c)
{
    const routh_check_cell *x = &c->result->cells[c->result->n_cells - 1];
    assert_string_equal(x->coordinates, "natural");
    assert_string_equal(x->method, "symbolic");
    return x;
}

/* ---- agreement ------------------------------------------------------------------------------- */

/* Machine precision times what an eigenvalue of a few states is off by. */
static const double LAST_DIGITS = 1e-13;

static void agrees(const char *path)
{
    checked c = check_file(path);
    const routh_check_cell *x = exact(&c);
    if (x->state != ROUTH_CELL_COMPARED || x->verdict != ROUTH_YES ||
        !(x->difference <= LAST_DIGITS) || !(1 - x->mac <= LAST_DIGITS))
        fail_msg("%s: state %d, verdict %d, off by %.3g, shapes by %.3g: %s", path, x->state,
                 x->verdict, x->difference, 1 - x->mac, x->why ? x->why : "");
    assert_true(x->seconds > 0 && x->stated_error == 0 && isnan(x->signals));
    release(&c);
}

static void models_in_the_class_agree_to_the_last_digits(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "examples/double-pendulum.yaml",
        "examples/jeffcott-rotor.yaml",
        "examples/pendulum-chain.yaml",
        "examples/slider-pendulum.yaml",
        "examples/spatial-four-bar.yaml",
        "examples/ziegler-column.yaml",
        "tests/closed_form/bounce_and_pitch.yaml",
        "tests/closed_form/fixed_chain.yaml",
        "tests/closed_form/gantry_crane.yaml",
        "tests/closed_form/parallelogram.yaml",
        "tests/closed_form/rotating_damping.yaml",
        "tests/closed_form/tight_string.yaml",
        "tests/closed_form/trifilar_pendulum.yaml",
        "tests/closed_form/two_in_space.yaml",
    };
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) agrees(paths[k]);
}

/* Rotations of bodies that spin are no functions of the place: their gradients turn along. */
static void spinning_bodies_agree_to_the_last_digits(void **state)
{
    (void)state;
    agrees("examples/rotor-stator.yaml");
    agrees("examples/spinning-top.yaml");
    agrees("examples/washing-machine.yaml");
    agrees("tests/closed_form/sleeping_top.yaml");
}

#define PENDULUM(height, more)                                                                     \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "bodies: {rod: {mass: 1, inertia: [1, 1, 0.1], position: [0, 0, " height "]}}\n"               \
    "joints: {hinge: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: y}}\n" more

/* Of states that it does not know it takes its own, whose spectrum is the same. */
static void in_other_states_the_spectrum_is_compared(void **state)
{
    (void)state;
    const routh_check_options options = few();
    checked c = check_text(
        PENDULUM("-1", "linearize: {coordinates: {angle: \"AY(rod)\"}, states: [angle]}\n"),
        &options);
    const routh_check_cell *x = exact(&c);
    assert_string_equal(c.result->linear->states[0].name, "angle");
    assert_int_equal(x->state, ROUTH_CELL_COMPARED);
    assert_int_equal(x->verdict, ROUTH_YES);
    assert_true(x->difference <= LAST_DIGITS && isnan(x->mac));
    release(&c);
}

/* ---- what is not compared, and why ----------------------------------------------------------- */

static void is_not_compared(const char *text, const routh_check_options *options,
                            routh_cell_state expected, const char *words)
{
    checked c = check_text(text, options);
    const routh_check_cell *x = exact(&c);
    if (x->state != expected || !x->why || !strstr(x->why, words))
        fail_msg("state %d, no \"%s\" in: %s", x->state, words, x->why ? x->why : "(nothing)");
    /* that is no fault of the model */
    assert_int_equal(x->verdict, ROUTH_CANNOT_TELL);
    assert_int_equal(c.result->verdict, ROUTH_YES);
    release(&c);
}

static void elements_out_of_the_class_are_named(void **state)
{
    (void)state;
    const routh_check_options options = few();
    is_not_compared(
        PENDULUM("-1", "loads: {air: {type: torque, on: rod, components: [0, \"-exp(WY(rod)) + "
                       "1\", 0]}}\n"),
        &options, ROUTH_CELL_REFUSED, "load 'air': ");
}

static void a_place_that_is_not_the_operating_point_is_left_out(void **state)
{
    (void)state;
    const routh_check_options options = few();
    is_not_compared("gravity: [0, 0, -9.81]\n"
                    "bodies: {box: {mass: 1, inertia: [1, 1, 1]}}\n"
                    "joints: {slide: {type: translational, between: [box, ground], axis: z}}\n"
                    "loads: {mount: {type: bushing, between: [box, ground], translation: "
                    "{stiffness: [0, 0, 50]}}}\n"
                    "operating_point: {type: static}\n",
                    &options, ROUTH_CELL_LEFT_OUT, "differs from the reference configuration");
}

static void the_limit_is_of_bodies(void **state)
{
    (void)state;
    routh_check_options options = few();
    options.most_exact_bodies = -1; /* none */
    is_not_compared(PENDULUM("-1", ""), &options, ROUTH_CELL_LEFT_OUT, "too large: 1 bod");
    options.most_exact_bodies = -2;
    routh_model *model = NULL;
    routh_check *result;
    assert_int_equal(routh_model_parse(&model, PENDULUM("-1", ""), strlen(PENDULUM("-1", "")),
                                       "test.yaml", NULL, 0, NULL),
                     ROUTH_OK);
    assert_int_equal(routh_check_run(&result, model, &options, NULL), ROUTH_BAD_ARGUMENT);
    routh_model_free(model);
}

static void without_freedom_there_is_nothing_to_compare(void **state)
{
    (void)state;
    const routh_check_options options = few();
    is_not_compared("bodies: {block: {mass: 1, inertia: [1, 1, 1]}}\n"
                    "joints: {weld: {type: fixed, between: [block, ground]}}\n",
                    &options, ROUTH_CELL_LEFT_OUT, "no degree of freedom");
}

static void a_moving_observer_is_left_out(void **state)
{
    (void)state;
    routh_check_options options = few();
    options.reference = "rotor";
    is_not_compared("bodies: {rotor: {mass: 2, inertia: [1, 1, 2], angular_velocity: [0, 0, 3]}}\n"
                    "joints: {bearing: {type: revolute, between: [rotor, ground], at: [0, 0, 0], "
                    "axis: z}}\n",
                    &options, ROUTH_CELL_LEFT_OUT, "the reference frame is rotor");
}

/* Without FLINT every model is refused by its name. */
static int without_flint(void)
{
    const routh_check_options options = few();
    checked c = check_text(PENDULUM("-1", ""), &options);
    const routh_check_cell *x = exact(&c);
    const int skip = x->state == ROUTH_CELL_REFUSED && x->why && strstr(x->why, "FLINT") ? 77 : 0;
    if (skip) print_message("skipped: %s\n", x->why);
    release(&c);
    return skip;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_in_the_class_agree_to_the_last_digits),
        cmocka_unit_test(spinning_bodies_agree_to_the_last_digits),
        cmocka_unit_test(in_other_states_the_spectrum_is_compared),
        cmocka_unit_test(elements_out_of_the_class_are_named),
        cmocka_unit_test(a_place_that_is_not_the_operating_point_is_left_out),
        cmocka_unit_test(the_limit_is_of_bodies),
        cmocka_unit_test(without_freedom_there_is_nothing_to_compare),
        cmocka_unit_test(a_moving_observer_is_left_out),
    };
    const int skip = without_flint();
    return skip ? skip : cmocka_run_group_tests(tests, NULL, NULL);
}
