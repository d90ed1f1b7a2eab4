/* Beams between nodes against closed forms: frequencies, arcs, elasticas, buckling, rotation. The
 * order is that of the error against the length of elements. */
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

static const double PI = 3.14159265358979323846;

enum { ROOM = 4000, MOST = 400 };

/* ---- models ---------------------------------------------------------------------------------- */

/* What is found of one: outputs, and imaginary parts above zero and largest real part of the
 * modes. */
typedef struct answer {
    double out[8];
    double omega[MOST];
    int n_omega;
    double growth;
} answer;

static void check(routh_status status, const routh_error *error)
{
    if (status) fail_msg("%s: %s", error->element, error->message);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* modes: whether they are wanted; static equilibria may be unstable. */
static answer solve(const char *yaml, const char *coordinates, bool modes)
{
    answer a = {.growth = -1};
    routh_model *model = NULL;
    routh_mechanism *mechanism = NULL;
    routh_operating_point *point = NULL;
    routh_linear *linear = NULL;
    routh_modes *found = NULL;
    routh_error error = {0};
    routh_operating_point_options options = routh_operating_point_defaults();
    options.accept_unstable = 1;
    check(routh_model_parse(&model, yaml, strlen(yaml), "rods", NULL, 0, &error), &error);
    check(routh_mechanism_compile(&mechanism, model, coordinates, &error), &error);
    check(routh_operating_point_find(&point, mechanism, &options, &error), &error);
    for (int k = 0, n = 0; k < point->n_signals && n < 8; k++)
        if (point->signals[k].kind == ROUTH_SIGNAL_OUTPUT) a.out[n++] = point->signals[k].value;
    if (modes) {
        check(routh_linear_compute(&linear, mechanism, point, NULL, &error), &error);
        check(routh_modes_compute(&found, linear, &error), &error);
        for (int k = 0; k < found->n; k++) {
            const double *s = found->modes[k].eigenvalue;
            a.growth = fmax(a.growth, s[0]);
            if (s[1] > 0 && a.n_omega < MOST) a.omega[a.n_omega++] = s[1];
        }
        qsort(a.omega, (size_t)a.n_omega, sizeof *a.omega, ascending);
    }
    routh_modes_free(found);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    routh_model_free(model);
    return a;
}

/* The angular frequency nearest to the one expected. */
static double nearest(const answer *a, double expected)
{
    double best = INFINITY;
    for (int k = 0; k < a->n_omega; k++)
        if (fabs(a->omega[k] - expected) < fabs(best - expected)) best = a->omega[k];
    return best;
}

/* Halving elements must divide the error by 2^order at least, up to a tenth. */
static void falls_with(const char *what, double coarse, double fine, double order, double most)
{
    const double found = log2(fabs(coarse / fine));
    print_message("%s: error %.2e, order %.2f\n", what, fine, found);
    if (!(found > order - 0.1) || !(fabs(fine) < most))
        fail_msg("%s: errors %g and %g: order %g, and %g is allowed", what, coarse, fine, found,
                 most);
}

/* Zero of f between a and b, by halving. */
static double zero_of(double (*f)(double), double a, double b)
{
    const double left = f(a);
    for (int k = 0; k < 100; k++) {
        const double c = (a + b) / 2;
        if ((f(c) < 0) == (left < 0))
            a = c;
        else
            b = c;
    }
    return (a + b) / 2;
}

/* ---- frequencies ----------------------------------------------------------------------------- */

static double clamped_free(double x) { return cos(x) + 1 / cosh(x); }
static double free_free(double x) { return cos(x) - 1 / cosh(x); }

/* A thin beam, mass and length 1, E I_y = 1 (bending along z), E I_z = 1.5, G J and E A such that
 * torsion and stretch are of their own. */
static const char thin[] = "title: beam\n"
                           "beams:\n"
                           "  b: {type: sections, from: [0, 0, 0], to: [1, 0, 0], elements: %d,\n"
                           "      mass_per_length: 1, inertia_y: 1e-9, inertia_z: 1e-9, EA: 1e6,\n"
                           "      GJ: 1, EIy: 1, EIz: 1.5}\n"
                           "markers: {g: {body: ground}, h: {body: ground, position: [1, 0, 0]}}\n"
                           "%s";

static void check_frequencies(const char *what, const char *joints, const double expected[3],
                              double most)
{
    double error[3][3];
    char yaml[ROOM], words[100];
    for (int k = 0; k < 3; k++) {
        snprintf(yaml, sizeof yaml, thin, 4 << k, joints);
        const answer a = solve(yaml, NULL, true);
        for (int i = 0; i < 3; i++) error[k][i] = nearest(&a, expected[i]) / expected[i] - 1;
    }
    for (int i = 0; i < 3; i++) {
        snprintf(words, sizeof words, "%s, mode %d, 16 elements", what, i + 1);
        falls_with(words, error[1][i], error[2][i], 3, most);
    }
}

static void bending_frequencies_converge_with_the_third_power(void **state)
{
    (void)state;
    double expected[3];
    for (int k = 0; k < 3; k++) {
        expected[k] = pow(zero_of(clamped_free, (k + 0.2) * PI, (k + 0.9) * PI), 2);
    }
    check_frequencies("clamped", "joints: {c: {type: fixed, between: [b.first, g]}}\n", expected,
                      1e-3);
    for (int k = 0; k < 3; k++) expected[k] = pow((k + 1) * PI, 2);
    check_frequencies("pinned",
                      "joints:\n  c: {type: revolute, axis: y, between: [b.first, g]}\n"
                      "  d: {type: inline, axis: x, between: [b.last, h]}\n",
                      expected, 1e-3);
    for (int k = 0; k < 3; k++)
        expected[k] = pow(zero_of(free_free, (k + 1.1) * PI, (k + 1.9) * PI), 2);
    check_frequencies("free", "", expected, 3e-3);
}

/* Clamped, with J = 0.02, G J = 2 and E A = 100: omega = (k - 1/2) pi c, c = 10 in both. */
static void torsion_and_stretch_converge_with_the_second_power(void **state)
{
    (void)state;
    static const char form[] =
        "beams:\n"
        "  b: {type: sections, from: [0, 0, 0], to: [1, 0, 0], elements: %d, mass_per_length: 1,\n"
        "      inertia_y: 1e-2, inertia_z: 1e-2, EA: %s, GJ: %s, EIy: 1e7, EIz: 1e7}\n"
        "markers: {g: {body: ground}}\n"
        "joints: {c: {type: fixed, between: [b.first, g]}}\n";
    char yaml[ROOM];
    for (int torsion = 0; torsion < 2; torsion++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            snprintf(yaml, sizeof yaml, form, 8 << k, torsion ? "1e7" : "100",
                     torsion ? "2" : "1e6");
            const answer a = solve(yaml, NULL, true);
            error[k] = nearest(&a, 5 * PI) / (5 * PI) - 1;
        }
        falls_with(torsion ? "torsion" : "stretch", error[0], error[1], 2, 1e-2);
    }
}

