/* One dense front: as many of its full columns are eliminated as threshold pivoting allows. */
#ifndef RT_BASE_LDL_FRONT_H
#define RT_BASE_LDL_FRONT_H

#include <stddef.h>

enum { RT_FRONT_PANEL = 64 };

/* Of a symmetric matrix [F, C'; C, R] of order n the columns of F and C, of which there are n_full,
 * and R, each by its lower triangle. */
typedef struct rt_front {
    int n, n_full, n_pivots;
    int *place;    /* n: which unknown a row is; rows that are full are exchanged */
    double *full;  /* n x n_full, becomes L in the first n_pivots columns */
    double *rest;  /* order n - n_full, becomes the Schur complement; its part of columns that were
                      not eliminated is in full */
    double *pivot; /* 2 n_full: D: diagonal, and what is beside it below (not 0 in the first of a
                      pair); a vanished pivot is 0 */
} rt_front;

typedef struct rt_front_count {
    int positive, negative, zero;
    double smallest; /* pivot */
    int where;       /* place of it */
    double operations;
} rt_front_count;

/* Doubles of work that a front of that order needs. */
size_t rt_front_work(int n);

/* What is left in columns n_pivots .. n_full - 1 goes to the parent. Pivots that vanish are taken
 * where there is no parent, n == n_full. */
void rt_front_eliminate(rt_front *f, double *work, rt_front_count *count);

#endif
