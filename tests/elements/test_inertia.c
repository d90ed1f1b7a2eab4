/* Tests of loads/inertia: partials, and the wrench as the rate of momentum. */
#include "elements/check_load.h"

typedef struct inertia {
    double mass, I0[9];
} inertia;

static bool evaluate(void *context, const rt_frame f[N_FRAMES], bool partials, rt_load_result *out,
                     double partial_k[36])
{
    (void)partial_k;
    const inertia *body = context;
    rt_inertia_evaluate(&f[FRAME_I], body->mass, body->I0, partials, out);
    return true;
}

static bool fit(void *context, const rt_frame f[N_FRAMES])
{
    (void)context, (void)f;
    return true;
}

/* Any symmetric matrix will do. */
static void draw(void *context, random_stream *stream)
{
    inertia *body = context;
    body->mass = 2 + random_real(stream);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            body->I0[3 * i + j] = body->I0[3 * j + i] = random_real(stream) + (i == j ? 2 : 0);
}

static inertia data;
static const load_under_test load = {&data, evaluate, fit, false, draw};

static void partials_match_differences(void **state)
{
    (void)state;
    check_partials(&load, 21);
}

/* (m v, A I0 A'w) */
static void momentum_at(void *context, double t, double *momentum)
{
    const joint_motion later = joint_motion_later(context, t);
    const rt_frame f = joint_frame(&later);
    double x[3], y[3];
    rt_v3_scale(momentum, data.mass, f.v);
    rt_m3_tmul_v(x, f.A, f.w);
    rt_m3_mul_v(y, data.I0, x);
    rt_m3_mul_v(momentum + 3, f.A, y);
}

static void the_wrench_is_the_rate_of_momentum(void **state)
{
    (void)state;
    random_stream stream = {22};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        joint_motion m[N_FRAMES];
        rt_frame f[N_FRAMES];
        rt_load_result out;
        double difference[6];
        draw(&data, &stream);
        draw_frames(&load, &stream, MOTION_BOTH, m, f);
        rt_inertia_evaluate(&f[0], data.mass, data.I0, false, &out);
        differentiate(momentum_at, m, 0.02, 6, difference);
        assert_close("rate of momentum", 6, out.wrench[0], difference, 1e-9,
                     largest_entry(6, difference, 1));
    }
}

static void nothing_is_said_of_a_second_frame(void **state)
{
    (void)state;
    random_stream stream = {23};
    const rt_frame f = random_frame(&stream, MOTION_BOTH);
    const double zero[6] = {0};
    rt_load_result out;
    memset(&out, 0xff, sizeof out);
    draw(&data, &stream);
    rt_inertia_evaluate(&f, data.mass, data.I0, true, &out);
    assert_close("second wrench", 6, out.wrench[1], zero, 0, 1);
    for (int level = 0; level < RT_N_LEVELS; level++)
        for (int i = 0; i < 12; i++)
            for (int j = i < 6 ? 6 : 0; j < 12; j++)
                assert_true(out.partial[level][12 * i + j] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partials_match_differences),
        cmocka_unit_test(the_wrench_is_the_rate_of_momentum),
        cmocka_unit_test(nothing_is_said_of_a_second_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
