/* Is the motion steady, as the observer sees it? It is when the linear model does not change
 * along it. The state is moved along its own motion by a small part of a radian, linearized
 * again with the same states, and compared. This decides a word in the output; no number of the
 * linear model comes from it. */
#include <float.h>
#include <stdlib.h>

#include "methods/method.h"

double rt_linear_fastest(const rt_search *s)
{
    double rate = 0;
    for (int b = 0; b < s->m->n_bodies; b++) {
        const rt_frame *f = &s->w->bodies[b];
        rate = fmax(rate, fmax(rt_v3_norm(f->w), rt_v3_norm(f->v) / s->m->length));
        rate = fmax(rate, fmax(sqrt(rt_v3_norm(f->al)), sqrt(rt_v3_norm(f->a) / s->m->length)));
    }
    return rate;
}

/* The velocities next to those there are, and the accelerations. */
static routh_status steady_find_rates(rt_search *s, routh_error *error)
{
    const bool all = s->all_velocities;
    s->all_velocities = true;
    routh_status status = rt_find_velocities(s, error);
    s->all_velocities = all;
    return status ? status : rt_find_accelerations(s, error);
}

static bool is_at_rest(const rt_search *s)
{
    for (int c = 0; c < s->m->n_u; c++)
        if (s->state->u[c] != 0) return false;
    return true;
}

/* u and states of controllers along the mean of both ends' rates. Those at the far end may be off
 * by second order in h: joints hold there for positions only. */
static routh_status steady_correct(rt_search *s, double h, const double *first, routh_error *error)
{
    const int n = s->m->n_u, n_x = s->m->model->n_control_states;
    double *x = s->state->signal, *rate = x + n_x;
    const double *first_rate = first + n;
    routh_status status = rt_assemble(s, error);
    if (!status) status = rt_find_motion(s, error);
    if (status) return status;
    for (int c = 0; c < n; c++) s->state->u[c] += h / 2 * (s->state->udot[c] - first[c]);
    for (int k = 0; k < n_x; k++) x[k] += h / 2 * (rate[k] - first_rate[k]);
    return ROUTH_OK;
}

/* One step of the trapezoidal rule (Heun): q along u h + u' h^2/2, u and states of controllers
 * along the mean of both ends' rates. Its error is of third order in h, so what is left of a steady
 * motion's drift is of second order. From rest the first half of it is enough: joints hold to
 * fourth order, and u = u' h, all that there is of it, is right but for second order. first: n_u +
 * n_x numbers. */
static routh_status steady_move(rt_search *s, double h, double *first, routh_error *error)
{
    const int n = s->m->n_u, n_x = s->m->model->n_control_states;
    double *x = s->state->signal, *rate = x + n_x, *first_rate = first + n;
    const bool from_rest = is_at_rest(s);
    memcpy(first, s->state->udot, (size_t)n * sizeof *first);
    memcpy(first_rate, rate, (size_t)n_x * sizeof *first);
    for (int k = 0; k < n_x; k++) x[k] += h * rate[k];
    for (int c = 0; c < n; c++) {
        s->x[c] = h * s->state->u[c] + h * h / 2 * first[c];
        s->state->u[c] += h * first[c];
    }
    s->state->t += h;
    rt_advance(s->m, s->state->q, s->x);
    routh_status status = rt_input_histories_set(s->m, s->state, error);
    if (!status && !from_rest) status = steady_correct(s, h, first, error);
    if (!status) status = steady_find_rates(s, error);
    return status ? status : rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_ALL, error);
}

/* |difference| / |mean| of the accelerations' rows, also where one of them is zero, as for a
 * pendulum that starts to fall from the horizontal. rate: of the motion. */
static double steady_change(size_t n, const double *a, const double *b, double rate)
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

/* What y_k of the mechanism is counted in: a state of the user's and its rate in the state's own
 * size, so that its unit does not matter. */
