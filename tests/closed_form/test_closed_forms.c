/* Whole models, each in the file of its name beside this one, against what is known of them in
 * closed form. The numbers of the formulas are those of the files. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <routh/routh.h>

typedef double complex root;

static const double g = 9.81, pi = 3.1415926535897932384626433832795;

/* ---- solving -------------------------------------------------------------------------------- */

typedef struct solution {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
} solution;

/* name=value, or NULL for the file's own values; observer NULL for the file's own. */
static solution solve(const char *name, const char *parameter, double value, const char *observer)
{
    char path[1024], number[32];
    const char *source = getenv("ROUTH_SOURCE");
    snprintf(path, sizeof path, "%s/tests/closed_form/%s.yaml", source ? source : ".", name);
    snprintf(number, sizeof number, "%.17g", value);
    const routh_setting setting = {parameter, number};
    routh_linear_options options = routh_linear_defaults();
    options.reference = observer;
    routh_error error = {0};
    solution s = {0};
    if (routh_model_read(&s.model, path, &setting, parameter ? 1 : 0, &error) ||
        routh_mechanism_compile(&s.mechanism, s.model, NULL, &error) ||
        routh_operating_point_find(&s.point, s.mechanism, NULL, &error) ||
        routh_linear_compute(&s.linear, s.mechanism, s.point, &options, &error) ||
        routh_modes_compute(&s.modes, s.linear, &error))
        fail_msg("%s: %s: %s", name, error.element, error.message);
    if (s.linear->n_warnings || s.point->n_warnings)
        fail_msg("%s warns: %s", name,
                 s.linear->n_warnings ? s.linear->warnings[0] : s.point->warnings[0]);
    return s;
}

static void release(solution *s)
{
    routh_modes_free(s->modes);
    routh_linear_free(s->linear);
    routh_operating_point_free(s->point);
    routh_mechanism_free(s->mechanism);
    routh_model_free(s->model);
}

/* ---- comparing ------------------------------------------------------------------------------ */

/* The same eigenvalues in any order, to 1e-9 of each; zeros exactly. */
static void assert_spectrum(const char *name, const routh_modes *modes, const root *expected, int n)
{
    bool used[64] = {false};
    assert_int_equal(modes->n, n);
    for (int e = 0; e < n; e++) {
        int nearest = -1;
        double least = INFINITY;
        for (int k = 0; k < n; k++) {
            const double *s = modes->modes[k].eigenvalue;
            const double distance = cabs(s[0] + s[1] * I - expected[e]);
            if (!used[k] && distance < least) least = distance, nearest = k;
        }
        if (nearest < 0 || !(least <= 1e-9 * cabs(expected[e])))
            fail_msg("%s: no eigenvalue is %.15g %+.15gi; the nearest is %.3g away", name,
                     creal(expected[e]), cimag(expected[e]), least);
        used[nearest] = true;
    }
}

/* In steady motion or at rest, with these eigenvalues. */
static void assert_modes_of(const char *name, const char *parameter, double value,
                            const char *observer, const root *expected, int n)
{
    solution s = solve(name, parameter, value, observer);
    assert_true(s.linear->at_rest || s.linear->steady);
    assert_spectrum(name, s.modes, expected, n);
    release(&s);
}

static void assert_modes(const char *name, const root *expected, int n)
{
    assert_modes_of(name, NULL, 0, NULL, expected, n);
}

/* +-sqrt(-w2) of each square of a rate, after `zeros` zeros. */
static void assert_rates_of(const char *name, const char *parameter, double value, int zeros,
                            const double *w2, int n)
{
    root s[64] = {0};
    for (int k = 0; k < n; k++) {
        s[zeros + 2 * k] = csqrt(-w2[k]);
        s[zeros + 2 * k + 1] = -csqrt(-w2[k]);
    }
    assert_modes_of(name, parameter, value, NULL, s, zeros + 2 * n);
}

static void assert_rates(const char *name, int zeros, const double *w2, int n)
{
    assert_rates_of(name, NULL, 0, zeros, w2, n);
}

static void assert_rate(const char *name, double w2) { assert_rates(name, 0, &w2, 1); }

