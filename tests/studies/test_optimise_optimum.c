/* Optima against closed forms; multipliers against derivatives of these; modes that pass each other
 * on the way; values where there is no operating point. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "studies.h"
#include "studies/optimise_iterate.h"

static const double TWO_PI = 6.283185307179586476925286766559;

static void near(double x, double wanted, double relative)
{
    if (!(fabs(x - wanted) <= relative * fabs(wanted)))
        fail_msg("%.15g where %.15g was to be, to %.1g", x, wanted, relative);
}

/* ---- placed ---------------------------------------------------------------------------------- */

/* k1 k2 = m1 m2 w1^2 w2^2 and k1 m2 + k2 (m1 + m2) = m1 m2 (w1^2 + w2^2), without damping. */
static void frequencies_are_placed(void **state)
{
    (void)state;
    char text[2000];
    strcpy(text, two_masses);
    memcpy(strstr(text, "c: 0.5"), "c: 0.0", 6);
    routh_optimum *o = optimise(text,
                                "variables:\n"
                                "  k1: {between: [10, 5000], scale: log}\n"
                                "  k2: {between: [10, 5000]}\n"
                                "goals:\n"
                                "  low: {frequency: 1, at: 1.5}\n"
                                "  high: {frequency: 2, at: 3}\n",
                                NULL);
    assert_int_equal(o->end, ROUTH_OPTIMISE_CONVERGED);
    const double k1 = o->variables[0].after, k2 = o->variables[1].after;
    const double a = pow(1.5 * TWO_PI, 2), b = pow(3 * TWO_PI, 2);
    near(k1 * k2, 2 * a * b, 1e-6);
    near(k1 * 1 + k2 * 3, 2 * (a + b), 1e-6);
    assert_true(o->least_change && o->goals[0].active && o->goals[1].active);
    assert_true(o->violation < 1e-7);
    routh_optimum_free(o);
}

/* Nothing is to be minimised: of all stiffnesses that sum to 320 those nearest to the start, 40 and
 * 160, both counted in parts of what they may be between. */
static void the_nearest_values_are_taken(void **state)
{
    (void)state;
    routh_optimum *o = optimise(apart,
                                "variables:\n"
                                "  ka: {between: [10, 210]}\n"
                                "  kb: {between: [100, 400]}\n"
                                "goals: {sum: {expression: ka + kb, at_least: 320}}\n",
                                NULL);
    assert_true(o->least_change);
    assert_int_equal(o->end, ROUTH_OPTIMISE_CONVERGED);
    const double a = 200.0 * 200, b = 300.0 * 300;
    near(o->variables[0].after, 40 + 120 * a / (a + b), 1e-6);
    near(o->variables[1].after, 160 + 120 * b / (a + b), 1e-6);
    routh_optimum_free(o);
}

/* Modes in any order are told by the eigenvalues they had, also where only the damping differs. */
static void modes_are_recognised_by_their_eigenvalues(void **state)
{
    (void)state;
    enum { N = 6 };
    const double known[2 * N] = {-1, 5, -1, -5, -3, 5, -3, -5, -4, 0, 2, 0};
    const int order[N] = {4, 2, 5, 0, 3, 1}; /* mode k is branch order[k] */
    routh_mode all[N] = {0};
    routh_modes modes = {.n = N, .modes = all};
    int place[N];
    rt_iterate it = {.modes = &modes, .place = place};
    for (int k = 0; k < N; k++)
        for (int i = 0; i < 2; i++) all[k].eigenvalue[i] = known[2 * order[k] + i] * (1 + 1e-3 * k);
    assert_int_equal(rt_iterate_recognise(&it, known, NULL), ROUTH_OK);
    for (int k = 0; k < N; k++) assert_int_equal(place[order[k]], k);
}

/* Damping ratio of a mode: c moves it, and k is free to stay. */
static void a_damping_ratio_is_reached(void **state)
{
    (void)state;
    routh_optimum *o = optimise(two_masses,
                                "variables: {c: {between: [0, 20]}}\n"
                                "goals:\n"
                                "  damped: {damping_ratio: all, at_least: 0.02}\n"
                                "  less: {expression: 2*c, minimise: yes}\n",
                                NULL);
    assert_int_equal(o->end, ROUTH_OPTIMISE_CONVERGED);
    near(o->goals[0].after, 0.02, 1e-6);
    assert_int_equal(o->goals[0].n_members, 2);
    assert_true(o->goals[0].active);
    near(o->after, o->variables[0].after / 0.5, 1e-12);
    assert_true(o->optimality < 1e-6);
    routh_optimum_free(o);
}

/* ---- multipliers ----------------------------------------------------------------------------- */

