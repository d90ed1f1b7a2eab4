/* Trom's (1990) slider-pendulum, spatial four-bar linkage and rotating pendulum: Tables 3.5, 3.7,
 * 4.1 and 5.1; and two mechanisms on which his formulas go wrong (tests/linear/test_errata.c). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "papers/answers.h"

static const char paper[] = "Trom 1990";

static void record_number(const answer *a, const char *table, const char *quantity,
                          const char *digits, double reference, double computed, double scale,
                          double bound)
{
    record_line(.paper = paper, .table = table, .quantity = quantity, .published = digits,
                .reference = reference, .computed = computed, .coordinates = a->coordinates,
                .method = a->method, .scale = scale, .bound = bound);
}

/* ---- Tables 3.5, 3.7: slider and pendulum ---------------------------------------------------- */

typedef struct slider {
    const json_t *expected;
    bool damped;
} slider;

/* The real parts of Table 3.7 are printed without their minus. */
static void see_slider(answer *a, void *context)
{
    static const char *const squares[] = {"0.63569205", "9.49661564"};
    static const char *const undamped[] = {"0.797303", "3.081658"};
    static const char *const re[] = {"0.312177", "0.226284"};
    static const char *const im[] = {"0.747815", "3.023550"};
    const slider *x = context;
    const json_t *c = x->expected;
    double s[MOST_PAIRS][2];
    char quantity[40];
    sort_pairs(a, s, pairs_of(json_object_get(c, x->damped ? "damped" : "undamped"), s));
    check_matrix(a, json_object_get(c, "mass"), a->linear->mass, "mass");
    check_matrix(a, json_object_get(c, "stiffness"), a->linear->stiffness, "stiffness");
    for (int k = 0; k < 4 && a->exact; k++)
        check_number(a, a->linear->damping[k], x->damped && k == 0 ? 20 : 0, "damping");
    for (int k = 0; k < 2; k++) {
        const double size = hypot(s[k][0], s[k][1]), square = a->pair[k][1] * a->pair[k][1];
        const char *digits = x->damped ? im[k] : undamped[k];
        snprintf(quantity, sizeof quantity, "c = %d: Im s%d", x->damped ? 20 : 0, k + 1);
        assert_true(printed_right(digits, a->pair[k][1]));
        record_number(a, "Table 3.7", quantity, digits, s[k][1], a->pair[k][1], size, a->bound[k]);
        snprintf(quantity, sizeof quantity, "c = 20: Re s%d", k + 1);
        if (x->damped) assert_true(printed_right(re[k], -a->pair[k][0]));
        if (x->damped)
            record_number(a, "Table 3.7", quantity, re[k], s[k][0], a->pair[k][0], size,
                          a->bound[k]);
        snprintf(quantity, sizeof quantity, "omega_%d^2", k + 1);
        if (!x->damped && a->exact) assert_true(printed_right(squares[k], square));
        if (!x->damped)
            record_number(a, "Table 3.5", quantity, squares[k], s[k][1] * s[k][1], square, 0,
                          2 * size * a->bound[k]);
    }
    if (!x->damped && a->exact)
        record_number(a, "Table 3.5", "K22", "196.200000000000", 196.2, a->linear->stiffness[3], 0,
                      0);
}

static void the_slider_and_its_pendulum(void **state)
{
    (void)state;
    json_t *file = reference_file("trom.json");
    for (int damped = 0; damped < 2; damped++) {
        slider x = {json_object_get(file, "slider_pendulum"), damped};
        char *text = template_text("slider-pendulum",
                                   (const char *const[]){"c", damped ? "20" : "0", NULL}, "");
        every_answer(text, NULL, NULL, see_slider, &x);
        free(text);
    }
    json_decref(file);
}

/* ---- Table 4.1: the closed loop -------------------------------------------------------------- */

