/* Tyres in small vehicles whose equations are known: the single-track model (Riekert and Schunck
 * 1940), with and without relaxation lengths (Pacejka 2006, 1.3 and 5), a trailing wheel, a wheel
 * that is braked; and one that stands. In every coordinate set by every exact method. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "closed_form/whole_model.h"

static const double tolerance = 1e-10;

static void in_every_way(const char *yaml, const explicit_system *system)
{
    whole_way way = {0};
    for (int k = 0; whole_next_way(&k, &way);) {
        char what[160];
        whole found = whole_parse(yaml, &way);
        snprintf(what, sizeof what, "%s, %s", way.coordinates, way.method);
        assert_linearizes(what, found.linear, system, tolerance);
        whole_release(&found);
    }
}

static void has_spectrum(const char *yaml, const root *expected, int n)
{
    whole_way way = {0};
    for (int k = 0; whole_next_way(&k, &way);) {
        char what[160];
        whole found = whole_parse(yaml, &way);
        snprintf(what, sizeof what, "%s, %s", way.coordinates, way.method);
        whole_assert_spectrum(what, found.modes, expected, n, 1e-9);
        whole_release(&found);
    }
}

/* ---- the single-track model ------------------------------------------------------------------ */

/* a in front, b behind; the front wheel is steered by a fixed angle; r: the rear. */
#define TRACK_NUMBERS "m: 1500, J: 2500, a: 1.2, b: 1.6, Cf: 8e4, Cr: 9e4, sf: 0.5, sr: 0.7"
#define WHEEL(name, x, turn)                                                                       \
    "  " name ": {body: car, position: [" x ", 0, -0.2], orientation: {matrix: "                   \
    "[[cos(" turn "), 0, -sin(" turn ")], [sin(" turn "), 0, cos(" turn ")], [0, -1, 0]]}}\n"
#define TRACK(motion, front, rear)                                                                 \
    "parameters: {" TRACK_NUMBERS ", d: 0.07, V: 20}\n"                                            \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "inputs: {push: 300}\n"                                                                        \
    "outputs: {side: \"ACCY(car)\", wheel: \"TZ(f)\"}\n"                                           \
    "bodies:\n"                                                                                    \
    "  car: {mass: m, inertia: [500, 2000, J], position: [3, -2, 0.5], " motion "}\n"              \
    "markers:\n" WHEEL("front", "a", "d") WHEEL(                                                   \
        "rear", "-b",                                                                              \
        "0") "joints: {flat: {type: planar, between: [car, ground], at: [0, 0, 0], axis: z}}\n"    \
             "loads:\n"                                                                            \
             "  f: {type: tyre, between: [front, ground], preload: 8000, stiffness: 2e5" front     \
             "}\n"                                                                                 \
             "  r: {type: tyre, between: [rear, ground], preload: 7000, stiffness: 2e5" rear "}\n" \
             "linearize: {states: [car.x, car.y, car.rz]}\n"

enum { X, Y, YAW, VX, VY, RATE, SLIP_F, SLIP_R };

typedef struct wheel {
    double x, steer, stiffness, length, trail, low;
} wheel;

static const wheel front = {1.2, 0.07, 8e4, 0.5, 0, 0.1}, rear = {-1.6, 0, 9e4, 0.7, 0, 0.1};

/* |v| (v goes forward) kept from zero */
static root speed_of(root v, double low) { return creal(v) > low ? v : (low + v * v / low) / 2; }

/* Force and torque about the car's centre of a wheel, its sliding velocities across and along. */
static void wheel_velocity(const wheel *w, const root *y, root *forward, root *across)
{
    const root heading = y[YAW] + w->steer;
    const root vx = y[VX] - y[RATE] * w->x * csin(y[YAW]);
    const root vy = y[VY] + y[RATE] * w->x * ccos(y[YAW]);
    *forward = vx * ccos(heading) + vy * csin(heading);
    *across = -vx * csin(heading) + vy * ccos(heading);
}

