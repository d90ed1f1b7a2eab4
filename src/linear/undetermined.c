/* Joint forces that redundant constraints leave open. A dependent row of G is a sum of independent
 * ones,
 *     G_r = c' G_kept,     P' [c; 0] = G_r',
 * and lambda may change along nu = e_r - c without a change of any motion. A sensor that such a
 * change moves, itself or its partials, has no value of its own: it is refused where it acts on the
 * motion, as is a load that such a change moves; an output is told. */
#include <math.h>
#include <stdio.h>

#include "linear/holder.h"
#include "methods/whole.h"

enum { LOAD = RT_SENSOR_N_KINDS, N_KINDS };

/* A sensor, or a load. */
typedef struct undetermined_element {
    int kind, k;
} undetermined_element;

typedef struct open_forces {
    const rt_method_task *task;
    rt_manifold P;
    rt_sensor_row *rows[N_KINDS]; /* of the sensors; for loads there are none */
    double *nu, *kept;            /* n_rows */
    double *c;                    /* n */
    double *norm;                 /* n_rows: sizes of the rows of G */
    double force;                 /* a typical one */
} open_forces;

static double undetermined_typical_force(const rt_search *s, const double *size)
{
    double force = rt_largest_force(s);
    for (int r = 0; r < s->m->n_rows; r++) force = fmax(force, fabs(s->state->lambda[r]) * size[r]);
    return force > 0 ? force : 1;
}

static void undetermined_row_of(const routh_mechanism *m, const rt_workspace *w, int row, double *x)
{
    const rt_pattern *G = &m->pattern_G;
    memset(x, 0, (size_t)m->n_u * sizeof *x);
    for (int c = 0; c < m->n_u; c++)
        for (int e = G->start[c]; e < G->start[c + 1]; e++)
            if (G->row[e] == row) x[c] = w->G[e];
}

static routh_status find_nu(open_forces *o, int row, routh_error *error)
{
    const rt_search *s = o->task->search;
    undetermined_row_of(s->m, s->w, row, o->c);
    const routh_status status = rt_factor_solve_transposed(o->P.factor, o->c, 1, NULL, error);
    for (int r = 0; r < s->m->n_rows; r++)
        o->nu[r] = o->P.slot[r] >= 0 ? -o->c[o->P.slot[r]] : r == row;
    return status;
}

/* ---- what changes --------------------------------------------------------------------------- */

static bool undetermined_uses(const open_forces *o, const undetermined_element *e, int row)
{
    const rt_sensor_row *sensor = &o->rows[e->kind][e->k];
    if (e->kind == LOAD) return rt_load_uses_force(o->task->search->m, e->k, row);
    for (int k = 0; k < sensor->n_lambda; k++)
        if (sensor->lambda[k] == row) return true;
    return false;
}

static size_t count_numbers(const open_forces *o, const undetermined_element *e)
{
    const rt_sensor_row *row = &o->rows[e->kind][e->k];
    if (e->kind == LOAD) return rt_load_numbers(o->task->search->m, e->k);
    return 1 + 3 * (size_t)row->n_columns + (size_t)row->n_lambda + (size_t)row->n_signals;
}

/* All numbers of the element, with its partials, where lambda_r is moved by `by`, or all of lambda
 * by so much of nu (r = -1). */
static routh_status read_moved(open_forces *o, const undetermined_element *e, int r, double by,
                               double *out, routh_error *error)
{
    const rt_search *s = o->task->search;
    double *lambda = s->state->lambda;
    routh_status status = ROUTH_OK;
    memcpy(o->kept, lambda, (size_t)s->m->n_rows * sizeof *lambda);
    for (int i = 0; i < s->m->n_rows; i++) lambda[i] += by * (r < 0 ? o->nu[i] : i == r);
    if (e->kind == LOAD) {
        rt_load_read(s->m, s->w, s->state, e->k, out);
    } else {
        rt_sensor_row *row = &o->rows[e->kind][e->k];
        status = rt_sensor_evaluate(s->m, s->w, s->state, (rt_sensor_kind)e->kind, e->k, true, row,
                                    error);
        const size_t n = 3 * (size_t)row->n_columns, n_lambda = (size_t)row->n_lambda;
        out[0] = row->value;
        memcpy(out + 1, row->by_x, n * sizeof *out);
        memcpy(out + 1 + n, row->by_lambda, n_lambda * sizeof *out);
        memcpy(out + 1 + n + n_lambda, row->by_signal, (size_t)row->n_signals * sizeof *out);
    }
    memcpy(lambda, o->kept, (size_t)s->m->n_rows * sizeof *lambda);
    return status;
}

/* Does a number of the element change with nu of the row by more than rounding? That is of the size
 * of the changes with each lambda_r by itself, where row r alone would hold what the row holds. */
static routh_status undetermined_is_open(open_forces *o, const undetermined_element *e, int row,
                                         bool *open, routh_error *error)
{
    const rt_search *s = o->task->search;
    const size_t n = count_numbers(o, e);
    rt_arena arena = {.kept = s->m->analyses};
    double *now = RT_TAKE(&arena, double, 4 * n), *moved = now + n, *change = moved + n,
           *size = change + n;
    routh_status status = now ? read_moved(o, e, 0, 0, now, error) : rt_fail_memory(error);
    if (!status) status = read_moved(o, e, -1, o->force / o->norm[row], change, error);
    for (int r = 0; r < s->m->n_rows && !status; r++) {
        if (!undetermined_uses(o, e, r) || o->norm[r] == 0) continue;
        status = read_moved(o, e, r, o->force / o->norm[r], moved, error);
        for (size_t i = 0; i < n; i++) size[i] += fabs(moved[i] - now[i]);
    }
    *open = false;
    for (size_t i = 0; i < n && !status; i++)
        *open = *open || fabs(change[i] - now[i]) > 1e-9 * size[i];
    rt_arena_free(&arena);
    return status;
}

