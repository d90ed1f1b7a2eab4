/* Rates of controllers and variables, found together with the accelerations:
 *
 *     r(u', lambda, p) = 0,   Phi''(u') = 0,   g(u', lambda, p) = 0,   p = (x', v),
 * at given q, u, x, inputs. Newton's method on all of them; mechanics is eliminated,
 *     [M G'+L; G 0] [Z_a; Z_l] = -[R; 0],        J = g_p + g_a Z_a + g_lambda Z_l,
 *     [M G'+L; G 0] [a; l] = -[r; Phi''],        J dp = -(g + g_a a + g_lambda l),
 *     [M G'+L; G 0] [du'; dlambda] = -[r + R dp; Phi''].
 * A step that does not bring the equations nearer is halved. Where J is singular a loop of
 * variables and accelerations has no solution, or no single one. */
#include "operating/signals.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/lapack.h"

/* ---- making --------------------------------------------------------------------------------- */

rt_sensor_kind rt_signals_kind(const rt_signals *k, int equation, int *number)
{
    *number = equation < k->n_x ? equation : equation - k->n_x;
    return equation < k->n_x ? RT_SENSOR_STATE : RT_SENSOR_VARIABLE;
}

static bool take_arrays(rt_signals *k, const routh_mechanism *m)
{
    rt_arena *a = &k->arena;
    const size_t n = (size_t)k->n, n_p = (size_t)m->n_u + (size_t)m->n_rows + n;
    k->rows = RT_TAKE(a, rt_sensor_row, n);
    k->place = RT_TAKE(a, int, n);
    k->explicit_order = RT_TAKE(a, int, n);
    k->feels = RT_TAKE(a, bool, n);
    k->placed = RT_TAKE(a, bool, k->n_x);
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

static routh_status take_rows(rt_signals *k, const routh_mechanism *m, routh_error *error)
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
static bool walk(dependencies *d, int from, int *order, int *n_order)
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
    rt_arena arena = {0};
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
        loop[i] = walk(&d, i, NULL, NULL);
    }
    memset(d.seen, 0, nodes * sizeof *d.seen);
    for (int i = 0; i <= k->n; i++)
        if (!d.seen[i]) walk(&d, i, order, &n);
    for (int i = 0; i < n; i++)
        if (order[i] < k->n && !loop[order[i]]) k->explicit_order[k->n_explicit++] = order[i];
    rt_arena_free(&arena);
    return ROUTH_OK;
}

static routh_status make(rt_signals *k, const routh_mechanism *m, routh_error *error)
{
    k->n_x = m->model->n_control_states;
    k->n_v = m->model->n_variables;
    k->n = k->n_x + k->n_v;
    if (!take_arrays(k, m)) return rt_fail_memory(error);
    const routh_status status = take_rows(k, m, error);
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
    rt_signals *k = calloc(1, sizeof *k);
    *signals = NULL;
    if (!k) return rt_fail_memory(error);
    const routh_status status = make(k, m, error);
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
    free(k);
}

bool rt_signals_use_forces(const rt_search *s)
{
    bool use = false;
    for (int i = 0; s->signals && i < s->signals->n; i++)
        use = use || s->signals->rows[i].n_lambda > 0;
    return use;
}

/* ---- explicit ones -------------------------------------------------------------------------- */

void rt_sweep_signals(rt_search *s, bool all)
{
    rt_signals *k = s->signals;
    if (!all) rt_evaluate_frames(s->m, s->w, s->state);
    for (int i = 0; i < k->n_explicit; i++) {
        const int e = k->explicit_order[i];
        int number;
        const rt_sensor_kind kind = rt_signals_kind(k, e, &number);
        const bool rate = kind == RT_SENSOR_STATE;
        rt_sensor_row *row = &k->rows[e];
        if ((!all && (k->feels[e] || rate)) ||
            rt_sensor_evaluate(s->m, s->w, s->state, kind, number, rate, row, NULL))
            continue;
        double slope = 1; /* an equation of a rate is taken as linear in it */
        for (int j = 0; j < row->n_signals && rate; j++)
            if (row->signals[j] == k->place[e]) slope = row->by_signal[j];
        const double value = s->state->signal[k->n_x + e] - row->value / slope;
        if (isfinite(value)) s->state->signal[k->n_x + e] = value;
    }
}

