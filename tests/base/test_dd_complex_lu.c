/* Tests of base/dd_complex_lu: matrices and vectors of integers, whose products and determinants
 * are exact, and solutions of 106 bits. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/dd_complex_lu.h"

enum { MOST = 9 };

static double random_integer(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (int)(*state >> 16) % 21 - 10;
}

static double _Complex random_gauss(unsigned *state)
{
    const double re = random_integer(state);
    return re + I * random_integer(state);
}

static rt_dd_complex exactly(double _Complex x)
{
    return (rt_dd_complex){{creal(x), 0}, {cimag(x), 0}};
}

static double distance(rt_dd_complex x, double _Complex y)
{
    return hypot(x.re.high - creal(y) + x.re.low, x.im.high - cimag(y) + x.im.low);
}

/* A (n x n, column-major) x = b and A' x = b of an x of integers. */
static void check_solutions(int n, const double _Complex *A, unsigned *seed)
{
    rt_dd_complex a[MOST * MOST], plain[MOST], transposed[MOST];
    int pivots[MOST];
    rt_dd_complex_lu f = {.n = n, .a = a, .pivots = pivots};
    double _Complex x[MOST], b[MOST] = {0}, c[MOST] = {0};
    for (int i = 0; i < n; i++) x[i] = random_gauss(seed);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            a[i + n * j] = exactly(A[i + n * j]);
            b[i] += A[i + n * j] * x[j];
            c[j] += A[i + n * j] * x[i];
        }
    assert_true(rt_dd_complex_lu_factor(&f));
    for (int i = 0; i < n; i++) plain[i] = exactly(b[i]), transposed[i] = exactly(c[i]);
    rt_dd_complex_lu_solve(&f, plain);
    rt_dd_complex_lu_solve_transposed(&f, transposed);
    for (int i = 0; i < n; i++) {
        assert_true(distance(plain[i], x[i]) < 1e-26);
        assert_true(distance(transposed[i], x[i]) < 1e-26);
    }
}

static void solutions_of_integers_are_exact_to_twice_the_digits(void **unused)
{
    (void)unused;
    unsigned seed = 7;
    for (int trial = 0; trial < 200; trial++) {
        const int n = 1 + trial % MOST;
        double _Complex A[MOST * MOST];
        for (int k = 0; k < n * n; k++) A[k] = random_gauss(&seed);
        for (int i = 0; i < n; i++) A[i + n * i] += 25 * (n > 1 && trial % 2); /* few exchanges */
        check_solutions(n, A, &seed);
    }
}

/* A cyclic shift: every row is exchanged, and the inverse is the transpose. */
static void rows_are_exchanged_in_their_order(void **unused)
{
    (void)unused;
    unsigned seed = 3;
    for (int n = 2; n <= MOST; n++) {
        double _Complex A[MOST * MOST] = {0};
        for (int j = 0; j < n; j++) A[(j + 1) % n + n * j] = 2.0 + j + I;
        check_solutions(n, A, &seed);
    }
}

/* det [a b c; d e f; g h i] by Sarrus */
static void the_determinant_is_that_of_three_by_three(void **unused)
{
    (void)unused;
    unsigned seed = 5;
    for (int trial = 0; trial < 50; trial++) {
        double _Complex A[9];
        rt_dd_complex a[9];
        int pivots[3];
        rt_dd_complex_lu f = {.n = 3, .a = a, .pivots = pivots};
        for (int k = 0; k < 9; k++) A[k] = random_gauss(&seed), a[k] = exactly(A[k]);
        const double _Complex det = A[0] * A[4] * A[8] + A[3] * A[7] * A[2] + A[6] * A[1] * A[5] -
                                    A[6] * A[4] * A[2] - A[3] * A[1] * A[8] - A[0] * A[7] * A[5];
        assert_true(rt_dd_complex_lu_factor(&f));
        assert_true(cabs(cexp(f.log_det) - det) < 1e-12 * cabs(det));
    }
}

static void a_matrix_without_inverse_is_refused(void **unused)
{
    (void)unused;
    const double _Complex A[4] = {1 + I, 2, 3 + 3 * I, 6};
    rt_dd_complex a[4];
    int pivots[2];
    rt_dd_complex_lu f = {.n = 2, .a = a, .pivots = pivots};
    for (int k = 0; k < 4; k++) a[k] = exactly(A[k]);
    assert_false(rt_dd_complex_lu_factor(&f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_of_integers_are_exact_to_twice_the_digits),
        cmocka_unit_test(rows_are_exchanged_in_their_order),
        cmocka_unit_test(the_determinant_is_that_of_three_by_three),
        cmocka_unit_test(a_matrix_without_inverse_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
