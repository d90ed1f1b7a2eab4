/* Tests of model/simulate: what a file says of a run in time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model_text.h"

#define BODY "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"

static void everything_is_read(void **state)
{
    (void)state;
    routh_model *m = read_model("parameters: {T: 3, f: 2}\n" BODY
                                "inputs: {rest: 4, push: 7}\n"
                                "operating_point: {time: -1}\n"
                                "simulate:\n"
                                "  end: 2*T\n"
                                "  every: 1/f\n"
                                "  integrator: generalized-alpha\n"
                                "  tolerance: 1e-8\n"
                                "  step: T/1000\n"
                                "  largest_step: 0.25\n"
                                "  inputs: {push: \"f*time\"}\n");
    const rt_simulation *s = &m->simulation;
    assert_true(s->given && s->end_given);
    assert_int_equal(s->place.line, 5);
    assert_near(s->end.value, 6, 0);
    assert_true(s->end.expr >= 0);
    assert_near(s->every.value, 0.5, 0);
    assert_string_equal(s->integrator, "generalized-alpha");
    assert_int_equal(s->integrator_place.line, 8);
    assert_near(s->tolerance.value, 1e-8, 0);
    assert_near(s->step.value, 0.003, 1e-18);
    assert_true(s->step.expr >= 0);
    assert_near(s->largest_step.value, 0.25, 0);
    assert_true(m->inputs[0].history.expr < 0);
    assert_true(m->inputs[1].history.expr >= 0);
    assert_int_equal(m->inputs[1].history.place.line, 12);
    routh_model_free(m);
}

static void nothing_is_given(void **state)
{
    (void)state;
    routh_model *m = read_model(BODY "inputs: {push: 0}\n");
    const rt_simulation *s = &m->simulation;
    assert_false(s->given || s->end_given);
    assert_null(s->integrator);
    assert_near(s->every.value, 0, 0);
    assert_near(s->step.value, 0, 0);
    assert_true(m->inputs[0].history.expr < 0);
    routh_model_free(m);
}

/* An end at zero is one too, where the run begins before. */
static void a_run_may_end_at_time_zero(void **state)
{
    (void)state;
    routh_model *m = read_model(BODY "operating_point: {time: -1}\nsimulate: {end: 0}\n");
    assert_true(m->simulation.end_given);
    routh_model_free(m);
    refuse_model(BODY "simulate: {end: 0}\n", "end must be later");
}

static void a_history_may_be_written_as_a_mapping(void **state)
{
    (void)state;
    routh_model *m = read_model(BODY "inputs: {push: 0}\n"
                                     "simulate: {inputs: {push: {expression: \"time^2\"}}}\n");
    assert_true(m->inputs[0].history.expr >= 0);
    routh_model_free(m);
}

/* Points on a straight line have it as their curve, before and after them too. */
static void a_history_may_be_a_table(void **state)
{
    (void)state;
    const double times[] = {-3, 0.25, 1, 7};
    routh_model *m = read_model("parameters: {f: 2}\n" BODY "inputs: {push: 0}\n"
                                "simulate: {inputs: {push: {table: [[0, 1], [0.5, f], [2, 5]]}}}\n");
    const rt_expr e = m->inputs[0].history.expr;
    int slot[2];
    assert_true(e >= 0);
    assert_int_equal(m->inputs[0].history.place.line, 4);
    assert_int_equal(rt_inputs_of(m->graph, e, slot, 2), 2); /* of f and of time */
    for (int k = 0; k < 4; k++) {
        double in[8] = {0};
        for (int i = 0; i < 2; i++) {
            const bool is_time = m->quantities[slot[i]].kind == RT_QUANTITY_TIME;
            assert_true(is_time || m->quantities[slot[i]].kind == RT_QUANTITY_PARAMETER);
            in[slot[i]] = is_time ? times[k] : 2;
        }
        assert_near(evaluate(m, e, in), 1 + 2 * times[k], 1e-14); /* of a sum with terms to 40 */
    }
    routh_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_read),
        cmocka_unit_test(nothing_is_given),
        cmocka_unit_test(a_run_may_end_at_time_zero),
        cmocka_unit_test(a_history_may_be_written_as_a_mapping),
        cmocka_unit_test(a_history_may_be_a_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
