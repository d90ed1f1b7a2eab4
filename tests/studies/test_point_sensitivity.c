/* Derivatives of the operating point by parameters against closed forms, and what has none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routh/routh.h"

static const double g = 9.81;

typedef struct case_of {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_point_sensitivity *s;
} case_of;

static routh_status find(case_of *c, const char *text, const char *coordinates, routh_error *error)
{
    *c = (case_of){0};
    routh_status status = routh_model_parse(&c->model, text, strlen(text), NULL, NULL, 0, error);
    if (!status) status = routh_mechanism_compile(&c->mechanism, c->model, coordinates, error);
    return status ? status : routh_operating_point_find(&c->point, c->mechanism, NULL, error);
}

static void begin(case_of *c, const char *text, const char *coordinates)
{
    routh_error error = {0};
    routh_status status = find(c, text, coordinates, &error);
    if (!status)
        status = routh_point_sensitivity_compute(&c->s, c->mechanism, c->point, NULL, &error);
    if (status) fail_msg("%s", error.message);
}

static void end(case_of *c)
{
    routh_point_sensitivity_free(c->s);
    routh_operating_point_free(c->point);
    routh_mechanism_free(c->mechanism);
    routh_model_free(c->model);
}

static const routh_point_change *by(const case_of *c, const char *name)
{
    for (int p = 0; p < c->s->n_parameters; p++)
        if (strcmp(c->s->by[p].parameter, name) == 0) return &c->s->by[p];
    fail_msg("no derivatives by %s", name);
    return NULL;
}

static const routh_reaction *wrench(const routh_point_change *p, const char *name)
{
    for (int k = 0; k < p->n_reactions; k++)
        if (strcmp(p->reactions[k].name, name) == 0) return &p->reactions[k];
    fail_msg("no force of %s", name);
    return NULL;
}

static double signal(const routh_point_change *p, const char *name)
{
    for (int k = 0; k < p->n_signals; k++)
        if (strcmp(p->signals[k].name, name) == 0) return p->signals[k].value;
    fail_msg("no signal %s", name);
    return 0;
}

static void near(double x, double expected, double size)
{
    if (!(fabs(x - expected) <= 1e-9 * size)) fail_msg("%.16g, expected %.16g", x, expected);
}

static void near3(const double x[3], double a, double b, double c)
{
    const double size = sqrt(a * a + b * b + c * c) + 1e-6;
    near(x[0], a, size), near(x[1], b, size), near(x[2], c, size);
}

/* ---- at rest -------------------------------------------------------------------------------- */

/* z = -(l + m g/k), at x0; in every coordinate set */
static void hanging_mass(void **unused)
{
    (void)unused;
    static const char text[] =
        "parameters: {m: 2, k: 400, l: 0.5, x0: 0.1}\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n  mass: {mass: m, inertia: [1, 1, 1], position: [x0, 0, -l]}\n"
        "markers:\n  top: {body: ground, position: [x0, 0, 0]}\n"
        "joints:\n  slide: {type: translational, between: [mass, ground], at: [x0, 0, -l], axis: "
        "z}\n"
        "loads:\n  spring: {type: spring, between: [mass, top], stiffness: k, free_length: l}\n"
        "operating_point: {type: static}\n";
    for (int k = 0; routh_coordinate_name(k); k++) {
        case_of c;
        begin(&c, text, routh_coordinate_name(k));
        assert_int_equal(c.s->n_warnings, 0);
        near3(by(&c, "k")->bodies[0].position, 0, 0, 2 * g / (400.0 * 400));
        near3(by(&c, "m")->bodies[0].position, 0, 0, -g / 400);
        near3(by(&c, "l")->bodies[0].position, 0, 0, -1);
        near3(by(&c, "x0")->bodies[0].position, 1, 0, 0);
        near3(wrench(by(&c, "m"), "spring")->force, 0, 0, g);
        near3(wrench(by(&c, "k"), "spring")->force, 0, 0, 0);
        end(&c);
    }
}

/* tan(a) = F/(m g), a' = cos(a)^2/(m g). A force N along the rod does nothing to that, and turns
 * with it: without the rotation of its marker it would stand still. The hinge bears all. */
