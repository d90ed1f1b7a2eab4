/* Multipliers against other integrations, closed forms, and each other: in every coordinate set,
 * from every phase, with half the steps. */
#include "subject.h"

static const char *const sets[] = {"absolute", "euler-parameters", "euler-angles", "relative",
                                   "natural"};

/* ---- Mathieu's equation ---------------------------------------------------------------------- */

static double mathieu(const double *p, long double t)
{
    return (double)(p[0] - p[1] * cosl((long double)p[2] * t));
}

/* A point mass on a slide: x'' + c x' + (k - p cos(w t)) x = 0. */
static subject slide(double k, double p, double w, double c, const char *coordinates)
{
    char yaml[2048];
    snprintf(
        yaml, sizeof yaml,
        "gravity: [0, 0, 0]\n"
        "bodies: {bob: {mass: 2, inertia: [1, 1, 1]}}\n"
        "joints: {rail: {type: translational, between: [bob, ground], at: [0, 0, 0], axis: x}}\n"
        "loads:\n  pull: {type: force, on: bob, components: [\"-2*((%.17g - %.17g*cos(%.17g*"
        "time))*DX(bob) + %.17g*VX(bob))\", 0, 0]}\n",
        k, p, w, c);
    return of_text(yaml, coordinates);
}

static void mathieu_agrees_with_another_integration(void **state)
{
    (void)state;
    static const double cases[][4] = {{1.3, 0.9, 2, 0},    {0.2, 0.5, 1.7, 0.1},
                                      {4.1, 3.3, 2, 0.05}, {-0.1, 1.1, 2, 0.2},
                                      {9, 7, 3, 0},        {2.25, 0.4, 3, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double *p = cases[i], T = two_pi / p[2];
        double Y[4], mu[4];
        monodromy_of(mathieu, p, p[3], T, Y);
        eigenvalues_of_two(Y, mu);
        subject s = slide(p[0], p[1], p[2], p[3], sets[i % 5]);
        find_over(&s, T);
        const double size = fmax(1, hypot(mu[0], mu[1]));
        has_multiplier(&s, mu[0], mu[1], 1e-11 * size);
        has_multiplier(&s, mu[2], mu[3], 1e-11 * size);
        assert_true(s.floquet->liouville < 1e-11);
        assert_true(fabs(s.floquet->trace + p[3] * T) < 1e-11);
        if (p[3] == 0) assert_true(s.floquet->pairs < 1e-10);
        forget(&s);
    }
}

static void a_pendulum_on_a_moving_support_is_mathieus_equation(void **state)
{
    (void)state;
    for (size_t i = 0; i < 5; i++) {
        subject s = of_example("mathieu-pendulum.yaml", NULL, 0, sets[i]);
        const double l = 0.4 + 1e-12 / (0.5 * 0.4), w = 2 * sqrt(9.81 / 0.4);
        const double p[] = {9.81 / l, 0.02 / l * w * w, w};
        double Y[4], mu[4];
        monodromy_of(mathieu, p, 0, two_pi / w, Y);
        eigenvalues_of_two(Y, mu);
        find_over(&s, two_pi / w);
        has_multiplier(&s, mu[0], 0, 1e-11);
        has_multiplier(&s, mu[2], 0, 1e-11);
        assert_int_equal(s.floquet->stable, 0);
        forget(&s);
    }
}

/* ---- from another phase ---------------------------------------------------------------------- */

static void multipliers_do_not_depend_on_the_phase(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        subject s = of_example(i ? "three-bladed-rotor.yaml" : "mathieu-pendulum.yaml", NULL, 0,
                               "relative");
        routh_simulation *run;
        const double T = i ? two_pi / 20 : two_pi / (2 * sqrt(9.81 / 0.4));
        find_over(&s, T);
        routh_floquet *first = s.floquet;
        s.floquet = NULL;
        must(&s, routh_simulation_create(&run, s.mechanism, s.point, NULL, &s.error));
        must(&s, routh_simulation_advance(run, 0.37 * T, &s.error));
        routh_operating_point_free(s.point);
        must(&s, routh_simulation_point(run, &s.point, &s.error));
        routh_simulation_free(run);
        find_over(&s, T);
        assert_true(s.floquet->time > 0.3 * T);
        for (int k = 0; k < first->n_modes; k++)
            has_multiplier(&s, first->modes[k].multiplier[0], first->modes[k].multiplier[1], 1e-10);
        routh_floquet_free(first);
        forget(&s);
    }
}

/* ---- a system whose Floquet form is known ---------------------------------------------------- */

