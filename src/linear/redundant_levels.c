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

#include "linear/redundant_parts.h"
#include "system/sensor.h"

/* What the basis carries beside what varies. */
enum { PART_S = RT_VARIED_N, PART_W, PART_X, PART_IN, PART_IN1, PART_IN2, N_PARTS };

typedef struct levels {
    rt_parts p;
    const rt_method_task *task;
    const rt_state_row *rates;                   /* z1 rows */
    int z1, n_x, n_v, n_in, n_signals, n_driven; /* of signals 0 but for whole responses */
    int m_position;                              /* independent rows of position level */
    int *position_slot;
    double *in_size;             /* n_in */
    double *x_size;              /* n_x */
    double *v_size;              /* n_v */
    double *size;                /* z + z1: of states and rates */
    double by_mass, lambda_size; /* motion rows are divided by rate^2 / by_mass */
    double *work;
    int n_c;                /* columns of the basis */
    rt_dense part[N_PARTS]; /* columns 0 where not reached */
    rt_arena *arena;
} levels;

static const rt_sensor_row *row_of(const levels *q, int k)
{
    return k < q->n_x ? &q->task->equations[k] : &q->task->variables[k - q->n_x];
}

/* ---- sizes ---------------------------------------------------------------------------------- */

/* A power of two, so that nothing is rounded. */
static double power_of_two(double x) { return x > 0 && isfinite(x) ? exp2(round(log2(x))) : 1; }

static double largest_of_row(const rt_state_row *row, const double *unit)
{
    double most = 0;
    for (int c = 0; c < row->n; c++) most = fmax(most, fabs(row->s_x[c]) * unit[row->columns[c]]);
    return most;
}

static void size_states(levels *q)
{
    const double *unit = q->p.s->unit;
    for (int k = 0; k < q->p.z; k++) q->size[k] = power_of_two(largest_of_row(&q->p.rows[k], unit));
    for (int k = 0; k < q->z1; k++)
        q->size[q->p.z + k] = power_of_two(largest_of_row(&q->rates[k], unit));
}

static void size_forces(levels *q)
{
    const rt_search *s = q->p.s;
    const double mass = rt_largest_entry(&s->m->pattern_M, s->w->M, s->unit, s->unit);
    const double G = rt_largest_entry(&s->m->pattern_G, s->w->G, NULL, s->unit);
    q->by_mass = mass > 0 ? 1 / mass : 1;
    q->lambda_size = (G > 0 ? 1 / G : 1) * q->p.rate * q->p.rate / q->by_mass;
}

/* The size of signal j of the mechanism's list, with time counted in 1/rate. */
static double signal_size(const levels *q, int j)
{
    if (j < q->n_x) return q->x_size[j];
    if (j < 2 * q->n_x) return q->x_size[j - q->n_x] * q->p.rate;
    j -= 2 * q->n_x;
    return j < q->n_v ? q->v_size[j] : q->in_size[j - q->n_v];
}

static double *own_size(const levels *q, int j)
{
    if (j < q->n_x) return &q->x_size[j];
    if (j < 2 * q->n_x) return &q->x_size[j - q->n_x];
    j -= 2 * q->n_x;
    return j < q->n_v ? &q->v_size[j] : &q->in_size[j - q->n_v];
}

/* Largest entry of the row of a sensor in the sizes there are. */
static double sensor_entry(const levels *q, const rt_sensor_row *row)
{
    const double rate = q->p.rate;
    double most = 0;
    for (int c = 0; c < row->n_columns; c++) {
        const double unit = q->p.s->unit[row->columns[c]];
        most = fmax(most, unit * fabs(row->by_x[c]));
        most = fmax(most, unit * rate * fabs(row->by_u[c]));
        most = fmax(most, unit * rate * rate * fabs(row->by_a[c]));
    }
    for (int k = 0; k < row->n_lambda; k++)
        most = fmax(most, q->lambda_size * fabs(row->by_lambda[k]));
    for (int k = 0; k < row->n_signals; k++)
        most = fmax(most, signal_size(q, row->signals[k]) * fabs(row->by_signal[k]));
    return most;
}

