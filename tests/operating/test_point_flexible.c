/* Centre of mass and largest deflection of a flexible body against statics. */
#include "routh/routh.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

enum { ELEMENTS = 6 };

static const char text[] =
    "gravity: [0, 0, -9.81]\n"
    "operating_point: {type: static}\n"
    "bodies:\n"
    "  bar: {type: beam, from: [0.3, 0, 1], to: [0.3, 0, -1], elements: 6, density: 3000,\n"
    "        youngs_modulus: 1e8, poissons_ratio: 0.3, section: {circle: {radius: 0.02}},\n"
    "        side: [0, 1, 0]}\n"
    "  weight: {mass: 2, inertia: [1, 1, 1], position: [0.3, 0, -1]}\n"
    "joints:\n"
    "  top: {type: fixed, between: [bar, ground], at: [0.3, 0, 1]}\n"
    "  bottom: {type: fixed, between: [weight, bar], at: [0.3, 0, -1]}\n";

/* u(x) = (W x + w (x - x^2 / 2 l)) / E A: nodes are there exactly, bars between them straight. */
static double down(double x)
{
    const double area = 3.14159265358979323846 * 0.02 * 0.02, length = 2;
    const double own = 3000 * area * length * 9.81, weight = 2 * 9.81;
    return (weight * x + own * (x - x * x / (2 * length))) / (1e8 * area);
}

static void a_hanging_bar_is_stretched(void **state)
{
    (void)state;
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_error error = {0};
    double mean = 0;
    if (routh_model_parse(&model, text, sizeof text - 1, "bar.yaml", NULL, 0, &error) ||
        routh_mechanism_compile(&mechanism, model, NULL, &error) ||
        routh_operating_point_find(&point, mechanism, NULL, &error))
        fail_msg("%s", error.message);
    for (int k = 0; k < ELEMENTS; k++)
        mean += (down(2.0 * k / ELEMENTS) + down(2.0 * (k + 1) / ELEMENTS)) / (2 * ELEMENTS);
    const routh_body_state *bar = &point->bodies[0], *weight = &point->bodies[1];
    assert_string_equal(bar->name, "bar");
    assert_true(bar->n_elastic > 0);
    assert_true(fabs(bar->centre[2] + mean) < 1e-9 * mean);
    assert_true(fabs(bar->centre[0] - 0.3) < 1e-12 && fabs(bar->centre[1]) < 1e-12);
    assert_int_equal(bar->deflected_node, ELEMENTS + 1);
    assert_true(fabs(bar->deflection[2] + down(2)) < 1e-9 * down(2));
    assert_true(fabs(bar->deflection[0]) < 1e-12 && fabs(bar->deflection[1]) < 1e-12);
    assert_int_equal(weight->n_elastic, 0);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    routh_model_free(model);
}

/* A beam clamped at one end bends under its weight until the clamp's torque is that of its weight
 * at its centre of mass, which bending has moved to the clamp by the square of the deflection. */
static void a_bent_beam_has_its_centre_where_the_clamps_torque_says(void **state)
{
    (void)state;
    static const char cantilever[] =
        "gravity: [0, 0, -9.81]\n"
        "operating_point: {type: static}\n"
        "bodies:\n"
        "  bar: {type: beam, from: [0, 0, 0], to: [2, 0, 0], elements: 6, density: 3000,\n"
        "        youngs_modulus: 2e9, poissons_ratio: 0.3, section: {circle: {radius: 0.02}},\n"
        "        side: [0, 1, 0]}\n"
        "joints:\n"
        "  clamp: {type: fixed, between: [bar, ground], at: [0, 0, 0]}\n";
    routh_model *model = NULL;
    routh_mechanism *mechanism = NULL;
    routh_operating_point *point = NULL;
    routh_error error = {0};
    if (routh_model_parse(&model, cantilever, sizeof cantilever - 1, "bar", NULL, 0, &error) ||
        routh_mechanism_compile(&mechanism, model, NULL, &error) ||
        routh_operating_point_find(&point, mechanism, NULL, &error))
        fail_msg("%s", error.message);
    const routh_body_state *bar = &point->bodies[0];
    const routh_reaction *clamp = &point->reactions[0];
    const double weight = 3000 * 3.14159265358979323846 * 0.02 * 0.02 * 2 * 9.81;
    assert_true(fabs(clamp->force[2] - weight) < 1e-9 * weight);
    const double arm = -clamp->torque[1] / clamp->force[2];
    assert_true(bar->deflection[2] < -0.1);
    assert_true(arm < 1 - 1e-3);
    assert_true(fabs(bar->centre[0] - arm) < 1e-9);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    routh_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hanging_bar_is_stretched),
        cmocka_unit_test(a_bent_beam_has_its_centre_where_the_clamps_torque_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
