/* Tests of linear/index_reduction: systems of known index, and what does not determine w. */
#include "linear/index_reduction.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

/* Two v, two w, one input: columns v0 v1 w0 w1 in in' in'' in''' in''''. */
enum { V = 2, W = 2, IN = 1, WIDTH = V + W + RT_INPUT_ORDERS * IN };

typedef double numbers[WIDTH];

static rt_reduced_index reduce(rt_arena *arena, const numbers F[V], const numbers H[W])
{
    rt_differential_algebraic s = {.n_v = V, .n_w = W, .n_in = IN, .tolerance = 1e-12};
    rt_reduced_index out;
    assert_true(rt_sized_take(&s.F, V, WIDTH, arena) && rt_sized_take(&s.H, W, WIDTH, arena));
    for (int i = 0; i < V; i++)
        for (int c = 0; c < WIDTH; c++) rt_sized_set(&s.F, i, c, F[i][c]);
    for (int i = 0; i < W; i++)
        for (int c = 0; c < WIDTH; c++) rt_sized_set(&s.H, i, c, H[i][c]);
    assert_int_equal(rt_reduce_index(&s, &out, arena, NULL), 0);
    return out;
}

static void check_row(const rt_sized_rows *rows, int row, const numbers expected)
{
    for (int c = 0; c < WIDTH; c++)
        assert_true(fabs(rt_sized_value(rows, row)[c] - expected[c]) <= 1e-14);
}

/* 0 = 2 w0 + v0 + in,  0 = w0 - w1 */
static void index_1_is_solved_at_once(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const numbers F[V] = {{0}, {0}}, H[W] = {{1, 0, 2, 0, 1}, {0, 0, 1, -1}};
    const rt_reduced_index out = reduce(&arena, F, H);
    const numbers w = {-0.5, 0, 0, 0, -0.5};
    assert_int_equal(out.n_constraints, 0);
    assert_int_equal(out.n_free, 0);
    check_row(&out.w, 0, w);
    check_row(&out.w, 1, w);
    rt_arena_free(&arena);
}

/* v0' = w0 + v1, 0 = v0 - in:  w0 = in' - v1;  0 = w1 - 3 v0 */
static void a_constraint_is_kept_and_differentiated(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const numbers F[V] = {{0, 1, 1, 0}, {0}}, H[W] = {{1, 0, 0, 0, -1}, {-3, 0, 0, 1}};
    const rt_reduced_index out = reduce(&arena, F, H);
    const numbers kept = {1, 0, 0, 0, -1}, w0 = {0, -1, 0, 0, 0, 1}, w1 = {3};
    assert_int_equal(out.n_constraints, 1);
    assert_int_equal(out.n_free, 0);
    check_row(&out.constraints, 0, kept);
    check_row(&out.w, 0, w0);
    check_row(&out.w, 1, w1);
    rt_arena_free(&arena);
}

/* v0' = v1, v1' = w0, 0 = v0 - in: twice, w0 = in'' */
static void index_3_takes_two_derivatives(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const numbers F[V] = {{0, 1}, {0, 0, 1}}, H[W] = {{1, 0, 0, 0, -1}, {0, 0, 0, 2}};
    const rt_reduced_index out = reduce(&arena, F, H);
    const numbers second = {0, 1, 0, 0, 0, -1}, w0 = {0, 0, 0, 0, 0, 0, 1};
    assert_int_equal(out.n_constraints, 2);
    check_row(&out.constraints, 1, second);
    check_row(&out.w, 0, w0);
    rt_arena_free(&arena);
}

/* 0 = w0 + w1 twice: w1 is free, w0 = -w1 */
static void what_nothing_determines_is_named(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const numbers F[V] = {{0}, {0}}, H[W] = {{0, 0, 1, 1}, {0, 0, 3, 3}};
    const rt_reduced_index out = reduce(&arena, F, H);
    assert_int_equal(out.n_free, 1);
    assert_int_equal(out.unbalanced, -1);
    const int other = 1 - out.free[0];
    assert_true(rt_sized_value(&out.w, other)[V + out.free[0]] == -1);
    rt_arena_free(&arena);
}

/* 0 = in */
static void an_input_that_nothing_balances_is_named(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const numbers F[V] = {{0}, {0}}, H[W] = {{0, 0, 1, 0}, {0, 0, 0, 0, 1}};
    assert_int_equal(reduce(&arena, F, H).unbalanced, 0);
    rt_arena_free(&arena);
}

/* Ten tenths less one are rounding of zero; 1e-9 that was written is not. */
static void rounding_is_told_from_small_numbers(void **state)
{
    (void)state;
    rt_arena arena = {0};
    rt_sized_rows rows;
    assert_true(rt_sized_take(&rows, 2, 1, &arena));
    rt_sized_set(&rows, 1, 0, 0.1);
    for (int k = 0; k < 10; k++) rt_sized_add(&rows, 0, 1, &rows, 1);
    rt_sized_add(&rows, 0, -10, &rows, 1);
    assert_true(rt_sized_value(&rows, 0)[0] != 0);
    assert_true(rt_sized_is_zero(&rows, 0, 0, 1e-12));
    rt_sized_set(&rows, 0, 0, 1e-9);
    assert_false(rt_sized_is_zero(&rows, 0, 0, 1e-12));
    rt_arena_free(&arena);
}

/* Weights keep a column, 0 for good. */
static void columns_of_small_weight_go_late(void **state)
{
    (void)state;
    rt_arena arena = {0};
    rt_sized_rows rows;
    int pivot[1];
    const double late[2] = {1e-3, 1}, never[2] = {1, 0};
    for (int pass = 0; pass < 2; pass++) {
        assert_true(rt_sized_take(&rows, 1, 2, &arena));
        rt_sized_set(&rows, 0, 0, 2);
        rt_sized_set(&rows, 0, 1, pass ? 40 : 1);
        assert_int_equal(
            rt_sized_eliminate(&rows, 1, 0, 2, pass ? never : late, 1e-12, pivot, NULL), 1);
        assert_int_equal(pivot[0], pass ? 0 : 1);
    }
    rt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(index_1_is_solved_at_once),
        cmocka_unit_test(a_constraint_is_kept_and_differentiated),
        cmocka_unit_test(index_3_takes_two_derivatives),
        cmocka_unit_test(what_nothing_determines_is_named),
        cmocka_unit_test(an_input_that_nothing_balances_is_named),
        cmocka_unit_test(rounding_is_told_from_small_numbers),
        cmocka_unit_test(columns_of_small_weight_go_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
