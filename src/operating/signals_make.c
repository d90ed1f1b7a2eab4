/* What the search for rates of controllers and variables keeps, made once; and which of the
 * unknowns follow one after another without a loop. */
#include "base/kept_memory.h"
#include "operating/signals.h"

rt_sensor_kind rt_signals_kind(const rt_signals *k, int equation, int *number)
{
    *number = equation < k->n_x ? equation : equation - k->n_x;
    return equation < k->n_x ? RT_SENSOR_STATE : RT_SENSOR_VARIABLE;
}

static bool signals_make_take_arrays(rt_signals *k, const routh_mechanism *m)
{
    rt_arena *a = &k->arena;
    const size_t n = (size_t)k->n, n_p = (size_t)m->n_u + (size_t)m->n_rows + n;
    k->rows = RT_TAKE(a, rt_sensor_row, n);
    k->place = RT_TAKE(a, int, n);
    k->explicit_order = RT_TAKE(a, int, n);
    k->feels = RT_TAKE(a, bool, n);
    k->placed = RT_TAKE(a, bool, 2 * (size_t)k->n_x);
    k->pushes = RT_TAKE(a, bool, (size_t)k->n_x + n);
    k->J = RT_TAKE(a, double, 3 * n * n);
    k->row_scale = RT_TAKE(a, double, 5 * n + (size_t)k->n_x);
    k->pivots = RT_TAKE(a, int, n);
    k->step = RT_TAKE(a, double, n_p);
    k->acceleration = RT_TAKE(a, double, m->n_u);
    k->start = RT_TAKE(a, double, n_p);
    if (!k->rows || !k->place || !k->explicit_order || !k->feels || !k->placed || !k->pushes ||
        !k->J || !k->row_scale || !k->pivots || !k->step || !k->acceleration || !k->start)
        return false;
    k->lost = k->placed + k->n_x;
    k->terms = k->J + n * n;
    k->lu = k->terms + n * n;
    k->column_scale = k->row_scale + n;
    k->weight = k->column_scale + n;
    k->g = k->weight + n;
    k->magnitude = k->g + n;
    k->step_udot = k->step + n;
    k->step_lambda = k->step_udot + m->n_u;
    k->start_udot = k->start + n;
    k->start_lambda = k->start_udot + m->n_u;
    return true;
}

static routh_status signals_make_take_rows(rt_signals *k, const routh_mechanism *m,
                                           routh_error *error)
{
    rt_sensor_row *equations, *variables;
    routh_status status = rt_sensor_rows(m, RT_SENSOR_STATE, &equations, &k->arena, error);
    if (!status) status = rt_sensor_rows(m, RT_SENSOR_VARIABLE, &variables, &k->arena, error);
    if (status) return status;
    for (int i = 0; i < k->n; i++) k->rows[i] = i < k->n_x ? equations[i] : variables[i - k->n_x];
    return ROUTH_OK;
}

/* Who depends on whom: nodes are the unknowns x', v, and, last, the accelerations with the joint
 * forces. */
typedef struct dependencies {
    int *start, *to; /* of node i: to[start[i]] .. */
    int *stack, *next;
    bool *seen;
} dependencies;

static int unknown_at(const rt_signals *k, int place)
{
    const int j = place - k->n_x;
    return j >= 0 && j < k->n ? j : -1;
}

/* A rate is an unknown of its own equation by nature; a variable that uses itself is a loop. */
static int list_of_node(const rt_signals *k, const routh_mechanism *m, int node, int *to)
{
    int n = 0;
    if (node == k->n) {
        for (int j = 0; j < k->n; j++)
            if (k->pushes[k->n_x + j]) to[n++] = j;
        return n;
    }
    const rt_sensor_row *row = &k->rows[node];
    for (int i = 0; i < row->n_signals; i++) {
        const int j = unknown_at(k, row->signals[i]);
        if (j >= 0 && j != node) to[n++] = j;
    }
    if (node >= k->n_x && rt_sensor_reads(m, RT_SENSOR_VARIABLE, node - k->n_x, k->n_x + node))
        to[n++] = node;
    if (k->feels[node]) to[n++] = k->n;
    return n;
}

