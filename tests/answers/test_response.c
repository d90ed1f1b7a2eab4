/* Tests of the frequency response: closed forms, one way against another, peaks, zeros. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "answers/second_order.h"

static const double TWO_PI = 6.283185307179586476925286766559;

static double _Complex H_of(const routh_response *r, int k, int output, int input)
{
    const size_t at = ((size_t)k * r->n_outputs + output) * r->n_inputs + input;
    return r->re[at] + I * r->im[at];
}

static routh_response *respond(const routh_linear *l, routh_response_options o)
{
    routh_modes *modes;
    routh_response *r;
    routh_error error;
    if (routh_modes_compute(&modes, l, &error)) fail_msg("%s", error.message);
    if (routh_response_compute(&r, l, modes, &o, &error)) fail_msg("%s", error.message);
    routh_modes_free(modes);
    return r;
}

static routh_response_options asked(const char *inputs, const char *outputs)
{
    routh_response_options o = routh_response_defaults();
    o.inputs = inputs, o.outputs = outputs;
    return o;
}

/* ---- one degree of freedom ------------------------------------------------------------------- */

static const double m1 = 2.5, d1 = 0.8, k1 = 400;

static double _Complex single(double hz)
{
    const double _Complex s = I * TWO_PI * hz;
    return 1 / (m1 * s * s + d1 * s + k1);
}

static void one_mass_has_the_closed_form(void **state)
{
    (void)state;
    second_order x;
    second_order_make(&x, 1, &m1, &d1, &k1);
    routh_response *r = respond(&x.linear, asked("x0", "x0,x0'"));
    assert_true(r->n > 50);
    for (int k = 0; k < r->n; k++) {
        const double _Complex h = single(r->hz[k]), s = I * TWO_PI * r->hz[k];
        assert_true(cabs(H_of(r, k, 0, 0) - h) < 1e-13 * cabs(h));
        assert_true(cabs(H_of(r, k, 1, 0) - s * h) < 1e-13 * cabs(s * h));
    }
    assert_true(r->modal_difference < 1e-13);
    assert_int_equal(r->n_modal, 2);
    assert_true(fabs(r->channels[0].static_gain - 1 / k1) < 1e-15 / k1);
    assert_true(fabs(r->channels[1].static_gain) < 1e-17);
    /* |H| of a displacement is largest at w0 sqrt(1 - 2 zeta^2), there 1 / (2 k zeta sqrt(1 -
     * zeta^2)) */
    const double w0 = sqrt(k1 / m1), zeta = d1 / (2 * sqrt(k1 * m1));
    assert_int_equal(r->channels[0].n_peaks, 1);
    assert_true(fabs(r->channels[0].peaks[0].hz - w0 * sqrt(1 - 2 * zeta * zeta) / TWO_PI) <
                1e-12 * w0);
    const double most = 1 / (2 * k1 * zeta * sqrt(1 - zeta * zeta));
    assert_true(fabs(r->channels[0].largest - most) < 1e-13 * most);
    /* of a velocity at w0, 1 / d; one zero at 0 */
    assert_true(fabs(r->channels[1].peaks[0].hz - w0 / TWO_PI) < 1e-12 * w0);
    assert_true(fabs(r->channels[1].largest - 1 / d1) < 1e-13 / d1);
    assert_int_equal(r->channels[0].n_zeros, 0);
    assert_int_equal(r->channels[1].n_zeros, 1);
    assert_true(fabs(r->channels[1].zeros[0]) < 1e-12 &&
                fabs(r->channels[1].gain - 1 / m1) < 1e-15);
    routh_response_free(r);
}

/* ---- two ------------------------------------------------------------------------------------- */

/* A mass on a damped spring and an absorber on it: x = adj(Z) / det Z. */
static const double M2[] = {10, 0, 0, 1}, D2[] = {3, -0.02, -0.02, 0.02};
static const double K2[] = {1090, -90, -90, 90};

static void two_masses_have_the_closed_form_and_are_reciprocal(void **state)
{
    (void)state;
    second_order x;
    second_order_make(&x, 2, M2, D2, K2);
    routh_response *r = respond(&x.linear, asked("x0,x1", "x0,x1"));
    for (int k = 0; k < r->n; k++) {
        const double _Complex s = I * TWO_PI * r->hz[k];
        double _Complex Z[4];
        for (int i = 0; i < 4; i++) Z[i] = (s * M2[i] + D2[i]) * s + K2[i];
        const double _Complex det = Z[0] * Z[3] - Z[1] * Z[2];
        const double _Complex exact[4] = {Z[3] / det, -Z[1] / det, -Z[2] / det, Z[0] / det};
        for (int i = 0; i < 4; i++)
            assert_true(cabs(H_of(r, k, i / 2, i % 2) - exact[i]) <
                        1e-12 * cabs(exact[i]) + 1e-15 * cabs(exact[3]));
        assert_true(cabs(H_of(r, k, 0, 1) - H_of(r, k, 1, 0)) < 1e-13 * cabs(H_of(r, k, 0, 1)));
    }
    assert_true(r->modal_difference < 1e-12);
    /* the first mass stands still where the absorber alone swings: zeros s^2 + 0.02 s + 90 */
    const routh_response_channel *c = &r->channels[0];
    assert_int_equal(c->n_zeros, 2);
    assert_true(fabs(c->zeros[0] + 0.01) < 1e-12);
    assert_true(fabs(fabs(c->zeros[1]) - sqrt(90 - 1e-4)) < 1e-11);
    int antiresonances = 0;
    for (int k = 0; k < c->n_peaks; k++)
        if (c->peaks[k].minimum) {
            antiresonances++;
            assert_true(fabs(c->peaks[k].hz - sqrt(90) / TWO_PI) < 1e-4);
        }
    assert_int_equal(antiresonances, 1);
    assert_int_equal(c->n_peaks, 3);
    assert_int_equal(r->channels[1].n_zeros, 1); /* det's adjugate -Z_01 = 0.02 s + 90 */
    assert_true(fabs(r->channels[1].zeros[0] + 4500) < 1e-6);
    routh_response_free(r);
}

