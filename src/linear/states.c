/* Which coordinates become states. */
#include <stdlib.h>

#include "linear/method.h"

void rt_observer_set(rt_observer *o, const rt_workspace *w, int marker)
{
    *o = (rt_observer){.marker = marker};
    for (int k = 0; k < 3; k++) {
        if (marker < 0) {
            o->e[0][k][k] = 1;
            continue;
        }
        const rt_frame *f = &w->markers[marker];
        rt_m3_column(o->e[0][k], f->A, k);
        rt_v3_cross(o->e[1][k], f->w, o->e[0][k]);
        rt_v3_cross(o->e[2][k], f->al, o->e[0][k]);
        rt_v3_cross_add(o->e[2][k], f->w, o->e[1][k]);
    }
}

/* T: candidate states of a body from its columns of xi, S_b = T xi_b; rows k < 3: e_k . xi_r, k
 * >= 3: e_k . xi_theta */
static void body_states(const rt_search *s, const rt_observer *o, int body, double T[36])
{
    rt_map map;
    int columns[RT_MAP_COLUMNS];
    rt_marker_map(s->m, s->w, s->state, body, &map, columns);
    for (int k = 0; k < 6; k++)
        for (int c = 0; c < map.n; c++) {
            double sum = 0;
            for (int i = 0; i < 3; i++)
                sum += o->e[0][k % 3][i] * map.J[(k / 3 * 3 + i) * map.n + c];
            T[k * 6 + c] = sum;
        }
}

/* G in the candidates' basis: G T' per body, T orthogonal (absolute coordinates). The six
 * columns of a body have the same rows, since every constraint touches all of a body's columns. */
static void turn_columns(const rt_search *s, const rt_observer *o, double *values)
{
    const rt_pattern *G = &s->m->pattern_G;
    for (int b = 0; b < s->m->n_bodies; b++) {
        double T[36];
        body_states(s, o, b, T);
        const int first = 6 * b, count = G->start[first + 1] - G->start[first];
        for (int p = 0; p < count; p++) {
            double row[6];
            for (int c = 0; c < 6; c++) row[c] = s->w->G[G->start[first + c] + p];
            for (int k = 0; k < 6; k++) {
                double sum = 0;
                for (int c = 0; c < 6; c++) sum += row[c] * T[k * 6 + c];
                values[G->start[first + k] + p] = sum;
            }
        }
    }
}

/* Preferred ones first, in their order; then the rest by column. */
static void list_states(const rt_search *s, const int *preferred, int n_preferred,
                        rt_states *states)
{
    int to = 0;
    for (int k = 0; k < n_preferred; k++)
        if (s->rank->column_step[preferred[k]] < 0) states->column[to++] = preferred[k];
    const int n_kept = to;
    for (int c = 0; c < s->m->n_u; c++) {
        bool listed = s->rank->column_step[c] >= 0;
        for (int k = 0; k < n_kept; k++) listed = listed || states->column[k] == c;
        if (!listed) states->column[to++] = c;
    }
    for (int k = 0; k < states->z; k++)
        s->m->set->column(s->m->model, states->column[k], &states->body[k], &states->component[k]);
}

routh_status rt_choose_states(rt_search *s, const rt_observer *o, const int *preferred,
                              int n_preferred, rt_arena *arena, rt_states *states,
                              routh_error *error)
{
    static const double preference = 1e-3; /* far from both 1 and the tolerance of the rank */
    const int n = s->m->n_u;
    double *values = malloc(((size_t)s->m->pattern_G.start[n] + (size_t)n + 1) * sizeof *values);
    if (!values) return rt_fail_memory(error);
    double *weight = values + s->m->pattern_G.start[n];
    turn_columns(s, o, values);
    for (int c = 0; c < n; c++) { /* of two as good, a rotation is the better state */
        int body, component;
        s->m->set->column(s->m->model, c, &body, &component);
        weight[c] = s->unit[c] * (component < 3 ? 1 : 0.9);
    }
    for (int k = 0; k < n_preferred; k++) weight[preferred[k]] *= preference;
    rt_elimination *rank = NULL;
    const routh_status status =
        rt_eliminate(&rank, &s->m->pattern_G, values, NULL, weight, 1e-9, 0, error);
    free(values);
    if (status) return status;
    const bool same = s->mass && s->rank && s->rank->rank == rank->rank;
    rt_elimination_free(s->rank);
    s->rank = rank;
    if (!same) {
        rt_kkt_free(s->mass);
        const routh_status made =
            rt_kkt_create(&s->mass, s->m, &s->m->pattern_M, rank->row_step, error);
        if (made) return made;
    }
    states->z = n - rank->rank;
    states->column = RT_TAKE(arena, int, states->z);
    states->body = RT_TAKE(arena, int, states->z);
    states->component = RT_TAKE(arena, int, states->z);
    if (!states->column || !states->body || !states->component) return rt_fail_memory(error);
    list_states(s, preferred, n_preferred, states);
    return ROUTH_OK;
}
