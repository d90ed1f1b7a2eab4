/* The washing machine of the examples: the counts that Negrut and Ortiz print of theirs, that it
 * hangs as written, and the motions that symmetry leaves alone in closed form. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "closed_form/whole_model.h"
#include "model/model.h"

static const char machine[] = "examples/washing-machine.yaml";

static int count(const routh_model *model, const char *type)
{
    int n = 0;
    for (int k = 0; k < model->n_joints; k++)
        n += strcmp(rt_joint_type_name(&model->joints[k]), type) == 0;
    return n;
}

/* "15 rigid bodies, five revolute joints, four spherical joints, four translational joints, four
 * universal joints, and one prescribed motion. It involves ten degrees of freedom, with a total
 * number of 90 coordinates": these joints leave sixteen; a fixed one makes them ten. */
static void it_has_the_parts_of_the_published_one(void **unused)
{
    (void)unused;
    whole x = whole_read(machine, NULL);
    assert_int_equal(x.model->n_bodies, 15);
    assert_int_equal(count(x.model, "revolute"), 5);
    assert_int_equal(count(x.model, "spherical"), 4);
    assert_int_equal(count(x.model, "translational"), 4);
    assert_int_equal(count(x.model, "universal"), 4);
    assert_int_equal(count(x.model, "motion"), 1);
    assert_int_equal(count(x.model, "fixed"), 1);
    assert_int_equal(x.model->n_joints, 5 + 4 + 4 + 4 + 1 + 1);
    assert_int_equal(x.point->degrees_of_freedom, 10);
    assert_int_equal(x.point->n_redundant, 0);
    assert_int_equal(x.linear->n_states, 20);
    assert_int_equal(x.linear->n_position, 10);
    whole_release(&x);
}

/* The forces of the springs as written carry the tub: at rest the search for the equilibrium moves
 * nothing, and spinning it is a steady motion. */
static void it_hangs_as_written(void **unused)
{
    (void)unused;
    const whole_way at_rest = {.n_settings = 1, .settings = {{"spin", "0"}}};
    whole x = whole_read(machine, &at_rest);
    routh_operating_point_options options = routh_operating_point_defaults();
    routh_operating_point *found = NULL;
    routh_error error;
    options.type = ROUTH_OPERATING_STATIC;
    if (routh_operating_point_find(&found, x.mechanism, &options, &error))
        fail_msg("%s", error.message);
    for (int b = 0; b < found->n_bodies; b++)
        for (int k = 0; k < 3; k++)
            assert_true(fabs(found->bodies[b].position[k] - x.point->bodies[b].position[k]) <
                        1e-12);
    routh_operating_point_free(found);
    whole_release(&x);
    x = whole_read(machine, NULL);
    assert_true(x.linear->steady && x.linear->residual < 1e-14);
    whole_release(&x);
}

/* m s^2 + c s + k = 0 */
static root oscillation(double m, double c, double k)
{
    return (-c + csqrt(c * c - 4 * m * k)) / (2 * m);
}

/* Up and down: by symmetry nothing else moves with it. Of a displacement z each rod, of length
 * l(z) = sqrt(s^2 + (h - z)^2), turns at s z'/l^2 and shortens at h z'/l; its upper part, a below
 * the hook, is at the height -a (h - z)/l, its sleeve at -(l - b)(h - z)/l. */
static root heave(void)
{
    const double g = 9.81, k = 3600, c = 70, s2 = 0.04 * 0.04 + 0.03 * 0.03, h = 0.5;
    const double l = sqrt(s2 + h * h), m = 22 + 9 + 3 + 4 + 2.5;
    const double upper = 0.5, a = 0.15, upper_inertia = 0.005;
    const double lower = 0.4, b = 0.10, lower_inertia = 0.002;
    /* heights: d/dz of (h - z)/l is -s^2/l^3, its second derivative -3 s^2 h/l^5 */
    const double slope = s2 / pow(l, 3), bend = -3 * s2 * h / pow(l, 5);
    const double tension = l / h * g * (m / 4 + upper * a * slope + lower * (1 - b * slope));
    const double turn = s2 / pow(l, 4), pull = h * h / (l * l);
    const double M =
        m +
        4 * ((upper * a * a + upper_inertia + lower_inertia + lower * (l - b) * (l - b)) * turn +
             lower * pull);
    const double K = 4 * (k * pull + tension * slope + g * (lower * b - upper * a) * bend);
    return oscillation(M, 4 * c * pull, K);
}

static void heave_and_lid_are_as_by_hand(void **unused)
{
    (void)unused;
    const root expected[2] = {heave(), oscillation(0.05 + 2 * 0.2 * 0.2, 0.2, 120)};
    whole_way way = {0};
    for (int k = 0; whole_next_way(&k, &way);) {
        whole x = whole_read(machine, &way);
        assert_int_equal(x.modes->n, 20);
        for (int e = 0; e < 2; e++) {
            double least = INFINITY;
            for (int i = 0; i < x.modes->n; i++) {
                const double *s = x.modes->modes[i].eigenvalue;
                least = fmin(least, cabs(s[0] + s[1] * I - expected[e]));
            }
            if (!(least < 1e-10 * cabs(expected[e])))
                fail_msg("%s, %s: %.15g %+.15gi is not among the modes: %.2g away", way.coordinates,
                         way.method, creal(expected[e]), cimag(expected[e]), least);
        }
        whole_release(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_has_the_parts_of_the_published_one),
        cmocka_unit_test(it_hangs_as_written),
        cmocka_unit_test(heave_and_lid_are_as_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
