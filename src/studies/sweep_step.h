/* One step of a piece of a line. */
#ifndef RT_STUDIES_SWEEP_STEP_H
#define RT_STUDIES_SWEEP_STEP_H

#include "studies/sweep_limit.h"

typedef struct rt_sweep_step {
    rt_segment *s;
    bool plain;            /* the grid alone: nothing between its values */
    int *branch, n_branch; /* of the eigenvalues of the value before */
    rt_predictor predictor;
    rt_sweep_store store;
    unsigned sides; /* of limits at the value before: sweep_limit.h */
    double *before; /* A of the value before that; NULL: none */
    double before_value;
} rt_sweep_step;

/* Branches of their own, n of them. */
routh_status rt_step_new_branches(rt_sweep_step *step, int n, routh_error *error);

/* Something happens between a and b, to eigenvalues i and j of a; -1: to none. */
routh_status rt_step_say(rt_sweep_step *step, routh_sweep_event_kind kind, const rt_solution *a,
                         const rt_solution *b, int i, int j, routh_error *error);

/* From a to b, which goes on from it, a value of the grid. touch: vectors of b may be turned.
 * halvings: at most so many of the step. */
routh_status rt_step_advance(rt_sweep_step *step, const rt_solution *a, rt_solution *b, bool touch,
                             bool on_grid, int halvings, routh_error *error);

/* The value after the last of the piece, for veerings about that one. */
routh_status rt_step_look_beyond(rt_sweep_step *step, routh_error *error);

#endif
