/* Tests of terminal tables and CSV by tables of fields: order, heads, cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "output/descriptor.h"

typedef struct sample_item {
    const char *name;
    int count, odd;
    double x, pair[2];
} sample_item;

static const sample_item items[] = {
    {"one", 1, 1, 0.5, {1, 2}},
    {"two", 2, 0, NAN, {3, -4}},
    {"three", 3, 1, INFINITY, {-5, -0.0}},
};
enum { N_ITEMS = sizeof items / sizeof *items };

static bool item_is_odd(const rt_result_row *row) { return ((const sample_item *)row->of)->odd; }

static bool whole_has_work(const rt_result_row *row) { return row->work != NULL; }

static const char *head_from_work(const rt_result_row *row) { return row->work; }

static int item_number(const rt_result_row *row) { return row->number; }

static const rt_result_field inner_fields[] = {
    {.key = "second", .csv = "second", .type = RT_RESULT_REAL, RT_AT(sample_item, pair),
     .out_of = 2, .part_of = 1, .head = "second", .sign = true},
};
static const rt_result_table inner_table = {"inner", "", "", RT_FIELDS(inner_fields)};

static const rt_result_field item_fields[] = {
    {.key = "x", .csv = "x", .csv_rank = 1, .type = RT_RESULT_REAL, RT_AT(sample_item, x),
     .nullable = true, .unit = "m", .head = "x", .head_rank = 2, .before = "+-",
     .infinite = "endless"},
    {.key = "name", .csv = "name", .type = RT_RESULT_TEXT, RT_AT(sample_item, name),
     .head = "item", .align = 'l'},
    {.type = RT_RESULT_COUNT, .count = item_number, .head = "no.", .sign = true},
    {.type = RT_RESULT_PART, .items = &inner_table},
    {.key = "count", .csv = "count", .type = RT_RESULT_COUNT, RT_AT(sample_item, count),
     .there = item_is_odd, .sparse = true, .head = "odd", .head_rank = 1},
    {.key = "extra", .csv = "extra", .type = RT_RESULT_REAL, RT_AT(sample_item, pair),
     .out_of = 2, .there = whole_has_work, .head_of = head_from_work, .head_rank = 1,
     .percent = true, .digits = 4},
};
static const rt_result_table item_table = {"item", "", "", RT_FIELDS(item_fields)};

static const rt_result_field plain_fields[] = {
    {.key = "name", .type = RT_RESULT_TEXT, RT_AT(sample_item, name), .head = "name",
     .align = 'l'},
};
static const rt_result_table plain_table = {"plain", "", "", RT_FIELDS(plain_fields)};

static void printed_is(const rt_result_table *table, void *work, const char *expected)
{
    rt_text text = {0};
    rt_result_print(&text, table, &(rt_result_row){.work = work}, items, N_ITEMS, sizeof *items);
    assert_string_equal(rt_text_string(&text), expected);
    rt_text_free(&text);
}

/* The last of `second` is -0, which has no sign of its own. */
static void columns_stand_by_ranks_and_those_of_a_part_in_its_place(void **state)
{
    (void)state;
    printed_is(&item_table, NULL,
               "  item   no.  second  odd        x\n"
               "                                 m\n"
               "  one     +1      +2    1    +-0.5\n"
               "  two     +2      -4\n"
               "  three   +3      +0    3  endless\n");
}

static void a_column_of_some_results_has_its_head_from_them(void **state)
{
    (void)state;
    char head[] = "share";
    printed_is(&item_table, head,
               "  item   no.  second  odd  share        x\n"
               "                               %        m\n"
               "  one     +1      +2    1    100    +-0.5\n"
               "  two     +2      -4         300\n"
               "  three   +3      +0    3   -500  endless\n");
}

static void a_table_without_units_has_no_line_of_them(void **state)
{
    (void)state;
    printed_is(&plain_table, NULL,
               "  name\n"
               "  one\n"
               "  two\n"
               "  three\n");
}

static void what_is_dropped_leaves_nothing(void **state)
{
    (void)state;
    rt_text text = {0};
    rt_result_lines lines;
    rt_result_begin(&lines, &text, &plain_table, &(rt_result_row){.of = NULL});
    rt_result_line(&lines, &(rt_result_row){.of = &items[0]});
    rt_result_drop(&lines);
    assert_null(lines.cells.cells.bytes);
}

/* x has no finite value in the third line and is empty there, as where it is NAN. */
static void csv_has_empty_fields_where_an_item_lacks_a_member(void **state)
{
    (void)state;
    routh_text text;
    char work[] = "share";
    assert_int_equal(rt_result_list_csv(&item_table, &(rt_result_row){.work = NULL}, items, N_ITEMS,
                                        sizeof *items, &text, NULL),
                     ROUTH_OK);
    assert_string_equal(text.bytes, "name,count,x\none,1,0.5\ntwo,,\nthree,3,\n");
    routh_text_free(&text);
    assert_int_equal(rt_result_list_csv(&item_table, &(rt_result_row){.work = work}, items, N_ITEMS,
                                        sizeof *items, &text, NULL),
                     ROUTH_OK);
    assert_string_equal(text.bytes,
                        "name,count,x,extra\none,1,0.5,1\ntwo,,,3\nthree,3,,-5\n");
    routh_text_free(&text);
}

