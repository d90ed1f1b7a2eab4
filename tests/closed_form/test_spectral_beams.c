/* Beams of elements of higher order against closed forms and power series: orders of convergence,
 * rotating beams, circles, elastica, buckling; and no load in the reference configuration. */
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

#include "base/lobatto.h"
#include "routh/routh.h"
#include "support/class_answers.h"
#include "support/effort.h"

static const double PI = 3.14159265358979323846;

enum { ROOM = 4000, MOST = 1500 };

/* ---- models ---------------------------------------------------------------------------------- */

/* Outputs, imaginary parts above zero and largest real part of the modes. */
typedef struct answer {
    double out[8], residual, growth, omega[MOST];
    int n_omega;
} answer;

static void check(routh_status status, const routh_error *error)
{
    if (status) fail_msg("%s: %s", error->element, error->message);
}

static void find_modes(const routh_mechanism *mechanism, const routh_operating_point *point,
                       answer *a)
{
    routh_linear *linear = NULL;
    routh_modes *found = NULL;
    routh_error error = {0};
    routh_linear_options options = routh_linear_defaults();
    options.extended = 1;
    check(routh_linear_compute(&linear, mechanism, point, &options, &error), &error);
    check(routh_modes_compute(&found, linear, &error), &error);
    a->residual = linear->residual;
    for (int k = 0; k < found->n; k++) {
        const double *s = found->modes[k].eigenvalue;
        a->growth = fmax(a->growth, s[0]);
        if (s[1] > 0 && a->n_omega < MOST) a->omega[a->n_omega++] = s[1];
    }
    routh_modes_free(found);
    routh_linear_free(linear);
}

static answer solve(const char *yaml, bool modes)
{
    answer a = {.growth = -1};
    routh_model *model = NULL;
    routh_mechanism *mechanism = NULL;
    routh_operating_point *point = NULL;
    routh_error error = {0};
    routh_operating_point_options options = routh_operating_point_defaults();
    options.accept_unstable = 1;
    check(routh_model_parse(&model, yaml, strlen(yaml), "beams", NULL, 0, &error), &error);
    check(routh_mechanism_compile(&mechanism, model, NULL, &error), &error);
    check(routh_operating_point_find(&point, mechanism, &options, &error), &error);
    for (int k = 0, n = 0; k < point->n_signals && n < 8; k++)
        if (point->signals[k].kind == ROUTH_SIGNAL_OUTPUT) a.out[n++] = point->signals[k].value;
    if (modes) find_modes(mechanism, point, &a);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    routh_model_free(model);
    return a;
}

/* The relative error of the angular frequency nearest to the one expected. */
static double error_of(const answer *a, double expected)
{
    double best = INFINITY;
    for (int k = 0; k < a->n_omega; k++)
        if (fabs(a->omega[k] - expected) < fabs(best - expected)) best = a->omega[k];
    return best / expected - 1;
}

/* ---- frequencies ----------------------------------------------------------------------------- */

static const char at_rest[] =
    "beams:\n"
    "  b: {type: sections, from: [0, 0, 0], to: [1, 0, 0], elements: %d, order: %d,\n"
    "      mass_per_length: 1, inertia_y: 1e-4, inertia_z: 1e-4, EA: 1e4, GAy: 3e3, GAz: 3e3,\n"
    "      GJ: 1, EIy: 1, EIz: 4}\n"
    "joints: {c: {type: fixed, between: [b.first, ground]}}\n";

/* First bending (rotating_timoshenko.py), second torsion and stretch: of order 2 p, from 2 to 4
 * elements. */
static void frequencies_converge_with_the_power_2p(void **state)
{
    (void)state;
    const double exact[3] = {3.512480877119, 1.5 * PI * sqrt(1 / 2e-4), 1.5 * PI * 100};
    static const double most[6] = {0, 0, 8e-4, 5e-6, 2e-8, 1e-10};
    for (int p = 2; p <= (full_effort() ? 5 : 4); p++) {
        double error[2][3];
        for (int k = 0; k < 2; k++) {
            char yaml[ROOM];
            snprintf(yaml, sizeof yaml, at_rest, 2 << k, p);
            const answer a = solve(yaml, true);
            for (int i = 0; i < 3; i++) error[k][i] = error_of(&a, exact[i]);
        }
        for (int i = 0; i < 3; i++) {
            const double order = log2(fabs(error[0][i] / error[1][i]));
            print_message("order %d, %d: error %.2e, order %.2f\n", p, i, error[1][i], order);
            /* below 1e-12 the twelve digits of the reference count */
            assert_true(order > 2 * p - 0.3 || fabs(error[1][i]) < 2e-13);
            assert_true(fabs(error[1][i]) < most[p]);
        }
    }
}

