/* The difference method with controllers and inputs against closed forms: nonlinear laws, states
 * and inputs of any size, motions that follow inputs (the other methods too), joint forces of
 * redundant rows; and its own estimate of its error. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/mechanisms.h"

typedef struct answer {
    test_mechanism t;
    routh_operating_point *point;
    routh_linear *linear;
} answer;

static void answer_make(answer *a, const char *yaml, const char *method)
{
    routh_linear_options options = routh_linear_defaults();
    routh_error error;
    options.method = method;
    mechanism_make(&a->t, yaml);
    a->point = mechanism_point(&a->t);
    if (routh_linear_compute(&a->linear, a->t.m, a->point, &options, &error))
        fail_msg("%s: %s", error.element, error.message);
}

static void answer_release(answer *a)
{
    routh_linear_free(a->linear);
    routh_operating_point_free(a->point);
    mechanism_release(&a->t);
}

static void near(const char *what, double x, double right, double within)
{
    if (!(fabs(x - right) <= within)) fail_msg("%s is %.17g, not %.17g", what, x, right);
}

/* Every entry of n x m, row-major, to `within` of the largest; and the estimate holds for A. */
static void assert_matrix(const char *name, const double *x, const double *right, int n, int m,
                          double within)
{
    const double size = largest_of(right, n * m);
    for (int i = 0; i < n * m; i++) {
        char what[32];
        snprintf(what, sizeof what, "%s[%d][%d]", name, i / m, i % m);
        near(what, x[i], right[i], within * (size > 0 ? size : 1));
    }
}

/* m x'' = -k x - c x' + f + push^2,  f = F tanh(a off + b h),  off = r - x,  h' = off,
 * 0.1 g' + g^3 - x' = 0, with the outputs f and x'' and F tanh' = F (1 - (f/F)^2). The mass stands
 * off its balance, so that x'' is not 0. */
static void a_nonlinear_law_has_its_closed_form(void **state)
{
    (void)state;
    const double m = 2, k = 30, c = 0.7, F = 8, a = 3, b = 1.5, x = 0.4, v = -0.2, h = 0.3, r = 0.7,
                 g = 0.5, push = 1.2;
    answer d;
    answer_make(&d,
                "parameters: {F: 8, a: 3, b: 1.5}\n"
                "inputs: {r: 0.7, push: 1.2}\n"
                "bodies: {mass: {mass: 2, inertia: [1, 1, 1], position: [0.4, 0, 0], velocity: "
                "[-0.2, 0, 0]}}\n"
                "joints: {rail: {type: translational, between: [mass, ground], axis: x}}\n"
                "variables: {off: \"r - DX(mass)\", f: \"F*tanh(a*off + b*h)\"}\n"
                "controllers:\n"
                "  h: {type: differential, rate: off, initial: 0.3}\n"
                "  g: {type: implicit, equation: \"0.1*RATE(g) + g^3 - VX(mass)\", initial: 0.5}\n"
                "loads: {all: {type: force, on: mass, components: [\"f + push^2 - 30*DX(mass) - "
                "0.7*VX(mass)\", 0, 0]}}\n"
                "outputs: {force: f, jolt: \"ACCX(mass)\"}\n"
                "operating_point: {type: given}\n",
                "difference");
    const double t = tanh(a * (r - x) + b * h), slope = F * (1 - t * t);
    const double A[] = {0,
                        1,
                        0,
                        0, /* x', v', h', g' by x, v, h, g */
                        (-k - a * slope) / m,
                        -c / m,
                        b * slope / m,
                        0,
                        -1,
                        0,
                        0,
                        0,
                        0,
                        10,
                        0,
                        -30 * g * g};
    const double B[] = {0, 0, a * slope / m, 2 * push / m, 1, 0, 0, 0};
    const double C[] = {-a * slope, 0, b * slope, 0, A[4], A[5], A[6], 0};
    const double D[] = {a * slope, 0, a * slope / m, 2 * push / m};
    const routh_linear *l = d.linear;
    assert_int_equal(l->n_states, 4);
    near("x''", l->affine[1], (F * t + push * push - k * x - c * v) / m, 1e-12);
    assert_matrix("A", l->A, A, 4, 4, 1e-10);
    assert_matrix("B", l->B, B, 4, 2, 1e-10);
    assert_matrix("C", l->C, C, 2, 4, 1e-10);
    assert_matrix("D", l->D, D, 2, 2, 1e-10);
    for (int i = 0; i < 8; i++) near("B1, B2", fabs(l->B1[i]) + fabs(l->B2[i]), 0, 1e-12);
    assert_true(l->error_estimate > 0 && l->error_estimate < 1e-9);
    double worst = 0;
    for (int i = 0; i < 16; i++) worst = fmax(worst, fabs(l->A[i] - A[i]) / 30);
    assert_true(worst <= 100 * l->error_estimate);
    answer_release(&d);
}

/* 2 x'' = sin(s X + s in), X' = -cos(s X) / s about X = 0.3 / s, in = 0.2 / s: s = 7e3 needs steps
 * of 1e-4, s = 1e-5 steps of 1e4; no unit is told. */
static void check_size(double s)
{
    char yaml[1024];
    answer d;
    snprintf(yaml, sizeof yaml,
             "parameters: {s: %.17g}\n"
             "inputs: {in: 0.2/s}\n"
             "bodies: {mass: {mass: 2, inertia: [1, 1, 1]}}\n"
             "joints: {rail: {type: translational, between: [mass, ground], axis: x}}\n"
             "controllers: {X: {type: differential, rate: \"-cos(s*X)/s\", initial: 0.3/s}}\n"
             "loads: {f: {type: force, on: mass, components: [\"sin(s*X + s*in)\", 0, 0]}}\n"
             "operating_point: {type: given}\n",
             s);
    answer_make(&d, yaml, "difference");
    const routh_linear *l = d.linear;
    assert_int_equal(l->n_states, 3);
    near("A[1][2]", l->A[5] / s, cos(0.5) / 2, 1e-8);
    near("A[2][2]", l->A[8], sin(0.3), 1e-8);
    near("B[1]", l->B[1] / s, cos(0.5) / 2, 1e-8);
    near("B[2]", l->B[2] * s, 0, 1e-8);
    answer_release(&d);
}