static void add_wheel(const wheel *w, const root *y, root slip, root drive, root force[3])
{
    root forward, across;
    wheel_velocity(w, y, &forward, &across);
    const root heading = y[YAW] + w->steer, side = w->stiffness * slip;
    const root fx = drive * ccos(heading) - side * csin(heading);
    const root fy = drive * csin(heading) + side * ccos(heading);
    force[0] += fx;
    force[1] += fy;
    force[2] += w->x * (ccos(y[YAW]) * fy - csin(y[YAW]) * fx) -
                w->trail * forward / speed_of(forward, w->low) * side;
}

static void finish(const root *y, const root force[3], root *rate, root *out)
{
    for (int k = 0; k < 3; k++) rate[X + k] = y[VX + k];
    rate[VX] = force[0] / 1500;
    rate[VY] = force[1] / 1500;
    rate[RATE] = force[2] / 2500;
    out[0] = rate[VY];
}

static root slip_at_once(const wheel *w, const root *y)
{
    root forward, across;
    wheel_velocity(w, y, &forward, &across);
    return -across / speed_of(forward, w->low);
}

static void with_trail(const root *y, const root *in, root *rate, root *out)
{
    wheel f = front;
    root force[3] = {0};
    f.trail = 0.03;
    const root slip = slip_at_once(&f, y);
    add_wheel(&f, y, slip, 0, force);
    add_wheel(&rear, y, slip_at_once(&rear, y), in[0], force);
    finish(y, force, rate, out);
    out[1] = -0.03 * f.stiffness * slip;
}

#define TURNING                                                                                    \
    "orientation: {axis: [0, 0, 1], angle: 0.4}, velocity: [18, 9, 0], "                           \
    "angular_velocity: [0, 0, 0.3]"

static void a_turning_car_without_relaxation(void **state)
{
    (void)state;
    in_every_way(TRACK(TURNING, ", cornering_stiffness: Cf, trail: 0.03",
                       ", cornering_coefficient: Cr/7000, drive_force: push"),
                 &(explicit_system){with_trail,
                                    6,
                                    1,
                                    2,
                                    {"car.x", "car.y", "car.rz", "car.x'", "car.y'", "car.rz'"},
                                    {3, -2, 0.4, 18, 9, 0.3},
                                    {"push"},
                                    {300},
                                    {"side", "wheel"}});
}

static void relax(const wheel *w, const root *y, int slip, root *rate)
{
    root forward, across;
    wheel_velocity(w, y, &forward, &across);
    rate[slip] = -(speed_of(forward, w->low) * y[slip] + across) / w->length;
}

static void with_relaxation(const root *y, const root *in, root *rate, root *out)
{
    root force[3] = {0};
    add_wheel(&front, y, y[SLIP_F], 0, force);
    add_wheel(&rear, y, y[SLIP_R], in[0], force);
    finish(y, force, rate, out);
    relax(&front, y, SLIP_F, rate);
    relax(&rear, y, SLIP_R, rate);
    out[1] = 0;
}

/* Slips begin where their rates are zero. */
static explicit_system relaxed_system(const double *at)
{
    explicit_system s = {with_relaxation,
                         8,
                         1,
                         2,
                         {"car.x", "car.y", "car.rz", "car.x'", "car.y'", "car.rz'",
                          "f.lateral_slip", "r.lateral_slip"},
                         {0},
                         {"push"},
                         {300},
                         {"side", "wheel"}};
    root y[8] = {0};
    for (int k = 0; k < 6; k++) y[k] = s.y[k] = at[k];
    s.y[SLIP_F] = creal(slip_at_once(&front, y));
    s.y[SLIP_R] = creal(slip_at_once(&rear, y));
    return s;
}

#define RELAXED_FRONT ", cornering_stiffness: Cf, relaxation_length: sf"
#define RELAXED_REAR ", cornering_stiffness: Cr, relaxation_length: sr, drive_force: push"

