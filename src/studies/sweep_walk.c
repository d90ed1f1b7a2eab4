/* Whether steps of a sweep stay on one branch of operating points. A search that begins at a
 * neighbour may come to another equilibrium beside that which goes on: an unstable one that lies
 * nearer, one on the other side, or one of a branch that crosses. Where the bodies move far in a
 * step, or elsewhere than the step before leads to, two of half its length must lead to the same;
 * where eigenvalues become unstable besides, steps are halved until they are short. */
#include "studies/sweep_walk.h"

#include <math.h>

#include "studies/sweep_approach.h"
#include "studies/sweep_ending.h"
#include "studies/sweep_limit.h"

bool rt_solutions_agree(const rt_solution *a, const rt_solution *b)
{
    double most = 0;
    if (a->n != b->n) return false;
    for (int k = 0; k < a->n; k++) most = fmax(most, cabs(a->lambda[k]));
    for (int k = 0; k < a->n; k++) {
        double off = INFINITY;
        for (int j = 0; j < b->n; j++) off = fmin(off, cabs(a->lambda[k] - b->lambda[j]));
        if (off > 1e-5 * cabs(a->lambda[k]) + 1e-6 * most) return false;
    }
    return true;
}

static double sweep_walk_distance(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

static bool as_stable(const rt_solution *a, const rt_solution *b)
{
    return rt_limit_count_unstable(a) == rt_limit_count_unstable(b);
}

/* The largest displacement over the typical length, and angle: |A - B| = 2 sqrt(2) sin(angle/2).
 * Branches that differ in stability may be near each other. */
bool rt_is_short_step(const rt_solution *a, const rt_solution *b)
{
    static const double SHORT = 0.1, NO_STEP = 1e-3;
    if (!a->point || !b->point || a->point->n_bodies != b->point->n_bodies) return false;
    const double most = as_stable(a, b) ? SHORT : NO_STEP;
    const double length = most * a->length, turn = most * sqrt(2);
    for (int k = 0; k < a->point->n_bodies; k++) {
        const routh_body_state *x = &a->point->bodies[k], *y = &b->point->bodies[k];
        if (sweep_walk_distance(x->position, y->position, 3) > length ||
            sweep_walk_distance(x->orientation, y->orientation, 9) > turn ||
            sweep_walk_distance(x->deflection, y->deflection, 3) > length)
            return false;
    }
    return true;
}

/* The step before, which may be unknown, and where it led to. */
typedef struct walk_from {
    const rt_solution *before, *from;
} walk_from;

/* The largest of what bodies move from a to b, and of how far c is beside the point at part s of
 * the way from a to b; lengths over the typical one, and the entries of A. */
typedef struct walk_motion {
    double way, beside;
} walk_motion;

static void walk_add_motion(walk_motion *w, const double *a, const double *b, const double *c,
                            double s, int n, double unit)
{
    double way = 0, beside = 0;
    for (int i = 0; i < n; i++) {
        const double d = c[i] - a[i] - s * (b[i] - a[i]);
        way += (c[i] - a[i]) * (c[i] - a[i]);
        beside += d * d;
    }
    w->way = fmax(w->way, sqrt(way) / unit);
    w->beside = fmax(w->beside, sqrt(beside) / unit);
}

static const rt_step_measure by_value = {false, 0};

static double measure_of(const rt_step_measure *m, double value)
{
    return m->by_root ? sqrt(fabs(m->end - value)) : value;
}

double rt_step_part(const rt_step_measure *m, const rt_solution *before, const rt_solution *from,
                    double value)
{
    if (!before) return 0;
    const double at = measure_of(m, from->value);
    return (measure_of(m, value) - at) / (measure_of(m, before->value) - at);
}

static double step_middle(const rt_step_measure *m, double a, double b)
{
    const double s = measure_of(m, a) + RT_STEP_MIDDLE * (measure_of(m, b) - measure_of(m, a));
    return m->by_root ? m->end + copysign(s * s, a - m->end) : s;
}

static walk_motion motion_of(const rt_solution *before, const rt_solution *from,
                             const rt_solution *now, double part)
{
    const rt_solution *b = before ? before : from;
    walk_motion w = {0, 0};
    if (!from->point || !now->point || !b->point) return w;
    for (int k = 0; k < from->point->n_bodies && k < now->point->n_bodies; k++) {
        const routh_body_state *x = &from->point->bodies[k], *y = &b->point->bodies[k],
                               *z = &now->point->bodies[k];
        walk_add_motion(&w, x->position, y->position, z->position, part, 3, from->length);
        walk_add_motion(&w, x->orientation, y->orientation, z->orientation, part, 9, sqrt(2));
        walk_add_motion(&w, x->deflection, y->deflection, z->deflection, part, 3, from->length);
    }
    return w;
}

/* How far the step goes beside the line, over its length. */
static double bend_of(const rt_solution *before, const rt_solution *from, const rt_solution *now,
                      double part)
{
    static const double STILL = 1e-6;
    const walk_motion w = motion_of(before, from, now, part);
    return fmax(w.way, w.beside) > STILL ? w.beside / w.way : 0;
}

static const double NEARLY_STRAIGHT = 0.05;

bool rt_step_bends(const rt_solution *before, const rt_solution *from, const rt_solution *now,
                   double part)
{
    return rt_ending_is_near(before, from, now) &&
           bend_of(before, from, now, part) > NEARLY_STRAIGHT;
}

/* Do two ways lead from `from` to the same? Eigenvalues of branches that cross are alike beside the
 * crossing, places are not. */
static bool leads_to(const rt_solution *from, const rt_solution *a, const rt_solution *b)
{
    static const double SAME = 1e-7, PART = 0.02;
    const walk_motion w = motion_of(a, from, b, 1);
    const bool there = w.beside <= SAME + PART * w.way || !rt_ending_is_known(from);
    return there && rt_solutions_agree(a, b);
}

/* First of a line, there is nothing to compare its direction with but its own halves. */
static bool is_straight(const walk_from *way, const rt_solution *now, bool first)
{
    if (!way->before && !first) return true;
    return !rt_step_bends(way->before, way->from, now,
                          rt_step_part(&by_value, way->before, way->from, now->value));
}

static void sweep_walk_replace(rt_solution *now, rt_solution *by)
{
    rt_solution_free(now);
    *now = *by;
    *by = (rt_solution){0};
}

static routh_status sweep_walk_by_halves(const rt_sweep_task *task, walk_from way, rt_solution *now,
                                         bool first, int depth, routh_error *error);

static routh_status sweep_walk_step_by(const rt_sweep_task *task, const rt_step_measure *measure,
                                       walk_from way, double value, rt_solution *next,
                                       routh_error *error)
{
    const rt_solution_way how = {.other = way.before,
                                 .part = rt_step_part(measure, way.before, way.from, value),
                                 .followed = true};
    return rt_solution_find_by(task, value, way.from, &how, next, error);
}

static routh_status sweep_walk_step(const rt_sweep_task *task, walk_from way, double value,
                                    rt_solution *next, routh_error *error)
{
    return sweep_walk_step_by(task, &by_value, way, value, next, error);
}

routh_status rt_step_is_straight(const rt_sweep_task *task, const rt_step_measure *measure,
                                 const rt_solution *before, const rt_solution *from,
                                 const rt_solution *now, bool *straight, routh_error *error)
{
    rt_solution middle = {0}, end = {0};
    const walk_from first = {before, from}, second = {from, &middle};
    const double value = step_middle(measure, from->value, now->value);
    *straight = false;
    routh_status status = sweep_walk_step_by(task, measure, first, value, &middle, error);
    if (!status && !middle.status)
        status = sweep_walk_step_by(task, measure, second, now->value, &end, error);
    if (!status) rt_sweep_tell(task, 0), rt_sweep_tell(task, 0);
    if (!status && !middle.status && !end.status)
        *straight = leads_to(from, &end, now) &&
                    bend_of(from, &middle, &end, rt_step_part(measure, from, &middle, end.value)) <=
                        NEARLY_STRAIGHT;
    rt_solution_free(&middle), rt_solution_free(&end);
    return status;
}

/* From the middle, which is confirmed, on. */
static routh_status sweep_walk_on(const rt_sweep_task *task, walk_from way, rt_solution *middle,
                                  rt_solution *now, int depth, routh_error *error)
{
    rt_solution end = {0};
    const walk_from second = {way.from, middle};
    routh_status status = sweep_walk_by_halves(task, way, middle, false, depth, error);
    now->followed = now->followed && middle->followed;
    if (status || !middle->followed) return status;
    status = sweep_walk_step(task, second, now->value, &end, error);
    if (!status) rt_sweep_tell(task, 0);
    if (!status && !end.status)
        status = sweep_walk_by_halves(task, second, &end, false, depth, error);
    if (!status && !end.status) sweep_walk_replace(now, &end);
    if (!status && end.status == ROUTH_NO_EQUILIBRIUM) now->followed = false;
    rt_solution_free(&end);
    return status;
}

static routh_status sweep_walk_by_halves(const rt_sweep_task *task, walk_from way, rt_solution *now,
                                         bool first, int depth, routh_error *error)
{
    rt_solution middle = {0}, end = {0};
    const rt_solution *from = way.from;
    const bool is_short = rt_is_short_step(from, now) && is_straight(&way, now, first);
    if (is_short || rt_sweep_stopped(task)) return ROUTH_OK;
    const bool near = rt_ending_is_near(way.before, from, now);
    if (near) {
        bool straight;
        const routh_status status =
            rt_step_is_straight(task, &by_value, way.before, from, now, &straight, error);
        now->followed = now->followed && straight; /* else smaller steps, from the beginning */
        if (status || !straight || as_stable(from, now)) return status;
    }
    const double half = near ? step_middle(&by_value, from->value, now->value)
                             : from->value + (now->value - from->value) / 2;
    if (half == from->value || half == now->value) return ROUTH_OK;
    routh_status status = sweep_walk_step(task, way, half, &middle, error);
    if (!status && !middle.status)
        status = sweep_walk_step(task, (walk_from){from, &middle}, now->value, &end, error);
    if (!status) rt_sweep_tell(task, 0), rt_sweep_tell(task, 0);
    const bool there = !status && !middle.status && !end.status;
    const bool agree = there && leads_to(from, &end, now);
    if (!status && (middle.status == ROUTH_NO_EQUILIBRIUM || end.status == ROUTH_NO_EQUILIBRIUM))
        now->followed = false;
    if (there && !agree && depth == 0) sweep_walk_replace(now, &end);
    if (there && depth > 0 && !(agree && as_stable(from, now)))
        status = sweep_walk_on(task, way, &middle, now, depth - 1, error);
    rt_solution_free(&middle), rt_solution_free(&end);
    return status;
}

routh_status rt_walk_confirm(const rt_sweep_task *task, const rt_solution *before,
                             const rt_solution *from, rt_solution *now, routh_error *error)
{
    enum { DEEPEST = 8 };
    if (!from || from->status || now->status || !now->followed || !rt_is_followed(from))
        return ROUTH_OK;
    return sweep_walk_by_halves(task, (walk_from){before, from}, now, !before, DEEPEST, error);
}
