/* Mechanisms with controllers, inputs and nonholonomic joints: every exact method in every
 * coordinate set gives one linear model, with all its matrices; and closed forms of small ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "methods/method.h"

static const char *const coordinates[] = {"absolute", "euler-parameters", "euler-angles",
                                          "relative", "natural"};
static const struct {
    const char *name;
    double bound; /* of the largest difference over the largest entry of a matrix */
} methods[] = {{"augmented", 1e-9},
               {"minimal:sparse", 1e-9},
               {"minimal:partition", 1e-9},
               {"minimal:qr", 1e-9},
               {"minimal:svd", 1e-9},
               {"minimal:zero-eigenvalue", 1e-9},
               {"minimal:gram-schmidt", 1e-9},
               {"redundant", 1e-9},
               {"difference", 1e-8}};

/* A mass hangs on a carriage that a motion drives along x, by a spring and a damper. */
static const char driven[] =
    "parameters: {m: 2, k: 30, c: 0.7}\n"
    "inputs: {road: 0, push: {value: 0.5, unit: N}}\n"
    "bodies:\n"
    "  carriage: {mass: 3, inertia: [1, 1, 1]}\n"
    "  weight: {mass: m, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
    "joints:\n"
    "  rail: {type: translational, between: [carriage, ground], at: [0, 0, 0], axis: x}\n"
    "  guide: {type: translational, between: [weight, ground], at: [0, 0, 0], axis: x}\n"
    "  drive: {type: motion, joint: rail, function: \"road + 0.1*sin(2*time)\"}\n"
    "loads:\n"
    "  spring: {type: spring, between: [weight, carriage], stiffness: k, damping: c, "
    "free_length: 1}\n"
    "  hand: {type: force, on: weight, components: [push, 0, 0]}\n"
    "outputs:\n"
    "  place: \"DX(weight)\"\n"
    "  pull: \"FX(drive)\"\n"
    "  jolt: \"ACCX(weight)\"\n"
    "operating_point: {type: given}\n"
    "linearize: {states: [weight.x]}\n";

/* A pendulum on a cart under a controller with an integral, a filter and a nonlinear variable that
 * uses an acceleration and a joint force. */
static const char cart[] =
    "parameters: {g: 9.81, l: 0.6}\n"
    "gravity: [0, -g, 0]\n"
    "inputs: {reference: 0.1, shove: 0}\n"
    "bodies:\n"
    "  cart: {mass: 2, inertia: [0.1, 0.1, 0.1], velocity: [0.3, 0, 0]}\n"
    "  rod: {mass: 0.5, inertia: [0.02, 0.001, 0.02], position: [l*sin(0.4), -l*cos(0.4), 0],\n"
    "        orientation: {axis: [0, 0, 1], angle: 0.4}, angular_velocity: [0, 0, 0.9]}\n"
    "joints:\n"
    "  rail: {type: translational, between: [cart, ground], at: [0, 0, 0], axis: x}\n"
    "  hinge: {type: revolute, between: [rod, cart], at: [0, 0, 0], axis: z}\n"
    "variables:\n"
    "  error: \"reference - DX(cart)\"\n"
    "  rub: {expression: \"-0.05*FY(rail)*tanh(3*VX(cart)) + 0.01*effort\", unit: N}\n"
    "  effort: \"20*error + 3*integral - 5*smooth + 0.1*ACCX(rod) + rub + shove\"\n"
    "controllers:\n"
    "  integral: {type: differential, rate: \"error\", initial: 0.05}\n"
    "  smooth: {type: implicit, equation: \"0.1*RATE(smooth) + smooth - VX(cart) + "
    "0.02*RATE(smooth)*VX(cart)\", initial: 0.2}\n"
    "loads:\n"
    "  motor: {type: force, on: cart, components: [effort, 0, 0]}\n"
    "outputs:\n"
    "  angle: \"AZ(rod, ground)\"\n"
    "  load_on_hinge: \"FX(hinge)\"\n"
    "  power: \"effort*VX(cart)\"\n"
    "operating_point: {type: given}\n"
    "linearize: {states: [cart.x, rod.rz]}\n";

