/* Tests of answers/modes against closed forms. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "linear_model.h"

static const double PI = 3.14159265358979323846;

static routh_modes *compute(const routh_linear *l)
{
    routh_modes *m = NULL;
    assert_int_equal(routh_modes_compute(&m, l, NULL), ROUTH_OK);
    assert_int_equal(m->n, l->n_states);
    return m;
}

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static void assert_eigenvalue(const routh_modes *m, int k, double re, double im, double tolerance)
{
    assert_near(m->modes[k].eigenvalue[0], re, tolerance);
    assert_near(m->modes[k].eigenvalue[1], im, tolerance);
}

/* Order, conjugates and vectors of any result. */
static void assert_sound(const routh_linear *l, const routh_modes *m)
{
    for (int k = 0; k < m->n; k++) {
        const routh_mode *mode = &m->modes[k], *other = &m->modes[mode->conjugate];
        const double size = hypot(mode->eigenvalue[0], mode->eigenvalue[1]);
        assert_int_equal(mode->rigid, size == 0);
        assert_int_equal(k < m->n_zero, size == 0);
        assert_true(mode->condition >= 1);
        assert_true(mode->eigenvalue[0] == other->eigenvalue[0]);
        assert_true(mode->eigenvalue[1] == -other->eigenvalue[1]);
        assert_int_equal(mode->conjugate == k, mode->eigenvalue[1] == 0);
        if (mode->eigenvalue[1] != 0) assert_int_equal(other->conjugate, k);
        if (k) {
            const double before =
                hypot(m->modes[k - 1].eigenvalue[0], m->modes[k - 1].eigenvalue[1]);
            assert_true(before <= size * (1 + 1e-11));
        }
        if (size > 0) assert_true(model_residual(l, mode) < 1e-12);
    }
}

static void one_damped_oscillator(void **state)
{
    (void)state;
    const double K[] = {25}, C[] = {6};
    routh_linear l = model_second_order(1, K, C);
    routh_modes *m = compute(&l);
    assert_sound(&l, m);
    assert_eigenvalue(m, 0, -3, -4, 1e-14);
    assert_eigenvalue(m, 1, -3, 4, 1e-14);
    assert_near(m->modes[1].undamped_frequency_hz, 5 / (2 * PI), 1e-15);
    assert_near(m->modes[1].damped_frequency_hz, 4 / (2 * PI), 1e-15);
    assert_near(m->modes[1].damping_ratio, 0.6, 1e-15);
    assert_int_equal(m->modes[0].multiplicity, 1);
    assert_int_equal(m->n_zero, 0);
    routh_modes_free(m);
    model_free(&l);
}

static void an_overdamped_and_an_unstable_system_have_real_modes(void **state)
{
    (void)state;
    const double K[] = {6, 0, 0, -4}, C[] = {5, 0, 0, 0};
    routh_linear l = model_second_order(2, K, C);
    routh_modes *m = compute(&l);
    const double expected[] = {-2, 2, -2, -3};
    assert_sound(&l, m);
    for (int k = 0; k < 4; k++)
        assert_near(fabs(m->modes[k].eigenvalue[0]), fabs(expected[k]), 1e-13);
    /* -2, -2 (two different states), 2 of equal modulus, then -3 */
    assert_near(m->modes[0].eigenvalue[0], -2, 1e-13);
    assert_near(m->modes[1].eigenvalue[0], -2, 1e-13);
    assert_near(m->modes[2].eigenvalue[0], 2, 1e-13);
    assert_near(m->modes[2].damping_ratio, -1, 1e-15);
    assert_int_equal(m->modes[0].multiplicity, 2);
    assert_int_equal(m->modes[2].multiplicity, 1);
    routh_modes_free(m);
    model_free(&l);
}

/* x'' + 4 x' + 4 x = 0, with either sign: -2 twice, with one vector; beside it two oscillators that
 * are equal and not defective. */
