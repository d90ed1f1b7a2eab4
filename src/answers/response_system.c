/* The equations that are solved at a frequency, as polynomials in s. */
#include <string.h>

#include "answers/pencil.h"
#include "answers/response_transfer.h"

/* ---- outputs on the states ------------------------------------------------------------------- */

/* out = row y + d[k] s^k in, of output i; row: n_states. */
static void output_row(const routh_linear *l, const rt_channels *c, int i, double *row,
                       double *const D[RT_D])
{
    const rt_channel *o = &c->out[i];
    memset(row, 0, (size_t)l->n_states * sizeof *row);
    if (o->kind == RT_CHANNEL_STATE)
        row[o->index] = 1;
    else
        memcpy(row, l->C + (size_t)o->index * l->n_states, (size_t)l->n_states * sizeof *row);
    const double *own[3] = {l->D, l->D1, l->D2};
    for (int j = 0; j < c->n_in; j++)
        for (int k = 0; k < 3; k++)
            if (o->kind == RT_CHANNEL_OWN && c->in[j].kind == RT_CHANNEL_OWN && own[k])
                D[k][(size_t)i * c->n_in + j] +=
                    own[k][(size_t)o->index * l->n_inputs + c->in[j].index];
}

/* A displacement along the ground's motion is counted with the ground's own. */
static void response_system_add_ground(const routh_linear *l, const rt_channels *c, int i,
                                       double *const D[RT_D])
{
    static const char *const ends[3] = {".x", ".y", ".z"};
    const rt_channel *o = &c->out[i];
    if (o->kind != RT_CHANNEL_STATE) return;
    const bool rate = o->index >= l->n_position;
    if (o->index >= l->n_position + l->n_velocity) return;
    const routh_state_name *s = &l->states[rate ? o->index - l->n_position : o->index];
    const size_t n = strlen(s->name);
    if (n < 2 || strcmp(s->unit, "m") != 0 || strcmp(s->frame, "ground") != 0) return;
    for (int j = 0; j < c->n_in; j++)
        if (c->in[j].kind == RT_CHANNEL_BASE && strcmp(s->name + n - 2, ends[c->in[j].index]) == 0)
            D[rate][(size_t)i * c->n_in + j] += 1;
}

/* ---- dense ----------------------------------------------------------------------------------- */

static bool response_system_take(rt_system *x, rt_arena *arena)
{
    const size_t n = (size_t)x->n, m = (size_t)x->n_in, p = (size_t)x->n_out;
    bool all = true;
    for (int k = 0; k < RT_Z && !x->pattern; k++) all &= !!(x->Z[k] = RT_TAKE(arena, double, n *n));
    for (int k = 0; k < RT_R; k++) all &= !!(x->R[k] = RT_TAKE(arena, double, n *m));
    for (int k = 0; k < RT_C; k++) all &= !!(x->C[k] = RT_TAKE(arena, double, n *p));
    for (int k = 0; k < RT_D; k++) all &= !!(x->D[k] = RT_TAKE(arena, double, m *p));
    return all;
}

/* Are the rates of S its velocities and nothing else? */
static bool response_system_is_plain(const routh_linear *l)
{
    if (!rt_pencil_exists(l) || l->n_position != l->n_velocity) return false;
    for (int i = 0; i < l->n_position; i++)
        for (int j = 0; j < l->n_states; j++)
            if (l->A[(size_t)i * l->n_states + j] != (j == l->n_position + i)) return false;
    return true;
}

/* S' = W + b_S(s), so W = s S - b_S; then
 *     (s^2 M + s D + K) S - coupling X = f + (s M + D) b_S
 *     (s I - A_XX) X - (A_XS + s A_XW) S = b_X - A_XW b_S,    out = C_S S + C_W (s S - b_S) + .. */
