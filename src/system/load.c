/* One load on its block's frames: the law, the user's functions, the wrenches and partials. */
#include "system/scatter.h"

static const rt_frame ground = {.A = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

static const rt_frame *frame_of(const rt_workspace *w, int marker)
{
    return marker < 0 ? &ground : &w->markers[marker];
}

/* Adds scale * a two-frame result to the element's buffers. */
static void add_result(rt_workspace *w, const rt_load_block *load, const rt_load_result *result, double scale,
                       bool partials)
{
    const int wide = 6 * load->block.n_frames;
    for (int f = 0; f < 2; f++) {
        const int row = load->place[f];
        if (row < 0) continue;
        for (int i = 0; i < 6; i++) w->element_wrench[6 * row + i] += scale * result->wrench[f][i];
        for (int g = 0; g < 2 && partials; g++) {
            const int column = load->place[g];
            if (column < 0) continue;
            for (int l = 0; l < 3; l++) {
                double *P = w->element_partial + (size_t)l * wide * wide;
                for (int i = 0; i < 6; i++)
                    for (int j = 0; j < 6; j++)
                        P[(6 * row + i) * wide + 6 * column + j] +=
                            scale * result->partial[l][(6 * f + i) * 12 + 6 * g + j];
            }
        }
    }
}

/* Adds the wrenches of `unit` times the gradient of a scalar, on every level. */
static void add_gradient(rt_workspace *w, const rt_load_block *load, const rt_load_result *unit,
                         const rt_gradient *g)
{
    const int wide = 6 * load->block.n_frames;
    for (int f = 0; f < 2; f++) {
        const int row = load->place[f];
        if (row < 0) continue;
        for (int k = 0; k < g->n; k++) {
            const int column = rt_block_place(&load->block, g->frame[k]);
            for (int l = 0; l < 3; l++) {
                double *P = w->element_partial + (size_t)l * wide * wide;
                for (int i = 0; i < 6; i++)
                    for (int j = 0; j < 6; j++)
                        P[(6 * row + i) * wide + 6 * column + j] += unit->wrench[f][i] * g->p[l][k][j];
            }
        }
    }
}

static rt_program_input program_input(const routh_mechanism *m, rt_workspace *w, const rt_state *state)
{
    return (rt_program_input){.frames = {w->markers}, .time = state->t, .parameters = m->parameters,
                              .work = w->program};
}

static bool direction(const rt_load *load, const rt_frame *i, const rt_frame *j, rt_law law, bool partials,
                      rt_load_result *out)
{
    return load->type == RT_LOAD_SPRING ? rt_spring_evaluate(i, j, law, partials, out)
                                        : rt_torsion_evaluate(i, j, load->triad, law, partials, out);
}

/* Springs: -k (x - x0) - c x' + preload, or the user's function. */
static bool evaluate_spring(const routh_mechanism *m, rt_workspace *w, const rt_load_block *block,
                            const rt_state *state, bool partials)
{
    const rt_load *load = &m->model->loads[block->load];
    const rt_frame *i = frame_of(w, load->markers[0]), *j = frame_of(w, load->markers[1]);
    rt_load_result result;
    rt_law law;
    if (block->n_programs == 0) {
        double x, rate;
        if (load->type == RT_LOAD_SPRING)
            rt_spring_measure(i, j, &x, &rate);
        else
            rt_torsion_measure(i, j, load->triad, &x, &rate);
        law.by_x = -load->stiffness.value;
        law.by_rate = -load->damping.value;
        law.value = law.by_x * (x - block->free_length) + law.by_rate * rate + load->preload.value;
        if (!direction(load, i, j, law, partials, &result)) return false;
        add_result(w, block, &result, 1, partials);
        return true;
    }
    const rt_program_input in = program_input(m, w, state);
    rt_gradient g;
    double value;
    rt_program_partials(&block->program[0], &in, &value, &g, NULL);
    if (!direction(load, i, j, (rt_law){1, 0, 0}, partials, &result)) return false;
    add_result(w, block, &result, value, partials);
    if (partials) add_gradient(w, block, &result, &g);
    return true;
}

/* Components in the axes of a frame: their own partials, and those of the axes (level xi, dtheta of that frame). */
static void evaluate_vector(const routh_mechanism *m, rt_workspace *w, const rt_load_block *block,
                            const rt_state *state, bool partials)
{
    const rt_load *load = &m->model->loads[block->load];
    const rt_frame *i = frame_of(w, load->markers[0]);
    const rt_frame *j = load->markers[1] == -2 ? NULL : frame_of(w, load->markers[1]);
    const rt_frame *k = frame_of(w, load->resolved_in);
    const bool is_force = load->type == RT_LOAD_FORCE;
    const rt_program_input in = program_input(m, w, state);
    const double none[3] = {0, 0, 0};
    const int wide = 6 * block->block.n_frames;
    double component[3], by_k[12 * 3];
    rt_load_result result;
    for (int c = 0; c < 3; c++) {
        rt_gradient g;
        double unit[3] = {0, 0, 0};
        rt_program_partials(&block->program[c], &in, &component[c], &g, NULL);
        if (!partials || g.n == 0) continue;
        unit[c] = 1;
        rt_vector_load_evaluate(i, j, k, is_force ? unit : none, is_force ? none : unit, false, &result, NULL);
        add_gradient(w, block, &result, &g);
    }
    rt_vector_load_evaluate(i, j, k, is_force ? component : none, is_force ? none : component, partials, &result,
                            by_k);
    add_result(w, block, &result, 1, partials);
    const int column = block->place[2];
    if (!partials || column < 0) return;
    for (int f = 0; f < 2; f++) {
        if (block->place[f] < 0) continue;
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < 3; b++)
                w->element_partial[(6 * block->place[f] + a) * wide + 6 * column + 3 + b] +=
                    by_k[(6 * f + a) * 3 + b];
    }
}

