/* Tests of output/table: columns line up, whatever stands in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "output/table.h"

static void cells(rt_table *table, const char *const *texts)
{
    for (size_t k = 0; k < strlen(table->align); k++) rt_table_cell(table, texts[k]);
}

static void expect(rt_table *table, const char *want)
{
    rt_text text = {0};
    rt_table_write(table, &text);
    assert_string_equal(rt_text_string(&text), want);
    rt_text_free(&text);
}

static void columns_are_as_wide_as_their_widest_cell(void **state)
{
    (void)state;
    rt_table table = {.align = "lrl"};
    cells(&table, (const char *const[]){"name", "x", "note"});
    rt_table_cell(&table, "a long name");
    rt_table_real(&table, -1.0 / 3, 6);
    rt_table_cell(&table, "");
    rt_table_cell(&table, "b");
    rt_table_format(&table, "%d", 7);
    rt_table_cell(&table, "seen");
    expect(&table, "  name                 x  note\n"
                   "  a long name  -0.333333\n"
                   "  b                    7  seen\n");
}

static void empty_cells_keep_the_columns_behind_them_in_place(void **state)
{
    (void)state;
    rt_table table = {.align = "rll"};
    cells(&table, (const char *const[]){"1234", "ab", "c"});
    cells(&table, (const char *const[]){"", "", "d"});
    cells(&table, (const char *const[]){"1", "", "e"});
    expect(&table, "  1234  ab  c\n            d\n     1      e\n");
}

static void letters_of_several_bytes_count_as_one(void **state)
{
    (void)state;
    rt_table table = {.align = "lr"};
    cells(&table, (const char *const[]){"Pl\xc3\xa4tte", "1"});
    cells(&table, (const char *const[]){"Platte", "2"});
    expect(&table, "  Pl\xc3\xa4tte  1\n  Platte  2\n");
}

static void control_characters_do_not_reach_the_terminal(void **state)
{
    (void)state;
    rt_table table = {.align = "l"};
    rt_table_cell(&table, "a\033[31m\nb\x7f.");
    expect(&table, "  a [31m b .\n");
}

static void a_table_can_be_filled_again_after_it_is_written(void **state)
{
    (void)state;
    rt_table table = {.align = "l"};
    rt_table_cell(&table, "first");
    expect(&table, "  first\n");
    rt_table_cell(&table, "x");
    expect(&table, "  x\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_as_wide_as_their_widest_cell),
        cmocka_unit_test(empty_cells_keep_the_columns_behind_them_in_place),
        cmocka_unit_test(letters_of_several_bytes_count_as_one),
        cmocka_unit_test(control_characters_do_not_reach_the_terminal),
        cmocka_unit_test(a_table_can_be_filled_again_after_it_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
