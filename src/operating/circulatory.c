/* Stability of an equilibrium whose forces have no potential: a follower load, a servo's force.
 *
 * At an equilibrium the forces of springs, weight and holonomic joints make R'KR symmetric, and its
 * smallest eigenvalue decides (softest.c). Where K is not symmetric, its symmetric part decides
 * nothing: below flutter it may have negative eigenvalues, above it none. There the motion itself,
 *     R'MR x'' + R'DR x' + R'KR x = 0,    y = (x, x'):   y' = [0 I; -M^-1 K  -M^-1 D] y,
 * does: an eigenvalue with a positive real part. A real one leaves the equilibrium along its
 * vector; of a pair (flutter) none is left, as no other equilibrium lies beside it. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/lapack.h"
#include "operating/operating.h"

/* ---- is there a potential? ------------------------------------------------------------------ */

static double circulatory_entry(const rt_pattern *p, const double *values, int row, int column)
{
    for (int e = p->start[column]; e < p->start[column + 1]; e++)
        if (p->row[e] == row) return values[e];
    return 0;
}

/* Differences that rounding and what is left of the balance explain are none. */
bool rt_is_circulatory(const rt_search *s)
{
    static const double part = 1e-9, rounding = 1e-13, balance = 1e-9;
    const rt_pattern *K = &s->m->pattern_K;
    const double force = rt_largest_force(s), length = s->m->length;
    for (int c = 0; c < s->m->n_u; c++)
        for (int e = K->start[c]; e < K->start[c + 1]; e++) {
            const int r = K->row[e];
            const double unit = s->unit[r] * s->unit[c], a = s->w->K[e] * unit;
            if (r == c || a == 0) continue;
            const double b = circulatory_entry(K, s->w->K, c, r) * unit;
            const double corner =
                fabs(circulatory_entry(K, s->w->K, r, r) * s->unit[r] * s->unit[r]) +
                fabs(circulatory_entry(K, s->w->K, c, c) * s->unit[c] * s->unit[c]);
            if (fabs(a - b) >
                part * fmax(fabs(a), fabs(b)) + rounding * corner + balance * force / length)
                return true;
        }
    return false;
}

/* ---- the motion about it -------------------------------------------------------------------- */

/* out = R'XR; T: room for n */
static void circulatory_reduce(const rt_search *s, const rt_pattern *pattern, const double *X,
                               const double *R, int z, double *T, double *out)
{
    const int n = s->m->n_u;
    for (int j = 0; j < z; j++) {
        memset(T, 0, (size_t)n * sizeof *T);
        rt_sparse_multiply_add(pattern, X, 1, R + (size_t)j * n, T);
        for (int i = 0; i < z; i++) {
            double sum = 0;
            for (int c = 0; c < n; c++) sum += R[(size_t)i * n + c] * T[c];
            out[i + (size_t)z * j] = sum;
        }
    }
}

typedef struct circulatory {
    int z;
    double *R, *T, *M, *K, *D; /* R: n_u x z; T: n_u; others z x z */
    double *A, *eigen;         /* 2z x 2z; of rt_eigen */
    int *pivots, *independent; /* z */
} circulatory;

static bool circulatory_take(circulatory *k, const rt_search *s, rt_arena *arena)
{
    const size_t z = (size_t)k->z, n = (size_t)s->m->n_u, size = 2 * z;
    k->R = RT_TAKE(arena, double, n *z);
    k->T = RT_TAKE(arena, double, n);
    k->M = RT_TAKE(arena, double, 3 * z * z);
    k->A = RT_TAKE(arena, double, size *size);
    k->eigen = RT_TAKE(arena, double, 2 * size * size + 3 * size);
    k->pivots = RT_TAKE(arena, int, z);
    k->independent = RT_TAKE(arena, int, z);
    if (!k->R || !k->T || !k->M || !k->A || !k->eigen || !k->pivots || !k->independent)
        return false;
    k->K = k->M + z * z, k->D = k->K + z * z;
    return true;
}

