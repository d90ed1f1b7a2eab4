/* Of all multipliers that balance the mechanism, those of the smallest joint forces.
 *
 * Where rows are redundant, lambda is not unique. What is made least is a sum over joints,
 *     sum |F|^2 + |T|^2 / L^2,
 * F and T the force and torque of the joint on each of its markers, averaged over those that are
 * on bodies, L the typical length. So the choice depends on the mechanism alone: not on its
 * coordinates (rows that these bring count nothing), on how a joint is made of rows, on units. */
#include <stdlib.h>

#include "operating/operating.h"
#include "system/joined.h"

/* ---- the metric ----------------------------------------------------------------------------- */

/* a' S b / n over the n markers on bodies, S = diag(1, 1, 1, 1/L^2, 1/L^2, 1/L^2) */
static double multipliers_product(const routh_mechanism *m, const rt_gradient *a,
                                  const rt_gradient *b)
{
    const double turn = 1 / (m->length * m->length);
    double sum = 0;
    for (int k = 0; k < a->n; k++) {
        if (m->marker_body[a->frame[k]] < 0) continue;
        for (int l = 0; l < b->n; l++) {
            if (b->frame[l] != a->frame[k]) continue;
            for (int i = 0; i < 6; i++) sum += (i < 3 ? 1 : turn) * a->p[0][k][i] * b->p[0][l][i];
        }
    }
    return sum;
}

static int count_body_markers(const routh_mechanism *m, const rt_constraint *c)
{
    int n = 0;
    for (int k = 0; k < c->n_frames; k++) n += m->marker_body[c->frames[k]] >= 0;
    return n > 0 ? n : 1;
}

size_t rt_force_metric_size(const routh_mechanism *m)
{
    size_t size = 0;
    for (int c = 0; c < m->n_constraints; c++) {
        const size_t n = (size_t)m->constraints[c].constraint.n_rows;
        size += n * n;
    }
    return size;
}

void rt_force_metric(const rt_search *s, rt_gradient *rows, int *row, int *column, double *entry)
{
    const routh_mechanism *m = s->m;
    const rt_workspace *w = s->w->joined ? s->w->joined->inner : s->w;
    const rt_program_input in = rt_input_at(m, w, s->state, w->program[0]);
    size_t e = 0;
    for (int k = 0; k < m->n_constraints; k++) {
        const rt_constraint *c = &m->constraints[k].constraint;
        const int n_markers = count_body_markers(m, c);
        double value[3];
        for (int i = 0; i < c->n_rows; i++) rt_row_evaluate(&c->rows[i], &in, value, &rows[i]);
        for (int i = 0; i < c->n_rows; i++)
            for (int j = 0; j < c->n_rows; j++) {
                row[e] = c->first_row + i, column[e] = c->first_row + j;
                entry[e++] = multipliers_product(m, &rows[i], &rows[j]) / n_markers;
            }
    }
}

int rt_most_rows(const routh_mechanism *m)
{
    int most = 1;
    for (int c = 0; c < m->n_constraints; c++)
        if (m->constraints[c].constraint.n_rows > most) most = m->constraints[c].constraint.n_rows;
    return most;
}

/* ---- the smallest --------------------------------------------------------------------------- */

typedef struct system_of_equations {
    int *row, *column, *position;
    double *entry, *b;
    size_t n;
} system_of_equations;

static void multipliers_add(system_of_equations *t, int row, int column, double value)
{
    t->row[t->n] = row;
    t->column[t->n] = column;
    t->entry[t->n++] = value;
}

/* Rows without a gradient, and combinations of rows of one joint that make no force, stay
 * solvable. */
static void add_diagonal(system_of_equations *t, size_t n_metric, int n_joint_rows)
{
    static const double little = 1e-11;
    for (size_t k = 0; k < n_metric; k++) {
        if (t->row[k] != t->column[k] || t->row[k] >= n_joint_rows) continue;
        multipliers_add(t, t->row[k], t->row[k], t->entry[k] > 0 ? little * t->entry[k] : 1);
    }
}

