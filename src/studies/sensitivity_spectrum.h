/* Eigenvalues of a pencil with vectors of both sides, and what a variation does to them. */
#ifndef RT_STUDIES_SENSITIVITY_SPECTRUM_H
#define RT_STUDIES_SENSITIVITY_SPECTRUM_H

#include "studies/sensitivity_pencil.h"

/* Of every pair the eigenvalue with im > 0, and the real ones. */
typedef struct rt_pencil_spectrum {
    const rt_levels_pencil *p;
    int n, size; /* how many; n1 + n2 */
    double _Complex *value;
    double *condition;                 /* |w^H v| / (|w| |v|): 0 where it is defective */
    int *first, *cluster;              /* n: the first of those that agree with it, and how many */
    double *right[2], *left[2];        /* size x n, row by row: re, im of x and of g, w^H v = 1 */
    double _Complex *matrix, *vectors; /* n x n: scratch */
} rt_pencil_spectrum;

/* Eigenvalues k with keep(value) false are left out. */
routh_status rt_spectrum_create(rt_pencil_spectrum *spectrum, const rt_levels_pencil *pencil,
                                rt_arena *arena, routh_error *error);

/* Along what rt_pencil_vary has filled: the derivatives of those that are in clusters, into by (n).
 */
routh_status rt_spectrum_part(const rt_pencil_spectrum *s, double _Complex *by, routh_error *error);

#endif
