/* The equations of the exact response as they stand: read, and their matrices factored. */
#include <string.h>

#include "base/dd_matrix.h"
#include "methods/extended_parts.h"

void rt_extended_add(const rt_pattern *p, const rt_dd *values, double sign, const rt_dd *x,
                     rt_dd *y)
{
    for (int c = 0; c < p->n_columns; c++) {
        if (x[c].high == 0) continue;
        const rt_dd a = sign < 0 ? rt_dd_negative(x[c]) : x[c];
        for (int e = p->start[c]; e < p->start[c + 1]; e++)
            y[p->row[e]] = rt_dd_fma(y[p->row[e]], a, values[e]);
    }
}

rt_dd rt_extended_row_times(const rt_extended_rows *rows, int k, int part, const rt_dd *x)
{
    const rt_state_row *at = &rows->at[k];
    const rt_dd *row = rows->row[k] + (size_t)part * (size_t)at->n;
    rt_dd sum = {0};
    for (int c = 0; c < at->n; c++) sum = rt_dd_fma(sum, row[c], x[at->columns[c]]);
    return sum;
}

static void extended_put(rt_extended_factor *f, int row, int column, rt_dd value)
{
    rt_dd *to = &f->a[row + (size_t)f->n * (size_t)column];
    *to = rt_dd_add(*to, value);
}

/* [G of the rows; s_x] */
static routh_status extended_factor_manifold(const rt_extended_work *q, rt_extended_factor *f,
                                             const int *slot, int n_rows,
                                             const rt_extended_rows *rows, routh_error *error)
{
    const rt_pattern *G = &q->m->pattern_G;
    memset(f->a, 0, (size_t)f->n * (size_t)f->n * sizeof *f->a);
    for (int c = 0; c < q->n; c++)
        for (int e = G->start[c]; e < G->start[c + 1]; e++)
            if (slot[G->row[e]] >= 0) extended_put(f, slot[G->row[e]], c, q->G[e]);
    for (int k = 0; k < rows->n; k++)
        for (int c = 0; c < rows->at[k].n; c++)
            extended_put(f, n_rows + k, rows->at[k].columns[c], rows->row[k][c]);
    return rt_dd_factor(f->n, f->a, f->pivots, error);
}

/* The column of the motion for a place among the signals; -1 of states and inputs. */
static int extended_signal_column(const rt_extended_work *q, int place)
{
    if (place < q->n_x || place >= 2 * q->n_x + q->n_v) return -1;
    return q->n + q->n_rows + place - q->n_x;
}

static void extended_put_sensors(rt_extended_work *q, const rt_extended_sensors *s, int first)
{
    for (int k = 0; k < s->n; k++) {
        const rt_sensor_row *at = &s->at[k];
        const rt_dd *by_a = s->row[k] + 2 * (size_t)at->n_columns,
                    *by_lambda = by_a + at->n_columns, *by_signal = by_lambda + at->n_lambda;
        for (int c = 0; c < at->n_columns; c++)
            extended_put(&q->motion, first + k, at->columns[c], by_a[c]);
        for (int c = 0; c < at->n_lambda; c++)
            if (q->slot[at->lambda[c]] >= 0)
                extended_put(&q->motion, first + k, q->n + q->slot[at->lambda[c]], by_lambda[c]);
        for (int c = 0; c < at->n_signals; c++)
            if (extended_signal_column(q, at->signals[c]) >= 0)
                extended_put(&q->motion, first + k, extended_signal_column(q, at->signals[c]),
                             by_signal[c]);
    }
}