/* Least k with sqrt(k/m)/2pi >= f is m (2 pi f)^2; J = k/k_0, so dJ/df = 2 k/(f k_0). */
static void multiplier_of_a_goal(void **state)
{
    (void)state;
    routh_optimum *o = optimise(apart,
                                "variables: {ka: {between: [10, 100], start: 50}}\n"
                                "goals:\n"
                                "  f: {frequency: 1, at_least: 0.8}\n"
                                "  light: {expression: ka, minimise: yes}\n",
                                NULL);
    const double k = pow(0.8 * TWO_PI, 2);
    near(o->variables[0].after, k, 1e-6);
    assert_true(o->goals[0].active);
    near(o->goals[0].objective_by_bound, 2 * k / (0.8 * 50), 1e-5);
    near(o->goals[1].before, 50, 1e-12);
    near(o->after, k / 50, 1e-6);
    assert_int_equal(o->variables[0].at_bound, 0);
    routh_optimum_free(o);
}

/* f as large as may be: k at its bound K, J = -f/f_0, dJ/dK = -sqrt(K/k_0)/(2 K). */
static void multiplier_of_a_bound(void **state)
{
    (void)state;
    routh_optimum *o = optimise(apart,
                                "variables: {ka: {between: [10, 90]}}\n"
                                "goals: {f: {frequency: 1, maximise: yes}}\n",
                                NULL);
    near(o->variables[0].after, 90, 1e-12);
    assert_int_equal(o->variables[0].at_bound, 1);
    near(o->variables[0].objective_by_bound, -sqrt(90.0 / 40) / (2 * 90), 1e-8);
    near(o->after, -sqrt(90.0 / 40), 1e-10);
    routh_optimum_free(o);
}

/* Two frequencies that are to be large share a budget: the lesser counts, so both are equal,
 * k_a/1 = k_b/1 = budget/2. The budget's multiplier: J = -f/f_0, f ~ sqrt(budget/2). */
static void a_budget_is_shared(void **state)
{
    (void)state;
    routh_optimum *o = optimise(apart,
                                "variables: {ka: {between: [10, 200]}, kb: {between: [10, 200]}}\n"
                                "goals:\n"
                                "  f: {frequency: [1, 2], maximise: yes}\n"
                                "  budget: {expression: ka + kb, at_most: 180}\n",
                                NULL);
    near(o->variables[0].after, 90, 1e-6);
    near(o->variables[1].after, 90, 1e-6);
    /* f_0 is the larger of the two at the start, sqrt(160)/2pi */
    near(o->after, -sqrt(90.0 / 160), 1e-7);
    near(o->goals[1].objective_by_bound, -sqrt(90.0 / 160) / (2 * 180), 1e-5);
    routh_optimum_free(o);
}

/* ---- the H-infinity absorber ----------------------------------------------------------------- */

/* Asami and Nishihara, Closed-form exact solution to H-infinity optimization of dynamic vibration
 * absorbers, J. Vib. Acoust. 125 (2003), 398-405: of an undamped primary system that is pushed. */
static void exact_absorber(double mu, double *tuning, double *zeta)
{
    const double root = sqrt(4 + 3 * mu);
    *tuning = 2 / (1 + mu) *
              sqrt(2 * (16 + 23 * mu + 9 * mu * mu + 2 * (2 + mu) * root) /
                   (3 * (64 + 80 * mu + 27 * mu * mu)));
    *zeta = sqrt((8 + 9 * mu - 4 * root) / (1 + mu)) / 4;
}

/* |x k / F|^2 at w, written down from the two equations of motion. */
static double gain(double mu, double f, double z, double w)
{
    const double a = f * f - w * w, b = 2 * z * f * w;
    const double re = a * (1 - w * w) - mu * f * f * w * w, im = b * (1 - w * w - mu * w * w);
    return sqrt((a * a + b * b) / (re * re + im * im));
}

/* Largest of the two peaks less the smaller, by a fine search: equal at the optimum. */
static void peaks_of(double mu, double f, double z, double peak[2])
{
    double last = 0, now = gain(mu, f, z, 0.5);
    int n = 0;
    peak[0] = peak[1] = 0;
    for (double w = 0.5001; w < 1.5 && n < 2; w += 1e-5) {
        const double next = gain(mu, f, z, w);
        if (now > last && now >= next) peak[n++] = now;
        last = now, now = next;
    }
}

