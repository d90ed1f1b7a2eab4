/* States of the user's choice: a pendulum in its angle, in its horizontal place, and in nonlinear
 * coordinates, at rest and moving, against the closed form.
 *
 * A pendulum with theta'' = f(theta) = -k sin theta is written in s = g(theta). This is Negrut and
 * Ortiz' example (2006, Eq. 18 and 19) with y = (theta, theta') for the state and Y = (s, s'):
 *     dY = T dy,  T = [g1 0; g2 W g1],  dY' = (T F + T') T^-1 dY,  F = [0 1; f1 0]
 * (their ds'/ds = f_y + g_yy f / g_y where y is a scalar), with g1, g2, g3 the derivatives of g,
 * W = theta' and a = f(theta) = theta''. The second row, by hand:
 *     s''       = g2 theta'^2 + g1 f
 *     d theta   = dS / g1,     d theta' = (dW - g2 W d theta) / g1
 *     dS''/dS   = (g3 W^2 + g2 a + g1 f1 - 2 (g2 W)^2 / g1) / g1
 *     dS''/dW   = 2 g2 W / g1 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/user_states.h"

static const char *const sets[] = {"absolute", "euler-parameters", "euler-angles", "relative",
                                   "natural"};
enum { N_SETS = 5, MOST_STATES = 4 };

static const double mass = 1.3, arm = 0.7, inertia = 0.11, gravity = 9.81;

/* ---- the pendulum --------------------------------------------------------------------------- */

/* Where it is, and how it moves. */
typedef struct swing {
    double angle, rate;
} swing;

/* With states named and given as expressions: name, expression, ..., NULL. */
static routh_model *pendulum(swing at, const char *const *states)
{
    growing_text text = {0};
    routh_model *model = NULL;
    routh_error error;
    const double c = cos(at.angle), s = sin(at.angle);
    int n = 0;
    text_add(&text,
             "gravity: [0, %.17g, 0]\nbodies:\n  rod: {mass: %.17g, inertia: [0.1, 0.02, "
             "%.17g], position: [%.17g, %.17g, 0], angular_velocity: [0, 0, %.17g],\n"
             "    velocity: [%.17g, %.17g, 0],\n    orientation: {matrix: [[%.17g, %.17g, "
             "0], [%.17g, %.17g, 0], [0, 0, 1]]}}\n",
             -gravity, mass, inertia, arm * s, -arm * c, at.rate, arm * c * at.rate,
             arm * s * at.rate, c, -s, s, c);
    text_add(&text, "markers:\n  tip: {body: rod, position: [0, -0.4, 0]}\njoints:\n  pin: {type: "
                    "revolute, between: [rod, ground], at: [0, 0, 0], axis: [0, 0, 1]}\n"
                    "operating_point: {type: given}\nloads:\n");
    for (; states[2 * n]; n++)
        text_add(&text, "  %s: {type: torque, on: rod, components: [0, 0, \"%s\"]}\n",
                 states[2 * n], states[2 * n + 1]);
    if (routh_model_parse(&model, text.bytes, text.length, "test", NULL, 0, &error))
        fail_msg("%s (line %d)\n%s", error.message, error.line, text.bytes);
    user_states_from_loads(model, n);
    free(text.bytes);
    return model;
}

static routh_linear *linear_of(const routh_model *model, const char *set, const char *method,
                               const char *const *states)
{
    routh_mechanism *mechanism = NULL;
    routh_operating_point *point = NULL;
    routh_linear *linear = NULL;
    routh_error error;
    routh_linearize_options options = routh_linearize_defaults();
    options.method = method;
    options.states = states;
    if (routh_mechanism_compile(&mechanism, model, set, &error) ||
        routh_operating_point_find(&point, mechanism, NULL, &error) ||
        routh_linearize(&linear, mechanism, point, &options, &error))
        fail_msg("%s, %s: %s", set, method, error.message);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    return linear;
}

/* ---- closed forms --------------------------------------------------------------------------- */

/* g and its derivatives at the angle. */
typedef struct coordinate {
    const char *expression;
    void (*jet)(double angle, double g[4]);
} coordinate;

static void angle_jet(double t, double g[4]) { g[0] = t, g[1] = 1, g[2] = g[3] = 0; }

