/* Tests of saving and loading: in every format all comes back to the bit, and a file that is not
 * whole or not of that form is refused with its name and what is wrong. */
#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "output/full_model.h"
#include "routh/routh.h"

/* ---- a folder for each test ----------------------------------------------------------------- */

static char folder[200];

static int start(void **state)
{
    const char *place = getenv("TMPDIR");
    (void)state;
    snprintf(folder, sizeof folder, "%s/routh-exchange-XXXXXX", place ? place : P_tmpdir);
    return mkdtemp(folder) ? 0 : -1;
}

static void empty(const char *path)
{
    DIR *d = opendir(path);
    for (const struct dirent *e; d && (e = readdir(d));) {
        char name[600];
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        if (unlink(name) != 0) empty(name), rmdir(name);
    }
    if (d) closedir(d);
}

static int end(void **state)
{
    (void)state;
    empty(folder);
    return rmdir(folder);
}

/* A path in the folder; four may be used at a time. */
static const char *in_folder(const char *name)
{
    static char paths[4][400];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static routh_linear *load(const char *path, const char *format)
{
    routh_error error = {0};
    routh_linear *linear;
    if (routh_linear_load(&linear, path, format, &error))
        fail_msg("%s: %s: %s", format ? format : "by itself", error.element, error.message);
    return linear;
}

static void save(const routh_linear *linear, const char *path, const char *format)
{
    routh_error error = {0};
    if (routh_linear_save(linear, path, format, &error))
        fail_msg("%s: %s: %s", format ? format : "by itself", error.element, error.message);
}

static size_t read_bytes(const char *path, char *bytes, size_t most)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    const size_t n = fread(bytes, 1, most, f);
    fclose(f);
    return n;
}

static void write_bytes(const char *path, const char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

static void assert_same_files(const char *a, const char *b)
{
    static char first[1 << 20], second[1 << 20];
    const size_t n = read_bytes(a, first, sizeof first), m = read_bytes(b, second, sizeof second);
    assert_true(n > 0 && n < sizeof first);
    assert_int_equal(n, m);
    assert_memory_equal(first, second, n);
}

/* ---- what comes back ------------------------------------------------------------------------ */

static void every_format_gives_the_model_back_to_the_bit(void **state)
{
    const routh_linear linear = full_model();
    (void)state;
    for (int k = 0; routh_exchange_format_name(k); k++) {
        const char *format = routh_exchange_format_name(k), *path = in_folder(format);
        save(&linear, path, format);
        routh_linear *back = load(path, format);
        assert_same_model(&linear, back);
        routh_linear_free(back);
    }
    assert_true(routh_exchange_format_name(0) != NULL);
}

/* What is NULL or empty stays so. */
static void every_format_gives_a_bare_model_back(void **state)
{
    double A[4] = {0, 1, -4, -0.0}, none = 0;
    routh_state_name states[2] = {{"x", "m", "ground", 0}, {"x'", "m/s", "ground", 0}};
    const routh_linear linear = {
        .n_position = 1, .n_velocity = 1, .n_states = 2, .states = states, .A = A, .drift = none};
    (void)state;
    for (int k = 0; routh_exchange_format_name(k); k++) {
        const char *format = routh_exchange_format_name(k), *path = in_folder(format);
        save(&linear, path, format);
        routh_linear *back = load(path, format);
        assert_same_model(&linear, back);
        assert_null(back->mass);
        routh_linear_free(back);
    }
}

static void every_format_gives_a_model_without_states_back(void **state)
{
    const routh_linear linear = {.title = "locked"};
    (void)state;
    for (int k = 0; routh_exchange_format_name(k); k++) {
        const char *format = routh_exchange_format_name(k), *path = in_folder(format);
        save(&linear, path, format);
        routh_linear *back = load(path, format);
        assert_same_model(&linear, back);
        routh_linear_free(back);
    }
}

static void by_way_of_any_format_the_json_stays_the_same(void **state)
{
    const routh_linear linear = full_model();
    (void)state;
    save(&linear, in_folder("first.json"), NULL);
    for (int k = 0; routh_exchange_format_name(k); k++) {
        const char *format = routh_exchange_format_name(k);
        routh_linear *by_json = load(in_folder("first.json"), NULL);
        save(by_json, in_folder("by"), format);
        routh_linear *by_other = load(in_folder("by"), format);
        save(by_other, in_folder("second.json"), NULL);
        assert_same_files(in_folder("first.json"), in_folder("second.json"));
        routh_linear_free(by_json);
        routh_linear_free(by_other);
        empty(in_folder("by"));
        if (unlink(in_folder("by")) != 0) assert_int_equal(rmdir(in_folder("by")), 0);
    }
}

static void the_output_of_linearize_is_the_same_document(void **state)
{
    const routh_linear linear = full_model();
    routh_text text;
    (void)state;
    const routh_results results = {.linear = &linear};
    assert_int_equal(routh_linear_json(&results, &text, NULL), ROUTH_OK);
    write_bytes(in_folder("printed.json"), text.bytes, text.length);
    routh_linear *back = load(in_folder("printed.json"), NULL);
    /* a warning that the results together give was added */
    assert_int_equal(back->n_warnings, linear.n_warnings + (linear.at_rest ? 0 : 1));
    save(back, in_folder("saved.json"), NULL);
    assert_same_files(in_folder("printed.json"), in_folder("saved.json"));
    routh_linear_free(back);
    routh_text_free(&text);
}

/* ---- choosing the format -------------------------------------------------------------------- */

static void formats_are_told_by_name_and_by_content(void **state)
{
    static const char *const names[][2] = {{"x.json", "json"}, {"x.JSON", "json"}, {"x.csv", "csv"},
                                           {"x.txt", NULL},    {"json", NULL},     {".json", NULL}};
    const routh_linear linear = full_model();
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *format = routh_exchange_format_of_name(names[k][0]);
        assert_true((format == NULL) == (names[k][1] == NULL));
        if (format) assert_string_equal(format, names[k][1]);
    }
    for (int k = 0; routh_exchange_format_name(k); k++) {
        const char *format = routh_exchange_format_name(k), *path = in_folder("model");
        save(&linear, path, format);
        assert_string_equal(routh_exchange_format_of_file(path), format);
        routh_linear_free(load(path, NULL));
        empty(path);
        if (unlink(path) != 0) rmdir(path);
    }
    write_bytes(in_folder("m.json"), "{\"bodies\": {}}", 14);
    assert_null(routh_exchange_format_of_file(in_folder("m.json")));
    assert_null(routh_exchange_format_of_file(in_folder("nothing there")));
}

