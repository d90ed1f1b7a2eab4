/* x' = f(t, x, u) far from where it was evaluated last: closed loops that time and inputs drive are
 * on the assembly branch, and in the revolution, of the continuous motion, or it is refused.
 * Positions are compared with closed forms. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routh/routh.h"
#include "support/effort.h"

#define TWO_PI 6.28318530717958647692
enum { MOST = 40 };

typedef struct subject {
    routh_model *model;
    routh_mechanism *m;
    routh_operating_point *point;
    routh_dynamics *d;
    double t, x[MOST], u[MOST];
} subject;

static void must(routh_status status, const routh_error *error)
{
    if (status) fail_msg("%s: %s", error->element, error->message);
}

static subject way_begin(const char *text, const char *coordinates)
{
    subject s = {0};
    routh_error e = {0};
    routh_operating_point_options o = routh_operating_point_defaults();
    o.type = ROUTH_OPERATING_GIVEN;
    must(routh_model_parse(&s.model, text, strlen(text), "text", NULL, 0, &e), &e);
    must(routh_mechanism_compile(&s.m, s.model, coordinates, &e), &e);
    must(routh_operating_point_find(&s.point, s.m, &o, &e), &e);
    must(routh_dynamics_create(&s.d, s.m, s.point, &e), &e);
    assert_true(routh_dynamics_n_states(s.d) <= MOST);
    routh_dynamics_start(s.d, &s.t, s.x, s.u);
    return s;
}

static void way_end(subject *s)
{
    routh_dynamics_free(s->d);
    routh_operating_point_free(s->point);
    routh_mechanism_free(s->m);
    routh_model_free(s->model);
}

static double output_of(const routh_operating_point *p, const char *name)
{
    for (int k = 0; k < p->n_signals; k++)
        if (!strcmp(p->signals[k].name, name)) return p->signals[k].value;
    fail_msg("no output %s", name);
    return NAN;
}

static const char *const sets[] = {"absolute", "relative", "natural", "euler-parameters",
                                   "euler-angles"};
enum { N_SETS = sizeof sets / sizeof *sets };

/* Long ways: every other set, from the first or the second on; all of them at full effort. */
static bool is_walked(int set, int first) { return full_effort() || set % 2 == first; }

/* A crank of length 1, a rod of 2.5, a slider from which a bob hangs. */
static const char slider_crank[] =
    "gravity: [0, -9.81, 0]\n"
    "inputs: {turn: 0}\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}\n"
    "  rod: {mass: 2, inertia: [0.1, 1, 1], position: [2.25, 0, 0]}\n"
    "  slider: {mass: 3, inertia: [1, 1, 1], position: [3.5, 0, 0]}\n"
    "  bob: {mass: 0.4, inertia: [0.1, 0.1, 0.1], position: [3.5, -0.5, 0]}\n"
    "joints:\n"
    "  a: {type: revolute, between: [crank, ground], at: [0, 0, 0], axis: z}\n"
    "  b: {type: revolute, between: [rod, crank], at: [1, 0, 0], axis: z}\n"
    "  c: {type: spherical, between: [rod, slider], at: [3.5, 0, 0]}\n"
    "  rail: {type: translational, between: [slider, ground], at: [3.5, 0, 0], axis: x}\n"
    "  pin: {type: revolute, between: [bob, slider], at: [3.5, 0, 0], axis: z}\n"
    "outputs:\n"
    "  crank: {expression: AZ(crank), unit: rad}\n"
    "  slider: {expression: DX(slider), unit: m}\n";

static void check_slider_crank(subject *s, double phi, double t, const double *u)
{
    routh_error e = {0};
    routh_operating_point *p;
    double rate[MOST];
    must(routh_dynamics_evaluate(s->d, t, s->x, u, rate, &e), &e);
    must(routh_dynamics_point(s->d, t, s->x, u, &p, &e), &e);
    assert_true(fabs(output_of(p, "crank") - phi) < 1e-9 * (1 + fabs(phi)));
    assert_true(fabs(output_of(p, "slider") - (cos(phi) + sqrt(6.25 - sin(phi) * sin(phi)))) <
                1e-9 * (1 + fabs(phi)));
    routh_operating_point_free(p);
}

static const double times[] = {0.01,        3,    0.4, 17.3, 17.2999, -2, 0,
                               TWO_PI / 20, 0.31, 8.0, 0.25, 0.2,     60};
