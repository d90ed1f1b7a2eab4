/* Tests of base/factor on saddle-point matrices [M G'; G 0] of a chain, where wrong pivoting loses
 * digits. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/sparse.h"
#include "support/effort.h"
#include "support/random_mechanism.h"

enum { BODIES = 200, N = 2 * BODIES - 1 };

typedef struct saddle {
    rt_arena arena;
    rt_pattern pattern;
    double *values;
} saddle;

/* masses m_i on the diagonal; row BODIES + i: g_i x_i - h_i x_i+1 = 0, and its transpose */
static void make(saddle *s, double phase)
{
    enum { ENTRIES = BODIES + 4 * (BODIES - 1) };
    static int rows[ENTRIES], columns[ENTRIES], position[ENTRIES];
    static double entry[ENTRIES];
    int k = 0;
    for (int i = 0; i < BODIES; i++)
        rows[k] = i, columns[k] = i, entry[k++] = 1 + 0.5 * sin(i + phase);
    for (int i = 0; i + 1 < BODIES; i++)
        for (int side = 0; side < 2; side++) {
            const double g = side ? -1 - 0.3 * cos(2 * i + phase) : cos(i * phase);
            rows[k] = BODIES + i, columns[k] = i + side, entry[k++] = g;
            rows[k] = i + side, columns[k] = BODIES + i, entry[k++] = g;
        }
    if (!s->values) {
        assert_int_equal(
            rt_pattern_build(&s->pattern, N, N, ENTRIES, rows, columns, position, &s->arena, NULL),
            ROUTH_OK);
        s->values = RT_TAKE(&s->arena, double, ENTRIES);
        for (int e = 0; e < ENTRIES; e++) assert_in_range(position[e], 0, ENTRIES - 1);
    }
    memset(s->values, 0, ENTRIES * sizeof(double));
    for (int e = 0; e < ENTRIES; e++) s->values[position[e]] += entry[e];
}

static double exact(int i, int rhs)
{
    return sin(0.37 * i + rhs) + 0.1 * rhs;
}

/* b = A x for known x; returns the largest error of the solution */
static double solve_error(const rt_factor *factor, const saddle *s, int n_rhs, double *work)
{
    double *b = calloc((size_t)(N * n_rhs), sizeof *b), x[N], worst = 0;
    for (int r = 0; r < n_rhs; r++) {
        for (int i = 0; i < N; i++) x[i] = exact(i, r);
        rt_sparse_multiply_add(&s->pattern, s->values, 1, x, b + N * r);
    }
    routh_error error;
    if (rt_factor_solve(factor, b, n_rhs, work, &error) != ROUTH_OK) worst = INFINITY;
    for (int r = 0; r < n_rhs; r++)
        for (int i = 0; i < N; i++) worst = fmax(worst, fabs(b[N * r + i] - exact(i, r)));
    free(b);
    return worst;
}

static void solutions_are_right_in_both_orderings(void **state)
{
    (void)state;
    saddle s = {0};
    make(&s, 1);
    for (int ordering = RT_ORDER_AMD; ordering <= RT_ORDER_COLAMD; ordering++) {
        rt_factor *factor = NULL;
        assert_int_equal(rt_factor_create(&factor, &s.pattern, (rt_ordering)ordering, NULL),
                         ROUTH_OK);
        assert_int_equal(rt_factor_numeric(factor, s.values, NULL), ROUTH_OK);
        assert_true(solve_error(factor, &s, 7, NULL) < 1e-11);
        double work[2 * N * 4];
        assert_true(solve_error(factor, &s, 7, work) < 1e-11);
        assert_true(rt_factor_rcond(factor) > 1e-6 && rt_factor_rcond(factor) <= 1);
        assert_true(rt_factor_bytes(factor) > 10 * N);
        rt_factor_free(factor);
    }
    rt_arena_free(&s.arena);
}