/* The same beam as a curve through points that are not those of Lobatto: x = t + t (1 - t)/4. */
static void uneven_points_have_the_mass_between_them(void **state)
{
    (void)state;
    char yaml[ROOM];
    int at = snprintf(yaml, sizeof yaml, "beams:\n  b:\n    points:\n");
    for (int i = 0; i <= 12; i++) {
        const double t = (i / 6 + (1 + rt_lobatto_points(6)[i % 6]) / 2) / 2;
        at += snprintf(yaml + at, sizeof yaml - (size_t)at, "      - [%.17g, 0, 0]\n",
                       t + t * (1 - t) / 4);
    }
    snprintf(yaml + at, sizeof yaml - (size_t)at,
             "    type: sections\n    curved: true\n    elements: 2\n    order: 6\n"
             "    mass_per_length: 1\n    inertia_y: 1e-4\n    inertia_z: 1e-4\n    EA: 1e4\n"
             "    GAy: 3e3\n    GAz: 3e3\n    GJ: 1\n    EIy: 1\n    EIz: 4\n"
             "joints: {c: {type: fixed, between: [b.first, ground], at: [0, 0, 0]}}\n");
    const answer a = solve(yaml, true);
    const double exact[3] = {3.512480877119, 1.5 * PI * sqrt(1 / 2e-4), 1.5 * PI * 100};
    for (int i = 0; i < 3; i++) {
        print_message("uneven, %d: error %.1e\n", i, error_of(&a, exact[i]));
        assert_true(fabs(error_of(&a, exact[i])) < 1e-6);
    }
}

/* ---- rotation -------------------------------------------------------------------------------- */

static const char spinning[] =
    "parameters: {W: %g, h: %g}\n"
    "beams:\n"
    "  b: {type: sections, from: [h, 0, 0], to: [h + 1, 0, 0], elements: %d, order: %d,\n"
    "      mass_per_length: 1, inertia_y: 1e-4, inertia_z: 1e-4, EA: 1e4, GAy: 3e3, GAz: 3e3,\n"
    "      GJ: 1, EIy: 1, EIz: 4, angular_velocity: [0, 0, W]}\n"
    "bodies: {hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, W]}}\n"
    "markers: {g: {body: ground}}\n"
    "joints:\n"
    "  bearing: {type: revolute, between: [hub, g]}\n"
    "  drive: {type: motion, joint: bearing, function: W*time}\n"
    "  root: {%s, between: [b.first, hub], at: [h, 0, 0]}\n"
    "%s";

/* Flapping and lagging with the root clamped, and with a hinge for each, by power series
 * (rotating_timoshenko.py). */
static const struct {
    double speed, radius;
    bool hinged;
    double flap[3], lag[3];
} rotating[] = {
    {0,
     0,
     false,
     {3.512480877119, 21.88143578205, 60.69267801908},
     {7.00872459133, 43.07938003792, 117.1036600058}},
    {0,
     0,
     true,
     {15.36793584879, 49.44025384325, 102.0034533143},
     {30.56189769124, 96.87743725027, 157.0796326795}},
    {2,
     1,
     false,
     {4.828510134158, 23.20793011099, 62.05165599149},
     {7.487664121026, 43.706968025, 117.7629230754}},
    {2,
     1,
     true,
     {3.157539426561, 17.26362512608, 51.17351404446},
     {2.446460936556, 31.49065047538, 97.73277085478}},
    {6,
     0,
     false,
     {7.35061339245, 26.63692588068, 65.63592805222},
     {7.426443249315, 45.21365621696, 119.4600403015}},
    {6,
     0,
     true,
     {5.998200974429, 21.53113372923, 55.45334190568},
     {33.53622943429, 99.83069734895, 157.4232772153}},
    {10,
     3,
     false,
     {23.69443715523, 59.28545060736, 109.5730846181},
     {22.360317255, 69.23101493192, 147.8990066776}},
    {10,
     3,
     true,
     {22.99473077742, 57.17676233415, 104.7260640666},
     {20.59340851608, 63.08833546515, 134.6978862819}},
};