/* ---- deflection under end loads -------------------------------------------------------------- */

/* Small loads on a tip, one element: P L^3/3 E I + P L/G A, and the twist of a pull beside the
 * shear centre, bending of one beside the tension centre; then the two with the beam tapered, where
 * the integrals are taken by Simpson's rule. */
static void tips_move_as_the_textbook_says_with_one_element(void **state)
{
    (void)state;
    static const char form[] =
        "beams:\n"
        "  b: {type: sections, from: [0, 0, 0], to: [2, 0, 0], elements: %d, mass_per_length: 1,\n"
        "      inertia_y: 1e-2, inertia_z: 1e-2, EA: 100, GJ: 3, GAy: 20, GAz: 30, EIy: %s,\n"
        "      EIz: 7, stations: [0, 2], shear_y: 0.1, shear_z: 0.2, tension_y: 0.3, twist: %s}\n"
        "joints: {c: {type: fixed, between: [b.first, ground], at: [0, 0, 0]}}\n"
        "loads: {f: {type: force, on: b.last, components: %s}}\n"
        "outputs: {x: DX(b.last), y: DY(b.last), z: DZ(b.last), rx: \"AX(b.last)\",\n"
        "          ry: \"AY(b.last)\", rz: \"AZ(b.last)\"}\n"
        "operating_point: {type: static}\n";
    char yaml[ROOM];
    const double P = 1e-7;
    snprintf(yaml, sizeof yaml, form, 1, "5", "0", "[0, 0, 1e-7]");
    answer a = solve(yaml, NULL, false);
    /* twist P (0 - y_s)/GJ per length turns the axis, which lies y_s beside the shear centre */
    const double twist = -P * 0.1 * 2 / 3;
    const double w = P * 8 / 15 + P * 2 / 30 - 0.1 * twist;
    assert_true(fabs(a.out[2] / w - 1) < 1e-6);
    assert_true(fabs(a.out[3] / twist - 1) < 1e-6);
    assert_true(fabs(a.out[4] / (-P * 4 / 10) - 1) < 1e-6);
    snprintf(yaml, sizeof yaml, form, 1, "5", "0", "[1e-7, 0, 0]");
    a = solve(yaml, NULL, false);
    /* the pull bends with -P y_t about z; its work: P/EA + P y_t^2/EIz */
    assert_true(fabs((a.out[0] - 2) / (2 * P * (0.01 + 0.09 / 7)) - 1) < 1e-6);
    assert_true(fabs(a.out[5] / (2 * P * 0.3 / 7) - 1) < 1e-6);
    /* tapered: P int (L - x)^2/EIy dx, EIy = 5 - 1.5 x, a quarter turn to say where y is */
    double sum = 0;
    for (int k = 0; k <= 2000; k++) {
        const double x = k / 1000.0, f = (2 - x) * (2 - x) / (5 - 1.5 * x);
        sum += f * (k == 0 || k == 2000 ? 1 : k % 2 ? 4 : 2) / 3000;
    }
    snprintf(yaml, sizeof yaml, form, 1, "[5, 2]", "pi/2", "[0, -1e-7, 0]");
    a = solve(yaml, NULL, false);
    assert_true(fabs(a.out[1] / (-P * (sum + 2 / 30.0 + 0.01 * 2 / 3)) - 1) < 1e-6);
}

