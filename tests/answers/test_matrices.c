/* Tests of answers/matrices with the files of exchange/mtx_sparse. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <stdbool.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "routh/answers.h"
#include "routh/matrices.h"

static const double PI = 3.14159265358979323846;

enum { N = 60 };

static char folder[200], paths[4][220];

static int make_folder(void **state)
{
    (void)state;
    const char *place = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.180s/matricesXXXXXX", place && *place ? place : P_tmpdir);
    if (!mkdtemp(folder)) return 1;
    for (int k = 0; k < 4; k++) snprintf(paths[k], sizeof paths[k], "%s/%c.mtx", folder, "MKCX"[k]);
    return 0;
}

static int drop_folder(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) unlink(paths[k]);
    return rmdir(folder);
}

static void write_text(int k, const char *text)
{
    FILE *f = fopen(paths[k], "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* diagonal and what is beside it, of a chain; both: the upper triangle too; skew: added above. */
static void write_chain(int k, double diagonal, double beside, bool both, double skew)
{
    FILE *f = fopen(paths[k], "w");
    assert_non_null(f);
    fprintf(f, "%%%%MatrixMarket matrix coordinate real %s\n%% a chain\n\n%d %d %d\n",
            both ? "general" : "symmetric", N, N, N + (both ? 2 : 1) * (N - 1));
    for (int i = 1; i <= N; i++) {
        fprintf(f, "%d %d %.17g\n", i, i, diagonal);
        if (i > 1) fprintf(f, "%d %d %.17g\n", i, i - 1, beside);
        if (i > 1 && both) fprintf(f, "%d %d %.17g\n", i - 1, i, beside + skew);
    }
    fclose(f);
}

/* omega of mode k of masses 2 on springs 8 between walls */
static double omega(int k) { return 2 * sqrt(8 / 2.0) * sin(0.5 * k * PI / (N + 1)); }

static void check_chain(bool both)
{
    routh_error error;
    routh_matrices *m;
    routh_matrix_modes *modes;
    write_chain(0, 2, 0, both, 0);
    write_chain(1, 16, -8, both, 0);
    assert_int_equal(routh_matrices_load(&m, paths[0], paths[1], NULL, &error), ROUTH_OK);
    assert_int_equal(m->symmetric, 1);
    assert_int_equal(m->stiffness.start[N], 2 * N - 1);
    const routh_matrix_request wanted = {.count = 5};
    assert_int_equal(routh_matrix_modes_compute(&modes, m, &wanted, &error), ROUTH_OK);
    assert_int_equal(modes->n, 5);
    assert_int_equal(modes->counted, 1);
    for (int k = 0; k < 5; k++) {
        assert_true(fabs(modes->modes[k].eigenvalue[1] - omega(k + 1)) < 1e-12);
        assert_true(fabs(modes->modes[k].frequency_hz - omega(k + 1) / (2 * PI)) < 1e-12);
        assert_true(fabs(fabs(modes->modes[k].shape[0]) -
                         sqrt(1.0 / (N + 1)) * sin((k + 1) * PI / (N + 1))) < 1e-10);
    }
    routh_matrix_modes_free(modes);
    const routh_matrix_request part = {
        .between = 1, .low = 0.99 * omega(4) / (2 * PI), .high = 1.01 * omega(9) / (2 * PI)};
    assert_int_equal(routh_matrix_modes_compute(&modes, m, &part, &error), ROUTH_OK);
    assert_int_equal(modes->n, 6);
    assert_true(fabs(modes->modes[5].eigenvalue[1] - omega(9)) < 1e-12);
    routh_matrix_modes_free(modes);
    routh_matrices_free(m);
}

static void modes_of_one_triangle_and_of_both(void **state)
{
    (void)state;
    check_chain(false);
    check_chain(true);
}

/* C = 0.01 K leaves the shapes and gives each mode the damping ratio 0.005 omega. */
static void damping_is_taken_and_counted_by_the_winding_number(void **state)
{
    (void)state;
    routh_error error;
    routh_matrices *m;
    routh_matrix_modes *modes;
    write_chain(0, 2, 0, false, 0), write_chain(1, 16, -8, true, 0);
    write_chain(2, 0.16, -0.08, false, 0);
    assert_int_equal(routh_matrices_load(&m, paths[0], paths[1], paths[2], &error), ROUTH_OK);
    const routh_matrix_request wanted = {.count = 4}, part = {.between = 1, .high = 1};
    assert_int_equal(routh_matrix_modes_compute(&modes, m, &wanted, &error), ROUTH_OK);
    assert_int_equal(modes->n, 4);
    assert_int_equal(modes->counted, ROUTH_COUNT_WINDING);
    for (int k = 0; k < 4; k++) {
        assert_true(fabs(modes->modes[k].damping_ratio - 0.005 * omega(k + 1)) < 1e-11);
        assert_true(fabs(modes->modes[k].frequency_hz - omega(k + 1) / (2 * PI)) < 1e-11);
    }
    routh_matrix_modes_free(modes);
    assert_int_equal(routh_matrix_modes_compute(&modes, m, &part, &error), ROUTH_NOT_SUPPORTED);
    assert_null(modes);
    routh_matrices_free(m);
}