/* most[j]: largest entry of the signals' columns, rows scaled; motion rows and rows of Phi are. */
static void signal_entries(const levels *q, const double *row_size, double *most)
{
    const rt_search *s = q->p.s;
    const rt_pattern *R = &s->m->pattern_R;
    memset(most, 0, (size_t)q->n_signals * sizeof *most);
    for (int j = 0; j < q->n_signals; j++)
        for (int e = R->start[j]; e < R->start[j + 1]; e++)
            most[j] = fmax(most[j], fabs(s->w->L[e]) * s->unit[R->row[e]] * q->by_mass / q->p.rate /
                                        q->p.rate * signal_size(q, j));
    for (int i = 0; i < q->n_x + q->n_v; i++) {
        const rt_sensor_row *row = row_of(q, i);
        for (int k = 0; k < row->n_signals; k++) {
            const int j = row->signals[k];
            most[j] = fmax(most[j], fabs(row->by_signal[k]) * signal_size(q, j) / row_size[i]);
        }
    }
    for (int k = 0; k < q->n_driven; k++) {
        const int input = s->m->driven[k].input, j = q->n_signals - q->n_in + input;
        most[j] = fmax(most[j], fabs(s->w->drive[3 * k]) * q->in_size[input]);
    }
}

/* Rows of controllers and variables and columns of signals made about as large as those of the
 * mechanism, by turns of square roots (Ruiz 2001). The sizes matter for rounding only. */
static bool size_signals(levels *q)
{
    enum { TURNS = 12 };
    const int n_rows = q->n_x + q->n_v, n_signals = q->n_signals;
    double *row_size = RT_TAKE(q->arena, double, n_rows);
    double *most = RT_TAKE(q->arena, double, n_signals);
    if (!row_size || !most) return false;
    for (int i = 0; i < n_rows; i++) row_size[i] = 1;
    for (int j = 0; j < n_signals; j++) *own_size(q, j) = 1;
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < n_rows; i++) {
            const double entry = sensor_entry(q, row_of(q, i));
            row_size[i] = entry > 0 ? sqrt(row_size[i] * entry) : 1;
        }
        signal_entries(q, row_size, most);
        for (int j = 0; j < q->n_x; j++) most[j] = fmax(most[j], most[q->n_x + j]);
        for (int j = 0; j < n_signals; j++)
            if ((j < q->n_x || j >= 2 * q->n_x) && most[j] > 0) *own_size(q, j) /= sqrt(most[j]);
    }
    for (int j = 0; j < n_signals; j++)
        if (j < q->n_x || j >= 2 * q->n_x) *own_size(q, j) = power_of_two(*own_size(q, j));
    return true;
}

/* ---- the basis ------------------------------------------------------------------------------ */

/* New parts of the basis are rows of the level's F; old ones become combinations of it. */
typedef struct added {
    int part, rows;
} added;

/* Everything over the basis that F leaves: F has the old basis first, then the parts added. */
static routh_status narrow(levels *q, rt_dense *F, const added *list, int n, routh_error *error)
{
    rt_dense basis;
    const routh_status status = rt_deflate(F, &basis, NULL, q->arena, error);
    if (status) return status;
    const rt_dense by_c = rt_dense_part(&basis, 0, q->n_c);
    for (int k = 0; k < N_PARTS; k++) {
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
static void put_state(const levels *q, const rt_state_row *row, double size, double *f)
{
    for (int c = 0; c < row->n; c++)
        f[row->columns[c]] += row->s_x[c] * q->p.s->unit[row->columns[c]] / size;
}

/* G xi + a in = 0,  s_x xi - S = 0 over (S, in, xi) */
static routh_status position_level(levels *q, routh_error *error)
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
    const added list[] = {{PART_S, z}, {PART_IN, q->n_in}, {RT_VARIED_XI, n}};
    return narrow(q, &F, list, 3, error);
}

/* F's rows `first` ... by the old basis: values on pattern_G times a part */
static void put_rows_by_c(levels *q, const double *values, double factor, int part, int first,
                          rt_dense *F)
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
static void put_drive(levels *q, int order, int first, int at, rt_dense *F)
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
                        rt_dense_column(&q->part[PART_IN + e], c)[d->input];
    }
}

