/* Searches that begin at another operating point, and not as the model is written. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/mechanisms.h"

/* Stable at x = -1 and 1, unstable at 0. */
static const char WELLS[] =
    "parameters: {start: 0.3}\n"
    "bodies: {slider: {mass: 2, inertia: [1, 1, 1], position: [start, 0, 0]}}\n"
    "joints: {rail: {type: translational, between: [slider, ground], at: [0, 0, 0], axis: x}}\n"
    "loads: {f: {type: force, on: slider, components: [\"50*(DX(slider) - DX(slider)^3)\", 0, "
    "0]}}\n"
    "operating_point: {type: static}\n";

static const char BOB[] =
    "gravity: [0, 0, -9.81]\n"
    "parameters: {w: 12, tilt: 0.1}\n"
    "bodies:\n"
    "  hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, w]}\n"
    "  bob:\n"
    "    {mass: 1, inertia: [1e-9, 1e-9, 1e-9], position: [0.2*sin(tilt), 0, -0.2*cos(tilt)],\n"
    "     orientation: {axis: [0, 1, 0], angle: -tilt}}\n"
    "joints:\n"
    "  bearing: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}\n"
    "  pin: {type: revolute, between: [bob, hub], at: [0, 0, 0], axis: y}\n"
    "operating_point: {type: steady}\n"
    "steady: {axis: z, turn_rate: w}\n";

/* The point of a mechanism whose model begins elsewhere, at which m begins. */
static routh_operating_point *begins_at(const test_mechanism *m, const char *text,
                                        const char *const *settings,
                                        routh_operating_point_type type)
{
    test_mechanism other;
    routh_error e = {0};
    routh_operating_point *there = NULL, *start = NULL;
    routh_initial_state *state = NULL;
    routh_operating_point_options how = routh_operating_point_defaults();
    how.type = type;
    mechanism_make_with(&other, text, settings);
    assert_int_equal(routh_operating_point_find(&there, other.m, &how, &e), ROUTH_OK);
    assert_int_equal(routh_initial_state_of_point(&state, other.m, there, &e), ROUTH_OK);
    assert_int_equal(routh_operating_point_of_state(&start, m->m, state, NULL, &e), ROUTH_OK);
    routh_initial_state_free(state);
    routh_operating_point_free(there);
    mechanism_release(&other);
    return start;
}

static double place_from(const char *begin)
{
    const char *const settings[] = {"start", begin, NULL};
    test_mechanism t;
    routh_error e = {0};
    routh_operating_point *point = NULL;
    mechanism_make(&t, WELLS);
    routh_operating_point *start = begins_at(&t, WELLS, settings, ROUTH_OPERATING_GIVEN);
    assert_int_equal(routh_operating_point_find_from(&point, t.m, start, NULL, &e), ROUTH_OK);
    const double x = point->bodies[0].position[0];
    assert_true(start->bodies[0].position[0] == strtod(begin, NULL));
    routh_operating_point_free(start);
    routh_operating_point_free(point);
    mechanism_release(&t);
    return x;
}

static void the_start_decides_which_equilibrium_is_found(void **unused)
{
    (void)unused;
    assert_true(fabs(place_from("0.2") - 1) < 1e-9);
    assert_true(fabs(place_from("-0.2") + 1) < 1e-9);
    assert_true(fabs(place_from("-3") + 1) < 1e-9);
}

/* cos(tilt) = g / (l w^2) outwards, or the other side; the model itself begins almost hanging. */
static void a_steady_motion_from_another(void **unused)
{
    (void)unused;
    const double tilt = acos(9.81 / (0.2 * 144));
    for (int side = -1; side <= 1; side += 2) {
        const char *const settings[] = {"tilt", side > 0 ? "1.2" : "-1.2", NULL};
        test_mechanism t;
        routh_error e = {0};
        routh_operating_point *point = NULL;
        mechanism_make(&t, BOB);
        routh_operating_point *start = begins_at(&t, BOB, settings, ROUTH_OPERATING_GIVEN);
        assert_int_equal(routh_operating_point_find_from(&point, t.m, start, NULL, &e), ROUTH_OK);
        const double *r = point->bodies[1].position;
        assert_true(fabs(atan2(copysign(hypot(r[0], r[1]), r[0]), -r[2]) - side * tilt) < 1e-9);
        routh_operating_point_free(start);
        routh_operating_point_free(point);
        mechanism_release(&t);
    }
}

