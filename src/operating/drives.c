/* Do the inputs that drive joints fit what the joints allow?
 *
 * An input j moves rows of constraints by a_j = dPhi/din, which has rates. The independent rows
 * follow (docs/theory/controllers.md):
 *     G xi = -a,     G du = -(V_x xi + a'),     G u' = -(A_u du + A_x xi + a'')         by in
 *                    G du = -a,                 G u' = -(A_u du + 2 a')                 by in'
 * and by in'' as by in'. Where G has its full rank all around, a row that was left out must then
 * hold of itself: what is left of it does not depend on which of the solutions is taken, and the
 * smallest is. Otherwise the input asks for a motion that there is not. */
#include <stdio.h>
#include <stdlib.h>

#include "operating/contradiction.h"

static const char *const LEVEL[] = {"positions", "velocities", "accelerations"};

typedef struct drives_task {
    rt_search *s;
    rt_kkt *position, *velocity; /* [W G'; G 0] over the rows that each of the levels keeps */
    const int *position_step;    /* n_rows: < 0: the row was left out there */
    rt_arena arena;
    double *size;          /* n_rows: of the rows of G, in units of length */
    double *xi, *du, *du1; /* n_u: by in; by in and by in' */
    double *rows, *terms;  /* n_rows: the sum that is to be zero, and its largest term */
    double moved, rate;    /* largest change of a row by the input; of the motion, 1/s */
    int input;
} drives_task;

/* ---- the equations -------------------------------------------------------------------------- */

static void drives_clear(drives_task *k)
{
    memset(k->rows, 0, (size_t)k->s->m->n_rows * sizeof *k->rows);
    memset(k->terms, 0, (size_t)k->s->m->n_rows * sizeof *k->terms);
}

static void drives_add(drives_task *k, int row, double value)
{
    k->rows[row] += value;
    k->terms[row] = fmax(k->terms[row], fabs(value));
}

/* rows += values x, on pattern_G */
static void drives_add_product(drives_task *k, const double *values, const double *x)
{
    const rt_pattern *G = &k->s->m->pattern_G;
    for (int c = 0; c < G->n_columns; c++)
        for (int e = G->start[c]; e < G->start[c + 1]; e++)
            drives_add(k, G->row[e], values[e] * x[c]);
}

/* rows += scale times derivative d of a */
static void drives_add_drive(drives_task *k, int d, double scale)
{
    const routh_mechanism *m = k->s->m;
    for (int i = 0; i < m->n_driven; i++)
        if (m->driven[i].input == k->input)
            drives_add(k, m->driven[i].row, scale * k->s->w->drive[3 * (size_t)i + d]);
}

/* x of least size with G x = -rows over the rows that are kept. */
static routh_status drives_follow(drives_task *k, rt_kkt *kkt, double *x, routh_error *error)
{
    rt_search *s = k->s;
    memset(x, 0, (size_t)s->m->n_u * sizeof *x);
    for (int r = 0; r < s->m->n_rows; r++) s->y[r] = -k->rows[r];
    return rt_kkt_solve(kkt, x, s->y, error);
}

/* ---- refusal -------------------------------------------------------------------------------- */

/* The row of a motion that this input drives (or, where own is false, that another does) among
 * the parts; the last one of the file. -1: none. */
static int driven_part(const drives_task *k, const bool *part, bool own, int *input)
{
    const routh_mechanism *m = k->s->m;
    int row = -1;
    for (int i = 0; i < m->n_driven; i++) {
        const rt_driven_row *d = &m->driven[i];
        if (!part[d->row] || (d->input == k->input) != own || d->row <= row) continue;
        row = d->row;
        if (input) *input = d->input;
    }
    return row;
}

