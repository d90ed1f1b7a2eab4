/* Certified eigenvalues against closed forms: what is contained, what is proved, what is not. */
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

static routh_status certify(routh_certificate **c, const char *text, const char *const *unknowns,
                            int digits, routh_error *error)
{
    routh_model *model;
    if (routh_model_parse(&model, text, strlen(text), "model.yaml", NULL, 0, error))
        fail_msg("%s", error->message);
    const routh_status status = routh_certificate_compute(c, model, unknowns, digits, error);
    routh_model_free(model);
    return status;
}

static routh_certificate *certificate_of(const char *text, const char *const *unknowns)
{
    routh_certificate *c;
    routh_error error = {0};
    if (certify(&c, text, unknowns, 50, &error)) fail_msg("%s", error.message);
    return c;
}

static void proves(const char *text, routh_proof proof)
{
    routh_certificate *c = certificate_of(text, NULL);
    assert_int_equal(c->proof, proof);
    for (int k = 0; k < c->n; k++)
        assert_true(c->eigenvalues[k].radius[0] < 1e-12 && c->eigenvalues[k].radius[1] < 1e-12);
    routh_certificate_free(c);
}

/* A row of N four-bar loops (Gonzalez et al. 2017, section 4.1) has one freedom, the angle phi:
 *     V = ((N+1)/2 + N) g sin phi + N k/2 (2 cos(phi/2) - sqrt 2)^2,
 *     M s^2 + c N sin^2(phi/2) s + V'' = 0,    M = (N+1)/3 + N,    V' = 0 */
static void closed_form(int N, long double c, long double *re, long double *im)
{
    const long double g = 9.81L, k = 25, w = (N + 1) / 2.0L + N, root = sqrtl(2);
    long double phi = 2.2L, second = 0;
    for (int round = 0; round < 60; round++) {
        const long double h = 2 * cosl(phi / 2) - root;
        const long double first = w * g * cosl(phi) - N * k * h * sinl(phi / 2);
        second = -w * g * sinl(phi) + N * k * sinl(phi / 2) * sinl(phi / 2) -
                 N * k * h * cosl(phi / 2) / 2;
        phi -= first / second;
    }
    const long double M = (N + 1) / 3.0L + N, d = c * N * sinl(phi / 2) * sinl(phi / 2);
    *re = -d / (2 * M);
    *im = sqrtl(second / M - *re * *re);
}

static void four_bar(int N, int damping)
{
    static const char *const phi[] = {"phi", NULL};
    char loops[8], c[8];
    snprintf(loops, sizeof loops, "%d", N);
    snprintf(c, sizeof c, "%d", damping);
    const routh_setting settings[] = {{"N", loops}, {"c", c}};
    routh_text text;
    long double re, im;
    assert_int_equal(routh_template_write("four-bar", settings, 2, &text, NULL), ROUTH_OK);
    routh_certificate *found = certificate_of(text.bytes, phi);
    closed_form(N, damping, &re, &im);
    assert_int_equal(found->n, 2);
    const routh_enclosure *e = &found->eigenvalues[1];
    assert_true(fabsl(strtold(e->real + 1, NULL) - re) <= 1e-17L * im);
    assert_true(fabsl(strtold(e->imaginary + 1, NULL) - im) <= 4e-18L * im);
    assert_int_equal(found->proof, damping ? ROUTH_PROVED_STABLE : ROUTH_NOT_DECIDED);
    routh_certificate_free(found);
    routh_text_free(&text);
}

static void four_bars_have_their_closed_form(void **state)
{
    (void)state;
    for (int damping = 0; damping < 2; damping++) {
        four_bar(1, damping);
        four_bar(2, damping);
        four_bar(5, damping);
    }
}

static void has_frequency(const routh_certificate *c, int k, long double square)
{
    const long double w = sqrtl(square), found = strtold(c->eigenvalues[k].imaginary + 1, NULL);
    assert_true(fabsl(fabsl(found) - w) <= 1e-17L * w);
}

