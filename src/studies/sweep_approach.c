/* Small steps from a value to another one that a long step did not lead to: whether the operating
 * point ends on the way, and where. Steps go three quarters of the way to where it ends by what is
 * known (sweep_ending.h), from states on the line in sqrt(p* - p). */
#include "studies/sweep_approach.h"

#include <float.h>
#include <math.h>

#include "studies/sweep_ending.h"
#include "studies/sweep_walk.h"

bool rt_is_followed(const rt_solution *s)
{
    return s->state && s->point && s->point->type != ROUTH_OPERATING_GIVEN;
}

bool rt_may_end(const rt_solution *s)
{
    return s->status ? s->status == ROUTH_NO_EQUILIBRIUM : !s->followed;
}

/* ---- where it ends by what is known ---------------------------------------------------------- */

/* NAN: not in the direction of `to`. One a little beyond `to` still bends what is before it. */
static double ending_towards(const rt_solution *a, const rt_solution *b, double e, double to)
{
    const double end = rt_ending(a, b, e);
    return rt_ending_is_known(b) && (end - b->value) * (to - b->value) >= 0 ? end : NAN;
}

/* The three values known last, the newest first, and what the last two say. */
typedef struct approach_known {
    const rt_solution *s[3];
    double end, before; /* p* by the newest two, and by the two before; NAN: not known */
    bool meets;         /* two meet there; false: it may as well be a crossing, which has no end */
} approach_known;

