/* Tests of what is written about a check, from a result made by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "output/sample.h"

enum { N_CELLS = 5 };

typedef struct checked {
    sample s;
    routh_finding findings[2];
    routh_body_motion bodies[4];
    routh_free_motion motion;
    double digits[3];
    routh_check_cell cells[N_CELLS];
    routh_check check;
} checked;

static void make(checked *c)
{
    sample_start(&c->s);
    c->findings[0] = (routh_finding){"rank", ROUTH_YES, 0.25, "rows are far apart"};
    c->findings[1] = (routh_finding){"agreement", ROUTH_CANNOT_TELL, NAN, "1 in doubt"};
    static const char *const names[] = {"rotor", "stator", "shaft", "base"};
    for (int k = 0; k < 4; k++)
        c->bodies[k] = (routh_body_motion){names[k], {0, 1e-9, 0.5}, {k == 0, 0, 0}};
    c->motion = (routh_free_motion){4, c->bodies};
    for (int k = 0; k < 3; k++) c->digits[k] = 15.75;
    for (int k = 0; k < N_CELLS; k++)
        c->cells[k] = (routh_check_cell){.coordinates = k < 3 ? "absolute" : "relative",
                                         .method = k % 3 == 0 ? "augmented" : "minimal:qr",
                                         .state = (routh_cell_state)k,
                                         .verdict = ROUTH_CANNOT_TELL,
                                         .mac = NAN,
                                         .shape_margin = NAN,
                                         .seconds = NAN};
    c->cells[0].verdict = ROUTH_YES;
    c->cells[0].seconds = 0.0125;
    c->cells[1].margin = 1234.5, c->cells[1].difference = 3e-5, c->cells[1].mac = 0.75;
    c->cells[1].why = c->cells[3].why = "rounding alone";
    c->cells[2].why = "at most 60";
    c->check = (routh_check){.n_bodies = 4,
                             .n_joint_rows = 30,
                             .n_motion_rows = 1,
                             .gruebler = -7,
                             .degrees_of_freedom = 1,
                             .degrees_nearby = 1,
                             .smallest_singular = 0.125,
                             .distance = INFINITY,
                             .length = 1,
                             .point = &c->s.point,
                             .linear = &c->s.linear,
                             .modes = &c->s.modes,
                             .digits = c->digits,
                             .n_free_motions = 1,
                             .free_motions = &c->motion,
                             .n_cells = N_CELLS,
                             .cells = c->cells,
                             .n_findings = 2,
                             .findings = c->findings,
                             .verdict = ROUTH_CANNOT_TELL};
    c->s.results = (routh_results){.model = c->s.model, .check = &c->check};
}

static void the_table_says_counts_answers_motions_and_cells(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "less 30 rows of joints and 1 of motions: -7 (Gruebler); there are 1\n",
        "smallest singular value 0.12 of the largest\n",
        "  rank            yes  ",
        "  0.25  rows are far apart\n",
        "  agreement       cannot tell  ",
        "  1 in doubt\n",
        "  1  rotor moves (0 0 0.5) rotates (1 0 0); stator moves (0 0 0.5); shaft moves",
        "moves (0 0 0.5); and",
        "; and 1 more\n",
        "  absolute     augmented   reference",
        "cannot tell [1]",
        "  1.2e+03  ",
        "refused [2]",
        "failed [1]",
        "left out",
        "  [1] rounding alone\n  [2] at most 60\n",
        "\nCannot tell: agreement.\n",
    };
    checked c;
    routh_text text;
    make(&c);
    assert_int_equal(routh_check_table(&c.s.results, &text, NULL), ROUTH_OK);
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++)
        if (!strstr(text.bytes, pieces[k])) fail_msg("no \"%s\" in\n%s", pieces[k], text.bytes);
    assert_null(strstr(text.bytes, "nan"));
    routh_text_free(&text);
    sample_end(&c.s);
}

static void cells_refused_alike_are_one_line(void **state)
{
    (void)state;
    checked c;
    routh_text text;
    make(&c);
    c.cells[1].state = c.cells[2].state = c.cells[3].state = ROUTH_CELL_REFUSED;
    c.cells[1].why = c.cells[2].why = c.cells[3].why = "dense";
    assert_int_equal(routh_check_table(&c.s.results, &text, NULL), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "\n               minimal:qr and 1 more  refused [1]"));
    assert_non_null(strstr(text.bytes, "\n  relative     augmented              refused [1]"));
    routh_text_free(&text);
    c.cells[2].why = "something else";
    assert_int_equal(routh_check_table(&c.s.results, &text, NULL), ROUTH_OK);
    assert_null(strstr(text.bytes, "minimal:qr and"));
    routh_text_free(&text);
    sample_end(&c.s);
}

static void the_last_lines_name_what_is_no_and_what_cannot_be_told(void **state)
{
    (void)state;
    checked c;
    routh_text text;
    make(&c);
    c.findings[0].verdict = c.check.verdict = ROUTH_NO;
    assert_int_equal(routh_check_table(&c.s.results, &text, NULL), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "\nNo: rank.\nCannot tell: agreement.\n"));
    routh_text_free(&text);
    c.findings[0].verdict = c.findings[1].verdict = c.check.verdict = ROUTH_YES;
    assert_int_equal(routh_check_table(&c.s.results, &text, NULL), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "\nAll answers are yes.\n"));
    routh_text_free(&text);
    sample_end(&c.s);
}

static void json_holds_all_of_it_and_no_number_that_is_none(void **state)
{
    (void)state;
    checked c;
    routh_text text;
    make(&c);
    assert_int_equal(routh_check_json(&c.s.results, &text, NULL), ROUTH_OK);
    json_t *json = sample_json(&text);
    assert_string_equal(json_string_value(sample_at(json, "verdict")), "cannot tell");
    assert_true(sample_number(json, "count gruebler") == -7);
    assert_true(sample_number(json, "smallest_singular_value") == 0.125);
    assert_true(json_is_null(sample_at(json, "distance_from_singularity")));
    assert_true(sample_number(json, "answers 0 margin") == 0.25);
    assert_true(json_is_null(sample_at(json, "answers 1 margin")));
    assert_string_equal(json_string_value(sample_at(json, "free_motions 0 3 body")), "base");
    assert_true(sample_number(json, "eigenvalues 2 right_digits") == 15.75);
    static const char *const states[] = {"reference", "compared", "refused", "failed", "left out"};
    for (size_t k = 0; k < N_CELLS; k++) {
        const json_t *cell = json_array_get(sample_at(json, "cells"), k);
        assert_string_equal(json_string_value(json_object_get(cell, "state")), states[k]);
        assert_int_equal(json_object_get(cell, "verdict") != NULL, k == 1);
    }
    assert_true(sample_number(json, "cells 1 mac") == 0.75);
    assert_true(json_is_null(sample_at(json, "cells 1 shape_margin")));
    assert_true(sample_number(json, "cells 0 seconds") == 0.0125);
    json_decref(json);
    routh_text_free(&text);
    sample_end(&c.s);
}

static void a_check_without_eigenvalues_is_written_too(void **state)
{
    (void)state;
    checked c;
    routh_text text;
    make(&c);
    c.check.linear = NULL, c.check.modes = NULL, c.check.digits = NULL;
    c.check.n_free_motions = 0;
    assert_int_equal(routh_check_table(&c.s.results, &text, NULL), ROUTH_OK);
    assert_null(strstr(text.bytes, "Eigenvalues of the reference"));
    routh_text_free(&text);
    assert_int_equal(routh_check_json(&c.s.results, &text, NULL), ROUTH_OK);
    json_t *json = sample_json(&text);
    assert_int_equal(json_array_size(sample_at(json, "eigenvalues")), 0);
    json_decref(json);
    routh_text_free(&text);
    sample_end(&c.s);
}

static void without_a_check_there_is_nothing_to_write(void **state)
{
    (void)state;
    const routh_results none = {0};
    routh_text text;
    routh_error error;
    assert_int_equal(routh_check_table(&none, &text, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "results->check"));
    assert_int_equal(routh_check_json(&none, &text, &error), ROUTH_BAD_ARGUMENT);
    assert_null(text.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_says_counts_answers_motions_and_cells),
        cmocka_unit_test(cells_refused_alike_are_one_line),
        cmocka_unit_test(the_last_lines_name_what_is_no_and_what_cannot_be_told),
        cmocka_unit_test(json_holds_all_of_it_and_no_number_that_is_none),
        cmocka_unit_test(a_check_without_eigenvalues_is_written_too),
        cmocka_unit_test(without_a_check_there_is_nothing_to_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
