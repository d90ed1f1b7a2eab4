/* The search for a steady motion: directly from the state as written; else along a path on which
 * what is out of balance there is taken away little by little,
 *     F(y) = (1 - tau) F(y_0),   tau from 0 to 1,
 * from the state as written, then from rest. */
#include <float.h>

#include "base/kept_memory.h"
#include "operating/steady.h"

static const double GOOD = 1e-11, COARSE = 1e-7;

enum { FEW = 12 };

/* A better place than all before is kept. */
static void steady_search_note(rt_steady_search *k, double reached, double *best)
{
    if (!(reached < *best)) return;
    *best = reached;
    rt_steady_keep(k, RT_STEADY_BEST);
}

static void set_offset(rt_steady_search *k, double factor, const double *F0)
{
    for (int i = 0; i < k->most_rows; i++)
        k->offset[i] = factor == 0 || i >= k->n_rows ? 0 : factor * F0[i];
}

/* Steps of tau that are halved where Newton's method does not follow. */
static routh_status steady_search_walk(rt_steady_search *k, const double *F0, bool *arrived,
                                       routh_error *error)
{
    enum { PASSES = 12 };
    static const double least = 1e-3;
    /* what is taken away of a later time may not fit what is taken away now */
    const double near = k->late ? 1e-4 : 1e-6;
    double tau = 0, by = 0.1;
    rt_steady_keep(k, RT_STEADY_PATH);
    while (tau < 1 && by > least && k->s->iterations < k->s->max_iterations) {
        const double next = fmin(1, tau + by);
        double reached;
        set_offset(k, 1 - next, F0);
        const routh_status status = rt_steady_newton(k, near, PASSES, &reached, error);
        if (status) return status;
        if (reached <= near) {
            tau = next;
            by = fmin(2 * by, 0.5);
            rt_steady_keep(k, RT_STEADY_PATH);
        } else {
            rt_steady_restore(k, RT_STEADY_PATH);
            by /= 2;
        }
    }
    *arrived = tau >= 1;
    if (k->late) k->way = fmax(k->way, tau);
    return ROUTH_OK;
}

static routh_status steady_search_follow(rt_steady_search *k, double *reached, routh_error *error)
{
    bool arrived = false;
    double *F0 = rt_kept_malloc(k->s->m->analyses, (size_t)k->n_rows * sizeof *F0);
    if (!F0) return rt_fail_memory(error);
    routh_status status = rt_steady_evaluate(k, false, error);
    if (!status) memcpy(F0, k->whole.F, (size_t)k->n_rows * sizeof *F0);
    if (!status) status = steady_search_walk(k, F0, &arrived, error);
    rt_kept_free(F0);
    set_offset(k, 0, NULL);
    *reached = INFINITY;
    if (status == ROUTH_NUMERIC_ERROR) return ROUTH_OK;
    return !status && arrived ? rt_steady_newton(k, GOOD, 30, reached, error) : status;
}

/* ---- where it begins ------------------------------------------------------------------------ */

/* lambda, variables and states of controllers as in the state as written; zero where they cannot be
 * found. */
static routh_status first_forces(rt_steady_search *k, routh_error *error)
{
    rt_search *s = k->s;
    routh_error unheard;
    rt_steady_keep(k, RT_STEADY_START);
    routh_status status = rt_find_initial_states(s, &unheard);
    if (!status) status = rt_find_accelerations(s, &unheard);
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(error);
    if (status) rt_steady_restore(k, RT_STEADY_START);
    for (int i = 0; i < s->m->model->n_control_states; i++)
        s->state->signal[s->m->model->n_control_states + i] = 0;
    rt_steady_keep(k, RT_STEADY_START);
    return ROUTH_OK;
}

typedef enum steady_search_begin {
    AS_PRESCRIBED,
    AS_WRITTEN,
    AT_REST,
    N_BEGINNINGS
} steady_search_begin;

static void go_to(rt_steady_search *k, steady_search_begin where)
{
    k->own = k->plain = false;
    rt_steady_restore(k, RT_STEADY_START);
    if (where == AT_REST)
        memset(k->motion, 0, (size_t)k->n_motion * sizeof *k->motion);
    else if (!rt_steady_fit(k, where == AS_PRESCRIBED))
        (void)rt_steady_begin(k, where == AS_PRESCRIBED);
}

