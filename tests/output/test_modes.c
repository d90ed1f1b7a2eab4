/* Tests of the outputs of modes: all formats tell the same numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "output/sample.h"
#include "support/mechanisms.h"

static int start(void **state)
{
    sample *s = malloc(sizeof *s);
    sample_start(s);
    *state = s;
    return 0;
}

static int end(void **state)
{
    sample_end(*state);
    free(*state);
    return 0;
}

static json_t *modes_json(const sample *s)
{
    routh_text text;
    routh_error error = {0};
    if (routh_modes_json(&s->results, &text, &error)) fail_msg("%s", error.message);
    json_t *json = sample_json(&text);
    routh_text_free(&text);
    return json;
}

static void json_has_every_eigenvalue_to_the_last_bit(void **state)
{
    const sample *s = *state;
    json_t *json = modes_json(s);
    assert_int_equal(json_array_size(sample_at(json, "eigenvalues")), 3);
    assert_int_equal(json_array_size(sample_at(json, "modes")), 3);
    assert_true(sample_number(json, "eigenvalues 1 1") == -2);
    assert_true(sample_number(json, "modes 2 eigenvalue 0") == -0.5);
    assert_true(sample_number(json, "modes 2 damping_ratio") == s->mode[2].damping_ratio);
    assert_true(sample_number(json, "modes 2 undamped_frequency_hz") ==
                s->mode[2].undamped_frequency_hz);
    assert_true(sample_number(json, "modes 1 conjugate") == 2);
    assert_true(json_is_true(sample_at(json, "modes 0 rigid")));
    json_decref(json);
}

static void json_says_what_was_linearized_and_where(void **state)
{
    json_t *json = modes_json(*state);
    assert_string_equal(json_string_value(sample_at(json, "title")),
                        "A mass & a </script> \"spring\" \xe2\x80\xa8");
    assert_string_equal(json_string_value(sample_at(json, "file")), "mass.yaml");
    assert_string_equal(json_string_value(sample_at(json, "operating_point type")), "static");
    assert_true(sample_number(json, "degrees_of_freedom position") == 1);
    assert_true(sample_number(json, "degrees_of_freedom velocity") == 2);
    assert_true(sample_number(json, "infinite_eigenvalues") == 7);
    assert_true(sample_number(json, "residual") == 2e-16);
    assert_true(sample_number(json, "operating_point time") == 0.5);
    assert_int_equal(json_array_size(sample_at(json, "operating_point redundant")), 7);
    assert_string_equal(json_string_value(sample_at(json, "states 2 name")), "we,ight.\"x\"'");
    json_decref(json);
}

/* Their condition numbers are not known, which is no defect. */
static void wanted_eigenvalues_say_how_they_were_found(void **state)
{
    sample *s = *state;
    routh_text text;
    json_t *json = modes_json(s);
    assert_true(json_is_null(sample_at(json, "wanted")));
    assert_null(json_object_get(sample_at(json, "modes 0"), "residual"));
    json_decref(json);
    routh_selection_region regions[2] = {{{-2, 0}, 4.5, {-2.5, 0}, ROUTH_COUNT_WINDING},
                                         {{0.1, 5}, 0, {0.1, 5}, ROUTH_COUNT_NONE}};
    s->modes.wanted = (routh_selection){.count = 3,
                                        .n_regions = 1,
                                        .regions = regions,
                                        .violation = 1e-15,
                                        .n_solves = 40,
                                        .n_restarts = 2};
    for (int k = 0; k < 3; k++) {
        s->mode[k].residual = k == 1 ? 3e-14 : 1e-15;
        s->mode[k].condition = NAN;
    }
    json = modes_json(s);
    assert_true(sample_number(json, "wanted count") == 3);
    assert_true(sample_number(json, "wanted regions 0 near 0") == -2);
    assert_true(sample_number(json, "wanted regions 0 shift 0") == -2.5);
    assert_true(sample_number(json, "wanted regions 0 radius") == 4.5);
    assert_string_equal(json_string_value(sample_at(json, "wanted regions 0 counted")),
                        "winding number");
    assert_true(sample_number(json, "wanted constraint_violation") == 1e-15);
    assert_true(sample_number(json, "wanted solves") == 40);
    assert_true(sample_number(json, "wanted restarts") == 2);
    assert_true(sample_number(json, "modes 1 residual") == 3e-14);
    json_decref(json);
    assert_int_equal(routh_modes_table(&s->results, &text, NULL), ROUTH_OK);
    assert_non_null(
        strstr(text.bytes, "3 of 3, those nearest to -2 1/s; residual at most 3e-14"));
    assert_non_null(strstr(text.bytes, "all nearer than 4.5 1/s to -2 1/s, by winding number"));
    assert_null(strstr(text.bytes, "defective"));
    assert_null(strstr(text.bytes, "most of it in"));
    assert_non_null(strstr(text.bytes, "period"));
    routh_text_free(&text);
    s->modes.wanted.n_regions = 2;
    assert_int_equal(routh_modes_table(&s->results, &text, NULL), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "equal ones near 0.1+5i 1/s may be missing"));
    routh_text_free(&text);
    json = modes_json(s);
    assert_true(json_is_null(sample_at(json, "wanted regions 1 radius")));
    json_decref(json);
}

