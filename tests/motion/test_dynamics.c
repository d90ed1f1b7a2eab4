/* x' = f(t, x, u): integrated here by the classical Runge-Kutta method it is the simulated motion;
 * its derivatives at a point have the eigenvalues of the linear model. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "motion/motion_model.h"
#include "routh/routh.h"
#include "support/effort.h"

enum { MOST = 40 };

typedef struct found {
    test_run r;
    routh_dynamics *d;
    int n;
    double t, x[MOST], u[MOST];
} found;

static found begin(const char *yaml, const char *coordinates)
{
    found f = {0};
    routh_error error = {0};
    const routh_simulation_options o = {.tolerance = 1e-11, .dissipation = NAN};
    run_begin(&f.r, yaml, coordinates, &o);
    if (routh_dynamics_create(&f.d, f.r.t.m, f.r.point, &error)) fail_msg("%s", error.message);
    f.n = routh_dynamics_n_states(f.d);
    assert_true(f.n <= MOST);
    routh_dynamics_start(f.d, &f.t, f.x, f.u);
    return f;
}

static void end(found *f)
{
    routh_dynamics_free(f->d);
    run_end(&f->r);
}

static void rate_at(const found *f, double t, const double *x, double *rate)
{
    routh_error error = {0};
    if (routh_dynamics_evaluate(f->d, t, x, NULL, rate, &error)) fail_msg("%s", error.message);
}

/* One step by the classical method, on f->x. */
static void runge_kutta(found *f, double h)
{
    double k[4][MOST] = {{0}}, x[MOST];
    static const double part[4] = {0, 0.5, 0.5, 1},
                        weight[4] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < f->n; i++) x[i] = f->x[i] + (s ? part[s] * h * k[s - 1][i] : 0);
        rate_at(f, f->t + part[s] * h, x, k[s]);
    }
    for (int s = 0; s < 4; s++)
        for (int i = 0; i < f->n; i++) f->x[i] += weight[s] * h * k[s][i];
    f->t += h;
}

static const char *const models[] = {double_pendulum_yaml, four_bar_yaml, disc_yaml,
                                     controlled_yaml, driven_yaml};

/* Held against the bodies and signals that were expected at the end. */
static void assert_arrives(const char *yaml, const char *coordinates, double end_time, int n,
                           const double *expected, int n_expected, double tolerance)
{
    routh_error error = {0};
    routh_operating_point *point = NULL;
    found f = begin(yaml, coordinates);
    for (int j = 0; j < n; j++) runge_kutta(&f, end_time / n);
    if (routh_dynamics_point(f.d, f.t, f.x, NULL, &point, &error)) fail_msg("%s", error.message);
    const double *e = expected;
    for (int b = 0; b < point->n_bodies; b++, e += 18) {
        const routh_body_state *there = &point->bodies[b];
        assert_true(largest_difference(there->position, e, 3) < tolerance);
        assert_true(largest_difference(there->orientation, e + 3, 9) < tolerance);
        assert_true(largest_difference(there->velocity, e + 12, 3) < 10 * tolerance);
        assert_true(largest_difference(there->angular_velocity, e + 15, 3) < 10 * tolerance);
    }
    for (int j = 0; j < n_expected - 18 * point->n_bodies; j++)
        assert_true(fabs(point->signals[j].value - e[j]) < 10 * tolerance);
    routh_operating_point_free(point);
    end(&f);
}

/* Against the same method on q and u in Euler parameters, which shares neither coordinates nor a
 * choice of states with it. */
static void assert_is_the_motion(const char *yaml, const char *const *coordinates, size_t n_sets,
                                 double end_time, int n, double tolerance)
{
    int n_expected;
    double *expected = reference_result(yaml, end_time, n, &n_expected);
    for (size_t c = 0; c < n_sets; c++)
        assert_arrives(yaml, coordinates[c], end_time, n, expected, n_expected, tolerance);
    free(expected);
}

static void integrated_it_is_the_motion(void **state)
{
    (void)state;
    static const char *const coordinates[] = {"absolute", "relative"};
    for (int k = 0; k < some_of(sizeof models / sizeof *models); k++)
        assert_is_the_motion(models[k], coordinates, 2, 0.2, 400, 1e-10);
}

