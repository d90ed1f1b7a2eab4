/* Arithmetic with numbers that know their expression in the parameters.
 *
 * A number that depends on no parameter carries RT_NO_EXPR, so plain numbers cost no graph node. */
#ifndef RT_MODEL_NUMBER_H
#define RT_MODEL_NUMBER_H

#include "model/model.h"

typedef struct rt_calculator {
    rt_graph *graph;
    bool failed; /* a node could not be made: out of memory; looked at once at the end */
} rt_calculator;

rt_number rt_plain(double value);
rt_number rt_plus(rt_calculator *c, rt_number a, rt_number b);
rt_number rt_minus(rt_calculator *c, rt_number a, rt_number b);
rt_number rt_times(rt_calculator *c, rt_number a, rt_number b);
rt_number rt_over(rt_calculator *c, rt_number a, rt_number b);
rt_number rt_root(rt_calculator *c, rt_number a);
rt_number rt_cosine(rt_calculator *c, rt_number a);
rt_number rt_sine(rt_calculator *c, rt_number a);
rt_number rt_angle(rt_calculator *c, rt_number y, rt_number x); /* atan2(y, x) */
rt_number rt_exponential(rt_calculator *c, rt_number a);

/* The number as a node of the graph: its expression, or its value as a constant. */
rt_expr rt_number_expr(rt_calculator *c, rt_number a);

/* 3-vectors and matrices of numbers, row-major. No output may alias an input. */
rt_number rt_numbers_dot(rt_calculator *c, const rt_number a[3], const rt_number b[3]);
void rt_numbers_cross(rt_calculator *c, rt_number out[3], const rt_number a[3],
                      const rt_number b[3]);
void rt_numbers_unit(rt_calculator *c, rt_number out[3], const rt_number a[3]);
void rt_numbers_matrix(rt_calculator *c, rt_number C[9], const rt_number A[9],
                       const rt_number B[9]);
void rt_numbers_times(rt_calculator *c, rt_number y[3], const rt_number A[9], const rt_number x[3]);
void rt_numbers_transposed_times(rt_calculator *c, rt_number y[3], const rt_number A[9],
                                 const rt_number x[3]);
void rt_numbers_identity(rt_number A[9]);
void rt_numbers_values(double *values, const rt_number *numbers, int n);

#endif
