/* Mechanisms that roll and glide without slip, about straight and steadily turning motion, against
 * closed forms, in every coordinate set by every exact method. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "closed_form/whole_model.h"
#include "support/record.h"

static const double g = 9.81;

/* 1e-9 of each eigenvalue's modulus: condition numbers of these small matrices are below 1e4, and
 * rounding of coefficients some 1e-15. */
static const double tolerance = 1e-9;

typedef struct named_value {
    const char *name;
    double value;
} named_value;

/* The QZ iteration of the redundant method leaves errors of rounding anywhere in its pencil, and
 * zeros here are defective. So its A is held against that of the augmented method, row by row. */
static void check_matrix(const char *what, const routh_linear *found, const routh_linear *expected)
{
    const int n = expected->n_states;
    assert_int_equal(found->n_states, n);
    for (int i = 0; i < n; i++) {
        double size = 1;
        for (int j = 0; j < n; j++) size = fmax(size, fabs(expected->A[i * n + j]));
        for (int j = 0; j < n; j++)
            if (!(fabs(found->A[i * n + j] - expected->A[i * n + j]) <= tolerance * size))
                fail_msg("%s: A(%d, %d) is %.15g and should be %.15g", what, i, j,
                         found->A[i * n + j], expected->A[i * n + j]);
    }
}

static void check_way(const char *path, const char *what, const whole_way *way,
                      const root *expected, int n, int n_position, int n_velocity)
{
    whole x = whole_read(path, way);
    if (x.linear->n_position != n_position || x.linear->n_velocity != n_velocity)
        fail_msg("%s: %d positions, %d velocities", what, x.linear->n_position,
                 x.linear->n_velocity);
    if (!x.linear->at_rest && !x.linear->steady) fail_msg("%s: not steady", what);
    if (strcmp(way->method, "redundant") == 0) {
        whole_way other = *way;
        other.method = "augmented";
        whole y = whole_read(path, &other);
        check_matrix(what, x.linear, y.linear);
        whole_release(&y);
    } else {
        whole_assert_spectrum(what, x.modes, expected, n, tolerance);
    }
    whole_release(&x);
}

/* The eigenvalues of a file with parameters set, by every way: `expected`, and zeros up to the
 * number of states. Steady, or at rest. */
static void check_file(const char *path, const named_value *values, int n_values,
                       const root *expected, int n, int n_position, int n_velocity)
{
    char numbers[WHOLE_MOST_SETTINGS][32], what[256];
    whole_way way = {.n_settings = n_values};
    for (int k = 0; k < n_values; k++) {
        snprintf(numbers[k], sizeof numbers[k], "%.17g", values[k].value);
        way.settings[k] = (routh_setting){values[k].name, numbers[k]};
    }
    for (int k = 0; whole_next_way(&k, &way);) {
        snprintf(what, sizeof what, "%s, %s = %s, %s, %s", path, n_values ? values[0].name : "all",
                 n_values ? numbers[0] : "own", way.coordinates, way.method);
        check_way(path, what, &way, expected, n, n_position, n_velocity);
    }
}

/* ---- discs and tori -------------------------------------------------------------------------- */

/* The disc: mass m, moments A about a diameter and C about the axle, radius a of the rim's centre
 * line, radius b of its section (0: thin disc; else a torus). Axes e1 along the heading, e2 along
 * the axle, e3 = e1 x e2 up along the disc; lean theta, heading psi. The angular velocity is
 *     w = theta' e1 + w2 e2 + w3 e3,   psi' = w3/cos theta,
 * and the axes turn with Omega = theta' e1 + w3 tan theta e2 + w3 e3. From the contact to the
 * centre of mass the vector is p = b sin theta e2 + (a + b cos theta) e3; without slip the centre's
 * velocity is v = w x p. With the contact's force eliminated, moments about the contact are
 *     d/dt (A theta', C w2, A w3) + p x m (dv/dt + g n) = 0,    n = sin theta e2 + cos theta e3.
 * By components (p2 = b sin theta, p3 = a + b cos theta, h = a + b/cos theta):
 *     (A + m |p|^2) theta'' = F(theta, w2, w3) + terms in theta'^2,
 *         F = C w2 w3 - A w3^2 tan theta + m w3 (w2 p3 - w3 p2) h + m g a sin theta
 *     C w2' = -m p3 f,   A w3' = -C w2 theta' + A w3 tan theta theta' + m p2 f,
 *         f = p3 w2' - p2 w3' + theta' (w3 h - b (w2 sin theta + w3 cos theta)).
 * Steady motion: F = 0. Small motions about it have w2' = alpha theta', w3' = beta theta' from the
 * last two lines, and so
 *     s^2 = (F_theta + alpha F_w2 + beta F_w3)/(A + m |p|^2)
 * beside zeros and, for an observer who turns with the heading, +-i psi' of the path's centre.
 *
 * Sources: Neimark and Fufaev, Dynamics of Nonholonomic Systems (1972), and O'Reilly, The Dynamics
 * of Rolling Disks and Sliding Disks, Nonlinear Dynamics 10 (1996), for b = 0. The formulas above
 * were derived here and compared, to 12 digits at 14 states, with Newton's and Euler's equations
 * with contact forces as unknowns, linearized in 60 digits. */
