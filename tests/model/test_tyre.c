/* Tests of model/tyre: the forces, torques and equations of slip against the same contact found by
 * vectors (the rate of the loaded radius by a complex step along the motion), at random poses and
 * motions of wheel and road. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec3.h"
#include "model_text.h"
#include "poses.h"

#define BODIES                                                                                     \
    "parameters: {K: 3.1, C: 0.4}\n"                                                               \
    "bodies:\n"                                                                                    \
    "  a: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0.6],\n"                                  \
    "      orientation: {axis: [1, 0, 0], angle: -80 deg}}\n"                                      \
    "  b: {mass: 1, inertia: [1, 1, 1], position: [2, 1, -0.4]}\n"

enum { ROOM = 256 };
static const double rounding = 1e-12; /* of the forces, which are below 100, made of some fifty
                                         products */

/* ---- the model's functions ------------------------------------------------------------------- */

typedef struct signals {
    double x[2], rate[2]; /* of control states */
} signals;

static double function_value(const routh_model *m, rt_expr e, const frame *frames, const signals *s)
{
    double slots[ROOM];
    assert_in_range(m->n_quantities, 1, ROOM);
    for (int k = 0; k < m->n_quantities; k++) {
        const rt_quantity *q = &m->quantities[k];
        switch (q->kind) {
        case RT_QUANTITY_DOT: slots[k] = dot_value(frames, q); break;
        case RT_QUANTITY_STATE: slots[k] = s->x[q->index]; break;
        case RT_QUANTITY_STATE_RATE: slots[k] = s->rate[q->index]; break;
        case RT_QUANTITY_INPUT: slots[k] = m->inputs[q->index].value.value; break;
        default: slots[k] = rt_constant_value(m, q); break;
        }
    }
    return evaluate(m, e, slots);
}

/* ---- the contact by vectors ------------------------------------------------------------------ */

typedef double complex number;