static void pendulum_in_the_wind(void **unused)
{
    (void)unused;
    static const char text[] =
        "parameters: {m: 2, l: 0.5, F: 12, N: 30}\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n  bob: {mass: m, inertia: [0.1, 0.1, 0.1], position: [0, 0, -l]}\n"
        "joints:\n  hinge: {type: revolute, between: [bob, ground], at: [0, 0, 0], axis: y}\n"
        "loads:\n  wind: {type: force, on: bob, components: [F, 0, 0]}\n"
        "  pull: {type: force, on: bob, resolved_in: bob, components: [0, 0, -N]}\n"
        "operating_point: {type: static}\n";
    const double m = 2, l = 0.5, F = 12, N = 30, a = atan2(F, m * g),
                 da = cos(a) * cos(a) / (m * g);
    case_of c;
    begin(&c, text, NULL);
    const routh_point_change *p = by(&c, "F");
    near3(p->bodies[0].position, l * cos(a) * da, 0, l * sin(a) * da);
    near3(p->bodies[0].rotation, 0, -da, 0);
    near3(p->bodies[0].velocity, 0, 0, 0);
    near3(wrench(p, "wind")->force, 1, 0, 0);
    near3(wrench(p, "pull")->force, N * cos(a) * da, 0, N * sin(a) * da);
    near3(wrench(p, "hinge")->force, -1 - N * cos(a) * da, 0, -N * sin(a) * da);
    near3(wrench(by(&c, "N"), "pull")->force, sin(a), 0, -cos(a));
    near3(wrench(by(&c, "N"), "hinge")->force, -sin(a), 0, cos(a));
    near3(by(&c, "N")->bodies[0].position, 0, 0, 0);
    near3(by(&c, "l")->bodies[0].position, sin(a), 0, -cos(a));
    end(&c);
}

/* ---- in motion ------------------------------------------------------------------------------ */

/* cos(a) = g/(w^2 l), a' = 2 g/(w^3 l sin(a)); the speed is w l sin(a) */
static void conical_pendulum(void **unused)
{
    (void)unused;
    static const char text[] =
        "parameters: {l: 0.5, w: 6}\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n  ball: {mass: 10, inertia: [0.01, 0.01, 0.01], position: [0.3, 0, -0.4],\n"
        "         velocity: [0, 2, 0]}\n"
        "joints:\n  rod: {type: rod, between: [ball, ground], length: l}\n"
        "  upright: {type: orientation, between: [ball, ground]}\n"
        "operating_point: {type: steady}\n"
        "steady: {spins: {ball: z}, turn_rate: w}\n";
    const double l = 0.5, w = 6, a = acos(g / (w * w * l)), da = 2 * g / (w * w * w * l * sin(a));
    case_of c;
    begin(&c, text, NULL);
    const routh_point_change *p = by(&c, "w");
    const double *r = c.point->bodies[0].position, *v = c.point->bodies[0].velocity;
    const double *dr = p->bodies[0].position, *dv = p->bodies[0].velocity;
    const double far = hypot(r[0], r[1]), speed = hypot(v[0], v[1]);
    assert_int_equal(c.s->n_warnings, 1);
    assert_non_null(strstr(c.s->warnings[0], "any place along itself"));
    near(p->turn_rate, 1, 1);
    assert_int_equal(p->n_spins, 1);
    near(p->spins[0].rate, -1, 1);
    near((r[0] * dr[0] + r[1] * dr[1]) / far, l * cos(a) * da, 1);
    near(dr[2], l * sin(a) * da, 1);
    near((r[0] * dr[1] - r[1] * dr[0]) / far, 0, 1); /* the place along the circle */
    near((v[0] * dv[0] + v[1] * dv[1]) / speed, l * sin(a) + w * l * cos(a) * da, 1);
    end(&c);
}

/* With forces across the car alone, linear in the slip,
 *     steer = L/R + m v^2/(R L) (b/Cf - a/Cr) */
