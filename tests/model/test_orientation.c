/* Tests of model/orientation and of axes: every form gives the rotation it says. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec3.h"
#include "model_text.h"

/* The rotation that `form` gives to a body, row-major. */
static void rotation(const char *form, double A[9])
{
    char text[400];
    snprintf(text, sizeof text, "bodies: {b: {mass: 1, inertia: [1, 1, 1], orientation: %s}}\n",
             form);
    routh_model *m = read_model(text);
    for (int k = 0; k < 9; k++) A[k] = m->bodies[0].orientation[k].value;
    routh_model_free(m);
}

static void assert_column(const double A[9], int k, double x, double y, double z)
{
    assert_near(A[k], x, 1e-14);
    assert_near(A[3 + k], y, 1e-14);
    assert_near(A[6 + k], z, 1e-14);
}

static void turn(int axis, double angle, double A[9])
{
    const int m = (axis + 1) % 3, n = (axis + 2) % 3;
    rt_m3_identity(A);
    A[4 * m] = A[4 * n] = cos(angle);
    A[3 * n + m] = sin(angle);
    A[3 * m + n] = -sin(angle);
}

static void assert_product(const double A[9], const int axes[3], const double angles[3])
{
    double R[9], S[9], T[9], U[9];
    turn(axes[0], angles[0], R);
    turn(axes[1], angles[1], S);
    rt_m3_mul(T, R, S);
    turn(axes[2], angles[2], S);
    rt_m3_mul(U, T, S);
    for (int k = 0; k < 9; k++) assert_near(A[k], U[k], 1e-14);
}

static void a_quarter_turn_about_an_axis_moves_the_axes_as_it_should(void **state)
{
    (void)state;
    double A[9];
    rotation("{axis: [0, 0, 2], angle: 90 deg}", A);
    assert_column(A, 0, 0, 1, 0); /* x to y */
    assert_column(A, 1, -1, 0, 0);
    rotation("{axis: [1, 1, 1], angle: 120 deg}", A);
    assert_column(A, 0, 0, 1, 0);
    assert_column(A, 1, 0, 0, 1);
    assert_column(A, 2, 1, 0, 0);
}

static void euler_and_roll_pitch_yaw_are_products_of_turns(void **state)
{
    (void)state;
    double A[9];
    rotation("{euler: [0.3, 0.7, -1.1]}", A);
    assert_product(A, (int[]){2, 0, 2}, (double[]){0.3, 0.7, -1.1});
    rotation("{rpy: [0.3, 0.7, -1.1]}", A);
    assert_product(A, (int[]){2, 1, 0}, (double[]){-1.1, 0.7, 0.3});
}

static void directions_keep_z_and_turn_x_into_the_plane(void **state)
{
    (void)state;
    double A[9];
    rotation("{z: [0, 3, 0], x: [0, 5, 2]}", A);
    assert_column(A, 2, 0, 1, 0);
    assert_column(A, 0, 0, 0, 1);
    assert_column(A, 1, 1, 0, 0);
    rotation("{z: [0, 0, 1]}", A);
    assert_column(A, 0, 1, 0, 0);
}

static void a_matrix_is_read_row_by_row(void **state)
{
    (void)state;
    double A[9];
    rotation("{matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}", A);
    assert_column(A, 0, 0, 1, 0);
    assert_column(A, 1, -1, 0, 0);
}

/* The joint's triad is a rotation whose z lies along the axis. */
static void triads_are_rotations_with_z_along_the_axis(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double z[3];
    } cases[] = {{"x", {1, 0, 0}},
                 {"y", {0, 1, 0}},
                 {"z", {0, 0, 1}},
                 {"-x", {-1, 0, 0}},
                 {"-y", {0, -1, 0}},
                 {"-z", {0, 0, -1}},
                 {"[0, 0, 5]", {0, 0, 1}},
                 {"[3, 0, -4]", {0.6, 0, -0.8}},
                 {"[2, 2, 1]", {2. / 3, 2. / 3, 1. / 3}}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[300];
        double product[9], x[3], y[3], z[3];
        snprintf(text, sizeof text,
                 "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                 "joints: {j: {type: revolute, between: [b, ground], axis: %s}}\n",
                 cases[k].text);
        routh_model *m = read_model(text);
        const double *triad = m->joints[0].triad;
        assert_column(triad, 2, cases[k].z[0], cases[k].z[1], cases[k].z[2]);
        rt_m3_tmul(product, triad, triad);
        for (int i = 0; i < 9; i++) assert_near(product[i], i % 4 == 0, 1e-14);
        rt_m3_column(x, triad, 0);
        rt_m3_column(y, triad, 1);
        rt_v3_cross(z, x, y);
        for (int i = 0; i < 3; i++) assert_near(z[i], cases[k].z[i], 1e-14);
        routh_model_free(m);
    }
}

static void the_axis_z_leaves_the_triad_alone(void **state)
{
    (void)state;
    routh_model *m = read_model("bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                                "joints:\n  j: {type: revolute, between: [b, ground]}\n"
                                "  k: {type: revolute, between: [b, ground], axis: z}\n");
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 9; i++) assert_near(m->joints[j].triad[i], i % 4 == 0, 0);
    routh_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quarter_turn_about_an_axis_moves_the_axes_as_it_should),
        cmocka_unit_test(euler_and_roll_pitch_yaw_are_products_of_turns),
        cmocka_unit_test(directions_keep_z_and_turn_x_into_the_plane),
        cmocka_unit_test(a_matrix_is_read_row_by_row),
        cmocka_unit_test(triads_are_rotations_with_z_along_the_axis),
        cmocka_unit_test(the_axis_z_leaves_the_triad_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
