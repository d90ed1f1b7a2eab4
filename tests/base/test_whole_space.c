/* Tests of base/whole_space: all eigenvalues of a chain, free and held, with and without massless
 * points, against their closed form. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/symmetric_pencil.h"
#include "base/whole_space.h"

/* N unit masses, unit springs between neighbours, a massless point in the middle of each; three
 * constraints: both ends, and a massless point that stays in the middle, as it does anyway. The
 * unknowns are u with x_i = d_i u_i + 0.9 d_{i+2} u_{i+2} of the masses and x_i = d_i u_i of the
 * rest: so M is not diagonal, and its entries differ by powers of ten. */
enum { N = 20, POINTS = 2 * N - 1, HELD = 3, SIZE = POINTS + HELD, MOST = SIZE * SIZE };

static const double STIFF = 2; /* half a spring */

typedef struct chain {
    rt_arena arena;
    double k[SIZE][SIZE], m[SIZE][SIZE];
    rt_pattern pattern;
    double K[MOST], M[MOST];
    rt_symmetric_pencil pencil;
} chain;

static void put(double a[SIZE][SIZE], int i, int j, double value)
{
    a[i][j] += value;
    if (i != j) a[j][i] += value;
}

static void fill_chain(chain *c, bool held)
{
    for (int i = 0; i < POINTS; i++) {
        put(c->k, i, i, (i > 0) * STIFF + (i < POINTS - 1) * STIFF);
        if (i < POINTS - 1) put(c->k, i + 1, i, -STIFF);
        if (i % 2 == 0) c->m[i][i] = 1;
    }
    if (!held) return;
    put(c->k, POINTS, 0, 1);
    put(c->k, POINTS + 1, POINTS - 1, 1);
    put(c->k, POINTS + 2, 4, -0.5), put(c->k, POINTS + 2, 5, 1), put(c->k, POINTS + 2, 6, -0.5);
}

/* The new unknowns in place of the columns, or of the rows. */
static void change(double a[SIZE][SIZE], bool rows)
{
    for (int j = POINTS - 1; j >= 0; j--)
        for (int i = 0; i < SIZE; i++) {
            double *to = rows ? &a[j][i] : &a[i][j];
            if (j % 2 == 0 && j > 1) *to += 0.9 * (rows ? a[j - 2][i] : a[i][j - 2]);
        }
    for (int j = 0; j < POINTS; j++)
        for (int i = 0; i < SIZE; i++) *(rows ? &a[j][i] : &a[i][j]) *= pow(10, j % 5 - 2);
}

static void make_chain(chain *c, bool held)
{
    static int rows[MOST], columns[MOST], position[MOST];
    const int n = POINTS + (held ? HELD : 0);
    int entries = 0;
    memset(c, 0, sizeof *c);
    fill_chain(c, held);
    for (int side = 0; side < 2; side++) change(c->k, side), change(c->m, side);
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            if (c->k[i][j] != 0 || c->m[i][j] != 0) rows[entries] = i, columns[entries++] = j;
    assert_int_equal(rt_pattern_build(&c->pattern, n, n, (size_t)entries, rows, columns, position,
                                      &c->arena, NULL),
                     ROUTH_OK);
    for (int e = 0; e < entries; e++) {
        c->K[position[e]] = c->k[rows[e]][columns[e]];
        c->M[position[e]] = c->m[rows[e]][columns[e]];
    }
    c->pencil =
        (rt_symmetric_pencil){&c->pattern, &c->pattern, c->K, c->M, held ? HELD : 0, NULL, NULL};
}

/* Mode k of the chain: free from 0, held from 1. */
static double closed_form(bool held, int k)
{
    return 4 * pow(sin(k * 3.14159265358979323846 / (2 * (held ? N - 1 : N))), 2);
}

/* K x = lambda M x in the rows of the points, and the constraints. */
static double worst_residual(const chain *c, double lambda, const double *x)
{
    double Kx[SIZE], Mx[SIZE], worst = 0;
    rt_symmetric_multiply(&c->pattern, c->K, x, 1, Kx);
    rt_symmetric_multiply(&c->pattern, c->M, x, 1, Mx);
    for (int i = 0; i < c->pattern.n_columns; i++)
        worst = fmax(worst, fabs(Kx[i] - lambda * Mx[i]));
    return worst;
}

static void check_all(bool held, double shift)
{
    chain c;
    rt_shifted_pencil pencil;
    rt_lanczos l;
    int below, order[SIZE];
    bool singular;
    make_chain(&c, held);
    const int n = c.pattern.n_columns, there = held ? N - 2 : N;
    assert_int_equal(rt_shifted_pencil_create(&pencil, &c.pencil, NULL, NULL), ROUTH_OK);
    assert_int_equal(rt_shifted_pencil_factor(&pencil, shift, &below, &singular, NULL), ROUTH_OK);
    assert_false(singular);
    assert_int_equal(rt_lanczos_create(&l, &pencil, 2, n, &c.arena, NULL), ROUTH_OK);
    assert_int_equal(rt_lanczos_take_all(&l, NULL), ROUTH_OK);
    assert_int_equal(l.done, there);
    assert_int_equal(l.next, 0);
    for (int k = 1; k < l.done; k++) assert_true(fabs(l.theta[k]) <= fabs(l.theta[k - 1]));
    memset(order, 0, sizeof order);
    for (int k = 0; k < there; k++) {
        const double lambda = closed_form(held, k + held);
        int found = -1;
        for (int i = 0; i < l.done; i++)
            if (fabs(shift + 1 / l.theta[i] - lambda) < 1e-11) found = i;
        assert_true(found >= 0);
        order[found]++;
        double x[SIZE], Mx[SIZE], square = 0;
        rt_lanczos_vector(&l, found, x);
        assert_true(worst_residual(&c, lambda, x) < 1e-9);
        rt_symmetric_multiply(&c.pattern, c.M, x, 1, Mx);
        for (int i = 0; i < n; i++) square += x[i] * Mx[i];
        assert_true(fabs(square - 1) < 1e-12);
    }
    for (int k = 0; k < there; k++) assert_int_equal(order[k], 1);
    rt_shifted_pencil_free(&pencil);
    rt_arena_free(&c.arena);
}

static void all_of_a_free_chain(void **state)
{
    (void)state;
    check_all(false, -0.3);
    check_all(false, 1.7);
}

static void all_of_a_held_chain(void **state)
{
    (void)state;
    check_all(true, -0.3);
    check_all(true, 1.7);
}

/* Asked for by way of the search: fewer than asked for, none missed, whatever is near. */
static void a_search_for_most_finds_all(void **state)
{
    (void)state;
    for (int held = 0; held < 2; held++)
        for (int near = 0; near < 3; near++) {
            chain c;
            rt_symmetric_modes m;
            rt_arena arena = {0};
            make_chain(&c, held);
            const rt_symmetric_request request = {.count = 100, .near = near};
            assert_int_equal(rt_symmetric_modes_find(&m, &c.pencil, &request, &arena, NULL),
                             ROUTH_OK);
            assert_int_equal(m.found, held ? N - 2 : N);
            assert_int_equal(m.n_factors, 1);
            for (int k = 0; k < m.found; k++)
                assert_true(fabs(m.value[k] - closed_form(held, k + held)) < 1e-13);
            rt_arena_free(&arena);
            rt_arena_free(&c.arena);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_a_free_chain),
        cmocka_unit_test(all_of_a_held_chain),
        cmocka_unit_test(a_search_for_most_finds_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