/* ---- residuals ------------------------------------------------------------------------------ */

/* sum |dg/dy| |y| but for signal `without` (-1: all), whose partial goes into *slope */
static double terms_of(const rt_search *s, int equation, int without, double *slope)
{
    const rt_signals *k = s->signals;
    const rt_sensor_row *row = &k->rows[equation];
    double sum = 0;
    for (int i = 0; i < row->n_columns; i++) {
        const int c = row->columns[i];
        sum += fabs(row->by_x[i]) * s->m->length * s->unit[c] +
               fabs(row->by_u[i] * s->state->u[c]) +
               fabs(row->by_a[i]) * fmax(k->acceleration[c], fabs(s->state->udot[c]));
    }
    for (int i = 0; i < row->n_lambda; i++)
        sum += fabs(row->by_lambda[i]) * fmax(k->force, fabs(s->state->lambda[row->lambda[i]]));
    for (int i = 0; i < row->n_signals; i++) {
        const int place = row->signals[i];
        const double size = place < k->n_x + k->n ? k->magnitude[place] : 0;
        if (place == without)
            *slope = fabs(row->by_signal[i]);
        else
            sum += fabs(row->by_signal[i]) * fmax(size, fabs(s->state->signal[place]));
    }
    return sum;
}

/* Of the signal that stands in equation k for it: v, or x. */
static void find_magnitude(const rt_search *s, int equation)
{
    const rt_signals *k = s->signals;
    const int place = equation < k->n_x ? equation : k->n_x + equation;
    double slope = 0;
    const double sum = terms_of(s, equation, place, &slope);
    k->magnitude[place] = fabs(s->state->signal[place]);
    if (slope > 0) k->magnitude[place] = fmax(k->magnitude[place], sum / slope);
}

/* Forces that cancel leave rounding of this size. */
static void find_forces(const rt_search *s)
{
    rt_signals *k = s->signals;
    const rt_pattern *M = &s->m->pattern_M;
    k->force = rt_largest_force(s) * fmax(1, s->m->length);
    for (int c = 0; c < s->m->n_u; c++) {
        double mass = 0;
        for (int p = M->start[c]; p < M->start[c + 1]; p++)
            if (M->row[p] == c) mass = fabs(s->w->M[p]);
        k->acceleration[c] = mass > 0 ? s->w->scale[c] / mass : 0;
    }
}

/* Twice: through a state each time. What is in loops is not followed round. */
static void find_magnitudes(const rt_search *s)
{
    const rt_signals *k = s->signals;
    find_forces(s);
    for (int i = 0; i < k->n_x + k->n; i++) k->magnitude[i] = fabs(s->state->signal[i]);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < k->n_explicit; i++)
            if (k->explicit_order[i] >= k->n_x) find_magnitude(s, k->explicit_order[i]);
        for (int i = 0; i < k->n; i++) find_magnitude(s, i);
    }
}

double rt_signals_size(const rt_search *s, int equation)
{
    double unused;
    return terms_of(s, equation, -1, &unused);
}

routh_status rt_signals_evaluate(rt_search *s, bool partials, routh_error *error)
{
    rt_signals *k = s->signals;
    routh_status status = ROUTH_OK;
    for (int i = 0; i < k->n && !status; i++) {
        int number;
        const rt_sensor_kind kind = rt_signals_kind(k, i, &number);
        status =
            rt_sensor_evaluate(s->m, s->w, s->state, kind, number, partials, &k->rows[i], error);
    }
    if (!status && partials) find_magnitudes(s);
    return status;
}

void rt_add_signal_rounding(const rt_search *s, double *force)
{
    const rt_signals *k = s->signals;
    const rt_pattern *R = &s->m->pattern_R;
    for (int i = 0; i < k->n_x + k->n; i++)
        for (int p = R->start[i]; p < R->start[i + 1]; p++)
            force[R->row[p]] += fabs(s->w->L[p]) * 4 * DBL_EPSILON * k->magnitude[i];
}

