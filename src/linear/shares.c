/* Who holds the energy of a motion: kinetic energy of bodies, strain and dissipation of flexible
 * bodies and of loads, and the stiffness that forces in the joints give (gravity acts through it).
 * All quadratic forms of (S, W) = y, in factored form (share_forms.h). */
#include "linear/share_forms.h"

static routh_energy_fraction *next_share(rt_linear_holder *h, const char *what, const char *name,
                                         routh_energy_kind kind, int n_rows)
{
    routh_energy_fraction *share = &h->linear.shares[h->linear.n_shares];
    *share = (routh_energy_fraction){.kind = kind, .n_rows = n_rows};
    share->name = rt_linear_text(h, "%s %s", what, name);
    share->rows = RT_TAKE(&h->arena, double, (size_t)n_rows *(size_t)h->linear.n_states);
    share->weight = RT_TAKE(&h->arena, double, (size_t)n_rows *(size_t)n_rows);
    if (!share->name || !share->rows || !share->weight) return NULL;
    h->linear.n_shares++;
    return share;
}

static routh_status body_share(rt_share_task *t, int b, routh_error *error)
{
    const rt_search *s = t->s;
    routh_energy_fraction *share =
        next_share(t->h, "body", s->m->model->bodies[b].name, ROUTH_ENERGY_KINETIC, 6);
    if (!share) return rt_fail_memory(error);
    rt_load_result inertia;
    const rt_body_block *body = &(s->m->plain ? s->m->plain : s->m)->bodies[b];
    rt_inertia_evaluate(&s->w->bodies[b], body->mass, body->inertia, true, &inertia);
    for (int i = 0; i < 6; i++)
        memcpy(share->weight + 6 * i, inertia.partial[2] + 12 * i, 6 * sizeof(double));
    rt_share_frame_rows(t, b, 1, share->rows);
    return ROUTH_OK;
}

/* The symmetric part of scale * weight, in place; false when it is zero. */
static bool make_symmetric(double *weight, int n, double scale)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double *a = weight + (size_t)i * n + j, *b = weight + (size_t)j * n + i;
            const double mean = *a == *b ? *a : (*a + *b) / 2; /* half of a diagonal is itself */
            *a = *b = scale * mean;
            largest = fmax(largest, fabs(*a));
        }
    return largest > 0;
}

static routh_status flexible_share(rt_share_task *t, int k, routh_energy_kind kind,
                                   routh_error *error)
{
    const char *name = t->s->m->model->bodies[t->s->m->flexible[k].body].name;
    const int width = rt_share_flexible_width(t, k, kind);
    routh_energy_fraction *share = next_share(t->h, "body", name, kind, width);
    if (!share) return rt_fail_memory(error);
    const routh_status status = rt_share_flexible(t, k, kind, share->weight, share->rows, error);
    if (!status && !make_symmetric(share->weight, width, 1)) t->h->linear.n_shares--;
    return status;
}

/* Of an element's wrenches and their partials by its frames, as a form on its bodies. */
static routh_status element_strain(rt_share_task *t, const char *what, const char *name,
                                   const rt_block *block, const double *P, const double *wrench,
                                   double scale, routh_error *error)
{
    rt_share_frame *frames;
    int width;
    routh_status status = rt_share_frames(t, block, &frames, &width, error);
    if (status) return status;
    routh_energy_fraction *share = next_share(t->h, what, name, ROUTH_ENERGY_STRAIN, width);
    if (!share) return rt_fail_memory(error);
    status = rt_share_carry(t, block, frames, P, wrench, share->weight, error);
    if (status) return status;
    if (!make_symmetric(share->weight, width, scale)) t->h->linear.n_shares--;
    double *rows = share->rows;
    for (int f = 0; f < block->n_frames; f++) {
        rt_share_carried_rows(t, &frames[f], rows);
        rows += (size_t)frames[f].width * (size_t)t->h->linear.n_states;
    }
    return ROUTH_OK;
}

