/* Examples with controllers against their equations, written by hand here with the numbers of the
 * files: A, B, C, D, with B1 .. D2 of inputs that drive motions, by complex steps, and what else is
 * known of them in closed form. In every coordinate set by every exact method. */
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

static const double g = 9.81, pi = 3.1415926535897932384626433832795;

static void check_example(const char *path, const explicit_system *system, double tolerance)
{
    whole_way way = {0};
    for (int k = 0; whole_next_way(&k, &way);) {
        char what[160];
        whole x = whole_read(path, &way);
        snprintf(what, sizeof what, "%s, %s, %s", path, way.coordinates, way.method);
        assert_linearizes(what, x.linear, system, tolerance);
        whole_release(&x);
    }
}

/* ---- pendulum on a cart ---------------------------------------------------------------------- */

static const double cart = 1.5, pole = 0.3, arm = 0.4, pole_inertia = 0.016;
static const double gains[4] = {-31.622776601683793, -119.07695606901341, -25.570549569568987,
                                -26.741644079064793};

/* (M + m) x'' + m l (theta'' cos theta - theta'^2 sin theta) = F
 * m l x'' cos theta + (J + m l^2) theta'' = m g l sin theta,   theta from upright, towards +x */
static void cart_pendulum(const root *y, const root *in, root *rate, root *out)
{
    const root s = csin(y[1]), c = ccos(y[1]);
    const root motor =
        -gains[0] * (y[0] - in[0]) - gains[1] * y[1] - gains[2] * y[2] - gains[3] * y[3];
    const root F = motor + in[1] + pole * arm * y[3] * y[3] * s, T = pole * g * arm * s;
    const root a = cart + pole, b = pole * arm * c, d = pole_inertia + pole * arm * arm;
    rate[0] = y[2];
    rate[1] = y[3];
    rate[2] = (d * F - b * T) / (a * d - b * b);
    rate[3] = (a * T - b * F) / (a * d - b * b);
    out[0] = y[0];
    out[1] = y[1];
    out[2] = motor;
}

static void a_pendulum_on_a_cart(void **unused)
{
    (void)unused;
    check_example("examples/cart-pendulum-lqr.yaml",
                  &(explicit_system){cart_pendulum,
                                     4,
                                     2,
                                     3,
                                     {"cart.x", "angle", "cart.x'", "angle'"},
                                     {0},
                                     {"reference", "push"},
                                     {0},
                                     {"position", "angle", "force"}},
                  1e-10);
}

/* p(s) q(s), of degrees m and n, constants first */
static void multiply(const root *p, int m, const root *q, int n, root *product)
{
    for (int k = 0; k <= m + n; k++) product[k] = 0;
    for (int i = 0; i <= m; i++)
        for (int j = 0; j <= n; j++) product[i + j] += p[i] * q[j];
}

/* Of the optimal feedback the eigenvalues are the stable roots of
 *     d(s) d(-s) + sum q_k/r n_k(s) n_k(-s) = 0
 * with the transfer functions n_k/d from the force to position and angle (Kalman 1964; Anderson and
 * Moore, Optimal Control, section 5.2). Here all are even in s:
 *     d = s^2 (D s^2 - (M + m) m g l),   n_x = (J + m l^2) s^2 - m g l,   n_angle = -m l s^2. */
static void its_feedback_is_optimal(void **unused)
{
    (void)unused;
    const double I2 = pole_inertia + pole * arm * arm, ml = pole * arm;
    const double D = (cart + pole) * I2 - ml * ml;
    const root d[5] = {0, 0, -(cart + pole) * ml * g, 0, D}, nx[3] = {-ml * g, 0, I2},
               na[3] = {0, 0, -ml};
    root sum[9], term[9], all[8], s[4];
    int n = 0;
    multiply(d, 4, d, 4, sum);
    multiply(nx, 2, nx, 2, term);
    for (int k = 0; k <= 4; k++) sum[k] += 100 / 0.1 * term[k];
    multiply(na, 2, na, 2, term);
    for (int k = 0; k <= 4; k++) sum[k] += 50 / 0.1 * term[k];
    polynomial_roots(sum, 8, all);
    for (int k = 0; k < 8; k++)
        if (creal(all[k]) < 0 && n < 4) s[n++] = all[k];
    assert_int_equal(n, 4);
    whole x = whole_read("examples/cart-pendulum-lqr.yaml", NULL);
    whole_assert_whole_spectrum("optimal", x.modes, s, 4, 1e-9);
    whole_release(&x);
}