static double steady_unit_of(const rt_method_task *task, int k)
{
    const rt_states *states = task->states;
    const int candidate = k < states->z ? states->candidate[k] : states->rate[k - states->z];
    return candidate < rt_first_user_candidate(task->search->m)
               ? 1
               : rt_candidate_size(task->search->m, states->user, candidate);
}

/* Where the farthest body is: places are known to rounding of that. */
static double steady_farthest(const rt_search *s)
{
    double far = s->m->length;
    for (int b = 0; b < s->m->n_bodies; b++) far = fmax(far, rt_v3_norm(s->w->bodies[b].r));
    return far;
}

/* x'' of state i of the controllers, as A has it, vanishes against its terms and against what such
 * rates as there are would make of them, or it does as the motion itself has it. Rates that are
 * rounding, and accelerations, count as none. */
static bool keeps_its_rate(const rt_method_task *task, const rt_uniform_motion *u, int i)
{
    static const double change = 1e-5, rounding = 1e-10;
    const int z = task->states->z, first = z + task->states->z1;
    const double *row = u->A + (size_t)i * (size_t)u->order;
    const double speed = u->rate * task->search->m->length;
    double sum = 0, size = 0, possible = 0;
    for (int j = 0; j < u->order; j++) {
        const double unit = j < first ? steady_unit_of(task, j) : 0;
        possible += fabs(row[j]) * (j < z ? speed : speed * u->rate) * unit;
        if (j < z ? u->rate == 0 : j < first || !u->drifts[j - first]) continue;
        sum += row[j] * u->affine[j];
        size += fabs(row[j] * u->affine[j]);
    }
    const double most = change * size + rounding * possible;
    if (fabs(sum) <= most) return true;
    const double later = (u->later[i - z] - u->affine[i]) * u->rate / RT_STEADY_PHASE;
    return u->rate > 0 && fabs(later) <= most;
}

bool rt_linear_is_uniform(const rt_method_task *task, const rt_uniform_motion *u)
{
    static const double small = 1e-6, change = 1e-5, rounding = 1e-10;
    const rt_search *s = task->search;
    const int z = task->states->z, z1 = task->states->z1;
    const double rate = u->rate, length = fmin(1, s->m->length), speed = rate * s->m->length;
    const double place = 16 * DBL_EPSILON * steady_farthest(s);
    for (int i = z; i < z + z1; i++) {
        const double *row = u->A + (size_t)i * (size_t)u->order;
        const double size = rate * rate * length * steady_unit_of(task, i);
        double by_places = 0, change_by_states = 0, of_terms = 0;
        for (int j = 0; j < u->order; j++) {
            const double unit = j < z + z1 ? steady_unit_of(task, j) : 0;
            of_terms += fabs(row[j]) * (fabs(u->affine[j]) + (j < z ? speed : speed * rate) * unit);
            if (j < z) by_places += fabs(row[j]) * unit * place;
            /* accelerations that are let pass count as none */
            if (j < z || j >= z + z1) change_by_states += row[j] * u->affine[j];
        }
        const double later = (u->later[i - z] - u->affine[i]) * rate / RT_STEADY_PHASE;
        const double most = change * rate * size + rounding * of_terms;
        if (!(fabs(u->affine[i]) <= small * size + by_places)) return false;
        if (fabs(change_by_states) > most && fabs(later) > most) return false;
    }
    for (int i = z + z1; i < u->order; i++)
        if (!keeps_its_rate(task, u, i)) return false;
    return true;
}

/* Nor do the units of controllers' states: each is counted such that what drives it is as large as
 * what it drives (Osborne 1960), or as what there is. */
static void balance_controllers(int first, int order, const double *A, double *unit)
{
    enum { PASSES = 8 };
    for (int pass = 0; pass < PASSES; pass++)
        for (int k = first; k < order; k++) {
            double by = 0, on = 0;
            for (int j = 0; j < order; j++) {
                if (j == k) continue;
                by = fmax(by, fabs(A[(size_t)k * (size_t)order + (size_t)j]) * unit[j]);
                on = fmax(on, fabs(A[(size_t)j * (size_t)order + (size_t)k]) / unit[j]);
            }
            if (by > 0 || on > 0) unit[k] = by == 0 ? 1 / on : on == 0 ? by : sqrt(by / on);
        }
}

