#include "base/krylov_schur.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "base/krylov.h"
#include "base/lapack_complex.h"

/* What is left of a vector after the basis is taken out of it is rounding below this share. */
static const double NOTHING_NEW = 1e-12;

enum { LOOK_EVERY = 8 };

static const double _Complex ONE = 1, ZERO = 0;

routh_status rt_krylov_create(rt_krylov_schur *k, rt_arena *arena, routh_error *error)
{
    const size_t n = (size_t)k->n, m = (size_t)k->most;
    if (k->most < 3 || k->n < 1)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "an iteration with %d vectors of %d numbers: there must be three vectors",
                       k->most, k->n);
    k->V = RT_TAKE(arena, double _Complex, n *(m + 1));
    k->T = RT_TAKE(arena, double _Complex, m *m);
    k->Q = RT_TAKE(arena, double _Complex, m *m);
    k->b = RT_TAKE(arena, double _Complex, m);
    k->work = RT_TAKE(arena, double _Complex, 2 * m * m + m);
    k->rows = RT_TAKE(arena, double _Complex, RT_ROWS_AT_ONCE *m);
    k->seed = 1;
    return k->V && k->T && k->Q && k->b && k->work && k->rows ? ROUTH_OK : rt_fail_memory(error);
}

static double _Complex *krylov_schur_column(const rt_krylov_schur *k, int c)
{
    return k->V + (size_t)k->n * (size_t)c;
}

/* w loses its parts along so many columns, which are added to h (NULL: not wanted). */
static void krylov_schur_take_out(rt_krylov_schur *k, int columns, double _Complex *w,
                                  double _Complex *h)
{
    rt_take_out_twice(k->n, columns, k->V, w, k->work, h);
}

/* w becomes the vector after the basis, unless it is rounding beside what it was. */
static bool krylov_schur_accept(rt_krylov_schur *k, double before, double *left)
{
    double _Complex *w = krylov_schur_column(k, k->done);
    *left = cblas_dznrm2(k->n, w, 1);
    if (!rt_is_new(*left, before, NOTHING_NEW)) return false;
    cblas_zdscal(k->n, 1 / *left, w, 1);
    return true;
}

/* OP as often as the chain is long, of numbers without a pattern, beside the basis. */
static routh_status begin_anew(rt_krylov_schur *k, routh_error *error)
{
    double _Complex *w = krylov_schur_column(k, k->done),
                    *x = krylov_schur_column(k, k->done + 1 <= k->most ? k->done + 1 : 0);
    double before = 0, left;
    if (k->done >= k->most) return ROUTH_OK;
    for (int i = 0; i < k->n; i++) w[i] = rt_no_pattern(&k->seed);
    for (int c = 0; c < k->chain; c++) {
        memcpy(x, w, (size_t)k->n * sizeof *x);
        const routh_status status = k->apply(k->context, x, w, error);
        if (status) return status;
        k->n_applied++;
        before = cblas_dznrm2(k->n, w, 1);
        if (!(before > 0)) break;
        cblas_zdscal(k->n, 1 / before, w, 1);
    }
    krylov_schur_take_out(k, k->done, w, NULL);
    k->next = krylov_schur_accept(k, 10, &left);
    k->all = !k->next;
    memset(k->b, 0, (size_t)k->most * sizeof *k->b);
    return ROUTH_OK;
}

routh_status rt_krylov_take(rt_krylov_schur *k, const double *columns, int n_columns,
                            routh_error *error)
{
    double left;
    k->done = 0;
    for (int c = 0; c < n_columns && k->done < k->most - 2; c++) {
        double _Complex *w = krylov_schur_column(k, k->done);
        for (int i = 0; i < k->n; i++) w[i] = columns[(size_t)c * (size_t)k->n + (size_t)i];
        const double before = cblas_dznrm2(k->n, w, 1);
        krylov_schur_take_out(k, k->done, w, NULL);
        k->done += krylov_schur_accept(k, before, &left);
    }
    for (int c = 0; c < k->done; c++) {
        double _Complex *w = krylov_schur_column(k, k->done);
        const routh_status status = k->apply(k->context, krylov_schur_column(k, c), w, error);
        if (status) return status;
        k->n_applied++;
        cblas_zgemv(CblasColMajor, CblasConjTrans, k->n, k->done, &ONE, k->V, k->n, w, 1, &ZERO,
                    k->T + (size_t)k->most * (size_t)c, 1);
    }
    memset(k->b, 0, (size_t)k->most * sizeof *k->b);
    k->next = k->all = false;
    k->converged = k->done;
    return ROUTH_OK;
}

