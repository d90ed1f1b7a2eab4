/* What is known of a state is not evaluated again, and nothing else is taken for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/mechanisms.h"

static const char pendulum[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies: {a: {mass: 2, inertia: [1, 1, 1], position: [0.3, 0, -1]}}\n"
    "joints: {h: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: y}}\n"
    "loads: {t: {type: torsion_spring, between: [a, ground], axis: y, stiffness: 3}}\n";

enum {
    FORCES = RT_EVALUATE_RESIDUAL,
    MORE = RT_EVALUATE_RESIDUAL | RT_EVALUATE_TANGENT,
    MARK = 1234567
};

/* Is the residual evaluated by the call? The mark is left where it is not. */
static bool evaluates(test_mechanism *t, int what)
{
    routh_error error;
    t->w->residual[0] = MARK;
    assert_int_equal(rt_evaluate_once(t->m, t->w, t->state, what, &error), ROUTH_OK);
    return t->w->residual[0] != MARK;
}

static void states_are_evaluated_once(void **unused)
{
    test_mechanism t;
    routh_error error;
    (void)unused;
    mechanism_make(&t, pendulum);
    assert_true(evaluates(&t, FORCES));
    assert_false(evaluates(&t, FORCES));
    assert_true(evaluates(&t, MORE));
    assert_false(evaluates(&t, FORCES)); /* it is among what is known */
    t.state->udot[1] = 0.5;
    assert_true(evaluates(&t, MORE));
    t.state->lambda[0] = 2;
    assert_true(evaluates(&t, MORE));
    t.state->t = 3;
    assert_true(evaluates(&t, MORE));
    t.state->near[0] += 6;
    assert_true(evaluates(&t, MORE));
    assert_false(evaluates(&t, MORE));
    assert_int_equal(rt_evaluate(t.m, t.w, t.state, FORCES, &error), ROUTH_OK);
    assert_true(evaluates(&t, MORE));
    rt_evaluate_frames(t.m, t.w, t.state);
    assert_true(evaluates(&t, MORE));
    t.w->evaluated = 0;
    assert_true(evaluates(&t, MORE));
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(states_are_evaluated_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
