/* Tests of base/sparse_pattern: building from pairs, and the two products against plain loops. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/sparse.h"

static void pairs_in_any_order_with_repeats_give_sorted_columns(void **state)
{
    (void)state;
    const int rows[] = {2, 0, 1, 2, 0, 2}, columns[] = {0, 0, 2, 0, 2, 3};
    const int start[] = {0, 2, 2, 4, 5}, row[] = {0, 2, 0, 1, 2}, where[] = {1, 0, 3, 1, 2, 4};
    rt_arena arena = {0};
    rt_pattern p;
    int position[6];
    assert_int_equal(rt_pattern_build(&p, 3, 4, 6, rows, columns, position, &arena, NULL),
                     ROUTH_OK);
    assert_memory_equal(p.start, start, sizeof start);
    assert_memory_equal(p.row, row, sizeof row);
    assert_memory_equal(position, where, sizeof where);
    rt_arena_free(&arena);
}

static void an_empty_matrix_is_a_pattern(void **state)
{
    (void)state;
    rt_arena arena = {0};
    rt_pattern p;
    assert_int_equal(rt_pattern_build(&p, 0, 3, 0, NULL, NULL, NULL, &arena, NULL), ROUTH_OK);
    for (int j = 0; j <= 3; j++) assert_int_equal(p.start[j], 0);
    assert_int_equal(rt_pattern_build(&p, 0, 0, 0, NULL, NULL, NULL, &arena, NULL), ROUTH_OK);
    assert_int_equal(p.start[0], 0);
    rt_arena_free(&arena);
}

static void an_entry_outside_is_refused(void **state)
{
    (void)state;
    const int rows[] = {0, 3}, columns[] = {0, 1};
    rt_arena arena = {0};
    rt_pattern p;
    routh_error error;
    assert_int_equal(rt_pattern_build(&p, 3, 2, 2, rows, columns, NULL, &arena, &error),
                     ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "(3, 1)"));
    rt_arena_free(&arena);
}

static void an_entry_is_found_or_known_to_be_none(void **state)
{
    (void)state;
    const int rows[] = {4, 1, 2, 0, 4}, columns[] = {0, 0, 0, 2, 3};
    bool there[5][4] = {{false}};
    rt_arena arena = {0};
    rt_pattern p;
    assert_int_equal(rt_pattern_build(&p, 5, 4, 5, rows, columns, NULL, &arena, NULL), ROUTH_OK);
    for (int k = 0; k < 5; k++) there[rows[k]][columns[k]] = true;
    for (int r = 0; r < 5; r++)
        for (int c = 0; c < 4; c++) {
            const int at = rt_pattern_find(&p, r, c);
            assert_int_equal(at >= 0, there[r][c]);
            if (at >= 0) assert_true(at >= p.start[c] && at < p.start[c + 1] && p.row[at] == r);
        }
    rt_arena_free(&arena);
}

/* A is 13 x 9 with about a third of its entries, values by a small linear congruence. */
static void products_equal_the_dense_ones(void **state)
{
    (void)state;
    enum { M = 13, N = 9 };
    double dense[M][N] = {{0}}, values[M * N] = {0}, x[N], z[M], y[M], u[N];
    int rows[M * N], columns[M * N], position[M * N];
    uint32_t seed = 7;
    size_t count = 0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            seed = seed * 1664525u + 1013904223u;
            if (seed >> 30) continue;
            dense[i][j] = (double)(seed >> 8) / (1 << 22) - 0.1;
            rows[count] = i, columns[count] = j, count++;
        }
    assert_in_range(count, 10, 100);
    rt_arena arena = {0};
    rt_pattern p;
    assert_int_equal(rt_pattern_build(&p, M, N, count, rows, columns, position, &arena, NULL),
                     ROUTH_OK);
    for (size_t k = 0; k < count; k++) values[position[k]] += dense[rows[k]][columns[k]];
    for (int j = 0; j < N; j++) x[j] = sin(j + 1.0), u[j] = 0.5 * j;
    for (int i = 0; i < M; i++) z[i] = cos(i + 1.0), y[i] = 1 - i;
    rt_sparse_multiply_add(&p, values, -2, x, y);
    rt_sparse_transpose_multiply_add(&p, values, 3, z, u);
    for (int i = 0; i < M; i++) {
        double sum = 1 - i;
        for (int j = 0; j < N; j++) sum -= 2 * dense[i][j] * x[j];
        assert_true(fabs(y[i] - sum) <= 1e-13);
    }
    for (int j = 0; j < N; j++) {
        double sum = 0.5 * j;
        for (int i = 0; i < M; i++) sum += 3 * dense[i][j] * z[i];
        assert_true(fabs(u[j] - sum) <= 1e-13);
    }
    rt_arena_free(&arena);
}

/* Of lists that differ in one entry, in order, in length or in size alone. */
static void patterns_that_are_kept_are_as_made_anew(void **state)
{
    (void)state;
    enum { ENTRIES = 6 };
    rt_analyses *analyses = rt_analyses_create();
    rt_arena arena = {0};
    assert_non_null(analyses);
    for (int k = 0; k < 200; k++) {
        int rows[ENTRIES] = {3, 0, 2, 2, 1, 0}, columns[ENTRIES] = {0, 1, 1, 1, 3, 3};
        int position[2][ENTRIES] = {{0}, {0}};
        rt_pattern p[2];
        rows[k % 6] = k % 4, columns[k % 5] = k % 3;
        const size_t n = (size_t)(6 - k % 2);
        for (int side = 0; side < 2; side++)
            assert_int_equal(rt_pattern_build_kept(&p[side], 4 + k % 3, 4 + k % 4, n, rows, columns,
                                                   position[side], &arena, side ? analyses : NULL,
                                                   NULL),
                             ROUTH_OK);
        assert_int_equal(p[0].n_rows, p[1].n_rows);
        assert_int_equal(p[0].n_columns, p[1].n_columns);
        assert_memory_equal(position[0], position[1], sizeof position[0]);
        assert_memory_equal(p[0].start, p[1].start, (size_t)(p[0].n_columns + 1) * sizeof(int));
        assert_memory_equal(p[0].row, p[1].row, (size_t)p[0].start[p[0].n_columns] * sizeof(int));
    }
    rt_analyses_free(analyses);
    rt_arena_free(&arena);
}

/* 0 x is added where y is the zero of negative sign, and nothing else is changed by it. */
static void products_with_zeros_keep_their_signs(void **state)
{
    (void)state;
    const int rows[] = {0, 1, 0, 1, 2}, columns[] = {0, 0, 1, 1, 1};
    const double values[] = {1, -1, 2, 3, -2}, x[] = {0, 0};
    rt_arena arena = {0};
    rt_pattern p;
    assert_int_equal(rt_pattern_build(&p, 3, 2, 5, rows, columns, NULL, &arena, NULL), ROUTH_OK);
    double y[] = {-0.0, 5, -0.0};
    rt_sparse_multiply_add(&p, values, 1, x, y);
    assert_false(signbit(y[0]));
    assert_true(y[1] == 5 && y[2] == 0 && signbit(y[2]));
    rt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_in_any_order_with_repeats_give_sorted_columns),
        cmocka_unit_test(an_empty_matrix_is_a_pattern),
        cmocka_unit_test(an_entry_outside_is_refused),
        cmocka_unit_test(an_entry_is_found_or_known_to_be_none),
        cmocka_unit_test(products_equal_the_dense_ones),
        cmocka_unit_test(products_with_zeros_keep_their_signs),
        cmocka_unit_test(patterns_that_are_kept_are_as_made_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
