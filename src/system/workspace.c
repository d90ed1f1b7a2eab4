/* Workspaces and states: every number that changes. */

#include "base/kept_memory.h"
#include "system/flexible.h"
#include "system/joined.h"

/* Coordinates, velocities, accelerations, multipliers, signals: of a state. */
static size_t count_state_numbers(const routh_mechanism *m)
{
    return (size_t)m->n_q + 2 * (size_t)m->n_u + (size_t)m->n_rows + 3 * (size_t)m->n_signals;
}

static bool workspace_take_arrays(rt_workspace *w, const routh_mechanism *m)
{
    rt_arena *a = &w->arena;
    const size_t n_K = (size_t)m->pattern_K.start[m->n_u], n_M = (size_t)m->pattern_M.start[m->n_u];
    const size_t n_G = (size_t)m->pattern_G.start[m->n_u];
    bool ok = (w->residual = RT_TAKE(a, rt_scalar, m->n_u)) != NULL;
    ok = ok && (w->scale = RT_TAKE(a, double, m->n_u));
    for (int d = 0; d < 3; d++) ok = ok && (w->phi[d] = RT_TAKE(a, rt_scalar, m->n_rows));
    ok = ok && (w->M = RT_TAKE(a, rt_scalar, n_M));
    ok = ok && (w->K = RT_TAKE(a, rt_scalar, n_K)) && (w->D = RT_TAKE(a, rt_scalar, n_K));
    ok = ok && (w->G = RT_TAKE(a, rt_scalar, n_G)) && (w->Vx = RT_TAKE(a, rt_scalar, n_G));
    ok = ok && (w->Au = RT_TAKE(a, rt_scalar, n_G)) && (w->Ax = RT_TAKE(a, rt_scalar, n_G));
    ok = ok && (w->drive = RT_TAKE(a, rt_scalar, 3 * (size_t)m->n_driven));
    ok = ok &&
         (w->evaluated_at = RT_TAKE(a, rt_scalar, count_state_numbers(m) + 1 + rt_count_near(m)));
    return ok && (w->L = RT_TAKE(a, rt_scalar, rt_count_L(m)));
}

static bool take_frames(rt_workspace *w, const routh_mechanism *m)
{
    rt_arena *a = &w->arena;
    const size_t wide = 6 * (size_t)m->max_frames;
    bool ok = (w->bodies = RT_TAKE(a, rt_frame, m->n_bodies)) != NULL;
    ok = ok && (w->markers = RT_TAKE(a, rt_frame, m->n_markers));
    ok = ok && (w->near = RT_TAKE(a, double, m->model->n_angles));
    ok = ok && (w->wrench = RT_TAKE(a, rt_scalar, 6 * (size_t)m->n_bodies));
    ok = ok && (w->carry = RT_TAKE(a, rt_scalar, 9 * (size_t)m->n_bodies));
    for (int d = 0; d <= m->force_depth; d++) {
        ok = ok && (w->result[d].wrench = RT_TAKE(a, rt_scalar, wide));
        ok = ok && (w->result[d].partial = RT_TAKE(a, rt_scalar, 3 * wide * wide));
        ok = ok && (w->result[d].lambda = RT_TAKE(a, rt_scalar, wide * (size_t)m->max_lambda));
        ok = ok && (w->program[d] = RT_TAKE(a, rt_scalar, m->program_work));
    }
    w->element_wrench = w->result[0].wrench;
    w->element_partial = w->result[0].partial;
    const size_t columns = (size_t)m->map_columns;
    ok = ok && (w->element_map = RT_TAKE(a, rt_scalar, 2 * wide * columns));
    ok = ok && (w->element_product = RT_TAKE(a, rt_scalar, columns * columns));
    ok = ok && (w->maps = RT_TAKE(a, rt_marker_map, m->max_frames));
    ok = ok && (w->motion = RT_TAKE(a, rt_marker_map, 1));
    for (int f = 0; f <= m->max_frames && ok && m->n_flexible_markers; f++) {
        rt_marker_map *map = f < m->max_frames ? &w->maps[f] : w->motion;
        ok = (map->wide = RT_TAKE(a, rt_scalar, 24 * columns));
    }
    ok = ok && rt_flexible_room(w, m);
    return ok && (w->motion_columns = RT_TAKE(a, int, columns));
}

/* The frames are the inner mechanism's. */
static routh_status take_joined(rt_workspace *w, const routh_mechanism *m, routh_error *error)
{
    const size_t columns = (size_t)(m->tables->most_columns + m->map_columns);
    w->motion_values = RT_TAKE(&w->arena, rt_scalar, 24 * columns);
    w->motion_columns = RT_TAKE(&w->arena, int, columns);
    if (!w->motion_values || !w->motion_columns) return rt_fail_memory(error);
    const routh_status status = rt_joined_work_create(&w->joined, m, &w->arena, error);
    if (status) return status;
    w->bodies = w->joined->inner->bodies;
    w->markers = w->joined->inner->markers;
    w->near = w->joined->inner->near;
    w->wrench = w->joined->inner->wrench;
    w->nodes = w->joined->inner->nodes;
    for (int d = 0; d < 3; d++) w->elastic[d] = w->joined->inner->elastic[d];
    w->drive = w->joined->inner->drive;
    return ROUTH_OK;
}

