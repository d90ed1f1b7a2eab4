/* From a model to a mechanism: numbers copied out, elements compiled, patterns made. */
#include <stdlib.h>

#include "base/text.h"
#include "system/compile.h"
#include "system/joined.h"
#include "system/sensors.h"

/* ---- numbers -------------------------------------------------------------------------------- */

static routh_status copy_parameters(routh_mechanism *m, routh_error *error)
{
    m->parameters = RT_TAKE(&m->arena, rt_scalar, m->model->n_parameters);
    if (!m->parameters) return rt_fail_memory(error);
    for (int k = 0; k < m->model->n_parameters; k++)
        m->parameters[k] = m->model->parameters[k].number.value;
    for (int k = 0; k < 3; k++) m->gravity[k] = m->model->gravity[k].value;
    return ROUTH_OK;
}

static routh_status copy_markers(routh_mechanism *m, routh_error *error)
{
    const int n = m->n_markers = m->model->n_markers;
    m->marker_body = RT_TAKE(&m->arena, int, n);
    m->marker_position = RT_TAKE(&m->arena, rt_scalar, 3 * (size_t)n);
    m->marker_orientation = RT_TAKE(&m->arena, rt_scalar, 9 * (size_t)n);
    if (!m->marker_body || !m->marker_position || !m->marker_orientation)
        return rt_fail_memory(error);
    for (int k = 0; k < n; k++) {
        const rt_marker *marker = &m->model->markers[k];
        m->marker_body[k] = marker->body;
        for (int i = 0; i < 3; i++) m->marker_position[3 * k + i] = marker->position[i].value;
        for (int i = 0; i < 9; i++) m->marker_orientation[9 * k + i] = marker->orientation[i].value;
    }
    return ROUTH_OK;
}

static routh_status copy_start(routh_mechanism *m, routh_error *error)
{
    m->first_elastic_q = m->set->count_q(m->model);
    m->first_elastic = m->set->count_u(m->model);
    m->n_q = m->first_elastic_q + m->n_elastic;
    m->n_u = m->first_elastic + m->n_elastic;
    m->start_q = RT_TAKE(&m->arena, rt_scalar, m->n_q);
    m->start_u = RT_TAKE(&m->arena, rt_scalar, m->n_u);
    rt_frame *frames = malloc((size_t)m->model->n_bodies * sizeof *frames + 1);
    const bool ok = m->start_q && m->start_u && frames;
    if (ok) {
        rt_written_frames(m->model, frames);
        m->set->take(m->model->n_bodies, frames, m->start_q, m->start_u);
    }
    free(frames);
    return ok ? ROUTH_OK : rt_fail_memory(error);
}

/* ---- what is taken from the configuration as written ---------------------------------------- */

static void set_free_lengths(routh_mechanism *m, const rt_workspace *w)
{
    for (int k = 0; k < m->n_loads; k++) {
        const rt_load *load = &m->model->loads[k];
        if (load->free_length_given) continue;
        const rt_frame *i = rt_frame_of(w->markers, load->markers[0]);
        const rt_frame *j = rt_frame_of(w->markers, load->markers[1]);
        rt_scalar rate;
        if (load->type == RT_LOAD_SPRING) rt_spring_measure(i, j, &m->loads[k].free_length, &rate);
        if (load->type == RT_LOAD_TORSION_SPRING)
            rt_torsion_measure(i, j, load->triad, &m->loads[k].free_length, &rate);
    }
}

static rt_scalar largest_distance(const rt_workspace *w, int n_bodies, int n_markers)
{
    rt_scalar low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    (void)n_bodies;
    for (int k = 0; k < n_markers; k++)
        for (int i = 0; i < 3; i++) {
            if (k == 0 || w->markers[k].r[i] < low[i]) low[i] = w->markers[k].r[i];
            if (k == 0 || w->markers[k].r[i] > high[i]) high[i] = w->markers[k].r[i];
        }
    rt_scalar d[3];
    rt_v3_sub(d, high, low);
    return rt_v3_norm(d);
}

/* Beams of nodes count as one body: distances of their elements' ends from the middle of all. */
static void add_rods(const routh_mechanism *m, const rt_workspace *w, rt_scalar *sum, int *n)
{
    rt_scalar middle[3] = {0}, d[3];
    int ends = 0;
    for (int turn = 0; turn < 2; turn++)
        for (int k = 0; k < m->n_loads; k++) {
            const rt_load *load = &m->model->loads[k];
            for (int e = 0; e < 2 && load->type == RT_LOAD_ROD; e++) {
                const rt_scalar *r = rt_frame_of(w->markers, load->markers[e])->r;
                rt_v3_sub(d, r, middle);
                if (turn)
                    *sum += rt_v3_norm(d), ++*n;
                else
                    rt_v3_add_scaled(middle, 1.0 / ++ends, d);
            }
        }
}

