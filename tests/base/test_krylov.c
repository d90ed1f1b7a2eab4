/* Tests of base/krylov: what is taken out is out, in an inner product and without, real and
 * complex; a basis turned in its place is the product. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/krylov.h"

/* More rows than are turned at once, and no multiple of them. */
enum { N = 300, K = 5, COLUMNS = 3 };

static unsigned seed = 7;

static double mass(int i) { return 1 + 0.9 * sin(i); }

static void times_mass(int columns, const double *x, double *y)
{
    for (int i = 0; i < N * columns; i++) y[i] = mass(i % N) * x[i];
}

static double dot(const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < N; i++) sum += x[i] * y[i];
    return sum;
}

/* Orthonormal in the mass, by this file's own means. */
static void make_basis(double *V, double *MV)
{
    for (int c = 0; c < K; c++) {
        double *v = V + N * c, *Mv = MV + N * c;
        for (int i = 0; i < N; i++) v[i] = rt_no_pattern(&seed);
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < c; j++) {
                const double part = dot(MV + N * j, v);
                for (int i = 0; i < N; i++) v[i] -= part * V[N * j + i];
            }
        times_mass(1, v, Mv);
        const double length = sqrt(dot(v, Mv));
        for (int i = 0; i < N; i++) v[i] /= length, Mv[i] /= length;
    }
}

static void parts_along_a_basis_are_out(void **state)
{
    (void)state;
    static double V[N * K], MV[N * K], W[N * COLUMNS], MW[N * COLUMNS], before[N * COLUMNS];
    for (int by_basis = 0; by_basis < 2; by_basis++) {
        double C[(K + 2) * COLUMNS];
        make_basis(V, MV);
        for (int i = 0; i < N * COLUMNS; i++) before[i] = W[i] = rt_no_pattern(&seed);
        times_mass(COLUMNS, W, MW);
        rt_take_out(N, K, V, by_basis ? MV : NULL, COLUMNS, W, by_basis ? NULL : MW, C, K + 2);
        for (int c = 0; c < COLUMNS; c++)
            for (int j = 0; j < K; j++) {
                const double part = C[j + (K + 2) * c];
                assert_true(fabs(dot(MV + N * j, W + N * c)) < 1e-13);
                assert_true(fabs(part - dot(MV + N * j, before + N * c)) < 1e-13);
                for (int i = 0; i < N; i++) before[i + N * c] -= part * V[i + N * j];
            }
        for (int i = 0; i < N * COLUMNS; i++) assert_true(fabs(before[i] - W[i]) < 1e-13);
    }
}

static void without_a_mass_it_is_the_plain_product(void **state)
{
    (void)state;
    double V[N] = {0}, W[N], C[1];
    V[2] = 0.6, V[5] = 0.8;
    for (int i = 0; i < N; i++) W[i] = i;
    rt_take_out(N, 1, V, NULL, 1, W, NULL, C, 1);
    assert_true(fabs(C[0] - (0.6 * 2 + 0.8 * 5)) < 1e-14);
    assert_true(fabs(W[2] - (2 - 0.6 * C[0])) < 1e-14 && W[7] == 7);
}

/* Two vectors of nothing but their sum and difference: what is left is far smaller than the parts,
 * and still orthogonal, as one pass would not leave it. */
static void complex_parts_are_out_to_rounding(void **state)
{
    (void)state;
    static double _Complex V[N * 2], w[N];
    double _Complex c[2], h[2] = {1, 1}, sum[2] = {0, 0};
    for (int i = 0; i < N; i++) V[i] = (1 + I * (double)(i % 2)) / sqrt(1.5 * N);
    for (int i = 0; i < N; i++) V[N + i] = (i < N / 2 ? 1 : -1) * V[i];
    for (int i = 0; i < N; i++)
        w[i] = 3 * V[i] + 2 * I * V[N + i] + 1e-9 * (i % 3) + 1e-9 * I * rt_no_pattern(&seed);
    rt_take_out_twice(N, 2, V, w, c, h);
    double left = 0;
    for (int i = 0; i < N; i++) {
        sum[0] += conj(V[i]) * w[i], sum[1] += conj(V[N + i]) * w[i];
        left += pow(cabs(w[i]), 2);
    }
    assert_true(sqrt(left) > 1e-9 && sqrt(left) < 1e-7);
    for (int k = 0; k < 2; k++) assert_true(cabs(sum[k]) < 1e-15 * sqrt(left) * 10);
    assert_true(cabs(h[0] - 4) < 1e-7 && cabs(h[1] - 1 - 2 * I) < 1e-7);
}

static void rounding_is_nothing_new(void **state)
{
    (void)state;
    assert_true(rt_is_new(2e-12, 1, 1e-12) && !rt_is_new(1e-12, 1, 1e-12));
    assert_false(rt_is_new(0, 0, 1e-12));
    assert_false(rt_is_new(NAN, 1, 1e-12) || rt_is_new(INFINITY, 1, 1e-12));
}

static void a_basis_is_turned_in_its_place(void **state)
{
    (void)state;
    enum { LD = K + 1 };
    static double V[N * K], old[N * K], rows[RT_ROWS_AT_ONCE * COLUMNS];
    static double _Complex Z[N * K], complex_rows[RT_ROWS_AT_ONCE * COLUMNS];
    double Y[LD * COLUMNS];
    double _Complex U[LD * COLUMNS];
    for (int i = 0; i < N * K; i++) old[i] = V[i] = rt_no_pattern(&seed), Z[i] = I * V[i];
    for (int i = 0; i < LD * COLUMNS; i++) Y[i] = rt_no_pattern(&seed), U[i] = (2 - I) * Y[i];
    rt_turn_basis(N, K, V, COLUMNS, Y, LD, rows);
    rt_turn_complex_basis(N, K, Z, COLUMNS, U, LD, complex_rows);
    for (int c = 0; c < COLUMNS; c++)
        for (int i = 0; i < N; i++) {
            double right = 0;
            for (int j = 0; j < K; j++) right += old[i + N * j] * Y[j + LD * c];
            assert_true(fabs(V[i + N * c] - right) < 1e-14);
            assert_true(cabs(Z[i + N * c] - (2 * I + 1) * right) < 1e-14);
        }
    for (int i = N * COLUMNS; i < N * K; i++) assert_true(V[i] == old[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_along_a_basis_are_out),
        cmocka_unit_test(without_a_mass_it_is_the_plain_product),
        cmocka_unit_test(complex_parts_are_out_to_rounding),
        cmocka_unit_test(rounding_is_nothing_new),
        cmocka_unit_test(a_basis_is_turned_in_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
