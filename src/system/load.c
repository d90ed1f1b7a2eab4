/* One load on its block's frames: the law, the user's functions, the wrenches and partials. */
#include "system/load.h"

/* Where a load is being evaluated. */
typedef struct load_place {
    const routh_mechanism *m;
    rt_workspace *w;
    const rt_load_block *block;
    const rt_load *load;
    const rt_state *state;
    rt_element_result *result;
    int depth;
    bool partials;
} load_place;

/* Adds scale * a two-frame result to the element's buffers. */
static void add_result(const load_place *x, const rt_load_result *from, rt_scalar scale)
{
    const int wide = 6 * x->block->block.n_frames;
    for (int f = 0; f < 2; f++) {
        const int row = x->block->place[f];
        if (row < 0) continue;
        for (int i = 0; i < 6; i++) x->result->wrench[6 * row + i] += scale * from->wrench[f][i];
        for (int g = 0; g < 2 && x->partials; g++) {
            const int column = x->block->place[g];
            if (column < 0) continue;
            for (int l = 0; l < 3; l++) {
                rt_scalar *P = x->result->partial + (size_t)l * wide * wide;
                for (int i = 0; i < 6; i++)
                    for (int j = 0; j < 6; j++)
                        P[(6 * row + i) * wide + 6 * column + j] +=
                            scale * from->partial[l][(6 * f + i) * 12 + 6 * g + j];
            }
        }
    }
}

/* Adds the wrenches of `unit` times the gradient of the scalar that multiplies them. */
static void load_add_gradient(const load_place *x, const rt_load_result *unit,
                              const rt_scalar_gradient *g)
{
    const int wide = 6 * x->block->block.n_frames;
    for (int f = 0; f < 2; f++) {
        const int row = x->block->place[f];
        if (row < 0) continue;
        for (int i = 0; i < 6; i++) {
            const rt_scalar a = unit->wrench[f][i];
            if (a == 0) continue;
            for (int l = 0; l < 3; l++) {
                rt_scalar *P = x->result->partial + ((size_t)l * wide + 6 * row + i) * wide;
                for (int j = 0; j < wide; j++) P[j] += a * g->by_frame[l][j];
            }
            rt_scalar *L = x->result->lambda + (size_t)(6 * row + i) * x->block->n_lambda;
            for (int k = 0; k < x->block->n_lambda; k++) L[k] += a * g->by_lambda[k];
        }
    }
}

static void clear_gradient(const load_place *x, rt_scalar_gradient *g)
{
    const size_t wide = 6 * (size_t)x->block->block.n_frames;
    for (int l = 0; l < 3; l++) memset(g->by_frame[l], 0, wide * sizeof(rt_scalar));
    memset(g->by_lambda, 0, (size_t)x->block->n_lambda * sizeof(rt_scalar));
}

/* The user's function p: its value and, where partials are wanted, its gradient over the block. */
static bool evaluate_function(const load_place *x, int p, rt_scalar *value, rt_scalar_gradient *g)
{
    const rt_program *program = &x->block->program[p];
    const rt_quantity *const *force = program->quantity + program->n_dots;
    rt_scalar forces[RT_LOAD_FORCES], by_force[RT_LOAD_FORCES], by_signal[RT_LOAD_LAMBDA], unused;
    for (int k = 0; k < program->n_forces; k++)
        if (!rt_force_measure(x->m, x->w, x->block, force[k], x->state, x->depth + 1, &forces[k], 0,
                              NULL))
            return false;
    rt_program_input in = rt_input_at(x->m, x->w->markers, x->state, x->w->program[x->depth]);
    in.forces = forces;
    if (program->value_only) {
        *value = rt_program_value(program, &in);
        return true;
    }
    rt_gradient by_dots;
    rt_program_partials(program, &in, value, &by_dots, by_force, by_signal);
    if (!x->partials) return true;
    clear_gradient(x, g);
    for (int k = 0; k < by_dots.n; k++) {
        const int f = rt_block_place(&x->block->block, by_dots.frame[k]);
        for (int l = 0; l < 3; l++)
            for (int j = 0; j < 6; j++) g->by_frame[l][6 * f + j] += by_dots.p[l][k][j];
    }
    for (int k = 0; k < program->n_forces; k++)
        if (by_force[k] != 0)
            rt_force_measure(x->m, x->w, x->block, force[k], x->state, x->depth + 1, &unused,
                             by_force[k], g);
    for (int k = 0; k < program->n_signals; k++)
        g->by_lambda[rt_lambda_place(x->block, x->m->n_rows + program->signal[k])] += by_signal[k];
    return true;
}