/* ---- cars ------------------------------------------------------------------------------------ */

/* y = heights of body and wheel from rest, their rates, velocity, actuator */
static void quarter_car(const root *y, const root *in, root *rate, root *out)
{
    const double m = 320, mw = 40, k = 18e3, c = 900, kt = 190e3, ct = 60;
    const root strut = -k * (y[0] - y[1]) - c * (y[2] - y[3]) + y[5];
    const root tyre = -kt * (y[1] - in[0]) - ct * (y[3] - in[2]);
    rate[0] = y[2];
    rate[1] = y[3];
    rate[2] = (strut - in[1]) / m;
    rate[3] = (tyre - strut) / mw;
    rate[4] = rate[2] - y[4] / 2;
    rate[5] = (-y[5] - 2200 * y[4]) / 0.01;
    out[0] = rate[2];
    out[1] = y[0] - y[1];
    out[2] = tyre;
}

static void a_quarter_car(void **unused)
{
    (void)unused;
    check_example(
        "examples/quarter-car-active.yaml",
        &(explicit_system){quarter_car,
                           6,
                           2,
                           3,
                           {"body.z", "wheel.z", "body.z'", "wheel.z'", "velocity", "actuator"},
                           {0},
                           {"road", "load"},
                           {0},
                           {"acceleration", "travel", "grip"}},
        1e-9);
}

/* A strut between a top of the body, at (x, h) from its centre of mass, and a wheel: its push. */
static root strut(const root *y, double x, double h, int wheel, double k, double N, root actuator)
{
    const root s = csin(y[1]), c = ccos(y[1]);
    const root across = x * c + h * s - x, up = 0.3 + y[0] - x * s + h * c - y[wheel];
    const root length = csqrt(across * across + up * up);
    const root rate =
        (across * (-x * s + h * c) * y[5] + up * (y[4] - (x * c + h * s) * y[5] - y[wheel + 4])) /
        length;
    return N + actuator - k * (length - 0.4) - 1100 * rate;
}

/* y: heave, pitch, front and rear wheel, their rates (4..7), the estimator's states (8..10), the
 * PID's (11, 12), the actuators (13, 14). in: front and rear road, level. */
static void half_car(const root *y, const root *in, root *rate, root *out)
{
    const double m = 690, J = 1220, a = 1.25, b = 1.51, mw = 40, kt = 190e3, h = 0.1;
    const double Nf = m * g * b / (a + b), Nr = m * g * a / (a + b);
    const double slow = 0.4 * pi, fast = 60 * pi;
    const double x[2] = {a, -b}, k[2] = {17e3, 22e3}, N[2] = {Nf, Nr};
    root F = -m * g, T = 0;
    const root s = csin(y[1]), c = ccos(y[1]);
    for (int i = 0; i < 2; i++) {
        const root push = strut(y, x[i], h, 2 + i, k[i], N[i], y[13 + i]);
        const root across = x[i] * c + h * s - x[i], up = 0.3 + y[0] - x[i] * s + h * c - y[2 + i];
        const root length = csqrt(across * across + up * up);
        const root fx = push * across / length, fz = push * up / length;
        F += fz;
        T += (-x[i] * s + h * c) * fx - (x[i] * c + h * s) * fz;
        rate[6 + i] = (N[i] + mw * g - kt * (y[2 + i] - in[i]) - mw * g - fz) / mw;
    }
    for (int i = 0; i < 4; i++) rate[i] = y[4 + i];
    rate[4] = F / m;
    rate[5] = T / J;
    rate[8] = rate[4] - fast * y[8];
    rate[9] = fast * y[8] - slow * y[9];
    rate[10] = fast * y[8] - slow * y[9] - slow * y[10];
    const root error = in[2] - y[1], slope = (error - y[12]) / 0.005;
    const root moment = 12e3 * error + 6e3 * y[11] + 2e3 * slope, sky = -1800 * y[10];
    rate[11] = error;
    rate[12] = slope;
    rate[13] = ((sky * b - moment) / (a + b) - y[13]) / 0.008;
    rate[14] = ((sky * a + moment) / (a + b) - y[14]) / 0.008;
    out[0] = rate[4];
    out[1] = y[1];
    for (int i = 0; i < 2; i++) out[2 + i] = y[0] - x[i] * s + h * (c - 1) - y[2 + i];
}

