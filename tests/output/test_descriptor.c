/* Tests of the tables of results: each field says what it is, and each column of modes is right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "output/descriptor.h"
#include "output/sample.h"

static int start(void **state)
{
    sample *s = malloc(sizeof *s);
    sample_start(s);
    *state = s;
    return 0;
}

static int end(void **state)
{
    sample_end(*state);
    free(*state);
    return 0;
}

/* ---- columns of modes ------------------------------------------------------------------------ */

/* What each number is of the mode s = -0.5 + 2i of the sample, at index 2, and of its rigid-body
 * mode, at index 0. A new column has a line here. */
static const struct {
    const char *name;
    double value, rigid;
} columns[] = {
    {"index", 2, 0},
    {"real", -0.5, 0},
    {"imaginary", 2, 0},
    {"undamped_frequency_hz", 0.3281063206035262, 0},
    {"damped_frequency_hz", 0.3183098861837907, 0},
    {"damping_ratio", 0.24253562503633297, 0},
    {"rigid", 0, 1},
    {"control", 0, 0},
    {"multiplicity", 1, 1},
    {"defective", 0, 0},
    {"conjugate", 1, 0},
    {"blade_order", 0, 0}, /* the sample is no rotor */
    {"blade_share", NAN, NAN},
    {"whirl", NAN, NAN},
    {"rotating_frequency_hz", NAN, NAN},
    {"condition", 1.25, 1},
    {"error_bound", 1e-15, 0},
    {"residual", 0, 0},
};

static void same(double found, double expected, const char *name)
{
    if (isnan(expected) ? !isnan(found) : !(fabs(found - expected) <= 1e-10 * fabs(expected)))
        fail_msg("%s is %.17g, not %.17g", name, found, expected);
}

static void every_column_of_modes_has_its_value(void **state)
{
    const sample *s = *state;
    const size_t n = sizeof columns / sizeof *columns;
    for (int k = 0; k < rt_mode_table.n; k++) {
        const rt_result_field *field = &rt_mode_table.fields[k];
        const bool number = field->type == RT_RESULT_REAL || field->type == RT_RESULT_COUNT ||
                            field->type == RT_RESULT_TRUTH;
        const char *name = field->key ? field->key : field->csv;
        size_t at = 0;
        if (!number || !name) continue;
        while (at < n && strcmp(columns[at].name, name) != 0) at++;
        if (at == n) fail_msg("the column %s has no expected values in this test", name);
        for (int i = 0; i < 3; i += 2) {
            const rt_result_row row = {.results = &s->results, .of = &s->mode[i], .index = i};
            same(rt_result_number(field, &row), i ? columns[at].value : columns[at].rigid, name);
        }
    }
}

static void numbers_of_modes_are_had_by_their_names(void **state)
{
    const sample *s = *state;
    double values[3];
    routh_error error;
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        const char *name = columns[k].name;
        if (strcmp(name, "index") == 0 || strcmp(name, "real") == 0 ||
            strcmp(name, "imaginary") == 0)
            continue; /* no members */
        assert_int_equal(routh_modes_values(&s->modes, name, values, &error), ROUTH_OK);
        same(values[2], columns[k].value, name);
        same(values[0], columns[k].rigid, name);
    }
    assert_int_equal(routh_modes_values(&s->modes, "heat", values, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "'heat'"));
}

/* Where only some models have a column, the others keep their places. */
static void columns_that_are_not_always_there_come_last(void **state)
{
    sample *s = *state;
    routh_text text, other;
    assert_int_equal(routh_modes_csv(&s->results, &text, NULL), ROUTH_OK);
    s->linear.n_control = 1;
    assert_int_equal(routh_modes_csv(&s->results, &other, NULL), ROUTH_OK);
    const size_t length = strcspn(text.bytes, "\n");
    assert_memory_equal(text.bytes, other.bytes, length);
    assert_memory_equal(other.bytes + length, ",control\n", 9);
    routh_text_free(&text);
    routh_text_free(&other);
}

/* ---- what every field says ------------------------------------------------------------------- */

/* The letter of RT_STORED that a type has to have. */
static char stored_as(const rt_result_field *field)
{
    switch (field->type) {
    case RT_RESULT_REAL: return field->out_of ? 'v' : 'd';
    case RT_RESULT_COUNT:
    case RT_RESULT_TRUTH: return 'i';
    case RT_RESULT_TEXT: return 't';
    case RT_RESULT_COMPLEX:
    case RT_RESULT_REALS:
    case RT_RESULT_MATRIX: return 'v';
    case RT_RESULT_VALUES: return field->each == RT_RESULT_TEXT ? 'o' : 'v';
    case RT_RESULT_LIST:
    case RT_RESULT_MAP:
    case RT_RESULT_OBJECT:
    case RT_RESULT_PART: break;
    }
    return 'o';
}

