/* Explicit Runge-Kutta and Adams on independent coordinates: against closed forms and other
 * derivations of the same motion, in all coordinate sets, from partition to partition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "known_motions.h"
#include "support/effort.h"
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
    const double k = sin(pendulum_amplitude / 2), h = 1e-5;
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

/* A steady spin has no error that would end a step, and its angles about the other axes have none
 * at half a turn: it is followed in the sets with turns, states within steps too. */
static void steady_spin_is_followed(void **state)
{
    (void)state;
    if (is_missing()) skip();
    static const char rotor[] =
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  stator: {mass: 200, inertia: [50, 50, 10]}\n"
        "  rotor: {mass: 1300, inertia: [500, 500, 1000], angular_velocity: [0, 0, 300]}\n"
        "joints:\n"
        "  bearing: {type: revolute, between: [rotor, stator], at: [0, 0, 0], axis: z}\n"
        "loads:\n"
        "  mount: {type: bushing, between: [stator, ground],"
        " translation: {stiffness: 1000, damping: 1}, rotation: {stiffness: 1e4, damping: 10}}\n";
    static const char *const sets[] = {"absolute", "euler-angles", "relative"};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < N_INTEGRATORS; i++) {
            moving t;
            moving_begin(&t, rotor, sets[k], integrators[i], 1e-6, 0);
            for (int n = 1; n <= 25; n++) {
                const double time = 0.004 * n * n; /* to 119 turns */
                moving_to(&t, time);
                const rt_frame *f = moving_body(&t, 1);
                const double sine = f->A[3] * cos(300 * time) - f->A[0] * sin(300 * time);
                if (!(fabs(sine) < 1e-6 && fabs(f->w[2] / 300 - 1) < 1e-9))
                    fail_msg("%s, %s: %.3g rad off at %.3g s", sets[k], integrators[i], sine, time);
            }
            moving_end(&t);
        }
}

/* ---- linkages -------------------------------------------------------------------------------- */

/* The same motion in every set, its energy kept, on the constraints; partitions: at least so many
 * in coordinates whose numbers cannot tell of a whole turn. */
static void follow(const char *yaml, double time, double most, int partitions)
{
    moving first = {0};
    for (int k = 0; routh_coordinate_name(k); k++)
        for (int i = 0; i < N_INTEGRATORS; i++) {
            const char *set = routh_coordinate_name(k);
            moving t;
            if (!is_chosen(k + i, N_INTEGRATORS)) continue; /* each set by one of them */
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

/* ---- rolling, controllers, motions ----------------------------------------------------------- */

/* In every set: no further than `most` from what is known. */
static void everywhere(const char *yaml, double (*error)(moving *t, double time), double time,
                       double most)
{
    for (int k = 0; routh_coordinate_name(k); k++)
        for (int i = 0; i < N_INTEGRATORS; i++) {
            moving t;
            if (!is_chosen(k + i, N_INTEGRATORS)) continue;
            moving_begin(&t, yaml, routh_coordinate_name(k), integrators[i], 1e-11, 0);
            const double off = error(&t, time);
            if (!(off < most))
                fail_msg("%s, %s: off by %.3g", routh_coordinate_name(k), integrators[i], off);
            moving_end(&t);
        }
}

static void disc_rolls_as_its_equations_say(void **state)
{
    (void)state;
    if (is_missing()) skip();
    everywhere(rolling_disc, disc_error, 1.5, 1e-8);
}

static void controllers_and_motions_are_followed(void **state)
{
    (void)state;
    if (is_missing()) skip();
    everywhere(controlled, controlled_error, 2, 1e-7);
}

/* There is nothing to integrate then, and no error to choose a step by. */
static void driven_mechanism_goes_where_it_is_told(void **state)
{
    (void)state;
    if (is_missing()) skip();
    everywhere(driven, driven_error, 3, 1e-11);
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
    routh_simulation_options options = routh_simulation_defaults();
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
        cmocka_unit_test(steady_spin_is_followed),
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
