/* Which states are chosen: the same in all coordinates of bodies, and those that were asked for. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "methods/method.h"
#include "support/effort.h"
#include "support/random_mechanism.h"

enum { N_LINKS = 80 };

static const char *const sets[] = {"euler-parameters", "euler-angles"};

static routh_linear *linear_of(const char *text, const char *set, const char *const *states)
{
    routh_model *model = NULL;
    routh_mechanism *mechanism = NULL;
    routh_operating_point *point = NULL;
    routh_linear *linear = NULL;
    routh_error error;
    routh_linear_options options = routh_linear_defaults();
    options.states = states;
    if (routh_model_parse(&model, text, strlen(text), "test", NULL, 0, &error) ||
        routh_mechanism_compile(&mechanism, model, set, &error) ||
        routh_operating_point_find(&point, mechanism, NULL, &error) ||
        routh_linear_compute(&linear, mechanism, point, &options, &error))
        fail_msg("%s: %s", set, error.message);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    routh_model_free(model);
    return linear;
}

static void check_same_states(const routh_linear *a, const routh_linear *b, const char *set)
{
    assert_int_equal(a->n_states, b->n_states);
    for (int k = 0; k < a->n_states; k++)
        if (strcmp(a->states[k].name, b->states[k].name) != 0)
            fail_msg("%s: state %s and not %s", set, b->states[k].name, a->states[k].name);
}

/* Candidates are eliminated in the same matrix, up to rounding. */
static void coordinates_of_bodies_choose_the_same_states(void **state)
{
    random_stream random = {811};
    (void)state;
    for (int k = 0; k < with_effort(40); k++) {
        random_mechanism mechanism;
        growing_text text = {0};
        random_mechanism_make(&mechanism, &random, RANDOM_MOVING);
        random_mechanism_write(&mechanism, &no_disguise, &text);
        routh_linear *absolute = linear_of(text.bytes, "absolute", NULL);
        for (int s = 0; s < 2; s++) {
            routh_linear *other = linear_of(text.bytes, sets[s], NULL);
            check_same_states(absolute, other, sets[s]);
            routh_linear_free(other);
        }
        routh_linear_free(absolute);
        free(text.bytes);
    }
}

/* A chain of links of ten metres, their hinges in any direction. */
static void write_chain(random_stream *random, growing_text *text)
{
    double at[N_LINKS + 1][3] = {{0}}, axis[3];
    text_add(text, "gravity: [0.3, -9.81, 0.5]\nbodies:\n");
    for (int k = 0; k < N_LINKS; k++) {
        double d[3];
        random_reals(random, 3, d);
        d[1] -= 1.5;
        const double length = rt_v3_norm(d);
        rt_v3_copy(at[k + 1], at[k]);
        rt_v3_add_scaled(at[k + 1], 10 / length, d);
        text_add(text, "  b%d: {mass: 1, inertia: [8, 7, 5], position: [%.17g, %.17g, %.17g]}\n", k,
                 (at[k][0] + at[k + 1][0]) / 2, (at[k][1] + at[k + 1][1]) / 2,
                 (at[k][2] + at[k + 1][2]) / 2);
    }
    text_add(text, "joints:\n");
    for (int k = 0; k < N_LINKS; k++) {
        random_reals(random, 3, axis);
        text_add(text, "  j%d: {type: revolute, between: [b%d, ", k, k);
        if (k > 0) text_add(text, "b%d", k - 1);
        text_add(text, "%s], at: [%.17g, %.17g, %.17g], axis: [%.17g, %.17g, %.17g]}\n",
                 k > 0 ? "" : "ground", at[k][0], at[k][1], at[k][2], axis[0], axis[1], axis[2]);
    }
    text_add(text, "operating_point: {type: given}\n");
}

/* Those that one coordinate set finds good, another keeps. */
static void states_asked_for_in_a_long_chain_stay(void **state)
{
    random_stream random = {812};
    (void)state;
    for (int k = 0; k < with_effort(5); k++) {
        growing_text text = {0};
        const char *states[N_LINKS + 1] = {0};
        write_chain(&random, &text);
        routh_linear *absolute = linear_of(text.bytes, "absolute", NULL);
        assert_int_equal(absolute->n_position, N_LINKS);
        for (int i = 0; i < N_LINKS; i++) states[i] = absolute->states[i].name;
        for (int s = 0; s < 2; s++) {
            routh_linear *other = linear_of(text.bytes, sets[s], states);
            check_same_states(absolute, other, sets[s]);
            routh_linear_free(other);
        }
        routh_linear_free(absolute);
        free(text.bytes);
    }
}

/* A moving frame that keeps its motion goes along a screw: its place after t is the integral of
 * its velocity, exp(W s) v, here by Simpson's rule; velocity and axes have turned by exp(W t). */
static void a_moving_frame_goes_along_its_screw(void **state)
{
    enum { STEPS = 4000 };
    static const double times[] = {2e-9, 3e-5, 4e-3, 0.7, 3};
    random_stream random = {77};
    (void)state;
    for (int k = 0; k < 20; k++) {
        routh_steady steady = {0};
        double size;
        random_reals(&random, 3, steady.axis);
        random_reals(&random, 3, steady.origin_velocity);
        size = rt_v3_norm(steady.axis);
        for (int i = 0; i < 3; i++) steady.axis[i] /= size;
        steady.turn_rate = k % 4 == 0 ? 0 : 1 + 0.1 * k;
        for (size_t n = 0; n < sizeof times / sizeof *times; n++) {
            const double t = times[n];
            rt_reference_frame o;
            double place[3] = {0}, R[9], theta[3], v[3];
            rt_reference_frame_set_moving(&o, &steady);
            rt_reference_frame_carry(&o, t);
            for (int s = 0; s <= STEPS; s++) {
                const double weight = s == 0 || s == STEPS ? 1 : s % 2 ? 4 : 2;
                rt_v3_scale(theta, steady.turn_rate * t * s / STEPS, steady.axis);
                rt_rotation_exp(R, theta);
                rt_m3_mul_v(v, R, steady.origin_velocity);
                rt_v3_add_scaled(place, weight * t / STEPS / 3, v);
            }
            for (int i = 0; i < 3; i++) {
                /* STEPS terms are added up; the rule itself is right to 1e-14 here */
                assert_true(fabs(o.frame.r[i] - place[i]) <= 1e-12 * t);
                assert_true(fabs(o.frame.v[i] - v[i]) <= 1e-13);
                for (int j = 0; j < 3; j++)
                    assert_true(fabs(o.frame.A[3 * i + j] - R[3 * i + j]) <= 1e-13);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_moving_frame_goes_along_its_screw),
        cmocka_unit_test(coordinates_of_bodies_choose_the_same_states),
        cmocka_unit_test(states_asked_for_in_a_long_chain_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
