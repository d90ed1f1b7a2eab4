/* Every method gives one linear model: A, mass, damping and stiffness of random mechanisms, at rest
 * and moving, seen from the ground and from a moving body. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/random_mechanism.h"

static const char *const methods[] = {"minimal",
                                      "minimal:partition",
                                      "minimal:qr",
                                      "minimal:svd",
                                      "minimal:zero-eigenvalue",
                                      "minimal:gram-schmidt"};
enum { N_METHODS = sizeof methods / sizeof methods[0] };

static routh_linear *linear_by(const test_mechanism *t, const routh_operating_point *point,
                               const char *method, const char *reference)
{
    routh_linearize_options options = routh_linearize_defaults();
    routh_linear *linear;
    routh_error error;
    options.method = method;
    options.reference = reference;
    if (routh_linearize(&linear, t->m, point, &options, &error))
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

static double compare(const test_mechanism *t, const routh_operating_point *point,
                      const char *method, const char *reference, const routh_linear *expected)
{
    routh_linear *found = linear_by(t, point, method, reference);
    const int n = expected->n_states, z = expected->n_position;
    assert_int_equal(found->n_states, n);
    for (int k = 0; k < n; k++)
        assert_string_equal(found->states[k].name, expected->states[k].name);
    const double a = difference(found->A, expected->A, n * n);
    const double m = difference(found->mass, expected->mass, z * z);
    const double k = difference(found->stiffness, expected->stiffness, z * z);
    routh_linear_free(found);
    const double worst = a > m ? a : m;
    return isnan(a) || isnan(m) || isnan(k) ? NAN : k > worst ? k : worst;
}

static void check(random_stream *random, int what, double *worst)
{
    random_mechanism mechanism;
    growing_text text = {0};
    test_mechanism t;
    random_mechanism_make(&mechanism, random, what);
    random_mechanism_write(&mechanism, &no_disguise, &text);
    mechanism_make(&t, text.bytes);
    routh_operating_point *point = mechanism_point(&t);
    for (int observer = 0; observer < 2 && point->degrees_of_freedom > 0; observer++) {
        const char *reference = observer ? t.model->bodies[0].name : "ground";
        routh_linear *expected = linear_by(&t, point, "augmented", reference);
        for (int k = 0; k < N_METHODS; k++) {
            const double off = compare(&t, point, methods[k], reference, expected);
            if (!(off <= 1e-8))
                fail_msg("%s is off by %.3g, seen from %s, in\n%s", methods[k], off, reference,
                         text.bytes);
            if (off > *worst) *worst = off;
        }
        routh_linear_free(expected);
    }
    routh_operating_point_free(point);
    mechanism_release(&t);
    free(text.bytes);
}

static void methods_agree(int what)
{
    random_stream random = {(uint64_t)(1000 + what)};
    double worst = 0;
    for (int k = 0; k < with_effort(60); k++) check(&random, what, &worst);
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
