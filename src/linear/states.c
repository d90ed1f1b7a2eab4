/* Which coordinates become states.
 *
 * The candidates are the displacement and the rotation of every body along the observer's axes:
 * candidate 6 b + k of body b. Which of them the constraints leave free is found by elimination:
 * of the Jacobian in the candidates' own basis where a body has six columns, else of
 *     [G 0; T -I],      T xi = S
 * (Negrut and Ortiz 2006, Eq. 22), where the columns of xi are eliminated first. A column of small
 * weight is eliminated late, so states the user prefers stay if they can. */
#include <stdlib.h>

#include "linear/method.h"

enum { CANDIDATES = 6 };

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

/* T of a body: rows k < 3: e_k . xi_r, k >= 3: e_k . xi_theta, on the columns of its motion. */
static void body_candidates(const rt_search *s, const rt_observer *o, int body, rt_motion *map,
                            double *T)
{
    rt_marker_motion(s->m, s->w, s->state, body, map);
    for (int k = 0; k < CANDIDATES; k++)
        for (int c = 0; c < map->n; c++) {
            double sum = 0;
            for (int i = 0; i < 3; i++)
                sum += o->e[0][k % 3][i] * map->J[(k / 3 * 3 + i) * map->n + c];
            T[k * map->n + c] = sum;
        }
}

/* The weights of the candidates: lengths and angles compared by the typical length; of two as
 * good, a rotation is the better state; the user's are better than any. */
static void weigh(const rt_search *s, const int *preferred, int n_preferred, double *weight)
{
    static const double preference = 1e-3; /* far from both 1 and the tolerance of the rank */
    for (int k = 0; k < CANDIDATES * s->m->n_bodies; k++)
        weight[k] = k % CANDIDATES < 3 ? 1 : 0.9;
    for (int k = 0; k < n_preferred; k++) weight[preferred[k]] *= preference;
}

/* ---- six columns a body --------------------------------------------------------------------- */

/* G with six columns a body, and which they are. */
typedef struct six_columns {
    const rt_pattern *pattern;
    const double *values;
    bool reduced; /* velocities and body-fixed rotations, whatever the coordinates */
} six_columns;

static routh_status find_six(rt_search *s, six_columns *G, routh_error *error)
{
    *G = (six_columns){.pattern = &s->m->pattern_G, .values = s->w->G};
    if (rt_has_six_columns(s->m)) return ROUTH_OK;
    if (!s->small) {
        const routh_status status = rt_small_create(&s->small, s, error);
        if (status) return status;
    }
    G->reduced = true;
    rt_small_jacobian(s->small, s, &G->pattern, &G->values);
    return ROUTH_OK;
}

/* T on the six columns of a body, diag(I, A) its map where they are reduced. Returns the first of
 * the columns. */
static int six_candidates(const rt_search *s, const rt_observer *o, const six_columns *G, int body,
                          double *T)
{
    const rt_frame *f = &s->w->bodies[body];
    rt_motion map;
    if (!G->reduced) {
        body_candidates(s, o, body, &map, T);
        return map.columns[0];
    }
    memset(T, 0, CANDIDATES * CANDIDATES * sizeof *T);
    for (int k = 0; k < 3; k++) {
        rt_v3_copy(T + CANDIDATES * k, o->e[0][k]);
        rt_m3_tmul_v(T + CANDIDATES * (3 + k) + 3, f->A, o->e[0][k]);
    }
    return CANDIDATES * body;
}

/* G in the candidates' basis, G T' per body, T orthogonal. The columns of a body have the same
 * rows, since every constraint touches all of a body's columns. */
static void turn_columns(const rt_search *s, const rt_observer *o, const six_columns *from,
                         double *values)
{
    const int *start = from->pattern->start;
    for (int b = 0; b < s->m->n_bodies; b++) {
        double T[CANDIDATES * CANDIDATES];
        const int first = six_candidates(s, o, from, b, T), count = start[first + 1] - start[first];
        for (int p = 0; p < count; p++) {
            double row[CANDIDATES];
            for (int c = 0; c < CANDIDATES; c++) row[c] = from->values[start[first + c] + p];
            for (int k = 0; k < CANDIDATES; k++) {
                double sum = 0;
                for (int c = 0; c < CANDIDATES; c++) sum += row[c] * T[k * CANDIDATES + c];
                values[start[first + k] + p] = k < 3 ? sum : sum / s->m->length;
            }
        }
    }
}

static routh_status eliminate_turned(rt_search *s, const rt_observer *o, const double *weight,
                                     rt_elimination **rank, routh_error *error)
{
    six_columns G;
    const routh_status status = find_six(s, &G, error);
    if (status) return status;
    const size_t n = (size_t)G.pattern->start[G.pattern->n_columns];
    double *values = malloc((n + 1) * sizeof *values);
    if (!values) return rt_fail_memory(error);
    turn_columns(s, o, &G, values);
    const routh_status found =
        rt_eliminate(rank, G.pattern, values, NULL, weight, 1e-9, 0, error);
    free(values);
    return found;
}

/* ---- any number of columns ------------------------------------------------------------------ */

typedef struct triplets {
    int *row, *column, *position;
    double *value;
    size_t n;
} triplets;

static void add(triplets *t, int row, int column, double value)
{
    t->row[t->n] = row;
    t->column[t->n] = column;
    t->value[t->n++] = value;
}