/* Springs that push back more on one side: an unsymmetric matrix, similar to a symmetric one. */
static void an_unsymmetric_matrix_is_seen(void **state)
{
    (void)state;
    routh_error error;
    routh_matrices *m;
    routh_matrix_modes *modes;
    write_chain(0, 2, 0, false, 0), write_chain(1, 16, -8, true, 0.5);
    assert_int_equal(routh_matrices_load(&m, paths[0], paths[1], NULL, &error), ROUTH_OK);
    assert_int_equal(m->symmetric, 0);
    assert_int_equal(m->stiffness.start[N], 3 * N - 2);
    const routh_matrix_request wanted = {.count = 3};
    assert_int_equal(routh_matrix_modes_compute(&modes, m, &wanted, &error), ROUTH_OK);
    for (int k = 0; k < 3; k++) {
        const double square = (16 - 2 * sqrt(8 * 7.5) * cos((k + 1) * PI / (N + 1))) / 2;
        assert_true(fabs(modes->modes[k].eigenvalue[1] - sqrt(square)) < 1e-9);
        assert_int_equal(modes->counted, ROUTH_COUNT_WINDING);
    }
    routh_matrix_modes_free(modes);
    routh_matrices_free(m);
}

static void a_free_body_has_a_rigid_mode(void **state)
{
    (void)state;
    routh_error error;
    routh_matrices *m;
    routh_matrix_modes *modes;
    write_text(0, "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 1\n2 2 1\n");
    write_text(1,
               "%%MatrixMarket MATRIX coordinate real symmetric\n2 2 3\n1 1 8\n2 1 -8.0e0\n2 2 8");
    assert_int_equal(routh_matrices_load(&m, paths[0], paths[1], NULL, &error), ROUTH_OK);
    const routh_matrix_request wanted = {.count = 2};
    assert_int_equal(routh_matrix_modes_compute(&modes, m, &wanted, &error), ROUTH_OK);
    assert_int_equal(modes->n, 2);
    assert_int_equal(modes->modes[0].rigid, 1);
    assert_true(modes->modes[0].frequency_hz == 0);
    assert_int_equal(modes->modes[1].rigid, 0);
    assert_true(fabs(modes->modes[1].eigenvalue[1] - 4) < 1e-12);
    routh_matrix_modes_free(modes);
    routh_matrices_free(m);
}

static void broken_files_are_told_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        routh_status status;
        int line;
        const char *part;
    } cases[] = {
        {"", ROUTH_SYNTAX_ERROR, 1, "first line"},
        {"%%MatrixMarket matrix array real general\n2 2\n", ROUTH_SYNTAX_ERROR, 1, "coordinate"},
        {"%%MatrixMarket matrix coordinate real general\n2 x 1\n", ROUTH_SYNTAX_ERROR, 2,
         "numbers of rows"},
        {"%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n", ROUTH_MODEL_ERROR, 2,
         "must be square"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 9999\n1 1 1\n", ROUTH_SYNTAX_ERROR, 2,
         "fewer entries"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n", ROUTH_SYNTAX_ERROR, 2,
         "fewer entries"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 1\n", ROUTH_SYNTAX_ERROR, 3,
         "outside"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 one\n", ROUTH_SYNTAX_ERROR, 3,
         "row column value"},
        {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n", ROUTH_SYNTAX_ERROR, 3,
         "above the diagonal"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1\n2 2 1\n", ROUTH_SYNTAX_ERROR,
         4, "more entries"},
        {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 1 1\n", ROUTH_MODEL_ERROR, 0,
         "of order 3"},
    };
    write_text(0, "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 1\n");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        routh_error error = {0};
        routh_matrices *m;
        write_text(3, cases[k].text);
        assert_int_equal(routh_matrices_load(&m, paths[0], paths[3], NULL, &error),
                         cases[k].status);
        assert_null(m);
        assert_string_equal(error.file, paths[3]);
        assert_int_equal(error.line, cases[k].line);
        assert_non_null(strstr(error.message, cases[k].part));
    }
    routh_matrices *m;
    assert_int_equal(routh_matrices_load(&m, paths[0], "/none.mtx", NULL, NULL), ROUTH_FILE_ERROR);
    assert_int_equal(routh_matrices_load(&m, paths[0], NULL, NULL, NULL), ROUTH_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_of_one_triangle_and_of_both),
        cmocka_unit_test(damping_is_taken_and_counted_by_the_winding_number),
        cmocka_unit_test(an_unsymmetric_matrix_is_seen),
        cmocka_unit_test(a_free_body_has_a_rigid_mode),
        cmocka_unit_test(broken_files_are_told_with_their_line),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
