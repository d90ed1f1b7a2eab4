/* Tests of answers/order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "answers/order.h"

static void set(routh_mode *m, double re, double im, int conjugate)
{
    *m = (routh_mode){.eigenvalue = {re, im}, .conjugate = conjugate, .error_bound = 1e-13};
}

/* +-i twice and +-1: one modulus but for the last digits, which must not decide. */
static void equal_moduli_go_by_imaginary_then_real_part(void **state)
{
    (void)state;
    enum { N = 7 };
    const double e = 4e-16;
    routh_mode m[N], scratch[N];
    int places[2 * N];
    set(&m[0], e, 1 - 2 * e, 1), set(&m[1], e, -1 + 2 * e, 0);
    set(&m[2], 1 - e, 0, 2), set(&m[3], -1 - 2 * e, 0, 3);
    set(&m[4], -e, 1, 5), set(&m[5], -e, -1, 4), set(&m[6], 0.5, 0, 6);
    rt_order_modes(N, m, scratch, places);
    const double expected[N][2] = {{0.5, 0},   {e, -1 + 2 * e}, {-e, -1}, {-1 - 2 * e, 0},
                                   {1 - e, 0}, {e, 1 - 2 * e},  {-e, 1}};
    const int conjugates[N] = {0, 5, 6, 3, 4, 1, 2}, multiplicity[N] = {1, 2, 2, 1, 1, 2, 2};
    for (int k = 0; k < N; k++) {
        assert_true(m[k].eigenvalue[0] == expected[k][0] && m[k].eigenvalue[1] == expected[k][1]);
        assert_int_equal(m[k].conjugate, conjugates[k]);
        assert_int_equal(m[k].multiplicity, multiplicity[k]);
    }
}

static void different_moduli_are_ascending(void **state)
{
    (void)state;
    enum { N = 50 };
    routh_mode m[N], scratch[N];
    int places[2 * N];
    for (int k = 0; k < N; k++) set(&m[k], (37 * k + 11) % N + 1, 0, k);
    rt_order_modes(N, m, scratch, places);
    for (int k = 0; k < N; k++) {
        assert_true(m[k].eigenvalue[0] == k + 1);
        assert_int_equal(m[k].conjugate, k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_moduli_go_by_imaginary_then_real_part),
        cmocka_unit_test(different_moduli_are_ascending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
