/* Tests of answers/realization against closed forms. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "linear_model.h"

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

/* ---- models ---------------------------------------------------------------------------------- */

static void add_signals(routh_linear *l, int n_inputs, int n_outputs)
{
    const size_t n = (size_t)l->n_states;
    l->n_inputs = n_inputs, l->n_outputs = n_outputs;
    l->B = calloc(n * (size_t)n_inputs + 1, sizeof *l->B);
    l->B1 = calloc(n * (size_t)n_inputs + 1, sizeof *l->B1);
    l->B2 = calloc(n * (size_t)n_inputs + 1, sizeof *l->B2);
    l->C = calloc(n * (size_t)n_outputs + 1, sizeof *l->C);
}

static void free_all(routh_linear *l)
{
    free(l->B), free(l->B1), free(l->B2), free(l->C);
    model_free(l);
}

/* Masses 1 on unit springs in a row between two walls: w_k = 2 sin(k pi / (2 (n + 1))), shape of
 * mass i: sin(k i pi / (n + 1)). A force on mass `at`, the position of mass `seen`. */
static routh_linear chain(int n, int at, int seen)
{
    double K[400] = {0};
    for (int i = 0; i < n; i++) {
        K[i * n + i] = 2;
        if (i) K[i * n + i - 1] = K[(i - 1) * n + i] = -1;
    }
    routh_linear l = model_second_order(n, K, NULL);
    add_signals(&l, 1, 1);
    l.B[n + at] = 1;
    l.C[seen] = 1;
    return l;
}

typedef struct answers {
    routh_modes *modes;
    routh_realization *z;
} answers;

static answers compute(const routh_linear *l)
{
    answers a = {NULL, NULL};
    assert_int_equal(routh_modes_compute(&a.modes, l, NULL), ROUTH_OK);
    assert_int_equal(routh_realization_compute(&a.z, l, a.modes, NULL), ROUTH_OK);
    assert_int_equal(a.z->n, l->n_states);
    return a;
}

static void free_answers(answers *a)
{
    routh_modes_free(a->modes);
    routh_realization_free(a->z);
}

static double random_number(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state / 2147483648.0 - 1;
}

/* The model in states x = T y: A := T A T^-1, B := T B, C := C T^-1, T = (I + f e_a e_b') .. */
static void change_states(routh_linear *l, unsigned *random)
{
    const int n = l->n_states;
    for (int step = 0; step < 2 * n; step++) {
        const int a = (int)(fabs(random_number(random)) * n) % n;
        const int b = (int)(fabs(random_number(random)) * n) % n;
        const double f = random_number(random);
        if (a == b) continue;
        for (int j = 0; j < n; j++) l->A[a * n + j] += f * l->A[b * n + j];
        for (int i = 0; i < n; i++) l->A[i * n + b] -= f * l->A[i * n + a];
        double *const B[] = {l->B, l->B1, l->B2};
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < l->n_inputs; j++)
                B[k][a * l->n_inputs + j] += f * B[k][b * l->n_inputs + j];
        for (int i = 0; i < l->n_outputs; i++) l->C[i * n + b] -= f * l->C[i * n + a];
    }
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* The force drives mode k by sin(k (at + 1) pi / (n + 1)); where that is a node, not at all. */
static void a_force_on_a_node_does_not_drive_the_mode(void **state)
{
    (void)state;
    enum { N = 5 };
    for (int at = 0; at < N; at++)
        for (int seen = 0; seen < N; seen++) {
            routh_linear l = chain(N, at, seen);
            answers a = compute(&l);
            for (int i = 0; i < 2 * N; i++) {
                const int k = i / 2 + 1;
                const routh_mode_realization *m = &a.z->modes[i];
                const int node_at = k * (at + 1) % (N + 1) == 0;
                const int node_seen = k * (seen + 1) % (N + 1) == 0;
                assert_int_equal(m->copies, 1);
                assert_int_equal(m->input.verdict, node_at ? ROUTH_NO : ROUTH_YES);
                assert_int_equal(m->output.verdict, node_seen ? ROUTH_NO : ROUTH_YES);
                assert_true(m->input.each[0] == m->input.least || m->input.each[0] > 0);
                assert_near(m->input.each[0], m->input.least, 1e-15);
                if (node_at) assert_true(m->input.least < 1e-13 && m->input.margin < 1e2);
                if (node_seen) assert_true(m->output.least < 1e-13 && m->output.margin < 1e2);
            }
            free_answers(&a);
            free_all(&l);
        }
}

