/* The model with its variables at some values: operating point, linear model, modes, and which mode
 * is which of those at the start. */
#ifndef RT_STUDIES_OPTIMISE_ITERATE_H
#define RT_STUDIES_OPTIMISE_ITERATE_H

#include "studies/optimise_study.h"
#include "studies/sweep.h"

typedef struct rt_optimise_task {
    const routh_model *model; /* as read; its text is read again for every iterate */
    const rt_study *study;
    const routh_optimum_options *options;
} rt_optimise_task;

typedef struct rt_iterate {
    double *x; /* of the variables */
    routh_model *model;
    routh_mechanism *mechanism;
    rt_solution solution;
    routh_modes *modes;
    int *place; /* of each mode at the start (branch): which one it is here */
    bool found; /* all of this is there */
} rt_iterate;

/* from: where the search for the operating point begins, and whose states are taken; NULL: as
 * written, and branches are counted here. *iterate is to be freed in any case. place is set only
 * where from is NULL. */
routh_status rt_iterate_find(rt_iterate *iterate, const rt_optimise_task *task, const double *x,
                             const rt_iterate *from, routh_error *error);
void rt_iterate_free(rt_iterate *iterate);

/* Finds the iterate at x and tracks the branches from `from`, in halved steps where it is not
 * certain which mode goes on as which. watched[branch]: those that matter. Where halving does not
 * help, *uncertain is set. */
routh_status rt_iterate_follow(rt_iterate *iterate, const rt_optimise_task *task, const double *x,
                               const rt_iterate *from, const bool *watched, bool *uncertain,
                               routh_error *error);

/* Branches from eigenvalues that are known (2 a branch: re, im), each the nearest one. */
routh_status rt_iterate_recognise(rt_iterate *iterate, const double *eigenvalues,
                                  routh_error *error);

#endif
