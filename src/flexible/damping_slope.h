/* What the damping ratio of a reduced body does to its shape: plain doubles, also for sources that
 * are compiled for variations (base/scalar.h). */
#ifndef RT_FLEXIBLE_DAMPING_SLOPE_H
#define RT_FLEXIBLE_DAMPING_SLOPE_H

#include "flexible/flexible.h"

/* Derivatives of the numbers of `shape` (rt_flexible_reduce: modes with diagonal K, the same
 * damping ratio of all) by a change of the ratio. Everything lies in the arena; `shape` is kept. */
typedef struct rt_damping_slope rt_damping_slope;
routh_status rt_damping_slope_create(rt_damping_slope **made, const rt_flexible *shape,
                                     rt_arena *arena, routh_error *error);
const rt_flexible *rt_damping_slope_fill(rt_damping_slope *slope, double ratio);

#endif
