/* Tests of model/names: a table from names to numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/names.h"

static void names_are_found_again(void **state)
{
    (void)state;
    rt_arena arena = {0};
    rt_names names;
    char keys[1000][8];
    assert_true(rt_names_init(&names, 1000, &arena));
    for (int k = 0; k < 1000; k++) {
        snprintf(keys[k], sizeof keys[k], "n%d", k);
        assert_int_equal(rt_names_add(&names, keys[k], 3 * k), -1);
    }
    for (int k = 0; k < 1000; k++) assert_int_equal(rt_names_find(&names, keys[k]), 3 * k);
    assert_int_equal(rt_names_find(&names, "n1000"), -1);
    assert_int_equal(rt_names_find(&names, ""), -1);
    rt_arena_free(&arena);
}

static void a_name_keeps_its_first_value(void **state)
{
    (void)state;
    rt_arena arena = {0};
    rt_names names;
    assert_true(rt_names_init(&names, 2, &arena));
    assert_int_equal(rt_names_add(&names, "a", 7), -1);
    assert_int_equal(rt_names_add(&names, "a", 8), 7);
    assert_int_equal(rt_names_find(&names, "a"), 7);
    rt_arena_free(&arena);
}

static void an_empty_table_finds_nothing(void **state)
{
    (void)state;
    const rt_names none = {0};
    rt_arena arena = {0};
    rt_names names;
    assert_int_equal(rt_names_find(&none, "a"), -1);
    assert_true(rt_names_init(&names, 0, &arena));
    assert_int_equal(rt_names_find(&names, "a"), -1);
    rt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found_again),
        cmocka_unit_test(a_name_keeps_its_first_value),
        cmocka_unit_test(an_empty_table_finds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