/* One oscillator, pushed and seen: four couplings for five scales, so all of them become w:
 *     A = w [0 1; -1 0], b = w [0; 1]: |W'b|/|b| = 1/sqrt(2);
 *     [A - iw, b]: smallest singular value w sqrt((5 - sqrt 17) / 2), rows up to w sqrt 2. */
static void one_oscillator_in_closed_form(void **state)
{
    (void)state;
    const double K[] = {1234.5};
    routh_linear l = model_second_order(1, K, NULL);
    add_signals(&l, 1, 1);
    l.B[1] = 0.02;
    l.C[0] = 77;
    answers a = compute(&l);
    for (int i = 0; i < 2; i++)
        for (int side = 0; side < 2; side++) {
            const routh_mode_reach *reach = side ? &a.z->modes[i].output : &a.z->modes[i].input;
            assert_near(reach->least, sqrt(0.5), 1e-12);
            assert_near(reach->distance, sqrt((5 - sqrt(17)) / 2) / sqrt(2), 1e-12);
            assert_near(reach->margin * 2.220446049250313e-16, reach->distance, 1e-15);
        }
    free_answers(&a);
    free_all(&l);
}

/* What is in doubt about the eigenvalue is in the noise, over the norm of the closed form above:
 * rows up to w sqrt 2. */
static void doubt_about_an_eigenvalue_is_noise(void **state)
{
    (void)state;
    const double K[] = {1234.5}, w = sqrt(1234.5), doubt = 3e-7;
    routh_linear l = model_second_order(1, K, NULL);
    add_signals(&l, 1, 1);
    l.B[1] = 0.02;
    l.C[0] = 77;
    answers a = {NULL, NULL};
    assert_int_equal(routh_modes_compute(&a.modes, &l, NULL), ROUTH_OK);
    for (int i = 0; i < 2; i++) a.modes->modes[i].error_bound = doubt;
    assert_int_equal(routh_realization_compute(&a.z, &l, a.modes, NULL), ROUTH_OK);
    for (int i = 0; i < 2; i++)
        for (int side = 0; side < 2; side++) {
            const routh_mode_reach *reach = side ? &a.z->modes[i].output : &a.z->modes[i].input;
            assert_near(reach->noise * 2.220446049250313e-16, doubt / (w * sqrt(2)), 1e-14);
            assert_int_equal(reach->verdict, ROUTH_YES);
        }
    routh_realization_free(a.z);
    /* as much in doubt as there is: that the mode is driven cannot be told any more */
    for (int i = 0; i < 2; i++) a.modes->modes[i].error_bound = w;
    assert_int_equal(routh_realization_compute(&a.z, &l, a.modes, NULL), ROUTH_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(a.z->modes[i].input.verdict, ROUTH_CANNOT_TELL);
        assert_int_equal(a.z->modes[i].output.verdict, ROUTH_CANNOT_TELL);
    }
    free_answers(&a);
    free_all(&l);
}

/* (s + 2) / ((s + 2) (s + 3)) in its controllable form sees one mode less than it has, in its
 * observable form drives one less; next to it (s + 2 + e). */
