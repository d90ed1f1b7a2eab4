/* How far an operating point can be followed. */
#ifndef RT_STUDIES_SWEEP_APPROACH_H
#define RT_STUDIES_SWEEP_APPROACH_H

#include "studies/sweep.h"

/* An operating point as given is not followed: it is as the model says at every value. */
bool rt_is_followed(const rt_solution *solution);

/* Does the operating point seem to end before this value, which one step was to lead to? What a
 * model refuses of its own, as a negative mass, is no end. */
bool rt_may_end(const rt_solution *solution);

enum { RT_APPROACH_KNOWN = 3 };

typedef struct rt_approach {
    bool reached, stopped;
    rt_solution *at;   /* the last that was followed, of `known`; at the value itself where that is
                        reached; NULL: there is none */
    double bracket[2]; /* where not: the value of the last, and the nearest one beyond that failed,
                          or that is beyond the end by what the last ones say */
    rt_solution known[RT_APPROACH_KNOWN]; /* the last ones, in a circle */
    int next;
} rt_approach;

/* Follows the operating point of `from`, which `before` led to (NULL: nothing did), to a value that
 * one step did not lead to. Steps are halved where they fail and grow again where they do not. Ends
 * at the value, or within 1e-9 of the way from where the branch ends, or where the caller's
 * progress function says so (stopped). */
routh_status rt_approach_find(rt_approach *approach, const rt_sweep_task *task,
                              const rt_solution *before, const rt_solution *from, double to,
                              routh_error *error);

/* The last solution, which is the caller's from now on. */
void rt_approach_take(rt_approach *approach, rt_solution *to);
void rt_approach_release(rt_approach *approach);

#endif