static void a_turning_car_with_relaxation(void **state)
{
    (void)state;
    const explicit_system s = relaxed_system((double[]){3, -2, 0.4, 18, 9, 0.3});
    in_every_way(TRACK(TURNING, RELAXED_FRONT, RELAXED_REAR), &s);
}

/* Below low_speed = 0.1 m/s. */
static void a_car_that_creeps(void **state)
{
    (void)state;
    const explicit_system s = relaxed_system((double[]){3, -2, 0, 0.06, 0.002, 0.001});
    in_every_way(TRACK("velocity: [0.06, 0.002, 0], angular_velocity: [0, 0, 0.001]", RELAXED_FRONT,
                       RELAXED_REAR),
                 &s);
}

/* Straight on, lateral velocity v and yaw rate r:
 *     m (v' + V r) = F_f + F_r,   J r' = a F_f - b F_r,
 *     F = -C (v + x r)/V, or C alpha with sigma alpha' + V alpha = -(v + x r). */
#define STRAIGHT "velocity: [V, 0, 0]"

static void the_textbook_single_track_model(void **state)
{
    (void)state;
    const double m = 1500, J = 2500, a = 1.2, b = 1.6, Cf = 8e4, Cr = 9e4, V = 20;
    const double A[2][2] = {{-(Cf + Cr) / (m * V), -V - (a * Cf - b * Cr) / (m * V)},
                            {-(a * Cf - b * Cr) / (J * V), -(a * a * Cf + b * b * Cr) / (J * V)}};
    const root c[] = {A[0][0] * A[1][1] - A[0][1] * A[1][0], -A[0][0] - A[1][1], 1};
    root roots[2];
    polynomial_roots(c, 2, roots);
    has_spectrum(
        "parameters: {" TRACK_NUMBERS ", V: 20}\n"
        "bodies: {car: {mass: m, inertia: [500, 2000, J], position: [3, -2, 0.5], " STRAIGHT
        "}}\nmarkers:\n" WHEEL("front", "a", "0") WHEEL(
            "rear", "-b",
            "0") "joints: {flat: {type: planar, between: [car, ground], at: [0, 0, 0], axis: z}}\n"
                 "loads:\n"
                 "  f: {type: tyre, between: [front, ground], radius: 0.4, stiffness: 2e5, "
                 "cornering_stiffness: Cf}\n"
                 "  r: {type: tyre, between: [rear, ground], radius: 0.4, stiffness: 2e5, "
                 "cornering_stiffness: Cr}\n",
        roots, 2);
}

/* ---- a trailing wheel ------------------------------------------------------------------------ */

/* A wheel behind a kingpin that moves on at V, with the contact e behind it and the force t behind
 * that:
 *     F = C alpha,                sigma alpha' + V alpha = V psi + e psi',
 *     J psi'' + c psi' + k psi = -(e + t) F,
 *     (J s^2 + c s + k)(sigma s + V) + (e + t) C (e s + V) = 0
 * (Pacejka 2006, 5.2, with the first-order lag for the string). Without damping it shimmies for
 * 0 < e < sigma. */
static void trailing_roots(double e, double c, root roots[3])
{
    const double J = 0.9, k = 500, sigma = 0.6, V = 15, C = 3e4, t = 0.05;
    const root p[] = {k * V + (e + t) * C * V, c * V + k * sigma + (e + t) * C * e,
                      J * V + c * sigma, J * sigma};
    polynomial_roots(p, 3, roots);
}

