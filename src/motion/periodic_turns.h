/* Switching functions that turn over in a round: where forces have kinks, or steps. */
#ifndef RT_MOTION_PERIODIC_TURNS_H
#define RT_MOTION_PERIODIC_TURNS_H

#include "motion/partition.h"

typedef struct rt_turns {
    int n;             /* switching functions (system/switches.h) */
    int *count;        /* n: how often each turned over in the round, where that matters; */
    double *time;      /* and when first */
    signed char *sign; /* n */
    double *value, *trial;
    double *y; /* as the partition's */
} rt_turns;

routh_status rt_turns_take(rt_turns *turns, const routh_mechanism *m, int most, rt_arena *arena,
                           routh_error *error);

/* At the beginning of a round, run->now. */
routh_status rt_turns_begin(rt_turns *turns, rt_run *run, routh_error *error);

/* After the step from y at t to `end`, where run->now is: looks for the places on the straight line
 * between both, by halves. NOT_SUPPORTED names a force that steps by the motion, or an event that
 * sets an input: variations would have to jump there. Leaves run->search where it likes. */
routh_status rt_turns_look(rt_turns *turns, rt_run *run, rt_partition *partition, const double *y,
                           const double *y_end, double t, double end, routh_error *error);

#endif
