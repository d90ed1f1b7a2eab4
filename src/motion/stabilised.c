#include "motion/stabilised.h"

#include <stdlib.h>

#include "base/rotation.h"
#include "motion/chart.h"
#include "system/sensor.h"

/* Entries of the Jacobian: their places are listed in the same walk that gives their values
 * later. */
typedef struct stabilised_walk {
    int *row, *column; /* while the pattern is made; NULL: only counted */
    const int *at;     /* where entries go; NULL while the pattern is made */
    double *values;
    size_t n;
} stabilised_walk;

struct rt_stabilised {
    rt_arena arena;
    const routh_mechanism *m;
    rt_coordinate_chart chart; /* which columns are turns, and where they are */
    int *variable; /* n_u: the position of a column; of turns that of their quaternion */
    int n_p, n, n_kept, n_positions, n_x, n_v;
    int first_u, first_lambda, first_mu, first_x, first_v, size;
    int *slot, *place; /* n_rows: among the rows kept; among those with a position level; or -1 */
    rt_sensor_row *states, *variables;
    rt_pattern pattern;
    int *position;    /* of every entry in the walk */
    double *w;        /* n_u: u + S G_p' mu */
    double *mu;       /* n_rows */
    rt_frame *frames; /* n_bodies */
    double *unused;   /* n_u */
};

/* ---- made once ------------------------------------------------------------------------------- */

static void number_unknowns(rt_stabilised *k, const rt_search *s)
{
    const rt_elimination *position = s->position_rank ? s->position_rank : s->rank;
    for (int c = 0; c < k->n; c++) {
        const int place = k->chart.place[c];
        const rt_turn *t = place < 0 ? &k->chart.turn[-1 - place] : NULL;
        if (t && c > t->column)
            k->variable[c] = k->variable[t->column];
        else
            k->variable[c] = k->n_p, k->n_p += t ? 4 : 1;
    }
    for (int r = 0; r < k->m->n_rows; r++) {
        k->slot[r] = s->rank->row_step[r] < 0 ? -1 : k->n_kept++;
        k->place[r] = position->row_step[r] < 0 ? -1 : k->n_positions++;
    }
    k->first_u = k->n_p;
    k->first_lambda = k->first_u + k->n;
    k->first_mu = k->first_lambda + k->n_kept;
    k->first_x = k->first_mu + k->n_positions;
    k->first_v = k->first_x + k->n_x;
    k->size = k->first_v + k->n_v;
}

static void walk_all(const rt_stabilised *k, const rt_run *run, double c, const double *y,
                     stabilised_walk *out);

static routh_status stabilised_make_pattern(rt_stabilised *k, const rt_run *run, routh_error *error)
{
    stabilised_walk list = {0};
    walk_all(k, run, 0, NULL, &list);
    const size_t room = list.n;
    k->position = RT_TAKE(&k->arena, int, room);
    list.row = malloc((2 * room + 1) * sizeof *list.row);
    if (!k->position || !list.row) {
        free(list.row);
        return rt_fail_memory(error);
    }
    list.column = list.row + room;
    list.n = 0;
    walk_all(k, run, 0, NULL, &list);
    const routh_status status = rt_pattern_build(&k->pattern, k->size, k->size, list.n, list.row,
                                                 list.column, k->position, &k->arena, error);
    free(list.row);
    return status;
}

static routh_status stabilised_make(rt_stabilised *k, const rt_run *run, routh_error *error)
{
    const routh_mechanism *m = run->m;
    rt_arena *a = &k->arena;
    k->m = m;
    k->n = m->n_u, k->n_x = m->model->n_control_states, k->n_v = m->model->n_variables;
    k->variable = RT_TAKE(a, int, m->n_u);
    k->slot = RT_TAKE(a, int, m->n_rows);
    k->place = RT_TAKE(a, int, m->n_rows);
    k->w = RT_TAKE(a, double, m->n_u);
    k->unused = RT_TAKE(a, double, m->n_u);
    k->mu = RT_TAKE(a, double, m->n_rows);
    k->frames = RT_TAKE(a, rt_frame, m->n_bodies);
    if (!k->variable || !k->slot || !k->place || !k->w || !k->unused || !k->mu || !k->frames)
        return rt_fail_memory(error);
    routh_status status = rt_chart_create(&k->chart, m, a, error);
    if (!status) status = rt_sensor_rows(m, RT_SENSOR_STATE, &k->states, a, error);
    if (!status) status = rt_sensor_rows(m, RT_SENSOR_VARIABLE, &k->variables, a, error);
    if (status) return status;
    number_unknowns(k, &run->search);
    return stabilised_make_pattern(k, run, error);
}

