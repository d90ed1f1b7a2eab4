/* Tests of model/loads: what each type keeps, free lengths, tables. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model_text.h"

#define TWO                                                                                       \
    "parameters: {k: 100}\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n"                         \
    "  b: {mass: 1, inertia: [1, 1, 1], position: [3, 4, 0]}\n"

static void a_spring_is_free_at_its_written_length_unless_told(void **state)
{
    (void)state;
    routh_model *m = read_model(
        TWO "loads:\n"
            "  s: {type: spring, between: [a, b], stiffness: k, damping: 2, preload: 7}\n"
            "  t: {type: spring, between: [a, b], stiffness: k, free_length: 4.5}\n");
    assert_false(m->loads[0].free_length_given);
    assert_near(m->loads[0].free_length.value, 5, 0);
    assert_near(m->loads[0].stiffness.value, 100, 0);
    assert_near(m->loads[0].damping.value, 2, 0);
    assert_near(m->loads[0].preload.value, 7, 0);
    assert_true(m->loads[1].free_length_given);
    assert_near(m->loads[1].free_length.value, 4.5, 0);
    assert_int_equal(m->loads[0].function[0].expr, RT_NO_EXPR);
    assert_int_equal(rt_model_find_load(m, "t"), 1);
    routh_model_free(m);
}

/* The value of function[0] where the squared distance (the one measure) is r2. */
static double table_force(const routh_model *m, double length)
{
    double slots[8] = {0};
    for (int k = 0; k < m->n_quantities; k++)
        slots[k] = m->quantities[k].kind == RT_QUANTITY_DOT ? length * length : 100;
    return evaluate(m, m->loads[0].function[0].expr, slots);
}

static void a_table_pulls_back_like_a_stiffness(void **state)
{
    (void)state;
    routh_model *m = read_model(TWO "loads: {s: {type: spring, between: [a, b], free_length: 5, "
                                    "table: [[-1, -30], [0, 0], [1, 30]]}}\n");
    assert_near(table_force(m, 5), 0, 1e-14);
    assert_near(table_force(m, 5.5), -15, 1e-12); /* stretched: pushes apart negatively */
    assert_near(table_force(m, 4.5), 15, 1e-12);
    routh_model_free(m);
    m = read_model(TWO "loads: {s: {type: spring, between: [a, b], table: [[0, 0], [1, 10]]}}\n");
    assert_near(table_force(m, 5.2), -2, 1e-12); /* counted from the written length, 5 */
    routh_model_free(m);
}

/* At 0.5 between (0, 0), (1, 10), (2, 60): the cubic of Hermite with the slopes d_0 = 0 and d_1 =
 * 6/(3/10 + 3/50) = 50/3, the line, the natural spline with M_1 = 60. */
static void a_table_is_interpolated_as_it_says(void **state)
{
    static const struct {
        const char *field;
        double force;
    } cases[] = {{"", 5 - 50.0 / 24},
                 {", interpolation: monotone", 5 - 50.0 / 24},
                 {", interpolation: linear", 5},
                 {", interpolation: cubic", 5 - 60.0 / 16}};
    (void)state;
    for (int k = 0; k < 4; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 TWO "loads: {s: {type: spring, between: [a, b], table: [[0, 0], [1, 10], [2, "
                     "60]]%s}}\n",
                 cases[k].field);
        routh_model *m = read_model(text);
        assert_near(table_force(m, 5.5), -cases[k].force, 1e-12);
        routh_model_free(m);
    }
}

static void a_torsion_spring_is_free_at_its_written_angle(void **state)
{
    (void)state;
    routh_model *m =
        read_model("bodies: {b: {mass: 1, inertia: [1, 1, 1], orientation: {axis: [1, 0, 0], "
                   "angle: 0.4}}}\nloads:\n"
                   "  t: {type: torsion_spring, between: [b, ground], axis: x, stiffness: 3}\n"
                   "  u: {type: torsion_spring, between: [ground, b], axis: x, stiffness: 3}\n"
                   "  v: {type: torsion_spring, between: [b, ground], axis: x, stiffness: 3, "
                   "free_angle: 10 deg}\n");
    assert_near(m->loads[0].free_length.value, 0.4, 1e-15);
    assert_near(m->loads[1].free_length.value, -0.4, 1e-15);
    assert_near(m->loads[2].free_length.value, 0.17453292519943295, 1e-16);
    assert_true(m->loads[2].free_length_given);
    assert_near(m->loads[0].triad[2], 1, 0); /* z of the triad is the marker's x */
    routh_model_free(m);
}

