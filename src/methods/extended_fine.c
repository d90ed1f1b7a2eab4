/* The balance of extended_balance.c by factors of 106 bits,
 *     P R J C Q = L U,    of [A_WS A_WX; A_XS A_XX] = J,
 * with complete pivoting, R and C powers of two that bring the largest entry of rows and columns to
 * one or so: a soft part is balanced beside one that is 1e14 times as stiff, whose singular value
 * is rounding in doubles. Unknowns without a pivot stay as they are. The factors of one state serve
 * for all that lie near, those of the samples: each is brought to its own equilibrium, as a stiff
 * part whose length is off by rounding would have a force that gives motions without stiffness one
 * of its own. */
#include <string.h>

#include "base/dd_matrix.h"
#include "base/error.h"
#include "methods/extended_parts.h"

/* Steps beyond this, typical lengths or radians, are of a point that is no equilibrium, */
static const double NEAR = 1e-3;

/* and those of a sample of one whose softest part is within rounding of none, as near a fold: where
 * it is in balance is not known, nor what stiffness it has there. */
static const double NEAR_SAMPLE = 0x1p-26;

/* Pivots below this fraction of the largest are motions without stiffness. What rounding leaves of
 * one is some 1e-30, and what forces out of balance give it, those that doubles cannot balance,
 * some 1e-24. */
static const double FREE = 1e-20;

/* Of the largest entry of J, times the typical length: residuals that rounding leaves. */
static const double ROUNDING = 1e-30;

static rt_dd *fine_at(const rt_extended_fine *f, int i, int j)
{
    return &f->J[i + (size_t)f->rows * (size_t)j];
}

/* After steps below this what is left of the residual belongs to motions without stiffness, as
 * where gravity has a moment about a free hinge that is tilted by rounding. */
static const double STILL = 1e-25;

/* ---- what there is to balance ---------------------------------------------------------------- */

static int fine_column(const rt_extended_work *q, int k)
{
    const int z = q->states.n;
    return k < z ? k : k + q->rates.n;
}

static rt_dd fine_entry(const rt_extended_work *q, const rt_extended_response *r, int i, int k)
{
    const int c = fine_column(q, k);
    const size_t at = (size_t)q->n * (size_t)c;
    const rt_dd *y = r->y + (size_t)q->order * (size_t)c;
    if (i >= q->rates.n) return y[q->n + q->n_rows + i - q->rates.n];
    return rt_dd_add(rt_extended_row_times(&q->rates, i, 0, y),
                     rt_dd_add(rt_extended_row_times(&q->rates, i, 2, r->u + at),
                               rt_extended_row_times(&q->rates, i, 3, r->xi + at)));
}

static double fine_residual(rt_extended_work *q, const double turn[3], rt_dd *udot, rt_dd *signal,
                            rt_dd *residual)
{
    static const double drifts = 1e-8;
    const int z1 = q->rates.n;
    double largest = 0;
    rt_wide_unsteadiness(q->wide, turn, udot);
    rt_wide_read(q->wide, RT_VARIED_SIGNAL, signal);
    for (int i = 0; i < z1; i++) residual[i] = rt_extended_row_times(&q->rates, i, 0, udot);
    for (int i = 0; i < q->n_x; i++) {
        const rt_dd rate = signal[q->n_x + i];
        residual[z1 + i] = fabs(rate.high) > drifts ? rt_dd_of(0) : rate;
    }
    for (int i = 0; i < z1 + q->n_x; i++) largest = fmax(largest, fabs(residual[i].high));
    return largest;
}

/* ---- factors --------------------------------------------------------------------------------- */

static bool fine_take_motion(rt_extended_motion *to, const rt_extended_work *q)
{
    to->xi = RT_TAKE(q->arena, rt_dd, q->n), to->u = RT_TAKE(q->arena, rt_dd, q->n);
    to->signal = RT_TAKE(q->arena, rt_dd, q->m->n_signals);
    return to->xi && to->u && to->signal;
}

static bool fine_take(rt_extended_fine *f, const rt_extended_work *q)
{
    rt_arena *arena = q->arena;
    f->rows = q->rates.n + q->n_x, f->columns = q->states.n + q->n_x;
    const size_t m = (size_t)f->rows, n = (size_t)f->columns;
    f->J = RT_TAKE(arena, rt_dd, m * n), f->residual = RT_TAKE(arena, rt_dd, m);
    f->step = RT_TAKE(arena, rt_dd, n), f->solution = RT_TAKE(arena, rt_dd, n);
    f->by_row = RT_TAKE(arena, double, m);
    f->by_column = RT_TAKE(arena, double, n);
    f->row = RT_TAKE(arena, int, m), f->column = RT_TAKE(arena, int, n);
    f->udot = RT_TAKE(arena, rt_dd, q->n);
    f->signal = RT_TAKE(arena, rt_dd, q->m->n_signals);
    for (int k = 0; k < RT_EXTENDED_STEPS; k++)
        if (!fine_take_motion(&f->motion[k], q)) return false;
    return f->J && f->residual && f->step && f->solution && f->by_row && f->by_column && f->row &&
           f->column && f->udot && f->signal;
}

