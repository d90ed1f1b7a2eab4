/* The entries of S, T and U (sensitivity_paths.h). */
#include <string.h>

#include "studies/sensitivity_paths.h"

/* ---- entries -------------------------------------------------------------------------------- */

static void sensitivity_paths_entries_add(rt_path_entries *l, int row, int column, int power,
                                          double sign, const double *from, int varied)
{
    if (l->paths) l->paths[l->n] = (rt_path_entry){row, column, power, sign, from, varied};
    l->n++;
}

/* Where a signal's column of z is; -1: an input. */
static int sensitivity_paths_entries_signal_column(const rt_levels_pencil *p, int place)
{
    if (place < p->n_x) return p->z + p->z1 + place;
    if (place < 2 * p->n_x) return p->n1 + p->rate + place - p->n_x;
    if (place < 2 * p->n_x + p->n_v) return p->n1 + p->v + place - 2 * p->n_x;
    return -1;
}

static void add_drive(rt_paths *v, int j, int input)
{
    const rt_levels_pencil *p = v->p;
    const routh_mechanism *m = p->s->m;
    for (int k = 0; k < m->n_driven; k++) {
        const int r = m->driven[k].row, at = v->drive_at + 3 * k;
        const double *a = p->s->w->drive + 3 * (size_t)k;
        if (m->driven[k].input != input) continue;
        if (p->position_slot[r] >= 0)
            sensitivity_paths_entries_add(&v->S, p->n1 + p->position + p->position_slot[r], j, 0, 1,
                                          a, at);
        if (p->slot[r] < 0) continue;
        const int velocity = p->n1 + p->velocity + p->slot[r], row = p->n1 + p->rows + p->slot[r];
        sensitivity_paths_entries_add(&v->S, velocity, j, 0, 1, a + 1, at + 1);
        sensitivity_paths_entries_add(&v->S, velocity, j, 1, 1, a, at);
        sensitivity_paths_entries_add(&v->S, row, j, 0, 1, a + 2, at + 2);
        sensitivity_paths_entries_add(&v->S, row, j, 1, 2, a + 1, at + 1);
        sensitivity_paths_entries_add(&v->S, row, j, 2, 1, a, at);
    }
}

/* By an input's own signal, in the forces and in the equations of controllers and variables. */
static void add_own(rt_paths *v, int j, int input)
{
    const rt_levels_pencil *p = v->p;
    const routh_mechanism *m = p->s->m;
    const int place = m->n_signals - m->model->n_inputs + input;
    const rt_pattern *R = &m->pattern_R;
    for (int e = R->start[place]; e < R->start[place + 1]; e++)
        sensitivity_paths_entries_add(&v->S, p->n1 + p->motion + R->row[e], j, 0, 1, p->s->w->L + e,
                                      p->array[RT_VARIED_L] + e);
    for (int k = 0; k < p->n_x + p->n_v; k++) {
        const rt_sensor_row *g =
            k < p->n_x ? &p->task->equations[k] : &p->task->variables[k - p->n_x];
        const int at = p->sensor[k] + 3 * g->n_columns + g->n_lambda;
        for (int c = 0; c < g->n_signals; c++)
            if (g->signals[c] == place)
                sensitivity_paths_entries_add(&v->S, p->n1 + p->equations + k, j, 0, 1,
                                              g->by_signal + c, at + c);
    }
    add_drive(v, j, input);
}

/* A force that does work on the state: s_x . xi */
static void add_force(rt_paths *v, int j, int state)
{
    const rt_levels_pencil *p = v->p;
    const rt_state_row *s = &p->states[state];
    for (int c = 0; c < s->n; c++)
        sensitivity_paths_entries_add(&v->S, p->n1 + p->motion + s->columns[c], j, 0, -1,
                                      s->s_x + c, p->state_at[state] + c);
}

/* Seen from the ground, which accelerates by e in'', every body has that acceleration besides. */
static void sensitivity_paths_entries_add_ground(rt_paths *v, int j, int axis)
{
    const rt_levels_pencil *p = v->p;
    const routh_mechanism *m = p->s->m;
    const rt_pattern *M = &m->pattern_M;
    for (int c = 0; c < p->n; c++) {
        int body, component;
        if (rt_elastic_of_column(m, c) >= 0) continue;
        m->set->column(m->model, c, &body, &component);
        if (component != axis) continue;
        for (int e = M->start[c]; e < M->start[c + 1]; e++)
            sensitivity_paths_entries_add(&v->S, p->n1 + p->motion + M->row[e], j, 2, 1,
                                          p->s->w->M + e, p->array[RT_VARIED_M] + e);
    }
}