/* A disc in the plane with forces -(x^2 + y - 3) and -(x + 2 y - 4): it rests at
 * x^2 - x/2 - 1 = 0, y = 2 - x/2, where w^2 are the eigenvalues of [2 x, 1; 1, 2]. */
static void two_unknowns_are_found_together(void **state)
{
    (void)state;
    static const char *const orders[2][3] = {{"px", "py", NULL}, {"py", "px", NULL}};
    static const char text[] =
        "parameters: {py: 1.3, px: 1.2}\n"
        "bodies: {disc: {mass: 1, inertia: [1, 1, 1], position: [px, py, 0]}}\n"
        "joints:\n"
        "  plane: {type: inplane, between: [disc, ground], axis: z}\n"
        "  upright: {type: orientation, between: [disc, ground]}\n"
        "loads: {pull: {type: force, on: disc, components:\n"
        "  [-(DX(disc)^2 + DY(disc) - 3), -(DX(disc) + 2*DY(disc) - 4), 0]}}\n";
    for (int k = 0; k < 2; k++) {
        routh_certificate *c = certificate_of(text, orders[k]);
        const long double x = (0.5L + sqrtl(4.25L)) / 2;
        const long double root = sqrtl((x - 1) * (x - 1) + 1);
        assert_int_equal(c->n, 4);
        for (int i = 0; i < 4; i++) has_frequency(c, i, i < 2 ? x + 1 - root : x + 1 + root);
        routh_certificate_free(c);
    }
}

/* A pendulum of 2 kg and 0.5 m held aside by half the largest moment of its weight: at 30 degrees,
 * w^2 = m g l cos 30 deg/(I + m l^2). The angle is the first of the parameters. */
static void the_first_parameter_may_be_the_angle(void **state)
{
    (void)state;
    static const char *const phi[] = {"phi", NULL};
    routh_certificate *c = certificate_of(
        "parameters: {phi: 0.5, l: 1/2}\n"
        "gravity: [0, -10, 0]\n"
        "bodies:\n"
        "  bob: {mass: 2, inertia: [1, 1, 1], position: [l*sin(phi), -l*cos(phi), 0],\n"
        "        orientation: {axis: [0, 0, 1], angle: phi}}\n"
        "joints: {pin: {type: revolute, between: [bob, ground], at: [0, 0, 0], axis: z}}\n"
        "loads: {moment: {type: torque, on: bob, components: [0, 0, 5]}}\n",
        phi);
    assert_int_equal(c->n, 2);
    has_frequency(c, 1, 10 * sqrtl(3) / 2 / 1.5L);
    routh_certificate_free(c);
}

/* x'' + x'/2 + 4 x + q y = 0, y'' + y'/2 + 4 y - q x = 0 flutters from q = 1 on. */
#define FLUTTER(q)                                                                                 \
    "bodies: {disc: {mass: 1, inertia: [1, 1, 1]}}\n"                                              \
    "joints:\n"                                                                                    \
    "  plane: {type: inplane, between: [disc, ground], axis: z}\n"                                 \
    "  upright: {type: orientation, between: [disc, ground], at: [0, 0, 0]}\n"                     \
    "loads:\n"                                                                                     \
    "  mount: {type: bushing, between: [disc, ground],\n"                                          \
    "          translation: {stiffness: [4, 4, 0], damping: [0.5, 0.5, 0]}}\n"                     \
    "  whirl: {type: force, on: disc, components: [-" q "*DY(disc), " q "*DX(disc), 0]}\n"

