/* Rotation and strain of flexible bodies at operating points: against statics in closed form, and
 * what lies beyond small deformations is no equilibrium. */
#include "routh/routh.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static const double LENGTH = 1.3, EI = 2.7, PI = 3.14159265358979323846;

static routh_status point_of(routh_operating_point **point, double EA, int elements,
                             const char *force, routh_operating_point_type type, routh_error *error)
{
    char text[1200];
    routh_model *model = NULL;
    routh_mechanism *mechanism = NULL;
    routh_operating_point_options options = routh_operating_point_defaults();
    const int length = snprintf(
        text, sizeof text,
        "bodies:\n"
        "  strut: {type: beam, to: [1.3, 0, 0], elements: %d, planar: true, density: 0.9,\n"
        "          youngs_modulus: %g, area: 1, izz: %.17g}\n"
        "joints:\n"
        "  root: {type: fixed, between: [first, ground]}\n"
        "markers:\n"
        "  first: {body: strut, node: first}\n"
        "  tip: {body: strut, node: last}\n"
        "loads:\n"
        "  dead: {type: force, on: tip, components: %s}\n",
        elements, EA, EI / EA, force);
    options.type = type;
    routh_status status =
        routh_model_parse(&model, text, (size_t)length, "strut.yaml", NULL, 0, error);
    if (!status) status = routh_mechanism_compile(&mechanism, model, NULL, error);
    if (!status) status = routh_operating_point_find(point, mechanism, &options, error);
    routh_mechanism_free(mechanism);
    routh_model_free(model);
    return status;
}

static bool says(const routh_operating_point *point, const char *words)
{
    for (int k = 0; k < point->n_warnings; k++)
        if (strstr(point->warnings[k], words)) return true;
    return false;
}

/* The slope at the end is P L^2 / 2 E I, the strain of a pulled bar P / E A. */
static void rotation_and_strain_are_those_of_statics(void **state)
{
    (void)state;
    routh_operating_point *point;
    routh_error error = {0};
    if (point_of(&point, 1e5, 8, "[0, -0.3, 0]", ROUTH_OPERATING_STATIC, &error))
        fail_msg("%s", error.message);
    const double slope = 0.3 * LENGTH * LENGTH / (2 * EI);
    assert_true(fabs(point->bodies[0].rotation - slope) < 1e-6 * slope);
    assert_int_equal(point->bodies[0].rotated_node, 9);
    assert_int_equal(point->n_warnings, 0);
    routh_operating_point_free(point);

    if (point_of(&point, 1e5, 8, "[-2, 0, 0]", ROUTH_OPERATING_STATIC, &error))
        fail_msg("%s", error.message);
    assert_true(fabs(point->bodies[0].strain + 2e-5) < 1e-14);
    assert_true(point->bodies[0].rotation < 1e-12);
    routh_operating_point_free(point);
}

/* 0.2 rad is said, 1 rad refused; the second with what covers it. */
static void large_rotations_are_said_and_refused(void **state)
{
    (void)state;
    routh_operating_point *point;
    routh_error error = {0};
    char force[64];
    for (int k = 0; k < 3; k++) {
        static const double slopes[3] = {0.199, 0.21, 0.9};
        snprintf(force, sizeof force, "[0, %.17g, 0]", slopes[k] * 2 * EI / (LENGTH * LENGTH));
        if (point_of(&point, 1e7, 12, force, ROUTH_OPERATING_STATIC, &error))
            fail_msg("%s", error.message);
        assert_int_equal(says(point, "`beams`"), k > 0);
        routh_operating_point_free(point);
    }
    snprintf(force, sizeof force, "[0, %.17g, 0]", 1.1 * 2 * EI / (LENGTH * LENGTH));
    assert_int_equal(point_of(&point, 1e7, 12, force, ROUTH_OPERATING_STATIC, &error),
                     ROUTH_NO_EQUILIBRIUM);
    assert_non_null(strstr(error.message, "`beams`"));
    assert_string_equal(error.element, "body strut");
}

/* Above Euler's load the energy of the theory, quadratic in the deflection but for the stretch,
 * which compensates it, has no minimum: there is no buckled state to be found, however large the
 * forces are that cancel in a bent element. Where E A = 1e9 leaves 2e-4 of the load within rounding
 * (which kernels of OpenBLAS decide), it is said. */
static void no_strut_over_eulers_load_is_in_balance(void **state)
{
    (void)state;
    static const double factors[] = {1.0002, 1.003, 1.01, 1.013, 1.02, 1.3, 2.9};
    static const double stiffness[] = {1e4, 1e7, 1e9};
    static const int elements[] = {12, 24, 36, 48, 72};
    const double euler = PI * PI * EI / (4 * LENGTH * LENGTH);
    for (size_t f = 0; f < 7; f++)
        for (size_t s = 0; s < 3; s++)
            for (size_t n = 0; n < 5; n++) {
                routh_operating_point *point;
                routh_error error = {0};
                char force[64];
                snprintf(force, sizeof force, "[%.17g, 0, 0]", -factors[f] * euler);
                const routh_status status = point_of(&point, stiffness[s], elements[n], force,
                                                     ROUTH_OPERATING_STATIC, &error);
                if (!status && factors[f] < 1.001 && stiffness[s] > 1e8 &&
                    says(point, "it is not certain that the equilibrium is stable")) {
                    routh_operating_point_free(point);
                    continue;
                }
                if (status != ROUTH_NO_EQUILIBRIUM)
                    fail_msg("%g of Euler's load, EA %g, %d elements: %d", factors[f], stiffness[s],
                             elements[n], status);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotation_and_strain_are_those_of_statics),
        cmocka_unit_test(large_rotations_are_said_and_refused),
        cmocka_unit_test(no_strut_over_eulers_load_is_in_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
