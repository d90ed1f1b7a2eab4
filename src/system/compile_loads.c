/* Loads as blocks of rt_scalar: their markers, the frames and multipliers of their expressions,
 * their numbers. */
#include "model/angles.h"
#include "system/compile.h"

/* The marker's place in the list, added where it is not there; -1 for the ground or none. */
static int compile_loads_add_frame(int *list, int *n, int marker)
{
    if (marker < 0) return -1;
    for (int k = 0; k < *n; k++)
        if (list[k] == marker) return k;
    list[*n] = marker;
    return (*n)++;
}

routh_status rt_compile_function(routh_mechanism *m, rt_program *program, rt_expr e, bool partials,
                                 routh_error *error)
{
    const routh_status status =
        partials ? rt_program_compile(program, m->graph, m->model, e, false, &m->arena, error)
                 : rt_program_compile_value(program, m->graph, m->model, e, &m->arena, error);
    if (status) return status;
    if (program->n_forces > RT_LOAD_FORCES)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "an expression uses %d forces of other elements, but %d are the limit; "
                       "split it",
                       program->n_forces, RT_LOAD_FORCES);
    const size_t work = rt_program_work(program);
    if (work > m->program_work) m->program_work = work;
    return ROUTH_OK;
}

static routh_status compile_functions(routh_mechanism *m, rt_load_block *block, const rt_load *load,
                                      routh_error *error)
{
    const rt_load_class *class = rt_load_class_of(load->type);
    const int n_functions = class->n_functions;
    if (!class->all_functions && load->function[0].expr < 0) return ROUTH_OK;
    block->n_programs = n_functions;
    for (int k = 0; k < n_functions; k++) {
        rt_expr e = load->function[k].expr;
        if (e < 0) e = rt_constant(m->graph, 0);
        const routh_status status = rt_compile_function(m, &block->program[k], e, true, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

static bool add_program_frames(const rt_program *program, int *frames, int *n)
{
    int own[RT_GRADIENT_FRAMES], n_own = 0;
    rt_program_frames(program, own, &n_own);
    for (int k = 0; k < n_own; k++) {
        if (*n >= RT_LOAD_FRAMES) return false;
        compile_loads_add_frame(frames, n, own[k]);
    }
    return true;
}

static bool add_program_signals(const routh_mechanism *m, const rt_program *program, int *lambda,
                                int *n)
{
    for (int k = 0; k < program->n_signals; k++) {
        const int place = m->n_rows + program->signal[k];
        int seen = 0;
        while (seen < *n && lambda[seen] != place) seen++;
        if (seen < *n) continue;
        if (*n >= RT_LOAD_LAMBDA) return false;
        lambda[(*n)++] = place;
    }
    return true;
}

routh_status rt_set_lambda(routh_mechanism *m, rt_load_block *block, const int *lambda, int n,
                           routh_error *error)
{
    int *copy = RT_TAKE(&m->arena, int, n);
    if (!copy) return rt_fail_memory(error);
    memcpy(copy, lambda, (size_t)n * sizeof *copy);
    block->lambda = copy;
    block->n_lambda = n;
    if (n > m->max_lambda) m->max_lambda = n;
    return ROUTH_OK;
}

routh_status rt_add_dependencies(routh_mechanism *m, rt_load_block *block, int *frames,
                                 int *n_frames, int *lambda, routh_error *error)
{
    int n_lambda = 0, depth = 0;
    bool room = true;
    for (int p = 0; p < block->n_programs && room; p++) {
        const rt_program *program = &block->program[p];
        room = add_program_frames(program, frames, n_frames) &&
               add_program_signals(m, program, lambda, &n_lambda);
        for (int k = 0; k < program->n_forces && room; k++) {
            const int inner = rt_force_dependencies(m, program->quantity[program->n_dots + k], 1,
                                                    frames, n_frames, lambda, &n_lambda);
            room = inner >= 0;
            if (inner > depth) depth = inner;
        }
    }
    if (!room)
        return rt_fail(
            error, ROUTH_LIMIT_EXCEEDED,
            "its expressions touch more than %d markers or %d joint forces and signals, or refer "
            "to forces of loads more than %d deep; split the load",
            RT_LOAD_FRAMES, RT_LOAD_LAMBDA, RT_FORCE_DEPTH - 1);
    if (depth > m->force_depth) m->force_depth = depth;
    return rt_set_lambda(m, block, lambda, n_lambda, error);
}

/* The nodes of a load on more than two. */
static routh_status compile_nodes(routh_mechanism *m, const rt_load *load, rt_load_block *block,
                                  int *frames, int *n, routh_error *error)
{
    int *place = RT_TAKE(&m->arena, int, load->n_nodes);
    if (!place) return rt_fail_memory(error);
    for (int k = 0; k < load->n_nodes; k++)
        place[k] = compile_loads_add_frame(frames, n, load->nodes[k]);
    block->node_place = place;
    return ROUTH_OK;
}

static routh_status compile_load(routh_mechanism *m, int number, routh_error *error)
{
    const rt_load *load = &m->model->loads[number];
    rt_load_block *block = &m->loads[number];
    int frames[RT_LOAD_FRAMES], lambda[RT_LOAD_LAMBDA], n = 0;
    const rt_counted_angle own =
        rt_angle_about(load->markers[0], load->markers[1], load->triad, 2, number);
    block->angle = rt_find_angle(m->model, &own);
    block->place[0] = compile_loads_add_frame(frames, &n, load->markers[0]);
    block->place[1] = compile_loads_add_frame(frames, &n, load->markers[1]);
    const rt_load_class *class = rt_load_class_of(load->type);
    for (int s = 0; s < RT_LOAD_SPANS; s++) block->n_numbers += class->numbers[s].n;
    block->n_numbers += load->n_list;
    block->numbers = RT_TAKE(&m->arena, rt_scalar, block->n_numbers);
    if (!block->numbers || compile_nodes(m, load, block, frames, &n, error))
        return rt_fail_memory(error);
    block->place[2] = class->resolved ? compile_loads_add_frame(frames, &n, load->resolved_in) : -1;
    const routh_status status = rt_add_dependencies(m, block, frames, &n, lambda, error);
    if (status) return rt_blame(m, status, "load", load->name, load->place, error);
    return rt_make_block(m, &block->block, frames, n, error);
}

/* All expressions first: a load's frames depend on the expressions of the loads whose forces it
 * uses. */
routh_status rt_compile_loads(routh_mechanism *m, routh_error *error)
{
    m->n_loads = m->model->n_loads;
    m->loads = RT_TAKE(&m->arena, rt_load_block, m->n_loads);
    if (!m->loads) return rt_fail_memory(error);
    for (int k = 0; k < m->n_loads; k++) {
        const rt_load *load = &m->model->loads[k];
        m->loads[k].load = k;
        const routh_status status = compile_functions(m, &m->loads[k], load, error);
        if (status) return rt_blame(m, status, "load", load->name, load->place, error);
    }
    for (int k = 0; k < m->n_loads; k++) {
        const routh_status status = compile_load(m, k, error);
        if (status) return status;
    }
    return ROUTH_OK;
}