static bool evaluate_bushing(const routh_mechanism *m, rt_workspace *w, const rt_load_block *block, bool partials)
{
    const rt_load *load = &m->model->loads[block->load];
    rt_load_result result;
    if (!rt_bushing_evaluate(frame_of(w, load->markers[0]), frame_of(w, load->markers[1]), block->stiffness6,
                             block->damping6, block->preload6, block->offset6, partials, &result))
        return false;
    add_result(w, block, &result, 1, partials);
    return true;
}

bool rt_load_block_evaluate(const routh_mechanism *m, rt_workspace *w, const rt_load_block *block,
                            const rt_state *state, bool partials)
{
    const size_t wide = 6 * (size_t)block->block.n_frames;
    memset(w->element_wrench, 0, wide * sizeof(double));
    if (partials) memset(w->element_partial, 0, 3 * wide * wide * sizeof(double));
    switch (m->model->loads[block->load].type) {
    case RT_LOAD_SPRING:
    case RT_LOAD_TORSION_SPRING: return evaluate_spring(m, w, block, state, partials);
    case RT_LOAD_BUSHING:
    case RT_LOAD_BEAM: return evaluate_bushing(m, w, block, partials);
    case RT_LOAD_FORCE:
    case RT_LOAD_TORQUE: evaluate_vector(m, w, block, state, partials); return true;
    case RT_LOAD_N_TYPES: break;
    }
    return true;
}

/* -w of the second marker, moved to the first marker's origin: torque -t + (r_j - r_i) x (-f) */
void rt_load_ground_wrench(const routh_mechanism *m, const rt_workspace *w, const rt_load_block *block,
                           double force[3], double torque[3])
{
    const rt_load *load = &m->model->loads[block->load];
    const double *x = w->element_wrench + 6 * block->place[1];
    double arm[3];
    rt_v3_sub(arm, frame_of(w, load->markers[1])->r, frame_of(w, load->markers[0])->r);
    for (int i = 0; i < 3; i++) force[i] = -x[i], torque[i] = -x[3 + i];
    rt_v3_cross_add(torque, arm, force);
}
