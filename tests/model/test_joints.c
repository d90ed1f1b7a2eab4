/* Tests of model/joints: types, axes, couplers and motions as written. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model_text.h"

#define TWO                                                                                       \
    "bodies:\n"                                                                                   \
    "  a: {mass: 1, inertia: [1, 1, 1]}\n"                                                        \
    "  b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"

static void every_type_is_read_under_its_name(void **state)
{
    (void)state;
    static const char *const plain[] = {"fixed",       "revolute",      "translational",
                                        "cylindrical", "universal",     "constant_velocity",
                                        "spherical",   "planar",        "inline",
                                        "inplane",     "parallel_axes", "perpendicular_axes",
                                        "orientation"};
    for (size_t k = 0; k < sizeof plain / sizeof plain[0]; k++) {
        char text[400];
        snprintf(text, sizeof text, TWO "joints: {j: {type: %s, between: [b, a]}}\n", plain[k]);
        routh_model *m = read_model(text);
        assert_string_equal(rt_joint_type_name(&m->joints[0]), plain[k]);
        assert_int_equal(m->joints[0].markers[0], 1);
        assert_int_equal(m->joints[0].markers[1], 0);
        assert_int_equal(rt_model_find_joint(m, "j"), 0);
        assert_int_equal(rt_model_find_joint(m, "k"), -2);
        routh_model_free(m);
    }
}

static void lengths_and_pitches_are_kept(void **state)
{
    (void)state;
    routh_model *m = read_model(TWO "joints:\n"
                                    "  rod: {type: rod, between: [a, b], length: 30 cm}\n"
                                    "  screw: {type: screw, between: [a, b], pitch: -5 mm}\n");
    assert_near(m->joints[0].number[0].value, 0.3, 1e-16);
    assert_near(m->joints[1].number[0].value, -0.005, 1e-17);
    routh_model_free(m);
}

static void a_coupler_takes_usual_coordinates_unless_told(void **state)
{
    (void)state;
    routh_model *m = read_model(
        TWO "joints:\n"
            "  g: {type: gear, joints: [p, s], ratios: [2, -0.5], offset: 0.1}\n"
            "  h: {type: coupler, joints: [c, p], coordinates: [z, rz], ratios: [1, 1]}\n"
            "  p: {type: revolute, between: [a, ground], axis: x}\n"
            "  s: {type: translational, between: [b, ground]}\n"
            "  c: {type: cylindrical, between: [a, b]}\n");
    const rt_joint *g = &m->joints[0], *h = &m->joints[1];
    assert_string_equal(rt_joint_type_name(g), "coupler");
    assert_int_equal(g->n_coupled, 2);
    assert_int_equal(g->coupled[0], 2);
    assert_int_equal(g->coupled[1], 3);
    assert_int_equal(g->coordinate[0], RT_COORDINATE_RZ);
    assert_int_equal(g->coordinate[1], RT_COORDINATE_Z);
    assert_near(g->ratio[1].value, -0.5, 0);
    assert_true(g->number_given[0]);
    assert_false(h->number_given[0]);
    assert_int_equal(h->coordinate[0], RT_COORDINATE_Z);
    assert_memory_equal(g->markers, m->joints[2].markers, sizeof g->markers);
    assert_memory_equal(g->triad, m->joints[2].triad, sizeof g->triad);
    routh_model_free(m);
}

static void a_rack_couples_displacement_and_angle(void **state)
{
    (void)state;
    routh_model *m = read_model(TWO "joints:\n"
                                    "  p: {type: revolute, between: [a, ground]}\n"
                                    "  s: {type: translational, between: [b, ground]}\n"
                                    "  r: {type: rack_and_pinion, joints: [s, p], radius: 0.1}\n");
    const rt_joint *r = &m->joints[2];
    assert_int_equal(r->coupled[0], 1);
    assert_int_equal(r->coupled[1], 0);
    assert_int_equal(r->coordinate[0], RT_COORDINATE_Z);
    assert_int_equal(r->coordinate[1], RT_COORDINATE_RZ);
    assert_near(r->number[1].value, 0.1, 0);
    routh_model_free(m);
}

static void a_motion_drives_a_joint_or_two_markers(void **state)
{
    (void)state;
    routh_model *m =
        read_model("parameters: {w: 3}\n" TWO "joints:\n"
                   "  p: {type: revolute, between: [a, ground], axis: y}\n"
                   "  d: {type: motion, joint: p, function: w*time}\n"
                   "  e: {type: motion, between: [b, ground], along: y, function: 2*TIME^2}\n");
    const rt_joint *d = &m->joints[1], *e = &m->joints[2];
    assert_int_equal(d->n_coupled, 1);
    assert_int_equal(d->coordinate[0], RT_COORDINATE_RZ);
    assert_memory_equal(d->triad, m->joints[0].triad, sizeof d->triad);
    assert_int_equal(e->n_coupled, 0);
    assert_int_equal(e->coordinate[0], RT_COORDINATE_Y);
    assert_int_equal(e->markers[0], 1);
    assert_int_equal(e->markers[1], RT_GROUND);
    assert_int_equal(m->n_quantities, 2); /* w and time, the latter shared */
    assert_int_equal(m->quantities[1].kind, RT_QUANTITY_TIME);
    const double values[] = {3, 5};
    assert_near(evaluate(m, d->function.expr, values), 15, 0);
    assert_near(evaluate(m, e->function.expr, values), 50, 0);
    routh_model_free(m);
}

static void a_joint_may_be_named_as_the_cut(void **state)
{
    (void)state;
    static const char *const kinds[] = {"fixed", "revolute", "translational", "cylindrical",
                                        "universal", "spherical", "planar", "orientation",
                                        "screw, pitch: 1"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 TWO "joints:\n  j: {type: %s, between: [b, a], cut: true}\n"
                     "  k: {type: %s, between: [b, a], cut: false}\n"
                     "  l: {type: %s, between: [b, a]}\n",
                 kinds[k], kinds[k], kinds[k]);
        routh_model *m = read_model(text);
        assert_true(m->joints[0].cut);
        assert_false(m->joints[1].cut);
        assert_false(m->joints[2].cut);
        routh_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_read_under_its_name),
        cmocka_unit_test(lengths_and_pitches_are_kept),
        cmocka_unit_test(a_coupler_takes_usual_coordinates_unless_told),
        cmocka_unit_test(a_rack_couples_displacement_and_angle),
        cmocka_unit_test(a_motion_drives_a_joint_or_two_markers),
        cmocka_unit_test(a_joint_may_be_named_as_the_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
