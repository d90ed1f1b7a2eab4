/* The response to every cause, level by level (whole.h). */
#include <string.h>

#include "base/dd_matrix.h"
#include "methods/extended_parts.h"

static bool respond_moves(rt_cause_kind kind) { return kind == RT_CAUSE_S || kind == RT_CAUSE_IN; }

static bool respond_speeds(rt_cause_kind kind)
{
    return kind != RT_CAUSE_SIGNAL && kind != RT_CAUSE_IN2;
}

/* rows -= scale times the jet's derivative d of dPhi/din, for the input */
static void respond_drive(const rt_extended_work *q, const int *slot, int input, int d,
                          double scale, rt_dd *rows)
{
    for (int k = 0; k < q->m->n_driven; k++) {
        const int at = slot[q->m->driven[k].row];
        if (q->m->driven[k].input != input || at < 0) continue;
        rows[at] = rt_dd_fma(rows[at], rt_dd_of(-scale), q->drive[3 * (size_t)k + (size_t)d]);
    }
}

/* rows -= the kept rows of (values on pattern_G) x */
static void respond_subtract(const rt_extended_work *q, const int *slot, const rt_dd *values,
                             const rt_dd *x, rt_dd *rows)
{
    memset(q->full, 0, (size_t)q->m->n_rows * sizeof *q->full);
    rt_extended_add(&q->m->pattern_G, values, -1, x, q->full);
    for (int r = 0; r < q->m->n_rows; r++)
        if (slot[r] >= 0) rows[slot[r]] = rt_dd_add(rows[slot[r]], q->full[r]);
}

static void respond_position(const rt_extended_work *q, const rt_cause *cause, rt_dd *xi)
{
    if (cause->kind == RT_CAUSE_S) xi[q->n_held + cause->k] = rt_dd_of(1);
    if (cause->kind == RT_CAUSE_IN) respond_drive(q, q->held_slot, cause->k, 0, 1, xi);
    if (respond_moves(cause->kind)) rt_dd_solve(q->n, q->position.a, q->position.pivots, 1, xi);
}

static void respond_velocity(const rt_extended_work *q, const rt_cause *cause, const rt_dd *xi,
                             rt_dd *u)
{
    if (!respond_speeds(cause->kind)) return;
    if (cause->kind == RT_CAUSE_W) u[q->n_rows + cause->k] = rt_dd_of(1);
    if (cause->kind == RT_CAUSE_IN) respond_drive(q, q->slot, cause->k, 1, 1, u);
    if (cause->kind == RT_CAUSE_IN1) respond_drive(q, q->slot, cause->k, 0, 1, u);
    if (respond_moves(cause->kind)) {
        respond_subtract(q, q->slot, q->Vx, xi, u);
        for (int i = 0; i < q->rates.n; i++)
            u[q->n_rows + i] =
                rt_dd_subtract(u[q->n_rows + i], rt_extended_row_times(&q->rates, i, 1, xi));
    }
    rt_dd_solve(q->n, q->velocity.a, q->velocity.pivots, 1, u);
}

static int respond_signal_of(const rt_extended_work *q, const rt_cause *cause)
{
    return cause->kind == RT_CAUSE_SIGNAL ? cause->k
           : cause->kind == RT_CAUSE_IN   ? q->m->n_signals - q->m->model->n_inputs + cause->k
                                          : -1;
}

static rt_dd respond_times(const rt_dd *a, const int *columns, int n, const rt_dd *x)
{
    rt_dd sum = {0};
    for (int k = 0; k < n; k++) sum = rt_dd_fma(sum, a[k], x[columns[k]]);
    return sum;
}

