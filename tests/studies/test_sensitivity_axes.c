/* Derivatives by parameters that turn the axis of a steady motion, or those of its spins: against
 * closed forms, against differences of the whole chain, and where everything turns with them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/differences.h"

/* names: NULL-terminated; NULL: by all parameters. */
static routh_sensitivity *sensitivities_of(const char *text, const char *const *names, chain *c)
{
    const routh_sensitivity_options options = {.parameters = names};
    routh_error error = {0};
    routh_sensitivity *s = NULL;
    const difference_model model = {.text = text};
    routh_status status = chain_run(c, &model, NULL, 0, &error);
    if (!status)
        status = routh_sensitivity_compute(&s, c->mechanism, c->point, c->modes, &options, &error);
    if (status) fail_msg("%s", error.message);
    assert_int_equal(s->n_warnings, 0);
    return s;
}

static const double *by(const routh_sensitivity *s, const char *name, int mode)
{
    for (int p = 0; p < s->n_parameters; p++)
        if (strcmp(s->parameters[p], name) == 0) return s->eigenvalue_by[p * s->n_modes + mode];
    fail_msg("%s is not among the parameters", name);
    return NULL;
}

/* All derivatives of all modes; none may be one that differences say nothing about. */
static void compare(const char *text, int least)
{
    static char report[16384];
    difference_tally tally = {0};
    const difference_model model = {.text = text};
    compare_with_differences(&model, 0, 1, &tally, report, sizeof report);
    print_message("    %d derivatives compared, %d where differences say too little, worst %.2g of "
                  "the others\n",
                  tally.n_compared, tally.n_doubtful, tally.worst);
    if (report[0]) fail_msg("%s", report);
    assert_int_equal(tally.n_refused, 0);
    assert_true(tally.n_compared - tally.n_doubtful >= least);
}

/* ---- spins ---------------------------------------------------------------------------------- */

/* A ball that spins in a frame, which hangs in a cross; I of both about its legs, J of the ball,
 * about whose axis a = (sin(t), 0, cos(t)) the frame turns without it. The frame does not yaw, so
 * only the part H = J s cos(t) of the spin's momentum turns one swing into the other:
 *     f(w, t) = (K - I_x w^2)(K - I w^2) - H^2 w^2 = 0,   I_x = I - J sin(t)^2,   K = m g l */
static void gyroscope_on_a_tilted_axis(void **unused)
{
    (void)unused;
    static const char text[] =
        "parameters: {t: 0.4, s: 30}\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  frame: {mass: 2, inertia: [0.3, 0.3, 0.3], position: [0, 0, -0.7]}\n"
        "  ball: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, -0.7],\n"
        "         angular_velocity: [s*sin(t), 0, s*cos(t)]}\n"
        "joints:\n"
        "  cross: {type: universal, between: [frame, ground], at: [0, 0, 0], axis: z}\n"
        "  bearing: {type: revolute, between: [ball, frame], axis: [sin(t), 0, cos(t)]}\n"
        "operating_point: {type: steady}\n"
        "steady:\n  turn_rate: 0\n"
        "  spins: {ball: {axis: [2*sin(t), 0, 2*cos(t)], rate: s}}\n";
    const double t = 0.4, rate = 30, J = 0.1, I = 0.3 + J + 3 * 0.49, K = 3 * 9.81 * 0.7;
    const double Ix = I - J * sin(t) * sin(t), H = J * rate * cos(t);
    chain c;
    routh_sensitivity *s = sensitivities_of(text, NULL, &c);
    int n = 0;
    for (int k = 0; k < s->n_modes; k++) {
        const double w = s->eigenvalues[k][1];
        if (fabs(w) < 0.1) continue; /* the ball's angle */
        const double x = K - Ix * w * w, y = K - I * w * w;
        const double f_w = -2 * w * (Ix * y + I * x + H * H), f_s = -2 * H * H / rate * w * w;
        const double f_t = w * w * (2 * J * sin(t) * cos(t) * y + 2 * H * J * rate * sin(t));
        assert_true(fabs(x * y - H * H * w * w) < 1e-10 * K * K);
        assert_true(fabs(by(s, "t", k)[1] + f_t / f_w) < 1e-11 * fabs(f_t / f_w));
        assert_true(fabs(by(s, "s", k)[1] + f_s / f_w) < 1e-11 * fabs(f_s / f_w));
        n++;
    }
    assert_int_equal(n, 4);
    routh_sensitivity_free(s);
    chain_free(&c);
}

