/* Formulas that the papers print and that are wrong: the numbers they give, the right ones, and
 * that the term in question is what makes the difference. Every wrong number comes from the wrong
 * formula, evaluated here, often on matrices of this library with the term left out. Right numbers
 * were computed without this library, in closed form where one is written here. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "routh/answers.h"
#include "support/mechanisms.h"
#include "support/record.h"

static const double tolerance = 1e-9, g = 9.81;
static const char trom[] = "Trom 1990", ge[] = "Ge, Zhao, Chen, Liu 2005",
                  negrut[] = "Negrut and Ortiz 2006";

typedef struct cell {
    routh_model *model;
    routh_mechanism *m;
    routh_operating_point *point;
} cell;

static void cell_make(cell *c, const char *yaml, const char *set)
{
    routh_error e;
    *c = (cell){0};
    if (routh_model_parse(&c->model, yaml, strlen(yaml), "test", NULL, 0, &e) ||
        routh_mechanism_compile(&c->m, c->model, set, &e) ||
        routh_operating_point_find(&c->point, c->m, NULL, &e))
        fail_msg("%s\n%s", e.message, yaml);
}

static void cell_release(cell *c)
{
    routh_operating_point_free(c->point);
    routh_mechanism_free(c->m);
    routh_model_free(c->model);
}

static routh_linear *linear_of(const cell *c, int n)
{
    routh_error e;
    routh_linear *linear;
    if (routh_linear_compute(&linear, c->m, c->point, NULL, &e)) fail_msg("%s", e.message);
    assert_int_equal(linear->n_position, n);
    return linear;
}

static void check(double found, double expected, const char *what)
{
    if (!(fabs(found - expected) <= tolerance * fmax(1, fabs(expected))))
        fail_msg("%s is %.15g and should be %.15g", what, found, expected);
}

/* The eigenvalues of M^-1 K, 2 x 2, ascending. */
static void two_eigenvalues(const double *M, const double *K, double x[2])
{
    const double a = M[0] * M[3] - M[1] * M[2], d = K[0] * K[3] - K[1] * K[2];
    const double b = M[0] * K[3] + M[3] * K[0] - M[1] * K[2] - M[2] * K[1];
    const double w = sqrt(b * b - 4 * a * d);
    x[0] = (b - w) / (2 * a);
    x[1] = (b + w) / (2 * a);
}

/* ---- Trom, below (4.12): "the partial of the Jacobian is orthogonal to lambda" --------------- */

/* Cranks of length a, hanging, and b, hanging (b > 0) or standing (b < 0), and a coupler. The loop
 * is cut at the ball joint, as in the thesis, so the multipliers of relative coordinates are its
 * lambda and K without them is its Q2' K_l Q2. */
static void write_loop(growing_text *t, double a, double b, double mass, double inertia)
{
    text_add(
        t,
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  crank_1: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: [0, 0, %.17g]}\n"
        "  coupler: {mass: 10, inertia: [5, 0.1, 5], position: [0, 0.5, %.17g]}\n"
        "  crank_2: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: [0, 1, %.17g]}\n"
        "joints:\n"
        "  ceiling_1: {type: revolute, between: [crank_1, ground], at: [0, 0, 0], axis: x}\n"
        "  cross: {type: universal, between: [coupler, crank_1], at: [0, 0, %.17g], axis: y}\n"
        "  ball: {type: spherical, between: [coupler, crank_2], at: [0, 1, %.17g], cut: true}\n"
        "  ceiling_2: {type: revolute, between: [crank_2, ground], at: [0, 1, %.17g], axis: "
        "x}\n"
        "linearize: {states: [crank_1.rx]}\n",
        mass, inertia, inertia, inertia, -a / 2, -a, mass, inertia, inertia, inertia, -a + b / 2,
        -a, -a, b - a);
}

typedef struct loop_case {
    const char *name;
    double a, b, mass, inertia;
    double with, without; /* omega^2 */
} loop_case;

/* Massless cranks: 1e-11 of the coupler's mass, which is below the tolerance. */
static const loop_case loops[] = {
    {"A", 1, 1, 10, 5, 7.848, 7.848},
    {"B", 1, 2, 10, 5, 6.924705882352941, 8.078823529411765},
    {"C", 2, 1, 10, 5, 6.924705882352941, 5.770588235294118},
    {"D", 1, -0.5, 1e-10, 1e-10, -4.905, 9.81},
    {"E", 1, -1, 1e-10, 1e-10, 0, 9.81},
};