/* A typical arm: the mean distance of markers from their bodies' centres; the whole extent where
 * there is none. */
static rt_scalar typical_length(const routh_mechanism *m, const rt_workspace *w)
{
    rt_scalar sum = 0;
    int n = 0;
    for (int k = 0; k < m->n_markers; k++) {
        const rt_scalar arm = rt_v3_norm(m->marker_position + 3 * (size_t)k);
        if (m->marker_body[k] == RT_GROUND || arm == 0 || m->model->markers[k].of_beam) continue;
        sum += arm;
        n++;
    }
    add_rods(m, w, &sum, &n);
    const rt_scalar length = n ? sum / n : largest_distance(w, m->n_bodies, m->n_markers);
    return length > 0 && isfinite(length) ? length : 1;
}

static routh_status use_start(routh_mechanism *m, routh_error *error)
{
    rt_workspace *w = NULL;
    rt_state *state = NULL;
    routh_status status = rt_workspace_create(&w, m, error);
    if (!status) status = rt_state_create(&state, m, error);
    if (!status) {
        rt_evaluate_frames(m, w, state);
        set_free_lengths(m, w);
        const rt_program_input in = rt_input_at(m, w->markers, state, w->program[0]);
        for (int c = 0; c < m->n_constraints; c++)
            rt_constraint_set_references(&m->constraints[c].constraint, m->model, &in);
        m->length = typical_length(m, w);
    }
    rt_state_free(state);
    rt_workspace_free(w);
    return status;
}

static void touch(routh_mechanism *m, bool *used, const rt_block *block)
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
    for (int c = 0; c < m->n_constraints; c++) touch(m, used, &m->constraints[c].block);
    for (int k = 0; k < m->n_loads; k++) touch(m, used, &m->loads[k].block);
    for (int k = 0; k < m->n_flexible; k++) used[m->flexible[k].body] = true; /* its own marker */
    for (int k = 0; k < m->n_markers; k++)
        if (used[k]) m->used[m->n_used++] = k;
    return ROUTH_OK;
}

