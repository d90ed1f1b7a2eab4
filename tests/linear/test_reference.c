/* The papers' examples against values computed without this library; tests/reference says where
 * they come from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <jansson.h>

#include "routh/answers.h"
#include "support/mechanisms.h"
#include "support/record.h"

static const double tolerance = 1e-9;

/* ---- reference files ------------------------------------------------------------------------- */

static json_t *reference(const char *name)
{
    char path[512];
    json_error_t error;
    const char *source = getenv("ROUTH_SOURCE");
    snprintf(path, sizeof path, "%s/tests/reference/%s", source ? source : ".", name);
    json_t *file = json_load_file(path, 0, &error);
    if (!file) fail_msg("%s: %s", path, error.text);
    return file;
}

static double number(const json_t *object, const char *key)
{
    const json_t *x = json_object_get(object, key);
    if (!json_is_number(x)) fail_msg("no number %s", key);
    return json_number_value(x);
}

/* ---- one linear model and its spectrum ------------------------------------------------------- */

typedef struct answer {
    test_mechanism t;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
} answer;

static void answer_find(answer *a, const char *observer)
{
    routh_error error;
    a->point = mechanism_point(&a->t);
    a->linear = mechanism_linear(&a->t, a->point, observer);
    if (routh_modes_compute(&a->modes, a->linear, &error)) fail_msg("%s", error.message);
}

static void answer_of_text(answer *a, const char *yaml, const char *observer)
{
    mechanism_make(&a->t, yaml);
    answer_find(a, observer);
}

/* The template's text with more at its end. */
static void answer_of_template(answer *a, const char *name, const char *const *settings,
                               const char *more)
{
    routh_error error;
    routh_text text;
    routh_setting pairs[8];
    growing_text whole = {0};
    size_t n = 0;
    for (; settings && settings[2 * n]; n++)
        pairs[n] = (routh_setting){settings[2 * n], settings[2 * n + 1]};
    if (routh_template_write(name, pairs, n, &text, &error)) fail_msg("%s", error.message);
    text_add(&whole, "%s\n%s", text.bytes, more);
    answer_of_text(a, whole.bytes, NULL);
    free(whole.bytes);
    routh_text_free(&text);
}

static void answer_release(answer *a)
{
    routh_modes_free(a->modes);
    routh_linear_free(a->linear);
    routh_operating_point_free(a->point);
    mechanism_release(&a->t);
}

/* The oscillations, one of each conjugate pair. */
static int oscillations(const answer *a, double (*s)[2])
{
    int n = 0;
    for (int k = 0; k < a->modes->n; k++)
        if (a->modes->modes[k].eigenvalue[1] > 0) {
            s[n][0] = a->modes->modes[k].eigenvalue[0];
            s[n++][1] = a->modes->modes[k].eigenvalue[1];
        }
    return n;
}

/* Every expected pair is found once, within the tolerance of its modulus, and there are no
 * others. */
static void check_oscillations(const answer *a, double (*expected)[2], int n)
{
    double s[32][2];
    bool used[32] = {false};
    assert_int_equal(oscillations(a, s), n);
    for (int k = 0; k < n; k++) {
        int nearest = -1;
        double distance = INFINITY;
        for (int i = 0; i < n; i++) {
            const double d = hypot(s[i][0] - expected[k][0], s[i][1] - expected[k][1]);
            if (!used[i] && d < distance) distance = d, nearest = i;
        }
        used[nearest] = true;
        if (!(distance <= tolerance * hypot(expected[k][0], expected[k][1])))
            fail_msg("%.15g %+.15gi should be %.15g %+.15gi", s[nearest][0], s[nearest][1],
                     expected[k][0], expected[k][1]);
    }
}

static void check_one(const answer *a, double re, double im)
{
    double s[1][2] = {{re, im}};
    check_oscillations(a, s, 1);
}

static void check_list(const answer *a, const json_t *list)
{
    double s[32][2];
    const int n = (int)json_array_size(list);
    assert_true(n > 0);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 2; i++)
            s[k][i] = json_number_value(json_array_get(json_array_get(list, (size_t)k), (size_t)i));
    check_oscillations(a, s, n);
}

/* A matrix in the order of the states, errors relative to its largest entry. */
static void check_matrix(const json_t *expected, const double *found, int n, const char *what)
{
    double size = 0;
    assert_int_equal(json_array_size(expected), n);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                const double x = json_number_value(
                    json_array_get(json_array_get(expected, (size_t)i), (size_t)j));
                if (pass == 0) size = fmax(size, fabs(x));
                if (pass == 1 && !(fabs(found[i * n + j] - x) <= tolerance * fmax(size, 1)))
                    fail_msg("%s[%d][%d] is %.15g and should be %.15g", what, i, j,
                             found[i * n + j], x);
            }
}