static void x_jet(double t, double g[4])
{
    g[0] = arm * sin(t), g[1] = arm * cos(t), g[2] = -arm * sin(t), g[3] = -arm * cos(t);
}

static void cubic_jet(double t, double g[4])
{
    g[0] = sin(t) + t * t * t, g[1] = cos(t) + 3 * t * t, g[2] = -sin(t) + 6 * t;
    g[3] = -cos(t) + 6;
}

/* x^2 + x */
static void square_jet(double t, double g[4])
{
    double x[4];
    x_jet(t, x);
    g[0] = x[0] * x[0] + x[0];
    g[1] = (2 * x[0] + 1) * x[1];
    g[2] = 2 * x[1] * x[1] + (2 * x[0] + 1) * x[2];
    g[3] = 6 * x[1] * x[2] + (2 * x[0] + 1) * x[3];
}

static const coordinate coordinates[] = {
    {"AZ(rod, ground)", angle_jet},
    {"DX(rod, ground)", x_jet},
    {"sin(AZ(rod, ground)) + AZ(rod, ground)^3", cubic_jet},
    {"DX(rod)^2 + DX(rod)", square_jet},
};

/* f and its derivative */
static void fall(double angle, double f[2])
{
    const double k = mass * gravity * arm / (inertia + mass * arm * arm);
    f[0] = -k * sin(angle), f[1] = -k * cos(angle);
}

static void check_pendulum(const routh_linear *l, const coordinate *s, swing at, double bound,
                           const char *where)
{
    double g[4], f[2];
    s->jet(at.angle, g);
    fall(at.angle, f);
    const double W = at.rate, turn = g[2] * W;
    const double by_S = (g[3] * W * W + g[2] * f[0] + g[1] * f[1] - 2 * turn * turn / g[1]) / g[1];
    const double by_W = 2 * turn / g[1];
    const double expected[] = {0, 1, by_S, by_W};
    const double size = fmax(fabs(by_S), fmax(fabs(by_W), 1));
    const double J = (inertia + mass * arm * arm) / (g[1] * g[1]);
    assert_int_equal(l->n_states, 2);
    assert_string_equal(l->states[0].name, "s");
    assert_string_equal(l->states[1].name, "s'");
    assert_string_equal(l->states[0].frame, "");
    for (int k = 0; k < 4; k++)
        if (!(fabs(l->A[k] - expected[k]) <= bound * size))
            fail_msg("%s, %s: A[%d] = %.17g, not %.17g", where, s->expression, k, l->A[k],
                     expected[k]);
    assert_true(fabs(l->mass[0] - J) <= bound * J);
    const double value[] = {g[0], g[1] * W, g[2] * W * W + g[1] * f[0]};
    for (int k = 0; k < 2; k++) {
        assert_true(fabs(l->states[k].value - value[k]) <= 1e-12);
        assert_true(fabs(l->affine[k] - value[k + 1]) <= 1e-11);
    }
}

/* Rounding of a few operations on numbers of order one to a hundred; of differences what they
 * promise (theory/difference.md); of the penalty method its parameter. */
static double bound_of(const char *method)
{
    if (strcmp(method, "difference") == 0) return 1e-8;
    return strcmp(method, "penalty") == 0 ? 1e-4 : 1e-11;
}

static void every_coordinate_of_a_pendulum_gives_its_closed_form(void **state)
{
    static const swing swings[] = {{0, 0}, {0.6, 0}, {0.6, 1.7}, {-0.4, -2.3}, {0, 2.1}};
    (void)state;
    for (int c = 0; c < 4; c++)
        for (int k = 0; k < 5; k++) {
            const char *const states[] = {"s", coordinates[c].expression, NULL};
            routh_model *model = pendulum(swings[k], states);
            const char *method;
            for (int set = 0; set < N_SETS; set++)
                for (int i = 0; (method = routh_method_name(i)); i++) {
                    char where[120];
                    snprintf(where, sizeof where, "%s, %s, swing %d", sets[set], method, k);
                    routh_linear *l = linear_of(model, sets[set], method, NULL);
                    check_pendulum(l, &coordinates[c], swings[k], bound_of(method), where);
                    routh_linear_free(l);
                }
            routh_model_free(model);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_coordinate_of_a_pendulum_gives_its_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
