/* Tests of base/rotation: maps against each other, Jacobians against differences, small and large
 * angles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/random_frames.h"

static const double pi = 3.14159265358979323846;

static void assert_near(const char *text, int n, const double *a, const double *b, double tolerance)
{
    for (int k = 0; k < n; k++)
        if (!(fabs(a[k] - b[k]) <= tolerance))
            fail_msg("%s: entry %d is %.17g and should be %.17g", text, k, a[k], b[k]);
}

/* A random vector of the given length. */
static void random_vector(random_stream *stream, double length, double v[3])
{
    double n;
    do {
        random_reals(stream, 3, v);
        n = rt_v3_norm(v);
    } while (n > 1 || n < 0.1);
    rt_v3_scale(v, length / n, v);
}

/* From tiny to just below pi. */
static const double lengths[] = {0, 1e-160, 1e-12, 1e-8, 1e-4, 1e-2, 0.3, 1, 2, 3, 3.1, 3.14159};
enum { N_LENGTHS = sizeof lengths / sizeof lengths[0], N_EACH = 50 };

static void exp_gives_the_rotation_of_rodrigues(void **state)
{
    (void)state;
    random_stream stream = {61};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        double axis[3], theta[3], A[9], x[3], found[3], expected[3], nx[3];
        const double t = 6 * random_real(&stream);
        random_vector(&stream, 1, axis);
        random_vector(&stream, 1, x);
        rt_v3_scale(theta, t, axis);
        rt_rotation_exp(A, theta);
        rt_m3_mul_v(found, A, x);
        /* x cos t + n x x sin t + n (n.x)(1 - cos t) */
        rt_v3_cross(nx, axis, x);
        rt_v3_scale(expected, cos(t), x);
        rt_v3_add_scaled(expected, sin(t), nx);
        rt_v3_add_scaled(expected, rt_v3_dot(axis, x) * (1 - cos(t)), axis);
        assert_near("turned vector", 3, found, expected, 2e-15);
    }
}

static void log_undoes_exp_at_every_size(void **state)
{
    (void)state;
    random_stream stream = {62};
    for (int l = 0; l < N_LENGTHS; l++)
        for (int k = 0; k < N_EACH; k++) {
            double theta[3], A[9], back[3];
            random_vector(&stream, lengths[l], theta);
            rt_rotation_exp(A, theta);
            assert_true(rt_rotation_log(back, A));
            /* relative to small angles, to rounding of A's entries at large ones */
            assert_near("rotation vector", 3, back, theta, fmin(2e-15, 4e-15 * lengths[l]));
        }
}

static void log_at_pi_gives_one_of_two_and_false(void **state)
{
    (void)state;
    random_stream stream = {63};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        double n[3], A[9], theta[3], q[4] = {0};
        random_vector(&stream, 1, n);
        rt_v3_copy(q + 1, n);
        rt_rotation_from_quaternion(A, q);
        assert_false(rt_rotation_log(theta, A));
        const double sign = rt_v3_dot(theta, n) < 0 ? -pi : pi;
        rt_v3_scale(n, sign, n);
        assert_near("half turn", 3, theta, n, 1e-14);
    }
}

typedef struct log_family {
    double A[9], direction[3];
    bool right;
} log_family;

static void log_at(void *context, double eps, double *theta)
{
    const log_family *s = context;
    double turn[3], E[9], A[9];
    rt_v3_scale(turn, eps, s->direction);
    rt_rotation_exp(E, turn);
    if (s->right)
        rt_m3_mul(A, s->A, E);
    else
        rt_m3_mul(A, E, s->A);
    assert_true(rt_rotation_log(theta, A));
}

static void the_inverse_jacobians_differentiate_the_logarithm(void **state)
{
    (void)state;
    random_stream stream = {64};
    for (int l = 0; l < N_LENGTHS; l++)
        for (int k = 0; k < N_EACH; k++) {
            double theta[3], J[9], found[3], difference[3];
            log_family s;
            random_vector(&stream, fmin(lengths[l], 3.05), theta);
            rt_rotation_exp(s.A, theta);
            random_vector(&stream, 1, s.direction);
            for (int right = 0; right < 2; right++) {
                s.right = right;
                if (right)
                    rt_rotation_right_inverse(J, theta);
                else
                    rt_rotation_left_inverse(J, theta);
                rt_m3_mul_v(found, J, s.direction);
                differentiate(log_at, &s, 0.02, 3, difference);
                assert_near("derivative of the logarithm", 3, found, difference, 1e-10);
            }
        }
}

/* Jl^-1 theta = theta and Jl^-1 n for n normal to theta = (t/2 cot t/2) n - 1/2 theta x n, to
 * rounding. */