/* ---- large deflection ------------------------------------------------------------------------ */

static const char bent[] =
    "beams:\n"
    "  b: {type: sections, from: [0, 0, 0], to: [1, 0, 0], elements: %d, mass_per_length: 1,\n"
    "      inertia_y: 1e-3, inertia_z: 1e-3, EA: %s, GJ: 10, EIy: 10, EIz: 1}\n"
    "markers: {g: {body: ground}}\n"
    "joints: {c: {type: fixed, between: [b.first, g]}}\n"
    "loads: {l: %s}\n"
    "outputs: {x: DX(b.last), y: DY(b.last), z: DZ(b.last)}\n"
    "operating_point: {type: static}\n";

/* Bent by M = 2 pi E I/L the tip is back at the root: the nodes are those of a regular polygon. */
static void a_moment_bends_to_a_full_circle(void **state)
{
    (void)state;
    char yaml[ROOM];
    for (int n = 8; n <= 16; n += 8) {
        snprintf(yaml, sizeof yaml, bent, n, "1e4",
                 "{type: torque, on: b.last, components: [0, 0, 2*pi]}");
        const answer a = solve(yaml, NULL, false);
        for (int k = 0; k < 3; k++) assert_true(fabs(a.out[k]) < 1e-9);
        /* half a turn: the diameter of the polygon's circle, side 1/n, n sides for a half turn */
        snprintf(yaml, sizeof yaml, bent, n, "1e4",
                 "{type: torque, on: b.last, components: [0, 0, pi]}");
        const answer half = solve(yaml, NULL, false);
        assert_true(fabs(half.out[1] - 1.0 / n / sin(PI / 2 / n)) < 1e-9);
    }
}

/* The elastica under a tip force across (Bisshopp and Drucker 1945). With the angle p of the axis,
 * p0 at the tip, 1/2 E I p'^2 = P (sin p0 - sin p); p = p0 (1 - t^2) takes the singularity away. */
typedef struct elastica {
    double force, across, along;
} elastica;

