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

static rt_qr_gap gap_of(double least, double most)
{
    return (rt_qr_gap){.none = 1e-11, .least = least, .most = most};
}

/* Ranks, solutions, null space and damped solutions of a; groups: NULL for none. */
static void check_of(const double *a, int m, int n, int rank, const rt_qr_groups *groups)
{
    static double room[2 * N * N];
    double b[M], projected[M], x[N], zero[M] = {0};
    unsigned word = 5;
    rt_qr_gap gap = gap_of(1e-13, 1e-8);
    rt_arena arena = {0};
    rt_pivoted_qr qr;
    for (int i = 0; i < m; i++) b[i] = noise(&word);
    assert_int_equal(rt_pivoted_qr_create(&qr, M, N, &arena, NULL), ROUTH_OK);
    memcpy(qr.a, a, (size_t)(m * n) * sizeof *a);
    assert_int_equal(rt_pivoted_qr_factor(&qr, m, n, groups, &gap, NULL), ROUTH_OK);
    assert_true(gap.clear);
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

static void check(int m, int n, int rank)
{
    static double a[M * N];
    fill(a, m, n, rank, 11u + (unsigned)(m * n * rank));
    check_of(a, m, n, rank, NULL);
}

/* Of two groups in rows of their own, every third, and all rows: n1, n2 columns of rank r1, r2, and
 * others of rank r3 in all rows. */
static void check_groups(const int n[3], const int r[3])
{
    static double a[M * N], part[M * M];
    int first = 0, columns = n[0] + n[1] + n[2];
    const int per_group[2] = {n[0], n[1]};
    const rt_qr_groups groups = {2, per_group};
    memset(a, 0, sizeof a);
    for (int g = 0; g < 3; first += n[g++]) {
        const int step = g < 2 ? 3 : 1, rows = g < 2 ? M / 3 : M;
        if (n[g]) fill(part, rows, n[g], r[g], 17u + (unsigned)(g + n[g]));
        for (int j = 0; j < n[g]; j++)
            for (int i = 0; i < rows; i++)
                a[i * step + (g == 1) + M * (first + j)] = part[i + rows * j];
    }
    check_of(a, M, columns, r[0] + r[1] + r[2], &groups);
}

static void groups_of_columns_go_first(void **unused)
{
    (void)unused;
    static const int n[][3] = {{8, 7, 9}, {8, 7, 9}, {0, 7, 5}, {4, 0, 9}, {13, 13, 0}, {1, 1, 1}};
    static const int r[][3] = {{8, 7, 9}, {5, 6, 8}, {0, 3, 5}, {2, 0, 9}, {13, 9, 0}, {1, 1, 1}};
    for (size_t k = 0; k < sizeof n / sizeof *n; k++) check_groups(n[k], r[k]);
}

/* Columns of a group that differ by e, and one of the rest: [1 1 0; 0 e 1; 0 0 e], whose smallest
 * singular value is about e^2. If both led, |R_ii| would be 1, e, e and show nothing of it. */
static void what_is_nearly_dependent_shows_in_the_rest(void **unused)
{
    (void)unused;
    static const double e[] = {1e-6, 1e-7, 1e-9};
    for (size_t k = 0; k < sizeof e / sizeof *e; k++) {
        const int two = 2;
        const rt_qr_groups groups = {1, &two};
        rt_qr_gap gap = {.none = 1e-11, .least = 1e-12, .most = 1e-10};
        rt_arena arena = {0};
        rt_pivoted_qr qr;
        assert_int_equal(rt_pivoted_qr_create(&qr, 3, 3, &arena, NULL), ROUTH_OK);
        const double a[9] = {1, 0, 0, 1, e[k], 0, 0, 1, e[k]};
        memcpy(qr.a, a, sizeof a);
        assert_int_equal(rt_pivoted_qr_factor(&qr, 3, 3, &groups, &gap, NULL), ROUTH_OK);
        assert_int_equal(qr.rank, 2);
        rt_arena_free(&arena);
    }
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
    rt_qr_gap gap = gap_of(1e-12, 1e-9);
    rt_pivoted_qr qr;
    double x[3];
    assert_int_equal(rt_pivoted_qr_create(&qr, 3, 3, &arena, NULL), ROUTH_OK);
    memset(qr.a, 0, 9 * sizeof *qr.a);
    assert_int_equal(rt_pivoted_qr_factor(&qr, 3, 3, NULL, &gap, NULL), ROUTH_OK);
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
    rt_qr_gap gap = gap_of(1e-12, 1e-9);
    rt_pivoted_qr qr;
    assert_int_equal(rt_pivoted_qr_create(&qr, 3, 3, &arena, NULL), ROUTH_OK);
    memset(qr.a, 0, 9 * sizeof *qr.a);
    qr.a[0] = 1, qr.a[4] = qr.a[8] = 1e-10;
    assert_int_equal(rt_pivoted_qr_factor(&qr, 3, 3, NULL, &gap, NULL), ROUTH_OK);
    assert_false(gap.clear);
    qr.a[4] = NAN;
    assert_int_equal(rt_pivoted_qr_factor(&qr, 3, 3, NULL, &gap, NULL), ROUTH_NUMERIC_ERROR);
    assert_int_equal(rt_pivoted_qr_factor(&qr, 4, 3, NULL, &gap, NULL), ROUTH_BAD_ARGUMENT);
    rt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_and_solutions_of_all_shapes),
        cmocka_unit_test(groups_of_columns_go_first),
        cmocka_unit_test(what_is_nearly_dependent_shows_in_the_rest),
        cmocka_unit_test(of_nothing_nothing_is_left),
        cmocka_unit_test(what_cannot_be_told_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
