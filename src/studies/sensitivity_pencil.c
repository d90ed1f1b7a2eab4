/* See sensitivity_pencil.h. */
#include "studies/sensitivity_pencil.h"

#include <stdlib.h>

/* ---- terms ---------------------------------------------------------------------------------- */

typedef struct sensitivity_pencil_builder {
    rt_levels_pencil *p;
    int room;
} sensitivity_pencil_builder;

static void sensitivity_pencil_add(sensitivity_pencil_builder *b, int row, int column, double sign,
                                   const double *from, int varied)
{
    if (b->p->terms) b->p->terms[b->p->n_terms] = (rt_term){row, column, sign, from, varied};
    b->p->n_terms++;
}

/* values on a pattern at rows and columns of x, rows by slot where there is one */
static void add_matrix(sensitivity_pencil_builder *b, const rt_pattern *pattern,
                       const double *values, rt_varied_array array, const int *slot, int row,
                       int column)
{
    const rt_levels_pencil *p = b->p;
    for (int c = 0; c < pattern->n_columns; c++)
        for (int e = pattern->start[c]; e < pattern->start[c + 1]; e++) {
            const int r = slot ? slot[pattern->row[e]] : pattern->row[e];
            if (r >= 0)
                sensitivity_pencil_add(b, p->n1 + row + r, p->n1 + column + c, 1, values + e,
                                       p->array[array] + e);
        }
}

/* Where a signal's column is; -1: an input. */
static int sensitivity_pencil_signal_column(const rt_levels_pencil *p, int place)
{
    if (place < p->n_x) return p->z + p->z1 + place;
    if (place < 2 * p->n_x) return p->n1 + p->rate + place - p->n_x;
    if (place < 2 * p->n_x + p->n_v) return p->n1 + p->v + place - 2 * p->n_x;
    return -1;
}

static void sensitivity_pencil_add_motion(sensitivity_pencil_builder *b)
{
    const rt_levels_pencil *p = b->p;
    const routh_mechanism *m = p->s->m;
    const rt_workspace *w = p->s->w;
    const rt_pattern *G = &m->pattern_G, *L = &m->pattern_L, *R = &m->pattern_R;
    const int row = p->n1 + p->motion;
    add_matrix(b, &m->pattern_M, w->M, RT_VARIED_M, NULL, p->motion, p->a);
    add_matrix(b, &m->pattern_K, w->D, RT_VARIED_D, NULL, p->motion, p->u);
    add_matrix(b, &m->pattern_K, w->K, RT_VARIED_K, NULL, p->motion, p->xi);
    for (int c = 0; c < p->n; c++)
        for (int e = G->start[c]; e < G->start[c + 1]; e++)
            if (p->slot[G->row[e]] >= 0)
                sensitivity_pencil_add(b, row + c, p->n1 + p->lambda + p->slot[G->row[e]], 1,
                                       w->G + e, p->array[RT_VARIED_G] + e);
    for (int r = 0; r < m->n_rows; r++)
        for (int e = L->start[r]; e < L->start[r + 1] && p->slot[r] >= 0; e++)
            sensitivity_pencil_add(b, row + L->row[e], p->n1 + p->lambda + p->slot[r], 1, w->L + e,
                                   p->array[RT_VARIED_L] + e);
    for (int j = 0; j < m->n_signals; j++)
        for (int e = R->start[j];
             e < R->start[j + 1] && sensitivity_pencil_signal_column(p, j) >= 0; e++)
            sensitivity_pencil_add(b, row + R->row[e], sensitivity_pencil_signal_column(p, j), 1,
                                   w->L + e, p->array[RT_VARIED_L] + e);
}

