/* Steady motions against closed forms, in every coordinate set, and carried on by integrating the
 * equations of motion. */
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
#include "operating/operating.h"

enum { ROOM = 6000 };

static void near(const char *what, double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance * fmax(1, fabs(expected))))
        fail_msg("%s is %.17g and should be %.17g", what, found, expected);
}

/* Calls `check` on the steady motion in every coordinate set; the linear model as the moving frame
 * sees it must be steady. */
static void in_every_set(const char *yaml, void (*check)(const whole *x, const void *with),
                         const void *with)
{
    for (int k = 0; routh_coordinate_name(k); k++) {
        const whole_way way = {.coordinates = routh_coordinate_name(k)};
        whole x = whole_parse(yaml, &way);
        assert_int_equal(x.point->type, ROUTH_OPERATING_STEADY);
        assert_non_null(x.point->steady);
        if (!(x.point->steady->drift < 1e-10))
            fail_msg("%s: carried on, the motion is off by %g", way.coordinates,
                     x.point->steady->drift);
        if (!x.linear->steady) fail_msg("%s: drift %g", way.coordinates, x.linear->drift);
        if (!(x.point->residual < 1e-11))
            fail_msg("%s: residual %g", way.coordinates, x.point->residual);
        check(&x, with);
        whole_release(&x);
    }
}

/* ---- integration ---------------------------------------------------------------------------- */

typedef struct flight {
    rt_search s;
    int n, n_x;
    double *y, *k, *at;
} flight;

/* y = q, q', x in Euler parameters, where u is q'. */
static void rates(flight *f, const double *y, double *rate)
{
    rt_state *state = f->s.state;
    routh_error error = {0};
    const size_t n = (size_t)f->n, n_x = (size_t)f->n_x;
    memcpy(state->q, y, n * sizeof *y);
    memcpy(state->u, y + n, n * sizeof *y);
    memcpy(state->signal, y + 2 * n, n_x * sizeof *y);
    if (rt_find_accelerations(&f->s, &error)) fail_msg("%s: %s", error.element, error.message);
    memcpy(rate, y + n, n * sizeof *y);
    memcpy(rate + n, state->udot, n * sizeof *y);
    memcpy(rate + 2 * n, state->signal + n_x, n_x * sizeof *y);
}

static void step(flight *f, double h)
{
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    const int size = 2 * f->n + f->n_x;
    double *sum = f->at + size;
    memset(sum, 0, (size_t)size * sizeof *sum);
    memset(f->k, 0, (size_t)size * sizeof *sum);
    for (int pass = 0; pass < 4; pass++) {
        for (int i = 0; i < size; i++) f->at[i] = f->y[i] + part[pass] * h * f->k[i];
        rates(f, f->at, f->k);
        for (int i = 0; i < size; i++) sum[i] += weight[pass] * f->k[i] / 6;
    }
    for (int i = 0; i < size; i++) f->y[i] += h * sum[i];
}

/* What a moving frame that turns about e sees of a body and does not change: where it is along e,
 * its speed, its angular velocity's size, and how e lies to its axis of spin (or its x axis). */
static void constants(const routh_operating_point *p, const rt_frame *f, int b, double out[4])
{
    const double *e = p->steady->axis;
    double axis[3] = {1, 0, 0}, world[3];
    for (int i = 0; i < p->steady->n_spins; i++)
        if (!strcmp(p->steady->spins[i].body, p->bodies[b].name))
            memcpy(axis, p->steady->spins[i].axis, sizeof axis);
    rt_m3_mul_v(world, f->A, axis);
    out[0] = rt_v3_dot(e, f->r);
    out[1] = rt_v3_norm(f->v);
    out[2] = rt_v3_norm(f->w);
    out[3] = rt_v3_dot(e, world);
}