static routh_status extended_factor_motion(rt_extended_work *q, routh_error *error)
{
    const routh_mechanism *m = q->m;
    rt_extended_factor *f = &q->motion;
    memset(f->a, 0, (size_t)f->n * (size_t)f->n * sizeof *f->a);
    for (int c = 0; c < q->n; c++) {
        for (int e = m->pattern_M.start[c]; e < m->pattern_M.start[c + 1]; e++)
            extended_put(f, m->pattern_M.row[e], c, q->M[e]);
        for (int e = m->pattern_G.start[c]; e < m->pattern_G.start[c + 1]; e++) {
            const int slot = q->slot[m->pattern_G.row[e]];
            if (slot < 0) continue;
            extended_put(f, q->n + slot, c, q->G[e]);
            extended_put(f, c, q->n + slot, q->G[e]);
        }
    }
    for (int r = 0; r < m->n_rows; r++)
        for (int e = m->pattern_L.start[r]; e < m->pattern_L.start[r + 1] && q->slot[r] >= 0; e++)
            extended_put(f, m->pattern_L.row[e], q->n + q->slot[r], q->L[e]);
    for (int k = 0; k < m->n_signals; k++)
        for (int e = m->pattern_R.start[k]; e < m->pattern_R.start[k + 1]; e++)
            if (extended_signal_column(q, k) >= 0)
                extended_put(f, m->pattern_R.row[e], extended_signal_column(q, k), q->L[e]);
    extended_put_sensors(q, &q->equations, q->n + q->n_rows);
    extended_put_sensors(q, &q->variables, q->n + q->n_rows + q->n_x);
    return rt_dd_factor(f->n, f->a, f->pivots, error);
}

static void extended_fill_rows(rt_extended_work *q, const int *candidates, rt_extended_rows *rows)
{
    const int first_elastic = rt_first_elastic_candidate(q->m),
              first_user = rt_first_user_candidate(q->m), marker = q->task->observer->marker;
    for (int k = 0; k < rows->n; k++) {
        const int candidate = candidates[k];
        const rt_state_row *at = &rows->at[k];
        if (candidate >= first_user)
            rt_wide_user_state(q->wide, candidate - first_user, at->columns, at->n, rows->row[k]);
        else if (candidate >= first_elastic)
            rows->row[k][0] = rt_dd_of(1);
        else
            rt_wide_component(q->wide, candidate / 6, candidate % 6, marker, at->columns, at->n,
                              rows->row[k]);
    }
}

static routh_status extended_fill_sensors(rt_extended_work *q, rt_extended_sensors *s,
                                          routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < s->n && !status; k++)
        status = rt_wide_sensor(q->wide, (int)s->kind, k, &s->value[k], s->row[k], error);
    return status;
}

static void extended_read(rt_extended_work *q)
{
    const struct {
        rt_varied_array which;
        rt_dd *to;
    } arrays[] = {{RT_VARIED_M, q->M},         {RT_VARIED_K, q->K},
                  {RT_VARIED_D, q->D},         {RT_VARIED_G, q->G},
                  {RT_VARIED_VX, q->Vx},       {RT_VARIED_AU, q->Au},
                  {RT_VARIED_AX, q->Ax},       {RT_VARIED_L, q->L},
                  {RT_VARIED_DRIVE, q->drive}, {RT_VARIED_RESIDUAL, q->residual},
                  {RT_VARIED_PHI, q->phi[0]},  {RT_VARIED_PHI1, q->phi[1]},
                  {RT_VARIED_PHI2, q->phi[2]}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rt_wide_read(q->wide, arrays[k].which, arrays[k].to);
}

routh_status rt_extended_evaluate(rt_extended_work *q, routh_error *error)
{
    routh_status status = rt_wide_evaluate(q->wide, RT_EVALUATE_ALL, error);
    if (status) return status;
    extended_read(q);
    extended_fill_rows(q, q->task->states->candidate, &q->states);
    extended_fill_rows(q, q->task->states->rate, &q->rates);
    status = extended_fill_sensors(q, &q->equations, error);
    if (!status) status = extended_fill_sensors(q, &q->variables, error);
    if (!status) status = extended_fill_sensors(q, &q->outputs, error);
    if (!status)
        status =
            extended_factor_manifold(q, &q->position, q->held_slot, q->n_held, &q->states, error);
    if (!status)
        status = extended_factor_manifold(q, &q->velocity, q->slot, q->n_rows, &q->rates, error);
    return status ? status : extended_factor_motion(q, error);
}
