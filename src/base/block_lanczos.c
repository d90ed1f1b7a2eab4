#include "base/block_lanczos.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "base/krylov.h"
#include "base/lapack.h"

/* What is left of a vector after the basis is taken out of it is rounding below this share. */
static const double NOTHING_NEW = 1e-13;

/* What the second pass takes out is below this share of what is left: M W is right without it. */
static const double ROUNDING = 1e-14;

/* What a pass takes out is beyond this share of what was left: its own rounding is seen. */
static const double MUCH = 0.1;

/* Of the square of a vector without a pattern, when what is apart is all there is. */
static const double NOTHING_LEFT = 1e-12;

/* Rows of K beside whose diagonal there is something. */
static void mark_coupled(const rt_symmetric_pencil *p, bool *coupled)
{
    const rt_pattern *K = p->K_pattern;
    for (int c = 0; c < K->n_columns; c++)
        for (int e = K->start[c]; e < K->start[c + 1]; e++)
            if (K->row[e] > c && p->K[e] != 0) coupled[c] = coupled[K->row[e]] = true;
}

/* M is semidefinite: where its diagonal is zero, all of the row is. A row that K does not couple
 * either, as of an unknown held fast, stays zero in OP by itself. */
static routh_status find_massless(rt_lanczos *l, rt_arena *arena, routh_error *error)
{
    const rt_symmetric_pencil *p = l->pencil->pencil;
    const rt_pattern *M = p->M_pattern;
    bool *massless = RT_TAKE(arena, bool, l->n), any = false;
    if (!massless) return rt_fail_memory(error);
    memset(massless, 0, (size_t)l->n * sizeof *massless);
    mark_coupled(p, massless);
    for (int c = 0; c < M->n_columns; c++)
        for (int e = M->start[c]; e < M->start[c + 1]; e++)
            if (M->row[e] == c && p->M[e] != 0) massless[c] = false;
    for (int i = 0; i < l->n; i++) any = any || massless[i];
    l->massless = any ? massless : NULL;
    return ROUTH_OK;
}

/* W = OP of what M W was. What M does not see is left out: rounding there would be seen by nothing,
 * and grow with every vector that is made long again after most of it was taken out. */
static routh_status block_lanczos_solve(rt_lanczos *l, int m, routh_error *error)
{
    const routh_status status = rt_shifted_pencil_solve(l->pencil, l->W, m, error);
    for (int c = 0; l->massless && c < m; c++)
        for (int i = 0; i < l->n; i++)
            if (l->massless[i]) l->W[(size_t)l->n * (size_t)c + (size_t)i] = 0;
    return status;
}

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
    l->MP = RT_TAKE(arena, double, n *b);
    l->R = RT_TAKE(arena, double, 2 * b * b);
    l->C = RT_TAKE(arena, double, 2 * (m + b) * b);
    l->rows = RT_TAKE(arena, double, (size_t)RT_ROWS_AT_ONCE *(m + b));
    const bool ok = l->V && l->H && l->Y && l->room && l->theta && l->residual && l->W && l->MW &&
                    l->MQ && l->MP && l->R && l->C && l->rows;
    return ok ? find_massless(l, arena, error) : rt_fail_memory(error);
}

static double *block_lanczos_column(const rt_lanczos *l, int k)
{
    return l->V + (size_t)l->n * (size_t)k;
}

static void block_lanczos_multiply(const rt_lanczos *l, const double *x, int m, double *y)
{
    const rt_symmetric_pencil *p = l->pencil->pencil;
    rt_symmetric_multiply(p->M_pattern, p->M, x, m, y);
}

/* W -= V V' M W for the first k vectors, V' M W added to C of k rows and left behind it. MW is M W,
 * of what W was. */
static void block_lanczos_take_out(rt_lanczos *l, int k, int m)
{
    double *c = l->C + (size_t)(l->most + l->block) * (size_t)l->block;
    rt_take_out(l->n, k, l->V, NULL, m, l->W, l->MW, c, k);
    cblas_daxpy(k * m, 1, c, 1, l->C, 1);
}