static void the_multiplier_term_of_a_closed_loop_is_not_zero(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof loops / sizeof loops[0]; k++) {
        const loop_case *x = &loops[k];
        growing_text text = {0};
        char quantity[64];
        cell c;
        write_loop(&text, x->a, x->b, x->mass, x->inertia);
        cell_make(&c, text.bytes, "relative");
        routh_linear *with = linear_of(&c, 1);
        assert_int_equal(c.m->n_rows, 3);
        memset(c.point->state->lambda, 0, 3 * sizeof(double));
        routh_linear *without = linear_of(&c, 1);
        const double right = with->stiffness[0] / with->mass[0];
        const double wrong = without->stiffness[0] / without->mass[0];
        check(right, x->with, "omega^2 with the multipliers");
        check(wrong, x->without, "omega^2 without the multipliers");
        snprintf(quantity, sizeof quantity, "omega^2, cranks %g and %g (case %s)", x->a, x->b,
                 x->name);
        record_value(trom, "Section 4.4", quantity, k == 0 ? "7.848" : NULL, x->with, right);
        snprintf(quantity, sizeof quantity, "the same by (4.13), without the term (case %s)",
                 x->name);
        record_value(trom, "Section 4.4", quantity, NULL, x->without, wrong);
        routh_linear_free(with);
        routh_linear_free(without);
        cell_release(&c);
        free(text.bytes);
    }
}

/* It is a property of the loop: absolute coordinates, whose multipliers are others, agree. */
static void absolute_coordinates_have_the_term_too(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof loops / sizeof loops[0]; k++) {
        growing_text text = {0};
        cell c;
        write_loop(&text, loops[k].a, loops[k].b, loops[k].mass, loops[k].inertia);
        cell_make(&c, text.bytes, NULL);
        routh_linear *linear = linear_of(&c, 1);
        check(linear->stiffness[0] / linear->mass[0], loops[k].with, loops[k].name);
        routh_linear_free(linear);
        cell_release(&c);
        free(text.bytes);
    }
}

/* ---- Trom, (5.1): 2 (dB/dq)' M B q'' --------------------------------------------------------- */

/* The pendulum trails behind a slider that is driven at 5 m/s^2. B of the bodies' velocities:
 * slider (1, 0), pendulum's mass (1, l cos), (0, l sin), its turn (0, 1). */
static void twice_one_half_of_a_symmetric_derivative_is_not_the_derivative(void **unused)
{
    (void)unused;
    const double drive = 5, angle = -atan(5 / g), m2 = 10, m3 = 20, J = 15, l = 1;
    growing_text text = {0};
    cell c;
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
             sin(angle), -cos(angle), angle, (m2 + m3) * drive);
    cell_make(&c, text.bytes, NULL);
    routh_linear *linear = linear_of(&c, 2);
    const double B[4][2] = {{1, 0}, {1, l * cos(angle)}, {0, l * sin(angle)}, {0, 1}};
    const double dB[4][2] = {{0, 0}, {0, -l * sin(angle)}, {0, l * cos(angle)}, {0, 0}};
    const double mass[4] = {m2, m3, m3, J}, acceleration[2] = {drive, 0};
    double both = 0, doubled = 0; /* row 2 of d/dangle (B'M B q'') */
    for (int i = 0; i < 4; i++) {
        double a = 0, da = 0;
        for (int k = 0; k < 2; k++)
            a += B[i][k] * acceleration[k], da += dB[i][k] * acceleration[k];
        both += mass[i] * (dB[i][1] * a + B[i][1] * da);
        doubled += mass[i] * 2 * dB[i][1] * a;
    }
    const double weight = m3 * g * l * cos(angle), *M = linear->mass;
    const double wrong = weight + doubled, reduced = M[3] - M[1] * M[2] / M[0];
    const double found = linear->stiffness[3];
    check(found, weight + both, "stiffness");
    check(found, 220.2145317639, "stiffness");
    check(found / reduced, 9.019226106003, "omega^2");
    check(wrong, 265.6247956548, "stiffness by (5.1)");
    check(wrong / reduced, 10.87907356604, "omega^2 by (5.1)");
    record_value(trom, "(5.1)", "K of the driven slider's pendulum", NULL, 220.2145317639, found);
    record_value(trom, "(5.1)", "K by the formula as printed", NULL, 265.6247956548, wrong);
    record_value(trom, "(5.1)", "omega^2", NULL, 9.019226106003, found / reduced);
    record_value(trom, "(5.1)", "omega^2 by the formula as printed", NULL, 10.87907356604,
                 wrong / reduced);
    routh_linear_free(linear);
    cell_release(&c);
    free(text.bytes);
}