enum { N_TIMES = sizeof times / sizeof *times };

/* One joint more, in front of the outputs. */
static subject driven(const char *yaml, const char *function, const char *coordinates)
{
    char text[4096];
    const char *outputs = strstr(yaml, "outputs:");
    snprintf(text, sizeof text, "%.*s  drive: {type: motion, joint: a, function: \"%s\"}\n%s",
             (int)(outputs - yaml), yaml, function, outputs);
    return way_begin(text, coordinates);
}

static void time_drives_a_slider_crank_through_all_turns(void **state)
{
    (void)state;
    for (int c = 0; c < N_SETS; c++) {
        if (!is_walked(c, 0)) continue;
        subject s = driven(slider_crank, "20*time", sets[c]);
        for (int k = 0; k < N_TIMES; k++) check_slider_crank(&s, 20 * times[k], times[k], NULL);
        way_end(&s);
    }
}

static void an_input_drives_it_likewise(void **state)
{
    (void)state;
    static const double turns[] = {0.1, 60, 2, 347, -30, 0, 3.1};
    for (int c = 0; c < N_SETS; c++) {
        if (!is_walked(c, 0)) continue;
        subject s = driven(slider_crank, "turn", sets[c]);
        for (size_t k = 0; k < sizeof turns / sizeof *turns; k++)
            check_slider_crank(&s, turns[k], (double)k, &turns[k]);
        way_end(&s);
    }
}

/* Between the times that are asked for it turns forth and back, or once round. */
static void what_time_does_in_between_counts(void **state)
{
    (void)state;
    for (int c = 0; c < N_SETS; c++) {
        if (!is_walked(c, 1)) continue;
        subject s = driven(slider_crank, "9*sin(time)", sets[c]);
        for (int k = 0; k < N_TIMES; k++) check_slider_crank(&s, 9 * sin(times[k]), times[k], NULL);
        check_slider_crank(&s, 9 * sin(50 * TWO_PI), 50 * TWO_PI, NULL);
        way_end(&s);
        s = driven(slider_crank, "step(time, 1, 0, 1.01, 2*pi)", sets[c]);
        check_slider_crank(&s, 0, 0.5, NULL);
        check_slider_crank(&s, TWO_PI, 40, NULL);
        check_slider_crank(&s, 0, -3, NULL);
        way_end(&s);
    }
}

/* Ground 0.5, crank 1, coupler 1.2, rocker 1: both cranks go round. */
static const char drag_link[] =
    "inputs: {turn: 0}\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}\n"
    "  coupler: {mass: 2, inertia: [1, 1, 1], position: [0.655, sqrt(1-0.19^2)/2, 0]}\n"
    "  rocker: {mass: 3, inertia: [1, 1, 1], position: [0.405, sqrt(1-0.19^2)/2, 0]}\n"
    "joints:\n"
    "  a: {type: revolute, between: [crank, ground], at: [0, 0, 0], axis: z}\n"
    "  b: {type: revolute, between: [coupler, crank], at: [1, 0, 0], axis: z}\n"
    "  c: {type: spherical, between: [coupler, rocker], at: [0.31, sqrt(1-0.19^2), 0]}\n"
    "  d: {type: revolute, between: [rocker, ground], at: [0.5, 0, 0], axis: z}\n"
    "outputs:\n"
    "  rocker: {expression: AZ(rocker), unit: rad}\n";

static double rocker_angle(double phi)
{
    const double dx = cos(phi) - 0.5, dy = sin(phi), D = hypot(dx, dy);
    const double towards = phi + remainder(atan2(dy, dx) - phi, TWO_PI);
    return towards + acos((1 + D * D - 1.44) / (2 * D)) - acos(-0.19);
}

static void check_rocker(subject *s, double phi, double t, const double *u)
{
    routh_error e = {0};
    routh_operating_point *p;
    must(routh_dynamics_point(s->d, t, s->x, u, &p, &e), &e);
    assert_true(fabs(output_of(p, "rocker") - rocker_angle(phi)) < 1e-9 * (1 + fabs(phi)));
    routh_operating_point_free(p);
}

