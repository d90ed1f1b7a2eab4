/* Tests of model/velocity_joints and model/nonholonomic: rows against the motion of material points
 * by vectors, at random poses and motions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec3.h"
#include "model_text.h"
#include "poses.h"

#define THREE                                                                                      \
    "parameters: {R: 0.7, T: 0.2}\n"                                                               \
    "bodies:\n"                                                                                    \
    "  a: {mass: 1, inertia: [1, 1, 1], orientation: {axis: [1, 0, 0], angle: 90 deg}}\n"          \
    "  b: {mass: 1, inertia: [1, 1, 1]}\n"                                                         \
    "  c: {mass: 1, inertia: [1, 1, 1]}\n"

enum { ROOM = 64 };
/* Values are sums of some twenty products of numbers below 3. */
static const double rounding = 1e-13;

static double function_value(const routh_model *m, const rt_function *f, const frame *frames)
{
    double slots[ROOM];
    assert_in_range(m->n_quantities, 1, ROOM);
    for (int k = 0; k < m->n_quantities; k++)
        slots[k] = m->quantities[k].kind == RT_QUANTITY_DOT
                       ? dot_value(frames, &m->quantities[k])
                       : m->parameters[m->quantities[k].index].number.value;
    return evaluate(m, f->expr, slots);
}

/* The velocity of frame f's material at a point of space. */
static void material_velocity(const frame *f, const double point[3], double v[3])
{
    double d[3];
    rt_v3_sub(d, point, f->r);
    rt_v3_copy(v, f->v);
    rt_v3_cross_add(v, f->w, d);
}

/* The lowest point, along n, of a torus of radii R, T about f's z axis: of the middle circle's
 * points f.r + R (cos x, sin x, 0) the lowest lies opposite to n's part in the circle's plane. */
static void lowest_point(const frame *f, const double n[3], double R, double T, double point[3])
{
    double x[3], y[3];
    rt_m3_column(x, f->A, 0);
    rt_m3_column(y, f->A, 1);
    const double along_x = rt_v3_dot(x, n), along_y = rt_v3_dot(y, n);
    const double angle = atan2(-along_y, -along_x);
    rt_v3_copy(point, f->r);
    rt_v3_add_scaled(point, R * cos(angle), x);
    rt_v3_add_scaled(point, R * sin(angle), y);
    rt_v3_add_scaled(point, -T, n);
}

static void check_rolling(const char *text, double R, double T, const frame *frames,
                          const frame *plane)
{
    routh_model *m = read_model(text);
    const rt_joint *joint = &m->joints[0];
    double n[3], t[3], point[3], height[3], of_disc[3], of_plane[3], slip[3];
    assert_string_equal(rt_joint_type_name(joint), "rolling");
    assert_int_equal(joint->n_functions, 3);
    assert_int_equal(joint->n_position_functions, 1);
    rt_m3_column(n, plane->A, 2);
    lowest_point(&frames[1], n, R, T, point);
    rt_v3_sub(height, point, plane->r);
    assert_near(function_value(m, &joint->functions[0], frames), rt_v3_dot(n, height), rounding);
    material_velocity(&frames[1], point, of_disc);
    material_velocity(plane, point, of_plane);
    rt_v3_sub(slip, of_disc, of_plane);
    for (int k = 0; k < 2; k++) {
        rt_m3_column(t, plane->A, k);
        assert_near(function_value(m, &joint->functions[1 + k], frames), rt_v3_dot(t, slip),
                    rounding);
    }
    assert_string_equal(joint->labels[0], "contact");
    assert_string_equal(joint->labels[1], "no slip along x");
    assert_string_equal(joint->labels[2], "no slip along y");
    routh_model_free(m);
}

static void a_rolling_torus_does_not_slip_where_it_touches(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int round = 0; round < 20; round++) {
        frame f[4];
        random_frames(f, 4, &seed);
        check_rolling(THREE "joints: {w: {type: rolling, between: [a, b], radius: R, "
                            "tube_radius: T}}\n",
                      0.7, 0.2, f, &f[2]);
        check_rolling(THREE "joints: {w: {type: rolling, between: [a, ground], radius: R}}\n", 0.7,
                      0, f, &f[0]);
        check_rolling(THREE "joints: {w: {type: rolling, between: [a, b], radius: 0, "
                            "tube_radius: T}}\n",
                      0, 0.2, f, &f[2]);
    }
}

