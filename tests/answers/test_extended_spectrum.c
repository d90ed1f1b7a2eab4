/* Eigenvalues of matrices that are known in extended precision: blocks with exact eigenvalues over
 * seven decades, hidden by integer shears that 106 bits hold exactly. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/double_double.h"
#include "routh/answers.h"
#include "support/effort.h"
#include "support/random_frames.h"

enum { MOST = 16 };

typedef struct hidden {
    int n, n_zero;
    rt_dd A[MOST * MOST]; /* row-major */
    double _Complex value[MOST];
    bool defective;
} hidden;

static int below(random_stream *random, int n) { return (int)(random_bits(random) % (uint64_t)n); }

static rt_dd *at(hidden *h, int i, int j) { return &h->A[i * h->n + j]; }

/* A := (I + m e_i e_j') A (I - m e_i e_j') */
static void hidden_shear(hidden *h, int i, int j, double m)
{
    for (int c = 0; c < h->n; c++)
        *at(h, i, c) = rt_dd_add(*at(h, i, c), rt_dd_multiply(rt_dd_of(m), *at(h, j, c)));
    for (int r = 0; r < h->n; r++)
        *at(h, r, j) = rt_dd_add(*at(h, r, j), rt_dd_multiply(rt_dd_of(-m), *at(h, r, i)));
}

typedef enum kind { OSCILLATOR, REAL_PAIR, FREE, CRITICAL, N_KINDS } kind;

/* A block of two states and its eigenvalues; w a power of two. */
static void hidden_put(hidden *h, int k, kind what, double w)
{
    *at(h, k, k + 1) = rt_dd_of(1);
    if (what == FREE) {
        h->n_zero += 2;
        return;
    }
    if (what == OSCILLATOR) { /* s^2 + w^2 */
        *at(h, k + 1, k) = rt_dd_of(-w * w);
        h->value[k] = I * w, h->value[k + 1] = -I * w;
    } else if (what == REAL_PAIR) { /* (s + w) (s + 4 w) */
        *at(h, k + 1, k) = rt_dd_of(-4 * w * w), *at(h, k + 1, k + 1) = rt_dd_of(-5 * w);
        h->value[k] = -w, h->value[k + 1] = -4 * w;
    } else { /* (s + w)^2 */
        *at(h, k + 1, k) = rt_dd_of(-w * w), *at(h, k + 1, k + 1) = rt_dd_of(-2 * w);
        h->value[k] = h->value[k + 1] = -w;
        h->defective = true;
    }
}

static void hidden_make(hidden *h, random_stream *random)
{
    memset(h, 0, sizeof *h);
    h->n = 2 * (1 + below(random, MOST / 2));
    bool taken[40] = {false};
    for (int k = 0; k < h->n; k += 2) {
        int power;
        do power = below(random, 24);
        while (taken[power] || taken[power + 2]); /* one is not four times another */
        taken[power] = taken[power + 2] = true;
        hidden_put(h, k, (kind)below(random, N_KINDS), ldexp(1, power - 12));
    }
    for (int k = 0; k < h->n / 2; k++) {
        const int i = below(random, h->n), j = (i + 1 + below(random, h->n - 1)) % h->n;
        hidden_shear(h, i, j, below(random, 3) - 1);
    }
}

static routh_linear linear_of(const hidden *h, double *A, double *rest, double *zero)
{
    for (int e = 0; e < h->n * h->n; e++) A[e] = h->A[e].high, rest[e] = h->A[e].low;
    for (int e = 0; e < ROUTH_ERROR_SAMPLES * h->n * h->n; e++) zero[e] = 0;
    return (routh_linear){.n_states = h->n,
                          .n_position = h->n / 2,
                          .n_velocity = h->n - h->n / 2,
                          .A = A,
                          .A_rest = rest,
                          .A_error = zero};
}

/* Each eigenvalue found is that of one planted, which is taken away. */
static void check_value(hidden *h, const routh_mode *mode, int number)
{
    const double _Complex found = mode->eigenvalue[0] + I * mode->eigenvalue[1];
    int best = -1;
    for (int k = 0; k < h->n; k++)
        if (h->value[k] != 0 &&
            (best < 0 || cabs(h->value[k] - found) < cabs(h->value[best] - found)))
            best = k;
    assert_true(best >= 0);
    const double size = cabs(h->value[best]), off = cabs(h->value[best] - found);
    if (!(off <= mode->error_bound))
        fail_msg("matrix %d: %.17g%+.17gi is off by %.2g, more than %.2g", number,
                 mode->eigenvalue[0], mode->eigenvalue[1], off, mode->error_bound);
    /* of 32 digits 15 are the squares of the decades, some 6 the shears' */
    if (!h->defective && !(mode->error_bound <= 1e-9 * size))
        fail_msg("matrix %d: the bound of %.3g is %.2g", number, size, mode->error_bound);
    h->value[best] = 0;
}

