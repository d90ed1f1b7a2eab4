/* Rotors: multi-blade coordinates and Floquet's multipliers against equations written by hand and
 * against each other; what is steady for one observer and periodic for another. */
#include "subject.h"

#include "base/lapack.h"
#include "support/effort.h"

static const char *const sets[] = {"absolute", "euler-parameters", "euler-angles", "relative",
                                   "natural"};

static void with_blades(subject *s, double period, const char *const *blades)
{
    routh_floquet_options options = routh_floquet_defaults();
    options.period = period;
    options.blades = blades;
    find(s, &options);
}

/* ---- three blades: Coleman and Feingold ------------------------------------------------------ */

/* Eigenvalues of second-order equations M q'' + D q' + K q = 0, n rows, by the state matrix. */
static void second_order(int n, const double *M, const double *D, const double *K, double *re,
                         double *im)
{
    double m[64], rhs[128], a[256] = {0}, left[256], right[256], rcond[16];
    int pivots[8];
    routh_error error;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            m[i + j * n] = M[i * n + j];
            rhs[i + j * n] = -K[i * n + j];
            rhs[i + (n + j) * n] = -D[i * n + j];
        }
    assert_int_equal(rt_lu_factor(n, m, pivots, &error), ROUTH_OK);
    assert_int_equal(rt_lu_solve(n, m, pivots, 2 * n, rhs, 0, &error), ROUTH_OK);
    for (int i = 0; i < n; i++) a[i + (n + i) * 2 * n] = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2 * n; j++) a[n + i + j * 2 * n] = rhs[i + j * n];
    rt_eigen e = {.re = re, .im = im, .left = left, .right = right, .rcond = rcond};
    assert_int_equal(rt_general_eigen(2 * n, a, &e, &error), ROUTH_OK);
}

/* x, y of the hub and the cyclic lag angles, lag_k = lag_c cos psi_k + lag_s sin psi_k: with
 * S = m r, J = I + m r^2, kappa = k_lag + W^2 offset S,
 *     (M + 3m) x'' + c x' + k x - 3/2 S lag_s'' = 0,      (M + 3m) y'' + c y' + k y + 3/2 S lag_c''
 *     J (lag_c'' + 2W lag_s' - W^2 lag_c) + c_lag (lag_c' + W lag_s) + kappa lag_c + S y'' = 0
 *     J (lag_s'' - 2W lag_c' - W^2 lag_s) + c_lag (lag_s' - W lag_c) + kappa lag_s - S x'' = 0. */
static void three_blades_have_the_modes_of_coleman_and_feingold(void **state)
{
    (void)state;
    static const char *const blades[] = {"blade1", "blade2", "blade3", NULL};
    static const double rates[] = {20, 11.5};
    for (int i = 0; i < 2; i++) {
        const double W = rates[i], m = 5, I = 1.5, offset = 0.1, r = 0.9, M = 81, k = 2e4, c = 150,
                     kl = 300, cl = 4;
        const double S = m * r, J = I + m * r * r, kappa = kl + W * W * offset * S, A = M + 3 * m,
                     e = kappa - J * W * W;
        const double mass[] = {A, 0, 0, -1.5 * S, 0, A, 1.5 * S, 0, 0, S, J, 0, -S, 0, 0, J};
        const double damping[] = {c, 0, 0,  0,         0, c, 0,          0,
                                  0, 0, cl, 2 * J * W, 0, 0, -2 * J * W, cl};
        const double stiffness[] = {k, 0, 0, 0, 0, k, 0, 0, 0, 0, e, cl * W, 0, 0, -cl * W, e};
        double re[8], im[8];
        char text[32];
        snprintf(text, sizeof text, "%g", W);
        const routh_setting rate = {"rate", text};
        second_order(4, mass, damping, stiffness, re, im);
        for (int set = 0; set < 5; set++) {
            if (!is_chosen(set + 2 * i, 5)) continue; /* absolute, and relative */
            subject s = of_example("three-bladed-rotor.yaml", &rate, 1, sets[set]);
            with_blades(&s, two_pi / W, blades);
            const routh_multiblade *b = s.floquet->multiblade;
            assert_int_equal(b->constant, 1);
            assert_true(b->variation < 1e-11 && b->before > 0.05);
            assert_true(b->difference < 1e-10 && b->relative < 1e-10);
            for (int j = 0; j < 8; j++) {
                has_exponent(&s, re[j], im[j], 1e-10);
                double nearest = INFINITY;
                for (int l = 0; l < b->n_states; l++)
                    nearest = fmin(nearest, hypot(b->eigenvalues[2 * l] - re[j],
                                                  b->eigenvalues[2 * l + 1] - im[j]));
                assert_true(nearest < 1e-10 * hypot(re[j], im[j]));
            }
            const double single = -cl / 2 / J;
            has_exponent(&s, single, sqrt(kappa / J - single * single), 1e-10);
            forget(&s);
        }
    }
}

/* Blades named against the rotation, which is all the same, blades without states, a hub that
 * springs hold unevenly, whose model is constant too, and a rotor whose blades are not alike. */