static void a_cancelled_pole_is_missing_on_one_side(void **state)
{
    (void)state;
    const double off[] = {0, 1e-11, 1e-5};
    for (int dual = 0; dual < 2; dual++)
        for (int k = 0; k < 3; k++) {
            routh_linear l = model_new(0, 2);
            l.n_velocity = 0, l.n_control = 2;
            add_signals(&l, 1, 1);
            const double A[] = {0, 1, -6, -5};
            for (int i = 0; i < 4; i++) l.A[i] = A[dual ? i % 2 * 2 + i / 2 : i];
            double *first = dual ? l.C : l.B, *second = dual ? l.B : l.C;
            first[1] = 1;
            second[0] = 2 + off[k], second[1] = 1;
            answers a = compute(&l);
            const routh_mode_realization *two = &a.z->modes[0], *three = &a.z->modes[1];
            assert_near(a.modes->modes[0].eigenvalue[0], -2, 1e-14);
            const routh_mode_reach *full = dual ? &two->output : &two->input;
            const routh_mode_reach *part = dual ? &two->input : &two->output;
            assert_int_equal(full->verdict, ROUTH_YES);
            assert_int_equal(part->verdict, k == 0   ? ROUTH_NO
                                            : k == 1 ? ROUTH_CANNOT_TELL
                                                     : ROUTH_YES);
            /* as far as the zero is from the pole, but for factors of size 1 */
            if (k) assert_true(part->distance > 0.01 * off[k] && part->distance < off[k]);
            assert_int_equal(three->input.verdict, ROUTH_YES);
            assert_int_equal(three->output.verdict, ROUTH_YES);
            free_answers(&a);
            free_all(&l);
        }
}

/* Two equal oscillators and one force on both: each is driven, but what they do against each other
 * is not. A second force makes them controllable, and oscillators that differ are so by one. */
static void two_equal_oscillators_need_two_forces(void **state)
{
    (void)state;
    for (int variant = 0; variant < 3; variant++) {
        const int n_inputs = variant == 1 ? 2 : 1;
        const double K[] = {4, 0, 0, variant == 2 ? 4.5 : 4};
        routh_linear l = model_second_order(2, K, NULL);
        add_signals(&l, n_inputs, 1);
        l.B[2 * n_inputs] = 1, l.B[3 * n_inputs] = 1;
        if (n_inputs == 2) l.B[3 * n_inputs + 1] = 1;
        l.C[0] = 1, l.C[1] = -1;
        answers a = compute(&l);
        for (int i = 0; i < 4; i++) {
            const routh_mode_realization *m = &a.z->modes[i];
            assert_int_equal(m->copies, variant == 2 ? 1 : 2);
            assert_int_equal(m->input.verdict, variant == 0 ? ROUTH_NO : ROUTH_YES);
            assert_int_equal(m->output.verdict, variant == 2 ? ROUTH_YES : ROUTH_NO);
            assert_true(m->input.each[0] > 0.3);
            if (variant == 0) assert_true(m->input.least == 0);
            if (variant == 0) assert_near(m->input.each[0], sqrt(0.5), 1e-12);
            if (variant == 1) assert_true(m->input.least > 0.3);
        }
        free_answers(&a);
        free_all(&l);
    }
}

/* A free mass pushed and seen: both zeros of the chain count. Seen by its speed alone, the position
 * is not observable; and a second, free mass that nothing pushes is not controllable. */
static void zeros_are_modes_like_others(void **state)
{
    (void)state;
    for (int variant = 0; variant < 3; variant++) {
        const int n = variant == 2 ? 2 : 1;
        routh_linear l = model_second_order(n, NULL, NULL);
        add_signals(&l, 1, 1);
        l.B[n] = 1;
        l.C[variant == 1 ? n : 0] = 1;
        answers a = compute(&l);
        assert_int_equal(a.modes->n_zero, 2 * n);
        for (int i = 0; i < 2 * n; i++) {
            assert_int_equal(a.z->modes[i].copies, n);
            assert_int_equal(a.z->modes[i].input.verdict, variant == 2 ? ROUTH_NO : ROUTH_YES);
            assert_int_equal(a.z->modes[i].output.verdict, variant ? ROUTH_NO : ROUTH_YES);
        }
        free_answers(&a);
        free_all(&l);
    }
}

/* An input that prescribes a motion acts by its rates: x'' + d x' = d in' drives the decay, not the
 * zero, since in e^(lambda t) gives d lambda. Likewise through in''. */