static elastica elastica_of(double p0)
{
    enum { N = 4000 };
    double length = 0, across = 0, along = 0;
    for (int k = 0; k <= N; k++) {
        const double t = (double)k / N, p = p0 * (1 - t * t);
        const double weight = (k == 0 || k == N ? 1 : k % 2 ? 4 : 2) / (3.0 * N);
        /* dp/sqrt(2 (sin p0 - sin p)) = 2 p0 t dt/sqrt(..), sin p0 - sin p = 2 cos(..) sin(p0
         * t^2/2) */
        const double root =
            sqrt(4 * cos((p0 + p) / 2) * (t > 0 ? sin(p0 * t * t / 2) / (t * t) : p0 / 2));
        const double ds = 2 * p0 / root * weight;
        length += ds, across += sin(p) * ds, along += cos(p) * ds;
    }
    return (elastica){length * length, across / length, along / length};
}

static void a_tip_force_bends_to_the_elastica(void **state)
{
    (void)state;
    char yaml[ROOM], load[200];
    double error[2][2];
    const elastica exact = elastica_of(1.2); /* 69 degrees */
    for (int k = 0; k < 2; k++) {
        snprintf(load, sizeof load, "{type: force, on: b.last, components: [0, %.17g, 0]}",
                 exact.force);
        snprintf(yaml, sizeof yaml, bent, 8 << k, "1e9", load);
        const answer a = solve(yaml, NULL, false);
        error[k][0] = a.out[1] / exact.across - 1;
        error[k][1] = a.out[0] / exact.along - 1;
    }
    falls_with("elastica, across", error[0][0], error[1][0], 2, 2e-3);
    falls_with("elastica, along", error[0][1], error[1][1], 2, 4e-3);
}

/* ---- buckling -------------------------------------------------------------------------------- */

/* Euler's column, free at the tip: stable just below pi^2 E I/4 L^2, unstable just above. */
static void a_column_buckles_at_eulers_load(void **state)
{
    (void)state;
    char yaml[ROOM], load[200];
    for (int above = 0; above < 2; above++) {
        const double P = PI * PI / 4 * (above ? 1.002 : 0.998);
        snprintf(load, sizeof load, "{type: force, on: b.last, components: [%.17g, 0, 0]}", -P);
        snprintf(yaml, sizeof yaml, bent, 24, "1e7", load);
        const answer a = solve(yaml, NULL, true);
        if ((a.growth > 0.05) != above) fail_msg("P = %g: growth %g", P, a.growth);
    }
}

/* A blade on edge with a force across at its tip buckles sideways at 4.012599 sqrt(E I G J)/L^2
 * (Timoshenko and Gere 1961, sec. 6.3), J_-1/4 = 0 at P L^2/2 sqrt(E I G J). */
static void a_narrow_blade_buckles_sideways(void **state)
{
    (void)state;
    static const char form[] =
        "beams:\n"
        "  b: {type: sections, from: [0, 0, 0], to: [1, 0, 0], elements: %d, mass_per_length: 1,\n"
        "      inertia_y: 1e-3, inertia_z: 1e-3, EA: 1e8, GJ: 1, EIy: 1e4, EIz: 1}\n"
        "markers: {g: {body: ground}}\n"
        "joints: {c: {type: fixed, between: [b.first, g]}}\n"
        "loads: {l: {type: force, on: b.last, components: [0, 0, %.17g]}}\n"
        "operating_point: {type: static}\n";
    char yaml[ROOM];
    for (int above = 0; above < 2; above++) {
        snprintf(yaml, sizeof yaml, form, 24, 4.012599 * (above ? 1.005 : 0.995));
        const answer a = solve(yaml, NULL, true);
        if ((a.growth > 0.05) != above) fail_msg("above %d: growth %g", above, a.growth);
    }
}

/* The eighth of a circle with a force out of its plane (the problem of Bathe and Bolourchi 1979):
 * R = 100, a square section of 1 by 1, E = 1e7, G = E/2, 600 at the tip. Where the tip comes to is
 * from the differential equations of the beam (bent_arc.py). */