/* Rates that were prescribed are so to the last digit; what rounding left of none is none. */
static void take_prescribed(rt_steady_search *k)
{
    if (k->asked->turn_rate_given) k->motion[RT_MOTION_RATE] = k->asked->turn_rate.value;
    if (fabs(k->motion[RT_MOTION_RATE]) <= 1e-14 * k->rate) k->motion[RT_MOTION_RATE] = 0;
    for (int i = 0; i < k->asked->n_spins; i++)
        if (k->asked->spins[i].rate_given)
            k->motion[RT_MOTION_SPINS + i] = k->asked->spins[i].rate.value;
}

/* What is left of the balance, of the largest single force; 0: no more than usual. */
static double steady_search_coarse(const rt_steady_search *k)
{
    static const double USUAL = 1e-10;
    const double largest = rt_largest_force(k->s);
    double worst = 0;
    for (int i = 0; i < k->in_phi; i++) worst = fmax(worst, fabs(k->whole.F[i]) * k->s->unit[i]);
    return worst > USUAL * largest ? worst / largest : 0;
}

/* A last step as long, in natural units, may have an end. */
static const double LAST_STEP = 1e-7;

/* J and its factors at the motion that was found, with what is prescribed to the last digit. Most
 * end with one step; what is soft beside what is stiff takes more. */
static routh_status steady_search_finish(rt_steady_search *k, double reached, routh_error *error)
{
    enum { MOST = 10 };
    routh_status status = ROUTH_OK;
    k->last_step = INFINITY;
    k->own = true;
    status = rt_steady_evaluate(k, false, error);
    if (!status && rt_steady_error(k) > GOOD)
        status = rt_steady_newton(k, GOOD, FEW, &reached, error);
    for (int i = 0; i < MOST && !status && !(k->last_step <= LAST_STEP); i++) {
        take_prescribed(k);
        status = rt_steady_evaluate(k, true, error);
        if (!status) status = rt_steady_polish(k, &k->last_step, error);
    }
    if (!status) take_prescribed(k);
    if (!status) status = rt_steady_evaluate(k, false, error);
    k->s->coarse = status ? 0 : steady_search_coarse(k);
    return status;
}

/* Of places far from the origin the last digits are open, and of what follows from them. */
static double steady_search_rounding(const rt_steady_search *k)
{
    static const double ROUNDED = 64 * DBL_EPSILON;
    double farthest = 0;
    for (int b = 0; b < k->s->m->n_bodies; b++)
        farthest = fmax(farthest, rt_v3_norm(k->s->w->bodies[b].r));
    return ROUNDED * farthest / k->s->m->length;
}

/* Is what was found in balance, and as prescribed, or as near to it as rounding allows? Near the
 * end of a branch of motions there are places that are nearly so. */
static routh_status steady_search_judge(rt_steady_search *k, bool *sound, routh_error *error)
{
    static const double FINE = 1e-10;
    const double allowed = fmax(FINE, steady_search_rounding(k));
    *sound = k->last_step <= LAST_STEP;
    for (int i = 0; i < k->n_rows && *sound; i++)
        *sound =
            i % k->n_equations < k->in_phi || fabs(k->whole.F[i]) <= allowed * k->whole.row_unit[i];
    if (!*sound || rt_steady_unbalanced(k) <= FINE) return ROUTH_OK;
    rt_steady_remainder remainder;
    const routh_status status = rt_steady_judge(k, FINE, &remainder, error);
    *sound = !status && remainder.is_rounding;
    return status;
}

/* Are there bodies whose forces are measured by what they round? */
static bool steady_search_measures_rounding(const rt_steady_search *k)
{
    for (int b = 0; b < k->s->m->n_bodies; b++)
        if (k->force[b] > k->largest[b]) return true;
    return false;
}

/* The motion that was found, at its best; it is found no more where it is not sound. Beside stiff
 * elements what soft ones balance shows only where forces are measured by what they are. */