routh_status rt_stabilised_create(rt_stabilised **equations, const rt_run *run, routh_error *error)
{
    *equations = NULL;
    rt_stabilised *k = calloc(1, sizeof *k);
    if (!k) return rt_fail_memory(error);
    const routh_status status = stabilised_make(k, run, error);
    if (status)
        rt_stabilised_free(k);
    else
        *equations = k;
    return status;
}

void rt_stabilised_free(rt_stabilised *k)
{
    if (!k) return;
    rt_arena_free(&k->arena);
    free(k);
}

bool rt_stabilised_fits(const rt_stabilised *k, const rt_run *run)
{
    const rt_search *s = &run->search;
    const rt_elimination *position = s->position_rank ? s->position_rank : s->rank;
    for (int r = 0; r < k->m->n_rows; r++)
        if ((k->slot[r] < 0) != (s->rank->row_step[r] < 0) ||
            (k->place[r] < 0) != (position->row_step[r] < 0))
            return false;
    return true;
}

int rt_stabilised_size(const rt_stabilised *k) { return k->size; }

const rt_pattern *rt_stabilised_pattern(const rt_stabilised *k) { return &k->pattern; }

/* ---- states ---------------------------------------------------------------------------------- */

static bool stabilised_is_first(const rt_stabilised *k, int column, const rt_turn **turn)
{
    const int place = k->chart.place[column];
    *turn = place < 0 ? &k->chart.turn[-1 - place] : NULL;
    return !*turn || (*turn)->column == column;
}

/* p' of a turn: p_0' = -e.w / 2,  e' = (p_0 w + e x w) / 2 */
static void quaternion_rate(const double p[4], const double w[3], double rate[4])
{
    double cross[3];
    rt_v3_cross(cross, p + 1, w);
    rate[0] = -rt_v3_dot(p + 1, w) / 2;
    for (int i = 0; i < 3; i++) rate[1 + i] = (p[0] * w[i] + cross[i]) / 2;
}

void rt_stabilised_take(const rt_stabilised *k, const rt_run *run, double *y, double *ydot)
{
    const rt_state *s = run->search.state;
    memset(y, 0, (size_t)k->size * sizeof *y);
    memset(ydot, 0, (size_t)k->size * sizeof *ydot);
    for (int c = 0; c < k->n; c++) {
        const rt_turn *t;
        const int v = k->variable[c];
        if (!stabilised_is_first(k, c, &t)) continue;
        if (!t) {
            y[v] = s->q[k->chart.place[c]], ydot[v] = s->u[c];
            continue;
        }
        if (t->q < 0)
            rt_rotation_to_quaternion(y + v, run->search.w->bodies[t->body].A);
        else
            memcpy(y + v, s->q + t->q, 4 * sizeof *y);
        quaternion_rate(y + v, s->u + c, ydot + v);
    }
    memcpy(y + k->first_u, s->u, (size_t)k->n * sizeof *y);
    memcpy(ydot + k->first_u, s->udot, (size_t)k->n * sizeof *y);
    for (int r = 0; r < k->m->n_rows; r++)
        if (k->slot[r] >= 0) y[k->first_lambda + k->slot[r]] = s->lambda[r];
    memcpy(y + k->first_x, s->signal, (size_t)k->n_x * sizeof *y);
    memcpy(ydot + k->first_x, s->signal + k->n_x, (size_t)k->n_x * sizeof *y);
    memcpy(y + k->first_v, s->signal + 2 * k->n_x, (size_t)k->n_v * sizeof *y);
}

/* Orientations that q has in another form: from frames. */
static void put_bodies(rt_stabilised *k, const double *y, rt_state *s)
{
    for (int b = 0; b < k->m->n_bodies; b++) {
        rt_frame *f = &k->frames[b];
        const int column = k->m->bodies[b].block.columns[0];
        for (int i = 0; i < 3; i++) f->r[i] = y[k->variable[column + i]];
        rt_rotation_from_quaternion(f->A, y + k->variable[column + 3]);
    }
    k->m->set->take(k->m->n_bodies, k->frames, s->q, k->unused);
}

