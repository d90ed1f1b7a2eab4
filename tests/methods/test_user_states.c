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

#include "routh/answers.h"
#include "support/effort.h"
#include "support/mechanisms.h"
#include "support/random_mechanism.h"

static const char *const sets[] = {"absolute", "euler-parameters", "euler-angles", "relative",
                                   "natural"};
enum { N_SETS = 5, MOST_STATES = 12 };

static int n_compared; /* of random mechanisms */

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
                    "operating_point: {type: given}\nlinearize:\n  coordinates:\n");
    for (; states[2 * n]; n++)
        text_add(&text, "    %s: \"%s\"\n", states[2 * n], states[2 * n + 1]);
    if (routh_model_parse(&model, text.bytes, text.length, "test", NULL, 0, &error))
        fail_msg("%s (line %d)\n%s", error.message, error.line, text.bytes);
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
    routh_linear_options options = routh_linear_defaults();
    options.method = method;
    options.reference = "ground";
    options.states = states;
    if (routh_mechanism_compile(&mechanism, model, set, &error) ||
        routh_operating_point_find(&point, mechanism, NULL, &error) ||
        routh_linear_compute(&linear, mechanism, point, &options, &error))
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

/* ---- time, and markers that nothing else looks at ------------------------------------------- */

/* s = c theta with c = 1 + 0.3 t:  d theta = dS/c,  d theta' = (dW - c' d theta)/c  and s'' = 2 c'
 * theta' + c theta'', so dS''/dS = f1 - 2 (c'/c)^2, dS''/dW = 2 c'/c. */
static void a_coordinate_may_depend_on_time(void **state)
{
    (void)state;
    const swing at = {0.4, 1.1};
    const char *const states[] = {"s", "(1 + 0.3*(time + 2))*AZ(rod, ground)", NULL}, *method;
    const double c = 1.6, c1 = 0.3;
    double f[2];
    routh_model *model = pendulum(at, states);
    fall(at.angle, f);
    const double by_S = f[1] - 2 * c1 * c1 / (c * c), by_W = 2 * c1 / c;
    for (int set = 0; set < N_SETS; set++)
        for (int i = 0; (method = routh_method_name(i)); i++) {
            routh_linear *l = linear_of(model, sets[set], method, NULL);
            const double bound = bound_of(method) * fabs(by_S);
            assert_true(fabs(l->A[2] - by_S) <= bound && fabs(l->A[3] - by_W) <= bound);
            assert_true(fabs(l->affine[0] - (c * at.rate + c1 * at.angle)) <= 1e-12);
            assert_true(fabs(l->affine[1] - (c * f[0] + 2 * c1 * at.rate)) <= 1e-11);
            routh_linear_free(l);
        }
    routh_model_free(model);
}

/* x of the tip is x of the centre, longer; seen from the rod itself it stays where it is. */
static void a_marker_that_no_element_looks_at_serves(void **state)
{
    (void)state;
    const swing at = {0.4, 1.1};
    const char *const centre[] = {"s", "DX(rod)", NULL};
    const char *const tip[] = {"s", "DX(tip)", NULL};
    routh_model *of_centre = pendulum(at, centre), *of_tip = pendulum(at, tip);
    for (int set = 0; set < N_SETS; set++) {
        routh_linear *a = linear_of(of_centre, sets[set], "augmented", NULL);
        routh_linear *b = linear_of(of_tip, sets[set], "augmented", NULL);
        for (int k = 0; k < 4; k++) assert_true(fabs(a->A[k] - b->A[k]) <= 1e-11 * fabs(a->A[2]));
        assert_true(fabs(b->states[0].value - (arm + 0.4) * sin(at.angle)) <= 1e-12);
        assert_true(fabs(b->drift - a->drift) <= 1e-6 * a->drift && a->drift > 0);
        routh_linear_free(a);
        routh_linear_free(b);
    }
    routh_model_free(of_centre);
    routh_model_free(of_tip);
}

/* ---- two angles, and functions of both ------------------------------------------------------- */

