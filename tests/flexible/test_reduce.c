/* Reduced bodies against the whole finite-element model. */
#include "flexible/reduced.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lapack.h"
#include "support/fe_mesh.h"

static const double TWO_PI = 6.283185307179586;

static const fe_box block = {{6, 2, 2}, {-0.03, 0.02, 0.4}, {0.12, 0.02, 0.014}, 210e9, 0.3, 7800};
static const fe_box plate = {{8, 8, 1}, {0, 0, 0}, {0.3, 0.3, 0.02}, 70e9, 0.33, 2700};
static const fe_rod rod = {.elements = 10,
                           .length = 1.3,
                           .young = 210e9,
                           .shear = 80e9,
                           .density = 7800,
                           .area = 6e-4,
                           .inertia_y = 2e-8,
                           .inertia_z = 4.5e-8,
                           .torsion = 4e-8};

typedef struct answer {
    rt_arena arena;
    const rt_flexible *f;
    rt_reduction_report found;
} answer;

static void run(answer *a, const rt_fe_model *fe, const rt_reduction *how)
{
    routh_error error = {0};
    a->arena = (rt_arena){0};
    if (rt_flexible_reduce(&a->f, &a->found, fe, how, &a->arena, &error))
        fail_msg("%s", error.message);
}

static double *frequencies(const rt_fe_model *fe, double shift)
{
    double *lambda = calloc((size_t)fe->n, sizeof *lambda);
    assert_non_null(lambda);
    dense_modes(fe, shift, lambda, NULL);
    for (int k = 0; k < fe->n; k++) lambda[k] = sqrt(fmax(lambda[k], 0)) / TWO_PI;
    return lambda;
}

static double random_number(void)
{
    static uint64_t state = 99;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-52 - 1;
}

/* ---- frequencies ---------------------------------------------------------------------------- */

static void check_free(const rt_fe_model *fe, int n_modes, double allowed)
{
    answer a;
    const rt_reduction how = {.kind = RT_REDUCE_FREE, .n_modes = n_modes};
    run(&a, fe, &how);
    const double first = TWO_PI * a.found.frequency[0];
    double *right = frequencies(fe, 0.1 * first * first);
    assert_int_equal(a.f->n, n_modes);
    for (int k = 0; k < 6; k++) { /* of the whole model and of the reduction alike */
        assert_true(right[k] * right[k] < 1e-6 * right[6] * right[6]);
        assert_true(a.found.rigid[k] < 1e-6);
    }
    for (int k = 0; k < n_modes; k++)
        assert_true(fabs(a.found.frequency[k] / right[6 + k] - 1) < allowed);
    assert_true(fabs(a.found.first_left_out / right[6 + n_modes] - 1) < 1e-6);
    free(right);
    rt_arena_free(&a.arena);
}

static void free_modes_are_those_of_the_whole_model(void **state)
{
    (void)state;
    rt_arena arena = {0};
    check_free(make_box(&block, &arena), 25, 1e-9);
    check_free(make_rod(&rod, &arena), 25, 1e-8);
    fe_rod lumped = rod;
    lumped.lumped = true; /* rotations without mass */
    check_free(make_rod(&lumped, &arena), 15, 1e-8);
    rt_arena_free(&arena);
}

/* Four masses and six rods between them: the first elastic mode is about as high as the largest
 * entry of K over that of M, where a shift chosen from these is far below it. */
static void coarse_and_stiff_bodies_have_modes(void **state)
{
    (void)state;
    static const double X[4][3] = {{0, 0, 0}, {1, 0, 0}, {0.2, 0.9, 0}, {0.3, 0.2, 0.8}};
    int number[4] = {1, 2, 3, 4}, node[12], direction[12], start[13], row[144];
    double K[144] = {0}, M[144] = {0}, places[12];
    for (int i = 0; i <= 12; i++) start[i] = 12 * i;
    for (int i = 0; i < 144; i++) row[i] = i % 12;
    for (int i = 0; i < 12; i++) {
        node[i] = i / 3, direction[i] = i % 3, M[13 * i] = 1 + i / 3;
        places[i] = X[i / 3][i % 3];
    }
    for (int a = 0; a < 4; a++)
        for (int b = a + 1; b < 4; b++) {
            double d[3], l2 = 0;
            for (int i = 0; i < 3; i++) d[i] = X[b][i] - X[a][i], l2 += d[i] * d[i];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    const double k = 1e6 * d[i] * d[j] / l2;
                    K[3 * a + i + 12 * (3 * a + j)] += k, K[3 * b + i + 12 * (3 * b + j)] += k;
                    K[3 * a + i + 12 * (3 * b + j)] -= k, K[3 * b + i + 12 * (3 * a + j)] -= k;
                }
        }
    const rt_fe_model fe = {.n_nodes = 4,
                            .number = number,
                            .X = places,
                            .n = 12,
                            .node = node,
                            .direction = direction,
                            .pattern = {12, 12, start, row},
                            .M = M,
                            .K = K};
    check_free(&fe, 4, 1e-9);
}

