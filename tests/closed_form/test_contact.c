/* Contact, joint friction and limits against equations written by hand here: forces, equilibria,
 * and A, C by complex steps, in every coordinate set by every exact method that takes them. */
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

static const double g = 9.81;

/* The next way; where joint reactions are used, past the minimal method, which refuses them. */
static bool next_way(int *k, whole_way *way, bool reactions)
{
    bool more = whole_next_way(k, way);
    while (more && reactions && !strncmp(way->method, "minimal", 7)) more = whole_next_way(k, way);
    return more;
}

static void check_rates(const char *what, const char *yaml, bool reactions,
                        const explicit_system *system)
{
    whole_way way = {0};
    int n = 0;
    for (int k = 0; next_way(&k, &way, reactions); n++) {
        char where[160];
        whole x = whole_parse(yaml, &way);
        snprintf(where, sizeof where, "%s, %s, %s", what, way.coordinates, way.method);
        assert_linearizes(where, x.linear, system, 1e-9);
        whole_release(&x);
    }
    assert_true(n >= 10);
}

static void assert_output(const whole *x, const char *name, double expected)
{
    const double found = x->linear->outputs[whole_output(x->linear, name)].value;
    if (!(fabs(found - expected) <= 1e-11 * fmax(1, fabs(expected))))
        fail_msg("%s is %.15g and should be %.15g", name, found, expected);
}

/* mu(s)/s of the theory page, with s.s real or complex. */
static root ratio(double mu_s, double mu_d, double v_s, double v_d, root ss)
{
    const root by_s = ss / (v_s * v_s);
    return (mu_d + (mu_s - mu_d) * cexp(-ss / (v_d * v_d))) / (v_s * cpow(1 + by_s * by_s, 0.25));
}

/* ---- a ball on a plane ----------------------------------------------------------------------- */

/* k d^n = m g;  m s^2 + 3/2 c m g s + n m g/d = 0; the slip s = v - h w decays by
 * mu_s g/v_s (1 + m h^2/I), h = R - d. */
static void a_ball_at_rest(void **unused)
{
    (void)unused;
    static const double exponents[] = {1, 1.5, 2.5};
    const double m = 2, R = 0.1, k = 3e4, c = 0.7, turn = 0.4 * m * R * R, mu = 0.4, v_s = 0.02;
    for (int e = 0; e < 3; e++) {
        const double n = exponents[e], d = pow(m * g / k, 1 / n), h = R - d;
        char yaml[700];
        snprintf(yaml, sizeof yaml,
                 "gravity: [0, 0, -9.81]\n"
                 "bodies: {ball: {mass: 2, inertia: [0.008, 0.008, 0.008], position: [0.3, 0, "
                 "0.0999]}}\n"
                 "loads: {t: {type: contact, between: [ball, ground], radius: 0.1, stiffness: 3e4, "
                 "exponent: %g, damping: 0.7, static_coefficient: 0.4, stiction_velocity: 0.02}}\n"
                 "outputs: {z: DZ(ball), f: FZ(t)}\n"
                 "operating_point: {type: static}\n",
                 n);
        const root b = 1.5 * c * g, w2 = n * g / d, disc = csqrt(b * b - 4 * w2);
        const double slip = -mu * g / v_s * (1 + m * h * h / turn);
        const root expected[] = {(-b + disc) / 2, (-b - disc) / 2, slip, slip};
        whole_way way = {0};
        for (int w = 0; whole_next_way(&w, &way);) {
            whole x = whole_parse(yaml, &way);
            assert_output(&x, "z", R - d);
            assert_output(&x, "f", m * g);
            whole_assert_spectrum("ball at rest", x.modes, expected, 4, 1e-9);
            whole_release(&x);
        }
    }
}

/* In the plane y = 0, R = 0.1, k = 3e4, n = 1.5, c = 0.2, mu from 0.5 to 0.3 over 0.4 m/s, with
 * p = R - z, s = x' - z w:
 *     m x'' = -phi N s,   m z'' = N - m g,   I w' = z phi N s */
static void sliding(const root *y, const root *in, root *rate, root *out)
{
    (void)in;
    const root p = 0.1 - y[1], N = 3e4 * p * csqrt(p) * (1 - 0.3 * y[4]), s = y[3] - y[1] * y[5];
    const root f = -ratio(0.5, 0.3, 0.05, 0.4, s * s) * N * s;
    for (int k = 0; k < 3; k++) rate[k] = y[3 + k];
    rate[3] = f / 2;
    rate[4] = N / 2 - g;
    rate[5] = -y[1] * f / 0.008;
    out[0] = N;
    out[1] = f;
    out[2] = -y[1] * f;
}