/* A of (x, x'/w), w a typical rate, so that its entries are of one size. */
static routh_status circulatory_fill(circulatory *k, const rt_search *s, double *rate,
                                     routh_error *error)
{
    const int z = k->z;
    const size_t size = 2 * (size_t)z;
    for (int c = 0, i = 0; c < s->m->n_u && i < z; c++)
        if (s->rank->column_step[c] < 0) k->independent[i++] = c;
    routh_status status = rt_tangent_basis(s, k->independent, z, k->R, error);
    if (status) return status;
    circulatory_reduce(s, &s->m->pattern_M, s->w->M, k->R, z, k->T, k->M);
    circulatory_reduce(s, &s->m->pattern_K, s->w->K, k->R, z, k->T, k->K);
    circulatory_reduce(s, &s->m->pattern_K, s->w->D, k->R, z, k->T, k->D);
    status = rt_lu_factor(z, k->M, k->pivots, error);
    if (!status) status = rt_lu_solve(z, k->M, k->pivots, z, k->K, 0, error);
    if (!status) status = rt_lu_solve(z, k->M, k->pivots, z, k->D, 0, error);
    if (status) return status;
    double fastest = 0;
    for (int i = 0; i < z; i++) fastest = fmax(fastest, fabs(k->K[i + (size_t)z * i]));
    *rate = fastest > 0 ? exp2(rint(log2(sqrt(fastest)))) : 1;
    memset(k->A, 0, size * size * sizeof *k->A);
    for (size_t j = 0; j < (size_t)z; j++) {
        k->A[j + size * ((size_t)z + j)] = *rate;
        for (size_t i = 0; i < (size_t)z; i++) {
            k->A[(size_t)z + i + size * j] = -k->K[i + (size_t)z * j] / *rate;
            k->A[(size_t)z + i + size * ((size_t)z + j)] = -k->D[i + (size_t)z * j];
        }
    }
    return ROUTH_OK;
}

/* R times the vector's part x, its largest step of unit length. */
static void circulatory_take_direction(const circulatory *k, const rt_search *s,
                                       const double *vector)
{
    double length = 0;
    memset(s->x, 0, (size_t)s->m->n_u * sizeof *s->x);
    for (int j = 0; j < k->z; j++)
        for (int c = 0; c < s->m->n_u; c++)
            s->x[c] += vector[j] * k->R[(size_t)j * (size_t)s->m->n_u + c];
    for (int c = 0; c < s->m->n_u; c++) length = fmax(length, fabs(s->x[c]) / s->unit[c]);
    for (int c = 0; c < s->m->n_u && length > 0; c++) s->x[c] /= length;
}

/* An eigenvalue of reciprocal condition c is known to eps |A| / c only. A real one counts before
 * pairs: it leads away. */
static routh_status circulatory_judge(circulatory *k, const rt_search *s, rt_growth *out,
                                      routh_error *error)
{
    const size_t n = 2 * (size_t)k->z;
    rt_eigen e = {.left = k->eigen, .right = k->eigen + n * n};
    e.re = e.right + n * n, e.im = e.re + n, e.rcond = e.im + n;
    const routh_status status = rt_general_eigen_kept((int)n, k->A, &e, s->m->analyses, error);
    if (status) return status;
    bool found = false;
    for (size_t i = 0; i < n; i++) {
        const double unsure = 1e-9 + 1e-13 * e.norm / fmax(e.rcond[i], 1e-300);
        const bool pair = e.im[i] != 0;
        if (!(e.re[i] > unsure)) continue;
        if (found && (pair > out->oscillates || (pair == out->oscillates && e.re[i] <= out->rate)))
            continue;
        found = true;
        *out = (rt_growth){.stable = false, .oscillates = pair, .rate = e.re[i]};
        circulatory_take_direction(k, s, e.right + n * i);
    }
    return ROUTH_OK;
}

routh_status rt_find_growth(rt_search *s, rt_growth *growth, routh_error *error)
{
    rt_arena arena = {.kept = s->m->analyses};
    circulatory k = {.z = s->m->n_u - s->rank->rank};
    double rate;
    *growth = (rt_growth){.stable = true};
    routh_status status = circulatory_take(&k, s, &arena) ? ROUTH_OK : rt_fail_memory(error);
    if (!status) status = circulatory_fill(&k, s, &rate, error);
    if (!status) status = circulatory_judge(&k, s, growth, error);
    rt_arena_free(&arena);
    return status;
}
