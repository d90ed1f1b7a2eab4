/* Tests of model/signals and model/used_inputs: names, their meaning in expressions, what depends
 * on inputs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model_text.h"

#define BODY "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"

static void inputs_and_outputs_are_read_in_both_ways(void **state)
{
    (void)state;
    routh_model *m = read_model("parameters: {F: 3}\n" BODY
                                "inputs: {push: {value: 2*F, unit: N}, pull: -1, off: {}}\n"
                                "outputs: {y: {expression: \"2*push\", unit: N}, z: \"push\"}\n");
    assert_int_equal(m->n_inputs, 3);
    assert_string_equal(m->inputs[0].name, "push");
    assert_string_equal(m->inputs[0].unit, "N");
    assert_near(m->inputs[0].value.value, 6, 0);
    assert_true(m->inputs[0].value.expr >= 0);
    assert_near(m->inputs[1].value.value, -1, 0);
    assert_string_equal(m->inputs[1].unit, "");
    assert_near(m->inputs[2].value.value, 0, 0);
    assert_int_equal(m->n_outputs, 2);
    assert_string_equal(m->outputs[0].name, "y");
    assert_string_equal(m->outputs[0].unit, "N");
    const double slots[] = {3, 7}; /* F, push */
    assert_int_equal(m->quantities[1].kind, RT_QUANTITY_INPUT);
    assert_near(evaluate(m, m->outputs[0].value.expr, slots), 14, 0);
    assert_near(evaluate(m, m->outputs[1].value.expr, slots), 7, 0);
    routh_model_free(m);
}

static void variables_may_need_each_other(void **state)
{
    (void)state;
    routh_model *m =
        read_model(BODY "variables: {a: \"b + 1\", b: {expression: \"a^2\", guess: 3, unit: m}}\n");
    assert_int_equal(m->n_variables, 2);
    assert_string_equal(m->variables[1].element, "variable b");
    assert_string_equal(m->variables[1].unit, "m");
    assert_near(m->variables[1].guess.value, 3, 0);
    assert_near(m->variables[0].guess.value, 0, 0);
    const double slots[] = {5, 7}; /* b, then a, as they are met */
    assert_int_equal(m->quantities[0].kind, RT_QUANTITY_VARIABLE);
    assert_int_equal(m->quantities[0].index, 1);
    assert_near(evaluate(m, m->variables[0].value.expr, slots), 6, 0);
    assert_near(evaluate(m, m->variables[1].value.expr, slots), 49, 0);
    routh_model_free(m);
}

static void signals_are_found_by_name(void **state)
{
    (void)state;
    rt_quantity_kind kind = RT_QUANTITY_TIME;
    routh_model *m =
        read_model(BODY "inputs: {push: 0}\n"
                        "variables: {v: \"DX(b)\"}\n"
                        "controllers:\n"
                        "  plant: {type: state_space, inputs: [v], A: [[1]], B: [[1]], C: [[1]]}\n"
                        "  lag: {type: differential, rate: \"-lag\"}\n");
    assert_int_equal(rt_model_find_signal(m, "push", &kind), 0);
    assert_int_equal(kind, RT_QUANTITY_INPUT);
    assert_int_equal(rt_model_find_signal(m, "lag", &kind), 1);
    assert_int_equal(kind, RT_QUANTITY_STATE);
    assert_int_equal(rt_model_find_signal(m, "plant.y1", &kind), 1);
    assert_int_equal(kind, RT_QUANTITY_VARIABLE);
    assert_int_equal(rt_model_find_signal(m, "plant", &kind), -2);
    assert_int_equal(rt_model_find_signal(m, "nothing", &kind), -2);
    /* states, rates, variables, inputs */
    assert_int_equal(rt_count_signals(m), 2 * 2 + 2 + 1);
    const rt_quantity rate = {.kind = RT_QUANTITY_STATE_RATE, .index = 1};
    assert_int_equal(rt_signal_place(m, &rate), 3);
    routh_model_free(m);
}

static void a_signal_may_be_named_as_a_body(void **state)
{
    (void)state;
    routh_model *m = read_model(BODY "variables: {b: \"DX(b)\"}\noutputs: {y: \"b + DX(b)\"}\n");
    assert_int_equal(m->n_quantities, 2);
    const double slots[] = {2, 5};
    assert_near(evaluate(m, m->outputs[0].value.expr, slots), 7, 0);
    routh_model_free(m);
}

static void a_motion_may_follow_inputs(void **state)
{
    (void)state;
    routh_model *m = read_model(BODY "inputs: {speed: 2}\n"
                                     "joints: {m: {type: motion, between: [b, ground], along: x, "
                                     "function: \"speed*time\"}}\n");
    const double slots[] = {3, 5};
    assert_near(evaluate(m, m->joints[0].function.expr, slots), 15, 0);
    assert_true(m->inputs[0].used);
    routh_model_free(m);
}

/* Directly in a load, an output, an equation; through variables; and into variables that lead
 * nowhere. */
static void an_input_is_used_where_it_reaches_something(void **state)
{
    (void)state;
    routh_model *m = read_model(
        BODY "inputs: {a: 0, b: 0, c: 0, d: 0, e1: 0, f: 0}\n"
             "variables: {v: \"w + 1\", w: \"c + v\", dead: \"d + end\", end: \"dead\"}\n"
             "controllers: {lag: {type: differential, rate: \"b - lag\"}}\n"
             "outputs: {y: \"v\", z: \"e1\"}\n"
             "loads: {f: {type: force, on: b, components: [0, \"a\", 0]}}\n");
    static const bool used[] = {true, true, true, false, true, false};
    for (int k = 0; k < 6; k++) assert_int_equal(m->inputs[k].used, used[k]);
    routh_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_and_outputs_are_read_in_both_ways),
        cmocka_unit_test(variables_may_need_each_other),
        cmocka_unit_test(signals_are_found_by_name),
        cmocka_unit_test(a_signal_may_be_named_as_a_body),
        cmocka_unit_test(a_motion_may_follow_inputs),
        cmocka_unit_test(an_input_is_used_where_it_reaches_something),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