double rt_signals_error(const rt_search *s, int *equation)
{
    double worst = 0;
    *equation = -1;
    for (int i = 0; s->signals && i < s->signals->n; i++) {
        const double off = fabs(s->signals->rows[i].value);
        const double e = off > 0 ? off / (off + rt_signals_size(s, i)) : 0;
        if (e > worst) worst = e, *equation = i;
    }
    return worst;
}

double rt_signals_rate_part(const rt_search *s, int state)
{
    const rt_signals *k = s->signals;
    double part = 0;
    for (int j = 0; j < k->rows[state].n_signals; j++) {
        const int place = k->rows[state].signals[j];
        if (place >= k->n_x && place < 2 * k->n_x)
            part += fabs(k->rows[state].by_signal[j] * s->state->signal[place]);
    }
    return part > 0 ? part / rt_signals_size(s, state) : 0;
}

double rt_signals_motion(const rt_search *s)
{
    double worst = 0;
    for (int i = 0; s->signals && i < s->signals->n_x; i++)
        worst = fmax(worst, rt_signals_rate_part(s, i));
    return worst;
}

static routh_status evaluate(rt_search *s, routh_error *error)
{
    const int what =
        RT_EVALUATE_PHI | RT_EVALUATE_RESIDUAL | RT_EVALUATE_JACOBIAN | RT_EVALUATE_MASS;
    const routh_status status = rt_evaluate(s->m, s->w, s->state, what, error);
    return status ? status : rt_signals_evaluate(s, true, error);
}

/* ---- Newton's step -------------------------------------------------------------------------- */

/* g_a x + g_lambda y, or the sum of the sizes of its terms */
static double along(const rt_sensor_row *row, const double *x, const double *y, bool sizes)
{
    double sum = 0;
    for (int i = 0; i < row->n_columns; i++) {
        const double term = row->by_a[i] * x[row->columns[i]];
        sum += sizes ? fabs(term) : term;
    }
    for (int i = 0; i < row->n_lambda; i++) {
        const double term = row->by_lambda[i] * y[row->lambda[i]];
        sum += sizes ? fabs(term) : term;
    }
    return sum;
}

static void own_partials(rt_signals *k)
{
    const size_t n = (size_t)k->n;
    memset(k->J, 0, 2 * n * n * sizeof *k->J);
    for (int i = 0; i < k->n; i++)
        for (int p = 0; p < k->rows[i].n_signals; p++)
            for (int j = 0; j < k->n; j++) {
                if (k->place[j] != k->rows[i].signals[p]) continue;
                k->J[i + n * (size_t)j] = k->rows[i].by_signal[p];
                k->terms[i + n * (size_t)j] = fabs(k->rows[i].by_signal[p]);
            }
}

/* -R's column of the signal into x, 0 into y */
static void put_push(const rt_search *s, int place, double *x, double *y)
{
    const rt_pattern *R = &s->m->pattern_R;
    memset(x, 0, (size_t)s->m->n_u * sizeof *x);
    memset(y, 0, (size_t)s->m->n_rows * sizeof *y);
    for (int p = R->start[place]; p < R->start[place + 1]; p++) x[R->row[p]] = -s->w->L[p];
}

/* J and the sizes of its terms. */
static routh_status make_jacobian(rt_search *s, bool whole, routh_error *error)
{
    rt_signals *k = s->signals;
    const size_t n = (size_t)k->n;
    bool any = false;
    own_partials(k);
    for (int i = 0; i < k->n; i++) any = any || k->feels[i];
    for (int j = 0; j < k->n && any; j++) {
        if (!k->pushes[k->place[j]]) continue;
        put_push(s, k->place[j], s->x, s->y);
        const routh_status status = rt_solve_accelerations(s, whole, s->x, s->y, error);
        if (status) return status;
        for (int i = 0; i < k->n; i++) {
            k->J[i + n * (size_t)j] += along(&k->rows[i], s->x, s->y, false);
            k->terms[i + n * (size_t)j] += along(&k->rows[i], s->x, s->y, true);
        }
    }
    return ROUTH_OK;
}