typedef struct disc {
    double m, A, C, a, b;
} disc;

static root balance(const disc *x, root theta, root w2, root w3)
{
    const root p2 = x->b * csin(theta), p3 = x->a + x->b * ccos(theta);
    const root h = x->a + x->b / ccos(theta);
    return x->C * w2 * w3 - x->A * w3 * w3 * ctan(theta) + x->m * w3 * (w2 * p3 - w3 * p2) * h +
           x->m * g * x->a * csin(theta);
}

/* s^2 about the steady motion with (theta, w2, w3) */
static double square_of_turning(const disc *x, double theta, double w2, double w3)
{
    const double s = sin(theta), c = cos(theta), t = s / c;
    const double p2 = x->b * s, p3 = x->a + x->b * c,
                 k = w3 * (x->a + x->b / c) - x->b * (w2 * s + w3 * c);
    /* [C + m p3^2, -m p2 p3; -m p2 p3, A + m p2^2] (alpha, beta) = (-m p3 k, ...) */
    const double aa = x->C + x->m * p3 * p3, ab = -x->m * p2 * p3, bb = x->A + x->m * p2 * p2;
    const double ra = -x->m * p3 * k, rb = -x->C * w2 + x->A * w3 * t + x->m * p2 * k;
    const double d = aa * bb - ab * ab;
    const double alpha = (ra * bb - ab * rb) / d, beta = (aa * rb - ab * ra) / d, e = 1e-40;
    const double slope =
        cimag(balance(x, theta + e * I, w2 + alpha * e * I, w3 + beta * e * I)) / e;
    return slope / (x->A + x->m * (p2 * p2 + p3 * p3));
}

/* About straight rolling with the spin W = v/(a + b), R = a + b:
 *     (A + m R^2) theta'' = (C + m R^2) W psi' + m g a theta,   A psi'' = -C W theta',
 *     s^2 = (m g a - C (C + m R^2) W^2/A)/(A + m R^2). */
static double square_of_straight(const disc *x, double v)
{
    const double R = x->a + x->b, W = v / R, J = x->C + x->m * R * R;
    return (x->m * g * x->a - x->C * J * W * W / x->A) / (x->A + x->m * R * R);
}

static disc uniform(double tube)
{
    const double m = 1.3, r = 0.25;
    return (disc){m, m * r * r / 4, m * r * r / 2, r, tube};
}

static void check_straight(double v, double tube)
{
    const disc x = uniform(tube);
    const double s2 = square_of_straight(&x, v);
    const root s[2] = {csqrt(s2), -csqrt(s2)};
    check_file("examples/rolling-disc.yaml", (named_value[]){{"v", v}, {"tube", tube}}, 2, s, 2, 5,
               3);
    /* the same from the formula for turning */
    assert_true(fabs(square_of_turning(&x, 0, v / (x.a + x.b), 0) - s2) <= 1e-13 * fabs(s2));
}

static void a_disc_that_rolls_straight(void **unused)
{
    (void)unused;
    const double speeds[5] = {0.3, 0.7, 1, 2, 5};
    for (int k = 0; k < 5; k++) check_straight(speeds[k], 0);
}

static void a_torus_that_rolls_straight(void **unused)
{
    (void)unused;
    const double speeds[5] = {0.3, 0.7, 1, 2, 5};
    for (int k = 0; k < 5; k++) check_straight(speeds[k], 0.04);
}