/* a s^2 + b s + c = 0, without cancellation */
static void quadratic(root a, root b, root c, root s[2])
{
    const root d = csqrt(b * b - 4 * a * c);
    const root q = -0.5 * (creal(conj(b) * d) >= 0 ? b + d : b - d);
    s[0] = q / a;
    s[1] = c / q;
}

/* s and its conjugate for both roots of a s^2 + b s + c, less i W for an observer who turns. */
static void whirl(root a, root b, root c, double W, root s[4])
{
    quadratic(a, b, c, s);
    s[0] -= I * W, s[1] -= I * W;
    s[2] = conj(s[0]), s[3] = conj(s[1]);
}

/* Squares of rates of M q'' + K q = 0, two coordinates, M symmetric, K any. */
static void rates_of_two(const double M[3], const double K[4], root w2[2])
{
    const double a = M[0] * M[2] - M[1] * M[1];
    const double b = -(M[0] * K[3] + M[2] * K[0] - M[1] * (K[1] + K[2]));
    quadratic(a, b, K[0] * K[3] - K[1] * K[2], w2);
}

/* ---- pendulums ------------------------------------------------------------------------------ */

/* w^2 = m g cos b d / (n'I n + m d^2): I = A I' A', n the hinge's axis, d its distance from the
 * centre of mass. A by Rodrigues' formula. */
static void an_inclined_hinge_and_products_of_inertia(void **unused)
{
    (void)unused;
    const double b = 0.4, d = 0.35, m = 3, angle = 0.7, l = sqrt(14.0);
    const double n[3] = {0, cos(b), sin(b)}, a[3] = {1 / l, 2 / l, 3 / l};
    const double J[3][3] = {{0.5, 0.03, -0.04}, {0.03, 0.6, 0.05}, {-0.04, 0.05, 0.3}};
    const double an = a[0] * n[0] + a[1] * n[1] + a[2] * n[2];
    /* n' = A'n: n turned back about a */
    double x[3], about = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        x[i] = cos(angle) * n[i] - sin(angle) * (a[j] * n[k] - a[k] * n[j]) +
               (1 - cos(angle)) * an * a[i];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) about += x[i] * J[i][j] * x[j];
    assert_rate("inclined_pendulum", m * g * cos(b) * d / (about + m * d * d));
}

/* Uniform rods, by their ends' displacements x2, x3 (Ge et al. 2005, with the sign of K put right):
 * M = [(m1+m2)/3, m2/6; m2/6, m2/3],  K = [(m2 g (2 L2 + L1) + m1 g L2)/(2 L1 L2), -m2 g/(2 L2);
 * -m2 g/(2 L2), m2 g/(2 L2)]. */
static void a_double_pendulum(void **unused)
{
    (void)unused;
    const double L1 = 1, L2 = 0.7, m1 = 2, m2 = 3;
    const double k = m2 * g / (2 * L2);
    const double M[3] = {(m1 + m2) / 3, m2 / 6, m2 / 3};
    const double K[4] = {(m2 * g * (2 * L2 + L1) + m1 * g * L2) / (2 * L1 * L2), -k, -k, k};
    root w2[2];
    rates_of_two(M, K, w2);
    assert_rates("double_pendulum", 0, (double[]){creal(w2[0]), creal(w2[1])}, 2);
}

/* It swings as a plumb line of the strings' length, and twists with w^2 = m g R^2/(I L). */
static void a_trifilar_pendulum(void **unused)
{
    (void)unused;
    const double L = 0.9, R = 0.3, m = 5, J = 0.31;
    assert_rates("trifilar_pendulum", 0, (double[]){g / L, g / L, m * g * R * R / (J * L)}, 3);
}

/* Along the rail w^2 = (g/l)(1 + m/M) beside a free motion; across it g/l. */
static void a_gantry_crane(void **unused)
{
    (void)unused;
    const double l = 6, M = 50, m = 200;
    assert_rates("gantry_crane", 2, (double[]){g / l * (1 + m / M), g / l}, 2);
}

