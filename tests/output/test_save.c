/* Tests of output/save: a file is either whole or as it was, and nothing else is left in its
 * folder. */
#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "routh/output.h"

typedef struct folder {
    char path[200], file[240];
} folder;

static const routh_text text = {"whole\n", 6};

static int start(void **state)
{
    static folder f;
    const char *place = getenv("TMPDIR");
    snprintf(f.path, sizeof f.path, "%s/routh-save-XXXXXX", place ? place : P_tmpdir);
    if (!mkdtemp(f.path)) return -1;
    snprintf(f.file, sizeof f.file, "%s/out.txt", f.path);
    *state = &f;
    return 0;
}

static int n_entries(const char *path)
{
    int n = 0;
    DIR *d = opendir(path);
    assert_non_null(d);
    for (const struct dirent *e; (e = readdir(d));)
        n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
    closedir(d);
    return n;
}

static int end(void **state)
{
    const folder *f = *state;
    char name[500];
    chmod(f->path, 0700);
    DIR *d = opendir(f->path);
    for (const struct dirent *e; d && (e = readdir(d));) {
        snprintf(name, sizeof name, "%s/%s", f->path, e->d_name);
        unlink(name);
    }
    if (d) closedir(d);
    return rmdir(f->path);
}

static void expect_content(const char *path, const char *want)
{
    char got[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    got[fread(got, 1, sizeof got - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(got, want);
}

static void put(const char *path, const char *content)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(content, file);
    assert_int_equal(fclose(file), 0);
}

static void a_new_file_is_written_with_the_usual_rights(void **state)
{
    const folder *f = *state;
    struct stat info;
    const mode_t mask = umask(027);
    assert_int_equal(routh_text_save(&text, f->file, NULL), ROUTH_OK);
    umask(mask);
    expect_content(f->file, "whole\n");
    assert_int_equal(stat(f->file, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(n_entries(f->path), 1);
}

static void an_old_file_is_replaced_and_keeps_its_rights(void **state)
{
    const folder *f = *state;
    struct stat info;
    put(f->file, "a much longer text that was here before\n");
    chmod(f->file, 0604);
    assert_int_equal(routh_text_save(&text, f->file, NULL), ROUTH_OK);
    expect_content(f->file, "whole\n");
    assert_int_equal(stat(f->file, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0604);
    assert_int_equal(n_entries(f->path), 1);
}

static void a_reader_of_the_old_file_sees_it_whole(void **state)
{
    const folder *f = *state;
    char got[8] = "";
    put(f->file, "old\n");
    const int fd = open(f->file, O_RDONLY);
    assert_int_equal(routh_text_save(&text, f->file, NULL), ROUTH_OK);
    assert_int_equal(read(fd, got, sizeof got), 4);
    close(fd);
    assert_string_equal(got, "old\n");
}

static void a_link_stays_and_what_it_points_to_is_replaced(void **state)
{
    const folder *f = *state;
    char link[260];
    struct stat info;
    snprintf(link, sizeof link, "%s/link", f->path);
    put(f->file, "old\n");
    assert_int_equal(symlink("out.txt", link), 0);
    assert_int_equal(routh_text_save(&text, link, NULL), ROUTH_OK);
    expect_content(f->file, "whole\n");
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
}

static void expect_refusal(const char *path, const char *why)
{
    routh_error error = {0};
    assert_int_equal(routh_text_save(&text, path, &error), ROUTH_FILE_ERROR);
    if (!strstr(error.message, path) || !strstr(error.message, why)) fail_msg("%s", error.message);
}

static void a_full_disk_is_told_and_the_device_stays_a_device(void **state)
{
    (void)state;
    struct stat info;
    if (access("/dev/full", W_OK)) skip();
    expect_refusal("/dev/full", "No space left on device");
    assert_int_equal(stat("/dev/full", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

/* A file size limit stops the write half way, as a full disk does. */
static void a_write_that_breaks_off_leaves_the_old_file_and_no_other(void **state)
{
    const folder *f = *state;
    enum { SIZE = 1 << 20 };
    char *bytes = calloc(1, SIZE);
    struct rlimit old, tight;
    routh_error error = {0};
    put(f->file, "old\n");
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    tight = old;
    tight.rlim_cur = 4096;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    const routh_status status = routh_text_save(&(routh_text){bytes, SIZE}, f->file, &error);
    setrlimit(RLIMIT_FSIZE, &old);
    free(bytes);
    assert_int_equal(status, ROUTH_FILE_ERROR);
    assert_non_null(strstr(error.message, "File too large"));
    expect_content(f->file, "old\n");
    assert_int_equal(n_entries(f->path), 1);
}

/* Root may write anywhere: then somebody else's rights are borrowed. */
enum { SOMEBODY = 65534 };

static void lower_rights(const folder *f)
{
    if (geteuid() != 0) return;
    if (chown(f->path, SOMEBODY, SOMEBODY) || seteuid(SOMEBODY)) skip();
}

static void restore_rights(void)
{
    if (geteuid() == SOMEBODY && getuid() == 0) assert_int_equal(seteuid(0), 0);
}

static void a_folder_that_may_not_be_written_is_refused(void **state)
{
    const folder *f = *state;
    routh_error error = {0};
    chmod(f->path, 0500);
    lower_rights(f);
    const routh_status status = routh_text_save(&text, f->file, &error);
    restore_rights();
    chmod(f->path, 0700);
    assert_int_equal(status, ROUTH_FILE_ERROR);
    assert_non_null(strstr(error.message, "Permission denied"));
    assert_int_equal(n_entries(f->path), 0);
}

static void a_file_that_may_not_be_written_is_refused(void **state)
{
    const folder *f = *state;
    routh_error error = {0};
    put(f->file, "old\n");
    chmod(f->file, 0444);
    lower_rights(f);
    const routh_status status = routh_text_save(&text, f->file, &error);
    restore_rights();
    assert_int_equal(status, ROUTH_FILE_ERROR);
    assert_non_null(strstr(error.message, "Permission denied"));
    expect_content(f->file, "old\n");
}

static void a_folder_and_a_missing_folder_are_refused(void **state)
{
    const folder *f = *state;
    char missing[260];
    snprintf(missing, sizeof missing, "%s/none/out.txt", f->path);
    expect_refusal(f->path, "Is a directory");
    expect_refusal(missing, "No such file or directory");
    assert_int_equal(routh_text_save(&text, "", NULL), ROUTH_BAD_ARGUMENT);
    assert_int_equal(n_entries(f->path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_new_file_is_written_with_the_usual_rights, start, end),
        cmocka_unit_test_setup_teardown(an_old_file_is_replaced_and_keeps_its_rights, start, end),
        cmocka_unit_test_setup_teardown(a_reader_of_the_old_file_sees_it_whole, start, end),
        cmocka_unit_test_setup_teardown(a_link_stays_and_what_it_points_to_is_replaced, start, end),
        cmocka_unit_test_setup_teardown(a_full_disk_is_told_and_the_device_stays_a_device, start,
                                        end),
        cmocka_unit_test_setup_teardown(a_write_that_breaks_off_leaves_the_old_file_and_no_other,
                                        start, end),
        cmocka_unit_test_setup_teardown(a_folder_that_may_not_be_written_is_refused, start, end),
        cmocka_unit_test_setup_teardown(a_file_that_may_not_be_written_is_refused, start, end),
        cmocka_unit_test_setup_teardown(a_folder_and_a_missing_folder_are_refused, start, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
