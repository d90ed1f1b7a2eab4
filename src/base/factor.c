#include "base/factor_parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* KLU solves up to this many right-hand sides in one pass. */
enum { CHUNK = 4 };

/* Below this reciprocal pivot growth the old pivots are given up. */
static const double WORST_GROWTH = 1e-6;

/* Where some rows and columns are nearly full (the frame of a flexible body against all its elastic
 * coordinates), one of them taken for a pivot before its turn fills the factors. There a pivot on
 * the diagonal is left only where it is this small beside the largest of its column, as long as the
 * growth of the factors allows. */
static const double PATIENCE = 1e-8;

static routh_status fail_klu(const rt_factor *f, const char *what, routh_error *error)
{
    switch (f->common.status) {
    case KLU_OUT_OF_MEMORY: return rt_fail_memory(error);
    case KLU_TOO_LARGE:
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "%s: the factors of a sparse matrix of order %d do not fit 32-bit indices",
                       what, f->n);
    case KLU_SINGULAR:
        return rt_fail(
            error, ROUTH_SINGULAR,
            "%s: a sparse matrix of order %d is singular: column %d (from 0) depends on those "
            "eliminated before it",
            what, f->n, f->common.singular_col);
    default:
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "%s: the pattern of a sparse matrix of order %d is not valid", what, f->n);
    }
}

/* ---- factors --------------------------------------------------------------------------------- */

routh_status rt_factor_create(rt_factor **factor, const rt_pattern *pattern, rt_ordering ordering,
                              routh_error *error)
{
    return rt_factor_create_kept(factor, pattern, ordering, NULL, error);
}

routh_status rt_factor_create_kept(rt_factor **factor, const rt_pattern *pattern,
                                   rt_ordering ordering, rt_analyses *analyses, routh_error *error)
{
    *factor = NULL;
    if (pattern->n_rows != pattern->n_columns)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a matrix of %d rows and %d columns cannot be factored: it must "
                       "be square",
                       pattern->n_rows, pattern->n_columns);
    *factor = rt_analyses_take(analyses, pattern, ordering);
    if (*factor) return ROUTH_OK;
    rt_factor *f = calloc(1, sizeof *f);
    if (!f) return rt_fail_memory(error);
    f->n = pattern->n_rows;
    f->pattern = pattern;
    f->ordering = ordering;
    f->own_work = malloc((2 * (size_t)f->n + 1) * sizeof(double));
    klu_defaults(&f->common);
    /* Block triangular form would pivot on whatever its matching picks, which loses digits on
     * saddle-point matrices [M G'; G 0]; without it KLU pivots by size. */
    f->common.btf = 0;
    f->common.ordering = ordering == RT_ORDER_AMD ? 0 : 1;
    if (ordering == RT_ORDER_COLAMD_LARGEST) f->common.tol = 1;
    f->patient = ordering == RT_ORDER_AMD && rt_pattern_is_bordered(pattern);
    routh_status status = f->own_work ? ROUTH_OK : rt_fail_memory(error);
    if (!status && f->n) rt_analyses_join(analyses, f);
    if (!status && f->n && !f->symbolic) {
        f->symbolic = klu_analyze(f->n, pattern->start, pattern->row, &f->common);
        if (!f->symbolic) status = fail_klu(f, "analysis", error);
    }
    if (status) {
        rt_factor_free(f);
        return status;
    }
    *factor = f;
    return ROUTH_OK;
}

void rt_factor_forget(rt_factor *f)
{
    if (f->numeric) klu_free_numeric(&f->numeric, &f->common);
    f->again = false;
}

static int factor_all_finite(const double *x, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++) sum += 0 * x[k];
    return sum == 0;
}

/* Tries the old pivots; false when they are missing or have become bad. */
static int factor_refactor(rt_factor *f, double *values)
{
    const rt_pattern *p = f->pattern;
    if (!f->numeric) return 0;
    if (!klu_refactor(p->start, p->row, values, f->symbolic, f->numeric, &f->common)) return 0;
    if (!klu_rgrowth(p->start, p->row, values, f->symbolic, f->numeric, &f->common)) return 0;
    return f->common.rgrowth >= WORST_GROWTH;
}

/* With pivots chosen anew; false when there are none. */
static bool factor_factor_anew(rt_factor *f, double *values)
{
    const rt_pattern *p = f->pattern;
    const double usual = f->common.tol;
    for (int attempt = f->patient ? 0 : 1; attempt < 2; attempt++) {
        f->common.tol = attempt == 0 ? PATIENCE : usual;
        bool done = rt_factor_pivots_anew(f, values);
        if (!done) {
            klu_free_numeric(&f->numeric, &f->common);
            f->numeric = klu_factor(p->start, p->row, values, f->symbolic, &f->common);
            done = f->numeric && f->common.status == KLU_OK;
            if (done) rt_factor_note_pivots(f);
        }
        f->common.tol = usual;
        if (attempt == 1) return done;
        if (done && klu_rgrowth(p->start, p->row, values, f->symbolic, f->numeric, &f->common) &&
            f->common.rgrowth >= WORST_GROWTH)
            return true;
    }
    return false;
}