static void a_warning_said_twice_is_written_once(void **state)
{
    json_t *json = modes_json(*state);
    assert_int_equal(json_array_size(sample_at(json, "warnings")), 2);
    json_decref(json);
}

static void energies_are_named_fractions_of_their_kind(void **state)
{
    json_t *json = modes_json(*state);
    const json_t *kinetic = sample_at(json, "modes 2 energies kinetic");
    assert_int_equal(json_object_size(kinetic), 1);
    assert_true(json_number_value(json_object_get(kinetic, "body weight")) == 1);
    assert_int_equal(json_object_size(sample_at(json, "modes 0 energies kinetic")), 0);
    json_decref(json);
}

static void shapes_are_written_only_where_asked_for(void **state)
{
    sample *s = *state;
    json_t *json = modes_json(s);
    assert_null(json_object_get(sample_at(json, "modes 2"), "shape"));
    json_decref(json);
    s->results.shapes = 1;
    json = modes_json(s);
    assert_string_equal(json_string_value(sample_at(json, "modes 2 shape 1 marker")), "weight");
    assert_int_equal(json_array_size(sample_at(json, "modes 2 shape 1 motion")), 12);
    assert_true(sample_number(json, "modes 2 shape 1 motion 2") == 1);
    json_decref(json);
}

static void a_condition_that_is_not_finite_is_null_and_warned_of(void **state)
{
    sample *s = *state;
    s->mode[2].condition = INFINITY;
    json_t *json = modes_json(s);
    assert_true(json_is_null(sample_at(json, "modes 2 condition")));
    assert_non_null(
        strstr(json_string_value(sample_at(json, "warnings 2")), "-0.5+2i is defective"));
    json_decref(json);
}

static void an_eigenvalue_that_is_not_finite_is_refused_by_every_format(void **state)
{
    sample *s = *state;
    routh_text text;
    routh_error error = {0};
    s->mode[1].eigenvalue[0] = NAN;
    assert_int_equal(routh_modes_json(&s->results, &text, &error), ROUTH_NUMERIC_ERROR);
    assert_non_null(strstr(error.message, "eigenvalues[1][0]"));
    assert_null(text.bytes);
    assert_int_equal(routh_modes_csv(&s->results, &text, &error), ROUTH_NUMERIC_ERROR);
    assert_int_equal(routh_modes_table(&s->results, &text, &error), ROUTH_NUMERIC_ERROR);
    assert_null(text.bytes);
}

static void missing_parts_are_named(void **state)
{
    sample *s = *state;
    routh_text text;
    routh_error error = {0};
    s->results.modes = NULL;
    assert_int_equal(routh_modes_json(&s->results, &text, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "results->modes"));
    assert_int_equal(routh_modes_table(NULL, &text, &error), ROUTH_BAD_ARGUMENT);
}

static char *table_of(const sample *s)
{
    routh_text text;
    routh_error error = {0};
    if (routh_modes_table(&s->results, &text, &error)) fail_msg("%s", error.message);
    return text.bytes;
}

