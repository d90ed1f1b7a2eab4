/* What is recorded, and where its numbers come from. */
#ifndef RT_MOTION_HISTORY_CHANNELS_H
#define RT_MOTION_HISTORY_CHANNELS_H

#include "motion/simulation.h"
#include "routh/history.h"
#include "system/sensor.h"

typedef enum rt_channel_group {
    RT_CHANNELS_BODIES,
    RT_CHANNELS_MARKERS,
    RT_CHANNELS_JOINTS,
    RT_CHANNELS_LOADS,
    RT_CHANNELS_SIGNALS, /* states, variables, inputs */
    RT_CHANNELS_OUTPUTS,
    RT_CHANNELS_ENERGY,
    RT_CHANNELS_RESIDUALS,
    RT_CHANNELS_N_GROUPS
} rt_channel_group;

struct routh_channels {
    rt_arena arena;
    const routh_mechanism *m;    /* of the simulation */
    const routh_mechanism *base; /* in absolute coordinates: where everything is read */
    bool wanted[RT_CHANNELS_N_GROUPS];
    int n, width;
    routh_channel *channel;
    bool *user_marker; /* n_markers: the user named it */
    rt_search search;  /* of base */
    bool begun;        /* search.rank is there */
    rt_sensor_row *outputs;
    double *last_orientation; /* 4 each of bodies, then markers: for their signs */
};

/* Forgets what was made along the way (pivots, signs), so that the next record depends on the state
 * alone; with the signs of orientations as they are in `record` (NULL: free). */
void rt_channels_renew(routh_channels *channels, const double *record);

/* Energy of the springs, torsion springs, bushings and beams: what their stiffness and preload
 * store, as evaluated in w. */
double rt_elastic_energy(const routh_mechanism *m, const rt_workspace *w);

#endif
