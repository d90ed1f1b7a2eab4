/* The four-bar linkage of N loops of Gonzalez, Masarati, Cuadrado and Naya (2017): Tables 1 and 2
 * and the singular configuration of Section 5.1, from their velocity projection (here: minimal),
 * descriptor form (redundant) and penalties with their options, and from the augmented method. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "papers/answers.h"

static const char paper[] = "Gonzalez, Masarati, Cuadrado, Naya 2017";

/* phi(15) is a misprint. */
typedef struct printed_line {
    int n;
    const char *phi, *undamped, *re, *im;
} printed_line;

static const printed_line printed[] = {
    {1, "2.2343", "2.1477", "-0.2424", "2.1340"},  {5, "1.8922", "1.5455", "-0.2350", "1.5276"},
    {10, "1.8454", "1.4352", "-0.2325", "1.4162"}, {15, "1.8230", "1.3955", "-0.2316", "1.3761"},
    {20, "1.8217", "1.3750", "-0.2312", "1.3554"},
};

static const printed_line *printed_of(int n)
{
    static const printed_line none = {0, NULL, NULL, NULL, NULL};
    for (size_t k = 0; k < sizeof printed / sizeof printed[0]; k++)
        if (printed[k].n == n) return &printed[k];
    return &none;
}

/* One line of a table, with the largest error and bound of the penalty method so far. */
typedef struct line {
    const json_t *expected;
    int n;
    bool damped;
    double error, bound;
} line;

static void record_number(const answer *a, const line *x, const char *what, const char *digits,
                          double reference, double computed, double scale)
{
    char quantity[40];
    snprintf(quantity, sizeof quantity, "N = %d: %s", x->n, what);
    record_line(.paper = paper, .table = x->damped ? "Table 2" : "Table 1", .quantity = quantity,
                .published = digits, .reference = reference, .computed = computed,
                .coordinates = a->coordinates, .method = a->method, .scale = scale,
                .bound = a->bound[0]);
}

static void see_line(answer *a, void *context)
{
    line *x = context;
    const json_t *c = x->expected;
    const printed_line *p = printed_of(x->n);
    const double phi = number_of(c, "phi");
    double s[1][2] = {{x->damped ? number_of(c, "damped_real") : 0,
                       number_of(c, x->damped ? "damped_imaginary" : "undamped_imaginary")}};
    const double size = hypot(s[0][0], s[0][1]);
    const char *digits = x->damped ? p->im : p->undamped;
    const double *A = a->point->bodies[0].orientation, found = atan2(A[3], A[0]);
    if (a->exact && !x->damped) record_number(a, x, "phi", p->phi, phi, found, 0);
    sort_pairs(a, s, 1);
    if (digits) assert_true(printed_right(digits, a->pair[0][1]));
    record_number(a, x, "Im s1", digits, s[0][1], a->pair[0][1], size);
    if (x->damped) {
        if (p->re) assert_true(printed_right(p->re, a->pair[0][0]));
        record_number(a, x, "Re s1", p->re, s[0][0], a->pair[0][0], size);
    }
    if (!a->exact) {
        /* "below 3e-6 rad/s" */
        x->error = fmax(x->error, hypot(a->pair[0][0] - s[0][0], a->pair[0][1] - s[0][1]));
        x->bound = fmax(x->bound, a->bound[0]);
        return;
    }
    assert_string_equal(a->point->bodies[0].name, "crank_0");
    check_number(a, found, phi, "phi");
    if (p->phi && x->n != 15) assert_true(printed_right(p->phi, found));
    assert_int_equal(a->linear->n_position, 1);
    check_number(a, a->linear->mass[0], number_of(c, "mass"), "mass");
    check_number(a, a->linear->stiffness[0], number_of(c, "stiffness"), "stiffness");
}

/* "the error in the eigenvalues introduced by the penalty formulation remained below 3e-6 rad/s";
 * the values computed without this library are of the paper's rows, d^2 - l^2. */
static void record_penalties(const line *x)
{
    static const char table[] = "Section 5.1, penalties";
    char quantity[60];
    assert_true(x->error > 0 && x->error < 3e-6);
    snprintf(quantity, sizeof quantity, "N = %d: error, c = %d", x->n, x->damped);
    record_value(paper, table, quantity, "< 3e-6", NAN, x->error);
    snprintf(quantity, sizeof quantity, "N = %d: bound, c = %d", x->n, x->damped);
    record_value(paper, table, quantity, NULL, NAN, x->bound);
}

