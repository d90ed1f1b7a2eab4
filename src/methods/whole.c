#include "methods/whole.h"

rt_layout rt_response_layout(const rt_method_task *task)
{
    const routh_model *model = task->search->m->model;
    rt_layout at = {.S = 0, .W = task->states->z};
    at.X = at.W + task->states->z1;
    at.in = at.X + model->n_control_states;
    at.in1 = at.in + model->n_inputs;
    at.in2 = at.in1 + model->n_inputs;
    at.rate = at.n = at.in2 + model->n_inputs;
    at.variable = at.rate + model->n_control_states;
    return at;
}

static void list_causes(const rt_layout *at, const routh_model *model, rt_cause *causes, int n)
{
    const int n_x = model->n_control_states;
    for (int c = 0; c < n; c++) {
        if (c < at->W)
            causes[c] = (rt_cause){RT_CAUSE_S, c};
        else if (c < at->X)
            causes[c] = (rt_cause){RT_CAUSE_W, c - at->W};
        else if (c < at->in)
            causes[c] = (rt_cause){RT_CAUSE_SIGNAL, c - at->X};
        else if (c < at->in1)
            causes[c] = (rt_cause){RT_CAUSE_IN, c - at->in};
        else if (c < at->in2)
            causes[c] = (rt_cause){RT_CAUSE_IN1, c - at->in1};
        else if (c < at->rate)
            causes[c] = (rt_cause){RT_CAUSE_IN2, c - at->in2};
        else
            causes[c] = (rt_cause){RT_CAUSE_SIGNAL, n_x + c - at->rate};
    }
}

routh_status rt_response_take(rt_response *r, const rt_method_task *task, bool open,
                              rt_cause **causes, rt_arena *arena, routh_error *error)
{
    const routh_mechanism *m = task->search->m;
    const rt_layout at = rt_response_layout(task);
    const int n_x = m->model->n_control_states, n_v = m->model->n_variables;
    const size_t columns = (size_t)at.n + (open ? (size_t)(n_x + n_v) : 0);
    *r = (rt_response){.n = m->n_u,
                       .n_rows = m->n_rows,
                       .n_x = n_x,
                       .n_v = n_v,
                       .n_in = m->model->n_inputs,
                       .n_columns = (int)columns};
    r->xi = RT_TAKE(arena, double, columns *(size_t)m->n_u);
    r->u = RT_TAKE(arena, double, columns *(size_t)m->n_u);
    r->udot = RT_TAKE(arena, double, columns *(size_t)m->n_u);
    r->lambda = RT_TAKE(arena, double, columns *(size_t)m->n_rows);
    r->rate = RT_TAKE(arena, double, columns *(size_t)n_x);
    r->variable = RT_TAKE(arena, double, columns *(size_t)n_v);
    *causes = RT_TAKE(arena, rt_cause, columns);
    if (!r->xi || !r->u || !r->udot || !r->lambda || !r->rate || !r->variable || !*causes)
        return rt_fail_memory(error);
    list_causes(&at, m->model, *causes, (int)columns);
    return ROUTH_OK;
}

/* ---- the two first levels ------------------------------------------------------------------- */

/* Does the cause move the mechanism where it stands? */
static bool whole_moves(rt_cause_kind kind) { return kind == RT_CAUSE_S || kind == RT_CAUSE_IN; }

/* Does it give it a velocity there? */
static bool speeds(rt_cause_kind kind)
{
    return kind != RT_CAUSE_SIGNAL && kind != RT_CAUSE_IN2;
}

/* rows -= the jet's derivative d of dPhi/din, for the input */
static void subtract_drive(const rt_method_task *task, const int *slot, int input, int d,
                           double scale, double *rows)
{
    const routh_mechanism *m = task->search->m;
    for (int k = 0; k < m->n_driven; k++)
        if (m->driven[k].input == input && slot[m->driven[k].row] >= 0)
            rows[slot[m->driven[k].row]] -= scale * task->search->w->drive[3 * (size_t)k + d];
}

static routh_status whole_find_positions(rt_response *r, const rt_cause *causes,
                                         const rt_method_task *task, const rt_manifold *P,
                                         routh_error *error)
{
    const size_t n = (size_t)r->n;
    for (int c = 0; c < r->n_columns; c++) {
        double *b = r->xi + n * (size_t)c;
        if (causes[c].kind == RT_CAUSE_S) b[P->n_kept + causes[c].k] = 1;
        if (causes[c].kind == RT_CAUSE_IN) subtract_drive(task, P->slot, causes[c].k, 0, 1, b);
    }
    return rt_manifold_solve(P, r->xi, r->n_columns, task->threads, error);
}

