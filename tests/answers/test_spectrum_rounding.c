/* The bound of what rounding does to X^-1 B X, against integer matrices whose product is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "answers/spectrum_rounding.h"
#include "base/dd_matrix.h"
#include "support/effort.h"
#include "support/random_frames.h"

__extension__ typedef __int128 integer;

enum { N = 6, SIZE = N * N };

static integer draw(random_stream *random, int most)
{
    return (integer)(random_bits(random) % (uint64_t)(2 * most + 1)) - most;
}

static void multiply(const integer *a, const integer *b, integer *c)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            integer sum = 0;
            for (int k = 0; k < N; k++) sum += a[i + N * k] * b[k + N * j];
            c[i + N * j] = sum;
        }
}

/* A unit lower triangle and its inverse; transposed: upper ones. */
static void draw_triangle(random_stream *random, int most, bool upper, integer *a, integer *inverse)
{
    memset(a, 0, SIZE * sizeof *a), memset(inverse, 0, SIZE * sizeof *inverse);
    for (int j = 0; j < N; j++)
        for (int i = j; i < N; i++)
            a[upper ? j + N * i : i + N * j] = i == j ? 1 : draw(random, most);
    for (int c = 0; c < N; c++)
        for (int r = 0; r < N; r++) {
            const int i = upper ? N - 1 - r : r;
            integer sum = i == c;
            for (int k = 0; k < N; k++)
                if (k != i) sum -= a[i + N * k] * inverse[k + N * c];
            inverse[i + N * c] = sum;
        }
}

static rt_dd dd_of(integer x)
{
    const double high = (double)x;
    return rt_dd_quick_sum(high, (double)(x - (integer)high));
}

typedef struct product {
    rt_dd B[SIZE], X[SIZE], G[SIZE], LU[SIZE], exact[SIZE];
    double W[SIZE];
    int pivots[N], pair[N];
} product;

/* X = L U of integers; B = X G X^-1 large and G diagonal, one entry 0, where the product's rounding
 * is most, or B small and G = X^-1 B X large, where that of the factors is. */
static void product_make(product *p, random_stream *random, int most, bool small)
{
    integer L[SIZE], U[SIZE], Li[SIZE], Ui[SIZE], X[SIZE], Xi[SIZE];
    integer G[SIZE] = {0}, T[SIZE], B[SIZE];
    draw_triangle(random, most, false, L, Li), draw_triangle(random, most, true, U, Ui);
    multiply(L, U, X), multiply(Ui, Li, Xi);
    if (small) {
        for (int e = 0; e < SIZE; e++) B[e] = draw(random, 3);
        multiply(Xi, B, T), multiply(T, X, G);
    } else {
        for (int k = 1; k < N; k++) G[k + N * k] = draw(random, 1000);
        multiply(X, G, T), multiply(T, Xi, B);
    }
    for (int e = 0; e < SIZE; e++) {
        p->X[e] = dd_of(X[e]), p->B[e] = dd_of(B[e]), p->exact[e] = dd_of(G[e]);
        p->W[e] = (double)Xi[e / N + N * (e % N)];
    }
    memset(p->pair, 0, sizeof p->pair);
}

static void product_compute(product *p)
{
    routh_error error;
    memcpy(p->LU, p->X, sizeof p->X);
    assert_int_equal(rt_dd_factor(N, p->LU, p->pivots, &error), ROUTH_OK);
    rt_dd_times(N, N, N, p->B, p->X, p->G);
    rt_dd_solve(N, p->LU, p->pivots, N, p->G);
}

/* The largest error beside its bound. */
static double nearest_to_bound(bool small)
{
    random_stream random = {1};
    double nearest = 0;
    for (int k = 0; k < with_effort(2000); k++) {
        product p;
        double R[SIZE];
        routh_error error;
        product_make(&p, &random, 1 << (k % 8), small);
        product_compute(&p);
        const rt_spectrum_product of = {N, p.B, p.X, p.G, p.LU, p.pivots, p.W, p.pair};
        assert_int_equal(rt_spectrum_rounding(&of, R, &error), ROUTH_OK);
        for (int e = 0; e < SIZE; e++) {
            const double off = fabs(rt_dd_subtract(p.G[e], p.exact[e]).high);
            if (!(off <= R[e])) fail_msg("product %d, entry %d: %.2g, not %.2g", k, e, off, R[e]);
            nearest = fmax(nearest, R[e] > 0 ? off / R[e] : 0);
        }
    }
    return nearest;
}

static void errors_are_within(void **state)
{
    (void)state;
    for (int small = 0; small < 2; small++) {
        const double nearest = nearest_to_bound(small);
        assert_true(nearest > 1e-4); /* what is always far below is no bound of this */
    }
}

/* Of a pair x + i y the sizes are those of complex columns and rows. */
static void pairs_are_bounded_together(void **state)
{
    (void)state;
    random_stream random = {2};
    product p;
    double R[SIZE], real[SIZE];
    routh_error error;
    product_make(&p, &random, 8, false);
    product_compute(&p);
    const rt_spectrum_product of = {N, p.B, p.X, p.G, p.LU, p.pivots, p.W, p.pair};
    assert_int_equal(rt_spectrum_rounding(&of, real, &error), ROUTH_OK);
    p.pair[2] = 1, p.pair[3] = 2;
    assert_int_equal(rt_spectrum_rounding(&of, R, &error), ROUTH_OK);
    for (int j = 0; j < N; j++) {
        assert_true(R[2 + N * j] == R[3 + N * j] && R[j + N * 2] == R[j + N * 3]);
        const double *const column = real + N * j, most = fmax(column[2], column[3]);
        if (p.pair[j] == 0) {
            assert_true(R[2 + N * j] >= most / 2 * (1 - 1e-12));
            assert_true(R[2 + N * j] <= (column[2] + column[3]) / 2 * (1 + 1e-12));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_within),
        cmocka_unit_test(pairs_are_bounded_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