/* s^2 = 0 at  W^2 = m g a A/(C (C + m R^2)); of a thin uniform disc v^2 = g r/3. */
static void the_speed_at_which_it_stands(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++) {
        const disc x = uniform(k * 0.04);
        const double R = x.a + x.b;
        const double v = R * sqrt(x.m * g * x.a * x.A / (x.C * (x.C + x.m * R * R)));
        if (k == 0) assert_true(fabs(v - sqrt(g * x.a / 3)) <= 1e-14);
        for (int side = -1; side <= 1; side += 2) {
            const double off = v * (1 + side * 1e-4), s2 = square_of_straight(&x, off);
            const root s[2] = {csqrt(s2), -csqrt(s2)};
            assert_true(side * s2 < 0);
            check_file("examples/rolling-disc.yaml", (named_value[]){{"v", off}, {"tube", x.b}}, 2,
                       s, 2, 5, 3);
        }
    }
}

/* A torus without a centre line is a ball: its axle, no more than a mark on it, goes round the
 * direction of rolling as seen from the ground. With like moments s^2 = -W^2. */
static void a_ball(void **unused)
{
    (void)unused;
    const disc x = {1.3, 0.03, 0.03, 0, 0.25};
    const double s2 = square_of_straight(&x, 2);
    assert_true(fabs(s2 + 64) <= 1e-13 * 64);
    check_file("examples/rolling-disc.yaml",
               (named_value[]){{"v", 2}, {"r", 0}, {"tube", 0.25}, {"A", 0.03}, {"C", 0.03}}, 5,
               (root[]){8 * I, -8 * I}, 2, 5, 3);
}

/* w2 of the steady motion, in which F is linear */
static double steady_spin(const disc *x, double theta, double w3)
{
    const double none = creal(balance(x, theta, 0, w3)), one = creal(balance(x, theta, 1, w3));
    return -none / (one - none);
}

static void check_turning(double theta, double rate, double tube)
{
    const disc x = {1.3, 0.021, 0.039, 0.25, tube};
    const double w3 = rate * cos(theta);
    const double s2 = square_of_turning(&x, theta, steady_spin(&x, theta, w3), w3);
    const root s[4] = {csqrt(s2), -csqrt(s2), I * rate, -I * rate};
    check_file("tests/closed_form/turning_disc.yaml",
               (named_value[]){{"theta", theta}, {"rate", rate}, {"tube", tube}}, 3, s, 4, 5, 3);
}

static void a_disc_that_rolls_in_a_circle(void **unused)
{
    (void)unused;
    check_turning(0.3, -1.7, 0);
    check_turning(0.8, -4, 0);
    check_turning(0.05, -0.5, 0); /* too slow: it falls */
    check_turning(0.5, -20, 0);
    check_turning(-0.4, 2.5, 0);
}

static void a_torus_that_rolls_in_a_circle(void **unused)
{
    (void)unused;
    check_turning(0.3, -1.7, 0.03);
    check_turning(0.8, -4, 0.03);
    check_turning(0.05, -0.5, 0.03);
}

/* Upright and without rolling: s^2 = m g a/(A + m R^2) - rate^2. */
static void a_disc_that_spins_in_place(void **unused)
{
    (void)unused;
    const double rates[3] = {2, 5, 9}, tubes[2] = {0, 0.03};
    for (int k = 0; k < 6; k++) {
        const double b = tubes[k % 2], R = 0.25 + b, w = rates[k / 2];
        const double s2 = 1.3 * g * 0.25 / (0.021 + 1.3 * R * R) - w * w;
        const disc x = {1.3, 0.021, 0.039, 0.25, b};
        assert_true(fabs(square_of_turning(&x, 0, 0, w) - s2) <= 1e-13 * fabs(s2));
        check_turning(0, w, b);
    }
}

/* ---- other rows of velocity ------------------------------------------------------------------ */

/* With the blade a behind the centre of mass and the forward speed u of the blade,
 *     m u' = m a w^2,    (J + m a^2) w' = -m a u w
 * (Chaplygin 1911; Neimark and Fufaev, chapter III), so about w = 0 the rate of turning dies out
 * as exp(-m a u t/(J + m a^2)), or grows where the blade is in front. */
static void a_sleigh(void **unused)
{
    (void)unused;
    const double speeds[5] = {2, 0.5, 10, -1, -4}, m = 3, a = 0.4, J = 0.7;
    for (int k = 0; k < 5; k++)
        check_file("tests/closed_form/sleigh.yaml", (named_value[]){{"speed", speeds[k]}}, 1,
                   (root[]){-m * a * speeds[k] / (J + m * a * a)}, 1, 3, 2);
}

