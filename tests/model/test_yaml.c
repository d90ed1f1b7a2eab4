/* Tests of model/yaml: the tree of a YAML text, its places and its limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/yaml.h"

static const rt_yaml *parse(rt_arena *arena, const char *text)
{
    const rt_yaml *root = NULL;
    routh_error error;
    if (rt_yaml_parse(&root, text, strlen(text), "test", arena, &error))
        fail_msg("%s", error.message);
    return root;
}

static void refuse(const char *text, size_t length, routh_status expected, const char *words)
{
    rt_arena arena = {0};
    const rt_yaml *root = NULL;
    routh_error error = {0};
    assert_int_equal(rt_yaml_parse(&root, text, length, "test", &arena, &error), expected);
    assert_null(root);
    if (!strstr(error.message, words)) fail_msg("'%s' is not in '%s'", words, error.message);
    rt_arena_free(&arena);
}

static void entries_come_in_order_with_their_places(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_yaml *root = parse(&arena, "# comment\na: 1\nlist: [x, \"y\", {z: 2}]\n");
    assert_int_equal(root->kind, RT_YAML_MAPPING);
    assert_int_equal(root->count, 2);
    assert_string_equal(root->first->key, "a");
    assert_int_equal(root->first->key_place.line, 2);
    assert_int_equal(root->first->place.column, 4);
    const rt_yaml *list = rt_yaml_find(root, "list");
    assert_int_equal(list->kind, RT_YAML_LIST);
    assert_int_equal(list->count, 3);
    assert_string_equal(list->first->text, "x");
    assert_false(list->first->quoted);
    assert_true(list->first->next->quoted);
    assert_int_equal(list->first->next->place.column, 11);
    assert_string_equal(rt_yaml_find(list->first->next->next, "z")->text, "2");
    assert_null(rt_yaml_find(root, "b"));
    rt_arena_free(&arena);
}

static void only_plain_scalars_can_be_no_value(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_yaml *root = parse(&arena, "a:\nb: ~\nc: null\nd: \"\"\ne: 'null'\nf: 0\n");
    int n = 0;
    for (const rt_yaml *k = root->first; k; k = k->next) n += rt_yaml_is_null(k);
    assert_int_equal(n, 3);
    assert_false(rt_yaml_is_null(rt_yaml_find(root, "e")));
    rt_arena_free(&arena);
}

static char *nested(int depth)
{
    char *text = malloc((size_t)depth + 1);
    assert_non_null(text);
    memset(text, '[', (size_t)depth);
    text[depth] = '\0';
    return text;
}

static void nesting_ends_at_64(void **state)
{
    (void)state;
    rt_arena arena = {0};
    char text[200];
    memset(text, '[', 64);
    memset(text + 64, ']', 64);
    text[128] = '\0';
    assert_non_null(parse(&arena, text));
    rt_arena_free(&arena);
    char *deep = nested(65);
    refuse(deep, 65, ROUTH_LIMIT_EXCEEDED, "64 deep");
    free(deep);
    deep = nested(200000); /* must not take long either */
    refuse(deep, 200000, ROUTH_LIMIT_EXCEEDED, "64 deep");
    free(deep);
}

static void duplicate_keys_are_found_among_few_and_many(void **state)
{
    (void)state;
    refuse("a: 1\nb: 2\na: 3\n", 15, ROUTH_MODEL_ERROR, "first in line 1");
    char text[8000];
    int n = 0;
    for (int k = 0; k < 500; k++) n += snprintf(text + n, sizeof text - (size_t)n, "k%d: 1\n", k);
    rt_arena arena = {0};
    assert_int_equal(parse(&arena, text)->count, 500);
    rt_arena_free(&arena);
    n += snprintf(text + n, sizeof text - (size_t)n, "k250: 1\n");
    refuse(text, (size_t)n, ROUTH_MODEL_ERROR, "'k250' is given twice, first in line 251");
}

static void what_is_no_text_is_refused(void **state)
{
    (void)state;
    refuse("", 0, ROUTH_MODEL_ERROR, "empty");
    refuse("   \n\n", 5, ROUTH_MODEL_ERROR, "empty");
    refuse("\0\1\2\0\1\2", 6, ROUTH_SYNTAX_ERROR, "not text in UTF-8");
    refuse("a: \xff\xfe\n", 6, ROUTH_SYNTAX_ERROR, "not text in UTF-8");
    refuse("a: \xc3(\n", 6, ROUTH_SYNTAX_ERROR, "not text in UTF-8");
    refuse("a: *b\n", 6, ROUTH_SYNTAX_ERROR, "alias");
}

static void the_place_of_bad_bytes_is_given(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_yaml *root = NULL;
    routh_error error = {0};
    rt_yaml_parse(&root, "a: 1\nb: \xff\n", 10, "test", &arena, &error);
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 4);
    rt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_come_in_order_with_their_places),
        cmocka_unit_test(only_plain_scalars_can_be_no_value),
        cmocka_unit_test(nesting_ends_at_64),
        cmocka_unit_test(duplicate_keys_are_found_among_few_and_many),
        cmocka_unit_test(what_is_no_text_is_refused),
        cmocka_unit_test(the_place_of_bad_bytes_is_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
