#include "answers/shifted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct rt_shifted_sums shifted_sums;

/* ---- scaling -------------------------------------------------------------------------------- */

/* 0 xi, 1 du, 2 lambda; rows likewise */
static int block_of(const routh_descriptor *d, int index)
{
    return index < d->n_coordinates ? 0 : index < 2 * d->n_coordinates ? 1 : 2;
}

static double shifted_largest(const routh_descriptor *d, const routh_sparse *m, int row_block,
                              int column_block)
{
    double most = 0;
    for (int c = 0; c < m->n_columns; c++)
        for (int e = m->start[c]; e < m->start[c + 1] && block_of(d, c) == column_block; e++)
            if (block_of(d, m->row[e]) == row_block) most = fmax(most, fabs(m->value[e]));
    return most;
}

/* A power of two: scaling loses no digit. */
static double one_if_none(double x)
{
    int exponent;
    if (!(x > 0 && isfinite(x))) return 1;
    frexp(x, &exponent);
    return ldexp(1, exponent);
}

/* The blocks -K, M, -G become 1 at most, with du counted in rate = sqrt(|K| / |M|). */
static void choose_scales(rt_shifted *s, double row[3], double column[3])
{
    const routh_descriptor *d = s->descriptor;
    const double mass = one_if_none(shifted_largest(d, &d->E, 1, 1)),
                 G = one_if_none(shifted_largest(d, &d->A, 2, 0));
    const double K = shifted_largest(d, &d->A, 1, 0), D = shifted_largest(d, &d->A, 1, 1);
    s->rate = one_if_none(K > 0 ? sqrt(K / mass) : D / mass);
    const double force = s->rate * s->rate * mass;
    row[0] = 1 / s->rate, row[1] = 1 / force, row[2] = 1 / G;
    column[0] = 1, column[1] = s->rate, column[2] = force / G;
}

static size_t shifted_count(const routh_sparse *m) { return (size_t)m->start[m->n_columns]; }

static size_t shifted_list(const routh_sparse *m, int *row, int *column)
{
    size_t k = 0;
    for (int c = 0; c < m->n_columns; c++)
        for (int e = m->start[c]; e < m->start[c + 1]; e++) row[k] = m->row[e], column[k++] = c;
    return k;
}

static void shifted_scatter(const routh_sparse *m, const double *value, const double *row,
                            const double *column, double factor, const int *position, double *to)
{
    size_t k = 0;
    for (int c = 0; c < m->n_columns; c++)
        for (int e = m->start[c]; e < m->start[c + 1]; e++)
            to[position[k++]] += factor * row[m->row[e]] * value[e] * column[c];
}

/* What is known of the entries beyond doubles. */
static routh_status shifted_extend(rt_shifted *s, const double *rows, const int *position,
                                   size_t n_E, size_t n_A, routh_error *error)
{
    const routh_descriptor *d = s->descriptor;
    const size_t n = (size_t)s->pattern.start[s->order];
    if (!d->A_rest) return ROUTH_OK;
    s->E_rest = RT_TAKE(&s->arena, double, n), s->A_rest = RT_TAKE(&s->arena, double, n);
    s->E_error = RT_TAKE(&s->arena, double, ROUTH_ERROR_SAMPLES *n);
    s->A_error = RT_TAKE(&s->arena, double, ROUTH_ERROR_SAMPLES *n);
    if (!s->E_rest || !s->A_rest || !s->E_error || !s->A_error) return rt_fail_memory(error);
    shifted_scatter(&d->E, d->E_rest, rows, s->scale, s->rate, position, s->E_rest);
    shifted_scatter(&d->A, d->A_rest, rows, s->scale, 1, position + n_E, s->A_rest);
    for (size_t k = 0; k < ROUTH_ERROR_SAMPLES; k++) {
        shifted_scatter(&d->E, d->E_error + k * n_E, rows, s->scale, s->rate, position,
                        s->E_error + k * n);
        shifted_scatter(&d->A, d->A_error + k * n_A, rows, s->scale, 1, position + n_E,
                        s->A_error + k * n);
    }
    return ROUTH_OK;
}

