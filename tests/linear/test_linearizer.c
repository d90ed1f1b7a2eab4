/* A linearizer gives what routh_linear_compute gives, at its first point and at others, in every
 * coordinate set. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/mechanisms.h"

static routh_operating_point *point_of(const routh_mechanism *m, routh_operating_point_type type)
{
    routh_operating_point_options options = routh_operating_point_defaults();
    routh_operating_point *point;
    routh_error error;
    options.type = type;
    if (routh_operating_point_find(&point, m, &options, &error)) fail_msg("%s", error.message);
    return point;
}

static void assert_same(const double *a, const double *b, int n)
{
    double size = 0;
    for (int k = 0; k < n; k++) size = fmax(size, fabs(b[k]));
    for (int k = 0; k < n; k++) assert_true(fabs(a[k] - b[k]) <= 1e-11 * size);
}

/* By the augmented method, in the same states. */
static void assert_is_linear_model(const routh_linearizer *l, const routh_mechanism *m,
                                   const routh_operating_point *point)
{
    const routh_linear *found = routh_linearizer_linear(l);
    routh_linear_options options = routh_linear_defaults();
    routh_linear *expected;
    routh_error error;
    const char **states = calloc((size_t)found->n_position + 1, sizeof *states);
    assert_non_null(states);
    for (int k = 0; k < found->n_position; k++) states[k] = found->states[k].name;
    options.states = states;
    options.reference = found->reference;
    if (routh_linear_compute(&expected, m, point, &options, &error)) fail_msg("%s", error.message);
    const int n = expected->n_states, z = expected->n_position;
    assert_int_equal(found->n_states, n);
    assert_same(found->A, expected->A, n * n);
    assert_same(found->affine, expected->affine, n);
    for (int k = 0; k < n; k++)
        assert_true(fabs(found->states[k].value - expected->states[k].value) <= 1e-9);
    assert_same(found->mass, expected->mass, z * z);
    assert_same(found->damping, expected->damping, z * z);
    assert_same(found->stiffness, expected->stiffness, z * z);
    assert_int_equal(found->at_rest, expected->at_rest);
    assert_true(found->residual == point->residual && expected->residual == point->residual);
    routh_linear_free(expected);
    free(states);
}

static void check_model(const routh_model *model, const char *coordinates)
{
    routh_mechanism *m;
    routh_linearizer *l;
    routh_error error;
    assert_int_equal(routh_mechanism_compile(&m, model, coordinates, &error), ROUTH_OK);
    routh_operating_point *first = point_of(m, ROUTH_OPERATING_BY_MODEL);
    routh_operating_point *second = point_of(m, ROUTH_OPERATING_GIVEN);
    if (routh_linearizer_create(&l, m, first, NULL, NULL, &error)) fail_msg("%s", error.message);
    assert_is_linear_model(l, m, first);
    assert_int_equal(routh_linearizer_run(l, second, &error), ROUTH_OK);
    assert_is_linear_model(l, m, second);
    assert_int_equal(routh_linearizer_run(l, first, &error), ROUTH_OK);
    assert_is_linear_model(l, m, first);
    routh_linearizer_free(l);
    routh_operating_point_free(first);
    routh_operating_point_free(second);
    routh_mechanism_free(m);
}

static void check(const char *template, const char *const settings[], const char *coordinates)
{
    test_mechanism t;
    mechanism_make_template(&t, template, settings);
    check_model(t.model, coordinates);
    mechanism_release(&t);
}

static void it_follows_the_operating_point(void **state)
{
    (void)state;
    const char *name;
    for (int k = 0; (name = routh_coordinate_name(k)); k++) {
        check("four-bar", (const char *const[]){"N", "3", "c", "1", NULL}, name);
        check("slider-pendulum", (const char *const[]){"c", "20", NULL}, name);
        check("rotating-pendulum", (const char *const[]){NULL}, name);
        check("rotor-stator", (const char *const[]){NULL}, name);
    }
}

/* Hanging at rest, then turned and turning; seen from a marker that no element looks at. */
static void it_follows_the_observer(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: [1, 1, 1], position: [0.6, -0.8, 0], velocity: [1.6, 1.2, 0],\n"
        "      angular_velocity: [0, 0, 2]}\n"
        "  b: {mass: 1, inertia: [1, 1, 1], position: [1.6, -1.6, 0]}\n"
        "markers:\n"
        "  eye: {body: a, position: [0.1, 0.2, 0.3], orientation: {rpy: [0.1, 0.2, 0.3]}}\n"
        "joints:\n"
        "  j: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: z}\n"
        "  k: {type: revolute, between: [b, a], at: [1.2, -1.6, 0], axis: z}\n"
        "operating_point: {type: static}\n"
        "linearize: {reference: eye}\n";
    const char *name;
    test_mechanism t;
    mechanism_make(&t, text);
    for (int k = 0; (name = routh_coordinate_name(k)); k++) check_model(t.model, name);
    mechanism_release(&t);
}

static void joint_reactions_are_refused(void **state)
{
    (void)state;
    test_mechanism t;
    routh_linearizer *l;
    routh_error error;
    mechanism_make(&t, "bodies: {a: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
                       "joints: {pin: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: "
                       "z}}\n"
                       "loads: {l: {type: torque, on: a, components: [0, 0, \"-FX(pin)\"]}}\n"
                       "operating_point: {type: given}\n");
    routh_operating_point *point = mechanism_point(&t);
    assert_int_equal(routh_linearizer_create(&l, t.m, point, NULL, NULL, &error),
                     ROUTH_NOT_SUPPORTED);
    assert_null(l);
    assert_non_null(strstr(error.message, "--method augmented"));
    routh_operating_point_free(point);
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_follows_the_operating_point),
        cmocka_unit_test(it_follows_the_observer),
        cmocka_unit_test(joint_reactions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