static routh_status load_shares(rt_share_task *t, int k, routh_error *error)
{
    const rt_search *s = t->s;
    const rt_load_block *load = &s->m->loads[k];
    const char *name = s->m->model->loads[k].name;
    const int wide = 6 * load->block.n_frames;
    const double *P0 = s->w->element_partial, *P1 = P0 + (size_t)wide * wide;
    rt_load_block_evaluate(s->m, s->w, load, s->state, true);
    const routh_status status =
        element_strain(t, "load", name, &load->block, P0, s->w->element_wrench, -1, error);
    if (status) return status;
    routh_energy_fraction *loss = next_share(t->h, "load", name, ROUTH_ENERGY_DISSIPATION, wide);
    if (!loss) return rt_fail_memory(error);
    memcpy(loss->weight, P1, (size_t)wide * wide * sizeof *P1);
    if (!make_symmetric(loss->weight, wide, -1)) t->h->linear.n_shares--;
    for (int f = 0; f < load->block.n_frames; f++)
        rt_share_frame_rows(t, load->block.frames[f], 1,
                            loss->rows + (size_t)6 * f * t->h->linear.n_states);
    return ROUTH_OK;
}

/* The multipliers held fixed: d(phi' lambda)/dxi of the joint. */
static routh_status joint_share(rt_share_task *t, int c, routh_error *error)
{
    const rt_search *s = t->s;
    const rt_constraint_block *joint = &s->m->constraints[c];
    const int wide = 6 * joint->block.n_frames;
    const rt_program_input in = rt_input_at(s->m, s->w, s->state, s->w->program[0]);
    double *P = s->w->element_partial;
    memset(P, 0, (size_t)wide * wide * sizeof *P);
    memset(s->w->element_wrench, 0, (size_t)wide * sizeof *P);
    for (int r = 0; r < joint->constraint.n_rows; r++) {
        const double lambda = s->state->lambda[joint->constraint.first_row + r];
        rt_gradient phi;
        double value[3];
        rt_row_evaluate(&joint->constraint.rows[r], &in, value, &phi);
        rt_row_curvature(&joint->constraint.rows[r], &in, lambda, joint->block.frames,
                         joint->block.n_frames, P);
        for (int k = 0; k < phi.n; k++)
            for (int f = 0; f < joint->block.n_frames; f++)
                for (int i = 0; i < 6 && joint->block.frames[f] == phi.frame[k]; i++)
                    s->w->element_wrench[6 * f + i] += lambda * phi.p[0][k][i];
    }
    return element_strain(t, "joint", s->m->model->joints[joint->constraint.joint].name,
                          &joint->block, P, s->w->element_wrench, 1, error);
}

static routh_status all_shares(rt_share_task *t, routh_error *error)
{
    const routh_mechanism *m = t->s->m;
    routh_status status = ROUTH_OK;
    for (int b = 0, k = 0; b < m->n_bodies && !status; b++) {
        const bool flexible = k < m->n_flexible && m->flexible[k].body == b;
        status = flexible ? flexible_share(t, k++, ROUTH_ENERGY_KINETIC, error)
                          : body_share(t, b, error);
    }
    for (int k = 0; k < m->n_flexible && !status; k++) {
        status = flexible_share(t, k, ROUTH_ENERGY_STRAIN, error);
        if (!status) status = flexible_share(t, k, ROUTH_ENERGY_DISSIPATION, error);
    }
    for (int k = 0; k < m->n_loads && !status; k++) status = load_shares(t, k, error);
    for (int c = 0; c < m->n_constraints && !status; c++) status = joint_share(t, c, error);
    return status;
}

routh_status rt_linear_shares(rt_linear_holder *h, const rt_search *s, const rt_sensitivity *x,
                              routh_error *error)
{
    const routh_mechanism *m = s->m;
    rt_share_task t = {.scratch.kept = m->analyses, .h = h, .s = s, .x = x};
    h->linear.shares =
        RT_TAKE(&h->arena, routh_energy_fraction,
                m->n_bodies + 2 * m->n_flexible + m->n_constraints + 2 * m->n_loads + 1);
    if (!h->linear.shares) return rt_fail_memory(error);
    const routh_status status = all_shares(&t, error);
    rt_arena_free(&t.scratch);
    return status;
}
