#include "motion/partition.h"

#include <float.h>
#include <stdlib.h>

#include "motion/chart.h"

/* [G of some rows; rows of chart functions], square: pattern, numbers and factors of one choice. */
typedef struct partition_square {
    rt_arena arena;
    int n_rows;      /* of G that are kept */
    int n_functions; /* n_u - n_rows */
    int *column;     /* n_functions: the columns they belong to */
    int *slot;       /* rows of G: where the row stands, -1: left out */
    int *G_at;       /* entries of pattern_G -> values; -1: left out */
    int *first_at;   /* n_functions x 3: entries of the functions */
    rt_pattern pattern;
    double *values;
    rt_factor *factor;
} partition_square;

struct rt_partition {
    const routh_mechanism *m;
    rt_arena arena;
    rt_coordinate_chart chart;
    partition_square position,
        velocity;  /* velocity is not used where all rows have a position level */
    bool same;     /* one square serves both levels */
    bool direct;   /* no rows and no turns: v is q */
    double rate;   /* at which Newton's steps became smaller last */
    double growth; /* what rt_partition_worn measured first; 0: nothing yet */
    double *b;     /* n_u */
};

/* ---- made once, and with every choice -------------------------------------------------------- */

routh_status rt_partition_create(rt_partition **partition, rt_run *run, routh_error *error)
{
    *partition = NULL;
    rt_partition *p = calloc(1, sizeof *p);
    if (!p) return rt_fail_memory(error);
    p->m = run->m;
    p->b = RT_TAKE(&p->arena, double, p->m->n_u);
    const routh_status status =
        p->b ? rt_chart_create(&p->chart, p->m, &p->arena, error) : rt_fail_memory(error);
    if (status) {
        rt_partition_free(p);
        return status;
    }
    *partition = p;
    return ROUTH_OK;
}

static void release_square(partition_square *s)
{
    rt_factor_free(s->factor);
    rt_arena_free(&s->arena);
    *s = (partition_square){0};
}

void rt_partition_free(rt_partition *p)
{
    if (!p) return;
    release_square(&p->position);
    release_square(&p->velocity);
    rt_arena_free(&p->arena);
    free(p);
}

/* Pivot rows of the elimination in their order, then the functions of the columns left, or of those
 * that are given (columns, n_u - rank of them; NULL: none are). */
static void partition_number_rows(partition_square *s, const rt_elimination *rank,
                                  const int *columns)
{
    s->n_rows = s->n_functions = 0;
    for (int r = 0; r < rank->n_rows; r++) s->slot[r] = rank->row_step[r] < 0 ? -1 : s->n_rows++;
    for (int c = 0; c < rank->n_columns && !columns; c++)
        if (rank->column_step[c] < 0) s->column[s->n_functions++] = c;
    for (; columns && s->n_functions < rank->n_columns - rank->rank; s->n_functions++)
        s->column[s->n_functions] = columns[s->n_functions];
}

static int count_parts(const rt_coordinate_chart *chart, int column, int *first)
{
    const int place = chart->place[column];
    *first = place >= 0 ? column : chart->turn[-1 - place].column;
    return place >= 0 ? 1 : 3;
}

static size_t partition_list_entries(const partition_square *s, const rt_partition *p, int *row,
                                     int *column)
{
    const rt_pattern *G = &p->m->pattern_G;
    size_t e = 0;
    for (int c = 0; c < G->n_columns; c++)
        for (int k = G->start[c]; k < G->start[c + 1]; k++)
            if (s->slot[G->row[k]] >= 0) row[e] = s->slot[G->row[k]], column[e++] = c;
    for (int k = 0; k < s->n_functions; k++) {
        int first;
        const int n = count_parts(&p->chart, s->column[k], &first);
        for (int i = 0; i < n; i++) row[e] = s->n_rows + k, column[e++] = first + i;
    }
    return e;
}

static void partition_share_positions(partition_square *s, const rt_partition *p,
                                      const int *position)
{
    const rt_pattern *G = &p->m->pattern_G;
    for (int k = 0; k < G->start[G->n_columns]; k++)
        s->G_at[k] = s->slot[G->row[k]] >= 0 ? *position++ : -1;
    for (int k = 0; k < s->n_functions; k++) {
        int first;
        const int n = count_parts(&p->chart, s->column[k], &first);
        for (int i = 0; i < n; i++) s->first_at[3 * k + i] = *position++;
    }
}