static void rates_of_an_input_count(void **state)
{
    (void)state;
    const double d = 3;
    for (int order = 1; order <= 2; order++) {
        const double C[] = {d};
        routh_linear l = model_second_order(1, NULL, C);
        add_signals(&l, 1, 1);
        (order == 1 ? l.B1 : l.B2)[1] = d;
        l.C[0] = 1;
        answers a = compute(&l);
        assert_near(a.modes->modes[1].eigenvalue[0], -d, 1e-14);
        assert_int_equal(a.z->modes[0].input.verdict, ROUTH_NO);
        assert_true(a.z->modes[0].input.each[0] == 0);
        assert_int_equal(a.z->modes[1].input.verdict, ROUTH_YES);
        free_answers(&a);
        free_all(&l);
    }
    /* x'' + 6 x = in'' + 6 in: the support moves so that the pole is a zero at +-i sqrt(6) */
    const double K[] = {6};
    routh_linear l = model_second_order(1, K, NULL);
    add_signals(&l, 1, 1);
    l.B[1] = 6, l.B2[1] = 1;
    l.C[0] = 1;
    answers a = compute(&l);
    for (int i = 0; i < 2; i++) assert_int_equal(a.z->modes[i].input.verdict, ROUTH_NO);
    free_answers(&a);
    free_all(&l);
}

/* (A, B, C) and (A', C', B') are each other's mirror. */
static void driving_and_seeing_are_dual(void **state)
{
    (void)state;
    enum { N = 6 };
    unsigned random = 7;
    routh_linear l = model_new(0, N), dual = model_new(0, N);
    add_signals(&l, 2, 3), add_signals(&dual, 3, 2);
    l.n_velocity = dual.n_velocity = 0, l.n_control = dual.n_control = N;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) l.A[i * N + j] = dual.A[j * N + i] = random_number(&random);
        for (int j = 0; j < 2; j++) l.B[2 * i + j] = dual.C[j * N + i] = random_number(&random);
        for (int j = 0; j < 3; j++) l.C[j * N + i] = dual.B[3 * i + j] = random_number(&random);
    }
    answers a = compute(&l), b = compute(&dual);
    for (int k = 0; k < N; k++) {
        const routh_mode_reach *in = &a.z->modes[k].input, *out = &b.z->modes[k].output;
        assert_near(in->least, out->least, 1e-9);
        for (int j = 0; j < 2; j++) assert_near(in->each[j], out->each[j], 1e-9);
        for (int j = 0; j < 3; j++)
            assert_near(a.z->modes[k].output.each[j], b.z->modes[k].input.each[j], 1e-9);
        assert_int_equal(in->verdict, out->verdict);
    }
    free_answers(&a), free_answers(&b);
    free_all(&l), free_all(&dual);
}

/* Other units of every state, input and output, and of time, leave all figures. */
static void figures_depend_on_no_units(void **state)
{
    (void)state;
    unsigned random = 11;
    for (int trial = 0; trial < 40; trial++) {
        routh_linear l = chain(3, 1, 2), other = chain(3, 1, 2);
        double unit[6], in, out;
        for (int i = 0; i < 6; i++) unit[i] = pow(10, 6 * random_number(&random));
        in = pow(10, 6 * random_number(&random)), out = pow(10, 6 * random_number(&random));
        const double second = pow(10, 3 * random_number(&random));
        l.B1[4] = 0.3, l.B2[5] = -0.2;
        /* states of the mechanism may not have a unit each, those of controllers may */
        l.n_position = l.n_velocity = other.n_position = other.n_velocity = 0;
        l.n_control = other.n_control = 6;
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++)
                other.A[6 * i + j] = l.A[6 * i + j] * unit[i] / unit[j] / second;
            other.B[i] = l.B[i] * unit[i] / in / second;
            other.B1[i] = l.B1[i] * unit[i] / in;
            other.B2[i] = l.B2[i] * unit[i] / in * second;
            other.C[i] = l.C[i] * out / unit[i];
        }
        answers a = compute(&l), b = compute(&other);
        for (int k = 0; k < 6; k++) {
            const routh_mode_realization *x = &a.z->modes[k], *y = &b.z->modes[k];
            assert_int_equal(x->input.verdict, y->input.verdict);
            assert_int_equal(x->output.verdict, y->output.verdict);
            assert_near(x->input.least, y->input.least, 1e-9);
            assert_near(x->input.distance, y->input.distance, 1e-9);
            assert_near(x->output.each[0], y->output.each[0], 1e-9);
            assert_near(x->output.distance, y->output.distance, 1e-9);
        }
        free_answers(&a), free_answers(&b);
        free_all(&l), free_all(&other);
    }
}

