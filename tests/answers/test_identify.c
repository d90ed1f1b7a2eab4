/* Modes back from responses that were made of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "answers/signals.h"
#include "support/effort.h"

static void say(const rt_identified *found)
{
    for (int w = 0; w < found->n_windows; w++)
        print_message("    window %d: %g s by %g s, order %d, residual %.1e\n", w,
                      found->windows[w].duration, found->windows[w].step, found->windows[w].order,
                      found->windows[w].residual);
    for (int k = 0; k < found->n_modes; k++) {
        const rt_found_mode *m = &found->modes[k];
        print_message("    %12.6g +- %.1e  %12.6g +- %.1e  size %.1e, %d orders, window %d\n",
                      m->re, m->sd_re, m->im, m->sd_im, m->size, m->n_orders, m->window);
    }
}

/* All of them are found to that part of |s| (of `rate`, where larger), and no more. */
static void assert_found(const rt_identified *found, const truth *modes, int n, double part,
                         double rate)
{
    double worst = 0;
    for (int k = 0; k < n; k++) {
        const rt_found_mode *m = nearest(found, &modes[k]);
        if (!m) fail_msg("nothing was found");
        const double size = fmax(hypot(modes[k].re, modes[k].im), rate);
        worst = fmax(worst, hypot(m->re - modes[k].re, m->im - modes[k].im) / size);
    }
    print_message("    worst %.1e of %d, found %d\n", worst, n, found->n_modes);
    if (!(worst < part) || found->n_modes != n) say(found);
    assert_true(worst < part);
    assert_int_equal(found->n_modes, n);
}

static void check(const truth *modes, int n, int n_runs, int n_channels, int n_samples, double step,
                  double noise, double part, double rate)
{
    rt_sampled_record r = make_record(modes, n, n_runs, n_channels, n_samples, step, noise, 42);
    rt_arena arena = {0};
    const rt_identified found = identify(&r, &arena);
    assert_found(&found, modes, n, part, rate);
    rt_arena_free(&arena);
    release_record(&r);
}

static void sums_of_exponentials_come_back(void **unused)
{
    (void)unused;
    const truth one[] = {{-0.1, 3, 1}};
    const truth seven[] = {{-0.01, 1.1, 1}, {-0.02, 2.6, 1}, {-0.1, 4.2, 1},  {-0.05, 5.9, 1},
                           {-0.3, 8, 1},    {-0.2, 10, 1},   {-0.02, 12.3, 1}};
    const truth mixed[] = {{-0.4, 0, 1}, {-1.5, 0, 1}, {-0.2, 2, 1}, {-0.9, 6, 1}};
    check(one, 1, 1, 1, 100, 0.1, 0, 1e-11, 0);
    check(seven, 7, 1, 1, 400, 0.1, 0, 1e-9, 0);
    check(seven, 7, 1, 5, 400, 0.1, 0, 1e-9, 0);
    check(seven, 7, 1, 40, 400, 0.1, 0, 1e-9, 0);
    check(mixed, 4, 1, 3, 200, 0.05, 0, 1e-9, 0);
}

static void many_modes_come_back(void **unused)
{
    (void)unused;
    truth modes[20];
    for (int k = 0; k < 20; k++) modes[k] = (truth){-0.01 * (k + 1), 1 + 0.7 * k, 1};
    check(modes, 20, 1, 6, 480, 0.12, 0, 1e-9, 0);
}

static void close_pairs_are_told_apart(void **unused)
{
    (void)unused;
    const truth pair[] = {{-0.02, 5, 1}, {-0.03, 5.01, 1}};
    check(pair, 2, 1, 1, 400, 0.1, 0, 1e-9, 0); /* a fifteenth of a line apart, free of noise */
    const truth wider[] = {{-0.02, 5, 1}, {-0.03, 5.1, 1}};
    check(wider, 2, 1, 4, 400, 0.1, 1e-6, 1e-5, 0);
}

