/* The affine term about states that move and are accelerated: y' = a0 + A y. A double pendulum at
 * any angles and velocities against its own equations, written here by hand, with A by complex
 * steps of them; the motion that a0 and A predict, with the order of what is left; and a steady
 * motion, where nothing of a0 is left.
 *
 * Angles a, b against the vertical; masses m, M, centres at l, L of the upper and lower
 * rod, the lower one hung at d of the upper:
 *     (J + m l^2 + M d^2) a'' + M d L cos(a - b) b'' = -M d L sin(a - b) b'^2 - (m l + M d) g sin a
 *     M d L cos(a - b) a'' + (I + M L^2) b''         =  M d L sin(a - b) a'^2 - M L g sin b  */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/effort.h"
#include "support/mechanisms.h"

static routh_error error;

static const double m = 1.3, M = 0.7, l = 0.4, L = 0.35, d = 0.9, J = 0.12, I2 = 0.05, g = 9.81;

/* y = (a, b, a', b'). */
static void rates(const double complex y[4], double complex f[4])
{
    const double complex c = M * d * L * ccos(y[0] - y[1]), s = M * d * L * csin(y[0] - y[1]);
    const double complex A = J + m * l * l + M * d * d, B = I2 + M * L * L;
    const double complex p = -s * y[3] * y[3] - (m * l + M * d) * g * csin(y[0]);
    const double complex q = s * y[2] * y[2] - M * L * g * csin(y[1]);
    const double complex det = A * B - c * c;
    f[0] = y[2];
    f[1] = y[3];
    f[2] = (B * p - c * q) / det;
    f[3] = (A * q - c * p) / det;
}

static void rates_of(const double y[4], double f[4])
{
    double complex z[4], h[4];
    for (int k = 0; k < 4; k++) z[k] = y[k];
    rates(z, h);
    for (int k = 0; k < 4; k++) f[k] = creal(h[k]);
}

static void jacobian(const double y[4], double A[16])
{
    for (int j = 0; j < 4; j++) {
        double complex z[4], f[4];
        for (int k = 0; k < 4; k++) z[k] = y[k];
        z[j] += 1e-200 * I;
        rates(z, f);
        for (int i = 0; i < 4; i++) A[4 * i + j] = cimag(f[i]) / 1e-200;
    }
}

static const char model[] =
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  up: {mass: 1.3, inertia: [0.1, 0.02, 0.12], position: [0, -0.4, 0]}\n"
    "  low: {mass: 0.7, inertia: [0.06, 0.02, 0.05], position: [0, -1.25, 0]}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [up, ground], at: [0, 0, 0], axis: z}\n"
    "  knee: {type: revolute, between: [low, up], at: [0, -0.9, 0], axis: z}\n"
    "linearize: {states: [up.rz, low.rz]}\n";

/* Where the rods are, worked out here. */
static void bodies_at(const double y[4], routh_initial_body body[2])
{
    static const char *const names[] = {"up", "low"};
    const double arm[] = {l, L};
    double knee[2] = {0, 0}, knee_velocity[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        const double s = sin(y[k]), c = cos(y[k]), w = y[2 + k];
        body[k] = (routh_initial_body){
            .name = names[k],
            .position = {knee[0] + arm[k] * s, knee[1] - arm[k] * c, 0},
            .orientation = {c, -s, 0, s, c, 0, 0, 0, 1},
            .velocity = {knee_velocity[0] + arm[k] * c * w, knee_velocity[1] + arm[k] * s * w, 0},
            .angular_velocity = {0, 0, w}};
        knee[0] += d * s, knee[1] -= d * c;
        knee_velocity[0] += d * c * w, knee_velocity[1] += d * s * w;
    }
}