/* ---- the grid -------------------------------------------------------------------------------- */

/* Six masses with very little damping: a straight line between neighbours is off by no more than
 * was asked for, anywhere. */
static void straight_lines_are_as_near_as_was_asked_for(void **state)
{
    (void)state;
    enum { N = 6 };
    double M[N * N] = {0}, D[N * N] = {0}, K[N * N] = {0};
    for (int i = 0; i < N; i++) {
        M[i * N + i] = 1 + 0.1 * i;
        K[i * N + i] = 2000;
        if (i) K[i * N + i - 1] = K[(i - 1) * N + i] = -1000;
    }
    for (int i = 0; i < N * N; i++) D[i] = 1e-6 * K[i];
    second_order x;
    second_order_make(&x, N, M, D, K);
    routh_response_options o = asked("x0", "x0,x3");
    o.error = 2e-3;
    routh_response *r = respond(&x.linear, o);
    assert_true(r->error <= 2e-3 && r->error > 0);
    assert_false(r->limited);
    double worst = 0;
    for (int k = 0; k + 1 < r->n; k++) {
        o = asked("x0", "x0,x3");
        const double ratio = r->hz[k + 1] / r->hz[k];
        if (ratio < 1 + 1e-9 || k % 7) continue;
        o.low = r->hz[k], o.high = r->hz[k + 1], o.n_points = 9;
        routh_response *fine = respond(&x.linear, o);
        for (int i = 1; i < 8; i++)
            for (int c = 0; c < 2; c++) {
                const double t = i / 8.0;
                const double _Complex a = H_of(r, k, c, 0), b = H_of(r, k + 1, c, 0);
                const double _Complex h = H_of(fine, i, c, 0);
                worst = fmax(worst, cabs(a + t * (b - a) - h) / fmax(cabs(a), cabs(b)));
            }
        routh_response_free(fine);
    }
    assert_true(worst > 0 && worst <= 2e-3);
    int peaks = 0;
    for (int k = 0; k < r->channels[0].n_peaks; k++) peaks += !r->channels[0].peaks[k].minimum;
    assert_int_equal(peaks, N);
    routh_response_free(r);
}

static void an_undamped_pole_is_infinite(void **state)
{
    (void)state;
    const double none = 0;
    second_order x;
    second_order_make(&x, 1, &m1, &none, &k1);
    routh_response *r = respond(&x.linear, asked("x0", "x0"));
    assert_true(isinf(r->channels[0].largest));
    assert_true(fabs(r->channels[0].largest_hz - sqrt(k1 / m1) / TWO_PI) < 1e-12);
    assert_true(r->limited);
    routh_response_free(r);
}

/* Undamped, between its poles, H of the first mass is a monotonic real function with a zero at the
 * absorber's frequency: no other minimum and no finite maximum, however far apart the points. */
static void points_far_apart_make_no_peaks_of_poles(void **state)
{
    (void)state;
    const double none[4] = {0};
    int found = 0;
    second_order x;
    second_order_make(&x, 2, M2, none, K2);
    for (int n = 4; n < 60; n++) {
        routh_response_options o = asked("x0", "x0");
        o.low = 0.3, o.high = 7, o.n_points = n;
        routh_response *r = respond(&x.linear, o);
        for (int k = 0; k < r->channels[0].n_peaks; k++) {
            const routh_response_peak *p = &r->channels[0].peaks[k];
            if (p->minimum) {
                assert_true(fabs(p->hz - sqrt(90) / TWO_PI) < 1e-9);
                found++;
            } else {
                assert_true(isinf(p->magnitude));
            }
        }
        routh_response_free(r);
    }
    assert_true(found > 20);
}

/* ---- rigid motion ---------------------------------------------------------------------------- */

/* Two masses and a spring, free: H_00 = (m2 s^2 + d s + k) / (s^2 (m1 m2 s^2 + (m1 + m2)(d s + k)))
 */