/* Returns whether the zeros are others, which must have been in doubt. */
static bool check_matrix(hidden *h, int number)
{
    double A[MOST * MOST], rest[MOST * MOST], none[ROUTH_ERROR_SAMPLES * MOST * MOST];
    routh_modes *modes;
    routh_error error;
    const routh_linear linear = linear_of(h, A, rest, none);
    assert_int_equal(routh_modes_compute(&modes, &linear, &error), ROUTH_OK);
    const bool other = modes->n_zero != h->n_zero;
    if (other && !routh_modes_in_doubt(modes))
        fail_msg("matrix %d: %d zeros, not %d", number, modes->n_zero, h->n_zero);
    for (int i = 0; i < h->n && !other; i++)
        if (!modes->modes[i].rigid) check_value(h, &modes->modes[i], number);
    routh_modes_free(modes);
    return other;
}

static void seven_decades_are_told_apart(void **state)
{
    (void)state;
    random_stream random = {5};
    int zeros = 0, others = 0, miscounted = 0;
    for (int k = 0; k < with_effort(2000); k++) {
        hidden h;
        hidden_make(&h, &random);
        miscounted += check_matrix(&h, k);
        zeros += h.n_zero, others += h.n - h.n_zero;
    }
    assert_true(zeros > with_effort(2000) && others > with_effort(8000));
    assert_true(miscounted <= with_effort(2000) / 10000); /* shears may have taken all digits */
}

/* Vectors of a defective eigenvalue are one but for a part of 1e-15: their products and factors
 * are rounded by as much as eigenvalues are apart, or one vector is left. */
static void vectors_of_defective_eigenvalues_are_hardly_apart(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed;
        int number;
    } of[] = {{5, 8362}, {6, 8213}, {6, 14088}, {6, 17132}, {7, 11297}, {7, 12579}, {7, 18068}};
    for (size_t e = 0; e < sizeof of / sizeof of[0]; e++) {
        random_stream random = {of[e].seed};
        hidden h;
        for (int k = 0; k <= of[e].number; k++) hidden_make(&h, &random);
        assert_false(check_matrix(&h, of[e].number));
    }
}

/* x'' = -K x with K = e + k e': entries that are known to an error: what is no larger is zero, and
 * its bound says how large it may be. */
static void what_is_within_its_error_is_zero_within_a_bound(void **state)
{
    (void)state;
    for (int k = 1; k < 20; k++) {
        const double w2 = ldexp(1, -2 * k);
        double A[4] = {0, 1, -w2, 0}, rest[4] = {0};
        double error_of[4 * ROUTH_ERROR_SAMPLES] = {0, 0, 4 * w2, 0};
        const routh_linear linear = {.n_states = 2,
                                     .n_position = 1,
                                     .n_velocity = 1,
                                     .A = A,
                                     .A_rest = rest,
                                     .A_error = error_of};
        routh_modes *modes;
        routh_error error;
        assert_int_equal(routh_modes_compute(&modes, &linear, &error), ROUTH_OK);
        assert_int_equal(modes->n_zero, 2);
        assert_true(modes->modes[0].error_bound >= sqrt(w2));
        assert_true(modes->modes[0].error_bound <= 8 * sqrt(w2));
        routh_modes_free(modes);
        error_of[2] = w2 / 64;
        assert_int_equal(routh_modes_compute(&modes, &linear, &error), ROUTH_OK);
        assert_int_equal(modes->n_zero, 0);
        /* w (1 +- e/2), and not more than five times the samples beside the second order */
        assert_true(modes->modes[0].error_bound >= sqrt(w2) / 128);
        assert_true(modes->modes[0].error_bound <= sqrt(w2) / 16);
        routh_modes_free(modes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seven_decades_are_told_apart),
        cmocka_unit_test(vectors_of_defective_eigenvalues_are_hardly_apart),
        cmocka_unit_test(what_is_within_its_error_is_zero_within_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
