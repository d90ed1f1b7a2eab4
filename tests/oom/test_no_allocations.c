/* A parameter that is set again asks for no memory: after the values were met once, no allocation,
 * of KLU's and AMD's neither, from a changed parameter to new modes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/kept_memory.h"
#include "base/sparse.h"
#include "oom/refuse.h"
#include "routh/routh.h"
#include "support/effort.h"
#include "support/mechanisms.h"

enum { MOST_SET = 8, BEFORE = 2, AFTER = 3, N_VALUES = 4 };

/* By how much they are changed, back and forth. */
static const double change[N_VALUES] = {1, 1.02, 0.97, 1.005};

static void set_and_find(routh_parametric *p, int k, double value)
{
    const routh_modes *modes;
    routh_error error;
    if (routh_parametric_set(p, k, value, &error) || routh_parametric_modes(p, &modes, &error))
        fail_msg("%s", error.message);
}

/* Allocations of one parameter after the other, each through all values and back. */
static long one_round(routh_parametric *p, const double *written)
{
    start(0, false);
    for (int k = 0; k < routh_parametric_count(p); k++) {
        for (int i = 0; i < N_VALUES; i++)
            set_and_find(p, k, written[k] != 0 ? written[k] * change[i] : change[i] - 1);
        set_and_find(p, k, written[k]);
    }
    return n_asked;
}

static void round_and_round(const char *what, const routh_model *model, const char *const *names,
                            const char *coordinates, const routh_linear_options *how)
{
    double written[MOST_SET];
    routh_parametric *p;
    routh_error error;
    if (routh_parametric_create(&p, model, names, coordinates, NULL, how, &error))
        fail_msg("%s: %s", what, error.message);
    for (int k = 0; k < routh_parametric_count(p); k++) {
        written[k] = routh_parametric_value(p, k);
        if (!routh_parametric_is_number(p, k)) fail_msg("%s: %s is no number", what, names[k]);
    }
    assert_true(one_round(p, written) > 0);
    for (int k = 1; k < BEFORE; k++) one_round(p, written);
    for (int k = 0; k < AFTER; k++) {
        const long asked = one_round(p, written);
        if (asked) fail_msg("%s: %ld allocations in round %d", what, asked, BEFORE + k + 1);
    }
    routh_parametric_free(p);
}

static void example(const char *name, const char *const *names, const char *coordinates)
{
    char path[200];
    routh_model *model;
    routh_error error;
    snprintf(path, sizeof path, "examples/%s", name);
    if (routh_model_read(&model, path, NULL, 0, &error)) fail_msg("%s: %s", name, error.message);
    for (int full = 0; full < 2; full++) {
        routh_linear_options how = routh_linear_defaults();
        how.threads = 1;
        if (!full) how.shares = how.markers = 0;
        round_and_round(name, model, names, coordinates, &how);
    }
    routh_model_free(model);
}

static void of_a_quarter_car(void **state)
{
    static const char *const names[] = {"sky", "body_mass", "k_tyre", "lag", NULL};
    (void)state;
    example("quarter-car-active.yaml", names, NULL);
    example("quarter-car-active.yaml", names, "relative");
}

static void of_a_washing_machine(void **state)
{
    static const char *const names[] = {"k", "c", "spin", NULL};
    (void)state;
    example("washing-machine.yaml", names, NULL);
}

static void of_a_car(void **state)
{
    static const char *const names[] = {"front_left.k", "front_right.k", NULL};
    (void)state;
    example("car/car.yaml", names, NULL);
}

/* With states that the model names, in a steady motion, and with friction. */
static void of_others(void **state)
{
    static const char *const v[] = {"v", NULL}, *const m[] = {"m", NULL}, *const k[] = {"k4", NULL};
    (void)state;
    example("bicycle.yaml", v, NULL);
    example("pendulum-with-friction.yaml", m, NULL);
    example("joint-chain.yaml", k, NULL);
}

/* In a steady motion with tyres, which takes longer. */
static void of_a_car_that_drives(void **state)
{
    static const char *const names[] = {"speed", NULL};
    (void)state;
    if (!full_effort()) skip();
    example("car/driving.yaml", names, NULL);
}