static void understeer(void **unused)
{
    (void)unused;
    static const char text[] =
        "parameters: {m: 1500, a: 1.2, b: 1.6, Cf: 60000, Cr: 70000, v: 20, R: 80}\n"
        "inputs:\n  steer: {value: 0, unit: rad}\n  drive: {value: 0, unit: N}\n"
        "bodies:\n  car: {mass: m, inertia: [500, 2500, 2500], velocity: [v, 0, 0]}\n"
        "markers:\n  front: {body: car, position: [a, 0, 0]}\n"
        "  rear: {body: car, position: [-b, 0, 0]}\n"
        "joints:\n  road: {type: planar, between: [car, ground], at: [0, 0, 0], axis: z}\n"
        "variables:\n"
        "  f: Cf*(steer - VY(front, ground, car)/VX(front, ground, car))\n"
        "  r: -Cr*VY(rear, ground, car)/VX(rear, ground, car)\n"
        "loads:\n"
        "  ft: {type: force, on: front, resolved_in: car, components: [0, f, 0]}\n"
        "  rt: {type: force, on: rear, resolved_in: car, components: [drive, r, 0]}\n"
        "operating_point: {type: steady}\n"
        "steady:\n  turn_rate: v/R\n"
        "  prescribed:\n    speed: {expression: 'VX(car, ground, car)', value: v, unit: m/s}\n"
        "  free: [steer, drive]\n";
    const double m = 1500, a = 1.2, b = 1.6, Cf = 60000, Cr = 70000, v = 20, R = 80, L = a + b;
    case_of c;
    begin(&c, text, NULL);
    near(signal(by(&c, "v"), "steer"), 2 * m * v / (R * L) * (b / Cf - a / Cr), 1e-3);
    near(signal(by(&c, "m"), "steer"), v * v / (R * L) * (b / Cf - a / Cr), 1e-6);
    near(signal(by(&c, "R"), "steer"), -L / (R * R) - m * v * v / (R * R * L) * (b / Cf - a / Cr),
         1e-4);
    near(signal(by(&c, "v"), "f"), 2 * m * v / R * b / L, 1e3);
    near(by(&c, "v")->turn_rate, 1 / R, 1);
    near(by(&c, "R")->turn_rate, -v / (R * R), 1);
    end(&c);
}

/* As the file has it: velocities follow the places that they are written for. */
static void initial_state(void **unused)
{
    (void)unused;
    static const char text[] =
        "parameters: {l: 0.5, w: 3, a: 30 deg}\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n  bob: {mass: 2, inertia: [0, 0, 0], position: [l*sin(a), 0, -l*cos(a)],\n"
        "        velocity: [w*l*cos(a), 0, w*l*sin(a)], angular_velocity: [0, -w, 0]}\n"
        "joints:\n  hinge: {type: revolute, between: [bob, ground], at: [0, 0, 0], axis: y}\n"
        "operating_point: {type: given}\n";
    const double l = 0.5, w = 3, a = acos(-1) / 6, m = 2;
    case_of c;
    begin(&c, text, NULL);
    const routh_point_change *p = by(&c, "a");
    near3(p->bodies[0].position, l * cos(a), 0, l * sin(a));
    near3(p->bodies[0].velocity, -w * l * sin(a), 0, w * l * cos(a));
    /* the tension is m (w^2 l + g cos(a)), towards the hinge */
    const double T = m * (w * w * l + g * cos(a)), dT = -m * g * sin(a);
    near3(wrench(p, "hinge")->force, -dT * sin(a) - T * cos(a), 0, dT * cos(a) - T * sin(a));
    near3(wrench(by(&c, "w"), "hinge")->force, -2 * m * w * l * sin(a), 0, 2 * m * w * l * cos(a));
    near3(by(&c, "w")->bodies[0].angular_velocity, 0, -1, 0);
    end(&c);
}

/* ---- what has none -------------------------------------------------------------------------- */

/* Two hinges on one axis share the load along it and the torques across it as they like; what they
 * bear together across the axis is determined. */