static void check_rotating(size_t s, int n, int order)
{
    static const char *const roots[3] = {"type: fixed", "type: revolute, axis: y",
                                         "type: revolute, axis: z"};
    const double *const exact[3] = {rotating[s].flap, rotating[s].flap, rotating[s].lag};
    for (int root = rotating[s].hinged ? 1 : 0; root < (rotating[s].hinged ? 3 : 1); root++) {
        char yaml[ROOM];
        snprintf(yaml, sizeof yaml, spinning, rotating[s].speed, rotating[s].radius, n, order,
                 roots[root],
                 rotating[s].speed > 0 ? "operating_point: {type: steady}\nsteady: {axis: z}\n"
                                       : "");
        const answer a = solve(yaml, true);
        double worst = 0;
        for (int i = 0; i < 3; i++) {
            worst = fmax(worst, fabs(error_of(&a, exact[root][i])));
            if (root == 0) worst = fmax(worst, fabs(error_of(&a, rotating[s].lag[i])));
        }
        print_message("W = %g, h = %g, %s: worst error %.1e\n", rotating[s].speed,
                      rotating[s].radius, roots[root], worst);
        if (!(worst < 1e-8)) fail_msg("error %g", worst);
    }
}

/* To 1e-8 with three elements of order 8, and with six of order 6. */
static void a_rotating_beam_is_known_to_1e_8(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof rotating / sizeof *rotating; s++)
        if (full_effort() || s == 6) check_rotating(s, 3, 8);
    if (full_effort()) check_rotating(6, 6, 6);
}

/* ---- large deflection ------------------------------------------------------------------------ */

static const char bent[] =
    "beams:\n"
    "  b: {type: sections, from: [0, 0, 0], to: [1, 0, 0], elements: %d, order: %d,\n"
    "      mass_per_length: 1, inertia_y: 1e-3, inertia_z: 1e-3, EA: %s, GAy: %s, GAz: %s,\n"
    "      GJ: 10, EIy: 10, EIz: 1}\n"
    "markers: {g: {body: ground}}\n"
    "joints: {c: {type: fixed, between: [b.first, g]}}\n"
    "loads: {l: %s}\n"
    "outputs: {x: DX(b.last), y: DY(b.last), z: DZ(b.last)}\n"
    "operating_point: {type: static}\n";

static answer bend(int n, int order, const char *stiff, const char *load)
{
    char yaml[ROOM];
    snprintf(yaml, sizeof yaml, bent, n, order, stiff, stiff, stiff, load);
    return solve(yaml, false);
}

/* Bent by M = 2 pi E I/L the tip is back at the root, by half of it across a diameter of 2/pi. */
static void a_moment_bends_to_a_full_circle(void **state)
{
    (void)state;
    static const struct {
        int n, order;
        double most;
    } with[] = {{4, 4, 1e-7}, {4, 6, 1e-12}, {3, 8, 1e-13}};
    for (int k = 0; k < 3; k++) {
        answer a = bend(with[k].n, with[k].order, "1e4",
                        "{type: torque, on: b.last, components: [0, 0, 2*pi]}");
        print_message("%d of order %d: gap %.1e\n", with[k].n, with[k].order,
                      hypot(a.out[0], a.out[1]));
        for (int i = 0; i < 3; i++) assert_true(fabs(a.out[i]) < with[k].most);
        a = bend(with[k].n, with[k].order, "1e4",
                 "{type: torque, on: b.last, components: [0, 0, pi]}");
        assert_true(fabs(a.out[1] - 2 / PI) < with[k].most);
    }
}

/* The elastica under a tip force across (Bisshopp and Drucker 1945), 1.2 rad at the tip, by
 * elliptic integrals: k^2 = (1 + sin p0)/2, sin f = 1/(k sqrt 2),
 *     sqrt P = K - F(f),  across = 1 - 2 (E - E(f))/sqrt P,  along = 2 k cos f/sqrt P
 * The limit of stiff shear: what is left falls with 1/GA, and along there is none. */
static void a_tip_force_bends_to_the_elastica(void **state)
{
    (void)state;
    static const double across = 0.706763686497194, along = 0.6223899807981915;
    static const char load[] = "{type: force, on: b.last, components: [0, 4.81214755203251, 0]}";
    const answer soft = bend(4, 6, "1e6", load), stiff = bend(4, 6, "1e8", load);
    const double limit = stiff.out[1] - (soft.out[1] - stiff.out[1]) / 99;
    print_message("elastica: %.1e across, %.1e along\n", limit / across - 1,
                  stiff.out[0] / along - 1);
    assert_true(fabs(limit / across - 1) < 1e-10);
    assert_true(fabs(stiff.out[0] / along - 1) < 1e-11);
}

