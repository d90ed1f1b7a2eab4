/* The N-th allocation fails, for every N, of what elements do in modes and what moves them, and
 * of what is written of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "oom/refuse.h"
#include "routh/routh.h"

static const char pendulum[] =
    "parameters: {c: 0.4}\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies: {rod: {mass: 1, inertia: [1, 1, 0.1], position: [0, 0, -1]}}\n"
    "joints: {hinge: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: y}}\n"
    "loads:\n"
    "  brake: {type: bushing, between: [rod, ground], rotation: {damping: c}}\n"
    "  motor: {type: torque, on: rod, components: [0, -3*slow, 0]}\n"
    "controllers: {slow: {type: differential, rate: AY(rod) - slow}}\n";

typedef struct subject {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
} subject;

static routh_status make(const subject *s, double *answer, routh_error *error)
{
    static routh_status (*const writers[])(const routh_results *, routh_text *,
                                           routh_error *) = {routh_modes_table, routh_modes_json};
    routh_attribution *a = NULL;
    routh_status status =
        routh_attribution_compute(&a, s->mechanism, s->point, s->linear, s->modes, error);
    assert_true((a == NULL) == (status != ROUTH_OK));
    const routh_results results = {
        .point = s->point, .linear = s->linear, .modes = s->modes, .attribution = a};
    for (int k = 0; k < 2 && !status; k++) {
        routh_text text;
        status = writers[k](&results, &text, error);
        assert_true((text.bytes == NULL) == (status != ROUTH_OK));
        routh_text_free(&text);
    }
    if (!status) *answer = a->parts[0].kinetic;
    routh_attribution_free(a);
    return status;
}

/* The same model at another place, which stays. */
static routh_status at(void *context, double t, routh_compared *there, routh_error *error)
{
    const subject *s = context;
    (void)t;
    (void)error;
    *there = (routh_compared){s->mechanism, s->point, s->linear, s->modes};
    return ROUTH_OK;
}

static routh_status make_comparison(const subject *s, double *answer, routh_error *error)
{
    const routh_compared side = {s->mechanism, s->point, s->linear, s->modes};
    static const char *const names[] = {"c", NULL};
    const routh_compare_path path = {(void *)s, at};
    routh_comparison *c = NULL;
    routh_status status = routh_comparison_compute(&c, &side, &side, error);
    assert_true((c == NULL) == (status != ROUTH_OK));
    if (!status) status = routh_comparison_by_parameters(c, &side, &side, &path, names, 1, error);
    if (c) assert_true((c->n_parameters == 1) == (status == ROUTH_OK));
    const routh_results results = {.point = s->point, .linear = s->linear, .modes = s->modes};
    for (int k = 0; k < 2 && !status; k++) {
        routh_text text;
        status = (k ? routh_comparison_json : routh_comparison_table)(c, &results, &results, &text,
                                                                      error);
        assert_true((text.bytes == NULL) == (status != ROUTH_OK));
        routh_text_free(&text);
    }
    if (!status) *answer = c->n_pairs;
    routh_comparison_free(c);
    return status;
}

static void refuse_each(const subject *s,
                        routh_status (*maker)(const subject *, double *, routh_error *))
{
    double whole = 0;
    long refused = 1, n_told = 0;
    assert_int_equal(maker(s, &whole, NULL), ROUTH_OK);
    assert_true(whole > 0);
    for (long n = 1; refused > 0; n = next_allocation(n)) {
        double answer = 0;
        routh_error error = {0};
        catch_output();
        start(n, false);
        const routh_status status = maker(s, &answer, &error);
        refused = n_refused;
        start(0, false);
        assert_silence();
        if (status != ROUTH_OK && status != ROUTH_OUT_OF_MEMORY)
            fail_msg("allocation %ld: %d %s", n, (int)status, error.message);
        if (status == ROUTH_OK) assert_true(answer == whole);
        n_told += status != ROUTH_OK;
    }
    if (n_told < 60) fail_msg("only %ld times told", n_told);
}

static void each_allocation(void **unused)
{
    (void)unused;
    subject s = {0};
    start(0, false);
    assert_int_equal(routh_model_parse(&s.model, pendulum, strlen(pendulum), "test", NULL, 0, NULL),
                     0);
    assert_int_equal(routh_mechanism_compile(&s.mechanism, s.model, NULL, NULL), 0);
    assert_int_equal(routh_operating_point_find(&s.point, s.mechanism, NULL, NULL), 0);
    assert_int_equal(routh_linear_compute(&s.linear, s.mechanism, s.point, NULL, NULL), 0);
    assert_int_equal(routh_modes_compute(&s.modes, s.linear, NULL), 0);
    refuse_each(&s, make);
    refuse_each(&s, make_comparison);
    routh_modes_free(s.modes);
    routh_linear_free(s.linear);
    routh_operating_point_free(s.point);
    routh_mechanism_free(s.mechanism);
    routh_model_free(s.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
