#define _XOPEN_SOURCE 700
/* Tests of the response to random inputs: closed forms, the equation of Lyapunov, correlation. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "answers/second_order.h"

static routh_response *respond(const routh_linear *l, const char *inputs, const char *outputs,
                               double low, double high, routh_spectrum *spectrum)
{
    routh_modes *modes;
    routh_response *r;
    routh_error error;
    routh_response_options o = routh_response_defaults();
    o.inputs = inputs, o.outputs = outputs, o.low = low, o.high = high, o.spectrum = spectrum;
    if (routh_modes_compute(&modes, l, &error)) fail_msg("%s", error.message);
    if (routh_response_compute(&r, l, modes, &o, &error)) fail_msg("%s", error.message);
    routh_modes_free(modes);
    routh_spectrum_free(spectrum);
    return r;
}

static routh_spectrum *parsed(const char *text)
{
    routh_spectrum *s;
    routh_error error;
    if (routh_spectrum_parse(&s, text, &error)) fail_msg("%s", error.message);
    return s;
}

static routh_status read_text(routh_spectrum **s, const char *text, routh_error *error)
{
    char path[] = P_tmpdir "/routh-spectrum-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    const routh_status status = routh_spectrum_read(s, path, error);
    unlink(path);
    return status;
}

static routh_spectrum *table(const char *text)
{
    routh_spectrum *s;
    routh_error error;
    if (read_text(&s, text, &error)) fail_msg("%s", error.message);
    return s;
}

/* ---- white noise ----------------------------------------------------------------------------- */

/* Force of power G per Hz on m, d, k: mean squares G / (4 d k) of x and G / (4 d m) of x'. Above f
 * the velocity's tail is G / (m^2 (2 pi)^2 F) and below f the displacement's G f / k^2, up to
 * (f / f0)^2 of them. */
static void white_noise_on_one_mass_has_the_closed_form(void **state)
{
    (void)state;
    const double m = 2, d = 3, k = 800, G = 5, low = 1e-5, high = 1e5, turn = 6.283185307179586;
    second_order x;
    second_order_make(&x, 1, &m, &d, &k);
    routh_response *r = respond(&x.linear, "x0", "x0,x0'", low, high, parsed("x0=5"));
    const routh_random_output *o = r->random->outputs;
    const double exact[2] = {G / (4 * d * k) - G * low / (k * k),
                             G / (4 * d * m) - G / (m * m * turn * turn * high)};
    for (int i = 0; i < 2; i++) {
        assert_true(fabs(o[i].mean_square - exact[i]) < 1e-9 * exact[i]);
        assert_true(o[i].error < 1e-8 * exact[i]);
        assert_true(fabs(o[i].rms - sqrt(o[i].mean_square)) < 1e-15);
        assert_true(fabs(o[i].shares[0] - 1) < 1e-12); /* there is but one pair */
    }
    assert_int_equal(r->random->n_shares, 1);
    assert_true(r->random->by_modes);
    routh_response_free(r);
}

/* A P + P A' + b b' G / 2 = 0, by one linear system of 16. */
static void lyapunov(const second_order *x, const double b[4], double G, double P[16])
{
    const int n = 4;
    double K[256] = {0};
    int pivots[16];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            P[i + n * j] = -b[i] * b[j] * G / 2;
            for (int k = 0; k < n; k++) {
                K[(i + n * j) + 16 * (k + n * j)] += x->linear.A[i * n + k];
                K[(i + n * j) + 16 * (i + n * k)] += x->linear.A[j * n + k];
            }
        }
    assert_int_equal(rt_lu_factor(16, K, pivots, NULL), 0);
    assert_int_equal(rt_lu_solve(16, K, pivots, 1, P, 0, NULL), 0);
}

static const double M[] = {10, 0, 0, 1}, D[] = {3, -0.2, -0.2, 0.2}, K[] = {1090, -90, -90, 90};

