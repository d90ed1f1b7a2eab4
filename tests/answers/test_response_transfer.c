/* Tests of the slope dH/ds of both ways of evaluating, against an integral of Cauchy's. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "answers/second_order.h"
#include "answers/response_transfer.h"

/* f'(s) = mean over the circle of f(s + r e^{ia}) e^{-ia} / r, exact but for terms r^(N-1). */
static double _Complex cauchy(rt_transfer *t, double _Complex s, double radius, int channel)
{
    enum { N = 16 };
    double _Complex sum = 0, H[8];
    for (int k = 0; k < N; k++) {
        const double _Complex e = cexp(2 * 3.14159265358979323846 * I * k / N);
        assert_int_equal(t->evaluate(t, s + radius * e, H, NULL, NULL), 0);
        sum += H[channel] / e;
    }
    return sum / (N * radius);
}

static void check_slopes(rt_transfer *t, double _Complex s)
{
    double _Complex H[8], dH[8];
    assert_int_equal(t->evaluate(t, s, H, dH, NULL), 0);
    for (int c = 0; c < t->n_in * t->n_out; c++) {
        const double _Complex exact = cauchy(t, s, 0.3, c);
        assert_true(cabs(dH[c] - exact) < 1e-10 * cabs(exact) + 1e-13 * cabs(H[c]));
    }
}

/* Two masses, the first free where K says so, pushed by a force and by a motion: an input of the
 * model that acts through in, in' and in'' and reaches an output directly. */
static void check_both(const double *K)
{
    const double M[] = {10, 0, 0, 1}, D[] = {3, -0.2, -0.2, 0.2};
    double force[2] = {1, 0.5}, force1[2] = {0.3, 0}, force2[2] = {0, -0.2};
    double D0[1] = {0.7}, D1[1] = {0.1}, D2[1] = {-0.02}, C[4] = {1, 2, 0.3, 0}, none[4] = {0};
    second_order x;
    second_order_make(&x, 2, M, D, K);
    routh_signal_name in = {.name = (char[]){"push"}, .unit = second_order_metre};
    routh_signal_name out = {.name = (char[]){"seen"}, .unit = second_order_metre};
    routh_linear *l = &x.linear;
    l->n_inputs = l->n_outputs = 1, l->inputs = &in, l->outputs = &out;
    l->force = force, l->force1 = force1, l->force2 = force2;
    l->B = l->B1 = l->B2 = none, l->C = C, l->D = D0, l->D1 = D1, l->D2 = D2;
    routh_response_options o = routh_response_defaults();
    o.inputs = "push,x1", o.outputs = "seen,x0'";
    rt_arena arena = {0};
    rt_channels channels;
    rt_system system, seen;
    rt_direct direct;
    rt_modal modal;
    rt_referenced referenced;
    const char *why;
    const int power[2] = {2, 0};
    routh_modes *modes;
    assert_int_equal(routh_modes_compute(&modes, l, NULL), 0);
    assert_int_equal(rt_channels_find(&channels, l, &o, true, &arena, NULL), 0);
    assert_int_equal(rt_system_make(&system, l, &channels, &arena, NULL), 0);
    assert_int_equal(rt_outputs_find(&seen, l, &channels, &arena, NULL), 0);
    assert_int_equal(rt_direct_create(&direct, &system, &arena, NULL), 0);
    assert_int_equal(rt_modal_create(&modal, l, modes, &channels, &seen, 0, &why, &arena, NULL), 0);
    assert_null(why);
    assert_int_equal(rt_referenced_create(&referenced, &direct.transfer, power, &arena, NULL), 0);
    const double _Complex points[] = {2 * I, 14 * I, 0.4 + 7 * I, 3};
    for (int k = 0; k < 4; k++) {
        double _Complex a[4], b[4];
        check_slopes(&direct.transfer, points[k]);
        check_slopes(&modal.transfer, points[k]);
        check_slopes(&referenced.transfer, points[k]);
        assert_int_equal(direct.transfer.evaluate(&direct.transfer, points[k], a, NULL, NULL), 0);
        assert_int_equal(modal.transfer.evaluate(&modal.transfer, points[k], b, NULL, NULL), 0);
        for (int c = 0; c < 4; c++) assert_true(cabs(a[c] - b[c]) < 1e-11 * cabs(a[c]));
    }
    rt_direct_release(&direct);
    rt_arena_free(&arena);
    routh_modes_free(modes);
}

