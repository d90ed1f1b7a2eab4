/* Tests of answers/repeated: parallel vectors are replaced where there are independent ones, and
 * only there. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "answers/repeated.h"

enum { N = 4 };

/* The spectrum of B with vectors as given, columns of right. */
typedef struct given {
    double re[N], im[N], right[N * N], bounds[N];
} given;

static rt_eigen eigen_of(given *g)
{
    return (rt_eigen){g->re, g->im, NULL, g->right, NULL, 10};
}

static void separate(const double *B, given *g)
{
    rt_arena arena = {0};
    rt_eigen e = eigen_of(g);
    assert_int_equal(rt_separate_repeated(N, B, &e, g->bounds, &arena, NULL), ROUTH_OK);
    rt_arena_free(&arena);
}

static void parallel_real_vectors_are_separated(void **state)
{
    (void)state;
    /* column-major diag(2, 2, 5, 7); two times the same vector for 2 */
    const double B[N * N] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 5, 0, 0, 0, 0, 7};
    given g = {{2, 2, 5, 7},
               {0},
               {1, 0, 0, 0, 1, 1e-9, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
               {1e-14, 1e-14, 1e-14, 1e-14}};
    separate(B, &g);
    const double *x = g.right, *y = g.right + N;
    assert_true(fabs(x[0] * y[1] - x[1] * y[0]) > 0.99);
    for (int i = 2; i < N; i++) assert_true(fabs(x[i]) < 1e-12 && fabs(y[i]) < 1e-12);
    assert_true(g.right[2 * N + 2] == 1 && g.right[3 * N + 3] == 1);
}

static void parallel_complex_vectors_are_separated(void **state)
{
    (void)state;
    /* two equal blocks [0 3; -3 0]: 3i twice, vectors (1, i) in each block */
    const double B[N * N] = {0, -3, 0, 0, 3, 0, 0, 0, 0, 0, 0, -3, 0, 0, 3, 0};
    const double r = sqrt(0.5);
    given g = {{0}, {3, -3, 3, -3}, {0}, {1e-14, 1e-14, 1e-14, 1e-14}};
    for (int pair = 0; pair < 2; pair++)
        g.right[2 * pair * N] = r, g.right[(2 * pair + 1) * N + 1] = r;
    separate(B, &g);
    double gram[2] = {0, 0};
    for (int pair = 0; pair < 2; pair++) {
        const double *re = g.right + 2 * pair * N, *im = re + N;
        /* B x = 3i x */
        for (int i = 0; i < N; i++) {
            double y_re = 0, y_im = 0;
            for (int j = 0; j < N; j++) y_re += B[i + N * j] * re[j], y_im += B[i + N * j] * im[j];
            assert_true(fabs(y_re + 3 * im[i]) < 1e-13 && fabs(y_im - 3 * re[i]) < 1e-13);
        }
    }
    for (int i = 0; i < N; i++) {
        const double *a = g.right, *b = g.right + N, *c = b + N, *d = c + N;
        gram[0] += a[i] * c[i] + b[i] * d[i];
        gram[1] += a[i] * d[i] - b[i] * c[i];
    }
    assert_true(hypot(gram[0], gram[1]) < 1e-12);
}

static void a_defective_eigenvalue_keeps_its_vectors(void **state)
{
    (void)state;
    const double B[N * N] = {2, 0, 0, 0, 1, 2, 0, 0, 0, 0, 5, 0, 0, 0, 0, 7};
    given g = {{2, 2, 5, 7},
               {0},
               {1, 0, 0, 0, 1, 1e-9, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
               {1e-7, 1e-7, 1e-14, 1e-14}};
    const given before = g;
    separate(B, &g);
    assert_memory_equal(&g, &before, sizeof g);
}

static void independent_vectors_are_left_alone(void **state)
{
    (void)state;
    const double B[N * N] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 5, 0, 0, 0, 0, 7};
    given g = {{2, 2, 5, 7},
               {0},
               {1, 0, 0, 0, 0.8, 0.6, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
               {1e-14, 1e-14, 1e-14, 1e-14}};
    const given before = g;
    separate(B, &g);
    assert_memory_equal(&g, &before, sizeof g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parallel_real_vectors_are_separated),
        cmocka_unit_test(parallel_complex_vectors_are_separated),
        cmocka_unit_test(a_defective_eigenvalue_keeps_its_vectors),
        cmocka_unit_test(independent_vectors_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