static routh_model *double_pendulum(const char *const *states)
{
    growing_text text = {0};
    routh_model *model = NULL;
    routh_error error;
    int n = 0;
    text_add(&text, "gravity: [0, -9.81, 0]\nbodies:\n"
                    "  a: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.3, -0.4, 0], "
                    "velocity: [0.4, 0.3, 0],\n      angular_velocity: [0, 0, 1]}\n"
                    "  b: {mass: 2, inertia: [0.2, 0.2, 0.2], position: [1.1, -0.2, 0], "
                    "velocity: [2, -0.4, 0],\n      angular_velocity: [0, 0, -2]}\n"
                    "joints:\n"
                    "  j: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: z}\n"
                    "  k: {type: revolute, between: [b, a], at: [0.6, -0.8, 0], axis: z}\n"
                    "operating_point: {type: given}\nlinearize:\n  coordinates:\n");
    for (; states[2 * n]; n++)
        text_add(&text, "    %s: \"%s\"\n", states[2 * n], states[2 * n + 1]);
    if (routh_model_parse(&model, text.bytes, text.length, "test", NULL, 0, &error))
        fail_msg("%s (line %d)\n%s", error.message, error.line, text.bytes);
    free(text.bytes);
    return model;
}

/* C = A B, 4 x 4 */
static void multiply(double C[16], const double A[16], const double B[16])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            C[4 * i + j] = 0;
            for (int k = 0; k < 4; k++) C[4 * i + j] += A[4 * i + k] * B[4 * k + j];
        }
}

/* X of X A = B, by Gauss and Jordan on A'. */
static void divide(double X[16], const double B[16], const double A[16])
{
    double a[4][8];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) a[i][j] = A[4 * j + i], a[i][4 + j] = B[4 * j + i];
    for (int p = 0; p < 4; p++) {
        int best = p;
        for (int i = p; i < 4; i++)
            if (fabs(a[i][p]) > fabs(a[best][p])) best = i;
        for (int j = 0; j < 8; j++) {
            const double swap = a[p][j];
            a[p][j] = a[best][j], a[best][j] = swap;
        }
        for (int i = 0; i < 4; i++) {
            const double factor = i == p ? 0 : a[i][p] / a[p][p];
            for (int j = 0; j < 8; j++) a[i][j] -= factor * a[p][j];
        }
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) X[4 * j + i] = a[i][4 + j] / a[i][i];
}

/* T and T' of Y = (s, s'), s = (p + 0.4 p r + r, sin r - p^2) with p, r the angles: with g the
 * gradients, H = (g)' and H' along the motion T = [g 0; H g], T' = [H 0; H' H]. */
static void transform(const double q[2], const double u[2], const double a[2], double T[16],
                      double T1[16])
{
    const double s = sin(q[1]), c = cos(q[1]);
    const double g[4] = {1 + 0.4 * q[1], 0.4 * q[0] + 1, -2 * q[0], c};
    const double H[4] = {0.4 * u[1], 0.4 * u[0], -2 * u[0], -s * u[1]};
    const double H1[4] = {0.4 * a[1], 0.4 * a[0], -2 * a[0], -s * a[1] - c * u[1] * u[1]};
    memset(T, 0, 16 * sizeof *T);
    memset(T1, 0, 16 * sizeof *T1);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            T[4 * i + j] = T[4 * (2 + i) + 2 + j] = g[2 * i + j];
            T[4 * (2 + i) + j] = T1[4 * i + j] = T1[4 * (2 + i) + 2 + j] = H[2 * i + j];
            T1[4 * (2 + i) + j] = H1[2 * i + j];
        }
}

/* A2 = (T A1 + T') T^-1, A1 in the bodies' own rotations. */
static void two_nonlinear_coordinates_are_a_transformation(void **state)
{
    (void)state;
    const char *const own[] = {"a.rz", "b.rz", NULL}, *method;
    const char *const states[] = {"one", "AZ(a, ground)*(1 + 0.4*AZ(b, ground)) + AZ(b, ground)",
                                  "two", "sin(AZ(b, ground)) - AZ(a, ground)^2", NULL};
    const double q[2] = {0, 0}, u[2] = {1, -2};
    double T[16], T1[16], TA[16], expected[16];
    routh_model *model = double_pendulum(states);
    routh_linear *angles = linear_of(model, "absolute", "augmented", own);
    transform(q, u, angles->affine + 2, T, T1);
    multiply(TA, T, angles->A);
    for (int k = 0; k < 16; k++) TA[k] += T1[k];
    divide(expected, TA, T);
    const double size = largest_of(expected, 16);
    for (int set = 0; set < N_SETS; set++)
        for (int i = 0; (method = routh_method_name(i)); i++) {
            routh_linear *l = linear_of(model, sets[set], method, NULL);
            assert_string_equal(l->states[0].name, "one");
            assert_string_equal(l->states[1].name, "two");
            for (int k = 0; k < 16; k++)
                if (!(fabs(l->A[k] - expected[k]) <= bound_of(method) * size))
                    fail_msg("%s, %s: A[%d] = %g, not %g", sets[set], method, k, l->A[k],
                             expected[k]);
            routh_linear_free(l);
        }
    routh_linear_free(angles);
    routh_model_free(model);
}

