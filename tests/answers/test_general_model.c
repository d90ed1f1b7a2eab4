/* Tests of answers/modes on models that are no second-order systems: fewer velocities than
 * positions (nonholonomic joints), and states of controllers. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "linear_model.h"

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static routh_modes *modes_of(const routh_linear *l)
{
    routh_modes *m = NULL;
    assert_int_equal(routh_modes_compute(&m, l, NULL), ROUTH_OK);
    assert_int_equal(m->n, l->n_states);
    return m;
}

static routh_modes *compute(const routh_linear *l)
{
    routh_modes *m = modes_of(l);
    for (int k = 0; k < m->n; k++)
        if (!m->modes[k].rigid) assert_true(model_residual(l, &m->modes[k]) < 1e-12);
    return m;
}

static routh_linear with_control(int n_position, int n_velocity, int n_control)
{
    routh_linear l = model_new(n_position, n_velocity + n_control);
    l.n_velocity = n_velocity;
    l.n_control = n_control;
    return l;
}

/* ---- numbers without a pattern --------------------------------------------------------------- */

static double random_number(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state / 2147483648.0 - 1;
}

/* T := a random n x n matrix that is far from singular, R := its inverse, both from elementary
 * steps: exact but for rounding. */
static void random_change(int n, unsigned *state, double *T, double *R)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) T[i * n + j] = R[i * n + j] = i == j;
    for (int step = 0; step < 3 * n; step++) {
        const int a = (int)(fabs(random_number(state)) * n) % n;
        const int b = (int)(fabs(random_number(state)) * n) % n;
        const double f = random_number(state);
        if (a == b) continue;
        for (int j = 0; j < n; j++) T[a * n + j] += f * T[b * n + j]; /* T := E T */
        for (int i = 0; i < n; i++) R[i * n + b] -= f * R[i * n + a]; /* R := R E^-1 */
    }
}

/* A := T A R on the block that starts at state `first`. */
static void change_states(routh_linear *l, int first, int n, unsigned *state)
{
    const int N = l->n_states;
    double *T = calloc((size_t)(2 * n * n + 2 * n) + 1, sizeof *T), *R = T + n * n, *x = R + n * n;
    random_change(n, state, T, R);
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < n; i++) {
            x[i] = 0;
            for (int k = 0; k < n; k++) x[i] += T[i * n + k] * l->A[(first + k) * N + j];
        }
        for (int i = 0; i < n; i++) l->A[(first + i) * N + j] = x[i];
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < n; j++) {
            x[j] = 0;
            for (int k = 0; k < n; k++) x[j] += l->A[i * N + first + k] * R[k * n + j];
        }
        for (int j = 0; j < n; j++) l->A[i * N + first + j] = x[j];
    }
    free(T);
}

/* ---- nonholonomic ---------------------------------------------------------------------------- */

/* The Chaplygin sleigh at speed v along x: a knife edge under the origin, the centre of mass at a
 * before it. S = (x, y, heading), W = (speed, yaw rate):
 *     x' = u,  y' = v psi,  psi' = w,  u' = 0,  w' = -kappa v w,  kappa = m a / (J + m a^2)
 * (Neimark and Fufaev 1972, Dynamics of Nonholonomic Systems, ch. III). */
static routh_linear sleigh(double v, double kappa)
{
    routh_linear l = model_new(3, 2);
    l.A[0 * 5 + 3] = 1;
    l.A[1 * 5 + 2] = v;
    l.A[2 * 5 + 4] = 1;
    l.A[4 * 5 + 4] = -kappa * v;
    return l;
}

/* A thin disc, radius r, rolling upright and straight at v = r Omega. S = (x, y, lean, heading,
 * roll angle), W = rates of the last three; D = m r^2/4 about a diameter, J = m r^2/2:
 *     (D + m r^2) lean'' = m g r lean + (J + m r^2) Omega yaw,   D yaw' = -J Omega lean',
 *     x' = r roll',  y' = v heading
 * (Neimark and Fufaev 1972, ch. III). Free: x, y, heading, roll, roll rate, and a steady turn, in
 * chains of three, two and one; the lean has s^2 = (m g r - J (J + m r^2) Omega^2 / D) / (D + m
 * r^2). */
