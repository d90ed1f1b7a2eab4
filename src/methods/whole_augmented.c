/* The augmented method for the whole system (Negrut and Ortiz 2006, Table 1, with ERRATA): one
 * sparse matrix of accelerations, multipliers, rates of controllers and variables,
 *     [M    G'+L  R_x'  R_v ] [u'    ]     [D u + K xi + R_X X + R_in in   ]
 *     [G                    ] [lambda] = - [A_u u + A_x xi + ...           ]
 *     [d_a  d_l   d_x'  d_v ] [X'    ]     [d_u u + d_x xi + d_X X + d_in in]
 *     [v_a  v_l   v_x'  v_v ] [V     ]     [the same of the variables      ]
 * after the two manifolds have given xi and u for every cause. */

#include "base/kept_memory.h"
#include "base/parallel_solve.h"
#include "methods/whole.h"

typedef struct whole_augmented_entries {
    int *row, *column;
    double *value;
    size_t n;
} whole_augmented_entries;

typedef struct whole_augmented_bordered {
    const rt_method_task *task;
    const rt_manifold *P; /* velocity level: its slots number the rows of G */
    int n, m, n_x, n_v, order;
    whole_augmented_entries e;
    rt_pattern pattern;
    double *values;
    rt_factor *factor;
} whole_augmented_bordered;

static void whole_augmented_add(whole_augmented_entries *e, int row, int column, double value)
{
    e->row[e->n] = row;
    e->column[e->n] = column;
    e->value[e->n++] = value;
}

/* Column of u', lambda .. for a place among the signals; -1 of states and inputs, which are
 * given. */
static int whole_augmented_signal_column(const whole_augmented_bordered *b, int place)
{
    if (place < b->n_x || place >= 2 * b->n_x + b->n_v) return -1;
    return b->n + b->m + place - b->n_x;
}

static void whole_augmented_add_motion(whole_augmented_bordered *b)
{
    const routh_mechanism *m = b->task->search->m;
    const rt_workspace *w = b->task->search->w;
    for (int c = 0; c < b->n; c++) {
        for (int p = m->pattern_M.start[c]; p < m->pattern_M.start[c + 1]; p++)
            whole_augmented_add(&b->e, m->pattern_M.row[p], c, w->M[p]);
        for (int p = m->pattern_G.start[c]; p < m->pattern_G.start[c + 1]; p++) {
            const int slot = b->P->slot[m->pattern_G.row[p]];
            if (slot < 0) continue;
            whole_augmented_add(&b->e, b->n + slot, c, w->G[p]);
            whole_augmented_add(&b->e, c, b->n + slot, w->G[p]);
        }
    }
    for (int r = 0; r < m->n_rows; r++)
        for (int p = m->pattern_L.start[r]; p < m->pattern_L.start[r + 1]; p++)
            if (b->P->slot[r] >= 0)
                whole_augmented_add(&b->e, m->pattern_L.row[p], b->n + b->P->slot[r], w->L[p]);
    for (int k = 0; k < m->n_signals; k++)
        for (int p = m->pattern_R.start[k]; p < m->pattern_R.start[k + 1]; p++)
            if (whole_augmented_signal_column(b, k) >= 0)
                whole_augmented_add(&b->e, m->pattern_R.row[p], whole_augmented_signal_column(b, k),
                                    w->L[p]);
}

static void add_equation(whole_augmented_bordered *b, int at, const rt_sensor_row *row)
{
    for (int k = 0; k < row->n_columns; k++)
        whole_augmented_add(&b->e, at, row->columns[k], row->by_a[k]);
    for (int k = 0; k < row->n_lambda; k++)
        if (b->P->slot[row->lambda[k]] >= 0)
            whole_augmented_add(&b->e, at, b->n + b->P->slot[row->lambda[k]], row->by_lambda[k]);
    for (int k = 0; k < row->n_signals; k++)
        if (whole_augmented_signal_column(b, row->signals[k]) >= 0)
            whole_augmented_add(&b->e, at, whole_augmented_signal_column(b, row->signals[k]),
                                row->by_signal[k]);
}

static size_t whole_augmented_count_entries(const whole_augmented_bordered *b)
{
    const routh_mechanism *m = b->task->search->m;
    size_t count = (size_t)m->pattern_M.start[b->n] + 2 * (size_t)m->pattern_G.start[b->n] +
                   (size_t)rt_count_L(m);
    for (int i = 0; i < b->n_x + b->n_v; i++) {
        const rt_sensor_row *row =
            i < b->n_x ? &b->task->equations[i] : &b->task->variables[i - b->n_x];
        count += (size_t)(row->n_columns + row->n_lambda + row->n_signals);
    }
    return count;
}

