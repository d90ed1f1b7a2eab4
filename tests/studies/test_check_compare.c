/* Spectra that were made different on purpose: what is wrong is caught, what only rounds is not,
 * and what cannot be told is said so. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "studies/check.h"
#include "support/mechanisms.h"

static const double tolerance = 1e-8;

/* A linear model of a template, its modes, and copies of them to be spoilt. */
typedef struct pair {
    test_mechanism t;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *expected, *found;
    double *shapes; /* the copies' own */
} pair;

static void make(pair *p, const char *name)
{
    routh_error error;
    mechanism_make_template(&p->t, name, (const char *const[]){NULL});
    p->point = mechanism_point(&p->t);
    p->linear = mechanism_linear(&p->t, p->point, NULL);
    assert_int_equal(routh_modes_compute(&p->expected, p->linear, &error), ROUTH_OK);
    assert_int_equal(routh_modes_compute(&p->found, p->linear, &error), ROUTH_OK);
    p->shapes = p->found->storage;
}

static void release(pair *p)
{
    routh_modes_free(p->expected);
    routh_modes_free(p->found);
    routh_linear_free(p->linear);
    routh_operating_point_free(p->point);
    mechanism_release(&p->t);
}

static rt_agreement compare(const pair *p)
{
    rt_agreement a;
    routh_error error;
    assert_int_equal(rt_compare_spectra(p->linear, p->expected, p->linear, p->found, tolerance,
                                        p->t.m->length, 0, &a, &error),
                     ROUTH_OK);
    return a;
}

static double radius(const pair *p)
{
    const routh_mode *last = &p->expected->modes[p->expected->n - 1];
    return hypot(last->eigenvalue[0], last->eigenvalue[1]);
}

/* The first mode of the copies that is not rigid. */
static routh_mode *first_mode(const pair *p) { return &p->found->modes[p->found->n_zero]; }

static void the_same_spectrum_agrees_exactly(void **state)
{
    (void)state;
    pair p;
    make(&p, "rotor-stator");
    const rt_agreement a = compare(&p);
    assert_int_equal(a.verdict, ROUTH_YES);
    assert_true(a.difference == 0 && a.margin == 0 && a.stated_error == 0);
    /* sums of 6 numbers a marker */
    assert_true(a.mac > 1 - 1e-13 && a.shape_margin < 1e-4);
    release(&p);
}

static void an_eigenvalue_off_by_more_than_the_tolerance_is_caught(void **state)
{
    (void)state;
    static const double offs[] = {0.5, 2, 1e4};
    for (int k = 0; k < 3; k++) {
        pair p;
        make(&p, "rotor-stator");
        routh_mode *mode = first_mode(&p);
        const double allowed = tolerance * radius(&p) * mode->condition;
        mode->eigenvalue[1] += offs[k] * allowed;
        const rt_agreement a = compare(&p);
        assert_int_equal(a.verdict, offs[k] <= 1 ? ROUTH_YES : ROUTH_NO);
        assert_true(fabs(a.margin / offs[k] - 1) < 1e-4);
        assert_true(fabs(a.difference * radius(&p) / (offs[k] * allowed) - 1) < 1e-4);
        assert_int_equal(a.worst, p.found->n_zero);
        release(&p);
    }
}

static void a_zero_that_is_none_is_caught(void **state)
{
    (void)state;
    pair p;
    make(&p, "rotor-stator");
    assert_true(p.found->n_zero == 2);
    p.found->modes[0].eigenvalue[0] = 1e-3;
    p.found->modes[0].rigid = 0;
    assert_int_equal(compare(&p).verdict, ROUTH_NO);
    release(&p);
}

static void a_number_that_is_none_is_caught(void **state)
{
    (void)state;
    pair p;
    make(&p, "slider-pendulum");
    p.found->modes[0].eigenvalue[0] = NAN;
    assert_int_equal(compare(&p).verdict, ROUTH_NO);
    release(&p);
}

static void another_number_of_eigenvalues_is_caught(void **state)
{
    (void)state;
    pair p;
    make(&p, "slider-pendulum");
    p.found->n--;
    assert_int_equal(compare(&p).verdict, ROUTH_NO);
    p.found->n++;
    release(&p);
}

static void the_order_of_modes_does_not_matter(void **state)
{
    (void)state;
    pair p;
    make(&p, "rotor-stator");
    for (int i = 0, j = p.found->n - 1; i < j; i++, j--) {
        const routh_mode mode = p.found->modes[i];
        p.found->modes[i] = p.found->modes[j], p.found->modes[j] = mode;
    }
    const rt_agreement a = compare(&p);
    assert_int_equal(a.verdict, ROUTH_YES);
    assert_true(a.difference == 0);
    release(&p);
}

