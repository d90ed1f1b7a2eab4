/* Mechanisms that are hard on some coordinates: parallel and nearly parallel hinges, needles, light
 * bodies between heavy ones, balls at the centre of mass. Every coordinate set gives the linear
 * model of absolute coordinates. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "coordinates/coordinates.h"
#include "support/effort.h"
#include "support/random_mechanism.h"

/* Of A's largest entry, as between methods: eliminations lose half of the digits at worst; and ten
 * thousand times the rounding that masses far apart bring into R'M R of the minimal method. */
static double tolerance(double lightest) { return fmax(1e-8, 1e-12 / lightest); }

enum { N_LINKS = 6 };

static routh_linear *linear_of(const char *text, const char *set, const char *method,
                               const char *const *states)
{
    routh_model *model = NULL;
    routh_mechanism *mechanism = NULL;
    routh_operating_point *point = NULL;
    routh_linear *linear = NULL;
    routh_error error;
    routh_linear_options options = routh_linear_defaults();
    options.states = states;
    options.method = method;
    if (routh_model_parse(&model, text, strlen(text), "test", NULL, 0, &error) ||
        routh_mechanism_compile(&mechanism, model, set, &error) ||
        routh_operating_point_find(&point, mechanism, NULL, &error) ||
        routh_linear_compute(&linear, mechanism, point, &options, &error))
        fail_msg("%s, %s: %s in\n%s", set, method, error.message, text);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    routh_model_free(model);
    return linear;
}

static void check_cells(const char *text, double lightest)
{
    static const char *const methods[] = {"augmented", "minimal", "redundant"};
    const char *states[3 * N_LINKS + 1] = {0};
    routh_linear *expected = linear_of(text, "absolute", "augmented", NULL);
    const int n = expected->n_states;
    const double size = largest_of(expected->A, n * n);
    assert_true(expected->n_position > 0 && expected->n_position <= 3 * N_LINKS);
    for (int k = 0; k < expected->n_position; k++) states[k] = expected->states[k].name;
    for (int set = 0; rt_coordinate_set_name(set); set++)
        for (int k = 0; k < 3; k++) {
            const char *name = rt_coordinate_set_name(set);
            routh_linear *found = linear_of(text, name, methods[k], states);
            assert_int_equal(found->n_states, n);
            for (int i = 0; i < n; i++)
                assert_string_equal(found->states[i].name, expected->states[i].name);
            for (int i = 0; i < n * n; i++)
                if (!(fabs(found->A[i] - expected->A[i]) <= tolerance(lightest) * size))
                    fail_msg("%s, %s: A[%d] is %.15g and should be %.15g in\n%s", name, methods[k],
                             i, found->A[i], expected->A[i], text);
            routh_linear_free(found);
        }
    routh_linear_free(expected);
}

/* ---- chains --------------------------------------------------------------------------------- */

/* Links of a metre on hinges (balls where `ball`), held by bushings. */
typedef struct chain {
    double axis[3], spread; /* of the hinges: this one, and how far others are from it */
    double light;           /* mass of every other link; that of the rest is 1 kg */
    double thin;            /* moment of inertia about the link's axis, kg m^2; the others 1/12 */
    bool is_static, ball;
} chain;

static const chain usual = {.axis = {0.2, 0.1, 0.97}, .light = 1, .thin = 0.02, .is_static = true};

static void write_bodies(const chain *c, random_stream *random, double at[N_LINKS + 1][3],
                         growing_text *text)
{
    for (int k = 0; k < N_LINKS; k++) {
        double d[3], w[3];
        random_reals(random, 3, d);
        random_reals(random, 3, w);
        d[1] -= 1.5;
        const double length = rt_v3_norm(d), mass = k % 2 ? c->light : 1;
        rt_v3_copy(at[k + 1], at[k]);
        rt_v3_add_scaled(at[k + 1], 1 / length, d);
        text_add(text, "  b%d: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: ", k, mass,
                 mass * c->thin, mass / 12, mass / 12);
        text_add(text, "[%.17g, %.17g, %.17g]", (at[k][0] + at[k + 1][0]) / 2,
                 (at[k][1] + at[k + 1][1]) / 2, (at[k][2] + at[k + 1][2]) / 2);
        if (!c->is_static)
            text_add(text, ", angular_velocity: [%.17g, %.17g, %.17g]", w[0], w[1], w[2]);
        text_add(text, "}\n");
    }
}