static void see_loop(answer *a, void *context)
{
    const json_t *c = context;
    const double square = number_of(c, "omega_squared"),
                 crank[2] = {number_of(c, "a"), number_of(c, "b")};
    const double stiffness =
        number_of(c, "stiffness_of_weight") + number_of(c, "stiffness_of_joints");
    double s[1][2] = {{0, sqrt(square)}};
    const bool table = crank[0] == crank[1];
    char quantity[64];
    sort_pairs(a, s, 1);
    assert_int_equal(a->linear->n_position, 1);
    const double found = a->pair[0][1] * a->pair[0][1], bound = 2 * s[0][1] * a->bound[0];
    snprintf(quantity, sizeof quantity, "omega^2, cranks %g and %g (case %s)", crank[0], crank[1],
             table                 ? "A"
             : crank[0] < crank[1] ? "B"
                                   : "C");
    record_number(a, "Section 4.4", quantity, table ? "7.848" : NULL, square, found, 0, bound);
    if (!a->exact) return;
    check_number(a, a->linear->mass[0], number_of(c, "mass"), "mass");
    check_number(a, a->linear->stiffness[0], stiffness, "stiffness");
    if (!table) return;
    assert_true(printed_right("7.84800000", found));
    record_number(a, "Table 4.1", "mass", "25.0", 25, a->linear->mass[0], 0, 0);
    record_number(a, "Table 4.1", "stiffness", "196.2", stiffness, a->linear->stiffness[0], 0, 0);
    record_number(a, "Table 4.1", "omega^2", "7.84800000", square, found, 0, 0);
}

static void the_spatial_four_bar_with_cranks_alike_and_not(void **state)
{
    (void)state;
    json_t *file = reference_file("trom.json");
    const json_t *cases = json_object_get(file, "spatial_four_bar");
    assert_int_equal(json_array_size(cases), 3);
    for (size_t k = 0; k < 3; k++) {
        json_t *c = json_array_get(cases, k);
        char first[40], second[40];
        snprintf(first, sizeof first, "%.17g", number_of(c, "a"));
        snprintf(second, sizeof second, "%.17g", number_of(c, "b"));
        char *text =
            template_text("spatial-four-bar", (const char *const[]){"a", first, "b", second, NULL},
                          "linearize: {states: [crank_1.rx]}\n");
        every_answer(text, NULL, NULL, see_loop, c);
        free(text);
    }
    json_decref(file);
}

/* ---- Table 5.1: the rotating pendulum -------------------------------------------------------- */

/* rate sqrt(1 + 3 cos^2 theta), and a double zero */
typedef struct circling {
    double rate, omega;
    bool table;
} circling;

static void see_circling(answer *a, void *context)
{
    const circling *x = context;
    double s[1][2] = {{0, x->omega}};
    sort_pairs(a, s, 1);
    if (a->exact) assert_int_equal(a->n_zero, 2);
    if (!x->table) return;
    assert_true(printed_right("8.58076", a->pair[0][1]));
    record_number(a, "Table 5.1", "omega", "8.58076", s[0][1], a->pair[0][1], 0, a->bound[0]);
}

static void the_rotating_pendulum_at_three_angles(void **state)
{
    static const char *const angles[] = {"10 deg", "30 deg", "65 deg"};
    static const double degrees[] = {10, 30, 65};
    (void)state;
    json_t *file = reference_file("trom.json");
    const json_t *c = json_object_get(file, "rotating_pendulum");
    char *text = template_text("rotating-pendulum", NULL, "");
    for (int k = 0; k < 3; k++) {
        const double cosine = cos(degrees[k] * 3.14159265358979323846 / 180);
        circling x = {.rate = sqrt(9.81 / (0.5 * cosine)), .table = k == 1};
        x.omega = x.rate * sqrt(1 + 3 * cosine * cosine);
        if (x.table) {
            assert_true(fabs(x.rate - number_of(c, "rate")) < 1e-13);
            assert_true(fabs(x.omega - number_of(c, "omega")) < 1e-13);
            assert_true(printed_right("4.75975", x.rate));
        }
        every_answer(text, (const char *const[]){"theta", angles[k], NULL}, NULL, see_circling, &x);
    }
    free(text);
    json_decref(file);
}

/* ---- where his formulas go wrong ------------------------------------------------------------- */