/* Where the matrices have zeros, rounding of any size leaves the figures. */
static void zeros_may_be_rounding_errors(void **state)
{
    (void)state;
    const double sizes[] = {3e-17, 1e-33, 1e-64};
    unsigned random = 5;
    for (int k = 0; k < 30; k++) {
        routh_linear l = chain(3, 0, 2), noisy = chain(3, 0, 2);
        double *const matrices[] = {noisy.A, noisy.B, noisy.B1, noisy.B2, noisy.C};
        const int n[] = {36, 6, 6, 6, 6};
        for (int m = 0; m < 5; m++)
            for (int e = 0; e < n[m]; e++) matrices[m][e] += sizes[k % 3] * random_number(&random);
        answers a = compute(&l), b = compute(&noisy);
        for (int i = 0; i < 6; i++) {
            const routh_mode_realization *x = &a.z->modes[i], *y = &b.z->modes[i];
            assert_near(x->input.least, y->input.least, 1e-12);
            assert_near(x->output.distance, y->output.distance, 1e-12);
            assert_int_equal(x->input.verdict, y->input.verdict);
        }
        free_answers(&a), free_answers(&b);
        free_all(&l), free_all(&noisy);
    }
}

/* Other states leave the verdicts. */
static void verdicts_depend_on_no_states(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed < 60; seed++) {
        unsigned random = seed;
        routh_linear l = chain(5, 2, 1);
        change_states(&l, &random);
        answers a = compute(&l);
        for (int i = 0; i < 10; i++) {
            const int k = i / 2 + 1;
            assert_int_equal(a.z->modes[i].input.verdict, 3 * k % 6 ? ROUTH_YES : ROUTH_NO);
            assert_int_equal(a.z->modes[i].output.verdict, 2 * k % 6 ? ROUTH_YES : ROUTH_NO);
        }
        free_answers(&a);
        free_all(&l);
    }
}

static void without_signals_there_is_nothing_to_say(void **state)
{
    (void)state;
    const double K[] = {1};
    routh_linear l = model_second_order(1, K, NULL);
    routh_modes *m = NULL;
    routh_realization *z = NULL;
    routh_error error;
    assert_int_equal(routh_modes_compute(&m, &l, NULL), ROUTH_OK);
    assert_int_equal(routh_realization_compute(&z, &l, m, &error), ROUTH_BAD_ARGUMENT);
    assert_null(z);
    assert_non_null(strstr(error.message, "no inputs and no outputs"));
    add_signals(&l, 1, 0);
    l.B[1] = 1;
    assert_int_equal(routh_realization_compute(&z, &l, m, NULL), ROUTH_OK);
    assert_int_equal(z->modes[0].input.verdict, ROUTH_YES);
    assert_int_equal(z->modes[0].output.verdict, ROUTH_CANNOT_TELL);
    assert_true(isnan(z->modes[0].output.distance));
    routh_modes_free(m);
    routh_realization_free(z);
    routh_realization_free(NULL);
    free_all(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_force_on_a_node_does_not_drive_the_mode),
        cmocka_unit_test(one_oscillator_in_closed_form),
        cmocka_unit_test(doubt_about_an_eigenvalue_is_noise),
        cmocka_unit_test(a_cancelled_pole_is_missing_on_one_side),
        cmocka_unit_test(two_equal_oscillators_need_two_forces),
        cmocka_unit_test(zeros_are_modes_like_others),
        cmocka_unit_test(rates_of_an_input_count),
        cmocka_unit_test(driving_and_seeing_are_dual),
        cmocka_unit_test(figures_depend_on_no_units),
        cmocka_unit_test(zeros_may_be_rounding_errors),
        cmocka_unit_test(verdicts_depend_on_no_states),
        cmocka_unit_test(without_signals_there_is_nothing_to_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
