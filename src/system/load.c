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
    rt_scalar *first; /* what acts on the first marker, on the ground too, or NULL */
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

/* A load on more than two frames, straight into the element's buffers. */
static bool load_evaluate_nodes(const load_place *x, const rt_load_class *class,
                                const rt_load_at *at)
{
    const int wide = 6 * x->block->block.n_frames;
    rt_scalar wrench[RT_LOAD_NODES][6];
    const rt_nodes_result out = {
        .wrench = wrench,
        .partial = {x->result->partial, x->result->partial + (size_t)wide * wide},
        .wide = wide,
        .place = x->block->node_place};
    if (!class->evaluate_nodes(at, x->partials, &out)) return false;
    for (int k = 0; k < x->load->n_nodes; k++)
        for (int i = 0; i < 6 && out.place[k] >= 0; i++)
            x->result->wrench[6 * out.place[k] + i] += wrench[k][i];
    if (x->first) memcpy(x->first, wrench[0], sizeof wrench[0]);
    return true;
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
    rt_program_input in = rt_input_at(x->m, x->w, x->state, x->w->program[x->depth]);
    in.forces = forces;
    if (program->value_only || (program->value_tape && !x->partials)) {
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

bool rt_load_blame(const routh_mechanism *m, rt_workspace *w, const rt_load_block *block,
                   const rt_state *state, char text[512])
{
    rt_scalar value;
    rt_scalar_gradient g;
    for (int p = 0; p < block->n_programs; p++) {
        if (block->program[p].tape == NULL) continue;
        const rt_program_input in = rt_input_at(m, w, state, w->program[0]);
        if (rt_load_function(m, w, block, state, p, true, 0, &value, &g) &&
            rt_program_blame(&block->program[p], &in, 1, text))
            return true;
    }
    return false;
}

/* The partials of the axes that components are in: level xi, dtheta of that frame. */
static void load_add_axes(const load_place *x, const rt_scalar by_axes[36])
{
    const int column = x->block->place[2], wide = 6 * x->block->block.n_frames;
    for (int f = 0; f < 2 && column >= 0; f++) {
        if (x->block->place[f] < 0) continue;
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < 3; b++)
                x->result->partial[(6 * x->block->place[f] + a) * wide + 6 * column + 3 + b] +=
                    by_axes[(6 * f + a) * 3 + b];
    }
}

/* The functions, each with its gradient times the wrench of one unit of it; then the type's own
 * wrench and partials with the functions held fixed. */
static bool load_evaluate_class(const load_place *x, const rt_load_class *class)
{
    rt_scalar value[RT_LOAD_FUNCTIONS] = {0};
    rt_load_at at = rt_load_on(x->m, x->w, x->block, value);
    rt_load_result result;
    rt_scalar by_axes[12 * 3];
    if (class->evaluate_nodes) return load_evaluate_nodes(x, class, &at);
    at.by_axes = by_axes;
    for (int c = 0; c < x->block->n_programs; c++) {
        rt_scalar_gradient g;
        if (x->load->function[c].expr < 0) continue;
        if (!evaluate_function(x, c, &value[c], &g)) return false;
        if (!x->partials) continue;
        class->unit(&at, c, &result);
        load_add_gradient(x, &result, &g);
    }
    if (!class->evaluate(&at, x->partials, &result)) return false;
    add_result(x, &result, 1);
    if (x->first) memcpy(x->first, result.wrench[0], sizeof result.wrench[0]);
    if (x->partials && class->resolved) load_add_axes(x, by_axes);
    return true;
}

bool rt_load_evaluate_at(const routh_mechanism *m, rt_workspace *w, const rt_load_block *block,
                         const rt_state *state, bool partials, int depth)
{
    const load_place x = {
        m,     w,        block, &m->model->loads[block->load], state, &w->result[depth],
        depth, partials, NULL};
    const size_t wide = 6 * (size_t)block->block.n_frames;
    memset(x.result->wrench, 0, wide * sizeof(rt_scalar));
    if (partials) {
        memset(x.result->partial, 0, 3 * wide * wide * sizeof(rt_scalar));
        memset(x.result->lambda, 0, wide * (size_t)block->n_lambda * sizeof(rt_scalar));
    }
    return load_evaluate_class(&x, rt_class_of(m, block));
}

rt_scalar rt_load_energy(const routh_mechanism *m, const rt_workspace *w,
                         const rt_load_block *block)
{
    const rt_scalar none[RT_LOAD_FUNCTIONS] = {0};
    const rt_load_class *class = rt_class_of(m, block);
    const rt_load_at at = rt_load_on(m, w, block, none);
    return class->energy ? class->energy(&at) : 0;
}

bool rt_load_block_evaluate(const routh_mechanism *m, rt_workspace *w, const rt_load_block *block,
                            const rt_state *state, bool partials)
{
    return rt_load_evaluate_at(m, w, block, state, partials, 0);
}

void rt_load_on_first(const routh_mechanism *m, rt_workspace *w, const rt_load_block *block,
                      const rt_state *state, rt_scalar wrench[6])
{
    const load_place x = {.m = m,
                          .w = w,
                          .block = block,
                          .load = &m->model->loads[block->load],
                          .state = state,
                          .result = &w->result[0],
                          .first = wrench};
    memset(wrench, 0, 6 * sizeof *wrench);
    memset(x.result->wrench, 0, 6 * (size_t)block->block.n_frames * sizeof(rt_scalar));
    load_evaluate_class(&x, rt_class_of(m, block));
}
