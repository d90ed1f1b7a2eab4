/* Scaling of the states before the rank decisions. */
#ifndef RT_ANSWERS_SCALING_H
#define RT_ANSWERS_SCALING_H

#include "routh/linear.h"

/* scale (n_states, powers of two) such that diag(1/scale) A diag(scale) is balanced between
 * positions and velocities and between angles and lengths, as whole groups. A finer balancing would
 * blow rounding errors in the row of a free motion up until they look like a slow mode. */
void rt_scale_states(const routh_linear *linear, double *scale);

#endif
