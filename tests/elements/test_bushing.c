/* Tests of loads/bushing: partials, energy, balance, passivity; with an offset it is a beam. */
#include "elements/check_load.h"

typedef struct bushing {
    double stiffness[36], damping[36], preload[6], offset[6];
} bushing;

static bool evaluate(void *context, const rt_frame f[N_FRAMES], bool partials, rt_load_result *out,
                     double partial_k[36])
{
    (void)partial_k;
    const bushing *b = context;
    return rt_bushing_evaluate(&f[FRAME_I], &f[FRAME_J], b->stiffness, b->damping, b->preload,
                               b->offset, partials, out);
}

/* Relative rotation up to 3 rad. */
static bool fit(void *context, const rt_frame f[N_FRAMES])
{
    (void)context;
    return half_angle_cosine(&f[FRAME_I], &f[FRAME_J]) > cos(1.5);
}

/* Full matrices without any symmetry. */
static void draw(void *context, random_stream *stream)
{
    bushing *b = context;
    random_reals(stream, 36, b->stiffness);
    random_reals(stream, 36, b->damping);
    random_reals(stream, 6, b->preload);
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

static bushing data;
static const load_under_test load = {&data, evaluate, fit, false, draw};

static void partials_match_differences(void **state)
{
    (void)state;
    check_partials(&load, 11);
}

static void momentum_is_left_alone(void **state)
{
    (void)state;
    check_balance(&load, 12);
}

static void only_the_relative_state_matters(void **state)
{
    (void)state;
    check_objectivity(&load, 13);
}

static void deflection_at(void *context, double t, double *e)
{
    const joint_motion *m = context;
    const joint_motion i = joint_motion_later(&m[0], t), j = joint_motion_later(&m[1], t);
    const rt_frame fi = joint_frame(&i), fj = joint_frame(&j);
    double rate[6];
    assert_true(rt_bushing_deflection(&fi, &fj, data.offset, e, rate));
}

static void the_rate_is_the_time_derivative_of_the_deflection(void **state)
{
    (void)state;
    random_stream stream = {14};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        joint_motion m[N_FRAMES];
        rt_frame f[N_FRAMES];
        double e[6], rate[6], difference[6];
        draw(&data, &stream);
        draw_frames(&load, &stream, MOTION_BOTH, m, f);
        assert_true(rt_bushing_deflection(&f[0], &f[1], data.offset, e, rate));
        differentiate(deflection_at, m, 0.01, 6, difference);
        assert_close("rate of the deflection", 6, rate, difference, 1e-9,
                     largest_entry(6, rate, 1));
    }
}

/* The deflection by itself: built from a known rotation vector, not from a logarithm. */
static void the_deflection_is_what_the_frames_were_built_from(void **state)
{
    (void)state;
    random_stream stream = {15};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        const rt_frame j = random_frame(&stream, MOTION_BOTH);
        rt_frame i = random_frame(&stream, MOTION_BOTH);
        double given[6], offset[6], expected[6], e[6], rate[6], R[9], d[3];
        random_reals(&stream, 6, given);
        random_reals(&stream, 6, offset);
        rt_v3_scale(given + 3, 1.7, given + 3); /* at most 2.95 rad */
        rt_rotation_exp(R, given + 3);
        rt_m3_mul(i.A, j.A, R);
        rt_m3_mul_v(d, j.A, given);
        rt_v3_add(i.r, j.r, d);
        assert_true(rt_bushing_deflection(&i, &j, offset, e, rate));
        for (int n = 0; n < 6; n++) expected[n] = given[n] - offset[n];
        assert_close("deflection", 6, e, expected, 1e-14, 4);
    }
}

typedef struct energy_family {
    const rt_frame *f;
    double xi[2][18];
} energy_family;

/* 1/2 e'K e - preload'e */
static void energy_at(void *context, double eps, double *value)
{
    const energy_family *s = context;
    const rt_frame i = perturbed_frame(&s->f[0], eps, s->xi[0]);
    const rt_frame j = perturbed_frame(&s->f[1], eps, s->xi[1]);
    double e[6], rate[6];
    assert_true(rt_bushing_deflection(&i, &j, data.offset, e, rate));
    *value = 0;
    for (int a = 0; a < 6; a++) {
        *value -= data.preload[a] * e[a];
        for (int b = 0; b < 6; b++) *value += e[a] * data.stiffness[6 * a + b] * e[b] / 2;
    }
}

