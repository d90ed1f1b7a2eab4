/* Elastic coordinates beside joined ones: they stay as they are, J = 1 on their columns, while the
 * frames of flexible bodies move with the joined columns. With e an elastic row or column and b a
 * body,
 *     r_e  = r0_e
 *     K_ee = K0_ee,   K_be = J_b' K0_be,   K_eb = K0_eb J_b + D0_eb J1_b + M0_eb J2x_b
 * and D, M alike; G_e = phi_e, and so on (joined.h). */
#include "system/flexible.h"
#include "system/joined.h"

static int first_inner(const routh_mechanism *m) { return m->inner->first_elastic; }

static int joined_flexible_length_of(const rt_pattern *p, int column)
{
    return p->start[column + 1] - p->start[column];
}

/* ---- tables --------------------------------------------------------------------------------- */

static void joined_flexible_count_entries(const routh_mechanism *m, rt_joined_elastic *t)
{
    const rt_pattern *K = &m->inner->pattern_K, *G = &m->inner->pattern_G;
    const int first = first_inner(m);
    for (int e = 0; e < m->n_elastic; e++) {
        for (int at = K->start[first + e]; at < K->start[first + e + 1]; at++)
            if (K->row[at] < first)
                t->n_crosses++;
            else
                t->n_inner++;
        t->n_rows += joined_flexible_length_of(G, first + e);
    }
    t->n_crosses /= 6;
}

static void joined_flexible_list_entries(const routh_mechanism *m, rt_joined_elastic *t)
{
    const rt_pattern *K = &m->inner->pattern_K, *M = &m->inner->pattern_M,
                     *G = &m->inner->pattern_G;
    const int first = first_inner(m);
    int crosses = 0, inner = 0, rows = 0;
    for (int e = 0; e < m->n_elastic; e++) {
        const int c = first + e;
        int at = K->start[c];
        for (; at < K->start[c + 1] && K->row[at] < first; at += 6) {
            const int row = K->row[at];
            t->crosses[crosses++] =
                (rt_elastic_cross){.body = row / 6,
                                   .e = e,
                                   .row = at,
                                   .column = rt_pattern_find(K, c, row),
                                   .stride = joined_flexible_length_of(K, row),
                                   .mass_row = rt_pattern_find(M, row, c),
                                   .mass_column = rt_pattern_find(M, c, row),
                                   .mass_stride = joined_flexible_length_of(M, row)};
        }
        for (; at < K->start[c + 1]; at++)
            t->inner[inner++] =
                (rt_elastic_entry){.from = at, .mass = rt_pattern_find(M, K->row[at], c)};
        for (at = G->start[c]; at < G->start[c + 1]; at++)
            t->rows[rows++] = (rt_elastic_entry){.from = at};
    }
}

routh_status rt_joined_elastic_make(routh_mechanism *m, rt_joined_tables *tables,
                                    routh_error *error)
{
    if (m->n_elastic == 0) return ROUTH_OK;
    rt_joined_elastic *t = tables->elastic = RT_TAKE(&m->arena, rt_joined_elastic, 1);
    if (!t) return rt_fail_memory(error);
    joined_flexible_count_entries(m, t);
    t->crosses = RT_TAKE(&m->arena, rt_elastic_cross, t->n_crosses);
    t->inner = RT_TAKE(&m->arena, rt_elastic_entry, t->n_inner);
    t->rows = RT_TAKE(&m->arena, rt_elastic_entry, t->n_rows);
    if (!t->crosses || !t->inner || !t->rows) return rt_fail_memory(error);
    joined_flexible_list_entries(m, t);
    return ROUTH_OK;
}

void rt_joined_elastic_entries(const routh_mechanism *m, rt_entries *e)
{
    const rt_joined_elastic *t = m->tables->elastic;
    const rt_joined *j = m->joined;
    const rt_pattern *K = &m->inner->pattern_K;
    for (int k = 0; t && k < t->n_crosses; k++) {
        const rt_elastic_cross *x = &t->crosses[k];
        const int column = m->first_elastic + x->e, n = rt_joined_columns(j, x->body);
        rt_entries_add_product(e, j->column + j->start[x->body], n, &column, 1);
        rt_entries_add_product(e, &column, 1, j->column + j->start[x->body], n);
    }
    for (int c = 0, k = 0; t && c < m->n_elastic; c++)
        for (int at = K->start[first_inner(m) + c]; at < K->start[first_inner(m) + c + 1]; at++) {
            if (K->row[at] < first_inner(m)) continue;
            rt_entries_add(e, m->first_elastic + K->row[at] - first_inner(m), m->first_elastic + c);
            k++;
        }
}

const int *rt_joined_elastic_positions(const routh_mechanism *m, const int *position)
{
    const rt_joined_elastic *t = m->tables->elastic;
    for (int k = 0; t && k < t->n_crosses; k++) {
        rt_elastic_cross *x = &t->crosses[k];
        const int n = rt_joined_columns(m->joined, x->body);
        x->by_elastic = position;
        x->by_frame = position + n;
        position += 2 * n;
    }
    for (int k = 0; t && k < t->n_inner; k++) t->inner[k].to = *position++;
    return position;
}

void rt_joined_elastic_row_entries(const routh_mechanism *m, rt_entries *e)
{
    const rt_pattern *G = &m->inner->pattern_G;
    const int first = first_inner(m);
    for (int c = 0; c < m->n_elastic; c++)
        for (int at = G->start[first + c]; at < G->start[first + c + 1]; at++)
            rt_entries_add(e, G->row[at], m->first_elastic + c);
}