/* w^2 = sum m g z / sum (I + m z^2) */
static void bodies_fixed_to_each_other(void **unused)
{
    (void)unused;
    double moment = 0, inertia = 0;
    for (int i = 0; i < 6; i++) {
        const double z = i + 0.5;
        moment += 1.5 * g * z;
        inertia += 0.2 + 1.5 * z * z;
    }
    assert_rate("fixed_chain", moment / inertia);
}

/* w^2 = g (3 m a/2 + M a)/(3 (I + m a^2/4) + M a^2), though 15 rows say nothing new */
static void an_overconstrained_parallelogram(void **unused)
{
    (void)unused;
    const double a = 0.8, m = 2, J = 0.15, M = 5;
    assert_rate("parallelogram",
                g * (3 * m * a / 2 + M * a) / (3 * (J + m * a * a / 4) + M * a * a));
}

/* w^2 = m g sin b d/(I + m d^2); upright it has no preferred place. Two hinges are redundant. */
static void a_door_on_three_hinges(void **unused)
{
    (void)unused;
    const double m = 30, d = 0.4, J = 2.5;
    assert_rate("door", m * g * sin(0.2) * d / (J + m * d * d));
    assert_rates_of("door", "b", 0, 2, NULL, 0);
    solution s = solve("door", NULL, 0, NULL);
    assert_int_equal(s.point->n_redundant, 10);
    release(&s);
}

/* ---- springs -------------------------------------------------------------------------------- */

/* w_j = 2 sqrt(k/m) sin(j pi/16), damped in proportion: s^2 + (c/k) w^2 s + w^2 = 0 */
static void a_chain_of_springs(void **unused)
{
    (void)unused;
    const double m = 2, k = 500, c = 1.5;
    root s[14];
    for (int j = 1; j <= 7; j++) {
        const double w = 2 * sqrt(k / m) * sin(j * pi / 16);
        quadratic(1, c / k * w * w, w * w, s + 2 * (j - 1));
    }
    assert_modes("spring_chain", s, 14);
}

/* Along: 2 k/m; across: 2 T/(L m), twice. */
static void a_tight_string(void **unused)
{
    (void)unused;
    const double k = 300, T = 40, L = 0.5, m = 0.2, across = 2 * T / (L * m);
    assert_rates("tight_string", 0, (double[]){2 * k / m, across, across}, 3);
}

/* w^2 = k (1/a + 1/b), and 22 zeros */
static void two_bodies_in_space(void **unused)
{
    (void)unused;
    assert_rates("two_in_space", 22, (double[]){100 * (1 / 2.0 + 1 / 5.0)}, 1);
}

/* Of one spring: force N, its top h below the centre of mass and x before it, its foot L below:
 * energy k (z - x p)^2/2 - N (h + h^2/L) p^2/2. */
static void a_car_that_bounces_and_pitches(void **unused)
{
    (void)unused;
    const double k[2] = {20e3, 25e3}, m = 1200, J = 1800, x[2] = {1.1, -1.5}, h = 0.2, L = 0.3;
    const double N[2] = {-x[1] * m * g / (x[0] - x[1]) / 2, x[0] * m * g / (x[0] - x[1]) / 2};
    const double M[3] = {m, 0, J};
    double K[4] = {0};
    for (int i = 0; i < 2; i++) {
        K[0] += 2 * k[i];
        K[1] -= 2 * k[i] * x[i];
        K[3] += 2 * (k[i] * x[i] * x[i] - N[i] * (h + h * h / L));
    }
    K[2] = K[1];
    root w2[2];
    rates_of_two(M, K, w2);
    assert_rates("bounce_and_pitch", 0, (double[]){creal(w2[0]), creal(w2[1])}, 2);
}

/* The tip of Timoshenko's beam: K = E I/(L^3 (1+phi)) [12, -6 L; -6 L, (4+phi) L^2] in both planes,
 * phi = 12 E I kappa/(G A L^2); E A/L and G J/L along and about it. */
