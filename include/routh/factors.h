/* A large symmetric matrix factored by somebody else, in place of the library's own factorization:
 * what counted modes (routh/matrices.h, routh/answers.h) ask of it. */
#ifndef ROUTH_FACTORS_H
#define ROUTH_FACTORS_H

#include "routh/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All by one thread, in this order: open, any number of factor and solve, close (which is called
 * where open failed, or was not come to, too). Any status that is not ROUTH_OK is passed on. */
typedef struct routh_factors {
    void *context; /* handed to each of these */
    /* The structure of A: what is on and below the diagonal, in compressed columns, rows ascending.
     * It is there until close. */
    routh_status (*open)(void *context, int n, const int *start, const int *row,
                         routh_error *error);
    /* A = L D L' by its values on the structure. *negative: how many eigenvalues of A are, by
     * Sylvester's law the signs in D. *singular: 1: a pivot vanishes, and there is nothing else. */
    routh_status (*factor)(void *context, const double *values, int *negative, int *singular,
                           routh_error *error);
    /* X := A^-1 X, n x columns. */
    routh_status (*solve)(void *context, double *x, int columns, routh_error *error);
    double (*bytes)(void *context); /* of the last factor, an estimate */
    void (*close)(void *context);   /* gives back what open took */
} routh_factors;

#ifdef __cplusplus
}
#endif
#endif