static void mean_squares_satisfy_the_equation_of_lyapunov(void **state)
{
    (void)state;
    second_order x;
    second_order_make(&x, 2, M, D, K);
    routh_response *r = respond(&x.linear, "x0", "x0,x1,x1'", 1e-7, 1e4, parsed("x0=2"));
    double P[16];
    const double b[4] = {0, 0, 0.1, 0};
    lyapunov(&x, b, 2, P);
    const double exact[3] = {P[0], P[5], P[15]};
    for (int i = 0; i < 3; i++) {
        const routh_random_output *o = &r->random->outputs[i];
        assert_true(fabs(o->mean_square - exact[i]) < 1e-7 * exact[i]); /* of the tail below 1e-7 */
        double sum = 0;
        for (int k = 0; k < r->random->n_shares; k++) sum += o->shares[k];
        assert_true(fabs(sum - 1) < 1e-10);
    }
    assert_int_equal(r->random->n_shares, 2);
    routh_response_free(r);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Far below its frequency a mass follows as 1 / k, and the mean square is that of S / k^2: of
 * f^-2 from 1 to 10 and 10^-2 (f/10) from 10 to 20, a break that is no point of the grid. */
static void lines_between_the_points_of_a_table_are_powers_of_f(void **state)
{
    (void)state;
    const double m = 1e-12, d = 1e-3, k = 2;
    second_order x;
    second_order_make(&x, 1, &m, &d, &k);
    routh_response *r = respond(&x.linear, "x0", "x0", 0.5, 30,
                                table("# a road\nhz, \"x0\"\n1,1\r\n10,0.01\n\n20,0.02\n"));
    const double exact = ((1 - 0.1) + 0.001 * (400 - 100) / 2) / (k * k);
    const double stiff = 6.283185307179586 * 20 * d / k; /* |H|^2 is off by its square at most */
    assert_true(fabs(r->random->outputs[0].mean_square - exact) < 2 * stiff * stiff * exact);
    assert_true(stiff * stiff < 0.01);
    for (int i = 0; i < r->n; i++) {
        const double f = r->hz[i];
        const double S = f < 1 || f > 20 ? 0 : f <= 10 ? 1 / (f * f) : 0.001 * f;
        const double H2 = r->re[i] * r->re[i] + r->im[i] * r->im[i];
        assert_true(fabs(r->random->psd[i] - S * H2) <= 1e-12 * S * H2);
    }
    routh_response_free(r);
}

/* Two forces that are one and the same but for a factor -2i: as one force on both. */
static void correlated_inputs_act_as_one(void **state)
{
    (void)state;
    second_order x;
    second_order_make(&x, 2, M, D, K);
    routh_response *r =
        respond(&x.linear, "x0,x1", "x0", 0.1, 10,
                table("hz,x0,x1,x0:x1,x0:x1:im\n0.05,3,12,0,6\n20,3,12,0,6\n")); /* b = -2i a */
    for (int k = 0; k < r->n; k++) {
        const double *re = r->re + 2 * k, *im = r->im + 2 * k;
        /* |H0 + (-2i) H1|^2 3 */
        const double a = re[0] + 2 * im[1], b = im[0] - 2 * re[1], exact = 3 * (a * a + b * b);
        assert_true(fabs(r->random->psd[k] - exact) < 1e-12 * exact + 1e-14 * 12);
    }
    routh_response_free(r);
    /* without correlation powers add up */
    r = respond(&x.linear, "x0,x1", "x0", 0.1, 10, parsed("x0=3; force on x1 = 12"));
    for (int k = 0; k < r->n; k++) {
        const double *re = r->re + 2 * k, *im = r->im + 2 * k;
        const double exact =
            3 * (re[0] * re[0] + im[0] * im[0]) + 12 * (re[1] * re[1] + im[1] * im[1]);
        assert_true(fabs(r->random->psd[k] - exact) < 1e-13 * exact);
    }
    routh_response_free(r);
}

static void spectra_that_are_none_are_refused(void **state)
{
    (void)state;
    const struct {
        const char *text, *message;
    } tables[] = {
        {"hz\n1\n2\n", "the first line does not name the columns"},
        {"hz,x0\n1,1\n", "fewer than two frequencies"},
        {"hz,x0\n1,1\n2,1,3\n", "as many columns as the first"},
        {"hz,x0\n1,1\n1,1\n", "not larger than that of the line before"},
        {"hz,x0\n1,1\n2,-1\n", "is negative"},
        {"hz,x0\n1,1\n2,one\n", "a value is not a number"},
        {"hz,x0,x0:x0\n1,1,1\n2,1,1\n", "a column has an invalid name"},
        {"", "fewer than two frequencies"},
    };
    routh_spectrum *s;
    routh_error error;
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        assert_int_equal(read_text(&s, tables[k].text, &error), ROUTH_SYNTAX_ERROR);
        assert_null(s);
        if (!strstr(error.message, tables[k].message)) fail_msg("it says: %s", error.message);
    }
    assert_true(routh_spectrum_parse(&s, "x0", &error) != 0);
    assert_non_null(strstr(error.message, "INPUT=EXPRESSION"));
    assert_true(routh_spectrum_parse(&s, "x0=g+1", &error) != 0);
    assert_true(routh_spectrum_parse(&s, "x0=1;x0=2", &error) != 0);
    assert_non_null(strstr(error.message, "twice"));
    second_order x;
    second_order_make(&x, 1, M, D, K);
    routh_modes *modes;
    assert_int_equal(routh_modes_compute(&modes, &x.linear, NULL), 0);
    routh_response_options o = routh_response_defaults();
    o.inputs = o.outputs = "x0";
    const char *const wrong[][2] = {{"x7=1", "\"x7\" is given, but the response has no such input"},
                                    {"x0=-1", "a negative power"}};
    for (int k = 0; k < 2; k++) {
        routh_response *r;
        routh_spectrum *spectrum = parsed(wrong[k][0]);
        o.spectrum = spectrum;
        assert_true(routh_response_compute(&r, &x.linear, modes, &o, &error) != 0);
        if (!strstr(error.message, wrong[k][1])) fail_msg("it says: %s", error.message);
        routh_spectrum_free(spectrum);
    }
    routh_modes_free(modes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(white_noise_on_one_mass_has_the_closed_form),
        cmocka_unit_test(mean_squares_satisfy_the_equation_of_lyapunov),
        cmocka_unit_test(lines_between_the_points_of_a_table_are_powers_of_f),
        cmocka_unit_test(correlated_inputs_act_as_one),
        cmocka_unit_test(spectra_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
