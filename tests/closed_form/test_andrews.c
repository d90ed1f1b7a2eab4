/* Andrews' squeezing mechanism: the equations written by hand in seven angles, what is published,
 * and the example, at rest and in full motion, in every coordinate set by every exact method. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <jansson.h>

#include "closed_form/squeezer.h"
#include "closed_form/whole_model.h"

enum { ANGLES = SQUEEZER_ANGLES, VALUES = SQUEEZER_VALUES };

static const char example[] = "examples/andrews-squeezer.yaml";

/* beta, theta, ..: of "published" or "computed" at a time, as the file names it */
static void read_reference(const char *whose, const char *time, double x[VALUES])
{
    const char *source = getenv("ROUTH_SOURCE");
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/reference/andrews.json", source ? source : ".");
    json_t *file = json_load_file(path, 0, NULL);
    const json_t *list = json_object_get(json_object_get(file, whose), time);
    assert_int_equal(json_array_size(list), VALUES);
    for (size_t k = 0; k < VALUES; k++) x[k] = json_number_value(json_array_get(list, k));
    json_decref(file);
}

/* Angles and rates; closed and with accelerations. */
static squeezer_state state_of(const double x[VALUES])
{
    squeezer_state s;
    for (int i = 0; i < ANGLES; i++) s.q[i] = x[i], s.v[i] = x[ANGLES + i];
    squeezer_close(&s);
    squeezer_accelerate(&s);
    return s;
}

static squeezer_number value_of(const squeezer_state *s, int k)
{
    if (k < ANGLES) return s->q[k];
    if (k < 2 * ANGLES) return s->v[k - ANGLES];
    return k < 3 * ANGLES ? s->a[k - 2 * ANGLES] : s->lambda[k - 3 * ANGLES];
}

/* Each within `relative` of the largest of its kind: angles, rates, accelerations, multipliers. */
static void assert_agree(const char *what, const squeezer_state *s, const double x[VALUES],
                         double relative)
{
    for (int first = 0; first < VALUES; first += ANGLES) {
        const int end = first + ANGLES < VALUES ? first + ANGLES : VALUES;
        double most = 0;
        for (int k = first; k < end; k++) most = fmax(most, fabs(x[k]));
        for (int k = first; k < end; k++) {
            const double found = (double)creall(value_of(s, k));
            if (!(fabs(found - x[k]) <= relative * most))
                fail_msg("%s: value %d is %.17g and should be %.17g", what, k + 1, found, x[k]);
        }
    }
}

/* ---- the equations --------------------------------------------------------------------------- */

static void the_equations_begin_as_published(void **unused)
{
    (void)unused;
    double x[VALUES];
    read_reference("published", "0", x);
    const squeezer_state s = state_of(x);
    assert_agree("at rest", &s, x, 4e-15);
}

/* The motion closes its loops and keeps its energy, and 100 steps lead where 2400 led. */
static void the_equations_end_as_computed(void **unused)
{
    (void)unused;
    double x[VALUES];
    read_reference("published", "0", x);
    squeezer_state s = state_of(x);
    const long double energy = squeezer_energy(&s);
    const char *const times[] = {"0.01", "0.02", "0.03"};
    for (int k = 0; k < 3; k++) {
        squeezer_move(&s, 0.01L, 34);
        read_reference("computed", times[k], x);
        assert_agree(times[k], &s, x, 1e-12);
        assert_true(squeezer_gap(&s) < 1e-15L && squeezer_gap_rate(&s) < 1e-13L);
        assert_true(fabsl(squeezer_energy(&s) - energy) < 1e-13L * squeezer_kinetic_energy(&s));
    }
}

/* The published end is that of a motion with a little less energy. With dE = 2 T dbeta'/beta', and
 * beta late by no more than the time by dbeta', this is all that parts the two in the angles. */
static void the_published_end_is_right_but_for_its_energy(void **unused)
{
    (void)unused;
    double x[VALUES], own[VALUES];
    squeezer_state s;
    read_reference("published", "0", x);
    s = state_of(x);
    const long double energy = squeezer_energy(&s);
    read_reference("computed", "0.03", own);
    read_reference("published", "0.03", x);
    s = state_of(own);
    assert_true(fabsl(squeezer_energy(&s) - energy) < 1e-13L);
    for (int i = 0; i < ANGLES; i++) s.q[i] = x[i], s.v[i] = x[ANGLES + i];
    const double lost = (double)(energy - squeezer_energy(&s));
    assert_true(squeezer_gap(&s) < 1e-15L);
    assert_true(squeezer_gap_rate(&s) > 1e-10L && lost > 1e-10);
    const double slow = lost * x[ANGLES] / (2 * (double)squeezer_kinetic_energy(&s));
    const double late = 0.03 * slow;
    assert_true(fabs(x[0] - own[0]) <= late);
    assert_true(fabs(x[ANGLES] - own[ANGLES]) <= slow + fabs(own[2 * ANGLES] / own[ANGLES]) * late);
    print_message("    the published end: beta off by %.2g rad, beta' by %.2g rad/s, energy by "
                  "%.2g J\n",
                  x[0] - own[0], x[ANGLES] - own[ANGLES], -lost);
    /* the other angles at the published beta, to rounding */
    s = state_of(x);
    for (int i = 0; i < ANGLES; i++) assert_true(fabs((double)creall(s.q[i]) - x[i]) < 1e-14);
}

