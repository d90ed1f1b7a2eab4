/* Tests of base/lapack: each call is checked by multiplying back. Matrices are column-major. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/lapack.h"

enum { N = 5, M = 8 };

static void fill(double *a, int count, double phase)
{
    for (int k = 0; k < count; k++) a[k] = sin(1.7 * k * k + phase) + 0.1 * cos(k);
}

/* c = op(a) b, a: m x k, b: k x n */
static void multiply(int m, int k, int n, const double *a, const double *b, double *c)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            c[i + m * j] = 0;
            for (int e = 0; e < k; e++) c[i + m * j] += a[i + m * e] * b[e + k * j];
        }
}

static void assert_close(const double *a, const double *b, int count, double tolerance)
{
    for (int k = 0; k < count; k++) assert_true(fabs(a[k] - b[k]) <= tolerance);
}

static void make_symmetric(double *a, double shift)
{
    fill(a, N * N, 3);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++) a[i + N * j] = a[j + N * i];
    for (int i = 0; i < N; i++) a[i + N * i] += shift;
}

static void lu_solves_plain_and_transposed(void **state)
{
    (void)state;
    double a[N * N], lu[N * N], x[2 * N], b[2 * N], t[N * N], rcond;
    int pivots[N];
    fill(a, N * N, 1), fill(x, 2 * N, 2);
    memcpy(lu, a, sizeof a);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) t[i + N * j] = a[j + N * i];
    assert_int_equal(rt_lu_factor(N, lu, pivots, NULL), ROUTH_OK);
    for (int transposed = 0; transposed < 2; transposed++) {
        multiply(N, N, 2, transposed ? t : a, x, b);
        assert_int_equal(rt_lu_solve(N, lu, pivots, 2, b, transposed, NULL), ROUTH_OK);
        assert_close(b, x, 2 * N, 1e-12);
    }
    assert_int_equal(rt_lu_rcond(N, lu, 5, &rcond, NULL), ROUTH_OK);
    assert_true(rcond > 1e-4 && rcond < 1);
}

static void singular_and_bad_matrices_are_told_apart(void **state)
{
    (void)state;
    double a[] = {1, 2, 2, 4}, bad[] = {1, INFINITY, 0, 1}, indefinite[] = {1, 2, 2, 1},
           other[] = {1, 0, 0, 1};
    double sigma[2], values[2];
    int pivots[2];
    routh_error error;
    assert_int_equal(rt_lu_factor(2, a, pivots, &error), ROUTH_SINGULAR);
    assert_non_null(strstr(error.message, "column 1"));
    assert_int_equal(rt_lu_factor(2, bad, pivots, &error), ROUTH_NUMERIC_ERROR);
    assert_int_equal(rt_svd(2, 2, bad, sigma, NULL, NULL, &error), ROUTH_NUMERIC_ERROR);
    assert_int_equal(rt_symmetric_generalized_eigen(2, other, indefinite, values, &error),
                     ROUTH_SINGULAR);
    double again[] = {1, 2, 2, 1};
    assert_int_equal(rt_cholesky_factor(2, again, &error), ROUTH_SINGULAR);
    assert_non_null(strstr(error.message, "positive definite"));
}

static void cholesky_solves(void **state)
{
    (void)state;
    double a[N * N], l[N * N], x[N], b[N];
    make_symmetric(a, 6), fill(x, N, 5);
    memcpy(l, a, sizeof a);
    multiply(N, N, 1, a, x, b);
    assert_int_equal(rt_cholesky_factor(N, l, NULL), ROUTH_OK);
    assert_int_equal(rt_cholesky_solve(N, l, 1, b, NULL), ROUTH_OK);
    assert_close(b, x, N, 1e-13);
}

static void svd_multiplies_back(void **state)
{
    (void)state;
    double a[M * N], copy[M * N], u[M * M], vt[N * N], sigma[N], us[M * N], usv[M * N];
    fill(a, M * N, 6);
    memcpy(copy, a, sizeof a);
    assert_int_equal(rt_svd(M, N, copy, sigma, u, vt, NULL), ROUTH_OK);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) us[i + M * j] = u[i + M * j] * sigma[j];
    multiply(M, N, N, us, vt, usv);
    assert_close(usv, a, M * N, 1e-14);
    for (int k = 1; k < N; k++) assert_true(sigma[k] <= sigma[k - 1] && sigma[k] >= 0);
}

