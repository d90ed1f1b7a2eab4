/* Joints that assembly leaves half a turn over are told, with the angle that is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/mechanisms.h"

/* Does a warning say so of the joint, written by `degrees` about x, in each coordinate set? turned:
 * the body then stands by half a turn about x, by the joint's equations. */
static bool is_told(const char *type, double degrees, bool turned)
{
    static const char *const sets[] = {"absolute", "relative", "natural"};
    char yaml[640], words[128];
    int told = 0;
    snprintf(yaml, sizeof yaml,
             "bodies:\n"
             "  a: {mass: 1, inertia: [1,1,1], position: [0,0,0],\n"
             "      orientation: {axis: [1,0,0], angle: %.17g*pi/180}}\n"
             "markers: {m: {body: a}, g: {body: ground}}\n"
             "joints: {j: {type: %s, between: [m, g]}}\n"
             "operating_point: {type: given}\n",
             degrees, type);
    snprintf(words, sizeof words, "of joint j were written %.4g deg apart", degrees);
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        test_mechanism t;
        routh_error error;
        routh_mechanism *m;
        routh_operating_point *point;
        mechanism_make(&t, yaml);
        assert_int_equal(routh_mechanism_compile(&m, t.model, sets[k], &error), ROUTH_OK);
        assert_int_equal(routh_operating_point_find(&point, m, NULL, &error), ROUTH_OK);
        /* y of the body along y of the world, or against it */
        assert_true(fabs(point->bodies[0].orientation[4] - (turned ? -1 : 1)) < 1e-9);
        for (int w = 0; w < point->n_warnings; w++)
            told += strstr(point->warnings[w], words) != NULL;
        routh_operating_point_free(point);
        routh_mechanism_free(m);
        mechanism_release(&t);
    }
    assert_true(told == 0 || told == sizeof sets / sizeof *sets);
    return told > 0;
}

static void what_is_far_off_is_told(void **unused)
{
    (void)unused;
    assert_true(is_told("fixed", 120, true));
    assert_true(is_told("fixed", 95, true));
    assert_true(is_told("fixed", 179, true));
    assert_true(is_told("translational", 95, true));
    assert_true(is_told("orientation", 120, true));
}

static void what_is_near_or_meant_is_not(void **unused)
{
    (void)unused;
    assert_false(is_told("fixed", 80, false));
    assert_false(is_told("translational", 60, false));
    assert_false(is_told("fixed", 180, true));
    assert_false(is_told("translational", 180, true));
}

/* Both directions of an axis are the same hinge: only what is near neither is told. */
static void an_axis_is_told_where_it_is_near_neither_direction(void **unused)
{
    (void)unused;
    assert_true(is_told("revolute", 100, true));
    assert_true(is_told("cylindrical", 120, true));
    assert_false(is_told("revolute", 170, true));
    assert_false(is_told("revolute", 80, false));
}

/* Of three joints the one that is far off is told, with its own angle. */
static void each_joint_is_told_by_its_own_angle(void **unused)
{
    (void)unused;
    for (int far = 0; far < 3; far++) {
        growing_text yaml = {0};
        char words[80];
        int told = 0, far_off = 0;
        text_add(&yaml, "bodies:\n");
        for (int k = 0; k < 3; k++)
            text_add(&yaml,
                     "  b%d: {mass: 1, inertia: [1,1,1], orientation: {axis: [1,0,0], angle: %d "
                     "deg}}\n",
                     k, k == far ? 115 : 10 + 20 * k);
        text_add(&yaml, "markers: {g: {body: ground}}\njoints:\n");
        for (int k = 0; k < 3; k++)
            text_add(&yaml, "  j%d: {type: fixed, between: [b%d, g]}\n", k, k);
        text_add(&yaml, "operating_point: {type: given}\n");
        test_mechanism t;
        mechanism_make(&t, yaml.bytes);
        routh_operating_point *point = mechanism_point(&t);
        snprintf(words, sizeof words, "of joint j%d were written 115 deg apart", far);
        for (int w = 0; w < point->n_warnings; w++) {
            told += strstr(point->warnings[w], words) != NULL;
            far_off += strstr(point->warnings[w], "deg apart") != NULL;
        }
        assert_int_equal(told, 1);
        assert_int_equal(far_off, 1);
        routh_operating_point_free(point);
        mechanism_release(&t);
        free(yaml.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_far_off_is_told),
        cmocka_unit_test(what_is_near_or_meant_is_not),
        cmocka_unit_test(each_joint_is_told_by_its_own_angle),
        cmocka_unit_test(an_axis_is_told_where_it_is_near_neither_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