/* By the exponent whose two answers are nearer to each other. */
static void approach_predict(approach_known *k, double to)
{
    static const double exponent[2] = {RT_ENDING_FOLD, RT_ENDING_CROSSING};
    double best = INFINITY;
    k->end = k->before = NAN;
    for (int i = 0; i < 2 && k->s[1]; i++) {
        const double end = ending_towards(k->s[1], k->s[0], exponent[i], to),
                     old = k->s[2] ? ending_towards(k->s[2], k->s[1], exponent[i], to) : NAN;
        const double off = isnan(end) ? INFINITY : isnan(old) ? DBL_MAX : fabs(end - old);
        if (off < best) best = off, k->end = end, k->before = old, k->meets = i == 0;
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Two steps in a row that succeed make the next one twice as long: beside an end one in two fails,
 * and elsewhere the whole way is soon done. */
static void lengthen(double *step, bool *again)
{
    if (*again) *step *= 2;
    *again = !*again;
}

/* One step; *good: to a point of the same branch. One that is measured by where the branch may end,
 * or goes beyond that, or the first one, is compared with its halves. */
static routh_status approach_step(const rt_sweep_task *task, const approach_known *k, double value,
                                  bool by_root, rt_solution *next, bool *good, routh_error *error)
{
    const rt_solution *before = k->s[1], *last = k->s[0];
    const rt_step_measure measure = {by_root, k->end};
    const double part = rt_step_part(&measure, before, last, value);
    const rt_solution_way way = {.other = before, .part = part, .followed = true, .line = true};
    const routh_status status = rt_solution_find_by(task, value, last, &way, next, error);
    *good = !status && !next->status && next->followed && rt_is_short_step(last, next);
    if (!*good || (!before && !rt_ending_is_known(last))) return status;
    const bool passes = (value - k->end) * (k->end - last->value) >= 0;
    const bool alike = before && !rt_step_bends(before, last, next, part);
    if (!by_root && !passes && alike) return status;
    return rt_step_is_straight(task, &measure, before, last, next, good, error);
}

static void sweep_approach_take(rt_approach *p, approach_known *k, const rt_solution *next,
                                double to)
{
    rt_solution_free(&p->known[p->next]);
    p->known[p->next] = *next;
    k->s[2] = k->s[1], k->s[1] = k->s[0], k->s[0] = &p->known[p->next];
    p->next = (p->next + 1) % RT_APPROACH_KNOWN;
    p->bracket[0] = next->value;
    if (fabs(to - p->bracket[0]) <= fabs(to - p->bracket[1])) p->bracket[1] = to;
    approach_predict(k, to);
}

/* Is p* as near as can be told? */
static bool approach_is_near(const approach_known *k, double least)
{
    return fabs(k->end - k->s[0]->value) <= least && fabs(k->end - k->before) <= least;
}

/* Between the last value and p*, as far as two predictions leave it open; and beyond a step that
 * failed, where p* is farther away. A p* farther than the whole way beyond the value asked for says
 * nothing: what ends the branch is not where its eigenvalues lead to. */
static void approach_close(rt_approach *p, const approach_known *k, double to, double way,
                           bool near)
{
    const double left = fabs(k->end - k->s[0]->value), off = fabs(k->end - k->before),
                 open = fmax(fmax(4 * off, left), 4 * DBL_EPSILON * fabs(k->end)),
                 end = k->end + copysign(open, way);
    const bool credible = (end - (to + way)) * way <= 0;
    if (near || (credible && (end - p->bracket[1]) * way > 0)) p->bracket[1] = end;
}

/* A step that failed, though a later one came as far: failing is no sign that there is nothing. */
typedef struct approach_misses {
    double from, to;   /* of one that nothing came as far as yet; NAN: there is none */
    double first, way; /* from where the first one was that something came as far as, and how far */
} approach_misses;

static void approach_note(approach_misses *m, bool good, double from, double to)
{
    if (!good && isnan(m->from)) m->from = from, m->to = to;
    if (!good || isnan(m->from) || fabs(to - m->from) < fabs(m->to - m->from)) return;
    if (isnan(m->first)) m->first = m->from, m->way = m->to - m->from;
    m->from = NAN;
}

/* Where nothing leads to an end by its eigenvalues, as beside a kink, steps may fail that are
 * longer than a part of what is left: the part that the first such one was of all that came after.
 * The end may be farther than the last step by as much. All is open where not all steps were
 * made. */
static void approach_open(rt_approach *p, const approach_misses *m, double last, double to,
                          bool done)
{
    const double step = p->bracket[1] - last, far = (last - m->first) / m->way;
    if (!isnan(m->first) && far > 1) p->bracket[1] = last + step * far;
    if (!done || fabs(p->bracket[1] - last) > fabs(to - last)) p->bracket[1] = to;
}

/* How the next step is chosen. */
typedef struct approach_pace {
    double step; /* of the value */
    bool again;  /* the last such step succeeded */
    bool tried;  /* towards an end that is known, from where the search is now */
    int missed;  /* so many of those failed in a row */
    int failed;  /* so many others did */
} approach_pace;

/* Towards the end, where one is predicted and it may be one: steps towards a crossing fail. */
static bool goes_by_root(const approach_known *k, const approach_pace *pace, bool beyond)
{
    enum { MISSES = 3, ENDS = 8 };
    const double left = fabs(k->end - k->s[0]->value);
    return !beyond && !pace->tried && left <= 2 * fabs(pace->step) &&
           (k->meets || pace->missed < MISSES || pace->failed >= ENDS);
}

static void approach_learn(approach_pace *pace, bool by_root, bool good)
{
    if (by_root) {
        pace->tried = !good;
        pace->missed = good ? 0 : pace->missed + 1;
        if (good) pace->failed = 0;
        return;
    }
    pace->failed = good ? 0 : pace->failed + 1;
    if (good) pace->tried = false, lengthen(&pace->step, &pace->again);
    if (!good) pace->step *= RT_STEP_MIDDLE, pace->again = false;
}

routh_status rt_approach_find(rt_approach *p, const rt_sweep_task *task, const rt_solution *before,
                              const rt_solution *from, double to, routh_error *error)
{
    enum { MOST = 1000 }; /* solutions: what is known then is said as it is */
    const double way = to - from->value, least = 1e-9 * fabs(way);
    approach_known k = {.s = {from, before, NULL}};
    approach_pace pace = {.step = RT_STEP_MIDDLE * way};
    approach_misses misses = {NAN, NAN, NAN, NAN};
    int n = 0;
    *p = (rt_approach){.bracket = {from->value, to}};
    approach_predict(&k, to);
    for (; n < MOST && !p->reached && !p->stopped && fabs(pace.step) >= least; n++) {
        rt_solution next;
        bool good;
        const double last = k.s[0]->value;
        const bool beyond = approach_is_near(&k, least), /* a branch that goes on is there too */
            by_root = goes_by_root(&k, &pace, beyond);
        const double step = beyond    ? copysign(4 * least, way)
                            : by_root ? 0.75 * (k.end - last)
                                      : pace.step;
        const bool whole = fabs(to - last) - fabs(step) <= least;
        const double value = whole ? to : last + step;
        if (value == last) break;
        const routh_status status = approach_step(task, &k, value, by_root, &next, &good, error);
        p->stopped = rt_sweep_tell(task, 0);
        if (!good) rt_solution_free(&next);
        if (status) return status;
        if (!good && beyond) {
            approach_close(p, &k, to, way, true);
            break;
        }
        if (good) sweep_approach_take(p, &k, &next, to);
        if (!good) p->bracket[1] = value;
        approach_note(&misses, good, last, value);
        p->reached = good && whole;
        approach_learn(&pace, by_root, good);
    }
    if (!p->reached) approach_close(p, &k, to, way, false);
    if (!p->reached && isnan(k.end)) approach_open(p, &misses, k.s[0]->value, to, n < MOST);
    p->at = k.s[0] == from ? NULL : (rt_solution *)k.s[0];
    return ROUTH_OK;
}

void rt_approach_take(rt_approach *p, rt_solution *to)
{
    *to = *p->at;
    *p->at = (rt_solution){0};
}

void rt_approach_release(rt_approach *p)
{
    for (int k = 0; k < RT_APPROACH_KNOWN; k++) rt_solution_free(&p->known[k]);
}