/* A sleigh on a knife edge with a motor that turns it. */
static const char sleigh[] =
    "inputs: {torque: 0}\n"
    "bodies:\n"
    "  sleigh: {mass: 4, inertia: [1, 1, 0.8], velocity: [2, 0, 0]}\n"
    "markers:\n"
    "  edge: {body: sleigh, position: [-0.3, 0, 0]}\n"
    "joints:\n"
    "  floor: {type: planar, between: [sleigh, ground], at: [0, 0, 0], axis: z}\n"
    "  skate: {type: knife_edge, between: [edge, ground]}\n"
    "controllers:\n"
    "  lag: {type: differential, rate: \"(torque - lag)/0.2\"}\n"
    "loads:\n"
    "  motor: {type: torque, on: sleigh, components: [0, 0, lag]}\n"
    "outputs: {turn: \"WZ(sleigh)\"}\n"
    "operating_point: {type: given}\n";

/* A four-bar whose loop is closed at a cut joint, driven there by two inputs, with an arm on it;
 * one row is redundant, and leaves the forces that are used as they are. Controllers and variables
 * use reactions, accelerations and one another, loads use the forces of loads. */
static const char four_bar[] =
    "gravity: [0, -9.81, 0]\n"
    "inputs: {push: 1, a: 0.1, b: {value: 0.3}}\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0.5, 0]}\n"
    "  rod: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [1, 1, 0]}\n"
    "  rocker: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [2, 0.5, 0]}\n"
    "  arm: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [2, 1.5, 0]}\n"
    "joints:\n"
    "  A: {type: revolute, between: [crank, ground], at: [0, 0, 0], axis: z}\n"
    "  B: {type: revolute, between: [rod, crank], at: [0, 1, 0], axis: z}\n"
    "  C: {type: spherical, between: [rocker, rod], at: [2, 1, 0], cut: true}\n"
    "  D: {type: revolute, between: [rocker, ground], at: [2, 0, 0], axis: z, cut: true}\n"
    "  E: {type: revolute, between: [arm, rocker], at: [2, 1, 0], axis: z}\n"
    "  M: {type: motion, joint: D, function: \"0.2*sin(time) + a*time + b^2*a\"}\n"
    "controllers:\n"
    "  filter: {type: differential, rate: \"(FX(C) - filter)/0.1 + 0.01*TZ(M)\", initial: 0.3}\n"
    "  felt: {type: implicit, equation: \"RATE(felt)^3 + 2*RATE(felt) + felt - 0.1*ACCY(arm) - "
    "0.01*filter\", initial: 0.7}\n"
    "variables:\n"
    "  v: \"0.1*FY(A) + 0.2*w\"\n"
    "  w: \"0.3*v + felt + AZ(arm, rocker)^2\"\n"
    "loads:\n"
    "  wind: {type: force, on: arm, components: [\"0.1*filter + push*a\", \"0.01*w\", 0]}\n"
    "  line: {type: spring, between: [arm, crank], stiffness: 20, damping: 1}\n"
    "  coil: {type: torsion_spring, between: [arm, rocker], at: [2, 1, 0], axis: z, "
    "stiffness: 50, damping: 0.2, torque: \"0.1*FX(wind) + 0.01*v\"}\n"
    "outputs: {o1: \"FX(M)\", o2: \"TZ(M)\", o3: \"FX(wind)*VX(arm)\", o4: \"FY(D)\",\n"
    "  o5: \"RATE(felt) + v*w\", o6: \"TZ(coil) + FM(line)\"}\n"
    "operating_point: {type: given, time: 0.4}\n";

/* A mass held by its controller alone, so that its own stiffness is rounding. */
static const char held[] =
    "gravity: [0, 0, -9.81]\n"
    "inputs: {u: 1}\n"
    "bodies: {b: {mass: 1, inertia: [1, 2, 3], position: [0, 0, 0.2]}}\n"
    "joints: {rail: {type: translational, between: [b, ground], at: [0, 0, 0], axis: z}}\n"
    "variables:\n"
    "  off: \"u - DZ(b) - 0.01*ACCZ(b)\"\n"
    "  f: \"50*off + 3*sum + 0.2*tanh(f) + 0.1*FX(rail)\"\n"
    "controllers:\n"
    "  sum: {type: differential, rate: \"off\"}\n"
    "  lag: {type: state_space, inputs: [\"f\"], A: [[-1, 2], [0, -3]], B: [[1], [1]],\n"
    "    C: [[1, 0], [0, 1]], D: [[0], [1]]}\n"
    "loads:\n"
    "  motor: {type: force, on: b, components: [\"0.1*lag.y1\", 0, \"f - 5*VZ(b) + "
    "0.1*lag.y2\"]}\n"
    "outputs: {o: \"lag.y1\", a: \"ACCZ(b)\"}\n"
    "operating_point: {type: %s}\n";