/* A tree of 30 hinges, of which two bodies are as heavy as parameters say. */
static void of_a_humanoid(void **state)
{
    static const char *const names[] = {"torso", "thigh", NULL};
    static const char *const masses[] = {"mass: 18,", "mass: 7,"};
    rt_file file;
    growing_text text = {0};
    routh_model *model;
    routh_error error;
    (void)state;
    if (rt_file_read("examples/humanoid.yaml", &file, &error)) fail_msg("%s", error.message);
    text_add(&text, "parameters: {torso: 18, thigh: 7}\n");
    const char *from = file.bytes;
    for (int k = 0; k < 2; k++) {
        const char *at = strstr(from, masses[k]);
        assert_non_null(at);
        text_add(&text, "%.*smass: %s,", (int)(at - from), from, names[k]);
        from = at + strlen(masses[k]);
    }
    text_add(&text, "%s", from);
    if (routh_model_parse(&model, text.bytes, text.length, NULL, NULL, 0, &error))
        fail_msg("%s", error.message);
    routh_linear_options how = routh_linear_defaults();
    how.threads = 1;
    round_and_round("humanoid", model, names, NULL, &how);
    round_and_round("humanoid", model, names, "relative", &how);
    routh_model_free(model);
    free(text.bytes);
    free(file.bytes);
}

/* Blocks of sizes that a model no longer has go back to the system. */
static void what_was_given_back_is_asked_for_again(void **state)
{
    (void)state;
    rt_analyses *a = rt_analyses_create();
    assert_non_null(a);
    for (int trimmed = 0; trimmed < 2; trimmed++) {
        void *used = rt_kept_malloc(a, 1000), *idle = rt_kept_malloc(a, 5000);
        rt_kept_free(idle);
        if (trimmed) rt_analyses_trim(a);
        start(0, false);
        idle = rt_kept_malloc(a, 5000);
        assert_int_equal(n_asked, trimmed);
        rt_kept_free(idle), rt_kept_free(used);
    }
    rt_analyses_free(a);
}

/* A model whose number of elements changes: each size begins with memory of its own. */
static void a_model_of_other_sizes_keeps_no_memory_of_those_before(void **state)
{
    (void)state;
    static const char text[] =
        "parameters: {ne: 12}\n"
        "operating_point: {type: static}\n"
        "beams:\n  b: {type: sections, from: [0, 0, 0], to: [1, 0, 0], side: [0, 1, 0], elements: "
        "ne, order: 2,\n"
        "    mass_per_length: 1, inertia_y: 1e-6, inertia_z: 1e-6, EA: 1e4, GAy: 1e4, GAz: 1e4,\n"
        "    GJ: 1, EIy: 1, EIz: 1}\n"
        "joints: {root: {type: fixed, between: [b.first, ground], at: [0, 0, 0]}}\n";
    static const char *const names[] = {"ne", NULL};
    routh_model *model;
    routh_parametric *p;
    const routh_mechanism *mechanism;
    const routh_modes *modes;
    routh_error error;
    long asked[3];
    assert_int_equal(routh_model_parse(&model, text, strlen(text), NULL, NULL, 0, &error),
                     ROUTH_OK);
    assert_int_equal(routh_parametric_create(&p, model, names, NULL, NULL, NULL, &error), ROUTH_OK);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(routh_parametric_set(p, 0, k == 1 ? 2 : 12, &error), ROUTH_OK);
        assert_int_equal(routh_parametric_mechanism(p, &mechanism, &error), ROUTH_OK);
        start(0, false);
        assert_int_equal(routh_parametric_modes(p, &modes, &error), ROUTH_OK);
        asked[k] = n_asked;
    }
    assert_true(asked[2] > asked[0] / 4); /* 3 of 273 where all is kept */
    routh_parametric_free(p);
    routh_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_quarter_car),
        cmocka_unit_test(of_a_washing_machine),
        cmocka_unit_test(of_a_car),
        cmocka_unit_test(of_a_humanoid),
        cmocka_unit_test(of_others),
        cmocka_unit_test(of_a_car_that_drives),
        cmocka_unit_test(what_was_given_back_is_asked_for_again),
        cmocka_unit_test(a_model_of_other_sizes_keeps_no_memory_of_those_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
