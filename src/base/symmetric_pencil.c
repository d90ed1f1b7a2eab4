#include "base/symmetric_pencil.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Entries of a column on and below the diagonal, one pattern after another. */
typedef struct symmetric_pencil_walk {
    const rt_pattern *p;
    int e, end;
} symmetric_pencil_walk;

static symmetric_pencil_walk symmetric_pencil_start(const rt_pattern *p, int column)
{
    symmetric_pencil_walk w = {p, p->start[column], p->start[column + 1]};
    while (w.e < w.end && p->row[w.e] < column) w.e++;
    return w;
}

static int symmetric_pencil_row_of(const symmetric_pencil_walk *w, int n)
{
    return w->e < w->end ? w->p->row[w->e] : n;
}

/* Both columns together, and the diagonal in any case; row, values, rest: NULL where not wanted. */
static int merge_column(const rt_shifted_pencil *s, int column, int *row, double shift,
                        double *values, double *rest)
{
    const rt_symmetric_pencil *p = s->pencil;
    symmetric_pencil_walk K = symmetric_pencil_start(p->K_pattern, column),
                          M = symmetric_pencil_start(p->M_pattern, column);
    int n = 0;
    for (;;) {
        const int k = symmetric_pencil_row_of(&K, s->n), m = symmetric_pencil_row_of(&M, s->n);
        int r = k < m ? k : m;
        if (n == 0) r = column;
        if (r == s->n) return n;
        rt_dd value = {0};
        if (k == r) value = rt_dd_sum_of(p->K[K.e], rest ? p->K_rest[K.e] : 0), K.e++;
        if (m == r) {
            const rt_dd mass = rt_dd_sum_of(p->M[M.e], rest ? p->M_rest[M.e] : 0);
            value = rest ? rt_dd_fma(value, rt_dd_of(-shift), mass)
                         : rt_dd_of(value.high - shift * mass.high);
            M.e++;
        }
        if (row) row[n] = r;
        if (values) values[n] = value.high;
        if (rest) rest[n] = value.low;
        n++;
    }
}

static routh_status symmetric_pencil_build(rt_shifted_pencil *s, routh_error *error)
{
    double total = 0;
    s->sum = (rt_pattern){.n_rows = s->n, .n_columns = s->n};
    s->sum.start = RT_TAKE(&s->arena, int, (size_t)s->n + 1);
    if (!s->sum.start) return rt_fail_memory(error);
    for (int c = 0; c < s->n; c++) {
        const int n = merge_column(s, c, NULL, 0, NULL, NULL);
        total += n;
        if (total > 1e9)
            return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                           "the matrices of a pencil of order %d have more than 1e9 entries", s->n);
        s->sum.start[c + 1] = s->sum.start[c] + n;
    }
    s->sum.row = RT_TAKE(&s->arena, int, s->sum.start[s->n]);
    s->values = RT_TAKE(&s->arena, double, s->sum.start[s->n]);
    if (!s->sum.row || !s->values) return rt_fail_memory(error);
    if (s->pencil->K_rest) {
        s->rest = RT_TAKE(&s->arena, double, s->sum.start[s->n]);
        s->solution = RT_TAKE(&s->arena, rt_dd, s->n);
        s->right = RT_TAKE(&s->arena, rt_dd, s->n);
        s->correction = RT_TAKE(&s->arena, rt_dd, s->n);
        if (!s->rest || !s->solution || !s->right || !s->correction) return rt_fail_memory(error);
    }
    for (int c = 0; c < s->n; c++) merge_column(s, c, s->sum.row + s->sum.start[c], 0, NULL, NULL);
    if (!s->factors) return rt_ldl_create(&s->factor, &s->sum, error);
    return s->factors->open(s->factors->context, s->n, s->sum.start, s->sum.row, error);
}

routh_status rt_shifted_pencil_create(rt_shifted_pencil *s, const rt_symmetric_pencil *p,
                                      const routh_factors *factors, routh_error *error)
{
    const int n = p->K_pattern->n_columns;
    *s = (rt_shifted_pencil){.pencil = p, .n = n};
    if (n < 1 || p->K_pattern->n_rows != n || p->M_pattern->n_columns != n ||
        p->M_pattern->n_rows != n || p->n_constraints < 0 || p->n_constraints > n)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a stiffness matrix of %d x %d and a mass matrix of %d x %d with %d "
                       "constraints: both must be square and of one order",
                       p->K_pattern->n_rows, n, p->M_pattern->n_rows, p->M_pattern->n_columns,
                       p->n_constraints);
    s->factors = factors;
    const routh_status status = symmetric_pencil_build(s, error);
    if (status) rt_shifted_pencil_free(s);
    return status;
}

void rt_shifted_pencil_free(rt_shifted_pencil *s)
{
    if (s->factors) s->factors->close(s->factors->context);
    rt_ldl_free(s->factor);
    free(s->work);
    rt_arena_free(&s->arena);
    *s = (rt_shifted_pencil){0};
}