#define TRAILING                                                                                   \
    "bodies:\n"                                                                                    \
    "  slider: {mass: 5, inertia: [1, 1, 1], position: [0, 0, 1]}\n"                               \
    "  yoke: {mass: 4, inertia: [0.5, 0.6, 0.9 - 4*0.2^2], position: [-0.2, 0, 0.3]}\n"            \
    "markers:\n"                                                                                   \
    "  wheel: {body: yoke, at: [-back, 0, 0.3], orientation: {axis: [1, 0, 0], angle: -90 deg}}\n" \
    "joints:\n"                                                                                    \
    "  way: {type: translational, between: [slider, ground], at: [0, 0, 1], axis: x}\n"            \
    "  drive: {type: motion, joint: way, function: 15*time}\n"                                     \
    "  kingpin: {type: revolute, between: [yoke, slider], at: [0, 0, 1], axis: z}\n"               \
    "loads:\n"                                                                                     \
    "  stay: {type: torsion_spring, between: [yoke, slider], at: [0, 0, 1], stiffness: 500, "      \
    "damping: c}\n"                                                                                \
    "  tyre: {type: tyre, between: [wheel, ground], preload: 900, stiffness: 1e5, trail: 0.05, "   \
    "cornering_stiffness: 3e4, relaxation_length: 0.6}\n"

static void a_trailing_wheel_with_relaxation(void **state)
{
    (void)state;
    root roots[3];
    trailing_roots(0.35, 2, roots);
    has_spectrum("parameters: {back: 0.35, c: 2}\n" TRAILING, roots, 3);
    assert_true(creal(roots[0]) > 0 || creal(roots[1]) > 0 || creal(roots[2]) > 0); /* shimmy */
    trailing_roots(0.8, 2, roots);
    has_spectrum("parameters: {back: 0.8, c: 2}\n" TRAILING, roots, 3);
    for (int k = 0; k < 3; k++) assert_true(creal(roots[k]) < 0);
}

/* ---- a braked wheel -------------------------------------------------------------------------- */

enum { WAY, TURN, FORWARD, SPIN, SLIP };

/* 300 v' = F,  1.2 W' = -0.29 F - brake,  F = 6e4 k, 0.3 k' + v k = -(v - 0.31 W): the loaded
 * radius is 0.29 m, the effective one 0.31 m. */
static void braked(const root *y, const root *in, root *rate, root *out)
{
    const root F = 6e4 * y[SLIP];
    rate[WAY] = y[FORWARD];
    rate[TURN] = y[SPIN];
    rate[FORWARD] = F / 304;
    rate[SPIN] = (-0.29 * F - in[0]) / 1.2;
    rate[SLIP] = -(y[FORWARD] * y[SLIP] + y[FORWARD] - 0.31 * y[SPIN]) / 0.3;
    out[0] = F;
    out[1] = y[SLIP];
}

static void a_braked_wheel(void **state)
{
    (void)state;
    static const char yaml[] =
        "inputs: {brake: 90}\n"
        "outputs: {force: \"FX(t)\", slip: t.longitudinal_slip}\n"
        "bodies:\n"
        "  car: {mass: 300, inertia: [9, 9, 9], position: [0, 0, 0.5], velocity: [12, 0, 0]}\n"
        "  wheel: {mass: 4, inertia: [0.8, 1.2, 0.8], position: [0, 0, 0.29], "
        "velocity: [12, 0, 0], angular_velocity: [0, 38, 0]}\n"
        "markers:\n"
        "  hub: {body: wheel, orientation: {axis: [1, 0, 0], angle: -90 deg}}\n"
        "joints:\n"
        "  way: {type: translational, between: [car, ground], at: [0, 0, 0.5], axis: x}\n"
        "  axle: {type: revolute, between: [wheel, car], at: [0, 0, 0.29], axis: y}\n"
        "loads:\n"
        "  t: {type: tyre, between: [hub, ground], preload: 3000, stiffness: 2e5, "
        "slip_stiffness: 6e4, effective_radius: 0.31, longitudinal_relaxation_length: 0.3}\n"
        "  caliper: {type: torque, on: wheel, reaction_on: car, components: [0, -brake, 0]}\n"
        "linearize: {states: [car.x, wheel.ry]}\n";
    in_every_way(yaml, &(explicit_system){
                           braked,
                           5,
                           1,
                           2,
                           {"car.x", "wheel.ry", "car.x'", "wheel.ry'", "t.longitudinal_slip"},
                           {0, 0, 12, 38, -(12 - 0.31 * 38) / 12},
                           {"brake"},
                           {90},
                           {"force", "slip"}});
}

