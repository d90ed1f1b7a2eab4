#include "base/block_lanczos.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "base/lapack.h"

/* What is left of a vector after the basis is taken out of it is rounding below this share. */
static const double NOTHING_NEW = 1e-13;

enum { ROWS_AT_ONCE = 256 };

routh_status rt_lanczos_create(rt_lanczos *l, rt_shifted_pencil *pencil, int block, int most,
                               rt_arena *arena, routh_error *error)
{
    const size_t n = (size_t)pencil->n, m = (size_t)most, b = (size_t)block;
    *l = (rt_lanczos){.pencil = pencil, .n = pencil->n, .block = block, .most = most, .seed = 1};
    l->V = RT_TAKE(arena, double, n *(m + b));
    l->H = RT_TAKE(arena, double, m *m);
    l->Y = RT_TAKE(arena, double, m *m);
    l->room = RT_TAKE(arena, double, m *(m + 2));
    l->theta = RT_TAKE(arena, double, m);
    l->residual = RT_TAKE(arena, double, m);
    l->W = RT_TAKE(arena, double, n *b);
    l->MW = RT_TAKE(arena, double, n *b);
    l->MQ = RT_TAKE(arena, double, n *b);
    l->R = RT_TAKE(arena, double, b *b);
    l->C = RT_TAKE(arena, double, 2 * (m + b) * b);
    l->rows = RT_TAKE(arena, double, (size_t)ROWS_AT_ONCE *(m + b));
    const bool ok = l->V && l->H && l->Y && l->room && l->theta && l->residual && l->W && l->MW &&
                    l->MQ && l->R && l->C && l->rows;
    return ok ? ROUTH_OK : rt_fail_memory(error);
}

static double *column(const rt_lanczos *l, int k) { return l->V + (size_t)l->n * (size_t)k; }

static void multiply(const rt_lanczos *l, const double *x, int m, double *y)
{
    const rt_symmetric_pencil *p = l->pencil->pencil;
    rt_symmetric_multiply(p->M_pattern, p->M, x, m, y);
}

/* W -= V1 V1' M W for the k vectors from the first, V1' M W added to C of so many rows (NULL: not
 * wanted). MW is M W, of what W was. */
static void take_out(rt_lanczos *l, int first, int k, double *W, int m, double *C, int rows)
{
    const int n = l->n;
    double *c = l->C + (size_t)(l->most + l->block) * (size_t)l->block;
    if (k < 1) return;
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, k, m, n, 1, column(l, first), n, l->MW, n,
                0, c, k);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, m, k, -1, column(l, first), n, c, k,
                1, W, n);
    for (int j = 0; j < m && C; j++)
        for (int i = 0; i < k; i++) C[i + rows * j] += c[i + k * j];
}

/* Joins w to the next block, unless it is rounding beside what it was: before. Mw is M w. */
static bool accept(rt_lanczos *l, const double *w, const double *Mw, double before, double *left)
{
    const double square = cblas_ddot(l->n, w, 1, Mw, 1);
    *left = sqrt(fmax(square, 0));
    if (!(*left > NOTHING_NEW * before) || !isfinite(*left)) return false;
    double *v = column(l, l->done + l->next), *Mv = l->MQ + (size_t)l->n * (size_t)l->next;
    for (int i = 0; i < l->n; i++) v[i] = w[i] / *left, Mv[i] = Mw[i] / *left;
    l->next++;
    return true;
}

static routh_status not_semidefinite(double square, routh_error *error)
{
    return rt_fail(error, ROUTH_NUMERIC_ERROR,
                   "the mass matrix is not positive semidefinite: a displacement has the square "
                   "%.3g in it",
                   square);
}

/* One more in the next block: OP times numbers without a pattern, orthogonal to all before it. */
static routh_status add_random(rt_lanczos *l, bool *added, routh_error *error)
{
    double *w = l->W, left;
    for (int i = 0; i < l->n; i++) {
        l->seed = l->seed * 1664525u + 1013904223u;
        l->MW[i] = l->seed / 4294967296.0 - 0.5;
    }
    multiply(l, l->MW, 1, w);
    const routh_status status = rt_shifted_pencil_solve(l->pencil, w, 1, error);
    if (status) return status;
    multiply(l, w, 1, l->MW);
    const double square = cblas_ddot(l->n, w, 1, l->MW, 1), before = sqrt(fmax(square, 0));
    if (!(square >= 0)) return not_semidefinite(square, error);
    for (int pass = 0; pass < 2; pass++) {
        take_out(l, 0, l->done + l->next, w, 1, NULL, 0);
        multiply(l, w, 1, l->MW);
    }
    *added = accept(l, w, l->MW, 10 * before, &left);
    return ROUTH_OK;
}