static void critical_damping_is_defective(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        const double K[] = {4, 0, 0, 0, 9, 0, 0, 0, 9}, C[] = {4.0 * sign, 0, 0, 0, 0, 0, 0, 0, 0};
        routh_linear l = model_second_order(3, K, C);
        routh_modes *m = compute(&l);
        for (int k = 0; k < 6; k++) {
            const routh_mode *mode = &m->modes[k];
            assert_int_equal(mode->defective, k < 2 ? 2 : 0);
            assert_int_equal(mode->multiplicity, 2);
            assert_true(mode->error_bound <= (k < 2 ? 1e-6 : 1e-12));
            assert_near(mode->eigenvalue[0], k < 2 ? -2 * sign : 0, mode->error_bound);
        }
        routh_modes_free(m);
        model_free(&l);
    }
}

/* Two equal masses between three equal springs: k/m and 3k/m, in phase and in opposition. */
static void coupled_oscillators(void **state)
{
    (void)state;
    const double k = 7, K[] = {2 * k, -k, -k, 2 * k};
    routh_linear l = model_second_order(2, K, NULL);
    routh_modes *m = compute(&l);
    assert_sound(&l, m);
    for (int p = 0; p < 2; p++) {
        const double w = sqrt(p ? 3 * k : k);
        assert_eigenvalue(m, 2 * p, 0, -w, 1e-14 * w);
        assert_eigenvalue(m, 2 * p + 1, 0, w, 1e-14 * w);
        const double *x = m->modes[2 * p].shape;
        assert_near(hypot(x[0] - (p ? -1 : 1) * x[1], x[4] - (p ? -1 : 1) * x[5]), 0, 1e-14);
    }
    routh_modes_free(m);
    model_free(&l);
}

/* x'' + g y' + k x = 0, y'' - g x' + k y = 0: w = sqrt(g^2/4 + k) -+ g/2 */
static void gyroscopic_pair(void **state)
{
    (void)state;
    const double k = 40, g = 3, K[] = {k, 0, 0, k}, C[] = {0, g, -g, 0};
    routh_linear l = model_second_order(2, K, C);
    routh_modes *m = compute(&l);
    assert_sound(&l, m);
    const double root = sqrt(g * g / 4 + k);
    assert_eigenvalue(m, 1, 0, root - g / 2, 1e-13);
    assert_eigenvalue(m, 3, 0, root + g / 2, 1e-13);
    routh_modes_free(m);
    model_free(&l);
}

static void a_free_coordinate_gives_two_exact_zeros(void **state)
{
    (void)state;
    const double K[] = {100, 0, -3, 0, 0, 0, -3, 0, 50}, C[] = {1, 0.5, 0, 0, 0, 0, 0, 0, 2};
    routh_linear l = model_second_order(3, K, C);
    routh_modes *m = compute(&l);
    assert_sound(&l, m);
    assert_int_equal(m->n_zero, 2);
    assert_true(m->zero_margin < 1e-13);
    for (int k = 0; k < 2; k++) {
        const double *x = m->modes[k].shape;
        assert_int_equal(m->modes[k].multiplicity, 2);
        for (int i = 0; i < 6; i++) assert_true(x[6 + i] == 0);
    }
    /* the null vector, and a vector that moves at constant velocity: (A^2) x = 0 */
    const double *x = m->modes[0].shape, *z = m->modes[1].shape;
    for (int i = 0; i < 6; i++) assert_near(x[i], i == 1, 0);
    assert_near(fabs(z[4]), fabs(z[1]), 1e-12);
    assert_true(fabs(z[4]) > 0.5);
    routh_modes_free(m);
    model_free(&l);
}

/* The same, with rounding errors of the size of the last digits of the stiffness in the row of the
 * free motion. */
static void rounding_errors_do_not_move_the_zeros(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        const double e = sign * 3e-14, K[] = {100, e, -3, e, e, -e, -3, -e, 50};
        const double C[] = {1, 0.5, 0, e, e, e, 0, 0, 2};
        routh_linear l = model_second_order(3, K, C);
        routh_modes *m = compute(&l);
        assert_int_equal(m->n_zero, 2);
        assert_true(m->zero_margin > 0 && m->zero_margin < 1e-10);
        routh_modes_free(m);
        model_free(&l);
    }
}

