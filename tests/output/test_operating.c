/* Tests of the outputs of the operating point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "output/sample.h"

static void json_has_bodies_and_reactions_of_joints_and_loads_apart(void **state)
{
    (void)state;
    sample s;
    routh_text text;
    sample_start(&s);
    s.results.linear = NULL, s.results.modes = NULL;
    assert_int_equal(routh_operating_point_json(&s.results, &text, NULL), ROUTH_OK);
    json_t *json = sample_json(&text);
    assert_true(sample_number(json, "bodies 0 position 1") == 1.0 / 3);
    assert_true(sample_number(json, "bodies 0 position 2") == 1e-300);
    assert_true(sample_number(json, "bodies 0 orientation 1") == -1);
    assert_int_equal(json_array_size(sample_at(json, "joints")), 1);
    assert_true(sample_number(json, "joints 0 force 0") == 0.1);
    assert_string_equal(json_string_value(sample_at(json, "loads 0 name")), "spring");
    assert_true(sample_number(json, "degrees_of_freedom") == 1);
    assert_true(json_is_true(sample_at(json, "at_rest")));
    assert_int_equal(json_array_size(sample_at(json, "redundant")), 7);
    json_decref(json);
    routh_text_free(&text);
    sample_end(&s);
}

/* With a name and a unit of the user's that have to be quoted. */
static routh_signal signals[] = {
    {ROUTH_SIGNAL_STATE, "pid.integral", "m", 1.0 / 3, -2, 0},
    {ROUTH_SIGNAL_STATE, "lag", "", 4, 0, 1},
    {ROUTH_SIGNAL_VARIABLE, "error", "m, world", 5, 0, 0},
    {ROUTH_SIGNAL_INPUT, "push", "N", 6, 0, 0},
    {ROUTH_SIGNAL_OUTPUT, "y", "", 7, 0, 0},
};

static void start_with_signals(sample *s)
{
    sample_start(s);
    s->results.linear = NULL, s->results.modes = NULL;
    s->point.n_signals = 5;
    s->point.signals = signals;
}

static void signals_have_their_values_and_states_their_rates(void **state)
{
    (void)state;
    sample s;
    routh_text text;
    start_with_signals(&s);
    assert_int_equal(routh_operating_point_json(&s.results, &text, NULL), ROUTH_OK);
    json_t *json = sample_json(&text);
    assert_int_equal(json_array_size(sample_at(json, "signals")), 5);
    assert_string_equal(json_string_value(sample_at(json, "signals 0 name")), "pid.integral");
    assert_string_equal(json_string_value(sample_at(json, "signals 0 kind")), "state");
    assert_true(sample_number(json, "signals 0 value") == 1.0 / 3);
    assert_true(sample_number(json, "signals 0 rate") == -2);
    assert_true(json_is_false(sample_at(json, "signals 0 placed")));
    assert_true(json_is_true(sample_at(json, "signals 1 placed")));
    assert_string_equal(json_string_value(sample_at(json, "signals 2 unit")), "m, world");
    assert_null(json_object_get(sample_at(json, "signals 2"), "rate"));
    assert_string_equal(json_string_value(sample_at(json, "signals 3 kind")), "input");
    assert_string_equal(json_string_value(sample_at(json, "signals 4 kind")), "output");
    json_decref(json);
    routh_text_free(&text);
    sample_end(&s);
}

static void signals_are_lines_of_the_table_and_of_the_csv(void **state)
{
    (void)state;
    sample s;
    routh_text text;
    start_with_signals(&s);
    assert_int_equal(routh_operating_point_table(&s.results, &text, NULL), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "\n  pid.integral  state     m         0.333333    -2\n"));
    assert_non_null(strstr(text.bytes, "lag           state                      4     0  set so "
                                       "that its rate is zero\n"));
    routh_text_free(&text);
    assert_int_equal(routh_operating_point_csv(&s.results, &text, NULL), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "\nstate,pid.integral,,rate,m/s,-2,,\n"));
    assert_non_null(strstr(text.bytes, "\nstate,lag,,rate,1/s,0,,\n"));
    assert_non_null(strstr(text.bytes, "\nvariable,error,,value,\"m, world\",5,,\n"));
    assert_non_null(strstr(text.bytes, "\noutput,y,,value,,7,,\n"));
    routh_text_free(&text);
    sample_end(&s);
}

static void a_signal_that_is_not_finite_is_refused(void **state)
{
    (void)state;
    sample s;
    routh_text text;
    routh_error error;
    start_with_signals(&s);
    signals[3].value = NAN;
    assert_int_equal(routh_operating_point_table(&s.results, &text, &error), ROUTH_NUMERIC_ERROR);
    assert_non_null(strstr(error.message, "push"));
    assert_int_equal(routh_operating_point_json(&s.results, &text, &error), ROUTH_NUMERIC_ERROR);
    assert_int_equal(routh_operating_point_csv(&s.results, &text, &error), ROUTH_NUMERIC_ERROR);
    signals[3].value = 6;
    sample_end(&s);
}