static void half_a_car(void **unused)
{
    (void)unused;
    check_example("examples/half-car-active.yaml",
                  &(explicit_system){half_car,
                                     15,
                                     3,
                                     4,
                                     {"body.z", "body.ry", "front.z", "rear.z", "body.z'",
                                      "body.ry'", "front.z'", "rear.z'", "estimator.smooth",
                                      "estimator.washed", "estimator.heave", "levelling.integral",
                                      "levelling.derivative", "front_actuator", "rear_actuator"},
                                     {0},
                                     {"front_road", "rear_road", "level"},
                                     {0},
                                     {"heave", "pitch", "front_travel", "rear_travel"}},
                  1e-9);
}

/* y: the wheel's angle and rate, measured slip, pressure */
static const double brake_v = 100 / 3.6, brake_slip = 0.22;

static root friction(root slip) { return 3500 * csin(1.45 * catan(12 * slip)); }

static double brake_pressure(void) { return creal(friction(brake_slip)) * 0.31 / 18; }

static double brake_target(void)
{
    const double p = brake_pressure();
    return brake_slip + 0.05 / 2 * log(p / (120 - p));
}

static void brake(const root *y, const root *in, root *rate, root *out)
{
    const root slip = 1 - 0.31 * y[1] / brake_v, f = friction(slip);
    rate[0] = y[1];
    rate[1] = (0.31 * f - 18 * y[3] + in[1]) / 1.1;
    rate[2] = (slip - y[2]) / 0.004;
    rate[3] = (60 * (1 - ctanh((y[2] - in[0]) / 0.05)) - y[3]) / 0.012;
    out[0] = slip;
    out[1] = f;
    out[2] = y[1];
}

static void a_braked_wheel(void **unused)
{
    (void)unused;
    const double w = brake_v * (1 - brake_slip) / 0.31;
    check_example("examples/abs-wheel.yaml",
                  &(explicit_system){brake,
                                     4,
                                     2,
                                     3,
                                     {"wheel.ry", "wheel.ry'", "measured", "pressure"},
                                     {0, w, brake_slip, brake_pressure()},
                                     {"target", "disturbance"},
                                     {brake_target(), 0},
                                     {"slip", "force", "speed"}},
                  1e-10);
}

/* ---- a crane --------------------------------------------------------------------------------- */

/* Solves M x = b of order three by elimination; M is not small anywhere on its diagonal. */
static void solve_three(root M[3][3], root b[3])
{
    for (int k = 0; k < 3; k++)
        for (int i = k + 1; i < 3; i++) {
            const root f = M[i][k] / M[k][k];
            for (int j = k; j < 3; j++) M[i][j] -= f * M[k][j];
            b[i] -= f * b[k];
        }
    for (int k = 2; k >= 0; k--) {
        for (int j = k + 1; j < 3; j++) b[k] -= M[k][j] * b[j];
        b[k] /= M[k][k];
    }
}