static void what_is_no_isotropic_rotor_is_told(void **state)
{
    (void)state;
    static const char *const right[] = {"blade1", "blade2", "blade3", NULL},
                             *const backward[] = {"blade3", "blade2", "blade1", NULL},
                             *const unknown[] = {"blade1", "blade2", "leaf", NULL};
    subject s = of_example("three-bladed-rotor.yaml", NULL, 0, "relative");
    with_blades(&s, two_pi / 20, backward);
    assert_int_equal(s.floquet->multiblade->sense, -1);
    assert_int_equal(s.floquet->multiblade->constant, 1);
    routh_floquet_options options = routh_floquet_defaults();
    options.period = two_pi / 20;
    options.blades = unknown;
    routh_floquet_free(s.floquet);
    assert_int_equal(routh_floquet_compute(&s.floquet, s.mechanism, s.point, &options, &s.error),
                     ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(s.error.message, "leaf"));
    forget(&s);
    const routh_setting uneven_hub = {"k_y", "1.6e4"}, uneven_blade = {"k_lag1", "400"};
    s = of_example("three-bladed-rotor.yaml", &uneven_hub, 1, "relative");
    with_blades(&s, two_pi / 20, right);
    assert_int_equal(s.floquet->multiblade->constant, 1);
    assert_true(s.floquet->multiblade->relative < 1e-10);
    forget(&s);
    s = of_example("three-bladed-rotor.yaml", &uneven_blade, 1, "relative");
    with_blades(&s, two_pi / 20, right);
    assert_int_equal(s.floquet->multiblade->constant, 0);
    assert_true(s.floquet->multiblade->variation > 1e-3);
    assert_true(s.floquet->multiblade->relative > 1e-6);
    forget(&s);
}

/* ---- two blades ------------------------------------------------------------------------------ */

typedef struct teetering {
    double W, beam, twist, tilt, k_tilt, c_tilt, k, c;
} teetering;

/* With s = sin Wt, c = cos Wt, z = phi s - beta the elevation of the beam, w = phi' c - W s phi +
 * W z its rate about itself, from L = 1/2 I (z'^2 - W^2 z^2) + 1/2 i w^2 + 1/2 J phi'^2 - .. :
 *     I z'' + I W^2 z - k beta - c_t beta' - i W w = 0
 *     (J + i c^2) phi'' + i c (-2 W s phi' - W^2 c phi + W z') + K phi + C phi' + s (k beta + c_t
 *     beta') = 0. */
static void accelerate(const teetering *p, long double t, const long double *y, long double *out)
{
    const long double s = sinl(p->W * t), c = cosl(p->W * t), W = p->W;
    const long double phi = y[0], z = y[1], phi1 = y[2], z1 = y[3];
    const long double beta = phi * s - z, beta1 = phi1 * s + W * c * phi - z1;
    const long double spring = p->k * beta + p->c * beta1, w = phi1 * c - W * s * phi + W * z;
    out[0] = phi1, out[1] = z1;
    out[2] = -(p->twist * c * (-2 * W * s * phi1 - W * W * c * phi + W * z1) + p->k_tilt * phi +
               p->c_tilt * phi1 + s * spring) /
             (p->tilt + p->twist * c * c);
    out[3] = (spring + p->twist * W * w) / p->beam - W * W * z;
}

/* The monodromy of (phi, z, phi', z'), column-major, by the classical method in long double. */
static void teetering_monodromy(const teetering *p, double *Y)
{
    enum { STEPS = 10000 };
    const long double h = 2 * acosl(-1) / p->W / STEPS;
    for (int column = 0; column < 4; column++) {
        long double y[4] = {0}, k[4][4], x[4];
        y[column] = 1;
        for (int n = 0; n < STEPS; n++) {
            for (int stage = 0; stage < 4; stage++) {
                const long double part = stage == 0 ? 0 : stage == 3 ? h : h / 2;
                for (int i = 0; i < 4; i++) x[i] = y[i] + (stage ? part * k[stage - 1][i] : 0);
                accelerate(p, n * h + part, x, k[stage]);
            }
            for (int i = 0; i < 4; i++)
                y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
        }
        for (int i = 0; i < 4; i++) Y[i + 4 * column] = (double)y[i];
    }
}

static void a_teetering_rotor_agrees_with_equations_by_hand(void **state)
{
    (void)state;
    const teetering p = {12, 40, 0.5, 60, 9e3, 20, 2e3, 15};
    double Y[16], re[4], im[4], left[16], right[16], rcond[4];
    rt_eigen e = {.re = re, .im = im, .left = left, .right = right, .rcond = rcond};
    routh_error error;
    teetering_monodromy(&p, Y);
    assert_int_equal(rt_general_eigen(4, Y, &e, &error), ROUTH_OK);
    for (int set = 0; set < 5; set++) {
        if (!is_chosen(set, 3)) continue;
        subject s = of_example("two-bladed-teetering.yaml", NULL, 0, sets[set]);
        find_over(&s, two_pi / p.W);
        for (int k = 0; k < 4; k++) has_multiplier(&s, re[k], im[k], 1e-10);
        forget(&s);
    }
}

