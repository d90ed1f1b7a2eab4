/* The loop through controllers and variables, closed by a small dense system. */
#include <math.h>
#include <stdio.h>

#include "base/lapack.h"
#include "methods/whole.h"

static const rt_sensor_row *closure_equation(const rt_method_task *task, int n_x, int i)
{
    return i < n_x ? &task->equations[i] : &task->variables[i - n_x];
}

/* to += sum_j by[j] x open column (first + j) */
static void closure_add_columns(const double *from, size_t n, int first, const double *by,
                                int count, double *to)
{
    for (int j = 0; j < count; j++) {
        const double *x = from + n * (size_t)(first + j);
        for (size_t i = 0; i < n && by[j] != 0; i++) to[i] += by[j] * x[i];
    }
}

static void closure_combine(const rt_response *open, rt_response *closed, int first,
                            const double *loop, int order, int column)
{
    const size_t n = (size_t)open->n, m = (size_t)open->n_rows, c = (size_t)column;
    memcpy(closed->xi + n * c, open->xi + n * c, n * sizeof(double));
    memcpy(closed->u + n * c, open->u + n * c, n * sizeof(double));
    memcpy(closed->udot + n * c, open->udot + n * c, n * sizeof(double));
    memcpy(closed->lambda + m * c, open->lambda + m * c, m * sizeof(double));
    closure_add_columns(open->udot, n, first, loop, order, closed->udot + n * c);
    closure_add_columns(open->lambda, m, first, loop, order, closed->lambda + m * c);
    for (int k = 0; k < open->n_x; k++) closed->rate[(size_t)open->n_x * c + k] = loop[k];
    for (int k = 0; k < open->n_v; k++)
        closed->variable[(size_t)open->n_v * c + k] = loop[open->n_x + k];
}

routh_status rt_fail_loop(const rt_method_task *task, const double *null, routh_error *error)
{
    const routh_mechanism *m = task->search->m;
    const int n_x = m->model->n_control_states, order = n_x + m->model->n_variables;
    char names[512] = "", element[192];
    double largest = 0;
    int first = -1;
    for (int i = 0; i < order; i++) largest = fmax(largest, fabs(null[i]));
    for (int i = 0, listed = 0; i < order && listed < 4; i++) {
        if (fabs(null[i]) < 0.1 * largest) continue;
        const char *name =
            i < n_x ? m->model->control_states[i].name : m->model->variables[i - n_x].name;
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", listed++ ? ", " : "", name);
        if (first < 0) first = i;
    }
    rt_place place = {0};
    if (first < 0) return rt_fail(error, ROUTH_SINGULAR, "an algebraic loop has no solution");
    rt_sensor_describe(m, first < n_x ? RT_SENSOR_STATE : RT_SENSOR_VARIABLE,
                       first < n_x ? first : first - n_x, element, &place);
    return rt_fail_at(error, ROUTH_SINGULAR, m->model->file, place, element,
                      "an algebraic loop has no solution: %s depend on each other, and their "
                      "equations do not determine them; change a gain of the loop, or add a lag (a "
                      "controller of type differential)",
                      names);
}

/* ---- is it solvable? ------------------------------------------------------------------------ */

typedef struct closure_loop {
    int order;
    double *J, *LU;         /* column-major */
    double *size;           /* of the terms that J's entries are sums of */
    double *row, *column;   /* scales: row size column has no row and no column above 1 */
    double *e, *sigma, *vt; /* vt: order x order */
    int *pivots;
} closure_loop;

static bool take_loop(closure_loop *l, int order, rt_arena *arena)
{
    const size_t n = (size_t)order;
    l->order = order;
    l->J = RT_TAKE(arena, double, 4 * n * n + 4 * n);
    l->pivots = RT_TAKE(arena, int, n);
    if (!l->J || !l->pivots) return false;
    l->LU = l->J + n * n, l->size = l->LU + n * n, l->vt = l->size + n * n;
    l->row = l->vt + n * n, l->column = l->row + n, l->e = l->column + n, l->sigma = l->e + n;
    return true;
}

static double explicit_part(const rt_sensor_row *row, int place)
{
    for (int k = 0; k < row->n_signals; k++)
        if (row->signals[k] == place) return row->by_signal[k];
    return 0;
}

static void fill_loop(closure_loop *l, const rt_response *open, const rt_cause *causes, int first,
                      const rt_method_task *task)
{
    for (int j = 0; j < l->order; j++)
        for (int i = 0; i < l->order; i++) {
            const rt_sensor_row *row = closure_equation(task, open->n_x, i);
            const size_t at = (size_t)i + (size_t)l->order * (size_t)j;
            const double all =
                rt_sensor_change(row, open, &causes[first + j], first + j, task, false);
            const double own = explicit_part(row, causes[first + j].k);
            l->J[at] = all;
            l->size[at] = fabs(own) + fabs(all - own);
        }
}

/* Rows and columns brought to the same largest size, so that no unit matters. */
static void closure_equilibrate(closure_loop *l)
{
    const int n = l->order;
    for (int i = 0; i < n; i++) l->row[i] = l->column[i] = 1;
    for (int pass = 0; pass < 10; pass++)
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < n; i++) {
                double largest = 0;
                for (int j = 0; j < n; j++) {
                    const int r = side ? j : i, c = side ? i : j;
                    largest = fmax(largest, l->row[r] * l->column[c] *
                                                l->size[(size_t)r + (size_t)n * (size_t)c]);
                }
                if (largest > 0) (side ? l->column : l->row)[i] /= largest;
            }
}

/* The loop is singular where a combination of its equations cancels to rounding; the singular
 * vector tells who is in it. */
static routh_status factor_loop(closure_loop *l, const rt_method_task *task, routh_error *error)
{
    const int n = l->order;
    closure_equilibrate(l);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const size_t at = (size_t)i + (size_t)n * (size_t)j;
            l->LU[at] = l->row[i] * l->J[at] * l->column[j];
        }
    routh_status status =
        rt_svd_kept(n, n, l->LU, l->sigma, NULL, l->vt, task->search->m->analyses, error);
    if (status) return status;
    if (!(l->sigma[n - 1] > 1e-13 * n)) {
        for (int j = 0; j < n; j++) l->e[j] = l->vt[(size_t)(n - 1) + (size_t)n * (size_t)j];
        return rt_fail_loop(task, l->e, error);
    }
    memcpy(l->LU, l->J, (size_t)n * (size_t)n * sizeof *l->J);
    return rt_lu_factor(n, l->LU, l->pivots, error);
}

routh_status rt_close_loop(const rt_response *open, const rt_cause *causes,
                           const rt_method_task *task, rt_response *closed, rt_arena *arena,
                           routh_error *error)
{
    const int order = open->n_x + open->n_v, first = open->n_columns - order;
    rt_cause *unused;
    closure_loop l;
    routh_status status = rt_response_take(closed, task, false, &unused, arena, error);
    if (status) return status;
    if (!take_loop(&l, order, arena)) return rt_fail_memory(error);
    if (order) {
        fill_loop(&l, open, causes, first, task);
        status = factor_loop(&l, task, error);
    }
    for (int c = 0; c < closed->n_columns && !status; c++) {
        for (int i = 0; i < order; i++)
            l.e[i] = -rt_sensor_change(closure_equation(task, open->n_x, i), open, &causes[c], c,
                                       task, false);
        if (order) status = rt_lu_solve(order, l.LU, l.pivots, 1, l.e, 0, error);
        if (!status) closure_combine(open, closed, first, l.e, order, c);
    }
    return status;
}