static void a_mass_at_the_tip_of_a_beam(void **unused)
{
    (void)unused;
    const double E = 2e11, G = 8e10, A = 1e-4, J = 1e-9, L = 0.5, m = 3, inertia = 0.02;
    const double phi = 12 * E * J * 1.2 / (G * A * L * L), k = E * J / (L * L * L * (1 + phi));
    const double M[3] = {m, 0, inertia};
    const double K[4] = {12 * k, -6 * L * k, -6 * L * k, (4 + phi) * L * L * k};
    root w2[2];
    rates_of_two(M, K, w2);
    const double a = creal(w2[0]), b = creal(w2[1]);
    assert_rates("beam_with_tip_mass", 0,
                 (double[]){a, b, a, b, E * A / L / m, G * 2e-9 / L / 0.03}, 6);
}

/* Against a force c/d^2 a spring keeps k - 2 c/d^3. */
static void a_magnet(void **unused)
{
    (void)unused;
    const double c = 0.2, d = 0.04, k = 900, m = 0.5;
    assert_rate("magnet", (k - 2 * c / (d * d * d)) / m);
}

/* STEP from 0 to 1 of height h has the slope 6 h x (1 - x). */
static void a_step_as_a_spring(void **unused)
{
    (void)unused;
    const double x = 0.25;
    assert_rate("step_spring", 6 * 100 * x * (1 - x) / 2);
}

/* A force -3 x'' is a mass of 3 kg. */
static void added_mass(void **unused)
{
    (void)unused;
    assert_rate("added_mass", 50.0 / (2 + 3));
}

/* The slope of -mu N v/sqrt(v^2 + v0^2) is -mu N v0^2/(v^2 + v0^2)^(3/2), N = m g. */
static void friction_in_proportion_to_the_reaction(void **unused)
{
    (void)unused;
    const double mu = 0.3, v0 = 0.05, speeds[2] = {0, 0.1};
    for (int k = 0; k < 2; k++) {
        const double v = speeds[k];
        const root s[2] = {0, -mu * g * v0 * v0 / pow(v * v + v0 * v0, 1.5)};
        assert_modes_of("friction", "v", v, NULL, s, 2);
    }
}

/* Ziegler's column, with moments of inertia J about the masses: M = [3 m l^2 + J, m l^2; m l^2,
 * m l^2 + J], K = [2 k - P l, P l - k; -k, k] in absolute angles. */
static void zieglers_column_under_a_following_force(void **unused)
{
    (void)unused;
    const double m = 1.5, k = 100, l = 0.8, J = 0.01, ml2 = m * l * l, loads[3] = {0, 200, 400};
    for (int i = 0; i < 3; i++) {
        const double P = loads[i];
        const double M[3] = {3 * ml2 + J, ml2, ml2 + J};
        const double K[4] = {2 * k - P * l, P * l - k, -k, k};
        root w2[2];
        rates_of_two(M, K, w2);
        const root a = csqrt(-w2[0]), b = csqrt(-w2[1]);
        assert_modes_of("ziegler_column", "P", P, NULL, (root[]){a, -a, b, -b}, 4);
    }
}

/* Its flutter begins where (M11 K22 + M22 K11 - M12 (K12 + K21))^2 = 4 det M det K, det K = k^2;
 * with J = 0, P = (7/2 - sqrt 2) k/l. */
static void zieglers_column_begins_to_flutter(void **unused)
{
    (void)unused;
    const double m = 1.5, k = 100, l = 0.8, J = 0.01, ml2 = m * l * l;
    const double M11 = 3 * ml2 + J, M12 = ml2, M22 = ml2 + J, det = M11 * M22 - M12 * M12;
    /* M11 k + M22 (2 k - P l) - M12 (P l - 2 k) = 2 k sqrt(det) */
    const double P = (M11 * k + 2 * k * (M22 + M12) - 2 * k * sqrt(det)) / (l * (M22 + M12));
    for (int side = -1; side <= 1; side += 2) {
        solution s = solve("ziegler_column", "P", P * (1 + side * 1e-9), NULL);
        double worst = 0;
        for (int i = 0; i < s.modes->n; i++)
            worst = fmax(worst, s.modes->modes[i].eigenvalue[0]);
        if (side < 0)
            assert_true(worst < 1e-6);
        else
            assert_true(worst > 1e-5);
        release(&s);
    }
}

