/* Tests of loads/spring: partials for a law that is nonlinear in length and rate, balance,
 * measures. */
#include "elements/check_load.h"

typedef struct spring {
    double c[4];
} spring;

/* A law with all its partials different from zero. */
static rt_law law_of(const spring *s, double x, double rate)
{
    return (rt_law){
        .value = s->c[0] * sin(2 * x) + s->c[1] * x * x * rate + s->c[2] * rate * rate * rate +
            s->c[3],
        .by_x = 2 * s->c[0] * cos(2 * x) + 2 * s->c[1] * x * rate,
        .by_rate = s->c[1] * x * x + 3 * s->c[2] * rate * rate,
    };
}

static bool evaluate(void *context, const rt_frame f[N_FRAMES], bool partials, rt_load_result *out,
                     double partial_k[36])
{
    (void)partial_k;
    double length, rate;
    rt_spring_measure(&f[FRAME_I], &f[FRAME_J], &length, &rate);
    return rt_spring_evaluate(&f[FRAME_I], &f[FRAME_J], law_of(context, length, rate), partials,
                              out);
}

static bool fit(void *context, const rt_frame f[N_FRAMES])
{
    (void)context;
    double length, rate;
    rt_spring_measure(&f[FRAME_I], &f[FRAME_J], &length, &rate);
    return length > 0.4;
}

static void draw(void *context, random_stream *stream)
{
    spring *s = context;
    random_reals(stream, 4, s->c);
    s->c[3] += 2;
}

static spring data;
static const load_under_test load = {&data, evaluate, fit, false, draw};

static void partials_match_differences(void **state)
{
    (void)state;
    check_partials(&load, 1);
}

static void momentum_is_left_alone(void **state)
{
    (void)state;
    check_balance(&load, 2);
}

static void only_the_relative_state_matters(void **state)
{
    (void)state;
    check_objectivity(&load, 3);
}

static void length_at(void *context, double t, double *value)
{
    const joint_motion *m = context;
    const joint_motion i = joint_motion_later(&m[0], t), j = joint_motion_later(&m[1], t);
    const rt_frame fi = joint_frame(&i), fj = joint_frame(&j);
    double rate;
    rt_spring_measure(&fi, &fj, value, &rate);
}

static void the_rate_is_the_time_derivative_of_the_length(void **state)
{
    (void)state;
    random_stream stream = {4};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        joint_motion m[N_FRAMES];
        rt_frame f[N_FRAMES];
        double length, rate, difference;
        draw_frames(&load, &stream, MOTION_BOTH, m, f);
        rt_spring_measure(&f[0], &f[1], &length, &rate);
        differentiate(length_at, m, 0.02, 1, &difference);
        assert_close("rate of the length", 1, &rate, &difference, 1e-9, 1);
    }
}

static void a_positive_value_pushes_the_origins_apart(void **state)
{
    (void)state;
    rt_frame i, j;
    rt_load_result out;
    i = rt_ground_frame;
    j = rt_ground_frame;
    rt_v3_set(i.r, 5, 3, 3);
    rt_v3_set(j.r, 2, 3, -1);
    assert_true(rt_spring_evaluate(&i, &j, (rt_law){10, 0, 0}, true, &out));
    const double expected[12] = {6, 0, 8, 0, 0, 0, -6, 0, -8, 0, 0, 0};
    assert_close("wrench", 12, out.wrench[0], expected, 1e-15, 10);
}

static void no_length_gives_zeros_and_false(void **state)
{
    (void)state;
    rt_frame i;
    rt_load_result out;
    double length, rate;
    i = rt_ground_frame;
    rt_v3_set(i.v, 1, 2, 3);
    memset(&out, 0xff, sizeof out);
    assert_false(rt_spring_evaluate(&i, &i, (rt_law){1, 2, 3}, true, &out));
    const rt_load_result zero = {0};
    assert_memory_equal(&out, &zero, sizeof out);
    rt_spring_measure(&i, &i, &length, &rate);
    assert_true(length == 0 && rate == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partials_match_differences),
        cmocka_unit_test(momentum_is_left_alone),
        cmocka_unit_test(only_the_relative_state_matters),
        cmocka_unit_test(the_rate_is_the_time_derivative_of_the_length),
        cmocka_unit_test(a_positive_value_pushes_the_origins_apart),
        cmocka_unit_test(no_length_gives_zeros_and_false),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
