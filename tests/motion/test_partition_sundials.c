/* Explicit Runge-Kutta and Adams on independent coordinates: against closed forms and other
 * derivations of the same motion, in all coordinate sets, from partition to partition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "moving.h"
#include "support/mechanisms.h"

static const char *const integrators[] = {"explicit-runge-kutta", "adams"};
enum { N_INTEGRATORS = 2 };

static bool is_missing(void)
{
    for (int k = 0; routh_integrator_name(k); k++)
        if (strcmp(routh_integrator_name(k), integrators[0]) == 0)
            return !routh_integrator_available(k);
    return true;
}

/* ---- a pendulum, and Jacobi's functions ------------------------------------------------------ */

/* A rod of 1 m on a hinge, from 170 degrees: I = 1/3 about the hinge, m g l/2 = 9.81/2. */
static const char pendulum[] = "title: pendulum\n"
                               "gravity: [0, 0, -9.81]\n"
                               "parameters: {a: 170 deg}\n"
                               "bodies:\n"
                               "  rod: {mass: 1, inertia: [1/12, 1/12, 1/600],\n"
                               "        position: [0.5*sin(a), 0, -0.5*cos(a)],\n"
                               "        orientation: {axis: [0, 1, 0], angle: -a}}\n"
                               "joints:\n"
                               "  hinge: {type: revolute, between: [rod, ground], at: [0, 0, 0], "
                               "axis: y}\n"
                               "operating_point: {type: given}\n";
static const double amplitude = 170 * 3.14159265358979323846 / 180;
static const double small_frequency = 3.8360135557633265; /* sqrt(9.81/2 * 3) */

/* sn(u, k) and K(k) by the arithmetic-geometric mean (Abramowitz and Stegun 16.4, 17.6). */
static double quarter_period(double k)
{
    double a = 1, b = sqrt(1 - k * k);
    for (int i = 0; i < 10; i++) {
        const double next = (a + b) / 2;
        b = sqrt(a * b), a = next;
    }
    return acos(-1) / (2 * a);
}

static double jacobi_sn(double u, double k)
{
    enum { N = 8 };
    double a[N + 1] = {1}, b = sqrt(1 - k * k), c[N + 1] = {k};
    for (int i = 0; i < N; i++) {
        a[i + 1] = (a[i] + b) / 2;
        c[i + 1] = (a[i] - b) / 2;
        b = sqrt(a[i] * b);
    }
    double phi = ldexp(a[N] * u, N);
    for (int i = N; i > 0; i--) phi = (phi + asin(c[i] * sin(phi) / a[i])) / 2;
    return sin(phi);
}

/* From rest at the amplitude: sin(theta/2) = k sn(K - w t, k), k = sin(amplitude/2). */
static double pendulum_angle(double t)
{
    const double k = sin(amplitude / 2);
    return 2 * asin(k * jacobi_sn(quarter_period(k) - small_frequency * t, k));
}

static double pendulum_error(moving *t, double time)
{
    moving_to(t, time);
    const double *r = moving_body(t, 0)->r, angle = pendulum_angle(time);
    return hypot(r[0] - sin(angle) / 2, r[2] + cos(angle) / 2);
}

static double error_with(const char *integrator, double tolerance, double step)
{
    moving t;
    moving_begin(&t, pendulum, "absolute", integrator, tolerance, step);
    const double error = pendulum_error(&t, 2);
    moving_end(&t);
    return error;
}

/* sn'^2 = (1 - sn^2)(1 - k^2 sn^2): the reference itself, by another formula. */
static void jacobi_function_has_its_derivative(void **state)
{
    (void)state;
    const double k = sin(amplitude / 2), h = 1e-5;
    for (double u = 0.1; u < 5; u += 0.3) {
        const double s = jacobi_sn(u, k);
        const double slope = (jacobi_sn(u + h, k) - jacobi_sn(u - h, k)) / (2 * h);
        assert_true(fabs(slope * slope - (1 - s * s) * (1 - k * k * s * s)) < 1e-8);
    }
}

/* Errors of fixed steps fall with the power that the formula is of, 5 and 8, or faster where terms
 * of higher powers are still the larger ones. */
