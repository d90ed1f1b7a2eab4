/* Tests of answers/shares on two masses m1, m2 with springs k1 (to the ground), k12 (between) and a
 * damper c2. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "linear_model.h"

static const double m1 = 2, m2 = 3, k1 = 50, k12 = 20, c2 = 0.3;

enum { STATES = 4, SHARES = 5 };

static routh_linear two_masses(routh_energy_fraction *list)
{
    static double first[] = {0, 0, 1, 0}, second[] = {0, 0, 0, 1}, ground[] = {1, 0, 0, 0},
                  between[] = {1, -1, 0, 0};
    static double w_m1, w_m2, w_k1, w_k12, w_c2;
    w_m1 = m1, w_m2 = m2, w_k1 = k1, w_k12 = k12, w_c2 = c2;
    const double K[] = {(k1 + k12) / m1, -k12 / m1, -k12 / m2, k12 / m2}, C[] = {0, 0, 0, c2 / m2};
    routh_linear l = model_second_order(2, K, C);
    list[0] = (routh_energy_fraction){NULL, ROUTH_ENERGY_KINETIC, 1, first, &w_m1};
    list[1] = (routh_energy_fraction){NULL, ROUTH_ENERGY_KINETIC, 1, second, &w_m2};
    list[2] = (routh_energy_fraction){NULL, ROUTH_ENERGY_STRAIN, 1, ground, &w_k1};
    list[3] = (routh_energy_fraction){NULL, ROUTH_ENERGY_STRAIN, 1, between, &w_k12};
    list[4] = (routh_energy_fraction){NULL, ROUTH_ENERGY_DISSIPATION, 1, second, &w_c2};
    l.n_shares = SHARES;
    l.shares = list;
    return l;
}

static double square(const double *x, int i) { return x[i] * x[i] + x[STATES + i] * x[STATES + i]; }

static void fractions_follow_the_amplitudes(void **state)
{
    (void)state;
    routh_energy_fraction list[SHARES];
    routh_linear l = two_masses(list);
    routh_modes *m;
    assert_int_equal(routh_modes_compute(&m, &l, NULL), ROUTH_OK);
    for (int k = 0; k < STATES; k++) {
        double f[SHARES];
        const double *x = m->modes[k].shape;
        routh_mode_energy_fractions(&l, &m->modes[k], ROUTH_ENERGY_KINETIC, f);
        const double T1 = m1 * square(x, 2), T2 = m2 * square(x, 3);
        assert_true(fabs(f[0] - T1 / (T1 + T2)) < 1e-14 && fabs(f[1] - T2 / (T1 + T2)) < 1e-14);
        assert_true(f[2] == 0 && f[3] == 0 && f[4] == 0);
        routh_mode_energy_fractions(&l, &m->modes[k], ROUTH_ENERGY_STRAIN, f);
        const double V1 = k1 * square(x, 0);
        const double V2 = k12 * (pow(x[0] - x[1], 2) + pow(x[STATES] - x[STATES + 1], 2));
        assert_true(fabs(f[2] - V1 / (V1 + V2)) < 1e-14 && fabs(f[3] - V2 / (V1 + V2)) < 1e-14);
        assert_true(f[0] == 0 && f[1] == 0 && f[4] == 0);
        routh_mode_energy_fractions(&l, &m->modes[k], ROUTH_ENERGY_DISSIPATION, f);
        assert_true(f[4] == 1);
    }
    routh_modes_free(m);
    l.shares = NULL;
    model_free(&l);
}

/* Packed forms say what the forms say, in every kind, of a model of sparse and of full rows. */
static void packed_forms_give_the_same_shares(void **state)
{
    (void)state;
    enum { N = 40, FULL = 7, SPARSE = 100 };
    static double shape[2 * N], full[FULL * N], sparse[SPARSE * N], weight[FULL * FULL],
        tridiagonal[SPARSE * SPARSE];
    for (int j = 0; j < 2 * N; j++) shape[j] = sin(1 + 3 * j);
    for (int i = 0; i < FULL * N; i++) full[i] = cos(i);
    for (int i = 0; i < FULL; i++)
        for (int j = 0; j < FULL; j++) weight[FULL * i + j] = (i == j) * 3 + cos(i) * cos(j);
    for (int i = 0; i < SPARSE; i++) {
        sparse[N * i + i % N] = 2, sparse[N * i + (7 * i + 1) % N] = -0.5;
        for (int j = i > 0 ? i - 1 : 0; j < SPARSE && j <= i + 1; j++)
            tridiagonal[SPARSE * i + j] = i == j ? 2 : -0.7;
    }
    routh_energy_fraction list[] = {{NULL, ROUTH_ENERGY_KINETIC, FULL, full, weight},
                                    {NULL, ROUTH_ENERGY_KINETIC, SPARSE, sparse, tridiagonal},
                                    {NULL, ROUTH_ENERGY_STRAIN, FULL - 1, full, weight},
                                    {NULL, ROUTH_ENERGY_STRAIN, SPARSE, sparse, tridiagonal}};
    const routh_linear l = {.n_states = N, .n_shares = 4, .shares = list};
    routh_energy_forms *forms;
    assert_int_equal(routh_energy_forms_create(&forms, &l, NULL), ROUTH_OK);
    for (int rigid = 0; rigid < 2; rigid++) {
        const routh_mode mode = {.shape = shape, .rigid = rigid};
        for (int kind = ROUTH_ENERGY_KINETIC; kind <= ROUTH_ENERGY_DISSIPATION; kind++) {
            double a[4], b[4];
            routh_mode_energy_fractions(&l, &mode, (routh_energy_kind)kind, a);
            routh_energy_forms_fractions(forms, &mode, (routh_energy_kind)kind, b);
            for (int k = 0; k < 4; k++) assert_true(fabs(a[k] - b[k]) < 1e-14);
            const int some =
                kind == ROUTH_ENERGY_KINETIC || (kind == ROUTH_ENERGY_STRAIN && !rigid);
            assert_int_equal(b[0] != 0 || b[2] != 0, some);
        }
    }
    routh_energy_forms_free(forms);
}

