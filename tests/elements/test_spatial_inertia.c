/* The spatial form of a body's inertia and weight against the body's own form, carried over by the
 * map of a spatial frame. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinates/coordinates.h"
#include "elements/loads.h"
#include "support/random_frames.h"

/* Z (6 x 6) += s A' B C with A, B, C 6 x 6; B has rows of the given length */
static void add_triple(double Z[36], const double *A, const double *B, int length,
                       const double *C)
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            for (int k = 0; k < 6; k++)
                for (int l = 0; l < 6; l++)
                    Z[6 * i + j] += A[6 * k + i] * B[length * k + l] * C[6 * l + j];
}

static void assert_near(const double *a, const double *b, int n)
{
    double size = 0;
    for (int k = 0; k < n; k++) size = fmax(size, fabs(b[k]));
    for (int k = 0; k < n; k++) assert_true(fabs(a[k] - b[k]) <= 1e-13 * size);
}

/* a column-major, b row-major */
static void assert_transposed(const double a[36], const double b[36])
{
    double c[36];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) c[6 * i + j] = a[6 * j + i];
    assert_near(c, b, 36);
}

static void it_is_the_bodys_own_form_at_the_origin(void **state)
{
    (void)state;
    random_stream random = {7};
    for (int trial = 0; trial < 100; trial++) {
        rt_frame f;
        rt_map map;
        rt_load_result own;
        rt_spatial_inertia found;
        double inertia[9] = {2.1, 0.1, -0.2, 0.1, 1.7, 0.3, -0.2, 0.3, 1.2}, gravity[3], others[6];
        double total[6], K[36] = {0}, D[36] = {0}, M[36] = {0}, wrench[6] = {0};
        f = random_frame(&random, MOTION_BOTH);
        for (int i = 0; i < 3; i++) gravity[i] = 9 * random_real(&random);
        for (int i = 0; i < 6; i++) others[i] = 5 * random_real(&random);
        rt_inertia_evaluate(&f, 1.3, inertia, true, &own);
        rt_inertia_spatial(&f, 1.3, inertia, gravity, others, true, &found);
        rt_spatial_frames.map(0, NULL, NULL, NULL, &f, &map);
        for (int i = 0; i < 6; i++) {
            const double force = own.wrench[0][i] - (i < 3 ? 1.3 * gravity[i] : 0);
            total[i] = force + others[i];
            for (int j = 0; j < 6; j++) wrench[j] += map.J[6 * i + j] * force;
        }
        add_triple(M, map.J, own.partial[2], 12, map.J);
        add_triple(D, map.J, own.partial[1], 12, map.J);
        add_triple(D, map.J, own.partial[2], 12, map.J2u);
        add_triple(K, map.J, own.partial[0], 12, map.J);
        add_triple(K, map.J, own.partial[1], 12, map.J1);
        add_triple(K, map.J, own.partial[2], 12, map.J2x);
        rt_spatial_frames.geometric(0, NULL, &f, total, K, 6);
        assert_near(found.wrench, wrench, 6);
        assert_transposed(found.M, M);
        assert_transposed(found.D, D);
        assert_transposed(found.K, K);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_bodys_own_form_at_the_origin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
