/* Tests of loads/rod: partials, the gradient of its energy by complex step, balance, passivity,
 * symmetry in its ends, and the bending that it has in closed form. */
#include "elements/check_load.h"

#include <complex.h>

typedef struct rod {
    double stiffness[36], damping[36], offset[6];
} rod;

static bool evaluate(void *context, const rt_frame f[N_FRAMES], bool partials, rt_load_result *out,
                     double partial_k[36])
{
    (void)partial_k;
    const rod *b = context;
    return rt_rod_evaluate(&f[FRAME_I], &f[FRAME_J], b->stiffness, b->damping, b->offset, partials,
                           out);
}

/* Relative rotation up to 2.8 rad. */
static bool fit(void *context, const rt_frame f[N_FRAMES])
{
    (void)context;
    return half_angle_cosine(&f[FRAME_I], &f[FRAME_J]) > cos(1.4);
}

/* As above, but turned by 0.9 rad at most: where the functions of the angle are series. */
static bool fit_small(void *context, const rt_frame f[N_FRAMES])
{
    (void)context;
    return half_angle_cosine(&f[FRAME_I], &f[FRAME_J]) > cos(0.45);
}

/* Full matrices without any symmetry. */
static void draw(void *context, random_stream *stream)
{
    rod *b = context;
    random_reals(stream, 36, b->stiffness);
    random_reals(stream, 36, b->damping);
    random_reals(stream, 6, b->offset);
}

/* M = B B' */
static void draw_positive(random_stream *stream, double M[36])
{
    double B[36];
    random_reals(stream, 36, B);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            M[6 * i + j] = 0;
            for (int k = 0; k < 6; k++) M[6 * i + j] += B[6 * i + k] * B[6 * j + k];
        }
}

static rod data;
static const load_under_test load = {&data, evaluate, fit, false, draw};
static const load_under_test slightly_bent = {&data, evaluate, fit_small, false, draw};

static void partials_match_differences(void **state)
{
    (void)state;
    check_partials(&load, 21);
    check_partials(&slightly_bent, 22);
}

static void momentum_is_left_alone(void **state)
{
    (void)state;
    check_balance(&load, 23);
}

static void only_the_relative_state_matters(void **state)
{
    (void)state;
    check_objectivity(&load, 24);
}

/* ---- another derivation: the energy in complex numbers --------------------------------------- */

typedef double complex number;

static void multiply(number C[9], const number A[9], const number B[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            C[3 * i + j] = 0;
            for (int k = 0; k < 3; k++) C[3 * i + j] += A[3 * i + k] * B[3 * k + j];
        }
}

static void transpose(number B[9], const number A[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) B[3 * j + i] = A[3 * i + j];
}

/* 1 + a v~ + b v~ v~ */
static void rodrigues(number A[9], number a, number b, const number v[3])
{
    const number S[9] = {0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0};
    number SS[9];
    multiply(SS, S, S);
    for (int k = 0; k < 9; k++) A[k] = (k % 4 == 0 ? 1 : 0) + a * S[k] + b * SS[k];
}

static void rotation_vector(number theta[3], const number A[9])
{
    const number axial[3] = {(A[7] - A[5]) / 2, (A[2] - A[6]) / 2, (A[3] - A[1]) / 2};
    const number s = csqrt(axial[0] * axial[0] + axial[1] * axial[1] + axial[2] * axial[2]);
    /* the angle from both sine and cosine; its derivative is that of an arc tangent */
    const number c = (A[0] + A[4] + A[8] - 1) / 2;
    const number angle = 2 * catan(s / (1 + c));
    for (int k = 0; k < 3; k++) theta[k] = angle / s * axial[k];
}

