#include <math.h>
#include <stdio.h>

#include "answers/signals.h"

static const double two_pi = 6.28318530717958647692;

static rt_sampled_spectrum spectrum_of(const rt_sampled_record *record, double floor,
                                       rt_arena *arena)
{
    rt_sampled_spectrum s;
    routh_error error = {0};
    if (rt_spectrum_find(&s, record, floor, arena, &error)) fail_msg("%s", error.message);
    return s;
}

static void peaks_lie_within_the_resolution(void **unused)
{
    (void)unused;
    static const double hertz[] = {0.73, 1.9, 2.31, 7.77, 12.4};
    truth modes[5];
    for (int k = 0; k < 5; k++) modes[k] = (truth){-0.02, two_pi * hertz[k], 1};
    rt_sampled_record r = make_record(modes, 5, 2, 3, 2000, 0.01, 0, 3);
    rt_arena arena = {0};
    const rt_sampled_spectrum s = spectrum_of(&r, 0.02, &arena);
    assert_int_equal(s.n_peaks, 5);
    assert_float_equal(s.resolution, 0.05, 1e-12);
    for (int k = 0; k < 5; k++) {
        print_message("    %.2f Hz: off by %.4f of the resolution\n", hertz[k],
                      (s.peaks[k].frequency - hertz[k]) / s.resolution);
        assert_true(fabs(s.peaks[k].frequency - hertz[k]) < s.resolution);
    }
    rt_arena_free(&arena);
    release_record(&r);
}

/* Between lines as well as on them: Grandke's interpolation is exact for one sine, up to what the
 * other side of the spectrum leaks. */
static void a_sine_shows_with_its_frequency_and_amplitude(void **unused)
{
    (void)unused;
    for (int k = 0; k <= 10; k++) {
        const double f = (100 + 0.1 * k) / 20;
        double y[4000];
        for (int j = 0; j < 4000; j++) y[j] = 3 * cos(two_pi * f * j * 0.005 + 0.3);
        const rt_sampled_record r = {1, 1, 4000, 0.005, y};
        rt_arena arena = {0};
        const rt_sampled_spectrum s = spectrum_of(&r, 0.1, &arena);
        assert_int_equal(s.n_peaks, 1);
        assert_true(fabs(s.peaks[0].frequency - f) < 1e-4 * s.resolution);
        assert_true(fabs(s.peaks[0].amplitude - 3.0 / 3.0) < 1e-3); /* in its largest value */
        rt_arena_free(&arena);
    }
}

static void what_is_no_record_is_refused(void **unused)
{
    (void)unused;
    double y[16] = {0};
    rt_arena arena = {0};
    rt_sampled_spectrum s;
    routh_error error;
    const rt_sampled_record few = {1, 1, 7, 0.1, y}, still = {1, 1, 16, 0, y};
    assert_int_equal(rt_spectrum_find(&s, &few, 0.1, &arena, &error), ROUTH_BAD_ARGUMENT);
    assert_int_equal(rt_spectrum_find(&s, &still, 0.1, &arena, &error), ROUTH_BAD_ARGUMENT);
    y[3] = NAN;
    const rt_sampled_record broken = {1, 1, 16, 0.1, y};
    assert_int_equal(rt_spectrum_find(&s, &broken, 0.1, &arena, &error), ROUTH_BAD_ARGUMENT);
    assert_string_equal(error.message, "sample 4 of the record is no number");
    rt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peaks_lie_within_the_resolution),
        cmocka_unit_test(a_sine_shows_with_its_frequency_and_amplitude),
        cmocka_unit_test(what_is_no_record_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
