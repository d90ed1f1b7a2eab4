/* The common zeros of quadratic forms: real directions c with c' Q_i c = 0 for all i. */
#ifndef RT_OPERATING_QUADRICS_H
#define RT_OPERATING_QUADRICS_H

#include <stdbool.h>

#include "base/error.h"

enum { RT_QUADRICS_MOST_VARIABLES = 10, RT_QUADRICS_MOST_ZEROS = 64 };

typedef struct rt_quadric_zero {
    double c[RT_QUADRICS_MOST_VARIABLES]; /* unit length, its largest component positive */
    bool simple; /* the forms cross here: their gradients leave no direction but c */
} rt_quadric_zero;

typedef struct rt_quadric_zeros {
    int n;
    rt_quadric_zero zero[RT_QUADRICS_MOST_ZEROS];
    bool all;     /* proved to be all there are */
    bool surface; /* zeros are not isolated: there are more than can be listed */
} rt_quadric_zeros;

/* forms: n_forms of p x p, symmetric, each of length about 1; p <= RT_QUADRICS_MOST_VARIABLES. One
 * or two variables: solved exactly. More: Newton's method from many directions, the same in every
 * run; a double zero is found to full accuracy by deflation (Leykin, Verschelde, Zhao 2006). */
routh_status rt_quadrics_solve(rt_quadric_zeros *out, int p, int n_forms, const double *forms,
                               routh_error *error);

#endif
