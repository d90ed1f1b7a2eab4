/* Joints that miss each other by a little: the angle or the length that is missing is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/mechanisms.h"

typedef struct found {
    int degrees_of_freedom, rank_clear;
    double smallest_pivot;
    char text[768]; /* of the first warning about a misalignment; "" where there is none */
} found;

/* In the set; the answers must not depend on it. */
static found find_in(const char *yaml, const char *set)
{
    test_mechanism t;
    routh_error error;
    routh_mechanism *m;
    routh_operating_point *point;
    mechanism_make(&t, yaml);
    assert_int_equal(routh_mechanism_compile(&m, t.model, set, &error), ROUTH_OK);
    if (routh_operating_point_find(&point, m, NULL, &error)) fail_msg("%s", error.message);
    found f = {point->degrees_of_freedom, point->rank_clear, point->smallest_pivot, ""};
    for (int w = 0; w < point->n_warnings; w++) {
        assert_null(strstr(point->warnings[w], "singular"));
        if (!f.text[0] && strstr(point->warnings[w], "by a misalignment of"))
            snprintf(f.text, sizeof f.text, "%s", point->warnings[w]);
    }
    routh_operating_point_free(point);
    routh_mechanism_free(m);
    mechanism_release(&t);
    return f;
}

static found find_everywhere(const char *yaml)
{
    static const char *const sets[] = {"euler-parameters", "relative", "natural"};
    const found first = find_in(yaml, "absolute");
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        const found other = find_in(yaml, sets[k]);
        assert_int_equal(other.degrees_of_freedom, first.degrees_of_freedom);
        assert_int_equal(other.rank_clear, first.rank_clear);
        assert_string_equal(other.text, first.text);
    }
    return first;
}

/* A door on two hinges, the upper one tilted and set off. */
static found find_door(double tilt, double off)
{
    char yaml[640];
    snprintf(yaml, sizeof yaml,
             "parameters: {tilt: %.17g, off: %.17g}\n"
             "bodies: {door: {mass: 20, inertia: [2,3,1], position: [0.4, 0, 0]}}\n"
             "joints:\n"
             "  low: {type: revolute, between: [door, ground], at: [0,0,-0.8], axis: z}\n"
             "  high: {type: revolute, between: [door, ground], at: [off,0,0.8],\n"
             "         axis: [sin(tilt), 0, cos(tilt)]}\n",
             tilt, off);
    return find_everywhere(yaml);
}

static void a_door_that_a_tilted_axis_locks_is_told(void **unused)
{
    static const double tilts[] = {1e-6, 1e-7, 1e-8};
    (void)unused;
    for (size_t k = 0; k < sizeof tilts / sizeof *tilts; k++) {
        char words[64];
        const found f = find_door(tilts[k], 0);
        assert_int_equal(f.degrees_of_freedom, 0);
        assert_false(f.rank_clear);
        snprintf(words, sizeof words, "by a misalignment of %.3g rad", tilts[k]);
        assert_non_null(strstr(f.text, words));
        snprintf(words, sizeof words, "their axes differ by %.3g rad;", tilts[k]);
        assert_non_null(strstr(f.text, words));
        assert_non_null(strstr(f.text, "joint high"));
        assert_non_null(strstr(f.text, "joint low"));
        assert_non_null(strstr(f.text, "has 0 here, and 1 where they are aligned"));
    }
}

/* The line through both hinges, 1.6 m apart, leans by off / 1.6. */
static void an_offset_is_told_as_a_length(void **unused)
{
    (void)unused;
    const found f = find_door(0, 1e-6);
    assert_int_equal(f.degrees_of_freedom, 0);
    assert_non_null(strstr(f.text, "by a misalignment of 6.25e-07 rad"));
    assert_non_null(strstr(f.text, "their axes are parallel and 1e-06 m apart"));
}

