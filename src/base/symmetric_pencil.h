/* K - s M factored, and M multiplied: what the iteration for symmetric modes stands on. */
#ifndef RT_BASE_SYMMETRIC_PENCIL_H
#define RT_BASE_SYMMETRIC_PENCIL_H

#include "base/double_double.h"
#include "base/ldl.h"
#include "base/symmetric_modes.h"

typedef struct rt_shifted_pencil {
    const rt_symmetric_pencil *pencil;
    int n;
    rt_pattern sum;                       /* lower triangle of both */
    double *values, *rest;                /* rest: NULL where nothing is known of it */
    rt_dd *solution, *right, *correction; /* n each, with rest */
    rt_ldl *factor;
    const routh_factors *factors; /* in its place; NULL: none */
    rt_progress *progress;
    double *work; /* of a solve */
    size_t n_work;
    double shift;
    int n_factors, n_solves;
    rt_arena arena;
} rt_shifted_pencil;

/* factors: NULL, or those to use in place of base/ldl.h. */
routh_status rt_shifted_pencil_create(rt_shifted_pencil *p, const rt_symmetric_pencil *pencil,
                                      const routh_factors *factors, routh_error *error);
void rt_shifted_pencil_free(rt_shifted_pencil *p);

/* *below: eigenvalues less than the shift. *singular: the factor cannot be used. */
routh_status rt_shifted_pencil_factor(rt_shifted_pencil *p, double shift, int *below,
                                      bool *singular, routh_error *error);

/* The same where no solve follows: with base/ldl.h no factor is left. */
routh_status rt_shifted_pencil_count(rt_shifted_pencil *p, double shift, int *below, bool *singular,
                                     routh_error *error);

/* X := (K - s M)^-1 X, m columns. */
routh_status rt_shifted_pencil_solve(rt_shifted_pencil *p, double *x, int m, routh_error *error);

size_t rt_shifted_pencil_bytes(const rt_shifted_pencil *p); /* of the factor */

/* Y = A X for a symmetric matrix by its lower triangle, or with the moduli of both. */
void rt_symmetric_multiply(const rt_pattern *pattern, const double *values, const double *x, int m,
                           double *y);
/* x' A x and the sum of its terms' moduli, of m columns, 4 at most. */
void rt_symmetric_form(const rt_pattern *pattern, const double *values, const double *x, int m,
                       double *value, double *moduli);
/* The same form of values + rest, with 106 bits. */
rt_dd rt_symmetric_form_extended(const rt_pattern *pattern, const double *values,
                                 const double *rest, const double *x);
void rt_symmetric_multiply_moduli(const rt_pattern *pattern, const double *values, const double *x,
                                  double *y);

#endif