/* y = P(t) exp(R t) P(0)^-1 y_0 solves y' = (P' + P R) P^-1 y. */
static void a_known_floquet_form_is_found(void **state)
{
    (void)state;
    static const double R[][4] = {{-0.3, 1.1, -0.7, 0.1}, {0.2, 0.4, 0.3, -0.9}};
    for (int i = 0; i < 2; i++) {
        char yaml[4096];
        const double *r = R[i];
        snprintf(
            yaml, sizeof yaml,
            "gravity: [0, 0, 0]\n"
            "parameters: {r11: %.17g, r12: %.17g, r21: %.17g, r22: %.17g}\n"
            "bodies: {bob: {mass: 2, inertia: [1, 1, 1]}}\n"
            "joints: {rail: {type: translational, between: [bob, ground], at: [0, 0, 0], axis: "
            "x}}\n"
            "loads: {hold: {type: spring, between: [bob, post], "
            "stiffness: 3.3}}\n"
            "markers: {post: {body: ground, position: [-1, 0, 0]}}\n"
            "variables:\n"
            "  p: {expression: 0.5*sin(2*time)}\n"
            "  s: {expression: 0.4*cos(2*time) - 0.1*sin(4*time)}\n"
            "  dp: {expression: cos(2*time)}\n"
            "  ds: {expression: -0.8*sin(2*time) - 0.4*cos(4*time)}\n"
            "  z1: {expression: (y1 - p*y2)/(1 - p*s)}\n"
            "  z2: {expression: (y2 - s*y1)/(1 - p*s)}\n"
            "controllers:\n"
            "  y1: {type: differential, rate: dp*z2 + (r11 + p*r21)*z1 + (r12 + p*r22)*z2}\n"
            "  y2: {type: differential, rate: ds*z1 + (s*r11 + r21)*z1 + (s*r12 + r22)*z2}\n",
            r[0], r[1], r[2], r[3]);
        subject s = of_text(yaml, i ? "relative" : "absolute");
        double lambda[4];
        eigenvalues_of_two(r, lambda);
        find_over(&s, two_pi / 2);
        assert_int_equal(s.floquet->n_states, 4);
        has_exponent(&s, lambda[0], lambda[1], 1e-10);
        has_exponent(&s, lambda[2], lambda[3], 1e-10);
        has_exponent(&s, 0, sqrt(3.3 / 2), 1e-10);
        forget(&s);
    }
}

/* x(t) = exp(exponent t) sum c_n exp(i n 2 pi t / T) is a solution: after a round, by the monodromy
 * matrix, it is exp(exponent T) times itself. Harmonics below a thousandth are not shown, nor is
 * that part of x(0). The exponent is what it is said to be counted from. */
static void the_shape_of_a_mode_is_a_solution(void **state)
{
    (void)state;
    static const double cases[][4] = {{0.2, 0.5, 1.7, 0.1}, {4.1, 3.3, 2, 0.05}, {9, 7, 3, 0},
                                      {2.25, 0.4, 3, 0},    {30, 4, 2, 0.1},     {17, 5, 2.3, 0}};
    int n_counted = 0, n_pairs = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double *p = cases[i], T = two_pi / p[2];
        double Y[4];
        monodromy_of(mathieu, p, p[3], T, Y);
        subject s = slide(p[0], p[1], p[2], p[3], sets[i % 5]);
        find_over(&s, T);
        assert_int_equal(s.floquet->n_states, 2);
        for (int k = 0; k < s.floquet->n_modes; k++) {
            const routh_floquet_mode *mode = &s.floquet->modes[k];
            const double *e = mode->exponent, size = exp(e[0] * T);
            const double mu[2] = {size * cos(e[1] * T), size * sin(e[1] * T)};
            double x[2][2] = {{0}}, off = 0, all = 0;
            assert_true(fabs(mode->principal + mode->harmonic * two_pi / T - e[1]) <= 1e-9 * p[2]);
            assert_true(fabs(mode->share - mode->harmonics[0].share) <= 1e-5); /* ties to 1e-6 */
            for (int h = 0; h < mode->n_harmonics; h++)
                for (int j = 0; j < 4; j++) x[j / 2][j % 2] += mode->harmonics[h].shape[j];
            for (int j = 0; j < 2; j++) {
                const double re = Y[2 * j] * x[0][0] + Y[2 * j + 1] * x[1][0];
                const double im = Y[2 * j] * x[0][1] + Y[2 * j + 1] * x[1][1];
                off += pow(re - mu[0] * x[j][0] + mu[1] * x[j][1], 2) +
                       pow(im - mu[0] * x[j][1] - mu[1] * x[j][0], 2);
                all += re * re + im * im;
            }
            if (!(sqrt(off / all) < 0.2))
                fail_msg("case %d, mode %d: off by %.3g", (int)i, k, sqrt(off / all));
            n_counted += mode->harmonic != 0;
            n_pairs += mode->pair;
        }
        forget(&s);
    }
    assert_true(n_counted > 2 && n_pairs > 2);
}