static void the_inverse_jacobian_is_exact_to_rounding_up_to_pi(void **state)
{
    (void)state;
    random_stream stream = {65};
    for (int l = 0; l < N_LENGTHS; l++)
        for (int k = 0; k < N_EACH; k++) {
            const double t = lengths[l], cotangent = t > 1e-7 ? t / 2 / tan(t / 2) : 1;
            double axis[3], theta[3], any[3], n[3], J[9], found[3], expected[3];
            random_vector(&stream, 1, axis);
            rt_v3_scale(theta, t, axis);
            random_vector(&stream, 1, any);
            rt_v3_cross(n, axis, any);
            rt_rotation_left_inverse(J, theta);
            rt_m3_mul_v(found, J, theta);
            assert_near("along theta", 3, found, theta, 4e-15 * t);
            rt_m3_mul_v(found, J, n);
            rt_v3_cross(expected, theta, n);
            rt_v3_scale(expected, -0.5, expected);
            rt_v3_add_scaled(expected, cotangent, n);
            assert_near("normal to theta", 3, found, expected, 4e-15);
        }
}

typedef struct jacobian_family {
    double theta[3], direction[3], m[3];
} jacobian_family;

static void left_inverse_at(void *context, double eps, double *J)
{
    const jacobian_family *s = context;
    double theta[3];
    rt_v3_copy(theta, s->theta);
    rt_v3_add_scaled(theta, eps, s->direction);
    rt_rotation_left_inverse(J, theta);
}

static void right_inverse_times_m_at(void *context, double eps, double *value)
{
    const jacobian_family *s = context;
    double theta[3], J[9];
    rt_v3_copy(theta, s->theta);
    rt_v3_add_scaled(theta, eps, s->direction);
    rt_rotation_right_inverse(J, theta);
    rt_m3_mul_v(value, J, s->m);
}

static void derivatives_of_the_inverse_jacobians_match_differences(void **state)
{
    (void)state;
    random_stream stream = {66};
    for (int l = 0; l < N_LENGTHS; l++)
        for (int k = 0; k < N_EACH; k++) {
            jacobian_family s;
            double dJ[9], D[9], found[3], difference[9];
            random_vector(&stream, lengths[l], s.theta);
            random_vector(&stream, 1, s.direction);
            random_vector(&stream, 1, s.m);
            rt_rotation_left_inverse_along(dJ, s.theta, s.direction);
            differentiate(left_inverse_at, &s, 0.02, 9, difference);
            assert_near("derivative of the left inverse", 9, dJ, difference, 1e-11);
            rt_rotation_right_inverse_gradient(D, s.theta, s.m);
            rt_m3_mul_v(found, D, s.direction);
            differentiate(right_inverse_times_m_at, &s, 0.02, 3, difference);
            assert_near("gradient of the right inverse", 3, found, difference, 1e-11);
        }
}

static void quaternions_go_there_and_back(void **state)
{
    (void)state;
    random_stream stream = {67};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        double q[4], A[9], back[4], unit[4], AtA[9], I[9];
        random_reals(&stream, 4, q);
        if (k % 5 < 4) q[k % 5] *= 1e-9; /* each component small in its turn */
        const double n = sqrt(q[0] * q[0] + rt_v3_dot(q + 1, q + 1));
        for (int c = 0; c < 4; c++) unit[c] = (q[0] < 0 ? -q[c] : q[c]) / n;
        rt_rotation_from_quaternion(A, q);
        rt_m3_tmul(AtA, A, A);
        rt_m3_identity(I);
        assert_near("orthogonality", 9, AtA, I, 2e-15);
        rt_rotation_to_quaternion(back, A);
        assert_near("quaternion", 4, back, unit, 2e-15);
    }
}

static void a_quaternion_turns_as_its_rotation_vector(void **state)
{
    (void)state;
    const double q[4] = {cos(0.6), 0, sin(0.6) * 0.6, sin(0.6) * 0.8}, theta[3] = {0, 0.72, 0.96};
    double A[9], E[9];
    rt_rotation_from_quaternion(A, q);
    rt_rotation_exp(E, theta);
    assert_near("matrix", 9, A, E, 1e-15);
}

static void euler_313_is_three_turns(void **state)
{
    (void)state;
    random_stream stream = {68};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        double angles[3], A[9], R1[9], R2[9], R3[9], R12[9], R[9];
        random_reals(&stream, 3, angles);
        rt_v3_scale(angles, 4, angles);
        rt_rotation_exp(R1, (double[3]){0, 0, angles[0]});
        rt_rotation_exp(R2, (double[3]){angles[1], 0, 0});
        rt_rotation_exp(R3, (double[3]){0, 0, angles[2]});
        rt_m3_mul(R12, R1, R2);
        rt_m3_mul(R, R12, R3);
        rt_rotation_from_euler_313(A, angles);
        assert_near("matrix", 9, A, R, 2e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_gives_the_rotation_of_rodrigues),
        cmocka_unit_test(log_undoes_exp_at_every_size),
        cmocka_unit_test(log_at_pi_gives_one_of_two_and_false),
        cmocka_unit_test(the_inverse_jacobians_differentiate_the_logarithm),
        cmocka_unit_test(the_inverse_jacobian_is_exact_to_rounding_up_to_pi),
        cmocka_unit_test(derivatives_of_the_inverse_jacobians_match_differences),
        cmocka_unit_test(quaternions_go_there_and_back),
        cmocka_unit_test(a_quaternion_turns_as_its_rotation_vector),
        cmocka_unit_test(euler_313_is_three_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
