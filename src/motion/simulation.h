/* A simulation, for the rooms above: its state, and the workspace in which it is evaluated. */
#ifndef RT_MOTION_SIMULATION_H
#define RT_MOTION_SIMULATION_H

#include "motion/events.h"
#include "motion/foresight.h"

struct routh_simulation {
    rt_run run;
    rt_events events;
    rt_foresight foresight;
    rt_state *shown; /* where it is: complete */
    routh_simulation_options options;
    bool stopped;
};

/* Where it is. run.search.w of the simulation holds the frames, residuals, M and G of this state
 * until it goes on. */
const rt_state *rt_simulation_state(const routh_simulation *simulation);

#endif
