/* Tests of linear/sparsity: sizes, entries that must be there, and factors that are triangles. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/mechanisms.h"

static routh_sparsity *sparsity_of(const test_mechanism *t)
{
    routh_operating_point *point = mechanism_point(t);
    routh_sparsity *s;
    routh_error error;
    if (routh_sparsity_find(&s, t->m, point, &error)) fail_msg("%s", error.message);
    routh_operating_point_free(point);
    return s;
}

static const routh_pattern *named(const routh_sparsity *s, const char *name)
{
    for (int k = 0; k < s->n; k++)
        if (strcmp(s->patterns[k].name, name) == 0) return &s->patterns[k];
    fail_msg("no pattern %s", name);
    return NULL;
}

static int entries(const routh_pattern *p) { return p->start[p->n_columns]; }

static bool has(const routh_pattern *p, int row, int column)
{
    for (int e = p->start[column]; e < p->start[column + 1]; e++)
        if (p->row[e] == row) return true;
    return false;
}

static void assert_valid(const routh_pattern *p)
{
    assert_int_equal(p->start[0], 0);
    for (int c = 0; c < p->n_columns; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++) {
            assert_in_range(p->row[e], 0, p->n_rows - 1);
            if (e > p->start[c]) assert_true(p->row[e] > p->row[e - 1]);
        }
}

/* One rod on a hinge about y at its end: mass and inertia on the diagonal, of the constraints' five
 * rows three say that points coincide, two that axes are parallel. */
static void a_pendulum_has_the_entries_of_its_equations(void **state)
{
    (void)state;
    static const char *const settings[] = {"n", "1", NULL};
    test_mechanism t;
    mechanism_make_template(&t, "pendulum-chain", settings);
    routh_sparsity *s = sparsity_of(&t);
    const routh_pattern *M = named(s, "M"), *G = named(s, "G"), *saddle = named(s, "[M G'; G 0]");
    assert_string_equal(s->coordinates, "absolute");
    assert_int_equal(M->n_rows, 6);
    assert_int_equal(entries(M), 6);
    for (int c = 0; c < 6; c++) assert_true(has(M, c, c));
    assert_int_equal(entries(named(s, "D")), 0);
    assert_int_equal(G->n_rows, 5);
    assert_int_equal(saddle->n_rows, 11);
    assert_int_equal(entries(saddle), entries(M) + 2 * entries(G));
    assert_int_equal(named(s, "E")->n_rows, 17);
    assert_int_equal(entries(named(s, "E")), 6 + entries(M));
    assert_int_equal(entries(named(s, "A")), 6 + entries(named(s, "K")) + 2 * entries(G));
    routh_sparsity_free(s);
    mechanism_release(&t);
}

/* L is lower triangular with a full diagonal, U upper triangular likewise; together they have at
 * least as many entries as the matrix and its diagonal need. */
static void factors_are_triangles_that_hold_the_matrix(void **state)
{
    (void)state;
    static const char *const settings[] = {"N", "6", NULL};
    test_mechanism t;
    mechanism_make_template(&t, "four-bar", settings);
    routh_sparsity *s = sparsity_of(&t);
    int n_factors = 0;
    for (int k = 0; k < s->n; k++) {
        const routh_pattern *p = &s->patterns[k];
        assert_valid(p);
        if (p->factor_of < 0) continue;
        const bool lower = strcmp(p->name, "L") == 0;
        assert_int_equal(p->n_rows, s->patterns[p->factor_of].n_rows);
        for (int c = 0; c < p->n_columns; c++) {
            assert_true(has(p, c, c));
            const int edge = lower ? p->row[p->start[c]] : p->row[p->start[c + 1] - 1];
            assert_int_equal(edge, c);
        }
        if (lower)
            assert_true(entries(p) + entries(&s->patterns[k + 1]) - p->n_rows >=
                        entries(&s->patterns[p->factor_of]));
        n_factors++;
    }
    assert_int_equal(n_factors, 4);
    routh_sparsity_free(s);
    mechanism_release(&t);
}

static void about_a_state_that_moves_there_is_no_descriptor(void **state)
{
    (void)state;
    test_mechanism t;
    mechanism_make_template(&t, "rotating-pendulum", NULL);
    routh_sparsity *s = sparsity_of(&t);
    for (int k = 0; k < s->n; k++) assert_string_not_equal(s->patterns[k].name, "E");
    assert_int_equal(s->n, 7);
    routh_sparsity_free(s);
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_has_the_entries_of_its_equations),
        cmocka_unit_test(factors_are_triangles_that_hold_the_matrix),
        cmocka_unit_test(about_a_state_that_moves_there_is_no_descriptor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
