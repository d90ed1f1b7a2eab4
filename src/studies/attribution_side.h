/* A mechanism at its operating point, ready to be taken apart: the equations of all levels, their
 * eigenvalues with vectors of both sides, and the work of its elements. */
#ifndef RT_STUDIES_ATTRIBUTION_SIDE_H
#define RT_STUDIES_ATTRIBUTION_SIDE_H

#include "studies/attribution_work.h"
#include "studies/sensitivity_spectrum.h"

typedef struct rt_side {
    const routh_mechanism *m; /* bodies with columns of their own */
    routh_operating_point point;
    rt_arena arena;
    rt_linear_holder *holder;
    rt_linear_task task;
    rt_method_task work;
    rt_levels_pencil pencil;
    rt_pencil_spectrum spectrum;
    rt_worker worker;
} rt_side;

/* In the states of the linear model and seen by its observer; BAD_ARGUMENT where the mechanism
 * cannot have these states. Release it after a failure too. */
routh_status rt_side_create(rt_side *side, const routh_mechanism *mechanism,
                            const routh_operating_point *point, const routh_linear *linear,
                            routh_error *error);
void rt_side_release(rt_side *side);

#endif
