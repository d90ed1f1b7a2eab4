/* Tests of base/ldl: solutions and signs against dense eigenvalues, structure of many kinds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/lapack.h"
#include "base/ldl.h"

enum { MOST = 90, RHS = 3, ENTRIES = 4 * MOST };

typedef struct matrix {
    int n, entries;
    int row[ENTRIES], column[ENTRIES], position[ENTRIES];
    double value[ENTRIES];
    rt_arena arena;
    rt_pattern pattern;
    double *values;
    double dense[MOST * MOST];
} matrix;

static unsigned seed;

static double number(void) /* -0.5 .. 0.5 */
{
    seed = seed * 1664525u + 1013904223u;
    return seed / 4294967296.0 - 0.5;
}

static int below(int n) { return (int)((number() + 0.5) * n) % n; }

static void put(matrix *m, int i, int j, double value)
{
    m->row[m->entries] = i > j ? i : j;
    m->column[m->entries] = i > j ? j : i;
    m->value[m->entries++] = value;
}

static void close_matrix(matrix *m)
{
    routh_error error;
    assert_int_equal(rt_pattern_build(&m->pattern, m->n, m->n, (size_t)m->entries, m->row,
                                      m->column, m->position, &m->arena, &error),
                     ROUTH_OK);
    m->values = RT_TAKE(&m->arena, double, m->entries);
    memset(m->dense, 0, sizeof m->dense);
    for (int k = 0; k < m->entries; k++) {
        const int i = m->row[k], j = m->column[k];
        m->values[m->position[k]] += m->value[k];
        m->dense[i + m->n * j] += m->value[k];
        if (i != j) m->dense[j + m->n * i] += m->value[k];
    }
}

/* Without a diagonal in the last n_zero unknowns, each of which is tied to one before; a band,
 * stars or anything; entries over some powers of ten. */
static void fill(matrix *m, unsigned number_of_it)
{
    *m = (matrix){0};
    seed = number_of_it * 7919u + 3;
    m->n = 1 + below(MOST);
    const int kind = (int)(number_of_it % 5), n_zero = kind == 0 ? m->n / 3 : 0;
    const int solid = m->n - n_zero, more = below(2 * m->n + 1);
    for (int i = 0; i < solid; i++) put(m, i, i, kind == 1 ? 3 + number() : number());
    for (int i = 0; i < n_zero; i++) put(m, solid + i, i, 1 + number());
    for (int k = 0; k < more; k++) {
        const int i = below(m->n), j = kind == 2   ? (i + 1 + below(3)) % m->n
                                       : kind == 3 ? below(2) % m->n
                                                   : below(m->n);
        if (i >= solid && j >= solid) continue;
        put(m, i, j, number() * pow(10, kind == 4 ? 8 * number() : 0));
    }
    close_matrix(m);
}

static double worst_residual(const matrix *m, const double *x, const double *b)
{
    double worst = 0;
    for (int c = 0; c < RHS; c++)
        for (int i = 0; i < m->n; i++) {
            double r = -b[i + m->n * c], size = fabs(r);
            for (int j = 0; j < m->n; j++) {
                const double term = m->dense[i + m->n * j] * x[j + m->n * c];
                r += term, size += fabs(term);
            }
            worst = fmax(worst, fabs(r) / size);
        }
    return worst;
}

static void solutions_and_signs_are_those_of_the_matrix(void **state)
{
    (void)state;
    static matrix m;
    int counted = 0;
    for (unsigned k = 0; k < 200; k++) {
        routh_error error;
        rt_ldl *ldl;
        double b[RHS * MOST], x[RHS * MOST], values[MOST], a[MOST * MOST];
        fill(&m, k);
        assert_int_equal(rt_ldl_create(&ldl, &m.pattern, &error), ROUTH_OK);
        assert_int_equal(rt_ldl_factor(ldl, m.values, &error), ROUTH_OK);
        for (int i = 0; i < RHS * m.n; i++) x[i] = b[i] = number();
        double *work = malloc(rt_ldl_work(ldl, RHS) * sizeof *work);
        assert_int_equal(rt_ldl_solve(ldl, x, RHS, work, &error), ROUTH_OK);
        assert_true(worst_residual(&m, x, b) < 1e-8);
        memcpy(a, m.dense, sizeof a);
        assert_int_equal(rt_symmetric_eigen(m.n, a, values, &error), ROUTH_OK);
        int negative = 0;
        double least = INFINITY;
        for (int i = 0; i < m.n; i++)
            negative += values[i] < 0, least = fmin(least, fabs(values[i]));
        const double most = fmax(fabs(values[0]), fabs(values[m.n - 1]));
        if (least > 1e-12 * most) {
            const rt_inertia inertia = rt_ldl_inertia(ldl);
            assert_int_equal(inertia.negative, negative);
            assert_int_equal(inertia.positive, m.n - negative);
            assert_int_equal(rt_ldl_count(ldl, m.values, &error), ROUTH_OK);
            const rt_inertia alone = rt_ldl_inertia(ldl);
            assert_int_equal(alone.negative, negative);
            assert_int_equal(alone.positive, m.n - negative);
            assert_true(alone.smallest == inertia.smallest && alone.where == inertia.where);
            assert_int_equal(rt_ldl_solve(ldl, x, RHS, work, &error), ROUTH_BAD_ARGUMENT);
            counted++;
        }
        rt_ldl_free(ldl);
        rt_arena_free(&m.arena);
        free(work);
    }
    assert_true(counted > 150);
}