static void pairs_of_equal_frequency_are_whole(void **state)
{
    (void)state;
    rt_arena arena = {0};
    answer a;
    const rt_fe_model *fe = make_box(&plate, &arena);
    check_free(fe, 20, 1e-9);
    const rt_reduction how = {.kind = RT_REDUCE_FREE, .n_modes = 20};
    run(&a, fe, &how);
    int pairs = 0;
    for (int k = 0; k + 1 < a.f->n; k++)
        pairs += a.found.frequency[k + 1] < (1 + 1e-9) * a.found.frequency[k];
    assert_true(pairs >= 3); /* a square plate has modes that a quarter turn makes of one another */
    rt_arena_free(&a.arena);
    rt_arena_free(&arena);
}

/* Those of a tube-like square rod come in many pairs; and all below a frequency are found. */
static void a_cut_keeps_all_below(void **state)
{
    (void)state;
    rt_arena arena = {0};
    answer a;
    fe_rod round = rod;
    round.inertia_y = round.inertia_z;
    const rt_fe_model *fe = make_rod(&round, &arena);
    double *right = frequencies(fe, 1e4);
    int n = 0;
    const double cut = 0.5 * (right[26] + right[27]);
    while (right[6 + n] < cut) n++;
    const rt_reduction how = {.kind = RT_REDUCE_FREE, .cut = cut};
    run(&a, fe, &how);
    assert_int_equal(a.f->n, n);
    assert_true(fabs(a.found.first_left_out / right[6 + n] - 1) < 1e-6);
    free(right);
    rt_arena_free(&a.arena);
    rt_arena_free(&arena);
}

static const int left[] = {1, 8, 15, 22, 29, 36, 43, 50, 57};
static const int right_end[] = {7, 14, 21, 28, 35, 42, 49, 56, 63};

/* Frequencies fall with every mode that is added, never below the right ones. */
static void check_craig_bampton(const rt_fe_model *fe, const rt_interface *faces, int n_faces)
{
    double *right = frequencies(fe, 1e6);
    double before[8];
    for (int k = 0; k < 8; k++) before[k] = INFINITY;
    for (int n_modes = 6; n_modes <= 30; n_modes += 4) {
        answer a;
        const rt_reduction how = {.kind = RT_REDUCE_CRAIG_BAMPTON,
                                  .n_interfaces = n_faces,
                                  .interfaces = faces,
                                  .n_modes = n_modes};
        run(&a, fe, &how);
        for (int k = 0; k < 8 && k < a.f->n; k++) {
            /* n eps of the largest lambda, as LAPACK may be off */
            const double f = a.found.frequency[k];
            const double off = fe->n * 2.2e-16 * pow(right[fe->n - 1] / right[6 + k], 2);
            assert_true(off < 1e-4);
            assert_true(f > right[6 + k] * (1 - off));
            assert_true(f <= before[k] * (1 + off));
            before[k] = f;
        }
        rt_arena_free(&a.arena);
    }
    for (int k = 0; k < 4; k++) assert_true(before[k] < right[6 + k] * 1.001); /* and converge */
    free(right);
}

static void interfaces_converge_from_above(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_interface nodes[] = {{1, 1, left}, {63, 1, (const int[]){63}}, {7, 1, right_end}};
    const rt_interface sets[] = {{1001, 9, left}, {1002, 9, right_end}};
    const rt_interface one[] = {{32, 1, (const int[]){32}}}; /* it can turn about it */
    const rt_interface ends[] = {{10, 1, (const int[]){10}}, {110, 1, (const int[]){110}}};
    const rt_fe_model *box = make_box(&block, &arena);
    check_craig_bampton(box, nodes, 3);
    check_craig_bampton(box, sets, 2);
    check_craig_bampton(box, one, 1);
    check_craig_bampton(make_rod(&rod, &arena), ends, 2);
    rt_arena_free(&arena);
}

/* ---- Craig and Bampton by dense matrices --------------------------------------------------- */

typedef struct dense {
    int n, held, inner; /* inner ones first */
    int *order;
    double *K, *M; /* n x n in that order */
} dense;

static void to_dense(dense *d, const rt_fe_model *fe, const rt_interface *faces, int n_faces)
{
    const size_t n = (size_t)fe->n;
    *d = (dense){.n = fe->n,
                 .order = calloc(n, sizeof(int)),
                 .K = calloc(n * n, sizeof(double)),
                 .M = calloc(n * n, sizeof(double))};
    assert_true(d->order && d->K && d->M);
    for (int pass = 0, at = 0; pass < 2; pass++)
        for (int i = 0; i < fe->n; i++) {
            bool is_held = false;
            for (int k = 0; k < n_faces; k++)
                is_held = is_held || fe->number[fe->node[i]] == faces[k].number;
            if (is_held == (pass == 1)) d->order[i] = at++, *(pass ? &d->held : &d->inner) += 1;
        }
    for (int j = 0; j < fe->n; j++)
        for (int k = fe->pattern.start[j]; k < fe->pattern.start[j + 1]; k++) {
            const size_t to = (size_t)d->order[fe->pattern.row[k]] + n * (size_t)d->order[j];
            d->K[to] = fe->K[k];
            d->M[to] = fe->M[k];
        }
}

