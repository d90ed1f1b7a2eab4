/* Tests of model/states: states of the user's own and those preferred. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model_text.h"

#define BODY "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"

static void states_of_the_users_own_are_expressions_of_positions(void **state)
{
    (void)state;
    routh_model *m = read_model("parameters: {l: 2}\n" BODY "linearize:\n"
                                "  coordinates:\n"
                                "    stretch: {expression: \"DX(b)^3/l\", unit: m^3}\n"
                                "    theta: \"AZ(b)\"\n");
    assert_int_equal(m->n_user_states, 2);
    assert_string_equal(m->user_states[0].name, "stretch");
    assert_string_equal(m->user_states[0].unit, "m^3");
    assert_int_equal(m->user_states[0].place.line, 5);
    assert_string_equal(m->user_states[1].unit, "");
    assert_int_equal(rt_model_find_user_state(m, "theta"), 1);
    assert_int_equal(rt_model_find_user_state(m, "thetas"), -2);
    double slots[8] = {2}; /* l, then the dot product of DX */
    assert_int_equal(m->quantities[0].kind, RT_QUANTITY_PARAMETER);
    assert_int_equal(m->quantities[1].b.kind, RT_VECTOR_DISPLACEMENT);
    slots[1] = 3;
    assert_near(evaluate(m, m->user_states[0].value.expr, slots), 13.5, 1e-14);
    routh_model_free(m);
}

static void states_and_velocities_name_coordinates_of_both_kinds(void **state)
{
    (void)state;
    routh_model *m = read_model(BODY "linearize:\n"
                                     "  coordinates: {theta: \"AZ(b)\"}\n"
                                     "  states: [b.x, theta]\n"
                                     "  velocities: [theta, b.ry]\n");
    assert_int_equal(m->n_states, 2);
    assert_string_equal(m->states[1], "theta");
    assert_int_equal(m->state_places[1].line, 4);
    assert_int_equal(m->n_velocities, 2);
    assert_string_equal(m->velocities[0], "theta");
    assert_string_equal(m->velocities[1], "b.ry");
    assert_int_equal(m->velocity_places[1].line, 5);
    routh_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_of_the_users_own_are_expressions_of_positions),
        cmocka_unit_test(states_and_velocities_name_coordinates_of_both_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