/* Rows of the accelerations (and of controllers) of A, z + z1 + n_x wide. */
static routh_status steady_rows_of(const rt_method_task *task, const rt_sensitivity *x, double *A,
                                   routh_error *error)
{
    const size_t z = (size_t)x->z, order = 2 * z;
    if (task->whole) return rt_state_matrix(task, &x->response, A, NULL, error);
    for (size_t i = 0; i < z; i++) {
        memcpy(A + (z + i) * order, x->A_SS + i * z, z * sizeof *A);
        memcpy(A + (z + i) * order + z, x->A_SW + i * z, z * sizeof *A);
    }
    return ROUTH_OK;
}

static void drop_units(int order, const double *unit, double *A)
{
    for (int i = 0; i < order; i++)
        for (int j = 0; j < order; j++)
            A[(size_t)i * (size_t)order + (size_t)j] *= unit[j] / unit[i];
}

/* The state matrix now and later, and what its states are counted in. */
typedef struct two_times {
    int order;
    double *now, *then, *unit, *first;
} two_times;

static routh_status steady_begin(two_times *t, const rt_method_task *task, const rt_sensitivity *x,
                                 rt_arena *arena, routh_error *error)
{
    const rt_search *s = task->search;
    const int n_x = s->m->model->n_control_states, z1 = task->states->z1;
    t->order = x->z + z1 + n_x;
    const size_t order = (size_t)t->order;
    t->now = RT_TAKE(arena, double, 2 * order * order + order);
    t->first = RT_TAKE(arena, double, s->m->n_u + n_x);
    if (!t->now || !t->first) return rt_fail_memory(error);
    t->then = t->now + order * order;
    t->unit = t->then + order * order;
    const routh_status status = steady_rows_of(task, x, t->now, error);
    if (status) return status;
    for (int k = 0; k < t->order; k++) t->unit[k] = k < x->z + z1 ? steady_unit_of(task, k) : 1;
    balance_controllers(x->z + z1, t->order, t->now, t->unit);
    drop_units(t->order, t->unit, t->now);
    return ROUTH_OK;
}

/* A motion that cannot go on, as at a dead point where the mechanism has a choice of ways, is not
 * steady. */
routh_status rt_linear_drift(const rt_method *method, const rt_method_task *task,
                             const rt_sensitivity *x, rt_reference_frame *moved, double *drift,
                             routh_error *error)
{
    rt_search *s = task->search;
    static const double phase = RT_STEADY_PHASE;
    const double rate = rt_linear_fastest(s);
    *drift = 0;
    *moved = *task->observer;
    if (rate == 0 || x->z == 0) return ROUTH_OK;
    rt_arena arena = {.kept = s->m->analyses};
    rt_sensitivity later;
    two_times t = {0};
    routh_status status = steady_begin(&t, task, x, &arena, error);
    if (!status) status = steady_move(s, phase / rate, t.first, error);
    if (!status) {
        rt_method_task again = *task;
        rt_evaluate_frames(s->m, s->w, s->state);
        if (moved->marker == RT_MOVING_FRAME)
            rt_reference_frame_carry(moved, phase / rate);
        else
            rt_reference_frame_set(moved, s->w, moved->marker);
        again.observer = moved;
        if (task->whole) status = rt_task_sensors_fill(task, error);
        if (!status) status = method->run(&again, &arena, &later, error);
        if (!status) status = steady_rows_of(&again, &later, t.then, error);
    }
    if (!status) {
        const size_t rows = (size_t)x->z * (size_t)t.order;
        drop_units(t.order, t.unit, t.then);
        *drift = steady_change((size_t)t.order * (size_t)t.order - rows, t.now + rows,
                               t.then + rows, rate) /
                 phase;
    }
    rt_arena_free(&arena);
    if (!status || status == ROUTH_OUT_OF_MEMORY) return status;
    *drift = INFINITY;
    return ROUTH_OK;
}