static void a_body_that_moves_is_not_at_rest(void **state)
{
    (void)state;
    sample s;
    routh_text text;
    sample_start(&s);
    s.results.linear = NULL;
    s.bodies[0].angular_velocity[2] = 3;
    assert_int_equal(routh_operating_point_json(&s.results, &text, NULL), ROUTH_OK);
    json_t *json = sample_json(&text);
    assert_true(json_is_false(sample_at(json, "at_rest")));
    json_decref(json);
    routh_text_free(&text);
    assert_int_equal(routh_operating_point_table(&s.results, &text, NULL), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "in motion\n"));
    assert_non_null(strstr(text.bytes, "\n  weight    0    0    0      0      0      3\n"));
    routh_text_free(&text);
    sample_end(&s);
}

static void the_table_turns_orientations_into_degrees(void **state)
{
    (void)state;
    sample s;
    routh_text text;
    sample_start(&s);
    s.results.linear = NULL;
    s.reactions[1].force[2] = 100;
    assert_int_equal(routh_operating_point_table(&s.results, &text, NULL), ROUTH_OK);
    assert_non_null(
        strstr(text.bytes, "\n  weight  0  0.333333  0           0           0          90\n"));
    assert_non_null(
        strstr(text.bytes, "\n  guide          translational  0.1   0    3    0    0    0\n"));
    assert_null(strstr(text.bytes, "Velocities"));
    assert_null(strstr(text.bytes, "more\n"));
    routh_text_free(&text);
    sample_end(&s);
}

static void the_table_shows_rounding_beside_larger_values_as_zero(void **state)
{
    (void)state;
    sample s;
    routh_text text;
    start_with_signals(&s);
    const double kept = signals[4].value;
    s.reactions[0].torque[0] = 2e-13, s.reactions[1].torque[1] = 400;
    s.reactions[1].force[2] = 100, s.reactions[1].force[0] = 2e-13;
    signals[4].value = -3.9e-34;
    assert_int_equal(routh_operating_point_table(&s.results, &text, NULL), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "  y             output                     0\n"));
    const char *reactions = strstr(text.bytes, "\nForce and torque");
    assert_non_null(reactions);
    assert_non_null(strstr(reactions, "translational  0.1   0    3    0    0    0\n"));
    assert_non_null(strstr(reactions, "spring           0   0  100    0  400    0\n"));
    routh_text_free(&text);
    s.reactions[1].torque[1] = 40; /* then 2e-13 is more than rounding */
    assert_int_equal(routh_operating_point_table(&s.results, &text, NULL), ROUTH_OK);
    assert_non_null(strstr(strstr(text.bytes, "\nForce and torque"), "  2e-13  "));
    routh_text_free(&text);
    signals[4].value = kept;
    sample_end(&s);
}

static void csv_has_a_line_for_every_vector(void **state)
{
    (void)state;
    sample s;
    routh_text text;
    sample_start(&s);
    assert_int_equal(routh_operating_point_csv(&s.results, &text, NULL), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "\nbody,weight,,y axis,1,-1,0,0\n"));
    assert_non_null(strstr(text.bytes, "\nload,spring,spring,force,N,0,0,1e+22\n"));
    int lines = 0;
    for (const char *c = text.bytes; *c; c++) lines += *c == '\n';
    assert_int_equal(lines, 1 + 6 + 4);
    routh_text_free(&text);
    sample_end(&s);
}

static void what_is_not_finite_is_refused_by_every_format(void **state)
{
    (void)state;
    sample s;
    routh_text text;
    routh_error error = {0};
    sample_start(&s);
    s.reactions[1].torque[2] = INFINITY;
    assert_int_equal(routh_operating_point_json(&s.results, &text, &error), ROUTH_NUMERIC_ERROR);
    assert_non_null(strstr(error.message, "loads[0].torque[2] "));
    assert_int_equal(routh_operating_point_table(&s.results, &text, &error), ROUTH_NUMERIC_ERROR);
    assert_non_null(strstr(error.message, "spring"));
    assert_int_equal(routh_operating_point_csv(&s.results, &text, &error), ROUTH_NUMERIC_ERROR);
    sample_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_bodies_and_reactions_of_joints_and_loads_apart),
        cmocka_unit_test(signals_have_their_values_and_states_their_rates),
        cmocka_unit_test(signals_are_lines_of_the_table_and_of_the_csv),
        cmocka_unit_test(a_signal_that_is_not_finite_is_refused),
        cmocka_unit_test(a_body_that_moves_is_not_at_rest),
        cmocka_unit_test(the_table_turns_orientations_into_degrees),
        cmocka_unit_test(the_table_shows_rounding_beside_larger_values_as_zero),
        cmocka_unit_test(csv_has_a_line_for_every_vector),
        cmocka_unit_test(what_is_not_finite_is_refused_by_every_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
