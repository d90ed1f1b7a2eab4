/* What the build tells of itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "routh/routh.h"

static const routh_component more[] = {
    {"here", "this", NULL, "some-dev", "MIT", 1, "1.2"},
    {"elsewhere", "that", "that is refused", "other-dev", "MIT", 0, ""},
};

static int count(void)
{
    routh_component c;
    int n = 0;
    while (routh_build_component(n, &c)) n++;
    return n;
}

static void every_component_is_whole_and_named_once(void **state)
{
    (void)state;
    const int n = count();
    routh_component a, b;
    assert_true(n > 15);
    assert_int_equal(routh_build_component(-1, &a), 0);
    for (int i = 0; i < n; i++) {
        routh_build_component(i, &a);
        assert_true(a.name[0] && a.purpose[0] && a.package[0] && a.licence[0]);
        if (!a.present) assert_true(a.without && !a.version[0]);
        for (int j = 0; j < i; j++) {
            routh_build_component(j, &b);
            assert_string_not_equal(a.name, b.name);
        }
    }
}

/* What the jansson that these tests are compiled with says of itself. */
static void a_version_is_the_librarys_own(void **state)
{
    (void)state;
    routh_component c;
    for (int k = 0; routh_build_component(k, &c); k++)
        if (strcmp(c.name, "jansson") == 0) break;
    assert_string_equal(c.name, "jansson");
    assert_string_equal(c.version, jansson_version_str());
    assert_string_equal(routh_build_info().version, routh_version());
    assert_true(routh_build_info().kernels[0]);
}

static void what_the_caller_has_besides_stands_with_the_rest(void **state)
{
    (void)state;
    routh_text table, text;
    assert_int_equal(routh_build_table(more, 2, &table, NULL), ROUTH_OK);
    const char *out = strstr(table.bytes, "not built in");
    assert_non_null(out);
    assert_true(strstr(table.bytes, "\n  here ") < out);
    assert_non_null(strstr(out, "that is refused\n"));
    routh_text_free(&table);

    assert_int_equal(routh_build_json(more, 2, &text, NULL), ROUTH_OK);
    json_t *json = json_loads(text.bytes, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(json);
    const json_t *parts = json_object_get(json, "components");
    const int n = count();
    assert_int_equal(json_array_size(parts), n + 2);
    const json_t *here = json_array_get(parts, (size_t)n);
    assert_string_equal(json_string_value(json_object_get(here, "version")), "1.2");
    const json_t *elsewhere = json_array_get(parts, (size_t)n + 1);
    assert_true(json_is_false(json_object_get(elsewhere, "present")));
    assert_true(json_is_null(json_object_get(elsewhere, "version")));
    json_decref(json);
    routh_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_component_is_whole_and_named_once),
        cmocka_unit_test(a_version_is_the_librarys_own),
        cmocka_unit_test(what_the_caller_has_besides_stands_with_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
