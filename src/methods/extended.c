#include "methods/extended.h"

#include <string.h>

#include "base/dd_matrix.h"
#include "methods/extended_parts.h"
#include "system/varied_state.h"

/* ---- room ------------------------------------------------------------------------------------ */

static bool extended_take_factor(rt_extended_factor *f, int n, rt_arena *arena)
{
    f->n = n;
    f->a = RT_TAKE(arena, rt_dd, (size_t)n * (size_t)n);
    f->pivots = RT_TAKE(arena, int, n);
    return f->a && f->pivots;
}

static routh_status extended_take_rows(rt_extended_work *q, bool of_states, rt_extended_rows *rows,
                                       routh_error *error)
{
    rt_state_row *at;
    const routh_status status =
        (of_states ? rt_state_rows : rt_rate_rows)(q->task, q->arena, &at, error);
    if (status) return status;
    rows->n = of_states ? q->task->states->z : q->task->states->z1;
    rows->at = at;
    rows->row = RT_TAKE(q->arena, rt_dd *, rows->n);
    if (!rows->row) return rt_fail_memory(error);
    for (int k = 0; k < rows->n; k++) {
        rows->row[k] = RT_TAKE(q->arena, rt_dd, 4 * (size_t)at[k].n);
        if (!rows->row[k]) return rt_fail_memory(error);
    }
    return ROUTH_OK;
}

static routh_status extended_take_sensors(rt_extended_work *q, rt_sensor_kind kind,
                                          rt_extended_sensors *s, routh_error *error)
{
    s->kind = kind;
    s->n = rt_sensor_count(q->m, kind);
    const routh_status status = rt_sensor_rows(q->m, kind, &s->at, q->arena, error);
    if (status) return status;
    s->value = RT_TAKE(q->arena, rt_dd, s->n);
    s->row = RT_TAKE(q->arena, rt_dd *, s->n);
    if (!s->value || !s->row) return rt_fail_memory(error);
    for (int k = 0; k < s->n; k++) {
        const size_t size =
            3 * (size_t)s->at[k].n_columns + (size_t)s->at[k].n_lambda + (size_t)s->at[k].n_signals;
        s->row[k] = RT_TAKE(q->arena, rt_dd, size);
        if (!s->row[k]) return rt_fail_memory(error);
    }
    return ROUTH_OK;
}

static routh_status extended_take_arrays(rt_extended_work *q, routh_error *error)
{
    const routh_mechanism *m = q->m;
    const size_t n_K = (size_t)m->pattern_K.start[m->n_u], n_G = (size_t)m->pattern_G.start[m->n_u];
    q->M = RT_TAKE(q->arena, rt_dd, m->pattern_M.start[m->n_u]);
    q->K = RT_TAKE(q->arena, rt_dd, n_K);
    q->D = RT_TAKE(q->arena, rt_dd, n_K);
    q->G = RT_TAKE(q->arena, rt_dd, n_G);
    q->Vx = RT_TAKE(q->arena, rt_dd, n_G);
    q->Au = RT_TAKE(q->arena, rt_dd, n_G);
    q->Ax = RT_TAKE(q->arena, rt_dd, n_G);
    q->L = RT_TAKE(q->arena, rt_dd, rt_count_L(m));
    q->drive = RT_TAKE(q->arena, rt_dd, 3 * (size_t)m->n_driven);
    q->residual = RT_TAKE(q->arena, rt_dd, m->n_u);
    q->full = RT_TAKE(q->arena, rt_dd, m->n_rows);
    q->column = RT_TAKE(q->arena, rt_dd,
                        (size_t)q->task->states->z + (size_t)q->task->states->z1 + (size_t)q->n_x);
    bool ok = q->M && q->K && q->D && q->G && q->Vx && q->Au && q->Ax && q->L && q->drive &&
              q->residual && q->full && q->column;
    for (int k = 0; k < 3; k++) {
        q->phi[k] = RT_TAKE(q->arena, rt_dd, m->n_rows);
        ok = ok && q->phi[k];
    }
    return ok ? ROUTH_OK : rt_fail_memory(error);
}

/* Independent rows in their order. */
static int extended_number(const routh_mechanism *m, const rt_elimination *rank, int *slot)
{
    int n = 0;
    for (int r = 0; r < m->n_rows; r++) slot[r] = rank->row_step[r] < 0 ? -1 : n++;
    return n;
}

static routh_status extended_prepare(rt_extended_work *q, routh_error *error)
{
    const rt_search *s = q->task->search;
    q->held_slot = RT_TAKE(q->arena, int, q->m->n_rows);
    q->slot = RT_TAKE(q->arena, int, q->m->n_rows);
    if (!q->held_slot || !q->slot) return rt_fail_memory(error);
    q->n_held = extended_number(q->m, rt_position_rank(s), q->held_slot);
    q->n_rows = extended_number(q->m, s->rank, q->slot);
    q->order = q->n + q->n_rows + q->n_x + q->n_v;
    routh_status status = extended_take_rows(q, true, &q->states, error);
    if (!status) status = extended_take_rows(q, false, &q->rates, error);
    if (!status) status = extended_take_sensors(q, RT_SENSOR_STATE, &q->equations, error);
    if (!status) status = extended_take_sensors(q, RT_SENSOR_VARIABLE, &q->variables, error);
    if (!status) status = extended_take_sensors(q, RT_SENSOR_OUTPUT, &q->outputs, error);
    if (!status) status = extended_take_arrays(q, error);
    if (status) return status;
    const bool ok = extended_take_factor(&q->position, q->n, q->arena) &&
                    extended_take_factor(&q->velocity, q->n, q->arena) &&
                    extended_take_factor(&q->motion, q->order, q->arena);
    return ok ? ROUTH_OK : rt_fail_memory(error);
}