static routh_status whole_augmented_assemble(whole_augmented_bordered *b, rt_arena *arena,
                                             routh_error *error)
{
    const size_t room = whole_augmented_count_entries(b);
    b->e.row = RT_TAKE(arena, int, room);
    b->e.column = RT_TAKE(arena, int, room);
    b->e.value = RT_TAKE(arena, double, room);
    int *position = RT_TAKE(arena, int, room);
    if (!b->e.row || !b->e.column || !b->e.value || !position) return rt_fail_memory(error);
    whole_augmented_add_motion(b);
    for (int i = 0; i < b->n_x; i++) add_equation(b, b->n + b->m + i, &b->task->equations[i]);
    for (int i = 0; i < b->n_v; i++)
        add_equation(b, b->n + b->m + b->n_x + i, &b->task->variables[i]);
    routh_status status =
        rt_pattern_build_kept(&b->pattern, b->order, b->order, b->e.n, b->e.row, b->e.column,
                              position, arena, b->task->search->m->analyses, error);
    if (status) return status;
    b->values = RT_TAKE(arena, double, b->pattern.start[b->order]);
    if (!b->values) return rt_fail_memory(error);
    for (size_t k = 0; k < b->e.n; k++) b->values[position[k]] += b->e.value[k];
    status = rt_factor_create_kept(&b->factor, &b->pattern, RT_ORDER_COLAMD_LARGEST,
                                   b->task->search->m->analyses, error);
    return status ? status : rt_factor_numeric(b->factor, b->values, error);
}

static void right_hand_side(const whole_augmented_bordered *b, const rt_response *r,
                            const rt_cause *cause, int column, double *y)
{
    rt_response_forces(r, cause, column, b->task, y);
    rt_response_rows(r, cause, column, b->task, b->P, y + b->n);
    for (int i = 0; i < b->n_x; i++)
        y[b->n + b->m + i] =
            -rt_sensor_change(&b->task->equations[i], r, cause, column, b->task, false);
    for (int i = 0; i < b->n_v; i++)
        y[b->n + b->m + b->n_x + i] =
            -rt_sensor_change(&b->task->variables[i], r, cause, column, b->task, false);
}

static void whole_augmented_put_column(const whole_augmented_bordered *b, const double *y,
                                       rt_response *r, int column)
{
    const size_t c = (size_t)column;
    memcpy(r->udot + (size_t)r->n * c, y, (size_t)b->n * sizeof *y);
    for (int row = 0; row < r->n_rows; row++)
        if (b->P->slot[row] >= 0)
            r->lambda[(size_t)r->n_rows * c + row] = y[b->n + b->P->slot[row]];
    memcpy(r->rate + (size_t)b->n_x * c, y + b->n + b->m, (size_t)b->n_x * sizeof *y);
    memcpy(r->variable + (size_t)b->n_v * c, y + b->n + b->m + b->n_x, (size_t)b->n_v * sizeof *y);
}

routh_status rt_whole_augmented(const rt_method_task *task, const rt_manifold *position,
                                const rt_manifold *velocity, rt_response *r, rt_arena *arena,
                                routh_error *error)
{
    const routh_mechanism *m = task->search->m;
    rt_cause *causes;
    whole_augmented_bordered b = {.task = task,
                                  .P = velocity,
                                  .n = m->n_u,
                                  .m = velocity->n_kept,
                                  .n_x = m->model->n_control_states,
                                  .n_v = m->model->n_variables};
    b.order = b.n + b.m + b.n_x + b.n_v;
    routh_status status = rt_response_take(r, task, false, &causes, arena, error);
    if (!status) status = rt_response_motion(r, causes, task, position, velocity, error);
    if (!status) status = whole_augmented_assemble(&b, arena, error);
    const size_t order = (size_t)b.order;
    double *Y =
        status ? NULL : rt_kept_calloc(m->analyses, order * (size_t)r->n_columns + 1, sizeof *Y);
    if (!status && !Y) status = rt_fail_memory(error);
    for (int c = 0; c < r->n_columns && !status; c++)
        right_hand_side(&b, r, &causes[c], c, Y + order * (size_t)c);
    if (!status)
        status = rt_factor_solve_parallel(b.factor, b.order, Y, r->n_columns, task->threads,
                                          task->search->progress, error);
    for (int c = 0; c < r->n_columns && !status; c++)
        whole_augmented_put_column(&b, Y + order * (size_t)c, r, c);
    rt_kept_free(Y);
    rt_factor_free(b.factor);
    return status;
}
