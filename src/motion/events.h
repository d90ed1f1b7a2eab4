/* Switches that turn over in the last step of a run: kinks of elements and events of the user's. */
#ifndef RT_MOTION_EVENTS_H
#define RT_MOTION_EVENTS_H

#include "motion/motion.h"
#include "system/switches.h"

typedef struct rt_events {
    int n;
    signed char *sign;          /* n: on which side each is; 0: not known yet */
    double *low, *high, *trial; /* n: at the ends of what is searched, and between */
    bool *turns;                /* n: those that turn over at `time` */
    double time;                /* INFINITY: none is waiting */
    double last;                /* when the last one was */
    int crowd;                  /* how many there were at the same time */
} rt_events;

routh_status rt_events_create(rt_events *events, const routh_mechanism *m, routh_error *error);
void rt_events_release(rt_events *events);

/* Takes the sides as they are at run->now; none is waiting. */
routh_status rt_events_begin(rt_events *events, rt_run *run, routh_error *error);

/* Looks at the step that was just taken: events->time is that of the first switch that turns over
 * in it, just past its zero, or INFINITY. */
routh_status rt_events_look(rt_events *events, rt_run *run, routh_error *error);

/* Makes the state at events->time run->now, lets what waits there happen, and begins anew; tell is
 * called for each (NULL: not). *stop: one of them ends the run. NUMERIC_ERROR where switches turn
 * over and over at one time. */
routh_status rt_events_happen(rt_events *events, rt_run *run,
                              void (*tell)(void *data, const routh_event *event), void *data,
                              bool *stop, routh_error *error);

/* All of it as numbers: how many, the numbers, and going on from them. */
size_t rt_events_memory(const rt_events *events);
void rt_events_keep(const rt_events *events, double *numbers);
void rt_events_go_on(rt_events *events, const double *numbers);

#endif