/* The same turning, with a swing that hangs out and a spring across: the gyroscope tilts it, by an
 * angle that depends on the axis. */
static void spin_on_a_turning_swing(void **unused)
{
    (void)unused;
    compare(
        "parameters: {t: 0.3, q: 0.2, W: 3, s: 40, k: 20, c: 0.4}\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  hub: {mass: 2, inertia: [0.2, 0.2, 0.3], angular_velocity: [0, 0, W]}\n"
        "  swing: {mass: 2, inertia: [0.3, 0.2, 0.35, 0.01, 0, 0.02], position: [0.3, 0, -0.7],\n"
        "          angular_velocity: [0, 0, W]}\n"
        "  ball: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.35, 0.1, -0.6]}\n"
        "markers:\n"
        "  up: {body: hub, position: [0.3, 0.2, 0.1]}\n"
        "  on: {body: swing, position: [0, 0.2, 0.1]}\n"
        "joints:\n"
        "  shaft: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}\n"
        "  hinge: {type: universal, between: [swing, hub], at: [0.3, 0, 0], axis: z}\n"
        "  bearing: {type: revolute, between: [ball, swing], axis: [sin(t), sin(q), 1]}\n"
        "loads:\n"
        "  s: {type: spring, between: [on, up], stiffness: k, damping: c, free_length: 0.6}\n"
        "operating_point: {type: steady}\n"
        "steady:\n  turn_rate: W\n"
        "  spins: {ball: {axis: [sin(t), sin(q), 1], rate: s}}\n",
        12);
}

/* ---- the turn ------------------------------------------------------------------------------- */

/* A conical pendulum where gravity turns and grows, g/cos(t); the axis is `axis`. */
static void conical(const char *axis, double phi, char *text, size_t room)
{
    snprintf(text, room,
             "parameters: {t: 0.3, p: %g, g: 9.81, W: 4.5, L: 0.8}\n"
             "gravity: [-g*tan(t)*cos(p), -g*tan(t)*sin(p), -g]\n"
             "bodies:\n"
             "  bob: {mass: 2, inertia: [0.02, 0.03, 0.04], position: [0.2, 0.5, -0.6],\n"
             "        angular_velocity: [W*sin(t)*cos(p), W*sin(t)*sin(p), W*cos(t)]}\n"
             "markers: {top: {body: bob, position: [0, 0.1, L]}}\n"
             "joints: {pin: {type: spherical, between: [top, ground]}}\n"

             "operating_point: {type: steady}\n"
             "steady: {turn_rate: W%s}\n",
             phi, axis);
}

static void gravity_turned(void **unused)
{
    (void)unused;
    static const char *const axes[] = {"", ", axis: [sin(t)*cos(p), sin(t)*sin(p), cos(t)]",
                                       ", axis: [2*tan(t)*cos(p), 2*tan(t)*sin(p), 2]"};
    for (int form = 0; form < 3; form++) {
        char text[1200];
        chain c;
        conical(axes[form], 0.7, text, sizeof text);
        compare(text, 8);
        routh_sensitivity *s = sensitivities_of(text, NULL, &c);
        int n = 0;
        for (int k = 0; k < s->n_modes; k++) { /* only how large it is matters: g' = g tan(t) */
            if (fabs(s->eigenvalues[k][1]) < 0.1) continue; /* the direction in which it stands */
            n++;
            for (int part = 0; part < 2; part++) {
                const double wanted = 9.81 * tan(0.3) * by(s, "g", k)[part];
                assert_true(fabs(by(s, "t", k)[part] - wanted) < 1e-10 * (1 + fabs(wanted)));
                assert_true(fabs(by(s, "p", k)[part]) < 1e-10);
            }
        }
        assert_int_equal(n, 4);
        routh_sensitivity_free(s);
        chain_free(&c);
    }
}

/* A rotor on a swing on a hub that sinks along its shaft, and all of it in axes (a, 0, -b), y,
 * (b, 0, a) that p turns about y: no eigenvalue knows. */
