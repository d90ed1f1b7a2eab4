/* The function of tracked eigenvalues whose zero is wanted:
 *
 *     flutter       Re lambda            meeting       ((lambda_i - lambda_j) / 2)^2
 *     divergence    lambda, where real   critical      |Im lambda| - order speed
 *     damping       Re lambda + zeta |lambda|          crossing   |Im lambda_i| - |Im lambda_j|
 *
 * The discriminant is analytic where the two eigenvalues have a root singularity. */
#ifndef RT_STUDIES_SWEEP_WANTED_H
#define RT_STUDIES_SWEEP_WANTED_H

#include "studies/sweep.h"
#include "studies/sweep_zero.h"

typedef struct rt_wanted {
    routh_sweep_event_kind kind;
    int i, j; /* eigenvalues where it is looked for first; j -1: one alone */
    double order;
} rt_wanted;

/* Of eigenvalues at[0], at[1] of a solution; the slope is left NAN. */
void rt_wanted_measure(const rt_sweep_task *task, const rt_wanted *wanted, const rt_solution *s,
                       const int at[2], rt_zero_sample *out);

/* Its derivative by parameter 0 or 1, with that of the speed; NAN where it is not known. */
double rt_wanted_slope(const rt_sweep_task *task, const rt_wanted *wanted, const rt_solution *s,
                       const int at[2], int parameter, double speed_by);

#endif