static void a_ball_that_slides_and_turns(void **unused)
{
    (void)unused;
    static const double motions[][3] = {{0.3, 0.1, -2}, {0, 0, 0}, {-1, -0.4, 7}, {0.4, 0, 4.1}};
    for (int k = 0; k < 4; k++) {
        const double *v = motions[k];
        char yaml[800];
        snprintf(yaml, sizeof yaml,
                 "gravity: [0, 0, -9.81]\n"
                 "bodies: {b: {mass: 2, inertia: [0.008, 0.008, 0.008], position: [0, 0, 0.097], "
                 "velocity: [%g, 0, %g], angular_velocity: [0, %g, 0]}}\n"
                 "joints: {sheet: {type: planar, between: [b, ground], at: [0, 0, 0], axis: y}}\n"
                 "loads: {t: {type: contact, between: [b, ground], radius: 0.1, stiffness: 3e4, "
                 "damping: 0.2, static_coefficient: 0.5, dynamic_coefficient: 0.3, "
                 "stiction_velocity: 0.05, dynamic_velocity: 0.4}}\n"
                 "outputs: {n: FZ(t), f: FX(t), t_: TY(t)}\n"
                 "linearize: {states: [b.x, b.z, b.ry]}\n",
                 v[0], v[1], v[2]);
        check_rates("sliding ball", yaml, false,
                    &(explicit_system){sliding,
                                       6,
                                       0,
                                       3,
                                       {"b.x", "b.z", "b.ry", "b.x'", "b.z'", "b.ry'"},
                                       {0, 0.097, 0, v[0], v[1], v[2]},
                                       {NULL},
                                       {0},
                                       {"n", "f", "t_"}});
    }
}

/* ---- two balls ------------------------------------------------------------------------------- */

/* In the plane y = 0; the contact point divides D as the radii 0.3 and 0.2 do. The velocity of a
 * point at the arm a from a centre is (x' + w a_z, z' - w a_x). */
static void two_balls(const root *y, const root *in, root *rate, root *out)
{
    (void)in;
    const root *q[2] = {y, y + 3}, *u[2] = {y + 6, y + 9};
    const double mass[2] = {2, 1.5}, inertia[2] = {0.07, 0.03}, radius[2] = {0.3, 0.2};
    const root dx = q[0][0] - q[1][0], dz = q[0][1] - q[1][1], D = csqrt(dx * dx + dz * dz);
    const root n[2] = {dx / D, dz / D}, p = 0.5 - D;
    root at[2], arm[2][2], v[2][2], force[2], slip[2];
    for (int k = 0; k < 2; k++) at[k] = q[1][k] + n[k] * D * radius[1] / 0.5;
    for (int b = 0; b < 2; b++) {
        for (int k = 0; k < 2; k++) arm[b][k] = at[k] - q[b][k];
        v[b][0] = u[b][0] + u[b][2] * arm[b][1];
        v[b][1] = u[b][1] - u[b][2] * arm[b][0];
    }
    const root opening = n[0] * (u[0][0] - u[1][0]) + n[1] * (u[0][1] - u[1][1]);
    const root N = 800 * p * p * (1 - 1.5 * 0.1 * opening);
    const root across = n[0] * (v[0][0] - v[1][0]) + n[1] * (v[0][1] - v[1][1]);
    for (int k = 0; k < 2; k++) slip[k] = v[0][k] - v[1][k] - across * n[k];
    const root phi = ratio(0.6, 0.6, 0.3, 3, slip[0] * slip[0] + slip[1] * slip[1]);
    for (int k = 0; k < 2; k++) force[k] = N * n[k] - phi * N * slip[k];
    for (int b = 0; b < 2; b++) {
        const double sign = b ? -1 : 1;
        for (int k = 0; k < 3; k++) rate[3 * b + k] = u[b][k];
        rate[6 + 3 * b] = sign * force[0] / mass[b];
        rate[7 + 3 * b] = sign * force[1] / mass[b] - g;
        rate[8 + 3 * b] = sign * (arm[b][1] * force[0] - arm[b][0] * force[1]) / inertia[b];
    }
    out[0] = force[0];
    out[1] = force[1];
}