/* Integrated for so long, all that is constant in the moving frame stays as it is. */
static void assert_goes_on(const char *yaml, double duration, int n_steps, double tolerance)
{
    const whole_way way = {.coordinates = "euler-parameters"};
    whole x = whole_parse(yaml, &way);
    const routh_mechanism *m = x.mechanism;
    routh_error error = {0};
    flight f = {.n = m->n_u, .n_x = m->model->n_control_states};
    if (rt_search_create(&f.s, m, 1e-12, 50, &error)) fail_msg("%s", error.message);
    rt_state_copy(m, f.s.state, x.point->state);
    const size_t size = 2 * (size_t)f.n + (size_t)f.n_x;
    f.y = calloc(4 * size, sizeof *f.y);
    f.k = f.y + size, f.at = f.k + size;
    if (rt_evaluate(m, f.s.w, f.s.state, RT_EVALUATE_ALL, &error) || rt_find_rank(&f.s, &error))
        fail_msg("%s", error.message);
    double(*before)[4] = calloc((size_t)m->n_bodies, sizeof *before), after[4];
    for (int b = 0; b < m->n_bodies; b++) constants(x.point, &f.s.w->bodies[b], b, before[b]);
    memcpy(f.y, f.s.state->q, (size_t)f.n * sizeof(double));
    memcpy(f.y + f.n, f.s.state->u, (size_t)f.n * sizeof(double));
    memcpy(f.y + 2 * f.n, f.s.state->signal, (size_t)f.n_x * sizeof(double));
    for (int k = 0; k < n_steps; k++) step(&f, duration / n_steps);
    rates(&f, f.y, f.k);
    rt_evaluate_frames(m, f.s.w, f.s.state);
    for (int b = 0; b < m->n_bodies; b++) {
        constants(x.point, &f.s.w->bodies[b], b, after);
        for (int i = 0; i < 4; i++)
            near(x.point->bodies[b].name, after[i], before[b][i], tolerance);
    }
    for (int i = 0; i < f.n_x; i++)
        near("a controller's state", f.y[2 * f.n + i], x.point->state->signal[i], tolerance);
    free(before);
    free(f.y);
    rt_state_free(f.s.state);
    rt_search_release(&f.s);
    whole_release(&x);
}

/* ---- conical pendulum ----------------------------------------------------------------------- */

/* Trom (2014), 5.3: phi' = sqrt(g/(l cos theta)); about it omega = phi' sqrt(1 + 3 cos(theta)^2)
 * and a double zero. */
static const char cone[] =
    "gravity: [0, 0, -9.81]\n"
    "parameters: {l: 0.5, th: 30 deg}\n"
    "bodies:\n" /* a point mass: it does not turn, which in the moving frame is a spin */
    "  ball: {mass: 10, inertia: [0.01, 0.01, 0.01], position: [l*sin(th)*0.8, 0, -l*cos(th)],"
    " velocity: [0, 1, 0]}\n"
    "joints:\n"
    "  rod: {type: rod, between: [ball, ground], length: l}\n"
    "  upright: {type: orientation, between: [ball, ground]}\n"
    "operating_point: {type: steady}\n"
    "steady: {spins: {ball: z}, prescribed: {height: {expression: DZ(ball), value: -l*cos(th)}}}\n";

static void check_cone(const whole *x, const void *unused)
{
    (void)unused;
    const double c = cos(30 * acos(-1) / 180), rate = sqrt(9.81 / (0.5 * c));
    const routh_steady *s = x->point->steady;
    near("the rotation rate", s->turn_rate, rate, 1e-12);
    near("the published rotation rate", s->turn_rate, 4.759750472766499, 1e-12);
    near("the acceleration", s->acceleration, rate * rate * 0.25, 1e-12);
    near("the spin", s->spins[0].rate, -rate, 1e-12);
    const root expected[] = {rate * sqrt(1 + 3 * c * c) * I, -rate * sqrt(1 + 3 * c * c) * I};
    whole_assert_spectrum("cone", x->modes, expected, 2, 1e-12);
    assert_int_equal(s->turn_rate_prescribed, 0);
}

static void a_conical_pendulum(void **unused)
{
    (void)unused;
    in_every_set(cone, check_cone, NULL);
    assert_goes_on(cone, 2, 400, 1e-9);
}

/* ---- top ------------------------------------------------------------------------------------ */

/* With A about the tip, C and n about the top's own axis:
 *     A p^2 cos(theta) - C n p + m g h = 0,
 * which has two roots, slow and fast. Which of them is found depends on the state as written. */