static void absorbers_are_exact(void **state)
{
    static const char study[] =
        "variables:\n"
        "  tuning: {between: [0.5, 1.5]}\n"
        "  zeta: {between: [0.01, 0.6]}\n"
        "goals:\n"
        "  peak: {peak: x, input: push, over: [0.03, 0.5], minimise: yes}\n";
    (void)state;
    for (int k = 0; routh_optimum_algorithm_name(k); k++) {
        const routh_optimum_options how = {.algorithm = routh_optimum_algorithm_name(k)};
        double tuning, zeta, peak[2];
        routh_optimum *o = optimise(absorber, study, &how);
        exact_absorber(0.1, &tuning, &zeta);
        peaks_of(0.1, tuning, zeta, peak);
        near(peak[0], peak[1], 1e-8); /* what is held against is an optimum indeed */
        assert_int_equal(o->end, ROUTH_OPTIMISE_CONVERGED);
        /* slsqp ends at a vertex, the others creep along the valley of nearly equal peaks */
        near(o->variables[0].after, tuning, k ? 1e-5 : 1e-7);
        near(o->variables[1].after, zeta, k ? 1e-4 : 1e-7);
        near(o->goals[0].after, peak[0], 1e-7);
        assert_true(o->optimality < 1e-3);
        /* and not Den Hartog's, which is near to it */
        assert_true(fabs(o->variables[0].after - 1 / 1.1) > 1e-5);
        routh_optimum_free(o);
    }
}

/* ---- on the way ------------------------------------------------------------------------------ */

/* Mode 1 is to be at 3 Hz, beyond mode 2 at 2.01 Hz: it passes. By its number it never could. */
static void modes_pass_each_other(void **state)
{
    (void)state;
    routh_optimum *o = optimise(apart,
                                "variables: {ka: {between: [10, 1000]}}\n"
                                "goals: {f: {frequency: 1, at: 3}}\n",
                                NULL);
    assert_int_equal(o->end, ROUTH_OPTIMISE_CONVERGED);
    near(o->variables[0].after, pow(3 * TWO_PI, 2), 1e-6);
    assert_int_equal(o->n_uncertain, 0);
    routh_optimum_free(o);
}

/* The mass m - 1 is none below m = 1: steps that go there are taken back. */
static void values_without_operating_point(void **state)
{
    char text[2000];
    (void)state;
    const char *at = strstr(apart, "mass: m,");
    snprintf(text, sizeof text, "%.*smass: m - 1,%s", (int)(at - apart), apart,
             at + strlen("mass: m,"));
    memcpy(strstr(text, "m: 1"), "m: 9", 4);
    routh_optimum *o = optimise(text,
                                "variables: {m: {between: [0.2, 30], start: 20}}\n"
                                "goals: {f: {frequency: 1, near: 1.5}}\n",
                                NULL);
    assert_true(o->n_failed > 0);
    assert_non_null(strstr(o->failure, "mass"));
    near(o->variables[0].after, 1 + 40 / pow(1.5 * TWO_PI, 2), 1e-5);
    routh_optimum_free(o);
}

static void what_cannot_be_kept_is_told(void **state)
{
    (void)state;
    routh_optimum *o = optimise(apart,
                                "variables: {ka: {between: [10, 100]}}\n"
                                "goals: {f: {frequency: 1, at_least: 5}}\n",
                                NULL);
    near(o->variables[0].after, 100, 1e-6); /* as near as may be */
    assert_true(o->violation > 0.5);
    assert_true(isnan(o->optimality));
    near(o->goals[0].slack, 10 / TWO_PI - 5, 1e-6);
    routh_optimum_free(o);
}

/* Eigenvalues left of a line, the least damping for it: of a single mass c/2 >= 1.5. */
static void eigenvalues_are_kept_left(void **state)
{
    (void)state;
    routh_optimum *o = optimise("parameters: {c: 8}\n"
                                "gravity: [0, 0, 0]\n"
                                "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
                                "joints: {s: {type: translational, between: [a, ground],"
                                " at: [0, 0, 0], axis: x}}\n"
                                "loads: {f: {type: force, on: a, components:"
                                " [-100*DX(a) - c*VX(a), 0, 0]}}\n"
                                "operating_point: {type: static}\n",
                                "variables: {c: {between: [0.1, 15]}}\n"
                                "goals:\n"
                                "  left: {real_part: all, at_most: -1.5}\n"
                                "  cheap: {expression: c^2, minimise: yes}\n",
                                NULL);
    near(o->variables[0].after, 3, 1e-6);
    near(o->goals[0].objective_by_bound, -2 * 2 * 3.0 / 64, 1e-5); /* dc/dbound = -2 */
    routh_optimum_free(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequencies_are_placed),
        cmocka_unit_test(the_nearest_values_are_taken),
        cmocka_unit_test(modes_are_recognised_by_their_eigenvalues),
        cmocka_unit_test(a_damping_ratio_is_reached),
        cmocka_unit_test(multiplier_of_a_goal),
        cmocka_unit_test(multiplier_of_a_bound),
        cmocka_unit_test(a_budget_is_shared),
        cmocka_unit_test(absorbers_are_exact),
        cmocka_unit_test(modes_pass_each_other),
        cmocka_unit_test(values_without_operating_point),
        cmocka_unit_test(what_cannot_be_kept_is_told),
        cmocka_unit_test(eigenvalues_are_kept_left),
    };
    if (!nlopt_is_there()) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
