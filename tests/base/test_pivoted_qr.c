/* base/pivoted_qr by what solutions must satisfy: ranks, least squares, null spaces, damping. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/pivoted_qr.h"

enum { M = 40, N = 31 };

static double noise(unsigned *word)
{
    *word = *word * 1664525u + 1013904223u;
    return (double)*word / 2147483648.0 - 1;
}

/* m x n of this rank: a product of two factors. */
static void fill(double *a, int m, int n, int rank, unsigned word)
{
    static double left[M * M], right[M * M];
    for (int k = 0; k < m * rank; k++) left[k] = noise(&word);
    for (int k = 0; k < rank * n; k++) right[k] = noise(&word);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int l = 0; l < rank; l++) sum += left[i + m * l] * right[l + rank * j];
            a[i + m * j] = sum;
        }
}

/* A' (A x - b), the largest: zero of least squares; with mu^2 x, of damped ones */
static double gradient(const double *a, int m, int n, const double *x, const double *b, double mu)
{
    double left[M], most = 0;
    for (int i = 0; i < m; i++) {
        left[i] = -b[i];
        for (int j = 0; j < n; j++) left[i] += a[i + m * j] * x[j];
    }
    for (int j = 0; j < n; j++) {
        double sum = mu * mu * x[j];
        for (int i = 0; i < m; i++) sum += a[i + m * j] * left[i];
        most = fmax(most, fabs(sum));
    }
    return most;
}

static void check(int m, int n, int rank)
{
    static double a[M * N], room[2 * N * N];
    double b[M], projected[M], x[N], zero[M] = {0};
    unsigned word = 5;
    bool clear;
    rt_arena arena = {0};
    rt_pivoted_qr qr;
    fill(a, m, n, rank, 11u + (unsigned)(m * n * rank));
    for (int i = 0; i < m; i++) b[i] = noise(&word);
    assert_int_equal(rt_pivoted_qr_create(&qr, M, N, &arena, NULL), ROUTH_OK);
    memcpy(qr.a, a, (size_t)(m * n) * sizeof *a);
    assert_int_equal(rt_pivoted_qr_factor(&qr, m, n, 1e-11, 1e-13, 1e-8, &clear, NULL), ROUTH_OK);
    assert_true(clear);
    assert_int_equal(qr.rank, rank);
    memcpy(projected, b, sizeof b);
    rt_pivoted_qr_project(&qr, projected);
    rt_pivoted_qr_solve(&qr, projected, x);
    assert_true(gradient(a, m, n, x, b, 0) < 1e-10);
    for (int l = 0; l < n - rank; l++) {
        double size = 0;
        rt_pivoted_qr_null_vector(&qr, l, x);
        for (int j = 0; j < n; j++) size = fmax(size, fabs(x[j]));
        assert_true(size >= 1 && gradient(a, m, n, x, zero, 0) < 1e-10 * size);
    }
    for (int k = 0; k < 3; k++) {
        const double mu = pow(10, 1 - 3 * k);
        assert_int_equal(rt_pivoted_qr_solve_damped(&qr, projected, mu, room, x, NULL), ROUTH_OK);
        assert_true(gradient(a, m, n, x, b, mu) < 1e-9);
    }
    rt_arena_free(&arena);
}

static void ranks_and_solutions_of_all_shapes(void **unused)
{
    (void)unused;
    for (int rank = 1; rank <= N; rank += 6) check(M, N, rank), check(N, N, rank);
    check(20, N, 20);
    check(20, N, 13);
    check(1, 1, 1);
}

static void of_nothing_nothing_is_left(void **unused)
{
    (void)unused;
    rt_arena arena = {0};
    rt_pivoted_qr qr;
    bool clear;
    double x[3];
    assert_int_equal(rt_pivoted_qr_create(&qr, 3, 3, &arena, NULL), ROUTH_OK);
    memset(qr.a, 0, 9 * sizeof *qr.a);
    assert_int_equal(rt_pivoted_qr_factor(&qr, 3, 3, 1e-11, 1e-13, 1e-8, &clear, NULL), ROUTH_OK);
    assert_int_equal(qr.rank, 0);
    for (int l = 0; l < 3; l++) {
        rt_pivoted_qr_null_vector(&qr, l, x);
        assert_true(fabs(x[0]) + fabs(x[1]) + fabs(x[2]) == 1);
    }
    rt_arena_free(&arena);
}

/* 1, 1e-10, 1e-10: no rank can be told; not a number: an error. */
static void what_cannot_be_told_is_said(void **unused)
{
    (void)unused;
    rt_arena arena = {0};
    rt_pivoted_qr qr;
    bool clear;
    assert_int_equal(rt_pivoted_qr_create(&qr, 3, 3, &arena, NULL), ROUTH_OK);
    memset(qr.a, 0, 9 * sizeof *qr.a);
    qr.a[0] = 1, qr.a[4] = qr.a[8] = 1e-10;
    assert_int_equal(rt_pivoted_qr_factor(&qr, 3, 3, 1e-11, 1e-12, 1e-9, &clear, NULL), ROUTH_OK);
    assert_false(clear);
    qr.a[4] = NAN;
    assert_int_equal(rt_pivoted_qr_factor(&qr, 3, 3, 1e-11, 1e-12, 1e-9, &clear, NULL),
                     ROUTH_NUMERIC_ERROR);
    assert_int_equal(rt_pivoted_qr_factor(&qr, 4, 3, 1e-11, 1e-12, 1e-9, &clear, NULL),
                     ROUTH_BAD_ARGUMENT);
    rt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_and_solutions_of_all_shapes),
        cmocka_unit_test(of_nothing_nothing_is_left),
        cmocka_unit_test(what_cannot_be_told_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
