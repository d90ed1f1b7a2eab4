/* Who holds the energy of a motion: kinetic energy of bodies, strain and dissipation of loads,
 * and the stiffness that forces in the joints give (gravity acts through it). All quadratic
 * forms of (S, W) = y, in factored form. */
#include "linear/holder.h"

/* rows of one frame on y: displacements xi (levels 0) or rates xi' (level 1) */
static void frame_rows(const rt_search *s, const rt_sensitivity *x, int marker, int level,
                       int width, double *rows)
{
    rt_motion map;
    const int z = x->z;
    rt_marker_motion(s->m, s->w, s->state, marker, &map);
    for (int i = 0; i < 6; i++) {
        /* the ground has no columns, nor arrays */
        const double *J = map.n ? map.J + i * map.n : NULL,
                     *J1 = map.n ? map.J1 + i * map.n : NULL;
        for (int j = 0; j < z; j++) {
            double sum = 0;
            for (int c = 0; c < map.n; c++) {
                const double X = x->X[(size_t)j * x->n + map.columns[c]],
                             U = x->U[(size_t)j * x->n + map.columns[c]];
                sum += level == 0 ? J[c] * X : J[c] * U + J1[c] * X; /* xi' = J u + J1 xi */
            }
            rows[(size_t)i * width + j] = sum;
        }
        for (int j = 0; j < x->z1 && level; j++) {
            double sum = 0;
            for (int c = 0; c < map.n; c++)
                sum += J[c] * x->Xw[(size_t)j * x->n + map.columns[c]];
            rows[(size_t)i * width + z + j] = sum;
        }
    }
}

static routh_energy_share *next_share(rt_linear_holder *h, const char *what, const char *name,
                                      routh_energy_kind kind, int n_rows)
{
    routh_energy_share *share = &h->linear.shares[h->linear.n_shares];
    *share = (routh_energy_share){.kind = kind, .n_rows = n_rows};
    share->name = rt_linear_text(h, "%s %s", what, name);
    share->rows = RT_TAKE(&h->arena, double, (size_t)n_rows * (size_t)h->linear.n_states);
    share->weight = RT_TAKE(&h->arena, double, (size_t)n_rows * (size_t)n_rows);
    if (!share->name || !share->rows || !share->weight) return NULL;
    h->linear.n_shares++;
    return share;
}

static routh_status body_share(rt_linear_holder *h, const rt_search *s, const rt_sensitivity *x,
                               int b, routh_error *error)
{
    routh_energy_share *share =
        next_share(h, "body", s->m->model->bodies[b].name, ROUTH_ENERGY_KINETIC, 6);
    if (!share) return rt_fail_memory(error);
    rt_load_result inertia;
    rt_inertia_evaluate(&s->w->bodies[b], s->m->bodies[b].mass, s->m->bodies[b].inertia, true,
                        &inertia);
    for (int i = 0; i < 6; i++)
        memcpy(share->weight + 6 * i, inertia.partial[2] + 12 * i, 6 * sizeof(double));
    frame_rows(s, x, b, 1, h->linear.n_states, share->rows);
    return ROUTH_OK;
}

/* The symmetric part of scale * P (wide x wide); false when it is zero. */
static bool symmetric_part(double *weight, const double *P, int wide, double scale)
{
    double largest = 0;
    for (int i = 0; i < wide; i++)
        for (int j = 0; j < wide; j++) {
            weight[i * wide + j] = scale * (P[i * wide + j] + P[j * wide + i]) / 2;
            largest = fmax(largest, fabs(weight[i * wide + j]));
        }
    return largest > 0;
}

/* Partials at the markers, carried to their bodies' centres: xi_marker = xi_r + theta x s. Adds
 * f~ s~. */
