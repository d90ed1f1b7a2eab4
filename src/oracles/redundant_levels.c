/* The redundant method's pencil in motion, and with signals: level by level, each a step of
 * orthogonal transformations.
 *
 * What varies is kept as a combination of a basis c, which grows from level to level by what is
 * free there and is narrowed to what the level's rows F leave (rt_deflate): (S, in, xi) at position
 * level, (W, in', u) at velocity level, (X, in'', u', lambda, X', V) with the equations of motion,
 * controllers and variables. What is left has as many columns as there are states and inputs; a
 * last step takes those apart at which the inputs vanish. */
#include <math.h>
#include <stdlib.h>

#include "base/lapack.h"
#include "oracles/redundant_levels.h"

/* ---- the basis ------------------------------------------------------------------------------ */

/* New parts of the basis are rows of the level's F; old ones become combinations of it. */
typedef struct added {
    int part, rows;
} added;

/* Everything over the basis that F leaves: F has the old basis first, then the parts added. */
static routh_status redundant_levels_narrow(rt_redundant_levels *q, rt_dense *F, const added *list,
                                            int n, routh_error *error)
{
    rt_dense basis;
    const routh_status status = rt_deflate(F, &basis, NULL, q->arena, error);
    if (status) return status;
    const rt_dense by_c = rt_dense_part(&basis, 0, q->n_c);
    for (int k = 0; k < RT_N_PARTS; k++) {
        rt_dense now;
        if (!q->part[k].columns) continue;
        if (!rt_dense_times(&now, &q->part[k], &by_c, q->arena)) return rt_fail_memory(error);
        q->part[k] = now;
    }
    int first = q->n_c;
    for (int k = 0; k < n; first += list[k++].rows)
        q->part[list[k].part] = rt_dense_part(&basis, first, list[k].rows);
    q->n_c = basis.columns;
    return ROUTH_OK;
}

/* f[to + column] += row (one of its lists) unit */
static void put_state(const rt_redundant_levels *q, const rt_state_row *row, double size, double *f)
{
    for (int c = 0; c < row->n; c++)
        f[row->columns[c]] += row->s_x[c] * q->p.s->unit[row->columns[c]] / size;
}

/* G xi + a in = 0,  s_x xi - S = 0 over (S, in, xi) */
static routh_status redundant_levels_position_level(rt_redundant_levels *q, routh_error *error)
{
    const int n = q->p.n, z = q->p.z, first = z + q->n_in, size = first + n;
    const routh_mechanism *m = q->p.s->m;
    rt_dense F;
    if (!rt_dense_take(&F, size, q->m_position + z, q->arena)) return rt_fail_memory(error);
    rt_parts_put_G(&q->p, q->position_slot, 1, F.at + first, size);
    for (int k = 0; k < q->n_driven; k++) {
        const rt_driven_row *d = &m->driven[k];
        if (q->position_slot[d->row] < 0) continue;
        rt_dense_column(&F, q->position_slot[d->row])[z + d->input] +=
            q->p.s->w->drive[3 * k] * q->in_size[d->input];
    }
    for (int k = 0; k < z; k++) {
        double *f = rt_dense_column(&F, q->m_position + k);
        f[k] = -1;
        put_state(q, &q->p.rows[k], q->size[k], f + first);
    }
    const added list[] = {{RT_PART_S, z}, {RT_PART_IN, q->n_in}, {RT_VARIED_XI, n}};
    return redundant_levels_narrow(q, &F, list, 3, error);
}

/* F's rows `first` ... by the old basis: values on pattern_G times a part */
static void put_rows_by_c(rt_redundant_levels *q, const double *values, double factor, int part,
                          int first, rt_dense *F)
{
    for (int k = 0; k < q->n_c; k++) {
        memset(q->work, 0, (size_t)q->p.m * sizeof(double));
        rt_parts_add_rows(&q->p, values, factor, rt_dense_column(&q->part[part], k), q->work);
        for (int r = 0; r < q->p.m; r++) rt_dense_column(F, first + r)[k] += q->work[r];
    }
}

/* dPhi's derivative of order `order` by inputs and their derivatives: sum over d of
 * binomial(order, d) a^(order - d) in^(d). Those of d < order are in the basis, the last is new, at
 * `at` of F's rows. */
static void put_drive(rt_redundant_levels *q, int order, int first, int at, rt_dense *F)
{
    static const double binomial[3][3] = {{1}, {1, 1}, {1, 2, 1}};
    const routh_mechanism *m = q->p.s->m;
    for (int k = 0; k < q->n_driven; k++) {
        const rt_driven_row *d = &m->driven[k];
        const int slot = q->p.slot[d->row];
        if (slot < 0) continue;
        const double *a = q->p.s->w->drive + 3 * k, size = q->in_size[d->input];
        double *f = rt_dense_column(F, first + slot);
        f[at + d->input] += a[0] * size;
        for (int e = 0; e < order; e++)
            for (int c = 0; c < q->n_c; c++)
                f[c] += binomial[order][e] * a[order - e] / pow(q->p.rate, order - e) * size *
                        rt_dense_column(&q->part[RT_PART_IN + e], c)[d->input];
    }
}

