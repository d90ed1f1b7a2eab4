/* The N-th allocation of an optimisation fails, for every N: the caller is told OUT_OF_MEMORY and
 * gets nothing, or gets what he gets otherwise. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oom/refuse.h"
#include "routh/routh.h"
#include "support/temporary.h"

static const char model[] =
    "parameters: {k: 40, c: 0.4}\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {slide: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}}\n"
    "loads: {on: {type: force, on: a, components: [-k*DX(a) - c*VX(a), 0, 0]}}\n"
    "operating_point: {type: static}\n";

static const char study[] =
    "variables: {k: {between: [20, 90], scale: log}, c: {between: [0.1, 9]}}\n"
    "goals:\n"
    "  f: {frequency: 1, at_least: 0.5}\n"
    "  p: {peak: a.x, input: a.x, over: [0.5, 2], subbands: 2, at_most: 1}\n"
    "  e: {expression: k + c, minimise: yes}\n"
    "evaluations: 2\n";

static char log_path[] = "routh-oom-optimise-log";

/* Two evaluations, and a third from the log. */
static routh_status optimise(const char *path, const char *study_path, double *answer,
                             routh_error *error)
{
    routh_optimum *o = NULL;
    routh_text text[3] = {{0}};
    routh_optimum_options how = {.log = log_path};
    unlink(log_path);
    routh_status status = routh_optimum_find(&o, path, study_path, &how, error);
    if (!status) {
        routh_optimum_free(o);
        how.resume = 1, how.evaluations = 3;
        status = routh_optimum_find(&o, path, study_path, &how, error);
    }
    if (!status) status = routh_optimum_table(o, NULL, &text[0], error);
    if (!status) status = routh_optimum_json(o, &text[1], error);
    const routh_setting setting = {"k", "30"};
    if (!status) status = routh_model_rewrite(path, NULL, &setting, 1, &text[2], error);
    if (!status) *answer = o->after;
    for (int k = 0; k < 3; k++) routh_text_free(&text[k]);
    routh_optimum_free(o);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char *path = write_temporary(model), *study_path = write_temporary(study);
    double whole = NAN;
    routh_error error = {0};
    start(0, false);
    const routh_status first = optimise(path, study_path, &whole, &error);
    if (first == ROUTH_NOT_SUPPORTED) skip();
    if (first) fail_msg("%s", error.message);
    long refused = 1, told = 0;
    for (long n = 1; refused > 0; n = next_allocation(n)) {
        double answer = NAN;
        error = (routh_error){0};
        catch_output();
        start(n, false);
        const routh_status status = optimise(path, study_path, &answer, &error);
        refused = n_refused;
        start(0, false);
        assert_silence();
        if (status != ROUTH_OK && (status != ROUTH_OUT_OF_MEMORY || !error.message[0]))
            fail_msg("allocation %ld: %d %s", n, (int)status, error.message);
        if (status == ROUTH_OK && !(fabs(answer - whole) <= 1e-10))
            fail_msg("allocation %ld: %.17g for %.17g", n, answer, whole);
        told += status != ROUTH_OK;
    }
    unlink(path);
    unlink(study_path);
    unlink(log_path);
    free(path);
    free(study_path);
    assert_true(told > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
