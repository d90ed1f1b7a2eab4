/* Tests of base/elimination, both paths: rank against the singular values, the chosen block, the
 * weights, the verdict, and the work on a long chain of mechanism loops. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <lapacke.h>

#include "base/elimination.h"
#include "loops.h"

static uint64_t seed;

/* uniform in [0, 1) */
static double uniform(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static double entry(double density)
{
    return uniform() < density ? (uniform() < 0.5 ? -1 : 1) * (0.2 + uniform()) : 0;
}

/* Eliminates a dense row-major m x n matrix by the given path. */
static rt_elimination *eliminate(const double *a, int m, int n, const double *row_weight,
                                 const double *column_weight, double tolerance, int path)
{
    const size_t size = (size_t)(m * n) + 1;
    int *rows = malloc(size * sizeof(int)), *columns = malloc(size * sizeof(int));
    int *position = malloc(size * sizeof(int));
    double *values = calloc(size, sizeof(double));
    size_t count = 0;
    rt_arena arena = {0};
    rt_pattern p;
    rt_elimination *e = NULL;
    for (int k = 0; k < m * n; k++)
        if (a[k] != 0) rows[count] = k / n, columns[count++] = k % n;
    assert_int_equal(rt_pattern_build(&p, m, n, count, rows, columns, position, &arena, NULL),
                     ROUTH_OK);
    for (size_t k = 0; k < count; k++) values[position[k]] = a[rows[k] * n + columns[k]];
    assert_int_equal(rt_eliminate(&e, &p, values, row_weight, column_weight, tolerance, path, NULL),
                     ROUTH_OK);
    rt_arena_free(&arena);
    free(rows), free(columns), free(position), free(values);
    return e;
}

/* Singular values of a row-major m x n matrix; returns how many there are. */
static int singular_values(const double *a, int m, int n, double *sigma)
{
    double *copy = malloc(((size_t)(m * n) + 1) * sizeof *copy), super[200];
    memcpy(copy, a, (size_t)(m * n) * sizeof *copy);
    if (m && n)
        assert_int_equal(LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', m, n, copy, n, sigma, NULL, 1,
                                        NULL, 1, super),
                         0);
    free(copy);
    return m < n ? m : n;
}

static int rank_by_svd(const double *a, int m, int n)
{
    double sigma[200];
    const int k = singular_values(a, m, n, sigma);
    int rank = 0;
    while (rank < k && sigma[rank] > 1e-11 * sigma[0]) rank++;
    return rank;
}

/* The arrays of the result must describe one and the same sequence of pivots. */
static void assert_consistent(const rt_elimination *e, int m, int n)
{
    double least = INFINITY;
    for (int k = 0; k < e->rank; k++) least = fmin(least, e->pivot_size[k]);
    assert_true(least == e->smallest_pivot);
    int rows = 0, columns = 0;
    assert_int_equal(e->n_rows, m);
    assert_int_equal(e->n_columns, n);
    for (int k = 0; k < e->rank; k++) {
        assert_int_equal(e->row_step[e->pivot_row[k]], k);
        assert_int_equal(e->column_step[e->pivot_column[k]], k);
    }
    for (int i = 0; i < m; i++) rows += e->row_step[i] >= 0;
    for (int j = 0; j < n; j++) columns += e->column_step[j] >= 0;
    assert_int_equal(rows, e->rank);
    assert_int_equal(columns, e->rank);
}

/* Smallest over largest singular value of the block of pivot rows and columns. */
static double block_condition(const rt_elimination *e, const double *a, int n)
{
    const int r = e->rank;
    double *block = malloc(((size_t)(r * r) + 1) * sizeof *block), sigma[200] = {1};
    for (int i = 0; i < r; i++)
        for (int j = 0; j < r; j++) block[i * r + j] = a[e->pivot_row[i] * n + e->pivot_column[j]];
    singular_values(block, r, r, sigma);
    free(block);
    return r ? sigma[r - 1] / sigma[0] : 1;
}

/* m x n of rank at most r: r sparse rows, the others combinations of two of them, rows shuffled. */
static void make_deficient(double *a, int m, int n, int r, double density)
{
    memset(a, 0, (size_t)(m * n) * sizeof *a);
    for (int k = 0; k < r * n; k++) a[k] = entry(density);
    for (int i = r; i < m && r; i++) {
        const int p = (int)(uniform() * r), q = (int)(uniform() * r);
        const double x = uniform() - 0.5, y = uniform() + 0.5;
        for (int j = 0; j < n; j++) a[i * n + j] = x * a[p * n + j] + y * a[q * n + j];
    }
    for (int i = m - 1; i > 0; i--) {
        const int k = (int)(uniform() * (i + 1));
        for (int j = 0; j < n; j++) {
            const double t = a[i * n + j];
            a[i * n + j] = a[k * n + j], a[k * n + j] = t;
        }
    }
}