static void both_triangles_are_as_good_as_one(void **state)
{
    (void)state;
    static matrix m;
    routh_error error;
    rt_ldl *ldl;
    double x[MOST] = {1, 2, 3, 4}, b[RHS * MOST] = {1, 2, 3, 4}, work[2 * MOST];
    m = (matrix){.n = 4};
    for (int i = 0; i < 4; i++) put(&m, i, i, 2 + i);
    put(&m, 2, 0, 0.5), put(&m, 3, 1, -1);
    close_matrix(&m);
    rt_pattern full;
    int rows[] = {0, 2, 1, 3, 0, 2, 1, 3}, columns[] = {0, 0, 1, 1, 2, 2, 3, 3};
    const double values[] = {2, 0.5, 3, -1, 0.5, 4, -1, 5};
    assert_int_equal(rt_pattern_build(&full, 4, 4, 8, rows, columns, NULL, &m.arena, &error),
                     ROUTH_OK);
    assert_int_equal(rt_ldl_create(&ldl, &full, &error), ROUTH_OK);
    assert_int_equal(rt_ldl_factor(ldl, values, &error), ROUTH_OK);
    assert_int_equal(rt_ldl_solve(ldl, x, 1, work, &error), ROUTH_OK);
    for (int i = 0; i < 4; i++) {
        double r = -b[i];
        for (int j = 0; j < 4; j++) r += m.dense[i + 4 * j] * x[j];
        assert_true(fabs(r) < 1e-14);
    }
    rt_ldl_free(ldl);
    rt_arena_free(&m.arena);
}

static void what_cannot_be_factored_is_told(void **state)
{
    (void)state;
    static matrix m;
    routh_error error;
    rt_ldl *ldl;
    double x[MOST], work[4 * MOST];
    m = (matrix){.n = 3};
    put(&m, 0, 0, 1), put(&m, 1, 1, 0), put(&m, 2, 2, -1), put(&m, 2, 0, 0.5);
    close_matrix(&m);
    assert_int_equal(rt_ldl_create(&ldl, &m.pattern, &error), ROUTH_OK);
    assert_int_equal(rt_ldl_solve(ldl, x, 1, work, &error), ROUTH_BAD_ARGUMENT);
    assert_int_equal(rt_ldl_factor(ldl, m.values, &error), ROUTH_SINGULAR);
    assert_non_null(strstr(error.message, "number 1"));
    const rt_inertia inertia = rt_ldl_inertia(ldl);
    assert_int_equal(inertia.zero, 1);
    assert_int_equal(inertia.negative, 1);
    assert_int_equal(inertia.where, 1);
    assert_int_equal(rt_ldl_count(ldl, m.values, &error), ROUTH_SINGULAR);
    assert_int_equal(rt_ldl_inertia(ldl).zero, 1);
    m.values[0] = NAN;
    assert_int_equal(rt_ldl_factor(ldl, m.values, &error), ROUTH_NUMERIC_ERROR);
    assert_int_equal(rt_ldl_count(ldl, m.values, &error), ROUTH_NUMERIC_ERROR);
    rt_ldl_free(ldl);
    m.pattern.n_rows = 4;
    assert_int_equal(rt_ldl_create(&ldl, &m.pattern, &error), ROUTH_BAD_ARGUMENT);
    assert_null(ldl);
    rt_arena_free(&m.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_and_signs_are_those_of_the_matrix),
        cmocka_unit_test(both_triangles_are_as_good_as_one),
        cmocka_unit_test(what_cannot_be_factored_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
