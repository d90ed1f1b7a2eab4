/* The two functions of a section and their derivatives, against the exponentials in long double:
 * where a pair is well apart, where it is nearly double, and where it is double. */
#include <math.h>

#include "answers/identify_parts.h"
#include "answers/signals.h"

/* exp(mu t) cosh(sqrt(delta) t) and exp(mu t) sinh(sqrt(delta) t)/sqrt(delta) by their series. */
static void series(long double mu, long double delta, long double t, long double value[2])
{
    long double term = 1, x = delta * t * t, C = 0, S = 0;
    for (int k = 0; k < 120; k++) {
        C += term;
        S += term / (2 * k + 1);
        term *= x / ((2 * k + 1) * (long double)(2 * k + 2));
    }
    value[0] = expl(mu * t) * C, value[1] = expl(mu * t) * t * S;
}

static void functions_and_slopes_are_right_through_a_double_pole(void **unused)
{
    (void)unused;
    static const double deltas[] = {-30, -1.0001, -0.9999, -0.1, -1e-8, 0, 1e-12, 0.3, 1.1, 9};
    for (int k = 0; k < 10; k++)
        for (int j = 0; j < 4; j++) {
            const double t = 0.4 + 0.6 * j, mu = -0.7;
            const rt_sampled_section s = {2, mu, deltas[k]};
            long double at[2], up[2], down[2], mu_up[2], mu_down[2];
            const long double h = 1e-5L;
            double value[2], slope[4];
            rt_section_basis(&s, t, value, slope);
            series(mu, deltas[k], t, at);
            series(mu, deltas[k] + h, t, up), series(mu, deltas[k] - h, t, down);
            series(mu + h, deltas[k], t, mu_up), series(mu - h, deltas[k], t, mu_down);
            for (int i = 0; i < 2; i++) {
                assert_true(fabsl(value[i] - at[i]) < 1e-13L * (1 + fabsl(at[i])));
                const long double by_mu = (mu_up[i] - mu_down[i]) / (2 * h);
                const long double by_delta = (up[i] - down[i]) / (2 * h);
                assert_true(fabsl(slope[2 * i] - by_mu) < 1e-8L * (1 + fabsl(by_mu)));
                assert_true(fabsl(slope[2 * i + 1] - by_delta) < 1e-8L * (1 + fabsl(by_delta)));
            }
        }
}

static void a_thinned_record_holds_the_same_exponentials(void **unused)
{
    (void)unused;
    const truth mode = {-0.8, 9, 1};
    rt_sampled_record r = make_record(&mode, 1, 1, 2, 3000, 0.002, 0, 9);
    rt_arena arena = {0};
    rt_thinned t;
    routh_error error;
    const double one[2] = {1, 1};
    assert_int_equal(rt_thin_out(&t, &r, one, 3000, 12, &arena, &error), ROUTH_OK);
    /* y_(k+1) = 2 Re(z) y_k - |z|^2 y_(k-1) */
    const double h = t.record.step, z = exp(mode.re * h), *y = t.record.y;
    assert_true(t.record.n_samples > 100);
    for (int k = 1; k + 1 < t.record.n_samples; k++)
        assert_true(fabs(y[k + 1] - 2 * z * cos(mode.im * h) * y[k] + z * z * y[k - 1]) < 1e-14);
    rt_arena_free(&arena);
    release_record(&r);
}

/* What would fold into the band is stopped. */
static void what_is_too_fast_is_left_out(void **unused)
{
    (void)unused;
    const double step = 0.001, fold = 6.28318530717958647692 / (20 * step);
    for (int k = 0; k < 5; k++) {
        const truth mode = {0, fold * (0.64 + 1.7 * k), 1}; /* folds to 0.36 of the new rate */
        rt_sampled_record r = make_record(&mode, 1, 1, 1, 4000, step, 0, 9);
        rt_arena arena = {0};
        rt_thinned t;
        routh_error error;
        const double one = 1;
        assert_int_equal(rt_thin_out(&t, &r, &one, 4000, 20, &arena, &error), ROUTH_OK);
        for (int i = 0; i < t.record.n_samples; i++) assert_true(fabs(t.record.y[i]) < 2e-7);
        rt_arena_free(&arena);
        release_record(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_and_slopes_are_right_through_a_double_pole),
        cmocka_unit_test(a_thinned_record_holds_the_same_exponentials),
        cmocka_unit_test(what_is_too_fast_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