/* One share of 70 rows is worth what its rows are worth one by one, with couplings across the
 * blocks. */
static void many_rows_are_summed_whole(void **state)
{
    (void)state;
    enum { ROWS = 70 };
    static double rows[ROWS * STATES], weight[ROWS * ROWS], one[STATES] = {1, 0, 0, 0};
    double unit = 10, shape[2 * STATES] = {0.3, -0.2, 0.9, 0.1, 0.4, 0.8, -0.5, 0.2}, v[2 * ROWS],
           expected = 0;
    for (int r = 0; r < ROWS; r++)
        for (int j = 0; j < STATES; j++) rows[r * STATES + j] = sin(1 + r + 2 * j);
    for (int a = 0; a < ROWS; a++)
        for (int b = 0; b < ROWS; b++) weight[a * ROWS + b] = cos(a * b) + cos(a + b);
    for (int r = 0; r < ROWS; r++) {
        v[r] = v[ROWS + r] = 0;
        for (int j = 0; j < STATES; j++) v[r] += rows[r * STATES + j] * shape[j];
        for (int j = 0; j < STATES; j++) v[ROWS + r] += rows[r * STATES + j] * shape[STATES + j];
    }
    for (int a = 0; a < ROWS; a++)
        for (int b = 0; b < ROWS; b++)
            expected += weight[a * ROWS + b] * (v[a] * v[b] + v[ROWS + a] * v[ROWS + b]);
    routh_energy_fraction list[2] = {{NULL, ROUTH_ENERGY_STRAIN, ROWS, rows, weight},
                                     {NULL, ROUTH_ENERGY_STRAIN, 1, one, &unit}};
    const routh_linear l = {.n_states = STATES, .n_shares = 2, .shares = list};
    const routh_mode mode = {.shape = shape};
    const double other = 10 * (0.09 + 0.16);
    double f[2];
    routh_mode_energy_fractions(&l, &mode, ROUTH_ENERGY_STRAIN, f);
    assert_true(fabs(f[0] - expected / (expected + other)) < 1e-12);
    assert_true(fabs(f[1] - other / (expected + other)) < 1e-12);
}

