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
        assert_int_equal(found.point->n_redundant, 0);
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

static double signal_of(const routh_operating_point *point, const char *name)
{
    for (int k = 0; k < point->n_signals; k++)
        if (!strcmp(point->signals[k].name, name)) return point->signals[k].value;
    fail_msg("there is no signal %s", name);
    return 0;
}

/* What one tyre takes and gives: its force and torque on the moving wheel. With the axle e, x its
 * heading, the wheel's centre h above the road moving with v and turning with W n,
 *     F_y = C z,   b_y = -(x.v) z,   b_x = x.v - W (h/s) e3,   M_z = -0.05 F_y. */
static double power_of(const routh_operating_point *point, const char *tyre, const char *name,
                       double aside, double stiffness, double drive)
{
    int b = 0;
    char signal[96];
    while (strcmp(point->bodies[b].name, name) != 0) b++;
    const routh_body_state *body = &point->bodies[b];
    const double *A = body->orientation, *w = body->angular_velocity, *v = body->velocity;
    const double e[3] = {A[1], A[4], A[7]}, s = hypot(e[0], e[1]);
    const double hub[2] = {v[0] + aside * (w[1] * e[2] - w[2] * e[1]),
                           v[1] + aside * (w[2] * e[0] - w[0] * e[2])};
    const double forward = (hub[0] * e[1] - hub[1] * e[0]) / s;
    const double along = forward - w[2] * (body->position[2] + aside * e[2]) / s * e[2];
    snprintf(signal, sizeof signal, "%s.lateral_slip", tyre);
    const double slip = signal_of(point, signal);
    return drive * along - stiffness * slip * (forward * slip + 0.05 * w[2]);
}

/* The drive wheels bring in what the tyres lose to slip. */
static void check_power(const routh_operating_point *point)
{
    static const struct {
        const char *axle;
        double stiffness, drive;
    } axles[] = {{"front", 1.6e5, 0},
                 {"drive_1", 2.4e5, 1},
                 {"drive_2", 2.4e5, 1},
                 {"trailer_1", 2.3e5, 0},
                 {"trailer_2", 2.3e5, 0}};
    const double torque = signal_of(point, "drive_torque");
    double sum = 0;
    for (int k = 0; k < 10; k++) {
        const char *axle = axles[k / 2].axle, *side = k % 2 ? "right" : "left";
        const double force = axles[k / 2].drive * torque / 4 / 0.5;
        char tyre[64], wheel[64];
        snprintf(tyre, sizeof tyre, "%s_tyre_%s", axle, side);
        snprintf(wheel, sizeof wheel, "%s%s", k < 2 ? "wheel_" : axle, k < 2 ? side : "");
        sum += power_of(point, tyre, wheel,
                        k < 2   ? 0
                        : k % 2 ? -0.93
                                : 0.93,
                        axles[k / 2].stiffness, force);
    }
    assert_true(torque > 1000 && fabs(sum) < 1e-9 * torque / 0.5 * 22);
}

/* The first of the exact methods only: a search takes its time, and tests/studies compares them. */
static bool next_set(int *k, whole_way *way)
{
    while (whole_next_way(k, way))
        if (!strcmp(way->method, routh_method_name(0))) return true;
    return false;
}

/* In a turn of 0.25 g, seen from a frame that turns with it: the heading may stay another one, and
 * the middle of the turn another place, which goes round in that frame at the rate W. */
static void a_truck_turns(void **state)
{
    (void)state;
    const double rate = 0.25 * 9.81 / (50 * 1609.344 / 3600);
    whole_way way = {.n_settings = 1, .settings = {{"lateral_g", "0.25"}}};
    for (int k = 0; next_set(&k, &way);) {
        int round = 0;
        whole found = whole_read("examples/tractor-semitrailer.yaml", &way);
        check_power(found.point);
        assert_true(found.linear->steady);
        assert_int_equal(found.modes->n_zero, 1);
        for (int i = 0; i < found.modes->n; i++) {
            const double *value = found.modes->modes[i].eigenvalue;
            round += hypot(value[0], fabs(value[1]) - rate) < 1e-8;
        }
        assert_int_equal(round, 2);
        whole_release(&found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_twist_axle_bounces_and_rolls),
        cmocka_unit_test(a_truck_drives_straight_on),
        cmocka_unit_test(a_truck_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