/* One vector more in the basis: T grows by V^H OP v, and by the row b. */
static routh_status krylov_schur_expand(rt_krylov_schur *k, routh_error *error)
{
    const size_t m = (size_t)k->most;
    const int at = k->done;
    double _Complex *h = k->T + m * (size_t)at, *w = krylov_schur_column(k, at + 1);
    const routh_status status = k->apply(k->context, krylov_schur_column(k, at), w, error);
    if (status) return status;
    k->n_applied++;
    for (int c = 0; c < at; c++) k->T[(size_t)at + m * (size_t)c] = k->b[c], k->b[c] = 0;
    memset(h, 0, m * sizeof *h);
    const double before = cblas_dznrm2(k->n, w, 1);
    double left;
    krylov_schur_take_out(k, at + 1, w, h);
    k->done++;
    k->next = krylov_schur_accept(k, before, &left);
    k->b[at] = k->next ? left : 0;
    return ROUTH_OK;
}

/* T = Q S Q^H of the present basis, largest modulus first; S and b Q in k->work. How many of the
 * leading ones have converged. */
static routh_status krylov_schur_look(rt_krylov_schur *k, routh_error *error)
{
    const int d = k->done;
    double _Complex *S = k->work, *row = S + (size_t)d * (size_t)d;
    for (int c = 0; c < d; c++)
        memcpy(S + (size_t)d * (size_t)c, k->T + (size_t)k->most * (size_t)c,
               (size_t)d * sizeof *S);
    const routh_status status = rt_complex_schur(d, S, k->Q, error);
    if (status) return status;
    cblas_zgemv(CblasColMajor, CblasTrans, d, d, &ONE, k->Q, d, k->b, 1, &ZERO, row, 1);
    k->converged = 0;
    while (k->converged < d) {
        const double theta = cabs(S[(size_t)k->converged * ((size_t)d + 1)]);
        if (!(cabs(row[k->converged]) <= k->tolerance * theta) || theta == 0) break;
        k->converged++;
    }
    return ROUTH_OK;
}

/* The first `keep` Schur vectors become the basis; the vector after it stays that. */
static void krylov_schur_turn(rt_krylov_schur *k, int keep)
{
    const int n = k->n, d = k->done;
    const size_t m = (size_t)k->most;
    const double _Complex *S = k->work, *row = S + (size_t)d * (size_t)d;
    rt_turn_complex_basis(n, d, k->V, keep, k->Q, d, k->rows);
    memset(k->T, 0, m * m * sizeof *k->T);
    for (int c = 0; c < keep; c++)
        memcpy(k->T + m * (size_t)c, S + (size_t)d * (size_t)c, (size_t)keep * sizeof *S);
    memcpy(k->b, row, (size_t)keep * sizeof *row);
    if (keep < d && k->next)
        memcpy(krylov_schur_column(k, keep), krylov_schur_column(k, d), (size_t)n * sizeof *k->V);
    k->done = keep;
}

routh_status rt_krylov_run(rt_krylov_schur *k, int wanted, int most_restarts, routh_error *error)
{
    k->all = false;
    for (int restart = 0;; restart++) {
        int looked = k->done;
        while (k->done < k->most) {
            routh_status status = k->next ? ROUTH_OK : begin_anew(k, error);
            if (!status && !k->all) status = krylov_schur_expand(k, error);
            const bool full = k->all || k->done == k->most;
            if (!status && (full || (k->done > wanted && k->done - looked >= LOOK_EVERY))) {
                status = krylov_schur_look(k, error);
                looked = k->done;
                if (!status && (full || k->converged >= wanted)) break;
            }
            if (status) return status;
        }
        if (k->done == 0) return ROUTH_OK;
        const routh_status status = krylov_schur_look(k, error);
        if (status) return status;
        const bool enough = k->converged >= wanted || k->all || restart >= most_restarts;
        int keep = k->converged > wanted ? k->converged : wanted;
        keep = (keep + k->most) / 2;
        if (enough || keep > k->done - 2) keep = enough ? k->done : k->done - 2;
        const int converged = k->converged;
        krylov_schur_turn(k, keep);
        k->converged = converged;
        if (enough) return ROUTH_OK;
        k->n_restarts++;
    }
}

void rt_krylov_renew(rt_krylov_schur *k)
{
    const int most = k->most - 3;
    k->done = k->converged < most ? k->converged : most;
    k->converged = k->done;
    k->next = false;
    memset(k->b, 0, (size_t)k->most * sizeof *k->b);
}

routh_status rt_krylov_pairs(const rt_krylov_schur *k, double _Complex *theta,
                             double _Complex *vectors, routh_error *error)
{
    const int c = k->converged;
    const size_t m = (size_t)c;
    if (!c) return ROUTH_OK;
    double _Complex *T = malloc(2 * m * m * sizeof *T);
    if (!T) return rt_fail_memory(error);
    double _Complex *Y = T + m * m;
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < m; i++) T[i + m * j] = i <= j ? k->T[i + (size_t)k->most * j] : 0;
    for (size_t j = 0; j < m; j++) theta[j] = T[j * (m + 1)];
    const routh_status status = rt_triangular_vectors(c, T, Y, error);
    if (!status)
        cblas_zgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, k->n, c, c, &ONE, k->V, k->n, Y, c,
                    &ZERO, vectors, k->n);
    free(T);
    return status;
}
