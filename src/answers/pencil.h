/* A linear model without the inverse of its mass: E y' = F y,
 *     E = diag(I, mass, I),     F = [rows of A; -stiffness -damping coupling; rows of A]
 * A = E^-1 F is rounded in units of its fastest mode, E and F entry by entry: of a stiff mechanism
 * these still hold the digits of slow modes that A has lost. Products are accumulated in the widest
 * type there is, as those of a smooth motion cancel. */
#ifndef RT_ANSWERS_PENCIL_H
#define RT_ANSWERS_PENCIL_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "routh/linear.h"

/* Nonzero entries by rows. */
typedef struct rt_row_matrix {
    int n;
    int *start, *column;
    double *value;
} rt_row_matrix;

typedef struct rt_pencil {
    int n;
    rt_row_matrix E, F;
    rt_row_matrix Et, Ft; /* transposed */
} rt_pencil;

/* Does the model hold the matrices of the second-order form? */
bool rt_pencil_exists(const routh_linear *linear);

routh_status rt_pencil_make(rt_pencil *pencil, const routh_linear *linear, rt_arena *arena,
                            routh_error *error);

/* r = F x - lambda E x and e = E x, or with transposed matrices; re and im, n each. e: NULL, not
 * wanted. */
typedef struct rt_complex_vector {
    double *re, *im;
} rt_complex_vector;
void rt_pencil_residual(const rt_pencil *pencil, bool transposed, const double lambda[2],
                        rt_complex_vector x, rt_complex_vector r, rt_complex_vector e);

/* |y|' (|F| + size |E|) |x|, of absolute values entry by entry */
double rt_pencil_size(const rt_pencil *pencil, double size, rt_complex_vector y,
                      rt_complex_vector x);

#endif