static void sensitivity_pencil_add_rows(sensitivity_pencil_builder *b)
{
    const rt_levels_pencil *p = b->p;
    const rt_pattern *G = &p->s->m->pattern_G;
    const rt_workspace *w = p->s->w;
    add_matrix(b, G, w->G, RT_VARIED_G, p->position_slot, p->position, p->xi);
    add_matrix(b, G, w->G, RT_VARIED_G, p->slot, p->velocity, p->u);
    add_matrix(b, G, w->Vx, RT_VARIED_VX, p->slot, p->velocity, p->xi);
    add_matrix(b, G, w->G, RT_VARIED_G, p->slot, p->rows, p->a);
    add_matrix(b, G, w->Au, RT_VARIED_AU, p->slot, p->rows, p->u);
    add_matrix(b, G, w->Ax, RT_VARIED_AX, p->slot, p->rows, p->xi);
}

static void sensitivity_pencil_add_row(sensitivity_pencil_builder *b, int row, int column,
                                       const rt_state_row *state, const double *from, int varied)
{
    for (int c = 0; c < state->n; c++)
        sensitivity_pencil_add(b, row, b->p->n1 + column + state->columns[c], 1, from + c,
                               varied + c);
}

static void add_states(sensitivity_pencil_builder *b)
{
    const rt_levels_pencil *p = b->p;
    const int position = p->n1 + p->position + p->m_position, velocity = p->n1 + p->velocity + p->m;
    for (int k = 0; k < p->z; k++) {
        const rt_state_row *s = &p->states[k];
        const int at = p->state_at[k];
        sensitivity_pencil_add_row(b, k, p->u, s, s->s_x, at);
        sensitivity_pencil_add_row(b, k, p->xi, s, s->w_x, at + s->n);
        sensitivity_pencil_add_row(b, position + k, p->xi, s, s->s_x, at);
        sensitivity_pencil_add(b, position + k, k, -1, NULL, -1);
    }
    for (int k = 0; k < p->z1; k++) {
        const rt_state_row *s = &p->rates[k];
        const int at = p->rate_at[k];
        sensitivity_pencil_add_row(b, p->z + k, p->a, s, s->s_x, at);
        sensitivity_pencil_add_row(b, p->z + k, p->u, s, s->a_u, at + 2 * s->n);
        sensitivity_pencil_add_row(b, p->z + k, p->xi, s, s->a_x, at + 3 * s->n);
        sensitivity_pencil_add_row(b, velocity + k, p->u, s, s->s_x, at);
        sensitivity_pencil_add_row(b, velocity + k, p->xi, s, s->w_x, at + s->n);
        sensitivity_pencil_add(b, velocity + k, p->z + k, -1, NULL, -1);
    }
    for (int k = 0; k < p->n_x; k++)
        sensitivity_pencil_add(b, p->z + p->z1 + k, p->n1 + p->rate + k, 1, NULL, -1);
}

static void sensitivity_pencil_add_sensor(sensitivity_pencil_builder *b, int k,
                                          const rt_sensor_row *g)
{
    const rt_levels_pencil *p = b->p;
    const int row = p->n1 + p->equations + k, level[3] = {p->xi, p->u, p->a};
    int at = p->sensor[k];
    for (int l = 0; l < 3; l++)
        for (int c = 0; c < g->n_columns; c++, at++)
            sensitivity_pencil_add(b, row, p->n1 + level[l] + g->columns[c], 1,
                                   g->by_x + l * g->n_columns + c, at);
    for (int c = 0; c < g->n_lambda; c++, at++)
        if (p->slot[g->lambda[c]] >= 0)
            sensitivity_pencil_add(b, row, p->n1 + p->lambda + p->slot[g->lambda[c]], 1,
                                   g->by_lambda + c, at);
    for (int c = 0; c < g->n_signals; c++, at++)
        if (sensitivity_pencil_signal_column(p, g->signals[c]) >= 0)
            sensitivity_pencil_add(b, row, sensitivity_pencil_signal_column(p, g->signals[c]), 1,
                                   g->by_signal + c, at);
}