/* Below the tolerance of the rank the door turns; a fault that is large is meant. */
static void what_is_redundant_or_meant_is_not_told(void **unused)
{
    (void)unused;
    static const struct {
        double tilt, off;
        int degrees_of_freedom;
    } cases[] = {{0, 0, 1},     {1e-10, 0, 1}, {1e-12, 0, 1}, {0, 1e-10, 1},
                 {0, 1e-12, 1}, {1e-3, 0, 0},  {0, 1e-3, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const found f = find_door(cases[k].tilt, cases[k].off);
        assert_int_equal(f.degrees_of_freedom, cases[k].degrees_of_freedom);
        assert_string_equal(f.text, "");
    }
}

static void guides_that_are_not_parallel_are_told(void **unused)
{
    (void)unused;
    const found f = find_everywhere(
        "bodies: {sledge: {mass: 1, inertia: [1,1,1], position: [0, 0, 0]}}\n"
        "joints:\n"
        "  left: {type: cylindrical, between: [sledge, ground], at: [0,-1,0], axis: x}\n"
        "  right: {type: cylindrical, between: [sledge, ground], at: [0,1,0], axis: [1, 3e-8, "
        "0]}\n");
    assert_int_equal(f.degrees_of_freedom, 0);
    assert_non_null(strstr(f.text, "by a misalignment of 3e-08 rad"));
}

/* A planar linkage of three cranks with one axis off: all joints of the loop take part. */
static void a_planar_loop_out_of_its_plane_is_told(void **unused)
{
    (void)unused;
    const found f = find_everywhere(
        "bodies:\n"
        "  a: {mass: 1, inertia: [1,1,1], position: [0, 0.5, 0]}\n"
        "  b: {mass: 1, inertia: [1,1,1], position: [1, 0.5, 0]}\n"
        "  bar: {mass: 1, inertia: [1,1,1], position: [0.5, 1, 0]}\n"
        "joints:\n"
        "  a0: {type: revolute, between: [a, ground], at: [0,0,0]}\n"
        "  b0: {type: revolute, between: [b, ground], at: [1,0,0]}\n"
        "  a1: {type: revolute, between: [a, bar], at: [0,1,0]}\n"
        "  b1: {type: revolute, between: [b, bar], at: [1,1,0], axis: [1e-7, 0, 1]}\n");
    assert_int_equal(f.degrees_of_freedom, 0);
    assert_non_null(strstr(f.text, "joint b1"));
    assert_non_null(strstr(f.text, "misalignment of"));
    assert_non_null(strstr(f.text, "has 0 here, and 1 where they are aligned"));
}

/* A parallelogram next to where it is flat: a pivot is small too, and grows as it moves. */
static void a_linkage_next_to_its_dead_point_is_not_told(void **unused)
{
    static const char *const heights[] = {"1e-6", "1e-7"};
    (void)unused;
    for (size_t k = 0; k < sizeof heights / sizeof *heights; k++) {
        char yaml[800];
        snprintf(yaml, sizeof yaml,
                 "parameters: {s: %s, c: sqrt(1 - s^2)}\n"
                 "bodies:\n"
                 "  a: {mass: 1, inertia: [1,1,1], position: [c/2, s/2, 0]}\n"
                 "  b: {mass: 1, inertia: [1,1,1], position: [c + 0.5, s, 0]}\n"
                 "  c: {mass: 1, inertia: [1,1,1], position: [1 + c/2, s/2, 0]}\n"
                 "joints:\n"
                 "  j1: {type: revolute, between: [a, ground], at: [0, 0, 0]}\n"
                 "  j2: {type: revolute, between: [a, b], at: [c, s, 0]}\n"
                 "  j3: {type: revolute, between: [b, c], at: [1 + c, s, 0]}\n"
                 "  j4: {type: revolute, between: [c, ground], at: [1, 0, 0]}\n",
                 heights[k]);
        const found f = find_in(yaml, "absolute");
        assert_true(f.smallest_pivot < 1e-5);
        assert_int_equal(f.degrees_of_freedom, 1);
        assert_string_equal(f.text, "");
    }
}

/* A plate of d metres at the end of an arm of a kilometre: its rotation about x is held by a rod
 * with the arm d, which is no misalignment, and no less where d is small. */
static void small_parts_are_judged_by_their_own_size(void **unused)
{
    static const char *const sizes[] = {"1", "1e-2", "1e-4", "1e-6"};
    (void)unused;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        char yaml[800];
        snprintf(yaml, sizeof yaml,
                 "parameters: {d: %s}\n"
                 "bodies:\n"
                 "  arm: {mass: 1000, inertia: [1e6,1e6,1e6], position: [500, 0, 0]}\n"
                 "  plate: {mass: 1e-3, inertia: [1e-9,1e-9,1e-9], position: [1000, 0, 0]}\n"
                 "markers:\n"
                 "  pp: {body: plate, position: [0, d, 0]}\n"
                 "  pa: {body: arm, position: [500, d, d]}\n"
                 "joints:\n"
                 "  root: {type: revolute, between: [arm, ground], at: [0,0,0]}\n"
                 "  ball: {type: spherical, between: [plate, arm], at: [1000,0,0]}\n"
                 "  link: {type: rod, between: [pp, pa], length: d}\n",
                 sizes[k]);
        const found f = find_everywhere(yaml);
        assert_int_equal(f.degrees_of_freedom, 3); /* the arm's one, the plate's two */
        assert_true(f.rank_clear);
        assert_string_equal(f.text, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_door_that_a_tilted_axis_locks_is_told),
        cmocka_unit_test(an_offset_is_told_as_a_length),
        cmocka_unit_test(what_is_redundant_or_meant_is_not_told),
        cmocka_unit_test(guides_that_are_not_parallel_are_told),
        cmocka_unit_test(a_planar_loop_out_of_its_plane_is_told),
        cmocka_unit_test(a_linkage_next_to_its_dead_point_is_not_told),
        cmocka_unit_test(small_parts_are_judged_by_their_own_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
