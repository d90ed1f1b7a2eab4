/* Complex sparse factors against dense elimination. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/complex_factor.h"
#include "support/random_frames.h"

enum { MOST = 150 };

typedef struct matrix {
    rt_arena arena;
    rt_pattern pattern;
    double _Complex *values; /* on the pattern */
    double _Complex *dense;  /* row-major */
} matrix;

/* A diagonal and three more entries a column; some of it is small, so that pivots move. */
static void make(matrix *a, int n, random_stream *random)
{
    int rows[4 * MOST], columns[4 * MOST], position[4 * MOST], entries = 0;
    *a = (matrix){.dense = calloc((size_t)(n * n), sizeof *a->dense)};
    assert_non_null(a->dense);
    for (int c = 0; c < n; c++)
        for (int k = 0; k < 4; k++) {
            double x;
            random_reals(random, 1, &x);
            rows[entries] = k == 0 ? c : (int)(fabs(x) * 1e6) % n;
            columns[entries++] = c;
        }
    assert_int_equal(rt_pattern_build(&a->pattern, n, n, entries, rows, columns, position,
                                      &a->arena, NULL),
                     ROUTH_OK);
    a->values = RT_TAKE(&a->arena, double _Complex, a->pattern.start[n]);
    assert_non_null(a->values);
    for (int c = 0; c < n; c++)
        for (int e = a->pattern.start[c]; e < a->pattern.start[c + 1]; e++) {
            double x[2];
            random_reals(random, 2, x);
            a->values[e] = x[0] + x[1] * I;
            if (a->pattern.row[e] == c) a->values[e] *= c % 5 ? 3 : 1e-3;
            a->dense[a->pattern.row[e] * n + c] = a->values[e];
        }
}

static void drop(matrix *a)
{
    free(a->dense);
    rt_arena_free(&a->arena);
}

/* Gauss with pivots of rows: log|det A| and its phase; b becomes A^-1 b. */
static void eliminate(int n, double _Complex *A, double _Complex *b, double *log_modulus,
                      double _Complex *phase)
{
    *log_modulus = 0, *phase = 1;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (cabs(A[i * n + k]) > cabs(A[best * n + k])) best = i;
        for (int j = 0; j < n; j++) {
            const double _Complex x = A[k * n + j];
            A[k * n + j] = A[best * n + j], A[best * n + j] = x;
        }
        const double _Complex x = b[k], pivot = A[k * n + k];
        b[k] = b[best], b[best] = x;
        *log_modulus += log(cabs(pivot));
        *phase *= pivot / cabs(pivot) * (best == k ? 1 : -1);
        for (int i = 0; i < n; i++) {
            const double _Complex factor = i == k ? 0 : A[i * n + k] / pivot;
            for (int j = k; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = 0; k < n; k++) b[k] /= A[k * n + k];
}

/* More than 64 columns: the phase is brought back to modulus 1 on the way. */
static void solutions_and_determinants_are_those_of_elimination(void **state)
{
    static const int sizes[] = {1, 2, 7, 30, MOST};
    random_stream random = {5};
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const int n = sizes[s];
        matrix a;
        rt_complex_factor *factor;
        routh_error error;
        double _Complex b[MOST], x[MOST], work[MOST], phase, right_phase;
        double log_modulus, right_log;
        make(&a, n, &random);
        for (int k = 0; k < n; k++) b[k] = x[k] = cos(k) + I * sin(3 * k);
        assert_int_equal(rt_complex_factor_create(&factor, &a.pattern, &error), ROUTH_OK);
        assert_int_equal(rt_complex_factor_numeric(factor, a.values, &error), ROUTH_OK);
        assert_int_equal(rt_complex_factor_solve(factor, b, 1, &error), ROUTH_OK);
        rt_complex_factor_determinant(factor, &log_modulus, &phase, work);
        eliminate(n, a.dense, x, &right_log, &right_phase);
        double largest = 0, off = 0;
        for (int k = 0; k < n; k++) {
            largest = fmax(largest, cabs(x[k]));
            off = fmax(off, cabs(x[k] - b[k]));
        }
        assert_true(off <= 1e-9 * largest);
        assert_true(fabs(log_modulus - right_log) <= 1e-9);
        assert_true(cabs(phase - right_phase) <= 1e-9 && fabs(cabs(phase) - 1) <= 1e-13);
        rt_complex_factor_free(factor);
        drop(&a);
    }
}

/* Wherever it stands, in the real part or the imaginary one. */
static void an_entry_that_is_no_finite_number_is_refused(void **state)
{
    enum { N = 9 };
    random_stream random = {6};
    matrix a;
    rt_complex_factor *factor;
    routh_error error;
    (void)state;
    make(&a, N, &random);
    assert_int_equal(rt_complex_factor_create(&factor, &a.pattern, &error), ROUTH_OK);
    for (int e = 0; e < 2 * a.pattern.start[N]; e++) {
        double *part = (double *)a.values + e, kept = *part;
        *part = e % 3 ? NAN : INFINITY;
        assert_int_equal(rt_complex_factor_numeric(factor, a.values, &error), ROUTH_NUMERIC_ERROR);
        assert_non_null(strstr(error.message, "not a finite number"));
        *part = kept;
    }
    assert_int_equal(rt_complex_factor_numeric(factor, a.values, &error), ROUTH_OK);
    rt_complex_factor_free(factor);
    drop(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_and_determinants_are_those_of_elimination),
        cmocka_unit_test(an_entry_that_is_no_finite_number_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