/* G u + V_x xi + a' in + a in' = 0,  s_x u + w_x xi - W = 0 over (c, W, in', u), u in rate */
static routh_status redundant_levels_velocity_level(rt_redundant_levels *q, routh_error *error)
{
    const int n = q->p.n, m = q->p.m, z1 = q->z1, c = q->n_c, first = c + z1 + q->n_in;
    const int size = first + n;
    rt_dense F;
    if (!rt_dense_take(&F, size, m + z1, q->arena)) return rt_fail_memory(error);
    rt_parts_put_G(&q->p, q->p.slot, 1, F.at + first, size);
    put_rows_by_c(q, q->p.s->w->Vx, 1 / q->p.rate, RT_VARIED_XI, 0, &F);
    put_drive(q, 1, 0, c + z1, &F);
    for (int k = 0; k < z1; k++) {
        const rt_state_row *row = &q->rates[k];
        const double unit = q->size[q->p.z + k];
        double *f = rt_dense_column(&F, m + k);
        for (int i = 0; i < c; i++)
            f[i] = rt_parts_state_times(&q->p, row, row->w_x,
                                        rt_dense_column(&q->part[RT_VARIED_XI], i)) /
                   q->p.rate / unit;
        f[c + k] = -1;
        put_state(q, row, unit, f + first);
    }
    const added list[] = {{RT_PART_W, z1}, {RT_PART_IN1, q->n_in}, {RT_VARIED_U, n}};
    return redundant_levels_narrow(q, &F, list, 3, error);
}

/* ---- the last level ------------------------------------------------------------------------- */

/* Where the parts added begin among F's rows. */
typedef struct redundant_levels_places {
    int X, in2, a, lambda, rate, v, size;
} redundant_levels_places;

static redundant_levels_places redundant_levels_places_of(const rt_redundant_levels *q)
{
    redundant_levels_places at = {.X = q->n_c};
    at.in2 = at.X + q->n_x;
    at.a = at.in2 + q->n_in;
    at.lambda = at.a + q->p.n;
    at.rate = at.lambda + q->p.m;
    at.v = at.rate + q->n_x;
    at.size = at.v + q->n_v;
    return at;
}

/* f += entry signal j, counted in its size */
static void put_signal(const rt_redundant_levels *q, const redundant_levels_places *at, int j,
                       double entry, double *f)
{
    entry *= rt_levels_signal_size(q, j);
    if (j < q->n_x)
        f[at->X + j] += entry;
    else if (j < 2 * q->n_x)
        f[at->rate + j - q->n_x] += entry;
    else if (j < 2 * q->n_x + q->n_v)
        f[at->v + j - 2 * q->n_x] += entry;
    else
        for (int c = 0; c < q->n_c && entry != 0; c++)
            f[c] += entry * rt_dense_column(&q->part[RT_PART_IN], c)[j - 2 * q->n_x - q->n_v];
}

/* M u' + (G'+L) lambda + D u + K xi + R signals = 0, divided by rate^2 |M|; lambda counted such
 * that its columns are as large as those of M */
static void put_motion_rows(rt_redundant_levels *q, const redundant_levels_places *at, rt_dense *F)
{
    const rt_search *s = q->p.s;
    const routh_mechanism *m = s->m;
    const int n = q->p.n;
    const double rate = q->p.rate, by_force = q->by_mass / rate / rate;
    for (int k = 0; k < q->n_c; k++) {
        memset(q->work, 0, (size_t)n * sizeof(double));
        rt_parts_add_product(&q->p, &m->pattern_K, s->w->D, q->by_mass / rate,
                             rt_dense_column(&q->part[RT_VARIED_U], k), q->work);
        rt_parts_add_product(&q->p, &m->pattern_K, s->w->K, by_force,
                             rt_dense_column(&q->part[RT_VARIED_XI], k), q->work);
        for (int c = 0; c < n; c++) rt_dense_column(F, c)[k] = q->work[c];
    }
    const rt_pattern *M = &m->pattern_M, *G = &m->pattern_G, *L = &m->pattern_L, *R = &m->pattern_R;
    for (int c = 0; c < n; c++) {
        for (int e = M->start[c]; e < M->start[c + 1]; e++)
            rt_dense_column(F, M->row[e])[at->a + c] =
                q->by_mass * s->unit[M->row[e]] * s->w->M[e] * s->unit[c];
        for (int e = G->start[c]; e < G->start[c + 1]; e++)
            if (q->p.slot[G->row[e]] >= 0)
                rt_dense_column(F, c)[at->lambda + q->p.slot[G->row[e]]] =
                    by_force * q->lambda_size * s->unit[c] * s->w->G[e];
    }
    for (int r = 0; r < m->n_rows; r++)
        for (int e = L->start[r]; e < L->start[r + 1] && q->p.slot[r] >= 0; e++)
            rt_dense_column(F, L->row[e])[at->lambda + q->p.slot[r]] +=
                by_force * q->lambda_size * s->unit[L->row[e]] * s->w->L[e];
    for (int j = 0; j < q->n_signals; j++)
        for (int e = R->start[j]; e < R->start[j + 1]; e++)
            put_signal(q, at, j, by_force * s->unit[R->row[e]] * s->w->L[e],
                       rt_dense_column(F, R->row[e]));
}