/* ---- gears, screws, shafts ------------------------------------------------------------------ */

/* The small wheel turns three times as far as the large one. */
static void a_pair_of_gears(void **unused)
{
    (void)unused;
    assert_rate("gear_pair", (9 * 5 + 7) / (9 * 0.02 + 0.3));
}

/* w^2 = k/(m + J/r^2) */
static void a_rack_and_its_pinion(void **unused)
{
    (void)unused;
    assert_rate("rack_and_pinion", 800 / (4 + 0.03 / 0.01));
}

/* w^2 = k h^2/(m h^2 + J), h = pitch/2 pi: the weight is balanced and changes nothing */
static void a_nut_on_its_screw(void **unused)
{
    (void)unused;
    const double h2 = pow(0.3 / (2 * pi), 2);
    assert_rate("screw", 800 * h2 / (4 * h2 + 0.05));
}

/* w^2 = m g l/(J sin(alpha)); and the rod turns about itself as it likes, a double zero, which
 * rounding moves by its root. */
static void a_pendulum_on_a_cone(void **unused)
{
    (void)unused;
    const double angles[3] = {0.3, 0.9, 1.5}, J = 0.08 + 2 * 0.09;
    for (int k = 0; k < 3; k++) {
        solution s = solve("../../examples/cone-pendulum", "alpha", angles[k], NULL);
        const double w = sqrt(2 * g * 0.3 / (J * sin(angles[k])));
        int swings = 0;
        assert_int_equal(s.modes->n, 4);
        for (int i = 0; i < 4; i++) {
            const double *e = s.modes->modes[i].eigenvalue;
            const bool swing = fabs(hypot(e[0], fabs(e[1]) - w)) <= 1e-9 * w;
            assert_true(swing || hypot(e[0], e[1]) <= 1e-6);
            swings += swing;
        }
        assert_int_equal(swings, 2);
        release(&s);
    }
}

/* The cage turns by the mean of both wheels. */
static void a_differential(void **unused)
{
    (void)unused;
    const double quarter = 0.5 / 4;
    const double M[3] = {0.2 + quarter, quarter, 0.3 + quarter}, K[4] = {10, 0, 0, 20};
    root w2[2];
    rates_of_two(M, K, w2);
    assert_rates("differential", 0, (double[]){creal(w2[0]), creal(w2[1])}, 2);
}

/* tan t2 = cos b tan t1: the second shaft turns r = cos b/(1 - sin^2 b sin^2 t1) times as fast, and
 * w^2 = k/(J1 + r^2 J2). The spring is at its free angle, so all forces are rounding. */
static void two_shafts_at_an_angle(void **unused)
{
    (void)unused;
    const double b = 0.5, angles[3] = {0, 0.4, 1.1};
    for (int k = 0; k < 3; k++) {
        const double t = angles[k], r = cos(b) / (1 - pow(sin(b) * sin(t), 2));
        assert_rates_of("bent_shaft", "t0", t, 0, (double[]){10 / (0.2 + r * r * 0.3)}, 1);
    }
}

/* Where no spring is strained and nothing weighs, all forces are rounding: that is rest, as written
 * and as an equilibrium. */
static void a_mechanism_without_strain_is_at_rest(void **unused)
{
    (void)unused;
    solution s = solve("bent_shaft", "t0", 0.4, NULL);
    const routh_operating_point_type types[2] = {ROUTH_OPERATING_GIVEN, ROUTH_OPERATING_STATIC};
    for (int k = 0; k < 2; k++) {
        routh_operating_point_options options = routh_operating_point_defaults();
        routh_operating_point *point;
        routh_error error = {0};
        options.type = types[k];
        if (routh_operating_point_find(&point, s.mechanism, &options, &error))
            fail_msg("%s", error.message);
        assert_true(point->residual == 0);
        routh_operating_point_free(point);
    }
    release(&s);
}