bool rt_load_function(const routh_mechanism *m, rt_workspace *w, const rt_load_block *block,
                      const rt_state *state, int p, bool partials, int depth, rt_scalar *value,
                      rt_scalar_gradient *g)
{
    const load_place x = {
        .m = m, .w = w, .block = block, .state = state, .depth = depth, .partials = partials};
    return evaluate_function(&x, p, value, g);
}

static bool load_along(const load_place *x, rt_law law, bool partials, rt_load_result *out)
{
    const rt_frame *i = rt_frame_of(x->w->markers, x->load->markers[0]),
                   *j = rt_frame_of(x->w->markers, x->load->markers[1]);
    return x->load->type == RT_LOAD_SPRING
               ? rt_spring_evaluate(i, j, law, partials, out)
               : rt_torsion_evaluate(i, j, x->load->triad, law, partials, out);
}

/* -k (x - x0) - c x' + preload */
static rt_law spring_law(const load_place *x)
{
    const rt_frame *i = rt_frame_of(x->w->markers, x->load->markers[0]),
                   *j = rt_frame_of(x->w->markers, x->load->markers[1]);
    rt_scalar measure, rate;
    if (x->load->type == RT_LOAD_SPRING)
        rt_spring_measure(i, j, &measure, &rate);
    else
        rt_torsion_measure(i, j, x->load->triad, &measure, &rate);
    rt_law law = {.by_x = -rt_value_of(x->load->stiffness, x->m->along),
                  .by_rate = -rt_value_of(x->load->damping, x->m->along)};
    law.value = law.by_x * (measure - x->block->free_length) + law.by_rate * rate +
                rt_value_of(x->load->preload, x->m->along);
    return law;
}

/* The linear law and the user's function, one on top of the other. */
static bool evaluate_spring(const load_place *x)
{
    rt_load_result result;
    rt_scalar_gradient g;
    rt_law law = spring_law(x);
    rt_scalar value;
    if (x->block->n_programs && !evaluate_function(x, 0, &value, &g)) return false;
    if (x->block->n_programs) law.value += value;
    if (!load_along(x, law, x->partials, &result)) return false;
    add_result(x, &result, 1);
    if (!x->partials || !x->block->n_programs) return true;
    load_along(x, (rt_law){1, 0, 0}, false, &result);
    load_add_gradient(x, &result, &g);
    return true;
}

/* Components in the axes of a frame: their own partials, and those of the axes (level xi, dtheta
 * of that frame). */
static bool evaluate_vector(const load_place *x)
{
    const rt_frame *i = rt_frame_of(x->w->markers, x->load->markers[0]);
    const rt_frame *j =
        x->load->markers[1] == -2 ? NULL : rt_frame_of(x->w->markers, x->load->markers[1]);
    const rt_frame *k = rt_frame_of(x->w->markers, x->load->resolved_in);
    const int wide = 6 * x->block->block.n_frames;
    const int first = x->load->type == RT_LOAD_TORQUE ? 3 : 0; /* of force, then of torque */
    rt_scalar component[6] = {0}, by_k[12 * 3];
    rt_load_result result;
    for (int c = 0; c < x->block->n_programs; c++) {
        rt_scalar_gradient g;
        rt_scalar unit[6] = {0};
        if (x->load->function[c].expr < 0) continue;
        if (!evaluate_function(x, c, &component[first + c], &g)) return false;
        if (!x->partials) continue;
        unit[first + c] = 1;
        rt_vector_load_evaluate(i, j, k, unit, unit + 3, false, &result, NULL);
        load_add_gradient(x, &result, &g);
    }
    rt_vector_load_evaluate(i, j, k, component, component + 3, x->partials, &result, by_k);
    add_result(x, &result, 1);
    const int column = x->block->place[2];
    for (int f = 0; f < 2 && x->partials && column >= 0; f++) {
        if (x->block->place[f] < 0) continue;
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < 3; b++)
                x->result->partial[(6 * x->block->place[f] + a) * wide + 6 * column + 3 + b] +=
                    by_k[(6 * f + a) * 3 + b];
    }
    return true;
}

