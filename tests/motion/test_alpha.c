/* HHT and generalized alpha: their order in every coordinate set against another method, what they
 * keep, and what they refuse. */
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
#include "support/effort.h"

static const char *const methods[] = {"hht", "generalized-alpha"};

/* The error at `end` of steps of one length. */
static double error_of(const char *yaml, const char *coordinates, const char *method, double end,
                       double step, const double *exact)
{
    test_run r;
    int n;
    routh_simulation_options o = routh_simulation_defaults();
    o.integrator = method;
    o.step = step;
    o.end = end;
    run_begin(&r, yaml, coordinates, &o);
    run_to(&r, end);
    double *result = run_result(&r, &n);
    const double error = largest_difference(result, exact, n);
    free(result);
    run_end(&r);
    return error;
}

/* An eighth of the step, a 64th of the error. */
static void check_order(const char *name, const char *yaml, const char *coordinates,
                        const char *method, double end, double step, const double *exact)
{
    const double coarse = error_of(yaml, coordinates, method, end, step, exact);
    const double fine = error_of(yaml, coordinates, method, end, step / 8, exact);
    const double order = log2(coarse / fine) / 3;
    if (!(order > 1.8 && order < 2.2))
        fail_msg("%s in %s coordinates by %s: errors %.3g and %.3g, order %.3f", name, coordinates,
                 method, coarse, fine, order);
}

/* By either method in one of the coordinate sets; at full effort by both in every set. */
static void check_all_sets(const char *name, const char *yaml, double end, double step, int first)
{
    int n;
    double *exact = reference_result(yaml, end, 4000, &n);
    for (int k = 0; routh_coordinate_name(k); k++)
        for (int i = 0; i < 2; i++)
            if (is_chosen(k + 2 * i + first, 4))
                check_order(name, yaml, routh_coordinate_name(k), methods[(k + i) % 2], end, step,
                            exact);
    free(exact);
}

static void is_of_second_order_for_a_pendulum_in_space(void **state)
{
    (void)state;
    check_all_sets("pendulum", double_pendulum_yaml, 0.5, 1e-3, 0);
}

static void is_of_second_order_for_a_closed_loop(void **state)
{
    (void)state;
    check_all_sets("four-bar", four_bar_yaml, 0.5, 1e-3, 1);
}

static void is_of_second_order_for_rolling(void **state)
{
    (void)state;
    check_all_sets("disc", disc_yaml, 0.5, 1e-3, 0);
}

static void is_of_second_order_with_controllers(void **state)
{
    (void)state;
    check_all_sets("cart", controlled_yaml, 0.5, 5e-4, 1);
}

static void is_of_second_order_with_a_motion(void **state)
{
    (void)state;
    check_all_sets("crank", driven_yaml, 0.5, 1e-3, 0);
}

/* With its tolerance the error falls, and all states that are shown keep the constraints. */
static void follows_its_tolerance(void **state)
{
    (void)state;
    int n;
    double *exact = reference_result(four_bar_yaml, 1, 8000, &n), before = INFINITY;
    for (double tolerance = 1e-4; tolerance > 1e-9; tolerance /= 100) {
        test_run r;
        routh_statistics count;
        routh_simulation_options o = routh_simulation_defaults();
        o.tolerance = tolerance;
        run_begin(&r, four_bar_yaml, "absolute", &o);
        for (int k = 1; k <= 64; k++) run_to(&r, k / 64.0);
        double *result = run_result(&r, &n);
        const double error = largest_difference(result, exact, n);
        routh_simulation_statistics(r.simulation, &count);
        free(result);
        run_end(&r);
        /* of second order, errors go with the step squared, the tolerance with its cube */
        assert_true(error < before / 8);
        assert_true(error < 30 * pow(tolerance, 2.0 / 3));
        assert_true(count.position_error < 1e-10 && count.velocity_error < 1e-10);
        before = error;
    }
    free(exact);
}

/* States between the ends of steps: the same whether few or many are asked for, and of the same
 * order as those at the ends. */
static void shows_states_between_steps(void **state)
{
    (void)state;
    static const double end = 0.37;
    test_run few, many;
    int n;
    routh_simulation_options o = routh_simulation_defaults();
    o.step = 1e-2;
    double *exact = reference_result(double_pendulum_yaml, end, 4000, &n);
    double errors[2];
    for (int k = 0; k < 2; k++, o.step /= 2) {
        run_begin(&few, double_pendulum_yaml, "absolute", &o);
        run_begin(&many, double_pendulum_yaml, "absolute", &o);
        for (int j = 1; j < 371; j++) run_to(&many, j * 1e-3);
        run_to(&few, end);
        run_to(&many, end);
        double *a = run_result(&few, &n), *b = run_result(&many, &n);
        assert_memory_equal(a, b, (size_t)n * sizeof *a);
        errors[k] = largest_difference(a, exact, n);
        free(a);
        free(b);
        run_end(&few);
        run_end(&many);
    }
    assert_true(log2(errors[0] / errors[1]) > 1.7);
    free(exact);
}

/* So are states of controllers: at a time between the ends of steps, whose run goes on, their error
 * goes with the square of the step, as at the ends. */
