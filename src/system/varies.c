/* See varies.h. Compiled with numbers that carry a derivative, and never without. */
#include "system/varies.h"

static bool any(const rt_scalar *x, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (rt_im(x[k]) != 0) return true;
    return false;
}

bool rt_frame_varies(const rt_frame *frame)
{
    return any(&frame->r[0], sizeof *frame / sizeof(rt_scalar));
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

/* What expressions are functions of beside frames; what tables make of parameters too. */
static bool programs_vary(const routh_mechanism *m, const rt_state *state)
{
    return rt_im(state->t) != 0 ||
           any(m->parameters, (size_t)(m->model->n_parameters + m->model->n_made)) ||
           any(state->signal, 3 * (size_t)m->n_signals);
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

bool rt_constraint_varies(const routh_mechanism *m, const rt_workspace *w, const rt_state *state,
                          const rt_constraint_block *c)
{
    bool program = false;
    if (any(state->lambda + c->constraint.first_row, (size_t)c->constraint.n_rows)) return true;
    for (int r = 0; r < c->constraint.n_rows; r++) {
        if (row_varies(&c->constraint.rows[r])) return true;
        program = program || c->constraint.rows[r].has_program;
    }
    return frames_vary(m, w, &c->block) || (program && programs_vary(m, state));
}

static bool numbers_vary(const routh_mechanism *m, const rt_load_block *block)
{
    const rt_load *load = &m->model->loads[block->load];
    if (rt_im(block->free_length) != 0) return true;
    return any(block->stiffness6, 36) || any(block->damping6, 36) || any(block->preload6, 6) ||
           any(block->offset6, 6) || rt_im(rt_value_of(load->stiffness, m->along)) != 0 ||
           rt_im(rt_value_of(load->damping, m->along)) != 0 ||
           rt_im(rt_value_of(load->preload, m->along)) != 0;
}

/* Forces of other elements depend on whatever those do. */
static bool uses_forces(const rt_load_block *block)
{
    for (int p = 0; p < block->n_programs; p++)
        if (block->program[p].n_forces > 0) return true;
    return false;
}

bool rt_load_varies(const routh_mechanism *m, const rt_workspace *w, const rt_state *state,
                    const rt_load_block *load)
{
    return uses_forces(load) || frames_vary(m, w, &load->block) || numbers_vary(m, load) ||
           (load->n_programs > 0 && programs_vary(m, state));
}

bool rt_body_varies(const routh_mechanism *m, const rt_workspace *w, int b)
{
    const rt_body_block *body = &m->bodies[b];
    return rt_im(body->mass) != 0 || any(body->inertia, 9) || any(m->gravity, 3) ||
           rt_frame_varies(&w->bodies[b]);
}

bool rt_body_wrench_varies(const rt_workspace *w, int b)
{
    return any(w->wrench + 6 * (size_t)b, 6) || any(w->carry + 9 * (size_t)b, 9);
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