static bool evaluate_rod(const load_place *x)
{
    rt_load_result result;
    if (!rt_rod_evaluate(rt_frame_of(x->w->markers, x->load->markers[0]),
                         rt_frame_of(x->w->markers, x->load->markers[1]), x->block->stiffness6,
                         x->block->damping6, x->block->offset6, x->partials, &result))
        return false;
    add_result(x, &result, 1);
    return true;
}

static bool evaluate_bushing(const load_place *x)
{
    rt_load_result result;
    if (!rt_bushing_evaluate(rt_frame_of(x->w->markers, x->load->markers[0]),
                             rt_frame_of(x->w->markers, x->load->markers[1]), x->block->stiffness6,
                             x->block->damping6, x->block->preload6, x->block->offset6, x->partials,
                             &result))
        return false;
    add_result(x, &result, 1);
    return true;
}

bool rt_load_evaluate_at(const routh_mechanism *m, rt_workspace *w, const rt_load_block *block,
                         const rt_state *state, bool partials, int depth)
{
    const load_place x = {
        m, w, block, &m->model->loads[block->load], state, &w->result[depth], depth, partials};
    const size_t wide = 6 * (size_t)block->block.n_frames;
    memset(x.result->wrench, 0, wide * sizeof(rt_scalar));
    if (partials) {
        memset(x.result->partial, 0, 3 * wide * wide * sizeof(rt_scalar));
        memset(x.result->lambda, 0, wide * (size_t)block->n_lambda * sizeof(rt_scalar));
    }
    switch (x.load->type) {
    case RT_LOAD_SPRING:
    case RT_LOAD_TORSION_SPRING: return evaluate_spring(&x);
    case RT_LOAD_BUSHING:
    case RT_LOAD_BEAM: return evaluate_bushing(&x);
    case RT_LOAD_ROD: return evaluate_rod(&x);
    case RT_LOAD_FORCE:
    case RT_LOAD_TORQUE:
    case RT_LOAD_TYRE:
    case RT_LOAD_MAGIC_TYRE:
    case RT_LOAD_FRICTION:
    case RT_LOAD_CONTACT:
    case RT_LOAD_LIMIT: return evaluate_vector(&x);
    case RT_LOAD_N_TYPES: break;
    }
    return true;
}

bool rt_load_block_evaluate(const routh_mechanism *m, rt_workspace *w, const rt_load_block *block,
                            const rt_state *state, bool partials)
{
    return rt_load_evaluate_at(m, w, block, state, partials, 0);
}

/* -w of the second marker, moved to the first marker's origin: torque -t + (r_j - r_i) x (-f) */
void rt_load_ground_wrench(const routh_mechanism *m, const rt_workspace *w,
                           const rt_load_block *block, rt_scalar force[3], rt_scalar torque[3])
{
    const rt_load *load = &m->model->loads[block->load];
    const rt_scalar *x = w->element_wrench + 6 * block->place[1];
    rt_scalar arm[3];
    rt_v3_sub(arm, rt_frame_of(w->markers, load->markers[1])->r,
              rt_frame_of(w->markers, load->markers[0])->r);
    for (int i = 0; i < 3; i++) force[i] = -x[i], torque[i] = -x[3 + i];
    rt_v3_cross_add(torque, arm, force);
}
