/* Switches that turn over in the last step of a run: kinks of elements and events of the user's. */
#ifndef RT_MOTION_EVENTS_H
#define RT_MOTION_EVENTS_H

#include "motion/motion.h"
#include "system/switches.h"

/* An instant of the step that was taken: what the switches are there, and their rates. */
typedef struct rt_instant {
    double t, *value, *rate;
} rt_instant;

enum { RT_SCAN_DEPTH = 40 };

typedef struct rt_events {
    int n;
    bool feels;                 /* one depends on accelerations or forces */
    signed char *sign;          /* n: on which side each is; 0: not known yet */
    signed char *sign_before;   /* n: where the step began */
    double *low, *high, *trial; /* n: at the ends of what is searched, and between */
    double *value;              /* n: what waiting events set */
    double *change;             /* n_u */
    bool *silent;               /* n: those that turn over where the force goes on smoothly */
    int again;                  /* how often the step at hand was taken again */
    double until;               /* to where the step is to go that is taken again; else INFINITY */
    rt_instant part[RT_SCAN_DEPTH + 2]; /* ends of the parts that a step is looked at in */
    bool *turns;                        /* n: those that turn over at `time` */
    double time;                        /* INFINITY: none is waiting */
    double last;                        /* when the last one was */
    int crowd;                          /* how many there were at the same time */
} rt_events;

routh_status rt_events_create(rt_events *events, const routh_mechanism *m, routh_error *error);
void rt_events_release(rt_events *events);

/* Takes the sides as they are at run->now; none is waiting. */
routh_status rt_events_begin(rt_events *events, rt_run *run, routh_error *error);

/* Looks at the step that was just taken: events->time is that of the first switch that turns over
 * in it, just past its zero, or INFINITY. *blind: the step did not feel what a switch does within
 * it, as one that flies through a contact; it is to be taken again from run->before, no farther
 * than events->until (rt_events_retreat). */
routh_status rt_events_look(rt_events *events, rt_run *run, bool *blind, routh_error *error);

/* Goes back to run->before, to try such a step. NUMERIC_ERROR where steps are of one length. */
routh_status rt_events_retreat(rt_events *events, rt_run *run, routh_error *error);

/* The first part of the step that was taken, from `start` on, in which one turns over: its ends
 * *from and *to, with the values e->low and e->high. e->low: at `start`. Not found: e->low is then
 * of run->now. */
routh_status rt_events_scan(rt_events *e, rt_run *run, double start, bool *found, double *from,
                            double *to, routh_error *error);

/* Their values at a time of the step, of a state near the constraints, which is enough to see that
 * one turns over; not of accelerations and forces, unless one depends on them. */
routh_status rt_events_glance(const rt_events *e, rt_run *run, double t, double *values,
                              routh_error *error);

/* Their values in run->search.state, evaluated. */
routh_status rt_events_take(const rt_run *run, double *values, routh_error *error);
bool rt_events_turned(const rt_events *e, const double *values);

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