/* G u + V_x xi + a' in + a in' = 0,  s_x u + w_x xi - W = 0 over (c, W, in', u), u in rate */
static routh_status velocity_level(levels *q, routh_error *error)
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
    const added list[] = {{PART_W, z1}, {PART_IN1, q->n_in}, {RT_VARIED_U, n}};
    return narrow(q, &F, list, 3, error);
}

/* ---- the last level ------------------------------------------------------------------------- */

/* Where the parts added begin among F's rows. */
typedef struct places {
    int X, in2, a, lambda, rate, v, size;
} places;

static places places_of(const levels *q)
{
    places at = {.X = q->n_c};
    at.in2 = at.X + q->n_x;
    at.a = at.in2 + q->n_in;
    at.lambda = at.a + q->p.n;
    at.rate = at.lambda + q->p.m;
    at.v = at.rate + q->n_x;
    at.size = at.v + q->n_v;
    return at;
}

/* f += entry signal j, counted in its size */
static void put_signal(const levels *q, const places *at, int j, double entry, double *f)
{
    entry *= signal_size(q, j);
    if (j < q->n_x)
        f[at->X + j] += entry;
    else if (j < 2 * q->n_x)
        f[at->rate + j - q->n_x] += entry;
    else if (j < 2 * q->n_x + q->n_v)
        f[at->v + j - 2 * q->n_x] += entry;
    else
        for (int c = 0; c < q->n_c && entry != 0; c++)
            f[c] += entry * rt_dense_column(&q->part[PART_IN], c)[j - 2 * q->n_x - q->n_v];
}

/* M u' + (G'+L) lambda + D u + K xi + R signals = 0, divided by rate^2 |M|; lambda counted such
 * that its columns are as large as those of M */
static void put_motion_rows(levels *q, const places *at, rt_dense *F)
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
static void put_sensor(const levels *q, const places *at, const rt_sensor_row *row, double *f)
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

/* ... G u' + A_u u + A_x xi + a'' in + 2 a' in' + a in'' = 0, controllers and variables */
static routh_status last_level(levels *q, routh_error *error)
{
    const int n = q->p.n, m = q->p.m, n_sensors = q->n_x + q->n_v;
    const double rate = q->p.rate;
    const places at = places_of(q);
    rt_dense F;
    if (!rt_dense_take(&F, at.size, n + m + n_sensors, q->arena)) return rt_fail_memory(error);
    put_motion_rows(q, &at, &F);
    rt_parts_put_G(&q->p, q->p.slot, 1, rt_dense_column(&F, n) + at.a, at.size);
    put_rows_by_c(q, q->p.s->w->Au, 1 / rate, RT_VARIED_U, n, &F);
    put_rows_by_c(q, q->p.s->w->Ax, 1 / rate / rate, RT_VARIED_XI, n, &F);
    put_drive(q, 2, n, at.in2, &F);
    for (int k = 0; k < n_sensors; k++)
        put_sensor(q, &at, row_of(q, k), rt_dense_column(&F, n + m + k));
    const added list[] = {{PART_X, q->n_x},      {PART_IN2, q->n_in},      {RT_VARIED_UDOT, n},
                          {RT_VARIED_LAMBDA, m}, {RT_VARIED_RATE, q->n_x}, {RT_VARIED_V, q->n_v}};
    return narrow(q, &F, list, 6, error);
}

/* ---- the pencil ----------------------------------------------------------------------------- */

