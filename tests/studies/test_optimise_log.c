/* Runs that are stopped and gone on with, logs that are not theirs, models written anew. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "studies.h"

static const char study[] = "variables:\n"
                            "  tuning: {between: [0.5, 1.5]}\n"
                            "  zeta: {between: [0.01, 0.6]}\n"
                            "goals:\n"
                            "  peak: {peak: x, input: push, over: [0.03, 0.5], minimise: yes}\n"
                            "  f: {frequency: [1, 2], at_most: 1}\n";

static char log_path[] = "routh-optimise-log";

static int count_lines(void)
{
    FILE *file = fopen(log_path, "r");
    int n = 0, c;
    assert_non_null(file);
    while ((c = fgetc(file)) != EOF) n += c == '\n';
    fclose(file);
    return n;
}

static void append(const char *text)
{
    FILE *file = fopen(log_path, "a");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int stop_at_fifth(void *data, int evaluation, double objective, double violation)
{
    (void)objective, (void)violation;
    ++*(int *)data;
    return evaluation == 5;
}

static void a_run_goes_on(void **state)
{
    (void)state;
    for (int k = 0; routh_optimum_algorithm_name(k); k++) {
        int called = 0;
        routh_optimum_options how = {.algorithm = routh_optimum_algorithm_name(k)};
        routh_optimum *whole = optimise(absorber, study, &how);
        how.log = log_path;
        how.on_evaluation = stop_at_fifth;
        how.data = &called;
        unlink(log_path);
        routh_optimum *part = optimise(absorber, study, &how);
        assert_int_equal(part->end, ROUTH_OPTIMISE_INTERRUPTED);
        assert_int_equal(part->n_evaluations, 5);
        assert_int_equal(called, 5);
        assert_true(part->after < part->before && part->after > whole->after);
        assert_int_equal(count_lines(), 6);
        append("{\"evaluation\": 6, \"varia"); /* killed in the midst of a line */
        how.resume = 1;
        how.on_evaluation = NULL;
        routh_optimum *rest = optimise(absorber, study, &how);
        assert_int_equal(rest->n_taken, 5);
        assert_int_equal(rest->end, ROUTH_OPTIMISE_CONVERGED);
        assert_int_equal(count_lines(), 1 + rest->n_evaluations);
        /* to rounding, along a valley for all but slsqp */
        assert_true(fabs(rest->after - whole->after) <= 1e-9 * whole->after);
        for (int v = 0; v < 2; v++)
            assert_true(fabs(rest->variables[v].after - whole->variables[v].after) <= 1e-5);
        /* what is done needs nothing more */
        routh_optimum *again = optimise(absorber, study, &how);
        assert_int_equal(again->n_taken, again->n_evaluations);
        assert_true(again->after == rest->after);
        routh_optimum_free(again);
        routh_optimum_free(rest);
        routh_optimum_free(part);
        routh_optimum_free(whole);
    }
    unlink(log_path);
}

static void limits_count_the_log(void **state)
{
    (void)state;
    routh_optimum_options how = {.log = log_path, .evaluations = 3};
    unlink(log_path);
    routh_optimum *first = optimise(absorber, study, &how);
    assert_int_equal(first->end, ROUTH_OPTIMISE_EVALUATIONS);
    assert_int_equal(first->n_evaluations, 3);
    how.resume = 1;
    how.evaluations = 5;
    routh_optimum *second = optimise(absorber, study, &how);
    assert_int_equal(second->n_evaluations, 5);
    assert_int_equal(second->n_taken, 3);
    how.evaluations = 100;
    how.seconds = 1e-9;
    routh_optimum *third = optimise(absorber, study, &how);
    assert_int_equal(third->end, ROUTH_OPTIMISE_TIME);
    assert_int_equal(third->n_evaluations, 5);
    routh_optimum_free(first);
    routh_optimum_free(second);
    routh_optimum_free(third);
    unlink(log_path);
}

