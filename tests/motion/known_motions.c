#include "known_motions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* A rod of 1 m on a hinge, from 170 degrees: I = 1/3 about the hinge, m g l/2 = 9.81/2. */
const char pendulum[] = "title: pendulum\n"
                        "gravity: [0, 0, -9.81]\n"
                        "parameters: {a: 170 deg}\n"
                        "bodies:\n"
                        "  rod: {mass: 1, inertia: [1/12, 1/12, 1/600],\n"
                        "        position: [0.5*sin(a), 0, -0.5*cos(a)],\n"
                        "        orientation: {axis: [0, 1, 0], angle: -a}}\n"
                        "joints:\n"
                        "  hinge: {type: revolute, between: [rod, ground], at: [0, 0, 0], "
                        "axis: y}\n"
                        "operating_point: {type: given}\n";
const double pendulum_amplitude = 170 * 3.14159265358979323846 / 180;
static const double small_frequency = 3.8360135557633265; /* sqrt(9.81/2 * 3) */

/* sn(u, k) and K(k) by the arithmetic-geometric mean (Abramowitz and Stegun 16.4, 17.6). */
static double quarter_period(double k)
{
    double a = 1, b = sqrt(1 - k * k);
    for (int i = 0; i < 10; i++) {
        const double next = (a + b) / 2;
        b = sqrt(a * b), a = next;
    }
    return acos(-1) / (2 * a);
}

double jacobi_sn(double u, double k)
{
    enum { N = 8 };
    double a[N + 1] = {1}, b = sqrt(1 - k * k), c[N + 1] = {k};
    for (int i = 0; i < N; i++) {
        a[i + 1] = (a[i] + b) / 2;
        c[i + 1] = (a[i] - b) / 2;
        b = sqrt(a[i] * b);
    }
    double phi = ldexp(a[N] * u, N);
    for (int i = N; i > 0; i--) phi = (phi + asin(c[i] * sin(phi) / a[i])) / 2;
    return sin(phi);
}

/* From rest at the amplitude: sin(theta/2) = k sn(K - w t, k), k = sin(amplitude/2). */
static double pendulum_angle(double t)
{
    const double k = sin(pendulum_amplitude / 2);
    return 2 * asin(k * jacobi_sn(quarter_period(k) - small_frequency * t, k));
}

double pendulum_error(moving *t, double time)
{
    moving_to(t, time);
    const double *r = moving_body(t, 0)->r, angle = pendulum_angle(time);
    return hypot(r[0] - sin(angle) / 2, r[2] + cos(angle) / 2);
}

/* A crank that goes round and round. */
const char crank_rocker[] =
    "title: crank and rocker\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.01, 0.02, 0.02], position: [0.2, 0, 0],\n"
    "          velocity: [0, 2.4, 0], angular_velocity: [0, 0, 12]}\n"
    "  rod: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.9, 0.15, 0]}\n"
    "  rocker: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [1.35, 0.4, 0]}\n"
    "joints:\n"
    "  a: {type: revolute, between: [crank, ground], at: [0, 0, 0], axis: z}\n"
    "  b: {type: revolute, between: [crank, rod], at: [0.4, 0, 0], axis: z}\n"
    "  c: {type: revolute, between: [rod, rocker], at: [1.4, 0.8, 0], axis: z}\n"
    "  d: {type: revolute, between: [rocker, ground], at: [1.3, 0, 0], axis: z}\n"
    "operating_point: {type: given}\n";

/* Two bodies on balls, turning about all axes: every turn comes to the end of its angles. */
const char tumbling[] =
    "title: two bodies on balls\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [0.1, 0.1, 0.02], position: [0.5, 0, 0],\n"
    "      angular_velocity: [0.3, 0.2, 3], orientation: {axis: [0, 1, 0], angle: 90 deg}}\n"
    "  b: {mass: 1, inertia: [0.1, 0.08, 0.02], position: [1.5, 0, 0],\n"
    "      angular_velocity: [0.3, 2, 12], orientation: {axis: [0, 1, 0], angle: 90 deg}}\n"
    "joints:\n"
    "  s: {type: spherical, between: [a, ground], at: [0, 0, 0]}\n"
    "  u: {type: spherical, between: [b, a], at: [1, 0, 0]}\n"
    "operating_point: {type: given}\n";

static const double disc_mass = 1.3, disc_radius = 0.25, disc_speed = 1.4, disc_nudge = 0.3;

/* theta' = w1 and w' of tests/operating/test_nonholonomic.c (Neimark and Fufaev 1972). */
static void disc_rates(const double y[4], double rate[4])
{
    const double m = disc_mass, r = disc_radius, A = m * r * r / 4, C = m * r * r / 2;
    const double c = cos(y[0]), s = sin(y[0]), w1 = y[1], w2 = y[2], w3 = y[3], W3 = w2 * c / s;
    rate[0] = w1;
    rate[1] = (A * w2 * W3 - (C + m * r * r) * w2 * w3 - m * 9.81 * r * c) / (A + m * r * r);
    rate[2] = (C * w3 * w1 - A * w1 * W3) / A;
    rate[3] = m * r * r * w1 * w2 / (C + m * r * r);
}

