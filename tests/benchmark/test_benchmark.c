/* The benchmark: numbers agree with their sources, and how problems are chosen. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "routh/routh.h"
#include "support/effort.h"

static routh_benchmark *run(const char *const *names, int n_names, int list)
{
    routh_benchmark *b = NULL;
    routh_error error = {0};
    const routh_benchmark_options o = {.names = names, .n_names = n_names, .list = list};
    if (routh_benchmark_run(&b, &o, &error)) fail_msg("%s", error.message);
    return b;
}

/* A problem of each kind; all of them at full effort, and always by the program
 * (house.benchmark_page). */
static void every_number_agrees_with_its_source(void **state)
{
    (void)state;
    static const char *const some[] = {"slider-pendulum", "four-bar",       "rolling-disc",
                                       "ziegler-column",  "rotor-stator",   "euler-top",
                                       "pinned-beam",     "five-pendulums", "simple-pendulum"};
    routh_benchmark *b = run(some, full_effort() ? 0 : sizeof some / sizeof *some, 0);
    int wrong = 0;
    for (int p = 0; p < b->n; p++) {
        const routh_benchmark_problem *problem = &b->problems[p];
        if (problem->fault && strstr(problem->fault, "SUNDIALS")) continue;
        if (problem->fault) print_error("%s: %s\n", problem->name, problem->fault);
        wrong += problem->fault != NULL;
        for (int k = 0; k < problem->n_values; k++) {
            const routh_benchmark_value *v = &problem->values[k];
            if (v->verdict != ROUTH_NO) continue;
            print_error("%s, %s %s: printed %s, right %.15g, computed %.15g, %d digits\n",
                        problem->name, v->label, v->quantity, v->published ? v->published : "not",
                        v->reference, v->computed, v->digits);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(b->n_agree + b->n_wrong + b->n_unknown, b->n_values);
    routh_benchmark_free(b);
}

static int is_a_paper(const char *source)
{
    static const char *const papers[] = {"F. Gonzalez,", "D. Negrut", "J. D. Trom", "X.-S. Ge"};
    for (size_t k = 0; k < sizeof papers / sizeof *papers; k++)
        if (strncmp(source, papers[k], strlen(papers[k])) == 0) return 1;
    return 0;
}

/* Each has a source, and each number what it is compared with. */
static void every_problem_says_where_it_is_from(void **state)
{
    (void)state;
    routh_benchmark *b = run(NULL, 0, 1);
    int others = 0, papers = 0;
    for (int p = 0; p < b->n; p++) {
        const routh_benchmark_problem *problem = &b->problems[p];
        assert_true(strlen(problem->source) > 20);
        assert_non_null(strchr(problem->source, '('));
        assert_true(strlen(problem->title) > 0 && problem->n_values > 0);
        assert_int_equal(problem->verdict, ROUTH_CANNOT_TELL);
        if (is_a_paper(problem->source))
            papers++;
        else
            others++;
        for (int k = 0; k < problem->n_values; k++) assert_true(isnan(problem->values[k].computed));
    }
    assert_true(papers >= 10);
    assert_true(others >= 17); /* two of them in docs/validation.md before: bicycle, Andrews */
    assert_int_equal(b->n_unknown, b->n_values);
    assert_true(b->seconds == 0);
    routh_benchmark_free(b);
}

/* ---- which ----------------------------------------------------------------------------------- */

static void check_chosen(const char *word, const char *expected)
{
    char found[300] = "";
    routh_benchmark *b = run(&word, 1, 1);
    for (int p = 0; p < b->n; p++) {
        strcat(found, p ? " " : "");
        strcat(found, b->problems[p].name);
    }
    routh_benchmark_free(b);
    assert_string_equal(found, expected);
}

static void problems_are_chosen_by_name_part_and_pattern(void **state)
{
    (void)state;
    check_chosen("bicycle", "bicycle");
    check_chosen("bicy", "bicycle");
    check_chosen("bec?-column", "beck-column");
    check_chosen("*-beam", "cantilever-beam free-beam pinned-beam timoshenko-beam rotating-beam");
}

static void a_pattern_that_fits_nothing_is_an_error(void **state)
{
    (void)state;
    const char *const names[] = {"bicycle", "no-such"};
    routh_benchmark *b = NULL;
    routh_error error = {0};
    const routh_benchmark_options o = {.names = names, .n_names = 2, .list = 1};
    assert_int_equal(routh_benchmark_run(&b, &o, &error), ROUTH_BAD_ARGUMENT);
    assert_null(b);
    assert_non_null(strstr(error.message, "no-such"));
}

static int stop_at_two(void *data, int done, int all)
{
    *(int *)data = all;
    return done == 2;
}

static void it_stops_where_it_is_asked_to(void **state)
{
    (void)state;
    const char *const names[] = {"top"};
    int all = 0;
    routh_benchmark *b = NULL;
    const routh_benchmark_options o = {
        .names = names, .n_names = 1, .list = 1, .on_progress = stop_at_two, .data = &all};
    assert_int_equal(routh_benchmark_run(&b, &o, NULL), ROUTH_STOPPED);
    assert_null(b);
    assert_int_equal(all, 3);
}

static void the_model_of_a_problem_can_be_read(void **state)
{
    (void)state;
    static const char *const names[] = {"bicycle", "five-pendulums", "four-bar"};
    for (int k = 0; k < 3; k++) {
        routh_text text;
        routh_model *model = NULL;
        routh_error error = {0};
        assert_int_equal(routh_benchmark_model(names[k], &text, &error), ROUTH_OK);
        if (routh_model_parse(&model, text.bytes, text.length, names[k], NULL, 0, &error))
            fail_msg("%s", error.message);
        if (k == 2) assert_non_null(strstr(text.bytes, "outputs: {angle:"));
        routh_model_free(model);
        routh_text_free(&text);
    }
    routh_text none;
    assert_int_equal(routh_benchmark_model("no-such", &none, NULL), ROUTH_BAD_ARGUMENT);
    assert_null(none.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_agrees_with_its_source),
        cmocka_unit_test(every_problem_says_where_it_is_from),
        cmocka_unit_test(problems_are_chosen_by_name_part_and_pattern),
        cmocka_unit_test(a_pattern_that_fits_nothing_is_an_error),
        cmocka_unit_test(it_stops_where_it_is_asked_to),
        cmocka_unit_test(the_model_of_a_problem_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