const int *rt_joined_elastic_row_positions(const routh_mechanism *m, const int *position)
{
    const rt_joined_elastic *t = m->tables->elastic;
    for (int k = 0; t && k < t->n_rows; k++) t->rows[k].to = *position++;
    return position;
}

routh_status rt_joined_elastic_lambda(routh_mechanism *m, rt_entries *e, routh_error *error)
{
    rt_joined_elastic *t = m->tables->elastic;
    const rt_pattern *L = &m->inner->pattern_L;
    const int first = first_inner(m), n_columns = m->inner->n_rows + m->n_signals;
    if (!t) return ROUTH_OK;
    t->lambda = RT_TAKE(&m->arena, rt_elastic_entry, L->start[n_columns]);
    if (!t->lambda) return rt_fail_memory(error);
    for (int c = 0; c < n_columns; c++)
        for (int at = L->start[c]; at < L->start[c + 1]; at++) {
            if (L->row[at] < first) continue;
            t->lambda[t->n_lambda++].from = at;
            rt_entries_add(e, m->first_elastic + L->row[at] - first,
                           c < m->inner->n_rows ? c : c - m->inner->n_rows + m->n_rows);
        }
    return ROUTH_OK;
}

void rt_joined_elastic_lambda_positions(const routh_mechanism *m, const int *position)
{
    const rt_joined_elastic *t = m->tables->elastic;
    for (int k = 0; t && k < t->n_lambda; k++) t->lambda[k].to = *position++;
}

/* ---- numbers -------------------------------------------------------------------------------- */

void rt_joined_elastic_residual(const routh_mechanism *m, rt_workspace *w)
{
    const rt_workspace *inner = w->joined->inner;
    const size_t size = (size_t)m->n_elastic * sizeof(double);
    if (size == 0) return;
    memcpy(w->residual + m->first_elastic, inner->residual + first_inner(m), size);
    memcpy(w->scale + m->first_elastic, inner->scale + first_inner(m), size);
}

static double dot_strided(const double *a, int stride, const double x[6])
{
    double sum = 0;
    for (int i = 0; i < 6; i++) sum += a[(ptrdiff_t)i * stride] * x[i];
    return sum;
}

static void joined_flexible_cross(const routh_mechanism *m, rt_workspace *w,
                                  const rt_elastic_cross *x, bool tangent)
{
    const rt_joined *j = m->joined;
    const rt_workspace *inner = w->joined->inner;
    const rt_screws *s = &w->joined->screws;
    const double *Kc = inner->K + x->column, *Dc = inner->D + x->column;
    for (int k = 0; k < rt_joined_columns(j, x->body); k++) {
        const size_t c = 6 * (size_t)j->screw[j->start[x->body] + k];
        const int be = x->by_elastic[k], eb = x->by_frame[k];
        if (x->mass_row >= 0) {
            w->M[be] += dot_strided(inner->M + x->mass_row, 1, s->J + c);
            const double *Mc = inner->M + x->mass_column;
            w->M[eb] += dot_strided(Mc, x->mass_stride, s->J + c);
            if (tangent) {
                w->K[eb] += dot_strided(Mc, x->mass_stride, s->J2x + c);
                w->D[eb] += dot_strided(Mc, x->mass_stride, s->J2u + c);
            }
        }
        if (!tangent) continue;
        w->K[be] += dot_strided(inner->K + x->row, 1, s->J + c);
        w->D[be] += dot_strided(inner->D + x->row, 1, s->J + c);
        w->K[eb] += dot_strided(Kc, x->stride, s->J + c) + dot_strided(Dc, x->stride, s->J1 + c);
        w->D[eb] += dot_strided(Dc, x->stride, s->J + c);
    }
}

void rt_joined_elastic_blocks(const routh_mechanism *m, rt_workspace *w, bool tangent)
{
    const rt_joined_elastic *t = m->tables->elastic;
    const rt_workspace *inner = w->joined->inner;
    for (int k = 0; t && k < t->n_crosses; k++)
        joined_flexible_cross(m, w, &t->crosses[k], tangent);
    for (int k = 0; t && k < t->n_inner; k++) {
        const rt_elastic_entry *x = &t->inner[k];
        if (x->mass >= 0) w->M[x->to] += inner->M[x->mass];
        if (!tangent) continue;
        w->K[x->to] += inner->K[x->from];
        w->D[x->to] += inner->D[x->from];
    }
}

void rt_joined_elastic_rows(const routh_mechanism *m, rt_workspace *w, bool levels)
{
    const rt_joined_elastic *t = m->tables->elastic;
    const rt_workspace *inner = w->joined->inner;
    for (int k = 0; t && k < t->n_rows; k++) {
        const rt_elastic_entry *x = &t->rows[k];
        w->G[x->to] += inner->G[x->from];
        if (!levels) continue;
        w->Vx[x->to] += inner->Vx[x->from];
        w->Au[x->to] += inner->Au[x->from];
        w->Ax[x->to] += inner->Ax[x->from];
    }
}

void rt_joined_elastic_L(const routh_mechanism *m, rt_workspace *w)
{
    const rt_joined_elastic *t = m->tables->elastic;
    for (int k = 0; t && k < t->n_lambda; k++)
        w->L[t->lambda[k].to] += w->joined->inner->L[t->lambda[k].from];
}