/* ---- whether --------------------------------------------------------------------------------- */

/* Nearer than this to a kink, rounding would choose the side. */
bool rt_extended_is_on_kink(const rt_search *s)
{
    static const double near = 1e-12;
    for (int k = 0; k < rt_sensor_count(s->m, RT_SENSOR_KINK); k++) {
        double distance;
        if (rt_sensor_value(s->m, s->w, s->state, RT_SENSOR_KINK, k, &distance) &&
            fabs(distance) < near)
            return true;
    }
    return false;
}

bool rt_extended_is_possible(const rt_method_task *task)
{
    const rt_search *s = task->search;
    const int order =
        s->m->n_u + s->rank->rank + s->m->model->n_control_states + s->m->model->n_variables;
    return rt_wide_exists() && order <= RT_EXTENDED_ORDER && !rt_graph_has_users(s->m->graph) &&
           !rt_extended_is_on_kink(s);
}

static routh_status extended_place(rt_extended_work *q, routh_error *error)
{
    const rt_state *s = q->task->search->state;
    const rt_varied_state at = rt_varied_state_of(s);
    rt_wide_turn(q->wide, q->task->observer->frame.w);
    return rt_wide_place(q->wide, &at, s->held, error);
}

static routh_status extended_find_noise(rt_extended_work *q, rt_extended_response *r,
                                        rt_extended *out, routh_error *error)
{
    unsigned long long seed = 1;
    routh_status status = ROUTH_OK;
    for (int k = 0; k < ROUTH_ERROR_SAMPLES && !status; k++) {
        status = extended_place(q, error);
        if (!status) rt_wide_shake(q->wide, &seed);
        if (!status) status = rt_extended_settle(q, error);
        if (!status) status = rt_extended_respond(q, r, error);
        if (!status) rt_extended_compare(q, r, k, out);
    }
    return status;
}

/* The same about samples that are balanced each. */
static routh_status extended_find_fine_noise(rt_extended_work *q, rt_extended_fine *fine,
                                             rt_extended_response *r, rt_extended *out,
                                             routh_error *error)
{
    unsigned long long seed = 1;
    routh_status status = ROUTH_OK;
    rt_wide_keep(q->wide);
    for (int k = 0; k < ROUTH_ERROR_SAMPLES && !status; k++) {
        rt_wide_return(q->wide);
        rt_wide_shake_all(q->wide, &seed);
        status = rt_extended_fine_sample(fine, q, r, error);
        if (!status) status = rt_extended_respond(q, r, error);
        if (!status) rt_extended_compare(q, r, k, out);
    }
    return status;
}

static routh_status extended_begin(rt_extended_work *q, const double *turn, routh_error *error)
{
    routh_status status = extended_prepare(q, error);
    if (!status) status = rt_wide_create(&q->wide, q->m->model, error);
    if (!status) status = extended_place(q, error);
    if (!status) status = rt_extended_settle(q, error);
    if (!status && turn) status = rt_extended_balance(q, turn, error);
    return status;
}

static rt_extended_work extended_work_of(const rt_method_task *task, rt_arena *scratch)
{
    const routh_mechanism *m = task->search->m;
    return (rt_extended_work){.task = task,
                              .m = m,
                              .arena = scratch,
                              .n = m->n_u,
                              .n_x = m->model->n_control_states,
                              .n_v = m->model->n_variables};
}

routh_status rt_extended_compute(const rt_method_task *task, const double *turn, rt_arena *arena,
                                 rt_extended *out, routh_error *error)
{
    rt_arena scratch = {.kept = task->search->m->analyses};
    rt_extended_work q = extended_work_of(task, &scratch);
    rt_extended_response r = {0};
    routh_status status = extended_begin(&q, turn, error);
    if (!status) status = rt_extended_respond(&q, &r, error);
    if (!status) status = rt_extended_state_space(&q, &r, arena, out, error);
    if (!status) status = extended_find_noise(&q, &r, out, error);
    rt_wide_free(q.wide);
    rt_arena_free(&scratch);
    return status;
}

routh_status rt_extended_compute_balanced(const rt_method_task *task, const double turn[3],
                                          rt_arena *arena, rt_extended *out, routh_error *error)
{
    rt_arena scratch = {.kept = task->search->m->analyses};
    rt_extended_work q = extended_work_of(task, &scratch);
    rt_extended_response r = {0};
    rt_extended_fine fine = {0};
    routh_status status = extended_begin(&q, turn, error);
    if (!status) status = rt_extended_fine_balance(&fine, &q, turn, &r, error);
    if (!status) status = rt_extended_state_space(&q, &r, arena, out, error);
    if (!status) status = extended_find_fine_noise(&q, &fine, &r, out, error);
    rt_wide_free(q.wide);
    rt_arena_free(&scratch);
    return status;
}
