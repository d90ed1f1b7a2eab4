/* The pencil of the whole system, y = (states, xi, u, u', lambda, X', V): its scales, how well a
 * pair solves it, and the rates of given states. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers/shifted.h"

/* Groups of rows: rates of states, the three levels, controllers and variables. */
enum { RATES, POSITION, VELOCITY, MOTION, ROWS, LOOPS, N_GROUPS };

static int group_of(const routh_descriptor *d, int row)
{
    const int n = d->n_coordinates, at = row - d->n_differential;
    if (at < 0) return RATES;
    if (at < 3 * n) return POSITION + at / n;
    return at < 3 * n + d->n_constraints ? ROWS : LOOPS;
}

/* ---- scales --------------------------------------------------------------------------------- */

/* Columns of A's part (rows of motion) x (xi, u, u'): its largest entry. */
static double largest_of_motion(const routh_descriptor *d, int level)
{
    const int first = d->n_differential + level * d->n_coordinates;
    double most = 0;
    for (int c = first; c < first + d->n_coordinates; c++)
        for (int e = d->A.start[c]; e < d->A.start[c + 1]; e++)
            if (group_of(d, d->A.row[e]) == MOTION) most = fmax(most, fabs(d->A.value[e]));
    return most;
}

static double rate_of(const routh_descriptor *d)
{
    const double K = largest_of_motion(d, 0), D = largest_of_motion(d, 1),
                 M = largest_of_motion(d, 2), rate = fmax(sqrt(K / M), 1e-3 * D / M);
    return rate > 0 && isfinite(rate) ? rate : 1;
}

static double whole_power_of_two(double x)
{
    int exponent = 0;
    if (!(x > 0) || !isfinite(x)) return 1;
    frexp(x, &exponent);
    return ldexp(1, exponent - 1);
}

/* One step: every row and column without a derivative to a largest entry of 1 (D. Ruiz,
 * RAL-TR-2001-034, by square roots), row and column of a state, whose product is given, to largest
 * entries that are equal (Osborne 1960). */
static void balance(const rt_shifted *s, double *row, double *most)
{
    const routh_sparse *A = &s->descriptor->A;
    const int order = s->order;
    double *of_row = most, *of_column = most + order;
    memset(most, 0, 2 * (size_t)order * sizeof *most);
    for (int c = 0; c < order; c++)
        for (int e = A->start[c]; e < A->start[c + 1]; e++) {
            const double size = fabs(row[A->row[e]] * A->value[e] * s->scale[c]);
            of_row[A->row[e]] = fmax(of_row[A->row[e]], size);
            of_column[c] = fmax(of_column[c], size);
        }
    for (int i = 0; i < order; i++) {
        const double r = of_row[i] > 0 ? of_row[i] : 1, c = of_column[i] > 0 ? of_column[i] : 1;
        if (i < s->n) {
            const double by = of_row[i] > 0 && of_column[i] > 0 ? sqrt(r / c) : 1;
            s->scale[i] *= sqrt(by), row[i] /= sqrt(by);
        } else
            row[i] /= sqrt(r), s->scale[i] /= sqrt(c);
    }
}

routh_status rt_whole_scales(rt_shifted *s, double *row, routh_error *error)
{
    enum { PASSES = 12 };
    double *most = malloc(2 * (size_t)s->order * sizeof *most + 1);
    if (!most) return rt_fail_memory(error);
    s->rate = rate_of(s->descriptor);
    for (int i = 0; i < s->order; i++) s->scale[i] = 1, row[i] = i < s->n ? 1 / s->rate : 1;
    for (int pass = 0; pass < PASSES; pass++) balance(s, row, most);
    for (int i = 0; i < s->order; i++) {
        s->scale[i] = whole_power_of_two(s->scale[i]);
        row[i] = i < s->n ? 1 / s->rate / s->scale[i] : whole_power_of_two(row[i]);
    }
    free(most);
    return ROUTH_OK;
}

/* ---- errors of a pair ----------------------------------------------------------------------- */