static void refused(const char *model, const char *with, const routh_optimum_options *how,
                    const char *why, int line)
{
    char *model_path = write_temporary(model), *study_path = write_temporary(with);
    routh_optimum *optimum = NULL;
    routh_error error = {0};
    const routh_status status = routh_optimum_find(&optimum, model_path, study_path, how, &error);
    unlink(model_path);
    unlink(study_path);
    free(model_path);
    free(study_path);
    assert_int_not_equal(status, ROUTH_OK);
    assert_null(optimum);
    if (!strstr(error.message, why)) fail_msg("'%s' was expected: %s", why, error.message);
    assert_int_equal(error.line, line);
}

static void logs_of_others_are_refused(void **state)
{
    (void)state;
    routh_optimum_options how = {.log = log_path, .evaluations = 3};
    char other[2000];
    unlink(log_path);
    routh_optimum_free(optimise(absorber, study, &how));
    refused(absorber, study, &how, "the log file exists already", 0);
    how.resume = 1;
    how.algorithm = "mma";
    refused(absorber, study, &how, "another algorithm", 1);
    how.algorithm = NULL;
    strcpy(other, study);
    memcpy(strstr(other, "f:"), "g:", 2);
    refused(absorber, other, &how, "another study", 1);
    strcpy(other, absorber);
    memcpy(strstr(other, "mu: 0.1"), "mu: 0.2", 7);
    refused(other, study, &how, "other values", 2);
    strcpy(other, study);
    memcpy(strstr(other, "1.5]"), "1.4]", 4);
    refused(absorber, other, &how, "another study", 3); /* the way differs after the start */
    append("not JSON\n");
    refused(absorber, study, &how, "not JSON", 5);
    unlink(log_path);
    how.log = "no-such-folder/log";
    refused(absorber, study, &how, "", 0);
    how.resume = 0;
    refused(absorber, study, &how, "cannot be written", 0);
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    routh_optimum_options how = {.log = "/dev/full", .resume = 0};
    if (access("/dev/full", W_OK) != 0) skip();
    refused(absorber, study, &how, "the log file exists already", 0);
}

/* ---- models ---------------------------------------------------------------------------------- */

static void a_model_is_written_anew(void **state)
{
    static const char text[] =
        "# \xc3\xa4\xc3\xb6 first\n"
        "parameters: {a: 1, \"\xc3\xbc\": 4, b: '2', c: \"3 # no\"}  # kept\n"
        "title: \"a: 1\"\n";
    static const char wanted[] = "# \xc3\xa4\xc3\xb6 first\n"
                                 "parameters: {a: -1.5e-05, \"\xc3\xbc\": '2*b, or', b: 7, c: 2*a}"
                                 "  # kept\n"
                                 "title: \"a: 1\"\n";
    const routh_setting settings[] = {
        {"c", "2*a"}, {"a", "-1.5e-05"}, {"\xc3\xbc", "2*b, or"}, {"b", "7"}};
    routh_text out;
    routh_error error = {0};
    (void)state;
    char *path = write_temporary(text);
    assert_int_equal(routh_model_rewrite(path, NULL, settings, 4, &out, &error), ROUTH_OK);
    assert_string_equal(out.bytes, wanted);
    assert_int_equal(out.length, strlen(wanted));
    routh_text_free(&out);
    const routh_setting unknown = {"x", "1"};
    assert_int_equal(routh_model_rewrite(path, NULL, &unknown, 1, &out, &error), ROUTH_MODEL_ERROR);
    assert_null(out.bytes);
    unlink(path);
    free(path);
    path = write_temporary("parameters:\n  a: >\n    1\n");
    assert_int_equal(routh_model_rewrite(path, NULL, &settings[1], 1, &out, &error),
                     ROUTH_NOT_SUPPORTED);
    unlink(path);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_goes_on),
        cmocka_unit_test(limits_count_the_log),
        cmocka_unit_test(logs_of_others_are_refused),
        cmocka_unit_test(a_full_disk_is_told),
        cmocka_unit_test(a_model_is_written_anew),
    };
    if (!nlopt_is_there()) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