static void to_bodies(const rt_search *s, const rt_block *block, double *P, double wrench_sign)
{
    const int wide = 6 * block->n_frames;
    for (int f = 0; f < block->n_frames; f++) {
        const int marker = block->frames[f], body = s->m->marker_body[marker];
        if (body == RT_GROUND) continue;
        double arm[3], S[9], F[9], FS[9];
        rt_v3_sub(arm, s->w->markers[marker].r, s->w->bodies[body].r);
        rt_m3_skew(S, arm);
        for (int i = 0; i < wide; i++) { /* columns: P_theta -= P_r s~ */
            double *row = P + (size_t)i * wide + 6 * f;
            for (int j = 0; j < 3; j++)
                row[3 + j] -= row[0] * S[j] + row[1] * S[3 + j] + row[2] * S[6 + j];
        }
        for (int j = 0; j < wide; j++) { /* rows: P_theta += s~ P_r */
            double *at = P + (size_t)6 * f * wide + j;
            for (int i = 0; i < 3; i++)
                at[(3 + i) * wide] +=
                    S[3 * i] * at[0] + S[3 * i + 1] * at[wide] + S[3 * i + 2] * at[2 * wide];
        }
        rt_m3_skew(F, s->w->element_wrench + 6 * f);
        rt_m3_mul(FS, F, S);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                P[(6 * f + 3 + i) * wide + 6 * f + 3 + j] += wrench_sign * FS[3 * i + j];
    }
}

static void block_rows(const rt_search *s, const rt_sensitivity *x, const rt_block *block,
                       int level, bool bodies, int width, double *rows)
{
    for (int f = 0; f < block->n_frames; f++) {
        const int body = s->m->marker_body[block->frames[f]];
        frame_rows(s, x, bodies && body != RT_GROUND ? body : block->frames[f], level,
                   width, rows + (size_t)6 * f * width);
    }
}

static routh_status load_shares(rt_linear_holder *h, rt_search *s, const rt_sensitivity *x, int k,
                                routh_error *error)
{
    const rt_load_block *load = &s->m->loads[k];
    const char *name = s->m->model->loads[k].name;
    const int wide = 6 * load->block.n_frames;
    double *P0 = s->w->element_partial, *P1 = P0 + (size_t)wide * wide;
    rt_load_block_evaluate(s->m, s->w, load, s->state, true);
    routh_energy_share *strain = next_share(h, "load", name, ROUTH_ENERGY_STRAIN, wide);
    if (!strain) return rt_fail_memory(error);
    to_bodies(s, &load->block, P0, 1);
    if (symmetric_part(strain->weight, P0, wide, -1))
        block_rows(s, x, &load->block, 0, true, h->linear.n_states, strain->rows);
    else
        h->linear.n_shares--;
    routh_energy_share *loss = next_share(h, "load", name, ROUTH_ENERGY_DISSIPATION, wide);
    if (!loss) return rt_fail_memory(error);
    if (symmetric_part(loss->weight, P1, wide, -1))
        block_rows(s, x, &load->block, 1, false, h->linear.n_states, loss->rows);
    else
        h->linear.n_shares--;
    return ROUTH_OK;
}

/* The multipliers held fixed: d(phi' lambda)/dxi of the joint. */
static routh_status joint_share(rt_linear_holder *h, rt_search *s, const rt_sensitivity *x, int c,
                                routh_error *error)
{
    const rt_constraint_block *joint = &s->m->constraints[c];
    const int wide = 6 * joint->block.n_frames;
    const rt_program_input in = rt_input_at(s->m, s->w->markers, s->state, s->w->program[0]);
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
    const char *name = s->m->model->joints[joint->constraint.joint].name;
    routh_energy_share *share = next_share(h, "joint", name, ROUTH_ENERGY_STRAIN, wide);
    if (!share) return rt_fail_memory(error);
    to_bodies(s, &joint->block, P, 1);
    if (symmetric_part(share->weight, P, wide, 1))
        block_rows(s, x, &joint->block, 0, true, h->linear.n_states, share->rows);
    else
        h->linear.n_shares--;
    return ROUTH_OK;
}

routh_status rt_linear_shares(rt_linear_holder *h, rt_search *s, const rt_sensitivity *x,
                              routh_error *error)
{
    const routh_mechanism *m = s->m;
    h->linear.shares =
        RT_TAKE(&h->arena, routh_energy_share, m->n_bodies + m->n_constraints + 2 * m->n_loads + 1);
    if (!h->linear.shares) return rt_fail_memory(error);
    routh_status status = ROUTH_OK;
    for (int b = 0; b < m->n_bodies && !status; b++) status = body_share(h, s, x, b, error);
    for (int k = 0; k < m->n_loads && !status; k++) status = load_shares(h, s, x, k, error);
    for (int c = 0; c < m->n_constraints && !status; c++) status = joint_share(h, s, x, c, error);
    return status;
}