static const char top[] =
    "gravity: [0, 0, -9.81]\n"
    "parameters: {th: 0.6, n: 50, p: %g}\n"
    "bodies:\n"
    "  top:\n"
    "    mass: 2\n"
    "    inertia: [0.4, 0.4, 0.3]\n"
    "    position: [0.25*sin(th), 0, 0.25*cos(th)]\n"
    "    orientation: {axis: [0, 1, 0], angle: th}\n"
    "    angular_velocity: [(n - p*cos(th))*sin(th), 0, p + (n - p*cos(th))*cos(th)]\n"
    "joints: {tip: {type: spherical, between: [top, ground], at: [0, 0, 0]}}\n"
    "operating_point: {type: steady}\n"
    "steady:\n"
    "  spins: {top: z}\n"
    "  prescribed:\n"
    "    spin: {expression: 'WZ(top, ground, top)', value: n, unit: rad/s}\n"
    "    height: {expression: DZ(top), value: 0.25*cos(th)}\n";

static void check_top(const whole *x, const void *with)
{
    const double A = 0.4 + 2 * 0.25 * 0.25, C = 0.3, n = 50, M = 2 * 9.81 * 0.25, c = cos(0.6);
    const double D = sqrt(C * C * n * n - 4 * A * c * M);
    /* the slow one without cancellation */
    const double fast = (C * n + D) / (2 * A * c), slow = 2 * M / (C * n + D);
    const double p = *(const bool *)with ? fast : slow;
    near("the precession", x->point->steady->turn_rate, p, 1e-12);
    near("the spin in the moving frame", x->point->steady->spins[0].rate, n - p * c, 1e-12);
}

static void both_precessions_of_a_top(void **unused)
{
    (void)unused;
    char yaml[ROOM];
    for (int k = 0; k < 2; k++) {
        const bool fast = k;
        snprintf(yaml, sizeof yaml, top, fast ? 30.0 : 0.1);
        in_every_set(yaml, check_top, &fast);
        assert_goes_on(yaml, 0.5, 1000, 1e-8);
    }
}

/* ---- disc that rolls on a circle ------------------------------------------------------------- */

/* n across the axle in the vertical plane, w along it, lean theta, rotation rate p = n/cos(theta)
 * (docs/theory/nonholonomic.md, w1 = 0 there):
 *     A n^2 tan(theta) - m g a sin(theta) = (C + m a^2) n w. */
static const char disc[] =
    "gravity: [0, 0, -9.81]\n"
    "parameters: {v: %g, p: %g, a: 0.25}\n"
    "bodies:\n"
    "  disc: {mass: 1.3, inertia: [0.021, 0.039, 0.021], position: [0, 0, a], velocity: [v, 0, 0],"
    " angular_velocity: [0, v/a, 0]}\n"
    "markers: {axle: {body: disc, orientation: {axis: [1, 0, 0], angle: -90 deg}}}\n"
    "joints: {contact: {type: rolling, between: [axle, ground], radius: a}}\n"
    "operating_point: {type: steady}\n"
    "steady:\n"
    "  turn_rate: p\n"
    "  spins: {disc: y}\n"
    "  prescribed: {speed: {expression: VM(disc), value: v, unit: m/s}}\n";

static void check_disc(const whole *x, const void *with)
{
    const double m = 1.3, g = 9.81, a = 0.25, A = 0.021, C = 0.039;
    const double *f = x->point->bodies[0].orientation, *u = x->point->bodies[0].angular_velocity;
    const double v = ((const double *)with)[0], p = ((const double *)with)[1];
    /* the axle e3 = the body's y; the steepest diameter e2, upwards; e1 = e2 x e3 horizontal */
    const double e3[3] = {f[1], f[4], f[7]}, s = sqrt(1 - e3[2] * e3[2]);
    const double e2[3] = {-e3[2] * e3[0] / s, -e3[2] * e3[1] / s, s};
    const double sine = e3[2], theta = asin(sine);
    const double w = rt_v3_dot(u, e3), n = rt_v3_dot(u, e2);
    near("the balance", A * n * n * tan(theta) - m * g * a * sine, (C + m * a * a) * n * w, 1e-12);
    near("the turn", n, p * cos(theta), 1e-12);
    near("the speed", rt_v3_norm(x->point->bodies[0].velocity), v, 1e-12);
    near("rolling", fabs(w) * a, v, 1e-12);
    near("the height", x->point->bodies[0].position[2], a * cos(theta), 1e-12);
    near("the place along x", x->point->bodies[0].position[0], 0, 1e-6);
    if (!(p == 0 ? fabs(theta) < 1e-14 : theta * p < 0)) fail_msg("it leans by %g", theta);
}