static routh_status fill_block(rt_lanczos *l, routh_error *error)
{
    for (bool added = true; added && l->next < l->block;) {
        const routh_status status = add_random(l, &added, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

routh_status rt_lanczos_begin(rt_lanczos *l, routh_error *error)
{
    l->done = l->next = l->last = 0;
    return fill_block(l, error);
}

/* W, of the norms before, becomes the next block Q with W = Q R. */
static void split(rt_lanczos *l, int m, const double *before)
{
    const int n = l->n;
    memset(l->R, 0, (size_t)l->block * (size_t)l->block * sizeof *l->R);
    l->next = 0;
    multiply(l, l->W, m, l->MW);
    for (int c = 0; c < m; c++) {
        double *w = l->W + (size_t)n * (size_t)c, *Mw = l->MW + (size_t)n * (size_t)c;
        double *r = l->R + l->block * c, left;
        for (int k = 0; k < 2 * l->next; k++) {
            const int i = k % l->next;
            const double part = cblas_ddot(n, column(l, l->done + i), 1, Mw, 1);
            r[i] += part;
            cblas_daxpy(n, -part, column(l, l->done + i), 1, w, 1);
            cblas_daxpy(n, -part, l->MQ + (size_t)n * (size_t)i, 1, Mw, 1);
        }
        if (accept(l, w, Mw, before[c], &left)) r[l->next - 1] = left;
    }
}

routh_status rt_lanczos_step(rt_lanczos *l, routh_error *error)
{
    const int m = l->next, k = l->done + m, n = l->n;
    double before[16], *C = l->C;
    memcpy(l->W, l->MQ, (size_t)n * (size_t)m * sizeof *l->W);
    const routh_status status = rt_shifted_pencil_solve(l->pencil, l->W, m, error);
    if (status) return status;
    memset(C, 0, (size_t)k * (size_t)m * sizeof *C);
    for (int pass = 0; pass < 2; pass++) {
        multiply(l, l->W, m, l->MW);
        for (int c = 0; c < m && !pass; c++) {
            const size_t from = (size_t)n * (size_t)c;
            const double square = cblas_ddot(n, l->W + from, 1, l->MW + from, 1);
            if (!(square >= 0)) return not_semidefinite(square, error);
            before[c] = sqrt(square);
        }
        take_out(l, 0, k, l->W, m, C, k);
    }
    for (int c = 0; c < m; c++)
        for (int i = 0; i < k; i++)
            l->H[i + (size_t)l->most * (size_t)(l->done + c)] =
                l->H[l->done + c + (size_t)l->most * (size_t)i] = C[i + k * c];
    l->done = k;
    l->last = m;
    split(l, m, before);
    return fill_block(l, error);
}

routh_status rt_lanczos_ritz(rt_lanczos *l, routh_error *error)
{
    const int k = l->done, b = l->block;
    double *a = l->room, *values = a + (size_t)k * (size_t)k;
    for (int j = 0; j < k; j++)
        for (int i = 0; i < k; i++)
            a[i + (size_t)k * (size_t)j] = 0.5 * (l->H[i + (size_t)l->most * (size_t)j] +
                                                  l->H[j + (size_t)l->most * (size_t)i]);
    const routh_status status = rt_symmetric_eigen(k, a, values, error);
    if (status) return status;
    for (int i = 0, low = 0, high = k - 1; i < k; i++) { /* values ascend */
        const int from = fabs(values[low]) > fabs(values[high]) ? low++ : high--;
        l->theta[i] = values[from];
        memcpy(l->Y + (size_t)l->most * (size_t)i, a + (size_t)k * (size_t)from,
               (size_t)k * sizeof *a);
        double sum = 0;
        for (int r = 0; r < l->next; r++) {
            double at = 0;
            for (int c = 0; c < l->last; c++)
                at += l->R[r + b * c] * l->Y[k - l->last + c + (size_t)l->most * (size_t)i];
            sum += at * at;
        }
        l->residual[i] = sqrt(sum);
    }
    return ROUTH_OK;
}

/* The Ritz vectors in the first `keep` columns of Y become the basis. */
static void turn(rt_lanczos *l, int keep)
{
    const int n = l->n;
    for (int r = 0; r < n; r += ROWS_AT_ONCE) {
        const int now = n - r < ROWS_AT_ONCE ? n - r : ROWS_AT_ONCE;
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, now, keep, l->done, 1, l->V + r, n,
                    l->Y, l->most, 0, l->rows, ROWS_AT_ONCE);
        for (int c = 0; c < keep; c++)
            memcpy(column(l, c) + r, l->rows + ROWS_AT_ONCE * (size_t)c,
                   (size_t)now * sizeof(double));
    }
    memset(l->H, 0, (size_t)l->most * (size_t)l->most * sizeof *l->H);
    for (int k = 0; k < keep; k++) l->H[k * ((size_t)l->most + 1)] = l->theta[k];
}

void rt_lanczos_restart(rt_lanczos *l, int keep)
{
    if (keep >= l->done) return;
    turn(l, keep);
    memmove(column(l, keep), column(l, l->done), (size_t)l->n * (size_t)l->next * sizeof(double));
    l->done = keep;
}

routh_status rt_lanczos_renew(rt_lanczos *l, const bool *keep, routh_error *error)
{
    int n = 0;
    for (int k = 0; k < l->done; k++) {
        if (!keep[k]) continue;
        if (k != n)
            memcpy(l->Y + (size_t)l->most * (size_t)n, l->Y + (size_t)l->most * (size_t)k,
                   (size_t)l->done * sizeof(double));
        l->theta[n++] = l->theta[k];
    }
    turn(l, n);
    l->done = n;
    l->next = 0;
    return fill_block(l, error);
}

void rt_lanczos_vector(const rt_lanczos *l, int k, double *x)
{
    cblas_dgemv(CblasColMajor, CblasNoTrans, l->n, l->done, 1, l->V, l->n,
                l->Y + (size_t)l->most * (size_t)k, 1, 0, x, 1);
}
