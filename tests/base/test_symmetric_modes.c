/* Tests of base/symmetric_modes: none is lost, wherever the shift, against dense eigenvalues. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/lapack.h"
#include "base/symmetric_modes.h"
#include "base/symmetric_pencil.h"
#include "support/plate.h"

/* ---- a free square plate, with double eigenvalues and three zeros ---------------------------- */

typedef struct reference {
    rt_arena arena;
    plate_matrices m;
    rt_symmetric_pencil pencil;
    double *values; /* dense, ascending */
} reference;

static void expand(const rt_pattern *p, const double *values, double *a)
{
    const size_t n = (size_t)p->n_columns;
    memset(a, 0, n * n * sizeof *a);
    for (int c = 0; c < p->n_columns; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++)
            a[(size_t)p->row[e] + n * (size_t)c] = a[(size_t)c + n * (size_t)p->row[e]] = values[e];
}

static int make_plate(void **state)
{
    const plate p = {
        .nx = 7, .ny = 7, .width = 1, .height = 1, .stiffness = 2, .poisson = 0.3, .mass = 3};
    routh_error error;
    reference *r = calloc(1, sizeof *r);
    assert_int_equal(plate_build(&r->m, &p, NULL, &r->arena, &error), ROUTH_OK);
    const size_t n = (size_t)r->m.n;
    double *K = RT_TAKE(&r->arena, double, n *n), *M = RT_TAKE(&r->arena, double, n *n);
    r->values = RT_TAKE(&r->arena, double, n);
    expand(&r->m.pattern, r->m.K, K);
    expand(&r->m.pattern, r->m.M, M);
    assert_int_equal(rt_symmetric_generalized_eigen(r->m.n, K, M, r->values, &error), ROUTH_OK);
    r->pencil = (rt_symmetric_pencil){&r->m.pattern, &r->m.pattern, r->m.K, r->m.M, 0, NULL, NULL};
    *state = r;
    return 0;
}

static int drop_plate(void **state)
{
    reference *r = *state;
    rt_arena_free(&r->arena);
    free(r);
    return 0;
}

/* what rounding of the dense matrices leaves open */
static double open(const reference *r) { return 20 * DBL_EPSILON * r->values[r->m.n - 1]; }

static double residual(const rt_symmetric_pencil *p, const rt_symmetric_modes *m, int k)
{
    const int n = m->n;
    const double *x = m->vector + (size_t)n * (size_t)k;
    double *y = calloc(4 * (size_t)n, sizeof *y), worst = 0, size = 0;
    rt_symmetric_multiply(p->K_pattern, p->K, x, 1, y);
    rt_symmetric_multiply(p->M_pattern, p->M, x, 1, y + n);
    double square = 0;
    for (int i = 0; i < n; i++) square += x[i] * y[n + i], y[2 * n + i] = fabs(x[i]);
    assert_true(fabs(square - 1) < 1e-10);
    rt_symmetric_multiply_moduli(p->K_pattern, p->K, y + 2 * n, y + 3 * n);
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, fabs(y[i] - m->value[k] * y[n + i]));
        size = fmax(size, y[3 * n + i]);
    }
    free(y);
    return worst / size;
}

static double near_of_sort;

