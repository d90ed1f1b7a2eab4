/* Sums, products, quotients and roots of double-double numbers against exact integers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/double_double.h"
#include "support/effort.h"
#include "support/random_frames.h"

__extension__ typedef __int128 whole;

static whole as_whole(rt_dd x) { return (whole)x.high + (whole)x.low; }

static double some(random_stream *random)
{
    const int bits = 1 + (int)(random_bits(random) % 53);
    const double x = (double)(random_bits(random) >> (64 - bits));
    return random_bits(random) & 1 ? x : -x;
}

static void sums_and_products_of_two_are_exact(void **state)
{
    (void)state;
    random_stream random = {11};
    for (int k = 0; k < with_effort(200000); k++) {
        const double a = some(&random), b = some(&random);
        assert_true(as_whole(rt_dd_sum_of(a, b)) == (whole)a + (whole)b);
        assert_true(as_whole(rt_dd_product_of(a, b)) == (whole)a * (whole)b);
    }
}

/* |x - y| / |y| */
static double apart(rt_dd x, rt_dd y) { return fabs(rt_dd_subtract(x, y).high) / fabs(y.high); }

static rt_dd some_dd(random_stream *random)
{
    const double high = some(random) + 0.5;
    return rt_dd_quick_sum(high, high * 0x1p-53 * random_real(random));
}

static void quotients_and_roots_undo_products(void **state)
{
    (void)state;
    random_stream random = {12};
    for (int k = 0; k < with_effort(100000); k++) {
        const rt_dd a = some_dd(&random), b = some_dd(&random);
        assert_true(apart(rt_dd_multiply(rt_dd_divide(a, b), b), a) < 8 * RT_DD_EPSILON);
        const rt_dd square = rt_dd_multiply(a, a);
        const rt_dd root = rt_dd_sqrt(square);
        assert_true(apart(root, a.high < 0 ? rt_dd_negative(a) : a) < 8 * RT_DD_EPSILON);
        /* a (b + 1) - a b = a, where the products of doubles agree in all of their digits */
        const rt_dd p = rt_dd_multiply(a, rt_dd_add(b, rt_dd_of(1)));
        const rt_dd q = rt_dd_fma(rt_dd_negative(p), a, b);
        const double size = fabs(p.high) + fabs(a.high * b.high);
        assert_true(fabs(rt_dd_add(q, a).high) < 8 * RT_DD_EPSILON * size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_products_of_two_are_exact),
        cmocka_unit_test(quotients_and_roots_undo_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
