/* From a model to a mechanism in any coordinates, joined ones among them. */
#include <stdlib.h>

#include "base/blas_memory.h"
#include "base/text.h"
#include "system/auxiliary.h"
#include "system/compile.h"
#include "system/joined.h"

/* Beside other coordinates there are absolute ones, in which operating points are searched. */
static routh_status compile_set(routh_mechanism **mechanism, const routh_model *model,
                                const rt_coordinate_set *set, routh_error *error)
{
    routh_status status = rt_compile_direct(mechanism, model, set, NULL, error);
    if (status || set == &rt_absolute) return status;
    status = rt_compile_direct(&(*mechanism)->base, model, &rt_absolute, NULL, error);
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
    m->start_near = inner->start_near;
    m->n_signals = inner->n_signals, m->sensors = inner->sensors;
    m->histories = inner->histories;
    m->n_nonholonomic = inner->n_nonholonomic;
    m->n_driven = inner->n_driven, m->driven = inner->driven;
}

static void take_start_joined(routh_mechanism *m, rt_workspace *w)
{
    rt_written_frames(m->model, NULL, w->bodies);
    m->joined->set->take(m->joined, w->bodies, m->start_q, m->start_u, w->joined->scratch);
}

void rt_joined_refill(routh_mechanism *m, rt_workspace *w)
{
    memcpy(m->gravity, m->inner->gravity, sizeof m->gravity);
    m->length = m->inner->length;
    take_start_joined(m, w);
}

static routh_status start_joined(routh_mechanism *m, routh_error *error)
{
    rt_workspace *w = NULL;
    m->start_q = RT_TAKE(&m->arena, double, m->n_q);
    m->start_u = RT_TAKE(&m->arena, double, m->n_u);
    if (!m->start_q || !m->start_u) return rt_fail_memory(error);
    rt_state *state = NULL;
    routh_status status = rt_workspace_create(&w, m, error);
    if (!status) status = rt_state_create(&state, m, error);
    if (!status) {
        take_start_joined(m, w);
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
    if (!status) status = rt_compile_direct(&m->base, m->model, &rt_absolute, NULL, error);
    if (!status)
        status = rt_compile_direct(&m->inner, m->model, &rt_spatial_frames, m->joined, error);
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
                   "the coordinate set '%s' does not exist; use one of: %s", name, names);
}

routh_status rt_compile_plain(routh_mechanism **mechanism, const routh_model *model,
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

/* The auxiliary model belongs to the plain mechanism. */
static routh_status compile_auxiliary(routh_mechanism *m, const char *coordinates,
                                      routh_error *error)
{
    routh_model *model;
    routh_status status = rt_auxiliary_model(&model, m->model, m->length, &m->arena, error);
    if (!status) status = rt_compile_plain(&m->auxiliary, model, coordinates, error);
    if (status) return status;
    m->auxiliary->plain = m;
    if (m->auxiliary->base) m->auxiliary->base->plain = m->base;
    return ROUTH_OK;
}

routh_status routh_mechanism_compile(routh_mechanism **mechanism, const routh_model *model,
                                     const char *coordinates, routh_error *error)
{
    routh_status status = rt_blas_take_memory(error);
    if (!status) status = rt_compile_plain(mechanism, model, coordinates, error);
    if (status || !rt_model_has_massless(model)) return status;
    status = compile_auxiliary(*mechanism, coordinates, error);
    if (!status) return ROUTH_OK;
    routh_mechanism_free(*mechanism);
    *mechanism = NULL;
    return status;
}

void routh_mechanism_free(routh_mechanism *m)
{
    if (!m) return;
    routh_mechanism_free(m->auxiliary);
    routh_mechanism_free(m->inner);
    routh_mechanism_free(m->base);
    rt_free_direct(m);
}