/* g_x xi + g_u u + g_a u' + g_lambda lambda + g_signal signals = 0 */
static void put_sensor(const rt_redundant_levels *q, const redundant_levels_places *at,
                       const rt_sensor_row *row, double *f)
{
    const double rate = q->p.rate;
    for (int k = 0; k < row->n_columns; k++) {
        const int i = row->columns[k];
        const double unit = q->p.s->unit[i];
        f[at->a + i] += rate * rate * unit * row->by_a[k];
        for (int c = 0; c < q->n_c; c++)
            f[c] += unit * (row->by_x[k] * rt_dense_column(&q->part[RT_VARIED_XI], c)[i] +
                            rate * row->by_u[k] * rt_dense_column(&q->part[RT_VARIED_U], c)[i]);
    }
    for (int k = 0; k < row->n_lambda; k++)
        if (q->p.slot[row->lambda[k]] >= 0)
            f[at->lambda + q->p.slot[row->lambda[k]]] += q->lambda_size * row->by_lambda[k];
    for (int k = 0; k < row->n_signals; k++)
        put_signal(q, at, row->signals[k], row->by_signal[k], f);
}

static void multiply_rows(rt_dense *F, int first, int count, const double *by)
{
    for (int c = 0; c < F->columns; c++)
        for (int i = 0; i < count; i++) rt_dense_column(F, c)[first + i] *= by[i];
}

/* ... G u' + A_u u + A_x xi + a'' in + 2 a' in' + a in'' = 0, controllers and variables. What is
 * found is counted in its sizes times `large` (NULL: 1). */
static routh_status last_level(rt_redundant_levels *q, const double *large, routh_error *error)
{
    const int n = q->p.n, m = q->p.m, n_sensors = q->n_x + q->n_v, n_found = n + m + n_sensors;
    const double rate = q->p.rate;
    const redundant_levels_places at = redundant_levels_places_of(q);
    rt_dense F;
    if (!rt_dense_take(&F, at.size, n_found, q->arena)) return rt_fail_memory(error);
    put_motion_rows(q, &at, &F);
    rt_parts_put_G(&q->p, q->p.slot, 1, rt_dense_column(&F, n) + at.a, at.size);
    put_rows_by_c(q, q->p.s->w->Au, 1 / rate, RT_VARIED_U, n, &F);
    put_rows_by_c(q, q->p.s->w->Ax, 1 / rate / rate, RT_VARIED_XI, n, &F);
    put_drive(q, 2, n, at.in2, &F);
    for (int k = 0; k < n_sensors; k++)
        put_sensor(q, &at, rt_levels_sensor(q, k), rt_dense_column(&F, n + m + k));
    const added list[] = {{RT_PART_X, q->n_x},   {RT_PART_IN2, q->n_in},   {RT_VARIED_UDOT, n},
                          {RT_VARIED_LAMBDA, m}, {RT_VARIED_RATE, q->n_x}, {RT_VARIED_V, q->n_v}};
    if (large) multiply_rows(&F, at.a, n_found, large);
    const routh_status status = redundant_levels_narrow(q, &F, list, 6, error);
    for (int k = 2, first = 0; k < 6 && large && !status; first += list[k++].rows)
        multiply_rows(&q->part[list[k].part], 0, list[k].rows, large + first);
    return status;
}

/* large[n + m + n_x + n_v]: how much each number that is found at the last level may vary by the
 * states and inputs, all of size 1, and no less than 1; the largest of them; 0 where the states
 * and inputs do not determine the basis. */
