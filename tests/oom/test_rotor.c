/* The N-th allocation fails of the balance of a rotor, its linear model in multi-blade coordinates
 * and its modes: for every N where ROUTH_TEST_EFFORT is given, else for some 60. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "oom/refuse.h"
#include "routh/routh.h"

/* Blades on hinges with springs and a state each, drawn away from their balance by springs. */
static const char rotor[] =
    "gravity: [0, 0, 0]\n"
    "parameters: {s: sin(120 deg)}\n"
    "bodies:\n"
    "  hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 2]}\n"
    "  a: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], velocity: [0, 2, 0],\n"
    "      angular_velocity: [0, 0, 2]}\n"
    "  b: {mass: 1, inertia: [1, 1, 1], position: [-0.5, s, 0], velocity: [-2*s, -1, 0],\n"
    "      angular_velocity: [0, 0, 2]}\n"
    "  c: {mass: 1, inertia: [1, 1, 1], position: [-0.5, -s, 0], velocity: [2*s, -1, 0],\n"
    "      angular_velocity: [0, 0, 2]}\n"
    "joints:\n"
    "  axle: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}\n"
    "  drive: {type: motion, joint: axle, function: 2*time}\n"
    "  one: {type: translational, between: [a, hub], at: [0, 0, 0], axis: [1, 0, 0]}\n"
    "  two: {type: translational, between: [b, hub], at: [0, 0, 0], axis: [-0.5, s, 0]}\n"
    "  three: {type: translational, between: [c, hub], at: [0, 0, 0], axis: [-0.5, -s, 0]}\n"
    "loads:\n"
    "  first: {type: spring, between: [a, hub], stiffness: 40, free_length: 1}\n"
    "  second: {type: spring, between: [b, hub], stiffness: 40, free_length: 1}\n"
    "  third: {type: spring, between: [c, hub], stiffness: 40, free_length: 1}\n";

static routh_status make(const routh_mechanism *m, const routh_operating_point *point,
                         double *answer, routh_error *error)
{
    static const char *const blades[] = {"a", "b", "c", NULL};
    static const writer writers[] = {routh_modes_table, routh_modes_json, routh_modes_csv};
    routh_linear_options o = routh_linear_defaults();
    routh_operating_point *there;
    routh_linear *linear = NULL;
    routh_modes *modes = NULL;
    o.blades = blades;
    o.method = "auto";
    o.threads = 1;
    routh_status status = routh_rotor_point_find(&there, m, point, blades, error);
    assert_true((there == NULL) == (status != ROUTH_OK));
    if (!status) status = routh_linear_compute(&linear, m, there, &o, error);
    if (!status) status = routh_modes_compute(&modes, linear, error);
    const routh_results results = {.linear = linear, .modes = modes, .point = there};
    if (!status) status = write_each(writers, 3, &results, error);
    if (!status) *answer = modes->modes[0].undamped_frequency_hz;
    routh_modes_free(modes);
    routh_linear_free(linear);
    routh_operating_point_free(there);
    return status;
}

static void each_allocation_of_a_rotor(void **state)
{
    (void)state;
    routh_model *model;
    routh_mechanism *m;
    routh_operating_point *point;
    double whole = 0;
    long refused = 1, n_told = 0;
    start(0, false);
    assert_int_equal(routh_model_parse(&model, rotor, strlen(rotor), "test", NULL, 0, NULL), 0);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_of_a_rotor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
