/* Tests of the picture of patterns, from patterns made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routh/output.h"

static routh_text drawn(routh_pattern *patterns, int n)
{
    char title[] = "Bars & <rods>", coordinates[] = "absolute";
    const routh_sparsity s = {title, coordinates, n, patterns};
    routh_text text;
    routh_error error;
    if (routh_sparsity_svg(&s, &text, &error)) fail_msg("%s", error.message);
    return text;
}

static void a_run_of_entries_in_a_row_is_one_rectangle(void **state)
{
    (void)state;
    /* row 0: columns 0, 1, 2; row 1: column 0; row 2: columns 0 and 2 */
    int start[] = {0, 3, 4, 6}, row[] = {0, 1, 2, 0, 0, 2};
    routh_pattern p = {"M", "mass", -1, 3, 3, start, row};
    routh_text text = drawn(&p, 1);
    assert_non_null(strstr(text.bytes, "d=\"M0 0h3v1H0zM0 1h1v1H0zM0 2h1v1H0zM2 2h1v1H2z\""));
    assert_non_null(strstr(text.bytes, "3 x 3, 6 entries<"));
    assert_non_null(strstr(text.bytes, "Bars &amp; &lt;rods&gt;"));
    routh_text_free(&text);
}

/* 100 000 columns on 240 squares: 417 columns a square. */
static void a_large_matrix_is_drawn_in_few_squares(void **state)
{
    (void)state;
    enum { N = 100000 };
    int *start = malloc(sizeof(int) * (N + 1)), *row = malloc(sizeof(int) * N);
    assert_true(start && row);
    for (int k = 0; k <= N; k++) start[k] = k;
    for (int k = 0; k < N; k++) row[k] = k;
    routh_pattern p = {"K", "stiffness", -1, N, N, start, row};
    routh_text text = drawn(&p, 1);
    assert_non_null(strstr(text.bytes, "100000 x 100000, 100000 entries, a dot is 417 x 417<"));
    assert_non_null(strstr(text.bytes, "M239 239h1v1H239z"));
    assert_true(text.length < 10000);
    routh_text_free(&text);
    free(start);
    free(row);
}

static void an_empty_matrix_has_a_panel_too(void **state)
{
    (void)state;
    int start[] = {0};
    routh_pattern patterns[2] = {{"G", "constraints", -1, 0, 0, start, start},
                                 {"D", "damping", -1, 0, 0, start, start}};
    routh_text text = drawn(patterns, 2);
    assert_non_null(strstr(text.bytes, "0 x 0, 0 entries<"));
    routh_text_free(&text);
    routh_error error;
    assert_int_equal(routh_sparsity_svg(NULL, &text, &error), ROUTH_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_of_entries_in_a_row_is_one_rectangle),
        cmocka_unit_test(a_large_matrix_is_drawn_in_few_squares),
        cmocka_unit_test(an_empty_matrix_has_a_panel_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