static routh_status compile(routh_mechanism *m, routh_error *error)
{
    routh_status status = copy_parameters(m, error);
    if (!status) status = copy_markers(m, error);
    m->n_bodies = m->model->n_bodies;
    if (!status) status = rt_compile_flexible(m, error);
    if (!status) status = copy_start(m, error);
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

/* ---- joined coordinates --------------------------------------------------------------------- */

static routh_status compile_direct(routh_mechanism **mechanism, const routh_model *model,
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
    const routh_status status = m->graph ? compile(m, error) : rt_fail_memory(error);
    if (status) {
        routh_mechanism_free(m);
        return status;
    }
    *mechanism = m;
    return ROUTH_OK;
}

/* Beside other coordinates there are absolute ones, in which operating points are searched. */
static routh_status compile_set(routh_mechanism **mechanism, const routh_model *model,
                                const rt_coordinate_set *set, routh_error *error)
{
    routh_status status = compile_direct(mechanism, model, set, NULL, error);
    if (status || set == &rt_absolute) return status;
    status = compile_direct(&(*mechanism)->base, model, &rt_absolute, NULL, error);
    if (!status) return ROUTH_OK;
    routh_mechanism_free(*mechanism);
    *mechanism = NULL;
    return status;
}

/* Joints whose reactions expressions use keep all their rows. */
static routh_status compile_coordinates(routh_mechanism *m, const rt_joined_set *set,
                                        routh_error *error)
{
    const routh_model *model = m->model;
    rt_joined *joined = RT_TAKE(&m->arena, rt_joined, 1);
    bool *wanted = RT_TAKE(&m->arena, bool, model->n_joints);
    if (!joined || !wanted) return rt_fail_memory(error);
    for (int k = 0; k < model->n_quantities; k++)
        if (model->quantities[k].kind == RT_QUANTITY_FORCE && !model->quantities[k].of_load)
            wanted[model->quantities[k].index] = true;
    *joined = (rt_joined){.set = set, .model = model, .n_bodies = model->n_bodies};
    m->joined = joined;
    return set->compile(joined, wanted, &m->arena, error);
}

/* What is the same as in the inner mechanism. */
static void share_elements(routh_mechanism *m)
{
    const routh_mechanism *inner = m->inner;
    m->n_bodies = inner->n_bodies, m->bodies = inner->bodies;
    m->n_elastic = inner->n_elastic, m->elastic_start = inner->elastic_start;
    m->n_flexible = inner->n_flexible, m->flexible = inner->flexible;
    m->n_flexible_markers = inner->n_flexible_markers;
    m->flexible_markers = inner->flexible_markers, m->flexible_marker = inner->flexible_marker;
    m->map_columns = inner->map_columns;
    m->n_markers = inner->n_markers, m->marker_body = inner->marker_body;
    m->marker_position = inner->marker_position;
    m->marker_orientation = inner->marker_orientation;
    m->n_constraints = inner->n_constraints, m->constraints = inner->constraints;
    m->n_loads = inner->n_loads, m->loads = inner->loads;
    m->parameters = inner->parameters;
    memcpy(m->gravity, inner->gravity, sizeof m->gravity);
    m->row_constraint = inner->row_constraint, m->joint_rows = inner->joint_rows;
    m->n_joint_rows = inner->n_joint_rows;
    m->length = inner->length;
    m->n_signals = inner->n_signals, m->sensors = inner->sensors;
    m->histories = inner->histories;
    m->n_nonholonomic = inner->n_nonholonomic;
    m->n_driven = inner->n_driven, m->driven = inner->driven;
}

static routh_status start_joined(routh_mechanism *m, routh_error *error)
{
    rt_workspace *w = NULL;
    m->start_q = RT_TAKE(&m->arena, rt_scalar, m->n_q);
    m->start_u = RT_TAKE(&m->arena, rt_scalar, m->n_u);
    if (!m->start_q || !m->start_u) return rt_fail_memory(error);
    rt_state *state = NULL;
    routh_status status = rt_workspace_create(&w, m, error);
    if (!status) status = rt_state_create(&state, m, error);
    if (!status) {
        rt_written_frames(m->model, w->bodies);
        m->joined->set->take(m->joined, w->bodies, m->start_q, m->start_u, w->joined->scratch);
        memcpy(state->q, m->start_q, (size_t)m->n_q * sizeof *state->q);
        if (m->joined->mass_start) status = rt_joined_weigh(m, w, state, error);
    }
    rt_workspace_free(w);
    rt_state_free(state);
    return status;
}

static routh_status compile_joined(routh_mechanism *m, const rt_joined_set *set, routh_error *error)
{
    m->coordinates = set->name;
    routh_status status = compile_coordinates(m, set, error);
    if (!status) status = compile_direct(&m->base, m->model, &rt_absolute, NULL, error);
    if (!status) status = compile_direct(&m->inner, m->model, &rt_spatial_frames, m->joined, error);
    if (status) return status;
    share_elements(m);
    m->first_elastic_q = m->joined->n_q, m->first_elastic = m->joined->n_u;
    m->n_q = m->first_elastic_q + m->n_elastic, m->n_u = m->first_elastic + m->n_elastic;
    m->n_rows = m->n_joint_rows + m->joined->n_own;
    m->nonholonomic = RT_TAKE(&m->arena, bool, m->n_rows);
    if (!m->nonholonomic) return rt_fail_memory(error);
    memcpy(m->nonholonomic, m->inner->nonholonomic, (size_t)m->n_joint_rows * sizeof(bool));
    status = rt_joined_make_tables(m, error);
    return status ? status : start_joined(m, error);
}

const char *routh_coordinate_name(int k) { return rt_coordinate_set_name(k); }

static routh_status no_such_set(const char *name, routh_error *error)
{
    char names[512];
    rt_list_names(names, sizeof names, rt_coordinate_set_name);
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "there are no coordinates '%s' in this version; there are: %s", name, names);
}

routh_status routh_mechanism_compile(routh_mechanism **mechanism, const routh_model *model,
                                     const char *coordinates, routh_error *error)
{
    *mechanism = NULL;
    const char *name = coordinates ? coordinates : rt_absolute.name;
    const rt_coordinate_set *set = rt_coordinate_set_find(name);
    const rt_joined_set *joined = rt_joined_set_find(name);
    if (set) return compile_set(mechanism, model, set, error);
    if (!joined) return no_such_set(name, error);
    routh_mechanism *m = calloc(1, sizeof *m);
    if (!m) return rt_fail_memory(error);
    m->model = model;
    const routh_status status = compile_joined(m, joined, error);
    if (status) {
        routh_mechanism_free(m);
        return status;
    }
    *mechanism = m;
    return ROUTH_OK;
}

void routh_mechanism_free(routh_mechanism *m)
{
    if (!m) return;
    routh_mechanism_free(m->inner);
    routh_mechanism_free(m->base);
    rt_graph_free(m->graph);
    rt_arena_free(&m->arena);
    free(m);
}
