/* Tests of base/lobatto: what the rules integrate exactly, and polynomials through the points. */
#include "base/lobatto.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double power(double x, int n)
{
    double p = 1;
    for (int k = 0; k < n; k++) p *= x;
    return p;
}

static double integral(int n, const double *at, const double *weight, int degree)
{
    double sum = 0;
    for (int k = 0; k < n; k++) sum += weight[k] * power(at[k], degree);
    return sum;
}

static void polynomials_of_degree_2p_minus_1_are_integrated_exactly(void **state)
{
    (void)state;
    for (int p = 1; p <= RT_LOBATTO_ORDER; p++) {
        const double *gauss = rt_gauss_points(p), *lobatto = rt_lobatto_points(p);
        const double *by_gauss = rt_gauss_weights(p), *by_lobatto = rt_lobatto_weights(p);
        for (int d = 0; d < 2 * p; d++) {
            const double exact = d % 2 ? 0 : 2.0 / (d + 1);
            assert_true(fabs(integral(p, gauss, by_gauss, d) - exact) < 4e-15);
            assert_true(fabs(integral(p + 1, lobatto, by_lobatto, d) - exact) < 4e-15);
        }
        /* and no further */
        assert_true(fabs(integral(p, gauss, by_gauss, 2 * p) - 2.0 / (2 * p + 1)) > 1e-6);
        assert_true(fabs(integral(p + 1, lobatto, by_lobatto, 2 * p) - 2.0 / (2 * p + 1)) > 1e-6);
    }
}

static void points_are_symmetric_and_the_ends_among_them(void **state)
{
    (void)state;
    for (int p = 1; p <= RT_LOBATTO_ORDER; p++) {
        const double *gauss = rt_gauss_points(p), *lobatto = rt_lobatto_points(p);
        assert_true(lobatto[0] == -1 && lobatto[p] == 1);
        for (int k = 0; k <= p; k++) assert_true(lobatto[k] == -lobatto[p - k]);
        for (int k = 0; k < p; k++) assert_true(gauss[k] == -gauss[p - 1 - k]);
    }
}

static void shapes_reproduce_polynomials_and_their_slopes(void **state)
{
    (void)state;
    for (int p = 1; p <= RT_LOBATTO_ORDER; p++)
        for (int g = 0; g < p; g++) {
            double shape[RT_LOBATTO_ORDER + 1], slope[RT_LOBATTO_ORDER + 1];
            const double x = rt_gauss_points(p)[g], *at = rt_lobatto_points(p);
            rt_lobatto_shapes(p, g, shape, slope);
            for (int d = 0; d <= p; d++) {
                double value = 0, rate = 0;
                for (int j = 0; j <= p; j++) {
                    value += shape[j] * power(at[j], d);
                    rate += slope[j] * power(at[j], d);
                }
                assert_true(fabs(value - power(x, d)) < 1e-14);
                assert_true(fabs(rate - (d ? d * power(x, d - 1) : 0)) < 1e-13);
            }
            double anywhere[RT_LOBATTO_ORDER + 1];
            rt_lobatto_slopes(p, x, anywhere);
            for (int j = 0; j <= p; j++) assert_true(fabs(anywhere[j] - slope[j]) < 1e-12);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polynomials_of_degree_2p_minus_1_are_integrated_exactly),
        cmocka_unit_test(points_are_symmetric_and_the_ends_among_them),
        cmocka_unit_test(shapes_reproduce_polynomials_and_their_slopes),
    };
    return cmocka_run_group_tests_name("base.lobatto", tests, NULL, NULL);
}
