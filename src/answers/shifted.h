/* A descriptor pencil about a shift: OP = (A - s E)^-1 E on (xi, du), whose eigenvalue nu belongs
 * to lambda = s + 1/nu of the pencil. The multipliers are left out of the vectors, since E does not
 * look at them. */
#ifndef RT_ANSWERS_SHIFTED_H
#define RT_ANSWERS_SHIFTED_H

#include <stdbool.h>

#include "base/sparse.h"
#include "base/progress.h"
#include "routh/linear.h"

/* Of one row, for a pair (lambda, y). */
typedef struct rt_shifted_sums {
    double re, im, size;       /* A y - lambda E y, and its terms */
    double A_re, A_im, A_size; /* A (xi, 0, lam), and its terms; at rest */
} rt_shifted_sums;

typedef struct rt_shifted {
    rt_arena arena;
    const routh_descriptor *descriptor;
    int n, order; /* of (xi, du), and of the whole y */
    double rate;  /* time is counted in 1/rate; s, nu and lambda below as well */
    double shift;
    double *scale; /* order: y = scale * scaled y */
    rt_pattern pattern;
    double *E, *A; /* scaled, on the pattern */
    /* of a descriptor that has them, likewise: rests, and samples one after the other; or NULL */
    double *E_rest, *A_rest, *E_error, *A_error;
    /* A - s E with du = f + s xi put in, f its first rows: of order n_coordinates + n_constraints,
     *     [A10 + s A11 - s^2 E11, A12; A20, 0] */
    rt_pattern reduced;
    double *values;
    int *reduced_at; /* of every entry of the pattern, or -1 */
    rt_factor *factor;
    double *full;          /* order: the solution of the last solve, multipliers too */
    double *part;          /* order of reduced */
    rt_progress *progress; /* asked at every solution and factorization; NULL: nobody asks */
    rt_shifted_sums *sums; /* order: of rt_shifted_errors */
    bool whole; /* y = (states, ..), E = diag(I, 0): OP is on the states, n of them, and nothing is
                   put in: reduced is A - s E (shifted_whole.c) */
    rt_factor *algebra; /* of the rows without a derivative, the states given; NULL: not yet */
    double *algebra_values;
} rt_shifted;

/* Scales the pencil and makes room. The descriptor must outlive it. Without factors, so that the
 * operator is not there. */
routh_status rt_shifted_create(rt_shifted *shifted, const routh_descriptor *descriptor,
                               routh_error *error);

/* The pattern of A - s E without du; once. */
routh_status rt_shifted_reduce(rt_shifted *shifted, routh_error *error);

/* What the operator needs. */
routh_status rt_shifted_make_operator(rt_shifted *shifted, routh_error *error);
void rt_shifted_free(rt_shifted *shifted);

/* Factors A - s E. *singular: a pivot vanishes; s is an eigenvalue. */
routh_status rt_shifted_factor(rt_shifted *shifted, double s, bool *singular, routh_error *error);

/* y = OP x (n), and shifted->full. As rt_operator, the context being the rt_shifted. */
routh_status rt_shifted_apply(void *shifted, double *x, double *y, routh_error *error);

/* How well (lambda, y) solves A y = lambda E y, y = re + i im (order numbers each): each block
 * of rows (rates, motion, constraints) relative to its own largest sum of absolute terms. */
typedef struct rt_pair_errors {
    double residual;  /* largest of the three */
    double violation; /* of the constraints alone: |G xi| / (|G| |xi|), by the largest entries */
    double balance;   /* |K xi + G' lam| / (|K| |xi| + |G'| |lam|): small for a rigid motion */
} rt_pair_errors;

rt_pair_errors rt_shifted_errors(rt_shifted *shifted, const double lambda[2], const double *re,
                                 const double *im);

/* Of the whole system, for shifted.c: scales of columns (shifted->scale) and rows; errors of a
 * pair. */
routh_status rt_whole_scales(rt_shifted *shifted, double *row, routh_error *error);
rt_pair_errors rt_whole_errors(rt_shifted *shifted, const double lambda[2], const double *re,
                               const double *im);

/* Of the whole system: y (order) of the states x (n) by the rows without a derivative, and the
 * states' rates; terms: the largest sum of sizes in one of these. (allocates) */
routh_status rt_whole_rates(rt_shifted *shifted, const double *x, double *y, double *rates,
                            double *terms, routh_error *error);

#endif
