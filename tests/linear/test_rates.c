/* Velocity states chosen apart from position states: a skate on the ice.
 *
 * A body of mass m on a plane whose blade, through its centre at the heading h, cannot slip across:
 * x' = v cos h, y' = v sin h, h' = w, and v' = w' = 0. About v = V, w = 0 at heading h, with
 * velocity states v and w,
 *     dx' = cos h dv - V sin h dh,     dy' = sin h dv + V cos h dh,     dh' = dw. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/mechanisms.h"

static const double speed = 1.7, pi = 3.14159265358979323846;
static const char *const sets[] = {"absolute", "euler-parameters", "euler-angles", "relative",
                                   "natural"};
enum { N_SETS = 5 };

/* With what A may be off by: rounding, and what differences promise. */
typedef struct method_bound {
    const char *name;
    double bound;
} method_bound;
static const method_bound methods[] = {
    {"augmented", 1e-11}, {"minimal", 1e-11}, {"redundant", 1e-11}, {"difference", 1e-8}};
enum { N_METHODS = 4 };

/* The heading in degrees; states of the user's: name, expression, ..., NULL; a list of velocities
 * wanted, or NULL. */
static routh_model *skate(double heading, const char *const *states, const char *velocities)
{
    growing_text text = {0};
    routh_model *model = NULL;
    routh_error error;
    const double h = heading * pi / 180, c = cos(h), s = sin(h);
    text_add(&text,
             "bodies:\n  skate: {mass: 2, inertia: [1, 1, 0.3], position: [0.2, 0.1, 0], "
             "velocity: [%.17g, %.17g, 0],\n    orientation: {matrix: [[%.17g, %.17g, 0], [%.17g, "
             "%.17g, 0], [0, 0, 1]]}}\njoints:\n"
             "  ice: {type: planar, between: [skate, ground], at: [0.2, 0.1, 0], axis: z}\n"
             "  blade: {type: knife_edge, between: [skate, ground]}\n"
             "operating_point: {type: given}\nlinearize:\n  reference: ground\n",
             speed * c, speed * s, c, -s, s, c);
    if (velocities) text_add(&text, "  velocities: %s\n", velocities);
    if (states) text_add(&text, "  coordinates:\n");
    for (int n = 0; states && states[2 * n]; n++)
        text_add(&text, "    %s: \"%s\"\n", states[2 * n], states[2 * n + 1]);
    if (routh_model_parse(&model, text.bytes, text.length, "test", NULL, 0, &error))
        fail_msg("%s (line %d)\n%s", error.message, error.line, text.bytes);
    free(text.bytes);
    return model;
}

static routh_linear *linear_by(const routh_model *model, const char *set, const char *method,
                               const char *const *states)
{
    routh_mechanism *mechanism = NULL;
    routh_operating_point *point = NULL;
    routh_linear *linear = NULL;
    routh_error error;
    routh_linear_options options = routh_linear_defaults();
    options.states = states;
    options.method = method;
    if (routh_mechanism_compile(&mechanism, model, set, &error) ||
        routh_operating_point_find(&point, mechanism, NULL, &error) ||
        routh_linear_compute(&linear, mechanism, point, &options, &error))
        fail_msg("%s, %s: %s", set, method, error.message);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    return linear;
}

static void assert_warned(const routh_linear *l, const char *text)
{
    for (int k = 0; k < l->n_warnings; k++)
        if (strstr(l->warnings[k], text)) return;
    for (int k = 0; k < l->n_warnings; k++) print_message("%s\n", l->warnings[k]);
    fail_msg("not said: %s", text);
}

static void assert_states(const routh_linear *l, const char *const *names)
{
    for (int k = 0; k < l->n_states; k++)
        if (strcmp(l->states[k].name, names[k]) != 0)
            fail_msg("state %d is %s, not %s", k, l->states[k].name, names[k]);
    assert_null(names[l->n_states]);
}

