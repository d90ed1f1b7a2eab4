/* Tests of model/read: files, sections, what is refused as a whole. */
#define _POSIX_C_SOURCE 200809L
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model_text.h"
#include "support/effort.h"

#define BODY "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"

static void defaults_are_those_of_the_reference(void **state)
{
    (void)state;
    routh_model *m = read_model(BODY);
    assert_near(m->gravity[0].value, 0, 0);
    assert_near(m->gravity[2].value, 0, 0);
    assert_int_equal(m->operating_point, RT_OPERATING_GIVEN);
    assert_int_equal(m->reference, RT_GROUND);
    assert_int_equal(m->n_states, 0);
    assert_string_equal(m->title, "");
    assert_string_equal(m->file, "test");
    routh_model_free(m);
}

static void the_sections_are_kept(void **state)
{
    (void)state;
    routh_model *m = read_model("title: A thing\ndescription: two\ngravity: [1, 2, 3]\n" BODY
                                "operating_point: {type: static, time: 2 min}\n"
                                "linearize: {reference: b, states: [b.x, b.rz]}\n");
    assert_string_equal(m->title, "A thing");
    assert_string_equal(m->description, "two");
    assert_near(m->gravity[1].value, 2, 0);
    assert_int_equal(m->operating_point, RT_OPERATING_STATIC);
    assert_near(m->time.value, 120, 0);
    assert_int_equal(m->reference, 0);
    assert_int_equal(m->n_states, 2);
    assert_string_equal(m->states[1], "b.rz");
    assert_int_equal(m->state_places[1].line, 6);
    routh_model_free(m);
}

static void json_is_yaml_too(void **state)
{
    (void)state;
    routh_model_free(read_model("{\"bodies\": {\"b\": {\"mass\": 1, \"inertia\": [1, 1, 1]}}}"));
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void a_file_is_read_and_named_in_messages(void **state)
{
    (void)state;
    char path[] = "model-XXXXXX";
    routh_model *model = NULL;
    routh_error error;
    const int handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
    write_file(path, BODY);
    assert_int_equal(routh_model_read(&model, path, NULL, 0, &error), ROUTH_OK);
    assert_string_equal(model->file, path);
    routh_model_free(model);
    write_file(path, "bodies: {b: {mass: -1, inertia: [1, 1, 1]}}\n");
    assert_int_equal(routh_model_read(&model, path, NULL, 0, &error), ROUTH_MODEL_ERROR);
    assert_null(model);
    assert_string_equal(error.file, path);
    assert_string_equal(error.element, "body b");
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, 20);
    unlink(path);
}

static void refuse_file(const char *path, routh_status expected)
{
    routh_model *model = NULL;
    routh_error error = {0};
    assert_int_equal(routh_model_read(&model, path, NULL, 0, &error), expected);
    assert_null(model);
    assert_int_equal(error.status, expected);
    assert_true(strlen(error.message) > 10);
}

static void files_that_cannot_be_read_are_refused(void **state)
{
    (void)state;
    refuse_file("no-such-file.yaml", ROUTH_FILE_ERROR);
    refuse_file(".", ROUTH_FILE_ERROR);
    refuse_file("", ROUTH_FILE_ERROR);
    refuse_file("/dev/null", ROUTH_MODEL_ERROR);
    refuse_file("/dev/zero", ROUTH_LIMIT_EXCEEDED); /* without end */
}

static void a_file_without_permission_is_refused(void **state)
{
    (void)state;
    char path[] = "model-XXXXXX";
    const int handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
    chmod(path, 0);
    /* the superuser reads everything, so he becomes somebody else */
    const uid_t user = geteuid();
    if (!user) assert_int_equal(seteuid(65534), 0);
    refuse_file(path, ROUTH_FILE_ERROR);
    if (!user) assert_int_equal(seteuid(user), 0);
    unlink(path);
}

/* Of ten megabytes; under the sanitizers of the fast tests of three. */
static void nonsense_of_megabytes_is_refused(void **state)
{
    (void)state;
    static const char letters[] = "abc: -[]{},\n\"'#&*!|>%@`0";
    const int n = some_of(10 * 1000 * 1000);
    char *text = malloc((size_t)n);
    uint32_t seed = 1;
    assert_non_null(text);
    for (int kind = 0; kind < 4; kind++) {
        routh_model *model = NULL;
        routh_error error = {0};
        for (int k = 0; k < n; k++) {
            seed = seed * 1664525u + 1013904223u;
            text[k] = kind == 0   ? (char)(seed >> 24)
                      : kind == 1 ? letters[(seed >> 24) % (sizeof letters - 1)]
                      : kind == 2 ? 'a'
                                  : "- a\n"[k % 4];
        }
        assert_int_not_equal(
            routh_model_parse(&model, text, (size_t)n, "nonsense", NULL, 0, &error), ROUTH_OK);
        assert_null(model);
        assert_true(error.message[0] && strlen(error.message) < 1000);
    }
    free(text);
}

static void errors_may_be_ignored_and_arguments_are_checked(void **state)
{
    (void)state;
    routh_model *model = NULL;
    assert_int_equal(routh_model_parse(&model, "a", 1, NULL, NULL, 0, NULL), ROUTH_MODEL_ERROR);
    assert_int_equal(routh_model_parse(NULL, "a", 1, NULL, NULL, 0, NULL), ROUTH_BAD_ARGUMENT);
    assert_int_equal(routh_model_parse(&model, NULL, 1, NULL, NULL, 0, NULL), ROUTH_BAD_ARGUMENT);
    assert_int_equal(routh_model_parse(&model, "a", 1, NULL, NULL, 2, NULL), ROUTH_BAD_ARGUMENT);
    assert_int_equal(routh_model_read(&model, NULL, NULL, 0, NULL), ROUTH_BAD_ARGUMENT);
    routh_model_free(NULL);
    routh_text_free(NULL);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Ten times the loops may not take much more than ten times the work of the processor: no step is
 * quadratic. */
static void reading_time_grows_in_proportion(void **state)
{
    (void)state;
    double least[2] = {1e9, 1e9};
    static const char *const sizes[] = {"200", "2000"};
    for (int k = 0; k < 2; k++) {
        routh_text text;
        const routh_setting setting = {"N", sizes[k]};
        assert_int_equal(routh_template_write("four-bar", &setting, 1, &text, NULL), ROUTH_OK);
        for (int round = 0; round < 5; round++) {
            routh_model *model = NULL;
            const double start = seconds();
            assert_int_equal(
                routh_model_parse(&model, text.bytes, text.length, "chain", NULL, 0, NULL),
                ROUTH_OK);
            const double spent = seconds() - start;
            if (spent < least[k]) least[k] = spent;
            routh_model_free(model);
        }
        routh_text_free(&text);
    }
    assert_true(least[1] < 30 * least[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_reference),
        cmocka_unit_test(the_sections_are_kept),
        cmocka_unit_test(json_is_yaml_too),
        cmocka_unit_test(a_file_is_read_and_named_in_messages),
        cmocka_unit_test(files_that_cannot_be_read_are_refused),
        cmocka_unit_test(a_file_without_permission_is_refused),
        cmocka_unit_test(nonsense_of_megabytes_is_refused),
        cmocka_unit_test(errors_may_be_ignored_and_arguments_are_checked),
        cmocka_unit_test(reading_time_grows_in_proportion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