static void a_free_pair_moves_without_end_at_rest(void **state)
{
    (void)state;
    const double M[] = {2, 0, 0, 3}, D[] = {0.4, -0.4, -0.4, 0.4}, K[] = {600, -600, -600, 600};
    second_order x;
    second_order_make(&x, 2, M, D, K);
    routh_response *r = respond(&x.linear, asked("x0", "x0,x1,x0'"));
    for (int k = 0; k < r->n; k++) {
        const double _Complex s = I * TWO_PI * r->hz[k], f = 0.4 * s + 600;
        const double _Complex exact = (3 * s * s + f) / (s * s * (6 * s * s + 5 * f));
        assert_true(cabs(H_of(r, k, 0, 0) - exact) < 1e-12 * cabs(exact));
    }
    assert_true(r->modal_difference < 1e-10);
    for (int c = 0; c < 3; c++) assert_true(isinf(r->channels[c].static_gain));
    assert_int_equal(r->channels[0].n_zeros, 2);
    routh_response_free(r);
}

/* ---- modes left out -------------------------------------------------------------------------- */

/* With what the modes above do at rest, the superposition is exact at low frequencies up to their
 * inertia, (w / w_k)^2. */
static void modes_left_out_count_as_at_rest(void **state)
{
    (void)state;
    const double M[] = {1, 0, 0, 1}, D[] = {0.1, 0, 0, 1}, K[] = {100, -10, -10, 1e8};
    second_order x;
    second_order_make(&x, 2, M, D, K);
    routh_response_options o = asked("x0,x1", "x0,x1");
    o.low = 0.1, o.high = 10, o.modal_high = 100;
    routh_response *r = respond(&x.linear, o);
    assert_int_equal(r->n_modal, 2);
    const double share = pow(TWO_PI * 10 / 1e4, 2);
    for (int c = 0; c < 4; c++) assert_true(r->channels[c].modal_difference < 2 * share);
    assert_true(r->channels[3].modal_difference > 0.1 * share); /* it is not the exact one */
    routh_response_free(r);
}

/* ---- names ---------------------------------------------------------------------------------- */

static void names_that_are_not_there_are_refused(void **state)
{
    (void)state;
    second_order x;
    second_order_make(&x, 1, &m1, &d1, &k1);
    const struct {
        routh_response_options o;
        const char *message;
    } cases[] = {
        {asked("X0", "x0"), "there is no input \"X0\"; did you mean \"x0\"?"},
        {asked("x0", "y9"), "there is no output \"y9\"; give one of"},
        {asked(NULL, "x0"), "the response has no input"},
        {asked("x0", NULL), "the response has no output"},
        {{.inputs = "x0", .outputs = "x0", .low = 3, .high = 2}, "from 3 to 2 Hz is not valid"},
        {{.base = ROUTH_BASE_Z, .outputs = "x0"}, "needs the masses of the bodies"},
    };
    routh_modes *modes;
    assert_int_equal(routh_modes_compute(&modes, &x.linear, NULL), 0);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        routh_response *r;
        routh_error error = {0};
        assert_true(routh_response_compute(&r, &x.linear, modes, &cases[k].o, &error) != 0);
        assert_null(r);
        if (!strstr(error.message, cases[k].message)) fail_msg("it says: %s", error.message);
    }
    routh_modes_free(modes);
}

static void frequencies_of_ones_own_are_taken(void **state)
{
    (void)state;
    static const double hz[] = {0.25, 2.01, 2.02, 40}, wrong[] = {1, 3, 2};
    second_order x;
    second_order_make(&x, 1, &m1, &d1, &k1);
    routh_response_options o = asked("x0", "x0");
    o.hz = hz;
    for (o.n_hz = 1; o.n_hz <= 4; o.n_hz++) {
        routh_response *r = respond(&x.linear, o);
        assert_int_equal(r->n, o.n_hz);
        for (int k = 0; k < r->n; k++) {
            assert_true(r->hz[k] == hz[k]);
            assert_true(cabs(H_of(r, k, 0, 0) - single(hz[k])) < 1e-13 * cabs(single(hz[k])));
        }
        routh_response_free(r);
    }
    routh_modes *modes;
    routh_response *r;
    routh_error error = {0};
    assert_int_equal(routh_modes_compute(&modes, &x.linear, &error), ROUTH_OK);
    o.hz = wrong, o.n_hz = 3;
    assert_int_equal(routh_response_compute(&r, &x.linear, modes, &o, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "frequency 2 of the response is 2 Hz"));
    o.hz = NULL;
    assert_int_equal(routh_response_compute(&r, &x.linear, modes, &o, &error), ROUTH_BAD_ARGUMENT);
    routh_modes_free(modes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_mass_has_the_closed_form),
        cmocka_unit_test(frequencies_of_ones_own_are_taken),
        cmocka_unit_test(two_masses_have_the_closed_form_and_are_reciprocal),
        cmocka_unit_test(straight_lines_are_as_near_as_was_asked_for),
        cmocka_unit_test(an_undamped_pole_is_infinite),
        cmocka_unit_test(points_far_apart_make_no_peaks_of_poles),
        cmocka_unit_test(a_free_pair_moves_without_end_at_rest),
        cmocka_unit_test(modes_left_out_count_as_at_rest),
        cmocka_unit_test(names_that_are_not_there_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