/* Rows of V^H: A v_k must have length sigma_k. */
static void complex_svd_gives_right_vectors(void **state)
{
    (void)state;
    double a[2 * N * N], vt[2 * N * N], sigma[N];
    double _Complex copy[N * N], v[N * N];
    fill(a, 2 * N * N, 7);
    memcpy(copy, a, sizeof a);
    assert_int_equal(rt_svd_complex(N, N, copy, sigma, v, NULL), ROUTH_OK);
    memcpy(vt, v, sizeof vt);
    for (int k = 0; k < N; k++) {
        double size = 0;
        for (int i = 0; i < N; i++) {
            double re = 0, im = 0;
            for (int j = 0; j < N; j++) {
                const double *x = a + 2 * (i + N * j), *w = vt + 2 * (k + N * j);
                re += x[0] * w[0] + x[1] * w[1], im += x[1] * w[0] - x[0] * w[1];
            }
            size += re * re + im * im;
        }
        assert_true(fabs(sqrt(size) - sigma[k]) < 1e-13);
    }
}

static void symmetric_problems_satisfy_their_equations(void **state)
{
    (void)state;
    double a[N * N], b[N * N], v[N * N], left[N * N], right[N * N], values[N], factor[N * N];
    make_symmetric(a, 0), make_symmetric(b, 7);
    memcpy(v, a, sizeof a);
    assert_int_equal(rt_symmetric_eigen(N, v, values, NULL), ROUTH_OK);
    multiply(N, N, N, a, v, left);
    for (int k = 0; k < N * N; k++) right[k] = v[k] * values[k / N];
    assert_close(left, right, N * N, 1e-13);
    memcpy(v, a, sizeof a), memcpy(factor, b, sizeof b);
    assert_int_equal(rt_symmetric_generalized_eigen(N, v, factor, values, NULL), ROUTH_OK);
    multiply(N, N, N, a, v, left);
    multiply(N, N, N, b, v, right);
    for (int k = 0; k < N * N; k++) right[k] *= values[k / N];
    assert_close(left, right, N * N, 1e-13);
    for (int k = 1; k < N; k++) assert_true(values[k] >= values[k - 1]);
}

/* B of a badly scaled matrix: right and left vectors, and |y' x| where y and x belong together. */
static void general_eigenvalues_satisfy_their_equations(void **state)
{
    (void)state;
    double a[N * N], copy[N * N], re[N], im[N], left[N * N], right[N * N], rcond[N];
    fill(a, N * N, 8);
    memcpy(copy, a, sizeof a);
    rt_eigen e = {re, im, left, right, rcond, 0};
    assert_int_equal(rt_general_eigen(N, copy, &e, NULL), ROUTH_OK);
    assert_true(e.norm > 1 && e.norm < 10);
    for (int k = 0; k < N; k++) {
        const int pair = im[k] != 0;
        const double *x = right + N * k, *y = left + N * k;
        assert_true(rcond[k] > 0.05 && rcond[k] <= 1 + 1e-15);
        for (int i = 0; i < N; i++) {
            double r[4] = {0};
            for (int j = 0; j < N; j++) {
                r[0] += a[i + N * j] * x[j], r[1] += pair ? a[i + N * j] * x[N + j] : 0;
                r[2] += a[j + N * i] * y[j], r[3] += pair ? a[j + N * i] * y[N + j] : 0;
            }
            const double x_im = pair ? x[N + i] : 0, y_im = pair ? y[N + i] : 0;
            assert_true(fabs(r[0] - re[k] * x[i] + im[k] * x_im) < 1e-13);
            assert_true(fabs(r[1] - re[k] * x_im - im[k] * x[i]) < 1e-13);
            /* y^H A = lambda y^H */
            assert_true(fabs(r[2] - re[k] * y[i] - im[k] * y_im) < 1e-13);
            assert_true(fabs(r[3] - re[k] * y_im + im[k] * y[i]) < 1e-13);
        }
        k += pair;
    }
}