static void check_near(double found, double expected, const char *what)
{
    if (!(fabs(found - expected) <= tolerance * fmax(1, fabs(expected))))
        fail_msg("%s is %.15g and should be %.15g", what, found, expected);
}

static void check_states(const answer *a, const char *const *names, int n)
{
    assert_int_equal(a->linear->n_position, n);
    for (int k = 0; k < n; k++) assert_string_equal(a->linear->states[k].name, names[k]);
}

/* ---- what the papers print ------------------------------------------------------------------- */

static const char gonzalez[] = "Gonzalez, Masarati, Cuadrado, Naya 2017", trom[] = "Trom 1990";

/* Tables 1 and 2 by N; phi(15) is a misprint. */
typedef struct printed_four_bar {
    int n;
    const char *phi, *undamped, *re, *im;
} printed_four_bar;

static const printed_four_bar printed_four_bars[] = {
    {1, "2.2343", "2.1477", "-0.2424", "2.1340"},  {5, "1.8922", "1.5455", "-0.2350", "1.5276"},
    {10, "1.8454", "1.4352", "-0.2325", "1.4162"}, {15, "1.8230", "1.3955", "-0.2316", "1.3761"},
    {20, "1.8217", "1.3750", "-0.2312", "1.3554"},
};

/* Printed digits are right to half a unit of the last, where they are right. */
static void check_printed(const char *printed, double x)
{
    const char *point = strchr(printed, '.');
    assert_non_null(point);
    const double half = 0.5000001 * pow(10, -(double)strlen(point + 1));
    if (!(fabs(atof(printed) - x) <= half)) fail_msg("%.15g is printed as %s", x, printed);
}

static void compare_four_bar(const answer *a, const json_t *c, double phi, bool damped)
{
    static const char tables[][8] = {"Table 1", "Table 2"};
    const int n = (int)number(c, "N");
    for (size_t k = 0; k < sizeof printed_four_bars / sizeof printed_four_bars[0]; k++) {
        const printed_four_bar *p = &printed_four_bars[k];
        char quantity[40];
        double s[32][2];
        if (p->n != n) continue;
        assert_int_equal(oscillations(a, s), 1);
        const char *table = tables[damped];
        snprintf(quantity, sizeof quantity, "N = %d: Im s1", n);
        check_printed(damped ? p->im : p->undamped, s[0][1]);
        record_value(gonzalez, table, quantity, damped ? p->im : p->undamped,
                     number(c, damped ? "damped_imaginary" : "undamped_imaginary"), s[0][1]);
        if (damped) {
            snprintf(quantity, sizeof quantity, "N = %d: Re s1", n);
            check_printed(p->re, s[0][0]);
            record_value(gonzalez, table, quantity, p->re, number(c, "damped_real"), s[0][0]);
            continue;
        }
        snprintf(quantity, sizeof quantity, "N = %d: phi", n);
        if (n != 15) check_printed(p->phi, phi);
        record_value(gonzalez, table, quantity, p->phi, number(c, "phi"), phi);
    }
}

/* ---- rotor and stator ------------------------------------------------------------------------ */

/* Its template with the states of the reference and, with gravity, a mount that carries the
 * weight. */
static void rotor_stator_text(growing_text *text, double spin, double gravity)
{
    text_add(
        text,
        "gravity: [0, 0, %.17g]\n"
        "bodies:\n"
        "  stator: {mass: 200, inertia: [50, 50, 10]}\n"
        "  rotor: {mass: 1300, inertia: [500, 500, 1000], position: [0, 0, 0.75], "
        "angular_velocity: [0, 0, %.17g]}\n"
        "joints: {bearing: {type: revolute, between: [rotor, stator], at: [0, 0, 0]}}\n"
        "loads:\n"
        "  mount: {type: bushing, between: [stator, ground], preload: [0, 0, %.17g, 0, 0, 0],\n"
        "    translation: {stiffness: 1000, damping: 1},\n"
        "    rotation: {stiffness: [1e4, 1e4, 1e5], damping: [10, 10, 100]}}\n"
        "linearize: {states: [stator.x, stator.y, stator.z, stator.rx, stator.ry, stator.rz, "
        "rotor.rz]}\n",
        -gravity, spin, 1500 * gravity);
}