static routh_status drives_say(const drives_task *k, int row, const bool *part, int level,
                               routh_error *error)
{
    const routh_mechanism *m = k->s->m;
    const char *input = m->model->inputs[k->input].name, *label, *unused;
    char element[192], other[192], others[512] = "";
    rt_place place, nowhere;
    int second = -1;
    const int own = driven_part(k, part, true, NULL);
    const int others_row = driven_part(k, part, false, &second);
    const int blamed = own >= 0 ? own : row;
    rt_row_describe(m, blamed, element, &place, &label);
    rt_list_rows(k->s, blamed, part, others, sizeof others);
    if (others_row >= 0) {
        rt_row_describe(m, others_row, other, &nowhere, &unused);
        return rt_fail_at(
            error, ROUTH_NOT_SUPPORTED, m->model->file, place, element,
            "input %.64s cannot change while input %.64s, which drives %.80s, does not: the %s "
            "that this joint requires (\"%s\") then contradict %s; let one input drive both, or "
            "remove one of the motions",
            input, m->model->inputs[second].name, other, LEVEL[level], label, others);
    }
    return rt_fail_at(error, ROUTH_NOT_SUPPORTED, m->model->file, place, element,
                      "input %.64s cannot change: the %s that this joint requires (\"%s\") then "
                      "contradict %s; remove this motion, or drive a coordinate that the other "
                      "joints leave free",
                      input, LEVEL[level], label, others[0] ? others : "the other joints");
}

static routh_status drives_refuse(drives_task *k, int row, int level, routh_error *error)
{
    routh_error unused;
    bool *part = RT_TAKE(&k->arena, bool, k->s->m->n_rows);
    if (!part) return rt_fail_memory(error);
    const routh_status status = rt_dependent_rows(k->s, row, part, &unused);
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(error);
    if (status) part[row] = true;
    return drives_say(k, row, part, level, error);
}

/* Of what moves and is accelerated, or would be by its weight. */
static double drives_rate(const rt_search *s)
{
    const rt_number *g = s->m->model->gravity;
    const double weight[3] = {g[0].value, g[1].value, g[2].value};
    double rate = sqrt(rt_v3_norm(weight) / s->m->length);
    for (int c = 0; c < s->m->n_u; c++) {
        const double size = s->unit[c] * s->m->length;
        rate = fmax(rate, fabs(s->state->u[c]) / size);
        rate = fmax(rate, sqrt(fabs(s->state->udot[c]) / size));
    }
    return rate;
}

/* Rows that were left out hold of themselves, to this part of the largest change of any row. At
 * rest rates do not change but for what rounding leaves of accelerations: that is no change. */
static routh_status drives_compare(drives_task *k, const int *step, int level, routh_error *error)
{
    static const double ALLOWED = 1e-6;
    const routh_mechanism *m = k->s->m;
    double largest = ALLOWED * k->moved * pow(k->rate, level);
    for (int r = 0; r < m->n_rows; r++)
        largest = fmax(largest, k->terms[r] / (k->size[r] > 0 ? k->size[r] : 1));
    for (int r = 0; r < m->n_rows; r++) {
        if (step[r] >= 0 || (level == 0 && m->nonholonomic[r])) continue;
        if (fabs(k->rows[r]) > ALLOWED * largest * (k->size[r] > 0 ? k->size[r] : 1))
            return drives_refuse(k, r, level, error);
    }
    return ROUTH_OK;
}

/* ---- the levels ----------------------------------------------------------------------------- */

static routh_status drives_positions(drives_task *k, routh_error *error)
{
    drives_clear(k);
    drives_add_drive(k, 0, 1);
    k->moved = 0;
    for (int r = 0; r < k->s->m->n_rows; r++)
        k->moved = fmax(k->moved, k->terms[r] / (k->size[r] > 0 ? k->size[r] : 1));
    const routh_status status = drives_follow(k, k->position, k->xi, error);
    if (status) return status;
    drives_add_product(k, k->s->w->G, k->xi);
    return drives_compare(k, k->position_step, 0, error);
}

/* du by in' */
static routh_status drives_rates(drives_task *k, routh_error *error)
{
    drives_clear(k);
    drives_add_drive(k, 0, 1);
    const routh_status status = drives_follow(k, k->velocity, k->du1, error);
    if (status) return status;
    drives_add_product(k, k->s->w->G, k->du1);
    return drives_compare(k, k->s->rank->row_step, 1, error);
}

/* du by in */
static routh_status drives_velocities(drives_task *k, routh_error *error)
{
    drives_clear(k);
    drives_add_product(k, k->s->w->Vx, k->xi);
    drives_add_drive(k, 1, 1);
    const routh_status status = drives_follow(k, k->velocity, k->du, error);
    if (status) return status;
    drives_add_product(k, k->s->w->G, k->du);
    return drives_compare(k, k->s->rank->row_step, 1, error);
}