static void expect_in(const char *text, const char *piece)
{
    if (!strstr(text, piece)) fail_msg("\"%s\" is not in:\n%s", piece, text);
}

static void the_table_shows_a_pair_in_one_line(void **state)
{
    char *table = table_of(*state);
    /* up to the damping ratio, and from the energies on: between them may be other columns */
    expect_in(table, "\n  mode  real part  imaginary    undamped      damped  damping  ");
    expect_in(table, "  kinetic energy  strain energy\n"
                     "              1/s      rad/s          Hz          Hz        %  ");
    expect_in(table, "  most of it in   most of it in\n"
                     "     1          0                      0  ");
    expect_in(table, "  rigid-body mode\n"
                     "     2       -0.5        +-2  0.32810632  0.31830989    24.25  ");
    expect_in(table, "  weight 100 %    spring 100 %   period 3.142 s\n");
    assert_null(strstr(table, "\n     3 "));
    free(table);
}

static void the_heading_tells_the_operating_point_and_the_redundant_rows(void **state)
{
    char *table = table_of(*state);
    expect_in(table, "A mass & a </script> \"spring\"");
    expect_in(table, "static equilibrium, at t = 0.5 s");
    expect_in(table, "2e-16 of the largest single force");
    expect_in(table, "at rest");
    expect_in(table, "1 of position, 2 of velocity (3 states)");
    expect_in(table, "redundant equations   7 constraint equations, removed:\n");
    expect_in(table, "guide: origins coincide along z\n");
    expect_in(table, "... and 2 more\n");
    expect_in(table, "a  [31mred [0m warning\n");
    assert_null(strchr(table, '\033'));
    free(table);
}

static void an_unstable_mode_is_marked_and_counted(void **state)
{
    sample *s = *state;
    s->mode[1].eigenvalue[0] = s->mode[2].eigenvalue[0] = 0.25;
    char *table = table_of(s);
    expect_in(table, "UNSTABLE: doubles in 2.77 s");
    expect_in(table,
              "2 of 3 eigenvalues have a positive real part: the operating point is unstable.\n");
    free(table);
}

static void a_real_part_within_the_error_bound_is_no_instability(void **state)
{
    sample *s = *state;
    s->mode[1].eigenvalue[0] = s->mode[2].eigenvalue[0] = 5e-16;
    char *table = table_of(s);
    assert_null(strstr(table, "UNSTABLE"));
    free(table);
}

