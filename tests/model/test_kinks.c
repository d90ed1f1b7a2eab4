/* Tests of model/kinks: the kinks of every element's functions, and no others. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model_text.h"

#define BODY                                                                                       \
    "bodies: {b: {mass: 1, inertia: [1, 1, 1], position: [2, 0, 0]}, a: {mass: 1, inertia: "       \
    "[1, 1, 1]}}\n"

enum { N_SLOTS = 32 };

static const rt_kink *find(const routh_model *m, const char *element, const char *what)
{
    const rt_kink *found = NULL;
    for (int k = 0; k < m->n_kinks; k++) {
        if (strcmp(m->kinks[k].element, element) != 0 || strcmp(m->kinks[k].what, what) != 0)
            continue;
        if (found) fail_msg("%s has %s twice", element, what);
        found = &m->kinks[k];
    }
    if (!found) fail_msg("%s has no kink at %s", element, what);
    return found;
}

static void every_element_is_looked_at(void **state)
{
    (void)state;
    routh_model *m = read_model(
        BODY "joints:\n"
             "  rail: {type: translational, between: [b, ground], axis: x}\n"
             "  drive: {type: motion, joint: rail, function: \"max(0, time - 1)\"}\n"
             "  wall: {type: expression, expression: \"DX(a) - abs(DY(a))\"}\n"
             "loads:\n"
             "  pull: {type: spring, between: [a, b], force: \"min(3, DM(a, b))\"}\n"
             "  wind: {type: force, on: a, components: [0, \"floor(time)\", \"sign(VX(a))\"]}\n"
             "inputs: {in: 0, still: 0}\n"
             "simulate: {inputs: {in: \"mod(time, 2)\"}}\n"
             "variables: {v: \"abs(DX(a))*in\"}\n"
             "controllers:\n"
             "  lag: {type: differential, rate: \"max(v, 0) - lag\"}\n"
             "  two: {type: general, states: {p: \"abs(v)\", q: \"-abs(v)\"}}\n"
             "  valve: {type: gain, input: \"abs(in)\", upper: 1}\n"
             "outputs: {y: \"ceil(DX(b))\"}\n"
             "linearize: {coordinates: {s: \"max(DX(a), DX(b))\"}}\n");
    static const char *const expected[][2] = {
        {"joint drive", "the switch of max"},   {"joint wall", "the switch of abs"},
        {"load pull", "the switch of min"},     {"load wind", "the switch of floor"},
        {"load wind", "the switch of sign"},    {"input in", "the switch of mod"},
        {"variable v", "the switch of abs"},    {"controller lag", "the switch of max"},
        {"controller two", "the switch of abs"}, {"controller valve", "the upper limit"},
        {"controller valve", "the switch of abs"}, {"output y", "the switch of ceil"},
        {"coordinate s", "the switch of max"}};
    const int n = (int)(sizeof expected / sizeof *expected);
    for (int k = 0; k < n; k++) find(m, expected[k][0], expected[k][1]);
    assert_int_equal(m->n_kinks, n);
    assert_int_equal(find(m, "load pull", "the switch of min")->place.line, 7);
    for (int k = 0; k < m->n_kinks; k++) assert_true(m->kinks[k].scale > 0);
    routh_model_free(m);
}

static int count_of_load(const char *force)
{
    char text[600];
    snprintf(text, sizeof text,
             "parameters: {k: 3}\n" BODY
             "loads: {f: {type: force, on: a, components: [\"%s\", 0, 0]}}\n",
             force);
    routh_model *m = read_model(text);
    const int n = m->n_kinks;
    routh_model_free(m);
    return n;
}

static void what_is_smooth_has_none(void **state)
{
    (void)state;
    assert_int_equal(count_of_load("k*DX(a)*VX(a)^2"), 0);
    assert_int_equal(count_of_load("max(k, 2)*DX(a)"), 0);
    assert_int_equal(count_of_load("abs(-k)*DX(a)"), 0);
    assert_int_equal(count_of_load("STEP(time, 0, 0, 1, k)"), 0);
    assert_int_equal(count_of_load("sign(VX(a))*abs(VX(a))"), 0); /* VX */
    assert_int_equal(count_of_load("max(DX(a), DY(a)) + min(DX(a), DY(a))"), 0);
    assert_int_equal(count_of_load("abs(VX(a))"), 1);
    assert_int_equal(count_of_load("abs(VX(a)) + abs(-VX(a)) + sign(VX(a))"), 1);
}

/* By time alone too. */
static void time_is_among_what_moves(void **state)
{
    (void)state;
    assert_int_equal(count_of_load("max(0, time - 1)"), 1);
    assert_int_equal(count_of_load("sign(time - k)"), 1);
}

/* The jump of the only kink, with its weights, where other quantities have these values. */
static double only_jump(const routh_model *m, double *slots)
{
    assert_int_equal(m->n_kinks, 1);
    assert_true(m->n_quantities <= N_SLOTS);
    for (int k = 0; k < m->n_quantities; k++)
        if (rt_is_constant_quantity(&m->quantities[k]))
            slots[k] = rt_constant_value(m, &m->quantities[k]);
    return evaluate(m, m->kinks[0].jump, slots);
}