/* By the pivots that the factor has had in this life, or by those that a new one chooses. */
static bool factor_values(rt_factor *f, double *values)
{
    const bool again = f->again;
    f->again = f->known = false;
    if (again && !f->patient && f->numeric && rt_factor_pivots_again(f, values))
        return f->chosen = true;
    if (!again && factor_refactor(f, values)) {
        f->chosen = false;
        return true;
    }
    return f->chosen = factor_factor_anew(f, values);
}

routh_status rt_factor_numeric(rt_factor *f, const double *values, routh_error *error)
{
    const rt_pattern *p = f->pattern;
    f->values = values;
    f->rcond = 1;
    if (!f->n) return ROUTH_OK;
    if (rt_factor_has(f, values)) {
        f->again = false;
        f->rcond = f->common.rcond;
        return ROUTH_OK;
    }
    f->rcond = 0;
    if (!factor_all_finite(values, p->start[f->n])) {
        rt_factor_forget(f);
        return rt_fail(
            error, ROUTH_NUMERIC_ERROR,
            "a sparse matrix of order %d to be factored holds an entry that is not a finite number",
            f->n);
    }
    /* KLU takes the values without const but does not write them */
    double *x = (double *)values;
    if (!factor_values(f, x)) {
        const routh_status status = fail_klu(f, "factorization", error);
        klu_free_numeric(&f->numeric, &f->common);
        return status;
    }
    klu_rcond(f->symbolic, f->numeric, &f->common);
    f->rcond = f->common.rcond;
    rt_factor_know(f, values);
    return ROUTH_OK;
}

/* X := A^-1 X for at most CHUNK columns, or A'^-1 X. klu_solve writes Numeric->Xwork and
 * Common->status, so each call works on shallow copies of both. */
static void factor_solve_chunk(const rt_factor *f, bool transposed, int n_rhs, double *x,
                               double *xwork)
{
    klu_numeric numeric = *f->numeric;
    klu_common common = f->common;
    numeric.Xwork = xwork;
    if (transposed)
        klu_tsolve(f->symbolic, &numeric, f->n, n_rhs, x, &common);
    else
        klu_solve(f->symbolic, &numeric, f->n, n_rhs, x, &common);
}

/* x = A^-1 b, r = b - A x, x += A^-1 r */
static void solve_refined(const rt_factor *f, bool transposed, int n_rhs, double *x, double *work)
{
    const size_t n = (size_t)f->n, size = n * (size_t)n_rhs;
    double *r = work, *xwork = work + size;
    memcpy(r, x, size * sizeof *r);
    factor_solve_chunk(f, transposed, n_rhs, x, xwork);
    for (size_t k = 0; k < size; k += n)
        if (transposed)
            rt_sparse_transpose_multiply_add(f->pattern, f->values, -1, x + k, r + k);
        else
            rt_sparse_multiply_add(f->pattern, f->values, -1, x + k, r + k);
    factor_solve_chunk(f, transposed, n_rhs, r, xwork);
    for (size_t i = 0; i < size; i++) x[i] += r[i];
}

static routh_status no_numeric(routh_error *error)
{
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "a solve needs a numeric factorization that succeeded; there is none");
}

static routh_status not_finite(const rt_factor *f, bool transposed, routh_error *error)
{
    return rt_fail(
        error, ROUTH_NUMERIC_ERROR,
        "the solution of a %ssparse system of order %d is not finite: the right-hand side is not, "
        "or the matrix is singular to working accuracy",
        transposed ? "transposed " : "", f->n);
}

static routh_status factor_solve(const rt_factor *f, bool transposed, double *b, int n_rhs,
                                 double *work, routh_error *error)
{
    if (!f->n || n_rhs <= 0) return ROUTH_OK;
    if (!f->numeric) return no_numeric(error);
    const int most = work ? CHUNK : 1;
    int finite = 1;
    for (int k = 0; k < n_rhs; k += most) {
        const int now = n_rhs - k < most ? n_rhs - k : most;
        double *x = b + (size_t)k * (size_t)f->n;
        solve_refined(f, transposed, now, x, work ? work : f->own_work);
        for (int c = 0; c < now; c++)
            finite &= factor_all_finite(x + (size_t)c * (size_t)f->n, f->n);
    }
    return finite ? ROUTH_OK : not_finite(f, transposed, error);
}