static void the_four_bar_of_n_loops_has_the_printed_eigenvalues(void **state)
{
    (void)state;
    json_t *file = reference_file("four_bar.json");
    const json_t *cases = json_object_get(file, "cases");
    assert_int_equal(json_array_size(cases), 7);
    for (size_t k = 0; k < 7; k++)
        for (int damped = 0; damped < 2; damped++) {
            line x = {.expected = json_array_get(cases, k), .damped = damped};
            char n[16];
            x.n = (int)number_of(x.expected, "N");
            snprintf(n, sizeof n, "%d", x.n);
            const char *const settings[] = {"N", n, "c", damped ? "1" : "0", NULL};
            char *text = template_text("four-bar", settings, "linearize: {states: [crank_0.rz]}\n");
            every_answer(text, NULL, NULL, see_line, &x);
            free(text);
            record_penalties(&x);
        }
    json_decref(file);
}

/* ---- the singular configuration -------------------------------------------------------------- */

/* With the smallest joint forces. (2, 3, .. loops: tests/operating/test_branches.c; there the
 * smallest forces in the joints are others than the smallest multipliers of the paper's rods.) */
static void see_singular(answer *a, void *context)
{
    static const char *const digits[] = {"3.4310", "4.4294"};
    static const char *const names[] = {"s1", "s2, smallest multipliers"};
    const json_t *list = context;
    double s[2][2] = {{0}};
    for (int k = 0; k < 2; k++) s[k][1] = json_number_value(json_array_get(list, (size_t)k));
    sort_pairs(a, s, 2);
    for (int k = 0; k < 2; k++) {
        assert_true(printed_right(digits[k], a->pair[k][1]));
        record_line(.paper = paper, .table = "Section 5.1", .quantity = names[k],
                    .published = digits[k], .reference = s[k][1], .computed = a->pair[k][1],
                    .coordinates = a->coordinates, .method = a->method, .bound = a->bound[k]);
    }
}

static const char *const in_line[] = {"k", "0", "down", "0", "phi", "0", NULL};

static void the_rods_in_line_have_the_printed_pairs(void **state)
{
    (void)state;
    json_t *file = reference_file("four_bar.json");
    char *text = template_text("four-bar", NULL, "");
    every_answer(text, in_line, NULL, see_singular, json_object_get(file, "smallest_multipliers"));
    free(text);
    json_decref(file);
}

/* Once for each coordinate set: branches are found without a method. */
static void see_branches(answer *a, void *context)
{
    const json_t *list = context;
    routh_branches *b;
    routh_error error;
    if (strcmp(a->method, "augmented") != 0) return;
    if (routh_branches_find(&b, a->mechanism, a->point, &error))
        fail_msg("%s: %s", a->coordinates, error.message);
    assert_int_equal(b->n, 2);
    for (int k = 0; k < 2; k++) {
        const double expected = json_number_value(json_array_get(list, (size_t)k));
        assert_int_equal(b->branches[k].n_eigenvalues, 2);
        const double *s = b->branches[k].eigenvalues[1];
        check_number(a, s[0], 0, "real part");
        check_number(a, s[1], expected, "branch");
        record_line(.paper = paper, .table = "Section 5.1", .quantity = k ? "branch 2" : "branch 1",
                    .published = k ? NULL : "3.4310", .reference = expected, .computed = s[1],
                    .coordinates = a->coordinates);
    }
    routh_branches_free(b);
}

static void the_rods_in_line_have_two_branches_in_every_coordinate_set(void **state)
{
    (void)state;
    json_t *file = reference_file("four_bar.json");
    char *text = template_text("four-bar", NULL, "");
    every_answer(text, in_line, NULL, see_branches, json_object_get(file, "branches"));
    free(text);
    json_decref(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_four_bar_of_n_loops_has_the_printed_eigenvalues),
        cmocka_unit_test(the_rods_in_line_have_the_printed_pairs),
        cmocka_unit_test(the_rods_in_line_have_two_branches_in_every_coordinate_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