/* Driven at the rate W, the second turns at r W, and the drive must give J2 r dr/dt1 W^2. */
static void a_driven_shaft_at_an_angle(void **unused)
{
    (void)unused;
    const double b = 0.5, W = 20, t = W * 1.7 + 0.4, sb = sin(b), st = sin(t);
    const double d = 1 - sb * sb * st * st, r = cos(b) / d;
    const double slope = cos(b) * 2 * sb * sb * st * cos(t) / (d * d);
    solution s = solve("driven_bent_shaft", NULL, 0, NULL);
    assert_int_equal(s.modes->n, 0);
    const double *w = s.point->bodies[1].angular_velocity;
    assert_true(fabs(w[0] * sin(b) + w[2] * cos(b) - r * W) <= 1e-9 * W);
    const double *drive = NULL;
    for (int k = 0; k < s.point->n_reactions; k++)
        if (!strcmp(s.point->reactions[k].name, "turn")) drive = s.point->reactions[k].torque;
    assert_non_null(drive);
    assert_true(fabs(drive[2] - 0.3 * r * slope * W * W) <= 1e-9 * W * W);
    release(&s);
}

/* ---- motion --------------------------------------------------------------------------------- */

/* On z = a r^2 with h = r^2 w: m (1 + 4 a^2 r^2) r'' = -d/dr (m h^2/(2 r^2) + m g a r^2), so
 * w_r^2 = 8 g a/(1 + 4 a^2 r^2); the angle around is free. */
static void a_bead_circles_in_a_bowl(void **unused)
{
    (void)unused;
    const double a = 1.3, r = 0.4;
    assert_rates("paraboloid", 2, (double[]){8 * g * a / (1 + 4 * a * a * r * r)}, 1);
}

/* A u'' - i C n u' - m g l u = 0, u = tilt about x + i tilt about y; seen from the top s - i n. */
static void a_sleeping_top(void **unused)
{
    (void)unused;
    const double A = 0.4 + 2 * 0.25 * 0.25, C = 0.3, n = 30, mgl = 2 * g * 0.25;
    root s[6] = {0};
    whirl(A, -I * C * n, -mgl, 0, s + 2);
    assert_modes_of("sleeping_top", NULL, 0, "ground", s, 6);
    whirl(A, -I * C * n, -mgl, n, s + 2);
    assert_modes_of("sleeping_top", NULL, 0, "top", s, 6);
}

/* Routh: the nutation of a steady precession p at the angle th has the rate
 * w^2 = p^2 - 2 (m g l/A) cos th + (m g l/(A p))^2; precession and spin are free. */
static void a_precessing_top(void **unused)
{
    (void)unused;
    const double th = 0.6, p = 2, a = 2 * g * 0.25 / (0.4 + 2 * 0.25 * 0.25);
    assert_rates("precessing_top", 4, (double[]){p * p - 2 * a * cos(th) + a * a / (p * p)}, 1);
}

/* Euler: the axis wobbles with w^2 = n^2 (C - A)(C - B)/(A B) in the body, unstable about the
 * middle axis; a direction fixed in space goes round with n. */
static void a_body_spins_about_each_of_its_axes(void **unused)
{
    (void)unused;
    const double A = 1, B = 2, n = 5, C[3] = {3, 1.5, 1.2};
    for (int k = 0; k < 3; k++) {
        const double wobble = n * n * (C[k] - A) * (C[k] - B) / (A * B);
        assert_rates_of("spinning_body", "C", C[k], 2, (double[]){n * n, wobble}, 2);
    }
}

/* sqrt(g/l) +- W: the plane of the swing turns against the turntable. */
static void a_pendulum_over_a_turntable(void **unused)
{
    (void)unused;
    const double w = sqrt(g / 2), W = 0.3;
    assert_rates("turntable_pendulum", 0, (double[]){(w + W) * (w + W), (w - W) * (w - W)}, 2);
}

/* (m l^2 + Iy) th'' = W^2 J sin th cos th - m g l sin th, J = m l^2 + Ix - Iz */
static void a_governor(void **unused)
{
    (void)unused;
    const double m = 2, l = 0.5, W = 7, J = m * l * l + 0.03 - 0.01;
    const double c = m * g * l / (W * W * J);
    assert_rate("governor", W * W * (1 - c * c) * J / (m * l * l + 0.035));
}