static number dot(const number a[3], const number b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* u + i h (w x u) */
static void turning(number out[3], const double u[3], const double w[3], double h)
{
    double rate[3];
    rt_v3_cross(rate, w, u);
    for (int k = 0; k < 3; k++) out[k] = u[k] + I * h * rate[k];
}

/* From the wheel's centre down the steepest line of its plane to T above the road, i h later; up:
 * that line. */
static number loaded_radius(const frame *wheel, const frame *road, double T, double h, number up[3])
{
    double e0[3], n0[3];
    number e[3], n[3], d[3];
    rt_m3_column(e0, wheel->A, 2);
    rt_m3_column(n0, road->A, 2);
    turning(e, e0, wheel->w, h);
    turning(n, n0, road->w, h);
    const number ne = dot(n, e);
    for (int k = 0; k < 3; k++) {
        up[k] = n[k] - ne * e[k];
        d[k] = wheel->r[k] - road->r[k] + I * h * (wheel->v[k] - road->v[k]);
    }
    const number length = csqrt(dot(up, up));
    for (int k = 0; k < 3; k++) up[k] /= length;
    return (dot(n, d) - T) / dot(n, up);
}

static void material_velocity(const frame *f, const double point[3], double v[3])
{
    double d[3];
    rt_v3_sub(d, point, f->r);
    rt_v3_copy(v, f->v);
    rt_v3_cross_add(v, f->w, d);
}

typedef struct contact {
    double e[3], x[3], y[3], n[3], arm[3]; /* arm: from the centre to the contact point */
    double radius, rate, lean, forward, along, across, upright;
} contact;

/* effective: 0 where it is the loaded one */
static contact find_contact(const frame *wheel, const frame *road, double T, double effective)
{
    contact c;
    number up[3];
    double point[3], of_wheel[3], of_road[3], b[3], w[3], centre[3];
    rt_m3_column(c.e, wheel->A, 2);
    rt_m3_column(c.n, road->A, 2);
    c.rate = cimag(loaded_radius(wheel, road, T, 1e-30, up)) / 1e-30;
    c.radius = creal(loaded_radius(wheel, road, T, 0, up));
    for (int k = 0; k < 3; k++) {
        c.arm[k] = -c.radius * creal(up[k]) - T * c.n[k];
        point[k] = wheel->r[k] + c.arm[k];
    }
    rt_v3_cross(c.x, c.e, c.n);
    c.upright = rt_v3_norm(c.x);
    rt_v3_scale(c.x, 1 / c.upright, c.x);
    rt_v3_cross(c.y, c.n, c.x);
    c.lean = -asin(rt_v3_dot(c.e, c.n));
    material_velocity(wheel, point, of_wheel);
    material_velocity(road, point, of_road);
    rt_v3_sub(b, of_wheel, of_road);
    material_velocity(road, wheel->r, of_road);
    rt_v3_sub(centre, wheel->v, of_road);
    c.forward = rt_v3_dot(centre, c.x);
    c.across = rt_v3_dot(b, c.y);
    rt_v3_sub(w, wheel->w, road->w);
    c.along = effective > 0 ? c.forward - effective * rt_v3_dot(w, c.e) : rt_v3_dot(b, c.x);
    return c;
}

static double kept_from_zero(double v, double low)
{
    return fabs(v) > low ? fabs(v) : (low + v * v / low) / 2;
}

/* Components in the road's axes of force, and of torque about the centre, on the wheel. */
static void wrench_of(const contact *c, const frame *road, double along, double across,
                      double normal, double aligning, double out[6])
{
    double force[3], torque[3];
    for (int k = 0; k < 3; k++) force[k] = along * c->x[k] + across * c->y[k] + normal * c->n[k];
    rt_v3_cross(torque, c->arm, force);
    rt_v3_add_scaled(torque, aligning, c->n);
    rt_m3_tmul_v(out, road->A, force);
    rt_m3_tmul_v(out + 3, road->A, torque);
}

static void check_wrench(const routh_model *m, const frame *frames, const signals *s,
                         const double expected[6])
{
    for (int k = 0; k < 6; k++)
        assert_near(function_value(m, m->loads[0].function[k].expr, frames, s), expected[k],
                    rounding);
}

/* Wheels that lie nearly flat, for which the contact is far away, are left out. */
static bool is_usable(const frame *wheel, const frame *road)
{
    double e[3], n[3];
    rt_m3_column(e, wheel->A, 2);
    rt_m3_column(n, road->A, 2);
    return fabs(rt_v3_dot(e, n)) < 0.9;
}

/* ---- the linear law -------------------------------------------------------------------------- */

#define LINEAR                                                                                     \
    "type: tyre, stiffness: K, damping: C, cornering_stiffness: 2, cornering_coefficient: 0.3, "   \
    "camber_stiffness: 0.7, camber_coefficient: 0.2, slip_stiffness: 1.7, "                        \
    "slip_coefficient: 0.6, trail: 0.15"

static void check_linear(const char *more, const frame *frames, const frame *road, double T,
                         double effective, double low, bool relaxed)
{
    char text[1200];
    double expected[6];
    const frame *wheel = &frames[1];
    const signals s = {{0.31, -0.24}, {0.9, -1.3}};
    snprintf(text, sizeof text, BODIES "loads: {t: {" LINEAR ", %s}}\n", more);
    routh_model *m = read_model(text);
    const contact c = find_contact(wheel, road, T, effective);
    const double speed = kept_from_zero(c.forward, low);
    const double normal = (3.1 * (0.7 - c.radius) - 0.4 * c.rate) / c.upright;
    const double kappa = relaxed ? s.x[0] : -c.along / speed;
    const double slip = relaxed ? s.x[1] : -c.across / speed;
    const double across = (2 + 0.3 * normal) * slip + (0.7 + 0.2 * normal) * c.lean;
    wrench_of(&c, road, (1.7 + 0.6 * normal) * kappa, across, normal,
              -0.15 * c.forward / speed * across, expected);
    assert_int_equal(m->loads[0].resolved_in, m->loads[0].markers[1]);
    check_wrench(m, frames, &s, expected);
    assert_int_equal(m->n_control_states, relaxed ? 2 : 0);
    if (relaxed) {
        assert_string_equal(m->control_states[0].name, "t.longitudinal_slip");
        assert_string_equal(m->control_states[1].name, "t.lateral_slip");
        assert_near(function_value(m, m->control_states[0].equation.expr, frames, &s),
                    0.4 * s.rate[0] + speed * s.x[0] + c.along, rounding);
        assert_near(function_value(m, m->control_states[1].equation.expr, frames, &s),
                    0.8 * s.rate[1] + speed * s.x[1] + c.across, rounding);
    }
    routh_model_free(m);
}

static void a_linear_tyre_has_the_forces_of_its_slips(void **state)
{
    (void)state;
    uint64_t seed = 21;
    for (int round = 0; round < 60; round++) {
        frame f[3];
        random_frames(f, 3, &seed);
        if (is_usable(&f[1], &f[2])) {
            check_linear("between: [a, b], radius: 0.7", f, &f[2], 0, 0, 0.1, false);
            check_linear("between: [a, b], radius: 0.7, tube_radius: 0.2, low_speed: 3", f, &f[2],
                         0.2, 0, 3, false);
            check_linear("between: [a, b], radius: 0.7, effective_radius: 0.65, "
                         "relaxation_length: 0.8, longitudinal_relaxation_length: 0.4",
                         f, &f[2], 0, 0.65, 0.1, true);
        }
        if (is_usable(&f[1], &f[0]))
            check_linear("between: [a, ground], radius: 0.7, low_speed: 0.5", f, &f[0], 0, 0, 0.5,
                         false);
    }
}

/* The axle may point to either side. */
static void forces_do_not_depend_on_where_the_axle_points(void **state)
{
    (void)state;
    uint64_t seed = 22;
    const signals none = {{0}, {0}};
    routh_model *m = read_model(BODIES "loads: {t: {" LINEAR ", between: [a, b], radius: 0.7}}\n");
    for (int round = 0; round < 10; round++) {
        frame f[3];
        double expected[6];
        random_frames(f, 3, &seed);
        if (!is_usable(&f[1], &f[2])) continue;
        for (int k = 0; k < 6; k++)
            expected[k] = function_value(m, m->loads[0].function[k].expr, f, &none);
        for (int k = 0; k < 3; k++) f[1].A[3 * k] *= -1, f[1].A[3 * k + 2] *= -1;
        check_wrench(m, f, &none, expected);
    }
    routh_model_free(m);
}

/* ---- the vertical law ------------------------------------------------------------------------ */

/* As written: the height 0.6 over the plane, the plane of the wheel 10 degrees from upright. */
static void a_preload_is_the_normal_force_as_written(void **state)
{
    (void)state;
    const signals none = {{0}, {0}};
    routh_model *m = read_model(
        BODIES "loads: {t: {type: tyre, between: [a, ground], preload: 5, stiffness: K}}\n");
    frame f[3] = {{.A = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    for (int k = 0; k < 3; k++) f[1].r[k] = m->bodies[0].position[k].value;
    for (int k = 0; k < 9; k++) f[1].A[k] = m->bodies[0].orientation[k].value;
    assert_near(function_value(m, m->loads[0].function[2].expr, f, &none), 5, 1e-13);
    f[1].r[2] -= 0.1; /* 0.1/s more deflection, of which the road carries 1/s */
    assert_near(function_value(m, m->loads[0].function[2].expr, f, &none),
                5 + 3.1 * 0.1 / pow(cos(0.1745329251994329577), 2), 1e-13);
    routh_model_free(m);
}

static void without_tension_a_tyre_off_the_road_has_no_force(void **state)
{
    (void)state;
    const signals none = {{0}, {0}};
    routh_model *m = read_model(BODIES "loads: {t: {type: tyre, between: [a, ground], radius: 0.7, "
                                       "stiffness: K, damping: C, no_tension: true, "
                                       "cornering_coefficient: 4, trail: 0.1}}\n");
    frame f[3] = {{.A = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    f[1] = (frame){.r = {0, 0, 0.6}, .A = {1, 0, 0, 0, 0, 1, 0, -1, 0}, .v = {3, 0.5, 0}};
    assert_string_equal(m->kinks[0].what, "the end of its contact");
    assert_near(function_value(m, m->loads[0].function[2].expr, f, &none), 0.31, 1e-14);
    f[1].v[2] = 1; /* 0.31 - 0.4 */
    for (int k = 0; k < 6; k++)
        assert_true(function_value(m, m->loads[0].function[k].expr, f, &none) == 0);
    assert_near(function_value(m, m->kinks[0].distance, f, &none), -0.09, 1e-14);
    f[1].r[2] = 0.8;
    f[1].v[2] = 0;
    for (int k = 0; k < 6; k++)
        assert_true(function_value(m, m->loads[0].function[k].expr, f, &none) == 0);
    routh_model_free(m);
}

/* Along the heading, at the contact point. */
static void a_drive_force_acts_along_the_heading(void **state)
{
    (void)state;
    uint64_t seed = 23;
    const signals none = {{0}, {0}};
    routh_model *m = read_model(BODIES "inputs: {push: 0.4}\n"
                                       "loads: {t: {type: tyre, between: [a, b], radius: 0.7, "
                                       "stiffness: K, drive_force: 2*push}}\n");
    frame f[3];
    double expected[6];
    do random_frames(f, 3, &seed);
    while (!is_usable(&f[1], &f[2]));
    const contact c = find_contact(&f[1], &f[2], 0, 0);
    wrench_of(&c, &f[2], 0.8, 0, 3.1 * (0.7 - c.radius) / c.upright, 0, expected);
    check_wrench(m, f, &none, expected);
    routh_model_free(m);
}

/* ---- the magic formula ----------------------------------------------------------------------- */

#define MAGIC                                                                                      \
    "type: magic_formula_tyre, between: [a, b], radius: 2.1, stiffness: K, "                       \
    "lateral: {stiffness_coefficient: 12, peak_load: 9, friction: 1.1, friction_slope: -0.03, "    \
    "shape: 1.3, curvature: -0.8, curvature_slope: 0.05, camber_shift: 0.1, trail: 0.2, "          \
    "trail_shape: 1.2, trail_stiffness: 7}"
#define ALONG                                                                                      \
    ", longitudinal: {stiffness_coefficient: 20, friction: 1.2, shape: 1.6, curvature: 0.4, "      \
    "friction_slope: -0.02, curvature_slope: -0.03}"

/* Of the curve of one direction alone, as printed: slope BCD, height D. */
static double magic(double BCD, double D, double C, double E, double x)
{
    const double B = BCD / (C * D);
    return D * sin(C * atan(B * x - E * (B * x - atan(B * x))));
}

typedef struct curves {
    double K[2], D[2], C[2], E[2];
} curves;

static curves curves_at(double N)
{
    return (curves){{20 * N, 12 * 9 / 2.0 * sin(2 * atan(N / 9))},
                    {(1.2 - 0.02 * N) * N, (1.1 - 0.03 * N) * N},
                    {1.6, 1.3},
                    {0.4 - 0.03 * N, -0.8 + 0.05 * N}};
}

/* Both directions: the curve of each at the slip that would alone be normalized to rho, shared by
 * the parts of the normalized slip. */
static void combined(const curves *k, const double slip[2], double force[2])
{
    double q[2];
    for (int d = 0; d < 2; d++) q[d] = k->K[d] * slip[d] / k->D[d];
    const double rho = hypot(q[0], q[1]);
    for (int d = 0; d < 2; d++)
        force[d] = magic(k->K[d], k->D[d], k->C[d], k->E[d], rho * k->D[d] / k->K[d]) * q[d] / rho;
}

static void check_magic(const char *text, const frame *f, bool along)
{
    routh_model *m = read_model(text);
    const signals none = {{0}, {0}};
    const contact c = find_contact(&f[1], &f[2], 0, 0);
    const double N = 3.1 * (2.1 - c.radius) / c.upright, speed = kept_from_zero(c.forward, 0.1);
    const double tangent = -c.across / speed;
    const double slip[2] = {-c.along / speed, tangent + 0.1 * c.lean};
    const curves k = curves_at(N);
    double force[2], expected[6];
    if (along) {
        combined(&k, slip, force);
    } else {
        force[0] = 0;
        force[1] = magic(k.K[1], k.D[1], k.C[1], k.E[1], slip[1]);
    }
    const double trail = 0.2 * cos(1.2 * atan(7 * tangent));
    wrench_of(&c, &f[2], force[0], force[1], N, -trail * c.forward / speed * force[1], expected);
    check_wrench(m, f, &none, expected);
    routh_model_free(m);
}

static void a_magic_tyre_has_the_forces_of_the_formula(void **state)
{
    (void)state;
    uint64_t seed = 24;
    for (int round = 0; round < 40; round++) {
        frame f[3];
        random_frames(f, 3, &seed);
        if (!is_usable(&f[1], &f[2])) continue;
        check_magic(BODIES "loads: {t: {" MAGIC "}}\n", f, false);
        check_magic(BODIES "loads: {t: {" MAGIC ALONG "}}\n", f, true);
    }
}

/* The force of a small slip is slope times slip, and none at no slip, where rho is zero. The next
 * term of the curve is K B^2 (1/3 + E/3 + C^2/6) x^3: about 1e3 and 1e4 times x^3. */
static void a_magic_tyre_is_linear_where_nothing_slips(void **state)
{
    (void)state;
    const signals none = {{0}, {0}};
    routh_model *m = read_model(BODIES "loads: {t: {" MAGIC ALONG "}}\n");
    frame f[3] = {{.A = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    f[2] = f[0];
    f[1] = (frame){
        .r = {0, 0, 0.6}, .A = {1, 0, 0, 0, 0, 1, 0, -1, 0}, .v = {3, 0, 0}, .w = {0, 5, 0}};
    const double N = 3.1 * 1.5;
    const rt_function *F = m->loads[0].function;
    for (int k = 0; k < 2; k++) assert_true(fabs(function_value(m, F[k].expr, f, &none)) < 1e-14);
    for (double slip = 1e-4; slip > 1e-12; slip /= 10) {
        f[1].v[1] = -3 * slip;
        assert_near(function_value(m, F[1].expr, f, &none) / slip, curves_at(N).K[1],
                    2e3 * slip * slip + 1e-12);
        f[1].v[1] = 0;
        f[1].w[1] = 5 * (1 + slip);
        assert_near(function_value(m, F[0].expr, f, &none) / slip, 20 * N,
                    2e4 * slip * slip + 2e-13 / slip);
        f[1].w[1] = 5;
    }
    routh_model_free(m);
}

/* Far beyond the peak the forces stay on an ellipse with the heights of the curves, whatever the
 * direction of the slip: (F_x/(D_x f_x))^2 + (F_y/(D_y f_y))^2 = 1 with f the end of each curve. */
static void a_sliding_magic_tyre_is_on_the_ellipse(void **state)
{
    (void)state;
    const signals none = {{0}, {0}};
    routh_model *m = read_model(BODIES "loads: {t: {" MAGIC ALONG "}}\n");
    frame f[3] = {{.A = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    f[2] = f[0];
    const curves k = curves_at(3.1 * 1.5);
    for (int a = 0; a < 12; a++) {
        const double angle = 0.1 + a * 0.5;
        f[1] = (frame){.r = {0, 0, 0.6}, .A = {1, 0, 0, 0, 0, 1, 0, -1, 0}, .v = {1e-7, 0, 0}};
        f[1].v[1] = 1e6 * sin(angle);
        f[1].w[1] = 1e6 * cos(angle);
        double sum = 0;
        for (int d = 0; d < 2; d++) {
            const double end = k.D[d] * sin(k.C[d] * 1.57079632679489662);
            sum += pow(function_value(m, m->loads[0].function[d].expr, f, &none) / end, 2);
        }
        assert_near(sum, 1, 1e-6);
    }
    routh_model_free(m);
}

/* ---- names ----------------------------------------------------------------------------------- */

static void slips_are_known_to_every_expression(void **state)
{
    (void)state;
    routh_model *m = read_model(
        BODIES "loads:\n"
               "  f: {type: force, on: b, components: [t.lateral_slip, RATE(u.lateral_slip), 0]}\n"
               "  t: {" LINEAR ", between: [a, b], radius: 0.7, relaxation_length: 0.8}\n"
               "  u: {" LINEAR ", between: [a, ground], radius: 0.7, relaxation_length: 0.8}\n"
               "outputs: {slip: u.lateral_slip, force: \"FZ(u)\"}\n"
               "controllers: {c: {type: differential, rate: -c + t.lateral_slip}}\n");
    assert_int_equal(m->n_control_states, 3);
    assert_string_equal(m->control_states[0].name, "c");
    assert_string_equal(m->control_states[1].name, "t.lateral_slip");
    assert_string_equal(m->control_states[1].element, "load t");
    assert_string_equal(m->control_states[2].name, "u.lateral_slip");
    routh_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_linear_tyre_has_the_forces_of_its_slips),
        cmocka_unit_test(forces_do_not_depend_on_where_the_axle_points),
        cmocka_unit_test(a_preload_is_the_normal_force_as_written),
        cmocka_unit_test(without_tension_a_tyre_off_the_road_has_no_force),
        cmocka_unit_test(a_drive_force_acts_along_the_heading),
        cmocka_unit_test(a_magic_tyre_has_the_forces_of_the_formula),
        cmocka_unit_test(a_magic_tyre_is_linear_where_nothing_slips),
        cmocka_unit_test(a_sliding_magic_tyre_is_on_the_ellipse),
        cmocka_unit_test(slips_are_known_to_every_expression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