/* At the state, or where the model has its operating point. */
static routh_linear *linear_of(const routh_mechanism *mechanism, const routh_initial_state *state,
                               const char *method)
{
    routh_operating_point *point;
    routh_linear *linear = NULL;
    routh_linear_options options = routh_linear_defaults();
    options.method = method;
    if ((state ? routh_operating_point_of_state(&point, mechanism, state, NULL, &error)
               : routh_operating_point_find(&point, mechanism, NULL, &error)) ||
        routh_linear_compute(&linear, mechanism, point, &options, &error))
        fail_msg("%s", error.message);
    routh_operating_point_free(point);
    return linear;
}

static routh_linear *linear_at(const routh_mechanism *mechanism, const double y[4],
                               const char *method)
{
    routh_initial_body body[2];
    bodies_at(y, body);
    const routh_initial_state state = {.time = 3, .n_bodies = 2, .bodies = body};
    routh_linear *linear = linear_of(mechanism, &state, method);
    assert_int_equal(linear->n_states, 4);
    assert_string_equal(linear->states[0].name, "up.rz");
    return linear;
}

static void near(const double *a, const double *b, int n, double tolerance)
{
    const double size = largest_of(b, n);
    for (int k = 0; k < n; k++)
        if (!(fabs(a[k] - b[k]) <= tolerance * size))
            fail_msg("number %d: %.17g and %.17g", k, a[k], b[k]);
}

static void a_falling_double_pendulum_at_any_state(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"augmented", "minimal", "redundant"};
    test_mechanism t;
    random_stream random = {.state = 5};
    const char *set;
    mechanism_make(&t, model);
    for (int k = 0; (set = routh_coordinate_name(k)); k++) {
        routh_mechanism *mechanism;
        assert_int_equal(routh_mechanism_compile(&mechanism, t.model, set, &error), ROUTH_OK);
        for (int i = 0; i < with_effort(6); i++) {
            double y[4], f[4], A[16];
            random_reals(&random, 4, y);
            y[0] *= 3, y[1] *= 3, y[2] *= 7, y[3] *= 7;
            rates_of(y, f);
            jacobian(y, A);
            for (int c = 0; c < 3; c++) {
                routh_linear *linear = linear_at(mechanism, y, methods[c]);
                near(linear->affine, f, 4, 1e-12);
                near(linear->A, A, 16, 1e-11);
                assert_true(linear->at_rest == 0 && linear->steady == 0 && linear->drift > 1e-3);
                routh_linear_free(linear);
            }
        }
        routh_mechanism_free(mechanism);
    }
    mechanism_release(&t);
}

/* Runge and Kutta's method with so small steps that its error is rounding. */
static void go_on(double y[4], double time)
{
    enum { STEPS = 400 };
    const double h = time / STEPS;
    for (int k = 0; k < STEPS; k++) {
        double f[4][4], z[4];
        static const double at[] = {0, 0.5, 0.5, 1};
        for (int i = 0; i < 4; i++) {
            for (int c = 0; c < 4; c++) z[c] = y[c] + (i ? at[i] * h * f[i - 1][c] : 0);
            rates_of(z, f[i]);
        }
        for (int c = 0; c < 4; c++) y[c] += h / 6 * (f[0][c] + 2 * f[1][c] + 2 * f[2][c] + f[3][c]);
    }
}

/* What is left of y(t0 + h) after y0 + h a0, and after h^2/2 A a0 more. */
static void left_over(const routh_linear *linear, const double y0[4], double h, double left[2])
{
    double y[4];
    memcpy(y, y0, sizeof y);
    go_on(y, h);
    left[0] = left[1] = 0;
    for (int i = 0; i < 4; i++) {
        double curved = 0;
        for (int j = 0; j < 4; j++) curved += linear->A[4 * i + j] * linear->affine[j];
        const double first = y[i] - y0[i] - h * linear->affine[i];
        left[0] = fmax(left[0], fabs(first));
        left[1] = fmax(left[1], fabs(first - h * h / 2 * curved));
    }
}

