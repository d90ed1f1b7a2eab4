/* Factors with row exchanges of a complex matrix of 106 bits. They allocate nothing. */
#ifndef RT_BASE_DD_COMPLEX_LU_H
#define RT_BASE_DD_COMPLEX_LU_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/dd_complex.h"

typedef struct rt_dd_complex_lu {
    int n;
    rt_dd_complex *a;        /* n x n, column-major: the matrix, then its factors */
    int *pivots;             /* n */
    double _Complex log_det; /* of the matrix, rounded; its imaginary part up to 2 pi */
} rt_dd_complex_lu;

static inline rt_dd_complex *rt_dd_complex_lu_at(const rt_dd_complex_lu *f, int i, int j)
{
    return f->a + i + (size_t)f->n * (size_t)j;
}

static inline double _Complex rt_ddz_round(rt_dd_complex a) { return a.re.high + I * a.im.high; }

/* P A = L U; false: singular. */
bool rt_dd_complex_lu_factor(rt_dd_complex_lu *f);

/* x (n) := A^-1 x, A^-T x */
void rt_dd_complex_lu_solve(const rt_dd_complex_lu *f, rt_dd_complex *x);
void rt_dd_complex_lu_solve_transposed(const rt_dd_complex_lu *f, rt_dd_complex *x);

#endif