/* A power of two near 1/largest of n numbers; 1 where all are zero. */
static double fine_scale_of(const rt_dd *x, int n, size_t stride)
{
    double largest = 0;
    for (int k = 0; k < n; k++) largest = fmax(largest, fabs(x[stride * (size_t)k].high));
    return largest > 0 ? ldexp(1, -ilogb(largest)) : 1;
}

static void fine_multiply(rt_dd *x, double by) { x->high *= by, x->low *= by; }

static void fine_scale(rt_extended_fine *f)
{
    const size_t m = (size_t)f->rows;
    for (int i = 0; i < f->rows; i++) {
        f->by_row[i] = fine_scale_of(f->J + i, f->columns, m), f->row[i] = i;
        for (int j = 0; j < f->columns; j++) fine_multiply(fine_at(f, i, j), f->by_row[i]);
    }
    for (int j = 0; j < f->columns; j++) {
        f->by_column[j] = fine_scale_of(fine_at(f, 0, j), f->rows, 1), f->column[j] = j;
        for (int i = 0; i < f->rows; i++) fine_multiply(fine_at(f, i, j), f->by_column[j]);
    }
}

static void fine_exchange_numbers(rt_dd *a, rt_dd *b)
{
    const rt_dd t = *a;
    *a = *b, *b = t;
}

/* The largest of what remains to place k; its size. */
static double fine_pivot(rt_extended_fine *f, int k)
{
    double best = 0;
    int p = k, q = k;
    for (int j = k; j < f->columns; j++)
        for (int i = k; i < f->rows; i++)
            if (fabs(fine_at(f, i, j)->high) > best)
                best = fabs(fine_at(f, i, j)->high), p = i, q = j;
    for (int j = 0; j < f->columns && p != k; j++)
        fine_exchange_numbers(fine_at(f, k, j), fine_at(f, p, j));
    for (int i = 0; i < f->rows && q != k; i++)
        fine_exchange_numbers(fine_at(f, i, k), fine_at(f, i, q));
    const int row = f->row[k], column = f->column[k];
    f->row[k] = f->row[p], f->row[p] = row;
    f->column[k] = f->column[q], f->column[q] = column;
    return best;
}

static void fine_factor(rt_extended_fine *f)
{
    const int few = f->rows < f->columns ? f->rows : f->columns;
    double first = 0;
    for (f->rank = 0; f->rank < few; f->rank++) {
        const int k = f->rank, below = f->rows - k - 1;
        const double pivot = fine_pivot(f, k);
        if (k == 0) first = pivot;
        if (!(pivot > FREE * first)) break;
        rt_dd *l = fine_at(f, k, k) + 1;
        for (int i = 0; i < below; i++)
            if (l[i].high != 0) l[i] = rt_dd_divide(l[i], *fine_at(f, k, k));
        for (int j = k + 1; j < f->columns; j++)
            rt_dd_add_column(below, rt_dd_negative(*fine_at(f, k, j)), l, fine_at(f, k, j) + 1);
    }
}