static int by_distance(const void *a, const void *b)
{
    const double x = fabs(*(const double *)a - near_of_sort),
                 y = fabs(*(const double *)b - near_of_sort);
    return (x > y) - (x < y);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The nearest of the dense ones, as many as were found, which may be a copy more than wanted. */
static void check_nearest(const reference *r, double near, int count)
{
    routh_error error;
    rt_arena arena = {0};
    rt_symmetric_modes m;
    const rt_symmetric_request request = {.count = count, .near = near};
    assert_int_equal(rt_symmetric_modes_find(&m, &r->pencil, &request, &arena, &error), ROUTH_OK);
    assert_true(m.found >= count && m.found <= count + 3);
    assert_true(m.counted);
    double *sorted = malloc((size_t)r->m.n * sizeof *sorted);
    memcpy(sorted, r->values, (size_t)r->m.n * sizeof *sorted);
    near_of_sort = near;
    qsort(sorted, (size_t)r->m.n, sizeof *sorted, by_distance);
    qsort(sorted, (size_t)m.found, sizeof *sorted, ascending);
    for (int k = 0; k < m.found; k++) {
        assert_true(fabs(m.value[k] - sorted[k]) <= open(r) + m.error[k]);
        assert_true(m.error[k] < 1e-9 * r->values[r->m.n - 1]);
        assert_true(residual(&r->pencil, &m, k) < 1e-10);
    }
    free(sorted);
    rt_arena_free(&arena);
}

static void none_is_lost_wherever_the_shift(void **state)
{
    const reference *r = *state;
    unsigned seed = 5;
    for (int k = 0; k < 20; k++) {
        seed = seed * 1664525u + 1013904223u;
        const double part = seed / 4294967296.0;
        check_nearest(r, r->values[r->m.n / 3] * part * part - 50, 3 + k % 9);
    }
}

static void none_is_lost_with_the_shift_at_an_eigenvalue(void **state)
{
    const reference *r = *state;
    check_nearest(r, 0, 10);
    for (int k = 0; k < 14; k++) check_nearest(r, r->values[k], 6);
}

static void check_between(const reference *r, double low, double high)
{
    routh_error error;
    rt_arena arena = {0};
    rt_symmetric_modes m;
    const rt_symmetric_request request = {.between = true, .low = low, .high = high};
    assert_int_equal(rt_symmetric_modes_find(&m, &r->pencil, &request, &arena, &error), ROUTH_OK);
    const double out = fmax(open(r), 1e-9 * fabs(high));
    int first = 0, there = 0;
    while (r->values[first] < low - out) first++;
    while (first + there < r->m.n && r->values[first + there] <= high + out) there++;
    assert_int_equal(m.found, there);
    for (int k = 0; k < there; k++)
        assert_true(fabs(m.value[k] - r->values[first + k]) <= open(r) + m.error[k]);
    rt_arena_free(&arena);
}

static void all_between_two_numbers_are_found(void **state)
{
    const reference *r = *state;
    check_between(r, -1, r->values[20] + 1);
    check_between(r, r->values[3], r->values[9]);             /* both at eigenvalues */
    check_between(r, 0.5 * r->values[3], 0.6 * r->values[3]); /* none */
    check_between(r, 0.5 * (r->values[6] + r->values[5]), r->values[60]);
    check_between(r, 0.9 * r->values[40], 1.05 * r->values[125]); /* in several parts */
}

static void a_limit_of_the_number_is_kept(void **state)
{
    const reference *r = *state;
    routh_error error;
    rt_arena arena = {0};
    rt_symmetric_modes m;
    const rt_symmetric_request request = {
        .between = true, .low = -1, .high = 1.01 * r->values[9], .most = 9};
    assert_int_equal(rt_symmetric_modes_find(&m, &r->pencil, &request, &arena, &error),
                     ROUTH_LIMIT_EXCEEDED);
    assert_non_null(strstr(error.message, "there are 10 eigenvalues"));
    rt_arena_free(&arena);
}

/* ---- small pencils -------------------------------------------------------------------------- */

enum { LINKS = 40 };

/* `copies` chains of masses on springs between walls, none tied to another. */
static void make_chains(int copies, rt_pattern *p, double **K, double **M, rt_arena *arena)
{
    const int n = copies * LINKS;
    int *row = RT_TAKE(arena, int, 2 * n), *column = RT_TAKE(arena, int, 2 * n), entries = 0;
    routh_error error;
    for (int i = 0; i < n; i++) {
        row[entries] = column[entries] = i, entries++;
        if (i % LINKS) row[entries] = i, column[entries++] = i - 1;
    }
    assert_int_equal(rt_pattern_build(p, n, n, (size_t)entries, row, column, NULL, arena, &error),
                     ROUTH_OK);
    *K = RT_TAKE(arena, double, entries);
    *M = RT_TAKE(arena, double, entries);
    for (int c = 0; c < n; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++)
            (*K)[e] = p->row[e] == c ? 2 : -1, (*M)[e] = p->row[e] == c;
}

/* More copies of each eigenvalue than the iteration has vectors in a block. */
static void all_copies_of_an_eigenvalue_are_found(void **state)
{
    (void)state;
    enum { COPIES = 7 };
    rt_arena arena = {0};
    rt_pattern p;
    double *K, *M;
    routh_error error;
    rt_symmetric_modes m;
    make_chains(COPIES, &p, &K, &M, &arena);
    const rt_symmetric_pencil pencil = {&p, &p, K, M, 0, NULL, NULL};
    const rt_symmetric_request request = {.count = 3 * COPIES, .near = 0.001};
    assert_int_equal(rt_symmetric_modes_find(&m, &pencil, &request, &arena, &error), ROUTH_OK);
    assert_int_equal(m.found, 3 * COPIES);
    for (int k = 0; k < m.found; k++) {
        const double s = 2 * sin(0.5 * (k / COPIES + 1) * 3.14159265358979323846 / (LINKS + 1));
        assert_true(fabs(m.value[k] - s * s) < 1e-13);
    }
    rt_arena_free(&arena);
}

/* Six free chains of unlike masses m_j: lambda = 4 / m_j sin^2(k pi / (2 links)), so six zeros,
 * more than the iteration has vectors in a block. One factor serves the search, one the count. */
static void check_free_chains(int links)
{
    enum { CHAINS = 6, WANTED = 12 };
    static const double pi = 3.14159265358979323846;
    const int n = CHAINS * links;
    rt_arena arena = {0};
    routh_error error;
    rt_symmetric_modes m;
    int entries = 0, *start = RT_TAKE(&arena, int, n + 1), *row = RT_TAKE(&arena, int, 2 * n);
    double *K = RT_TAKE(&arena, double, 2 * n), *M = RT_TAKE(&arena, double, 2 * n), exact[6];
    assert_true(start && row && K && M);
    for (int c = 0; c < n; c++) {
        const bool first = c % links == 0, last = c % links == links - 1;
        row[entries] = c, M[entries] = 1 + 0.1 * (c / links), K[entries++] = first || last ? 1 : 2;
        if (!last) row[entries] = c + 1, K[entries++] = -1;
        start[c + 1] = entries;
    }
    for (int j = 0; j < CHAINS; j++)
        exact[j] = 4 / (1 + 0.1 * (5 - j)) * pow(sin(pi / (2 * links)), 2);
    const rt_pattern p = {n, n, start, row};
    const rt_symmetric_pencil pencil = {&p, &p, K, M, 0, NULL, NULL};
    const rt_symmetric_request request = {.count = WANTED};
    assert_int_equal(rt_symmetric_modes_find(&m, &pencil, &request, &arena, &error), ROUTH_OK);
    assert_int_equal(m.found, WANTED);
    assert_true(m.n_factors <= 2);
    for (int k = 0; k < CHAINS; k++) {
        assert_true(fabs(m.value[k]) <= 1e-12 * exact[0]); /* a millionth of the frequency */
        assert_true(m.value[k] <= m.error[k]);
        assert_true(fabs(m.value[CHAINS + k] - exact[k]) <= m.error[CHAINS + k]);
        assert_true(m.error[CHAINS + k] <= 1e-7 * exact[k]);
        assert_true(m.value[CHAINS + k] > m.error[CHAINS + k]);
    }
    rt_arena_free(&arena);
}

static void zeros_of_free_bodies_take_no_other_factor(void **state)
{
    (void)state;
    check_free_chains(2); /* all there are */
    check_free_chains(40);
    check_free_chains(900);
}

/* Fewer are asked for than there are copies of the one: all of them come. */
static void copies_are_not_torn_apart(void **state)
{
    (void)state;
    rt_arena arena = {0};
    rt_pattern p;
    double *K, *M;
    routh_error error;
    rt_symmetric_modes m;
    make_chains(3, &p, &K, &M, &arena);
    const rt_symmetric_pencil pencil = {&p, &p, K, M, 0, NULL, NULL};
    const rt_symmetric_request request = {.count = 4, .near = 0};
    assert_int_equal(rt_symmetric_modes_find(&m, &pencil, &request, &arena, &error), ROUTH_OK);
    assert_int_equal(m.found, 6);
    rt_arena_free(&arena);
}

static void all_there_are_can_be_asked_for(void **state)
{
    (void)state;
    rt_arena arena = {0};
    rt_pattern p;
    double *K, *M;
    routh_error error;
    rt_symmetric_modes m;
    make_chains(1, &p, &K, &M, &arena);
    for (int c = 1; c < LINKS; c += 2) M[p.start[c]] = 0; /* every other one without mass */
    const rt_symmetric_pencil pencil = {&p, &p, K, M, 0, NULL, NULL};
    const rt_symmetric_request request = {.count = LINKS, .near = 0};
    assert_int_equal(rt_symmetric_modes_find(&m, &pencil, &request, &arena, &error), ROUTH_OK);
    assert_int_equal(m.found, LINKS / 2);
    rt_arena_free(&arena);
}

/* A free beam in the plane with masses in its nodes, whose rotations have none: of 201 unknowns
 * 134 have mass. */
enum { NODES = 67, UNKNOWNS = 3 * NODES, MASSIVE = 2 * NODES };

static void make_lumped_beam(double stretch, rt_pattern *p, double **K, double **M, rt_arena *arena)
{
    static double full[UNKNOWNS][UNKNOWNS];
    const double h = 1.0 / (NODES - 1), b = 1 / (h * h * h);
    const double bending[4][4] = {{12 * b, 6 * h * b, -12 * b, 6 * h * b},
                                  {6 * h * b, 4 * h * h * b, -6 * h * b, 2 * h * h * b},
                                  {-12 * b, -6 * h * b, 12 * b, -6 * h * b},
                                  {6 * h * b, 2 * h * h * b, -6 * h * b, 4 * h * h * b}};
    int *start = RT_TAKE(arena, int, UNKNOWNS + 1), *row = RT_TAKE(arena, int, 6 * UNKNOWNS);
    int entries = 0;
    *K = RT_TAKE(arena, double, 6 * UNKNOWNS);
    *M = RT_TAKE(arena, double, 6 * UNKNOWNS);
    assert_true(start && row && *K && *M);
    memset(full, 0, sizeof full);
    for (int e = 0; e + 1 < NODES; e++) {
        const int at[] = {3 * e + 1, 3 * e + 2, 3 * e + 4, 3 * e + 5};
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) full[at[i]][at[j]] += bending[i][j];
        full[3 * e][3 * e] += stretch / h, full[3 * e + 3][3 * e + 3] += stretch / h;
        full[3 * e + 3][3 * e] -= stretch / h;
    }
    for (int c = 0; c < UNKNOWNS; c++) {
        for (int r = c; r < c + 6 && r < UNKNOWNS; r++) {
            if (r != c && full[r][c] == 0) continue;
            const bool end = c < 3 || c >= UNKNOWNS - 3, turns = c % 3 == 2;
            (*M)[entries] = r != c || turns ? 0 : end ? h / 2 : h;
            (*K)[entries] = full[r][c], row[entries++] = r;
        }
        start[c + 1] = entries;
    }
    *p = (rt_pattern){UNKNOWNS, UNKNOWNS, start, row};
}