/* A trolley with two rollers tied to it by their rates, in one joint of rows of different bodies,
 * whose force is told after that of another. */
static const char tied[] =
    "inputs: {torque: 0.2}\n"
    "bodies:\n"
    "  trolley: {mass: 4, inertia: [1, 1, 0.8], velocity: [2, 0, 0]}\n"
    "  left: {mass: 1, inertia: [0.1, 0.1, 0.2], position: [0, 1, 0]}\n"
    "  right: {mass: 2, inertia: [0.3, 0.2, 0.4], position: [0.2, -1, 0]}\n"
    "joints:\n"
    "  floor: {type: planar, between: [trolley, ground], at: [0, 0, 0], axis: z}\n"
    "  pin: {type: revolute, between: [left, trolley], at: [0, 1, 0], axis: z}\n"
    "  peg: {type: revolute, between: [right, trolley], at: [0, -1, 0], axis: z}\n"
    "  ties: {type: nonholonomic, between: [right, left], expressions: [\n"
    "    \"0.3*WZ(left) - VX(trolley)\", \"(0.4 + 0.1*DX(right))*WZ(right) - VY(left)\"]}\n"
    "loads: {motor: {type: torque, on: left, components: [0, 0, \"torque\"]}}\n"
    "outputs: {a: \"FX(floor)\", b: \"FX(pin)\", c: \"FX(ties)\", d: \"TZ(ties)\", "
    "f: \"FY(peg)\"}\n"
    "operating_point: {type: given}\n";

/* A shaft that turns, under a torque that changes as it does; %s: the unit of the controller. */
static const char shaft[] =
    "parameters: {k: %s}\n"
    "bodies: {rotor: {mass: 1.7, inertia: [1, 2, 3], angular_velocity: [0, 0, 3]}}\n"
    "joints: {bearing: {type: cylindrical, between: [rotor, ground], at: [0, 0, 0], axis: z}}\n"
    "controllers: {x: {type: differential, rate: \"k*AZ(rotor, ground) - x\", initial: 0}}\n"
    "loads: {t: {type: torque, on: rotor, components: [0, 0, "
    "\"0.001*x/k*sin(AZ(rotor, ground))\"]}}\n"
    "operating_point: {type: given}\n";

typedef struct cell {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear;
} cell;

static void cell_make(cell *c, const char *yaml, const char *set, const char *method)
{
    routh_error error;
    routh_linear_options options = routh_linear_defaults();
    options.method = method;
    if (routh_model_parse(&c->model, yaml, strlen(yaml), "test", NULL, 0, &error) ||
        routh_mechanism_compile(&c->mechanism, c->model, set, &error) ||
        routh_operating_point_find(&c->point, c->mechanism, NULL, &error) ||
        routh_linear_compute(&c->linear, c->mechanism, c->point, &options, &error))
        fail_msg("%s, %s: %s: %s", set, method, error.element, error.message);
}

static void cell_release(cell *c)
{
    routh_linear_free(c->linear);
    routh_operating_point_free(c->point);
    routh_mechanism_free(c->mechanism);
    routh_model_free(c->model);
}

static double difference(const double *a, const double *b, int n)
{
    double worst = 0, size = 0;
    for (int k = 0; k < n; k++) {
        if (!isfinite(a[k]) || !isfinite(b[k])) return NAN;
        worst = fmax(worst, fabs(a[k] - b[k]));
        size = fmax(size, fabs(b[k]));
    }
    return worst > 1e-12 ? worst / fmax(size, 1) : 0;
}