/* [W G_c; G_c' 0] [lambda; y] = [0; G_c' lambda_0], c the columns that are pivots */
static void list_equations(const rt_search *s, rt_gradient *rows, system_of_equations *t)
{
    const routh_mechanism *m = s->m;
    const rt_pattern *G = &m->pattern_G;
    rt_force_metric(s, rows, t->row, t->column, t->entry);
    t->n = rt_force_metric_size(m);
    add_diagonal(t, t->n, m->n_joint_rows);
    for (int k = 0; k < s->rank->rank; k++) {
        const int c = s->rank->pivot_column[k];
        for (int p = G->start[c]; p < G->start[c + 1]; p++) {
            const int r = G->row[p];
            multipliers_add(t, r, m->n_rows + k, s->w->G[p]);
            multipliers_add(t, m->n_rows + k, r, s->w->G[p]);
            t->b[m->n_rows + k] += s->w->G[p] * s->state->lambda[r];
        }
    }
}

static size_t multipliers_count_entries(const rt_search *s)
{
    const rt_pattern *G = &s->m->pattern_G;
    size_t n = rt_force_metric_size(s->m) + (size_t)s->m->n_rows;
    for (int k = 0; k < s->rank->rank; k++) {
        const int c = s->rank->pivot_column[k];
        n += 2 * (size_t)(G->start[c + 1] - G->start[c]);
    }
    return n;
}

static routh_status multipliers_solve(const rt_search *s, rt_arena *arena, routh_error *error)
{
    const int m_rows = s->m->n_rows, size = m_rows + s->rank->rank;
    const size_t room = multipliers_count_entries(s);
    system_of_equations t = {.row = RT_TAKE(arena, int, room),
                             .column = RT_TAKE(arena, int, room),
                             .position = RT_TAKE(arena, int, room),
                             .entry = RT_TAKE(arena, double, room),
                             .b = RT_TAKE(arena, double, size)};
    rt_gradient *rows = RT_TAKE(arena, rt_gradient, rt_most_rows(s->m));
    if (!t.row || !t.column || !t.position || !t.entry || !t.b || !rows)
        return rt_fail_memory(error);
    list_equations(s, rows, &t);
    rt_pattern pattern;
    routh_status status = rt_pattern_build_kept(&pattern, size, size, t.n, t.row, t.column,
                                                t.position, arena, s->m->analyses, error);
    if (status) return status;
    double *values = RT_TAKE(arena, double, pattern.start[size]);
    if (!values) return rt_fail_memory(error);
    for (size_t k = 0; k < t.n; k++) values[t.position[k]] += t.entry[k];
    rt_factor *factor = NULL;
    status = rt_factor_create_kept(&factor, &pattern, RT_ORDER_AMD, s->m->analyses, error);
    if (!status) status = rt_factor_numeric(factor, values, error);
    if (!status) status = rt_factor_solve(factor, t.b, 1, NULL, error);
    if (!status) memcpy(s->state->lambda, t.b, (size_t)m_rows * sizeof *t.b);
    rt_factor_free(factor);
    return status;
}

routh_status rt_smallest_multipliers(rt_search *s, routh_error *error)
{
    /* reactions in use stay; so do all where the rank is so doubtful that there is no answer */
    if (s->rank->rank == s->m->n_rows || s->m->pattern_L.start[s->m->n_rows] ||
        rt_signals_use_forces(s))
        return ROUTH_OK;
    rt_arena arena = {.kept = s->m->analyses};
    routh_error unused;
    const routh_status status = multipliers_solve(s, &arena, &unused);
    rt_arena_free(&arena);
    if (status == ROUTH_SINGULAR) return ROUTH_OK;
    return status ? rt_fail(error, status, "%s", unused.message) : ROUTH_OK;
}