/* ---- Trom, (5.5) and (5.14): 2 dA J' A' ------------------------------------------------------ */

/* A body hinged about x to a shaft that turns about z at the rate w. h = w~ A J' A' w; d/dangle of
 * its component along the hinge, with both halves and with twice one. */
static void twice_one_half_of_the_inertia_is_not_its_derivative(void **unused)
{
    (void)unused;
    const double mass = 10, arm = 0.5, angle = 3.14159265358979323846 / 6;
    const double J[3] = {0.9, 0.7, 0.2}, s = sin(angle), co = cos(angle), w = 4.345037836716818;
    growing_text text = {0};
    cell c;
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
             arm * s, -arm * co, -w * arm * s, angle, w);
    cell_make(&c, text.bytes, NULL);
    routh_linear *linear = linear_of(&c, 2);
    routh_modes *modes;
    routh_error e;
    if (routh_modes_compute(&modes, linear, &e)) fail_msg("%s", e.message);
    /* the hinge's moment of the inertia J(angle) at rate w: -w^2 (A J' A')_yz */
    const double A[2][3] = {{0, co, -s}, {0, s, co}}, dA[2][3] = {{0, -s, -co}, {0, co, -s}};
    double both = 0, doubled = 0;
    for (int k = 0; k < 3; k++) {
        both -= w * w * J[k] * (dA[0][k] * A[1][k] + A[0][k] * dA[1][k]);
        doubled -= w * w * J[k] * 2 * dA[0][k] * A[1][k];
    }
    const double point = mass * g * arm * co - mass * arm * arm * w * w * cos(2 * angle);
    const double right = point + both, wrong = point + doubled;
    /* theta'' + (K + C^2/I_z)/I_x theta = 0, I_z = J_zz of the turned body about the shaft */
    const double I_x = J[0] + mass * arm * arm;
    const double I_z = J[1] * s * s + J[2] * co * co + mass * arm * arm * s * s;
    const double C = 2 * w * (J[1] - J[2] + mass * arm * arm) * s * co;
    double omega = 0;
    for (int k = 0; k < modes->n; k++) omega = fmax(omega, modes->modes[k].eigenvalue[1]);
    check(right, 14.15951535188, "K22");
    check(wrong, 31.15093377413, "K22 by (5.5) and (5.14)");
    check(sqrt((right + C * C / I_z) / I_x), 6.604416801292, "omega of the closed form");
    check(sqrt((wrong + C * C / I_z) / I_x), 6.972502943114, "omega by (5.5) and (5.14)");
    check(omega, 6.604416801292, "omega");
    record_value(trom, "(5.5), (5.14)", "omega of the pendulum on a rotating shaft", NULL,
                 6.604416801292, omega);
    record_value(trom, "(5.5), (5.14)", "omega by the formula as printed", NULL, 6.972502943114,
                 sqrt((wrong + C * C / I_z) / I_x));
    routh_modes_free(modes);
    routh_linear_free(linear);
    cell_release(&c);
    free(text.bytes);
}

/* ---- Ge et al., (56): the sign of K ---------------------------------------------------------- */

/* K in the displacements of the ends, x2 = L1 phi1, x3 = x2 + L2 phi2: T^-T K T^-1 */
static void to_displacements(const double *K, double L1, double L2, double out[4])
{
    const double S[4] = {1 / L1, 0, -1 / L2, 1 / L2}; /* (phi1, phi2) = S (x2, x3) */
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            out[2 * i + j] = 0;
            for (int k = 0; k < 2; k++)
                for (int l = 0; l < 2; l++)
                    out[2 * i + j] += S[2 * k + i] * K[2 * k + l] * S[2 * l + j];
        }
}