/* Masses 1 on unit springs in a row. Fixed ends: w_k = 2 sin(k pi / (2 (n + 1))). Free ends:
 * w_k = 2 sin(k pi / (2 n)), k = 0 the rigid motion, whose null vector spreads over all masses. */
static void chain(int n, int is_free, double tolerance)
{
    double *K = calloc((size_t)(n * n), sizeof *K);
    for (int i = 0; i < n; i++) {
        K[i * n + i] = is_free && (i == 0 || i == n - 1) ? 1 : 2;
        if (i) K[i * n + i - 1] = K[(i - 1) * n + i] = -1;
    }
    routh_linear l = model_second_order(n, K, NULL);
    routh_modes *m = compute(&l);
    assert_sound(&l, m);
    assert_int_equal(m->n_zero, is_free ? 2 : 0);
    for (int k = is_free ? 1 : 0; k < n; k++) {
        const double w =
            is_free ? 2 * sin(k * PI / (2 * n)) : 2 * sin((k + 1) * PI / (2 * (n + 1)));
        assert_eigenvalue(m, 2 * k, 0, -w, tolerance);
        assert_eigenvalue(m, 2 * k + 1, 0, w, tolerance);
    }
    for (int i = 0; is_free && i < n; i++)
        assert_near(m->modes[0].shape[i], m->modes[0].shape[0], 1e-12);
    routh_modes_free(m);
    model_free(&l);
    free(K);
}

static void chains_have_their_analytic_frequencies(void **state)
{
    (void)state;
    chain(5, 0, 1e-13);
    chain(200, 0, 1e-10);
    chain(6, 1, 1e-13);
    chain(60, 1, 1e-10);
}

/* 1e-5 rad/s beside 100 rad/s, in coordinates of its own, and turned so that both coordinates see
 * both. */
static void a_slow_mode_is_not_a_zero(void **state)
{
    (void)state;
    const double w = 1e-5, W = 100, c = 0.6, s = 0.8;
    const double apart[] = {w * w, 0, 0, W * W};
    const double mixed[] = {c * c * w * w + s * s * W * W, c * s * (w * w - W * W),
                            c * s * (w * w - W * W), s * s * w * w + c * c * W * W};
    routh_linear l = model_second_order(2, apart, NULL);
    routh_modes *m = compute(&l);
    assert_int_equal(m->n_zero, 0);
    assert_eigenvalue(m, 1, 0, w, 1e-13 * w);
    assert_eigenvalue(m, 3, 0, W, 1e-13 * W);
    routh_modes_free(m);
    model_free(&l);
    /* here w^2 is 45 units in the last place of the stiffness: its size is lost, its presence not
     */
    l = model_second_order(2, mixed, NULL);
    m = compute(&l);
    assert_int_equal(m->n_zero, 0);
    routh_modes_free(m);
    model_free(&l);
}

/* The slow mode keeps its digits beside a rigid motion and six fast ones. */
static void a_slow_mode_beside_a_rigid_motion(void **state)
{
    (void)state;
    enum { N = 8 };
    double K[N * N] = {0};
    const double w = 1e-5;
    K[0] = w * w;
    for (int i = 2; i < N; i++) K[i * N + i] = 1e4 * (1 + 0.1 * i);
    for (int i = 3; i < N; i++) K[i * N + i - 1] = K[(i - 1) * N + i] = 500;
    routh_linear l = model_second_order(N, K, NULL);
    routh_modes *m = compute(&l);
    assert_sound(&l, m);
    assert_int_equal(m->n_zero, 2);
    assert_eigenvalue(m, 2, 0, -w, 1e-12 * w);
    assert_eigenvalue(m, 3, 0, w, 1e-12 * w);
    assert_true(m->modes[4].undamped_frequency_hz > 15);
    routh_modes_free(m);
    model_free(&l);
}