/* s^2 = -V''/M of the four-bar is a zero of a quadratic, since the angle's cosine is. */
static void eigenvalues_are_known_as_algebraic_numbers(void **state)
{
    (void)state;
    static const char *const phi[] = {"phi", NULL};
    const routh_setting settings[] = {{"N", "1"}};
    routh_text text;
    long double re, im;
    assert_int_equal(routh_template_write("four-bar", settings, 1, &text, NULL), ROUTH_OK);
    routh_certificate *c = certificate_of(text.bytes, phi);
    closed_form(1, 0, &re, &im);
    const long double x = -im * im;
    assert_string_equal(c->eigenvalues[0].polynomial,
                        "39450953125*s^4-957975234375*s^2-5258005714566");
    assert_true(fabsl(39450953125.0L * x * x - 957975234375.0L * x - 5258005714566.0L) <= 1e-4L);
    routh_certificate_free(c);
    routh_text_free(&text);
    c = certificate_of(FLUTTER("1"), NULL); /* (s^2 + s/2 + 4)^2 + 1 = (s^2 + 4)(s^2 + s + 17/4) */
    assert_string_equal(c->eigenvalues[0].polynomial, "s^2+4");
    assert_string_equal(c->eigenvalues[3].polynomial, "4*s^2+4*s+17");
    routh_certificate_free(c);
}

/* Body and wheel of a quarter of a car; the actuator pushes against the body's velocity. */
static void an_active_suspension_is_proved_stable(void **state)
{
    (void)state;
    proves("bodies:\n"
           "  body: {mass: 320, inertia: [60, 60, 60], position: [0, 0, 0.75]}\n"
           "  wheel: {mass: 40, inertia: [1, 1.5, 1], position: [0, 0, 0.32]}\n"
           "joints:\n"
           "  strut: {type: translational, between: [body, ground], at: [0, 0, 0.75], axis: z}\n"
           "  guide: {type: translational, between: [wheel, ground], at: [0, 0, 0.32], axis: z}\n"
           "loads:\n"
           "  suspension: {type: spring, between: [body, wheel], stiffness: 18e3, damping: 900,\n"
           "               force: -2200*VZ(body)}\n"
           "  tyre: {type: spring, between: [wheel, ground], stiffness: 190e3, damping: 60}\n",
           ROUTH_PROVED_STABLE);
}

static void an_inverted_pendulum_is_refuted(void **state)
{
    (void)state;
    proves("gravity: [0, -9.81, 0]\n"
           "bodies: {bar: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0.5, 0]}}\n"
           "joints: {hinge: {type: revolute, between: [bar, ground], at: [0, 0, 0], axis: z}}\n"
           "loads: {rub: {type: torsion_spring, between: [bar, ground], axis: z, damping: 0.2}}\n",
           ROUTH_PROVED_UNSTABLE);
}

static void what_lies_on_the_axis_is_not_decided(void **state)
{
    (void)state;
    proves(FLUTTER("0.9999999999"), ROUTH_PROVED_STABLE);
    proves(FLUTTER("1"), ROUTH_NOT_DECIDED);
    proves(FLUTTER("1.0000000001"), ROUTH_PROVED_UNSTABLE);
}

/* Two oscillators alike: a double pair, told by the square-free parts. */
static void equal_eigenvalues_are_counted(void **state)
{
    (void)state;
    routh_certificate *c = certificate_of(FLUTTER("0"), NULL);
    assert_int_equal(c->n, 4);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(c->eigenvalues[k].multiplicity, 2);
        assert_true(c->eigenvalues[k].value[0] == -0.25);
        assert_true(fabs(fabs(c->eigenvalues[k].value[1]) - sqrt(63) / 4) <=
                    c->eigenvalues[k].reach[1] + 1e-15);
    }
    routh_certificate_free(c);
}

/* -z + 5 + |z - 1| = 0 has no solution; with the sign that the root has at z = 0, it would be
 * z = 3. */
static void a_sign_that_does_not_hold_there_is_refused(void **state)
{
    (void)state;
    static const char *const z[] = {"z", NULL};
    routh_certificate *c;
    routh_error error = {0};
    assert_int_equal(
        certify(&c,
                "parameters: {z: 0}\n"
                "bodies: {mass: {mass: 1, inertia: [1, 1, 1], position: [0, 0, z]}}\n"
                "joints: {guide: {type: translational, between: [mass, ground], at: [0, 0, 0],\n"
                "                 axis: z}}\n"
                "loads: {pull: {type: force, on: mass,\n"
                "               components: [0, 0, 5 - DZ(mass) + sqrt((z - 1)^2)]}}\n",
                z, 20, &error),
        ROUTH_NUMERIC_ERROR);
    assert_non_null(strstr(error.message, "another sign at the operating point"));
    assert_null(c);
}