static void the_hanging_double_pendulum_is_stable(void **unused)
{
    (void)unused;
    const double L1 = 1, L2 = 0.7, m1 = 2, m2 = 3;
    const double reference[2] = {7.840207468477811, 74.26701942227849};
    const double K56[4] = {-g * (m1 * L2 + m2 * L1 + 2 * m2 * L2) / (2 * L1 * L2),
                           m2 * g / (2 * L2), m2 * g / (2 * L2), -m2 * g / (2 * L2)};
    const double M55[4] = {(m1 + m2) / 3, m2 / 6, m2 / 6, m2 / 3};
    double M[4], K[4], found[2], printed[2];
    cell c;
    cell_make(&c,
              "gravity: [0, -9.81, 0]\n"
              "bodies:\n"
              "  one: {mass: 2, inertia: [2*1/12, 0.01, 2*1/12], position: [0, -0.5, 0]}\n"
              "  two: {mass: 3, inertia: [3*0.49/12, 0.01, 3*0.49/12], position: [0, -1.35, 0]}\n"
              "joints:\n"
              "  top: {type: revolute, between: [one, ground], at: [0, 0, 0]}\n"
              "  middle: {type: revolute, between: [one, two], at: [0, -1, 0]}\n"
              "linearize: {states: [one.rz, two.rz]}\n",
              NULL);
    routh_linear *linear = linear_of(&c, 2);
    to_displacements(linear->mass, L1, L2, M);
    to_displacements(linear->stiffness, L1, L2, K);
    for (int k = 0; k < 4; k++) {
        check(M[k], M55[k], "M of (55)");
        check(K[k], -K56[k], "K of (56), its sign turned");
    }
    two_eigenvalues(M, K, found);
    two_eigenvalues(M55, K56, printed);
    for (int k = 0; k < 2; k++) {
        check(found[k], reference[k], "omega^2");
        check(printed[k], -reference[1 - k], "omega^2 by (56)");
        record_value(ge, "(55), (56)", k ? "omega_2^2" : "omega_1^2", NULL, reference[k], found[k]);
        record_value(ge, "(55), (56)", k ? "omega_2^2 as printed" : "omega_1^2 as printed", NULL,
                     -reference[1 - k], printed[k]);
    }
    routh_linear_free(linear);
    cell_release(&c);
}

/* ---- Ge et al., (59), (64): the sign of the spring ------------------------------------------- */

static void the_spring_of_the_pendulum_pulls_back(void **unused)
{
    (void)unused;
    const double k = 40, L = 0.8, m1 = 2, m2 = 3, a = m2 * g / L;
    const double reference[2] = {5.421746222944013, 45.23450377705599};
    const double diagonal[4] = {m1, 0, 0, m2};
    const double K59[4] = {a - k / 2, -a, -a, a}, K64[4] = {a - k, -a, -a, a};
    const double of_59[2] = {-4.814370369509776, 25.47062036950978},
                 of_64[2] = {-11.21390982089265, 21.87015982089265};
    double found[2], by_64[2], by_59[2], M[4], K[4];
    cell c;
    cell_make(&c,
              "gravity: [0, -9.81, 0]\n"
              "bodies:\n"
              "  slider: {mass: 2, inertia: [1, 1, 1]}\n"
              "  bob: {mass: 3, inertia: [1, 1, 1], position: [0, -0.8, 0]}\n"
              "joints:\n"
              "  guide: {type: translational, between: [slider, ground], at: [0, 0, 0], axis: x}\n"
              "  thread: {type: rod, between: [bob, slider], length: 0.8}\n"
              "  upright: {type: orientation, between: [bob, ground]}\n"
              "  plane: {type: expression, expression: DZ(bob)}\n"
              "loads:\n"
              "  spring: {type: bushing, between: [slider, ground], translation: {stiffness: [40, "
              "0, 0]}}\n"
              "linearize: {states: [slider.x, bob.x]}\n",
              NULL);
    routh_linear *linear = linear_of(&c, 2);
    memcpy(M, linear->mass, sizeof M);
    memcpy(K, linear->stiffness, sizeof K);
    const double right[4] = {a + k, -a, -a, a};
    for (int i = 0; i < 4; i++) check(K[i], right[i], "K");
    two_eigenvalues(M, K, found);
    two_eigenvalues(diagonal, K64, by_64);
    two_eigenvalues(diagonal, K59, by_59);
    for (int i = 0; i < 2; i++) {
        check(found[i], reference[i], "omega^2");
        check(by_64[i], of_64[i], "omega^2 by (64)");
        check(by_59[i], of_59[i], "omega^2 by the left side of (59)");
        record_value(ge, "(59)-(64)", i ? "omega_2^2" : "omega_1^2", NULL, reference[i], found[i]);
        record_value(ge, "(59)-(64)", i ? "omega_2^2 by (64)" : "omega_1^2 by (64)", NULL, of_64[i],
                     by_64[i]);
        record_value(ge, "(59)-(64)", i ? "omega_2^2 by (59)" : "omega_1^2 by (59)", NULL, of_59[i],
                     by_59[i]);
    }
    assert_true(by_64[0] < 0 && by_59[0] < 0 &&
                found[0] > 0); /* the wrong sign makes it unstable */
    routh_linear_free(linear);
    cell_release(&c);
}

