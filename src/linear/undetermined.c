/* Joint forces that redundant constraints leave open. A dependent row of G is a sum of independent
 * ones,
 *     G_r = c' G_kept,     P' [c; 0] = G_r',
 * and lambda may change along nu = e_r - c without a change of any motion. A sensor that such a
 * change moves has no value of its own: it is refused where it acts on the motion, and an output is
 * told. */
#include <math.h>

#include "linear/holder.h"
#include "linear/whole.h"

typedef struct open_forces {
    const rt_method_task *task;
    rt_manifold P;
    double *nu;   /* n_rows */
    double *c;    /* n */
    double *norm; /* n_rows: of the rows of G in typical lengths */
} open_forces;

static void find_norms(const rt_search *s, double *norm)
{
    const rt_pattern *G = &s->m->pattern_G;
    for (int c = 0; c < s->m->n_u; c++)
        for (int e = G->start[c]; e < G->start[c + 1]; e++)
            norm[G->row[e]] = hypot(norm[G->row[e]], s->w->G[e] * s->unit[c]);
}

static void row_of(const routh_mechanism *m, const rt_workspace *w, int row, double *x)
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
    row_of(s->m, s->w, row, o->c);
    const routh_status status = rt_factor_solve_transposed(o->P.factor, o->c, error);
    for (int r = 0; r < s->m->n_rows; r++)
        o->nu[r] = o->P.slot[r] >= 0 ? -o->c[o->P.slot[r]] : r == row;
    return status;
}

/* Does the sensor change with nu of the row by more than rounding? That is of the size of a nu_k
 * with which row k alone would hold what the row holds. */
static bool is_open(const open_forces *o, const rt_sensor_row *sensor, int row)
{
    double sum = 0, size = 0;
    for (int k = 0; k < sensor->n_lambda; k++) {
        const int r = sensor->lambda[k];
        sum += sensor->by_lambda[k] * o->nu[r];
        if (o->norm[r] > 0) size += fabs(sensor->by_lambda[k]) * o->norm[row] / o->norm[r];
    }
    return fabs(sum) > 1e-9 * size;
}

static routh_status refuse(const routh_mechanism *m, rt_sensor_kind kind, int k, int row,
                           routh_error *error)
{
    char element[192], joint[192];
    rt_place place, unused;
    const char *label;
    rt_sensor_describe(m, kind, k, element, &place);
    rt_row_describe(m, row, joint, &unused, &label);
    return rt_fail_at(error, ROUTH_SINGULAR, m->model->file, place, element,
                      "it uses a joint force that redundant constraints leave undetermined: %s "
                      "(%s) repeats what others hold; replace a joint by one that holds less",
                      joint, label);
}

static routh_status examine(open_forces *o, rt_linear_holder *h, const rt_sensor_row *outputs,
                            int row, bool *told, routh_error *error)
{
    const routh_mechanism *m = o->task->search->m;
    char joint[192];
    rt_place unused;
    const char *label;
    routh_status status = find_nu(o, row, error);
    for (int k = 0; k < rt_sensor_count(m, RT_SENSOR_STATE) && !status; k++)
        if (is_open(o, &o->task->equations[k], row))
            status = refuse(m, RT_SENSOR_STATE, k, row, error);
    for (int k = 0; k < rt_sensor_count(m, RT_SENSOR_VARIABLE) && !status; k++)
        if (is_open(o, &o->task->variables[k], row))
            status = refuse(m, RT_SENSOR_VARIABLE, k, row, error);
    rt_row_describe(m, row, joint, &unused, &label);
    for (int k = 0; k < h->linear.n_outputs && !status; k++) {
        if (told[k] || !is_open(o, &outputs[k], row)) continue;
        told[k] = true;
        status = rt_linear_warn(h, error,
                                "output %s uses a joint force that redundant constraints leave "
                                "undetermined: %s (%s) repeats what others hold, and its share of "
                                "the force was taken as constant",
                                h->linear.outputs[k].name, joint, label);
    }
    return status;
}

routh_status rt_linear_find_undetermined(rt_linear_holder *h, const rt_method_task *task,
                                         rt_arena *arena, routh_error *error)
{
    const rt_search *s = task->search;
    open_forces o = {.task = task};
    rt_sensor_row *outputs;
    if (s->rank->rank == s->m->n_rows || !rt_uses_joint_forces(s->m)) return ROUTH_OK;
    bool *told = RT_TAKE(arena, bool, h->linear.n_outputs);
    o.nu = RT_TAKE(arena, double, s->m->n_rows);
    o.c = RT_TAKE(arena, double, s->m->n_u);
    o.norm = RT_TAKE(arena, double, s->m->n_rows);
    if (!told || !o.nu || !o.c || !o.norm) return rt_fail_memory(error);
    find_norms(s, o.norm);
    routh_status status = rt_sensor_rows(s->m, RT_SENSOR_OUTPUT, &outputs, arena, error);
    for (int k = 0; k < h->linear.n_outputs && !status; k++)
        status =
            rt_sensor_evaluate(s->m, s->w, s->state, RT_SENSOR_OUTPUT, k, true, &outputs[k], error);
    if (status) return status;
    status = rt_manifold_create(&o.P, task, RT_MANIFOLD_VELOCITY, arena, error);
    if (!status) status = rt_manifold_factor(&o.P, task, error);
    for (int r = 0; r < s->m->n_rows && !status; r++)
        if (s->rank->row_step[r] < 0) status = examine(&o, h, outputs, r, told, error);
    rt_manifold_release(&o.P);
    return status;
}
