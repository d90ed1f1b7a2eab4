/* Assembly, and what the rank of the constraints says: joints that contradict each other are
 * named, rows that say nothing new are counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "operating/operating.h"
#include "support/effort.h"
#include "support/mechanisms.h"

static const char body_a[] =
    "bodies: {a: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.2, 0, 0]}}\n";

/* The body a, then the text: not assembled, and one of the joints is blamed. */
static void check_refused(const char *more, const char *const *joints)
{
    growing_text text = {0};
    test_mechanism t;
    routh_error error;
    routh_operating_point *point;
    bool named = false;
    text_add(&text, "%s%s", body_a, more);
    mechanism_make(&t, text.bytes);
    const routh_status status = routh_operating_point_find(&point, t.m, NULL, &error);
    if (status != ROUTH_NOT_ASSEMBLED)
        fail_msg("status %s: %s", routh_status_name(status), text.bytes);
    for (; *joints; joints++) named = named || strcmp(error.element, *joints) == 0;
    if (!named) fail_msg("blamed is %s\n%s", error.element, text.bytes);
    assert_true(error.line > 0);
    mechanism_release(&t);
    free(text.bytes);
}

static void a_mechanism_that_cannot_close_names_a_joint_of_the_loop(void **state)
{
    (void)state;
    /* 1 m between the feet, rods of 0.3 m */
    check_refused("markers: {foot: {body: ground, position: [1, 0, 0]}}\n"
                  "joints:\n"
                  "  short_1: {type: rod, between: [a, ground], length: 0.3}\n"
                  "  short_2: {type: rod, between: [a, foot], length: 0.3}\n"
                  "  other: {type: inplane, between: [a, ground], axis: z}\n",
                  (const char *const[]){"joint short_1", "joint short_2", NULL});
    /* fixed in two places that differ */
    check_refused("markers:\n"
                  "  m: {body: a, position: [0.2, 0, 0]}\n"
                  "  n: {body: ground, position: [0, 0.7, 0]}\n"
                  "joints:\n"
                  "  one: {type: fixed, between: [a, ground]}\n"
                  "  two: {type: fixed, between: [m, n]}\n",
                  (const char *const[]){"joint one", "joint two", NULL});
    /* an expression that is never zero */
    check_refused("joints: {never: {type: expression, expression: DX(a)^2 + 1}}\n",
                  (const char *const[]){"joint never", NULL});
}

static void motions_that_contradict_each_other_are_named(void **state)
{
    /* at 0: in position, in velocity, in acceleration */
    static const char *const second[] = {"0.1 + time", "2*time", "time + time^2"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        growing_text text = {0};
        text_add(&text,
                 "joints:\n"
                 "  rail: {type: translational, between: [a, ground], axis: x}\n"
                 "  one: {type: motion, joint: rail, function: time}\n"
                 "  two: {type: motion, joint: rail, function: %s}\n",
                 second[k]);
        check_refused(text.bytes, (const char *const[]){"joint one", "joint two", NULL});
        free(text.bytes);
    }
}

static void check_count(const char *yaml, int freedom, int redundant)
{
    test_mechanism t;
    mechanism_make(&t, yaml);
    routh_operating_point *point = mechanism_point(&t);
    assert_int_equal(point->degrees_of_freedom, freedom);
    assert_int_equal(point->n_redundant, redundant);
    assert_true(point->rank_clear);
    assert_true(point->constraint_error < 1e-12);
    for (int k = 0; k < point->n_redundant; k++) {
        assert_non_null(point->redundant[k].joint);
        assert_non_null(point->redundant[k].row);
    }
    routh_operating_point_free(point);
    mechanism_release(&t);
}

/* Cranks of 1 m standing at x = 0, 1, .. and a table on their ends: planar, so each loop repeats
 * three rows; with a third crank the plane mechanism repeats one more. */
