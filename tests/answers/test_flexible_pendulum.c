/* The flexible double pendulum of Gonzalez et al. 2017: modes from 1 to 1e7 1/s. The numbers are
 * converged digits of the same finite elements, found with 50 digits. In double precision the
 * symmetric problem solved for 1/w^2 keeps 1e-10 .. 1.4e-8 of them at 100 elements a link. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routh/routh.h"

static const char *const MODEL =
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  link1: {type: beam, orientation: {axis: [0,0,1], angle: -90 deg}, to: [4,0,0],\n"
    "    elements: %d, planar: true, stiffening: false, density: 1500, youngs_modulus: 1e8,\n"
    "    section: {circle: {radius: 0.15}}}\n"
    "  link2: {type: beam, position: [0,-4,0], orientation: {axis: [0,0,1], angle: -90 deg},\n"
    "    to: [4,0,0], elements: %d, planar: true, stiffening: false, density: 1500,\n"
    "    youngs_modulus: 1e8, section: {circle: {radius: 0.15}}}\n"
    "markers:\n"
    "  a: {body: link1, node: first}\n"
    "  b: {body: link1, node: last}\n"
    "  c: {body: link2, node: first}\n"
    "  o: {body: ground, position: [0,0,0]}\n"
    "joints:\n"
    "  j1: {type: revolute, between: [a, o], axis: z}\n"
    "  j2: {type: revolute, between: [c, b], axis: z}\n"
    "operating_point: {type: static}\n";

enum { LOWEST = 6 };

typedef struct reference {
    int elements;
    double s[LOWEST];
} reference;

static const reference of_10 = {10,
                                {1.335731458011, 3.524427799268, 9.417527170678, 22.40588276734,
                                 49.19378444165, 50.71026470345}};
static const reference of_25 = {25,
                                {1.335731278389, 3.524425541408, 9.417482880977, 22.40537187039,
                                 49.18840106594, 50.69931831554}};
static const reference of_50 = {50,
                                {1.335731255677, 3.524425420813, 9.417480208979, 22.40535807634,
                                 49.18826517813, 50.69775466131}};
static const reference of_100 = {100,
                                 {1.335731250115, 3.524425398602, 9.417479685284, 22.40535699613,
                                  49.18825646338, 50.69736375228}};

static const char *const COORDINATES[] = {"absolute", "euler-parameters", "euler-angles",
                                          "relative", "natural"};

static void require(routh_status status, const routh_error *error)
{
    if (status) fail_msg("%s", error->message);
}

static void check_modes(const routh_modes *m, const reference *right, double tolerance,
                        const char *coordinates, const char *method)
{
    assert_int_equal(m->n_zero, 0);
    for (int k = 0; k < LOWEST; k++) {
        const routh_mode *mode = &m->modes[2 * k + 1];
        const double error = hypot(mode->eigenvalue[0], mode->eigenvalue[1] - right->s[k]);
        /* the twelve or thirteen digits that are given, and what the bound says */
        if (!(error <= tolerance * right->s[k]) ||
            !(error <= mode->error_bound + 1e-12 * right->s[k]))
            fail_msg("%s, %s, %d elements: mode %d is %.13g%+.13gi, not %.13gi; bound %.2g",
                     coordinates, method, right->elements, k + 1, mode->eigenvalue[0],
                     mode->eigenvalue[1], right->s[k], mode->error_bound);
    }
}

static void check(const reference *right, const char *coordinates, const char *method,
                  double tolerance)
{
    char text[2048];
    snprintf(text, sizeof text, MODEL, right->elements, right->elements);
    routh_error error;
    routh_model *model;
    routh_mechanism *m;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
    routh_linearize_options options = routh_linearize_defaults();
    options.method = method;
    options.markers = options.shares = 0;
    require(routh_model_parse(&model, text, strlen(text), "test", NULL, 0, &error), &error);
    require(routh_mechanism_compile(&m, model, coordinates, &error), &error);
    require(routh_operating_point_find(&point, m, NULL, &error), &error);
    require(routh_linearize(&linear, m, point, &options, &error), &error);
    require(routh_modes_compute(&modes, linear, &error), &error);
    check_modes(modes, right, tolerance, coordinates, method);
    routh_modes_free(modes);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    routh_mechanism_free(m);
    routh_model_free(model);
}

static void all_coordinates_and_methods(void **state)
{
    (void)state;
    static const char *const methods[] = {"minimal", "minimal:qr", "augmented", "redundant"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        for (size_t c = 0; c < sizeof COORDINATES / sizeof *COORDINATES; c++)
            check(&of_10, COORDINATES[c], methods[k], 1e-10);
        check(&of_25, COORDINATES[k], methods[k], 1e-9);
    }
}

/* The redundant method takes no more than 600 states. */
static void fifty_elements(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof COORDINATES / sizeof *COORDINATES; c++)
        check(&of_50, COORDINATES[c], c % 2 ? "minimal" : "augmented", 1e-9);
}

/* About 10 seconds each: where ROUTH_TEST_EFFORT is 10 or more. */
static void hundred_elements(void **state)
{
    (void)state;
    const char *effort = getenv("ROUTH_TEST_EFFORT");
    if (!effort || atof(effort) < 10) skip();
    for (size_t c = 0; c < sizeof COORDINATES / sizeof *COORDINATES; c++)
        check(&of_100, COORDINATES[c], c % 2 ? "augmented" : "minimal", 1.4e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_coordinates_and_methods),
        cmocka_unit_test(fifty_elements),
        cmocka_unit_test(hundred_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