static routh_linear disc(double r, double Omega, double *s_squared)
{
    enum { N = 8, X = 0, Y = 1, LEAN = 2, HEADING = 3, ROLL = 4, W = 5 };
    const double D = r * r / 4, J = r * r / 2, g = 9.81, K = D + r * r, H = J + r * r;
    routh_linear l = model_new(5, 3);
    l.A[X * N + W + 2] = r;
    l.A[Y * N + HEADING] = r * Omega;
    for (int i = 0; i < 3; i++) l.A[(LEAN + i) * N + W + i] = 1;
    l.A[W * N + LEAN] = g * r / K;
    l.A[W * N + W + 1] = H * Omega / K;
    l.A[(W + 1) * N + W] = -J * Omega / D;
    *s_squared = (g * r - J * H * Omega * Omega / D) / K;
    return l;
}

static void a_sleigh_has_four_zeros_and_one_decay(void **state)
{
    (void)state;
    const double v = 3, kappa = 0.7;
    routh_linear l = sleigh(v, kappa);
    routh_modes *m = compute(&l);
    assert_int_equal(m->n_zero, 4);
    assert_true(m->zero_margin == 0);
    assert_near(m->modes[4].eigenvalue[0], -kappa * v, 1e-15);
    routh_modes_free(m);
    model_free(&l);
}

/* At rest S' = P W and W' = Q S + R W: at least z0 - z1 zeros, whatever the numbers. Here a blade
 * on springs: x along it, y across, heading; m x'' = -k x, J psi'' = -c psi - d psi', y' = 0. */
static void a_sleigh_at_rest_on_springs_has_its_structural_zero(void **state)
{
    (void)state;
    routh_linear l = model_new(3, 2);
    l.A[0 * 5 + 3] = l.A[2 * 5 + 4] = 1;
    l.A[3 * 5 + 0] = -9;
    l.A[4 * 5 + 2] = -5, l.A[4 * 5 + 4] = -2;
    for (unsigned seed = 0; seed < 50; seed++) {
        unsigned random = seed;
        routh_linear other = l;
        other.A = malloc(25 * sizeof *l.A);
        memcpy(other.A, l.A, 25 * sizeof *l.A);
        if (seed) change_states(&other, 0, 3, &random), change_states(&other, 3, 2, &random);
        routh_modes *m = compute(&other);
        assert_int_equal(m->n_zero, 1);
        assert_near(hypot(m->modes[1].eigenvalue[0] + 1, fabs(m->modes[1].eigenvalue[1]) - 2), 0,
                    1e-12);
        assert_near(hypot(m->modes[3].eigenvalue[0], fabs(m->modes[3].eigenvalue[1]) - 3), 0,
                    1e-12);
        routh_modes_free(m);
        model_free(&other);
    }
    model_free(&l);
}

/* In states that mix all positions and all velocities, so that no zero of the matrix is exact:
 * the counts hold, and the two others keep their digits. */
static void a_rolling_disc_has_six_zeros_in_any_states(void **state)
{
    (void)state;
    const double speeds[] = {0.5, 2, 7, 30, 100};
    for (int s = 0; s < 5; s++)
        for (unsigned seed = 0; seed < 200; seed++) {
            double s_squared;
            unsigned random = 1000 * seed + (unsigned)s;
            routh_linear l = disc(0.4, speeds[s] / 0.4, &s_squared);
            if (seed) change_states(&l, 0, 5, &random), change_states(&l, 5, 3, &random);
            routh_modes *m = modes_of(&l);
            assert_int_equal(m->n_zero, 6);
            /* the change of states itself rounds: eps times its condition, up to 1e5 */
            for (int k = 6; k < 8; k++) {
                const double re = m->modes[k].eigenvalue[0], im = m->modes[k].eigenvalue[1];
                const double size = sqrt(fabs(s_squared)), bound = 2e-16 * 1e6 * size;
                assert_true(m->modes[k].error_bound < bound);
                assert_near(s_squared > 0 ? fabs(re) : fabs(im), size, bound);
                assert_true(model_residual(&l, &m->modes[k]) < 2e-16 * 1e6);
            }
            assert_true(m->zero_margin < 1e-3);
            routh_modes_free(m);
            model_free(&l);
        }
}

/* In the states it has, every zero of the matrix being a rounding error, and angles known by their
 * unit: what lengths do to angles is noise, and must not pass for a coupling. */
static void noise_is_no_coupling_of_lengths_and_angles(void **state)
{
    (void)state;
    const int is_angle[] = {0, 0, 1, 1, 1, 1, 1, 1};
    char rad[] = "rad", length[] = "m";
    routh_state_name names[8] = {{0}};
    for (int i = 0; i < 8; i++) names[i].unit = is_angle[i] ? rad : length;
    for (unsigned seed = 1; seed < 200; seed++) {
        double s_squared;
        unsigned random = seed;
        routh_linear l = disc(0.25, 4, &s_squared);
        l.states = names;
        for (int k = 0; k < 64; k++) l.A[k] += 1e-15 * random_number(&random);
        routh_modes *m = modes_of(&l);
        assert_int_equal(m->n_zero, 6);
        routh_modes_free(m);
        model_free(&l);
    }
}