/* A rotor that turns freely with friction c / J: one zero (the angle), one slow decay. */
static void a_slow_decay_is_not_a_zero(void **state)
{
    (void)state;
    const double K[] = {0, 0, 0, 1e8}, C[] = {1e-6, 0, 0, 10};
    routh_linear l = model_second_order(2, K, C);
    routh_modes *m = compute(&l);
    assert_sound(&l, m);
    assert_int_equal(m->n_zero, 1);
    assert_eigenvalue(m, 1, -1e-6, 0, 1e-18);
    routh_modes_free(m);
    model_free(&l);
}

/* x' = N x, N nilpotent of index 3 beside an eigenvalue -2, in mixed coordinates P N P^-1 with
 * integer P. */
static void longer_jordan_blocks_of_zero(void **state)
{
    (void)state;
    enum { N = 4 };
    const double J[N][N] = {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}, {0, 0, 0, -2}};
    const double P[N][N] = {{1, 2, 0, 1}, {0, 1, 3, 0}, {0, 0, 1, 2}, {0, 0, 0, 1}};
    const double R[N][N] = {{1, -2, 6, -13}, {0, 1, -3, 6}, {0, 0, 1, -2}, {0, 0, 0, 1}};
    routh_linear l = model_new(N, 0);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int a = 0; a < N; a++)
                for (int b = 0; b < N; b++) l.A[i * N + j] += P[i][a] * J[a][b] * R[b][j];
    routh_modes *m = compute(&l);
    assert_sound(&l, m);
    assert_int_equal(m->n_zero, 3);
    assert_eigenvalue(m, 3, -2, 0, 1e-13);
    /* the first is a null vector, the second in the null space of A^2, the third in that of A^3 */
    for (int k = 0; k < 3; k++) {
        double x[N], y[N] = {0}, before = 0, after = 0;
        memcpy(x, m->modes[k].shape, sizeof x);
        for (int turn = 0; turn <= k; turn++) {
            before = after = 0;
            for (int i = 0; i < N; i++) {
                y[i] = 0;
                for (int j = 0; j < N; j++) y[i] += l.A[i * N + j] * x[j];
            }
            for (int i = 0; i < N; i++)
                before = fmax(before, fabs(x[i])), after = fmax(after, fabs(y[i]));
            memcpy(x, y, sizeof x);
        }
        assert_true(before > 1e-3);
        assert_true(after < 1e-13);
    }
    routh_modes_free(m);
    model_free(&l);
}

static void a_matrix_of_zeros_and_an_empty_one(void **state)
{
    (void)state;
    for (int n = 0; n < 6; n += 5) {
        routh_linear l = model_new(n, 0);
        routh_modes *m = compute(&l);
        assert_int_equal(m->n_zero, n);
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++) assert_true(m->modes[k].shape[i] == (i == k));
        routh_modes_free(m);
        model_free(&l);
    }
    /* a free point: three coordinates, six zeros */
    routh_linear l = model_second_order(3, NULL, NULL);
    routh_modes *m = compute(&l);
    assert_int_equal(m->n_zero, 6);
    routh_modes_free(m);
    model_free(&l);
    routh_modes_free(NULL);
}

/* Companion matrix of (s + 1)(s + 2)...(s + 7): errors must stay within the bounds, and these must
 * be small. */
static void companion_matrix_within_its_error_bounds(void **state)
{
    (void)state;
    enum { N = 7 };
    double c[N + 1] = {1};
    routh_linear l = model_new(N, 0);
    for (int r = 1; r <= N; r++)
        for (int k = r; k > 0; k--) c[k] += r * c[k - 1];
    for (int i = 0; i + 1 < N; i++) l.A[i * N + i + 1] = 1;
    for (int j = 0; j < N; j++) l.A[(N - 1) * N + j] = -c[N - j];
    routh_modes *m = compute(&l);
    assert_sound(&l, m);
    for (int k = 0; k < N; k++) {
        assert_near(m->modes[k].eigenvalue[0], -(k + 1), m->modes[k].error_bound);
        assert_true(m->modes[k].error_bound < 1e-7);
        assert_true(m->modes[k].condition > 1);
        assert_int_equal(m->modes[k].multiplicity, 1);
    }
    routh_modes_free(m);
    model_free(&l);
}

