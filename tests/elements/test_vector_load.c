/* Tests of loads/vector_load: partials in all three frames, balance, the case without reaction. */
#include "elements/check_load.h"

typedef struct vector_load {
    double force[3], torque[3];
    bool reaction;
} vector_load;

static bool evaluate(void *context, const rt_frame f[N_FRAMES], bool partials, rt_load_result *out,
                     double partial_k[36])
{
    const vector_load *v = context;
    rt_vector_load_evaluate(&f[FRAME_I], v->reaction ? &f[FRAME_J] : NULL, &f[FRAME_K], v->force,
                            v->torque, partials, out, partial_k);
    return true;
}

static bool fit(void *context, const rt_frame f[N_FRAMES])
{
    (void)context, (void)f;
    return true;
}

static void draw(void *context, random_stream *stream)
{
    vector_load *v = context;
    random_reals(stream, 3, v->force);
    random_reals(stream, 3, v->torque);
}

static vector_load data;
static const load_under_test load = {&data, evaluate, fit, true, draw};

static void partials_match_differences_with_a_reaction(void **state)
{
    (void)state;
    data.reaction = true;
    check_partials(&load, 41);
}

static void partials_match_differences_without_a_reaction(void **state)
{
    (void)state;
    data.reaction = false;
    check_partials(&load, 42);
}

static void with_a_reaction_momentum_is_left_alone(void **state)
{
    (void)state;
    data.reaction = true;
    check_balance(&load, 43);
}

static void only_the_relative_state_matters(void **state)
{
    (void)state;
    data.reaction = true;
    check_objectivity(&load, 44);
}

static void components_are_those_in_the_third_frame(void **state)
{
    (void)state;
    rt_frame i, k;
    rt_load_result out;
    const double force[3] = {1, 2, 3}, torque[3] = {4, 5, 6};
    const double quarter_about_z[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    const double expected[12] = {-2, 1, 3, -5, 4, 6};
    i = rt_ground_frame;
    k = rt_ground_frame;
    rt_v3_set(i.r, 7, 8, 9);
    memcpy(k.A, quarter_about_z, sizeof quarter_about_z);
    rt_vector_load_evaluate(&i, NULL, &k, force, torque, false, &out, NULL);
    assert_close("wrench", 12, out.wrench[0], expected, 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partials_match_differences_with_a_reaction),
        cmocka_unit_test(partials_match_differences_without_a_reaction),
        cmocka_unit_test(with_a_reaction_momentum_is_left_alone),
        cmocka_unit_test(only_the_relative_state_matters),
        cmocka_unit_test(components_are_those_in_the_third_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