/* rows: order */
static routh_status shifted_scale(rt_shifted *s, double *rows, routh_error *error)
{
    double row[3], column[3];
    if (s->whole) return rt_whole_scales(s, rows, error);
    choose_scales(s, row, column);
    for (int i = 0; i < s->order; i++) {
        rows[i] = row[block_of(s->descriptor, i)];
        s->scale[i] = column[block_of(s->descriptor, i)];
    }
    return ROUTH_OK;
}

/* Both matrices on the pattern that holds the entries of both. */
static routh_status shifted_fill(rt_shifted *s, int *entries, size_t n_E, size_t n_A,
                                 routh_error *error)
{
    const routh_descriptor *d = s->descriptor;
    const size_t all = n_E + n_A;
    int *row = entries, *column = row + all, *position = column + all;
    shifted_list(&d->E, row, column);
    shifted_list(&d->A, row + n_E, column + n_E);
    const routh_status status = rt_pattern_build(&s->pattern, s->order, s->order, all, row, column,
                                                 position, &s->arena, error);
    if (status) return status;
    s->E = RT_TAKE(&s->arena, double, s->pattern.start[s->order]);
    s->A = RT_TAKE(&s->arena, double, s->pattern.start[s->order]);
    s->scale = RT_TAKE(&s->arena, double, s->order);
    s->full = RT_TAKE(&s->arena, double, s->order);
    s->sums = RT_TAKE(&s->arena, shifted_sums, s->order);
    double *rows = RT_TAKE(&s->arena, double, s->order);
    if (!s->E || !s->A || !s->scale || !s->full || !s->sums || !rows) return rt_fail_memory(error);
    const routh_status scaled = shifted_scale(s, rows, error);
    if (scaled) return scaled;
    shifted_scatter(&d->E, d->E.value, rows, s->scale, s->rate, position, s->E);
    shifted_scatter(&d->A, d->A.value, rows, s->scale, 1, position + n_E, s->A);
    return shifted_extend(s, rows, position, n_E, n_A, error);
}

routh_status rt_shifted_create(rt_shifted *s, const routh_descriptor *d, routh_error *error)
{
    *s = (rt_shifted){.descriptor = d, .whole = d->n_differential > 0, .order = d->A.n_columns};
    s->n = s->whole ? d->n_differential : 2 * d->n_coordinates;
    const size_t n_E = shifted_count(&d->E), n_A = shifted_count(&d->A);
    int *entries = malloc((3 * (n_E + n_A) + 1) * sizeof *entries);
    routh_status status =
        entries ? shifted_fill(s, entries, n_E, n_A, error) : rt_fail_memory(error);
    free(entries);
    if (status) rt_shifted_free(s);
    return status;
}

/* ---- without du ----------------------------------------------------------------------------- */

static int shifted_part_of(const routh_descriptor *d, int index)
{
    return block_of(d, index) == 0 ? index : index - d->n_coordinates;
}

/* Nothing is put in. */
static routh_status shifted_keep_all(rt_shifted *s, routh_error *error)
{
    s->reduced = s->pattern;
    s->values = RT_TAKE(&s->arena, double, s->pattern.start[s->order]);
    s->part = RT_TAKE(&s->arena, double, s->order);
    return s->values && s->part ? ROUTH_OK : rt_fail_memory(error);
}

/* Entries of the rows of motion and of constraints. */
routh_status rt_shifted_reduce(rt_shifted *s, routh_error *error)
{
    if (s->values) return ROUTH_OK;
    if (s->whole) return shifted_keep_all(s, error);
    const routh_descriptor *d = s->descriptor;
    const int n = d->n_coordinates + d->n_constraints, n_all = s->pattern.start[s->order];
    int *row = malloc((3 * (size_t)n_all + 1) * sizeof *row), k = 0;
    int *column = row ? row + n_all : NULL, *position = row ? column + n_all : NULL;
    s->reduced_at = RT_TAKE(&s->arena, int, n_all);
    s->part = RT_TAKE(&s->arena, double, n);
    if (!row || !s->reduced_at || !s->part) {
        free(row);
        return rt_fail_memory(error);
    }
    for (int c = 0; c < s->order; c++)
        for (int e = s->pattern.start[c]; e < s->pattern.start[c + 1]; e++) {
            const int r = s->pattern.row[e];
            s->reduced_at[e] = block_of(d, r) == 0 ? -1 : k;
            if (s->reduced_at[e] >= 0)
                row[k] = shifted_part_of(d, r), column[k++] = shifted_part_of(d, c);
        }
    const routh_status status =
        rt_pattern_build(&s->reduced, n, n, (size_t)k, row, column, position, &s->arena, error);
    for (int e = 0; e < n_all && !status; e++)
        if (s->reduced_at[e] >= 0) s->reduced_at[e] = position[s->reduced_at[e]];
    free(row);
    if (status) return status;
    s->values = RT_TAKE(&s->arena, double, s->reduced.start[n]);
    return s->values ? ROUTH_OK : rt_fail_memory(error);
}

