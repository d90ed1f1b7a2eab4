/* Where curves begin: at what a sweep has solved for. */
#include "studies/sweep_boundary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "studies/sweep_curve.h"

typedef rt_boundary_curve sweep_boundary_curve;
typedef rt_spot sweep_boundary_spot;

/* The solution at an event, from the nearest start by the values between. */
static routh_status sweep_boundary_reach(const rt_sweep_task *task, const routh_sweep_axis *axis,
                                         const rt_line_starts *starts, double value, rt_solution *s,
                                         routh_error *error)
{
    int best = -1;
    for (int k = 0; k < starts->n; k++)
        if (!starts->solutions[k].status &&
            (best < 0 || fabs(starts->solutions[k].value - value) <
                             fabs(starts->solutions[best].value - value)))
            best = k;
    *s = (rt_solution){.status = ROUTH_NOT_SUPPORTED};
    if (best < 0) return ROUTH_OK;
    const rt_solution *near = &starts->solutions[best];
    rt_solution before = {0};
    const bool forward = (value > near->value) == (axis->values[axis->n - 1] > axis->values[0]);
    routh_status status = ROUTH_OK;
    for (int v = starts->first[best] + (forward ? 1 : -1); v >= 0 && v < axis->n && !status;
         v += forward ? 1 : -1) {
        const bool beyond = (axis->values[v] - value) * (near->value - value) <= 0;
        if (beyond) break;
        rt_solution next;
        status =
            rt_solution_find(task, axis->values[v], before.linear ? &before : near, &next, error);
        rt_sweep_tell(task, 0);
        if (!status && next.status) {
            rt_solution_free(&next);
            continue;
        }
        rt_solution_free(&before);
        before = next;
    }
    if (!status)
        status = rt_solution_find_slopes(task, value, before.linear ? &before : near, 0, s, error);
    rt_solution_free(&before);
    return status;
}

/* The eigenvalue nearest to that of the event, and of two that meet the next one. */
static void sweep_boundary_place(const rt_solution *s, const routh_sweep_event *e, int at[2])
{
    const double _Complex lambda = e->eigenvalue[0] + e->eigenvalue[1] * I;
    for (int n = 0; n < 2; n++) {
        at[n] = -1;
        for (int k = 0; k < s->n; k++)
            if (!s->rigid[k] && (n == 0 || k != at[0]) &&
                (at[n] < 0 || cabs(s->lambda[k] - lambda) < cabs(s->lambda[at[n]] - lambda)))
                at[n] = k;
    }
}

static bool is_followed(const routh_sweep_event *e)
{
    return e->kind == ROUTH_SWEEP_FLUTTER || e->kind == ROUTH_SWEEP_DIVERGENCE ||
           e->kind == ROUTH_SWEEP_CRITICAL || e->kind == ROUTH_SWEEP_DAMPING ||
           e->kind == ROUTH_SWEEP_MEETING;
}

/* Does a curve of the same kind pass through the event? Between two points on both sides of it. */
static bool is_on(const routh_sweep_boundary *b, const routh_sweep_event *e, double second)
{
    if (b->kind != e->kind || b->order != e->order) return false;
    for (int k = 1; k < b->n; k++) {
        const routh_sweep_boundary_point *p = &b->points[k - 1], *q = &b->points[k];
        if ((p->second - second) * (q->second - second) > 0 || p->second == q->second) continue;
        const double part = (second - p->second) / (q->second - p->second),
                     value = p->value + part * (q->value - p->value),
                     im = p->eigenvalue[1] + part * (q->eigenvalue[1] - p->eigenvalue[1]);
        if (fabs(value - e->value) <= 0.1 * fabs(q->value - p->value) + 1e-6 * fabs(e->value) &&
            fabs(im - fabs(e->eigenvalue[1])) <=
                fabs(q->eigenvalue[1] - p->eigenvalue[1]) + 1e-6 * fabs(im))
            return true;
    }
    return false;
}

static routh_status refused(const rt_solution *s, routh_error *error)
{
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "boundaries need exact derivatives by both parameters: %.700s", s->message);
}