/* T'A T, n x m to m x m */
static double *project(const dense *d, const double *A, const double *T, int m)
{
    const size_t n = (size_t)d->n;
    double *AT = calloc(n * (size_t)m, sizeof *AT),
           *out = calloc((size_t)m * (size_t)m, sizeof *out);
    assert_true(AT && out);
    for (size_t j = 0; j < (size_t)m; j++)
        for (size_t k = 0; k < n; k++)
            for (size_t i = 0; i < n; i++) AT[i + n * j] += A[i + n * k] * T[k + n * j];
    for (size_t j = 0; j < (size_t)m; j++)
        for (size_t i = 0; i < (size_t)m; i++)
            for (size_t k = 0; k < n; k++) out[i + (size_t)m * j] += T[k + n * i] * AT[k + n * j];
    free(AT);
    return out;
}

/* T = [inner: -K_ii^-1 K_ib, fixed-interface modes; held: 1, 0] */
static double *dense_basis(const dense *d, int n_modes)
{
    const size_t n = (size_t)d->n, p = (size_t)d->inner, held = (size_t)d->held;
    double *T = calloc(n * (held + (size_t)n_modes), sizeof *T), *mu = calloc(p, sizeof *mu);
    double *A = calloc(p * p, sizeof *A), *B = calloc(p * p, sizeof *B);
    double *x = calloc(p * held, sizeof *x);
    assert_true(T && mu && A && B && x);
    for (size_t j = 0; j < p; j++)
        for (size_t i = 0; i < p; i++)
            A[i + p * j] = d->M[i + n * j], B[i + p * j] = d->K[i + n * j];
    double *L = calloc(p * p, sizeof *L);
    assert_non_null(L);
    memcpy(L, B, p * p * sizeof *L);
    for (size_t j = 0; j < held; j++)
        for (size_t i = 0; i < p; i++) x[i + p * j] = -d->K[i + n * (p + j)];
    assert_int_equal(rt_cholesky_factor(d->inner, L, NULL), ROUTH_OK);
    assert_int_equal(rt_cholesky_solve(d->inner, L, d->held, x, NULL), ROUTH_OK);
    assert_int_equal(rt_symmetric_generalized_eigen(d->inner, A, B, mu, NULL), ROUTH_OK);
    for (size_t j = 0; j < held; j++) {
        memcpy(T + n * j, x + p * j, p * sizeof *T);
        T[n * j + p + j] = 1;
    }
    for (size_t j = 0; j < (size_t)n_modes; j++)
        memcpy(T + n * (held + j), A + p * (p - 1 - j), p * sizeof *T);
    free(mu), free(A), free(B), free(x), free(L);
    return T;
}

/* Frequencies of the body reduced to nodes, its rigid ones first, as many as `out` has. */
static void dense_craig_bampton(const rt_fe_model *fe, const rt_interface *faces, int n_faces,
                                int n_modes, int count, double *out)
{
    dense d;
    to_dense(&d, fe, faces, n_faces);
    const int m = d.held + n_modes;
    double *T = dense_basis(&d, n_modes), *K = project(&d, d.K, T, m), *M = project(&d, d.M, T, m);
    double *mu = calloc((size_t)m, sizeof *mu);
    const double shift = 1e6;
    assert_non_null(mu);
    for (int i = 0; i < m * m; i++) K[i] += shift * M[i];
    assert_int_equal(rt_symmetric_generalized_eigen(m, M, K, mu, NULL), ROUTH_OK);
    for (int k = 0; k < count; k++) out[k] = sqrt(fmax(1 / mu[m - 1 - k] - shift, 0)) / TWO_PI;
    free(T), free(K), free(M), free(mu), free(d.order), free(d.K), free(d.M);
}

static void check_against_dense(const rt_fe_model *fe, const rt_interface *faces, int n_faces)
{
    for (int n_modes = 0; n_modes < 16; n_modes += 5) {
        answer a;
        double right[18];
        const rt_reduction how = {.kind = RT_REDUCE_CRAIG_BAMPTON,
                                  .n_interfaces = n_faces,
                                  .interfaces = faces,
                                  .n_modes = n_modes};
        run(&a, fe, &how);
        const int count = a.f->n < 10 ? a.f->n : 10;
        dense_craig_bampton(fe, faces, n_faces, n_modes, 6 + count, right);
        for (int k = 0; k < count; k++)
            assert_true(fabs(a.found.frequency[k] / right[6 + k] - 1) < 1e-6);
        rt_arena_free(&a.arena);
    }
}

static void interfaces_of_nodes_agree_with_dense_matrices(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_interface nodes[] = {{1, 1, left}, {63, 1, (const int[]){63}}, {7, 1, right_end}};
    const rt_interface ends[] = {{10, 1, (const int[]){10}}, {110, 1, (const int[]){110}}};
    check_against_dense(make_box(&block, &arena), nodes, 3);
    check_against_dense(make_rod(&rod, &arena), ends, 2);
    rt_arena_free(&arena);
}

/* Of a slender body, where solving leaves more rounding: twelve motions of two faces are six beside
 * the rigid ones, and no combination of rounding is a coordinate. */
