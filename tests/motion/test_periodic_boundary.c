/* Boundaries of stability against the characteristic values of Mathieu's equation, which come from
 * the recurrence of its Fourier coefficients (a tridiagonal matrix), another way altogether. */
#include "subject.h"

#include "base/lapack.h"
#include "support/effort.h"

/* Characteristic value number n of x'' + (a - 2 q cos 2t) x = 0: a_n (even solutions), b_n (odd).
 * Coefficients of cos or sin of (2k or 2k + 1) t obey (a - m^2) A_m = q (A_m-2 + A_m+2), with A_0
 * over sqrt 2, and A_-1 = +-A_1. */
static double characteristic(bool even, int n, double q)
{
    enum { N = 40 };
    double a[N * N] = {0}, values[N];
    routh_error error;
    for (int k = 0; k < N; k++) {
        const double m = n % 2 ? 2 * k + 1 : even ? 2 * k : 2 * k + 2;
        a[k + k * N] = m * m;
        if (k + 1 < N)
            a[k + (k + 1) * N] = a[k + 1 + k * N] =
                q * (n % 2 == 0 && even && k == 0 ? sqrt(2) : 1);
    }
    if (n % 2) a[0] += even ? q : -q;
    assert_int_equal(rt_symmetric_eigen(N, a, values, &error), ROUTH_OK);
    return values[n % 2 ? n / 2 : even ? n / 2 : n / 2 - 1];
}

/* The pendulum of the example with the support's rate such that Mathieu's a is given; the amplitude
 * on the boundary, as q = 2 amplitude/l. */
static double boundary_of(double a, double from, double to, routh_crossing crossing)
{
    const double l = 0.4, g = a < 0 ? -9.81 : 9.81;
    char path[1024], gravity[32], rate[64];
    const char *source = getenv("ROUTH_SOURCE");
    snprintf(path, sizeof path, "%s/examples/mathieu-pendulum.yaml", source ? source : ".");
    snprintf(gravity, sizeof gravity, "%g", g);
    snprintf(rate, sizeof rate, "%.17g", sqrt(4 * g / l / a));
    const routh_setting settings[] = {{"g", gravity}, {"rate", rate}};
    routh_boundary_options options = routh_boundary_defaults();
    routh_boundary found;
    routh_error error;
    options.parameter = "amplitude";
    options.from = from * l / 2, options.to = to * l / 2;
    options.crossing = crossing;
    options.period = "2*pi/rate";
    options.coordinates = "relative";
    if (routh_boundary_find(&found, path, settings, 2, &options, &error))
        fail_msg("%s: %s", error.element, error.message);
    assert_true(found.evaluations < 25);
    assert_true(hypot(found.multiplier[0] - (crossing == ROUTH_CROSSING_ONE ? 1 : -1),
                      found.multiplier[1]) < 1e-5); /* two meet: the root of rounding */
    return 2 * found.value / l;
}

static void the_tongues_of_mathieu_are_found(void **state)
{
    (void)state;
    static const struct {
        bool even;
        int n;
        double q, from, to;
    } cases[] = {{true, 0, 0.5, 0.3, 0.7},  {false, 1, 0.4, 0.3, 0.6}, {true, 2, 1.1, 0.8, 1.4},
                 {false, 2, 1.5, 1.2, 1.8}, {true, 3, 2, 1.5, 2.4},    {true, 1, 0.3, 0.2, 0.5}};
    const size_t n = full_effort() ? sizeof cases / sizeof *cases : 2;
    for (size_t i = 0; i < n; i++) {
        const double a = characteristic(cases[i].even, cases[i].n, cases[i].q);
        const double q =
            boundary_of(a, cases[i].from, cases[i].to,
                        cases[i].n % 2 ? ROUTH_CROSSING_MINUS_ONE : ROUTH_CROSSING_ONE);
        if (!(fabs(q - cases[i].q) < 1e-8))
            fail_msg("%s_%d: q = %.12g, not %.12g", cases[i].even ? "a" : "b", cases[i].n, q,
                     cases[i].q);
    }
}