static void a_disc_on_a_circle(void **unused)
{
    (void)unused;
    static const double cases[][2] = {{2, 0.5}, {3, -1}, {2.5, 0}, {4, 3}};
    char yaml[ROOM];
    for (int k = 0; k < 4; k++) {
        snprintf(yaml, sizeof yaml, disc, cases[k][0], cases[k][1]);
        in_every_set(yaml, check_disc, cases[k]);
        assert_goes_on(yaml, 0.5, 1000, 1e-8);
    }
}

/* ---- governor ------------------------------------------------------------------------------- */

/* An arm hinged to a shaft that turns with W, both unknown but for the arm's angle:
 *     cos(theta) = m g l/(W^2 J),  J = m l^2 + I_y... about the hinge, less I_z. */
static const char governor[] =
    "gravity: [0, 0, -9.81]\n"
    "parameters: {m: 2, l: 0.5, th: 0.9}\n"
    "bodies:\n"
    "  shaft: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 6]}\n"
    "  arm:\n"
    "    mass: m\n"
    "    inertia: [0.03, 0.035, 0.01]\n"
    "    position: [-l*sin(0.3), 0, -l*cos(0.3)]\n"
    "    orientation: {axis: [0, 1, 0], angle: 0.3}\n"
    "joints:\n"
    "  axle: {type: revolute, between: [shaft, ground], at: [0, 0, 0]}\n"
    "  hinge: {type: revolute, between: [arm, shaft], at: [0, 0, 0], axis: y}\n"
    "operating_point: {type: steady}\n"
    "steady: {prescribed: {angle: {expression: 'AY(arm, shaft)', value: th, unit: rad}}}\n";

static void check_governor(const whole *x, const void *unused)
{
    (void)unused;
    const double J = 2 * 0.25 + 0.03 - 0.01;
    near("the rate", x->point->steady->turn_rate, sqrt(2 * 9.81 * 0.5 / (J * cos(0.9))), 1e-12);
}

static void a_governor(void **unused)
{
    (void)unused;
    in_every_set(governor, check_governor, NULL);
    assert_goes_on(governor, 1, 1000, 1e-8);
}

/* ---- rotor ---------------------------------------------------------------------------------- */

/* VALUES of the rotor and stator: with u = x + iy and tilt p, sums m and S, I and I_z:
 *     m u'' + C u' + K u + S p'' = 0,   I p'' + (C_t - i I_z W) p' + K_t p + S u'' = 0. */
static const char rotor[] =
    "bodies:\n"
    "  stator: {mass: 200, inertia: [50, 50, 10]}\n"
    "  rotor: {mass: 1300, inertia: [500, 500, 1000], position: [0, 0, 0.75]}\n"
    "joints: {bearing: {type: revolute, between: [rotor, stator], at: [0, 0, 0], axis: z}}\n"
    "loads:\n"
    "  mount: {type: bushing, between: [stator, ground], at: [0, 0, 0],"
    " translation: {stiffness: 1000, damping: 1},"
    " rotation: {stiffness: [1e4, 1e4, 1e5], damping: [10, 10, 100]}}\n"
    "operating_point: {type: steady}\n"
    "steady: {turn_rate: 0, spins: {rotor: {axis: z, rate: 2*pi*0.7}}}\n";

