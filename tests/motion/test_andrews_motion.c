/* Andrews' squeezing mechanism from rest to 0.03 s by every integrator of the build: its seven
 * angles against the equations written by hand (tests/reference/andrews.json). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "routh/routh.h"
#include "support/effort.h"
#include "support/mechanisms.h"
#include "support/record.h"

enum { ANGLES = 7, OUTPUTS = 30 };

static const double end = 0.03;
static const char *const sets[] = {"absolute", "relative"};
static const char *const angles[ANGLES] = {"beta",  "theta", "gamma",  "phi",
                                           "delta", "omega", "epsilon"};

/* What the Test Set for IVP Solvers prints; right to ten digits (provenance of the reference). */
static const char *const printed[ANGLES] = {
    "15.81077119629904",  "-15.75637105984298", "0.04082224013073101", "-0.5347301163226948",
    "0.5244099658805304", "0.5347301163226948", "1.048080741042263"};

static void read_reference(const char *whose, double x[ANGLES])
{
    const char *source = getenv("ROUTH_SOURCE");
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/reference/andrews.json", source ? source : ".");
    json_t *file = json_load_file(path, 0, NULL);
    const json_t *list = json_object_get(json_object_get(file, whose), "0.03");
    assert_true(json_array_size(list) >= ANGLES);
    for (size_t k = 0; k < ANGLES; k++) x[k] = json_number_value(json_array_get(list, k));
    json_decref(file);
}

static void must(routh_status status, const routh_error *error)
{
    if (status) fail_msg("%s: %s", error->element, error->message);
}

static void read_angles(const routh_mechanism *m, const routh_simulation *s, double x[ANGLES])
{
    routh_channels *channels;
    routh_error error = {0};
    double record[OUTPUTS];
    must(routh_channels_create(&channels, m, "outputs", &error), &error);
    assert_true(routh_channels_width(channels) <= OUTPUTS);
    must(routh_channels_read(channels, s, record, &error), &error);
    for (int k = 0; k < ANGLES; k++) {
        const routh_channel *c = routh_channels_get(channels, 1 + k);
        assert_string_equal(c->path + strlen("outputs/"), angles[k]);
        x[k] = record[c->first];
    }
    routh_channels_free(channels);
}

/* The angles at the end; the constraints hold at the end and at 29 times on the way. */
static void run(const char *coordinates, const routh_simulation_options *options, double x[ANGLES])
{
    routh_model *model;
    routh_mechanism *m;
    routh_operating_point *point;
    routh_simulation *s;
    routh_statistics count;
    routh_error error = {0};
    const char *source = getenv("ROUTH_SOURCE");
    char path[1024];
    snprintf(path, sizeof path, "%s/examples/andrews-squeezer.yaml", source ? source : ".");
    must(routh_model_read(&model, path, NULL, 0, &error), &error);
    must(routh_mechanism_compile(&m, model, coordinates, &error), &error);
    must(routh_operating_point_find(&point, m, NULL, &error), &error);
    must(routh_simulation_create(&s, m, point, options, &error), &error);
    for (int k = 1; k <= 30; k++)
        must(routh_simulation_advance(s, k < 30 ? k * 1e-3 : end, &error), &error);
    read_angles(m, s, x);
    routh_simulation_statistics(s, &count);
    assert_true(count.position_error < 1e-10 && count.velocity_error < 1e-10);
    routh_simulation_free(s);
    routh_operating_point_free(point);
    routh_mechanism_free(m);
    routh_model_free(model);
}

static void run_steps(const char *coordinates, const char *integrator, int n, double x[ANGLES])
{
    routh_simulation_options o = routh_simulation_defaults();
    o.integrator = integrator;
    o.step = end / n;
    o.end = end;
    run(coordinates, &o, x);
}

static double error_of(const double x[ANGLES])
{
    double exact[ANGLES], worst = 0;
    read_reference("computed", exact);
    for (int k = 0; k < ANGLES; k++) worst = fmax(worst, fabs(x[k] - exact[k]));
    return worst;
}

/* All lines count as one way, so that the page is the same in a build without SUNDIALS. */
static void record_angles(const double x[ANGLES])
{
    double exact[ANGLES];
    read_reference("computed", exact);
    for (int k = 0; k < ANGLES; k++)
        record_line(.paper = "Test Set for IVP Solvers", .table = "Andrews' mechanism at 0.03 s",
                    .quantity = angles[k], .published = printed[k], .reference = exact[k],
                    .computed = x[k], .scale = 1);
}

/* Of second order by their formulas; all others choose their order. */
static bool is_of_second_order(const char *name)
{
    return !strcmp(name, "hht") || !strcmp(name, "generalized-alpha");
}

/* Each of the two in a coordinate set of its own; at full effort in both. */
static bool is_run(const char *name, int set)
{
    return full_effort() || set == (strcmp(name, "hht") != 0);
}

/* ---- the tests ------------------------------------------------------------------------------- */