static void characteristic_values_are_those_of_the_tables(void **state)
{
    (void)state;
    /* Abramowitz and Stegun, table 20.1, q = 5 */
    assert_true(fabs(characteristic(true, 0, 5) + 5.80004602) < 1e-8);
    assert_true(fabs(characteristic(true, 2, 5) - 7.44910974) < 1e-8);
    assert_true(fabs(characteristic(true, 1, 5) - 1.85818754) < 1e-8);
    assert_true(fabs(characteristic(false, 1, 5) + 5.79008060) < 1e-8);
}

/* Without a change of sign nothing is held, and that is said; nor without a period. */
static void two_values_on_one_side_are_refused(void **state)
{
    (void)state;
    char path[1024];
    const char *source = getenv("ROUTH_SOURCE");
    snprintf(path, sizeof path, "%s/examples/mathieu-pendulum.yaml", source ? source : ".");
    routh_boundary_options options = routh_boundary_defaults();
    routh_boundary found;
    routh_error error;
    options.parameter = "amplitude";
    options.from = 0.001, options.to = 0.002;
    options.crossing = ROUTH_CROSSING_ONE;
    options.period = "2*pi/rate";
    assert_int_equal(routh_boundary_find(&found, path, NULL, 0, &options, &error),
                     ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "of one sign"));
    options.period = NULL;
    assert_int_equal(routh_boundary_find(&found, path, NULL, 0, &options, &error),
                     ROUTH_BAD_ARGUMENT);
}

/* A negative damper in a rotor's plane: the pair crosses where damping vanishes. */
static void a_pair_crosses_where_damping_vanishes(void **state)
{
    (void)state;
    char path[1024];
    const char *source = getenv("ROUTH_SOURCE");
    snprintf(path, sizeof path, "%s/examples/three-bladed-rotor.yaml", source ? source : ".");
    /* The collective lag stands alone: J lag'' + c_lag lag' + kappa lag = 0. */
    routh_boundary_options options = routh_boundary_defaults();
    routh_boundary found;
    routh_error error;
    options.parameter = "c_lag";
    options.from = -0.2, options.to = 0.15;
    options.crossing = ROUTH_CROSSING_COMPLEX;
    options.period = "2*pi/rate";
    options.coordinates = "relative";
    options.tolerance = 1e-10;
    if (routh_boundary_find(&found, path, NULL, 0, &options, &error))
        fail_msg("%s: %s", error.element, error.message);
    assert_true(fabs(hypot(found.multiplier[0], found.multiplier[1]) - 1) < 1e-8);
}

/* With other settings than the file has, and over a parameter that is one of them. */
static void a_model_that_is_there_needs_no_file(void **state)
{
    (void)state;
    char path[1024];
    const char *source = getenv("ROUTH_SOURCE");
    snprintf(path, sizeof path, "%s/examples/mathieu-pendulum.yaml", source ? source : ".");
    const routh_setting settings[] = {
        {"g", "9"}, {"rate", "sqrt(4*9/0.4/0.3)"}, {"amplitude", "1"}};
    routh_boundary_options options = routh_boundary_defaults();
    routh_boundary of_file, of_model;
    routh_model *model;
    routh_error error;
    options.parameter = "amplitude";
    options.from = 0.08, options.to = 0.2;
    options.crossing = ROUTH_CROSSING_MINUS_ONE;
    options.period = "2*pi/rate";
    options.coordinates = "relative";
    options.tolerance = 1e-4;
    if (routh_boundary_find(&of_file, path, settings, 2, &options, &error))
        fail_msg("%s: %s", error.element, error.message);
    assert_int_equal(routh_model_read(&model, path, settings, 3, &error), ROUTH_OK);
    if (routh_boundary_find_of_model(&of_model, model, &options, &error))
        fail_msg("%s: %s", error.element, error.message);
    assert_true(of_file.value == of_model.value && of_model.value > options.from);
    assert_int_equal(routh_boundary_find_of_model(&of_model, NULL, &options, &error),
                     ROUTH_BAD_ARGUMENT);
    routh_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characteristic_values_are_those_of_the_tables),
        cmocka_unit_test(the_tongues_of_mathieu_are_found),
        cmocka_unit_test(a_pair_crosses_where_damping_vanishes),
        cmocka_unit_test(a_model_that_is_there_needs_no_file),
        cmocka_unit_test(two_values_on_one_side_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
