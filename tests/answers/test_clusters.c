/* Error bounds of defective eigenvalues. Integer matrices T J T^-1, T a product of integer shears,
 * are exact, and so are the eigenvalues of their Jordan form. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "answers/clusters.h"
#include "support/effort.h"
#include "support/random_frames.h"

enum { MOST = 12 };

static int random_below(random_stream *random, int n)
{
    return (int)(random_bits(random) % (uint64_t)n);
}

typedef struct planted {
    int n;
    double B[MOST * MOST]; /* column-major */
    double value[MOST];
} planted;

static double *at(planted *p, int i, int j) { return &p->B[i + p->n * j]; }

/* B := (I + m e_i e_j') B (I - m e_i e_j') */
static void shear(planted *p, int i, int j, double m)
{
    for (int c = 0; c < p->n; c++) *at(p, i, c) += m * *at(p, j, c);
    for (int r = 0; r < p->n; r++) *at(p, r, j) -= m * *at(p, r, i);
}

static void planted_make(planted *p, random_stream *random)
{
    *p = (planted){.n = 0};
    const int blocks = 1 + random_below(random, 4);
    int size[4], n = 0;
    for (int b = 0; b < blocks; b++) n += size[b] = 1 + random_below(random, 3);
    p->n = n;
    for (int b = 0, k = 0; b < blocks; b++) {
        const double value = random_below(random, 9) - 4;
        for (int i = 0; i < size[b]; i++, k++) {
            *at(p, k, k) = p->value[k] = value;
            if (i > 0) *at(p, k - 1, k) = 1;
        }
    }
    for (int k = 0; k < 2 * n && n > 1; k++) {
        const int i = random_below(random, n), j = (i + 1 + random_below(random, n - 1)) % n;
        shear(p, i, j, random_below(random, 3) - 1);
    }
}

static double distance_to(const planted *p, double re, double im)
{
    double least = INFINITY;
    for (int k = 0; k < p->n; k++) least = fmin(least, hypot(re - p->value[k], im));
    return least;
}

static rt_eigen eigen_take(rt_arena *arena, int n)
{
    const size_t square = (size_t)n * (size_t)n;
    return (rt_eigen){RT_TAKE(arena, double, n),      RT_TAKE(arena, double, n),
                      RT_TAKE(arena, double, square), RT_TAKE(arena, double, square),
                      RT_TAKE(arena, double, n),      0};
}

static void bounds_hold_on_jordan_blocks(void **state)
{
    (void)state;
    random_stream random = {71};
    int clustered = 0;
    double sharpest = INFINITY;
    for (int k = 0; k < with_effort(2000); k++) {
        planted p;
        rt_arena arena = {0};
        routh_error error;
        double copy[MOST * MOST], bounds[MOST];
        int defective[MOST];
        planted_make(&p, &random);
        rt_eigen e = eigen_take(&arena, p.n);
        memcpy(copy, p.B, sizeof copy);
        assert_int_equal(rt_general_eigen(p.n, copy, &e, &error), ROUTH_OK);
        const double size = sqrt(p.n) * DBL_EPSILON * e.norm;
        for (int i = 0; i < p.n; i++) bounds[i] = size * fmin(1 / e.rcond[i], 1 / DBL_EPSILON);
        assert_int_equal(rt_cluster_bounds(p.n, p.B, &e, size, bounds, defective, &arena, &error),
                         ROUTH_OK);
        for (int i = 0; i < p.n; i++) {
            const double off = distance_to(&p, e.re[i], e.im[i]);
            /* the others keep an estimate of first order, which is none of these bounds */
            if (defective[i] > 1 && !(off <= bounds[i]))
                fail_msg("matrix %d: %.17g%+.17gi is off by %.2g, more than %.2g", k, e.re[i],
                         e.im[i], off, bounds[i]);
            clustered += defective[i] > 1;
            if (defective[i] == 2 && off > 0) sharpest = fmin(sharpest, bounds[i] / off);
            /* a triple eigenvalue keeps a third of the digits, at sizes up to some 1e3 */
            if (defective[i] > 1 && defective[i] <= 3) assert_true(bounds[i] < 0.05);
        }
        rt_arena_free(&arena);
    }
    assert_true(clustered > with_effort(500));
    assert_true(sharpest < 30); /* of some matrix the bound is not far from the error */
}

/* s^2 + c s + 1 close to c = 2: the eigenvalues are -c/2 +- sqrt(c^2/4 - 1). Of two that are one
 * cluster either may be the one found: the bound holds for both. */
