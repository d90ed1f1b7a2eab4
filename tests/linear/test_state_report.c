/* A state that is dropped is told with those it follows from, those that move it most first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routh/linear.h"
#include "support/mechanisms.h"

/* Masses p, q, .. free along x, and what is said of sum, that of their places by `shares`. */
static void check_words(int n, const double *shares, const char *words)
{
    static const char *const names[] = {"p.x", "q.x", "r.x", "s.x", "t.x", "u.x"};
    growing_text yaml = {0};
    text_add(&yaml, "bodies:\n");
    for (int k = 0; k < n; k++) text_add(&yaml, "  %c: {mass: 1, inertia: [1, 1, 1]}\n", 'p' + k);
    text_add(&yaml, "joints:\n");
    for (int k = 0; k < n; k++)
        text_add(&yaml, "  j%c: {type: translational, between: [%c, ground], axis: x}\n", 'p' + k,
                 'p' + k);
    text_add(&yaml, "linearize: {coordinates: {sum: \"0");
    for (int k = 0; k < n; k++) text_add(&yaml, " + %g*DX(%c)", shares[k], 'p' + k);
    text_add(&yaml, "\"}}\n");

    test_mechanism t;
    mechanism_make(&t, yaml.bytes);
    routh_operating_point *point = mechanism_point(&t);
    routh_linear *linear;
    routh_error error;
    routh_linear_options options = routh_linear_defaults();
    const char *wanted[8] = {0};
    memcpy(wanted, names, (size_t)n * sizeof *wanted);
    wanted[n] = "sum";
    options.states = wanted;
    if (routh_linear_compute(&linear, t.m, point, &options, &error)) fail_msg("%s", error.message);
    char said[400];
    snprintf(said, sizeof said, "state sum was dropped: it follows from %s", words);
    assert_int_equal(linear->n_position, n);
    assert_int_equal(linear->n_warnings, 1);
    assert_string_equal(linear->warnings[0], said);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    mechanism_release(&t);
    free(yaml.bytes);
}

static void those_that_move_it_most_are_named_first(void **unused)
{
    (void)unused;
    check_words(1, (const double[]){2}, "p.x");
    check_words(2, (const double[]){0.1, 0.4}, "q.x and p.x");
    check_words(3, (const double[]){0.3, -0.1, 0.6}, "r.x, p.x and q.x");
    check_words(4, (const double[]){0.3, 0.1, 0.2, -0.9}, "s.x, p.x, r.x and q.x");
}

static void of_more_than_four_the_rest_is_counted(void **unused)
{
    (void)unused;
    check_words(5, (const double[]){1, 2, 3, 4, 5}, "t.x, s.x, r.x, q.x and 1 more");
    check_words(6, (const double[]){0.3, 0.1, -0.6, 0.2, 0.5, 0.4},
                "r.x, t.x, u.x, p.x and 2 more");
}

/* A share of zero moves nothing. */
static void what_does_not_move_it_is_not_named(void **unused)
{
    (void)unused;
    check_words(3, (const double[]){0.5, 0, 0.2}, "p.x and r.x");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_that_move_it_most_are_named_first),
        cmocka_unit_test(of_more_than_four_the_rest_is_counted),
        cmocka_unit_test(what_does_not_move_it_is_not_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