/* ---- the choice ----------------------------------------------------------------------------- */

static int count_warnings(const routh_linear *l, const char *text)
{
    int n = 0;
    for (int k = 0; k < l->n_warnings; k++) n += strstr(l->warnings[k], text) != NULL;
    return n;
}

static void assert_warned(const routh_linear *l, const char *text)
{
    if (count_warnings(l, text) == 1) return;
    for (int k = 0; k < l->n_warnings; k++) print_message("%s\n", l->warnings[k]);
    fail_msg("not said once: %s", text);
}

static void too_many_states_are_dropped_by_name_and_reason(void **state)
{
    (void)state;
    const char *const wanted[] = {"angle", "x", "still", "a.z", "flat", "b.rz", "b.x", NULL};
    const char *const states[] = {"angle", "AZ(a, ground)",       "x",    "DX(b)",
                                  "still", "DM(a, ground)^2 + 1", "flat", "cos(AZ(a, ground) + pi)",
                                  NULL};
    routh_model *model = double_pendulum(states);
    for (int set = 0; set < N_SETS; set++) {
        routh_linear *l = linear_of(model, sets[set], "augmented", wanted);
        assert_int_equal(l->n_position, 2);
        assert_string_equal(l->states[0].name, "angle");
        assert_string_equal(l->states[1].name, "x");
        assert_warned(l, "state still was dropped: it is constant, the joints leave it no freedom");
        assert_warned(l, "state a.z was dropped: it is constant, the joints leave it no freedom");
        assert_warned(l, "state flat was dropped: it is constant, its derivative is zero");
        assert_warned(l, "state b.rz was dropped: it follows from angle and x");
        assert_warned(l, "state b.x was dropped: it follows from x");
        assert_int_equal(l->n_warnings, 5);
        routh_linear_free(l);
    }
    routh_model_free(model);
}

static void too_few_states_are_filled_up(void **state)
{
    (void)state;
    const char *const wanted[] = {"x", NULL}, *const states[] = {"x", "DX(b)", NULL};
    routh_model *model = double_pendulum(states);
    for (int set = 0; set < N_SETS; set++) {
        routh_linear *l = linear_of(model, sets[set], "augmented", wanted);
        assert_int_equal(l->n_position, 2);
        assert_string_equal(l->states[0].name, "x");
        assert_null(strstr(l->states[1].name, "x"));
        assert_warned(l, "was added: the states asked for leave 1 degree of freedom open");
        assert_int_equal(l->n_warnings, 1);
        routh_linear_free(l);
    }
    routh_model_free(model);
}

/* A coordinate that is defined and not asked for is not taken, however well it would do. */
static void coordinates_not_asked_for_are_left_alone(void **state)
{
    (void)state;
    const char *const states[] = {"own", "AZ(b, ground)", NULL}, *const wanted[] = {"a.rz", NULL};
    routh_model *model = double_pendulum(states);
    routh_linear *l = linear_of(model, "absolute", "augmented", wanted);
    assert_string_equal(l->states[0].name, "a.rz");
    assert_memory_equal(l->states[1].name, "b.", 2);
    routh_linear_free(l);
    routh_model_free(model);
}

/* Of two that are as good the first is kept. */
static void the_first_of_equal_wishes_is_kept(void **state)
{
    (void)state;
    const char *const states[] = {"p", "AZ(a, ground)", "q", "1.3*AZ(a, ground)",
                                  "r", "AZ(b, ground)", NULL};
    const char *const orders[2][4] = {{"p", "q", "r", NULL}, {"q", "p", "r", NULL}};
    routh_model *model = double_pendulum(states);
    for (int k = 0; k < 2; k++) {
        routh_linear *l = linear_of(model, "absolute", "augmented", orders[k]);
        assert_string_equal(l->states[0].name, orders[k][0]);
        assert_string_equal(l->states[1].name, "r");
        routh_linear_free(l);
    }
    routh_model_free(model);
}

