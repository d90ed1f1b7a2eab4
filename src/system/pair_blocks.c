/* Blocks of bodies pair by pair, for joined sets without a tree: X_ab goes to the columns of a and
 * those of b. */
#include "system/joined.h"

static int n_columns(const rt_joined *j, int b) { return j->start[b + 1] - j->start[b]; }

void rt_pair_entries(const rt_joined *j, const rt_joined_tables *t, rt_entries *e)
{
    for (int p = 0; p < t->n_pairs; p++) {
        const int a = t->pairs[p].a, b = t->pairs[p].b;
        rt_entries_add_product(e, j->column + j->start[a], n_columns(j, a), j->column + j->start[b],
                               n_columns(j, b));
    }
}

routh_status rt_pair_positions(const rt_joined *j, rt_joined_tables *t, const int *position,
                               rt_arena *arena, routh_error *error)
{
    const int **at = RT_TAKE(arena, const int *, t->n_pairs);
    if (!at) return rt_fail_memory(error);
    for (int p = 0; p < t->n_pairs; p++) {
        at[p] = position;
        position += n_columns(j, t->pairs[p].a) * n_columns(j, t->pairs[p].b);
    }
    t->pair_position = at;
    return ROUTH_OK;
}

/* y += B x, B column-major */
static void add_times(double y[6], const double *B, int stride, const double x[6])
{
    for (int c = 0; c < 6; c++)
        for (int i = 0; i < 6; i++) y[i] += B[stride * c + i] * x[c];
}

static double dot6(const double a[6], const double b[6])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

static void one_pair(const routh_mechanism *m, rt_workspace *w, int p, bool tangent)
{
    const rt_joined *j = m->joined;
    const rt_pair *pair = &m->tables->pairs[p];
    const rt_workspace *inner = w->joined->inner;
    const rt_screws *s = &w->joined->screws;
    const int n_a = n_columns(j, pair->a), n_b = n_columns(j, pair->b);
    const int *at = m->tables->pair_position[p];
    const double *K = inner->K + pair->at, *D = inner->D + pair->at,
                 *M = pair->mass < 0 ? NULL : inner->M + pair->mass;
    for (int c = 0; c < n_b; c++) {
        const size_t e = 6 * (size_t)j->screw[j->start[pair->b] + c];
        double by_K[6] = {0}, by_D[6] = {0}, by_M[6] = {0};
        if (tangent) {
            add_times(by_K, K, pair->stride, s->J + e);
            add_times(by_K, D, pair->stride, s->J1 + e);
            add_times(by_D, D, pair->stride, s->J + e);
        }
        if (M) add_times(by_M, M, pair->mass_stride, s->J + e);
        if (M && tangent) {
            add_times(by_K, M, pair->mass_stride, s->J2x + e);
            add_times(by_D, M, pair->mass_stride, s->J2u + e);
        }
        for (int r = 0; r < n_a; r++) {
            const double *J = s->J + 6 * (size_t)j->screw[j->start[pair->a] + r];
            const int to = at[r * n_b + c];
            w->K[to] += dot6(J, by_K);
            w->D[to] += dot6(J, by_D);
            w->M[to] += dot6(J, by_M);
        }
    }
}

static void geometric(const routh_mechanism *m, rt_workspace *w, const rt_state *state, int p)
{
    const rt_joined *j = m->joined;
    const int b = m->tables->pairs[p].a, n = n_columns(j, b);
    double *K = w->joined->block;
    memset(K, 0, (size_t)n * n * sizeof *K);
    j->set->geometric(j, b, state->q, &w->bodies[b], w->joined->inner->residual + 6 * (size_t)b, K);
    for (int k = 0; k < n * n; k++) w->K[m->tables->pair_position[p][k]] += K[k];
}

void rt_pair_blocks(const routh_mechanism *m, rt_workspace *w, const rt_state *state, bool tangent)
{
    for (int p = 0; p < m->tables->n_pairs; p++) {
        one_pair(m, w, p, tangent);
        if (tangent && m->tables->pairs[p].a == m->tables->pairs[p].b) geometric(m, w, state, p);
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
            w->residual[j->column[e]] += dot6(J, r0);
            for (int i = 0; i < 6; i++) *scale = fmax(*scale, fabs(J[i]) * size[i]);
        }
    }
}
