/* The operator of answers/shifted.h about a complex shift, and the determinant of its matrix. */
#ifndef RT_ANSWERS_SHIFTED_COMPLEX_H
#define RT_ANSWERS_SHIFTED_COMPLEX_H

#include "answers/shifted.h"
#include "base/complex_factor.h"

typedef struct rt_shifted_complex {
    rt_shifted *pencil;
    rt_complex_factor *factor;
    double _Complex shift;
    double _Complex *values; /* of the reduced pattern */
    double _Complex *part, *work; /* order of reduced */
    double _Complex *full;   /* order: the solution of the last solve, multipliers too */
    bool real;               /* the shift is that of the pencil's own factors, which are used */
    double *room;            /* 3 n */
    int n_factors;
    rt_arena arena;
} rt_shifted_complex;

/* The pencil must outlive it. */
routh_status rt_shifted_complex_create(rt_shifted_complex *shifted, rt_shifted *pencil,
                                       routh_error *error);
void rt_shifted_complex_free(rt_shifted_complex *shifted);

/* Factors A - s E, reduced. *singular: a pivot vanishes; s is an eigenvalue. */
routh_status rt_shifted_complex_factor(rt_shifted_complex *shifted, double _Complex s,
                                       bool *singular, routh_error *error);

/* y = OP x (n), and shifted->full. As rt_complex_operator. With `real` by the real factors of the
 * pencil, two solves. */
routh_status rt_shifted_complex_apply(void *shifted, const double _Complex *x, double _Complex *y,
                                      routh_error *error);

#endif
