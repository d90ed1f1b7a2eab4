/* One round of a motion with its variations: the equations of motion in independent coordinates
 * (motion/partition.h) together with
 *     Y' = A(t) Y,      Y(t_0) = I,      d' = tr A,      d(t_0) = 0,
 * A of the projected linear model along the motion (linear/along.h), by a Runge-Kutta formula of
 * order 8 with steps of one length; where a function of time begins to change within one, it is
 * divided there. */
#ifndef RT_MOTION_PERIODIC_ORBIT_H
#define RT_MOTION_PERIODIC_ORBIT_H

#include "linear/along.h"
#include "motion/foresight.h"
#include "motion/partition.h"
#include "motion/periodic_formula.h"
#include "motion/periodic_turns.h"

enum { RT_ORBIT_SAMPLES = 64 };

typedef struct rt_orbit {
    const routh_mechanism *m;
    rt_arena arena;
    rt_formula formula;
    rt_run run; /* run.now is where it is */
    rt_partition *partition;
    rt_along *first; /* in whose states all results are */
    rt_along *now;   /* in use; NULL: the first */
    double reach;    /* rt_along_reach where it was made */
    int n;           /* states */
    rt_state *start;
    rt_turns turns;
    rt_foresight foresight; /* its clock is NULL where nothing depends on time alone */
    /* of the round */
    double t0, period;
    int steps;
    double *Y;      /* n x n, row-major, in the states in use; at the end in the first ones */
    double trace;   /* d */
    int n_choices;  /* how often the states were chosen; 1: the first served all the round */
    double *sample; /* RT_ORBIT_SAMPLES x n x n: Y in the first states, at equal times */
    double *A;      /* RT_ORBIT_SAMPLES x n x n: A there, in the states in use */
    double fastest; /* rad/s, of all bodies in the round */
    /* of a step */
    double *y, *y0, *y1, *k[RT_FORMULA_STAGES]; /* of the motion */
    double *K[RT_FORMULA_STAGES], *stage, *T;   /* of the variations: n x n */
    double slope[RT_FORMULA_STAGES];            /* of d */
} rt_orbit;

/* At a complete state. Release in any case. */
routh_status rt_orbit_create(rt_orbit *orbit, const routh_mechanism *m,
                             const routh_operating_point *point, routh_error *error);
void rt_orbit_release(rt_orbit *orbit);

/* Does anything that the motion feels depend on time itself? */
static inline bool rt_orbit_is_driven(const rt_orbit *orbit) { return orbit->foresight.clock; }

/* A round from orbit->start in so many steps, a multiple of RT_ORBIT_SAMPLES. At its end run.now is
 * the state there, `first` has been run at it, and Y is the monodromy matrix. */
routh_status rt_orbit_round(rt_orbit *orbit, double period, int steps, routh_error *error);

#endif