/* Two motions of one frequency: one response cannot tell, two can. */
static void repeated_frequencies_show_in_several_runs(void **unused)
{
    (void)unused;
    const truth modes[] = {{-0.05, 3, 1}, {-0.02, 5, 1}};
    for (int with_noise = 0; with_noise < 2; with_noise++)
        for (int runs = 1; runs <= 3; runs++) {
            const double noise = with_noise ? 1e-5 : 0;
            const truth twice[] = {modes[0], modes[1]};
            rt_sampled_record r = make_record(twice, 1, 1, 1, 16, 1, 0, 1); /* to be replaced */
            release_record(&r);
            /* mode 0 with random amplitudes in every run: two motions; mode 1 with one shape */
            r = make_record(twice, 1, runs, 4, 300, 0.1, noise, 7);
            rt_sampled_record other = make_record(&modes[1], 1, 1, 4, 300, 0.1, 0, 8);
            double *y = malloc((size_t)(runs * 4 * 300) * sizeof *y);
            for (int run = 0; run < runs; run++)
                for (int k = 0; k < 4 * 300; k++)
                    y[run * 1200 + k] = r.y[run * 1200 + k] + (run + 1) * other.y[k];
            rt_sampled_record sum = {runs, 4, 300, 0.1, y};
            rt_arena arena = {0};
            const rt_identified found = identify(&sum, &arena);
            assert_found(&found, modes, 2, with_noise ? 1e-4 : 1e-9, 0);
            assert_int_equal(nearest(&found, &modes[0])->copies, runs);
            assert_int_equal(nearest(&found, &modes[1])->copies, 1);
            rt_arena_free(&arena);
            release_record(&r);
            release_record(&other);
            release_record(&sum);
        }
}

/* A body that drifts: c0 + c1 t beside two modes; a double zero is known to the root of rounding
 * only, which its bars must say. */
static void drift_is_a_double_zero(void **unused)
{
    (void)unused;
    const truth modes[] = {{-0.05, 3, 1}, {-0.02, 7, 1}};
    for (int k = 0; k < 3; k++) {
        static const double noise[] = {0, 1e-8, 1e-4};
        rt_sampled_record r = make_record(modes, 2, 1, 3, 400, 0.05, noise[k], 17);
        double *y = (double *)(uintptr_t)r.y;
        for (int c = 0; c < 3; c++)
            for (int j = 0; j < 400; j++)
                y[c * 400 + j] += 0.3 * c - 0.2 + (0.1 + 0.1 * c) * j * 0.05;
        rt_arena arena = {0};
        const rt_identified found = identify(&r, &arena);
        print_message("    noise %g\n", noise[k]);
        say(&found);
        for (int i = 0; i < 2; i++) {
            const rt_found_mode *m = nearest(&found, &modes[i]);
            assert_true(hypot(m->re - modes[i].re, m->im - modes[i].im) < 1e-9 + 10 * noise[k]);
        }
        int slow = 0;
        for (int i = 0; i < found.n_modes; i++) {
            const rt_found_mode *m = &found.modes[i];
            if (hypot(m->re, m->im) > 1) continue;
            slow += m->im > 0 ? 2 : 1;
            assert_true(hypot(m->re, m->im) < 6 * (m->sd_re + m->sd_im) + 1e-9);
            assert_true(hypot(m->re, m->im) < 0.2);
        }
        assert_int_equal(slow, 2);
        rt_arena_free(&arena);
        release_record(&r);
    }
}

/* Whatever the sizes: with 1 to 8 modes, 1 to 30 channels, 1 to 3 runs. */
static void random_records_give_their_modes_back(void **unused)
{
    (void)unused;
    uint64_t state = 99;
    double worst = 0;
    for (uint64_t record = 1; record <= (uint64_t)with_effort(20); record++) {
        const int n = 1 + (int)(record % 8), channels = 1 + (int)(record * 7 % 30);
        truth modes[8];
        for (int k = 0; k < n; k++)
            modes[k] = (truth){-0.02 - 0.02 * (k + 1) * (1 + random_sample(&state)),
                               1 + 0.9 * k + 0.3 * random_sample(&state), 1};
        rt_sampled_record r =
            make_record(modes, n, 1 + (int)(record % 3), channels, 300, 0.15, 0, record);
        rt_arena arena = {0};
        const rt_identified found = identify(&r, &arena);
        assert_int_equal(found.n_modes, n);
        for (int k = 0; k < n; k++) {
            const rt_found_mode *m = nearest(&found, &modes[k]);
            worst = fmax(worst, hypot(m->re - modes[k].re, m->im - modes[k].im));
        }
        rt_arena_free(&arena);
        release_record(&r);
    }
    print_message("    worst %.1e\n", worst);
    assert_true(worst < 1e-9);
}

/* Modes over four decades in one record that is sampled for the fastest of them. */
static void slow_and_fast_modes_come_back_from_one_record(void **unused)
{
    (void)unused;
    const truth modes[] = {
        {-0.02, 0.5, 1}, {-0.1, 2.2, 1}, {-1, 31, 1}, {-20, 420, 1}, {-500, 2800, 1}};
    check(modes, 5, 1, 3, 120000, 0.0005, 0, 1e-9, 0);
}

