/* From a round of a periodic motion to what is told of it. */
#ifndef RT_MOTION_PERIODIC_H
#define RT_MOTION_PERIODIC_H

#include "motion/periodic_shooting.h"
#include "routh/periodic.h"

typedef struct rt_floquet_holder {
    routh_floquet floquet; /* first */
    rt_arena arena;
} rt_floquet_holder;

/* The multipliers of Y with right eigenvectors, in the sizes of the states. */
typedef struct rt_multipliers {
    int n;
    double *re, *im, *rcond;
    double *vectors; /* n x n, as rt_eigen stores them */
} rt_multipliers;

/* After a round: is the next one, a period later, the same to the tolerance: the motion, and Y at
 * all samples? The round is made again. NUMERIC_ERROR where the model has not this period. */
routh_status rt_prove_period(rt_shooting *shooting, double period, double tolerance,
                             routh_error *error);

routh_status rt_multipliers_take(rt_multipliers *x, int n, rt_arena *arena, routh_error *error);
routh_status rt_multipliers_find(rt_multipliers *x, const double *Y, const double *size,
                                 routh_error *error);

/* The largest distance between multipliers of two rounds over 1 or their modulus, each beside the
 * nearest that is left; of each, absolute, into change (n; NULL: not wanted). */
routh_status rt_multipliers_compare(const rt_multipliers *x, const rt_multipliers *y,
                                    double *change, double *largest, routh_error *error);

/* floquet->modes from the multipliers, the samples of the round and the sizes of the states;
 * change: of each multiplier. */
routh_status rt_floquet_modes(rt_floquet_holder *h, const rt_orbit *orbit, const double *size,
                              const rt_multipliers *x, const double *change, routh_error *error);

/* floquet->multiblade. */
routh_status rt_floquet_blades(rt_floquet_holder *h, const rt_orbit *orbit, const double *size,
                               const rt_multipliers *x, const char *const *blades,
                               routh_error *error);

#endif