static void rank_is_that_of_the_singular_values(void **state)
{
    (void)state;
    seed = 1;
    for (int round = 0; round < 300; round++) {
        const int m = 1 + (int)(40 * uniform()), n = 1 + (int)(40 * uniform());
        const int r = (int)(uniform() * (m + 1));
        double *a = malloc((size_t)(m * n) * sizeof *a);
        make_deficient(a, m, n, r, 0.05 + 0.4 * uniform());
        for (int i = 0; i < m; i++) {
            /* rows of very different size */
            const double scale = pow(10, 4 * uniform() - 2);
            for (int j = 0; j < n; j++) a[i * n + j] *= scale;
        }
        const int rank = rank_by_svd(a, m, n);
        for (int path = 1; path <= 2; path++) {
            rt_elimination *e = eliminate(a, m, n, NULL, NULL, 1e-9, path);
            assert_consistent(e, m, n);
            assert_int_equal(e->rank, rank);
            assert_int_equal(e->clear, RT_YES);
            assert_true(block_condition(e, a, n) > 1e-8);
            rt_elimination_free(e);
        }
        free(a);
    }
}

static void shapes_at_the_edge(void **state)
{
    (void)state;
    const double zeros[12] = {0}, row[12] = {0, 0, 3, 0, -5, 0, 0, 0, 0, 0, 1, 0};
    for (int path = 0; path <= 2; path++) {
        const int shape[4][2] = {{0, 0}, {0, 5}, {5, 0}, {3, 4}};
        for (int k = 0; k < 4; k++) {
            rt_elimination *e = eliminate(zeros, shape[k][0], shape[k][1], NULL, NULL, 1e-9, path);
            assert_consistent(e, shape[k][0], shape[k][1]);
            assert_int_equal(e->rank, 0);
            assert_int_equal(e->clear, RT_YES);
            assert_true(isinf(e->smallest_pivot) && e->largest_rejected == 0);
            rt_elimination_free(e);
        }
        rt_elimination *e = eliminate(row, 1, 12, NULL, NULL, 1e-9, path);
        assert_int_equal(e->rank, 1);
        /* full pivoting takes the largest, the sparse path any within a factor 10 */
        const double size = fabs(row[e->pivot_column[0]]) / 5;
        assert_true(fabs(e->smallest_pivot - size) < 1e-15 &&
                    (path == 2 || e->pivot_column[0] == 4));
        rt_elimination_free(e);
    }
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    const int rows[] = {0, 1}, columns[] = {0, 1};
    const double good[] = {1, 2}, bad[] = {1, NAN}, weight[] = {1, 0};
    rt_arena arena = {0};
    rt_pattern p;
    rt_elimination *e;
    assert_int_equal(rt_pattern_build(&p, 2, 2, 2, rows, columns, NULL, &arena, NULL), ROUTH_OK);
    assert_int_equal(rt_eliminate(&e, &p, bad, NULL, NULL, 1e-9, 0, NULL), ROUTH_NUMERIC_ERROR);
    assert_null(e);
    assert_int_equal(rt_eliminate(&e, &p, good, weight, NULL, 1e-9, 0, NULL), ROUTH_BAD_ARGUMENT);
    assert_int_equal(rt_eliminate(&e, &p, good, NULL, weight, 1e-9, 0, NULL), ROUTH_BAD_ARGUMENT);
    assert_int_equal(rt_eliminate(&e, &p, good, NULL, NULL, -1, 0, NULL), ROUTH_BAD_ARGUMENT);
    assert_int_equal(rt_eliminate(&e, &p, good, NULL, NULL, 1e-9, 3, NULL), ROUTH_BAD_ARGUMENT);
    rt_elimination_free(NULL);
    rt_arena_free(&arena);
}

/* The best dependent set by the greedy rule of matroids: from the heaviest on, a column joins the
 * set when it does not depend on those already in it. */