/* A by every method in every set; size: of its entries. */
static void check_matrices(const routh_model *model, const char *const *states,
                           const double *expected, double size)
{
    for (int set = 0; set < N_SETS; set++)
        for (int i = 0; i < N_METHODS; i++) {
            routh_linear *l = linear_by(model, sets[set], methods[i].name, states);
            for (int k = 0; k < l->n_states * l->n_states; k++)
                if (!(fabs(l->A[k] - expected[k]) <= methods[i].bound * size))
                    fail_msg("%s, %s: A[%d, %d] = %g, not %g", sets[set], methods[i].name,
                             k / l->n_states, k % l->n_states, l->A[k], expected[k]);
            routh_linear_free(l);
        }
}

/* Heading along x: the rate across is no velocity state. */
static void the_rate_across_the_blade_is_no_state(void **state)
{
    (void)state;
    static const char *const names[] = {"skate.x",  "skate.y",   "skate.rz",
                                        "skate.x'", "skate.rz'", NULL};
    const double V = speed, A[25] = {0, 0, 0, 1, 0, 0, 0, V, 0, 0, 0, 0, 0, 0, 1};
    routh_model *model = skate(0, NULL, NULL);
    check_matrices(model, NULL, A, 1);
    for (int set = 0; set < N_SETS; set++) {
        routh_linear *l = linear_by(model, sets[set], "augmented", NULL);
        assert_int_equal(l->n_position, 3);
        assert_int_equal(l->n_velocity, 2);
        assert_states(l, names);
        const double affine[] = {V, 0, 0, 0, 0}, mass[] = {2, 0, 0, 0.3};
        for (int k = 0; k < 5; k++) assert_true(fabs(l->affine[k] - affine[k]) <= 1e-12);
        for (int k = 0; k < 4; k++) assert_true(fabs(l->mass[k] - mass[k]) <= 1e-12);
        routh_linear_free(l);
    }
    routh_model_free(model);
}

static void a_velocity_that_joints_hold_is_dropped(void **state)
{
    (void)state;
    routh_model *model = skate(0, NULL, "[skate.y]");
    routh_linear *l = linear_by(model, "absolute", "augmented", NULL);
    assert_warned(l, "velocity skate.y' was dropped: the joints leave it no freedom of its own");
    assert_warned(l, "the velocity set was completed by 2 velocities, as those asked for leave 2 "
                     "degrees of freedom open: skate.x' and skate.rz'");
    routh_linear_free(l);
    routh_model_free(model);
}

/* Heading 30 degrees, y' for the speed: v = y' / sin h to first order; dy' = sin h dv + V cos h dh,
 * so dx' = cot h dW - (V / sin h) dh, and W' = (sin h v)' = V cos h w. */
static void the_velocity_that_is_wanted_stays(void **state)
{
    (void)state;
    static const char *const names[] = {"skate.x",  "skate.y",   "skate.rz",
                                        "skate.y'", "skate.rz'", NULL};
    const double h = pi / 6, c = cos(h), s = sin(h), V = speed;
    const double A[25] = {0, 0, -V / s, c / s, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, V * c};
    routh_model *model = skate(30, NULL, "[skate.y, skate.x, skate.rz]");
    check_matrices(model, NULL, A, 1);
    for (int set = 0; set < N_SETS; set++) {
        routh_linear *l = linear_by(model, sets[set], "augmented", NULL);
        assert_states(l, names);
        assert_warned(l, "velocity skate.x' was dropped: it follows from skate.y'");
        assert_int_equal(l->n_warnings, 1);
        routh_linear_free(l);
    }
    routh_model_free(model);
}

/* Polar coordinates p = (x^2 + y^2)^(1/2), a = atan2(y, x) at (0.2, 0.1), heading h = 0, x' = V:
 * p' = (x x' + y y') / p and a' = (x y' - y x') / p^2, each a function of (x, y, h, v). */
