/* What tracked modes do between two neighbouring values: they meet, their frequencies cross, or a
 * frequency passes through zero. A function of tracked eigenvalues changes its sign, and its zero
 * is solved for at values of their own, each with its operating point and linear model
 * (src/studies/sweep_zero.h). Nothing is read off the grid. Limits, which stand on no tracking, are
 * in sweep_limit.c. */
#include <float.h>
#include <math.h>

#include "studies/sweep_wanted.h"

typedef struct sweep_events_bracket {
    const rt_sweep_task *task;
    const rt_solution *a;
    const rt_solution *b;
    const rt_match *match; /* from a to b */
    rt_sweep_store *store;
    rt_wanted w;
    bool roughly; /* where it is, is not solved for */
} sweep_events_bracket;

typedef rt_zero_sample sweep_events_sample;

/* The function at a value. False where there is no solution, or not in the same states. */
static routh_status sweep_events_evaluate(const void *context, double value, bool derivative,
                                          sweep_events_sample *out, bool *ok, routh_error *error)
{
    const sweep_events_bracket *k = context;
    const bool near_a = fabs(value - k->a->value) <= fabs(k->b->value - value);
    const rt_solution *from = near_a ? k->a : k->b;
    int i = k->w.i, j = k->w.j;
    rt_solution s;
    rt_match m = {0};
    *ok = false;
    if (!rt_sweep_take(k->store, RT_FOR_CROSSINGS)) return ROUTH_OK;
    if (!near_a) i = k->match->to[i], j = j >= 0 ? k->match->to[j] : -1;
    routh_status status = rt_solution_find_slopes(k->task, value, from, derivative, &s, error);
    *ok = !status && rt_solutions_compare(from, &s);
    rt_sweep_tell(k->task, 0);
    if (*ok) status = rt_match_find(&m, from, &s, false, error);
    if (*ok && !status) {
        int to[2] = {m.to[i], j >= 0 ? m.to[j] : -1};
        if (k->w.kind == ROUTH_SWEEP_MEETING) rt_match_place_pair(&m, i, j, to);
        rt_wanted_measure(k->task, &k->w, &s, to, out);
        /* of a speed that depends on the parameter in its own way this is no more than near, and
         * what is near is enough for the next value to look at */
        const double speed = (fabs(k->b->speed) - fabs(k->a->speed)) / (k->b->value - k->a->value);
        out->slope = rt_wanted_slope(k->task, &k->w, &s, to, 0, speed);
    }
    rt_match_free(&m);
    rt_solution_free(&s);
    return status;
}

/* Where modes meet far from the axis, by the straight line: limits that may hide on either side are
 * looked for from there, and nobody asks for more. */
static routh_status add_roughly(const sweep_events_bracket *k, const int *branch,
                                const sweep_events_sample *a, const sweep_events_sample *b,
                                rt_event_list *list, routh_error *error)
{
    const rt_wanted *w = &k->w;
    const routh_sweep_event e = {.kind = w->kind,
                                 .value = a->value + (b->value - a->value) * a->f / (a->f - b->f),
                                 .error = fabs(b->value - a->value),
                                 .branch = {branch[w->i], branch[w->j]}};
    return rt_event_add(list, &e, error);
}

