/* Steady motions of flexible bodies: a rotating beam, a conical pendulum on an elastic rod, rotors.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/lapack.h"
#include "closed_form/whole_model.h"
#include "operating/operating.h"

enum { ROOM = 4000, MOST = 400 };

/* ---- what is found -------------------------------------------------------------------------- */

typedef struct answer {
    double turn_rate, out[4];
    double omega[MOST]; /* imaginary parts above zero, ascending */
    int n;
} answer;

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* No mode of these undamped motions may grow beyond what rounding makes of a double zero. */
static answer solve(const char *yaml, const char *coordinates)
{
    const whole_way way = {.coordinates = coordinates};
    whole x = whole_parse(yaml, &way);
    answer a = {.turn_rate = x.point->steady->turn_rate};
    if (!(x.point->residual < 1e-10) || !(x.point->steady->drift < 1e-9) || !x.linear->steady)
        fail_msg("%s: residual %g, drift %g, drift of the linear model %g", coordinates,
                 x.point->residual, x.point->steady->drift, x.linear->drift);
    for (int k = 0, n = 0; k < x.point->n_signals && n < 4; k++)
        if (x.point->signals[k].kind == ROUTH_SIGNAL_OUTPUT) a.out[n++] = x.point->signals[k].value;
    for (int k = 0; k < x.modes->n; k++) {
        const double *s = x.modes->modes[k].eigenvalue;
        assert_true(a.n < MOST);
        if (s[1] > 1e-5) a.omega[a.n++] = s[1];
    }
    qsort(a.omega, (size_t)a.n, sizeof *a.omega, ascending);
    whole_release(&x);
    return a;
}

static void near(const char *what, double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance * fabs(expected)))
        fail_msg("%s: %.15g, expected %.15g", what, found, expected);
}

/* One of the frequencies. */
static void assert_has(const char *what, const answer *a, double expected, double tolerance)
{
    double nearest = INFINITY;
    for (int k = 0; k < a->n; k++)
        if (fabs(a->omega[k] - expected) < fabs(nearest - expected)) nearest = a->omega[k];
    near(what, nearest, expected, tolerance);
}

/* ---- rotating beam -------------------------------------------------------------------------- */

/* m = L = EI = 1 and EA = 1e4, so that the beam stretches by as much as 0.5 %. */
enum { N_RITZ = 14, N_POINTS = 40 };
static const double EA = 1e4;

static const char beam[] =
    "parameters: {W: %g}\n"
    "bodies:\n"
    "  hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, W]}\n"
    "  blade: {type: beam, angular_velocity: [0, 0, W], orientation: {x: [1, 0, 0], z: %s},"
    " to: [1, 0, 0], elements: %d, planar: true, rotary_inertia: false,"
    " density: 1, area: 1, youngs_modulus: 1e4, izz: 1e-4}\n"
    "markers: {tip: {body: blade, node: last}}\n"
    "joints:\n"
    "  shaft: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}\n"
    "  drive: {type: motion, joint: shaft, function: W*time}\n"
    "  root: {type: fixed, between: [blade, hub], at: [0, 0, 0]}\n"
    "outputs: {reach: DM(tip), pull: FM(root)}\n"
    "operating_point: {type: steady}\n";

static answer turning_beam(double speed, bool flap, int n_elements, const char *coordinates)
{
    char yaml[ROOM];
    snprintf(yaml, sizeof yaml, beam, speed, flap ? "[0, -1, 0]" : "[0, 0, 1]", n_elements);
    return solve(yaml, coordinates);
}

/* EA u'' + m W^2 (x + u) = 0:  u = sin(k x)/(k cos(k)) - x,  k = W sqrt(m/EA),
 * tension EA u'. */
static double tension(double speed, double x)
{
    const double k = speed / sqrt(EA), s = sin(k * (1 + x) / 2), d = sin(k * (1 - x) / 2);
    return EA * 2 * s * d / cos(k); /* EA (cos(k x)/cos(k) - 1) */
}

