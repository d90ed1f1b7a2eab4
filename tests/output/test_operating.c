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
    assert_int_equal(routh_operating_json(&s.results, &text, NULL), ROUTH_OK);
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

static void a_body_that_moves_is_not_at_rest(void **state)
{
    (void)state;
    sample s;
    routh_text text;
    sample_start(&s);
    s.results.linear = NULL;
    s.bodies[0].angular_velocity[2] = 3;
    assert_int_equal(routh_operating_json(&s.results, &text, NULL), ROUTH_OK);
    json_t *json = sample_json(&text);
    assert_true(json_is_false(sample_at(json, "at_rest")));
    json_decref(json);
    routh_text_free(&text);
    assert_int_equal(routh_operating_table(&s.results, &text, NULL), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "not at rest\n"));
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
    assert_int_equal(routh_operating_table(&s.results, &text, NULL), ROUTH_OK);
    assert_non_null(
        strstr(text.bytes, "\n  weight  0  0.333333  0         0         0        90\n"));
    assert_non_null(
        strstr(text.bytes, "\n  guide          translational  0.1   0      3    0    0    0\n"));
    assert_null(strstr(text.bytes, "Velocities"));
    assert_null(strstr(text.bytes, "more\n"));
    routh_text_free(&text);
    sample_end(&s);
}

static void csv_has_a_line_for_every_vector(void **state)
{
    (void)state;
    sample s;
    routh_text text;
    sample_start(&s);
    assert_int_equal(routh_operating_csv(&s.results, &text, NULL), ROUTH_OK);
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
    assert_int_equal(routh_operating_json(&s.results, &text, &error), ROUTH_NUMERIC_ERROR);
    assert_non_null(strstr(error.message, "loads[0].torque[2] "));
    assert_int_equal(routh_operating_table(&s.results, &text, &error), ROUTH_NUMERIC_ERROR);
    assert_non_null(strstr(error.message, "spring"));
    assert_int_equal(routh_operating_csv(&s.results, &text, &error), ROUTH_NUMERIC_ERROR);
    sample_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_bodies_and_reactions_of_joints_and_loads_apart),
        cmocka_unit_test(a_body_that_moves_is_not_at_rest),
        cmocka_unit_test(the_table_turns_orientations_into_degrees),
        cmocka_unit_test(csv_has_a_line_for_every_vector),
        cmocka_unit_test(what_is_not_finite_is_refused_by_every_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