/* (J1 + J2/ratio^2) s^2 + c/ratio^2 s + k = 0, and a zero of the second angle */
static void gears_by_velocity(void **unused)
{
    (void)unused;
    const double n = 2.5;
    root s[2];
    polynomial_roots((root[]){40, 0.9 / (n * n), 0.3 + 1.1 / (n * n)}, 2, s);
    check_file("tests/closed_form/geared_by_velocity.yaml", NULL, 0, s, 2, 2, 1);
}

/* (m + J/r^2) s^2 + k = 0, and a zero of its angle */
static void a_row_of_ones_own(void **unused)
{
    (void)unused;
    const double w = sqrt(30 / (2 + 0.05 / 0.04));
    check_file("tests/closed_form/rolling_cylinder.yaml", NULL, 0, (root[]){w * I, -w * I}, 2, 2,
               1);
}

/* ---- bicycles -------------------------------------------------------------------------------- */

/* Table 2 of J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab, Linearized dynamics
 * equations for the balance and steer of a bicycle: a benchmark and review, Proceedings of the
 * Royal Society A 463 (2007): the weave pair (two real ones at rest), capsize and castering at 0,
 * 1, .. 10 m/s, 14 decimal places. Their canonical equations in 40 digits give the same. */
static const struct {
    root weave[2], capsize, castering;
} benchmark[11] = {
    {{3.13164324790656, 5.53094371765393}, -3.13164324790656, -5.53094371765393},
    {{3.52696170990070 + 0.80774027519930 * I, 3.52696170990070 - 0.80774027519930 * I},
     -3.13423125066578,
     -7.11008014637442},
    {{2.68234517512745 + 1.68066296590675 * I, 2.68234517512745 - 1.68066296590675 * I},
     -3.07158645641514,
     -8.67387984831735},
    {{1.70675605663975 + 2.31582447384325 * I, 1.70675605663975 - 2.31582447384325 * I},
     -2.63366137253667,
     -10.35101467245920},
    {{0.41325331521125 + 3.07910818603206 * I, 0.41325331521125 - 3.07910818603206 * I},
     -1.42944427361326,
     -12.15861426576447},
    {{-0.77534188219585 + 4.46486771378823 * I, -0.77534188219585 - 4.46486771378823 * I},
     -0.32286642900409,
     -14.07838969279822},
    {{-1.52644486584142 + 5.87673060598709 * I, -1.52644486584142 - 5.87673060598709 * I},
     -0.00406690076970,
     -16.08537123098026},
    {{-2.13875644258362 + 7.19525913329805 * I, -2.13875644258362 - 7.19525913329805 * I},
     0.10268170574766,
     -18.15788466125262},
    {{-2.69348683581097 + 8.46037971396931 * I, -2.69348683581097 - 8.46037971396931 * I},
     0.14327879765713,
     -20.27940894394569},
    {{-3.21675402252485 + 9.69377351531791 * I, -3.21675402252485 - 9.69377351531791 * I},
     0.15790184030917,
     -22.43788559040858},
    {{-3.72016840437287 + 10.90681139476287 * I, -3.72016840437287 - 10.90681139476287 * I},
     0.16105338653172,
     -24.62459635017404},
};

/* The eigenvalue nearest to s is recorded for docs/validation.md. */
static void record_nearest(const whole *x, const whole_way *way, int v, const char *mode,
                           bool imaginary, root s, double scale)
{
    char quantity[64];
    const double *nearest = x->modes->modes[0].eigenvalue;
    for (int k = 1; k < x->modes->n; k++) {
        const double *found = x->modes->modes[k].eigenvalue;
        if (cabs(found[0] + I * found[1] - s) < cabs(nearest[0] + I * nearest[1] - s))
            nearest = found;
    }
    snprintf(quantity, sizeof quantity, "%d m/s: %s", v, mode);
    record_line(.paper = "Meijaard, Papadopoulos, Ruina, Schwab 2007", .table = "Table 2",
                .quantity = quantity, .reference = imaginary ? cimag(s) : creal(s),
                .computed = nearest[imaginary], .coordinates = way->coordinates,
                .method = way->method, .scale = scale);
}

static void record_benchmark(int v)
{
    char speed[16];
    snprintf(speed, sizeof speed, "%d", v);
    whole_way way = {.n_settings = 1, .settings = {{"v", speed}}};
    for (int k = 0; whole_next_way(&k, &way);) {
        whole x = whole_read("examples/bicycle-whipple.yaml", &way);
        const root weave = benchmark[v].weave[0];
        record_nearest(&x, &way, v, "weave, Re s", false, weave, cabs(weave));
        record_nearest(&x, &way, v, "weave, Im s", true, weave, cabs(weave));
        record_nearest(&x, &way, v, "capsize", false, benchmark[v].capsize, 1);
        record_nearest(&x, &way, v, "castering", false, benchmark[v].castering, 0);
        whole_release(&x);
    }
}

