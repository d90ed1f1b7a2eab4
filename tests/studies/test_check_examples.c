/* Every example and every model with a closed form: no coordinate set and no method gives other
 * eigenvalues or other shapes than the reference. */
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

#include "routh/routh.h"
#include "support/effort.h"

/* Of one folder: models, cells that were compared, cells in doubt. */
typedef struct tally {
    int n_models, n_compared, n_doubtful;
} tally;

static void look_at(const char *path, const routh_check *check, tally *t)
{
    int compared = 0;
    for (int k = 0; k < check->n_cells; k++) {
        const routh_check_cell *x = &check->cells[k];
        if (x->verdict == ROUTH_NO)
            fail_msg("%s: %s, %s is off by %.3g, %.3g of what is allowed; shapes %.3g: %s", path,
                     x->coordinates, x->method, x->difference, x->margin, x->shape_margin,
                     x->why ? x->why : "");
        if (x->state == ROUTH_CELL_FAILED)
            fail_msg("%s: %s, %s fails: %s", path, x->coordinates, x->method, x->why ? x->why : "");
        compared += x->state == ROUTH_CELL_COMPARED;
        t->n_doubtful += x->state == ROUTH_CELL_COMPARED && x->verdict != ROUTH_YES;
    }
    /* a mechanism without freedom has no eigenvalues to compare */
    if (check->degrees_of_freedom > 0 && compared == 0) fail_msg("%s: no cell was compared", path);
    t->n_models++;
    t->n_compared += compared;
}

/* Above five degrees of freedom the quick cells are run at effort 1: every set, and every method
 * in absolute coordinates. */
static void check_file(const char *path, tally *t)
{
    routh_model *model = NULL;
    routh_check *check = NULL;
    routh_error error;
    routh_check_options options = routh_check_defaults();
    if (!full_effort()) options.most_degrees = 5;
    if (routh_model_read(&model, path, NULL, 0, &error) ||
        routh_check_run(&check, model, &options, &error))
        fail_msg("%s: %s", path, error.message);
    look_at(path, check, t);
    routh_check_free(check);
    routh_model_free(model);
}

static tally check_folder(const char *folder)
{
    tally t = {0};
    DIR *directory = opendir(folder);
    if (!directory) fail_msg("%s cannot be read", folder);
    for (struct dirent *e; (e = readdir(directory));) {
        const size_t length = strlen(e->d_name);
        char path[512];
        if (length < 5 || strcmp(e->d_name + length - 5, ".yaml") != 0) continue;
        snprintf(path, sizeof path, "%s/%.256s", folder, e->d_name);
        check_file(path, &t);
    }
    closedir(directory);
    print_message("    %d models, %d cells compared, %d in doubt\n", t.n_models, t.n_compared,
                  t.n_doubtful);
    return t;
}

static void every_example_agrees_in_every_cell(void **state)
{
    (void)state;
    const tally t = check_folder("examples");
    assert_true(t.n_models >= 29 && t.n_compared > 40 * t.n_models / 2);
}

static void every_closed_form_agrees_in_every_cell(void **state)
{
    (void)state;
    const tally t = check_folder("tests/closed_form");
    assert_true(t.n_models >= 37 && t.n_compared > 40 * t.n_models / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_agrees_in_every_cell),
        cmocka_unit_test(every_closed_form_agrees_in_every_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