static void the_motion_is_predicted_to_its_order(void **unused)
{
    (void)unused;
    static const double y0[] = {1.1, -0.7, 2, -3};
    test_mechanism t;
    mechanism_make(&t, model);
    routh_linear *linear = linear_at(t.m, y0, "augmented");
    double coarse[2], fine[2];
    left_over(linear, y0, 1e-3, coarse);
    left_over(linear, y0, 5e-4, fine);
    for (int k = 0; k < 2; k++) {
        const double order = log2(coarse[k] / fine[k]);
        if (!(fabs(order - (2 + k)) <= 0.02)) fail_msg("order %g in place of %d", order, 2 + k);
    }
    routh_linear_free(linear);
    mechanism_release(&t);
}

/* ---- a steady motion ------------------------------------------------------------------------ */

/* A pendulum that circles the vertical with its turntable, at the time t of that motion. */
static void circling(double t, routh_initial_body body[2])
{
    const double theta = 0.5235987755982988, length = 0.5;
    const double W = sqrt(9.81 / (length * cos(theta))), r = length * sin(theta);
    const double c = cos(W * t), s = sin(W * t);
    body[0] = (routh_initial_body){.name = "ball",
                                   .position = {r * c, r * s, -length * cos(theta)},
                                   .quaternion = {1},
                                   .velocity = {-W * r * s, W * r * c, 0}};
    body[1] = (routh_initial_body){.name = "turntable",
                                   .orientation = {c, -s, 0, s, c, 0, 0, 0, 1},
                                   .angular_velocity = {0, 0, W}};
}

static void of_a_steady_motion_nothing_is_left(void **unused)
{
    (void)unused;
    test_mechanism t;
    mechanism_make_template(&t, "rotating-pendulum", NULL);
    const char *set;
    for (int k = 0; (set = routh_coordinate_name(k)); k++) {
        routh_mechanism *mechanism;
        routh_linear *first = NULL;
        assert_int_equal(routh_mechanism_compile(&mechanism, t.model, set, &error), ROUTH_OK);
        for (int i = 0; i < 4; i++) {
            routh_initial_body body[2];
            circling(0.37 * i, body);
            const routh_initial_state state = {.time = 0.37 * i, .n_bodies = 2, .bodies = body};
            routh_linear *linear = linear_of(mechanism, &state, "augmented");
            const int n = linear->n_states;
            assert_true(linear->steady == 1 && linear->at_rest == 0);
            for (int c = 0; c < n; c++) assert_true(fabs(linear->affine[c]) <= 1e-13 * 9.81);
            if (first)
                near(linear->A, first->A, n * n, 1e-11);
            else
                first = linear;
            if (linear != first) routh_linear_free(linear);
        }
        routh_linear_free(first);
        routh_mechanism_free(mechanism);
    }
    mechanism_release(&t);
}

/* A mass on a spring is a linear system: A stays as it is whatever happens. Let go where the forces
 * are out of balance, or swinging, be it just through the place where they balance, it is in no
 * steady motion; where they balance it is at rest.
 * So of a mass that a force alone pushes. */
