/* Problems as they are written, and what is wrong in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "benchmark/entries.h"

static const char good[] = "sources: {a: \"A. Author: A book (1900)\"}\n"
                           "problems:\n"
                           "  p:\n"
                           "    title: A thing\n"
                           "    source: a\n"
                           "    where: Table 1\n"
                           "    template: four-bar\n"
                           "    shape: {N: 2}\n"
                           "    cases:\n"
                           "      - label: first\n"
                           "        set: {k: 3}\n"
                           "        shape: {c: 1}\n"
                           "        values:\n"
                           "          - {frequency: 2, published: 1.50}\n"
                           "          - {mass: [1, 2], formula: 2*k, per: k, digits: 7, unit: kg}\n"
                           "          - {output: x, time: 1, reference: 2, published: 3, "
                           "misprint: wrong}\n";

static void a_problem_is_read(void **state)
{
    (void)state;
    rt_benchmark_entries entries;
    routh_error error = {0};
    if (rt_benchmark_read(&entries, good, strlen(good), "good", &error))
        fail_msg("%d: %s", error.line, error.message);
    assert_int_equal(entries.n, 1);
    const rt_benchmark_entry *e = &entries.entries[0];
    assert_string_equal(e->name, "p");
    assert_string_equal(e->source, "A. Author: A book (1900)");
    assert_string_equal(e->described, "template four-bar");
    assert_int_equal(e->n_cases, 1);
    assert_int_equal(e->n_quantities, 3);
    const rt_benchmark_case *c = &e->cases[0];
    assert_int_equal(c->n_settings, 1);
    assert_int_equal(c->n_shape, 2);
    assert_string_equal(c->shape[0].name, "N");
    assert_string_equal(c->shape[1].name, "c");
    const rt_benchmark_quantity *q = c->quantities;
    assert_int_equal(q[0].kind, RT_QUANTITY_FREQUENCY);
    assert_int_equal(q[0].index[0], 2);
    assert_string_equal(q[0].quantity, "frequency");
    assert_string_equal(q[0].unit, "rad/s");
    assert_string_equal(q[0].published, "1.50");
    assert_int_equal(q[0].digits, 0);
    assert_int_equal(q[1].index[1], 2);
    assert_int_equal(q[1].digits, 7);
    assert_true(q[1].is_formula);
    assert_int_equal(q[2].digits, 10);
    assert_true(q[2].misprint);
    assert_string_equal(q[2].note, "wrong");
    rt_benchmark_entries_free(&entries);
}

/* The good text with one word in place of another is refused with these words. */
static void refused(const char *old, const char *new, const char *words)
{
    char text[sizeof good + 200];
    rt_benchmark_entries entries;
    routh_error error = {0};
    const char *at = strstr(good, old);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, new, at + strlen(old));
    const routh_status status = rt_benchmark_read(&entries, text, strlen(text), "bad", &error);
    rt_benchmark_entries_free(&entries);
    if (status != ROUTH_MODEL_ERROR || !strstr(error.message, words))
        fail_msg("%s: %d %s", new, status, error.message);
    assert_true(error.line > 0);
}

static void what_is_wrong_is_told(void **state)
{
    (void)state;
    refused("source: a", "source: b", "one of those under `sources`");
    refused("sources:", "source:", "did you mean 'sources'?");
    refused("template: four-bar", "title2: x", "not a field here");
    refused("    template: four-bar\n", "", "one of `template`, `example` and `model`");
    refused("template: four-bar", "example: x\n    template: y", "one of `template`");
    refused("frequency: 2", "frequncy: 2", "did you mean 'frequency'?");
    refused("frequency: 2", "frequency: 0", "from 1 to 1000");
    refused("frequency: 2", "frequency: 2, growth: 1", "exclude each other");
    refused("frequency: 2, ", "", "what is computed is missing");
    refused("frequency: 2", "limit: v", "needs `from` and `to`");
    refused(", published: 1.50", "", "`published` or `formula` is missing");
    refused("[1, 2]", "[1]", "[row, column]");
    refused("formula: 2*k", "formula: 2*k, reference: 2", "exclude each other");
    refused("reference: 2, published: 3", "reference: 2", "`misprint` needs");
    refused("digits: 7", "digits: many", "must be a number");
    refused("set: {k: 3}", "set: 3", "must be a mapping");
    refused("set: {k: 3}", "set: {k: [1]}", "a number or a word");
    refused("values:", "value:", "did you mean 'values'?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_problem_is_read),
        cmocka_unit_test(what_is_wrong_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