/* Orthogonal in M and as many as M has rank; each an eigenvector. */
static void check_eigenvectors(const rt_symmetric_pencil *p, const rt_symmetric_modes *m)
{
    static double Kx[UNKNOWNS], Mx[UNKNOWNS], sizes[UNKNOWNS];
    for (int k = 0; k < m->found; k++) {
        const double *x = m->vector + (size_t)UNKNOWNS * (size_t)k;
        rt_symmetric_multiply(p->K_pattern, p->K, x, 1, Kx);
        rt_symmetric_multiply(p->M_pattern, p->M, x, 1, Mx);
        rt_symmetric_multiply_moduli(p->K_pattern, p->K, x, sizes);
        double largest = 0;
        for (int i = 0; i < UNKNOWNS; i++) largest = fmax(largest, sizes[i]);
        for (int i = 0; i < UNKNOWNS; i++)
            assert_true(fabs(Kx[i] - m->value[k] * Mx[i]) <= 1e-9 * largest);
        for (int l = 0; l <= k; l++) {
            const double *y = m->vector + (size_t)UNKNOWNS * (size_t)l;
            double product = 0;
            for (int i = 0; i < UNKNOWNS; i++) product += y[i] * Mx[i];
            assert_true(fabs(product - (k == l)) <= 1e-8);
        }
    }
}