static routh_status add_event(const sweep_events_bracket *k, const int *branch,
                              sweep_events_sample a, sweep_events_sample b, rt_event_list *list,
                              routh_error *error)
{
    rt_sweep_zero zero;
    const rt_wanted *w = &k->w;
    const rt_zero_search search = {sweep_events_evaluate, k, k->task->step, k->task->derivatives};
    const routh_status status = rt_zero_find(&search, a, b, &zero, error);
    const bool ok = zero.found;
    if (status || (!ok && k->store->left[RT_FOR_CROSSINGS] <= 0)) return status;
    const double off = zero.off;
    /* two frequencies that are equal all along differ by rounding */
    if (ok && w->kind == ROUTH_SWEEP_CROSSING && off > 1e-3 * k->task->step) return ROUTH_OK;
    /* a jump is no zero, and neither is a mode taken for another one */
    if (ok && fabs(zero.at.f) > zero.at.noise + 1e-5 * fmax(fabs(a.f), fabs(b.f))) return ROUTH_OK;
    routh_sweep_event e = {.kind = w->kind,
                           .value = zero.at.value,
                           .error = off,
                           .branch = {branch[w->i], w->j >= 0 ? branch[w->j] : -1},
                           .eigenvalue = {creal(zero.at.lambda[0]), cimag(zero.at.lambda[0])},
                           .order = w->order,
                           .evaluations = zero.evaluations,
                           .derivatives = zero.derivatives};
    if (!ok) {
        e.kind = ROUTH_SWEEP_LOST;
        e.value = (k->a->value + k->b->value) / 2;
        e.error = fabs(k->b->value - k->a->value) / 2;
    } else if (w->kind == ROUTH_SWEEP_MEETING) {
        const double _Complex mean = (zero.at.lambda[0] + zero.at.lambda[1]) / 2;
        e.eigenvalue[0] = creal(mean), e.eigenvalue[1] = fabs(cimag(mean));
    } else
        e.grows = (b.f > a.f) == (b.value > a.value);
    return rt_event_add(list, &e, error);
}

/* ---- what there is to solve for -------------------------------------------------------------- */

/* Of opposite signs, both beyond what the error bounds make of zero. */
static bool sweep_events_changes(const sweep_events_sample *a, const sweep_events_sample *b)
{
    return fabs(a->f) > a->noise && fabs(b->f) > b->noise && (a->f > 0) != (b->f > 0);
}

static routh_status sweep_events_look(sweep_events_bracket *k, const int *branch,
                                      rt_event_list *list, routh_error *error)
{
    sweep_events_sample a, b;
    const int i = k->w.i, j = k->w.j;
    const int at[2] = {i, j}, to[2] = {k->match->to[i], j >= 0 ? k->match->to[j] : -1};
    rt_wanted_measure(k->task, &k->w, k->a, at, &a);
    rt_wanted_measure(k->task, &k->w, k->b, to, &b);
    if (sweep_events_changes(&a, &b))
        return k->roughly ? add_roughly(k, branch, &a, &b, list, error)
                          : add_event(k, branch, a, b, list, error);
    if (k->roughly || fabs(a.f) <= a.noise || fabs(b.f) > b.noise) return ROUTH_OK;
    /* zero at b, as well as can be told: what it is a little further on decides */
    bool ok;
    const double beyond = b.value + 1e-3 * (b.value - a.value);
    const routh_status status = sweep_events_evaluate(k, beyond, false, &b, &ok, error);
    return !status && ok && sweep_events_changes(&a, &b) ? add_event(k, branch, a, b, list, error)
                                                         : status;
}

/* One of each pair that stays one, and real ones. */
static bool sweep_events_counts(const sweep_events_bracket *k, int i)
{
    const int c = k->a->conjugate[i], to = k->match->to[i];
    if (k->a->rigid[i]) return false;
    return c == i || cimag(k->a->lambda[i]) > 0 || k->match->to[c] != k->b->conjugate[to];
}

/* Im = 0 of a pair that stays one: of order 0. */
static routh_status of_one(sweep_events_bracket *k, int i, const int *branch, rt_event_list *list,
                           routh_error *error)
{
    const int to = k->match->to[i];
    const routh_sweep_options *o = &k->task->options;
    bool asked = false;
    for (int n = 0; n < o->n_orders && k->task->speed >= 0; n++) asked = asked || o->orders[n] == 0;
    if (!asked || cimag(k->a->lambda[i]) == 0 || cimag(k->b->lambda[to]) == 0) return ROUTH_OK;
    k->w = (rt_wanted){ROUTH_SWEEP_CRITICAL, i, -1, 0};
    return sweep_events_look(k, branch, list, error);
}

/* Where modes meet is asked for itself, or by limits of what two modes do on both sides of it. Two
 * that are m +- sqrt(D), with m and D smooth, stay far from the imaginary axis where both ends are
 * ten times as far from it as the two are from each other and m goes: what could lead there all
 * the same shows in their derivatives (sweep_limit_island.c), or where they meet roughly. */