static void an_arc_bends_out_of_its_plane(void **state)
{
    (void)state;
    double tip[3][3];
    for (int k = 0; k < 3; k++) {
        char yaml[ROOM];
        const int n = 8 << k;
        int at = snprintf(yaml, sizeof yaml,
                          "beams:\n  b:\n    type: material\n    elements: 1\n"
                          "    side: [0, 0, 1]\n    density: 1\n    youngs_modulus: 1e7\n"
                          "    shear_modulus: 0.5e7\n    area: 1\n    iyy: 1/12\n    izz: 1/12\n"
                          "    torsion_constant: 1/6\n    shear_factor_y: 1\n"
                          "    shear_factor_z: 1\n    points:\n");
        for (int i = 0; i <= n; i++) {
            const double p = PI / 4 * i / n;
            at += snprintf(yaml + at, sizeof yaml - (size_t)at, "    - [%.15g, %.15g, 0]\n",
                           100 * sin(p), 100 * (1 - cos(p)));
        }
        snprintf(yaml + at, sizeof yaml - (size_t)at,
                 "joints: {c: {type: fixed, between: [b.first, ground], at: [0, 0, 0]}}\n"
                 "loads: {l: {type: force, on: b.last, components: [0, 0, 600]}}\n"
                 "outputs: {x: DX(b.last), y: DY(b.last), z: DZ(b.last)}\n"
                 "operating_point: {type: static}\n");
        memcpy(tip[k], solve(yaml, NULL, false).out, sizeof tip[k]);
    }
    static const double exact[3] = {47.150438574, 15.684800534, 53.474858792};
    for (int i = 0; i < 3; i++) {
        const double first = tip[1][i] - tip[0][i], second = tip[2][i] - tip[1][i];
        const double limit = tip[2][i] + second / 3;
        print_message("tip %d: %.6g with 32 elements, %.6g in the limit, order %.2f\n", i,
                      tip[2][i], limit, log2(fabs(first / second)));
        assert_true(log2(fabs(first / second)) > 1.9);
        /* what is left is of higher order than what was taken out */
        assert_true(fabs(limit - exact[i]) < 0.1 * fabs(second / 3));
    }
}

/* ---- rotation -------------------------------------------------------------------------------- */

static const char spinning[] =
    "beams:\n"
    "  b: {type: sections, from: [0, 0, 0], to: [1, 0, 0], elements: %d, mass_per_length: 1,\n"
    "      inertia_y: 1e-7, inertia_z: 1e-7, EA: 1e7, GJ: 1, EIy: 1, EIz: 4,\n"
    "      angular_velocity: [0, 0, %.17g]}\n"
    "bodies: {hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, %.17g]}}\n"
    "markers: {g: {body: ground}}\n"
    "joints:\n"
    "  bearing: {type: revolute, between: [hub, g]}\n"
    "  drive: {type: motion, joint: bearing, function: \"%.17g*time\"}\n"
    "  root: {type: fixed, between: [b.first, hub]}\n"
    "operating_point: {type: steady}\n"
    "steady: {axis: z}\n";

/* Out of the plane of rotation at W, and at W/2, for the beam that is four times as stiff in the
 * plane: there omega^2 is 4 omega(W/2)^2 - W^2 (rotating_beam.py). */
static const struct {
    double speed, omega[3], half[3];
} rotating[] = {
    {1, {3.681646814, 22.181011148, 61.841762587}, {3.558176976, 22.071211756, 61.733386506}},
    {3, {4.797278532, 23.320263676, 62.984967480}, {3.878335359, 22.362822781, 62.021924591}},
    {6, {7.360373019, 26.809081680, 66.683914381}, {4.797278532, 23.320263676, 62.984967480}},
    {12, {13.170150487, 37.603112330, 79.614478489}, {7.360373019, 26.809081680, 66.683914381}},
};

