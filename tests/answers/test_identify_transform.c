/* Every transform against the sum itself in long double, and against each other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/signals.h"
#include "answers/identify_transform.h"

static const long double pi_l = 3.14159265358979323846264338327950288L;
static const int lengths[] = {1, 2, 3, 4, 5, 7, 8, 12, 30, 64, 97, 100, 128, 255, 360, 509, 512};
enum { N_LENGTHS = sizeof lengths / sizeof *lengths, MOST = 512, LONG = 20000 };

static void run(const rt_transform *transform, int n, const double *x, double *re, double *im)
{
    void *plan;
    routh_error error;
    assert_int_equal(transform->create(&plan, n, &error), ROUTH_OK);
    transform->run(plan, x, re, im);
    transform->release(plan);
}

static void fill(int n, double *x, uint64_t state)
{
    for (int k = 0; k < n; k++) x[k] = random_sample(&state);
}

static void all_transforms_are_the_sum(void **unused)
{
    (void)unused;
    for (int l = 0; l < N_LENGTHS; l++) {
        const int n = lengths[l];
        double x[MOST], re[MOST], im[MOST];
        fill(n, x, 77 + (uint64_t)n);
        for (int t = 0; rt_transforms[t]; t++) {
            run(rt_transforms[t], n, x, re, im);
            for (int k = 0; k <= n / 2; k++) {
                long double c = 0, s = 0, size = 0;
                for (int j = 0; j < n; j++) {
                    const long double angle = 2 * pi_l * (long double)(j * k % n) / n;
                    c += x[j] * cosl(angle), s -= x[j] * sinl(angle);
                    size += (long double)(x[j] * x[j]);
                }
                const double off = (double)hypotl(re[k] - c, im[k] - s);
                if (!(off <= 1e-14 * sqrt((double)(size * n))))
                    fail_msg("%s, length %d, line %d: off by %g", rt_transforms[t]->name, n, k,
                             off);
            }
        }
    }
}

static void transforms_agree_on_long_records(void **unused)
{
    (void)unused;
    static double x[LONG], re[2][LONG], im[2][LONG];
    const int n = LONG - 1;
    fill(n, x, 5);
    run(rt_transforms[0], n, x, re[0], im[0]);
    double largest = 0, energy = 0, sum = 0;
    for (int k = 0; k <= n / 2; k++) {
        largest = fmax(largest, hypot(re[0][k], im[0][k]));
        sum += (k ? 2 : 1) * (re[0][k] * re[0][k] + im[0][k] * im[0][k]);
    }
    for (int k = 0; k < n; k++) energy += x[k] * x[k];
    assert_true(fabs(sum / n - energy) < 1e-12 * energy); /* Parseval; n is odd */
    for (int t = 1; rt_transforms[t]; t++) {
        run(rt_transforms[t], n, x, re[1], im[1]);
        double worst = 0;
        for (int k = 0; k <= n / 2; k++)
            worst = fmax(worst, hypot(re[0][k] - re[1][k], im[0][k] - im[1][k]));
        print_message("    %s and %s: %.1e\n", rt_transforms[0]->name, rt_transforms[t]->name,
                      worst / largest);
        assert_true(worst < 1e-13 * largest);
    }
}

static void a_record_without_samples_is_refused(void **unused)
{
    (void)unused;
    void *plan;
    routh_error error;
    assert_int_equal(rt_transform_own.create(&plan, 0, &error), ROUTH_BAD_ARGUMENT);
    assert_null(plan);
    rt_transform_own.release(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_transforms_are_the_sum),
        cmocka_unit_test(transforms_agree_on_long_records),
        cmocka_unit_test(a_record_without_samples_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