static bool meeting_matters(const sweep_events_bracket *k, int i, int j)
{
    static const double FAR = 10;
    const routh_sweep_options *o = &k->task->options;
    const double _Complex *x = k->a->lambda, *y = k->b->lambda;
    const int to[2] = {k->match->to[i], k->match->to[j]};
    const double re[4] = {creal(x[i]), creal(x[j]), creal(y[to[0]]), creal(y[to[1]])};
    double least = INFINITY;
    if (o->solve & ROUTH_SWEEP_SOLVE_CROSSINGS || isfinite(o->damping_ratio) ||
        (o->solve & ROUTH_SWEEP_SOLVE_CRITICAL && k->task->speed >= 0))
        return true;
    for (int n = 0; n < 4; n++) {
        if (!(re[n] * re[0] > 0)) return true;
        least = fmin(least, fabs(re[n]));
    }
    const double apart = fmax(cabs(x[i] - x[j]), cabs(y[to[0]] - y[to[1]]));
    return least < FAR * (apart + cabs(x[i] + x[j] - y[to[0]] - y[to[1]]) / 2);
}

static routh_status of_two(sweep_events_bracket *k, int i, int j, const int *branch,
                           rt_event_list *list, routh_error *error)
{
    const rt_match *m = k->match;
    const bool meet = m->doubt[i] != RT_CERTAIN && m->group[i] == m->group[j];
    const bool cross = k->task->options.solve & ROUTH_SWEEP_SOLVE_CROSSINGS &&
                       rt_sweep_is_below(k->task, k->a->lambda[i]) &&
                       rt_sweep_is_below(k->task, k->a->lambda[j]);
    if (m->doubt[i] == RT_UNCERTAIN || m->doubt[j] == RT_UNCERTAIN) return ROUTH_OK;
    k->w = (rt_wanted){meet ? ROUTH_SWEEP_MEETING : ROUTH_SWEEP_CROSSING, i, j, 0};
    if (meet) {
        const int n = list->n;
        k->roughly = !meeting_matters(k, i, j);
        const routh_status status = sweep_events_look(k, branch, list, error);
        k->roughly = false;
        if (status || list->n > n || m->doubt[i] == RT_MEETS) return status;
        k->w.kind = ROUTH_SWEEP_CROSSING; /* equal at b and not meeting there: so perhaps this */
    }
    if (!cross || m->doubt[i] == RT_MEETS || k->b->rigid[m->to[i]]) return ROUTH_OK;
    if (cimag(k->a->lambda[i]) <= 0 || cimag(k->a->lambda[j]) <= 0) return ROUTH_OK;
    if (!sweep_events_counts(k, j)) return ROUTH_OK;
    return sweep_events_look(k, branch, list, error);
}

routh_status rt_events_between(const rt_sweep_task *task, const rt_solution *a,
                               const rt_solution *b, const rt_match *match, const int *branch,
                               rt_sweep_store *store, rt_event_list *list, routh_error *error)
{
    sweep_events_bracket k = {.task = task, .a = a, .b = b, .match = match, .store = store};
    /* limits are looked for on both sides of where modes meet */
    const bool both =
                   task->options.solve & (ROUTH_SWEEP_SOLVE_CROSSINGS | ROUTH_SWEEP_SOLVE_LIMITS),
               one = task->options.solve & ROUTH_SWEEP_SOLVE_CRITICAL;
    routh_status status = ROUTH_OK;
    for (int i = 0; i < a->n && !status; i++) {
        if (!sweep_events_counts(&k, i)) continue;
        if (one && match->doubt[i] != RT_UNCERTAIN) status = of_one(&k, i, branch, list, error);
        for (int j = i + 1; j < a->n && both && !status; j++)
            if (!a->rigid[j] && b->rigid[match->to[i]] == b->rigid[match->to[j]])
                status = of_two(&k, i, j, branch, list, error);
    }
    return status;
}
