/* What the levels of the redundant method are counted in. */
#include <stdlib.h>

#include "oracles/redundant_levels.h"

static double redundant_sizes_largest_of_row(const rt_state_row *row, const double *unit)
{
    double most = 0;
    for (int c = 0; c < row->n; c++) most = fmax(most, fabs(row->s_x[c]) * unit[row->columns[c]]);
    return most;
}

static void size_states(rt_redundant_levels *q)
{
    const double *unit = q->p.s->unit;
    for (int k = 0; k < q->p.z; k++)
        q->size[k] = rt_power_of_two(redundant_sizes_largest_of_row(&q->p.rows[k], unit));
    for (int k = 0; k < q->z1; k++)
        q->size[q->p.z + k] = rt_power_of_two(redundant_sizes_largest_of_row(&q->rates[k], unit));
}

static void size_forces(rt_redundant_levels *q)
{
    const rt_search *s = q->p.s;
    const double mass = rt_largest_entry(&s->m->pattern_M, s->w->M, s->unit, s->unit);
    const double G = rt_largest_entry(&s->m->pattern_G, s->w->G, NULL, s->unit);
    q->by_mass = mass > 0 ? 1 / mass : 1;
    q->lambda_size = (G > 0 ? 1 / G : 1) * q->p.rate * q->p.rate / q->by_mass;
}

static double *own_size(const rt_redundant_levels *q, int j)
{
    if (j < q->n_x) return &q->x_size[j];
    if (j < 2 * q->n_x) return &q->x_size[j - q->n_x];
    j -= 2 * q->n_x;
    return j < q->n_v ? &q->v_size[j] : &q->in_size[j - q->n_v];
}

/* Largest entry of the row of a sensor in the sizes there are. */
static double sensor_entry(const rt_redundant_levels *q, const rt_sensor_row *row)
{
    const double rate = q->p.rate;
    double most = 0;
    for (int c = 0; c < row->n_columns; c++) {
        const double unit = q->p.s->unit[row->columns[c]];
        most = fmax(most, unit * fabs(row->by_x[c]));
        most = fmax(most, unit * rate * fabs(row->by_u[c]));
        most = fmax(most, unit * rate * rate * fabs(row->by_a[c]));
    }
    for (int k = 0; k < row->n_lambda; k++)
        most = fmax(most, q->lambda_size * fabs(row->by_lambda[k]));
    for (int k = 0; k < row->n_signals; k++)
        most = fmax(most, rt_levels_signal_size(q, row->signals[k]) * fabs(row->by_signal[k]));
    return most;
}

/* most[j]: largest entry of the signals' columns, rows scaled; motion rows and rows of Phi are. */
static void signal_entries(const rt_redundant_levels *q, const double *row_size, double *most)
{
    const rt_search *s = q->p.s;
    const rt_pattern *R = &s->m->pattern_R;
    memset(most, 0, (size_t)q->n_signals * sizeof *most);
    for (int j = 0; j < q->n_signals; j++)
        for (int e = R->start[j]; e < R->start[j + 1]; e++)
            most[j] = fmax(most[j], fabs(s->w->L[e]) * s->unit[R->row[e]] * q->by_mass / q->p.rate /
                                        q->p.rate * rt_levels_signal_size(q, j));
    for (int i = 0; i < q->n_x + q->n_v; i++) {
        const rt_sensor_row *row = rt_levels_sensor(q, i);
        for (int k = 0; k < row->n_signals; k++) {
            const int j = row->signals[k];
            most[j] =
                fmax(most[j], fabs(row->by_signal[k]) * rt_levels_signal_size(q, j) / row_size[i]);
        }
    }
    for (int k = 0; k < q->n_driven; k++) {
        const int input = s->m->driven[k].input, j = q->n_signals - q->n_in + input;
        most[j] = fmax(most[j], fabs(s->w->drive[3 * k]) * q->in_size[input]);
    }
}

/* Rows of controllers and variables and columns of signals made about as large as those of the
 * mechanism, by turns of square roots (Ruiz 2001). The sizes matter for rounding only. */
static bool size_signals(rt_redundant_levels *q)
{
    enum { TURNS = 12 };
    const int n_rows = q->n_x + q->n_v, n_signals = q->n_signals;
    double *row_size = RT_TAKE(q->arena, double, n_rows);
    double *most = RT_TAKE(q->arena, double, n_signals);
    if (!row_size || !most) return false;
    for (int i = 0; i < n_rows; i++) row_size[i] = 1;
    for (int j = 0; j < n_signals; j++) *own_size(q, j) = 1;
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < n_rows; i++) {
            const double entry = sensor_entry(q, rt_levels_sensor(q, i));
            row_size[i] = entry > 0 ? sqrt(row_size[i] * entry) : 1;
        }
        signal_entries(q, row_size, most);
        for (int j = 0; j < q->n_x; j++) most[j] = fmax(most[j], most[q->n_x + j]);
        for (int j = 0; j < n_signals; j++)
            if ((j < q->n_x || j >= 2 * q->n_x) && most[j] > 0) *own_size(q, j) /= sqrt(most[j]);
    }
    for (int j = 0; j < n_signals; j++)
        if (j < q->n_x || j >= 2 * q->n_x) *own_size(q, j) = rt_power_of_two(*own_size(q, j));
    return true;
}

routh_status rt_levels_find_sizes(rt_redundant_levels *q, routh_error *error)
{
    size_states(q);
    size_forces(q);
    if (!q->task->whole || size_signals(q)) return ROUTH_OK;
    return rt_fail_memory(error);
}