/* Linear elements: of second order; the pull at the root is that on the whole beam. */
static void a_rotating_rod_stretches(void **unused)
{
    (void)unused;
    static const double speeds[] = {1, 6, 12};
    for (int i = 0; i < 3; i++) {
        const double k = speeds[i] / sqrt(EA), right = tan(k) / k - 1;
        const answer coarse = turning_beam(speeds[i], true, 4, NULL),
                     fine = turning_beam(speeds[i], true, 8, NULL);
        const double a = coarse.out[0] - 1 - right, b = fine.out[0] - 1 - right;
        if (!(fabs(log2(a / b) - 2) < 0.05) || !(fabs(b) < 0.01 * right))
            fail_msg("speed %g: stretched by %g and %g, expected %g", speeds[i], coarse.out[0] - 1,
                     fine.out[0] - 1, right);
        const double pull = tension(speeds[i], 0);
        near("the pull at the root, extrapolated", (4 * fine.out[1] - coarse.out[1]) / 3, pull,
             1e-5);
    }
}

/* ---- its frequencies ------------------------------------------------------------------------ */

/* x^first P_i(2x - 1), with two derivatives, P_i Legendre's:
 *     (i+1) P_{i+1} = (2i+1) y P_i - i P_{i-1} */
static void shapes(int first, double x, double f[N_RITZ][3])
{
    const double y = 2 * x - 1,
                 e[3] = {first == 1 ? x : x * x, first == 1 ? 1 : 2 * x, 2. * first - 2};
    double P[N_RITZ + 1][3] = {{1, 0, 0}, {y, 2, 0}};
    for (int i = 1; i + 1 < N_RITZ; i++) {
        const double a = (2. * i + 1) / (i + 1), b = (double)i / (i + 1);
        P[i + 1][0] = a * y * P[i][0] - b * P[i - 1][0];
        P[i + 1][1] = a * (y * P[i][1] + 2 * P[i][0]) - b * P[i - 1][1];
        P[i + 1][2] = a * (y * P[i][2] + 4 * P[i][1]) - b * P[i - 1][2];
    }
    for (int i = 0; i < N_RITZ; i++) {
        f[i][0] = e[0] * P[i][0];
        f[i][1] = e[1] * P[i][0] + e[0] * P[i][1];
        f[i][2] = e[2] * P[i][0] + 2 * e[1] * P[i][1] + e[0] * P[i][2];
    }
}

/* Of bending v = sum f_i a_i and stretch u = sum g_i b_i:
 *     bend = int f'' f'' + T f' f',  mass = int f f,   stretch = EA int g' g',  mass_u = int g g,
 *     both = int g f */
typedef struct ritz {
    double bend[N_RITZ * N_RITZ], mass[N_RITZ * N_RITZ];
    double stretch[N_RITZ * N_RITZ], mass_u[N_RITZ * N_RITZ], both[N_RITZ * N_RITZ];
} ritz;

static void integrate(double speed, ritz *r)
{
    static const double place[5] = {-0.90617984593866399, -0.53846931010568309, 0,
                                    0.53846931010568309, 0.90617984593866399};
    static const double weight[5] = {0.23692688505618909, 0.47862867049936647, 0.56888888888888889,
                                     0.47862867049936647, 0.23692688505618909};
    *r = (ritz){0};
    for (int k = 0; k < N_POINTS; k++) {
        const double x = (k / 5 + (1 + place[k % 5]) / 2) * 5 / N_POINTS,
                     by = weight[k % 5] * 2.5 / N_POINTS, T = tension(speed, x);
        double f[N_RITZ][3], g[N_RITZ][3];
        shapes(2, x, f);
        shapes(1, x, g);
        for (int i = 0; i < N_RITZ; i++)
            for (int j = 0; j < N_RITZ; j++) {
                const int at = N_RITZ * i + j;
                r->bend[at] += by * (f[i][2] * f[j][2] + T * f[i][1] * f[j][1]);
                r->mass[at] += by * f[i][0] * f[j][0];
                r->stretch[at] += by * EA * g[i][1] * g[j][1];
                r->mass_u[at] += by * g[i][0] * g[j][0];
                r->both[at] += by * g[i][0] * f[j][0];
            }
    }
}

/* Out of the plane of rotation: bend f = omega^2 mass f. */
static void flap(double speed, double omega[2])
{
    ritz r;
    double mu[N_RITZ];
    integrate(speed, &r);
    assert_int_equal(rt_symmetric_generalized_eigen(N_RITZ, r.mass, r.bend, mu, NULL), ROUTH_OK);
    for (int k = 0; k < 2; k++) omega[k] = 1 / sqrt(mu[N_RITZ - 1 - k]);
}

