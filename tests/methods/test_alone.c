/* What is for mechanisms alone refuses models with controllers, variables, inputs, outputs or
 * nonholonomic joints, with one message that names the first of them and what to do instead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/mechanisms.h"

#define CART                                                                                       \
    "bodies: {cart: {mass: 2, inertia: [1, 1, 1]}}\n"                                              \
    "joints: {rail: {type: translational, between: [cart, ground], axis: x}}\n"
#define SPRING                                                                                     \
    "loads: {spring: {type: spring, between: [cart, far], stiffness: 3}}\n"                        \
    "markers: {far: {body: ground, position: [2, 0, 0]}}\n"

static const char with_controller[] =
    CART SPRING "controllers: {lag: {type: differential, rate: \"DX(cart) - lag\"}}\n";
static const char with_variable[] = CART SPRING "variables: {gap: \"2 - DX(cart)\"}\n";
static const char with_input[] =
    "inputs: {push: 0}\n" CART "loads: {f: {type: force, on: cart, components: [push, 0, 0]}}\n";
static const char with_output[] = CART SPRING "outputs: {gap: \"2 - DX(cart)\"}\n";
static const char with_blade[] = "bodies: {sledge: {mass: 2, inertia: [1, 1, 1]}}\n"
                                 "joints:\n"
                                 "  ice: {type: planar, between: [sledge, ground], axis: z}\n"
                                 "  blade: {type: knife_edge, between: [sledge, ground]}\n";

static const struct {
    const char *yaml, *element;
    bool takes_part; /* in the motion, so that even eigenvalues alone need it */
} models[] = {{with_controller, "controller lag", true},
              {with_variable, "variable gap", true},
              {with_input, "input push", false},
              {with_output, "output gap", false},
              {with_blade, "joint blade", true}};
enum { N_MODELS = sizeof models / sizeof *models };

static void assert_refused(routh_status status, const routh_error *error, const char *element,
                           const char *what, const char *instead)
{
    assert_int_equal(status, ROUTH_NOT_SUPPORTED);
    assert_string_equal(error->element, element);
    assert_true(error->line > 0);
    if (strncmp(error->message, what, strlen(what)) || !strstr(error->message, instead))
        fail_msg("%s", error->message);
}

static void the_penalty_method_names_what_it_would_leave_out(void **state)
{
    (void)state;
    for (int i = 0; i < N_MODELS; i++) {
        test_mechanism t;
        routh_linear *linear;
        routh_error error = {0};
        routh_linear_options options = routh_linear_defaults();
        options.method = "penalty";
        mechanism_make(&t, models[i].yaml);
        routh_operating_point *point = mechanism_point(&t);
        const routh_status status = routh_linear_compute(&linear, t.m, point, &options, &error);
        assert_refused(status, &error, models[i].element,
                       "the penalty method is for mechanisms without",
                       "use --method augmented, minimal, redundant or difference");
        assert_null(linear);
        routh_operating_point_free(point);
        mechanism_release(&t);
    }
}

static void linearizers_name_what_they_would_leave_out(void **state)
{
    (void)state;
    for (int i = 0; i < N_MODELS; i++) {
        test_mechanism t;
        routh_linearizer *linearizer;
        routh_error error = {0};
        mechanism_make(&t, models[i].yaml);
        routh_operating_point *point = mechanism_point(&t);
        assert_refused(routh_linearizer_create(&linearizer, t.m, point, NULL, NULL, &error), &error,
                       models[i].element, "a linearizer is for", "routh_linear_compute");
        assert_null(linearizer);
        routh_operating_point_free(point);
        mechanism_release(&t);
    }
}

static void joint_spaces_need_only_what_takes_part(void **state)
{
    (void)state;
    for (int i = 0; i < N_MODELS; i++) {
        test_mechanism t;
        routh_mechanism *relative;
        routh_joint_space *space;
        routh_error error = {0};
        mechanism_make(&t, models[i].yaml);
        if (routh_mechanism_compile(&relative, t.model, "relative", &error))
            fail_msg("%s", error.message);
        const routh_status status = routh_joint_space_create(&space, relative, &error);
        if (models[i].yaml == with_blade)
            assert_int_equal(status, ROUTH_NOT_SUPPORTED); /* it stays a constraint */
        else if (models[i].takes_part)
            assert_refused(status, &error, models[i].element,
                           "a state space in joint coordinates is for", "routh_linear_compute");
        else if (status)
            fail_msg("%s: %s", models[i].element, error.message);
        routh_joint_space_free(space);
        routh_mechanism_free(relative);
        mechanism_release(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_penalty_method_names_what_it_would_leave_out),
        cmocka_unit_test(linearizers_name_what_they_would_leave_out),
        cmocka_unit_test(joint_spaces_need_only_what_takes_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
