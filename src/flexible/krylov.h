/* The lowest modes of K v = lambda M v, symmetric, by a block Krylov method with the inverse of
 * K + s M, restarted thickly: clusters and repeated frequencies up to the width of the block come
 * out whole. */
#ifndef RT_FLEXIBLE_KRYLOV_H
#define RT_FLEXIBLE_KRYLOV_H

#include "flexible/body.h"

typedef struct rt_krylov {
    const rt_body_fe *b;
    const rt_body_solver *solver; /* of K + s M, positive definite */
    double shift;                 /* s */
    int n_locked;                 /* M-orthonormal vectors that modes are orthogonal to */
    const double *locked;         /* n x n_locked */
    int n_held;                   /* C v = 0: */
    const rt_body_rows *C;
    const double *Z; /* n x n_held: (K + s M)^-1 C' */
    const double *G; /* Cholesky factor of C Z */
    int n_free;      /* how many modes there are at most */
} rt_krylov;

/* wanted modes: lambda ascending, vectors n x wanted; fewer where there are no more (*found). With
 * a positive cut (of lambda) all modes below it instead, wanted at the first try, at most most.
 * Arrays are in the arena. next: the lowest lambda that is not among them, roughly; 0: none. */
routh_status rt_krylov_lowest(const rt_krylov *k, int wanted, double cut, int most, int *found,
                              double **lambda, double **vectors, double *next, rt_arena *arena,
                              routh_error *error);

#endif