static void time_drives_a_drag_link_through_all_turns(void **state)
{
    (void)state;
    for (int c = 0; c < N_SETS; c++) {
        if (!is_walked(c, 1)) continue;
        subject s = driven(drag_link, "20*time", sets[c]);
        for (int k = 0; k < N_TIMES; k++) check_rocker(&s, 20 * times[k], times[k], NULL);
        way_end(&s);
    }
}

/* Its crank free: x is the crank's angle. */
static void a_far_coordinate_leads_to_the_same_branch(void **state)
{
    (void)state;
    static const double turns[] = {0.1, 60, 2, 347, -30, 0, 3.1};
    subject s = way_begin(drag_link, "relative");
    int crank = -1;
    for (int k = 0; k < routh_dynamics_n_coordinates(s.d); k++)
        if (!strcmp(routh_dynamics_get_state(s.d, k)->name, "crank.angle")) crank = k;
    for (size_t k = 0; crank >= 0 && k < sizeof turns / sizeof *turns; k++) {
        s.x[crank] = turns[k];
        check_rocker(&s, turns[k], 0, NULL);
    }
    way_end(&s);
}

static void what_is_too_far_or_leads_nowhere_is_refused(void **state)
{
    (void)state;
    double rate[MOST], before[MOST];
    routh_error e = {0};
    subject s = driven(slider_crank, "20*time", "relative");
    must(routh_dynamics_evaluate(s.d, 0.3, s.x, NULL, before, &e), &e);
    assert_int_equal(routh_dynamics_evaluate(s.d, 1e9, s.x, NULL, rate, &e), ROUTH_NUMERIC_ERROR);
    assert_non_null(strstr(e.message, "parts"));
    check_slider_crank(&s, 6, 0.3, NULL); /* goes on from the last that was found */
    way_end(&s);
    /* a rod that is too short for a full turn */
    static const char locks[] =
        "bodies:\n"
        "  crank: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}\n"
        "  rod: {mass: 2, inertia: [0.1, 1, 1], position: [1.25, 0, 0]}\n"
        "  slider: {mass: 3, inertia: [1, 1, 1], position: [1.5, 0, 0]}\n"
        "joints:\n"
        "  a: {type: revolute, between: [crank, ground], at: [0, 0, 0], axis: z}\n"
        "  b: {type: revolute, between: [rod, crank], at: [1, 0, 0], axis: z}\n"
        "  c: {type: spherical, between: [rod, slider], at: [1.5, 0, 0]}\n"
        "  rail: {type: translational, between: [slider, ground], at: [1.5, 0, 0], axis: x}\n"
        "outputs:\n"
        "  slider: {expression: DX(slider), unit: m}\n";
    for (int c = 0; c < N_SETS; c++) {
        if (!is_walked(c, 0)) continue;
        s = driven(locks, "time", sets[c]);
        must(routh_dynamics_evaluate(s.d, 0.4, s.x, NULL, rate, &e), &e);
        /* at 0.5236 it locks; at pi, where it closes again, nothing leads there */
        assert_int_equal(routh_dynamics_evaluate(s.d, 0.6, s.x, NULL, rate, &e),
                         ROUTH_NUMERIC_ERROR);
        assert_int_equal(routh_dynamics_evaluate(s.d, 3.14, s.x, NULL, rate, &e),
                         ROUTH_NUMERIC_ERROR);
        must(routh_dynamics_evaluate(s.d, 0.4, s.x, NULL, rate, &e), &e);
        way_end(&s);
        /* at the ends and the thirds of a period it is where it was; in between it would lock */
        s = driven(locks, "2*sin(3*time)", sets[c]);
        must(routh_dynamics_evaluate(s.d, 0.05, s.x, NULL, rate, &e), &e);
        assert_int_equal(routh_dynamics_evaluate(s.d, 0.05 + TWO_PI, s.x, NULL, rate, &e),
                         ROUTH_NUMERIC_ERROR);
        way_end(&s);
    }
}

/* A parallelogram, which lies flat at a right angle, where it may as well fold over. */
static const char parallelogram[] =
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0.5, 0]}\n"
    "  coupler: {mass: 2, inertia: [1, 1, 1], position: [1, 1, 0]}\n"
    "  rocker: {mass: 3, inertia: [1, 1, 1], position: [2, 0.5, 0]}\n"
    "joints:\n"
    "  a: {type: revolute, between: [crank, ground], at: [0, 0, 0], axis: z}\n"
    "  b: {type: revolute, between: [coupler, crank], at: [0, 1, 0], axis: z}\n"
    "  c: {type: spherical, between: [coupler, rocker], at: [2, 1, 0]}\n"
    "  d: {type: revolute, between: [rocker, ground], at: [2, 0, 0], axis: z}\n"
    "outputs:\n"
    "  rocker: {expression: AZ(rocker), unit: rad}\n";