static void redundant_hinges(void **unused)
{
    (void)unused;
    static const char text[] =
        "parameters: {m: 2, k: 50}\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n  door: {mass: m, inertia: [0.1, 0.1, 0.1], position: [0.4, 0, 0]}\n"
        "markers:\n  above: {body: ground, position: [0.4, 0, 1]}\n"
        "joints:\n  one: {type: revolute, between: [door, ground], at: [0, -1, 0], axis: y}\n"
        "  two: {type: revolute, between: [door, ground], at: [0, 1, 0], axis: y}\n"
        "loads:\n  spring: {type: spring, between: [door, above], stiffness: k}\n"
        "operating_point: {type: static}\n";
    case_of c;
    begin(&c, text, NULL);
    const routh_point_change *p = by(&c, "m");
    assert_int_equal(c.s->n_warnings, 1);
    assert_non_null(strstr(c.s->warnings[0], "redundant constraints"));
    assert_true(isnan(wrench(p, "one")->force[1]) && isnan(wrench(p, "two")->force[1]));
    assert_true(isnan(wrench(p, "one")->force[2]) && isnan(wrench(p, "two")->torque[0]));
    assert_true(fabs(wrench(p, "one")->torque[1]) < 1e-12);
    assert_true(isfinite(p->bodies[0].position[2]) && p->bodies[0].position[2] < 0);
    assert_true(isfinite(wrench(p, "spring")->force[2]));
    end(&c);
}

/* A wheel hung on a spring rotates as it likes: its angle is open, its height is not. */
static void motion_without_stiffness(void **unused)
{
    (void)unused;
    static const char text[] =
        "parameters: {m: 2, k: 400, idle: 1}\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n  slider: {mass: m, inertia: [1, 1, 1], position: [0, 0, -1]}\n"
        "  wheel: {mass: m, inertia: [1, 1, 1], position: [0, 0, -1]}\n"
        "joints:\n  slide: {type: translational, between: [slider, ground], axis: z}\n"
        "  axle: {type: revolute, between: [wheel, slider], axis: y}\n"
        "loads:\n  spring: {type: spring, between: [slider, ground], stiffness: k, free_length: "
        "1}\n"
        "operating_point: {type: static}\n";
    case_of c;
    begin(&c, text, NULL);
    const routh_point_change *p = by(&c, "k");
    assert_int_equal(c.s->n_warnings, 1);
    assert_non_null(strstr(c.s->warnings[0], "without stiffness"));
    assert_true(isnan(p->bodies[1].rotation[1]));
    assert_true(p->bodies[1].rotation[0] == 0 && p->bodies[0].rotation[1] == 0);
    near3(p->bodies[1].position, 0, 0, 4 * g / (400.0 * 400));
    near3(by(&c, "idle")->bodies[1].rotation, 0, 0, 0);
    end(&c);
}

static const char given_state[] =
    "parameters: {l: 0.5}\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n  bob: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, -l]}\n"
    "joints:\n  hinge: {type: revolute, between: [bob, ground], at: [0, 0, 0], axis: y}\n"
    "operating_point: {type: static}\n";

static void refusals(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {"ll", NULL};
    const routh_sensitivity_options options = {.parameters = wrong};
    case_of c;
    routh_error error = {0};
    routh_initial_state *state = NULL;
    routh_operating_point *there = NULL;
    assert_int_equal(find(&c, given_state, NULL, &error), ROUTH_OK);
    assert_int_equal(routh_point_sensitivity_compute(&c.s, c.mechanism, c.point, &options, &error),
                     ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "no parameter 'll'"));
    assert_null(c.s);
    assert_int_equal(routh_initial_state_of_point(&state, c.mechanism, c.point, &error), ROUTH_OK);
    assert_int_equal(routh_operating_point_of_state(&there, c.mechanism, state, NULL, &error),
                     ROUTH_OK);
    assert_int_equal(routh_point_sensitivity_compute(&c.s, c.mechanism, there, NULL, &error),
                     ROUTH_NOT_SUPPORTED);
    assert_non_null(strstr(error.message, "state from a file"));
    routh_operating_point_free(there);
    routh_initial_state_free(state);
    end(&c);
}

/* A rotor runs true with its centre on its axis only: no other eccentricity has a steady motion, so
 * there is no derivative by the one that is zero. Of all parameters it is left out by name. */