routh_status rt_stabilised_put(rt_stabilised *k, rt_run *run, double t, const double *y,
                               const double *ydot, routh_error *error)
{
    rt_state *s = run->search.state;
    bool of_bodies = false;
    for (int c = 0; c < k->n; c++) {
        const rt_turn *turn;
        const int v = k->variable[c];
        if (!stabilised_is_first(k, c, &turn)) continue;
        if (!turn)
            s->q[k->chart.place[c]] = y[v];
        else if (turn->q >= 0)
            memcpy(s->q + turn->q, y + v, 4 * sizeof *y);
        else
            of_bodies = true;
    }
    if (of_bodies) put_bodies(k, y, s);
    memcpy(s->u, y + k->first_u, (size_t)k->n * sizeof *y);
    memcpy(s->udot, ydot + k->first_u, (size_t)k->n * sizeof *y);
    for (int r = 0; r < k->m->n_rows; r++)
        s->lambda[r] = k->slot[r] >= 0 ? y[k->first_lambda + k->slot[r]] : 0;
    memcpy(s->signal, y + k->first_x, (size_t)k->n_x * sizeof *y);
    memcpy(s->signal + k->n_x, ydot + k->first_x, (size_t)k->n_x * sizeof *y);
    memcpy(s->signal + 2 * k->n_x, y + k->first_v, (size_t)k->n_v * sizeof *y);
    return rt_run_time(run, s, t, error);
}

/* ---- residuals ------------------------------------------------------------------------------- */

/* The sensors of controllers and variables, with partials where these are wanted. */
static routh_status evaluate_sensors(rt_stabilised *k, const rt_search *s, bool partials,
                                     routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int e = 0; e < k->n_x && !status; e++)
        status = rt_sensor_evaluate(k->m, s->w, s->state, RT_SENSOR_STATE, e, partials,
                                    &k->states[e], error);
    for (int e = 0; e < k->n_v && !status; e++)
        status = rt_sensor_evaluate(k->m, s->w, s->state, RT_SENSOR_VARIABLE, e, partials,
                                    &k->variables[e], error);
    return status;
}

static routh_status stabilised_evaluate(rt_stabilised *k, rt_run *run, double t, const double *y,
                                        const double *ydot, bool partials, routh_error *error)
{
    rt_search *s = &run->search;
    const int first = RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN | RT_EVALUATE_RESIDUAL;
    const int more = RT_EVALUATE_MASS | RT_EVALUATE_TANGENT | RT_EVALUATE_LEVELS;
    routh_status status = rt_stabilised_put(k, run, t, y, ydot, error);
    run->count.evaluations++;
    if (!status) status = rt_evaluate(k->m, s->w, s->state, partials ? first | more : first, error);
    return status ? status : evaluate_sensors(k, s, partials, error);
}

/* w = u + S G_p' mu */
static void stabilised_find_rates(rt_stabilised *k, const rt_run *run, const double *y)
{
    const double *unit = run->search.unit;
    for (int r = 0; r < k->m->n_rows; r++)
        k->mu[r] = k->place[r] >= 0 ? y[k->first_mu + k->place[r]] : 0;
    memset(k->w, 0, (size_t)k->n * sizeof *k->w);
    rt_sparse_transpose_multiply_add(&k->m->pattern_G, run->search.w->G, 1, k->mu, k->w);
    for (int c = 0; c < k->n; c++) k->w[c] = y[k->first_u + c] + unit[c] * unit[c] * k->w[c];
}

routh_status rt_stabilised_residual(rt_stabilised *k, rt_run *run, double t, const double *y,
                                    const double *ydot, double *residual, routh_error *error)
{
    const rt_workspace *w = run->search.w;
    const routh_status status = stabilised_evaluate(k, run, t, y, ydot, false, error);
    if (status) return status;
    stabilised_find_rates(k, run, y);
    for (int c = 0; c < k->n; c++) {
        const rt_turn *turn;
        const int v = k->variable[c];
        double rate[4] = {k->w[c]};
        if (!stabilised_is_first(k, c, &turn)) continue;
        if (turn) quaternion_rate(y + v, k->w + c, rate);
        for (int i = 0; i < (turn ? 4 : 1); i++) residual[v + i] = ydot[v + i] - rate[i];
    }
    memcpy(residual + k->first_u, w->residual, (size_t)k->n * sizeof *residual);
    for (int r = 0; r < k->m->n_rows; r++) {
        if (k->slot[r] >= 0) residual[k->first_lambda + k->slot[r]] = w->phi[1][r];
        if (k->place[r] >= 0) residual[k->first_mu + k->place[r]] = w->phi[0][r];
    }
    for (int e = 0; e < k->n_x; e++) residual[k->first_x + e] = k->states[e].value;
    for (int e = 0; e < k->n_v; e++) residual[k->first_v + e] = k->variables[e].value;
    return ROUTH_OK;
}