static void parallelogram_text(growing_text *text, int n_cranks, double angle)
{
    const double x = cos(angle), y = sin(angle);
    text_add(text, "bodies:\n");
    for (int k = 0; k < n_cranks; k++)
        text_add(text,
                 "  crank_%d: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [%.17g, %.17g, 0], "
                 "orientation: {axis: "
                 "[0, 0, 1], angle: %.17g}}\n",
                 k, k + x / 2, y / 2, angle);
    text_add(text,
             "  table: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [%.17g, %.17g, 0]}\njoints:\n",
             x, y);
    for (int k = 0; k < n_cranks; k++)
        text_add(text,
                 "  foot_%d: {type: revolute, between: [crank_%d, ground], at: [%d, 0, 0]}\n"
                 "  head_%d: {type: revolute, between: [table, crank_%d], at: [%.17g, %.17g, 0]}\n",
                 k, k, k, k, k, k + x, y);
}

static void redundant_rows_of_parallelograms_are_counted(void **state)
{
    (void)state;
    growing_text text = {0};
    parallelogram_text(&text, 2, 1.1);
    check_count(text.bytes, 1, 3);
    text.length = 0;
    parallelogram_text(&text, 3, 1.1);
    check_count(text.bytes, 1, 7);
    text.length = 0;
    parallelogram_text(&text, 5, 2.3);
    check_count(text.bytes, 1, 15);
    free(text.bytes);
}

static void redundant_rows_of_the_four_bar_are_counted(void **state)
{
    (void)state;
    static const char *const n[] = {"1", "3", "10"};
    for (int k = 0; k < 3; k++) {
        const char *const settings[] = {"N", n[k], NULL};
        test_mechanism t;
        mechanism_make_template(&t, "four-bar", settings);
        routh_operating_point *point = mechanism_point(&t);
        assert_int_equal(point->n_redundant, 3 * atoi(n[k]));
        assert_int_equal(point->degrees_of_freedom, 1);
        assert_true(point->rank_clear);
        routh_operating_point_free(point);
        mechanism_release(&t);
    }
}

/* A folded parallelogram stands at the crossing of two motions: there its rank falls, and the
 * count says so. */
static void a_folded_parallelogram_has_one_freedom_more(void **state)
{
    (void)state;
    growing_text text = {0};
    parallelogram_text(&text, 2, 0);
    test_mechanism t;
    mechanism_make(&t, text.bytes);
    routh_operating_point *point = mechanism_point(&t);
    assert_int_equal(point->degrees_of_freedom, 2);
    assert_int_equal(point->n_redundant, 4);
    routh_operating_point_free(point);
    mechanism_release(&t);
    free(text.bytes);
}

static void displaced_bodies_are_brought_together(void **state)
{
    (void)state;
    random_stream random = {51};
    growing_text text = {0};
    test_mechanism t;
    routh_error error;
    rt_search s;
    parallelogram_text(&text, 3, 1.1);
    mechanism_make(&t, text.bytes);
    assert_int_equal(rt_search_create(&s, t.m, 1e-12, 200, &error), ROUTH_OK);
    for (int k = 0; k < with_effort(50); k++) {
        double xi[64];
        int row;
        memcpy(s.state->q, t.m->start_q, (size_t)t.m->n_q * sizeof *xi);
        random_reals(&random, t.m->n_u, xi);
        for (int c = 0; c < t.m->n_u; c++) xi[c] *= 0.2;
        t.m->set->advance(t.m->n_bodies, s.state->q, xi);
        if (rt_assemble(&s, &error)) fail_msg("%s: %s", error.element, error.message);
        assert_true(rt_constraint_error(&s, &row) < 1e-12);
    }
    rt_state_free(s.state);
    rt_search_release(&s);
    mechanism_release(&t);
    free(text.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mechanism_that_cannot_close_names_a_joint_of_the_loop),
        cmocka_unit_test(motions_that_contradict_each_other_are_named),
        cmocka_unit_test(redundant_rows_of_parallelograms_are_counted),
        cmocka_unit_test(redundant_rows_of_the_four_bar_are_counted),
        cmocka_unit_test(a_folded_parallelogram_has_one_freedom_more),
        cmocka_unit_test(displaced_bodies_are_brought_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