/* What has no mass is seen by no product with M: rounding there must not grow. */
static void massless_rotations_bring_no_rounding(void **state)
{
    (void)state;
    static const double stretches[] = {1, 1e4, 1e8}, pi = 3.14159265358979323846;
    static const int counts[] = {10, 100, 130, 137};
    for (size_t s = 0; s < 3; s++) {
        rt_arena arena = {0};
        rt_pattern p;
        double *K, *M;
        make_lumped_beam(stretches[s], &p, &K, &M, &arena);
        const rt_symmetric_pencil pencil = {&p, &p, K, M, 0, NULL, NULL};
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            const rt_symmetric_request request = {.count = counts[c]};
            routh_error error;
            rt_symmetric_modes m;
            if (rt_symmetric_modes_find(&m, &pencil, &request, &arena, &error))
                fail_msg("%s", error.message);
            assert_int_equal(m.found, counts[c] < MASSIVE ? counts[c] : MASSIVE);
            check_eigenvectors(&pencil, &m);
            for (int k = 0; k < 3; k++) assert_true(fabs(m.value[k]) <= m.error[k]);
            assert_true(m.value[3] > m.error[3]);
            /* it stretches as a chain of masses does */
            for (int k = 0; k < NODES && m.found == MASSIVE; k++) {
                const double h = 1.0 / (NODES - 1), half = sin(0.5 * k * pi / (NODES - 1));
                const double exact = 4 * stretches[s] / (h * h) * half * half;
                double nearest = INFINITY;
                for (int l = 0; l < m.found; l++) nearest = fmin(nearest, fabs(m.value[l] - exact));
                assert_true(nearest <= 1e-9 * (exact + 500));
            }
        }
        rt_arena_free(&arena);
    }
}