/* s in another unit: the same choice, A scaled, the same drift. */
static void the_unit_of_a_coordinate_does_not_matter(void **state)
{
    (void)state;
    static const double factors[] = {1, 1e-9, 1e6};
    const char *const wanted[] = {"x", "angle", "b.rz", NULL}, *method;
    routh_linear *first = NULL;
    for (int k = 0; k < 3; k++) {
        char x[60], angle[60];
        const double factor_of_angle = k == 2 ? 1 : factors[k];
        snprintf(x, sizeof x, "%g*DX(b)", factors[k]);
        snprintf(angle, sizeof angle, "%g*(AZ(a, ground) + AZ(b, ground)^2)", factor_of_angle);
        const char *const states[] = {"x", x, "angle", angle, NULL};
        routh_model *model = double_pendulum(states);
        for (int i = 0; (method = routh_method_name(i)); i++) {
            routh_linear *l = linear_of(model, "relative", method, wanted);
            if (!first) first = l;
            const double drift_bound = strcmp(method, "penalty") == 0 ? 1e-2 : 1e-5;
            assert_string_equal(l->states[0].name, "x");
            assert_string_equal(l->states[1].name, "angle");
            if (!(fabs(l->drift - first->drift) <= drift_bound * first->drift))
                fail_msg("%s, %g: drift %g, not %g", method, factors[k], l->drift, first->drift);
            for (int e = 0; e < 16; e++) {
                const double unit[2] = {factors[k], factor_of_angle};
                const double scaled = l->A[e] * unit[e % 2] / unit[e / 4 % 2];
                if (!(fabs(scaled - first->A[e]) <= bound_of(method) * largest_of(first->A, 16)))
                    fail_msg("%s, %g: A[%d] = %g, not %g", method, factors[k], e, scaled,
                             first->A[e]);
            }
            if (l != first) routh_linear_free(l);
        }
        routh_model_free(model);
    }
    routh_linear_free(first);
}

/* ---- random mechanisms ---------------------------------------------------------------------- */

/* A displacement written as an expression is the body's component, whatever the mechanism, and
 * wherever it is seen from. */
static void check_displacements(const growing_text *text, random_stream *random)
{
    static const char axes[] = "xyz", *const methods[] = {"augmented", "minimal", "redundant"};
    routh_model *model = NULL;
    routh_error error;
    growing_text more = {0};
    char names[2][40];
    const char *own[3] = {names[0], names[1], NULL}, *user[3] = {"one", "two", NULL};
    if (routh_model_parse(&model, text->bytes, text->length, "test", NULL, 0, &error))
        fail_msg("%s", error.message);
    assert_string_equal(text->bytes + text->length - 2, "}\n"); /* of linearize: {...} */
    text_add(&more, "%.*s, coordinates: {", (int)text->length - 2, text->bytes);
    for (int k = 0; k < 2; k++) {
        const int body = (int)(random_bits(random) % (uint64_t)model->n_bodies);
        const int axis = (int)(random_bits(random) % 3);
        const char *name = model->bodies[body].name;
        snprintf(names[k], sizeof names[k], "%s.%c", name, axes[axis]);
        text_add(&more, "%s: \"D%c(%s)\", ", user[k], axes[axis] - 'a' + 'A', name);
    }
    text_add(&more, "}}\n");
    routh_model_free(model);
    if (routh_model_parse(&model, more.bytes, more.length, "test", NULL, 0, &error))
        fail_msg("%s\n%s", error.message, more.bytes);
    for (int set = 0; set < N_SETS; set++) {
        routh_linear *a = linear_of(model, sets[set], "augmented", own);
        const char *same[MOST_STATES + 1] = {0};
        const int z = a->n_position;
        bool both = z <= MOST_STATES && z >= 2;
        for (int k = 0; k < 2 && both; k++) both = strcmp(a->states[k].name, names[k]) == 0;
        for (int k = 0; k < z && both; k++) same[k] = k < 2 ? user[k] : a->states[k].name;
        for (int i = 0; i < 3 && both; i++) {
            routh_linear *b = linear_of(model, sets[set], methods[i], same);
            for (int k = 0; k < z; k++) assert_string_equal(b->states[k].name, same[k]);
            const double size = largest_of(a->A, 4 * z * z);
            for (int k = 0; k < 4 * z * z; k++)
                if (!(fabs(a->A[k] - b->A[k]) <= 1e-8 * size))
                    fail_msg("%s, %s: A[%d] = %.12g, not %.12g", sets[set], methods[i], k, b->A[k],
                             a->A[k]);
            for (int k = 0; k < 2 * z; k++)
                assert_true(fabs(a->affine[k] - b->affine[k]) <=
                            1e-9 * (1 + largest_of(a->affine, 2 * z)));
            routh_linear_free(b);
        }
        n_compared += both;
        routh_linear_free(a);
    }
    routh_model_free(model);
    free(more.bytes);
}

