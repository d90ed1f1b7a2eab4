/* The zero of a function of the parameter between two values where it has different signs. Every
 * evaluation is an operating point and a linear model of its own. */
#ifndef RT_STUDIES_SWEEP_ZERO_H
#define RT_STUDIES_SWEEP_ZERO_H

#include <complex.h>
#include <stdbool.h>

#include "routh/status.h"

typedef struct rt_zero_sample {
    double value, f, noise; /* noise: what the error bounds of eigenvalues make of f */
    double slope;           /* df/dvalue; NAN where it is not known */
    double _Complex lambda[2];
} rt_zero_sample;

/* derivative: the slope is wanted too, but may be left NAN. ok false: there is nothing at the
 * value. */
typedef routh_status (*rt_zero_function)(const void *context, double value, bool derivative,
                                         rt_zero_sample *out, bool *ok, routh_error *error);

typedef struct rt_zero_search {
    rt_zero_function evaluate;
    const void *context;
    double scale;     /* of values: what is small against a billionth of it is zero */
    bool derivatives; /* may be asked for */
} rt_zero_search;

typedef struct rt_sweep_zero {
    rt_zero_sample at;
    double off; /* what the value may be off */
    bool found; /* false: there was nothing at one of the values between */
    int evaluations;
    bool derivatives; /* helped */
} rt_sweep_zero;

/* a.f and b.f have different signs. */
routh_status rt_zero_find(const rt_zero_search *search, rt_zero_sample a, rt_zero_sample b,
                          rt_sweep_zero *zero, routh_error *error);

#endif