/* Row `row` of y' = A c and of y = E c, y = (S, W / rate, X) in their sizes. */
static double state_rate(const levels *q, int row, int c)
{
    const double *xi = rt_dense_column(&q->part[RT_VARIED_XI], c);
    const double *u = rt_dense_column(&q->part[RT_VARIED_U], c);
    const double *a = rt_dense_column(&q->part[RT_VARIED_UDOT], c);
    const double rate = q->p.rate, size = row < q->p.z + q->z1 ? q->size[row] : 1;
    if (row < q->p.z) {
        const rt_state_row *s = &q->p.rows[row];
        return (rt_parts_state_times(&q->p, s, s->s_x, u) +
                rt_parts_state_times(&q->p, s, s->w_x, xi) / rate) /
               size;
    }
    if (row < q->p.z + q->z1) {
        const rt_state_row *s = &q->rates[row - q->p.z];
        return (rt_parts_state_times(&q->p, s, s->s_x, a) +
                rt_parts_state_times(&q->p, s, s->a_u, u) / rate +
                rt_parts_state_times(&q->p, s, s->a_x, xi) / rate / rate) /
               size;
    }
    return rt_dense_column(&q->part[RT_VARIED_RATE], c)[row - q->p.z - q->z1];
}

static double state(const levels *q, int row, int c)
{
    if (row < q->p.z) return rt_dense_column(&q->part[PART_S], c)[row];
    if (row < q->p.z + q->z1) return rt_dense_column(&q->part[PART_W], c)[row - q->p.z];
    return rt_dense_column(&q->part[PART_X], c)[row - q->p.z - q->z1];
}

/* The basis c = free c_h + held in: the columns of `free` at which the inputs vanish, those of
 * `held` at which one of them is 1 and c_h is 0. in = [R' 0] Q' c. */
static routh_status part_inputs(levels *q, rt_dense *free_part, rt_dense *held, routh_error *error)
{
    const int n_in = q->n_in, n = 3 * n_in, N = q->n_c;
    rt_dense F;
    rt_reflectors reflectors;
    if (!rt_dense_take(&F, N, n, q->arena) || !rt_dense_take(held, N, n, q->arena))
        return rt_fail_memory(error);
    for (int d = 0; d < 3; d++)
        for (int i = 0; i < n_in; i++)
            for (int c = 0; c < N; c++)
                rt_dense_column(&F, d * n_in + i)[c] = rt_dense_column(&q->part[PART_IN + d], c)[i];
    const routh_status status = rt_deflate(&F, free_part, &reflectors, q->arena, error);
    for (int k = 0; k < n && !status; k++) {
        double *c = rt_dense_column(held, k);
        c[k] = 1;
        rt_reflectors_solve_transposed(&reflectors, c);
        rt_reflectors_apply(&reflectors, 0, 1, c);
    }
    return status;
}

static routh_status fill_pencil(levels *q, const rt_dense *free_part, const rt_dense *held,
                                rt_finite_pencil *out, routh_error *error)
{
    const int order = out->order;
    rt_dense E, A, product;
    if (!rt_dense_take(&E, order, q->n_c, q->arena) || !rt_dense_take(&A, order, q->n_c, q->arena))
        return rt_fail_memory(error);
    for (int c = 0; c < q->n_c; c++)
        for (int i = 0; i < order; i++) {
            rt_dense_column(&E, c)[i] = state(q, i, c);
            rt_dense_column(&A, c)[i] = state_rate(q, i, c);
        }
    if (!rt_dense_times(&product, &E, free_part, q->arena)) return rt_fail_memory(error);
    out->E = product.at;
    if (!rt_dense_times(&product, &A, free_part, q->arena)) return rt_fail_memory(error);
    out->A = product.at;
    if (!rt_dense_times(&product, &E, held, q->arena)) return rt_fail_memory(error);
    out->states_by_input = product.at;
    out->states = RT_TAKE(q->arena, double, (size_t)order *(size_t)order);
    if (!out->states) return rt_fail_memory(error);
    memcpy(out->states, out->E, (size_t)order * (size_t)order * sizeof(double));
    return ROUTH_OK;
}