static void rigid_motions_of_faces_leave_no_rounding(void **state)
{
    (void)state;
    static const fe_box bar = {{60, 1, 1}, {0, 0, 0}, {4, 0.05, 0.03}, 210e9, 0.3, 7800};
    static const int one[] = {1, 62, 123, 184}, other[] = {61, 122, 183, 244};
    const rt_interface ends[] = {{1001, 4, one}, {1002, 4, other}};
    rt_arena arena = {0};
    const rt_fe_model *fe = make_box(&bar, &arena);
    for (int n_modes = 1; n_modes < 5; n_modes++) {
        answer a;
        const rt_reduction how = {.kind = RT_REDUCE_CRAIG_BAMPTON,
                                  .n_interfaces = 2,
                                  .interfaces = ends,
                                  .n_modes = n_modes};
        run(&a, fe, &how);
        assert_int_equal(a.f->n, 6 + n_modes);
        rt_arena_free(&a.arena);
    }
    rt_arena_free(&arena);
}

/* ---- statics -------------------------------------------------------------------------------- */

/* Forces on two interfaces that balance: the whole body by its modes, all of them. */
static double flexibility_of(const rt_fe_model *fe, const double *load)
{
    const size_t n = (size_t)fe->n;
    double *lambda = calloc(n, sizeof *lambda), *v = calloc(n * n, sizeof *v), sum = 0;
    assert_true(lambda && v);
    dense_modes(fe, 1e6, lambda, v);
    for (size_t k = 6; k < n; k++) {
        double x = 0;
        for (size_t i = 0; i < n; i++) x += v[i + n * k] * load[i];
        if (isfinite(lambda[k])) sum += x * x / lambda[k];
    }
    free(lambda), free(v);
    return sum;
}

static void statics_of_interfaces_are_exact(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_fe_model *fe = make_box(&block, &arena);
    const rt_interface sets[] = {{1001, 9, left}, {1002, 9, right_end}};
    double *load = calloc((size_t)fe->n, sizeof *load);
    assert_non_null(load);
    for (int k = 0; k < 9; k++) { /* a pull and a torque along the axis */
        const double *X = fe->X + 3 * (right_end[k] - 1);
        const double y = X[1] - 0.03, z = X[2] - 0.407;
        const double mean = 9 * (2.0 / 3 * (0.01 * 0.01 + 0.007 * 0.007));
        load[3 * (right_end[k] - 1)] = 1.0 / 9;
        load[3 * (left[k] - 1)] = -1.0 / 9;
        load[3 * (right_end[k] - 1) + 1] = -0.02 * z / mean;
        load[3 * (right_end[k] - 1) + 2] = 0.02 * y / mean;
        load[3 * (left[k] - 1) + 1] = 0.02 * z / mean;
        load[3 * (left[k] - 1) + 2] = -0.02 * y / mean;
    }
    const double right = flexibility_of(fe, load);
    for (int n_modes = 0; n_modes < 9; n_modes += 4) {
        answer a;
        double sum = 0;
        const rt_reduction how = {.kind = RT_REDUCE_CRAIG_BAMPTON,
                                  .n_interfaces = 2,
                                  .interfaces = sets,
                                  .n_modes = n_modes};
        run(&a, fe, &how);
        const rt_flexible_node *one = &a.f->nodes[rt_flexible_find_node(a.f, 1001)],
                               *two = &a.f->nodes[rt_flexible_find_node(a.f, 1002)];
        for (int k = 0; k < a.f->n; k++) {
            const double x = two->S[k] - one->S[k] + 0.02 * (two->R[k] - one->R[k]);
            sum += x * x / a.f->K[k * (a.f->n + 1)];
        }
        assert_true(fabs(sum / right - 1) < 1e-8);
        rt_arena_free(&a.arena);
    }
    free(load);
    rt_arena_free(&arena);
}

/* ---- moments -------------------------------------------------------------------------------- */

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* T of flexible.h from the moments, by expanding the square. */
static double energy_of_moments(const rt_flexible *f, const double v[3], const double w[3],
                                const double *q, const double *u)
{
    double s[3], p[3] = {0}, T = 0, J[9], c[9] = {0}; /* int s dm, int s' dm, int s s', int s s'' */
    memcpy(s, f->first, sizeof s);
    memcpy(J, f->second, sizeof J);
    for (int k = 0; k < f->n; k++)
        for (int i = 0; i < 3; i++) {
            s[i] += f->a[3 * k + i] * q[k];
            p[i] += f->a[3 * k + i] * u[k];
            for (int j = 0; j < 3; j++) {
                J[3 * i + j] += (f->B[9 * k + 3 * i + j] + f->B[9 * k + 3 * j + i]) * q[k];
                c[3 * i + j] += f->B[9 * k + 3 * i + j] * u[k];
            }
        }
    for (int l = 0; l < f->n; l++)
        for (int e = f->pattern.start[l]; e < f->pattern.start[l + 1]; e++) {
            const int k = f->pattern.row[e];
            const double *N = f->N + 9 * e;
            for (int i = 0; i < 9; i++) J[i] += N[i] * q[k] * q[l], c[i] += N[i] * q[k] * u[l];
            T += 0.5 * (N[0] + N[4] + N[8] + f->M[e]) * u[k] * u[l];
        }
    double x[3], turn[3];
    cross(w, s, x);
    T += 0.5 * f->mass * dot(v, v) + dot(v, x) + dot(v, p);
    for (int i = 0; i < 3; i++)
        turn[i] = c[3 * ((i + 1) % 3) + (i + 2) % 3] - c[3 * ((i + 2) % 3) + (i + 1) % 3];
    T += dot(w, turn); /* w . int s x s' */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            T += 0.5 * w[i] * w[j] *
                 (f->rotary[3 * i + j] + (i == j ? J[0] + J[4] + J[8] : 0) - J[3 * i + j]);
    for (int k = 0; k < f->n; k++) T += dot(w, f->h + 3 * k) * u[k];
    return T;
}