/* Joins w to the next block, unless it is rounding beside what it was: before. Mw is M w. */
static bool block_lanczos_accept(rt_lanczos *l, const double *w, const double *Mw, double before,
                                 double *left)
{
    const double square = cblas_ddot(l->n, w, 1, Mw, 1);
    *left = sqrt(fmax(square, 0));
    if (!rt_is_new(*left, before, NOTHING_NEW)) return false;
    double *v = block_lanczos_column(l, l->done + l->next),
           *Mv = l->MQ + (size_t)l->n * (size_t)l->next;
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

/* W, of the norms before, joins the next block Q as W = Q R; MW is M W. */
static void block_lanczos_split(rt_lanczos *l, int m, const double *before, double *R)
{
    const int n = l->n;
    memset(R, 0, (size_t)l->block * (size_t)l->block * sizeof *R);
    for (int c = 0; c < m && l->next < l->block; c++) {
        double *w = l->W + (size_t)n * (size_t)c, *Mw = l->MW + (size_t)n * (size_t)c;
        double *r = R + l->block * c, part[RT_MOST_BLOCK], left;
        for (int pass = 0; pass < 2 && l->next; pass++) {
            rt_take_out(n, l->next, block_lanczos_column(l, l->done), NULL, 1, w, Mw, part,
                        RT_MOST_BLOCK);
            cblas_dgemv(CblasColMajor, CblasNoTrans, n, l->next, -1, l->MQ, n, part, 1, 1, Mw, 1);
            for (int i = 0; i < l->next; i++) r[i] += part[i];
        }
        if (block_lanczos_accept(l, w, Mw, before[c], &left)) r[l->next - 1] = left;
    }
}

/* The norms of W in M; MW is M W. */
static routh_status norms(const rt_lanczos *l, int m, double *norm, routh_error *error)
{
    for (int c = 0; c < m; c++) {
        const size_t from = (size_t)l->n * (size_t)c;
        const double square = cblas_ddot(l->n, l->W + from, 1, l->MW + from, 1);
        if (!(square >= 0)) return not_semidefinite(square, error);
        norm[c] = sqrt(square);
    }
    return ROUTH_OK;
}

/* OP Q of a block is seen by that and by the block before alone, but for rounding (Lanczos 1950):
 * W -= V C for these, C = (M V)' W. M W is not needed. */
static void take_out_near(rt_lanczos *l, int k, int m)
{
    const int n = l->n, old = l->done - l->last;
    rt_take_out(n, l->last, block_lanczos_column(l, old), l->MP, m, l->W, NULL, l->C + old, k);
    rt_take_out(n, k - l->done, block_lanczos_column(l, l->done), l->MQ, m, l->W, NULL,
                l->C + l->done, k);
}

/* Of m columns, one has parts in C's second room beyond this share of what was left. */
static bool block_lanczos_beyond(const rt_lanczos *l, int k, int m, double share,
                                 const double *left)
{
    const double *second = l->C + (size_t)(l->most + l->block) * (size_t)l->block;
    for (int c = 0; c < m; c++)
        if (cblas_dnrm2(k, second + (size_t)k * (size_t)c, 1) > share * left[c]) return true;
    return false;
}

/* The first pass; before: the norms of W, or of what went. whole: nothing is known of W. The first
 * block after a restart is seen by all of the basis. */
static routh_status take_out_first(rt_lanczos *l, bool whole, int k, int m, double *before,
                                   routh_error *error)
{
    memset(l->C, 0, (size_t)k * (size_t)m * sizeof *l->C);
    if (whole || l->done - l->last < l->turned || l->done - l->last < l->apart) {
        block_lanczos_multiply(l, l->W, m, l->MW);
        const routh_status status = norms(l, m, before, error);
        if (!status && k > 0) block_lanczos_take_out(l, k, m);
        return status;
    }
    take_out_near(l, k, m);
    for (int c = 0; c < m; c++) before[c] = cblas_dnrm2(k, l->C + (size_t)k * (size_t)c, 1);
    return ROUTH_OK;
}

/* W becomes orthogonal to the first k vectors, C their parts of it, MW is M W. The second pass is
 * against all; what it takes out is no part of M W where it is small beside W, and where it was
 * much of W, there is a third. before: no less than the norms of W, within a root of 2. */
static routh_status block_lanczos_orthogonalize(rt_lanczos *l, int m, int k, bool whole,
                                                double *before, routh_error *error)
{
    double left[RT_MOST_BLOCK];
    routh_status status = take_out_first(l, whole, k, m, before, error);
    if (status || k < 1) return status;
    for (int pass = 0; pass < 2; pass++) {
        block_lanczos_multiply(l, l->W, m, l->MW);
        status = norms(l, m, left, error);
        if (status) return status;
        block_lanczos_take_out(l, k, m);
        for (int c = 0; c < m; c++) before[c] = fmax(before[c], left[c]);
        if (!block_lanczos_beyond(l, k, m, MUCH, left)) break;
    }
    if (block_lanczos_beyond(l, k, m, ROUNDING, left)) block_lanczos_multiply(l, l->W, m, l->MW);
    return ROUTH_OK;
}

/* W and M W of m vectors without a pattern; what is apart is taken out, as beside its theta OP
 * would leave rounding of the others. *some: there is something else. */
static routh_status block_lanczos_scatter(rt_lanczos *l, int m, bool *some, routh_error *error)
{
    double before[RT_MOST_BLOCK], left[RT_MOST_BLOCK];
    for (size_t i = 0; i < (size_t)l->n * (size_t)m; i++) l->W[i] = rt_no_pattern(&l->seed);
    block_lanczos_multiply(l, l->W, m, l->MW);
    *some = true;
    if (!l->apart) return ROUTH_OK;
    routh_status status = norms(l, m, before, error);
    block_lanczos_take_out(l, l->apart, m);
    block_lanczos_multiply(l, l->W, m, l->MW);
    for (int c = 0; c < m; c++) before[c] *= before[c];
    *some = false;
    for (int c = 0; c < m && !status; c++) {
        left[c] = cblas_ddot(l->n, l->W + (size_t)l->n * (size_t)c, 1,
                             l->MW + (size_t)l->n * (size_t)c, 1);
        *some = *some || left[c] > NOTHING_LEFT * before[c];
    }
    return status;
}

/* The next block is filled up by OP times numbers without a pattern, orthogonal to all before it.
 */
routh_status rt_lanczos_fill(rt_lanczos *l, routh_error *error)
{
    double before[RT_MOST_BLOCK];
    for (int start = -1; l->next < l->block && l->next > start;) {
        const int m = l->block - l->next;
        start = l->next;
        bool some;
        routh_status status = block_lanczos_scatter(l, m, &some, error);
        if (status || !some) return status;
        memcpy(l->W, l->MW, (size_t)l->n * (size_t)m * sizeof *l->W);
        status = block_lanczos_solve(l, m, error);
        if (!status) status = block_lanczos_orthogonalize(l, m, l->done, true, before, error);
        if (status) return status;
        for (int c = 0; c < m; c++) before[c] *= 10;
        block_lanczos_split(l, m, before, l->R + l->block * l->block);
    }
    return ROUTH_OK;
}

routh_status rt_lanczos_begin(rt_lanczos *l, routh_error *error)
{
    l->done = l->next = l->last = l->apart = l->turned = 0;
    return rt_lanczos_fill(l, error);
}

routh_status rt_lanczos_step(rt_lanczos *l, routh_error *error)
{
    const int m = l->next, k = l->done + m;
    double before[RT_MOST_BLOCK];
    memcpy(l->W, l->MQ, (size_t)l->n * (size_t)m * sizeof *l->W);
    routh_status status = block_lanczos_solve(l, m, error);
    if (!status) status = block_lanczos_orthogonalize(l, m, k, false, before, error);
    if (status) return status;
    for (int c = 0; c < m; c++)
        for (int i = 0; i < k; i++)
            l->H[i + (size_t)l->most * (size_t)(l->done + c)] =
                l->H[l->done + c + (size_t)l->most * (size_t)i] = l->C[i + k * c];
    l->done = k;
    l->last = m;
    l->next = 0;
    double *MQ = l->MP;
    l->MP = l->MQ, l->MQ = MQ;
    block_lanczos_split(l, m, before, l->R);
    return rt_lanczos_fill(l, error);
}

/* Ritz pair i of what is not apart: column `from` of k. */
static void take_ritz(rt_lanczos *l, int i, double theta, const double *y, int k)
{
    const int b = l->block, first = l->apart;
    double *Y = l->Y + (size_t)l->most * (size_t)i, sum = 0;
    l->theta[i] = theta;
    memset(Y, 0, (size_t)first * sizeof *Y);
    memcpy(Y + first, y, (size_t)k * sizeof *Y);
    for (int r = 0; r < l->next; r++) {
        double at = 0;
        for (int c = 0; c < l->last; c++) at += l->R[r + b * c] * y[k - l->last + c];
        sum += at * at;
    }
    l->residual[i] = sqrt(sum);
}

routh_status rt_lanczos_ritz(rt_lanczos *l, routh_error *error)
{
    const int first = l->apart, k = l->done - first;
    double *a = l->room, *values = a + (size_t)k * (size_t)k;
    const double *H = l->H + first + (size_t)l->most * (size_t)first;
    for (int j = 0; j < k; j++)
        for (int i = 0; i < k; i++)
            a[i + (size_t)k * (size_t)j] =
                0.5 * (H[i + (size_t)l->most * (size_t)j] + H[j + (size_t)l->most * (size_t)i]);
    const routh_status status = k ? rt_symmetric_eigen(k, a, values, error) : ROUTH_OK;
    if (status) return status;
    for (int i = 0, low = 0, high = k - 1; i < k; i++) { /* values ascend */
        const int from = fabs(values[low]) > fabs(values[high]) ? low++ : high--;
        take_ritz(l, first + i, values[from], a + (size_t)k * (size_t)from, k);
    }
    return ROUTH_OK;
}

/* The Ritz vectors in the first `keep` columns of Y become the basis. */
static void block_lanczos_turn(rt_lanczos *l, int keep)
{
    rt_turn_basis(l->n, l->done, l->V, keep, l->Y, l->most, l->rows);
    memset(l->H, 0, (size_t)l->most * (size_t)l->most * sizeof *l->H);
    for (int k = 0; k < keep; k++) l->H[k * ((size_t)l->most + 1)] = l->theta[k];
    l->turned = keep;
}

void rt_lanczos_restart(rt_lanczos *l, int keep)
{
    if (keep >= l->done) return;
    block_lanczos_turn(l, keep);
    memmove(block_lanczos_column(l, keep), block_lanczos_column(l, l->done),
            (size_t)l->n * (size_t)l->next * sizeof(double));
    l->done = keep;
}

void rt_lanczos_set_apart(rt_lanczos *l, int keep)
{
    rt_lanczos_restart(l, keep);
    l->apart = keep;
    memset(l->Y, 0, (size_t)l->most * (size_t)keep * sizeof *l->Y);
    for (int k = 0; k < keep; k++) l->Y[k * ((size_t)l->most + 1)] = 1;
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
    block_lanczos_turn(l, n);
    l->done = n;
    l->next = 0;
    return rt_lanczos_fill(l, error);
}

void rt_lanczos_vector(const rt_lanczos *l, int k, double *x)
{
    cblas_dgemv(CblasColMajor, CblasNoTrans, l->n, l->done, 1, l->V, l->n,
                l->Y + (size_t)l->most * (size_t)k, 1, 0, x, 1);
}