static routh_status steady_search_accept(rt_steady_search *k, double reached, bool *found,
                                         routh_error *error)
{
    if (!*found) return ROUTH_OK;
    routh_status status = steady_search_finish(k, reached, error);
    if (!status) status = steady_search_judge(k, found, error);
    if (!status && !*found && !k->plain && steady_search_measures_rounding(k)) {
        k->plain = true;
        status = steady_search_finish(k, reached, error);
        if (!status) status = steady_search_judge(k, found, error);
        k->plain = !status && *found;
    }
    if (status) *found = false;
    return status;
}

/* Near a motion that lasts, as from one value of a sweep to the next, straight to it. Not where the
 * motion may accelerate: there what lasts may be far off, at another speed. */
static routh_status steady_search_nearby(rt_steady_search *k, bool *found, routh_error *error)
{
    static const double NEARBY = 0.05;
    double reached = INFINITY;
    *found = false;
    if (k->acceleration >= 0) return ROUTH_OK;
    go_to(k, AS_PRESCRIBED);
    routh_status status = rt_steady_evaluate(k, false, error);
    if (status || rt_steady_error(k) > NEARBY)
        return status == ROUTH_NUMERIC_ERROR ? ROUTH_OK : status;
    rt_steady_set_late(k, true);
    status = rt_steady_newton(k, GOOD, FEW, &reached, error);
    *found = !status && reached <= GOOD;
    if (!status) status = steady_search_accept(k, reached, found, error);
    if (!*found) rt_steady_set_late(k, false);
    return status;
}

/* Of motions that are in balance now the one that lasts; *lasts: in so many steps it was found. */
static routh_status steady_search_last(rt_steady_search *k, int most, double *reached, bool *lasts,
                                       routh_error *error)
{
    rt_steady_set_late(k, true);
    const routh_status status = rt_steady_newton(k, GOOD, most, reached, error);
    *lasts = !status && *reached <= COARSE;
    if (!*lasts) rt_steady_set_late(k, false);
    return status;
}

static routh_status last(rt_steady_search *k, double *best, routh_error *error)
{
    double reached;
    bool lasts;
    const routh_status status =
        steady_search_last(k, k->s->max_iterations / 2, &reached, &lasts, error);
    if (!status && !lasts) { /* what there is, is told by how it stops */
        rt_steady_restore(k, RT_STEADY_BEST);
        reached = *best;
    }
    return status ? status : steady_search_finish(k, reached, error);
}

/* From what is written, in few steps: these lead to no other motion far away. */
static routh_status steady_search_quickly(rt_steady_search *k, bool *found, routh_error *error)
{
    double reached = INFINITY;
    *found = false;
    go_to(k, AS_PRESCRIBED);
    routh_status status = rt_steady_evaluate(k, false, error);
    k->balanced = !status && rt_steady_error(k) <= COARSE;
    if (!status || status == ROUTH_NUMERIC_ERROR)
        status = rt_steady_newton(k, GOOD, FEW, &reached, error);
    if (status || reached > GOOD) return status;
    rt_steady_keep(k, RT_STEADY_BEST);
    status = steady_search_last(k, FEW, &reached, found, error);
    if (!status) status = steady_search_accept(k, reached, found, error);
    if (!status && !*found) rt_steady_set_late(k, false);
    return status;
}

/* Along the path from the state as written, with the equations at the later time all the way, so
 * that it leads to no motion that is balanced for an instant only. */
static routh_status steady_search_along(rt_steady_search *k, bool *found, routh_error *error)
{
    double reached = INFINITY;
    rt_steady_set_late(k, false);
    go_to(k, AS_WRITTEN);
    routh_status status = rt_steady_evaluate(k, false, error);
    if (!status) {
        rt_steady_set_late(k, true);
        status = steady_search_follow(k, &reached, error);
    }
    *found = !status && reached <= COARSE;
    return status ? status : steady_search_accept(k, reached, found, error);
}

/* What is out of balance of prescriptions that feel an acceleration, where there is none. */
static void steady_search_accelerations_asked(const rt_steady_search *k, double *F0)
{
    memset(F0, 0, (size_t)k->most_rows * sizeof *F0);
    for (int i = k->in_prescribed; i < k->in_turn; i++)
        for (int j = k->acceleration; j < k->n_motion; j++)
            if (k->whole.J[(size_t)i + (size_t)k->most_rows * (size_t)(k->at_motion + j)] != 0)
                F0[i] = k->whole.F[i];
}