/* The same from the mass matrix: velocities of the nodes v + w x (X + S q) + S q', turned by w +
 * R q'. All nodes must be kept. */
static double energy_of_nodes(const rt_fe_model *fe, const rt_flexible *f, const double v[3],
                              const double w[3], const double *q, const double *u)
{
    double *velocity = calloc((size_t)fe->n, sizeof *velocity);
    double *momentum = calloc((size_t)fe->n, sizeof *momentum), T = 0;
    assert_true(velocity && momentum);
    for (int i = 0; i < fe->n; i++) {
        const rt_flexible_node *node = &f->nodes[rt_flexible_find_node(f, fe->number[fe->node[i]])];
        const int c = fe->direction[i];
        double s[3], turned[3], rate = 0;
        for (int d = 0; d < 3; d++) {
            s[d] = node->X[d];
            for (int k = 0; k < f->n; k++) s[d] += node->S[f->n * d + k] * q[k];
        }
        cross(w, s, turned);
        for (int k = 0; k < f->n; k++)
            rate += (c < 3 ? node->S : node->R)[f->n * (c % 3) + k] * u[k];
        velocity[i] = c < 3 ? v[c] + turned[c] + rate : w[c - 3] + rate;
    }
    fe_times(fe, fe->M, velocity, momentum);
    for (int i = 0; i < fe->n; i++) T += 0.5 * velocity[i] * momentum[i];
    free(velocity), free(momentum);
    return T;
}

/* Every node is an interface of its own where nothing else keeps it. */
static const rt_interface *all_nodes(const rt_fe_model *fe, rt_arena *arena)
{
    rt_interface *faces = RT_TAKE(arena, rt_interface, fe->n_nodes);
    assert_non_null(faces);
    for (int k = 0; k < fe->n_nodes; k++)
        faces[k] = (rt_interface){fe->number[k], 1, fe->number + k};
    return faces;
}

static void check_energy(const rt_fe_model *fe, double amplitude, rt_arena *arena)
{
    answer a;
    double v[3], w[3], q[16], u[16];
    const rt_reduction how = {.kind = RT_REDUCE_FREE,
                              .n_modes = 16,
                              .n_draw = -1,
                              .n_interfaces = fe->n_nodes,
                              .interfaces = all_nodes(fe, arena)};
    run(&a, fe, &how);
    for (int tries = 0; tries < 5; tries++) {
        for (int i = 0; i < 3; i++) v[i] = random_number(), w[i] = 20 * random_number();
        for (int k = 0; k < 16; k++)
            q[k] = amplitude / a.f->coordinate[k].size * random_number(), u[k] = random_number();
        const double T = energy_of_nodes(fe, a.f, v, w, q, u);
        assert_true(fabs(energy_of_moments(a.f, v, w, q, u) / T - 1) < 1e-10);
    }
    rt_arena_free(&a.arena);
}

static void moments_give_the_energy_of_the_mass_matrix(void **state)
{
    (void)state;
    rt_arena arena = {0};
    check_energy(make_box(&block, &arena), 0.01, &arena); /* deformed: the density is scalar */
    check_energy(make_rod(&rod, &arena), 0, &arena); /* undeformed whatever the mass matrix is */
    rt_arena_free(&arena);
}

static void mass_properties_are_those_of_a_box(void **state)
{
    (void)state;
    rt_arena arena = {0};
    answer a;
    const rt_fe_model *fe = make_box(&block, &arena);
    const rt_reduction how = {.kind = RT_REDUCE_FREE, .n_modes = 1};
    run(&a, fe, &how);
    const double m = 7800 * 0.12 * 0.02 * 0.014;
    assert_true(fabs(a.found.mass / m - 1) < 1e-12);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(a.found.centre[i] - block.at[i] - block.size[i] / 2) < 1e-12);
        const double y = block.size[(i + 1) % 3], z = block.size[(i + 2) % 3];
        assert_true(fabs(a.found.inertia[4 * i] / (m / 12 * (y * y + z * z)) - 1) < 1e-9);
        assert_true(fabs(a.found.extent[i] / block.size[i] - 1) < 1e-12);
    }
    rt_arena_free(&a.arena);
    rt_arena_free(&arena);
}

