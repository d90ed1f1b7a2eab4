/* Names and units of the states of x' = f(t, x, u) in every coordinate set: what a coordinate is
 * called is what moves with it, by differences of the configurations that the function finds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rotation.h"
#include "base/vec3.h"
#include "routh/routh.h"

enum { MOST = 60, MOST_BODIES = 8 };
static const double h = 1e-5;

/* Joints, and points, on axes and origins of bodies alone. */
static const char swing[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  cart: {mass: 1, inertia: [1, 1, 1], position: [0.3, 0, 0]}\n"
    "  rod: {mass: 1, inertia: [1, 1, 1], position: [0.3, 0, -0.7],"
    " orientation: {axis: [0, 1, 0], angle: 0.4}}\n"
    "  bob: {mass: 1, inertia: [1, 2, 3], position: [0.3, 0.2, -1.5],"
    " orientation: {axis: [1, 2, 3], angle: 0.6}}\n"
    "  free: {mass: 1, inertia: [1, 2, 3], position: [2, 1, 1],"
    " orientation: {axis: [3, 1, -1], angle: 0.9}}\n"
    "joints:\n"
    "  rail: {type: translational, between: [cart, ground], at: [0.3, 0, 0], axis: x}\n"
    "  hinge: {type: revolute, between: [rod, cart], at: [0.3, 0, 0], axis: y}\n"
    "  ball: {type: spherical, between: [bob, rod], at: [0.3, 0, -0.7]}\n";

static void must(routh_status status, const routh_error *error)
{
    if (status) fail_msg("%s: %s", error->element, error->message);
}

typedef struct subject {
    routh_model *model;
    routh_mechanism *m;
    routh_operating_point *point, *before, *after;
    routh_dynamics *d;
} subject;

static const routh_body_state *body_called(const routh_operating_point *p, const char *name,
                                           size_t length)
{
    for (int b = 0; b < p->n_bodies; b++)
        if (strlen(p->bodies[b].name) == length && !strncmp(p->bodies[b].name, name, length))
            return &p->bodies[b];
    fail_msg("no body of %s", name);
    return NULL;
}

/* The rotation from before to after over 2 h, in axes of the first. */
static void turn_of(const double *before, const double *after, double turn[3])
{
    double R[9];
    rt_m3_tmul(R, before, after);
    rt_rotation_log(turn, R);
    for (int i = 0; i < 3; i++) turn[i] /= 2 * h;
}

static void quaternion_of(const double *A, double p[4])
{
    rt_rotation_to_quaternion(p, A);
    for (int i = 0; i < 4 && p[0] < 0; i++) p[i] = -p[i];
}

static double component_of(const char *what, const double x[3])
{
    const char axis = what[strlen(what) - 1];
    return (what[strlen(what) - 2] == '-' ? -1 : 1) * x[axis - 'x'];
}

/* Does a point of the body, or an axis of it, move by 1 along the axis of the name? */
static bool moves_along(const routh_body_state *a, const routh_body_state *b, const char *what,
                        bool point)
{
    for (int k = 0; k < 4; k++) {
        double change[3];
        for (int i = 0; i < 3; i++) {
            const double axis = k < 3 ? (b->orientation[3 * i + k] - a->orientation[3 * i + k]) : 0;
            change[i] = (point ? (k < 3 ? NAN : b->position[i] - a->position[i]) : axis) / (2 * h);
        }
        if (fabs(component_of(what, change) - 1) < 1e-6) return true;
    }
    return false;
}

static bool turns_by_one_against_another(const subject *s, const routh_body_state *a,
                                         const routh_body_state *b)
{
    double turn[3];
    turn_of(a->orientation, b->orientation, turn);
    if (fabs(rt_v3_norm(turn) - 1) < 1e-6) return true;
    for (int k = 0; k < s->before->n_bodies; k++) {
        double first[9], then[9];
        rt_m3_tmul(first, s->before->bodies[k].orientation, a->orientation);
        rt_m3_tmul(then, s->after->bodies[k].orientation, b->orientation);
        turn_of(first, then, turn);
        if (fabs(rt_v3_norm(turn) - 1) < 1e-6) return true;
    }
    return false;
}

static void check_state(const subject *s, const routh_dynamics_state *state)
{
    const char *what = strchr(state->name, '.') + 1;
    const size_t length = (size_t)(what - state->name) - 1;
    const routh_body_state *a = body_called(s->before, state->name, length);
    const routh_body_state *b = body_called(s->after, state->name, length);
    double turn[3], move[3], p[4], q[4];
    turn_of(a->orientation, b->orientation, turn);
    for (int i = 0; i < 3; i++) move[i] = (b->position[i] - a->position[i]) / (2 * h);
    quaternion_of(a->orientation, p);
    quaternion_of(b->orientation, q);
    const char *unit = "m";
    bool good = false;
    if (strlen(what) == 1) {
        good = fabs(move[what[0] - 'x'] - 1) < 1e-6;
    } else if (what[0] == 'r' && strlen(what) == 2) {
        unit = "rad";
        good = fabs(turn[what[1] - 'x'] - 1) < 1e-6;
    } else if (what[0] == 'e' && strlen(what) == 2) {
        unit = "";
        good = fabs((q[what[1] - '0'] - p[what[1] - '0']) / (2 * h) - 1) < 1e-6;
    } else if (!strncmp(what, "angle", 5)) {
        unit = "rad";
        good = turns_by_one_against_another(s, a, b);
    } else if (!strncmp(what, "shift", 5)) {
        good = fabs(rt_v3_norm(move) - 1) < 1e-6;
    } else if (!strncmp(what, "point", 5) || !strncmp(what, "vector", 6)) {
        unit = what[0] == 'p' ? "m" : "";
        good = moves_along(a, b, what, what[0] == 'p');
    }
    if (!good) fail_msg("%s does not move as its name says", state->name);
    if (strcmp(state->unit, unit)) fail_msg("%s has the unit '%s'", state->name, state->unit);
}

static void each_state_is_what_its_name_says(void **state)
{
    (void)state;
    static const char *const sets[] = {"absolute", "relative", "natural", "euler-parameters",
                                       "euler-angles"};
    for (size_t c = 0; c < sizeof sets / sizeof *sets; c++) {
        subject s = {0};
        routh_error e = {0};
        double t, x[MOST];
        routh_operating_point_options o = routh_operating_point_defaults();
        o.type = ROUTH_OPERATING_GIVEN;
        must(routh_model_parse(&s.model, swing, strlen(swing), "text", NULL, 0, &e), &e);
        must(routh_mechanism_compile(&s.m, s.model, sets[c], &e), &e);
        must(routh_operating_point_find(&s.point, s.m, &o, &e), &e);
        must(routh_dynamics_create(&s.d, s.m, s.point, &e), &e);
        const int n = routh_dynamics_n_coordinates(s.d);
        assert_int_equal(routh_dynamics_n_states(s.d), 2 * n);
        assert_int_equal(n, 1 + 1 + 3 + 6);
        routh_dynamics_start(s.d, &t, x, NULL);
        for (int k = 0; k < n; k++) {
            const routh_dynamics_state *position = routh_dynamics_get_state(s.d, k);
            const routh_dynamics_state *rate = routh_dynamics_get_state(s.d, n + k);
            char expected[300];
            for (int j = 0; j < k; j++)
                assert_string_not_equal(routh_dynamics_get_state(s.d, j)->name, position->name);
            snprintf(expected, sizeof expected, "%s'", position->name);
            assert_string_equal(rate->name, expected);
            snprintf(expected, sizeof expected, "%s/s", *position->unit ? position->unit : "1");
            assert_string_equal(rate->unit, expected);
            const double at = x[k];
            x[k] = at - h;
            must(routh_dynamics_point(s.d, t, x, NULL, &s.before, &e), &e);
            x[k] = at + h;
            must(routh_dynamics_point(s.d, t, x, NULL, &s.after, &e), &e);
            x[k] = at;
            check_state(&s, position);
            routh_operating_point_free(s.before);
            routh_operating_point_free(s.after);
        }
        routh_dynamics_free(s.d);
        routh_operating_point_free(s.point);
        routh_mechanism_free(s.m);
        routh_model_free(s.model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_state_is_what_its_name_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