/* Rows, then columns, to a largest term of 1. */
static void equilibrate(rt_signals *k)
{
    const int n = k->n;
    for (int i = 0; i < 2 * n; i++) k->row_scale[i] = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            k->row_scale[i] = fmax(k->row_scale[i], k->terms[i + (size_t)n * j]);
    for (int i = 0; i < n; i++)
        if (k->row_scale[i] == 0) k->row_scale[i] = 1;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            k->column_scale[j] =
                fmax(k->column_scale[j], k->terms[i + (size_t)n * j] / k->row_scale[i]);
        if (k->column_scale[j] == 0) k->column_scale[j] = 1;
        for (int i = 0; i < n; i++) k->J[i + (size_t)n * j] /= k->row_scale[i] * k->column_scale[j];
    }
}

/* ---- loops without solution ----------------------------------------------------------------- */

/* Of J, equilibrated: a pivot, then a singular value, below this is none. */
static const double SINGULAR = 1e-12;

static void add_text(char *text, size_t room, const char *a, const char *b, const char *c)
{
    const size_t used = strlen(text);
    snprintf(text + used, room - used, "%s%s%s", a, b, c);
}

void rt_signals_name(const rt_search *s, const int *equations, int n, char *text, size_t room)
{
    enum { MOST = 4 };
    text[0] = 0;
    for (int i = 0; i < n && i < MOST; i++) {
        int number;
        const rt_sensor_kind kind = rt_signals_kind(s->signals, equations[i], &number);
        const routh_model *model = s->m->model;
        const char *before = i == 0 ? "" : i == n - 1 ? " and " : ", ";
        if (kind == RT_SENSOR_STATE)
            add_text(text, room, before, "the rate of ", model->control_states[number].name);
        else
            add_text(text, room, before, "", model->variables[number].name);
    }
    if (n <= MOST) return;
    char more[32];
    snprintf(more, sizeof more, " and %d more", n - MOST);
    add_text(text, room, more, "", "");
}

/* Unknowns with a large part in the loop, the first of the largest at the head. */
static int list_loop(const rt_signals *k, const double *null, int *list)
{
    int n = 0, largest = 0;
    for (int j = 1; j < k->n; j++)
        if (fabs(null[j]) > 1.01 * fabs(null[largest])) largest = j;
    list[n++] = largest;
    for (int j = 0; j < k->n; j++)
        if (j != largest && fabs(null[j]) > 1e-3 * fabs(null[largest])) list[n++] = j;
    return n;
}

static routh_status no_solution(const rt_search *s, const double *null, int *list,
                                routh_error *error)
{
    const rt_signals *k = s->signals;
    const int n = list_loop(k, null, list);
    char element[192], names[256];
    rt_place place;
    int number;
    const rt_sensor_kind kind = rt_signals_kind(k, list[0], &number);
    rt_sensor_describe(s->m, kind, number, element, &place);
    rt_signals_name(s, list, n, names, sizeof names);
    if (kind == RT_SENSOR_STATE)
        return rt_fail_at(error, ROUTH_SINGULAR, s->m->model->file, place, element,
                          "the equations do not determine %s: a differential equation must fix the "
                          "rate of its state, and the derivative by it vanishes here; write what "
                          "holds between states and motion alone as a variable, or let the "
                          "equation use RATE of its state",
                          names);
    return rt_fail_at(error, ROUTH_SINGULAR, s->m->model->file, place, element,
                      "an algebraic loop without a single solution: %s depend%s on %s (directly or "
                      "through accelerations and joint forces) so that a change of %s comes back "
                      "in full and the equations cannot be solved at these values; change a gain "
                      "of the loop, put a lag (type: differential) into it, or give a guess where "
                      "the equations are not flat",
                      names, n == 1 ? "s" : "", n == 1 ? "itself" : "one another",
                      n == 1 ? "it" : "them");
}