/* ---- controllers ----------------------------------------------------------------------------- */

/* y'' = -k y - d y' + ki x,  x' = a x - y: an integrator (a = 0) on an oscillator. */
static routh_linear integral_control(double k, double d, double ki, double a)
{
    routh_linear l = with_control(1, 1, 1);
    const double A[] = {0, 1, 0, -k, -d, ki, -1, 0, a};
    memcpy(l.A, A, sizeof A);
    return l;
}

/* Roots -1 and -1 +- 2i of s (s^2 + d s + k) + ki = 0. A change of a_xx moves an eigenvalue by its
 * participation: from (s^2 + d s + k)(s - a) + ki = 0,
 *     p_X = ds/da = (s^2 + d s + k) / ((2 s + d) s + s^2 + d s + k). */
static void an_integrator_closes_a_loop(void **state)
{
    (void)state;
    const double k = 7, d = 3, ki = 5;
    routh_linear l = integral_control(k, d, ki, 0);
    routh_modes *m = compute(&l);
    assert_int_equal(m->n_zero, 0);
    for (int i = 0; i < 3; i++) {
        const routh_mode *mode = &m->modes[i];
        const double _Complex s = mode->eigenvalue[0] + I * mode->eigenvalue[1];
        const double _Complex whole = s * s + d * s + k, p = whole / ((2 * s + d) * s + whole);
        assert_near(mode->eigenvalue[0], -1, 1e-13);
        assert_near(fabs(mode->eigenvalue[1]), i == 0 ? 0 : 2, 1e-13);
        assert_near(mode->control, cabs(p) / (cabs(p) + cabs(1 - p)), 1e-13);
        assert_int_equal(mode->rigid, 0);
    }
    routh_modes_free(m);
    model_free(&l);
}

/* Without feedback the controller's eigenvalues are its own: a filter, and an integrator whose zero
 * is no rigid motion. */
static void a_controller_that_only_listens_has_its_own_modes(void **state)
{
    (void)state;
    const double a[] = {-2.5, 0};
    for (int i = 0; i < 2; i++) {
        routh_linear l = integral_control(9, 0.6, 0, a[i]);
        routh_modes *m = compute(&l);
        assert_int_equal(m->n_zero, a[i] == 0);
        for (int k = 0; k < 3; k++) {
            const routh_mode *mode = &m->modes[k];
            const int own = fabs(mode->eigenvalue[0] - a[i]) < 1e-14 && mode->eigenvalue[1] == 0;
            assert_near(mode->control, own, 1e-14);
            assert_int_equal(own, k == 0);
        }
        routh_modes_free(m);
        model_free(&l);
    }
}

/* A free mass, its position integrated twice: one chain of four, x2 <- x1 <- y <- v. Two zeros
 * belong to the mass and two to the controller, though the shapes of the mass move it too. */
static void zeros_of_a_mass_and_of_its_integrators_are_told_apart(void **state)
{
    (void)state;
    enum { N = 4 };
    for (unsigned seed = 0; seed < 50; seed++) {
        unsigned random = seed;
        routh_linear l = with_control(1, 1, 2);
        l.A[0 * N + 1] = l.A[2 * N + 0] = l.A[3 * N + 2] = 1;
        if (seed) change_states(&l, 2, 2, &random);
        routh_modes *m = compute(&l);
        assert_int_equal(m->n_zero, 4);
        double sum = 0;
        for (int k = 0; k < 4; k++) {
            assert_near(m->modes[k].control, round(m->modes[k].control), 1e-12);
            sum += m->modes[k].control;
        }
        assert_near(sum, 2, 1e-12);
        routh_modes_free(m);
        model_free(&l);
    }
}

/* (1, 1, 0.., 1) are the null vectors of a free mass y and its filter x' = (y - x)/tau: the mode is
 * the mass's, though the filter follows it; and a controller may push, y'' = x1, x1' = -x1, whose
 * mode is the controller's, though it moves the mass. */
