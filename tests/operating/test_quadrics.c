/* Common zeros of quadratic forms. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "operating/quadrics.h"

enum { P = RT_QUADRICS_MOST_VARIABLES };

static rt_quadric_zeros solve(int p, int n_forms, const double *forms)
{
    rt_quadric_zeros z;
    routh_error e;
    if (rt_quadrics_solve(&z, p, n_forms, forms, &e)) fail_msg("%s", e.message);
    return z;
}

static bool has(const rt_quadric_zeros *z, int p, const double *direction, bool simple)
{
    double size = 0;
    for (int i = 0; i < p; i++) size += direction[i] * direction[i];
    for (int k = 0; k < z->n; k++) {
        double there = 0, back = 0;
        for (int i = 0; i < p; i++) {
            there = fmax(there, fabs(z->zero[k].c[i] - direction[i] / sqrt(size)));
            back = fmax(back, fabs(z->zero[k].c[i] + direction[i] / sqrt(size)));
        }
        if (fmin(there, back) < 1e-12) return z->zero[k].simple == simple;
    }
    return false;
}

/* x y, x^2 - 3 y^2, (x - y)^2, x^2 + y^2 */
static void two_variables_are_solved_exactly(void **unused)
{
    (void)unused;
    const double crossing[] = {0, 0.5, 0.5, 0}, wide[] = {1, 0, 0, -3};
    const double twice[] = {1, -1, -1, 1}, none[] = {1, 0, 0, 1};
    rt_quadric_zeros z = solve(2, 1, crossing);
    assert_int_equal(z.n, 2);
    assert_true(z.all);
    assert_true(has(&z, 2, (double[]){1, 0}, true));
    assert_true(has(&z, 2, (double[]){0, 1}, true));
    z = solve(2, 1, wide);
    assert_int_equal(z.n, 2);
    assert_true(has(&z, 2, (double[]){sqrt(3), 1}, true));
    assert_true(has(&z, 2, (double[]){-sqrt(3), 1}, true));
    z = solve(2, 1, twice);
    assert_int_equal(z.n, 1);
    assert_true(has(&z, 2, (double[]){1, 1}, false));
    assert_int_equal(solve(2, 1, none).n, 0);
}

/* x y and x (x - y): only x = 0 */
static void two_forms_of_two_variables_share_their_zeros(void **unused)
{
    (void)unused;
    const double forms[] = {0, 0.5, 0.5, 0, 1, -0.5, -0.5, 0};
    const rt_quadric_zeros z = solve(2, 2, forms);
    assert_int_equal(z.n, 1);
    assert_true(has(&z, 2, (double[]){0, 1}, true));
}

/* The form (a'x)(b'x) */
static void add_product(double *Q, int p, const double *a, const double *b)
{
    for (int i = 0; i < p; i++)
        for (int j = 0; j < p; j++) Q[i + p * j] += (a[i] * b[j] + b[i] * a[j]) / 2;
}

/* Pairs of planes in general position: 2^(p-1) lines, all found, to the last digits. */
static void planes_in_general_position_cross_in_all_their_lines(void **unused)
{
    (void)unused;
    enum { N = 4 };
    double a[N - 1][2][N], forms[(N - 1) * N * N] = {0};
    for (int f = 0; f < N - 1; f++)
        for (int s = 0; s < 2; s++)
            for (int i = 0; i < N; i++) a[f][s][i] = sin(1 + 7.3 * f + 3.1 * s + 1.7 * i * (f + 1));
    for (int f = 0; f < N - 1; f++) add_product(forms + f * N * N, N, a[f][0], a[f][1]);
    const rt_quadric_zeros z = solve(N, N - 1, forms);
    assert_false(z.all);
    assert_false(z.surface);
    assert_int_equal(z.n, 8);
    for (int k = 0; k < z.n; k++) {
        assert_true(z.zero[k].simple);
        for (int f = 0; f < N - 1; f++) {
            double least = INFINITY;
            for (int s = 0; s < 2; s++) {
                double sum = 0;
                for (int i = 0; i < N; i++) sum += a[f][s][i] * z.zero[k].c[i];
                least = fmin(least, fabs(sum));
            }
            assert_true(least < 1e-11);
        }
    }
}

/* x (x - y), y (y - z): (1, 1, 1), (0, 1, 1) and, twice, (0, 0, 1) to full accuracy */
static void a_double_zero_is_found_to_the_last_digits(void **unused)
{
    (void)unused;
    const double forms[] = {1, -0.5, 0, -0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, -0.5, 0, -0.5, 0};
    const rt_quadric_zeros z = solve(3, 2, forms);
    assert_int_equal(z.n, 3);
    assert_true(has(&z, 3, (double[]){1, 1, 1}, true));
    assert_true(has(&z, 3, (double[]){0, 1, 1}, true));
    assert_true(has(&z, 3, (double[]){0, 0, 1}, false));
}

/* One cone in space: not lines but a surface of them. */
static void a_cone_is_told(void **unused)
{
    (void)unused;
    const double cone[] = {1, 0, 0, 0, 1, 0, 0, 0, -1};
    assert_true(solve(3, 1, cone).surface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_variables_are_solved_exactly),
        cmocka_unit_test(two_forms_of_two_variables_share_their_zeros),
        cmocka_unit_test(planes_in_general_position_cross_in_all_their_lines),
        cmocka_unit_test(a_double_zero_is_found_to_the_last_digits),
        cmocka_unit_test(a_cone_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