/* M^-1 X into the block (row, column) of the state matrix, times factor. */
static void put(double *A, const double *mass, const double *X, bool transposed, double factor,
                int row, int column)
{
    double M[N_RITZ * N_RITZ], Y[N_RITZ * N_RITZ];
    int pivots[N_RITZ];
    memcpy(M, mass, sizeof M);
    for (int i = 0; i < N_RITZ; i++)
        for (int j = 0; j < N_RITZ; j++)
            Y[i + N_RITZ * j] = X[transposed ? i + N_RITZ * j : N_RITZ * i + j];
    assert_int_equal(rt_lu_factor(N_RITZ, M, pivots, NULL), ROUTH_OK);
    assert_int_equal(rt_lu_solve(N_RITZ, M, pivots, N_RITZ, Y, 0, NULL), ROUTH_OK);
    for (int i = 0; i < N_RITZ; i++)
        for (int j = 0; j < N_RITZ; j++)
            A[N_RITZ * row + i + 4 * N_RITZ * (N_RITZ * column + j)] += factor * Y[i + N_RITZ * j];
}

/* In the plane of rotation bending and stretch meet through Coriolis forces:
 *     m (u'' - 2 W v' - W^2 u) + stretch = 0,    m (v'' + 2 W u' - W^2 v) + bend = 0 */
static void lag(double speed, double omega[2])
{
    enum { N = 4 * N_RITZ };
    ritz r;
    static double A[N * N], left[N * N], right[N * N];
    double re[N], im[N], rcond[N];
    rt_eigen e = {re, im, left, right, rcond, 0};
    integrate(speed, &r);
    memset(A, 0, sizeof A);
    for (int i = 0; i < 2 * N_RITZ; i++) A[i + N * (2 * N_RITZ + i)] = 1;
    put(A, r.mass_u, r.stretch, false, -1, 2, 0);
    put(A, r.mass_u, r.mass_u, false, speed * speed, 2, 0);
    put(A, r.mass, r.bend, false, -1, 3, 1);
    put(A, r.mass, r.mass, false, speed * speed, 3, 1);
    put(A, r.mass_u, r.both, false, 2 * speed, 2, 3);
    put(A, r.mass, r.both, true, -2 * speed, 3, 2);
    assert_int_equal(rt_general_eigen(N, A, &e, NULL), ROUTH_OK);
    qsort(im, N, sizeof *im, ascending);
    int first = 0;
    while (im[first] <= 0) first++;
    omega[0] = im[first], omega[1] = im[first + 1];
}

/* Southwell: omega^2 is at least that of the beam at rest and of a string alone, W^2 (2 i - 1) i
 * (of one that does not stretch, whose tension is less), and the first at most that of the shape at
 * rest, omega_0^2 + 1.1934 W^2, the tension being less than tan(k)/k times that of one that does
 * not stretch. In the plane of rotation it is lowered by W^2 and by Coriolis forces. */
static void assert_southwell(double speed, const double rest[2], const double omega[2])
{
    static const double string[2] = {1, 6};
    const double W2 = speed * speed, k = speed / sqrt(EA);
    for (int i = 0; i < 2; i++)
        assert_true(omega[i] * omega[i] > rest[i] * rest[i] + string[i] * W2);
    assert_true(omega[0] * omega[0] < (rest[0] * rest[0] + 1.1934 * W2 * tan(k) / k) * (1 + 1e-5));
}

/* Bending is of fourth order in the length of elements, stretch, which it meets, of second. */
static void assert_converges(double speed, bool flapping)
{
    double right[2];
    if (flapping)
        flap(speed, right);
    else
        lag(speed, right);
    const answer coarse = turning_beam(speed, flapping, 8, NULL),
                 fine = turning_beam(speed, flapping, 16, NULL);
    for (int i = 0; i < 2; i++) {
        const double a = coarse.omega[i] / right[i] - 1, b = fine.omega[i] / right[i] - 1;
        const double order = log2(a / b);
        if (!(order > 1.9) || !(order < 4.6) || !(fabs(b) < 1e-4))
            fail_msg("speed %g, %s %d: errors %g, %g, order %g", speed, flapping ? "flap" : "lag",
                     i + 1, a, b, order);
    }
}

static void a_rotating_beam_flaps_and_lags(void **unused)
{
    (void)unused;
    static const double speeds[] = {0, 3, 6, 12};
    double rest[2] = {0}, before[2] = {0};
    flap(0, rest);
    near("the beam at rest", rest[0], 3.5160152685, 1e-9);
    for (int i = 0; i < 4; i++) {
        assert_converges(speeds[i], true);
        assert_converges(speeds[i], false);
        const answer up = turning_beam(speeds[i], true, 16, NULL),
                     along = turning_beam(speeds[i], false, 16, NULL);
        if (i) assert_southwell(speeds[i], rest, up.omega);
        assert_true(up.omega[0] > before[0] && along.omega[0] > before[1]);
        before[0] = up.omega[0], before[1] = along.omega[0];
    }
}