/* Of an accelerated motion first the one at the same speed without acceleration, then by steps of
 * the acceleration that is prescribed. Where that does not arrive, the other searches have all the
 * steps that there are, and their own way. */
static routh_status steady_search_speeding_up(rt_steady_search *k, bool *found, routh_error *error)
{
    const int iterations = k->s->iterations;
    const double way = k->way;
    double reached = INFINITY;
    bool arrived = false;
    *found = false;
    if (k->acceleration < 0) return ROUTH_OK;
    double *F0 = rt_kept_malloc(k->s->m->analyses, (size_t)k->most_rows * sizeof *F0);
    if (!F0) return rt_fail_memory(error);
    rt_steady_set_late(k, false);
    go_to(k, AS_PRESCRIBED);
    memset(k->motion + k->acceleration, 0,
           (size_t)(k->n_motion - k->acceleration) * sizeof *k->motion);
    routh_status status = rt_steady_evaluate(k, true, error);
    if (!status) {
        steady_search_accelerations_asked(k, F0);
        rt_steady_set_late(k, true);
        set_offset(k, 1, F0);
        status = rt_steady_newton(k, GOOD, k->s->max_iterations / 4, &reached, error);
    }
    if (!status && reached <= COARSE) status = steady_search_walk(k, F0, &arrived, error);
    rt_kept_free(F0);
    set_offset(k, 0, NULL);
    if (!status && arrived) status = rt_steady_newton(k, GOOD, 30, &reached, error);
    *found = !status && arrived && reached <= COARSE;
    if (!status) status = steady_search_accept(k, reached, found, error);
    if (!*found) {
        k->s->iterations = iterations, k->way = way;
        rt_steady_set_late(k, false);
    }
    return status == ROUTH_NUMERIC_ERROR ? ROUTH_OK : status;
}

/* From the state as written, with what is prescribed, by letting the mechanism move with much
 * dissipation: where that comes to rest in the moving frame, Newton's method goes on. */
static routh_status steady_search_relaxing(rt_steady_search *k, bool *found, routh_error *error)
{
    double reached;
    *found = false;
    rt_steady_set_late(k, false);
    go_to(k, AS_PRESCRIBED);
    k->own = true;
    routh_status status = rt_steady_evaluate(k, false, error);
    if (status) return status == ROUTH_NUMERIC_ERROR ? ROUTH_OK : status;
    rt_steady_set_late(k, true);
    status = rt_steady_relax(k, &reached, error);
    if (!status && reached < INFINITY) status = rt_steady_newton(k, GOOD, FEW, &reached, error);
    *found = !status && reached <= COARSE;
    return status ? status : steady_search_accept(k, reached, found, error);
}

static routh_status begin_anywhere(rt_steady_search *k, double *best, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int where = 0; where < N_BEGINNINGS && !status && *best > GOOD; where++) {
        double reached = INFINITY;
        go_to(k, (steady_search_begin)where);
        if (where == AS_PRESCRIBED)
            status = rt_steady_newton(k, GOOD, k->s->max_iterations / 2, &reached, error);
        else
            status = steady_search_follow(k, &reached, error);
        if (!status) steady_search_note(k, reached, best);
    }
    return status;
}

/* Kept only where it arrives: how the others stop tells more. */
static routh_status begin_naturally(rt_steady_search *k, double *best, routh_error *error)
{
    double found = COARSE;
    k->natural = true;
    const routh_status status = begin_anywhere(k, &found, error);
    k->natural = false;
    if (found < COARSE) *best = found;
    return status;
}

/* Where it ran away to ever faster motions, what the state as written lacks tells more. */
static routh_status steady_search_fail(rt_steady_search *k, double best, routh_error *error)
{
    static const double AWAY = 1e3;
    routh_status status = rt_steady_evaluate(k, true, error);
    if (!status && k->rate > AWAY * k->least_rate && k->least_rate > 0) {
        go_to(k, AS_PRESCRIBED);
        status = rt_steady_evaluate(k, true, error);
    }
    if (!status) status = rt_steady_decompose_fully(k, error);
    return status ? status : rt_steady_fail(k, best, error);
}

