/* The flexible double pendulum of Gonzalez et al. 2017: modes from 1 to 1e7 1/s. The numbers are
 * converged digits of the same finite elements, found with 50 digits. In double precision the
 * symmetric problem solved for 1/w^2 keeps 1e-10 .. 1.4e-8 of them at 100 elements a link. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routh/routh.h"
#include "support/effort.h"

static const char *const MODEL =
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  link1: {type: beam, orientation: {axis: [0,0,1], angle: -90 deg}, to: [4,0,0],\n"
    "    elements: %d, planar: true, stiffening: %s, density: 1500, youngs_modulus: 1e8,\n"
    "    section: {circle: {radius: 0.15}}}\n"
    "  link2: {type: beam, position: [0,-4,0], orientation: {axis: [0,0,1], angle: -90 deg},\n"
    "    to: [4,0,0], elements: %d, planar: true, stiffening: %s, density: 1500,\n"
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

enum { LOWEST = 10 };

typedef struct reference {
    int elements;
    double s[LOWEST];
} reference;

/* Without stiffening, as the paper has it, and with. */
static const reference plain[] = {
    {10,
     {1.335731458011, 3.524427799268, 9.417527170678, 22.40588276734, 49.19378444165,
      50.71026470345, 68.31746982587, 110.6341044957, 137.5374858218, 152.4437570193}},
    {25,
     {1.335731278389, 3.524425541408, 9.417482880977, 22.40537187039, 49.18840106594,
      50.69931831554, 68.30347602645, 110.5740144016, 137.4272245255, 152.1479972661}},
    {50,
     {1.335731255677, 3.524425420813, 9.417480208979, 22.40535807634, 49.18826517813,
      50.69775466131, 68.30311063745, 110.5724685744, 137.4243041294, 152.1057734104}},
    {75,
     {1.335731251553, 3.524425404056, 9.417479815506, 22.40535718491, 49.18825774973,
      50.69746509889, 68.30309011789, 110.5723829267, 137.4241453782, 152.0979549466}},
    {100,
     {1.335731250115, 3.524425398602, 9.417479685284, 22.40535699613, 49.18825646338,
      50.69736375228, 68.30308644303, 110.5723678479, 137.4241183643, 152.0952185411}},
};
static const reference stiffened[] = {
    {10,
     {1.338281012053, 3.553377167316, 15.35161408671, 25.39464095109, 50.71026470345,
      53.23425436481, 70.83199823987, 114.9854817985, 140.5182622676, 152.4437570193}},
    {25,
     {1.338280843165, 3.553375127487, 15.35147498173, 25.39395994336, 50.69931831554,
      53.22802611810, 70.81694636278, 114.9208278832, 140.4029634115, 152.1479972661}},
    {50,
     {1.338280822035, 3.553375040444, 15.35146942452, 25.39394184985, 50.69775466131,
      53.22786832321, 70.81655396750, 114.9191665959, 140.3999074674, 152.1057734104}},
    {75,
     {1.338280818205, 3.553375029970, 15.35146879129, 25.39394072882, 50.69746509889,
      53.22785958325, 70.81653205968, 114.9190747249, 140.3997414000, 152.0979549466}},
    {100,
     {1.338280816870, 3.553375026722, 15.35146859893, 25.39394050171, 50.69736375228,
      53.22785804090, 70.81652816796, 114.9190585913, 140.3997131574, 152.0952185411}},
};

/* The rows of both: 10, 25, 50, 75, 100 elements a link. */
enum { OF_10, OF_25, OF_50, OF_75, OF_100 };

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

/* alpha: of the penalty method, whose other numbers are those of the paper. */
static routh_modes *modes_of(const reference *right, bool stiffening, const char *coordinates,
                             const char *method, double alpha)
{
    const char *stiffened_word = stiffening ? "true" : "false";
    char text[2048];
    snprintf(text, sizeof text, MODEL, right->elements, stiffened_word, right->elements,
             stiffened_word);
    routh_error error;
    routh_model *model;
    routh_mechanism *m;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
    routh_linear_options options = routh_linear_defaults();
    options.method = method;
    options.markers = options.shares = 0;
    if (strcmp(method, "penalty") == 0)
        options.penalty_alpha = alpha, options.penalty_xi = 1, options.penalty_omega = 10;
    require(routh_model_parse(&model, text, strlen(text), "test", NULL, 0, &error), &error);
    require(routh_mechanism_compile(&m, model, coordinates, &error), &error);
    require(routh_operating_point_find(&point, m, NULL, &error), &error);
    require(routh_linear_compute(&linear, m, point, &options, &error), &error);
    require(routh_modes_compute(&modes, linear, &error), &error);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    routh_mechanism_free(m);
    routh_model_free(model);
    return modes;
}

/* Without stiffening, and with. */
static void check(int row, const char *coordinates, const char *method, double tolerance)
{
    for (int stiffening = 0; stiffening < 2; stiffening++) {
        const reference *right = &(stiffening ? stiffened : plain)[row];
        routh_modes *modes = modes_of(right, stiffening, coordinates, method, 0);
        check_modes(modes, right, tolerance, coordinates, method);
        routh_modes_free(modes);
    }
}

