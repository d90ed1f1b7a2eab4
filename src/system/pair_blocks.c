/* Blocks of bodies pair by pair, for joined sets without a tree: X_ab goes to the columns of a and
 * those of b. */
#include "system/block6.h"
#include "system/joined.h"

void rt_pair_entries(const rt_joined *j, const rt_joined_tables *t, rt_entries *e)
{
    for (int p = 0; p < t->n_pairs; p++) {
        const int a = t->pairs[p].a, b = t->pairs[p].b;
        rt_entries_add_product(e, j->column + j->start[a], rt_joined_columns(j, a),
                               j->column + j->start[b], rt_joined_columns(j, b));
    }
}

routh_status rt_pair_positions(const rt_joined *j, rt_joined_tables *t, const int *position,
                               rt_arena *arena, routh_error *error)
{
    const int **at = RT_TAKE(arena, const int *, t->n_pairs);
    if (!at) return rt_fail_memory(error);
    for (int p = 0; p < t->n_pairs; p++) {
        at[p] = position;
        position += rt_joined_columns(j, t->pairs[p].a) * rt_joined_columns(j, t->pairs[p].b);
    }
    t->pair_position = at;
    return ROUTH_OK;
}

static void pair_blocks_one_pair(const routh_mechanism *m, rt_workspace *w, int p, bool tangent)
{
    const rt_joined *j = m->joined;
    const rt_pair *pair = &m->tables->pairs[p];
    const rt_workspace *inner = w->joined->inner;
    const rt_screws *s = &w->joined->screws;
    const int n_a = rt_joined_columns(j, pair->a), n_b = rt_joined_columns(j, pair->b);
    const int *at = m->tables->pair_position[p];
    const double *K = inner->K + pair->at, *D = inner->D + pair->at,
                    *M = pair->mass < 0 ? NULL : inner->M + pair->mass;
    for (int c = 0; c < n_b; c++) {
        const size_t e = 6 * (size_t)j->screw[j->start[pair->b] + c];
        double by_K[6] = {0}, by_D[6] = {0}, by_M[6] = {0};
        if (tangent) {
            rt_block6_times(by_K, K, pair->stride, s->J + e);
            rt_block6_times(by_K, D, pair->stride, s->J1 + e);
            rt_block6_times(by_D, D, pair->stride, s->J + e);
        }
        if (M) rt_block6_times(by_M, M, pair->mass_stride, s->J + e);
        if (M && tangent) {
            rt_block6_times(by_K, M, pair->mass_stride, s->J2x + e);
            rt_block6_times(by_D, M, pair->mass_stride, s->J2u + e);
        }
        for (int r = 0; r < n_a; r++) {
            const double *J = s->J + 6 * (size_t)j->screw[j->start[pair->a] + r];
            const int to = at[r * n_b + c];
            w->K[to] += rt_dot6(J, by_K);
            w->D[to] += rt_dot6(J, by_D);
            w->M[to] += rt_dot6(J, by_M);
        }
    }
}

static void pair_blocks_geometric(const routh_mechanism *m, rt_workspace *w, const rt_state *state,
                                  int p)
{
    const rt_joined *j = m->joined;
    const int b = m->tables->pairs[p].a, n = rt_joined_columns(j, b);
    double *K = w->joined->block;
    memset(K, 0, (size_t)n * n * sizeof *K);
    j->set->geometric(j, b, state->q, &w->bodies[b], w->joined->inner->residual + 6 * (size_t)b, K);
    for (int k = 0; k < n * n; k++) w->K[m->tables->pair_position[p][k]] += K[k];
}

void rt_pair_blocks(const routh_mechanism *m, rt_workspace *w, const rt_state *state, bool tangent)
{
    for (int p = 0; p < m->tables->n_pairs; p++) {
        pair_blocks_one_pair(m, w, p, tangent);
        if (tangent && m->tables->pairs[p].a == m->tables->pairs[p].b)
            pair_blocks_geometric(m, w, state, p);
    }
}

/* r = sum J_b' r0_b */
void rt_pair_wrenches(const routh_mechanism *m, rt_workspace *w)
{
    const rt_joined *j = m->joined;
    memset(w->residual, 0, (size_t)m->n_u * sizeof *w->residual);
    memset(w->scale, 0, (size_t)m->n_u * sizeof *w->scale);
    for (int b = 0; b < m->n_bodies; b++) {
        const double *r0 = w->joined->inner->residual + 6 * (size_t)b,
                        *size = w->joined->inner->scale + 6 * (size_t)b;
        for (int e = j->start[b]; e < j->start[b + 1]; e++) {
            const double *J = w->joined->screws.J + 6 * (size_t)j->screw[e];
            double *scale = &w->scale[j->column[e]];
            w->residual[j->column[e]] += rt_dot6(J, r0);
            for (int i = 0; i < 6; i++) *scale = fmax(*scale, fabs(J[i]) * size[i]);
        }
    }
}