static void a_wrong_shape_is_caught_and_a_turned_phase_is_not(void **state)
{
    (void)state;
    pair p;
    make(&p, "slider-pendulum");
    const int n = p.linear->n_states;
    double *shape = p.shapes; /* of mode 0: real parts, then imaginary parts */
    for (int k = 0; k < 2 * n; k++) shape[k] *= -3;
    assert_int_equal(compare(&p).verdict, ROUTH_YES);
    shape[0] += 1e-2 * fabs(shape[0]);
    const rt_agreement a = compare(&p);
    assert_int_equal(a.verdict, ROUTH_NO);
    assert_true(a.margin == 0 && a.shape_margin > 1 && a.mac < 1 - 1e-8);
    release(&p);
}

static void a_stated_error_is_allowed_and_no_more(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        pair p;
        make(&p, "slider-pendulum");
        routh_mode *mode = first_mode(&p);
        p.linear->error_estimate = 1e-5;
        mode->eigenvalue[1] += (k ? 1e-2 : 1e-5) * radius(&p);
        const rt_agreement a = compare(&p);
        assert_int_equal(a.verdict, k ? ROUTH_NO : ROUTH_YES);
        assert_true(a.stated_error >= 1e-5 && a.stated_error < 1e-2);
        release(&p);
    }
}

static void a_bound_that_is_too_wide_tells_nothing_unless_nothing_is_off(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        pair p;
        double re = 0, im = 0, bound = 0;
        make(&p, "slider-pendulum");
        routh_mode *mode = first_mode(&p);
        p.linear->n_bounds = 1; /* what is in the modes' bounds counts */
        p.linear->bound_re = &re, p.linear->bound_im = &im, p.linear->bound = &bound;
        mode->error_bound = 10 * radius(&p);
        mode->eigenvalue[1] += (k ? 1e-3 : 1e-9) * radius(&p);
        const rt_agreement a = compare(&p);
        assert_int_equal(a.verdict, k ? ROUTH_CANNOT_TELL : ROUTH_YES);
        assert_int_equal(a.doubt, k ? RT_LOOSE_BOUND : RT_NO_DOUBT);
        p.linear->n_bounds = 0;
        p.linear->bound_re = p.linear->bound_im = p.linear->bound = NULL;
        release(&p);
    }
}

/* y'' + 2 y' + (1 - e) y = 0 has the eigenvalues -1 +- sqrt(e), of condition 1 / sqrt(e). */
static void an_ill_conditioned_eigenvalue_cannot_be_told(void **state)
{
    (void)state;
    double A[2][4] = {{0, 1, -1 + 1e-17, -2}, {0, 1, -1 + 1e-11, -2}};
    routh_linear linear[2];
    routh_modes *modes[2];
    routh_error error;
    rt_agreement a;
    for (int k = 0; k < 2; k++) {
        linear[k] = (routh_linear){.n_position = 1, .n_velocity = 1, .n_states = 2, .A = A[k]};
        assert_int_equal(routh_modes_compute(&modes[k], &linear[k], &error), ROUTH_OK);
    }
    assert_int_equal(
        rt_compare_spectra(&linear[0], modes[0], &linear[1], modes[1], tolerance, 1, 0, &a, &error),
        ROUTH_OK);
    assert_int_equal(a.verdict, ROUTH_CANNOT_TELL);
    assert_int_equal(a.doubt, RT_ILL_CONDITIONED);
    assert_true(fabs(a.difference - sqrt(1e-11)) < 1e-7);
    for (int k = 0; k < 2; k++) routh_modes_free(modes[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_spectrum_agrees_exactly),
        cmocka_unit_test(an_eigenvalue_off_by_more_than_the_tolerance_is_caught),
        cmocka_unit_test(a_zero_that_is_none_is_caught),
        cmocka_unit_test(a_number_that_is_none_is_caught),
        cmocka_unit_test(another_number_of_eigenvalues_is_caught),
        cmocka_unit_test(the_order_of_modes_does_not_matter),
        cmocka_unit_test(a_wrong_shape_is_caught_and_a_turned_phase_is_not),
        cmocka_unit_test(a_stated_error_is_allowed_and_no_more),
        cmocka_unit_test(a_bound_that_is_too_wide_tells_nothing_unless_nothing_is_off),
        cmocka_unit_test(an_ill_conditioned_eigenvalue_cannot_be_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