static void negative_and_cancelling_shares(void **state)
{
    (void)state;
    double row[] = {1, 0}, plus = 3, minus = -1, shape[] = {1, 0, 0, 0}, f[2];
    routh_energy_fraction list[2] = {{NULL, ROUTH_ENERGY_STRAIN, 1, row, &plus},
                                     {NULL, ROUTH_ENERGY_STRAIN, 1, row, &minus}};
    const routh_linear l = {.n_states = 2, .n_shares = 2, .shares = list};
    const routh_mode mode = {.shape = shape};
    routh_mode_energy_fractions(&l, &mode, ROUTH_ENERGY_STRAIN, f);
    assert_true(f[0] == 1.5 && f[1] == -0.5);
    plus = 1;
    routh_mode_energy_fractions(&l, &mode, ROUTH_ENERGY_STRAIN, f);
    assert_true(f[0] == 0 && f[1] == 0);
}

/* A damper between two bodies that a stiff link holds together, so that they differ by 1e-8: it
 * takes all that is taken, by rows for each body and a weight that takes their difference. */
static void a_damper_beside_a_stiff_link_counts(void **state)
{
    (void)state;
    static double both[] = {0, 0, 1, 0, 0, 0, 0, 1}, damper[] = {7, -7, -7, 7};
    double shape[2 * STATES] = {0, 0, 0.3, 0.3 * (1 + 1e-8), 0, 0, 0.1, 0.1}, f[1], packed[1];
    routh_energy_fraction list[] = {{NULL, ROUTH_ENERGY_DISSIPATION, 2, both, damper}};
    const routh_linear l = {.n_states = STATES, .n_shares = 1, .shares = list};
    const routh_mode mode = {.shape = shape};
    routh_energy_forms *forms;
    routh_mode_energy_fractions(&l, &mode, ROUTH_ENERGY_DISSIPATION, f);
    assert_int_equal(routh_energy_forms_create(&forms, &l, NULL), ROUTH_OK);
    routh_energy_forms_fractions(forms, &mode, ROUTH_ENERGY_DISSIPATION, packed);
    assert_true(f[0] == 1 && packed[0] == 1);
    routh_energy_forms_free(forms);
}

static void free_motions_strain_nothing(void **state)
{
    (void)state;
    double row[] = {1, 0}, plus = 3, less = -2, shape[] = {1, 0, 0, 0}, f[3];
    routh_energy_fraction list[3] = {{NULL, ROUTH_ENERGY_STRAIN, 1, row, &plus},
                                     {NULL, ROUTH_ENERGY_DISSIPATION, 1, row, &less},
                                     {NULL, ROUTH_ENERGY_KINETIC, 1, row, &plus}};
    const routh_linear l = {.n_states = 2, .n_shares = 3, .shares = list};
    const routh_mode mode = {.shape = shape, .rigid = 1};
    routh_mode_energy_fractions(&l, &mode, ROUTH_ENERGY_DISSIPATION, f);
    assert_true(f[0] == 0 && f[1] == 0 && f[2] == 0);
    routh_mode_energy_fractions(&l, &mode, ROUTH_ENERGY_STRAIN, f);
    assert_true(f[0] == 0 && f[1] == 0 && f[2] == 0);
    routh_mode_energy_fractions(&l, &mode, ROUTH_ENERGY_KINETIC, f);
    assert_true(f[0] == 0 && f[1] == 0 && f[2] == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fractions_follow_the_amplitudes),
        cmocka_unit_test(packed_forms_give_the_same_shares),
        cmocka_unit_test(many_rows_are_summed_whole),
        cmocka_unit_test(negative_and_cancelling_shares),
        cmocka_unit_test(a_damper_beside_a_stiff_link_counts),
        cmocka_unit_test(free_motions_strain_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