static void without_damping_the_wrench_is_minus_the_gradient_of_the_energy(void **state)
{
    (void)state;
    random_stream stream = {16};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        joint_motion m[N_FRAMES];
        rt_frame f[N_FRAMES];
        rt_load_result out;
        double gradient[12];
        draw(&data, &stream);
        draw_positive(&stream, data.stiffness);
        memset(data.damping, 0, sizeof data.damping);
        draw_frames(&load, &stream, MOTION_BOTH, m, f);
        assert_true(evaluate(&data, f, false, &out, NULL));
        for (int n = 0; n < 12; n++) {
            energy_family s = {.f = f};
            s.xi[n / 6][n % 6] = 1;
            differentiate(energy_at, &s, 0.02, 1, &gradient[n]);
            gradient[n] = -gradient[n];
        }
        assert_close("gradient of the energy", 12, out.wrench[0], gradient, 1e-9,
                     largest_entry(12, out.wrench[0], 1));
    }
}

static void damping_takes_power_and_no_more_than_e_C_e(void **state)
{
    (void)state;
    random_stream stream = {17};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        joint_motion m[N_FRAMES];
        rt_frame f[N_FRAMES];
        rt_load_result out;
        double e[6], rate[6], power = 0, expected = 0;
        memset(&data, 0, sizeof data);
        draw_positive(&stream, data.damping);
        draw_frames(&load, &stream, MOTION_VELOCITY, m, f);
        assert_true(evaluate(&data, f, false, &out, NULL));
        assert_true(rt_bushing_deflection(&f[0], &f[1], data.offset, e, rate));
        for (int n = 0; n < 2; n++)
            power += rt_v3_dot(out.wrench[n], f[n].v) + rt_v3_dot(out.wrench[n] + 3, f[n].w);
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < 6; b++) expected -= rate[a] * data.damping[6 * a + b] * rate[b];
        assert_true(power < 0);
        assert_close("power", 1, &power, &expected, 1e-12, fabs(expected) + 1);
    }
}

/* Small motions about the unloaded beam: the textbook's end force, with its arm. */
static void a_beam_bends_as_its_stiffness_says(void **state)
{
    (void)state;
    const double L = 2, k = 3, h = 1e-6;
    rt_frame i, j;
    rt_load_result out;
    memset(&data, 0, sizeof data);
    data.offset[0] = L;
    data.stiffness[7] = 12 * k / (L * L * L);
    data.stiffness[11] = data.stiffness[31] = -6 * k / (L * L);
    data.stiffness[35] = 4 * k / L;
    i = rt_ground_frame;
    j = rt_ground_frame;
    rt_v3_set(i.r, L, h, 0);
    assert_true(rt_bushing_evaluate(&i, &j, data.stiffness, data.damping, data.preload,
                                    data.offset, false, &out));
    const double expected[12] = {0, -12 * k * h / (L * L * L), 0, 0, 0, 6 * k * h / (L * L),
                                 0, 12 * k * h / (L * L * L),  0, 0, 0, 6 * k * h / (L * L)};
    assert_close("end forces", 12, out.wrench[0], expected, 1e-15, 1);
}

static void a_half_turn_is_refused_with_zeros(void **state)
{
    (void)state;
    const double half_turn[4] = {0, 0.6, 0, 0.8};
    const rt_load_result zero = {0};
    random_stream stream = {18};
    rt_frame i, j;
    rt_load_result out;
    double e[6], rate[6];
    i = rt_ground_frame;
    j = rt_ground_frame;
    rt_rotation_from_quaternion(i.A, half_turn);
    draw(&data, &stream);
    memset(&out, 0xff, sizeof out);
    assert_false(rt_bushing_evaluate(&i, &j, data.stiffness, data.damping, data.preload,
                                     data.offset, true, &out));
    assert_memory_equal(&out, &zero, sizeof out);
    assert_false(rt_bushing_deflection(&i, &j, data.offset, e, rate));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partials_match_differences),
        cmocka_unit_test(momentum_is_left_alone),
        cmocka_unit_test(only_the_relative_state_matters),
        cmocka_unit_test(the_rate_is_the_time_derivative_of_the_deflection),
        cmocka_unit_test(the_deflection_is_what_the_frames_were_built_from),
        cmocka_unit_test(without_damping_the_wrench_is_minus_the_gradient_of_the_energy),
        cmocka_unit_test(damping_takes_power_and_no_more_than_e_C_e),
        cmocka_unit_test(a_beam_bends_as_its_stiffness_says),
        cmocka_unit_test(a_half_turn_is_refused_with_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
