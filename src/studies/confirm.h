/* The parts of routh confirm. */
#ifndef RT_STUDIES_CONFIRM_H
#define RT_STUDIES_CONFIRM_H

#include "answers/identify.h"
#include "methods/method.h"
#include "motion/simulation.h"
#include "routh/confirm.h"

/* How one experiment is done. */
typedef struct rt_experiment {
    double amplitude;
    routh_simulation_options simulate;
    double *y; /* n_runs x n_channels x n_samples: half the difference of opposite starts */
    double even,
        size; /* the largest of half their sum, less the unperturbed, and of y, each channel
                          over channel_size where that is there */
} rt_experiment;

typedef struct rt_confirm_holder {
    routh_verification result; /* first: the public pointer is this one's address */
    rt_arena arena;
    const routh_mechanism *m;
    const routh_operating_point *point;
    const routh_linear *linear;
    const routh_modes *modes;
    routh_verification_options options;
    rt_progress progress;    /* a piece is a sample of a run */
    int marker;              /* the observer's, -1: ground; RT_MOVING_FRAME */
    int n_position, n_x;     /* channels: position states, then states of controllers */
    int *candidate;          /* n_position: 6 b + k of body b, then of user states, then of elastic
                                coordinates */
    rt_user_states *user;    /* NULL where the model has none */
    double observer_rate[3]; /* angular velocity of the observer at the point */
    double band;             /* rad/s: faster modes are left out; INFINITY: none is */
    double *shape_size; /* of each mode: largest displacement over the typical length or rotation */

} rt_confirm_holder;

/* The elastic coordinate that position state k is, among all; -1: it is none. */
int rt_confirm_elastic(const rt_confirm_holder *holder, int k);

/* Which channels there are: candidates of the position states, by their names. */
routh_status rt_confirm_channels(rt_confirm_holder *holder, routh_error *error);

/* Values of the channels, of the state a simulation is at: of bodies, of user states, of
 * controllers. All at once, into values (see rt_confirm_room). */
typedef struct rt_snapshot {
    double *r, *A;   /* n_bodies x 3, x 9 */
    double *user;    /* n_user */
    double *elastic; /* n_elastic */
    double *x;       /* n_x */
    double e[3][3];  /* the observer's axes */
} rt_snapshot;

routh_status rt_snapshot_take(rt_snapshot *snapshot, const rt_confirm_holder *holder,
                              rt_arena *arena, routh_error *error);
void rt_snapshot_fill(rt_snapshot *snapshot, const rt_confirm_holder *holder,
                      routh_simulation *simulation);

/* channel[n]: (a - b) seen along the axes of `seen`, times factor. */
void rt_snapshot_difference(const rt_confirm_holder *holder, const rt_snapshot *a,
                            const rt_snapshot *b, const rt_snapshot *seen, double factor,
                            double *channel);

/* Whether the mode takes part: it is not faster than the band. */
bool rt_confirm_has(const rt_confirm_holder *holder, const routh_mode *mode);

/* How long a record the mode asks for, s. */
double rt_confirm_wanted(const routh_mode *mode);

/* Which modes take part: `band` and what the result says of it. */
routh_status rt_confirm_band(rt_confirm_holder *holder, routh_error *error);

/* Duration, sampling, number of runs. */
enum { RT_CONFIRM_SAMPLES = 20000 /* the most */ };
routh_status rt_confirm_plan(rt_confirm_holder *holder, routh_error *error);

/* The start of a run: every mode with the amplitude (its sign tells the side) and a phase of its
 * own; a point of the mechanism, to be freed by the caller. */
routh_status rt_confirm_start(const rt_confirm_holder *holder, int run, double amplitude,
                              routh_operating_point **point, routh_error *error);

/* Simulates all runs of the experiment from both sides. */
routh_status rt_confirm_simulate(rt_confirm_holder *holder, rt_experiment *experiment,
                                 routh_error *error);

/* From the responses to the verdicts: of the first experiment, with what changes in the others. */
enum { RT_EXPERIMENTS = 3 };
routh_status rt_confirm_judge(rt_confirm_holder *holder, const rt_experiment *experiments, int n,
                              routh_error *error);

#endif