static routh_status make_square(partition_square *s, const rt_partition *p,
                                const rt_elimination *rank, const int *columns, routh_error *error)
{
    const int n = p->m->n_u;
    const size_t n_G = (size_t)p->m->pattern_G.start[n], room = n_G + 3 * (size_t)n;
    rt_arena *a = &s->arena;
    release_square(s);
    s->column = RT_TAKE(a, int, n);
    s->slot = RT_TAKE(a, int, p->m->n_rows);
    s->G_at = RT_TAKE(a, int, n_G);
    s->first_at = RT_TAKE(a, int, 3 * (size_t)n);
    int *row = malloc((3 * room + 1) * sizeof *row);
    if (!s->column || !s->slot || !s->G_at || !s->first_at || !row) {
        free(row);
        return rt_fail_memory(error);
    }
    int *column = row + room, *position = column + room;
    partition_number_rows(s, rank, columns);
    const size_t count = partition_list_entries(s, p, row, column);
    routh_status status =
        rt_pattern_build(&s->pattern, n, n, count, row, column, position, a, error);
    if (!status) partition_share_positions(s, p, position);
    free(row);
    if (status) return status;
    s->values = RT_TAKE(a, double, s->pattern.start[n]);
    if (!s->values) return rt_fail_memory(error);
    return rt_factor_create(&s->factor, &s->pattern, RT_ORDER_COLAMD, error);
}

/* Where the angles that stand for an orientation are near their singularity, others are taken. */
static void renew_angles(const routh_mechanism *m, rt_run *run)
{
    if (!m->set || !m->set->near_singular) return;
    rt_search *s = &run->search;
    bool near = false;
    for (int b = 0; b < m->n_bodies; b++) near |= m->set->near_singular(b, s->state->q);
    if (!near) return;
    rt_take_frames(m, s->w, s->w->bodies, s->state);
    memcpy(run->now->q, s->state->q, (size_t)m->n_q * sizeof *s->state->q);
    memcpy(run->now->u, s->state->u, (size_t)m->n_u * sizeof *s->state->u);
}

routh_status rt_partition_choose(rt_partition *p, rt_run *run, routh_error *error)
{
    const routh_mechanism *m = p->m;
    rt_search *s = &run->search;
    const int what = RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN;
    rt_state_copy(m, s->state, run->now);
    routh_status status = rt_evaluate(m, s->w, s->state, what, error);
    if (status) return status;
    renew_angles(m, run);
    status = rt_evaluate(m, s->w, s->state, what, error);
    if (!status) status = rt_find_rank(s, error);
    if (!status) status = rt_search_mass(s, error);
    if (status) return status;
    rt_chart_refer(&p->chart, s->w, s->state);
    p->same = !s->position_rank;
    status = make_square(&p->position, p, p->same ? s->rank : s->position_rank, NULL, error);
    if (!status && !p->same) status = make_square(&p->velocity, p, s->rank, NULL, error);
    p->direct = p->position.n_rows == 0 && p->chart.n_turns == 0;
    p->growth = 0;
    p->rate = 0.1;
    run->count.partitions++;
    return status;
}

/* The same columns with other rows. */
static routh_status make_square_anew(partition_square *s, const rt_partition *p,
                                     const rt_elimination *rank, routh_error *error)
{
    const int n = s->n_functions;
    if (rank->n_columns - rank->rank != n)
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "the mechanism has %d degrees of freedom here, and had %d where its "
                       "coordinates were chosen",
                       rank->n_columns - rank->rank, n);
    int *columns = malloc(((size_t)n + 1) * sizeof *columns);
    if (!columns) return rt_fail_memory(error);
    memcpy(columns, s->column, (size_t)n * sizeof *columns);
    const routh_status status = make_square(s, p, rank, columns, error);
    free(columns);
    return status;
}