static void assert_same(const routh_linear *a, const routh_linear *b, double bound,
                        const char *where)
{
    const int n = a->n_states, in = a->n_inputs, out = a->n_outputs, z = a->n_position,
              z1 = a->n_velocity;
    assert_int_equal(n, b->n_states);
    assert_int_equal(z, b->n_position);
    assert_int_equal(z1, b->n_velocity);
    for (int k = 0; k < n; k++) assert_string_equal(a->states[k].name, b->states[k].name);
    const struct {
        const char *name;
        const double *a, *b;
        int n;
    } all[] = {{"A", a->A, b->A, n * n},
               {"B", a->B, b->B, n * in},
               {"B1", a->B1, b->B1, n * in},
               {"B2", a->B2, b->B2, n * in},
               {"C", a->C, b->C, out * n},
               {"D", a->D, b->D, out * in},
               {"D1", a->D1, b->D1, out * in},
               {"D2", a->D2, b->D2, out * in},
               {"mass", a->mass, b->mass, z1 * z1},
               {"damping", a->damping, b->damping, z1 * z1},
               {"stiffness", a->stiffness, b->stiffness, z1 * z},
               {"coupling", a->coupling, b->coupling, z1 * a->n_control},
               {"force", a->force, b->force, z1 * in},
               {"force1", a->force1, b->force1, z1 * in},
               {"force2", a->force2, b->force2, z1 * in},
               {"affine", a->affine, b->affine, n}};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        const double off = difference(all[k].a, all[k].b, all[k].n);
        if (!(off <= bound)) fail_msg("%s: %s differs by %.2e", where, all[k].name, off);
    }
}

/* The bodies' energies: the same motion of each in every set, and together the mass matrix. */
static void assert_energies(const routh_linear *a, const routh_linear *b, double bound,
                            const char *where)
{
    const int n = a->n_states, z = a->n_position, z1 = a->n_velocity;
    double sum[64] = {0};
    assert_true(z1 <= 8);
    for (int k = 0; k < a->n_shares && a->shares[k].kind == ROUTH_ENERGY_KINETIC; k++) {
        const routh_energy_fraction *x = &a->shares[k];
        assert_string_equal(x->name, b->shares[k].name);
        const double off = difference(x->rows, b->shares[k].rows, x->n_rows * n);
        if (!(off <= bound)) fail_msg("%s: motion of %s differs by %.2e", where, x->name, off);
        for (int e = 0; e < z1 * z1; e++)
            for (int i = 0; i < x->n_rows * x->n_rows; i++)
                sum[e] += x->rows[i / x->n_rows * n + z + e / z1] * x->weight[i] *
                          x->rows[i % x->n_rows * n + z + e % z1];
    }
    const double off = difference(sum, a->mass, z1 * z1);
    if (!(off <= bound)) fail_msg("%s: energies and mass differ by %.2e", where, off);
}

static void every_cell(const char *yaml)
{
    cell reference;
    cell_make(&reference, yaml, "absolute", "augmented");
    for (size_t c = 0; c < sizeof coordinates / sizeof coordinates[0]; c++)
        for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
            cell other;
            char where[80];
            snprintf(where, sizeof where, "%s, %s", coordinates[c], methods[k].name);
            cell_make(&other, yaml, coordinates[c], methods[k].name);
            assert_same(other.linear, reference.linear, methods[k].bound, where);
            assert_energies(other.linear, reference.linear, methods[k].bound, where);
            cell_release(&other);
        }
    cell_release(&reference);
}

static void assert_near(double value, double right)
{
    if (!(fabs(value - right) <= 1e-12 * fmax(1, fabs(right))))
        fail_msg("%.17g is not %.17g", value, right);
}

static void test_driven_cells(void **state) { (void)state, every_cell(driven); }
static void test_cart_cells(void **state) { (void)state, every_cell(cart); }
static void test_sleigh_cells(void **state) { (void)state, every_cell(sleigh); }

static void test_four_bar_cells(void **state) { (void)state, every_cell(four_bar); }

static void test_tied_cells(void **state) { (void)state, every_cell(tied); }

