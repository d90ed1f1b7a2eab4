/* Which coordinates become states, and which rates.
 *
 * The candidates are the displacement and the rotation of every body along the observer's axes,
 * 6 b + k of body b, then elastic coordinates, then the user's own states. Which of them the
 * constraints leave free is found by elimination: of the Jacobian in the candidates' own basis
 * where a body has six columns and no candidate is the user's, else of
 *     [G 0; T -I],      T xi = S
 * (Negrut and Ortiz 2006, Eq. 22), where the columns of xi are eliminated first. A column of small
 * weight is eliminated late, so states the user prefers stay if they can.
 *
 * States S of position are chosen by the holonomic rows of G, velocity states W by all of them;
 * where all rows are holonomic both are the same. */

#include "base/kept_memory.h"
#include "base/rotation.h"
#include "methods/method.h"

enum { CANDIDATES = 6 };

/* The axes and their derivatives from the frame. */
static void set_axes(rt_reference_frame *o)
{
    const rt_frame *f = &o->frame;
    for (int k = 0; k < 3; k++) {
        rt_m3_column(o->e[0][k], f->A, k);
        rt_v3_cross(o->e[1][k], f->w, o->e[0][k]);
        rt_v3_cross(o->e[2][k], f->al, o->e[0][k]);
        rt_v3_cross_add(o->e[2][k], f->w, o->e[1][k]);
    }
}

void rt_reference_frame_set(rt_reference_frame *o, const rt_workspace *w, int marker)
{
    *o = (rt_reference_frame){.marker = marker, .frame = *rt_frame_of(w->markers, marker)};
    set_axes(o);
}

void rt_reference_frame_set_moving(rt_reference_frame *o, const routh_steady *steady)
{
    *o = (rt_reference_frame){.marker = RT_MOVING_FRAME};
    rt_m3_identity(o->frame.A);
    rt_v3_copy(o->frame.v, steady->origin_velocity);
    rt_v3_scale(o->frame.w, steady->turn_rate, steady->axis);
    rt_v3_cross(o->frame.a, o->frame.w, o->frame.v);
    set_axes(o);
}

/* With a = |w| t and v across and along the axis:
 *     r moves by (sin(a) v_p + (1 - cos(a)) e x v) / |w| + v_e t. */
void rt_reference_frame_carry(rt_reference_frame *o, double t)
{
    rt_frame *f = &o->frame;
    double theta[3], R[9], A[9], v[3], x[3];
    const double rate = rt_v3_norm(f->w), h = rate * t / 2;
    const double half = h > 1e-4 ? sin(h) / h : 1 - h * h / 6; /* of the chord to the arc */
    rt_v3_scale(theta, t / 2, f->w);
    rt_rotation_exp(R, theta);
    rt_m3_mul_v(x, R, f->v); /* the chord has the direction of half way */
    if (rate > 0) {
        const double along = rt_v3_dot(f->v, f->w) / (rate * rate);
        rt_v3_add_scaled(f->r, t * (1 - half) * along, f->w);
    }
    rt_v3_add_scaled(f->r, t * half, x);
    rt_v3_scale(theta, t, f->w);
    rt_rotation_exp(R, theta);
    rt_m3_mul(A, R, f->A);
    memcpy(f->A, A, sizeof A);
    rt_m3_mul_v(v, R, f->v);
    rt_v3_copy(f->v, v);
    rt_v3_cross(f->a, f->w, v);
    set_axes(o);
}

/* T of a body: rows k < 3: e_k . xi_r, k >= 3: e_k . xi_theta, on the columns of its motion. */
static void body_candidates(const rt_search *s, const rt_reference_frame *o, int body,
                            rt_motion *map, double *T)
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

/* A choice to be made. */
typedef struct states_choice {
    rt_search *s;
    const rt_reference_frame *o;
    const rt_user_states *user; /* or NULL */
    int n;                      /* candidates */
    bool by_rates;              /* all rows of G count, else the holonomic ones */
    double *weight;             /* n */
} states_choice;