static void response_system_fill_plain(rt_system *x, const routh_linear *l, const rt_loads *loads)
{
    const int z = l->n_position, nx = l->n_control, N = l->n_states, n = x->n, m = x->n_in;
    for (int i = 0; i < z; i++)
        for (int j = 0; j < z; j++) {
            const size_t at = (size_t)i * z + j;
            x->Z[0][i + (size_t)n * j] = l->stiffness[at];
            x->Z[1][i + (size_t)n * j] = l->damping[at];
            x->Z[2][i + (size_t)n * j] = l->mass[at];
        }
    for (int i = 0; i < z; i++)
        for (int j = 0; j < nx; j++)
            x->Z[0][i + (size_t)n * (z + j)] = -l->coupling[(size_t)i * nx + j];
    for (int i = 0; i < nx; i++) {
        const double *row = l->A + (size_t)(2 * z + i) * N;
        for (int j = 0; j < z; j++) {
            x->Z[0][z + i + (size_t)n * j] = -row[j];
            x->Z[1][z + i + (size_t)n * j] = -row[z + j];
        }
        for (int j = 0; j < nx; j++) x->Z[0][z + i + (size_t)n * (z + j)] = -row[2 * z + j];
        x->Z[1][z + i + (size_t)n * (z + i)] = 1;
    }
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < m; c++) {
            for (int i = 0; i < z; i++)
                x->R[k][i + (size_t)n * c] += loads->force[k][(size_t)i * m + c];
            for (int i = 0; i < nx; i++)
                x->R[k][z + i + (size_t)n * c] += loads->rate[k][(size_t)(2 * z + i) * m + c];
            for (int j = 0; j < z; j++) {
                const double b = loads->rate[k][(size_t)j * m + c];
                for (int i = 0; i < z && b != 0; i++) {
                    x->R[k][i + (size_t)n * c] += l->damping[(size_t)i * z + j] * b;
                    x->R[k + 1][i + (size_t)n * c] += l->mass[(size_t)i * z + j] * b;
                }
                for (int i = 0; i < nx && b != 0; i++)
                    x->R[k][z + i + (size_t)n * c] -= l->A[(size_t)(2 * z + i) * N + z + j] * b;
            }
        }
}

static void output_plain(rt_system *x, const routh_linear *l, const rt_loads *loads, int i,
                         const double *row)
{
    const int z = l->n_position, n = x->n, m = x->n_in;
    for (int j = 0; j < z; j++) {
        x->C[0][(size_t)i * n + j] = row[j];
        x->C[1][(size_t)i * n + j] = row[z + j];
    }
    for (int j = 0; j < l->n_control; j++) x->C[0][(size_t)i * n + z + j] = row[2 * z + j];
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < m; c++)
            for (int j = 0; j < z; j++)
                x->D[k][(size_t)i * m + c] -= row[z + j] * loads->rate[k][(size_t)j * m + c];
}

/* s E - F as it is; without a mass s I - A. */
static void response_system_fill_whole(rt_system *x, const routh_linear *l, const rt_loads *loads)
{
    const int N = l->n_states, z = l->n_position, w = l->n_velocity, m = x->n_in;
    const bool mass = rt_pencil_exists(l);
    for (int i = 0; i < N; i++) {
        const int v = i - z;
        if (!mass || v < 0 || v >= w) {
            for (int j = 0; j < N; j++) x->Z[0][i + (size_t)N * j] = -l->A[(size_t)i * N + j];
            x->Z[1][i + (size_t)N * i] = 1;
            continue;
        }
        for (int j = 0; j < z; j++) x->Z[0][i + (size_t)N * j] = l->stiffness[(size_t)v * z + j];
        for (int j = 0; j < w; j++) {
            x->Z[0][i + (size_t)N * (z + j)] = l->damping[(size_t)v * w + j];
            x->Z[1][i + (size_t)N * (z + j)] = l->mass[(size_t)v * w + j];
        }
        for (int j = 0; j < l->n_control; j++)
            x->Z[0][i + (size_t)N * (z + w + j)] = -l->coupling[(size_t)v * l->n_control + j];
    }
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < m; c++) {
            for (int i = 0; i < N; i++)
                x->R[k][i + (size_t)N * c] = loads->rate[k][(size_t)i * m + c];
            for (int i = 0; mass && i < w; i++)
                x->R[k][z + i + (size_t)N * c] = loads->force[k][(size_t)i * m + c];
        }
}

routh_status rt_system_make(rt_system *x, const routh_linear *l, const rt_channels *c,
                            rt_arena *arena, routh_error *error)
{
    const bool plain = response_system_is_plain(l);
    rt_loads loads;
    *x = (rt_system){.n = plain ? l->n_position + l->n_control : l->n_states,
                     .n_in = c->n_in,
                     .n_out = c->n_out};
    double *row = RT_TAKE(arena, double, l->n_states);
    if (!row || !response_system_take(x, arena)) return rt_fail_memory(error);
    const routh_status status = rt_loads_find(&loads, l, c, arena, error);
    if (status) return status;
    if (plain)
        response_system_fill_plain(x, l, &loads);
    else
        response_system_fill_whole(x, l, &loads);
    for (int i = 0; i < c->n_out; i++) {
        output_row(l, c, i, row, x->D);
        if (plain)
            output_plain(x, l, &loads, i, row);
        else
            memcpy(x->C[0] + (size_t)i * x->n, row, (size_t)x->n * sizeof *row);
        response_system_add_ground(l, c, i, x->D);
    }
    return ROUTH_OK;
}