static void slopes_are_exact_with_inputs_that_act_through_their_rates(void **state)
{
    (void)state;
    const double K[] = {1090, -90, -90, 90};
    check_both(K);
}

static void slopes_are_exact_where_the_masses_are_free(void **state)
{
    (void)state;
    const double K[] = {90, -90, -90, 90};
    check_both(K);
}

/* A x = b in place; A: n x n row-major, without exchanges of rows */
static void eliminate(int n, double _Complex *A, double _Complex *b)
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            const double _Complex f = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; j++) A[i * n + j] -= f * A[k * n + j];
            b[i] -= f * b[k];
        }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= A[k * n + j] * b[j];
        b[k] /= A[k * n + k];
    }
}

/* x + s x' + s^2 x'', entry k of three lists of n that follow one another */
static double _Complex at_rate(double _Complex s, const double *x, int k, int n)
{
    return x[k] + s * (x[n + k] + s * x[2 * n + k]);
}

/* Two masses, a state of control and two inputs that move the positions as well: what they do is
 *     C (s I - A)^-1 (B + s B1 + s^2 B2) + D + s D1 + s^2 D2. */
static void inputs_may_act_on_the_rates_of_the_positions(void **state)
{
    (void)state;
    enum { Z = 2, N = 5, IN = 2 };
    const double M[4] = {2, 0, 0, 4}, damping[4] = {3, -1, -2, 5}, K[4] = {90, -40, -30, 80};
    const double coupling[2] = {1.5, -0.5};
    const double B[3][N * IN] = {{0.3, -0.2, 0.4, 0.1, 1, 0.5, -2, 3, 0.7, -0.9},
                                 {0.05, 0.02, -0.03, 0.04, 0.2, -0.1, 0.3, 0.6, 0.11, 0.13},
                                 {0, 0.01, 0.02, 0, -0.05, 0.07, 0.02, 0.01, 0.03, 0.05}};
    const double C[2 * N] = {1, -2, 0.5, 0.25, 3, 0, 0.3, -0.7, 0.1, 0.2};
    double D[3 * 4] = {0.1, 0.2, -0.3, 0.4, 0.01, 0, 0.02, 0.03, 0, -0.005, 0.004, 0.001};
    const double control[N] = {2, -1, 0.4, 0.6, -7}; /* the row of X in A */
    double A[N * N] = {0}, force[3][Z * IN], rates[3][N * IN], outputs[2 * N];
    for (int i = 0; i < Z; i++) {
        A[i * N + Z + i] = 1;
        for (int j = 0; j < Z; j++) {
            A[(Z + i) * N + j] = -K[i * Z + j] / M[i * Z + i];
            A[(Z + i) * N + Z + j] = -damping[i * Z + j] / M[i * Z + i];
        }
        A[(Z + i) * N + 2 * Z] = coupling[i] / M[i * Z + i];
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < IN; j++)
                force[k][i * IN + j] = M[i * Z + i] * B[k][(Z + i) * IN + j];
    }
    memcpy(A + 2 * Z * N, control, sizeof control);
    memcpy(rates, B, sizeof B);
    memcpy(outputs, C, sizeof C);
    second_order x;
    second_order_make(&x, Z, M, damping, K);
    routh_signal_name in[IN] = {{.name = (char[]){"f"}, .unit = second_order_metre},
                                {.name = (char[]){"g"}, .unit = second_order_metre}};
    routh_signal_name out[2] = {{.name = (char[]){"v"}, .unit = second_order_metre},
                                {.name = (char[]){"w"}, .unit = second_order_metre}};
    routh_linear *l = &x.linear;
    l->n_states = N, l->n_control = 1, l->A = A, l->coupling = (double *)coupling;
    l->n_inputs = IN, l->n_outputs = 2, l->inputs = in, l->outputs = out;
    l->force = force[0], l->force1 = force[1], l->force2 = force[2];
    l->B = rates[0], l->B1 = rates[1], l->B2 = rates[2];
    l->C = outputs, l->D = D, l->D1 = D + 4, l->D2 = D + 8;
    static const struct {
        const char *inputs;
        int first, n;
    } asked[] = {{"f,g", 0, 2}, {"f", 0, 1}, {"g", 1, 1}};
    const double _Complex points[] = {2 * I, 14 * I, 0.4 + 7 * I, 3};
    for (int q = 0; q < 3; q++) {
        routh_response_options o = routh_response_defaults();
        o.inputs = asked[q].inputs, o.outputs = "v,w";
        rt_arena arena = {0};
        rt_channels channels;
        rt_system system;
        rt_direct direct;
        assert_int_equal(rt_channels_find(&channels, l, &o, true, &arena, NULL), 0);
        assert_int_equal(rt_system_make(&system, l, &channels, &arena, NULL), 0);
        assert_int_equal(system.n, Z + 1); /* by the equations of second order */
        assert_int_equal(rt_direct_create(&direct, &system, &arena, NULL), 0);
        for (int p = 0; p < 4; p++) {
            const double _Complex s = points[p];
            double _Complex H[4];
            assert_int_equal(direct.transfer.evaluate(&direct.transfer, s, H, NULL, NULL), 0);
            check_slopes(&direct.transfer, s);
            for (int c = 0; c < 2 * asked[q].n; c++) {
                const int i = c / asked[q].n, j = asked[q].first + c % asked[q].n;
                double _Complex whole[N * N], y[N];
                double _Complex exact = at_rate(s, D, i * IN + j, 4);
                for (int k = 0; k < N * N; k++) whole[k] = (k % (N + 1) ? 0 : s) - A[k];
                for (int k = 0; k < N; k++) y[k] = at_rate(s, B[0], k * IN + j, N * IN);
                eliminate(N, whole, y);
                for (int k = 0; k < N; k++) exact += C[i * N + k] * y[k];
                assert_true(cabs(H[c] - exact) < 1e-11 * cabs(exact));
            }
        }
        rt_direct_release(&direct);
        rt_arena_free(&arena);
    }
}

