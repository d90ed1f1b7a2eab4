/* Tests of output/packed: base64 as RFC 4648 has it, and numbers that come back. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/packed.h"
#include "support/json_text.h"
#include "support/packed_text.h"

static json_t *finish(rt_packed *packed, rt_json *json)
{
    rt_packed_end(packed, json, "x");
    rt_json_end(json);
    assert_int_equal(rt_json_finish(json, NULL), ROUTH_OK);
    json_t *data = sample_json(&(routh_text){json->text.bytes, json->text.length});
    rt_text_free(&json->text);
    rt_packed_free(packed);
    return data;
}

/* RFC 4648, section 10 */
static void bytes_are_those_of_the_standard(void **state)
{
    (void)state;
    static const char *const known[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        rt_packed packed = {0};
        rt_json json = {0};
        rt_json_object(&json, NULL);
        rt_packed_start(&packed);
        for (const char *c = known[k][0]; *c; c++) rt_packed_byte(&packed, *c, 255);
        json_t *data = finish(&packed, &json);
        assert_string_equal(json_string_value(sample_at(data, "x")), known[k][1]);
        assert_int_equal(packed_size(known[k][1]), strlen(known[k][0]));
        json_decref(data);
    }
}

static void numbers_come_back_to_half_a_unit(void **state)
{
    (void)state;
    enum { N = 101 };
    const double largest = 3.7, unit = largest / RT_PACKED_MOST;
    rt_packed packed = {0};
    rt_json json = {0};
    rt_json_object(&json, NULL);
    rt_packed_start(&packed);
    for (int k = 0; k < N; k++) rt_packed_number(&packed, largest * (k - 50) / 50, largest);
    rt_packed_number(&packed, 1, 0);
    json_t *data = finish(&packed, &json);
    const char *text = json_string_value(sample_at(data, "x"));
    assert_int_equal(packed_size(text), 2 * (N + 1));
    for (size_t k = 0; k < N; k++)
        assert_true(fabs(packed_number(text, k) * unit - largest * ((double)k - 50) / 50) <=
                    0.5 * unit * (1 + 1e-9));
    assert_int_equal(packed_number(text, 0), -RT_PACKED_MOST);
    assert_int_equal(packed_number(text, N - 1), RT_PACKED_MOST);
    assert_int_equal(packed_number(text, N), 0);
    json_decref(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_those_of_the_standard),
        cmocka_unit_test(numbers_come_back_to_half_a_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
