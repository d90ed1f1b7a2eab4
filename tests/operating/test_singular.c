/* A dead point is told; overconstrained mechanisms that move freely are not taken for one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/mechanisms.h"

/* Three links between two feet; their ends at the height h. */
#define FOUR_BAR(h)                                                                                \
    "parameters: {h: " h ", c: sqrt(1 - h^2)}\n"                                                   \
    "bodies:\n"                                                                                    \
    "  a: {mass: 1, inertia: [1,1,1], position: [c/2, h/2, 0]}\n"                                  \
    "  b: {mass: 1, inertia: [1,1,1], position: [c + 0.5, h, 0]}\n"                                \
    "  c: {mass: 1, inertia: [1,1,1], position: [c + 1 + c/2, h/2, 0]}\n"                          \
    "joints:\n"                                                                                    \
    "  j1: {type: revolute, between: [a, ground], at: [0, 0, 0]}\n"                                \
    "  j2: {type: revolute, between: [a, b], at: [c, h, 0]}\n"                                     \
    "  j3: {type: revolute, between: [b, c], at: [c + 1, h, 0]}\n"                                 \
    "  j4: {type: revolute, between: [c, ground], at: [2*c + 1, 0, 0]}\n"

static bool is_told_singular(const char *yaml, int degrees_of_freedom)
{
    test_mechanism t;
    mechanism_make(&t, yaml);
    routh_operating_point *point = mechanism_point(&t);
    bool told = false;
    for (int k = 0; k < point->n_warnings; k++)
        told = told || strstr(point->warnings[k], "this configuration is singular");
    assert_int_equal(point->degrees_of_freedom, degrees_of_freedom);
    routh_operating_point_free(point);
    mechanism_release(&t);
    return told;
}

static void links_in_line_are_told(void **unused)
{
    (void)unused;
    assert_true(is_told_singular(FOUR_BAR("0"), 2));
}

static void a_planar_loop_out_of_line_is_not(void **unused)
{
    (void)unused;
    assert_false(is_told_singular(FOUR_BAR("0.5"), 1));
}

static void three_cranks_in_parallel_are_not(void **unused)
{
    (void)unused;
    assert_false(is_told_singular(
        "bodies:\n"
        "  a: {mass: 1, inertia: [1,1,1], position: [0, 0.5, 0]}\n"
        "  b: {mass: 1, inertia: [1,1,1], position: [1, 0.5, 0]}\n"
        "  c: {mass: 1, inertia: [1,1,1], position: [2, 0.5, 0]}\n"
        "  bar: {mass: 1, inertia: [1,1,1], position: [1, 1, 0]}\n"
        "joints:\n"
        "  a0: {type: revolute, between: [a, ground], at: [0, 0, 0]}\n"
        "  b0: {type: revolute, between: [b, ground], at: [1, 0, 0]}\n"
        "  c0: {type: revolute, between: [c, ground], at: [2, 0, 0]}\n"
        "  a1: {type: revolute, between: [a, bar], at: [0, 1, 0]}\n"
        "  b1: {type: revolute, between: [b, bar], at: [1, 1, 0]}\n"
        "  c1: {type: revolute, between: [c, bar], at: [2, 1, 0]}\n",
        1));
}

/* At the dead point gravity moves the links, and the way on is not determined. */
static void a_dead_point_under_gravity_is_linearized(void **unused)
{
    (void)unused;
    test_mechanism t;
    mechanism_make(&t, "gravity: [0, -9.81, 0]\n" FOUR_BAR("0"));
    routh_operating_point *point = mechanism_point(&t);
    routh_linear *linear = mechanism_linear(&t, point, NULL);
    assert_false(linear->steady);
    assert_true(isinf(linear->drift));
    routh_linear_free(linear);
    routh_operating_point_free(point);
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_in_line_are_told),
        cmocka_unit_test(a_planar_loop_out_of_line_is_not),
        cmocka_unit_test(three_cranks_in_parallel_are_not),
        cmocka_unit_test(a_dead_point_under_gravity_is_linearized),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
