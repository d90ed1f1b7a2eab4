/* Eigenvalues of a pencil with vectors of both sides, and what a variation does to them. */
#ifndef RT_SENSITIVITY_SPECTRUM_H
#define RT_SENSITIVITY_SPECTRUM_H

#include "sensitivity/pencil.h"

/* Of every pair the eigenvalue with im > 0, and the real ones. */
typedef struct rt_spectrum {
    const rt_levels_pencil *p;
    int n, size; /* how many; n1 + n2 */
    double _Complex *value;
    double *condition;                 /* |w^H v| / (|w| |v|): 0 where it is defective */
    int *first, *cluster;              /* n: the first of those that agree with it, and how many */
    double *right[2], *left[2];        /* size x n, row by row: re, im of x and of g, w^H v = 1 */
    double *sum[2];                    /* n: scratch */
    double *rounding;                  /* n */
    double _Complex *matrix, *vectors; /* n x n: scratch */
} rt_spectrum;

/* Eigenvalues k with keep(value) false are left out. */
routh_status rt_spectrum_create(rt_spectrum *spectrum, const rt_levels_pencil *pencil,
                                rt_arena *arena, routh_error *error);

/* Derivatives (n) along what rt_pencil_vary has filled; s->rounding[k]: below that, rounding of the
 * sum alone could have made the k-th, 0 of clusters. */
routh_status rt_spectrum_vary(const rt_spectrum *spectrum, double _Complex *by, routh_error *error);

#endif
