/* Rotor and stator of Negrut and Ortiz (2006), which prints no numbers: eigenvalues over the speed,
 * seen from the ground and from the rotor, and the matrices. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "papers/answers.h"

static const char paper[] = "Negrut and Ortiz 2006";
static const double two_pi = 6.283185307179586;

/* Its template with the states of the reference and, with gravity, a mount that carries the
 * weight. */
static char *rotor_stator(double spin, double gravity)
{
    growing_text text = {0};
    text_add(
        &text,
        "gravity: [0, 0, %.17g]\n"
        "bodies:\n"
        "  stator: {mass: 200, inertia: [50, 50, 10]}\n"
        "  rotor: {mass: 1300, inertia: [500, 500, 1000], position: [0, 0, 0.75], "
        "angular_velocity: [0, 0, %.17g]}\n"
        "joints: {bearing: {type: revolute, between: [rotor, stator], at: [0, 0, 0]}}\n"
        "loads:\n"
        "  mount: {type: bushing, between: [stator, ground], preload: [0, 0, %.17g, 0, 0, 0],\n"
        "    translation: {stiffness: 1000, damping: 1},\n"
        "    rotation: {stiffness: [1e4, 1e4, 1e5], damping: [10, 10, 100]}}\n"
        "linearize: {states: [stator.x, stator.y, stator.z, stator.rx, stator.ry, stator.rz, "
        "rotor.rz]}\n",
        -gravity, spin, 1500 * gravity);
    return text.bytes;
}

static void see_matrices(answer *a, void *context)
{
    static const char *const names[] = {"stator.x",  "stator.y",  "stator.z", "stator.rx",
                                        "stator.ry", "stator.rz", "rotor.rz"};
    const json_t *c = context;
    double s[MOST_PAIRS][2];
    assert_int_equal(a->linear->n_position, 7);
    for (int k = 0; k < 7; k++) assert_string_equal(a->linear->states[k].name, names[k]);
    sort_pairs(a, s, pairs_of(json_object_get(c, "eigenvalues"), s));
    if (a->exact) assert_int_equal(a->n_zero, 2);
    check_matrix(a, json_object_get(c, "mass"), a->linear->mass, "mass");
    check_matrix(a, json_object_get(c, "damping"), a->linear->damping, "damping");
    check_matrix(a, json_object_get(c, "stiffness"), a->linear->stiffness, "stiffness");
}

static void matrices_are_those_of_the_symbolic_derivation(void **state)
{
    (void)state;
    json_t *file = reference_file("rotor_stator.json");
    const json_t *cases = json_object_get(file, "cases");
    assert_int_equal(json_array_size(cases), 8);
    for (size_t k = 0; k < 8; k++) {
        json_t *c = json_array_get(cases, k);
        char *text = rotor_stator(two_pi * number_of(c, "speed_hz"), number_of(c, "gravity"));
        every_answer(text, NULL, json_string_value(json_object_get(c, "observer")), see_matrices,
                     c);
        free(text);
    }
    json_decref(file);
}

/* Im s / 2 pi in Hz and Re s in 1/s; both relative to |s| */
static void see_speed(answer *a, void *context)
{
    const json_t *c = context;
    const bool ground = strcmp(json_string_value(json_object_get(c, "observer")), "ground") == 0;
    double s[MOST_PAIRS][2];
    const int n = pairs_of(json_object_get(c, "eigenvalues"), s);
    assert_int_equal(n, 6);
    sort_pairs(a, s, n);
    if (a->exact) assert_int_equal(a->n_zero, 2);
    for (int k = 0; k < n; k++) {
        const double size = hypot(s[k][0], s[k][1]);
        char quantity[40];
        snprintf(quantity, sizeof quantity, "%.1f Hz: pair %d", number_of(c, "speed_hz"), k + 1);
        record_line(.paper = paper, .quantity = quantity,
                    .table = ground ? "Frequencies from the ground" : "Frequencies from the rotor",
                    .reference = s[k][1] / two_pi, .computed = a->pair[k][1] / two_pi,
                    .coordinates = a->coordinates, .method = a->method, .scale = size / two_pi,
                    .bound = a->bound[k] / two_pi);
        record_line(.paper = paper, .quantity = quantity,
                    .table = ground ? "Decay from the ground" : "Decay from the rotor",
                    .reference = s[k][0], .computed = a->pair[k][0], .coordinates = a->coordinates,
                    .method = a->method, .scale = size, .bound = a->bound[k]);
    }
}

static void eigenvalues_over_the_speed_from_ground_and_rotor(void **state)
{
    (void)state;
    json_t *file = reference_file("rotor_stator.json");
    const json_t *sweep = json_object_get(file, "sweep");
    assert_int_equal(json_array_size(sweep), 22);
    for (size_t k = 0; k < 22; k++) {
        json_t *c = json_array_get(sweep, k);
        char spin[40];
        snprintf(spin, sizeof spin, "2*pi*%.17g", number_of(c, "speed_hz"));
        char *text = template_text("rotor-stator", (const char *const[]){"spin", spin, NULL}, "");
        every_answer(text, NULL, json_string_value(json_object_get(c, "observer")), see_speed, c);
        free(text);
    }
    json_decref(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_are_those_of_the_symbolic_derivation),
        cmocka_unit_test(eigenvalues_over_the_speed_from_ground_and_rotor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