routh_status rt_partition_choose_rows(rt_partition *p, rt_run *run, routh_error *error)
{
    rt_search *s = &run->search;
    const int what = RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN;
    routh_status status = rt_evaluate(p->m, s->w, s->state, what, error);
    if (!status) status = rt_find_rank(s, error);
    if (!status) status = rt_search_mass(s, error);
    if (status) return status;
    status = make_square_anew(&p->position, p, p->same ? s->rank : s->position_rank, error);
    return status || p->same ? status : make_square_anew(&p->velocity, p, s->rank, error);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static const partition_square *velocity_of(const rt_partition *p)
{
    return p->same ? &p->position : &p->velocity;
}

int rt_partition_size(const rt_partition *p)
{
    return p->position.n_functions + velocity_of(p)->n_functions + p->m->model->n_control_states;
}

int rt_partition_most(const rt_partition *p)
{
    return 2 * p->m->n_u + p->m->model->n_control_states;
}

int rt_partition_n_positions(const rt_partition *p) { return p->position.n_functions; }

int rt_partition_column(const rt_partition *p, int k)
{
    const partition_square *velocity = velocity_of(p);
    if (k < p->position.n_functions) return p->position.column[k];
    k -= p->position.n_functions;
    return k < velocity->n_functions ? velocity->column[k] : -1;
}

void rt_partition_weights(const rt_partition *p, const rt_run *run, double *weight)
{
    static const double slowest = 1e-3; /* 1/s: a motion that takes longer counts as rest */
    const partition_square *position = &p->position, *velocity = velocity_of(p);
    const double *unit = run->search.unit, typical = run->m->length * run->tolerance;
    const double curve = sqrt(rt_run_norm(run, run->now->udot));
    const double rate = fmax(fmax(rt_run_norm(run, run->now->u), curve), slowest);
    for (int k = 0; k < position->n_functions; k++)
        *weight++ = 1 / (unit[position->column[k]] * typical);
    for (int k = 0; k < velocity->n_functions; k++)
        *weight++ = 1 / (unit[velocity->column[k]] * typical * rate);
    for (int k = 0; k < p->m->model->n_control_states; k++)
        *weight++ = 1 / (rt_run_size_x(run, k) * run->tolerance);
}

/* ---- numbers --------------------------------------------------------------------------------- */

void rt_partition_take(rt_partition *p, const rt_run *run, double *y)
{
    const rt_state *state = run->search.state;
    const partition_square *position = &p->position, *velocity = velocity_of(p);
    rt_chart_value f;
    rt_chart_look(&p->chart, run->search.w, state);
    for (int k = 0; k < position->n_functions; k++) {
        rt_chart_value_of(&p->chart, state, position->column[k], &f);
        *y++ = f.value;
    }
    for (int k = 0; k < velocity->n_functions; k++) {
        rt_chart_value_of(&p->chart, state, velocity->column[k], &f);
        *y++ = f.rate;
    }
    memcpy(y, state->signal, (size_t)p->m->model->n_control_states * sizeof *y);
}

/* The square's numbers and factors of what is evaluated. */
static routh_status partition_factor(rt_partition *p, partition_square *s, rt_run *run,
                                     routh_error *error)
{
    const rt_pattern *G = &p->m->pattern_G;
    for (int k = 0; k < G->start[G->n_columns]; k++)
        if (s->G_at[k] >= 0) s->values[s->G_at[k]] = run->search.w->G[k];
    for (int k = 0; k < s->n_functions; k++) {
        rt_chart_value f;
        rt_chart_value_of(&p->chart, run->search.state, s->column[k], &f);
        for (int i = 0; i < f.n; i++) s->values[s->first_at[3 * k + i]] = f.row[i];
    }
    run->count.factorizations++;
    return rt_factor_numeric(s->factor, s->values, error);
}

static routh_status partition_evaluate(rt_partition *p, rt_run *run, int what, routh_error *error)
{
    rt_search *s = &run->search;
    const routh_status status = rt_evaluate(p->m, s->w, s->state, what, error);
    run->count.evaluations++;
    rt_chart_look(&p->chart, s->w, s->state);
    return status;
}

/* The largest motion of all where every independent coordinate moves by a unit, one way or the
 * other by turns; by the factors there are. */
static double partition_measure(rt_partition *p, const rt_run *run)
{
    const partition_square *s = velocity_of(p);
    const double *unit = run->search.unit;
    routh_error unused;
    memset(p->b, 0, (size_t)p->m->n_u * sizeof *p->b);
    for (int k = 0; k < s->n_functions; k++)
        p->b[s->n_rows + k] = (k * 7 % 5 < 3 ? 1 : -1) * unit[s->column[k]];
    if (rt_factor_solve(s->factor, p->b, 1, NULL, &unused)) return INFINITY;
    double worst = 0;
    for (int c = 0; c < p->m->n_u; c++) worst = fmax(worst, fabs(p->b[c]) / unit[c]);
    return worst;
}

routh_status rt_partition_factor_anew(rt_partition *p, rt_run *run, routh_error *error)
{
    if (p->direct && p->same) return ROUTH_OK;
    routh_status status = partition_evaluate(p, run, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
    if (!status) status = partition_factor(p, &p->position, run, error);
    if (!status && !p->same) status = partition_factor(p, &p->velocity, run, error);
    return status;
}

routh_status rt_partition_start(rt_partition *p, rt_run *run, const rt_state *state,
                                routh_error *error)
{
    rt_state_copy(p->m, run->search.state, state);
    p->rate = 0.1;
    const routh_status status = rt_partition_factor_anew(p, run, error);
    if (status || (p->direct && p->same)) return status;
    if (p->growth == 0) p->growth = fmax(partition_measure(p, run), 1);
    return ROUTH_OK;
}

/* [-Phi; v - v(q)] */
static void position_lack(const rt_partition *p, const rt_run *run, const double *v, double *b)
{
    const partition_square *s = &p->position;
    for (int r = 0; r < p->m->n_rows; r++)
        if (s->slot[r] >= 0) b[s->slot[r]] = -run->search.w->phi[0][r];
    for (int k = 0; k < s->n_functions; k++) {
        rt_chart_value f;
        rt_chart_value_of(&p->chart, run->search.state, s->column[k], &f);
        b[s->n_rows + k] = rt_chart_lack(&p->chart, s->column[k], v[k], f.value);
    }
}

static routh_status no_configuration(double size, routh_error *error)
{
    return rt_fail(error, ROUTH_NUMERIC_ERROR,
                   "no configuration of the mechanism was found near the last one (the last "
                   "correction was %.2g typical lengths); check whether the joints lock, or use a "
                   "smaller step or tolerance",
                   size);
}

/* Rounding of the configuration itself, over the typical length; of angles after many turns too. */
static double partition_rounding(const rt_partition *p, const rt_run *run)
{
    double reach = run->m->length;
    for (int b = 0; b < run->m->n_bodies; b++)
        reach = fmax(reach, rt_v3_norm(run->search.w->bodies[b].r));
    const double *q = run->search.state->q, *unit = run->search.unit;
    for (int c = 0; c < p->m->n_u; c++)
        if (p->chart.place[c] >= 0) reach = fmax(reach, fabs(q[p->chart.place[c]]) / unit[c]);
    for (int k = 0; k < p->m->model->n_angles; k++)
        reach = fmax(reach, fabs(run->search.w->near[k]) * run->m->length);
    return 4 * DBL_EPSILON * reach / run->m->length;
}

routh_status rt_partition_correction(rt_partition *p, rt_run *run, const double *y,
                                     double *correction, routh_error *error)
{
    routh_status status = partition_evaluate(p, run, RT_EVALUATE_PHI, error);
    if (status) return status;
    position_lack(p, run, y, correction);
    return rt_factor_solve(p->position.factor, correction, 1, NULL, error);
}

/* Newton by old factors, renewed where they no longer serve. move: NULL, not asked for. */
static routh_status partition_find_positions(rt_partition *p, rt_run *run, const double *v,
                                             rt_partition_move *move, routh_error *error)
{
    enum { MOST = 15 };
    double before = 0, least = INFINITY, size = INFINITY;
    for (int k = 0; k < MOST; k++) {
        const bool renew = k > 0 && p->rate > 0.05;
        const int what = RT_EVALUATE_PHI | (renew ? RT_EVALUATE_JACOBIAN : 0);
        routh_status status = partition_evaluate(p, run, what, error);
        if (!status && renew) status = partition_factor(p, &p->position, run, error);
        if (status) return status;
        position_lack(p, run, v, p->b);
        status = rt_factor_solve(p->position.factor, p->b, 1, NULL, error);
        if (status) return status;
        rt_advance(p->m, run->search.state->q, p->b);
        run->count.iterations++;
        size = rt_run_norm(run, p->b);
        if (move && k == 0) memcpy(move->first, p->b, (size_t)p->m->n_u * sizeof *p->b);
        if (move && k == 1) move->second = size;
        if (k > 0) p->rate = fmax(size / before, 1e-3);
        if (!isfinite(size)) break;
        const double left = p->rate < 1 ? size * p->rate / (1 - p->rate) : INFINITY;
        if (left <= 1e-15 || size <= partition_rounding(p, run)) return ROUTH_OK;
        if (k > 3 && size >= least && size <= 1e-12) return ROUTH_OK; /* rounding of the rows */
        least = fmin(least, size);
        before = size;
    }
    return no_configuration(size, error);
}

/* [G; W] du = [-Phi'; w - W u], in one solve, of what is evaluated and factored. */
static routh_status solve_velocities(rt_partition *p, rt_run *run, const double *w,
                                     routh_error *error)
{
    const partition_square *s = velocity_of(p);
    rt_state *state = run->search.state;
    for (int r = 0; r < p->m->n_rows; r++)
        if (s->slot[r] >= 0) p->b[s->slot[r]] = -run->search.w->phi[1][r];
    for (int k = 0; k < s->n_functions; k++) {
        rt_chart_value f;
        rt_chart_value_of(&p->chart, state, s->column[k], &f);
        p->b[s->n_rows + k] = w[k] - f.rate;
    }
    const routh_status status = rt_factor_solve(s->factor, p->b, 1, NULL, error);
    for (int c = 0; c < p->m->n_u && !status; c++) state->u[c] += p->b[c];
    return status;
}

static routh_status partition_find_velocities(rt_partition *p, rt_run *run, const double *w,
                                              routh_error *error)
{
    routh_status status = partition_evaluate(p, run, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
    if (!status) status = partition_factor(p, p->same ? &p->position : &p->velocity, run, error);
    return status ? status : solve_velocities(p, run, w, error);
}

/* Of a direct choice. */
static void take_positions(const rt_partition *p, rt_run *run, const double *y)
{
    const partition_square *position = &p->position;
    for (int k = 0; k < position->n_functions; k++)
        run->search.state->q[p->chart.place[position->column[k]]] = y[k];
}

routh_status rt_partition_move_to(rt_partition *p, rt_run *run, const double *y,
                                  rt_partition_move *move, routh_error *error)
{
    move->second = 0;
    p->rate = 0.1;
    if (!p->direct) return partition_find_positions(p, run, y, move, error);
    memset(move->first, 0, (size_t)p->m->n_u * sizeof *move->first);
    take_positions(p, run, y);
    return ROUTH_OK;
}

routh_status rt_partition_place(rt_partition *p, rt_run *run, double t, const double *y,
                                routh_error *error)
{
    rt_state *state = run->search.state;
    const partition_square *position = &p->position, *velocity = velocity_of(p);
    const double *w = y + position->n_functions, *x = w + velocity->n_functions;
    const routh_status timed = rt_run_time(run, state, t, error);
    if (timed) return timed;
    memcpy(state->signal, x, (size_t)p->m->model->n_control_states * sizeof *x);
    if (!p->direct) {
        const routh_status status = partition_find_positions(p, run, y, NULL, error);
        return status ? status : partition_find_velocities(p, run, w, error);
    }
    take_positions(p, run, y);
    if (!p->same) return partition_find_velocities(p, run, w, error);
    for (int k = 0; k < velocity->n_functions; k++) state->u[velocity->column[k]] = w[k];
    return ROUTH_OK;
}

/* Has every measure of the choice stayed within these bounds? */
static bool partition_is_good(rt_partition *p, const rt_run *run, double growth, double room)
{
    const rt_state *state = run->search.state;
    if (p->direct && p->same) return true;
    for (int k = 0; k < p->position.n_functions; k++) {
        rt_chart_value f;
        rt_chart_value_of(&p->chart, state, p->position.column[k], &f);
        if (f.room < room) return false;
    }
    return partition_measure(p, run) <= growth * p->growth;
}

bool rt_partition_has_choice(const rt_partition *p)
{
    return velocity_of(p)->n_rows < p->m->n_rows;
}

/* Do the rows that are left out, of what is evaluated, hold of themselves? */
static bool all_rows_hold(const rt_partition *p, const rt_run *run)
{
    static const double most = 1e-6; /* typical lengths */
    if (!rt_partition_has_choice(p)) return true;
    rt_row_sizes(&run->search, run->search.y);
    return rt_run_open_position(run, run->search.y) <= most;
}

int rt_partition_sign(const rt_partition *p, const rt_run *run)
{
    static const double rounding = 1e-12;
    const rt_factor *factor = p->position.factor;
    if (p->direct && p->same) return 1;
    return all_rows_hold(p, run) && rt_factor_rcond(factor) > rounding ? rt_factor_sign(factor) : 0;
}

bool rt_partition_is_direct(const rt_partition *p) { return p->direct; }

/* Small changes of v move the rest by ten times what they did when it was chosen, or a turn is
 * 37 degrees from the end of its angles. */
bool rt_partition_is_usable(rt_partition *p, const rt_run *run)
{
    return partition_is_good(p, run, 10, 0.1);
}

/* Of a state with its velocities. */
static routh_status rate_of_state(rt_partition *p, rt_run *run, double *ydot, routh_error *error)
{
    const partition_square *position = &p->position, *velocity = velocity_of(p);
    const rt_state *state = run->search.state;
    const int n_x = p->m->model->n_control_states;
    const routh_status status = rt_find_motion(&run->search, error);
    run->count.evaluations += 3;
    if (status) return status;
    rt_chart_look(&p->chart, run->search.w, state);
    rt_chart_value f;
    for (int k = 0; k < position->n_functions; k++) {
        rt_chart_value_of(&p->chart, state, position->column[k], &f);
        *ydot++ = f.rate;
    }
    for (int k = 0; k < velocity->n_functions; k++) {
        rt_chart_value_of(&p->chart, state, velocity->column[k], &f);
        double sum = f.bend;
        for (int i = 0; i < f.n; i++) sum += f.row[i] * state->udot[f.first + i];
        *ydot++ = sum;
    }
    memcpy(ydot, state->signal + n_x, (size_t)n_x * sizeof *ydot);
    return ROUTH_OK;
}

routh_status rt_partition_rate(rt_partition *p, rt_run *run, double t, const double *y,
                               double *ydot, routh_error *error)
{
    routh_status status = rt_partition_place(p, run, t, y, error);
    if (!status && !rt_partition_is_usable(p, run)) status = no_configuration(0, error);
    return status ? status : rate_of_state(p, run, ydot, error);
}

routh_status rt_partition_rate_there(rt_partition *p, rt_run *run, const double *y, double *ydot,
                                     routh_error *error)
{
    rt_state *state = run->search.state;
    const partition_square *velocity = velocity_of(p);
    const double *w = y + p->position.n_functions, *x = w + velocity->n_functions;
    memcpy(state->signal, x, (size_t)p->m->model->n_control_states * sizeof *x);
    if (p->direct && p->same) {
        for (int k = 0; k < velocity->n_functions; k++) state->u[velocity->column[k]] = w[k];
        return rate_of_state(p, run, ydot, error);
    }
    const routh_status status = solve_velocities(p, run, w, error);
    return status ? status : rate_of_state(p, run, ydot, error);
}

/* ---- how good the choice still is ------------------------------------------------------------ */

/* The first time at which w h + a h^2 / 2 turns a body, or what is carried by a ball joint, so far
 * that the angles about the other axes come near their singularity: from the worst place that
 * rt_partition_worn leaves, 114 degrees, to less than what rt_partition_rate takes, 143 degrees. */
double rt_partition_longest_step(const rt_partition *p, const rt_run *run)
{
    static const double most = 0.5; /* rad */
    double longest = INFINITY;
    for (int k = 0; k < p->chart.n_turns; k++) {
        const int column = p->chart.turn[k].column;
        const double w = rt_v3_norm(run->now->u + column);
        const double a = rt_v3_norm(run->now->udot + column);
        const double sum = w + sqrt(w * w + 2 * most * a);
        if (sum > 0) longest = fmin(longest, 2 * most / sum);
    }
    return longest;
}

bool rt_partition_worn(rt_partition *p, const rt_run *run)
{
    for (int b = 0; p->m->set && p->m->set->near_singular && b < p->m->n_bodies; b++)
        if (p->m->set->near_singular(b, run->search.state->q)) return true;
    return !partition_is_good(p, run, 3, 0.3);
}