static void steps_of_controllers_and_inputs_find_their_size(void **state)
{
    (void)state;
    static const double sizes[] = {1e-5, 1e-2, 1, 1e2, 7e3};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) check_size(sizes[k]);
}

/* A weight m on a spring and a damper behind a carriage M that is driven to d = r sin 2t + r^2 at
 * t = 0.6, r = 0.3, r' = r'' = 0. With a = dd/dr = sin 2t + 2 r, a' = 2 cos 2t, a'' = -4 sin 2t,
 *     dd = a dr,   dd' = a' dr + a dr',   dd'' = a'' dr + 2 a' dr' + a dr''
 *     m x'' = -k (x - 1 - d) - c (x' - d'),     force of the drive = M d'' + m x'', up to sign. */
static void check_driven(const char *method, double within)
{
    const double m = 2, k = 30, c = 0.7, M = 3, t = 0.6, r = 0.3;
    const double a = sin(2 * t) + 2 * r, a1 = 2 * cos(2 * t), a2 = -4 * sin(2 * t);
    answer d;
    answer_make(
        &d,
        "inputs: {road: 0.3}\n"
        "bodies:\n"
        "  carriage: {mass: 3, inertia: [1, 1, 1]}\n"
        "  weight: {mass: 2, inertia: [1, 1, 1], position: [1.5, 0, 0]}\n"
        "joints:\n"
        "  rail: {type: translational, between: [carriage, ground], at: [0, 0, 0], axis: x}\n"
        "  guide: {type: translational, between: [weight, ground], at: [0, 0, 0], axis: x}\n"
        "  drive: {type: motion, joint: rail, function: \"road*sin(2*time) + road^2\"}\n"
        "loads:\n"
        "  spring: {type: spring, between: [weight, carriage], stiffness: 30, damping: 0.7,\n"
        "           free_length: 1}\n"
        "outputs: {pull: \"FX(drive)\"}\n"
        "operating_point: {type: given, time: 0.6}\n",
        method);
    const routh_linear *l = d.linear;
    const double B[] = {0, (k * a + c * a1) / m}, B1[] = {0, c * a / m}, B2[] = {0, 0};
    const double sign = l->D2[0] > 0 ? 1 : -1;
    const double C[] = {-k * sign, -c * sign}, D[] = {(M * a2 + c * a1 + k * a) * sign},
                 D1[] = {(2 * M * a1 + c * a) * sign}, D2[] = {M * a * sign};
    assert_int_equal(l->n_states, 2);
    assert_matrix("B", l->B, B, 2, 1, within);
    assert_matrix("B1", l->B1, B1, 2, 1, within);
    assert_matrix("B2", l->B2, B2, 2, 1, within);
    assert_matrix("C", l->C, C, 1, 2, within);
    assert_matrix("D", l->D, D, 1, 1, within);
    assert_matrix("D1", l->D1, D1, 1, 1, within);
    assert_matrix("D2", l->D2, D2, 1, 1, within);
    answer_release(&d);
}

static void inputs_of_motions_count_with_both_their_rates(void **state)
{
    (void)state;
    check_driven("augmented", 1e-12);
    check_driven("minimal", 1e-12);
    check_driven("redundant", 1e-12);
    check_driven("difference", 1e-10);
}

/* The joint forces of redundant rows stay as they are at the operating point, as in the other
 * methods. */
static void joint_forces_of_redundant_rows_agree(void **state)
{
    (void)state;
    static const char yaml[] =
        "gravity: [0, 0, -9.81]\n"
        "inputs: {push: 2}\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [0, 0, -0.5]}\n"
        "  b: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [1, 0, -0.5]}\n"
        "  bar: {mass: 4, inertia: [0.1, 2, 2], position: [0.5, 0.1, -1]}\n"
        "joints:\n"
        "  a0: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: y}\n"
        "  b0: {type: revolute, between: [b, ground], at: [1, 0, 0], axis: y}\n"
        "  a1: {type: revolute, between: [a, bar], at: [0, 0, -1], axis: y}\n"
        "  b1: {type: revolute, between: [b, bar], at: [1, 0, -1], axis: y}\n"
        "loads: {f: {type: force, on: bar, components: [push, 0.3, 0]}}\n"
        "outputs: {f: \"FX(a0)\", g: \"FY(a0)\", t: \"TX(b1)\"}\n"
        "operating_point: {type: given}\n";
    answer d, e;
    answer_make(&d, yaml, "difference");
    answer_make(&e, yaml, "augmented");
    assert_true(d.point->n_redundant > 0);
    assert_true(largest_of(e.linear->C, 6) > 1);
    assert_matrix("A", d.linear->A, e.linear->A, 2, 2, 1e-10);
    assert_matrix("C", d.linear->C, e.linear->C, 3, 2, 1e-9);
    assert_matrix("D", d.linear->D, e.linear->D, 3, 1, 1e-9);
    answer_release(&d);
    answer_release(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_nonlinear_law_has_its_closed_form),
        cmocka_unit_test(steps_of_controllers_and_inputs_find_their_size),
        cmocka_unit_test(inputs_of_motions_count_with_both_their_rates),
        cmocka_unit_test(joint_forces_of_redundant_rows_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