static void rotor_stator_matches_eigenvalues_and_symbolic_matrices(void **state)
{
    static const char *const names[] = {"stator.x",  "stator.y",  "stator.z", "stator.rx",
                                        "stator.ry", "stator.rz", "rotor.rz"};
    (void)state;
    json_t *file = reference("rotor_stator.json");
    const json_t *cases = json_object_get(file, "cases");
    assert_true(json_array_size(cases) >= 8);
    for (size_t k = 0; k < json_array_size(cases); k++) {
        const json_t *c = json_array_get(cases, k);
        growing_text text = {0};
        answer a;
        rotor_stator_text(&text, 2 * 3.14159265358979323846 * number(c, "speed_hz"),
                          number(c, "gravity"));
        answer_of_text(&a, text.bytes, json_string_value(json_object_get(c, "observer")));
        check_states(&a, names, 7);
        check_list(&a, json_object_get(c, "eigenvalues"));
        assert_int_equal(a.modes->n_zero, 2);
        check_matrix(json_object_get(c, "mass"), a.linear->mass, 7, "mass");
        check_matrix(json_object_get(c, "damping"), a.linear->damping, 7, "damping");
        check_matrix(json_object_get(c, "stiffness"), a.linear->stiffness, 7, "stiffness");
        answer_release(&a);
        free(text.bytes);
    }
    json_decref(file);
}

static void rotor_stator_template_matches_eigenvalues(void **state)
{
    (void)state;
    json_t *file = reference("rotor_stator.json");
    const json_t *cases = json_object_get(file, "cases");
    for (size_t k = 0; k < json_array_size(cases); k++) {
        const json_t *c = json_array_get(cases, k);
        if (number(c, "gravity") > 0) continue;
        char spin[40];
        snprintf(spin, sizeof spin, "2*pi*%.17g", number(c, "speed_hz"));
        const char *const settings[] = {"spin", spin, NULL};
        answer a;
        mechanism_make_template(&a.t, "rotor-stator", settings);
        answer_find(&a, json_string_value(json_object_get(c, "observer")));
        check_list(&a, json_object_get(c, "eigenvalues"));
        answer_release(&a);
    }
    json_decref(file);
}

/* ---- four-bar linkages ----------------------------------------------------------------------- */

static void four_bar_matches_angle_mass_stiffness_and_eigenvalue(void **state)
{
    (void)state;
    json_t *file = reference("four_bar.json");
    const json_t *cases = json_object_get(file, "cases");
    for (size_t k = 0; k < json_array_size(cases); k++) {
        const json_t *c = json_array_get(cases, k);
        for (int damped = 0; damped < 2; damped++) {
            char n[16];
            snprintf(n, sizeof n, "%d", (int)number(c, "N"));
            const char *const settings[] = {"N", n, "c", damped ? "1" : "0", NULL};
            answer a;
            answer_of_template(&a, "four-bar", settings, "linearize: {states: [crank_0.rz]}\n");
            const double *A = a.point->bodies[0].orientation;
            assert_string_equal(a.point->bodies[0].name, "crank_0");
            check_near(atan2(A[3], A[0]), number(c, "phi"), "phi");
            compare_four_bar(&a, c, atan2(A[3], A[0]), damped);
            assert_int_equal(a.linear->n_position, 1);
            assert_int_equal(a.point->n_redundant, 3 * (int)number(c, "N"));
            check_near(a.linear->mass[0], number(c, "mass"), "mass");
            check_near(a.linear->stiffness[0], number(c, "stiffness"), "stiffness");
            if (damped)
                check_one(&a, number(c, "damped_real"), number(c, "damped_imaginary"));
            else
                check_one(&a, 0, number(c, "undamped_imaginary"));
            answer_release(&a);
        }
    }
    json_decref(file);
}

static void spatial_four_bar_has_the_geometric_stiffness_of_its_joints(void **state)
{
    (void)state;
    json_t *file = reference("trom.json");
    const json_t *cases = json_object_get(file, "spatial_four_bar");
    assert_int_equal(json_array_size(cases), 3);
    for (size_t k = 0; k < 3; k++) {
        const json_t *c = json_array_get(cases, k);
        char a_text[40], b_text[40];
        snprintf(a_text, sizeof a_text, "%.17g", number(c, "a"));
        snprintf(b_text, sizeof b_text, "%.17g", number(c, "b"));
        const char *const settings[] = {"a", a_text, "b", b_text, NULL};
        answer a;
        answer_of_template(&a, "spatial-four-bar", settings, "linearize: {states: [crank_1.rx]}\n");
        assert_int_equal(a.linear->n_position, 1);
        check_near(a.linear->mass[0], number(c, "mass"), "mass");
        check_near(a.linear->stiffness[0],
                   number(c, "stiffness_of_weight") + number(c, "stiffness_of_joints"),
                   "stiffness");
        check_one(&a, 0, sqrt(number(c, "omega_squared")));
        if (k == 0) {
            check_printed("7.848", a.linear->stiffness[0] / a.linear->mass[0]);
            record_value(trom, "(4.20)", "omega^2", "7.848", number(c, "omega_squared"),
                         a.linear->stiffness[0] / a.linear->mass[0]);
        }
        answer_release(&a);
    }
    json_decref(file);
}

