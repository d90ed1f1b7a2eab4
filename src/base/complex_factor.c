#include "base/complex_factor.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <klu.h>

/* Below this reciprocal pivot growth the old pivots are given up. */
static const double WORST_GROWTH = 1e-6;

/* As in base/factor.c, for patterns with nearly full columns. */
static const double PATIENCE = 1e-8;

struct rt_complex_factor {
    const rt_pattern *pattern;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    bool patient;
};

static routh_status complex_factor_fail(const rt_complex_factor *f, routh_error *error)
{
    const int n = f->pattern->n_columns;
    switch (f->common.status) {
    case KLU_OUT_OF_MEMORY: return rt_fail_memory(error);
    case KLU_TOO_LARGE:
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "the factors of a complex sparse matrix of order %d do not fit 32-bit "
                       "indices",
                       n);
    case KLU_SINGULAR:
        return rt_fail(error, ROUTH_SINGULAR,
                       "a complex sparse matrix of order %d is singular: column %d (from 0) "
                       "depends on those eliminated before it",
                       n, f->common.singular_col);
    default:
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the pattern of a complex sparse matrix of order %d is not valid", n);
    }
}

routh_status rt_complex_factor_create(rt_complex_factor **factor, const rt_pattern *pattern,
                                      routh_error *error)
{
    *factor = NULL;
    if (pattern->n_rows != pattern->n_columns || pattern->n_columns == 0)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a matrix of %d rows and %d columns cannot be factored: it must be square",
                       pattern->n_rows, pattern->n_columns);
    rt_complex_factor *f = calloc(1, sizeof *f);
    if (!f) return rt_fail_memory(error);
    f->pattern = pattern;
    klu_defaults(&f->common);
    f->patient = rt_pattern_is_bordered(pattern);
    f->common.btf = 0; /* as in base/factor.c: pivots by size, not by a matching */
    f->symbolic = klu_analyze(pattern->n_columns, pattern->start, pattern->row, &f->common);
    if (!f->symbolic) {
        const routh_status status = complex_factor_fail(f, error);
        rt_complex_factor_free(f);
        return status;
    }
    *factor = f;
    return ROUTH_OK;
}

static bool grown(rt_complex_factor *f, double *values)
{
    const rt_pattern *p = f->pattern;
    return !klu_z_rgrowth(p->start, p->row, values, f->symbolic, f->numeric, &f->common) ||
           !(f->common.rgrowth >= WORST_GROWTH);
}

/* Tries the old pivots; false when there are none or they have become bad. */
static bool complex_factor_refactor(rt_complex_factor *f, double *values)
{
    const rt_pattern *p = f->pattern;
    return f->numeric &&
           klu_z_refactor(p->start, p->row, values, f->symbolic, f->numeric, &f->common) &&
           !grown(f, values);
}

static bool complex_factor_anew(rt_complex_factor *f, double *values)
{
    const rt_pattern *p = f->pattern;
    const double usual = f->common.tol;
    for (int attempt = f->patient ? 0 : 1; attempt < 2; attempt++) {
        if (f->numeric) klu_z_free_numeric(&f->numeric, &f->common);
        f->common.tol = attempt == 0 ? PATIENCE : usual;
        f->numeric = klu_z_factor(p->start, p->row, values, f->symbolic, &f->common);
        f->common.tol = usual;
        const bool done = f->numeric && f->common.status == KLU_OK;
        if (attempt == 1 || (done && !grown(f, values))) return done;
    }
    return false;
}

routh_status rt_complex_factor_numeric(rt_complex_factor *f, const double _Complex *values,
                                       routh_error *error)
{
    const rt_pattern *p = f->pattern;
    double *x = (double *)values; /* KLU takes them without const but does not write them */
    double sum = 0;
    for (int k = 0; k < 2 * p->start[p->n_columns]; k++) sum += 0 * x[k];
    if (sum != 0)
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "a complex sparse matrix of order %d holds an entry that is not a finite "
                       "number",
                       p->n_columns);
    if (complex_factor_refactor(f, x) || complex_factor_anew(f, x)) return ROUTH_OK;
    const routh_status status = complex_factor_fail(f, error);
    if (f->numeric) klu_z_free_numeric(&f->numeric, &f->common);
    return status;
}