static void two_balls_that_rub(void **unused)
{
    (void)unused;
    check_rates(
        "two balls",
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  a: {mass: 2, inertia: [0.07, 0.07, 0.07], position: [0.15, 0, 0.4], velocity: [0.3, 0, "
        "-0.2], angular_velocity: [0, 1.5, 0]}\n"
        "  b: {mass: 1.5, inertia: [0.03, 0.03, 0.03], velocity: [-0.1, 0, 0.4], "
        "angular_velocity: [0, -0.7, 0]}\n"
        "joints: {p: {type: planar, between: [a, ground], at: [0, 0, 0], axis: y},\n"
        "  q: {type: planar, between: [b, ground], at: [0, 0, 0], axis: y}}\n"
        "loads: {t: {type: contact, between: [a, b], radius: 0.3, other_radius: 0.2, stiffness: "
        "800, exponent: 2, damping: 0.1, static_coefficient: 0.6, stiction_velocity: 0.3}}\n"
        "outputs: {x: FX(t), z: FZ(t)}\n"
        "linearize: {states: [a.x, a.z, a.ry, b.x, b.z, b.ry]}\n",
        false,
        &(explicit_system){two_balls,
                           12,
                           0,
                           2,
                           {"a.x", "a.z", "a.ry", "b.x", "b.z", "b.ry", "a.x'", "a.z'", "a.ry'",
                            "b.x'", "b.z'", "b.ry'"},
                           {0.15, 0.4, 0, 0, 0, 0, 0.3, -0.2, 1.5, -0.1, 0.4, -0.7},
                           {NULL},
                           {0},
                           {"x", "z"}});
}

/* Apart, and leaving so fast that the law would pull: no force. */
static void no_contact_pulls(void **unused)
{
    (void)unused;
    static const char form[] =
        "bodies: {b: {mass: 1, inertia: [1, 1, 1], position: [0, 0, %g], velocity: [0, 0, %g]}}\n"
        "joints: {j: {type: translational, between: [b, ground]}}\n"
        "loads:\n"
        "  t: {type: contact, between: [b, ground], radius: 0.5, stiffness: 100, damping: 0.4}\n"
        "  l: {type: limit, joint: j, lower: 0.5, stiffness: 100, exponent: 1.5, damping: 0.4}\n"
        "outputs: {t_: FZ(t), l_: FZ(l)}\n";
    const double pressed = 100 * pow(0.1, 1.5);
    const double cases[][3] = {{0.4, 0, pressed},
                               {0.4, -2, pressed * (1 + 0.6 * 2)},
                               {0.4, 1, pressed * (1 - 0.6)},
                               {0.4, 5 / 3. + 1e-3, 0},
                               {0.6, -3, 0}};
    for (int k = 0; k < 5; k++) {
        char yaml[700];
        snprintf(yaml, sizeof yaml, form, cases[k][0], cases[k][1]);
        whole x = whole_parse(yaml, NULL);
        assert_output(&x, "t_", cases[k][2]);
        assert_output(&x, "l_", cases[k][2]);
        whole_release(&x);
    }
}

/* ---- friction in joints ---------------------------------------------------------------------- */

static const double pin = 0.04, eps = 0.5, arm = 0.5;

static root smooth(root F2) { return csqrt(F2 + eps * eps); }

/* A rod of mass 3, its centre 0.5 below the pin (along y) and 0.3 to the side, J_c = 0.2. The pin
 * carries F at its ends, 0.2 apart, by the lever F (1/2 +- 0.3/0.2);
 *     F = m a_c + m g e_z,    (J_c + m l^2) w' = -m g l sin + T,    T = -(phi N + 0.6) r^2 w
 * where F and so N depends on w': solved by repetition, which converges by m l r mu/J each time. */
static void rubbing_pendulum(const root *y, const root *in, root *rate, root *out)
{
    (void)in;
    const double m = 3, J = 0.2 + m * arm * arm;
    const root s = csin(y[0]), c = ccos(y[0]), w = y[1];
    root alpha = 0, T = 0, N = 0;
    for (int k = 0; k < 60; k++) {
        alpha = (-m * g * arm * s + T) / J;
        const root ax = arm * (-alpha * c + w * w * s), az = arm * (alpha * s + w * w * c);
        const root F2 = m * m * (ax * ax + (az + g) * (az + g));
        N = 2 + smooth(F2 * 2 * 2) + smooth(F2 * 1 * 1);
        T = -(ratio(0.5, 0.3, 0.02, 0.1, pin * pin * w * w) * N + 0.6) * pin * pin * w;
    }
    rate[0] = w;
    rate[1] = alpha;
    out[0] = T;
}

static void a_pendulum_rubs_by_what_it_carries(void **unused)
{
    (void)unused;
    static const double speeds[] = {0, 0.3, -2, 9};
    for (int k = 0; k < 4; k++) {
        char yaml[900];
        snprintf(yaml, sizeof yaml,
                 "gravity: [0, 0, -9.81]\n"
                 "bodies: {b: {mass: 3, inertia: [0.3, 0.2, 0.1], position: [-0.5*sin(0.6), 0.3, "
                 "-0.5*cos(0.6)], orientation: {axis: [0, 1, 0], angle: 0.6}, "
                 "velocity: [-0.5*cos(0.6)*%g, 0, 0.5*sin(0.6)*%g], angular_velocity: [0, %g, "
                 "0]}}\n"
                 "joints: {pin: {type: revolute, between: [b, ground], at: [0, 0, 0], axis: y}}\n"
                 "loads: {rub: {type: friction, joint: pin, static_coefficient: 0.5, "
                 "dynamic_coefficient: 0.3, stiction_velocity: 0.02, dynamic_velocity: 0.1, "
                 "radius: 0.04, length: 0.2, preload: 2, smoothing: 0.5, viscous: 0.6}}\n"
                 "outputs: {t: TY(rub)}\n"
                 "linearize: {states: [b.ry]}\n",
                 speeds[k], speeds[k], speeds[k]);
        check_rates("rubbing pendulum", yaml, true,
                    &(explicit_system){rubbing_pendulum,
                                       2,
                                       0,
                                       1,
                                       {"b.ry", "b.ry'"},
                                       {0.6, speeds[k]},
                                       {NULL},
                                       {0},
                                       {"t"}});
    }
}

/* On a shaft along z, pressed by the weight's part across it, m 3 N/kg: v' and w' of the slip
 * (v, r w). */
static void shaft(const root *y, const root *in, root *rate, root *out)
{
    (void)in;
    const double N = 1.5 + sqrt(4 * 4 * 3 * 3 + eps * eps);
    const root phi = ratio(0.4, 0.2, 0.1, 1, y[2] * y[2] + pin * pin * y[3] * y[3]) * N;
    rate[0] = y[2];
    rate[1] = y[3];
    rate[2] = -2 - phi * y[2] / 4;
    rate[3] = -phi * pin * pin * y[3] / 0.3;
    out[0] = -phi * y[2];
}

static void a_sleeve_slides_and_turns_on_its_shaft(void **unused)
{
    (void)unused;
    check_rates(
        "shaft",
        "gravity: [3, 0, -2]\n"
        "bodies: {b: {mass: 4, inertia: [0.2, 0.2, 0.3], velocity: [0, 0, 0.7], "
        "angular_velocity: [0, 0, 12]}}\n"
        "joints: {s: {type: cylindrical, between: [b, ground]}}\n"
        "loads: {rub: {type: friction, joint: s, static_coefficient: 0.4, "
        "dynamic_coefficient: 0.2, stiction_velocity: 0.1, radius: 0.04, preload: 1.5, "
        "smoothing: 0.5}}\n"
        "outputs: {f: FZ(rub)}\n"
        "linearize: {states: [b.z, b.rz]}\n",
        true,
        &(explicit_system){
            shaft, 4, 0, 1, {"b.z", "b.rz", "b.z'", "b.rz'"}, {0, 0, 0.7, 12}, {NULL}, {0}, {"f"}});
}

/* A slide along x that hangs to the side by 0.2 m: the twist m g 0.2 is carried at r = 0.05. */
static void slide(const root *y, const root *in, root *rate, root *out)
{
    (void)in;
    const double F = 4 * g, N = sqrt(F * F + eps * eps) + sqrt(16 * F * F + eps * eps);
    rate[0] = y[1];
    rate[1] = out[0] = -ratio(0.1, 0.1, 0.3, 3, y[1] * y[1]) * N * y[1];
    rate[1] /= 4;
}

static void a_slide_carries_a_twist(void **unused)
{
    (void)unused;
    check_rates("slide",
                "gravity: [0, 0, -9.81]\n"
                "bodies: {b: {mass: 4, inertia: [1, 1, 1], position: [0, 0.2, 0], velocity: [0.4, "
                "0, 0]}}\n"
                "joints: {s: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}}\n"
                "loads: {rub: {type: friction, joint: s, static_coefficient: 0.1, "
                "stiction_velocity: 0.3, radius: 0.05, smoothing: 0.5}}\n"
                "outputs: {f: FX(rub)}\n"
                "linearize: {states: [b.x]}\n",
                true,
                &(explicit_system){slide, 2, 0, 1, {"b.x", "b.x'"}, {0, 0.4}, {NULL}, {0}, {"f"}});
}

/* A turntable that stands on its shoulder, of radius 0.2; the pin carries nothing but a preload. */
static void turntable(const root *y, const root *in, root *rate, root *out)
{
    (void)in;
    const root w = y[1];
    const double thrust = sqrt(4 * g * 4 * g + eps * eps);
    const root t = -ratio(0.4, 0.3, 0.1, 0.5, pin * pin * w * w) * (7 + eps) * pin * pin * w -
                   ratio(0.4, 0.3, 0.1, 0.5, 0.04 * w * w) * thrust * 0.04 * w;
    rate[0] = w;
    rate[1] = t / 0.3;
    out[0] = t;
}

static void a_turntable_stands_on_its_shoulder(void **unused)
{
    (void)unused;
    check_rates(
        "turntable",
        "gravity: [0, 0, -9.81]\n"
        "bodies: {b: {mass: 4, inertia: [1, 1, 0.3], angular_velocity: [0, 0, 1.1]}}\n"
        "joints: {s: {type: revolute, between: [b, ground]}}\n"
        "loads: {rub: {type: friction, joint: s, static_coefficient: 0.4, "
        "dynamic_coefficient: 0.3, stiction_velocity: 0.1, dynamic_velocity: 0.5, "
        "radius: 0.04, thrust_radius: 0.2, preload: 7, smoothing: 0.5}}\n"
        "outputs: {t: TZ(rub)}\n"
        "linearize: {states: [b.rz]}\n",
        true,
        &(explicit_system){turntable, 2, 0, 1, {"b.rz", "b.rz'"}, {0, 1.1}, {NULL}, {0}, {"t"}});
}

/* Torques of a ball joint, against w, and of a cross, about each leg by its own speed; of the
 * weight 4 g, and of a level. */
static void ball_joints_and_crosses(void **unused)
{
    (void)unused;
    static const char form[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies: {b: {mass: 4, inertia: [1, 1, 1], angular_velocity: [1, 2, %d]}}\n"
        "joints: {s: {type: %s, between: [b, ground]}}\n"
        "loads: {rub: {type: friction, joint: s, stiction_velocity: 0.5, %s}}\n"
        "outputs: {x: TX(rub), y: TY(rub), z: TZ(rub)}\n";
    static const char by_weight[] =
        "static_coefficient: 0.4, dynamic_coefficient: 0.3, radius: 0.1, smoothing: 0.5";
    static const char level[] = "static_level: 5, dynamic_level: 4";
    const double N = sqrt(4 * g * 4 * g + eps * eps);
    char yaml[700];
    snprintf(yaml, sizeof yaml, form, 3, "spherical", by_weight);
    whole x = whole_parse(yaml, NULL);
    const double ball = creal(ratio(0.4, 0.3, 0.5, 5, 0.01 * 14)) * N * 0.01;
    assert_output(&x, "x", -ball);
    assert_output(&x, "y", -2 * ball);
    assert_output(&x, "z", -3 * ball);
    whole_release(&x);
    snprintf(yaml, sizeof yaml, form, 0, "universal", by_weight);
    x = whole_parse(yaml, NULL);
    assert_output(&x, "x", -creal(ratio(0.4, 0.3, 0.5, 5, 0.01)) * N * 0.01);
    assert_output(&x, "y", -creal(ratio(0.4, 0.3, 0.5, 5, 0.04)) * N * 0.01 * 2);
    assert_output(&x, "z", 0);
    whole_release(&x);
    snprintf(yaml, sizeof yaml, form, 0, "universal", level);
    x = whole_parse(yaml, NULL);
    assert_output(&x, "x", -creal(ratio(5, 4, 0.5, 5, 1)));
    assert_output(&x, "y", -creal(ratio(5, 4, 0.5, 5, 4)) * 2);
    whole_release(&x);
}

/* The torque of a level, 0.6 at rest and 0.4 sliding, at a speed. */
static double level_at(double speed)
{
    char yaml[400];
    snprintf(yaml, sizeof yaml,
             "bodies: {b: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, %.17g]}}\n"
             "joints: {j: {type: revolute, between: [b, ground]}}\n"
             "loads: {rub: {type: friction, joint: j, static_level: 0.6, dynamic_level: 0.4, "
             "stiction_velocity: 0.01}}\n"
             "outputs: {t: TZ(rub)}\n",
             speed);
    whole x = whole_parse(yaml, NULL);
    const double found = -x.linear->outputs[0].value;
    whole_release(&x);
    return found;
}

/* Rises with mu_s/v_s, comes to within 3 parts in 100 of mu_s where v_d = 10 v_s, and goes down to
 * mu_d: what the theory page says. */
static void the_law_of_friction_is_what_its_page_says(void **unused)
{
    (void)unused;
    double peak = 0;
    for (int k = 1; k < 60; k++) peak = fmax(peak, level_at(k * 0.001));
    assert_true(peak > 0.97 * 0.6 && peak < 0.6);
    assert_true(fabs(level_at(1e-8) / (0.6 * 1e-6) - 1) < 1e-11);
    assert_true(fabs(level_at(1) / 0.4 - 1) < 1e-8);
}

/* ---- stops ----------------------------------------------------------------------------------- */

/* Held against a stop by Q: the depth (Q/k)^(1/n), and J s^2 + 3/2 c Q s + n Q/depth = 0. */
static void check_stop(const char *yaml, double Q, double J, double k, double n, double c,
                       double stop, double sign)
{
    const double depth = pow(Q / k, 1 / n);
    const root b = 1.5 * c * Q / J, w2 = n * Q / depth / J, disc = csqrt(b * b - 4 * w2);
    const root expected[] = {(-b + disc) / 2, (-b - disc) / 2};
    whole_way way = {0};
    for (int w = 0; whole_next_way(&w, &way);) {
        whole x = whole_parse(yaml, &way);
        assert_output(&x, "q", stop + sign * depth);
        assert_output(&x, "f", -sign * Q);
        whole_assert_whole_spectrum("stop", x.modes, expected, 2, 1e-9);
        whole_release(&x);
    }
}

static void stops_hold_what_leans_on_them(void **unused)
{
    (void)unused;
    check_stop("bodies: {b: {mass: 1, inertia: [1, 1, 0.7], orientation: {axis: [0, 0, 1], angle: "
               "0.8}}}\n"
               "joints: {j: {type: revolute, between: [b, ground]}}\n"
               "loads: {t: {type: torque, on: b, components: [0, 0, 3]},\n"
               "  s: {type: limit, joint: j, lower: -10 deg, upper: 0.75, stiffness: 90, exponent: "
               "1.4, damping: 0.5}}\n"
               "outputs: {q: 'AZ(b)', f: TZ(s)}\n"
               "operating_point: {type: static}\n",
               3, 0.7, 90, 1.4, 0.5, 0.75, 1);
    check_stop("gravity: [0, 0, -9.81]\n"
               "bodies: {b: {mass: 2, inertia: [1, 1, 1], position: [0, 0, -0.29]}}\n"
               "joints: {j: {type: translational, between: [b, ground]}}\n"
               "loads: {s: {type: limit, joint: j, lower: -0.2, upper: 0.1, stiffness: 400, "
               "damping: 0.8}}\n"
               "outputs: {q: DZ(b), f: FZ(s)}\n"
               "operating_point: {type: static}\n",
               2 * g, 2, 400, 1, 0.8, -0.2, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_at_rest),
        cmocka_unit_test(a_ball_that_slides_and_turns),
        cmocka_unit_test(two_balls_that_rub),
        cmocka_unit_test(no_contact_pulls),
        cmocka_unit_test(a_pendulum_rubs_by_what_it_carries),
        cmocka_unit_test(a_sleeve_slides_and_turns_on_its_shaft),
        cmocka_unit_test(a_slide_carries_a_twist),
        cmocka_unit_test(a_turntable_stands_on_its_shoulder),
        cmocka_unit_test(ball_joints_and_crosses),
        cmocka_unit_test(the_law_of_friction_is_what_its_page_says),
        cmocka_unit_test(stops_hold_what_leans_on_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