/* The rod hangs in sqrt(g^2 + a^2). */
static void a_pendulum_on_an_accelerated_cart(void **unused)
{
    (void)unused;
    const double m = 10, l = 2;
    assert_rate("accelerated_pendulum",
                m * sqrt(g * g + 25) * l / 2 / (15 + m * l * l / 4));
}

/* Turning takes W^2 from k/m. */
static void a_slider_on_a_turning_arm(void **unused)
{
    (void)unused;
    assert_rate("turning_slider", 500.0 / 2 - 64);
}

/* Hill, Clohessy and Wiltshire: s^2 (s^2 + w^2)(s^2 + w^2) = 0 */
static void a_circular_orbit(void **unused)
{
    (void)unused;
    const double w2 = 4e3 / 1e3;
    assert_rates("orbit", 2, (double[]){w2, w2}, 2);
}

/* m u'' + (ce + ci) u' + (k - i W ci) u = 0, u = x + i y: unstable above
 * W = (1 + ce/ci) sqrt(k/m); seen from the shaft s - i W */
static void damping_within_a_turning_shaft(void **unused)
{
    (void)unused;
    const double m = 3, k = 2000, ci = 9, ce = 4, limit = (1 + ce / ci) * sqrt(k / m);
    const double speeds[3] = {0.9 * limit, 1.1 * limit, 60};
    for (int i = 0; i < 3; i++) {
        const double W = speeds[i];
        root s[4];
        whirl(m, ce + ci, k - I * W * ci, 0, s);
        assert_true((fmax(creal(s[0]), creal(s[1])) > 0) == (W > limit));
        assert_modes_of("rotating_damping", "W", W, "ground", s, 4);
        whirl(m, ce + ci, k - I * W * ci, W, s);
        assert_modes_of("rotating_damping", "W", W, "shaft", s, 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_inclined_hinge_and_products_of_inertia),
        cmocka_unit_test(a_double_pendulum),
        cmocka_unit_test(a_trifilar_pendulum),
        cmocka_unit_test(a_gantry_crane),
        cmocka_unit_test(bodies_fixed_to_each_other),
        cmocka_unit_test(an_overconstrained_parallelogram),
        cmocka_unit_test(a_door_on_three_hinges),
        cmocka_unit_test(a_chain_of_springs),
        cmocka_unit_test(a_tight_string),
        cmocka_unit_test(two_bodies_in_space),
        cmocka_unit_test(a_car_that_bounces_and_pitches),
        cmocka_unit_test(a_mass_at_the_tip_of_a_beam),
        cmocka_unit_test(a_magnet),
        cmocka_unit_test(a_step_as_a_spring),
        cmocka_unit_test(added_mass),
        cmocka_unit_test(friction_in_proportion_to_the_reaction),
        cmocka_unit_test(zieglers_column_under_a_following_force),
        cmocka_unit_test(zieglers_column_begins_to_flutter),
        cmocka_unit_test(a_pair_of_gears),
        cmocka_unit_test(a_rack_and_its_pinion),
        cmocka_unit_test(a_nut_on_its_screw),
        cmocka_unit_test(a_pendulum_on_a_cone),
        cmocka_unit_test(a_differential),
        cmocka_unit_test(two_shafts_at_an_angle),
        cmocka_unit_test(a_mechanism_without_strain_is_at_rest),
        cmocka_unit_test(a_driven_shaft_at_an_angle),
        cmocka_unit_test(a_bead_circles_in_a_bowl),
        cmocka_unit_test(a_sleeping_top),
        cmocka_unit_test(a_precessing_top),
        cmocka_unit_test(a_body_spins_about_each_of_its_axes),
        cmocka_unit_test(a_pendulum_over_a_turntable),
        cmocka_unit_test(a_governor),
        cmocka_unit_test(a_pendulum_on_an_accelerated_cart),
        cmocka_unit_test(a_slider_on_a_turning_arm),
        cmocka_unit_test(a_circular_orbit),
        cmocka_unit_test(damping_within_a_turning_shaft),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