static void displacements_of_random_mechanisms_are_components(void **state)
{
    random_stream random = {977};
    (void)state;
    for (int k = 0; k < with_effort(60); k++) {
        random_mechanism mechanism;
        growing_text text = {0};
        random_mechanism_make(&mechanism, &random, RANDOM_MOVING);
        random_mechanism_write(&mechanism, &no_disguise, &text);
        check_displacements(&text, &random);
        free(text.bytes);
    }
    assert_true(n_compared >= 40);
}

/* sqrt has no derivative at 0. */
static void a_coordinate_without_derivative_is_refused(void **state)
{
    (void)state;
    const char *const states[] = {"s", "sqrt(DX(rod))", NULL};
    routh_model *model = pendulum((swing){0, 0}, states);
    routh_mechanism *m = NULL;
    routh_operating_point *point = NULL;
    routh_linear *linear = NULL;
    routh_error error;
    assert_int_equal(routh_mechanism_compile(&m, model, NULL, &error), ROUTH_OK);
    assert_int_equal(routh_operating_point_find(&point, m, NULL, &error), ROUTH_OK);
    assert_int_equal(routh_linear_compute(&linear, m, point, NULL, &error), ROUTH_NUMERIC_ERROR);
    assert_string_equal(error.element, "coordinate s");
    assert_true(error.line > 0);
    routh_operating_point_free(point);
    routh_mechanism_free(m);
    routh_model_free(model);
}

/* The deflection of a beam's tip as a state, beside the beam's own: the same eigenvalues. */
static void deflections_of_flexible_bodies_serve(void **state)
{
    static const char beam[] =
        "bodies:\n"
        "  bar: {type: beam, from: [0, 0, 0], to: [1, 0, 0], elements: 2, density: 2700,\n"
        "        youngs_modulus: 7e7, poissons_ratio: 0.3, section: {circle: {radius: 0.02}},\n"
        "        side: [0, 1, 0]}\n"
        "markers: {tip: {body: bar, node: 3}}\n"
        "joints: {clamp: {type: fixed, between: [bar, ground], at: [0, 0, 0]}}\n"
        "linearize:\n  coordinates: {sag: \"2*DZ(tip) + DY(tip)\"}\n";
    static const char *const wanted[] = {"sag", NULL};
    routh_model *model = NULL;
    routh_error error;
    (void)state;
    if (routh_model_parse(&model, beam, sizeof beam - 1, "test", NULL, 0, &error))
        fail_msg("%s", error.message);
    for (int s = 0; s < N_SETS; s++) {
        routh_linear *own = linear_of(model, sets[s], "augmented", NULL);
        routh_linear *with = linear_of(model, sets[s], "augmented", wanted);
        routh_modes *a = NULL, *b = NULL;
        assert_int_equal(own->n_position, 12);
        assert_int_equal(with->n_position, 12);
        assert_string_equal(with->states[0].name, "sag");
        for (int k = 1; k < 12; k++) assert_true(strncmp(with->states[k].name, "bar", 3) == 0);
        assert_int_equal(routh_modes_compute(&a, own, &error), ROUTH_OK);
        assert_int_equal(routh_modes_compute(&b, with, &error), ROUTH_OK);
        assert_int_equal(a->n, b->n);
        for (int k = 0; k < a->n; k++) {
            const double w = fabs(a->modes[k].eigenvalue[1]);
            /* the stiffest mode is 100 times as fast as the slowest: 1e-16 times its square */
            assert_true(fabs(fabs(b->modes[k].eigenvalue[1]) - w) <= 1e-9 * w);
        }
        routh_modes_free(a);
        routh_modes_free(b);
        routh_linear_free(own);
        routh_linear_free(with);
    }
    routh_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_coordinate_of_a_pendulum_gives_its_closed_form),
        cmocka_unit_test(a_coordinate_may_depend_on_time),
        cmocka_unit_test(a_marker_that_no_element_looks_at_serves),
        cmocka_unit_test(two_nonlinear_coordinates_are_a_transformation),
        cmocka_unit_test(too_many_states_are_dropped_by_name_and_reason),
        cmocka_unit_test(too_few_states_are_filled_up),
        cmocka_unit_test(coordinates_not_asked_for_are_left_alone),
        cmocka_unit_test(the_first_of_equal_wishes_is_kept),
        cmocka_unit_test(the_unit_of_a_coordinate_does_not_matter),
        cmocka_unit_test(displacements_of_random_mechanisms_are_components),
        cmocka_unit_test(a_coordinate_without_derivative_is_refused),
        cmocka_unit_test(deflections_of_flexible_bodies_serve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