static void see_driven(answer *a, void *context)
{
    const json_t *c = context;
    double s[1][2] = {{0, sqrt(number_of(c, "omega_squared"))}};
    sort_pairs(a, s, 1);
    check_matrix(a, json_object_get(c, "mass"), a->linear->mass, "mass");
    if (!a->exact) return;
    check_number(a, a->linear->stiffness[3], number_of(c, "stiffness"), "stiffness");
    record_number(a, "(5.1)", "K of the driven slider's pendulum", NULL, number_of(c, "stiffness"),
                  a->linear->stiffness[3], 0, 0);
}

/* A pendulum that trails behind an accelerating slider: u' is not zero, and M depends on q. */
static void the_driven_slider_has_the_stiffness_of_its_acceleration(void **state)
{
    (void)state;
    json_t *file = reference_file("trom.json");
    json_t *c = json_object_get(file, "driven_slider");
    growing_text text = {0};
    const double angle = number_of(c, "angle");
    text_add(&text,
             "gravity: [0, 0, -9.81]\n"
             "bodies:\n"
             "  slider: {mass: 10, inertia: [1, 1, 1]}\n"
             "  pendulum: {mass: 20, inertia: [15, 15, 1], position: [0, %.17g, %.17g],\n"
             "    orientation: {axis: [1, 0, 0], angle: %.17g}}\n"
             "joints:\n"
             "  guide: {type: translational, between: [slider, ground], at: [0, 0, 0], axis: y}\n"
             "  hinge: {type: revolute, between: [pendulum, slider], at: [0, 0, 0], axis: x}\n"
             "loads: {push: {type: force, on: slider, components: [0, %.17g, 0]}}\n"
             "linearize: {states: [slider.y, pendulum.rx]}\n",
             sin(angle), -cos(angle), angle, 30 * number_of(c, "acceleration"));
    every_answer(text.bytes, NULL, NULL, see_driven, c);
    free(text.bytes);
    json_decref(file);
}

static void see_shaft(answer *a, void *context)
{
    double s[1][2] = {{0, number_of(context, "omega")}};
    assert_true(largest_of(a->linear->affine, 4) < 1e-12);
    sort_pairs(a, s, 1);
    if (a->exact) assert_int_equal(a->n_zero, 2);
    record_number(a, "(5.5), (5.14)", "omega of the pendulum on a rotating shaft", NULL, s[0][1],
                  a->pair[0][1], 0, a->bound[0]);
}

/* A body hinged about x to a massless shaft that turns about z: a universal joint, seen from the
 * body itself. */
static void the_pendulum_on_a_turning_shaft(void **state)
{
    (void)state;
    json_t *file = reference_file("trom.json");
    json_t *c = json_object_get(file, "turning_shaft");
    growing_text text = {0};
    const double rate = number_of(c, "rate"), angle = 3.14159265358979323846 / 6;
    text_add(&text,
             "gravity: [0, 0, -9.81]\n"
             "bodies:\n"
             "  body: {mass: 10, inertia: [0.9, 0.7, 0.2], position: [0, %.17g, %.17g], velocity: "
             "[%.17g, 0, 0],\n"
             "    orientation: {axis: [1, 0, 0], angle: %.17g}, angular_velocity: [0, 0, %.17g]}\n"
             "markers:\n"
             "  hinge: {body: body, position: [0, 0, 0.5]}\n"
             "  shaft: {body: ground, orientation: {matrix: [[1, 0, 0], [0, 0, -1], [0, 1, 0]]}}\n"
             "joints: {cross: {type: universal, between: [hinge, shaft]}}\n"
             "linearize: {reference: body, states: [body.rx, body.rz]}\n",
             0.5 * sin(angle), -0.5 * cos(angle), -rate * 0.5 * sin(angle), angle, rate);
    every_answer(text.bytes, NULL, NULL, see_shaft, c);
    free(text.bytes);
    json_decref(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_slider_and_its_pendulum),
        cmocka_unit_test(the_spatial_four_bar_with_cranks_alike_and_not),
        cmocka_unit_test(the_rotating_pendulum_at_three_angles),
        cmocka_unit_test(the_driven_slider_has_the_stiffness_of_its_acceleration),
        cmocka_unit_test(the_pendulum_on_a_turning_shaft),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
