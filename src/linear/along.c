/* The linear model along a motion. The tangent of the motion in the states is
 *     xi = X S,      du = U S + X_w W,
 * and rows of other states on it give y of those: S2 = s_x xi, W2 = s_x du + w_x xi. */
#include "linear/along.h"

#include <stdlib.h>

#include "linear/holder.h"
#include "methods/projection.h"

struct rt_along {
    rt_linear_holder *holder;
    rt_linear_task task;
    rt_projection projection; /* of mechanisms that need no whole response */
    rt_method_task work;
    rt_state_row *rows, *rates;
    rt_arena scratch; /* of one run, where the response is whole */
    double *A;        /* n x n */
    double *move;     /* n_u */
    int n;
};

/* ---- making ---------------------------------------------------------------------------------- */

static routh_status along_prepare(rt_along *a, const routh_mechanism *m,
                                  const routh_operating_point *point, routh_error *error)
{
    routh_linear_options options = routh_linear_defaults();
    const bool whole = rt_needs_whole(m), reactions = m->pattern_L.start[m->n_rows] > 0;
    options.method = whole || reactions ? "auto" : "minimal:sparse";
    options.reference = "ground";
    a->holder = rt_kept_calloc(NULL, 1, sizeof *a->holder);
    if (!a->holder) return rt_fail_memory(error);
    const routh_status status = rt_linear_prepare(a->holder, &a->task, m, point, &options, error);
    if (status) return status;
    a->work = (rt_method_task){.search = &a->task.search,
                               .observer = &a->task.observer,
                               .states = &a->task.states,
                               .variant = a->task.variant,
                               .threads = 1,
                               .whole = whole || reactions};
    return whole || reactions ? rt_task_sensors_take(&a->work, &a->task.arena, error) : ROUTH_OK;
}

static routh_status along_create(rt_along *a, const routh_mechanism *m,
                                 const routh_operating_point *point, routh_error *error)
{
    rt_arena *arena = &a->task.arena;
    routh_status status = along_prepare(a, m, point, error);
    if (status) return status;
    const size_t n = (size_t)(a->n = a->holder->linear.n_states);
    a->A = RT_TAKE(arena, double, n *n);
    a->move = RT_TAKE(arena, double, m->n_u);
    if (!a->A || !a->move) return rt_fail_memory(error);
    status = rt_state_rows(&a->work, arena, &a->rows, error);
    if (!status) status = rt_rate_rows(&a->work, arena, &a->rates, error);
    if (!status && !a->work.whole) {
        status = rt_sensitivity_take(&a->task.x, m->n_u, a->task.states.z, arena, error);
        if (!status) status = rt_projection_create(&a->projection, &a->work, arena, error);
    }
    return status ? status : rt_along_run(a, point->state, error);
}

routh_status rt_along_create(rt_along **along, const routh_mechanism *m,
                             const routh_operating_point *point, routh_error *error)
{
    *along = NULL;
    rt_along *a = calloc(1, sizeof *a);
    if (!a) return rt_fail_memory(error);
    const routh_status status = along_create(a, m, point, error);
    if (status) {
        rt_along_free(a);
        return status;
    }
    *along = a;
    return ROUTH_OK;
}

void rt_along_free(rt_along *a)
{
    if (!a) return;
    rt_projection_release(&a->projection);
    rt_linear_task_release(&a->task);
    rt_arena_free(&a->scratch);
    if (a->holder) routh_linear_free(&a->holder->linear);
    free(a);
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* A = [0 I; A_SS A_SW] */
static void along_fill(rt_along *a)
{
    const rt_sensitivity *x = &a->task.x;
    const size_t z = (size_t)x->z, n = 2 * z;
    for (size_t i = 0; i < z; i++) {
        a->A[i * n + z + i] = 1;
        memcpy(a->A + (z + i) * n, x->A_SS + i * z, z * sizeof *a->A);
        memcpy(a->A + (z + i) * n + z, x->A_SW + i * z, z * sizeof *a->A);
    }
}

static routh_status respond(rt_along *a, routh_error *error)
{
    routh_status status;
    if (!a->work.whole) {
        status = rt_projection_run(&a->projection, &a->work, &a->task.x, error);
        if (!status) along_fill(a);
        return status;
    }
    rt_arena_free(&a->scratch);
    status = rt_task_sensors_fill(&a->work, error);
    if (!status) status = a->task.method->run(&a->work, &a->scratch, &a->task.x, error);
    return status ? status : rt_state_matrix(&a->work, &a->task.x.response, a->A, NULL, error);
}

routh_status rt_along_look(rt_along *a, const rt_state *state, routh_error *error)
{
    rt_search *s = &a->task.search;
    rt_state_copy(s->m, s->state, state);
    return rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_ALL, error);
}