static void bounds_hold_beside_critical_damping(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2)
        for (double d = 1; d > 1e-17; d /= 1.1) {
            rt_arena arena = {0};
            routh_error error;
            const double c = 2 + sign * d;
            const long double half = (long double)c / 2, w = (half - 1) * (half + 1);
            double B[4] = {0, -1, 1, -c}, copy[4], bounds[2];
            int defective[2];
            rt_eigen e = eigen_take(&arena, 2);
            memcpy(copy, B, sizeof copy);
            assert_int_equal(rt_general_eigen(2, copy, &e, &error), ROUTH_OK);
            const double size = sqrt(2) * DBL_EPSILON * e.norm;
            for (int i = 0; i < 2; i++) bounds[i] = size * fmin(1 / e.rcond[i], 1 / DBL_EPSILON);
            assert_int_equal(rt_cluster_bounds(2, B, &e, size, bounds, defective, &arena, &error),
                             ROUTH_OK);
            for (int i = 0; i < 2; i++) {
                const long double root = sqrtl(fabsl(w)), re = -half, im = w < 0 ? root : 0;
                long double near = INFINITY, far = 0;
                for (int s = -1; s <= 1; s += 2) {
                    const long double to = w < 0 ? re : re + s * root;
                    const long double d_s = hypotl(e.re[i] - to, e.im[i] - (w < 0 ? s * im : 0));
                    near = fminl(near, d_s), far = fmaxl(far, d_s);
                }
                const long double off = defective[i] > 1 ? far : near;
                if (!(off <= bounds[i]))
                    fail_msg("c = 2%+.2g: off by %.2Lg, more than %.2g", sign * d, off, bounds[i]);
                assert_true(bounds[i] < 1e-6); /* sqrt(eps) and a few at worst */
            }
            rt_arena_free(&arena);
        }
}

/* y -> y + v (v'y) -2/(v'v), which is orthogonal: v = (1, 2, 1, 2, ..) for positions and again for
 * velocities, so that the copies are coupled. */
static void reflect(double *x, int n, size_t stride)
{
    for (int half = 0; half < 2; half++) {
        double *y = x + (size_t)half * (size_t)n * stride, dot = 0, square = 0;
        for (int i = 0; i < n; i++) {
            dot += (1 + i % 2) * y[stride * (size_t)i];
            square += (1 + i % 2) * (1 + i % 2);
        }
        for (int i = 0; i < n; i++) y[stride * (size_t)i] -= 2 * dot / square * (1 + i % 2);
    }
}

/* Equal bodies on equal dampers: however many, an error takes the square root of itself away. A
 * last eigenvalue far from theirs is none of them. */
static void bounds_of_equal_pairs_do_not_grow_with_their_number(void **state)
{
    (void)state;
    for (int n = 2; n <= 30; n += 7) {
        rt_arena arena = {0};
        routh_error error;
        const int order = 2 * n + 1;
        const size_t square = (size_t)order * (size_t)order;
        double *B = RT_TAKE(&arena, double, square), *copy = RT_TAKE(&arena, double, square);
        double *bounds = RT_TAKE(&arena, double, order);
        int *defective = RT_TAKE(&arena, int, order);
        assert_true(B && copy && bounds && defective);
        memset(B, 0, square * sizeof *B);
        for (int i = 0; i < n; i++) {
            B[i + order * (n + i)] = 1;
            B[n + i + order * i] = -9, B[n + i + order * (n + i)] = -6;
        }
        B[square - 1] = -1e4;
        for (int i = 0; i < order; i++) reflect(B + i, n, (size_t)order);
        for (int i = 0; i < order; i++) reflect(B + order * i, n, 1);
        memcpy(copy, B, square * sizeof *B);
        rt_eigen e = eigen_take(&arena, order);
        assert_int_equal(rt_general_eigen(order, copy, &e, &error), ROUTH_OK);
        const double size = sqrt(order) * DBL_EPSILON * e.norm;
        for (int i = 0; i < order; i++) bounds[i] = size * fmin(1 / e.rcond[i], 1 / DBL_EPSILON);
        assert_int_equal(rt_cluster_bounds(order, B, &e, size, bounds, defective, &arena, &error),
                         ROUTH_OK);
        for (int i = 0; i < order; i++) {
            const bool other = e.re[i] < -1000;
            assert_int_equal(defective[i], other ? 0 : 2 * n);
            assert_true(other || hypot(e.re[i] + 3, e.im[i]) <= bounds[i]);
            assert_true(bounds[i] < 1e-4);
        }
        rt_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold_on_jordan_blocks),
        cmocka_unit_test(bounds_hold_beside_critical_damping),
        cmocka_unit_test(bounds_of_equal_pairs_do_not_grow_with_their_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