/* u' by in (with xi), or by in' */
static routh_status drives_accelerations(drives_task *k, const double *xi, const double *du,
                                         routh_error *error)
{
    rt_search *s = k->s;
    drives_clear(k);
    drives_add_product(k, s->w->Au, du);
    if (xi) drives_add_product(k, s->w->Ax, xi);
    drives_add_drive(k, xi ? 2 : 1, xi ? 1 : 2);
    const routh_status status = drives_follow(k, k->velocity, s->z, error);
    if (status) return status;
    drives_add_product(k, s->w->G, s->z);
    return drives_compare(k, s->rank->row_step, 2, error);
}

/* ---- where it is done ----------------------------------------------------------------------- */

static routh_status drives_factor(drives_task *k, const int *step, rt_kkt **kkt, routh_error *error)
{
    rt_search *s = k->s;
    const rt_pattern *M = &s->m->pattern_M;
    s->w->evaluated = 0; /* M is another one from here */
    for (int c = 0; c < M->n_columns; c++)
        for (int p = M->start[c]; p < M->start[c + 1]; p++)
            s->w->M[p] = M->row[p] == c ? 1 / (s->unit[c] * s->unit[c]) : 0;
    const routh_status status = rt_kkt_create(kkt, s->m, M, step, error);
    return status ? status : rt_kkt_factor(*kkt, s->w->M, s->w->G, NULL, 0, error);
}

static routh_status drives_prepare(drives_task *k, const rt_state *state, routh_error *error)
{
    rt_search *s = k->s;
    const size_t n = (size_t)s->m->n_u, n_rows = (size_t)s->m->n_rows;
    const int what = RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN | RT_EVALUATE_LEVELS;
    k->size = RT_TAKE(&k->arena, double, 3 * n_rows);
    k->xi = RT_TAKE(&k->arena, double, 3 * n);
    if (!k->size || !k->xi) return rt_fail_memory(error);
    k->rows = k->size + n_rows, k->terms = k->rows + n_rows;
    k->du = k->xi + n, k->du1 = k->du + n;
    rt_state_copy(s->m, s->state, state);
    routh_status status = rt_evaluate(s->m, s->w, s->state, what, error);
    if (!status) status = rt_find_rank(s, error);
    if (status) return status;
    rt_row_sizes(s, k->size);
    k->rate = drives_rate(s);
    k->position_step = s->position_rank ? s->position_rank->row_step : s->rank->row_step;
    return ROUTH_OK;
}

/* In a singular configuration there is more than one way to follow: only the first level says
 * something of all of them. */
static routh_status drives_examine(drives_task *k, bool regular, routh_error *error)
{
    routh_status status = drives_factor(k, k->s->rank->row_step, &k->velocity, error);
    if (!status) status = drives_factor(k, k->position_step, &k->position, error);
    for (k->input = 0; k->input < k->s->m->model->n_inputs && !status; k->input++) {
        status = drives_positions(k, error);
        if (!status) status = drives_rates(k, error);
        if (!status && regular) status = drives_velocities(k, error);
        if (!status && regular) status = drives_accelerations(k, k->xi, k->du, error);
        if (!status && regular) status = drives_accelerations(k, NULL, k->du1, error);
    }
    return status;
}

static bool drives_any_left_out(const drives_task *k)
{
    const routh_mechanism *m = k->s->m;
    for (int r = 0; r < m->n_rows; r++)
        if (k->s->rank->row_step[r] < 0 || (!m->nonholonomic[r] && k->position_step[r] < 0))
            return true;
    return false;
}

routh_status rt_check_drives(const routh_mechanism *mechanism, const routh_operating_point *point,
                             routh_error *error)
{
    const bool two = mechanism->base && point->base_state;
    const routh_mechanism *m = two ? mechanism->base : mechanism;
    /* as many degrees of freedom as independent rows leave: none is left out */
    if (m->n_driven == 0 || point->degrees_of_freedom == m->n_u - m->n_rows) return ROUTH_OK;
    rt_search s;
    drives_task k = {.s = &s};
    routh_status status = rt_search_create(&s, m, point->tolerance, 1, error);
    if (!status) status = drives_prepare(&k, two ? point->base_state : point->state, error);
    if (!status && drives_any_left_out(&k))
        status = drives_examine(&k, point->degrees_nearby == point->degrees_of_freedom, error);
    rt_kkt_free(k.position);
    rt_kkt_free(k.velocity);
    rt_arena_free(&k.arena);
    rt_state_free(s.state);
    rt_search_release(&s);
    return status;
}