/* The same body in millimetres and tonnes. */
static void units_are_taken_away(void **state)
{
    (void)state;
    rt_arena arena = {0};
    answer a, b;
    const fe_rod small = {.elements = 10,
                          .length = 1300,
                          .young = 210e3,
                          .shear = 80e3,
                          .density = 7.8e-9,
                          .area = 6e2,
                          .inertia_y = 2e4,
                          .inertia_z = 4.5e4,
                          .torsion = 4e4};
    const rt_interface ends[] = {{10, 1, (const int[]){10}}, {110, 1, (const int[]){110}}};
    rt_reduction how = {
        .kind = RT_REDUCE_CRAIG_BAMPTON, .n_modes = 5, .n_interfaces = 2, .interfaces = ends};
    run(&a, make_rod(&rod, &arena), &how);
    how.unit = 1e-3, how.unit_mass = 1e3;
    run(&b, make_rod(&small, &arena), &how);
    assert_true(fabs(b.f->mass / a.f->mass - 1) < 1e-12);
    for (int k = 0; k < 8; k++) {
        assert_true(fabs(b.found.frequency[k] / a.found.frequency[k] - 1) < 1e-8);
        assert_true(fabs(b.f->coordinate[k].size / a.f->coordinate[k].size - 1) < 1e-6);
    }
    for (int i = 0; i < 9; i++)
        assert_true(fabs(b.found.inertia[i] - a.found.inertia[i]) < 1e-9 * a.found.inertia[8]);
    rt_arena_free(&a.arena);
    rt_arena_free(&b.arena);
    rt_arena_free(&arena);
}

/* ---- shapes of the user, drawing, damping ---------------------------------------------------- */

static void shapes_of_the_user_are_enough(void **state)
{
    (void)state;
    rt_arena arena = {0};
    answer a;
    const rt_fe_model *fe = make_box(&block, &arena);
    const size_t n = (size_t)fe->n;
    double *lambda = calloc(n, sizeof *lambda), *v = calloc(n * n, sizeof *v);
    assert_true(lambda && v);
    dense_modes(fe, 1e6, lambda, v);
    for (size_t i = 0; i < n; i++) v[i + 8 * n] += 3 * v[i] - 2 * v[i + n]; /* and some rigid */
    for (size_t i = 0; i < n; i++) v[i + 9 * n] += 0.5 * v[i + 8 * n];      /* mixed */
    const rt_reduction how = {
        .kind = RT_REDUCE_USER, .n_shapes = 3, .shapes = v + 7 * n, .damping_ratio = 0.02};
    run(&a, fe, &how);
    assert_int_equal(a.f->n, 3);
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(a.f->K[4 * k] / lambda[7 + k] - 1) < 1e-7);
        assert_true(fabs(a.f->D[4 * k] / (2 * 0.02 * sqrt(lambda[7 + k])) - 1) < 1e-7);
    }
    free(lambda), free(v);
    rt_arena_free(&a.arena);
    rt_arena_free(&arena);
}

static void drawing_is_thinned_out(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_fe_model *fe = make_box(&plate, &arena);
    answer all, few;
    const rt_interface corner[] = {{1, 1, (const int[]){1}}};
    rt_reduction how = {
        .kind = RT_REDUCE_CRAIG_BAMPTON, .n_modes = 3, .n_interfaces = 1, .interfaces = corner};
    run(&all, fe, &how);
    how.n_draw = 20;
    run(&few, fe, &how);
    assert_int_equal(all.f->n_nodes, 81);
    assert_int_equal(all.f->n_triangles, 128);
    assert_true(few.f->n_nodes > 8 && few.f->n_nodes <= 21);
    assert_true(few.f->n_triangles > 8 && few.f->n_triangles < 128);
    assert_true(rt_flexible_find_node(few.f, 1) >= 0);
    for (int k = 0; k < 3 * few.f->n_triangles; k++)
        assert_true(few.f->triangles[k] >= 0 && few.f->triangles[k] < few.f->n_nodes);
    rt_arena_free(&all.arena);
    rt_arena_free(&few.arena);
    rt_arena_free(&arena);
}

/* ---- what is refused ------------------------------------------------------------------------ */

static void refused(const rt_fe_model *fe, const rt_reduction *how, const char *message)
{
    rt_arena arena = {0};
    routh_error error = {0};
    const rt_flexible *f;
    assert_int_not_equal(rt_flexible_reduce(&f, NULL, fe, how, &arena, &error), ROUTH_OK);
    assert_null(f);
    if (!strstr(error.message, message)) fail_msg("\"%s\" for \"%s\"", error.message, message);
    rt_arena_free(&arena);
}

static int entry(const rt_fe_model *fe, int row, int column)
{
    for (int k = fe->pattern.start[column]; k < fe->pattern.start[column + 1]; k++)
        if (fe->pattern.row[k] == row) return k;
    return -1;
}