static void where_two_branches_meet_it_is_refused(void **state)
{
    (void)state;
    for (int c = 0; c < N_SETS; c++) {
        double rate[MOST];
        routh_error e = {0};
        routh_operating_point *p = NULL;
        subject s = driven(parallelogram, "time", sets[c]);
        must(routh_dynamics_point(s.d, 1.5, s.x, NULL, &p, &e), &e);
        assert_true(fabs(output_of(p, "rocker") - 1.5) < 1e-9);
        routh_operating_point_free(p);
        for (double t = 1.6; t < 30; t += 1.7)
            assert_int_equal(routh_dynamics_evaluate(s.d, t, s.x, NULL, rate, &e),
                             ROUTH_NUMERIC_ERROR);
        assert_non_null(strstr(e.message, "where two of its branches meet"));
        must(routh_dynamics_evaluate(s.d, 1.4, s.x, NULL, rate, &e), &e);
        way_end(&s);
    }
}

/* A part of the input's history is gone between two calls, then it is given, then as before. */
static void inputs_by_history_and_given_ones_take_turns(void **state)
{
    (void)state;
    char text[4096];
    snprintf(text, sizeof text,
             "%s  more: {expression: turn, unit: rad}\n"
             "simulate: {end: 1, inputs: {turn: 20*time}}\n",
             slider_crank);
    for (int c = 0; c < N_SETS; c++) {
        static const double given[] = {-3, 50};
        subject s = driven(text, "turn", sets[c]);
        check_slider_crank(&s, 20 * 0.7, 0.7, NULL);
        check_slider_crank(&s, -3, 0.9, &given[0]);
        check_slider_crank(&s, 20 * 2.9, 2.9, NULL);
        check_slider_crank(&s, 50, 0, &given[1]);
        check_slider_crank(&s, 50, 1, &given[1]);
        check_slider_crank(&s, 0, 0, NULL);
        way_end(&s);
    }
}

/* After an integration that ran away, step by step, what lies near the point has its rate again. */
static void a_tree_is_found_from_its_point_too(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies: {rod: {mass: 2, inertia: [0.4, 0.5, 0.2], position: [0, 0, -0.5]}}\n"
        "joints: {pin: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: y}}\n"
        "outputs: {angle: {expression: AY(rod), unit: rad}}\n";
    subject s = way_begin(text, "relative");
    routh_error e = {0};
    double rate[2], x[2] = {0, 0};
    for (int k = 1; k <= 12; k++) {
        x[0] = 1.5e4 * k;
        must(routh_dynamics_evaluate(s.d, 0, x, NULL, rate, &e), &e);
    }
    x[0] = 0.3;
    must(routh_dynamics_evaluate(s.d, 0, x, NULL, rate, &e), &e);
    assert_true(fabs(rate[1] + 9.81 * sin(0.3)) < 1e-12); /* J = 0.5 + 2 (0.5)^2 = m g l / g */
    routh_operating_point *p;
    must(routh_dynamics_point(s.d, 0, x, NULL, &p, &e), &e);
    assert_true(fabs(output_of(p, "angle") - 0.3) < 1e-12);
    routh_operating_point_free(p);
    x[0] = 1e9;
    assert_int_equal(routh_dynamics_evaluate(s.d, 0, x, NULL, rate, &e), ROUTH_NUMERIC_ERROR);
    way_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_drives_a_slider_crank_through_all_turns),
        cmocka_unit_test(an_input_drives_it_likewise),
        cmocka_unit_test(what_time_does_in_between_counts),
        cmocka_unit_test(time_drives_a_drag_link_through_all_turns),
        cmocka_unit_test(a_far_coordinate_leads_to_the_same_branch),
        cmocka_unit_test(where_two_branches_meet_it_is_refused),
        cmocka_unit_test(inputs_by_history_and_given_ones_take_turns),
        cmocka_unit_test(what_is_too_far_or_leads_nowhere_is_refused),
        cmocka_unit_test(a_tree_is_found_from_its_point_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