/* Two turns and more about each axis of a body that nothing holds, of one on a ball joint, of one
 * that is at rest at first, with tilts of the axis beside them. */
static const char *const spinning[] = {
    "bodies: {a: {mass: 1, inertia: [2, 1, 1.3], angular_velocity: [4.5, 0.3, -0.2]}}\n",
    "bodies: {a: {mass: 1, inertia: [1, 2, 1.3], angular_velocity: [0.2, -4.5, 0.3]}}\n",
    "bodies: {a: {mass: 1, inertia: [1, 1.3, 2], angular_velocity: [0.4, 0.3, 4.5]}}\n",
    ("gravity: [0, 0, -9.81]\n"
     "bodies: {a: {mass: 1, inertia: [0.3, 0.35, 0.5], position: [0.1, 0, 0.2],\n"
     "             velocity: [0, 0.45, 0], angular_velocity: [0, 0, 4.5]}}\n"
     "joints: {tip: {type: spherical, between: [a, ground], at: [0, 0, 0]}}\n"),
    ("bodies: {a: {mass: 1, inertia: [1, 1.3, 2]}}\n"
     "loads: {turn: {type: torque, on: a, components: [0.01, 0.02, 6]}}\n"),
};

static void what_spins_goes_on_through_all_turns(void **state)
{
    (void)state;
    static const char *const coordinates[] = {"absolute", "relative", "euler-angles"};
    for (int k = 0; k < some_of(sizeof spinning / sizeof *spinning); k++)
        assert_is_the_motion(spinning[k], coordinates, 3, 3, 1500, 1e-8);
}

/* The same x gives the same bits after other ones, and far away the way is found. */
static void it_is_a_function(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        double first[MOST], x[MOST], away[MOST], again[MOST];
        found f = begin(models[k], "absolute");
        rate_at(&f, f.t, f.x, first);
        memcpy(x, f.x, sizeof x);
        for (int i = 0; i < f.n; i++) x[i] += 0.05 * (i % 2 ? 1 : -1);
        rate_at(&f, f.t, x, away);
        rate_at(&f, f.t, f.x, again);
        assert_true(largest_difference(first, again, f.n) < 1e-9);
        end(&f);
    }
}

static const char pushed_yaml[] =
    "inputs: {push: 2}\n"
    "bodies: {cart: {mass: 4, inertia: [1, 1, 1]}}\n"
    "joints: {rail: {type: translational, between: [cart, ground], at: [0, 0, 0], axis: x}}\n"
    "loads: {f: {type: force, on: cart, components: [push - 3*DX(cart) - VX(cart), 0, 0]}}\n";

static void inputs_are_taken(void **state)
{
    (void)state;
    static const char *const coordinates[] = {"absolute", "relative", "natural"};
    for (size_t c = 0; c < 3; c++) {
        found f = begin(pushed_yaml, coordinates[c]);
        double rate[2];
        const double x[] = {0.5, -0.25}, u = 7;
        routh_error error = {0};
        assert_int_equal(f.n, 2);
        assert_int_equal(routh_dynamics_n_coordinates(f.d), 1);
        assert_true(f.u[0] == 2);
        assert_int_equal(routh_dynamics_evaluate(f.d, 0, x, &u, rate, &error), ROUTH_OK);
        assert_true(fabs(rate[0] + 0.25) < 1e-14);
        assert_true(fabs(rate[1] - (7 - 1.5 + 0.25) / 4) < 1e-14);
        rate_at(&f, 0, x, rate); /* the point's again */
        assert_true(fabs(rate[1] - (2 - 1.5 + 0.25) / 4) < 1e-14);
        if (c == 0) {
            assert_string_equal(routh_dynamics_get_state(f.d, 0)->name, "cart.x");
            assert_string_equal(routh_dynamics_get_state(f.d, 1)->name, "cart.x'");
            assert_string_equal(routh_dynamics_get_state(f.d, 1)->unit, "m/s");
        }
        assert_null(routh_dynamics_get_state(f.d, 2));
        end(&f);
    }
}