/* The eighth of a circle of Bathe and Bolourchi (1979), its axis curved in every element, with a
 * force out of its plane; where the tip comes to is from the differential equations
 * (bent_arc.py). */
static answer arc_of(int n, int order)
{
    char yaml[ROOM];
    int at = snprintf(yaml, sizeof yaml,
                      "beams:\n  b:\n    type: material\n    elements: %d\n    order: %d\n"
                      "    curved: true\n    side: [0, 0, 1]\n    density: 1\n"
                      "    youngs_modulus: 1e7\n    shear_modulus: 0.5e7\n    area: 1\n"
                      "    iyy: 1/12\n    izz: 1/12\n    torsion_constant: 1/6\n"
                      "    shear_factor_y: 1\n    shear_factor_z: 1\n    points:\n",
                      n, order);
    const double *point = rt_lobatto_points(order);
    for (int i = 0; i <= n * order; i++) {
        const double p = PI / 4 * (i / order + (1 + point[i % order]) / 2) / n;
        at += snprintf(yaml + at, sizeof yaml - (size_t)at, "    - [%.17g, %.17g, 0]\n",
                       100 * sin(p), 100 * (1 - cos(p)));
    }
    snprintf(yaml + at, sizeof yaml - (size_t)at,
             "joints: {c: {type: fixed, between: [b.first, ground], at: [0, 0, 0]}}\n"
             "loads: {l: {type: force, on: b.last, components: [0, 0, 600]}}\n"
             "outputs: {x: DX(b.last), y: DY(b.last), z: DZ(b.last)}\n"
             "operating_point: {type: static}\n");
    return solve(yaml, false);
}

static void an_arc_bends_out_of_its_plane(void **state)
{
    (void)state;
    static const double exact[3] = {47.150438574, 15.684800534, 53.474858792};
    static const struct {
        int n, order;
        double most;
    } with[] = {{2, 4, 5e-6}, {4, 4, 3e-8}, {2, 6, 5e-9}, {4, 6, 2e-11}, {1, 8, 1e-8}};
    for (size_t k = 0; k < sizeof with / sizeof *with; k++) {
        const answer a = arc_of(with[k].n, with[k].order);
        double worst = 0;
        for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(a.out[i] / exact[i] - 1));
        print_message("arc, %d of order %d: error %.1e\n", with[k].n, with[k].order, worst);
        assert_true(worst < with[k].most);
    }
}

/* ---- buckling -------------------------------------------------------------------------------- */

/* Euler's column, free at the tip: stable just below pi^2 E I/4 L^2 less shear and stretch, P (1 +
 * P/GA - P/EA) = P_E, unstable just above. */
static void a_column_buckles_at_eulers_load(void **state)
{
    (void)state;
    for (int above = 0; above < 2; above++) {
        char load[200], yaml[ROOM];
        const double P = PI * PI / 4 * (above ? 1 + 1e-5 : 1 - 1e-5);
        snprintf(load, sizeof load, "{type: force, on: b.last, components: [%.17g, 0, 0]}", -P);
        snprintf(yaml, sizeof yaml, bent, 2, 6, "1e7", "1e7", "1e7", load);
        const answer a = solve(yaml, true);
        if ((a.growth > 1e-4) != above) fail_msg("P = %.9g: growth %g", P, a.growth);
    }
}

/* A blade on edge with a force across at its tip buckles sideways at 4.012599 sqrt(E I G J)/L^2
 * (Timoshenko and Gere 1961, sec. 6.3), where the blade does not bend in its plane. */