static void write_chain(const chain *c, random_stream *random, growing_text *text)
{
    double at[N_LINKS + 1][3] = {{0}}, off[3];
    text_add(text, "gravity: [0.3, -9.81, 0.5]\nbodies:\n");
    write_bodies(c, random, at, text);
    text_add(text, "joints:\n");
    for (int k = 0; k < N_LINKS; k++) {
        char below[16] = "ground";
        if (k > 0) snprintf(below, sizeof below, "b%d", k - 1);
        random_reals(random, 3, off);
        text_add(text, "  j%d: {type: %s, between: [b%d, %s], at: [%.17g, %.17g, %.17g]", k,
                 c->ball ? "spherical" : "revolute", k, below, at[k][0], at[k][1], at[k][2]);
        if (!c->ball)
            text_add(text, ", axis: [%.17g, %.17g, %.17g]", c->axis[0] + c->spread * off[0],
                     c->axis[1] + c->spread * off[1], c->axis[2] + c->spread * off[2]);
        text_add(text, "}\n");
    }
    text_add(text, "loads:\n");
    for (int k = 0; k < N_LINKS; k++)
        text_add(text,
                 "  s%d: {type: bushing, between: [b%d, ground], at: [%.17g, %.17g, %.17g], "
                 "translation: {stiffness: 3, damping: 0.2}, rotation: {stiffness: 2, damping: "
                 "0.1}}\n",
                 k, k, at[k][0], at[k][1], at[k][2]);
    text_add(text, "operating_point: {type: %s}\n", c->is_static ? "static" : "given");
}

/* At rest and moving. */
static void check_chain(chain c, uint64_t seed)
{
    random_stream random = {seed};
    for (int k = 0; k < with_effort(4); k++) {
        growing_text text = {0};
        c.is_static = k % 2 == 0;
        write_chain(&c, &random, &text);
        check_cells(text.bytes, c.light);
        free(text.bytes);
    }
}

static void parallel_hinges(void **state)
{
    static const double spreads[] = {0, 1e-9, 1e-6, 1e-3};
    (void)state;
    for (int k = 0; k < 4; k++) {
        chain c = usual;
        c.spread = spreads[k];
        check_chain(c, 901 + (uint64_t)k);
    }
}

static void needles(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        chain c = usual;
        c.spread = 1;
        c.thin = pow(10, -3 * (k + 1));
        check_chain(c, 911 + (uint64_t)k);
    }
}

static void light_bodies_between_heavy_ones(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        chain c = usual;
        c.spread = 1;
        c.light = pow(10, -3 * (k + 1));
        check_chain(c, 921 + (uint64_t)k);
    }
}

static void chains_of_balls(void **state)
{
    chain c = usual;
    (void)state;
    c.ball = true;
    check_chain(c, 931);
}

/* ---- balls ---------------------------------------------------------------------------------- */

/* Free at rest, turning about a principal axis, tumbling, and carried by another body. */
static void a_ball_at_the_centre_of_mass(void **state)
{
    static const char *const motion[] = {"[0, 0, 0]", "[0, 0, 3]", "[1, 2, 3]"};
    (void)state;
    for (int k = 0; k < 6; k++) {
        growing_text text = {0};
        const bool carried = k >= 3;
        text_add(&text, "gravity: [0.3, -9.81, 0.5]\nbodies:\n"
                        "  b0: {mass: 1, inertia: [1, 1.3, 1.9], position: [0.5, -1, 0.2], ");
        text_add(&text, "angular_velocity: %s}\n", motion[k % 3]);
        if (carried)
            text_add(&text,
                     "  b1: {mass: 2, inertia: [0.4, 0.3, 0.5], position: [0.3, -0.5, 0]}\n");
        text_add(&text,
                 "joints:\n  ball: {type: spherical, between: [b0, %s], at: [0.5, -1, 0.2]}\n",
                 carried ? "b1" : "ground");
        if (carried)
            text_add(&text, "  top: {type: spherical, between: [b1, ground], at: [0, 0, 0]}\n");
        text_add(&text, "operating_point: {type: given}\n");
        check_cells(text.bytes, 1);
        free(text.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parallel_hinges),
        cmocka_unit_test(needles),
        cmocka_unit_test(light_bodies_between_heavy_ones),
        cmocka_unit_test(chains_of_balls),
        cmocka_unit_test(a_ball_at_the_centre_of_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