/* Called only where a pivot is next to nothing. (allocates) */
static routh_status check_singular(const rt_search *s, routh_error *error)
{
    const rt_signals *k = s->signals;
    const size_t n = (size_t)k->n;
    double *work = malloc((3 * n * n + n) * sizeof *work);
    int *list = malloc(n * sizeof *list);
    routh_status status = work && list ? ROUTH_OK : rt_fail_memory(error);
    if (!status) {
        double *sigma = work + n * n, *vt = sigma + n, *u = vt + n * n;
        memcpy(work, k->J, n * n * sizeof *work);
        status = rt_svd(k->n, k->n, work, sigma, u, vt, error);
        if (!status && sigma[n - 1] <= SINGULAR) {
            /* J z = 0 is in the loop and what it moves, y'J = 0 in the loop and what moves it */
            double most = 0;
            for (size_t j = 0; j < n; j++) {
                work[j] = vt[n - 1 + n * j] * u[j + n * (n - 1)];
                most = fmax(most, fabs(work[j]));
            }
            for (size_t j = 0; j < n && most < SINGULAR; j++) work[j] = vt[n - 1 + n * j];
            status = no_solution(s, work, list, error);
        }
    }
    free(work);
    free(list);
    return status;
}

static routh_status factor_jacobian(const rt_search *s, routh_error *error)
{
    rt_signals *k = s->signals;
    const size_t n = (size_t)k->n;
    double smallest = INFINITY;
    equilibrate(k);
    memcpy(k->lu, k->J, n * n * sizeof *k->lu);
    if (k->least_norm)
        return rt_svd(k->n, k->n, k->lu, k->least_norm->sigma, k->least_norm->u, k->least_norm->vt,
                      error);
    routh_status status = rt_lu_factor(k->n, k->lu, k->pivots, error);
    for (size_t i = 0; i < n && !status; i++) smallest = fmin(smallest, fabs(k->lu[i + n * i]));
    if (status != ROUTH_SINGULAR && (status || smallest > SINGULAR)) return status;
    const routh_status checked = check_singular(s, error);
    return checked ? checked : status;
}

/* ---- the step ------------------------------------------------------------------------------- */

static void put_motion(const rt_search *s, const double *r, const double *phi, double *x, double *y)
{
    for (int c = 0; c < s->m->n_u; c++) x[c] = -r[c];
    for (int i = 0; i < s->m->n_rows; i++) y[i] = phi ? -phi[i] : 0;
}

static routh_status not_settled(const rt_search *s, routh_error *error)
{
    int equation, column;
    const double off = rt_signals_error(s, &equation), motion = rt_relative_residual(s, &column);
    if (equation < 0 || motion > off)
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "the accelerations could not be found: variables and expressions of "
                       "accelerations or joint forces feed back on themselves too strongly (%.2g "
                       "of the largest force is left)",
                       motion);
    char element[192];
    rt_place place;
    int number;
    const rt_sensor_kind kind = rt_signals_kind(s->signals, equation, &number);
    rt_sensor_describe(s->m, kind, number, element, &place);
    return rt_fail_at(error, ROUTH_NUMERIC_ERROR, s->m->model->file, place, element,
                      "its equation could not be solved together with those it depends on: it "
                      "stays off by %.3g (%.2g of its size); perhaps there is no solution, else "
                      "give the variables of the loop a guess near it",
                      s->signals->rows[equation].value, off);
}

/* The part of b that J does not reach is more than rounding makes. */
static bool out_of_reach(const rt_search *s, const double *b)
{
    const rt_signals *k = s->signals;
    const rt_least_norm *svd = k->least_norm;
    const size_t n = (size_t)k->n;
    memset(svd->work, 0, n * sizeof *svd->work);
    for (size_t l = 0; l < n; l++) {
        if (svd->sigma[l] > RT_LEAST_SINGULAR * svd->sigma[0]) continue;
        double along = 0;
        for (size_t i = 0; i < n; i++) along += svd->u[i + n * l] * b[i];
        for (size_t i = 0; i < n; i++) svd->work[i] += svd->u[i + n * l] * along;
    }
    for (int i = 0; i < k->n; i++)
        if (fabs(svd->work[i]) > 1e-9 * rt_signals_size(s, i) / k->row_scale[i]) return true;
    return false;
}