/* ---- the Jacobian ---------------------------------------------------------------------------- */

static void stabilised_entry(stabilised_walk *w, int row, int column, double value)
{
    if (w->at)
        w->values[w->at[w->n]] += value;
    else if (w->row)
        w->row[w->n] = row, w->column[w->n] = column;
    w->n++;
}

/* An entry by xi of column c becomes those by positions: of turns, with p = (p_0, e),
 *     xi = 2 [-e, p_0 I - e~] dp / p'p */
static void entry_by_xi(const rt_stabilised *k, stabilised_walk *w, const double *y, int row, int c,
                        double value)
{
    const int place = k->chart.place[c], v = k->variable[c];
    if (place >= 0) {
        stabilised_entry(w, row, v, value);
        return;
    }
    const int axis = c - k->chart.turn[-1 - place].column, i = (axis + 1) % 3, j = (axis + 2) % 3;
    const double none[4] = {1}, *p = y ? y + v : none, *e = p + 1;
    const double by = 2 * value / (p[0] * p[0] + rt_v3_dot(e, e));
    double part[4];
    part[0] = -e[axis];
    part[1 + axis] = p[0];
    part[1 + i] = e[j];
    part[1 + j] = -e[i];
    for (int n = 0; n < 4; n++) stabilised_entry(w, row, v + n, by * part[n]);
}

/* Rows p' - N(p) w: by p', p and u; those by mu come with G. */
static void walk_rates(const rt_stabilised *k, double c, const double *y, stabilised_walk *out)
{
    for (int column = 0; column < k->n; column++) {
        const rt_turn *turn;
        const int v = k->variable[column];
        if (!stabilised_is_first(k, column, &turn)) continue;
        if (!turn) {
            stabilised_entry(out, v, v, c);
            stabilised_entry(out, v, k->first_u + column, -1);
            continue;
        }
        const double none[4] = {1}, *p = y ? y + v : none, *w = k->w + column;
        for (int n = 0; n < 7; n++) { /* by p, then by w: both are linear */
            double unit[7] = {0}, rate[4];
            unit[n] = 1;
            quaternion_rate(n < 4 ? unit : p, n < 4 ? w : unit + 4, rate);
            for (int i = 0; i < 4; i++)
                stabilised_entry(out, v + i, n < 4 ? v + n : k->first_u + column + n - 4,
                                 (i == n ? c : 0) - rate[i]);
        }
    }
}

/* Row r of G at column c: in both levels, in the forces, and by mu in the rates. */
static void walk_row(const rt_stabilised *k, const rt_run *run, const double *y, int r, int c,
                     int p, stabilised_walk *out)
{
    const rt_workspace *w = run->search.w;
    const double G = w->G[p], S = run->search.unit[c] * run->search.unit[c];
    if (k->slot[r] >= 0) {
        const int at = k->first_lambda + k->slot[r];
        stabilised_entry(out, at, k->first_u + c, G);
        stabilised_entry(out, k->first_u + c, at, G);
        entry_by_xi(k, out, y, at, c, w->Vx[p]);
    }
    if (k->place[r] < 0) return;
    const int at = k->first_mu + k->place[r], place = k->chart.place[c], v = k->variable[c];
    entry_by_xi(k, out, y, at, c, G);
    if (place >= 0) {
        stabilised_entry(out, v, at, -S * G);
        return;
    }
    const double none[4] = {1};
    double unit[3] = {0}, rate[4];
    unit[c - k->chart.turn[-1 - place].column] = 1;
    quaternion_rate(y ? y + v : none, unit, rate);
    for (int i = 0; i < 4; i++) stabilised_entry(out, v + i, at, -S * G * rate[i]);
}

/* The column of a signal, and by what its unknown and the rate of it count. */
static int stabilised_signal_column(const rt_stabilised *k, int place, double c, double *by)
{
    *by = 1;
    if (place < k->n_x) return k->first_x + place;
    if (place < 2 * k->n_x) {
        *by = c;
        return k->first_x + place - k->n_x;
    }
    return place < 2 * k->n_x + k->n_v ? k->first_v + place - 2 * k->n_x : -1;
}