/* ---- what is refused ------------------------------------------------------------------------ */

static void assert_refused(const char *path, const char *format, routh_status status,
                           const char *said)
{
    routh_error error = {0};
    routh_linear *linear = (routh_linear *)&error;
    const routh_status got = routh_linear_load(&linear, path, format, &error);
    assert_null(linear);
    if (got != status || !strstr(error.message, said))
        fail_msg("status %s: %s: %s", routh_status_name(got), error.element, error.message);
    assert_int_equal(error.status, status);
    assert_string_equal(error.file, path);
}

static void refuse_json(const char *text, routh_status status, const char *said)
{
    const char *path = in_folder("broken.json");
    write_bytes(path, text, strlen(text));
    assert_refused(path, "json", status, said);
}

#define START "{\"schema\": \"routh-linear/1\", "
#define COUNTS "\"degrees_of_freedom\": {\"position\": 1, \"velocity\": 1}, "

static void json_that_does_not_fit_is_refused_by_what_is_wrong(void **state)
{
    (void)state;
    refuse_json("", ROUTH_SYNTAX_ERROR, "JSON");
    refuse_json("[1, 2]", ROUTH_SYNTAX_ERROR, "one object");
    refuse_json("{}", ROUTH_MODEL_ERROR, "'schema' is missing");
    refuse_json("{\"schema\": 1}", ROUTH_MODEL_ERROR, "schema");
    refuse_json("{\"schema\": \"routh-linear/2\"}", ROUTH_NOT_SUPPORTED, "routh-linear/2");
    refuse_json("{\"schema\": \"else\"}", ROUTH_MODEL_ERROR, "'else'");
    refuse_json(START "\"A\": 1}", ROUTH_MODEL_ERROR, "degrees_of_freedom.position");
    refuse_json(START COUNTS "\"A\": 1}", ROUTH_MODEL_ERROR, "'states' is missing");
    refuse_json(START COUNTS "\"states\": [\"a\"]}", ROUTH_MODEL_ERROR, "names 1 states");
    refuse_json(START COUNTS "\"states\": [\"a\", \"b\"]}", ROUTH_MODEL_ERROR, "'A' is missing");
    refuse_json(START COUNTS "\"states\": [\"a\", 1]}", ROUTH_SYNTAX_ERROR, "not a text");
    refuse_json(START COUNTS "\"states\": [1, 2], \"A\": [[0, 0], [0, 0]]}", ROUTH_MODEL_ERROR,
                "holds numbers where texts");
    refuse_json(START COUNTS "\"states\": [\"a\", \"b\"], \"A\": [[1, 2, 3], [4, 5, 6]]}",
                ROUTH_MODEL_ERROR, "'A' has 2 x 3 entries, but 2 x 2");
    refuse_json(START COUNTS "\"states\": [\"a\", \"b\"], \"A\": [[1, 2], [4]]}",
                ROUTH_SYNTAX_ERROR, "row 1");
    refuse_json(START COUNTS "\"states\": [\"a\", \"b\"], \"A\": [[1, null], [3, 4]]}",
                ROUTH_NUMERIC_ERROR, "A[0][1]");
    refuse_json(START COUNTS "\"states\": [\"a\", \"b\"], \"A\": [[0, 1], [0, 0]], "
                             "\"inputs\": [\"f\"]}",
                ROUTH_MODEL_ERROR, "'B' is missing");
    refuse_json(START "\"degrees_of_freedom\": {\"position\": 0.5}}", ROUTH_MODEL_ERROR,
                "not a whole number");
    refuse_json(START "\"schema\": \"routh-linear/1\"}", ROUTH_SYNTAX_ERROR, "duplicate");
    refuse_json(START COUNTS "\"states\": [\"a\", \"b\"], \"A\": [[0, 1], [0, 0]], "
                             "\"shares\": {\"names\": [\"s\"], \"kinds\": [\"odd\"]}}",
                ROUTH_MODEL_ERROR, "'odd'");
    refuse_json(START COUNTS "\"states\": [\"a\", \"b\"], \"A\": [[0, 1], [0, 1e999]]}",
                ROUTH_SYNTAX_ERROR, "JSON");
}

