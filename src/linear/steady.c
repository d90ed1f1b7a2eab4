/* Is the motion steady, as the observer sees it? It is when the linear model does not change
 * along it. The state is moved along its own motion by a small part of a radian, linearized
 * again with the same states, and compared. This decides a word in the output; no number of the
 * linear model comes from it. */
#include <stdlib.h>

#include "linear/method.h"

/* The fastest rate of the motion: angular velocities, and speeds over the typical length. */
static double fastest(const rt_search *s)
{
    double rate = 0;
    for (int b = 0; b < s->m->n_bodies; b++) {
        const rt_frame *f = &s->w->bodies[b];
        rate = fmax(rate, fmax(rt_v3_norm(f->w), rt_v3_norm(f->v) / s->m->length));
        rate = fmax(rate, fmax(sqrt(rt_v3_norm(f->al)), sqrt(rt_v3_norm(f->a) / s->m->length)));
    }
    return rate;
}

static routh_status make_consistent(rt_search *s, routh_error *error)
{
    routh_status status = rt_assemble(s, error);
    if (!status) status = rt_find_velocities(s, error);
    if (!status) status = rt_find_accelerations(s, error);
    return status;
}

/* One step of the trapezoidal rule (Heun): q along u h + u' h^2/2, u and states of controllers
 * along the mean of both ends' rates. Its error is of third order in h, so what is left of a steady
 * motion's drift is of second order. first: n_u + n_x numbers. */
static routh_status move(rt_search *s, double h, double *first, routh_error *error)
{
    const int n = s->m->n_u, n_x = s->m->model->n_control_states;
    double *x = s->state->signal, *rate = x + n_x, *first_rate = first + n;
    memcpy(first, s->state->udot, (size_t)n * sizeof *first);
    memcpy(first_rate, rate, (size_t)n_x * sizeof *first);
    for (int k = 0; k < n_x; k++) x[k] += h * rate[k];
    for (int c = 0; c < n; c++) {
        s->x[c] = h * s->state->u[c] + h * h / 2 * first[c];
        s->state->u[c] += h * first[c];
    }
    s->state->t += h;
    rt_advance(s->m, s->state->q, s->x);
    routh_status status = make_consistent(s, error);
    if (status) return status;
    for (int c = 0; c < n; c++) s->state->u[c] += h / 2 * (s->state->udot[c] - first[c]);
    for (int k = 0; k < n_x; k++) x[k] += h / 2 * (rate[k] - first_rate[k]);
    status = make_consistent(s, error);
    return status ? status : rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_ALL, error);
}

/* |difference| / |mean| of the accelerations' rows, also where one of them is zero, as for a
 * pendulum that starts to fall from the horizontal. rate: of the motion. */
static double change(size_t n, const double *a, const double *b, double rate)
{
    /* zeros that rounding has moved a little */
    static const double rounding = 1e-12;
    double difference = 0, size = 0;
    for (size_t k = 0; k < n; k++) {
        const double d = a[k] - b[k];
        difference += d * d;
        size += a[k] * a[k] + b[k] * b[k];
    }
    const double change = sqrt(difference), least = rounding * fmin(rate, rate * rate);
    return change > least ? change / sqrt(size / 2) : 0;
}

/* What y_k is counted in: a state of the user's and its rate in the state's own size, so that its
 * unit does not matter. */
static double unit_of(const rt_method_task *task, int k)
{
    const rt_states *states = task->states;
    const int n_bodies = task->search->m->n_bodies;
    if (k >= states->z + states->z1) return 1;
    const int candidate = k < states->z ? states->candidate[k] : states->rate[k - states->z];
    return candidate < 6 * n_bodies
               ? 1
               : rt_candidate_size(task->search->m, states->user, candidate);
}

/* Rows of A from row `first` on, columns from `first_column` on. */
static void drop_units(const rt_method_task *task, int first, int n_rows, int first_column,
                       int n_columns, double *rows)
{
    for (int i = 0; i < n_rows; i++)
        for (int j = 0; j < n_columns; j++)
            rows[(size_t)i * (size_t)n_columns + (size_t)j] *=
                unit_of(task, first_column + j) / unit_of(task, first + i);
}

/* Rows of the accelerations (and of controllers) of A; how many entries in *n. */
static routh_status rows_of(const rt_method_task *task, const rt_sensitivity *x, rt_arena *arena,
                            double **rows, size_t *n, routh_error *error)
{
    const size_t z = (size_t)x->z, half = z * z;
    if (!task->whole) {
        *n = 2 * half;
        *rows = RT_TAKE(arena, double, *n);
        if (!*rows) return rt_fail_memory(error);
        memcpy(*rows, x->A_SS, half * sizeof **rows);
        memcpy(*rows + half, x->A_SW, half * sizeof **rows);
        drop_units(task, x->z, x->z, 0, x->z, *rows);
        drop_units(task, x->z, x->z, x->z, x->z, *rows + half);
        return ROUTH_OK;
    }
    const size_t order = z + (size_t)x->z1 + (size_t)x->response.n_x;
    double *A = RT_TAKE(arena, double, order *order);
    if (!A) return rt_fail_memory(error);
    *rows = A + z * order;
    *n = (order - z) * order;
    const routh_status status = rt_state_matrix(task, &x->response, A, NULL, error);
    if (!status) drop_units(task, x->z, (int)(order - z), 0, (int)order, *rows);
    return status;
}

/* A motion that cannot go on, as at a dead point where the mechanism has a choice of ways, is not
 * steady. */
routh_status rt_linear_drift(const rt_method *method, const rt_method_task *task,
                             const rt_sensitivity *x, double *drift, routh_error *error)
{
    rt_search *s = task->search;
    static const double phase = 1e-3;
    const double rate = fastest(s);
    *drift = 0;
    if (rate == 0 || x->z == 0) return ROUTH_OK;
    rt_arena arena = {0};
    rt_observer moved;
    rt_sensitivity later;
    double *now = NULL, *then = NULL;
    size_t n = 0;
    double *first = RT_TAKE(&arena, double, s->m->n_u + s->m->model->n_control_states);
    routh_status status = first ? ROUTH_OK : rt_fail_memory(error);
    if (!status) status = rows_of(task, x, &arena, &now, &n, error);
    if (!status) status = move(s, phase / rate, first, error);
    if (!status) {
        rt_method_task again = *task;
        rt_evaluate_frames(s->m, s->w, s->state);
        rt_observer_set(&moved, s->w, task->observer->marker);
        again.observer = &moved;
        if (task->whole) status = rt_task_sensors_fill(task, error);
        if (!status) status = method->run(&again, &arena, &later, error);
        if (!status) status = rows_of(&again, &later, &arena, &then, &n, error);
    }
    if (!status) *drift = change(n, now, then, rate) / phase;
    rt_arena_free(&arena);
    if (!status || status == ROUTH_OUT_OF_MEMORY) return status;
    *drift = INFINITY;
    return ROUTH_OK;
}