/* Without a spring in the teeter the beam keeps its plane, z'' + W^2 z = 0, and the nacelle swings
 * by itself; held by a stiff yoke, beta'' + (W^2 (1 - i/I) + k/I) beta = 0. */
static void limits_of_the_teetering_rotor_are_closed_forms(void **state)
{
    (void)state;
    const routh_setting loose[] = {
        {"k_teeter", "0"}, {"c_teeter", "0"}, {"twist", "1e-9"}, {"c_tilt", "0"}};
    subject s = of_example("two-bladed-teetering.yaml", loose, 4, "relative");
    find_over(&s, two_pi / 12);
    has_exponent(&s, 0, sqrt(9e3 / 60), 1e-8);
    has_multiplier(&s, 1, 0, 1e-4); /* double: beside 1 by the root of rounding and of i/I */
    forget(&s);
    const routh_setting stiff[] = {{"tilt", "1e13"}, {"c_teeter", "0"}};
    s = of_example("two-bladed-teetering.yaml", stiff, 2, "relative");
    find_over(&s, two_pi / 12);
    has_exponent(&s, 0, sqrt(144 * (1 - 0.5 / 40) + 2e3 / 40), 1e-8);
    forget(&s);
}

/* ---- states that do not last ----------------------------------------------------------------- */

/* The same rotor in states of bodies seen from the ground, none of which stays good for a turn. */
static void states_chosen_anew_give_the_same_multipliers(void **state)
{
    (void)state;
    static const char yaml[] =
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  hub: {mass: 10, inertia: [1, 1, 1], angular_velocity: [0, 0, 7]}\n"
        "  blades: {mass: 30, inertia: [3, 40, 38], angular_velocity: [0, 0, 7]}\n"
        "joints:\n"
        "  bearing: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}\n"
        "  drive: {type: motion, joint: bearing, function: 7*time}\n"
        "  teeter: {type: revolute, between: [blades, hub], at: [0, 0, 0], axis: y}\n"
        "loads:\n"
        "  rubber: {type: torsion_spring, between: [blades, hub], at: [0, 0, 0], axis: y, "
        "stiffness: 500, damping: 6}\n";
    /* I_y beta'' + c beta' + (k + (I_z - I_x) W^2) beta = 0 */
    const double sigma = 6. / 40 / 2, square = (500 + (38 - 3) * 49.) / 40;
    for (int set = 0; set < 5; set += 2) {
        if (!is_chosen(set, 4)) continue;
        subject s = of_text(yaml, sets[set]);
        find_over(&s, two_pi / 7);
        assert_true(s.floquet->n_choices > 1);
        has_exponent(&s, -sigma, sqrt(square - sigma * sigma), 1e-10);
        forget(&s);
    }
}

/* ---- steady for one, periodic for the other -------------------------------------------------- */

/* A disc on an uneven shaft that turns: steady seen from the shaft, periodic from the ground. */
static void an_uneven_shaft_has_the_exponents_seen_from_it(void **state)
{
    (void)state;
    static const char yaml[] =
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  shaft: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 9]}\n"
        "  disc: {mass: 4, inertia: [0.3, 0.3, 0.5], angular_velocity: [0, 0, 9]}\n"
        "joints:\n"
        "  bearing: {type: revolute, between: [shaft, ground], at: [0, 0, 0], axis: z}\n"
        "  drive: {type: motion, joint: bearing, function: 9*time}\n"
        "loads:\n"
        "  bend: {type: bushing, between: [disc, shaft], translation: {stiffness: [900, 1500, "
        "4000], damping: [3, 3, 5]}, rotation: {stiffness: [60, 90, 200], damping: 0.2}}\n"
        "  air: {type: force, on: disc, components: [-2*VX(disc), -2*VY(disc), -2*VZ(disc)]}\n";
    for (int set = 0; set < 4; set += 3) {
        subject s = of_text(yaml, sets[set]);
        routh_linear *linear;
        routh_modes *modes;
        routh_linear_options options = routh_linear_defaults();
        options.reference = "shaft";
        must(&s, routh_linear_compute(&linear, s.mechanism, s.point, &options, &s.error));
        assert_int_equal(linear->steady, 1);
        must(&s, routh_modes_compute(&modes, linear, &s.error));
        find_over(&s, two_pi / 9);
        assert_int_equal(s.floquet->n_states, modes->n);
        for (int k = 0; k < modes->n; k++)
            has_exponent(&s, modes->modes[k].eigenvalue[0], modes->modes[k].eigenvalue[1], 1e-9);
        routh_modes_free(modes);
        routh_linear_free(linear);
        forget(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_blades_have_the_modes_of_coleman_and_feingold),
        cmocka_unit_test(what_is_no_isotropic_rotor_is_told),
        cmocka_unit_test(a_teetering_rotor_agrees_with_equations_by_hand),
        cmocka_unit_test(limits_of_the_teetering_rotor_are_closed_forms),
        cmocka_unit_test(states_chosen_anew_give_the_same_multipliers),
        cmocka_unit_test(an_uneven_shaft_has_the_exponents_seen_from_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