routh_status rt_outputs_find(rt_system *x, const routh_linear *l, const rt_channels *c,
                             rt_arena *arena, routh_error *error)
{
    *x = (rt_system){.n = l->n_states, .n_in = c->n_in, .n_out = c->n_out};
    x->C[0] = RT_TAKE(arena, double, (size_t)c->n_out *(size_t)l->n_states);
    bool all = x->C[0] != NULL;
    for (int k = 0; k < RT_D; k++)
        all &= !!(x->D[k] = RT_TAKE(arena, double, (size_t)c->n_in *(size_t)c->n_out));
    if (!all) return rt_fail_memory(error);
    for (int i = 0; i < c->n_out; i++) {
        output_row(l, c, i, x->C[0] + (size_t)i * l->n_states, x->D);
        response_system_add_ground(l, c, i, x->D);
    }
    return ROUTH_OK;
}

/* ---- sparse ---------------------------------------------------------------------------------- */

/* Entries of the descriptor's matrices in terms of x = (xi, lambda), du = s xi:
 *     [s^2 M + s D + K, G' + L; G, 0] */
typedef struct response_system_entry_list {
    int *row, *column, *power;
    double *value;
    size_t n;
} response_system_entry_list;

static void response_system_add_entry(response_system_entry_list *l, int row, int column, int power,
                                      double value)
{
    l->row[l->n] = row;
    l->column[l->n] = column;
    l->power[l->n] = power;
    l->value[l->n++] = value;
}

static void response_system_gather(response_system_entry_list *l, const routh_descriptor *d)
{
    const int n = d->n_coordinates;
    const routh_sparse *E = &d->E, *A = &d->A;
    for (int c = n; c < 2 * n; c++) /* of E diag(I, M, 0) only M */
        for (int e = E->start[c]; e < E->start[c + 1]; e++)
            if (E->row[e] >= n) response_system_add_entry(l, E->row[e] - n, c - n, 2, E->value[e]);
    for (int c = 0; c < A->n_columns; c++)
        for (int e = A->start[c]; e < A->start[c + 1]; e++) {
            if (A->row[e] < n) continue;
            const bool rate = c >= n && c < 2 * n;
            response_system_add_entry(l, A->row[e] - n, c < n ? c : c - n, rate, -A->value[e]);
        }
}

/* Column c (of 2 n + m) of a descriptor's unknowns, from those of x: place and power of s. */
static void response_system_place_of(const routh_descriptor *d, int c, int *place, int *power)
{
    const int n = d->n_coordinates;
    *power = c >= n && c < 2 * n;
    *place = c < n ? c : c - n;
}

static void response_system_signals(rt_system *x, const routh_descriptor *d, const rt_channels *c)
{
    const routh_sparse *s = &d->states;
    for (int col = 0; col < s->n_columns; col++)
        for (int e = s->start[col]; e < s->start[col + 1]; e++) {
            int place, power;
            response_system_place_of(d, col, &place, &power);
            for (int j = 0; j < c->n_in; j++) /* a force on S_k does work on s_x xi */
                if (c->in[j].index == s->row[e] && !power)
                    x->R[0][place + (size_t)x->n * j] += s->value[e];
            for (int i = 0; i < c->n_out; i++)
                if (c->out[i].index == s->row[e])
                    x->C[power][(size_t)i * x->n + place] += s->value[e];
        }
}

routh_status rt_system_make_sparse(rt_system *x, const routh_descriptor *d, const rt_channels *c,
                                   rt_arena *arena, routh_error *error)
{
    const size_t most = (size_t)d->E.start[d->E.n_columns] + (size_t)d->A.start[d->A.n_columns];
    response_system_entry_list l = {RT_TAKE(arena, int, most), RT_TAKE(arena, int, most),
                                    RT_TAKE(arena, int, most), RT_TAKE(arena, double, most), 0};
    int *position = RT_TAKE(arena, int, most);
    rt_pattern *pattern = RT_TAKE(arena, rt_pattern, 1);
    if (!l.row || !l.column || !l.power || !l.value || !position || !pattern)
        return rt_fail_memory(error);
    *x = (rt_system){.n = d->n_coordinates + d->n_constraints, .n_in = c->n_in, .n_out = c->n_out};
    response_system_gather(&l, d);
    const routh_status status =
        rt_pattern_build(pattern, x->n, x->n, l.n, l.row, l.column, position, arena, error);
    if (status) return status;
    x->pattern = pattern;
    for (int k = 0; k < RT_Z; k++) {
        x->Z[k] = RT_TAKE(arena, double, pattern->start[x->n]);
        if (!x->Z[k]) return rt_fail_memory(error);
    }
    if (!response_system_take(x, arena)) return rt_fail_memory(error);
    for (size_t k = 0; k < l.n; k++) x->Z[l.power[k]][position[k]] += l.value[k];
    response_system_signals(x, d, c);
    return ROUTH_OK;
}