routh_status rt_shifted_make_operator(rt_shifted *s, routh_error *error)
{
    const routh_status status = rt_shifted_reduce(s, error);
    if (status || s->factor) return status;
    return rt_factor_create(&s->factor, &s->reduced, s->whole ? RT_ORDER_COLAMD : RT_ORDER_AMD,
                            error);
}

void rt_shifted_free(rt_shifted *s)
{
    rt_factor_free(s->factor);
    rt_factor_free(s->algebra);
    rt_arena_free(&s->arena);
    *s = (rt_shifted){0};
}

/* ---- the operator --------------------------------------------------------------------------- */

static void shifted_fill_reduced(rt_shifted *s, double shift)
{
    const routh_descriptor *d = s->descriptor;
    if (s->whole) {
        for (int e = 0; e < s->pattern.start[s->order]; e++)
            s->values[e] = s->A[e] - shift * s->E[e];
        return;
    }
    memset(s->values, 0, (size_t)s->reduced.start[s->reduced.n_columns] * sizeof *s->values);
    for (int c = 0; c < s->order; c++) {
        const double by = block_of(d, c) == 1 ? shift : 1;
        for (int e = s->pattern.start[c]; e < s->pattern.start[c + 1]; e++)
            if (s->reduced_at[e] >= 0)
                s->values[s->reduced_at[e]] += by * (s->A[e] - shift * s->E[e]);
    }
}

routh_status rt_shifted_factor(rt_shifted *s, double shift, bool *singular, routh_error *error)
{
    routh_error why;
    *singular = false;
    routh_status status = rt_progress_ask(s->progress, 1, error);
    if (status) return status;
    s->shift = shift;
    shifted_fill_reduced(s, shift);
    status = rt_factor_numeric(s->factor, s->values, &why);
    *singular = status == ROUTH_SINGULAR;
    if (!status || *singular) return ROUTH_OK;
    if (error) *error = why;
    return status;
}

/* (A - s E) y = (x, 0), both scaled so that E = diag(I, 0) */
static routh_status shifted_apply_whole(rt_shifted *s, const double *x, double *y,
                                        routh_error *error)
{
    memset(s->full, 0, (size_t)s->order * sizeof *s->full);
    memcpy(s->full, x, (size_t)s->n * sizeof *s->full);
    routh_status status = rt_progress_ask(s->progress, 1, error);
    if (!status) status = rt_factor_solve(s->factor, s->full, 1, NULL, error);
    if (!status) memcpy(y, s->full, (size_t)s->n * sizeof *y);
    return status;
}

/* E x = (f, g, 0):  [..] (xi, lam) = (g - (A11 - s E11) f, 0),  du = f + s xi */
routh_status rt_shifted_apply(void *context, double *x, double *y, routh_error *error)
{
    rt_shifted *s = context;
    const int n = s->n / 2;
    if (s->whole) return shifted_apply_whole(s, x, y, error);
    memset(s->full, 0, (size_t)s->order * sizeof(double));
    for (int c = 0; c < s->n; c++)
        for (int e = s->pattern.start[c]; e < s->pattern.start[c + 1]; e++)
            s->full[s->pattern.row[e]] += s->E[e] * x[c];
    memcpy(s->part, s->full + n, (size_t)(s->order - n) * sizeof *s->part);
    for (int c = n; c < s->n; c++)
        for (int e = s->pattern.start[c]; e < s->pattern.start[c + 1]; e++)
            if (s->reduced_at[e] >= 0)
                s->part[s->pattern.row[e] - n] -= (s->A[e] - s->shift * s->E[e]) * s->full[c - n];
    routh_status status = rt_progress_ask(s->progress, 1, error);
    if (!status) status = rt_factor_solve(s->factor, s->part, 1, NULL, error);
    if (status) return status;
    for (int k = 0; k < n; k++) {
        s->full[n + k] = s->full[k] + s->shift * s->part[k];
        s->full[k] = s->part[k];
    }
    memcpy(s->full + s->n, s->part + n, (size_t)(s->order - s->n) * sizeof *s->part);
    memcpy(y, s->full, (size_t)s->n * sizeof *y);
    return ROUTH_OK;
}