/* A load that uses the force of a joint, which the minimal method refuses. */
static void test_reacting_cells(void **state)
{
    static const char text[] =
        "gravity: [0, -9.81, 0]\n"
        "inputs: {push: 0.4}\n"
        "bodies:\n"
        "  cart: {mass: 2, inertia: [0.1, 0.1, 0.1], velocity: [0.3, 0, 0]}\n"
        "  rod: {mass: 0.5, inertia: [0.02, 0.001, 0.02], position: [0.3, -0.4, 0]}\n"
        "joints:\n"
        "  rail: {type: translational, between: [cart, ground], at: [0, 0, 0], axis: x}\n"
        "  hinge: {type: revolute, between: [rod, cart], at: [0, 0, 0], axis: z}\n"
        "loads: {rub: {type: force, on: cart, components: "
        "[\"push + 0.05*FY(rail)*tanh(3*VX(cart)) + 0.1*FX(hinge)\", 0, 0]}}\n"
        "outputs: {load: \"FY(rail)\"}\n"
        "operating_point: {type: given}\n";
    static const char *const able[] = {"augmented", "redundant", "difference"};
    cell reference;
    (void)state;
    cell_make(&reference, text, "absolute", "augmented");
    for (size_t c = 0; c < sizeof coordinates / sizeof coordinates[0]; c++) {
        for (size_t k = 0; k < sizeof able / sizeof able[0]; k++) {
            cell other;
            cell_make(&other, text, coordinates[c], able[k]);
            assert_same(other.linear, reference.linear, k == 2 ? 1e-8 : 1e-9, able[k]);
            cell_release(&other);
        }
    }
    routh_linear_options options = routh_linear_defaults();
    routh_linear *none;
    routh_error error;
    options.method = "minimal";
    assert_int_equal(
        routh_linear_compute(&none, reference.mechanism, reference.point, &options, &error),
        ROUTH_NOT_SUPPORTED);
    assert_null(none);
    cell_release(&reference);
}

static void test_held_cells(void **state)
{
    char text[sizeof held + 10];
    (void)state;
    snprintf(text, sizeof text, held, "static");
    every_cell(text);
    snprintf(text, sizeof text, held, "given");
    every_cell(text);
}

/* sqrt at zero has a value and no slope: the output is named, before any number is told. */
static void test_no_derivative(void **state)
{
    static const char text[] =
        "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints: {rail: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}}\n"
        "outputs: {flat: \"DX(b)\", steep: \"sqrt(DX(b))\"}\n"
        "operating_point: {type: given}\n";
    routh_error error;
    cell x = {NULL, NULL, NULL, NULL};
    (void)state;
    if (routh_model_parse(&x.model, text, strlen(text), "test", NULL, 0, &error) ||
        routh_mechanism_compile(&x.mechanism, x.model, "absolute", &error) ||
        routh_operating_point_find(&x.point, x.mechanism, NULL, &error))
        fail_msg("%s", error.message);
    assert_int_equal(routh_linear_compute(&x.linear, x.mechanism, x.point, NULL, &error),
                     ROUTH_NUMERIC_ERROR);
    assert_null(x.linear);
    assert_string_equal(error.element, "output steep");
    assert_int_equal(error.line, 3);
    cell_release(&x);
}

/* M W' = -C W - K S + coupling X + force in, of the rows of W' in A and B; and what goes on at the
 * operating point itself: the integral's rate is its error, 0.1. */
static void test_second_order(void **state)
{
    cell x;
    (void)state;
    cell_make(&x, cart, "absolute", "augmented");
    const routh_linear *l = x.linear;
    const int n = l->n_states, z = l->n_position, n_x = l->n_control, in = l->n_inputs;
    assert_int_equal(l->n_velocity, z);
    for (int i = 0; i < z; i++) {
        for (int j = 0; j < n + in; j++) {
            const double right = j < z       ? -l->stiffness[i * z + j]
                                 : j < 2 * z ? -l->damping[i * z + j - z]
                                 : j < n     ? l->coupling[i * n_x + j - 2 * z]
                                             : l->force[i * in + j - n];
            double sum = 0;
            for (int k = 0; k < z; k++)
                sum += l->mass[i * z + k] *
                       (j < n ? l->A[(z + k) * n + j] : l->B[(z + k) * in + j - n]);
            assert_near(sum, right);
        }
    }
    assert_near(l->affine[2 * z], 0.1);
    assert_near(l->states[2 * z].value, 0.05);
    cell_release(&x);
}