static void a_rotating_beam_stiffens(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof rotating / sizeof *rotating; s++) {
        const double W = rotating[s].speed;
        double found[2][6], error[2][6];
        for (int k = 0; k < 2; k++) {
            char yaml[ROOM];
            snprintf(yaml, sizeof yaml, spinning, 8 << k, W, W, W);
            const answer a = solve(yaml, NULL, true);
            for (int i = 0; i < 6; i++) {
                const double in_plane = sqrt(4 * pow(rotating[s].half[i % 3], 2) - W * W);
                const double exact = i < 3 ? rotating[s].omega[i] : in_plane;
                found[k][i] = nearest(&a, exact);
                error[k][i] = found[k][i] / exact - 1;
            }
        }
        for (int i = 0; i < 6; i++) {
            print_message("W = %g, %d: %.9g with 16 elements, errors %.2e, %.2e\n", W, i,
                          found[1][i], error[0][i], error[1][i]);
            /* both orders are in it, and signs may cancel; the stretch of E A adds 1e-5 */
            assert_true(fabs(error[1][i]) < 1e-2);
            assert_true(fabs(error[1][i]) < fabs(error[0][i]) / 3.4 + 3e-5);
        }
        /* Southwell: not below the sum of squares at rest and of the string, not above that of the
         * shape at rest, 1.1934 times W^2 for the first */
        const double rest = 3.516015269;
        assert_true(found[1][0] > 0.999 * sqrt(rest * rest + W * W));
        assert_true(found[1][0] < 1.001 * sqrt(rest * rest + 1.1934 * W * W));
    }
}

/* ---- the flexible double pendulum ------------------------------------------------------------ */

/* Two links of 4 m, round, hanging (Gonzalez et al. 2017, sec. 4.2) as geometrically exact beams
 * without shear and rotary inertia; the limits are those of power series with 22 and 28 terms. */
static void the_flexible_double_pendulum_converges(void **state)
{
    (void)state;
    static const double limit[4] = {1.338279017057783, 3.553347549683437, 15.34239414084522,
                                    25.38715374455810};
    static const char form[] =
        "parameters: {EI: 39760.78202199582, EA: 7068583.470577035, mu: 106.0287520586555}\n"
        "gravity: [0, 0, -9.81]\n"
        "beams:\n"
        "  a: {type: sections, from: [0, 0, 0], to: [0, 0, -4], elements: %d, mass_per_length: "
        "mu,\n"
        "      inertia_y: 1e-4, inertia_z: 1e-4, EA: EA, GJ: 1e5, EIy: EI, EIz: EI}\n"
        "  b: {type: sections, from: [0, 0, -4], to: [0, 0, -8], elements: %d,\n"
        "      mass_per_length: mu, inertia_y: 1e-4, inertia_z: 1e-4, EA: EA, GJ: 1e5, EIy: EI,\n"
        "      EIz: EI}\n"
        "markers: {g: {body: ground}}\n"
        "joints:\n"
        "  o: {type: revolute, axis: y, between: [a.first, g]}\n"
        "  p: {type: revolute, axis: y, between: [b.first, a.last]}\n"
        "operating_point: {type: static}\n";
    double found[3][4];
    for (int k = 0; k < 3; k++) {
        char yaml[ROOM];
        snprintf(yaml, sizeof yaml, form, 6 << k, 6 << k);
        const answer a = solve(yaml, NULL, true);
        for (int i = 0; i < 4; i++) found[k][i] = nearest(&a, limit[i]);
    }
    for (int i = 0; i < 4; i++) {
        const double coarse = found[1][i] / limit[i] - 1, fine = found[2][i] / limit[i] - 1;
        print_message("s%d: %.9g with 24 elements\n", i + 1, found[2][i]);
        falls_with("double pendulum", coarse, fine, 2, 5e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bending_frequencies_converge_with_the_third_power),
        cmocka_unit_test(torsion_and_stretch_converge_with_the_second_power),
        cmocka_unit_test(tips_move_as_the_textbook_says_with_one_element),
        cmocka_unit_test(a_moment_bends_to_a_full_circle),
        cmocka_unit_test(a_tip_force_bends_to_the_elastica),
        cmocka_unit_test(a_column_buckles_at_eulers_load),
        cmocka_unit_test(a_narrow_blade_buckles_sideways),
        cmocka_unit_test(an_arc_bends_out_of_its_plane),
        cmocka_unit_test(a_rotating_beam_stiffens),
        cmocka_unit_test(the_flexible_double_pendulum_converges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
