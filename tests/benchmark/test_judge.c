/* What counts as agreement with a published number. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "benchmark/judge.h"

static routh_benchmark_value judged(const char *published, double reference, int wanted,
                                    int misprint, double computed)
{
    routh_benchmark_value v = {.published = published,
                               .reference = reference,
                               .computed = computed,
                               .digits_wanted = wanted,
                               .misprint = misprint};
    rt_benchmark_judge(&v);
    return v;
}

static void printed_digits_are_rounded_ones(void **state)
{
    (void)state;
    assert_int_equal(judged("2.2343", 2.2343, 0, 0, 2.23434).verdict, ROUTH_YES);
    assert_int_equal(judged("2.2343", 2.2343, 0, 0, 2.23426).verdict, ROUTH_YES);
    assert_int_equal(judged("2.2343", 2.2343, 0, 0, 2.23436).verdict, ROUTH_NO);
    assert_int_equal(judged("2.2343", 2.2343, 0, 0, 2.23424).verdict, ROUTH_NO);
    assert_int_equal(judged("-0.2424", -0.2424, 0, 0, -0.24238).verdict, ROUTH_YES);
    assert_int_equal(judged("-0.2424", -0.2424, 0, 0, 0.24238).verdict, ROUTH_NO);
    assert_int_equal(judged("1.50e3", 1500, 0, 0, 1504).verdict, ROUTH_YES);
    assert_int_equal(judged("1.50e3", 1500, 0, 0, 1506).verdict, ROUTH_NO);
    assert_int_equal(judged("20", 20, 0, 0, 20.4).verdict, ROUTH_YES);
    assert_int_equal(judged("20.0", 20, 0, 0, 20.4).verdict, ROUTH_NO);
}

static void the_reference_must_agree_in_the_digits_wanted(void **state)
{
    (void)state;
    assert_int_equal(judged("2.2343", 2.234331019018, 10, 0, 2.234331019018).verdict, ROUTH_YES);
    assert_int_equal(judged("2.2343", 2.234331019018, 10, 0, 2.23433102).verdict, ROUTH_NO);
    assert_int_equal(judged("2.2343", 2.234331019018, 8, 0, 2.23433102).verdict, ROUTH_YES);
    assert_int_equal(judged(NULL, 3, 10, 0, 3 + 2e-10).verdict, ROUTH_YES);
    assert_int_equal(judged(NULL, 3, 10, 0, 3 + 4e-10).verdict, ROUTH_NO);
}

/* A number printed with 16 digits cannot be computed to all of them. */
static void of_many_printed_digits_as_many_as_are_wanted_do(void **state)
{
    (void)state;
    const char *const printed = "14.07838969279822";
    const double x = 14.07838969279822;
    assert_int_equal(judged(printed, x, 10, 0, x + 1e-10).verdict, ROUTH_YES);
    assert_int_equal(judged(printed, x, 0, 0, x + 1e-10).verdict, ROUTH_NO);
    assert_int_equal(judged(printed, x, 10, 0, x + 1e-8).verdict, ROUTH_NO);
}

/* What is marked as a misprint and comes out as printed is none. */
static void a_misprint_must_be_one(void **state)
{
    (void)state;
    assert_int_equal(judged("1.8230", 1.829610223, 9, 1, 1.829610223).verdict, ROUTH_YES);
    assert_int_equal(judged("1.8230", 1.829610223, 9, 1, 1.8230).verdict, ROUTH_NO);
    assert_int_equal(judged("1.8296", 1.829610223, 9, 1, 1.829610223).verdict, ROUTH_NO);
}

static void digits_are_counted_down(void **state)
{
    (void)state;
    assert_int_equal(judged(NULL, 1, 1, 0, 1.0009).digits, 3);
    assert_int_equal(judged(NULL, 1, 1, 0, 1.0011).digits, 2);
    assert_int_equal(judged(NULL, 1, 1, 0, 1).digits, 15);
    assert_int_equal(judged(NULL, 1, 1, 0, -1).digits, 0);
    assert_int_equal(judged(NULL, 0, 1, 0, 1e-5).digits, 5);
    assert_int_equal(judged(NULL, 1, 1, 0, INFINITY).digits, 0);
}

static void what_was_not_computed_is_not_judged(void **state)
{
    (void)state;
    assert_int_equal(judged("1", 1, 0, 0, NAN).verdict, ROUTH_CANNOT_TELL);
    assert_int_equal(judged("one", NAN, 0, 0, 1).verdict, ROUTH_NO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printed_digits_are_rounded_ones),
        cmocka_unit_test(the_reference_must_agree_in_the_digits_wanted),
        cmocka_unit_test(of_many_printed_digits_as_many_as_are_wanted_do),
        cmocka_unit_test(a_misprint_must_be_one),
        cmocka_unit_test(digits_are_counted_down),
        cmocka_unit_test(what_was_not_computed_is_not_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