static void disc_go(double y[4], double time, int steps)
{
    const double h = time / steps;
    for (int n = 0; n < steps; n++) {
        double k[4][4], at[4];
        disc_rates(y, k[0]);
        for (int s = 1; s < 4; s++) {
            for (int i = 0; i < 4; i++) at[i] = y[i] + (s < 3 ? h / 2 : h) * k[s - 1][i];
            disc_rates(at, k[s]);
        }
        for (int i = 0; i < 4; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

/* Rolling along x, nudged about x: e1 is x, e3 = -y at first, and theta = pi/2. */
const char rolling_disc[] =
    "title: disc\n"
    "gravity: [0, 0, -9.81]\n"
    "parameters: {v: 1.4, r: 0.25, m: 1.3, A: m*r^2/4, C: m*r^2/2}\n"
    "bodies:\n"
    "  disc: {mass: m, inertia: [A, C, A], position: [0, 0, r], velocity: [v, -0.3*r, 0],\n"
    "         angular_velocity: [0.3, v/r, 0]}\n"
    "markers:\n"
    "  axle: {body: disc, orientation: {axis: [1, 0, 0], angle: -90 deg}}\n"
    "joints:\n"
    "  contact: {type: rolling, between: [axle, ground], radius: r}\n"
    "operating_point: {type: given}\n";

/* A mass that a controller pulls back: x'' = -z, lag z' = 30 x + 4 x' - z, on a slide that a motion
 * shakes. */
const char controlled[] =
    "title: controlled slide\n"
    "bodies:\n"
    "  base: {mass: 1, inertia: [1, 1, 1]}\n"
    "  cart: {mass: 2, inertia: [1, 1, 1], position: [0.1, 0, 0]}\n"
    "joints:\n"
    "  rail: {type: translational, between: [base, ground], at: [0, 0, 0], axis: x}\n"
    "  slide: {type: translational, between: [cart, base], at: [0, 0, 0], axis: x}\n"
    "  shaker: {type: motion, joint: rail, function: 0.05*sin(3*TIME)}\n"
    "controllers:\n"
    "  z: {type: differential, rate: \"(30*DX(cart, base) + 4*VX(cart, base) - z)/0.2\",\n"
    "      initial: 1}\n"
    "loads:\n"
    "  push: {type: force, on: cart, components: [-2*z, 0, 0]}\n"
    "operating_point: {type: given}\n";

/* The same by 3 equations and small steps of the classical formula: s the cart's place, in the
 * world. */
static void slide_rates(double t, const double y[3], double rate[3])
{
    const double base = 0.05 * sin(3 * t), base_speed = 0.15 * cos(3 * t);
    rate[0] = y[1];
    rate[1] = -y[2];
    rate[2] = (30 * (y[0] - base) + 4 * (y[1] - base_speed) - y[2]) / 0.2;
}

static void slide_go(double y[3], double time, int steps)
{
    const double h = time / steps;
    for (int n = 0; n < steps; n++) {
        double k[4][3], at[3];
        const double t = n * h;
        slide_rates(t, y, k[0]);
        for (int s = 1; s < 4; s++) {
            const double part = s < 3 ? h / 2 : h;
            for (int i = 0; i < 3; i++) at[i] = y[i] + part * k[s - 1][i];
            slide_rates(t + part, at, k[s]);
        }
        for (int i = 0; i < 3; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

/* Driven altogether, there is nothing to integrate, and no error to choose a step by. */
const char driven[] =
    "title: driven crank\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0]}\n"
    "joints:\n"
    "  hinge: {type: revolute, between: [crank, ground], at: [0, 0, 0], axis: z}\n"
    "  motor: {type: motion, joint: hinge, function: 2*TIME + TIME^2}\n"
    "operating_point: {type: given}\n";

double disc_error(moving *t, double time)
{
    double y[4] = {acos(-1) / 2, disc_nudge, 0, -disc_speed / disc_radius}, w[3];
    moving_to(t, time);
    disc_go(y, time, 20000); /* (1.5 s / 20000)^4 of a few per second: 1e-15 */
    assert_true(fabs(y[0] - acos(-1) / 2) > 0.02); /* it leans */
    const rt_frame *f = moving_body(t, 0);
    rt_m3_tmul_v(w, f->A, f->w);
    return fmax(fabs(f->r[2] - disc_radius * sin(y[0])), fabs(fabs(w[1]) - fabs(y[3])));
}

double controlled_error(moving *t, double time)
{
    double y[3] = {moving_body(t, 1)->r[0], moving_body(t, 1)->v[0], 1};
    moving_to(t, time);
    slide_go(y, time, 20000);
    assert_true(fabs(moving_body(t, 0)->r[0] - 0.05 * sin(3 * time)) < 1e-11);
    return fmax(fabs(moving_body(t, 1)->r[0] - y[0]),
                fabs(rt_simulation_state(t->s)->signal[0] - y[2]));
}

double driven_error(moving *t, double time)
{
    const double angle = 2 * time + time * time;
    moving_to(t, time);
    const rt_frame *f = moving_body(t, 0);
    const double place = hypot(f->r[0] - 0.5 * cos(angle), f->r[1] - 0.5 * sin(angle));
    return fmax(place, fmax(fabs(f->w[2] - 2 - 2 * time), 1e-2 * fabs(f->al[2] - 2)));
}