/* Two chains whose ends are held together by a constraint are one chain with a heavier mass: the
 * pencil [K G'; G 0] against the one chain. */
static void constraints_leave_no_eigenvalues(void **state)
{
    (void)state;
    enum { N = 2 * LINKS };
    rt_arena arena = {0};
    rt_pattern p;
    double *K, *M, dense_K[(N - 1) * (N - 1)] = {0}, dense_M[(N - 1) * (N - 1)] = {0},
                                          values[N - 1];
    routh_error error;
    rt_symmetric_modes m;
    int row[2 * N + 2], column[2 * N + 2], entries = 0;
    for (int i = 0; i < N; i++) {
        row[entries] = column[entries] = i, entries++;
        if (i % LINKS) row[entries] = i, column[entries++] = i - 1;
        /* unknown LINKS is LINKS - 1 */
        const int at = i < LINKS ? i : i - 1;
        dense_K[at * N] += 2, dense_M[at * N] += 1 + 0.1 * at;
        if (i % LINKS) dense_K[at + (N - 1) * (at - 1)] = dense_K[at - 1 + (N - 1) * at] = -1;
    }
    row[entries] = N, column[entries++] = LINKS - 1;
    row[entries] = N, column[entries++] = LINKS;
    assert_int_equal(
        rt_pattern_build(&p, N + 1, N + 1, (size_t)entries, row, column, NULL, &arena, &error),
        ROUTH_OK);
    K = RT_TAKE(&arena, double, entries), M = RT_TAKE(&arena, double, entries);
    for (int c = 0; c < N; c++)
        for (int e = p.start[c]; e < p.start[c + 1]; e++) {
            const int r = p.row[e], at = c < LINKS ? c : c - 1;
            K[e] = r == c ? 2 : r == N ? (c == LINKS ? -1 : 1) : -1;
            M[e] = r == c ? 1 + 0.1 * at : 0;
        }
    assert_int_equal(rt_symmetric_generalized_eigen(N - 1, dense_K, dense_M, values, &error),
                     ROUTH_OK);
    const rt_symmetric_pencil pencil = {&p, &p, K, M, 1, NULL, NULL};
    const rt_symmetric_request request = {.count = 9, .near = 0.02};
    assert_int_equal(rt_symmetric_modes_find(&m, &pencil, &request, &arena, &error), ROUTH_OK);
    assert_int_equal(m.found, 9);
    int first = 0;
    while (fabs(values[first] - 0.02) > fabs(values[first + 9] - 0.02)) first++;
    for (int k = 0; k < 9; k++) assert_true(fabs(m.value[k] - values[first + k]) < 1e-12);
    const rt_symmetric_request part = {.between = true, .low = 0, .high = values[12] + 1e-4};
    assert_int_equal(rt_symmetric_modes_find(&m, &pencil, &part, &arena, &error), ROUTH_OK);
    assert_int_equal(m.found, 13);
    rt_arena_free(&arena);
}

