/* The N-th allocation fails, for every N, of frequency responses: full and sparse, with random
 * inputs, and all that is written of them. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "oom/refuse.h"
#include "routh/routh.h"

static const char pendulum[] = "gravity: [0, 0, -9.81]\n"
                               "bodies: {rod: {mass: 1, inertia: [1, 1, 0.1], "
                               "position: [0, 0, -1]}}\n"
                               "joints: {hinge: {type: revolute, between: [rod, ground], "
                               "at: [0, 0, 0], axis: y}}\n"
                               "loads: {brake: {type: bushing, between: [rod, ground], rotation: {"
                               "damping: 0.4}}}\n";

typedef struct subject {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear;
    routh_descriptor *descriptor;
    routh_modes *modes;
} subject;

typedef routh_status (*maker)(const subject *s, double *answer, routh_error *error);

/* All texts, and a file. */
static routh_status write_all(const subject *s, const routh_response *response, routh_error *error)
{
    static const writer writers[] = {routh_response_table, routh_response_json, routh_response_csv,
                                     routh_response_svg};
    static char path[200];
    const routh_results results = {
        .point = s->point, .linear = s->linear, .modes = s->modes, .response = response};
    routh_status status = write_each(writers, 4, &results, error);
    snprintf(path, sizeof path, "%s/routh-oom-%ld.mat", P_tmpdir, (long)getpid());
    if (!status) status = routh_response_save(response, s->linear, path, NULL, error);
    remove(path);
    return status;
}

static routh_status full(const subject *s, double *answer, routh_error *error)
{
    routh_response_options o = routh_response_defaults();
    routh_spectrum *spectrum = NULL;
    routh_response *response = NULL;
    o.inputs = "rod.ry", o.outputs = "rod.ry,rod.ry'", o.base = ROUTH_BASE_X;
    o.low = 0.2, o.high = 2, o.error = 0.1;
    routh_status status = routh_spectrum_parse(&spectrum, "rod.ry=1/f; ground.x=2", error);
    assert_true((spectrum == NULL) == (status != ROUTH_OK));
    o.spectrum = spectrum;
    if (!status) status = routh_response_compute(&response, s->linear, s->modes, &o, error);
    assert_true((response == NULL) == (status != ROUTH_OK));
    if (!status) status = write_all(s, response, error);
    if (!status) *answer = response->random->outputs[0].rms;
    routh_response_free(response);
    routh_spectrum_free(spectrum);
    return status;
}

static routh_status sparse(const subject *s, double *answer, routh_error *error)
{
    routh_response_options o = routh_response_defaults();
    routh_response *response;
    o.inputs = o.outputs = "rod.ry";
    o.low = 0.2, o.high = 2, o.error = 0.1;
    const routh_status status =
        routh_response_compute_sparse(&response, s->descriptor, s->modes, &o, error);
    assert_true((response == NULL) == (status != ROUTH_OK));
    if (!status) *answer = response->channels[0].largest;
    routh_response_free(response);
    return status;
}

static void refuse_each(const subject *s, maker make, long least)
{
    double whole = 0;
    long refused = 1, n_told = 0;
    start(0, false);
    assert_int_equal(make(s, &whole, NULL), ROUTH_OK);
    assert_true(whole > 0);
    for (long n = 1; refused > 0; n = next_allocation(n)) {
        double answer = 0;
        routh_error error = {0};
        catch_output();
        start(n, false);
        const routh_status status = make(s, &answer, &error);
        refused = n_refused;
        start(0, false);
        assert_silence();
        if (status != ROUTH_OK && status != ROUTH_OUT_OF_MEMORY)
            fail_msg("allocation %ld: %d %s", n, (int)status, error.message);
        if (status == ROUTH_OK) assert_true(answer == whole);
        n_told += status != ROUTH_OK;
    }
    if (n_told < least) fail_msg("%ld times told, not %ld", n_told, least);
}

static void each_allocation_of_a_frequency_response(void **state)
{
    (void)state;
    subject s = {0};
    routh_linear_options o = routh_linear_defaults();
    o.shares = 1;
    start(0, false);
    assert_int_equal(routh_model_parse(&s.model, pendulum, strlen(pendulum), "test", NULL, 0, NULL),
                     0);
    assert_int_equal(routh_mechanism_compile(&s.mechanism, s.model, NULL, NULL), 0);
    assert_int_equal(routh_operating_point_find(&s.point, s.mechanism, NULL, NULL), 0);
    assert_int_equal(routh_linear_compute(&s.linear, s.mechanism, s.point, &o, NULL), 0);
    assert_int_equal(routh_descriptor_compute(&s.descriptor, s.mechanism, s.point, &o, NULL), 0);
    assert_int_equal(routh_modes_compute(&s.modes, s.linear, NULL), 0);
    refuse_each(&s, full, 60);
    refuse_each(&s, sparse, 20);
    routh_modes_free(s.modes);
    routh_descriptor_free(s.descriptor);
    routh_linear_free(s.linear);
    routh_operating_point_free(s.point);
    routh_mechanism_free(s.mechanism);
    routh_model_free(s.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_of_a_frequency_response)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
