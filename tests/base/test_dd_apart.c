/* Columns that others span are kept apart, the rest stay as they are. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/dd_apart.h"
#include "base/dd_matrix.h"

enum { N = 4 };

static const double LEAST = 0x1p-50;

static void fill(const double from[N * N], rt_dd *V)
{
    for (int e = 0; e < N * N; e++) V[e] = rt_dd_of(from[e]);
}

static void apart(rt_dd *V)
{
    rt_arena arena = {0};
    routh_error error;
    assert_int_equal(rt_dd_keep_apart(N, V, LEAST, &arena, &error), ROUTH_OK);
    rt_arena_free(&arena);
}

/* How far a column is from others that are orthonormal but for one factor. */
static double part_outside(const rt_dd *x, const rt_dd *const *others, int n)
{
    rt_dd rest[N];
    double square = 0;
    memcpy(rest, x, sizeof rest);
    for (int k = 0; k < n; k++) {
        rt_dd dot = rt_dd_of(0), own = rt_dd_of(0);
        for (int i = 0; i < N; i++) {
            dot = rt_dd_fma(dot, rest[i], others[k][i]);
            own = rt_dd_fma(own, others[k][i], others[k][i]);
        }
        const rt_dd f = rt_dd_negative(rt_dd_divide(dot, own));
        for (int i = 0; i < N; i++) rest[i] = rt_dd_fma(rest[i], f, others[k][i]);
    }
    for (int i = 0; i < N; i++) square += rest[i].high * rest[i].high;
    return sqrt(square);
}

static void independent_columns_stay_to_the_bit(void **state)
{
    (void)state;
    static const double from[N * N] = {1, 1, 1, 1, 1, 1, 1, 1 + 0x1p-40, 0, 3, 0, 0, 1, 0, 0, 0};
    rt_dd V[N * N], before[N * N];
    fill(from, V), fill(from, before);
    apart(V);
    assert_memory_equal(V, before, sizeof V);
}

/* The second column is the first: which of the two gives way is not said. */
static void equal_columns_part(void **state)
{
    (void)state;
    static const double from[N * N] = {3, 4, 0, 0, 3, 4, 0, 0, -4, 3, 0, 0, 0, 0, 0, 1};
    rt_dd V[N * N], before[N * N];
    fill(from, V), fill(from, before);
    apart(V);
    assert_memory_equal(V + 2 * N, before + 2 * N, 2 * N * sizeof *V);
    const int moved = memcmp(V, before, N * sizeof *V) != 0 ? 0 : 1;
    assert_memory_equal(V + N * (1 - moved), before, N * sizeof *V);
    const rt_dd *const others[] = {V + N * (1 - moved), V + 2 * N, V + 3 * N};
    const double part = part_outside(V + N * moved, others, 3);
    assert_true(fabs(part - 5 * LEAST) < 1e-12 * LEAST);
}

static void columns_without_any_direction_get_one(void **state)
{
    (void)state;
    static const double from[N * N] = {1, 0, 0, 0, 2, 0, 0, 0, -1, 0, 0, 0, 1, 1, 0, 0};
    rt_dd V[N * N];
    int pivots[N];
    routh_error error;
    fill(from, V);
    apart(V);
    assert_int_equal(rt_dd_factor(N, V, pivots, &error), ROUTH_OK);
    for (int k = 0; k < N; k++) assert_true(fabs(V[k + N * k].high) > LEAST / 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_columns_stay_to_the_bit),
        cmocka_unit_test(equal_columns_part),
        cmocka_unit_test(columns_without_any_direction_get_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