static int count_bodies(const states_choice *q) { return rt_first_elastic_candidate(q->s->m); }
static int count_own(const states_choice *q) { return rt_first_user_candidate(q->s->m); }

/* Far from both 1 and the tolerance of the rank; of the most wanted ones each is better by a factor
 * that decides between any two that are about as good. */
static double preference(int place, int n_preferred)
{
    static const double least = 1e-3, step = 2;
    double weight = least;
    for (int k = place; k + 1 < n_preferred && k < 5; k++) weight /= step;
    return weight;
}

static double usual_weight(const states_choice *q, int k)
{
    static const double rotation = 0.9, elastic = 0.5, unwanted = 10;
    if (k >= count_own(q)) return unwanted;
    if (k >= count_bodies(q)) return elastic;
    return k % CANDIDATES < 3 ? 1 : rotation;
}

/* The weights of the candidates: lengths and angles compared by the typical length; of two as
 * good, a rotation is the better state, and an elastic coordinate better still; states the user
 * has defined but not asked for are the last to be taken; the wanted ones are better than any. */
static void states_weigh(const states_choice *q, const int *preferred, int n_preferred)
{
    for (int k = 0; k < q->n; k++) q->weight[k] = usual_weight(q, k);
    for (int k = n_preferred - 1; k >= 0; k--) {
        const int c = preferred[k];
        q->weight[c] = fmin(1, usual_weight(q, c)) * preference(k, n_preferred);
    }
}

