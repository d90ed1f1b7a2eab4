/* Tests of system/switches: values of switching functions, and what events do. */
#include "system/switches.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/mechanisms.h"

/* A rod on a cart; every kind of switch, those that move and those of time. */
static const char text[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  cart: {mass: 2, inertia: [1, 1, 1]}\n"
    "  rod: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, -0.5]}\n"
    "joints:\n"
    "  rail: {type: translational, between: [cart, ground], axis: x, at: [0, 0, 0]}\n"
    "  hinge: {type: revolute, between: [rod, cart], axis: y, at: [0, 0, 0]}\n"
    "inputs: {u: 3, w: 1}\n"
    "simulate: {inputs: {u: \"3 + time\"}}\n"
    "variables: {gap: \"DX(cart) - u\"}\n"
    "loads:\n"
    "  stop: {type: force, on: cart, components: [\"-100*max(0, gap)\", 0, 0]}\n"
    "  push: {type: force, on: cart, components: [\"min(2, max(0, time - 1))\", 0, 0]}\n"
    "outputs: {y: \"abs(DX(rod, cart))\", f: \"abs(FX(hinge))\"}\n"
    "events:\n"
    "  left: {when: \"DX(rod) - 0.25\", direction: falling}\n"
    "  change: {when: \"time - 0.5\", action: set, input: u, value: \"2*DX(cart) + VX(rod)*0 + "
    "w\"}\n";

enum { N_KINKS = 5, N_EVENTS = 2, LEFT = N_KINKS, CHANGE };

static void make(test_mechanism *t, const char *coordinates)
{
    mechanism_make(t, text);
    rt_state_free(t->state);
    rt_workspace_free(t->w);
    routh_mechanism_free(t->m);
    assert_int_equal(routh_mechanism_compile(&t->m, t->model, coordinates, NULL), ROUTH_OK);
    assert_int_equal(rt_workspace_create(&t->w, t->m, NULL), ROUTH_OK);
    assert_int_equal(rt_state_create(&t->state, t->m, NULL), ROUTH_OK);
}

static double *signal_of(const test_mechanism *t, rt_quantity_kind kind, int index)
{
    const rt_quantity quantity = {.kind = kind, .index = index};
    return t->state->signal + rt_signal_place(t->model, &quantity);
}

/* At a time, with the variable where it belongs. */
static void move_to(test_mechanism *t, double time)
{
    t->state->t = time;
    assert_int_equal(rt_input_histories_set(t->m, t->state, NULL), ROUTH_OK);
    *signal_of(t, RT_QUANTITY_VARIABLE, 0) = 0 - *signal_of(t, RT_QUANTITY_INPUT, 0);
    assert_int_equal(rt_evaluate(t->m, t->w, t->state, RT_EVALUATE_ALL, NULL), ROUTH_OK);
}

static void assert_value(double found, double expected)
{
    if (!(fabs(found - expected) < 1e-14)) fail_msg("%.17g, %.17g expected", found, expected);
}

static void values_are_distances_and_functions(void **unused)
{
    (void)unused;
    for (int k = 0; routh_coordinate_name(k); k++) {
        test_mechanism t;
        double value[N_KINKS + N_EVENTS];
        make(&t, routh_coordinate_name(k));
        assert_int_equal(rt_switch_count(t.m), N_KINKS + N_EVENTS);
        for (int i = 0; i < N_KINKS; i++) assert_int_equal(rt_switch_event(t.m, i), -1);
        assert_int_equal(rt_switch_event(t.m, LEFT), 0);
        assert_int_equal(rt_switch_event(t.m, CHANGE), 1);
        memset(t.state->lambda, 0, (size_t)t.m->n_rows * sizeof(double));
        for (int j = 0; j < 3; j++) {
            const double time = 0.75 * j, u = 3 + time;
            move_to(&t, time);
            assert_int_equal(rt_switch_values(t.m, t.w, t.state, value, NULL), ROUTH_OK);
            assert_value(value[0], 0 - (0 - u));           /* max(0, gap) */
            assert_value(value[1], 0 - (time - 1));        /* max(0, time - 1) */
            assert_value(value[2], 2 - fmax(0, time - 1)); /* min(2, ..) */
            assert_value(value[3], 0.5);
            assert_value(value[4], 0); /* no forces yet */
            assert_value(value[LEFT], 0.25);
            assert_value(value[CHANGE], time - 0.5);
        }
        mechanism_release(&t);
    }
}

/* |v| v has two sides of one slope at rest, friction has not. */
static void a_crossing_without_a_jump_does_not_matter(void **unused)
{
    (void)unused;
    test_mechanism t;
    mechanism_make(&t, "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                       "loads:\n"
                       "  drag: {type: force, on: b, components: [\"-VX(b)*abs(VX(b))\", 0, 0]}\n"
                       "  rub: {type: force, on: b, components: [0, \"-sign(VY(b))\", 0]}\n"
                       "events: {e: {when: \"DX(b)\"}}\n");
    assert_int_equal(rt_evaluate(t.m, t.w, t.state, RT_EVALUATE_ALL, NULL), ROUTH_OK);
    assert_int_equal(rt_switch_count(t.m), 3);
    assert_false(rt_switch_matters(t.m, t.w, t.state, 0));
    assert_true(rt_switch_matters(t.m, t.w, t.state, 1));
    assert_true(rt_switch_matters(t.m, t.w, t.state, 2));
    mechanism_release(&t);
}

static void forces_are_those_of_the_state(void **unused)
{
    (void)unused;
    test_mechanism t;
    double value[N_KINKS + N_EVENTS];
    make(&t, "absolute");
    routh_operating_point *point = mechanism_point(&t);
    double force = 0;
    for (int k = 0; k < point->n_signals; k++)
        if (!strcmp(point->signals[k].name, "f")) force = point->signals[k].value;
    rt_state_copy(t.m, t.state, point->state);
    assert_int_equal(rt_evaluate(t.m, t.w, t.state, RT_EVALUATE_ALL, NULL), ROUTH_OK);
    assert_int_equal(rt_switch_values(t.m, t.w, t.state, value, NULL), ROUTH_OK);
    assert_true(force > 1);
    assert_true(fabs(fabs(value[4]) - force) < 1e-12 * force);
    routh_operating_point_free(point);
    mechanism_release(&t);
}

static void apply(const test_mechanism *t, int k)
{
    double value;
    assert_int_equal(rt_event_value(t->m, t->w, t->state, k, &value, NULL), ROUTH_OK);
    rt_event_set(t->m, t->state, k, value);
}

static void set_gives_an_input_another_value(void **unused)
{
    (void)unused;
    test_mechanism t;
    make(&t, "relative");
    move_to(&t, 0.5);
    double *u = signal_of(&t, RT_QUANTITY_INPUT, 0);
    const int n = t.m->n_signals;
    assert_value(u[0], 3.5);
    assert_value(u[n], 1);
    apply(&t, 0); /* record: nothing */
    assert_value(u[0], 3.5);
    assert_false(t.state->held[0]);
    apply(&t, 1);
    assert_value(u[0], 1); /* 2*0 + w */
    assert_value(u[n], 0);
    assert_value(u[2 * n], 0);
    assert_true(t.state->held[0]);
    assert_false(t.state->held[1]);
    t.state->t = 2; /* the history is over, in copies of the state too */
    rt_state *copy;
    assert_int_equal(rt_state_create(&copy, t.m, NULL), ROUTH_OK);
    rt_state_copy(t.m, copy, t.state);
    assert_int_equal(rt_input_histories_set(t.m, copy, NULL), ROUTH_OK);
    assert_value(copy->signal[u - t.state->signal], 1);
    rt_state_free(copy);
    mechanism_release(&t);
}

static void values_that_are_no_numbers_are_named(void **unused)
{
    (void)unused;
    test_mechanism t;
    routh_error error = {0};
    double value[2];
    mechanism_make(&t, "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                       "outputs: {y: \"min(1, 1/time)\"}\n"
                       "events: {e: {when: \"sqrt(1 - time)\"}}\n");
    t.state->t = 0;
    assert_int_equal(rt_evaluate(t.m, t.w, t.state, RT_EVALUATE_ALL, NULL), ROUTH_OK);
    assert_int_equal(rt_switch_values(t.m, t.w, t.state, value, &error), ROUTH_OK);
    assert_true(value[0] < -1e300 && isfinite(value[0])); /* 1 - 1/0 */
    assert_value(value[1], 1);
    t.state->t = 2;
    assert_int_equal(rt_switch_values(t.m, t.w, t.state, value, &error), ROUTH_NUMERIC_ERROR);
    assert_string_equal(error.element, "event e");
    assert_int_equal(error.line, 3);
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_distances_and_functions),
        cmocka_unit_test(a_crossing_without_a_jump_does_not_matter),
        cmocka_unit_test(forces_are_those_of_the_state),
        cmocka_unit_test(set_gives_an_input_another_value),
        cmocka_unit_test(values_that_are_no_numbers_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