static void a_bushing_takes_diagonals_or_a_matrix(void **state)
{
    (void)state;
    routh_model *m = read_model(
        TWO
        "loads:\n"
        "  d: {type: bushing, between: [ground, a], "
        "translation: {stiffness: k, damping: [1, 2, 3]}, rotation: "
        "{stiffness: [4, 5, 6]}, preload: [1, 0, 0, 0, 0, 9]}\n"
        "  m: {type: bushing, between: [a, b], stiffness: [[1, 2, 3, 4, 5, 6], "
        "[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, "
        "0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [7, 8, 9, 10, 11, k]]}\n");
    static const double diagonal[6] = {100, 100, 100, 4, 5, 6}, damping[6] = {1, 2, 3, 0, 0, 0};
    const rt_load *d = &m->loads[0], *full = &m->loads[1];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            assert_near(d->stiffness6[6 * i + j].value, i == j ? diagonal[i] : 0, 0);
            assert_near(d->damping6[6 * i + j].value, i == j ? damping[i] : 0, 0);
        }
    assert_near(d->preload6[5].value, 9, 0);
    assert_int_equal(d->markers[0], RT_GROUND);
    assert_near(full->stiffness6[1].value, 2, 0);
    assert_near(full->stiffness6[30].value, 7, 0);
    assert_near(full->stiffness6[35].value, 100, 0);
    assert_true(full->stiffness6[35].expr >= 0);
    routh_model_free(m);
}

static void forces_know_their_markers(void **state)
{
    (void)state;
    routh_model *m =
        read_model(TWO "loads:\n"
                       "  f: {type: force, on: a, components: [1, k, time]}\n"
                       "  g: {type: torque, on: b, components: [0, 0, 1], resolved_in: b, "
                       "reaction_on: ground}\n");
    assert_int_equal(m->loads[0].markers[0], 0);
    assert_int_equal(m->loads[0].markers[1], -2);
    assert_int_equal(m->loads[0].resolved_in, RT_GROUND);
    assert_int_equal(m->loads[1].type, RT_LOAD_TORQUE);
    assert_int_equal(m->loads[1].markers[1], RT_GROUND);
    assert_int_equal(m->loads[1].resolved_in, 1);
    const double slots[] = {100, 6};
    assert_near(evaluate(m, m->loads[0].function[1].expr, slots), 100, 0);
    assert_near(evaluate(m, m->loads[0].function[2].expr, slots), 6, 0);
    routh_model_free(m);
}

static void loads_may_follow_each_other_without_a_circle(void **state)
{
    (void)state;
    routh_model *m =
        read_model(TWO "loads:\n"
                       "  f: {type: force, on: a, components: [\"FX(g)\", 0, 0]}\n"
                       "  g: {type: force, on: b, components: [\"FY(h) + FY(h)\", 0, 0]}\n"
                       "  h: {type: force, on: b, components: [1, 2, 3]}\n");
    assert_int_equal(m->quantities[1].kind, RT_QUANTITY_FORCE);
    assert_true(m->quantities[1].of_load);
    assert_int_equal(m->quantities[1].index, 1);
    routh_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spring_is_free_at_its_written_length_unless_told),
        cmocka_unit_test(a_table_pulls_back_like_a_stiffness),
        cmocka_unit_test(a_table_is_interpolated_as_it_says),
        cmocka_unit_test(a_torsion_spring_is_free_at_its_written_angle),
        cmocka_unit_test(a_bushing_takes_diagonals_or_a_matrix),
        cmocka_unit_test(forces_know_their_markers),
        cmocka_unit_test(loads_may_follow_each_other_without_a_circle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