/* ---- who is told ---------------------------------------------------------------------------- */

static routh_status undetermined_refuse(const open_forces *o, const undetermined_element *e,
                                        int row, routh_error *error)
{
    const routh_mechanism *m = o->task->search->m;
    char name[192], joint[192];
    rt_place place, unused;
    const char *label;
    if (e->kind == LOAD) {
        snprintf(name, sizeof name, "load %s", m->model->loads[e->k].name);
        place = m->model->loads[e->k].place;
    } else {
        rt_sensor_describe(m, (rt_sensor_kind)e->kind, e->k, name, &place);
    }
    rt_row_describe(m, row, joint, &unused, &label);
    return rt_fail_at(error, ROUTH_SINGULAR, m->model->file, place, name,
                      "it uses a joint force that redundant constraints leave undetermined: the "
                      "equation of %s (%s) follows from others; replace a joint by one with fewer "
                      "constraints",
                      joint, label);
}

static routh_status undetermined_tell(rt_linear_holder *h, const routh_mechanism *m, int output,
                                      int row, routh_error *error)
{
    char joint[192];
    rt_place unused;
    const char *label;
    rt_row_describe(m, row, joint, &unused, &label);
    return rt_linear_warn(h, error,
                          "output %s uses a joint force that redundant constraints leave "
                          "undetermined: the equation of %s (%s) follows from others, and its part "
                          "of the force was taken as constant; replace a joint by one with fewer "
                          "constraints",
                          h->linear.outputs[output].name, joint, label);
}

static int undetermined_count_of(const routh_mechanism *m, int kind)
{
    return kind == LOAD ? m->model->n_loads : rt_sensor_count(m, (rt_sensor_kind)kind);
}

/* Is a joint force among what it uses? */
static bool uses_any(const open_forces *o, const undetermined_element *e)
{
    for (int r = 0; r < o->task->search->m->n_rows; r++)
        if (undetermined_uses(o, e, r)) return true;
    return false;
}

/* Kinks and events have no part in the linear model. */
static bool undetermined_is_apart(int kind) { return kind >= RT_SENSOR_KINK && kind != LOAD; }

static routh_status undetermined_examine(open_forces *o, rt_linear_holder *h, int row, bool *told,
                                         routh_error *error)
{
    const routh_mechanism *m = o->task->search->m;
    routh_status status = find_nu(o, row, error);
    for (undetermined_element e = {0, 0}; e.kind < N_KINDS && !status; e.kind++)
        for (e.k = 0; e.k < undetermined_count_of(m, e.kind) && !status; e.k++) {
            bool open = false;
            if (undetermined_is_apart(e.kind) || (e.kind == RT_SENSOR_OUTPUT && told[e.k]))
                continue;
            if (uses_any(o, &e)) status = undetermined_is_open(o, &e, row, &open, error);
            if (!open || status) continue;
            if (e.kind != RT_SENSOR_OUTPUT) return undetermined_refuse(o, &e, row, error);
            told[e.k] = true;
            status = undetermined_tell(h, m, e.k, row, error);
        }
    return status;
}

static routh_status undetermined_take(open_forces *o, const routh_mechanism *m, rt_arena *arena,
                                      routh_error *error)
{
    o->nu = RT_TAKE(arena, double, m->n_rows);
    o->kept = RT_TAKE(arena, double, m->n_rows);
    o->norm = RT_TAKE(arena, double, m->n_rows);
    o->c = RT_TAKE(arena, double, m->n_u);
    o->rows[LOAD] = RT_TAKE(arena, rt_sensor_row, m->model->n_loads);
    if (!o->nu || !o->kept || !o->norm || !o->c || !o->rows[LOAD]) return rt_fail_memory(error);
    routh_status status = ROUTH_OK;
    for (int kind = 0; kind < RT_SENSOR_N_KINDS && !status; kind++)
        status = rt_sensor_rows(m, (rt_sensor_kind)kind, &o->rows[kind], arena, error);
    return status;
}

routh_status rt_linear_find_undetermined(rt_linear_holder *h, const rt_method_task *task,
                                         rt_arena *arena, routh_error *error)
{
    const rt_search *s = task->search;
    open_forces o = {.task = task};
    if (s->rank->rank == s->m->n_rows || !rt_uses_joint_forces(s->m)) return ROUTH_OK;
    bool *told = RT_TAKE(arena, bool, h->linear.n_outputs);
    routh_status status = told ? undetermined_take(&o, s->m, arena, error) : rt_fail_memory(error);
    if (status) return status;
    rt_row_sizes(s, o.norm);
    o.force = undetermined_typical_force(s, o.norm);
    status = rt_manifold_create(&o.P, task, RT_MANIFOLD_VELOCITY, arena, error);
    if (!status) status = rt_manifold_factor(&o.P, task, error);
    for (int r = 0; r < s->m->n_rows && !status; r++)
        if (s->rank->row_step[r] < 0) status = undetermined_examine(&o, h, r, told, error);
    rt_manifold_release(&o.P);
    return status;
}
