#include "motion/newton.h"

#include <stdlib.h>

/* Entries in the order in which they are listed: where each group begins among the positions. */
typedef struct newton_entry_list {
    int *row, *column;
    size_t n, room;
} newton_entry_list;

struct rt_newton {
    rt_arena arena;
    int n, n_rows, n_kept, n_x, n_v, order;
    bool nonholonomic; /* some row holds velocities only */
    int *slot;         /* n_rows: place among the rows kept, or -1 */
    rt_sensor_row *states, *variables;
    rt_pattern pattern;
    double *values;
    int *position; /* of every listed entry */
    rt_factor *factor;
    double c_u, c_x;
    double *rhs, *lambda; /* order; n_rows */
    double *push, *mass;  /* n_u */
    double *size, *none;  /* n_rows: how large a row of G is, and what is rounding of its Phi */
};

static rt_sensor_row *newton_equation(const rt_newton *k, int e)
{
    return e < k->n_x ? &k->states[e] : &k->variables[e - k->n_x];
}

/* The column of a signal and what its unknown counts in it: c_u of a state, 1 of a rate and of a
 * variable; -1 of an input. */
static int newton_signal_column(const rt_newton *k, int place, bool *state)
{
    *state = place < k->n_x;
    const int first = k->n + k->n_kept;
    if (place < k->n_x) return first + place;
    if (place < 2 * k->n_x + k->n_v) return first + place - k->n_x;
    return -1;
}

/* ---- the pattern ------------------------------------------------------------ */

/* Lists an entry, or counts it where there is no room yet. */
static void newton_list(newton_entry_list *e, int row, int column)
{
    if (e->row) e->row[e->n] = row, e->column[e->n] = column;
    e->n++;
}

static void newton_list_motion(const rt_newton *k, const routh_mechanism *m, newton_entry_list *e)
{
    for (int c = 0; c < k->n; c++)
        for (int p = m->pattern_K.start[c]; p < m->pattern_K.start[c + 1]; p++)
            newton_list(e, m->pattern_K.row[p], c);
    for (int c = 0; c < k->n; c++)
        for (int p = m->pattern_G.start[c]; p < m->pattern_G.start[c + 1]; p++) {
            const int slot = k->slot[m->pattern_G.row[p]];
            if (slot < 0) continue;
            newton_list(e, k->n + slot, c);
            newton_list(e, c, k->n + slot);
        }
    for (int r = 0; r < k->n_rows; r++)
        for (int p = m->pattern_L.start[r]; p < m->pattern_L.start[r + 1]; p++)
            if (k->slot[r] >= 0) newton_list(e, m->pattern_L.row[p], k->n + k->slot[r]);
    for (int s = 0; s < m->n_signals; s++) {
        bool state;
        const int column = newton_signal_column(k, s, &state);
        for (int p = m->pattern_R.start[s]; p < m->pattern_R.start[s + 1]; p++)
            if (column >= 0) newton_list(e, m->pattern_R.row[p], column);
    }
}

static void list_equation(const rt_newton *k, int at, const rt_sensor_row *row,
                          newton_entry_list *e)
{
    bool state;
    for (int j = 0; j < row->n_columns; j++) newton_list(e, at, row->columns[j]);
    for (int j = 0; j < row->n_lambda; j++)
        if (k->slot[row->lambda[j]] >= 0) newton_list(e, at, k->n + k->slot[row->lambda[j]]);
    for (int j = 0; j < row->n_signals; j++) {
        const int column = newton_signal_column(k, row->signals[j], &state);
        if (column >= 0) newton_list(e, at, column);
    }
}

static void newton_list_all(const rt_newton *k, const routh_mechanism *m, newton_entry_list *e)
{
    e->n = 0;
    newton_list_motion(k, m, e);
    for (int j = 0; j < k->n_x + k->n_v; j++)
        list_equation(k, k->n + k->n_kept + j, newton_equation(k, j), e);
}