/* ---- checks --------------------------------------------------------------------------------- */

/* r = A y - lambda E y and the sum of its terms' sizes, and the same of A (xi, 0, lam) */
static void shifted_residual(const rt_shifted *s, const double lambda[2], const double *re,
                             const double *im, shifted_sums *row)
{
    memset(row, 0, (size_t)s->order * sizeof *row);
    const double size = hypot(lambda[0], lambda[1]);
    for (int c = 0; c < s->order; c++) {
        const bool rate = block_of(s->descriptor, c) == 1;
        const double x = re[c], y = im[c], modulus = sqrt(x * x + y * y);
        const double l_x = lambda[0] * x - lambda[1] * y, l_y = lambda[0] * y + lambda[1] * x;
        for (int e = s->pattern.start[c]; e < s->pattern.start[c + 1]; e++) {
            shifted_sums *r = &row[s->pattern.row[e]];
            const double A = s->A[e], E = s->E[e];
            r->re += A * x - E * l_x;
            r->im += A * y - E * l_y;
            r->size += (fabs(A) + size * fabs(E)) * modulus;
            if (rate) continue;
            r->A_re += A * x, r->A_im += A * y, r->A_size += fabs(A) * modulus;
        }
    }
}

/* The larger; NaN where one is. */
static double worse(double a, double b) { return isnan(b) || a <= b ? b : a; }

/* Largest residual of a block of rows over its largest bound, or over the floor if that is more. */
static double shifted_relative(const rt_shifted *s, int block, double floor,
                               const shifted_sums *row)
{
    double worst = 0, size = floor;
    for (int i = 0; i < s->order; i++) {
        if (block_of(s->descriptor, i) != block) continue;
        worst = worse(row[i].re * row[i].re + row[i].im * row[i].im, worst);
        size = fmax(size, row[i].size);
    }
    return worst > 0 || isnan(worst) ? sqrt(worst) / size : 0;
}

static double relative_balance(const rt_shifted *s, double floor, const shifted_sums *row)
{
    double worst = 0, size = floor;
    for (int i = s->n / 2; i < s->n; i++) {
        worst = worse(row[i].A_re * row[i].A_re + row[i].A_im * row[i].A_im, worst);
        size = fmax(size, row[i].A_size);
    }
    return worst > 0 || isnan(worst) ? sqrt(worst) / size : 0;
}

static double largest_xi(const rt_shifted *s, const double *re, const double *im)
{
    double most = 0;
    for (int c = 0; c < s->n / 2; c++) most = fmax(most, re[c] * re[c] + im[c] * im[c]);
    return sqrt(most);
}

/* Where all terms of a row are rounding errors, they are compared with xi: the largest entries of K
 * and G are 1. */
rt_pair_errors rt_shifted_errors(rt_shifted *s, const double lambda[2], const double *re,
                                 const double *im)
{
    static const double nothing = 1e-6;
    if (s->whole) return rt_whole_errors(s, lambda, re, im);
    const double xi = largest_xi(s, re, im);
    shifted_residual(s, lambda, re, im, s->sums);
    rt_pair_errors e = {.violation = shifted_relative(s, 2, xi, s->sums)};
    e.residual = e.violation;
    for (int block = 0; block < 2; block++)
        e.residual = worse(shifted_relative(s, block, 0, s->sums), e.residual);
    e.balance = relative_balance(s, nothing * xi, s->sums);
    return e;
}
