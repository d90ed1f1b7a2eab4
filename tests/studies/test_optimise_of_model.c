/* A model that is there, and a study that is a text, are optimised as their files are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "studies.h"

static const char study[] = "variables: {c: {between: [0, 20]}}\n"
                            "goals:\n"
                            "  damped: {damping_ratio: all, at_least: 0.02}\n"
                            "  less: {expression: 2*c, minimise: yes}\n";

static routh_model *parse(const routh_setting *settings, size_t n)
{
    routh_model *model;
    routh_error error = {0};
    if (routh_model_parse(&model, two_masses, strlen(two_masses), "two masses", settings, n,
                          &error))
        fail_msg("%s", error.message);
    return model;
}

static void equal(const routh_optimum *a, const routh_optimum *b)
{
    assert_int_equal(a->end, b->end);
    assert_int_equal(a->n_evaluations, b->n_evaluations);
    assert_true(a->after == b->after && a->variables[0].after == b->variables[0].after);
}

static void a_model_is_optimised_without_its_file(void **state)
{
    (void)state;
    const routh_setting own = {"k1", "350"};
    routh_optimum_options options = routh_optimum_defaults();
    options.settings = &own, options.n_settings = 1;
    routh_optimum *of_file = optimise(two_masses, study, &options);
    routh_optimum *o[2];
    routh_error error = {0};
    char *path = write_temporary(study);
    routh_model *model = parse(&own, 1); /* its own settings stay */
    if (routh_optimum_find_of_model(&o[0], model, "wish", study, NULL, &error))
        fail_msg("%s", error.message);
    routh_model_free(model);
    model = parse(NULL, 0); /* those of the options come on top */
    if (routh_optimum_find_of_model(&o[1], model, path, NULL, &options, &error))
        fail_msg("%s", error.message);
    routh_model_free(model);
    for (int k = 0; k < 2; k++) equal(of_file, o[k]);
    assert_string_equal(o[0]->study, "wish");
    assert_string_equal(o[0]->file, "two masses");
    for (int k = 0; k < 2; k++) routh_optimum_free(o[k]);
    routh_optimum_free(of_file);
    remove(path);
    free(path);
}

static void what_is_wrong_is_told_with_its_place(void **state)
{
    (void)state;
    routh_optimum *o;
    routh_error error = {0};
    routh_model *model = parse(NULL, 0);
    assert_int_equal(
        routh_optimum_find_of_model(&o, model, "wish", "variables:\n  q: 3\n", NULL, &error),
        ROUTH_MODEL_ERROR);
    assert_null(o);
    assert_string_equal(error.file, "wish");
    assert_int_equal(error.line, 2);
    assert_int_equal(routh_optimum_find_of_model(&o, model, "not there", NULL, NULL, &error),
                     ROUTH_FILE_ERROR);
    assert_int_equal(routh_optimum_find_of_model(&o, NULL, "wish", study, NULL, &error),
                     ROUTH_BAD_ARGUMENT);
    routh_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_is_optimised_without_its_file),
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
    };
    if (!nlopt_is_there()) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
