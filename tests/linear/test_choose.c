/* Tests of linear/choose: `auto` takes an exact method that fits, and gives what that one gives. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/mechanisms.h"

static routh_linear *linearized(const test_mechanism *t, const routh_operating_point *point,
                                const char *method)
{
    routh_linear_options o = routh_linear_defaults();
    routh_linear *linear = NULL;
    routh_error error;
    o.method = method;
    if (routh_linear_compute(&linear, t->m, point, &o, &error)) fail_msg("%s", error.message);
    return linear;
}

static void assert_chosen(test_mechanism *t, const char *method)
{
    routh_operating_point *point = mechanism_point(t);
    routh_linear *linear = linearized(t, point, "auto"), *named = linearized(t, point, method);
    assert_string_equal(linear->method, method);
    assert_int_equal(linear->method_by_auto, 1);
    assert_int_equal(named->method_by_auto, 0);
    assert_int_equal(linear->n_states, named->n_states);
    const size_t size = (size_t)named->n_states * (size_t)named->n_states * sizeof(double);
    /* the same code on the same numbers */
    assert_memory_equal(linear->A, named->A, size);
    routh_linear_free(linear);
    routh_linear_free(named);
    routh_operating_point_free(point);
    mechanism_release(t);
}

static void mechanisms_of_like_bodies_take_the_minimal_method(void **state)
{
    (void)state;
    static const char *const settings[] = {"N", "20", NULL};
    test_mechanism t;
    mechanism_make_template(&t, "slider-pendulum", NULL);
    assert_chosen(&t, "minimal:sparse");
    mechanism_make_template(&t, "four-bar", settings);
    assert_chosen(&t, "minimal:sparse");
}

static void mechanisms_of_many_states_take_the_augmented_method(void **state)
{
    (void)state;
    static const char *const few[] = {"n", "40", NULL}, *const many[] = {"n", "41", NULL};
    test_mechanism t;
    mechanism_make_template(&t, "pendulum-chain", few);
    assert_chosen(&t, "minimal:sparse");
    mechanism_make_template(&t, "pendulum-chain", many);
    assert_chosen(&t, "augmented");
}

/* The minimal method would lose four digits. */
static void bodies_of_masses_far_apart_take_the_augmented_method(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  big: {mass: 1e4, inertia: [1e3, 1e3, 1e3], position: [0, 0, -1]}\n"
        "  small: {mass: %s, inertia: [0.1, 0.1, 0.1], position: [0, 0, -2]}\n"
        "joints:\n"
        "  h1: {type: revolute, between: [big, ground], at: [0, 0, 0], axis: x}\n"
        "  h2: {type: revolute, between: [small, big], at: [0, 0, -1.5], axis: x}\n";
    static const char *const masses[] = {"1", "100"}, *const methods[] = {"augmented",
                                                                          "minimal:sparse"};
    for (int k = 0; k < 2; k++) {
        test_mechanism t;
        growing_text whole = {0};
        text_add(&whole, text, masses[k]);
        mechanism_make(&t, whole.bytes);
        assert_chosen(&t, methods[k]);
        free(whole.bytes);
    }
}

static void loads_that_use_joint_reactions_take_the_augmented_method(void **state)
{
    (void)state;
    test_mechanism t;
    mechanism_make(&t, "gravity: [0, 0, -9.81]\n"
                       "bodies: {bob: {mass: 1, inertia: [1, 1, 1], position: [0, 0, -1]}}\n"
                       "joints: {hinge: {type: revolute, between: [bob, ground], at: [0, 0, 0], "
                       "axis: x}}\n"
                       "loads: {push: {type: torque, on: bob, components: [0.2*FX(hinge), 0, "
                       "0]}}\n");
    assert_chosen(&t, "augmented");
}

static void a_method_that_is_not_there_is_refused_with_the_names_there_are(void **state)
{
    (void)state;
    test_mechanism t;
    routh_linear *linear;
    routh_error error;
    routh_linear_options o = routh_linear_defaults();
    o.method = "automatic";
    mechanism_make_template(&t, "slider-pendulum", NULL);
    routh_operating_point *point = mechanism_point(&t);
    assert_int_equal(routh_linear_compute(&linear, t.m, point, &o, &error), ROUTH_NOT_SUPPORTED);
    assert_non_null(strstr(error.message, "auto, augmented"));
    routh_operating_point_free(point);
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mechanisms_of_like_bodies_take_the_minimal_method),
        cmocka_unit_test(mechanisms_of_many_states_take_the_augmented_method),
        cmocka_unit_test(bodies_of_masses_far_apart_take_the_augmented_method),
        cmocka_unit_test(loads_that_use_joint_reactions_take_the_augmented_method),
        cmocka_unit_test(a_method_that_is_not_there_is_refused_with_the_names_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