/* s^2 + k = 0 to the last digit. */
static void a_pole_on_the_axis_is_named_by_its_frequency(void **state)
{
    (void)state;
    const double w = 2 * 3.14159265358979323846 * 1.5, M = 1, D = 0, K = w * w;
    second_order x;
    second_order_make(&x, 1, &M, &D, &K);
    routh_response_options o = routh_response_defaults();
    o.inputs = o.outputs = "x0";
    rt_arena arena = {0};
    rt_channels channels;
    rt_system system;
    rt_direct direct;
    routh_error error;
    double _Complex H;
    assert_int_equal(rt_channels_find(&channels, &x.linear, &o, true, &arena, NULL), 0);
    assert_int_equal(rt_system_make(&system, &x.linear, &channels, &arena, NULL), 0);
    assert_int_equal(rt_direct_create(&direct, &system, &arena, NULL), 0);
    assert_int_equal(direct.transfer.evaluate(&direct.transfer, I * w, &H, NULL, &error),
                     ROUTH_SINGULAR);
    assert_non_null(strstr(error.message, "the response is infinite at 1.5 Hz"));
    assert_non_null(strstr(error.message, "damp the mode"));
    rt_direct_release(&direct);
    rt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_are_exact_with_inputs_that_act_through_their_rates),
        cmocka_unit_test(slopes_are_exact_where_the_masses_are_free),
        cmocka_unit_test(inputs_may_act_on_the_rates_of_the_positions),
        cmocka_unit_test(a_pole_on_the_axis_is_named_by_its_frequency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
