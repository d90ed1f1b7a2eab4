/* Tests of loads/torsion: partials for a nonlinear law, balance, measures. */
#include "elements/check_load.h"

typedef struct torsion {
    double c[4], triad[9];
} torsion;

static rt_law law_of(const torsion *s, double x, double rate)
{
    return (rt_law){
        .value = s->c[0] * sin(2 * x) + s->c[1] * cos(x) * rate + s->c[2] * rate * rate * rate +
            s->c[3],
        .by_x = 2 * s->c[0] * cos(2 * x) - s->c[1] * sin(x) * rate,
        .by_rate = s->c[1] * cos(x) + 3 * s->c[2] * rate * rate,
    };
}

static bool evaluate(void *context, const rt_frame f[N_FRAMES], bool partials, rt_load_result *out,
                     double partial_k[36])
{
    (void)partial_k;
    const torsion *s = context;
    double angle, rate;
    rt_torsion_measure(&f[FRAME_I], &f[FRAME_J], s->triad, 0, &angle, &rate);
    return rt_torsion_evaluate(&f[FRAME_I], &f[FRAME_J], s->triad, law_of(s, angle, rate),
                               partials, out);
}

/* x_i at least 24 degrees away from z_j, so that 0.02 rad of step is small. */
static bool fit(void *context, const rt_frame f[N_FRAMES])
{
    const torsion *s = context;
    double x[3], z[3], xi[3], zj[3];
    rt_m3_column(x, s->triad, 0);
    rt_m3_column(z, s->triad, 2);
    rt_m3_mul_v(xi, f[FRAME_I].A, x);
    rt_m3_mul_v(zj, f[FRAME_J].A, z);
    return fabs(rt_v3_dot(xi, zj)) < cos(0.42);
}

static void draw(void *context, random_stream *stream)
{
    torsion *s = context;
    random_reals(stream, 4, s->c);
    s->c[3] += 2;
    random_rotation(stream, 3 * random_real(stream), s->triad);
}

static torsion data;
static const load_under_test load = {&data, evaluate, fit, false, draw};

static void partials_match_differences(void **state)
{
    (void)state;
    check_partials(&load, 31);
}

static void momentum_is_left_alone(void **state)
{
    (void)state;
    check_balance(&load, 32);
}

static void only_the_relative_state_matters(void **state)
{
    (void)state;
    check_objectivity(&load, 33);
}

typedef struct angle_family {
    const joint_motion *m; /* in time, or */
    const rt_frame *f;     /* in one variation */
    double xi[2][18];
    double start;
} angle_family;

/* The angle from where it started, so that the cut of atan2 does not matter. */
static void angle_at(void *context, double t, double *value)
{
    const angle_family *s = context;
    rt_frame f[2];
    double rate;
    for (int k = 0; k < 2; k++) {
        if (s->m) {
            const joint_motion later = joint_motion_later(&s->m[k], t);
            f[k] = joint_frame(&later);
        } else {
            f[k] = perturbed_frame(&s->f[k], t, s->xi[k]);
        }
    }
    rt_torsion_measure(&f[0], &f[1], data.triad, 0, value, &rate);
    *value = remainder(*value - s->start, 6.283185307179586);
}

static void the_rate_is_the_time_derivative_of_the_angle(void **state)
{
    (void)state;
    random_stream stream = {34};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        joint_motion m[N_FRAMES];
        rt_frame f[N_FRAMES];
        angle_family s = {.m = m};
        double rate, difference;
        draw(&data, &stream);
        draw_frames(&load, &stream, MOTION_BOTH, m, f);
        rt_torsion_measure(&f[0], &f[1], data.triad, 0, &s.start, &rate);
        differentiate(angle_at, &s, 0.01, 1, &difference);
        assert_close("rate of the angle", 1, &rate, &difference, 1e-9, fmax(1, fabs(rate)));
    }
}

static void the_wrench_is_the_value_times_the_gradient_of_the_angle(void **state)
{
    (void)state;
    random_stream stream = {35};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        joint_motion m[N_FRAMES];
        rt_frame f[N_FRAMES];
        rt_load_result out;
        double rate, gradient[12], start;
        draw(&data, &stream);
        draw_frames(&load, &stream, MOTION_REST, m, f);
        rt_torsion_measure(&f[0], &f[1], data.triad, 0, &start, &rate);
        assert_true(rt_torsion_evaluate(&f[0], &f[1], data.triad, (rt_law){1, 0, 0}, false, &out));
        for (int n = 0; n < 12; n++) {
            angle_family s = {.f = f, .start = start};
            s.xi[n / 6][n % 6] = 1;
            differentiate(angle_at, &s, 0.02, 1, &gradient[n]);
        }
        assert_close("gradient of the angle", 12, out.wrench[0], gradient, 1e-9,
                     largest_entry(12, out.wrench[0], 1));
    }
}

static void on_aligned_axes_it_is_the_turn_about_z(void **state)
{
    (void)state;
    random_stream stream = {36};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        const double turn = 3.1 * random_real(&stream);
        rt_frame j = random_frame(&stream, MOTION_REST), i = j;
        rt_load_result out;
        double z[3], axis[3], local[3], R[9], angle, rate, expected[12] = {0};
        draw(&data, &stream);
        rt_m3_column(z, data.triad, 2);
        rt_v3_scale(local, turn, z);
        rt_rotation_exp(R, local);
        rt_m3_mul(i.A, j.A, R);
        rt_m3_mul_v(axis, j.A, z);
        rt_v3_scale(i.w, 0.7, axis);
        rt_torsion_measure(&i, &j, data.triad, 0, &angle, &rate);
        const double found[2] = {angle, rate}, known[2] = {turn, 0.7};
        assert_close("angle and rate", 2, found, known, 1e-14, 4);
        assert_true(rt_torsion_evaluate(&i, &j, data.triad, (rt_law){2, 0, 0}, false, &out));
        rt_v3_scale(expected + 3, 2, axis);
        rt_v3_scale(expected + 9, -2, axis);
        assert_close("torque about z", 12, out.wrench[0], expected, 1e-14, 2);
    }
}

static void an_x_axis_along_z_is_refused_with_zeros(void **state)
{
    (void)state;
    const rt_load_result zero = {0};
    rt_frame i, j;
    rt_load_result out;
    i = rt_ground_frame;
    j = rt_ground_frame;
    const double tilted[9] = {0, 0, -1, 0, 1, 0, 1, 0, 0}; /* x_i = z_j */
    memcpy(i.A, tilted, sizeof tilted);
    rt_m3_identity(data.triad);
    memset(&out, 0xff, sizeof out);
    assert_false(rt_torsion_evaluate(&i, &j, data.triad, (rt_law){1, 2, 3}, true, &out));
    assert_memory_equal(&out, &zero, sizeof out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partials_match_differences),
        cmocka_unit_test(momentum_is_left_alone),
        cmocka_unit_test(only_the_relative_state_matters),
        cmocka_unit_test(the_rate_is_the_time_derivative_of_the_angle),
        cmocka_unit_test(the_wrench_is_the_value_times_the_gradient_of_the_angle),
        cmocka_unit_test(on_aligned_axes_it_is_the_turn_about_z),
        cmocka_unit_test(an_x_axis_along_z_is_refused_with_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