static void a_narrow_blade_buckles_sideways(void **state)
{
    (void)state;
    static const char form[] =
        "beams:\n"
        "  b: {type: sections, from: [0, 0, 0], to: [1, 0, 0], elements: 2, order: 6,\n"
        "      mass_per_length: 1, inertia_y: 1e-3, inertia_z: 1e-3, EA: 1e7, GAy: 1e7, GAz: 1e7,\n"
        "      GJ: 1, EIy: 1e6, EIz: 1}\n"
        "markers: {g: {body: ground}}\n"
        "joints: {c: {type: fixed, between: [b.first, g]}}\n"
        "loads: {l: {type: force, on: b.last, components: [0, 0, %.17g]}}\n"
        "operating_point: {type: static}\n";
    for (int above = 0; above < 2; above++) {
        char yaml[ROOM];
        snprintf(yaml, sizeof yaml, form, 4.012599 * (above ? 1 + 2e-5 : 1 - 2e-5));
        const answer a = solve(yaml, true);
        if ((a.growth > 1e-4) != above) fail_msg("%d: growth %g", above, a.growth);
    }
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Two corners, twisted and tapered, offsets: as written it is free of load and stays. */
static const char cornered[] =
    "gravity: [0, 0, 0]\n"
    "beams:\n"
    "  b: {type: sections, points: [[0, 0, 0], [1, 0.2, 0], [1.3, 1, 0.4], [1, 1.5, 1.5]],\n"
    "      elements: %d, order: %d, side: [0.3, 0.2, 1], stations: [0, 4],\n"
    "      mass_per_length: [1, 0.6], inertia_y: 1e-3, inertia_z: [2e-3, 1e-3], EA: [900, 500],\n"
    "      GAy: 300, GAz: 250, GJ: [2, 1], EIy: [3, 1.5], EIz: 5, twist: [0.3, -1.1],\n"
    "      mass_y: 0.02, mass_z: -0.01, tension_y: 0.03, shear_z: 0.01, damping_ratio: 1e-3}\n"
    "joints: {c: {type: fixed, between: [b.first, ground], at: [0, 0, 0]}}\n"
    "outputs: {x: DX(b.last), y: DY(b.last), z: DZ(b.last)}\n"
    "%s";

static void a_beam_as_written_is_free_of_load(void **state)
{
    (void)state;
    for (int p = 2; p <= 8; p += 2) {
        char yaml[ROOM];
        snprintf(yaml, sizeof yaml, cornered, 1, p, "operating_point: {type: static}\n");
        const answer a = solve(yaml, false);
        assert_true(fabs(a.out[0] - 1) + fabs(a.out[1] - 1.5) + fabs(a.out[2] - 1.5) < 1e-12);
    }
}

/* The beam with corners, of order 1 and many elements, and of order 5. */
static void a_cornered_beam_is_that_of_many_simple_elements(void **state)
{
    (void)state;
    char yaml[ROOM];
    snprintf(yaml, sizeof yaml, cornered, 1, 5, "");
    const answer high = solve(yaml, true);
    snprintf(yaml, sizeof yaml, cornered, 8, 1, "");
    const answer low = solve(yaml, true);
    double first = INFINITY;
    for (int k = 0; k < high.n_omega; k++) first = fmin(first, high.omega[k]);
    for (int k = 0; k < high.n_omega; k++)
        if (high.omega[k] < 12 * first) assert_true(fabs(error_of(&low, high.omega[k])) < 3e-4);
}

static void all_coordinates_and_methods_agree(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, 0, -9.81]\n"
        "parameters: {EI: 20, m: 1.5, t: 0.4, ratio: 0.01, w: 3}\n"
        "beams:\n"
        "  b: {type: sections, from: [0.3, 0, 0], to: [1.2, 0.1, 0.2], elements: 1, order: 2,\n"
        "      stations: [0, 1], mass_per_length: [m, 1], inertia_y: 0.02, inertia_z: 0.03,\n"
        "      EA: 400, GAy: 150, GAz: 100, GJ: 8, EIy: EI, EIz: [30, 20], twist: [t, 0],\n"
        "      mass_y: 0.02, shear_z: 0.01, damping_ratio: ratio, angular_velocity: [0, 0, w]}\n"
        "joints: {c: {type: revolute, between: [b.first, ground], at: [0.3, 0, 0], axis: z}}\n";
    assert_cells_agree(text, true, 4, NULL, NULL);
    assert_derivatives_agree(text, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequencies_converge_with_the_power_2p),
        cmocka_unit_test(uneven_points_have_the_mass_between_them),
        cmocka_unit_test(a_rotating_beam_is_known_to_1e_8),
        cmocka_unit_test(a_moment_bends_to_a_full_circle),
        cmocka_unit_test(a_tip_force_bends_to_the_elastica),
        cmocka_unit_test(an_arc_bends_out_of_its_plane),
        cmocka_unit_test(a_column_buckles_at_eulers_load),
        cmocka_unit_test(a_narrow_blade_buckles_sideways),
        cmocka_unit_test(a_beam_as_written_is_free_of_load),
        cmocka_unit_test(a_cornered_beam_is_that_of_many_simple_elements),
        cmocka_unit_test(all_coordinates_and_methods_agree),
    };
    return cmocka_run_group_tests_name("closed_form.spectral_beams", tests, NULL, NULL);
}