/* The node between spring and damper has no inertia: where a search begins it may move and be out
 * of balance all the same; as an operating point such a state is refused. */
static const char MOUNT[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  machine: {mass: 40, inertia: [2, 2, 2], position: [0, 0, 0.2]}\n"
    "  node: {mass: 0, inertia: [0, 0, 0], position: [0, 0, 0.1]}\n"
    "joints:\n"
    "  column: {type: translational, between: [machine, ground], at: [0, 0, 0], axis: z}\n"
    "  guide: {type: translational, between: [node, ground], at: [0, 0, 0], axis: z}\n"
    "loads:\n"
    "  beside: {type: spring, between: [machine, ground], stiffness: 20 kN/m, free_length: 0.2}\n"
    "  series: {type: spring, between: [machine, node], stiffness: 60 kN/m, free_length: 0.1}\n"
    "  damper: {type: spring, between: [node, ground], stiffness: 0, damping: 900}\n"
    "operating_point: {type: static}\n";

static void a_search_may_begin_out_of_balance(void **unused)
{
    (void)unused;
    static const char *const states[] = {
        "{\"schema\": \"routh-state/1\", \"time\": 0, \"bodies\": ["
        "{\"name\": \"machine\", \"position\": [0, 0, 0.23], "
        "\"quaternion\": [1, 0, 0, 0], \"velocity\": [0, 0, 0.1]},"
        "{\"name\": \"node\", \"position\": [0.01, 0, 0.12], "
        "\"quaternion\": [1, 0, 0, 0]}]}",
        "{\"schema\": \"routh-state/1\", \"joints\": [{\"name\": \"guide.displacement\", "
        "\"value\": 0.02}]}"};
    const double sag = 40 * 9.81 / 20e3;
    for (int k = 0; k < 2; k++) {
        test_mechanism t;
        routh_error e = {0};
        routh_operating_point *point = NULL;
        routh_initial_state *state = NULL;
        routh_initial_state_options there = routh_initial_state_defaults();
        there.allowed = INFINITY;
        mechanism_make(&t, MOUNT);
        assert_int_equal(
            routh_initial_state_parse(&state, states[k], strlen(states[k]), "state", &e), ROUTH_OK);
        assert_int_equal(routh_operating_point_of_state(&point, t.m, state, &there, &e),
                         ROUTH_NOT_SUPPORTED);
        assert_int_equal(routh_operating_point_find_near(&point, t.m, state, &there, NULL, &e),
                         ROUTH_OK);
        assert_true(point->type == ROUTH_OPERATING_STATIC && point->massless);
        assert_true(fabs(point->bodies[0].position[2] - (0.2 - sag)) < 1e-9);
        assert_true(fabs(point->bodies[1].position[2] - (0.1 - sag)) < 1e-9);
        assert_string_equal(point->arrival, "by descent from the start");
        routh_operating_point_free(point);
        routh_initial_state_free(state);
        mechanism_release(&t);
    }
}

static void the_initial_state_is_not_searched_for(void **unused)
{
    (void)unused;
    test_mechanism t;
    routh_error e = {0};
    routh_operating_point *point = NULL;
    routh_operating_point_options how = routh_operating_point_defaults();
    how.type = ROUTH_OPERATING_GIVEN;
    mechanism_make(&t, WELLS);
    routh_operating_point *start = mechanism_point(&t);
    assert_int_equal(routh_operating_point_find_from(&point, t.m, start, &how, &e),
                     ROUTH_BAD_ARGUMENT);
    assert_null(point);
    assert_non_null(strstr(e.message, "is not searched for"));
    routh_operating_point_free(start);
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_start_decides_which_equilibrium_is_found),
        cmocka_unit_test(a_steady_motion_from_another),
        cmocka_unit_test(a_search_may_begin_out_of_balance),
        cmocka_unit_test(the_initial_state_is_not_searched_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