/* An upright disc that rolls straight: v = R w, and 1 too little slips by as much. */
static void an_upright_disc_rolls_by_its_radius(void **state)
{
    (void)state;
    frame f[4] = {{.A = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    routh_model *m =
        read_model(THREE "joints: {w: {type: rolling, between: [a, ground], radius: R}}\n");
    f[1] = (frame){.r = {5, 6, 0.7},
                   .A = {1, 0, 0, 0, 0, -1, 0, 1, 0}, /* z along -y */
                   .v = {2.1, 0, 0},
                   .w = {0, 3, 0}};
    for (int k = 0; k < 3; k++)
        assert_near(function_value(m, &m->joints[0].functions[k], f), 0, rounding);
    f[1].v[0] -= 1;
    assert_near(function_value(m, &m->joints[0].functions[1], f), -1, rounding);
    routh_model_free(m);
}

static void a_knife_edge_goes_along_its_own_x(void **state)
{
    (void)state;
    uint64_t seed = 12;
    for (int round = 0; round < 5; round++) {
        frame f[4];
        double y[3], of_a[3], of_b[3], slip[3];
        random_frames(f, 4, &seed);
        routh_model *m = read_model(THREE "joints: {k: {type: knife_edge, between: [a, b]}}\n");
        assert_int_equal(m->joints[0].n_functions, 1);
        assert_int_equal(m->joints[0].n_position_functions, 0);
        rt_m3_column(y, f[1].A, 1);
        material_velocity(&f[1], f[1].r, of_a);
        material_velocity(&f[2], f[1].r, of_b);
        rt_v3_sub(slip, of_a, of_b);
        assert_near(function_value(m, &m->joints[0].functions[0], f), rt_v3_dot(y, slip), rounding);
        routh_model_free(m);
    }
}

/* s = axis . (r_i - r_j) by its rate, an angle by the angular velocity about the axis. */
static void a_velocity_coupler_sums_rates(void **state)
{
    (void)state;
    uint64_t seed = 13;
    for (int round = 0; round < 5; round++) {
        frame f[4];
        double x[3], z[3], d[3], v[3], w[3], turned[3];
        random_frames(f, 4, &seed);
        routh_model *m =
            read_model(THREE "joints:\n"
                             "  k: {type: velocity_coupler, joints: [s, h], ratios: [3*R, -2]}\n"
                             "  s: {type: translational, between: [a, b], axis: x}\n"
                             "  h: {type: revolute, between: [b, c]}\n");
        const rt_joint *k = &m->joints[0];
        assert_string_equal(rt_joint_type_name(k), "velocity_coupler");
        assert_memory_equal(k->markers, m->joints[1].markers, sizeof k->markers);
        rt_m3_column(x, f[2].A, 0);
        rt_v3_cross(turned, f[2].w, x);
        rt_v3_sub(d, f[1].r, f[2].r);
        rt_v3_sub(v, f[1].v, f[2].v);
        rt_m3_column(z, f[3].A, 2);
        rt_v3_sub(w, f[2].w, f[3].w);
        const double expected =
            2.1 * (rt_v3_dot(x, v) + rt_v3_dot(turned, d)) - 2 * rt_v3_dot(z, w);
        assert_near(function_value(m, &k->functions[0], f), expected, rounding);
        routh_model_free(m);
    }
}

static void constraints_of_the_users_own_are_linear_in_velocities(void **state)
{
    (void)state;
    uint64_t seed = 14;
    frame f[4];
    random_frames(f, 4, &seed);
    routh_model *m = read_model(
        THREE "joints:\n"
              "  n: {type: nonholonomic, between: [a, ground], expressions: [\"VX(a) - R*WY(a)*"
              "cos(AZ(a))\", \"VX(a, b, c, c)/DM(a, b) + sqrt(2)*VR(a, c) - 3*R\"]}\n"
              "  o: {type: nonholonomic, expressions: [\"(2*WZ(a) + DX(a)*WZ(b))/(1 + "
              "DY(a)^2)\"]}\n"
              "outputs: {force: \"FX(n)\"}\n");
    const rt_joint *n = &m->joints[0], *o = &m->joints[1];
    assert_int_equal(n->n_functions, 2);
    assert_int_equal(n->n_position_functions, 0);
    assert_int_equal(n->markers[0], 0);
    assert_int_equal(o->markers[0], -2);
    assert_string_equal(n->labels[1], "the second expression is zero");
    assert_string_equal(o->labels[0], "the expression is zero");
    const double angle = atan2(f[1].A[3], f[1].A[0]);
    assert_near(function_value(m, &n->functions[0], f), f[1].v[0] - 0.7 * f[1].w[1] * cos(angle),
                rounding);
    assert_near(function_value(m, &o->functions[0], f),
                (2 * f[1].w[2] + f[1].r[0] * f[2].w[2]) / (1 + f[1].r[1] * f[1].r[1]), rounding);
    routh_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rolling_torus_does_not_slip_where_it_touches),
        cmocka_unit_test(an_upright_disc_rolls_by_its_radius),
        cmocka_unit_test(a_knife_edge_goes_along_its_own_x),
        cmocka_unit_test(a_velocity_coupler_sums_rates),
        cmocka_unit_test(constraints_of_the_users_own_are_linear_in_velocities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
