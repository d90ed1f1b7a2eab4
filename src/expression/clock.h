/* What functions of time do between instants at which they are looked at.
 *
 * An integrator sees forces and motions at a few instants of a step. Of those that depend on time
 * alone a clock tells in advance how far a step may go, so that nothing happens in between which
 * the ends do not tell: over the step each function stays near the cubic through its values and
 * slopes at both ends. That is proved by intervals (interval.h), not sampled. */
#ifndef RT_EXPRESSION_CLOCK_H
#define RT_EXPRESSION_CLOCK_H

#include "expression/expression.h"

typedef struct rt_clock rt_clock;

/* Of the functions of time alone in expressions[n]: known[slot] for inputs that do not change in
 * time, n_slots of them, and `time`, the slot of time itself. *clock is NULL where nothing depends
 * on time alone. The graph must outlive it. OUT_OF_MEMORY. */
routh_status rt_clock_create(rt_clock **clock, const rt_graph *graph, const rt_expr *expressions,
                             int n, const bool *known, int n_slots, int time, routh_error *error);
void rt_clock_free(rt_clock *clock);

/* How many functions there are; 0 where clock is NULL. */
int rt_clock_count(const rt_clock *clock);

/* The latest time in (t, to] to which a step from t may go. inputs: n_slots values; that of time is
 * not used. sizes: rt_clock_count values, how large each function was at the times of all calls
 * before, 0 at first; the call adds its own. A billionth of it does not count. Where functions do
 * nothing for a while and then something, it is when that begins. Depends on its arguments alone;
 * allocates nothing. */
double rt_clock_limit(rt_clock *clock, const double *inputs, double *sizes, double t, double to);

#endif