static void a_document_has_what_is_there(void **state)
{
    (void)state;
    routh_text text;
    assert_int_equal(
        rt_result_document_json(&item_table, &(rt_result_row){.of = &items[1]}, &text, NULL),
        ROUTH_OK);
    assert_string_equal(text.bytes,
                        "{\n  \"x\": null,\n  \"name\": \"two\",\n  \"second\": -4\n}\n");
    routh_text_free(&text);
}

static void a_pair_shows_both(void **state)
{
    (void)state;
    rt_text text = {0};
    rt_table table = {.align = "lll"};
    rt_result_cell_pair(&table, 2, true, 8);
    rt_result_cell_pair(&table, 2, false, 8);
    rt_result_cell_pair(&table, 0, false, 8);
    rt_table_write(&table, &text);
    assert_string_equal(rt_text_string(&text), "  +-2  2\n");
    rt_text_free(&text);
}

/* ---- in other units -------------------------------------------------------------------------- */

static const char *item_unit(const rt_result_row *row, char room[RT_UNIT_SIZE])
{
    (void)room;
    return ((const sample_item *)row->of)->odd ? "m/s" : "kg";
}

static const char *speed_of_all(const rt_result_row *row, char room[RT_UNIT_SIZE])
{
    (void)row, (void)room;
    return "rad/s";
}

static void shown_item_cell(rt_table *table, const rt_result_row *row)
{
    rt_result_cell_pair(table, ((const sample_item *)row->of)->pair[0], true, 8);
}

#define PAIR0 .type = RT_RESULT_REAL, RT_AT(sample_item, pair), .out_of = 2
static const rt_result_field shown_fields[] = {
    {PAIR0, .unit = "m", .head = "plain"},
    {PAIR0, .unit = "m", .head = "", .head_unit = "", .align = 'l', .before = "+-"},
    {PAIR0, .unit = "rad", .head = "angle", .head_unit = "deg"},
    {PAIR0, .unit = "m", .head = "words", .head_unit = "of 1 allowed"},
    {PAIR0, .unit = "1/s", .head = "cell", .cell = shown_item_cell},
    {PAIR0, .unit = "rad/s", .head = "circular", .circular = true},
    {PAIR0, .head = "spin", .unit_of = speed_of_all, .one_unit = true},
    {.type = RT_RESULT_TEXT, RT_AT(sample_item, name), .head = "unit", .unit_of = item_unit,
     .names_unit = true, .align = 'l'},
    {PAIR0, .head = "own", .unit_of = item_unit},
    {PAIR0, .head = "by own", .unit_of = item_unit, .per_unit = true},
    {.type = RT_RESULT_COUNT, RT_AT(sample_item, count), .head = "count", .unit = "m"},
};
static const rt_result_table shown_table = {"shown", "", "", RT_FIELDS(shown_fields)};

static void shown_is(const char *list, const char *expected)
{
    routh_units *units = NULL;
    if (list) assert_int_equal(routh_units_read(&units, list, NULL), ROUTH_OK);
    rt_text text = {.units = units};
    rt_result_print(&text, &shown_table, &(rt_result_row){.work = NULL}, items, 2, sizeof *items);
    assert_string_equal(rt_text_string(&text), expected);
    rt_text_free(&text);
    routh_units_free(units);
}

static void columns_and_rows_are_in_the_units_that_are_asked_for(void **state)
{
    (void)state;
    shown_is(NULL,
             "  plain       angle         words  cell  circular  spin  unit  own  by own  count\n"
             "      m         deg  of 1 allowed   1/s     rad/s                               m\n"
             "      1  +-1      1             1   +-1         1     1  m/s     1       1      1\n"
             "      3  +-3      3             3   +-3         3     3  kg      3       3      2\n");
    shown_is("mm,rad,ms,g",
             "  plain                angle         words     cell  circular    spin  uni"
             "t    own  by "
             "own  count\n"
             "     mm                  rad  of 1 allowed     1/ms    rad/ms  rad/ms     "
             "                 "
             "     m\n"
             "   1000  +-1000  0.017453293             1  +-0.001     0.001   0.001  mm/"
             "ms     1      "
             " 1      1\n"
             "   3000  +-3000  0.052359878             3  +-0.003     0.003   0.003  g      3000   "
             "0.003      2\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_stand_by_ranks_and_those_of_a_part_in_its_place),
        cmocka_unit_test(a_column_of_some_results_has_its_head_from_them),
        cmocka_unit_test(a_table_without_units_has_no_line_of_them),
        cmocka_unit_test(what_is_dropped_leaves_nothing),
        cmocka_unit_test(csv_has_empty_fields_where_an_item_lacks_a_member),
        cmocka_unit_test(a_document_has_what_is_there),
        cmocka_unit_test(a_pair_shows_both),
        cmocka_unit_test(columns_and_rows_are_in_the_units_that_are_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