static void runge_kutta_has_its_order(void **state)
{
    (void)state;
    if (is_missing()) skip();
    const struct {
        double tolerance, step, order;
    } pairs[] = {{1e-6, 0.02, 5}, {1e-9, 0.08, 8}};
    for (int k = 0; k < 2; k++) {
        const double coarse = error_with(integrators[0], pairs[k].tolerance, pairs[k].step);
        const double fine = error_with(integrators[0], pairs[k].tolerance, pairs[k].step / 2);
        const double order = log2(coarse / fine);
        assert_true(fine > 1e-13); /* not of rounding */
        if (!(order > pairs[k].order - 0.3 && order < pairs[k].order + 1.5))
            fail_msg("%.3g and %.3g: of order %.3g, not %g", coarse, fine, order, pairs[k].order);
    }
}

/* The pendulum forgets nothing: an error of a step grows some hundredfold from the top on. */
static void tolerances_are_kept(void **state)
{
    (void)state;
    if (is_missing()) skip();
    for (int i = 0; i < N_INTEGRATORS; i++)
        for (double tolerance = 1e-4; tolerance > 1e-11; tolerance /= 100) {
            const double error = error_with(integrators[i], tolerance, 0);
            if (!(error < 1e3 * tolerance))
                fail_msg("%s: %.3g at a tolerance of %.3g", integrators[i], error, tolerance);
        }
}

/* States within steps are as exact as those at their ends. */
static void states_within_steps_are_exact(void **state)
{
    (void)state;
    if (is_missing()) skip();
    for (int i = 0; i < N_INTEGRATORS; i++) {
        moving t;
        moving_begin(&t, pendulum, "relative", integrators[i], 1e-10, 0);
        for (int k = 1; k <= 500; k++) assert_true(pendulum_error(&t, 0.003 * k) < 1e-7);
        const routh_statistics counts = moving_counts(&t);
        assert_true(counts.largest_step > 0.006); /* two of them in a step */
        moving_end(&t);
    }
}

/* ---- linkages -------------------------------------------------------------------------------- */

/* A crank that goes round and round. */
static const char crank_rocker[] =
    "title: crank and rocker\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.01, 0.02, 0.02], position: [0.2, 0, 0],\n"
    "          velocity: [0, 2.4, 0], angular_velocity: [0, 0, 12]}\n"
    "  rod: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.9, 0.15, 0]}\n"
    "  rocker: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [1.35, 0.4, 0]}\n"
    "joints:\n"
    "  a: {type: revolute, between: [crank, ground], at: [0, 0, 0], axis: z}\n"
    "  b: {type: revolute, between: [crank, rod], at: [0.4, 0, 0], axis: z}\n"
    "  c: {type: revolute, between: [rod, rocker], at: [1.4, 0.8, 0], axis: z}\n"
    "  d: {type: revolute, between: [rocker, ground], at: [1.3, 0, 0], axis: z}\n"
    "operating_point: {type: given}\n";

/* Two bodies on balls, turning about all axes: every turn comes to the end of its angles. */
static const char tumbling[] =
    "title: two bodies on balls\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [0.1, 0.1, 0.02], position: [0.5, 0, 0],\n"
    "      angular_velocity: [0.3, 0.2, 3], orientation: {axis: [0, 1, 0], angle: 90 deg}}\n"
    "  b: {mass: 1, inertia: [0.1, 0.08, 0.02], position: [1.5, 0, 0],\n"
    "      angular_velocity: [0.3, 2, 12], orientation: {axis: [0, 1, 0], angle: 90 deg}}\n"
    "joints:\n"
    "  s: {type: spherical, between: [a, ground], at: [0, 0, 0]}\n"
    "  u: {type: spherical, between: [b, a], at: [1, 0, 0]}\n"
    "operating_point: {type: given}\n";

/* The same motion in every set, its energy kept, on the constraints; partitions: at least so many
 * in coordinates whose numbers cannot tell of a whole turn. */
static void follow(const char *yaml, double time, double most, int partitions)
{
    moving first = {0};
    for (int k = 0; routh_coordinate_name(k); k++)
        for (int i = 0; i < N_INTEGRATORS; i++) {
            const char *set = routh_coordinate_name(k);
            moving t;
            moving_begin(&t, yaml, set, integrators[i], 1e-11, 0);
            const double energy = moving_energy(&t);
            for (int n = 1; n <= 20; n++) {
                moving_to(&t, time * n / 20);
                if (!(fabs(moving_energy(&t) - energy) < 10 * most))
                    fail_msg("%s, %s: the energy changes by %.3g at %.3g s", set, integrators[i],
                             moving_energy(&t) - energy, time * n / 20);
            }
            const routh_statistics counts = moving_counts(&t);
            assert_true(counts.position_error < 1e-10 && counts.velocity_error < 1e-10);
            if (strcmp(set, "natural") == 0 || strcmp(set, "euler-parameters") == 0)
                assert_true(counts.partitions >= partitions);
            if (!first.s) {
                first = t;
                continue;
            }
            const double distance = moving_distance(&first, &t);
            if (!(distance < most))
                fail_msg("%s, %s: %.3g away from %s", set, integrators[i], distance,
                         routh_coordinate_name(0));
            moving_end(&t);
        }
    moving_end(&first);
}