static void what_follows_a_mode_does_not_own_it(void **state)
{
    (void)state;
    routh_linear l = with_control(1, 1, 2);
    const double tau = 0.2;
    l.A[0 * 4 + 1] = 1;
    l.A[1 * 4 + 2] = 3;
    l.A[2 * 4 + 2] = -1;
    l.A[3 * 4 + 0] = 1 / tau, l.A[3 * 4 + 3] = -1 / tau;
    routh_modes *m = compute(&l);
    assert_int_equal(m->n_zero, 2);
    for (int k = 0; k < 4; k++) assert_near(m->modes[k].control, k >= 2, 1e-14);
    assert_near(m->modes[2].eigenvalue[0], -1, 1e-14);
    assert_near(m->modes[3].eigenvalue[0], -1 / tau, 1e-14);
    routh_modes_free(m);
    model_free(&l);
}

static void controllers_alone_are_a_model_too(void **state)
{
    (void)state;
    routh_linear l = with_control(0, 0, 3);
    l.A[0] = -1, l.A[1] = 1e6, l.A[4] = -2, l.A[5] = 1e-9;
    routh_modes *m = compute(&l);
    assert_int_equal(m->n_zero, 1);
    for (int k = 0; k < 3; k++) {
        assert_near(m->modes[k].eigenvalue[0], -k, 1e-14);
        assert_near(m->modes[k].control, 1, 1e-14);
    }
    routh_modes_free(m);
    model_free(&l);
}

/* A controller's states in other units, each in its own: the same eigenvalues, zeros and shares. A
 * slow mode beside it stays what it is. */
static void units_of_controllers_do_not_matter(void **state)
{
    (void)state;
    enum { N = 5 };
    const double slow = 1e-3;
    /* an oscillator, an integrator and a filter that drives it, an integrator that only listens */
    const double A[N * N] = {
        0, 1, 0, 0, 0, -slow * slow, -2e-4, 40, 0, 0, 0, 0, -100, 50, 0, 1, 0, 0, 0, 0,
        1, 0, 2, 0, 0};
    routh_linear l = with_control(1, 1, 3);
    memcpy(l.A, A, sizeof A);
    l.A[1 * N + 2] = 1e-6; /* y'' = .. + 1e-6 x1 */
    l.A[3 * N + 0] = -0.05;
    routh_modes *m = compute(&l);
    assert_int_equal(m->n_zero, 1);
    for (unsigned seed = 1; seed < 100; seed++) {
        unsigned random = seed;
        double unit[N];
        routh_linear other = with_control(1, 1, 3);
        const double meter = pow(10, 3 * random_number(&random));
        for (int i = 0; i < N; i++) unit[i] = i < 2 ? meter : pow(10, 9 * random_number(&random));
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) other.A[i * N + j] = l.A[i * N + j] * unit[i] / unit[j];
        routh_modes *o = modes_of(&other);
        assert_int_equal(o->n_zero, m->n_zero);
        for (int k = 0; k < N; k++) {
            const double *a = o->modes[k].eigenvalue, *b = m->modes[k].eigenvalue;
            /* estimates are good for an order of magnitude */
            const double bound = 10 * (o->modes[k].error_bound + m->modes[k].error_bound);
            assert_near(hypot(a[0] - b[0], a[1] - b[1]), 0, bound);
            assert_true(bound <= 1e-6 * hypot(b[0], b[1]));
            assert_near(o->modes[k].control, m->modes[k].control, 1e-6);
        }
        routh_modes_free(o);
        model_free(&other);
    }
    routh_modes_free(m);
    model_free(&l);
}

static void counts_must_add_up(void **state)
{
    (void)state;
    routh_modes *m = NULL;
    routh_error error;
    routh_linear l = with_control(2, 1, 1);
    l.n_control = 2;
    assert_int_equal(routh_modes_compute(&m, &l, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "2 of controllers"));
    l.n_control = -1, l.n_states = 2;
    assert_int_equal(routh_modes_compute(&m, &l, &error), ROUTH_BAD_ARGUMENT);
    model_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sleigh_has_four_zeros_and_one_decay),
        cmocka_unit_test(a_sleigh_at_rest_on_springs_has_its_structural_zero),
        cmocka_unit_test(a_rolling_disc_has_six_zeros_in_any_states),
        cmocka_unit_test(noise_is_no_coupling_of_lengths_and_angles),
        cmocka_unit_test(an_integrator_closes_a_loop),
        cmocka_unit_test(a_controller_that_only_listens_has_its_own_modes),
        cmocka_unit_test(zeros_of_a_mass_and_of_its_integrators_are_told_apart),
        cmocka_unit_test(what_follows_a_mode_does_not_own_it),
        cmocka_unit_test(controllers_alone_are_a_model_too),
        cmocka_unit_test(units_of_controllers_do_not_matter),
        cmocka_unit_test(counts_must_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