/* Inputs that u does not give follow their histories, with their rates: a drives the motion. */
static void inputs_that_are_not_given_follow_their_histories(void **state)
{
    (void)state;
    static const char yaml[] =
        "inputs: {push: 1, a: 0, rest: 5}\n"
        "bodies: {cart: {mass: 4, inertia: [1, 1, 1]}, tow: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  rail: {type: translational, between: [cart, ground], at: [0, 0, 0], axis: x}\n"
        "  lead: {type: translational, between: [tow, ground], at: [0, 0, 0], axis: x}\n"
        "  drive: {type: motion, joint: lead, function: a}\n"
        "loads: {f: {type: force, on: cart, components: [push + rest + VX(tow), 0, 0]}}\n"
        "simulate: {end: 1, inputs: {push: 3*time, a: time^2}}\n";
    static const char *const coordinates[] = {"absolute", "relative", "natural"};
    for (size_t c = 0; c < 3; c++) {
        found f = begin(yaml, coordinates[c]);
        double rate[2], u[3];
        const double x[] = {0.5, -0.25};
        const int push_alone[] = {1, 0, 0};
        routh_error e = {0};
        assert_int_equal(f.n, 2);
        assert_int_equal(routh_dynamics_inputs(f.d, 7, u, &e), ROUTH_OK);
        assert_true(u[0] == 21 && u[1] == 49 && u[2] == 5);
        rate_at(&f, 7, x, rate);
        assert_true(fabs(rate[1] - (21 + 5 + 14) / 4.0) < 1e-12);
        const double given[] = {2, 1, 0};
        assert_int_equal(routh_dynamics_evaluate(f.d, 7, x, given, rate, &e), ROUTH_OK);
        assert_true(fabs(rate[1] - 2 / 4.0) < 1e-12);
        const double unread[] = {2, 100, 100};
        assert_int_equal(routh_dynamics_choose_inputs(f.d, push_alone, &e), ROUTH_OK);
        assert_int_equal(routh_dynamics_evaluate(f.d, 8, x, unread, rate, &e), ROUTH_OK);
        assert_true(fabs(rate[1] - (2 + 5 + 16) / 4.0) < 1e-12);
        assert_int_equal(routh_dynamics_choose_inputs(f.d, NULL, &e), ROUTH_OK);
        assert_int_equal(routh_dynamics_evaluate(f.d, 8, x, given, rate, &e), ROUTH_OK);
        assert_true(fabs(rate[1] - 2 / 4.0) < 1e-12);
        assert_int_equal(routh_dynamics_inputs(f.d, 7, u, &e), ROUTH_OK);
        assert_true(u[0] == 21 && u[1] == 49 && u[2] == 5);
        end(&f);
    }
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    routh_error error = {0};
    found f = begin(four_bar_yaml, "absolute");
    double rate[MOST], x[MOST], before[MOST];
    routh_dynamics *none = NULL;
    rate_at(&f, f.t, f.x, before);
    memcpy(x, f.x, sizeof x);
    x[0] = NAN;
    assert_int_equal(routh_dynamics_evaluate(f.d, 0, x, NULL, rate, &error), ROUTH_BAD_ARGUMENT);
    assert_int_equal(routh_dynamics_evaluate(f.d, NAN, f.x, NULL, rate, &error),
                     ROUTH_BAD_ARGUMENT);
    assert_int_equal(routh_dynamics_evaluate(f.d, 0, f.x, NULL, NULL, &error), ROUTH_BAD_ARGUMENT);
    assert_int_equal(routh_dynamics_create(&none, NULL, NULL, &error), ROUTH_BAD_ARGUMENT);
    x[0] = f.x[0] + 1e3; /* the loop does not reach so far */
    assert_int_not_equal(routh_dynamics_evaluate(f.d, f.t, x, NULL, rate, &error), ROUTH_OK);
    assert_non_null(strstr(error.message, "make the dynamics anew"));
    rate_at(&f, f.t, f.x, rate);
    assert_true(largest_difference(rate, before, f.n) < 1e-9);
    end(&f);
    routh_dynamics_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrated_it_is_the_motion),
        cmocka_unit_test(what_spins_goes_on_through_all_turns),
        cmocka_unit_test(it_is_a_function),
        cmocka_unit_test(inputs_are_taken),
        cmocka_unit_test(inputs_that_are_not_given_follow_their_histories),
        cmocka_unit_test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