routh_status rt_complex_factor_solve(rt_complex_factor *f, double _Complex *b, int n_rhs,
                                     routh_error *error)
{
    const int n = f->pattern->n_columns;
    double *x = (double *)b, sum = 0;
    if (!f->numeric)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a solve needs a numeric factorization that succeeded; there is none");
    klu_z_solve(f->symbolic, f->numeric, n, n_rhs, x, &f->common);
    for (size_t k = 0; k < 2 * (size_t)n * (size_t)n_rhs; k++) sum += 0 * x[k];
    if (sum == 0) return ROUTH_OK;
    return rt_fail(error, ROUTH_NUMERIC_ERROR,
                   "the solution of a complex sparse system of order %d is not finite", n);
}

routh_status rt_complex_factor_solve_refined(rt_complex_factor *f, const double _Complex *values,
                                             double _Complex *b, double _Complex *r,
                                             routh_error *error)
{
    const rt_pattern *p = f->pattern;
    const int n = p->n_columns;
    memcpy(r, b, (size_t)n * sizeof *r);
    routh_status status = rt_complex_factor_solve(f, b, 1, error);
    for (int c = 0; c < n && !status; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++) r[p->row[e]] -= values[e] * b[c];
    if (!status) status = rt_complex_factor_solve(f, r, 1, error);
    for (int i = 0; i < n && !status; i++) b[i] += r[i];
    return status;
}

static routh_status complex_factor_solve_transposed(rt_complex_factor *f, double _Complex *b,
                                                    routh_error *error)
{
    const int n = f->pattern->n_columns;
    double *x = (double *)b, sum = 0;
    if (!f->numeric)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a solve needs a numeric factorization that succeeded; there is none");
    klu_z_tsolve(f->symbolic, f->numeric, n, 1, x, 0, &f->common);
    for (int k = 0; k < 2 * n; k++) sum += 0 * x[k];
    if (sum == 0) return ROUTH_OK;
    return rt_fail(error, ROUTH_NUMERIC_ERROR,
                   "the solution of a complex sparse system of order %d is not finite", n);
}

routh_status rt_complex_factor_solve_transposed(rt_complex_factor *f, const double _Complex *values,
                                                double _Complex *b, double _Complex *r,
                                                routh_error *error)
{
    const rt_pattern *p = f->pattern;
    const int n = p->n_columns;
    memcpy(r, b, (size_t)n * sizeof *r);
    routh_status status = complex_factor_solve_transposed(f, b, error);
    for (int c = 0; c < n && !status; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++) r[c] -= values[e] * b[p->row[e]];
    if (!status) status = complex_factor_solve_transposed(f, r, error);
    for (int i = 0; i < n && !status; i++) b[i] += r[i];
    return status;
}

/* 1 or -1 of a permutation */
static int complex_factor_sign_of(const int *permutation, int n, double _Complex *marks)
{
    int sign = 1;
    memset(marks, 0, (size_t)n * sizeof *marks);
    for (int k = 0; k < n; k++) {
        if (creal(marks[k]) != 0) continue;
        for (int i = permutation[k]; i != k; i = permutation[i]) marks[i] = 1, sign = -sign;
    }
    return sign;
}

/* P (R^-1 A) Q = L U with the unit diagonal in L */
void rt_complex_factor_determinant(const rt_complex_factor *f, double *log_modulus,
                                   double _Complex *phase, double _Complex *work)
{
    const double *U = f->numeric->Udiag, *scale = f->numeric->Rs;
    const int n = f->pattern->n_columns;
    *phase = complex_factor_sign_of(f->numeric->Pnum, n, work) *
             complex_factor_sign_of(f->symbolic->Q, n, work);
    *log_modulus = 0;
    for (int k = 0; k < n; k++) {
        const double re = U[2 * (size_t)k], im = U[2 * (size_t)k + 1], size = hypot(re, im);
        *phase *= (re + I * im) / size;
        *log_modulus += log(size) + (scale ? log(scale[k]) : 0);
        if (k % 64 == 0) *phase /= cabs(*phase);
    }
    *phase /= cabs(*phase);
}

void rt_complex_factor_free(rt_complex_factor *f)
{
    if (!f) return;
    if (f->numeric) klu_z_free_numeric(&f->numeric, &f->common);
    if (f->symbolic) klu_free_symbolic(&f->symbolic, &f->common);
    free(f);
}