/* y: trolley, the rope's and the sling's angle from it, their rates (3..5), the PID's states (6,
 * 7), the drive (8). in: target, hoist, wind, with two derivatives. Of each body: acceleration =
 * J q'' + bias along x and z; M = sum m J'J + inertia, b = sum J' (force - m bias). */
static void crane(const root *y, const root *in, root *rate, root *out)
{
    const double m[4] = {2000, 20, 400, 8000}, inertia[4] = {0, 20 * 81 / 12.0, 40, 9000};
    const double sling = 3;
    const root L = 9 + in[1], L1 = in[4], L2 = in[7];
    const root f = y[1], h = y[1] + y[2], f1 = y[4], h1 = y[4] + y[5];
    const root s = csin(f), c = ccos(f), sh = csin(h), ch = ccos(h);
    /* coordinates: trolley, rope's angle f, load's angle h */
    const root Jx[4][3] = {{1, 0, 0}, {1, 4.5 * c, 0}, {1, L * c, 0}, {1, L * c, sling * ch}};
    const root Jz[4][3] = {{0, 0, 0}, {0, 4.5 * s, 0}, {0, L * s, 0}, {0, L * s, sling * sh}};
    const root hook_x = L2 * s + 2 * L1 * c * f1 - L * s * f1 * f1;
    const root hook_z = -L2 * c + 2 * L1 * s * f1 + L * c * f1 * f1;
    const root bx[4] = {0, -4.5 * s * f1 * f1, hook_x, hook_x - sling * sh * h1 * h1};
    const root bz[4] = {0, 4.5 * c * f1 * f1, hook_z, hook_z + sling * ch * h1 * h1};
    const root fx[4] = {y[8] - 300 * y[3], 0, 0, in[2]};
    root M[3][3] = {{0}}, b[3] = {0};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++) {
            b[j] += Jx[i][j] * (fx[i] - m[i] * bx[i]) - Jz[i][j] * m[i] * (g + bz[i]);
            for (int k = 0; k < 3; k++)
                M[j][k] += m[i] * (Jx[i][j] * Jx[i][k] + Jz[i][j] * Jz[i][k]);
        }
    M[1][1] += inertia[1] + inertia[2];
    M[2][2] += inertia[3];
    solve_three(M, b);
    for (int k = 0; k < 3; k++) rate[k] = y[3 + k];
    rate[3] = b[0];
    rate[4] = b[1];
    rate[5] = b[2] - b[1];
    const root error = in[0] - y[0];
    rate[6] = error;
    rate[7] = (error - y[7]) / 0.05;
    rate[8] = (2400 * error + 80 * y[6] + 9000 * rate[7] + 30e3 * f - y[8]) / 0.1;
    /* along the rope, from the load up: what holds hook and load */
    root force = s * in[2];
    for (int i = 2; i < 4; i++) {
        root ax = bx[i], az = bz[i];
        for (int k = 0; k < 3; k++) ax += Jx[i][k] * b[k], az += Jz[i][k] * b[k];
        force += m[i] * (-s * ax + c * (az + g));
    }
    out[0] = y[0];
    out[1] = y[0] + L * s + sling * sh;
    out[2] = force;
}

static void a_gantry_crane(void **unused)
{
    (void)unused;
    check_example("examples/gantry-crane.yaml",
                  &(explicit_system){crane,
                                     9,
                                     3,
                                     3,
                                     {"trolley.x", "sway", "swing", "trolley.x'", "sway'", "swing'",
                                      "position.integral", "position.derivative", "drive"},
                                     {0},
                                     {"target", "hoist", "wind"},
                                     {0},
                                     {"position", "load_position", "rope_force"}},
                  1e-9);
}

/* ---- a rotor --------------------------------------------------------------------------------- */

