/* The N-th allocation fails of Floquet multipliers with multi-blade coordinates, and of all that is
 * written of them: for every N where ROUTH_TEST_EFFORT is given, else for some 60. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "oom/refuse.h"
#include "routh/routh.h"

static const char slides[] =
    "gravity: [0, 0, 0]\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 2, inertia: [1, 1, 1]}}\n"
    "joints:\n"
    "  one: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}\n"
    "  two: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}\n"
    "loads:\n"
    "  pull: {type: force, on: a, components: [\"-(2 + 0.5*cos(time))*DX(a)\", 0, 0]}\n"
    "  push: {type: force, on: b, components: [\"-2*DX(b) - VX(b)\", 0, 0]}\n"
    "linearize: {states: [a.x, b.x]}\n";

static routh_status write_boundary(routh_error *error)
{
    const routh_boundary_options o = {.parameter = "p", .from = 1, .to = 2};
    const routh_boundary b = {.value = 1.5, .period = 1, .largest = {1, 2}};
    routh_text text;
    routh_status status = routh_boundary_table(&b, &o, &text, error);
    assert_true((text.bytes == NULL) == (status != ROUTH_OK));
    routh_text_free(&text);
    if (!status) status = routh_boundary_json(&b, &o, &text, error);
    assert_true((text.bytes == NULL) == (status != ROUTH_OK));
    routh_text_free(&text);
    return status;
}

static routh_status make(const routh_mechanism *m, const routh_operating_point *point,
                         double *answer, routh_error *error)
{
    static const char *const blades[] = {"a", "b", NULL};
    static const writer writers[] = {routh_floquet_table, routh_floquet_json, routh_floquet_csv};
    routh_floquet_options o = routh_floquet_defaults();
    routh_floquet *floquet;
    o.period = 6.28318530717958647692;
    o.tolerance = 1e-3;
    o.blades = blades;
    routh_status status = routh_floquet_compute(&floquet, m, point, &o, error);
    assert_true((floquet == NULL) == (status != ROUTH_OK));
    const routh_results results = {.floquet = floquet, .point = point};
    if (!status) status = write_each(writers, 3, &results, error);
    if (!status) status = write_boundary(error);
    if (!status) *answer = floquet->largest;
    routh_floquet_free(floquet);
    return status;
}

static void each_allocation_of_multipliers(void **state)
{
    (void)state;
    routh_model *model;
    routh_mechanism *m;
    routh_operating_point *point;
    double whole = 0;
    long refused = 1, n_told = 0;
    start(0, false);
    assert_int_equal(routh_model_parse(&model, slides, strlen(slides), "test", NULL, 0, NULL), 0);
    assert_int_equal(routh_mechanism_compile(&m, model, "relative", NULL), 0);
    assert_int_equal(routh_operating_point_find(&point, m, NULL, NULL), 0);
    assert_int_equal(make(m, point, &whole, NULL), ROUTH_OK);
    assert_true(whole > 0);
    for (long n = 1; refused > 0; n = next_allocation(n)) {
        double answer = 0;
        routh_error error = {0};
        catch_output();
        start(n, false);
        const routh_status status = make(m, point, &answer, &error);
        refused = n_refused;
        start(0, false);
        assert_silence();
        if (status != ROUTH_OK && status != ROUTH_OUT_OF_MEMORY)
            fail_msg("allocation %ld: %d %s", n, (int)status, error.message);
        if (status == ROUTH_OK) assert_true(answer == whole);
        n_told += status != ROUTH_OK;
    }
    if (n_told < 20) fail_msg("%ld times told", n_told);
    routh_operating_point_free(point);
    routh_mechanism_free(m);
    routh_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_of_multipliers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
