/* The assignment is as cheap as the cheapest of all permutations. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/assignment.h"
#include "support/random_frames.h"

enum { MOST = 6 };

static double cheapest(int n, const double *cost, int row, unsigned taken)
{
    double best = INFINITY;
    if (row == n) return 0;
    for (int j = 0; j < n; j++)
        if (!(taken >> j & 1))
            best = fmin(best, cost[row * n + j] + cheapest(n, cost, row + 1, taken | 1u << j));
    return best;
}

static void check(int n, const double *cost)
{
    double work[3 * (MOST + 1)], sum = 0;
    int partner[MOST], places[3 * (MOST + 1)];
    unsigned taken = 0;
    rt_assign(n, cost, partner, work, places);
    for (int i = 0; i < n; i++) {
        assert_in_range(partner[i], 0, n - 1);
        assert_false(taken >> partner[i] & 1);
        taken |= 1u << partner[i];
        sum += cost[i * n + partner[i]];
    }
    /* sums of at most 6 numbers below 1 */
    assert_true(fabs(sum - cheapest(n, cost, 0, 0)) <= 1e-14);
}

static void the_sum_of_costs_is_least(void **state)
{
    (void)state;
    random_stream random = {7};
    for (int k = 0; k < 300; k++) {
        double cost[MOST * MOST];
        for (int i = 0; i < MOST * MOST; i++) cost[i] = fabs(random_real(&random));
        check(k % (MOST + 1), cost);
    }
}

static void equal_costs_are_no_trouble(void **state)
{
    (void)state;
    const double same[16] = {0};
    const double chain[9] = {0, 1, 2, 1, 0, 1, 2, 1, 0};
    check(4, same);
    check(3, chain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sum_of_costs_is_least),
        cmocka_unit_test(equal_costs_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