/* Penalties change the mechanism; Table 5 of the paper says by how much with alpha = 1e7: real
 * parts by 1.4e-4, imaginary ones by 3.6e-5. Changes and bounds go with 1/alpha. The bounds hold,
 * and are no wider than the change and what a few roundings of a stiffness as large as that of the
 * fastest mode leave open, or six digits. The changes keep to one over alpha: so slow modes have
 * their digits, however fine the mesh, down to what the mesh itself costs: strains are differences
 * of displacements, (l/L)^4 of a stiffness, so that eps n^4 of w^2 is open with n elements. */
static void check_penalty(int row, const char *coordinates)
{
    static const double alphas[] = {1e7, 1e5};
    for (int stiffening = 0; stiffening < 2; stiffening++) {
        const reference *right = &(stiffening ? stiffened : plain)[row];
        const double n = right->elements, digits = 2e-10 + DBL_EPSILON * n * n * n * n / 2;
        double change[2][LOWEST], worst[2] = {0};
        for (int a = 0; a < 2; a++) {
            routh_modes *modes = modes_of(right, stiffening, coordinates, "penalty", alphas[a]);
            assert_int_equal(modes->n_zero, 0);
            const double fastest = fabs(modes->modes[modes->n - 1].eigenvalue[1]);
            for (int k = 0; k < LOWEST; k++) {
                const routh_mode *mode = &modes->modes[2 * k + 1];
                const double open = 10 * DBL_EPSILON * fastest * fastest / right->s[k];
                const double *s = mode->eigenvalue, off = s[1] - right->s[k];
                change[a][k] = hypot(s[0], off);
                assert_true(fabs(s[0]) <= 1.4e-4 * 1e7 / alphas[a]);
                assert_true(fabs(off) <= 3.6e-5 * 1e7 / alphas[a]);
                assert_true(change[a][k] <= mode->error_bound * (1 + 1e-3) + 1e-12 * right->s[k]);
                assert_true(mode->error_bound <=
                            1.01 * change[a][k] + fmin(open, 1e-6 * right->s[k]));
                if (a == 0) worst[0] = fmax(worst[0], fabs(s[0]));
                if (a == 0) worst[1] = fmax(worst[1], fabs(off));
            }
            routh_modes_free(modes);
        }
        for (int k = 0; k < LOWEST; k++)
            assert_true(fabs(100 * change[0][k] - change[1][k]) <=
                        1e-3 * change[1][k] + 100 * digits * right->s[k]);
        print_message("penalty, %s, %d elements, %s: off by at most %.1e, %.1e\n", coordinates,
                      right->elements, stiffening ? "stiffened" : "plain", worst[0], worst[1]);
    }
}

static void all_coordinates_and_methods(void **state)
{
    (void)state;
    static const char *const methods[] = {"minimal", "minimal:qr", "augmented", "redundant"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        for (size_t c = 0; c < sizeof COORDINATES / sizeof *COORDINATES; c++)
            check(OF_10, COORDINATES[c], methods[k], 1e-10);
        if (is_chosen((int)k, 2)) check(OF_25, COORDINATES[k], methods[k], 1e-9);
    }
}

static void penalties_are_as_near_as_the_paper_says(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof COORDINATES / sizeof *COORDINATES; c++)
        if (is_chosen((int)c, 2)) check_penalty(OF_10, COORDINATES[c]);
    check_penalty(OF_25, "relative");
    if (full_effort()) check_penalty(OF_25, "absolute");
    for (size_t c = 0; full_effort() && c < sizeof COORDINATES / sizeof *COORDINATES; c++)
        check_penalty(OF_50, COORDINATES[c]);
    if (full_effort()) check_penalty(OF_100, "absolute"); /* a minute and a half */
}

/* QZ of 604 states takes some 5 seconds. */
static void fifty_elements(void **state)
{
    (void)state;
    check(OF_50, "absolute", "augmented", 1e-9);
    for (size_t c = 1; full_effort() && c < sizeof COORDINATES / sizeof *COORDINATES; c++)
        check(OF_50, COORDINATES[c], c % 2 ? "minimal" : "augmented", 1e-9);
    if (full_effort()) check(OF_50, "absolute", "redundant", 1e-9);
}

/* About 10 seconds each; of the redundant method 20 and 55. */
static void a_hundred_elements(void **state)
{
    (void)state;
    if (!full_effort()) skip();
    check(OF_75, "absolute", "minimal", 1e-9);
    check(OF_75, "absolute", "augmented", 1e-9);
    for (size_t c = 0; c < sizeof COORDINATES / sizeof *COORDINATES; c++)
        check(OF_100, COORDINATES[c], c % 2 ? "augmented" : "minimal", 1.4e-8);
    check(OF_75, "absolute", "redundant", 1e-9);
    check(OF_100, "absolute", "redundant", 1.4e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_coordinates_and_methods),
        cmocka_unit_test(penalties_are_as_near_as_the_paper_says),
        cmocka_unit_test(fifty_elements),
        cmocka_unit_test(a_hundred_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