/* At 6 m/s capsize is printed to 12 digits only. */
static void the_benchmark_bicycle(void **unused)
{
    (void)unused;
    for (int v = 0; v <= 10; v++)
        check_file("examples/bicycle-whipple.yaml", (named_value[]){{"v", v}}, 1,
                   (root[]){benchmark[v].weave[0], benchmark[v].weave[1], benchmark[v].capsize,
                            benchmark[v].castering},
                   4, 7, 3);
    for (int v = 1; v <= 10; v++) record_benchmark(v);
}

/* Table 2 also has the speeds between which it rides by itself: there a pair, and then capsize, are
 * on the imaginary axis. */
static void the_benchmarks_range_of_speeds(void **unused)
{
    (void)unused;
    const char *const speeds[2] = {"4.29238253634111", "6.02426201538837"};
    const root critical[2] = {3.43503384866144 * I, 0};
    for (int k = 0; k < 2; k++) {
        const whole_way way = {.n_settings = 1, .settings = {{"v", speeds[k]}}};
        whole x = whole_read("examples/bicycle-whipple.yaml", &way);
        double least = INFINITY;
        for (int i = 0; i < x.modes->n; i++) {
            const double *s = x.modes->modes[i].eigenvalue;
            if (k == 0 || !x.modes->modes[i].rigid)
                least = fmin(least, cabs(s[0] + I * s[1] - critical[k]));
        }
        /* the speeds have 14 decimals, and d Re s/dv is some 1 per m */
        if (k == 0) assert_true(least <= 1e-12);
        /* capsize is either taken for a seventh zero or this small */
        if (k == 1) assert_true(least <= 1e-12 || x.modes->n_zero == 7);
        whole_release(&x);
    }
}

/* A Whipple bicycle in the axes of the paper: x forward, z down. */
typedef struct whipple {
    double w, c, lambda;                 /* wheelbase, trail, tilt */
    double rR, mR, IRxx, IRyy;           /* rear wheel */
    double xB, zB, mB, IBxx, IBzz, IBxz; /* frame */
    double xH, zH, mH, IHxx, IHzz, IHxz; /* fork */
    double rF, mF, IFxx, IFyy;           /* front wheel */
} whipple;

/* M q'' + v C1 q' + (g K0 + v^2 K2) q = 0 for lean and steer, appendix A of the paper. */
static void canonical(const whipple *p, double M[4], double C1[4], double K0[4], double K2[4])
{
    const double s = sin(p->lambda), c = cos(p->lambda);
    const double mT = p->mR + p->mB + p->mH + p->mF;
    const double xT = (p->xB * p->mB + p->xH * p->mH + p->w * p->mF) / mT;
    const double zT = (-p->rR * p->mR + p->zB * p->mB + p->zH * p->mH - p->rF * p->mF) / mT;
    const double ITxx = p->IRxx + p->IBxx + p->IHxx + p->IFxx + p->mR * p->rR * p->rR +
                        p->mB * p->zB * p->zB + p->mH * p->zH * p->zH + p->mF * p->rF * p->rF;
    const double ITxz =
        p->IBxz + p->IHxz - p->mB * p->xB * p->zB - p->mH * p->xH * p->zH + p->mF * p->w * p->rF;
    const double ITzz = p->IRxx + p->IBzz + p->IHzz + p->IFxx + p->mB * p->xB * p->xB +
                        p->mH * p->xH * p->xH + p->mF * p->w * p->w;
    const double mA = p->mH + p->mF;
    const double xA = (p->xH * p->mH + p->w * p->mF) / mA;
    const double zA = (p->zH * p->mH - p->rF * p->mF) / mA;
    const double hx = p->xH - xA, hz = p->zH - zA, fx = p->w - xA, fz = p->rF + zA;
    const double IAxx = p->IHxx + p->IFxx + p->mH * hz * hz + p->mF * fz * fz;
    const double IAxz = p->IHxz - p->mH * hx * hz + p->mF * fx * fz;
    const double IAzz = p->IHzz + p->IFxx + p->mH * hx * hx + p->mF * fx * fx;
    const double uA = (xA - p->w - p->c) * c - zA * s;
    const double IAll = mA * uA * uA + IAxx * s * s + 2 * IAxz * s * c + IAzz * c * c;
    const double IAlx = -mA * uA * zA + IAxx * s + IAxz * c;
    const double IAlz = mA * uA * xA + IAxz * s + IAzz * c;
    const double mu = p->c / p->w * c, SR = p->IRyy / p->rR, SF = p->IFyy / p->rF, ST = SR + SF;
    const double SA = mA * uA + mu * mT * xT;
    M[0] = ITxx;
    M[1] = M[2] = IAlx + mu * ITxz;
    M[3] = IAll + 2 * mu * IAlz + mu * mu * ITzz;
    K0[0] = mT * zT;
    K0[1] = K0[2] = -SA;
    K0[3] = -SA * s;
    K2[0] = K2[2] = 0;
    K2[1] = (ST - mT * zT) / p->w * c;
    K2[3] = (SA + SF * s) / p->w * c;
    C1[0] = 0;
    C1[1] = mu * ST + SF * c + ITxz / p->w * c - mu * mT * zT;
    C1[2] = -(mu * ST + SF * c);
    C1[3] = IAlz / p->w * c + mu * (SA + ITzz / p->w * c);
}