static const char everything[] =
    "parameters: {p: 0.4, a: cos(p), b: sin(p), g: 9.81, W: 3, s: 15, k: 20}\n"
    "gravity: [-g*b, 0, -g*a]\n"
    "bodies:\n"
    "  hub: {mass: 2, inertia: [0.2, 0.2, 0.3], orientation: {axis: [0, 1, 0], angle: p},\n"
    "        angular_velocity: [W*b, 0, W*a]}\n"
    "  swing: {mass: 2, inertia: [0.3, 0.2, 0.35, 0.01, 0, 0.02],\n"
    "          orientation: {axis: [0, 1, 0], angle: p}, position: [0.3*a - 0.7*b, 0, -0.7*a - "
    "0.3*b],\n"
    "          angular_velocity: [W*b, 0, W*a]}\n"
    "  disc: {mass: 1, inertia: [0.1, 0.06, 0.06], orientation: {axis: [0, 1, 0], angle: p},\n"
    "         position: [0.35*a - 0.6*b, 0.1, -0.6*a - 0.35*b]}\n"
    "markers:\n"
    "  up: {body: hub, position: [0.3, 0.2, 0.1]}\n"
    "  on: {body: swing, position: [0, 0.2, 0.1]}\n"
    "  base: {body: ground, orientation: {axis: [0, 1, 0], angle: p}}\n"
    "joints:\n"
    "  shaft: {type: cylindrical, between: [hub, base]}\n"
    "  hinge: {type: revolute, between: [swing, hub], at: [0.3*a, 0, -0.3*b], axis: y}\n"
    "  bearing: {type: revolute, between: [disc, swing], axis: x}\n"
    "loads:\n"
    "  s: {type: spring, between: [on, up], stiffness: k, damping: 0.3, free_length: 0.6}\n"
    "  drag: {type: force, on: hub, resolved_in: base, components: [0, 0, '-20*VZ(hub, base, "
    "base)']}\n"
    "operating_point: {type: steady}\n"
    "steady:\n  turn_rate: W\n  axis: [b, 0, a]\n"
    "  spins: {disc: {axis: x, rate: s}}\n";

static void everything_turned(void **unused)
{
    (void)unused;
    static const char *const names[] = {"p", "W", NULL};
    chain c;
    routh_sensitivity *s = sensitivities_of(everything, names, &c);
    double most = 0, others = 0;
    for (int k = 0; k < s->n_modes; k++)
        for (int part = 0; part < 2; part++) {
            most = fmax(most, fabs(by(s, "p", k)[part]));
            others = fmax(others, fabs(by(s, "W", k)[part]));
        }
    print_message("    largest derivative by the turn %.2g, by the rate %.2g\n", most, others);
    assert_true(others > 0.1);
    assert_true(most < 1e-10);
    routh_sensitivity_free(s);
    chain_free(&c);
}

/* ---- refused -------------------------------------------------------------------------------- */

static void gravity_that_begins(void **unused)
{
    (void)unused;
    static const char text[] =
        "parameters: {a: 0}\n"
        "gravity: [a, 0, 0]\n"
        "bodies: {b: {mass: 1, inertia: [1, 1, 2], angular_velocity: [0, 0, 2]}}\n"
        "markers: {o: {body: ground}}\n"
        "joints: {pin: {type: spherical, between: [b, ground], at: [0, 0, 0]}}\n"
        "operating_point: {type: steady}\n"
        "steady: {turn_rate: 2}\n";
    chain c;
    routh_error error = {0};
    routh_sensitivity *s = NULL;
    const char *const names[] = {"a", NULL};
    const routh_sensitivity_options options = {.parameters = names};
    const difference_model model = {.text = text};
    if (chain_run(&c, &model, NULL, 0, &error)) fail_msg("%s", error.message);
    assert_int_equal(routh_sensitivity_compute(&s, c.mechanism, c.point, c.modes, &options, &error),
                     ROUTH_NOT_SUPPORTED);
    assert_non_null(strstr(error.message, "give `axis` under `steady`"));
    chain_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gyroscope_on_a_tilted_axis),
        cmocka_unit_test(spin_on_a_turning_swing),
        cmocka_unit_test(gravity_turned),
        cmocka_unit_test(everything_turned),
        cmocka_unit_test(gravity_that_begins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