static void what_does_not_fit_is_told(void **state)
{
    (void)state;
    rt_arena arena = {0};
    rt_pattern p;
    double *K, *M;
    routh_error error;
    rt_symmetric_modes m;
    make_chains(1, &p, &K, &M, &arena);
    const rt_symmetric_pencil pencil = {&p, &p, K, M, 0, NULL, NULL};
    rt_symmetric_request request = {.count = 0};
    assert_int_equal(rt_symmetric_modes_find(&m, &pencil, &request, &arena, &error),
                     ROUTH_BAD_ARGUMENT);
    request = (rt_symmetric_request){.between = true, .low = 2, .high = 1};
    assert_int_equal(rt_symmetric_modes_find(&m, &pencil, &request, &arena, &error),
                     ROUTH_BAD_ARGUMENT);
    request = (rt_symmetric_request){.count = 3};
    for (int c = 0; c < LINKS; c++) M[p.start[c]] = -1;
    assert_int_equal(rt_symmetric_modes_find(&m, &pencil, &request, &arena, &error),
                     ROUTH_NUMERIC_ERROR);
    assert_non_null(strstr(error.message, "positive semidefinite"));
    K[3] = INFINITY;
    assert_int_equal(rt_symmetric_modes_find(&m, &pencil, &request, &arena, &error),
                     ROUTH_NUMERIC_ERROR);
    rt_arena_free(&arena);
}

/* A chain of masses between walls, each held to the ground by a stiffer spring: K = 3 + c on the
 * diagonal, -1 beside it, lambda_k = 1 + c + 4 sin^2(k pi / (2 (n + 1))). The lowest are 1e-5 apart
 * and 1 away from the shift. */