/* ---- pendulums ------------------------------------------------------------------------------- */

/* Tables 3.5 and 3.7; the real parts of 3.7 are printed without their minus. */
static void compare_slider_pendulum(const answer *a, const json_t *c, bool damped)
{
    static const char *const squares[] = {"0.63569205", "9.49661564"};
    static const char *const undamped[] = {"0.797303", "3.081658"};
    static const char *const re[] = {"0.312177", "0.226284"};
    static const char *const im[] = {"0.747815", "3.023550"};
    const json_t *list = json_object_get(c, damped ? "damped" : "undamped");
    double s[32][2];
    assert_int_equal(oscillations(a, s), 2);
    for (size_t k = 0; k < 2; k++) {
        double x[2];
        char quantity[40];
        for (size_t i = 0; i < 2; i++)
            x[i] = json_number_value(json_array_get(json_array_get(list, k), i));
        snprintf(quantity, sizeof quantity, "c = %d: Im s%d", damped ? 20 : 0, (int)k + 1);
        check_printed(damped ? im[k] : undamped[k], s[k][1]);
        record_value(trom, "Table 3.7", quantity, damped ? im[k] : undamped[k], x[1], s[k][1]);
        if (damped) {
            snprintf(quantity, sizeof quantity, "c = 20: Re s%d", (int)k + 1);
            check_printed(re[k], -s[k][0]);
            record_value(trom, "Table 3.7", quantity, re[k], x[0], s[k][0]);
        } else {
            snprintf(quantity, sizeof quantity, "omega_%d^2", (int)k + 1);
            check_printed(squares[k], s[k][1] * s[k][1]);
            record_value(trom, "Table 3.5", quantity, squares[k], x[1] * x[1], s[k][1] * s[k][1]);
        }
    }
}

static void slider_pendulum_matches_matrices_and_eigenvalues(void **state)
{
    static const char *const names[] = {"slider.y", "pendulum.rx"};
    (void)state;
    json_t *file = reference("trom.json");
    const json_t *c = json_object_get(file, "slider_pendulum");
    for (int damped = 0; damped < 2; damped++) {
        const char *const settings[] = {"c", damped ? "20" : "0", NULL};
        answer a;
        answer_of_template(&a, "slider-pendulum", settings, "");
        check_states(&a, names, 2);
        check_matrix(json_object_get(c, "mass"), a.linear->mass, 2, "mass");
        check_matrix(json_object_get(c, "stiffness"), a.linear->stiffness, 2, "stiffness");
        check_near(a.linear->damping[0], damped ? 20 : 0, "damping");
        for (int k = 1; k < 4; k++) check_near(a.linear->damping[k], 0, "damping");
        check_list(&a, json_object_get(c, damped ? "damped" : "undamped"));
        compare_slider_pendulum(&a, c, damped);
        answer_release(&a);
    }
    json_decref(file);
}

/* rate sqrt(1 + 3 cos^2 theta), and a double zero */
static void rotating_pendulum_matches_the_closed_form(void **state)
{
    static const char *const angles[] = {"10 deg", "30 deg", "65 deg"};
    static const double degrees[] = {10, 30, 65};
    (void)state;
    json_t *file = reference("trom.json");
    const json_t *c = json_object_get(file, "rotating_pendulum");
    for (int k = 0; k < 3; k++) {
        const char *const parameters[] = {"theta", angles[k], NULL};
        const double cosine = cos(degrees[k] * 3.14159265358979323846 / 180);
        const double rate = sqrt(9.81 / (0.5 * cosine)),
                     omega = rate * sqrt(1 + 3 * cosine * cosine);
        routh_error error;
        routh_text text;
        answer a;
        if (routh_template_write("rotating-pendulum", NULL, 0, &text, &error))
            fail_msg("%s", error.message);
        mechanism_make_with(&a.t, text.bytes, parameters);
        answer_find(&a, NULL);
        routh_text_free(&text);
        check_one(&a, 0, omega);
        assert_int_equal(a.modes->n_zero, 2);
        if (k == 1) {
            check_near(rate, number(c, "rate"), "rate");
            check_one(&a, 0, number(c, "omega"));
            double s[32][2];
            assert_int_equal(oscillations(&a, s), 1);
            check_printed("4.75975", rate);
            check_printed("8.58076", s[0][1]);
            record_value(trom, "Table 5.1", "rate", "4.75975", number(c, "rate"), rate);
            record_value(trom, "Table 5.1", "omega", "8.58076", number(c, "omega"), s[0][1]);
        }
        answer_release(&a);
    }
    json_decref(file);
}

