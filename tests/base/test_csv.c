/* Tests of base/csv: fields are quoted where they must be, numbers read back, NaN is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "base/csv.h"

static void fields_are_quoted_only_where_they_must_be(void **state)
{
    (void)state;
    routh_error error;
    rt_csv csv = {0};
    rt_csv_heads(&csv, (const char *const[]){"a", "b c", "d,e"}, 3);
    rt_csv_text(&csv, "say \"x\"");
    rt_csv_text(&csv, NULL);
    rt_csv_text(&csv, "two\nlines");
    rt_csv_int(&csv, -7);
    rt_csv_line(&csv);
    assert_int_equal(rt_csv_finish(&csv, &error), ROUTH_OK);
    assert_string_equal(rt_text_string(&csv.text),
                        "a,b c,\"d,e\"\n\"say \"\"x\"\"\",,\"two\nlines\",-7\n");
    rt_text_free(&csv.text);
}

static void numbers_read_back_exactly(void **state)
{
    (void)state;
    const double x[] = {0.1, 1.0 / 3, 5e-324, -1.7976931348623157e308, 1e23};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
        rt_csv csv = {0};
        rt_csv_real(&csv, "x", x[i]);
        assert_true(strtod(rt_text_string(&csv.text), NULL) == x[i]);
        rt_text_free(&csv.text);
    }
}

static void a_number_that_is_not_finite_is_refused_by_name_and_line(void **state)
{
    (void)state;
    routh_error error;
    rt_csv csv = {0};
    rt_csv_real_or_empty(&csv, INFINITY);
    rt_csv_line(&csv);
    rt_csv_real(&csv, "the damping", NAN);
    rt_csv_line(&csv);
    assert_int_equal(rt_csv_finish(&csv, &error), ROUTH_NUMERIC_ERROR);
    assert_non_null(strstr(error.message, "the damping in line 2 "));
    assert_null(csv.text.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_quoted_only_where_they_must_be),
        cmocka_unit_test(numbers_read_back_exactly),
        cmocka_unit_test(a_number_that_is_not_finite_is_refused_by_name_and_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