/* A V = V T of the selected columns, whatever their order; eigenvectors before. */
static void schur_forms_bring_what_is_selected_to_the_front(void **state)
{
    (void)state;
    /* eigenvalues 1 +- 2i, 3, -4, turned by a similarity */
    const double T[16] = {1, -2, 0, 0, 2, 1, 0, 0, 5, 1, 3, 0, -1, 2, 7, -4};
    double S[16], inverse[16] = {0}, A[16], B[16], Q[16], V[16], re[4], im[4], product[16];
    int pivots[4];
    fill(S, 16, 0.3);
    for (int k = 0; k < 4; k++) S[5 * k] += 3, inverse[5 * k] = 1;
    multiply(4, 4, 4, S, T, B);
    memcpy(Q, S, sizeof Q);
    assert_int_equal(rt_lu_factor(4, Q, pivots, NULL), ROUTH_OK);
    assert_int_equal(rt_lu_solve(4, Q, pivots, 4, inverse, 0, NULL), ROUTH_OK);
    multiply(4, 4, 4, B, inverse, A);
    memcpy(B, A, sizeof B);
    assert_int_equal(rt_schur(4, B, Q, re, im, NULL), ROUTH_OK);
    memcpy(V, Q, sizeof V);
    assert_int_equal(rt_schur_vectors(4, B, V, NULL), ROUTH_OK);
    for (int k = 0; k < 4; k++) {
        if (im[k] != 0) continue;
        multiply(4, 4, 1, A, V + 4 * k, product);
        for (int i = 0; i < 4; i++) product[i] -= re[k] * V[i + 4 * k];
        assert_close(product, (const double[4]){0}, 4, 1e-12);
    }
    int select[4];
    for (int k = 0; k < 4; k++) select[k] = re[k] < 0 || im[k] != 0;
    assert_int_equal(rt_schur_select(4, select, B, Q, re, im, NULL), ROUTH_OK);
    for (int k = 0; k < 3; k++) assert_true(fabs(re[k] - 3) > 1);
    assert_true(fabs(re[3] - 3) < 1e-12);
    multiply(4, 4, 3, A, Q, product); /* A Q = Q T, columns 0 to 2 */
    double expected[16];
    multiply(4, 4, 3, Q, B, expected);
    assert_close(product, expected, 12, 1e-12);
}

static void empty_matrices_are_allowed(void **state)
{
    (void)state;
    rt_eigen e = {0};
    double vt[4];
    assert_int_equal(rt_lu_factor(0, NULL, NULL, NULL), ROUTH_OK);
    assert_int_equal(rt_cholesky_factor(0, NULL, NULL), ROUTH_OK);
    assert_int_equal(rt_general_eigen(0, NULL, &e, NULL), ROUTH_OK);
    assert_int_equal(rt_svd(0, 2, NULL, NULL, NULL, vt, NULL), ROUTH_OK);
    assert_true(vt[0] == 1 && vt[1] == 0 && vt[2] == 0 && vt[3] == 1);
}

/* LAPACK itself would print of these. */
static void sizes_and_norms_out_of_range_are_refused(void **state)
{
    (void)state;
    double a[] = {1, 2, 3, 4}, values[2], rcond;
    int pivots[2];
    routh_error error;
    assert_int_equal(rt_lu_factor(-1, a, pivots, &error), ROUTH_BAD_ARGUMENT);
    assert_int_equal(rt_lu_solve(2, a, pivots, -1, a, 0, &error), ROUTH_BAD_ARGUMENT);
    assert_int_equal(rt_cholesky_factor(-1, a, &error), ROUTH_BAD_ARGUMENT);
    assert_int_equal(rt_cholesky_solve(-2, a, 1, a, &error), ROUTH_BAD_ARGUMENT);
    assert_int_equal(rt_svd(2, -2, a, values, NULL, NULL, &error), ROUTH_BAD_ARGUMENT);
    assert_int_equal(rt_symmetric_eigen(-2, a, values, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "-2"));
    assert_int_equal(rt_symmetric_eigen(32767, a, values, &error), ROUTH_LIMIT_EXCEEDED);
    assert_int_equal(rt_lu_rcond(2, a, -1, &rcond, &error), ROUTH_BAD_ARGUMENT);
    assert_int_equal(rt_lu_rcond(2, a, NAN, &rcond, &error), ROUTH_BAD_ARGUMENT);
    assert_int_equal(rt_lu_rcond(2, a, INFINITY, &rcond, &error), ROUTH_BAD_ARGUMENT);
}