/* ---- at rest --------------------------------------------------------------------------------- */

/* A car on four tyres finds the height and the pitch at which they carry it, and goes nowhere:
 *     F_f + F_r = m g,   F_f x_f + F_r x_r = 0,   F = 2 k (0.3 - h),
 * x and h the places of the wheels' centres (x = 1.1 or -1.5, z = -0.25 in the car) from the car's
 * centre and over the road, the car pitched by p: x cos p + z sin p, z cos p - x sin p. */
#define CORNER(name, x, y)                                                                         \
    "  " name ": {body: car, position: [" x ", " y ", -0.25], orientation: {axis: [1, 0, 0], "     \
    "angle: -90 deg}}\n"
#define STANDING(name, more)                                                                       \
    "  t" name ": {type: tyre, between: [" name ", ground], radius: 0.3, stiffness: 2e5, "         \
    "damping: 500, cornering_stiffness: 6e4, slip_stiffness: 8e4" more "}\n"
#define STANDING_CAR(more)                                                                         \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "bodies: {car: {mass: 1200, inertia: [400, 1500, 1600], position: [0, 0, 0.53]}}\n"            \
    "markers:\n" CORNER("fl", "1.1", "0.7") CORNER("fr", "1.1", "-0.7")                            \
        CORNER("rl", "-1.5", "0.7") CORNER("rr", "-1.5", "-0.7") "loads:\n" STANDING("fl", more)   \
            STANDING("fr", more) STANDING("rl", more)                                              \
                STANDING("rr", more) "operating_point: {type: static}\n"

static void stands(const char *yaml, int n_slips)
{
    static const double xs[2] = {1.1, -1.5}, z = -0.25, weight = 1200 * 9.81;
    whole found = whole_parse(yaml, NULL);
    const routh_operating_point *point = found.point;
    const double *A = point->bodies[0].orientation;
    double sum[2] = {0}, moment = 0;
    assert_int_equal(point->n_reactions, 4);
    for (int k = 0; k < 4; k++) {
        const routh_reaction *r = &point->reactions[k];
        sum[r->name[1] == 'r'] += r->force[2];
        assert_true(fabs(r->force[0]) < 1e-6 * weight && fabs(r->force[1]) < 1e-6 * weight);
    }
    for (int k = 0; k < 2; k++) {
        const double height = point->bodies[0].position[2] + A[6] * xs[k] + A[8] * z;
        assert_true(fabs(sum[k] - 4e5 * (0.3 - height)) < 1e-9 * weight);
        moment += sum[k] * (A[0] * xs[k] + A[2] * z);
    }
    assert_true(fabs(sum[0] + sum[1] - weight) < 1e-9 * weight);
    assert_true(fabs(moment) < 1e-9 * weight && sum[0] > sum[1] && A[6] < -1e-3);
    assert_int_equal(found.linear->n_states, 12 + n_slips);
    whole_release(&found);
}

static void a_car_stands_on_its_tyres(void **state)
{
    (void)state;
    stands(STANDING_CAR(", relaxation_length: 0.4, longitudinal_relaxation_length: 0.2"), 8);
    stands(STANDING_CAR(""), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turning_car_without_relaxation),
        cmocka_unit_test(a_turning_car_with_relaxation),
        cmocka_unit_test(a_car_that_creeps),
        cmocka_unit_test(the_textbook_single_track_model),
        cmocka_unit_test(a_trailing_wheel_with_relaxation),
        cmocka_unit_test(a_braked_wheel),
        cmocka_unit_test(a_car_stands_on_its_tyres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