static void fine_fill(rt_extended_fine *f, const rt_extended_work *q, const rt_extended_response *r)
{
    double largest = 0;
    for (int k = 0; k < f->columns; k++)
        for (int i = 0; i < f->rows; i++) {
            *fine_at(f, i, k) = fine_entry(q, r, i, k);
            largest = fmax(largest, fabs(fine_at(f, i, k)->high));
        }
    f->least = ROUNDING * largest * fmax(1, q->m->length);
    fine_scale(f);
    fine_factor(f);
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* step := -C Q U^-1 L^-1 P R residual, zero where there is no pivot */
static void fine_solve(rt_extended_fine *f)
{
    rt_dd *x = f->solution;
    for (int k = 0; k < f->rank; k++) {
        x[k] = f->residual[f->row[k]];
        fine_multiply(&x[k], -f->by_row[f->row[k]]);
    }
    for (int k = 0; k < f->rank; k++)
        rt_dd_add_column(f->rank - k - 1, rt_dd_negative(x[k]), fine_at(f, k, k) + 1, x + k + 1);
    for (int k = f->rank - 1; k >= 0; k--) {
        x[k] = rt_dd_divide(x[k], *fine_at(f, k, k));
        rt_dd_add_column(k, rt_dd_negative(x[k]), fine_at(f, 0, k), x);
    }
    memset(f->step, 0, (size_t)f->columns * sizeof *f->step);
    for (int k = 0; k < f->rank; k++) {
        const int j = f->column[k];
        f->step[j] = x[k];
        fine_multiply(&f->step[j], f->by_column[j]);
    }
}

/* Along a step of the unknowns, to xi, u and signal: how far, typical lengths or radians. */
static double fine_motion(const rt_extended_work *q, const rt_extended_response *r,
                          const rt_dd *step, rt_extended_motion *to)
{
    const int z = q->states.n;
    const size_t n = (size_t)q->n;
    double largest = 0;
    memset(to->xi, 0, n * sizeof *to->xi), memset(to->u, 0, n * sizeof *to->u);
    memset(to->signal, 0, (size_t)q->m->n_signals * sizeof *to->signal);
    for (int k = 0; k < z + q->n_x; k++) {
        const size_t at = n * (size_t)fine_column(q, k);
        rt_dd_add_column(q->n, step[k], r->xi + at, to->xi);
        rt_dd_add_column(q->n, step[k], r->u + at, to->u);
        if (k >= z) to->signal[k - z] = step[k];
    }
    for (size_t c = 0; c < n; c++)
        largest = fmax(largest, isfinite(to->xi[c].high) ? fabs(to->xi[c].high) : INFINITY);
    return largest / fmax(1, q->m->length);
}

static void fine_move(rt_extended_work *q, const rt_extended_motion *motion)
{
    rt_wide_advance(q->wide, motion->xi);
    rt_wide_add(q->wide, RT_WIDE_U, motion->u);
    rt_wide_add(q->wide, RT_WIDE_SIGNAL, motion->signal);
}

static void fine_move_back(rt_extended_work *q, rt_extended_motion *motion)
{
    for (int c = 0; c < q->n; c++)
        motion->xi[c] = rt_dd_negative(motion->xi[c]), motion->u[c] = rt_dd_negative(motion->u[c]);
    for (int k = 0; k < q->m->n_signals; k++) motion->signal[k] = rt_dd_negative(motion->signal[k]);
    fine_move(q, motion);
}

/* From the state of the factors, made anew after each step (again) or not. A long step changes the
 * strain of stiff parts by its square, and residuals are large before they vanish: where they do
 * not in the end, all steps are taken back. */
static routh_status fine_run(rt_extended_fine *f, rt_extended_work *q, rt_extended_response *r,
                             bool again, int *n_steps, bool *done, routh_error *error)
{
    routh_status status = ROUTH_OK;
    *done = false;
    for (*n_steps = 0; !status && !*done; (*n_steps)++) {
        rt_extended_motion *motion = &f->motion[*n_steps];
        const double size = fine_residual(q, f->turn, f->udot, f->signal, f->residual);
        *done = size <= f->least;
        if (*done || *n_steps == RT_EXTENDED_STEPS) return ROUTH_OK;
        fine_solve(f);
        const double length = fine_motion(q, r, f->step, motion);
        if (!(length <= f->near)) return ROUTH_OK;
        fine_move(q, motion);
        status = rt_extended_follow(q, error);
        if (!status && again) status = rt_extended_evaluate(q, error);
        if (!status && again) status = rt_extended_respond(q, r, error);
        if (!status && again) fine_fill(f, q, r);
        *done = length <= STILL;
    }
    return status;
}

/* A state near that of the factors settled so, by a response of either, and to be evaluated then;
 * again: factors, response and all that is evaluated are made anew after each step. Not *done: it
 * is where it was. */
static routh_status fine_settle(rt_extended_fine *f, rt_extended_work *q, rt_extended_response *r,
                                bool again, bool *done, routh_error *error)
{
    int n_steps;
    routh_status status = fine_run(f, q, r, again, &n_steps, done, error);
    if (status || *done) return status;
    while (n_steps > 0) fine_move_back(q, &f->motion[--n_steps]);
    status = rt_extended_follow(q, error);
    if (!status && again) status = rt_extended_evaluate(q, error);
    return !status && again ? rt_extended_respond(q, r, error) : status;
}

static routh_status fine_end(routh_status status, bool done, routh_error *error)
{
    if (status || done) return status;
    return rt_fail(error, ROUTH_NUMERIC_ERROR, "it cannot be balanced with 106 bits");
}

routh_status rt_extended_fine_balance(rt_extended_fine *f, rt_extended_work *q,
                                      const double turn[3], rt_extended_response *r,
                                      routh_error *error)
{
    bool done = false;
    f->turn = turn;
    f->near = NEAR;
    if (!fine_take(f, q)) return rt_fail_memory(error);
    routh_status status = rt_extended_respond(q, r, error);
    if (!status && f->rows > 0 && f->columns > 0) {
        fine_fill(f, q, r);
        status = fine_settle(f, q, r, true, &done, error);
    }
    f->near = NEAR_SAMPLE;
    return fine_end(status, done, error);
}

routh_status rt_extended_fine_sample(rt_extended_fine *f, rt_extended_work *q,
                                     rt_extended_response *r, routh_error *error)
{
    bool done = false;
    routh_status status = rt_extended_evaluate(q, error);
    if (!status) status = rt_extended_follow(q, error);
    if (!status) status = fine_settle(f, q, r, false, &done, error);
    if (!status && !done) {
        status = rt_extended_evaluate(q, error);
        if (!status) status = rt_extended_respond(q, r, error);
        if (!status) fine_fill(f, q, r);
        if (!status) status = fine_settle(f, q, r, true, &done, error);
    }
    status = fine_end(status, done, error);
    return status ? status : rt_extended_evaluate(q, error);
}