/* [G 0; T -I]; T: CANDIDATES x n_u of work */
static void list_augmented(const rt_search *s, const rt_observer *o, double *T, triplets *t)
{
    const rt_pattern *G = &s->m->pattern_G;
    const int n = s->m->n_u, m = s->m->n_rows;
    for (int c = 0; c < n; c++)
        for (int p = G->start[c]; p < G->start[c + 1]; p++)
            add(t, G->row[p], c, s->w->G[p] * s->unit[c]);
    for (int b = 0; b < s->m->n_bodies; b++) {
        rt_motion map;
        body_candidates(s, o, b, &map, T);
        for (int k = 0; k < CANDIDATES; k++) {
            const int row = m + CANDIDATES * b + k;
            for (int c = 0; c < map.n; c++)
                add(t, row, map.columns[c], T[k * map.n + c] * s->unit[map.columns[c]]);
            add(t, row, n + CANDIDATES * b + k, k < 3 ? -1 : -1 / s->m->length);
        }
    }
}

static routh_status eliminate_augmented(const rt_search *s, const rt_observer *o,
                                        const double *weight, rt_elimination **rank,
                                        routh_error *error)
{
    static const double first = 1e3; /* columns of xi are eliminated before any candidate */
    const int n = s->m->n_u, n_all = n + CANDIDATES * s->m->n_bodies;
    const int n_rows = s->m->n_rows + CANDIDATES * s->m->n_bodies;
    rt_arena arena = {0};
    rt_pattern pattern;
    size_t room = (size_t)s->m->pattern_G.start[n] + (size_t)CANDIDATES * (size_t)s->m->n_bodies;
    for (int b = 0; b < s->m->n_bodies; b++)
        room += (size_t)CANDIDATES * (size_t)rt_count_columns(s->m, b);
    triplets t = {.row = RT_TAKE(&arena, int, room), .column = RT_TAKE(&arena, int, room),
                  .position = RT_TAKE(&arena, int, room), .value = RT_TAKE(&arena, double, room)};
    double *weights = RT_TAKE(&arena, double, n_all), *values = RT_TAKE(&arena, double, room);
    double *T = RT_TAKE(&arena, double, CANDIDATES * (size_t)n);
    routh_status status = t.row && t.column && t.position && t.value && weights && values && T
                              ? ROUTH_OK
                              : rt_fail_memory(error);
    if (!status) {
        list_augmented(s, o, T, &t);
        for (int c = 0; c < n; c++) weights[c] = first;
        memcpy(weights + n, weight, (size_t)(n_all - n) * sizeof *weights);
        status = rt_pattern_build(&pattern, n_rows, n_all, t.n, t.row, t.column, t.position, &arena,
                                  error);
    }
    if (!status) {
        for (size_t e = 0; e < t.n; e++) values[t.position[e]] += t.value[e];
        status = rt_eliminate(rank, &pattern, values, NULL, weights, 1e-9, 0, error);
    }
    rt_arena_free(&arena);
    return status;
}

/* ---- the choice ----------------------------------------------------------------------------- */

static bool is_listed(const int *list, int n, int item)
{
    for (int k = 0; k < n; k++)
        if (list[k] == item) return true;
    return false;
}

/* Preferred ones first, in their order; then the rest by number. taken[k] >= 0: candidate k depends
 * on the others. */
static void list_states(const rt_search *s, const int *taken, const int *preferred,
                        int n_preferred, rt_states *states)
{
    int to = 0;
    for (int k = 0; k < n_preferred && to < states->z; k++)
        if (taken[preferred[k]] < 0 && !is_listed(states->candidate, to, preferred[k]))
            states->candidate[to++] = preferred[k];
    states->n_preferred = to;
    for (int c = 0; c < CANDIDATES * s->m->n_bodies && to < states->z; c++)
        if (taken[c] < 0 && !is_listed(states->candidate, states->n_preferred, c))
            states->candidate[to++] = c;
    for (int k = 0; k < states->z; k++) {
        states->body[k] = states->candidate[k] / CANDIDATES;
        states->component[k] = states->candidate[k] % CANDIDATES;
    }
}

static routh_status take(rt_states *states, int z, rt_arena *arena, routh_error *error)
{
    *states = (rt_states){.z = z};
    states->candidate = RT_TAKE(arena, int, z);
    states->body = RT_TAKE(arena, int, z);
    states->component = RT_TAKE(arena, int, z);
    return states->candidate && states->body && states->component ? ROUTH_OK
                                                                  : rt_fail_memory(error);
}

routh_status rt_choose_states(rt_search *s, const rt_observer *o, const int *preferred,
                              int n_preferred, rt_arena *arena, rt_states *states,
                              routh_error *error)
{
    const bool six = rt_has_six_columns(s->m) || rt_small_exists(s->m);
    rt_elimination *rank = NULL;
    double *weight = RT_TAKE(arena, double, CANDIDATES * (size_t)s->m->n_bodies);
    routh_status status = weight ? rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_JACOBIAN, error)
                                 : rt_fail_memory(error);
    if (!status) status = rt_find_rank(s, error);
    if (status) return status;
    weigh(s, preferred, n_preferred, weight);
    status = six ? eliminate_turned(s, o, weight, &rank, error)
                 : eliminate_augmented(s, o, weight, &rank, error);
    if (status) return status;
    const int z = rank->n_columns - rank->rank, wanted = s->m->n_u - s->rank->rank;
    if (z != wanted)
        status = rt_fail(
            error, ROUTH_SINGULAR,
            "the constraints leave %d degrees of freedom by one count and %d by another: the "
            "mechanism is too close to a singular configuration",
            wanted, z);
    if (!status) status = take(states, z, arena, error);
    if (!status)
        list_states(s, rank->column_step + (six ? 0 : s->m->n_u), preferred, n_preferred, states);
    rt_elimination_free(rank);
    return status;
}