static void greedy(const double *a, int m, int n, const double *weight, int *in)
{
    double *set = calloc((size_t)(m * n), sizeof *set);
    int *tried = calloc((size_t)n, sizeof *tried), rank = 0;
    for (int step = 0; step < n; step++) {
        int j = -1;
        for (int k = 0; k < n; k++)
            if (!tried[k] && (j < 0 || weight[k] > weight[j])) j = k;
        tried[j] = 1;
        for (int i = 0; i < m; i++) set[i * n + j] = a[i * n + j];
        const int more = rank_by_svd(set, m, n);
        in[j] = more > rank;
        for (int i = 0; i < m && !in[j]; i++) set[i * n + j] = 0;
        rank = more;
    }
    free(set), free(tried);
}

static void transpose(const double *a, int m, int n, double *t)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) t[j * m + i] = a[i * n + j];
}

/* Weights a factor 1e4 apart decide completely which columns are independent and which rows
 * redundant. */
static void light_columns_stay_independent_and_light_rows_redundant(void **state)
{
    (void)state;
    seed = 5;
    for (int round = 0; round < 200; round++) {
        enum { M = 7, N = 9 };
        double a[M * N], t[N * M], row_weight[M], column_weight[N];
        int rows[M], columns[N];
        make_deficient(a, M, N, 1 + (int)(uniform() * M), 0.4);
        for (int i = 0; i < M; i++) row_weight[i] = pow(10, -4 * ((5 * i + round) % M));
        for (int j = 0; j < N; j++) column_weight[j] = pow(10, -4 * ((4 * j + round) % N));
        transpose(a, M, N, t);
        greedy(a, M, N, column_weight, columns);
        greedy(t, N, M, row_weight, rows);
        for (int path = 1; path <= 2; path++) {
            rt_elimination *e = eliminate(a, M, N, NULL, column_weight, 1e-12, path);
            for (int j = 0; j < N; j++) assert_int_equal(e->column_step[j] >= 0, columns[j]);
            rt_elimination_free(e);
            e = eliminate(a, M, N, row_weight, NULL, 1e-12, path);
            for (int i = 0; i < M; i++) assert_int_equal(e->row_step[i] >= 0, rows[i]);
            rt_elimination_free(e);
        }
    }
}

/* Two rows that repeat the first but for a small part in other columns. */
static void the_verdict_tells_a_gap_from_none(void **state)
{
    (void)state;
    const double wide[] = {1, 2, 3, 0, 0, /**/ 1, 2, 3, 1e-4, 0, /**/ 2, 4, 6, 0, 1e-13};
    const double close[] = {1, 2, 3, 0, 0, /**/ 1, 2, 3, 3e-9, 0, /**/ 2, 4, 6, 0, 1e-9};
    for (int path = 1; path <= 2; path++) {
        rt_elimination *e = eliminate(wide, 3, 5, NULL, NULL, 1e-9, path);
        assert_int_equal(e->rank, 2);
        assert_int_equal(e->row_step[2], -1);
        assert_int_equal(e->clear, RT_YES);
        assert_true(fabs(e->smallest_pivot / (1e-4 / 3) - 1) <= 1e-9);
        rt_elimination_free(e);
        e = eliminate(close, 3, 5, NULL, NULL, 5e-10, path);
        assert_int_equal(e->rank, 2);
        assert_int_equal(e->clear, RT_CANNOT_TELL);
        assert_true(fabs(e->smallest_pivot / 1e-9 - 1) <= 1e-5);
        assert_true(fabs(e->largest_rejected / (1e-9 / 6) - 1) <= 1e-5);
        rt_elimination_free(e);
    }
}

/* What is left in the heavy column counts as zero, so the light one must give the second pivot. */
static void weights_do_not_make_pivots_of_rounding(void **state)
{
    (void)state;
    const double a[] = {1, 1, 0, /**/ 1, 1 + 1e-10, 1}, weight[] = {1, 1, 1e-12};
    for (int path = 1; path <= 2; path++) {
        rt_elimination *e = eliminate(a, 2, 3, NULL, weight, 1e-9, path);
        assert_int_equal(e->rank, 2);
        assert_true(e->column_step[2] >= 0);
        assert_true(e->smallest_pivot > 0.4);
        rt_elimination_free(e);
    }
}

static void paths_agree_on_mechanism_loops(void **state)
{
    (void)state;
    for (int N = 1; N <= 12; N++) {
        loops l;
        loops_make(&l, N, 1.1, 0.05 * (N % 4));
        for (int path = 1; path <= 2; path++) {
            rt_elimination *e;
            assert_int_equal(rt_eliminate(&e, &l.pattern, l.values, NULL, NULL, 1e-9, path, NULL),
                             ROUTH_OK);
            assert_consistent(e, l.n_rows, l.n_columns);
            assert_int_equal(e->rank, l.rank);
            assert_int_equal(e->clear, RT_YES);
            rt_elimination_free(e);
        }
        loops_free(&l);
    }
}