static void shows_states_of_controllers_between_steps(void **state)
{
    (void)state;
    static const double end = 0.3737;
    int n;
    double *exact = reference_result(controlled_yaml, end, 4000, &n);
    for (int k = 0; k < 2; k++) {
        double errors[2];
        for (int fine = 0; fine < 2; fine++) {
            test_run r;
            routh_simulation_options o = routh_simulation_defaults();
            o.integrator = methods[k];
            o.step = fine ? 2.5e-4 : 2e-3; /* neither goes into the end */
            run_begin(&r, controlled_yaml, "absolute", &o);
            run_to(&r, end);
            double *result = run_result(&r, &n);
            errors[fine] = largest_difference(result, exact, n);
            free(result);
            run_end(&r);
        }
        const double order = log2(errors[0] / errors[1]) / 3;
        if (!(order > 1.8 && order < 2.3))
            fail_msg("%s: errors %.3g and %.3g, order %.3f", methods[k], errors[0], errors[1],
                     order);
    }
    free(exact);
}

/* Of a linear oscillator the trapezoidal member (no dissipation) keeps the energy
 * to what Newton leaves, over any number of steps; the usual one loses some of it. */
static void keeps_energy_without_dissipation(void **state)
{
    (void)state;
    static const char yaml[] =
        "bodies: {slider: {mass: 2, inertia: [1, 1, 1], position: [1.3, 0, 0]}}\n"
        "joints: {rail: {type: translational, between: [slider, ground], at: [0, 0, 0], axis: x}}\n"
        "loads: {spring: {type: spring, between: [slider, ground], stiffness: 50, free_length: "
        "1}}\n";
    routh_simulation_options o = routh_simulation_defaults();
    double drift[2] = {0};
    o.step = 5e-2;
    for (int k = 0; k < 2; k++) {
        test_run r;
        o.dissipation = k == 0 ? 0 : NAN;
        run_begin(&r, yaml, "absolute", &o);
        run_to(&r, 100);
        const rt_frame *f = &r.simulation->run.search.w->bodies[0];
        const double x = f->r[0] - 1, v = f->v[0], energy = v * v + 25 * x * x;
        drift[k] = fabs(energy / (25 * 0.09) - 1);
        run_end(&r);
    }
    assert_true(drift[0] < 1e-7);
    assert_true(drift[1] > 1e-2);
}

/* So late that every sum of time and step is rounded to the same side: a body that slides freely
 * still is where so many steps bring it. */
static void equal_steps_come_to_their_sum(void **state)
{
    (void)state;
    static const char yaml[] =
        "bodies: {slider: {mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}}\n"
        "joints: {rail: {type: translational, between: [slider, ground], at: [0, 0, 0], axis: "
        "x}}\n";
    static const double start = 1000, way = 1.0 / 1024;
    for (int k = 0; k < 2; k++) {
        test_run r;
        routh_error error = {0};
        routh_statistics count;
        routh_simulation_options o = routh_simulation_defaults();
        o.integrator = methods[k];
        o.step = way / 1000;
        o.end = start + way;
        run_begin(&r, yaml, "relative", NULL);
        r.point->state->t = start;
        assert_int_equal(routh_simulation_create(&r.simulation, r.t.m, r.point, &o, &error),
                         ROUTH_OK);
        run_to(&r, o.end);
        routh_simulation_statistics(r.simulation, &count);
        assert_int_equal(count.steps, 1000);
        const double x = r.simulation->run.search.w->bodies[0].r[0];
        if (!(fabs(x - way) < 1e-14)) fail_msg("%s: off by %.3g m", methods[k], x - way);
        run_end(&r);
    }
}

static void refuses_what_it_cannot_use(void **state)
{
    (void)state;
    test_run r;
    routh_error error = {0};
    routh_simulation *s;
    run_begin(&r, driven_yaml, "absolute", NULL);
    const struct {
        routh_simulation_options options;
        const char *words;
    } cases[] = {
        {{.dissipation = 0.5}, "from -1/3 to 0"},
        {{.integrator = "generalized-alpha", .dissipation = -0.1}, "from 0 to 1"},
        {{.integrator = "euler", .dissipation = NAN}, "use one of: hht"},
        {{.tolerance = -1, .dissipation = NAN}, "tolerance"},
        {{.step = INFINITY, .dissipation = NAN}, "step"},
        {{.end = -1, .dissipation = NAN}, "not after its start"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_not_equal(routh_simulation_create(&s, r.t.m, r.point, &cases[k].options, &error),
                             ROUTH_OK);
        assert_null(s);
        assert_non_null(strstr(error.message, cases[k].words));
    }
    run_end(&r);
}

static void goes_on_in_time_only(void **state)
{
    (void)state;
    test_run r;
    routh_error error = {0};
    routh_simulation_options o = routh_simulation_defaults();
    o.end = 1;
    run_begin(&r, driven_yaml, "absolute", &o);
    run_to(&r, 0.1);
    assert_int_equal(routh_simulation_advance(r.simulation, 0.05, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "cannot go back to 0.05"));
    assert_int_equal(routh_simulation_advance(r.simulation, 2, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "ends at 1 s"));
    run_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_of_second_order_for_a_pendulum_in_space),
        cmocka_unit_test(is_of_second_order_for_a_closed_loop),
        cmocka_unit_test(is_of_second_order_for_rolling),
        cmocka_unit_test(is_of_second_order_with_controllers),
        cmocka_unit_test(is_of_second_order_with_a_motion),
        cmocka_unit_test(follows_its_tolerance),
        cmocka_unit_test(shows_states_between_steps),
        cmocka_unit_test(shows_states_of_controllers_between_steps),
        cmocka_unit_test(keeps_energy_without_dissipation),
        cmocka_unit_test(equal_steps_come_to_their_sum),
        cmocka_unit_test(refuses_what_it_cannot_use),
        cmocka_unit_test(goes_on_in_time_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
