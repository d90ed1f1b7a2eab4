/* A mechanism far from the world's origin has the linear model it has there. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/effort.h"
#include "support/random_mechanism.h"

/* Ten kilometres: positions are then rounded to 1e-12, and mechanisms a few metres large, with
 * matrices conditioned to 1e3 or so, keep ten digits, two of them in reserve. Moments of inertia
 * about the world's origin are 1e8 times as large as about the mechanism, and would leave six. */
static const double far = 1e4, tolerance = 1e-8;

static routh_linear *linear_of(const char *text, const char *set)
{
    test_mechanism t;
    routh_mechanism *mechanism;
    routh_operating_point *point = NULL;
    routh_linear *linear = NULL;
    routh_error error;
    mechanism_make(&t, text);
    if (routh_mechanism_compile(&mechanism, t.model, set, &error) ||
        routh_operating_point_find(&point, mechanism, NULL, &error))
        fail_msg("%s: %s", set, error.message);
    if (point->degrees_of_freedom > 0 &&
        routh_linear_compute(&linear, mechanism, point, NULL, &error))
        fail_msg("%s: %s", set, error.message);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    mechanism_release(&t);
    return linear;
}

static void check_far(random_mechanism *mechanism, const char *set)
{
    growing_text near_text = {0}, far_text = {0}, states = {0};
    disguise away = no_disguise;
    for (int i = 0; i < 3; i++) away.c[i] = far;
    mechanism->extra_states = NULL;
    random_mechanism_write(mechanism, &no_disguise, &near_text);
    routh_linear *here = linear_of(near_text.bytes, set);
    if (here) {
        const int n = here->n_states;
        for (int k = 0; k < here->n_position; k++)
            text_add(&states, "%s%s", k ? ", " : "[", here->states[k].name);
        text_add(&states, "]");
        mechanism->extra_states = states.bytes;
        random_mechanism_write(mechanism, &away, &far_text);
        routh_linear *there = linear_of(far_text.bytes, set);
        assert_non_null(there);
        assert_int_equal(there->n_states, n);
        const double size = largest_of(here->A, n * n);
        for (int k = 0; k < n * n; k++)
            if (!(fabs(there->A[k] - here->A[k]) <= tolerance * size))
                fail_msg("%s: A[%d] is %.15g and should be %.15g in\n%s", set, k, there->A[k],
                         here->A[k], far_text.bytes);
        routh_linear_free(there);
    }
    routh_linear_free(here);
    free(near_text.bytes);
    free(far_text.bytes);
    free(states.bytes);
}

static void the_linear_model_is_the_same_far_away(void **state)
{
    static const char *const sets[] = {"absolute", "relative", "natural"};
    random_stream random = {511};
    (void)state;
    for (int k = 0; k < with_effort(30); k++) {
        random_mechanism mechanism;
        random_mechanism_make(&mechanism, &random, RANDOM_MOVING);
        check_far(&mechanism, sets[k % 3]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_linear_model_is_the_same_far_away)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