static void close_ones_far_from_the_shift_are_told_apart(void **state)
{
    enum { N = 600, WANTED = 10 };
    static const double pi = 3.14159265358979323846, c = 1e-4;
    static int start[N + 1], row[2 * N];
    static double K[2 * N], M[2 * N];
    rt_arena arena = {0};
    rt_symmetric_modes m;
    routh_error error;
    int n = 0;
    (void)state;
    for (int k = 0; k < N; k++) {
        row[n] = k, M[n] = 1, K[n++] = 3 + c;
        if (k + 1 < N) row[n] = k + 1, M[n] = 0, K[n++] = -1;
        start[k + 1] = n;
    }
    const rt_pattern p = {N, N, start, row};
    const rt_symmetric_pencil pencil = {&p, &p, K, M, 0, NULL, NULL};
    const rt_symmetric_request request = {.count = WANTED};
    assert_int_equal(rt_symmetric_modes_find(&m, &pencil, &request, &arena, &error), ROUTH_OK);
    assert_int_equal(m.found, WANTED);
    assert_true(m.counted);
    for (int k = 0; k < WANTED; k++) {
        const double s = sin((k + 1) * pi / (2 * (N + 1))), exact = 1 + c + 4 * s * s;
        assert_true(fabs(m.value[k] - exact) <= 100 * DBL_EPSILON);
    }
    assert_true(m.n_solves < 2000); /* thousands where the shift stays far off */
    rt_arena_free(&arena);
}

/* A beam of so many parts between hinges, K = (second differences)^2: lambda_k = 16 sin^4(k pi /
 * (2 (n + 1))), the tenth 7e-15, where rounding of K, 6 on the diagonal, leaves some 5e-15 open. */
static void what_rounding_hides_is_refused_soon(void **state)
{
    enum { N = 110000 };
    rt_arena arena = {0};
    rt_symmetric_modes m;
    routh_error error;
    int n = 0, *start = RT_TAKE(&arena, int, N + 1), *row = RT_TAKE(&arena, int, 3 * N);
    double *K = RT_TAKE(&arena, double, 3 * N), *M = RT_TAKE(&arena, double, 3 * N);
    (void)state;
    assert_true(start && row && K && M);
    for (int c = 0; c < N; c++) {
        row[n] = c, M[n] = 1, K[n++] = c == 0 || c == N - 1 ? 5 : 6;
        if (c + 1 < N) row[n] = c + 1, K[n++] = -4;
        if (c + 2 < N) row[n] = c + 2, K[n++] = 1;
        start[c + 1] = n;
    }
    const rt_pattern p = {N, N, start, row};
    const rt_symmetric_pencil pencil = {&p, &p, K, M, 0, NULL, NULL};
    const rt_symmetric_request request = {.count = 10};
    assert_int_equal(rt_symmetric_modes_find(&m, &pencil, &request, &arena, &error),
                     ROUTH_NUMERIC_ERROR);
    assert_non_null(strstr(error.message, "cannot be distinguished"));
    assert_true(m.n_solves < 300);
    rt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest of_plate[] = {
        cmocka_unit_test(none_is_lost_wherever_the_shift),
        cmocka_unit_test(none_is_lost_with_the_shift_at_an_eigenvalue),
        cmocka_unit_test(all_between_two_numbers_are_found),
        cmocka_unit_test(a_limit_of_the_number_is_kept),
    };
    const struct CMUnitTest others[] = {
        cmocka_unit_test(all_copies_of_an_eigenvalue_are_found),
        cmocka_unit_test(zeros_of_free_bodies_take_no_other_factor),
        cmocka_unit_test(copies_are_not_torn_apart),
        cmocka_unit_test(all_there_are_can_be_asked_for),
        cmocka_unit_test(massless_rotations_bring_no_rounding),
        cmocka_unit_test(constraints_leave_no_eigenvalues),
        cmocka_unit_test(close_ones_far_from_the_shift_are_told_apart),
        cmocka_unit_test(what_rounding_hides_is_refused_soon),
        cmocka_unit_test(what_does_not_fit_is_told),
    };
    return cmocka_run_group_tests(of_plate, make_plate, drop_plate) +
           cmocka_run_group_tests(others, NULL, NULL);
}