static void walk_forces(const rt_stabilised *k, const rt_run *run, double c, const double *y,
                        stabilised_walk *out)
{
    const routh_mechanism *m = k->m;
    const rt_workspace *w = run->search.w;
    for (int j = 0; j < k->n; j++) {
        for (int p = m->pattern_M.start[j]; p < m->pattern_M.start[j + 1]; p++)
            stabilised_entry(out, k->first_u + m->pattern_M.row[p], k->first_u + j, c * w->M[p]);
        for (int p = m->pattern_K.start[j]; p < m->pattern_K.start[j + 1]; p++) {
            stabilised_entry(out, k->first_u + m->pattern_K.row[p], k->first_u + j, w->D[p]);
            entry_by_xi(k, out, y, k->first_u + m->pattern_K.row[p], j, w->K[p]);
        }
        for (int p = m->pattern_G.start[j]; p < m->pattern_G.start[j + 1]; p++)
            walk_row(k, run, y, m->pattern_G.row[p], j, p, out);
    }
    for (int r = 0; r < m->n_rows; r++)
        for (int p = m->pattern_L.start[r]; p < m->pattern_L.start[r + 1]; p++)
            if (k->slot[r] >= 0)
                stabilised_entry(out, k->first_u + m->pattern_L.row[p],
                                 k->first_lambda + k->slot[r], w->L[p]);
    for (int s = 0; s < m->n_signals; s++) {
        double by;
        const int column = stabilised_signal_column(k, s, c, &by);
        for (int p = m->pattern_R.start[s]; p < m->pattern_R.start[s + 1]; p++)
            if (column >= 0)
                stabilised_entry(out, k->first_u + m->pattern_R.row[p], column, by * w->L[p]);
    }
}

static void walk_equation(const rt_stabilised *k, double c, const double *y, int at,
                          const rt_sensor_row *row, stabilised_walk *out)
{
    for (int j = 0; j < row->n_columns; j++) {
        entry_by_xi(k, out, y, at, row->columns[j], row->by_x[j]);
        stabilised_entry(out, at, k->first_u + row->columns[j], row->by_u[j] + c * row->by_a[j]);
    }
    for (int j = 0; j < row->n_lambda; j++)
        if (k->slot[row->lambda[j]] >= 0)
            stabilised_entry(out, at, k->first_lambda + k->slot[row->lambda[j]], row->by_lambda[j]);
    for (int j = 0; j < row->n_signals; j++) {
        double by;
        const int column = stabilised_signal_column(k, row->signals[j], c, &by);
        if (column >= 0) stabilised_entry(out, at, column, by * row->by_signal[j]);
    }
}

static void walk_all(const rt_stabilised *k, const rt_run *run, double c, const double *y,
                     stabilised_walk *out)
{
    walk_rates(k, c, y, out);
    walk_forces(k, run, c, y, out);
    for (int e = 0; e < k->n_x; e++) walk_equation(k, c, y, k->first_x + e, &k->states[e], out);
    for (int e = 0; e < k->n_v; e++) walk_equation(k, c, y, k->first_v + e, &k->variables[e], out);
}

routh_status rt_stabilised_jacobian(rt_stabilised *k, rt_run *run, double t, double c,
                                    const double *y, const double *ydot, double *values,
                                    routh_error *error)
{
    const routh_status status = stabilised_evaluate(k, run, t, y, ydot, true, error);
    if (status) return status;
    stabilised_find_rates(k, run, y);
    memset(values, 0, (size_t)k->pattern.start[k->size] * sizeof *values);
    stabilised_walk fill = {.at = k->position, .values = values};
    walk_all(k, run, c, y, &fill);
    return ROUTH_OK;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

void rt_stabilised_weights(const rt_stabilised *k, const rt_run *run, double *weight)
{
    static const double slowest = 1e-3, nothing = 1e-30; /* 1/s: slower counts as rest */
    const double *unit = run->search.unit, typical = run->m->length * run->tolerance;
    const double curve = sqrt(rt_run_norm(run, run->now->udot));
    const double rate = fmax(fmax(rt_run_norm(run, run->now->u), curve), slowest);
    for (int j = 0; j < k->size; j++) weight[j] = nothing;
    for (int c = 0; c < k->n; c++) {
        const rt_turn *turn;
        weight[k->first_u + c] = 1 / (unit[c] * typical * rate);
        if (!stabilised_is_first(k, c, &turn)) continue;
        for (int i = 0; i < (turn ? 4 : 1); i++)
            weight[k->variable[c] + i] = turn ? 2 / run->tolerance : 1 / (unit[c] * typical);
    }
    for (int j = 0; j < k->n_x; j++)
        weight[k->first_x + j] = 1 / (rt_run_size_x(run, j) * run->tolerance);
}

void rt_stabilised_kinds(const rt_stabilised *k, double *kind)
{
    for (int j = 0; j < k->size; j++)
        kind[j] = j < k->first_lambda || (j >= k->first_x && j < k->first_v);
}
