/* From a model to a mechanism in coordinates of each body's own: elements compiled, patterns made,
 * numbers taken (numbers.c). */
#include <stdlib.h>

#include "system/compile.h"
#include "system/joined.h"
#include "system/sensors.h"

static void compile_touch(routh_mechanism *m, bool *used, const rt_block *block)
{
    for (int f = 0; f < block->n_frames; f++) {
        const int marker = block->frames[f], body = m->marker_body[marker];
        used[marker] = true;
        if (body != RT_GROUND) m->touched[body] = true;
    }
}

/* Which bodies and markers elements look at. */
static routh_status find_touched(routh_mechanism *m, routh_error *error)
{
    bool *used = RT_TAKE(&m->arena, bool, m->n_markers);
    m->touched = RT_TAKE(&m->arena, bool, m->n_bodies);
    m->used = RT_TAKE(&m->arena, int, m->n_markers);
    if (!used || !m->touched || !m->used) return rt_fail_memory(error);
    for (int c = 0; c < m->n_constraints; c++) compile_touch(m, used, &m->constraints[c].block);
    for (int k = 0; k < m->n_loads; k++) compile_touch(m, used, &m->loads[k].block);
    for (int k = 0; k < m->n_flexible; k++) used[m->flexible[k].body] = true; /* its own marker */
    for (int k = 0; k < m->n_markers; k++)
        if (used[k]) m->used[m->n_used++] = k;
    return ROUTH_OK;
}

static routh_status take_start(routh_mechanism *m, routh_error *error)
{
    m->first_elastic_q = m->set->count_q(m->model);
    m->first_elastic = m->set->count_u(m->model);
    m->n_q = m->first_elastic_q + m->n_elastic;
    m->n_u = m->first_elastic + m->n_elastic;
    m->start_q = RT_TAKE(&m->arena, rt_scalar, m->n_q);
    m->start_u = RT_TAKE(&m->arena, rt_scalar, m->n_u);
    m->start_near = RT_TAKE(&m->arena, double, m->model->n_angles);
    if (!m->start_q || !m->start_u || !m->start_near) return rt_fail_memory(error);
    bool moved = false;
    for (int b = 0; b < m->n_bodies; b++) moved = moved || m->model->bodies[b].reference;
    if (!moved) return ROUTH_OK;
    m->reference_q = RT_TAKE(&m->arena, rt_scalar, m->n_q);
    m->reference_u = RT_TAKE(&m->arena, rt_scalar, m->n_u);
    return m->reference_q && m->reference_u ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status use_start(routh_mechanism *m, routh_error *error)
{
    rt_workspace *w = NULL;
    rt_state *state = NULL;
    routh_status status = rt_workspace_create(&w, m, error);
    if (!status) rt_fill_numbers(m, w);
    if (!status) status = rt_state_create(&state, m, error);
    if (!status) rt_start_numbers(m, w, state);
    if (!status) m->length = rt_re(rt_typical_length(m, w));
    rt_state_free(state);
    rt_workspace_free(w);
    return status;
}

static routh_status compile_of(routh_mechanism *m, routh_error *error)
{
    routh_status status = rt_take_numbers(m, error);
    m->n_bodies = m->model->n_bodies;
    if (!status) status = rt_compile_flexible(m, error);
    if (!status) status = take_start(m, error);
    if (!status) status = rt_compile_bodies(m, error);
    if (!status) status = rt_compile_constraints(m, error);
    if (!status) status = rt_compile_loads(m, error);
    if (!status) status = rt_compile_sensors(m, error);
    if (!status) status = rt_compile_histories(m, error);
    if (!status) status = rt_make_patterns(m, error);
    if (!status) status = find_touched(m, error);
    if (!status) status = use_start(m, error);
    return status;
}

void rt_free_direct(routh_mechanism *m)
{
    rt_graph_free(m->graph);
    rt_arena_free(&m->arena);
    free(m);
}

routh_status rt_compile_direct(routh_mechanism **mechanism, const routh_model *model,
                               const rt_coordinate_set *set, const rt_joined *joined,
                               routh_error *error)
{
    *mechanism = NULL;
    routh_mechanism *m = calloc(1, sizeof *m);
    if (!m) return rt_fail_memory(error);
    m->model = model;
    m->set = set;
    m->coordinates = set->name;
    m->n_signals = rt_count_signals(model);
    m->held = joined ? joined->held : NULL;
    m->no_inertia = joined && joined->mass_start;
    if (joined) memcpy(m->origin, joined->origin, sizeof m->origin);
    m->graph = rt_graph_clone(model->graph);
    const routh_status status = m->graph ? compile_of(m, error) : rt_fail_memory(error);
    if (status) {
        rt_free_direct(m);
        return status;
    }
    *mechanism = m;
    return ROUTH_OK;
}