/* By the motion and the cause's own signal; closed: by u', multipliers, rates and variables too. */
rt_dd rt_extended_sensor_change(const rt_extended_work *q, const rt_extended_sensors *s, int k,
                                const rt_extended_response *r, int column, bool closed)
{
    const rt_sensor_row *at = &s->at[k];
    const int n = at->n_columns, own = respond_signal_of(q, &r->causes[column]);
    const rt_dd *by_x = s->row[k], *by_lambda = by_x + 3 * (size_t)n,
                *by_signal = by_lambda + at->n_lambda;
    const rt_dd *y = r->y + (size_t)q->order * (size_t)column;
    const size_t place = (size_t)q->n * (size_t)column;
    rt_dd sum = respond_times(by_x, at->columns, n, r->xi + place);
    sum = rt_dd_add(sum, respond_times(by_x + n, at->columns, n, r->u + place));
    if (closed) sum = rt_dd_add(sum, respond_times(by_x + 2 * (size_t)n, at->columns, n, y));
    for (int c = 0; c < at->n_lambda && closed; c++)
        if (q->slot[at->lambda[c]] >= 0)
            sum = rt_dd_fma(sum, by_lambda[c], y[q->n + q->slot[at->lambda[c]]]);
    for (int c = 0; c < at->n_signals; c++) {
        const int signal = at->signals[c];
        if (signal == own) sum = rt_dd_add(sum, by_signal[c]);
        if (!closed || signal < q->n_x || signal >= 2 * q->n_x + q->n_v) continue;
        sum = rt_dd_fma(sum, by_signal[c], y[q->n + q->n_rows + signal - q->n_x]);
    }
    return sum;
}

static void respond_motion(const rt_extended_work *q, const rt_extended_response *r, int column)
{
    const routh_mechanism *m = q->m;
    const rt_cause *cause = &r->causes[column];
    const size_t at = (size_t)q->n * (size_t)column;
    const rt_dd *xi = r->xi + at, *u = r->u + at;
    rt_dd *y = r->y + (size_t)q->order * (size_t)column, *rows = y + q->n;
    const int own = respond_signal_of(q, cause);
    rt_extended_add(&m->pattern_K, q->D, -1, u, y);
    rt_extended_add(&m->pattern_K, q->K, -1, xi, y);
    for (int e = own < 0 ? 0 : m->pattern_R.start[own]; own >= 0 && e < m->pattern_R.start[own + 1];
         e++)
        y[m->pattern_R.row[e]] = rt_dd_subtract(y[m->pattern_R.row[e]], q->L[e]);
    respond_subtract(q, q->slot, q->Au, u, rows);
    respond_subtract(q, q->slot, q->Ax, xi, rows);
    if (cause->kind == RT_CAUSE_IN) respond_drive(q, q->slot, cause->k, 2, 1, rows);
    if (cause->kind == RT_CAUSE_IN1) respond_drive(q, q->slot, cause->k, 1, 2, rows);
    if (cause->kind == RT_CAUSE_IN2) respond_drive(q, q->slot, cause->k, 0, 1, rows);
    rt_dd *loop = rows + q->n_rows;
    for (int k = 0; k < q->equations.n; k++)
        *loop++ = rt_dd_negative(rt_extended_sensor_change(q, &q->equations, k, r, column, false));
    for (int k = 0; k < q->variables.n; k++)
        *loop++ = rt_dd_negative(rt_extended_sensor_change(q, &q->variables, k, r, column, false));
    rt_dd_solve(q->order, q->motion.a, q->motion.pivots, 1, y);
}

routh_status rt_extended_respond(rt_extended_work *q, rt_extended_response *r, routh_error *error)
{
    rt_response as;
    routh_status status = rt_response_take(&as, q->task, false, &r->causes, q->arena, error);
    if (status) return status;
    r->n_columns = as.n_columns;
    const size_t columns = (size_t)r->n_columns;
    r->xi = RT_TAKE(q->arena, rt_dd, (size_t)q->n * columns);
    r->u = RT_TAKE(q->arena, rt_dd, (size_t)q->n * columns);
    r->y = RT_TAKE(q->arena, rt_dd, (size_t)q->order * columns);
    if (!r->xi || !r->u || !r->y) return rt_fail_memory(error);
    for (int c = 0; c < r->n_columns; c++) {
        rt_dd *xi = r->xi + (size_t)q->n * (size_t)c, *u = r->u + (size_t)q->n * (size_t)c;
        respond_position(q, &r->causes[c], xi);
        respond_velocity(q, &r->causes[c], xi, u);
        respond_motion(q, r, c);
    }
    return ROUTH_OK;
}