routh_status rt_factor_solve(const rt_factor *f, double *b, int n_rhs, double *work,
                             routh_error *error)
{
    return factor_solve(f, false, b, n_rhs, work, error);
}

routh_status rt_factor_solve_transposed(const rt_factor *f, double *b, int n_rhs, double *work,
                                        routh_error *error)
{
    return factor_solve(f, true, b, n_rhs, work, error);
}

routh_status rt_factor_solve_once(const rt_factor *f, double *b, int n_rhs, double *work,
                                  routh_error *error)
{
    if (!f->n || n_rhs <= 0) return ROUTH_OK;
    if (!f->numeric) return no_numeric(error);
    int finite = 1;
    for (int k = 0; k < n_rhs; k += CHUNK) {
        const int now = n_rhs - k < CHUNK ? n_rhs - k : CHUNK;
        double *x = b + (size_t)k * (size_t)f->n;
        factor_solve_chunk(f, false, now, x, work);
        for (int c = 0; c < now; c++)
            finite &= factor_all_finite(x + (size_t)c * (size_t)f->n, f->n);
    }
    return finite ? ROUTH_OK : not_finite(f, false, error);
}

rt_analyses *rt_factor_analyses(const rt_factor *f) { return f->analyses; }

double rt_factor_rcond(const rt_factor *f) { return f->rcond; }

/* 1 or -1 of a permutation */
static int factor_sign_of(const int *permutation, int n, double *marks)
{
    int sign = 1;
    memset(marks, 0, (size_t)n * sizeof *marks);
    for (int k = 0; k < n; k++) {
        if (marks[k] != 0) continue;
        for (int i = permutation[k]; i != k; i = permutation[i]) marks[i] = 1, sign = -sign;
    }
    return sign;
}

/* P (R^-1 A) Q = L U with the unit diagonal in L, R > 0 */
int rt_factor_sign(const rt_factor *f)
{
    if (f->n == 0) return 1;
    if (!f->numeric) return 0;
    const double *U = f->numeric->Udiag;
    int sign = factor_sign_of(f->numeric->Pnum, f->n, f->own_work) *
               factor_sign_of(f->symbolic->Q, f->n, f->own_work);
    for (int k = 0; k < f->n; k++) sign = U[k] < 0 ? -sign : sign;
    return sign;
}

size_t rt_factor_bytes(const rt_factor *f)
{
    return sizeof *f + (2 * (size_t)f->n + 1) * sizeof(double) + f->common.memusage;
}

static bool take_pattern(rt_pattern *p, int n, size_t entries, rt_arena *arena)
{
    *p = (rt_pattern){.n_rows = n, .n_columns = n};
    p->start = RT_TAKE(arena, int, n + 1);
    p->row = RT_TAKE(arena, int, entries);
    return p->start && p->row;
}

static int factor_ascending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void sort_rows(rt_pattern *p)
{
    for (int c = 0; c < p->n_columns; c++)
        qsort(p->row + p->start[c], (size_t)(p->start[c + 1] - p->start[c]), sizeof *p->row,
              factor_ascending);
}

routh_status rt_factor_patterns(rt_factor *f, rt_pattern *L, rt_pattern *U, rt_arena *arena,
                                routh_error *error)
{
    if (f->n && !f->numeric)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "factors need a numeric factorization that succeeded; there is none");
    const size_t n_L = f->n ? (size_t)f->numeric->lnz : 0, n_U = f->n ? (size_t)f->numeric->unz : 0;
    if (!take_pattern(L, f->n, n_L, arena) || !take_pattern(U, f->n, n_U, arena))
        return rt_fail_memory(error);
    if (!f->n) return ROUTH_OK;
    /* KLU wants somewhere to put the values */
    double *values = RT_TAKE(arena, double, n_L > n_U ? n_L : n_U);
    if (!values) return rt_fail_memory(error);
    if (!klu_extract(f->numeric, f->symbolic, L->start, L->row, values, U->start, U->row, values,
                     NULL, NULL, NULL, NULL, NULL, NULL, NULL, &f->common))
        return fail_klu(f, "factors", error);
    sort_rows(L);
    sort_rows(U);
    return ROUTH_OK;
}

void rt_factor_release(rt_factor *f)
{
    klu_free_numeric(&f->numeric, &f->common);
    if (!f->analyses) klu_free_symbolic(&f->symbolic, &f->common);
    free(f->pivots);
    free(f->noted);
    free(f->at);
    free(f->own_work);
    free(f);
}

void rt_factor_free(rt_factor *f)
{
    if (f && !rt_analyses_give(f)) rt_factor_release(f);
}