/* The last digit is no smaller than the bound; one is shown at least. */
static void no_more_digits_are_shown_than_the_bound_leaves(void **state)
{
    sample *s = *state;
    s->mode[1].eigenvalue[0] = s->mode[2].eigenvalue[0] = -0.123456789;
    s->mode[1].eigenvalue[1] = 12.3456789, s->mode[2].eigenvalue[1] = -12.3456789;
    const struct {
        double bound;
        const char *real, *imaginary;
    } cases[] = {{1e-12, "-0.12345679", "12.345679"}, {1e-6, "-0.123457", "12.345679"},
                 {3e-5, "-0.1235", "12.3457"},        {2e-3, "-0.12", "12.35"},
                 {0.04, "-0.1", "12.3"},              {1.5, "", "+-1e+01"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        s->mode[1].error_bound = s->mode[2].error_bound = cases[k].bound;
        char *table = table_of(s), wanted[40];
        snprintf(wanted, sizeof wanted, " %s ", cases[k].real);
        if (*cases[k].real) expect_in(table, wanted);
        snprintf(wanted, sizeof wanted, "%s ", cases[k].imaginary);
        expect_in(table, wanted);
        free(table);
    }
}

static void away_from_rest_the_table_says_what_the_eigenvalues_mean(void **state)
{
    sample *s = *state;
    s->linear.at_rest = 0;
    s->bodies[0].velocity[0] = 1;
    char *table = table_of(s);
    expect_in(table, "state                 steady motion\n");
    assert_null(strstr(table, "warning               the operating point is"));
    free(table);
    s->linear.steady = 0;
    s->linear.residual = 0.5;
    table = table_of(s);
    expect_in(table,
              "neither at rest nor in steady motion (equilibrium residual 0.5 of the largest single force)");
    expect_in(table, "do not describe stability of the motion");
    free(table);
    s->bodies[0].velocity[0] = 0;
    table = table_of(s);
    expect_in(table, "state                 not in equilibrium\n");
    free(table);
}

static void csv_has_a_line_for_every_eigenvalue(void **state)
{
    const sample *s = *state;
    routh_text text;
    assert_int_equal(routh_modes_csv(&s->results, &text, NULL), ROUTH_OK);
    const char *line = strstr(text.bytes, "\n2,");
    assert_non_null(line);
    double re, im, undamped;
    assert_int_equal(sscanf(line, "\n2,%lf,%lf,%lf", &re, &im, &undamped), 3);
    assert_true(re == -0.5 && im == 2 && undamped == s->mode[2].undamped_frequency_hz);
    assert_null(strstr(text.bytes, "\n3,"));
    routh_text_free(&text);
}

/* Two masses that move together: the second is heavier by less than rounding may leave in other
 * processors, and its fraction larger; equal ones are listed in the order of the model. */
static void equal_fractions_keep_the_order_of_the_model(void **unused)
{
    (void)unused;
    test_mechanism t;
    routh_linear *linear;
    routh_modes *modes;
    routh_text text;
    routh_error error;
    mechanism_make(
        &t, "gravity: [0, 0, 0]\n"
            "bodies:\n"
            "  first: {mass: 1, inertia: [1, 1, 1]}\n"
            "  second: {mass: 1.000000000004, inertia: [1, 1, 1]}\n"
            "joints:\n"
            "  a: {type: translational, between: [first, ground], axis: x}\n"
            "  b: {type: translational, between: [second, ground], axis: x}\n"
            "loads:\n"
            "  one: {type: force, on: first, components: [-100*DX(first), 0, 0]}\n"
            "  two: {type: force, on: second, components: [-100.0000000004*DX(second), 0, 0]}\n"
            "  link: {type: force, on: first, reaction_on: second,\n"
            "         components: [-1e3*DX(first, second), 0, 0]}\n");
    routh_operating_point *point = mechanism_point(&t);
    assert_int_equal(routh_linear_compute(&linear, t.m, point, NULL, &error), ROUTH_OK);
    assert_int_equal(routh_modes_compute(&modes, linear, &error), ROUTH_OK);
    const routh_results results = {.model = t.model, .linear = linear, .modes = modes};
    assert_int_equal(routh_modes_table(&results, &text, &error), ROUTH_OK);
    const char *first = strstr(text.bytes, "first 50 %");
    assert_non_null(first);
    assert_non_null(strstr(first + 1, "first 50 %"));
    assert_null(strstr(text.bytes, "second 50 %"));
    routh_text_free(&text);
    routh_modes_free(modes);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    mechanism_release(&t);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, start, end)
    const struct CMUnitTest tests[] = {
        TEST(json_has_every_eigenvalue_to_the_last_bit),
        TEST(json_says_what_was_linearized_and_where),
        TEST(wanted_eigenvalues_say_how_they_were_found),
        TEST(a_warning_said_twice_is_written_once),
        TEST(energies_are_named_fractions_of_their_kind),
        TEST(shapes_are_written_only_where_asked_for),
        TEST(a_condition_that_is_not_finite_is_null_and_warned_of),
        TEST(an_eigenvalue_that_is_not_finite_is_refused_by_every_format),
        TEST(missing_parts_are_named),
        TEST(the_table_shows_a_pair_in_one_line),
        TEST(the_heading_tells_the_operating_point_and_the_redundant_rows),
        TEST(an_unstable_mode_is_marked_and_counted),
        TEST(a_real_part_within_the_error_bound_is_no_instability),
        TEST(no_more_digits_are_shown_than_the_bound_leaves),
        TEST(away_from_rest_the_table_says_what_the_eigenvalues_mean),
        TEST(csv_has_a_line_for_every_eigenvalue),
        cmocka_unit_test(equal_fractions_keep_the_order_of_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
