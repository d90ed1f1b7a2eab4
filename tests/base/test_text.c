/* Tests of base/text: what is appended comes back, numbers survive, failure sticks. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

static void pieces_are_joined_in_order(void **state)
{
    (void)state;
    rt_text text = {0};
    assert_string_equal(rt_text_string(&text), "");
    rt_text_append(&text, "%s=%d", "n", 3);
    rt_text_bytes(&text, ", xyz", 3);
    rt_text_real(&text, 0.5);
    assert_string_equal(rt_text_string(&text), "n=3, x0.5");
    assert_int_equal(text.length, 9);
    rt_text_free(&text);
    assert_null(text.bytes);
}

static void a_long_text_grows_without_loss(void **state)
{
    (void)state;
    rt_text text = {0};
    for (int i = 0; i < 20000; i++) rt_text_append(&text, "%05d ", i);
    assert_false(text.failed);
    assert_int_equal(text.length, 120000);
    for (int i = 0; i < 20000; i++) assert_int_equal(atoi(text.bytes + 6 * i), i);
    char *mine = rt_text_take(&text);
    assert_int_equal(strlen(mine), 120000);
    assert_int_equal(text.length, 0);
    free(mine);
}

static void reals_read_back_exactly(void **state)
{
    (void)state;
    const double list[] = {0.1, -1.0 / 3, 1e300, 5e-324, -0.0, 12345678.0, 2.2250738585072014e-308};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        rt_text text = {0};
        rt_text_real(&text, list[i]);
        const double back = strtod(rt_text_string(&text), NULL);
        assert_memory_equal(&back, &list[i], sizeof back);
        rt_text_free(&text);
    }
}

static void special_reals_are_words(void **state)
{
    (void)state;
    rt_text text = {0};
    rt_text_real(&text, NAN);
    rt_text_bytes(&text, " ", 1);
    rt_text_real(&text, -INFINITY);
    assert_string_equal(rt_text_string(&text), "nan -inf");
    rt_text_free(&text);
}

/* Skips itself where no locale with a decimal comma is installed. */
static void a_comma_locale_does_not_show(void **state)
{
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) skip();
    rt_text text = {0};
    rt_text_real(&text, 0.1);
    rt_text_append(&text, " ");
    rt_text_digits(&text, 0.1, 4);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(rt_text_string(&text), "0.10000000000000001 0.1");
    rt_text_free(&text);
}

static void failure_sticks(void **state)
{
    (void)state;
    rt_text text = {0};
    rt_text_append(&text, "kept");
    rt_text_bytes(&text, "", SIZE_MAX / 2);
    assert_true(text.failed);
    rt_text_append(&text, "lost");
    assert_string_equal(rt_text_string(&text), "kept");
    assert_null(rt_text_take(&text));
}

static const char *count_to_three(int k)
{
    static const char *const names[] = {"one", "two", "three", NULL};
    return names[k];
}

static void names_are_listed_as_far_as_they_fit(void **state)
{
    (void)state;
    char text[32];
    rt_list_names(text, sizeof text, count_to_three);
    assert_string_equal(text, "one, two, three");
    rt_list_names(text, 15, count_to_three);
    assert_string_equal(text, "one, two");
    rt_list_names(text, 3, count_to_three);
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_joined_in_order),
        cmocka_unit_test(a_long_text_grows_without_loss),
        cmocka_unit_test(reals_read_back_exactly),
        cmocka_unit_test(special_reals_are_words),
        cmocka_unit_test(a_comma_locale_does_not_show),
        cmocka_unit_test(failure_sticks),
        cmocka_unit_test(names_are_listed_as_far_as_they_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