static void sensitivity_pencil_add_all(sensitivity_pencil_builder *b)
{
    const rt_levels_pencil *p = b->p;
    b->p->n_terms = 0;
    sensitivity_pencil_add_motion(b);
    sensitivity_pencil_add_rows(b);
    add_states(b);
    for (int k = 0; k < p->n_x; k++) sensitivity_pencil_add_sensor(b, k, &p->task->equations[k]);
    for (int k = 0; k < p->n_v; k++)
        sensitivity_pencil_add_sensor(b, p->n_x + k, &p->task->variables[k]);
}

/* ---- sizes ---------------------------------------------------------------------------------- */

static int sensor_size(const rt_sensor_row *g)
{
    return 3 * g->n_columns + g->n_lambda + g->n_signals;
}

static bool number_varied(rt_levels_pencil *p, rt_arena *arena)
{
    const routh_mechanism *m = p->s->m;
    const int n_K = m->pattern_K.start[p->n], n_G = m->pattern_G.start[p->n];
    const int size[RT_VARIED_ARRAYS] = {
        [RT_VARIED_M] = m->pattern_M.start[p->n],
        [RT_VARIED_K] = n_K,
        [RT_VARIED_D] = n_K,
        [RT_VARIED_G] = n_G,
        [RT_VARIED_VX] = n_G,
        [RT_VARIED_AU] = n_G,
        [RT_VARIED_AX] = n_G,
        [RT_VARIED_L] = rt_count_L(m),
    };
    for (int k = 0; k < RT_VARIED_ARRAYS; k++) {
        p->array[k] = size[k] ? p->n_varied : -1;
        p->n_varied += size[k];
    }
    p->sensor = RT_TAKE(arena, int, p->n_x + p->n_v);
    for (int k = 0; p->sensor && k < p->n_x + p->n_v; k++) {
        p->sensor[k] = p->n_varied;
        p->n_varied +=
            sensor_size(k < p->n_x ? &p->task->equations[k] : &p->task->variables[k - p->n_x]);
    }
    p->state_at = RT_TAKE(arena, int, p->z), p->rate_at = RT_TAKE(arena, int, p->z1);
    for (int k = 0; p->state_at && k < p->z; k++)
        p->state_at[k] = p->n_varied, p->n_varied += 4 * p->states[k].n;
    for (int k = 0; p->rate_at && k < p->z1; k++)
        p->rate_at[k] = p->n_varied, p->n_varied += 4 * p->rates[k].n;
    p->varied = RT_TAKE(arena, double, p->n_varied);
    return p->sensor && p->state_at && p->rate_at && p->varied;
}

static void number_blocks(rt_levels_pencil *p)
{
    p->n1 = p->z + p->z1 + p->n_x;
    p->xi = 0, p->u = p->n, p->a = 2 * p->n, p->lambda = 3 * p->n;
    p->rate = p->lambda + p->m, p->v = p->rate + p->n_x, p->n2 = p->v + p->n_v;
    p->position = 0, p->velocity = p->n, p->motion = 2 * p->n, p->rows = 3 * p->n;
    p->equations = p->rows + p->m;
}

/* ---- the pencil ----------------------------------------------------------------------------- */

static double sensitivity_pencil_value_of(const rt_term *t)
{
    return t->from ? t->sign * *t->from : t->sign;
}

/* Terms of P first. */
static void order_terms(rt_levels_pencil *p)
{
    for (int k = 0; k < p->n_terms; k++) {
        if (p->terms[k].row >= p->n1) continue;
        const rt_term t = p->terms[k];
        p->terms[k] = p->terms[p->n_rates], p->terms[p->n_rates++] = t;
    }
}