static routh_status newton_make_pattern(rt_newton *k, const routh_mechanism *m, routh_error *error)
{
    newton_entry_list e = {0};
    newton_list_all(k, m, &e);
    k->position = RT_TAKE(&k->arena, int, e.n);
    e.row = malloc((2 * e.n + 1) * sizeof *e.row);
    if (!k->position || !e.row) {
        free(e.row);
        return rt_fail_memory(error);
    }
    e.column = e.row + e.n;
    newton_list_all(k, m, &e);
    const routh_status status = rt_pattern_build(&k->pattern, k->order, k->order, e.n, e.row,
                                                 e.column, k->position, &k->arena, error);
    free(e.row);
    return status;
}

static routh_status newton_make(rt_newton *k, const rt_run *run, routh_error *error)
{
    const routh_mechanism *m = run->m;
    rt_arena *a = &k->arena;
    k->n = m->n_u, k->n_rows = m->n_rows;
    k->n_x = m->model->n_control_states, k->n_v = m->model->n_variables;
    k->nonholonomic = m->n_nonholonomic > 0;
    k->slot = RT_TAKE(a, int, k->n_rows);
    if (!k->slot) return rt_fail_memory(error);
    for (int r = 0; r < k->n_rows; r++)
        k->slot[r] = run->search.rank->row_step[r] < 0 ? -1 : k->n_kept++;
    k->order = k->n + k->n_kept + k->n_x + k->n_v;
    routh_status status = rt_sensor_rows(m, RT_SENSOR_STATE, &k->states, a, error);
    if (!status) status = rt_sensor_rows(m, RT_SENSOR_VARIABLE, &k->variables, a, error);
    if (!status) status = newton_make_pattern(k, m, error);
    if (status) return status;
    k->values = RT_TAKE(a, double, k->pattern.start[k->order]);
    k->rhs = RT_TAKE(a, double, k->order);
    k->lambda = RT_TAKE(a, double, k->n_rows);
    k->push = RT_TAKE(a, double, k->n);
    k->mass = RT_TAKE(a, double, k->n);
    k->size = RT_TAKE(a, double, k->n_rows);
    k->none = RT_TAKE(a, double, k->n_rows);
    if (!k->values || !k->rhs || !k->lambda || !k->push || !k->mass || !k->size || !k->none)
        return rt_fail_memory(error);
    return rt_factor_create(&k->factor, &k->pattern, RT_ORDER_AMD, error);
}

routh_status rt_newton_create(rt_newton **newton, const rt_run *run, routh_error *error)
{
    *newton = NULL;
    rt_newton *k = calloc(1, sizeof *k);
    if (!k) return rt_fail_memory(error);
    const routh_status status = newton_make(k, run, error);
    if (status)
        rt_newton_free(k);
    else
        *newton = k;
    return status;
}

void rt_newton_free(rt_newton *k)
{
    if (!k) return;
    rt_factor_free(k->factor);
    rt_arena_free(&k->arena);
    free(k);
}

bool rt_newton_fits(const rt_newton *k, const rt_run *run)
{
    for (int r = 0, kept = 0; r < k->n_rows; r++)
        if (k->slot[r] != (run->search.rank->row_step[r] < 0 ? -1 : kept++)) return false;
    return true;
}

/* ---- numbers ------------------------------------------------------------ */

int rt_newton_needs(const rt_newton *k)
{
    return RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN | RT_EVALUATE_RESIDUAL | RT_EVALUATE_MASS |
           RT_EVALUATE_TANGENT | (k->nonholonomic ? RT_EVALUATE_LEVELS : 0);
}