static routh_status find_large(rt_redundant_levels *q, double *large, double *largest,
                               routh_error *error)
{
    static const rt_varied kinds[] = {RT_VARIED_UDOT, RT_VARIED_LAMBDA, RT_VARIED_RATE,
                                      RT_VARIED_V};
    const int N = q->n_c, n = q->p.n + q->p.m + q->n_x + q->n_v;
    rt_dense P, y;
    int *pivots = RT_TAKE(q->arena, int, N);
    if (!pivots || !rt_dense_take(&P, N, N, q->arena) || !rt_dense_take(&y, N, n, q->arena))
        return rt_fail_memory(error);
    for (int c = 0; c < N; c++) {
        int i = 0;
        for (int part = RT_PART_S; part < RT_N_PARTS; part++)
            for (int r = 0; r < q->part[part].rows; r++)
                rt_dense_column(&P, c)[i++] = rt_dense_column(&q->part[part], c)[r];
        i = 0;
        for (int k = 0; k < 4; k++)
            for (int r = 0; r < q->part[kinds[k]].rows; r++)
                rt_dense_column(&y, i++)[c] = rt_dense_column(&q->part[kinds[k]], c)[r];
    }
    *largest = 0;
    routh_status status = rt_lu_factor(N, P.at, pivots, error);
    if (!status) status = rt_lu_solve(N, P.at, pivots, n, y.at, 1, error);
    if (status == ROUTH_OUT_OF_MEMORY) return status;
    for (int i = 0; i < n && !status; i++) {
        double most = 0;
        for (int c = 0; c < N; c++) most = fmax(most, fabs(rt_dense_column(&y, i)[c]));
        large[i] = rt_power_of_two(fmax(most, 1));
        *largest = fmax(*largest, large[i]);
    }
    return ROUTH_OK;
}

/* The basis is orthonormal in all that varies. Where accelerations or rates are much larger than
 * the states they belong to, in the sizes there are, hardly anything is left in it of the states;
 * then the last level is done again, with these numbers counted in larger units. Not where they
 * are so large that there is no solution at all, for E to tell. */
static routh_status last_level_in_sizes(rt_redundant_levels *q, routh_error *error)
{
    static const double enough = 16, hopeless = 1e12;
    rt_dense before[RT_N_PARTS];
    const int n_c = q->n_c;
    double largest = 0;
    double *large = RT_TAKE(q->arena, double, q->p.n + q->p.m + q->n_x + q->n_v);
    if (!large) return rt_fail_memory(error);
    memcpy(before, q->part, sizeof before);
    routh_status status = last_level(q, NULL, error);
    if (!status) status = find_large(q, large, &largest, error);
    if (status || largest <= enough || !(largest < hopeless)) return status;
    memcpy(q->part, before, sizeof before);
    q->n_c = n_c;
    return last_level(q, large, error);
}

/* ---- putting it together -------------------------------------------------------------------- */

static routh_status redundant_levels_prepare(rt_redundant_levels *q, const rt_state_row *rows,
                                             routh_error *error)
{
    const rt_search *s = q->task->search;
    const int n_rows = s->m->n_rows, n = s->m->n_u;
    rt_state_row *rates;
    routh_status status = rt_rate_rows(q->task, q->arena, &rates, error);
    if (status) return status;
    q->rates = rates;
    q->z1 = q->task->states->z1;
    if (!rt_parts_prepare(&q->p, s, rows, q->task->states->z, q->arena))
        return rt_fail_memory(error);
    if (q->task->whole) {
        q->n_x = s->m->model->n_control_states, q->n_v = s->m->model->n_variables;
        q->n_in = s->m->model->n_inputs;
        q->n_signals = s->m->n_signals, q->n_driven = s->m->n_driven;
    }
    q->position_slot = RT_TAKE(q->arena, int, n_rows);
    q->in_size = RT_TAKE(q->arena, double, q->n_in);
    q->x_size = RT_TAKE(q->arena, double, q->n_x);
    q->v_size = RT_TAKE(q->arena, double, q->n_v);
    q->size = RT_TAKE(q->arena, double, q->p.z + q->z1);
    q->work = RT_TAKE(q->arena, double, n + n_rows);
    if (!q->position_slot || !q->in_size || !q->x_size || !q->v_size || !q->size || !q->work)
        return rt_fail_memory(error);
    if (!rt_number_rows_of(s, rt_position_rank(s), q->position_slot, q->arena))
        return rt_fail_memory(error);
    q->m_position = rt_position_rank(s)->rank;
    return rt_levels_find_sizes(q, error);
}

routh_status rt_deflate_levels(const rt_method_task *task, const rt_state_row *rows,
                               rt_arena *arena, rt_finite_pencil *out, routh_error *error)
{
    rt_redundant_levels q = {.task = task, .arena = arena};
    routh_status status = redundant_levels_prepare(&q, rows, error);
    if (!status) status = redundant_levels_position_level(&q, error);
    if (!status) status = redundant_levels_velocity_level(&q, error);
    if (!status) status = last_level_in_sizes(&q, error);
    return status ? status : rt_levels_fill(&q, out, error);
}
