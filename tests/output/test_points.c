/* Results of several operating points in one text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "routh/routh.h"

static routh_text text_of(const char *bytes)
{
    return (routh_text){(char *)(uintptr_t)bytes, strlen(bytes)};
}

static void tables_stand_under_their_labels(void **state)
{
    (void)state;
    static const char *const labels[] = {"static", "time=2"};
    const routh_text texts[] = {text_of("first\n"), text_of("second\n")};
    routh_text text;
    assert_int_equal(routh_operating_points_table(texts, labels, 2, &text, NULL), ROUTH_OK);
    assert_string_equal(text.bytes, "==== operating point 1 of 2: static\n\nfirst\n\n"
                                    "==== operating point 2 of 2: time=2\n\nsecond\n");
    routh_text_free(&text);
}

static void documents_are_entries_of_a_list(void **state)
{
    (void)state;
    const routh_text texts[] = {text_of("{\n  \"a\": [\n    1\n  ]\n}\n"), text_of("{}\n"),
                                text_of("{\"b\": \"x\\ny\"}")};
    routh_text text;
    assert_int_equal(routh_operating_points_json(texts, 3, &text, NULL), ROUTH_OK);
    json_t *json = json_loads(text.bytes, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(json);
    const json_t *points = json_object_get(json, "points");
    assert_int_equal(json_array_size(points), 3);
    const json_t *a = json_object_get(json_array_get(points, 0), "a");
    assert_int_equal(json_integer_value(json_array_get(a, 0)), 1);
    const json_t *b = json_object_get(json_array_get(points, 2), "b");
    assert_string_equal(json_string_value(b), "x\ny");
    json_decref(json);
    routh_text_free(&text);
}

static void csv_has_one_head_and_a_column_more(void **state)
{
    (void)state;
    static const char *const labels[] = {"static", "odd, name"};
    routh_text texts[] = {text_of("x,y\n1,\"a\nb\"\n"), text_of("x,y\n2,3\n4,5\n")};
    routh_text text;
    routh_error error;
    assert_int_equal(routh_operating_points_csv(texts, labels, 2, &text, &error), ROUTH_OK);
    assert_string_equal(text.bytes, "at,x,y\nstatic,1,\"a\nb\"\n\"odd, name\",2,3\n\"odd, "
                                    "name\",4,5\n");
    routh_text_free(&text);
    assert_int_equal(routh_linear_models_csv(texts, labels, 2, &text, &error), ROUTH_OK);
    assert_int_equal(strncmp(text.bytes, "model,x,y\nstatic,1,", 19), 0);
    routh_text_free(&text);
    assert_int_equal(routh_linear_models_csv(texts, labels, 0, &text, &error), ROUTH_OK);
    assert_int_equal(text.length, 0);
    routh_text_free(&text);
    texts[1] = text_of("x,z\n2,3\n");
    assert_int_equal(routh_operating_points_csv(texts, labels, 2, &text, &error),
                     ROUTH_BAD_ARGUMENT);
    assert_null(text.bytes);
    assert_non_null(strstr(error.message, "the columns at odd, name are others than at static"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_stand_under_their_labels),
        cmocka_unit_test(documents_are_entries_of_a_list),
        cmocka_unit_test(csv_has_one_head_and_a_column_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
