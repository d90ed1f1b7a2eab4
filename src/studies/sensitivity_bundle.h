/* What the variations of a pencil along several parameters do to its eigenvalues, all at once. */
#ifndef RT_STUDIES_SENSITIVITY_BUNDLE_H
#define RT_STUDIES_SENSITIVITY_BUNDLE_H

#include "studies/sensitivity_spectrum.h"
#include "studies/sensitivity_varied_rows.h"

typedef struct rt_bundle {
    const rt_pencil_spectrum *s;
    int room;            /* so many parameters at a time */
    int *start, *term;   /* n_varied + 1: the terms that each number stands in, one after another */
    rt_varied_rows rows; /* the numbers' derivatives, of width room */
    double *sum;         /* room x 2 n: re, im of w_k^H dA v_k */
    double *size;        /* room x n: sum of the absolute values of its terms */
    int *n_terms;        /* room: how many those were */
    double *weight[2];   /* of some numbers at a time: 2 n and n each */
    double *derivative;  /* room of each, twice: themselves and absolute values */
} rt_bundle;

/* n_parameters: the most that are to come. Memory is the arena's. */
routh_status rt_bundle_create(rt_bundle *bundle, const rt_pencil_spectrum *spectrum,
                              int n_parameters, rt_arena *arena, routh_error *error);

/* Of the first n, as rt_job_vary_some has filled bundle->rows. */
void rt_bundle_contract(rt_bundle *bundle, int n);

/* Derivatives of the spectrum's eigenvalues along k, and below what rounding of the sum alone could
 * have made each, 0 of clusters. */
routh_status rt_bundle_read(const rt_bundle *bundle, int k, double _Complex *by, double *rounding,
                            routh_error *error);

#endif