static void rotor_that_runs_true(void **unused)
{
    (void)unused;
    static const char text[] =
        "parameters: {off: 0, W: 50, k: 1e5, f: 12}\n"
        "bodies:\n"
        "  disc: {mass: 2, inertia: [1, 1, 2], position: [off, 0, 0], angular_velocity: [0, 0, "
        "W]}\n"
        "  house: {mass: 10, inertia: [1, 1, 1]}\n"
        "joints:\n"
        "  bearing: {type: revolute, between: [disc, house], at: [0, 0, 0], axis: z}\n"
        "  guide: {type: translational, between: [house, ground], at: [0, 0, 0], axis: x}\n"
        "loads:\n"
        "  mount: {type: force, on: house, components: [f - k*DX(house) - 10*VX(house), 0, 0]}\n"
        "operating_point: {type: steady}\n"
        "steady: {turn_rate: 0, spins: {disc: {axis: z, rate: W}}}\n";
    static const char *const named[] = {"off", NULL};
    const routh_sensitivity_options options = {.parameters = named};
    routh_error error = {0};
    case_of c;
    begin(&c, text, NULL);
    assert_int_equal(c.s->n_parameters, 3);
    assert_non_null(strstr(c.s->warnings[0], "parameter off was left out"));
    near3(by(&c, "f")->bodies[1].position, 1e-5, 0, 0);
    near(by(&c, "W")->spins[0].rate, 1, 1);
    routh_point_sensitivity_free(c.s);
    assert_int_equal(routh_point_sensitivity_compute(&c.s, c.mechanism, c.point, &options, &error),
                     ROUTH_SINGULAR);
    assert_non_null(strstr(error.message, "parameter off"));
    end(&c);
}

/* A force along an axis without stiffness: no equilibrium beside the one without it. */
static void push_without_support(void **unused)
{
    (void)unused;
    static const char text[] =
        "parameters: {push: 0, k: 400, f: 8}\n"
        "bodies:\n  a: {mass: 2, inertia: [1, 1, 1]}\n  b: {mass: 2, inertia: [1, 1, 1]}\n"
        "joints:\n"
        "  x: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}\n"
        "  y: {type: translational, between: [b, ground], at: [0, 0, 0], axis: y}\n"
        "loads:\n"
        "  spring: {type: force, on: a, components: [f - k*DX(a), 0, 0]}\n"
        "  push: {type: force, on: b, components: [0, push, 0]}\n"
        "operating_point: {type: static}\n";
    case_of c;
    begin(&c, text, NULL);
    assert_int_equal(c.s->n_parameters, 2);
    assert_non_null(strstr(c.s->warnings[0], "parameter push was left out"));
    near3(by(&c, "f")->bodies[0].position, 1.0 / 400, 0, 0);
    end(&c);
}

/* F = (M + J/r^2) r s': the wheel's spin grows by F/(r (M + J/r^2)). */
static void spin_that_grows(void **unused)
{
    (void)unused;
    static const double M = 12, J = 0.4, r = 0.5, F = 30;
    static const char text[] =
        "parameters: {F: 30}\n"
        "bodies:\n"
        "  cart: {mass: 10, inertia: [1, 1, 1], position: [0, 0, 0.5], velocity: [3, 0, 0]}\n"
        "  wheel: {mass: 2, inertia: [0.2, 0.4, 0.2], position: [0, 0, 0.5], velocity: [3, 0, 0], "
        "angular_velocity: [0, 6, 0]}\n"
        "joints:\n"
        "  rail: {type: translational, between: [cart, ground], at: [0, 0, 0.5], axis: x}\n"
        "  hub: {type: revolute, between: [wheel, cart], at: [0, 0, 0.5], axis: y}\n"
        "  roll: {type: nonholonomic, expressions: [VX(cart) - 0.5*WY(wheel)]}\n"
        "loads:\n  push: {type: force, on: cart, components: [F, 0, 0]}\n"
        "operating_point: {type: steady}\n"
        "steady: {turn_rate: 0, accelerated: true, spins: {wheel: y}, "
        "prescribed: {speed: {expression: VX(cart), value: 3}}}\n";
    case_of c;
    begin(&c, text, NULL);
    const double slope = 1 / (r * (M + J / (r * r)));
    near(c.point->steady->spins[0].acceleration, F * slope, 1);
    near(by(&c, "F")->spins[0].acceleration, slope, slope);
    end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hanging_mass),
        cmocka_unit_test(pendulum_in_the_wind),
        cmocka_unit_test(conical_pendulum),
        cmocka_unit_test(understeer),
        cmocka_unit_test(initial_state),
        cmocka_unit_test(redundant_hinges),
        cmocka_unit_test(motion_without_stiffness),
        cmocka_unit_test(rotor_that_runs_true),
        cmocka_unit_test(push_without_support),
        cmocka_unit_test(spin_that_grows),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
