/* Tests of base/json: what is written reads back exactly by another library, and what cannot be
 * is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"
#include "support/json_text.h"

static json_t *read_back(rt_json *json)
{
    routh_error error;
    assert_int_equal(rt_json_finish(json, &error), ROUTH_OK);
    json_t *back = sample_json(&(routh_text){json->text.bytes, json->text.length});
    rt_text_free(&json->text);
    return back;
}

static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    return *state;
}

static void doubles_of_all_bit_patterns_read_back_exactly(void **state)
{
    (void)state;
    enum { N = 20000 };
    double *x = malloc(N * sizeof *x);
    uint64_t seed = 88172645463325252u;
    for (int i = 0; i < N; i++) {
        do {
            const uint64_t bits = next(&seed);
            memcpy(&x[i], &bits, sizeof bits);
        } while (!isfinite(x[i]));
    }
    const double hard[] = {0.1,  1.0 / 3, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308,
                           1e23, -0.0,    5};
    memcpy(x, hard, sizeof hard);
    rt_json json = {0};
    rt_json_reals(&json, NULL, x, N);
    json_t *back = read_back(&json);
    assert_int_equal(json_array_size(back), N);
    for (size_t i = 0; i < N; i++) {
        const double y = json_number_value(json_array_get(back, i));
        /* "-0" without a point reads back as the integer 0 in some readers */
        if (x[i] != 0) assert_memory_equal(&x[i], &y, sizeof y);
    }
    json_decref(back);
    free(x);
}

static void every_kind_of_member_reads_back(void **state)
{
    (void)state;
    const double matrix[] = {1, 2, 3, 4, 5, 6.5};
    rt_json json = {0};
    rt_json_object(&json, NULL);
    rt_json_string(&json, "text", "a\"b\\c\n\td\x01");
    rt_json_string(&json, "none", NULL);
    rt_json_bool(&json, "yes", true);
    rt_json_int(&json, "count", -12);
    rt_json_real(&json, "third", 1.0 / 3);
    rt_json_real_or_null(&json, "fifth", 0.2);
    rt_json_real_or_null(&json, "infinite", INFINITY);
    rt_json_matrix(&json, "matrix", matrix, 2, 3);
    rt_json_matrix(&json, "no rows", NULL, 0, 3);
    rt_json_matrix(&json, "no columns", NULL, 2, 0);
    rt_json_flat_array(&json, "list");
    rt_json_flat_object(&json, NULL);
    rt_json_int(&json, "x", 1);
    rt_json_end(&json);
    rt_json_object(&json, NULL);
    rt_json_end(&json);
    rt_json_end(&json);
    rt_json_end(&json);
    json_t *back = read_back(&json);
    assert_string_equal(json_string_value(sample_at(back, "text")), "a\"b\\c\n\td\x01");
    assert_true(json_is_null(sample_at(back, "none")));
    assert_true(json_is_true(sample_at(back, "yes")));
    assert_int_equal(json_integer_value(sample_at(back, "count")), -12);
    assert_true(sample_number(back, "third") == 1.0 / 3);
    assert_true(sample_number(back, "fifth") == 0.2);
    assert_true(json_is_null(sample_at(back, "infinite")));
    assert_true(sample_number(back, "matrix 1 2") == 6.5);
    assert_int_equal(json_array_size(json_object_get(back, "no rows")), 0);
    assert_int_equal(json_array_size(json_object_get(back, "no columns")), 2);
    assert_true(sample_number(back, "list 0 x") == 1);
    assert_int_equal(json_object_size(sample_at(back, "list 1")), 0);
    json_decref(back);
}

static void a_row_of_a_matrix_is_one_line(void **state)
{
    (void)state;
    const double matrix[] = {1, 2, 3, 4};
    rt_json json = {0};
    rt_json_object(&json, NULL);
    rt_json_matrix(&json, "A", matrix, 2, 2);
    rt_json_end(&json);
    assert_string_equal(rt_text_string(&json.text),
                        "{\n  \"A\": [\n    [1, 2],\n    [3, 4]\n  ]\n}\n");
    rt_text_free(&json.text);
}

static void nothing_in_a_string_ends_a_script_element(void **state)
{
    (void)state;
    const char *evil = "</script><!-- & \xe2\x80\xa8\xe2\x80\xa9 \x7f";
    rt_json json = {0};
    rt_json_string(&json, NULL, evil);
    assert_null(strpbrk(json.text.bytes, "<>&\x7f"));
    assert_null(strstr(json.text.bytes, "\xe2\x80"));
    json_t *back = read_back(&json);
    assert_string_equal(json_string_value(back), evil);
    json_decref(back);
}

static void what_is_not_utf8_is_mended(void **state)
{
    (void)state;
    const struct {
        const char *bytes, *mended;
    } cases[] = {
        {"a\xff z", "a\xef\xbf\xbd z"},
        {"cut \xe2\x82", "cut \xef\xbf\xbd\xef\xbf\xbd"},
        {"overlong \xc0\xaf", "overlong \xef\xbf\xbd\xef\xbf\xbd"},
        {"surrogate \xed\xa0\x80", "surrogate \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"beyond \xf4\x90\x80\x80", "beyond \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"right \xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82",
         "right \xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rt_json json = {0};
        rt_json_string(&json, NULL, cases[i].bytes);
        json_t *back = read_back(&json);
        assert_string_equal(json_string_value(back), cases[i].mended);
        json_decref(back);
    }
}

static void a_number_that_is_not_finite_is_refused_by_its_path(void **state)
{
    (void)state;
    const double values[] = {1, NAN, INFINITY};
    routh_error error;
    rt_json json = {0};
    rt_json_object(&json, NULL);
    rt_json_array(&json, "modes");
    for (int i = 0; i < 2; i++) {
        rt_json_object(&json, NULL);
        rt_json_reals(&json, "eigenvalue", values, i ? 3 : 1);
        rt_json_end(&json);
    }
    rt_json_end(&json);
    rt_json_end(&json);
    assert_int_equal(rt_json_finish(&json, &error), ROUTH_NUMERIC_ERROR);
    assert_non_null(strstr(error.message, "modes[1].eigenvalue[1] is not a finite number"));
    assert_null(json.text.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_of_all_bit_patterns_read_back_exactly),
        cmocka_unit_test(every_kind_of_member_reads_back),
        cmocka_unit_test(a_row_of_a_matrix_is_one_line),
        cmocka_unit_test(nothing_in_a_string_ends_a_script_element),
        cmocka_unit_test(what_is_not_utf8_is_mended),
        cmocka_unit_test(a_number_that_is_not_finite_is_refused_by_its_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
