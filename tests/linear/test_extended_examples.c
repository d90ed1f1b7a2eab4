/* Every example and every model with a closed form: linearized in extended precision its state
 * matrix is that of doubles, but for their rounding. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "routh/routh.h"

/* By the largest entries of its row and column, or rounding of the largest of all. */
static void compare_matrices(const char *path, const routh_linear *a, const routh_linear *b)
{
    const int n = a->n_states;
    double largest = 0;
    assert_int_equal(n, b->n_states);
    for (int k = 0; k < n * n; k++) largest = fmax(largest, fabs(a->A[k]));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double row = 0, column = 0;
            for (int k = 0; k < n; k++) {
                row = fmax(row, fabs(a->A[i * n + k]));
                column = fmax(column, fabs(a->A[k * n + j]));
            }
            const double off = fabs(a->A[i * n + j] - b->A[i * n + j]);
            if (!(off <= fmax(1e-6 * fmax(row, column), 1e-15 * largest)))
                fail_msg("%s: A[%d, %d] is %.9g in doubles and %.9g in extended precision", path, i,
                         j, a->A[i * n + j], b->A[i * n + j]);
        }
}

static int compare_file(const char *path)
{
    routh_model *model = NULL;
    routh_mechanism *mechanism = NULL;
    routh_operating_point *point = NULL;
    routh_linear *linear[2] = {NULL, NULL};
    routh_error error;
    routh_linear_options o = routh_linear_defaults();
    if (routh_model_read(&model, path, NULL, 0, &error) ||
        routh_mechanism_compile(&mechanism, model, NULL, &error) ||
        routh_operating_point_find(&point, mechanism, NULL, &error))
        fail_msg("%s: %s", path, error.message);
    for (int k = 0; k < 2; k++) {
        o.extended = k;
        if (routh_linear_compute(&linear[k], mechanism, point, &o, &error))
            fail_msg("%s: %s", path, error.message);
    }
    compare_matrices(path, linear[0], linear[1]);
    const int extended = linear[1]->A_rest != NULL;
    routh_linear_free(linear[0]);
    routh_linear_free(linear[1]);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    routh_model_free(model);
    return extended;
}

/* How many had an extended one. */
static int compare_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    int n = 0;
    if (!directory) fail_msg("%s cannot be read", folder);
    for (struct dirent *e; (e = readdir(directory));) {
        const size_t length = strlen(e->d_name);
        char path[512];
        if (length < 5 || strcmp(e->d_name + length - 5, ".yaml") != 0) continue;
        snprintf(path, sizeof path, "%s/%.256s", folder, e->d_name);
        n += compare_file(path);
    }
    closedir(directory);
    return n;
}

static void examples_agree(void **state)
{
    (void)state;
    assert_true(compare_folder("examples") > 30);
}

static void closed_forms_agree(void **state)
{
    (void)state;
    assert_true(compare_folder("tests/closed_form") > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_agree),
        cmocka_unit_test(closed_forms_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