static void coordinates_of_the_users_have_rates(void **state)
{
    (void)state;
    static const char *const states[] = {"p", "sqrt(DX(skate)^2 + DY(skate)^2)", "a",
                                         "atan2(DY(skate), DX(skate))", NULL};
    static const char *const asked[] = {"p", "a", "skate.rz", NULL};
    static const char *const names[] = {"p", "a", "skate.rz", "p'", "skate.rz'", NULL};
    const double x = 0.2, y = 0.1, p = sqrt(x * x + y * y), V = speed;
    /* d(x, y) = E d(p, a);  p' = W;  a' = (x sin h - y cos h) v / p^2 with v = p W / (x cos h + y
     * sin h), so a' = W (x sin h - y cos h) / (p (x cos h + y sin h)) = W tan(h - a) / p */
    const double W = x * V / p, slope = -y / x, turn = 1 + slope * slope;
    const double a_p = -W * slope / (p * p), a_a = -W * turn / p, a_h = W * turn / p;
    /* p' = v cos(h - a): W' = -v sin(h - a) (w - a'), about v = V, w = 0, h - a = b */
    const double b = -atan2(y, x), sb = sin(b), cb = cos(b), rate = V * sb / p;
    /* a' = v sin(h - a) / p, so W' = v^2 sin(b)^2 / p - v sin(b) w with v = W / cos(b):
     * W^2 tan(b)^2 / p - W tan(b) w */
    const double w_p = -W * W * slope * slope / (p * p);
    const double w_h = 2 * W * W * slope * turn / p, w_W = 2 * W * slope * slope / p;
    const double A[25] = {0, 0, 0,   1,    0,   a_p, a_a,        a_h, slope / p, 0, 0, 0, 0,
                          0, 1, w_p, -w_h, w_h, w_W, -W * slope, 0,   0,         0, 0, 0};
    assert_true(fabs(rate - W * slope / p) <= 1e-12 && fabs(W - V * cb) <= 1e-12);
    routh_model *model = skate(0, states, "[p, skate.rz]");
    check_matrices(model, asked, A, W * W / p);
    for (int set = 0; set < N_SETS; set++) {
        routh_linear *l = linear_by(model, sets[set], "augmented", asked);
        assert_states(l, names);
        routh_linear_free(l);
    }
    routh_model_free(model);
}

/* States of controllers. 1/s^2 of a constant has x'' = u: it is in no steady motion, alone or
 * beside one, nor is 1/(s (s + 1)) until it has settled; a single integrator, whose x' is constant,
 * is, and so is a filter that follows a position of constant velocity with its lag, V T behind. */
static void rates_of_controllers_count(void **unused)
{
    static const char *const own[] = {"velocity: [0, 0, 0]", "velocity: [1.5, 0, 0]"};
    static const struct {
        const char *controller;
        bool steady[2];
    } cases[] = {
        {"{type: transfer_function, input: u, numerator: [1], denominator: [1, 0, 0]}", {0, 0}},
        {"{type: transfer_function, input: u, numerator: [1], denominator: [1, 1, 0]}", {0, 0}},
        {"{type: transfer_function, input: u, numerator: [1], denominator: [1, 0]}", {1, 1}},
        {"{type: differential, rate: \"(DX(a) - x)/0.2\", initial: -0.3}", {0, 1}},
        {"{type: differential, rate: \"(DX(a) - x)/0.2\", initial: -0.4}", {0, 0}},
        {"{type: differential, rate: \"DX(a)\", initial: 1}", {1, 0}}};
    (void)unused;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int moves = 0; moves < 2; moves++) {
            growing_text text = {0};
            routh_model *model;
            routh_error error;
            text_add(&text,
                     "bodies: {a: {mass: 2, inertia: [1, 1, 1], %s}}\ninputs: {u: 3}\n"
                     "controllers: {x: %s}\n",
                     own[moves], cases[k].controller);
            if (routh_model_parse(&model, text.bytes, text.length, "test", NULL, 0, &error))
                fail_msg("%s\n%s", error.message, text.bytes);
            routh_linear *linear = linear_by(model, "absolute", "augmented", NULL);
            const bool steady = linear->at_rest || linear->steady;
            if (steady != cases[k].steady[moves])
                fail_msg("steady %d, %s, %s", steady, own[moves], cases[k].controller);
            routh_linear_free(linear);
            routh_model_free(model);
            free(text.bytes);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rate_across_the_blade_is_no_state),
        cmocka_unit_test(a_velocity_that_joints_hold_is_dropped),
        cmocka_unit_test(the_velocity_that_is_wanted_stays),
        cmocka_unit_test(coordinates_of_the_users_have_rates),
        cmocka_unit_test(rates_of_controllers_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
