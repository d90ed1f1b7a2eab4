/* The examples of Ge, Zhao, Chen and Liu (2005), with numbers for their symbols: the double
 * pendulum of rods and the pendulum on a slider with a spring. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "papers/answers.h"

static const char paper[] = "Ge, Zhao, Chen, Liu 2005";

typedef struct example {
    const json_t *expected;
    const char *table;
    double L1, L2; /* the states are angles: x2 = L1 phi1, x3 = x2 + L2 phi2; 0: they are x */
} example;

/* S'X S with (phi1, phi2) = S (x2, x3) */
static void to_displacements(const example *x, const double *X, double out[4])
{
    const double S[4] = {1 / x->L1, 0, -1 / x->L2, 1 / x->L2};
    for (int i = 0; i < 4; i++) {
        out[i] = 0;
        for (int k = 0; k < 4; k++)
            out[i] += S[2 * (k / 2) + i / 2] * X[k] * S[2 * (k % 2) + i % 2];
    }
}

static void check_in_displacements(const answer *a, const example *x, const char *key,
                                   const double *found)
{
    double turned[4];
    if (x->L1 > 0) to_displacements(x, found, turned);
    check_matrix(a, json_object_get(x->expected, key), x->L1 > 0 ? turned : found, key);
}

static void see_example(answer *a, void *context)
{
    const example *x = context;
    const json_t *squares = json_object_get(x->expected, "omega_squared");
    double s[2][2] = {{0}};
    for (size_t k = 0; k < 2; k++) s[k][1] = sqrt(json_number_value(json_array_get(squares, k)));
    sort_pairs(a, s, 2);
    assert_int_equal(a->linear->n_position, 2);
    check_in_displacements(a, x, "mass", a->linear->mass);
    check_in_displacements(a, x, "stiffness", a->linear->stiffness);
    for (int k = 0; k < 2; k++)
        record_line(.paper = paper, .table = x->table, .quantity = k ? "omega_2^2" : "omega_1^2",
                    .reference = s[k][1] * s[k][1], .computed = a->pair[k][1] * a->pair[k][1],
                    .coordinates = a->coordinates, .method = a->method,
                    .bound = 2 * s[k][1] * a->bound[k]);
}

static void the_hanging_double_pendulum(void **state)
{
    (void)state;
    json_t *file = reference_file("ge.json");
    example x = {json_object_get(file, "double_pendulum"), "(55), (56)", 1, 0.7};
    every_answer("gravity: [0, -9.81, 0]\n"
                 "bodies:\n"
                 "  one: {mass: 2, inertia: [2*1/12, 0.01, 2*1/12], position: [0, -0.5, 0]}\n"
                 "  two: {mass: 3, inertia: [3*0.49/12, 0.01, 3*0.49/12], position: [0, -1.35, "
                 "0]}\n"
                 "joints:\n"
                 "  top: {type: revolute, between: [one, ground], at: [0, 0, 0]}\n"
                 "  middle: {type: revolute, between: [one, two], at: [0, -1, 0]}\n"
                 "linearize: {states: [one.rz, two.rz]}\n",
                 NULL, NULL, see_example, &x);
    json_decref(file);
}

/* A point is a body that does not turn. */
static void the_pendulum_on_a_slider_with_a_spring(void **state)
{
    (void)state;
    json_t *file = reference_file("ge.json");
    example x = {json_object_get(file, "spring_pendulum"), "(59)-(64)", 0, 0};
    every_answer(
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  slider: {mass: 2, inertia: [1, 1, 1]}\n"
        "  bob: {mass: 3, inertia: [1, 1, 1], position: [0, -0.8, 0]}\n"
        "joints:\n"
        "  guide: {type: translational, between: [slider, ground], at: [0, 0, 0], axis: x}\n"
        "  thread: {type: rod, between: [bob, slider], length: 0.8}\n"
        "  upright: {type: orientation, between: [bob, ground]}\n"
        "  plane: {type: expression, expression: DZ(bob)}\n"
        "loads:\n"
        "  spring: {type: bushing, between: [slider, ground], translation: {stiffness: [40, "
        "0, 0]}}\n"
        "linearize: {states: [slider.x, bob.x]}\n",
        NULL, NULL, see_example, &x);
    json_decref(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hanging_double_pendulum),
        cmocka_unit_test(the_pendulum_on_a_slider_with_a_spring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
