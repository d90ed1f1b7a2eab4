/* Tests of model/events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model_text.h"

#define BODY "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"

static void events_are_read(void **state)
{
    (void)state;
    routh_model *m = read_model(BODY "inputs: {other: 0, valve: 1}\n"
                                     "events:\n"
                                     "  top: {when: \"VZ(b)\"}\n"
                                     "  ground: {when: \"DZ(b)\", direction: falling, action: stop}\n"
                                     "  open:\n"
                                     "    when: \"time - 2\"\n"
                                     "    direction: rising\n"
                                     "    action: set\n"
                                     "    input: valve\n"
                                     "    value: \"3*time + other\"\n");
    assert_int_equal(m->n_events, 3);
    const rt_event *top = &m->events[0], *ground = &m->events[1], *open = &m->events[2];
    assert_string_equal(top->name, "top");
    assert_int_equal(top->direction, RT_EVENT_BOTH);
    assert_int_equal(top->action, RT_EVENT_RECORD);
    assert_int_equal(top->input, -1);
    assert_true(top->value.expr < 0);
    assert_int_equal(ground->direction, RT_EVENT_FALLING);
    assert_int_equal(ground->action, RT_EVENT_STOP);
    assert_int_equal(ground->when.place.line, 5);
    assert_int_equal(open->direction, RT_EVENT_RISING);
    assert_int_equal(open->action, RT_EVENT_SET);
    assert_int_equal(open->input, 1);
    double slots[4] = {0};
    for (int k = 0; k < m->n_quantities; k++) {
        if (m->quantities[k].kind == RT_QUANTITY_TIME) slots[k] = 5;
        if (m->quantities[k].kind == RT_QUANTITY_INPUT) slots[k] = 100;
    }
    assert_near(evaluate(m, open->when.expr, slots), 3, 0);
    assert_near(evaluate(m, open->value.expr, slots), 115, 0);
    routh_model_free(m);
}

static void without_events_there_are_none(void **state)
{
    (void)state;
    routh_model *m = read_model(BODY);
    assert_int_equal(m->n_events, 0);
    routh_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_read),
        cmocka_unit_test(without_events_there_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
