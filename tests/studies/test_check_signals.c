/* Tests of check/signals: inputs and outputs of two linear models in the same states. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "studies/check.h"

enum { N = 2, IN = 2, OUT = 1 };

/* x'' = -9 x - 0.1 x' + in0 + 2 in1'', out = 5 x' + 3 in0, lengths and time in other units */
typedef struct system_ {
    double A[N * N], B[N * IN], B1[N * IN], B2[N * IN], C[OUT * N], D[OUT * IN], D1[OUT * IN],
        D2[OUT * IN];
    routh_linear linear;
} system_;

static void make(system_ *s, double meter, double second)
{
    memset(s, 0, sizeof *s);
    s->A[1] = 1;
    s->A[2] = -9 / second / second, s->A[3] = -0.1 / second;
    s->B[2] = 1 * meter / second / second, s->B2[3] = 2 * meter;
    s->C[1] = 5;
    s->D[0] = 3 * meter / second;
    s->linear = (routh_linear){.n_position = 1,
                               .n_velocity = 1,
                               .n_states = N,
                               .A = s->A,
                               .n_inputs = IN,
                               .n_outputs = OUT,
                               .B = s->B,
                               .B1 = s->B1,
                               .B2 = s->B2,
                               .C = s->C,
                               .D = s->D,
                               .D1 = s->D1,
                               .D2 = s->D2};
}

static double compare(const system_ *a, const system_ *b)
{
    double difference = NAN;
    assert_int_equal(rt_compare_signals(&a->linear, &b->linear, &difference, NULL), ROUTH_OK);
    return difference;
}

/* Each entry that is wrong by a part in 1e5 shows as about that, in any units; one that should be
 * zero and is rounding does not. */
static void a_wrong_entry_shows_in_any_units(void **state)
{
    (void)state;
    const double units[] = {1, 1e-3, 1e4};
    for (int m = 0; m < 3; m++)
        for (int t = 0; t < 3; t++) {
            system_ a, b;
            make(&a, units[m], units[t]);
            make(&b, units[m], units[t]);
            assert_true(compare(&a, &b) == 0);
            double *const entries[] = {&b.B[2], &b.B2[3], &b.C[1], &b.D[0]};
            for (int k = 0; k < 4; k++) {
                const double before = *entries[k];
                *entries[k] *= 1 + 1e-5;
                const double off = compare(&a, &b);
                assert_true(off > 1e-6 && off <= 1.0001e-5);
                *entries[k] = before;
            }
            b.B1[2] = 1e-16 * b.B[2] * units[t];
            assert_true(compare(&a, &b) < 1e-14);
            b.C[1] = NAN;
            assert_true(!(compare(&a, &b) < 1));
        }
}

/* An output that does not move to first order: its row is rounding in both, which another output of
 * its unit shows. Of another unit, it could be that small. */
static void a_row_of_rounding_is_known_by_its_unit(void **state)
{
    (void)state;
    routh_signal_name outputs[2] = {{"speed", "m/s", 0, 0}, {"still", "m/s", 0, 0}};
    const double C[4] = {0, 5, 0, 1.4e-17}, other[4] = {0, 5, 0, -3e-17}, wrong[4] = {0, 5, 0, 1};
    system_ a, b;
    make(&a, 1, 1), make(&b, 1, 1);
    a.linear.n_outputs = b.linear.n_outputs = 2;
    a.linear.outputs = b.linear.outputs = outputs;
    a.linear.D = b.linear.D = a.linear.D1 = b.linear.D1 = a.linear.D2 = b.linear.D2 = NULL;
    a.linear.C = (double *)C, b.linear.C = (double *)other;
    assert_true(compare(&a, &b) < 1e-14);
    b.linear.C = (double *)wrong;
    assert_true(compare(&a, &b) > 0.1);
    b.linear.C = (double *)other;
    outputs[1].unit = "rad/s";
    assert_true(compare(&a, &b) > 0.1);
}

static void other_signals_do_not_agree(void **state)
{
    (void)state;
    system_ a, b;
    make(&a, 1, 1), make(&b, 1, 1);
    b.linear.n_outputs = 0;
    assert_true(isinf(compare(&a, &b)));
    /* a matrix that is not there is zero */
    make(&b, 1, 1);
    b.linear.B1 = b.linear.D1 = b.linear.D2 = NULL;
    assert_true(compare(&a, &b) == 0);
    b.linear.B = NULL;
    assert_true(compare(&a, &b) > 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_entry_shows_in_any_units),
        cmocka_unit_test(a_row_of_rounding_is_known_by_its_unit),
        cmocka_unit_test(other_signals_do_not_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
