/* The N-th allocation fails while parameters are set again and again, for every N: the status is
 * OUT_OF_MEMORY, and once there is memory again the results are what they are otherwise. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "oom/refuse.h"
#include "routh/routh.h"

/* On springs, behind a motion and a filter; x is where it is. */
static const char text[] =
    "parameters: {m: 2, k: 50, x: 0.1}\n"
    "gravity: [0, 0, -9.81]\n"
    "inputs: {u: 0}\n"
    "bodies:\n"
    "  a: {mass: m, inertia: [1, 1, 1], position: [x, 0, 0]}\n"
    "  b: {mass: 1, inertia: [1, 1, 1], position: [-1, 0, 0]}\n"
    "joints:\n"
    "  s: {type: translational, between: [a, ground], at: [x, 0, 0], axis: x}\n"
    "  t: {type: translational, between: [b, ground], at: [-1, 0, 0], axis: x}\n"
    "  shake: {type: motion, joint: t, function: u}\n"
    "controllers: {f: {type: lag, input: DX(a), time_constant: 0.2}}\n"
    "loads: {f_k: {type: spring, between: [a, b], stiffness: k, damping: 1}}\n"
    "outputs: {y: \"f + DX(a)\"}\n"
    "operating_point: {type: static}\n";

static const double values[][3] = {{2, 50, 0.1}, {2, 60, 0.1}, {2, 60, 0.3}, {1, 60, 0.3}};

static routh_status set_and_find(routh_parametric *p, const double *to, double *found,
                                 routh_error *error)
{
    const routh_modes *modes;
    routh_status status = ROUTH_OK;
    for (int k = 0; k < 3 && !status; k++) status = routh_parametric_set(p, k, to[k], error);
    if (!status) status = routh_parametric_modes(p, &modes, error);
    for (int k = 0; !status && k < modes->n; k++)
        *found += fabs(modes->modes[k].eigenvalue[0]) + fabs(modes->modes[k].eigenvalue[1]);
    return status;
}

/* Where one fails, the same once more: then none does. */
static routh_status attempt(const char *coordinates, double *found, routh_error *error)
{
    static const char *const names[] = {"m", "k", "x", NULL};
    routh_model *model = NULL;
    routh_parametric *p = NULL;
    routh_status first = ROUTH_OK;
    *found = 0;
    routh_status status = routh_model_parse(&model, text, strlen(text), NULL, NULL, 0, error);
    if (!status) status = routh_parametric_create(&p, model, names, coordinates, NULL, NULL, error);
    for (size_t k = 0; k < sizeof values / sizeof *values && !status; k++) {
        double sum = 0;
        status = set_and_find(p, values[k], &sum, error);
        if (status == ROUTH_OUT_OF_MEMORY) {
            first = status;
            sum = 0;
            status = set_and_find(p, values[k], &sum, error);
        }
        *found += sum;
    }
    routh_parametric_free(p);
    routh_model_free(model);
    return status ? status : first;
}

static void let_allocations_fail(const char *coordinates)
{
    double whole, found;
    routh_error error;
    long refused = 1, told = 0;
    start(0, false);
    if (attempt(coordinates, &whole, &error)) fail_msg("%s", error.message);
    for (long n = 1; refused > 0; n = next_allocation(n)) {
        catch_output();
        start(n, false);
        const routh_status status = attempt(coordinates, &found, &error);
        refused = n_refused;
        start(0, false);
        assert_silence();
        if (status != ROUTH_OK && status != ROUTH_OUT_OF_MEMORY)
            fail_msg("allocation %ld: %d %s", n, (int)status, error.message);
        const bool made = status == ROUTH_OK || found != 0;
        if (made && found != whole) fail_msg("allocation %ld: %.17g for %.17g", n, found, whole);
        told += status != ROUTH_OK;
    }
    assert_true(told > 50);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    let_allocations_fail(NULL);
}

static void so_may_those_of_shared_coordinates(void **state)
{
    (void)state;
    let_allocations_fail("relative");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail),
                                       cmocka_unit_test(so_may_those_of_shared_coordinates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