static routh_status sensitivity_pencil_factor(rt_levels_pencil *p, rt_arena *arena,
                                              routh_error *error)
{
    const int start[RT_LEVELS + 1] = {p->position, p->velocity, p->motion, p->n2};
    rt_arena scratch = {0};
    int n = 0, *row = RT_TAKE(&scratch, int, p->n_terms),
        *column = RT_TAKE(&scratch, int, p->n_terms);
    double *value = RT_TAKE(&scratch, double, p->n_terms);
    routh_status status = row && column && value ? ROUTH_OK : rt_fail_memory(error);
    for (int k = p->n_rates; k < p->n_terms && !status; k++) {
        const rt_term *t = &p->terms[k];
        if (t->column < p->n1) continue;
        row[n] = t->row - p->n1, column[n] = t->column - p->n1,
        value[n++] = sensitivity_pencil_value_of(t);
    }
    if (!status) status = rt_levels_create(&p->R, start, n, row, column, value, arena, error);
    rt_arena_free(&scratch);
    return status;
}

routh_status rt_pencil_create(rt_levels_pencil *p, const rt_method_task *task, rt_arena *arena,
                              routh_error *error)
{
    const rt_search *s = task->search;
    *p = (rt_levels_pencil){.s = s,
                            .task = task,
                            .n = s->m->n_u,
                            .m = s->rank->rank,
                            .m_position = rt_position_rank(s)->rank,
                            .z = task->states->z,
                            .z1 = task->states->z1,
                            .n_x = s->m->model->n_control_states,
                            .n_v = s->m->model->n_variables};
    p->slot = RT_TAKE(arena, int, s->m->n_rows);
    p->position_slot = RT_TAKE(arena, int, s->m->n_rows);
    if (!p->slot || !p->position_slot || !rt_number_rows(s, p->slot, arena) ||
        !rt_number_rows_of(s, rt_position_rank(s), p->position_slot, arena))
        return rt_fail_memory(error);
    number_blocks(p);
    routh_status status = rt_state_rows(task, arena, &p->states, error);
    if (!status) status = rt_rate_rows(task, arena, &p->rates, error);
    if (!status && !number_varied(p, arena)) status = rt_fail_memory(error);
    if (status) return status;
    sensitivity_pencil_builder b = {.p = p};
    sensitivity_pencil_add_all(&b);
    p->terms = RT_TAKE(arena, rt_term, p->n_terms);
    if (!p->terms) return rt_fail_memory(error);
    sensitivity_pencil_add_all(&b);
    order_terms(p);
    return sensitivity_pencil_factor(p, arena, error);
}

void rt_pencil_release(rt_levels_pencil *p) { rt_levels_release(&p->R); }

routh_status rt_pencil_right(const rt_levels_pencil *p, const double *y, double *x,
                             routh_error *error)
{
    memset(x, 0, (size_t)p->n2 * sizeof *x);
    for (int k = p->n_rates; k < p->n_terms; k++) {
        const rt_term *t = &p->terms[k];
        if (t->column < p->n1) x[t->row - p->n1] -= sensitivity_pencil_value_of(t) * y[t->column];
    }
    return rt_levels_solve(&p->R, x, 1, error);
}

/* Are velocity states those of position, so that W moves velocities as S does positions? */
static bool sensitivity_pencil_same_states(const rt_levels_pencil *p)
{
    return p->R.twice && p->z == p->z1;
}

routh_status rt_pencil_rights(const rt_levels_pencil *p, double *x, routh_error *error)
{
    const size_t n2 = (size_t)p->n2, n = (size_t)p->n;
    const int z = p->z;
    const bool same = sensitivity_pencil_same_states(p);
    memset(x, 0, n2 * (size_t)p->n1 * sizeof *x);
    for (int k = p->n_rates; k < p->n_terms; k++) {
        const rt_term *t = &p->terms[k];
        if (t->column < p->n1)
            x[n2 * (size_t)t->column + (size_t)(t->row - p->n1)] -= sensitivity_pencil_value_of(t);
    }
    routh_status status = rt_levels_solve_one(&p->R, 0, false, x, z, error);
    const double *S = x;
    double *W = x + n2 * (size_t)z;
    for (int k = 0; k < z && same && !status; k++) {
        memcpy(W + n2 * k + p->u, S + n2 * k + p->xi, n * sizeof *x);
        rt_levels_take_off(&p->R, 1, W + n2 * k);
    }
    if (!status) status = rt_levels_solve_one(&p->R, 1, false, x, same ? z : p->n1, error);
    return status ? status : rt_levels_solve_one(&p->R, 2, false, x, p->n1, error);
}

