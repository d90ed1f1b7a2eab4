/* Each file of tests/studies/broken_studies, a study of two masses that have nothing to do with
 * each other, is refused with the status, the line and the words of its first line: `# expect:
 * STATUS LINE words of the message`. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
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

static void check_file(const char *model, const char *path)
{
    char first[400] = "", name[64], whole[2000];
    int line = -1, at = 0;
    routh_optimum *optimum = NULL;
    routh_error error = {0};
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(first, sizeof first, file));
    fclose(file);
    first[strcspn(first, "\n")] = '\0';
    if (sscanf(first, "# expect: %63s %d %n", name, &line, &at) < 2) fail_msg("%s", path);
    if (routh_optimum_find(&optimum, model, path, NULL, &error) == ROUTH_OK)
        fail_msg("%s was accepted", path);
    assert_null(optimum);
    routh_error_text(&error, whole, sizeof whole);
    if (strcmp(routh_status_name(error.status), name) != 0)
        fail_msg("%s: %s was expected: %s", path, name, whole);
    if (!strstr(error.message, first + at))
        fail_msg("%s: '%s' was expected: %s", path, first + at, whole);
    if (error.line != line) fail_msg("%s: line %d was expected: %s", path, line, whole);
    assert_string_equal(error.file, path);
}

static void every_broken_study_gives_its_message(void **state)
{
    const char *source = getenv("ROUTH_SOURCE");
    char folder[1024], path[1300];
    int n = 0;
    (void)state;
    snprintf(folder, sizeof folder, "%s/tests/studies/broken_studies", source ? source : ".");
    char *model = write_temporary(apart);
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (const struct dirent *entry; (entry = readdir(list));) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        check_file(model, path);
        n++;
    }
    closedir(list);
    unlink(model);
    free(model);
    assert_true(n >= 30);
}

static void what_is_not_there(void **state)
{
    (void)state;
    routh_optimum *optimum = NULL;
    routh_error error = {0};
    char *model = write_temporary(apart);
    assert_int_equal(routh_optimum_find(&optimum, model, "no-such-file", NULL, &error),
                     ROUTH_FILE_ERROR);
    assert_string_equal(error.file, "no-such-file");
    unlink(model);
    free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_broken_study_gives_its_message),
        cmocka_unit_test(what_is_not_there),
    };
    if (!nlopt_is_there()) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