/* V diag(1/sigma) U' b, in place; unknowns that are in no equation stay. */
static routh_status solve_least_norm(const rt_search *s, double *b, routh_error *error)
{
    const rt_signals *k = s->signals;
    const rt_least_norm *svd = k->least_norm;
    const size_t n = (size_t)k->n;
    if (out_of_reach(s, b)) return not_settled(s, error);
    memset(svd->work, 0, n * sizeof *svd->work);
    for (size_t l = 0; l < n && svd->sigma[l] > RT_LEAST_SINGULAR * svd->sigma[0]; l++) {
        double along = 0;
        for (size_t i = 0; i < n; i++) along += svd->u[i + n * l] * b[i];
        for (size_t j = 0; j < n; j++) svd->work[j] += svd->vt[l + n * j] * along / svd->sigma[l];
    }
    for (size_t j = 0; j < n; j++) {
        bool used = false;
        for (size_t i = 0; i < n; i++) used = used || k->J[i + n * j] != 0;
        b[j] = used ? svd->work[j] : 0;
    }
    return ROUTH_OK;
}

/* dp into k->step: J dp = -(g + g_a a + g_lambda l) */
static routh_status step_signals(rt_search *s, const double *g, routh_error *error)
{
    rt_signals *k = s->signals;
    for (int i = 0; i < k->n; i++)
        k->step[i] = -(g[i] + along(&k->rows[i], s->x, s->y, false)) / k->row_scale[i];
    routh_status status = ROUTH_OK;
    if (k->least_norm)
        status = solve_least_norm(s, k->step, error);
    else
        status = rt_lu_solve(k->n, k->lu, k->pivots, 1, k->step, 0, error);
    for (int j = 0; j < k->n && !status; j++) k->step[j] /= k->column_scale[j];
    return status;
}

routh_status rt_signals_solve(rt_search *s, bool whole, const double *r, const double *phi,
                              const double *g, routh_error *error)
{
    rt_signals *k = s->signals;
    const rt_pattern *R = &s->m->pattern_R;
    put_motion(s, r, phi, s->x, s->y);
    routh_status status = rt_solve_accelerations(s, whole, s->x, s->y, error);
    if (!status) status = step_signals(s, g, error);
    if (status) return status;
    put_motion(s, r, phi, k->step_udot, k->step_lambda);
    for (int j = 0; j < k->n; j++)
        for (int p = R->start[k->place[j]]; p < R->start[k->place[j] + 1]; p++)
            k->step_udot[R->row[p]] -= s->w->L[p] * k->step[j];
    return rt_solve_accelerations(s, whole, k->step_udot, k->step_lambda, error);
}

routh_status rt_signals_factor(rt_search *s, bool whole, routh_error *error)
{
    routh_status status = rt_factor_accelerations(s, whole, error);
    if (!status) status = make_jacobian(s, whole, error);
    return status ? status : factor_jacobian(s, error);
}

static routh_status find_step(rt_search *s, bool whole, routh_error *error)
{
    rt_signals *k = s->signals;
    const routh_status status = rt_signals_factor(s, whole, error);
    if (status) return status;
    for (int i = 0; i < k->n; i++) k->g[i] = k->rows[i].value;
    return rt_signals_solve(s, whole, s->w->residual, s->w->phi[2], k->g, error);
}

/* ---- how far to go -------------------------------------------------------------------------- */

static void keep_start(rt_search *s)
{
    rt_signals *k = s->signals;
    for (int j = 0; j < k->n; j++) k->start[j] = *rt_signals_unknown(s, k, j);
    memcpy(k->start_udot, s->state->udot, (size_t)s->m->n_u * sizeof(double));
    memcpy(k->start_lambda, s->state->lambda, (size_t)s->m->n_rows * sizeof(double));
    for (int i = 0; i < k->n; i++) {
        k->weight[i] = fabs(k->rows[i].value) + rt_signals_size(s, i);
        if (k->weight[i] == 0) k->weight[i] = 1;
    }
}