/* Largest | cosine | between the complex shapes of two modes. */
static double cosine(const routh_modes *m, int a, int b)
{
    const double *x = m->modes[a].shape, *y = m->modes[b].shape;
    double re = 0, im = 0, xx = 0, yy = 0;
    for (int i = 0; i < m->n; i++) {
        re += x[i] * y[i] + x[m->n + i] * y[m->n + i];
        im += x[i] * y[m->n + i] - x[m->n + i] * y[i];
        xx += x[i] * x[i] + x[m->n + i] * x[m->n + i];
        yy += y[i] * y[i] + y[m->n + i] * y[m->n + i];
    }
    return hypot(re, im) / sqrt(xx * yy);
}

/* Three oscillators joined to each other by equal springs: k once and k + 3 j twice, in every
 * direction of the plane of zero sum. */
static void repeated_eigenvalues_have_independent_shapes(void **state)
{
    (void)state;
    const double k = 4, j = 1.7;
    double K[9];
    for (int i = 0; i < 9; i++) K[i] = i % 4 ? -j : k + 2 * j;
    routh_linear l = model_second_order(3, K, NULL);
    routh_modes *m = compute(&l);
    assert_sound(&l, m);
    const double w = sqrt(k + 3 * j);
    for (int a = 2; a < 6; a++) {
        assert_eigenvalue(m, a, 0, a < 4 ? -w : w, 1e-13);
        assert_int_equal(m->modes[a].multiplicity, 2);
    }
    assert_int_equal(m->modes[0].multiplicity, 1);
    assert_true(cosine(m, 2, 3) < 0.99);
    assert_true(cosine(m, 4, 5) < 0.99);
    routh_modes_free(m);
    model_free(&l);
}

/* A critically damped oscillator: -w twice, defective. The bound must admit an error of about
 * sqrt(eps). */
static void a_defective_eigenvalue_is_counted_twice(void **state)
{
    (void)state;
    const double K[] = {9, 0, 0, 1000}, C[] = {6, 0, 0, 1};
    routh_linear l = model_second_order(2, K, C);
    routh_modes *m = compute(&l);
    assert_sound(&l, m);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(m->modes[k].multiplicity, 2);
        assert_eigenvalue(m, k, -3, 0, 1e-6);
        assert_near(m->modes[k].eigenvalue[0], -3, m->modes[k].error_bound);
    }
    routh_modes_free(m);
    model_free(&l);
}

/* States in other units: the same motion in mm and in turns has the same eigenvalues and the same
 * zeros. */
static void units_do_not_matter(void **state)
{
    (void)state;
    const double K[] = {200, 30, 0, 0.4, 90, 0, 0, 0, 0}, C[] = {3, 0, 0.2, 0, 1, 0, 0, 0.1, 0};
    const double unit[] = {1e-3, 1e4, 1e4, 1e-3, 1e4, 1e4};
    char rad[] = "rad", length[] = "m";
    routh_state_name names[6] = {{0}};
    for (int i = 0; i < 6; i++) names[i].unit = i % 3 ? rad : length;
    routh_linear l = model_second_order(3, K, C), other = model_new(3, 3);
    l.states = other.states = names;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) other.A[6 * i + j] = l.A[6 * i + j] * unit[i] / unit[j];
    routh_modes *m = compute(&l), *o = compute(&other);
    assert_int_equal(m->n_zero, 2);
    assert_int_equal(o->n_zero, m->n_zero);
    for (int k = 0; k < 6; k++)
        assert_eigenvalue(o, k, m->modes[k].eigenvalue[0], m->modes[k].eigenvalue[1], 1e-12);
    routh_modes_free(m), routh_modes_free(o);
    model_free(&l), model_free(&other);
}

/* w and W rad/s in coordinates (x, angle) that both see both, counted in other units of time and
 * length: nothing is zero in any of them. */
