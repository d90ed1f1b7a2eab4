/* Tests of base/arnoldi: operators whose eigenvalues are known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arnoldi.h"

enum { N = 200 };

/* Blocks [a b; -b a] of eigenvalues a +- i b with modulus k, k = 1 .. N / 2. */
static void block(int k, double *a, double *b)
{
    *a = k * cos(0.3 * k);
    *b = k * sin(0.3 * k);
}

static routh_status turn(void *context, double *x, double *y, routh_error *error)
{
    int *n_calls = context;
    (void)error;
    for (int k = 0; k < N / 2; k++) {
        double a, b;
        block(k + 1, &a, &b);
        y[2 * k] = a * x[2 * k] + b * x[2 * k + 1];
        y[2 * k + 1] = -b * x[2 * k] + a * x[2 * k + 1];
    }
    (*n_calls)++;
    return ROUTH_OK;
}

static routh_status refuse(void *context, double *x, double *y, routh_error *error)
{
    (void)context, (void)x, (void)y;
    return rt_fail(error, ROUTH_NUMERIC_ERROR, "no product today");
}

static rt_arnoldi problem(double *start, int *n_calls)
{
    for (int i = 0; i < N; i++) start[i] = sin(1.7 * i * i);
    return (rt_arnoldi){.n = N,
                        .wanted = 6,
                        .basis = 30,
                        .most_restarts = 100,
                        .apply = turn,
                        .context = n_calls,
                        .start = start};
}

static void the_largest_pairs_are_found_with_their_vectors(void **state)
{
    (void)state;
    double start[N], y[N];
    int n_calls = 0, ignored = 0;
    rt_arena arena = {0};
    rt_arnoldi a = problem(start, &n_calls);
    assert_int_equal(rt_arnoldi_solve(&a, &arena, NULL), ROUTH_OK);
    assert_true(a.found >= 6);
    assert_int_equal(a.n_applied, n_calls);
    assert_true(a.n_restarts > 0);
    for (int k = 0; k < 6; k += 2) {
        const double *re = a.vectors + (size_t)N * (size_t)k, *im = re + N;
        const double size = hypot(a.re[k], a.im[k]);
        const int nearest = (int)lround(size);
        double x_a, x_b;
        block(nearest, &x_a, &x_b);
        assert_true(nearest > N / 2 - 3);
        assert_true(a.im[k] == -a.im[k + 1] && a.re[k] == a.re[k + 1]);
        assert_true(hypot(a.re[k] - x_a, fabs(a.im[k]) - fabs(x_b)) <= 1e-12 * size);
        turn(&ignored, (double *)re, y, NULL);
        for (int i = 0; i < N; i++)
            assert_true(fabs(y[i] - a.re[k] * re[i] + a.im[k] * im[i]) <= 1e-11 * size);
    }
    rt_arena_free(&arena);
}

static void a_failing_operator_is_passed_on_and_leaves_the_door_open(void **state)
{
    (void)state;
    double start[N];
    int n_calls = 0;
    rt_arena arena = {0};
    routh_error error;
    rt_arnoldi a = problem(start, &n_calls);
    a.apply = refuse;
    assert_int_equal(rt_arnoldi_solve(&a, &arena, &error), ROUTH_NUMERIC_ERROR);
    assert_non_null(strstr(error.message, "no product today"));
    a = problem(start, &n_calls);
    assert_int_equal(rt_arnoldi_solve(&a, &arena, &error), ROUTH_OK);
    assert_true(a.found >= 6);
    rt_arena_free(&arena);
}

static void restarts_are_capped_and_what_converged_is_told(void **state)
{
    (void)state;
    double start[N];
    int n_calls = 0;
    rt_arena arena = {0};
    rt_arnoldi a = problem(start, &n_calls);
    a.basis = 8, a.most_restarts = 1;
    assert_int_equal(rt_arnoldi_solve(&a, &arena, NULL), ROUTH_OK);
    assert_true(a.n_restarts <= 2); /* the last one counts */
    assert_true(a.found < 6);
    rt_arena_free(&arena);
}

static void sizes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    double start[N];
    int n_calls = 0;
    rt_arena arena = {0};
    static const int sizes[][2] = {{0, 30}, {N - 1, N}, {6, 7}, {6, N + 1}};
    for (int k = 0; k < 4; k++) {
        rt_arnoldi a = problem(start, &n_calls);
        a.wanted = sizes[k][0], a.basis = sizes[k][1];
        assert_int_equal(rt_arnoldi_solve(&a, &arena, NULL), ROUTH_BAD_ARGUMENT);
    }
    assert_int_equal(n_calls, 0);
    rt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_pairs_are_found_with_their_vectors),
        cmocka_unit_test(a_failing_operator_is_passed_on_and_leaves_the_door_open),
        cmocka_unit_test(restarts_are_capped_and_what_converged_is_told),
        cmocka_unit_test(sizes_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