/* The chain has one degree of freedom; whichever light column moves with it must be the independent
 * one. */
static void a_preferred_state_of_a_chain_is_kept(void **state)
{
    (void)state;
    enum { N = 300 };
    loops l;
    loops_make(&l, N, 1.1, 0.2);
    double *weight = malloc((size_t)l.n_columns * sizeof *weight);
    for (int body = 0; body <= N; body += 37) {
        for (int j = 0; j < l.n_columns; j++) weight[j] = j == 6 * body + 5 ? 1e-8 : 1;
        rt_elimination *e;
        assert_int_equal(rt_eliminate(&e, &l.pattern, l.values, NULL, weight, 1e-9, 2, NULL),
                         ROUTH_OK);
        assert_int_equal(e->rank, l.rank);
        assert_int_equal(e->column_step[6 * body + 5], -1);
        rt_elimination_free(e);
    }
    free(weight);
    loops_free(&l);
}

static double work_per_row(int N)
{
    loops l;
    rt_elimination *e;
    loops_make(&l, N, 1.1, 0.2);
    assert_int_equal(rt_eliminate(&e, &l.pattern, l.values, NULL, NULL, 1e-9, 0, NULL), ROUTH_OK);
    assert_int_equal(e->rank, l.rank);
    const double work = (double)e->operations / l.n_rows;
    rt_elimination_free(e);
    loops_free(&l);
    return work;
}

static void work_grows_with_the_length_of_the_chain(void **state)
{
    (void)state;
    const double small = work_per_row(100), large = work_per_row(2000);
    assert_true(small > 1);
    assert_true(large < 1.1 * small);
}

/* Kept ones against new ones, with changes of every argument, some back to what was before. */
static void eliminations_that_are_kept_are_as_made_anew(void **state)
{
    (void)state;
    loops l;
    loops_make(&l, 4, 1.1, 0.2);
    rt_analyses *analyses = rt_analyses_create();
    double *weight = malloc((size_t)(l.n_rows + l.n_columns) * sizeof *weight);
    assert_non_null(analyses);
    assert_non_null(weight);
    for (int i = 0; i < l.n_rows + l.n_columns; i++) weight[i] = 1;
    for (int k = 0; k < 60; k++) {
        rt_elimination *e[2];
        const int at = l.pattern.start[k % 5 * 3];
        const double before = l.values[at], *rows = k % 3 == 1 ? weight : NULL;
        const double *columns = k % 4 == 2 ? weight + l.n_rows : NULL;
        if (k % 2) l.values[at] *= 1 + 1e-15 * (k % 7);
        weight[k % (l.n_rows + l.n_columns)] = k % 11 ? 1 : 1e-3;
        const double tolerance = k % 13 ? 1e-9 : 0.3;
        for (int side = 0; side < 2; side++)
            assert_int_equal(rt_eliminate_kept(&e[side], &l.pattern, l.values, rows, columns,
                                               tolerance, side ? analyses : NULL, NULL),
                             ROUTH_OK);
        assert_int_equal(e[0]->rank, e[1]->rank);
        assert_int_equal(e[0]->clear, e[1]->clear);
        assert_true(e[0]->smallest_pivot == e[1]->smallest_pivot);
        assert_true(e[0]->largest_rejected == e[1]->largest_rejected);
        assert_memory_equal(e[0]->row_step, e[1]->row_step, (size_t)l.n_rows * sizeof(int));
        assert_memory_equal(e[0]->column_step, e[1]->column_step,
                            (size_t)l.n_columns * sizeof(int));
        assert_memory_equal(e[0]->pivot_size, e[1]->pivot_size,
                            (size_t)e[0]->rank * sizeof(double));
        rt_elimination_free(e[0]);
        rt_elimination_free(e[1]);
        l.values[at] = before;
    }
    rt_analyses_free(analyses);
    free(weight);
    loops_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rank_is_that_of_the_singular_values),
        cmocka_unit_test(shapes_at_the_edge),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(light_columns_stay_independent_and_light_rows_redundant),
        cmocka_unit_test(the_verdict_tells_a_gap_from_none),
        cmocka_unit_test(weights_do_not_make_pivots_of_rounding),
        cmocka_unit_test(paths_agree_on_mechanism_loops),
        cmocka_unit_test(a_preferred_state_of_a_chain_is_kept),
        cmocka_unit_test(work_grows_with_the_length_of_the_chain),
        cmocka_unit_test(eliminations_that_are_kept_are_as_made_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