/* Does row r of G count? */
static bool states_counts(const states_choice *q, int r)
{
    const routh_mechanism *m = q->s->m;
    return q->by_rates || m->n_nonholonomic == 0 || r >= m->n_joint_rows || !m->nonholonomic[r];
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
static int six_candidates(const rt_search *s, const rt_reference_frame *o, const six_columns *G,
                          int body, double *T)
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

/* G in the candidates' basis, G T' per body, T orthogonal; rows that do not count are zero. The
 * columns of a body have the same rows, since every constraint touches all of a body's columns. */
static void turn_columns(const states_choice *q, const six_columns *from, double *values)
{
    const rt_search *s = q->s;
    const int *start = from->pattern->start;
    for (int b = 0; b < s->m->n_bodies; b++) {
        double T[CANDIDATES * CANDIDATES];
        const int first = six_candidates(s, q->o, from, b, T),
                  count = start[first + 1] - start[first];
        for (int p = 0; p < count; p++) {
            double row[CANDIDATES];
            const bool used = states_counts(q, from->pattern->row[start[first] + p]);
            for (int c = 0; c < CANDIDATES; c++)
                row[c] = used ? from->values[start[first + c] + p] : 0;
            for (int k = 0; k < CANDIDATES; k++) {
                double sum = 0;
                for (int c = 0; c < CANDIDATES; c++) sum += row[c] * T[k * CANDIDATES + c];
                values[start[first + k] + p] = k < 3 ? sum : sum / s->m->length;
            }
        }
    }
    for (int e = 0; e < s->m->n_elastic; e++) {
        const double unit = rt_column_unit(s->m, s->m->first_elastic + e);
        const int c = count_bodies(q) + e;
        for (int p = start[c]; p < start[c + 1]; p++)
            values[p] = states_counts(q, from->pattern->row[p]) ? from->values[p] * unit : 0;
    }
}

static routh_status eliminate_turned(const states_choice *q, rt_elimination **rank,
                                     routh_error *error)
{
    six_columns G;
    const routh_status status = find_six(q->s, &G, error);
    if (status) return status;
    const size_t n = (size_t)G.pattern->start[G.pattern->n_columns];
    double *values = rt_kept_malloc(q->s->m->analyses, (n + 1) * sizeof *values);
    if (!values) return rt_fail_memory(error);
    turn_columns(q, &G, values);
    const routh_status found =
        rt_eliminate_kept(rank, G.pattern, values, NULL, q->weight, 1e-9, q->s->m->analyses, error);
    rt_kept_free(values);
    return found;
}

/* ---- any number of columns ------------------------------------------------------------------ */

typedef struct triplets {
    int *row, *column, *position;
    double *value;
    size_t n;
} triplets;

static void states_add(triplets *t, int row, int column, double value)
{
    t->row[t->n] = row;
    t->column[t->n] = column;
    t->value[t->n++] = value;
}

static void list_jacobian(const states_choice *q, triplets *t)
{
    const rt_search *s = q->s;
    const rt_pattern *G = &s->m->pattern_G;
    for (int c = 0; c < s->m->n_u; c++)
        for (int p = G->start[c]; p < G->start[c + 1]; p++)
            if (states_counts(q, G->row[p])) states_add(t, G->row[p], c, s->w->G[p] * s->unit[c]);
}

/* T: CANDIDATES x n_u of work */
static void list_bodies(const states_choice *q, double *T, triplets *t)
{
    const rt_search *s = q->s;
    const int n = s->m->n_u, m = s->m->n_rows;
    for (int b = 0; b < s->m->n_bodies; b++) {
        rt_motion map;
        body_candidates(s, q->o, b, &map, T);
        for (int k = 0; k < CANDIDATES; k++) {
            const int row = m + CANDIDATES * b + k;
            for (int c = 0; c < map.n; c++)
                states_add(t, row, map.columns[c], T[k * map.n + c] * s->unit[map.columns[c]]);
            states_add(t, row, n + CANDIDATES * b + k, k < 3 ? -1 : -1 / s->m->length);
        }
    }
}

static void list_elastic(const states_choice *q, triplets *t)
{
    const rt_search *s = q->s;
    for (int e = 0; e < s->m->n_elastic; e++) {
        const int candidate = count_bodies(q) + e, column = s->m->first_elastic + e;
        states_add(t, s->m->n_rows + candidate, column, s->unit[column]);
        states_add(t, s->m->n_rows + candidate, s->m->n_u + candidate, -s->unit[column]);
    }
}

/* A user state is counted in its own size, so that its unit does not matter. One that does not
 * change is -S = 0. */
static void list_user(const states_choice *q, const rt_state_row *rows, triplets *t)
{
    const rt_search *s = q->s;
    for (int j = 0; j < q->n - count_own(q); j++) {
        const int candidate = count_own(q) + j, row = s->m->n_rows + candidate;
        const double size = rt_candidate_size(s->m, q->user, candidate) / s->m->length;
        for (int c = 0; c < rows[j].n && size > 0; c++)
            states_add(t, row, rows[j].columns[c], rows[j].s_x[c] * s->unit[rows[j].columns[c]]);
        states_add(t, row, s->m->n_u + candidate, size > 0 ? -size : -1);
    }
}

static routh_status make_user_rows(const states_choice *q, rt_state_row **rows, size_t *room,
                                   rt_arena *arena, routh_error *error)
{
    const int n = q->n - count_own(q);
    *rows = RT_TAKE(arena, rt_state_row, n);
    if (!*rows) return rt_fail_memory(error);
    for (int j = 0; j < n; j++) {
        const int candidate = count_own(q) + j;
        rt_state_row *row = &(*rows)[j];
        const routh_status status = rt_state_row_take(q->s, q->user, candidate, arena, row, error);
        if (status) return status;
        rt_state_row_fill(q->s, q->o, q->user, candidate, row);
        *room += (size_t)row->n;
    }
    return ROUTH_OK;
}

/* [G 0; T -I] */
static routh_status list_augmented(const states_choice *q, triplets *t, rt_arena *arena,
                                   routh_error *error)
{
    const rt_search *s = q->s;
    rt_state_row *user;
    size_t room = (size_t)s->m->pattern_G.start[s->m->n_u] + (size_t)q->n + (size_t)s->m->n_elastic;
    for (int b = 0; b < s->m->n_bodies; b++)
        room += (size_t)CANDIDATES * (size_t)rt_count_columns(s->m, b);
    const routh_status status = make_user_rows(q, &user, &room, arena, error);
    if (status) return status;
    *t = (triplets){.row = RT_TAKE(arena, int, room),
                    .column = RT_TAKE(arena, int, room),
                    .position = RT_TAKE(arena, int, room),
                    .value = RT_TAKE(arena, double, room)};
    double *T = RT_TAKE(arena, double, CANDIDATES *(size_t)s->m->n_u);
    if (!t->row || !t->column || !t->position || !t->value || !T) return rt_fail_memory(error);
    list_jacobian(q, t);
    list_bodies(q, T, t);
    list_elastic(q, t);
    list_user(q, user, t);
    return ROUTH_OK;
}

static routh_status eliminate_listed(const states_choice *q, const triplets *t, rt_arena *arena,
                                     rt_elimination **rank, routh_error *error)
{
    static const double first = 1e3; /* columns of xi are eliminated before any candidate */
    const int n = q->s->m->n_u, n_all = n + q->n;
    rt_pattern pattern;
    double *weights = RT_TAKE(arena, double, n_all), *values = RT_TAKE(arena, double, t->n);
    if (!weights || !values) return rt_fail_memory(error);
    for (int c = 0; c < n; c++) weights[c] = first;
    memcpy(weights + n, q->weight, (size_t)q->n * sizeof *weights);
    const routh_status status = rt_pattern_build(&pattern, q->s->m->n_rows + q->n, n_all, t->n,
                                                 t->row, t->column, t->position, arena, error);
    if (status) return status;
    for (size_t e = 0; e < t->n; e++) values[t->position[e]] += t->value[e];
    return rt_eliminate_kept(rank, &pattern, values, NULL, weights, 1e-9, q->s->m->analyses, error);
}

static routh_status eliminate_augmented(const states_choice *q, rt_elimination **rank,
                                        routh_error *error)
{
    rt_arena arena = {.kept = q->s->m->analyses};
    triplets t;
    routh_status status = list_augmented(q, &t, &arena, error);
    if (!status) status = eliminate_listed(q, &t, &arena, rank, error);
    rt_arena_free(&arena);
    return status;
}

/* ---- the choice ----------------------------------------------------------------------------- */

/* free[n]: which candidates the rows that count leave free. Their number must be `wanted`. */
static routh_status find_free(const states_choice *q, int wanted, bool *free_ones,
                              routh_error *error)
{
    const bool six =
        q->n == count_own(q) && (rt_has_six_columns(q->s->m) || rt_small_exists(q->s->m));
    rt_elimination *rank = NULL;
    routh_status status =
        six ? eliminate_turned(q, &rank, error) : eliminate_augmented(q, &rank, error);
    if (status) return status;
    const int z = rank->n_columns - rank->rank;
    const int *step = rank->column_step + (rank->n_columns - q->n);
    for (int k = 0; k < q->n; k++) free_ones[k] = step[k] < 0;
    rt_elimination_free(rank);
    if (z == wanted) return ROUTH_OK;
    return rt_fail(
        error, ROUTH_SINGULAR,
        "the constraints leave %d degrees of freedom by one count and %d by another, because the "
        "mechanism is close to a singular configuration; move the initial positions away from it",
        wanted, z);
}

/* Takes free candidates of `from` into the list that has n; the new n. Those taken are free no
 * longer. */
static int take_free(bool *free_ones, const int *from, int n_from, int *list, int n)
{
    for (int k = 0; k < n_from; k++) {
        if (!free_ones[from[k]]) continue;
        list[n++] = from[k];
        free_ones[from[k]] = false;
    }
    return n;
}

static int take_rest(bool *free_ones, int n_candidates, int *list, int n)
{
    for (int c = 0; c < n_candidates; c++)
        if (take_free(free_ones, &c, 1, list, n) > n) n++;
    return n;
}

static routh_status states_take(rt_states *states, int z, int z1, rt_arena *arena,
                                routh_error *error)
{
    states->z = z, states->z1 = z1;
    states->candidate = RT_TAKE(arena, int, z);
    states->rate = RT_TAKE(arena, int, z1);
    return states->candidate && states->rate ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status choose_positions(const states_choice *q, const rt_preferred *wanted,
                                     bool *free_ones, rt_states *states, routh_error *error)
{
    states_weigh(q, wanted->states, wanted->n_states);
    const routh_status status = find_free(q, states->z, free_ones, error);
    if (status) return status;
    int *list = states->candidate;
    states->n_preferred = take_free(free_ones, wanted->states, wanted->n_states, list, 0);
    take_rest(free_ones, q->n, list, states->n_preferred);
    return ROUTH_OK;
}

/* The rates that the user prefers, then those of the states. */
static routh_status choose_rates(states_choice *q, const rt_preferred *wanted, bool *free_ones,
                                 rt_states *states, routh_error *error)
{
    static const double of_states = 0.03; /* between what is wanted and the rest */
    q->by_rates = true;
    states_weigh(q, wanted->rates, wanted->n_rates);
    for (int k = 0; k < states->z; k++)
        q->weight[states->candidate[k]] = fmin(q->weight[states->candidate[k]], of_states);
    const routh_status status = find_free(q, states->z1, free_ones, error);
    if (status) return status;
    int n = take_free(free_ones, wanted->rates, wanted->n_rates, states->rate, 0);
    states->n_preferred_rates = n;
    n = take_free(free_ones, states->candidate, states->z, states->rate, n);
    take_rest(free_ones, q->n, states->rate, n);
    return ROUTH_OK;
}

static routh_status make_user_states(rt_search *s, rt_arena *arena, rt_states *states,
                                     routh_error *error)
{
    rt_user_states *user;
    routh_status status = rt_user_states_compile(s->m->model, arena, &user, error);
    if (!status && user) status = rt_user_states_measure(s, user, error);
    states->user = user;
    return status;
}

static routh_status states_choose(states_choice *q, const rt_preferred *wanted, bool *free_ones,
                                  rt_states *states, routh_error *error)
{
    const routh_status status = choose_positions(q, wanted, free_ones, states, error);
    if (status) return status;
    if (states->z1 < states->z) return choose_rates(q, wanted, free_ones, states, error);
    memcpy(states->rate, states->candidate, (size_t)states->z * sizeof *states->rate);
    states->n_preferred_rates = states->n_preferred;
    return ROUTH_OK;
}

routh_status rt_choose_states(rt_search *s, const rt_reference_frame *o,
                              const rt_preferred *preferred, rt_arena *arena, rt_states *states,
                              routh_error *error)
{
    static const rt_preferred none = {0};
    *states = (rt_states){0};
    routh_status status = rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_JACOBIAN, error);
    if (!status) status = rt_find_rank(s, error);
    if (!status) status = make_user_states(s, arena, states, error);
    if (status) return status;
    states_choice q = {.s = s,
                       .o = o,
                       .user = states->user,
                       .n = rt_first_user_candidate(s->m) + s->m->model->n_user_states};
    q.weight = RT_TAKE(arena, double, q.n);
    bool *free_ones = RT_TAKE(arena, bool, q.n);
    if (!q.weight || !free_ones) return rt_fail_memory(error);
    const int z = s->m->n_u - rt_position_rank(s)->rank, z1 = s->m->n_u - s->rank->rank;
    status = states_take(states, z, z1, arena, error);
    return status ? status
                  : states_choose(&q, preferred ? preferred : &none, free_ones, states, error);
}