/* ---- the example ----------------------------------------------------------------------------- */

static squeezer_state here;

/* y: the crank's turn from here, its rate, and the two counters; the outputs are all 27. */
static void move(const root *y, const root *in, root *rate, root *out)
{
    (void)in;
    squeezer_state s = here;
    s.q[0] = creall(here.q[0]) + y[0];
    s.v[0] = y[1];
    squeezer_close(&s);
    squeezer_accelerate(&s);
    rate[0] = (root)s.v[0];
    rate[1] = (root)s.a[0];
    rate[2] = (root)s.v[0];
    rate[3] = (root)s.v[1];
    for (int k = 0; k < VALUES; k++) out[k] = (root)value_of(&s, k);
}

static const explicit_system squeezer = {move,
                                         4,
                                         0,
                                         VALUES,
                                         {"k1.rz", "k1.rz'", "crank_turned", "coupler_turned"},
                                         {0},
                                         {NULL},
                                         {0},
                                         {"beta",
                                          "theta",
                                          "gamma",
                                          "phi",
                                          "delta",
                                          "omega",
                                          "epsilon",
                                          "beta_rate",
                                          "theta_rate",
                                          "gamma_rate",
                                          "phi_rate",
                                          "delta_rate",
                                          "omega_rate",
                                          "epsilon_rate",
                                          "beta_acceleration",
                                          "theta_acceleration",
                                          "gamma_acceleration",
                                          "phi_acceleration",
                                          "delta_acceleration",
                                          "omega_acceleration",
                                          "epsilon_acceleration",
                                          "lambda1",
                                          "lambda2",
                                          "lambda3",
                                          "lambda4",
                                          "lambda5",
                                          "lambda6"}};

static void check_example(const char *what, const double x[VALUES])
{
    char names[2 * ANGLES][32], numbers[2 * ANGLES][32];
    whole_way way = {.n_settings = 2 * ANGLES};
    explicit_system system = squeezer;
    here = state_of(x);
    system.y[1] = (double)creall(here.v[0]);
    for (int k = 0; k < 2 * ANGLES; k++) {
        snprintf(names[k], sizeof names[k], "%s0", squeezer.outputs[k]);
        snprintf(numbers[k], sizeof numbers[k], "%.17g", (double)creall(value_of(&here, k)));
        way.settings[k] = (routh_setting){names[k], numbers[k]};
    }
    for (int k = 0; whole_next_way(&k, &way);) {
        char text[160];
        snprintf(text, sizeof text, "%s, %s, %s", what, way.coordinates, way.method);
        whole w = whole_read(example, &way);
        assert_int_equal(w.point->degrees_of_freedom, 1);
        assert_int_equal(w.point->n_redundant, 0);
        assert_linearizes(text, w.linear, &system, 1e-10);
        whole_release(&w);
    }
}

static void the_example_begins_as_published(void **unused)
{
    (void)unused;
    double x[VALUES];
    read_reference("published", "0", x);
    whole w = whole_read(example, NULL);
    for (int k = 0; k < VALUES; k++) {
        const double found = w.linear->outputs[whole_output(w.linear, squeezer.outputs[k])].value;
        const double most = k < 2 * ANGLES ? 1 : k < 3 * ANGLES ? x[2 * ANGLES] : x[3 * ANGLES];
        if (!(fabs(found - x[k]) <= 1e-13 * most))
            fail_msg("%s is %.17g and should be %.17g", squeezer.outputs[k], found, x[k]);
    }
    whole_release(&w);
    check_example("at rest", x);
}

/* After two and a half turns of the crank, at 1140 rad/s. */
static void the_example_follows_the_equations_in_motion(void **unused)
{
    (void)unused;
    double x[VALUES];
    const char *const times[] = {"0.01", "0.03"};
    for (int k = 0; k < 2; k++) {
        read_reference("computed", times[k], x);
        check_example(times[k], x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_equations_begin_as_published),
        cmocka_unit_test(the_equations_end_as_computed),
        cmocka_unit_test(the_published_end_is_right_but_for_its_energy),
        cmocka_unit_test(the_example_begins_as_published),
        cmocka_unit_test(the_example_follows_the_equations_in_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
