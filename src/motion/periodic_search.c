/* Periodic motions of unknown period: where Newton's method ends at rest, or nowhere, the motion
 * itself is followed. An attracting motion is reached so, and then comes back near to where it was.
 */
#include "motion/periodic.h"

enum { PARTS = 16, PERIODS = 4, TRANSIENT = 8 };

static bool periodic_search_ended_badly(routh_status status)
{
    return status == ROUTH_NUMERIC_ERROR || status == ROUTH_SINGULAR;
}

/* orbit->start := run.now, at the time the start had: nothing depends on it. */
static routh_status go_on_from_here(rt_shooting *s, routh_error *error)
{
    rt_orbit *o = s->o;
    const double t0 = o->start->t;
    rt_state_copy(o->m, o->run.search.state, o->run.now);
    const int n = o->m->model->n_angles;
    if (n) o->run.search.state->near[2 * n] = t0;
    routh_status status = rt_run_time(&o->run, o->run.search.state, t0, error);
    if (!status) status = rt_run_project(&o->run, error);
    if (!status) status = rt_run_accelerate(&o->run, error);
    if (!status) rt_state_copy(o->m, o->start, o->run.search.state);
    return status;
}

/* After some periods of the motion as it is: where within PERIODS of them, in parts, it comes
 * nearest again. *period: 0 where it does not. */
static routh_status find_return(rt_shooting *s, double guess, int steps, double *period,
                                routh_error *error)
{
    rt_orbit *o = s->o;
    const double part = guess / PARTS;
    double before = 0, last = 0, best = INFINITY;
    rt_state *from = NULL;
    *period = 0;
    routh_status status = rt_orbit_round(o, TRANSIENT * guess, TRANSIENT * steps, error);
    if (!status) status = go_on_from_here(s, error);
    if (!status) status = rt_state_create(&from, o->m, error);
    if (!status) rt_state_copy(o->m, from, o->start);
    if (!status) status = rt_along_run(o->first, o->start, error);
    if (!status) rt_shooting_note(s, guess);
    for (int k = 1; k <= PARTS * PERIODS && !status; k++) {
        status = rt_orbit_round(o, part, RT_ORBIT_SAMPLES, error);
        if (status) break;
        rt_shooting_compare(s);
        /* the last one was a minimum */
        if (k > 2 && last < before && last <= s->closure && last < 0.5 * best)
            best = last, *period = (k - 1) * part;
        before = last, last = s->closure;
        status = go_on_from_here(s, error);
    }
    if (!status) rt_state_copy(o->m, o->start, from);
    rt_state_free(from);
    return status;
}

static routh_status fail_search(const rt_shooting *s, bool rests, double guess, routh_error *error)
{
    return rt_fail(error, ROUTH_NUMERIC_ERROR,
                   "no periodic motion was found from here with a period near %g s%s; start on "
                   "the motion or near it, for example from a simulation (--at time=T), and give a "
                   "period that is nearer",
                   guess,
                   rests               ? ": the search ends at a state of rest, which is none"
                   : s->closure > 1e-7 ? ": the motion does not come back"
                                       : "");
}

/* Is a motion that was found one that repeats? Bodies may come back while an angle is wound on. */
static routh_status check_turns(rt_shooting *s, double period, bool *found, routh_error *error)
{
    static const double coarse = 1e-6;
    if (!*found) return ROUTH_OK;
    const routh_status status = rt_prove_period(s, period, coarse, error);
    if (!periodic_search_ended_badly(status)) return status;
    *found = false;
    return ROUTH_OK;
}

routh_status rt_shooting_find_motion(rt_shooting *s, double *period, int steps, double good,
                                     routh_error *error)
{
    rt_orbit *o = s->o;
    const double guess = *period;
    rt_state *from;
    routh_status status = rt_state_create(&from, o->m, error);
    if (status) return status;
    rt_state_copy(o->m, from, o->start);
    status = rt_shooting_find(s, period, true, true, steps, good, error);
    const bool bad = periodic_search_ended_badly(status);
    bool found = !status && s->closure <= 1e-7 && !rt_shooting_rests(s);
    bool rests = !status && rt_shooting_rests(s);
    if (found) status = check_turns(s, *period, &found, error);
    if ((!status || bad) && !found) {
        rt_state_copy(o->m, o->start, from);
        status = find_return(s, guess, steps, period, error);
        if (!status && *period > 0)
            status = rt_shooting_find(s, period, true, true, steps, good, error);
        if (periodic_search_ended_badly(status)) status = fail_search(s, false, guess, error);
        found = !status && *period > 0 && s->closure <= 1e-7 && !rt_shooting_rests(s);
        rests = rests || (!status && rt_shooting_rests(s));
        s->at_rest = rests;
        if (!status && !found) status = fail_search(s, rests, guess, error);
    }
    rt_state_free(from);
    return status;
}

/* A prime part of the period that closes as well, to what the steps leave. */
routh_status rt_shooting_divide(rt_shooting *s, double *period, int steps, bool *divided,
                                routh_error *error)
{
    static const int divisors[] = {2, 3, 5, 7};
    const double closed = fmax(1e-8 * s->way, 100 * s->closure);
    routh_status status = ROUTH_OK;
    *divided = false;
    for (size_t k = 0; k < sizeof divisors / sizeof *divisors && !status && !*divided; k++) {
        double trial = *period / divisors[k];
        status = rt_shooting_find(s, &trial, true, false, steps, 0, error);
        *divided = !status && s->closure <= closed;
        if (*divided) *period = trial;
    }
    return status;
}
