/* Pivots chosen in the memory of the last factorization: all that KLU would have made, to the bit,
 * of random matrices. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/factor_parts.h"
#include "support/effort.h"
#include "support/random_mechanism.h"

enum { MOST = 40, ROUNDS = 6 };

typedef struct sample {
    int n, start[MOST + 1], row[MOST * MOST];
    double values[MOST * MOST];
} sample;

static double part(random_stream *random) { return (random_real(random) + 1) / 2; }

static void make_pattern(random_stream *random, sample *s)
{
    s->n = 2 + (int)(part(random) * (MOST - 3));
    const double density = 1.5 / s->n + 0.4 * part(random) * part(random);
    int e = 0;
    for (int c = 0; c < s->n; c++) {
        s->start[c] = e;
        for (int r = 0; r < s->n; r++)
            if (r == c || part(random) < density) s->row[e++] = r;
    }
    s->start[s->n] = e;
}

/* Of one size and of many, some all of few values, that are alike; diagonals that vanish. */
static void make_values(random_stream *random, sample *s)
{
    const bool few = part(random) < 0.3, saddle = part(random) < 0.5;
    for (int c = 0; c < s->n; c++)
        for (int e = s->start[c]; e < s->start[c + 1]; e++) {
            double x = random_real(random);
            if (few) x = floor(3 * x);
            if (saddle && s->row[e] == c && c > s->n / 2) x = part(random) < 0.7 ? 0 : 1e-4 * x;
            s->values[e] = few ? x : x * pow(10, 4 * part(random) * part(random));
        }
}

static void assert_same(const void *a, const void *b, size_t bytes)
{
    assert_memory_equal(a, b, bytes);
}

/* Columns of L or of U: rows and numbers. */
static void assert_same_columns(const klu_numeric *a, const klu_numeric *b, const int *place,
                                const int *length, int n)
{
    for (int k = 0; k < n; k++) {
        const size_t rows = (size_t)length[k] * sizeof(int);
        const size_t units = (rows + sizeof(double) - 1) / sizeof(double);
        const double *x = (const double *)a->LUbx[0] + place[k];
        const double *y = (const double *)b->LUbx[0] + place[k];
        if (!rows) continue;
        assert_same(x, y, rows);
        assert_same(x + units, y + units, (size_t)length[k] * sizeof(double));
    }
}

static void assert_same_numeric(const klu_numeric *a, const klu_numeric *b, int n)
{
    const size_t ints = (size_t)n * sizeof(int);
    assert_int_equal(a->lnz, b->lnz);
    assert_int_equal(a->unz, b->unz);
    assert_same(a->Pnum, b->Pnum, ints);
    assert_same(a->Pinv, b->Pinv, ints);
    assert_same(a->Lip, b->Lip, ints);
    assert_same(a->Llen, b->Llen, ints);
    assert_same(a->Uip, b->Uip, ints);
    assert_same(a->Ulen, b->Ulen, ints);
    assert_same(a->Udiag, b->Udiag, (size_t)n * sizeof(double));
    assert_same(a->Rs, b->Rs, (size_t)n * sizeof(double));
    assert_same_columns(a, b, a->Lip, a->Llen, n);
    assert_same_columns(a, b, a->Uip, a->Ulen, n);
}

/* Chosen: 1; KLU finds the matrix singular: 0. */
static int compare_once(rt_factor *kept, rt_factor *anew, sample *s)
{
    routh_error error;
    rt_factor_forget(anew);
    if (rt_factor_numeric(anew, s->values, &error)) return 0;
    assert_true(rt_factor_pivots_anew(kept, s->values));
    assert_same_numeric(kept->numeric, anew->numeric, s->n);
    return 1;
}

static int compare(random_stream *random, rt_ordering ordering)
{
    static sample s;
    routh_error error;
    rt_factor *kept, *anew;
    int n = 0;
    make_pattern(random, &s);
    const rt_pattern p = {s.n, s.n, s.start, s.row};
    rt_analyses *analyses = rt_analyses_create();
    assert_non_null(analyses);
    assert_int_equal(rt_factor_create_kept(&kept, &p, ordering, analyses, &error), ROUTH_OK);
    assert_int_equal(rt_factor_create(&anew, &p, ordering, &error), ROUTH_OK);
    make_values(random, &s);
    if (rt_factor_numeric(kept, s.values, &error) == ROUTH_OK)
        for (int k = 0; k < ROUNDS; k++) {
            make_values(random, &s);
            const int chosen = compare_once(kept, anew, &s);
            n += chosen;
            if (!chosen) break;
        }
    rt_factor_free(kept);
    rt_factor_free(anew);
    rt_analyses_free(analyses);
    return n;
}

static void chosen_as_klu_does(void **state)
{
    random_stream random = {71};
    int n = 0;
    (void)state;
    for (int k = 0; k < with_effort(400); k++) n += compare(&random, (rt_ordering)(k % 2));
    assert_true(n > some_of(200));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chosen_as_klu_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