static bool list_dependencies(const rt_signals *k, const routh_mechanism *m, dependencies *d,
                              rt_arena *arena)
{
    const size_t n = (size_t)k->n + 1;
    size_t most = n + 2;
    for (int i = 0; i < k->n; i++) most += (size_t)k->rows[i].n_signals + 2;
    d->start = RT_TAKE(arena, int, n + 1);
    d->to = RT_TAKE(arena, int, most);
    d->stack = RT_TAKE(arena, int, n);
    d->next = RT_TAKE(arena, int, n);
    d->seen = RT_TAKE(arena, bool, n);
    if (!d->start || !d->to || !d->stack || !d->next || !d->seen) return false;
    for (int i = 0; i <= k->n; i++)
        d->start[i + 1] = d->start[i] + list_of_node(k, m, i, d->to + d->start[i]);
    return true;
}

/* Walks to everything a node depends on, depth first; whether it comes back to it. Nodes are added
 * to `order` (NULL: not) when all they depend on has been. */
static bool signals_make_walk(dependencies *d, int from, int *order, int *n_order)
{
    bool back = false;
    int depth = 0;
    d->stack[0] = from;
    d->next[from] = d->start[from];
    d->seen[from] = true;
    while (depth >= 0) {
        const int node = d->stack[depth];
        if (d->next[node] == d->start[node + 1]) {
            if (order) order[(*n_order)++] = node;
            depth--;
            continue;
        }
        const int to = d->to[d->next[node]++];
        back = back || to == from;
        if (d->seen[to]) continue;
        d->seen[to] = true;
        d->next[to] = d->start[to];
        d->stack[++depth] = to;
    }
    return back;
}

/* Unknowns in no loop, each after those it depends on. */
static routh_status find_explicit(rt_signals *k, const routh_mechanism *m, routh_error *error)
{
    rt_arena arena = {.kept = m->analyses};
    dependencies d;
    const size_t nodes = (size_t)k->n + 1;
    int n = 0;
    int *order = RT_TAKE(&arena, int, nodes);
    bool *loop = RT_TAKE(&arena, bool, nodes);
    if (!order || !loop || !list_dependencies(k, m, &d, &arena)) {
        rt_arena_free(&arena);
        return rt_fail_memory(error);
    }
    for (int i = 0; i <= k->n; i++) {
        memset(d.seen, 0, nodes * sizeof *d.seen);
        loop[i] = signals_make_walk(&d, i, NULL, NULL);
    }
    memset(d.seen, 0, nodes * sizeof *d.seen);
    for (int i = 0; i <= k->n; i++)
        if (!d.seen[i]) signals_make_walk(&d, i, order, &n);
    for (int i = 0; i < n; i++)
        if (order[i] < k->n && !loop[order[i]]) k->explicit_order[k->n_explicit++] = order[i];
    rt_arena_free(&arena);
    return ROUTH_OK;
}

static routh_status signals_make(rt_signals *k, const routh_mechanism *m, routh_error *error)
{
    k->n_x = m->model->n_control_states;
    k->n_v = m->model->n_variables;
    k->n = k->n_x + k->n_v;
    if (!signals_make_take_arrays(k, m)) return rt_fail_memory(error);
    const routh_status status = signals_make_take_rows(k, m, error);
    if (status) return status;
    for (int i = 0; i < k->n; i++) {
        int number;
        const rt_sensor_kind kind = rt_signals_kind(k, i, &number);
        k->feels[i] = rt_sensor_feels(m, kind, number);
        k->place[i] = k->n_x + i;
    }
    for (int i = 0; i < k->n_x + k->n; i++)
        k->pushes[i] = m->pattern_R.start[i + 1] > m->pattern_R.start[i];
    return find_explicit(k, m, error);
}

routh_status rt_signals_create(rt_signals **signals, const routh_mechanism *m, routh_error *error)
{
    rt_signals *k = rt_kept_calloc(m->analyses, 1, sizeof *k);
    *signals = NULL;
    if (!k) return rt_fail_memory(error);
    k->arena.kept = m->analyses;
    const routh_status status = signals_make(k, m, error);
    if (status) {
        rt_signals_free(k);
        return status;
    }
    *signals = k;
    return ROUTH_OK;
}

void rt_signals_free(rt_signals *k)
{
    if (!k) return;
    rt_arena_free(&k->arena);
    rt_kept_free(k);
}

bool rt_signals_use_forces(const rt_search *s)
{
    bool use = false;
    for (int i = 0; s->signals && i < s->signals->n; i++)
        use = use || s->signals->rows[i].n_lambda > 0;
    return use;
}
