/* From a model to a mechanism: numbers copied out, elements compiled, patterns made. */
#include <stdlib.h>

#include "system/compile.h"

/* ---- numbers -------------------------------------------------------------------------------- */

static routh_status copy_parameters(routh_mechanism *m, routh_error *error)
{
    m->parameters = RT_TAKE(&m->arena, double, m->model->n_parameters);
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
    m->marker_position = RT_TAKE(&m->arena, double, 3 * (size_t)n);
    m->marker_orientation = RT_TAKE(&m->arena, double, 9 * (size_t)n);
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
    m->n_q = m->set->count_q(m->model);
    m->n_u = m->set->count_u(m->model);
    m->start_q = RT_TAKE(&m->arena, double, m->n_q);
    m->start_u = RT_TAKE(&m->arena, double, m->n_u);
    if (!m->start_q || !m->start_u) return rt_fail_memory(error);
    m->set->start(m->model, m->start_q, m->start_u);
    return ROUTH_OK;
}

/* ---- blocks --------------------------------------------------------------------------------- */

static int compare_ints(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int find_column(const int *columns, int n, int column)
{
    int low = 0, high = n - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (columns[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Columns of a marker's frame; none for a marker on the ground. */
static int marker_columns(const routh_mechanism *m, int marker, int *columns)
{
    const int body = m->marker_body[marker];
    return body == RT_GROUND ? 0 : m->set->columns(m->model, body, columns);
}

/* The union of the columns of the frames, and where each frame's own are in it. */
static routh_status make_block(routh_mechanism *m, rt_block *block, const int *frames, int n_frames,
                               routh_error *error)
{
    int *all = RT_TAKE(&m->arena, int, n_frames * RT_MAP_COLUMNS);
    int *local = RT_TAKE(&m->arena, int, n_frames * RT_MAP_COLUMNS);
    int *copy = RT_TAKE(&m->arena, int, n_frames);
    int own[RT_MAP_COLUMNS], n = 0;
    if (!all || !local || !copy) return rt_fail_memory(error);
    for (int f = 0; f < n_frames; f++) {
        copy[f] = frames[f];
        const int n_own = marker_columns(m, frames[f], own);
        for (int k = 0; k < n_own; k++) all[n++] = own[k];
    }
    qsort(all, (size_t)n, sizeof *all, compare_ints);
    int n_unique = 0;
    for (int k = 0; k < n; k++)
        if (k == 0 || all[k] != all[k - 1]) all[n_unique++] = all[k];
    for (int f = 0; f < n_frames; f++) {
        const int n_own = marker_columns(m, frames[f], own);
        for (int k = 0; k < n_own; k++)
            local[f * RT_MAP_COLUMNS + k] = find_column(all, n_unique, own[k]);
    }
    *block = (rt_block){.n_frames = n_frames, .frames = copy, .n_columns = n_unique, .columns = all,
                        .local = local};
    if (n_frames > m->max_frames) m->max_frames = n_frames;
    return ROUTH_OK;
}

static routh_status compile_bodies(routh_mechanism *m, routh_error *error)
{
    m->n_bodies = m->model->n_bodies;
    m->bodies = RT_TAKE(&m->arena, rt_body_block, m->n_bodies);
    if (!m->bodies) return rt_fail_memory(error);
    for (int b = 0; b < m->n_bodies; b++) {
        const rt_body *body = &m->model->bodies[b];
        const routh_status status = make_block(m, &m->bodies[b].block, &b, 1, error);
        if (status) return status;
        m->bodies[b].mass = body->mass.value;
        for (int k = 0; k < 9; k++) m->bodies[b].inertia[k] = body->inertia[k].value;
    }
    return ROUTH_OK;
}

/* Adds the element's name and place to an error made deeper down. */
static routh_status blame(const routh_mechanism *m, routh_status status, const char *what,
                          const char *name, rt_place place, routh_error *error)
{
    if (!error) return status;
    char message[sizeof error->message];
    memcpy(message, error->message, sizeof message);
    char element[160];
    snprintf(element, sizeof element, "%s %s", what, name);
    return rt_fail_at(error, status, m->model->file, place, element, "%s", message);
}

static routh_status compile_constraints(routh_mechanism *m, routh_error *error)
{
    m->n_constraints = m->model->n_joints;
    m->constraints = RT_TAKE(&m->arena, rt_constraint_block, m->n_constraints);
    if (!m->constraints) return rt_fail_memory(error);
    for (int c = 0; c < m->n_constraints; c++) {
        rt_constraint_block *block = &m->constraints[c];
        const rt_joint *joint = &m->model->joints[c];
        routh_status status =
            rt_constraint_compile(&block->constraint, m->model, c, m->graph, &m->arena, error);
        if (status) return blame(m, status, "joint", joint->name, joint->place, error);
        block->constraint.first_row = m->n_rows;
        m->n_rows += block->constraint.n_rows;
        status = make_block(m, &block->block, block->constraint.frames, block->constraint.n_frames,
                            error);
        if (status) return status;
        for (int r = 0; r < block->constraint.n_rows; r++) {
            const size_t work = rt_row_work(&block->constraint.rows[r]);
            if (work > m->program_work) m->program_work = work;
        }
    }
    m->n_joint_rows = m->n_rows;
    if (m->set->own_row) m->n_rows += m->n_bodies;
    m->row_constraint = RT_TAKE(&m->arena, int, m->n_rows);
    m->joint_rows = RT_TAKE(&m->arena, int, m->n_rows);
    if (!m->row_constraint || !m->joint_rows) return rt_fail_memory(error);
    for (int r = 0; r < m->n_joint_rows; r++) m->joint_rows[r] = r;
    for (int c = 0; c < m->n_constraints; c++)
        for (int r = 0; r < m->constraints[c].constraint.n_rows; r++)
            m->row_constraint[m->constraints[c].constraint.first_row + r] = c;
    return ROUTH_OK;
}

/* ---- loads ---------------------------------------------------------------------------------- */

/* The marker's place in the list, added where it is not there; -1 for the ground or none. */
static int add_frame(int *list, int *n, int marker)
{
    if (marker < 0) return -1;
    for (int k = 0; k < *n; k++)
        if (list[k] == marker) return k;
    list[*n] = marker;
    return (*n)++;
}

static routh_status compile_functions(routh_mechanism *m, rt_load_block *block, const rt_load *load,
                                      routh_error *error)
{
    const int n_functions = load->type == RT_LOAD_FORCE || load->type == RT_LOAD_TORQUE ? 3 : 1;
    if (n_functions == 1 && load->function[0].expr < 0) return ROUTH_OK;
    block->n_programs = n_functions;
    for (int k = 0; k < n_functions; k++) {
        rt_program *program = &block->program[k];
        rt_expr e = load->function[k].expr;
        if (e < 0) e = rt_constant(m->graph, 0);
        const routh_status status =
            rt_program_compile(program, m->graph, m->model->quantities, e, false, &m->arena, error);
        if (status) return status;
        if (program->n_forces > RT_LOAD_FORCES)
            return rt_fail(
                error, ROUTH_LIMIT_EXCEEDED,
                "an expression uses %d forces of other elements; %d are the most, split the load",
                program->n_forces, RT_LOAD_FORCES);
        const size_t work = rt_program_work(program);
        if (work > m->program_work) m->program_work = work;
    }
    return ROUTH_OK;
}

static bool add_program_frames(const rt_program *program, int *frames, int *n)
{
    int own[RT_GRADIENT_FRAMES], n_own = 0;
    rt_program_frames(program, own, &n_own);
    for (int k = 0; k < n_own; k++) {
        if (*n >= RT_LOAD_FRAMES) return false;
        add_frame(frames, n, own[k]);
    }
    return true;
}

/* Frames and multipliers that the load's expressions touch. */
static routh_status add_dependencies(routh_mechanism *m, rt_load_block *block, int *frames,
                                     int *n_frames, int *lambda, routh_error *error)
{
    int n_lambda = 0, depth = 0;
    bool room = true;
    for (int p = 0; p < block->n_programs && room; p++) {
        const rt_program *program = &block->program[p];
        room = add_program_frames(program, frames, n_frames);
        for (int k = 0; k < program->n_forces && room; k++) {
            const int inner = rt_force_dependencies(m, program->quantity[program->n_dots + k], 1,
                                                    frames, n_frames, lambda, &n_lambda);
            room = inner >= 0;
            if (inner > depth) depth = inner;
        }
    }
    if (!room)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "its expressions touch more than %d markers or %d joint forces, or refer to "
                       "forces of loads more "
                       "than %d deep; split the load",
                       RT_LOAD_FRAMES, RT_LOAD_LAMBDA, RT_FORCE_DEPTH - 1);
    int *copy = RT_TAKE(&m->arena, int, n_lambda);
    if (!copy) return rt_fail_memory(error);
    memcpy(copy, lambda, (size_t)n_lambda * sizeof *copy);
    block->lambda = copy;
    block->n_lambda = n_lambda;
    if (n_lambda > m->max_lambda) m->max_lambda = n_lambda;
    if (depth > m->force_depth) m->force_depth = depth;
    return ROUTH_OK;
}

static void copy_matrices(rt_load_block *block, const rt_load *load)
{
    for (int k = 0; k < 36; k++) {
        block->stiffness6[k] = load->stiffness6[k].value;
        block->damping6[k] = load->damping6[k].value;
    }
    for (int k = 0; k < 6; k++) {
        block->preload6[k] = load->preload6[k].value;
        block->offset6[k] = load->offset6[k].value;
    }
    block->free_length = load->free_length.value;
}

static routh_status compile_load(routh_mechanism *m, int number, routh_error *error)
{
    const rt_load *load = &m->model->loads[number];
    rt_load_block *block = &m->loads[number];
    int frames[RT_LOAD_FRAMES], lambda[RT_LOAD_LAMBDA], n = 0;
    block->place[0] = add_frame(frames, &n, load->markers[0]);
    block->place[1] = add_frame(frames, &n, load->markers[1]);
    const bool resolved = load->type == RT_LOAD_FORCE || load->type == RT_LOAD_TORQUE;
    block->place[2] = resolved ? add_frame(frames, &n, load->resolved_in) : -1;
    const routh_status status = add_dependencies(m, block, frames, &n, lambda, error);
    if (status) return blame(m, status, "load", load->name, load->place, error);
    copy_matrices(block, load);
    return make_block(m, &block->block, frames, n, error);
}

/* All expressions first: a load's frames depend on the expressions of the loads whose forces it
 * uses. */
static routh_status compile_loads(routh_mechanism *m, routh_error *error)
{
    m->n_loads = m->model->n_loads;
    m->loads = RT_TAKE(&m->arena, rt_load_block, m->n_loads);
    if (!m->loads) return rt_fail_memory(error);
    for (int k = 0; k < m->n_loads; k++) {
        const rt_load *load = &m->model->loads[k];
        m->loads[k].load = k;
        const routh_status status = compile_functions(m, &m->loads[k], load, error);
        if (status) return blame(m, status, "load", load->name, load->place, error);
    }
    for (int k = 0; k < m->n_loads; k++) {
        const routh_status status = compile_load(m, k, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

/* ---- what is taken from the configuration as written ---------------------------------------- */

static void set_free_lengths(routh_mechanism *m, const rt_workspace *w)
{
    static const rt_frame ground = {.A = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int k = 0; k < m->n_loads; k++) {
        const rt_load *load = &m->model->loads[k];
        if (load->free_length_given) continue;
        const rt_frame *i = load->markers[0] < 0 ? &ground : &w->markers[load->markers[0]];
        const rt_frame *j = load->markers[1] < 0 ? &ground : &w->markers[load->markers[1]];
        double rate;
        if (load->type == RT_LOAD_SPRING) rt_spring_measure(i, j, &m->loads[k].free_length, &rate);
        if (load->type == RT_LOAD_TORSION_SPRING)
            rt_torsion_measure(i, j, load->triad, &m->loads[k].free_length, &rate);
    }
}

static double largest_distance(const rt_workspace *w, int n_bodies, int n_markers)
{
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    (void)n_bodies;
    for (int k = 0; k < n_markers; k++)
        for (int i = 0; i < 3; i++) {
            if (k == 0 || w->markers[k].r[i] < low[i]) low[i] = w->markers[k].r[i];
            if (k == 0 || w->markers[k].r[i] > high[i]) high[i] = w->markers[k].r[i];
        }
    double d[3];
    rt_v3_sub(d, high, low);
    return rt_v3_norm(d);
}

/* A typical arm: the mean distance of markers from their bodies' centres; the whole extent where
 * there is none. */
static double typical_length(const routh_mechanism *m, const rt_workspace *w)
{
    double sum = 0;
    int n = 0;
    for (int k = 0; k < m->n_markers; k++) {
        const double arm = rt_v3_norm(m->marker_position + 3 * (size_t)k);
        if (m->marker_body[k] == RT_GROUND || arm == 0) continue;
        sum += arm;
        n++;
    }
    const double length = n ? sum / n : largest_distance(w, m->n_bodies, m->n_markers);
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
        const rt_program_input in = {.frames = {w->markers},
                                     .time = state->t,
                                     .parameters = m->parameters,
                                     .work = w->program[0]};
        for (int c = 0; c < m->n_constraints; c++)
            rt_constraint_set_references(&m->constraints[c].constraint, m->model, &in);
        m->length = typical_length(m, w);
    }
    rt_state_free(state);
    rt_workspace_free(w);
    return status;
}

static routh_status compile(routh_mechanism *m, routh_error *error)
{
    routh_status status = copy_parameters(m, error);
    if (!status) status = copy_markers(m, error);
    if (!status) status = copy_start(m, error);
    if (!status) status = compile_bodies(m, error);
    if (!status) status = compile_constraints(m, error);
    if (!status) status = compile_loads(m, error);
    if (!status) status = rt_make_patterns(m, error);
    if (!status) status = use_start(m, error);
    return status;
}

routh_status routh_mechanism_compile(routh_mechanism **mechanism, const routh_model *model,
                                     const char *coordinates, routh_error *error)
{
    *mechanism = NULL;
    const char *name = coordinates ? coordinates : rt_absolute.name;
    const rt_coordinate_set *set = rt_coordinate_set_find(name);
    if (!set)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "there are no coordinates '%s' in this version; there are: %s", name,
                       rt_coordinate_set_names);
    routh_mechanism *m = calloc(1, sizeof *m);
    if (!m) return rt_fail_memory(error);
    m->model = model;
    m->set = set;
    m->graph = rt_graph_clone(model->graph);
    const routh_status status = m->graph ? compile(m, error) : rt_fail_memory(error);
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
    rt_graph_free(m->graph);
    rt_arena_free(&m->arena);
    free(m);
}