static void a_model_by_hand_needs_but_states_and_matrices(void **state)
{
    static const char text[] =
        START COUNTS "\"states\": [\"x\", \"v\"], \"inputs\": [\"f\"], \"outputs\": [\"x\"], "
                     "\"A\": [[0, 1], [-4, 0]], \"B\": [[0], [1]], \"C\": [[1, 0]], \"D\": [[0]]}";
    routh_modes *modes;
    (void)state;
    write_bytes(in_folder("hand.json"), text, sizeof text - 1);
    routh_linear *linear = load(in_folder("hand.json"), NULL);
    assert_int_equal(routh_modes_compute(&modes, linear, NULL), ROUTH_OK);
    assert_true(fabs(fabs(modes->modes[0].eigenvalue[1]) - 2) <= modes->modes[0].error_bound);
    assert_string_equal(linear->states[0].unit, "");
    routh_modes_free(modes);
    routh_linear_free(linear);
}

/* A file cut off anywhere is refused; one with a changed byte is refused or gives a model. */
static void cut_off_files_are_refused(const char *format, const char *name)
{
    static char bytes[1 << 20];
    const routh_linear linear = full_model();
    const char *path = in_folder(name);
    save(&linear, path, format);
    const size_t n = read_bytes(path, bytes, sizeof bytes);
    for (size_t length = 0; length + 2 < n; length += 1 + n / 400) {
        routh_error error = {0};
        routh_linear *back;
        write_bytes(path, bytes, length);
        if (routh_linear_load(&back, path, format, &error) == ROUTH_OK)
            fail_msg("%s: %zu of %zu bytes are taken for all", format, length, n);
        assert_null(back);
        assert_true(error.message[0] && error.file[0]);
    }
}

static void files_that_are_cut_off_are_refused(void **state)
{
    (void)state;
    for (int k = 0; routh_exchange_format_name(k); k++)
        if (strcmp(routh_exchange_format_name(k), "mtx") != 0)
            cut_off_files_are_refused(routh_exchange_format_name(k), "cut");
}