/* How a search may arrive, and in which words that is told: one after another, until one does. */
typedef struct steady_search_way {
    routh_status (*go)(rt_steady_search *k, bool *found, routh_error *error);
    const char *arrival;
} steady_search_way;

static const steady_search_way WAYS[] = {
    {steady_search_nearby, "by Newton's method from the start, which is near"},
    {steady_search_quickly, "by Newton's method from the start"},
    {steady_search_along, "by a homotopy that takes the residual of the start away"},
    {steady_search_relaxing, "by Newton's method after relaxation with added damping"},
    {steady_search_speeding_up, "by continuation from a motion without acceleration"},
};

/* Those that may lead away from a neighbour are not gone where one is followed. */
enum { N_WAYS = sizeof WAYS / sizeof *WAYS, N_WAYS_FOLLOWED = 2 };

static routh_status steady_search_by_ways(rt_steady_search *k, bool *found, routh_error *error)
{
    const int n = k->s->followed ? N_WAYS_FOLLOWED : N_WAYS;
    routh_status status = ROUTH_OK;
    for (int i = 0; i < n && !status && !*found; i++) {
        status = WAYS[i].go(k, found, error);
        if (!status && *found) k->s->arrival = WAYS[i].arrival;
    }
    return status;
}

routh_status rt_steady_search_motion(rt_steady_search *k, routh_error *error)
{
    double best = INFINITY;
    bool found = false;
    routh_status status = first_forces(k, error);
    if (!status) status = steady_search_by_ways(k, &found, error);
    if (status || found) return status;
    if (k->s->followed) {
        go_to(k, AS_PRESCRIBED);
        return steady_search_fail(k, best, error);
    }
    k->s->iterations = 0;
    rt_steady_set_late(k, false);
    status = begin_anywhere(k, &best, error);
    if (!status && best > GOOD && k->driven) { /* joints may prescribe a part of a_O only */
        k->driven = false;
        status = begin_anywhere(k, &best, error);
    }
    if (!status && best > COARSE) status = begin_naturally(k, &best, error);
    if (status) return status;
    if (best == INFINITY)
        go_to(k, AS_PRESCRIBED);
    else
        rt_steady_restore(k, RT_STEADY_BEST);
    k->s->arrival = "by Newton's method from a motion that balances at one instant";
    if (best <= COARSE) {
        status = last(k, &best, error);
        bool sound = false;
        if (!status) status = steady_search_judge(k, &sound, error);
        if (status || sound) return status;
    }
    return steady_search_fail(k, best, error);
}

routh_status rt_steady_search_held(rt_steady_search *k, bool at_rest, bool *found,
                                   routh_error *error)
{
    double reached;
    rt_steady_set_late(k, false);
    go_to(k, at_rest ? AT_REST : AS_PRESCRIBED);
    if (at_rest) take_prescribed(k);
    k->s->arrival = at_rest ? "by Newton's method from a balance at rest"
                            : "by Newton's method from a balance at the velocity of the start";
    k->held = true;
    routh_status status = rt_steady_newton(k, GOOD, k->s->max_iterations / 2, &reached, error);
    k->held = false;
    *found = !status && reached <= COARSE;
    if (!*found) return status;
    rt_steady_keep(k, RT_STEADY_BEST);
    status = last(k, &reached, error);
    *found = !status && k->late;
    return status;
}

routh_status rt_steady_search_settled(rt_steady_search *k, bool *found, routh_error *error)
{
    *found = false;
    rt_steady_set_late(k, false);
    go_to(k, AS_PRESCRIBED);
    k->s->iterations = 0;
    k->s->arrival = "by Newton's method after settling at the velocity of the start";
    routh_status status = rt_steady_settle(k, error);
    if (status) return status;
    rt_steady_keep(k, RT_STEADY_START);
    status = steady_search_quickly(k, found, error);
    if (status || *found) return status;
    rt_steady_set_late(k, false);
    rt_steady_restore(k, RT_STEADY_SETTLED);
    rt_steady_keep(k, RT_STEADY_START);
    status = steady_search_quickly(k, found, error);
    return status || *found ? status : steady_search_along(k, found, error);
}