static routh_status whole_find_velocities(rt_response *r, const rt_cause *causes,
                                          const rt_method_task *task, const rt_manifold *P,
                                          routh_error *error)
{
    const size_t n = (size_t)r->n;
    for (int c = 0; c < r->n_columns; c++) {
        const double *xi = r->xi + n * (size_t)c;
        double *b = r->u + n * (size_t)c;
        if (causes[c].kind == RT_CAUSE_W) b[P->n_kept + causes[c].k] = 1;
        if (causes[c].kind == RT_CAUSE_IN) subtract_drive(task, P->slot, causes[c].k, 1, 1, b);
        if (causes[c].kind == RT_CAUSE_IN1) subtract_drive(task, P->slot, causes[c].k, 0, 1, b);
        if (!whole_moves(causes[c].kind)) continue;
        rt_manifold_subtract(P, task->search->w->Vx, xi, b);
        for (int i = 0; i < P->z; i++)
            b[P->n_kept + i] -= rt_state_row_times(&P->rows[i], P->rows[i].w_x, xi);
    }
    return rt_manifold_solve(P, r->u, r->n_columns, task->threads, error);
}

routh_status rt_response_motion(rt_response *r, const rt_cause *causes, const rt_method_task *task,
                                const rt_manifold *position, const rt_manifold *velocity,
                                routh_error *error)
{
    const routh_status status = whole_find_positions(r, causes, task, position, error);
    return status ? status : whole_find_velocities(r, causes, task, velocity, error);
}

/* ---- the right-hand sides of accelerations -------------------------------------------------- */

/* b -= the column of R */
static void subtract_signal(const routh_mechanism *m, const rt_workspace *w, int place, double *b)
{
    const rt_pattern *R = &m->pattern_R;
    for (int e = R->start[place]; e < R->start[place + 1]; e++) b[R->row[e]] -= w->L[e];
}

static int signal_of_input(const routh_mechanism *m, int input)
{
    return m->n_signals - m->model->n_inputs + input;
}

void rt_response_forces(const rt_response *r, const rt_cause *cause, int column,
                        const rt_method_task *task, double *b)
{
    const routh_mechanism *m = task->search->m;
    const rt_workspace *w = task->search->w;
    const size_t at = (size_t)r->n * (size_t)column;
    if (speeds(cause->kind)) rt_sparse_multiply_add(&m->pattern_K, w->D, -1, r->u + at, b);
    if (whole_moves(cause->kind)) rt_sparse_multiply_add(&m->pattern_K, w->K, -1, r->xi + at, b);
    if (cause->kind == RT_CAUSE_SIGNAL) subtract_signal(m, w, cause->k, b);
    if (cause->kind == RT_CAUSE_IN) subtract_signal(m, w, signal_of_input(m, cause->k), b);
}

void rt_response_rows(const rt_response *r, const rt_cause *cause, int column,
                      const rt_method_task *task, const rt_manifold *P, double *rows)
{
    const rt_workspace *w = task->search->w;
    const size_t at = (size_t)r->n * (size_t)column;
    if (speeds(cause->kind)) rt_manifold_subtract(P, w->Au, r->u + at, rows);
    if (whole_moves(cause->kind)) rt_manifold_subtract(P, w->Ax, r->xi + at, rows);
    if (cause->kind == RT_CAUSE_IN) subtract_drive(task, P->slot, cause->k, 2, 1, rows);
    if (cause->kind == RT_CAUSE_IN1) subtract_drive(task, P->slot, cause->k, 1, 2, rows);
    if (cause->kind == RT_CAUSE_IN2) subtract_drive(task, P->slot, cause->k, 0, 1, rows);
}

/* ---- sensors -------------------------------------------------------------------------------- */

static double whole_times(const double *a, const int *columns, int n, const double *x)
{
    double sum = 0;
    for (int k = 0; k < n; k++) sum += a[k] * x[columns[k]];
    return sum;
}

double rt_sensor_change(const rt_sensor_row *row, const rt_response *r, const rt_cause *cause,
                        int column, const rt_method_task *task, bool with_signals)
{
    const size_t at = (size_t)r->n * (size_t)column;
    double sum = whole_times(row->by_x, row->columns, row->n_columns, r->xi + at) +
                 whole_times(row->by_u, row->columns, row->n_columns, r->u + at) +
                 whole_times(row->by_a, row->columns, row->n_columns, r->udot + at) +
                 whole_times(row->by_lambda, row->lambda, row->n_lambda,
                             r->lambda + (size_t)r->n_rows * (size_t)column);
    const int own = cause->kind == RT_CAUSE_SIGNAL ? cause->k
                    : cause->kind == RT_CAUSE_IN   ? signal_of_input(task->search->m, cause->k)
                                                   : -1;
    for (int k = 0; k < row->n_signals; k++) {
        const int place = row->signals[k];
        if (place == own) sum += row->by_signal[k];
        if (!with_signals || place < r->n_x || place >= 2 * r->n_x + r->n_v) continue;
        sum += row->by_signal[k] *
               (place < 2 * r->n_x
                    ? r->rate[(size_t)r->n_x * (size_t)column + (size_t)(place - r->n_x)]
                    : r->variable[(size_t)r->n_v * (size_t)column + (size_t)(place - 2 * r->n_x)]);
    }
    return sum;
}