/* The upper triangle is not looked at: anything may stand there. */
static void cholesky_reads_the_lower_triangle_alone(void **state)
{
    (void)state;
    double a[] = {4, 2, NAN, 5}, bad[] = {4, NAN, 0, 5};
    routh_error error;
    assert_int_equal(rt_cholesky_factor(2, a, &error), ROUTH_OK);
    assert_true(a[0] == 2 && a[1] == 1 && a[3] == 2);
    assert_int_equal(rt_cholesky_factor(2, bad, &error), ROUTH_NUMERIC_ERROR);
}

static void transpose(const double *a, double *t)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) t[i + N * j] = a[j + N * i];
}

/* B has a zero column: one eigenvalue is infinite. */
static void qz_multiplies_back_and_gives_the_eigenvalues(void **state)
{
    (void)state;
    double a[N * N], b[N * N], s[N * N], t[N * N], q[N * N], z[N * N], zt[N * N], c[N * N],
        d[N * N], re[N], im[N], beta[N];
    fill(a, N * N, 1), fill(b, N * N, 2);
    memset(b, 0, N * sizeof *b);
    memcpy(s, a, sizeof a), memcpy(t, b, sizeof b);
    assert_int_equal(rt_qz(N, s, t, q, z, re, im, beta, NULL), ROUTH_OK);
    transpose(z, zt);
    multiply(N, N, N, q, s, c), multiply(N, N, N, c, zt, d);
    assert_close(d, a, N * N, 1e-13);
    multiply(N, N, N, q, t, c), multiply(N, N, N, c, zt, d);
    assert_close(d, b, N * N, 1e-13);
    int n_infinite = 0;
    for (int k = 0; k < N; k++) {
        n_infinite += beta[k] <= 1e-14;
        assert_true(t[k + N * k] >= 0);
        for (int i = k + 1; i < N; i++) assert_true(t[i + N * k] == 0);
        /* beta A - re B is singular for each real one */
        if (im[k] != 0 || beta[k] <= 1e-14) continue;
        double sigma[N];
        for (int e = 0; e < N * N; e++) c[e] = beta[k] * a[e] - re[k] * b[e];
        assert_int_equal(rt_svd(N, N, c, sigma, NULL, NULL, NULL), ROUTH_OK);
        assert_true(sigma[N - 1] <= 1e-13 * sigma[0]);
    }
    assert_int_equal(n_infinite, 1);
    b[3] = NAN;
    assert_int_equal(rt_qz(N, a, b, q, z, re, im, beta, NULL), ROUTH_NUMERIC_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lu_solves_plain_and_transposed),
        cmocka_unit_test(singular_and_bad_matrices_are_told_apart),
        cmocka_unit_test(qz_multiplies_back_and_gives_the_eigenvalues),
        cmocka_unit_test(cholesky_solves),
        cmocka_unit_test(svd_multiplies_back),
        cmocka_unit_test(complex_svd_gives_right_vectors),
        cmocka_unit_test(symmetric_problems_satisfy_their_equations),
        cmocka_unit_test(general_eigenvalues_satisfy_their_equations),
        cmocka_unit_test(schur_forms_bring_what_is_selected_to_the_front),
        cmocka_unit_test(empty_matrices_are_allowed),
        cmocka_unit_test(sizes_and_norms_out_of_range_are_refused),
        cmocka_unit_test(cholesky_reads_the_lower_triangle_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
