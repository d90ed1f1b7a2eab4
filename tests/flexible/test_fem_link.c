/* The link of examples/flexible, made by CalculiX 2.20: its frequencies are those CalculiX finds
 * from the same matrices. */
#include "routh/reduce.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *example(const char *name)
{
    static char paths[4][512];
    static int next;
    const char *source = getenv("ROUTH_SOURCE");
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/examples/flexible/%s", source ? source : ".", name);
    return path;
}

/* Column 4 of the lines "number eigenvalue rad cycles imaginary". */
static int read_frequencies(double *f, int most)
{
    FILE *file = fopen(example("link-frequencies.txt"), "r");
    char line[200];
    int n = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        double x[4];
        int number;
        if (sscanf(line, "%d %lf %lf %lf %lf", &number, &x[0], &x[1], &x[2], &x[3]) == 5 &&
            n < most)
            f[n++] = x[2];
    }
    fclose(file);
    return n;
}

static routh_reduction *reduce(const routh_reduction_options *o)
{
    routh_reduction *reduced;
    routh_error error;
    if (routh_reduction_compute(&reduced, o, &error)) fail_msg("%s", error.message);
    return reduced;
}

static routh_reduction_options link_options(void)
{
    return (routh_reduction_options){.stiffness = example("link.sti"),
                                     .mass = example("link.mas"),
                                     .nodes = example("link.inp"),
                                     .length_unit = 1e-3,
                                     .mass_unit = 1e3,
                                     .modes = 6};
}

/* CalculiX prints seven digits. */
static void frequencies_are_those_of_calculix(void **state)
{
    (void)state;
    double right[12];
    assert_int_equal(read_frequencies(right, 12), 12);
    const routh_reduction_options o = link_options();
    routh_reduction *r = reduce(&o);
    assert_int_equal(r->n, 6);
    for (int k = 0; k < 6; k++) assert_true(fabs(r->frequency[k] / right[6 + k] - 1) < 1e-6);
    assert_true(fabs(r->mass / (7800 * 0.12 * 0.02 * 0.01) - 1) < 1e-6);
    assert_true(fabs(r->centre[0] - 0.06) < 1e-7);
    routh_reduction_free(r);
}

static void faces_hold_it_and_frequencies_come_from_above(void **state)
{
    (void)state;
    double right[12];
    assert_int_equal(read_frequencies(right, 12), 12);
    const routh_interface faces[] = {{.number = 1001, .set = "LEFT"},
                                     {.number = 1002, .set = "right"}};
    routh_reduction_options o = link_options();
    o.n_interfaces = 2;
    o.interfaces = faces;
    o.modes = 40;
    routh_reduction *r = reduce(&o);
    assert_true(r->interface > 0.1 && r->n_free == 0);
    for (int k = 0; k < 4; k++) {
        assert_true(r->frequency[k] > right[6 + k] * (1 - 1e-6));
        assert_true(r->frequency[k] < right[6 + k] * 1.001);
    }
    routh_text text;
    routh_error error;
    assert_int_equal(routh_reduction_table(r, &text, &error), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "six motions without stiffness, as a free body has"));
    routh_text_free(&text);
    assert_int_equal(routh_reduction_json(r, &text, &error), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "\"schema\": \"routh-flexible/1\""));
    routh_text_free(&text);
    routh_reduction_free(r);
}

static void units_that_were_not_said_are_missed(void **state)
{
    (void)state;
    routh_reduction *r;
    routh_error error;
    routh_reduction_options o = link_options();
    o.length_unit = o.mass_unit = 0;
    assert_int_equal(routh_reduction_compute(&r, &o, &error), ROUTH_MODEL_ERROR);
    assert_null(r);
    assert_non_null(strstr(error.message, "a mass of 0.000187 kg and a length of 120 m"));
    assert_non_null(strstr(error.message, "length_unit: mm and mass_unit: t"));
    const routh_interface face = {.number = 1001, .set = "NOWHERE"};
    o = link_options();
    o.n_interfaces = 1;
    o.interfaces = &face;
    assert_int_equal(routh_reduction_compute(&r, &o, &error), ROUTH_MODEL_ERROR);
    assert_non_null(strstr(error.message, "has no *NSET with NSET=NOWHERE"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequencies_are_those_of_calculix),
        cmocka_unit_test(faces_hold_it_and_frequencies_come_from_above),
        cmocka_unit_test(units_that_were_not_said_are_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
