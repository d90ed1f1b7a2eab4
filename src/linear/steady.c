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

/* One step of the trapezoidal rule (Heun): q along u h + u' h^2/2, u along the mean of both
 * ends' u'. Its error is of third order in h, so what is left of a steady motion's drift is of
 * second order. first: n_u numbers. */
static routh_status move(rt_search *s, double h, double *first, routh_error *error)
{
    const int n = s->m->n_u;
    memcpy(first, s->state->udot, (size_t)n * sizeof *first);
    for (int c = 0; c < n; c++) {
        s->x[c] = h * s->state->u[c] + h * h / 2 * first[c];
        s->state->u[c] += h * first[c];
    }
    s->state->t += h;
    rt_advance(s->m, s->state->q, s->x);
    routh_status status = make_consistent(s, error);
    if (status) return status;
    for (int c = 0; c < n; c++) s->state->u[c] += h / 2 * (s->state->udot[c] - first[c]);
    status = make_consistent(s, error);
    return status ? status : rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_ALL, error);
}

/* |difference| / |mean| of the accelerations' rows, also where one of them is zero, as for a
 * pendulum that starts to fall from the horizontal. rate: of the motion. */
static double change(const rt_sensitivity *a, const rt_sensitivity *b, double rate)
{
    /* zeros that rounding has moved a little */
    static const double rounding = 1e-12;
    double difference = 0, size = 0;
    for (int k = 0; k < a->z * a->z; k++) {
        const double d0 = a->A_SS[k] - b->A_SS[k], d1 = a->A_SW[k] - b->A_SW[k];
        difference += d0 * d0 + d1 * d1;
        size += a->A_SS[k] * a->A_SS[k] + a->A_SW[k] * a->A_SW[k];
        size += b->A_SS[k] * b->A_SS[k] + b->A_SW[k] * b->A_SW[k];
    }
    const double change = sqrt(difference), least = rounding * fmin(rate, rate * rate);
    return change > least ? change / sqrt(size / 2) : 0;
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
    double *first = RT_TAKE(&arena, double, s->m->n_u);
    routh_status status = first ? move(s, phase / rate, first, error) : rt_fail_memory(error);
    if (!status) {
        rt_method_task again = *task;
        rt_evaluate_frames(s->m, s->w, s->state);
        rt_observer_set(&moved, s->w, task->observer->marker);
        again.observer = &moved;
        status = method->run(&again, &arena, &later, error);
    }
    if (!status) *drift = change(x, &later, rate) / phase;
    rt_arena_free(&arena);
    if (!status || status == ROUTH_OUT_OF_MEMORY) return status;
    *drift = INFINITY;
    return ROUTH_OK;
}