routh_status rt_along_run(rt_along *a, const rt_state *state, routh_error *error)
{
    const routh_status status = rt_along_look(a, state, error);
    return status ? status : respond(a, error);
}

const double *rt_along_matrix(const rt_along *a) { return a->A; }

const rt_search *rt_along_search(const rt_along *a) { return &a->task.search; }

int rt_along_size(const rt_along *a) { return a->n; }

const rt_states *rt_along_states(const rt_along *a) { return &a->task.states; }

const char *rt_along_name(const rt_along *a, int k) { return a->holder->linear.states[k].name; }

const char *rt_along_unit(const rt_along *a, int k) { return a->holder->linear.states[k].unit; }

double rt_along_state_size(const rt_along *a, int k)
{
    const rt_states *states = &a->task.states;
    if (k >= states->z + states->z1) return 1;
    const int candidate = k < states->z ? states->candidate[k] : states->rate[k - states->z];
    return rt_candidate_size(a->task.search.m, states->user, candidate);
}

void rt_along_values(const rt_along *a, bool rate, int k, double value[3])
{
    const rt_states *states = &a->task.states;
    rt_linear_state_values(&a->task, rate ? states->rate[k] : states->candidate[k], value);
}

/* ---- the tangent ----------------------------------------------------------------------------- */

/* xi and du by state k; NULL where it is zero. */
static void along_column(const rt_along *a, int k, const double **xi, const double **u)
{
    const rt_sensitivity *x = &a->task.x;
    const size_t n = (size_t)a->task.search.m->n_u, z = (size_t)a->task.states.z, c = (size_t)k;
    if (a->work.whole)
        *xi = x->response.xi + n * c, *u = x->response.u + n * c;
    else
        *xi = c < z ? x->X + n * c : NULL, *u = c < z ? x->U + n * c : x->X + n * (c - z);
}

double rt_along_reach(const rt_along *a)
{
    const rt_search *s = &a->task.search;
    double reach = 0;
    for (int k = 0; k < a->task.states.z; k++) {
        const double *xi, *u, size = rt_along_state_size(a, k);
        along_column(a, k, &xi, &u);
        for (int c = 0; c < s->m->n_u; c++)
            reach = fmax(reach, fabs(xi[c]) * size / s->unit[c] / s->m->length);
    }
    return reach;
}

static double along_times(const rt_state_row *row, const double *entries, const double *x)
{
    return x ? rt_state_row_times(row, entries, x) : 0;
}

void rt_along_change(const rt_along *from, rt_along *to, double *T)
{
    const rt_states *states = &to->task.states;
    const int n = from->n, z = states->z, z1 = states->z1;
    rt_state_rows_fill(&to->work, to->rows);
    rt_rate_rows_fill(&to->work, to->rates);
    for (int k = 0; k < n; k++) {
        const double *xi, *u;
        along_column(from, k, &xi, &u);
        for (int i = 0; i < z; i++) T[i * n + k] = along_times(&to->rows[i], to->rows[i].s_x, xi);
        for (int i = 0; i < z1; i++)
            T[(z + i) * n + k] = along_times(&to->rates[i], to->rates[i].s_x, u) +
                                 along_times(&to->rates[i], to->rates[i].w_x, xi);
        for (int i = z + z1; i < n; i++) T[i * n + k] = i == k;
    }
}

void rt_along_move(const rt_along *a, const double *y, rt_state *state)
{
    const routh_mechanism *m = a->task.search.m;
    const int held = a->task.states.z + a->task.states.z1;
    memset(a->move, 0, (size_t)m->n_u * sizeof *a->move);
    for (int k = 0; k < held; k++) {
        const double *xi, *u;
        along_column(a, k, &xi, &u);
        for (int c = 0; c < m->n_u; c++) {
            if (xi) a->move[c] += y[k] * xi[c];
            state->u[c] += y[k] * u[c];
        }
    }
    rt_advance(m, state->q, a->move);
    for (int k = held; k < a->n; k++) state->signal[k - held] += y[k];
}