static void check_rotor(const whole *x, const void *unused)
{
    (void)unused;
    const double W = 2 * acos(-1) * 0.7, m = 1500, S = 975, J = 1281.25, K = 1000, C = 1;
    const root Kt = 1e4, Ct = 10 - I * 1000 * W;
    const root quartic[5] = {K * Kt, C * Kt + K * Ct, m * Kt + J * K + C * Ct, m * Ct + J * C,
                             m * J - S * S};
    root r[8];
    polynomial_roots(quartic, 4, r);
    for (int k = 0; k < 4; k++) r[4 + k] = conj(r[k]);
    const root others[] = {(-1 + I * sqrt(4 * 1500 * 1000 - 1)) / 3000,
                           (-1 - I * sqrt(4 * 1500 * 1000 - 1)) / 3000, -5 + I * sqrt(1e4 - 25),
                           -5 - I * sqrt(1e4 - 25)};
    root all[12];
    memcpy(all, r, 8 * sizeof *all);
    memcpy(all + 8, others, sizeof others);
    whole_assert_spectrum("rotor", x->modes, all, 12, 1e-11);
    assert_string_equal(x->linear->reference, "ground");
    near("the spin", x->point->bodies[1].angular_velocity[2], W, 1e-12);
    near("the stator's", rt_v3_norm(x->point->bodies[0].velocity), 0, 1e-13);
}

static void a_rotor_at_speed(void **unused)
{
    (void)unused;
    in_every_set(rotor, check_rotor, NULL);
    assert_goes_on(rotor, 1, 500, 1e-9);
}

/* ---- single-track vehicle -------------------------------------------------------------------- */

/* Axle forces across the wheels, C_f (steer - beta_f) and -C_r beta_r, drive along the rear one;
 * inputs steer and drive are found. */
static const char vehicle[] =
    "gravity: [0, 0, -9.81]\n"
    "parameters: {m: 1500, J: 2500, a: 1.2, b: 1.6, Cf: 60000, Cr: 70000, v: 22.35, ay: "
    "0.25*9.81}\n"
    "inputs: {steer: 0, drive: 0}\n"
    "variables:\n"
    "  front_force: Cf*(steer - atan(VY(front, ground, car)/VX(front, ground, car)))\n"
    "controllers:\n" /* the rear force relaxes over a length */
    "  rear_force: {type: differential,"
    " rate: 'VX(rear, ground, car)/0.3*(-Cr*atan(VY(rear, ground, car)/VX(rear, ground, car)) -"
    " rear_force)'}\n"
    "  way: {type: differential, rate: VM(car), initial: 7}\n"
    "bodies: {car: {mass: m, inertia: [500, J, J], velocity: [v, 0, 0]}}\n"
    "markers: {front: {body: car, position: [a, 0, 0]}, rear: {body: car, position: [-b, 0, 0]}}\n"
    "joints: {floor: {type: planar, between: [car, ground], at: [0, 0, 0], axis: z}}\n"
    "loads:\n"
    "  at_front: {type: force, on: front, resolved_in: front,"
    " components: [-sin(steer)*front_force, cos(steer)*front_force, 0]}\n"
    "  at_rear: {type: force, on: rear, resolved_in: rear, components: [drive, rear_force, 0]}\n"
    "operating_point: {type: steady}\n"
    "steady:\n"
    "  turn_rate: ay/v\n"
    "  prescribed: {speed: {expression: VM(car), value: v, unit: m/s}}\n"
    "  free: [steer, drive]\n"
    "  drifting: [way]\n"
    "outputs: {slip: 'atan(VY(car, ground, car)/VX(car, ground, car))'}\n";

/* Newton's method on slip, steer and drive, written here, with differenced partials. */
static void balance(const double y[3], double r[3])
{
    const double m = 1500, a = 1.2, b = 1.6, v = 22.35, p = 0.25 * 9.81 / v;
    const double u = v * cos(y[0]), w = v * sin(y[0]);
    const double F = 60000 * (y[1] - atan((w + a * p) / u)), R = -70000 * atan((w - b * p) / u);
    r[0] = y[2] - F * sin(y[1]) + m * p * w; /* m (u' - p w), divided by nothing */
    r[1] = F * cos(y[1]) + R - m * p * u;
    r[2] = a * F * cos(y[1]) - b * R;
}

static void solve3(double A[3][3], double x[3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (j == i) continue;
            const double f = A[j][i] / A[i][i];
            for (int l = 0; l < 3; l++) A[j][l] -= f * A[i][l];
            x[j] -= f * x[i];
        }
    for (int i = 0; i < 3; i++) x[i] /= A[i][i];
}

