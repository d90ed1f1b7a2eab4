/* The whole system as a sparse descriptor system: in motion, with controllers, variables and joints
 * that hold velocities only. With y = (S, W, X, xi, u, u', lambda, X', V), all as variations,
 *
 *     S' = s_x u + w_x xi          W' = s_x u' + a_u u + a_x xi          X' = X'
 *     0 = G xi    (rows of position level)         0 = s_x xi - S
 *     0 = G u + V_x xi             (all rows)      0 = s_x u + w_x xi - W
 *     0 = M u' + (G'+L) lambda + D u + K xi + R (X, X', V)
 *     0 = G u' + A_u u + A_x xi
 *     0 = g_a u' + g_u u + g_x xi + g_lambda lambda + g_s (X, X', V)      controllers, variables
 *
 * The rows without a derivative determine (xi, u, u', lambda, X', V) by (S, W, X), level by level,
 * so that E y' = A y has index 1: its finite eigenvalues are those of the state matrix, in the same
 * states and the same frame, and every other one is infinite and in no chain. */
#include "linear/descriptor_parts.h"
#include "system/sensor.h"

typedef struct descriptor_whole {
    const rt_method_task *task;
    const routh_mechanism *m;
    const rt_workspace *w;
    const rt_state_row *states, *rates;
    int z, z1, n_x, n_v, n, n_kept, n_position;
    int *slot, *position_slot; /* all rows of Phi: place among the independent ones, or -1 */
    int xi, u, udot, lambda, rate, v, order;     /* first columns */
    int position, velocity, motion, last, loops; /* first rows */
    rt_descriptor_list list;
} descriptor_whole;

/* ---- where everything is -------------------------------------------------------------------- */

static int number_rows(const rt_elimination *rank, int n_rows, int *slot)
{
    int kept = 0;
    for (int r = 0; r < n_rows; r++) slot[r] = rank->row_step[r] < 0 ? -1 : kept++;
    return kept;
}

static routh_status descriptor_whole_place(descriptor_whole *p, rt_arena *work, routh_error *error)
{
    const rt_search *s = p->task->search;
    p->slot = RT_TAKE(work, int, p->m->n_rows);
    p->position_slot = RT_TAKE(work, int, p->m->n_rows);
    if (!p->slot || !p->position_slot) return rt_fail_memory(error);
    p->n_kept = number_rows(s->rank, p->m->n_rows, p->slot);
    p->n_position = number_rows(rt_position_rank(s), p->m->n_rows, p->position_slot);
    p->xi = p->z + p->z1 + p->n_x;
    p->u = p->xi + p->n, p->udot = p->u + p->n, p->lambda = p->udot + p->n;
    p->rate = p->lambda + p->n_kept, p->v = p->rate + p->n_x, p->order = p->v + p->n_v;
    p->position = p->xi, p->velocity = p->u, p->motion = p->udot, p->last = p->lambda;
    p->loops = p->last + p->n_kept;
    return ROUTH_OK;
}

/* Column of signal j, or -1 of an input. */
static int column_of_signal(const descriptor_whole *p, int j)
{
    if (j < p->n_x) return p->z + p->z1 + j;
    if (j < 2 * p->n_x) return p->rate + j - p->n_x;
    return j < 2 * p->n_x + p->n_v ? p->v + j - 2 * p->n_x : -1;
}

static const rt_sensor_row *sensor_of(const descriptor_whole *p, int k)
{
    return k < p->n_x ? &p->task->equations[k] : &p->task->variables[k - p->n_x];
}