static void bodies_that_are_not_in_order_are_refused(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_reduction how = {.kind = RT_REDUCE_FREE, .n_modes = 3};
    rt_fe_model *fe = make_rod(&rod, &arena);
    fe->K[entry(fe, 1, 1)] += 1e6;
    refused(fe, &how, "the stiffness resists a rigid");
    fe = make_rod(&rod, &arena);
    fe->M[entry(fe, 8, 8)] = -0.1;
    refused(fe, &how, "the mass is not positive: at node 20, z, its diagonal entry is -0.1");
    fe = make_rod(&rod, &arena);
    fe->direction[3] = 0; /* a displacement twice, no rotation about x */
    refused(fe, &how, "node 10 has 3 of three displacements and 2 of three rotations");
    fe = make_rod(&rod, &arena);
    for (int k = 0; k < fe->pattern.start[fe->n]; k++) fe->M[k] *= 1e-12;
    refused(fe, &how, "length_unit: mm and mass_unit: t");
    fe = make_rod(&rod, &arena);
    fe->M[entry(fe, 0, 0)] += 5;
    refused(fe, &how, "the body's mass is 11.084 along x");
    fe_rod loose = rod;
    loose.torsion = 0;
    refused(make_rod(&loose, &arena), &how, "");
    rt_arena_free(&arena);
}

static void interfaces_that_cannot_be_are_refused(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_fe_model *fe = make_box(&block, &arena);
    const int line[] = {1, 2, 3}, none[] = {1, 640};
    rt_interface faces[2] = {{1001, 3, line}, {1, 1, line}};
    rt_reduction how = {.kind = RT_REDUCE_CRAIG_BAMPTON, .n_interfaces = 1, .interfaces = faces};
    refused(fe, &how, "the nodes of interface 1001 are on one line");
    faces[0] = (rt_interface){1001, 2, none};
    refused(fe, &how, "the body has no node 640, which interface 1001 names");
    faces[0] = (rt_interface){5, 3, line};
    refused(fe, &how, "interface 5 is a set of nodes, but a node has this number");
    faces[0] = (rt_interface){1, 1, line};
    how.n_interfaces = 2;
    refused(fe, &how, "interface 1 is given twice");
    faces[0] = (rt_interface){1001, 9, left}, faces[1] = (rt_interface){1002, 9, left};
    refused(fe, &how, "the interfaces depend on each other");
    how.n_interfaces = 0;
    refused(fe, &how, "needs at least one interface");
    rt_arena_free(&arena);
}

/* ---- files ---------------------------------------------------------------------------------- */

static void a_file_is_read_back_to_the_last_bit(void **state)
{
    (void)state;
    rt_arena arena = {0};
    answer a;
    const rt_interface sets[] = {{1001, 9, left}, {7, 1, right_end}};
    const rt_reduction how = {.kind = RT_REDUCE_CRAIG_BAMPTON,
                              .n_modes = 4,
                              .n_interfaces = 2,
                              .interfaces = sets,
                              .damping_ratio = 0.01};
    run(&a, make_box(&block, &arena), &how);
    const rt_flexible *back;
    char *text, *again;
    size_t length, same;
    routh_error error = {0};
    assert_int_equal(rt_flexible_json(a.f, "block", &text, &length, &error), ROUTH_OK);
    assert_int_equal(rt_flexible_parse(&back, text, length, "block", &arena, &error), ROUTH_OK);
    assert_int_equal(rt_flexible_json(back, "block", &again, &same, &error), ROUTH_OK);
    assert_int_equal(length, same);
    assert_memory_equal(text, again, length);
    assert_memory_equal(a.f->N, back->N, 9 * sizeof(double) * (size_t)(a.f->n * a.f->n));
    for (size_t cut = 10; cut < length - 2; cut += 1 + length / 50) {
        assert_int_equal(rt_flexible_parse(&back, text, cut, "block", &arena, &error),
                         ROUTH_SYNTAX_ERROR);
        assert_true(error.line > 0);
    }
    char *mass = strstr(text, "\"B\"");
    mass[1] = 'b';
    assert_int_equal(rt_flexible_parse(&back, text, length, "block", &arena, &error),
                     ROUTH_SYNTAX_ERROR);
    assert_string_equal(error.element, "B");
    free(text), free(again);
    rt_arena_free(&a.arena);
    rt_arena_free(&arena);
}

/* ---- strain energy -------------------------------------------------------------------------- */

static double energy(const rt_flexible_part *part, const double *q)
{
    double sum = 0;
    for (int k = 0; k < part->n; k++)
        for (int l = 0; l < part->n; l++) sum += q[k] * part->k[part->n * k + l] * q[l];
    return sum / 2;
}

/* Every node has half of what the beam elements beside it hold, which each mode of bending, torsion
 * and stretch tells from the forces at the element's ends: 1/2 z.k z of the element alone. */
