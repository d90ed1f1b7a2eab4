/* Each file of tests/model/broken is refused with the status, the line and the words of its first
 * line:
 * `# expect: STATUS LINE words of the message`. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model_text.h"

/* Reads `# expect: STATUS LINE words`. */
static void read_expectation(const char *text, char status[32], int *line, char words[200])
{
    if (sscanf(text, "# expect: %31s %d %199[^\n]", status, line, words) != 3)
        fail_msg("the first line is not `# expect: STATUS LINE words`");
}

static void check_error(const char *name, const char *text, const routh_error *error)
{
    char status[32], words[200], whole[2000];
    int line = 0;
    read_expectation(text, status, &line, words);
    routh_error_text(error, whole, sizeof whole);
    if (strcmp(routh_status_name(error->status), status) != 0)
        fail_msg("%s: %s was expected: %s", name, status, whole);
    if (!strstr(error->message, words)) fail_msg("%s: '%s' was expected: %s", name, words, whole);
    if (error->line != line || (line && error->column < 1))
        fail_msg("%s: line %d was expected: %s", name, line, whole);
    assert_true(strlen(error->message) < 1000);
    assert_null(strchr(error->message, '\n')); /* one sentence, not several lines */
    assert_string_equal(error->file, name);
}

static void check_file(const char *name)
{
    char path[400];
    size_t length;
    routh_model *model = NULL;
    routh_error error = {0};
    snprintf(path, sizeof path, "tests/model/broken/%s", name);
    char *text = read_source(path, &length);
    if (routh_model_parse(&model, text, length, name, NULL, 0, &error) == ROUTH_OK)
        fail_msg("%s was accepted", name);
    assert_null(model);
    check_error(name, text, &error);
    free(text);
}

static void every_broken_file_gives_its_message(void **state)
{
    (void)state;
    char path[1024];
    int n = 0;
    const char *root = getenv("ROUTH_SOURCE");
    snprintf(path, sizeof path, "%s/tests/model/broken", root ? root : ".");
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.') continue;
        check_file(entry->d_name);
        n++;
    }
    closedir(folder);
    assert_true(n >= 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_broken_file_gives_its_message)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