static void linkage_turns_in_every_coordinate_set(void **state)
{
    (void)state;
    if (is_missing()) skip();
    follow(crank_rocker, 2, 1e-6, 6);
}

static void bodies_tumble_in_every_coordinate_set(void **state)
{
    (void)state;
    if (is_missing()) skip();
    follow(tumbling, 1, 1e-6, 3);
}

/* ---- a disc that rolls, by its textbook equations -------------------------------------------- */

static const double disc_mass = 1.3, disc_radius = 0.25, disc_speed = 1.4, disc_nudge = 0.3;

/* theta' = w1 and w' of tests/operating/test_nonholonomic.c (Neimark and Fufaev 1972). */
static void disc_rates(const double y[4], double rate[4])
{
    const double m = disc_mass, r = disc_radius, A = m * r * r / 4, C = m * r * r / 2;
    const double c = cos(y[0]), s = sin(y[0]), w1 = y[1], w2 = y[2], w3 = y[3], W3 = w2 * c / s;
    rate[0] = w1;
    rate[1] = (A * w2 * W3 - (C + m * r * r) * w2 * w3 - m * 9.81 * r * c) / (A + m * r * r);
    rate[2] = (C * w3 * w1 - A * w1 * W3) / A;
    rate[3] = m * r * r * w1 * w2 / (C + m * r * r);
}