/* (z - 1)^2 = 0: Newton's method comes near, and no interval maps into itself. */
static void a_double_equilibrium_is_not_proved(void **state)
{
    (void)state;
    static const char *const z[] = {"z", NULL};
    routh_certificate *c;
    routh_error error = {0};
    assert_int_equal(
        certify(&c,
                "parameters: {z: 2}\n"
                "bodies: {mass: {mass: 1, inertia: [1, 1, 1], position: [0, 0, z]}}\n"
                "joints: {guide: {type: translational, between: [mass, ground], at: [0, 0, 0],\n"
                "                 axis: z}}\n"
                "loads: {pull: {type: force, on: mass, components: [0, 0, (DZ(mass) - 1)^2]}}\n",
                z, 20, &error),
        ROUTH_NUMERIC_ERROR);
    assert_null(c);
}

/* (z - 1)^2 = d^2 with d so small that what rounds off z^2 - 2 z + 1 is worth more, over the slope
 * 2 d, than the interval is wide: Newton's method stops where the sum is zero by chance, the slope
 * has one sign all over the interval, and yet it does not map into itself. */
static void an_equilibrium_that_rounding_hides_is_not_proved(void **state)
{
    (void)state;
    static const char *const z[] = {"z", NULL};
    static const char *const d[] = {"1e-16", "1e-17", "1e-18"};
    for (int k = 0; k < 3; k++) {
        char text[600];
        routh_certificate *c;
        routh_error error = {0};
        snprintf(text, sizeof text,
                 "parameters: {z: 1.000001, d: %s}\n"
                 "bodies: {mass: {mass: 1, inertia: [1, 1, 1], position: [0, 0, z]}}\n"
                 "joints: {guide: {type: translational, between: [mass, ground], at: [0, 0, 0],\n"
                 "                 axis: z}}\n"
                 "loads: {pull: {type: force, on: mass,\n"
                 "               components: [0, 0, (DZ(mass) - 1)^2 - d^2]}}\n",
                 d[k]);
        assert_int_equal(certify(&c, text, z, 20, &error), ROUTH_NUMERIC_ERROR);
        assert_non_null(strstr(error.message, "cannot be proved"));
        assert_null(c);
    }
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    static const char *const nothing[] = {"phi", NULL};
    routh_certificate *c;
    routh_error error = {0};
    assert_int_equal(certify(&c, FLUTTER("1"), NULL, 0, &error), ROUTH_BAD_ARGUMENT);
    assert_int_equal(certify(&c, FLUTTER("1"), nothing, 20, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "no parameter 'phi'"));
    assert_null(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_bars_have_their_closed_form),
        cmocka_unit_test(two_unknowns_are_found_together),
        cmocka_unit_test(the_first_parameter_may_be_the_angle),
        cmocka_unit_test(eigenvalues_are_known_as_algebraic_numbers),
        cmocka_unit_test(an_active_suspension_is_proved_stable),
        cmocka_unit_test(an_inverted_pendulum_is_refuted),
        cmocka_unit_test(what_lies_on_the_axis_is_not_decided),
        cmocka_unit_test(equal_eigenvalues_are_counted),
        cmocka_unit_test(a_sign_that_does_not_hold_there_is_refused),
        cmocka_unit_test(a_double_equilibrium_is_not_proved),
        cmocka_unit_test(an_equilibrium_that_rounding_hides_is_not_proved),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    routh_certificate *c;
    routh_error error = {0};
    if (certify(&c, FLUTTER("1"), NULL, 20, &error) == ROUTH_NOT_SUPPORTED) {
        print_message("skipped: %s\n", error.message);
        return 77;
    }
    routh_certificate_free(c);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