static void integrators_of_high_order_come_to_the_digits(void **unused)
{
    (void)unused;
    double x[ANGLES], published[ANGLES];
    read_reference("published", published);
    for (int i = 0; routh_integrator_name(i); i++)
        for (int c = 0; c < 2; c++) {
            const char *name = routh_integrator_name(i);
            if (!routh_integrator_available(i) || is_of_second_order(name)) continue;
            if (!is_chosen(i + c, 2)) continue; /* each in one of the sets */
            routh_simulation_options o = routh_simulation_defaults();
            o.integrator = name;
            /* below, the rounding of its residual keeps bdf from beginning */
            o.tolerance = strcmp(name, "bdf") ? 1e-13 : 3e-13;
            o.end = end;
            run(sets[c], &o, x);
            const double error = error_of(x);
            double off = 0;
            for (int k = 0; k < ANGLES; k++) off = fmax(off, fabs(x[k] - published[k]));
            print_message("    %s, %s: off by %.2g rad, from what is printed by %.2g\n", name,
                          sets[c], error, off);
            if (!(error < 1e-9)) fail_msg("%s, %s: off by %.3g rad", name, sets[c], error);
            /* what is printed is off by 1.4e-9 */
            assert_true(off < 3e-9);
            record_angles(x);
        }
}

/* What is off by e1 h^2 + e2 h^3 + .., from steps of 4 h, 2 h and h: without the first two. */
static void extrapolate(double x[3][ANGLES], double out[ANGLES])
{
    for (int k = 0; k < ANGLES; k++) {
        const double coarse = (4 * x[1][k] - x[0][k]) / 3, fine = (4 * x[2][k] - x[1][k]) / 3;
        out[k] = (8 * fine - coarse) / 7;
    }
}

/* Half the step, a quarter of the error; and what the errors of three steps have in common is so
 * regular that without it a thousandth is left, and no more than the digits. */
static void the_others_are_of_second_order(void **unused)
{
    (void)unused;
    double x[3][ANGLES], without[ANGLES];
    for (int i = 0; routh_integrator_name(i); i++)
        for (int c = 0; c < 2; c++) {
            const char *name = routh_integrator_name(i);
            if (!is_of_second_order(name) || !is_run(name, c)) continue;
            for (int k = 0; k < 3; k++) run_steps(sets[c], name, 5000 << k, x[k]);
            extrapolate(x, without);
            const double error = error_of(x[2]), order = log2(error_of(x[1]) / error);
            print_message("    %s, %s: 20000 steps are off by %.2g rad, order %.3f, extrapolated "
                          "%.2g\n",
                          name, sets[c], error, order, error_of(without));
            if (!(order > 1.95 && order < 2.05 && error < 1e-5))
                fail_msg("%s, %s: error %.3g, order %.3f", name, sets[c], error, order);
            /* what Newton leaves, and what rounds the sum of times, does not go with the step */
            if (!(error_of(without) < 1e-3 * error && error_of(without) < 1e-10))
                fail_msg("%s, %s: extrapolated %.3g", name, sets[c], error_of(without));
            record_angles(without);
        }
}

/* The same from 40 000 to 160 000 steps, down to the digits: where ROUTH_TEST_EFFORT is 10 or more.
 */
static void many_steps_come_to_the_digits(void **unused)
{
    (void)unused;
    double x[3][ANGLES], without[ANGLES];
    if (with_effort(1) < 10) skip();
    for (int i = 0; routh_integrator_name(i); i++)
        for (int c = 0; c < 2; c++) {
            const char *name = routh_integrator_name(i);
            if (!is_of_second_order(name)) continue;
            for (int k = 0; k < 3; k++) run_steps(sets[c], name, 40000 << k, x[k]);
            extrapolate(x, without);
            print_message("    %s, %s: 160000 steps are off by %.2g rad, extrapolated %.2g\n", name,
                          sets[c], error_of(x[2]), error_of(without));
            if (!(error_of(x[2]) < 1e-7 && error_of(without) < 1e-9))
                fail_msg("%s, %s: %.3g rad", name, sets[c], error_of(without));
        }
}

/* 1.28 million steps come to the digits by themselves, and as near as an eighth of the step must: a
 * 64th of the error, to what rounding leaves. About 4 minutes, where ROUTH_TEST_EFFORT is 100 or
 * more. */
static void a_million_steps_need_nothing_else(void **unused)
{
    (void)unused;
    double coarse[ANGLES], fine[ANGLES];
    if (with_effort(1) < 100) skip();
    for (int i = 0; routh_integrator_name(i); i++)
        for (int c = 0; c < 2; c++) {
            const char *name = routh_integrator_name(i);
            if (!is_of_second_order(name)) continue;
            run_steps(sets[c], name, 160000, coarse);
            run_steps(sets[c], name, 1280000, fine);
            const double error = error_of(fine), expected = error_of(coarse) / 64;
            print_message("    %s, %s: 1280000 steps are off by %.3g rad, expected %.3g\n", name,
                          sets[c], error, expected);
            if (!(error < 1e-9 && fabs(error - expected) < 0.1 * expected))
                fail_msg("%s, %s: %.3g rad, expected %.3g", name, sets[c], error, expected);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrators_of_high_order_come_to_the_digits),
        cmocka_unit_test(the_others_are_of_second_order),
        cmocka_unit_test(many_steps_come_to_the_digits),
        cmocka_unit_test(a_million_steps_need_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
