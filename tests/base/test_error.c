/* Tests of base/error: the text of an error, with what is known of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"

static void check(const char *file, rt_place place, const char *element, const char *expected)
{
    routh_error error;
    char text[200];
    assert_int_equal(rt_fail_at(&error, ROUTH_MODEL_ERROR, file, place, element, "it is %d", 3),
                     ROUTH_MODEL_ERROR);
    assert_int_equal(routh_error_text(&error, text, sizeof text), (int)strlen(expected));
    assert_string_equal(text, expected);
}

static void the_name_of_an_element_is_quoted(void **state)
{
    (void)state;
    const rt_place none = {0};
    check(NULL, none, "joint bearing", "joint 'bearing': it is 3");
    check(NULL, none, "goal first damping", "goal 'first damping': it is 3");
    check(NULL, none, "linearize", "linearize: it is 3");
    check(NULL, none, "nodes[2].X", "nodes[2].X: it is 3");
    check(NULL, none, "option --end", "option --end: it is 3");
    check(NULL, none, "spectrum \"a=1\"", "spectrum \"a=1\": it is 3");
    check(NULL, none, NULL, "it is 3");
}

static void what_is_known_of_the_place_comes_first(void **state)
{
    (void)state;
    check("a.yaml", rt_place_at(4, 7), "load s", "a.yaml:4:7: load 's': it is 3");
    check("a.yaml", rt_place_at(4, 0), NULL, "a.yaml:4: it is 3");
    check("a.yaml", (rt_place){0}, NULL, "a.yaml: it is 3");
    check("a.yaml", (rt_place){5, 1, "b.yaml"}, NULL, "b.yaml:5:1: it is 3");
}

/* The longest element there is keeps its last quote. */
static void a_long_element_is_whole(void **state)
{
    (void)state;
    char element[192], expected[220];
    memset(element, 'n', sizeof element);
    memcpy(element, "load ", 5);
    element[sizeof element - 1] = '\0';
    strcpy(expected, "load '");
    strcat(expected, element + 5);
    strcat(expected, "': it is 3");
    routh_error error;
    char text[300];
    rt_fail_at(&error, ROUTH_MODEL_ERROR, NULL, (rt_place){0}, element, "it is %d", 3);
    routh_error_text(&error, text, sizeof text);
    assert_string_equal(text, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_name_of_an_element_is_quoted),
        cmocka_unit_test(what_is_known_of_the_place_comes_first),
        cmocka_unit_test(a_long_element_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