/* The same motion, whatever the controller's state is counted in. */
static void test_drift_and_units(void **state)
{
    static const char *const units[] = {"1", "1e7", "1e-7"};
    double drift = 0;
    (void)state;
    for (int k = 0; k < 3; k++) {
        char text[sizeof shaft + 10];
        cell x;
        snprintf(text, sizeof text, shaft, units[k]);
        if (k == 0) every_cell(text);
        cell_make(&x, text, "absolute", "augmented");
        if (k == 0) drift = x.linear->drift;
        assert_true(drift > 1e-5);
        assert_false(x.linear->steady);
        if (!(fabs(x.linear->drift - drift) <= 1e-6 * drift))
            fail_msg("in %s: drift %.9g, not %.9g", units[k], x.linear->drift, drift);
        cell_release(&x);
    }
}

/* m x'' = push - k (x - 1 - d) - c (x' - d') with d = road + ..., and the motion's force on the
 * carriage M d'' - k (x - 1 - d) - c (x' - d'). */
static void test_driven_closed_form(void **state)
{
    (void)state;
    const double m = 2, k = 30, c = 0.7, M = 3;
    cell x;
    cell_make(&x, driven, "absolute", "augmented");
    const routh_linear *l = x.linear;
    assert_int_equal(l->n_states, 2);
    assert_near(l->A[2], -k / m);
    assert_near(l->A[3], -c / m);
    assert_near(l->B[2], k / m); /* road */
    assert_near(l->B[3], 1 / m); /* push */
    assert_near(l->B1[2], c / m);
    assert_near(l->B2[2], 0);
    assert_near(l->force[0], k);
    assert_near(l->force[1], 1);
    assert_near(l->force1[0], c); /* m x'' = .. + k d + c d' */
    assert_near(l->force1[1], 0);
    assert_near(l->force2[0], 0);
    assert_near(l->C[0], 1);
    assert_near(l->C[4], -k / m);
    assert_near(l->D[5], 1 / m);
    assert_near(l->D2[4], 0);
    const double sign = l->D2[2] > 0 ? 1 : -1; /* who acts on whom is tested elsewhere */
    assert_near(sign * l->D2[2], M);
    assert_near(sign * l->C[2], -k);
    assert_near(sign * l->C[3], -c);
    assert_near(sign * l->D[2], k);
    assert_near(sign * l->D1[2], c);
    cell_release(&x);
}

/* A shaft that turns at 3 rad/s, and a state x' = -x^2/2 of its own: A is -x there, and drifts
 * along x = 1/(1 + t/2) while the shaft goes on by 1/1000 rad. */
static void test_drift_of_controllers(void **state)
{
    static const char text[] =
        "bodies: {rotor: {mass: 2, inertia: [1, 2, 3], angular_velocity: [0, 0, 3]}}\n"
        "joints: {axle: {type: revolute, between: [rotor, ground], at: [0, 0, 0], axis: z}}\n"
        "controllers: {x: {type: differential, rate: \"-x^2/2\", initial: 1}}\n"
        "operating_point: {type: given}\n";
    const double phase = 1e-3, later = 1 / (1 + phase / 3 / 2);
    const double drift = (1 - later) / sqrt((1 + later * later) / 2) / phase;
    cell x;
    (void)state;
    cell_make(&x, text, "absolute", "augmented");
    if (!(fabs(x.linear->drift - drift) <= 1e-6 * drift))
        fail_msg("drift %.12g, not %.12g", x.linear->drift, drift);
    cell_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_driven_cells),       cmocka_unit_test(test_cart_cells),
        cmocka_unit_test(test_sleigh_cells),       cmocka_unit_test(test_four_bar_cells),
        cmocka_unit_test(test_tied_cells),         cmocka_unit_test(test_held_cells),
        cmocka_unit_test(test_no_derivative),      cmocka_unit_test(test_reacting_cells),
        cmocka_unit_test(test_second_order),       cmocka_unit_test(test_drift_and_units),
        cmocka_unit_test(test_driven_closed_form), cmocka_unit_test(test_drift_of_controllers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