bool rt_uses_joint_forces(const routh_mechanism *m)
{
    for (int k = 0; k < m->model->n_quantities; k++)
        if (m->model->quantities[k].kind == RT_QUANTITY_FORCE && !m->model->quantities[k].of_load)
            return true;
    return false;
}

/* ---- a method ------------------------------------------------------------------------------- */

bool rt_needs_whole(const routh_mechanism *m)
{
    return m->n_signals > 0 || m->n_nonholonomic > 0 || rt_sensor_count(m, RT_SENSOR_OUTPUT) > 0;
}

routh_status rt_task_sensors_take(rt_method_task *task, rt_arena *arena, routh_error *error)
{
    const routh_mechanism *m = task->search->m;
    routh_status status = rt_sensor_rows(m, RT_SENSOR_STATE, &task->equations, arena, error);
    if (!status) status = rt_sensor_rows(m, RT_SENSOR_VARIABLE, &task->variables, arena, error);
    return status ? status : rt_task_sensors_fill(task, error);
}

routh_status rt_task_sensors_fill(const rt_method_task *task, routh_error *error)
{
    const rt_search *s = task->search;
    routh_status status = ROUTH_OK;
    for (int k = 0; k < rt_sensor_count(s->m, RT_SENSOR_STATE) && !status; k++)
        status = rt_sensor_evaluate(s->m, s->w, s->state, RT_SENSOR_STATE, k, true,
                                    &task->equations[k], error);
    for (int k = 0; k < rt_sensor_count(s->m, RT_SENSOR_VARIABLE) && !status; k++)
        status = rt_sensor_evaluate(s->m, s->w, s->state, RT_SENSOR_VARIABLE, k, true,
                                    &task->variables[k], error);
    return status;
}

/* Column k of Xw' M Xw of t = M x_k; four sums at a time keep the arithmetic busy */
static void reduced_mass_column(rt_sensitivity *x, int k, const double *t)
{
    const size_t n = (size_t)x->n, z = (size_t)x->z1;
    double *to = x->Mhat + k;
    size_t i = 0;
    for (; i + 4 <= z; i += 4) {
        const double *x0 = x->Xw + i * n, *x1 = x0 + n, *x2 = x1 + n, *x3 = x2 + n;
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (size_t c = 0; c < n; c++)
            s0 += x0[c] * t[c], s1 += x1[c] * t[c], s2 += x2[c] * t[c], s3 += x3[c] * t[c];
        to[i * z] = s0, to[(i + 1) * z] = s1, to[(i + 2) * z] = s2, to[(i + 3) * z] = s3;
    }
    for (; i < z; i++) {
        double sum = 0;
        for (size_t c = 0; c < n; c++) sum += x->Xw[i * n + c] * t[c];
        to[i * z] = sum;
    }
}

void rt_reduced_mass(const rt_search *s, rt_sensitivity *x, double *t)
{
    for (int k = 0; k < x->z1; k++) {
        memset(t, 0, (size_t)x->n * sizeof *t);
        rt_sparse_multiply_add(&s->m->pattern_M, s->w->M, 1, x->Xw + (size_t)x->n * (size_t)k, t);
        reduced_mass_column(x, k, t);
    }
}

routh_status rt_whole_finish(const rt_method_task *task, rt_arena *arena, rt_sensitivity *x,
                             routh_error *error)
{
    const rt_layout at = rt_response_layout(task);
    const size_t n = (size_t)task->search->m->n_u, z1 = (size_t)task->states->z1;
    x->n = (int)n, x->z = task->states->z, x->z1 = task->states->z1;
    x->X = x->response.xi + n * (size_t)at.S;
    x->U = x->response.u + n * (size_t)at.S;
    x->Xw = x->response.u + n * (size_t)at.W;
    x->Mhat = RT_TAKE(arena, double, z1 *z1);
    double *work = RT_TAKE(arena, double, n);
    if (!x->Mhat || !work) return rt_fail_memory(error);
    rt_reduced_mass(task->search, x, work);
    return ROUTH_OK;
}

routh_status rt_whole_run(const rt_method_task *task, rt_whole_solver solver, rt_arena *arena,
                          rt_sensitivity *out, routh_error *error)
{
    const bool two = task->search->m->n_nonholonomic > 0;
    rt_manifold position, velocity = {0};
    *out = (rt_sensitivity){0};
    routh_status status = rt_manifold_create(&position, task, RT_MANIFOLD_POSITION, arena, error);
    if (!status) status = rt_manifold_factor(&position, task, error);
    if (!status && two)
        status = rt_manifold_create(&velocity, task, RT_MANIFOLD_VELOCITY, arena, error);
    if (!status && two) status = rt_manifold_factor(&velocity, task, error);
    if (!status)
        status = solver(task, &position, two ? &velocity : &position, &out->response, arena, error);
    rt_manifold_release(&position);
    rt_manifold_release(&velocity);
    return status ? status : rt_whole_finish(task, arena, out, error);
}
