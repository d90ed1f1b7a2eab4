/* Whether steps of a sweep stay on one branch of operating points. A search that begins at a
 * neighbour may come to another equilibrium beside that which goes on: an unstable one that lies
 * nearer, or one on the other side. Where the bodies move far in a step, two of half its length
 * must lead to the same; where eigenvalues become unstable besides, steps are halved until they
 * are short. */
#include "studies/sweep_walk.h"

#include <math.h>

#include "studies/sweep_approach.h"
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

static void sweep_walk_replace(rt_solution *now, rt_solution *by)
{
    rt_solution_free(now);
    *now = *by;
    *by = (rt_solution){0};
}

static routh_status sweep_walk_by_halves(const rt_sweep_task *task, const rt_solution *from,
                                         rt_solution *now, int depth, routh_error *error);

/* From the middle, which is confirmed, on. */
static routh_status sweep_walk_on(const rt_sweep_task *task, const rt_solution *from,
                                  rt_solution *middle, rt_solution *now, int depth,
                                  routh_error *error)
{
    rt_solution end = {0};
    routh_status status = sweep_walk_by_halves(task, from, middle, depth, error);
    now->followed = now->followed && middle->followed;
    if (status || !middle->followed) return status;
    status = rt_solution_follow(task, now->value, middle, &end, error);
    if (!status) rt_sweep_tell(task, 0);
    if (!status && !end.status) status = sweep_walk_by_halves(task, middle, &end, depth, error);
    if (!status && !end.status) sweep_walk_replace(now, &end);
    if (!status && end.status == ROUTH_NO_EQUILIBRIUM) now->followed = false;
    rt_solution_free(&end);
    return status;
}

static routh_status sweep_walk_by_halves(const rt_sweep_task *task, const rt_solution *from,
                                         rt_solution *now, int depth, routh_error *error)
{
    rt_solution middle = {0}, end = {0};
    if (rt_is_short_step(from, now) || rt_sweep_stopped(task)) return ROUTH_OK;
    const double half = from->value + (now->value - from->value) / 2;
    if (half == from->value || half == now->value) return ROUTH_OK;
    routh_status status = rt_solution_follow(task, half, from, &middle, error);
    if (!status && !middle.status)
        status = rt_solution_follow(task, now->value, &middle, &end, error);
    if (!status) rt_sweep_tell(task, 0), rt_sweep_tell(task, 0);
    const bool there = !status && !middle.status && !end.status;
    const bool agree = there && rt_solutions_agree(&end, now);
    if (!status && (middle.status == ROUTH_NO_EQUILIBRIUM || end.status == ROUTH_NO_EQUILIBRIUM))
        now->followed = false;
    if (there && !agree && depth == 0) sweep_walk_replace(now, &end);
    if (there && depth > 0 && !(agree && as_stable(from, now)))
        status = sweep_walk_on(task, from, &middle, now, depth - 1, error);
    rt_solution_free(&middle), rt_solution_free(&end);
    return status;
}

routh_status rt_walk_confirm(const rt_sweep_task *task, const rt_solution *from, rt_solution *now,
                             routh_error *error)
{
    enum { DEEPEST = 8 };
    if (!from || from->status || now->status || !now->followed || !rt_is_followed(from))
        return ROUTH_OK;
    return sweep_walk_by_halves(task, from, now, DEEPEST, error);
}
