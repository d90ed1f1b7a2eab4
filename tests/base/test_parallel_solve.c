/* Tests of base/parallel_solve: the threads change neither the solution nor what is told of a
 * failure. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/parallel_solve.h"

/* Enough that threads are started; the last chunk of columns is not full. */
enum { N = 400, COLUMNS = 203, ENTRIES = 3 * N - 2 };

typedef struct chain {
    rt_arena arena;
    rt_pattern pattern;
    rt_factor *factor;
    double values[ENTRIES];
} chain;

/* 3.1 + sin i on the diagonal, -1 beside it */
static chain *make(void)
{
    static int rows[ENTRIES], columns[ENTRIES], position[ENTRIES];
    chain *c = calloc(1, sizeof *c);
    assert_non_null(c);
    int n = 0;
    for (int i = 0; i < N; i++)
        for (int j = i ? i - 1 : 0; j <= i + 1 && j < N; j++) rows[n] = i, columns[n++] = j;
    assert_int_equal(n, ENTRIES);
    assert_int_equal(
        rt_pattern_build(&c->pattern, N, N, ENTRIES, rows, columns, position, &c->arena, NULL),
        ROUTH_OK);
    for (int e = 0; e < ENTRIES; e++)
        c->values[position[e]] = rows[e] == columns[e] ? 3.1 + sin(rows[e]) : -1;
    assert_int_equal(rt_factor_create(&c->factor, &c->pattern, RT_ORDER_AMD, NULL), ROUTH_OK);
    assert_int_equal(rt_factor_numeric(c->factor, c->values, NULL), ROUTH_OK);
    return c;
}

static void release(chain *c)
{
    rt_factor_free(c->factor);
    rt_arena_free(&c->arena);
    free(c);
}

/* N x COLUMNS, each entry its own. */
static double *right_hand_sides(void)
{
    double *B = malloc(sizeof *B * N * COLUMNS);
    assert_non_null(B);
    for (int k = 0; k < N * COLUMNS; k++) B[k] = cos(0.7 * k);
    return B;
}

static void the_solution_does_not_depend_on_the_threads(void **state)
{
    (void)state;
    chain *c = make();
    double *one = right_hand_sides(), Ax[N];
    assert_int_equal(rt_factor_solve_parallel(c->factor, N, one, COLUMNS, 1, NULL, NULL), ROUTH_OK);
    for (int j = 0; j < COLUMNS; j++) {
        memset(Ax, 0, sizeof Ax);
        rt_sparse_multiply_add(&c->pattern, c->values, 1, one + N * j, Ax);
        for (int i = 0; i < N; i++) assert_true(fabs(Ax[i] - cos(0.7 * (i + N * j))) < 1e-12);
    }
    for (int threads = 0; threads <= 5; threads++) {
        double *B = right_hand_sides();
        assert_int_equal(rt_factor_solve_parallel(c->factor, N, B, COLUMNS, threads, NULL, NULL),
                         ROUTH_OK);
        assert_memory_equal(B, one, sizeof *B * N * COLUMNS);
        free(B);
    }
    free(one);
    release(c);
}

static void a_column_that_fails_is_told_whoever_solves_it(void **state)
{
    (void)state;
    chain *c = make();
    for (int threads = 1; threads <= 4; threads++)
        for (int column = 0; column < COLUMNS; column += COLUMNS - 1) {
            double *B = right_hand_sides();
            routh_error error = {0};
            B[N * column + 7] = INFINITY;
            assert_int_equal(
                rt_factor_solve_parallel(c->factor, N, B, COLUMNS, threads, NULL, &error),
                ROUTH_NUMERIC_ERROR);
            assert_int_equal(error.status, ROUTH_NUMERIC_ERROR);
            assert_true(error.message[0] != '\0');
            assert_int_equal(
                rt_factor_solve_parallel(c->factor, N, B, COLUMNS, threads, NULL, NULL),
                ROUTH_NUMERIC_ERROR);
            free(B);
        }
    release(c);
}

static void no_columns_are_solved_at_once(void **state)
{
    (void)state;
    chain *c = make();
    assert_int_equal(rt_factor_solve_parallel(c->factor, N, NULL, 0, 2, NULL, NULL), ROUTH_OK);
    release(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_solution_does_not_depend_on_the_threads),
        cmocka_unit_test(a_column_that_fails_is_told_whoever_solves_it),
        cmocka_unit_test(no_columns_are_solved_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
