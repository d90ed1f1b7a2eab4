/* Tests of the outputs of the linear model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "output/sample.h"

static void json_has_all_matrices_by_rows(void **state)
{
    (void)state;
    sample s;
    routh_text text;
    sample_start(&s);
    assert_int_equal(routh_linear_json(&s.results, &text, NULL), ROUTH_OK);
    json_t *json = sample_json(&text);
    for (int i = 0; i < 9; i++) {
        char path[16];
        snprintf(path, sizeof path, "A %d %d", i / 3, i % 3);
        assert_true(sample_number(json, path) == s.A[i]);
    }
    assert_string_equal(json_string_value(sample_at(json, "states 1")), "weight.z'");
    assert_string_equal(json_string_value(sample_at(json, "units 1")), "m/s");
    assert_int_equal(json_array_size(sample_at(json, "B")), 3);
    assert_int_equal(json_array_size(sample_at(json, "B 0")), 0);
    assert_int_equal(json_array_size(sample_at(json, "C")), 0);
    assert_int_equal(json_array_size(sample_at(json, "D")), 0);
    assert_int_equal(json_array_size(sample_at(json, "inputs")), 0);
    assert_true(json_is_null(sample_at(json, "mass")));
    json_decref(json);
    routh_text_free(&text);
    sample_end(&s);
}

/* Two states of one degree of freedom, with M, C, K. */
static void make_second_order(sample *s, double *matrices)
{
    s->linear.n_velocity = 1;
    s->linear.n_states = 2;
    matrices[0] = 0.1, matrices[1] = 0.1, matrices[2] = 0.425;
    s->linear.mass = matrices, s->linear.damping = matrices + 1, s->linear.stiffness = matrices + 2;
}

static void json_has_mass_damping_stiffness_of_a_second_order_system(void **state)
{
    (void)state;
    sample s;
    double matrices[3];
    routh_text text;
    sample_start(&s);
    make_second_order(&s, matrices);
    assert_int_equal(routh_linear_json(&s.results, &text, NULL), ROUTH_OK);
    json_t *json = sample_json(&text);
    assert_true(sample_number(json, "mass 0 0") == 0.1);
    assert_true(sample_number(json, "stiffness 0 0") == 0.425);
    json_decref(json);
    routh_text_free(&text);
    sample_end(&s);
}

static void csv_is_one_rectangular_table(void **state)
{
    (void)state;
    sample s;
    double matrices[3];
    routh_text text;
    sample_start(&s);
    make_second_order(&s, matrices);
    assert_int_equal(routh_linear_csv(&s.results, &text, NULL), ROUTH_OK);
    assert_string_equal(text.bytes, "matrix,row,weight.z,weight.z'\n"
                                    "A,weight.z,0,1\n"
                                    "A,weight.z',0,-4.25\n"
                                    "mass,weight.z,0.10000000000000001,\n"
                                    "damping,weight.z,0.10000000000000001,\n"
                                    "stiffness,weight.z,0.42499999999999999,\n");
    routh_text_free(&text);
    sample_end(&s);
}

static void the_table_shows_states_and_matrices(void **state)
{
    (void)state;
    sample s;
    double matrices[3];
    routh_text text;
    sample_start(&s);
    make_second_order(&s, matrices);
    assert_int_equal(routh_linear_table(&s.results, &text, NULL), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "    2  weight.z'  m/s   ground       0\n"));
    assert_non_null(strstr(text.bytes, "\nStiffness K\n  weight.z  0.425\n"));
    routh_text_free(&text);
    sample_end(&s);
}

static void an_element_that_is_not_finite_is_refused_by_every_format(void **state)
{
    (void)state;
    sample s;
    routh_text text;
    routh_error error = {0};
    sample_start(&s);
    s.A[4] = NAN;
    assert_int_equal(routh_linear_json(&s.results, &text, &error), ROUTH_NUMERIC_ERROR);
    assert_non_null(strstr(error.message, "A[1][1] "));
    assert_int_equal(routh_linear_table(&s.results, &text, &error), ROUTH_NUMERIC_ERROR);
    assert_non_null(strstr(error.message, "A[1][1] "));
    assert_int_equal(routh_linear_csv(&s.results, &text, &error), ROUTH_NUMERIC_ERROR);
    sample_end(&s);
}