/* Factors of equal patterns have one analysis, and solve as if each had its own. */
static void analyses_are_kept_by_pattern(void **state)
{
    (void)state;
    saddle s = {0}, other = {0};
    rt_analyses *analyses = rt_analyses_create();
    double b[3][N];
    assert_non_null(analyses);
    make(&s, 1);
    make(&other, 1); /* the same pattern elsewhere */
    for (int k = 0; k < 3; k++) {
        const saddle *of = k == 1 ? &other : &s;
        rt_factor *factor = NULL;
        assert_int_equal(rt_factor_create_kept(&factor, &of->pattern, RT_ORDER_AMD,
                                               k < 2 ? analyses : NULL, NULL),
                         ROUTH_OK);
        assert_int_equal(rt_factor_numeric(factor, of->values, NULL), ROUTH_OK);
        for (int i = 0; i < N; i++) b[k][i] = exact(i, 0);
        assert_int_equal(rt_factor_solve(factor, b[k], 1, NULL, NULL), ROUTH_OK);
        rt_factor_free(factor);
    }
    assert_memory_equal(b[0], b[1], sizeof b[0]);
    assert_memory_equal(b[0], b[2], sizeof b[0]);
    const int rows[] = {0, 1, 0, 1}, columns[] = {0, 0, 1, 1};
    rt_pattern p;
    rt_factor *factor = NULL;
    assert_int_equal(rt_pattern_build(&p, 2, 2, 4, rows, columns, NULL, &s.arena, NULL), ROUTH_OK);
    assert_int_equal(rt_factor_create_kept(&factor, &p, RT_ORDER_AMD, analyses, NULL), ROUTH_OK);
    assert_int_equal(rt_factor_numeric(factor, (const double[]){2, 1, 1, 3}, NULL), ROUTH_OK);
    double x[] = {3, 4};
    assert_int_equal(rt_factor_solve(factor, x, 1, NULL, NULL), ROUTH_OK);
    assert_true(fabs(x[0] - 1) <= 1e-15 && fabs(x[1] - 1) <= 1e-15);
    rt_factor_free(factor);
    rt_analyses_free(analyses);
    rt_arena_free(&s.arena);
    rt_arena_free(&other.arena);
}

/* Numbers among which many are alike, at the limits of the choice of pivots, or zero. */
static void random_values(random_stream *random, int n, double *values)
{
    static const double some[] = {0, 1, -1, 1, 2, 1e-3, 1e-3 * (1 + 1e-12), 1e3, -0.5};
    for (int k = 0; k < n; k++) {
        const uint64_t bits = random_bits(random);
        values[k] = bits % 3 ? some[bits / 3 % 9] : random_real(random);
    }
}

static void change_some(random_stream *random, int n, double *values)
{
    const uint64_t changes = random_bits(random) % 4;
    for (uint64_t k = 0; k < changes; k++) {
        double *at = &values[random_bits(random) % (uint64_t)n];
        const double of[] = {*at * (1 + 0.01 * random_real(random)), -*at, 1, values[0]};
        *at = of[random_bits(random) % 4];
    }
}

/* Status, message, solution, condition and sign of two factors. */
static void assert_same_factors(rt_factor *a, rt_factor *b, const double *values, int n)
{
    routh_error error[2] = {{0}, {0}};
    double x[2][20];
    const routh_status status = rt_factor_numeric(a, values, &error[0]);
    assert_int_equal(rt_factor_numeric(b, values, &error[1]), status);
    assert_string_equal(error[0].message, error[1].message);
    for (int i = 0; i < n; i++) x[0][i] = x[1][i] = exact(i, 1);
    assert_int_equal(rt_factor_solve(a, x[0], 1, NULL, NULL),
                     rt_factor_solve(b, x[1], 1, NULL, NULL));
    assert_memory_equal(x[0], x[1], (size_t)n * sizeof(double));
    assert_true(rt_factor_rcond(a) == rt_factor_rcond(b));
    assert_int_equal(rt_factor_sign(a), rt_factor_sign(b));
}

/* The kept one and one that is made anew, each factored a few times in its life. */
static void use_once(random_stream *random, rt_analyses *analyses, const rt_pattern *p,
                     rt_ordering ordering, double *values)
{
    rt_factor *kept, *anew;
    const int n = p->n_columns, entries = p->start[n];
    assert_int_equal(rt_factor_create_kept(&kept, p, ordering, analyses, NULL), ROUTH_OK);
    assert_int_equal(rt_factor_create(&anew, p, ordering, NULL), ROUTH_OK);
    const uint64_t uses = random_bits(random) % 4;
    for (uint64_t k = 0; k < uses; k++) {
        const uint64_t what = random_bits(random) % 8;
        if (what == 0) random_values(random, entries, values);
        if (what > 2) change_some(random, entries, values);
        if (what == 1) rt_factor_forget(kept), rt_factor_forget(anew);
        const double before = values[0];
        if (what == 2 && k == 0) values[0] = NAN;
        assert_same_factors(kept, anew, values, n);
        values[0] = before;
    }
    rt_factor_free(kept);
    rt_factor_free(anew);
}

static void factors_that_are_taken_again_are_as_made_anew(void **state)
{
    (void)state;
    random_stream random = {7};
    for (int round = 0; round < with_effort(60); round++) {
        const int n = 1 + (int)(random_bits(&random) % 18), extra = 3 * n;
        int rows[80], columns[80], m = 0;
        rt_arena arena = {0};
        rt_pattern p;
        double values[80];
        rt_analyses *analyses = rt_analyses_create();
        assert_non_null(analyses);
        for (; m < n + extra; m++) {
            rows[m] = m < n ? m : (int)(random_bits(&random) % (uint64_t)n);
            columns[m] = m < n ? m : (int)(random_bits(&random) % (uint64_t)n);
        }
        assert_int_equal(rt_pattern_build(&p, n, n, (size_t)m, rows, columns, NULL, &arena, NULL),
                         ROUTH_OK);
        random_values(&random, p.start[n], values);
        for (int k = 0; k < 60; k++)
            use_once(&random, analyses, &p, (rt_ordering)(round % 3), values);
        rt_analyses_free(analyses);
        rt_arena_free(&arena);
    }
}

