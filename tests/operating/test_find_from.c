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
        cmocka_unit_test(the_initial_state_is_not_searched_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
