/* See varies.h. Compiled with numbers that carry a derivative, and never without. */
#ifndef RT_VARIATION
#error "compiled for variations only"
#endif

#include "system/varies.h"

static bool varies_any(const rt_scalar *x, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (rt_im(x[k]) != 0) return true;
    return false;
}

bool rt_frame_varies(const rt_frame *frame)
{
    return varies_any(&frame->r[0], sizeof *frame / sizeof(rt_scalar));
}

/* Arms are from the body to the marker. What a node of a flexible body makes of its columns is not
 * looked at: such markers count. */
bool rt_marker_varies(const routh_mechanism *m, const rt_workspace *w, int marker)
{
    return m->flexible_marker[marker] >= 0 || rt_frame_varies(&w->markers[marker]) ||
           rt_frame_varies(rt_frame_of(w->bodies, m->marker_body[marker]));
}

static bool frames_vary(const routh_mechanism *m, const rt_workspace *w, const rt_block *block)
{
    for (int f = 0; f < block->n_frames; f++)
        if (rt_marker_varies(m, w, block->frames[f])) return true;
    return false;
}

/* What an expression is a function of beside frames; what tables make of parameters too. */
static bool program_varies(const routh_mechanism *m, const rt_state *state, const rt_program *p)
{
    const size_t n = (size_t)m->n_signals;
    bool varies = false;
    for (int k = 0; k < p->n_signals; k++)
        for (size_t d = 0; d < 3; d++)
            varies = varies || rt_im(state->signal[d * n + (size_t)p->signal[k]]) != 0;
    for (int k = p->n_dots + p->n_forces + p->n_signals; k < p->n_inputs && !varies; k++) {
        const rt_quantity *q = p->quantity[k];
        if (q->kind == RT_QUANTITY_NEAR) continue; /* whole turns */
        varies = rt_im(q->kind == RT_QUANTITY_TIME ? state->t : m->parameters[q->index]) != 0;
    }
    return varies;
}

static bool row_varies(const rt_row *row)
{
    for (int t = 0; t < row->n_terms; t++)
        if (rt_im(row->term[t].factor) != 0) return true;
    for (int k = 0; k < row->n_coordinates; k++)
        if (rt_im(row->coordinate[k].ratio) != 0 || rt_im(row->coordinate[k].reference) != 0)
            return true;
    return rt_im(row->constant) != 0;
}

static bool constraint_numbers_vary(const routh_mechanism *m, const rt_state *state,
                                    const rt_constraint_block *c)
{
    if (varies_any(state->lambda + c->constraint.first_row, (size_t)c->constraint.n_rows) ||
        varies_any(c->constraint.numbers, (size_t)c->constraint.n_numbers))
        return true;
    for (int r = 0; r < c->constraint.n_rows; r++) {
        const rt_row *row = &c->constraint.rows[r];
        if (row_varies(row) || (row->has_program && program_varies(m, state, &row->program)))
            return true;
    }
    return false;
}

bool rt_constraint_varies(const routh_mechanism *m, const rt_workspace *w, const rt_state *state,
                          const rt_constraint_block *c)
{
    return frames_vary(m, w, &c->block) || constraint_numbers_vary(m, state, c);
}

/* Forces of other elements depend on whatever those do. */
static bool functions_vary(const routh_mechanism *m, const rt_state *state,
                           const rt_load_block *block)
{
    for (int p = 0; p < block->n_programs; p++)
        if (block->program[p].n_forces > 0 || program_varies(m, state, &block->program[p]))
            return true;
    return false;
}

static bool load_numbers_vary(const routh_mechanism *m, const rt_state *state,
                              const rt_load_block *block)
{
    return varies_any(block->numbers, (size_t)block->n_numbers) || functions_vary(m, state, block);
}

bool rt_load_varies(const routh_mechanism *m, const rt_workspace *w, const rt_state *state,
                    const rt_load_block *load)
{
    return frames_vary(m, w, &load->block) || load_numbers_vary(m, state, load);
}

static bool body_numbers_vary(const routh_mechanism *m, int b)
{
    const rt_body_block *body = &m->bodies[b];
    return rt_im(body->mass) != 0 || varies_any(body->inertia, 9) || varies_any(m->gravity, 3);
}

bool rt_body_varies(const routh_mechanism *m, const rt_workspace *w, int b)
{
    return body_numbers_vary(m, b) || rt_frame_varies(&w->bodies[b]);
}

bool rt_body_wrench_varies(const rt_workspace *w, int b)
{
    return varies_any(w->wrench + 6 * (size_t)b, 6) || varies_any(w->carry + 9 * (size_t)b, 9);
}

bool rt_start_varies(const routh_mechanism *m)
{
    for (int b = 0; b < m->n_bodies; b++)
        if (m->along && m->along->shape && m->along->shape[b]) return true;
    return varies_any(m->start_q, (size_t)m->n_q) ||
           (m->reference_q && varies_any(m->reference_q, (size_t)m->n_q)) ||
           varies_any(m->marker_position, 3 * (size_t)m->n_markers) ||
           varies_any(m->marker_orientation, 9 * (size_t)m->n_markers);
}

bool rt_marker_is_varied(const routh_mechanism *m, int marker)
{
    return varies_any(m->marker_position + 3 * (size_t)marker, 3) ||
           varies_any(m->marker_orientation + 9 * (size_t)marker, 9);
}

/* Those on which a block acts whose numbers vary, or where one of its markers is. */
static void varies_touch(const routh_mechanism *m, const rt_block *block, bool numbers,
                         bool *bodies)
{
    for (int f = 0; f < block->n_frames && !numbers; f++)
        numbers = rt_marker_is_varied(m, block->frames[f]);
    for (int f = 0; f < block->n_frames && numbers; f++) {
        const int body = m->marker_body[block->frames[f]];
        if (body >= 0) bodies[body] = true;
    }
}

void rt_touched_bodies(const routh_mechanism *m, const rt_state *state, bool *bodies)
{
    for (int c = 0; c < m->n_constraints; c++)
        varies_touch(m, &m->constraints[c].block,
                     constraint_numbers_vary(m, state, &m->constraints[c]), bodies);
    for (int k = 0; k < m->n_loads; k++)
        varies_touch(m, &m->loads[k].block, load_numbers_vary(m, state, &m->loads[k]), bodies);
    for (int b = 0; b < m->n_bodies; b++) bodies[b] = bodies[b] || body_numbers_vary(m, b);
}

void rt_clear_rows(rt_workspace *w, const rt_constraint_block *c)
{
    const int n = c->constraint.n_rows * c->block.n_columns;
    for (int d = 0; d < 3; d++)
        for (int r = 0; r < c->constraint.n_rows; r++) w->phi[d][c->constraint.first_row + r] = 0;
    for (int k = 0; k < n; k++) {
        const int at = c->position[k];
        w->G[at] = w->Vx[at] = w->Au[at] = w->Ax[at] = 0;
    }
    memset(w->drive + 3 * (size_t)c->first_driven, 0, 3 * (size_t)c->n_driven * sizeof(rt_scalar));
}