static void disc_go(double y[4], double time, int steps)
{
    const double h = time / steps;
    for (int n = 0; n < steps; n++) {
        double k[4][4], at[4];
        disc_rates(y, k[0]);
        for (int s = 1; s < 4; s++) {
            for (int i = 0; i < 4; i++) at[i] = y[i] + (s < 3 ? h / 2 : h) * k[s - 1][i];
            disc_rates(at, k[s]);
        }
        for (int i = 0; i < 4; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

/* Rolling along x, nudged about x: e1 is x, e3 = -y at first, and theta = pi/2. */
static const char rolling_disc[] =
    "title: disc\n"
    "gravity: [0, 0, -9.81]\n"
    "parameters: {v: 1.4, r: 0.25, m: 1.3, A: m*r^2/4, C: m*r^2/2}\n"
    "bodies:\n"
    "  disc: {mass: m, inertia: [A, C, A], position: [0, 0, r], velocity: [v, -0.3*r, 0],\n"
    "         angular_velocity: [0.3, v/r, 0]}\n"
    "markers:\n"
    "  axle: {body: disc, orientation: {axis: [1, 0, 0], angle: -90 deg}}\n"
    "joints:\n"
    "  contact: {type: rolling, between: [axle, ground], radius: r}\n"
    "operating_point: {type: given}\n";

static void disc_rolls_as_its_equations_say(void **state)
{
    (void)state;
    if (is_missing()) skip();
    enum { STEPS = 20000 }; /* (1.5 s / 20000)^4 of a few per second: 1e-15 */
    for (int k = 0; routh_coordinate_name(k); k++)
        for (int i = 0; i < N_INTEGRATORS; i++) {
            moving t;
            double y[4] = {acos(-1) / 2, disc_nudge, 0, -disc_speed / disc_radius};
            moving_begin(&t, rolling_disc, routh_coordinate_name(k), integrators[i], 1e-11, 0);
            moving_to(&t, 1.5);
            disc_go(y, 1.5, STEPS);
            const rt_frame *f = moving_body(&t, 0);
            double w[3];
            rt_m3_tmul_v(w, f->A, f->w);
            const double height = f->r[2] - disc_radius * sin(y[0]), spin = fabs(w[1]) - fabs(y[3]);
            assert_true(fabs(y[0] - acos(-1) / 2) > 0.02); /* it leans */
            if (!(fabs(height) < 1e-8 && fabs(spin) < 1e-8))
                fail_msg("%s, %s: off by %.3g m and %.3g rad/s", routh_coordinate_name(k),
                         integrators[i], height, spin);
            moving_end(&t);
        }
}

/* ---- controllers, motions -------------------------------------------------------------------- */

/* A mass that a controller pulls back: x'' = -z, lag z' = 30 x + 4 x' - z, on a slide that a motion
 * shakes. */
static const char controlled[] =
    "title: controlled slide\n"
    "bodies:\n"
    "  base: {mass: 1, inertia: [1, 1, 1]}\n"
    "  cart: {mass: 2, inertia: [1, 1, 1], position: [0.1, 0, 0]}\n"
    "joints:\n"
    "  rail: {type: translational, between: [base, ground], at: [0, 0, 0], axis: x}\n"
    "  slide: {type: translational, between: [cart, base], at: [0, 0, 0], axis: x}\n"
    "  shaker: {type: motion, joint: rail, function: 0.05*sin(3*TIME)}\n"
    "controllers:\n"
    "  z: {type: differential, rate: \"(30*DX(cart, base) + 4*VX(cart, base) - z)/0.2\",\n"
    "      initial: 1}\n"
    "loads:\n"
    "  push: {type: force, on: cart, components: [-2*z, 0, 0]}\n"
    "operating_point: {type: given}\n";

/* The same by 3 equations and small steps of the classical formula: s the cart's place, in the
 * world. */
static void slide_rates(double t, const double y[3], double rate[3])
{
    const double base = 0.05 * sin(3 * t), base_speed = 0.15 * cos(3 * t);
    rate[0] = y[1];
    rate[1] = -y[2];
    rate[2] = (30 * (y[0] - base) + 4 * (y[1] - base_speed) - y[2]) / 0.2;
}

static void slide_go(double y[3], double time, int steps)
{
    const double h = time / steps;
    for (int n = 0; n < steps; n++) {
        double k[4][3], at[3];
        const double t = n * h;
        slide_rates(t, y, k[0]);
        for (int s = 1; s < 4; s++) {
            const double part = s < 3 ? h / 2 : h;
            for (int i = 0; i < 3; i++) at[i] = y[i] + part * k[s - 1][i];
            slide_rates(t + part, at, k[s]);
        }
        for (int i = 0; i < 3; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

static void controllers_and_motions_are_followed(void **state)
{
    (void)state;
    if (is_missing()) skip();
    for (int k = 0; routh_coordinate_name(k); k++)
        for (int i = 0; i < N_INTEGRATORS; i++) {
            moving t;
            moving_begin(&t, controlled, routh_coordinate_name(k), integrators[i], 1e-11, 0);
            const rt_state *now = rt_simulation_state(t.s);
            double y[3] = {moving_body(&t, 1)->r[0], moving_body(&t, 1)->v[0], 1};
            moving_to(&t, 2);
            slide_go(y, 2, 20000);
            const double off = fabs(moving_body(&t, 1)->r[0] - y[0]);
            const double off_z = fabs(now->signal[0] - y[2]);
            const double base = fabs(moving_body(&t, 0)->r[0] - 0.05 * sin(6));
            if (!(off < 1e-8 && off_z < 1e-6 && base < 1e-12))
                fail_msg("%s, %s: off by %.3g, %.3g, %.3g", routh_coordinate_name(k),
                         integrators[i], off, off_z, base);
            moving_end(&t);
        }
}

/* Driven altogether, there is nothing to integrate, and no error to choose a step by. */
static const char driven[] =
    "title: driven crank\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0]}\n"
    "joints:\n"
    "  hinge: {type: revolute, between: [crank, ground], at: [0, 0, 0], axis: z}\n"
    "  motor: {type: motion, joint: hinge, function: 2*TIME + TIME^2}\n"
    "operating_point: {type: given}\n";

static void driven_mechanism_goes_where_it_is_told(void **state)
{
    (void)state;
    if (is_missing()) skip();
    for (int k = 0; routh_coordinate_name(k); k++)
        for (int i = 0; i < N_INTEGRATORS; i++) {
            moving t;
            moving_begin(&t, driven, routh_coordinate_name(k), integrators[i], 1e-6, 0);
            for (int n = 1; n <= 10; n++) {
                const double time = 0.3 * n, angle = 2 * time + time * time;
                moving_to(&t, time);
                const rt_frame *f = moving_body(&t, 0);
                assert_true(fabs(f->r[0] - 0.5 * cos(angle)) < 1e-11);
                assert_true(fabs(f->r[1] - 0.5 * sin(angle)) < 1e-11);
                assert_true(fabs(f->w[2] - 2 - 2 * time) < 1e-11);
                assert_true(fabs(f->al[2] - 2) < 1e-9);
            }
            moving_end(&t);
        }
}

/* ---- going on -------------------------------------------------------------------------------- */

static void kept_runs_go_on_to_the_last_bit(void **state)
{
    (void)state;
    if (is_missing()) skip();
    for (int i = 0; i < N_INTEGRATORS; i++) {
        moving a, b;
        routh_error error;
        moving_begin(&a, tumbling, "absolute", integrators[i], 1e-8, 0);
        moving_begin(&b, tumbling, "absolute", integrators[i], 1e-8, 0);
        const size_t n = routh_simulation_memory(a.s);
        double *numbers = malloc(n * sizeof *numbers);
        assert_non_null(numbers);
        moving_to(&a, 0.37);
        assert_int_equal(routh_simulation_keep(a.s, numbers, &error), ROUTH_OK);
        assert_int_equal(routh_simulation_resume(b.s, numbers, &error), ROUTH_OK);
        for (int k = 1; k <= 5; k++) {
            moving_to(&a, 0.37 + 0.2 * k);
            moving_to(&b, 0.37 + 0.2 * k);
            const rt_state *x = rt_simulation_state(a.s), *y = rt_simulation_state(b.s);
            assert_memory_equal(x->q, y->q, (size_t)a.m->n_q * sizeof *x->q);
            assert_memory_equal(x->u, y->u, (size_t)a.m->n_u * sizeof *x->u);
            assert_memory_equal(x->lambda, y->lambda, (size_t)a.m->n_rows * sizeof *x->lambda);
        }
        free(numbers);
        moving_end(&a);
        moving_end(&b);
    }
}

/* Within 1e5 steps: the energy of a pendulum that swings nearly to the top, by order 8. */
static void energy_stays_for_long(void **state)
{
    (void)state;
    if (is_missing()) skip();
    const int steps = with_effort(1000);
    moving t;
    moving_begin(&t, pendulum, "relative", integrators[0], 1e-12, 0.01);
    const double energy = moving_energy(&t);
    moving_to(&t, 0.01 * steps);
    if (!(fabs(moving_energy(&t) - energy) < 1e-8))
        fail_msg("the energy changes by %.3g in %d steps", moving_energy(&t) - energy, steps);
    moving_end(&t);
}

static void refusal(const char *integrator, double step, routh_status wanted, const char *words)
{
    test_mechanism t;
    routh_error error;
    routh_simulation *s;
    mechanism_make(&t, pendulum);
    routh_operating_point *point = mechanism_point(&t);
    routh_simulate_options options = routh_simulate_defaults();
    options.integrator = integrator;
    options.step = step;
    assert_int_equal(routh_simulation_create(&s, t.m, point, &options, &error), wanted);
    assert_null(s);
    assert_non_null(strstr(error.message, words));
    routh_operating_point_free(point);
    mechanism_release(&t);
}

static void what_cannot_be_had_is_refused_by_name(void **state)
{
    (void)state;
    if (!is_missing())
        refusal("adams", 0.01, ROUTH_NOT_SUPPORTED, "adams chooses its steps by the tolerance");
    else
        for (int i = 0; i < N_INTEGRATORS; i++)
            refusal(integrators[i], 0, ROUTH_NOT_SUPPORTED, "SUNDIALS");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobi_function_has_its_derivative),
        cmocka_unit_test(runge_kutta_has_its_order),
        cmocka_unit_test(tolerances_are_kept),
        cmocka_unit_test(states_within_steps_are_exact),
        cmocka_unit_test(linkage_turns_in_every_coordinate_set),
        cmocka_unit_test(bodies_tumble_in_every_coordinate_set),
        cmocka_unit_test(disc_rolls_as_its_equations_say),
        cmocka_unit_test(controllers_and_motions_are_followed),
        cmocka_unit_test(driven_mechanism_goes_where_it_is_told),
        cmocka_unit_test(kept_runs_go_on_to_the_last_bit),
        cmocka_unit_test(energy_stays_for_long),
        cmocka_unit_test(what_cannot_be_had_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