/* Each group of rows relative to its own largest sum of sizes; where all of these are rounding, as
 * of forces that a mode does not have, to a part of the largest of all. */
rt_pair_errors rt_whole_errors(rt_shifted *s, const double lambda[2], const double *re,
                               const double *im)
{
    static const double nothing = 1e-6;
    const double size = hypot(lambda[0], lambda[1]);
    rt_shifted_sums *row = s->sums;
    double worst[N_GROUPS] = {0}, most[N_GROUPS] = {0}, all = 0;
    memset(row, 0, (size_t)s->order * sizeof *row);
    for (int c = 0; c < s->order; c++) {
        const double x = re[c], y = im[c], modulus = sqrt(x * x + y * y);
        const double l_x = lambda[0] * x - lambda[1] * y, l_y = lambda[0] * y + lambda[1] * x;
        for (int e = s->pattern.start[c]; e < s->pattern.start[c + 1]; e++) {
            rt_shifted_sums *r = &row[s->pattern.row[e]];
            r->re += s->A[e] * x - s->E[e] * l_x;
            r->im += s->A[e] * y - s->E[e] * l_y;
            r->size += (fabs(s->A[e]) + size * fabs(s->E[e])) * modulus;
        }
    }
    rt_pair_errors errors = {.balance = INFINITY};
    for (int i = 0; i < s->order; i++) {
        const int g = group_of(s->descriptor, i);
        const double off = hypot(row[i].re, row[i].im);
        if (off > worst[g] || isnan(off)) worst[g] = off;
        most[g] = fmax(most[g], row[i].size);
        all = fmax(all, row[i].size);
    }
    for (int g = 0; g < N_GROUPS; g++) {
        const double size_of = fmax(most[g], nothing * all);
        const double relative = worst[g] > 0 || isnan(worst[g]) ? worst[g] / size_of : 0;
        if (relative > errors.residual || isnan(relative)) errors.residual = relative;
        if (g == POSITION || g == VELOCITY) errors.violation = fmax(errors.violation, relative);
    }
    return errors;
}

/* ---- the rates of states -------------------------------------------------------------------- */

/* Rows of states hold them; the others are those of A. */
static routh_status factor_algebra(rt_shifted *s, routh_error *error)
{
    if (s->algebra) return ROUTH_OK;
    s->algebra_values = RT_TAKE(&s->arena, double, s->pattern.start[s->order]);
    if (!s->algebra_values) return rt_fail_memory(error);
    for (int c = 0; c < s->order; c++)
        for (int e = s->pattern.start[c]; e < s->pattern.start[c + 1]; e++)
            s->algebra_values[e] = s->pattern.row[e] < s->n ? s->E[e] : s->A[e];
    const routh_status status = rt_factor_create(&s->algebra, &s->pattern, RT_ORDER_COLAMD, error);
    return status ? status : rt_factor_numeric(s->algebra, s->algebra_values, error);
}

routh_status rt_whole_rates(rt_shifted *s, const double *x, double *y, double *rates, double *terms,
                            routh_error *error)
{
    routh_status status = factor_algebra(s, error);
    if (status) return status;
    memset(y, 0, (size_t)s->order * sizeof *y);
    memcpy(y, x, (size_t)s->n * sizeof *y);
    status = rt_factor_solve(s->algebra, y, 1, NULL, error);
    if (status) return status;
    memset(s->sums, 0, (size_t)s->n * sizeof *s->sums);
    for (int c = 0; c < s->order; c++)
        for (int e = s->pattern.start[c]; e < s->pattern.start[c + 1]; e++) {
            if (s->pattern.row[e] >= s->n) continue;
            s->sums[s->pattern.row[e]].re += s->A[e] * y[c];
            s->sums[s->pattern.row[e]].size += fabs(s->A[e] * y[c]);
        }
    *terms = 0;
    for (int i = 0; i < s->n; i++) {
        rates[i] = s->sums[i].re;
        *terms = fmax(*terms, s->sums[i].size);
    }
    return ROUTH_OK;
}