/* ---- shooting -------------------------------------------------------------------------------- */

static double along_the_cosine(const double *p, long double t)
{
    return 3 * p[0] * (double)(cosl(t) * cosl(t));
}

/* x'' + c x' + b x^3 = F, with F such that cos t is a solution, begun beside it. */
static void a_forced_motion_is_found_from_beside_it(void **state)
{
    (void)state;
    const double c = 0.4, b = 0.8;
    for (int i = 0; i < 5; i++) {
        char yaml[2048];
        snprintf(yaml, sizeof yaml,
                 "gravity: [0, 0, 0]\n"
                 "bodies: {bob: {mass: 1, inertia: [1, 1, 1], position: [0.96, 0, 0], velocity: "
                 "[0.02, 0, 0]}}\n"
                 "joints: {rail: {type: translational, between: [bob, ground], at: [0, 0, 0], "
                 "axis: x}}\n"
                 "loads:\n  pull: {type: force, on: bob, components: [\"-%g*VX(bob) - %g*DX(bob)^3 "
                 "- cos(time) - %g*sin(time) + %g*cos(time)^3\", 0, 0]}\n",
                 c, b, c, b);
        subject s = of_text(yaml, sets[i]);
        double Y[4], mu[4];
        find_over(&s, two_pi);
        assert_true(s.floquet->iterations > 0);
        assert_true(fabs(s.floquet->bodies[0].position[0] - 1) < 1e-10);
        assert_true(fabs(s.floquet->bodies[0].velocity[0]) < 1e-10);
        monodromy_of(along_the_cosine, &b, c, two_pi, Y);
        eigenvalues_of_two(Y, mu);
        has_multiplier(&s, mu[0], mu[1], 1e-10);
        has_multiplier(&s, mu[2], mu[3], 1e-10);
        forget(&s);
    }
}

/* Van der Pol's equation with mu = 1: the period is known to many digits (Andersen and Geer 1982;
 * here 6.66328685932313). */
static void the_period_of_a_limit_cycle_is_found(void **state)
{
    (void)state;
    static const char yaml[] =
        "gravity: [0, 0, 0]\n"
        "bodies: {bob: {mass: 1, inertia: [1, 1, 1], position: [1.7, 0, 0]}}\n"
        "joints: {rail: {type: translational, between: [bob, ground], at: [0, 0, 0], axis: x}}\n"
        "loads:\n"
        "  drive: {type: force, on: bob, components: [\"-DX(bob) + (1 - DX(bob)^2)*VX(bob)\", 0, "
        "0]}\n";
    for (int i = 0; i < 5; i += 3) {
        subject s = of_text(yaml, sets[i]);
        routh_floquet_options options = routh_floquet_defaults();
        options.period = 6.4;
        options.autonomous = 1;
        find(&s, &options);
        assert_true(fabs(s.floquet->period - 6.66328685932313) < 1e-10);
        has_multiplier(&s, 1, 0, 1e-9);
        has_multiplier(&s, exp(s.floquet->trace), 0, 1e-9);
        assert_int_equal(s.floquet->stable, 1);
        assert_int_equal(s.floquet->modes[0].trivial, 1);
        forget(&s);
    }
}

static void a_motion_that_does_not_come_back_is_refused(void **state)
{
    (void)state;
    subject s = slide(1, 0, 1, 0.5, "absolute");
    routh_operating_point_free(s.point);
    s.point = NULL;
    forget(&s);
    s = of_text("gravity: [0, 0, 0]\n"
                "bodies: {bob: {mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}}\n"
                "joints: {rail: {type: translational, between: [bob, ground], at: [0, 0, 0], "
                "axis: x}}\n",
                "absolute");
    routh_floquet_options options = routh_floquet_defaults();
    options.period = 1;
    options.no_shooting = 1;
    assert_int_equal(routh_floquet_compute(&s.floquet, s.mechanism, s.point, &options, &s.error),
                     ROUTH_NUMERIC_ERROR);
    assert_non_null(strstr(s.error.message, "the motion is not periodic"));
    options.period = -1;
    assert_int_equal(routh_floquet_compute(&s.floquet, s.mechanism, s.point, &options, &s.error),
                     ROUTH_BAD_ARGUMENT);
    forget(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mathieu_agrees_with_another_integration),
        cmocka_unit_test(a_pendulum_on_a_moving_support_is_mathieus_equation),
        cmocka_unit_test(multipliers_do_not_depend_on_the_phase),
        cmocka_unit_test(a_known_floquet_form_is_found),
        cmocka_unit_test(the_shape_of_a_mode_is_a_solution),
        cmocka_unit_test(a_forced_motion_is_found_from_beside_it),
        cmocka_unit_test(the_period_of_a_limit_cycle_is_found),
        cmocka_unit_test(a_motion_that_does_not_come_back_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
