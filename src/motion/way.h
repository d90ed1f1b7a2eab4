/* Ways from one configuration to another far from it, along which the coordinates that joints
 * determine are followed without a change of branch or a lost revolution.
 *
 * The way goes straight in v, time and inputs. It is gone in parts, each so short that
 *     - no coordinate moves, and no body turns, by more than 0.5 typical lengths or radians in it,
 *     - Newton's method contracts by 1/4 from its first correction on,
 *     - the determinant of [G; V] keeps its sign, so that no other branch crosses (of redundant
 *       rows others are kept where those that are do not serve),
 *     - what functions of time do in it is seen at its ends (foresight.h), and moves the
 *       configuration evenly, as the corrections at its thirds say,
 * and with v a good choice of coordinates at the end of each. Where that asks for parts without
 * end, the way is refused. */
#ifndef RT_MOTION_WAY_H
#define RT_MOTION_WAY_H

#include "motion/partition.h"

typedef struct rt_way rt_way;

/* Of the run's mechanism; both must outlive it. */
routh_status rt_way_create(rt_way **way, rt_run *run, rt_partition *partition, routh_error *error);
void rt_way_free(rt_way *way); /* NULL is allowed */

/* An end of a way. Inputs that u does not give are as at run->now, those with a history as it has
 * them at t. */
typedef struct rt_way_end {
    double t;
    const double *y, *u; /* u: NULL, gives none */
    const int *given;    /* 0: u does not give this one; NULL: it gives all */
} rt_way_end;

/* From a state on the constraints with the coordinates y there to run->search.state: q, time and
 * inputs of the end, angles in the revolution they are in, and the partition's factors there.
 * NUMERIC_ERROR: no such way leads there. Allocates nothing, but where a factorization needs fresh
 * pivots, or other rows of redundant ones are to be kept. */
routh_status rt_way_go(rt_way *way, const rt_state *from, const double *y, const rt_way_end *to,
                       routh_error *error);

/* Does the next way begin at run->search.state, with its rate (rt_partition_rate_there) and as it
 * was settled? Else, and before the first, it begins anew. */
void rt_way_stand(rt_way *way, bool stands);

/* The state was reached: angles that count turns, and rotation vectors, go on from it. */
routh_status rt_way_settle(rt_run *run, routh_error *error);

#endif