static void canonical_roots(const whipple *p, double v, root s[4])
{
    double M[4], C[4], K0[4], K2[4];
    root entry[4][3], c[5] = {0};
    canonical(p, M, C, K0, K2);
    for (int k = 0; k < 4; k++) {
        entry[k][0] = g * K0[k] + v * v * K2[k];
        entry[k][1] = v * C[k];
        entry[k][2] = M[k];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c[i + j] += entry[0][i] * entry[3][j] - entry[1][i] * entry[2][j];
    polynomial_roots(c, 4, s);
}

/* The example without the roundness of its tyres is a Whipple bicycle. */
static void a_bicycle_of_ones_own(void **unused)
{
    (void)unused;
    const double pi = 3.1415926535897932384626433832795, r = 0.31, m = 2.2;
    const whipple p = {1.0,   0.06, 18 * pi / 180, r,   m,     m * r * r / 2, m * r * r, 0.42,
                       -0.55, 9,    0.35,          0.6, -0.12, 0.88,          -0.72,     2.6,
                       0.16,  0.02, -0.03,         r,   m,     m * r * r / 2, m * r * r};
    const double speeds[5] = {0.5, 2, 3.5, 6, 8};
    for (int k = 0; k < 5; k++) {
        root s[4];
        canonical_roots(&p, speeds[k], s);
        check_file("examples/bicycle.yaml", (named_value[]){{"v", speeds[k]}, {"tube", 0}}, 2, s, 4,
                   7, 3);
    }
}

static double fastest_growth(const char *v)
{
    const whole_way way = {.n_settings = 1, .settings = {{"v", v}}};
    whole x = whole_read("examples/bicycle.yaml", &way);
    double most = -INFINITY;
    int pairs = 0;
    for (int k = 0; k < x.modes->n; k++) {
        const routh_mode *mode = &x.modes->modes[k];
        if (mode->rigid) continue;
        most = fmax(most, mode->eigenvalue[0]);
        pairs += mode->eigenvalue[1] > 0;
    }
    assert_int_equal(pairs, 1);
    whole_release(&x);
    return most;
}

/* With its round tyres: it weaves when slow, rides by itself, and capsizes when fast. */
static void it_rides_by_itself_at_some_speeds(void **unused)
{
    (void)unused;
    assert_true(fastest_growth("2.5") > 0.1);
    assert_true(fastest_growth("3.2") < -0.1);
    assert_true(fastest_growth("6") > 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disc_that_rolls_straight),
        cmocka_unit_test(a_torus_that_rolls_straight),
        cmocka_unit_test(the_speed_at_which_it_stands),
        cmocka_unit_test(a_ball),
        cmocka_unit_test(a_disc_that_rolls_in_a_circle),
        cmocka_unit_test(a_torus_that_rolls_in_a_circle),
        cmocka_unit_test(a_disc_that_spins_in_place),
        cmocka_unit_test(a_sleigh),
        cmocka_unit_test(gears_by_velocity),
        cmocka_unit_test(a_row_of_ones_own),
        cmocka_unit_test(the_benchmark_bicycle),
        cmocka_unit_test(the_benchmarks_range_of_speeds),
        cmocka_unit_test(a_bicycle_of_ones_own),
        cmocka_unit_test(it_rides_by_itself_at_some_speeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
