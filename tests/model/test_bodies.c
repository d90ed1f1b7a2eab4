/* Tests of model/bodies: bodies and markers as written, points given in the world. */
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

static void a_body_has_what_was_written(void **state)
{
    (void)state;
    routh_model *m = read_model(
        "bodies:\n"
        "  b: {mass: 2 kg, inertia: [3, 4, 5, 0.1, -0.2, 0.3], position: [1, 20 mm, 3 cm], "
        "angular_velocity: [0, 0, 60 rpm]}\n"
        "  c: {mass: 1, inertia: [1, 1, 2]}\n");
    static const double inertia[9] = {3, 0.1, -0.2, 0.1, 4, 0.3, -0.2, 0.3, 5};
    const rt_body *b = &m->bodies[0];
    assert_int_equal(m->n_bodies, 2);
    assert_string_equal(b->name, "b");
    assert_int_equal(b->place.line, 2);
    for (int k = 0; k < 9; k++) assert_near(b->inertia[k].value, inertia[k], 0);
    assert_near(b->position[1].value, 0.02, 1e-17);
    assert_near(b->position[2].value, 0.03, 1e-17);
    assert_near(b->angular_velocity[2].value, 6.283185307179586, 1e-14);
    assert_false(b->velocity_given);
    assert_true(b->angular_velocity_given);
    assert_false(m->bodies[1].angular_velocity_given);
    for (int k = 0; k < 9; k++) assert_near(m->bodies[1].orientation[k].value, k % 4 == 0, 0);
    routh_model_free(m);
}

static void a_bodys_name_is_its_first_marker(void **state)
{
    (void)state;
    routh_model *m =
        read_model("bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
                   "markers: {m: {body: b}, g: {body: ground, position: [1, 2, 3]}}\n");
    assert_int_equal(m->n_markers, 4);
    assert_int_equal(rt_model_find_marker(m, "b"), 1);
    assert_int_equal(rt_model_find_marker(m, "m"), 2);
    assert_int_equal(rt_model_find_marker(m, "ground"), RT_GROUND);
    assert_int_equal(rt_model_find_marker(m, "q"), -2);
    assert_int_equal(m->markers[1].body, 1);
    assert_int_equal(m->markers[2].body, 1);
    assert_int_equal(m->markers[3].body, RT_GROUND);
    assert_near(m->markers[3].position[2].value, 3, 0);
    routh_model_free(m);
}

static void at_is_turned_into_the_bodys_axes(void **state)
{
    (void)state;
    /* the body's x points along the world's y */
    routh_model *m = read_model("bodies: {b: {mass: 1, inertia: [1, 1, 1], position: [5, 0, 0], "
                                "orientation: {axis: [0, 0, 1], angle: 90 deg}}}\n"
                                "markers: {m: {body: b, at: [5, 2, 7]}}\n");
    const rt_number *p = m->markers[1].position;
    assert_near(p[0].value, 2, 1e-15);
    assert_near(p[1].value, 0, 1e-15);
    assert_near(p[2].value, 7, 0);
    routh_model_free(m);
}

static void a_joint_at_a_point_brings_two_markers_with_the_worlds_axes(void **state)
{
    (void)state;
    routh_model *m =
        read_model("bodies: {b: {mass: 1, inertia: [1, 1, 1], position: [5, 0, 0], "
                   "orientation: {axis: [0, 0, 1], angle: 90 deg}}}\n"
                   "joints: {j: {type: revolute, between: [b, ground], at: [5, 2, 7], axis: x}}\n");
    assert_int_equal(m->n_markers, 3);
    const rt_marker *on_body = &m->markers[m->joints[0].markers[0]];
    const rt_marker *on_ground = &m->markers[m->joints[0].markers[1]];
    assert_true(on_body->implicit && on_ground->implicit);
    assert_int_equal(on_body->body, 0);
    assert_int_equal(on_ground->body, RT_GROUND);
    assert_near(on_ground->position[1].value, 2, 0);
    assert_near(on_body->position[0].value, 2, 1e-15);
    /* A_body A_marker = 1: the marker turns back what the body turned */
    static const double back[9] = {0, 1, 0, -1, 0, 0, 0, 0, 1};
    for (int k = 0; k < 9; k++) {
        assert_near(on_body->orientation[k].value, back[k], 1e-15);
        assert_near(on_ground->orientation[k].value, k % 4 == 0, 0);
    }
    assert_int_equal(rt_model_find_marker(m, on_body->name), -2); /* not the user's */
    routh_model_free(m);
}

static void the_triangle_equality_is_allowed(void **state)
{
    (void)state;
    routh_model_free(read_model("bodies: {b: {mass: 1, inertia: [500, 500, 1000]}}\n"));
    routh_model_free(read_model("bodies: {b: {mass: 1, inertia: [0.1, 0.2, 0.3]}}\n"));
    refuse_model("bodies: {b: {mass: 1, inertia: [500, 500, 1001]}}\n", "triangle");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_has_what_was_written),
        cmocka_unit_test(a_bodys_name_is_its_first_marker),
        cmocka_unit_test(at_is_turned_into_the_bodys_axes),
        cmocka_unit_test(a_joint_at_a_point_brings_two_markers_with_the_worlds_axes),
        cmocka_unit_test(the_triangle_equality_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
