/* Switches located in time: a ball that bounces on a spring, by every integrator, against the
 * closed form; what events do; switches that turn over without end. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "motion/motion_model.h"

static const char ball_yaml[] =
    "gravity: [0, 0, -9.81]\n"
    "inputs: {push: 0}\n"
    "bodies: {ball: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 1]}}\n"
    "joints: {rail: {type: translational, between: [ball, ground], at: [0, 0, 0], axis: z}}\n"
    "loads:\n"
    "  floor: {type: force, on: ball, components: [0, 0, 'max(0, -2000*DZ(ball))']}\n"
    "  up: {type: force, on: ball, components: [0, 0, push]}\n"
    "events:\n"
    "  top: {when: VZ(ball), direction: falling, action: record}\n"
    "  bottom: {when: VZ(ball), direction: rising, action: record}\n"
    "  third: {when: time - 2, action: set, input: push, value: 15}\n"
    "  over: {when: DZ(ball) - 1.5, action: stop}\n"
    "outputs: {half: sign(DZ(ball) - 0.5)}\n";

enum { MOST = 64 };

typedef struct event_log {
    routh_event event[MOST];
    int n;
} event_log;

static void note(void *data, const routh_event *event)
{
    event_log *l = data;
    assert_true(l->n < MOST);
    l->event[l->n++] = *event;
}

static double time_of(const event_log *l, const char *name, int number)
{
    for (int k = 0; k < l->n; k++)
        if (strcmp(l->event[k].name, name) == 0 && number-- == 0) return l->event[k].time;
    fail_msg("%s did not happen as often as it should", name);
    return 0;
}

/* Touches after sqrt(2 h/g); there x'' = -g - 2000 x with x' = -v until x = 0 again: with
 * w = sqrt(2000), tan(w T/2) = -v w/g on the branch after pi/2. */
static void locates_what_turns_over(void **state)
{
    (void)state;
    const double pi = 4 * atan(1), fall = sqrt(2 / 9.81), v = 9.81 * fall, w = sqrt(2000);
    const double touch = 2 / w * (pi - atan(v * w / 9.81));
    for (int k = 0; routh_integrator_name(k); k++) {
        if (!routh_integrator_available(k)) continue;
        test_run r;
        event_log l = {.n = 0};
        routh_simulation_options o = routh_simulation_defaults();
        o.integrator = routh_integrator_name(k);
        o.tolerance = 1e-9;
        o.on_event = note;
        o.data = &l;
        run_begin(&r, ball_yaml, "absolute", &o);
        for (int j = 1; j <= 150; j++) run_to(&r, j * 0.01);
        const double off = k < 2 ? 1e-5 : 1e-7; /* of second order, or of high order */
        const double times[] = {fall, fall + touch, 2 * fall + touch, 3 * fall + touch};
        assert_true(fabs(time_of(&l, "load floor", 0) - times[0]) < off);
        assert_true(fabs(time_of(&l, "load floor", 1) - times[1]) < off);
        assert_true(fabs(time_of(&l, "bottom", 0) - (fall + touch / 2)) < off);
        assert_true(fabs(time_of(&l, "top", 0) - times[2]) < off);
        assert_true(fabs(time_of(&l, "load floor", 2) - times[3]) < off);
        assert_int_equal(l.event[0].direction, -l.event[2].direction);
        /* what only an output feels interrupts nothing */
        for (int j = 0; j < l.n; j++) assert_string_not_equal(l.event[j].name, "output half");
        run_end(&r);
    }
}

/* At 2 s the ball is in the air and begins to be pushed up; the run ends at a height of 1.5. States
 * before an event are those without it, whenever they are asked for. */
static void lets_events_happen(void **state)
{
    (void)state;
    for (int k = 0; routh_integrator_name(k); k++) {
        if (!routh_integrator_available(k)) continue;
        test_run r;
        event_log l = {.n = 0};
        routh_simulation_options o = routh_simulation_defaults();
        o.integrator = routh_integrator_name(k);
        o.tolerance = 1e-9;
        o.on_event = note;
        o.data = &l;
        run_begin(&r, ball_yaml, "absolute", &o);
        const rt_frame *ball = &r.simulation->run.search.w->bodies[0];
        run_to(&r, 1.999);
        assert_int_equal(strcmp(l.event[l.n - 1].name, "top"), 0);
        const double z = ball->r[2], vz = ball->v[2];
        assert_true(fabs(ball->a[2] + 9.81) < 1e-9);
        run_to(&r, 2.001);
        assert_int_equal(strcmp(l.event[l.n - 1].name, "third"), 0);
        assert_true(fabs(time_of(&l, "third", 0) - 2) < 1e-12);
        assert_true(fabs(ball->a[2] - 5.19) < 1e-9);
        const double h = 1e-3, v2 = vz - 9.81 * h, z2 = z + h * (vz - 9.81 * h / 2);
        assert_true(fabs(ball->v[2] - (v2 + 5.19 * h)) < 1e-6);
        assert_true(fabs(ball->r[2] - (z2 + h * (v2 + 5.19 * h / 2))) < 1e-6);
        run_to(&r, 100);
        assert_int_equal(routh_simulation_stopped(r.simulation), 1);
        const double end = routh_simulation_time(r.simulation);
        assert_true(end == time_of(&l, "over", 0));
        assert_true(fabs(ball->r[2] - 1.5) < 1e-9);
        run_to(&r, 200);
        assert_true(routh_simulation_time(r.simulation) == end);
        run_end(&r);
    }
}

/* A relay that drives a slider back to zero from both sides. */
static void says_what_turns_over_without_end(void **state)
{
    (void)state;
    static const char yaml[] =
        "bodies: {slider: {mass: 1, inertia: [1, 1, 1], velocity: [0.1, 0, 0]}}\n"
        "joints: {rail: {type: translational, between: [slider, ground], at: [0, 0, 0], axis: x}}\n"
        "loads: {relay: {type: force, on: slider, components: ['-3*sign(VX(slider))', 0, 0]}}\n";
    test_run r;
    routh_error error = {0};
    routh_simulation_options o = routh_simulation_defaults();
    run_begin(&r, yaml, "absolute", &o);
    assert_int_equal(routh_simulation_advance(r.simulation, 1, &error), ROUTH_NUMERIC_ERROR);
    assert_int_equal(strcmp(error.element, "load relay"), 0);
    assert_non_null(strstr(error.message, "switches back and forth"));
    run_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locates_what_turns_over),
        cmocka_unit_test(lets_events_happen),
        cmocka_unit_test(says_what_turns_over_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
