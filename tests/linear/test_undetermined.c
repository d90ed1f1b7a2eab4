/* Joint forces that redundant constraints leave open: refused in a loop, told of an output, and
 * neither where what is used is determined all the same. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "routh/routh.h"

/* A door on two hinges: they share the force along their common axis. */
static const char door[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies: {door: {mass: 20, inertia: [4, 4, 1], position: [0.4, 0, 1]}}\n"
    "joints:\n"
    "  lower: {type: revolute, between: [door, ground], at: [0, 0, 0.3], axis: z}\n"
    "  upper: {type: revolute, between: [door, ground], at: [0, 0, 1.7], axis: z}\n"
    "loads: {closer: {type: torsion_spring, between: [door, ground], at: [0, 0, 0], axis: z, "
    "stiffness: 5, torque: \"%s\"}}\n"
    "operating_point: {type: given}\n"
    "%s\n";

static routh_status linearize_with(const char *torque, const char *more, const char *set,
                                   routh_linear **linear, routh_error *error)
{
    char text[1500];
    routh_model *model;
    routh_mechanism *mechanism = NULL;
    routh_operating_point *point = NULL;
    snprintf(text, sizeof text, door, torque, more);
    *linear = NULL;
    routh_status status = routh_model_parse(&model, text, strlen(text), "test", NULL, 0, error);
    assert_int_equal(status, ROUTH_OK);
    status = routh_mechanism_compile(&mechanism, model, set, error);
    assert_int_equal(status, ROUTH_OK);
    status = routh_operating_point_find(&point, mechanism, NULL, error);
    assert_int_equal(status, ROUTH_OK);
    status = routh_linear_compute(linear, mechanism, point, NULL, error);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    routh_model_free(model);
    return status;
}

static routh_status linearize(const char *more, const char *set, routh_linear **linear,
                              routh_error *error)
{
    return linearize_with("0", more, set, linear, error);
}

static bool warned(const routh_linear *linear, const char *words)
{
    for (int k = 0; k < linear->n_warnings; k++)
        if (strstr(linear->warnings[k], words)) return true;
    return false;
}

static const char *const sets[] = {"absolute", "euler-parameters", "euler-angles", "relative",
                                   "natural"};

static void test_output_is_told(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof sets / sizeof sets[0]; k++) {
        routh_linear *linear;
        routh_error error;
        if (linearize("outputs: {share: \"FZ(upper)\"}", sets[k], &linear, &error))
            fail_msg("%s: %s", sets[k], error.message);
        assert_true(warned(linear, "output share uses a joint force that redundant constraints"));
        assert_true(fabs(linear->outputs[0].value) <= 20 * 9.81 * (1 + 1e-9));
        routh_linear_free(linear);
    }
}

/* What both hinges do together is determined. */
static void test_sum_is_determined(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof sets / sizeof sets[0]; k++) {
        routh_linear *linear;
        routh_error error;
        if (linearize("variables: {weight: \"FZ(upper) + FZ(lower)\"}\n"
                      "outputs: {both: \"FX(upper) + FX(lower) + weight\"}",
                      sets[k], &linear, &error))
            fail_msg("%s: %s", sets[k], error.message);
        assert_false(warned(linear, "redundant"));
        routh_linear_free(linear);
    }
}

static void test_loop_is_refused(void **state)
{
    (void)state;
    static const char *const loops[] = {
        "variables: {grip: \"0.1*FZ(upper)\"}",
        "controllers: {lag: {type: differential, rate: \"FZ(upper) - lag\"}}"};
    static const char *const elements[] = {"variable grip", "controller lag"};
    for (int k = 0; k < 2; k++) {
        routh_linear *linear;
        routh_error error;
        assert_int_equal(linearize(loops[k], "absolute", &linear, &error), ROUTH_SINGULAR);
        assert_null(linear);
        assert_string_equal(error.element, elements[k]);
        assert_non_null(strstr(error.message, "redundant constraints leave undetermined"));
        assert_true(error.line > 0);
    }
}

/* A load may use what both hinges do together, not what one does. */
static void test_load_is_refused(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof sets / sizeof sets[0]; k++) {
        routh_linear *linear;
        routh_error error;
        assert_int_equal(linearize_with("0.1*FZ(upper)*AZ(door)", "", sets[k], &linear, &error),
                         ROUTH_SINGULAR);
        assert_null(linear);
        assert_string_equal(error.element, "load closer");
        assert_non_null(strstr(error.message, "redundant constraints leave undetermined"));
        assert_true(error.line > 0);
        if (linearize_with("0.1*(FZ(upper) + FZ(lower))*AZ(door)", "", sets[k], &linear, &error))
            fail_msg("%s: %s", sets[k], error.message);
        /* K = 5 - 0.1 m g, C = 0 over 4.2 kg m^2 */
        assert_true(fabs(4.2 * linear->A[2] + 5 - 0.1 * 20 * 9.81) <= 1e-10);
        routh_linear_free(linear);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_is_told),
        cmocka_unit_test(test_sum_is_determined),
        cmocka_unit_test(test_loop_is_refused),
        cmocka_unit_test(test_load_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
