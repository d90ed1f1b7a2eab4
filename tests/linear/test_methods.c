/* Every coordinate set and every method give one linear model: A, mass and stiffness of random
 * mechanisms, at rest and moving, seen from the ground and from a moving body. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/random_mechanism.h"

static const char *const methods[] = {"augmented",
                                      "minimal:partition",
                                      "minimal:qr",
                                      "minimal:svd",
                                      "minimal:zero-eigenvalue",
                                      "minimal:gram-schmidt"};
enum { N_METHODS = sizeof methods / sizeof methods[0] };

static const char *const coordinates[] = {"absolute", "euler-parameters", "euler-angles"};
enum { N_COORDINATES = sizeof coordinates / sizeof coordinates[0] };

/* A model compiled in one coordinate set, at its operating point. */
typedef struct cell {
    routh_mechanism *mechanism;
    routh_operating_point *point;
} cell;

static void cell_make(cell *c, const routh_model *model, const char *set)
{
    routh_error error;
    if (routh_mechanism_compile(&c->mechanism, model, set, &error) ||
        routh_operating_point_find(&c->point, c->mechanism, NULL, &error))
        fail_msg("%s: %s", set, error.message);
}

static void cell_release(cell *c)
{
    routh_operating_point_free(c->point);
    routh_mechanism_free(c->mechanism);
}

static routh_linear *linear_by(const cell *c, const char *method, const char *reference)
{
    routh_linearize_options options = routh_linearize_defaults();
    routh_linear *linear;
    routh_error error;
    options.method = method;
    options.reference = reference;
    if (routh_linearize(&linear, c->mechanism, c->point, &options, &error))
        fail_msg("%s: %s", method, error.message);
    return linear;
}

/* Largest difference of n numbers over the largest of them; NaN where one is not finite. */
static double difference(const double *a, const double *b, int n)
{
    double worst = 0, size = 0;
    for (int k = 0; k < n; k++) {
        if (!isfinite(a[k]) || !isfinite(b[k])) return NAN;
        worst = fmax(worst, fabs(a[k] - b[k]));
        size = fmax(size, fabs(b[k]));
    }
    return size > 0 ? worst / size : 0;
}

static double compare(const cell *c, const char *method, const char *reference,
                      const routh_linear *expected)
{
    routh_linear *found = linear_by(c, method, reference);
    const int n = expected->n_states, z = expected->n_position;
    assert_int_equal(found->n_states, n);
    for (int k = 0; k < n; k++)
        assert_string_equal(found->states[k].name, expected->states[k].name);
    const double off[3] = {difference(found->A, expected->A, n * n),
                           difference(found->mass, expected->mass, z * z),
                           difference(found->stiffness, expected->stiffness, z * z)};
    double worst = 0;
    for (int k = 0; k < 3; k++)
        if (!(off[k] <= worst)) worst = off[k];
    routh_linear_free(found);
    return worst;
}

/* "[b0.x, b1.rz]": the states that were chosen, to be asked for in every cell. */
static void name_states(const routh_linear *linear, growing_text *text)
{
    for (int k = 0; k < linear->n_position; k++)
        text_add(text, "%s%s", k ? ", " : "[", linear->states[k].name);
    text_add(text, "]");
}

static void check_cells(const routh_model *model, const routh_linear *expected,
                        const char *reference, const char *text, double *worst)
{
    for (int set = 0; set < N_COORDINATES; set++) {
        cell c;
        cell_make(&c, model, coordinates[set]);
        assert_int_equal(c.point->degrees_of_freedom, expected->n_position);
        for (int k = 0; k < N_METHODS; k++) {
            const double off = compare(&c, methods[k], reference, expected);
            if (!(off <= 1e-8))
                fail_msg("%s, %s is off by %.3g, seen from %s, in\n%s", coordinates[set],
                         methods[k], off, reference, text);
            if (off > *worst) *worst = off;
        }
        cell_release(&c);
    }
}

static void check(random_stream *random, int what, double *worst)
{
    random_mechanism mechanism;
    random_mechanism_make(&mechanism, random, what);
    for (int observer = 0; observer < 2; observer++) {
        growing_text text = {0}, again = {0}, states = {0};
        test_mechanism t, same;
        cell c;
        mechanism.extra_states = NULL;
        random_mechanism_write(&mechanism, &no_disguise, &text);
        mechanism_make(&t, text.bytes);
        const char *reference = observer ? t.model->bodies[0].name : "ground";
        cell_make(&c, t.model, "absolute");
        if (c.point->degrees_of_freedom > 0) {
            routh_linear *expected = linear_by(&c, "augmented", reference);
            name_states(expected, &states);
            mechanism.extra_states = states.bytes;
            random_mechanism_write(&mechanism, &no_disguise, &again);
            mechanism_make(&same, again.bytes);
            check_cells(same.model, expected, reference, again.bytes, worst);
            mechanism_release(&same);
            routh_linear_free(expected);
        }
        cell_release(&c);
        mechanism_release(&t);
        free(text.bytes);
        free(again.bytes);
        free(states.bytes);
    }
}

static void methods_agree(int what)
{
    random_stream random = {(uint64_t)(1000 + what)};
    double worst = 0;
    for (int k = 0; k < with_effort(40); k++) check(&random, what, &worst);
    print_message("    worst %.1e\n", worst);
}

static void methods_agree_at_rest(void **state)
{
    (void)state;
    methods_agree(RANDOM_STATIC);
}

static void methods_agree_in_motion(void **state)
{
    (void)state;
    methods_agree(RANDOM_MOVING);
}

static void an_unknown_method_is_refused_by_name(void **state)
{
    (void)state;
    test_mechanism t;
    routh_linear *linear;
    routh_error error;
    routh_linearize_options options = routh_linearize_defaults();
    mechanism_make_template(&t, "slider-pendulum", (const char *const[]){NULL});
    routh_operating_point *point = mechanism_point(&t);
    static const char *const names[] = {"minimal:", "minimal:lu", "augmented:qr", "minima", ""};
    for (int k = 0; k < 5; k++) {
        options.method = names[k];
        assert_int_equal(routh_linearize(&linear, t.m, point, &options, &error),
                         ROUTH_NOT_SUPPORTED);
        assert_null(linear);
        assert_non_null(strstr(error.message, "augmented, minimal"));
    }
    routh_operating_point_free(point);
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_agree_at_rest),
        cmocka_unit_test(methods_agree_in_motion),
        cmocka_unit_test(an_unknown_method_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