static void heavily_damped_modes_come_back(void **unused)
{
    (void)unused;
    const truth modes[] = {{-3, 4, 1}, {-2.5, 0, 1}, {-0.5, 7, 1}};
    check(modes, 3, 1, 3, 200, 0.05, 0, 1e-9, 0);
    check(modes, 3, 1, 3, 20000, 0.0005, 0, 1e-9, 0); /* sampled far too fast */
}

static void growing_modes_come_back(void **unused)
{
    (void)unused;
    const truth modes[] = {{0.3, 2, 1}, {-0.1, 5, 1}, {0.2, 0, 1}};
    check(modes, 3, 1, 2, 200, 0.05, 0, 1e-9, 0);
}

/* Standard deviations are what they say: of many records with noise, about 68 % of the truths lie
 * within one and about 95 % within two. */
static void deviations_cover_the_truth_as_often_as_they_say(void **unused)
{
    (void)unused;
    const truth modes[] = {{-0.05, 2, 1}, {-0.2, 3.1, 1}, {-0.7, 6, 1}, {-1.2, 0, 1}};
    const int n_records = with_effort(20);
    static const double noises[] = {1e-6, 1e-2};
    for (int level = 0; level < 2; level++) {
        int within[2] = {0}, n = 0;
        for (int record = 0; record < n_records; record++) {
            rt_sampled_record r = make_record(modes, 4, 1, 2, 200, 0.1, noises[level],
                                              (uint64_t)(1000 * level + record + 1));
            rt_arena arena = {0};
            const rt_identified found = identify(&r, &arena);
            for (int k = 0; k < 4; k++) {
                const rt_found_mode *m = nearest(&found, &modes[k]);
                const double off[2] = {fabs(m->re - modes[k].re) / m->sd_re,
                                       modes[k].im > 0 ? fabs(m->im - modes[k].im) / m->sd_im
                                                       : NAN};
                for (int i = 0; i < (modes[k].im > 0 ? 2 : 1); i++) {
                    n++;
                    within[0] += off[i] < 1, within[1] += off[i] < 2;
                }
            }
            rt_arena_free(&arena);
            release_record(&r);
        }
        const double one = within[0] / (double)n, two = within[1] / (double)n;
        print_message("    noise %g: %.3f within one, %.3f within two, of %d\n", noises[level], one,
                      two, n);
        /* the deviation of a share p of n is sqrt(p (1 - p)/n); four of them */
        assert_true(fabs(one - 0.683) < 4 * sqrt(0.683 * 0.317 / n));
        assert_true(fabs(two - 0.954) < 4 * sqrt(0.954 * 0.046 / n));
    }
}

static void noise_alone_has_no_modes(void **unused)
{
    (void)unused;
    int n = 0;
    for (uint64_t k = 1; k <= 20; k++) {
        rt_sampled_record r = make_record(NULL, 0, 1, 2, 300, 0.1, 1, k);
        rt_arena arena = {0};
        n += identify(&r, &arena).n_modes;
        rt_arena_free(&arena);
        release_record(&r);
    }
    print_message("    %d in 20 records\n", n);
    assert_true(n <= 1);
}

static void nothing_has_no_modes(void **unused)
{
    (void)unused;
    double y[64] = {0};
    const rt_sampled_record r = {1, 1, 64, 0.1, y};
    rt_arena arena = {0};
    rt_identified found = identify(&r, &arena);
    assert_int_equal(found.n_modes, 0);
    const rt_sampled_record few = {1, 1, 15, 0.1, y};
    routh_error error;
    assert_int_equal(rt_identify(&found, &few, NULL, &arena, &error), ROUTH_BAD_ARGUMENT);
    rt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_exponentials_come_back),
        cmocka_unit_test(many_modes_come_back),
        cmocka_unit_test(close_pairs_are_told_apart),
        cmocka_unit_test(repeated_frequencies_show_in_several_runs),
        cmocka_unit_test(drift_is_a_double_zero),
        cmocka_unit_test(random_records_give_their_modes_back),
        cmocka_unit_test(slow_and_fast_modes_come_back_from_one_record),
        cmocka_unit_test(heavily_damped_modes_come_back),
        cmocka_unit_test(growing_modes_come_back),
        cmocka_unit_test(deviations_cover_the_truth_as_often_as_they_say),
        cmocka_unit_test(noise_alone_has_no_modes),
        cmocka_unit_test(nothing_has_no_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