routh_status rt_newton_sensors(rt_newton *k, rt_run *run, bool partials, routh_error *error)
{
    rt_search *s = &run->search;
    routh_status status = ROUTH_OK;
    for (int e = 0; e < k->n_x && !status; e++)
        status = rt_sensor_evaluate(run->m, s->w, s->state, RT_SENSOR_STATE, e, partials,
                                    &k->states[e], error);
    for (int e = 0; e < k->n_v && !status; e++)
        status = rt_sensor_evaluate(run->m, s->w, s->state, RT_SENSOR_VARIABLE, e, partials,
                                    &k->variables[e], error);
    return status;
}

/* Walks in the order of list_motion. */
static const int *newton_fill_motion(rt_newton *k, const rt_run *run, const int *at)
{
    const routh_mechanism *m = run->m;
    const rt_workspace *w = run->search.w;
    const int n_K = m->pattern_K.start[k->n];
    for (int p = 0; p < m->pattern_M.start[k->n]; p++) k->values[at[m->mass_in_K[p]]] += w->M[p];
    for (int p = 0; p < n_K; p++) k->values[*at++] += k->c_u * w->D[p] + k->c_x * w->K[p];
    for (int c = 0; c < k->n; c++)
        for (int p = m->pattern_G.start[c]; p < m->pattern_G.start[c + 1]; p++) {
            const int r = m->pattern_G.row[p];
            if (k->slot[r] < 0) continue;
            const double lower = m->nonholonomic[r] ? k->c_x / k->c_u * w->Vx[p] : 0;
            k->values[*at++] += w->G[p] + lower;
            k->values[*at++] += w->G[p];
        }
    for (int r = 0; r < k->n_rows; r++)
        for (int p = m->pattern_L.start[r]; p < m->pattern_L.start[r + 1]; p++)
            if (k->slot[r] >= 0) k->values[*at++] += w->L[p];
    for (int s = 0; s < m->n_signals; s++) {
        bool state;
        const int column = newton_signal_column(k, s, &state);
        for (int p = m->pattern_R.start[s]; p < m->pattern_R.start[s + 1]; p++)
            if (column >= 0) k->values[*at++] += (state ? k->c_u : 1) * w->L[p];
    }
    return at;
}

static const int *fill_equation(rt_newton *k, const rt_sensor_row *row, const int *at)
{
    bool state;
    for (int j = 0; j < row->n_columns; j++)
        k->values[*at++] += row->by_a[j] + k->c_u * row->by_u[j] + k->c_x * row->by_x[j];
    for (int j = 0; j < row->n_lambda; j++)
        if (k->slot[row->lambda[j]] >= 0) k->values[*at++] += row->by_lambda[j];
    for (int j = 0; j < row->n_signals; j++)
        if (newton_signal_column(k, row->signals[j], &state) >= 0)
            k->values[*at++] += (state ? k->c_u : 1) * row->by_signal[j];
    return at;
}

/* The mass that column c moves, and no less than a small part of the largest one: a thin rod has
 * next to none about itself. */
static void find_masses(rt_newton *k, const rt_run *run)
{
    static const double least = 1e-3;
    const rt_pattern *M = &run->m->pattern_M;
    const double *unit = run->search.unit;
    double most = 0;
    for (int c = 0; c < k->n; c++) {
        k->mass[c] = 0;
        for (int p = M->start[c]; p < M->start[c + 1]; p++)
            if (M->row[p] == c) k->mass[c] = run->search.w->M[p];
        most = fmax(most, k->mass[c] * unit[c] * unit[c]);
    }
    for (int c = 0; c < k->n; c++)
        k->mass[c] = fmax(k->mass[c], least * most / (unit[c] * unit[c]));
}

routh_status rt_newton_factor(rt_newton *k, rt_run *run, double c_u, double c_x, routh_error *error)
{
    k->c_u = c_u, k->c_x = c_x;
    memset(k->values, 0, (size_t)k->pattern.start[k->order] * sizeof *k->values);
    const int *at = newton_fill_motion(k, run, k->position);
    for (int e = 0; e < k->n_x + k->n_v; e++) at = fill_equation(k, newton_equation(k, e), at);
    rt_row_sizes(&run->search, k->size);
    find_masses(k, run);
    const double rounding = rt_run_rounding(run) * run->m->length;
    for (int r = 0; r < k->n_rows; r++) k->none[r] = rounding * k->size[r];
    run->count.factorizations++;
    return rt_factor_numeric(k->factor, k->values, error);
}

