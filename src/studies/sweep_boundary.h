/* What a sweep has solved for, followed on over a second parameter. */
#ifndef RT_STUDIES_SWEEP_BOUNDARY_H
#define RT_STUDIES_SWEEP_BOUNDARY_H

#include "studies/sweep_line.h"

/* From every flutter, divergence, critical speed, damping ratio and meeting of the sweep's one line
 * that is not on a curve before. NOT_SUPPORTED where derivatives by one of the parameters are
 * refused. */
routh_status rt_boundaries_follow(routh_sweep *sweep, const rt_sweep_task *task,
                                  const routh_sweep_axis *axis, const rt_line_starts *starts,
                                  routh_error *error);

#endif