static void what_a_linear_system_does_is_no_steady_motion(void **unused)
{
    (void)unused;
    static const struct {
        double stiffness, x, v;
        int at_rest, steady;
    } cases[] = {{4, 0.3, 0, 0, 0},
                 {4, 0.2, 1, 0, 0},
                 {4, 0.25, 1, 0, 0},
                 {4, 0.25, 0, 1, 1},
                 {0, 0.3, 0, 0, 0}};
    const char *set;
    for (int k = 0; k < (int)(sizeof cases / sizeof *cases); k++)
        for (int c = 0; (set = routh_coordinate_name(c)); c++) {
            growing_text text = {0};
            test_mechanism t;
            text_add(&text,
                     "gravity: [0, 0, 0]\n"
                     "bodies: {a: {mass: 1, inertia: [1, 1, 1], position: [%.17g, 0, 0], "
                     "velocity: [%.17g, 0, 0]}}\n"
                     "joints: {g: {type: translational, between: [a, ground], axis: x}}\n"
                     "loads:\n"
                     "  s: {type: bushing, between: [a, ground], translation: {stiffness: [%.17g, "
                     "0, 0]}}\n"
                     "  f: {type: force, on: a, components: [1, 0, 0]}\n"
                     "operating_point: {type: given}\n",
                     cases[k].x, cases[k].v, cases[k].stiffness);
            mechanism_make(&t, text.bytes);
            routh_mechanism *mechanism;
            assert_int_equal(routh_mechanism_compile(&mechanism, t.model, set, &error), ROUTH_OK);
            routh_linear *linear = linear_of(mechanism, NULL, "augmented");
            assert_true(linear->drift <= 1e-10);
            assert_int_equal(linear->at_rest, cases[k].at_rest);
            assert_int_equal(linear->steady, cases[k].steady);
            routh_linear_free(linear);
            routh_mechanism_free(mechanism);
            mechanism_release(&t);
            free(text.bytes);
        }
}

/* A box on a stiff mount turns slowly with its turntable: rounding of where it stands moves it more
 * than the motion does. A mass that stiffly follows a trolley moves evenly, though its own spring's
 * end is moved by a function of time. */
static void slow_motions_of_stiff_parts_are_steady(void **unused)
{
    (void)unused;
    static const char *const models[] = {
        "parameters: {rate: 1e-3, k: 1e7, X: 1e5}\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  table: {mass: 1, inertia: [1, 1, 1], position: [X, 0, 0], angular_velocity: [0, 0, "
        "rate]}\n"
        "  box: {mass: 20, inertia: [1, 1.2, 0.7], position: [X + 1, 0.3, 0.5],\n"
        "    velocity: [-rate*0.3, rate, 0], angular_velocity: [0, 0, rate]}\n"
        "markers: {seat: {body: table, position: [1, 0.3, 0.5]}}\n"
        "joints:\n"
        "  axle: {type: revolute, between: [table, ground], at: [X, 0, 0], axis: z}\n"
        "  drive: {type: motion, joint: axle, function: rate*time}\n"
        "loads:\n"
        "  mount: {type: bushing, between: [box, seat],\n"
        "    translation: {stiffness: [k, k, 1.3*k], damping: 10}, rotation: {stiffness: k}}\n"
        "operating_point: {type: steady}\n"
        "steady: {turn_rate: rate, axis: z}\n",
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  trolley: {mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}\n"
        "  mass: {mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}\n"
        "joints:\n"
        "  g: {type: translational, between: [trolley, ground], axis: x}\n"
        "  m: {type: translational, between: [mass, ground], axis: x}\n"
        "  d: {type: motion, joint: g, function: time}\n"
        "loads:\n"
        "  s: {type: bushing, between: [mass, trolley], translation: {stiffness: [1e8, 0, 0]}}\n"
        "operating_point: {type: given}\n"};
    const char *set;
    for (int k = 0; k < 2; k++)
        for (int c = 0; (set = routh_coordinate_name(c)); c++) {
            test_mechanism t;
            mechanism_make(&t, models[k]);
            routh_mechanism *mechanism;
            assert_int_equal(routh_mechanism_compile(&mechanism, t.model, set, &error), ROUTH_OK);
            routh_linear *linear = linear_of(mechanism, NULL, "augmented");
            assert_int_equal(linear->at_rest, 0);
            assert_int_equal(linear->steady, 1);
            routh_linear_free(linear);
            routh_mechanism_free(mechanism);
            mechanism_release(&t);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_falling_double_pendulum_at_any_state),
        cmocka_unit_test(the_motion_is_predicted_to_its_order),
        cmocka_unit_test(of_a_steady_motion_nothing_is_left),
        cmocka_unit_test(what_a_linear_system_does_is_no_steady_motion),
        cmocka_unit_test(slow_motions_of_stiff_parts_are_steady),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
