/* Tests of studies/sweep_order: branches written out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "studies/sweep_line.h"

enum { POINTS = 3 };

/* Orders two branches that are equal at the first two values and x, y at the third: that which is
 * the first one then is to have the third value `first`. */
static void check_order(const double x[2], const double y[2], const double first[2])
{
    double at[POINTS][2][2] = {
        {{-1, 5}, {-1, 5}}, {{-2, 6}, {-2, 6}}, {{x[0], x[1]}, {y[0], y[1]}}};
    double bounds[POINTS][2] = {{0}};
    int partner[POINTS][2], rigid[POINTS][2] = {{0}};
    routh_sweep_point points[POINTS] = {{0}};
    routh_sweep_event event = {.branch = {0, 1}};
    routh_error error = {0};
    for (int k = 0; k < POINTS; k++) {
        partner[k][0] = 0, partner[k][1] = 1;
        points[k] = (routh_sweep_point){.n = 2,
                                        .eigenvalues = at[k],
                                        .bounds = bounds[k],
                                        .partner = partner[k],
                                        .rigid = rigid[k]};
    }
    routh_sweep_line line = {
        .n_branches = 2, .n_points = POINTS, .points = points, .n_events = 1, .events = &event};
    assert_int_equal(rt_line_order(&line, 0, &error), ROUTH_OK);
    assert_true(at[2][0][0] == first[0] && at[2][0][1] == first[1]);
    assert_int_equal(event.branch[0], x == first ? 0 : 1);
    assert_int_equal(event.branch[1], x == first ? 1 : 0);
}

static void branches_that_part_are_in_order_of_frequency_and_then_of_decay(void **state)
{
    (void)state;
    static const double slow[2] = {-1, 7}, fast[2] = {-3, 8}, below[2] = {-1, -7.5},
                        steep[2] = {-4, 7};
    check_order(slow, fast, slow);
    check_order(fast, slow, slow);
    check_order(below, fast, below);
    check_order(fast, below, below);
    check_order(slow, steep, steep);
    check_order(steep, slow, steep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_that_part_are_in_order_of_frequency_and_then_of_decay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