/* ---- Negrut and Ortiz, (9): one inverse too many --------------------------------------------- */

/* K = -Mhat y''_y, C = -Mhat y''_y' and not -Mhat^-1 .. */
static void the_inverse_in_negrut_and_ortiz_9_is_wrong(void **unused)
{
    (void)unused;
    cell c;
    cell_make(&c,
              "gravity: [0, -9.81, 0]\n"
              "bodies: {bob: {mass: 2, inertia: [1, 1, 1e-11], position: [0, -1.5, 0]}}\n"
              "joints: {hinge: {type: revolute, between: [bob, ground], at: [0, 0, 0]}}\n"
              "loads: {friction: {type: torsion_spring, between: [bob, ground], axis: z, "
              "stiffness: 0, damping: 0.6}}\n"
              "linearize: {states: [bob.rz]}\n",
              NULL);
    routh_linear *linear = linear_of(&c, 1);
    const double M = linear->mass[0], of_y = linear->A[2], of_rate = linear->A[3];
    check(M, 2 * 1.5 * 1.5, "M");
    check(linear->stiffness[0], 29.43, "K");
    check(linear->damping[0], 0.6, "C");
    check(-M * of_y, 29.43, "-M y''_y");
    assert_true(fabs(-of_y / M - 1.4533) < 5e-5);
    assert_true(fabs(-of_rate / M - 0.02963) < 5e-6);
    check(-of_y / M, 29.43 / (M * M), "K by (9)");
    record_value(negrut, "(9)", "K of a pendulum", NULL, 29.43, linear->stiffness[0]);
    record_value(negrut, "(9)", "K as printed", NULL, 29.43 / 20.25, -of_y / M);
    record_value(negrut, "(9)", "C of a pendulum", NULL, 0.6, linear->damping[0]);
    record_value(negrut, "(9)", "C as printed", NULL, 0.6 / 20.25, -of_rate / M);
    routh_linear_free(linear);
    cell_release(&c);
}

/* ---- ME751 note, (20): M^vv where M^vu belongs ----------------------------------------------- */

/* A bead on the wire z = x^2/2, v = x, u = z: M^vv = M^uu = m, M^vu = 0, H = x, and z'' = H x'' +
 * x'^2, so Phi_u^-1 gamma = x'^2. */
static void the_mass_in_me751_20_is_that_of_v_and_u(void **unused)
{
    (void)unused;
    const double x = 0.3, v = 2, m = 0.2, Mhat = m * (1 + x * x);
    const double right = (-m * g * x - (0 + x * m) * v * v) / Mhat;
    const double wrong = (-m * g * x - (m + x * m) * v * v) / Mhat;
    cell c;
    cell_make(&c,
              "gravity: [0, 0, -9.81]\n"
              "bodies: {bead: {mass: 0.2, inertia: [1, 1, 1], position: [0.3, 0, 0.045], "
              "velocity: [2, 0, 0.6]}}\n"
              "joints:\n"
              "  wire: {type: expression, expression: DZ(bead) - DX(bead)^2/2}\n"
              "  plane: {type: expression, expression: DY(bead)}\n"
              "  upright: {type: orientation, between: [bead, ground]}\n"
              "operating_point: {type: given}\n",
              NULL);
    const double found = c.point->state->udot[0];
    check(found, right, "x''");
    assert_true(fabs(wrong - right) > 1);
    record_value("ME751 note", "(20)", "acceleration of a bead on a wire", NULL, right, found);
    record_value("ME751 note", "(20)", "the same by the formula as printed", NULL, wrong, wrong);
    cell_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_multiplier_term_of_a_closed_loop_is_not_zero),
        cmocka_unit_test(absolute_coordinates_have_the_term_too),
        cmocka_unit_test(twice_one_half_of_a_symmetric_derivative_is_not_the_derivative),
        cmocka_unit_test(twice_one_half_of_the_inertia_is_not_its_derivative),
        cmocka_unit_test(the_hanging_double_pendulum_is_stable),
        cmocka_unit_test(the_spring_of_the_pendulum_pulls_back),
        cmocka_unit_test(the_inverse_in_negrut_and_ortiz_9_is_wrong),
        cmocka_unit_test(the_mass_in_me751_20_is_that_of_v_and_u),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