/* The jump of c v |v|: 0 at v = 0, where both sides have the slope 0; of c |v| it is not. */
static double jump_at(const char *force, double v)
{
    char text[600];
    double slots[N_SLOTS] = {0};
    snprintf(text, sizeof text,
             BODY "loads: {f: {type: force, on: a, components: [\"%s\", 0, 0]}}\n", force);
    routh_model *m = read_model(text);
    for (int k = 0; k < m->n_quantities && k < N_SLOTS; k++)
        if (m->quantities[k].kind == RT_QUANTITY_DOT) slots[k] = v;
    const double jump = only_jump(m, slots);
    routh_model_free(m);
    return jump;
}

static void a_switch_without_a_jump_is_no_kink(void **state)
{
    (void)state;
    assert_true(jump_at("-70*VX(a)*abs(VX(a))", 0) <= RT_KINK_JUMP);
    assert_true(jump_at("-70*VX(a)*abs(VX(a))", 1e-12) <= RT_KINK_JUMP);
    assert_true(jump_at("-70*abs(VX(a))", 0) > 0.5);
    assert_true(jump_at("sign(VX(a))", 0) > 0.5);
    assert_true(jump_at("1e-6*max(0, VX(a))^2", 0) <= RT_KINK_JUMP);
    assert_true(jump_at("1e-6*max(0, VX(a))", 0) > 0.5);
    assert_true(jump_at("max(0, time)*VX(a)", 1) <= RT_KINK_JUMP); /* a slope in time alone */
    assert_true(jump_at("sign(time)*VX(a)", 0) > 0.5);             /* a stiffness */
}

static void a_motion_jumps_by_its_rates(void **state)
{
    (void)state;
    static const struct {
        const char *function;
        bool jumps;
    } cases[] = {{"max(0, time)", true}, {"max(0, time)^2", true}, {"max(0, time)^3", false}};
    for (int k = 0; k < 3; k++) {
        char text[600];
        double slots[N_SLOTS] = {0};
        snprintf(text, sizeof text,
                 BODY "joints:\n"
                      "  rail: {type: translational, between: [b, ground], axis: x}\n"
                      "  drive: {type: motion, joint: rail, function: \"%s\"}\n",
                 cases[k].function);
        routh_model *m = read_model(text);
        assert_int_equal(only_jump(m, slots) > RT_KINK_JUMP, cases[k].jumps);
        routh_model_free(m);
    }
}

/* Rates of an input's history matter where it drives a motion. */
static void a_history_jumps_by_its_rates_in_a_motion(void **state)
{
    (void)state;
    for (int drives = 0; drives < 2; drives++) {
        char text[600];
        double slots[N_SLOTS] = {0};
        snprintf(text, sizeof text,
                 BODY "joints:\n"
                      "  rail: {type: translational, between: [b, ground], axis: x}\n"
                      "  drive: {type: motion, joint: rail, function: \"%s\"}\n"
                      "inputs: {in: 0}\n"
                      "simulate: {inputs: {in: \"max(0, time)\"}}\n",
                 drives ? "2*in" : "0");
        routh_model *m = read_model(text);
        assert_int_equal(m->n_kinks, 1);
        assert_string_equal(m->kinks[0].element, "input in");
        assert_int_equal(only_jump(m, slots) > RT_KINK_JUMP, drives);
        routh_model_free(m);
    }
}

static double scale_of(const char *force)
{
    char text[600];
    snprintf(text, sizeof text,
             "parameters: {k: 3}\n" BODY "inputs: {volts: 1e4}\n"
             "variables: {v: \"200*DX(a)\"}\n"
             "loads: {f: {type: force, on: a, components: [\"%s\", 0, 0]}}\n",
             force);
    routh_model *m = read_model(text);
    assert_int_equal(m->n_kinks, 1);
    const double scale = m->kinks[0].scale;
    routh_model_free(m);
    return scale;
}

/* Lengths are 2 m, by the distance of the bodies. */
static void the_scale_is_the_size_of_the_terms(void **state)
{
    (void)state;
    assert_near(scale_of("abs(DX(a))"), 2, 1e-15);
    assert_near(scale_of("max(DX(a), k)"), 5, 1e-15);
    assert_near(scale_of("min(1e3*DX(a), 0)"), 2e3, 1e-12);
    assert_near(scale_of("sign(time - 1)"), 2, 1e-15);
    assert_near(scale_of("abs(volts)"), 1e4, 1e-11);
    assert_near(scale_of("abs(v)"), 400, 1e-12);
    assert_near(scale_of("floor(DX(a))"), 1, 1e-15);
}

static void a_gain_with_one_limit_of_zero_has_a_scale(void **state)
{
    (void)state;
    routh_model *m = read_model(
        BODY "controllers: {g: {type: gain, input: \"3*DX(a)\", gain: 10, lower: 0}}\n");
    assert_int_equal(m->n_kinks, 1);
    assert_near(m->kinks[0].scale, 60, 1e-13);
    routh_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_is_looked_at),
        cmocka_unit_test(what_is_smooth_has_none),
        cmocka_unit_test(time_is_among_what_moves),
        cmocka_unit_test(a_switch_without_a_jump_is_no_kink),
        cmocka_unit_test(a_motion_jumps_by_its_rates),
        cmocka_unit_test(a_history_jumps_by_its_rates_in_a_motion),
        cmocka_unit_test(the_scale_is_the_size_of_the_terms),
        cmocka_unit_test(a_gain_with_one_limit_of_zero_has_a_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