static size_t descriptor_whole_count(const descriptor_whole *p)
{
    const routh_mechanism *m = p->m;
    const int *G = m->pattern_G.start;
    size_t room = (size_t)p->order + (size_t)m->pattern_M.start[p->n] +
                  2 * (size_t)m->pattern_K.start[p->n] + 7 * (size_t)G[p->n] +
                  (size_t)rt_count_L(m);
    for (int k = 0; k < p->z; k++) room += 3 * (size_t)p->states[k].n;
    for (int k = 0; k < p->z1; k++) room += 5 * (size_t)p->rates[k].n;
    for (int k = 0; k < p->n_x + p->n_v; k++) {
        const rt_sensor_row *row = sensor_of(p, k);
        room += 3 * (size_t)row->n_columns + (size_t)row->n_lambda + (size_t)row->n_signals;
    }
    return room;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* one of a state row's lists, in the columns of xi, u or u' */
static void add_state(descriptor_whole *p, int at, const rt_state_row *row, const double *entries,
                      int first)
{
    for (int c = 0; c < row->n; c++)
        rt_descriptor_add(&p->list, at, first + row->columns[c], entries[c]);
}

/* the independent rows of values on the pattern of G */
static void add_rows(descriptor_whole *p, int at, const int *slot, const double *values, int first)
{
    const rt_pattern *G = &p->m->pattern_G;
    for (int c = 0; c < p->n; c++)
        for (int e = G->start[c]; e < G->start[c + 1]; e++)
            if (slot[G->row[e]] >= 0)
                rt_descriptor_add(&p->list, at + slot[G->row[e]], first + c, values[e]);
}

static void add_rates_of_states(descriptor_whole *p)
{
    for (int k = 0; k < p->z; k++) {
        add_state(p, k, &p->states[k], p->states[k].s_x, p->u);
        add_state(p, k, &p->states[k], p->states[k].w_x, p->xi);
    }
    for (int k = 0; k < p->z1; k++) {
        add_state(p, p->z + k, &p->rates[k], p->rates[k].s_x, p->udot);
        add_state(p, p->z + k, &p->rates[k], p->rates[k].a_u, p->u);
        add_state(p, p->z + k, &p->rates[k], p->rates[k].a_x, p->xi);
    }
    for (int k = 0; k < p->n_x; k++) rt_descriptor_add(&p->list, p->z + p->z1 + k, p->rate + k, 1);
}

static void add_levels(descriptor_whole *p)
{
    const rt_workspace *w = p->w;
    add_rows(p, p->position, p->position_slot, w->G, p->xi);
    for (int k = 0; k < p->z; k++) {
        add_state(p, p->position + p->n_position + k, &p->states[k], p->states[k].s_x, p->xi);
        rt_descriptor_add(&p->list, p->position + p->n_position + k, k, -1);
    }
    add_rows(p, p->velocity, p->slot, w->G, p->u);
    add_rows(p, p->velocity, p->slot, w->Vx, p->xi);
    for (int k = 0; k < p->z1; k++) {
        const int at = p->velocity + p->n_kept + k;
        add_state(p, at, &p->rates[k], p->rates[k].s_x, p->u);
        add_state(p, at, &p->rates[k], p->rates[k].w_x, p->xi);
        rt_descriptor_add(&p->list, at, p->z + k, -1);
    }
    add_rows(p, p->last, p->slot, w->G, p->udot);
    add_rows(p, p->last, p->slot, w->Au, p->u);
    add_rows(p, p->last, p->slot, w->Ax, p->xi);
}

static void add_motion(descriptor_whole *p)
{
    const routh_mechanism *m = p->m;
    const rt_pattern *G = &m->pattern_G, *L = &m->pattern_L, *R = &m->pattern_R;
    rt_descriptor_add_block(&p->list, &m->pattern_M, p->w->M, 1, p->motion, p->udot);
    rt_descriptor_add_block(&p->list, &m->pattern_K, p->w->D, 1, p->motion, p->u);
    rt_descriptor_add_block(&p->list, &m->pattern_K, p->w->K, 1, p->motion, p->xi);
    for (int c = 0; c < p->n; c++)
        for (int e = G->start[c]; e < G->start[c + 1]; e++)
            if (p->slot[G->row[e]] >= 0)
                rt_descriptor_add(&p->list, p->motion + c, p->lambda + p->slot[G->row[e]],
                                  p->w->G[e]);
    for (int r = 0; r < m->n_rows; r++)
        for (int e = L->start[r]; e < L->start[r + 1]; e++)
            if (p->slot[r] >= 0)
                rt_descriptor_add(&p->list, p->motion + L->row[e], p->lambda + p->slot[r],
                                  p->w->L[e]);
    for (int j = 0; j < m->n_signals; j++)
        for (int e = R->start[j]; e < R->start[j + 1]; e++)
            if (column_of_signal(p, j) >= 0)
                rt_descriptor_add(&p->list, p->motion + R->row[e], column_of_signal(p, j),
                                  p->w->L[e]);
}

static void add_sensor(descriptor_whole *p, int at, const rt_sensor_row *row)
{
    for (int k = 0; k < row->n_columns; k++) {
        rt_descriptor_add(&p->list, at, p->xi + row->columns[k], row->by_x[k]);
        rt_descriptor_add(&p->list, at, p->u + row->columns[k], row->by_u[k]);
        rt_descriptor_add(&p->list, at, p->udot + row->columns[k], row->by_a[k]);
    }
    for (int k = 0; k < row->n_lambda; k++)
        if (p->slot[row->lambda[k]] >= 0)
            rt_descriptor_add(&p->list, at, p->lambda + p->slot[row->lambda[k]], row->by_lambda[k]);
    for (int k = 0; k < row->n_signals; k++)
        if (column_of_signal(p, row->signals[k]) >= 0)
            rt_descriptor_add(&p->list, at, column_of_signal(p, row->signals[k]),
                              row->by_signal[k]);
}

/* ---- putting it together -------------------------------------------------------------------- */

/* The first n of the identity, so many rows. */
static routh_status descriptor_whole_identity(descriptor_whole *p, int n, int n_rows,
                                              routh_sparse *out, rt_arena *arena,
                                              routh_error *error)
{
    p->list.n = 0;
    for (int k = 0; k < n; k++) rt_descriptor_add(&p->list, k, k, 1);
    return rt_descriptor_compress(out, &p->list, n_rows, p->order, arena, error);
}

routh_status rt_descriptor_fill_whole(routh_descriptor *d, const rt_method_task *task,
                                      rt_arena *work, rt_arena *arena, routh_error *error)
{
    const routh_mechanism *m = task->search->m;
    descriptor_whole p = {.task = task,
                          .m = m,
                          .w = task->search->w,
                          .z = task->states->z,
                          .z1 = task->states->z1,
                          .n_x = m->model->n_control_states,
                          .n_v = m->model->n_variables,
                          .n = m->n_u};
    rt_state_row *states, *rates;
    routh_status status = rt_state_rows(task, work, &states, error);
    if (!status) status = rt_rate_rows(task, work, &rates, error);
    if (!status) status = descriptor_whole_place(&p, work, error);
    if (status) return status;
    p.states = states, p.rates = rates;
    if (!rt_descriptor_take(&p.list, descriptor_whole_count(&p), work))
        return rt_fail_memory(error);
    d->n_coordinates = p.n;
    d->n_constraints = p.n_kept;
    d->n_differential = p.xi;
    add_rates_of_states(&p);
    add_levels(&p);
    add_motion(&p);
    for (int k = 0; k < p.n_x + p.n_v; k++) add_sensor(&p, p.loops + k, sensor_of(&p, k));
    status = rt_descriptor_compress(&d->A, &p.list, p.order, p.order, arena, error);
    if (!status) status = descriptor_whole_identity(&p, p.xi, p.order, &d->E, arena, error);
    return status ? status : descriptor_whole_identity(&p, p.xi, p.xi, &d->states, arena, error);
}
