/* The discrete Fourier transform of real numbers,
 *
 *     X_k = sum_j x_j exp(-2 pi i j k / n),      k = 0 .. n/2,
 *
 * of any length n, behind one const struct for each way to it. */
#ifndef RT_ANSWERS_IDENTIFY_TRANSFORM_H
#define RT_ANSWERS_IDENTIFY_TRANSFORM_H

#include "base/error.h"

typedef struct rt_transform {
    const char *name;
    /* A plan for length n >= 1, to be freed by release; one thread at a time. */
    routh_status (*create)(void **plan, int n, routh_error *error);
    /* x: n; re, im: n/2 + 1 each. Allocates nothing. */
    void (*run)(void *plan, const double *x, double *re, double *im);
    void (*release)(void *plan); /* NULL is allowed */
} rt_transform;

/* Those that were built in, the usual one first; ends with NULL. */
extern const rt_transform *const rt_transforms[];

extern const rt_transform rt_transform_own;
extern const rt_transform rt_transform_fftw; /* where the build has it: ROUTH_FFTW */

#endif