/* 1/2 e'K e of the two frames, turned and moved by i h in direction n. */
static number energy_of(const rt_frame f[2], const rod *b, int n, double h)
{
    number A[2][9], At[9], R[9], M[9], theta[3], half[3], d[3], e[6], sum = 0;
    for (int k = 0; k < 2; k++) {
        number turn[3] = {0}, Q[9], from[9];
        if (n / 6 == k && n % 6 >= 3) turn[n % 3] = I * h;
        rodrigues(Q, 1, 0.5, turn);
        for (int i = 0; i < 9; i++) from[i] = f[k].A[i];
        multiply(A[k], Q, from);
    }
    transpose(At, A[0]);
    multiply(R, At, A[1]);
    rotation_vector(theta, R);
    const number u = csqrt(theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2]) / 2;
    for (int k = 0; k < 3; k++) half[k] = theta[k] / 2;
    rodrigues(R, csin(u) / u, (1 - ccos(u)) / (u * u), half);
    multiply(M, A[0], R);
    for (int k = 0; k < 3; k++) d[k] = f[1].r[k] - f[0].r[k];
    if (n % 6 < 3) d[n % 6] += (n < 6 ? -1 : 1) * I * h;
    for (int k = 0; k < 3; k++) {
        e[k] = M[k] * d[0] + M[3 + k] * d[1] + M[6 + k] * d[2] - b->offset[k];
        e[3 + k] = theta[k] - b->offset[3 + k];
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) sum += e[i] * b->stiffness[6 * i + j] * e[j] / 2;
    return sum;
}

static void without_damping_the_wrench_is_minus_the_gradient_of_the_energy(void **state)
{
    (void)state;
    random_stream stream = {25};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        joint_motion m[N_FRAMES];
        rt_frame f[N_FRAMES];
        rt_load_result out;
        double gradient[12];
        draw(&data, &stream);
        draw_positive(&stream, data.stiffness);
        memset(data.damping, 0, sizeof data.damping);
        draw_frames(k % 2 ? &load : &slightly_bent, &stream, MOTION_BOTH, m, f);
        assert_true(evaluate(&data, f, false, &out, NULL));
        for (int n = 0; n < 12; n++) gradient[n] = -cimag(energy_of(f, &data, n, 1e-30)) / 1e-30;
        assert_close("gradient of the energy", 12, out.wrench[0], gradient, 1e-12,
                     largest_entry(12, out.wrench[0], 1));
    }
}

/* ---- its own sense --------------------------------------------------------------------------- */

static void deflection_at(void *context, double t, double *e)
{
    const joint_motion *m = context;
    const joint_motion i = joint_motion_later(&m[0], t), j = joint_motion_later(&m[1], t);
    const rt_frame fi = joint_frame(&i), fj = joint_frame(&j);
    double rate[6];
    assert_true(rt_rod_deflection(&fi, &fj, data.offset, e, rate));
}

static void the_rate_is_the_time_derivative_of_the_deflection(void **state)
{
    (void)state;
    random_stream stream = {26};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        joint_motion m[N_FRAMES];
        rt_frame f[N_FRAMES];
        double e[6], rate[6], difference[6];
        draw(&data, &stream);
        draw_frames(&load, &stream, MOTION_BOTH, m, f);
        assert_true(rt_rod_deflection(&f[0], &f[1], data.offset, e, rate));
        differentiate(deflection_at, m, 0.01, 6, difference);
        assert_close("rate of the deflection", 6, rate, difference, 1e-9,
                     largest_entry(6, rate, 1));
    }
}

static void damping_takes_power_and_no_more_than_e_C_e(void **state)
{
    (void)state;
    random_stream stream = {27};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        joint_motion m[N_FRAMES];
        rt_frame f[N_FRAMES];
        rt_load_result out;
        double e[6], rate[6], power = 0, expected = 0;
        memset(&data, 0, sizeof data);
        draw_positive(&stream, data.damping);
        draw_frames(&load, &stream, MOTION_VELOCITY, m, f);
        assert_true(evaluate(&data, f, false, &out, NULL));
        assert_true(rt_rod_deflection(&f[0], &f[1], data.offset, e, rate));
        for (int n = 0; n < 2; n++)
            power += rt_v3_dot(out.wrench[n], f[n].v) + rt_v3_dot(out.wrench[n] + 3, f[n].w);
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < 6; b++) expected -= rate[a] * data.damping[6 * a + b] * rate[b];
        assert_true(power < 0);
        assert_close("power", 1, &power, &expected, 1e-12, fabs(expected) + 1);
    }
}