static void a_slow_mode_is_not_a_zero_in_other_units(void **state)
{
    (void)state;
    const double w = 1e-3, W = 100, c = 0.6, s = 0.8;
    const double off = c * s * (w * w - W * W);
    char rad[] = "rad", length[] = "m", rate[] = "rad/s", speed[] = "m/s";
    routh_state_name names[4] = {{0}};
    names[0].unit = length, names[1].unit = rad, names[2].unit = speed, names[3].unit = rate;
    for (int k = -2; k <= 2; k++)
        for (int j = -2; j <= 2; j++) {
            const double time = pow(1e4, k), meter = pow(1e4, j);
            const double K[] = {(c * c * w * w + s * s * W * W) * time * time,
                                off * meter * time * time, off / meter * time * time,
                                (s * s * w * w + c * c * W * W) * time * time};
            routh_linear l = model_second_order(2, K, NULL);
            l.states = names;
            routh_modes *m = compute(&l);
            assert_int_equal(m->n_zero, 0);
            assert_near(m->modes[1].eigenvalue[1] / (w * time), 1, 1e-3);
            assert_near(m->modes[3].eigenvalue[1] / (W * time), 1, 1e-12);
            routh_modes_free(m);
            model_free(&l);
        }
}

/* Where joints hold velocities, a heading moves a place (y' = 2 heading) and no place moves
 * anything but for rounding: that says nothing of lengths against angles. */
static void a_coupling_one_way_sets_no_length(void **state)
{
    (void)state;
    char rad[] = "rad", length[] = "m", rate[] = "rad/s";
    routh_state_name names[4] = {{.unit = length}, {.unit = rad}, {.unit = rad}, {.unit = rate}};
    routh_linear l = model_new(3, 1); /* y, heading, lean; rate of lean */
    const double A[] = {-1e-16, 2, 4e-16, 0, 8e-16, 0, 0, 0.5, 0, 0, 0, 1, 6e-15, 1e-15, -50, -0.1};
    memcpy(l.A, A, sizeof A);
    l.states = names;
    routh_modes *m = compute(&l);
    assert_int_equal(m->n_zero, 2);
    assert_eigenvalue(m, 2, -0.05, -sqrt(50 - 0.0025), 1e-12);
    routh_modes_free(m);
    model_free(&l);
}

static void what_is_not_a_linear_model_is_refused(void **state)
{
    (void)state;
    const double K[] = {NAN};
    routh_linear l = model_second_order(1, K, NULL);
    routh_modes *m = NULL;
    routh_error error;
    assert_int_equal(routh_modes_compute(&m, &l, &error), ROUTH_NUMERIC_ERROR);
    assert_null(m);
    assert_non_null(strstr(error.message, "(1, 0)"));
    l.A[2] = INFINITY;
    assert_int_equal(routh_modes_compute(&m, &l, &error), ROUTH_NUMERIC_ERROR);
    l.n_position = 2;
    assert_int_equal(routh_modes_compute(&m, &l, &error), ROUTH_BAD_ARGUMENT);
    model_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_damped_oscillator),
        cmocka_unit_test(an_overdamped_and_an_unstable_system_have_real_modes),
        cmocka_unit_test(critical_damping_is_defective),
        cmocka_unit_test(coupled_oscillators),
        cmocka_unit_test(gyroscopic_pair),
        cmocka_unit_test(a_free_coordinate_gives_two_exact_zeros),
        cmocka_unit_test(rounding_errors_do_not_move_the_zeros),
        cmocka_unit_test(chains_have_their_analytic_frequencies),
        cmocka_unit_test(a_slow_mode_is_not_a_zero),
        cmocka_unit_test(a_slow_mode_beside_a_rigid_motion),
        cmocka_unit_test(a_slow_decay_is_not_a_zero),
        cmocka_unit_test(longer_jordan_blocks_of_zero),
        cmocka_unit_test(a_matrix_of_zeros_and_an_empty_one),
        cmocka_unit_test(companion_matrix_within_its_error_bounds),
        cmocka_unit_test(repeated_eigenvalues_have_independent_shapes),
        cmocka_unit_test(a_defective_eigenvalue_is_counted_twice),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(a_slow_mode_is_not_a_zero_in_other_units),
        cmocka_unit_test(a_coupling_one_way_sets_no_length),
        cmocka_unit_test(what_is_not_a_linear_model_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
