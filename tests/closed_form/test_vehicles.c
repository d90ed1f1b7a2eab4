/* The vehicles among the examples against what is known of them in closed form, in every coordinate
 * set by every exact method. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "closed_form/whole_model.h"

/* ---- the twist axle ------------------------------------------------------------------------- */

/* Both halves turn by w about y at their pivots, alike in bounce, against each other in roll. In
 * roll the beam's middle, a behind the pivots and b from each, must not rise, so each half leans by
 * p = (a/b) w about x besides: a point x behind its pivot and y outside of it rises x w + y p. Of
 * one side,
 *     M = m (rise of the centre of mass)^2 + Iyy + Ixx p^2,
 *     K = k (rise of the seat)^2 + t (rise of the hub)^2, and in roll 2 times the beam's stiffness
 * with w = 1, C as K. Without load and gravity there is nothing else. */
static void side_roots(double p, double twist, root roots[2])
{
    const double weight = 0.38 + p * (0.66 - 0.55), hub = 0.42 + p * (0.73 - 0.55), seat = 0.36;
    const double M = 38 * weight * weight + 1.4 + 0.9 * p * p;
    const double C = 1200 * seat * seat + 100 * hub * hub;
    const double K = 2.2e4 * seat * seat + 2e5 * hub * hub + 2 * twist;
    polynomial_roots((root[]){K, C, M}, 2, roots);
}

static void a_twist_axle_bounces_and_rolls(void **state)
{
    (void)state;
    root expected[4];
    whole_way way = {.n_settings = 2, .settings = {{"g", "0"}, {"load", "0"}}};
    side_roots(0, 0, expected);
    side_roots(0.18 / 0.55, 4000, expected + 2);
    for (int k = 0; whole_next_way(&k, &way);) {
        char what[160];
        whole found = whole_read("examples/twist-axle.yaml", &way);
        snprintf(what, sizeof what, "%s, %s", way.coordinates, way.method);
        whole_assert_whole_spectrum(what, found.modes, expected, 4, 1e-9);
        if (!strcmp(way.coordinates, "absolute")) assert_int_equal(found.point->n_redundant, 1);
        whole_release(&found);
    }
}

/* ---- tractor and semi-trailer --------------------------------------------------------------- */

/* 19 degrees of freedom and 10 slips. Straight on, two tyres of an axle slip alike, so that half
 * the difference of their slips z goes on by itself, l z' = -V z; four zeros: where it is, its
 * heading (with the way aside that comes of it), and its speed. */
static void a_truck_drives_straight_on(void **state)
{
    (void)state;
    const double V = 50 * 1609.344 / 3600;
    whole_way way = {.n_settings = 1, .settings = {{"relaxation", "0.5"}}};
    for (int k = 0; whole_next_way(&k, &way);) {
        int alone = 0;
        whole found = whole_read("examples/tractor-semitrailer.yaml", &way);
        assert_int_equal(found.point->degrees_of_freedom, 19);
        assert_int_equal(found.modes->n, 2 * 19 + 10);
        assert_int_equal(found.modes->n_zero, 4);
        assert_true(found.linear->steady && found.linear->residual < 1e-12);
        for (int i = 0; i < found.modes->n; i++) {
            const double *value = found.modes->modes[i].eigenvalue;
            alone += hypot(value[0] + V / 0.5, value[1]) < 1e-8 * V;
        }
        assert_int_equal(alone, 5);
        whole_release(&found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_twist_axle_bounces_and_rolls),
        cmocka_unit_test(a_truck_drives_straight_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