static void check_table(const rt_result_table *table, int depth);

static void check_field(const rt_result_table *table, const rt_result_field *f, int depth)
{
    const char *name = f->key ? f->key : f->csv ? f->csv : "part or cell";
    const int ways = (f->at != 0) + (f->real != NULL) + (f->count != NULL) + (f->text != NULL) +
                     (f->part != NULL) + (f->write != NULL);
    const bool nested = f->type == RT_RESULT_OBJECT || f->type == RT_RESULT_LIST ||
                        f->type == RT_RESULT_PART;
    if (f->type != RT_RESULT_PART && (!f->meaning || !*f->meaning))
        fail_msg("%s: %s has no meaning", table->name, name);
    if (f->meaning && f->meaning[strlen(f->meaning) - 1] == '.')
        fail_msg("%s: the meaning of %s ends with a full stop", table->name, name);
    if (f->at && f->stored != stored_as(f))
        fail_msg("%s: %s is not stored as its type says (%c)", table->name, name, f->stored);
    if (ways > 1) fail_msg("%s: %s is to be found in %d places", table->name, name, ways);
    if (nested && !f->items) fail_msg("%s: %s has no items", table->name, name);
    if (f->csv && !f->key && ways != 1)
        fail_msg("%s: the column %s is not to be found", table->name, name);
    if (f->page && !f->key && !f->member)
        fail_msg("%s: the column %s of the page is no part of a member", table->name, name);
    if (f->page && f->page_rank <= 0) fail_msg("%s: %s has no rank", table->name, name);
    for (const char *c = f->key; c && *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEKM_0123456789", *c))
            fail_msg("%s: the key %s has the character %c", table->name, name, *c);
    if (f->items) check_table(f->items, depth + 1);
}

static void check_table(const rt_result_table *table, int depth)
{
    assert_true(depth < 10);
    assert_true(table->n > 0);
    for (int k = 0; k < table->n; k++) {
        check_field(table, &table->fields[k], depth);
        for (int j = 0; j < k; j++)
            if (table->fields[j].key && table->fields[k].key &&
                strcmp(table->fields[j].key, table->fields[k].key) == 0)
                fail_msg("%s has %s twice", table->name, table->fields[k].key);
    }
}

static void every_field_says_what_it_is(void **state)
{
    (void)state;
    int n = 0;
    for (; rt_result_document_at(n); n++)
        for (int k = 0; rt_result_document_at(n)->forms[k]; k++)
            check_table(rt_result_document_at(n)->forms[k], 0);
    assert_true(n >= 1);
}

static void is_on_the_page(const rt_result_table *table, const char *level, const char *page)
{
    char heading[256];
    snprintf(heading, sizeof heading, "\n%s %s\n", level, table->title);
    if (!strstr(page, heading)) fail_msg("the reference page has no section of %s", table->name);
}

static void all_inside_are_on_the_page(const rt_result_table *table, const char *page)
{
    for (int k = 0; k < table->n; k++) {
        const rt_result_field *field = &table->fields[k];
        if (!field->items) continue;
        if (field->type != RT_RESULT_PART) is_on_the_page(field->items, "###", page);
        all_inside_are_on_the_page(field->items, page);
    }
}

static void the_reference_page_has_every_table(void **state)
{
    (void)state;
    routh_text page;
    const rt_result_document *document;
    assert_int_equal(routh_results_reference(&page, NULL), ROUTH_OK);
    for (int n = 0; (document = rt_result_document_at(n)); n++)
        for (int k = 0; document->forms[k]; k++) {
            is_on_the_page(document->forms[k], "##", page.bytes);
            all_inside_are_on_the_page(document->forms[k], page.bytes);
        }
    routh_text_free(&page);
}

static void every_result_has_a_schema_and_others_are_named(void **state)
{
    (void)state;
    routh_text text;
    routh_error error;
    for (int k = 0; routh_results_name(k); k++) {
        assert_int_equal(routh_results_schema(routh_results_name(k), &text, &error), ROUTH_OK);
        assert_non_null(strstr(text.bytes, "\"additionalProperties\": false"));
        routh_text_free(&text);
    }
    assert_int_equal(routh_results_schema("tea", &text, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "'tea'"));
    assert_non_null(strstr(error.message, "modes"));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, start, end)
    const struct CMUnitTest tests[] = {
        TEST(every_column_of_modes_has_its_value),
        TEST(numbers_of_modes_are_had_by_their_names),
        TEST(columns_that_are_not_always_there_come_last),
        TEST(every_field_says_what_it_is),
        TEST(every_result_has_a_schema_and_others_are_named),
        TEST(the_reference_page_has_every_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
