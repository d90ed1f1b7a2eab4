/* Tables of a tree: chains too long for them are refused before memory is taken for them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "system/joined.h"

/* Branches of n columns each, from the ground, with a body at the tip of each. */
static routh_status make_tables(int n_branches, int n, int *n_entries, routh_error *error)
{
    rt_arena arena = {0};
    rt_entries e = {0};
    const int n_u = n_branches * n;
    rt_joined j = {.n_u = n_u, .n_bodies = n_branches};
    rt_joined_tables t = {.n_pairs = 0};
    rt_pair pairs[2] = {{.a = 0, .b = 1}, {.a = 1, .b = 0}};
    j.parent = RT_TAKE(&arena, int, n_u);
    j.tip = RT_TAKE(&arena, int, n_branches);
    assert_true(j.parent && j.tip);
    for (int c = 0; c < n_u; c++) j.parent[c] = c % n ? c - 1 : -1;
    for (int b = 0; b < n_branches; b++) j.tip[b] = (b + 1) * n - 1;
    t.pairs = pairs;
    t.n_pairs = n_branches == 2 ? 2 : 0;
    const routh_status status = rt_tree_make(&j, &t, &e, &arena, error);
    *n_entries = (int)e.n;
    free(e.row);
    free(e.column);
    rt_arena_free(&arena);
    return status;
}

static void entries_are_those_of_paths_and_rectangles(void **state)
{
    (void)state;
    routh_error error;
    int n;
    assert_int_equal(make_tables(1, 5, &n, &error), ROUTH_OK);
    assert_int_equal(n, 2 * (1 + 2 + 3 + 4 + 5));
    assert_int_equal(make_tables(2, 3, &n, &error), ROUTH_OK);
    assert_int_equal(n, 2 * 2 * (1 + 2 + 3) + 2 * 3 * 3);
}

/* 2 (1 + 2 + .. + n) = n (n + 1) passes INT_MAX at n = 46341; on two branches of n, with a pair
 * each way, 2 n (n + 1) + 2 n^2 passes it at 23171. */
static void chains_that_are_too_long_are_refused(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 46341}, {1, 100000}, {2, 23171}, {2, 32000}};
    for (int k = 0; k < 4; k++) {
        routh_error error = {0};
        int n;
        assert_int_equal(make_tables(sizes[k][0], sizes[k][1], &n, &error), ROUTH_LIMIT_EXCEEDED);
        assert_int_equal(n, 0);
        assert_non_null(strstr(error.message, "use --coordinates absolute"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_those_of_paths_and_rectangles),
        cmocka_unit_test(chains_that_are_too_long_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