/* Each w is put into P before R^-T: the product R^-T P' has entries as large as what is stiffest,
 * of which only rounding would be left in the sum over a slow mode. */
routh_status rt_pencil_lefts(const rt_levels_pencil *p, const double *w, double *g,
                             routh_error *error)
{
    const size_t n1 = (size_t)p->n1, n2 = (size_t)p->n2;
    /* where states are the same S' = W, whose row the velocity level has: by velocities g is that
     * unit vector */
    const int first = sensitivity_pencil_same_states(p) ? p->z : 0;
    memset(g, 0, n2 * n1 * sizeof *g);
    for (int k = 0; k < p->n_rates; k++) {
        const rt_term *t = &p->terms[k];
        const double value = sensitivity_pencil_value_of(t);
        const int column = t->column - p->n1;
        if (t->row < first && column >= p->velocity && column < p->velocity + p->n) continue;
        for (size_t c = 0; c < n1; c++)
            g[n2 * c + (size_t)column] -= value * w[n1 * c + (size_t)t->row];
    }
    routh_status status = rt_levels_solve_one(&p->R, 2, true, g, p->n1, error);
    if (!status) status = rt_levels_solve_one(&p->R, 1, true, g, p->n1, error);
    for (size_t c = 0; c < n1; c++)
        for (int k = 0; k < first; k++)
            g[n2 * c + (size_t)(p->velocity + p->m + k)] -= w[n1 * c + (size_t)k];
    return status ? status : rt_levels_solve_one(&p->R, 0, true, g, p->n1, error);
}

void rt_pencil_rates(const rt_levels_pencil *p, const double *x, double *out)
{
    memset(out, 0, (size_t)p->n1 * sizeof *out);
    for (int k = 0; k < p->n_rates; k++)
        out[p->terms[k].row] +=
            sensitivity_pencil_value_of(&p->terms[k]) * x[p->terms[k].column - p->n1];
}

/* The row of a candidate, whose elastic coordinates are constant. */
static void vary_row(rt_levels_pencil *p, rt_variation *v, int candidate, const rt_state_row *row,
                     double *out)
{
    const routh_mechanism *m = p->s->m;
    const int j = candidate - rt_first_user_candidate(m);
    if (j >= 0)
        rt_variation_user_state(v, j, row->columns, row->n, out);
    else if (candidate >= rt_first_elastic_candidate(m))
        memset(out, 0, 4 * (size_t)row->n * sizeof *out);
    else
        rt_variation_component(v, candidate / 6, candidate % 6, p->task->observer->marker,
                               row->columns, row->n, out);
}

routh_status rt_pencil_vary(rt_levels_pencil *p, rt_variation *variation, routh_error *error)
{
    double unused;
    for (int a = 0; a < RT_VARIED_ARRAYS; a++)
        if (p->array[a] >= 0)
            rt_variation_read(variation, (rt_varied_array)a, p->varied + p->array[a]);
    for (int k = 0; k < p->n_x + p->n_v; k++) {
        const routh_status status = rt_variation_sensor(
            variation, k < p->n_x ? RT_SENSOR_STATE : RT_SENSOR_VARIABLE,
            k < p->n_x ? k : k - p->n_x, &unused, p->varied + p->sensor[k], error);
        if (status) return status;
    }
    for (int k = 0; k < p->z; k++)
        vary_row(p, variation, p->task->states->candidate[k], &p->states[k],
                 p->varied + p->state_at[k]);
    for (int k = 0; k < p->z1; k++)
        vary_row(p, variation, p->task->states->rate[k], &p->rates[k], p->varied + p->rate_at[k]);
    return ROUTH_OK;
}