/* As below, by the factors that were given. */
static routh_status factor_elsewhere(rt_shifted_pencil *s, int *below, bool *singular,
                                     routh_error *error)
{
    int negative = 0, vanishes = 0;
    const routh_status status =
        s->factors->factor(s->factors->context, s->values, &negative, &vanishes, error);
    *singular = vanishes != 0;
    *below = negative - s->pencil->n_constraints;
    return status;
}

static routh_status symmetric_pencil_factor(rt_shifted_pencil *s, double shift, bool count_only,
                                            int *below, bool *singular, routh_error *error)
{
    routh_error why;
    *below = 0, *singular = false;
    routh_status status = rt_progress_ask(s->progress, 1, error);
    if (status) return status;
    s->shift = shift;
    for (int c = 0; c < s->n; c++)
        merge_column(s, c, NULL, shift, s->values + s->sum.start[c],
                     s->rest ? s->rest + s->sum.start[c] : NULL);
    s->n_factors++;
    if (s->factors) return factor_elsewhere(s, below, singular, error);
    status = count_only ? rt_ldl_count(s->factor, s->values, &why)
                        : rt_ldl_factor(s->factor, s->values, &why);
    *singular = status == ROUTH_SINGULAR;
    *below =
        status && !*singular ? 0 : rt_ldl_inertia(s->factor).negative - s->pencil->n_constraints;
    if (!status || *singular) return ROUTH_OK;
    if (error) *error = why;
    return status;
}

routh_status rt_shifted_pencil_factor(rt_shifted_pencil *s, double shift, int *below,
                                      bool *singular, routh_error *error)
{
    return symmetric_pencil_factor(s, shift, false, below, singular, error);
}

routh_status rt_shifted_pencil_count(rt_shifted_pencil *s, double shift, int *below, bool *singular,
                                     routh_error *error)
{
    return symmetric_pencil_factor(s, shift, true, below, singular, error);
}

static routh_status symmetric_pencil_solve(rt_shifted_pencil *s, double *x, int m,
                                           routh_error *error)
{
    if (s->factors) return s->factors->solve(s->factors->context, x, m, error);
    const size_t needed = rt_ldl_work(s->factor, m);
    if (needed > s->n_work) {
        free(s->work);
        s->work = malloc(needed * sizeof *s->work);
        s->n_work = s->work ? needed : 0;
        if (!s->work) return rt_fail_memory(error);
    }
    return rt_ldl_solve(s->factor, x, m, s->work, error);
}

/* y := y - (K - s M) x, with 106 bits */
static void symmetric_pencil_subtract(const rt_shifted_pencil *s, const rt_dd *x, rt_dd *y)
{
    for (int c = 0; c < s->n; c++) {
        rt_dd sum = y[c];
        for (int e = s->sum.start[c]; e < s->sum.start[c + 1]; e++) {
            const int r = s->sum.row[e];
            const rt_dd a = {-s->values[e], -s->rest[e]};
            if (r > c) y[r] = rt_dd_fma(y[r], a, x[c]);
            sum = rt_dd_fma(sum, a, x[r]);
        }
        y[c] = sum;
    }
}

static double symmetric_pencil_largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* x := (K - s M)^-1 x of the matrix with its rest: corrected by residuals of 106 bits while each
 * correction is less than half of the one before, to the digits of doubles. */
static routh_status symmetric_pencil_solve_extended(rt_shifted_pencil *s, double *x,
                                                    routh_error *error)
{
    enum { MOST_CORRECTIONS = 60 };
    static const double settled = 0x1p-60;
    routh_status status = ROUTH_OK;
    double before = INFINITY, size = 0;
    for (int i = 0; i < s->n; i++) s->right[i] = rt_dd_of(x[i]), s->solution[i] = rt_dd_of(0);
    for (int k = 0; k < MOST_CORRECTIONS && !status; k++) {
        status = symmetric_pencil_solve(s, x, 1, error);
        const double change = symmetric_pencil_largest(x, s->n);
        if (status || !(change < before / 2)) break;
        for (int i = 0; i < s->n; i++) s->solution[i] = rt_dd_add(s->solution[i], rt_dd_of(x[i]));
        before = change, size = fmax(size, change);
        if (change <= settled * size) break;
        memcpy(s->correction, s->right, (size_t)s->n * sizeof *s->right);
        symmetric_pencil_subtract(s, s->solution, s->correction);
        for (int i = 0; i < s->n; i++) x[i] = s->correction[i].high;
    }
    for (int i = 0; i < s->n; i++) x[i] = s->solution[i].high;
    return status;
}

routh_status rt_shifted_pencil_solve(rt_shifted_pencil *s, double *x, int m, routh_error *error)
{
    routh_status status = rt_progress_ask(s->progress, 1, error);
    if (status) return status;
    s->n_solves += m;
    if (!s->rest) return symmetric_pencil_solve(s, x, m, error);
    for (int k = 0; k < m && !status; k++)
        status = symmetric_pencil_solve_extended(s, x + (size_t)s->n * (size_t)k, error);
    return status;
}