static void all_coordinates_find_the_same_beam(void **unused)
{
    (void)unused;
    const answer first = turning_beam(6, false, 8, "absolute");
    for (int k = 0; routh_coordinate_name(k); k++) {
        const answer a = turning_beam(6, false, 8, routh_coordinate_name(k));
        assert_int_equal(a.n, first.n);
        near("the reach", a.out[0], first.out[0], 1e-13);
        for (int i = 0; i < a.n; i++) near("a frequency", a.omega[i], first.omega[i], 1e-10);
    }
}

/* ---- conical pendulum on an elastic rod ----------------------------------------------------- */

/* A bob of mass 1 on a rod without mass, of stiffness k = EA/L, at the rotation rate W:
 *     cos(theta) = g/(W^2 l),   T = m W^2 l = k (l - L)
 * and about it, in the moving frame, with n along the rod,
 *     x'' + 2 W e x x' + (k n n' + (T/l)(1 - n n') - W^2 (1 - e e')) x = 0.
 * The rod's mass is made small, and what it brings, in proportion to it, is extrapolated to none;
 * the hub's inertia is smaller still. */
static const char conical[] =
    "gravity: [0, 0, -9.81]\n"
    "parameters: {W: 4, th: 45 deg}\n"
    "bodies:\n"
    "  hub: {mass: 1e-6, inertia: [1e-9, 1e-9, 1e-9], angular_velocity: [0, 0, W]}\n"
    "  rod: {type: beam, orientation: {x: [sin(th), 0, -cos(th)], z: [0, 1, 0]}, to: [1, 0, 0],"
    " angular_velocity: [0, 0, W], elements: 1, planar: true, density: %g, area: 1e-4,"
    " youngs_modulus: 1e6, izz: 1e-6}\n"
    "  bob: {mass: 1, inertia: [1, 1, 1], position: [sin(th), 0, -cos(th)],"
    " velocity: [0, W*sin(th), 0]}\n"
    "markers: {tip: {body: rod, node: last}}\n"
    "joints:\n"
    "  shaft: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}\n"
    "  pin: {type: revolute, between: [rod, hub], at: [0, 0, 0], axis: y}\n"
    "  eye: {type: spherical, between: [bob, tip]}\n"
    "  upright: {type: orientation, between: [bob, ground]}\n"
    "outputs: {length: DM(tip)}\n"
    "operating_point: {type: steady}\n"
    "steady:\n  spins: {bob: z}\n"
    "  prescribed: {height: {expression: -DZ(tip), value: 9.81/W^2, unit: m}}\n";

/* det(K + s^2 + 2 W s e x) = 0, a cubic in s^2: frequencies, of which one is zero (the way it goes)
 */