routh_status rt_workspace_create(rt_workspace **workspace, const routh_mechanism *m,
                                 routh_error *error)
{
    *workspace = NULL;
    rt_workspace *w = rt_kept_calloc(m->analyses, 1, sizeof *w);
    if (!w) return rt_fail_memory(error);
    w->arena.kept = m->analyses;
    routh_status status = workspace_take_arrays(w, m) ? ROUTH_OK : rt_fail_memory(error);
    if (!status && m->joined) status = take_joined(w, m, error);
    if (!status && !m->joined && !take_frames(w, m)) status = rt_fail_memory(error);
    if (status) {
        rt_workspace_free(w);
        return status;
    }
    *workspace = w;
    return ROUTH_OK;
}

void rt_workspace_free(rt_workspace *w)
{
    if (!w) return;
    rt_joined_work_free(w->joined);
    rt_arena_free(&w->arena);
    rt_kept_free(w);
}

void rt_signals_as_written(const routh_model *model, rt_scalar *signal)
{
    const int n_x = model->n_control_states, n_v = model->n_variables;
    for (int k = 0; k < n_x; k++) signal[k] = model->control_states[k].initial.value;
    for (int k = 0; k < n_v; k++) signal[2 * n_x + k] = model->variables[k].guess.value;
    for (int k = 0; k < model->n_inputs; k++)
        signal[2 * n_x + n_v + k] = model->inputs[k].value.value;
}

routh_status rt_state_create(rt_state **state, const routh_mechanism *m, routh_error *error)
{
    const size_t n = count_state_numbers(m);
    *state = rt_kept_calloc(m->analyses, 1,
                            sizeof **state + (n + m->histories.work) * sizeof(rt_scalar) +
                                rt_count_near(m) * sizeof(double) +
                                (size_t)m->model->n_inputs * sizeof(bool));
    if (!*state) return rt_fail_memory(error);
    rt_state *s = *state;
    s->n = n;
    s->q = (rt_scalar *)(void *)(s + 1);
    s->u = s->q + m->n_q;
    s->udot = s->u + m->n_u;
    s->lambda = s->udot + m->n_u;
    s->signal = s->lambda + m->n_rows;
    s->work = s->signal + 3 * (size_t)m->n_signals;
    s->near = (double *)(void *)(s->work + m->histories.work);
    s->held = (bool *)(void *)(s->near + rt_count_near(m));
    const routh_status status = rt_state_start(m, s, error);
    if (!status) return ROUTH_OK;
    rt_state_free(s);
    *state = NULL;
    return status;
}

routh_status rt_state_start(const routh_mechanism *m, rt_state *s, routh_error *error)
{
    memset(s->q, 0, s->n * sizeof *s->q);
    memset(s->near, 0, rt_count_near(m) * sizeof *s->near);
    memset(s->held, 0, (size_t)m->model->n_inputs * sizeof *s->held);
    s->of = rt_mechanism_identity(m);
    rt_signals_as_written(m->model, s->signal);
    s->t = m->model->time.value;
    const routh_status status = rt_input_histories_set(m, s, error);
    if (status) return status;
    memcpy(s->q, m->start_q, (size_t)m->n_q * sizeof *s->q);
    memcpy(s->u, m->start_u, (size_t)m->n_u * sizeof *s->u);
    for (int k = 0; k < m->model->n_angles && m->start_near; k++) s->near[k] = m->start_near[k];
    return ROUTH_OK;
}

void rt_state_free(rt_state *state) { rt_kept_free(state); }

void rt_take_signals(const routh_mechanism *m, rt_state *to, const rt_state *from)
{
    memcpy(to->signal, from->signal, 3 * (size_t)m->n_signals * sizeof *to->signal);
    memcpy(to->held, from->held, (size_t)m->model->n_inputs * sizeof *to->held);
}

void rt_state_copy(const routh_mechanism *m, rt_state *to, const rt_state *from)
{
    to->t = from->t;
    memcpy(to->q, from->q, (size_t)m->n_q * sizeof *to->q);
    memcpy(to->u, from->u, (size_t)m->n_u * sizeof *to->u);
    memcpy(to->udot, from->udot, (size_t)m->n_u * sizeof *to->udot);
    memcpy(to->lambda, from->lambda, (size_t)m->n_rows * sizeof *to->lambda);
    rt_take_signals(m, to, from);
    rt_take_angles(m, to, from);
}