/* What the rows of a kind are counted in. */
static double varied_size(const levels *q, rt_varied kind, int i)
{
    const double rate = q->p.rate;
    switch (kind) {
    case RT_VARIED_XI: return q->p.s->unit[i];
    case RT_VARIED_U: return q->p.s->unit[i] * rate;
    case RT_VARIED_UDOT: return q->p.s->unit[i] * rate * rate;
    case RT_VARIED_LAMBDA: return q->lambda_size;
    case RT_VARIED_RATE: return q->x_size[i] * rate;
    default: return q->v_size[i];
    }
}

static routh_status fill_varied(levels *q, const rt_dense *free_part, const rt_dense *held,
                                rt_finite_pencil *out, routh_error *error)
{
    for (int kind = 0; kind < RT_VARIED_N; kind++) {
        rt_dense by_c, by_input, *part = &q->part[kind];
        for (int c = 0; c < part->columns; c++)
            for (int i = 0; i < part->rows; i++)
                rt_dense_column(part, c)[i] *= varied_size(q, (rt_varied)kind, i);
        if (!rt_dense_times(&by_c, part, free_part, q->arena) ||
            !rt_dense_times(&by_input, part, held, q->arena))
            return rt_fail_memory(error);
        out->by_c[kind] = by_c.at;
        out->by_input[kind] = by_input.at;
    }
    return ROUTH_OK;
}

static routh_status fill_sizes(levels *q, rt_finite_pencil *out, routh_error *error)
{
    const int n_mechanical = q->p.z + q->z1;
    out->size = RT_TAKE(q->arena, double, out->order);
    out->in_size = RT_TAKE(q->arena, double, 3 * (size_t)q->n_in);
    if (!out->size || !out->in_size) return rt_fail_memory(error);
    for (int k = 0; k < out->order; k++)
        out->size[k] = k < n_mechanical ? q->size[k] : q->x_size[k - n_mechanical];
    for (int k = 0; k < 3 * q->n_in; k++)
        out->in_size[k] = q->in_size[k % q->n_in] * pow(q->p.rate, k / q->n_in);
    return ROUTH_OK;
}

/* ---- putting it together -------------------------------------------------------------------- */

static routh_status prepare(levels *q, const rt_state_row *rows, routh_error *error)
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
    size_states(q);
    size_forces(q);
    if (q->task->whole && !size_signals(q)) return rt_fail_memory(error);
    return ROUTH_OK;
}

routh_status rt_deflate_levels(const rt_method_task *task, const rt_state_row *rows,
                               rt_arena *arena, rt_finite_pencil *out, routh_error *error)
{
    levels q = {.task = task, .arena = arena};
    rt_dense free_part, held;
    routh_status status = prepare(&q, rows, error);
    if (!status) status = position_level(&q, error);
    if (!status) status = velocity_level(&q, error);
    if (!status) status = last_level(&q, error);
    if (!status) status = part_inputs(&q, &free_part, &held, error);
    if (status) return status;
    *out = (rt_finite_pencil){.n = q.p.n,
                              .z = q.p.z,
                              .z1 = q.z1,
                              .n_x = q.n_x,
                              .order = q.p.z + q.z1 + q.n_x,
                              .rate = q.p.rate,
                              .n_infinite = 3 * q.p.n + q.p.m + q.n_x + q.n_v,
                              .n_v = q.n_v,
                              .n_inputs = 3 * q.n_in,
                              .n_kept = q.p.m,
                              .slot = q.p.slot};
    status = fill_pencil(&q, &free_part, &held, out, error);
    if (!status) status = fill_varied(&q, &free_part, &held, out, error);
    if (!status) status = fill_sizes(&q, out, error);
    out->xi = out->by_c[RT_VARIED_XI];
    out->u = out->by_c[RT_VARIED_U];
    return status;
}
