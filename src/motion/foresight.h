/* How far a step may go before something happens that depends on time alone. */
#ifndef RT_MOTION_FORESIGHT_H
#define RT_MOTION_FORESIGHT_H

#include "expression/clock.h"
#include "motion/motion.h"

typedef struct rt_foresight {
    rt_graph *graph; /* the model's, with signals put into what reads them */
    rt_clock *clock; /* NULL: nothing the motion feels depends on time alone */
    double *inputs;  /* values by quantity */
    int n;
    double *sizes; /* n: of the functions so far (rt_clock_limit); kept with a run */
} rt_foresight;

routh_status rt_foresight_create(rt_foresight *f, const routh_mechanism *m, routh_error *error);

/* Of the functions of time that drive positions alone: motions, and what joints ask for. */
routh_status rt_foresight_create_of_positions(rt_foresight *f, const routh_mechanism *m,
                                              routh_error *error);
void rt_foresight_release(rt_foresight *f);

/* The latest time to which the step from run->now may go, at most run->limit. Steps of one length
 * go where they go. */
double rt_foresight_limit(rt_foresight *f, const rt_run *run);

/* Between two times, a < b, no function leaves the cubic through its values and slopes at both by
 * more than a hundredth of what it does there, and `least`. */
bool rt_foresight_is_seen(rt_foresight *f, const routh_mechanism *m, double a, double b,
                          double least);

#endif