void rt_newton_forget(rt_newton *k) { rt_factor_forget(k->factor); }

static void hand_over(rt_newton *k, rt_newton_step *step)
{
    for (int r = 0; r < k->n_rows; r++)
        k->lambda[r] = k->slot[r] < 0 ? 0 : k->rhs[k->n + k->slot[r]];
    *step = (rt_newton_step){.udot = k->rhs,
                             .lambda = k->lambda,
                             .rate = k->rhs + k->n + k->n_kept,
                             .variable = k->rhs + k->n + k->n_kept + k->n_x};
}

/* The row of a constraint. Rounding of Phi over c_x would be accelerations, and factors of another
 * state let some of it into the free motion, where it adds up: it counts as closed. */
static double row_to_close(const rt_newton *k, const rt_run *run, int r)
{
    const rt_workspace *w = run->search.w;
    if (run->m->nonholonomic[r]) return -w->phi[1][r] / k->c_u;
    return fabs(w->phi[0][r]) <= k->none[r] ? 0 : -w->phi[0][r] / k->c_x;
}

/* M_cc^-1 G_c' lambda */
static void find_push(const rt_newton *k, const rt_run *run, const double *lambda, double *push)
{
    const rt_pattern *G = &run->m->pattern_G;
    for (int c = 0; c < k->n; c++) {
        push[c] = 0;
        for (int p = G->start[c]; p < G->start[c + 1]; p++)
            push[c] += run->search.w->G[p] * lambda[G->row[p]] / k->mass[c];
    }
}

/* What accelerations of single coordinates the change of the multipliers is worth. By factors of
 * another state, whose rows of G span the same forces in other directions, multipliers may go
 * astray while accelerations stand still. 0 where it is little beside all of them. */
static double newton_push(rt_newton *k, const rt_run *run)
{
    static const double little = 1e-3;
    find_push(k, run, k->lambda, k->push);
    const double change = rt_run_norm(run, k->push);
    find_push(k, run, run->search.state->lambda, k->push);
    return change <= little * rt_run_norm(run, k->push) ? 0 : change;
}

routh_status rt_newton_solve(rt_newton *k, const rt_run *run, rt_newton_step *step,
                             routh_error *error)
{
    const rt_workspace *w = run->search.w;
    for (int c = 0; c < k->n; c++) k->rhs[c] = -w->residual[c];
    for (int r = 0; r < k->n_rows; r++)
        if (k->slot[r] >= 0) k->rhs[k->n + k->slot[r]] = row_to_close(k, run, r);
    for (int e = 0; e < k->n_x + k->n_v; e++)
        k->rhs[k->n + k->n_kept + e] = -newton_equation(k, e)->value;
    const routh_status status = rt_factor_solve(k->factor, k->rhs, 1, NULL, error);
    hand_over(k, step);
    step->push = newton_push(k, run);
    return status;
}

double rt_newton_open(const rt_newton *k, const rt_run *run)
{
    return rt_run_open_position(run, k->size);
}

routh_status rt_newton_close(rt_newton *k, const rt_run *run, rt_newton_step *step,
                             routh_error *error)
{
    const double *phi = run->search.w->phi[0];
    memset(k->rhs, 0, (size_t)k->order * sizeof *k->rhs);
    for (int r = 0; r < k->n_rows; r++)
        if (k->slot[r] >= 0 && !run->m->nonholonomic[r])
            k->rhs[k->n + k->slot[r]] = -phi[r] / k->c_x;
    const routh_status status = rt_factor_solve(k->factor, k->rhs, 1, NULL, error);
    hand_over(k, step);
    return status;
}