static void a_beam_has_its_energy_where_its_elements_have_it(void **state)
{
    (void)state;
    enum { MODES = 9 };
    rt_arena arena = {0};
    rt_fe_model *fe = make_rod(&rod, &arena);
    fe_rod one = rod;
    fe->n_lines = rod.elements; /* to keep all nodes */
    fe->lines = RT_TAKE(&arena, int, 2 * rod.elements);
    for (int k = 0; k < 2 * rod.elements; k++) fe->lines[k] = (k + 1) / 2;
    one.elements = 1, one.length = rod.length / rod.elements;
    const rt_fe_model *element = make_rod(&one, &arena);
    answer a;
    const rt_reduction how = {.kind = RT_REDUCE_FREE, .n_modes = MODES};
    run(&a, fe, &how);
    assert_int_equal(a.f->n_nodes, rod.elements + 1);
    assert_int_equal(a.f->n_parts, rod.elements + 1);
    double *beside = calloc((size_t)rod.elements + 1, sizeof *beside);
    for (int trial = 0; trial < 20; trial++) {
        double q[MODES], whole = 0, largest = 0;
        for (int k = 0; k < MODES; k++) {
            const double lambda = pow(TWO_PI * a.found.frequency[k], 2);
            q[k] = random_number() / sqrt(lambda);
            whole += lambda * q[k] * q[k] / 2;
        }
        memset(beside, 0, ((size_t)rod.elements + 1) * sizeof *beside);
        for (int e = 0; e < rod.elements; e++) {
            double z[12] = {0}, f[12], half = 0;
            for (int end = 0; end < 2; end++)
                for (int c = 0; c < 6; c++)
                    for (int k = 0; k < MODES; k++) {
                        const rt_flexible_node *node = &a.f->nodes[e + end];
                        z[6 * end + c] += (c < 3 ? node->S : node->R)[MODES * (c % 3) + k] * q[k];
                    }
            fe_times(element, element->K, z, f);
            for (int c = 0; c < 12; c++) half += z[c] * f[c] / 4;
            beside[e] += half, beside[e + 1] += half;
        }
        double sum = 0;
        for (int k = 0; k <= rod.elements; k++) {
            largest = fmax(largest, beside[k]);
            sum += energy(&a.f->parts[k], q);
        }
        assert_true(fabs(sum / whole - 1) < 1e-2);
        for (int k = 0; k <= rod.elements; k++)
            assert_true(fabs(energy(&a.f->parts[k], q) - beside[k]) < 1e-2 * largest);
    }
    free(beside);
    rt_arena_free(&a.arena);
    rt_arena_free(&arena);
}

/* A block that is pulled evenly holds the same energy per mass everywhere; bent, it holds none at
 * its ends though these move most. */
static void a_block_has_its_energy_where_it_is_strained(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_fe_model *fe = make_box(&block, &arena);
    double *stretch = calloc((size_t)fe->n, sizeof *stretch);
    for (int i = 0; i < fe->n; i++)
        if (fe->direction[i] == 0) stretch[i] = fe->X[3 * (size_t)fe->node[i]];
    const rt_reduction pulled = {.kind = RT_REDUCE_USER, .n_shapes = 1, .shapes = stretch},
                       bent = {.kind = RT_REDUCE_FREE, .n_modes = 1};
    answer a;
    run(&a, fe, &pulled);
    assert_int_equal(a.f->n_parts, a.f->n_nodes);
    const double one = a.f->parts[0].k[0] / a.f->parts[0].size;
    for (int k = 0; k < a.f->n_parts; k++)
        assert_true(fabs(a.f->parts[k].k[0] / a.f->parts[k].size / one - 1) < 1e-9);
    rt_arena_free(&a.arena);
    run(&a, fe, &bent);
    double least = INFINITY, most = 0, ends = 0, moves = 0, moves_most = 0;
    for (int k = 0; k < a.f->n_parts; k++) {
        const rt_flexible_node *node = &a.f->nodes[a.f->parts[k].nodes[0]];
        const double x = (node->X[0] - block.at[0]) / block.size[0],
                     density = a.f->parts[k].k[0] / a.f->parts[k].size,
                     motion = fabs(node->S[1]) + fabs(node->S[2]);
        const bool end = x < 0.01 || x > 0.99;
        moves_most = fmax(moves_most, motion);
        if (end) ends = fmax(ends, density), moves = fmax(moves, motion);
        if (fabs(x - 0.5) < 0.01) least = fmin(least, density);
        most = fmax(most, density);
    }
    assert_true(moves == moves_most);
    assert_true(least == most || least > 0.5 * most);
    assert_true(ends < 0.1 * most);
    free(stretch);
    rt_arena_free(&a.arena);
    rt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_modes_are_those_of_the_whole_model),
        cmocka_unit_test(coarse_and_stiff_bodies_have_modes),
        cmocka_unit_test(pairs_of_equal_frequency_are_whole),
        cmocka_unit_test(a_cut_keeps_all_below),
        cmocka_unit_test(interfaces_converge_from_above),
        cmocka_unit_test(interfaces_of_nodes_agree_with_dense_matrices),
        cmocka_unit_test(rigid_motions_of_faces_leave_no_rounding),
        cmocka_unit_test(statics_of_interfaces_are_exact),
        cmocka_unit_test(moments_give_the_energy_of_the_mass_matrix),
        cmocka_unit_test(mass_properties_are_those_of_a_box),
        cmocka_unit_test(units_are_taken_away),
        cmocka_unit_test(shapes_of_the_user_are_enough),
        cmocka_unit_test(drawing_is_thinned_out),
        cmocka_unit_test(a_beam_has_its_energy_where_its_elements_have_it),
        cmocka_unit_test(a_block_has_its_energy_where_it_is_strained),
        cmocka_unit_test(bodies_that_are_not_in_order_are_refused),
        cmocka_unit_test(interfaces_that_cannot_be_are_refused),
        cmocka_unit_test(a_file_is_read_back_to_the_last_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