/* The event is solved for once more, now with the gradient. */
static routh_status one_curve(sweep_boundary_curve *k, const routh_sweep_event *e,
                              const rt_solution *near, const double x[2], routh_error *error)
{
    sweep_boundary_spot from = {.x = {(near->value - k->low[0]) / k->range[0], x[1]}, .s = *near};
    sweep_boundary_spot start;
    bool ok;
    const bool pair = e->branch[1] >= 0 && e->kind != ROUTH_SWEEP_CRITICAL;
    k->w = (rt_wanted){pair ? ROUTH_SWEEP_MEETING : e->kind, 0, pair ? 1 : -1, e->order};
    sweep_boundary_place(near, e, from.at);
    if (from.at[0] < 0 || from.at[1] < 0) return ROUTH_OK;
    for (int i = 0; i < near->n; i++) k->zeros += near->rigid[i];
    routh_status status = rt_curve_correct(k, &from, from.x, 0, &start, &ok, error);
    if (status || !ok) return status;
    status = rt_curve_follow(k, &start, error);
    rt_solution_free(&start.s);
    return status;
}

static routh_status sweep_boundary_take(routh_sweep *sweep, sweep_boundary_curve *k,
                                        const routh_sweep_event *e, const rt_solution *near,
                                        const double x[2], routh_error *error)
{
    routh_sweep_boundary *more =
        realloc(sweep->boundaries, ((size_t)sweep->n_boundaries + 1) * sizeof *more);
    if (!more) return rt_fail_memory(error);
    sweep->boundaries = more;
    k->out = &more[sweep->n_boundaries++];
    k->room = 0, k->zeros = 0;
    *k->out = (routh_sweep_boundary){.kind = e->kind, .order = e->order};
    return one_curve(k, e, near, x, error);
}

static double sweep_boundary_begin(sweep_boundary_curve *k, const rt_sweep_task *task,
                                   const routh_sweep_axis *axis)
{
    const routh_sweep_options *o = &task->options;
    const routh_model *model = task->model;
    const double last = axis->values[axis->n - 1];
    double own = NAN;
    *k = (sweep_boundary_curve){
        .task = *task,
        .low = {fmin(axis->values[0], last), o->boundary_low},
        .range = {fabs(last - axis->values[0]), o->boundary_high - o->boundary_low}};
    k->task.parameter[1] = o->boundary;
    k->task.n_axes = 2;
    k->task.sources = NULL; /* they have one parameter */
    for (int i = 0; i < model->n_parameters; i++)
        if (strcmp(model->parameters[i].name, o->boundary) == 0)
            own = model->parameters[i].number.value;
    return own;
}

/* Asked once, as a curve without its gradient is none. */
static routh_status check_derivatives(sweep_boundary_curve *k, const rt_solution *near,
                                      routh_error *error)
{
    rt_solution s;
    const routh_status status = rt_solution_find_slopes(&k->task, near->value, near, 2, &s, error);
    const bool none = !status && !s.status && (!s.slope[0] || !s.slope[1]);
    const routh_status out = none ? refused(&s, error) : status;
    rt_solution_free(&s);
    return out;
}

routh_status rt_boundaries_follow(routh_sweep *sweep, const rt_sweep_task *task,
                                  const routh_sweep_axis *axis, const rt_line_starts *starts,
                                  routh_error *error)
{
    sweep_boundary_curve k;
    const double own = sweep_boundary_begin(&k, task, axis);
    const routh_sweep_line *line = &sweep->lines[0];
    routh_status status = ROUTH_OK;
    bool checked = false;
    for (int n = 0; n < line->n_events && !status && !k.stop; n++) {
        const routh_sweep_event *e = &line->events[n];
        bool known = !is_followed(e);
        for (int b = 0; b < sweep->n_boundaries && !known; b++)
            known = is_on(&sweep->boundaries[b], e, own);
        if (known) continue;
        rt_solution near;
        const double x[2] = {(e->value - k.low[0]) / k.range[0], (own - k.low[1]) / k.range[1]};
        /* modes that meet, or are zero, are told a little beside */
        const double beside = e->value + (x[0] > 0.5 ? -1e-3 : 1e-3) * k.range[0];
        status = sweep_boundary_reach(task, axis, starts, beside, &near, error);
        k.task.second = own;
        if (!status && !near.status && !checked) status = check_derivatives(&k, &near, error);
        checked = true;
        if (!status && !near.status) status = sweep_boundary_take(sweep, &k, e, &near, x, error);
        rt_solution_free(&near);
    }
    return status;
}