/* Of a matrix in Matrix Market form: how many rows there are must be a number of rows. */
static void a_number_of_rows_that_is_none_is_refused(void **state)
{
    static const char *const heads[] = {"nan 1", "1 nan", "2.5 1", "1 0.5", "-1 1", "1 -1",
                                        "1e9 1", "inf 1", "1", ""};
    const routh_linear linear = full_model();
    (void)state;
    save(&linear, in_folder("model"), "mtx");
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++) {
        char text[120];
        routh_error error = {0};
        routh_linear *back;
        const int n = snprintf(text, sizeof text,
                               "%%%%MatrixMarket matrix array real general\n%s\n", heads[k]);
        write_bytes(in_folder("model/A.mtx"), text, (size_t)n);
        const routh_status status = routh_linear_load(&back, in_folder("model"), NULL, &error);
        if (status != ROUTH_SYNTAX_ERROR || !strstr(error.message, "rows and columns are missing"))
            fail_msg("'%s': %s: %s", heads[k], routh_status_name(status), error.message);
        assert_null(back);
    }
}

static void files_with_changed_bytes_do_no_harm(void **state)
{
    static char bytes[1 << 20];
    const routh_linear linear = full_model();
    (void)state;
    for (int k = 0; routh_exchange_format_name(k); k++) {
        const char *format = routh_exchange_format_name(k), *path = in_folder("changed");
        if (strcmp(format, "mtx") == 0) continue;
        save(&linear, path, format);
        const size_t n = read_bytes(path, bytes, sizeof bytes);
        for (size_t at = 0; at < n; at += 1 + n / 300) {
            routh_error error = {0};
            routh_linear *back;
            const char kept = bytes[at];
            bytes[at] = (char)(kept ^ (at % 7 ? 0x55 : 0xff));
            write_bytes(path, bytes, n);
            const routh_status status = routh_linear_load(&back, path, format, &error);
            assert_true((status == ROUTH_OK) == (back != NULL));
            assert_true(status == ROUTH_OK || error.message[0]);
            routh_linear_free(back);
            bytes[at] = kept;
        }
    }
}

static void what_cannot_be_saved_is_told(void **state)
{
    routh_error error = {0};
    routh_linear linear = full_model();
    double A[FULL_STATES * FULL_STATES] = {0};
    (void)state;
    const char *path = in_folder("x.json");
    assert_int_equal(routh_linear_save(NULL, path, NULL, &error), ROUTH_BAD_ARGUMENT);
    assert_int_equal(routh_linear_save(&linear, in_folder("x.txt"), NULL, &error),
                     ROUTH_BAD_ARGUMENT);
    assert_int_equal(routh_linear_save(&linear, path, "xml", &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "json, "));
    assert_int_equal(routh_linear_save(&linear, in_folder("no/x.json"), NULL, &error),
                     ROUTH_FILE_ERROR);
    linear.A = A, A[5] = NAN;
    for (int k = 0; routh_exchange_format_name(k); k++) {
        assert_int_equal(routh_linear_save(&linear, path, routh_exchange_format_name(k), &error),
                         ROUTH_NUMERIC_ERROR);
        assert_non_null(strstr(error.message, "A[1][1] "));
        assert_int_not_equal(access(path, F_OK), 0);
    }
    linear.A = NULL;
    assert_int_equal(routh_linear_save(&linear, path, NULL, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "no matrix A"));
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, start, end)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(every_format_gives_the_model_back_to_the_bit),
        IN_FOLDER(every_format_gives_a_bare_model_back),
        IN_FOLDER(every_format_gives_a_model_without_states_back),
        IN_FOLDER(by_way_of_any_format_the_json_stays_the_same),
        IN_FOLDER(the_output_of_linearize_is_the_same_document),
        IN_FOLDER(formats_are_told_by_name_and_by_content),
        IN_FOLDER(json_that_does_not_fit_is_refused_by_what_is_wrong),
        IN_FOLDER(a_model_by_hand_needs_but_states_and_matrices),
        IN_FOLDER(files_that_are_cut_off_are_refused),
        IN_FOLDER(a_number_of_rows_that_is_none_is_refused),
        IN_FOLDER(files_with_changed_bytes_do_no_harm),
        IN_FOLDER(what_cannot_be_saved_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