/* In z = x + i y of a rigid rotor between two like bearings, both planes alike, with the current
 * controllers' G(s) = p + i/s + d s/(1 + tau s):
 *     m s^2 - 2 ks + 2 ki G(s) = 0                                 moving aside,
 *     It s^2 - i Ip Omega s + l^2 (-2 ks + 2 ki G(s)) = 0          tilting,
 * and the conjugates of the roots (Schweitzer and Maslen, Magnetic Bearings, 2009, chapter 8).
 * Along the axis m s^2 + k = 0; about it two zeros. */
static void planes(root inertia, root gyroscopic, double lever, root *s)
{
    const double ks = 2.5e5, ki = 80, p = 9e3, i = 4e4, d = 12, tau = 1e-4, l2 = lever * lever;
    /* times s (1 + tau s) */
    const root stiff[4] = {2 * ki * i, -2 * ks + 2 * ki * (p + i * tau),
                           -2 * ks * tau + 2 * ki * (p * tau + d), 0};
    root c[5] = {0};
    for (int k = 0; k < 3; k++) c[k] = l2 * stiff[k];
    c[2] += gyroscopic;
    c[3] += gyroscopic * tau + inertia;
    c[4] = inertia * tau;
    polynomial_roots(c, 4, s);
    for (int k = 0; k < 4; k++) s[4 + k] = conj(s[k]);
}

static void a_rotor_in_magnetic_bearings(void **unused)
{
    (void)unused;
    const char *const spins[3] = {"0", "12000 rpm", "40000 rpm"};
    const double spin[3] = {0, 400 * pi, 4000 / 3.0 * pi};
    for (int j = 0; j < 3; j++) {
        whole_way way = {.n_settings = 1, .settings = {{"spin", spins[j]}}};
        root s[18];
        planes(4.2, 0, 1, s);
        planes(0.022, -I * 0.008 * spin[j], 0.12, s + 8);
        s[16] = csqrt(-5e4 / 4.2);
        s[17] = -s[16];
        for (int k = 0; whole_next_way(&k, &way);) {
            char what[160];
            whole x = whole_read("examples/magnetic-bearing-rotor.yaml", &way);
            snprintf(what, sizeof what, "spin %s, %s, %s", spins[j], way.coordinates, way.method);
            assert_int_equal(x.modes->n, 20);
            assert_true(x.linear->steady || x.linear->at_rest);
            whole_assert_spectrum(what, x.modes, s, 18, 1e-8);
            whole_release(&x);
        }
    }
}

/* ---- ball at its terminal velocity ----------------------------------------------------------- */

/* m v' = -c |v| v - m g: about v = sqrt(m g/c) downwards -c (v 1 + v v'/|v|)/m is -2 g/v along the
 * fall and -g/v across. */
static void a_ball_at_its_terminal_velocity(void **unused)
{
    (void)unused;
    const double m = 0.057, c = 0.5 * 1.2 * 0.55 * pi * 0.033 * 0.033, v = sqrt(m * g / c);
    const double rates[3] = {-g / v, -2 * g / v, -g / v}; /* x, z, y */
    whole_way way = {0};
    for (int k = 0; whole_next_way(&k, &way);) {
        whole x = whole_read("examples/falling-ball.yaml", &way);
        const int n = x.linear->n_states;
        assert_int_equal(n, 12);
        for (int i = 0; i < 3; i++)
            if (!(fabs(x.linear->A[(6 + i) * n + 6 + i] / rates[i] - 1) < 1e-9))
                fail_msg("%s, %s: %.12g, not %.12g", way.coordinates, way.method,
                         x.linear->A[(6 + i) * n + 6 + i], rates[i]);
        whole_release(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_at_its_terminal_velocity),
        cmocka_unit_test(a_pendulum_on_a_cart),
        cmocka_unit_test(its_feedback_is_optimal),
        cmocka_unit_test(a_quarter_car),
        cmocka_unit_test(half_a_car),
        cmocka_unit_test(a_braked_wheel),
        cmocka_unit_test(a_gantry_crane),
        cmocka_unit_test(a_rotor_in_magnetic_bearings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
