/* Tests of base/reflectors: multiplied back, orthogonal, for full matrices and staircases. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/reflectors.h"

enum { N = 90, M = 83 };

static double noise(unsigned *word)
{
    *word = *word * 1664525u + 1013904223u;
    return (double)*word / 2147483648.0 - 1;
}

/* width 0: full; else column j has entries in rows j - width .. j + width, some of which are 0 */
static void fill(double *a, int n, int m, int width)
{
    unsigned word = 7;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            const double x = noise(&word);
            const int far = i > j ? i - j : j - i;
            const bool in = width == 0 || (far <= width && (far == 0 || x > -0.5));
            a[i + n * j] = in ? x + (i == j ? 3 : 0) : 0;
        }
}

static double largest(const double *a, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++)
        if (!(fabs(a[k]) <= most)) most = fabs(a[k]);
    return most;
}

static void check(int n, int m, int width)
{
    static double a[N * M], copy[N * M], back[N * M], identity[N * N];
    rt_arena arena = {0};
    rt_reflectors q;
    fill(a, n, m, width);
    memcpy(copy, a, sizeof a);
    assert_int_equal(rt_reflectors_make(&q, n, m, copy, &arena, NULL), ROUTH_OK);
    memset(back, 0, sizeof back);
    for (int j = 0; j < m; j++)
        for (int i = 0; i <= j; i++) back[i + n * j] = copy[i + n * j];
    rt_reflectors_apply(&q, 0, m, back);
    for (int k = 0; k < n * m; k++) back[k] -= a[k];
    /* rounding of some n operations on numbers below 4 */
    assert_true(largest(back, n * m) <= 1e-13);
    memset(identity, 0, sizeof identity);
    for (int j = 0; j < n; j++) identity[j + n * j] = 1;
    rt_reflectors_apply(&q, 0, n, identity);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += identity[k + n * i] * identity[k + n * j];
            assert_true(fabs(sum - (i == j)) <= 1e-13);
        }
    /* Q' undoes Q */
    rt_reflectors_apply(&q, 1, n, identity);
    for (int j = 0; j < n; j++) identity[j + n * j] -= 1;
    assert_true(largest(identity, n * n) <= 1e-13);
    rt_arena_free(&arena);
}

static void full_matrices_and_staircases_multiply_back(void **state)
{
    (void)state;
    static const int widths[] = {0, 1, 3, 20};
    for (int k = 0; k < 4; k++) {
        check(N, M, widths[k]);
        check(M, M, widths[k]);
        check(5, 3, widths[k]);
        check(1, 1, widths[k]);
    }
}

static void the_null_basis_is_orthogonal_to_every_column(void **state)
{
    (void)state;
    static double a[N * M], copy[N * M], basis[N * (N - M)];
    for (int width = 0; width < 9; width += 4) {
        rt_arena arena = {0};
        rt_reflectors q;
        fill(a, N, M, width);
        memcpy(copy, a, sizeof a);
        assert_int_equal(rt_reflectors_make(&q, N, M, copy, &arena, NULL), ROUTH_OK);
        rt_reflectors_null(&q, basis);
        for (int k = 0; k < N - M; k++) {
            for (int j = 0; j < M; j++) {
                double sum = 0;
                for (int i = 0; i < N; i++) sum += a[i + N * j] * basis[i + N * k];
                assert_true(fabs(sum) <= 1e-13);
            }
            for (int j = 0; j < N - M; j++) {
                double sum = 0;
                for (int i = 0; i < N; i++) sum += basis[i + N * j] * basis[i + N * k];
                assert_true(fabs(sum - (j == k)) <= 1e-13);
            }
        }
        rt_arena_free(&arena);
    }
}

static void the_triangle_is_solved_both_ways(void **state)
{
    (void)state;
    static double a[N * M];
    double x[M], b[M], c[M], d[M];
    unsigned word = 3;
    rt_arena arena = {0};
    rt_reflectors q;
    fill(a, N, M, 4);
    assert_int_equal(rt_reflectors_make(&q, N, M, a, &arena, NULL), ROUTH_OK);
    for (int k = 0; k < M; k++) x[k] = d[k] = noise(&word), b[k] = c[k] = 0;
    for (int j = 0; j < M; j++)
        for (int i = 0; i <= j; i++) b[i] += a[i + N * j] * x[j], c[j] += a[i + N * j] * x[i];
    rt_reflectors_multiply(&q, d);
    for (int k = 0; k < M; k++) assert_true(fabs(d[k] - b[k]) <= 1e-13);
    rt_reflectors_solve(&q, b);
    rt_reflectors_solve_transposed(&q, c);
    for (int k = 0; k < M; k++) {
        /* the diagonal dominates, so errors do not grow */
        assert_true(fabs(b[k] - x[k]) <= 1e-12);
        assert_true(fabs(c[k] - x[k]) <= 1e-12);
    }
    rt_arena_free(&arena);
}

static void what_cannot_be_factored_is_refused(void **state)
{
    (void)state;
    double a[] = {1, 2, NAN, 4}, wide[] = {1, 2};
    rt_arena arena = {0};
    rt_reflectors q;
    assert_int_equal(rt_reflectors_make(&q, 2, 2, a, &arena, NULL), ROUTH_NUMERIC_ERROR);
    a[2] = INFINITY;
    assert_int_equal(rt_reflectors_make(&q, 2, 2, a, &arena, NULL), ROUTH_NUMERIC_ERROR);
    assert_int_equal(rt_reflectors_make(&q, 1, 2, wide, &arena, NULL), ROUTH_BAD_ARGUMENT);
    rt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_matrices_and_staircases_multiply_back),
        cmocka_unit_test(the_null_basis_is_orthogonal_to_every_column),
        cmocka_unit_test(the_triangle_is_solved_both_ways),
        cmocka_unit_test(what_cannot_be_factored_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