static void check_vehicle(const whole *x, const void *unused)
{
    (void)unused;
    double y[3] = {0, 0.02, 0}, r[3];
    for (int pass = 0; pass < 30; pass++) {
        double A[3][3], up[3], down[3];
        balance(y, r);
        for (int j = 0; j < 3; j++) {
            const double h = j == 2 ? 1 : 1e-5, at = y[j];
            y[j] = at + h, balance(y, up);
            y[j] = at - h, balance(y, down);
            y[j] = at;
            for (int i = 0; i < 3; i++) A[i][j] = (up[i] - down[i]) / (2 * h);
        }
        solve3(A, r);
        for (int j = 0; j < 3; j++) y[j] -= r[j];
    }
    const routh_steady *s = x->point->steady;
    near("the slip", x->linear->outputs[whole_output(x->linear, "slip")].value, y[0], 1e-12);
    near("the steer", s->found[0].value, y[1], 1e-12);
    near("the drive", s->found[1].value, y[2], 1e-12);
    near("the input of the linear model", x->linear->inputs[0].value, y[1], 1e-12);
    near("the acceleration", s->acceleration, 0.25 * 9.81, 1e-12);
    /* for small angles: steer = L/R + (m/L)(b/C_f - a/C_r) a_y */
    const double L = 2.8, small = L * 0.25 * 9.81 / (22.35 * 22.35) +
                                  1500 / L * (1.6 / 60000 - 1.2 / 70000) * 0.25 * 9.81;
    near("the steer of small angles", s->found[0].value / small, 1, 0.01);
    for (int k = 0; k < x->point->n_signals; k++)
        if (!strcmp(x->point->signals[k].name, "way")) {
            near("the way", x->point->signals[k].value, 7, 1e-14);
            near("its rate", x->point->signals[k].rate, 22.35, 1e-12);
        }
}

static void a_vehicle_in_a_turn(void **unused)
{
    (void)unused;
    in_every_set(vehicle, check_vehicle, NULL);
}

/* A parameter of an expression as a free one: along and across the body
 *     0 = drive - |v|,   m p v_x = 6 - v_y,   |v| = 4, m p = 3/2:   v_x = 4, v_y = 0, drive = 4. */
static const char puck[] =
    "parameters: {drive: 1}\n"
    "bodies: {car: {mass: 3, inertia: [1, 1, 1], velocity: [3, 0, 0]}}\n"
    "joints: {road: {type: planar, between: [car, ground], axis: z}}\n"
    "loads: {air: {type: force, on: car, resolved_in: car, components: [drive - VM(car),"
    " '6 - VY(car, ground, car)', 0]}}\n"
    "operating_point: {type: steady}\n"
    "steady: {turn_rate: 0.5, free: [drive],"
    " prescribed: {speed: {expression: VM(car), value: 4}}}\n";

static void check_puck(const whole *x, const void *unused)
{
    (void)unused;
    const routh_steady *s = x->point->steady;
    assert_int_equal(s->n_found, 1);
    assert_string_equal(s->found[0].name, "drive");
    near("the drive", s->found[0].value, 4, 1e-12);
    /* the linear model has it as an input: a force on 3 kg */
    const routh_linear *l = x->linear;
    const int input = whole_input(l, "drive");
    double acceleration = 0;
    for (int k = 0; k < l->n_states; k++)
        acceleration = hypot(acceleration, l->B[k * l->n_inputs + input]);
    near("its column of B", acceleration, 1.0 / 3, 1e-12);
}

static void a_free_parameter_of_an_expression(void **unused)
{
    (void)unused;
    in_every_set(puck, check_puck, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_conical_pendulum),
        cmocka_unit_test(both_precessions_of_a_top),
        cmocka_unit_test(a_disc_on_a_circle),
        cmocka_unit_test(a_governor),
        cmocka_unit_test(a_rotor_at_speed),
        cmocka_unit_test(a_vehicle_in_a_turn),
        cmocka_unit_test(a_free_parameter_of_an_expression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