static void sensitivity_paths_entries_add_sensor(rt_paths *v, int i, int output,
                                                 const rt_channels *channels)
{
    const rt_levels_pencil *p = v->p;
    const routh_mechanism *m = p->s->m;
    const rt_sensor_row *g = &v->outputs[output];
    const int level[3] = {p->xi, p->u, p->a}, first = m->n_signals - m->model->n_inputs;
    int at = v->output_at[output];
    for (int l = 0; l < 3; l++)
        for (int c = 0; c < g->n_columns; c++, at++)
            sensitivity_paths_entries_add(&v->T, i, p->n1 + level[l] + g->columns[c], 0, 1,
                                          g->by_x + l * (ptrdiff_t)g->n_columns + c, at);
    for (int c = 0; c < g->n_lambda; c++, at++)
        if (p->slot[g->lambda[c]] >= 0)
            sensitivity_paths_entries_add(&v->T, i, p->n1 + p->lambda + p->slot[g->lambda[c]], 0, 1,
                                          g->by_lambda + c, at);
    for (int c = 0; c < g->n_signals; c++, at++) {
        const int column = sensitivity_paths_entries_signal_column(p, g->signals[c]);
        if (column >= 0)
            sensitivity_paths_entries_add(&v->T, i, column, 0, 1, g->by_signal + c, at);
        for (int j = 0; j < channels->n_in && column < 0; j++)
            if (channels->in[j].kind == RT_CHANNEL_OWN &&
                channels->in[j].index == g->signals[c] - first)
                sensitivity_paths_entries_add(&v->U, i, j, 0, 1, g->by_signal + c, at);
    }
}

/* A displacement along the ground's motion is counted with the ground's own. */
static void add_ground_seen(rt_paths *v, int i, const routh_state_name *state, bool rate,
                            const rt_channels *channels)
{
    static const char *const ends[3] = {".x", ".y", ".z"};
    const size_t n = strlen(state->name);
    if (n < 2 || strcmp(state->unit, "m") != 0 || strcmp(state->frame, "ground") != 0) return;
    for (int j = 0; j < channels->n_in; j++)
        if (channels->in[j].kind == RT_CHANNEL_BASE &&
            strcmp(state->name + n - 2, ends[channels->in[j].index]) == 0)
            sensitivity_paths_entries_add(&v->U, i, j, rate, 1, NULL, -1);
}

/* ---- what is asked for ---------------------------------------------------------------------- */

int rt_paths_place_of(const rt_levels_pencil *p, const routh_linear *mine,
                      const routh_linear *linear, int state)
{
    const int from = linear->n_position, to = from + linear->n_velocity;
    if (state >= to) return p->z + p->z1 + state - to;
    const bool rate = state >= from;
    for (int k = rate ? p->z : 0; k < (rate ? p->z + p->z1 : p->z); k++)
        if (strcmp(mine->states[k].name, linear->states[state].name) == 0) return k;
    return -1;
}

typedef struct sensitivity_paths_entries_places {
    int *in, *out; /* of channels that are states */
} sensitivity_paths_entries_places;

static routh_status sensitivity_paths_entries_find_places(
    sensitivity_paths_entries_places *at, const rt_levels_pencil *p, const routh_linear *mine,
    const routh_linear *linear, const rt_channels *c, rt_arena *arena, routh_error *error)
{
    at->in = RT_TAKE(arena, int, c->n_in), at->out = RT_TAKE(arena, int, c->n_out);
    if (!at->in || !at->out) return rt_fail_memory(error);
    for (int k = 0; k < c->n_in + c->n_out; k++) {
        const rt_channel *x = k < c->n_in ? &c->in[k] : &c->out[k - c->n_in];
        int *to = k < c->n_in ? &at->in[k] : &at->out[k - c->n_in];
        *to = x->kind == RT_CHANNEL_STATE
                  ? rt_paths_place_of(p, mine, linear, x->index)
                  : 0;
        if (*to < 0)
            return rt_fail(error, ROUTH_NOT_SUPPORTED,
                           "the state %s has no derivatives by parameters; use an output of the "
                           "model (--of)",
                           linear->states[x->index].name);
    }
    return ROUTH_OK;
}

static void sensitivity_paths_entries_add_all(rt_paths *v,
                                              const sensitivity_paths_entries_places *at,
                                              const routh_linear *linear, const rt_channels *c)
{
    const int rates = linear->n_position, last = rates + linear->n_velocity;
    v->S.n = v->T.n = v->U.n = 0;
    for (int j = 0; j < c->n_in; j++) {
        if (c->in[j].kind == RT_CHANNEL_OWN) add_own(v, j, c->in[j].index);
        if (c->in[j].kind == RT_CHANNEL_STATE) add_force(v, j, at->in[j]);
        if (c->in[j].kind == RT_CHANNEL_BASE)
            sensitivity_paths_entries_add_ground(v, j, c->in[j].index);
    }
    for (int i = 0; i < c->n_out; i++) {
        const int k = c->out[i].index;
        if (c->out[i].kind == RT_CHANNEL_OWN) {
            sensitivity_paths_entries_add_sensor(v, i, k, c);
            continue;
        }
        sensitivity_paths_entries_add(&v->T, i, at->out[i], 0, 1, NULL, -1);
        if (k < last)
            add_ground_seen(v, i, &linear->states[k < rates ? k : k - rates], k >= rates, c);
    }
}