/* A pendulum that trails behind an accelerating slider: u' is not zero, and M depends on q. */
static void driven_slider_has_the_stiffness_of_its_acceleration(void **state)
{
    (void)state;
    json_t *file = reference("trom.json");
    const json_t *c = json_object_get(file, "driven_slider");
    growing_text text = {0};
    const double angle = number(c, "angle");
    answer a;
    text_add(&text,
             "gravity: [0, 0, -9.81]\n"
             "bodies:\n"
             "  slider: {mass: 10, inertia: [1, 1, 1]}\n"
             "  pendulum: {mass: 20, inertia: [15, 15, 1], position: [0, %.17g, %.17g],\n"
             "    orientation: {axis: [1, 0, 0], angle: %.17g}}\n"
             "joints:\n"
             "  guide: {type: translational, between: [slider, ground], at: [0, 0, 0], axis: y}\n"
             "  hinge: {type: revolute, between: [pendulum, slider], at: [0, 0, 0], axis: x}\n"
             "loads: {push: {type: force, on: slider, components: [0, %.17g, 0]}}\n"
             "linearize: {states: [slider.y, pendulum.rx]}\n",
             sin(angle), -cos(angle), angle, 30 * number(c, "acceleration"));
    answer_of_text(&a, text.bytes, NULL);
    check_near(a.point->state->udot[1], number(c, "acceleration"), "acceleration");
    check_matrix(json_object_get(c, "mass"), a.linear->mass, 2, "mass");
    check_near(a.linear->stiffness[3], number(c, "stiffness"), "stiffness");
    check_one(&a, 0, sqrt(number(c, "omega_squared")));
    answer_release(&a);
    free(text.bytes);
    json_decref(file);
}

/* A body hinged about x to a massless shaft that turns about z: a universal joint, seen from the
 * body itself. */
static void pendulum_on_a_turning_shaft_matches(void **state)
{
    (void)state;
    json_t *file = reference("trom.json");
    const json_t *c = json_object_get(file, "turning_shaft");
    growing_text text = {0};
    const double rate = number(c, "rate"), angle = 3.14159265358979323846 / 6;
    answer a;
    text_add(&text,
             "gravity: [0, 0, -9.81]\n"
             "bodies:\n"
             "  body: {mass: 10, inertia: [0.9, 0.7, 0.2], position: [0, %.17g, %.17g], velocity: "
             "[%.17g, 0, 0],\n"
             "    orientation: {axis: [1, 0, 0], angle: %.17g}, angular_velocity: [0, 0, %.17g]}\n"
             "markers:\n"
             "  hinge: {body: body, position: [0, 0, 0.5]}\n"
             "  shaft: {body: ground, orientation: {matrix: [[1, 0, 0], [0, 0, -1], [0, 1, 0]]}}\n"
             "joints: {cross: {type: universal, between: [hinge, shaft]}}\n"
             "linearize: {reference: body, states: [body.rx, body.rz]}\n",
             0.5 * sin(angle), -0.5 * cos(angle), -rate * 0.5 * sin(angle), angle, rate);
    answer_of_text(&a, text.bytes, NULL);
    assert_true(largest_of(a.linear->affine, 4) < 1e-12);
    check_one(&a, 0, number(c, "omega"));
    assert_int_equal(a.modes->n_zero, 2);
    answer_release(&a);
    free(text.bytes);
    json_decref(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotor_stator_matches_eigenvalues_and_symbolic_matrices),
        cmocka_unit_test(rotor_stator_template_matches_eigenvalues),
        cmocka_unit_test(four_bar_matches_angle_mass_stiffness_and_eigenvalue),
        cmocka_unit_test(spatial_four_bar_has_the_geometric_stiffness_of_its_joints),
        cmocka_unit_test(slider_pendulum_matches_matrices_and_eigenvalues),
        cmocka_unit_test(rotating_pendulum_matches_the_closed_form),
        cmocka_unit_test(driven_slider_has_the_stiffness_of_its_acceleration),
        cmocka_unit_test(pendulum_on_a_turning_shaft_matches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
