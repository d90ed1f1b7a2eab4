/* What rounding of 106 bits does to G = X^-1 B X, entry by entry. */
#ifndef RT_ANSWERS_SPECTRUM_ROUNDING_H
#define RT_ANSWERS_SPECTRUM_ROUNDING_H

#include "base/arena.h"
#include "base/double_double.h"
#include "base/error.h"

typedef struct rt_spectrum_product {
    int n;
    const rt_dd *B, *X, *G; /* n x n, column-major */
    const rt_dd *LU;        /* P X = L U */
    const int *pivots;
    const double *W; /* X^-T, rounded */
    const int *pair; /* n: 0 real, 1 first of a pair x + i y, 2 its second */
} rt_spectrum_product;

/* R (n x n) := a bound of the errors of the entries of G in complex vectors: with G = X^-1 (B X)
 * by elimination
 *     |dG| <= n eps |X^-1| (|B| |X| + |L| |U| |G|)
 * (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. 2002, 3.5 and theorem 9.4). */
routh_status rt_spectrum_rounding(const rt_spectrum_product *p, double *R, routh_error *error);

#endif