/* Forces of one column differ by a length; what is no force is not held against its column. */
static void rounding_of_a_column_is_zero_among_forces_only(void **state)
{
    (void)state;
    sample s;
    routh_text text;
    sample_start(&s);
    routh_state_name names[4] = {{"x", "m", "ground", 0},
                                 {"turn", "rad", "ground", 0},
                                 {"x'", "m/s", "ground", 0},
                                 {"turn'", "rad/s", "ground", 0}};
    routh_signal_name input[1] = {{"push", "N", 0, 0}};
    double M[] = {1, 0, 0, 2}, C[4] = {0}, K[] = {0, -2e-16, 0, -0.5}, F[] = {1, 7e-16};
    double A[16] = {0}, B[] = {0, 0, 1, 3e-16};
    routh_linear l = {.coordinates = "absolute",
                      .method = "augmented",
                      .reference = "ground",
                      .n_position = 2,
                      .n_velocity = 2,
                      .n_states = 4,
                      .states = names,
                      .n_inputs = 1,
                      .inputs = input,
                      .A = A,
                      .B = B,
                      .mass = M,
                      .damping = C,
                      .stiffness = K,
                      .force = F};
    s.results.linear = &l;
    assert_int_equal(routh_linear_table(&s.results, &text, NULL), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "\nStiffness K\n  x     0     0\n  turn  0  -0.5\n"));
    assert_non_null(strstr(text.bytes, "in)\n        push\n  x        1\n  turn     0\n"));
    assert_non_null(strstr(text.bytes, "  turn'  3e-16\n"));
    routh_text_free(&text);
    K[1] = -2e-15;
    assert_int_equal(routh_linear_table(&s.results, &text, NULL), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "  -2e-15\n"));
    routh_text_free(&text);
    sample_end(&s);
}

/* a0: a column of the table, a row of CSV, a list in JSON, where the operating point moves. */
static void the_affine_term_is_told_where_it_is_not_zero(void **state)
{
    (void)state;
    sample s;
    routh_text text;
    sample_start(&s);
    s.linear.at_rest = s.linear.steady = 0;
    s.affine[0] = s.affine[1] = s.affine[2] = 0;
    assert_int_equal(routh_linear_table(&s.results, &text, NULL), ROUTH_OK);
    assert_null(strstr(text.bytes, "a0"));
    routh_text_free(&text);
    s.affine[1] = -4.5, s.affine[2] = 1e-17; /* the last is rounding */
    s.linear.drift = 0.92;
    assert_int_equal(routh_linear_table(&s.results, &text, NULL), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "(y' = a0 + A y: a0, per second, is how the operating point "
                                       "moves)"));
    assert_non_null(strstr(text.bytes, "rate a0\n"));
    assert_non_null(strstr(text.bytes, "-4.5\n"));
    assert_null(strstr(text.bytes, "e-17"));
    assert_non_null(strstr(text.bytes,
                           "the eigenvalues are those of the linear model frozen at this "
                           "instant"));
    assert_non_null(strstr(text.bytes, "A changes by 92 % per radian of the fastest motion"));
    routh_text_free(&text);
    assert_int_equal(routh_linear_csv(&s.results, &text, NULL), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "\naffine,,0,-4.5,1.0000000000000001e-17\n"));
    routh_text_free(&text);
    assert_int_equal(routh_linear_json(&s.results, &text, NULL), ROUTH_OK);
    json_t *json = sample_json(&text);
    assert_true(sample_number(json, "affine 1") == -4.5);
    json_decref(json);
    routh_text_free(&text);
    s.linear.drift = INFINITY;
    assert_int_equal(routh_linear_table(&s.results, &text, NULL), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "from which the motion cannot continue"));
    routh_text_free(&text);
    sample_end(&s);
}

static void warnings_are_those_of_the_table(void **state)
{
    (void)state;
    sample s;
    routh_text text, table;
    sample_start(&s);
    s.linear.at_rest = 0, s.linear.steady = 0, s.linear.drift = 0.92;
    assert_int_equal(routh_results_warnings(&s.results, &text, NULL), ROUTH_OK);
    assert_int_equal(routh_linear_table(&s.results, &table, NULL), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "said once\n"));
    assert_null(strstr(strstr(text.bytes, "said once") + 1, "said once"));
    assert_non_null(strstr(text.bytes, "A changes by 92 % per radian of the fastest motion\n"));
    assert_non_null(strstr(table.bytes, "A changes by 92 % per radian of the fastest motion"));
    routh_text_free(&text);
    routh_text_free(&table);
    s.linear.at_rest = 1, s.linear.n_warnings = 0, s.point.n_warnings = 0, s.results.modes = NULL;
    assert_int_equal(routh_results_warnings(&s.results, &text, NULL), ROUTH_OK);
    assert_string_equal(text.bytes, "");
    routh_text_free(&text);
    const routh_results nothing = {0};
    assert_int_equal(routh_results_warnings(&nothing, &text, NULL), ROUTH_BAD_ARGUMENT);
    sample_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_affine_term_is_told_where_it_is_not_zero),
        cmocka_unit_test(json_has_all_matrices_by_rows),
        cmocka_unit_test(warnings_are_those_of_the_table),
        cmocka_unit_test(json_has_mass_damping_stiffness_of_a_second_order_system),
        cmocka_unit_test(csv_is_one_rectangular_table),
        cmocka_unit_test(the_table_shows_states_and_matrices),
        cmocka_unit_test(rounding_of_a_column_is_zero_among_forces_only),
        cmocka_unit_test(an_element_that_is_not_finite_is_refused_by_every_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
