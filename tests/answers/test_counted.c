/* Wanted eigenvalues near complex numbers, of damped, gyroscopic and unsymmetric systems with
 * constraints: those of a dense eigenvalue solver on the constraints' null space, each copy of
 * them, and counted. What was left out is noticed by the count. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "answers/winding.h"
#include "base/lapack.h"
#include "routh/answers.h"
#include "support/effort.h"
#include "support/plate.h"

/* ---- a system ------------------------------------------------------------------------------- */

enum { MOST = 64 };

/* M xi'' + D xi' + K xi + G' lam = 0, G xi = 0; the last m coordinates are C times the others. */
typedef struct system {
    int n, m;
    double M[MOST * MOST], D[MOST * MOST], K[MOST * MOST], C[MOST * MOST]; /* row-major */
    routh_linear linear;
    routh_descriptor d;
    /* dense answers */
    int n_all;
    double _Complex all[2 * MOST];
    double tolerance[2 * MOST];
} system_t;

static unsigned state_of_numbers;

static double number(void)
{
    state_of_numbers = state_of_numbers * 1664525u + 1013904223u;
    return state_of_numbers / 4294967296.0;
}

static double *numbers(size_t n)
{
    double *x = calloc(n + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static routh_sparse compress(int rows, int columns, const double *dense)
{
    routh_sparse s = {rows, columns, calloc((size_t)columns + 1, sizeof(int)), NULL, NULL};
    int n = 0;
    for (int k = 0; k < rows * columns; k++) n += dense[k] != 0;
    s.row = calloc((size_t)n + 1, sizeof(int));
    s.value = calloc((size_t)n + 1, sizeof(double));
    assert_true(s.start && s.row && s.value);
    n = 0;
    for (int c = 0; c < columns; c++) {
        for (int r = 0; r < rows; r++)
            if (dense[r * columns + c] != 0) s.row[n] = r, s.value[n++] = dense[r * columns + c];
        s.start[c + 1] = n;
    }
    return s;
}

static void make_descriptor(system_t *s)
{
    const int n = s->n, m = s->m, order = 2 * n + m, z = n - m;
    double *E = numbers((size_t)order * order), *A = numbers((size_t)order * order);
    double *T = numbers((size_t)order * order);
    for (int i = 0; i < n; i++) {
        E[i * order + i] = A[i * order + n + i] = 1;
        for (int j = 0; j < n; j++) {
            E[(n + i) * order + n + j] = s->M[i * n + j];
            A[(n + i) * order + j] = -s->K[i * n + j];
            A[(n + i) * order + n + j] = -s->D[i * n + j];
        }
    }
    for (int k = 0; k < m; k++)
        for (int j = 0; j < n; j++) {
            const double G = j < z ? -s->C[k * z + j] : j == z + k;
            A[(2 * n + k) * order + j] = A[(n + j) * order + 2 * n + k] = -G;
        }
    for (int i = 0; i < z; i++) T[i * order + i] = T[(z + i) * order + n + i] = 1;
    s->linear = (routh_linear){.n_position = z, .n_velocity = z, .n_states = 2 * z};
    s->d = (routh_descriptor){.n_coordinates = n, .n_constraints = m, .linear = &s->linear};
    s->d.E = compress(order, order, E);
    s->d.A = compress(order, order, A);
    s->d.states = compress(2 * z, order, T);
    free(E), free(A), free(T);
}

/* N' X N with N = [I; C], column-major */
static void reduce(const system_t *s, const double *X, double *out)
{
    const int n = s->n, z = n - s->m;
    for (int a = 0; a < z; a++)
        for (int b = 0; b < z; b++) {
            double sum = 0;
            for (int i = 0; i < n; i++) {
                const double left = i < z ? i == a : s->C[(i - z) * z + a];
                for (int j = 0; j < n && left != 0; j++)
                    sum += left * X[i * n + j] * (j < z ? j == b : s->C[(j - z) * z + b]);
            }
            out[a + z * b] = sum;
        }
}

static void solve_dense(system_t *s)
{
    const int z = s->n - s->m, n = 2 * z;
    double *M = numbers((size_t)z * z), *right = numbers(2 * (size_t)z * z);
    double *A = numbers((size_t)n * n), *left = numbers(2 * (size_t)n * n + 3 * (size_t)n);
    int *pivots = calloc((size_t)z + 1, sizeof *pivots);
    rt_eigen e = {.left = left, .right = left + n * n, .re = left + 2 * n * n};
    e.im = e.re + n, e.rcond = e.im + n;
    reduce(s, s->M, M);
    reduce(s, s->K, right);
    reduce(s, s->D, right + z * z);
    assert_int_equal(rt_lu_factor(z, M, pivots, NULL), ROUTH_OK);
    assert_int_equal(rt_lu_solve(z, M, pivots, 2 * z, right, 0, NULL), ROUTH_OK);
    for (int i = 0; i < z; i++) {
        A[i + n * (z + i)] = 1;
        for (int j = 0; j < n; j++) A[z + i + n * j] = -right[i + z * j];
    }
    assert_int_equal(rt_general_eigen(n, A, &e, NULL), ROUTH_OK);
    s->n_all = n;
    for (int k = 0; k < n; k++) {
        s->all[k] = e.re[k] + I * e.im[k];
        /* first order in the perturbation, or the root of it where two are torn from one */
        const double off = 200 * DBL_EPSILON * e.norm;
        s->tolerance[k] = fmin(off / e.rcond[k], 20 * sqrt(off * e.norm)) + off;
    }
    free(M), free(right), free(A), free(left), free(pivots);
}

static void release_sparse(routh_sparse *m) { free(m->start), free(m->row), free(m->value); }

static void release(system_t *s)
{
    release_sparse(&s->d.E), release_sparse(&s->d.A), release_sparse(&s->d.states);
}

/* ---- comparison ----------------------------------------------------------------------------- */

static double distance_of(double _Complex lambda, const double near[2])
{
    return hypot(creal(lambda) - near[0], fabs(cimag(lambda)) - fabs(near[1]));
}

/* Each wanted one is a different one of all; of those left none is nearer to any of the numbers
 * than the region reaches. */
static void check_against_all(const system_t *s, const routh_modes *m)
{
    bool used[2 * MOST] = {false};
    for (int k = 0; k < m->n; k++) {
        const double _Complex x = m->modes[k].eigenvalue[0] + I * m->modes[k].eigenvalue[1];
        int nearest = -1;
        for (int i = 0; i < s->n_all; i++)
            if (!used[i] && (nearest < 0 || cabs(s->all[i] - x) < cabs(s->all[nearest] - x)))
                nearest = i;
        assert_true(nearest >= 0);
        used[nearest] = true;
        if (!(cabs(s->all[nearest] - x) <= s->tolerance[nearest] + m->modes[k].error_bound))
            fail_msg("%.15g %+.15gi is %.1e away from any, %.1e allowed", creal(x), cimag(x),
                     cabs(s->all[nearest] - x), s->tolerance[nearest]);
        assert_true(m->modes[k].residual <= 1e-9);
    }
    for (int r = 0; r < m->wanted.n_regions; r++) {
        const routh_selection_region *region = &m->wanted.regions[r];
        assert_int_not_equal(region->counted, ROUTH_COUNT_NONE);
        assert_true(region->radius > 0);
        for (int i = 0; i < s->n_all; i++)
            if (!used[i])
                assert_true(distance_of(s->all[i], region->near) >=
                            region->radius * (1 - 1e-6) - s->tolerance[i]);
    }
}

static routh_modes *search(const system_t *s, int count, int n_near, const double *near)
{
    const routh_selection_request request = {.count = count, .n_near = n_near, .near = near};
    routh_modes *m;
    routh_error error;
    if (routh_modes_search(&m, &s->d, &request, &error)) fail_msg("%s", error.message);
    assert_true(m->n >= (count < s->n_all ? count : s->n_all));
    return m;
}

static void solve_and_check(system_t *s, int count, int n_near, const double *near)
{
    make_descriptor(s);
    solve_dense(s);
    routh_modes *m = search(s, count, n_near, near);
    check_against_all(s, m);
    routh_modes_free(m);
    release(s);
}

/* ---- random systems ------------------------------------------------------------------------- */

enum { DAMPED = 1, GYROSCOPIC = 2, CIRCULATORY = 4 };

static void add_spring(double *K, int n, int i, int j, double k)
{
    K[i * n + i] += k;
    if (j < 0) return;
    K[j * n + j] += k;
    K[i * n + j] -= k;
    K[j * n + i] -= k;
}

/* A chain with some more springs; the last m coordinates hang on others. */
static void make_random(system_t *s, unsigned seed, int n, int m, int kind)
{
    memset(s, 0, sizeof *s);
    state_of_numbers = 2654435769u * (seed + 1);
    s->n = n, s->m = m;
    for (int i = 0; i < n; i++) {
        s->M[i * n + i] = 0.5 + number();
        for (int more = 0; more < 2; more++) {
            const int j = more ? (int)(number() * n) : i - 1;
            if (j == i) continue;
            add_spring(s->K, n, i, j, 5 + 20 * number());
            if (kind & DAMPED) add_spring(s->D, n, i, j, 3 * number() * number());
        }
        for (int j = 0; j < i; j++) {
            if (number() > 3.0 / n) continue;
            const double g = 2 * number() - 1, c = 4 * number() - 2;
            if (kind & GYROSCOPIC) s->D[i * n + j] += g, s->D[j * n + i] -= g;
            if (kind & CIRCULATORY) s->K[i * n + j] += c, s->K[j * n + i] -= c;
        }
    }
    for (int k = 0; k < m; k++) {
        s->C[k * (n - m) + (int)(number() * (n - m))] = 1 - 2 * number();
        s->C[k * (n - m) + (int)(number() * (n - m))] += 1;
    }
}

static void random_systems_have_the_eigenvalues_of_dense_ones(void **state)
{
    (void)state;
    const int n_systems = with_effort(40);
    static system_t s;
    for (int k = 0; k < n_systems; k++) {
        state_of_numbers = 77u + (unsigned)k;
        for (int i = 0; i < 5; i++) number();
        const int n = 4 + (int)(number() * 36), m = (int)(number() * n / 3);
        const double near[6] = {
            2 * number() - 2, k % 4 ? 12 * number() : 0, 0, 8 * number(), -0.1, 0};
        int count = 1 + (int)(number() * 12);
        if (count > 2 * (n - m)) count = 2 * (n - m);
        make_random(&s, (unsigned)k, n, m, k % 8);
        solve_and_check(&s, count, 1 + k % 3, near);
    }
}

/* Four equal chains side by side: each eigenvalue four times, in one answer or in two that share
 * some. */
static void copies_are_all_found(void **state)
{
    (void)state;
    static system_t one, s;
    static const double nears[][4] = {{-0.1, 4, 0.2, 5}, {0, 0, 0, 3}, {-0.5, 0, -0.5, 2}};
    for (int kind = 1; kind < 4; kind++)
        for (int k = 0; k < 3; k++) {
            make_random(&one, 5, 8, 0, kind);
            memset(&s, 0, sizeof s);
            s.n = 32;
            for (int b = 0; b < 4; b++)
                for (int i = 0; i < 8; i++)
                    for (int j = 0; j < 8; j++) {
                        const int at = (8 * b + i) * 32 + 8 * b + j;
                        s.M[at] = one.M[i * 8 + j], s.D[at] = one.D[i * 8 + j];
                        s.K[at] = one.K[i * 8 + j];
                    }
            solve_and_check(&s, 9, 2, nears[k]);
        }
}

/* (s + 1)^2 of a mass with as much damping as it takes, and s^2 + 4 twice, of two that are coupled
 * one way: defective ones, beside others. */
static void defective_pairs_keep_their_multiplicity(void **state)
{
    (void)state;
    static const double nears[][2] = {{-1, 0.2}, {-0.7, 0}, {0.1, 2.1}, {0, 1}, {-3, 2}};
    static system_t s;
    for (int k = 0; k < 5; k++) {
        memset(&s, 0, sizeof s);
        s.n = 6;
        const double stiffness[6] = {1, 4, 4, 9, 17, 30}, damping[6] = {2, 0, 0, 0.3, 0.1, 1};
        for (int i = 0; i < 6; i++) {
            s.M[7 * i] = 1;
            s.K[7 * i] = stiffness[i];
            s.D[7 * i] = damping[i];
        }
        s.K[1 * 6 + 2] = 0.5;
        solve_and_check(&s, 3, 1, nears[k]);
    }
}

/* Equal real eigenvalues near a complex number: their shapes are real and independent. */
static void real_copies_have_real_shapes(void **state)
{
    (void)state;
    static system_t s;
    const double near[2] = {-2, 0.3};
    memset(&s, 0, sizeof s);
    s.n = 5;
    for (int i = 0; i < 5; i++) s.M[6 * i] = 1, s.K[6 * i] = i < 3 ? 2 : 40, s.D[6 * i] = 3;
    make_descriptor(&s); /* (s + 1)(s + 2) three times */
    routh_modes *m = search(&s, 3, 1, near);
    int n = 0;
    double V[9];
    for (int k = 0; k < m->n; k++) {
        if (fabs(m->modes[k].eigenvalue[0] + 2) > 1e-9) continue;
        assert_true(n < 3 && m->modes[k].eigenvalue[1] == 0);
        for (int i = 0; i < 10; i++) assert_true(m->modes[k].shape[10 + i] == 0);
        memcpy(V + 3 * n++, m->modes[k].shape, 3 * sizeof *V);
    }
    assert_int_equal(n, 3);
    const double det = V[0] * (V[4] * V[8] - V[5] * V[7]) - V[1] * (V[3] * V[8] - V[5] * V[6]) +
                       V[2] * (V[3] * V[7] - V[4] * V[6]);
    assert_true(fabs(det) > 1e-3);
    routh_modes_free(m);
    release(&s);
}

/* ---- the count itself ----------------------------------------------------------------------- */

/* With `left_out` of the known ones not told, or one told that is none. Many missing ones make the
 * determinant turn fast: then nothing may be told, but nothing wrong. */
static void count_disc(system_t *s, const double near[2], double radius, int left_out, int invented)
{
    rt_shifted pencil;
    rt_shifted_complex c;
    double _Complex known[2 * MOST + 1];
    int n = 0, skipped = 0;
    assert_int_equal(rt_shifted_create(&pencil, &s->d, NULL), ROUTH_OK);
    assert_int_equal(rt_shifted_complex_create(&c, &pencil, NULL), ROUTH_OK);
    for (int k = 0; k < s->n_all; k++) {
        const double r = cabs(s->all[k] - near[0] - I * near[1]);
        if (r > 1.2 * radius) continue; /* unknown as well */
        if (r < radius && skipped < left_out)
            skipped++;
        else
            known[n++] = s->all[k] / pencil.rate;
    }
    assert_int_equal(skipped, left_out);
    if (invented) known[n++] = (near[0] + I * near[1] + 0.4 * radius) / pencil.rate;
    rt_winding w = {.middle = (near[0] + I * near[1]) / pencil.rate,
                    .radius = radius / pencil.rate,
                    .most_points = 256,
                    .known = known,
                    .n_known = n};
    assert_int_equal(rt_winding_count(&w, &c, NULL), ROUTH_OK);
    if (left_out <= 3) assert_true(w.told);
    if (w.told) assert_int_equal(w.missing, left_out - invented);
    rt_shifted_complex_free(&c);
    rt_shifted_free(&pencil);
}

static void what_was_left_out_is_counted(void **state)
{
    (void)state;
    static system_t s;
    const double near[2] = {-0.2, 4};
    for (unsigned seed = 0; seed < 4; seed++) {
        make_random(&s, seed, 30, 5, (int)seed | DAMPED);
        make_descriptor(&s);
        solve_dense(&s);
        /* a circle in the widest gap among the nearest 20 */
        double r[2 * MOST], widest = 0, radius = 0;
        int inside = 0;
        for (int i = 0; i < s.n_all; i++) {
            const double d = cabs(s.all[i] - near[0] - I * near[1]);
            int k = i;
            for (; k > 0 && r[k - 1] > d; k--) r[k] = r[k - 1];
            r[k] = d;
        }
        for (int k = 8; k < 20; k++)
            if (r[k] - r[k - 1] > widest)
                widest = r[k] - r[k - 1], radius = 0.5 * (r[k] + r[k - 1]), inside = k;
        for (int left_out = 0; left_out <= inside; left_out++)
            count_disc(&s, near, radius, left_out, 0);
        count_disc(&s, near, radius, 0, 1);
        release(&s);
    }
}

/* ---- symmetric ------------------------------------------------------------------------------ */

/* A square plate without supports: three zeros, and pairs of bending in either direction. */
static void plates_without_supports_keep_zeros_and_pairs(void **state)
{
    (void)state;
    enum { SIDE = 4, N = 3 * (SIDE + 1) * (SIDE + 1) };
    static const double parts[] = {0, 0.5, 1, 1.3};
    const plate p = {
        .nx = SIDE, .ny = SIDE, .width = 1, .height = 1, .stiffness = 1, .poisson = 0.3, .mass = 1};
    plate_matrices m;
    rt_arena arena = {0};
    routh_error error;
    double *K = numbers(N * N), *M = numbers(N * N), values[N], omega[N];
    if (plate_build(&m, &p, NULL, &arena, &error)) fail_msg("%s", error.message);
    double *E = numbers(4 * N * N), *A = numbers(4 * N * N), *T = numbers(4 * N * N);
    for (int c = 0; c < N; c++)
        for (int e = m.pattern.start[c]; e < m.pattern.start[c + 1]; e++) {
            const int r = m.pattern.row[e];
            K[r + N * c] = K[c + N * r] = m.K[e];
            M[r + N * c] = M[c + N * r] = m.M[e];
        }
    for (int i = 0; i < N; i++) {
        E[i * 2 * N + i] = A[i * 2 * N + N + i] = T[i * 2 * N + i] = 1;
        T[(N + i) * 2 * N + N + i] = 1;
        for (int j = 0; j < N; j++) {
            E[(N + i) * 2 * N + N + j] = M[i + N * j];
            A[(N + i) * 2 * N + j] = -K[i + N * j];
        }
    }
    routh_linear linear = {.n_position = N, .n_velocity = N, .n_states = 2 * N};
    routh_descriptor d = {.n_coordinates = N, .linear = &linear};
    d.E = compress(2 * N, 2 * N, E), d.A = compress(2 * N, 2 * N, A);
    d.states = compress(2 * N, 2 * N, T);
    assert_int_equal(rt_symmetric_generalized_eigen(N, K, M, values, NULL), ROUTH_OK);
    for (int k = 0; k < N; k++) omega[k] = k < 3 ? 0 : sqrt(values[k]);
    for (int at = 0; at < 24; at++) {
        const double near[2] = {0, omega[at / 4 * 3 + 3] * parts[at % 4]};
        const routh_selection_request request = {
            .count = 2 * (1 + at % 5), .n_near = 1, .near = near};
        routh_modes *found;
        if (routh_modes_search(&found, &d, &request, &error)) fail_msg("%s", error.message);
        const routh_selection_region *r = &found->wanted.regions[0];
        assert_int_equal(r->counted, ROUTH_COUNT_INERTIA);
        assert_true(found->n >= request.count);
        int there = 0;
        for (int k = 0; k < N; k++) there += 2 * (fabs(omega[k] - near[1]) < r->radius);
        assert_int_equal(found->n, there);
        for (int k = 0; k < found->n; k++) {
            const double w = fabs(found->modes[k].eigenvalue[1]);
            double off = INFINITY;
            assert_true(found->modes[k].eigenvalue[0] == 0);
            for (int i = 0; i < N; i++) off = fmin(off, fabs(omega[i] - w));
            assert_true(off <= 1e-9 * omega[N - 1]);
        }
        routh_modes_free(found);
    }
    const double pi = acos(-1), middle = 0.5 * (omega[9] + omega[10]) / (2 * pi);
    const routh_selection_request request = {.between = 1, .low = 0, .high = middle};
    routh_modes *found;
    if (routh_modes_search(&found, &d, &request, &error)) fail_msg("%s", error.message);
    assert_int_equal(found->n, 20);
    assert_int_equal(found->n_zero, 6);
    assert_int_equal(found->wanted.regions[0].counted, ROUTH_COUNT_INERTIA);
    routh_modes_free(found);
    release_sparse(&d.E), release_sparse(&d.A), release_sparse(&d.states);
    free(K), free(M), free(E), free(A), free(T);
    rt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_systems_have_the_eigenvalues_of_dense_ones),
        cmocka_unit_test(copies_are_all_found),
        cmocka_unit_test(defective_pairs_keep_their_multiplicity),
        cmocka_unit_test(real_copies_have_real_shapes),
        cmocka_unit_test(what_was_left_out_is_counted),
        cmocka_unit_test(plates_without_supports_keep_zeros_and_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