static bool sensitivity_paths_entries_take_lists(rt_paths *v, rt_arena *arena)
{
    v->S.paths = RT_TAKE(arena, rt_path_entry, v->S.n);
    v->T.paths = RT_TAKE(arena, rt_path_entry, v->T.n);
    v->U.paths = RT_TAKE(arena, rt_path_entry, v->U.n);
    return v->S.paths && v->T.paths && v->U.paths;
}

/* What a force on a state, or the ground's motion, does at once to accelerations and joint forces
 * is not in the linear model, so a response to them cannot be had there. */
static routh_status sensitivity_paths_entries_check_felt(const rt_paths *v, int output,
                                                         const rt_channels *c, routh_error *error)
{
    const rt_sensor_row *g = &v->outputs[output];
    bool felt = g->n_lambda > 0;
    for (int k = 0; k < g->n_columns; k++) felt = felt || g->by_a[k] != 0;
    for (int j = 0; j < c->n_in && felt; j++)
        if (c->in[j].kind != RT_CHANNEL_OWN)
            return rt_fail(error, ROUTH_NOT_SUPPORTED,
                           "the output %s depends on accelerations or joint forces, and the linear "
                           "model does not contain the direct effect of %s on it; define the input "
                           "in the model",
                           v->p->s->m->model->outputs[output].name, c->in[j].name);
    return ROUTH_OK;
}

/* The outputs that are looked at, as the workspace stands; and where their derivatives go. */
static routh_status take_outputs(rt_paths *v, const rt_channels *c, rt_arena *arena,
                                 routh_error *error)
{
    const rt_search *s = v->p->s;
    const int n = s->m->model->n_outputs;
    v->drive_at = v->p->n_varied;
    v->n_varied = v->drive_at + 3 * s->m->n_driven;
    v->output_at = RT_TAKE(arena, int, n);
    if (!v->output_at) return rt_fail_memory(error);
    for (int k = 0; k < n; k++) v->output_at[k] = -1;
    routh_status status = rt_sensor_rows(s->m, RT_SENSOR_OUTPUT, &v->outputs, arena, error);
    for (int i = 0; i < c->n_out && !status; i++) {
        const int k = c->out[i].index;
        if (c->out[i].kind != RT_CHANNEL_OWN || v->output_at[k] >= 0) continue;
        rt_sensor_row *g = &v->outputs[k];
        v->output_at[k] = v->n_varied;
        v->n_varied += 3 * g->n_columns + g->n_lambda + g->n_signals;
        status = rt_sensor_evaluate(s->m, s->w, s->state, RT_SENSOR_OUTPUT, k, true, g, error);
        if (!status) status = sensitivity_paths_entries_check_felt(v, k, c, error);
    }
    if (status) return status;
    v->varied = RT_TAKE(arena, double, v->n_varied);
    return v->varied ? ROUTH_OK : rt_fail_memory(error);
}

routh_status rt_paths_find(rt_paths *v, const rt_levels_pencil *p, const routh_linear *mine,
                           const routh_linear *linear, const rt_channels *channels,
                           rt_arena *arena, routh_error *error)
{
    sensitivity_paths_entries_places at;
    *v = (rt_paths){.p = p, .n = p->n1 + p->n2, .n_in = channels->n_in, .n_out = channels->n_out};
    routh_status status =
        sensitivity_paths_entries_find_places(&at, p, mine, linear, channels, arena, error);
    if (!status) status = take_outputs(v, channels, arena, error);
    if (status) return status;
    sensitivity_paths_entries_add_all(v, &at, linear, channels);
    if (!sensitivity_paths_entries_take_lists(v, arena)) return rt_fail_memory(error);
    sensitivity_paths_entries_add_all(v, &at, linear, channels);
    return ROUTH_OK;
}

routh_status rt_paths_create(rt_paths *v, const rt_levels_pencil *p, const routh_linear *mine,
                             const routh_linear *linear, const rt_channels *channels,
                             rt_arena *arena, routh_error *error)
{
    const routh_status status = rt_paths_find(v, p, mine, linear, channels, arena, error);
    return status ? status : rt_paths_prepare(v, arena, error);
}
