/* A few eigenvalues of a large complex operator, of largest modulus, by a Krylov-Schur iteration
 * (Stewart 2001):
 *
 *     OP V = V T + v b,   V orthonormal, T upper triangular after each restart
 *
 * What has converged may be kept and the iteration begun anew beside it, in numbers without a
 * pattern: so copies of an eigenvalue are found, of which one vector alone sees only one. */
#ifndef RT_BASE_KRYLOV_SCHUR_H
#define RT_BASE_KRYLOV_SCHUR_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/* y = OP x, n numbers each. */
typedef routh_status (*rt_complex_operator)(void *context, const double _Complex *x,
                                            double _Complex *y, routh_error *error);

typedef struct rt_krylov_schur {
    int n, most; /* order; most vectors kept */
    rt_complex_operator apply;
    void *context;
    int chain;          /* OP is applied to numbers without a pattern so often before they are a
                           start: until nothing is left of its null space */
    double tolerance;   /* of |OP v - ..| beside |theta| */
    double _Complex *V; /* n x (most + 1) */
    double _Complex *T; /* most x most */
    double _Complex *b; /* most */
    double _Complex *Q; /* most x most */
    double _Complex *work, *rows;
    int done, converged; /* vectors in the basis; the leading ones that have converged */
    bool next;           /* vector `done` is there; else it begins anew */
    bool all;            /* there is nothing beside the basis */
    int n_applied, n_restarts;
    unsigned seed;
} rt_krylov_schur;

/* n, most, apply, context, chain, tolerance are the caller's; arrays from the arena. */
routh_status rt_krylov_create(rt_krylov_schur *k, rt_arena *arena, routh_error *error);

/* The basis becomes that of n_columns real ones, that span an invariant subspace. */
routh_status rt_krylov_take(rt_krylov_schur *k, const double *columns, int n_columns,
                            routh_error *error);

/* Until `wanted` of largest modulus have converged, in so many restarts; k->converged says how many
 * did. wanted <= most - 2. */
routh_status rt_krylov_run(rt_krylov_schur *k, int wanted, int most_restarts, routh_error *error);

/* Only what has converged is kept; the next run begins anew beside it. */
void rt_krylov_renew(rt_krylov_schur *k);

/* Eigenvalues (n_converged) and vectors (n x n_converged, norm 1) of what has converged.
 * (allocates) */
routh_status rt_krylov_pairs(const rt_krylov_schur *k, double _Complex *theta,
                             double _Complex *vectors, routh_error *error);

#endif