/* Walked from the other end the strains change their sign, and the wrenches change places. */
static void neither_end_is_preferred(void **state)
{
    (void)state;
    random_stream stream = {28};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        joint_motion m[N_FRAMES];
        rt_frame f[N_FRAMES], turned[N_FRAMES];
        rt_load_result out, back;
        rod reversed;
        draw(&data, &stream);
        draw_frames(&load, &stream, MOTION_BOTH, m, f);
        reversed = data;
        for (int n = 0; n < 6; n++) reversed.offset[n] = -data.offset[n];
        turned[FRAME_I] = f[FRAME_J], turned[FRAME_J] = f[FRAME_I];
        assert_true(evaluate(&data, f, false, &out, NULL));
        assert_true(evaluate(&reversed, turned, false, &back, NULL));
        assert_close("first end", 6, out.wrench[0], back.wrench[1], 1e-12,
                     largest_entry(6, out.wrench[0], 1));
        assert_close("second end", 6, out.wrench[1], back.wrench[0], 1e-12,
                     largest_entry(6, out.wrench[1], 1));
    }
}

/* An arc under end moments alone: frames turned by an angle about z, the chord along the frame
 * half-way, of the length of the straight element. */
static void a_pure_moment_bends_to_an_arc(void **state)
{
    (void)state;
    const double l = 2, EI = 3, angle = 2.1, turn[3] = {0, 0, angle}, half = angle / 2;
    rt_frame i, j;
    rt_load_result out;
    memset(&data, 0, sizeof data);
    for (int k = 0; k < 6; k++) data.stiffness[7 * k] = k == 5 ? EI / l : 100;
    data.offset[0] = l;
    i = j = rt_ground_frame;
    rt_rotation_exp(j.A, turn);
    rt_v3_set(j.r, l * cos(half), l * sin(half), 0);
    assert_true(rt_rod_evaluate(&i, &j, data.stiffness, data.damping, data.offset, false, &out));
    const double M = EI * angle / l, expected[12] = {0, 0, 0, 0, 0, M, 0, 0, 0, 0, 0, -M};
    assert_close("end moments", 12, out.wrench[0], expected, 1e-13, 100);
}

static void a_half_turn_is_refused_with_zeros(void **state)
{
    (void)state;
    const double half_turn[4] = {0, 0.6, 0, 0.8};
    const rt_load_result zero = {0};
    random_stream stream = {29};
    rt_frame i, j;
    rt_load_result out;
    i = j = rt_ground_frame;
    rt_rotation_from_quaternion(i.A, half_turn);
    draw(&data, &stream);
    memset(&out, 0xff, sizeof out);
    assert_false(rt_rod_evaluate(&i, &j, data.stiffness, data.damping, data.offset, true, &out));
    assert_memory_equal(&out, &zero, sizeof out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partials_match_differences),
        cmocka_unit_test(momentum_is_left_alone),
        cmocka_unit_test(only_the_relative_state_matters),
        cmocka_unit_test(without_damping_the_wrench_is_minus_the_gradient_of_the_energy),
        cmocka_unit_test(the_rate_is_the_time_derivative_of_the_deflection),
        cmocka_unit_test(damping_takes_power_and_no_more_than_e_C_e),
        cmocka_unit_test(neither_end_is_preferred),
        cmocka_unit_test(a_pure_moment_bends_to_an_arc),
        cmocka_unit_test(a_half_turn_is_refused_with_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