static void new_values_are_refactored(void **state)
{
    (void)state;
    saddle s = {0};
    rt_factor *factor = NULL;
    make(&s, 1);
    assert_int_equal(rt_factor_create(&factor, &s.pattern, RT_ORDER_AMD, NULL), ROUTH_OK);
    for (int step = 0; step < 20; step++) {
        make(&s, 1 + 0.1 * step);
        assert_int_equal(rt_factor_numeric(factor, s.values, NULL), ROUTH_OK);
        assert_true(solve_error(factor, &s, 1, NULL) < 1e-9);
    }
    rt_factor_free(factor);
    rt_arena_free(&s.arena);
}

/* [e 1; 1 1] with e from 1 to 1e-20: the pivot e of the first factorization becomes useless. */
static void bad_old_pivots_are_given_up(void **state)
{
    (void)state;
    const int rows[] = {0, 1, 0, 1}, columns[] = {0, 0, 1, 1};
    rt_arena arena = {0};
    rt_pattern p;
    rt_factor *factor = NULL;
    assert_int_equal(rt_pattern_build(&p, 2, 2, 4, rows, columns, NULL, &arena, NULL), ROUTH_OK);
    assert_int_equal(rt_factor_create(&factor, &p, RT_ORDER_AMD, NULL), ROUTH_OK);
    for (int turn = 0; turn < 2; turn++) {
        double values[] = {10, 1, 1, 1};
        assert_int_equal(rt_factor_numeric(factor, values, NULL), ROUTH_OK);
        values[3 * turn] = 1e-20;
        values[3 - 3 * turn] = 1;
        assert_int_equal(rt_factor_numeric(factor, values, NULL), ROUTH_OK);
        double b[2];
        b[turn] = 1, b[1 - turn] = 2;
        assert_int_equal(rt_factor_solve(factor, b, 1, NULL, NULL), ROUTH_OK);
        assert_true(fabs(b[turn] - 1) <= 1e-15);
        assert_true(fabs(b[1 - turn] - 1) <= 1e-15);
        /* refinement alone can save b, but not the pivots */
        assert_true(rt_factor_rcond(factor) > 0.1);
    }
    rt_factor_free(factor);
    rt_arena_free(&arena);
}

static void a_singular_matrix_is_named_by_its_column(void **state)
{
    (void)state;
    const int rows[] = {0, 2, 1, 3, 0, 3}, columns[] = {0, 0, 1, 1, 3, 3};
    double values[] = {1, 2, 3, 4, 5, 6};
    rt_arena arena = {0};
    rt_pattern p;
    rt_factor *factor = NULL;
    routh_error error;
    assert_int_equal(rt_pattern_build(&p, 4, 4, 6, rows, columns, NULL, &arena, NULL), ROUTH_OK);
    assert_int_equal(rt_factor_create(&factor, &p, RT_ORDER_AMD, &error), ROUTH_OK);
    assert_int_equal(rt_factor_numeric(factor, values, &error), ROUTH_SINGULAR);
    assert_non_null(strstr(error.message, "column 2"));
    double b[4] = {1, 1, 1, 1};
    assert_int_equal(rt_factor_solve(factor, b, 1, NULL, &error), ROUTH_BAD_ARGUMENT);
    rt_factor_free(factor);
    rt_arena_free(&arena);
}

/* The same column must be named when the matrix becomes singular after a good factorization. */
static void a_matrix_that_becomes_singular_is_reported_and_can_recover(void **state)
{
    (void)state;
    const int rows[] = {0, 1, 1, 2, 2, 0}, columns[] = {0, 0, 1, 1, 2, 2};
    rt_arena arena = {0};
    rt_pattern p;
    rt_factor *factor = NULL;
    routh_error error;
    assert_int_equal(rt_pattern_build(&p, 3, 3, 6, rows, columns, NULL, &arena, NULL), ROUTH_OK);
    assert_int_equal(rt_factor_create(&factor, &p, RT_ORDER_COLAMD, NULL), ROUTH_OK);
    double good[] = {1, 2, 3, 4, 5, 6}, bad[] = {1, 2, 0, 0, 5, 6};
    assert_int_equal(rt_factor_numeric(factor, good, &error), ROUTH_OK);
    assert_int_equal(rt_factor_numeric(factor, bad, &error), ROUTH_SINGULAR);
    assert_non_null(strstr(error.message, "column 1"));
    assert_true(rt_factor_rcond(factor) == 0);
    assert_int_equal(rt_factor_numeric(factor, good, &error), ROUTH_OK);
    good[0] = NAN;
    assert_int_equal(rt_factor_numeric(factor, good, &error), ROUTH_NUMERIC_ERROR);
    rt_factor_free(factor);
    rt_arena_free(&arena);
}