static void go(rt_search *s, double scale)
{
    const rt_signals *k = s->signals;
    for (int j = 0; j < k->n; j++) *rt_signals_unknown(s, k, j) = k->start[j] + scale * k->step[j];
    for (int c = 0; c < s->m->n_u; c++)
        s->state->udot[c] = k->start_udot[c] + scale * k->step_udot[c];
    for (int r = 0; r < s->m->n_rows; r++)
        s->state->lambda[r] = k->start_lambda[r] + scale * k->step_lambda[r];
}

/* Sum of squares, each equation over its size where the step began; `force`: the largest there. */
static double distance(const rt_search *s, double force)
{
    const rt_signals *k = s->signals;
    double sum = 0;
    for (int i = 0; i < k->n; i++) {
        const double e = k->rows[i].value / k->weight[i];
        sum += e * e;
    }
    for (int c = 0; c < s->m->n_u && force > 0; c++) {
        const double e = s->w->residual[c] * s->unit[c] / force;
        sum += e * e;
    }
    return sum;
}

/* The largest force that a body takes to turn at the present rates, |M| u^2. */
static double turning_force(const rt_search *s)
{
    const rt_pattern *M = &s->m->pattern_M;
    double worst = 0, fastest = 0;
    for (int c = 0; c < s->m->n_u; c++) {
        double sum = 0;
        for (int e = M->start[c]; e < M->start[c + 1]; e++) sum += fabs(s->w->M[e]);
        worst = fmax(worst, sum * s->unit[c]);
        fastest = fmax(fastest, fabs(s->state->u[c]));
    }
    return worst * fastest * fastest;
}

/* The larger of what is left in the equations of signals and in those of motion. These are measured
 * by the largest single force, but where turning is fast and all forces are small they are no
 * better than rounding of what turning takes, though that may cancel: 1e-13 of it counts as good
 * as nothing, 1e-9. */
static double error_of(const rt_search *s)
{
    int at;
    double most = 0;
    for (int c = 0; c < s->m->n_u; c++) most = fmax(most, fabs(s->w->residual[c]) * s->unit[c]);
    const double size = fmax(rt_largest_force(s), 1e-4 * turning_force(s));
    return fmax(rt_signals_error(s, &at), most > 0 ? most / size : 0);
}

static const double NEAR = 1e-6; /* where a full step is Newton's last but one or two */

static routh_status take_step(rt_search *s, double *taken, routh_error *error)
{
    const bool near = error_of(s) <= NEAR;
    keep_start(s);
    const double force = rt_largest_force(s), before = distance(s, force);
    routh_status status = ROUTH_OK;
    *taken = 1;
    for (int tries = 0; tries < 40; tries++, *taken /= 2) {
        go(s, *taken);
        status = evaluate(s, error);
        if (status && status != ROUTH_NUMERIC_ERROR) return status;
        if (!status && (near || distance(s, force) < before)) return ROUTH_OK;
    }
    *taken = 0;
    go(s, 0);
    return evaluate(s, error);
}

routh_status rt_find_signals(rt_search *s, bool whole, routh_error *error)
{
    enum { MOST = 50 };
    static const double good = 1e-9;
    routh_status status = evaluate(s, error);
    double before = status ? 0 : error_of(s);
    for (int pass = 0; !status; pass++) {
        double taken = 1;
        status = find_step(s, whole, error);
        if (!status) status = take_step(s, &taken, error);
        if (status) return status;
        const double now = error_of(s);
        const bool best = now <= DBL_EPSILON || now >= before / 2 || taken == 0;
        if (now <= good && best && (taken == 1 || taken == 0)) return ROUTH_OK;
        if (taken == 0 || pass == MOST) return not_settled(s, error);
        before = now;
    }
    return status;
}
