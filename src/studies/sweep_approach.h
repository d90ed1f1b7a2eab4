/* How far an operating point can be followed. */
#ifndef RT_STUDIES_SWEEP_APPROACH_H
#define RT_STUDIES_SWEEP_APPROACH_H

#include "studies/sweep.h"

/* An operating point as given is not followed: it is as the model says at every value. */
bool rt_is_followed(const rt_solution *solution);

/* Does the operating point seem to end before this value, which one step was to lead to? What a
 * model refuses of its own, as a negative mass, is no end. */
bool rt_may_end(const rt_solution *solution);

typedef struct rt_approach {
    bool reached, stopped;
    rt_solution at; /* the last that was followed; at the value itself where that is reached */
    double
        bracket[2]; /* where not: the value of the last, and the nearest one beyond that failed */
} rt_approach;

/* Follows the operating point of `from` to a value that one step did not lead to. Steps are halved
 * where they fail and grow again where they do not. Ends at the value, or where a step of 1e-9 of
 * the way fails, or where the caller's progress function says so (stopped). */
routh_status rt_approach_find(rt_approach *approach, const rt_sweep_task *task,
                              const rt_solution *from, double to, routh_error *error);
void rt_approach_release(rt_approach *approach);

#endif