static void elastic_cone(double *length, double omega[2])
{
    const double W = 4, g = 9.81, k = 100, l = k / (k - W * W), c = g / (W * W * l);
    const double s = sqrt(1 - c * c), n[3] = {s, 0, -c}, T = W * W * l;
    double K[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            K[i][j] =
                k * n[i] * n[j] + T / l * ((i == j) - n[i] * n[j]) - W * W * (i == j && i < 2);
    assert_true(fabs(K[1][1]) < 1e-12); /* the way it goes */
    /* y'' = -2 W x', so y' = -2 W x and x'' - 2 W y' + ... = x'' + (K_xx + 4 W^2) x + K_xz z */
    const double a = K[0][0] + 4 * W * W, b = K[0][2], d = K[2][2];
    const double mean = (a + d) / 2, half = hypot((a - d) / 2, b);
    *length = l;
    omega[0] = sqrt(mean - half), omega[1] = sqrt(mean + half);
}

static answer cone_of(double density, const char *coordinates)
{
    char yaml[ROOM];
    snprintf(yaml, sizeof yaml, conical, density);
    return solve(yaml, coordinates);
}

static double extrapolated(double heavy, double light, double expected)
{
    const double fell = (heavy - expected) / (light - expected);
    if (!(fabs(fell - 10) < 0.1)) fail_msg("the error fell by %g, the mass by 10", fell);
    return (10 * light - heavy) / 9;
}

static void a_conical_pendulum_on_an_elastic_rod(void **unused)
{
    (void)unused;
    double length, omega[2];
    elastic_cone(&length, omega);
    for (int k = 0; routh_coordinate_name(k); k++) {
        const answer a = cone_of(1, routh_coordinate_name(k)),
                     b = cone_of(0.1, routh_coordinate_name(k));
        near("the rate", extrapolated(a.turn_rate, b.turn_rate, 4), 4, 1e-8);
        near("the length", extrapolated(a.out[0], b.out[0], length), length, 1e-8);
        for (int i = 0; i < 2; i++)
            near("a frequency", extrapolated(a.omega[i], b.omega[i], omega[i]), omega[i], 1e-7);
    }
}

/* ---- rotors --------------------------------------------------------------------------------- */

/* An overhung disc on a shaft of one element, which is exact for itself. With zeta = y + i z of the
 * disc and psi its slope, proportional to exp(i omega t), S the disc's speed:
 *     det(K - omega^2 (M + diag(m, Id)) + omega S diag(0, Ip)) = 0
 *     K = E I/L^3 [12 -6L; -6L 4L^2],   M = rho A L/420 [156 -22L; -22L 4L^2].
 * In a frame that turns with the shaft it is omega - S. */
static const double LENGTH = 0.8, BENDING = 200, LINE = 0.5, DISC = 3, ID = 0.05, IP = 0.09;

static double determinant(double speed, double omega)
{
    const double L = LENGTH, k = BENDING / (L * L * L), m = LINE * L / 420, w2 = omega * omega;
    const double a = 12 * k - w2 * (156 * m + DISC), b = -6 * L * k + 22 * L * m * w2;
    const double d = 4 * L * L * k - w2 * (4 * L * L * m + ID) + omega * speed * IP;
    return a * d - b * b;
}

/* All four, ascending: two each way. */
static void whirl(double speed, double omega[4])
{
    /* the coefficients of the quartic from five values */
    root c[5], values[5], found[4];
    for (int i = 0; i < 5; i++) values[i] = determinant(speed, 10. * (i - 2));
    c[0] = values[2];
    c[1] = (8 * (values[3] - values[1]) - (values[4] - values[0])) / 120;
    c[2] = (16 * (values[3] + values[1]) - (values[4] + values[0]) - 30 * values[2]) / 2400;
    c[3] = ((values[4] - values[0]) - 2 * (values[3] - values[1])) / 12000;
    c[4] = ((values[4] + values[0]) - 4 * (values[3] + values[1]) + 6 * values[2]) / 240000;
    polynomial_roots(c, 4, found);
    for (int i = 0; i < 4; i++) {
        double x = creal(found[i]);
        for (int k = 0; k < 3; k++) { /* Newton's method, to rounding */
            const double h = 1e-6 * fmax(1, fabs(x));
            x -= determinant(speed, x) * 2 * h /
                 (determinant(speed, x + h) - determinant(speed, x - h));
        }
        omega[i] = x;
    }
    qsort(omega, 4, sizeof *omega, ascending);
    assert_true(omega[1] < 0 && omega[2] > 0);
}

#define SHAFT                                                                                      \
    "  shaft: {type: beam, to: [0.8, 0, 0], elements: 1, rotary_inertia: false, density: 1,"       \
    " area: 0.5, youngs_modulus: 1e4, shear_modulus: 1e4, iyy: 0.02, izz: 0.02,"                   \
    " torsion_constant: 0.04%s}\n"                                                                 \
    "  disc: {mass: 3, inertia: [0.09, 0.05, 0.05], position: [0.8, 0, 0], angular_velocity: "     \
    "[%.17g, 0, 0]}\n"

static const char spinning[] =
    "bodies:\n" SHAFT "joints:\n"
    "  clamp: {type: fixed, between: [shaft, ground], at: [0, 0, 0]}\n"
    "  bearing: {type: revolute, between: [disc, shaft], at: [0.8, 0, 0], axis: x}\n"
    "operating_point: {type: steady}\n"
    "steady: {axis: x, turn_rate: 0, spins: {disc: {axis: x, rate: %.17g}}}\n";

static const char turning[] =
    "bodies:\n"
    "  hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [%.17g, 0, 0]}\n" SHAFT "joints:\n"
    "  bearing: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: x}\n"
    "  drive: {type: motion, joint: bearing, function: '%.17g*time'}\n"
    "  clamp: {type: fixed, between: [shaft, hub], at: [0, 0, 0]}\n"
    "  key: {type: fixed, between: [disc, shaft], at: [0.8, 0, 0]}\n"
    "operating_point: {type: steady}\n"
    "steady: {axis: x}\n";

static void write_turning(char yaml[ROOM], double speed)
{
    char motion[80];
    snprintf(motion, sizeof motion, ", angular_velocity: [%.17g, 0, 0]", speed);
    snprintf(yaml, ROOM, turning, speed, motion, speed, speed);
}

static void a_disc_spins_on_an_elastic_shaft(void **unused)
{
    (void)unused;
    char yaml[ROOM];
    double omega[4], rest[4];
    whirl(0, rest);
    near("no splitting at rest", -rest[1], rest[2], 1e-12);
    whirl(30, omega);
    assert_true(-omega[1] < 0.99 * rest[2] && omega[2] > 1.005 * rest[2]);
    snprintf(yaml, sizeof yaml, spinning, "", 30., 30.);
    for (int k = 0; routh_coordinate_name(k); k++) {
        const answer a = solve(yaml, routh_coordinate_name(k));
        for (int i = 0; i < 4; i++) assert_has("whirl", &a, fabs(omega[i]), 1e-11);
        assert_has("stretch", &a, sqrt(5000 / LENGTH / (DISC + LINE * LENGTH / 3)), 1e-11);
    }
}

static void a_rotor_turns_with_its_shaft(void **unused)
{
    (void)unused;
    char yaml[ROOM];
    static const double speeds[] = {4, 30};
    for (int j = 0; j < 2; j++) {
        double omega[4];
        whirl(speeds[j], omega);
        write_turning(yaml, speeds[j]);
        for (int k = 0; routh_coordinate_name(k); k++) {
            const answer a = solve(yaml, routh_coordinate_name(k));
            for (int i = 0; i < 4; i++) assert_has("whirl", &a, fabs(omega[i] - speeds[j]), 1e-11);
        }
    }
}

/* ---- what is said --------------------------------------------------------------------------- */

static void assert_refused(const char *yaml, const char *const *words)
{
    routh_model *model = NULL;
    routh_mechanism *m = NULL;
    routh_operating_point *p = NULL;
    routh_error error = {0};
    routh_operating_point_options options = routh_operating_point_defaults();
    options.type = ROUTH_OPERATING_STEADY;
    if (routh_model_parse(&model, yaml, strlen(yaml), "test", NULL, 0, &error) ||
        routh_mechanism_compile(&m, model, NULL, &error))
        fail_msg("%d: %s: %s", error.line, error.element, error.message);
    assert_int_equal(routh_operating_point_find(&p, m, &options, &error), ROUTH_NO_EQUILIBRIUM);
    for (int i = 0; words[i]; i++)
        if (!strstr(error.message, words[i]))
            fail_msg("'%s' was expected: %s", words[i], error.message);
    routh_mechanism_free(m);
    routh_model_free(model);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* det(S) = determinant(S, S) is quadratic in S^2: where a forward whirl turns with the shaft. */
static double critical_speed(void)
{
    double low = 0, high = 1;
    while (determinant(high, high) > 0) low = high, high *= 2;
    for (int i = 0; i < 200; i++) {
        const double middle = (low + high) / 2;
        if (determinant(middle, middle) > 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void nothing_determines_the_shape_at_a_critical_speed(void **unused)
{
    (void)unused;
    char yaml[ROOM];
    write_turning(yaml, critical_speed());
    assert_refused(yaml, WORDS("nothing determines", "the elastic coordinate shaft.2."));
}

static void weight_that_turns_with_the_frame_is_named(void **unused)
{
    (void)unused;
    char yaml[ROOM], heavy[ROOM + 40];
    write_turning(yaml, 4);
    snprintf(heavy, sizeof heavy, "gravity: [0, 0, -9.81]\n%s", yaml);
    assert_refused(heavy, WORDS("out of balance"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rotating_rod_stretches),
        cmocka_unit_test(a_rotating_beam_flaps_and_lags),
        cmocka_unit_test(all_coordinates_find_the_same_beam),
        cmocka_unit_test(a_conical_pendulum_on_an_elastic_rod),
        cmocka_unit_test(a_disc_spins_on_an_elastic_shaft),
        cmocka_unit_test(a_rotor_turns_with_its_shaft),
        cmocka_unit_test(nothing_determines_the_shape_at_a_critical_speed),
        cmocka_unit_test(weight_that_turns_with_the_frame_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