size_t rt_shifted_pencil_bytes(const rt_shifted_pencil *s)
{
    return s->factors ? (size_t)s->factors->bytes(s->factors->context) : rt_ldl_bytes(s->factor);
}

/* Four columns with one reading of the matrix. */
static void multiply_four(const rt_pattern *p, const double *values, const double *x, double *y)
{
    const size_t n = (size_t)p->n_columns;
    for (int c = 0; c < p->n_columns; c++) {
        const double x0 = x[c], x1 = x[n + c], x2 = x[2 * n + c], x3 = x[3 * n + c];
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (int e = p->start[c]; e < p->start[c + 1]; e++) {
            const int r = p->row[e];
            if (r < c) continue;
            const double v = values[e], w = r > c ? v : 0;
            y[r] += v * x0, y[n + r] += v * x1, y[2 * n + r] += v * x2, y[3 * n + r] += v * x3;
            s0 += w * x[r], s1 += w * x[n + r], s2 += w * x[2 * n + r], s3 += w * x[3 * n + r];
        }
        y[c] += s0, y[n + c] += s1, y[2 * n + c] += s2, y[3 * n + c] += s3;
    }
}

static void multiply_two(const rt_pattern *p, const double *values, const double *x, double *y)
{
    const size_t n = (size_t)p->n_columns;
    for (int c = 0; c < p->n_columns; c++) {
        const double x0 = x[c], x1 = x[n + c];
        double s0 = 0, s1 = 0;
        for (int e = p->start[c]; e < p->start[c + 1]; e++) {
            const int r = p->row[e];
            if (r < c) continue;
            const double v = values[e], w = r > c ? v : 0;
            y[r] += v * x0, y[n + r] += v * x1;
            s0 += w * x[r], s1 += w * x[n + r];
        }
        y[c] += s0, y[n + c] += s1;
    }
}

static void multiply_one(const rt_pattern *p, const double *values, const double *x, double *y)
{
    for (int c = 0; c < p->n_columns; c++) {
        double sum = 0;
        for (int e = p->start[c]; e < p->start[c + 1]; e++) {
            const int r = p->row[e];
            if (r < c) continue;
            y[r] += values[e] * x[c];
            if (r > c) sum += values[e] * x[r];
        }
        y[c] += sum;
    }
}

void rt_symmetric_multiply(const rt_pattern *p, const double *values, const double *x, int m,
                           double *y)
{
    const size_t n = (size_t)p->n_columns;
    memset(y, 0, n * (size_t)m * sizeof *y);
    for (; m >= 4; m -= 4, x += 4 * n, y += 4 * n) multiply_four(p, values, x, y);
    if (m > 1) multiply_two(p, values, x, y), m -= 2, x += 2 * n, y += 2 * n;
    if (m > 0) multiply_one(p, values, x, y);
}

void rt_symmetric_form(const rt_pattern *p, const double *values, const double *x, int m,
                       double *value, double *moduli)
{
    const double *at[4];
    double total[4] = {0}, all[4] = {0};
    for (int k = 0; k < 4; k++) at[k] = x + (k < m ? (size_t)k * (size_t)p->n_columns : 0);
    for (int c = 0; c < p->n_columns; c++) {
        double sum[4] = {0}, size[4] = {0};
        for (int e = p->start[c]; e < p->start[c + 1]; e++) {
            const int r = p->row[e];
            if (r < c) continue;
            const double v = r > c ? 2 * values[e] : values[e];
            for (int k = 0; k < 4; k++) {
                const double term = v * at[k][r];
                sum[k] += term, size[k] += fabs(term);
            }
        }
        for (int k = 0; k < 4; k++) {
            total[k] += at[k][c] * sum[k];
            all[k] += fabs(at[k][c]) * size[k];
        }
    }
    for (int k = 0; k < m; k++) value[k] = total[k], moduli[k] = all[k];
}

rt_dd rt_symmetric_form_extended(const rt_pattern *p, const double *values, const double *rest,
                                 const double *x)
{
    rt_dd total = {0};
    for (int c = 0; c < p->n_columns; c++) {
        rt_dd sum = {0};
        for (int e = p->start[c]; e < p->start[c + 1]; e++) {
            const int r = p->row[e];
            if (r < c) continue;
            const double by = r > c ? 2 : 1;
            sum = rt_dd_fma(sum, rt_dd_sum_of(by * values[e], by * rest[e]), rt_dd_of(x[r]));
        }
        total = rt_dd_fma(total, sum, rt_dd_of(x[c]));
    }
    return total;
}

void rt_symmetric_multiply_moduli(const rt_pattern *p, const double *values, const double *x,
                                  double *y)
{
    memset(y, 0, (size_t)p->n_columns * sizeof *y);
    for (int c = 0; c < p->n_columns; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++) {
            const int r = p->row[e];
            if (r < c) continue;
            y[r] += fabs(values[e] * x[c]);
            if (r > c) y[c] += fabs(values[e] * x[r]);
        }
}