/* [a 0 e; b c 0; 0 d f]: a c f + e b d */
static void the_sign_of_the_determinant(void **state)
{
    (void)state;
    const int rows[] = {0, 1, 1, 2, 2, 0}, columns[] = {0, 0, 1, 1, 2, 2};
    rt_arena arena = {0};
    rt_pattern p;
    assert_int_equal(rt_pattern_build(&p, 3, 3, 6, rows, columns, NULL, &arena, NULL), ROUTH_OK);
    for (int ordering = RT_ORDER_AMD; ordering <= RT_ORDER_COLAMD; ordering++) {
        rt_factor *factor = NULL;
        assert_int_equal(rt_factor_create(&factor, &p, (rt_ordering)ordering, NULL), ROUTH_OK);
        assert_int_equal(rt_factor_sign(factor), 0);
        for (int signs = 0; signs < 64; signs++) {
            double v[6];
            for (int k = 0; k < 6; k++) v[k] = (k * k + 1) * (signs >> k & 1 ? -1 : 1);
            const double determinant = v[0] * v[2] * v[5] + v[4] * v[1] * v[3];
            assert_int_equal(rt_factor_numeric(factor, v, NULL), ROUTH_OK);
            assert_int_equal(rt_factor_sign(factor), determinant < 0 ? -1 : 1);
            if (signs % 3 == 0) rt_factor_forget(factor);
        }
        rt_factor_free(factor);
    }
    rt_arena_free(&arena);
}

static void shapes_at_the_edge(void **state)
{
    (void)state;
    rt_arena arena = {0};
    rt_pattern p;
    rt_factor *factor = NULL;
    assert_int_equal(rt_pattern_build(&p, 2, 3, 0, NULL, NULL, NULL, &arena, NULL), ROUTH_OK);
    assert_int_equal(rt_factor_create(&factor, &p, RT_ORDER_AMD, NULL), ROUTH_BAD_ARGUMENT);
    assert_null(factor);
    assert_int_equal(rt_pattern_build(&p, 0, 0, 0, NULL, NULL, NULL, &arena, NULL), ROUTH_OK);
    assert_int_equal(rt_factor_create(&factor, &p, RT_ORDER_AMD, NULL), ROUTH_OK);
    assert_int_equal(rt_factor_numeric(factor, NULL, NULL), ROUTH_OK);
    assert_int_equal(rt_factor_solve(factor, NULL, 1, NULL, NULL), ROUTH_OK);
    rt_factor_free(factor);
    rt_arena_free(&arena);
}

typedef struct job {
    const rt_factor *factor;
    const saddle *s;
    double worst;
} job;

static void *run(void *argument)
{
    job *j = argument;
    double *work = malloc(2 * N * 4 * sizeof *work);
    for (int k = 0; k < 100; k++)
        j->worst = fmax(j->worst, solve_error(j->factor, j->s, 1 + k % 6, work));
    free(work);
    return NULL;
}

static void threads_solve_on_one_factor(void **state)
{
    (void)state;
    saddle s = {0};
    rt_factor *factor = NULL;
    make(&s, 1);
    assert_int_equal(rt_factor_create(&factor, &s.pattern, RT_ORDER_AMD, NULL), ROUTH_OK);
    assert_int_equal(rt_factor_numeric(factor, s.values, NULL), ROUTH_OK);
    pthread_t threads[4];
    job jobs[4];
    for (int t = 0; t < 4; t++) {
        jobs[t] = (job){factor, &s, 0};
        assert_int_equal(pthread_create(&threads[t], NULL, run, &jobs[t]), 0);
    }
    for (int t = 0; t < 4; t++) {
        pthread_join(threads[t], NULL);
        assert_true(jobs[t].worst < 1e-11);
    }
    rt_factor_free(factor);
    rt_arena_free(&s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_are_right_in_both_orderings),
        cmocka_unit_test(analyses_are_kept_by_pattern),
        cmocka_unit_test(factors_that_are_taken_again_are_as_made_anew),
        cmocka_unit_test(new_values_are_refactored),
        cmocka_unit_test(bad_old_pivots_are_given_up),
        cmocka_unit_test(a_singular_matrix_is_named_by_its_column),
        cmocka_unit_test(a_matrix_that_becomes_singular_is_reported_and_can_recover),
        cmocka_unit_test(the_sign_of_the_determinant),
        cmocka_unit_test(shapes_at_the_edge),
        cmocka_unit_test(threads_solve_on_one_factor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
